"""What pairing costs, beside its limits.

    python benchmarks/pairing.py [CLONES] [--cache FOLDER]

Two snapshots of made-up functions are paired: nearly all unchanged; all renamed, moved and edited; ten thousand of one
name. With CLONES, a folder of `owner+name` repositories, so are the commits of LARGE, which moved, reformatted or
edited thousands of files, and the last ordinary commits of each. Printed are the milliseconds of processor time, the
limit, and how many were paired. Extraction is not part of it; `--cache` keeps what was extracted.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from random import Random

from kept_results import opened

from birthmark.app.workspace.repository import OpenRepository
from birthmark.comparison.pair_commit import pair_commit
from birthmark.extraction.model import OutlinedFile
from birthmark.matching.model import MatchCandidate, Pairing
from birthmark.matching.pair import pair_entities
from birthmark.matching.similarity import Tokens

Snapshot = tuple[list[MatchCandidate], Tokens]

WORDS = [f"word{i}".encode() for i in range(3000)]

# Commits of thousands of files, by repository, with what they did.
LARGE = (
    ("apache+flink", "fc6b5168684ca298d8b025c839d9a4e48e470790", "a package renamed"),
    ("apache+flink", "24eb47ac86299920aa137d5b6394a248ff58d19e", "packages renamed"),
    ("spring-projects+spring-framework", "9d74da006c950c464b13247bc5649d6cacff3060", "every test edited"),
    ("hibernate+hibernate-orm", "8c806d361d63764e8523006944dde52aff70532c", "messages edited"),
    ("hibernate+hibernate-orm", "a797998927e2cbba9ec34ca7dc31b42a192fa2f1", "moved to other modules"),
)
LARGE_SECONDS = 2.0  # for each ten thousand entities
N_ORDINARY = 200  # commits of a repository
ORDINARY_SECONDS = 0.02  # the median


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones", type=Path, nargs="?")
    parser.add_argument("--cache", type=Path, help="a folder of results that runs share")
    options = parser.parse_args()
    print(f"{'entities':72} {'measured':>12} {'limit':>9} {'paired':>9}")
    for label, limit, make in SCENES:
        (old, old_tokens), (new, new_tokens) = make()
        best, pairing = measure(lambda: pair_entities(old, new, tokens=(old_tokens, new_tokens)))  # noqa: B023, run at once
        print_line(label, best, limit, len(pairing.pairs))
    if options.clones is not None:
        measure_large(options.clones, options.cache)
        measure_ordinary(options.clones, options.cache)


def measure_large(clones: Path, cache: Path | None) -> None:
    for folder, commit, label in LARGE:
        with opened(clones / folder, cache) as repository:
            seconds, n_entities, n_pairs = measure_commit(repository, commit)
        limit = LARGE_SECONDS * n_entities / 1e4
        print_line(f"{n_entities:,}, {label}: {folder} {commit[:8]}", seconds, limit, n_pairs)


def measure_ordinary(clones: Path, cache: Path | None) -> None:
    for folder in dict.fromkeys(folder for folder, _, _ in LARGE):
        with opened(clones / folder, cache) as repository:
            measured = [measure_commit(repository, commit) for commit in ordinary_commits(repository)]
        of_code = [one for one in measured if one[1]]
        seconds, n_entities = (statistics.median(column) for column in list(zip(*of_code, strict=True))[:2])
        label = f"{n_entities:.0f}, the median of {len(of_code)} ordinary commits: {folder}"
        print_line(label, seconds, ORDINARY_SECONDS, sum(n_pairs for _, _, n_pairs in of_code))


def print_line(label: str, seconds: float, limit: float, n_pairs: int) -> None:
    print(f"{label:72} {seconds * 1e3:9.1f} ms {limit * 1e3:6.0f} ms {n_pairs:9}", flush=True)


def ordinary_commits(repository: OpenRepository) -> list[str]:
    """The last ones of one parent."""
    return repository.git.run("rev-list", "--no-merges", f"-n{N_ORDINARY}", "HEAD").decode().split()


def measure_commit(repository: OpenRepository, commit: str) -> tuple[float, int, int]:
    """Seconds, entities and pairs; what is read of the repository is read before."""
    parent = repository.parents(commit)[0]
    changed = repository.changed(parent, commit)
    old = outlined(repository, [(file.path, file.old_blob) for file in changed if file.old_blob])
    new = outlined(repository, [(file.path, file.new_blob) for file in changed if file.new_blob])
    start = time.process_time()
    pairing = pair_commit(old, new, repository.family_of)
    seconds = time.process_time() - start
    return (
        seconds,
        max(sum(len(file.outline.entities) for file in side) for side in (old, new)),
        len(pairing.predecessors),
    )


def outlined(repository: OpenRepository, files: Sequence[tuple[str, str]]) -> list[OutlinedFile]:
    outlines = repository.outlines([(blob, path) for path, blob in files])
    return [
        OutlinedFile(path, outline, partial(bytes, repository.content(blob)))
        for (path, blob), outline in zip(files, outlines, strict=True)
        if outline is not None
    ]


def measure(operation: Callable[[], Pairing]) -> tuple[float, Pairing]:
    best, start_all = float("inf"), time.process_time()
    while True:
        start = time.process_time()
        pairing = operation()
        best = min(best, time.process_time() - start)
        if time.process_time() - start_all > 1:
            return best, pairing


def unchanged(n: int = 1000) -> tuple[Snapshot, Snapshot]:
    """Shifted by a line; every hundredth is edited and every two hundredth is renamed."""
    bodies = make_bodies(n)
    edited = [[*body, b"more"] if i % 100 == 0 else body for i, body in enumerate(bodies)]
    names = [f"f{i}" if i % 200 else f"g{i}" for i in range(n)]
    return snapshot(bodies, [f"f{i}" for i in range(n)], 0), snapshot(edited, names, 1)


def all_moved(n: int = 10_000) -> tuple[Snapshot, Snapshot]:
    """Nothing has its name, its file or its text."""
    bodies = make_bodies(n)
    edited = [[*body[: len(body) * 3 // 4], b"more", b"words"] for body in bodies]
    new = snapshot(edited, [f"g{i}" for i in range(n)], 0, "new")
    return snapshot(bodies, [f"f{i}" for i in range(n)], 0), new


def unlike(n: int = 10_000) -> tuple[Snapshot, Snapshot]:
    """Nothing has anything to do with anything, but for the language."""
    new = snapshot(make_bodies(n, seed=2), [f"g{i}" for i in range(n)], 0)
    return snapshot(make_bodies(n), [f"f{i}" for i in range(n)], 0), new


def namesakes(n: int = 10_000) -> tuple[Snapshot, Snapshot]:
    """All of one name in one file, and every one edited."""
    bodies = make_bodies(n)
    return snapshot(bodies, ["_"] * n, 0, "", n), snapshot([[*body, b"x"] for body in bodies], ["_"] * n, 3, "", n)


def make_bodies(n: int, seed: int = 1) -> list[list[bytes]]:
    random = Random(seed)  # noqa: S311, no secret
    return [random.choices(WORDS, k=random.randint(20, 60)) for _ in range(n)]


def snapshot(
    bodies: Sequence[Sequence[bytes]], names: Sequence[str], shift: int, folder: str = "", per_file: int = 50
) -> Snapshot:
    subjects = [
        MatchCandidate(
            str(i),
            f"{folder}{i // per_file}.py",
            "fn",
            name,
            None,
            i % per_file * 10 + shift,
            i % per_file * 10 + 8 + shift,
            f"{name} {hash(tuple(body))}",
            body=f"{hash(tuple(body))}",
            weight=len(body) * 6,
        )
        for i, (name, body) in enumerate(zip(names, bodies, strict=True))
    ]
    return subjects, lambda subject: bodies[int(subject.id)]


SCENES: list[tuple[str, float, Callable[[], tuple[Snapshot, Snapshot]]]] = [
    ("1,000, nearly all unchanged", 0.010, unchanged),
    ("10,000, all renamed, moved and edited", 5.0, all_moved),
    ("10,000 that are gone, 10,000 that are new", 5.0, unlike),
    ("10,000 of one name, all edited", 5.0, namesakes),
]


if __name__ == "__main__":
    main()
