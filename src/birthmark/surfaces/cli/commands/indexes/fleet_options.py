"""Options that several commands about a fleet have."""

from __future__ import annotations

from pathlib import Path

import click

mirrors_option = click.option(
    "--mirrors",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Where mirrors of what is fetched are.  [default: birthmark/mirrors in XDG_CACHE_HOME or ~/.cache]",
)
