"""Mirrors hold what is on the other side, and nothing of a fetch that failed, of hooks, of credentials."""

from __future__ import annotations

import os
import re
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from birthmark.errors import BirthmarkError
from birthmark.file_lock import file_lock
from birthmark.server.fleet.mirrors import MirrorLimits, fetch_mirror, refs_of
from birthmark.sources.remotes import read_remote
from small_repositories import make_repository
from worlds import World, run_git

LOCAL = MirrorLimits(seconds=60, protocols=frozenset({"file"}))
WEB = MirrorLimits(seconds=60, protocols=frozenset({"http", "file"}))
SECRET = "hunter2%21"  # noqa: S105 -- of no account
SPELLINGS = ("hunter2", "aWQ6aHVudGVyMiE")  # plain, and as it is in a header


@pytest.fixture
def world(tmp_path: Path) -> World:
    return make_repository(tmp_path / "w", [{"a.py": "x = 1\n"}, {"a.py": "x = 2\n"}])


@pytest.fixture
def mirror(tmp_path: Path) -> Path:
    return tmp_path / "mirrors" / "w.git"


def url_of(world: World) -> str:
    return world.root.as_uri()


def refs_in(world: World) -> dict[str, str]:
    """As git lists them."""
    lines = world.git("for-each-ref", "--format=%(refname) %(objectname)", "refs/heads", "refs/tags").splitlines()
    return dict(line.split(" ") for line in lines)


def names_beside(mirror: Path) -> list[str]:
    return sorted(path.name for path in mirror.parent.iterdir())


# What a mirror is


def test_a_mirror_has_branches_tags_and_the_default_branch(world: World, mirror: Path) -> None:
    world.git("checkout", "-q", "-b", "trunk")
    world.git("tag", "-a", "v1", "-m", "one")
    refs = fetch_mirror(url_of(world), mirror, LOCAL)
    assert refs == refs_in(world) == refs_of(mirror) == refs_in(World(mirror))
    assert World(mirror).git("symbolic-ref", "HEAD") == "refs/heads/trunk"
    assert World(mirror).git("fsck", "--strict") == ""


def test_a_second_fetch_brings_what_is_new_and_removes_what_is_gone(world: World, mirror: Path) -> None:
    world.git("branch", "gone")
    fetch_mirror(url_of(world), mirror, LOCAL)
    packs = {path.name for path in (mirror / "objects/pack").iterdir()}
    world.write("b.py", "y = 1\n")
    world.commit()
    world.git("branch", "-D", "gone")
    assert fetch_mirror(url_of(world), mirror, LOCAL) == refs_in(world)
    new = [path for path in (mirror / "objects/pack").glob("*.pack") if path.name not in packs]
    assert [run_git(mirror, "verify-pack", "-s", str(path)) for path in new] == ["non delta: 3 objects"]
    assert fetch_mirror(url_of(world), mirror, LOCAL) == refs_in(world)


def test_what_was_rewritten_is_followed(world: World, mirror: Path) -> None:
    fetch_mirror(url_of(world), mirror, LOCAL)
    world.git("reset", "-q", "--hard", "HEAD~1")
    world.write("a.py", "x = 3\n")
    world.commit()
    assert fetch_mirror(url_of(world), mirror, LOCAL) == refs_in(world)


def test_an_empty_repository_has_no_refs(tmp_path: Path, mirror: Path) -> None:
    world = World(tmp_path / "empty", with_git=True)
    assert fetch_mirror(url_of(world), mirror, LOCAL) == {}
    world.write("a.py", "x = 1\n")
    world.commit()
    assert fetch_mirror(url_of(world), mirror, LOCAL) == refs_in(world)


def test_borrowed_objects_are_copied(world: World, tmp_path: Path, mirror: Path) -> None:
    run_git(tmp_path, "clone", "-q", "--shared", "w", "borrower")
    fetch_mirror((tmp_path / "borrower").as_uri(), mirror, LOCAL)
    shutil.rmtree(world.root)
    assert not (mirror / "objects/info/alternates").exists()
    assert World(mirror).git("cat-file", "-p", "HEAD:a.py") == "x = 2"


# What is refused


@pytest.mark.parametrize(
    "url",
    [
        "",
        "-uhttps://host/x",
        "--upload-pack=touch /tmp/x",
        "ext::sh -c id",
        "ext::id",
        "fd::7",
        "https://-oProxyCommand=id/x",
        "ssh://-oProxyCommand=id/x",
        "-oProxyCommand=id:x",
        "ssh://-l@host/x",
        "https://host/a b",
        "https://host/a\nb",
        "https://host:port/a",
        "https:///nohost",
        "https://host/a?token=1",
        "file:///tmp/x",
        "http://host/x",
        "git://host/x",
        "ftp://host/x",
        "/srv/x",
        "../x",
        "C:\\x",
    ],
)
def test_only_plain_urls_of_allowed_protocols(mirror: Path, url: str) -> None:
    with pytest.raises(BirthmarkError, match=r"address of a repository|not allowed for fetching") as caught:
        fetch_mirror(url, mirror)
    assert "\n" not in str(caught.value)
    assert not mirror.parent.exists()


@pytest.mark.parametrize(
    ("url", "shown", "protocol"),
    [
        ("https://host/o/n.git", "https://host/o/n.git", "https"),
        ("https://id:hunter2%21@host:8443/o/n", "https://host:8443/o/n", "https"),
        ("https://hunter2@host/o/n", "https://host/o/n", "https"),
        ("https://[::1]:80/n", "https://[::1]:80/n", "https"),
        ("ssh://git@host:22/o/n", "ssh://git@host:22/o/n", "ssh"),
        ("ssh://git:hunter2@host/o/n", "ssh://git@host/o/n", "ssh"),
        ("git@host:o/n.git", "git@host:o/n.git", "ssh"),
    ],
)
def test_what_is_shown_of_a_url(url: str, shown: str, protocol: str) -> None:
    remote = read_remote(url, {"https", "ssh"})
    assert (remote.url, remote.protocol) == (shown, protocol)
    assert not any(secret in remote.conceal(f"cannot reach {url}") for secret in SPELLINGS)


def test_nothing_of_the_other_side_is_run(
    world: World, mirror: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither hooks, nor settings, nor what is in the environment of this process."""
    trap = f"#!/bin/sh\ntouch {tmp_path}/sprung\n"
    for folder in (world.root / ".git/hooks", mirror / "hooks"):
        for name in ("post-checkout", "reference-transaction", "post-update", "pre-auto-gc", "post-upload-pack"):
            folder.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(trap)
            (folder / name).chmod(0o755)
    shutil.rmtree(mirror)
    script = tmp_path / "trap"
    script.write_text(trap)
    script.chmod(0o755)
    world.git("config", "uploadpack.packObjectsHook", str(script))
    world.git("config", "core.fsmonitor", str(script))
    for name in ("GIT_SSH", "GIT_SSH_COMMAND", "GIT_ASKPASS", "GIT_EXTERNAL_DIFF", "GIT_PROXY_COMMAND"):
        monkeypatch.setenv(name, str(script))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "nowhere"))
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", f"url.ext::{script}.insteadOf")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "file:")
    fetch_mirror(url_of(world), mirror, LOCAL)
    for name in ("GIT_DIR", "GIT_CONFIG_COUNT"):
        monkeypatch.delenv(name)
    assert refs_of(mirror) == refs_in(world)
    assert not (tmp_path / "sprung").exists()
    assert sorted(path.name for path in mirror.iterdir()) == ["HEAD", "config", "objects", "packed-refs", "refs"]


def test_submodules_are_not_fetched(world: World, mirror: Path) -> None:
    world.write(".gitmodules", '[submodule "s"]\n\tpath = s\n\turl = ext::false\n')
    world.git("update-index", "--add", "--cacheinfo", f"160000,{world.git('rev-parse', 'HEAD')},s")
    world.git("add", ".gitmodules")
    world.git("commit", "-q", "-m", "m")
    assert fetch_mirror(url_of(world), mirror, LOCAL) == refs_in(world)
    assert not (mirror / "modules").exists()


# What fails leaves everything as it was


def broken(world: World) -> None:
    """A commit without a committer."""
    tree = world.git("rev-parse", "HEAD^{tree}")
    (world.root / "commit").write_text(f"tree {tree}\nauthor A <a@b> 1 +0000\n\nm\n")
    commit = world.git("hash-object", "-t", "commit", "-w", "--literally", "commit")
    (world.root / ".git/refs/heads/broken").write_text(f"{commit}\n")


def huge(world: World) -> None:
    (world.root / "big").write_bytes(os.urandom(1 << 20))
    world.commit()


def incomplete(world: World) -> None:
    world.write("c.py", "z = 1\n")
    world.commit()
    blob = world.git("rev-parse", "HEAD:c.py")
    (world.root / ".git/objects" / blob[:2] / blob[2:]).unlink()


@pytest.mark.parametrize(
    ("harm", "limits", "reason"),
    [
        (broken, LOCAL, "missingCommitter"),
        (huge, LOCAL._replace(max_bytes=1 << 19), "is larger than 524,288 bytes"),
        (incomplete, LOCAL, "was not fetched"),
        (lambda world: shutil.rmtree(world.root), LOCAL, "was not fetched"),
        (lambda world: None, LOCAL._replace(seconds=0.0), "took more than 0 seconds"),
    ],
    ids=["broken", "huge", "incomplete", "gone", "slow"],
)
def test_a_fetch_that_fails_changes_nothing(
    world: World, mirror: Path, harm: Callable[[World], object], limits: MirrorLimits, reason: str
) -> None:
    before = fetch_mirror(url_of(world), mirror, LOCAL)
    files = sorted(path for path in mirror.rglob("*") if path.is_file())
    harm(world)
    with pytest.raises(BirthmarkError, match=reason):
        fetch_mirror(url_of(world), mirror, limits)
    assert (refs_of(mirror), sorted(path for path in mirror.rglob("*") if path.is_file())) == (before, files)
    assert names_beside(mirror) == [".w.git.lock", "w.git"]


def test_a_first_fetch_that_fails_leaves_no_mirror(world: World, mirror: Path) -> None:
    broken(world)
    with pytest.raises(BirthmarkError, match="was not fetched"):
        fetch_mirror(url_of(world), mirror, LOCAL)
    assert names_beside(mirror) == [".w.git.lock"]


def test_what_a_killed_run_has_left_is_removed(world: World, mirror: Path) -> None:
    (mirror.parent / ".w.git.incoming-abc/objects").mkdir(parents=True)
    fetch_mirror(url_of(world), mirror, LOCAL)
    assert names_beside(mirror) == [".w.git.lock", "w.git"]


def test_a_folder_that_is_no_mirror_is_left_alone(world: World, mirror: Path) -> None:
    mirror.mkdir(parents=True)
    (mirror / "mine").write_text("x")
    with pytest.raises(BirthmarkError, match="is no mirror"):
        fetch_mirror(url_of(world), mirror, LOCAL)
    assert [path.name for path in mirror.iterdir()] == ["mine"]


def test_one_fetch_of_a_mirror_at_a_time(world: World, mirror: Path) -> None:
    mirror.parent.mkdir()
    with file_lock(mirror.parent / ".w.git.lock", 0, "x"), pytest.raises(BirthmarkError, match="is being written by"):
        fetch_mirror(url_of(world), mirror, LOCAL)
    waiting = LOCAL._replace(wait=60)
    results: list[dict[str, str]] = []
    threads = [
        threading.Thread(target=lambda: results.append(fetch_mirror(url_of(world), mirror, waiting))) for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [refs_in(world)] * 3


# Servers


@contextmanager
def server(answer: Callable[[BaseHTTPRequestHandler], None]) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answer(self)

        def log_message(self, format: str, *values: object) -> None:  # noqa: A002 -- its name is given
            pass

    web = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    web.daemon_threads = True
    threading.Thread(target=web.serve_forever, daemon=True).start()
    try:
        yield f"127.0.0.1:{web.server_port}"
    finally:
        web.shutdown()
        web.server_close()


def processes_with(text: str) -> list[str]:
    """Command lines on this machine."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
        except OSError:
            continue
        found += [line] if text in line else []
    return found


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="command lines are read from /proc")
def test_a_server_that_hangs_is_given_up_and_nothing_is_left_running(mirror: Path) -> None:
    ended = threading.Event()
    seen: list[str] = []

    def hang(handler: BaseHTTPRequestHandler) -> None:
        seen.extend(processes_with(handler.headers["Host"]))
        ended.wait(30)

    with server(hang) as host:
        started = time.monotonic()
        with pytest.raises(BirthmarkError, match="took more than 1 seconds"):
            fetch_mirror(f"http://id:{SECRET}@{host}/w.git", mirror, WEB._replace(seconds=1))
        assert time.monotonic() - started < 20
        ended.set()
        assert processes_with(host) == []
    assert seen, "git was running"
    assert not any(secret in line for line in seen for secret in SPELLINGS)
    assert names_beside(mirror) == [".w.git.lock"]


def test_credentials_are_sent_and_appear_nowhere(mirror: Path) -> None:
    sent: list[str | None] = []
    files: list[bytes] = []

    def refuse(handler: BaseHTTPRequestHandler) -> None:
        sent.append(handler.headers["Authorization"])
        files.extend(path.read_bytes() for path in mirror.parent.rglob("*") if path.is_file())
        handler.send_error(401, "no id:hunter2! here")

    with server(refuse) as host, pytest.raises(BirthmarkError) as caught:
        fetch_mirror(f"http://id:{SECRET}@{host}/w.git", mirror, WEB)
    assert sent[0] == "Basic aWQ6aHVudGVyMiE="
    files += [path.read_bytes() for path in mirror.parent.rglob("*") if path.is_file()]
    for text in (str(caught.value), b"\n".join(files).decode("utf-8", "replace")):
        assert not any(secret in text for secret in SPELLINGS), text


@pytest.mark.parametrize("target", ["file://{root}", "ext::sh -c id", "https://127.0.0.1:1/w", "git://127.0.0.1/w"])
def test_redirects_do_not_lead_to_other_protocols(world: World, mirror: Path, target: str) -> None:
    def redirect(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(302)
        handler.send_header("Location", target.format(root=world.root) + "/info/refs?service=git-upload-pack")
        handler.end_headers()

    with server(redirect) as host, pytest.raises(BirthmarkError, match="was not fetched"):
        fetch_mirror(f"http://{host}/w.git", mirror, WEB)
    assert names_beside(mirror) == [".w.git.lock"]


def test_credentials_do_not_follow_a_redirect(mirror: Path) -> None:
    reached: list[str] = []
    with server(lambda handler: reached.append(handler.path)) as other:

        def redirect(handler: BaseHTTPRequestHandler) -> None:
            handler.send_response(302)
            handler.send_header("Location", f"http://{other}{handler.path}")
            handler.end_headers()

        with server(redirect) as host, pytest.raises(BirthmarkError, match="was not fetched"):
            fetch_mirror(f"http://id:{SECRET}@{host}/w.git", mirror, WEB)
    assert reached == []


def test_an_endless_answer_is_cut_off(mirror: Path) -> None:
    def pour(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "application/x-git-upload-pack-advertisement")
        handler.end_headers()
        handler.wfile.write(b"001e# service=git-upload-pack\n0000")
        try:
            while True:
                line = b"a" * 40 + b" refs/heads/" + os.urandom(8).hex().encode() + b"\n"
                handler.wfile.write(b"%04x" % (len(line) + 4) + line)
        except OSError:
            return

    with server(pour) as host, pytest.raises(BirthmarkError, match=r"took more than|is larger than"):
        fetch_mirror(f"http://{host}/w.git", mirror, WEB._replace(seconds=2))
    assert names_beside(mirror) == [".w.git.lock"]


def test_messages_are_one_line(world: World, mirror: Path) -> None:
    shutil.rmtree(world.root / ".git")
    with pytest.raises(BirthmarkError) as caught:
        fetch_mirror(url_of(world), mirror, LOCAL)
    assert re.fullmatch(r"file://\S+: was not fetched: [^\n]+", str(caught.value))
