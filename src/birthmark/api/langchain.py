"""A text splitter for LangChain (`pip install birthmark[langchain]`): documents are chunks, their ids chunk uids."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from langchain_core.documents import Document as LangChainDocument
from langchain_text_splitters import TextSplitter

from birthmark.api.embedding_plan import text_of_chunk
from birthmark.api.framework_chunks import chunk_metadata, chunks_of_file
from birthmark.api.repository import Repository
from birthmark.documents.definitions import ChunkDocument
from birthmark.errors import BirthmarkError


class BirthmarkTextSplitter(TextSplitter):  # type: ignore[misc]  # without LangChain the type is not known
    """A splitter for documents of files in a repository; their metadata has the path in `path_field`."""

    def __init__(self, repository: Repository, path_field: str = "source", **options: Any) -> None:
        super().__init__(**options)
        self._repository, self._path_field = repository, path_field

    def split_documents(self, documents: Iterable[LangChainDocument]) -> list[LangChainDocument]:
        """Split documents into chunks; files that are not in the index stay whole."""
        return [one for document in documents for one in self._split(document)]

    def _split(self, document: LangChainDocument) -> list[LangChainDocument]:
        chunks = chunks_of_file(self._repository, document.metadata, self._path_field)
        return [chunk_document_of(chunk, document.metadata) for chunk in chunks] or [document]

    def split_text(self, text: str) -> list[str]:
        raise BirthmarkError("a text without its path has no chunks; call split_documents")


def chunk_document_of(chunk: ChunkDocument, metadata: dict[str, Any] | None = None) -> LangChainDocument:
    """A chunk as a document, with the metadata of the document that it is from."""
    return LangChainDocument(
        page_content=text_of_chunk(chunk), id=chunk.chunk_uid, metadata={**(metadata or {}), **chunk_metadata(chunk)}
    )
