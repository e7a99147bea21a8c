"""``python -m tests.bench``: measure everything, print a table and write ``results.json``.

Every group runs in a fresh process, so that none finds the modules, the memory or the caches of another.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Final

from tests.bench import (
    bridge,
    chats,
    context,
    decoding,
    events,
    grammar,
    index,
    large_catalog,
    peer_llama_server,
    restart,
    second_turn,
    semantic,
    service,
    tool_call,
)
from tests.bench.machine import this_machine
from tests.bench.measured import RESULTS, Measured, Report, write_report

GROUPS: Final[dict[str, Callable[[], list[Measured]]]] = {
    "service": service.measure,
    "events": events.measure,
    "chats": chats.measure,
    "context": context.measure,
    "tool_call": tool_call.measure,
    "bridge": bridge.measure,
    "grammar": grammar.measure,
    "index": index.measure,
    "rating": large_catalog.measure,
    "semantic": semantic.measure,
    "second_turn": second_turn.measure,
    "restart": restart.measure,
    "peer": peer_llama_server.measure,
    "decoding": decoding.measure,
}
LONG: Final[dict[str, Callable[[], list[Measured]]]] = {
    "large_catalog": large_catalog.measure_large,
    "index_million": index.measure_million,
}


def main(given: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="Measure Safelight on this machine.")
    parser.add_argument("--only", choices=[*GROUPS, *LONG], help="measure one group, and write no file")
    parser.add_argument("--long", action="store_true", help="also what takes many minutes")
    arguments = parser.parse_args(given)
    known = GROUPS | LONG
    names = [arguments.only] if arguments.only else list(known if arguments.long else GROUPS)
    machine = this_machine()
    results: list[Measured] = []
    for name in names:
        began = time.monotonic()
        results += _in_fresh_process(known[name])
        print(f"bench: {name}: {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    _print_table(results)
    if not arguments.only:
        write_report(Report(machine=machine, results=results))
        print(f"\nWritten to {RESULTS}.")


def _in_fresh_process(measure: Callable[[], list[Measured]]) -> list[Measured]:
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(measure).result()


def _print_table(results: list[Measured]) -> None:
    width = max(len(one.name) for one in results)
    for one in sorted(results, key=lambda one: one.name):
        sign = "<=" if one.better == "lower" else ">="
        met = "ok" if one.ok else "MISSED"
        print(f"{one.name:<{width}}  {one.value:>9,g} {one.unit:<10} {sign} {one.target:>7,g}  {met}")


if __name__ == "__main__":
    main(sys.argv[1:])
