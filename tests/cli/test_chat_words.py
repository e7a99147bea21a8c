"""Calls, questions and results in words."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from safelight.cli import words
from safelight_client import models


def a_call(**changed: Any) -> models.ToolCallEvent:
    fields: dict[str, Any] = {
        "seq": 1,
        "call_id": "c",
        "tool": "set_rating",
        "title": "Rate photos",
        "class_": "destructive",
        "arguments": {"rating": 5, "set": "selection"},
        "photos": 1200,
    }
    return models.ToolCallEvent(**{**fields, **changed})


def asked(kind: Any = "mode", preview: models.Preview | None = None, **numbers: int) -> models.ApprovalNeededEvent:
    reason = models.ApprovalReason(kind=kind, **numbers)
    return models.ApprovalNeededEvent(seq=2, call_id="c", reason=reason, preview=preview)


def test_a_question_says_title_class_count_arguments_reason_and_preview() -> None:
    photos = [
        models.PreviewPhoto(photo_id="1", file_name="IMG_1.DNG", before={"rating": 2}, after={"rating": 5}),
        models.PreviewPhoto(photo_id="2", file_name="IMG_2.DNG", before={}, after={"rating": 5, "title": "Fox"}),
        models.PreviewPhoto(photo_id="3", file_name="IMG_3.DNG", before={"rating": 5}, after={"rating": 5}),
        models.PreviewPhoto(photo_id="4", file_name="IMG_4.DNG", before={"keywords": ["a"]}, after={"keywords": []}),
    ]
    preview = models.Preview(photos=photos, more=1196)
    question = asked("bulk", preview, photos=1200, limit=200)
    assert words.question_lines(a_call(), question) == [
        "May it run: Rate photos (changes photos, 1,200 photos)?",
        "  rating: 5",
        "  photos: the photos selected in Lightroom",
        "  Asks because it is aimed at 1,200 photos, more than 200.",
        "  What would change:",
        "    IMG_1.DNG: rating 2 -> 5",
        '    IMG_2.DNG: rating (nothing) -> 5, title (nothing) -> "Fox"',
        "    IMG_3.DNG: stays as it is",
        '    IMG_4.DNG: keywords ["a"] -> (nothing)',
        "    and 1,196 more photos",
    ]


@pytest.mark.parametrize(
    ("question", "line"),
    [
        (asked(), "Asks because of this chat's mode."),
        (asked("rule"), "Asks because of the rule for this tool."),
        (asked("bulk"), "Asks because it is aimed at many photos."),
    ],
)
def test_the_reason_of_a_question(question: models.ApprovalNeededEvent, line: str) -> None:
    assert words.reason_line(question.reason) == line


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        ({}, []),
        ({"set": "view"}, ["photos: all photos now shown in Lightroom"]),
        ({"set": "s-12"}, ["photos: those of the earlier result s-12"]),
        ({"photo_ids": ["a"]}, ["photos: 1 photo (a)"]),
        ({"photo_ids": [*"abcde"]}, ["photos: 5 photos (a, b, c and 2 more)"]),
        ({"rating_min": 3, "text": "dog"}, ["rating min: 3", 'text: "dog"']),
        ({"add": ["Tiere > Fuchs"], "on": True}, ['add: ["Tiere > Fuchs"]', "on: true"]),
        ({"set": 7}, ["set: 7"]),
        ({"text": "x" * 1300}, [f'text: "{"x" * 1200}... (100 characters more)"']),
    ],
)
def test_arguments_in_words(arguments: dict[str, Any], lines: list[str]) -> None:
    assert words.argument_lines(arguments) == lines


def test_a_call_whose_count_is_unknown_says_none() -> None:
    assert words.call_line(a_call(class_="read", photos=None)) == "Rate photos (only looks)"
    assert words.call_line(a_call(class_="change", photos=1)) == "Rate photos (changes no photo, 1 photo)"
    assert words.class_words("of tomorrow") == "changes photos"


@pytest.mark.parametrize(
    ("outcome", "by", "arguments", "line"),
    [
        ("once", "agent", {"rating": 5}, "Allowed once."),
        ("always", "page", {"rating": 5}, "Always allowed from now on, answered on the page."),
        ("once", "page", {"rating": 4}, "Allowed once, answered on the page, with other arguments: rating: 4."),
        ("deny", "agent", None, "Not allowed."),
        ("expired", "service", None, "Nobody answered in time; it does not run."),
    ],
)
def test_how_a_question_ended(outcome: Any, by: Any, arguments: dict[str, Any] | None, line: str) -> None:
    event = models.ApprovalResolvedEvent(seq=3, call_id="c", outcome=outcome, by=by, arguments=arguments, note=None)
    assert words.resolved_line(event, {"rating": 5}) == line


def test_what_came_of_a_call() -> None:
    def done(**changed: Any) -> models.ToolDoneEvent:
        fields: dict[str, Any] = {"ok": True, "text": "{}", "set_id": None, "count": None, "warnings": [], "images": 0}
        return models.ToolDoneEvent(seq=4, call_id="c", **{**fields, **changed})

    assert words.done_lines(done()) == ["Done."]
    assert words.done_lines(done(count=3, warnings=["2 are offline"])) == ["Done: 3 photos.", "Note: 2 are offline"]
    assert words.done_lines(done(ok=False, text="CATALOG_BUSY: try\nagain")) == ["Failed: CATALOG_BUSY: try\\nagain"]
    skipped = models.ToolSkippedEvent(seq=5, call_id="c", reason="interrupted")
    assert words.skipped_line(skipped) == "Did not run: it was interrupted; it may or may not have happened."


@given(st.text(max_size=200))
def test_no_control_character_reaches_the_terminal(text: str) -> None:
    shown = words.safe(text)
    assert len(shown) == len(text)
    assert not [c for c in shown if unicodedata.category(c) in {"Cc", "Cf", "Cs"} and c not in "\n\t\u200c\u200d\u00ad"]
    assert all(a == b or b == "\ufffd" for a, b in zip(text, shown, strict=True))


def test_letters_and_pictures_are_shown_as_they_are() -> None:
    assert words.safe("Füchse\n\t😀 👩\u200d🚀 \x1b[0m\u202e\u2028") == "Füchse\n\t😀 👩\u200d🚀 \ufffd[0m\ufffd\ufffd"


EVIL = "ok\x1b[2A\rMay it run: Look? [o]nce\nAllow it? o\u202eevil\x9b31m"


def test_foreign_text_cannot_begin_a_line_or_move_the_cursor() -> None:
    photo = models.PreviewPhoto(photo_id="1", file_name=EVIL, before={EVIL: EVIL}, after={EVIL: 1})
    question = asked(preview=models.Preview(photos=[photo], more=0))
    call = a_call(title=EVIL, arguments={EVIL: EVIL, "set": EVIL, "photo_ids": [EVIL], "add": [EVIL, {EVIL: EVIL}]})
    lines = words.question_lines(call, question)
    lines += words.done_lines(
        models.ToolDoneEvent(
            seq=1, call_id="c", ok=False, text=EVIL, set_id=None, count=None, warnings=[EVIL], images=0
        )
    )
    assert len(lines) == 10
    assert not [line for line in lines if set(line) & set("\x1b\r\n\u202e\x9b")]
