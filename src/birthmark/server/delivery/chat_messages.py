"""A scan's report as a message for a chat: Slack's blocks, or an Adaptive Card for a workflow of Teams.

All text is in elements that read no markup (`rich_text` of Slack, `RichTextBlock` of cards), so a name of a repository
is shown as it is, and can neither be a link nor mention someone. A message has the items that fit, and counts the rest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import escape

from birthmark.documents.document import encode_line
from birthmark.documents.sentences import span
from birthmark.subscriptions.model import ScanReport
from birthmark.surfaces.formats.annotations import Annotation, list_annotations
from birthmark.surfaces.formats.markdown import subject_line, summary

# Slack refuses blocks of more than about 13,000 characters or 50 of them, Teams cards of more than about 28 KB.
MOST_BYTES = 11_000  # of all items
MOST_ITEMS = 40
_LONGEST_HEADER = 150
_LONGEST_TEXT = 1_000
_Element = dict[str, object]
_ZERO_WIDTH = "\N{ZERO WIDTH SPACE}"
_TWO_BRACES = re.compile(r"\{(?=\{)")


def write_slack(report: ScanReport, _at: str) -> bytes:
    """`text` is what notifications show, and the one text in which `&`, `<` and `>` mean something."""
    header = {"type": "header", "text": {"type": "plain_text", "text": _cut(subject_line(report), _LONGEST_HEADER)}}
    blocks = [header, _slack_block(_slack_text(_overview(report))), *_fitting(report, _slack_item, _slack_more)]
    return encode_line({"text": escape(_cut(subject_line(report)), quote=False), "blocks": blocks})


def write_teams(report: ScanReport, _at: str) -> bytes:
    title = _teams_block(_teams_text(subject_line(report), size="Large", weight="Bolder"))
    body = [title, _teams_block(_teams_text(_overview(report))), *_fitting(report, _teams_item, _teams_more)]
    card = {
        "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
        "type": "AdaptiveCard",
        "version": "1.4",
        "msteams": {"width": "Full"},
        "body": body,
    }
    attachment = {"contentType": "application/vnd.microsoft.card.adaptive", "contentUrl": None, "content": card}
    return encode_line({"type": "message", "attachments": [attachment]})


def _overview(report: ScanReport) -> str:
    return f"{summary(report)}; {span(report)}"


def _fitting(
    report: ScanReport, write: Callable[[Annotation], _Element], write_rest: Callable[[int], _Element]
) -> Iterator[_Element]:
    """Yield items up to the size limit, then the number of those left out."""
    annotations, room = list_annotations(report), MOST_BYTES
    for n_written, annotation in enumerate(annotations):
        item = write(annotation)
        room -= len(encode_line(item))
        if room < 0 or n_written == MOST_ITEMS:
            yield write_rest(len(annotations) - n_written)
            return
        yield item


def _more(n_left: int) -> str:
    return f"{n_left:,} more; `birthmark scan` lists all"


def _cut(text: str, longest: int = _LONGEST_TEXT) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def _parts(annotation: Annotation) -> Iterator[tuple[str, str]]:
    """Yield the parts of an item, each with its markup."""
    yield "bold", annotation.title
    if annotation.location.path:
        yield "", "\n"
        yield "code", str(annotation.location)
    yield "", f"\n{annotation.message}"


# Slack


def _slack_item(annotation: Annotation) -> _Element:
    return _slack_block(*(_slack_text(text, style) for style, text in _parts(annotation)))


def _slack_more(n_left: int) -> _Element:
    return _slack_block(_slack_text(_more(n_left)))


def _slack_block(*texts: _Element) -> _Element:
    return {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": texts}]}


def _slack_text(text: str, style: str = "") -> _Element:
    return {"type": "text", "text": _cut(text), **({"style": {style: True}} if style else {})}


# Teams


_TEAMS_STYLES: dict[str, dict[str, str]] = {"bold": {"weight": "Bolder"}, "code": {"fontType": "Monospace"}, "": {}}


def _teams_item(annotation: Annotation) -> _Element:
    runs = (_teams_text(text, **_TEAMS_STYLES[style]) for style, text in _parts(annotation))
    return _teams_block(*runs) | {"separator": True}


def _teams_more(n_left: int) -> _Element:
    return _teams_block(_teams_text(_more(n_left)))


def _teams_block(*runs: _Element) -> _Element:
    return {"type": "RichTextBlock", "inlines": runs}


def _teams_text(text: str, **style: str) -> _Element:
    """`{{DATE(…)}}` is the one thing that is read in it."""
    return {"type": "TextRun", "text": _TWO_BRACES.sub(f"{{{_ZERO_WIDTH}", _cut(text)), **style}
