"""`birthmark` itself: its options, and the end of every command."""

from __future__ import annotations

import os
import signal
import sys
from contextvars import copy_context
from pathlib import Path
from types import FrameType

import click

from birthmark.errors import BirthmarkError
from birthmark.surfaces.cli.command_table import ClosedPipeError, LazyGroup
from birthmark.surfaces.cli.shared_options import screen_options, setting_options


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


cli.params += [*setting_options(is_hidden=False), *screen_options(is_hidden=False)]


def run_command() -> None:
    """Run a command and exit as `topics.py` lists it; what goes wrong is said in one line."""
    unwind_on_signals()
    try:
        # What options set for the whole command ends with it, also where one process runs several.
        code = copy_context().run(cli.main, prog_name="birthmark", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Exit as stop:
        code = stop.exit_code
    except click.ClickException as error:
        from birthmark.surfaces.cli.usage_errors import describe_usage

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
