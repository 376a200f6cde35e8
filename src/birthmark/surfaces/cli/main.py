"""How every command starts and ends.

What only asks for the version imports nothing else.
"""

from __future__ import annotations

import gc
import sys

_NEW_OBJECTS = 50_000  # after which garbage is looked for: what is made by the hundred thousand holds no cycles


def main() -> None:
    if sys.argv[1:] == ["--version"]:
        from birthmark.app.versions import describe_version

        print(f"birthmark {describe_version()}")
        sys.exit(0)
    gc.set_threshold(_NEW_OBJECTS, *gc.get_threshold()[1:])
    from birthmark.surfaces.cli.running import run_command

    try:
        run_command()
    finally:
        gc.freeze()  # What is left ends with the process; to look for garbage in it took 8 ms.
