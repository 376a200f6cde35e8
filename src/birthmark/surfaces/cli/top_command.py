"""`birthmark` itself: its options, and the end of every command."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterable
from contextvars import copy_context
from functools import singledispatch
from pathlib import Path
from types import FrameType

import click
from click.exceptions import MissingParameter, NoSuchCommand, NoSuchOption

from birthmark.errors import BirthmarkError
from birthmark.surfaces.cli.command_table import ClosedPipeError, LazyGroup
from birthmark.surfaces.cli.shared_options import setting_options
from birthmark.words import did_you_mean


def _change_folder(_: click.Context, __: click.Parameter, folder: Path | None) -> None:
    if folder is not None:
        os.chdir(folder)


def _show_version(ctx: click.Context, _: click.Parameter, is_asked: bool) -> None:
    if is_asked and not ctx.resilient_parsing:
        from birthmark.app.versions import describe_version

        click.echo(f"birthmark {describe_version()}")
        ctx.exit()


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    subcommand_metavar="COMMAND …",
    # Whether there is colour is decided by `paint`; click would remove it again on the way to a pager.
    context_settings={"help_option_names": ["-h", "--help"], "color": True},
    epilog="`birthmark help COMMAND` explains a command. Topics: `birthmark help refs`, `revisions`, `exit-codes`.",
)
@click.option(
    "-C",
    "folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER",
    is_eager=True,
    expose_value=False,
    callback=_change_folder,
    help="Run as if started in this folder.",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and exit.",
)
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Give every piece of code an identity that survives editing.

    \b
    Examples:
      birthmark index                        index the repository
      birthmark history src/app.py::App.run  what each commit did to a method
      birthmark callers App.run              who calls it
      birthmark diff HEAD~3                  what became of every function since
      birthmark resolve bm-7k3q9w2m4x8p      where an entity is now, or what became of it
      birthmark subscribe App.run            report it when it changes
      birthmark scan                         check all subscriptions for changes
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


cli.params += setting_options(is_hidden=False)


def run_command() -> None:
    """Run a command and exit as `birthmark help exit-codes` lists it; what goes wrong is said in one line."""
    unwind_on_signals()
    try:
        # What options set for the whole command ends with it, also where one process runs several.
        code = copy_context().run(cli.main, prog_name="birthmark", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Exit as stop:
        code = stop.exit_code
    except click.ClickException as error:
        code = _report(describe_usage(error))
    except BirthmarkError as error:
        code = _report(error)
    except (KeyboardInterrupt, click.Abort):
        click.echo("birthmark: stopped", err=True)
        code = 130
    except (BrokenPipeError, ClosedPipeError):
        code = _end_of_pipe()
    except Exception as error:
        code = _report_failure(error)
    sys.exit(code if isinstance(code, int) else 0)


def unwind_on_signals() -> None:
    """SIGTERM and SIGHUP end a command as Ctrl-C does, so that it removes what it has in temporary folders.

    Workers that are forked end at once. A signal that is ignored, as by nohup, stays so.
    """
    owner = os.getpid()

    def end(number: int, _: FrameType | None) -> None:
        if os.getpid() != owner:
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
        sys.exit(128 + number)

    for number in [signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])]:
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, end)


def _report(error: BirthmarkError) -> int:
    from birthmark.surfaces.cli.terminal.output import say_error

    say_error(error)
    return error.exit_code


def _end_of_pipe() -> int:
    """End as other programs do whose output is no longer read: of the signal that Python ignores."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGPIPE)
    # Where there is no such signal, the interpreter must not try to flush again what nothing reads.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _report_failure(error: Exception) -> int:
    from birthmark.surfaces.request_error import describe_failure

    click.echo(f"birthmark: {describe_failure(error)}", err=True)
    return 3


# Commands that people know from other programs, and what there is instead.
ABSENT = {
    "init": "nothing needs to be initialised; `birthmark index` makes the index",
    "uninstall": "`rm -r .birthmark` removes an index, `pip uninstall birthmark` the program",
    "update": "`birthmark index` brings the index up to date",
    "grep": "`birthmark resolve NAME` finds a name, `birthmark entities` lists them all",
    "log": "`birthmark history REF` shows what each commit did to it",
}


# Usage errors in one line, in the form of all other errors


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
