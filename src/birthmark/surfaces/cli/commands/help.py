"""`help`, `languages`, and `completion`: a script that makes the shell complete commands, options, names and ids."""

from __future__ import annotations

from typing import NamedTuple

import click
from click.exceptions import NoSuchCommand
from click.shell_completion import get_completion_class

from birthmark.queries.pasted_places import PLACES
from birthmark.surfaces.cli.command_table import LISTS_ALL
from birthmark.surfaces.cli.terminal.output import json_option, print_json
from birthmark.surfaces.cli.terminal.tables import echo_wrapped, print_table
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


EXIT_CODES = {
    0: "success",
    1: "findings, where they are asked for: with `--exit-code`, and from `validate`",
    2: "bad usage or input, or nothing that was named is there; one line says what to do",
    3: "failure; one line says where the details are",
    130: "stopped with Ctrl-C; `watch` and `serve`, which end that way, exit with 0",
    141: "whatever read the output has closed it, as `| head` does; the command died of SIGPIPE",
    143: "ended by SIGTERM; 129 by SIGHUP, as where a terminal is closed",
}


class Topic(NamedTuple):
    """A title, a table of things with their meanings, and paragraphs that follow."""

    title: str
    rows: tuple[tuple[str, str], ...]
    paragraphs: tuple[str, ...] = ()


TOPICS = {
    "refs": Topic(
        "What a REF is",
        (
            ("App.run", "a qualified name, or the end of one, that is unique"),
            ("src/app.py::App.run", "a qualified name in a file"),
            ("App.run(int, Reader)", "an overload, by the types of its parameters or by their names"),
            ("shop.app.App.run", "a name with its package in front"),
            ("Shop::App#run()", "a name with the separators of any language, or as a call"),
            ("tests/test_app.py::TestApp::test_run[1-2]", "a test, as pytest names it"),
            ("src/app.py:120", "the innermost entity at a line"),
            ("src/app.py:120-140", "the entity that has these lines"),
            ("bm-7k3q9w2m4x8p", "a mark, which never changes"),
            ("python:method:run:App:__src_app_py:T1706284800", "a key, present or former"),
            ("src/app.py->FUNCTION->run[in:App]", "a semantic id, also that of a call, an import or a variable"),
            ("ck64:v1:repo:src/app.py:02f15b7570028d75:…", "the uid of a chunk"),
            ("bma1-nadzaG9wLnB5qkNhcnQ…", "an anchor, made in any clone"),
            *((form.example, form.meaning) for form in PLACES),
        ),
        (
            "A path is relative to the current folder, or to the root of the repository if it is written as `:/path` "
            "or `:path`, as in git; it may be absolute. Names and paths that an entity once had are understood as "
            "well. A class that inherits a member stands for the class that defines it.",
            "A name that is written exactly so goes before one that ends so, and that before one with a package in "
            "front. Lines of a permalink are those of its commit, which this clone must have: no address is asked. The "
            "path in a stack trace may begin with folders of another machine.",
            "Lines and names are those of the revision that `--at` names, else those of the worktree. `subscribe` also "
            "takes `paths::names` with wildcards, and stores a REF relative to the root.",
        ),
    ),
    "revisions": Topic(
        "What a revision is",
        (
            ("main, v1.0, origin/main", "a branch, a tag, a branch of a remote"),
            ("HEAD~3, v1.0^, @{upstream}, :/Fix", "whatever git understands"),
            ("3f2a9c1", "a commit, or the beginning of its id"),
            ("A..B, A...B", "for `diff`: from A to B; from where they parted to B"),
            ("'2 weeks ago', 2026-01-31", "the last commit before a date, as git reads dates"),
        ),
    ),
    "exit-codes": Topic(
        "What a command exits with",
        tuple((str(code), meaning) for code, meaning in EXIT_CODES.items()),
    ),
}
