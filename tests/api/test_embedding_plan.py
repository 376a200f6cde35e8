"""A store that does what the plan says has the chunks of the worktree, each with the vector of its text."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from birthmark import BirthmarkError, ChunkDocument, Repository, plan_embeddings, update_vectors
from examples import n_examples
from worlds import World

PARTS = ["def a():\n    return 1\n", "def b():\n    return 2\n", "def c():\n    return 3\n", "x = 4\n"]
EDITS = st.lists(
    st.tuples(st.sampled_from(["p.py", "q.py"]), st.lists(st.sampled_from(PARTS), max_size=4)), min_size=1, max_size=3
)


class DictStore:
    """Vectors are their texts, so that a wrong one is seen."""

    def __init__(self, chunks: Sequence[ChunkDocument] = ()) -> None:
        self.vectors = {chunk.chunk_uid: f"vector of {chunk.text}" for chunk in chunks}
        self.embedded: list[str] = []

    def read(self, uids: Sequence[str]) -> Mapping[str, str]:
        return {uid: self.vectors[uid] for uid in uids if uid in self.vectors}

    def delete(self, uids: Sequence[str]) -> None:
        for uid in uids:
            self.vectors.pop(uid, None)

    def put(self, rows: Sequence[tuple[ChunkDocument, str]]) -> None:
        self.vectors |= {chunk.chunk_uid: vector for chunk, vector in rows}

    def embed(self, texts: Sequence[str]) -> list[str]:
        self.embedded += texts
        return [f"vector of {text}" for text in texts]


@settings(max_examples=n_examples(15))
@given(EDITS)
def test_a_store_is_kept_current(edits: list[tuple[str, list[str]]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        world = make_world(Path(folder) / "w")
        with Repository.open(world.root) as repository:
            store = DictStore(list(repository.chunks()))
            for path, parts in edits:
                world.write(path, "\n".join(parts))
            n_embedded = update_vectors(plan_embeddings(repository.chunks(since="HEAD")), store, store.embed)
            assert store.vectors == DictStore(list(repository.chunks())).vectors
    assert n_embedded == len(store.embedded) == len(set(store.embedded))


def make_world(root: Path) -> World:
    world = World(root, {"p.py": "\n".join(PARTS), "q.py": PARTS[0]}, with_git=True)
    world.commit()
    world.index()
    return world


def test_a_text_that_moved_is_not_embedded_again(tmp_path: Path) -> None:
    world = make_world(tmp_path)
    with Repository.open(world.root) as repository:
        store = DictStore(list(repository.chunks()))
        world.move("p.py", "r.py")
        plan = plan_embeddings(repository.chunks(since="HEAD"))
        assert update_vectors(plan, store, store.embed) == 0
        assert store.vectors == DictStore(list(repository.chunks())).vectors
    assert set(plan.delete) == {one.former_uid for one in plan.rekey}


def test_what_is_missing_in_the_store_is_embedded(tmp_path: Path) -> None:
    world = make_world(tmp_path)
    with Repository.open(world.root) as repository:
        world.move("p.py", "r.py")
        plan, store = plan_embeddings(repository.chunks(since="HEAD")), DictStore()
        assert update_vectors(plan, store, store.embed) == len(plan.rekey) > 0
        assert store.vectors == DictStore(list(repository.chunks("r.py"))).vectors


def test_nothing_is_changed_where_embedding_fails(tmp_path: Path) -> None:
    world = make_world(tmp_path)
    with Repository.open(world.root) as repository:
        store = DictStore(list(repository.chunks()))
        before = dict(store.vectors)
        world.replace("p.py", "return 1", "return 9")
        with pytest.raises(BirthmarkError, match="listed without their text"):
            update_vectors(plan_embeddings(repository.chunks(since="HEAD", text=False)), store, store.embed)
        with pytest.raises(ValueError, match="shorter"):
            update_vectors(plan_embeddings(repository.chunks(since="HEAD")), store, lambda texts: [])
        assert store.vectors == before
