"""Documents of subscriptions."""

from __future__ import annotations

from typing import Annotated

from birthmark.documents.brief import line_range
from birthmark.documents.document import KEPT, Brief, Document, PagedDocument, doc, make
from birthmark.subscriptions.model import Semantic, Subscription, SubscriptionOptions
from birthmark.vocabulary import SubscriptionHome, SubscriptionTarget
from birthmark.words import place_elsewhere


class SemanticDocument(Document, frozen=True):
    """The entity of a subscription as it was accepted."""

    language: str
    kind: str
    qualname: str
    interface_hash: str
    body_hash: str | None
    content_hash: str
    documentation_hash: str | None
    text_hash: str
    version: Annotated[int, doc("of the way in which the hashes are computed")]


class MemberDocument(Document, frozen=True):
    """A member of a container that is subscribed to."""

    name: str
    kind: str
    origin: Annotated[str | None, doc("`path::name` of the container it is inherited from")]


class AnchorsDocument(Document, frozen=True):
    """The anchors of a line range: the lines around it, its first line, and its text."""

    before: tuple[str, ...]
    first: str
    after: tuple[str, ...]
    text: Annotated[str, doc("a fingerprint of all its lines")]


def _ref_elsewhere(subscription: SubscriptionDocument) -> str:
    return place_elsewhere(subscription.repository, subscription.ref)


def _place_elsewhere(subscription: SubscriptionDocument) -> str | None:
    path, start, end = subscription.path, subscription.start_line, subscription.end_line
    if path is None:
        return None
    place = path if start is None or end is None else line_range(path, start, end)
    return place_elsewhere(subscription.repository, place)


class SubscriptionDocument(Document, SubscriptionOptions, frozen=True):
    """A subscription. Path, lines and hashes are those that are accepted."""

    id: Annotated[str, doc(brief=KEPT)]
    ref: Annotated[
        str, doc("as it was given, without its repository", brief=Brief(form=_ref_elsewhere, of_document=True))
    ]
    repository: Annotated[str | None, doc("another one of the database that has it; null: the one it is stored in")]
    target: Annotated[SubscriptionTarget, doc(brief=KEPT)]
    path: Annotated[
        str | None,
        doc(
            "null for a pattern, as are the lines", brief=Brief("place", _place_elsewhere, of_document=True, unless="")
        ),
    ]
    start_line: int | None
    end_line: int | None
    active: Annotated[bool, doc("scans skip it if false", brief=Brief(unless=True))]
    semantic: SemanticDocument | None
    anchors: Annotated[AnchorsDocument | None, doc("of a range of lines: what identifies it")]
    members: list[MemberDocument]
    mark: Annotated[str | None, doc(brief=KEPT)]
    revision: Annotated[str | None, doc("the commit at which it was accepted")]
    snoozed_until: str | None
    acknowledged: Annotated[
        bool, doc("whether the change that the last scan reported is acknowledged", brief=Brief(unless=False))
    ]
    created_at: str
    updated_at: str
    stored: Annotated[SubscriptionHome, doc("personally, beside the index, or in the repository for a team")]


class SubscribedDocument(SubscriptionDocument, kw_only=True, frozen=True):
    """The subscription that a request led to."""

    created: Annotated[bool, doc("false if there was one to the same with the same options, which is this")]
    same_target_ids: Annotated[list[str], doc("ids of subscriptions to the same with other options")]


class AppliedSubscriptionDocument(SubscriptionDocument, kw_only=True, frozen=True):
    """A subscription with what is accepted now."""

    subscription_id: str


class SkippedDocument(Document, frozen=True):
    """A subscription to which a scan was not applied."""

    subscription_id: str
    reason: str


class AppliedDocument(Document, frozen=True):
    """The accepted subscriptions."""

    applied: list[AppliedSubscriptionDocument]
    skipped: list[SkippedDocument]
    dry_run: Annotated[bool, doc("true if nothing was changed")]


class SubscriptionPage(PagedDocument, frozen=True):
    """Subscriptions."""

    items: Annotated[list[SubscriptionDocument], doc(brief=Brief("subscriptions", cut=1))]


def subscription_document(subscription: Subscription, stored: SubscriptionHome) -> SubscriptionDocument:
    accepted = subscription.accepted
    return make(
        SubscriptionDocument,
        subscription,
        path=accepted.path or None,
        start_line=accepted.start_line or None,
        end_line=accepted.end_line or None,
        semantic=accepted.semantic and _semantic_document(accepted.semantic),
        anchors=accepted.anchors,
        members=accepted.members,
        mark=accepted.mark,
        revision=accepted.revision,
        acknowledged=subscription.acknowledged is not None,
        stored=stored,
    )


def _semantic_document(semantic: Semantic) -> SemanticDocument:
    fingerprints = semantic.fingerprints
    return make(
        SemanticDocument,
        semantic,
        interface_hash=fingerprints.interface,
        body_hash=fingerprints.body,
        content_hash=fingerprints.content,
        documentation_hash=fingerprints.documentation,
        text_hash=fingerprints.text,
        version=fingerprints.version,
    )
