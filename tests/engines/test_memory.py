"""What a model takes and what the computer has left, as three systems say it, and the refusal in words."""

from __future__ import annotations

import ctypes
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from safelight.engines import memory as memory_module
from safelight.engines.engine import EngineSettings
from safelight.engines.free_memory import Memory, linux_memory, macos_memory, memory_now, windows_memory
from safelight.engines.memory import Need, check_memory, need_of, refusal, uses_graphics_memory
from safelight.errors import ModelError
from tests.engines.gguf import small_gguf
from tests.engines.model_files import chat_values, projector_values, write_gguf, write_mlx
from tests.requirement import requirement

GB = 1_000_000_000

MEMINFO = """MemTotal:       16000000 kB
MemFree:          500000 kB
MemAvailable:    8000000 kB
HugePages_Total:       0
"""

VM_STAT = """Mach Virtual Memory Statistics: (page size of 16384 bytes)
Pages free:                               10000.
Pages active:                            300000.
Pages inactive:                          200000.
Pages speculative:                         3000.
Pages throttled:                              0.
Pages wired down:                        150000.
Pages purgeable:                           1000.
"Translation faults":                 123456789.
Pages occupied by compressor:             90000.
"""


def machine(root: Path, groups: str, files: dict[str, str] | None = None) -> Memory | None:
    (root / "proc" / "self").mkdir(parents=True)
    (root / "proc" / "meminfo").write_text(MEMINFO, encoding="ascii")
    (root / "proc" / "self" / "cgroup").write_text(groups, encoding="ascii")
    for name, text in (files or {}).items():
        path = root / "sys" / "fs" / "cgroup" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="ascii")
    return linux_memory(root)


def test_linux_says_what_is_available_not_what_is_free(tmp_path: Path) -> None:
    assert machine(tmp_path, "0::/user.slice\n") == Memory(8_000_000 * 1024, 16_000_000 * 1024)


def test_a_control_group_of_linux_leaves_less_and_its_copies_of_files_count_as_left(tmp_path: Path) -> None:
    group = {"memory.max": f"{4 * GB}\n", "memory.current": f"{3 * GB}\n"}
    stat = {"memory.stat": f"anon {GB}\nactive_file {GB}\ninactive_file {GB // 2}\n"}
    files = {f"outer/{name}": text for name, text in (group | stat).items()}
    files |= {"outer/inner/memory.max": "max\n", "outer/inner/memory.current": f"{GB}\n"}
    assert machine(tmp_path, "0::/outer/inner\n", files) == Memory(2_500_000_000, 4 * GB)


def test_the_older_control_groups_of_linux_and_a_container_without_its_own_name(tmp_path: Path) -> None:
    files = {
        "memory/memory.limit_in_bytes": f"{2 * GB}\n",
        "memory/memory.usage_in_bytes": f"{GB}\n",
        "memory/memory.stat": f"active_file 1\ntotal_active_file {GB // 4}\ntotal_inactive_file 0\n",
    }
    assert machine(tmp_path, "5:cpu:/x\n4:memory:/docker/0a1b\n0::/\n", files) == Memory(1_250_000_000, 2 * GB)


def test_an_unlimited_group_of_linux_changes_nothing(tmp_path: Path) -> None:
    files = {"memory/memory.limit_in_bytes": "9223372036854771712\n", "memory/memory.usage_in_bytes": "5\n"}
    assert machine(tmp_path, "4:memory:/\n", files) == Memory(8_000_000 * 1024, 16_000_000 * 1024)


def test_macos_says_it_in_pages(tmp_path: Path) -> None:
    assert macos_memory(VM_STAT, "17179869184\n") == Memory(214_000 * 16_384, 17_179_869_184)
    assert macos_memory("", "17179869184\n") is None


def test_windows_says_it_in_a_structure() -> None:
    def fill(pointer: object) -> int:
        status = ctypes.cast(pointer, ctypes.POINTER(ctypes.c_uint64))  # type: ignore[arg-type]  # what byref gives
        assert status[0] & 0xFFFFFFFF == 64
        status[1], status[2] = 16 * GB, 6 * GB
        return 1

    kernel = SimpleNamespace(GlobalMemoryStatusEx=fill)
    libraries = SimpleNamespace(windll=SimpleNamespace(kernel32=kernel))
    assert windows_memory(libraries) == Memory(6 * GB, 16 * GB)

    def fail(_pointer: object) -> int:
        return 0

    kernel.GlobalMemoryStatusEx = fail
    assert windows_memory(libraries) is None


def test_a_system_that_does_not_answer_is_unknown_and_this_one_answers() -> None:
    assert memory_now("darwin" if not Path("/usr/bin/vm_stat").exists() else "no system") is None
    now = memory_now()
    assert now is not None
    assert 0 < now.available <= now.total


@requirement("engine.slots")
def test_a_model_that_does_not_fit_is_refused_in_numbers_with_what_to_do() -> None:
    need = Need(weights=5 * GB, token_bytes=131_072, tokens=32_768)
    assert refusal("qwen.gguf", need, Memory(12 * GB, 16 * GB)) is None
    assert refusal("qwen.gguf", need, Memory(5 * GB, 16 * GB)) == (
        "qwen.gguf does not fit into memory: it takes about 9.6 GB (5.0 GB of weights and 4.3 GB for 32,768 tokens of "
        "context), and 5.0 GB of 16.0 GB are free. Close other programs, choose a smaller model, or set context_tokens "
        "to at most 12,288."
    )
    said = refusal("qwen.gguf", need, Memory(GB, 4 * GB)) or ""
    assert said.endswith("Close other programs, choose a smaller model.")


def test_weights_may_need_what_others_can_give_and_what_is_written_to_may_not() -> None:
    mapped = Need(weights=5 * GB, token_bytes=1_000, tokens=8_192)
    assert refusal("m", mapped, Memory(4 * GB, 16 * GB)) is None, "an eighth of all memory comes from others"
    assert refusal("m", mapped, Memory(3 * GB, 16 * GB)) is not None
    written = Need(weights=0, token_bytes=GB // 1_024, tokens=4_096)
    assert refusal("m", written, Memory(4 * GB, 16 * GB)) is not None


@given(
    st.integers(0, 100 * GB),
    st.integers(0, 10**6),
    st.integers(1, 10**6),
    st.integers(0, 200 * GB),
    st.integers(0, 200 * GB),
)
def test_the_context_that_is_advised_fits_and_less_memory_never_helps(
    weights: int, token_bytes: int, tokens: int, available: int, more: int
) -> None:
    memory = Memory(available, available + more)
    said = refusal("m", Need(weights=weights, token_bytes=token_bytes, tokens=tokens), memory)
    if said is None:
        assert weights + token_bytes * tokens <= memory.total
        richer = Memory(available + GB, available + more + GB)
        assert refusal("m", Need(weights=weights, token_bytes=token_bytes, tokens=tokens), richer) is None
    elif "at most " in said:
        advised = int(said.partition("at most ")[2].rstrip(".").replace(",", ""))
        assert 1_024 <= advised < tokens
        assert refusal("m", Need(weights=weights, token_bytes=token_bytes, tokens=advised), memory) is None


def test_what_a_model_takes_is_read_from_its_files(tmp_path: Path) -> None:
    real = need_of(EngineSettings(path=small_gguf(), context_tokens=100_000, parallel=2))
    assert real == Need(weights=small_gguf().stat().st_size, token_bytes=23_040, tokens=16_384), "what it was made for"
    parts = [write_gguf(tmp_path / f"big[1]-{number:05}-of-00002.gguf") for number in (1, 2)]
    projector = write_gguf(tmp_path / "eyes.gguf", projector_values())
    need = need_of(EngineSettings(path=parts[0], projector=projector, context_tokens=1_024))
    size = sum(path.stat().st_size for path in (*parts, projector))
    assert need == Need(weights=size, token_bytes=2 * 2 * (16 + 16) * 2, tokens=1_024)
    packed = need_of(EngineSettings(path=tmp_path / "not there yet", parts=tuple(parts)))
    assert packed is not None
    assert packed.weights == size - projector.stat().st_size


def test_layers_that_keep_no_tokens_take_nothing_for_them(tmp_path: Path) -> None:
    path = write_gguf(tmp_path / "hybrid.gguf", chat_values("lfm2", attention_head_count_kv=[0, 2]))
    need = need_of(EngineSettings(path=path))
    assert need is not None
    assert need.token_bytes == 2 * (16 + 16) * 2


def test_layers_with_narrower_heads_and_those_that_use_what_others_keep_take_less(tmp_path: Path) -> None:
    values = chat_values(
        "gemma4",
        block_count=4,
        attention_head_count_kv=[8, 8, 2, 2],
        attention_key_length=512,
        attention_value_length=512,
        attention_key_length_swa=256,
        attention_value_length_swa=256,
        attention_sliding_window_pattern=[1, 1, 0, 0],
        attention_shared_kv_layers=1,
    )
    need = need_of(EngineSettings(path=write_gguf(tmp_path / "gemma.gguf", values)))
    assert need is not None
    assert need.token_bytes == 2 * (2 * 8 * 512 + 2 * 1_024)


def test_a_folder_for_mlx_is_counted_likewise(tmp_path: Path) -> None:
    need = need_of(EngineSettings(kind="mlx", path=write_mlx(tmp_path / "m", shards=3), context_tokens=32_768))
    assert need == Need(weights=300, token_bytes=16 * 8 * 64 * 2 * 2, tokens=8_192), "it grows with a conversation"


@pytest.mark.parametrize("kind", ["llama", "mlx"])
def test_what_is_not_known_refuses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    monkeypatch.setattr(memory_module, "memory_now", lambda: Memory(0, 0))
    gone = tmp_path / "gone-00001-of-00002.gguf"
    check_memory(EngineSettings(kind="mlx" if kind == "mlx" else "llama", path=gone))
    with pytest.raises(ModelError, match="does not fit into memory"):
        check_memory(EngineSettings(path=small_gguf()))
    monkeypatch.setattr(memory_module, "memory_now", lambda: None)
    check_memory(EngineSettings(path=small_gguf()))


def test_a_graphics_card_with_its_own_memory_is_not_judged_by_the_computers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "libggml-cpu.so").touch()
    assert not uses_graphics_memory(tmp_path)
    (tmp_path / "ggml-vulkan.dll").touch()
    assert uses_graphics_memory(tmp_path)
    monkeypatch.setattr(memory_module, "memory_now", lambda: Memory(0, 0))
    monkeypatch.setattr(memory_module, "uses_graphics_memory", lambda: True)
    check_memory(EngineSettings(path=small_gguf()))
