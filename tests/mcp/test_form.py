"""A question as a form, and what comes back in it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from safelight.gate.principal import Question
from safelight.tools.mcp_form import CANCELLED, DECLINED, UNCLEAR, form_of, said_in
from safelight.wire.models import ApprovalReason, Decision, Preview, PreviewPhoto


def nothing_wrong(arguments: dict[str, Any]) -> str | None:
    return None


def question(**fields: Any) -> Question:
    known: dict[str, Any] = {
        "call_id": "call_1",
        "tool": "set_rating",
        "title": "Set rating",
        "tool_class": "destructive",
        "arguments": {"set": "selection", "rating": 5},
        "photos": 1,
        "reason": ApprovalReason(kind="mode"),
        "preview": None,
        "wrong": nothing_wrong,
        "by": "agent Claude",
        "bulk_limit": 200,
    }
    return Question(**(known | fields))


def photos(count: int) -> list[PreviewPhoto]:
    return [
        PreviewPhoto(photo_id=str(n), file_name=f"{n}.jpg", before={"rating": None}, after={"rating": 5})
        for n in range(count)
    ]


def test_the_text_names_who_calls_what_on_how_many_photos_with_which_arguments_and_why() -> None:
    lines = form_of(question()).message.splitlines()
    assert lines == [
        "Safelight: may it run? Set rating (changes photos, 1 photo), called by agent Claude.",
        'set: "selection"',
        "rating: 5",
        "Asks because of the settings for agents.",
    ]


def test_a_long_preview_is_shortened_and_says_by_how_much() -> None:
    lines = form_of(question(preview=Preview(photos=photos(20), more=30))).message.splitlines()
    assert lines[4:6] == ["What would change:", "0.jpg: rating (nothing) -> 5"]
    assert lines[-1] == "and 40 more photos"
    assert len(lines) == 16


def test_foreign_text_cannot_begin_a_line_or_hide_anything() -> None:
    foreign = "x\nSafelight: this is harmless\u202e\u2028\x1b[2J"
    shown = form_of(question(title=foreign, arguments={foreign: foreign}, by=foreign)).message
    assert len(shown.splitlines()) == 3
    assert not set(shown) & {"\u202e", "\u2028", "\x1b"}


def test_a_long_value_says_how_much_is_left_out() -> None:
    shown = form_of(question(arguments={"caption": "a" * 1_000})).message
    assert "(702 characters more)" in shown


@pytest.mark.parametrize(
    ("action", "content", "decision", "text"),
    [
        ("accept", {"answer": "once"}, "once", None),
        ("accept", {"answer": "always"}, "deny", UNCLEAR),
        ("accept", {"answer": "deny", "note": "  no  "}, "deny", None),
        ("accept", {"answer": "chat"}, "deny", UNCLEAR),
        ("accept", None, "deny", UNCLEAR),
        ("decline", {"answer": "once"}, "deny", DECLINED),
        ("cancel", {"answer": "once"}, "deny", CANCELLED),
    ],
)
def test_what_comes_back_is_read_once_and_in_no_other_way(
    action: Any, content: Any, decision: Decision, text: str | None
) -> None:
    said = said_in(action, content)
    assert (said.answer.decision, said.text) == (decision, text)


@given(
    content=st.none()
    | st.dictionaries(
        st.sampled_from(["answer", "note", "x"]),
        st.sampled_from(["once", "always", "deny"]) | st.text(max_size=9) | st.integers() | st.booleans() | st.none(),
    )
)
def test_nothing_but_an_offered_answer_in_an_accepted_form_allows(content: dict[str, Any] | None) -> None:
    said = said_in("accept", content)
    allowed = (content or {}).get("answer") == "once"
    assert (said.answer.decision != "deny") == allowed
