"""What runs without asking."""

from __future__ import annotations

import itertools
from typing import get_args

import pytest

from safelight.gate.decision import Ask, DecisionInput, Refuse, Run, class_of, decide, stricter
from safelight.wire.models import Mode, Role, Rule, ToolClass
from safelight.wire.tool_table import TOOLS
from tests.requirement import requirement

MODES: tuple[Mode, ...] = ("ask_all", "auto_read", "auto_safe", "auto_all")
CLASSES: tuple[ToolClass, ...] = ("read", "change", "destructive")
RULES: tuple[Rule | None, ...] = (None, "allow", "ask", "block")
ROLES: tuple[Role, ...] = ("viewer", "editor", "owner")


def given(**changes: object) -> DecisionInput:
    values: dict[str, object] = {
        "tool_class": "destructive",
        "role": "owner",
        "mode": "auto_read",
        "rule": None,
        "photos": 3,
        "bulk_limit": 200,
    }
    return DecisionInput(**(values | changes))  # type: ignore[arg-type]  # a table of test values


@requirement("perm.modes")
@pytest.mark.parametrize(
    ("mode", "free"),
    [
        ("ask_all", set[str]()),
        ("auto_read", {"read"}),
        ("auto_safe", {"read", "change"}),
        ("auto_all", {"read", "change", "destructive"}),
    ],
)
def test_a_mode_lets_exactly_its_classes_run(mode: Mode, free: set[str]) -> None:
    for tool_class in CLASSES:
        decision = decide(given(mode=mode, tool_class=tool_class))
        assert isinstance(decision, Run if tool_class in free else Ask)


@requirement("perm.rules")
def test_a_block_wins_over_everything_and_a_role_over_a_block() -> None:
    """anthropics/claude-code#94314, anthropics/claude-code#82420, anthropics/claude-code#21833: a rule that allows won
    over one that denies."""
    for mode, tool_class, role, allowed in itertools.product(MODES, CLASSES, ROLES, (True, False)):
        decision = decide(given(mode=mode, tool_class=tool_class, role=role, rule="block", allowed_for_chat=allowed))
        assert isinstance(decision, Refuse)


@requirement("perm.rules")
def test_an_ask_rule_asks_even_in_auto_all_and_for_reading() -> None:
    for tool_class in CLASSES:
        decision = decide(given(mode="auto_all", tool_class=tool_class, rule="ask"))
        assert isinstance(decision, Ask)
        assert decision.reason.kind == "rule"


@requirement("perm.bulk")
def test_more_photos_than_the_limit_ask_even_when_allowed() -> None:
    for rule, mode, allowed in itertools.product((None, "allow"), MODES, (True, False)):
        decision = decide(given(mode=mode, rule=rule, allowed_for_chat=allowed, photos=201))
        assert isinstance(decision, Ask)
    decision = decide(given(rule="allow", photos=201))
    assert isinstance(decision, Ask)
    assert (decision.reason.kind, decision.reason.photos, decision.reason.limit) == ("bulk", 201, 200)


@requirement("perm.bulk")
@pytest.mark.parametrize(("photos", "limit"), [(200, 200), (5_000, 0), (None, 1)])
def test_the_bulk_limit_lets_pass_what_is_not_over_it(photos: int | None, limit: int) -> None:
    assert isinstance(decide(given(rule="allow", photos=photos, bulk_limit=limit)), Run)


@requirement("perm.bulk")
def test_the_bulk_limit_is_for_destructive_calls_only() -> None:
    assert isinstance(decide(given(tool_class="change", mode="auto_safe", photos=9_999)), Run)


@requirement("auth.roles")
@pytest.mark.parametrize(("role", "reach"), [("viewer", 1), ("editor", 2), ("owner", 3)])
def test_a_role_reaches_its_classes_and_no_others(role: Role, reach: int) -> None:
    for place, tool_class in enumerate(CLASSES):
        decision = decide(given(role=role, mode="auto_all", tool_class=tool_class))
        assert isinstance(decision, Run if place < reach else Refuse)


def expected(tool_class: ToolClass, mode: Mode, rule: Rule | None, *, bulk: bool, allowed: bool) -> str:
    """The rule of the table in one place: deny before ask, ask before allow."""
    if rule == "block":
        return "blocked"
    if rule == "ask" and not allowed:
        return "ask: rule"
    free = {"ask_all": 0, "auto_read": 1, "auto_safe": 2, "auto_all": 3}[mode] > CLASSES.index(tool_class)
    if rule != "allow" and not allowed and not free:
        return "ask: mode"
    return "ask: bulk" if bulk and tool_class == "destructive" else "run"


@requirement("perm.modes", "perm.rules", "perm.bulk")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("tool_class", CLASSES)
def test_modes_classes_rules_and_the_limit_decide_as_in_the_table(mode: Mode, tool_class: ToolClass) -> None:
    for rule, bulk, allowed in itertools.product(RULES, (False, True), (False, True)):
        photos = 201 if bulk else 200
        decision = decide(given(mode=mode, tool_class=tool_class, rule=rule, photos=photos, allowed_for_chat=allowed))
        if isinstance(decision, Ask):
            said = f"ask: {decision.reason.kind}"
        else:
            said = decision.why if isinstance(decision, Refuse) else "run"
        assert said == expected(tool_class, mode, rule, bulk=bulk, allowed=allowed)


def test_every_input_gets_a_decision_and_nothing_destructive_runs_unasked_below_auto_all() -> None:
    for tool_class, role, mode, rule, photos, limit in itertools.product(
        CLASSES, ROLES, MODES, RULES, (None, 0, 1, 500), (0, 200)
    ):
        decision = decide(
            given(tool_class=tool_class, role=role, mode=mode, rule=rule, photos=photos, bulk_limit=limit)
        )
        if isinstance(decision, Run) and tool_class == "destructive":
            assert mode == "auto_all" or rule == "allow"


@requirement("perm.class")
def test_classes_follow_from_the_annotations() -> None:
    changing = {
        "show_photos",
        "create_collection",
        "create_smart_collection",
        "add_to_collection",
        "remove_from_collection",
        "create_snapshot",
        "create_virtual_copies",
        "index_photos",
        "export_photos",
    }
    destructive = {
        "set_rating",
        "set_flag",
        "set_label",
        "set_metadata",
        "edit_keywords",
        "set_develop_settings",
        "apply_preset",
        "copy_develop_settings",
        "auto_tone",
        "reset_develop",
        "delete_collection",
        "undo_change",
    }
    expected = {
        name: "destructive" if name in destructive else "change" if name in changing else "read" for name in TOOLS
    }
    assert changing | destructive < set(TOOLS)
    assert {name: class_of(spec) for name, spec in TOOLS.items()} == expected


def test_the_stricter_mode_asks_more() -> None:
    assert stricter("auto_all", "auto_read") == "auto_read"
    assert stricter("ask_all", "auto_all") == "ask_all"
    assert stricter("auto_safe", "auto_safe") == "auto_safe"
    assert set(get_args(get_args(Mode)[0])) == set(MODES)
