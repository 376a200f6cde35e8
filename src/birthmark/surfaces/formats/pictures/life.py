"""The life of an entity in git, as a timeline of what commits did to it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from birthmark.documents.changes import HistoryEventDocument
from birthmark.surfaces.formats.pictures.svg import Picture
from birthmark.surfaces.formats.pictures.timeline import Moment, MomentLink, draw_timeline, to_anchor


def draw_life(name: str, events: Sequence[HistoryEventDocument], link: MomentLink | None = to_anchor) -> Picture:
    return draw_timeline([_moment(event) for event in events], f"The life of {name}", link=link)


def _moment(event: HistoryEventDocument) -> Moment:
    label = f"{event.date[:10]} {event.subject}"
    return Moment(_seconds(event.date), tuple(map(str, event.changes)), label, event.author, f"e{event.commit[:12]}")


def _seconds(date: str) -> int:
    """Zero where git holds a time that no calendar has."""
    return int(datetime.fromisoformat(date).timestamp()) if date else 0
