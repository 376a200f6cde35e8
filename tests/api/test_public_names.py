"""What `import birthmark` offers is stable: its names, the questions of a Repository and their types, and no more."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import assert_type

import pytest
from method_writer import MODULE, write_module

import birthmark
from birthmark.questions.table import QUESTIONS as TABLE
from example_shop import make_shop

NAMES = """
    AmbiguousError AppliedDocument BirthmarkError ChunkChangesDocument ChunkDocument DamagedError DiffDocument
    EdgesDocument EmbeddingPlan EntityDocument HistoryDocument IndexUpdateDocument NotFoundError ReportDocument
    Repository ResolvedDocument SearchDocument ShownDocument StatusDocument StoreError SubscribedDocument
    SubscriptionDocument SubscriptionRequest Subscriptions VectorStore __version__ anchor plan_embeddings
    resolve_anchor update_vectors
""".split()
BY_HAND = "ask chunks close entities entity history index open resolve_all root subscriptions".split()
OF_SUBSCRIPTIONS = ("birthmark.questions.subscriptions", "birthmark.questions.scans")
QUESTIONS = sorted({*BY_HAND, *(name for name, one in TABLE.items() if one.__module__ not in OF_SUBSCRIPTIONS)})


def test_the_names_of_the_package() -> None:
    assert birthmark.__all__ == NAMES
    assert set(NAMES) <= set(dir(birthmark))
    with pytest.raises(AttributeError, match="has no attribute 'repository_of'"):
        _ = birthmark.repository_of  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_leads_to_what_is_called_so(name: str) -> None:
    found = getattr(birthmark, name)
    assert name == "__version__" or found.__name__ == name
    assert name == "__version__" or found.__doc__


def test_type_checkers_know_the_same_names() -> None:
    tree = ast.parse(Path(birthmark.__file__).read_text("utf-8"))
    imported = [alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names]
    assert sorted(imported) == sorted({*NAMES, "import_module"} - {"__version__"})
    assert files("birthmark").joinpath("py.typed").is_file()


def test_importing_it_loads_nothing_else() -> None:
    program = "import birthmark, sys; print(*[name for name in sys.modules if name.startswith('birthmark')])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["birthmark"]


def test_methods_are_those_of_the_questions() -> None:
    """`make docs-reference` writes the module anew."""
    assert ast.dump(ast.parse(write_module())) == ast.dump(ast.parse(MODULE.read_text("utf-8")))
    missing = [
        name for name in TABLE if not hasattr(birthmark.Repository, name) | hasattr(birthmark.Subscriptions, name)
    ]
    assert missing == []


def test_the_questions_of_a_repository(tmp_path: Path) -> None:
    repository = birthmark.Repository.open(make_shop(tmp_path / "shop").root)
    assert [name for name in dir(repository) if not name.startswith("_")] == QUESTIONS
    documented = [getattr(birthmark.Repository, name, None) for name in QUESTIONS if name != "root"]
    assert all(one is not None and one.__doc__ for one in documented)


def test_the_types_of_answers(tmp_path: Path) -> None:
    """What mypy infers, and what there is."""
    with birthmark.Repository.open(make_shop(tmp_path / "shop").root) as repository:
        answers = (
            assert_type(repository.index(), birthmark.IndexUpdateDocument),
            assert_type(repository.status(), birthmark.StatusDocument),
            assert_type(next(_entities(repository)), birthmark.EntityDocument),
            assert_type(next(repository.chunks()), birthmark.ChunkDocument),
            assert_type(repository.chunks(since="HEAD"), birthmark.ChunkChangesDocument),
            assert_type(repository.resolve("Cart"), birthmark.ResolvedDocument),
            assert_type(repository.entity("Cart"), birthmark.ShownDocument),
            assert_type(repository.users("net"), birthmark.EdgesDocument),
            assert_type(repository.history("Cart"), birthmark.HistoryDocument),
            assert_type(repository.diff(), birthmark.DiffDocument),
            assert_type(repository.search("cart"), birthmark.SearchDocument),
            assert_type(repository.subscriptions, birthmark.Subscriptions),
            assert_type(repository.subscriptions.add("Cart"), birthmark.SubscribedDocument),
            assert_type(repository.subscriptions.scan(), birthmark.ReportDocument),
            assert_type(repository.subscriptions.apply(), birthmark.AppliedDocument),
            assert_type(birthmark.plan_embeddings(repository.chunks(since="HEAD")), birthmark.EmbeddingPlan),
        )
    expected = """
        IndexUpdateDocument StatusDocument EntityDocument ChunkDocument ChunkChangesDocument ResolvedDocument
        ShownDocument EdgesDocument HistoryDocument DiffDocument SearchDocument Subscriptions SubscribedDocument
        ReportDocument AppliedDocument EmbeddingPlan
    """.split()
    assert [type(answer).__name__ for answer in answers] == expected


def _entities(repository: birthmark.Repository) -> Iterator[birthmark.EntityDocument]:
    return repository.entities()
