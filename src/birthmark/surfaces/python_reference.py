"""The reference for Python, made from the public names of the package and their docstrings.

Gives the whole page `docs/reference/python.md`: classes with their methods and examples, then errors, then documents.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from textwrap import wrap
from typing import NamedTuple

import birthmark
from birthmark.errors import BirthmarkError
from birthmark.surfaces.wire.document import Document

_INTRODUCTION = """\
# Python

<!-- Made by `make docs-reference` from docstrings; what is written here by hand is lost. -->

What `import birthmark` offers. [How to use it](../how-to/use-from-python.md) has a session. A name is imported when it
is first used. Answers are the [documents](wire.md) that commands print as JSON, as frozen values: a field that is
`chunkUid` there is `chunk_uid` here, and one that is left out there is `msgspec.UNSET`. Notebooks show most of them as
tables, an entity with its source, and a history with its timeline.

Several threads may ask one `Repository` at the same time: a question shares nothing with another one. In asynchronous
code, `await asyncio.to_thread(repository.resolve, ref)` asks without blocking the loop; a list is read in a thread as
a whole, `await asyncio.to_thread(list, repository.chunks())`. `AnyPath` is a text or a `pathlib.Path`.
"""
_WIDTH = 100  # of signatures
_SEE = {"SubscriptionRequest": "Its fields are [the options of subscriptions](subscriptions.md)."}
_SPECIAL = ("__getitem__", "__iter__", "__len__")  # methods that have operators, and are described with them


class _TypeText(NamedTuple):
    """A type as it is written in a signature."""

    text: str

    def __repr__(self) -> str:
        return self.text


def write_python_page() -> str:
    values = [getattr(birthmark, name) for name in birthmark._MODULES]
    errors = [one for one in values if isinstance(one, type) and issubclass(one, BirthmarkError)]
    documents = [one for one in values if isinstance(one, type) and issubclass(one, Document)]
    others = [one for one in values if one not in (*errors, *documents)]
    listed = f"## Errors\n\n{_list(errors)}", f"## Documents\n\n{_list(documents)}"
    return "\n".join(part.rstrip("\n") + "\n" for part in (_INTRODUCTION, *map(_section, others), *listed))


def _section(value: Callable[..., object]) -> str:
    name = value.__name__
    signature = "" if isinstance(value, type) else _signature(name, value)
    see = f"\n{_SEE[name]}\n" if name in _SEE else ""
    members = _members(value) if isinstance(value, type) else ()
    return "".join([f"## `{name}`\n\n{signature}{_description(value)}{see}", *(f"\n{part}" for part in members)])


def _members(kind: type) -> Iterator[str]:
    """Methods and properties that have a description, in their order."""
    for name, member in vars(kind).items():
        function = member.__func__ if isinstance(member, classmethod) else member
        is_public = not name.startswith("_") or name in _SPECIAL
        if is_public and isinstance(function, property):
            yield f"### `{name}`\n\n{_description(function)}"
        elif is_public and inspect.isfunction(function) and function.__doc__:
            yield f"### `{name}`\n\n{_signature(name, function)}{_description(function)}"


def _signature(name: str, function: Callable[..., object]) -> str:
    """Without `self`, and in as many lines as it takes."""
    given = inspect.signature(function)
    parameters = [
        one.replace(annotation=_TypeText(one.annotation))
        for one in given.parameters.values()
        if one.name not in ("self", "cls")
    ]
    shown = str(given.replace(parameters=parameters, return_annotation=_TypeText(given.return_annotation)))
    lines = wrap(f"{name}{shown}", _WIDTH, subsequent_indent=" " * (len(name) + 1), break_long_words=False)
    return "```python\n" + "\n".join(lines) + "\n```\n\n"


def _description(value: object) -> str:
    """The docstring, whose examples are blocks of code."""
    text, _, examples = (inspect.getdoc(value) or "").partition("\n>>> ")
    block = f"\n```python\n>>> {examples.rstrip()}\n```\n" if examples else ""
    return f"{text.rstrip()}\n{block}"


def _list(kinds: Iterable[type]) -> str:
    return "".join(f"- `{kind.__name__}`{_base(kind)}: {inspect.getdoc(kind)}\n" for kind in kinds)


def _base(kind: type) -> str:
    """Of what is public, too, it is said what it is a kind of."""
    base = kind.__mro__[1].__name__
    return f", a `{base}`" if base in birthmark.__all__ else ""
