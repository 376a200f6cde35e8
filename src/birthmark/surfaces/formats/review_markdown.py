"""A review as Markdown, and as the comment of a pull request or merge request that is kept up to date."""

from __future__ import annotations

from collections.abc import Iterator

from birthmark.app.changes.review import Review
from birthmark.documents.review_words import (
    MOST_USERS,
    affected_advice,
    change_name,
    collapsed_text,
    file_text,
    headline,
    interface_name,
    interface_text,
    notes,
    place_of,
    place_text,
    reaching_text,
    reasons,
    role_name,
    user_text,
    what_changed,
)
from birthmark.documents.sentences import doc_sentence, title
from birthmark.documents.wording import LineRange, is_reported
from birthmark.surfaces.formats.markdown import REVIEW_MARKER, STYLE, code, escape, sublist, write_comment


def write_review(review: Review, limit: int) -> str:
    """At most so many items of each section."""
    parts = ["## Birthmark review", f"{escape(headline(review))}.", *(escape(note) for note in notes(review))]
    for heading, list_items in _SECTIONS:
        items = [*list_items(review)]
        if items:
            rest = [f"- … and {len(items) - limit:,} more"] if len(items) > limit else []
            parts.append(f"### {heading}\n\n" + "\n".join([*items[:limit], *rest]))
    return "\n\n".join(parts) + "\n"


def write_review_comment(review: Review, limit: int) -> str:
    return write_comment(REVIEW_MARKER, write_review(review, limit))


def _changes(review: Review) -> Iterator[str]:
    for change in review.changes:
        why = "; ".join([what_changed(change, STYLE), *reasons(change.facts)])
        place = f" in {place_text(place_of(change), STYLE)}" if change.kind != "file" else ""
        yield f"- **{change.score.risk}** {change_name(change, STYLE)}{place}: {why}"


def _interfaces(review: Review) -> Iterator[str]:
    for one in review.interfaces:
        items = [user_text(user, STYLE) for user in one.users if not user.is_changed][:MOST_USERS]
        heads = [one.interface.old_signature, one.interface.new_signature]
        shown = [f"{word} {code(head)}" for word, head in zip(("was", "now"), heads, strict=True) if head]
        yield f"- {interface_name(one, STYLE)}: {interface_text(one, STYLE)}" + sublist(iter([*shown, *items]))


def _collapsed(review: Review) -> Iterator[str]:
    return (f"- {one.word}: {collapsed_text(one, STYLE)}" for one in review.collapsed)


def _others(review: Review) -> Iterator[str]:
    return (f"- {role_name(one.role)} {code(one.path)}: {file_text(one)}" for one in review.other_files)


def _triggers(review: Review) -> Iterator[str]:
    for found in review.report.findings:
        if is_reported(found):
            label = f" *{escape(found.subscription.label)}*" if found.subscription.label else ""
            yield f"- {title(found, STYLE)}{label} ({code(found.subscription.id)})"


def _documents(review: Review) -> Iterator[str]:
    for link in review.stale_docs:
        yield f"- {code(str(LineRange(link.path, link.line, link.line)))}: {doc_sentence(link, STYLE)}"


def _tests(review: Review) -> Iterator[str]:
    tests = review.affected.tests if review.affected is not None else review.tests.near
    yield from (f"- {reaching_text(test, STYLE)}" for test in tests)
    if review.n_files and review.affected is None:
        yield f"- all that may be affected: {code(affected_advice(review))}"


_SECTIONS = (
    ("To read, by risk", _changes),
    ("Changed interfaces", _interfaces),
    ("Moved, renamed or merely looking otherwise", _collapsed),
    ("Triggered subscriptions", _triggers),
    ("Documents that name what changed", _documents),
    ("Tests that may be affected", _tests),
    ("Other files", _others),
)
