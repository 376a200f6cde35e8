"""Scan, and apply what a scan found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from birthmark.app.scans.bases import indexed_state, open_elsewhere
from birthmark.app.scans.comparing import accepted_bases, compare_accepted, compare_since
from birthmark.app.scans.documents import check_documents
from birthmark.app.scans.explanations import explain
from birthmark.app.scans.stored_scans import read_scan, store_scan
from birthmark.app.scans.subscription_repository import (
    StoredSubscription,
    SubscriptionRepository,
    find_subscriptions,
    list_subscriptions,
)
from birthmark.app.workspace.repository import OpenRepository
from birthmark.app.workspace.session import Session
from birthmark.app.workspace.states import contents_to_keep
from birthmark.documents.document import make
from birthmark.documents.subscriptions import (
    AppliedDocument,
    AppliedSubscriptionDocument,
    SkippedDocument,
    subscription_document,
)
from birthmark.errors import BirthmarkError, NotFoundError
from birthmark.extraction.state import WORKTREE, RepositoryState
from birthmark.model import Problem
from birthmark.store.model import Message
from birthmark.subscriptions.accept import accept
from birthmark.subscriptions.model import CountElsewhere, Finding, ScanReport, Subscription, timestamp
from birthmark.subscriptions.team_file import find_problem
from birthmark.words import place_elsewhere

ACCEPTED = "the accepted states"


class ScanOptions(NamedTuple):
    """Options for scans. The default base is the accepted state of each subscription, the default target the worktree.

    A quick scan does not look up the commits and lines of triggers.
    `post` makes the messages to store with the scan. If a scan without messages cannot be stored, this is one of its
    problems. `mirrors` is a folder that may have commits of other repositories.
    """

    base: str | None = None
    target: str | None = None
    ids: tuple[str, ...] = ()
    docs: bool = False
    cosmetic: bool = False
    record: bool = True
    quick: bool = False
    post: Callable[[ScanReport], list[Message]] | None = None
    mirrors: Path | None = None


class _Scanned(NamedTuple):
    """The findings of a scan in one repository, and the number of unchanged subscriptions."""

    base: str
    findings: list[Finding]
    n_unchanged: int
    repository: str | None = None


def scan(session: Session, options: ScanOptions | None = None) -> ScanReport:
    """Report what became of the targets of subscriptions; the report is stored with its messages if `record` is true.

    Other repositories that are visible are compared as they were last indexed; not with a base, which is about changes
    of this one.
    """
    options = options or ScanOptions()
    repository, visible, ids = session.repository, session.visible, options.ids
    workspace = session.workspace
    stored = find_subscriptions(workspace, ids, visible) if ids else list_subscriptions(workspace, visible)
    active = [one.subscription for one in stored if one.subscription.active]
    repository.problems += SubscriptionRepository(repository.workspace).find_invalid(Subscription)
    target = repository.named(options.target)
    here = [one for one in active if one.repository is None and _can_compare(repository, one)]
    own = _scan_state(repository, target, here, options)
    elsewhere = [] if options.base is not None else _scan_elsewhere(repository, active, options)
    parts = [own, *elsewhere]
    report = ScanReport(
        own.base,
        target.name,
        tuple(_in_order([found for part in parts for found in part.findings], active)),
        sum(part.n_unchanged for part in parts),
        len(stored) - len(active),
        check_documents(repository, target) if options.docs else (),
        tuple(repository.problems),
        at=timestamp(),
        is_base_named=options.base is not None,
        elsewhere=tuple(_count_elsewhere(stored, elsewhere)),
    )
    # Without subscriptions nothing can be applied.
    is_stored = options.record and (stored or options.post is not None)
    return store_scan(repository.workspace, report, options.post) if is_stored else report


def _scan_state(
    repository: OpenRepository, target: RepositoryState, active: list[Subscription], options: ScanOptions
) -> _Scanned:
    """Scan a state of one repository, and explain the findings."""
    base = repository.revision(options.base) if options.base is not None else None
    if base is not None:
        name, findings = base.name, compare_since(repository, base, target, active, cosmetic=options.cosmetic)
    else:
        groups = accepted_bases(repository, active)
        name = _base_name(repository, [state for state, _ in groups])
        findings = compare_accepted(repository, target, groups, cosmetic=options.cosmetic)
    ordered = _in_order(findings, active)
    explained = ordered if options.quick else explain(repository, target, base, ordered)
    stored = {one.id: one for one in active}
    reported = [replace(found, subscription=stored[found.subscription.id]) for found in explained]
    return _Scanned(name, reported, len(active) - len(reported))


def _can_compare(repository: OpenRepository, subscription: Subscription) -> bool:
    """Return whether it is complete, and about a file that may be named; else it is among the problems."""
    path, problem = subscription.accepted.path, find_problem(subscription)
    if problem is None and repository.may_name(path):
        return True
    advice = f"delete it with `birthmark subscriptions delete {subscription.id}`"
    ignored = f"{path} is ignored, or belongs to git or the index; {advice}"
    problem = ignored if problem is None else f"{problem}; correct the entry, or {advice}"
    repository.problems.append(Problem(subscription.id, problem))
    return False


def _count_elsewhere(stored: Iterable[StoredSubscription], scanned: Iterable[_Scanned]) -> Iterator[CountElsewhere]:
    """Yield the counts of other repositories with scanned or inactive subscriptions."""
    unchanged = {part.repository: part.n_unchanged for part in scanned}
    inactive = Counter(one.subscription.repository for one in stored if not one.subscription.active)
    for name in sorted(name for name in {*unchanged, *inactive} if name is not None):
        yield CountElsewhere(name, unchanged.get(name, 0), inactive[name])


def _scan_elsewhere(repository: OpenRepository, active: list[Subscription], options: ScanOptions) -> list[_Scanned]:
    """Scan each of the other repositories."""
    names = dict.fromkeys(one.repository for one in active if one.repository is not None)
    groups = [(name, [one for one in active if one.repository == name]) for name in names]
    return [_scan_other(repository, name, group, options) for name, group in groups]


def _scan_other(repository: OpenRepository, name: str, group: list[Subscription], options: ScanOptions) -> _Scanned:
    """Scan another repository; report a problem if it cannot be opened."""
    try:
        with open_elsewhere(repository, name, options.mirrors) as other:
            scanned = _scan_state(other, indexed_state(other), group, options)
            repository.problems += [replace(one, path=place_elsewhere(name, one.path)) for one in other.problems]
            return scanned._replace(repository=name)
    except BirthmarkError as error:
        repository.problems.append(Problem(name, str(error).removeprefix(f"{name}: ")))
        return _Scanned("", [], 0)


def _default_base(repository: OpenRepository) -> RepositoryState:
    return repository.find_revision("HEAD") or repository.index()


def _base_name(repository: OpenRepository, bases: list[RepositoryState]) -> str:
    names = {base.name for base in bases} or {_default_base(repository).name}
    return names.pop() if len(names) == 1 else ACCEPTED


def _in_order(findings: list[Finding], active: list[Subscription]) -> list[Finding]:
    order = {subscription.id: number for number, subscription in enumerate(active)}
    return sorted(findings, key=lambda found: order[found.subscription.id])


def apply(
    session: Session,
    ids: Sequence[str] = (),
    dry_run: bool = False,
    report: ScanReport | None = None,
    scan: int | None = None,
) -> AppliedDocument:
    """Accept the findings of a scan for some subscriptions, or for all; with the reasons for skipping others."""
    workspace, visible = session.workspace, session.visible
    report = report or read_scan(workspace, scan, visible)
    ids = [stored.subscription.id for stored in find_subscriptions(workspace, ids, visible)]
    subscriptions = SubscriptionRepository(workspace)
    known = {stored.subscription.id: stored for stored in subscriptions.all(visible)}
    findings = [found for found in report.findings if not ids or found.subscription.id in ids]
    accepted, skipped = list[StoredSubscription](), dict[str, str]()
    found_ids = {found.subscription.id for found in findings}
    skipped |= {id_: "the scan found nothing new" for id_ in ids if id_ not in found_ids}
    contents: dict[str, bytes] = {}
    for name in dict.fromkeys(found.subscription.repository for found in findings):
        there = [found for found in findings if found.subscription.repository == name]
        results, new = _accept_all(session.repository, name, report.target, there, known, is_named=bool(ids))
        contents |= new
        accepted += [result for result in results.values() if isinstance(result, StoredSubscription)]
        skipped |= {id_: result for id_, result in results.items() if isinstance(result, str)}
    if accepted and not dry_run:
        subscriptions.put(accepted, contents=contents)
    return AppliedDocument(
        [make(AppliedSubscriptionDocument, subscription_document(*one), subscription_id=one[0].id) for one in accepted],
        [SkippedDocument(id_, reason) for id_, reason in skipped.items()],
        dry_run,
    )


@contextmanager
def _state_of(repository: OpenRepository, name: str | None, target: str) -> Iterator[RepositoryState | None]:
    """The state of this repository, or of another one by its name, if it may have changed since."""
    if name is None:
        yield repository.worktree() if target == WORKTREE else None
        return
    with open_elsewhere(repository, name) as other:
        yield indexed_state(other)


def _accept_all(
    repository: OpenRepository,
    name: str | None,
    target: str,
    findings: list[Finding],
    known: Mapping[str, StoredSubscription],
    *,
    is_named: bool,
) -> tuple[dict[str, StoredSubscription | str], dict[str, bytes]]:
    """Return what is accepted, or why not, by the id of the subscription; and the contents that git does not have."""
    git = repository.git_or_none if name is None else None
    try:
        with _state_of(repository, name, target) as state:
            results = {found.subscription.id: _accept(found, known, state, is_named=is_named) for found in findings}
            accepted = [result for result in results.values() if isinstance(result, StoredSubscription)]
            files = [stored.subscription.accepted.files for stored in accepted]
            return results, contents_to_keep(git, state, files) if state is not None else {}
    except NotFoundError as error:
        return {found.subscription.id: str(error) for found in findings}, {}


def _accept(
    finding: Finding, known: Mapping[str, StoredSubscription], state: RepositoryState | None, *, is_named: bool
) -> StoredSubscription | str:
    stored = known.get(finding.subscription.id)
    result = accept(finding, stored.subscription if stored else None, state, is_named=is_named)
    return StoredSubscription(result, stored.home) if stored and not isinstance(result, str) else str(result)
