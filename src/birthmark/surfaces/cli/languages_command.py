"""`languages`: which languages are supported."""

from __future__ import annotations

import sys

import click

from birthmark.languages.registry import LanguageSpec, load_registry
from birthmark.surfaces import wire
from birthmark.surfaces.text import paint


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def languages(as_json: bool) -> None:
    """List the supported languages and their file names.

    Languages of your own are folders in ~/.config/birthmark/languages.

    \b
    Examples:
      birthmark languages
      birthmark languages --json
    """
    specs = load_registry().languages.values()
    if as_json:
        sys.stdout.buffer.write(wire.encode_json([_document(spec) for spec in specs]) + b"\n")
        return
    for spec in specs:
        files = " ".join((*spec.extensions, *spec.filenames))
        click.echo(f"{paint(spec.name.ljust(12), 'cyan')}  {files}")


def _document(spec: LanguageSpec) -> wire.Document:
    return {
        "language": spec.name,
        "family": spec.family,
        "container": spec.is_container,
        "extensions": spec.extensions,
        "filenames": spec.filenames,
        "interpreters": spec.interpreters,
        "aliases": spec.aliases,
    }
