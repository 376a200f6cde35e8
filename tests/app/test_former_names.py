"""A former name is found in git where the history was not replayed: the commit that took it away, and its successor."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from running import birthmark, document
from worlds import World

BODY = """(value, encoding='utf-8'):
    if isinstance(value, bytes):
        return value.decode(encoding)
    return str(value)
"""
OTHER = "def other(numbers):\n    return [number * 2 for number in numbers if number]\n\n\n"
STEPS: dict[str, dict[str, str | None]] = {
    "Add": {"pkg/text.py": OTHER + "def force_text" + BODY, "pkg/old.py": "def lonely(a):\n    return a + 1\n"},
    "Favor force_str": {"pkg/text.py": f"{OTHER}def force_str{BODY}\n\nforce_text = force_str\n"},
    "Deprecate force_text": {
        "pkg/text.py": f"{OTHER}def force_str{BODY}\n\ndef force_text(value):\n    return force_str(value)\n"
    },
    "Remove force_text": {"pkg/text.py": f"{OTHER}def force_str{BODY}"},
    "Rename other": {"pkg/text.py": f"{OTHER.replace('other', 'doubled')}def force_str{BODY}"},
    "Remove old.py": {"pkg/old.py": None},
}


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    world = World(tmp_path_factory.mktemp("w") / "r", {"a.py": "A = 1\n"}, with_git=True)
    world.commit()
    for subject, files in STEPS.items():
        for path, text in files.items():
            world.remove(path) if text is None else world.write(path, text)
        world.git("add", "-A")
        world.git("commit", "-q", "-m", subject)
    world.index()
    return world


def resolved(world: World, ref: str) -> dict[str, Any]:
    found: dict[str, Any] = document("resolve", ref, cwd=world.root)
    return found


@pytest.mark.parametrize("ref", ["pkg/text.py::force_text", "pkg.text.force_text"])
def test_what_was_deleted_after_it_was_renamed(world: World, ref: str) -> None:
    found = resolved(world, ref)
    assert (found["status"], found["last_place"]["qualified_name"]) == ("gone", "force_text")
    assert found["deletion"]["subject"] == "Remove force_text"
    assert found["renamed_in"]["subject"] == "Favor force_str"
    assert [one["qualified_name"] for one in found["candidates"]] == ["force_str"]


@pytest.mark.parametrize("ref", ["pkg/text.py::force_text", "pkg.text.force_text", "pkg::text::force_text"])
def test_its_history_is_found_by_the_same_names(world: World, ref: str) -> None:
    assert document("history", ref, cwd=world.root)["entity"]["qualified_name"] == "force_text"


def test_what_was_renamed(world: World) -> None:
    found = resolved(world, "pkg/text.py::other")
    assert (found["status"], found["entity"]["qualified_name"], found["deletion"]) == ("present", "doubled", None)
    assert (found["was"]["qualified_name"], found["renamed_in"]["subject"]) == ("other", "Rename other")
    assert document("show", "pkg/text.py::other", cwd=world.root)["qualified_name"] == "doubled"


@pytest.mark.parametrize("ref", ["pkg/old.py::lonely", "pkg/old.py:1"])
def test_what_went_with_its_file(world: World, ref: str) -> None:
    found = resolved(world, ref)
    assert (found["status"], found["deletion"]["subject"]) == ("gone", "Remove old.py")
    assert found["last_place"]["path"] == "pkg/old.py"


def test_people_are_told_in_three_lines(world: World) -> None:
    lines = birthmark("resolve", "pkg/text.py::force_text", cwd=world.root).stdout.splitlines()
    assert lines[0] == "gone  force_text  was at pkg/text.py:11-12"
    assert lines[1].startswith("  deleted in ")
    assert lines[2].startswith("  its code became force_str  pkg/text.py:5-8  in ")


@pytest.mark.parametrize("ref", ["pkg/text.py::never", "pkg.text.never", "never", "pkg/never.py::f", "pkg/never.py:3"])
def test_what_git_does_not_know_either(world: World, ref: str) -> None:
    result = birthmark("resolve", ref, cwd=world.root)
    assert (result.returncode, result.stdout, len(result.stderr.splitlines())) == (2, "", 1)


def test_a_replayed_history_knows_the_same_names(world: World, tmp_path: Path) -> None:
    """All three that had the name are listed."""
    world.git("clone", "-q", str(world.root), str(tmp_path / "c"))
    assert document("index", "--from-history", cwd=tmp_path / "c")
    asked = ("pkg/text.py::force_text", "pkg.text.force_text", "pkg::text::force_text", "force_text()")
    answers = [birthmark("resolve", ref, cwd=tmp_path / "c") for ref in asked]
    assert all("3 definitions had that name" in answer.stderr for answer in answers)
    assert len({answer.stderr.partition("\n")[2] for answer in answers}) == 1
