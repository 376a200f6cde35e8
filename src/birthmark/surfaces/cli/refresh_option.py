"""`--no-refresh`, and bringing the index up to date before a question is answered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial, update_wrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from birthmark.app.workspace.freshness import RefreshOptions
    from birthmark.app.workspace.repository import OpenRepository
    from birthmark.app.workspace.session import FolderSessions, Session

_REMARK_SECONDS = 1.0
_REFRESHES = "birthmark.refreshes"  # of the context of a command


def _always(options: Mapping[str, Any]) -> bool:
    return True


def _is_about_worktree(options: Mapping[str, Any]) -> bool:
    """Without a revision `diff` may be about what has changed since the index was made, with two about neither."""
    words = [word for word in (options["since"], *options["words"]) if word]
    return len(words) == 1 and ".." not in words[0] and not options["with_index"]


# Commands that ask the index about the worktree, and whether they do with the options that are given. A scan compares
# the worktree itself, in folders without commits with the index, which must not be newer than what was accepted.
QUESTIONS: dict[str, Callable[[Mapping[str, Any]], bool]] = {
    "export": _always,
}


def add_refreshing(name: str, command: click.Command) -> None:
    """Wrap a command that asks the index; other commands stay as they are."""
    answer = command.callback
    if name not in QUESTIONS or answer is None:
        return

    def ask(*arguments: Any, no_refresh: bool, **options: Any) -> Any:
        click.get_current_context().meta[_REFRESHES] = not no_refresh and QUESTIONS[name](options)
        return answer(*arguments, **options)

    command.callback = update_wrapper(ask, answer)
    command.params.append(
        click.Option(["--no-refresh"], is_flag=True, help="Answer from the index as it is; do not bring it up to date.")
    )


def command_sessions(folder: Path | None = None) -> FolderSessions:
    """Return what opens a session for the command that runs; its index is brought up to date first if it asks that."""
    from birthmark.app.workspace.session import FolderSessions

    context = click.get_current_context(silent=True)
    refreshes = context is not None and context.meta.get(_REFRESHES, False)
    return FolderSessions(folder or Path.cwd(), refresh_options() if refreshes else None)


@contextmanager
def asking(folder: Path | None = None) -> Iterator[Session]:
    """Open a session of the command that runs, which needs the index."""
    with command_sessions(folder).open() as session:
        session.require_index()
        yield session


@contextmanager
def open_repository(folder: Path | None = None) -> Iterator[OpenRepository]:
    """Open the repository for the command that runs, with its index if it has one."""
    with command_sessions(folder).open() as session:
        yield session.repository


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
