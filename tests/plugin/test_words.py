"""What people read of the plug-in: every text can be translated, each has a key of its own, and German is complete."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from pathlib import Path
from typing import Final

import pytest

from safelight.lightroom import Catalog, SimulatedLightroom, plugin_folder
from safelight.lightroom.panels import Panel
from tests.plugin.fake_bridge import FakeBridge
from tests.plugin.people import Answer
from tests.requirement import requirement

SOURCES: Final = {path.name: path.read_text("utf-8") for path in sorted(plugin_folder().glob("*.lua"))}
CALLS: Final = re.compile(r'\bLOC\(\s*"(\$\$\$/[\w/]+)=([^"]*)"')
LINE: Final = re.compile(r'"(\$\$\$/[\w/]+)=([^"]*)"')
TEXTS: Final = [found for source in SOURCES.values() for found in CALLS.findall(source)]
ENGLISH: Final = dict(TEXTS)
LANGUAGES: Final = sorted(path.stem.partition("_")[2] for path in plugin_folder().glob("TranslatedStrings_*.txt"))

NAMES: Final = {"OpenAI", "Anthropic", "Google Gemini", "Ollama", "LM Studio"}
"""What is called the same in each language."""


def translated(language: str) -> list[tuple[str, str]]:
    lines = (plugin_folder() / f"TranslatedStrings_{language}.txt").read_text("utf-8").splitlines()
    matches = [LINE.fullmatch(line) for line in lines]
    assert None not in matches
    return [(match[1], match[2]) for match in matches if match]


@requirement("plugin.settings")
def test_every_text_is_written_so_that_it_is_found_and_has_a_key_of_its_own() -> None:
    assert sum(len(re.findall(r"\bLOC\(", source)) for source in SOURCES.values()) == len(TEXTS)
    assert [key for key, count in Counter(key for key, _ in TEXTS).items() if count > 1] == []
    assert len(TEXTS) > 80


@requirement("plugin.settings")
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_is_complete_and_keeps_what_is_filled_in(language: str) -> None:
    texts = translated(language)
    assert [key for key, _ in texts] == sorted(ENGLISH)
    filled = {key: (sorted(re.findall(r"\^.", ENGLISH[key])), sorted(re.findall(r"\^.", text))) for key, text in texts}
    assert {key: both for key, both in filled.items() if both[0] != both[1]} == {}
    assert [key for key, text in texts if ENGLISH[key].endswith("...") != text.endswith("...")] == []


@requirement("plugin.settings")
def test_a_german_lightroom_shows_german(catalog: Catalog, data_folder: Path) -> None:
    assert LANGUAGES == ["de"]
    with SimulatedLightroom(catalog, data_folder=data_folder, language="de") as lightroom:
        assert lightroom.menu_titles()[0] == "Mit dem Katalog chatten..."
        assert "Der Safelight-Dienst läuft nicht." in [view.title for view in lightroom.manager_section()]


@requirement("plugin.settings")
def test_all_that_is_shown_is_translated(
    bridge: FakeBridge, catalog: Catalog, data_folder: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "Safelight.lrplugin"
    shutil.copytree(plugin_folder(), folder)
    dictionary = "\n".join(f'"{key}=«{text}»"' for key, text in ENGLISH.items())
    (folder / "TranslatedStrings_xx.txt").write_text(dictionary, encoding="utf-8")
    shown: list[str] = []

    def read(panel: Panel) -> Answer:
        shown.extend(panel.texts())
        return "ok"

    with SimulatedLightroom(catalog, data_folder=data_folder, plugin_folder=folder, language="xx") as lightroom:
        shown += lightroom.menu_titles()
        bridge.wait_for(lambda: bool(bridge.polls), "the first poll")
        manager = lightroom.open_manager()
        bridge.wait_for(lambda: "«No key»" in manager.texts(), "the look into the store")
        shown += manager.texts()
        lightroom.screen.visitors.extend([read, read, read])
        manager.press("«Copy MCP Configuration...»")
        lightroom.wait_for_buttons(manager)
        bridge.jobs = [{"job_id": "1", "kind": "index", "state": "done", "done": 1, "total": 1}]
        lightroom.choose_menu_item("«Analyze & Index Photos...»")
        lightroom.choose_menu_item("«Turn Read-Only Mode On or Off»")
        lightroom.computer.passwords["apiKey_openai"] = ""
        manager.press("«Set Key...»")
        lightroom.wait_for_buttons(manager)
        lightroom.prefs["chatModel"] = "openai:gpt"
        lightroom.screen.answers.append("ok")
        lightroom.choose_menu_item("«Chat with Your Catalog...»")
        shown += [dialog.message for dialog in lightroom.dialogs()]
        shown += [
            dialog.info for dialog in lightroom.dialogs() if dialog.style in ("confirm", "warning") and dialog.info
        ]
        shown += [bar.title for bar in lightroom.screen.progress]
        manager.close()
    assert len(shown) > 40
    assert [text for text in shown if text not in NAMES and not re.fullmatch("(«[^»]*» ?)+", text)] == []
