"""`--no-refresh`, and bringing the index up to date before a question is answered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial, update_wrapper
from typing import Any

import click

_REMARK_SECONDS = 1.0


def _always(options: Mapping[str, Any]) -> bool:
    return True


def _is_about_worktree(options: Mapping[str, Any]) -> bool:
    """Without a revision `diff` may be about what has changed since the index was made, with two about neither."""
    words = [word for word in (options["since"], *options["words"]) if word]
    return len(words) == 1 and ".." not in words[0] and not options["with_index"]


# Commands that ask the index about the worktree, and whether they do with the options that are given. A scan compares
# the worktree itself, in folders without commits with the index, which must not be newer than what was accepted.
QUESTIONS: dict[str, Callable[[Mapping[str, Any]], bool]] = {
    "search": _always,
    "show": _always,
    "resolve": _always,
    "tests": _always,
    "affected": _always,
    "review": _always,
    "context": _always,
    "clones": _always,
    "impact": _always,
    "path": _always,
    "cycles": _always,
    "components": _always,
    "rank": _always,
    "unused": _always,
    "modules": _always,
    "hotspots": _always,
    "export": _always,
    "entities": _always,
    "nodes": _always,
    "chunks": _always,
    "history": _always,
    "diff": _is_about_worktree,
    "subscribe": _always,
    "note": _always,
    "notes": _always,
}


def add_refreshing(name: str, command: click.Command) -> None:
    """Wrap a command that asks the index; other commands stay as they are."""
    answer = command.callback
    if name not in QUESTIONS or answer is None:
        return

    def ask(*arguments: Any, no_refresh: bool, **options: Any) -> Any:
        if no_refresh or not QUESTIONS[name](options):
            return answer(*arguments, **options)
        from birthmark.app.workspace.freshness import RefreshOptions, refreshing
        from birthmark.surfaces.cli.terminal.progress import progress_bar

        with refreshing(RefreshOptions(_remark, partial(progress_bar, _REMARK_SECONDS))):
            return answer(*arguments, **options)

    command.callback = update_wrapper(ask, answer)
    command.params.append(
        click.Option(["--no-refresh"], is_flag=True, help="Answer from the index as it is; do not bring it up to date.")
    )


def _remark(n_files: int, seconds: float) -> None:
    from birthmark.surfaces.cli.terminal.output import say
    from birthmark.words import count

    if seconds >= _REMARK_SECONDS:
        what = count(n_files, "changed file") if n_files else "the new revision"
        say(f"indexed {what} in {seconds:.1f} s")
