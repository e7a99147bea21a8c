"""Pictures for llama.cpp: a projector turns them into what the model reads. Runs on the thread that owns the model.

Each picture is prepared by itself, so its marker never stands in anybody's text. What was prepared and encoded is kept
by the hash of the file, so a picture that must be read again is not looked at again.
"""

from __future__ import annotations

import ctypes
import hashlib
import importlib
import os
from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np

from safelight.conversation.estimate import PHOTO_TOKENS
from safelight.engines.held import ImageChunk, Unit
from safelight.engines.llama_library import llama
from safelight.engines.llama_model import BATCH, check_file, said, to_logging, why_not
from safelight.engines.picture_files import usable_picture
from safelight.errors import ContextTooSmall, ModelError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

    from safelight.engines.engine import EngineSettings

__all__ = ("Pictures",)

_KEPT: Final = 16
_KEPT_BYTES: Final = 128_000_000
"""Of pictures that the prompt has not: so many at most, and so much of what was made of them."""

_MOST_AT_ONCE: Final = -(-PHOTO_TOKENS // BATCH) * BATCH
_LARGE: Final = 2_048
"""Pixels."""

_NODES: Final = 16
"""Steps of an encoding after which it can be stopped."""

mtmd: Any = importlib.import_module("llama_cpp.mtmd_cpp")


class _Chunk:
    """A part of a picture as the projector prepared it; once encoded, its pixels are gone."""

    def __init__(self, prepared: Any) -> None:
        self.pointer = mtmd.mtmd_input_chunk_copy(prepared)
        self.tokens: int = mtmd.mtmd_input_chunk_get_n_tokens(prepared)
        self.positions: int = mtmd.mtmd_input_chunk_get_n_pos(prepared)
        self.encoded: NDArray[np.float32] | None = None

    def encode(self, encoded: NDArray[np.float32]) -> None:
        bare = mtmd.mtmd_input_chunk_get_placeholder(self.pointer)
        self.free()
        self.pointer = bare
        self.encoded = encoded

    def free(self) -> None:
        mtmd.mtmd_input_chunk_free(self.pointer)


class _Picture(msgspec.Struct):
    """``units`` is what the model reads, None where the file cannot be read. ``round`` is the last prompt that had
    it."""

    units: list[Unit] | None
    chunks: dict[str, _Chunk]
    round: int

    def size(self, width: int) -> int:
        """The bytes of what is made of it."""
        return sum(chunk.tokens for chunk in self.chunks.values()) * width * 4


class Pictures:
    """The projector of one model. ``batch`` is how many tokens the model must be able to read in one go."""

    def __init__(self, model: Any, settings: EngineSettings, projector: Path, keep_going: Callable[[], bool]) -> None:
        self._width: int = llama.llama_model_n_embd_inp(model)
        self._kept: dict[str, _Picture] = {}
        self._round = 0
        self._stopped: Callable[[], bool] = lambda: False
        self._nodes = 0
        self._callback = llama.ggml_backend_sched_eval_callback(self._between_nodes)
        self._projector = _load(model, settings, projector, keep_going, self._callback)
        # Tokens that see each other cannot be read one batch after another.
        self._whole: bool = mtmd.mtmd_decode_use_non_causal(self._projector, None)
        self.batch = _MOST_AT_ONCE if self._whole and self._largest() > BATCH else BATCH

    def close(self) -> None:
        """Frees the memory. Nothing may be called afterwards."""
        while self._kept:
            self._drop(next(iter(self._kept)))
        mtmd.mtmd_free(self._projector)

    def begin(self) -> None:
        """A new prompt is made: what only older ones had may go."""
        self._round += 1

    def units(self, image: bytes) -> list[Unit] | None:
        """What the model reads in the picture's place; None for a file that cannot be read, or not by this model."""
        content = hashlib.sha256(image).hexdigest()
        picture = self._kept.pop(content, None) or self._prepared(content, image)
        picture.round = self._round
        self._kept[content] = picture
        self._make_room()
        return picture.units

    def look(self, context: Any, chunk: ImageChunk, position: int, stopped: Callable[[], bool]) -> bool:
        """Puts a chunk of this prompt into sequence 0 of ``context``, without logits. False when it was stopped, by
        ``stopped`` or the context's own callback: then some of it may be there. Raises ``ModelError``."""
        picture = self._kept[chunk.content.partition("/")[0]]
        prepared = picture.chunks[chunk.content]
        if prepared.encoded is None:
            self._encode(prepared, stopped)
        return prepared.encoded is not None and self._decode(context, prepared, position)

    # --- the pictures that are kept ----------------------------------------------------------------------------

    def _prepared(self, content: str, image: bytes) -> _Picture:
        picture = _Picture(None, {}, self._round)
        bitmap = self._bitmap(image) if usable_picture(image) else None
        if bitmap:
            chunks = mtmd.mtmd_input_chunks_init()
            try:
                if self._tokenize(bitmap, chunks):
                    picture.units = self._read(content, chunks, picture.chunks)
            finally:
                mtmd.mtmd_input_chunks_free(chunks)
                mtmd.mtmd_bitmap_free(bitmap)
        return picture

    def _bitmap(self, image: bytes) -> Any:
        data = (ctypes.c_uint8 * len(image)).from_buffer_copy(image)
        options = mtmd.mtmd_helper_init_opt_default()
        # What it cannot decode, it would hand to ffmpeg as a video.
        options.video_params.ffmpeg_bin_dir = os.devnull.encode()
        return mtmd.mtmd_helper_bitmap_init_from_buf(self._projector, data, len(image), False, options)  # noqa: FBT003

    def _largest(self) -> int:
        """The tokens of a large picture, which need not be there for that."""
        bitmap = mtmd.mtmd_bitmap_init(_LARGE, _LARGE, None)
        chunks = mtmd.mtmd_input_chunks_init()
        try:
            self._tokenize(bitmap, chunks)
            each = (mtmd.mtmd_input_chunks_get(chunks, i) for i in range(mtmd.mtmd_input_chunks_size(chunks)))
            return max((mtmd.mtmd_input_chunk_get_n_tokens(chunk) for chunk in each), default=0)
        finally:
            mtmd.mtmd_input_chunks_free(chunks)
            mtmd.mtmd_bitmap_free(bitmap)

    def _tokenize(self, bitmap: Any, chunks: Any) -> bool:
        marker: bytes = mtmd.mtmd_default_marker()
        text = mtmd.mtmd_input_text(marker, len(marker), False, True)  # noqa: FBT003
        bitmaps = (mtmd.mtmd_bitmap_p_ctypes * 1)(bitmap)
        return mtmd.mtmd_tokenize(self._projector, chunks, ctypes.byref(text), bitmaps, 1) == 0

    def _read(self, content: str, chunks: Any, kept: dict[str, _Chunk]) -> list[Unit] | None:
        units: list[Unit] = []
        for index in range(mtmd.mtmd_input_chunks_size(chunks)):
            chunk = mtmd.mtmd_input_chunks_get(chunks, index)
            if mtmd.mtmd_input_chunk_get_type(chunk) == mtmd.MTMD_INPUT_CHUNK_TYPE_TEXT:
                count = ctypes.c_size_t()
                tokens = mtmd.mtmd_input_chunk_get_tokens_text(chunk, ctypes.byref(count))
                units += tokens[: count.value]
                continue
            name = f"{content}/{index}"
            kept[name] = part = _Chunk(chunk)
            units.append(ImageChunk(name, part.positions, part.tokens))
        if self._whole and any(part.tokens > self.batch for part in kept.values()):
            return None
        return units

    def _make_room(self) -> None:
        total = sum(picture.size(self._width) for picture in self._kept.values())
        for content, picture in list(self._kept.items()):
            if (total <= _KEPT_BYTES and len(self._kept) <= _KEPT) or picture.round == self._round:
                return
            total -= picture.size(self._width)
            self._drop(content)

    def _drop(self, content: str) -> None:
        for chunk in self._kept.pop(content).chunks.values():
            chunk.free()

    # --- looking -----------------------------------------------------------------------------------------------

    def _encode(self, chunk: _Chunk, stopped: Callable[[], bool]) -> None:
        self._stopped = stopped
        status: int = mtmd.mtmd_encode_chunk(self._projector, chunk.pointer)
        if stopped():
            return
        if status:
            raise ModelError(
                "The model failed while looking at a picture; there may be too little memory for it. Close other "
                "programs, or choose a smaller model."
            )
        pointer = mtmd.mtmd_get_output_embd(self._projector)
        chunk.encode(np.ctypeslib.as_array(pointer, (chunk.tokens * self._width,)).copy())

    def _between_nodes(self, _node: object, ask: bool, _data: object) -> bool:  # noqa: FBT001
        if not ask:
            return not self._stopped()
        self._nodes += 1
        return self._nodes % _NODES == 0

    def _decode(self, context: Any, chunk: _Chunk, position: int) -> bool:
        status: int = mtmd.mtmd_helper_decode_image_chunk(
            self._projector,
            context,
            chunk.pointer,
            chunk.encoded.ctypes.data_as(ctypes.POINTER(ctypes.c_float)) if chunk.encoded is not None else None,
            position,
            0,
            llama.llama_n_batch(context),
            ctypes.byref(llama.llama_pos()),
            mtmd.mtmd_helper_post_decode_callback(0),
            None,
        )
        if status == 1:
            raise ContextTooSmall("The model's window has no room for the picture. Start a new chat.")
        if status not in (0, 2):
            raise ModelError(f"The model failed while reading a picture (llama.cpp status {status}). Send it again.")
        return status == 0


def _load(
    model: Any, settings: EngineSettings, projector: Path, keep_going: Callable[[], bool], between_nodes: Any
) -> Any:
    check_file(projector)
    mtmd.mtmd_helper_log_set(to_logging, ctypes.c_void_p(0))
    params = mtmd.mtmd_context_params_default()
    params.n_threads = settings.threads or os.cpu_count() or 1
    params.print_timings = params.warmup = False
    params.image_max_tokens = PHOTO_TOKENS
    params.cb_eval = between_nodes

    @mtmd.mtmd_progress_callback
    def loading(_progress: float, _data: object) -> bool:
        return keep_going()

    params.progress_callback = loading
    said.clear()
    context = mtmd.mtmd_init_from_file(str(projector).encode(), model, params)
    if not context:
        if not keep_going():
            raise ModelError("The model has been unloaded. Send the message again.")
        raise ModelError(_why(settings.path.name, projector.name, "\n".join(said)))
    if not mtmd.mtmd_support_vision(context):
        mtmd.mtmd_free(context)
        raise ModelError(f"{projector.name} is no projector for pictures. {_CHOOSE}")
    return context


_CHOOSE: Final = (
    "Put the one that belongs to the model in its place, or take it away to use the model without pictures."
)


def _why(model: str, projector: str, lines: str) -> str:
    if "mismatch between text model" in lines:
        return f"{projector} does not belong to {model}: it makes pictures for a model of another size. {_CHOOSE}"
    if "unknown projector type" in lines:
        return f"{projector} is of a kind that this version does not know. Update Safelight. {_CHOOSE}"
    if "Failed to load CLIP model" in lines and "clip_init: failed" not in lines:
        return f"{projector} is no projector. {_CHOOSE}"
    return why_not(projector, lines)
