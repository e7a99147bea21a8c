"""Host and Origin, parsed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from safelight.guard.origin import LOOPBACK, is_own_host, is_own_origin, parse_host
from tests.requirement import requirement

PORT = 47810


@requirement("auth.host")
@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1:47810",
        "localhost:47810",
        "LOCALHOST:47810",
        "localhost.:47810",
        "[::1]:47810",
        "[0:0:0:0:0:0:0:1]:47810",
    ],
)
def test_every_spelling_of_this_server_is_its_own(host: str) -> None:
    assert is_own_host(host, LOOPBACK, PORT)


@requirement("auth.host")
@pytest.mark.parametrize(
    "host",
    [
        None,
        "",
        "127.0.0.1",
        "127.0.0.1:80",
        "127.0.0.1:",
        "127.0.0.1:47810:47810",
        "127.0.0.1:4781٠",
        "127.0.0.1:047810000",
        "127.0.0.1.evil.example:47810",
        "evil.example:47810",
        "localhost@evil.example:47810",
        "user@localhost:47810",
        "localhost..:47810",
        "::1:47810",
        "[::1",
        "[::1]47810",
        "[::1]:",
        "[::2]:47810",
        "[::ffff:127.0.0.1]:47810",
        "[127.0.0.1]:47810",
        "127.1:47810",
        "2130706433:47810",
        "0x7f.0.0.1:47810",
        "localhost:47810/",
        " localhost:47810",
        "localhost:47810#",
    ],
)
def test_any_other_host_is_foreign(host: str | None) -> None:
    assert not is_own_host(host, LOOPBACK, PORT)


@requirement("auth.origin")
@pytest.mark.parametrize("origin", [None, "http://127.0.0.1:47810", "http://localhost:47810", "http://[::1]:47810"])
def test_no_origin_and_the_own_origin_pass(origin: str | None) -> None:
    assert is_own_origin(origin, LOOPBACK, PORT)


@requirement("auth.origin")
@pytest.mark.parametrize(
    "origin",
    [
        "null",
        "",
        "https://127.0.0.1:47810",
        "http://127.0.0.1",
        "http://127.0.0.1:47811",
        "http://evil.example",
        "http://evil.example:47810",
        "file://",
        "http://127.0.0.1:47810.evil.example",
        "127.0.0.1:47810",
        "http://127.0.0.1:47810/",
    ],
)
def test_any_other_origin_is_foreign(origin: str) -> None:
    assert not is_own_origin(origin, LOOPBACK, PORT)


@given(st.text(max_size=60))
def test_no_host_header_can_make_the_parser_fail(value: str) -> None:
    parsed = parse_host(value)
    if parsed is not None:
        host, port = parsed
        assert host
        assert port is None or 0 <= port <= 65_535


@given(st.ip_addresses(v=6), st.integers(0, 65_535))
def test_every_ipv6_literal_is_read_whole(address: object, port: int) -> None:
    assert parse_host(f"[{address}]:{port}") == (str(address), port)
