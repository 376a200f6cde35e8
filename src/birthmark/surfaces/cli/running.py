"""Run a command, and end as every command does."""

from __future__ import annotations

import os
import signal
import sys
from contextvars import copy_context
from types import FrameType

import click

from birthmark.errors import BirthmarkError
from birthmark.surfaces.cli.command_table import ClosedPipeError
from birthmark.surfaces.cli.top_command import cli


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
    from birthmark.surfaces.failures import describe_failure

    click.echo(f"birthmark: {describe_failure(error)}", err=True)
    return 3
