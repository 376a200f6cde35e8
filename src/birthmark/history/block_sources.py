"""The function that a block or variable was in before it went into another one.

Takes a block that none of its function's predecessors has, and looks for it in the other functions of the file that
the commit changed. It has come from one of them that has it no longer: a new function was extracted with it, or a
function that is gone was inlined. Between two functions that both go on, code is not followed. A variable goes only
with the most of a function's code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from birthmark.history.entity_at_commit import EntityAtCommit, entity_at_commit
from birthmark.history.function_body import FunctionBody, LocalHistorySource, align_bodies
from birthmark.matching.bodies.block_alignment import block_likeness
from birthmark.matching.bodies.blocks import CLAUSES, BodyPair
from birthmark.matching.bodies.token_alignment import Token, TokenAlignment, weigh_token
from birthmark.model import FUNCTION_LIKE
from birthmark.syntax.canonical import DROPPED

_ALIKE = 0.75  # of head and body that are the same in a block that has moved by itself
_MUCH_MORE = 2  # times as much of the code of a function as its predecessor has
_HALF = 0.5  # of a function whose code has moved: what was in it has moved with it

ReadBody = Callable[[EntityAtCommit], FunctionBody | None]
ShareOf = Callable[[EntityAtCommit], float | None]  # how much of a function has moved; None if not enough


class BlockSources:
    """Where blocks were, if they were not in the predecessors of their functions."""

    def __init__(self, repository: LocalHistorySource, read: ReadBody) -> None:
        self.repository, self.read = repository, read

    def find(self, entity: EntityAtCommit, index: int, known: Sequence[EntityAtCommit]) -> EntityAtCommit | None:
        """The function that a block of an entity was in before; `known` are those that were searched already."""
        return self._best(entity, known, lambda old: self._moved_share(old, entity, index, is_new=not known))

    def find_main(self, entity: EntityAtCommit, known: Sequence[EntityAtCommit]) -> EntityAtCommit | None:
        """A function that is gone and had much more of the code of an entity than its predecessors had."""
        after = self.read(entity)
        least = _MUCH_MORE * max((self._common(one, after) for one in known), default=0.0) or 1.0

        def share_of(old: EntityAtCommit) -> float | None:
            share = self._common(old, after)
            return share if share >= least and not self._successors(old, entity) else None

        return self._best(entity, known, share_of)

    def _best(
        self, entity: EntityAtCommit, known: Sequence[EntityAtCommit], share_of: ShareOf
    ) -> EntityAtCommit | None:
        """The changed function with the largest share, in the first parent that has one."""
        searched = {one.text for one in known}
        for parent in self.repository.parents(entity.commit):
            changed = [old for old in self._changed(parent, entity.path, entity.blob) if old.text not in searched]
            shares = {share: old for old in changed if (share := share_of(old)) is not None}
            if shares:
                return shares[max(shares)]
        return None

    def _common(self, old: EntityAtCommit, after: FunctionBody | None) -> float:
        before = self.read(old)
        if before is None or after is None:
            return 0.0
        alignment = align_bodies(before, after).tokens
        return _weight([alignment.old[i] for i in alignment.same])

    def _changed(self, commit: str, path: str, other: str) -> Iterator[EntityAtCommit]:
        """The functions of a file that are not in another state of it as they are."""
        blob, content = self.repository.blob(commit, path), self.repository.content(other)
        outline = self.repository.outlines([(blob, path)])[0] if blob is not None else None
        if blob is None or outline is None:
            return
        for index, definition in enumerate(outline.entities):
            if definition.kind in FUNCTION_LIKE:
                function = entity_at_commit(self.repository, commit, path, blob, outline, index)
                if function.text not in content:
                    yield function

    def _moved_share(self, old: EntityAtCommit, new: EntityAtCommit, index: int, is_new: bool) -> float | None:
        """How much of a function has moved into another one, if a block has, and was not copied."""
        before, after = self.read(old), self.read(new)
        if before is None or after is None or not _has_words(before, after, index):
            return None
        while after.blocks[index].sort in CLAUSES and after.blocks[index].parent >= 0:
            index = after.blocks[index].parent  # A clause moves with its block.
        alignment = align_bodies(before, after)
        found = alignment.blocks.get(index)
        if found is None or _is_kept(before, found, after, index):
            return None
        successors = self._successors(old, new)
        if (successors and not is_new) or any(
            found in align_bodies(before, body).blocks.values() for body in successors
        ):
            return None
        share = _share_of(alignment.tokens)
        likeness = block_likeness(BodyPair(before.blocks, after.blocks, alignment.tokens), found, index)
        return share if likeness >= _ALIKE or share >= _HALF else None

    def _successors(self, old: EntityAtCommit, new: EntityAtCommit) -> list[FunctionBody]:
        """The functions of its name that are there now, and were not before."""
        namesakes = [
            one
            for one in self._changed(new.commit, new.path, old.blob)
            if one.qualified_name == old.qualified_name and one.start != new.start
        ]
        return [body for one in namesakes if (body := self.read(one)) is not None]


def _has_words(before: FunctionBody, after: FunctionBody, index: int) -> bool:
    """Whether a body has half of the words of a block, without which an alignment is not worth while."""
    words = {token.text for token in after.tokens[slice(*after.blocks[index].tokens)] if weigh_token(token.text) == 1}
    return 2 * len(words.intersection(token.text for token in before.tokens)) >= len(words)


def _is_kept(before: FunctionBody, found: int, after: FunctionBody, index: int) -> bool:
    """Whether a file has the text of a block as often as before, not counting what it has become."""
    text, now = _text(before, found), _text(after, index)
    was, is_ = [body.interior.mask.translate(None, DROPPED).count(text) for body in (before, after)]
    return is_ > was if text == now else is_ >= was


def _text(body: FunctionBody, index: int) -> bytes:
    return body.interior.mask[slice(*body.blocks[index].span)].translate(None, DROPPED)


def _share_of(alignment: TokenAlignment) -> float:
    """How much of the smaller one of two bodies is in the other."""
    smaller = min(_weight(alignment.old), _weight(alignment.new))
    return _weight([alignment.old[i] for i in alignment.same]) / smaller if smaller else 0.0


def _weight(tokens: Sequence[Token]) -> float:
    return sum(weigh_token(token.text) for token in tokens)
