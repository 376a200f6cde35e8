"""Completion in shells: what parameters are completed with, and the script for bash.

Completion never fails loudly: where nothing can be found, the shell completes file names. Bash takes `:` and `=` for
the ends of words, so that `a.py::run` would arrive as three of them; its script passes the line as it was typed
instead. Those of zsh and fish are click's own.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, ClassVar

import click
from click.shell_completion import BashComplete, CompletionItem, add_completion_class, split_arg_string
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
    """Complete a note id, or the REF of a note."""
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
    "noted": CompletedText(_noted, may_be_file=True),
    "subscription": CompletedText(_subscriptions),
}
_TYPES = {
    "REF": COMPLETED["ref"],
    "REF|ID": COMPLETED["noted"],
    "ref": COMPLETED["ref"],
    "refs": COMPLETED["ref"],
    "names": COMPLETED["ref"],  # of `clones`, where paths may be among them
    "REV": COMPLETED["revision"],
    "words": COMPLETED["revision"],  # of `diff`
    "ID": COMPLETED["subscription"],
    "language": COMPLETED["language"],
}


def add_completion(command: click.Command) -> None:
    """Give the parameters of a command the types that complete them."""
    for param in command.params:
        metavar = (param.metavar or "").strip("[].…")
        kind = _TYPES.get(metavar) or _TYPES.get(param.name or "")
        if kind is not None and param.type is click.STRING:
            param.type = kind


VARIABLE = "_BIRTHMARK_COMPLETE"

_BASH = """\
%(complete_func)s() {
    local line="${COMP_LINE:0:COMP_POINT}" type value
    local word="${line##*[[:space:]]}"
    local kept="${word%%"${word##*[:=]}"}"  # what bash leaves as it is of the word
    [[ $COMP_WORDBREAKS == *:* ]] || kept=""
    COMPREPLY=()
    while IFS=, read -r type value; do
        case "$type" in
            dir) compopt -o dirnames ;;
            file) compopt -o default ;;
            plain)
                COMPREPLY+=("${value#"$kept"}")
                if [[ $value == */ || $value == *:: ]]; then compopt -o nospace; fi ;;
        esac
    done < <(env COMP_WORDS="$line" %(complete_var)s=bash_complete "$1" 2>/dev/null)
}

complete -o nosort -F %(complete_func)s %(prog_name)s
"""


class LineComplete(BashComplete):
    """Bash, with the line up to the cursor in COMP_WORDS."""

    source_template: ClassVar[str] = _BASH

    @staticmethod
    def _check_version() -> None:
        """Click would start bash to ask for its version; 4.4 is ten years old."""

    def get_completion_args(self) -> tuple[list[str], str]:
        line = os.environ["COMP_WORDS"]
        words = split_arg_string(line)
        incomplete = "" if line[-1:].isspace() or len(words) < 2 else words.pop()
        return words[1:], incomplete


add_completion_class(LineComplete, "bash")
