"""No command runs, follows or shows what a hostile repository brings.

The short form is part of every run; `make hostile` runs every command among all traps.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest
from hostile_files import IGNORED, REFUSED

from hostile.command_lines import LINES, SERVERS, list_commands
from hostile.judge import judge_output
from hostile.scene import IS_FULL, SECONDS, WAYS, Scene, needs_linux
from hostile.traps import MODULE_FORMS, Variant, list_variants

pytestmark = needs_linux

VARIANTS = list_variants()
TRIED = list(enumerate(VARIANTS)) if IS_FULL else [(1, VARIANTS[1])]


def test_every_command_is_tried() -> None:
    """A command that is missing here is not known to be harmless."""
    missing = {name for name in list_commands() if not any(line.is_of(name) for line in LINES)}
    assert missing == {*SERVERS} - {"mcp"}


def test_every_trap_is_tried() -> None:
    assert {name for variant in VARIANTS for name in variant.files} == {*IGNORED, *REFUSED}
    assert {variant.form for variant in VARIANTS} == {*MODULE_FORMS}


@pytest.mark.parametrize(("number", "variant"), TRIED, ids=lambda one: getattr(one, "name", str(one)))
@pytest.mark.timeout(1800)
def test_commands(tmp_path: Path, number: int, variant: Variant) -> None:
    """Each line of a variant in another way, so that each trap meets all commands, and each command all ways."""
    scene, violations = Scene(tmp_path, variant), list[str]()
    for position, line in enumerate(LINES):
        if line.is_short or IS_FULL:
            way, is_odd = WAYS[(number + position) % len(WAYS)], bool(position % 2)
            violations += scene.run(line, way, finds_programs_here=is_odd, is_broken=variant.is_broken)
    assert violations == []


@pytest.mark.parametrize("form", MODULE_FORMS if IS_FULL else ["packages"])
def test_completion_and_a_pager(tmp_path: Path, form: str) -> None:
    """A shell runs birthmark for every TAB; a terminal gets long output through a program."""
    scene = Scene(tmp_path, Variant(form))
    scene.prepare()
    with scene.judged() as completed:
        asked = {"_BIRTHMARK_COMPLETE": "bash_complete", "COMP_WORDS": "birthmark show tot", "COMP_CWORD": "2"}
        command, environment = scene.command(""), scene.environment(finds_programs_here=True)
        output = subprocess.check_output(command, cwd=scene.root, env=environment | asked)
    assert completed + judge_output(output) == []
    with scene.judged(programs=frozenset({shutil.which("less") or ""})) as paged:
        output = run_at_terminal([*command, "search", "total"], scene.root, environment | {"TERM": "xterm"})
    assert paged + judge_output(output) == []
    assert b"shop.py" in output


def run_at_terminal(command: list[str], folder: Path, environment: dict[str, str]) -> bytes:
    ours, theirs = os.openpty()
    with subprocess.Popen(command, cwd=folder, env=environment, stdin=theirs, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        os.write(ours, b"q")  # for a pager that waits
        output = b""
        with suppress(OSError):  # so ends a terminal that no process has open
            while data := os.read(ours, 1 << 16):
                output += data
        assert process.wait(SECONDS) == 0
    os.close(ours)
    return output
