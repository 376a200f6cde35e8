"""What is a date, and when that is."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from birthmark.errors import BirthmarkError
from birthmark.sources.git.repository import GitRepository
from birthmark.sources.git.revisions import is_date, parse_date
from worlds import run_git

DAY = 86400


@pytest.mark.parametrize(
    "text",
    [
        "now",
        "yesterday",
        "2 weeks ago",
        "2.weeks.ago",
        "one month ago",
        "last friday",
        "last month",
        "3 days",
        "friday noon",
        "yesterday at 17:30",
        "3pm yesterday",
        "2024-02-29",
        "2024/2/29",
        "29.02.2024",
        "2024-02-29 12:30:01 +0100",
        "2024-02-29T12:30:01Z",
        "Jan 5 2024",
        "5 January, 2024",
        "@1700000000",
    ],
)
def test_dates(text: str) -> None:
    assert is_date(text)
    assert is_date(f" {text.upper()} ")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "garbage",
        "v9.9.9",
        "1.3.0",
        "5",
        "2024",
        "main",
        "weeks ago",
        "week",
        "ago",
        "last",
        "may-branch",
        "release-2024",
        "2024-02-30",
        "2024-13-01",
        "0000-01-01",
        "3f2a",
        "--exec",
        "now\0",
        "\N{FULLWIDTH DIGIT TWO} weeks ago",
    ],
)
def test_other_texts(text: str) -> None:
    assert not is_date(text)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GitRepository]:
    root = tmp_path_factory.mktemp("empty")
    run_git(root, "init", "-q")
    with GitRepository(root) as repository:
        yield repository


def test_dates_are_read_by_git(repository: GitRepository) -> None:
    assert parse_date(repository, "2024-02-29 12:30:00 +0100") == 1709206200
    assert parse_date(repository, "@1700000000") == 1700000000
    assert abs(parse_date(repository, "2 weeks ago") - (time.time() - 14 * DAY)) < DAY


@given(text=st.text(max_size=20))
def test_no_text_is_both_refused_and_read(repository: GitRepository, text: str) -> None:
    if is_date(text):
        assert parse_date(repository, text) >= 0
    else:
        with pytest.raises(BirthmarkError, match="is not a date as git reads them"):
            parse_date(repository, text)


def test_no_text_is_an_option(repository: GitRepository, tmp_path: Path) -> None:
    with pytest.raises(BirthmarkError, match="is not a date"):
        parse_date(repository, f"--output={tmp_path}/file")
    assert not os.listdir(tmp_path)
