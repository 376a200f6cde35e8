"""Questions of agents that other surfaces ask as several, or in another form."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from birthmark.app.answers.contexts import find_further_context
from birthmark.app.scans.subscription_repository import list_subscriptions
from birthmark.app.scans.subscription_states import past_triggers
from birthmark.app.workspace.session import Session
from birthmark.documents.answers import ContextDocument
from birthmark.documents.brief import day, in_a_line
from birthmark.documents.changes import HistoryDocument
from birthmark.documents.document import KEPT, Brief, PagedDocument, doc, make
from birthmark.documents.scans import past_trigger_document
from birthmark.documents.subscriptions import SubscriptionDocument, subscription_document
from birthmark.questions.definitions import Context, Resolve
from birthmark.questions.history import History
from birthmark.questions.question import PagedQuestion

_SCANS = 20  # that are looked through
_MOST_REPORTS = 3  # of a subscription


class ContextPart(Context, frozen=True, kw_only=True):
    """Show what to read before changing a definition, a part at a time: pieces are chosen anew from an offset on."""

    offset: Annotated[int, Meta(ge=0, description="Skip N pieces.")] = 0

    def answer(self, session: Session) -> ContextDocument:
        return find_further_context(session, self.ref, self.tokens, self.offset)


class MarkedHistoryDocument(HistoryDocument, frozen=True, kw_only=True):
    """The history of an entity, with its mark: a history is read from git, so that the mark is that of the index."""

    mark: Annotated[str | None, doc(brief=KEPT)]


class MarkedHistory(History, frozen=True, kw_only=True):
    """List what each commit did to a definition."""

    def answer(self, session: Session) -> MarkedHistoryDocument:
        document = super().answer(session)
        assert isinstance(document, HistoryDocument), "users are not asked for"
        known = Resolve(ref=self.ref, at=self.at).answer(session).entity
        mark = known.mark if known is not None else None
        return make(MarkedHistoryDocument, document, mark=mark, truncated=document.truncated, next=document.next)


class WatchedDocument(SubscriptionDocument, frozen=True, kw_only=True):
    """A subscription, with what scans found."""

    reported: Annotated[list[str], doc(brief=KEPT)]


class WatchedPage(PagedDocument, frozen=True):
    """Subscriptions, with what scans found."""

    items: Annotated[list[WatchedDocument], doc(brief=Brief("subscriptions", cut=1))]


class Watched(PagedQuestion, frozen=True, kw_only=True):
    """List subscriptions, and what scans reported of each."""

    def answer(self, session: Session) -> WatchedPage:
        found, start = self.cut(list_subscriptions(session.workspace, session.visible))
        ids = [one.subscription.id for one in found]
        reports: dict[str, list[str]] = {id_: [] for id_ in ids}
        for past in past_triggers(session.workspace, ids, _SCANS, session.visible) if ids else ():
            one = past_trigger_document(*past)
            reports[one.subscription_id].append(f"scan {one.scan}, {day(one.at)}: {in_a_line(one.summary)}")
        items = [_watched(session, subscription_document(*one), reports[one.subscription.id]) for one in found]
        return WatchedPage(items, truncated=start is not None, next=start)


def _watched(session: Session, document: SubscriptionDocument, reports: list[str]) -> WatchedDocument:
    """Return a subscription with its mark, which is resolved now if it was made at a revision."""
    mark = document.mark
    if mark is None:
        entity = Resolve(ref=document.ref).answer(session).entity
        mark = entity.mark if entity is not None else None
    return make(WatchedDocument, document, mark=mark, reported=reports[:_MOST_REPORTS])
