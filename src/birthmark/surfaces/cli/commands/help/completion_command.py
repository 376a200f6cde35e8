"""`completion`: a script that makes the shell complete commands, options, names, paths, revisions and ids."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class


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
