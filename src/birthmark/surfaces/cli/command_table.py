"""All commands, by purpose, and the group that loads the one that is called, so that starting is cheap.

What all commands have in common is added here: options that are understood anywhere, and completion.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator

import click

from birthmark.app.server_part import load_part
from birthmark.surfaces.cli.completion import add_completion
from birthmark.surfaces.cli.interrupts import ending_at_once
from birthmark.surfaces.cli.shared_options import setting_options

_PACKAGE, _SERVER = "birthmark.surfaces.cli.commands", "server."
SECTIONS = {
    "Code": {
        "search": "search:search",
        "show": "definitions:show",
        "resolve": "definitions:resolve",
        "anchor": "definitions:anchor",
        "users": "uses:users",
        "callers": "uses:callers",
        "callees": "uses:callees",
        "tests": "uses:tests",
        "context": "definitions:context",
        "entities": "lists:entities",
        "clones": "search:clones",
        "modules": "structure:modules",
        "hotspots": "structure:hotspots",
    },
    "Graph": {
        "impact": "impact:impact",
        "path": "impact:path",
        "cycles": "whole_graph:cycles",
        "components": "whole_graph:components",
        "rank": "whole_graph:rank",
        "unused": "whole_graph:unused",
    },
    "Changes": {
        "history": "history:history",
        "blame": "history:blame",
        "diff": "diff:diff",
        "affected": "uses:affected",
        "review": "review:review",
        "sarif": "findings:sarif",
    },
    "Notes": {
        "note": "notes:note",
        "notes": "notes:notes",
    },
    "Subscriptions": {
        "subscribe": "subscriptions:subscribe",
        "subscriptions": "subscriptions:subscriptions",
        "scan": "scan:scan",
        "apply": "subscriptions:apply",
        "deliver": "server.commands.deliver_command:deliver",
    },
    "Index": {
        "index": "indexes:index",
        "status": "status:status",
        "watch": "indexes:watch",
        "validate": "indexes:validate",
        "doctor": "indexes:doctor",
        "trust": "status:trust",
        "copy": "server.commands.copy_command:copy",
        "fleet": "server.commands.fleet_commands:fleet",
    },
    "Integrations": {
        "chunks": "lists:chunks",
        "nodes": "lists:nodes",
        "export": "export:export",
        "serve": "serve:serve",
        "token": "server.commands.token_commands:token",
        "mcp": "mcp:mcp",
        "lsp": "mcp:lsp",
    },
    "Help": {
        "languages": "help:languages",
        "completion": "help:completion",
        "help": "help:help_",
    },
}
# The commands that most people need, as `birthmark --help` shows them on one screen.
FIRST_COMMANDS = {
    "Index": {"index": "Index the repository, or bring its index up to date"},
    "Code": {
        "search": "Find definitions by words",
        "show": "Show the ids, the place and the source of a definition",
        "resolve": "Show where a definition is now, or what became of it",
        "users": "List the uses of a definition",
        "impact": "Show what may break when a definition is changed",
    },
    "Changes": {
        "history": "Show what each commit did to a definition",
        "diff": "Compare two states of the repository by definitions",
    },
    "Subscriptions": {
        "subscribe": "Report a definition when it changes",
        "scan": "Check all subscriptions for changes",
    },
}
LISTS_ALL = "birthmark.lists_all"  # of the context: all commands are listed
COMMANDS = {name: module for section in SECTIONS.values() for name, module in section.items()}


class ClosedPipeError(Exception):
    """The output is no longer read. Click ends with 1 then; other programs die of a signal."""


class LazyGroup(click.Group):
    """Knows the names of its commands, and loads the one that is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.commands:
            command = _load(cmd_name) if cmd_name in COMMANDS else _command_of_question(cmd_name)
            if command is not None:
                self.add_command(command, cmd_name)
        return self.commands.get(cmd_name)

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise ClosedPipeError from error

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        if ctx.meta.get(LISTS_ALL):
            super().format_help(ctx, formatter)
            return
        self.format_usage(ctx, formatter)
        formatter.write(f"\n  {summary_of(self)}.\n")
        width = max(len(name) for names in FIRST_COMMANDS.values() for name in names)
        for section, names in FIRST_COMMANDS.items():
            with formatter.section(section):
                formatter.write_dl([(name.ljust(width), text) for name, text in names.items()])
        formatter.write("\nMore: birthmark help --all, birthmark help COMMAND\n")

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, COMMANDS))
        for section, names in SECTIONS.items():
            commands = [(name, self.get_command(ctx, name)) for name in names]
            with formatter.section(section):
                rows = [(name.ljust(width), summary_of(command)) for name, command in commands if command is not None]
                formatter.write_dl(rows)


def summary_of(command: click.Command) -> str:
    """The first sentence of its help text."""
    paragraph = (command.help or "").strip().partition("\n\n")[0]
    return " ".join(paragraph.split()).partition(". ")[0].removesuffix(".")


def _load(name: str) -> click.Command:
    module, _, attribute = COMMANDS[name].partition(":")
    with ending_at_once():
        if module.startswith(_SERVER):
            loaded = load_part(module.removeprefix(_SERVER))
        else:
            loaded = importlib.import_module(f"{_PACKAGE}.{module}")
    command = getattr(loaded, attribute)
    assert isinstance(command, click.Command)
    return _with_shared_options(command)


def _command_of_question(name: str) -> click.Command | None:
    """A question without a command of its own is one that prints JSON."""
    from birthmark.questions.table import QUESTIONS
    from birthmark.surfaces.cli.question_command import question_command
    from birthmark.surfaces.cli.terminal.output import print_json

    if name not in QUESTIONS or QUESTIONS[name].writes:
        return None
    return _with_shared_options(question_command(QUESTIONS[name], lambda asked, found: print_json(found)))


def _with_shared_options(command: click.Command) -> click.Command:
    for one in _all_of(command):
        own = {name for param in one.params for name in param.opts}
        shared = setting_options(is_hidden=True)
        one.params += [option for option in shared if own.isdisjoint(option.opts)]
        add_completion(one)
    return command


def _all_of(command: click.Command) -> Iterator[click.Command]:
    """A command, and those within it."""
    yield command
    if isinstance(command, click.Group):
        yield from command.commands.values()
