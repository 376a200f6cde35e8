"""Whatever happens to a file of an index, commands say so in one line, and `doctor` restores what was acknowledged.

The short form is part of every run; `make chaos` tries all kinds.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from chaos.damage import DAMAGES, Damage
from examples import IS_THOROUGH
from running import birthmark, document
from worlds import World

pytestmark = [
    pytest.mark.skipif(shutil.which("git") is None, reason="repositories are made with git"),
    pytest.mark.skipif(sys.platform == "win32", reason="there are no pipes in folders there"),
]

TRIED = [damage for damage in DAMAGES if damage.is_short or IS_THOROUGH]
COMMANDS = (["status"], ["resolve", "f3"], ["show", "f3"], ["validate"], ["notes"], ["subscriptions"])
SOURCE = "\n\n".join(f"def f{n}(xs):\n    total = sum(x * {n} for x in xs)\n    return total + {n}\n" for n in range(9))


class Issued(NamedTuple):
    """A repository, and what its user was told."""

    root: Path
    ids: dict[str, str]  # marks and keys, with the name that each has
    notes: set[str]
    subscriptions: set[str]


def told(root: Path) -> tuple[set[str], set[str]]:
    """The texts of notes, and the ids of subscriptions."""
    listed = document("notes", cwd=root)
    notes = listed["notes"] if isinstance(listed, dict) else listed
    return {note["text"] for note in notes}, {one["id"] for one in document("subscriptions", cwd=root)}


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Issued:
    world = World(tmp_path_factory.mktemp("chaos") / "template", {"a.py": SOURCE}, with_git=True)
    world.commit()
    world.index()
    for number in range(4):
        world.replace("a.py", f"total + {number}\n", f"total - {number}\n")
        world.index()
        assert birthmark("note", f"f{number}", f"note {number}", cwd=world.root).returncode == 0
        assert birthmark("subscribe", f"f{number + 4}", cwd=world.root).returncode == 0
    assert birthmark("subscriptions", "delete", min(told(world.root)[1]), cwd=world.root).returncode == 0
    ids = {id_: held.entity.name for held in world.entities() for id_ in (held.mark, held.key)}
    return Issued(world.root, ids, *told(world.root))


@pytest.mark.parametrize("damage", TRIED, ids=lambda damage: damage.name)
def test_damage(template: Issued, tmp_path: Path, damage: Damage) -> None:
    root = tmp_path / "repository"
    shutil.copytree(template.root, root)
    damage.apply(root / ".birthmark")
    for command in COMMANDS:
        result = birthmark(*command, cwd=root)
        assert result.returncode in (0, 1, 2), (command, result.stderr)
        assert result.returncode != 2 or len(result.stderr.splitlines()) == 1, (command, result.stderr)
        assert "Traceback" not in result.stderr
    for repair in ("doctor", "index"):
        result = birthmark(repair, cwd=root)
        assert result.returncode == 0, (repair, result.stderr)
    for id_, name in template.ids.items():
        found = document("resolve", id_, cwd=root)
        assert (found["status"], found["entity"]["name"]) == ("present", name), id_
    assert told(root) == (template.notes, template.subscriptions)
    assert birthmark("validate", cwd=root).stdout == "valid\n"


@pytest.mark.parametrize("name", ["index.db ledger.log", "subscriptions.db subscriptions.log"])
def test_doctor_says_that_both_copies_are_damaged(template: Issued, tmp_path: Path, name: str) -> None:
    root = tmp_path / "repository"
    shutil.copytree(template.root, root)
    for file in name.split():
        Damage(file, "replaced").apply(root / ".birthmark")
    result = birthmark("doctor", cwd=root)
    assert result.returncode == 0, result.stderr
    assert "the log was damaged, too" in result.stdout
    assert "what neither file has is lost" in result.stdout
    assert birthmark("status", cwd=root).returncode == 0
