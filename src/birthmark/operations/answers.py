"""Tell what became of whatever a REF stands for: here, gone, ambiguous or unknown, and what happened to it."""

from __future__ import annotations

from typing import NamedTuple

from birthmark.identity.keys import parse_key
from birthmark.model import Node
from birthmark.operations.changes import BORN, DELETED
from birthmark.operations.lineage import follow_chunk, follow_node
from birthmark.operations.lookup import ReadNodes, Sighting, find_ref
from birthmark.operations.view import Held, HeldFile, View
from birthmark.store.port import Event, Identity, Run

PRESENT, GONE, AMBIGUOUS, UNKNOWN = "present", "gone", "ambiguous", "unknown"


class Happening(NamedTuple):
    """An event with when and where it happened, and how the entity stood before."""

    event: Event
    run: Run
    before: Event | None


class Answer(NamedTuple):
    """`node` or `chunk` is where the thing inside the entity stands now, if the REF named one."""

    ref: str
    status: str
    held: Held | None = None
    identity: Identity | None = None
    happenings: tuple[Happening, ...] = ()
    candidates: tuple[Identity, ...] = ()
    node: tuple[str, Node, str] | None = None  # path, node, semantic id
    chunk: tuple[HeldFile, int] | None = None


def resolve_ref(view: View, ref: str, read_nodes: ReadNodes) -> Answer:
    found = find_ref(view, ref, read_nodes)
    identities = {sighting.identity for sighting in found.sightings}
    if found.is_external:
        return Answer(ref, PRESENT)
    if not found.sightings:
        return Answer(ref, UNKNOWN)
    if len(identities) > 1:
        known = view.store.identities("identity", [identity for identity in identities if identity is not None])
        return Answer(ref, AMBIGUOUS, candidates=tuple(known))
    return _answer(view, ref, found.sightings[0], read_nodes)


def _answer(view: View, ref: str, sighting: Sighting, read_nodes: ReadNodes) -> Answer:
    answer = _of_identity(view, ref, sighting.identity) if sighting.identity is not None else Answer(ref, GONE)
    if sighting.node is not None:
        node = follow_node(view, sighting, answer.held, read_nodes)
        return answer._replace(node=node, status=_status(node, answer))
    if sighting.chunk is not None:
        chunk = follow_chunk(view, sighting, answer.held)
        return answer._replace(chunk=chunk, status=_status(chunk, answer))
    return answer


def _status(followed: object, answer: Answer) -> str:
    if followed is not None:
        return PRESENT
    return answer.status if answer.status == AMBIGUOUS else GONE


def _of_identity(view: View, ref: str, identity: int) -> Answer:
    born = view.store.identities("identity", [identity])[0]
    held = view.entity(identity)
    happenings = tuple(what_happened(view, born))
    became, was = view.store.candidates(identity)
    others = tuple(view.store.identities("identity", became if held is None else was))
    status = PRESENT if held is not None else AMBIGUOUS if others else GONE
    return Answer(ref, status, held, born, happenings, others)


def what_happened(view: View, born: Identity) -> list[Happening]:
    """From birth on. The birth itself is told by the identity, unless there were candidates."""
    events = view.store.events([born.identity])
    if not events or events[0].change != BORN:
        events = [_birth(born), *events]
    runs = {run: view.store.run(run) for run in {event.run for event in events}}
    before = [None, *events[:-1]]
    return [
        Happening(event, runs[event.run], None if event.change == BORN else earlier)
        for event, earlier in zip(events, before, strict=True)
    ]


def _birth(born: Identity) -> Event:
    parts = parse_key(born.key)
    assert parts is not None
    qualified = f"{parts.parent}.{parts.name}" if parts.parent else parts.name
    return Event(born.identity, born.run, BORN, born.path, qualified, born.start_line, born.end_line, "", None, None)


def gone_since(answer: Answer) -> Happening | None:
    """The deletion of what is gone."""
    last = answer.happenings[-1] if answer.happenings else None
    return last if last is not None and last.event.change == DELETED else None
