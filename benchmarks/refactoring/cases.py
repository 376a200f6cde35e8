"""Cases: an old and a new state of some files of a project, and what became of each definition in them.

Takes the sources of a project and a seed. A case is kept only if its new files parse as well as its old ones and a
fresh reading finds every definition where the edits have it; so no case is scored whose edit went wrong.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path, PurePosixPath
from random import Random
from typing import NamedTuple

from refactoring.dialects import FUNCTION, Dialect
from refactoring.sites import Site
from refactoring.sources import has_errors, read_tree
from refactoring.table import Refactoring
from refactoring.trees import Definition, Place, Tree

SAME, GONE, NEW = "same", "gone", "new"
_MOST_BYTES = 60_000  # of a file
_MOST_FILES = 600  # of a project that are looked at
_DONORS = 6  # files of which new code is taken
_TRIES = 12  # for each case that is wanted


class Fate(NamedTuple):
    """What became of a definition: a line of `truth.jsonl`."""

    relation: str  # same, gone, new, or the kind of a derivation
    old: Place | None
    new: Place | None
    is_touched: bool
    may_be_same: bool = False


class Case(NamedTuple):
    """Two states of some files, and the truth about them."""

    name: str
    language: str
    refactoring: str
    old: dict[str, str]
    new: dict[str, str]
    fates: list[Fate]


class Project:
    """The sources of a language in a folder, by path; and their functions, each file read once."""

    def __init__(self, dialect: Dialect, name: str, sources: dict[str, str]) -> None:
        self.dialect, self.name, self.sources = dialect, name, sources
        self._functions: dict[str, list[Definition]] = {}

    def slice(self, n_files: int, random: Random) -> dict[str, str]:
        """Neighbours: files around one, in the order of their paths."""
        paths = sorted(self.sources)
        at = random.randrange(len(paths))
        return {path: self.sources[path] for path in paths[max(0, at - n_files // 2) : at + (n_files + 1) // 2]}

    def donors(self, taken: Collection[str], random: Random) -> list[Definition]:
        """Functions of a few other files."""
        others = [path for path in sorted(self.sources) if path not in taken]
        chosen = random.sample(others, min(_DONORS, len(others)))
        return [function for path in chosen for function in self._functions_in(path)]

    def _functions_in(self, path: str) -> list[Definition]:
        if path not in self._functions:
            found = read_tree(self.dialect, {path: self.sources[path]}).definitions(FUNCTION)
            self._functions[path] = [one for one in found if one.inner[1] - one.inner[0] > 2]
        return self._functions[path]


def read_project(dialect: Dialect, root: Path) -> Project:
    paths = sorted(path for path in root.rglob("*") if path.suffix in dialect.extensions and path.is_file())
    texts = {str(PurePosixPath(path.relative_to(root))): _read(path) for path in paths[:_MOST_FILES]}
    return Project(dialect, root.name, {path: text for path, text in texts.items() if text is not None})


def _read(path: Path) -> str | None:
    try:
        text = path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        return None
    is_plain = text.endswith("\n") and "\r" not in text and "\f" not in text
    return text if is_plain and len(text) < _MOST_BYTES else None


def make_cases(project: Project, row: Refactoring, n_cases: int, seed: int) -> Iterator[Case]:
    n_made = 0
    for attempt in range(n_cases * _TRIES):
        name = f"{project.dialect.name}/{row.name.replace(' ', '-')}/{project.name}-{attempt:03}"
        case = _make_case(name, project, row, Random(f"{seed} {name}"))  # noqa: S311  nothing secret
        if case is not None:
            n_made += 1
            yield case
        if n_made == n_cases:
            return


def _make_case(name: str, project: Project, row: Refactoring, random: Random) -> Case | None:
    sources = project.slice(row.n_files, random)
    tree = read_tree(project.dialect, sources)
    site = Site(tree, random, project.donors(sources, random))
    if not site.donors or not row.prepare(site):
        return None
    old = tree.copy()
    if sum(row.edit(site) for _ in range(row.n_times)) == 0:
        return None
    _add_noise(site)
    if not (old.texts() == sources or _is_sound(old, tree)) or not _is_sound(tree, old):
        return None
    return Case(name, project.dialect.name, row.name, old.texts(), tree.texts(), _fates(old, tree))


def _add_noise(site: Site) -> None:
    """Edits elsewhere, a function that is new, and one that is gone."""
    site.edit_some(3)
    untouched = [one for one in site.functions(2) if one.number not in site.tree.touched]
    if untouched and site.random.random() < 0.5:
        beside = site.random.choice(untouched)
        _, siblings = site.tree.where(beside)
        made = site.borrow()
        if made.indent == beside.indent and made.name not in {one.name for one in site.tree.definitions()}:
            siblings[siblings.index(beside) + 1 : siblings.index(beside) + 1] = ["\n", made]
    if len(untouched) > 5 and site.random.random() < 0.5:
        site.remove(site.random.choice(untouched))


def _is_sound(tree: Tree, other: Tree) -> bool:
    """Whether the texts are what the tree says, and parse where those of the other state do."""
    texts = tree.texts()
    if any(has_errors(tree.dialect, text) and not _has_errors_in(other, path) for path, text in texts.items()):
        return False
    found = {(place.path, place.line, place.name) for place in read_tree(tree.dialect, texts).places().values()}
    return all((place.path, place.line, place.name) in found for place in tree.places().values())


def _has_errors_in(tree: Tree, path: str) -> bool:
    return path in tree.files and has_errors(tree.dialect, tree.text(path))


def _fates(old: Tree, new: Tree) -> list[Fate]:
    before, after, touched = old.places(), new.places(), new.touched
    fates = [Fate(SAME, before[n], after[n], n in touched) for n in before if n in after]
    fates += [Fate(GONE, before[n], None, n in touched) for n in before if n not in after]
    fates += [Fate(NEW, None, after[n], n in touched) for n in after if n not in before]
    fates += [
        Fate(derived.kind, before[derived.old], after[derived.new], is_touched=True, may_be_same=derived.may_be_same)
        for derived in sorted(new.derived)
        if derived.old in before and derived.new in after
    ]
    return fates
