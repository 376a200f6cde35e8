"""Documents of lists that HTTP and Python answer, and of errors."""

from __future__ import annotations

from typing import Annotated

from birthmark.documents.changes import BlameDocument
from birthmark.documents.definitions import ChunkDocument, EntityDocument, NodeDocument
from birthmark.documents.document import Document, PagedDocument, doc
from birthmark.documents.index import FreshnessDocument
from birthmark.documents.messages import MessageDocument
from birthmark.documents.notes import NoteDocument
from birthmark.documents.scans import PastTriggerDocument, ScanDocument
from birthmark.documents.subscriptions import SubscriptionDocument


class EntityPage(PagedDocument, frozen=True):
    """Entities."""

    items: list[EntityDocument]
    freshness: FreshnessDocument


class NodePage(PagedDocument, frozen=True):
    """Nodes."""

    items: list[NodeDocument]
    freshness: FreshnessDocument


class ChunkPage(PagedDocument, frozen=True):
    """Chunks."""

    items: list[ChunkDocument]
    freshness: FreshnessDocument


class NotePage(PagedDocument, frozen=True):
    """Notes."""

    items: list[NoteDocument]
    freshness: FreshnessDocument


class BlamePage(PagedDocument, frozen=True):
    """Who last changed each entity, file by file."""

    items: list[BlameDocument]


class SubscriptionPage(PagedDocument, frozen=True):
    """Subscriptions."""

    items: list[SubscriptionDocument]


class ScanPage(PagedDocument, frozen=True):
    """Stored scans, the newest first."""

    items: list[ScanDocument]


class PastTriggerPage(PagedDocument, frozen=True):
    """Triggers that stored scans have reported, the newest first."""

    items: list[PastTriggerDocument]


class MessagePage(PagedDocument, frozen=True):
    """Messages to webhooks and mailboxes, the newest first."""

    items: list[MessageDocument]


class ErrorDetailsDocument(Document, frozen=True):
    """Why a request has no answer."""

    message: str
    code: str
    choices: Annotated[list[str], doc("a line for each thing that may be meant")]


class ErrorDocument(Document, frozen=True):
    """The answer to a request that failed."""

    error: ErrorDetailsDocument
