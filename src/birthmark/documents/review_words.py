"""A review in words, for terminals and Markdown alike: what changed, why it is risky, who is affected.

Takes parts of a ReviewDocument; gives texts in which all that comes from a repository is written in a Style.
"""

from __future__ import annotations

from collections.abc import Sequence

from birthmark.documents.parts import LocationDocument
from birthmark.documents.reviews import (
    TOP_LEVEL,
    CollapsedChangeDocument,
    OtherFileDocument,
    ReviewDocument,
    ReviewedChangeDocument,
    ReviewedInterfaceDocument,
    ReviewUserDocument,
)
from birthmark.documents.sentences import PLAIN, Style
from birthmark.documents.uses import ReachingTestDocument
from birthmark.documents.wording import state_name
from birthmark.extraction.state import WORKTREE
from birthmark.model import CLASS_LIKE, FUNCTION_LIKE
from birthmark.vocabulary import Aspect, Change, CollapsedWord, FileRole
from birthmark.words import count, lines_of, plural

MOST_USERS = 5  # that are named
_MOST_NAMES = 6  # of definitions in a line
_ROLES = {FileRole.TEST: "test", FileRole.DOCUMENTATION: "documentation", FileRole.GENERATED: "generated"}
_LOOKS = {CollapsedWord.REFORMATTED: "layout or comments only", CollapsedWord.DOCUMENTED: "documentation only"}


# Changes


def change_name(change: ReviewedChangeDocument, style: Style = PLAIN) -> str:
    location = place_of(change)
    if change.kind == TOP_LEVEL:
        return f"{'top level of' if change.after else 'file'} {style.code(location.path)}"
    if change.together:
        scope = location.qualified_name.rpartition(".")[0]
        names = f"{len(change.together):,} {plural(change.kind)}: {_listed(change.together, style)}"
        return f"{style.code(scope)}, {names}" if scope else names
    return style.code(location.qualified_name)


def place_of(change: ReviewedChangeDocument | ReviewedInterfaceDocument) -> LocationDocument:
    location = change.after or change.before
    assert location is not None
    return location


def place_text(location: LocationDocument, style: Style = PLAIN) -> str:
    return style.code(f"{location.path}:{lines_of(location.start_line, location.end_line)}")


def what_changed(change: ReviewedChangeDocument, style: Style = PLAIN) -> str:
    """Return `signature and body changed, 12 lines`."""
    before, after = change.before, change.after
    parts = [_aspect(aspect, change.kind) for aspect in change.aspects if aspect is not Aspect.FORMATTING]
    words = [f"{_and(parts)} changed"] if parts and change.kind != TOP_LEVEL else []
    if change.change in (Change.ADDED, Change.DELETED):
        words = [str(change.change) + (f" with {count(change.members, 'member')}" if change.members else "")]
    elif before is not None and after is not None and before.qualified_name != after.qualified_name:
        words.insert(0, f"was {style.code(before.qualified_name)}")
    if before is not None and after is not None and before.path != after.path:
        words.insert(0, f"from {style.code(before.path)}")
    return ", ".join([*words, count(change.facts.lines, "line")])


def _aspect(aspect: Aspect, kind: str) -> str:
    if aspect is Aspect.INTERFACE:
        return "signature" if kind in FUNCTION_LIKE else "declaration"
    if aspect is Aspect.BODY:
        return "body" if kind in FUNCTION_LIKE | CLASS_LIKE else "value"
    return str(aspect)


# Collapsed changes


def collapsed_text(one: CollapsedChangeDocument, style: Style = PLAIN) -> str:
    """Describe the definitions or the path, with the old and the new place."""
    path = style.code(one.path)
    if not one.names:
        with_ = f", with {count(one.definitions, 'definition')}" if one.definitions else ""
        return f"{style.code(one.old_path)} to {path}{with_}"
    if one.word in _LOOKS:
        return f"{path}: {_listed(one.names, style)}"
    if one.word is CollapsedWord.RENAMED:
        return f"{style.code(one.old_names[0] if one.old_names else '')} to {style.code(one.names[0])} in {path}"
    new = f" as {_listed(one.names, style)}" if one.old_names else ""
    within = one.path == one.old_path
    where = f"within {path}" if within else f"from {style.code(one.old_path)} to {path}"
    return f"{_listed(one.old_names or one.names, style)} {where}{new}"


def _listed(names: Sequence[str], style: Style) -> str:
    rest = len(names) - _MOST_NAMES
    return ", ".join(map(style.code, names[:_MOST_NAMES])) + (f" and {rest:,} more" if rest > 0 else "")


# Interfaces


def interface_name(one: ReviewedInterfaceDocument, style: Style = PLAIN) -> str:
    return style.code(place_of(one).qualified_name)


def interface_text(one: ReviewedInterfaceDocument, style: Style = PLAIN) -> str:
    """Return `was f, parameter change; of 3 users, 2 in code did not change`."""
    before, after = one.before, one.after
    words = [str(word) for word in one.head]
    if after is None:
        words.append("deleted")
    elif one.gone and before is not None:
        is_same_file = before.path == after.path
        was = before.qualified_name if is_same_file else f"{before.path}::{before.qualified_name}"
        words.insert(0, f"was {style.code(was)}")
    return f"{', '.join(words)}; {_who(one)}"


def _who(one: ReviewedInterfaceDocument) -> str:
    n_code, n_tests = one.n_unchanged_users, one.n_unchanged_tests
    if not one.n_users:
        return "no user is known"
    if not n_code + n_tests:
        who = {1: "its user", 2: "both users"}.get(one.n_users, f"all {one.n_users:,} users")
        return f"{who} changed with it"
    left = [f"{n_code:,} in code"] if n_code else []
    left += [f"{n_tests:,} in tests"] if n_tests else []
    still = "still use the old name" if one.gone else "did not change"
    return f"of {count(one.n_users, 'user')}, {' and '.join(left)} {still}"


def user_text(user: ReviewUserDocument, style: Style = PLAIN) -> str:
    name = style.code(user.qualified_name) if user.qualified_name else "the top level"
    changed = ", changed" if user.changed else ""
    return f"{name} {user.edge} it in {style.code(f'{user.path}:{user.line}')}{changed}"


# The rest


def file_text(file: OtherFileDocument) -> str:
    counts = [f"{file.counts[word]:,} {word}" for word in map(str, Change) if file.counts.get(word)]
    return ", ".join(counts) or "changed"


def role_name(role: FileRole) -> str:
    return _ROLES.get(role, str(role))


def reaching_text(test: ReachingTestDocument, style: Style = PLAIN) -> str:
    away = "changed itself" if not test.distance else f"{count(test.distance, 'step')} away"
    return f"{style.code(test.id)}, {away}"


def affected_advice(review: ReviewDocument) -> str:
    """Return the command that lists all affected tests."""
    until = "" if review.target == WORKTREE else f" --until {state_name(review.target)}"
    return f"birthmark affected --since {state_name(review.base)}{until}"


def _and(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
