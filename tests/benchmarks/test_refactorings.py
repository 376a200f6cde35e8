"""Known refactorings: the truth about them is right, scores say what is wrong, and Birthmark finds most of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from refactoring.birthmark_links import find_links
from refactoring.cases import SAME, Case, Fate, Project, make_cases
from refactoring.dialects import BY_NAME
from refactoring.interchange import read_cases, read_links, write_cases
from refactoring.scoring import NOISE, Link, key_of, score_case
from refactoring.sources import read_tree
from refactoring.table import REFACTORINGS
from refactoring.trees import Place
from small_projects import PROJECTS, write_project

ROWS = {row.name: row for row in REFACTORINGS}


def project_of(language: str) -> Project:
    return Project(BY_NAME[language], "small", write_project(language))


def cases_of(language: str, *names: str) -> list[Case]:
    project = project_of(language)
    rows = [row for row in REFACTORINGS if row.needs(project.dialect) and (not names or row.name in names)]
    return [case for row in rows for case in make_cases(project, row, 1, seed=1)]


@pytest.mark.parametrize("language", PROJECTS)
def test_a_source_is_read_as_it_is(language: str) -> None:
    sources = write_project(language)
    tree = read_tree(BY_NAME[language], sources)
    assert tree.texts() == sources
    for place in tree.places().values():
        assert place.name in sources[place.path].splitlines()[place.line - 1]


@pytest.mark.parametrize("language", PROJECTS)
def test_most_of_what_was_refactored_is_found(language: str) -> None:
    """The edits of one seed; the whole benchmark runs on real projects."""
    cases = cases_of(language)
    scores = [score_case(case, find_links(case.old, case.new, case.language))[0] for case in cases]
    tallies = [tally for score in scores for (_, name), tally in score.items() if name != NOISE]
    n_right, n_said, n_true = (sum(column) for column in list(zip(*tallies, strict=True))[:3])
    assert len(cases) > 5
    assert n_right >= 0.9 * n_said
    assert n_right >= 0.9 * n_true


def test_the_truth_names_what_is_there() -> None:
    for case in cases_of("java"):
        for fate in case.fates:
            for place, texts in ((fate.old, case.old), (fate.new, case.new)):
                assert place is None or place.name in texts[place.path].splitlines()[place.line - 1]


def test_what_an_inlined_function_was_is_in_its_caller() -> None:
    (case,) = cases_of("python", "inline")
    derived = [fate.old for fate in case.fates if fate.relation == "inlined into" and fate.old and fate.new]
    assert derived
    assert not any(f"def {place.name}(" in text for place in derived for text in case.new.values())


OLD, NEW, OTHER = (Place("a.py", line, name, "function", line, line) for line, name in ((1, "f"), (5, "g"), (9, "h")))
CASE = Case("c", "python", "inline", {}, {}, [Fate(SAME, OLD, NEW, is_touched=True)])
SCORES = {
    "a link that is there": ([Link(key_of(OLD), key_of(NEW))], (1.0, 1.0), []),
    "none": ([], (None, 0.0), ["not found again"]),
    "another": ([Link(key_of(OLD), key_of(OTHER))], (0.0, 0.0), ["wrongly the same", "not found again"]),
    "a derivation": ([Link(key_of(OLD), key_of(NEW), is_same=False)], (None, 0.0), ["not found again"]),
}


@pytest.mark.parametrize(("links", "expected", "faults"), SCORES.values(), ids=SCORES.keys())
def test_scores(links: list[Link], expected: tuple[float | None, float | None], faults: list[str]) -> None:
    scores, wrong = score_case(CASE, links)
    tally = scores["python", "inline"]
    assert (tally.precision, tally.recall) == expected
    assert [fault.what for fault in wrong] == faults


def test_where_several_may_be_the_successor_each_of_them_will_do() -> None:
    fates = [Fate("moved from", OLD, place, is_touched=True, may_be_same=True) for place in (NEW, OTHER)]
    scores, wrong = score_case(CASE._replace(fates=fates), [Link(key_of(OLD), key_of(NEW))])
    assert (scores["python", "inline"].n_said, scores["python", "inline"].n_derived_right, wrong) == (0, 1, [])


def test_cases_that_were_written_are_scored_as_they_were_made(tmp_path: Path) -> None:
    cases = cases_of("go", "split type", "inline")
    assert write_cases(tmp_path, cases) == len(cases)
    lines = [
        json.dumps({"case": case.name, "old": fate.old._asdict(), "new": fate.new._asdict()})
        for case in cases
        for fate in case.fates
        if fate.relation == SAME and fate.old and fate.new
    ]
    (tmp_path / "predictions.jsonl").write_text("\n".join(lines), "utf-8")
    links = read_links(tmp_path / "predictions.jsonl")
    read = list(read_cases(tmp_path))
    assert [case.fates for case in read] == [case.fates for case in cases]
    assert [score_case(case, links[case.name])[1] for case in read] == [[] for _ in cases]
    (first, *_) = cases
    assert {path: (tmp_path / first.name / "old" / path).read_text("utf-8") for path in first.old} == first.old
