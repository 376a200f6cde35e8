"""A review as Markdown, and as the comment of a pull request or merge request that is kept up to date."""

from __future__ import annotations

from collections.abc import Iterator

from birthmark.documents.review_words import (
    MOST_USERS,
    affected_advice,
    change_name,
    collapsed_text,
    file_text,
    interface_name,
    interface_text,
    place_of,
    place_text,
    reaching_text,
    role_name,
    user_text,
    what_changed,
)
from birthmark.documents.reviews import ReviewDocument
from birthmark.documents.sentences import doc_sentence
from birthmark.documents.wording import LineRange
from birthmark.surfaces.formats.markdown import REVIEW_MARKER, STYLE, code, escape, sublist, write_comment


def write_review(review: ReviewDocument, limit: int) -> str:
    """Return the review with at most `limit` items in each section."""
    parts = ["## Birthmark review", f"{escape(review.summary)}.", *map(escape, review.notes)]
    for heading, list_items in _SECTIONS:
        items = [*list_items(review)]
        if items:
            rest = [f"- … and {len(items) - limit:,} more"] if len(items) > limit else []
            parts.append(f"### {heading}\n\n" + "\n".join([*items[:limit], *rest]))
    return "\n\n".join(parts) + "\n"


def write_review_comment(review: ReviewDocument, limit: int) -> str:
    return write_comment(REVIEW_MARKER, write_review(review, limit))


def _changes(review: ReviewDocument) -> Iterator[str]:
    for change in review.changes:
        why = "; ".join([what_changed(change, STYLE), *change.reasons])
        place = f" in {place_text(place_of(change), STYLE)}" if change.kind != "file" else ""
        yield f"- **{change.risk}** {change_name(change, STYLE)}{place}: {why}"


def _interfaces(review: ReviewDocument) -> Iterator[str]:
    for one in review.interfaces:
        items = [user_text(user, STYLE) for user in one.users if not user.changed][:MOST_USERS]
        heads = [one.old_signature, one.new_signature]
        shown = [f"{word} {code(head)}" for word, head in zip(("was", "now"), heads, strict=True) if head]
        yield f"- {interface_name(one, STYLE)}: {interface_text(one, STYLE)}" + sublist(iter([*shown, *items]))


def _collapsed(review: ReviewDocument) -> Iterator[str]:
    return (f"- {one.word}: {collapsed_text(one, STYLE)}" for one in review.collapsed)


def _others(review: ReviewDocument) -> Iterator[str]:
    return (f"- {role_name(one.role)} {code(one.path)}: {file_text(one)}" for one in review.other_files)


def _triggers(review: ReviewDocument) -> Iterator[str]:
    for one in review.triggers:
        label = f" *{escape(one.label)}*" if one.label else ""
        summary = escape(one.summary.removeprefix(one.subject))
        yield f"- {code(one.subject)}{summary}{label} ({code(one.subscription_id)})"


def _documents(review: ReviewDocument) -> Iterator[str]:
    for link in review.docs:
        yield f"- {code(str(LineRange(link.path, link.line, link.line)))}: {doc_sentence(link, STYLE)}"


def _tests(review: ReviewDocument) -> Iterator[str]:
    tests = review.affected if review.affected is not None else review.tests
    yield from (f"- {reaching_text(test, STYLE)}" for test in tests)
    if review.files and review.affected is None:
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
