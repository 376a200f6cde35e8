"""What the `birthmark.toml` of a repository may set by itself, and what only when its user trusts it."""

from __future__ import annotations

from pathlib import Path

import pytest

from birthmark.errors import BirthmarkError
from birthmark.sources import config
from birthmark.sources.config import REPOSITORY_RULES, UserSettings, load_settings, load_user_settings
from birthmark.sources.trust import TRUST, digest_of
from running import birthmark, document
from worlds import World

HOOK = '[webhooks.chat]\nurl = "https://hooks.test/x"\nsecret_env = "BIRTHMARK_HOOK"\nallow_private = true\n'
MAIL = '[mail.team]\nhost = "mail.test"\nsender = "a@b.c"\nto = ["d@e.f"]\n'
FORBIDDEN = {
    "webhooks.chat": HOOK,
    "mail.team": MAIL,
    "mcp.allow_notes": "[mcp]\nallow_notes = true\n",
    "limits.max_bytes": "[limits]\nmax_bytes = 99999999\n",
    "limits.seconds": "[limits]\nseconds = 3600\n",
    "limits.memory_mb": "[limits]\nmemory_mb = 99999\n",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository whose user has no settings yet."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "user"))
    monkeypatch.setattr(config, "MACHINE_FILE", tmp_path / "machine.toml")
    root = tmp_path / "repository"
    (root / ".git").mkdir(parents=True)
    return root


def write(folder: Path, text: str) -> None:
    (folder / "birthmark.toml").write_text(text)


def write_own(folder: Path, text: str) -> None:
    own = folder.parent / "user" / "birthmark" / "settings.toml"
    own.parent.mkdir(parents=True, exist_ok=True)
    own.write_text(text)


@pytest.mark.parametrize("name", FORBIDDEN)
def test_a_repository_may_not_set_it_unless_it_is_trusted(
    folder: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(folder, FORBIDDEN[name])
    table, _, field = name.partition(".")
    refused = load_settings(folder)
    assert refused.refused == (name,)
    assert getattr(refused, table) == getattr(UserSettings(), table)
    monkeypatch.setenv(TRUST, digest_of(FORBIDDEN[name]))
    trusted = load_settings(folder)
    assert trusted.refused == ()
    assert getattr(trusted, table) != getattr(UserSettings(), table), field


def test_lower_limits_and_harmless_tables_are_the_repository_s_own(folder: Path) -> None:
    write(folder, "[limits]\nmax_bytes = 5\n[index]\nrefresh = false\n[chunks]\nlongest = 100\n")
    found = load_settings(folder)
    assert (found.limits.max_bytes, found.index.refresh, found.chunks.longest, found.refused) == (5, False, 100, ())


def test_the_user_s_settings_hold_for_all_repositories(folder: Path) -> None:
    write_own(folder, HOOK + "[limits]\nmax_bytes = 2000000\n")
    assert load_settings(folder).webhooks["chat"].url == "https://hooks.test/x"
    write(folder, HOOK.replace("hooks.test", "evil.test") + "[limits]\nmax_bytes = 1500000\n")
    found = load_settings(folder)
    assert found.webhooks["chat"].url == "https://hooks.test/x"
    assert (found.limits.max_bytes, found.refused) == (1_500_000, ())


def test_the_user_s_settings_count_more_than_the_machine_s(folder: Path) -> None:
    config.MACHINE_FILE.write_text("[limits]\nmax_bytes = 1000\nseconds = 5.0\n")
    write_own(folder, "[limits]\nmax_bytes = 2000\n")
    assert (load_user_settings().limits.max_bytes, load_user_settings().limits.seconds) == (2000, 5.0)


def test_no_repository_names_a_store(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = '[store]\nurl = "postgresql://evil.test/x"\n'
    write(folder, text)
    monkeypatch.setenv(TRUST, "any")
    assert not hasattr(load_settings(folder), "store")


def test_every_table_has_a_rule() -> None:
    assert {*UserSettings.__struct_fields__} - {"refused"} == REPOSITORY_RULES.keys()


def test_a_changed_file_asks_again(folder: Path) -> None:
    write(folder, HOOK)
    assert document("trust", cwd=folder)["trusted"] is False
    assert birthmark("trust", "--yes", cwd=folder).returncode == 0
    assert load_settings(folder).refused == ()
    write(folder, HOOK.replace("hooks.test", "evil.test"))
    assert load_settings(folder).refused == ("webhooks.chat",)
    write(folder, HOOK)
    assert birthmark("trust", "--remove", cwd=folder).returncode == 0
    assert load_settings(folder).refused == ("webhooks.chat",)


def test_ci_passes_the_digest(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TRUST, "")  # which the option sets for the process
    write(folder, HOOK)
    digest = document("trust", cwd=folder)["digest"]
    assert document("trust", "--trust", digest, cwd=folder)["trusted"] is True
    assert document("trust", "--trust", digest[::-1], cwd=folder)["trusted"] is False
    refused = birthmark("trust", "--trust", "yes", cwd=folder)
    assert (refused.returncode, "is no digest of a file" in refused.stderr) == (2, True)


def test_what_is_refused_is_named(folder: Path) -> None:
    world = World(folder.parent / "world", {"a.py": "def f(): ...\n", "birthmark.toml": FORBIDDEN["limits.seconds"]})
    world.index()
    assert "limits.seconds is not for a repository to set" in birthmark("status", cwd=world.root).stdout


def test_without_a_file_there_is_nothing_to_trust(folder: Path) -> None:
    with pytest.raises(BirthmarkError, match="nothing to trust"):
        config.trust_request(folder)
