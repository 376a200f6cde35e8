"""The single pass over the items of a source.

Takes a Syntax; collects nodes and drafts of entities. Items are sorted, outer before inner, so that a stack of open
frames is the context of each.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

import msgspec

from birthmark.entities.bound_names import read_bound_name, read_mention, read_text
from birthmark.entities.frames import LAMBDA, WRAP, Draft, Frame
from birthmark.entities.implied_attributes import IMPLIED, ItemKey, find_implied_attributes, key_of
from birthmark.entities.names import NameReader, decode
from birthmark.languages.registry import LanguageSpec
from birthmark.model import CLASS_LIKE, FUNCTION_LIKE, NODE_TYPES, Base, BoundName, Level, Node, Occurrence, Span
from birthmark.syntax.canonical import trim_end
from birthmark.syntax.parse import Syntax
from birthmark.syntax.query import LOCAL_SCOPES, NOTHING, Item, QueryPattern

# Parents of entities, but not named parents of nodes, which have the function or class around them.
_UNNAMED_PARENTS = frozenset({"var", "const", "field", "member"})
_PROMOTED = {"fn": "method", "var": "field"}  # directly in a class
_LOCAL = {"var": "VARIABLE", "const": "CONSTANT"}  # in a function
_SPACES = frozenset({"mod", "namespace"})
_LOCAL_INSIDE = -1  # in Frame.inside: a local variable in a wrap
_FIRST_STRING = re.compile(rb"""\(\s*(["'`])([^"'`\\\n]*)\1""")
_TAKING = frozenset({"entity", "call", "new", "variable", "constant"})  # roles whose names are no other use
_FIRST_WORD = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_DEFINING = frozenset({"parameter", "optional", "rest", "local"})  # the same of bindings
_YIELDING = frozenset({"reads", "types"})  # roles of occurrences where nothing else says what a name is
# A string, a comment, or a name in code, maybe a member.
_WORD = re.compile(
    rb"""(?s:"(?:[^"\\]|\\.)*|'(?:[^'\\]|\\.)*|//[^\n]*|/\*.*?(?:\*/|\Z)|(\.|->)?[ \t\r\n]*(\w+))["']?"""
)
_WRAP_PATTERN = QueryPattern(WRAP, WRAP, "", {}, "", True, ())
# Start and end of the name, a mark if its role is certain, rank and sequence of the pattern, role, item and entity.
Mention = tuple[int, int, bool, int, int, str, Item, int]


class Sweep:
    """The single pass over the items, in which an extraction spends most of its time."""

    __slots__ = (
        "blocks",
        "bound",
        "bound_names",
        "callees",
        "constant",
        "drafts",
        "effect_of",
        "entity_nodes",
        "external",
        "externals",
        "feeds",
        "frames",
        "full",
        "has_nodes",
        "implied",
        "imports",
        "line",
        "lines",
        "mentions",
        "names",
        "nodes",
        "regions",
        "seen",
        "source",
        "spec",
        "syntax",
        "top",
    )

    def __init__(self, syntax: Syntax, spec: LanguageSpec, level: Level) -> None:
        self.syntax = syntax
        self.source = syntax.source
        self.spec = spec
        self.has_nodes = level is not Level.ENTITIES
        self.full = self.has_nodes and level is not Level.OUTLINE  # with nodes that only need ids
        self.names = NameReader(syntax.source)
        self.lines = syntax.lines
        self.feeds = self.lines.feeds
        self.line = 1  # of the current item
        self.drafts: list[Draft] = []
        self.nodes: list[Node] = []
        self.bound_names: list[BoundName] = []
        self.blocks: list[Span] = []  # open ones, to which local names are limited
        self.regions: list[tuple[int, str]] = []  # ends and roles of open ones, to which the names in them belong
        self.mentions: list[Mention] = []
        self.entity_nodes: list[tuple[int, int]] = []  # (node, draft) whose span may still grow
        self.externals: set[str] = set()
        self.constant = re.compile(spec.constant_names) if spec.constant_names else None
        self.external = re.compile(spec.external_imports) if spec.external_imports else None
        self.effect_of = _effects_of(spec)
        self.top = Frame(0, len(syntax.source) + 1, "file", -1, "", "global")  # the innermost frame that is not a wrap
        self.frames = [self.top]
        self.callees: dict[int, int] = {}  # start of a callee or access -> its end
        self.seen: set[tuple[int, int, Span | None]] = set()  # entities, by span and name
        self.imports: set[tuple[int, str, Span | None]] = set()  # by start and name
        self.bound: set[Span] = set()  # functions named by a definition
        self.implied: dict[ItemKey, Span] = {}  # assignments that define an attribute, and its class

    def run(self) -> None:
        items = self.syntax.items
        if self.syntax.wraps:
            items = sorted([*items, *_wrap_items(self.syntax.wraps)])
        self.bound = {item[7]["bound"] for item in items if "bound" in item[7]}
        self.implied = find_implied_attributes(items, self.names, self.spec, self.bound)
        handlers = {role: getattr(self, f"_{role}") for role in _HANDLED}
        frames, feeds = self.frames, self.feeds
        innermost_end, line = frames[-1].end, self.line
        for item in items:
            start = item[0]
            if innermost_end <= start:
                while frames[-1].end <= start:
                    self._close(frames.pop())
                self._find_top()
            while feeds[line - 1] < start:
                line += 1
            self.line = line
            handlers[item[4].role](item)
            innermost_end = frames[-1].end
        while frames:
            self._close(frames.pop())

    # Frames

    def _push(self, frame: Frame) -> None:
        self.frames.append(frame)
        if frame.kind != WRAP:
            self.top = frame

    def _find_top(self) -> None:
        at = -1
        while self.frames[at].kind == WRAP:
            at -= 1
        self.top = self.frames[at]

    def _wrap(self, item: Item) -> None:
        top = self.top
        self._push(Frame(item[0], -item[1], WRAP, top.entity, top.parent, top.named_parent))

    def _close(self, frame: Frame) -> None:
        """Give a single definition the span of its wrap; several take their documentation from above it."""
        if not frame.inside:
            return
        alone = len(frame.inside) == 1
        drafts = [] if _LOCAL_INSIDE in frame.inside else [self.drafts[index] for index in frame.inside]
        for draft in drafts:
            draft.anchor = frame.start
            if alone:
                draft.start, draft.end = frame.start, frame.end
            elif draft.shared is None:
                draft.shared = (frame.start, drafts[0].start)
        if self.frames and self.frames[-1].kind == WRAP:
            self.frames[-1].inside.extend(frame.inside)

    def _function(self, item: Item) -> None:
        top = self.top
        if (item[0], -item[1]) in self.bound:
            return  # A definition names it.
        if self.has_nodes:
            self._add("FUNCTION", "anonymous", item, item[6])
        self._push(Frame(item[0], -item[1], LAMBDA, top.entity, top.parent, top.named_parent))

    # Entities

    def _entity(self, item: Item) -> None:
        if IMPLIED in item[4].settings:
            self._implied_attribute(item)
            return
        if item[4].settings.get("within") == "type" and not self._is_in_type():
            return
        top, kind = self.top, item[4].kind
        is_local = kind in _LOCAL and (top.kind in FUNCTION_LIKE or top.kind == LAMBDA or "local" in item[4].settings)
        if is_local and self.frames[-1].kind == WRAP:
            self.frames[-1].inside.append(_LOCAL_INSIDE)
        key = key_of(item)
        if key in self.seen or ((item[0], -item[1]) in self.bound and "bound" not in item[7]):
            return  # An earlier pattern found it, or another definition names it.
        self.seen.add(key)
        if is_local and not self.has_nodes:
            return
        name = self._entity_name(item)
        if not name:
            return  # The parser inserted it to recover from an error.
        if is_local:
            if item[4].binds:
                self._bind((*item[:6], None, NOTHING))
            self._add(_LOCAL[kind], name, item, item[6])
            self._cover(item)
            return
        if top.start == item[0] and top.end == -item[1] and top.kind not in ("file", LAMBDA):
            self.frames.remove(top)  # One node defines several names: they are siblings.
            self._find_top()
            top = self.top
        if item[4].settings.get("hoist"):
            top = self._class_around() or top
        kind = self._entity_kind(kind, name, top)
        draft = Draft(item, kind, name, self._entity_parent(item, top), top.entity)
        if self.frames[-1].kind == WRAP:
            self.frames[-1].inside.append(len(self.drafts))
        self.drafts.append(draft)
        self._open_entity(item, draft, top)

    def _implied_attribute(self, item: Item) -> None:
        """Add a member of the class. No frame is opened: the contents of the assignment belong to the method."""
        span = self.implied.get(key_of(item))
        owner = next((frame for frame in reversed(self.frames) if (frame.start, frame.end) == span), None)
        if owner is None:
            return
        draft = Draft(item, item[4].kind, self._entity_name(item), owner.parent, owner.entity)
        if self.has_nodes:
            self.entity_nodes.append((len(self.nodes), len(self.drafts)))
            self._add(NODE_TYPES[draft.kind], draft.name, item, item[6], owner.named_parent, len(self.drafts))
        self.drafts.append(draft)

    def _is_in_type(self) -> bool:
        """Return True in the body of a type, maybe in a block, but not in a function."""
        around = next((frame for frame in reversed(self.frames) if frame.kind not in (WRAP, LAMBDA)), self.top)
        return around.kind in CLASS_LIKE or around.kind in _SPACES

    def _class_around(self) -> Frame | None:
        return next((frame for frame in reversed(self.frames) if frame.kind in CLASS_LIKE), None)

    def _open_entity(self, item: Item, draft: Draft, top: Frame) -> None:
        index, more = len(self.drafts) - 1, item[7]
        owner = self.names.path(more["owner"]) if "owner" in more else draft.name
        chain = f"{draft.parent}.{owner}" if draft.parent else owner
        named_parent = draft.parent.rsplit(".", 1)[-1] if "parent" in more else top.named_parent
        if self.has_nodes:
            self.entity_nodes.append((len(self.nodes), index))
            self._add(NODE_TYPES[draft.kind], draft.name, item, item[6], named_parent, index)
            if self.full and draft.kind in FUNCTION_LIKE and item[6]:
                self.nodes.append(self._body_scope(item[6], draft.name, index))
        inner = named_parent if draft.kind in _UNNAMED_PARENTS and "owner" not in more else owner
        self._push(Frame(item[0], -item[1], draft.kind, index, chain, inner))

    def _body_scope(self, body: Span, name: str, index: int) -> Node:
        start, end = body
        lines = self.lines
        return Node("SCOPE", "body", name, lines.of(start), lines.last_of(start, end), start, end, body, None, index)

    def _entity_name(self, item: Item) -> str:
        settings, span = item[4].settings, item[5]
        if not settings:
            return self.names.name(span) if span else ""
        name = settings.get("name") or (self.names.name(span) if span else "")
        strip = settings.get("strip", "")
        if "prefix" in item[7]:
            name = f"{self.names.name(item[7]['prefix']).lstrip(strip)}{settings.get('join', '')}{name.lstrip(strip)}"
        return settings.get("prefix", "") + name.lstrip(strip)

    def _entity_kind(self, kind: str, name: str, top: Frame) -> str:
        if top.kind in CLASS_LIKE:
            kind = _PROMOTED.get(kind, kind)
        elif kind == "var" and self.constant and self.constant.search(name):
            kind = "const"
        if kind == "method":
            constructors = self.spec.constructors
            if name in constructors or ("<parent>" in constructors and name == top.named_parent):
                kind = "constructor"
        return kind

    def _entity_parent(self, item: Item, top: Frame) -> str:
        if "parent" not in item[7]:
            return top.parent
        named = self.names.path(item[7]["parent"])
        return f"{top.parent}.{named}" if top.parent else named

    def _inherits(self, item: Item) -> None:
        if self.top.entity >= 0:
            base = Base(item[4].role, self.names.path((item[0], -item[1])))
            self.drafts[self.top.entity].bases.append(base)

    _implements = _inherits

    def _bind(self, item: Item) -> None:
        blocks, block = self.blocks, None
        while blocks and blocks[-1][1] <= item[0]:
            blocks.pop()
        if item[4].binds == "block":
            blocks.append((item[0], -item[1]))
            return
        if blocks:
            block = blocks[-1]
        bound_name = read_bound_name(item, self.frames, self.names, self.source, block)
        if bound_name is not None:
            self.bound_names.append(bound_name)

    def _mention(self, item: Item) -> None:
        role = item[4].kind
        if role == "calls":
            self.bound_names.append(read_mention(item, self.top, self.source))
            return
        if "words" in item[4].settings:
            self._mention_words(item)
            return
        around = self._region_at(item[0])
        if around == "none":
            return
        if around and role == "reads":
            role = around
        start, end = item[5] or (item[0], -item[1])
        self.mentions.append((start, end, role not in _YIELDING, item[2], item[3], role, item, self.top.entity))

    def _mention_words(self, item: Item) -> None:
        """Take each name in a text that is not parsed, unless it is one of the arguments, for a mention."""
        first, last = item[5] or (item[0], -item[1])
        arguments = {found[2] for found in _WORD.finditer(self.source, *item[6])} if item[6] else set()
        for found in _WORD.finditer(self.source, first, last):
            start, end = found.span(2)
            if found[2] and found[2] not in arguments and not found[2][:1].isdigit():
                more = {"receiver": (start, start)} if found[1] else NOTHING  # a member of what is not known
                word = (start, -end, *item[2:5], None, None, more)
                self.mentions.append((start, end, False, item[2], item[3], item[4].kind, word, self.top.entity))

    def _mentions(self, item: Item) -> None:
        if self._region_at(item[0]) != "none":
            self.regions.append((-item[1], item[4].kind))

    def _region_at(self, start: int) -> str:
        """Return the role of the names in the innermost region around a position."""
        regions = self.regions
        while regions and regions[-1][0] <= start:
            regions.pop()
        return regions[-1][1] if regions else ""

    def occurrences(self) -> list[Occurrence]:
        """Return the names that are uses: no definition, no call and no base has captured them."""
        defined, taken = {draft.item[5] for draft in self.drafts}, self._taken_spans()
        # A later pattern says more of a name, unless it says `also`: then the name means another thing as well.
        by_name = {(*one[:2], "also" in one[6][4].settings): one for one in sorted(self.mentions)}
        found = []
        for (_, _, is_also), (start, end, is_certain, _, _, role, item, entity) in by_name.items():
            if (start, end) in defined and not is_also:
                continue
            if not (is_certain or is_also) and ((start, end) in taken or (item[0], -item[1]) in taken):
                continue
            receiver = item[7].get("receiver")
            if name := self._used_name((start, end), item[4].settings):
                found.append(Occurrence(role, name, receiver and read_text(self.source, receiver), entity, start))
        return found

    def _used_name(self, span: Span, settings: dict[str, str]) -> str:
        name = self.names.name(span).lstrip(settings.get("strip", ""))
        if "word" in settings:
            first = _FIRST_WORD.match(name)
            name = first[0] if first else ""
        return name and name + settings.get("suffix", "")

    def _taken_spans(self) -> set[Span | None]:
        taken: set[Span | None] = set()
        for item in self.syntax.items:
            pattern = item[4]
            if pattern.role in _TAKING or pattern.binds in _DEFINING:
                taken.add(item[5])
            elif pattern.role in ("inherits", "implements"):
                taken.add((item[0], -item[1]))
            elif pattern.kind == "calls" and "step" not in pattern.settings:
                taken.add(item[6] or (item[0], -item[1]))
        return taken

    # Nodes

    def _call(self, item: Item) -> None:
        span, more, top = item[5], item[7], self.top
        if span is None or (item[0] == top.start and -item[1] == top.end and top.entity >= 0):
            return  # A definition among the bare tokens of a macro looks like a call of itself.
        name = self.names.expression(span)
        if more and "receiver" in more:
            receiver = more["receiver"]
            name = f"{self.names.expression(receiver)}.{name}"
            span = (receiver[0], span[1])
        self._add("CALL", name, item, item[6])
        if self.full:
            if self.callees.get(span[0], 0) < span[1]:
                self.callees[span[0]] = span[1]
            if item[0] >= top.cover_end:
                self._cover(item)
            effect = self.effect_of(name)
            if effect:
                self._effect(effect, name, item)

    def _effect(self, effect: str, name: str, item: Item) -> None:
        """Add the effect of a call, which changes an array or an object or listens for an event."""
        if effect == "EVENT_LISTENER" and item[6]:
            event = _FIRST_STRING.match(self.source, *item[6])
            name = decode(event[2]) if event and event[2] else name
        self._add(effect, name, item, item[6])

    def _new(self, item: Item) -> None:
        if item[5]:
            self._add("CALL", f"new:{self.names.expression(item[5])}", item, item[6])
            self._cover(item)

    def _import(self, item: Item) -> None:
        more, settings = item[7], item[4].settings
        source = self.names.name(more["source"]) if "source" in more else settings.get("source", "")
        if "prefix" in more:
            source = f"{self.names.name(more['prefix'])}{settings.get('join', '')}{source}"
        name = settings.get("name") or (self.names.name(item[5]) if item[5] else "")
        is_external = self.full and self.external and self.external.search(source)
        if "strip" in settings:
            source, name = source.strip(settings["strip"]), name.strip(settings["strip"])
        key = (item[0], name, item[5])
        if key in self.imports:
            return  # An earlier pattern found it with its alias.
        self.imports.add(key)
        self._add("IMPORT", f"{source}:{name}" if source and name else source or name, item)
        if "alias" in more:
            self.nodes[-1] = msgspec.structs.replace(self.nodes[-1], alias=self.names.name(more["alias"]))
        if is_external and source not in self.externals:
            self.externals.add(source)
            self._add("EXTERNAL_MODULE", source, item, None, "global", -1)

    def _export(self, item: Item) -> None:
        name = item[4].settings.get("name") or (self.names.name(item[5]) if item[5] else "default")
        self._add("EXPORT", name, item)

    def _parameter(self, item: Item) -> None:
        if item[4].binds:
            self._bind(item)
        if not self.full:
            return
        top = self.top
        span = (item[0], -item[1])
        name = item[4].settings.get("name") or self.names.name(item[5] or span)
        if top.parameter != span:  # The names of a pattern share its position.
            if span[0] < top.parameter[1]:
                return  # It is part of the type of the previous parameter.
            top.parameter = span
            top.n_parameters += 1
        self._add("PARAMETER", name, item, item[6], None, None, top.n_parameters - 1)

    def _variable(self, item: Item) -> None:
        if item[4].binds:
            self._bind(item)
        if item[5]:
            self._add(item[4].role.upper(), self.names.name(item[5]), item, item[6])
            self._cover(item)

    _constant = _variable

    def _scope(self, item: Item) -> None:
        if self.full:
            self._add("SCOPE", item[4].kind, item, (item[0], -item[1]))
        if item[4].kind in LOCAL_SCOPES:
            top = self.top
            self._push(Frame(item[0], -item[1], LAMBDA, top.entity, top.parent, top.named_parent))

    def _property(self, item: Item) -> None:
        """Add `a.b.c`, but not `a.b` within it, and no access that is a callee."""
        start, end = item[0], -item[1]
        if self.callees.get(start, -1) < end:
            self.callees[start] = end
            self._add("PROPERTY_ACCESS", self.names.expression((start, end)), item, self._statement(start, end))

    def _cover(self, item: Item) -> None:
        """Record the outermost open call or assignment, which is the extent of a statement."""
        top = self.top
        if item[0] >= top.cover_end:
            top.cover_line, top.cover_end = self.line, -item[1]

    def _statement(self, start: int, end: int) -> Span:
        """Return roughly the statement: the lines of the outermost call or assignment around a span, or its own."""
        top, feeds, line = self.top, self.feeds, self.line
        last_line_end = feeds[line - 1]
        if start < top.cover_end:
            line, end = top.cover_line, max(end, top.cover_end)
        if end > last_line_end:
            last_line_end = feeds[self.lines.of(end) - 1]
        return (feeds[line - 2] + 1 if line > 1 else 0, min(last_line_end, len(self.source)))

    def _mutation(self, item: Item) -> None:
        span = (item[0], -item[1])
        self._add(f"{item[4].kind.upper()}_MUTATION", self.names.expression(item[5] or span), item, span)
        self._cover(item)

    def _add(
        self,
        type_: str,
        name: str,
        item: Item,
        content: Span | None = None,
        named_parent: str | None = None,
        entity: int | None = None,
        position: int | None = None,
    ) -> None:
        start, end, line, top = item[0], -item[1], self.line, self.top
        self.nodes.append(
            Node(
                type_,
                name,
                named_parent or top.named_parent,
                line,
                line if end - 1 <= self.feeds[line - 1] else self.lines.last_of(start, end),
                start,
                end,
                content,
                position,
                top.entity if entity is None else entity,
            )
        )

    def finished_nodes(self) -> list[Node]:
        """Set the spans of entity nodes to those of their wraps."""
        for node_index, draft_index in self.entity_nodes:
            node, draft = self.nodes[node_index], self.drafts[draft_index]
            if node.start_byte != draft.start or node.end_byte != draft.end:
                end = trim_end(self.syntax.mask, draft.start, draft.end)
                self.nodes[node_index] = msgspec.structs.replace(
                    node,
                    start_byte=draft.start,
                    end_byte=end,
                    start_line=self.lines.of(draft.start),
                    end_line=self.lines.last_of(draft.start, end),
                )
        return self.nodes


_HANDLED = (
    "entity wrap function call new import export inherits implements parameter variable constant "
    "scope property mutation bind mention mentions"
).split()


def _effects_of(spec: LanguageSpec) -> Callable[[str], str]:
    """Return the function from the name of a callee to the node type of its side effect, or an empty text."""
    tables = (
        (spec.array_mutators, "ARRAY_MUTATION"),
        (spec.object_mutators, "OBJECT_MUTATION"),
        (spec.listeners, "EVENT_LISTENER"),
    )
    methods = {method: type_ for names, type_ in tables for method in names}
    return cache(lambda name: methods.get(re.split(r"[.:>]", name)[-1], ""))


def _wrap_items(wraps: list[Span]) -> list[Item]:
    return [(start, -end, -1, i, _WRAP_PATTERN, None, None, NOTHING) for i, (start, end) in enumerate(wraps)]
