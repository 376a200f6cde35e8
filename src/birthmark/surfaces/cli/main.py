"""How every command starts and ends.

What only asks for the version imports nothing else.
"""

from __future__ import annotations

import sys

from birthmark import __version__


def main() -> None:
    if sys.argv[1:] == ["--version"]:
        print(f"birthmark {__version__}")
        sys.exit(0)
    from birthmark.surfaces.cli.running import run_command

    run_command()
