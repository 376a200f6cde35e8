"""The small language in which values are written: what a name means, and what a member is taken from.

A path is a name and steps from it, whatever the programming language: `.name` for a member, `()` for a call, `("x")`
for one whose only argument is that string, `[]` for an element, `[0]` and `["x"]` for one with that key, `{}` for an
instance of a type, `*` for a collection, `^` for an object that is used like the one it points to.
`#` is a literal, `<0=f;"x"=g>#` a list, tuple, dictionary or object with these parts, `::` the names in no scope, the
empty path anything else. So `new Shop(a, b).items[i]` is `Shop().items[]`, a parameter `List<Item> items` is `Item{}*`,
and `require('./shop').open()` is `require("./shop").open()`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

UNKNOWN, LITERAL, ROOT = "", "#", "::"

_LEADING = re.compile(r"(?:await|yield|return|co_await|try|move)\s+|&mut\s+|[&*]+|\.{3}")
_PLAIN = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_WORDS_OF_VALUES = frozenset("True False None null nil undefined true false NULL".split())
_PLAIN_CALL = re.compile(r"""((?P<first>[A-Za-z_]\w*)(?:\.[A-Za-z_]\w*)*)\([^()\[\]{}"'`]*\)""")
_NAME = re.compile(r"[A-Za-z_$@\u0080-\uffff][\w$]*(?:[?!](?![!.\s]*[.(]|\[))?")
_ROOTED = re.compile(r"(?:::|\\)(?=\w)")
_ROOTS = frozenset({"::", "\\"})
_DOT = re.compile(r"\s*(?:\?\.|\?->|!!\.|!\.|&\.|\.|::|->|\\)\s*(?:template\s*(?=[A-Za-z_]\w*\s*<))?")
_NON_NULL = re.compile(r"[!?]+(?=$|[.\s])")
_NUMBER = re.compile(r"\d+")  # a part that has no name
_ASSERTED = re.compile(r"\.\(\s*([*\w.]+)\s*\)")  # `x.(T)`
_BRACKETS = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)|([(\[{])|([)\]}])""")
_COMMAS = re.compile(r"""(?s:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|//[^\n]*|/\*.*?\*/)|([(\[{])|([)\]}])|(,)""")
_GROUPS = re.compile(r"""["'/()\[\]{}]""")  # what may hold a comma that separates nothing
_GENERICS = re.compile(r"(?:::)?<[\w\s,.:?&*'\[\]<>|]*>(?=\s*(?:\(|\{|::|\.|$))")
_STRING = re.compile(r"""\s*(?:"([^"\\]*)"|'([^'\\]*)'|`([^`$\\]*)`)\s*""")
_CAST = re.compile(r"(.+?)\s+as[?!]?\s+([\w.$<>\[\], ?]+)", re.S)
_CAST_BEFORE = re.compile(r"\(\s*([A-Z][\w.]*(?:<[\w<>, ?]*>)?)\s*\)\s*(?=[\w(])")
_POINTER_CAST = re.compile(r"\(\s*([A-Za-z_][\w:]*(?:\s+[\w:]+)*(?:<[\w:<>, *&]*>)?\s*\*+)\s*\)\s*(?=[\w(&*])")
_MAKING = re.compile(r"(?:\w+::)*(?:\w+_cast|(make_unique|make_shared))\s*<")  # the type in brackets
_SAME = re.compile(r"std::(?:move|forward(?:<[^()]*>)?)\s*(?=\()")
_LITERALS = re.compile(r"[#\"'`\d\[{]|-\d|[rbfu]{1,2}[\"']|(?:True|False|None|null|nil|undefined|true|false|NULL)\b")
_NO_NAMES = frozenset("function lambda async func fn fun if match switch not class def do begin case".split())
_NO_PATH = re.compile(rf"(?:{'|'.join(sorted(_NO_NAMES))})\b|!|~|\|")
_NO_PLAIN_CALL = _NO_NAMES | _WORDS_OF_VALUES
_STEPS = re.compile(r'\.?([^.(\[{*^"]+)|(\(\))|(\("[^"]*"\))|(\[(?:\d+|"[^"]*")?\])|(\{\})|([*^])')

# Displays: lists, tuples, dictionaries and objects that are written out
_LONGEST_DISPLAY = 400
_DISPLAY_BOUNDS = re.compile(r"<|>#")
_SEPARATORS = re.compile(r"[<>;=]")
_KEY = re.compile(r"""(?:(\d{1,4})|"([\w$-]+)"|'([\w$-]+)'|([A-Za-z_$][\w$]*))\s*:(?![:=])""", re.ASCII)
_CONSTANT = re.compile(r"""\[\s*(?:(\d{1,4})|"([\w$-]+)"|'([\w$-]+)')\s*\]""", re.ASCII)
_SPREAD = re.compile(r"\.{3}|\*")
_COMMENTS = re.compile(r"(?:\s*(?:#|//)[^\n]*\n)+")

# Types
_QUALIFIERS = re.compile(
    r"^(?:(?:mut|const|final|dyn|impl|ref|out|in|readonly|inout|struct|enum|class|typename|unsigned|params|static)\b\s*"
    r"|(?:any|some)\s+|'\w+\s+|@\w+(?:\([^()]*\))?\s*|[&*:]+\s*|->\s*)+"
)
_EMPTY_TYPES = frozenset(
    {"None", "null", "undefined", "nil", "void", "NoneType", "never", "Void", "Unit", "unit", "var"}
)
_WRAPPERS = frozenset(
    "Optional Option Awaitable Coroutine Promise Future CompletableFuture Task ValueTask Box Rc Arc RefCell Mutex "
    "Readonly Partial Required Annotated Final ClassVar Result".split()
)
_POINTERS = frozenset({"unique_ptr", "shared_ptr", "weak_ptr", "optional"})
_COLLECTIONS = frozenset(
    "list List Sequence Iterable Iterator Generator AsyncIterator AsyncGenerator Collection set Set frozenset tuple "
    "Tuple deque Array ReadonlyArray ArrayList LinkedList HashSet TreeSet Deque Queue Stream IEnumerable IList "
    "ICollection IReadOnlyList Vec VecDeque vector Slice Seq Flow MutableList".split()
)
_CLASSES = frozenset({"type", "Type"})  # whose argument is meant itself, not an instance of it
_MAPS = frozenset({"map", "unordered_map"})  # whose elements are the values
_TYPE = re.compile(r"([A-Za-z_$][\w$]*(?:(?:\.|::|\\)[A-Za-z_$][\w$]*)*)\s*(?:[<\[](.*)[>\]])?", re.S)
_ELEMENT = re.compile(r"(?:map)?\[[^\[\]]*\]([^\[\]\s].*|\[.+)", re.S)  # `[]T`, `[3]T`, `map[K]T`
_PLAIN_TYPE = re.compile(r"[A-Z]\w*")
_SUFFIXES = re.compile(r"(?:\s|\?|!|&|\*(?=\s*$)|\bconst\b)+$")


def join(path: str, step: str) -> str:
    return f"{path}{step}" if path else UNKNOWN


@lru_cache(1 << 14)
def read_value(text: str) -> str:
    """The path of an expression."""
    if _PLAIN.fullmatch(text) and text not in _WORDS_OF_VALUES:
        return text
    found = _PLAIN_CALL.fullmatch(text)
    if found and found["first"] not in _NO_PLAIN_CALL:
        return f"{found[1]}()"
    text = text.strip()
    while (found := _LEADING.match(text)) and found.end():
        text = text[found.end() :].lstrip()
    is_new = text.startswith("new ")
    text = text.removeprefix("new ").lstrip()
    if not text or _NO_PATH.match(text):
        return UNKNOWN
    if found := _POINTER_CAST.match(text) or _CAST_BEFORE.match(text) or _CAST.fullmatch(text):
        return read_type(found[found.re.groups])
    if text.startswith("std::") and text.endswith(">"):
        return read_type(text)  # another name of a collection
    if found := _SAME.match(text):
        text = text[found.end() :]
    if text[0] == "(":
        end = _close(text, 0)
        return _read_chain(read_value(text[1 : end - 1]), text, end) if end > 0 else UNKNOWN
    if text[0] in "[{" and (end := _close(text, 0)) > 0 and (display := _read_display(text[:end])) != LITERAL:
        return _read_chain(display, text, end)
    if _LITERALS.match(text):
        return _read_pair(text) or LITERAL
    if (found := _MAKING.match(text)) and (end := _close_angle(text, found.end() - 1)) > 0 and text[end:][:1] == "(":
        made = read_type(text[found.end() : end - 1])
        return _read_chain(join(made, "^" if found[1] else ""), text, _close(text, end))
    if text in _ROOTS:
        return ROOT
    if _ROOTED.match(text):
        return _read_chain(ROOT, text, 0, is_new=is_new)
    name = _NAME.match(text)
    path = _read_chain(name[0], text, name.end(), is_new=is_new) if name is not None else UNKNOWN
    return path or _read_pair(text)


def _read_pair(text: str) -> str:
    """Several values with commas between them, which need no brackets."""
    bracketed = f"({text})"
    display = _read_display(bracketed) if "," in text and count_parts(bracketed) > 1 else LITERAL
    return display if display != LITERAL else UNKNOWN


def _read_display(text: str) -> str:
    """The parts of a list, a tuple, a dictionary or an object of which something is known; a literal if none is."""
    if len(text) > _LONGEST_DISPLAY:
        return LITERAL
    parts, is_counted = [], text[0] != "{"
    for number, written in enumerate(split_parts(text)):
        part = _COMMENTS.sub("", written, count=1).strip()
        is_counted = is_counted and not _SPREAD.match(part)
        key, value = (str(number), part) if is_counted else _keyed(part, text[0])
        path = read_value(value)
        if _SPREAD.match(part):
            path = join(path, "[]")
        if not path.startswith("<") and _SEPARATORS.search(path):
            path = UNKNOWN
        if path != LITERAL:
            parts.append((key, path))
    is_known = any(path for _, path in parts)
    return f"<{';'.join(f'{key}={path}' for key, path in parts)}>#" if is_known else LITERAL


def _keyed(part: str, bracket: str) -> tuple[str, str]:
    """The key of a part, in quotes if it is a string there, and the value; `*` is a key that is not known."""
    if spread := _SPREAD.match(part):
        return "*", part[spread.end() :].lstrip("*")
    found = _KEY.match(part) if bracket == "{" else None
    if found is None:
        return (part, part) if bracket == "{" and part.isidentifier() else ("*", part)
    string = found[2] or found[3]
    return f'"{string}"' if string else found[1] or found[4], part[found.end() :]


@lru_cache(1 << 12)
def parts_of_display(display: str) -> tuple[tuple[str, str], ...]:
    """The keys and paths of a display."""
    inner, depth, start, parts = display[1:-2], 0, 0, []
    for at, character in enumerate(f"{inner};"):
        depth += (character == "<") - (character == ">")
        if character == ";" and depth == 0:
            key, _, path = inner[start:at].partition("=")
            parts.append((key, path))
            start = at + 1
    return tuple(parts)


def _read_chain(path: str, text: str, at: int, *, is_new: bool = False) -> str:
    """The path with the steps that follow in a text."""
    if at < 0 or (path in (UNKNOWN, LITERAL) and text[at:].strip()):
        return UNKNOWN
    has_call = False
    while at < len(text):
        if found := _GENERICS.match(text, at):
            at = found.end()
        elif found := _ASSERTED.match(text, at):
            path, at = read_type(found[1]), found.end()
            if not path:
                return UNKNOWN
        elif found := _DOT.match(text, at):
            name = _NAME.match(text, found.end()) or _NUMBER.match(text, found.end())
            if name is None:
                return UNKNOWN
            path, at = f"{path}.{name[0]}", name.end()
        elif text[at] in "([{":
            end = _close(text, at)
            if end < 0 or (text[at] == "{" and has_call):
                return UNKNOWN
            path, has_call, at = path + _step_of(text[at:end]), True, end
        elif found := _NON_NULL.match(text, at):
            at = found.end()
        elif text[at].isspace() and (text[at:].isspace() or text[at:].lstrip()[0] in ".([{?"):
            at += 1
        else:
            return UNKNOWN
    return f"{path}()" if is_new and not has_call else path


def _step_of(bracketed: str) -> str:
    if bracketed[0] == "[":
        constant = _CONSTANT.fullmatch(bracketed)
        string = (constant[2] or constant[3]) if constant else ""
        return "[]" if constant is None else f'["{string}"]' if string else f"[{constant[1]}]"
    if bracketed[0] == "{":
        return "{}"
    string = _STRING.fullmatch(bracketed[1:-1])
    return f'("{string[string.lastindex or 0].strip()}")' if string and string.lastindex else "()"


def _close(text: str, at: int) -> int:
    """Behind the bracket that closes the one there, -1 if none does."""
    depth = 0
    for found in _BRACKETS.finditer(text, at):
        if found[2]:
            depth += 1
        elif found[3]:
            depth -= 1
            if depth == 0:
                return found.end()
    return -1


def _close_angle(text: str, at: int) -> int:
    """Behind the angle bracket that closes the one there, -1 if none does."""
    depth = 0
    for index in range(at, len(text)):
        depth += (text[index] == "<") - (text[index] == ">")
        if depth == 0:
            return index + 1
    return -1


@lru_cache(1 << 14)
def read_type(text: str, is_lower: bool = False) -> str:
    """The path of what has a type: an instance of it, a collection of instances, or the type itself.

    `is_lower`: what a library gives is in lower case, so that `List<T>` is a type like others.
    """
    if _PLAIN_TYPE.fullmatch(text) and text not in _EMPTY_TYPES:
        return f"{text}{{}}"
    text = text.strip().strip("\"'").strip()
    text = _QUALIFIERS.sub("", text) or text
    if found := _ROOTED.match(text):
        path = read_type(text[found.end() :])
        return f"{ROOT}.{path}" if path else UNKNOWN
    if found := _ELEMENT.fullmatch(text):
        return _collection(read_type(found[1], is_lower))
    if text.startswith("[") and text.endswith("]") and ":" not in text:
        return _collection(read_type(text[1:-1].partition(";")[0], is_lower))
    parts = [part for part in _split(text, "|") if part.strip() not in _EMPTY_TYPES]
    if len(parts) != 1:
        return UNKNOWN
    text = _SUFFIXES.sub("", parts[0].strip())
    if text.endswith("[]"):
        return _collection(read_type(text[:-2], is_lower))
    found = _TYPE.fullmatch(text)
    if found is None:
        return UNKNOWN
    name, arguments = re.sub(r"::|\\", ".", found[1]), found[2]
    last = name.rpartition(".")[2]
    if arguments and (last.islower() or not is_lower):
        first = _split(arguments, ",")[0]
        if last in _WRAPPERS:
            return read_type(first, is_lower)
        if last in _POINTERS:
            return join(read_type(first, is_lower), "^")
        if last in _COLLECTIONS:
            return _collection(read_type(first, is_lower))
        if is_lower and last in _MAPS:
            return _collection(read_type("".join(_split(arguments, ",")[1:2]), is_lower))
        if last in _CLASSES:
            return read_type(first, is_lower).removesuffix("{}")
    return f"{name}{{}}"


def _collection(path: str) -> str:
    return f"{path}*" if path else UNKNOWN


def _split(text: str, separator: str) -> list[str]:
    """At separators that are in no brackets."""
    parts, depth, start = [], 0, 0
    for index, character in enumerate(text):
        if character in "<([{":
            depth += 1
        elif character in ">)]}":
            depth -= 1
        elif character == separator and depth == 0:
            parts.append(text[start:index])
            start = index + 1
    return [*parts, text[start:]]


@lru_cache(1 << 14)
def steps_of(path: str) -> tuple[str, ...]:
    """The name or the display a path begins with, and its steps; those to a member are bare names."""
    start = _end_of_display(path) if path.startswith("<") else 0
    steps = [found[1] or found[0] for found in _STEPS.finditer(path, start)]
    return (path[:start], *steps) if start else tuple(steps)


def _end_of_display(path: str) -> int:
    depth = 0
    for found in _DISPLAY_BOUNDS.finditer(path):
        depth += 1 if found[0] == "<" else -1
        if depth == 0:
            return found.end()
    return 0


def count_names(steps: Sequence[str]) -> int:
    """Return the number of names before the first other step."""
    return next((at for at, step in enumerate(steps) if step[0] in "([{*"), len(steps))


def parent_of(path: str) -> str | None:
    """Return the path before its last name; None if there is only one."""
    receiver, dot, _ = path.rpartition(".")
    return receiver if dot else None


def count_parts(bracketed: str) -> int:
    """Return the number of parts in brackets: the arguments of a call."""
    return len(split_parts(bracketed))


def split_parts(bracketed: str) -> list[str]:
    """The parts between commas in brackets."""
    inner = bracketed.strip()[1:-1]
    if not _GROUPS.search(inner):
        parts = inner.split(",")
        return parts if parts[-1].strip() else parts[:-1]
    depth = start = 0
    parts = []
    for found in _COMMAS.finditer(inner):
        if found[1]:
            depth += 1
        elif found[2]:
            depth -= 1
        elif found[3] and depth == 0:
            parts.append(inner[start : found.start()])
            start = found.end()
    last = inner[start:]
    return [*parts, last] if last.strip() else parts
