"""`show`, `resolve` and `context`: one definition, what became of it, and what to read for it."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from textwrap import dedent
from typing import Annotated, ClassVar

import click
from msgspec import Meta

from birthmark.app.workspace.session import Session
from birthmark.documents.anchors import AnchorFateDocument, MadeAnchorDocument
from birthmark.documents.answers import (
    CandidateDocument,
    ContextDocument,
    LocationAtDocument,
    ResolvedDocument,
    ShownDocument,
)
from birthmark.documents.wording import plain
from birthmark.errors import BirthmarkError
from birthmark.model import one_line, qualify_declaration
from birthmark.questions.anchors import make_anchors
from birthmark.questions.definitions import Context, Show, resolve_refs
from birthmark.questions.parameters import REVISION, Everywhere
from birthmark.questions.question import ListQuestion
from birthmark.surfaces.cli.question_command import question_command
from birthmark.surfaces.cli.terminal.derivation_words import carrier_row, describe_descent
from birthmark.surfaces.cli.terminal.lives import (
    describe_deletion,
    describe_former,
    describe_former_owners,
    describe_origin,
    is_cosmetic,
    life_rows,
    local_declaration,
    note_lines,
    place_of,
)
from birthmark.surfaces.cli.terminal.output import say, say_error
from birthmark.surfaces.cli.terminal.tables import print_table
from birthmark.surfaces.text import paint
from birthmark.vocabulary import AnchorVerdict, RefStatus
from birthmark.words import count, lines_of, short, visible

_UNANSWERED = (RefStatus.UNKNOWN, RefStatus.AMBIGUOUS)
_VERDICT_COLORS = {AnchorVerdict.UNCHANGED: "green", AnchorVerdict.UNKNOWN: "red"}
_COLORS = {RefStatus.PRESENT: "green", RefStatus.GONE: "yellow", RefStatus.AMBIGUOUS: "yellow"}


def _print_shown(asked: Show, shown: ShownDocument) -> None:
    _say_former_owners(asked.ref, shown.former_owners)
    click.echo(f"{paint(shown.kind, 'cyan')} {paint(plain(shown.qualified_name), 'bold')}  {place_of(shown)}")
    for remark in _remarks_of_shown(shown):
        click.echo(f"  {paint(remark, 'yellow')}")
    print_table([(local_declaration(shown),)], "  ")
    names = (("language", shown.language), ("mark", shown.mark), ("key", shown.key), ("id", shown.semantic_id))
    _print_names(names)
    if shown.notes:
        click.echo("  notes")
    for line in (line for one in shown.notes for line in note_lines(one, "    ")):
        click.echo(line)
    click.echo()
    source = dedent(" " * shown.indent + shown.source)
    click.echo("\n".join(map(visible, source.splitlines())))


def _print_context(asked: Context, found: ContextDocument) -> None:
    click.echo("\n".join(map(visible, found.text.split("\n"))), nl=False)


show = question_command(Show, _print_shown)
context = question_command(Context, _print_context)


def _print_names(names: Sequence[tuple[str, str]]) -> None:
    """Ids are not cut, so that they can be copied."""
    width = max(len(name) for name, _ in names)
    for name, value in names:
        click.echo(f"  {name.ljust(width)}  {visible(value)}")


def _remarks_of_shown(shown: ShownDocument) -> Iterator[str]:
    if shown.inherited_by is not None:
        yield f"{plain(shown.inherited_by)} inherits it"
    if shown.deletion is not None:
        yield describe_deletion(shown.deletion)
    elif shown.was is not None:
        yield describe_origin(shown.was, shown)
    yield from describe_descent(shown.derived_from, shown.derivatives, shown.carried_by, shown.path)


class GivenRefs(ListQuestion, frozen=True, kw_only=True):
    """Show where an entity is now, or what became of it.

    REF is an anchor, a mark, key, semantic id, chunk uid, path:line, path:first-last, path::Qualified.name, or a unique
    name; `birthmark help refs` lists all forms, as permalinks and lines of stack traces.
    Every id that the index ever issued is understood, and every name or path that an entity ever had. With `--at`, a
    path and its lines and names are those of that revision; for an id, its place at that revision is shown as well.

    Several REFs are answered in their order, each in short; `-` reads them from standard input, one a line. In JSON
    there is then a document a line, with `--json` as with `--jsonl`. Exits with 2 if one of them is unknown or
    ambiguous.

    With `--everywhere`, other repositories of the database are searched for what its code was copied or moved from,
    what it was copied into and, if it is deleted, what contains its code now.

    Examples:
      birthmark resolve bm-7k3q9w2m4x8p
      birthmark resolve 'python:fn:load:__src_app_py:T1706284800'
      birthmark resolve src/app.py:12 --at v1.0
      birthmark resolve --json - < marks.txt
      birthmark resolve --anchors anchors.txt --jsonl
      birthmark resolve Cart.total --everywhere --store postgresql://host/birthmark
    """

    arguments: ClassVar = ("refs",)
    json_is_lines: ClassVar = True

    refs: Annotated[tuple[str, ...], Meta(description="REFs.", extra={"completes": "ref", "argument": "[REF]..."})] = ()

    at: Annotated[
        str | None, Meta(description="Take paths, lines and names of REF as they were at a revision.", extra=REVISION)
    ] = None
    anchors: Annotated[
        str | None, Meta(description="Resolve the anchors in a file, one a line.", extra={"metavar": "FILE"})
    ] = None
    everywhere: Everywhere = False

    @property
    def is_listed(self) -> bool:
        return len(self.refs) > 1 or "-" in self.refs or self.anchors is not None

    def answer(self, session: Session) -> ResolvedDocument:
        return next(self.rows(session))

    def rows(self, session: Session) -> Iterator[ResolvedDocument]:
        if not self.refs and self.anchors is None:
            raise BirthmarkError("no REF is given; name one, or a file of anchors with --anchors FILE")
        refs = chain(_read_refs(self.refs), _read_anchors(self.anchors) if self.anchors is not None else ())
        return resolve_refs(session, refs, self.at, everywhere=self.everywhere)


class GivenAnchors(ListQuestion, frozen=True, kw_only=True):
    """Make anchors: small documents by which any tool can find a definition, or lines, again.

    REF is what all commands take; `path:12-15` is an anchor to these lines. An anchor is stored wherever a tool keeps
    its data, and is a REF itself: `birthmark resolve ANCHOR` tells where its definition is now, in this clone or
    another one. `-` reads REFs from standard input, one a line.

    Each anchor is printed as one line of text; in JSON as a document a line, which has both forms.

    Examples:
      birthmark anchor Cart.total
      birthmark anchor src/app.py:12-15
      birthmark anchor --json Cart.total
      birthmark anchor --at v1.0 src/app.py::load
    """

    arguments: ClassVar = ("refs",)
    json_is_lines: ClassVar = True

    refs: Annotated[tuple[str, ...], Meta(description="REFs.", extra={"completes": "ref", "argument": "REF..."})]
    at: Annotated[
        str | None, Meta(description="Take paths, lines and names of REF as they were at a revision.", extra=REVISION)
    ] = None

    @property
    def is_listed(self) -> bool:
        return len(self.refs) > 1 or "-" in self.refs

    def answer(self, session: Session) -> MadeAnchorDocument:
        return next(self.rows(session))

    def rows(self, session: Session) -> Iterator[MadeAnchorDocument]:
        return make_anchors(session, _read_refs(self.refs), self.at)


def _print_anchors(asked: GivenAnchors, found: MadeAnchorDocument | Iterable[MadeAnchorDocument]) -> None:
    for one in (found,) if isinstance(found, MadeAnchorDocument) else found:
        click.echo(one.line)


anchor = question_command(GivenAnchors, _print_anchors)


def _read_refs(refs: Iterable[str]) -> Iterator[str]:
    """Read `-` as the lines of standard input, as they come; empty ones are left out."""
    for ref in refs:
        if ref == "-":
            lines = (line.decode("utf-8", "surrogateescape") for line in sys.stdin.buffer)
            yield from (line.rstrip("\r\n") for line in lines if line.strip())
        else:
            yield ref


def _read_anchors(name: str) -> Iterator[str]:
    """Read the lines of a file; each is an anchor in one of its forms, or another REF."""
    try:
        with open(name, encoding="utf-8-sig", errors="surrogateescape") as file:
            yield from (line.strip() for line in file if line.strip())
    except OSError as error:
        raise BirthmarkError(f"{name}: cannot be read: {error.strerror}; name a file with an anchor a line") from error


def _print_answers(asked: GivenRefs, found: ResolvedDocument | Iterable[ResolvedDocument]) -> None:
    for one in (found,) if isinstance(found, ResolvedDocument) else found:
        _print_answer(one, is_many=asked.is_listed)


resolve = question_command(
    GivenRefs,
    _print_answers,
    code=lambda found: 2 if found.status in _UNANSWERED else 0,
    finds=lambda found: found.status is not RefStatus.PRESENT,
    finds_help="Exit with 1 unless all are present.",
)


def _print_answer(found: ResolvedDocument, *, is_many: bool) -> None:
    """One that has no single answer is an error like any other; among many the next ones follow."""
    if found.status in _UNANSWERED and found.mark is None and found.anchor is None:
        sys.stdout.flush()
        _say_problem(found)
        return
    asked = f"{_shown_ref(found)}  " if is_many else ""
    click.echo(f"{asked}{paint(found.status, _COLORS[found.status])}  {_headline(found)}".rstrip())
    for remark in _remarks(found):
        click.echo(f"  {remark}")
    for line in _describe_anchor(found.anchor, found.ref) if found.anchor is not None else ():
        click.echo(f"  {line}")
    if found.mark is not None and not is_many:
        _print_details(found)
    _say_former_owners(found.ref, found.former_owners)
    _say_problem(found)


_SHOWN_ANCHOR = 16  # characters


def _shown_ref(found: ResolvedDocument) -> str:
    return plain(found.ref) if found.anchor is None else f"{plain(found.ref[:_SHOWN_ANCHOR])}…"


def _describe_anchor(found: AnchorFateDocument, asked: str) -> Iterator[str]:
    """Describe what became of what an anchor names, and give the anchor to store instead if it is another one."""
    how = f" ({found.confidence} confidence, by {found.way})" if found.confidence and found.way else ""
    aspects = f": {', '.join(found.aspects)}" if found.aspects else ""
    yield f"anchor  {paint(found.verdict, _VERDICT_COLORS.get(found.verdict, 'yellow'))}{aspects}{how}"
    if found.lines is not None and found.path is not None:
        yield f"lines   {plain(found.path)}:{lines_of(*found.lines)}"
    for place in found.candidates:
        yield f"perhaps {plain(place.qualified_name)}  {place_of(place)}"
    if found.line is not None and found.line != asked:
        yield f"store   {found.line}"


def _say_problem(found: ResolvedDocument) -> None:
    if found.problem is not None:
        say_error(BirthmarkError(found.problem, found.choices))


def _headline(found: ResolvedDocument) -> str:
    if (node := found.node) is not None:
        return f"{node.type} {plain(node.name)}  {place_of(node)}"
    if (chunk := found.chunk) is not None:
        place = f"{plain(chunk.file)}:{lines_of(chunk.start_line, chunk.end_line)}"
        return f"chunk {plain(chunk.name or chunk.kind)}  {place}"
    if (entity := found.entity) is not None:
        return f"{entity.kind} {paint(plain(entity.qualified_name), 'bold')}  {place_of(entity)}"
    if (last := found.last_place) is not None:
        return f"{paint(plain(last.qualified_name), 'bold')}  was at {place_of(last)}"
    if found.anchor is not None and found.anchor.place is not None:
        return f"{paint(plain(found.anchor.place.qualified_name), 'bold')}  {place_of(found.anchor.place)}"
    if found.at and found.at.place is not None:
        name = paint(plain(found.at.place.qualified_name), "bold")
        return f"{found.at.kind} {name}  {place_of(found.at.place)}"
    if found.anchor is not None:
        return plain(found.anchor.path or "")
    return plain(found.ref)


def _remarks(found: ResolvedDocument) -> Iterator[str]:
    """Describe the fate of the definition, in a line or two."""
    if found.inherited_by is not None:
        yield paint(f"{plain(found.inherited_by)} inherits it", "yellow")
    if found.was is not None and found.entity is not None:
        yield paint(describe_former(found.was, found.entity), "yellow")
    if found.deletion is not None:
        yield paint(describe_deletion(found.deletion), "yellow")
    if found.renamed_in is not None:
        yield paint(_describe_renaming(found), "yellow")
    place = found.entity or found.last_place
    if place is not None:
        clauses = describe_descent(found.derived_from, found.derivatives, found.carried_by, place.path)
        yield from (paint(clause, "yellow") for clause in clauses)
    for one in found.elsewhere:
        fate = f"present at {place_of(one.place)}" if one.place is not None else "deleted"
        yield paint(f"{fate} in the worktree {plain(one.worktree)}", "yellow")
    if found.at and found.mark is not None:
        yield _describe_location(found.at)


def _describe_renaming(found: ResolvedDocument) -> str:
    """`became force_str  django/utils/encoding.py:57-83  in 3f2a1b9c0d1e (Favor force_str)`."""
    commit, now = found.renamed_in, next(iter(found.candidates), None)
    assert commit is not None
    became = f"its code became {plain(now.qualified_name)}  {place_of(now)}  in" if now is not None else "in"
    return f"{became} {short(commit.commit)} ({plain(commit.subject or '')})"


def _describe_location(at: LocationAtDocument) -> str:
    if at.place is None:
        return f"at {short(at.revision)} it was not there"
    return f"at {short(at.revision)} it was {at.kind} {plain(at.place.qualified_name)}  {place_of(at.place)}"


def _print_details(found: ResolvedDocument) -> None:
    if found.entity is not None:
        print_table([(local_declaration(found.entity),)], "  ")
    _print_names((("mark", found.mark or ""), ("key", found.key or "")))
    click.echo()
    shown = [event for event in found.events if not is_cosmetic(event)]
    print_table(life_rows(shown, has_commits=found.freshness.head is not None), "  ")
    if len(shown) < len(found.events):
        n_hidden = count(len(found.events) - len(shown), "step")
        say(f"{n_hidden} changed comments or formatting only; `birthmark history --all` lists them")
    if found.candidates:
        click.echo("\n  may have become" if found.entity is None else "\n  may have been")
        print_table([_candidate_row(candidate) for candidate in found.candidates], "    ")
    if found.carried_by:
        click.echo("\n  its code is now in")
        print_table(map(carrier_row, found.carried_by), "    ")


def _candidate_row(one: CandidateDocument) -> tuple[str, str, str]:
    name = one.qualified_name.rpartition(".")[2]
    what = f"{plain(one.qualified_name)}, deleted"
    if one.overload is not None:
        what = plain(one.overload)
    elif one.signature is not None:
        what = plain(qualify_declaration(one_line(one.signature) or name, name, one.qualified_name))
    return place_of(one), one.mark, what


def _say_former_owners(ref: str, owners: Sequence[CandidateDocument]) -> None:
    described = describe_former_owners(ref, owners)
    if described is not None:
        say(described)
