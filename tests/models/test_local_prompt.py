"""How large the text is that a local model reads before anything is said, by a real model's own tokens."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Final

import pytest

from safelight.conversation.prompt import SYSTEM
from safelight.engines.llama_library import llama
from safelight.engines.llama_vocabulary import Vocabulary
from safelight.models.chat_model import ToolOffer
from safelight.models.local_prompt import system_text
from safelight.wire.tool_table import TOOLS
from tests.engines.gguf import small_gguf
from tests.models.offers import OFFERS
from tests.requirement import requirement

IN_A_CHAT: Final = tuple(offer for offer in OFFERS if not TOOLS[offer.name].developer)


@pytest.fixture(scope="module")
def vocabulary() -> Generator[Vocabulary]:
    """SmolLM2's, without its weights."""
    settings = llama.llama_model_default_params()
    settings.vocab_only = True
    model = llama.llama_model_load_from_file(str(small_gguf()).encode(), settings)
    yield Vocabulary(model)
    llama.llama_model_free(model)


@requirement("context.compact-results")
def test_the_prompt_with_all_tools_is_under_three_thousand_tokens(vocabulary: Vocabulary) -> None:
    text = system_text(SYSTEM, IN_A_CHAT)
    assert len(IN_A_CHAT) == 31
    lines = text.split("\n")
    for tool in IN_A_CHAT:
        assert f"{tool.name}: {tool.description}" in lines
    assert 1_800 < len(vocabulary.tokenize(text, control=False)) < 3_000


@requirement("context.compact-results")
def test_an_argument_that_tools_share_is_described_once() -> None:
    text = system_text(SYSTEM, IN_A_CHAT)
    for name in ("set", "photo_ids", "limit", "offset", "collection", "rating_min"):
        described = [line for line in text.split("\n") if line.startswith((f"- {name} (", f"- {name}:"))]
        assert len(described) == 1
        assert text.index(described[0]) > text.index("Arguments that several tools take:")


@pytest.mark.parametrize(
    ("schema", "line"),
    [
        ({"type": "integer", "minimum": 0, "maximum": 5}, "- x (0-5)"),
        ({"type": "number", "minimum": -90, "maximum": 90}, "- x (-90 to 90)"),
        ({"type": "string", "enum": ["pick", "none"]}, "- x (pick|none)"),
        ({"type": "array", "items": {"type": "string", "enum": ["a", "b"]}}, "- x (list of a|b)"),
        ({"type": "array", "items": {"type": "string"}, "description": "ids"}, "- x (list): ids"),
        ({"type": "object", "properties": {"exposure": {}, "tint": {}}}, "- x (exposure, tint)"),
        ({"type": "boolean", "description": "whether"}, "- x: whether"),
        ({"type": "string"}, "- x"),
    ],
)
def test_an_argument_says_what_it_takes(schema: dict[str, Any], line: str) -> None:
    tool = ToolOffer(name="t", title="", description="Do.", input_schema={"properties": {"x": schema}})
    assert line in system_text("", [tool]).split("\n")
