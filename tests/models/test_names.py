"""Names of tools and arguments as services take them, and back."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from safelight.models.schemas.names import Names, argument_names, tool_names
from tests.requirement import requirement

NAMES = st.lists(
    st.text(st.characters(exclude_categories=()), max_size=70)
    | st.text("a_.-b/ ", max_size=5)
    | st.sampled_from(
        ["calendar.create", "calendar/create", "calendar_create", "x" * 64, "x" * 65, "", "größe", "名前"]
    )
)
LEGAL = {"tool_names": re.compile(r"[a-zA-Z0-9_-]{1,64}"), "argument_names": re.compile(r"[a-zA-Z0-9_.-]{1,64}")}


@requirement("cloud.portable-schema")
@pytest.mark.parametrize("made_by", [tool_names, argument_names])
@given(names=NAMES)
def test_every_name_gets_a_legal_one_of_its_own_and_comes_back(
    made_by: Callable[[list[str]], Names], names: list[str]
) -> None:
    """openai/codex#8174, appstore-connect-mcp#1: one illegal name failed every request."""
    legal = LEGAL[made_by.__name__]
    made = made_by(names)
    assert list(made.sent) == list(dict.fromkeys(names))
    assert all(legal.fullmatch(sent) for sent in made.own)
    assert {made.own[made.sent[name]] for name in names} == set(names)
    assert len(made.own) == len(made.sent)
    assert all(made.sent[name] == name for name in names if legal.fullmatch(name))
    assert made_by(list(made.own)).sent == {sent: sent for sent in made.own}


@given(NAMES)
def test_names_do_not_depend_on_the_order_of_the_list(names: list[str]) -> None:
    assert tool_names(names).sent == tool_names(names[::-1]).sent


def test_a_name_that_is_made_stays_away_from_a_legal_one_that_looks_like_it() -> None:
    alone = tool_names(["calendar.create"]).sent["calendar.create"]
    assert alone.startswith("calendar_create_")
    both = tool_names(["calendar.create", alone]).sent
    assert both[alone] == alone != both["calendar.create"]


def test_a_made_name_says_what_it_stood_for_and_begins_as_gemini_wants() -> None:
    made = list(argument_names(["filter[id]", "$top", "3d/x", "名前"]).own)
    assert [name.rpartition("_")[0] for name in made] == ["filter_id", "top", "_3d_x", ""]
    assert all(re.match(r"[A-Za-z_]", name) for name in made)


@requirement("cloud.portable-schema")
def test_a_schema_is_sent_under_the_made_names_and_a_call_comes_back_under_its_own() -> None:
    schema = {"type": "object", "properties": {"$top": {"type": "integer"}, "q": {}}, "required": ["$top"]}
    names = argument_names(schema["properties"])
    top = names.sent["$top"]
    assert names.sent_schema(schema) == {
        "type": "object",
        "properties": {top: {"type": "integer"}, "q": {}},
        "required": [top],
    }
    assert names.own_arguments({top: 3, "q": "a"}) == {"$top": 3, "q": "a"}
    assert names.own_arguments({top: 3, "$top": 4, "zz": 1}) == {"$top": 3, "zz": 1}
    assert names.sent_schema({"type": "object"}) == {"type": "object"}
