"""What parameters are completed with, by their names or metavars: REFs, revisions, ids of subscriptions and notes.

Completion never fails loudly: where nothing can be found, the shell completes file names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem
from click.types import StringParamType

# Names come from repositories, and what is completed is run by the shell if it is not looked at: `$(…)` is not offered.
_SAFE = re.compile(r"[\w.:/~^@+#-]+")
Complete = Callable[[Path, str], Iterable[tuple[str, str]]]


class CompletedText(StringParamType):
    """A text that the shell completes."""

    def __init__(self, complete: Complete, *, may_be_file: bool = False) -> None:
        self._complete, self._may_be_file = complete, may_be_file

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        try:
            found = [one for one in self._complete(Path.cwd(), incomplete) if _SAFE.fullmatch(one[0])]
        except Exception:  # Whatever is wrong with the repository is said by the command itself.
            found = []
        if not found and self._may_be_file:
            return [CompletionItem(incomplete, type="file")]
        return [CompletionItem(value, help=_one_line(meaning)) for value, meaning in found]


def _one_line(meaning: str) -> str | None:
    """Shells read a line for each item, and some would obey control characters in it."""
    return "".join(c if c.isprintable() else " " for c in meaning)[:60].strip() or None


def _refs(folder: Path, prefix: str) -> Iterable[tuple[str, str]]:
    from birthmark.app.answers.completion import complete_ref

    return ((ref, "") for ref in complete_ref(folder, prefix))


def _revisions(folder: Path, prefix: str) -> Iterable[tuple[str, str]]:
    from birthmark.app.answers.completion import complete_revision

    return complete_revision(folder, prefix)


def _subscriptions(folder: Path, prefix: str) -> Iterable[tuple[str, str]]:
    from birthmark.app.answers.completion import complete_subscription

    return complete_subscription(folder, prefix)


def _noted(folder: Path, prefix: str) -> Iterable[tuple[str, str]]:
    """What a note is about, or a note."""
    from birthmark.app.answers.completion import complete_note

    return complete_note(folder, prefix) if prefix.startswith("note-") else _refs(folder, prefix)


def _languages(folder: Path, prefix: str) -> Iterable[tuple[str, str]]:
    from birthmark.app.answers.listing import list_languages

    return ((spec.name, "") for spec in list_languages() if spec.name.startswith(prefix))


# By what fields of questions say, or else by the metavar or the name of a parameter that takes any text.
COMPLETED: dict[str, click.ParamType[Any]] = {
    "path": click.Path(),
    "ref": CompletedText(_refs, may_be_file=True),
    "revision": CompletedText(_revisions),
    "language": CompletedText(_languages),
}
_TYPES = {
    "REF": COMPLETED["ref"],
    "REF|ID": CompletedText(_noted, may_be_file=True),
    "ref": COMPLETED["ref"],
    "refs": COMPLETED["ref"],
    "names": COMPLETED["ref"],  # of `clones`, where paths may be among them
    "REV": COMPLETED["revision"],
    "words": COMPLETED["revision"],  # of `diff`
    "ID": CompletedText(_subscriptions),
    "language": COMPLETED["language"],
}


def add_completion(command: click.Command) -> None:
    """Give the parameters of a command the types that complete them."""
    for param in command.params:
        metavar = (param.metavar or "").strip("[].…")
        kind = _TYPES.get(metavar) or _TYPES.get(param.name or "")
        if kind is not None and param.type is click.STRING:
            param.type = kind
