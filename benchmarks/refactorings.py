"""Known refactorings of real code in fourteen languages: how many definitions are found again, and how many rightly.

    python benchmarks/refactorings.py LANGUAGE=FOLDER ... [--refactoring NAME ...] [--cases N] [--seed N] [--worst N]
    python benchmarks/refactorings.py LANGUAGE=FOLDER ... --write OUT
    python benchmarks/refactorings.py --score OUT PREDICTIONS.jsonl

FOLDER holds sources of a LANGUAGE. The edits know nothing of how definitions are paired; what became of each is known
by construction. `--write` gives the cases to any other tool: OUT/CASE/old, OUT/CASE/new and OUT/truth.jsonl; `--score`
reads what it says of them. docs/explanation/refactorings.md has the formats and the results.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from refactoring.birthmark_links import find_links
from refactoring.cases import Case, make_cases, read_project
from refactoring.dialects import BY_NAME
from refactoring.interchange import read_cases, read_links, write_cases
from refactoring.report import print_scores
from refactoring.scoring import Scores, Wrong, add_scores, score_case
from refactoring.table import REFACTORINGS


def main() -> None:
    options = read_options()
    if options.score:
        folder, predictions = map(Path, options.score)
        links = read_links(predictions)
        scored = [score_case(case, links.get(case.name, [])) for case in read_cases(folder)]
    elif options.write:
        n_cases = write_cases(options.write, cases_of(options))
        sys.exit(0 if n_cases else f"{options.write}: no case could be made")
    else:
        scored = [score_case(case, find_links(case.old, case.new, case.language)) for case in cases_of(options)]
    report(scored, options.worst)


def cases_of(options: argparse.Namespace) -> Iterator[Case]:
    for named in options.projects:
        language, _, folder = named.partition("=")
        project = read_project(BY_NAME[language], Path(folder))
        for row in REFACTORINGS:
            if row.needs(project.dialect) and (not options.refactoring or row.name in options.refactoring):
                yield from make_cases(project, row, options.cases, options.seed)


def report(scored: list[tuple[Scores, list[Wrong]]], n_worst: int) -> None:
    print_scores(add_scores(scores for scores, _ in scored), len(scored))
    for wrong in [wrong for _, faults in scored for wrong in faults][:n_worst]:
        print(f"{wrong.case}: {wrong.what}: {place(wrong.old)} -> {place(wrong.new)}")


def place(key: tuple[str, int, str] | None) -> str:
    return "nothing" if key is None else f"{key[0]}:{key[1]}::{key[2]}"


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("projects", nargs="*", metavar="LANGUAGE=FOLDER")
    parser.add_argument("--refactoring", action="append", help="by its name in the table; all if none is given")
    parser.add_argument("--cases", type=int, default=5, help="of each refactoring and project")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--worst", type=int, default=0, metavar="N", help="list so many links that are wrong or missing"
    )
    parser.add_argument(
        "--write", type=Path, metavar="OUT", help="write the cases instead of scoring Birthmark on them"
    )
    parser.add_argument(
        "--score", nargs=2, metavar=("OUT", "PREDICTIONS"), help="score what a tool says of written cases"
    )
    return parser.parse_args()


if __name__ == "__main__":
    main()
