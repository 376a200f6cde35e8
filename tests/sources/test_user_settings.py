"""The user's own settings are read once, and again when their file has changed."""

from __future__ import annotations

import tomllib
from pathlib import Path
from unittest.mock import Mock

import pytest

from birthmark.errors import BirthmarkError
from birthmark.sources.config import UserSettings, load_user_settings


def test_the_file_is_read_when_it_has_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reading = Mock(wraps=tomllib.loads)
    monkeypatch.setattr(tomllib, "loads", reading)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert load_user_settings() == UserSettings()
    file = tmp_path / "birthmark/settings.toml"
    file.parent.mkdir()
    for name in ("one", "another"):
        file.write_text(f'[store]\nurl = "postgresql://{name}/code"\n')
        assert {load_user_settings().store.url for _ in range(3)} == {f"postgresql://{name}/code"}
    assert reading.call_count == 2
    file.write_text("[store]\ncolor = 1\n")
    for _ in range(2):
        with pytest.raises(BirthmarkError, match=r"settings\.toml"):
            load_user_settings()
    file.unlink()
    assert load_user_settings() == UserSettings()
    file.mkdir()
    assert load_user_settings() == UserSettings()
