"""`birthmark` itself: what comes before a command."""

from __future__ import annotations

import os
from pathlib import Path

import click

from birthmark.surfaces.cli.command_table import LazyGroup
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
