"""Options that many commands have.

`--store`, `--repository`, `--index-dir`, `--fetch`, `--trust`, `--color` and `--no-pager` work before and after a
command; `--wait` is for commands that write, `--no-refresh` for those that ask the index, and `listen_options` are
for servers.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import click

from birthmark.surfaces.text import find_screen, screen, use_screen

if TYPE_CHECKING:
    from birthmark.app.workspace.freshness import RefreshOptions

NO_REFRESH = "Answer from the index as it is; do not bring it up to date."  # the help of `--no-refresh`
_REMARK_SECONDS = 1.0  # that an update of the index takes before it is reported


def _use_store(_: click.Context, __: click.Parameter, url: str | None) -> None:
    if url is not None:
        from birthmark.app.workspace.workspace import STORE, choose_store

        os.environ[STORE] = choose_store(url)


def _use_repository(_: click.Context, __: click.Parameter, name: str | None) -> None:
    if name is not None:
        from birthmark.app.workspace.workspace import REPOSITORY

        os.environ[REPOSITORY] = name


def _use_index_folder(_: click.Context, __: click.Parameter, name: str | None) -> None:
    if name is not None:
        from birthmark.app.workspace.workspace import INDEX_DIR

        os.environ[INDEX_DIR] = os.path.realpath(name)


def _use_fetch(_: click.Context, __: click.Parameter, is_asked: bool) -> None:
    if is_asked:
        from birthmark.app.workspace.workspace import allow_fetching

        allow_fetching()


def _use_trust(_: click.Context, __: click.Parameter, digest: str | None) -> None:
    if digest is not None:
        from birthmark.app.workspace.trusting import trust_digest

        trust_digest(digest)


def _use_color(_: click.Context, __: click.Parameter, color: str | None) -> None:
    if color is not None:
        use_screen(find_screen(color)._replace(pages=screen().pages))


def _use_no_pager(_: click.Context, __: click.Parameter, is_asked: bool) -> None:
    if is_asked:
        use_screen(screen()._replace(pages=False))


# A flag, what it does, its help, and how it is given.
_SETTINGS: tuple[tuple[str, Callable[..., None], str, dict[str, Any]], ...] = (
    (
        "--store",
        _use_store,
        "Keep the index in PostgreSQL instead of .birthmark/: postgresql://HOST/DATABASE; or BIRTHMARK_STORE.",
        {"metavar": "URL"},
    ),
    (
        "--repository",
        _use_repository,
        "Name of the repository in the database; or BIRTHMARK_REPOSITORY; else host/owner/name of its origin.",
        {"metavar": "NAME"},
    ),
    (
        "--index-dir",
        _use_index_folder,
        "Keep indexes below this folder, not in the repositories; or BIRTHMARK_INDEX_DIR.",
        {"metavar": "DIR"},
    ),
    (
        "--fetch",
        _use_fetch,
        "Fetch what a partial clone lacks, when an answer needs it; or BIRTHMARK_FETCH=1.",
        {"is_flag": True},
    ),
    (
        "--trust",
        _use_trust,
        "Trust the birthmark.toml with this digest, see `birthmark trust`; or BIRTHMARK_TRUST.",
        {"metavar": "DIGEST"},
    ),
    (
        "--color",
        _use_color,
        "Use of colour; auto: on terminals, unless NO_COLOR is set.",
        {"type": click.Choice(["auto", "always", "never"])},
    ),
    ("--no-pager", _use_no_pager, "Print long answers at once, also on a terminal.", {"is_flag": True}),
)


def setting_options(*, is_hidden: bool) -> list[click.Option]:
    """Return new options; they are described once, where they are not hidden."""
    return [
        click.Option([flag], expose_value=False, callback=use, hidden=is_hidden, help=text, **given)
        for flag, use, text, given in _SETTINGS
    ]


def refresh_options() -> RefreshOptions:
    """Return how commands bring an index up to date: with a bar and a remark if that takes long."""
    from birthmark.app.workspace.freshness import RefreshOptions
    from birthmark.surfaces.cli.terminal.output import progress_bar

    return RefreshOptions(_remark, partial(progress_bar, _REMARK_SECONDS))


def _remark(n_files: int, seconds: float) -> None:
    from birthmark.surfaces.cli.terminal.output import say
    from birthmark.words import count

    if seconds >= _REMARK_SECONDS:
        what = count(n_files, "changed file") if n_files else "the new revision"
        say(f"indexed {what} in {seconds:.1f} s")


Command = TypeVar("Command", bound=Callable[..., object])

WAIT_SECONDS = 30.0  # for another process that writes
wait_option = click.option(
    "--wait",
    type=click.FloatRange(min=0),
    default=WAIT_SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="Maximum wait while another process writes to the index.",
)


def listen_options(port: int, time_limit: float) -> Callable[[Command], Command]:
    """`host`, `port`, `allowed` and `time_limit`, with a command's own defaults."""
    options = (
        click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="Address to listen on."),
        click.option(
            "--port",
            type=click.IntRange(0, 65535),
            default=port,
            show_default=True,
            metavar="N",
            help="Port to listen on; 0 for any free one.",
        ),
        click.option(
            "--allow-host",
            "allowed",
            multiple=True,
            metavar="NAME",
            help="Also accept requests for this host name, as a proxy sends it.",
        ),
        click.option(
            "--time-limit",
            type=click.FloatRange(min=0.1),
            default=time_limit,
            show_default=True,
            metavar="SECONDS",
            help="Abort queries that take longer.",
        ),
    )

    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add
