"""Messages to webhooks and mailboxes over HTTP. Nothing is sent here: `birthmark deliver` sends what is pending."""

from __future__ import annotations

from birthmark.app.scans.outbox import list_messages, retry_message
from birthmark.documents.scans import MessageDocument, MessagePage, message_document
from birthmark.surfaces.http.routes.paging import page_of
from birthmark.surfaces.http.routes.requests import HttpQuery


def list_deliveries(query: HttpQuery) -> MessagePage:
    """The newest first."""
    state = query.get("state")
    found = (one for one in reversed(list_messages(query.folder)) if state is None or one.state == state)
    items, end = page_of(query, map(message_document, found))
    return MessagePage(items, **end._asdict())


def retry_delivery(query: HttpQuery) -> MessageDocument:
    return message_document(retry_message(query.folder, query.values["message"]))
