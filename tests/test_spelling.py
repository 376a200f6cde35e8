"""What may have been meant by a name that does not exist."""

from __future__ import annotations

import time

import pytest

from birthmark.words import did_you_mean, nearest


@pytest.mark.parametrize(
    ("word", "names", "expected"),
    [
        ("histroy", ["history", "status"], ["history"]),
        ("URL_FOR", ["url_for", "x"], ["url_for"]),
        ("url_fro", ["Flask.url_for", "url_for"], ["url_for", "Flask.url_for"]),
        ("run", ["App.run", "Server.run", "Thing.run", "Other.run"], ["App.run", "Other.run", "Thing.run"]),
        ("src/ap.py", ["src/app.py", "tests/test_app.py"], ["src/app.py"]),
        ("completely", ["different"], []),
        ("", ["a"], []),
    ],
)
def test_nearest(word: str, names: list[str], expected: list[str]) -> None:
    assert nearest(word, names) == expected


@pytest.mark.parametrize("number", [60, 1300])
def test_long_words_take_no_time(number: int) -> None:
    begun = time.process_time()
    nearest("../" * number + "a", ["../" * 1300 + str(i) for i in range(100)])
    assert time.process_time() - begun < 2


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["beta"], "; did you mean beta?"),
        (["beta", "beat"], "; did you mean beta or beat?"),
        (["beta", "beat", "bet"], "; did you mean beta, bet or beat?"),
        (["xyz"], ""),
    ],
)
def test_did_you_mean(names: list[str], expected: str) -> None:
    assert did_you_mean("beta", names) == expected
