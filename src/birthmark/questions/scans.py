"""Scans: compare subscriptions with a state of the repository, accept what was found, read what was stored and sent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, ClassVar

from msgspec import Meta

from birthmark.app.scans import scanning, stored_scans
from birthmark.app.scans.scanning import ScanOptions
from birthmark.app.scans.subscription_states import past_triggers
from birthmark.app.workspace.session import Session
from birthmark.documents.scans import (
    MessageDocument,
    MessagePage,
    PastTriggerPage,
    ReportDocument,
    ScanPage,
    message_document,
    past_trigger_document,
    report_document,
    scan_document,
)
from birthmark.documents.subscriptions import AppliedDocument
from birthmark.questions.parameters import REVISION, Text
from birthmark.questions.question import PagedQuestion, Question
from birthmark.store.model import KEPT_SCANS, Message
from birthmark.subscriptions.model import ScanReport
from birthmark.vocabulary import DeliveryState

_LISTS = ("triggers", "proposals", "ambiguous", "docs")
Ids = Annotated[
    tuple[Text, ...],
    Meta(
        description="Of subscriptions; all of them if left out.",
        extra={"completes": "subscription", "argument": "[ID…]"},
    ),
]


class Scan(PagedQuestion, frozen=True, kw_only=True):
    """Check all subscriptions, or those named: report what changed, and propose where each should point now.

    The subscriptions are not changed: `birthmark apply` accepts the findings.

    Examples:
      birthmark scan
      birthmark scan --base main --exit-code
      birthmark scan --base v1.0 --target v2.0 --json
      birthmark scan --docs --format markdown
      birthmark scan --docs --fix
      birthmark scan --updates updates.md
    """

    arguments: ClassVar = ("ids",)
    refreshes: ClassVar = False
    writes: ClassVar = True
    route: ClassVar = "POST /scan"
    body: ClassVar = "ScanRequest"

    base: Annotated[
        Text | None,
        Meta(description="Compare with this revision instead of the accepted states.", extra=REVISION),
    ] = None
    target: Annotated[Text | None, Meta(description="Scan this revision instead of the worktree.", extra=REVISION)] = (
        None
    )
    ids: Ids = ()
    docs: Annotated[bool, Meta(description="Also check the links `<!-- birthmark: REF -->` in Markdown files.")] = False
    cosmetic: Annotated[bool, Meta(description="Also report formatting, comments and documentation.")] = False
    quick: Annotated[bool, Meta(description="Look up neither the commits nor the lines of what changed.")] = False

    def answer(self, session: Session) -> ReportDocument:
        """Return the first page; the others are those of the stored scan."""
        return self.cut_lists(report_document(self.find(session)), *_LISTS)

    def find(
        self,
        session: Session,
        *,
        record: bool = True,
        post: Callable[[ScanReport], list[Message]] | None = None,
    ) -> ScanReport:
        """Return all that is found, and store it with its messages."""
        options = ScanOptions(self.base, self.target, self.ids, self.docs, self.cosmetic, record, self.quick, post)
        return scanning.scan(session, options)


class Apply(Question, frozen=True, kw_only=True):
    """Accept what the last scan found: path, lines and fingerprints are refreshed together.

    Examples:
      birthmark apply --dry-run
      birthmark apply
      birthmark apply sub-7k3q9w2m4x
      birthmark apply --from updates.md
    """

    arguments: ClassVar = ("ids",)
    refreshes: ClassVar = False
    writes: ClassVar = True
    route: ClassVar = "POST /apply"
    body: ClassVar = "ApplyRequest"

    ids: Ids = ()
    dry_run: Annotated[bool, Meta(description="Print what would be applied, and change nothing.")] = False
    scan: Annotated[
        int | None,
        Meta(description="Apply what the scan of this number found; else the last one."),
    ] = None

    def answer(self, session: Session) -> AppliedDocument:
        return self.accept(session)

    def accept(self, session: Session, report: ScanReport | None = None) -> AppliedDocument:
        """Accept what a report has; what the stored scan has, if there is none."""
        return scanning.apply(session, self.ids, self.dry_run, report, self.scan)


class Scans(PagedQuestion, frozen=True, kw_only=True):
    """List the stored scans, newest first."""

    refreshes: ClassVar = False
    route: ClassVar = "GET /scans"

    def answer(self, session: Session) -> ScanPage:
        most = KEPT_SCANS if self.end is None else self.end + 1
        rows = stored_scans.list_scans(session.workspace, most, session.visible)
        items, start = self.cut(map(scan_document, rows))
        return ScanPage(items, truncated=start is not None, next=start)


class StoredScan(PagedQuestion, frozen=True, kw_only=True):
    """Show what a stored scan found."""

    refreshes: ClassVar = False
    route: ClassVar = "GET /scans/{number}"

    number: Annotated[int, Meta(ge=1, le=10**12, description="The number of a scan.")]

    def answer(self, session: Session) -> ReportDocument:
        report = stored_scans.read_scan(session.workspace, self.number, session.visible)
        return self.cut_lists(report_document(report), *_LISTS)


class Triggers(PagedQuestion, frozen=True, kw_only=True):
    """List what scans have reported, newest first."""

    refreshes: ClassVar = False
    route: ClassVar = "GET /triggers"

    ids: Ids = ()
    scans: Annotated[int, Meta(ge=1, le=KEPT_SCANS, description="Look through the last N scans.")] = KEPT_SCANS

    def answer(self, session: Session) -> PastTriggerPage:
        found = past_triggers(session.workspace, self.ids, self.scans, session.visible)
        items, start = self.cut(past_trigger_document(*one) for one in found)
        return PastTriggerPage(items, truncated=start is not None, next=start)


# Messages to webhooks and mailboxes. Nothing is sent here: `birthmark deliver` sends what is pending.


class Deliveries(PagedQuestion, frozen=True, kw_only=True):
    """List the messages of scans, newest first."""

    refreshes: ClassVar = False
    route: ClassVar = "GET /deliveries"

    state: Annotated[DeliveryState | None, Meta(description="Only messages in this state.")] = None

    def answer(self, session: Session) -> MessagePage:
        found = reversed(stored_scans.list_messages(session.workspace.root))
        items, start = self.cut(message_document(one) for one in found if self.state in (None, one.state))
        return MessagePage(items, truncated=start is not None, next=start)


class RetryDelivery(Question, frozen=True, kw_only=True):
    """Have a message that was given up sent again, by the next `birthmark deliver`."""

    refreshes: ClassVar = False
    writes: ClassVar = True
    route: ClassVar = "POST /deliveries/{message}/retry"

    message: Annotated[Text, Meta(description="The id of a message.")]

    def answer(self, session: Session) -> MessageDocument:
        return message_document(stored_scans.retry_message(session.workspace.root, self.message))
