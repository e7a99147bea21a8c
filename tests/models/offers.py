"""The tools of the contract, as a chat offers them to a model."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, cast

import yaml

from safelight.models.chat_model import ToolOffer

__all__ = ("OFFERS",)

_CONTRACT: Final[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parents[2] / "contract" / "tools.yaml").read_text(encoding="utf-8")
)


def _resolved(node: Any) -> Any:
    if not isinstance(node, dict):
        return node
    if "$shared" in node:
        return _resolved(_CONTRACT["shared"][node["$shared"]])
    return {key: _resolved(value) for key, value in cast("dict[str, Any]", node).items()}


def _offer(name: str, tool: dict[str, Any]) -> ToolOffer:
    choice = {"oneOf": [{"required": ["set"]}, {"required": ["photo_ids"]}]} if tool.get("photos") else {}
    return ToolOffer(
        name=name,
        title=tool["title"],
        description=tool["description"],
        input_schema={**_resolved(tool["input"]), **choice},
    )


OFFERS: Final = tuple(_offer(name, tool) for name, tool in _CONTRACT["tools"].items())
