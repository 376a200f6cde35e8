"""A partial clone fetches what it lacks only if the user allows it, together, and runs nothing that it configures."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from birthmark.app.histories.histories import find_subject, read_history
from birthmark.app.workspace.repository import open_repository
from birthmark.errors import BirthmarkError
from birthmark.sources.git.fetching import FETCH, Promisor, fetch_objects
from birthmark.sources.git.repository import GitRepository
from running import birthmark
from small_repositories import make_repository
from worlds import World, run_git

N_FILES = 100  # more than one request of `cat-file` holds
TEXTS = [f"def f(a):\n    total = sum(a)\n    return total * {n}\n" for n in range(4)]


@pytest.fixture
def origin(tmp_path: Path) -> World:
    """Four commits that change one function; the first has many other files, too."""
    many = {f"more/{n}.py": f"x = {n}\n" for n in range(N_FILES)}
    origin = make_repository(tmp_path / "origin", [{"a.py": TEXTS[0], **many}, *({"a.py": text} for text in TEXTS[1:])])
    for name in ("allowFilter", "allowAnySHA1InWant"):
        origin.git("config", f"uploadpack.{name}", "true")
    return origin


def partial_clone(origin: World, objects: str) -> Path:
    clone = origin.root.parent / "partial"
    run_git(clone.parent, "clone", "-q", f"--filter={objects}", f"file://{origin.root}", str(clone))
    return clone


def packs(clone: Path) -> set[str]:
    return {path.name for path in (clone / ".git/objects/pack").iterdir() if path.suffix == ".pack"}


def story(root: Path) -> list[tuple[str, ...]]:
    with open_repository(root) as past:
        return [tuple(event.step.changes) for event in read_history(past, find_subject(past, "a.py::f")).events]


@pytest.mark.parametrize("objects", ["blob:none", "tree:0"])
def test_a_history_is_that_of_a_full_clone(origin: World, objects: str, monkeypatch: pytest.MonkeyPatch) -> None:
    clone = partial_clone(origin, objects)
    before = packs(clone)
    with pytest.raises(BirthmarkError, match="--fetch"):
        story(clone)
    assert packs(clone) == before
    monkeypatch.setenv(FETCH, "1")
    assert story(clone) == story(origin.root)
    assert len(packs(clone) - before) <= (1 if objects == "blob:none" else 2)


@pytest.mark.parametrize("objects", ["blob:none", "tree:0"])
def test_the_option_lets_a_command_fetch(origin: World, objects: str) -> None:
    clone = partial_clone(origin, objects)
    for command in (["diff", "HEAD~2", "HEAD"], ["blame", "a.py"], ["index", "--from-history"]):
        told = birthmark("--fetch", *command, cwd=clone)
        assert (told.returncode, told.stderr) == (0, ""), command
    for command in (["diff", "HEAD~2", "HEAD"], ["resolve", "f", "--json"]):
        assert birthmark(*command, cwd=clone).returncode == 0


def test_a_replay_that_cannot_read_says_what_helps(origin: World) -> None:
    told = birthmark("index", "--from-history", cwd=partial_clone(origin, "blob:none"))
    assert told.returncode == 2
    assert "its history cannot be replayed; add `--fetch`" in told.stderr


def test_many_contents_are_fetched_with_one_request(origin: World, monkeypatch: pytest.MonkeyPatch) -> None:
    clone = partial_clone(origin, "blob:none")
    before = packs(clone)
    monkeypatch.setenv(FETCH, "1")
    with GitRepository(clone) as git:
        blobs = [entry.blob for entry in git.tree("HEAD~3").values()]
        assert len(list(git.read_many(blobs))) == len(blobs) > N_FILES
    assert len(packs(clone) - before) == 1


def test_a_remote_that_is_gone_is_told_of_once(origin: World, monkeypatch: pytest.MonkeyPatch) -> None:
    clone = partial_clone(origin, "blob:none")
    shutil.rmtree(origin.root)
    monkeypatch.setenv(FETCH, "1")
    problems: list[str] = []
    with GitRepository(clone, problems.append) as git:
        blobs = [entry.blob for entry in git.tree("HEAD~3").values()]
        assert git.sizes(blobs) == git.sizes(blobs) == {}
    (problem,) = problems
    assert problem.startswith(f"cannot fetch {N_FILES + 1} objects from file://{origin.root}: ")


def test_nothing_that_a_partial_clone_configures_is_run(
    origin: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone, witness, script = partial_clone(origin, "tree:0"), tmp_path / "witness", tmp_path / "script"
    script.write_text(f"#!/bin/sh\ntouch '{witness}'\nexit 1\n")
    script.chmod(0o755)
    url = f"file://{origin.root}"
    run_git(clone, "config", f"url.ext::{script}.insteadOf", url)
    run_git(clone, "config", "protocol.allow", "always")
    for key in (
        "core.sshCommand", "core.gitProxy", "core.askPass", "core.fsmonitor", "core.alternateRefsCommand",
        "credential.helper", "remote.origin.uploadpack", "remote.origin.vcs", "uploadpack.packObjectsHook",
        "gpg.program", "maintenance.auto", "http.proxy", "fetch.output",
    ):  # fmt: skip
        run_git(clone, "config", key, str(script))
    (clone / ".git/hooks").mkdir(exist_ok=True)
    for hook in ("reference-transaction", "post-checkout", "post-merge", "pre-auto-gc"):
        shutil.copy(script, clone / ".git/hooks" / hook)
    monkeypatch.setenv(FETCH, "1")
    assert story(clone) == story(origin.root)
    assert not witness.exists()


@pytest.mark.parametrize(
    ("url", "is_allowed"),
    [
        ("https://host.invalid/a.git", True),
        ("ssh://git@host.invalid/a.git", True),
        ("git://host.invalid/a.git", True),
        ("git@host.invalid:a/b.git", True),
        ("file:///nowhere/a b.git", True),
        ("/nowhere/a.git", True),
        ("http://host.invalid/a.git", False),
        ("ext::sh -c touch% /tmp/x", False),
        ("fd::17", False),
        ("-oProxyCommand=x:a", False),
        ("--upload-pack=x", False),
        ("../a.git", False),
        ("https://host.invalid/a\ncredential", False),
        ("transport::https://host.invalid/a", False),
    ],
)
def test_a_url_is_of_a_known_kind(origin: World, url: str, is_allowed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_SSH_COMMAND", "false")
    with GitRepository(origin.root) as git, pytest.raises(BirthmarkError, match="cannot fetch 1 object") as raised:
        fetch_objects(git._git_dir, Promisor(url, "blob:none"), ["1" * 40])
    assert ("of another kind" in str(raised.value)) is not is_allowed


def test_a_password_is_not_printed(origin: World) -> None:
    promisor = Promisor("https://me:secret@host.invalid/a.git", "blob:none")
    with GitRepository(origin.root) as git, pytest.raises(BirthmarkError) as raised:
        fetch_objects(git._git_dir, promisor, ["1" * 40])
    assert "secret" not in str(raised.value)


def test_objects_that_may_lead_elsewhere_are_not_written_to(
    origin: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone = partial_clone(origin, "blob:none")
    pack, other = clone / ".git/objects/pack", tmp_path / "elsewhere"
    pack.rename(other)
    pack.symlink_to(other)
    before = sorted(other.iterdir())
    monkeypatch.setenv(FETCH, "1")
    assert story(clone) == story(origin.root)
    assert sorted(other.iterdir()) == before
