"""Names by which people and chats call the models that were found."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from safelight.engines.engine import EngineKind

__all__ = ("ModelIds",)

_OTHER: Final = re.compile(r"[^\w.-]+")
_MOST_CHARS: Final = 200
"""Less than half of what the contract allows, since a digest may follow."""


class ModelIds:
    """Gives each model its own id. A model keeps it as long as it stays where it is and none that comes before it is
    named alike."""

    def __init__(self, taken: Sequence[str]) -> None:
        self._taken = set(taken)

    def of(self, kind: EngineKind, parts: Sequence[str], path: Path) -> str:
        """Made of the folders and the name in ``parts``; where that is taken or nothing is left of it, told apart by
        the ``path``."""
        name = "/".join(filter(None, (_OTHER.sub("-", part.lower()).strip("-") for part in parts)))
        model_id = f"{kind}:{name[:_MOST_CHARS]}"
        if not name or len(name) > _MOST_CHARS or model_id in self._taken:
            digest = hashlib.sha256(str(path).encode(errors="surrogateescape")).hexdigest()
            model_id = f"{model_id}~{digest[:8]}"
        self._taken.add(model_id)
        return model_id
