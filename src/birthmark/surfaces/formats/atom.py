"""Triggers of stored scans as an Atom feed (RFC 4287).

Takes a SubscriptionFeed and gives a document. Scans report a change again and again until it is accepted: it is one
entry, with the date of the first of these scans. Ids depend on the change alone, so each scan gives it the same one.
There is no link to the feed itself: its address may have a key, and readers pass documents on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import escape
from uuid import UUID, uuid5
from xml.etree.ElementTree import Element, SubElement, tostring

from birthmark import __version__
from birthmark.app.scans.subscription_states import PastTrigger, SubscriptionFeed
from birthmark.documents.sentences import place_sentence, subject_name, title
from birthmark.documents.wording import MANY, current_location, place_location, plain
from birthmark.subscriptions.model import Finding
from birthmark.surfaces.formats.annotations import change_fingerprint
from birthmark.words import visible

MOST_ENTRIES = 200
MEDIA_TYPE = "application/atom+xml"
_NAMESPACE = "http://www.w3.org/2005/Atom"
_IDS = UUID("5b8a3a4e-63a5-4f0c-9d3c-0a8f3a1c9e52")
_LONGEST_LINE = 300
_NO_XML = re.compile("[\ufffe\uffff]")  # beyond what `visible` replaces


def write_feed(feed: SubscriptionFeed) -> bytes:
    entries = list(_once_each(feed.triggers))[:MOST_ENTRIES]
    root = Element("feed", xmlns=_NAMESPACE)
    _put(root, "id", _id_of("feed", feed.subscription.id if feed.subscription else str(feed.root)))
    _put(root, "title", _feed_title(feed))
    _put(root, "updated", max((entry.at for entry in entries), default=_beginning(feed)))
    _put(SubElement(root, "author"), "name", "birthmark")
    _put(root, "generator", "birthmark", version=__version__)
    for entry in entries:
        _put_entry(SubElement(root, "entry"), entry)
    return b'<?xml version="1.0" encoding="utf-8"?>\n' + tostring(root, "unicode").encode() + b"\n"


def _feed_title(feed: SubscriptionFeed) -> str:
    about = "all subscriptions" if feed.subscription is None else subject_name(feed.subscription)
    label = feed.subscription.label if feed.subscription else None
    return f"birthmark, {plain(feed.repository or feed.root.name)}: {about}" + (f" ({plain(label)})" if label else "")


def _beginning(feed: SubscriptionFeed) -> str:
    """Return a constant time for the last change of a feed without entries."""
    return (feed.subscription.created_at if feed.subscription else "") or "1970-01-01T00:00:00Z"


def _once_each(triggers: Iterable[PastTrigger]) -> Iterator[PastTrigger]:
    """Each change as it was first reported, the newest first."""
    first = {_entry_id(past.finding): past for past in triggers}
    return iter(sorted(first.values(), key=lambda past: past.scan, reverse=True))


def _entry_id(found: Finding) -> str:
    """Return an id that differs after each acceptance, since the same change may happen again."""
    return _id_of("entry", change_fingerprint(found), found.subscription.updated_at)


def _id_of(*parts: str) -> str:
    return uuid5(_IDS, "\0".join(parts).encode("utf-8", "surrogatepass").hex()).urn


def _put_entry(entry: Element, past: PastTrigger) -> None:
    _put(entry, "id", _entry_id(past.finding))
    _put(entry, "title", title(past.finding))
    _put(entry, "published", past.at)
    _put(entry, "updated", past.at)
    _put(entry, "category", term=str(past.finding.trigger.change_type) if past.finding.trigger else "")
    _put(entry, "content", "".join(_paragraphs(past)), type="html")


def _put(parent: Element, tag: str, text: str | None = None, **attributes: str) -> None:
    element = SubElement(parent, tag, attributes)
    element.text = text if text is None else _NO_XML.sub("\N{REPLACEMENT CHARACTER}", text)


def _paragraphs(past: PastTrigger) -> Iterator[str]:
    """Yield the HTML of an entry."""
    found, trigger = past.finding, past.finding.trigger
    assert trigger is not None
    yield f"<p>{escape(title(found))}</p>"
    if current_location(found).path:
        yield f"<p><code>{escape(plain(str(current_location(found))))}</code></p>"
    if found.subscription.description:
        yield f"<p>{escape(plain(found.subscription.description))}</p>"
    for place in trigger.places[:MANY]:
        at = place_location(found, place)
        yield f"<p><code>{escape(plain(str(at)))}</code> {escape(place_sentence(place))}</p>"
    yield from _changed_lines(found)
    yield f"<p>scan {past.scan}, {found.subscription.id}</p>"


def _changed_lines(found: Finding) -> Iterator[str]:
    explanation = found.trigger.explanation if found.trigger else None
    lines = [line for hunk in explanation.hunks for line in hunk.lines] if explanation else []
    if lines:
        yield "<pre>" + "\n".join(escape(line.sign + visible(line.text)[:_LONGEST_LINE]) for line in lines) + "</pre>"
