"""Compile a language's grammar and queries, once per process.

Takes a LanguageSpec and returns a Grammar. All queries of one level are compiled into one, because every query that is
run walks the whole tree; patterns that find nothing this level needs are switched off.
"""

from __future__ import annotations

import importlib
import re
from functools import cached_property

from tree_sitter import Language, Parser, Query, QueryError

from birthmark.errors import LanguageError
from birthmark.languages.registry import LanguageSpec
from birthmark.model import Level
from birthmark.syntax.canonical import compile_spaces
from birthmark.syntax.query import CompiledQuery

_DEFINITIONS = ("segments.scm", "entities.scm", "references.scm")
_ALL = (*_DEFINITIONS, "bindings.scm", "nodes.scm")
LEVEL_FILES = {
    Level.ENTITIES: _DEFINITIONS,
    Level.OUTLINE: _ALL,
    Level.NODES: _ALL,
    Level.INTERIOR: _ALL,
}

_grammars: dict[str, tuple[LanguageSpec, Grammar]] = {}


def query_text(spec: LanguageSpec, level: Level) -> str:
    return "\n".join(spec.queries.get(file, "") for file in LEVEL_FILES[level])


def load_grammar(spec: LanguageSpec) -> Grammar:
    """Return the compiled grammar of a language; a changed spec of the same name is compiled again."""
    known = _grammars.get(spec.name)
    if known is None or known[0] is not spec:
        known = _grammars[spec.name] = (spec, Grammar(spec))
    return known[1]


class Grammar:
    """A tree-sitter language with its parser, its combined queries and its white space rule."""

    def __init__(self, spec: LanguageSpec) -> None:
        self.spec = spec
        self.capsule = _load_capsule(spec)
        self.language = Language(self.capsule)
        self.parser = Parser(self.language)
        self._queries: dict[Level, CompiledQuery] = {}

    def query(self, level: Level) -> CompiledQuery:
        if level not in self._queries:
            text = query_text(self.spec, level)
            self._queries[level] = CompiledQuery(self._compile(text), text, level)
        return self._queries[level]

    @cached_property
    def spaces(self) -> re.Pattern[bytes]:
        """The white space that separates two tokens, see `canonical`."""
        return compile_spaces(self.operators)

    @property
    def operators(self) -> list[str]:
        """The tokens that have no name."""
        language = self.language
        kinds = (
            language.node_kind_for_id(kind)
            for kind in range(language.node_kind_count)
            if not language.node_kind_is_named(kind)
        )
        return [kind for kind in kinds if kind]

    def _compile(self, text: str) -> Query:
        try:
            return Query(self.language, text)
        except QueryError as error:
            raise LanguageError(
                f"language {self.spec.name}: bad query: {error}; see docs/how-to/add-a-language.md"
            ) from error


def _load_capsule(spec: LanguageSpec) -> object:
    try:
        return getattr(importlib.import_module(spec.grammar), spec.symbol)()
    except (ImportError, AttributeError) as error:
        raise LanguageError(f"language {spec.name}: {error}; install the package of {spec.grammar}") from error
