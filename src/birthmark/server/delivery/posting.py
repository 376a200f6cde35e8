"""Make the messages of a scan's report, and send what is due.

Takes a report, names of sinks and the settings that say where each of them is; the body of a message is that of its
webhook's format, or a mail in Markdown.
"""

from __future__ import annotations

import base64
import re
import secrets
from collections.abc import Callable, Collection, Iterable, Iterator
from html import escape
from pathlib import Path

from birthmark.app.scans.stored_scans import outbox
from birthmark.app.workspace.workspace import find_workspace
from birthmark.documents.document import encode_line
from birthmark.documents.scans import WebhookDocument, report_document
from birthmark.documents.sentences import span
from birthmark.errors import BirthmarkError
from birthmark.server.delivery.sending import Delivered, MailBody, deliver_due, deliver_until_done, sinks
from birthmark.sources.config import CONFIG_FILE, Settings, load_settings
from birthmark.store.model import Message
from birthmark.subscriptions.model import ScanReport, timestamp
from birthmark.surfaces.formats.annotations import Annotation, list_annotations
from birthmark.surfaces.formats.markdown import subject_line, summary
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
            message="msg_" + base64.b32encode(secrets.token_bytes(_ID_BYTES)).decode().lower(),
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


def _write_mail(report: ScanReport) -> bytes:
    from birthmark.surfaces.formats.report_formats import FORMATS

    return encode_line(MailBody(subject_line(report), FORMATS["markdown"](report)))


def check_names(names: Iterable[str], settings: Settings) -> list[str]:
    """Each name once; a BirthmarkError for one that the settings do not have."""
    known, names = sinks(settings), list(dict.fromkeys(names))
    for name in names:
        if name not in known:
            there = f"it has {', '.join(known)}" if known else "it has none"
            raise BirthmarkError(f"{name}: {CONFIG_FILE} has no [webhooks.{name}] or [mail.{name}]; {there}")
    return names


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


# Slack refuses blocks of more than about 13,000 characters or 50 of them, Teams cards of more than about 28 KB.
MOST_BYTES = 11_000  # of all items
MOST_ITEMS = 40
_LONGEST_HEADER = 150
_LONGEST_TEXT = 1_000
_Element = dict[str, object]
_ZERO_WIDTH = "\N{ZERO WIDTH SPACE}"
_TWO_BRACES = re.compile(r"\{(?=\{)")


# Chats. All text is in elements that read no markup (`rich_text` of Slack, `RichTextBlock` of cards), so a name of a
# repository is shown as it is, and can neither be a link nor mention someone.


def write_slack(report: ScanReport, _at: str) -> bytes:
    """`text` is what notifications show, and the one text in which `&`, `<` and `>` mean something."""
    header = {"type": "header", "text": {"type": "plain_text", "text": _cut(subject_line(report), _LONGEST_HEADER)}}
    blocks = [header, _slack_block(("", _overview(report))), *_fitting(report, _slack_block)]
    return encode_line({"text": escape(_cut(subject_line(report)), quote=False), "blocks": blocks})


def write_teams(report: ScanReport, _at: str) -> bytes:
    """Return an Adaptive Card for a workflow."""
    head = [_teams_block(("title", subject_line(report))), _teams_block(("", _overview(report)))]
    card = {
        "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
        "type": "AdaptiveCard",
        "version": "1.4",
        "msteams": {"width": "Full"},
        "body": [*head, *_fitting(report, _teams_block, separator=True)],
    }
    attachment = {"contentType": "application/vnd.microsoft.card.adaptive", "contentUrl": None, "content": card}
    return encode_line({"type": "message", "attachments": [attachment]})


def _overview(report: ScanReport) -> str:
    return f"{summary(report)}; {span(report)}"


def _fitting(report: ScanReport, block: Callable[..., _Element], **properties: object) -> Iterator[_Element]:
    """Yield items up to the size limit, then the number of those left out."""
    annotations, room = list_annotations(report), MOST_BYTES
    for n_written, annotation in enumerate(annotations):
        item = block(*_parts(annotation)) | properties
        room -= len(encode_line(item))
        if room < 0 or n_written == MOST_ITEMS:
            yield block(("", f"{len(annotations) - n_written:,} more; `birthmark scan` lists all"))
            return
        yield item


def _cut(text: str, longest: int = _LONGEST_TEXT) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def _parts(annotation: Annotation) -> Iterator[tuple[str, str]]:
    """Yield the parts of an item, each with its markup."""
    yield "bold", annotation.title
    if annotation.location.path:
        yield "", "\n"
        yield "code", str(annotation.location)
    yield "", f"\n{annotation.message}"


def _slack_block(*parts: tuple[str, str]) -> _Element:
    texts = [
        {"type": "text", "text": _cut(text), **({"style": {style: True}} if style else {})} for style, text in parts
    ]
    return {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": texts}]}


_TEAMS_STYLES: dict[str, dict[str, str]] = {
    "": {},
    "title": {"size": "Large", "weight": "Bolder"},
    "bold": {"weight": "Bolder"},
    "code": {"fontType": "Monospace"},
}


def _teams_block(*parts: tuple[str, str]) -> _Element:
    """`{{DATE(…)}}` is the one thing that is read in a text."""
    texts = ((style, _TWO_BRACES.sub(f"{{{_ZERO_WIDTH}", _cut(text))) for style, text in parts)
    return {
        "type": "RichTextBlock",
        "inlines": [{"type": "TextRun", "text": text, **_TEAMS_STYLES[style]} for style, text in texts],
    }


_WRITERS: dict[WebhookFormat, Callable[[ScanReport, str], bytes]] = {
    # The document of `scan --json`.
    WebhookFormat.JSON: lambda report, at: encode_line(WebhookDocument(EVENT, at, report_document(report))),
    WebhookFormat.SLACK: write_slack,
    WebhookFormat.TEAMS: write_teams,
}
