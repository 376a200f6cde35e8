"""Read the contents of a feed: one or all subscriptions of a repository, and the reports of scans."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from birthmark.app.across import ALL_VISIBLE, Visible
from birthmark.app.scans.subscription_repository import find_subscriptions
from birthmark.app.scans.subscription_states import PastTrigger, past_triggers
from birthmark.app.workspace.stores import location_of
from birthmark.app.workspace.workspace import Workspace
from birthmark.store.model import KEPT_SCANS
from birthmark.subscriptions.model import Subscription


class SubscriptionFeed(NamedTuple):
    """A feed of one subscription, or of all if it is None; triggers are ordered by scan, newest first."""

    root: Path
    subscription: Subscription | None
    triggers: tuple[PastTrigger, ...]
    repository: str = ""  # its name in a database of many


def read_feed(workspace: Workspace, id_: str | None = None, visible: Visible = ALL_VISIBLE) -> SubscriptionFeed:
    found = find_subscriptions(workspace, [id_], visible)[0].subscription if id_ is not None else None
    triggers = past_triggers(workspace, [found.id] if found else [], KEPT_SCANS, visible)
    return SubscriptionFeed(workspace.root, found, tuple(triggers), location_of(workspace).repository)
