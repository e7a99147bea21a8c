"""The language of filters: what it takes, what it says of the rest, and that it always says something."""

from __future__ import annotations

import sqlite3
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from safelight.catalog.conditions import tree_where
from safelight.catalog.fields import FIELDS
from safelight.catalog.filter_text import DEEPEST, LONGEST, AllOf, AnyOf, Condition, Filter, Not, parse_filter, printed
from safelight.catalog.schema import MIGRATIONS
from safelight.errors import ToolError

NIKON = Condition("camera", ":", "nikon")
DOG = Condition("keyword", ":", "dog")
NOISY = Condition("iso", ">=", "1600")


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("iso>=1600", NOISY),
        ("  ISO >= 1600 ", NOISY),
        ("iso==100", Condition("iso", "=", "100")),
        ("iso>=1600 and (camera:nikon or not keyword:dog)", AllOf((NOISY, AnyOf((NIKON, Not(DOG)))))),
        ("iso>=1600 AND camera:nikon Or keyword:dog", AnyOf((AllOf((NOISY, NIKON)), DOG))),
        ("not camera:nikon and keyword:dog", AllOf((Not(NIKON), DOG))),
        ("not not camera:nikon", Not(Not(NIKON))),
        ("(iso>=1600)and(camera:nikon)", AllOf((NOISY, NIKON))),
        ('camera:"Z 6 (II)"', Condition("camera", ":", "Z 6 (II)")),
        ("title:'it''s \"here\"'", Condition("title", ":", 'it\'s "here"')),
        ('title:"say ""cheese"""', Condition("title", ":", 'say "cheese"')),
        ("folder:C:\\Photos\\2024", Condition("folder", ":", "C:\\Photos\\2024")),
        ("title:and or title:not", AnyOf((Condition("title", ":", "and"), Condition("title", ":", "not")))),
        ("shutter<=1/250", Condition("shutter", "<=", "1/250")),
        ("lat>-33.9", Condition("lat", ">", "-33.9")),
        ("captured>=2024-05", Condition("captured", ">=", "2024-05")),
        ("label:Purple and flag=PICK", AllOf((Condition("label", ":", "Purple"), Condition("flag", "=", "PICK")))),
    ],
)
def test_a_filter_is_read(text: str, tree: Filter) -> None:
    assert parse_filter(text) == tree


@pytest.mark.parametrize(
    ("text", "place", "says"),
    [
        ("", 1, "a field is expected. The fields are rating, iso,"),
        ("color:red", 1, 'There is no field "color". The fields are rating, iso,'),
        ("iso>=1600 and", 14, "a field is expected"),
        ("iso>=1600 camera:nikon", 11, '"and", "or" or the end is expected'),
        ("camera:nikon z 6", 14, "a value with spaces needs quotes"),
        ("(iso>1", 7, 'a ")" is missing'),
        ("iso>1)", 6, "the end is expected"),
        ("iso", 4, 'After "iso" one of : = != < <= > >= is expected'),
        ("camera>nikon", 7, '"camera" takes : = !=, not >'),
        ("iso>", 5, "a value is expected"),
        ('title:"open', 7, "does not end"),
        ("iso>many", 5, '"iso" is held against a number'),
        ("iso>1e400", 5, "a number"),
        ("shutter>1/0", 9, "a number"),
        ("iso>٣", 5, "a number"),
        ("captured>2024-02-30", 10, "a day, a month or a year"),
        ("captured:yesterday", 10, "a day, a month or a year"),
        ("flag:maybe", 6, '"flag" is one of pick, none, reject'),
        ("file_type:gif", 11, "one of raw, dng,"),
        ("adjusted:true", 10, "one of yes, no"),
        ('title:" "', 7, "an empty value"),
        ("(" * 30 + "iso>1" + ")" * 30, 21, "nested too deeply"),
        ("not " * 30 + "iso>1", 81, "nested too deeply"),
        ("-- ; DROP TABLE photos", 1, "a field is expected"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(text: str, place: int, says: str) -> None:
    with pytest.raises(ToolError) as caught:
        parse_filter(text)
    assert caught.value.tool_code == "BAD_FILTER"
    assert says in caught.value.message
    assert caught.value.message.endswith(f"That is at character {place} of the filter.")


def test_a_filter_that_is_too_long_is_refused_before_it_is_read() -> None:
    with pytest.raises(ToolError, match="too long: 1001 characters"):
        parse_filter("x" * (LONGEST + 1))


@pytest.fixture(scope="module")
def database() -> Any:
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    connection.executescript("".join(MIGRATIONS))
    yield connection
    connection.close()


def run(connection: sqlite3.Connection, tree: Filter) -> None:
    where = tree_where(tree)
    connection.execute(f"SELECT n FROM photos WHERE {where.sql}", where.parameters).fetchall()


def test_the_longest_filter_runs(database: Any) -> None:
    run(database, parse_filter(" or ".join(["iso=1"] * 111)))
    run(database, parse_filter("not (" * (DEEPEST // 2 - 1) + "iso=1" + ")" * (DEEPEST // 2 - 1)))


pieces = st.sampled_from(
    [*FIELDS, "and", "or", "not", "(", ")", ":", ">=", "!=", "1", "1/50", '"a b"', "'", "2024", " "]
)


@given(st.one_of(st.text(max_size=60), st.lists(pieces, max_size=25).map(" ".join), st.lists(pieces).map("".join)))
def test_any_text_is_a_filter_that_runs_or_an_error_in_words(database: Any, text: str) -> None:
    try:
        tree = parse_filter(text)
    except ToolError as error:
        assert error.tool_code == "BAD_FILTER"
        assert error.message.endswith(".")
    else:
        assert parse_filter(printed(tree)) == tree
        run(database, tree)


def values_of(name: str) -> st.SearchStrategy[str]:
    field = FIELDS[name]
    if field.kind == "number":
        return st.one_of(st.integers(-99999, 99999).map(str), st.just("1/250"), st.just("2.8"))
    if field.kind == "day":
        return st.dates().map(str)
    if field.values:
        return st.sampled_from(field.values)
    return st.text(min_size=1, max_size=20).filter(str.strip)


conditions = st.sampled_from(sorted(FIELDS)).flatmap(
    lambda name: st.builds(Condition, st.just(name), st.sampled_from(FIELDS[name].operators), values_of(name))
)
trees = st.recursive(
    conditions,
    lambda parts: st.one_of(
        st.builds(Not, parts),
        st.lists(parts, min_size=2, max_size=3).map(lambda some: AllOf(tuple(some))),
        st.lists(parts, min_size=2, max_size=3).map(lambda some: AnyOf(tuple(some))),
    ),
    max_leaves=6,
)


@given(trees)
def test_the_printed_form_means_the_same(database: Any, tree: Filter) -> None:
    assert parse_filter(printed(tree)) == tree
    run(database, tree)
