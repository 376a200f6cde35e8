"""`languages`: which languages are supported."""

from __future__ import annotations

import click

from birthmark.app.answers.listing import list_languages
from birthmark.documents.index import language_document
from birthmark.surfaces.cli.terminal.output import json_option, print_json
from birthmark.surfaces.text import paint, wrap_text


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
