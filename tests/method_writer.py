"""Write `api/methods.py`: a typed method for each question, from the table of questions.

`python tests/method_writer.py` writes the module anew, as `make docs-reference` does; a test compares them. Keywords
are the fields of the question; those that take several values are called in the plural.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from textwrap import indent, wrap
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import NODEFAULT, UNSET, UnsetType

from birthmark.api.asking import keyword_of
from birthmark.questions.question import ListQuestion, PagedQuestion, Question, members_of, parameters_of
from birthmark.questions.table import QUESTIONS

MODULE = Path(__file__).parents[1] / "src/birthmark/api/methods.py"
_BY_HAND = {"entities", "chunks", "history", "index"}  # lists that are read as they come, and answers of several types
_POSITIONAL = ("base", "target")  # as in git, beside arguments and what is required
_WIDTH = 120
_PAGES = """The questions about a repository.

    Of a list, `limit` gives at most so many results, and `offset` skips some: `next` of the page before.
    """
_HEAD = '''"""A method for each question: what `Repository` and `Subscriptions` inherit.

Made by `make docs-reference` from `questions/table.py`; what is written here by hand is lost. A module of questions is
imported when one of its questions is asked.
"""

# ruff: noqa: A002 - keywords are the names of fields
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from collections.abc import Iterable, Iterator
from os import PathLike
from typing import TYPE_CHECKING, Literal

from msgspec import UNSET, UnsetType

from birthmark.api.asking import Asking

if TYPE_CHECKING:
{imports}

AnyPath = str | PathLike[str]
'''
# Additional paragraphs and examples for the docstrings of methods.
_MORE: dict[str, str] = {
    "status": "The index is not brought up to date.",
    "resolve": """What is unknown or ambiguous is an answer, too: `status` says so, and `problem` why.

Examples:
    >>> from birthmark import Repository
    >>> with Repository.open() as repository:
    ...     repository.resolve("src/shop.py:7", at="HEAD~1").entity.qualified_name
    ...     repository.resolve("Card").problem
    'Cart.total'
    'Card: nothing has that name; did you mean Cart? ...'""",
    "show": """A definition that was deleted is shown as it was before.

Examples:
    >>> from birthmark import Repository
    >>> with Repository.open() as repository:
    ...     print(repository.show("net").source)
    def net(price, rate=0.2):
        return price / (1 + rate)""",
    "users": """What uses it in another repository has its name as `repository`.

Examples:
    >>> from birthmark import Repository
    >>> with Repository.open() as repository:
    ...     [edge.entity.qualified_name for edge in repository.users("net", uses=["calls"]).results]
    ['Cart.total']""",
    "diff": """Without revisions the worktree is compared with HEAD. No index is needed.

Examples:
    >>> from birthmark import Repository
    >>> with Repository.open() as repository:
    ...     renamed = repository.diff("HEAD~1", "HEAD", changes=["renamed"]).changes
    >>> [(change.before.qualified_name, change.after.qualified_name) for change in renamed]
    [('Cart.price', 'Cart.total')]""",
    "search": """Examples:
    >>> from birthmark import Repository
    >>> with Repository.open() as repository:
    ...     [result.entity.name for result in repository.search("tota").results]
    ['total']""",
    "impact": """Examples:
    >>> from birthmark import Repository
    >>> with Repository.open() as repository:
    ...     [user.depth for user in repository.impact("net").results]
    [1]""",
    "write_note": """Examples:
    >>> from birthmark import Repository
    >>> with Repository.open() as repository:
    ...     note = repository.write_note("net", "Rates are net of rebates.")
    ...     repository.delete_note(note.id).text
    'Rates are net of rebates.'""",
    "scan": "The scan is stored, so that `apply` can accept it; no message is sent.",
}


def write_module() -> str:
    names: dict[str, set[str]] = {}
    repository = "".join(_method(name, names) for name in _names(of_subscriptions=False))
    subscriptions = "".join(_method(name, names) for name in _names(of_subscriptions=True))
    imports = "".join(
        f"    from {module} import {', '.join(sorted(found))}\n" for module, found in sorted(names.items())
    )
    return (
        _HEAD.replace("{imports}\n", imports)
        + f'\n\nclass RepositoryQuestions(Asking):\n    """{_PAGES}"""\n{repository}'
        + '\n\nclass SubscriptionQuestions(Asking):\n    """The questions about subscriptions and scans."""\n'
        + subscriptions
    )


def _names(*, of_subscriptions: bool) -> Iterator[str]:
    modules = ("birthmark.questions.subscriptions", "birthmark.questions.scans")
    for name, question in QUESTIONS.items():
        if name not in _BY_HAND and (question.__module__ in modules) == of_subscriptions:
            yield name


def _method(name: str, names: dict[str, set[str]]) -> str:
    question = QUESTIONS[name]
    is_list = issubclass(question, ListQuestion)
    answer = get_type_hints(question.rows if issubclass(question, ListQuestion) else question.answer)["return"]
    kinds = get_args(answer) if is_list or not isinstance(answer, type) else (answer,)
    for kind in kinds:
        names.setdefault(kind.__module__, set()).add(kind.__name__)
    returned = " | ".join(kind.__name__ for kind in kinds)
    returned = f"Iterator[{returned}]" if is_list else returned
    return f"""
    def {name}(self{_parameters(question)}) -> {returned}:
{indent(_docstring(name), "        ")}
        return self._ask("{_home(question)}.{question.__name__}", locals())
"""


def _home(question: type[Question]) -> str:
    """The module of questions in which it is: that of its base where it was made at run time."""
    modules = (kind.__module__.partition("birthmark.questions.")[2] for kind in question.__mro__)
    return next(filter(None, modules))


def _parameters(question: type[Question]) -> str:
    hints = get_type_hints(question, include_extras=True)
    fields = {field.name: field for field in msgspec.structs.fields(question)}
    first = [name for name in fields if fields[name].required]
    first += [name for name in _POSITIONAL if name in fields and name not in first]
    first += [name for name in question.arguments if name not in first]
    rest = [name for name in fields if name not in first]
    parts = [*first, *(["*"] if rest else []), *rest]
    return "".join(", *" if name == "*" else f", {_parameter(question, fields[name], hints[name])}" for name in parts)


def _parameter(question: type[Question], field: Any, hint: Any) -> str:
    (parameter,) = [one for one in parameters_of(question) if one.name == field.name]
    members = list(members_of(hint))
    kind = "AnyPath" if parameter.extra.get("completes") == "path" else _written(members[0])
    if parameter.is_list:
        item = get_args(members[0])[0]
        words = next(iter(members_of(item)))
        kind = f"Iterable[{'AnyPath' if parameter.extra.get('completes') == 'path' else _written(words)}]"
    kind += " | UnsetType" * (UnsetType in members) + " | None" * (NoneType in members)
    name = keyword_of(parameter)
    if field.default is NODEFAULT:
        return f"{name}: {kind}"
    default = "UNSET" if field.default is UNSET else repr(field.default)
    return f"{name}: {kind} = {default}"


def _written(kind: Any) -> str:
    if get_origin(kind) is Literal:
        return f"Literal[{', '.join(map(repr, get_args(kind)))}]".replace("'", '"')
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return "str"
    return str(kind.__name__)


def _docstring(name: str) -> str:
    question = QUESTIONS[name]
    summary = (question.__doc__ or "").strip().partition("\n")[0]
    own = [one for one in parameters_of(question) if one not in parameters_of(PagedQuestion)]
    described = [f"- `{keyword_of(one)}`: {one.description}" for one in own]
    lines = [line for one in described for line in wrap(one, _WIDTH - 8, subsequent_indent="  ")]
    parts = [part for part in ("\n".join(lines), _MORE.get(name, "")) if part]
    return f'"""{summary}"""' if not parts else '"""' + "\n\n".join([summary, *parts]) + '\n"""'


if __name__ == "__main__":
    MODULE.write_text(write_module(), "utf-8")
