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
    "index": "birthmark.surfaces.indexing:index",
    "status": "birthmark.surfaces.indexing:status",
    "entities": "birthmark.surfaces.listing:entities",
    "nodes": "birthmark.surfaces.listing:nodes",
    "chunks": "birthmark.surfaces.listing:chunks",
    "show": "birthmark.surfaces.asking:show",
    "resolve": "birthmark.surfaces.asking:resolve",
    "diff": "birthmark.surfaces.diffing:diff",
    "history": "birthmark.surfaces.history:history",
    "blame": "birthmark.surfaces.blame:blame",
    "callers": "birthmark.surfaces.asking:callers",
    "callees": "birthmark.surfaces.asking:callees",
    "subscribe": "birthmark.surfaces.subscribing:subscribe",
    "subscriptions": "birthmark.surfaces.subscribing:subscriptions",
    "scan": "birthmark.surfaces.scanning:scan",
    "apply": "birthmark.surfaces.subscribing:apply",
    "validate": "birthmark.surfaces.indexing:validate",
    "doctor": "birthmark.surfaces.indexing:doctor",
    "watch": "birthmark.surfaces.watch:watch",
    "serve": "birthmark.surfaces.serving:serve",
    "deliver": "birthmark.surfaces.delivering:deliver",
    "languages": "birthmark.surfaces.languages:languages",
    "completion": "birthmark.surfaces.completion:completion",
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
      birthmark resolve bm-7k3q9w2m4x8p    where a thing is now, or what became of it
      birthmark diff HEAD~3                what became of every function since
      birthmark subscribe src/app.py::run  be told when it changes
      birthmark scan                       what has changed of all that is subscribed to
      birthmark entities app.py            what a file defines
      birthmark nodes app.py --jsonl       calls, imports, variables, …
      birthmark chunks README.md           what to embed
      birthmark languages                  what can be read
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
        click.echo(f"birthmark: {error}", err=True)
        code = error.exit_code
    except (KeyboardInterrupt, click.Abort):
        click.echo("birthmark: stopped", err=True)
        code = 130
    except BrokenPipeError:
        # Whoever read our output has seen enough; the interpreter must not try to flush it again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except Exception as error:
        code = _report_failure(error)
    sys.exit(code if isinstance(code, int) else 0)


def _report_failure(error: Exception) -> int:
    from birthmark.surfaces.failures import describe_failure

    click.echo(f"birthmark: {describe_failure(error)}", err=True)
    return 3
