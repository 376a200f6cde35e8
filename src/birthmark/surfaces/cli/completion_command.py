"""`completion`: a script that teaches the shell our commands and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print a script that completes commands and options in SHELL.

    \b
    Examples:
      birthmark completion bash >> ~/.bashrc
      birthmark completion zsh  >> ~/.zshrc
      birthmark completion fish > ~/.config/fish/completions/birthmark.fish
    """
    from birthmark.surfaces.cli.main import cli

    complete = get_completion_class(shell)
    assert complete is not None  # click knows the three shells above
    click.echo(complete(cli, {}, "birthmark", "_BIRTHMARK_COMPLETE").source())
