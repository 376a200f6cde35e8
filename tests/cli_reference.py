"""The reference of the command line, made from the commands themselves.

Gives the whole page `docs/reference/cli.md`: topics, then every command with its usage, help, examples and options.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from inspect import cleandoc
from textwrap import wrap

import click

from birthmark.surfaces.cli.command_table import SECTIONS, summary_of
from birthmark.surfaces.cli.commands.help import TOPICS, Topic
from birthmark.surfaces.cli.top_command import cli

_FLAG = re.compile(r"(?<![\w-])(--[a-z][\w-]*)")
_BOUNDS = re.compile(r" \[[^]\s]*x[<>]=[^]\s]*\]|; [^];\s]*x[<>]=[^];\s]*")
_WIDTH = 120  # of paragraphs
_SUBSCRIPTIONS = "[Subscriptions](subscriptions.md): what they are, and what a scan finds"
_NOTES = "[How to leave notes](../how-to/leave-notes.md)"
_SEE = {
    "search": "[How to find what you remember](../how-to/search.md)",
    "users": "[How an edge was resolved](../glossary.md)",
    "callers": "[How an edge was resolved](../glossary.md)",
    "callees": "[How an edge was resolved](../glossary.md)",
    "clones": "[Derivations](../explanation/derivations.md): what was copied from what, commit by commit",
    "history": "[Histories](history.md): how an entity is followed, and the words for what happened to it",
    "blame": "[Histories](history.md): what counts as a change, and what does not",
    "note": _NOTES,
    "notes": _NOTES,
    "subscribe": _SUBSCRIPTIONS,
    "subscriptions": _SUBSCRIPTIONS,
    "scan": f"{_SUBSCRIPTIONS}; [in CI](../how-to/scan-in-ci.md)",
    "deliver": "[Settings](settings.md#where-to-send-what-a-scan-found): where to send what a scan found",
    "index": "[Which files are indexed](files.md); [what an index is](../explanation/the-index.md)",
    "mcp": "[How to use it with agents](../how-to/use-with-agents.md)",
    "serve": "[HTTP](http.md): routes, pages and errors",
    "languages": "[How to add a language](../how-to/add-a-language.md)",
}
_INTRODUCTION = """\
# Command line

<!-- Made by `make docs-reference` from the commands; what is written here by hand is lost. -->

The answer goes to standard output; remarks, problems and progress go to standard error. On a terminal answers have
colour, are as wide as the terminal, and go through a pager where they are long: `BIRTHMARK_PAGER`, `GIT_PAGER` or
`PAGER`, else `less`. `NO_COLOR`, `FORCE_COLOR` and `COLUMNS` are respected. Elsewhere there is no colour, and no line
is cut. `--json` and `--jsonl` give [documents](wire.md).

A question about the worktree brings the [index](../explanation/the-index.md) up to date first; `--no-refresh`, or a
[setting](settings.md), answers from the index as it is. What could not be brought up to date, because another process
writes or a file cannot be read, is named on standard error, and in the field `freshness` of documents.
"""

_OPTIONS_OF_ALL = """\
## Options of all commands

`-C` comes before the command; the others may come anywhere.

"""


def write_cli_page() -> str:
    root = click.Context(cli, info_name="birthmark", **cli.context_settings)
    parts = [_INTRODUCTION, _contents(root), *map(_topic, TOPICS.values())]
    parts.append(
        "## Options of all commands\n\n`-C` comes before the command; the others may come anywhere.\n\n"
        + _options(root)
    )
    for section, names in SECTIONS.items():
        parts.append(f"## {section}\n")
        parts += [part for name in names for part in _command(_child(root, name))]
    return "\n".join(parts).rstrip("\n") + "\n"


def _child(ctx: click.Context, name: str) -> click.Context:
    assert isinstance(ctx.command, click.Group)
    command = ctx.command.get_command(ctx, name)
    assert command is not None
    return click.Context(command, info_name=name, parent=ctx)


def _contents(root: click.Context) -> str:
    lines = ["| | command | does |", "|---|---|---|"]
    for section, names in SECTIONS.items():
        for number, name in enumerate(names):
            link = f"[`birthmark {name}`](#birthmark-{name})"
            summary = _cell(summary_of(_child(root, name).command))
            lines.append(f"| {section if number == 0 else ''} | {link} | {summary} |")
    return "\n".join(lines) + "\n"


def _topic(topic: Topic) -> str:
    rows = [f"| {_code(name)} | {_cell(meaning)} |" for name, meaning in topic.rows]
    table = [f"## {topic.title}\n", "| | meaning |", "|---|---|", *rows]
    return "\n".join([*table, *(f"\n{_paragraph(one)}" for one in topic.paragraphs)]) + "\n"


def _command(ctx: click.Context) -> Iterator[str]:
    """Its section, and those of the commands within it."""
    level = "###" if ctx.parent is not None and ctx.parent.parent is None else "####"
    yield f"{level} `{ctx.command_path}`\n\n" + "\n".join(part for part in _parts(ctx) if part)
    if isinstance(ctx.command, click.Group):
        for name in ctx.command.list_commands(ctx):
            yield from _command(_child(ctx, name))


def _parts(ctx: click.Context) -> Iterator[str]:
    command = ctx.command
    text, _, examples = cleandoc(command.help or "").partition("\b\nExamples:\n")
    yield "\n\n".join(_paragraph(one) for one in text.split("\n\n") if one.strip()) + "\n"
    yield f"```sh\n{ctx.command_path} {' '.join(command.collect_usage_pieces(ctx))}\n```\n"
    if examples:
        yield "Examples:\n\n```sh\n" + "\n".join(line.strip() for line in examples.strip().splitlines()) + "\n```\n"
    yield _options(ctx)
    if ctx.parent is not None and ctx.parent.parent is None and ctx.info_name in _SEE:
        yield f"See {_SEE[ctx.info_name]}.\n"


def _paragraph(text: str) -> str:
    """A paragraph whose lines were kept is a list in the help, and one here."""
    if text.startswith("\b\n"):
        return "```text\n" + text.removeprefix("\b\n") + "\n```"
    return "\n".join(wrap(" ".join(text.split()), _WIDTH, break_long_words=False, break_on_hyphens=False))


def _options(ctx: click.Context) -> str:
    shown = [param for param in ctx.command.params if isinstance(param, click.Option) and not param.hidden]
    rows = [row for option in shown if (row := option.get_help_record(ctx)) is not None]
    if not rows:
        return ""
    return "\n".join(["| option | meaning |", "|---|---|", *_option_rows(rows)]) + "\n"


def _option_rows(rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    for names, meaning in rows:
        yield f"| {_code(names)} | {_cell(meaning)} |"


def _code(text: str) -> str:
    return "`" + text.replace("|", "\\|") + "`"


def _cell(text: str) -> str:
    """Options are set as code, where they are not; how click writes the bounds of a number is left out."""
    text = _BOUNDS.sub("", " ".join(text.split())).replace("|", "\\|")
    parts = text.split("`")
    return "`".join(part if number % 2 else _FLAG.sub(r"`\1`", part) for number, part in enumerate(parts))
