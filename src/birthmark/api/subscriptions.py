"""The subscriptions of a repository, for Python: list, subscribe, change, scan, and accept what a scan found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Literal

from birthmark.app.scans import scanning
from birthmark.app.scans.scanning import ScanOptions
from birthmark.app.scans.subscription_repository import find_subscriptions, list_subscriptions
from birthmark.app.scans.subscriptions import SubscriptionRequest, act, subscribe
from birthmark.app.workspace.session import Session
from birthmark.documents.scans import ReportDocument, report_document
from birthmark.documents.subscriptions import (
    AppliedDocument,
    SubscribedDocument,
    SubscriptionDocument,
    applied_document,
    subscribed_document,
    subscription_document,
)

Action = Literal["acknowledge", "snooze", "deactivate", "reactivate", "delete"]


class Subscriptions:
    """What is subscribed to; `repository.subscriptions` has it.

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

    def __init__(self, folder: Path, open_session: Callable[..., AbstractContextManager[Session]]) -> None:
        self._folder, self._open = folder, open_session

    def __iter__(self) -> Iterator[SubscriptionDocument]:
        """All, oldest first."""
        return (subscription_document(*stored) for stored in list_subscriptions(self._folder))

    def __len__(self) -> int:
        return len(list_subscriptions(self._folder))

    def __getitem__(self, id_: str) -> SubscriptionDocument:
        """By its id, or by a beginning that only one id has."""
        return subscription_document(*find_subscriptions(self._folder, [id_])[0])

    def add(self, request: str | SubscriptionRequest) -> SubscribedDocument:
        """Subscribe to a REF or a pattern; a `SubscriptionRequest` has options beside it.

        What is subscribed to already, with the same options, is not subscribed to again.
        """
        asked = SubscriptionRequest(ref=request) if isinstance(request, str) else request
        with self._open() as session:
            return subscribed_document(subscribe(session, asked))

    def act(self, id_: str, action: Action, until: str | None = None) -> SubscriptionDocument:
        """Acknowledge what the last scan found, snooze until a time (`3d`, a date), deactivate, reactivate, delete."""
        return subscription_document(*act(self._folder, [id_], action, until)[0])

    def scan(
        self,
        base: str | None = None,
        target: str | None = None,
        *,
        ids: Iterable[str] = (),
        docs: bool = False,
        cosmetic: bool = False,
    ) -> ReportDocument:
        """What became of the targets: of `base`, or what was accepted, in `target`, or the worktree.

        It is stored, so that `apply` can accept it; no message is sent. With `docs` REFs in Markdown files are checked,
        with `cosmetic` formatting, comments and documentation are reported.
        """
        options = ScanOptions(base, target, tuple(ids), docs=docs, cosmetic=cosmetic)
        with self._open(refreshes=False) as session:
            return report_document(scanning.scan(session, options))

    def apply(self, ids: Iterable[str] = (), *, dry_run: bool = False) -> AppliedDocument:
        """Accept what the last scan found, of some subscriptions or of all."""
        with self._open(refreshes=False) as session:
            done = scanning.apply(session, list(ids), dry_run)
        return applied_document(done.applied, done.skipped, dry_run)
