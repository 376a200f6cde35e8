"""How every command starts and ends.

What only asks for the version imports nothing else.
"""

from __future__ import annotations

import sys


def main() -> None:
    if sys.argv[1:] == ["--version"]:
        from birthmark.app.versions import describe_version

        print(f"birthmark {describe_version()}")
        sys.exit(0)
    from birthmark.surfaces.cli.running import run_command

    run_command()
