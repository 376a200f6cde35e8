"""Edits of a SourceTree whose outcome is known by construction.

An edit changes the tree and notes in the Outcome of a step what it did to which thing. Nothing here reads code as
Birthmark does.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from source_trees import TEMPLATES, WORDS, Piece, SourceTree, Thing, generate_function

COMMENTS = {".py": "#", ".rb": "#"}  # `//` where nothing is said
STATEMENTS = {".py": "soak_{n} = {n}", ".go": "_ = {n}", ".rs": "let _soak = {n};", ".js": "const soak{n} = {n};"}
_AGAIN = 0.4  # how often a second edit is made where the first was


@dataclass
class Outcome:
    """What the edits of a step did, by uid of things; what is not named was left alone."""

    touched: set[int] = field(default_factory=set)  # by any edit but those of whole files
    final: set[int] = field(default_factory=set)  # no further edit may touch them
    body: set[int] = field(default_factory=set)
    cosmetic: set[int] = field(default_factory=set)  # comments and white space
    open: set[int] = field(default_factory=set)  # they mention what was renamed, whether in code or in a comment
    reordered: set[str] = field(default_factory=set)  # paths
    edits: list[str] = field(default_factory=list)


def _pick(
    tree: SourceTree, outcome: Outcome, *, top_level: bool = False, is_final: bool = False
) -> tuple[str, int, Piece, Thing] | None:
    """A thing to edit, now and then one that this step has edited once before; after a final edit there is no other."""
    found = [
        entry for entry in tree.pieces() if entry[0] not in outcome.reordered and not (top_level and entry[3].container)
    ]
    fresh = [entry for entry in found if entry[3].uid not in outcome.touched]
    again = [entry for entry in found if entry[3].uid in outcome.touched - outcome.final] if not is_final else []
    if not fresh and not again:
        return None
    is_again = bool(again) and (not fresh or tree.random.random() < _AGAIN)
    picked = tree.random.choice(again if is_again else fresh)
    outcome.touched.add(picked[3].uid)
    if is_again or is_final:
        outcome.final.add(picked[3].uid)
    return picked


def insert_lines(tree: SourceTree, outcome: Outcome) -> None:
    path = tree.random.choice(sorted(tree.files))
    comment = COMMENTS.get(PurePosixPath(path).suffix, "//")
    n_lines = tree.random.randrange(1, 30)
    tree.files[path].insert(0, Piece([*(f"{comment} line {tree.number()}" for _ in range(n_lines)), ""]))
    outcome.edits.append(f"{n_lines + 1} lines above {path}")


def edit_body(tree: SourceTree, outcome: Outcome) -> None:
    if (picked := _pick(tree, outcome)) is not None:
        path, _, piece, thing = picked
        extension = PurePosixPath(path).suffix
        default = "int soak{n} = {n};" if extension in (".c", ".java") else "soak_{n} = {n}"
        statement = STATEMENTS.get(extension, STATEMENTS[".js"] if extension == ".ts" else default)
        is_other = tree.is_generated and tree.random.random() < 0.5  # a line is another; else it is added
        piece.lines[thing.insert_at : thing.insert_at + is_other] = [thing.indent + statement.format(n=tree.number())]
        outcome.body.add(thing.uid)
        outcome.edits.append(f"body of {path}::{thing.name}")


def add_comment(tree: SourceTree, outcome: Outcome) -> None:
    if (picked := _pick(tree, outcome)) is not None:
        path, _, piece, thing = picked
        comment = COMMENTS.get(PurePosixPath(path).suffix, "//")
        piece.lines.insert(thing.insert_at, f"{thing.indent}{comment} note {tree.number()}")
        outcome.cosmetic.add(thing.uid)
        outcome.edits.append(f"comment in {path}::{thing.name}")


def add_space(tree: SourceTree, outcome: Outcome) -> None:
    if (picked := _pick(tree, outcome)) is not None:
        path, _, piece, thing = picked
        piece.lines.insert(thing.insert_at, "")
        outcome.cosmetic.add(thing.uid)
        outcome.edits.append(f"blank line in {path}::{thing.name}")


def rename(tree: SourceTree, outcome: Outcome) -> None:
    """With all its uses."""
    if (picked := _pick(tree, outcome)) is not None:
        path, _, _, thing = picked
        new, old = f"{tree.random.choice(WORDS)}_renamed_{tree.number()}", re.compile(rf"\b{thing.name}\b")
        for pieces in tree.files.values():
            for piece in pieces:
                n_mentions = sum(len(old.findall(line)) for line in piece.lines)
                piece.lines = [old.sub(new, line) for line in piece.lines]
                if piece.thing is not None and n_mentions > (piece.thing is thing):
                    outcome.touched.add(piece.thing.uid)
                    (outcome.body if tree.is_generated else outcome.open).add(piece.thing.uid)
        outcome.edits.append(f"{path}::{thing.name} is called {new}")
        thing.name = new


def move(tree: SourceTree, outcome: Outcome) -> None:
    """To the end of another file."""
    if (picked := _pick(tree, outcome, top_level=True)) is not None:
        path, index, piece, thing = picked
        suffix = PurePosixPath(path).suffix
        targets = [other for other in tree.files if other != path and other.endswith(suffix)]
        if targets:
            target = tree.random.choice(sorted(targets))
            del tree.files[path][index]
            tree.files[target] += [Piece(["", ""]), piece]
            outcome.edits.append(f"{path}::{thing.name} is in {target}")


def rename_file(tree: SourceTree, outcome: Outcome) -> None:
    path = tree.random.choice(sorted(tree.files))
    file = PurePosixPath(path)
    new = str(file.with_name(f"soak_{tree.number()}{file.suffix}"))
    tree.files[new] = tree.files.pop(path)
    outcome.edits.append(f"{path} is {new}")


def delete(tree: SourceTree, outcome: Outcome) -> None:
    picked = _pick(tree, outcome, is_final=True)
    if picked is not None and sum(piece.thing is not None for piece in tree.files[picked[0]]) > 1:
        path, index, _, thing = picked
        del tree.files[path][index]
        outcome.edits.append(f"{path}::{thing.name} is deleted")


def replace(tree: SourceTree, outcome: Outcome) -> None:
    """By a function that has nothing in common with it but the place and the parameters."""
    if (picked := _pick(tree, outcome, is_final=True)) is not None:
        path, index, _, thing = picked
        template = next(one for one in TEMPLATES if path.endswith(one.extension))
        new = generate_function(tree, template, thing.container)
        tree.files[path][index] = new
        outcome.edits.append(f"{path}::{thing.name} makes room for {new.thing and new.thing.name}")


def add(tree: SourceTree, outcome: Outcome) -> None:
    """A new function beside another one."""
    path, index, _, thing = tree.random.choice([*tree.pieces()])
    template = next(one for one in TEMPLATES if path.endswith(one.extension))
    new = generate_function(tree, template, thing.container)
    tree.files[path][index + 1 : index + 1] = [Piece([""]), new]
    outcome.edits.append(f"{path}::{new.thing and new.thing.name} is new")


def copy(tree: SourceTree, outcome: Outcome) -> None:
    """To a new file; the original stays what it was."""
    if (picked := _pick(tree, outcome, top_level=True, is_final=True)) is not None:
        path, _, piece, thing = picked
        new = str(PurePosixPath(path).with_name(f"copy_{tree.number()}{PurePosixPath(path).suffix}"))
        tree.files[new] = [Piece(list(piece.lines))]
        outcome.edits.append(f"{path}::{thing.name} is copied to {new}")


def reorder(tree: SourceTree, outcome: Outcome) -> None:
    if (picked := _pick(tree, outcome)) is not None:
        path, index, piece, thing = picked
        others = [
            other
            for file, other, _, beside in tree.pieces()
            if file == path and other != index and beside.container == thing.container
        ]
        if others:
            other = tree.random.choice(others)
            pieces = tree.files[path]
            pieces[index], pieces[other] = pieces[other], piece
            outcome.reordered.add(path)
            outcome.edits.append(f"two functions of {path} change places")


Edit = Callable[[SourceTree, Outcome], None]
EDITS: tuple[Edit, ...] = (
    insert_lines, edit_body, add_comment, add_space, rename, move, rename_file, delete, replace, add, copy, reorder,
)  # fmt: skip
