"""`help`, `languages`, and `completion`: a script that makes the shell complete commands, options, names and ids."""

from __future__ import annotations

import click
from click.exceptions import NoSuchCommand
from click.shell_completion import get_completion_class

from birthmark.surfaces.cli.command_table import LISTS_ALL
from birthmark.surfaces.cli.terminal.output import json_option, print_json
from birthmark.surfaces.cli.terminal.tables import echo_wrapped, print_table
from birthmark.surfaces.cli.topics import TOPICS, Topic
from birthmark.surfaces.text import paint, wrap_text

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


@click.command()
@json_option
def languages(as_json: bool) -> None:
    """List the supported languages and their file names.

    Languages of your own are folders in ~/.config/birthmark/languages.

    \b
    Examples:
      birthmark languages
      birthmark languages --json
    """
    from birthmark.app.answers.listing import list_languages
    from birthmark.documents.index import language_document

    specs = list_languages()
    if as_json:
        print_json([language_document(spec) for spec in specs])
        return
    width = max(len(spec.name) for spec in specs)
    for spec in specs:
        first, *rest = wrap_text(" ".join((*spec.extensions, *spec.filenames)), " " * (width + 2))
        click.echo(paint(spec.name, "cyan") + first[len(spec.name) :])
        for line in rest:
            click.echo(line)


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print a script that lets SHELL complete commands, options, names, paths, revisions and ids.

    Names and paths are those of the index: `birthmark callers App.r`, `birthmark history src/app.py::`. Revisions are
    branches, tags, HEAD~1 and so on, and the latest commits; ids are those of subscriptions. Open a new shell after
    this:

    \b
    Examples:
      birthmark completion bash >> ~/.bashrc
      birthmark completion zsh >> ~/.zshrc       # after compinit
      birthmark completion fish > ~/.config/fish/completions/birthmark.fish
    """
    from birthmark.surfaces.cli.completion import VARIABLE
    from birthmark.surfaces.cli.top_command import cli

    complete = get_completion_class(shell)
    assert complete is not None  # click knows the three shells above
    click.echo(complete(cli, {}, "birthmark", VARIABLE).source())
