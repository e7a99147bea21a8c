"""Worked exchanges for small models, which learn from them how an answer looks.

Each pattern is one way to answer: a tool with certain arguments, or a reply. Its messages are what people say who mean
it.
"""

from __future__ import annotations

import json
from typing import Any, Final

import msgspec

__all__ = ("PATTERNS", "Example", "Pattern")


class Example(msgspec.Struct, frozen=True, kw_only=True):
    """A message and what follows. A call has ``arguments``, ``result`` and ``closing``, the analysis of the result;
    ``reply`` comes last, or at once where nothing is called."""

    message: str
    analysis: str
    reply: str
    arguments: dict[str, Any] = {}
    result: str = ""
    closing: str = ""


class Pattern(msgspec.Struct, frozen=True, kw_only=True):
    """``tool`` None is the reply. ``meaning`` says in words what its messages ask for. The last examples are shown as
    turns before the person's message; all of them are compared with it."""

    tool: str | None
    meaning: str
    examples: tuple[Example, ...]

    @property
    def arguments(self) -> frozenset[str]:
        """The arguments that every example of the pattern gives."""
        return frozenset(self.examples[0].arguments) if self.examples else frozenset()


_ABILITIES: Final = "I can find photos, show them, rate them, title them and put them into collections."


def _say(message: str, analysis: str, reply: str) -> Example:
    return Example(message=message, analysis=analysis, reply=reply)


def _search(message: str, looks_for: str, count: int, **arguments: object) -> Example:
    return Example(
        message=message,
        analysis=f"They look for {looks_for}.",
        arguments=arguments,
        result=f'{{"set_id":"set_{count * 7}","count":{count},"photos":[{{"photo_id":"D{count * 31}",',
        closing="Photos were found.",
        reply=f"Photos found: {count}.",
    )


def _status(message: str, about: str, catalog: str, photos: int, selected: int) -> Example:
    state = {"connected": True, "catalog": catalog, "photo_count": photos, "selected_count": selected}
    return Example(
        message=message,
        analysis=f"They ask about {about}.",
        result=json.dumps(state, separators=(",", ":")),
        closing="Lightroom is connected.",
        reply=f"Lightroom is connected. The catalog {catalog} has {photos} photos, and {selected} are selected.",
    )


def _look(message: str, count: int) -> Example:
    return Example(
        message=message,
        analysis="They ask about the selected photos.",
        arguments={"set": "selection"},
        result=f'{{"set_id":"set_{count * 7}","count":{count},"photos":[{{"photo_id":"D{count * 31}",',
        closing="The photos are listed.",
        reply=f"Photos selected: {count}.",
    )


def _show(message: str, count: int) -> Example:
    return Example(
        message=message,
        analysis="They want to see the photos in Lightroom.",
        arguments={"set": "view"},
        result=f'{{"shown":{count}}}',
        closing="The photos are shown.",
        reply=f"Photos shown: {count}.",
    )


def _collect(message: str, name: str) -> Example:
    return Example(
        message=message,
        analysis=f"They want a collection named {name}.",
        arguments={"collection": name},
        result=f'{{"collection_id":"c5","name":"{name}","kind":"collection"}}',
        closing="The collection is there.",
        reply=f"I created the collection {name}.",
    )


def _change(message: str, wish: str, reply: str, **arguments: object) -> Example:
    return Example(
        message=message,
        analysis=f"They want {wish}.",
        arguments={**arguments, "set": "selection"},
        result='{"applied":["D11","D12"],"failed":[],"not_attempted":[]}',
        closing="The change is made.",
        reply=reply,
    )


PATTERNS: Final = (
    Pattern(
        tool="get_status",
        meaning="asking about Lightroom itself, the open catalog, or how many photos are selected",
        examples=(
            _status("Are you linked to my library?", "the connection", "Weddings", 1840, 4),
            _status("Is the program running?", "Lightroom", "Archive", 512, 2),
            _status("Which catalog is open?", "the catalog", "Harbour", 96, 7),
            _status("How many pictures do I have in total?", "the catalog", "Lisbon", 733, 1),
        ),
    ),
    Pattern(
        tool="search_photos",
        meaning="looking for photos of a thing, an animal, a person, an event or a place",
        examples=(
            _search("Suche Bilder mit einem Leuchtturm", "a Leuchtturm", 9, text="Leuchtturm"),
            _search("show me weddings", "weddings", 61, text="wedding"),
            _search("Do I have any shots with a piano?", "a piano", 5, text="piano"),
            _search("Show me pictures taken in Lisbon", "Lisbon", 38, text="Lisbon"),
            _search("Show me photos of tractors", "tractors", 12, text="tractor"),
            _search("Find pictures of the lighthouse", "a lighthouse", 27, text="lighthouse"),
        ),
    ),
    Pattern(
        tool="search_photos",
        meaning="looking for photos by their star rating",
        examples=(
            _search("Where are the unrated ones?", "0 stars", 85, rating_min=0, rating_max=0),
            _search("Show my one star photos", "1 star", 14, rating_min=1, rating_max=1),
            _search("Which pictures have three stars?", "3 stars", 29, rating_min=3, rating_max=3),
            _search("Find photos with at least four stars", "4 to 5 stars", 6, rating_min=4, rating_max=5),
            _search("Show me the ones I rated with 2 stars", "2 stars", 47, rating_min=2, rating_max=2),
        ),
    ),
    Pattern(
        tool="search_photos",
        meaning="looking for photos by their flag: picked or rejected",
        examples=(
            _search("Everything without a flag, please", "photos without a flag", 52, flag="none"),
            _search("Which shots did I pick?", "picked photos", 18, flag="pick"),
            _search("Where are my rejects?", "rejected photos", 33, flag="reject"),
            _search("Show me what I flagged as a pick", "picked photos", 8, flag="pick"),
        ),
    ),
    Pattern(
        tool="search_photos",
        meaning="looking for photos by their color label",
        examples=(
            _search("Find the photos with a yellow label", "the yellow label", 16, label="yellow"),
            _search("Which ones are labelled purple?", "the purple label", 3, label="purple"),
            _search("Show me what has a green label", "the green label", 24, label="green"),
        ),
    ),
    Pattern(
        tool="search_photos",
        meaning="looking for all photos of a year or a day",
        examples=(
            _search("What did I photograph in 2016?", "2016", 91, captured_from="2016", captured_to="2016"),
            _search(
                "Find the photos taken between 2008 and 2010",
                "2008 to 2010",
                43,
                captured_from="2008",
                captured_to="2010",
            ),
            _search("Show me all pictures from 2011", "2011", 19, captured_from="2011", captured_to="2011"),
        ),
    ),
    Pattern(
        tool="search_photos",
        meaning="looking for photos of a thing or a place in a certain year",
        examples=(
            _search(
                "Find lighthouses from 2016",
                "lighthouses in 2016",
                7,
                text="lighthouse",
                captured_from="2016",
                captured_to="2016",
            ),
            _search(
                "Show me pictures taken in Lisbon in 2011",
                "Lisbon in 2011",
                26,
                text="Lisbon",
                captured_from="2011",
                captured_to="2011",
            ),
            _search(
                "Show me photos of tractors from 2009",
                "tractors in 2009",
                13,
                text="tractor",
                captured_from="2009",
                captured_to="2009",
            ),
        ),
    ),
    Pattern(
        tool="search_photos",
        meaning="looking for the best photos of a thing or a place, by stars",
        examples=(
            _search("Show me photos of Lisbon with 4 stars", "Lisbon with 4 stars", 15, text="Lisbon", rating_min=4),
            _search("Find the two star piano pictures", "a piano with 2 stars", 4, text="piano", rating_min=2),
            _search(
                "Find tractor pictures with three stars", "a tractor with 3 stars", 11, text="tractor", rating_min=3
            ),
        ),
    ),
    Pattern(
        tool="get_photos",
        meaning="asking about the selected photos or wanting their details",
        examples=(
            _look("Which camera took the current picture?", 1),
            _look("What did I select?", 6),
            _look("List the photos in the selection", 12),
        ),
    ),
    Pattern(
        tool="show_photos",
        meaning="wanting to see the found photos in Lightroom's grid",
        examples=(
            _show("Bring them up in Lightroom", 17),
            _show("Display that result in Lightroom", 40),
            _show("Open these in the grid", 5),
        ),
    ),
    Pattern(
        tool="create_collection",
        meaning="wanting a new collection with a name",
        examples=(
            _collect("I need a collection for Lisbon", "Lisbon"),
            _collect("Create a new collection called Old Cars", "Old Cars"),
            _collect("Make a collection named Harbour", "Harbour"),
        ),
    ),
    Pattern(
        tool="add_to_collection",
        meaning="wanting to put photos into a collection that exists",
        examples=(
            _change(
                "Add these to my Old Cars collection",
                "them in Old Cars",
                "They are in Old Cars now.",
                collection="Old Cars",
            ),
            _change(
                "Put the selected photos into Harbour",
                "them in Harbour",
                "They are in Harbour now.",
                collection="Harbour",
            ),
        ),
    ),
    Pattern(
        tool="set_rating",
        meaning="wanting to give photos stars or to take stars away",
        examples=(
            _change("Remove the stars of the selection", "0 stars", "They have 0 stars now.", rating=0),
            _change("Rate what I selected with 4", "4 stars", "They have 4 stars now.", rating=4),
            _change("Give these two stars", "2 stars", "They have 2 stars now.", rating=2),
        ),
    ),
    Pattern(
        tool="set_metadata",
        meaning="wanting to set the title of photos",
        examples=(
            _change("Set the title to Old Piano", "the title Old Piano", "The title is set.", title="Old Piano"),
            _change(
                "Title the selected picture Foggy Harbour",
                "the title Foggy Harbour",
                "The title is set.",
                title="Foggy Harbour",
            ),
        ),
    ),
    Pattern(
        tool="set_metadata",
        meaning="wanting to set the caption of photos",
        examples=(
            _change(
                "Caption these with Summer in Lisbon",
                "the caption Summer in Lisbon",
                "The caption is set.",
                caption="Summer in Lisbon",
            ),
            _change(
                "Write the caption: our tractor at work",
                "the caption our tractor at work",
                "The caption is set.",
                caption="our tractor at work",
            ),
        ),
    ),
    Pattern(
        tool=None,
        meaning="greeting",
        examples=(
            _say("Hey, how are you?", "They greet me.", "Hello! Which photos shall I look for?"),
            _say("Good morning!", "They greet me.", "Hello! Which photos shall I look for?"),
        ),
    ),
    Pattern(
        tool=None,
        meaning="thanking or praising",
        examples=(
            _say("Great, that helped", "They thank me.", "You are welcome."),
            _say("Thank you very much", "They thank me.", "You are welcome."),
        ),
    ),
    Pattern(
        tool=None,
        meaning="asking what the assistant can do",
        examples=(
            _say("How can you be useful to me?", "They ask what I can do.", _ABILITIES),
            _say("What are you able to do?", "They ask what I can do.", _ABILITIES),
        ),
    ),
)
