"""Subscribe to random things of a release, scan to the next one, compare with the diff, apply, and scan again.

`make scan-releases REPO=… FROM=… TO=… SUBSCRIPTIONS=…` runs it for any project. What was applied is carried on to the
next release, with new subscriptions in the place of those that are gone.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import NamedTuple

import msgspec

from birthmark.app.scans.scanning import ScanOptions, apply, scan
from birthmark.app.scans.subscription_repository import StoredSubscription, SubscriptionRepository, list_subscriptions
from birthmark.app.scans.subscriptions import act
from birthmark.app.workspace.session import open_session
from birthmark.app.workspace.workspace import find_workspace
from birthmark.comparison.patch import lines_of
from birthmark.extraction.model import OutlinedEntity
from birthmark.subscriptions.accepted_state import AcceptedStateReader
from birthmark.subscriptions.model import Finding, ScanReport, Subscription, new_id
from birthmark.vocabulary import Change, SubscriptionHome, SubscriptionTarget
from scan_truth import Key, Truth, describe, judge, read_truth
from scanning import in_session
from worlds import run_git

_SHOWN = 40
_LONGEST = 20  # lines of a range
_FILES = 50  # in which there is something to choose
_SHARES = {
    SubscriptionTarget.ENTITY: 75,
    SubscriptionTarget.LINES: 15,
    SubscriptionTarget.PATTERN: 5,
    SubscriptionTarget.USERS: 5,
}  # in a hundred
_MEMBERS = 0.25  # of those to containers


class Soak(NamedTuple):
    """How many windows were scanned, what the scans told, and what is wrong with it."""

    n_windows: int
    told: Counter[str]
    findings: list[str]


def releases_between(repository: Path, first: str, last: str) -> list[str]:
    """Tags from one to another, by their time."""
    tags = run_git(repository, "tag", "--sort=creatordate", "--merged", last, "--no-merged", first).split()
    return [first, *(tag for tag in tags if tag != last), last]


def soak(repository: Path, revisions: Sequence[str], folder: Path, n_subscriptions: int, seed: int = 0) -> Soak:
    """Scan between consecutive revisions in a scratch clone."""
    clone = folder / "clone"
    run_git(folder, "clone", "-q", "--shared", "--no-checkout", str(repository.resolve()), str(clone))
    random, told, findings = Random(seed), Counter[str](), list[str]()  # noqa: S311  nothing secret
    for base, target in pairwise(revisions):
        run_git(clone, "update-ref", "--no-deref", "HEAD", f"{target}^{{commit}}")
        wrong = _scan_once(clone, base, target, n_subscriptions, random, told)
        findings += [f"{base}..{target}: {one}" for one in wrong]
    return Soak(len(revisions) - 1, told, findings)


def _scan_once(clone: Path, base: str, target: str, count: int, random: Random, told: Counter[str]) -> list[str]:
    with open_session(clone) as session:
        opened = session.repository
        truth = read_truth(opened, base, target)
        chooser = Chooser(random, AcceptedStateReader(opened.revision(base)), truth)
        chosen = chooser.choose(count - len(list_subscriptions(find_workspace(clone))))
        SubscriptionRepository(opened.workspace).put(
            [StoredSubscription(one, SubscriptionHome.PERSONAL) for one in chosen]
        )
        report = in_session(clone, scan, ScanOptions(base, target, quick=True))
        told.update(_words(report))
        said = {found.subscription.id: found for found in report.findings}
        subscriptions = [kept.subscription for kept in list_subscriptions(find_workspace(clone))]
        wrong = [one for subscription in subscriptions for one in judge(truth, subscription, said.get(subscription.id))]
    return wrong + _settle(clone, base, target, said)


def _settle(clone: Path, base: str, target: str, said: dict[str, Finding]) -> list[str]:
    """Apply all; then nothing is told any more but of what is gone, which is deleted at last."""
    skipped = {one.subscription_id for one in in_session(clone, apply).skipped} if said else set()
    wrong = [f"not applied: {_tell(said[id_])}" for id_ in skipped if said[id_].after or said[id_].proposal]
    for start in (base, None):
        report = in_session(clone, scan, ScanOptions(start, target, quick=True))
        again = {found.subscription.id: found for found in report.findings}
        told = f"again, from {start or 'what was accepted'}"
        wrong += [f"{told}: {_tell(again[id_])}; first {_tell(said.get(id_))}" for id_ in again.keys() - skipped]
        wrong += [f"{told}, no more: {_tell(said[id_])}" for id_ in skipped - again.keys()]
    in_session(clone, act, sorted(skipped), "delete")
    return wrong


def _tell(found: Finding | None) -> str:
    return "it was quiet" if found is None else f"{found.subscription.ref}: {describe(found)}"


def _words(report: ScanReport) -> Counter[str]:
    words = Counter({"unchanged": report.n_unchanged, "ambiguous": len(report.ambiguous)})
    words.update(str(found.trigger.change_type) for found in report.findings if found.trigger is not None)
    words.update(reason for found in report.proposals for reason in found.reasons)
    return words


# Subscribing


class Chooser:
    """Chooses things to subscribe to: a third each that change, that stand beside them, and that stand elsewhere."""

    def __init__(self, random: Random, recorder: AcceptedStateReader, truth: Truth) -> None:
        self.random, self.recorder = random, recorder
        paths = sorted(recorder.tree.paths())
        touched = {key[0] for key in truth.changes}
        elsewhere = random.sample(paths, min(len(paths), _FILES))
        beside = random.sample(sorted(touched), min(len(touched), _FILES))
        changed = {key for key, changes in truth.changes.items() if any(one.change != Change.MOVED for one in changes)}
        found = [self._spots(some) for some in (sorted({key[0] for key in changed}), beside, elsewhere)]
        found[0] = [spot for spot in found[0] if _key(spot) in changed]
        self.pools = [pool for pool in map(_by_kind, found) if pool]

    def _spots(self, paths: Sequence[str]) -> list[OutlinedEntity]:
        files = self.recorder.tree.load(paths)
        return [OutlinedEntity(file, ordinal) for file in files for ordinal in range(len(file.outline.entities))]

    def choose(self, count: int) -> list[Subscription]:
        targets = self.random.choices([*_SHARES], [*_SHARES.values()], k=count)
        return [self.subscription(target) for target in targets]

    def subscription(self, target: SubscriptionTarget) -> Subscription:
        by_kind = self.random.choice(self.pools)
        spot = self.random.choice(by_kind[self.random.choice(sorted(by_kind))])
        path, name = spot.file.path, spot.entity.qualified_name
        if target is SubscriptionTarget.LINES:
            n_lines = len(lines_of(self.recorder.tree.content(path) or b""))
            first = self.random.randint(1, n_lines)
            last = min(n_lines, first + self.random.randrange(_LONGEST))
            accepted = self.recorder.lines(path, first, last)
            return Subscription(id=new_id(), ref=f"{path}:{first}-{last}", target=target, accepted=accepted)
        if target is SubscriptionTarget.PATTERN:
            ref = f"{path.rpartition('/')[0] or '*'}/**::*{name[-3:]}"
            return Subscription(id=new_id(), ref=ref, target=target, accepted=self.recorder.pattern(ref))
        subscription = Subscription(
            id=new_id(),
            ref=f"{path}::{name}",
            target=target,
            include_members=target is SubscriptionTarget.ENTITY and self.random.random() < _MEMBERS,
            include_private=self.random.random() < 0.5,
            track_decorators=self.random.random() < 0.8,
            trigger_on_duplicate=self.random.random() < 0.5,
        )
        return msgspec.structs.replace(subscription, accepted=self.recorder.entity(subscription, spot))


def _key(spot: OutlinedEntity) -> Key:
    return spot.file.path, spot.entity.qualified_name, spot.entity.start_line, spot.entity.end_line


def _by_kind(spots: Sequence[OutlinedEntity]) -> dict[str, list[OutlinedEntity]]:
    """Rare kinds are chosen as often as frequent ones."""
    by_kind: dict[str, list[OutlinedEntity]] = {}
    for spot in spots:
        by_kind.setdefault(spot.entity.kind, []).append(spot)
    return by_kind


def main(repository: str, first: str, last: str, count: str = "200") -> int:
    started = time.perf_counter()
    revisions = releases_between(Path(repository), first, last)
    with tempfile.TemporaryDirectory(prefix="birthmark-scans-") as folder:
        result = soak(Path(repository), revisions, Path(folder), int(count))
    print(f"{result.n_windows} windows from {first} to {last} in {time.perf_counter() - started:.1f} s")
    print(", ".join(f"{number:,} {word}" for word, number in result.told.most_common()))
    print(*(result.findings[:_SHOWN] or ["nothing wrong was found"]), sep="\n")
    return 1 if result.findings else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
