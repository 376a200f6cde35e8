"""Nodes and documents of frameworks are chunks, with uids and marks; skipped where a framework is not installed."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest

from birthmark import BirthmarkError, Repository, plan_embeddings
from birthmark.api.framework_chunks import chunk_metadata, chunks_of_file
from example_shop import make_shop
from worlds import World

PAGE = Path(__file__).parents[2] / "docs/how-to/use-from-python.md"


def run_block(package: str) -> dict[str, Any]:
    """The block of the how-to that imports from a package."""
    blocks: list[str] = re.findall(r"^```py\n(.*?)^```", PAGE.read_text("utf-8"), re.S | re.M)
    (block,) = [one for one in blocks if f"from {package}" in one]
    names: dict[str, Any] = {}
    exec(block, names)  # noqa: S102 - it is our own
    return names


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = make_shop(tmp_path / "shop")
    world.write("notes.txt", "Nothing to parse.\n")
    return world


def test_a_file_is_found_by_what_its_loader_calls_it(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    repository = Repository.open(world.root)
    expected = list(repository.chunks("src/tax.py"))
    monkeypatch.chdir(world.root / "src")
    for path in (str(world.root / "src/tax.py"), "tax.py", Path("tax.py"), os.path.join("..", "src", "tax.py")):
        assert chunks_of_file(repository, {"source": path}, "source") == expected
    assert chunks_of_file(repository, {"source": "../notes.txt"}, "source") == []
    with pytest.raises(BirthmarkError, match="'file_path' is not there; name the field"):
        chunks_of_file(repository, {"source": "tax.py"}, "file_path")
    with pytest.raises(BirthmarkError, match="outside of the repository"):
        chunks_of_file(repository, {"source": "../../tax.py"}, "source")


def test_what_a_chunk_carries(world: World) -> None:
    repository = Repository.open(world.root)
    (chunk,) = repository.chunks("src/tax.py")
    carried = chunk_metadata(chunk)
    assert carried["mark"] == repository.entity("net").mark
    assert (carried["path"], carried["start_line"], carried["end_line"]) == ("src/tax.py", 1, 2)
    assert str(repository.resolve(str(carried["chunk_uid"])).status) == "present"


def test_nodes_of_llama_index(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("llama_index.core", reason="LlamaIndex is not installed: birthmark[llama-index]")
    from llama_index.core.schema import Document, MetadataMode

    from birthmark.api.llama_index import BirthmarkNodeParser, chunk_node

    repository = Repository.open(world.root)
    files = ["src/shop.py", "src/tax.py", "notes.txt"]
    documents = [Document(text=world.read(file), metadata={"file_path": str(world.root / file)}) for file in files]
    nodes = BirthmarkNodeParser(repository).get_nodes_from_documents(documents)
    chunks = list(repository.chunks())
    assert [(node.node_id, node.text, node.metadata["mark"]) for node in nodes[:-1]] == [
        (chunk.chunk_uid, chunk.text, chunk.mark) for chunk in chunks
    ]
    assert (nodes[-1].text, "mark" in nodes[-1].metadata) == (world.read("notes.txt"), False)
    assert {node.ref_doc_id for node in nodes} == {document.doc_id for document in documents}
    plan = plan_embeddings(repository.chunks(since="HEAD~1"))
    embedded = [chunk_node(chunk) for chunk in plan.embed]
    assert [node.get_content(MetadataMode.EMBED) for node in embedded] == [chunk.text for chunk in plan.embed]
    monkeypatch.chdir(world.root)
    shown = run_block("llama_index")
    assert {node.node_id for node in shown["nodes"]} == {chunk.chunk_uid for chunk in chunks}
    assert shown["new_nodes"] == embedded


def test_documents_of_langchain(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("langchain_text_splitters", reason="LangChain is not installed: birthmark[langchain]")
    from langchain_core.documents import Document

    from birthmark.api.langchain import BirthmarkTextSplitter

    repository = Repository.open(world.root)
    files = ["src/shop.py", "src/tax.py", "notes.txt"]
    documents = [Document(world.read(file), metadata={"source": str(world.root / file), "of": "ada"}) for file in files]
    splitter = BirthmarkTextSplitter(repository)
    found = splitter.split_documents(documents)
    assert found[-1] == documents[-1]
    assert [(one.id, one.page_content, one.metadata["mark"], one.metadata["of"]) for one in found[:-1]] == [
        (chunk.chunk_uid, chunk.text, chunk.mark, "ada") for chunk in repository.chunks()
    ]
    assert splitter.transform_documents(documents) == found
    with pytest.raises(BirthmarkError, match="call split_documents"):
        splitter.split_text("def f(): ...")
    monkeypatch.chdir(world.root)
    shown = run_block("langchain_core")
    assert [one.id for one in shown["chunks"]] == [chunk.chunk_uid for chunk in repository.chunks("src/shop.py")]
    assert [one.id for one in shown["new_documents"]] == [
        chunk.chunk_uid for chunk in plan_embeddings(repository.chunks(since="HEAD~1")).embed
    ]
