"""What is added to a fleet: folders, URLs, files and listings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from birthmark.errors import BirthmarkError
from birthmark.server.fleet.additions import (
    add_repositories,
    read_listing,
    read_source,
    read_sources,
)
from birthmark.server.fleet.catalog import list_repositories
from birthmark.server.fleet.refreshing import read_credentials, with_login
from running import birthmark
from worlds import World, run_git

GITHUB = [
    {
        "full_name": "o/a",
        "clone_url": "https://github.com/o/a.git",
        "ssh_url": "git@github.com:o/a.git",
        "archived": False,
    },
    {
        "full_name": "o/b",
        "clone_url": "https://github.com/o/b.git",
        "ssh_url": "git@github.com:o/b.git",
        "archived": True,
    },
    {
        "full_name": "o/c",
        "clone_url": "https://github.com/o/c.git",
        "ssh_url": "git@github.com:o/c.git",
        "disabled": True,
    },
]
GITLAB = [
    {
        "path_with_namespace": "g/s/a",
        "http_url_to_repo": "https://gitlab.example/g/s/a.git",
        "ssh_url_to_repo": "git@gitlab.example:g/s/a.git",
    },
    {"path_with_namespace": "g/b", "http_url_to_repo": "https://gitlab.example/g/b.git", "empty_repo": True},
]


BOTH = ["https://gitlab.example/g/s/a.git", "https://github.com/o/a.git"]


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://Host.example/o/a.git", "host.example/o/a"),
        ("git@host:o/a", "host/o/a"),
        ("ssh://git@host:2222/o/a.git", "host:2222/o/a"),
    ],
)
def test_a_url_gives_the_name(url: str, name: str) -> None:
    assert read_source(url).name == name


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("https://me:secret@host/o/a", "https://host/o/a: passwords are not stored"),
        ("http://host/o/a", "http is not allowed"),
        ("file:///srv/a", "file is not allowed"),
        ("ext::sh -c id", "is not a plain URL"),
        ("--upload-pack=id:x", "is not a plain URL"),
        ("nothing-here", "no such folder, and no URL"),
    ],
)
def test_what_cannot_be_added_is_refused(source: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(BirthmarkError, match=message) as raised:
        read_source(source)
    assert "secret" not in str(raised.value)


def test_a_ref_has_its_full_name() -> None:
    assert read_source("https://host/o/a", "refs/heads/x").ref == "refs/heads/x"
    with pytest.raises(BirthmarkError, match="is not the full name of a ref"):
        read_source("https://host/o/a", "main~1")


def test_folders_are_named_by_their_origin_else_by_their_path(tmp_path: Path) -> None:
    world = World(tmp_path / "w", {"a.py": ""}, with_git=True)
    assert read_source(str(world.root)).name.endswith(f":{world.root}")
    world.git("remote", "add", "origin", "https://me:secret@host/o/w.git")
    run_git(tmp_path, "clone", "-q", "--bare", "w", "w.git")
    (tmp_path / "plain").mkdir()
    bare = read_source(str(tmp_path / "w.git"))
    assert (bare.source, bare.is_fetched) == (str(tmp_path / "w.git"), False)
    with pytest.raises(BirthmarkError, match="is no git repository"):
        read_source(str(tmp_path / "plain"))


def test_a_file_has_a_source_a_line(tmp_path: Path) -> None:
    file = tmp_path / "list"
    file.write_text("# ours\nhttps://host/o/a\n\n  git@host:o/b.git  # by ssh\nfile:///srv/c.git\n")
    assert [one.name for one in read_sources(file)] == ["host/o/a", "host/o/b", "/srv/c"]


@pytest.mark.parametrize(
    ("text", "choice", "sources"),
    [
        (json.dumps(GITHUB), {}, ["https://github.com/o/a.git"]),
        (
            json.dumps(GITHUB),
            {"with_archived": True, "by_ssh": True},
            ["git@github.com:o/a.git", "git@github.com:o/b.git"],
        ),
        (json.dumps({"total_count": 1, "items": GITHUB[:1]}), {}, ["https://github.com/o/a.git"]),
        (json.dumps(GITLAB), {}, ["https://gitlab.example/g/s/a.git"]),
        (json.dumps([GITLAB[:1], GITHUB[:1]]), {}, BOTH),
        (json.dumps(GITLAB[:1]) + json.dumps(GITHUB[:1]), {}, BOTH),
        (
            json.dumps([{"url": "https://github.com/o/a", "isArchived": False}]),
            {},
            ["https://github.com/o/a"],
        ),
        ("[]", {}, []),
    ],
)
def test_listings_of_forges(text: str, choice: dict[str, Any], sources: list[str], tmp_path: Path) -> None:
    file = tmp_path / "listing.json"
    file.write_text(text)
    assert [one.source for one in read_listing(file, **choice)] == sources


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is no JSON"),
        ("3", "is no list of repositories"),
        ('[{"name": "x"}]', "has none of clone_url, http_url_to_repo, url"),
        ('[{"clone_url": "file:///etc"}]', "file is not allowed"),
        ("[" * 100_000, "is no JSON"),
    ],
)
def test_what_is_no_listing_is_refused(text: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "listing.json"
    file.write_text(text)
    with pytest.raises(BirthmarkError, match=message):
        list(read_listing(file))


@pytest.mark.postgres
def test_a_name_is_that_of_one_source() -> None:
    from postgres_server import fresh_database  # starts a server

    url = fresh_database()
    a, b = read_source("https://host/o/a"), read_source("https://host/o/b")
    assert add_repositories(url, [a, b]).added == ["host/o/a", "host/o/b"]
    again = add_repositories(url, [a])
    assert (again.added, again.known) == ([], ["host/o/a"])
    with pytest.raises(BirthmarkError, match="host/o/b: is there already, from https://host/o/b; give another --name"):
        add_repositories(url, [a], "host/o/b")
    with pytest.raises(BirthmarkError, match="--name is for one repository"):
        add_repositories(url, [a, b], "x")
    assert len(list_repositories(url)) == 2


def test_nothing_to_add_is_bad_usage(tmp_path: Path) -> None:
    result = birthmark("--store", "postgresql://host/db", "fleet", "add", cwd=tmp_path)
    assert (result.returncode, result.stderr) == (
        2,
        "birthmark: fleet add: name a folder, a URL, --from FILE or --listing FILE\n",
    )


def test_a_fleet_without_a_store_is_refused_in_one_line(tmp_path: Path) -> None:
    result = birthmark("fleet", "status", cwd=tmp_path)
    assert result.returncode == 2
    assert result.stderr == "birthmark: a fleet is kept in PostgreSQL; name it: --store postgresql://HOST/DATABASE\n"


def test_passwords_are_put_before_the_host_they_are_for(tmp_path: Path) -> None:
    file = tmp_path / "credentials"
    file.write_text("https://me:p%40ss@host\nhttps://token@other:8443\n")
    credentials = read_credentials(file)
    assert with_login("https://host/o/a", credentials) == "https://me:p%40ss@host/o/a"
    assert with_login("https://other:8443/o/a", credentials) == "https://token@other:8443/o/a"
    for address in ("https://other/o/a", "http://host/o/a", "git@host:o/a", "https://you@host/o/a"):
        assert with_login(address, credentials) == address
    file.write_text("https://host\n")
    with pytest.raises(BirthmarkError, match="is not of the form"):
        read_credentials(file)
    with pytest.raises(BirthmarkError, match="No such file"):
        read_credentials(tmp_path / "none")
