"""`sarif`: the results of other tools, with fingerprints that survive renames and moves."""

from __future__ import annotations

import os
import stat
from typing import Annotated, ClassVar

import click
from msgspec import Meta

from birthmark.app.answers.findings import match_findings, read_log
from birthmark.app.workspace.session import Session
from birthmark.documents.document import encode_json
from birthmark.documents.findings import FindingDocument, FindingsDocument
from birthmark.documents.wording import plain
from birthmark.errors import BirthmarkError
from birthmark.questions.parameters import REVISION
from birthmark.questions.question import Question
from birthmark.surfaces.cli.question_command import question_command
from birthmark.surfaces.cli.terminal.output import say
from birthmark.surfaces.cli.terminal.tables import RowLimit, print_table
from birthmark.surfaces.text import paint
from birthmark.words import count

_LARGEST = 64 << 20  # bytes


class GivenFindings(Question, frozen=True, kw_only=True):
    """Match the results of any tool with those of an earlier run, by the identity of the code they are about.

    RESULTS is a SARIF 2.1.0 file of ruff, Semgrep, CodeQL, ESLint or another tool. Each result gets a fingerprint of
    its rule, its definition and its tokens, and an anchor. With `--baseline`, each result is new, unchanged or updated,
    and those that are no longer there are absent: code that was renamed, moved or shifted makes no result new.

    Without `--baseline`, or with `--output FILE`, the SARIF is written with all that. No index is needed.

    Examples:
      birthmark sarif ruff.sarif > main.sarif
      birthmark sarif --baseline main.sarif ruff.sarif --exit-code
      birthmark sarif --baseline old.sarif --base v1.0 new.sarif --output both.sarif
    """

    arguments: ClassVar = ("results",)

    results: Annotated[str, Meta(description="A SARIF file.", extra={"argument": "RESULTS"})]
    baseline: Annotated[
        str | None, Meta(description="The SARIF file of the earlier run.", extra={"metavar": "FILE"})
    ] = None
    base: Annotated[
        str | None,
        Meta(
            description="The revision of the earlier run, if its file has no anchors and does not name one.",
            extra=REVISION,
        ),
    ] = None
    at: Annotated[str | None, Meta(description="The revision of RESULTS; the worktree without it.", extra=REVISION)] = (
        None
    )

    def answer(self, session: Session) -> FindingsDocument:
        new = read_log(_read(self.results), self.results)
        old = None if self.baseline is None else read_log(_read(self.baseline), self.baseline)
        return match_findings(session.repository, new, old, base=self.base, at=self.at)


def _read(name: str) -> bytes:
    try:
        with open(name, "rb") as file:
            is_file = stat.S_ISREG(os.fstat(file.fileno()).st_mode)
            text = file.read(_LARGEST + 1) if is_file else b""
    except OSError as error:
        raise BirthmarkError(f"{name}: cannot be read: {error.strerror}; name a SARIF file") from error
    if not is_file or len(text) > _LARGEST:
        raise BirthmarkError(f"{name}: is no file, or larger than {_LARGEST >> 20} MB; split it by run")
    return text


def _print_findings(asked: GivenFindings, found: FindingsDocument, *, output: str | None, limit: RowLimit) -> None:
    if output is not None:
        _write(output, found)
    elif asked.baseline is None:
        click.echo(encode_json(found.sarif))
        return
    if asked.baseline is not None:
        print_table([_row(one) for one in limit.take(found.new)])
        click.echo(", ".join(f"{number:,} {word}" for word, number in found.counts.items()))
    if found.adrift:
        say(f"{count(found.adrift, 'earlier result')} matched by file, line and message only{_advise(asked)}")
    if found.outside:
        say(f"{count(found.outside, 'result')} about nothing that is in the repository")


def _advise(asked: GivenFindings) -> str:
    if asked.base is not None:
        return ""
    return "; name the revision of the earlier run with --base, or keep what `birthmark sarif` writes as the baseline"


def _write(output: str, found: FindingsDocument) -> None:
    try:
        with open(output, "wb") as file:
            file.write(encode_json(found.sarif) + b"\n")
    except OSError as error:
        raise BirthmarkError(f"{output}: cannot be written: {error.strerror}; name another file") from error


def _row(one: FindingDocument) -> tuple[str, ...]:
    place = f"{plain(one.path)}:{one.start_line}"
    return place, paint(plain(one.rule), "yellow"), plain(one.message), plain(one.definition or "")


_OUTPUT = click.Option(["--output"], metavar="FILE", help="Write the SARIF with states and fingerprints to a file.")
sarif = question_command(
    GivenFindings,
    _print_findings,
    options=[_OUTPUT],
    cuts=True,
    finds=lambda found: bool(found.new),
    finds_help="Exit with 1 if a result is new.",
)
