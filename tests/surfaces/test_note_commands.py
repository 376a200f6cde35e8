"""`note` and `notes` on the command line, and notes in `show` and `context`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from running import birthmark, document
from worlds import World

SOURCE = "def f(a):\n    x = a + 1\n    return x\n\n\ndef g(b):\n    return f(b)\n"
NOTE_ID = re.compile(r"note-[0-9a-z]{10}")


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path, {"a.py": SOURCE}, with_git=True)
    world.git("config", "user.name", "Ada")
    world.commit()
    world.index()
    return world


def run(world: World, *arguments: str, code: int = 0, stdin: bytes = b"") -> tuple[str, str]:
    """What was printed and what was said, with ids and days left out."""
    done = birthmark(*arguments, cwd=world.root, stdin=stdin)
    assert done.returncode == code, done.stderr
    stdout, stderr = (re.sub(r"\d{4}-\d\d-\d\d", "DAY", NOTE_ID.sub("ID", text)) for text in done[1:])
    return stdout, stderr


def id_of(world: World) -> str:
    [note] = document("notes", cwd=world.root)
    return str(note["id"])


def test_a_note_is_written_and_listed(world: World) -> None:
    expected = "fn f  a.py:1-3\n  ID  DAY  Ada\n      Why.\n        Indented.\n"
    assert run(world, "note", "f", "Why.\n  Indented.") == (expected, "")
    assert run(world, "notes") == (expected, "birthmark: 1 note, 0 stale\n")
    assert run(world, "notes", "a.py:2")[0] == expected
    assert run(world, "notes", "g") == (
        "",
        "birthmark: there are no notes on g; `birthmark note REF TEXT` writes one\n",
    )
    assert run(world, "notes", "--stale") == ("", "birthmark: no note is stale\n")


def test_a_text_is_read_from_standard_input(world: World) -> None:
    assert run(world, "note", "f", "-", stdin=b"From\r\nafar.\n")[0].endswith("      From\n      afar.\n")
    assert "not UTF-8" in run(world, "note", "f", "-", stdin=b"\xff", code=2)[1]


def test_what_changed_since_is_shown(world: World) -> None:
    run(world, "note", "f", "Why.", "--team")
    world.replace("a.py", "+ 1", "+ 2")
    head = "fn f  a.py:1-3\n  ID  DAY  Ada  team\n      code changed since: body (+1 -1)\n      Why.\n"
    patch = "      @@ -1,3 +1,3 @@\n       def f(a):\n      -    x = a + 1\n      +    x = a + 2\n           return x\n"
    assert run(world, "notes", "--stale") == (head, "birthmark: 1 note, 1 stale\n")
    assert run(world, "notes", "-p")[0] == head + patch
    shown = run(world, "show", "f")[0]
    assert "  notes\n    ID  DAY  Ada  team\n        code changed since: body (+1 -1)\n        Why.\n\ndef f" in shown
    context = run(world, "context", "f")[0]
    assert "## Notes\n\n- ID, Ada, DAY: the code has changed since it was written.\n  > Why.\n\n" in context


def test_documentation_alone_is_mentioned(world: World) -> None:
    run(world, "note", "f", "Why.")
    world.replace("a.py", "def f(a):\n", 'def f(a):\n    """New."""\n')
    assert "      only documentation (+1 -0) changed since\n" in run(world, "notes")[0]


def test_a_note_is_kept_edited_and_deleted(world: World) -> None:
    run(world, "note", "f", "Why.")
    id_ = id_of(world)
    world.replace("a.py", "+ 1", "+ 2")
    stdout, stderr = run(world, "note", "--edit", id_, "Because.")
    assert stdout.endswith("      code changed since: body (+1 -1)\n      Because.\n")
    assert stderr == "birthmark: ID is stale; run `birthmark note --keep ID` if it is true of the code as it is now\n"
    kept = run(world, "note", id_.removeprefix("note-")[:4], "--keep")
    assert kept[0] == "fn f  a.py:1-3\n  ID  DAY  Ada\n      Because.\n"
    assert kept[1] == "birthmark: ID is kept: it is true of the code as it is now\n"
    assert run(world, "note", "--delete", id_)[1] == "birthmark: ID is deleted\n"
    assert "there are no notes;" in run(world, "notes")[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["f"], "the text of the note is missing"),
        (["f", " \n "], "the note has no text"),
        (["f", "x" * 5000], "5,000 characters; write 4,096 at most"),
        (["nothing_like_it", "x"], "nothing_like_it: "),
        (["--keep", "note-0000000000"], "there is no such note; `birthmark notes` lists them"),
        (["--delete", "f", "x"], "--delete takes the id of a note and nothing else"),
        (["--edit", "f", "x", "--team"], "--team is for new notes"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(world: World, arguments: list[str], message: str) -> None:
    done = birthmark("note", *arguments, cwd=world.root)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done
    assert message in done.stderr


def test_without_an_index_it_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(SOURCE)
    assert "run `birthmark index` first" in birthmark("notes", cwd=tmp_path).stderr


def test_what_was_deleted_names_the_commit(world: World) -> None:
    run(world, "note", "f", "Why.")
    world.write("a.py", "def g(b):\n    return b\n")
    world.commit()
    stdout = run(world, "notes")[0]
    assert stdout.startswith("fn f  a.py:1-3\n  ID  DAY  Ada\n      found deleted at ")
    [note] = document("notes", cwd=world.root)
    assert (note["status"], note["stale"], note["place"], note["patch"]) == ("gone", True, None, None)
    assert note["deletion"]["commit"] == world.git("rev-parse", "HEAD")
    assert document("show", note["mark"], cwd=world.root)["notes"] == [note]


def test_nothing_in_a_note_is_obeyed_by_a_terminal(world: World) -> None:
    run(world, "note", "f", "a\x1b[2Jb\x9b31m\u202e")
    printed = run(world, "notes")[0] + run(world, "show", "f")[0] + run(world, "context", "f")[0]
    assert not {"\x1b", "\x9b", "\u202e"} & set(printed)


def test_documents_are_the_same_everywhere(world: World) -> None:
    written = document("note", "f", "Why.", cwd=world.root)
    listed = document("notes", cwd=world.root)
    lines = [json.loads(line) for line in birthmark("notes", "--jsonl", cwd=world.root).stdout.splitlines()]
    shown, context = (document(command, "f", cwd=world.root)["notes"] for command in ("show", "context"))
    assert [written] == listed == lines == shown == context
    assert written["accepted"]["path"] == "a.py"
    assert (written["author"], written["stored"], written["matched_by"]) == ("Ada", "index", "mark")


def test_a_context_counts_its_notes(world: World) -> None:
    run(world, "note", "f", "\n".join(f"Line {number} of what is to be known about it." for number in range(60)))
    found = document("context", "f", "--tokens", "200", cwd=world.root)
    assert found["tokens"] <= 200
    [piece] = [one for one in found["pieces"] if one["part"] == "notes"]
    assert piece["shortened"]
    assert "Line 0" in piece["text"]
    assert "Line 1 " not in piece["text"]


def test_a_context_quotes_every_line_of_a_note(world: World) -> None:
    run(world, "note", "f", "One\u2028# Two\x0b# Three\x85# Four")
    text = document("context", "f", cwd=world.root)["text"]
    assert "  > One\n  > # Two\n  > # Three\n  > # Four\n" in text


def test_a_clone_says_how_a_note_was_found(world: World, tmp_path_factory: pytest.TempPathFactory) -> None:
    run(world, "note", "f", "Why.", "--team")
    world.commit()
    clone = World(tmp_path_factory.mktemp("clone") / "c")
    world.git("clone", "-q", str(world.root), str(clone.root))
    clone.now += 100
    clone.index()
    assert "      found by its name, for this index does not know its mark\n" in run(clone, "notes")[0]
