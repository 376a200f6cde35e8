"""Birthmark gives every piece of code an identity that survives editing.

`Repository` asks what the commands ask, and answers with the documents that they print as JSON:

    import birthmark

    with birthmark.Repository.open("path/to/repository") as repository:
        repository.index()
        print(repository.resolve("bm-7k3q9w2m4x8p").status)

A public name is imported when it is first used, so that `import birthmark` loads nothing else.
"""

TYPE_CHECKING = False  # Type checkers take a variable of this name for true; typing would be most of what is loaded.

if TYPE_CHECKING:
    from birthmark.api.anchors import anchor, resolve_anchor
    from birthmark.api.embedding_plan import EmbeddingPlan, VectorStore, plan_embeddings, update_vectors
    from birthmark.api.repository import Repository
    from birthmark.api.subscriptions import Subscriptions
    from birthmark.app.scans.subscriptions import SubscriptionRequest
    from birthmark.documents.answers import ResolvedDocument, ShownDocument
    from birthmark.documents.changes import DiffDocument, HistoryDocument
    from birthmark.documents.definitions import ChunkChangesDocument, ChunkDocument, EntityDocument
    from birthmark.documents.index import IndexUpdateDocument, StatusDocument
    from birthmark.documents.listings import SearchDocument
    from birthmark.documents.scans import ReportDocument
    from birthmark.documents.subscriptions import AppliedDocument, SubscribedDocument, SubscriptionDocument
    from birthmark.documents.uses import EdgesDocument
    from birthmark.errors import AmbiguousError, BirthmarkError, DamagedError, NotFoundError, StoreError

__version__ = "0.2.0.dev0"

# The module of each public name; a test compares them with __all__ and with what is imported above.
_MODULES = {
    "Repository": "api.repository",
    "anchor": "api.anchors",
    "resolve_anchor": "api.anchors",
    "Subscriptions": "api.subscriptions",
    "SubscriptionRequest": "app.scans.subscriptions",
    "EmbeddingPlan": "api.embedding_plan",
    "VectorStore": "api.embedding_plan",
    "plan_embeddings": "api.embedding_plan",
    "update_vectors": "api.embedding_plan",
    "BirthmarkError": "errors",
    "NotFoundError": "errors",
    "AmbiguousError": "errors",
    "StoreError": "errors",
    "DamagedError": "errors",
    "EntityDocument": "documents.definitions",
    "ShownDocument": "documents.answers",
    "ResolvedDocument": "documents.answers",
    "HistoryDocument": "documents.changes",
    "DiffDocument": "documents.changes",
    "ChunkDocument": "documents.definitions",
    "ChunkChangesDocument": "documents.definitions",
    "EdgesDocument": "documents.uses",
    "SearchDocument": "documents.listings",
    "IndexUpdateDocument": "documents.index",
    "StatusDocument": "documents.index",
    "SubscriptionDocument": "documents.subscriptions",
    "SubscribedDocument": "documents.subscriptions",
    "ReportDocument": "documents.scans",
    "AppliedDocument": "documents.subscriptions",
}
__all__ = [
    "AmbiguousError",
    "AppliedDocument",
    "BirthmarkError",
    "ChunkChangesDocument",
    "ChunkDocument",
    "DamagedError",
    "DiffDocument",
    "EdgesDocument",
    "EmbeddingPlan",
    "EntityDocument",
    "HistoryDocument",
    "IndexUpdateDocument",
    "NotFoundError",
    "ReportDocument",
    "Repository",
    "ResolvedDocument",
    "SearchDocument",
    "ShownDocument",
    "StatusDocument",
    "StoreError",
    "SubscribedDocument",
    "SubscriptionDocument",
    "SubscriptionRequest",
    "Subscriptions",
    "VectorStore",
    "__version__",
    "anchor",
    "plan_embeddings",
    "resolve_anchor",
    "update_vectors",
]


if not TYPE_CHECKING:  # A type checker reads the imports above, and knows no other names.

    def __getattr__(name: str) -> object:
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        found = globals()[name] = getattr(import_module(f"birthmark.{_MODULES[name]}"), name)
        return found

    def __dir__() -> list[str]:
        return sorted({*globals(), *_MODULES})
