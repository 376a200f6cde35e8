"""`--everywhere`, and what is said of other repositories."""

from __future__ import annotations

from collections.abc import Iterable

import click

from birthmark.model import Problem
from birthmark.surfaces.cli.terminal.output import say
from birthmark.surfaces.formats.wording import plain

ELSEWHERE = "//"  # between a repository and a path, which has none in it

everywhere_option = click.option(
    "--everywhere", is_flag=True, help="Also in all other repositories of the database that --store names."
)


def place_elsewhere(repository: str | None, path: str) -> str:
    """`REPOSITORY//path`; within the repository that is asked, the path."""
    return path if repository is None else f"{repository}{ELSEWHERE}{path}"


def say_problems(problems: Iterable[Problem]) -> None:
    """Which repositories could not be asked."""
    for problem in problems:
        say(plain(f"{problem.path}: {problem.problem}"))
