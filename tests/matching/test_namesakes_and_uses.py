"""Overloads whose heads all change, and light things that are known by how they are used."""

from __future__ import annotations

import pytest

from birthmark.comparison.match_candidates import all_entities, match_candidates, token_reader
from birthmark.extraction.model import OutlinedFile
from birthmark.extraction.read import outline_of
from birthmark.matching.pair import pair_entities
from birthmark.matching.similarity import tokens_in
from birthmark.vocabulary import Evidence
from reading import family_of, language, read

Files = dict[str, str]


def pairs(before: Files, after: Files) -> dict[str, tuple[str, str]]:
    """Old `name:line` to new `name:line` and the evidence."""
    old, new = (states(files) for files in (before, after))
    old_places, new_places = all_entities(old), all_entities(new)
    pairing = pair_entities(
        match_candidates(old, old_places, family_of),
        match_candidates(new, new_places, family_of),
        tokens=(token_reader(old), token_reader(new)),
    )

    def name(files: list[OutlinedFile], place: tuple[int, int]) -> str:
        entity = files[place[0]].outline.entities[place[1]]
        return f"{entity.qualified_name}:{entity.start_line}"

    return {
        name(old, old_places[pair.old]): (name(new, new_places[pair.new]), str(pair.evidence)) for pair in pairing.pairs
    }


def states(files: Files) -> list[OutlinedFile]:
    names = {"java": "java", "py": "python", "ts": "typescript"}
    return [
        OutlinedFile(path, outline_of(read(language(names[path.rpartition(".")[2]]).name, source, "")), source.encode)
        for path, source in files.items()
    ]


HANDLER = """
    def handle(self, request):
        self.log(request.path, request.headers, request.body)
        return self.respond(request.path, self.client)
"""
OTHER = """
    def answer(self, status):
        self.count(status, self.previous, self.limit)
        return self.write(status, self.reasons[status], self.previous)
"""
FIELD = "    client: Optional[Type['Client']] = None\n"
RETYPED = "    client: type[Client] | None = None\n"


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        # A method has gone from App to Base, and the field with it, which has another type now (Flask 2 to 3).
        ({"a.py": "class App(Base):\n    pass\n", "b.py": f"class Base:\n{RETYPED}{HANDLER}"}, "Base.client:2"),
        # There are two that it could be.
        ({"b.py": f"class Base:\n{RETYPED}{HANDLER}", "c.py": f"class Core:\n{RETYPED}{OTHER}"}, None),
        # Nothing of its class has gone there.
        ({"a.py": f"class App:\n    pass\n{HANDLER}", "b.py": f"class Base:\n{RETYPED}"}, None),
        # The field is still in its place.
        ({"a.py": f"class App(Base):\n{RETYPED}", "b.py": f"class Base:\n{RETYPED}{HANDLER}"}, "App.client:2"),
    ],
)
def test_a_field_that_moved_with_others_and_was_retyped(after: Files, expected: str | None) -> None:
    found = pairs({"a.py": f"class App:\n{FIELD}{HANDLER}{OTHER}"}, after)
    assert found.get("App.client:2", (None,))[0] == expected


VISITOR = """class Visitor {{
  {mark}
  void visit({final}Block n) {{ n.all().forEach(this::accept); leave(n); }}
  {mark}
  void visit({final}Method n) {{ n.body().ifPresent(this::accept); leave(n); }}
  {mark}
  void visit({final}Field n) {{ n.type().accept(this); leave(n); }}
}}
"""


def test_overloads_go_by_their_parameters_when_all_are_marked_anew() -> None:
    before = VISITOR.format(mark="", final="")
    after = VISITOR.format(mark='@Generated("now")', final="final ").replace("leave(n)", "exit(n)")
    told = pairs({"V.java": before}, {"V.java": after})
    assert [told[f"Visitor.visit:{line}"] for line in (3, 5, 7)] == [
        (f"Visitor.visit:{line}", str(Evidence.SAME_PARAMETERS)) for line in (2, 4, 6)
    ]


def test_overloads_go_by_their_texts_when_their_parameters_change() -> None:
    long = "int id = next(); streams.put(id, new Stream(id, headers)); if (flush) writer.flush(); return id;"
    before = f"class C {{\n int open(List h, boolean out, boolean in) {{ return open(0, h, out, in); }}\n int open(int at, List h, boolean out, boolean in) {{ {long} }}\n}}\n"  # noqa: E501
    after = f"class C {{\n int open(List h, boolean out) {{ return open(0, h, out); }}\n\n int open(int at, List h, boolean out) {{ check(at); {long} }}\n}}\n"  # noqa: E501
    told = pairs({"C.java": before}, {"C.java": after})
    assert told["C.open:2"] == ("C.open:2", str(Evidence.SIMILAR_NAMESAKE))
    assert told["C.open:3"] == ("C.open:4", str(Evidence.SIMILAR_NAMESAKE))


FIELDS = [
    (
        "by its uses",
        "class A:\n    def __init__(self):\n        self.n = 0\n    seen = 0\n    def f(self):\n"
        "        return self.seen + 1 if self.seen else self.seen\n",
        "seen",
        "visited",
    ),
]


@pytest.mark.parametrize(("source", "old", "new"), [case[1:] for case in FIELDS], ids=[case[0] for case in FIELDS])
def test_a_field_is_known_by_its_uses(source: str, old: str, new: str) -> None:
    told = pairs({"a.py": source}, {"a.py": source.replace(old, new)})
    assert told[f"A.{old}:4"] == (f"A.{new}:4", str(Evidence.SAME_USES))


def test_a_field_that_lost_its_prefix_is_known_by_its_words() -> None:
    before = "class A {\n  private boolean mAllowMissing;\n  private boolean mAllowUnused;\n}\n"
    after = "class A {\n  private boolean allowMissing;\n  private boolean allowUnused;\n}\n"
    told = pairs({"A.java": before}, {"A.java": after})
    assert told["A.mAllowMissing:2"][0] == "A.allowMissing:2"
    assert told["A.mAllowUnused:3"][0] == "A.allowUnused:3"


def test_a_name_that_is_still_used_was_not_renamed() -> None:
    before = "class A:\n    size = 1\n    def f(self): return self.size + self.size\n"
    after = "class A:\n    width = 1\n    def f(self): return self.width + self.size + self.size\n"
    assert "A.size:2" not in pairs({"a.py": before}, {"a.py": after})


def test_what_is_left_over_is_known_by_all_that_agrees() -> None:
    """Name, type and uses of a field differ; its place among the others, and a word of its name, are what they were."""
    head = "class A {\n  private Repository repository;\n"
    tail = "  private ProgressMonitor monitor;\n  void f() { go(repository, monitor, 3); }\n}\n"
    before = head + "  private final File rebaseDir;\n" + tail
    after = head + "  private final RebaseState rebaseState;\n" + tail
    assert pairs({"A.java": before}, {"A.java": after})["A.rebaseDir:3"] == ("A.rebaseState:3", str(Evidence.LIKELY))
    unlike = head + tail.replace("  void", "  private int n;\n  void")
    assert "A.rebaseDir:3" not in pairs({"A.java": before}, {"A.java": unlike})


def test_fields_go_into_a_class_that_was_split_off() -> None:
    """With other modifiers, and nothing that is heavy goes with them; one alone could be any."""
    rest = "  int total(List<Item> items) { int sum = 0; for (Item i : items) { sum += i.price(); } return sum; }\n}\n"
    before = {"A.java": f"class A {{\n  private String host;\n  private int port;\n{rest}"}
    after = {"A.java": f"class A extends Base {{\n{rest}", "Base.java": "class Base {\n  protected String host;\n%s}\n"}
    both = after | {"Base.java": after["Base.java"] % "  protected int port;\n"}
    found = pairs(before, both)
    assert (found["A.host:2"][0], found["A.port:3"][0]) == ("Base.host:2", "Base.port:3")
    assert "A.host:2" not in pairs(before, after | {"Base.java": after["Base.java"] % ""})


def test_leftovers_are_assigned_together() -> None:
    """No word of their names is the same; the likeliest ones are taken first, and leave fewer for the others."""
    source = "class A {{\n  Parser parser;\n  Spec {0};\n  Spec {1};\n  int n;\n  void f() {{ go({0}, {1}); }}\n}}"
    before, after = source.format("requiredTags", "excludedTags"), source.format("requireTag", "excludeTag")
    found = pairs({"A.java": before}, {"A.java": after})
    assert (found["A.requiredTags:3"][0], found["A.excludedTags:4"][0]) == ("A.requireTag:3", "A.excludeTag:4")


SEND = "socket.open(address); socket.write(header, body, checksum); queue.add(socket); log.sent(address, body);"
PRINT = "for (Page page : pages) { layout.place(page, margins); printer.emit(page.render(), tray); }"
FORWARD = "if (ready) { wake(worker, timeout, retries); }"
TAKEN_OVER = [
    # What `run` did `perform` does, and what `start` did `run` does now.
    (f"void run() {{ {SEND} }} void start() {{ {PRINT} }}", f"void run() {{ {PRINT} }} void perform() {{ {SEND} }}",
     {"start": "run", "run": "perform"}),
    # Nothing else has become `run`; it hands on what it did.
    (f"void run() {{ {SEND} }} void start() {{ {PRINT} }}", f"void run() {{ {FORWARD} }} void perform() {{ {SEND} }}",
     {"run": "run"}),
    # With other parameters one of the two is enough.
    (f"void run(int n) {{ {FORWARD} }} void start(Page[] pages) {{ {PRINT} }}", f"void run(Page[] pages) {{ {PRINT} }}",
     {"start": "run"}),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after", "expected"), TAKEN_OVER)
def test_a_name_that_another_function_has_taken_over(before: str, after: str, expected: dict[str, str]) -> None:
    found = pairs({"A.java": f"class A {{ {before} }}"}, {"A.java": f"class A {{ {after} }}"})
    assert {old: new for old, (new, _) in found.items() if old != "A:1"} == {
        f"A.{old}:1": f"A.{new}:1" for old, new in expected.items()
    }


def test_a_lone_member_went_to_another_class() -> None:
    before = {
        "A.java": "class A {\n  private Cache cache;\n  void f() { go(1, 2, 3); }\n}\n",
        "B.java": "class B {\n}\n",
    }
    after = {
        "A.java": "class A {\n  void f() { go(1, 2, 3); }\n}\n",
        "B.java": "class B {\n  private Cache cache;\n}\n",
    }
    assert pairs(before, after)["A.cache:2"] == ("B.cache:2", str(Evidence.SAME_DECLARATION))


def test_loggers_are_not_exchanged() -> None:
    line = "class {0} {{\n  private static final Logger LOG = LoggerFactory.getLogger({0}.class);\n  void {1}() {{ {1}(1, 2, 3, 4); }}\n}}\n"  # noqa: E501
    bare = "class {0} {{\n  void {1}() {{ {1}(1, 2, 3, 4); }}\n}}\n"
    before = {"A.java": line.format("A", "f"), "B.java": bare.format("B", "g")}
    after = {"A.java": bare.format("A", "f"), "B.java": line.format("B", "g")}
    assert "A.LOG:2" not in pairs(before, after)


def test_what_stands_in_a_function_does_not_say_who_it_is() -> None:
    """A short function that takes over the anonymous class of a long one is not that function."""
    action = "run(new Action() { public void run() { invoke(method, value, accessible, target); } });"
    long = "".join(f"    step{i}(tokens[{i}], holder, path + {i});\n" for i in range(30))
    before = f"class A {{\n  void set(Tokens tokens) {{\n{long}    {action}\n  }}\n}}\n"
    after = f"class A {{\n  void set(Tokens tokens) {{\n{long}    write(tokens);\n  }}\n  void write(Tokens t) {{\n    {action}\n  }}\n}}\n"  # noqa: E501
    moved = (
        {"A.java": before, "B.java": "class B {\n}\n"},
        {
            "A.java": "class A {\n  void write(Tokens t) {\n    " + action + "\n  }\n}\n",
            "B.java": after.replace("class A", "class B").replace(action, "nothing();"),
        },
    )
    assert pairs(*moved)["A.set:2"][0] == "B.set:2"


def test_tokens_leave_brackets_out() -> None:
    assert tokens_in(b"f(a, b[0]) + 1.5") == [b"f", b"a", b"b", b"0", b"+", b"1.5"]
