"""Grammars of schemas on every backend that is there: what a model may write, whatever it wants."""

from __future__ import annotations

import json
import sys
from random import Random
from typing import Any, Final

import jsonschema
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from safelight.engines.engine import GrammarName
from safelight.engines.grammar import Grammars, refused
from safelight.errors import ModelError, SchemaNotSupported
from safelight.models.schemas import grammar_schema
from tests.engines.vocabularies import BACKENDS, grammars, real_vocabulary, written_at_random, written_with
from tests.models.json_schemas import schemas

on_each_backend = pytest.mark.parametrize("backend", BACKENDS)

TEXT: Final = {"type": "string", "maxLength": 40}


def closed(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def wanting(*texts: str) -> np.ndarray[Any, np.dtype[np.float32]]:
    """The logits of a model that wants these tokens, the first most, and nothing else more than another."""
    vocabulary = real_vocabulary()
    logits = np.zeros(vocabulary.size, dtype=np.float32)
    for place, text in enumerate(texts):
        (token,) = vocabulary.tokenize(text, control=False)
        logits[token] = len(texts) - place
    return logits


@on_each_backend
@given(schema=schemas(), seed=st.integers(0, 2**32))
def test_whatever_is_written_is_json_of_the_schema(backend: GrammarName, schema: Any, seed: int) -> None:
    try:
        normal = grammar_schema(schema)
    except SchemaNotSupported:
        assume(False)
        raise
    assume(refused(backend, normal) is None)
    guide = grammars(backend).guide(json.dumps(normal))
    text = written_at_random(guide, Random(seed))
    if text is not None:
        jsonschema.validate(json.loads(text), normal)


@on_each_backend
@pytest.mark.parametrize("wanted", [" harbour", "é", " a", "\\", "\\n", "\\u", "😀"])
def test_a_model_that_repeats_itself_for_ever_stops_at_the_cap(backend: GrammarName, wanted: str) -> None:
    vocabulary = real_vocabulary()
    logits = np.zeros(vocabulary.size, dtype=np.float32)
    logits[vocabulary.tokenize(wanted, control=False)] = 1
    schema = closed(analysis={"type": "string", "maxLength": 50}, reply={"type": "string", "maxLength": 7})
    answer = json.loads(written_with(grammars(backend).guide(json.dumps(schema)), logits))
    assert len(answer["analysis"]) <= 50
    assert len(answer["reply"]) <= 7


@on_each_backend
def test_a_cap_is_reached_to_the_character(backend: GrammarName) -> None:
    guide = grammars(backend).guide(json.dumps(closed(text={"type": "string", "maxLength": 50})))
    assert json.loads(written_with(guide, wanting(" a"))) == {"text": " a" * 25}


@on_each_backend
def test_a_model_that_wants_to_end_a_string_at_once_writes_its_least_length(backend: GrammarName) -> None:
    guide = grammars(backend).guide(json.dumps(closed(text={"type": "string", "minLength": 3, "maxLength": 9})))
    assert len(json.loads(written_with(guide, wanting('"', '"}', "a")))["text"]) == 3


@on_each_backend
@pytest.mark.parametrize("value", ['two\nlines, "quoted" \\ \t', "Größe 😀 名前", "", "a/b", "x" * 40, '"' * 40])
def test_newlines_quotes_and_every_letter_can_be_written(backend: GrammarName, value: str) -> None:
    answer = json.dumps({"text": value}, ensure_ascii=False, separators=(",", ":"))
    assert admitted(backend, closed(text=TEXT), answer)


@on_each_backend
@pytest.mark.parametrize(
    "text", ["x" * 41, "\\n" * 41, "é" * 41, "😀" * 41, "a\tb", "a\x00b", "\\ud83d", "\\a", "a\nb"]
)
def test_longer_strings_and_what_json_has_not_cannot_be_written(backend: GrammarName, text: str) -> None:
    assert not admitted(backend, closed(text=TEXT), f'{{"text":"{text}"}}')


@on_each_backend
@pytest.mark.parametrize("text", ['{"text": "a"}', '{ "text":"a"}', '{"text":"a","more":1}', "{}", '{"text":1}'])
def test_no_space_stands_between_tokens_and_no_key_is_made_up(backend: GrammarName, text: str) -> None:
    assert not admitted(backend, closed(text=TEXT), text)


def admitted(backend: GrammarName, schema: dict[str, Any], text: str) -> bool:
    """Whether the tokens of ``text`` are all allowed, and the answer is whole behind them."""
    guide = grammars(backend).guide(json.dumps(schema, ensure_ascii=False))
    for token in real_vocabulary().tokenize(text, control=False):
        if guide.finished or not allowed(guide.bits(), token):
            return False
        guide.accept(token)
    return guide.finished


def allowed(bits: np.ndarray[Any, np.dtype[np.int32]], token: int) -> bool:
    return bool(bits[token // 32] >> (token % 32) & 1)


@on_each_backend
@pytest.mark.parametrize("wanted", ["1", "0", "9", "-"])
def test_a_number_comes_to_its_end_whatever_digit_a_model_wants(backend: GrammarName, wanted: str) -> None:
    schema = closed(size={"type": "number"}, sizes={"type": "array", "items": {"type": "number"}, "maxItems": 2})
    guide = grammars(backend).guide(json.dumps(schema))
    written = json.loads(written_with(guide, wanting(wanted, "."), most=200))
    assert all(abs(size) < 2**53 for size in (written["size"], *written["sizes"]))


@on_each_backend
@pytest.mark.parametrize("number", ["0", "-1", "2.5", "-0.25", "0.000001", "123456789.123456", "9007199254740991"])
def test_every_usual_number_can_be_written(backend: GrammarName, number: str) -> None:
    assert admitted(backend, closed(size={"type": "number"}), f'{{"size":{number}}}')


@on_each_backend
def test_what_must_follow_is_forced_and_not_asked_for(backend: GrammarName) -> None:
    guide = grammars(backend).guide(json.dumps(closed(analysis=TEXT, reply=TEXT)))
    beginning = real_vocabulary().text(guide.forced())
    assert beginning
    assert b'{"analysis":"'.startswith(beginning)


@on_each_backend
def test_tokens_are_taken_back(backend: GrammarName) -> None:
    vocabulary = real_vocabulary()
    guide = grammars(backend).guide(json.dumps(closed(text={"type": "string", "maxLength": 5})))
    for token in vocabulary.tokenize('{"text":"ab', control=False):
        guide.accept(token)
    before = guide.bits().copy()
    more = vocabulary.tokenize("cde", control=False)
    for token in more:
        guide.accept(token)
    assert not (guide.bits() == before).all()
    guide.rollback(len(more))
    assert (guide.bits() == before).all()


@on_each_backend
def test_two_answers_under_one_grammar_do_not_meet(backend: GrammarName) -> None:
    schema = json.dumps(closed(text=TEXT))
    first, second = grammars(backend).guide(schema), grammars(backend).guide(schema)
    before = second.bits().copy()
    first.accept(real_vocabulary().tokenize('{"', control=False)[0])
    assert (second.bits() == before).all()


@on_each_backend
def test_a_token_that_is_not_allowed_ends_in_words_and_no_mask_follows(backend: GrammarName) -> None:
    guide = grammars(backend).guide(json.dumps(closed(text=TEXT)))
    with pytest.raises(ModelError, match="grammar failed"):
        guide.accept(real_vocabulary().tokenize("hello", control=False)[0])
    with pytest.raises(ModelError, match="grammar failed"):
        guide.bits()
    with pytest.raises(ModelError, match="grammar failed"):
        guide.mask(np.zeros(real_vocabulary().size, dtype=np.float32))


@on_each_backend
def test_a_schema_that_cannot_be_built_is_said_in_words(backend: GrammarName) -> None:
    with pytest.raises(ModelError, match="cannot be built"):
        grammars(backend).guide('{"type": "integer", "minimum": 3, "maximum": 2}')


@pytest.mark.parametrize("name", ["größe", "année", "é1", "Bébé"])
def test_xgrammar_refuses_an_accent_before_a_hex_digit_wherever_it_is_written(name: str) -> None:
    inner = closed(**{name: TEXT})
    for schema in (inner, {"enum": ["a", name]}, closed(list={"type": "array", "items": inner, "maxItems": 3})):
        assert (reason := refused("xgrammar", schema)) and name in reason
        assert refused("llguidance", schema) is None
    answer = json.dumps({name: "a"}, ensure_ascii=False, separators=(",", ":"))
    assert admitted("llguidance", inner, answer)


@on_each_backend
@pytest.mark.parametrize("name", ["Länge", "名前", "😀", "title", "$ref", 'a"b', "a\nb", "\\", "/", "é"])
def test_other_names_can_be_written(backend: GrammarName, name: str) -> None:
    schema = closed(**{name: TEXT})
    assert refused(backend, schema) is None
    assert admitted(backend, schema, json.dumps({name: "a"}, ensure_ascii=False, separators=(",", ":")))


def test_without_xgrammar_its_choice_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xgrammar", None)
    vocabulary = real_vocabulary()
    with pytest.raises(ModelError, match="pip install"):
        Grammars(vocabulary.for_grammars(), vocabulary.size, "xgrammar")
