"""Why a loop of the plug-in is turned away; the code tells it what to do next."""

from __future__ import annotations

from safelight.errors import Conflict

__all__ = ("HelloNeeded", "Superseded", "WrongProtocol")


class HelloNeeded(Conflict):
    """The service does not know this loop (it has restarted): say hello and go on."""

    code = "hello_needed"

    def __init__(self) -> None:
        super().__init__("This plug-in has not said hello to this run of the service; say hello first.")


class Superseded(Conflict):
    """A newer loop or another Lightroom has taken over: this loop ends for good."""

    code = "superseded"

    def __init__(self) -> None:
        super().__init__("A newer connection from Lightroom has taken over; this loop ends.")


class WrongProtocol(Conflict):
    """Plug-in and service speak different versions; the message says which of them to update."""

    code = "wrong_protocol"

    def __init__(self, theirs: int, ours: int) -> None:
        older = "the Safelight plug-in in Lightroom" if theirs < ours else "Safelight"
        super().__init__(
            f"Update {older}: the plug-in speaks version {theirs} of the bridge and the service version {ours}."
        )
