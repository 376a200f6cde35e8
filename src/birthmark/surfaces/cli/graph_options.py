"""Options that questions to the graph have in common."""

from __future__ import annotations

from collections.abc import Callable

import click

from birthmark.app.answers.uses.graph_nodes import SECONDS

tests_option = click.option("--no-tests", is_flag=True, help="As if there were no tests.")
files_option = click.option("--files", "by_files", is_flag=True, help="Among files instead of definitions.")


def time_option(seconds: float) -> Callable[[Callable[..., None]], Callable[..., None]]:
    return click.option(
        "--timeout",
        "seconds",
        type=click.FloatRange(0.1, 3600),
        default=seconds,
        show_default=True,
        metavar="SECONDS",
        help="Stop after so long.",
    )


timeout_option = time_option(SECONDS)


def limit_option(most: int, what: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    return click.option(
        "--limit",
        type=click.IntRange(1, 100_000),
        default=most,
        show_default=True,
        metavar="N",
        help=f"List at most so many {what}.",
    )
