"""A whole scan in a line: how many of what, and the subject of a message."""

from __future__ import annotations

from birthmark.documents.sentences import is_shift, span, title
from birthmark.documents.wording import is_reported, plain, quiet_ambiguous
from birthmark.subscriptions.model import ScanReport
from birthmark.vocabulary import Muted
from birthmark.words import count


def summary(report: ScanReport) -> str:
    """How many of what; `as accepted` are those that a base was named for and did not matter."""
    moves = [found.proposal for found in report.findings if found.proposal and found.trigger is None]
    n_shifted = sum(map(is_shift, moves))
    counts = [
        (len(report.triggers), "triggered"),
        (len(quiet_ambiguous(report)), "ambiguous"),
        (len(moves) - n_shifted, "moved"),
        (n_shifted, "shifted"),
        (report.n_unchanged, "as accepted" if report.is_base_named else "unchanged"),
        *[(sum(found.muted == why for found in report.findings), str(why)) for why in Muted],
        (report.n_inactive, "inactive"),
    ]
    parts = [f"{number:,} {word}" for number, word in counts if number]
    if report.docs:
        parts.append(f"{len(report.stale_docs):,} of {count(len(report.docs), 'link')} in documents to be checked")
    return ", ".join(parts) or "there are no subscriptions"


def subject_line(report: ScanReport) -> str:
    """What happened, if that is one thing; else how much of what."""
    counts = {
        "trigger": len(report.triggers),
        "ambiguous target": len(quiet_ambiguous(report)),
        "stale link": len(report.stale_docs),
    }
    if len(report.triggers) == sum(counts.values()) == 1:
        return plain(f"birthmark: {next(title(found) for found in report.findings if is_reported(found))}")
    summary = ", ".join(count(number, noun) for noun, number in counts.items() if number)
    return f"birthmark: {summary}; {span(report)}"
