"""By what photos are looked for, as a small model tells it by likelihood; see ``ways``."""

from __future__ import annotations

from typing import Final

from safelight.models.ways import Way

__all__ = ("FILTERS",)


_RARER: Final = -2.0
"""Odds of what people ask for more seldom: two conditions at once, and a bound in place of a number."""


def _way(name: str, meaning: str, *said: str) -> Way:
    return Way(name=name, meaning=meaning, said=said)


def _rare(name: str, meaning: str, *said: str) -> Way:
    return Way(name=name, meaning=meaning, said=said, odds=_RARER)


FILTERS: Final = (
    _way(
        "text",
        "photos of a thing, an animal, a person, an event or a place",
        "Show me all pictures with a horse",
        "Show me photos of horses",
        "Find photos of the lighthouse",
        "Create a collection named Keys with all piano pictures",
        "Find pictures of trains",
        "Find the kite photos and reject them",
        "Which photos show Lisbon?",
        "Zeig mir alle Bilder mit Klavier",
        "Finde die Fotos von Otto",
        "Label the tractors yellow",
        "Add the keyword old to all photos of kites",
        "Suche alle Bilder mit Otto und gib ihnen zwei Sterne",
    ),
    _way(
        "rating",
        "photos with exactly so many stars",
        "Show me all pictures with two stars",
        "Find the four star photos",
        "Show me the unrated ones",
        "Zeig mir alle Bilder mit zwei Sternen",
        "Finde die Fotos mit vier Sternen",
        "Reject all photos that have two stars",
        "Label the two star photos yellow",
        "Add the keyword old to all photos with 2 stars",
    ),
    _rare(
        "rating_from",
        "photos with at least so many stars",
        "Show me all pictures with at least two stars",
        "Find the photos with four stars or more",
        "Which photos have two stars or better?",
        "Zeig mir alle Bilder mit mindestens zwei Sternen",
        "Finde die Fotos mit vier Sternen oder mehr",
        "Reject all photos that have at least two stars",
    ),
    _way(
        "flag",
        "photos that are flagged as picks, rejected, or not flagged",
        "Show me all pictures that I picked",
        "Find the rejected photos",
        "Which photos did I pick?",
        "Zeig mir alle abgelehnten Bilder",
        "Finde die Fotos ohne Markierung",
        "Give my picks two stars",
        "Label the rejects yellow",
        "Add the keyword old to all my picks",
    ),
    _way(
        "label",
        "photos with a certain color label",
        "Show me all pictures with a yellow label",
        "Find the photos labelled gray",
        "Which photos are yellow?",
        "Zeig mir alle Bilder mit gelbem Etikett",
        "Finde die Fotos mit grauem Label",
        "Reject all photos with a yellow label",
        "Give the yellow ones two stars",
        "Add the keyword old to all yellow photos",
    ),
    _way(
        "year",
        "all photos of a certain year",
        "Show me all pictures from 2016",
        "Find the photos of 2011",
        "Everything I took in 2009",
        "Zeig mir alle Bilder aus 2016",
        "Finde die Fotos von 2009",
        "Reject all photos from 2016",
        "Gib allen Bildern aus 2016 zwei Sterne",
        "Add the keyword old to all photos from 2011",
    ),
    _way(
        "month",
        "all photos of a certain month",
        "Show me all pictures from March 2016",
        "Find the photos of October 2011",
        "Everything I took in June 2009",
        "Zeig mir alle Bilder vom Mai 2016",
        "Finde die Fotos vom Dezember 2009",
        "Reject all photos from March 2016",
    ),
    _rare(
        "text_year",
        "photos of a thing or a place in a certain year",
        "Show me all tractor pictures from 2016",
        "Find trains from 2011",
        "Which photos show Lisbon in 2009?",
        "Zeig mir alle Klaviere aus 2016",
        "Reject the kite photos from 2016",
        "Add the keyword old to all kites from 2011",
    ),
    _rare(
        "text_rating",
        "photos of a thing or a place with exactly so many stars",
        "Show me all tractor pictures with two stars",
        "Find the four star photos of trains",
        "Zeig mir alle Klaviere mit zwei Sternen",
        "Reject the two star photos of kites",
    ),
    _rare(
        "text_rating_from",
        "photos of a thing or a place with at least so many stars",
        "Show me all tractor pictures with at least two stars",
        "Find trains with four stars or more",
        "Zeig mir alle Klaviere mit mindestens zwei Sternen",
    ),
    _rare(
        "text_flag",
        "photos of a thing or a place that are flagged",
        "Show me all tractor pictures that I picked",
        "Find the rejected photos of trains",
        "Zeig mir alle abgelehnten Klaviere",
        "Give the picked kite photos two stars",
    ),
    _rare(
        "text_label",
        "photos of a thing or a place with a color label",
        "Show me all tractor pictures with a yellow label",
        "Find the trains labelled gray",
        "Zeig mir alle Klaviere mit gelbem Etikett",
        "Reject the kite photos with a yellow label",
    ),
    _rare(
        "year_rating",
        "photos of a certain year with so many stars",
        "Show me all two star pictures from 2016",
        "Find the photos of 2011 with four stars",
        "Zeig mir alle Bilder aus 2016 mit zwei Sternen",
        "Reject the unrated photos from 2009",
    ),
    _rare(
        "year_flag",
        "photos of a certain year that are flagged",
        "Show me all pictures from 2016 that I picked",
        "Find the rejected photos of 2011",
        "Zeig mir alle abgelehnten Bilder aus 2016",
        "Give my picks from 2009 two stars",
    ),
    _rare(
        "year_label",
        "photos of a certain year with a color label",
        "Show me all pictures from 2016 with a yellow label",
        "Find the photos of 2011 labelled gray",
        "Zeig mir alle Bilder aus 2016 mit gelbem Etikett",
        "Reject the yellow photos from 2009",
    ),
    _way(
        "camera",
        "photos taken with a certain camera or lens",
        "Show me all pictures taken with the Leica",
        "Find the photos from my Pentax",
        "Zeig mir alle Bilder der Olympus",
        "Reject all photos from the Leica",
    ),
)
"""Each has a pattern of its name."""
