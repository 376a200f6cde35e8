"""The start and the end of every command.

What only asks for the version imports nothing else.
"""

# Without `__future__`, which is a module: no other one may be imported before `isolate`.
import gc
import sys

from birthmark.isolation import isolate

_NEW_OBJECTS = 50_000  # after which garbage is looked for: what is made by the hundred thousand holds no cycles


def main() -> None:
    try:
        isolate()
        _run()
    except KeyboardInterrupt:
        print("birthmark: stopped", file=sys.stderr)
        sys.exit(130)
    finally:
        gc.freeze()  # What is left ends with the process; to look for garbage in it took 8 ms.


def _run() -> None:
    if sys.argv[1:] == ["--version"]:
        from birthmark.app.versions import describe_version

        print(f"birthmark {describe_version()}")
        sys.exit(0)
    gc.set_threshold(_NEW_OBJECTS, *gc.get_threshold()[1:])
    from birthmark.surfaces.cli.interrupts import ending_at_once

    with ending_at_once():
        from birthmark.surfaces.cli.top_command import run_command
    run_command()
