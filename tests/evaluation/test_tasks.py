"""Tasks are read strictly: a slip of the pen must not weaken one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from safelight.errors import StartRefused
from safelight.evaluation.judge import broken
from safelight.evaluation.tasks import TaskSet, halves, read
from safelight.models.filters import FILTERS
from safelight.models.local_examples import PATTERNS
from safelight.models.values import VALUES
from safelight.models.ways import ACTS, TARGETS
from tests.evaluation.tasks import START, task, written

GOOD: dict[str, Any] = {"id": "t1", "language": "en", "steps": 1, "requests": ["Hi"], "expect": {"no_call": True}}

# Of closed lists (stars, flags, colors), of what Lightroom calls its things, and of grammar: no task's own subject.
COMMON = frozenset(
    """2 3 4 a abgelehnt about add al album albums all alle allen alles als am an and any anything are as at auf aus
    ausgewählt ausgewählte ausgewählten auswahl back be better bewerte bild bilder bildern bitte black blau blaue
    blauen blaues blue by call called camera can caption catalog change changed choose collection collections
    color colour could create das dem den der des dich did die diese diesen dieses do drei ein eine einem einen
    einer eines empty entferne erstelle es etikett every everything farbe favorit favoriten fehlt find finde five
    flag flagge flagged for foto fotos four from fuer füge fünf für gelb gelbe gelbem gelben gelbes get gib give
    gray green grid group grün grüne grünen grünes had hallo has hat have hello help hey hi hinzu how i i'd ich
    ihnen im image images in ins into is isn ist it it's its jetzt just kann kannst katalog keine keyword keywords
    kind label labeled labelled labels last least leg letzte library liegt lightroom like list look lösche mach
    machen make mal many mark marked markiere markierten markierung me meine meinen mich mir mit more my name
    named namens new newest no not now of off oh on one ones open or out photo photograph photographed photos pick
    picked picks picture pictures please purple put question rate rated rating red reject rejected rejects remove
    reverse right rot rote rotem roten rotes rückgängig sammlung sammlungen schreibe search see select selected
    selection set setze shot shots show sie sind some star stars stern sterne sternen stichwort such suche tag
    take taken tell thank thanks that the their them there these they this those three titel title to too two um
    und undo unrated unser up us use used vier vom von want war was we welche welchen welcher well were were's
    what what's when where which who wie will with without wort would year yellow you your zeig zeige zu zum
    zwei""".split()  # noqa: SIM905 - a list of this length reads worse
)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"expect": {"fuond": {"all": True}}}, "fuond"),
        ({"expect": {"found": {"stars": 5}}}, "stars"),
        ({"expect": {"found": {"rating_min": 6}}}, "<= 5"),
        ({"expect": {"changed": [{"photos": {"all": True}, "set": {"label": "pink"}}]}}, "pink"),
        ({"requests": []}, "length"),
        ({"requests": ["a", "b", "c"]}, "length"),
        ({"language": "fr"}, "fr"),
        ({"note": "x"}, "note"),
    ],
)
def test_a_task_with_anything_unknown_is_refused_in_words(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    with pytest.raises(StartRefused, match=re.escape(said)):
        read(written(tmp_path, GOOD | change))


def test_a_task_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StartRefused, match="t1 is there more than once"):
        read(written(tmp_path, GOOD, GOOD))


def test_a_file_that_is_none_is_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(StartRefused, match="cannot be read"):
        read(tmp_path / "none.json")
    (tmp_path / "half.json").write_text('{"title": "x"', encoding="utf-8")
    with pytest.raises(StartRefused, match="cannot be used"):
        read(tmp_path / "half.json")


def test_both_halves_have_twenty_tasks_of_one_mix_that_the_catalog_can_answer() -> None:
    seen, unseen = halves()
    assert (seen.seen, unseen.seen) == (True, False)
    for half in (seen, unseen):
        counted = (len(half.tasks), sum(t.language == "de" for t in half.tasks), sum(t.steps == 2 for t in half.tasks))
        assert counted == (20, 5, 7)
        assert sum(broken(one, START) is not None for one in half.tasks) == 0
    assert not {one.id for one in seen.tasks} & {one.id for one in unseen.tasks}


def test_a_selector_that_means_no_photo_breaks_its_task(tmp_path: Path) -> None:
    assert broken(task(tmp_path, {"found": {"keyword": "zebra"}}), START) == 't1: no photo fits {"keyword":"zebra"}'


def test_no_worked_example_shares_a_subject_a_name_or_a_year_with_a_task() -> None:
    """What is told of a clash is the example's word: the tasks of the unseen half stay unseen."""
    used = set[str]()
    for half in halves():
        used |= words_of(half)
    ours = {word for text in example_texts() for word in words(text)}
    assert sorted((ours & used) - COMMON) == []


def words_of(half: TaskSet) -> set[str]:
    return {word for one in half.tasks for request in one.requests for word in words(request)}


def words(text: str) -> set[str]:
    return {stem(word) for word in re.findall(r"[^\W_]+", text.casefold())}


def stem(word: str) -> str:
    return word.removesuffix("s") if word.removesuffix("s") not in COMMON and word not in COMMON else word


def example_texts() -> set[str]:
    texts = {example.message for pattern in PATTERNS.values() for example in pattern.examples}
    ways = (*ACTS, *TARGETS, *FILTERS, *(way for ways in VALUES.values() for way in ways))
    return texts | {message for way in ways for message in way.said}
