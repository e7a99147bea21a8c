"""Dialogs, their controls, bars of progress, passwords and programs, used wrongly."""

from __future__ import annotations

from typing import Final

from tests.lightroom.misuse import Fact, Misuse

__all__ = ("MISUSES",)

FORM: Final = """
local LrView, LrDialogs = import("LrView"), import("LrDialogs")
local f = LrView.osFactory()
local p = context(function(c) return import("LrBinding").makePropertyTable(c) end)
local function bound(key) return LrView.bind({ key = key, bind_to_object = p }) end
local function present(options) return LrDialogs.presentModalDialog(options) end
"""


def form(what: str, wrong: str, says: str, right: str = "") -> Misuse:
    """A misuse of dialogs, with what they are made of at hand."""
    return Misuse(what, FORM + wrong, says, FORM + right if right else "")


MISUSES: Final[dict[Fact, tuple[Misuse, ...]]] = {
    "dialogs, passwords and programs": (
        form(
            "an unknown control",
            'f:text_field({ value = "x" })',
            "has no 'text_field'",
            'f:edit_field({ value = "x" })',
        ),
        form(
            "a property of another control",
            'f:push_button({ title = "x", value = "y" })',
            "a push_button has no property 'value'",
            'f:push_button({ title = "x", action = function() end })',
        ),
        form(
            "the title of a control that is no text",
            "f:static_text({ title = 5 })",
            "must be string|a binding, got number",
        ),
        form(
            "a menu without a list",
            'f:popup_menu({ value = bound("x"), items = "a,b" })',
            "must be table, got string",
            'f:group_box({ title = "x", f:separator({}), f:spacer({ height = 5 }), '
            'f:popup_menu({ value = bound("x"), items = { { title = "A", value = "a" } } }) })',
        ),
        form("a control inside a control", 'f:checkbox({ f:row({}), title = "x" })', "takes no table as its content"),
        form(
            "a text among the controls of a row",
            'f:row({ "x" })',
            "takes no string as its content",
            "f:row({ f:row({}) })",
        ),
        form("a field that is bound to nothing", 'LrView.bind({ key = "x" })', "needs key and bind_to_object"),
        form("a binding by its name alone", 'LrView.bind("x")', "table expected, got string", 'bound("x")'),
        form("a misspelt binding", 'LrView.bind({ name = "x", bind_to_object = p })', "knows no option 'name'"),
        form("a property under a number", "p[1] = 2", "takes text keys", 'p.one = "x"'),
        Misuse(
            "a property table without a context",
            'import("LrBinding").makePropertyTable()',
            "LrFunctionContext expected, got nil",
        ),
        form(
            "a dialog without contents",
            'present({ title = "x" })',
            "needs a title and contents",
            'assert(present({ title = "x", contents = f:row({}) }) == "cancel")',
        ),
        form(
            "a dialog with an unknown option",
            'present({ title = "x", contents = f:row({}), okVerb = "Go" })',
            "knows no option 'okVerb'",
            'present({ title = "x", contents = f:row({}), actionVerb = "Go" })',
        ),
        form("a dialog of a table", 'present({ title = "x", contents = {} })', "a panel is made of views"),
        form(
            "a modal dialog inside a gate",
            'gate(function() present({ title = "x", contents = f:row({}) }) end)',
            "must not be called inside a write gate",
        ),
        form(
            "a dialog inside a plain pcall",
            'assert(pcall(present, { title = "x", contents = f:row({}) }))',
            "attempt to yield across metamethod/C-call boundary",
        ),
        Misuse(
            "a bar without a context",
            'import("LrProgressScope")({ title = "x" })',
            "needs a title and the function's context",
            'context(function(c) import("LrProgressScope")({ title = "x", functionContext = c }):done() end)',
        ),
        Misuse(
            "a portion that is no number",
            'context(function(c) import("LrProgressScope")({ title = "x", functionContext = c })'
            ':setPortionComplete("half") end)',
            "number expected, got string",
        ),
        Misuse(
            "a bar that is asked in other words",
            'context(function(c) import("LrProgressScope")({ title = "x", functionContext = c }):isCancelled() end)',
            "has no 'isCancelled'",
        ),
        Misuse(
            "a password that is removed",
            'import("LrPasswords").remove("x")',
            "LrPasswords has no 'remove'",
            'import("LrPasswords").store("x", "") assert(import("LrPasswords").retrieve("x") == "")',
        ),
        Misuse("a password of nothing", 'import("LrPasswords").store("x", nil)', "string expected, got nil"),
        Misuse(
            "a password inside a plain pcall",
            'assert(pcall(import("LrPasswords").retrieve, "x"))',
            "attempt to yield across metamethod/C-call boundary",
        ),
        Misuse(
            "a program as a list",
            'LrTasks.execute({ "ls" })',
            "string expected, got table",
            'assert(LrTasks.execute("ls") == 127)',
        ),
        Misuse(
            "a program inside a gate",
            'gate(function() LrTasks.execute("ls") end)',
            "LrTasks.execute must not be called inside a write gate",
        ),
    ),
}
