"""A store that does what the plan says has the chunks of the worktree, each with the vector of its text."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from birthmark import Repository, plan_embeddings
from worlds import World

PARTS = ["def a():\n    return 1\n", "def b():\n    return 2\n", "def c():\n    return 3\n", "x = 4\n"]
EDITS = st.lists(
    st.tuples(st.sampled_from(["p.py", "q.py"]), st.lists(st.sampled_from(PARTS), max_size=4)), min_size=1, max_size=3
)


@settings(max_examples=15)
@given(EDITS)
def test_a_store_is_kept_current(edits: list[tuple[str, list[str]]]) -> None:
    """Vectors are made of their texts, so that a wrong one is seen."""
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder) / "w", {"p.py": "\n".join(PARTS), "q.py": PARTS[0]}, with_git=True)
        world.commit()
        world.index()
        with Repository.open(world.root) as repository:
            store = {chunk.chunk_uid: f"vector of {chunk.text}" for chunk in repository.chunks()}
            for path, parts in edits:
                world.write(path, "\n".join(parts))
            plan = plan_embeddings(repository.chunks(since="HEAD"))
            known = {one.chunk.chunk_uid: store[one.former_uid] for one in plan.rekey}
            for uid in plan.delete:
                del store[uid]
            store |= known | {chunk.chunk_uid: f"vector of {chunk.text}" for chunk in plan.embed}
            assert store == {chunk.chunk_uid: f"vector of {chunk.text}" for chunk in repository.chunks()}


def test_a_kept_text_is_not_embedded_again(tmp_path: Path) -> None:
    world = World(tmp_path, {"p.py": "\n".join(PARTS)}, with_git=True)
    world.commit()
    world.index()
    world.move("p.py", "q.py")
    with Repository.open(world.root) as repository:
        plan = plan_embeddings(repository.chunks(since="HEAD"))
    assert (plan.embed, len(plan.rekey) > 0) == ((), True)
    assert set(plan.delete) == {one.former_uid for one in plan.rekey}
