"""The grammar of a local model's answer: making it for many tools, and masking the next token with it."""

from __future__ import annotations

import copy
import json
import statistics
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Any, Final

import llguidance
import llguidance.numpy as llnumpy
import numpy as np

from safelight.engines.grammar import Grammars
from safelight.engines.llama_vocabulary import Vocabulary
from safelight.models.schemas import answer_schema
from tests.bench.local_models import opened_vocabulary, vocabulary_models
from tests.bench.measured import Measured, measured, percentile
from tests.models.offers import OFFERS

__all__ = ("made_up_tools", "measure")

REPEATS: Final = 9
ROUNDS: Final = 8
FEW: Final = 25
MANY: Final = 300
TARGETS: Final = {FEW: 15.0, MANY: 100.0}
ll: Any = llguidance
ll_numpy: Any = llnumpy


def measure() -> list[Measured]:
    """For each vocabulary that is on this computer."""
    found: list[Measured] = []
    with tempfile.TemporaryDirectory() as folder:
        for model in vocabulary_models(Path(folder)):
            with opened_vocabulary(model) as vocabulary:
                found += _of_vocabulary(f"{model.title}'s {vocabulary.size:,} tokens", vocabulary)
    return found


def _of_vocabulary(which: str, vocabulary: Vocabulary) -> list[Measured]:
    tokenizer = vocabulary.for_grammars()
    found = [
        measured(
            f"grammar: schema and grammar of {count} tools, {which}",
            _making(tokenizer, vocabulary.size, count) * 1e3,
            "ms",
            target=target,
        )
        for count, target in TARGETS.items()
    ]
    masks, picks = _walk(tokenizer, vocabulary)
    return [
        *found,
        measured(f"grammar: mask, median, {which}", statistics.median(masks) * 1e6, "us", target=60),
        measured(f"grammar: mask, p99, {which}", percentile(masks, 99) * 1e6, "us", target=1_000),
        measured(f"grammar: mask, apply and pick, median, {which}", statistics.median(picks) * 1e3, "ms", target=0.5),
    ]


# --- making --------------------------------------------------------------------------------------------------


def made_up_tools(count: int) -> list[dict[str, Any]]:
    """So many tools shaped like the contract's. No two share a name, a limit or an argument's name, so that nothing
    of one can be used for another."""
    tools: list[dict[str, Any]] = []
    for number in range(count):
        offer = OFFERS[number % len(OFFERS)]
        schema = copy.deepcopy(offer.input_schema)
        renamed = {name: f"{name}_{number}" for name in schema.get("properties", {})}
        schema["properties"] = {renamed[name]: _varied(node, number) for name, node in schema["properties"].items()}
        if "required" in schema:
            schema["required"] = [renamed[name] for name in schema["required"]]
        if "oneOf" in schema:
            schema["oneOf"] = [{"required": [renamed[name] for name in one["required"]]} for one in schema["oneOf"]]
        tools.append({"name": f"{offer.name}_{number}", "inputSchema": schema})
    return tools


def _varied(node: dict[str, Any], number: int) -> dict[str, Any]:
    return {**node, "maxLength": node["maxLength"] + number} if "maxLength" in node else node


def _making(tokenizer: Any, vocabulary: int, count: int) -> float:
    """From the tools as MCP sends them to a guide for the first answer; the median. Nothing is kept from before."""
    took: list[float] = []
    for _ in range(REPEATS):
        tools = made_up_tools(count)
        grammars = Grammars(tokenizer, vocabulary)
        began = time.perf_counter()
        grammars.guide(_schema_text(tools))
        took.append(time.perf_counter() - began)
    return statistics.median(took)


def _schema_text(tools: list[dict[str, Any]]) -> str:
    schema, set_aside = answer_schema(tools)
    assert not set_aside
    return json.dumps(schema, ensure_ascii=False, separators=(",", ":"))


# --- masking -------------------------------------------------------------------------------------------------


def _walk(tokenizer: Any, vocabulary: Vocabulary) -> tuple[list[float], list[float]]:
    """Through answers under the grammar of 25 tools, as the engine goes: forced tokens are not masked. The seconds of
    every mask alone, and of every mask with what turns it into a token."""
    schema = _schema_text(made_up_tools(FEW))
    grammars = Grammars(tokenizer, vocabulary.size)
    # The mask alone is llguidance's part; the guide offers it only together with its use.
    rules = ll.LLMatcher.grammar_from_json_schema(schema, defaults={"whitespace_flexible": False})
    bits = ll_numpy.allocate_token_bitmask(1, vocabulary.size)
    model_says = np.random.default_rng(7).normal(size=vocabulary.size).astype(np.float32)
    masks: list[float] = []
    picks: list[float] = []
    for answer in _answers() * ROUNDS:
        guide = grammars.guide(schema)
        matcher = ll.LLMatcher(tokenizer, rules, log_level=0)
        left = answer.encode()
        while True:
            forced = [] if guide.finished else guide.forced()
            matcher.consume_tokens(forced)
            left = _without(left, vocabulary.text(forced))
            if guide.finished:
                break
            logits = model_says.copy()
            began = time.perf_counter()
            guide.mask(logits)
            int(np.argmax(logits))
            picks.append(time.perf_counter() - began)
            began = time.perf_counter()
            ll_numpy.fill_next_token_bitmask(matcher, bits, 0)
            masks.append(time.perf_counter() - began)
            token = _next_token(vocabulary, left)
            assert logits[token] > -np.inf, left
            guide.accept(token)
            matcher.consume_token(token)
            left = _without(left, vocabulary.text([token]))
        assert not left
    return masks, picks


def _next_token(vocabulary: Vocabulary, left: bytes) -> int:
    """The first token of what is left of an answer, which may begin within a character."""
    if left[0] & 0xC0 != 0x80:
        return vocabulary.tokenize(left.decode(), control=False)[0]
    return next(token for token in range(vocabulary.size) if vocabulary.text([token]) == left[:1])


def _without(text: bytes, beginning: bytes) -> bytes:
    assert text.startswith(beginning), (text, beginning)
    return text[len(beginning) :]


def _made_up_call(tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """The call with the names of the made-up tool, its arguments in the order of the schema."""
    number = next(number for number, offer in enumerate(OFFERS) if offer.name == tool)
    order = list(OFFERS[number].input_schema["properties"])
    return {f"{tool}_{number}": {f"{name}_{number}": arguments[name] for name in order if name in arguments}}


def _answers() -> list[str]:
    """A call of each kind, and replies, written as the grammar wants them."""
    random = Random(7)
    calls: list[tuple[str, dict[str, Any]]] = [
        ("search_photos", {"text": "boats harbour", "rating_min": 3, "captured_from": "2024-05"}),
        ("get_photos", {"set": "k7xm", "limit": 20}),
        ("show_photos", {"photo_ids": [f"{random.getrandbits(128):032X}" for _ in range(5)]}),
        ("set_rating", {"set": "selection", "rating": 5}),
        ("search_photos", {"label": "red", "sort": "newest"}),
        ("set_metadata", {"set": "view", "title": 'Größe "XL", am Hafen'}),
    ]
    analysis = "The person wants the boats from May, so I look for them and then show what was found."
    reply = "I found 120 photos of boats. The best ten now have five stars; you can take that back with one undo."
    answers: list[dict[str, Any]] = [{"analysis": analysis, "call": _made_up_call(*call)} for call in calls]
    answers += [{"analysis": "All is done.", "reply": reply}, {"analysis": analysis, "reply": f"{reply} 😀"}]
    return [json.dumps(answer, ensure_ascii=False, separators=(",", ":")) for answer in answers]
