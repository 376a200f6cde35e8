"""Add the server to the configuration of one of the known clients; all other entries stay.

A file that cannot be parsed, or in which more than the entry would change, is not written. A file in the repository is
shared by all its users, so it names the program and no folder of one machine. A user's own file names both, and the
server after the repository, since there may be several.
"""

from __future__ import annotations

import json
import math
import os
import re
import shutil
import stat
import sys
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from birthmark.app.workspace.file_writing import replace_file
from birthmark.errors import BirthmarkError

_MOST_BYTES = 1 << 24
_PRIVATE = {".git", ".birthmark"}
_INDENT = re.compile(r"^([ \t]+)\S", re.M)


class InstallPlan(NamedTuple):
    """The file, its text now, what is entered, and the text with that."""

    path: Path
    before: str | None
    entered: str
    after: str

    @property
    def is_done(self) -> bool:
        return self.before == self.after

    def write(self) -> None:
        path = self.path.resolve()  # A link stays one.
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BirthmarkError(f"{path.parent}: {error.strerror}; nothing was written") from error
        replace_file(path, self.after.encode())


_SERVERS = "mcpServers"
_OPENED = "${workspaceFolder}"  # the folder that an editor has open


class InstallPlace(NamedTuple):
    """The repository, and whose machine it is on."""

    root: Path
    home: Path
    platform: str
    environment: Mapping[str, str]

    @classmethod
    def here(cls, root: Path) -> InstallPlace:
        return cls(root, Path.home(), sys.platform, os.environ)

    @property
    def settings(self) -> Path:
        """The folder for settings of programs."""
        if self.platform == "win32":
            return Path(self.environment.get("APPDATA") or self.home / "AppData" / "Roaming")
        if self.platform == "darwin":
            return self.home / "Library" / "Application Support"
        return Path(self.environment.get("XDG_CONFIG_HOME") or self.home / ".config")


class AgentClient(NamedTuple):
    """A client: the path of its file, the key of the table of servers in it, and what is in an entry besides."""

    title: str
    path: Callable[[InstallPlace], Path]
    table: str = _SERVERS
    is_shared: bool = True  # in the repository
    folder: str = ""  # how the repository is written there
    fields: Mapping[str, Any] = {}

    def name(self, place: InstallPlace) -> str:
        return "birthmark" if self.is_shared else f"birthmark-{place.root.name}"

    def entry(self, place: InstallPlace, options: tuple[str, ...] = ()) -> dict[str, Any]:
        program = ["birthmark"] if self.is_shared else _find_program()
        folder = self.folder if self.is_shared else str(place.root)
        arguments = [*program[1:], *(["-C", folder] if folder else []), "mcp", *options]
        return {**self.fields, "command": program[0], "args": arguments}


_STDIO = {"type": "stdio"}

CLIENTS = {
    "claude-code": AgentClient("Claude Code", lambda place: place.root / ".mcp.json", fields=_STDIO),
    "claude-desktop": AgentClient(
        "Claude Desktop", lambda place: place.settings / "Claude" / "claude_desktop_config.json", is_shared=False
    ),
    "codex": AgentClient("Codex", lambda place: place.root / ".codex" / "config.toml", "mcp_servers"),
    "cursor": AgentClient("Cursor", lambda place: place.root / ".cursor" / "mcp.json", folder=_OPENED),
    "gemini": AgentClient("Gemini CLI", lambda place: place.root / ".gemini" / "settings.json"),
    "vscode": AgentClient(
        "VS Code", lambda place: place.root / ".vscode" / "mcp.json", "servers", folder=_OPENED, fields=_STDIO
    ),
    "windsurf": AgentClient(
        "Windsurf", lambda place: place.home / ".codeium" / "windsurf" / "mcp_config.json", is_shared=False
    ),
    "zed": AgentClient(
        "Zed",
        lambda place: (
            (place.settings / "Zed" if place.platform == "win32" else place.home / ".config" / "zed") / "settings.json"
        ),
        "context_servers",
        is_shared=False,
    ),
}


def plan_install(client: AgentClient, place: InstallPlace, options: tuple[str, ...] = ()) -> InstallPlan:
    path = client.path(place)
    if client.is_shared:
        _check_links(path, place.root)
    before = _read(path)
    enter = _enter_toml if path.suffix == ".toml" else _enter_json
    entered, after = enter(path, before or "", client.table, client.name(place), client.entry(place, options))
    return InstallPlan(path, before, entered, after)


def _check_links(path: Path, root: Path) -> None:
    """Refuse links by which a repository would have a file of its user changed, or one of git."""
    target, folder = Path(os.path.realpath(path)), Path(os.path.realpath(root))
    if not target.is_relative_to(folder) or _PRIVATE & set(target.relative_to(folder).parts):
        raise BirthmarkError(f"{path}: leads out of the repository, or to git's files; it was left as it is")


def _read(path: Path) -> str | None:
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode) or status.st_size > _MOST_BYTES:
            raise BirthmarkError(f"{path}: is no file, or too large; it was left as it is")
        return path.read_bytes().decode()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise BirthmarkError(f"{path}: cannot be read ({error}); it was left as it is") from error


def _enter_json(path: Path, before: str, table: str, name: str, entry: dict[str, Any]) -> tuple[str, str]:
    settings = _read_json(path, before) if before.strip() else {}
    servers = settings.get(table, {}) if isinstance(settings, dict) else None
    if not isinstance(settings, dict) or not isinstance(servers, dict):
        raise BirthmarkError(f"{path}: `{table}` is no table; it was left as it is, correct it first")
    entered = _write_json({table: {name: entry}}, "  ")
    if servers.get(name) == entry:
        return entered, before
    found = _INDENT.search(before)
    return entered, _write_json(settings | {table: servers | {name: entry}}, found[1] if found else "  ")


def _read_json(path: Path, text: str) -> Any:
    """Comments are refused, and keys that are there twice: they would be lost."""
    try:
        return json.loads(text, object_pairs_hook=_once_each, parse_constant=_refuse, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        reason = str(error).splitlines()[0]
        raise BirthmarkError(f"{path}: is no plain JSON ({reason}); it was left as it is, enter it by hand") from error


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        raise ValueError("a key is there twice")
    return values


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no number")


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(f"{text} is too large a number")
    return number


def _write_json(settings: object, indent: str) -> str:
    text = json.dumps(settings, ensure_ascii=False, indent=indent) + "\n"
    if any("\ud800" <= character <= "\udfff" for character in text):  # Half a character can only be written escaped.
        return json.dumps(settings, indent=indent) + "\n"
    return text


def _enter_toml(path: Path, before: str, table: str, name: str, entry: dict[str, Any]) -> tuple[str, str]:
    """At the end, so that all else, comments too, stays as it is."""
    settings = _read_toml(path, before)
    servers = settings.get(table, {})
    entered = f"[{table}.{name}]\n" + "".join(f"{key} = {_toml_value(value)}\n" for key, value in entry.items())
    present = servers.get(name) if isinstance(servers, dict) else None
    if present == entry:
        return entered, before
    if present is not None:
        raise BirthmarkError(f"{path}: has another entry [{table}.{name}]; it was left as it is, remove that first")
    separator = "" if not before else "\n" if before.endswith("\n") else "\n\n"
    after = before + separator + entered
    _read_toml(path, after)
    return entered, after


def _read_toml(path: Path, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BirthmarkError(f"{path}: no entry can be added ({error}); it was left as it is, correct it") from error


def _toml_value(value: object) -> str:
    """A text, or a list of them: JSON writes those as TOML does, but for a character that TOML has to have escaped."""
    return json.dumps(value).replace("\x7f", "\\u007F")


def _find_program() -> list[str]:
    """By its whole path: programs with windows do not know the PATH of a shell."""
    found = shutil.which("birthmark")
    if found is not None and os.path.isabs(found):
        return [found]
    return [sys.executable, "-P", "-m", "birthmark"]
