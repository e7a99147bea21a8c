# Generated from the contract by `make generate`; never edited.
"""One typed method for each operation of the contract; paths stand here and nowhere else."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Final

from safelight_client import models
from safelight_client._transport import Operation, StreamedEvent, Transport

__all__ = ("OPERATIONS", "Calls")

OPERATIONS: Final = {
    "list_chats": Operation(method="GET", path="/v1/chat/sessions", schemes=("agentToken",)),
    "open_chat": Operation(method="POST", path="/v1/chat/sessions", schemes=("agentToken",)),
    "get_chat": Operation(method="GET", path="/v1/chat/sessions/{session_id}", schemes=("chatToken", "agentToken")),
    "delete_chat": Operation(
        method="DELETE", path="/v1/chat/sessions/{session_id}", schemes=("chatToken", "agentToken")
    ),
    "follow_events": Operation(
        method="GET", path="/v1/chat/sessions/{session_id}/events", schemes=("chatToken", "agentToken")
    ),
    "send_message": Operation(
        method="POST", path="/v1/chat/sessions/{session_id}/messages", schemes=("chatToken", "agentToken")
    ),
    "edit_queued_message": Operation(
        method="PUT", path="/v1/chat/sessions/{session_id}/queue/{message_id}", schemes=("chatToken", "agentToken")
    ),
    "remove_queued_message": Operation(
        method="DELETE", path="/v1/chat/sessions/{session_id}/queue/{message_id}", schemes=("chatToken", "agentToken")
    ),
    "list_approvals": Operation(
        method="GET", path="/v1/chat/sessions/{session_id}/approvals", schemes=("chatToken", "agentToken")
    ),
    "answer_approval": Operation(
        method="POST", path="/v1/chat/sessions/{session_id}/approvals/{call_id}", schemes=("chatToken", "agentToken")
    ),
    "stop_chat": Operation(
        method="POST", path="/v1/chat/sessions/{session_id}/stop", schemes=("chatToken", "agentToken")
    ),
    "get_permissions": Operation(
        method="GET", path="/v1/chat/sessions/{session_id}/permissions", schemes=("chatToken", "agentToken")
    ),
    "put_permissions": Operation(
        method="PUT", path="/v1/chat/sessions/{session_id}/permissions", schemes=("chatToken", "agentToken")
    ),
    "put_connections": Operation(
        method="PUT", path="/v1/chat/sessions/{session_id}/connections", schemes=("chatToken", "agentToken")
    ),
    "get_result": Operation(
        method="GET", path="/v1/chat/sessions/{session_id}/results/{call_id}", schemes=("chatToken", "agentToken")
    ),
    "get_photo": Operation(
        method="GET", path="/v1/chat/sessions/{session_id}/photos/{photo_id}", schemes=("chatToken", "agentToken")
    ),
    "list_inbox": Operation(method="GET", path="/v1/inbox", schemes=("chatToken", "agentToken")),
    "follow_inbox": Operation(method="GET", path="/v1/inbox/events", schemes=("chatToken", "agentToken")),
    "answer_inbox": Operation(method="POST", path="/v1/inbox/{call_id}", schemes=("chatToken", "agentToken")),
    "list_changes": Operation(method="GET", path="/v1/changes", schemes=("chatToken", "agentToken")),
    "get_change": Operation(method="GET", path="/v1/changes/{change_id}", schemes=("chatToken", "agentToken")),
    "undo_change": Operation(method="POST", path="/v1/changes/{change_id}/undo", schemes=("chatToken", "agentToken")),
    "list_jobs": Operation(method="GET", path="/v1/jobs", schemes=("chatToken", "agentToken")),
    "cancel_job": Operation(method="DELETE", path="/v1/jobs/{job_id}", schemes=("chatToken", "agentToken")),
    "get_index_status": Operation(method="GET", path="/v1/index/status", schemes=("chatToken", "agentToken")),
    "sync_index": Operation(method="POST", path="/v1/index/sync", schemes=("agentToken",)),
    "search_index": Operation(method="POST", path="/v1/index/search", schemes=("agentToken",)),
    "get_agent_permissions": Operation(
        method="GET", path="/v1/permissions/agents", schemes=("chatToken", "agentToken")
    ),
    "put_agent_permissions": Operation(method="PUT", path="/v1/permissions/agents", schemes=("agentToken",)),
    "list_tokens": Operation(method="GET", path="/v1/tokens", schemes=("agentToken",)),
    "mint_token": Operation(method="POST", path="/v1/tokens", schemes=("agentToken",)),
    "revoke_token": Operation(method="DELETE", path="/v1/tokens/{token_id}", schemes=("agentToken",)),
    "bridge_hello": Operation(method="POST", path="/v1/bridge/hello", schemes=("agentToken",)),
    "bridge_poll": Operation(method="POST", path="/v1/bridge/poll", schemes=("agentToken",)),
    "bridge_result": Operation(method="POST", path="/v1/bridge/result", schemes=("agentToken",)),
    "get_chat_page": Operation(method="GET", path="/v1/ui/chat", schemes=()),
    "get_health": Operation(method="GET", path="/v1/health", schemes=()),
    "get_contract": Operation(method="GET", path="/v1/openapi.yaml", schemes=()),
}


class Calls(Transport):
    """The operations of the contract by their names."""

    async def list_chats(self) -> models.ChatList:
        """List the chats that have not ended."""
        return await self._json(OPERATIONS["list_chats"], {}, {}, None, models.ChatList)

    async def open_chat(self, body: models.OpenChat, *, idempotency_key: str | None = None) -> models.ChatOpened:
        """Open a chat with a model."""
        return await self._json(
            OPERATIONS["open_chat"], {}, {}, body, models.ChatOpened, headers={"Idempotency-Key": idempotency_key}
        )

    async def get_chat(self, session_id: str) -> models.Chat:
        """Read what a chat is and what it is doing."""
        return await self._json(OPERATIONS["get_chat"], {"session_id": session_id}, {}, None, models.Chat)

    async def delete_chat(self, session_id: str) -> None:
        """End a chat and erase it."""
        return await self._nothing(OPERATIONS["delete_chat"], {"session_id": session_id}, {}, None)

    def follow_events(self, session_id: str, *, after: str | None = None) -> AsyncGenerator[StreamedEvent, None]:
        """Follow a chat's events, from after a number on and then live."""
        return self._stream(OPERATIONS["follow_events"], {"session_id": session_id}, {"after": after})

    async def send_message(
        self, session_id: str, body: models.NewMessage, *, idempotency_key: str | None = None
    ) -> models.MessageAccepted:
        """Send a message; while the chat is busy it is queued."""
        return await self._json(
            OPERATIONS["send_message"],
            {"session_id": session_id},
            {},
            body,
            models.MessageAccepted,
            headers={"Idempotency-Key": idempotency_key},
        )

    async def edit_queued_message(
        self, session_id: str, message_id: str, body: models.NewMessage
    ) -> models.MessageAccepted:
        """Change a message that waits in the queue."""
        return await self._json(
            OPERATIONS["edit_queued_message"],
            {"session_id": session_id, "message_id": message_id},
            {},
            body,
            models.MessageAccepted,
        )

    async def remove_queued_message(self, session_id: str, message_id: str) -> None:
        """Take a message out of the queue."""
        return await self._nothing(
            OPERATIONS["remove_queued_message"], {"session_id": session_id, "message_id": message_id}, {}, None
        )

    async def list_approvals(self, session_id: str) -> models.ApprovalList:
        """List the questions that wait for an answer."""
        return await self._json(OPERATIONS["list_approvals"], {"session_id": session_id}, {}, None, models.ApprovalList)

    async def answer_approval(
        self, session_id: str, call_id: str, body: models.ApprovalAnswer, *, idempotency_key: str | None = None
    ) -> models.ApprovalAnswered:
        """Answer a question."""
        return await self._json(
            OPERATIONS["answer_approval"],
            {"session_id": session_id, "call_id": call_id},
            {},
            body,
            models.ApprovalAnswered,
            headers={"Idempotency-Key": idempotency_key},
        )

    async def stop_chat(self, session_id: str, *, idempotency_key: str | None = None) -> models.Stopping:
        """Stop what the chat is doing. Acknowledged at once; a stopped event follows when something ran."""
        return await self._json(
            OPERATIONS["stop_chat"],
            {"session_id": session_id},
            {},
            None,
            models.Stopping,
            headers={"Idempotency-Key": idempotency_key},
        )

    async def get_permissions(self, session_id: str) -> models.Permissions:
        """Read what the chat may do without asking."""
        return await self._json(OPERATIONS["get_permissions"], {"session_id": session_id}, {}, None, models.Permissions)

    async def put_permissions(self, session_id: str, body: models.PermissionsUpdate) -> models.Permissions:
        """Set what the chat may do without asking."""
        return await self._json(OPERATIONS["put_permissions"], {"session_id": session_id}, {}, body, models.Permissions)

    async def put_connections(self, session_id: str, body: models.ConnectionsUpdate) -> models.Chat:
        """Give the chat its AI servers and keys again, e.g. after a restart; they take the place of those it has."""
        return await self._json(OPERATIONS["put_connections"], {"session_id": session_id}, {}, body, models.Chat)

    async def get_result(self, session_id: str, call_id: str) -> models.CallResult:
        """Read the whole result of a call."""
        return await self._json(
            OPERATIONS["get_result"], {"session_id": session_id, "call_id": call_id}, {}, None, models.CallResult
        )

    async def get_photo(self, session_id: str, photo_id: str, *, size: int | None = None) -> bytes:
        """Get a small picture of a photo, as JPEG."""
        return await self._bytes(
            OPERATIONS["get_photo"], {"session_id": session_id, "photo_id": photo_id}, {"size": size}, None
        )

    async def list_inbox(self) -> models.ApprovalList:
        """List the questions of agents from outside that wait for an answer."""
        return await self._json(OPERATIONS["list_inbox"], {}, {}, None, models.ApprovalList)

    def follow_inbox(self, *, after: str | None = None) -> AsyncGenerator[StreamedEvent, None]:
        """Follow what agents from outside ask, from after a number on and then live."""
        return self._stream(OPERATIONS["follow_inbox"], {}, {"after": after})

    async def answer_inbox(
        self, call_id: str, body: models.ApprovalAnswer, *, idempotency_key: str | None = None
    ) -> models.ApprovalAnswered:
        """Answer a question of an agent from outside."""
        return await self._json(
            OPERATIONS["answer_inbox"],
            {"call_id": call_id},
            {},
            body,
            models.ApprovalAnswered,
            headers={"Idempotency-Key": idempotency_key},
        )

    async def list_changes(
        self, *, before: str | None = None, limit: int | None = None, query: str | None = None
    ) -> models.ChangeList:
        """List the changes to catalogs, newest first."""
        return await self._json(
            OPERATIONS["list_changes"], {}, {"before": before, "limit": limit, "query": query}, None, models.ChangeList
        )

    async def get_change(self, change_id: str) -> models.ChangeDetails:
        """Read a change with the first 1,000 of its items, before and after."""
        return await self._json(OPERATIONS["get_change"], {"change_id": change_id}, {}, None, models.ChangeDetails)

    async def undo_change(self, change_id: str, *, idempotency_key: str | None = None) -> models.UndoReport:
        """Take a change back, as far as nothing was changed since. The answer tells about each photo."""
        return await self._json(
            OPERATIONS["undo_change"],
            {"change_id": change_id},
            {},
            None,
            models.UndoReport,
            headers={"Idempotency-Key": idempotency_key},
        )

    async def list_jobs(self) -> models.JobList:
        """List the jobs that run, and those that ended since the service started."""
        return await self._json(OPERATIONS["list_jobs"], {}, {}, None, models.JobList)

    async def cancel_job(self, job_id: str) -> models.Job:
        """Cancel a job; what it has done stays. An ended job is taken off the list."""
        return await self._json(OPERATIONS["cancel_job"], {"job_id": job_id}, {}, None, models.Job)

    async def get_index_status(self) -> models.IndexStatus:
        """Tell how much of the open catalog searches can find."""
        return await self._json(OPERATIONS["get_index_status"], {}, {}, None, models.IndexStatus)

    async def sync_index(self, body: models.SyncIndex, *, idempotency_key: str | None = None) -> models.Job:
        """Bring the index up to date in the background."""
        return await self._json(
            OPERATIONS["sync_index"], {}, {}, body, models.Job, headers={"Idempotency-Key": idempotency_key}
        )

    async def search_index(self, body: models.SearchIndex) -> models.IndexFound:
        """Search the open catalog as the tool search_photos does."""
        return await self._json(OPERATIONS["search_index"], {}, {}, body, models.IndexFound)

    async def get_agent_permissions(self) -> models.Permissions:
        """Read what agents from outside may do at /mcp without asking."""
        return await self._json(OPERATIONS["get_agent_permissions"], {}, {}, None, models.Permissions)

    async def put_agent_permissions(self, body: models.PermissionsUpdate) -> models.Permissions:
        """Set what agents from outside may do at /mcp without asking."""
        return await self._json(OPERATIONS["put_agent_permissions"], {}, {}, body, models.Permissions)

    async def list_tokens(self) -> models.TokenList:
        """List the app tokens, without their values."""
        return await self._json(OPERATIONS["list_tokens"], {}, {}, None, models.TokenList)

    async def mint_token(self, body: models.NewToken, *, idempotency_key: str | None = None) -> models.TokenMinted:
        """Mint an app token with a role. Its value is shown this one time."""
        return await self._json(
            OPERATIONS["mint_token"], {}, {}, body, models.TokenMinted, headers={"Idempotency-Key": idempotency_key}
        )

    async def revoke_token(self, token_id: str) -> None:
        """Revoke an app token; it opens nothing from now on."""
        return await self._nothing(OPERATIONS["revoke_token"], {"token_id": token_id}, {}, None)

    async def bridge_hello(self, body: models.BridgeHello) -> models.BridgeWelcome:
        """The plug-in says who it is and which catalog is open."""
        return await self._json(OPERATIONS["bridge_hello"], {}, {}, body, models.BridgeWelcome)

    async def bridge_poll(self, body: models.BridgePoll) -> models.BridgeWork:
        """Wait for the next command, up to hold_s seconds."""
        return await self._json(OPERATIONS["bridge_poll"], {}, {}, body, models.BridgeWork)

    async def bridge_result(self, body: models.BridgeResult) -> models.BridgeTaken:
        """Hand back what a command came to. Idempotent by command_id."""
        return await self._json(OPERATIONS["bridge_result"], {}, {}, body, models.BridgeTaken)

    async def get_chat_page(self) -> bytes:
        """The page. It takes its session and token from the URL's fragment."""
        return await self._bytes(OPERATIONS["get_chat_page"], {}, {}, None)

    async def get_health(self) -> models.Health:
        """Tell that this is Safelight and which version."""
        return await self._json(OPERATIONS["get_health"], {}, {}, None, models.Health)

    async def get_contract(self) -> bytes:
        """This document."""
        return await self._bytes(OPERATIONS["get_contract"], {}, {}, None)
