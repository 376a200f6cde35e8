"""The subscriptions of a repository, for Python: list, subscribe, change, scan, and accept what a scan found."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal, get_args

from msgspec.structs import asdict

from birthmark.api.methods import SubscriptionQuestions
from birthmark.app.scans.subscriptions import SubscriptionRequest
from birthmark.documents.subscriptions import SubscribedDocument, SubscriptionDocument
from birthmark.errors import BirthmarkError
from birthmark.questions.question import ListQuestion, Question
from birthmark.questions.subscriptions import (
    Acknowledge,
    Deactivate,
    DeleteSubscription,
    ListSubscriptions,
    Reactivate,
    ShowSubscription,
    Snooze,
    Subscribe,
    SubscriptionAction,
)

if TYPE_CHECKING:
    from birthmark.api.repository import Repository

Action = Literal["acknowledge", "snooze", "deactivate", "reactivate", "delete"]
_ACTIONS: dict[str, type[SubscriptionAction]] = {
    one.action: one for one in (Acknowledge, Deactivate, Reactivate, DeleteSubscription)
}


class Subscriptions(SubscriptionQuestions):
    """The subscriptions of a repository, as in `repository.subscriptions`.

    Examples:
        >>> import birthmark
        >>> subscriptions = birthmark.Repository.open().subscriptions
        >>> subscribed = subscriptions.add("Cart.total")
        >>> [one.ref for one in subscriptions]
        ['Cart.total']
        >>> subscriptions.scan().triggers
        []
        >>> subscriptions.act(subscribed.id, "delete").ref
        'Cart.total'
        >>> len(subscriptions)
        0
    """

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    def __iter__(self) -> Iterator[SubscriptionDocument]:
        """Iterate over all subscriptions, oldest first."""
        return iter(self._repository.ask(ListSubscriptions()).items)

    def __len__(self) -> int:
        return len(self._repository.ask(ListSubscriptions()).items)

    def __getitem__(self, id_: str) -> SubscriptionDocument:
        """Return a subscription by its id or an unambiguous prefix of it."""
        return self._repository.ask(ShowSubscription(id=id_))

    def add(self, request: str | SubscriptionRequest) -> SubscribedDocument:
        """Subscribe to a REF or a pattern; use a `SubscriptionRequest` to set options.

        An existing subscription with the same options is not made again.
        """
        asked = SubscriptionRequest(ref=request) if isinstance(request, str) else request
        return self._repository.ask(Subscribe(**asdict(asked)))

    def act(self, id_: str, action: Action, until: str | None = None) -> SubscriptionDocument:
        """Acknowledge a subscription, snooze it until a time (`3d`, a date), deactivate, reactivate or delete it."""
        if action == "snooze":
            return self._repository.ask(Snooze(id=id_, until=until))
        if action not in _ACTIONS:
            raise BirthmarkError(f"{action}: is no action; use {', '.join(get_args(Action))}")
        return self._repository.ask(_ACTIONS[action](id=id_))

    def _ask_here(self, question: Question) -> Any:
        return self._repository._ask_here(question)

    def _list_rows(self, question: ListQuestion) -> Iterator[Any]:
        return self._repository._list_rows(question)
