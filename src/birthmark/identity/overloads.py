"""Name overloads by the types of their parameters, and match such names.

Takes heads of definitions as they are written; gives names such as `IOUtils.close(Closeable, IOConsumer)`. Types are
written without packages, type arguments and modifiers, where that tells the overloads apart. A parameter without a type
counts with its name, so that a getter and a setter of Python differ.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

from birthmark.languages.registry import load_registry
from birthmark.model import FUNCTION_LIKE, Entity

T = TypeVar("T")

_CALLABLE = FUNCTION_LIKE | {"macro"}
_LONGEST_HEAD = 4_000  # characters that are searched for parameters
_OPENING, _CLOSING = "([{<", ")]}>"
_ANNOTATION = re.compile(r"@[\w.]+(?:\([^()]*\))?\s*|^#?\[[^\[\]]+\]\s+|\b(?:final|register)\s+")
_DEFAULT = re.compile(r"(?<![=<>!])=(?![=>])")
_COLON = re.compile(r"(?<!:):(?!:)")
_TYPE_AND_NAME = re.compile(r"(?P<type>.*[\s*&>\].])(?P<name>\$?\w+)\s*(?P<array>(?:\[\s*\])*)", re.DOTALL)
_PRIMITIVES = frozenset("bool boolean byte char double float int long short signed size_t unsigned void".split())
_RECEIVERS = re.compile(r"(?:&\s*(?:'\w+\s+)?)?(?:mut\s+)?(?:self|cls|this)\b.*", re.DOTALL)
_SEPARATORS = frozenset("/ *".split())  # of Python, which are no parameters
_SPACE = re.compile(r"\s*([^\w\s])\s*")
_MODIFIERS = re.compile(r"\b(?:const|volatile|mut|in|out|ref|inout|vararg|val|var|readonly|struct|dyn|impl)\s+")
_PACKAGE = re.compile(r"(?:\w+(?:\.|::|\\))+(?=\w)|^\\")
_ARGUMENTS = re.compile(r"<[^<>]*>")


class Parameter(NamedTuple):
    """A parameter in three spellings: its type as written, its plain type, and its name."""

    written: str
    plain: str
    name: str


Parameters = tuple[Parameter, ...]


def overload_names(entities: Sequence[Entity]) -> dict[int, str]:
    """Return names of overloads by ordinal, for the definitions of a file that share a qualified name.

    Definitions with the same parameters have none.
    """
    groups: dict[str, list[int]] = defaultdict(list)
    for ordinal, entity in enumerate(entities):
        groups[entity.qualified_name].append(ordinal)
    found: dict[int, str] = {}
    for name, ordinals in groups.items():
        if len(ordinals) > 1:
            found |= _names_of_group(name, {ordinal: parameters_of(entities[ordinal]) for ordinal in ordinals})
    return found


def _names_of_group(name: str, parameters: Mapping[int, Parameters | None]) -> dict[int, str]:
    """Prefer plain types; overloads that differ in type arguments alone keep them."""
    plain, written = (
        {i: _spell(name, own, spelling) for i, own in parameters.items() if own is not None}
        for spelling in ("plain", "written")
    )
    n_plain, n_written = Counter(plain.values()), Counter(written.values())
    found: dict[int, str] = {}
    for i in plain:
        if n_plain[plain[i]] == 1 and n_written[plain[i]] == (plain[i] == written[i]):
            found[i] = plain[i]
        elif n_written[written[i]] == 1:
            found[i] = written[i]
    return found


def _spell(name: str, parameters: Parameters, spelling: str) -> str:
    return f"{name}({', '.join(getattr(one, spelling) for one in parameters)})"


def matching_overloads(found: Sequence[T], entity_of: Callable[[T], Entity], wanted: Sequence[str]) -> list[T]:
    """Return those whose parameters are as wanted, in the strictest spelling that any of them has.

    What is wanted may be types, names, or whole parameters.
    """
    asked = [text for text in wanted if not _RECEIVERS.fullmatch(text)]
    known = [(one, parameters_of(entity_of(one)), entity_of(one).language) for one in found]
    for own_spelling, read in _SPELLINGS:
        same = [
            one
            for one, own, language in known
            if own is not None and _is_same(own, own_spelling, asked, read, language)
        ]
        if same:
            return same
    return []


def _is_same(own: Parameters, spelling: str, asked: Sequence[str], read: _Read, language: str) -> bool:
    return [getattr(one, spelling) for one in own] == [read(text, language) for text in asked]


def _name(text: str) -> str:
    return text.strip().lstrip("*&$")


def parameters_of(entity: Entity) -> Parameters | None:
    """Return the parameters of a definition; None for what is not called, as a class."""
    if entity.kind not in _CALLABLE:
        return None
    text = _list_behind(entity.signature[:_LONGEST_HEAD], entity.name)
    if text is None:
        return None
    parts = [part.strip() for part in _split_list(text)]
    written = [part for part in parts if part and part not in _SEPARATORS and not _RECEIVERS.fullmatch(part)]
    return tuple(_read_parameter(part, entity.language) for part in written)


def _list_behind(head: str, name: str) -> str | None:
    """Return the text in the parentheses behind a name."""
    found = re.search(rf"(?<![\w$]){re.escape(name)}\s*(?=[(<\[=:])", head)
    start = head.find("(", found.end()) if found is not None else -1
    end = _closing_of(head, start) if start >= 0 else -1
    return head[start + 1 : end] if end >= 0 else None


def split_call(text: str) -> tuple[str, tuple[str, ...] | None]:
    """Split `f(int, str)` into the name and the types; without parentheses at the end there are no types."""
    depth = 0
    for at in range(len(text) - 1, 0, -1):
        depth += (text[at] == ")") - (text[at] == "(")
        if depth == 0:
            break
    else:
        return text, None
    if text[at] != "(" or not text[:at].strip():
        return text, None
    return text[:at].rstrip(), tuple(part.strip() for part in _split_list(text[at + 1 : -1]))


def _closing_of(text: str, start: int) -> int:
    """Return the index of the parenthesis that closes the one at `start`; -1 if none does."""
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] == "(") - (text[at] == ")")
        if depth == 0:
            return at
    return -1


def _split_list(text: str) -> list[str]:
    """Split a list at commas that are in no brackets."""
    return list(_split(text)) if text.strip() else []


def _split(text: str) -> Iterator[str]:
    depth = start = 0
    for at, character in enumerate(text):
        if character in _OPENING:
            depth += 1
        elif character in _CLOSING and text[at - 1 : at] not in ("-", "="):
            depth = max(depth - 1, 0)
        elif character == "," and not depth:
            yield text[start:at]
            start = at + 1
    yield text[start:]


def _read_parameter(text: str, language: str) -> Parameter:
    text = _DEFAULT.split(_ANNOTATION.sub("", text), maxsplit=1)[0].strip()
    name, type_ = _split_parameter(text, language)
    return Parameter(_written(type_), _plain(type_), _name(name))


def _has_names_first(language: str) -> bool:
    spec = load_registry().languages.get(language)
    return spec is not None and spec.names_before_types


def _split_parameter(text: str, language: str) -> tuple[str, str]:
    """Return name and type; one without a type has its name as its type, so that it counts, too."""
    colon = _COLON.search(text)
    if colon is not None:
        return text[: colon.start()], text[colon.end() :]
    if " " in text and _has_names_first(language):
        name, _, type_ = text.partition(" ")
        return name, type_
    found = _TYPE_AND_NAME.fullmatch(text)
    if found is None or found["name"] in _PRIMITIVES or not found["type"].strip(" *&."):
        return text, text
    return found["name"], found["type"].strip() + found["array"]


_Read = Callable[[str, str], str]  # a parameter and its language
_SPELLINGS: tuple[tuple[str, _Read], ...] = (
    ("written", lambda text, _: _written(text)),
    ("plain", lambda text, _: _plain(text)),
    ("name", lambda text, _: _name(text)),
    ("plain", lambda text, language: _read_parameter(text, language).plain),
)


def _written(text: str) -> str:
    return _SPACE.sub(r"\1", " ".join(_ANNOTATION.sub("", text).split())).replace(",", ", ")


def _plain(text: str) -> str:
    text = _MODIFIERS.sub("", f"{_written(text)} ").strip()
    while _ARGUMENTS.search(text):
        text = _ARGUMENTS.sub("", text)
    return _PACKAGE.sub("", text)
