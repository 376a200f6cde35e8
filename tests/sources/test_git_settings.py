"""git's `user.name`: the repository's own, else the user's; nothing in the settings is obeyed."""

from __future__ import annotations

from pathlib import Path

import pytest

from birthmark.sources.git.git_files import read_user_name
from birthmark.sources.git.repository import GitRepository
from worlds import World


def name_in(root: Path) -> str | None:
    with GitRepository(root) as git:
        return read_user_name(git, root)


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    monkeypatch.delenv("GIT_CONFIG_GLOBAL", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return World(tmp_path / "root", with_git=True)


def write_settings(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")


def test_the_repositorys_own_name_goes_first(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    home = world.root.parent / "home"
    assert name_in(world.root) is None
    write_settings(home / ".config/git/config", "[user]\n\tname = Config\n")
    assert name_in(world.root) == "Config"
    write_settings(home / ".gitconfig", '[user]\n\tname = " Ada \\"A\\"\\nLovelace "\n')
    assert name_in(world.root) == 'Ada "A" Lovelace'
    world.git("config", "user.name", "Own")
    assert name_in(world.root) == "Own"
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    world.git("config", "--unset", "user.name")
    assert name_in(world.root) is None


def test_what_settings_include_is_not_read(world: World) -> None:
    write_settings(world.root.parent / "other", "[user]\n\tname = Included\n")
    world.git("config", "include.path", str(world.root.parent / "other"))
    assert name_in(world.root) is None


def test_settings_that_cannot_be_read_have_no_name(world: World) -> None:
    write_settings(world.root.parent / "home/.gitconfig", "[user\nname =\n")
    assert name_in(world.root) is None
