"""Repositories are read through plumbing that runs nothing of theirs."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from birthmark.errors import BirthmarkError
from birthmark.sources.git import gitdir
from birthmark.sources.git.log import log_file, log_path
from birthmark.sources.git.repository import (
    ChangedFile,
    GitRepository,
    current_branch,
    current_head,
    find_root,
    main_root,
)

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="repositories are made with git")

ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    **{
        f"GIT_{who}_{what}": value
        for who in ("AUTHOR", "COMMITTER")
        for what, value in (("NAME", "A"), ("EMAIL", "a@b"))
    },
    "GIT_AUTHOR_DATE": "2024-01-01T00:00:00Z",
    "GIT_COMMITTER_DATE": "2024-01-01T00:00:00Z",
}


def git(root: Path, *arguments: str) -> str:
    command = ["git", "-c", "protocol.file.allow=always", *arguments]
    return subprocess.run(command, cwd=root, env=ENVIRONMENT, capture_output=True, text=True, check=True).stdout.strip()


def commit(root: Path, message: str = "m") -> str:
    git(root, "add", "-A")
    git(root, "commit", "-q", "--allow-empty", "-m", message)
    return git(root, "rev-parse", "HEAD")


def make(root: Path, *options: str) -> Path:
    root.mkdir(exist_ok=True)
    git(root, "init", "-q", "-b", "main", *options)
    return root


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Two commits: a.py changed, b.py gone, c.py new, link and f/d.py as they were."""
    root = make(tmp_path / "root")
    (root / "f").mkdir()
    for name in ("a.py", "b.py", "f/d.py"):
        (root / name).write_text(name)
    (root / "link").symlink_to("a.py")
    commit(root, "first")
    git(root, "tag", "-a", "v1", "-m", "tag")
    (root / "a.py").write_text("changed")
    (root / "b.py").unlink()
    (root / "c.py").write_text("new")
    commit(root, "second")
    return root


@pytest.fixture
def repository(root: Path) -> Iterator[GitRepository]:
    with GitRepository(root) as repository:
        yield repository


def test_head_and_branch(root: Path) -> None:
    head = git(root, "rev-parse", "HEAD")
    for packed in (False, True):
        if packed:
            git(root, "pack-refs", "--all")
        assert (current_head(root), current_branch(root)) == (head, "main")
        with GitRepository(root) as repository:
            assert (repository.head(), repository.branch()) == (head, "main")
    git(root, "checkout", "-q", "--detach")
    assert (current_head(root), current_branch(root)) == (head, None)


def test_an_unborn_branch(tmp_path: Path) -> None:
    root = make(tmp_path)
    assert (current_head(root), current_branch(root)) == (None, "main")
    with GitRepository(root) as repository:
        assert (repository.head(), repository.branch()) == (None, "main")
        with pytest.raises(BirthmarkError, match="unknown revision 'HEAD'"):
            repository.tree("HEAD")


def test_the_current_head_takes_no_time(root: Path) -> None:
    start = time.perf_counter()
    for _ in range(50):
        current_head(root)
        current_branch(root)
    assert time.perf_counter() - start < 1


@pytest.mark.parametrize(
    "revision",
    "HEAD @ main HEAD~1 HEAD^ v1 refs/tags/v1 v1^{commit} v1^0 :/first main~1^{} HEAD@{1} main^{/first}".split(),
)
def test_revisions_are_resolved_as_by_git(root: Path, repository: GitRepository, revision: str) -> None:
    expected = git(root, "rev-parse", "--verify", revision)
    expected = git(root, "rev-parse", f"{expected}^{{commit}}")
    assert repository.resolve(revision) == expected
    assert repository.resolve(expected) == repository.resolve(expected[:8]) == expected


@pytest.mark.parametrize(
    ("revision", "message"),
    [
        ("nowhere", "unknown revision 'nowhere'; name one branch"),
        ("", "unknown revision ''"),
        ("-h", "unknown revision '-h'"),
        ("--batch-all-objects", "unknown revision"),
        ("HEAD\nHEAD", "unknown revision"),
        ("HEAD\0", "unknown revision"),
        ("main..HEAD", "unknown revision"),
        ("^HEAD", "unknown revision"),
        ("0" * 40, "unknown revision"),
        ("\udce9", "unknown revision"),
        ("HEAD:a.py", "is a blob; name a branch"),
        ("HEAD^{tree}", "is a tree; name a branch"),
    ],
)
def test_what_is_no_commit_is_said_in_a_line(repository: GitRepository, revision: str, message: str) -> None:
    with pytest.raises(BirthmarkError, match=message) as caught:
        repository.resolve(revision)
    assert "\n" not in str(caught.value)
    assert repository.resolve("HEAD") == repository.head()


def test_remote_branches_and_symbolic_refs(root: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", str(root), "clone")
    clone = tmp_path / "clone"
    with GitRepository(clone) as repository:
        names = ("origin/main", "origin", "origin/HEAD", "refs/remotes/origin/main")
        assert {repository.resolve(name) for name in names} == {current_head(root)}


def test_a_tree_has_regular_files_only(root: Path, repository: GitRepository) -> None:
    assert repository.tree("v1").keys() == {"a.py", "b.py", "f/d.py"}
    entry = repository.tree("HEAD")["f/d.py"]
    assert (entry.os_path, repository.read(entry.blob)) == (b"f/d.py", b"f/d.py")


def test_odd_paths_are_written_as_ids_have_them(tmp_path: Path) -> None:
    root = make(tmp_path)
    for name in (b"\xe9.py", b"a\nb\tc.py", b"\\xe9.py"):
        (root / os.fsdecode(name)).write_bytes(name)
    commit(root)
    with GitRepository(root) as repository:
        assert {path: entry.os_path for path, entry in repository.tree("HEAD").items()} == {
            "\\xe9.py": b"\\xe9.py",
            "a\nb\tc.py": b"a\nb\tc.py",
        }


def test_changed_files(root: Path, repository: GitRepository) -> None:
    old, new = repository.tree("v1"), repository.tree("HEAD")
    assert repository.changed("v1", "HEAD") == [
        ChangedFile("a.py", old["a.py"].blob, new["a.py"].blob),
        ChangedFile("b.py", old["b.py"].blob, None),
        ChangedFile("c.py", None, new["c.py"].blob),
    ]
    assert repository.changed(None, "v1") == [ChangedFile(path, None, entry.blob) for path, entry in old.items()]
    assert repository.changed("HEAD", "HEAD") == []


def test_changes_of_many_pairs_are_those_that_git_lists_for_each(tmp_path: Path) -> None:
    """One process answers all; names that look like an end of its answers, or of its records, are names."""
    root = make(tmp_path / "odd")
    names = ["a.py", "/\n".join(["x", "y"]), "end\n", "\n", ":100644 a", "0" * 40]
    commits = []
    for number, name in enumerate(names):
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(f"{number}\n")
        commits.append(commit(root))
    with GitRepository(root) as repository:
        for old in commits:
            for new in commits:
                command = ["git", "diff-tree", "-r", "-z", "--name-only", "--no-renames", old, new]
                listed = subprocess.run(command, cwd=root, capture_output=True, text=True).stdout.split("\0")
                assert [change.path for change in repository.changed(old, new)] == [name for name in listed if name]


def test_a_file_that_becomes_a_link_is_gone(root: Path) -> None:
    (root / "a.py").unlink()
    (root / "a.py").symlink_to("c.py")
    (root / "c.py").chmod(0o755)
    commit(root)
    with GitRepository(root) as repository:
        blob = repository.tree("HEAD~1")["a.py"].blob
        assert repository.changed("HEAD~1", "HEAD") == [ChangedFile("a.py", blob, None)]


def test_many_blobs_are_read_in_order(root: Path) -> None:
    contents = [b"", b"\n", b"x" * 200_000, b"no newline", *(b"%d\n" % number for number in range(300))]
    for number, content in enumerate(contents):
        (root / f"{number:03}.txt").write_bytes(content)
    commit(root)
    with GitRepository(root) as repository:
        tree = repository.tree("HEAD")
        blobs = [tree[f"{number:03}.txt"].blob for number in range(len(contents))]
        assert [content for _, content in repository.read_many(blobs)] == contents
        reading = repository.read_many(blobs)
        next(reading)
        assert repository.read(blobs[3]) == b"no newline"  # Others may be read in between.
        assert next(reading) == (blobs[1], b"\n")
        assert repository.sizes([*blobs[:4], "0" * 40]) == dict(zip(blobs, map(len, contents[:4]), strict=False))


def test_a_missing_blob_is_said_so(repository: GitRepository) -> None:
    with pytest.raises(BirthmarkError, match="is not in this clone; fetch it with git or `--fetch`"):
        repository.read("0" * 40)
    with pytest.raises(BirthmarkError, match="is not an object id"):
        repository.read("HEAD")
    assert repository.read(repository.tree("HEAD")["c.py"].blob) == b"new"


def test_a_damaged_object_is_an_error_and_the_next_read_works(root: Path) -> None:
    with GitRepository(root) as repository:
        tree = repository.tree("HEAD")
        blob = tree["c.py"].blob
        path = root / ".git" / "objects" / blob[:2] / blob[2:]
        path.chmod(0o644)
        path.write_bytes(b"damaged")
        with pytest.raises(BirthmarkError):
            repository.read(blob)
        assert repository.read(tree["a.py"].blob) == b"changed"


def test_sha256(tmp_path: Path) -> None:
    root = make(tmp_path, "--object-format=sha256")
    (root / "a.py").write_text("a")
    id_ = commit(root)
    assert len(id_) == 64
    with GitRepository(root) as repository:
        assert repository.resolve("HEAD") == current_head(root) == id_
        assert repository.read(repository.tree("main")["a.py"].blob) == b"a"


def test_linked_worktrees(root: Path, tmp_path: Path) -> None:
    git(root, "worktree", "add", "-q", "-b", "side", str(tmp_path / "linked"), "v1")
    linked = tmp_path / "linked"
    assert current_branch(linked) == "side"
    assert main_root(linked) == main_root(root) == root
    with GitRepository(linked) as repository:
        assert repository.head() == current_head(linked) == repository.resolve("v1") == repository.resolve("main~1")
        assert repository.resolve("HEAD") != repository.resolve("main")


def test_a_main_worktree_that_does_not_know_the_linked_one_is_not_believed(root: Path, tmp_path: Path) -> None:
    git(root, "worktree", "add", "-q", str(tmp_path / "linked"))
    (tmp_path / "stray").mkdir()
    shutil.copy(tmp_path / "linked" / ".git", tmp_path / "stray" / ".git")
    assert main_root(tmp_path / "stray") == tmp_path / "stray"


def test_submodules_are_repositories_of_their_own(root: Path, tmp_path: Path) -> None:
    outer = make(tmp_path / "outer")
    git(outer, "submodule", "--quiet", "add", str(root), "inner")
    commit(outer)
    assert main_root(outer / "inner") == outer / "inner"
    assert current_head(outer / "inner") == current_head(root)
    with GitRepository(outer / "inner") as repository:
        assert "a.py" in repository.tree("HEAD")
    with GitRepository(outer) as repository:
        assert list(repository.tree("HEAD")) == [".gitmodules"]


def test_borrowed_objects_of_borrowed_objects(root: Path, tmp_path: Path) -> None:
    """A clone's alternates may be relative, and its folder's name may hold anything."""
    odd = tmp_path / 'odd "\né'
    odd.mkdir()
    git(tmp_path, "clone", "-q", "--shared", str(root), str(odd / "clone"))
    (odd / "clone/.git/objects/info/alternates").write_text("../../../../root/.git/objects\n")
    with GitRepository(odd / "clone") as repository:
        assert repository.read(repository.tree("HEAD")["c.py"].blob) == b"new"


def test_a_shallow_clone_ends_where_it_ends(root: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--depth=1", root.as_uri(), "shallow")
    with GitRepository(tmp_path / "shallow") as repository:
        assert repository.resolve("HEAD") == current_head(root)
        with pytest.raises(BirthmarkError, match="unknown revision"):
            repository.resolve("HEAD~1")


def test_a_partial_clone_fetches_nothing(root: Path, tmp_path: Path) -> None:
    git(root, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "-q", "--no-checkout", "--filter=blob:none", root.as_uri(), "partial")
    with GitRepository(tmp_path / "partial") as repository, pytest.raises(BirthmarkError, match="not in this clone"):
        repository.read(repository.tree("HEAD")["c.py"].blob)


def test_what_a_clone_lacks_is_distinguished_from_what_is_not_there(root: Path, tmp_path: Path) -> None:
    (root / "deep" / "er").mkdir(parents=True)
    (root / "deep" / "er" / "b.py").write_text("B = 1\n")
    head = commit(root)
    git(root, "config", "uploadpack.allowFilter", "true")
    for number, (filter_, lacked) in enumerate({"blob:none": "b.py", "tree:1": "deep"}.items()):
        options = ("-q", "--no-checkout", f"--filter={filter_}")
        git(tmp_path, "clone", *options, root.as_uri(), f"partial{number}")
        with GitRepository(tmp_path / f"partial{number}") as repository:
            assert repository.blob_at(head, b"none.py") is None
            assert repository.blob_at(head, b"none/none.py") is None
            assert repository.blob_at(head, b"a.py/none.py") is None
            with pytest.raises(BirthmarkError, match=f"{lacked} of commit {head} is not in this clone"):
                repository.blob_at(head, b"deep/er/b.py")


def test_a_path_may_have_any_depth(root: Path) -> None:
    head = commit(root)
    with GitRepository(root) as repository:
        assert repository.blob_at(head, b"f/" * 2000 + b"none.py") is None
        assert not repository.may_have(head, b"f/" * 2000, b".gitattributes")


def test_a_file_is_followed_back_to_where_it_begins(root: Path) -> None:
    """What was at its path before that is another file's history; a merge that changed it needs git's graph."""
    git(root, "rm", "-q", "a.py")
    commit(root)
    (root / "a.py").write_text("A = 1\n")
    begins = commit(root)
    (root / "f" / "d.py").write_text("D = 1\n")
    commit(root)
    (root / "a.py").write_text("A = 2\n")
    changed = commit(root)
    with GitRepository(root) as repository:
        assert log_file(repository, changed, b"a.py") == {changed: (begins,), begins: ()}
        assert len(log_path(repository, changed, b"a.py")) == 5
        assert log_file(repository, changed, b"f/d.py") == log_path(repository, changed, b"f/d.py")
        assert log_file(repository, changed, b"none.py") == {}
    git(root, "checkout", "-q", "-b", "side", begins)
    (root / "a.py").write_text("A = 3\n")
    commit(root)
    git(root, "checkout", "-q", "main")
    git(root, "merge", "-q", "-s", "ours", "--no-commit", "side")
    (root / "a.py").write_text("A = 4\n")
    merge = commit(root)
    with GitRepository(root) as repository:
        assert log_file(repository, merge, b"a.py") == log_path(repository, merge, b"a.py")
        assert len(log_file(repository, merge, b"a.py")[merge]) == 2


def test_what_a_folder_of_a_commit_may_have(root: Path, repository: GitRepository) -> None:
    head = repository.resolve("HEAD")
    asked = [
        (b"", b"a.py"),
        (b"f/", b"d.py"),
        (b"", b"none"),
        (b"f/", b"none"),
        (b"none/deeper/", b"a"),
        (b"a.py/", b"a"),
    ]
    assert [repository.may_have(head, *one) for one in asked] == [True, True, False, False, False, False]
    assert repository.may_have(head, b"a\nb/", b"c")  # It cannot be asked for.


def test_replaced_objects_and_variables_do_not_count(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blob = git(root, "rev-parse", "HEAD:c.py")
    git(root, "replace", blob, git(root, "rev-parse", "HEAD:a.py"))
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", "/nowhere")
    with GitRepository(root) as repository:
        assert repository.read(blob) == b"new"


def test_nothing_a_repository_configures_is_run(root: Path, tmp_path: Path) -> None:
    witness = tmp_path / "witness"
    script = tmp_path / "script"
    script.write_text(f"#!/bin/sh\ntouch '{witness}'\ncat\n")
    script.chmod(0o755)
    keys = (
        "core.fsmonitor core.sshCommand core.pager core.editor core.askPass core.alternateRefsCommand diff.external "
        "diff.x.textconv diff.x.command filter.x.clean filter.x.smudge filter.x.process pager.ls-tree pager.diff-tree "
        "alias.cat-file credential.helper gpg.program uploadpack.packObjectsHook"
    )
    for key in keys.split():
        git(root, "config", key, str(script))
    git(root, "config", "core.hooksPath", str(tmp_path))
    for hook in ("post-index-change", "reference-transaction", "fsmonitor-watchman"):
        shutil.copy(script, tmp_path / hook)
    (root / ".gitattributes").write_text("* diff=x filter=x\n")
    (root / ".git" / "info" / "attributes").write_text("* diff=x filter=x\n")
    with GitRepository(root) as repository:
        repository.resolve("HEAD~1")
        list(repository.read_many(entry.blob for entry in repository.tree("HEAD").values()))
        repository.changed("HEAD~1", "HEAD")
    assert not witness.exists()
    git(root, "status")
    assert witness.exists(), "the trap works"


def test_refs_are_written_only_where_a_name_needs_them(root: Path) -> None:
    git(root, "tag", "packed")
    git(root, "pack-refs", "--all")
    git(root, "branch", "other")
    head = current_head(root)
    for names, is_needed in ((["HEAD", "HEAD~0", str(head)], False), (["packed"], True), (["other"], True)):
        with GitRepository(root) as repository:
            written = Path(repository._git_dir._folder.name, "packed-refs")
            assert [repository.resolve(name) for name in names] == [head] * len(names)
            assert (b"refs/tags/packed" in written.read_bytes()) is is_needed
            assert repository.resolve("packed") == repository.resolve("other") == head
            assert {"packed", "other", "main"} <= set(repository.ref_names())
    with GitRepository(root) as repository:
        assert repository.run("rev-list", "--max-count=1", "packed", "--").decode().strip() == head


def test_hostile_refs_lead_nowhere(root: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("0" * 40)
    (root / ".git" / "refs" / "heads" / "loop").write_text("ref: refs/heads/loop\n")
    (root / ".git" / "refs" / "heads" / "out").write_text("ref: refs/../../../secret\n")
    os.mkfifo(root / ".git" / "refs" / "heads" / "pipe")
    (root / ".git" / "packed-refs").write_text(f"{'1' * 40} refs/../../x\nnonsense\n{'1' * 40} refs/heads/a b\n")
    with GitRepository(root) as repository:
        assert repository.resolve("main") == current_head(root)
        for name in ("loop", "out", "pipe"):
            with pytest.raises(BirthmarkError, match="unknown revision"):
                repository.resolve(name)
    (root / ".git" / "HEAD").write_text("ref: ../../secret\n")
    assert current_head(root) is None


def test_the_repository_is_left_as_it_was_and_nothing_is_left_behind(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    before = {path: path.lstat().st_mtime_ns for path in root.rglob("*")}
    with GitRepository(root) as repository:
        repository.read(repository.tree("HEAD")["a.py"].blob)
        assert len(list(scratch.iterdir())) == 1
    assert {path: path.lstat().st_mtime_ns for path in root.rglob("*")} == before
    assert list(scratch.iterdir()) == []


def test_roots(root: Path, tmp_path: Path) -> None:
    assert find_root(root / "f") == find_root(root) == root
    assert main_root(tmp_path) == tmp_path
    assert current_head(tmp_path) is None
    assert current_branch(tmp_path) is None


def test_what_cannot_be_opened_says_why(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BirthmarkError, match="is not a readable git repository"):
        GitRepository(tmp_path)
    monkeypatch.setenv("PATH", os.pathsep.join(["", ".", str(tmp_path)]))
    with pytest.raises(BirthmarkError, match="git is not installed"):
        GitRepository(root)
    (root / ".git" / "reftable").mkdir()
    with pytest.raises(BirthmarkError, match="keeps its refs in tables"):
        GitRepository(root)


def test_folders_of_killed_processes_are_removed(tmp_path: Path) -> None:
    """Neither those of running processes, nor young ones, nor what a link leads to."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    names = {"dead": f"birthmark-git-{2**22 + 1}-a", "young": f"birthmark-git-{2**22 + 1}-b"}
    names |= {"running": f"birthmark-git-{os.getpid()}-c", "other": "birthmark-git-d"}
    for name in names.values():
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (0, 0))
    os.utime(tmp_path / names["young"])
    (tmp_path / f"birthmark-git-{2**22 + 1}-link").symlink_to(elsewhere)
    gitdir._remove_abandoned(str(tmp_path))
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {*names.values(), "elsewhere", f"birthmark-git-{2**22 + 1}-link"} - {names["dead"]}
