"""Cases and predictions as files, so that any tool can be run on the same cases.

OUT/CASE/old and OUT/CASE/new hold the two states; OUT/truth.jsonl has a line for each fate of a definition. A line of
predictions is `{"case", "old": {"path", "line", "name"}, "new": {…}, "relation"}`; without a relation it is "same".
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from refactoring.cases import SAME, Case, Fate
from refactoring.scoring import Link
from refactoring.trees import Place

TRUTH = "truth.jsonl"


def write_cases(out: Path, cases: Iterable[Case]) -> int:
    out.mkdir(parents=True, exist_ok=True)
    n_cases = 0
    with (out / TRUTH).open("w", encoding="utf-8") as truth:
        for case in cases:
            n_cases += 1
            for state, texts in (("old", case.old), ("new", case.new)):
                _write_state(out / case.name / state, texts)
            truth.writelines(json.dumps(_row(case, fate)) + "\n" for fate in case.fates)
    return n_cases


def _write_state(folder: Path, texts: dict[str, str]) -> None:
    for path, text in texts.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")


def _row(case: Case, fate: Fate) -> dict[str, Any]:
    return {
        "case": case.name,
        "language": case.language,
        "refactoring": case.refactoring,
        "relation": fate.relation,
        "touched": fate.is_touched,
        "may_be_same": fate.may_be_same,
        "old": fate.old and fate.old._asdict(),
        "new": fate.new and fate.new._asdict(),
    }


def read_cases(out: Path) -> Iterator[Case]:
    """With their truth, and without their texts, which scoring does not need."""
    cases: dict[str, Case] = {}
    for line in (out / TRUTH).read_text("utf-8").splitlines():
        row = json.loads(line)
        case = cases.setdefault(row["case"], Case(row["case"], row["language"], row["refactoring"], {}, {}, []))
        old, new = (Place(**row[side]) if row[side] else None for side in ("old", "new"))
        case.fates.append(Fate(row["relation"], old, new, row["touched"], row["may_be_same"]))
    yield from cases.values()


def read_links(predictions: Path) -> dict[str, list[Link]]:
    links: defaultdict[str, list[Link]] = defaultdict(list)
    for line in predictions.read_text("utf-8").splitlines():
        row = json.loads(line)
        if row.get("old") and row.get("new"):
            old, new = ((row[side]["path"], row[side]["line"], row[side]["name"]) for side in ("old", "new"))
            links[row["case"]].append(Link(old, new, row.get("relation", SAME) == SAME))
    return dict(links)
