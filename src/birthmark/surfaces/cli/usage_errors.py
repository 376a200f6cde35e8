"""Usage errors in one line, in the form of all other errors.

Takes click's exceptions; gives a BirthmarkError that names the command, what is wrong and what may have been meant.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import singledispatch

import click
from click.exceptions import MissingParameter, NoSuchCommand, NoSuchOption

from birthmark.errors import BirthmarkError
from birthmark.words import did_you_mean

# Commands that people know from other programs, and what there is instead.
ABSENT = {
    "init": "nothing needs to be initialised; `birthmark index` makes the index",
    "uninstall": "`rm -r .birthmark` removes an index, `pip uninstall birthmark` the program",
    "update": "`birthmark index` brings the index up to date",
    "grep": "`birthmark resolve NAME` finds a name, `birthmark entities` lists them all",
    "log": "`birthmark history REF` shows what each commit did to it",
}


def describe_usage(error: click.ClickException) -> BirthmarkError:
    """The message begins with the command, if one was called."""
    ctx = error.ctx if isinstance(error, click.UsageError) else None
    command = command_name(ctx)
    return BirthmarkError(f"{command}: {_describe(error)}" if command else _describe(error))


def command_name(ctx: click.Context | None) -> str:
    """Return the command without the program, such as `diff` or `subscriptions show`; empty for the program itself."""
    return ctx.command_path.partition(" ")[2] if ctx is not None else ""


@singledispatch
def _describe(error: click.ClickException) -> str:
    return _plain(error.format_message())


@_describe.register
def _(error: NoSuchCommand) -> str:
    name, ctx = error.command_name, error.ctx
    if name in ABSENT and not command_name(ctx):
        return f"no such command: {name}; {ABSENT[name]}"
    known = ctx.command.list_commands(ctx) if ctx is not None and isinstance(ctx.command, click.Group) else ()
    return f"no such command: {name}{_hint(name, known, ctx)}"


@_describe.register
def _(error: NoSuchOption) -> str:
    known = [flag for flag in _flags(error.ctx) if flag.startswith("--")]
    return f"no such option: {error.option_name}{_hint(error.option_name, known, error.ctx)}"


@_describe.register
def _(error: MissingParameter) -> str:
    return f"{_name(error)} is missing; {_see(error.ctx)} explains it"


@_describe.register
def _(error: click.BadParameter) -> str:
    kind = error.param.type if error.param is not None else None
    near = ""
    if isinstance(kind, click.Choice):
        given = error.message.partition("'")[2].partition("'")[0]
        near = did_you_mean(given, map(str, kind.choices))
    return f"{_name(error)}: {_plain(error.message)}{near}"


def _name(error: click.BadParameter) -> str:
    param = error.param
    if param is None:
        return str(error.param_hint or "a value")
    if isinstance(param, click.Argument) and error.ctx is not None:
        return param.make_metavar(error.ctx)
    return param.opts[-1]


def _flags(ctx: click.Context | None) -> Iterable[str]:
    params = ctx.command.get_params(ctx) if ctx is not None else ()
    options = [param for param in params if isinstance(param, click.Option)]
    return (flag for option in options for flag in (*option.opts, *option.secondary_opts))


def _hint(word: str, known: Iterable[str], ctx: click.Context | None) -> str:
    return did_you_mean(word, known) or f"; {_see(ctx, ' --all')} lists what there is"


def _see(ctx: click.Context | None, of_all: str = "") -> str:
    """Return the command that explains a command, or, with an option, the program."""
    name = command_name(ctx)
    return f"`birthmark help {name}`" if name else f"`birthmark help{of_all}`"


def _plain(message: str) -> str:
    """Without a full stop, and with in lower case, as it follows a colon."""
    message = message.strip().removesuffix(".")
    return message[:1].lower() + message[1:] if message[1:2].islower() else message
