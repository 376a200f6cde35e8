"""A scan's report for a terminal: what needs a decision, what has moved, documents, and a summary.

Under each heading it is grouped by file. Sentences are wrapped at the width of the screen, code is cut there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import click

from birthmark.comparison.patch import Patch
from birthmark.documents.sentences import (
    comparison_note,
    doc_sentence,
    is_shift,
    place_sentence,
    sentence,
    signatures,
    span,
    subject_name,
)
from birthmark.documents.wording import current_location, is_reported, old_location, plain
from birthmark.subscriptions.model import ChangedPlace, Explanation, Finding, ScanReport
from birthmark.surfaces.cli.terminal.commits import patch_lines
from birthmark.surfaces.cli.terminal.output import say
from birthmark.surfaces.formats.markdown import summary
from birthmark.surfaces.text import fit, paint, screen, wrap_text
from birthmark.vocabulary import ChangeType, ScanReason, SubscriptionTarget
from birthmark.words import count, lines_of

_MOST_SHIFTS = 10  # that are listed, of what may be thousands
_MOST_PLACES = 20  # of a trigger
_COLORS = {ChangeType.MISSING: "red", ChangeType.AMBIGUOUS: "red", ChangeType.COSMETIC: "bright_black"}
_INDENT = "  "


def print_report(report: ScanReport, *, advises_fix: bool = True) -> None:
    for problem in report.problems:
        say(plain(f"{problem.path}: {problem.problem}"))
    reported = [found for found in report.findings if found.muted is None]
    open_ = [found for found in reported if is_reported(found) or found.is_ambiguous]
    moved = [found for found in reported if found not in open_ and found.proposal and not is_shift(found.proposal)]
    shifted = [found for found in reported if found not in open_ and found.proposal and is_shift(found.proposal)]
    _print_group("Needs a decision", [(_heading(found), _decision_lines(report, found)) for found in open_], True)
    _print_group("Moved", [(_heading(found), _move_lines(found)) for found in moved])
    _print_group("Shifted", [(_heading(found), _move_lines(found)) for found in shifted[:_MOST_SHIFTS]])
    if len(shifted) > _MOST_SHIFTS:
        click.echo(f"{_INDENT}{len(shifted) - _MOST_SHIFTS:,} more have only shifted\n")
    _print_group(
        "Documents",
        [(link.path, iter(_wrapped(f"{link.line}  {doc_sentence(link)}", _INDENT))) for link in report.stale_docs],
    )
    has_subscriptions = bool(report.findings) or report.n_unchanged > 0
    for line in _wrapped(summary(report) + (f" ({span(report)})" if has_subscriptions else ""), ""):
        click.echo(line)
    _advise(report, reported, advises_fix)


def _advise(report: ScanReport, reported: list[Finding], advises_fix: bool) -> None:
    if any(found.after is not None for found in reported) and report.scan:
        say("`birthmark apply` accepts what was found")
    if advises_fix and any(link.replacement and not link.fixed for link in report.docs):
        say("`birthmark scan --docs --fix` rewrites what documents name and has moved")


def _print_group(heading: str, items: list[tuple[str, Iterator[str]]], is_spaced: bool = False) -> None:
    """Items under the files they are in, which are in the order of their first items."""
    groups: dict[str, list[Iterator[str]]] = {}
    for path, lines in items:
        groups.setdefault(path, []).append(lines)
    if groups:
        click.echo(paint(f"{heading} ({len(items):,})", "bold") + ("\n" if is_spaced else ""))
    for path, found in groups.items():
        click.echo(paint(fit(plain(path), screen().columns), "bold"))
        for lines in found:
            for line in lines:
                click.echo(line)
            if is_spaced:
                click.echo()
    if groups and not is_spaced:
        click.echo()


def _heading(found: Finding) -> str:
    return old_location(found).file or "patterns"


def _name(found: Finding) -> str:
    """Below the path of its file."""
    accepted = found.subscription.accepted
    if found.subscription.target is not SubscriptionTarget.LINES:
        return subject_name(found.subscription)
    return ("line " if accepted.start_line == accepted.end_line else "lines ") + lines_of(
        accepted.start_line, accepted.end_line
    )


# What needs a decision


def _decision_lines(report: ScanReport, found: Finding) -> Iterator[str]:
    trigger = found.trigger
    color = _COLORS.get(trigger.change_type, "yellow") if trigger else "red"
    name = _name(found)
    yield from _wrapped(f"{name}: {sentence(found)}", _INDENT, painted=name, color=color)
    yield from _wrapped("; ".join(_notes(report, found)), _INDENT * 2, color="dim")
    if trigger is None:
        return
    if ScanReason.INTERFACE_CHANGED in trigger.reasons:
        for signature in signatures(trigger.explanation):
            yield from _wrapped(signature, _INDENT * 2)
    yield from _code_lines(trigger.explanation, _INDENT * 2)
    for place in trigger.places[:_MOST_PLACES]:
        yield from _place_lines(place)
    if len(trigger.places) > _MOST_PLACES:
        yield f"{_INDENT * 2}{len(trigger.places) - _MOST_PLACES:,} more"


def _notes(report: ScanReport, found: Finding) -> Iterator[str]:
    subscription, old, new = found.subscription, old_location(found), current_location(found)
    yield from (plain(text) for text in (subscription.label, subscription.description) if text)
    if old.start:
        was = f"lines {lines_of(old.start, old.end)}" if old.end != old.start else f"line {old.start}"
        now = f"now {plain(str(new if new.path != old.path else lines_of(new.start, new.end)))}"
        parts = [was] * (subscription.target is not SubscriptionTarget.LINES) + [now] * (new != old)
        yield from [", ".join(parts)] if parts else []
    if note := comparison_note(report, found):
        yield note
    yield subscription.id


def _place_lines(place: ChangedPlace) -> Iterator[str]:
    lines = f":{lines_of(place.start_line, place.end_line)}" if place.start_line else ""
    yield from _wrapped(f"{plain(place.path)}{lines}  {place_sentence(place)}", _INDENT * 2)
    yield from _code_lines(place.explanation, _INDENT * 3)


def _code_lines(explanation: Explanation | None, indent: str) -> Iterator[str]:
    if explanation is None or not explanation.hunks:
        return
    yield from patch_lines(Patch(None, None, explanation.hunks), indent)
    if explanation.n_omitted:
        yield f"{indent}… {count(explanation.n_omitted, 'more line')}"


# What else there is


def _move_lines(found: Finding) -> Iterator[str]:
    label = f"; {plain(found.subscription.label)}" if found.subscription.label else ""
    name = _name(found)
    text = f"{name}: {sentence(found)}{label}; {found.subscription.id}"
    yield from _wrapped(text, _INDENT, painted=name, color="cyan")


def _wrapped(text: str, indent: str, painted: str = "", color: str | None = None) -> Iterable[str]:
    """A sentence in as many lines as it takes; its beginning, or else all of it, in a colour."""
    if not text:
        return []
    lines = wrap_text(text, indent, f"{indent}{_INDENT}")
    if painted and lines[0].startswith(indent + painted):
        rest = lines[0][len(indent + painted) :]
        return [f"{indent}{paint(painted, color)}{rest}", *lines[1:]]
    return [paint(line, color) if not painted else line for line in lines]
