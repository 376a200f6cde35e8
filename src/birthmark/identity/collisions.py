"""Make semantic ids unique: the one resolver for all nodes.

Takes all candidates of a file together: when nodes share a base id, all of them are promoted, in whatever order they
were found.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import NamedTuple

from birthmark.identity.semantic_ids import content_hash, promote


class ResolvedIds(NamedTuple):
    """Final ids in the order of the candidates, and how often they collided."""

    ids: list[str]
    n_colliding: int  # nodes whose base id was shared
    n_widened: int  # nodes whose hash had to be longer
    n_counted: int  # nodes that differ by a counter only


def resolve_ids(bases: Sequence[str], digest_of: Callable[[int], str | None]) -> ResolvedIds:
    """`digest_of` computes the digest of a candidate's content; it is called only for candidates that collide."""
    ids = list(bases)
    n_colliding = n_widened = n_counted = 0
    for base, members in _find_groups(bases).items():
        digests = [digest_of(index) for index in members]
        hashes = {digest: content_hash(digest) for digest in digests}
        if len(set(hashes.values())) < len(hashes):
            hashes = {digest: content_hash(digest, 8) for digest in hashes}
            n_widened += len(members)
        n_colliding += len(members)
        n_counted += _promote(ids, base, members, [hashes[digest] for digest in digests])
    return ResolvedIds(ids, n_colliding, n_widened, n_counted)


def _find_groups(bases: Sequence[str]) -> dict[str, list[int]]:
    """The base ids that several candidates share; most are unique."""
    first: dict[str, int] = {}
    groups: dict[str, list[int]] = {}
    for index, base in enumerate(bases):
        earlier = first.setdefault(base, index)
        if earlier != index:
            groups.setdefault(base, [earlier]).append(index)
    return groups


def _promote(ids: list[str], base: str, members: list[int], hashes: list[str]) -> int:
    """Append a hash and, where that is not enough, a counter; return how many needed the counter."""
    same: defaultdict[str, list[int]] = defaultdict(list)
    for index, digits in zip(members, hashes, strict=True):
        same[digits].append(index)
    n_counted = 0
    for digits, twins in same.items():
        if len(twins) == 1:
            ids[twins[0]] = promote(base, digits)
            continue
        n_counted += len(twins)
        for counter, index in enumerate(twins):
            ids[index] = promote(base, digits, counter)
    return n_counted
