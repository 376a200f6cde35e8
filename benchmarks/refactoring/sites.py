"""A tree that is being refactored, and the small edits that refactorings are made of."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from random import Random
from typing import NamedTuple

from refactoring.dialects import FIELD, FUNCTION, GROUP, TYPE
from refactoring.statements import Statement, edit_one, statements_of
from refactoring.trees import Definition, Tree, reindent

WORDS = "amber birch cedar delta ember fjord grove haven inlet jetty knoll larch mesa north prism quartz river".split()
_HEAD_LINE = re.compile(r"(package|import|using|use|declare|#include|#pragma|from)\b|namespace [^{]*;|\s*$|<\?php")
_RESERVED = frozenset(
    "get set value init self this new type data main name self index length size list item items key keys text test "
    "next of to as in is by let var val from async await static default state error string object number".split()
)


class Site(NamedTuple):
    """`donors` are functions of the same project that are in none of its files: code that is new."""

    tree: Tree
    random: Random
    donors: list[Definition]

    @property
    def spare(self) -> list[Statement]:
        return [statement for donor in self.donors for statement in statements_of(donor) if statement[0].strip()]

    def choose(self, found: list[Definition]) -> Definition | None:
        """One that no earlier edit touched, if there is one."""
        fresh = [one for one in found if one.number not in self.tree.touched]
        return self.random.choice(fresh or found) if found else None

    def touch(self, *definitions: Definition) -> None:
        self.tree.touched |= {one.number for one in definitions}

    def functions(self, n_lines: int = 3) -> list[Definition]:
        return [one for one in self.tree.definitions(FUNCTION) if one.inner[1] - one.inner[0] >= n_lines]

    def methods_of(self, type_: Definition) -> list[Definition]:
        """Those that may move: no constructors, and of each name one."""
        found = type_.functions
        if receiver := self.tree.dialect.receiver:
            pattern = re.compile(receiver.replace("{name}", re.escape(type_.name)))
            found = [one for one in self.tree.definitions(FUNCTION) if pattern.match(one.head)]
        names = [one.name for one in found]
        fixed = self.tree.dialect.constructors | {type_.name}
        return [one for one in found if names.count(one.name) == 1 and one.name not in fixed and one.inner[1]]

    def types(self, n_methods: int) -> list[Definition]:
        kinds = (TYPE, GROUP) if self.tree.dialect.name == "rust" else (TYPE,)
        named = [one for one in self.tree.definitions(*kinds) if one.name.isidentifier()]
        return [one for one in named if len(self.methods_of(one)) >= n_methods]

    def fresh_name(self, old: str) -> str:
        """In the style of the old one."""
        words = [*self.random.sample(WORDS, 2), str(self.tree.number())]
        if "_" in old.strip("_") or (old.islower() and self.tree.dialect.name in _SNAKE):
            return "_".join(words)
        joined = "".join(word.capitalize() for word in words)
        return joined if old[:1].isupper() else joined[0].lower() + joined[1:]

    def rename(self, definition: Definition) -> bool:
        """With all uses, and with all others of that name, which are then renamed as well."""
        old = definition.name
        if len(old) < 4 or old.lower() in _RESERVED or old.startswith("__") or old in self.tree.dialect.constructors:
            return False
        self.touch(*(one for one in self.tree.definitions() if one.name == old))
        self.tree.replace_word(old, self.fresh_name(old))
        return True

    def remove(self, definition: Definition) -> None:
        _, siblings = self.tree.where(definition)
        siblings.remove(definition)

    def duplicate(self, definition: Definition) -> Definition:
        """Another one with the same text."""
        return Definition(
            self.tree.number(), definition.kind, definition.name, list(definition.parts), definition.name_at,
            definition.inner, definition.head, list(definition.cuts), definition.open_at,
        )  # fmt: skip

    def new_type(self, name: str, beside: Definition, lines: tuple[str, str] | None) -> Definition:
        """An empty type: before another one, or in a new file."""
        assert lines is not None
        path, siblings = self.tree.where(beside)
        head = self.tree.dialect.type_head.replace("{name}", name)
        first, last = (line.replace("{name}", name) for line in lines)
        rows: list[str | Definition] = [f"{row}\n" for row in first.split("\n")]
        kind = GROUP if head and lines == self.tree.dialect.type_lines else TYPE
        made = Definition(
            self.tree.number(), kind, name, [*rows, *([f"{last}\n"] if last else [])], 0, open_at=len(rows) - 1
        )
        pieces: list[str | Definition] = [made, "\n"]
        if kind == GROUP:
            pieces = [self._struct(name, head), "\n", *pieces]
        if self.random.random() < 0.5:
            self._put_before(siblings, beside, pieces)
        else:
            self.tree.files[self._new_path(path, name)] = [*self._head_lines(path), *pieces]
        return made

    def _struct(self, name: str, head: str) -> Definition:
        made = Definition(self.tree.number(), TYPE, name, [f"{head}\n"], 0)
        self.touch(made)
        return made

    def _put_before(self, siblings: list[str | Definition], beside: Definition, pieces: list[str | Definition]) -> None:
        for piece in pieces:
            if isinstance(piece, Definition):
                reindent(piece, beside.indent)
        at = siblings.index(beside)
        siblings[at:at] = pieces

    def _new_path(self, path: str, name: str) -> str:
        file = PurePosixPath(path)
        return str(file.with_name(f"{name.lower() if file.stem.islower() else name}{file.suffix}"))

    def _head_lines(self, path: str) -> list[str | Definition]:
        lines: list[str | Definition] = []
        for part in self.tree.files[path]:
            if isinstance(part, Definition):
                break
            if _HEAD_LINE.match(part):
                lines.append(part)
        return [*lines, "\n"]

    def add_member(self, type_: Definition, member: Definition) -> None:
        """At the end of a type."""
        dialect = self.tree.dialect
        reindent(member, type_.indent + self.unit_of(type_))
        at = len(type_.parts) - (0 if dialect.is_indented else 1)
        gap: list[str | Definition] = ["\n"] if at > type_.open_at + 1 else []
        type_.parts[at:at] = [*gap, member]

    def move_member(self, member: Definition, old: Definition, new: Definition) -> None:
        """From one type to another."""
        self.remove(member)
        if self.tree.dialect.receiver:
            self._change_receiver(member, old.name, new.name)
            _, siblings = self.tree.where(new)
            at = siblings.index(new) + 1
            siblings[at:at] = ["\n", member]
        else:
            self.add_member(new, member)

    def _change_receiver(self, member: Definition, old: str, new: str) -> None:
        line = member.parts[member.name_at]
        assert isinstance(line, str)
        change = re.compile(rf"\b{old}\b(?=[^)]*\))")
        member.parts[member.name_at] = change.sub(new, line, count=1)
        member.head = change.sub(new, member.head, count=1)

    def unit_of(self, type_: Definition) -> str:
        """By which members are indented."""
        outer = type_.indent
        inner = next((member.indent for member in type_.members if len(member.indent) > len(outer)), "")
        return inner[len(outer) :] or self._common_unit()

    def _common_unit(self) -> str:
        found = [one.indent for one in self.tree.definitions(FUNCTION, FIELD) if one.indent]
        return min(found, key=len) if found else "    "

    def change_head(self, definition: Definition, pattern: str, replacement: str, **names: str) -> None:
        """Of a definition, on the line that has its name."""
        for key, name in names.items():
            pattern, replacement = pattern.replace(f"{{{key}}}", name), replacement.replace(f"{{{key}}}", name)
        line = definition.parts[definition.name_at]
        assert isinstance(line, str)
        bare = line.lstrip()
        definition.parts[definition.name_at] = line[: -len(bare)] + re.sub(pattern, replacement, bare, count=1)
        definition.head = re.sub(pattern, replacement, definition.head, count=1)

    def inherit(self, type_: Definition, base: str) -> None:
        line = str(type_.parts[type_.name_at])
        for pattern, replacement in self.tree.dialect.inherits:
            if re.search(pattern.replace("{name}", type_.name), line):
                self.change_head(type_, pattern, replacement, name=type_.name, base=base)
                return

    def borrow(self) -> Definition:
        """A function of the project that the tree did not have."""
        donor = self.random.choice(self.donors)
        return self.duplicate(donor)

    def edit_some(self, n_edits: int) -> None:
        """Noise: other functions are edited, and lines come at the top of files."""
        spare = self.spare
        for function in self.random.sample(found, min(n_edits, len(found))) if (found := self.functions()) else ():
            edit_one(function, spare, self.random)
        for path in self.random.sample(list(self.tree.files), max(1, len(self.tree.files) // 3)):
            if not self.tree.text(path).startswith(("<?php", "#!")):
                self.tree.files[path].insert(
                    0, f"{self.tree.dialect.comment} {' '.join(self.random.choices(WORDS, k=5))}\n"
                )


_SNAKE = frozenset({"python", "rust", "ruby", "c", "cpp"})
