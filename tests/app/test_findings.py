"""Findings of another tool, matched through what happened to the code that they are about."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from birthmark.app.answers.findings import FINGERPRINT, match_findings, read_log
from birthmark.app.workspace.repository import open_repository
from birthmark.documents.findings import FindingsDocument
from birthmark.errors import BirthmarkError
from worlds import World

SOURCE = """import os


def load(path):
    data = eval(path)
    return data


def save(path, data):
    text = repr(data)
    exec(text)
    return len(text)
"""
OTHER = "def idle():\n    return None\n"
Edit = Callable[[World], None]


def scan(world: World) -> dict[str, Any]:
    """A tool of its own, which looks for three words; as other tools do, with absolute URIs in one rule."""
    results = []
    for file in sorted(world.root.rglob("*.py")):
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
            for rule, word in (("E1", "eval("), ("E2", "exec("), ("F401", "import os")):
                if word in line:
                    path = file.relative_to(world.root).as_posix()
                    uri = file.as_uri() if rule == "E2" else path
                    region = {"startLine": number, "startColumn": line.index(word) + 1}
                    place = {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": region}}
                    results.append({"ruleId": rule, "message": {"text": f"{word} is used"}, "locations": [place]})
    return {"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "toy"}}, "results": results}]}


def make_world(root: Path) -> World:
    world = World(root, {"store.py": SOURCE, "other.py": OTHER}, with_git=True)
    world.commit()
    return world


def match(
    world: World, new: dict[str, Any], old: dict[str, Any] | None = None, base: str | None = None
) -> FindingsDocument:
    with open_repository(world.root) as repository:
        return match_findings(repository, new, old, base=base)


def told(found: FindingsDocument) -> dict[str, int]:
    return {word: number for word, number in found.counts.items() if number}


def _move(world: World) -> None:
    at = SOURCE.index("def save")
    world.write("store.py", SOURCE[:at])
    world.write("disk/writer.py", SOURCE[at:])


CASES: dict[str, tuple[Edit, dict[str, int]]] = {
    "nothing": (lambda world: None, {"unchanged": 3}),
    "lines above": (lambda world: world.write("store.py", "# a\n# b\n" + SOURCE), {"unchanged": 3}),
    "file renamed": (lambda world: world.move("store.py", "disk/store.py"), {"unchanged": 3}),
    "function renamed": (lambda world: world.replace("store.py", "def save(", "def write("), {"unchanged": 3}),
    "function moved": (_move, {"unchanged": 3}),
    "line edited": (
        lambda world: world.replace("store.py", "eval(path)", "eval(path + '.py')"),
        {"unchanged": 2, "updated": 1},
    ),
    "mended": (lambda world: world.replace("store.py", "eval(path)", "int(path)"), {"unchanged": 2, "absent": 1}),
    "deleted": (lambda world: world.remove("store.py"), {"absent": 3}),
    "a new one": (
        lambda world: world.write("other.py", OTHER + "\n\ndef run(text):\n    return eval(text)\n"),
        {"unchanged": 3, "new": 1},
    ),
    "a second one": (
        lambda world: world.replace("store.py", "    return data\n", "    other = eval(data)\n    return other\n"),
        {"unchanged": 3, "new": 1},
    ),
}


@pytest.mark.parametrize("way", ["anchors", "base", "index"])
@pytest.mark.parametrize("case", CASES)
def test_no_edit_makes_an_old_finding_new(tmp_path: Path, case: str, way: str) -> None:
    edit, expected = CASES[case]
    world = make_world(tmp_path / "store")
    if way == "index":
        world.index()
    old = scan(world)
    if way != "base":
        old = match(world, old).sarif
    edit(world)
    world.commit()
    if way == "index":
        world.index()
    found = match(world, scan(world), old, "HEAD~1" if way == "base" else None)
    assert told(found) == expected
    assert len(found.new) == expected.get("new", 0)
    states = [one["baselineState"] for one in found.sarif["runs"][0]["results"]]
    assert {word: states.count(word) for word in states} == expected


def test_a_fingerprint_stays_from_run_to_run(tmp_path: Path) -> None:
    world = make_world(tmp_path / "store")
    log = match(world, scan(world)).sarif
    first = {one["ruleId"]: one["partialFingerprints"][FINGERPRINT] for one in log["runs"][0]["results"]}
    for at, (old, new) in enumerate((("def save(", "def write("), ("def write(", "def put("), ("text", "words"))):
        world.replace("store.py", old, new)
        world.move("store.py", "next.py")
        world.commit()
        log = match(world, scan(world), json.loads(json.dumps(log))).sarif
        world.move("next.py", "store.py")
        world.commit()
        log = match(world, scan(world), log).sarif
        results = log["runs"][0]["results"]
        assert {one["ruleId"]: one["partialFingerprints"][FINGERPRINT] for one in results} == first, at


def test_what_is_outside_the_repository_is_left_as_it_is(tmp_path: Path) -> None:
    world = make_world(tmp_path / "store")
    log = scan(world)
    for one, uri in zip(
        log["runs"][0]["results"], ("file:///etc/passwd", "../../x.py", "https://host/y.py"), strict=True
    ):
        one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] = uri
    found = match(world, log)
    assert found.outside == 3
    assert all("properties" not in one for one in found.sarif["runs"][0]["results"])


@pytest.mark.parametrize(
    "run",
    [
        {},
        {"results": None},
        {"results": [None, 1, {}, {"locations": 3}, {"locations": [None]}, {"message": "x", "ruleId": 4}]},
        {"results": [{"locations": [{"physicalLocation": {"region": {"startLine": -5, "endLine": "x"}}}]}]},
        {"results": [{"properties": {"birthmark": {"anchor": "bma1-AAAA"}}}], "originalUriBaseIds": {"A": 3}},
        {"results": [{"ruleId": "E"}], "versionControlProvenance": [{"revisionId": "no such"}, 3]},
    ],
)
def test_odd_results_are_kept(tmp_path: Path, run: dict[str, Any]) -> None:
    world = make_world(tmp_path / "store")
    log = {"version": "2.1.0", "runs": [run]}
    found = match(world, json.loads(json.dumps(log)), json.loads(json.dumps(log)))
    assert found.outside == found.found


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is no JSON"),
        ("{", "is no JSON"),
        ("[" * 100_000, "is no JSON"),
        ("[]", "has no runs"),
        ('{"version": "2.0.0", "runs": []}', "version 2.0.0"),
    ],
)
def test_what_is_no_log_is_refused_in_one_line(text: str, says: str) -> None:
    with pytest.raises(BirthmarkError, match=re.escape(says)) as caught:
        read_log(text.encode(), "x.sarif")
    assert "\n" not in str(caught.value)
