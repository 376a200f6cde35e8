"""The arguments of `diff`: two states and a filter of changes.

Takes the words and options of a command, or the parameters of a request; gives commits, None for the index or the
worktree, and a filter. As in git, a word that is no revision and that is a path begins the paths. A review takes a
named range, or finds what a branch and its worktree have of their own.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from birthmark.app.workspace.repository import OpenRepository
from birthmark.comparison.changes import COMPARED
from birthmark.comparison.entity_changes import ChangeFilter
from birthmark.errors import BirthmarkError, NotFoundError
from birthmark.extraction.state import NOTHING
from birthmark.languages.registry import load_registry
from birthmark.model import KINDS
from birthmark.queries.ref_forms import check_ref
from birthmark.sources.git.repository import GitRepository
from birthmark.sources.git.revisions import RevisionRange, is_before_first, parse_range, resolve_range, resolve_revision
from birthmark.vocabulary import ReviewBasis
from birthmark.words import did_you_mean

_DEFAULT_BRANCHES = ("origin/HEAD", "upstream/HEAD", "origin/main", "origin/master", "@{upstream}", "main", "master")


class DiffArguments(NamedTuple):
    """The commits to compare, without a base the index, without a target the worktree; and the paths.

    What is before the first commit is nothing, which is a base, too.
    """

    base: str | None
    target: str | None
    paths: tuple[str, ...] = ()

    @property
    def commits(self) -> tuple[str | None, str | None]:
        """Return base and target, with None for a state that is not a commit."""
        base, target = (None if one == NOTHING else one for one in (self.base, self.target))
        return base, target


def read_arguments(
    repository: OpenRepository, words: Sequence[str], paths: Sequence[str] = (), *, with_index: bool = False
) -> DiffArguments:
    """Return the commits that `[BASE [TARGET]]` or `A..B` names, and paths relative to the root."""
    revisions, _ = split_words(repository, words, only_revisions=True)
    commits = _resolve_all(repository, [word for word in revisions if word is not None])
    if with_index and commits:
        raise BirthmarkError("--index compares the index with the worktree; name no revision with it")
    base = commits[0] if commits else None if with_index else _default_base(repository)
    target = commits[1] if len(commits) > 1 else None
    return DiffArguments(base, target, tuple(from_root(repository, path) for path in paths))


def read_filter(
    paths: Iterable[str], kinds: Iterable[str], languages: Iterable[str], changes: Iterable[str] = ()
) -> ChangeFilter:
    """Values may be joined by commas; one that does not exist is an error."""
    paths = tuple(paths)
    for path in paths:
        check_ref(path)
    names = list(load_registry().languages)
    return ChangeFilter(
        paths,
        _read_values("kind", kinds, KINDS),
        _read_values("language", languages, names),
        _read_values("change", changes, list(map(str, COMPARED[:-1]))),
    )


Revisions = tuple[str | None, str | None]  # as they were given: a base or a range, and a target


def split_words(
    repository: OpenRepository, words: Sequence[str], *, only_revisions: bool = False
) -> tuple[Revisions, tuple[str, ...]]:
    """Return the revisions among the words, and the paths that follow them; nothing is resolved yet."""
    revisions: list[str] = []
    while len(revisions) < min(2, len(words)):
        word = words[len(revisions)]
        if only_revisions and not word:
            raise NotFoundError("unknown revision ''; name a branch, a tag, a commit or a date")
        if not only_revisions and _is_path(repository, word):
            break
        if parse_range(word) is not None:
            if revisions:
                raise BirthmarkError(f"{word!r} is a range, and is compared by itself; name no other revision with it")
            revisions.append(word)
            break
        revisions.append(word)
    rest = tuple(words[len(revisions) :])
    extra = next((word for word in rest if only_revisions or not _exists(repository, word)), None)
    if extra is not None:
        raise BirthmarkError(
            f"{extra!r} is one too many: name one or two revisions, or one range like A..B; paths go behind `--`"
        )
    base, target = [*revisions, None, None][:2]
    return (base, target), rest


def _resolve_all(repository: OpenRepository, revisions: Sequence[str]) -> list[str]:
    """Return the commits of a range, or of each revision."""
    asked = parse_range(revisions[0]) if revisions else None
    return [_resolve(repository, one) for one in revisions] if asked is None else _resolve_range(repository, asked)


def _resolve_range(repository: OpenRepository, asked: RevisionRange) -> list[str]:
    if not asked.from_merge_base and is_before_first(repository.git, asked.base):
        return [NOTHING, resolve_revision(repository.git, asked.target)]
    return list(resolve_range(repository.git, asked))


def _resolve(repository: OpenRepository, text: str) -> str:
    """A commit, or nothing, where it is the parent of the first one."""
    return NOTHING if is_before_first(repository.git, text) else resolve_revision(repository.git, text)


def _is_path(repository: OpenRepository, word: str) -> bool:
    """Return whether a word before `--` is a path; revisions take precedence."""
    if not _exists(repository, word):
        return False
    git = repository.git_or_none
    return git is None or git.find(word) is None


def _exists(repository: OpenRepository, word: str) -> bool:
    is_pattern = word.startswith("!") or "*" in word
    return is_pattern or ("\0" not in word and os.path.lexists(_folder(repository) / word))


def from_root(repository: OpenRepository, path: str) -> str:
    """A path, or a pattern, as it is seen from the root."""
    sign, path = ("!", path[1:]) if path.startswith("!") else ("", path)
    full = os.path.normpath(os.path.join(repository.workspace.current_folder, path))
    if os.path.isabs(path):
        full = os.path.relpath(path, repository.workspace.root)
    if full.startswith(".."):
        raise BirthmarkError(f"{path!r} is outside of the repository; name a path in it")
    return sign + full


def _folder(repository: OpenRepository) -> Path:
    return repository.workspace.root / repository.workspace.current_folder


def _default_base(repository: OpenRepository) -> str | None:
    """HEAD, as in git; where there is no commit, the index."""
    git = repository.git_or_none
    return git.head() if git is not None else None


def _read_values(sort: str, given: Iterable[str], known: Sequence[str]) -> frozenset[str]:
    values = [value.strip() for text in given for value in text.split(",") if value.strip()]
    for value in values:
        if value not in known:
            hint = did_you_mean(value, known) or f"; there are {', '.join(known)}"
            raise BirthmarkError(f"there is no {sort} {value!r}{hint}")
    return frozenset(values)


class ReviewRange(NamedTuple):
    """A commit to compare with, and the one to look at, None for the worktree; and why that is the base.

    `branch` is the one whose merge base it is.
    """

    base: str
    target: str | None
    basis: ReviewBasis = ReviewBasis.NAMED
    branch: str | None = None


def read_range(repository: OpenRepository, words: Sequence[str]) -> ReviewRange:
    """Words are none, `BASE`, `BASE TARGET` or `A..B`."""
    if not words:
        return _own_changes(repository.git)
    asked = read_arguments(repository, words, ())
    assert asked.base is not None
    if asked.base == NOTHING:
        raise NotFoundError(f"{words[0]!r} goes back beyond the first commit; name a later one")
    return ReviewRange(asked.base, asked.target)


def _own_changes(git: GitRepository) -> ReviewRange:
    """Since the merge base with the first default branch that there is; where HEAD is in that one, since HEAD."""
    head = git.head()
    if head is None:
        raise NotFoundError("there is no commit yet, so there is nothing to compare with; make the first one")
    branch, other = next(_default_branches(git), (None, None))
    common = git.merge_base(head, other) if other is not None else None
    if common is None or common == head:
        return ReviewRange(head, None, ReviewBasis.HEAD)
    return ReviewRange(common, None, ReviewBasis.MERGE_BASE, branch)


def _default_branches(git: GitRepository) -> Iterator[tuple[str, str]]:
    for name in _DEFAULT_BRANCHES:
        try:
            found = git.find(name) if name != git.branch() else None
        except BirthmarkError:
            continue  # Nothing is tracked.
        if found is not None:
            yield name, found
