import asyncio

from safelight_client import SafelightClient, models


async def main() -> None:
    async with SafelightClient.from_runtime() as client:
        chat = await client.start_chat()
        async for event in chat.run("Which photos have five stars?"):
            if isinstance(event, models.ApprovalNeededEvent):
                await chat.answer(event.call_id, "deny", "Only look; change nothing.")
            elif isinstance(event, models.AssistantTurnEvent) and event.text:
                print(event.text)


asyncio.run(main())
