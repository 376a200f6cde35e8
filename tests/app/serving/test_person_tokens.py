"""Tokens of persons: made, found, expired and removed, in both stores; nothing stored opens anything."""

from __future__ import annotations

from pathlib import Path

import pytest
from both_stores import STORE_PARAMETERS

from birthmark.app.serving.user_tokens import OWNER, find_token, list_tokens
from birthmark.app.workspace.stores import common_documents
from birthmark.app.workspace.workspace import REPOSITORY, STORE, Workspace, find_workspace
from birthmark.errors import BirthmarkError, NotFoundError
from birthmark.server.commands.token_commands import add_token, remove_token
from birthmark.store.model import DocumentTable
from birthmark.subscriptions.model import timestamp
from birthmark.surfaces.http.access.persons import rights_of


@pytest.fixture(params=STORE_PARAMETERS)
def workspace(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    if request.param == "postgres":
        from postgres_server import fresh_database  # starts a server

        monkeypatch.setenv(STORE, fresh_database())
    return find_workspace(tmp_path)


def test_a_token_is_found_by_what_was_shown_once(workspace: Workspace) -> None:
    assert list_tokens(workspace) == []
    secret = add_token(workspace, "anna", writes=False, repositories=["b", "a", "b"])
    other = add_token(workspace, "ben", writes=True)
    tokens = list_tokens(workspace)
    found = find_token(tokens, secret.encode())
    assert found is not None
    assert (found.name, found.writes, found.repositories) == ("anna", False, ("a", "b"))
    assert [rights_of(found).sees(name) for name in ("a", "b", "c")] == [True, True, False]
    everywhere = find_token(tokens, other.encode())
    assert everywhere is not None
    assert rights_of(everywhere).sees("c")
    for wrong in (b"", secret[:-1].encode(), found.digest.encode(), other.encode() + b" "):
        assert find_token(tokens, wrong) is None


def test_nothing_that_is_stored_opens_anything(workspace: Workspace) -> None:
    secret = add_token(workspace, "anna", writes=False)
    with common_documents(workspace) as store:
        (document,) = store.documents(DocumentTable.TOKENS)
    assert secret.removeprefix("birthmark_").encode() not in document
    assert len(secret.removeprefix("birthmark_")) == 43  # 32 bytes


def test_a_removed_token_is_gone_and_another_may_be_made(workspace: Workspace) -> None:
    secret = add_token(workspace, "anna", writes=False)
    with pytest.raises(BirthmarkError, match="has a token; run `birthmark token remove anna` first"):
        add_token(workspace, "anna", writes=True)
    assert remove_token(workspace, "anna").name == "anna"
    assert find_token(list_tokens(workspace), secret.encode()) is None
    with pytest.raises(NotFoundError, match="has no token"):
        remove_token(workspace, "anna")
    assert add_token(workspace, "anna", writes=False) != secret


def test_a_token_is_good_until_it_expires(workspace: Workspace) -> None:
    secret = add_token(workspace, "anna", writes=False, expires="2d")
    (token,) = list_tokens(workspace)
    assert token.expires is not None
    assert token.expires > timestamp()
    assert (token.is_good(timestamp()), token.is_good(token.expires)) == (True, False)
    past = [token.__class__(token.name, token.digest, token.created_at, expires="2020-01-01T00:00:00Z")]
    assert find_token(past, secret.encode()) is None
    for words in ("2020-01-01", "soon"):
        with pytest.raises(BirthmarkError, match=r"past|no time"):
            add_token(workspace, "ben", writes=False, expires=words)


@pytest.mark.parametrize("name", ["", OWNER, "a b", "-x", "ä", "x" * 65, "a\n"])
def test_a_name_is_one_that_fits_into_a_line_of_a_log(workspace: Workspace, name: str) -> None:
    with pytest.raises(BirthmarkError, match="is not a valid user name"):
        add_token(workspace, name, writes=False)


@pytest.mark.postgres
def test_all_repositories_of_a_database_have_the_same_tokens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from postgres_server import fresh_database  # starts a server

    monkeypatch.setenv(STORE, fresh_database())
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    add_token(find_workspace(tmp_path / "one"), "anna", writes=False)
    monkeypatch.setenv(REPOSITORY, "another")
    assert [token.name for token in list_tokens(find_workspace(tmp_path / "two"))] == ["anna"]
