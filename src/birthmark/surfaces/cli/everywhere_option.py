"""`--everywhere`, and what is said of other repositories."""

from __future__ import annotations

from collections.abc import Iterable

import click

from birthmark.documents.wording import plain
from birthmark.model import Problem
from birthmark.surfaces.cli.terminal.output import say

everywhere_option = click.option(
    "--everywhere", is_flag=True, help="Also in all other repositories of the database that --store names."
)


def say_problems(problems: Iterable[Problem]) -> None:
    """Which repositories could not be asked."""
    for problem in problems:
        say(plain(f"{problem.path}: {problem.problem}"))
