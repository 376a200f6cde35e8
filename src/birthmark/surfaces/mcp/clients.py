"""The programs in which agents run: where each has its configuration, and how a server is entered there.

A file in the repository is for all who have it, so it names the program and no folder of one machine. A file of a user
names both, and the server after the repository, as there may be several.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

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


def _find_program() -> list[str]:
    """By its whole path: programs with windows do not know the PATH of a shell."""
    found = shutil.which("birthmark")
    if found is not None and os.path.isabs(found):
        return [found]
    return [sys.executable, "-P", "-m", "birthmark"]


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
