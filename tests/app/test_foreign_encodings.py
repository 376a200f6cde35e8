"""Sources in other encodings have the names, lines and texts that an editor shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from running import birthmark, document
from worlds import World

SOURCE = 'def größe():\n    return "é"\n\n\ndef beta():\n    return größe()\n'


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1", "cp1252"])
def test_a_source_is_read_in_its_encoding(tmp_path: Path, encoding: str) -> None:
    world = World(tmp_path, {"a.py": ""}, with_git=True)
    (world.root / "a.py").write_bytes(SOURCE.encode(encoding))
    world.commit()
    done = birthmark("index", cwd=world.root)
    assert "problems" not in done.stdout
    entities = document("entities", cwd=world.root)
    assert [(one["name"], one["start_line"]) for one in entities] == [("größe", 1), ("beta", 5)]
    assert "return größe()" in birthmark("show", "a.py::beta", cwd=world.root).stdout
    assert "größe" in birthmark("callees", "a.py::beta", cwd=world.root).stdout
    assert "größe" in birthmark("entities", "a.py", cwd=world.root).stdout
    (world.root / "a.py").write_bytes(SOURCE.replace("return gr", "return 1 + gr").encode(encoding))
    assert "modified" in birthmark("diff", "HEAD", cwd=world.root).stdout
    world.commit()
    assert birthmark("history", "a.py::beta", cwd=world.root).stdout.count("body changed") == 1
    assert birthmark("validate", "--against-rebuild", cwd=world.root).stdout == "valid\n"


def test_files_in_no_language_are_counted(tmp_path: Path) -> None:
    world = World(tmp_path, {"a.py": SOURCE, "README.rst": "T\n=\n", "doc/b.txt": "", ".hidden": "", "no.log": ""})
    world.write(".gitignore", "*.log\n")
    assert "left out: 2 files in no supported language" in birthmark("index", cwd=world.root).stdout
    for _ in range(2):
        assert document("status", cwd=world.root)["file_counts"]["unsupported"] == 2
