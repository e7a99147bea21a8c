"""Listing the catalog's keywords: in pages, depth first, whatever Lightroom fails to tell."""

from __future__ import annotations

from pathlib import Path

import pytest

from safelight.lightroom import Catalog, Photo, SimulatedLightroom, drawn_catalog
from tests.plugin.fake_bridge import FakeBridge, Refused
from tests.requirement import requirement


def listed(bridge: FakeBridge, limit: int = 5000) -> list[list[str]]:
    """The paths of all keywords, read in pages."""
    paths: list[list[str]] = []
    offset, total = 0, 1
    while offset < total:
        page = bridge.ask("list_keywords", {"offset": offset, "limit": limit})
        paths += [keyword["path"] for keyword in page["keywords"]]
        offset, total = offset + limit, page["total"]
    return paths


@requirement("plugin.always-on")
@pytest.mark.parametrize("limit", [1, 7, 5000])
def test_keywords_are_listed_depth_first_in_pages(
    bridge: FakeBridge, lightroom: SimulatedLightroom, limit: int
) -> None:
    tree = lightroom.catalog.keywords

    def walk(parent: int | None) -> list[list[str]]:
        return [path for child in tree.children(parent) for path in ([*tree.path(child)], *walk(child))]

    paths = listed(bridge, limit)
    assert paths == [list(path) for path in walk(None)]
    assert len(paths) == len(tree)


@requirement("plugin.always-on")
def test_a_listed_keyword_has_the_id_that_lightroom_gave_it(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    page = bridge.ask("list_keywords", {"offset": 0, "limit": 1})
    (keyword,) = page["keywords"]
    tree = lightroom.catalog.keywords
    assert keyword == {"keyword_id": str(tree.find(*keyword["path"]).local_id), "path": keyword["path"]}
    assert (page["total"], page["unreadable"]) == (len(tree), 0)


@requirement("plugin.always-on")
def test_a_catalog_without_keywords_has_an_empty_list(bridge: FakeBridge, data_folder: Path) -> None:
    drawn = drawn_catalog(3)
    empty = Catalog([], drawn.pictures, path="/Users/you/Empty.lrcat")
    with SimulatedLightroom(empty, data_folder=data_folder):
        answer = bridge.ask("list_keywords", {"offset": 0, "limit": 10})
    assert answer == {"keywords": [], "total": 0, "unreadable": 0}


@requirement("plugin.always-on")
def test_a_keyword_at_which_lightroom_throws_is_counted_and_the_others_are_listed(
    bridge: FakeBridge, lightroom: SimulatedLightroom
) -> None:
    """LrGenius #88: the whole list broke off at one keyword."""
    everything = listed(bridge)
    lightroom.break_keyword_children("animals")
    answer = bridge.ask("list_keywords", {"offset": 0, "limit": 5000})
    below = [path for path in everything if path[0] == "animals" and len(path) > 1]
    assert below
    assert [one["path"] for one in answer["keywords"]] == [path for path in everything if path not in below]
    assert answer["unreadable"] == 1


@requirement("plugin.always-on")
def test_a_keyword_without_a_name_is_counted_and_the_others_are_listed(
    bridge: FakeBridge, lightroom: SimulatedLightroom
) -> None:
    everything = listed(bridge)
    lightroom.break_keyword_name("sunset")
    answer = bridge.ask("list_keywords", {"offset": 0, "limit": 5000})
    assert [one["path"] for one in answer["keywords"]] == [path for path in everything if path != ["sunset"]]
    assert (answer["total"], answer["unreadable"]) == (len(everything), 1)


@requirement("plugin.always-on")
def test_ten_thousand_keywords_are_listed_in_time_without_counting_photos(
    bridge: FakeBridge, lightroom: SimulatedLightroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PaulWaldo's lightroom_mcp on 65,000 keywords: the list timed out while photos were counted for each of them."""
    tree = lightroom.catalog.keywords
    for group in range(100):
        for number in range(99):
            tree.ensure(f"group {group}", f"keyword {number}")

    def refuse() -> tuple[Photo, ...]:
        raise AssertionError("a keyword's photos were asked for")

    monkeypatch.setattr(lightroom.catalog, "photos", refuse)
    page = bridge.ask("list_keywords", {"offset": 5000, "limit": 5000}, deadline=30.0)
    assert (len(page["keywords"]), page["total"]) == (5000, len(tree))


@requirement("bridge.delivery")
def test_a_list_that_takes_too_long_is_a_retriable_time_out(bridge: FakeBridge, timed: SimulatedLightroom) -> None:
    for number in range(300):
        timed.catalog.keywords.ensure(f"keyword {number}")
    with pytest.raises(Refused) as refused:
        bridge.ask("list_keywords", {"offset": 0, "limit": 10}, deadline=0.0)
    assert (refused.value.code, refused.value.retriable) == ("TIMEOUT", True)


@requirement("bridge.delivery")
def test_a_list_that_ran_out_of_time_goes_on_where_it_was(bridge: FakeBridge, timed: SimulatedLightroom) -> None:
    """Or a tree that takes longer than one command's time could never be listed."""
    for number in range(300):
        timed.catalog.keywords.ensure(f"keyword {number}")
    expected = len(timed.catalog.keywords)
    time_outs = 0
    while True:
        try:
            answer = bridge.ask("list_keywords", {"offset": 0, "limit": 5000}, deadline=0.0)
        except Refused as refused:
            assert refused.code == "TIMEOUT"
            time_outs += 1
            assert time_outs <= expected / 100
        else:
            break
    assert time_outs >= 2
    paths = [tuple(keyword["path"]) for keyword in answer["keywords"]]
    assert len(set(paths)) == len(paths) == answer["total"] == expected


@requirement("plugin.always-on")
def test_the_pages_of_one_list_take_one_walk_over_the_tree(
    bridge: FakeBridge, lightroom: SimulatedLightroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree, looks = lightroom.catalog.keywords, list[int | None]()
    children = tree.children

    def counted(parent: int | None) -> list[int]:
        looks.append(parent)
        return children(parent)

    monkeypatch.setattr(tree, "children", counted)
    assert len(listed(bridge, 3)) == len(tree)
    assert len(looks) == len(set(looks)) == len(tree) + 1


@requirement("plugin.always-on")
def test_a_new_list_has_the_keywords_of_now(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    bridge.ask("list_keywords", {"offset": 0, "limit": 3})
    lightroom.catalog.keywords.ensure("Brand New")
    assert ["Brand New"] in listed(bridge, 3)


@requirement("plugin.always-on")
def test_a_page_that_is_asked_for_late_has_the_keywords_of_now(bridge: FakeBridge, timed: SimulatedLightroom) -> None:
    total = bridge.ask("list_keywords", {"offset": 0, "limit": 3})["total"]
    timed.catalog.keywords.ensure("Brand New")
    assert bridge.ask("list_keywords", {"offset": 3, "limit": 3})["total"] == total
    timed.advance(61)
    assert bridge.ask("list_keywords", {"offset": 6, "limit": 3})["total"] == total + 1
