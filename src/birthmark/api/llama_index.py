"""A node parser for LlamaIndex (`pip install birthmark[llama-index]`): its nodes are chunks, their ids chunk uids."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llama_index.core.node_parser import NodeParser
from llama_index.core.schema import BaseNode, NodeRelationship, TextNode
from pydantic import PrivateAttr

from birthmark.api.embedding_plan import text_of_chunk
from birthmark.api.framework_chunks import chunk_metadata, chunks_of_file
from birthmark.api.repository import Repository
from birthmark.documents.definitions import ChunkDocument


class BirthmarkNodeParser(NodeParser):  # type: ignore[misc]  # without LlamaIndex the type is not known
    """Nodes of the files of a repository; the metadata of a document has the path of its file in `path_field`."""

    path_field: str = "file_path"
    _repository: Repository = PrivateAttr()

    def __init__(self, repository: Repository, **options: Any) -> None:
        super().__init__(**options)
        self._repository = repository

    @classmethod
    def class_name(cls) -> str:
        return cls.__name__

    def _parse_nodes(self, nodes: Sequence[BaseNode], show_progress: bool = False, **options: Any) -> list[BaseNode]:
        return [node for document in nodes for node in self._nodes_of(document)]

    def _nodes_of(self, document: BaseNode) -> list[TextNode]:
        """Return a node for each chunk of a document; a file that is not in the index becomes one node."""
        chunks = chunks_of_file(self._repository, document.metadata, self.path_field)
        found = [chunk_node(chunk) for chunk in chunks] or [TextNode(text=document.get_content())]
        for node in found:
            node.relationships[NodeRelationship.SOURCE] = document.as_related_node_info()
        return found


def chunk_node(chunk: ChunkDocument) -> TextNode:
    """A chunk as a node; neither its names nor its lines are embedded, as they change while its text does not."""
    metadata = chunk_metadata(chunk)
    return TextNode(
        id_=chunk.chunk_uid,
        text=text_of_chunk(chunk),
        metadata=metadata,
        excluded_embed_metadata_keys=list(metadata),
    )
