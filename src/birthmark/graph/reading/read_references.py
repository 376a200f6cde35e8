"""Read the names that a file mentions and binds: References, the near ends of edges, and Bindings.

Takes the nodes and entities of a source; gives its References in source order. No other file is needed, so it runs
where the file is read; `resolve.py` finds the far ends on demand.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from operator import attrgetter

from birthmark.graph.reading.paths import (
    ROOT,
    UNKNOWN,
    count_parts,
    join,
    parent_of,
    read_type,
    read_value,
    split_parts,
    steps_of,
)
from birthmark.graph.reading.references import CALLED, MENTIONS, NOT_WRITTEN, PARAMETERS, Binding, Reference
from birthmark.languages.registry import load_registry
from birthmark.languages.rules import ResolutionRules
from birthmark.model import CLASS_LIKE, EXPORTS, FUNCTION_LIKE, BoundName, Entity, Node, Occurrence, Span
from birthmark.syntax.lines import Lines
from birthmark.vocabulary import EdgeKind

# Of `source:name` the last colon parts the two, unless it belongs to `a::b` or to `https://`.
_IMPORT = re.compile(r"(.+)(?<!:):(?![:/])(.+)")
_CALLEE = re.compile(r"(?:(.*)(?:::|->|\.|\\))?([\w$#@~]+[!?]?)")
_IMPORTED = re.compile(r"(.*)(::|\\)(.+)")
_CALL = re.compile(r'\((?:"[^"]*")?\)$')
_BLOCK = re.compile(rb"\s+do\b|\s*\{")
_ASSIGNED = re.compile(rb"\s*=(?![=~>])")
_LONGEST_CALLEE = 400  # bytes
_LONGEST_RECEIVER = 120  # bytes
_CHAIN = re.compile(r"(?<![\w.:)\]?])([A-Za-z_]\w*(?:(?:\.|::)\w+)*)(?:\.|::)$")
_NO_NAME = frozenset(")]}#*^")  # ends of paths that do not end in a name
_HEAD = re.compile(r"[^.(\[{*^]*")
_SELVES = frozenset({"self", "this", "cls"})
_HOLDING = frozenset({"local", "assigned"})
_LONGEST_ARGUMENTS = 240
LOCAL_ROLES = PARAMETERS | {"local"}
_GLOBAL = "global"
_VARIABLES = frozenset({"var", "const", "field"})
_BRACKETS = (b"(", b"[", b"{")
_WORDS = re.compile(rb"[A-Za-z_$][\w$]*")
_ARGUMENT = re.compile(r"\s*(?:(\w+)\s*[=:](?![=:])\s*)?([A-Za-z_$][\w$]*)((?:\.[\w$]+)*)\s*")
_TYPE_ARGUMENTS = re.compile(r"(?:::)?<[^<>]*>")


def references_of(
    nodes: Iterable[Node],
    entities: Iterable[Entity],
    language: str,
    source: bytes = b"",
    bindings: Iterable[Binding] = (),
    occurrences: Iterable[Reference] = (),
) -> tuple[Reference, ...]:
    """`source` is that of the nodes; without it, what a call's result is asked for is not known."""
    references: list[Reference] = []
    rules = load_registry().resolution_of(language)
    nodes, entities, bindings = tuple(nodes), tuple(entities), tuple(bindings)
    known = _known_names(nodes, entities)
    held = _held_names(bindings, known)
    made = _made_names(bindings, known)
    known |= {name.encode() for name in held}
    for node in nodes:
        if node.type == "CALL":
            called = _callee_of(node, source, rules)
            if called is not None and called[0] is None and rules.hides_receivers:
                called = _hidden_receiver(node, source), called[1]
            if called is not None and not (rules.calls_bare and _makes_variable(node, called)):
                if node.content_span is not None and node.segment < 0:
                    callee = (held.get(called[1]) if called[0] is None else None) or called[1]
                    references += _passed(node, node.content_span, source, callee, known)
                name = called[1] if rules.keeps_marks else called[1].rstrip("!?")
                name = f"{name}{rules.setter_mark}" if rules.setter_mark and _is_assigned(node, source) else name
                n_arguments = _count_arguments(node, source) if rules.has_overloads else -1
                references.append(Reference("calls", name, called[0], None, node.entity, node.start_line, n_arguments))
        elif node.type == "IMPORT":
            references.append(_import_of(node, rules))
    for index, entity in enumerate(entities):
        for base in entity.bases:
            receiver, _, name = base.name.rpartition(".")
            references.append(Reference(base.relation, name, receiver or None, None, index, entity.start_line))
    references += _aliases([one for one in bindings if one.role == "alias"] if rules.calls_bare else bindings)
    mentioned = [one for one in bindings if one.role in MENTIONS and (not one.until or _head(one.value) in made)]
    references += _mentions(mentioned, bindings, entities, [*references], rules)
    references += occurrences
    references.sort(key=attrgetter("line"))
    return tuple(references)


def _callee_of(node: Node, source: bytes, rules: ResolutionRules) -> tuple[str | None, str] | None:
    """The path of what it is called on, and the name; a call that is made on a segment is not looked at closer."""
    if not node.name.startswith("()"):
        return named_callee(node.name, keeps_root(rules))
    end = (node.content_span[0] if node.content_span else node.end_byte) if node.segment < 0 else 0
    text = source[node.start_byte : end] if end - node.start_byte <= _LONGEST_CALLEE else b""
    text = text if node.content_span else _BLOCK.split(text)[0]
    return unnamed_callee(text, node.name, bool(node.content_span), keeps_root(rules))


def keeps_root(rules: ResolutionRules) -> bool:
    """Return True if `::A` is another name than `A`."""
    return rules.has_root or rules.declares_first


def unnamed_callee(text: bytes, name: str, has_arguments: bool, keeps_root: bool) -> tuple[str | None, str] | None:
    """The same of a call whose name is that of a member, by the text before its arguments or its block."""
    path = read_value(text.decode("utf-8", "replace"))
    is_whole = has_arguments or path.rpartition(".")[2] == name.rpartition(".")[2]
    return _split_path(path if is_whole else UNKNOWN, name, keeps_root)


@lru_cache(1 << 14)
def named_callee(name: str, keeps_root: bool) -> tuple[str | None, str] | None:
    return _split_path(read_value(name.removeprefix("new:")), name, keeps_root)


def _split_path(path: str, name: str, keeps_root: bool) -> tuple[str | None, str] | None:
    path = path if keeps_root else path.removeprefix(f"{ROOT}.")
    if path and path[-1] not in _NO_NAME:
        return parent_of(path), steps_of(path)[-1]
    if path and path[-1] in ")]":
        return path, CALLED
    called = split_callee(name)
    return called and (UNKNOWN if called[0] is not None else None, called[1])


def _makes_variable(node: Node, called: tuple[str | None, str]) -> bool:
    """Return True if a variable holds the type of which an instance is made; it is mentioned, not called."""
    return called[0] is None and node.name.startswith("new:") and not called[1][:1].isupper()


def _is_assigned(node: Node, source: bytes) -> bool:
    """`x.y = z` calls the setter."""
    return node.content_span is None and bool(_ASSIGNED.match(source, node.end_byte))


def _hidden_receiver(node: Node, source: bytes) -> str | None:
    """Return what a name is taken from, read from the text before it; among bare tokens it is no part of the call."""
    if node.segment >= 0:
        return None
    return receiver_before(source[max(0, node.start_byte - _LONGEST_RECEIVER) : node.start_byte])


def receiver_before(before: bytes) -> str | None:
    """The path of what a name is taken from; a dot at the end of the line above ends a comment."""
    text = before.decode("utf-8", "replace").rstrip(" \t")
    if not text.endswith((".", "::")) or text.endswith(".."):
        return None
    chain = _CHAIN.search(text)
    return read_value(chain[1]) if chain is not None else UNKNOWN


def _count_arguments(node: Node, source: bytes) -> int:
    if node.content_span is None or node.segment >= 0 or not source:
        return -1
    arguments = source[slice(*node.content_span)]
    after = source[node.content_span[1] : node.content_span[1] + 2].lstrip()
    if not arguments.startswith(b"(") or after.startswith(b"("):
        return -1
    return count_parts(arguments.decode("utf-8", "replace")) + after.startswith(b"{")  # a function that follows


def _known_names(nodes: Iterable[Node], entities: Iterable[Entity]) -> frozenset[bytes]:
    """Names of functions and types that a file defines, and of what it imports: if passed, they may be called."""
    defined = {entity.name for entity in entities if entity.kind in FUNCTION_LIKE or entity.kind in CLASS_LIKE}
    imports = (node for node in nodes if node.type == "IMPORT")
    names = defined.union(node.alias or split_import(node.name)[1] for node in imports)
    return frozenset(name.encode() for name in names)


def _held_names(bindings: Iterable[Binding], known: frozenset[bytes]) -> dict[str, str]:
    """Variables that hold a known function or type, with its name, or with "" parts of their own."""
    held: dict[str, str] = {}
    for one in bindings:
        if one.role in _HOLDING and one.value and "." not in one.name:
            if one.value[0] == "<":
                held[one.name] = ""
            elif one.value[-1] not in _NO_NAME and _head(one.value) in known:
                held[one.name] = steps_of(one.value)[-1]
    return held


def _made_names(bindings: Iterable[Binding], known: frozenset[bytes]) -> frozenset[bytes]:
    """Those that are known, and variables with a value that starts with one: only they may have methods of ours."""
    return known | {one.name.encode() for one in bindings if one.role in _HOLDING and _head(one.value) in known}


def _head(path: str) -> bytes:
    """The name that a path starts with."""
    found = _HEAD.match(path)
    return found[0].encode() if found else b""


def _passed(node: Node, arguments: Span, source: bytes, callee: str, known: frozenset[bytes]) -> list[Reference]:
    """Names of functions and types among the arguments, each with what it becomes: `f#0` is the first argument of f."""
    start, end = arguments
    if not 2 < end - start <= _LONGEST_ARGUMENTS:
        return []
    text = source[start:end]
    if not text.startswith(_BRACKETS) or known.isdisjoint(_WORDS.findall(text)):
        return []
    passed = []
    for position, label, head, members in arguments_of(text):
        is_own = members and head in _SELVES and members.rpartition(".")[2].encode() in known
        if is_own or head.encode() in known:
            path, alias = f"{head}{members}", f"{callee}#{label or position}"
            passed.append(Reference("passes", steps_of(path)[-1], parent_of(path), alias, node.entity, node.start_line))
    return passed


def arguments_of(text: bytes) -> Iterator[tuple[int, str | None, str, str]]:
    """The arguments that are names: position, name of the parameter if it is written, first name, and its members."""
    for position, argument in enumerate(split_parts(text.decode("utf-8", "replace"))):
        found = _ARGUMENT.fullmatch(argument)
        if found is not None:
            yield position, found[1], found[2], found[3]


def _aliases(bindings: Iterable[Binding]) -> Iterator[Reference]:
    """Names that mean what has another name: to use them is to use that."""
    for binding in bindings:
        if binding.value and binding.role not in MENTIONS and binding.value[-1] not in _NO_NAME:
            name = steps_of(binding.value)[-1]
            if name != binding.name or binding.owner == EXPORTS:
                receiver = parent_of(binding.value)
                yield Reference("binds", name, receiver, binding.name, binding.entity, binding.line)


def _mentions(
    mentions: Sequence[Binding],
    bindings: Sequence[Binding],
    entities: Sequence[Entity],
    calls: list[Reference],
    rules: ResolutionRules,
) -> Iterator[Reference]:
    """Return what is called without parentheses, once a line; a bare name may be a variable, which is read then.

    Variables of functions are no definitions, so that they are left out.
    """
    if not mentions:
        return
    found = {(one.line, one.name, one.receiver) for one in calls if one.edge in MENTIONS}
    variables: dict[str, list[Binding]] = {}
    for binding in bindings if rules.calls_bare else ():
        variables.setdefault(binding.name, []).append(binding)
    for mention in mentions:
        path = _CALL.sub("", mention.value)
        if not path or path.endswith((")", "]", "}", "#", "*")):
            continue
        receiver, name = parent_of(path), steps_of(path)[-1]
        bound = variables.get(name, ()) if receiver is None else ()
        holding = [one for one in bound if _holds(one, mention, entities)]
        if any(one.until or _is_in_function(one, entities) for one in holding):
            continue
        if (mention.line, name, receiver) not in found:
            found.add((mention.line, name, receiver))
            role = EdgeKind.READS if holding else mention.role
            n_arguments = NOT_WRITTEN if mention.until else -1
            yield Reference(role, name, receiver, None, mention.entity, mention.line, n_arguments)
            if mention.name:
                yield Reference("passes", mention.name, None, f"{name}#0", mention.entity, mention.line)


def _holds(variable: Binding, mention: Binding, entities: Sequence[Entity]) -> bool:
    """Functions see the variables of functions around them, but not those of types or of the file."""
    if variable.until:
        return variable.line <= mention.line <= variable.until
    if variable.role in ("field", "member") or variable.line > mention.line:
        return False
    place = mention.entity
    while place >= 0 and entities[place].kind in _VARIABLES:
        place = entities[place].container
    if variable.owner == place or variable.owner < 0:
        return variable.owner == place
    owner = entities[variable.owner]
    return owner.kind in FUNCTION_LIKE and owner.start_line <= mention.line <= owner.end_line


def _is_in_function(variable: Binding, entities: Sequence[Entity]) -> bool:
    return variable.owner >= 0 and entities[variable.owner].kind in FUNCTION_LIKE


@lru_cache(1 << 14)
def split_callee(callee: str) -> tuple[str | None, str] | None:
    """Part the receiver from the name; what is called without a name, such as `a[0](x)`, gives None."""
    callee = callee.removeprefix("new:")
    while "<" in callee and (shorter := _TYPE_ARGUMENTS.sub("", callee)) != callee:
        callee = shorter
    match = _CALLEE.fullmatch(callee)
    if match is None:
        return None
    return (match[1] or "").rstrip("?!") or None, match[2]


def _import_of(node: Node, rules: ResolutionRules) -> Reference:
    module, name = read_import(node.name, rules)
    alias = node.alias if node.alias != name else None
    return Reference("imports", name, module, alias, node.entity, node.start_line)


def read_import(imported: str, rules: ResolutionRules) -> tuple[str, str]:
    """The module and the name, as a Reference has them."""
    module, name = split_import(imported, rules.schemes)
    return module, "*" if name in rules.all_names else "" if name == rules.self_name else name


@lru_cache(1 << 14)
def split_import(imported: str, schemes: tuple[str, ...] = ()) -> tuple[str, str]:
    """Part the module from the name taken out of it; a path in front of the name belongs to the module."""
    match = _IMPORT.fullmatch(imported)
    if match is None or match[1] in schemes or "/" in match[2]:
        return imported, ""
    module, name = match[1], match[2]
    deeper = _IMPORTED.fullmatch(name)
    if deeper is not None:
        module, name = f"{module}{deeper[2]}{deeper[1]}", deeper[3]
    return module, name


def _outer_names(bound_names: Iterable[BoundName]) -> set[tuple[int, str]]:
    """Names that functions take from the file by a statement, by function."""
    return {(one.owner, one.name) for one in bound_names if one.role == _GLOBAL}


def bindings_of(bound_names: Iterable[BoundName], lines: Lines, rules: ResolutionRules) -> tuple[Binding, ...]:
    feeds, is_lower = lines.feeds, rules.is_lower
    bindings, bound_names = [], tuple(bound_names)
    outer = _outer_names(bound_names)
    for one in bound_names:
        if one.role == _GLOBAL:
            continue
        value = read_type(one.text, is_lower) if one.is_type else read_value(one.text) if one.text else UNKNOWN
        if one.step:
            value = join(value, one.step)
        line = bisect_left(feeds, one.start_byte) + 1
        until = lines.of(one.end_byte) if one.end_byte else 0
        owner = -1 if (one.owner, one.name) in outer else one.owner
        bindings.append(Binding(one.role, one.name, value, owner, one.entity, line, until))
    return tuple(bindings)


def read_occurrences(
    occurrences: Iterable[Occurrence],
    bound_names: Iterable[BoundName],
    entities: Sequence[Entity],
    lines: Lines,
    rules: ResolutionRules,
    source: bytes,
) -> Iterator[Reference]:
    """References by names that no function around binds; `source` has them in the coordinates of the occurrences."""
    is_local = _locals_of(bound_names, entities, rules.variable_mark)
    for role, name, text, entity, start in occurrences:
        if text is not None and not rules.keeps_marks:
            text = text.rstrip("!")  # `a!.b` only says that there is an `a`.
        receiver = None if text is None else read_value(text)
        if text is None and rules.hides_receivers:
            receiver = receiver_before(source[max(0, start - _LONGEST_RECEIVER) : start])
        if receiver is not None and not keeps_root(rules):
            receiver = receiver.removeprefix(f"{ROOT}.")
        if receiver is not None or not is_local(name, entity, start):
            yield Reference(role, name, receiver, None, entity, lines.of(start))


def _locals_of(
    bound_names: Iterable[BoundName], entities: Sequence[Entity], mark: str
) -> Callable[[str, int, int], bool]:
    """The function that tells if a name is local to one of the functions around a position."""
    names: dict[int, set[str]] = {}  # by function
    ranges: dict[str, list[Span]] = {}
    bound_names = tuple(bound_names)
    inner = [one for one in entities if one.container >= 0 and entities[one.container].kind in FUNCTION_LIKE]
    defined = {(entity.container, entity.name) for entity in inner}
    defined |= _outer_names(bound_names)
    for bound in bound_names:
        if bound.role not in LOCAL_ROLES or (bound.owner, bound.name) in defined:
            continue  # A type that is defined in a function is no variable.
        if bound.end_byte:
            ranges.setdefault(bound.name, []).append((bound.start_byte, bound.end_byte))
        elif bound.owner >= 0 and entities[bound.owner].kind in FUNCTION_LIKE:
            names.setdefault(bound.owner, set()).add(bound.name)

    def is_local(name: str, entity: int, start: int) -> bool:
        is_marked = bool(mark) and name.startswith(mark)
        while entity >= 0:
            if name in names.get(entity, ()) or (is_marked and entities[entity].kind in FUNCTION_LIKE):
                return True
            entity = entities[entity].container
        return any(first <= start < end for first, end in ranges.get(name, ()))

    return is_local
