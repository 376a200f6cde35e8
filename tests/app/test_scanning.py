"""Scans in odd places: where nothing can be kept, of huge files, in linked worktrees, with other hashes."""

from __future__ import annotations

from pathlib import Path

import pytest

from birthmark.app.scans.scanning import ScanOptions
from birthmark.app.scans.scanning import scan as run_scan
from birthmark.app.workspace.stores import writing
from birthmark.errors import BirthmarkError
from running import birthmark
from scanning import QUIET, Told, accept, in_session, make, scan, subscribe, told
from worlds import World

LOAD = "def load(path):\n    text = open(path).read()\n    return text.splitlines()\n"
CHANGED = Told("CONTENT", ("body_changed",))


def test_a_scan_that_cannot_be_kept_says_so(tmp_path: Path) -> None:
    """A file lies where the folder would be, as good as a disk on which nothing can be written."""
    world = make(tmp_path / "r", {"a.py": LOAD})
    subscribe(world, "a.py::load", team=True)
    for file in sorted((world.root / ".birthmark").iterdir()):
        file.unlink()
    (world.root / ".birthmark").rmdir()
    world.write(".birthmark", "")
    world.replace("a.py", "read()", "read(9)")
    found = scan(world)
    assert told(found) == CHANGED
    assert found.scan is None
    assert "was not stored" in found.problems[-1].problem
    with pytest.raises(BirthmarkError, match="make this one writable"):
        in_session(world.root, run_scan, ScanOptions(post=lambda report: []))


@pytest.mark.parametrize("revision", [None, "HEAD"])
def test_a_huge_file_is_named_and_left_out(tmp_path: Path, revision: str | None) -> None:
    world = make(tmp_path, {"big.txt": "x" * 2_000_000})
    with pytest.raises(BirthmarkError, match=r"larger than limits\.max_bytes"):
        subscribe(world, "big.txt:1", at=revision)


def test_a_link_that_leads_out_is_no_file(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret\n")
    world = make(tmp_path / "r", {"a.py": LOAD})
    (world.root / "link.txt").symlink_to(secret)
    refused = {"link.txt": "no such file", "../secret.txt": "outside the repository", str(secret): "an absolute path"}
    for path, reason in refused.items():
        with pytest.raises(BirthmarkError, match=reason):
            subscribe(world, f"{path}:1")


def test_a_repository_of_other_hashes(tmp_path: Path) -> None:
    world = World(tmp_path, {"a.py": LOAD})
    world.git("init", "-q", "-b", "main", "--object-format=sha256")
    base = world.commit()
    subscribe(world, "a.py::load")
    assert scan(world).findings == ()
    world.replace("a.py", "read()", "read(9)")
    assert told(scan(world)) == CHANGED
    accept(world)
    world.commit()
    assert scan(world).findings == ()
    assert told(scan(world, base, "HEAD")) == QUIET


def test_a_linked_worktree_shares_the_subscriptions(tmp_path: Path) -> None:
    world = make(tmp_path / "r", {"a.py": LOAD})
    subscribe(world, "a.py::load")
    world.git("worktree", "add", "-q", str(tmp_path / "other"))
    other = World(tmp_path / "other")
    assert scan(other).n_unchanged == 1
    other.replace("a.py", "read()", "read(9)")
    assert told(scan(other)) == CHANGED
    assert scan(world).n_unchanged == 1


def test_before_the_first_commit(tmp_path: Path) -> None:
    world = World(tmp_path, {"a.py": LOAD}, with_git=True)
    assert birthmark("scan", cwd=world.root).returncode == 0
    result = birthmark("scan", "--base", "HEAD", cwd=world.root)
    assert (result.returncode, result.stderr.count("\n")) == (2, 1)


def test_an_index_of_another_version_is_passed_over(tmp_path: Path) -> None:
    world = make(tmp_path, {"a.py": LOAD})
    subscribe(world, "a.py::load")
    world.index()
    with writing(world.workspace, 0) as store:
        store.set_meta("format", -1)
    world.replace("a.py", "read()", "read(9)")
    assert told(scan(world)) == CHANGED


@pytest.mark.parametrize("is_indexed", [False, True])
def test_what_moved_is_followed_where_there_is_no_commit(tmp_path: Path, is_indexed: bool) -> None:
    """Questions bring the index up to date, which is what scans compare with where git has nothing."""
    world = make(tmp_path, {"a.py": LOAD + "\n\ndef other():\n    return 3\n"}, with_git=False)
    world.index()
    subscribe(world, "load")
    world.write("a.py", "def other():\n    return 3\n")
    world.write("b.py", LOAD)
    if is_indexed:
        world.index()
    found = told(scan(world))
    assert (found.change, found.place) == (None, "b.py:1-3")
