"""Make the messages of a scan's report, and send what is due.

Takes a report, names of sinks and the settings that say where each of them is; the body of a message is that of its
webhook's format, or a mail in Markdown.
"""

from __future__ import annotations

import base64
import secrets
from collections.abc import Callable, Collection, Iterable
from pathlib import Path

from birthmark.app.scans.stored_scans import outbox
from birthmark.app.workspace.workspace import find_workspace
from birthmark.documents.document import encode_line
from birthmark.documents.scans import WebhookDocument, report_document
from birthmark.errors import BirthmarkError
from birthmark.server.delivery.chat_messages import write_slack, write_teams
from birthmark.server.delivery.sending import Delivered, MailBody, deliver_due, deliver_until_done, sinks
from birthmark.sources.config import CONFIG_FILE, Settings, load_settings
from birthmark.store.model import Message
from birthmark.subscriptions.model import ScanReport, timestamp
from birthmark.surfaces.formats.markdown import subject_line
from birthmark.vocabulary import DeliveryState, WebhookFormat

EVENT = "birthmark.scan.triggered"
_ID_BYTES = 20


def posting(folder: Path, names: Iterable[str]) -> Callable[[ScanReport], list[Message]]:
    """Return what makes the messages of a report; fail at once, before a scan, if a name is unknown."""
    settings = load_settings(find_workspace(folder).root)
    require_trust(settings)
    names = check_names(names, settings)
    return lambda report: make_messages(report, names, settings)


def require_trust(settings: Settings) -> None:
    """Refuse to send anything while the repository asks for receivers that the user has not seen."""
    refused = [name for name in settings.refused if name.partition(".")[0] in ("webhooks", "mail")]
    if refused:
        names = ", ".join(refused)
        raise BirthmarkError(
            f"{CONFIG_FILE} sets {names}, which a repository may not; review it with `birthmark trust`"
        )


def make_messages(report: ScanReport, names: Iterable[str], settings: Settings) -> list[Message]:
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
            body=_write_body(report, name, settings, at),
            created_at=at,
        )
        for name in names
    ]


def _write_body(report: ScanReport, name: str, settings: Settings, at: str) -> bytes:
    hook = settings.webhooks.get(name)
    return _write_mail(report) if hook is None else _WRITERS[hook.format](report, at)


def _write_document(report: ScanReport, at: str) -> bytes:
    """The document of `scan --json`."""
    return encode_line(WebhookDocument(EVENT, at, report_document(report)))


def _write_mail(report: ScanReport) -> bytes:
    from birthmark.surfaces.formats.report_formats import FORMATS

    return encode_line(MailBody(subject_line(report), FORMATS["markdown"](report)))


_WRITERS: dict[WebhookFormat, Callable[[ScanReport, str], bytes]] = {
    WebhookFormat.JSON: _write_document,
    WebhookFormat.SLACK: write_slack,
    WebhookFormat.TEAMS: write_teams,
}


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


def deliver_messages(
    folder: Path, wait: float | None = None, names: Collection[str] | None = None
) -> tuple[Delivered, int, bool]:
    """Send what is due, to the named sinks or to all; with `wait` until nothing is pending, or so many seconds.

    Returns what came of it, the number of messages that are still pending, and whether the settings have any sinks.
    """
    workspace = find_workspace(folder)
    settings = load_settings(workspace.root)
    require_trust(settings)
    has_sinks = bool(sinks(settings))
    with outbox(workspace) as store:
        if store is None:
            return Delivered(), 0, has_sinks
        done = deliver_due(store, settings, names=names) if wait is None else deliver_until_done(store, settings, wait)
        return done, len(store.messages(DeliveryState.PENDING)), has_sinks
