"""A review in words, for terminals, Markdown and JSON alike: what changed, why it is risky, who is affected.

Takes parts of a Review; gives texts in which all that comes from a repository is written in a Style.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from birthmark.app.answers.reaching_tests import ReachingTest
from birthmark.app.changes.review import TOP_LEVEL, Review, ReviewedChange, ReviewedInterface
from birthmark.app.changes.review_users import ReviewUser
from birthmark.comparison.diff_listing import FileChanges
from birthmark.comparison.review_parts import CollapsedChange
from birthmark.documents.sentences import PLAIN, Style
from birthmark.documents.wording import state_name
from birthmark.model import CLASS_LIKE, FUNCTION_LIKE, Location
from birthmark.queries.hotspots import FILE_CHURN, RiskFacts
from birthmark.vocabulary import Aspect, Change, CollapsedWord, FileRole, ReviewBasis, Risk
from birthmark.words import count, lines_of, plural

MOST_USERS = 5  # that are named
_MOST_NAMES = 6  # of definitions in a line
_ROLES = {FileRole.TEST: "test", FileRole.DOCUMENTATION: "documentation", FileRole.GENERATED: "generated"}
_LOOKS = {CollapsedWord.REFORMATTED: "layout or comments only", CollapsedWord.DOCUMENTED: "documentation only"}


# All of it


def headline(review: Review) -> str:
    """In one line."""
    if not review.n_files:
        return f"{span(review)}: no source file differs; name a range like HEAD~1..HEAD"
    risks = [(sum(one.score.risk is risk for one in review.changes), risk) for risk in Risk]
    parts = [f"{count(review.n_files, 'file')}", _risks(risks)]
    parts += [f"{len(review.collapsed):,} moved or merely looking otherwise"] if review.collapsed else []
    n_broken = sum(bool(one.unchanged) and one.interface.concerns_users for one in review.interfaces)
    parts += [f"{count(n_broken, 'interface')} with users that did not change"] if n_broken else []
    parts += [f"{count(len(review.tests.near), 'test')} near"]
    n_triggers = len(review.report.triggers)
    parts += [f"{count(n_triggers, 'subscription')} triggered"] if n_triggers else []
    parts += [f"{count(len(review.stale_docs), 'link')} in documents to be checked"] if review.stale_docs else []
    return f"{span(review)}: {', '.join(parts)}"


def _risks(risks: Sequence[tuple[int, Risk]]) -> str:
    """`9 changes (2 high risk, 7 low)`."""
    total = sum(number for number, _ in risks)
    known = [f"{number:,} {risk}" for number, risk in risks if number]
    known = [f"{known[0]} risk", *known[1:]] if known else []
    return f"{count(total, 'change')} to read" + (f" ({', '.join(known)})" if known else "")


def span(review: Review) -> str:
    """Describe the two states that are compared, and the choice of the base."""
    base, target = map(state_name, review.names)
    commits = f", {count(review.n_commits, 'commit')}" if review.n_commits else ""
    if review.range.basis is ReviewBasis.MERGE_BASE:
        return f"{base} to {target} (since the merge base with {PLAIN.text(review.range.branch or '')}{commits})"
    why = "what is not committed" if review.range.basis is ReviewBasis.HEAD else commits.removeprefix(", ")
    return f"{base} to {target}" + (f" ({why})" if why else "")


def notes(review: Review) -> Iterator[str]:
    """Yield the limits of the review that its readers should know."""
    if not review.is_indexed:
        yield "Users and tests are those of the worktree, which is not the state that is reviewed."
    if review.skipped:
        names = ", ".join(map(PLAIN.text, review.skipped[:MOST_USERS]))
        yield f"Users of {names} were not looked for, because too many files have that name."


# Changes


def change_name(change: ReviewedChange, style: Style = PLAIN) -> str:
    location = place_of(change)
    if change.kind == TOP_LEVEL:
        return f"top level of {style.code(location.path)}"
    if change.together:
        scope = location.qualified_name.rpartition(".")[0]
        names = f"{len(change.together):,} {plural(change.kind)}: {_listed(change.together, style)}"
        return f"{style.code(scope)}, {names}" if scope else names
    return style.code(location.qualified_name)


def place_of(change: ReviewedChange) -> Location:
    location = change.after or change.before
    assert location is not None
    return location


def place_text(location: Location, style: Style = PLAIN) -> str:
    return style.code(f"{location.path}:{lines_of(location.start_line, location.end_line)}")


def what_changed(change: ReviewedChange, style: Style = PLAIN) -> str:
    """`signature and body changed, 12 lines`."""
    before, after = change.before, change.after
    parts = [_aspect(aspect, change.kind) for aspect in change.aspects if aspect is not Aspect.FORMATTING]
    words = [f"{_and(parts)} changed"] if parts and change.kind != TOP_LEVEL else []
    if change.change in (Change.ADDED, Change.DELETED):
        words = [str(change.change) + (f" with {count(change.n_members, 'member')}" if change.n_members else "")]
    elif before is not None and after is not None and before.qualified_name != after.qualified_name:
        words.insert(0, f"was {style.code(before.qualified_name)}")
    if before is not None and after is not None and before.path != after.path:
        words.insert(0, f"from {style.code(before.path)}")
    return ", ".join([*words, count(change.facts.n_lines, "line")])


def _aspect(aspect: Aspect, kind: str) -> str:
    if aspect is Aspect.INTERFACE:
        return "signature" if kind in FUNCTION_LIKE else "declaration"
    if aspect is Aspect.BODY:
        return "body" if kind in FUNCTION_LIKE | CLASS_LIKE else "value"
    return str(aspect)


def reasons(facts: RiskFacts) -> list[str]:
    """Why a change is as risky as it is: `14 users in 6 files`, `no test is known to reach it`, `changed 9 times`."""
    found = []
    if facts.n_users:
        left = f", {facts.n_unchanged_users:,} of them not changed" if facts.n_unchanged_users else ""
        found.append(f"{count(facts.n_users, 'user')} in {count(facts.n_user_files, 'file')}{left}")
    if facts.n_possible_users:
        found.append(f"{count(facts.n_possible_users, 'possible user')} by name")
    found += _tests(facts)
    if facts.n_changes:
        times = "once" if facts.n_changes == 1 else f"{facts.n_changes:,} times"
        found.append(f"changed {times} before")
    if facts.n_commits is not None and facts.n_commits >= FILE_CHURN[0]:
        found.append(f"its file in {count(facts.n_commits, 'commit')} of the year before")
    return found


def _tests(facts: RiskFacts) -> list[str]:
    if facts.n_tests is None:
        return []
    if facts.n_tests:
        near = "itself one" if facts.n_steps == 0 else f"the nearest {count(facts.n_steps or 0, 'step')} away"
        return [f"{count(facts.n_tests, 'test')} {'reaches' if facts.n_tests == 1 else 'reach'} it, {near}"]
    if facts.n_possible_tests:
        return [f"{count(facts.n_possible_tests, 'test')} may reach it by name"]
    return ["no test is known to reach it"]


# Collapsed changes


def collapsed_text(one: CollapsedChange, style: Style = PLAIN) -> str:
    """Describe the definitions or the path, with the old and the new place."""
    path = style.code(one.path)
    if not one.names:
        with_ = f", with {count(one.n_definitions, 'definition')}" if one.n_definitions else ""
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


def interface_name(one: ReviewedInterface, style: Style = PLAIN) -> str:
    change = one.interface.change
    location = change.after or change.before
    assert location is not None
    return style.code(location.qualified_name)


def interface_text(one: ReviewedInterface, style: Style = PLAIN) -> str:
    """`renamed from f, parameter change; 3 users did not change`."""
    change = one.interface.change
    before, after = change.before, change.after
    words = [str(word) for word in one.interface.head]
    if after is None:
        words.append("deleted")
    elif one.interface.is_gone and before is not None:
        is_same_file = before.path == after.path
        was = before.qualified_name if is_same_file else f"{before.path}::{before.qualified_name}"
        words.insert(0, f"was {style.code(was)}")
    return f"{', '.join(words)}; {_who(one)}"


def _who(one: ReviewedInterface) -> str:
    n_users, n_code = len(one.users), len(one.unchanged)
    n_tests = sum(user.is_test and not user.is_changed for user in one.users)
    if not n_users:
        return "no user is known"
    if not n_code + n_tests:
        who = {1: "its user", 2: "both users"}.get(n_users, f"all {n_users:,} users")
        return f"{who} changed with it"
    left = [f"{n_code:,} in code"] if n_code else []
    left += [f"{n_tests:,} in tests"] if n_tests else []
    still = "still use the old name" if one.interface.is_gone else "did not change"
    return f"of {count(n_users, 'user')}, {' and '.join(left)} {still}"


def user_text(user: ReviewUser, style: Style = PLAIN) -> str:
    name = style.code(user.qualified_name) if user.qualified_name else "the top level"
    changed = ", changed" if user.is_changed else ""
    return f"{name} {user.edge} it in {style.code(f'{user.path}:{user.line}')}{changed}"


# The rest


def file_text(file: FileChanges) -> str:
    counts = [f"{file.counts[word]:,} {word}" for word in map(str, Change) if file.counts.get(word)]
    return ", ".join(counts) or "changed"


def role_name(role: FileRole) -> str:
    return _ROLES.get(role, str(role))


def reaching_text(test: ReachingTest, style: Style = PLAIN) -> str:
    away = "changed itself" if not test.distance else f"{count(test.distance, 'step')} away"
    return f"{style.code(test.id)}, {away}"


def affected_advice(review: Review) -> str:
    """Return the command that lists all affected tests."""
    until = f" --until {state_name(review.names[1])}" if review.range.target is not None else ""
    return f"birthmark affected --since {state_name(review.names[0])}{until}"


def _and(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
