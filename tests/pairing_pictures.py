"""Pictures of pairings for docs/explanation/matching.md: `make docs-pictures` writes them to docs/pictures.

Each is a small repository before and after an edit. Birthmark compares the two; its answer is drawn: the code of both
sides, a line from each definition to what it became, and why that is so.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from birthmark.app.changes.diffing import ComparedStates, compare_states
from birthmark.app.workspace.repository import open_repository
from birthmark.comparison.pair_commit import pair_commit
from birthmark.extraction.model import OutlinedEntity
from birthmark.model import Location
from birthmark.surfaces.formats.pictures.svg import Picture, box_at, head_at, path_of, standalone, text_at
from birthmark.vocabulary import Change, Confidence
from pairing_examples import EXAMPLES, Files
from worlds import World

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
_MARGIN, _LINE, _HEAD, _BETWEEN_FILES = 12, 16, 30, 12
COLUMNS = 45  # of code
_CHARACTER = 7.25  # width, in pixels
_CODE, _BETWEEN = COLUMNS * _CHARACTER + 20, 220  # widths of a column of code, and of the lines between
_RIGHT = _MARGIN + _CODE + _BETWEEN  # where the right column begins
_LABELS_APART = 17
_STROKES = {Confidence.HIGH: ("line", 2.5), Confidence.MEDIUM: ("line", 1.2), Confidence.LOW: ("line unsure", 1.5)}
_DERIVED, _TIE = ("line mark unsure", 1.5), ("line unsure", 1.0)


class Link(NamedTuple):
    """Something before and something after, why they are linked, and the classes and width of the line."""

    old: Location
    new: Location
    label: str
    stroke: tuple[str, float]


class Comparison(NamedTuple):
    """What is drawn of an answer: links, and what has none."""

    links: list[Link]
    deleted: list[Location]
    born: list[Location]


def draw_example(name: str, folder: Path) -> Picture:
    """The picture of an example, which is made as a repository in a folder and compared."""
    example = EXAMPLES[name]
    found = compare(example.before, example.after, folder)
    heights = _heights(example.before), _heights(example.after)
    parts = (
        *_draw_files(_MARGIN, "before", example.before, heights[0]),
        *_draw_lone(_MARGIN, "deleted", found.deleted, heights[0]),
        *_draw_files(_RIGHT, "after", example.after, heights[1]),
        *_draw_lone(_RIGHT, "born", found.born, heights[1]),
        *_draw_links(found.links, *heights),
    )
    bottom = max(_bottom(files) for files in (example.before, example.after))
    return Picture(name, example.title, _describe(found), _RIGHT + _CODE + _MARGIN, bottom, parts)


def compare(before: Files, after: Files, folder: Path) -> Comparison:
    """What Birthmark says of a commit and the worktree."""
    world = World(folder, dict(before), with_git=True)
    world.commit()
    for path in before.keys() - after.keys():
        world.remove(path)
    for path, source in after.items():
        world.write(path, source)
    with open_repository(world.root) as repository:
        compared = compare_states(repository, "HEAD", None)
        old, new = compared.files
        candidates = pair_commit(old, new, repository.family_of).candidates
    ties = [
        Link(OutlinedEntity(old[one[0]], one[1]).location, OutlinedEntity(new[ref[0]], ref[1]).location, "a tie", _TIE)
        for ref, found in candidates.items()
        for one in found
    ]
    tied = {(tie.old, tie.new) for tie in ties}
    changes = compared.comparison.changes
    return Comparison(
        [*_pairs(compared), *ties, *(link for link in _derivations(compared) if (link.old, link.new) not in tied)],
        [change.before for change in changes if change.change == Change.DELETED and change.before],
        [change.after for change in changes if change.change == Change.ADDED and change.after],
    )


def _pairs(compared: ComparedStates) -> Iterator[Link]:
    for change in (*compared.comparison.changes, *compared.comparison.unchanged):
        if change.before and change.after:
            stroke = _STROKES[Confidence(change.confidence or "")]
            yield Link(change.before, change.after, f"{change.evidence} ({change.confidence})", stroke)


def _derivations(compared: ComparedStates) -> Iterator[Link]:
    for change in compared.comparison.changes:
        for end in compared.comparison.derived_from.get(change.new, ()) if change.new and change.after else ():
            assert change.after
            yield Link(end.place, change.after, f"{end.kind}, {end.share:.0%}", _DERIVED)


# Drawing


def _heights(files: Files) -> dict[str, float]:
    """Where each file begins."""
    tops, top = {}, float(_MARGIN)
    for path, source in files.items():
        tops[path] = top
        top += _HEAD + len(source.splitlines()) * _LINE + _BETWEEN_FILES
    return tops


def _bottom(files: Files) -> float:
    return _MARGIN + sum(_HEAD + len(source.splitlines()) * _LINE + _BETWEEN_FILES for source in files.values())


def _middle(tops: Mapping[str, float], place: Location) -> float:
    """The height of the first line of a definition."""
    return tops[place.path] + _HEAD + (place.start_line - 0.5) * _LINE - 2


def _draw_files(left: float, side: str, files: Files, tops: Mapping[str, float]) -> Iterator[str]:
    for path, source in files.items():
        lines = source.splitlines()
        yield box_at(left, tops[path], _CODE, _HEAD + len(lines) * _LINE, "box")
        yield text_at(left + 10, tops[path] + 17, f"{path} {side}", "strong small faint")
        for number, line in enumerate(lines):
            indent = len(line) - len(line.lstrip())
            height = tops[path] + _HEAD + number * _LINE + 10
            if line.strip():
                yield text_at(left + 10 + indent * _CHARACTER, height, line.strip(), "name")


def _draw_lone(left: float, word: str, places: Sequence[Location], tops: Mapping[str, float]) -> Iterator[str]:
    """What has no other side."""
    for place in places:
        height = (place.end_line - place.start_line + 1) * _LINE
        yield box_at(left, _middle(tops, place) - _LINE / 2, 5, height, word, 1)
        yield text_at(left + _CODE - 8, _middle(tops, place) + 4, word, "small faint end")


def _draw_links(links: Sequence[Link], old: Mapping[str, float], new: Mapping[str, float]) -> Iterator[str]:
    start, end = _MARGIN + _CODE, _RIGHT
    ends = [(_middle(old, link.old), _middle(new, link.new)) for link in links]
    middle = (start + end) / 2
    for link, (first, last) in zip(links, ends, strict=True):
        way = f"M{start:.1f} {first:.1f}C{middle:.1f} {first:.1f} {middle:.1f} {last:.1f} {end - 8:.1f} {last:.1f}"
        yield path_of(way, *link.stroke)
        yield head_at(end, last, "right", "head mark" if "mark" in link.stroke[0] else "head")
    heights = _apart([(first + last) / 2 for first, last in ends])
    for link, height in zip(links, heights, strict=True):
        yield text_at(middle, height + 4, link.label, "small middle halo")


def _apart(heights: Sequence[float]) -> list[float]:
    """Heights of labels, in their order, so far from one another that each can be read."""
    placed: dict[int, float] = {}
    last = 0.0
    for index in sorted(range(len(heights)), key=lambda one: heights[one]):
        last = placed[index] = max(heights[index], last + _LABELS_APART)
    return [placed[index] for index in range(len(heights))]


def _describe(found: Comparison) -> str:
    """The text alternative: every line of the picture as a sentence."""
    links = [f"{_said(link.old)} to {_said(link.new)}: {link.label}." for link in found.links]
    gone = [f"{_said(place)} is deleted." for place in found.deleted]
    return " ".join([*links, *gone, *(f"{_said(place)} is born." for place in found.born)])


def _said(place: Location) -> str:
    return f"{place.qualified_name} ({place.path}, line {place.start_line})"


def main() -> None:
    for name in EXAMPLES:
        with tempfile.TemporaryDirectory() as folder:
            picture = draw_example(name, Path(folder) / "example")
        (PICTURES / f"{name}.svg").write_text(standalone(picture), "utf-8")
        sys.stdout.write(f"docs/pictures/{name}.svg\n")


if __name__ == "__main__":
    main()
