"""The running service holds to the contract: routes both ways, tokens, structs, events."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args, get_type_hints

import msgspec
import pytest
from litestar.routes import ASGIRoute, HTTPRoute

from safelight.app import create_app
from safelight.guard.doors import OPENS
from safelight.settings import Settings
from safelight.wire import models
from safelight.wire.base import Request
from safelight.wire.tool_table import LIVE_EVENTS, NUMBERED_EVENTS
from tests.contract.normal import comparable
from tests.live import CONTRACT, operations
from tests.requirement import requirement

SCHEMAS: dict[str, Any] = CONTRACT["components"]["schemas"]


def served_routes(folder: Path) -> dict[tuple[str, str], tuple[str, ...]]:
    """(method, path) -> the schemes that open it, of the application."""
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for route in create_app(Settings(data_dir=folder)).litestar.routes:
        if isinstance(route, HTTPRoute):
            for handler in route.route_handlers:
                for method in handler.http_methods - {"OPTIONS"}:
                    found[method, route.path_format] = handler.opt[OPENS]
        elif isinstance(route, ASGIRoute):
            for method in ("POST", "DELETE"):
                found[method, route.path_format] = route.route_handler.opt[OPENS]
    return found


@requirement("contract.served")
def test_the_service_has_exactly_the_routes_of_the_contract(tmp_path: Path) -> None:
    expected = {
        (method, path): {scheme for entry in operation["security"] for scheme in entry}
        for method, path, operation in operations()
    }
    assert {route: set(schemes) for route, schemes in served_routes(tmp_path).items()} == expected


@requirement("contract.served")
def test_every_operation_says_its_errors(tmp_path: Path) -> None:
    for method, path, operation in operations():
        answers = set(operation["responses"])
        if "requestBody" in operation:
            assert {"400", "413", "415"} <= answers, (method, path)
        if "{" in path or "requestBody" in operation:
            assert "400" in answers, (method, path)
        assert "403" in answers, (method, path)


@requirement("contract.single-source")
@pytest.mark.parametrize("name", [name for name, schema in SCHEMAS.items() if schema.get("type") == "object"])
def test_a_struct_says_the_same_as_its_component(name: str) -> None:
    struct = getattr(models, name)
    _, components = msgspec.json.schema_components([struct], ref_template="#/components/schemas/{name}")
    ours = comparable(SCHEMAS[name], SCHEMAS)
    theirs = comparable(components[name], components)
    closed = ours.pop("additionalProperties", None)
    theirs.pop("additionalProperties", None)
    assert theirs == ours
    if issubclass(struct, Request):
        assert closed is False


@requirement("contract.single-source")
def test_every_request_body_refuses_unknown_fields() -> None:
    for _, _, operation in operations():
        content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
        name = content.get("schema", {}).get("$ref", "").rsplit("/", 1)[-1]
        if name:
            assert issubclass(getattr(models, name), Request), name


@requirement("contract.events")
def test_the_event_union_its_mapping_its_table_and_the_structs_agree() -> None:
    event = SCHEMAS["Event"]
    members = [entry["$ref"].rsplit("/", 1)[1] for entry in event["oneOf"]]
    mapping = {tag: target.rsplit("/", 1)[1] for tag, target in event["discriminator"]["mapping"].items()}
    assert sorted(mapping.values()) == sorted(members)
    rows = dict(re.findall(r"^\| (\w+) \| ((?:live|numbered) \|.*) \|$", event["description"], re.MULTILINE))
    union = {struct.__struct_config__.tag: struct for struct in get_args(get_args(models.Event)[0])}
    assert set(rows) == set(mapping) == set(union)
    for tag, name in mapping.items():
        schema = SCHEMAS[name]
        delivery, _, fields = rows[tag].partition(" |")
        assert schema["x-delivery"] == delivery
        assert schema["properties"]["type"] == {"type": "string", "const": tag}
        own = [field for field in schema["properties"] if field not in {"type", "seq"}]
        told = [field.strip() for field in fields.split(",") if field.strip()]
        assert [field.removesuffix("?") for field in told] == own
        optional = {field.removesuffix("?") for field in told if field.endswith("?")}
        assert ("seq" in schema["properties"]) == (delivery == "numbered")
        assert set(schema["required"]) == set(schema["properties"]) - optional
        encoded = [field.encode_name for field in msgspec.structs.fields(union[tag])]
        assert sorted(encoded) == sorted([*own, *(["seq"] if delivery == "numbered" else [])])
    assert {tag for tag, name in mapping.items() if SCHEMAS[name]["x-delivery"] == "numbered"} == NUMBERED_EVENTS
    assert set(mapping) - NUMBERED_EVENTS == LIVE_EVENTS


@requirement("contract.events")
def test_the_events_of_the_agent_chat_document_have_their_fields() -> None:
    documented = {
        "user_message": {"text"},
        "delta": {"kind", "text"},
        "assistant_turn": {"reasoning", "text"},
        "tool_call": {"call_id", "tool", "title", "class", "arguments", "photos"},
        "approval_needed": {"call_id", "reason"},
        "tool_running": {"call_id"},
        "tool_done": {"call_id", "ok", "text", "set_id", "count", "warnings", "images"},
        "tool_skipped": {"call_id", "reason"},
        "warning": {"message"},
        "error": {"message"},
        "stopped": set[str](),
        "busy": {"busy"},
        "usage": {"prompt_tokens", "context_window"},
    }
    mapping = SCHEMAS["Event"]["discriminator"]["mapping"]
    for tag, fields in documented.items():
        assert fields <= set(SCHEMAS[mapping[tag].rsplit("/", 1)[1]]["properties"]), tag


def test_type_hints_of_all_structs_can_be_read() -> None:
    for name in SCHEMAS:
        struct = getattr(models, name)
        if isinstance(struct, type):
            assert get_type_hints(struct)
