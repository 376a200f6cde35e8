"""Fetch the objects that a partial clone lacks from the remote that promised them, if the user allows it.

Takes a private git folder and ids of objects. Of the repository's settings only the URL of that remote, its filter and
headers with credentials are used, and the URL must be of https, ssh, git or a file: nothing that a repository names is
run. Credentials and transport are those of the user's own settings and environment. Objects go where git would put
them, into the clone; if it cannot be written to, into the private folder.
"""

from __future__ import annotations

import os
import re
import stat
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import NamedTuple

from birthmark.errors import BirthmarkError
from birthmark.sources.git.gitdir import GitDir, make_environment
from birthmark.words import count

FETCH = "BIRTHMARK_FETCH"
_REMOTE = "birthmark-promisor"  # a name for which the user has no settings
_SETTINGS = r"^(remote\..*\.(url|promisor|partialclonefilter)|extensions\.partialclone|http\..*extraheader)$"
_URL = re.compile(r"(?:(?:https|ssh|git|file)://|/|(?:[\w.-]+@)?\w[\w.-]*:(?!:|//))[^\x00-\x1f\x7f]+")
_USER = re.compile(r"(?<=://)[^/@]*@")
_CREDENTIALS = re.compile(r"authorization:", re.I)
_PROTOCOLS = "https:ssh:git:file"
# Variables of the user by which git finds credentials and connects.
_TRANSPORT = re.compile(r"GIT_(?:ASKPASS|SSH(?:_COMMAND|_VARIANT)?|SSL_\w+|PROXY_\w+|HTTP_\w+)")
_ISOLATION = ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM")  # set by `make_environment`
_OPTIONS = (
    "--quiet", "--no-tags", "--no-write-fetch-head", "--no-write-commit-graph", "--no-auto-maintenance",
    "--recurse-submodules=no", "--filter=blob:none", "--stdin",
)  # fmt: skip


class Promisor(NamedTuple):
    """The remote that promised what a partial clone lacks."""

    url: str
    filter: str
    headers: tuple[tuple[str, str], ...] = ()

    @property
    def has_trees(self) -> bool:
        """Return True if the clone has all folders of its commits, so that it lacks only contents."""
        return self.filter.startswith("blob:")

    @property
    def name(self) -> str:
        """The URL without user and password."""
        return _USER.sub("", self.url)


def may_fetch() -> bool:
    return os.environ.get(FETCH, "0") not in ("", "0")


def find_promisor(git_dir: GitDir) -> Promisor | None:
    """Return the promisor remote of a clone; None if the clone is not partial."""
    config = os.fsdecode(git_dir.folders.common + b"/config")
    if not os.path.isfile(config):
        return None
    options = ("--no-includes", "-z", "--get-regexp", _SETTINGS)
    output = git_dir.run("config", f"--file={config}", *options, failures=(1,)).decode("utf-8", "surrogateescape")
    settings = [record.partition("\n")[::2] for record in output.split("\0")[:-1]]
    found = dict(settings)
    marked = (key.split(".", 1)[1].rpartition(".")[0] for key, value in settings if _is_mark(key, value))
    name = found.get("extensions.partialclone") or next(marked, None)
    if name is None or f"remote.{name}.url" not in found:
        return None
    headers = tuple((key, value) for key, value in settings if key.startswith("http.") and _CREDENTIALS.match(value))
    return Promisor(found[f"remote.{name}.url"], found.get(f"remote.{name}.partialclonefilter", ""), headers)


def _is_mark(key: str, value: str) -> bool:
    return key.endswith(".promisor") and value.lower() in ("true", "yes", "on", "1", "")


def fetch_objects(git_dir: GitDir, promisor: Promisor, ids: Iterable[str]) -> None:
    """Fetch objects with one request; folders come with all that is below them, but for contents."""
    wanted = list(ids)
    what = f"{count(len(wanted), 'object')} from {promisor.name}"
    if not _URL.fullmatch(promisor.url):
        raise BirthmarkError(f"cannot fetch {what}: the URL is of another kind than https, ssh, git and file")
    done = subprocess.run(
        [git_dir.program, f"--git-dir={git_dir.path}", "fetch", *_OPTIONS, _REMOTE],
        input="".join(f"{id_}\n" for id_ in wanted).encode(),
        capture_output=True,
        cwd=git_dir.path,
        env=_environment(git_dir, promisor),
    )
    if done.returncode:
        lines = done.stderr.decode("utf-8", "replace").split("\n")
        reason = next((line for line in lines if line.strip()), "no reason given")
        raise BirthmarkError(f"cannot fetch {what}: {_USER.sub('', reason)}")


def _environment(git_dir: GitDir, promisor: Promisor) -> dict[str, str]:
    own = {name: value for name, value in os.environ.items() if _TRANSPORT.fullmatch(name)}
    chosen = {name: os.environ[name] for name in _ISOLATION if name in os.environ}
    safe = {name: value for name, value in make_environment().items() if name not in _ISOLATION}
    objects = _writable_objects(git_dir)
    return {
        **safe,
        **own,
        **chosen,
        **dict(_config_variables(promisor)),
        "GIT_ALLOW_PROTOCOL": _PROTOCOLS,
        **({"GIT_OBJECT_DIRECTORY": objects} if objects else {}),
    }


def _config_variables(promisor: Promisor) -> Iterator[tuple[str, str]]:
    settings = [
        (f"remote.{_REMOTE}.url", promisor.url),
        (f"remote.{_REMOTE}.promisor", "true"),
        (f"remote.{_REMOTE}.partialclonefilter", "blob:none"),
        ("fetch.negotiationAlgorithm", "noop"),
        *promisor.headers,
    ]
    yield "GIT_CONFIG_COUNT", str(len(settings))
    for at, (key, value) in enumerate(settings):
        yield f"GIT_CONFIG_KEY_{at}", key
        yield f"GIT_CONFIG_VALUE_{at}", value


def _writable_objects(git_dir: GitDir) -> str | None:
    """Return the clone's folder of objects; None if it cannot be written to, or may lead elsewhere."""
    objects = os.fsdecode(git_dir.folders.common + b"/objects")
    pack = os.path.join(objects, "pack")
    with suppress(OSError):
        if all(stat.S_ISDIR(os.lstat(folder).st_mode) and os.access(folder, os.W_OK) for folder in (objects, pack)):
            return objects
    return None
