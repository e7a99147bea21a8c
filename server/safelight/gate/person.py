"""The person at the page, as the gate's principal: what they click is what they want."""

from __future__ import annotations

from safelight.gate.principal import Denied, NobodyToAsk, Profile, Question, Reply

__all__ = ("Person",)


class Person:
    """May do everything, and is asked nothing: the click was the answer."""

    def profile(self) -> Profile:
        return Profile(by="person", role="owner", mode="auto_all", rules={}, bulk_limit=0)

    async def ask(self, question: Question) -> Reply:
        del question
        return NobodyToAsk()

    async def running(self, call_id: str, arguments: dict[str, object]) -> Denied | None:
        del call_id, arguments
        return None
