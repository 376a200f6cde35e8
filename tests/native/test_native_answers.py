"""The extension module survives whatever Python functions answer, and whatever they do meanwhile."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from birthmark.extraction import native_outline
from birthmark.identity.fingerprints import HEAVY, VERSION
from birthmark.languages.registry import load_registry
from birthmark.model import Level
from birthmark.syntax.native import load_native
from birthmark.syntax.parse import load_grammar, query_text
from birthmark.syntax.query import describe_patterns

native = load_native()
pytestmark = pytest.mark.skipif(native is None, reason="the extension module is not in use")

# Question in native/file.h, and a source that has it asked.
ASKED = {
    "name": (0, "python", "def é(): pass\n"),
    "path": (1, "python", "class A(b[c]): pass\n"),
    "expression": (2, "python", "é(1)\n"),
    "text": (3, "python", "@é\ndef f(): pass\n"),
    "words": (4, "python", "def f(é): pass\n"),
    "value": (5, "python", "x = y + é\n"),
    "type": (6, "python", "def f(x: é): pass\n"),
    "steps": (7, "javascript", "const {a: {b}} = c\n"),
    "constant": (8, "python", "X = 1\n"),
    "callee": (10, "python", "é.f(1)\n"),
    "unnamed callee": (11, "python", "(a or b).f()\n"),
    "receiver": (12, "ruby", "x.é.y 1\n"),
    "import": (13, "python", "import os\n"),
    "arguments": (14, "python", "def f(): pass\nf(f, é)\n"),
    "count": (15, "java", "class A { int f() { return f(é); } }\n"),
}
ANSWERS: list[object] = [
    None,
    5,
    -1,
    1 << 80,
    "x",
    b"x",
    (),
    ("x",),
    (1, 2, 3, 4),
    ((),),
    (("x",),),
    ((-1, "x", "y", "z"),),
    [],
    "\ud800",
]


def make(language: str, number: int | None = None, answer: Callable[..., object] = str) -> Any:
    """Return a language of the module, in which a function of one's own answers one question."""
    kept = native_outline._questions

    def questions(*arguments: Any) -> tuple[Callable[..., object], ...]:
        return tuple(answer if at == number else one for at, one in enumerate(kept(*arguments)))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(native_outline, "_questions", questions)
        return native_outline._make_language(load_registry().languages[language], Level.OUTLINE)


def extract(language: Any, source: str) -> object:
    return language.extract(source.encode(), 300, 20, VERSION, HEAVY)


@pytest.mark.parametrize(("number", "language", "source"), ASKED.values(), ids=ASKED)
def test_answers_of_another_form_are_errors(number: int, language: str, source: str) -> None:
    for answer in ANSWERS:
        asked = make(language, number, lambda _, answer=answer: answer)
        try:
            assert extract(asked, source) is not None
        except (TypeError, IndexError, ValueError, OverflowError) as error:
            assert str(error)  # noqa: PT017 - some answers will do
        assert extract(asked, "") is not None


@pytest.mark.parametrize(("number", "answer"), [(13, ()), (13, None), (14, 5), (14, ((1,),)), (15, "x"), (15, -1)])
def test_answers_that_lack_a_part_are_errors(number: int, answer: object) -> None:
    language, source = next(one[1:] for one in ASKED.values() if one[0] == number)
    with pytest.raises((TypeError, IndexError, ValueError)):
        extract(make(language, number, lambda _: answer), source)


def test_an_answer_may_need_another_extraction() -> None:
    """The second source has its own memory, and leaves that of the first alone."""
    sources = [f"def é{number}(x):\n    return [é{number}(é, y) for y in x]\n" * 50 for number in range(3)]
    expected = [extract(make("python"), source) for source in sources]
    found: list[object] = []

    def name(text: bytes) -> str:
        if len(found) < 2:
            found.append(None)  # It is asked in the other extraction, too.
            found[found.index(None)] = extract(make("python"), sources[1])
            extract(language, sources[2])
        return text.decode()

    language = make("python", 0, name)
    assert extract(language, sources[0]) == expected[0]
    assert found == [expected[1]] * 2
    assert extract(language, sources[2]) == expected[2]


def test_an_error_in_another_extraction_leaves_the_first_alone() -> None:
    def fail(_: bytes) -> str:
        raise LookupError

    def name(text: bytes) -> str:
        with pytest.raises(LookupError):
            extract(make("python", 0, fail), "def ö(): pass\n")
        return text.decode()

    source = "def é(): é()\n" * 20
    assert extract(make("python", 0, name), source) == extract(make("python"), source)


def test_languages_that_are_made_meanwhile_stay() -> None:
    made: list[Any] = []

    def name(text: bytes) -> str:
        made.append(make("javascript"))
        return text.decode()

    extract(make("python", 0, name), "def é(): pass\n")
    extract(make("python"), "def é(): pass\n" * 500)
    assert extract(made[0], "function f() {}\n") == extract(make("javascript"), "function f() {}\n")


@pytest.fixture
def eager_switching() -> Iterator[None]:
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


@pytest.mark.usefixtures("eager_switching")
def test_threads_extract_side_by_side() -> None:
    sources = [
        f"class Ä{number}:\n" + "".join(f"    def é{at}(self): ö{at}.x()\n" for at in range(40)) for number in range(8)
    ]
    expected = [extract(make("python"), source) for source in sources]

    def name(text: bytes) -> str:
        time.sleep(0)  # lets another thread run
        return text.decode()

    language = make("python", 0, name)
    with ThreadPoolExecutor(4) as threads:
        for _ in range(3):
            assert list(threads.map(extract, [language] * len(sources), sources)) == expected
            language = make("python", 0, name)


@pytest.mark.parametrize("damage", ["no dict", "no settings", "another role", "no constructors", "patterns go"])
def test_what_describes_a_language_is_checked(damage: str) -> None:
    spec = load_registry().languages["c"]  # It has patterns that are compiled.
    text = query_text(spec, Level.OUTLINE)
    grammar, rules = load_grammar(spec), load_registry().resolution_of("c")
    assert native is not None
    language = native.Language(grammar.capsule, text)
    patterns = describe_patterns(language, language.pattern_count(), text)
    given: list[Any] = [native_outline._describe(pattern, Level.OUTLINE) for pattern in patterns]
    described, compiler = native_outline._rules(spec, rules, grammar, Level.OUTLINE), native_outline._matcher
    if damage == "no dict":
        given[3] = 5
    elif damage == "no settings":
        given[3]["settings"] = None
    elif damage == "another role":
        given[3]["role"] = -1
    elif damage == "no constructors":
        described["constructors"] = None
    else:

        def compiler(pattern: str) -> Callable[[str], bool]:
            given.clear()
            return lambda _: True

    with pytest.raises((TypeError, SystemError, NotImplementedError, IndexError)):
        language.prepare(given, described, native_outline._questions(spec, rules), compiler)


def test_marks_are_of_strings() -> None:
    assert native is not None
    for keys in ([b"x"], [None], ["a", "\ud800"], ()):
        with pytest.raises((TypeError, UnicodeEncodeError, SystemError)):
            native.derive_marks(keys)
