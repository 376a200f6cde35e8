"""`--color` and `--no-pager`, which are understood before a command and after it."""

from __future__ import annotations

import click

from birthmark.surfaces.text import find_screen, screen, use_screen


def screen_options(*, is_hidden: bool) -> list[click.Option]:
    """They are described once, where they are not hidden."""
    return [
        click.Option(
            ["--color"],
            type=click.Choice(["auto", "always", "never"]),
            expose_value=False,
            callback=_use_color,
            hidden=is_hidden,
            help="When to use colour; auto: on terminals, unless NO_COLOR is set.",
        ),
        click.Option(
            ["--no-pager"],
            is_flag=True,
            expose_value=False,
            callback=_use_no_pager,
            hidden=is_hidden,
            help="Print long answers at once, also on a terminal.",
        ),
    ]


def _use_color(_: click.Context, __: click.Parameter, color: str | None) -> None:
    if color is not None:
        use_screen(find_screen(color)._replace(pages=screen().pages))


def _use_no_pager(_: click.Context, __: click.Parameter, is_asked: bool) -> None:
    if is_asked:
        use_screen(screen()._replace(pages=False))
