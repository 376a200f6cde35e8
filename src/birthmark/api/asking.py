"""Ask questions in Python: what the generated methods are made of."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from typing import Any

from msgspec import UNSET

from birthmark.questions.question import ListQuestion, Parameter, Question, make_question, parameters_of


class Asking:
    """Base class of the generated methods; a subclass answers their questions."""

    def _ask(self, name: str, keywords: Mapping[str, Any]) -> Any:
        """Ask the question of a module and a class, with the arguments of a method; those that are UNSET are left out.

        Paths are relative to the folder that was opened. The rows of a list are yielded as they are read.
        """
        module, _, class_name = name.partition(".")
        kind = getattr(import_module(f"birthmark.questions.{module}"), class_name)
        given = {one.name: _plain(keywords[keyword_of(one)]) for one in parameters_of(kind)}
        question = make_question(kind, {field: value for field, value in given.items() if value is not UNSET})
        return self._list_rows(question) if isinstance(question, ListQuestion) else self._ask_here(question)

    def _ask_here(self, question: Question) -> Any:
        raise NotImplementedError

    def _list_rows(self, question: ListQuestion) -> Iterator[Any]:
        raise NotImplementedError


def keyword_of(parameter: Parameter) -> str:
    """Return the name of an argument; one that takes several values is called in the plural."""
    return f"{parameter.name}s" if parameter.is_list and not parameter.name.endswith("s") else parameter.name


def _plain(value: Any) -> Any:
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    is_several = isinstance(value, Iterable) and not isinstance(value, str)
    return [os.fspath(one) if isinstance(one, os.PathLike) else one for one in value] if is_several else value
