"""Server-sent events out of bytes, over every cut point."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from safelight_client import StreamBroken
from safelight_client import _sse as sse
from safelight_client._sse import Frame, SseParser


def whole(stream: bytes) -> list[Frame]:
    """What the specification says about a whole stream: the plain reading, as an oracle."""
    text = stream.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    frames: list[Frame] = []
    event, last_id, data = "", "", b""
    for line in text.split(b"\n")[:-1]:
        name, colon, value = line.partition(b":")
        if colon and value[:1] == b" ":
            value = value[1:]
        if not line:
            if data:
                frames.append(Frame(event or "message", data[:-1], last_id))
            event, data = "", b""
        elif name == b"data":
            data += value + b"\n"
        elif name == b"event":
            event = value.decode(errors="replace")
        elif name == b"id" and b"\0" not in value:
            last_id = value.decode(errors="replace")
    return frames


def in_pieces(stream: bytes, cuts: list[int]) -> list[Frame]:
    parser = SseParser()
    places = [0, *sorted(cut % (len(stream) + 1) for cut in cuts), len(stream)]
    pieces = [stream[a:b] for a, b in zip(places, places[1:], strict=False)]
    return [frame for piece in pieces for frame in parser.feed(piece)]


SNIPPETS: Final = [
    *(b"data", b"event", b"id", b"retry", b":", b": ", b" ", b"\n", b"\r", b"\r\n", b"\n\n", b"\0", b"\xef\xbb\xbf"),
    *(b'{"text":"a"}', "\u2028".encode(), "\u0085".encode(), "Übermut 📷".encode(), b"\xff", b"7", b"data: x\n\n"),
]
streams = st.lists(st.sampled_from(SNIPPETS) | st.binary(max_size=3), max_size=40).map(b"".join)


@given(streams, st.lists(st.integers(min_value=0, max_value=10_000), max_size=12))
def test_a_stream_in_pieces_gives_what_the_whole_stream_gives(stream: bytes, cuts: list[int]) -> None:
    """jd-opensource/xllm PR#760, liter-llm#152: a character that was split over chunks broke the reader."""
    assert in_pieces(stream, cuts) == whole(stream)


STREAM: Final = (
    b"\xef\xbb\xbf: keep-alive\r\n\r\nid: 7\r\ndata: " + "a\u2028b\u0085c 📷".encode() + b"\r\n\r\n"
    b"event: resync\rdata:one\rdata: two\r\rdata\n\nid\ndata: {}\n\n:\n\ndata: unfinished"
)


def test_frames_are_right_at_every_cut_point() -> None:
    expected = [
        Frame("message", "a\u2028b\u0085c 📷".encode(), "7"),
        Frame("resync", b"one\ntwo", "7"),
        Frame("message", b"", "7"),
        Frame("message", b"{}", ""),
    ]
    assert whole(STREAM) == expected
    for first in range(len(STREAM) + 1):
        for second in range(first, min(first + 4, len(STREAM)) + 1):
            assert in_pieces(STREAM, [first, second]) == expected
    assert in_pieces(STREAM, list(range(len(STREAM)))) == expected


def test_a_frame_beyond_all_measure_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sse, "MAX_FRAME_BYTES", 100)
    parser = SseParser()
    for _ in range(50):
        assert len(parser.feed(b"data: " + b"x" * 60 + b"\n\n")) == 1
    for _ in range(50):
        assert parser.feed(b": keep-alive\n") == []
    with pytest.raises(StreamBroken):
        parser.feed(b"data: " + b"x" * 100)
