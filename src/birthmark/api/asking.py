"""Ask questions in Python: what the generated methods are made of."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any, Protocol, TypeVar

from msgspec import UNSET

from birthmark.app.workspace.session import Session
from birthmark.questions.question import QuestionType, make_question

Answer = TypeVar("Answer", covariant=True)


class Asked(Protocol[Answer]):
    """A question, by the type of its answer."""

    @property
    def is_about_worktree(self) -> bool: ...
    def answer(self, session: Session) -> Answer: ...


class AskedHere(Protocol[Answer]):
    """A question whose paths are relative to the folder that was opened."""

    @property
    def is_about_worktree(self) -> bool: ...
    def from_folder(self, session: Session) -> Asked[Answer]: ...


class AskedList(Protocol[Answer]):
    """A question about a list, by the type of its rows."""

    def from_folder(self, session: Session) -> AskedList[Answer]: ...
    def rows(self, session: Session) -> Iterator[Answer]: ...


class Asking:
    """Base class of the generated methods; a subclass answers their questions."""

    def _ask_here(self, question: AskedHere[Answer]) -> Answer:
        """Answer a question whose paths are relative to the folder that was opened."""
        raise NotImplementedError

    def _list_rows(self, question: AskedList[Answer]) -> Iterator[Answer]:
        """Yield the rows of a list as they are read."""
        raise NotImplementedError


def make_asked(kind: type[QuestionType], /, **values: Any) -> QuestionType:
    """Make a question of keywords; those that are UNSET are left out."""
    given = {name: _plain(value) for name, value in values.items() if value is not UNSET}
    return make_question(kind, given)


def _plain(value: Any) -> Any:
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    is_several = isinstance(value, Iterable) and not isinstance(value, str)
    return [os.fspath(one) if isinstance(one, os.PathLike) else one for one in value] if is_several else value
