"""Take subscriptions to another state: what each would have accepted there.

Takes a Scan from the accepted state to that one; gives the Accepted of each subscription whose target is there.
Patterns stay as they are, because they name what they match in any state.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from birthmark.extraction.model import OutlinedEntity
from birthmark.subscriptions.locate import locate
from birthmark.subscriptions.model import Accepted, Subscription
from birthmark.subscriptions.scan import Scan
from birthmark.vocabulary import SubscriptionTarget

_SEMANTIC = (SubscriptionTarget.ENTITY, SubscriptionTarget.USERS)


def rebase(scan: Scan, subscriptions: Iterable[Subscription]) -> list[Subscription]:
    """Return the subscriptions as if they had been accepted in the new state; those without a target are left out."""
    subscriptions = list(subscriptions)
    moved = [one for one in subscriptions if not _is_there(scan, one)]
    located = locate([one for one in moved if one.target in _SEMANTIC], scan.comparison, scan.by_mark)
    there: dict[str, Accepted | None] = {one.id: one.accepted for one in subscriptions}
    for one in moved:
        entity = located[one.id].entity if one.id in located else None
        there[one.id] = _lines(scan, one) if one.id not in located else entity and _entity(scan, one, entity)
    kept = ((one, there[one.id]) for one in subscriptions)
    return [replace(one, accepted=accepted) for one, accepted in kept if accepted is not None]


def _is_there(scan: Scan, subscription: Subscription) -> bool:
    """Return whether the new state has all files as they were accepted, so that nothing has to be looked up."""
    if subscription.target is SubscriptionTarget.PATTERN:
        return True
    files, state = subscription.accepted.files, scan.comparison.new
    return subscription.target is not SubscriptionTarget.USERS and all(
        state.content_id(path) == content for path, content in files.items()
    )


def _entity(scan: Scan, subscription: Subscription, entity: OutlinedEntity) -> Accepted:
    """Users have accepted files besides that of the definition, which say what was seen of them."""
    if subscription.target is SubscriptionTarget.USERS:
        accepted = subscription.accepted
        return replace(scan.reader.definition(entity), files=accepted.files, digest=accepted.digest)
    return scan.reader.entity(subscription, entity)


def _lines(scan: Scan, subscription: Subscription) -> Accepted | None:
    path, followed = scan.ranges.follow(subscription)
    return scan.reader.lines(path, *followed.lines) if followed is not None and followed.lines is not None else None
