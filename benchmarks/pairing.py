"""What pairing costs, beside its limits.

    python benchmarks/pairing.py

Two snapshots of made-up functions are paired: nearly all unchanged; all renamed, moved and edited; ten thousand of one
name. Printed are the milliseconds of processor time, the limit, and how many were paired.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from random import Random

from birthmark.matching.model import MatchCandidate, Pairing
from birthmark.matching.pair import pair_entities
from birthmark.matching.similarity import Tokens

Snapshot = tuple[list[MatchCandidate], Tokens]

WORDS = [f"word{i}".encode() for i in range(3000)]


def main() -> None:
    print(f"{'entities':44} {'measured':>12} {'limit':>9} {'paired':>9}")
    for label, limit, make in SCENES:
        (old, old_tokens), (new, new_tokens) = make()
        best, pairing = measure(lambda: pair_entities(old, new, 10, old_tokens, new_tokens))  # noqa: B023, run at once
        print(f"{label:44} {best * 1e3:9.1f} ms {limit * 1e3:6.0f} ms {len(pairing.pairs):9}")


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
