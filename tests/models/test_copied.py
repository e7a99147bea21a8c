"""What a small model's next answer may be: the chosen call with known values, or a reply about a result."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest

from safelight.conversation.parts import ToolResult
from safelight.models.copied import call_schema, filled, replies_of, reply_of
from safelight.models.local_examples import PATTERNS
from safelight.models.practised import practised
from safelight.models.schemas import answer_of, argument_schemas
from safelight.models.steps import Step
from tests.models.offers import OFFERS

ARGUMENTS, _ = argument_schemas(practised(OFFERS))


def schema(pattern: str, message: str, *, copy_words: bool = True, **fixed: str) -> dict[str, Any]:
    one = PATTERNS[pattern]
    made = call_schema(ARGUMENTS[str(one.tool)], Step(one, fixed), message, copy_words=copy_words)
    assert made is not None
    return made


def test_a_text_is_words_of_the_message_next_to_each_other() -> None:
    texts = schema("text", "Find “old boats”, please!")["properties"]["text"]["enum"]
    assert {"Find", "old", "boats", "old boats", "please", "old boats”, please"} <= set(texts)
    assert not {"Find boats", "Find “old boats”, please"} & set(texts), "neither with a gap, nor all of it"


def test_without_the_rule_a_text_is_free() -> None:
    assert schema("text", "Find boats", copy_words=False)["properties"]["text"] == {
        "type": "string",
        "minLength": 1,
        "maxLength": 200,
    }


def test_dates_are_of_the_years_that_the_message_names() -> None:
    properties = schema("year", "All of 2019 and 2021, not 12345")["properties"]
    assert properties["captured_from"] == properties["captured_to"] == {"enum": ["2019", "2021"]}
    months = schema("month", "All of May 2019")["properties"]["captured_from"]["enum"]
    assert (len(months), months[0], months[-1]) == (12, "2019-01", "2019-12")
    assert list(schema("text_year", "Boats of last year")["properties"]) == ["text"], "nothing says which year"
    assert "enum" not in schema("year", "All of last year")["properties"]["captured_from"], "the model has to say it"


def test_a_keyword_is_one_and_copied_and_known_values_stand_in_the_schemas_order() -> None:
    properties = schema("keyword", "Tag these with sea", set="set_a")["properties"]
    assert list(properties) == ["add", "set"]
    assert (properties["add"]["minItems"], properties["add"]["maxItems"]) == (1, 1)
    assert "sea" in properties["add"]["items"]["enum"]
    assert properties["set"] == {"enum": ["set_a"]}


@pytest.mark.parametrize("name", [name for name, pattern in PATTERNS.items() if pattern.tool])
def test_every_worked_call_is_one_that_its_own_message_allows(name: str) -> None:
    pattern = PATTERNS[name]
    for example in pattern.examples:
        made = schema(name, example.message)
        answer = {"analysis": pattern.analysis, "call": {str(pattern.tool): example.arguments}}
        jsonschema.validate(answer, filled(answer_of({str(pattern.tool): made}, may_reply=False), pattern.analysis))
        assert list(example.arguments) == list(made["properties"])


def test_a_tool_with_other_arguments_than_the_pattern_is_not_called() -> None:
    other = {"type": "object", "properties": {"stars": {"type": "integer"}}, "required": ["stars"]}
    assert call_schema(other, Step(PATTERNS["rate"]), "Rate it", copy_words=True) is None


def result(text: str, outcome: Any = "success") -> ToolResult:
    return ToolResult(call_id="c", tool="t", outcome=outcome, text=text)


def test_a_reply_says_what_the_result_says() -> None:
    assert replies_of(PATTERNS["text"], result('{"count":3,"set_id":"s"}'))[0] == "Photos found: 3."
    assert replies_of(PATTERNS["rate"], result('{"applied":["a","b"]}'))[0] == "Photos changed: 2."
    failed = replies_of(PATTERNS["rate"], result("NO_SELECTION: Nothing is selected.", "failed"))
    assert failed[0] == "Lightroom did not do that. NO_SELECTION: Nothing is selected."


@pytest.mark.parametrize("text", ["{", "[1]", '{"other":1}', "Cut off in the middle…"])
def test_a_result_without_the_fields_leaves_the_reply_to_the_model(text: str) -> None:
    texts = replies_of(PATTERNS["text"], result(text))
    assert texts == ()
    assert reply_of(None, "They ask.")["properties"]["reply"]["type"] == "string"
    assert reply_of("A.", "They ask.")["properties"] == {"analysis": {"enum": ["They ask."]}, "reply": {"enum": ["A."]}}
