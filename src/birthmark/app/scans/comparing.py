"""Compare subscriptions with a state: each with what was accepted of it, or all with a named base.

Takes subscriptions, a target and perhaps a base; gives Findings. With a base, what was changed before it is no finding,
and neither is what the target has as it was accepted.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace

from birthmark.app.answers.refs import Marks
from birthmark.app.changes.diffing import identities_in
from birthmark.app.scans.bases import base_of
from birthmark.app.workspace.repository import OpenRepository
from birthmark.comparison.state_comparison import StateComparison
from birthmark.errors import BirthmarkError
from birthmark.extraction.state import RepositoryState
from birthmark.model import Problem
from birthmark.subscriptions.accept import mute
from birthmark.subscriptions.model import Finding, Subscription
from birthmark.subscriptions.rebase import rebase
from birthmark.subscriptions.scan import Scan
from birthmark.vocabulary import ChangeType, ComparedWith, Muted, SubscriptionTarget

Groups = list[tuple[RepositoryState, list[Subscription]]]
_AGGREGATES = (SubscriptionTarget.PATTERN, SubscriptionTarget.USERS)


def accepted_bases(repository: OpenRepository, subscriptions: Sequence[Subscription]) -> Groups:
    """Return the states in which subscriptions were accepted, each with its subscriptions."""
    groups: dict[int, tuple[RepositoryState, list[Subscription]]] = {}
    for subscription in subscriptions:
        state = base_of(repository, subscription)
        groups.setdefault(id(state), (state, []))[1].append(subscription)
    return list(groups.values())


def compare_accepted(
    repository: OpenRepository, target: RepositoryState, groups: Groups, *, cosmetic: bool
) -> list[Finding]:
    found = [found for base, group in groups for found in _compare(repository, base, target, group)]
    return [mute(one, cosmetic) for one in found]


def compare_since(
    repository: OpenRepository,
    base: RepositoryState,
    target: RepositoryState,
    subscriptions: Sequence[Subscription],
    *,
    cosmetic: bool,
) -> list[Finding]:
    """Return findings about the span from base to target; their subscriptions are as if accepted in the base."""
    there = _rebase(repository, base, subscriptions)
    known = {one.id for one in there}
    since = {found.subscription.id: mute(found, cosmetic) for found in _compare(repository, base, target, there)}
    open_ = [one for one in subscriptions if one.id not in known or (one.id in since and one.target not in _AGGREGATES)]
    groups = accepted_bases(repository, open_)
    accepted = {
        found.subscription.id: found for found in compare_accepted(repository, target, groups, cosmetic=cosmetic)
    }
    aggregates = [_since_base(since[one.id]) for one in subscriptions if one.id in since and one.target in _AGGREGATES]
    is_empty = base.name == target.name  # What is missing is said then, as there is no span to compare.
    single = [
        _joined(since.get(id_), found, is_known=id_ in known, is_empty=is_empty) for id_, found in accepted.items()
    ]
    return [*aggregates, *(one for one in single if one is not None)]


def _joined(since: Finding | None, accepted: Finding, *, is_known: bool, is_empty: bool) -> Finding | None:
    """Return what to report of a target that differs from what was accepted."""
    if accepted.trigger is None:
        return accepted
    if not is_known:
        is_old = accepted.trigger.change_type is ChangeType.MISSING and not is_empty
        return None if is_old else accepted
    assert since is not None
    if since.trigger is None:
        return replace(since, after=None)  # To accept it would also accept what was changed before the base.
    is_seen = accepted.muted is Muted.ACKNOWLEDGED
    return _since_base(replace(since, muted=Muted.ACKNOWLEDGED) if is_seen else since)


def _since_base(found: Finding) -> Finding:
    trigger = found.trigger
    return found if trigger is None else replace(found, trigger=replace(trigger, compared_with=ComparedWith.BASE))


def _rebase(
    repository: OpenRepository, base: RepositoryState, subscriptions: Sequence[Subscription]
) -> list[Subscription]:
    """Return the subscriptions whose targets the base has, as if they had been accepted there."""
    found: list[Subscription] = []
    for accepted, group in accepted_bases(repository, subscriptions):
        scan = _scan_of(repository, accepted, base)
        try:
            found += rebase(scan, group)
        except BirthmarkError:  # One of them cannot be compared, as the comparison with the target will say.
            continue
    return found


def _compare(
    repository: OpenRepository, base: RepositoryState, target: RepositoryState, subscriptions: list[Subscription]
) -> list[Finding]:
    scan = _scan_of(repository, base, target)
    try:
        return scan.findings(subscriptions)
    except BirthmarkError:  # One of them cannot be compared; the others are.
        return [found for one in subscriptions for found in _compare_one(repository, scan, one)]


def _scan_of(repository: OpenRepository, base: RepositoryState, target: RepositoryState) -> Scan:
    marks = Marks(repository, target)
    comparison = StateComparison(base, target, repository.family_of, partial(identities_in, repository))
    return Scan(comparison, marks.entity_of, marks.mark_of)


def _compare_one(repository: OpenRepository, scan: Scan, subscription: Subscription) -> list[Finding]:
    try:
        return scan.findings([subscription])
    except BirthmarkError as error:
        repository.problems.append(Problem(subscription.id, str(error)))
        return []
