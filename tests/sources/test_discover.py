"""What is found in a worktree is what git would list, less what is not ours to read."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from birthmark.sources.discover import discover, discover_paths
from birthmark.sources.globs import read_glob

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is what we compare with")
ENVIRONMENT = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}


def plant(root: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    return root


def found(root: Path, suffix: str = ".py", max_bytes: int = 1000) -> list[str]:
    return [file.path for file in discover(root, lambda name: name.endswith(suffix), max_bytes).files]


def git(root: Path, *arguments: str) -> bytes:
    return subprocess.run(["git", *arguments], cwd=root, env=ENVIRONMENT, capture_output=True, check=True).stdout  # noqa: S607 (the git of the machine)


def listed(root: Path) -> list[str]:
    names = git(root, "ls-files", "-z", "-co", "--exclude-standard").split(b"\0")
    return sorted(name.decode("utf-8", "backslashreplace") for name in names if name)


def check(root: Path, files: Mapping[str, str], expected: str) -> None:
    assert found(plant(root, files)) == expected.split()


OWN_WORD = [
    # .gitignore, .birthmarkignore, what is found of a.py, gen/a.py, gen/api/a.py, gen/api/b.py, lib/gen/a.py
    ("", "", "a.py gen/a.py gen/api/a.py gen/api/b.py lib/gen/a.py"),
    ("gen/", "", "a.py"),
    ("/gen/", "", "a.py lib/gen/a.py"),
    ("", "/gen/", "a.py lib/gen/a.py"),
    ("gen/", "!gen/", "a.py gen/a.py gen/api/a.py gen/api/b.py lib/gen/a.py"),
    ("gen/", "!/gen", "a.py gen/a.py gen/api/a.py gen/api/b.py"),
    ("gen/", "!/gen/api/", "a.py gen/api/a.py gen/api/b.py"),
    ("gen/", "!/gen/api/a.py", "a.py gen/api/a.py"),
    ("gen/", "!gen/*.py", "a.py gen/a.py"),
    ("gen/", "!gen/**/a.py", "a.py gen/a.py gen/api/a.py"),
    ("gen/", "!gen/*/a.py", "a.py gen/api/a.py"),
    ("gen/", "!**/api/b.py", "a.py gen/api/b.py"),
    # A bare name says nothing about the inside of ignored folders, else `!*.py` would bring back every environment.
    ("gen/", "!*.py", "a.py"),
    ("gen/", "!/gen/api/a.py\n!*.py", "a.py gen/api/a.py"),
    ("*.py", "!a.py", "a.py gen/a.py gen/api/a.py lib/gen/a.py"),
    # What is closed by our own word stays closed, as in git.
    ("", "/gen/\n!/gen/a.py", "a.py lib/gen/a.py"),
    ("", "/gen/*\n!/gen/a.py", "a.py gen/a.py lib/gen/a.py"),
    ("gen/", "!/gen/api/\n/gen/api/b.py", "a.py gen/api/a.py"),
    # What was brought back is still subject to the patterns that match inside it.
    ("gen/\nb.py", "!/gen/", "a.py gen/a.py gen/api/a.py"),
    ("/gen/**", "!/gen/api/**", "a.py gen/api/a.py gen/api/b.py lib/gen/a.py"),
]


@pytest.mark.parametrize(("git_ignore", "own_ignore", "expected"), OWN_WORD)
def test_our_own_ignore_file_has_the_last_word(tmp_path: Path, git_ignore: str, own_ignore: str, expected: str) -> None:
    sources = dict.fromkeys("a.py gen/a.py gen/api/a.py gen/api/b.py lib/gen/a.py".split(), "")
    check(tmp_path, {**sources, ".gitignore": git_ignore, ".birthmarkignore": own_ignore}, expected)


def test_our_own_word_goes_before_a_deeper_gitignore(tmp_path: Path) -> None:
    check(tmp_path, {"v/a.py": "", "v/b.py": "", "v/.gitignore": "*", ".birthmarkignore": "!v/a.py"}, "v/a.py")


def test_a_folder_no_negation_reaches_into_is_not_entered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entered: list[bytes] = []
    scan = os.scandir

    def note(path: bytes) -> object:
        entered.append(path)
        return scan(path)

    monkeypatch.setattr(os, "scandir", note)
    sources = dict.fromkeys("n/a.py n/mine/b.py n/other/c.py e/x/d.py".split(), "")
    check(tmp_path, {**sources, ".gitignore": "n/\ne/", ".birthmarkignore": "!n/mine/\n!*.py"}, "n/mine/b.py")
    assert [os.path.basename(path.rstrip(b"/")) for path in entered[1:]] == [b"n", b"mine"]


ATTRIBUTES = [
    ("", "", "a.py lib/a.py"),
    ("lib/** linguist-vendored", "", "a.py"),
    ("lib/ linguist-vendored", "", "a.py lib/a.py"),  # as in git, an attribute of a folder says nothing of its files
    ("lib/* linguist-generated=true", "", "a.py"),
    ("lib/* linguist-generated=false", "", "a.py lib/a.py"),
    ("* linguist-vendored\nlib/* -linguist-vendored", "", "lib/a.py"),
    ("* linguist-vendored\nlib/* linguist-vendored=false", "", "lib/a.py"),
    ("* linguist-vendored\nlib/* !linguist-vendored", "", "lib/a.py"),
    ("* -linguist-vendored\n*.py text linguist-vendored", "", ""),
    ("* linguist-vendored", "a.py -linguist-vendored", "lib/a.py"),
    ("* linguist-vendored linguist-generated", "a.py -linguist-vendored", ""),
    ('"l\\151b/a.py" linguist-vendored', "", "a.py"),
    ("# * linguist-vendored\n!* linguist-vendored\n[attr]x linguist-vendored", "", "a.py lib/a.py"),
]


@pytest.mark.parametrize(("at_root", "in_folder", "expected"), ATTRIBUTES)
def test_vendored_and_generated_files_are_passed_over(
    tmp_path: Path, at_root: str, in_folder: str, expected: str
) -> None:
    files = {"a.py": "", "lib/a.py": "", ".gitattributes": at_root, "lib/.gitattributes": in_folder}
    check(tmp_path, files, expected)


def test_a_named_language_makes_a_file_wanted(tmp_path: Path) -> None:
    plant(tmp_path, {"a.inc": "", "b.inc": "", "c.py": "", ".gitattributes": "a.inc linguist-language=PHP"})
    files = discover(tmp_path, lambda name: name.endswith(".py"), 10).files
    assert [(file.path, file.language) for file in files] == [("a.inc", "PHP"), ("c.py", None)]


def test_the_rules_of_a_clone_count(tmp_path: Path) -> None:
    files = {"a.py": "", "b.py": "", "c.py": "", ".git/info/exclude": "a.py", ".git/a.py": "", ".birthmark/a.py": ""}
    check(tmp_path, {**files, ".git/info/attributes": "b.py linguist-vendored"}, "c.py")


def test_links_special_files_and_other_repositories_are_passed_over(tmp_path: Path) -> None:
    root = plant(
        tmp_path / "root", {"a.py": "", "sub/.git": "gitdir: x", "sub/b.py": "", "own/.git/x": "", "own/c.py": ""}
    )
    plant(tmp_path / "outside", {"d.py": ""})
    (root / "link.py").symlink_to("a.py")
    (root / "out.py").symlink_to(tmp_path / "outside" / "d.py")
    (root / "folder").symlink_to(tmp_path / "outside")
    (root / "circle").symlink_to(root)
    os.mkfifo(root / "pipe.py")
    (root / ".gitignore").symlink_to("sub/.git")
    os.mkfifo(root / ".gitattributes")
    assert found(root) == ["a.py"]


def test_a_file_is_described_by_its_status(tmp_path: Path) -> None:
    plant(tmp_path, {"f/a.py": "abc"})
    status = (tmp_path / "f/a.py").stat()
    (file,) = discover(tmp_path, lambda name: True, 10).files
    assert file == ("f/a.py", "f/a.py", 3, status.st_mtime_ns, status.st_ctime_ns, status.st_ino, None)


def test_a_large_file_is_a_problem_if_it_was_wanted(tmp_path: Path) -> None:
    plant(tmp_path, {"a.py": "12345", "b.txt": "12345", "c.py": "12345", ".gitignore": "c.py"})
    discovery = discover(tmp_path, lambda name: name.endswith(".py"), 4)
    assert discovery.files == []
    assert [problem.path for problem in discovery.problems] == ["a.py"]
    assert discovery.problems[0].problem.startswith("has 5 bytes, more than the limit of 4; raise limits.max_bytes")


def test_an_unreadable_folder_is_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(tmp_path, {"a.py": "", "locked/b.py": "", "gone/c.py": ""})
    scan = os.scandir

    def refuse(path: bytes) -> object:
        if path.endswith(b"locked/"):
            raise PermissionError(13, "Permission denied")
        if path.endswith(b"gone/"):
            raise FileNotFoundError
        return scan(path)

    monkeypatch.setattr(os, "scandir", refuse)
    discovery = discover(tmp_path, lambda name: True, 10)
    assert [file.path for file in discovery.files] == ["a.py"]
    assert [(problem.path, problem.problem) for problem in discovery.problems] == [
        ("locked", "folder cannot be read: Permission denied; check its permissions")
    ]


def test_odd_names_are_found_and_can_be_opened(tmp_path: Path) -> None:
    raw = [b"a\nb.py", b"\xe9.py", "é.py".encode(), b" .py", b"f\xff/x.py", b"-.py"]
    (tmp_path / os.fsdecode(b"f\xff")).mkdir()
    for name in raw:
        (tmp_path / os.fsdecode(name)).write_bytes(name)
    files = discover(tmp_path, lambda name: name.endswith(".py"), 10).files
    assert {file.path for file in files} == {"a\nb.py", "\\xe9.py", "é.py", " .py", "f\\xff/x.py", "-.py"}
    assert {(tmp_path / file.os_path).read_bytes() for file in files} == set(raw)


def test_of_two_names_written_alike_one_is_a_problem(tmp_path: Path) -> None:
    for name in (b"a\xe9.py", b"a\\xe9.py"):
        (tmp_path / os.fsdecode(name)).write_bytes(b"")
    discovery = discover(tmp_path, lambda name: True, 10)
    assert [(file.path, file.os_path) for file in discovery.files] == [("a\\xe9.py", "a\\xe9.py")]
    assert [problem.path for problem in discovery.problems] == ["a\\xe9.py"]


def test_a_hostile_pattern_takes_no_time() -> None:
    start = time.monotonic()
    for pattern, path in [
        (b"*a" * 40 + b"*b", b"a" * 250),
        (b"x/" + b"*a" * 40 + b"*b", b"x/" + b"a" * 250),
        (b"**/a/" * 30 + b"b", b"a/" * 500 + b"c"),
        (b"**/*a*a/" * 20 + b"b", b"aaaa/" * 300 + b"c"),
    ]:
        glob = read_glob(pattern)
        assert glob is not None
        assert re.fullmatch(glob.regex, path, re.S) is None
    assert time.monotonic() - start < 5


PATTERNS = (
    r"""
a|/a|a/|/a/|a/b|/a/b/|a/*|a/**|**/a|**/a/b|a/**/b|**|*|*/|**/|a**|a**/b|**a|a/**b|a/b**/c|a*/b|*b|*.c|a.*|?|??|a?c|?/b
!a|!a/|!/a/b|!b|!*.c|!**/b|!a/**|!*/|\!a|\#a|#a|a\ |a |a\\ |ab\|\a|a\b|a\/b|**\/b|a/**\/b|[ab]|[!a]|[^a]|[a-c].c|[]a]
[!]a]|[a|[[:alpha:]]|[[:digit:]]*|[[:nope:]]|[[:a]|[a\]b]|[\a-c]|[c-a]|[a-]|[-a]|[+--]b|[a/b]|a[/]b|*[bc]|*[.]c
***/b|a/***|//a|a//|/|!
""".replace("\n", "|")
    .strip("|")
    .split("|")
)
NAMES = ["a", "b", "c", "ab", "abc", "a.c", "b.c", "!a", "#a", "a ", "]", "-b", "é", "a\\", "ab\\", "3x", "n]"]


@needs_git
@pytest.mark.parametrize("pattern", PATTERNS)
def test_each_pattern_means_what_it_means_to_git(tmp_path: Path, pattern: str) -> None:
    files = dict.fromkeys(NAMES, "") | {f"{top}/{name}": "" for top in ("d", "e") for name in NAMES}
    deep = {f"d/d{top}/{name}": "" for top in "ab" for name in ("a", "b", "abc")}
    compare(tmp_path / "flat", files | deep | {".gitignore": pattern})
    folders = [f"{one}/{two}" for one in ("a", "b", "ab", "x") for two in ("a/b", "b/a", "b/c", "c", "x/b", "x/y/b")]
    compare(tmp_path / "deep", {**dict.fromkeys(folders, ""), ".gitignore": pattern})
    compare(tmp_path / "back", {**dict.fromkeys(folders, ""), ".gitignore": f"*\n!*/\n{pattern}\n"})


NESTED = [
    # at the root, in a/, in a/b/, in .git/info/exclude
    ("*.c", "!*.c", "", ""),
    ("!*.c", "*.c", "", ""),
    ("*.c", "!*.c", "f.c", ""),
    ("!f.c", "", "", "f.c"),
    ("f.c", "", "", "!f.c"),
    ("a/b/", "!b/", "!f.c", ""),
    ("/a/b/f.c", "/b/g.c", "/f.c", ""),
    ("", "a/b/f.c", "b/f.c", "a/b/g.c"),
    ("", "**/f.c", "../g.c", ""),
    ("\ufefff.c", "f.c\r\ng.c\r", "# f.c\n\n \n", ""),
    ("f.c\0g.c", "", "", ""),
]


@needs_git
@pytest.mark.parametrize("texts", NESTED)
def test_nested_files_weigh_as_in_git(tmp_path: Path, texts: tuple[str, str, str, str]) -> None:
    sources = [folder + name for folder in ("", "a/", "a/b/", "a/b/c/", "b/") for name in ("f.c", "g.c")]
    rules = zip((".gitignore", "a/.gitignore", "a/b/.gitignore", ".git/info/exclude"), texts, strict=True)
    compare(tmp_path, {**dict.fromkeys(sources, ""), **dict(rules)})


@needs_git
@given(data=st.data())
def test_random_trees_are_listed_as_git_lists_them(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = st.lists(st.sampled_from(["a", "b", "c"]), max_size=3).map(
        lambda parts: "".join(f"{part}/" for part in parts)
    )
    line = st.one_of(
        st.sampled_from(PATTERNS),
        st.text("ab*/!?[]\\- ", max_size=8),
        st.lists(st.sampled_from(["a", "b", "*", "**", "a*", "!", "?", ".c"]), min_size=1, max_size=4).map("/".join),
    )
    lines = st.lists(line, max_size=6).map("\n".join)
    sources = data.draw(
        st.lists(st.tuples(folder, st.sampled_from(["f.c", "g", "ab", "b.c"])).map("".join), min_size=1, max_size=12)
    )
    ignores = data.draw(st.dictionaries(folder.map(lambda path: path + ".gitignore"), lines, max_size=3))
    exclude = data.draw(lines)
    compare(tmp_path_factory.mktemp("tree"), {**dict.fromkeys(sources, ""), **ignores, ".git/info/exclude": exclude})


@needs_git
def test_attributes_match_as_in_git(tmp_path: Path) -> None:
    """Each pattern holds in a folder of its own."""
    git(tmp_path, "init", "-q")
    names = ["a", "b", "abc", "x/a", "x/b/c", "ab/b", "ab/x/b", "#a", "]", "-b"]
    for number, pattern in enumerate(PATTERNS):
        lines = f"* -linguist-vendored\n{pattern} text linguist-vendored\n"
        plant(tmp_path / str(number), {**dict.fromkeys(names, ""), ".gitattributes": lines})
    paths = [f"{number}/{name}" for number in range(len(PATTERNS)) for name in names]
    answers = git(tmp_path, "check-attr", "-z", "linguist-vendored", "--", *paths).decode().split("\0")
    expected = {path for path, value in zip(answers[::3], answers[2::3], strict=False) if value != "set"}
    assert {path for path in found(tmp_path, "") if not path.endswith(".gitattributes")} == expected


def everything(root: Path) -> list[str]:
    """All paths below a root, and the root itself."""
    paths = [os.path.join(parent, name) for parent, folders, files in os.walk(root) for name in (*folders, *files)]
    return ["", *(os.path.relpath(path, root) for path in paths)]


GLANCES = [
    # paths, the files found there, the folders
    ("a.py", "a.py", ""),
    ("a.txt none.py a.py/b.py none/b.py", "", ""),
    ("p/b.py p", "p/b.py", "p"),
    ("p/gone.py gen gen/c.py p/gen/c.py", "", ""),
    ("p/keep/d.py", "p/keep/d.py", ""),
    ("p/v.py p/x.inc x.inc", "p/x.inc", ""),
    ("sub sub/e.py .git .git/f.py .birthmark/f.py", "", ""),
    ("link link/b.py l.py", "", ""),
    (".gitignore p/.gitattributes", "", ""),
]


@pytest.mark.parametrize(("paths", "files", "folders"), GLANCES)
def test_a_glance_at_some_paths(tmp_path: Path, paths: str, files: str, folders: str) -> None:
    names = "a.py a.txt p/b.py gen/c.py p/gen/c.py p/keep/d.py p/keep/z.py p/v.py p/x.inc x.inc sub/e.py .git/f.py"
    rules = {".gitignore": "gen/\nz.py\nkeep/", ".birthmarkignore": "!p/keep/", "sub/.git": "gitdir: x"}
    attributes = {"p/.gitattributes": "v.py linguist-vendored\nx.inc linguist-language=PHP"}
    root = plant(tmp_path, {**dict.fromkeys(names.split(), ""), **rules, **attributes, ".birthmark/f.py": ""})
    (root / "link").symlink_to("p")
    (root / "l.py").symlink_to("a.py")
    glance = discover_paths(root, paths.split(), lambda name: name.endswith(".py"), 10)
    assert [file.path for file in glance.files] == files.split()
    assert sorted(glance.folders) == folders.split()
    assert glance.problems == []


def test_a_glance_lists_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(tmp_path, {f"p/{number}.py": "" for number in range(50)})
    looked_at: list[bytes] = []
    look = os.lstat

    def note(path: bytes) -> os.stat_result:
        looked_at.append(path)
        return look(path)

    monkeypatch.setattr(os, "lstat", note)
    (file,) = discover_paths(tmp_path, ["p/7.py"], lambda name: True, 10).files
    assert file.path == "p/7.py"
    assert len(looked_at) < 15


@given(data=st.data())
def test_a_glance_at_every_path_is_the_whole_view(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = st.lists(st.sampled_from(["a", "b", "c"]), max_size=3).map(
        lambda parts: "".join(f"{part}/" for part in parts)
    )
    line = st.one_of(
        st.sampled_from(PATTERNS),
        st.lists(st.sampled_from(["a", "b", "*", "**", "!", "?", ".c"]), min_size=1, max_size=4).map("/".join),
    )
    lines = st.lists(line, max_size=5).map("\n".join)
    attribute = st.sampled_from(["*.c linguist-vendored", "g linguist-language=C", "b/* linguist-generated"])
    name = st.sampled_from(["f.c", "g", "ab", "b.c", "large.c", ".git", "x\udcff.c", "x\\xff.c"])
    sources = data.draw(st.lists(st.tuples(folder, name).map("".join), min_size=1, max_size=12))
    ignores = data.draw(st.dictionaries(folder.map(lambda path: path + ".gitignore"), lines, max_size=3))
    own = data.draw(st.dictionaries(folder.map(lambda path: path + ".birthmarkignore"), lines, max_size=2))
    attributes = data.draw(st.dictionaries(folder.map(lambda path: path + ".gitattributes"), attribute, max_size=2))
    texts = {source: "12345678" if source.endswith("large.c") else "" for source in sources}
    root = plant(tmp_path_factory.mktemp("tree"), {**texts, **ignores, **own, **attributes})
    whole = discover(root, lambda name: name.endswith(".c"), 5)._replace(listings={})
    assert discover_paths(root, everything(root), lambda name: name.endswith(".c"), 5) == whole
    for file in whole.files:
        if "\\x" not in file.path:  # Of two names written alike, one alone does not know of the other.
            assert discover_paths(root, [file.os_path], lambda name: name.endswith(".c"), 5).files == [file]


def compare(root: Path, files: Mapping[str, str]) -> None:
    root.mkdir(exist_ok=True)
    git(root, "init", "-q")
    plant(root, files)
    assert found(root, "") == listed(root)


@pytest.mark.parametrize("name", [".gitignore", ".gitattributes", ".birthmarkignore", ".git/info/exclude"])
def test_a_folder_in_place_of_rules_has_none(tmp_path: Path, name: str) -> None:
    check(tmp_path, {"a.py": "", ".git/HEAD": "", ".git/refs/x": "", ".git/objects/x": "", f"{name}/x": ""}, "a.py")
