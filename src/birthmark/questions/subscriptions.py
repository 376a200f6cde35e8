"""Subscriptions: make, list, change, mute and delete them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, get_type_hints

import msgspec
from msgspec import UNSET, Meta, UnsetType

from birthmark.app.scans import subscriptions
from birthmark.app.scans.subscription_repository import find_subscriptions, list_subscriptions
from birthmark.app.scans.subscription_states import read_state
from birthmark.app.scans.subscriptions import SubscriptionRequest
from birthmark.app.workspace.session import Session
from birthmark.documents.scans import SubscriptionStateDocument
from birthmark.documents.subscriptions import (
    SubscribedDocument,
    SubscriptionDocument,
    SubscriptionPage,
    subscription_document,
)
from birthmark.questions.parameters import Text
from birthmark.questions.question import ListQuestion, PagedQuestion, Question
from birthmark.subscriptions.model import SubscriptionOptions

SubscriptionId = Annotated[
    Text, Meta(description="The id of a subscription.", extra={"completes": "subscription", "argument": "ID"})
]


class Subscribe(Question, SubscriptionRequest, frozen=True, kw_only=True):
    """Subscribe to changes of REF; its present state is accepted.

    Subscribing again to the same with the same options changes nothing and says so; with other options it makes a
    second subscription.

    REF is a mark, key, semantic id, path::Qualified.name or a unique name for an entity; path:line or
    path:first-last for lines; 'paths::names' with stars for all entities that match. REPOSITORY//REF is one of another
    repository of the same database, as it was last indexed.

    Examples:
      birthmark subscribe src/app.py::App.run --label "public entry"
      birthmark subscribe src/app.py:10-20
      birthmark subscribe 'api/**::*Controller.*' --team
      birthmark subscribe src/app.py::App --include-members
      birthmark subscribe src/app.py::App.run --users
    """

    arguments: ClassVar = ("ref",)
    writes: ClassVar = True
    route: ClassVar = "POST /subscriptions"
    body: ClassVar = "NewSubscription"
    status: ClassVar = 201

    def answer(self, session: Session) -> SubscribedDocument:
        return subscriptions.subscribe(session, self)


class ListSubscriptions(PagedQuestion, ListQuestion, frozen=True, kw_only=True):
    """List subscriptions."""

    refreshes: ClassVar = False
    route: ClassVar = "GET /subscriptions"

    def rows(self, session: Session) -> Iterator[SubscriptionDocument]:
        found = list_subscriptions(session.workspace, session.visible)
        return (subscription_document(*stored) for stored in found)

    def answer(self, session: Session) -> SubscriptionPage:
        items, start = self.cut(self.rows(session))
        return SubscriptionPage(items, truncated=start is not None, next=start)


class SubscriptionQuestion(Question, frozen=True, kw_only=True):
    """Ask about one subscription, or change it."""

    arguments: ClassVar = ("id",)
    refreshes: ClassVar = False

    id: SubscriptionId


class ShowSubscription(SubscriptionQuestion, frozen=True, kw_only=True):
    """Show one subscription."""

    route: ClassVar = "GET /subscriptions/{id}"

    def answer(self, session: Session) -> SubscriptionDocument:
        return subscription_document(*find_subscriptions(session.workspace, [self.id], session.visible)[0])


class SubscriptionState(SubscriptionQuestion, frozen=True, kw_only=True):
    """Show what was accepted of a subscription, and what a scan finds of it now."""

    route: ClassVar = "GET /subscriptions/{id}/state"

    def answer(self, session: Session) -> SubscriptionStateDocument:
        return read_state(session, self.id)


class SubscriptionChange(SubscriptionQuestion, frozen=True, kw_only=True):
    """Change the label, the description or other options of a subscription."""

    writes: ClassVar = True
    route: ClassVar = "PATCH /subscriptions/{id}"
    body: ClassVar = "SubscriptionChanges"

    def answer(self, session: Session) -> SubscriptionDocument:
        given = {name: getattr(self, name) for name in SubscriptionOptions.__struct_fields__}
        changes = {name: value for name, value in given.items() if value is not UNSET}
        return subscription_document(*subscriptions.update_subscription(session, self.id, changes))


# Its fields are all options; those that are not given stay as they are.
ChangeSubscription: type[SubscriptionChange] = msgspec.defstruct(  # type: ignore[assignment]  # it is one, by its base
    "ChangeSubscription",
    [
        (name, hint | UnsetType, UNSET)
        for name, hint in get_type_hints(SubscriptionOptions, include_extras=True).items()
    ],
    bases=(SubscriptionChange,),
    namespace={"__doc__": SubscriptionChange.__doc__},
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
)


class SubscriptionAction(SubscriptionQuestion, frozen=True, kw_only=True):
    """Act on a subscription; the fields beside its id are those of the action."""

    writes: ClassVar = True
    action: ClassVar[str]

    def answer(self, session: Session) -> SubscriptionDocument:
        return self.act_on(session, [self.id])[0]

    def act_on(self, session: Session, ids: list[str]) -> list[SubscriptionDocument]:
        """Do the same to several, or to none if it fails for one."""
        more = {name: getattr(self, name) for name in self.__struct_fields__ if name != "id"}
        return [subscription_document(*one) for one in subscriptions.act(session, ids, self.action, **more)]


class Acknowledge(SubscriptionAction, frozen=True, kw_only=True):
    """Acknowledge what a scan found: it is not reported again until it changes further."""

    action: ClassVar = "acknowledge"
    route: ClassVar = "POST /subscriptions/{id}/acknowledge"

    scan: Annotated[
        Annotated[int, Meta(ge=1, le=10**12)] | None,
        Meta(description="The number of the scan whose finding it is; the last one if left out."),
    ] = None


class Snooze(SubscriptionAction, frozen=True, kw_only=True):
    """Mute a subscription until a time; changes are reported after that."""

    action: ClassVar = "snooze"
    route: ClassVar = "POST /subscriptions/{id}/snooze"
    body: ClassVar = "Snooze"

    until: Annotated[
        Text | None, Meta(description="`3d`, `12h`, `2w`, a date or a time; a day from now if left out.")
    ] = None


class Deactivate(SubscriptionAction, frozen=True, kw_only=True):
    """Skip a subscription in scans until it is reactivated."""

    action: ClassVar = "deactivate"
    route: ClassVar = "POST /subscriptions/{id}/deactivate"


class Reactivate(SubscriptionAction, frozen=True, kw_only=True):
    """Scan a subscription again; a snooze ends."""

    action: ClassVar = "reactivate"
    route: ClassVar = "POST /subscriptions/{id}/reactivate"


class DeleteSubscription(SubscriptionAction, frozen=True, kw_only=True):
    """Delete a subscription, and return it as it was."""

    action: ClassVar = "delete"
    route: ClassVar = "DELETE /subscriptions/{id}"
