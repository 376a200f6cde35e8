"""`birthmark mcp --install CLIENT`: what is entered, where, and that nothing else is lost."""

from __future__ import annotations

import json
import os
import tempfile
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from birthmark.surfaces.mcp.installing import CLIENTS, AgentClient, InstallPlace, plan_install
from running import Result, birthmark
from worlds import World

ROOT, HOME = "ROOT", "HOME"
# Where the file is, and under which keys the server is entered.
EXPECTED = {
    "claude-code": (ROOT, ".mcp.json", "mcpServers", "birthmark"),
    "claude-desktop": (HOME, ".config/Claude/claude_desktop_config.json", "mcpServers", "birthmark-shop"),
    "codex": (ROOT, ".codex/config.toml", "mcp_servers", "birthmark"),
    "cursor": (ROOT, ".cursor/mcp.json", "mcpServers", "birthmark"),
    "gemini": (ROOT, ".gemini/settings.json", "mcpServers", "birthmark"),
    "vscode": (ROOT, ".vscode/mcp.json", "servers", "birthmark"),
    "windsurf": (HOME, ".codeium/windsurf/mcp_config.json", "mcpServers", "birthmark-shop"),
    "zed": (HOME, ".config/zed/settings.json", "context_servers", "birthmark-shop"),
}


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    return World(tmp_path / "shop", {"a.py": "def f(): pass\n"}, with_git=True)


def file_of(world: World, client: str) -> Path:
    where, path, *_ = EXPECTED[client]
    return (world.root if where == ROOT else Path(os.environ["HOME"])) / path


def install(world: World, client: str, *options: str, stdin: bytes = b"") -> Result:
    return birthmark("mcp", "--install", client, *options, cwd=world.root, stdin=stdin)


def read(path: Path) -> Any:
    text = path.read_text("utf-8")
    return tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)


def test_every_client_is_tested() -> None:
    assert list(CLIENTS) == list(EXPECTED)


@pytest.mark.parametrize("client", EXPECTED)
def test_a_client_gets_its_entry(world: World, client: str) -> None:
    where, _, table, name = EXPECTED[client]
    result = install(world, client, "--allow-notes", "--yes")
    assert result.returncode == 0, result.stderr
    path = file_of(world, client)
    assert result.stdout.startswith(f"{path}\n")
    entry = read(path)[table][name]
    folder = {"cursor": "${workspaceFolder}", "vscode": "${workspaceFolder}"}.get(client)
    folder = folder if where == ROOT else str(world.root)
    assert entry["args"][-2:] == ["mcp", "--allow-notes"]
    assert entry["args"][-4:-2] == (["-C", folder] if folder else [])
    assert (entry["command"] == "birthmark") is (where == ROOT)
    assert where == HOME or str(world.root) not in path.read_text()
    assert entry.get("type") == ("stdio" if client in ("claude-code", "vscode") else None)

    before = path.read_bytes()
    again = install(world, client, "--allow-notes")
    assert "has this already" in again.stderr
    assert path.read_bytes() == before


@pytest.mark.parametrize("client", EXPECTED)
def test_what_is_there_stays(world: World, client: str) -> None:
    path, (_, _, table, name) = file_of(world, client), EXPECTED[client]
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".toml":
        before = '# mine\nmodel = "x"\n\n[mcp_servers.other]\ncommand = "o"\nargs = []\n'
    else:
        before = json.dumps({"theme": "ünï", "size": 1.5, table: {"other": {"command": "o"}}, "last": None}, indent=4)
    path.write_text(before, "utf-8")
    assert install(world, client, "--yes").returncode == 0
    after = read(path)
    entry = after[table].pop(name)
    assert entry["args"][-1] == "mcp"
    assert after == (tomllib.loads(before) if path.suffix == ".toml" else json.loads(before))
    assert list(after) == list(tomllib.loads(before) if path.suffix == ".toml" else json.loads(before))
    assert path.suffix != ".toml" or path.read_text().startswith(before)
    assert path.suffix == ".toml" or '\n    "theme": "ünï"' in path.read_text("utf-8")


@pytest.mark.parametrize("client", EXPECTED)
def test_without_a_confirmation_nothing_is_written(world: World, client: str) -> None:
    result = install(world, client, stdin=b"n\n")
    assert result.returncode == 0
    assert '"mcp"' in result.stdout
    assert not file_of(world, client).exists()
    assert install(world, client, stdin=b"y\n").returncode == 0
    assert file_of(world, client).exists()


BROKEN = [
    "{ // a comment\n}",
    '{"a": 1, "a": 2}',
    '{"a": NaN}',
    '{"a": 1e999}',
    "[]",
    '{"mcpServers": []}',
    "\ufeff{}",
    "{" * 100_000,
]


@pytest.mark.parametrize("text", BROKEN)
def test_a_file_that_cannot_be_read_is_left_alone(world: World, text: str) -> None:
    world.write(".mcp.json", text)
    before = (world.root / ".mcp.json").read_bytes()
    result = install(world, "claude-code", "--yes")
    assert result.returncode == 2
    assert result.stderr.count("\n") == 1
    assert ".mcp.json: " in result.stderr
    assert "left as it is" in result.stderr
    assert (world.root / ".mcp.json").read_bytes() == before


@pytest.mark.parametrize(
    "text", ["[mcp_servers", "mcp_servers = {}\n", "[mcp_servers.birthmark]\ncommand = 'mine'\n", "mcp_servers = 1\n"]
)
def test_toml_that_takes_no_entry_is_left_alone(world: World, text: str) -> None:
    world.write(".codex/config.toml", text)
    result = install(world, "codex", "--yes")
    assert (result.returncode, result.stderr.count("\n")) == (2, 1)
    assert "left as it is" in result.stderr
    assert (world.root / ".codex/config.toml").read_text() == text


def test_bytes_that_are_no_text_are_left_alone(world: World) -> None:
    (world.root / ".mcp.json").write_bytes(b"\xff\xfe")
    assert install(world, "claude-code", "--yes").returncode == 2
    assert (world.root / ".mcp.json").read_bytes() == b"\xff\xfe"


def test_half_a_character_stays(world: World) -> None:
    world.write(".mcp.json", '{"a": "\\ud800ü"}')
    assert install(world, "claude-code", "--yes").returncode == 0
    assert read(world.root / ".mcp.json")["a"] == "\ud800ü"


def test_an_unknown_client_is_refused(world: World) -> None:
    result = install(world, "abacus", "--yes")
    assert result.returncode == 2
    assert "claude-code" in result.stderr


@pytest.mark.parametrize(("client", "target"), [("claude-code", "ROOT/shared.json"), ("zed", "HOME/dotfiles.json")])
def test_a_link_stays_one(world: World, client: str, target: str) -> None:
    """In the repository, and where users keep their settings."""
    path = Path(target.replace(ROOT, str(world.root)).replace(HOME, os.environ["HOME"]))
    path.write_text("{}")
    link = file_of(world, client)
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(path)
    assert install(world, client, "--yes").returncode == 0
    assert link.is_symlink()
    assert EXPECTED[client][3] in read(path)[EXPECTED[client][2]]


@pytest.mark.parametrize(
    "link", [".mcp.json -> HOME/private.json", ".mcp.json -> ROOT/.git/x.json", ".mcp.json -> /dev/zero"]
)
def test_a_link_of_the_repository_leads_nowhere_else(world: World, link: str) -> None:
    """A stranger's repository could have its users change files of theirs."""
    name, _, target = link.replace(HOME, os.environ["HOME"]).replace(ROOT, str(world.root)).partition(" -> ")
    (world.root / name).symlink_to(target)
    result = install(world, "claude-code", "--yes")
    assert result.returncode == 2
    assert "leads out of the repository, or to git's files" in result.stderr
    assert target == "/dev/zero" or not Path(target).exists()


def test_a_folder_that_is_a_link_leads_nowhere_else(world: World) -> None:
    (world.root / ".cursor").symlink_to(os.environ["HOME"])
    assert install(world, "cursor", "--yes").returncode == 2
    assert not (Path(os.environ["HOME"]) / "mcp.json").exists()


def test_what_is_no_file_is_left_alone(world: World) -> None:
    os.mkfifo(world.root / ".mcp.json")
    assert "is no file" in install(world, "claude-code", "--yes").stderr


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(), JSON, max_size=4), st.dictionaries(st.text(min_size=1), JSON, max_size=3))
def test_no_setting_is_lost(settings: dict[str, Any], servers: dict[str, Any]) -> None:
    text = json.dumps(settings | {"mcpServers": servers})
    after = json.loads(_planned(CLIENTS["claude-code"], text))
    expected = json.loads(text)
    entry = after["mcpServers"].pop("birthmark")
    expected["mcpServers"].pop("birthmark", None)
    assert after == expected
    assert entry["command"] == "birthmark"


def _planned(client: AgentClient, text: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        place = InstallPlace(Path(folder), Path(folder), "linux", {})
        (Path(folder) / ".mcp.json").write_text(text, "utf-8")
        return plan_install(client, place).after


@pytest.mark.parametrize(
    ("platform", "path"),
    [
        ("darwin", "/h/Library/Application Support/Claude/claude_desktop_config.json"),
        ("win32", "/h/AppData/Roaming/Claude/claude_desktop_config.json"),
        ("linux", "/h/.config/Claude/claude_desktop_config.json"),
    ],
)
def test_systems_have_their_own_places(platform: str, path: str) -> None:
    place = InstallPlace(Path("/r"), Path("/h"), platform, {})
    assert CLIENTS["claude-desktop"].path(place) == Path(path)
