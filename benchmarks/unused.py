"""Compare `birthmark unused` with vulture's findings on a Python project.

    python benchmarks/unused.py FOLDER

FOLDER is indexed already; vulture must be installed. Prints what both find, and what only one of them does.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import msgspec

_FINDING = re.compile(r"(?P<path>[^:]+):(?P<line>\d+): unused (?P<kind>\w+) '(?P<name>[^']+)' \((?P<percent>\d+)%")
_DEFINITIONS = ("function", "method", "class", "property", "variable", "attribute")
_NEAR = 3  # lines between a decorator and the name


class Finding(NamedTuple):
    """A definition that is said to be unused."""

    path: str
    line: int
    name: str
    note: str


def vulture_findings(folder: Path) -> list[Finding]:
    paths = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.py"))
    done = subprocess.run(
        [sys.executable, "-m", "vulture", *paths], cwd=folder, capture_output=True, text=True, check=False
    )
    found = [match for line in done.stdout.splitlines() if (match := _FINDING.match(line))]
    return [Finding(one["path"], int(one["line"]), one["name"], one["kind"]) for one in found if _is_definition(one)]


def _is_definition(found: re.Match[str]) -> bool:
    """Vulture is 100 % sure of parameters alone, which are no definitions of ours."""
    return found["kind"] in _DEFINITIONS and found["percent"] != "100"


def our_findings(folder: Path) -> list[Finding]:
    command = [sys.executable, "-m", "birthmark", "unused", "--all", "--limit", "100000", "--timeout", "600", "--json"]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=True)
    findings = []
    for one in msgspec.json.decode(done.stdout)["results"]:
        entity, doubts = one["entity"], [doubt["doubt"] for doubt in one["doubts"]]
        if entity["language"] == "python":
            findings.append(Finding(entity["path"], entity["start_line"], entity["name"], ", ".join(doubts)))
    return findings


def is_same(one: Finding, other: Finding) -> bool:
    return (one.path, one.name) == (other.path, other.name) and abs(one.line - other.line) <= _NEAR


def main(folder: Path) -> None:
    theirs, ours = vulture_findings(folder), our_findings(folder)
    both = [one for one in ours if any(is_same(one, other) for other in theirs)]
    print(f"both: {len(both)}")
    _print("vulture alone", [one for one in theirs if not any(is_same(one, other) for other in ours)])
    mine = [one for one in ours if one not in both]
    listed = [one for one in mine if not one.note.startswith(("test", "special", "entry", "decorated"))]
    _print(f"birthmark alone, but for {len(mine) - len(listed)} that it calls likely used", listed)
    _print("both", both)


def _print(title: str, findings: list[Finding]) -> None:
    print(f"\n{title}: {len(findings)}")
    for one in findings:
        print(f"  {one.path}:{one.line}  {one.name}  {one.note}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
