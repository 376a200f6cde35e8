"""A scan's report as Markdown for people.

Names and locations are in code spans, labels are escaped: nothing that comes from a repository can break out of its
line, become a heading, a link or a mention. There are no tables, so a pipe is harmless in a code span.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from birthmark.model import Problem
from birthmark.subscriptions.model import DocLink, Finding, Proposal, ScanReport, Subscription, Trigger
from birthmark.surfaces.formats.wording import (
    LineRange,
    abridged,
    accepted_location,
    current_location,
    details_of,
    doc_clauses,
    is_reported,
    name_of,
    old_location,
    plain,
    proposed,
    quiet_ambiguous,
    state_name,
)
from birthmark.surfaces.text import count

# An underscore between word characters is no markup, so reasons are written as everywhere.
_SPECIAL = re.compile(r"[\\`*\[\]|~$#]|(?<![^\W_])_|_(?![^\W_])")
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "@": "@\N{ZERO WIDTH SPACE}"})


def write_markdown(report: ScanReport) -> str:
    n_triggers = len(report.triggers)
    title = f"## Birthmark: {count(n_triggers, 'trigger') if n_triggers else 'nothing triggered'}"
    sections = [(heading, list(items(report))) for heading, items in _SECTIONS]
    written = [f"### {heading}\n\n" + "\n".join(items) for heading, items in sections if items]
    return "\n\n".join([title, f"{_counts(report)}. {span_of(report)}", *written]) + "\n"


def escape(text: str) -> str:
    """A label or other words, in one line; it cannot be markup."""
    return _SPECIAL.sub(r"\\\g<0>", plain(text)).translate(_ENTITIES)


def code(text: str) -> str:
    """A name or location as a code span, with as many backticks as it takes."""
    shown = plain(text) or " "
    fence = "`" * (1 + max(map(len, re.findall("`+", shown)), default=0))
    pad = " " if shown[0] in "` " or shown[-1] in "` " else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def span_of(report: ScanReport) -> str:
    return f"From {escape(state_name(report.base))} to {escape(state_name(report.target))}."


def subject(subscription: Subscription, location: LineRange) -> str:
    """Its location, its name and its label, so far as it has them."""
    name, label = name_of(subscription), subscription.label
    parts = [
        code(str(location)) if location.path else "",
        code(name) if name else "",
        f"*{escape(label)}*" if label else "",
    ]
    return " ".join(part for part in parts if part) or code(subscription.ref)


def explain(found: Finding) -> Iterator[str]:
    """Further details, a line each."""
    if found.subscription.description:
        yield escape(found.subscription.description)
    if found.trigger is not None:
        for word, items in details_of(found.trigger):
            yield f"{escape(word)}: {abridged([_noted(item) for item in items])}"


def sublist(lines: Iterator[str]) -> str:
    return "".join(f"\n  - {line}" for line in lines)


def describe_proposal(proposal: Proposal) -> str:
    old, new = proposed(proposal)
    name = f" {code(proposal.new_qualname)}" if proposal.new_qualname else ""
    why = escape(f"{', '.join(proposal.reasons)}, {proposal.confidence} confidence")
    return f"{code(str(old))} → {code(str(new))}{name}: {why}"


def _noted(item: tuple[str, str]) -> str:
    name, note = item
    return f"{code(name)} ({escape(note)})" if note else code(name)


def _counts(report: ScanReport) -> str:
    muted = sum(found.muted is not None for found in report.findings)
    numbers = [
        (len(report.triggers), "triggered"),
        (len(report.proposals), "proposed"),
        (len(quiet_ambiguous(report)), "ambiguous"),
        (len(report.stale_docs), "stale in documents"),
        (report.n_unchanged, "unchanged"),
        (muted, "muted"),
        (report.n_inactive, "inactive"),
    ]
    return ", ".join(f"{number:,} {word}" for number, word in numbers if number) or "No subscriptions"


def _triggers(report: ScanReport) -> Iterator[str]:
    return (_trigger_item(found, found.trigger) for found in report.findings if found.trigger and is_reported(found))


def _trigger_item(found: Finding, trigger: Trigger) -> str:
    old, new = old_location(found), current_location(found)
    what = f"**{trigger.change_type}** {subject(found.subscription, old)}: {escape(', '.join(trigger.reasons))}"
    now = [f"now at {code(str(new))}"] if found.after is not None and found.after.path and new != old else []
    return f"- {what} ({code(found.subscription.id)})" + sublist(iter([*now, *explain(found)]))


def _proposals(report: ScanReport) -> Iterator[str]:
    for found in report.findings:
        if found.proposal is not None:
            label = f"*{escape(found.subscription.label)}* " if found.subscription.label else ""
            yield f"- {label}{describe_proposal(found.proposal)} ({code(found.subscription.id)})"


def _ambiguous(report: ScanReport) -> Iterator[str]:
    for found in quiet_ambiguous(report):
        what = subject(found.subscription, accepted_location(found.subscription))
        locations = abridged([code(location) for location in found.locations])
        yield f"- {what} may be {locations} ({code(found.subscription.id)})"


def _documents(report: ScanReport) -> Iterator[str]:
    return map(_document_item, report.stale_docs)


def _document_item(link: DocLink) -> str:
    clauses = "; ".join(map(escape, doc_clauses(link)))
    what = f"- {code(str(LineRange(link.path, link.line, link.line)))} names {code(link.ref)}: {escape(link.status)}"
    return f"{what}; {clauses}" if clauses else what


def _problems(report: ScanReport) -> Iterator[str]:
    return map(_problem_item, report.problems)


def _problem_item(problem: Problem) -> str:
    return f"- {code(str(LineRange(problem.path, problem.line or 0, problem.line or 0)))}: {escape(problem.problem)}"


_SECTIONS: tuple[tuple[str, Callable[[ScanReport], Iterator[str]]], ...] = (
    ("Triggered", _triggers),
    ("Where they should point", _proposals),
    ("Gone, with several possible successors", _ambiguous),
    ("Stale in documents", _documents),
    ("Problems", _problems),
)
