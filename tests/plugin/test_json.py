"""The plug-in's JSON codec, held against Python's."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from safelight.lightroom import plugin_folder
from safelight.lightroom.kernel import new_lua
from tests.requirement import requirement

PROBE = b"""
local sources = ...
local loaded = {}
local function load(name)
    if not loaded[name] then
        local environment = setmetatable({ require = sources.load }, { __index = _G })
        loaded[name] = setfenv(assert(loadstring(sources[name], "@" .. name)), environment)()
    end
    return loaded[name]
end
sources.load = load
local Json = load("Json")
return function(text)
    local value, message = Json.decode(text)
    if value == nil then return nil, message end
    return Json.encode(value)
end, Json.encode, Json.array
"""


def codec() -> tuple[Callable[[bytes], Any], Callable[[Any], bytes], Any]:
    lua = new_lua()
    sources = {name.encode(): (plugin_folder() / f"{name}.lua").read_bytes() for name in ("Json", "Utf8")}
    return lua.execute(PROBE, lua.table_from(sources))


THROUGH, ENCODE, ARRAY = codec()

numbers = st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False)
texts = st.text(st.characters(exclude_categories=["Cs"]))
values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(texts, inner, max_size=5),
    max_leaves=25,
)


def through(text: str | bytes) -> Any:
    """What Python reads after the plug-in has read and written the text."""
    written = THROUGH(text.encode() if isinstance(text, str) else text)
    assert isinstance(written, bytes), f"refused: {written}"
    return json.loads(written)


def refusal(text: str | bytes) -> str:
    outcome: Any = THROUGH(text.encode() if isinstance(text, str) else text)
    assert not isinstance(outcome, bytes), f"taken: {outcome!r}"
    return outcome[1].decode()


@requirement("lightroom.simulator")
@given(values, st.booleans(), st.sampled_from([None, 1]))
def test_every_value_survives_reading_and_writing(value: Any, ascii_only: bool, indent: int | None) -> None:
    """Automaat #116: backslashes that a JSON reader of one's own got wrong."""
    assert through(json.dumps(value, ensure_ascii=ascii_only, indent=indent)) == value


@requirement("lightroom.simulator")
@given(st.text(alphabet='{}[]",:\\untrefals0123456789.eE+- \n', max_size=30))
def test_it_takes_exactly_what_python_takes(text: str) -> None:
    def no_constant(name: str) -> float:
        raise ValueError(name)

    try:
        expected = json.loads(text, parse_constant=no_constant)
    except ValueError:
        refusal(text)
        return
    if "inf" in repr(expected):
        assert "out of range" in refusal(text)
    elif any(0xD800 <= ord(character) <= 0xDFFF for character in repr(expected)):
        refusal(text)
    else:
        read = through(text)
        assert read == expected or math.isclose(float(read), float(expected)), (read, expected)


@requirement("lightroom.simulator")
@given(st.binary(max_size=40))
def test_every_byte_string_is_written_as_json(data: bytes) -> None:
    written = json.loads(ENCODE(data))
    # how many marks stand for a broken run is a matter of taste
    assert written.replace("\ufffd", "") == data.decode("utf-8", "replace").replace("\ufffd", "")


@requirement("lightroom.simulator")
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no value"),
        ("[1,]", "no value"),
        ('{"a":1,}', "no key"),
        ("{a:1}", "no key"),
        ('{"a" 1}', "no colon"),
        ("[1 2]", "no comma"),
        ('"a', "without an end"),
        ('"\n"', "control character"),
        ('"\\x"', "unknown escape"),
        ('"\\u12g4"', "broken \\u escape"),
        ('"\\ud800"', "surrogate"),
        ('"\\ud800\\u0041"', "surrogate"),
        ('"\\udc00"', "surrogate"),
        ("01", "more text"),
        ("1.", "more text"),
        ("+1", "no value"),
        ("NaN", "no value"),
        ("1e999", "out of range"),
        ("nul", "no value"),
        ("{} {}", "more text"),
        (b'"\xff"', "not UTF-8"),
        ("[" * 70 + "]" * 70, "nested too deeply"),
    ],
)
def test_what_is_no_json_is_refused_with_a_reason(text: str | bytes, says: str) -> None:
    assert says in refusal(text)


@requirement("lightroom.simulator")
def test_empty_lists_and_objects_stay_what_they_are() -> None:
    assert through('{"a":[],"b":{},"c":[[]]}') == {"a": [], "b": {}, "c": [[]]}


@requirement("lightroom.simulator")
def test_astral_characters_come_through_as_escapes_and_as_bytes() -> None:
    assert through('"\\ud83d\\udcf7 📷"') == "📷 📷"


@requirement("lightroom.simulator")
def test_large_whole_numbers_are_written_as_such() -> None:
    assert THROUGH(b"[4294967296,-9007199254740992,1e3,1.5]") == b"[4294967296,-9007199254740992,1000,1.5]"
