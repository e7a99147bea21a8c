"""Worked calls and replies for small models, which learn from them how an answer looks.

None of them may share a subject, a name or a year with a task of the evaluation (``safelight.evaluation``).
"""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias

import msgspec

__all__ = ("FALLBACK", "PATTERNS", "Example", "Pattern", "Question")


Question: TypeAlias = Literal["stars", "fewest_stars", "color", "flag"]


class Example(msgspec.Struct, frozen=True, kw_only=True):
    """A message, and the arguments of the call that answers it, or ``reply``."""

    message: str
    arguments: dict[str, Any] = {}
    reply: str = ""


class Pattern(msgspec.Struct, frozen=True, kw_only=True):
    """One way to answer: a tool with certain arguments, or a reply where ``tool`` is None.

    ``analysis`` is written before the call or reply. ``examples`` stand as turns before the person's message.
    ``copied`` are the arguments whose texts are words of the message, ``valued`` those that a question of ``values``
    answers, and ``constant`` those that are always the same. ``replies`` say what came of it in the languages of
    ``values``; ``{name}`` stands for a field of the result. ``otherwise`` is said where the call cannot be made at all.
    """

    tool: str | None
    analysis: str
    examples: tuple[Example, ...]
    copied: frozenset[str] = frozenset()
    valued: dict[str, Question] = {}
    constant: dict[str, Any] = {}
    replies: tuple[str, ...] = ()
    otherwise: tuple[str, ...] = ()

    @property
    def arguments(self) -> frozenset[str]:
        """The arguments that every example of the pattern gives."""
        return frozenset(self.examples[0].arguments) if self.examples else frozenset()


FALLBACK: Final = ("Lightroom did not do that.", "Lightroom hat das nicht getan.")
"""What can be said of a call that failed."""

_FOUND: Final = ("Photos found: {count}.", "Gefundene Fotos: {count}.")
_CHANGED: Final = ("Photos changed: {applied}.", "Geänderte Fotos: {applied}.")
_ABILITIES: Final = "I can find photos, show them, rate, flag, label, title and keyword them, and make collections."
_ABILITIES_DE: Final = "Ich kann Fotos finden, zeigen, bewerten, markieren, betiteln und sammeln."
_DATES: Final = ("captured_from", "captured_to")
_EXACTLY: Final[dict[str, Question]] = {"rating_min": "stars", "rating_max": "stars"}
_AT_LEAST: Final[dict[str, Question]] = {"rating_min": "fewest_stars"}


def _ask(message: str, **arguments: object) -> Example:
    return Example(message=message, arguments=arguments)


def _say(message: str, reply: str) -> Example:
    return Example(message=message, reply=reply)


def _search(
    analysis: str,
    *examples: Example,
    copied: tuple[str, ...] = (),
    valued: dict[str, Question] | None = None,
    constant: dict[str, Any] | None = None,
) -> Pattern:
    return Pattern(
        tool="search_photos",
        analysis=analysis,
        examples=examples,
        copied=frozenset(copied),
        valued=valued or {},
        constant=constant or {},
        replies=_FOUND,
    )


def _change(tool: str, analysis: str, *examples: Example, valued: Question | None = None) -> Pattern:
    """The first argument is copied from the message, unless a question gives its value."""
    name = next(iter(examples[0].arguments))
    return Pattern(
        tool=tool,
        analysis=analysis,
        examples=tuple(
            msgspec.structs.replace(example, arguments={**example.arguments, "set": "selection"})
            for example in examples
        ),
        copied=frozenset() if valued else frozenset({name}),
        valued={name: valued} if valued else {},
        replies=_CHANGED,
    )


def _reply(analysis: str, *examples: Example) -> Pattern:
    return Pattern(tool=None, analysis=analysis, examples=examples)


PATTERNS: Final[dict[str, Pattern]] = {
    # --- searches --------------------------------------------------------------------------------------------------
    "text": _search(
        "They look for photos of something.",
        _ask("Find the kites and label them yellow", text="kites"),
        _ask("Gib allen Bildern mit Klavier zwei Sterne", text="Klavier"),
        _ask("Zeig mir die Fotos von Otto", text="Otto"),
        _ask("Reject all the horse pictures", text="horse"),
        _ask("Make a collection Wind from all kites", text="kites"),
        _ask("Show me photos of the lighthouse", text="lighthouse"),
        _ask("Put the pictures of tractors into a new collection called Farm", text="tractors"),
        copied=("text",),
    ),
    "rating": _search(
        "They look for photos by their stars.",
        _ask("Zeig mir Bilder mit zwei Sternen", rating_min=2, rating_max=2),
        valued=_EXACTLY,
    ),
    "rating_from": _search(
        "They look for photos with at least some stars.",
        _ask("Zeig mir Bilder mit mindestens zwei Sternen", rating_min=2, rating_max=5),
        valued=_AT_LEAST,
        constant={"rating_max": 5},
    ),
    "flag": _search(
        "They look for photos by their flag.", _ask("Where are my rejects?", flag="reject"), valued={"flag": "flag"}
    ),
    "label": _search(
        "They look for photos by their color label.",
        _ask("Find the photos with a yellow label", label="yellow"),
        valued={"label": "color"},
    ),
    "year": _search(
        "They look for all photos of a year.",
        _ask("What did I photograph in 2016?", captured_from="2016", captured_to="2016"),
        _ask("Alle Bilder aus 2009", captured_from="2009", captured_to="2009"),
        _ask("Label everything from 2011 yellow", captured_from="2011", captured_to="2011"),
        copied=_DATES,
    ),
    "month": _search(
        "They look for all photos of a month.",
        _ask("What did I photograph in March 2016?", captured_from="2016-03", captured_to="2016-03"),
        _ask("Alle Bilder vom Dezember 2009", captured_from="2009-12", captured_to="2009-12"),
        _ask("Pictures taken in October 2011", captured_from="2011-10", captured_to="2011-10"),
        _ask("Fotos aus dem Mai 2009", captured_from="2009-05", captured_to="2009-05"),
        copied=_DATES,
    ),
    "text_year": _search(
        "They look for photos of something in a year.",
        _ask("Find lighthouses from 2016", text="lighthouses", captured_from="2016", captured_to="2016"),
        _ask("Zeig mir Klaviere aus 2009", text="Klaviere", captured_from="2009", captured_to="2009"),
        _ask("Label the 2011 photos of kites yellow", text="kites", captured_from="2011", captured_to="2011"),
        copied=("text", *_DATES),
    ),
    "text_rating": _search(
        "They look for photos of something with stars.",
        _ask("Klaviere mit zwei Sternen", text="Klaviere", rating_min=2, rating_max=2),
        _ask("Find the one star tractor pictures", text="tractor", rating_min=1, rating_max=1),
        copied=("text",),
        valued=_EXACTLY,
    ),
    "text_rating_from": _search(
        "They look for photos of something with at least some stars.",
        _ask("Klaviere mit mindestens zwei Sternen", text="Klaviere", rating_min=2, rating_max=5),
        _ask("Show me photos of Lisbon with 4 stars or more", text="Lisbon", rating_min=4, rating_max=5),
        copied=("text",),
        valued=_AT_LEAST,
        constant={"rating_max": 5},
    ),
    "text_flag": _search(
        "They look for photos of something by their flag.",
        _ask("Zeig mir alle abgelehnten Klaviere", text="Klaviere", flag="reject"),
        _ask("Show me the tractor pictures that I picked", text="tractor", flag="pick"),
        copied=("text",),
        valued={"flag": "flag"},
    ),
    "text_label": _search(
        "They look for photos of something by their color label.",
        _ask("Zeig mir alle Klaviere mit gelbem Etikett", text="Klaviere", label="yellow"),
        _ask("Show me the tractor pictures with a yellow label", text="tractor", label="yellow"),
        copied=("text",),
        valued={"label": "color"},
    ),
    "year_rating": _search(
        "They look for photos of a year by their stars.",
        _ask("Bilder aus 2009 mit zwei Sternen", rating_min=2, rating_max=2, captured_from="2009", captured_to="2009"),
        _ask("The two star ones of 2016", rating_min=2, rating_max=2, captured_from="2016", captured_to="2016"),
        copied=_DATES,
        valued=_EXACTLY,
    ),
    "year_flag": _search(
        "They look for photos of a year by their flag.",
        _ask("Abgelehnte Bilder aus 2009", flag="reject", captured_from="2009", captured_to="2009"),
        _ask("My picks of 2016", flag="pick", captured_from="2016", captured_to="2016"),
        copied=_DATES,
        valued={"flag": "flag"},
    ),
    "year_label": _search(
        "They look for photos of a year by their color label.",
        _ask("Bilder aus 2009 mit gelbem Etikett", label="yellow", captured_from="2009", captured_to="2009"),
        _ask("The yellow ones of 2016", label="yellow", captured_from="2016", captured_to="2016"),
        copied=_DATES,
        valued={"label": "color"},
    ),
    "camera": _search(
        "They look for photos of a camera.",
        _ask("Find pictures taken with my Leica", camera="Leica"),
        _ask("Bilder der Olympus", camera="Olympus"),
        _ask("Label the Pentax shots yellow", camera="Pentax"),
        copied=("camera",),
    ),
    # --- looking ---------------------------------------------------------------------------------------------------
    "look": Pattern(
        tool="get_photos",
        analysis="They ask about the selected photos.",
        examples=(_ask("Was ist ausgewählt?", set="selection"),),
        replies=("Photos selected: {count}.", "Ausgewählte Fotos: {count}."),
    ),
    "show": Pattern(
        tool="show_photos",
        analysis="They want to see the photos in Lightroom.",
        examples=(_ask("Open these in the grid", set="view"),),
        replies=("Photos shown: {shown}.", "Gezeigte Fotos: {shown}."),
    ),
    "status": Pattern(
        tool="get_status",
        analysis="They ask about Lightroom or the catalog.",
        examples=(_ask("Läuft das Programm?"),),
        replies=(
            "Lightroom is connected. The catalog {catalog} has {photo_count} photos, {selected_count} are selected.",
            "Lightroom ist verbunden. Der Katalog {catalog} hat {photo_count} Fotos, ausgewählt: {selected_count}.",
        ),
    ),
    # --- collections -----------------------------------------------------------------------------------------------
    "create": Pattern(
        tool="create_collection",
        analysis="They want a new collection.",
        examples=(
            _ask("Put the piano pictures into a new collection called Old Keys", collection="Old Keys"),
            _ask("Erstelle eine Sammlung namens Orgel mit allen Klavieren", collection="Orgel"),
            _ask("I need a collection for Lisbon", collection="Lisbon"),
            _ask("Make a collection Steam Engines from the tractors", collection="Steam Engines"),
            _ask("Create a new collection named My Old Cars", collection="My Old Cars"),
        ),
        copied=frozenset({"collection"}),
        replies=("I created the collection {name}.", "Ich habe die Sammlung {name} angelegt."),
    ),
    "add": _change(
        "add_to_collection",
        "They want the photos in a collection.",
        _ask("Put the piano pictures into a new collection called Old Keys", collection="Old Keys"),
        _ask("Füge diese der Sammlung Orgel hinzu", collection="Orgel"),
        _ask("Find the tractors and make a collection Steam Engines of them", collection="Steam Engines"),
        _ask("Add these to my collection My Old Cars", collection="My Old Cars"),
    ),
    # --- changes ---------------------------------------------------------------------------------------------------
    "rate": _change(
        "set_rating", "They want to change the stars.", _ask("Give the tractors two stars", rating=2), valued="stars"
    ),
    "flag_as": _change(
        "set_flag",
        "They want to change the flag.",
        _ask("Find the kites and reject them", flag="reject"),
        valued="flag",
    ),
    "label_as": _change(
        "set_label", "They want to change the color label.", _ask("Label these yellow", label="yellow"), valued="color"
    ),
    "title": _change(
        "set_metadata",
        "They want to set the title.",
        _ask("Set the title to Old Piano", title="Old Piano"),
        _ask("Gib diesen den Titel Alte Orgel", title="Alte Orgel"),
        _ask("Title the tractors Foggy Pier at Noon", title="Foggy Pier at Noon"),
    ),
    "caption": _change(
        "set_metadata",
        "They want to set the caption.",
        _ask("Caption these with A week in Lisbon", caption="A week in Lisbon"),
        _ask("Schreibe als Beschreibung: Am alten Leuchtturm", caption="Am alten Leuchtturm"),
        _ask("Set the caption to our tractor at work", caption="our tractor at work"),
    ),
    "keyword": _change(
        "edit_keywords",
        "They want to add a keyword.",
        _ask("Find the kites and give them the keyword breezy", add=["breezy"]),
        _ask("Gib diesen das Stichwort Orgel", add=["Orgel"]),
        _ask("Tag the tractors with old farming", add=["old farming"]),
        _ask("Add the keyword music to all photos from 2011", add=["music"]),
    ),
    "unkeyword": _change(
        "edit_keywords",
        "They want to remove a keyword.",
        _ask("Remove the keyword farming from these", remove=["farming"]),
        _ask("Entferne das Stichwort Orgel", remove=["Orgel"]),
        _ask("Take the tag music off the pianos", remove=["music"]),
    ),
    "undo": Pattern(
        tool="undo_change",
        analysis="They want the last change taken back.",
        examples=(_ask("Mach das rückgängig", change_id="chg_2"),),
        replies=("The change is taken back.", "Die Änderung ist rückgängig gemacht."),
        otherwise=("There is nothing to take back.", "Es gibt nichts, das rückgängig zu machen wäre."),
    ),
    # --- replies ---------------------------------------------------------------------------------------------------
    "greet": _reply(
        "They greet me.",
        _say("Hallo, wie geht's?", "Hallo! Welche Fotos soll ich suchen?"),
        _say("Good morning!", "Hello! Which photos shall I look for?"),
    ),
    "thanks": _reply(
        "They thank me.",
        _say("Danke für alles", "Gern geschehen."),
        _say("Perfect, that was it", "You are welcome."),
    ),
    "able": _reply(
        "They ask what I can do.",
        _say("Was kannst du alles?", _ABILITIES_DE),
        _say("What are you able to do?", _ABILITIES),
    ),
    "other": _reply(
        "This is nothing that I can do.",
        _say("Wer hat das Spiel gewonnen?", "Das weiß ich nicht. Ich helfe bei den Fotos in Lightroom."),
        _say("What will the weather be tomorrow?", "I cannot help with that. I work with the photos in Lightroom."),
    ),
}
