"""Settings that a repository brings: any bytes are settings or an error of one line, within bounded memory."""

from __future__ import annotations

import tomllib
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hostile_files import REFUSED
from hypothesis import given
from hypothesis import strategies as st

from birthmark.decoding import read_toml
from birthmark.errors import BirthmarkError
from birthmark.sources.config import Settings, load_settings, read_team_text
from birthmark.subscriptions.model import Subscription
from birthmark.subscriptions.notes import Note
from birthmark.subscriptions.team_file import TeamItems, read_team

MOST_MEMORY = 20_000_000
WORDS = ["[", "]", "{", "}", ".", "=", ",", "\n", "'", '"', "'''", '"""', "\\", "#", "a", "b", "limits", "1", " ", "\0"]
TOML = st.lists(st.sampled_from(WORDS)).map("".join)


@pytest.mark.parametrize("name", REFUSED)
def test_hostile_settings_are_an_error_of_one_line(tmp_path: Path, name: str) -> None:
    REFUSED[name](tmp_path)
    tracemalloc.start()
    try:
        with pytest.raises(BirthmarkError, match=r"birthmark\.toml: [^\n]+; [^\n]+\Z"):
            load_settings(tmp_path)
        assert tracemalloc.get_traced_memory()[1] < MOST_MEMORY
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("table", ["limits", "index", "chunks", "mcp"])
def test_an_unknown_setting_is_named(tmp_path: Path, table: str) -> None:
    (tmp_path / "birthmark.toml").write_text(f"[{table}]\nunheard = 1\n")
    with pytest.raises(BirthmarkError, match="unknown field `unheard`"):
        load_settings(tmp_path)


@pytest.mark.parametrize("name", REFUSED)
def test_so_is_a_hostile_team_file(tmp_path: Path, name: str) -> None:
    REFUSED[name](tmp_path)
    file = tmp_path / "birthmark.toml"
    with pytest.raises(BirthmarkError, match=r"birthmark\.toml: [^\n]+; [^\n]+\Z"):
        read_team(read_team_text(file), str(file), Note)


def test_a_link_inside_the_repository_is_followed(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "sub").mkdir()
    (tmp_path / "shared.toml").write_text("[limits]\nmax_bytes = 5\n")
    (tmp_path / "sub" / "birthmark.toml").symlink_to("../shared.toml")
    assert load_settings(tmp_path / "sub").limits.max_bytes == 5


@given(st.binary() | TOML.map(str.encode))
def test_any_bytes_are_settings_or_an_error(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    folder = tmp_path_factory.getbasetemp() / "any-bytes"  # Settings are those of all folders below them.
    folder.mkdir(exist_ok=True)
    (folder / "birthmark.toml").write_bytes(content)
    file = folder / "birthmark.toml"
    for read in (lambda: load_settings(folder), lambda: read_team(read_team_text(file), str(file), Subscription)):
        with suppress(BirthmarkError):
            assert isinstance(read(), Settings | TeamItems)


@given(TOML)
def test_bounded_toml_is_read_like_any(text: str) -> None:
    found = _outcome(read_toml, text)
    assert "nested more than" in str(found) or found == _outcome(tomllib.loads, text)


@pytest.mark.parametrize(
    "text",
    [
        "text = 'a" + "." * 50 + "'",
        'text = """' + "[.\n" * 50 + '"""" # ' + "." * 50,
        "text = '''" + "{" * 50 + "''''\na.b = 1",
        'text = "\\"' + "[" * 50 + '"',
        "numbers = [" + "1.5, " * 50 + "]",
        "\n".join(f"a.b{number} = 1" for number in range(50)),
    ],
)
def test_only_keys_and_values_count_as_deep(text: str) -> None:
    assert read_toml(text) == tomllib.loads(text)


def _outcome(read: Callable[[str], object], text: str) -> object:
    try:
        return read(text)
    except ValueError as error:
        return str(error)
