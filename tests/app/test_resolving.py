"""Whatever is asked, each REF gets its own answer, in order, and the same alone as among others."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from birthmark.app.answers.resolving import resolve_all, resolve_at
from birthmark.app.workspace.session import Session
from birthmark.surfaces.formats.event_words import recognised_by
from birthmark.vocabulary import Change, Evidence, RefStatus
from worlds import World

SOURCE = "class Shop:\n    def close(self):\n        return 1\n\n\ndef total(basket):\n    return sum(basket)\n"
PARTS = ["a.py", "lib", "gone.py", "Shop", "close", "total", "old", "::", ":", ".", "/", "1", "99", "-", "bm-", " "]


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    world = World(tmp_path_factory.mktemp("w"), {"a.py": SOURCE.replace("total", "old"), "gone.py": "X = 1\n"})
    world.index()
    world.write("a.py", SOURCE)
    world.move("gone.py", "lib/here.py")
    world.index()
    with world.session() as session:
        yield session


texts = st.lists(st.sampled_from(PARTS), max_size=5).map("".join) | st.text(max_size=12)


@given(refs=st.lists(texts, max_size=25))
def test_every_ref_gets_its_answer(session: Session, refs: list[str]) -> None:
    answers = [answer.resolved for answer in resolve_all(session, refs)]
    assert [answer.ref for answer in answers] == refs
    for answer in answers:
        alone = resolve_at(session, answer.ref, None).resolved
        assert (answer.status, answer.life, answer.was) == (alone.status, alone.life, alone.was)
        assert (answer.problem is None) == (answer.status in (RefStatus.PRESENT, RefStatus.GONE))


def test_there_are_words_for_all_evidence_and_none_of_what_goes_without_saying() -> None:
    said = {evidence: recognised_by(Change.RENAMED, evidence) for evidence in Evidence}
    assert said[Evidence.SAME_BODY] == "recognised by its body"
    assert {evidence for evidence, words in said.items() if not words} == {
        Evidence.SAME_IDENTITY,
        Evidence.SAME_CONTENT,
        Evidence.SAME_CONTENT_ELSEWHERE,
        Evidence.SAME_NAME,
        Evidence.SAME_NAME_ELSEWHERE,
        Evidence.SAME_INTERFACE,
        Evidence.SAME_PARAMETERS,
    }
    assert {recognised_by(Change.MODIFIED, evidence) for evidence in Evidence} == {""}
