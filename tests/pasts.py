"""A past without git: commits are written down as the files they have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256

import reading
from birthmark.extraction.model import Outline
from birthmark.extraction.read import outline_of
from birthmark.history.follow import follow
from birthmark.history.lineage import EntityAtCommit, Step, entity_at_commit
from birthmark.languages.registry import load_registry
from birthmark.sources.git.log import Touches
from birthmark.sources.git.repository import ChangedFile

Files = Mapping[str, str]


class FakePast:
    """Commits are numbered from 0; each has its files, and its parents by their numbers (the one before it)."""

    def __init__(self, commits: Sequence[Files], parents: Mapping[int, Sequence[int]] | None = None) -> None:
        self._trees = [{path: _hash(text) for path, text in files.items()} for files in commits]
        self._contents = {_hash(text): text.encode() for files in commits for text in files.values()}
        self._parents = [tuple((parents or {}).get(n, range(max(n - 1, 0), n))) for n in range(len(commits))]

    def touches(self, commit: str, path: str) -> Touches:
        """As `git rev-list --parents COMMIT -- PATH` tells."""
        found: dict[int, tuple[int, ...]] = {}
        open_ = list(self._nearest(int(commit), path))
        while open_:
            number = open_.pop()
            if number not in found:
                earlier = [near for parent in self._parents[number] for near in self._nearest(parent, path)]
                found[number] = tuple(dict.fromkeys(earlier))
                open_ += found[number]
        return {str(number): tuple(map(str, found[number])) for number in sorted(found, reverse=True)}

    def _nearest(self, number: int, path: str) -> Iterator[int]:
        """The last commit that touched a path; a merge that equals one parent leads there."""
        while True:
            blob, parents = self._trees[number].get(path), self._parents[number]
            same = [parent for parent in parents if self._trees[parent].get(path) == blob]
            if not same:
                if parents or blob is not None:
                    yield number
                return
            number = same[0]

    def parents(self, commit: str) -> tuple[str, ...]:
        return tuple(map(str, self._parents[int(commit)]))

    def blob(self, commit: str, path: str) -> str | None:
        return self._trees[int(commit)].get(path)

    def content(self, blob: str) -> bytes:
        return self._contents[blob]

    def contents(self, files: Sequence[tuple[str, str]]) -> Iterator[bytes]:
        return (self.content(blob) for blob, _ in files)

    def outlines(self, files: Sequence[tuple[str, str]]) -> list[Outline | None]:
        return [_outline(self._contents[blob], self.language_of(path)) for blob, path in files]

    def changed(self, old: str, new: str) -> list[ChangedFile]:
        before, after = self._trees[int(old)], self._trees[int(new)]
        both = [ChangedFile(path, before.get(path), after.get(path)) for path in sorted({*before, *after})]
        return [file for file in both if file.old_blob != file.new_blob]

    def paths_with_lines(self, commit: str, lines: Sequence[bytes]) -> list[str]:
        tree = self._trees[int(commit)]
        return [path for path, blob in tree.items() if all(line in self._contents[blob] for line in lines)]

    def family_of(self, language: str) -> str:
        return reading.family_of(language)

    def language_of(self, path: str, blob: str | None = None) -> str | None:
        spec = load_registry().of_path(path)
        return spec.name if spec else None

    # Asking

    def spot(self, ref: str, commit: str | None = None) -> EntityAtCommit:
        """`path::Qualified.name` at a commit, the last one if none is named."""
        at = commit or str(len(self._trees) - 1)
        path, _, name = ref.partition("::")
        blob = self._trees[int(at)][path]
        outline = self.outlines([(blob, path)])[0]
        assert outline is not None
        names = [entity.qualified_name for entity in outline.entities]
        assert name in names, f"{name} is none of {names}"
        return entity_at_commit(self, at, path, blob, outline, names.index(name))

    def history(self, ref: str, commit: str | None = None) -> list[Step]:
        return follow(self, self.spot(ref, commit))

    def story(self, ref: str, commit: str | None = None) -> list[str]:
        """A line a step, newest first: `3 rename, body change`."""
        return [f"{step.commit} {', '.join(step.changes)}" for step in self.history(ref, commit)]


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:40]


@lru_cache(1 << 12)
def _outline(content: bytes, language: str | None) -> Outline | None:
    return outline_of(reading.read(language, content, "")) if language else None
