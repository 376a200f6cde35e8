"""Make outlines with the extension module: the same bytes as the Python path packs, in a quarter of the time.

Takes bytes, a LanguageSpec and a level; returns an EncodedOutline, or None if the module is missing or does not support
the language: containers, and queries with unknown predicates. C reads texts in plain ASCII; for all others it calls the
functions here, once for each text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from hashlib import sha256
from types import ModuleType
from typing import Any

from birthmark.entities.bound_names import steps_of_key
from birthmark.entities.chunks import ChunkSizes
from birthmark.entities.names import NameReader, clean_name, decode, name_expression
from birthmark.errors import LanguageError
from birthmark.extraction.codec import EncodedOutline
from birthmark.graph.reading.paths import count_parts, read_type, read_value
from birthmark.graph.reading.read_references import (
    arguments_of,
    keeps_root,
    named_callee,
    read_import,
    receiver_before,
    split_import,
    unnamed_callee,
)
from birthmark.identity.fingerprints import HEAVY, VERSION
from birthmark.languages.registry import LanguageSpec, load_registry, package_version
from birthmark.languages.rules import ResolutionRules
from birthmark.model import Level
from birthmark.syntax.canonical import joining_characters
from birthmark.syntax.native import load_native
from birthmark.syntax.parse import Grammar, load_grammar, query_text
from birthmark.syntax.query import LOCAL_SCOPES, ROLES, TRIVIA, QueryPattern, describe_patterns, is_needed

_ROLES = {role: number for number, role in enumerate((*TRIVIA, *ROLES))}
_LEVELS = frozenset({Level.ENTITIES, Level.OUTLINE})


_languages: dict[tuple[str, Level], tuple[LanguageSpec, Any]] = {}  # with the module's Language, or None
analyses: dict[str, bytes] = {}  # tree-sitter's analyses of queries, from this or another process, by `_digest`


def read_native(content: bytes, spec: LanguageSpec, level: Level, sizes: ChunkSizes) -> EncodedOutline | None:
    known = _languages.get((spec.name, level))
    if known is None or known[0] is not spec:
        known = _languages[spec.name, level] = (spec, _make_language(spec, level))
    language = known[1]
    if language is None:
        return None
    encoded: EncodedOutline | None = language.extract(content, sizes.longest, sizes.shortest, VERSION, HEAVY)
    return encoded


def _make_language(spec: LanguageSpec, level: Level) -> Any:
    """Return the module's Language, or None where the Python path does the work."""
    native = load_native()
    if native is None or spec.is_container or level not in _LEVELS:
        return None
    grammar, rules, text = load_grammar(spec), load_registry().resolution_of(spec.name), query_text(spec, level)
    try:
        language = native.Language(grammar.capsule, text, analyses.get(_digest(native, spec, text)))
        patterns = describe_patterns(language, language.pattern_count(), text)
        given = [_describe(pattern, level) for pattern in patterns]
        language.prepare(given, _rules(spec, rules, grammar, level), _questions(spec, rules), _matcher)
    except (NotImplementedError, LanguageError):  # The Python path reports a bad query.
        return None
    analyses[_digest(native, spec, text)] = language.analysis()
    return language


def _digest(native: ModuleType, spec: LanguageSpec, text: str) -> str:
    """Return the digest of everything that an analysis depends on."""
    parts = (native.DIGEST, spec.grammar, spec.symbol, package_version(spec.grammar), text)
    return sha256("\0".join(parts).encode()).hexdigest()[:32]


def _describe(pattern: QueryPattern, level: Level) -> dict[str, object]:
    return {
        "capture": pattern.capture,
        "role": _ROLES[pattern.role],
        "kind": pattern.kind,
        "binds": pattern.binds,
        "content": pattern.content,
        "settings": pattern.settings,
        "is_plain": pattern.is_plain,
        "is_local_scope": pattern.kind in LOCAL_SCOPES,
        "is_needed": is_needed(pattern, level),
    }


def _rules(spec: LanguageSpec, rules: ResolutionRules, grammar: Grammar, level: Level) -> dict[str, object]:
    followers = joining_characters(grammar.operators)
    if not "".join([*followers, *(right for rights in followers.values() for right in rights)]).isascii():
        raise NotImplementedError
    return {
        "name": spec.name,
        "has_nodes": level is not Level.ENTITIES,
        "constructors": spec.constructors,
        "has_constants": bool(spec.constant_names),
        "has_makers": bool(spec.constructor_functions),
        "joins": "".join(left + right for left, rights in followers.items() for right in rights).encode(),
        "hides_receivers": rules.hides_receivers,
        "calls_bare": rules.calls_bare,
        "keeps_marks": rules.keeps_marks,
        "has_overloads": rules.has_overloads,
        "keeps_root": keeps_root(rules),
        "setter_mark": rules.setter_mark,
        "variable_mark": rules.variable_mark,
    }


def _questions(spec: LanguageSpec, rules: ResolutionRules) -> tuple[Callable[..., object], ...]:
    """Return the callbacks, in the order of the type Question in native/file.h; those about names take str."""
    root = keeps_root(rules)
    constant, maker = re.compile(spec.constant_names), re.compile(spec.constructor_functions)
    return (
        lambda text: clean_name(decode(text)),
        lambda text: NameReader(text).path((0, len(text))),
        name_expression,
        decode,
        lambda text: " ".join(decode(text).split()),
        read_value,
        lambda text: read_type(text, rules.is_lower),
        steps_of_key,
        lambda name: bool(constant.search(name)),
        lambda name: bool(maker.search(name)),
        lambda name: named_callee(name, root),
        lambda key: unnamed_callee(key[0], key[1], key[2], root),
        receiver_before,
        lambda name: (split_import(name)[1], *read_import(name, rules)),
        lambda text: tuple(arguments_of(text)),
        lambda text: count_parts(text.decode("utf-8", "replace")),
        lambda name: name[:1].isupper(),
    )


def _matcher(pattern: str) -> Callable[[str], bool]:
    search = re.compile(pattern).search
    return lambda text: search(text) is not None
