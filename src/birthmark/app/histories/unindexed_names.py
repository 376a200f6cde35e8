"""Find by its name alone what a commit defines, without an index: git says which files have the word.

Takes a commit and a qualified or simple name; gives the one entity that has it, or an error that lists several.
"""

from __future__ import annotations

import re

from birthmark.app.workspace.repository import OpenRepository
from birthmark.app.workspace.states import CommitState
from birthmark.extraction.model import OutlinedEntity
from birthmark.extraction.state import is_source_path
from birthmark.queries.refs.missing import Choice, ambiguous
from birthmark.sources.git.log import paths_with_word


def find_unindexed(repository: OpenRepository, commit: CommitState, name: str) -> OutlinedEntity | None:
    """None if nothing has the name; those that have it as a whole go before those that have it as the last part."""
    words = re.findall(r"\w+", name)
    if not words:
        return None
    paths = paths_with_word(repository.git, commit.commit, words[-1])
    files = commit.load(path for path in paths if is_source_path(path))
    entities = [OutlinedEntity(file, i) for file in files for i in range(len(file.outline.entities))]
    named = [one for one in entities if one.entity.qualified_name == name]
    named = named or [one for one in entities if one.entity.name == name]
    if len(named) > 1:
        raise ambiguous(name, [Choice(one.label, None, one.entity.signature) for one in named])
    return named[0] if named else None
