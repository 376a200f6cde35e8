"""Messages of scans to webhooks and mailboxes. Nothing is sent here: `birthmark deliver` sends what is pending."""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import Meta

from birthmark.app.scans.stored_scans import list_messages, retry_message
from birthmark.app.workspace.session import Session
from birthmark.documents.scans import MessageDocument, MessagePage, message_document
from birthmark.questions.parameters import Text
from birthmark.questions.question import PagedQuestion, Question
from birthmark.vocabulary import DeliveryState


class Deliveries(PagedQuestion, frozen=True, kw_only=True):
    """List the messages of scans, newest first."""

    refreshes: ClassVar = False
    route: ClassVar = "GET /deliveries"

    state: Annotated[DeliveryState | None, Meta(description="Only messages in this state.")] = None

    def answer(self, session: Session) -> MessagePage:
        found = reversed(list_messages(session.workspace.root))
        items, start = self.cut(message_document(one) for one in found if self.state in (None, one.state))
        return MessagePage(items, truncated=start is not None, next=start)


class RetryDelivery(Question, frozen=True, kw_only=True):
    """Have a message that was given up sent again, by the next `birthmark deliver`."""

    refreshes: ClassVar = False
    writes: ClassVar = True
    route: ClassVar = "POST /deliveries/{message}/retry"

    message: Annotated[Text, Meta(description="The id of a message.")]

    def answer(self, session: Session) -> MessageDocument:
        return message_document(retry_message(session.workspace.root, self.message))
