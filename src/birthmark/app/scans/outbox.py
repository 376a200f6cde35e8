"""The messages of scans in a repository: list them, and have dead ones tried again.

The server part makes and sends them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from birthmark.app.workspace.stores import has_subscriptions, subscription_store
from birthmark.app.workspace.workspace import Workspace, find_workspace
from birthmark.errors import BirthmarkError, NotFoundError
from birthmark.store.model import Message
from birthmark.store.port import SubscriptionStore
from birthmark.vocabulary import DeliveryState


def list_messages(folder: Path) -> list[Message]:
    with outbox(find_workspace(folder)) as store:
        return store.messages() if store else []


def retry_messages(folder: Path, ids: Sequence[str] = ()) -> int:
    """Make dead messages pending, those named or all, and return how many."""
    with outbox(find_workspace(folder)) as store:
        return len(retry_dead(store, ids)) if store else 0


def retry_message(folder: Path, id_: str) -> Message:
    """Make a dead message pending; one that is pending stays as it is."""
    with outbox(find_workspace(folder)) as store:
        message = next((one for one in store.messages() if one.message == id_), None) if store else None
        if store is None or message is None:
            raise NotFoundError(f"{id_}: there is no such message; `birthmark deliver --list` shows them")
        if message.state == DeliveryState.DELIVERED:
            raise BirthmarkError(f"{id_}: was delivered, so it is not sent again")
        return retry_dead(store, [id_])[0] if message.state == DeliveryState.DEAD else message


@contextmanager
def outbox(workspace: Workspace) -> Iterator[SubscriptionStore | None]:
    """Open the store of messages; yield None if there are no subscriptions yet."""
    if not has_subscriptions(workspace):
        yield None
        return
    with subscription_store(workspace) as store:
        yield store


def retry_dead(store: SubscriptionStore, ids: Sequence[str] = ()) -> list[Message]:
    """Have dead messages tried again from the start: those that are named, or all."""
    with store.writing():
        dead = {message.message: message for message in store.messages(DeliveryState.DEAD)}
        for id_ in ids:
            if id_ not in dead:
                raise BirthmarkError(f"{id_} is no dead message; `birthmark deliver --list` shows them")
        revived = [dead[id_]._replace(state=DeliveryState.PENDING, attempts=0, next_at=0.0) for id_ in ids or dead]
        for message in revived:
            store.settle(message)
    return revived
