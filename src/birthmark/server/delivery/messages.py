"""Documents of messages to webhooks and mailboxes."""

from __future__ import annotations

from typing import Annotated

from birthmark.documents.document import Document, PagedDocument, doc, make
from birthmark.server.delivery.sending import Delivered, next_attempt
from birthmark.store.model import Message


class MessageDocument(Document, frozen=True):
    """A message to a webhook or a mailbox."""

    id: str
    scan: int
    sink: Annotated[str, doc("the name of a webhook or an address in the settings")]
    state: Annotated[str, doc("`pending`, `delivered` or `dead`")]
    attempts: int
    next_at: Annotated[str | None, doc("when it is sent next, null if it is not")]
    error: Annotated[str | None, doc("of the last attempt")]
    created_at: str


class DeliveryDocument(Document, frozen=True):
    """What came of the messages that were due."""

    delivered: list[MessageDocument]
    failed: Annotated[list[MessageDocument], doc("to be retried")]
    dead: Annotated[list[MessageDocument], doc("given up")]
    pending: Annotated[int, doc("how many messages are still to be sent")]


class MessagePage(PagedDocument, frozen=True):
    """Messages to webhooks and mailboxes, the newest first."""

    items: list[MessageDocument]


def message_document(message: Message) -> MessageDocument:
    return make(MessageDocument, message, id=message.message, next_at=next_attempt(message))


def delivery_document(done: Delivered, n_pending: int) -> DeliveryDocument:
    delivered, failed, dead = ([message_document(message) for message in messages] for messages in done)
    return DeliveryDocument(delivered, failed, dead, n_pending)
