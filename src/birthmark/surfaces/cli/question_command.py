"""Make the command of a question: arguments, options, help text and completion come from the question's fields.

A command adds what concerns the terminal alone: a function that prints the document, and options for that function.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NoReturn

import click

from birthmark.app.workspace.session import Session, open_session
from birthmark.app.workspace.workspace import FOLDER
from birthmark.documents.document import Document, PagedDocument, ProblemDocument
from birthmark.documents.wording import plain
from birthmark.questions.question import ListQuestion, PagedQuestion, Parameter, Question, make_question, parameters_of
from birthmark.surfaces.cli.completion import COMPLETED
from birthmark.surfaces.cli.shared_options import NO_REFRESH, refresh_options
from birthmark.surfaces.cli.terminal.output import paging, print_documents, print_json, print_line, say, warn_if_stale
from birthmark.surfaces.cli.terminal.tables import MOST_ROWS, RowLimit

_METAVARS = {int: "N", float: "SECONDS", str: "TEXT"}
Values = dict[str, Any]


# Prints the document of a question, or the rows of a list as they come; options of the terminal are keywords.
Show = Callable[..., None]


def question_command(
    question: type[Question],
    show: Show,
    *,
    options: Sequence[click.Parameter] = (),
    build: Callable[[Session, Values], Question] | None = None,
    built: Collection[str] = (),
    refreshes: Callable[[Values], bool] = lambda given: True,
    finds: Callable[[Any], bool] | None = None,
    finds_help: str = "Exit with 1 if anything is found.",
    code: Callable[[Any], int] = lambda found: 0,
    command: type[click.Command] = click.Command,
    pages: bool = True,
    defaults: Values | None = None,
    cuts: bool = False,
    first: int | None = None,
) -> click.Command:
    """Return a command that asks the question, and prints its document as JSON or lets `show` print it.

    `options` are for the terminal and are passed to `show` by their names. `build` makes the question from all that was
    given, where that takes more than naming fields; `form` is None where text is printed, and `built` are fields that
    have no option, and `refreshes` is whether the index is updated first. With `finds`, there is `--exit-code`, which
    exits with 1 if it is true of the document, or of one of the rows; `code` gives an exit code for any document or
    row. `pages` is false where `show` does its own paging. `defaults` are those of fields that have others in a
    terminal.

    Long lists are cut on the terminal, and in pipes alike; JSON is complete. With `cuts`, `show` is given all that was
    found and a RowLimit as `limit`; with `first`, the question is asked for the first rows only. `--all` prints all.
    """
    names = [one.name for one in options if one.name and one.expose_value]
    is_cut = cuts or first is not None

    def run(
        *,
        form: str | None = None,
        no_refresh: bool = False,
        exit_code: bool = False,
        all_rows: bool = False,
        **given: Any,
    ) -> None:
        shown = {name: given[name] for name in names}
        values = values_of(question, given)
        is_whole = all_rows or form is not None or values.get("limit") is not None
        limit = RowLimit(None if is_whole else first or MOST_ROWS, advice_of(question))
        if cuts:
            shown["limit"] = limit
        elif is_cut and not is_whole:
            values["limit"] = limit.left
        worst = 0

        def judged(found: Document) -> Document:
            """Note the exit code that a document or row asks for."""
            nonlocal worst
            is_found = exit_code and finds is not None and finds(found)
            worst = max(worst, code(found), int(is_found))
            return found

        is_about_worktree = refreshes(given) if build else make_question(question, values).is_about_worktree
        with open_for_command(refreshes=is_about_worktree and not no_refresh) as session:
            asked = (
                make_question(question, values) if build is None else build(session, given | values | {"form": form})
            )
            asked = asked.from_folder(session)
            rows = _rows(asked, session)
            found = judged(asked.answer(session)) if rows is None else map(judged, rows)
            if rows is None:
                _say_remarks(session, found)
            if form is not None:
                _print_form(form, found, lines=isinstance(asked, ListQuestion) and asked.json_is_lines)
            else:
                _warn_if_stale(asked, found, session)
                with paging() if pages else nullcontext():
                    show(asked, found, **shown)
                    _print_rest(found, limit)
            if rows is not None:
                _say_problems(session)
        click.get_current_context().exit(worst)

    flags = [click.Option(["--exit-code"], is_flag=True, help=finds_help)] if finds is not None else []
    params = command_params(
        question, [*options, *flags], defaults, built, is_cut=is_cut, is_list=issubclass(question, ListQuestion)
    )
    return command(None, callback=run, params=params, help=help_of(question))


def command_params(
    question: type[Question],
    options: Sequence[click.Parameter] = (),
    defaults: Values | None = None,
    built: Collection[str] = (),
    *,
    is_cut: bool,
    is_list: bool,
) -> list[click.Parameter]:
    """Return the arguments and options of a command: those of the fields, its own, and those that all commands have.

    An option of its own takes the place of a common one with the same flag.
    """
    has_whole = is_cut and not _has_all(question)
    whole = [click.Option(["--all", "all_rows"], is_flag=True, help=_ALL_HELP)] if has_whole else []
    own = {flag for one in options for flag in one.opts}
    common = common_options(question, is_list=is_list)
    return [
        *(one for one in options_of(question, defaults) if one.name not in built),
        *options,
        *whole,
        *(one for one in common if own.isdisjoint(one.opts)),
    ]


def open_for_command(*, refreshes: bool) -> AbstractContextManager[Session]:
    """Open the session of a command; an update of the index shows its progress."""
    return open_session(None, refresh_options(), refreshes=refreshes)


_ALL_HELP = f"Print all rows, not only the first {MOST_ROWS}."


def _has_all(question: type[Question]) -> bool:
    """Return whether `--all` means something else to the question."""
    return any(one.name == "all" for one in parameters_of(question))


def advice_of(question: type[Question]) -> str:
    return "--limit N lists more" if _has_all(question) else "--all lists them"


def _rows(asked: Question, session: Session) -> Iterator[Document] | None:
    """Return the rows of a list as they come; None for a question that is answered whole."""
    if not isinstance(asked, ListQuestion) or not asked.is_listed:
        return None
    found = asked.rows(session)
    return asked.page_of(found) if isinstance(asked, PagedQuestion) else found


def _print_form(form: str, found: Document | Iterable[Document], *, lines: bool) -> None:
    """Print a document, one JSON list, or a line for each row as it comes."""
    if isinstance(found, Document):
        (print_line if form == "jsonl" else print_json)(found)
    else:
        print_documents("jsonl" if lines else form, found)


def _warn_if_stale(asked: Question, found: Document | Iterable[Document], session: Session) -> None:
    is_of_index = isinstance(asked, ListQuestion) and not isinstance(found, Document) and asked.is_of_index(session)
    freshness = session.freshness if is_of_index else getattr(found, "freshness", None)
    if freshness is not None and session.repository.store is not None:
        warn_if_stale(freshness)


def _print_rest(found: object, limit: RowLimit) -> None:
    """Say that there are more rows than are on the page, and how many, where the document counts all."""
    if isinstance(found, PagedDocument) and found.next is not None:
        n_all = getattr(found, "total", getattr(found, "found", None))
        more = "more" if n_all is None else f"{n_all - found.next:,} more"
        click.echo(f"… {more}; {limit.advice if limit.left is not None else f'--offset {found.next}'}")
    limit.print_rest()


def _say_remarks(session: Session, found: object) -> None:
    """Report the problems of an answer, and the repositories that could not be asked, each once."""
    _say_problems(session, getattr(found, "problems", ()))
    unasked = getattr(found, "unasked", ())
    for line in dict.fromkeys(plain(f"{one.repository}: {one.problem}") for one in unasked):
        say(line)


def _say_problems(session: Session, others: Iterable[ProblemDocument] = ()) -> None:
    """Report unreadable files, of the repository and of the answer; the freshness of the index was reported before."""
    problems = [(one.path, one.problem) for one in session.repository.problems if one.path != FOLDER]
    for path, problem in dict.fromkeys([*problems, *((one.path, one.problem) for one in others)]):
        say(f"{plain(path)}: {problem}")


# From fields to parameters of click


def values_of(question: type[Question], given: Values) -> Values:
    """The fields that were given; the others keep their defaults."""
    values: Values = {}
    for one in parameters_of(question):
        found = _joined_flags(one, given) if one.has_flags else given.get(one.name)
        if found is not None and found != ():
            is_joined = one.extra.get("joined") and isinstance(found, tuple)
            values[one.name] = " ".join(found) if is_joined else list(found) if isinstance(found, tuple) else found
    return values


def _joined_flags(parameter: Parameter, given: Values) -> tuple[str, ...]:
    return tuple(word for word in parameter.choices if given.get(word))


def options_of(question: type[Question], defaults: Values | None = None) -> list[click.Parameter]:
    """Return the arguments and options that a command has for the fields of a question."""
    listed = (one for one in parameters_of(question) if not one.extra.get("unlisted"))
    by_name = {one.name: one._replace(default=(defaults or {}).get(one.name, one.default)) for one in listed}
    arguments = [_argument(by_name.pop(name)) for name in question.arguments]
    paging = [by_name.pop(name) for name in PagedQuestion.__struct_fields__ if name in by_name]
    return [*arguments, *(option for one in (*by_name.values(), *paging) for option in _options(one))]


def _argument(one: Parameter) -> click.Argument:
    metavar = one.extra.get("argument")
    n_values = -1 if one.is_list or one.extra.get("joined") else 1
    return click.Argument([one.name], required=one.is_required, nargs=n_values, metavar=metavar, type=_type(one))


def _options(one: Parameter) -> list[click.Option]:
    """One option; or a flag for each word of a list, where the field says so."""
    if one.has_flags:
        helps = one.extra["flags"]
        return [click.Option([f"--{word}"], is_flag=True, help=helps[word]) for word in one.choices]
    flag = f"--{one.name.replace('_', '-')}"
    long = f"--no-{flag[2:]}" if one.extra.get("negated") else flag
    names = [*one.extra.get("short", ()), long, *one.extra.get("also", ()), one.name]
    if one.kind is bool:
        is_negated = bool(one.extra.get("negated"))
        if one.default in (None, True) and not is_negated:
            off = [f"--no-{flag[2:]}", *one.extra.get("also_off", ())]
            names = [f"{flag}/{off[0]}", *(f" /{other}" for other in off[1:]), one.name]
            return [click.Option(names, default=one.default, help=one.description)]
        return [click.Option(names, is_flag=True, flag_value=not is_negated, default=is_negated, help=one.description)]
    has_default = one.default not in (None, (), "", 0)
    return [
        click.Option(
            names,
            type=_type(one),
            multiple=one.is_list,
            default=one.default if has_default else None,
            show_default=has_default,
            metavar=one.extra.get("metavar") or (None if one.choices else _METAVARS[one.kind]),
            help=one.description,
        )
    ]


def _type(one: Parameter) -> Any:
    if one.choices:
        return click.Choice(one.choices)
    if one.kind is int:
        least, most = (None if bound is None else int(bound) for bound in (one.least, one.most))
        return _Integer(least, most)
    if one.kind is float:
        return _Number(one.least, one.most)
    return COMPLETED.get(one.extra.get("completes", ""), click.STRING)


class _Integer(click.IntRange):
    """A number whose bounds are in error messages, not in help texts."""

    def _describe_range(self) -> str:
        return ""

    def fail(self, message: str, param: click.Parameter | None = None, ctx: click.Context | None = None) -> NoReturn:
        super().fail(message.replace(" .", f" {super()._describe_range()}."), param, ctx)


class _Number(click.FloatRange):
    """The same for numbers with a fraction."""

    def _describe_range(self) -> str:
        return ""

    def fail(self, message: str, param: click.Parameter | None = None, ctx: click.Context | None = None) -> NoReturn:
        super().fail(message.replace(" .", f" {super()._describe_range()}."), param, ctx)


def common_options(question: type[Question], *, is_list: bool | None = None) -> Iterator[click.Option]:
    """Yield the options that all questions have: the form of the answer, and whether the index is updated first."""
    is_list = issubclass(question, ListQuestion) if is_list is None else is_list
    yield click.Option(["--json", "form"], flag_value="json", help="Print one JSON document.")
    if is_list:
        yield click.Option(["--jsonl", "form"], flag_value="jsonl", help="Print one JSON document per line.")
    if question.refreshes:
        yield click.Option(["--no-refresh"], is_flag=True, help=NO_REFRESH)


def help_of(question: type[Question]) -> str:
    """The docstring, in which click is to wrap the paragraphs only, and no table or example."""
    text = re.sub(r"\n    ", "\n", (question.__doc__ or "").strip())
    paragraphs = re.split(r"\n\s*\n", text)
    return "\n\n".join(f"\b\n{one}" if re.search(r"^  |  ", one, re.M) else one for one in paragraphs)
