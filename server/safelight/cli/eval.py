"""``safelight eval``: what a model does for a photographer, in numbers."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from safelight.errors import StartRefused
from safelight.settings import Settings, default_data_dir

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from safelight.app import Application
    from safelight.evaluation.report import Total
    from safelight.evaluation.run import Ran
    from safelight.evaluation.tasks import TaskSet

__all__ = ("add_parser", "run")

_ABOUT: Final = """Play a photographer's tasks to a model, each on a fresh simulated catalog through the whole service,
and judge them by what they leave behind. Prints totals for two halves: one that was looked at while the model's prompt
and examples were written, and one that was not."""


def add_parser(subparsers: Any) -> None:
    parser: argparse.ArgumentParser = subparsers.add_parser("eval", help="measure a model", description=_ABOUT)
    parser.add_argument("--model", required=True, metavar="ID", help="the model")
    parser.add_argument("--tasks", type=Path, metavar="FILE", help="tasks of your own in place of the two halves")
    parser.add_argument("--json", action="store_true", help="print the totals as JSON")
    parser.add_argument("--traces", type=Path, metavar="DIR", help="write what happened in each task into this folder")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="shuffles the tasks (0: as they stand)")
    parser.add_argument(
        "--routing",
        choices=("auto", "always", "never"),
        default="auto",
        help="which models choose by likelihood what to do: small ones (auto), all, or none",
    )
    parser.add_argument(
        "--no-rules", action="store_true", help="let small models write texts, names and dates freely, not copy them"
    )
    parser.add_argument("--data-dir", type=Path, default=None, help="where the models lie (default: Safelight's own)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run all tasks; 0 when they were run, whatever came of them."""
    import asyncio
    import tempfile

    import msgspec

    from safelight.cli.serving import serve_while
    from safelight.evaluation.report import table
    from safelight.evaluation.tasks import halves, read
    from safelight_client import SafelightClientError

    sets = halves() if arguments.tasks is None else (read(arguments.tasks),)
    models_dir: Path = arguments.data_dir or default_data_dir()
    with tempfile.TemporaryDirectory(prefix="safelight-", ignore_cleanup_errors=True) as folder:
        settings = Settings(
            data_dir=Path(folder),
            port=0,
            models_dir=models_dir.absolute(),
            routing=arguments.routing,
            copy_words=not arguments.no_rules,
        )

        async def work(application: Application, url: str) -> list[Total]:
            return await _play(arguments, sets, application, url, settings)

        try:
            totals = asyncio.run(serve_while(settings, work))
        except SafelightClientError as error:
            raise StartRefused(str(error)) from None
    text = msgspec.json.format(msgspec.json.encode(totals)).decode() if arguments.json else table(totals)
    sys.stdout.write(text + "\n")
    return 0


async def _play(
    arguments: argparse.Namespace, sets: Sequence[TaskSet], application: Application, url: str, settings: Settings
) -> list[Total]:
    import random

    from safelight.evaluation.report import total
    from safelight.evaluation.run import Stage
    from safelight.evaluation.traces import write_trace

    token = settings.agent_token_file.read_text(encoding="ascii").strip()
    stage = Stage(application, url, token, settings.data_dir, arguments.model)
    await stage.warm()
    totals: list[Total] = []
    for tasks in sets:
        order = list(tasks.tasks)
        if arguments.seed:
            random.Random(arguments.seed).shuffle(order)  # noqa: S311 - the same order for the same seed
        ran: list[Ran] = []
        for task in order:
            ran.append(await stage.play(task))
            if arguments.traces is not None:
                write_trace(arguments.traces, ran[-1])
        totals.append(total(arguments.model, tasks, ran, rules=settings.copy_words))
    return totals
