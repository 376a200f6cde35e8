"""What a subscription is compared with: the state in which it was accepted, or a base that was named."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

from birthmark.app.workspace.repository import OpenRepository
from birthmark.comparison.patch import lines_of
from birthmark.extraction.state import RepositoryState
from birthmark.server.across.elsewhere import open_elsewhere
from birthmark.subscriptions.lines import has_accepted_text
from birthmark.subscriptions.locate import find_unchanged
from birthmark.subscriptions.model import Subscription
from birthmark.vocabulary import ComparedWith, SubscriptionTarget

_ONE = (SubscriptionTarget.ENTITY, SubscriptionTarget.LINES)


def opened_for(own: OpenRepository, subscription: Subscription) -> AbstractContextManager[OpenRepository]:
    """The repository that has what a subscription is about: its own, or another one of the database."""
    return nullcontext(own) if subscription.repository is None else open_elsewhere(own, subscription.repository)


def base_of(repository: OpenRepository, subscription: Subscription) -> RepositoryState:
    """The state in which it was accepted. What HEAD still has so is compared with HEAD, together with all others."""
    accepted, head = subscription.accepted, repository.find_revision("HEAD")
    is_one = subscription.target in _ONE
    if head is not None and is_one and all(head.content_id(path) == id_ for path, id_ in accepted.files.items()):
        return head
    return repository.overlay(accepted.revision, accepted.files, is_whole=not is_one)


def compared_with(subscription: Subscription, base: RepositoryState) -> ComparedWith:
    """What a scan from a base compares with: an entity and lines as they were accepted, which may be as in the base."""
    accepted = subscription.accepted
    if subscription.target not in _ONE or all(base.content_id(path) == id_ for path, id_ in accepted.files.items()):
        return ComparedWith.BASE
    if accepted.anchors is not None:
        content = base.content(accepted.path)
        is_same = content is not None and has_accepted_text(lines_of(content), accepted)
    else:
        is_same = not subscription.include_members and find_unchanged(subscription, base) is not None
    return ComparedWith.BASE if is_same else ComparedWith.ACCEPTED
