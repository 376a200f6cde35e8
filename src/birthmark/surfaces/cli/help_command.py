"""`help`: of a command, of a command within another, or of a topic."""

from __future__ import annotations

import click
from click.exceptions import NoSuchCommand

from birthmark.surfaces.cli.exit_codes import EXIT_CODES
from birthmark.surfaces.cli.tables import print_table

EXIT_CODES_TOPIC = "exit-codes"


@click.command("help")
@click.argument("names", nargs=-1, metavar="[COMMAND [SUBCOMMAND]]")
@click.pass_context
def help_(ctx: click.Context, names: tuple[str, ...]) -> None:
    """Explain a command, or list the commands there are.

    `birthmark help exit-codes` lists what a command exits with.

    \b
    Examples:
      birthmark help
      birthmark help diff
      birthmark help subscriptions snooze
      birthmark help exit-codes
    """
    if names == (EXIT_CODES_TOPIC,):
        print_table([(str(code), meaning.replace("`", "")) for code, meaning in EXIT_CODES.items()])
        return
    found = ctx.find_root()
    for name in names:
        found = _within(found, name)
    click.echo(found.get_help())


def _within(ctx: click.Context, name: str) -> click.Context:
    command = ctx.command.get_command(ctx, name) if isinstance(ctx.command, click.Group) else None
    if command is None:
        raise NoSuchCommand(name, ctx=ctx)
    return click.Context(command, parent=ctx, info_name=name)
