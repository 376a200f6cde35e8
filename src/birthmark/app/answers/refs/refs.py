"""Find what a REF names: the one way from its text to entities, for every command.

A path in a REF is relative to the current folder. Its lines and names are those of the state that the command is
about: a revision where one is given, else the worktree. What is no path of that state is looked up in the index, by
`indexed_refs.py`, which is loaded only then: it brings the graph along.
"""

from __future__ import annotations

from birthmark.app.answers.refs.missing_refs import explain_missing
from birthmark.app.workspace.marks import Marks
from birthmark.app.workspace.repository import OpenRepository
from birthmark.errors import BirthmarkError, NotFoundError
from birthmark.extraction.model import OutlinedEntity
from birthmark.extraction.state import RepositoryState
from birthmark.model import Level
from birthmark.queries.missing import Choice, ambiguous
from birthmark.queries.ref import locate_all, locate_nearest
from birthmark.queries.ref_forms import LinesRef, NamedRef, Ref, parse_entity_ref


def find_entity(
    repository: OpenRepository,
    state: RepositoryState,
    text: str,
    folder: str | None = None,
    *,
    suggests: bool = True,
    level: Level = Level.OUTLINE,
) -> OutlinedEntity:
    """The one entity that a REF names in a state; what is no path of it is looked up in the index.

    Without a folder, paths are relative to the current one. What names nothing is a NotFoundError, which suggests
    what may have been meant; where many REFs are looked up, that may be left out. `level` is that
    of a file at a path.
    """
    ref = parse_ref(text, repository.workspace.current_folder if folder is None else folder)
    if isinstance(ref, LinesRef | NamedRef) and state.entry(ref.path) is not None:
        return _only_one(repository, state, text, locate_all(state, ref, level))
    if repository.store is None or isinstance(ref, LinesRef):
        raise missing_ref(repository, state, ref, text, suggests=suggests)
    from birthmark.app.answers.refs.indexed_refs import find_in_index

    entity = find_in_index(repository, repository.store, state, ref, text, suggests=suggests)
    return locate_nearest(state, NamedRef(entity.path, entity.qualified_name), entity.start_line)


def _only_one(
    repository: OpenRepository, state: RepositoryState, text: str, entities: list[OutlinedEntity]
) -> OutlinedEntity:
    if len(entities) > 1:
        marks = Marks(repository, state)
        raise ambiguous(
            text, [Choice(one.label, marks.mark_of(one), one.entity.qualified_declaration) for one in entities]
        )
    return entities[0]


def path_ref(text: str, folder: str) -> LinesRef | NamedRef | None:
    """A REF that begins with a path, from a folder; a NamedRef may turn out to be a name such as `std::sort`."""
    ref = parse_ref(text, folder)
    return ref if isinstance(ref, LinesRef | NamedRef) else None


def parse_ref(text: str, folder: str) -> Ref:
    return parse_entity_ref(text).relative_to(folder)


def missing_ref(
    repository: OpenRepository, state: RepositoryState, ref: Ref, text: str, *, suggests: bool
) -> BirthmarkError:
    """Why a REF names nothing: it may be misspelt."""
    if isinstance(ref, LinesRef | NamedRef) and state.entry(ref.path) is not None:
        try:
            locate_all(state, ref)
        except NotFoundError as error:
            return error
    if not suggests:
        return NotFoundError(f"{text}: nothing has that name")
    return explain_missing(repository, state, ref, text)
