"""The values of arguments that are few, and the languages of a reply, as a small model tells them apart by likelihood.

The messages of one question are alike in all but the value.
"""

from __future__ import annotations

from typing import Final

from safelight.models.ways import Way

__all__ = ("VALUES",)


def _choice(value: str, meaning: str, *said: str) -> Way:
    return Way(name=value, meaning=meaning, said=said)


_VALUES: Final = {
    "stars": (
        _choice(
            "0",
            "no stars",
            "Show me the unrated photos",
            "Take the stars off these",
            "Find pictures with no stars",
            "Entferne ihre Sterne",
            "Bilder ohne Sterne",
            "Set the rating to 0",
        ),
        _choice(
            "1",
            "one star",
            "Show me the one star photos",
            "Rate these with 1 star",
            "Find pictures with one star",
            "Gib ihnen einen Stern",
            "Bilder mit einem Stern",
            "Set the rating to 1",
        ),
        _choice(
            "2",
            "two stars",
            "Show me the two star photos",
            "Rate these with 2 stars",
            "Find pictures with two stars",
            "Gib ihnen zwei Sterne",
            "Bilder mit zwei Sternen",
            "Set the rating to 2",
        ),
        _choice(
            "3",
            "three stars",
            "Show me the three star photos",
            "Rate these with 3 stars",
            "Find pictures with three stars",
            "Gib ihnen drei Sterne",
            "Bilder mit drei Sternen",
            "Set the rating to 3",
        ),
        _choice(
            "4",
            "four stars",
            "Show me the four star photos",
            "Rate these with 4 stars",
            "Find pictures with four stars",
            "Gib ihnen vier Sterne",
            "Bilder mit vier Sternen",
            "Set the rating to 4",
        ),
        _choice(
            "5",
            "five stars",
            "Show me the five star photos",
            "Rate these with 5 stars",
            "Find pictures with five stars",
            "Gib ihnen fünf Sterne",
            "Bilder mit fünf Sternen",
            "Set the rating to 5",
        ),
    ),
    "color": (
        _choice(
            "red",
            "the color red",
            "Show me the red ones",
            "Label these red",
            "Find pictures with a red label",
            "Markiere sie rot",
            "Bilder mit rotem Etikett",
            "Set the color to red",
        ),
        _choice(
            "yellow",
            "the color yellow",
            "Show me the yellow ones",
            "Label these yellow",
            "Find pictures with a yellow label",
            "Markiere sie gelb",
            "Bilder mit gelbem Etikett",
            "Set the color to yellow",
        ),
        _choice(
            "green",
            "the color green",
            "Show me the green ones",
            "Label these green",
            "Find pictures with a green label",
            "Markiere sie grün",
            "Bilder mit grünem Etikett",
            "Set the color to green",
        ),
        _choice(
            "blue",
            "the color blue",
            "Show me the blue ones",
            "Label these blue",
            "Find pictures with a blue label",
            "Markiere sie blau",
            "Bilder mit blauem Etikett",
            "Set the color to blue",
        ),
        _choice(
            "purple",
            "the color purple",
            "Show me the purple ones",
            "Label these purple",
            "Find pictures with a purple label",
            "Markiere sie lila",
            "Bilder mit lila Etikett",
            "Set the color to purple",
        ),
        _choice(
            "none",
            "no color label",
            "Show me those without a label",
            "Take the color off these",
            "Find pictures with no label",
            "Entferne ihre Farbe",
            "Bilder ohne Etikett",
            "Set the color to none",
        ),
    ),
    "flag": (
        _choice(
            "pick",
            "picks, the good ones",
            "Show me the picked photos",
            "Flag these as picks",
            "Pick the tractors",
            "Markiere sie als Favoriten",
            "Meine Auswahl der Besten",
            "Which ones did I pick?",
        ),
        _choice(
            "reject",
            "rejected, the bad ones",
            "Show me the rejected photos",
            "Flag these as rejected",
            "Reject the tractors",
            "Markiere sie als abgelehnt",
            "Lehne sie ab",
            "Which ones did I reject?",
        ),
        _choice(
            "none",
            "no flag",
            "Show me the unflagged photos",
            "Take the flag off these",
            "Unflag the tractors",
            "Entferne ihre Markierung",
            "Bilder ohne Markierung",
            "Which ones have no flag?",
        ),
    ),
    "language": (
        _choice(
            "en",
            "English",
            "Show me all photos of tractors",
            "Rate these with two stars",
            "Which ones did I pick?",
            "Take that back",
            "Thank you very much",
            "Label the trains yellow",
        ),
        _choice(
            "de",
            "German",
            "Zeig mir alle Leuchttürme",
            "Gib ihnen zwei Sterne",
            "Welche Bilder sind ausgewählt?",
            "Mach das rückgängig",
            "Danke für alles",
            "Markiere die Züge gelb",
        ),
    ),
}

VALUES: Final = {**_VALUES, "fewest_stars": _VALUES["stars"][1:]}
"""By question; the name of each way is the value."""
