"""Split the head of a definition: modifiers, type, type parameters, parameters, exceptions, initializers.

Takes an entity's signature, as one line without comments, and its name. Heads of all languages have the same parts:
words before the name, a bracketed list after it, and the rest.
`is_private` applies the rules of the language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from birthmark.languages.registry import load_registry
from birthmark.model import FUNCTION_LIKE, Entity

_ACCESS = frozenset("public private protected internal fileprivate open pub export package-private".split())
_MODIFIERS = frozenset(
    "static final abstract async default const virtual override synchronized native transient volatile strictfp inline "
    "extern mut unsafe sealed partial readonly declare get set suspend operator infix tailrec lazy implicit lateinit "
    "explicit constexpr friend register mutable noexcept nonisolated mutating class-level required convenience weak "
    "non-sealed let var val".split()
)

_KEYWORDS = frozenset(
    "def function func fn fun class interface struct enum trait impl type object record namespace module @interface "
    "void*".split()
)

_CLASS_MODIFIERS = frozenset("data case value inner annotation companion".split())  # before a keyword
_TRAILING = re.compile(r"\s*(?:const|volatile|noexcept|override|final|async)\b")  # after the list, as in C++ and Swift
_THROWS = re.compile(r"\s*(?:re)?throws(?:\(\w*\))?\s*(?=->|$)")  # before the type, as in Swift
_ACCESSORS = re.compile(r"\s*\{(?=[^}]*\b(?:get|set|init|add|remove)\b)[^}]*\}")  # of a property, as in C#
_INITIALIZERS = re.compile(r"\s*:\s*(?=[\w.:<>]+\s*[({])(.*)", re.S)  # of a constructor, as in C++
_NAMES_BEFORE = re.compile(r"(?:[\w.]+\s*,\s*)+$|[\w:]+::$")  # others of one declaration; the type of a method
_NAMES_AFTER = re.compile(r"\s*(?:,\s*[\w.]+\s*)+")
_QUALIFIER = re.compile(r"(?:[\w$]+\.)+$")  # `app.` of `app.f = function`, the receiver of an extension
_OPEN, _CLOSE = "([{<", ")]}>"
_ANNOTATION = re.compile(r"@(?!interface\b)[\w.]+")
_FUNCTION = r"(?:async\s+)?function\b\s*\*?\s*[\w$]*"
_BOUND_FUNCTION = re.compile(rf"\s*[=:]\s*{_FUNCTION}")  # `f = function`, `f: function`, each with a name or without
_BOUND = re.compile(rf"{_BOUND_FUNCTION.pattern}|\s*=\s*(?:async\s+)?")  # `const f = (x) => …`
_BARE_LIST = re.compile(r"lambda\b\s*(?P<lambda>.*)|(?P<arrow>[\w$]+)\s*=>")  # without parentheses
_COMMAND_LIST = re.compile(r"[\w*&].*", re.S)  # after `def f`, as in Ruby
_BASE = re.compile(r"<\s[^>]*$")  # `class f < Base`, as in Ruby
_WORD = re.compile(r"(?:pub|public|internal|fileprivate|private)\([^)]*\)|[@\w$.-]+|\S")  # `pub(crate)` is one
_OPEN_CONTAINERS = frozenset({"trait", "interface", "enum"})  # their members are as visible as they are


class Signature(NamedTuple):
    """The parts of a head, normalized for comparison."""

    access: tuple[str, ...] = ()
    modifiers: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    type: str = ""
    type_parameters: str = ""
    parameters: tuple[str, ...] = ()
    exceptions: str = ""
    initializers: str = ""  # of members and bases, before the body of a constructor


def parse_signature(signature: str, name: str) -> Signature:
    before, after = _split_at_name(signature, name)
    if before.rstrip().endswith((",", "::")):
        before = _NAMES_BEFORE.sub("", before)
    if after.startswith(","):
        after = _NAMES_AFTER.sub("", after, count=1)
    before = _QUALIFIER.sub("", before.rstrip().removesuffix("("))  # that of a group, as `var ( f` in Go
    access, modifiers, keywords, type_, generics = _read_before(_without_annotations(before))
    after = _with_parentheses(_BOUND.sub("", after, count=1).lstrip() if _BOUND.match(after) else after, keywords)
    if after[:1] in ("<", "["):
        inner, after = _bracketed(after)
        if type_ and inner[0] == "[":
            type_ += _squeeze(inner)  # of an array, as `int f[3]` in C
        else:
            generics = generics or _squeeze(inner)
    parameters, after = _read_lists(after)
    while (found := _TRAILING.match(after) or _ACCESSORS.match(after)) is not None:
        modifiers, after = (*modifiers, _squeeze(found[0])), after[found.end() :]
    throws = _THROWS.match(after)
    initializers = _INITIALIZERS.fullmatch(after)
    after = "" if initializers else after[throws.end() :] if throws else after
    after, _, bounds = after.partition(" where ")
    generics = _squeeze(f"{generics} {bounds}")
    type_after, exceptions = _read_after(after)
    return Signature(
        access,
        modifiers,
        keywords,
        type_after or type_,
        generics,
        parameters,
        _squeeze(throws[0]) if throws else exceptions,
        _squeeze(initializers[1]) if initializers else "",
    )


def _with_parentheses(after: str, keywords: tuple[str, ...]) -> str:
    """Return the text after a name, with parentheses added to a list without them."""
    after = _BASE.sub("", after.lstrip())
    if found := _BARE_LIST.match(after):
        return f"({found['lambda'] or found['arrow'] or ''})" + after[found.end() :]
    if keywords == ("def",) and _COMMAND_LIST.match(after):
        return f"({after})"
    return after


def _read_lists(after: str) -> tuple[tuple[str, ...], str]:
    """Return the parameters, from one or more adjacent lists as in Scala, and the rest."""
    parameters: list[str] = []
    while after.startswith("("):
        inner, after = _bracketed(after)
        parameters += [_squeeze(part) for part in _split_commas(inner[1:-1])]
    return tuple(parameters), after


def _without_annotations(signature: str) -> str:
    """Remove the annotations of the definition itself; those of parameters stay."""
    while signature.lstrip().startswith(("[", "#[")):
        _, signature = _bracketed(signature.lstrip().removeprefix("#"))
    start = 0
    while (found := _ANNOTATION.search(signature, start)) is not None:
        rest = signature[found.end() :]
        _, rest = _bracketed(rest) if rest.startswith("(") else ("", rest)
        signature, start = signature[: found.start()] + rest.lstrip(), found.start()
    return signature


def _split_at_name(signature: str, name: str) -> tuple[str, str]:
    """Split at the occurrence that is followed by a list; a type before the name may have the same name."""
    starts = list(_find_word(signature, name))
    if not starts:
        return signature, ""
    bound = [start for start in starts if _BOUND_FUNCTION.match(signature, start + len(name))]
    followed = [start for start in starts if signature[start + len(name) :].lstrip()[:1] in ("(", "<", "[")]
    at = (bound or followed or starts)[0]
    return signature[:at], signature[at + len(name) :]


def _find_word(text: str, word: str) -> Iterator[int]:
    """Yield the offsets of a word; compiling a pattern for each would cost ten times as much."""
    at = text.find(word)
    while at >= 0 and word:
        end = at + len(word)
        is_alone = not (_is_word(text[at - 1 : at]) or _is_word(text[end : end + 1]))
        if is_alone:
            yield at
        at = text.find(word, end if is_alone else at + 1)


def _is_word(character: str) -> bool:
    return character.isalnum() or character in ("_", "$")


def _read_before(before: str) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], str, str]:
    generics = ""
    lead = re.match(r"(?:[\w-]+\s+)*(?=<)", before)
    if lead is not None and before[lead.end() :].startswith("<"):
        inner, rest = _bracketed(before[lead.end() :])
        generics, before = _squeeze(inner), before[: lead.end()] + rest
    words = _WORD.findall(before)
    access = tuple(sorted(word for word in words if word.partition("(")[0] in _ACCESS))
    of_class = {word for word, following in pairwise(words) if word in _CLASS_MODIFIERS and following in _KEYWORDS}
    modifiers = tuple(sorted(word for word in words if word in _MODIFIERS or word in of_class))
    keywords = tuple(word for word in words if word in _KEYWORDS)
    known = _MODIFIERS | _KEYWORDS | set(access) | of_class
    type_ = _squeeze(" ".join(word for word in words if word not in known))
    if type_ in ("*", "&"):  # of a generator; of a result by reference, as in PHP
        modifiers, type_ = (*modifiers, type_), ""
    return access, modifiers, keywords, type_, generics


def _read_after(after: str) -> tuple[str, str]:
    """Return the type after the list, and the declared exceptions."""
    text, _, exceptions = after.partition(" throws ") if " throws " in f" {after}" else (after, "", "")
    if after.lstrip().startswith("throws "):
        text, exceptions = "", after.lstrip().removeprefix("throws ")
    text = re.sub(r"^\s*(->|:|=>)\s*", "", text)
    return _squeeze(text.removesuffix("=>").removesuffix("{")), _squeeze(exceptions)


def _bracketed(text: str) -> tuple[str, str]:
    """Return the leading bracketed text with its brackets, and the rest."""
    depth = 0
    for index, character in enumerate(text):
        if character in _OPEN:
            depth += 1
        elif character in _CLOSE and text[index - 1 : index + 1] not in ("->", "=>"):
            depth -= 1
            if depth == 0:
                return text[: index + 1], text[index + 1 :]
    return text, ""


def _split_commas(text: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for index, character in enumerate(text):
        if character in _OPEN:
            depth += 1
        elif character in _CLOSE and text[index - 1 : index + 1] not in ("->", "=>"):
            depth -= 1
        elif character == "," and depth == 0:
            parts.append(text[start:index])
            start = index + 1
    parts.append(text[start:])
    return [part for part in parts if part.strip()]


def _squeeze(text: str) -> str:
    return re.sub(r"\s*([^\w\s])\s*", r"\1", " ".join(text.split()))


def is_private(entity: Entity, container: Entity | None) -> bool:
    """Return True if the member's head, name and container make it private."""
    rules, name = load_registry().visibility_of(entity.language), entity.name
    if rules.private_names and re.search(rules.private_names, name):
        return True
    if rules.private_lower_case and name[:1].islower():
        return True
    access = parse_signature(entity.signature, name).access
    if rules.public_word and not any(word.startswith(rules.public_word) for word in access):
        return not _is_open(entity, container)
    return any(word.partition("(")[0] in rules.private_words for word in access)


def _is_open(entity: Entity, container: Entity | None) -> bool:
    """Return True for members as visible as their container, such as those of traits and implementations."""
    if container is not None and (container.kind in _OPEN_CONTAINERS or (container.kind == "impl" and container.bases)):
        return True
    return entity.kind not in FUNCTION_LIKE | {"field", "const"}
