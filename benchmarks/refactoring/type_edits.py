"""Edits of types: extracted, pulled up, pushed down, split, merged, renamed with their members.

Each gets a Site, and says whether it found what it needs.
"""

from __future__ import annotations

import re

from refactoring.dialects import FUNCTION, GROUP, TYPE
from refactoring.sites import Site
from refactoring.trees import Definition, Derived


def extract_superclass(site: Site) -> bool:
    type_ = site.choose(site.types(4))
    if type_ is None:
        return False
    methods = site.methods_of(type_)
    base = site.new_type(f"{type_.name}Base", type_, site.tree.dialect.type_lines)
    moved = site.random.sample(methods, len(methods) // 2)
    for method in moved:
        site.move_member(method, type_, base)
    site.inherit(type_, base.name)
    site.touch(type_, base, *moved)
    return True


def extract_interface(site: Site) -> bool:
    type_ = site.choose(site.types(3))
    if type_ is None:
        return False
    methods = [method for method in site.methods_of(type_) if method.head]
    face = site.new_type(f"{type_.name}Like", type_, site.tree.dialect.interface_lines)
    for method in site.random.sample(methods, (len(methods) + 1) // 2):
        declared = _declaration(site, method)
        site.add_member(face, declared)
        site.touch(method, declared)
    site.touch(type_, face)
    return True


def _declaration(site: Site, method: Definition) -> Definition:
    head = re.sub(r"^(?:@\w+(?:\([^)]*\))? *|\[[^\]]*\] *)+", "", method.head)
    head = re.sub(
        r"^(?:(?:pub(?:\(\w+\))?|public|private|protected|internal|override|async|static|final|open) +)+", "", head
    )
    head = re.sub(r"^func \([^)]*\) ", "", head).rstrip(" ={:")
    line = head + site.tree.dialect.signature_end
    return Definition(site.tree.number(), FUNCTION, method.name, [f"{line}\n"], 0, head=head)


def prepare_twins(site: Site) -> bool:
    """A method of one type is in two others as well."""
    types = site.types(1)
    source = site.choose([type_ for type_ in types if any(len(one.body) > 3 for one in site.methods_of(type_))])
    if source is None:
        return False
    method = site.random.choice([one for one in site.methods_of(source) if len(one.body) > 3])
    others = [one for one in types if one is not source and method.name not in {m.name for m in one.functions}]
    if len(others) < 2:
        return False
    site.touch(method)
    for other in site.random.sample(others, 2):
        twin = site.duplicate(method)
        site.add_member(other, twin)
        site.touch(twin)
    return True


def pull_up(site: Site) -> bool:
    twins = [one for one in site.tree.definitions(FUNCTION) if one.number in site.tree.touched]
    owners = [owner for owner in site.tree.definitions(TYPE, GROUP) if any(twin in owner.parts for twin in twins)]
    if len(twins) != 3 or len(owners) != 3:
        return False
    made = site.duplicate(twins[0])
    base = site.new_type(f"{owners[0].name}Base", owners[0], site.tree.dialect.type_lines)
    site.add_member(base, made)
    site.touch(base, made)
    for twin in twins:
        site.remove(twin)
        site.tree.derived.add(Derived(twin.number, made.number, "moved from", may_be_same=True))
    return True


def push_down(site: Site) -> bool:
    types = site.types(1)
    source = site.choose([type_ for type_ in types if len(site.methods_of(type_)) > 1])
    methods = [one for one in site.methods_of(source) if len(one.body) > 3] if source else []
    if source is None or not methods or len(types) < 3:
        return False
    method = site.random.choice(methods)
    site.remove(method)
    for other in site.random.sample([one for one in types if one is not source], 2):
        made = site.duplicate(method)
        site.add_member(other, made)
        site.touch(made, method)
        site.tree.derived.add(Derived(method.number, made.number, "moved from", may_be_same=True))
    return True


def split_type(site: Site) -> bool:
    type_ = site.choose(site.types(4))
    if type_ is None:
        return False
    methods = site.methods_of(type_)
    part = site.new_type(site.fresh_name(type_.name), type_, site.tree.dialect.type_lines)
    moved = site.random.sample(methods, len(methods) // 2)
    for method in moved:
        site.move_member(method, type_, part)
    site.tree.derived.add(Derived(type_.number, part.number, "split from"))
    site.touch(type_, part, *moved)
    return True


def merge_types(site: Site) -> bool:
    """One is gone, and what it had is in another."""
    types = [one for one in site.types(2) if one.kind != GROUP or not site.tree.dialect.receiver]
    if len(types) < 2:
        return False
    one, other = site.random.sample(types, 2)
    names = {member.name for member in (*one.members, *site.methods_of(one))}
    moving = [method for method in site.methods_of(other) if method.name not in names]
    if not moving or other in one.parts or one in other.parts or other.name == one.name:
        return False
    for method in moving:
        site.move_member(method, other, one)
    left = [*other.members, *site.methods_of(other)]
    for member in left if site.tree.dialect.receiver else other.members:
        site.remove(member)
        site.touch(member)
    site.remove(other)
    site.tree.derived.add(Derived(other.number, one.number, "merged into"))
    site.touch(one, other, *moving)
    return True


def rename_with_members(site: Site) -> bool:
    types = [one for one in site.tree.definitions(TYPE) if len(site.methods_of(one)) + len(one.members) > 2]
    type_ = site.choose(types)
    if type_ is None or not site.rename(type_):
        return False
    for member in {one.number: one for one in (*type_.members, *site.methods_of(type_))}.values():
        site.rename(member)
    return True
