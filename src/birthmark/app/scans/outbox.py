"""The messages of scans in a folder's repository: made, listed, sent and retried.

Surfaces write the bodies of messages; where they go is in the settings.
"""

from __future__ import annotations

import base64
import secrets
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from birthmark.app.workspace.workspace import find_workspace
from birthmark.errors import BirthmarkError, NotFoundError
from birthmark.server.delivery.sending import Delivered, deliver_due, deliver_until_done, outbox, retry_dead, sinks
from birthmark.sources.config import CONFIG_FILE, Settings, load_settings
from birthmark.store.model import Message
from birthmark.subscriptions.model import ScanReport, timestamp
from birthmark.vocabulary import DeliveryState, WebhookFormat

_ID_BYTES = 20


class BodyWriters(NamedTuple):
    """How the body of a message is written: for webhooks by their format, with the time; for a mailbox."""

    webhooks: Mapping[WebhookFormat, Callable[[ScanReport, str], bytes]]
    mail: Callable[[ScanReport], bytes]


class DeliveryReport(NamedTuple):
    """What came of messages, how many are still pending, and whether the settings have any sinks."""

    done: Delivered
    n_pending: int
    has_sinks: bool


def posting(folder: Path, names: Iterable[str], writers: BodyWriters) -> Callable[[ScanReport], list[Message]]:
    """What makes the messages of a report; a BirthmarkError at once, before a scan, if a name is unknown."""
    settings = load_settings(find_workspace(folder).root)
    require_trust(settings)
    names = check_names(names, settings)
    return lambda report: make_messages(report, names, settings, writers)


def require_trust(settings: Settings) -> None:
    """Refuse to send anything while the repository asks for receivers that the user has not seen."""
    refused = [name for name in settings.refused if name.partition(".")[0] in ("webhooks", "mail")]
    if refused:
        names = ", ".join(refused)
        raise BirthmarkError(
            f"{CONFIG_FILE} sets {names}, which a repository may not; review it with `birthmark trust`"
        )


def make_messages(report: ScanReport, names: Iterable[str], settings: Settings, writers: BodyWriters) -> list[Message]:
    """A message for each of the named sinks; none if the report has nothing that triggered."""
    names = check_names(names, settings)
    if not (report.triggers or report.stale_docs or report.ambiguous):
        return []
    at = timestamp()
    return [
        Message(
            message=_new_id(),
            scan=report.scan or 0,
            sink=name,
            body=_write_body(report, name, settings, writers, at),
            created_at=at,
        )
        for name in names
    ]


def _write_body(report: ScanReport, name: str, settings: Settings, writers: BodyWriters, at: str) -> bytes:
    hook = settings.webhooks.get(name)
    return writers.mail(report) if hook is None else writers.webhooks[hook.format](report, at)


def check_names(names: Iterable[str], settings: Settings) -> list[str]:
    """Each name once; a BirthmarkError for one that the settings do not have."""
    known, names = sinks(settings), list(dict.fromkeys(names))
    for name in names:
        if name not in known:
            there = f"it has {', '.join(known)}" if known else "it has none"
            raise BirthmarkError(f"{name}: {CONFIG_FILE} has no [webhooks.{name}] or [mail.{name}]; {there}")
    return names


def _new_id() -> str:
    return "msg_" + base64.b32encode(secrets.token_bytes(_ID_BYTES)).decode().lower()


def list_messages(folder: Path) -> list[Message]:
    with outbox(find_workspace(folder)) as store:
        return store.messages() if store else []


def deliver_messages(folder: Path, wait: float | None = None, names: Collection[str] | None = None) -> DeliveryReport:
    """Send what is due, to the named sinks or to all; with `wait` until nothing is pending, or so many seconds."""
    workspace = find_workspace(folder)
    settings = load_settings(workspace.root)
    require_trust(settings)
    has_sinks = bool(sinks(settings))
    with outbox(workspace) as store:
        if store is None:
            return DeliveryReport(Delivered(), 0, has_sinks)
        done = deliver_due(store, settings, names=names) if wait is None else deliver_until_done(store, settings, wait)
        return DeliveryReport(done, len(store.messages(DeliveryState.PENDING)), has_sinks)


def retry_messages(folder: Path, ids: Sequence[str] = ()) -> int:
    """Make dead messages pending, those named or all; how many they were."""
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
