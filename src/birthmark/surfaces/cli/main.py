"""The command line. Subcommands are imported when they are called, so that starting is cheap."""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path

import click

from birthmark import __version__
from birthmark.errors import BirthmarkError

COMMANDS = {
    "index": "birthmark.surfaces.cli.index_commands:index",
    "status": "birthmark.surfaces.cli.index_commands:status",
    "entities": "birthmark.surfaces.cli.list_commands:entities",
    "nodes": "birthmark.surfaces.cli.list_commands:nodes",
    "chunks": "birthmark.surfaces.cli.list_commands:chunks",
    "show": "birthmark.surfaces.cli.query_commands:show",
    "resolve": "birthmark.surfaces.cli.query_commands:resolve",
    "diff": "birthmark.surfaces.cli.diff_command:diff",
    "history": "birthmark.surfaces.cli.history_command:history",
    "blame": "birthmark.surfaces.cli.blame_command:blame",
    "callers": "birthmark.surfaces.cli.edges_command:callers",
    "callees": "birthmark.surfaces.cli.edges_command:callees",
    "subscribe": "birthmark.surfaces.cli.subscription_commands:subscribe",
    "subscriptions": "birthmark.surfaces.cli.subscription_commands:subscriptions",
    "scan": "birthmark.surfaces.cli.scan_command:scan",
    "apply": "birthmark.surfaces.cli.subscription_commands:apply",
    "validate": "birthmark.surfaces.cli.index_commands:validate",
    "doctor": "birthmark.surfaces.cli.index_commands:doctor",
    "watch": "birthmark.surfaces.cli.watch_command:watch",
    "serve": "birthmark.surfaces.cli.serve_command:serve",
    "deliver": "birthmark.surfaces.cli.deliver_command:deliver",
    "languages": "birthmark.surfaces.cli.languages_command:languages",
    "completion": "birthmark.surfaces.cli.completion_command:completion",
}


class LazyGroup(click.Group):
    """Knows the names of its commands, and loads the one that is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name].partition(":")
        command = getattr(importlib.import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command


def _change_folder(_: click.Context, __: click.Parameter, folder: Path | None) -> None:
    if folder is not None:
        os.chdir(folder)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="birthmark %(version)s")
@click.option(
    "-C",
    "folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    is_eager=True,
    expose_value=False,
    callback=_change_folder,
    help="Run as if started in this folder.",
)
def cli() -> None:
    """Give every piece of code an identity that survives editing.

    \b
    Examples:
      birthmark index                      index the repository
      birthmark resolve bm-7k3q9w2m4x8p    where an entity is now, or what became of it
      birthmark diff HEAD~3                what became of every function since
      birthmark subscribe src/app.py::run  report it when it changes
      birthmark scan                       check all subscriptions for changes
      birthmark entities app.py            list the definitions of a file
      birthmark nodes app.py --jsonl       list calls, imports, variables, …
      birthmark chunks README.md           split a file for embedding
      birthmark languages                  list the supported languages
    """


def main() -> None:
    """Exit 0: fine. 1: findings, where asked for. 2: bad usage or input. 3: failure."""
    try:
        code = cli.main(prog_name="birthmark", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Exit as stop:
        code = stop.exit_code
    except click.ClickException as error:
        error.show()
        code = 2
    except BirthmarkError as error:
        click.echo(f"birthmark: {_one_line(error)}", err=True)
        for choice in error.choices:
            click.echo(f"  {choice}", err=True)
        code = error.exit_code
    except (KeyboardInterrupt, click.Abort):
        click.echo("birthmark: stopped", err=True)
        code = 130
    except BrokenPipeError:
        # The reader of our output has closed it; the interpreter must not try to flush it again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except Exception as error:
        code = _report_failure(error)
    sys.exit(code if isinstance(code, int) else 0)


def _one_line(error: BirthmarkError) -> str:
    """A message may quote what the user gave, with line ends in it."""
    return "\\n".join(str(error).splitlines())


def _report_failure(error: Exception) -> int:
    from birthmark.surfaces.failures import describe_failure

    click.echo(f"birthmark: {describe_failure(error)}", err=True)
    return 3
