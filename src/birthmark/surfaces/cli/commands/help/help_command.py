"""`help`: of a command, of a command within another, or of a topic."""

from __future__ import annotations

import click
from click.exceptions import NoSuchCommand

from birthmark.surfaces.cli.command_table import LISTS_ALL
from birthmark.surfaces.cli.terminal.tables import echo_wrapped, print_table
from birthmark.surfaces.cli.topics import TOPICS, Topic
from birthmark.surfaces.text import paint

_WIDTH = 80  # of paragraphs, where no screen says otherwise


@click.command("help")
@click.argument("names", nargs=-1, metavar="[COMMAND [SUBCOMMAND] | TOPIC]")
@click.option("--all", "lists_all", is_flag=True, help="List all commands, and the options of all.")
@click.pass_context
def help_(ctx: click.Context, names: tuple[str, ...], lists_all: bool) -> None:
    """Explain a command or a topic, or list commands.

    Topics are `refs` (how code is named), `revisions`, and `exit-codes`.

    \b
    Examples:
      birthmark help --all
      birthmark help diff
      birthmark help subscriptions snooze
      birthmark help refs
    """
    if len(names) == 1 and names[0] in TOPICS:
        _print_topic(TOPICS[names[0]])
        return
    found = ctx.find_root()
    found.meta[LISTS_ALL] = lists_all
    for name in names:
        found = _within(found, name)
    click.echo(found.get_help())


def _within(ctx: click.Context, name: str) -> click.Context:
    command = ctx.command.get_command(ctx, name) if isinstance(ctx.command, click.Group) else None
    if command is None:
        raise NoSuchCommand(name, ctx=ctx)
    return click.Context(command, parent=ctx, info_name=name)


def _print_topic(topic: Topic) -> None:
    click.echo(f"{paint(topic.title, 'bold')}\n")
    print_table(topic.rows, "  ")
    for paragraph in topic.paragraphs:
        click.echo()
        echo_wrapped(paragraph)
