"""Command-line options made from the fields of a struct: names, defaults and help texts are those of the fields."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args, get_type_hints

import click
import msgspec
from msgspec.structs import fields

_Command = Callable[..., None]
_METAVARS = {"at": "REV"}
_SHORT_NEGATIONS = {"include_inherited": ("/--no-inherited",)}  # besides --no-include-inherited


def struct_options(struct: type[msgspec.Struct], *, is_change: bool = False) -> Callable[[_Command], _Command]:
    """An option for each field with a default. In a change no option has a default, and each flag can be unset."""
    hints = get_type_hints(struct, include_extras=True)

    def decorate(command: _Command) -> _Command:
        for field in reversed([field for field in fields(struct) if not field.required]):
            default = None if is_change else field.default
            command = _option(field.name, hints[field.name], default)(command)
        return command

    return decorate


def _option(name: str, hint: Any, default: object) -> Callable[[_Command], _Command]:
    kind, meta = get_args(hint)
    flag = flag_of(name)
    if kind is not bool:
        return click.option(flag, name, metavar=_METAVARS.get(name), help=meta.description)
    if default is False:
        return click.option(flag, name, is_flag=True, help=meta.description)
    negations = _SHORT_NEGATIONS.get(name, ())
    names = (f"{flag}/{flag_of(name, is_negated=True)}", *(f" {negation}" for negation in negations))
    return click.option(*names, name, default=default, help=meta.description)


def flag_of(name: str, *, is_negated: bool = False) -> str:
    return f"--{'no-' if is_negated else ''}{name.replace('_', '-')}"
