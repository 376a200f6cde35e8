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
from birthmark.documents.document import encode_json
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


def at(uri: str, line: int = 1, base: Any = None, **fields: Any) -> dict[str, Any]:
    place = {"artifactLocation": {"uri": uri, "uriBaseId": base}, "region": {"startLine": line}}
    return {"ruleId": "E", "message": {"text": "m"}, "locations": [{"physicalLocation": place}], **fields}


def log_of(*results: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "toy"}}, "results": [*results], **fields}]}


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
        {"results": [at("http://[x"), at("a%00.py"), at(".git/config"), at("%2e%2e/x.py"), at("store.py", 10**30)]},
        {"results": [at("x.py", base=["x"])], "originalUriBaseIds": {"x": {"uri": None}}},
        {"results": [at("x.py", base="A")], "originalUriBaseIds": {"A": {"uri": "a/", "uriBaseId": "A"}}},
        {"results": [{"ruleIndex": 3, "locations": [{"physicalLocation": {"artifactLocation": {"index": 1}}}]}]},
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


@pytest.mark.parametrize("name", ["partialFingerprints", "properties"])
@pytest.mark.parametrize("value", [None, [1], "x", {FINGERPRINT: 3, "birthmark": 3}])
def test_fields_of_another_form_are_replaced(tmp_path: Path, name: str, value: object) -> None:
    world = make_world(tmp_path / "store")
    old, new = (match(world, log_of(at("store.py", 5, **{name: value}))).sarif for _ in range(2))
    assert told(match(world, new, old)) == {"unchanged": 1}
    assert isinstance(new["runs"][0]["results"][0]["partialFingerprints"][FINGERPRINT], str)


def test_absent_results_are_added_to_the_run_of_their_tool(tmp_path: Path) -> None:
    world = make_world(tmp_path / "store")
    old = log_of(at("store.py", 5, ruleIndex=7))
    del old["runs"][0]["results"][0]["ruleId"]
    old["runs"][0]["tool"]["driver"]["rules"] = [{"id": f"R{number}"} for number in range(8)]
    new = log_of()
    new["runs"] = [{"tool": {"driver": {"name": "another"}}, "results": []}, {**new["runs"][0], "results": None}]
    found = match(world, new, match(world, old).sarif).sarif["runs"]
    assert found[0]["results"] == []
    assert [(one["ruleId"], one.get("ruleIndex")) for one in found[1]["results"]] == [("R7", None)]


def test_a_log_without_anchors_and_revision_is_matched_by_file_line_and_message(tmp_path: Path) -> None:
    world = make_world(tmp_path / "store")
    old = scan(world)
    found = match(world, scan(world), old)
    assert (told(found), found.adrift) == ({"unchanged": 3}, 3)
    world.write("store.py", "# a\n" + SOURCE)
    assert told(match(world, scan(world), old)) == {"unchanged": 3}


def test_anchors_of_a_log_come_before_its_revision(tmp_path: Path) -> None:
    world = make_world(tmp_path / "store")
    revision = world.git("rev-parse", "HEAD")
    world.write("store.py", "# a\n# b\n" + SOURCE)
    log = scan(world)
    log["runs"][0]["versionControlProvenance"] = [{"revisionId": revision}]
    old = match(world, log).sarif
    world.commit()
    assert told(match(world, scan(world), old)) == {"unchanged": 3}


def test_results_outside_the_repository_are_told_apart_by_their_files(tmp_path: Path) -> None:
    world = make_world(tmp_path / "store")
    old = log_of(at("/usr/a.py"), at("/usr/b.py"))
    assert told(match(world, log_of(at("/usr/b.py"), at("/usr/c.py")), old)) == {"new": 1, "unchanged": 1, "absent": 1}


@pytest.mark.parametrize(
    "run",
    [
        {"results": [at("store.py", base="SRC")], "originalUriBaseIds": {"SRC": {"uri": "file://{root}/"}}},
        {
            "results": [at("store.py", base="SRC")],
            "originalUriBaseIds": {"TOP": {"uri": "file://{above}"}, "SRC": {"uri": "store/", "uriBaseId": "TOP"}},
        },
        {
            "results": [{"locations": [{"physicalLocation": {"artifactLocation": {"index": 0}}}]}],
            "artifacts": [{"location": {"uri": "./store.py"}}],
        },
    ],
)
def test_addresses_are_read_with_their_bases(tmp_path: Path, run: dict[str, Any]) -> None:
    world = make_world(tmp_path / "store")
    text = json.dumps({"version": "2.1.0", "runs": [run]})
    text = text.replace("{root}", str(world.root)).replace("{above}", str(tmp_path))
    assert match(world, json.loads(text)).outside == 0


def test_half_a_character_is_replaced(tmp_path: Path) -> None:
    text = json.dumps(log_of(at("store.py", 5, message={"text": "\ud83d\ude00 \ud83d"})))
    found = match(make_world(tmp_path / "store"), read_log(text.encode(), "x.sarif"))
    assert "\U0001f600 ?" in encode_json(found.sarif).decode()
