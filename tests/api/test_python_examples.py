"""The examples in docstrings and in the how-to are real: each is run on a small repository."""

from __future__ import annotations

import doctest
import re
from pathlib import Path
from types import ModuleType

import pytest

from birthmark.api import embedding_plan, methods, repository, subscriptions
from example_shop import make_shop

PAGE = Path(__file__).parents[2] / "docs/how-to/use-from-python.md"


@pytest.fixture(autouse=True)
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_shop(tmp_path / "shop")
    monkeypatch.chdir(tmp_path / "shop")


def run(test: doctest.DocTest) -> None:
    failures: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=failures.append)
    assert test.examples
    assert "".join(failures) == ""


def examples_of(module: ModuleType) -> list[doctest.DocTest]:
    return [test for test in doctest.DocTestFinder().find(module) if test.examples]


@pytest.mark.parametrize(
    "test",
    [test for module in (repository, methods, subscriptions, embedding_plan) for test in examples_of(module)],
    ids=lambda test: test.name,
)
def test_an_example_of_a_docstring(test: doctest.DocTest) -> None:
    run(test)


def test_the_how_to_is_real() -> None:
    """Its blocks are one session."""
    blocks = re.findall(r"^```(?:python|pycon)\n(.*?)^```", PAGE.read_text("utf-8"), re.S | re.M)
    run(doctest.DocTestParser().get_doctest("\n".join(blocks), {}, PAGE.name, str(PAGE), 0))
