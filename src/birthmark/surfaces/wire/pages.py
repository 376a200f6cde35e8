"""Documents that HTTP answers a page at a time: lists, and documents of which a list is cut."""

from __future__ import annotations

from typing import Annotated

from birthmark.surfaces.wire.answers import ClonesDocument, EdgesDocument
from birthmark.surfaces.wire.changes import BlameDocument, DiffDocument, HistoryDocument, UserHistoryDocument
from birthmark.surfaces.wire.definitions import ChunkChangesDocument, ChunkDocument, EntityDocument, NodeDocument
from birthmark.surfaces.wire.document import Document, doc
from birthmark.surfaces.wire.graph_questions import (
    ComponentsDocument,
    CyclesDocument,
    ImpactDocument,
    RankDocument,
    UnusedDocument,
)
from birthmark.surfaces.wire.index import FreshnessDocument
from birthmark.surfaces.wire.messages import MessageDocument
from birthmark.surfaces.wire.notes import NoteDocument
from birthmark.surfaces.wire.overview import TreeDocument
from birthmark.surfaces.wire.reviews import ReviewDocument
from birthmark.surfaces.wire.scans import PastTriggerDocument, ReportDocument, ScanDocument
from birthmark.surfaces.wire.structure import HotspotsDocument, ModulesDocument
from birthmark.surfaces.wire.subscriptions import SubscriptionDocument
from birthmark.surfaces.wire.tests import AffectedDocument, TestsDocument

Truncated = Annotated[bool, doc("whether there is more")]
Next = Annotated[int | None, doc("the `offset` of the next page, null if there is none")]


class Page(Document, kw_only=True, frozen=True):
    """A page of a list."""

    truncated: Truncated
    next: Next


class IndexPage(Page, kw_only=True, frozen=True):
    """A page of a list from the index."""

    freshness: FreshnessDocument


class EntityPage(IndexPage, frozen=True):
    """Entities."""

    items: list[EntityDocument]


class NodePage(IndexPage, frozen=True):
    """Nodes."""

    items: list[NodeDocument]


class ChunkPage(IndexPage, frozen=True):
    """Chunks."""

    items: list[ChunkDocument]


class ChunkChangesPage(ChunkChangesDocument, frozen=True):
    """What became of chunks, with a page of `changes`."""

    truncated: Truncated
    next: Next


class SubscriptionPage(Page, frozen=True):
    """Subscriptions."""

    items: list[SubscriptionDocument]


class NotePage(IndexPage, frozen=True):
    """Notes."""

    items: list[NoteDocument]


class ScanPage(Page, frozen=True):
    """Stored scans, the newest first."""

    items: list[ScanDocument]


class PastTriggerPage(Page, frozen=True):
    """What stored scans have reported, the newest first."""

    items: list[PastTriggerDocument]


class MessagePage(Page, frozen=True):
    """Messages to webhooks and mailboxes, the newest first."""

    items: list[MessageDocument]


class DiffPage(DiffDocument, frozen=True):
    """A diff, with a page of `changes`."""

    truncated: Truncated
    next: Next


class HistoryPage(HistoryDocument, frozen=True):
    """A history, with a page of `events`."""

    truncated: Truncated
    next: Next


class UserHistoryPage(UserHistoryDocument, frozen=True):
    """When users came and went, with a page of `events`."""

    truncated: Truncated
    next: Next


class BlamePage(Page, frozen=True):
    """Who last changed each entity, file by file."""

    items: list[BlameDocument]


class EdgesPage(EdgesDocument, kw_only=True, frozen=True):
    """Users or callees, with a page of `results`."""

    truncated: Truncated
    next: Next


class ClonesPage(ClonesDocument, kw_only=True, frozen=True):
    """Definitions that are nearly the same, with a page of `groups`."""

    truncated: Truncated
    next: Next


class TestsPage(TestsDocument, frozen=True):
    """Tests that reach an entity, with a page of `results`."""

    truncated: Truncated
    next: Next


class AffectedPage(AffectedDocument, frozen=True):
    """Tests to run after a change, with a page of `results`."""

    truncated: Truncated
    next: Next


class ReviewPage(ReviewDocument, frozen=True):
    """A review, with a page of each of its lists but `problems` and `notes`."""

    truncated: Truncated
    next: Next


class ModulesPage(ModulesDocument, frozen=True):
    """Modules, with a page of `modules`, `uses` and `cycles`."""

    truncated: Truncated
    next: Next


class HotspotsPage(HotspotsDocument, frozen=True):
    """Hotspots, with a page of `results`."""

    truncated: Truncated
    next: Next


class TreePage(TreeDocument, frozen=True):
    """What a folder consists of, with a page of `children`."""

    truncated: Truncated
    next: Next


class ImpactPage(ImpactDocument, kw_only=True, frozen=True):
    """What may break, with a page of `results`."""

    truncated: Truncated
    next: Next


class CyclesPage(CyclesDocument, frozen=True):
    """What is in cycles, with a page of `groups`."""

    truncated: Truncated
    next: Next


class ComponentsPage(ComponentsDocument, frozen=True):
    """What is connected, with a page of `groups`."""

    truncated: Truncated
    next: Next


class RankPage(RankDocument, frozen=True):
    """What is central, with a page of `results`."""

    truncated: Truncated
    next: Next


class UnusedPage(UnusedDocument, frozen=True):
    """Definitions without known users, with a page of `results`."""

    truncated: Truncated
    next: Next


class ReportPage(ReportDocument, frozen=True):
    """A report, with a page of `triggers`, `proposals`, `ambiguous` and `docs`."""

    truncated: Truncated
    next: Next


class ErrorDetailsDocument(Document, frozen=True):
    """Why a request has no answer."""

    message: str
    code: str
    choices: Annotated[list[str], doc("a line for each thing that may be meant")]


class ErrorDocument(Document, frozen=True):
    """The answer to a request that failed."""

    error: ErrorDetailsDocument
