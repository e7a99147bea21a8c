"""What people may mean, as three questions that a small model answers by likelihood: what shall be done, with which
photos, and by what those are looked for.

Each way has a meaning in words and messages of people who mean it. The messages of one question are alike in all but
what tells its ways apart, English and German in each, so that the form of a message decides nothing.
"""

from __future__ import annotations

from typing import Final

import msgspec

__all__ = ("ACTS", "TARGETS", "Way")


class Way(msgspec.Struct, frozen=True, kw_only=True):
    """``odds`` tells, as a logarithm, how much more common than its neighbours it is. ``steps`` are the patterns
    (``local_examples``) that follow each other. ``on_photos`` says that the last one works on photos, which may have to
    be found first."""

    name: str
    meaning: str
    said: tuple[str, ...]
    odds: float = 0.0
    steps: tuple[str, ...] = ()
    on_photos: bool = False

    @property
    def opening(self) -> str:
        """The text after which a message of this meaning is likely."""
        return "\n".join((f"Messages that mean: {self.meaning}", *(f"- {message}" for message in self.said), "-"))


def _way(name: str, meaning: str, *said: str, steps: tuple[str, ...] = (), on_photos: bool = False) -> Way:
    return Way(name=name, meaning=meaning, said=said, steps=steps, on_photos=on_photos)


ACTS: Final = (
    _way(
        "search",
        "looking for photos",
        "Show me all photos of tractors",
        "Find the kites",
        "Which photos did I pick?",
        "Find pictures with two stars",
        "Zeig mir alle Leuchttürme",
        "Finde die Bilder von Otto",
        "Show me the yellow labels",
        "Everything I took in 2011",
        "Find my rejects",
        "Look for trains from 2016",
        "Zeig mir die Bilder mit gelbem Etikett",
        "Which pictures have a yellow label?",
        "Which photos are rejected?",
        "Which pictures were taken with the Leica?",
        "Bilder aus 2009",
        "Photos from March 2016",
        "Search for pianos with at least two stars",
    ),
    _way(
        "look",
        "asking about the photos that are selected now",
        "What is in the selection?",
        "List the selected photos",
        "Which camera took the selected photo?",
        "Welche Bilder sind ausgewählt?",
        steps=("look",),
    ),
    _way(
        "show",
        "wanting photos to be shown in Lightroom's grid",
        "Show the selected photos in Lightroom",
        "Find the kites and show them in Lightroom",
        "Open all photos of tractors in the grid",
        "Zeig die Leuchttürme in Lightroom an",
        steps=("show",),
        on_photos=True,
    ),
    _way(
        "status",
        "asking about Lightroom itself, the open catalog, or how many photos there are",
        "Are you linked to my library?",
        "Is the program running?",
        "What is the name of my library?",
        "How many pictures do I have in total?",
        "Wie viele Bilder habe ich insgesamt?",
        "Welcher Katalog ist offen?",
        steps=("status",),
    ),
    _way(
        "create",
        "wanting a new empty collection with a name",
        "Create a new collection called Old Cars",
        "Make an empty album Steam Engines",
        "I need a collection for Lisbon",
        "Leg eine Sammlung namens Orgel an",
        steps=("create",),
    ),
    _way(
        "collect",
        "wanting a new collection with certain photos in it",
        "Create a new collection Old Cars with the selected photos",
        "Put all photos of tractors into a new collection called Farm",
        "Find the kites and make a collection Wind of them",
        "Leg eine Sammlung namens Orgel mit allen Klavieren an",
        steps=(
            "create",
            "add",
        ),
        on_photos=True,
    ),
    _way(
        "add",
        "wanting to put photos into a collection that exists",
        "Add the selected photos to the collection Old Cars",
        "Put these into Farm",
        "Füge die ausgewählten Bilder der Sammlung Orgel hinzu",
        steps=("add",),
        on_photos=True,
    ),
    _way(
        "rate",
        "wanting to give photos stars or to take stars away",
        "Rate the selected photos two stars",
        "Give these one star",
        "Give all photos of tractors four stars",
        "Find the kites and rate them 2",
        "Take the stars away from the selection",
        "Rate all pictures of trains with two stars",
        "Gib den ausgewählten Bildern zwei Sterne",
        "Such die Leuchttürme und gib ihnen einen Stern",
        "Bewerte alles aus 2011 mit 3",
        steps=("rate",),
        on_photos=True,
    ),
    _way(
        "flag",
        "wanting to flag photos as picks, to reject them, or to take the flag away",
        "Flag the selected photos as picks",
        "Pick these",
        "Reject all photos of tractors",
        "Find the kites and reject them",
        "Remove the flag from the selection",
        "Markiere die ausgewählten Bilder als Favorit",
        "Such die Leuchttürme und lehne sie ab",
        "Reject everything with two stars",
        steps=("flag_as",),
        on_photos=True,
    ),
    _way(
        "label",
        "wanting to give photos a color label or to take it away",
        "Label the selected photos yellow",
        "Give these a yellow label",
        "Label all photos of tractors gray",
        "Find the kites and label them yellow",
        "Take the color off the selection",
        "Gib den ausgewählten Bildern ein gelbes Etikett",
        "Such die Leuchttürme und markiere sie gelb",
        "Label everything from 2011 gray",
        "Setze das Label dieser Bilder auf Gelb",
        steps=("label_as",),
        on_photos=True,
    ),
    _way(
        "title",
        "wanting to set the title of photos",
        "Set the title of the selected photos to Old Piano",
        "Give all photos of tractors the title Farm",
        "Title these Foggy Pier",
        "Gib den ausgewählten Bildern den Titel Alte Orgel",
        "Schreibe den Titel Alte Orgel in diese",
        steps=("title",),
        on_photos=True,
    ),
    _way(
        "caption",
        "wanting to set the caption of photos",
        "Set the caption of the selected photos to A week in Lisbon",
        "Give all photos of tractors the caption Farm",
        "Caption these with Foggy Pier",
        "Gib den ausgewählten Bildern die Beschreibung Alte Orgel",
        steps=("caption",),
        on_photos=True,
    ),
    _way(
        "keyword",
        "wanting to add a keyword to photos",
        "Add the keyword farming to the selected photos",
        "Tag all photos of tractors with farm",
        "Find the kites and give them the keyword wind",
        "Add the tag old to everything from 2011",
        "Gib den ausgewählten Bildern das Stichwort Orgel",
        steps=("keyword",),
        on_photos=True,
    ),
    _way(
        "unkeyword",
        "wanting to remove a keyword from photos",
        "Remove the keyword farming from the selected photos",
        "Take the tag farm off all photos of tractors",
        "Find the kites and remove the keyword wind",
        "Entferne das Stichwort Orgel von den ausgewählten Bildern",
        steps=("unkeyword",),
        on_photos=True,
    ),
    _way(
        "undo",
        "wanting the last change to be taken back",
        "Take that back",
        "Revert the last change",
        "Oh no, put it back as it was",
        "Mach das rückgängig",
        steps=("undo",),
    ),
    _way(
        "greet",
        "greeting",
        "Hey, how are you?",
        "Good morning!",
        "Hallo, wie geht's?",
        steps=("greet",),
    ),
    _way(
        "thanks",
        "thanking or praising",
        "Perfect, that was it",
        "Thank you very much",
        "Danke für alles",
        "You did well",
        steps=("thanks",),
    ),
    _way(
        "able",
        "asking what the assistant can do",
        "How can you be useful to me?",
        "What are you able to do?",
        "Was kannst du alles?",
        steps=("able",),
    ),
    _way(
        "other",
        "talking about something that has nothing to do with photos",
        "What will the weather be tomorrow?",
        "Tell me a joke",
        "Order me a pizza",
        "Wer hat das Spiel gewonnen?",
        steps=("other",),
    ),
)
"""What shall be done. A search has no step of its own: what it looks for is a filter."""

TARGETS: Final = (
    _way(
        "selection",
        "do something with the photos that are selected now",
        "Rate the selected photos two stars",
        "Give these a yellow label",
        "Add the keyword farming to the selection",
        "Add the selected photos to the collection Farm",
        "Markiere die ausgewählten Bilder als Favorit",
        "Gib den ausgewählten Bildern zwei Sterne",
        "Set the title to Old Piano",
        "Show the selected photos in Lightroom",
    ),
    _way(
        "view",
        "do something with all the photos that are shown now",
        "Rate everything in the grid two stars",
        "Give all that is on the screen a yellow label",
        "Add the keyword farming to all photos in view",
        "Gib allem im Raster zwei Sterne",
    ),
    _way(
        "results",
        "do something with the photos that were found before",
        "Now rate them two stars",
        "Give those a yellow label",
        "Add the keyword farming to the ones you found",
        "Gib ihnen jetzt zwei Sterne",
        "Show those in Lightroom",
    ),
    _way(
        "described",
        "look for certain photos and do something with them",
        "Rate all photos of tractors two stars",
        "Find the lighthouses and give them a yellow label",
        "Add the keyword farming to all photos from 2011",
        "Put the pianos into the collection Farm",
        "Gib allen Leuchttürmen zwei Sterne",
        "Suche alle Bilder mit Otto und gib ihnen zwei Sterne",
        "Find the tractor photos and show them in Lightroom",
        "Reject every photo with a yellow label",
        "Label all the photos that have two stars yellow",
        "Add the keyword old to everything with two stars",
    ),
)
"""With which photos."""
