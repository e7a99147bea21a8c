"""The reader of Lua tables that Lightroom keeps as text: against real Lua, against nonsense, and never running any."""

from __future__ import annotations

import math
from typing import Any, cast

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lupa import lua51

from safelight.lightroom.lua_literal import LuaTextRefused, lua_literal
from safelight.lightroom.lua_value import plain
from tests.requirement import requirement

NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,8}", fullmatch=True).filter(
    lambda name: (
        name not in {"and", "break", "do", "else", "elseif", "end", "false", "for", "function", "if", "in"}
        and name not in {"local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while"}
    )
)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
NUMBERS = st.one_of(
    st.integers(-(2**53), 2**53), st.floats(allow_nan=False, allow_infinity=False).filter(lambda x: x == x)
)


def quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
    return f'"{escaped.replace(chr(0), chr(92) + "000")}"'


def written(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, list):
        return "{ " + "".join(f"{written(item)},\n" for item in cast("list[Any]", value)) + "}"
    if isinstance(value, dict):
        return (
            "{ " + ", ".join(f"{key} = {written(item)}" for key, item in cast("dict[str, Any]", value).items()) + " }"
        )
    return repr(value)


VALUES = st.recursive(
    st.one_of(st.booleans(), NUMBERS, TEXTS),
    lambda inner: st.one_of(st.lists(inner, min_size=1, max_size=4), st.dictionaries(NAMES, inner, max_size=4)),
    max_leaves=12,
)


@requirement("demo.folder")
@given(VALUES)
def test_what_lua_writes_is_read_as_it_was(value: Any) -> None:
    assert lua_literal(f"s = {written(value)}\n") == value


@requirement("demo.folder")
@given(st.text(st.sampled_from("{}[]=,;\"'\\ \n-+.eExX0129abnilstruefunction()#~:/*%<>"), max_size=40))
@example("s = os.exit()")
@example("s = { print }")
@example("{ [1.5] = 2 }")
@example('{ "b", [1] = "a" }')
@example('{ [1] = "a", nil, 3 }')
@example("{ [[a]], [=[b]]]=] }")
@example("1e999")
@example("-")
def test_any_text_is_read_as_real_lua_reads_it_or_refused(text: str) -> None:
    """What is accepted means the same in Lua, where it runs in an empty environment."""
    try:
        read = lua_literal(text)
    except LuaTextRefused as refused:
        assert str(refused)
        return
    lua = cast("Any", lua51).LuaRuntime(encoding=None)
    body = text if text.lstrip()[:1] in {"{", '"', "'", "[", "-", "."} or "=" not in text else text.partition("=")[2]
    run = lua.eval(b"function(code) local f = assert(loadstring(code)); setfenv(f, {}); return f() end")
    assert plain(run(f"return {body}".encode())) == read


@requirement("demo.folder")
@given(st.text(max_size=60))
def test_any_text_at_all_gives_a_value_or_a_refusal(text: str) -> None:
    try:
        lua_literal(text)
    except LuaTextRefused:
        return


@requirement("demo.folder")
@pytest.mark.parametrize(
    "text",
    [
        "s = f()",
        "s = a",
        "s = 1 + 1",
        's = "a" .. "b"',
        "s = function() end",
        "s = {} s = {}",
        "",
        "s = ",
        "{1",
        "{1 2}",
    ]
    + [
        "{" * 100_000,
        "s = { [{}] = 1 }",
        "0x",
        "1e400",
        '"open',
        "[[open",
        "{ [true] = 1 }",
        "nan",
        "-inf",
        "--[[c]] 1",
    ],
)
def test_whatever_is_no_plain_value_is_refused(text: str) -> None:
    with pytest.raises(LuaTextRefused, match=r"at character \d+$"):
        lua_literal(text)


@requirement("demo.folder")
def test_long_texts_are_read_in_time_that_grows_with_them() -> None:
    table = "s = { " + "Setting = 0.25,\n" * 50_000 + ' Text = "' + "\\n" * 200_000 + '" }'
    read = lua_literal(table)
    assert read["Setting"] == 0.25
    assert read["Text"] == "\n" * 200_000
    assert math.isclose(lua_literal("-0x10"), -16)
