"""Split the head of a definition: modifiers, type, type parameters, parameters, exceptions.

Takes an entity's signature, as one line without comments, and its name. It works for all languages, because heads
have the same parts: words before the name, a bracketed list after it, and the rest.
"""

from __future__ import annotations

import re
from typing import NamedTuple

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
_TRAILING = re.compile(r"\s*(?:const|volatile|noexcept|override|final)\b")  # after the list, as in C++
_NAMES_BEFORE = re.compile(r"(?:[\w.]+\s*,\s*)+$|[\w:]+::$")  # others of one declaration; the type of a method
_NAMES_AFTER = re.compile(r"\s*(?:,\s*[\w.]+\s*)+")
_OPEN, _CLOSE = "([{<", ")]}>"
_ANNOTATION = re.compile(r"@(?!interface\b)[\w.]+")
_BOUND = re.compile(r"^\s*=\s*(?:async\s+)?(?:function\b\s*\*?)?")  # `const f = (x) => …`
_WORD = re.compile(r"(?:pub|public|internal|fileprivate|private)\([^)]*\)|[@\w$.-]+|\S")  # `pub(crate)` is one


class Signature(NamedTuple):
    """The parts of a head, each in a form that can be compared."""

    access: tuple[str, ...] = ()
    modifiers: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    type: str = ""
    type_parameters: str = ""
    parameters: tuple[str, ...] = ()
    exceptions: str = ""


def parse_signature(signature: str, name: str) -> Signature:
    before, after = _split_at_name(signature, name)
    if before.rstrip().endswith((",", "::")):
        before = _NAMES_BEFORE.sub("", before)
    if after.startswith(","):
        after = _NAMES_AFTER.sub("", after, count=1)
    access, modifiers, keywords, type_, generics = _read_before(_without_annotations(before))
    after = _BOUND.sub("", after).lstrip()
    if after[:1] in ("<", "["):
        inner, after = _bracketed(after)
        generics = generics or _squeeze(inner)
    parameters: tuple[str, ...] = ()
    if after.startswith("("):
        inner, after = _bracketed(after)
        parameters = tuple(_squeeze(part) for part in _split_commas(inner[1:-1]))
    while (found := _TRAILING.match(after)) is not None:
        modifiers, after = (*modifiers, found[0].strip()), after[found.end() :]
    after, _, bounds = after.partition(" where ")
    generics = _squeeze(f"{generics} {bounds}")
    type_after, exceptions = _read_after(after)
    return Signature(access, modifiers, keywords, type_after or type_, generics, parameters, exceptions)


def _without_annotations(signature: str) -> str:
    """Remove the annotations of the definition itself; those of parameters stay."""
    start = 0
    while (found := _ANNOTATION.search(signature, start)) is not None:
        rest = signature[found.end() :]
        _, rest = _bracketed(rest) if rest.startswith("(") else ("", rest)
        signature, start = signature[: found.start()] + rest.lstrip(), found.start()
    return signature


def _split_at_name(signature: str, name: str) -> tuple[str, str]:
    """Prefer the occurrence that is followed by a list; a type before the name may have the same name."""
    starts = [match.start() for match in re.finditer(rf"(?<![\w$]){re.escape(name)}(?![\w$])", signature)]
    if not starts:
        return signature, ""
    followed = [start for start in starts if signature[start + len(name) :].lstrip()[:1] in ("(", "<", "[")]
    at = (followed or starts)[0]
    return signature[:at], signature[at + len(name) :]


def _read_before(before: str) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], str, str]:
    generics = ""
    lead = re.match(r"(?:[\w-]+\s+)*(?=<)", before)
    if lead is not None and before[lead.end() :].startswith("<"):
        inner, rest = _bracketed(before[lead.end() :])
        generics, before = _squeeze(inner), before[: lead.end()] + rest
    words = _WORD.findall(before)
    access = tuple(sorted(word for word in words if word.partition("(")[0] in _ACCESS))
    modifiers = tuple(sorted(word for word in words if word in _MODIFIERS))
    keywords = tuple(word for word in words if word in _KEYWORDS)
    known = _MODIFIERS | _KEYWORDS | set(access)
    type_ = _squeeze(" ".join(word for word in words if word not in known))
    if type_ == "*":  # of a generator
        modifiers, type_ = (*modifiers, type_), ""
    return access, modifiers, keywords, type_, generics


def _read_after(after: str) -> tuple[str, str]:
    """The type after the list, and the declared exceptions."""
    text, _, exceptions = after.partition(" throws ") if " throws " in f" {after}" else (after, "", "")
    if after.lstrip().startswith("throws "):
        text, exceptions = "", after.lstrip().removeprefix("throws ")
    text = re.sub(r"^\s*(->|:|=>)\s*", "", text)
    return _squeeze(text.removesuffix("=>").removesuffix("{")), _squeeze(exceptions)


def _bracketed(text: str) -> tuple[str, str]:
    """The leading bracketed text with its brackets, and the rest."""
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
