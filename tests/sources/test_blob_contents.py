"""Contents are those of the blobs, in their order, whatever was read before; few more are read than are taken."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from hypothesis import given
from hypothesis import strategies as st

from birthmark.sources.git.objects import BlobContents


class Reader:
    """Reads the blob `7` as seven bytes, and counts."""

    def __init__(self) -> None:
        self.read: list[str] = []

    def __call__(self, blobs: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        for blob in blobs:
            self.read.append(blob)
            yield blob, b"x" * int(blob)


@given(st.lists(st.lists(st.integers(0, 40)), max_size=5), st.integers(0, 100))
def test_contents_come_in_the_order_of_their_blobs(asked: list[list[int]], most_bytes: int) -> None:
    contents = BlobContents(Reader(), most_bytes)
    for sizes in asked:
        assert [len(content) for content in contents.get_many([str(size) for size in sizes])] == sizes
        assert [len(contents.get(str(size))) for size in sizes] == sizes


def test_nothing_is_read_twice_while_it_is_kept() -> None:
    reader = Reader()
    contents = BlobContents(reader, most_bytes=10)
    assert [len(contents.get(blob)) for blob in ("4", "5", "4")] == [4, 5, 4]
    assert reader.read == ["4", "5"]
    contents.get("6")  # more than there is room for: the one that was used least recently makes room
    contents.get("4")
    contents.get("5")
    assert reader.read == ["4", "5", "6", "5"]
    contents.clear()
    contents.get("4")
    assert reader.read[-1] == "4"


def test_where_the_first_ones_are_enough_the_others_are_not_read() -> None:
    reader = Reader()
    list(islice(BlobContents(reader).get_many([str(size) for size in range(500)]), 3))
    assert len(reader.read) < 20
