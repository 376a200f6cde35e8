"""`entities`, `nodes` and `chunks` of files and folders, with and without an index, for people and for programs."""

from __future__ import annotations

import json
import shutil
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from asgi import Client
from birthmark.surfaces.http.access.guards import Hosts
from birthmark.surfaces.http.app import make_app
from running import Result, birthmark, document
from worlds import World

APP = '''import os


class App:
    """An application."""

    name: str = "app"

    def run(self, host, port=80):
        def started():
            return host
        return started()


def main():
    App().run("localhost")
'''
TOOLS = "def helper(xs):\n    return [x * 2 for x in xs if x]\n\n\ndef other(\n    a,\n    b=1,\n):\n    return a\n"
FILES = {
    "src/app.py": APP,
    "src/tools/one.py": TOOLS,
    "src/tools/web.js": "function go(x) { return x }\n",
    "b.py": "B = 1\n",
}


@pytest.fixture
def bare(tmp_path: Path) -> World:
    """Without an index."""
    world = World(tmp_path / "w", FILES, with_git=True)
    world.write(".gitignore", "build/\n")
    world.write("build/made.py", "def made(): ...\n")
    world.commit()
    return world


@pytest.fixture
def world(bare: World) -> World:
    bare.index()
    return bare


def lines(*arguments: str, cwd: Path) -> list[dict[str, Any]]:
    result = birthmark(*arguments, "--jsonl", cwd=cwd)
    assert result.returncode == 0, result.stderr
    return [json.loads(line) for line in result.stdout.split("\n") if line]


def client_of(root: Path) -> Client:
    token = "t" * 43
    app = make_app(root, token.encode(), Hosts.of(7433))
    return Client(app, [("Host", "127.0.0.1:7433"), ("Authorization", f"Bearer {token}")])


def path_of(found: dict[str, Any]) -> str:
    return str(found.get("path", found.get("file")))


# Folders

COMMANDS = pytest.mark.parametrize("command", ["entities", "nodes", "chunks"])
FOLDERS = [
    ("src", ["src/app.py", "src/tools/one.py", "src/tools/web.js"]),
    ("src/", ["src/app.py", "src/tools/one.py", "src/tools/web.js"]),
    ("./src/tools", ["src/tools/one.py", "src/tools/web.js"]),
    (".", ["b.py", "src/app.py", "src/tools/one.py", "src/tools/web.js"]),
]


@COMMANDS
@pytest.mark.parametrize(("folder", "files"), FOLDERS)
def test_a_folder_is_listed_with_an_index_and_without(bare: World, command: str, folder: str, files: list[str]) -> None:
    read = lines(command, folder, cwd=bare.root)
    assert list(dict.fromkeys(map(path_of, read))) == files
    bare.index()
    indexed = lines(command, folder, cwd=bare.root)
    names = {"entities": "qualified_name", "nodes": "semantic_id", "chunks": "chunkUid"}
    assert [found[names[command]] for found in indexed] == [found[names[command]] for found in read]


def test_a_folder_is_relative_to_the_current_one(world: World) -> None:
    found = lines("entities", "tools", cwd=world.root / "src")
    assert {path_of(entity) for entity in found} == {"src/tools/one.py", "src/tools/web.js"}
    found = lines("entities", "..", cwd=world.root / "src")
    assert "b.py" in {path_of(entity) for entity in found}


def test_paths_of_a_folder_in_no_repository_are_those_of_its_files(tmp_path: Path) -> None:
    World(tmp_path / "w", FILES)
    for arguments in (["src/tools/one.py"], ["src/tools"]):
        found = lines("entities", *arguments, cwd=tmp_path / "w")
        assert [entity["path"] for entity in found][:2] == ["src/tools/one.py"] * 2
    assert {path_of(entity) for entity in lines("entities", ".", cwd=tmp_path / "w/src")} >= {"app.py", "tools/one.py"}


@COMMANDS
@pytest.mark.parametrize("is_indexed", [False, True])
def test_a_folder_with_nothing_in_it_says_so(bare: World, command: str, is_indexed: bool) -> None:
    (bare.root / "empty").mkdir()
    if is_indexed:
        bare.index()
    for folder in ("empty", "build"):
        result = birthmark(command, folder, cwd=bare.root)
        expected = f"no {command} in {folder}, in files that are not ignored\n"
        assert (result.returncode, result.stdout, result.stderr) == (0, expected, "")
        assert lines(command, folder, cwd=bare.root) == []


def test_a_file_of_a_folder_that_cannot_be_read_is_said_and_passed_over(bare: World) -> None:
    bare.write("src/large.py", "x = 1\n" * 100)
    result = birthmark("entities", "src", "--max-bytes", "500", cwd=bare.root)
    assert result.returncode == 0
    assert "src/app.py\n" in result.stdout
    assert "birthmark: src/large.py: has 600 bytes, more than the limit of 500" in result.stderr


@COMMANDS
def test_a_folder_has_no_language(bare: World, command: str) -> None:
    result = birthmark(command, "src", "--language", "python", cwd=bare.root)
    assert (result.returncode, result.stdout) == (2, "")
    assert "src: is a folder, whose files may be in several languages" in result.stderr


@COMMANDS
def test_a_misspelt_path_gets_the_nearest(bare: World, command: str) -> None:
    result = birthmark(command, "src/ap.py", cwd=bare.root)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == "birthmark: src/ap.py: no such file or folder; did you mean src/app.py?\n"


@COMMANDS
def test_an_empty_path_is_no_folder(bare: World, command: str) -> None:
    result = birthmark(command, "", cwd=bare.root)
    assert (result.returncode, result.stdout) == (2, "")
    assert "PATH is empty; name a file or a folder" in result.stderr


@COMMANDS
@pytest.mark.parametrize("path", ["src", "src/", ".", "src/tools/one.py"])
def test_folders_over_http(world: World, command: str, path: str) -> None:
    reply = client_of(world.root).get(f"/v1/{command}", path=path)
    assert reply.status == 200
    assert reply.document["items"] == lines(command, path, cwd=world.root)
    assert client_of(world.root).get(f"/v1/{command}", path="sr").status == 404


# For people


def shown(*arguments: str, cwd: Path) -> list[str]:
    result = birthmark(*arguments, cwd=cwd)
    assert result.returncode == 0, result.stderr
    return result.stdout.splitlines()


def test_entities_are_grouped_by_file_with_their_declarations(world: World) -> None:
    assert shown("entities", "src", cwd=world.root) == [
        "src/app.py",
        "  4-12   class   class App",
        "  7      field   App.name: str",
        "  9-12   method  def App.run(self, host, port=80)",
        "  10-11  fn      def App.run.started()",
        "  15-16  fn      def main()",
        "",
        "src/tools/one.py",
        "  1-2  fn  def helper(xs)",
        "  5-9  fn  def other(a, b=1)",
        "",
        "src/tools/web.js",
        "  1  fn  function go(x)",
        "",
        "8 entities in 3 files",
    ]


def test_entities_of_some_kinds(world: World) -> None:
    kinds = ["--kind", "class", "--kind", "field"]
    assert shown("entities", *kinds, cwd=world.root)[-1] == "2 entities in 1 file"
    assert {found["kind"] for found in lines("entities", ".", *kinds, cwd=world.root)} == {"class", "field"}
    assert birthmark("entities", "--kind", "klass", cwd=world.root).returncode == 2


TREE = """\
src  3 files, 8 entities, 26 lines
├── tools  2 files, 3 entities, 10 lines
│   ├── one.py  2 entities, 9 lines
│   │   ├── def helper(xs)  1-2
│   │   └── def other(a, b=1)  5-9
│   └── web.js  1 entity, 1 line
│       └── function go(x)  1
└── app.py  5 entities, 16 lines
    ├── class App  4-12, 3 entities
    │   ├── name: str  7
    │   └── def run(self, host, port=80)  9-12, 1 entity
    │       └── def started()  10-11
    └── def main()  15-16

language    files  entities  lines
python          2         7     25
javascript      1         1      1
total           3         8     26

kinds  5 fn, 1 class, 1 field, 1 method
"""


@pytest.mark.parametrize("is_indexed", [False, True])
def test_a_tree(bare: World, is_indexed: bool) -> None:
    if is_indexed:
        bare.index()
    assert birthmark("entities", "src", "--tree", cwd=bare.root).stdout == TREE


def test_levels_of_a_tree(world: World) -> None:
    top = shown("entities", "--tree", "--depth", "1", cwd=world.root)[:3]
    assert top == [
        ".  4 files, 9 entities, 27 lines",
        "├── src  3 files, 8 entities, 26 lines",
        "└── b.py  1 entity, 1 line",
    ]
    three = birthmark("entities", "src", "--tree", "--depth", "3", cwd=world.root).stdout
    assert three == TREE.replace("    │       └── def started()  10-11\n", "")


def test_a_tree_of_some_kinds_shows_what_they_are_in(world: World) -> None:
    assert shown("entities", "src", "--tree", "--kind", "method", cwd=world.root)[:3] == [
        "src/app.py  1 entity, 16 lines",
        "└── class App  4-12, 1 entity",
        "    └── def run(self, host, port=80)  9-12",
    ]


def test_a_tree_may_be_deep(tmp_path: Path) -> None:
    nested = "".join(f"{' ' * depth}def f{depth}():\n" for depth in range(300)) + " " * 300 + "pass\n"
    world = World(tmp_path / "w", {"a/" * 300 + "deep.py": nested, "deep.py": nested})
    first, *_ = shown("entities", "--tree", ".", cwd=world.root)
    assert first == ".  2 files, 600 entities, 602 lines"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--depth", "2"], "--depth is for --tree"),
        (["--tree", "--jsonl"], "--tree is for people"),
        (["--deleted"], "--deleted needs a file"),
        (["src", "--deleted"], "--deleted needs a file"),
    ],
)
def test_options_that_do_not_go_together(world: World, arguments: list[str], message: str) -> None:
    result = birthmark("entities", *arguments, cwd=world.root)
    assert (result.returncode, result.stdout) == (2, "")
    assert message in result.stderr


def test_what_was_deleted(world: World) -> None:
    mark = world.mark("helper")
    world.replace("src/tools/one.py", TOOLS[: TOOLS.index("def other")], "")
    world.index()
    assert shown("entities", "src/tools/one.py", "--deleted", cwd=world.root) == [
        "src/tools/one.py",
        f"  {mark}  helper  found deleted at {world.git('rev-parse', 'HEAD')[:12]} (m)",
        "",
        "1 deleted entity",
    ]
    (found,) = lines("entities", "src/tools/one.py", "--deleted", cwd=world.root)
    deletion, found_at = found["deletion"], datetime.fromisoformat(found["deletion"]["date"]).timestamp()
    assert (found["revision"], found["at"]) == (deletion["commit"], found_at)
    assert (deletion["by_commit"], deletion["subject"], deletion["author"]) == (False, "m", "A")
    assert shown("entities", "b.py", "--deleted", cwd=world.root) == [
        "nothing was deleted from b.py, as far as the index knows"
    ]


def test_nodes_and_chunks_are_grouped_by_file(world: World) -> None:
    assert shown("nodes", "b.py", cwd=world.root) == ["b.py", "  1  CONSTANT  B in global", "", "1 node in 1 file"]
    assert shown("chunks", "src/tools", cwd=world.root) == [
        "src/tools/one.py",
        "  1-4  fn  helper",
        "  5-9  fn  other",
        "",
        "src/tools/web.js",
        "  1  fn  go",
        "",
        "3 chunks in 2 files",
    ]


def test_nothing_in_a_name_is_obeyed_by_a_terminal(tmp_path: Path) -> None:
    world = World(tmp_path / "w", {"a\x1b[31m.py": "def f(): ...\n", "b.js": "const o = {'\x1b[2J': function() {}}\n"})
    for arguments in (["entities", "."], ["entities", ".", "--tree"], ["nodes", "."], ["chunks", "."]):
        assert "\x1b" not in birthmark(*arguments, cwd=world.root).stdout


# Chunks


def test_a_chunk_has_its_text_its_mark_and_a_hash(world: World) -> None:
    helper, other = lines("chunks", "src/tools/one.py", cwd=world.root)
    assert helper["text"] + other["text"] == TOOLS
    assert (helper["mark"], other["mark"]) == (world.mark("helper"), world.mark("other"))
    assert helper["contentHash"] in helper["chunkUid"]
    world.write("src/tools/copy.py", "import os\n\n\n" + TOOLS)
    world.index()
    copies = lines("chunks", "src/tools/copy.py", cwd=world.root)[1:]
    assert [chunk["contentHash"] for chunk in copies] == [helper["contentHash"], other["contentHash"]]


def test_chunks_without_their_text(world: World) -> None:
    whole, bare = (lines("chunks", *more, cwd=world.root) for more in ([], ["--no-text"]))
    assert bare == [{name: value for name, value in chunk.items() if name != "text"} for chunk in whole]
    world.write("src/tools/copy.py", TOOLS)
    for one in document("chunks", "--since", "HEAD", "--no-text", cwd=world.root)["changes"]:
        assert "text" not in one["after"]
    result = birthmark("chunks", "--no-text", cwd=world.root)
    assert (result.returncode, result.stdout) == (2, "")
    assert "--no-text is for --json and --jsonl" in result.stderr


def test_a_chunk_that_no_index_knows_has_no_mark(bare: World) -> None:
    helper, _ = lines("chunks", "src/tools/one.py", cwd=bare.root)
    assert (helper["mark"], helper["text"][:11]) == (None, "def helper(")


def test_a_byte_that_is_no_utf8_is_one_character(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"x = '\xff\xfe\xc3\xa9'\n")
    (chunk,) = lines("chunks", "a.py", cwd=tmp_path)
    assert chunk["text"] == "x = '\ufffd\ufffdé'\n"
    assert len(chunk["text"]) == chunk["end"] - chunk["start"]


# Since a revision


@pytest.fixture
def changed(world: World) -> World:
    """One chunk of each state, and one that is kept in a file that differs."""
    world.replace("src/tools/one.py", "x * 2", "x * 3")
    world.write("src/new.py", "def new(zs):\n    return list(zs)\n")
    world.move("src/tools/web.js", "src/web.js")
    world.remove("b.py")
    return world


def test_what_is_to_be_embedded_again_comes_first(changed: World) -> None:
    found = document("chunks", "--since", "HEAD", cwd=changed.root)
    assert [(one["change"], (one["after"] or one["before"])["name"]) for one in found["changes"]] == [
        ("changed", "helper"),
        ("added", "new"),
        ("rekeyed", "other"),
        ("rekeyed", "go"),
        ("gone", None),  # what is not in a definition has no name
    ]
    assert found["counts"] == {"changed": 1, "added": 1, "rekeyed": 2, "gone": 1, "kept": 0}
    assert (found["base"], found["target"]) == (changed.git("rev-parse", "HEAD"), "the worktree")
    assert (found["equal_files"], found["problems"]) == (1, [])
    assert lines("chunks", "--since", "HEAD", cwd=changed.root) == found["changes"]


def test_one_answer_is_enough_to_update_a_store(changed: World) -> None:
    """From the rows of the revision, with what the answer says, come the rows of the worktree."""
    changed.git("stash", "-q", "-u")
    rows = {chunk["chunkUid"]: chunk["text"] for chunk in lines("chunks", ".", "--max-bytes", "9999", cwd=changed.root)}
    changed.git("stash", "pop", "-q")
    for one in lines("chunks", "--since", "HEAD", cwd=changed.root):
        text = rows.pop(one["before"]["chunkUid"]) if one["before"] else None
        if one["change"] == "rekeyed":
            assert one["after"]["text"] == text
            assert one["after"]["contentHash"] == one["before"]["contentHash"]
        if one["after"]:
            rows[one["after"]["chunkUid"]] = one["after"]["text"]
    current = lines("chunks", ".", "--max-bytes", "9999", cwd=changed.root)
    assert rows == {chunk["chunkUid"]: chunk["text"] for chunk in current}


def test_kept_chunks_are_listed_on_request(changed: World) -> None:
    found = document("chunks", "--since", "HEAD", "--kept", cwd=changed.root)
    kept = [one for one in found["changes"] if one["change"] == "kept"]
    assert {one["after"]["file"] for one in kept} == {"src/app.py"}
    assert [one["change"] for one in found["changes"]][-len(kept) :] == ["kept"] * len(kept)
    assert found["counts"]["kept"] == len(kept)
    assert birthmark("chunks", "--kept", cwd=changed.root).returncode == 2


def test_marks_are_those_of_the_index(changed: World) -> None:
    mark = changed.mark("helper")
    first, *_ = lines("chunks", "--since", "HEAD", "--no-refresh", cwd=changed.root)
    assert (first["before"]["mark"], first["after"]["mark"]) == (mark, None)
    first, *_ = lines("chunks", "--since", "HEAD", cwd=changed.root)
    assert (first["before"]["mark"], first["after"]["mark"]) == (mark, mark)


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("src/tools", ["helper", "other", "go"]),
        ("src/tools/", ["helper", "other", "go"]),
        ("src/tools/one.py", ["helper", "other"]),
        ("src/web.js", ["go"]),
        (".", ["helper", "new", "other", "go", None]),
    ],
)
def test_since_a_revision_in_a_folder(changed: World, path: str, names: list[str | None]) -> None:
    found = lines("chunks", path, "--since", "HEAD", cwd=changed.root)
    assert [(one["after"] or one["before"])["name"] for one in found] == names


@pytest.mark.parametrize("path", ["src/gone", "gone/folder", "src/tools/one.py/x"])
def test_since_a_revision_in_a_path_that_never_was(changed: World, path: str) -> None:
    result = birthmark("chunks", path, "--since", "HEAD", cwd=changed.root)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith(f"birthmark: {path}: no source file is there, neither now nor at that revision; ")
    assert client_of(changed.root).get("/v1/chunks", since="HEAD", path=path).status == 404


def test_since_a_revision_in_a_folder_that_is_gone(changed: World) -> None:
    shutil.rmtree(changed.root / "src")
    found = lines("chunks", "src/tools", "--since", "HEAD", cwd=changed.root)
    assert [(one["change"], one["before"]["name"]) for one in found] == [
        ("gone", "helper"),
        ("gone", "other"),
        ("gone", "go"),
    ]


def test_since_a_revision_for_people(changed: World) -> None:
    assert shown("chunks", "--since", "HEAD", cwd=changed.root) == [
        "2 chunks to embed again:",
        "  src/new.py",
        "    1-2  added  fn  new",
        "",
        "  src/tools/one.py",
        "    1-4  changed  fn  helper",
        "",
        "2 chunks with a new uid; the text is the same, so the embedding is still valid:",
        "  src/tools/one.py",
        "    5-9  rekeyed  fn  other",
        "",
        "  src/web.js",
        "    1  rekeyed  fn  go  was in src/tools/web.js",
        "",
        "1 chunk gone:",
        "  b.py",
        "    1  gone  gap",
        "",
        f"1 changed, 1 added, 2 rekeyed, 1 gone, 0 kept since {changed.git('rev-parse', 'HEAD')[:12]}",
        "1 file did not change",
    ]


@pytest.mark.parametrize("query", [{}, {"path": "src/tools"}, {"kept": "true"}, {"path": "./src/"}])
def test_since_a_revision_over_http(changed: World, query: dict[str, str]) -> None:
    reply = client_of(changed.root).get("/v1/chunks", since="HEAD", **query)
    options = ["--kept"] if "kept" in query else []
    expected = document("chunks", query.get("path", "."), "--since", "HEAD", *options, cwd=changed.root)
    assert reply.document == expected | {"truncated": False, "next": None}
    page = client_of(changed.root).get("/v1/chunks", since="HEAD", limit=2, offset=1, **query).document
    assert page["changes"] == expected["changes"][1:3]
    assert page["counts"] == expected["counts"]


def test_a_revision_that_is_not_there(world: World) -> None:
    result: Result = birthmark("chunks", "--since", "nowhere", cwd=world.root)
    assert (result.returncode, result.stdout) == (2, "")
    assert "nowhere" in result.stderr
    assert client_of(world.root).get("/v1/chunks", since="nowhere").status == 404


LONG_LISTS = (
    ("entities", "many.py"),
    ("nodes", "many.py"),
    ("chunks", "many.py"),
    ("users", "target"),
    ("callees", "calls_all"),
    ("tests", "target"),
    ("affected", "--since", "HEAD~1"),
)


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> World:
    """A repository in which all lists have more than 20 rows."""
    names = [f"f{number}" for number in range(30)]
    functions = "\n\n".join(f"def {name}():\n    return target({name!r})" for name in names)
    calls = "\n".join(f"    {name}()" for name in names)
    tests = "\n\n".join(f"def test_{name}():\n    target({name!r})" for name in names)
    files = {
        "many.py": f"def target(x):\n    return x\n\n\n{functions}\n\n\ndef calls_all():\n{calls}\n",
        "tests/test_many.py": f"from many import target\n\n\n{tests}\n",
    }
    world = World(tmp_path_factory.mktemp("long") / "w", files, with_git=True)
    world.commit()
    world.write("many.py", files["many.py"].replace("return x", "return x + 1"))
    world.commit()
    world.index()
    return world


@pytest.mark.parametrize("arguments", LONG_LISTS, ids=[arguments[0] for arguments in LONG_LISTS])
def test_long_lists_are_cut_unless_all_is_asked_for(long: World, arguments: tuple[str, ...]) -> None:
    cut, whole = (shown(*arguments, *options, cwd=long.root) for options in ((), ("--all",)))
    rows, all_rows = ([line.split() for line in lines if line.startswith(("  ", "0."))] for lines in (cut, whole))
    assert rows == all_rows[:20]
    assert cut[-1] == f"… {len(all_rows) - 20} more; --all lists them"
    assert not whole[-1].startswith("…")
    found = document(*arguments, cwd=long.root)
    assert len(found if isinstance(found, list) else found["results"]) >= len(all_rows)
