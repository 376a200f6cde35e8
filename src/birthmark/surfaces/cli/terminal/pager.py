"""Long output goes through a pager on a terminal, as git's does.

The pager is $BIRTHMARK_PAGER, $GIT_PAGER or $PAGER, else `less`. The settings of a repository have no say: they may
come from a stranger, and a pager is a command that is run.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from birthmark.surfaces.text import same_screen, screen

_VARIABLES = ("BIRTHMARK_PAGER", "GIT_PAGER", "PAGER")
_DEFAULTS = {"LESS": "FRX", "LV": "-c"}


@contextmanager
def paging() -> Iterator[None]:
    """Send what is printed meanwhile to the pager, if there is a terminal and a pager."""
    command = _command() if screen().pages and sys.stdout.isatty() else None
    if command is None:
        yield
        return
    with same_screen():
        pager = subprocess.Popen(command, stdin=subprocess.PIPE, env=_DEFAULTS | dict(os.environ))
        assert pager.stdin is not None
        sys.stdout.flush()
        terminal = os.dup(1)
        os.dup2(pager.stdin.fileno(), 1)
        try:
            yield
            sys.stdout.flush()
        except BrokenPipeError:  # The pager was quit before its end; what is left to be printed goes nowhere.
            with open(os.devnull, "wb") as nowhere:
                os.dup2(nowhere.fileno(), 1)
                sys.stdout.flush()
        finally:
            os.dup2(terminal, 1)
            os.close(terminal)
            pager.stdin.close()
            pager.wait()


def _command() -> list[str] | None:
    chosen = next((os.environ[name] for name in _VARIABLES if name in os.environ), "less")
    command = shlex.split(chosen)
    program = shutil.which(command[0]) if command and command != ["cat"] else None
    # Some systems look in the working folder, too.
    return [program, *command[1:]] if program is not None and os.path.isabs(program) else None
