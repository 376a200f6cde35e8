"""When users came and went: a scripted history, and random ones that are judged at every commit."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from birthmark.app.histories.histories import find_subject
from birthmark.app.histories.user_histories import UserEvent, read_user_history
from birthmark.app.indexing.replay import CommitReader
from birthmark.app.workspace.session import Session, open_session
from birthmark.documents.changes import PastUserDocument, UserHistoryDocument
from birthmark.errors import BirthmarkError
from birthmark.graph.edges import users
from birthmark.ledger.replay import state_at
from birthmark.queries.life import find_in
from birthmark.sources.git.log import log_all
from examples import n_examples
from graph_snapshot import Snapshot, resolver_of
from small_repositories import Commit, make_repository, replay
from worlds import World

MONEY = "def discount(price):\n    rate = 0.25\n    return price - price * rate\n"
TILL = """\
from shop.money import discount


def ring(item):
    drawer = []
    drawer.append(discount(item))
    return drawer
"""
WEB = """\
from shop.money import discount


def page(items):
    prices = map(discount, items)
    return '<p>'.join(prices)
"""


@contextmanager
def history_of(world: World, ref: str) -> Iterator[tuple[Session, UserHistoryDocument, list[UserEvent]]]:
    with open_session(world.root) as session:
        yield session, *read_user_history(session.repository, find_subject(session.repository, ref))


def lines_of(world: World, ref: str) -> list[str]:
    """`subject: + user - user` of each commit, oldest first."""
    with history_of(world, ref) as (_, _, events):
        return [
            " ".join(
                [
                    f"{event.commit.subject}:",
                    *(f"+{_name(one)}" for one in event.came),
                    *(f"-{_name(one)}" for one in event.went),
                ]
            )
            for event in reversed(events)
        ]


def _name(user: PastUserDocument) -> str:
    return user.qualified_name or user.path


def check(folder: Path, commits: list[Commit], ref: str, expected: str) -> None:
    world = make_repository(folder / "r", commits)
    replay(world.root)
    assert lines_of(world, ref) == [line.strip() for line in expected.strip().splitlines()]


def test_who_came_and_who_went(tmp_path: Path) -> None:
    package = {"shop/__init__.py": "", "shop/money.py": MONEY}
    renamed = TILL.replace("def ring", "def ring_up")
    without = TILL.replace("from shop.money import discount\n\n\n", "").replace("discount(item)", "item")
    commits = [
        Commit(package, subject="born"),
        Commit(package | {"shop/till.py": TILL}, subject="till"),
        Commit(package | {"shop/till.py": TILL + "\n\ndef close():\n    return 'closed'\n"}, subject="other code"),
        Commit(package | {"shop/till.py": renamed}, subject="rename a user"),
        Commit(package | {"shop/desk.py": renamed}, subject="move a user"),
        Commit(package | {"shop/desk.py": renamed, "shop/web.py": WEB}, subject="web"),
        Commit(package | {"shop/desk.py": without, "shop/web.py": WEB}, subject="till without"),
        Commit(package | {"shop/desk.py": without}, subject="web gone"),
    ]
    check(
        tmp_path,
        commits,
        "discount",
        """
        till: +shop/till.py +ring
        web: +shop/web.py +page
        till without: -shop/desk.py -ring_up
        web gone: -shop/web.py -page
        """,
    )


def test_the_used_one_is_renamed_and_moved(tmp_path: Path) -> None:
    def project(name: str, module: str) -> dict[str, str]:
        files = {"shop/__init__.py": "", f"shop/{module}.py": MONEY.replace("discount", name)}
        return files | {"shop/till.py": TILL.replace("discount", name).replace("shop.money", f"shop.{module}")}

    commits = [
        Commit(project("discount", "money"), subject="born"),
        Commit(project("reduced", "money"), subject="renamed"),
        Commit(project("reduced", "prices"), subject="moved"),
    ]
    check(tmp_path, commits, "reduced", "born: +shop/till.py +ring")


def test_what_a_branch_did_is_not_repeated_by_its_merge(tmp_path: Path) -> None:
    package = {"shop/__init__.py": "", "shop/money.py": MONEY}
    commits = [
        Commit(package | {"shop/till.py": TILL}, subject="born"),
        Commit(package | {"shop/till.py": TILL, "shop/web.py": WEB}, (0,), subject="web"),
        Commit(package, (0,), subject="no till"),
        Commit(package | {"shop/web.py": WEB}, (1, 2), subject="merge"),
        Commit(package, (3,), subject="end"),
    ]
    expected = """
        born: +shop/till.py +ring
        web: +shop/web.py +page
        no till: -shop/till.py -ring
        end: -shop/web.py -page
        """
    check(tmp_path, commits, "discount", expected)


def test_other_names(tmp_path: Path) -> None:
    """What is imported under another name, and passed on by a package."""
    package = {"shop/__init__.py": "from shop.money import discount as less\n", "shop/money.py": MONEY}
    user = "import shop\n\n\ndef ring(item):\n    return shop.less(item)\n"
    commits = [
        Commit(package, subject="born"),
        Commit(package | {"till.py": user}, subject="till"),
        Commit(package | {"shop/__init__.py": "", "till.py": user}, subject="not passed on"),
    ]
    expected = """
        born: +shop/__init__.py
        till: +ring
        not passed on: -shop/__init__.py -ring
        """
    check(tmp_path, commits, "discount", expected)


def test_what_a_function_of_another_file_returns(tmp_path: Path) -> None:
    """The user is not touched by the commit, and the file that is does not have the name."""
    things = (
        "class Till:\n    def ring(self):\n        return 1\n\n\nclass Desk:\n    def sit(self):\n        return 2\n"
    )
    maker = "from things import Desk, Till\n\n\ndef make():\n    return {}()\n"
    user = "from maker import make\n\n\ndef use():\n    return make().ring()\n"
    commits = [
        Commit({"things.py": things, "maker.py": maker.format("Till"), "user.py": user}, subject="a till"),
        Commit({"things.py": things, "maker.py": maker.format("Desk"), "user.py": user}, subject="a desk"),
    ]
    check(tmp_path, commits, "Till.ring", "a till: +use\na desk: -use")


def test_a_history_that_was_not_replayed(tmp_path: Path) -> None:
    world = make_repository(tmp_path / "r", [{"a.py": MONEY}])
    world.index()
    with pytest.raises(BirthmarkError, match="index --from-history"), history_of(world, "discount"):
        pass


def test_commits_that_are_not_replayed_yet(tmp_path: Path) -> None:
    world = make_repository(tmp_path / "r", [{"shop/money.py": MONEY}])
    replay(world.root)
    world.write("shop/till.py", TILL)
    world.commit()
    with history_of(world, "discount") as (_, found, events):
        assert (found.not_replayed, events) == (1, [])


# Random histories


class Function(NamedTuple):
    """A function that may use the one that is asked about."""

    number: int
    uses: bool
    salt: int = 0

    def text(self, used: str) -> str:
        words = "\n".join(f"    part_{self.number}_{line} = {self.number * 7 + line}" for line in range(4))
        call = f"    part_x = {used}(part_{self.number}_1)\n" if self.uses else ""
        return f"def work_{self.number}_{self.salt}(value):\n{words}\n{call}    return part_{self.number}_3\n"


Project = dict[str, tuple[Function, ...]]  # by module
MODULES = ("lib", "one", "two", "three")


class Made(NamedTuple):
    """A project with the name of the function that is asked about, which is in `lib`."""

    used: str
    modules: Project

    def files(self) -> dict[str, str]:
        return {f"{module}.py": self._text(module, functions) for module, functions in self.modules.items()}

    def _text(self, module: str, functions: tuple[Function, ...]) -> str:
        needs_import = module != "lib" and any(one.uses for one in functions)
        head = [f"from lib import {self.used}\n"] if needs_import else []
        own = (
            [f"def {self.used}(amount):\n    rounded = int(amount)\n    return rounded + 1\n"]
            if module == "lib"
            else []
        )
        return "\n\n".join([*head, *own, *(one.text(self.used) for one in functions)])


@st.composite
def edited(draw: st.DrawFn, before: Made, number: int) -> Made:
    modules = dict(before.modules)
    module = draw(st.sampled_from(sorted(modules)))
    functions = modules[module]
    edit = draw(st.sampled_from(["add", "remove", "toggle", "rename", "move", "rename used", "rename module"]))
    at = draw(st.integers(0, max(len(functions) - 1, 0)))
    if edit == "add" or not functions:
        modules[module] = (*functions, Function(number, draw(st.booleans())))
    elif edit == "remove":
        modules[module] = functions[:at] + functions[at + 1 :]
    elif edit == "toggle":
        modules[module] = (*functions[:at], functions[at]._replace(uses=not functions[at].uses), *functions[at + 1 :])
    elif edit == "rename":
        modules[module] = (*functions[:at], functions[at]._replace(salt=number), *functions[at + 1 :])
    elif edit == "move":
        modules[module] = functions[:at] + functions[at + 1 :]
        target = draw(st.sampled_from(sorted(modules)))
        modules[target] = (*modules[target], functions[at])
    elif edit == "rename used":
        return Made(f"used_{number}", modules)
    elif module != "lib":
        modules[f"{module}_{number}"] = modules.pop(module)
    return Made(before.used, modules)


@st.composite
def histories(draw: st.DrawFn) -> list[tuple[Made, tuple[int, ...]]]:
    """Projects with the numbers of their parents; a merge has the files of either."""
    first = Made("used", {"lib": (), "one": (Function(900, True), Function(901, False)), "two": (Function(902, True),)})
    made: list[tuple[Made, tuple[int, ...]]] = [(first, ())]
    for number in range(1, draw(st.integers(2, 7))):
        parent = draw(st.integers(max(0, number - 3), number - 1))
        made.append((draw(edited(made[parent][0], number)), (parent,)))
    other = draw(st.integers(0, len(made) - 1))
    last, merged = made[-1][0], made[other][0]
    if other != len(made) - 1 and last.used == merged.used:
        kept = draw(st.sampled_from([last, merged, Made(last.used, merged.modules | last.modules)]))
        made.append((kept, (len(made) - 1, other)))
    return made


@settings(max_examples=n_examples(8), deadline=None)
@given(histories())
def test_what_came_and_has_not_gone_are_the_users(made: list[tuple[Made, tuple[int, ...]]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        world = make_repository(Path(folder) / "r", [Commit(one.files(), parents) for one, parents in made])
        replay(world.root)
        with history_of(world, f"lib.py::{made[-1][0].used}") as (session, found, events):
            _judge(session, found, events)


def _judge(session: Session, found: UserHistoryDocument, happened: list[UserEvent]) -> None:
    """Play the events of all ancestors of each commit one after the other, and compare with a snapshot of its files."""
    git, store = session.repository.git, session.store
    events = {event.commit.id: event for event in happened}
    for link in log_all(git, git.head() or ""):
        alive: set[str] = set()
        for ancestor in log_all(git, link.commit):
            event = events.get(ancestor.commit)
            if event is not None:
                alive |= {user.mark for user in event.came if user.mark is not None}
                alive -= {user.mark for user in event.went if user.mark is not None}
        state = state_at(store, link.commit, CommitReader(session.repository))
        numbers = {one.mark: one.identity for one in store.identities_marked([*alive, found.mark])}
        named = {mark: find_in(session.view, identity, state) for mark, identity in numbers.items()}
        used = named.pop(found.mark)
        contents = session.repository.commit_state(link.commit)
        snapshot = Snapshot({path: (contents.content(path) or b"").decode() for path in contents.paths()})
        assert used is not None
        edges = users(snapshot, resolver_of(snapshot), snapshot.find(f"lib.py::{used.qualified_name}"))
        expected = {(edge.source_path, edge.source.qualified_name) for edge in edges if edge.source is not None}
        assert {(one.path, one.qualified_name) for one in named.values() if one is not None} == expected
