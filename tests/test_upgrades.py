"""What every version has written stays readable: marks, keys and subscriptions survive an upgrade.

`tests/upgrades/VERSION/` has the databases that a version made of `a.py`. A release adds its own: in a folder with that
file, indexed and with a subscription to `f`, `PYTHONPATH=tests python tests/test_upgrades.py VERSION` dumps them.
"""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from running import birthmark, document
from worlds import World

FOLDERS = Path(__file__).parent / "upgrades"
SOURCE = "a.py.txt"
DATABASES = ("index", "subscriptions")
VERSIONS = sorted(folder.name for folder in FOLDERS.iterdir())


def restore(version: str, root: Path) -> None:
    (root / ".birthmark").mkdir()
    for name in DATABASES:
        with closing(sqlite3.connect(root / ".birthmark" / f"{name}.db")) as database:
            database.executescript((FOLDERS / version / f"{name}.sql").read_text("utf-8"))


def dump(version: str, home: Path) -> None:
    for name in DATABASES:
        with closing(sqlite3.connect(home / f"{name}.db")) as database:
            (number,) = database.execute("PRAGMA user_version").fetchone()
            lines = [*database.iterdump(), f"PRAGMA user_version = {number};"]
        (FOLDERS / version / f"{name}.sql").write_text("\n".join(lines) + "\n", "utf-8")


def marks_before(root: Path) -> dict[str, str]:
    """Read without any of our code."""
    with closing(sqlite3.connect(root / ".birthmark" / "index.db")) as database:
        return dict(database.execute("SELECT qualified_name, mark FROM entities JOIN identities USING (identity)"))


@pytest.mark.parametrize("edit", ["", "renamed"])
@pytest.mark.parametrize("version", VERSIONS)
def test_identities_survive(version: str, edit: str, tmp_path: Path) -> None:
    source = (FOLDERS / version / SOURCE).read_text("utf-8")
    World(tmp_path, {"a.py": source}, with_git=True).commit()
    (tmp_path / "a.py").write_text(source.replace("f(", "g(") if edit else source)
    restore(version, tmp_path)
    before = marks_before(tmp_path)
    assert len(before) == 3
    assert "older birthmark; run `birthmark index`" in birthmark("entities", "--no-refresh", cwd=tmp_path).stderr
    indexed = document("index", cwd=tmp_path)
    assert indexed["changes"].get("born", 0) == indexed["changes"].get("deleted", 0) == 0
    for name, mark in before.items():
        found = document("resolve", mark, cwd=tmp_path)
        assert (found["status"], found["entity"]["mark"]) == ("present", mark)
        assert found["entity"]["qualified_name"] == ("g" if edit and name == "f" else name)
    assert birthmark("validate", "--against-rebuild", cwd=tmp_path).returncode == 0
    (subscription,) = document("subscriptions", cwd=tmp_path)
    assert subscription["semantic"]["qualname"] == "f"
    report = document("scan", cwd=tmp_path)
    assert ([], bool(edit)) == (report["triggers"], bool(report["proposals"]))


if __name__ == "__main__":
    dump(sys.argv[1], Path.cwd() / ".birthmark")
