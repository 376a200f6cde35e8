"""Scan, and apply what a scan found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from birthmark.app.diffing import WORKTREE, Trees, comparing, known_pairs
from birthmark.app.documents import check_documents
from birthmark.app.states import Marks, State, States
from birthmark.app.stores import has_subscriptions, subscription_store
from birthmark.app.subscription_repository import (
    StoredSubscription,
    SubscriptionRepository,
    find_subscriptions,
    list_subscriptions,
    workspace_of,
)
from birthmark.app.workspace import FOLDER, Workspace
from birthmark.comparison.state_comparison import StateComparison
from birthmark.errors import BirthmarkError, NotFoundError
from birthmark.model import Problem
from birthmark.store.model import Message, ScanRecord
from birthmark.subscriptions.accept import Applied, accept
from birthmark.subscriptions.model import Finding, ScanReport, Subscription, timestamp
from birthmark.subscriptions.scan import Scan
from birthmark.subscriptions.triggers import mute
from birthmark.vocabulary import SubscriptionTarget

ACCEPTED = "the accepted states"


class ScanOptions(NamedTuple):
    """Without a base each subscription is compared with what was accepted; without a target the worktree is looked at.

    `post` makes the letters that are kept together with the scan. Where a scan cannot be kept, and nobody needs it to
    be, it says so among its problems.
    """

    base: str | None = None
    target: str | None = None
    ids: tuple[str, ...] = ()
    docs: bool = False
    cosmetic: bool = False
    record: bool = True
    post: Callable[[ScanReport], list[Message]] | None = None


def scan(folder: Path | None, options: ScanOptions | None = None) -> ScanReport:
    """What became of all that subscriptions point at. It is kept, with its letters, unless nobody wants that."""
    options = options or ScanOptions()
    kept = find_subscriptions(folder, options.ids) if options.ids else list_subscriptions(folder)
    active = [one.subscription for one in kept if one.subscription.active]
    with comparing(folder) as trees:
        states = States(trees)
        target = states.named(options.target)
        bases = _bases(states, active, options.base)
        findings = [found for base, group in bases for found in _look(trees, base, target, group)]
        docs = check_documents(states, target) if options.docs else ()
        report = ScanReport(
            _base_name(states, bases),
            target.name,
            tuple([mute(found, options.cosmetic) for found in _in_order(findings, active)]),
            len(active) - len(findings),
            len(kept) - len(active),
            docs,
            tuple(trees.problems),
            at=timestamp(),
        )
        is_kept = options.record and (kept or options.post is not None)  # Without subscriptions nothing can be applied.
        return _keep(trees.workspace, report, options.post) if is_kept else report


def _bases(states: States, active: list[Subscription], base: str | None) -> list[tuple[State, list[Subscription]]]:
    """The states to compare with, each with its subscriptions."""
    if base is not None:
        return [(states.revision(base), active)]
    groups: dict[int, tuple[State, list[Subscription]]] = {}
    for subscription in active:
        state = base_of(states, subscription)
        groups.setdefault(id(state), (state, []))[1].append(subscription)
    return list(groups.values())


def base_of(states: States, subscription: Subscription) -> State:
    """The state in which it was accepted. What HEAD still has so is compared with HEAD, together with all others."""
    accepted, head = subscription.accepted, states.known("HEAD")
    is_one = subscription.target in (SubscriptionTarget.ENTITY, SubscriptionTarget.LINES)
    if head is not None and is_one and all(head.content_id(path) == id_ for path, id_ in accepted.files.items()):
        return head
    return states.accepted(accepted.revision, accepted.files, is_whole=not is_one)


def _default_base(states: States) -> State:
    return states.known("HEAD") or states.index()


def _base_name(states: States, bases: list[tuple[State, list[Subscription]]]) -> str:
    names = {base.name for base, _ in bases} or {_default_base(states).name}
    return names.pop() if len(names) == 1 else ACCEPTED


def _look(trees: Trees, base: State, target: State, subscriptions: list[Subscription]) -> list[Finding]:
    marks = Marks(trees, target)
    window = StateComparison(base, target, trees.family_of, lambda old, new: known_pairs(trees, old, new))
    return Scan(window, marks.spot_of, marks.mark_of).findings(subscriptions)


def _in_order(findings: list[Finding], active: list[Subscription]) -> list[Finding]:
    order = {subscription.id: number for number, subscription in enumerate(active)}
    return sorted(findings, key=lambda found: order[found.subscription.id])


def _keep(workspace: Workspace, report: ScanReport, post: Callable[[ScanReport], list[Message]] | None) -> ScanReport:
    try:
        with subscription_store(workspace) as store, store.writing():
            number = store.add_scan(report.at, report.base, report.target, len(report.triggers))
            kept = msgspec.structs.replace(report, scan=number)
            store.set_scan(number, msgspec.json.encode(kept))
            store.post(post(kept) if post is not None else ())
    except BirthmarkError as error:
        if post is not None:
            raise
        unkept = Problem(FOLDER, f"the scan was not kept, so it cannot be applied: {error}")
        return msgspec.structs.replace(report, problems=(*report.problems, unkept))
    return kept


def list_scans(folder: Path | None, limit: int = 20) -> list[ScanRecord]:
    workspace = workspace_of(folder)
    if not has_subscriptions(workspace):
        return []
    with subscription_store(workspace) as store:
        return store.scans(limit)


def read_scan(folder: Path | None, number: int | None = None) -> ScanReport:
    """What a scan found: the one of a number, or the last."""
    workspace, row = workspace_of(folder), None
    if has_subscriptions(workspace):
        with subscription_store(workspace) as store:
            row = store.scan(number)
    if row is None:
        which = "there is no scan yet" if number is None else f"there is no scan {number}"
        raise NotFoundError(f"{which}; run `birthmark scan` first")
    if not row.document:
        raise NotFoundError(f"what scan {row.scan} found is no longer kept; run `birthmark scan` again")
    return msgspec.json.decode(row.document, type=ScanReport)


def apply(
    folder: Path | None,
    ids: Sequence[str] = (),
    dry_run: bool = False,
    report: ScanReport | None = None,
    scan: int | None = None,
) -> Applied:
    """Accept what a scan found: of some subscriptions, or of all that it has something new of."""
    report = report or read_scan(folder, scan)
    find_subscriptions(folder, ids)  # An unknown one is an error.
    repository = SubscriptionRepository(workspace_of(folder))
    known = {kept.subscription.id: kept for kept in repository.all()}
    findings = [found for found in report.findings if not ids or found.subscription.id in ids]
    applied, skipped = [], [(id_, "the scan found nothing new") for id_ in ids if id_ not in _ids_of(findings)]
    with comparing(folder) as trees:
        states = States(trees)
        tree = states.worktree() if report.target == WORKTREE and findings else None
        for finding in findings:
            kept = known.get(finding.subscription.id)
            result = accept(finding, kept.subscription if kept else None, tree, is_named=bool(ids))
            if isinstance(result, str):
                skipped.append((finding.subscription.id, result))
            elif kept is not None:
                applied.append(StoredSubscription(result, kept.shelf))
        if applied and not dry_run:
            accepted = [kept.subscription.accepted for kept in applied]
            repository.put(applied, contents=states.contents_of(tree, accepted) if tree is not None else {})
    return Applied([kept.subscription for kept in applied], skipped)


def _ids_of(findings: Iterable[Finding]) -> set[str]:
    return {found.subscription.id for found in findings}
