"""The order of tests by each kind of evidence, and by all of them."""

from __future__ import annotations

import pytest

from birthmark.graph.network import Node
from birthmark.queries.reach import ReachStep
from birthmark.queries.test_ranking import Passage, SuiteWords, nearness_of, score_tests
from birthmark.vocabulary import ReachWord

TESTS = [
    Passage("tests/get_or_create/tests.py", "CreateTests.test_it", "objects.make(first)"),
    Passage("tests/test_user_error_handler.py", "test_default", "raise Forbidden"),
    Passage("tests/test_files.py", "test_copies_files", "copy_all(source, 4)"),
    Passage("src/test/FileUtilsTest.java", "FileUtilsTest.testTouch", "touch(file)"),
]


@pytest.mark.parametrize(
    ("path", "name", "best"),
    [
        ("db/query.py", "QuerySet.get_or_create", 0),  # by the folder
        ("app.py", "App.handle_user_exception", 1),  # by two of three words, one of them with another ending
        ("shop/io.py", "copy_file", 2),
        ("src/main/FileUtils.java", "FileUtils.touch", 3),
    ],
)
def test_names(path: str, name: str, best: int) -> None:
    found = SuiteWords(TESTS).by_name(path, name)
    assert max(range(len(TESTS)), key=found.__getitem__) == best


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("shop/files.py", [0, 0, 1, 0.5]),
        ("src/main/FileUtils.java", [0, 0, 0.5, 1]),
        ("get_or_create/__init__.py", [1, 0, 0, 0]),
        ("other.py", [0, 0, 0, 0]),
    ],
)
def test_files(path: str, expected: list[float]) -> None:
    assert SuiteWords(TESTS).by_file(path) == expected


def test_code_is_compared_by_its_words() -> None:
    found = SuiteWords(TESTS).by_code("def copy_all(source): return source")
    assert found == [0, 0, 1, 0]


def step(user: Node, used: Node, word: ReachWord = ReachWord.CALLS) -> ReachStep:
    return ReachStep(user, used, word, None, "", 1)


def test_what_many_use_passes_on_less() -> None:
    common = [step(f"test_{number}", "common") for number in range(9)]
    steps: dict[Node, list[ReachStep]] = {
        "changed": [step("common", "changed"), step("rare", "changed"), step("test_direct", "changed")],
        "common": common,
        "rare": [step("test_rare", "rare")],
    }
    found = nearness_of(["changed"], steps, lambda node: str(node).startswith("test_"))
    assert found["changed"] == 1
    assert found["test_direct"] > found["test_rare"] > found["test_1"] == found["test_2"]


def test_a_mere_import_passes_on_less_than_a_call() -> None:
    steps: dict[Node, list[ReachStep]] = {
        "changed": [step("test_a", "changed", ReachWord.IMPORTS), step("test_b", "changed")]
    }
    found = nearness_of(["changed"], steps, lambda node: node != "changed")
    assert found["test_b"] > found["test_a"]


def test_scores_are_between_none_and_one() -> None:
    tests: dict[Node, Passage] = dict(enumerate(TESTS))
    found = score_tests([Passage("shop/files.py", "copy_all", "copy_all(source)")], tests, {0: 1.0, 2: 0.9, 3: 0.1})
    assert found[0] == 1
    assert 1 > found[2] > found[3] > found[1] >= 0
    assert score_tests([], {}, {}) == {}


def test_every_step_passes_something_on() -> None:
    for word in ReachWord:
        assert 0 < nearness_of([1], {1: [step(2, 1, word)]}, lambda _: False)[2] < 1
