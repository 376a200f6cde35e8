"""What a scan between two revisions has to report if it agrees with the diff between them.

Takes the files of both revisions and pairs their entities as `diff` does; then says in what findings differ from that.
An error of the pairing is not seen here, but by `soaking.py`. Lines are judged by their text alone.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from birthmark.app.workspace.repository import OpenRepository
from birthmark.comparison.entity_changes import EntityChange, compare_files
from birthmark.comparison.patch import lines_of
from birthmark.extraction.state import RepositoryState
from birthmark.model import Location
from birthmark.subscriptions.members import REASONS
from birthmark.subscriptions.model import Finding, Member, Subscription
from birthmark.subscriptions.patterns import read_pattern
from birthmark.vocabulary import Aspect, Change, ChangeType, SubscriptionTarget

Key = tuple[str, str, int, int]
_GRAVE = (Aspect.INTERFACE, Aspect.BODY)
_LOST = (ChangeType.MISSING, ChangeType.AMBIGUOUS)


class Truth(NamedTuple):
    """Both sides, and what became of the entities of the old one that are not just as they were."""

    old: RepositoryState
    new: RepositoryState
    changes: dict[Key, list[EntityChange]]
    added: list[Location]

    def became(self, subscription: Subscription) -> list[EntityChange]:
        """What became of the entity of a subscription; several if namesakes stand at one place, none if nothing did."""
        accepted, semantic = subscription.accepted, subscription.accepted.semantic
        assert semantic is not None
        key = (accepted.path, semantic.qualname, accepted.start_line, accepted.end_line)
        return self.changes.get(key, [])

    def all(self) -> Iterator[EntityChange]:
        return (change for changes in self.changes.values() for change in changes)

    def text(self, state: RepositoryState, path: str) -> list[str]:
        return lines_of(state.content(path) or b"")


def read_truth(repository: OpenRepository, base: str, target: str) -> Truth:
    old, new = repository.revision(base), repository.revision(target)
    before = old.load(path for path in old.paths() if differs(old, new, path))
    after = new.load(path for path in new.paths() if differs(new, old, path))
    changes: dict[Key, list[EntityChange]] = defaultdict(list)
    found = compare_files(before, after, repository.family_of).changes
    for change in found:
        if change.before is not None:
            changes[key_of(change.before)].append(change)
    return Truth(
        old, new, dict(changes), [change.after for change in found if change.change == Change.ADDED and change.after]
    )


def differs(state: RepositoryState, other: RepositoryState, path: str) -> bool:
    return state.content_id(path) != other.content_id(path)


def key_of(place: Location) -> Key:
    return place.path, place.qualified_name, place.start_line, place.end_line


def name_of(place: Location) -> str:
    return f"{place.path}::{place.qualified_name}"


def judge(truth: Truth, subscription: Subscription, finding: Finding | None) -> list[str]:
    """What is wrong with what a scan says, or does not say, of a subscription."""
    check = {
        SubscriptionTarget.LINES: judge_lines,
        SubscriptionTarget.PATTERN: judge_pattern,
        SubscriptionTarget.USERS: judge_users,
    }
    said = finding or Finding(subscription)
    found = check.get(subscription.target, judge_entity)(truth, subscription, said)
    return [f"{subscription.target} {subscription.ref} ({subscription.id}): {wrong}" for wrong in found]


# Entities


def judge_entity(truth: Truth, subscription: Subscription, said: Finding) -> list[str]:
    """As one of the changes has it; or nothing is told, where nothing changed."""
    changes = truth.became(subscription)
    if not changes:
        wrong = [f"told of what is unchanged: {describe(said)}"] if said.proposal or is_own(said) else []
        return wrong + judge_members(truth, subscription, said)
    verdicts = [judge_change(truth, change, subscription, said) for change in changes]
    return min(verdicts, key=len) + judge_members(truth, subscription, said)


def is_own(said: Finding) -> bool:
    """Whether something is told of the entity itself, not of its members."""
    return said.trigger is not None and said.trigger.change_type is not ChangeType.AGGREGATE


def judge_change(truth: Truth, change: EntityChange, subscription: Subscription, said: Finding) -> list[str]:
    if change.after is None:
        return judge_deleted(truth, said)
    if said.locations or (said.trigger is not None and said.trigger.change_type in _LOST):
        return [f"is {name_of(change.after)}:{change.after.start_line}, but {describe(said)}"]
    return [*judge_place(change, said), *judge_aspects(change, subscription, said)]


def judge_deleted(truth: Truth, said: Finding) -> list[str]:
    if said.locations:
        labels = {f"{place.path}:{place.start_line}" for place in truth.added}
        return [f"{label} is no new entity" for label in said.locations if label not in labels]
    is_missing = said.trigger is not None and said.trigger.change_type is ChangeType.MISSING
    return [] if is_missing and said.proposal is None else [f"is deleted, but {describe(said)}"]


def judge_place(change: EntityChange, said: Finding) -> list[str]:
    assert change.before is not None
    assert change.after is not None
    if key_of(change.before) == key_of(change.after):
        return [] if said.proposal is None else [f"did not move, but {describe(said)}"]
    proposal, after = said.proposal, change.after
    if proposal is None:
        return [f"is {name_of(after)}:{after.start_line}, but nothing is proposed"]
    name = proposal.new_qualname or change.before.qualified_name
    place = (proposal.new_path, name, proposal.new_start, proposal.new_end)
    return [] if place == key_of(after) else [f"is {key_of(after)}, but {place} is proposed"]


def judge_aspects(change: EntityChange, subscription: Subscription, said: Finding) -> list[str]:
    """The reasons are the aspects; without decorators, and with members, fewer are told."""
    told = {reason for reason in (said.trigger.reasons if said.trigger else ()) if reason in REASONS.values()}
    due = {REASONS[aspect] for aspect in change.aspects}
    is_loose = subscription.include_members or not subscription.track_decorators
    is_right = told <= due if is_loose else told == due
    return [] if is_right else [f"differs in {sorted(due)}, told is {sorted(told)}"]


def judge_members(truth: Truth, subscription: Subscription, said: Finding) -> list[str]:
    """Each member that is told of is new, gone, other or renamed; where all are to be told of, none is left out.

    Containers are known by their names here, which `impl` blocks share with one another and with their type.
    """
    semantic = subscription.accepted.semantic
    is_lost = said.locations or (said.trigger is not None and said.trigger.change_type in _LOST)
    if not subscription.include_members or is_lost or (semantic is not None and semantic.kind == "impl"):
        return []
    details = said.trigger.details if said.trigger is not None else {}
    before = subscription.accepted.members
    after = before if said.after is None else said.after.members
    more, fewer = count(after) - count(before), count(before) - count(after)
    wrong = [f"{name} was there already" for name in listed(details, "added") if not more[name]]
    wrong += [f"{name} is still there" for name in listed(details, "removed") if not fewer[name]]
    changed = {str(one["name"]) for one in listed(details, "changed")}
    renamed = {(str(one["from"]), str(one["to"])) for one in listed(details, "renamed")}
    wrong += [f"{pair} is no renaming" for pair in renamed if not fewer[pair[0]] or not more[pair[1]]]
    grave = grave_members(truth, subscription, said)
    overridden = {one.name for one in before if one.origin is not None} & {one.name for one in after if not one.origin}
    wrong += [f"{name} did not change" for name in changed - grave - overridden]
    due = grave if subscription.include_private and subscription.track_decorators else set()
    told = changed | {new for _, new in renamed} | set(listed(details, "added"))
    return wrong + [f"{name} changed, but is not told of" for name in due - told]


def count(members: Iterable[Member]) -> Counter[str]:
    return Counter(member.name for member in members if member.origin is None)


def grave_members(truth: Truth, subscription: Subscription, said: Finding) -> set[str]:
    """The names of those directly in a container, then and now, whose interface or body changed."""
    accepted, semantic = subscription.accepted, subscription.accepted.semantic
    assert semantic is not None
    old = new = accepted.path, semantic.qualname
    if said.proposal is not None:
        new = said.proposal.new_path, said.proposal.new_qualname or semantic.qualname
    return {
        change.after.qualified_name.rpartition(".")[2]
        for change in truth.all()
        if change.before is not None and change.after is not None and set(change.aspects) & set(_GRAVE)
        if (container_of(change.before), container_of(change.after)) == (old, new)
    }


def container_of(place: Location) -> tuple[str, str]:
    return place.path, place.qualified_name.rpartition(".")[0]


def listed(details: dict[str, Any], word: str) -> list[Any]:
    found = details.get(word, [])
    assert isinstance(found, list)
    return found


# Lines


def judge_lines(truth: Truth, subscription: Subscription, said: Finding) -> list[str]:
    """What is not told of reads as it did; what is told of does not."""
    accepted, proposal = subscription.accepted, said.proposal
    before = truth.text(truth.old, accepted.path)[accepted.start_line - 1 : accepted.end_line]
    place = (accepted.path, accepted.start_line, accepted.end_line)
    if proposal is not None:
        place = (proposal.new_path, proposal.new_start, proposal.new_end)
    after = truth.text(truth.new, place[0])[place[1] - 1 : place[2]]
    if said.trigger is None:
        return [] if before == after else [f"reads otherwise at {place}, but nothing is told"]
    if said.trigger.change_type is ChangeType.MISSING:
        is_there = len(before) > 1 and "\n".join(before) in "\n".join(truth.text(truth.new, accepted.path))
        return ["is still there, but said to be missing"] if is_there else []
    return [f"reads as before at {place}, but {describe(said)}"] if before == after else []


# Crowds


def judge_pattern(truth: Truth, subscription: Subscription, said: Finding) -> list[str]:
    """All that came, went and was renamed; of those that changed at least one, since containers may be left out."""
    pattern = read_pattern(subscription.ref)
    details = said.trigger.details if said.trigger is not None else {}

    def matches(place: Location | None) -> bool:
        return place is not None and pattern.has_path(place.path) and pattern.has_name(place.qualified_name)

    gone = {name_of(one.before) for one in truth.all() if one.before and not one.after and matches(one.before)}
    stayed = [
        (name_of(one.before), name_of(one.after), bool(set(one.aspects) & set(_GRAVE)))
        for one in truth.all()
        if one.before is not None and one.after is not None and (matches(one.before) or matches(one.after))
    ]
    changed = {one["name"] for one in listed(details, "changed")}
    grave = {after for _, after, is_grave in stayed if is_grave} if subscription.track_decorators else changed
    pairs: dict[str, tuple[set[Any], set[Any]]] = {
        "added": (set(listed(details, "added")), {name_of(place) for place in truth.added if matches(place)}),
        "removed": (set(listed(details, "removed")), gone),
        "renamed": (
            {(one["from"], one["to"]) for one in listed(details, "renamed")},
            {(before, after) for before, after, _ in stayed if before != after},
        ),
        "changed": (changed, changed & grave if changed else grave),
    }
    return [
        f"{word}: told wrongly {sorted(told - due)}, not told {sorted(due - told)}"
        for word, (told, due) in pairs.items()
        if told != due
    ]


def judge_users(truth: Truth, subscription: Subscription, said: Finding) -> list[str]:
    """Who is said to have changed did so; the file of who is new or gone mentions the entity."""
    accepted, trigger = subscription.accepted, said.trigger
    assert accepted.semantic is not None
    is_about_users = trigger is not None and trigger.change_type is ChangeType.AGGREGATE
    own = judge_place_of(truth, subscription, said)
    if not is_about_users or trigger is None:
        return own
    grave = {name_of(one.after) for one in truth.all() if one.after is not None and set(one.aspects) & set(_GRAVE)}
    names = {accepted.semantic.qualname, said.proposal.new_qualname or "" if said.proposal else ""} - {""}
    wrong = [f"{one['name']} did not change" for one in listed(trigger.details, "changed") if one["name"] not in grave]
    return (
        own
        + wrong
        + [
            f"{user} is {word}, but does not mention it"
            for word, side in (("added", truth.new), ("removed", truth.old))
            for user in listed(trigger.details, word)
            if not any(mentions(truth.text(side, user.partition("::")[0]), name.rpartition(".")[2]) for name in names)
        ]
    )


def judge_place_of(truth: Truth, subscription: Subscription, said: Finding) -> list[str]:
    """Where the entity is whose users are told of; what else it does is of no interest."""
    verdicts = [
        judge_deleted(truth, said) if change.after is None else judge_place(change, said)
        for change in truth.became(subscription)
    ]
    unmoved = [] if said.proposal is None else [f"did not change, but {describe(said)}"]
    return min(verdicts, key=len, default=unmoved)


def mentions(lines: list[str], name: str) -> bool:
    """By its name, or as what a module gives by default."""
    text = "\n".join(lines)
    return re.search(rf"(?<![\w$]){re.escape(name)}(?![\w$])", text) is not None or "default" in text


def describe(said: Finding) -> str:
    trigger = f"{said.trigger.change_type} {said.trigger.reasons}" if said.trigger is not None else "no trigger"
    place = f" at {said.proposal.new_path}:{said.proposal.new_start}" if said.proposal is not None else ""
    return f"told is {trigger}{place}{' may be at ' + ', '.join(said.locations) if said.locations else ''}"
