"""How llama.cpp's own helper reads a prompt with pictures, from beginning to end and with nothing kept."""

from __future__ import annotations

import ctypes
import importlib
from typing import Any, Final

import numpy as np

from safelight.engines.llama_library import llama
from tests.engines.seeing_pairs import CONTROL, Pair

__all__ = ("reference_answer",)

mtmd: Any = importlib.import_module("llama_cpp.mtmd_cpp")

_BATCH: Final = 512


def reference_answer(pair: Pair, prompt: str, pictures: tuple[bytes, ...], *, tokens: int) -> str:
    """What a tiny model answers to ``prompt``, in which ``{}`` stands for each picture."""
    model = llama.llama_model_load_from_file(str(pair.model).encode(), llama.llama_model_default_params())
    params = mtmd.mtmd_context_params_default()
    params.warmup = params.print_timings = False
    projector = mtmd.mtmd_init_from_file(str(pair.projector).encode(), model, params)
    sizes = llama.llama_context_default_params()
    sizes.n_ctx, sizes.n_batch, sizes.n_ubatch = 1_024, _BATCH, _BATCH
    context = llama.llama_init_from_model(model, sizes)
    try:
        place = _read(projector, context, prompt, pictures)
        return _answer(model, context, place, tokens)
    finally:
        llama.llama_free(context)
        mtmd.mtmd_free(projector)
        llama.llama_model_free(model)


def _read(projector: Any, context: Any, prompt: str, pictures: tuple[bytes, ...]) -> int:
    marker = mtmd.mtmd_default_marker().decode()
    text = prompt.format(*[marker] * len(pictures)).encode()
    bitmaps = (mtmd.mtmd_bitmap_p_ctypes * len(pictures))()
    for i, picture in enumerate(pictures):
        data = (ctypes.c_uint8 * len(picture)).from_buffer_copy(picture)
        bitmaps[i] = mtmd.mtmd_helper_bitmap_init_from_buf(projector, data, len(picture), False)  # noqa: FBT003
    chunks = mtmd.mtmd_input_chunks_init()
    said = mtmd.mtmd_input_text(text, len(text), False, True)  # noqa: FBT003
    assert mtmd.mtmd_tokenize(projector, chunks, ctypes.byref(said), bitmaps, len(pictures)) == 0
    place = llama.llama_pos()
    arguments = (projector, context, chunks, 0, 0, _BATCH, True, ctypes.byref(place))
    assert mtmd.mtmd_helper_eval_chunks(*arguments) == 0
    mtmd.mtmd_input_chunks_free(chunks)
    for bitmap in bitmaps:
        mtmd.mtmd_bitmap_free(bitmap)
    return place.value


def _answer(model: Any, context: Any, place: int, tokens: int) -> str:
    vocabulary = llama.llama_model_get_vocab(model)
    size = llama.llama_vocab_n_tokens(vocabulary)
    banned = [256 + i for i in range(len(CONTROL)) if not llama.llama_vocab_is_eog(vocabulary, 256 + i)]
    batch = llama.llama_batch_init(1, 0, 1)
    answer = b""
    for step in range(tokens):
        logits = np.ctypeslib.as_array(llama.llama_get_logits_ith(context, -1), (size,)).copy()
        logits[banned] = -np.inf
        token = int(logits.argmax())
        if llama.llama_vocab_is_eog(vocabulary, token):
            break
        buffer = ctypes.create_string_buffer(8)
        length = llama.llama_token_to_piece(vocabulary, token, buffer, 8, 0, False)  # noqa: FBT003
        answer += buffer.raw[:length]
        batch.n_tokens, batch.token[0], batch.pos[0] = 1, token, place + step
        batch.n_seq_id[0], batch.seq_id[0][0], batch.logits[0] = 1, 0, 1
        assert llama.llama_decode(context, batch) == 0
    llama.llama_batch_free(batch)
    return answer.decode(errors="replace")
