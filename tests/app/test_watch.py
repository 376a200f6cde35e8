"""Whatever happens to a worktree, its index follows and ends up as one made anew."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from birthmark.app.indexing import watch
from birthmark.app.indexing.index import index_worktree, update_with_edges
from birthmark.app.indexing.watch import Batch, Trouble, WatchEvent, WatchOptions, follow
from birthmark.app.workspace.stores import reading, writing
from birthmark.app.workspace.workspace import Workspace, find_workspace
from birthmark.errors import BirthmarkError, StoreError
from birthmark.sources import events

pytestmark = pytest.mark.timeout(120)
needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git switches the branches")
needs_proc = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="it tells who has which children")
ENVIRONMENT = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
OPTIONS = WatchOptions(debounce=0.05, rescan=600.0)
SOURCES = {
    "a.py": "def one():\n    return 1\n",
    "p/b.py": "class B:\n    def two(self):\n        return 2\n",
    "p/q/c.py": "from p.b import B\n\n\ndef three():\n    return B().two()\n",
    "ignored/d.py": "def four(): ...\n",
    ".gitignore": "ignored/\n",
}

Row = tuple[object, ...]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return plant(tmp_path / "root", SOURCES)


def plant(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def rows(workspace: Workspace) -> set[Row]:
    """What the index holds of a worktree."""
    with reading(workspace) as store:
        snapshot = store.snapshot(workspace.worktree)
        assert snapshot is not None
        entities = {
            (row.path, row.kind, row.qualified_name, row.content_hash, row.start_line, row.end_line)
            for row in store.all_entities(snapshot.snapshot)
        }
        files = store.files(snapshot.snapshot).items()
        return entities | {(path, row.size, row.content, row.language, row.problem) for path, row in files}


def rebuilt(workspace: Workspace) -> set[Row]:
    """What a new index of the same files holds; it lies beside the root, where nobody listens."""
    home = workspace.root.parent / "rebuilt"
    shutil.rmtree(home, ignore_errors=True)
    fresh = Workspace(workspace.root, home)
    with writing(fresh, 0) as store:
        index_worktree(store, fresh)
    return rows(fresh)


def settle(news: Iterator[WatchEvent], workspace: Workspace) -> list[WatchEvent]:
    """Follow until the index is what a new one would be."""
    expected, heard = rebuilt(workspace), list[WatchEvent]()
    while rows(workspace) != expected:
        heard.append(next(news))
    return heard


def rename_oddly(root: Path) -> None:
    (root / "a.py").rename(root / os.fsdecode(b"\xff.py"))


def write_odd_names(root: Path) -> None:
    for name in (b"\xe9.py", b"a\nb.py", b" .py", b"p/-.py", "é.py".encode(), b"x\\xe9.py", b"x\xe9.py"):
        (root / os.fsdecode(name)).write_bytes(b"def odd(): ...\n")


def replace_folder(root: Path) -> None:
    shutil.rmtree(root / "p")
    plant(root, {"p/b.py": "def other(): ...\n", "p/r/e.py": "def new(): ...\n"})


def save_atomically(root: Path) -> None:
    (root / "a.py~").write_text("def one():\n    return 11\n")
    (root / "a.py~").replace(root / "a.py")


def fold(root: Path) -> None:
    """A file becomes a folder, a folder a file."""
    (root / "a.py").unlink()
    plant(root, {"a.py/x.py": "def x(): ...\n"})
    shutil.rmtree(root / "p" / "q")
    (root / "p" / "q").write_text("#!/usr/bin/env python\ndef script(): ...\n")


EDITS: list[Callable[[Path], object]] = [
    lambda root: plant(root, {"new.py": "def new(): ...\n"}),
    lambda root: plant(root, {"p/q/c.py": "def three():\n    return 3\n"}),
    lambda root: (root / "a.py").unlink(),
    lambda root: (root / "a.py").rename(root / "p" / "z.py"),
    lambda root: plant(root, {"x/y/z/deep.py": "def deep(): ...\n"}),
    lambda root: shutil.rmtree(root / "p"),
    lambda root: (root / "p").rename(root.parent / "elsewhere"),
    lambda root: (root / "p").rename(root / "moved"),
    lambda root: (root / ".gitignore").unlink(),
    lambda root: plant(root, {".birthmarkignore": "p/\n"}),
    lambda root: plant(root, {".gitattributes": "a.py linguist-vendored\n"}),
    lambda root: plant(root, {"birthmark.toml": "[limits]\nmax_bytes = 30\n"}),
    lambda root: plant(root, {"p/.git": "gitdir: x\n"}),
    rename_oddly,
    write_odd_names,
    replace_folder,
    save_atomically,
    fold,
]


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_is_followed(root: Path, edit: Callable[[Path], object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "_POLL_SECONDS", 0.2)
    workspace, news = find_workspace(root), follow(find_workspace(root), OPTIONS)
    first = next(news)
    assert isinstance(first, Batch)
    assert first.n_files == 3
    edit(root)
    assert settle(news, workspace)
    # And so is the next one: the ears are open where something is new.
    for folder in {path.parent for path in root.rglob("*.py")}:
        (folder / "last.py").write_text("def last(): ...\n")
    settle(news, workspace)
    news.close()  # type: ignore[attr-defined]  # It is a generator.


def test_many_random_edits_end_as_a_rebuild(root: Path) -> None:
    workspace, news = find_workspace(root), follow(find_workspace(root), OPTIONS)
    next(news)
    for step in range(6):
        plant(root, {f"p/m{step % 3}.py": f"def f{step}():\n    return {step}\n", f"n{step}/k.py": SOURCES["p/b.py"]})
        if step % 2:
            (root / f"n{step - 1}").rename(root / "p" / f"n{step - 1}")
        if step == 4:
            shutil.rmtree(root / "p" / "q")
        settle(news, workspace)


def test_what_is_nobodys_business_changes_nothing(root: Path) -> None:
    workspace, news = find_workspace(root), follow(find_workspace(root), OPTIONS)
    next(news)
    plant(
        root, {"ignored/d.py": "def five(): ...\n", "notes.log": "x", "node_modules.log": "y", "a.py": SOURCES["a.py"]}
    )
    plant(root, {"last.py": "def last(): ...\n"})
    (batch,) = settle(news, workspace)
    assert isinstance(batch, Batch)
    assert batch.summary.changes["born"] == 1


def test_two_thousand_new_files_are_all_found(root: Path) -> None:
    workspace, news = find_workspace(root), follow(find_workspace(root), OPTIONS)
    next(news)
    plant(root, {f"m{number % 40}/n{number % 7}/f{number}.py": f"N = {number}\n" for number in range(2000)})
    settle(news, workspace)
    assert len({row[0] for row in rows(workspace)}) == 2003


@needs_git
def test_a_branch_is_switched_and_a_commit_noted(root: Path) -> None:
    def git(*arguments: str) -> None:
        command = ["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments]
        subprocess.run(command, cwd=root, env=ENVIRONMENT, capture_output=True, check=True)

    git("init", "-q", "-b", "main")
    git("add", ".")
    git("commit", "-qm", "one")
    git("switch", "-qc", "other")
    shutil.rmtree(root / "p")
    plant(root, {f"k{number}/x.py": f"def f{number}(): ...\n" for number in range(30)})
    git("add", "-A")
    git("commit", "-qm", "two")
    workspace, news = find_workspace(root), follow(find_workspace(root), OPTIONS)
    next(news)

    def noted() -> tuple[str, str | None]:
        with reading(workspace) as store:
            snapshot = store.snapshot(workspace.worktree)
            assert snapshot is not None
            return snapshot.branch, snapshot.revision

    for command in (["switch", "-q", "main"], ["switch", "-q", "other"], ["commit", "-q", "--allow-empty", "-m", "x"]):
        git(*command)
        settle(news, workspace)
        while noted() != (workspace.branch, workspace.head):
            next(news)
        assert rows(workspace) == rebuilt(workspace)


def test_a_failure_is_told_once_and_made_up_for(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace, news = find_workspace(root), follow(find_workspace(root), OPTIONS)
    next(news)
    failures = iter([True, True, False])

    def fail(*arguments: object) -> object:
        if next(failures, False):
            raise StoreError("the disk is full")
        return update_with_edges(*arguments)  # type: ignore[arg-type]  # They are what it was called with.

    monkeypatch.setattr(watch, "update_with_edges", fail)
    monkeypatch.setattr(watch, "_RETRY_SECONDS", 0.05)
    plant(root, {"new.py": "def new(): ...\n"})
    heard = settle(news, workspace)
    assert heard[0] == Trouble("the disk is full")
    assert [type(one) for one in heard] == [Trouble, Batch]


def test_where_nothing_can_be_heard_it_is_looked_for(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError("OS file watch limit reached.")

    monkeypatch.setattr(events, "RustNotify", refuse)
    monkeypatch.setattr(watch, "_POLL_SECONDS", 0.05)
    workspace, news = find_workspace(root), follow(find_workspace(root), OPTIONS)
    next(news)
    for number in range(2):
        plant(root, {f"new{number}.py": "def new(): ...\n"})
        heard = settle(news, workspace)
        troubles = [one.problem for one in heard if isinstance(one, Trouble)]
        assert len(troubles) == (1 if number == 0 else 0)
        assert all("limit reached), so files are checked every" in problem for problem in troubles)


def test_a_rescan_finds_what_was_not_heard(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events.Listener, "_below", lambda self, name: None)
    workspace, news = find_workspace(root), follow(find_workspace(root), OPTIONS._replace(rescan=0.1))
    next(news)
    plant(root, {"new.py": "def new(): ...\n"})
    settle(news, workspace)


def test_without_its_root_it_ends(root: Path) -> None:
    news = follow(find_workspace(root), OPTIONS)
    next(news)
    shutil.rmtree(root)
    with pytest.raises(BirthmarkError, match="the folder is gone"):
        list(news)


# As a process


@contextmanager
def running(root: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "birthmark", "-C", str(root), "watch", *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def children(pid: int) -> set[int]:
    return {int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()}


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_for(condition: Callable[[], object], seconds: float = 30.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.001)


def line(process: subprocess.Popen[str]) -> dict[str, object]:
    assert process.stdout is not None
    document = json.loads(process.stdout.readline())
    assert isinstance(document, dict)
    return document


@needs_proc
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_cleanly(root: Path, number: signal.Signals) -> None:
    with running(root, "--json") as process:
        assert line(process)["files"] == 3
        plant(root, {"new.py": "def new(): ...\n"})
        document = line(process)
        assert list(document) == ["at", "files", "changes", "seconds", "problems"]
        assert (document["files"], document["problems"]) == (1, [])
        wait_for(lambda: not children(process.pid))
        with writing(find_workspace(root), 0):
            pass  # The index is not locked while nothing happens.
        process.send_signal(number)
        _, talk = process.communicate(timeout=30)
    assert process.returncode == 0
    assert talk.endswith("birthmark: stopped\n")


@needs_proc
@pytest.mark.parametrize(("number", "n_workers"), [(signal.SIGTERM, 1), (signal.SIGTERM, 3), (signal.SIGKILL, 3)])
def test_no_worker_is_left_behind(root: Path, number: signal.Signals, n_workers: int) -> None:
    """Also while they are being started, where Python drops what a signal raises."""
    body = "".join(f"def f{line}(x):\n    return x + {line}\n" for line in range(500))
    plant(root, {f"large/{number}.py": f"N = {number}\n{body}" for number in range(20)})
    with running(root, "--jobs", "3") as process:
        wait_for(lambda: len(children(process.pid)) >= n_workers)
        workers = children(process.pid)
        process.send_signal(number)
        process.communicate(timeout=30)
        assert process.returncode == (-number if number == signal.SIGKILL else 0)
        wait_for(lambda: not any(map(is_alive, workers)))
    with writing(find_workspace(root), 0) as store:  # Nothing is broken either.
        index_worktree(store, find_workspace(root))


def test_a_removed_root_is_bad_input(root: Path) -> None:
    with running(root, "--json") as process:
        line(process)
        shutil.rmtree(root)
        _, talk = process.communicate(timeout=30)
    assert process.returncode == 2
    assert talk.endswith("the folder is gone, there is nothing left to watch\n")


def test_people_read_a_line_an_update(root: Path) -> None:
    with running(root) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == f"birthmark: watching {root}; stop with Ctrl-C\n"
        assert re.fullmatch(r"\d\d:\d\d:\d\d  3 files: \d+ born \([\d,]+ ms\)\n", process.stderr.readline())
        plant(root, {"a.py": "def one():\n    return 2\n"})
        assert "1 file: 1 modified (" in process.stderr.readline()
