"""The update document: the acceptable findings of a scan, to be reviewed now and applied later.

As JSON it is the report, and all of it is to be applied. As Markdown it has a box for each subscription that can be
accepted, and only those still ticked are applied; the report itself is in a comment at the end, so what is
applied is what was scanned, whatever is written above it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from birthmark.documents.document import encode_json, encode_line
from birthmark.documents.sentences import sentence
from birthmark.documents.wording import old_location
from birthmark.errors import BirthmarkError
from birthmark.subscriptions.model import Finding, ScanReport
from birthmark.surfaces.formats.annotations import RULES
from birthmark.surfaces.formats.markdown import STYLE, describe_proposal, explain, span_of, subject, sublist
from birthmark.vocabulary import ChangeType

VERSION = 1
_OPENING, _CLOSING = "<!-- birthmark-updates", "-->"
_COMMENT = re.compile(rf"^{_OPENING}[ \t]*\r?\n(?P<json>.*?)(?:{_CLOSING}|\Z)", re.M | re.S)
_BOX = re.compile(r"^[ \t]*[-*+][ \t]+\[(?P<tick>[ xX])\][ \t]+(?P<id>\S+)", re.M)
_ANEW = "write it anew with `birthmark scan --updates FILE`"
_INTRODUCTION = (
    "What stays ticked is accepted when this document is applied with `birthmark apply --from FILE`. "
    "Untick what should be reported again."
)
_MOVED, _MUTED = "They have only moved.", "They are muted."
_NOTHING = "There is nothing to accept: subscribe anew, or delete the subscription."


class _Updates(msgspec.Struct, frozen=True):
    version: int
    report: msgspec.Raw = msgspec.Raw()


def write_updates(report: ScanReport) -> str:
    return encode_json(_document(report)).decode() + "\n"


def write_updates_markdown(report: ScanReport) -> str:
    groups = [f"## {heading.rstrip('.')}\n\n" + "\n".join(map(_item, group)) for heading, group in _grouped(report)]
    # A comment may contain neither `-->` nor `--`; in JSON both occur in strings only.
    data = encode_line(_document(report)).decode().replace("--", r"\u002d\u002d").replace(">", r"\u003e")
    comment = f"{_OPENING}\n{data}\n{_CLOSING}"
    return "\n\n".join(["# Updates of subscriptions", span_of(report), _INTRODUCTION, *groups, comment]) + "\n"


def _document(report: ScanReport) -> dict[str, object]:
    return {"version": VERSION, "report": report}


def read_updates(text: str) -> tuple[ScanReport, list[str]]:
    """The report, and the ids of those that are to be applied, in the report's order."""
    text = text.removeprefix("\N{BYTE ORDER MARK}")
    is_json = text.lstrip().startswith("{")
    report = _decode(text if is_json else _comment_in(text))
    acceptable = [found.subscription.id for found in report.findings if found.after is not None]
    if is_json:
        return report, acceptable
    ticked = _ticked(text)
    unknown = sorted(ticked - set(acceptable))
    if unknown:
        raise BirthmarkError(f"the update document has nothing to accept for {unknown[0][:80]}; {_ANEW}")
    return report, [id_ for id_ in acceptable if id_ in ticked]


def _comment_in(text: str) -> str:
    """The last one: what is above it is text for people."""
    comments = [match["json"] for match in _COMMENT.finditer(text)]
    if not comments:
        raise BirthmarkError(f"this is no update document, or the comment at its end is gone; {_ANEW}")
    return comments[-1]


def _decode(data: str) -> ScanReport:
    try:
        updates = msgspec.json.decode(data, type=_Updates)
        if updates.version != VERSION:
            message = f"the update document has version {updates.version}, and this birthmark reads {VERSION}; {_ANEW}"
            raise BirthmarkError(message)
        return msgspec.json.decode(updates.report, type=ScanReport)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        reason = " ".join(str(error).split())[:200]
        raise BirthmarkError(f"the update document is damaged ({reason}); {_ANEW}") from error


def _ticked(text: str) -> set[str]:
    """Return the ids that no reviewer has unticked, also in a merge of two reviews."""
    boxes = [(match["id"], match["tick"] != " ") for match in _BOX.finditer(text)]
    return {id_ for id_, is_ticked in boxes if is_ticked} - {id_ for id_, is_ticked in boxes if not is_ticked}


def _grouped(report: ScanReport) -> Iterator[tuple[str, list[Finding]]]:
    """The gravest first."""
    groups: dict[str, list[Finding]] = {RULES[change].summary: [] for change in ChangeType}
    groups |= {_MOVED: [], _MUTED: [], _NOTHING: []}
    for found in report.findings:
        groups[_group(found)].append(found)
    return ((heading, group) for heading, group in groups.items() if group)


def _group(found: Finding) -> str:
    if found.after is None:
        return _NOTHING
    if found.muted is not None:
        return _MUTED
    return RULES[found.trigger.change_type].summary if found.trigger else _MOVED


def _item(found: Finding) -> str:
    box = f"- [x] {found.subscription.id}" if found.after is not None else f"- {found.subscription.id}"
    muted = f"{found.muted}: " if found.muted else ""
    what = subject(found.subscription, old_location(found))
    return f"{box} {what}: {muted}{sentence(found, STYLE)}" + sublist(_lines(found))


def _lines(found: Finding) -> Iterator[str]:
    if found.proposal is not None:
        yield describe_proposal(found, found.proposal)
    yield from explain(found)
