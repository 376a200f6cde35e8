"""A name may be written as in any language or tool; overloads have names by the types of their parameters."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from birthmark.identity.overloads import matching_overloads, overload_names, split_call
from birthmark.model import Entity
from birthmark.queries.names import AskedName, lookup_in, pick_exact, pick_named, read_name


def entity(
    qualified_name: str, path: str = "a.py", signature: str = "", kind: str = "fn", language: str = "", name: str = ""
) -> Entity:
    name = name or qualified_name.rpartition(".")[2]
    rest = (1, 1, 0, 0, None, None, None, signature, (), (), 0, None, -1)
    return Entity(kind, name, qualified_name, None, language, path, path, *rest)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Rack::Request", AskedName("Rack.Request")),
        ("::std::sort", AskedName("std.sort")),
        ("crate::a::b", AskedName("a.b")),
        (r"\App\Foo::bar", AskedName("App.Foo.bar")),
        ("IOUtils#copy", AskedName("IOUtils.copy")),
        ("Map$Entry.key", AskedName("Map.Entry.key")),
        ("Foo->bar", AskedName("Foo.bar")),
        ("Foo.prototype.bar", AskedName("Foo.bar")),
        ("f.<locals>.g", AskedName("f.g")),
        ("(*Server).Serve", AskedName("Server.Serve")),
        ("http.(*Server).Serve", AskedName("http.Server.Serve")),
        ("Vec<T>::push", AskedName("Vec.push")),
        ("<a::Foo as Bar<T>>::f", AskedName("a.Foo.f")),
        ("Vec::<T>::push", AskedName("Vec.push")),
        ("test_sum[1-2]", AskedName("test_sum")),
        ("TestSum::test_sum[a b]", AskedName("TestSum.test_sum")),
        ("Flask.url_for()", AskedName("Flask.url_for", ())),
        ("C#m(int, Map<K, V>)", AskedName("C.m", ("int", "Map<K, V>"))),
        ("(*Server).Serve(net.Listener)", AskedName("Server.Serve", ("net.Listener",))),
        ("$scope.#x", AskedName("$scope.#x")),
        ("operator*", AskedName("operator*")),
        ("", AskedName("")),
    ],
)
def test_names_are_read(text: str, expected: AskedName) -> None:
    assert read_name(text) == expected


KNOWN = [
    entity("Flask", "src/flask/app.py", kind="class"),
    entity("Flask.url_for", "src/flask/app.py"),
    entity("url_for", "src/flask/helpers.py"),
    entity("dumps", "src/flask/json/__init__.py"),
    entity("Rack.MockRequest.query", "lib/rack/mock_request.rb"),
    entity("Rack.MockRequest.self.env_for", "lib/rack/mock_request.rb", name="self.env_for"),
    entity("T.test$read.close", "T.java"),
    entity("IOUtils.copy", "src/main/java/org/apache/io/IOUtils.java"),
    entity("New", "gin/gin.go"),
    entity("A.run", "a.py"),
    entity("B.A.run", "b.py"),
    entity("operator()", "v.cpp"),
]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Flask.url_for", "Flask.url_for"),
        ("flask.app.Flask.url_for", "Flask.url_for"),
        ("src.flask.app.Flask.url_for()", "Flask.url_for"),
        ("flask.Flask.url_for", "Flask.url_for"),
        ("flask.url_for", "url_for"),
        ("flask.helpers.url_for", "url_for"),
        ("flask.json.dumps", "dumps"),
        ("MockRequest.query", "Rack.MockRequest.query"),
        ("Rack::MockRequest#query", "Rack.MockRequest.query"),
        ("Rack::MockRequest.env_for", "Rack.MockRequest.self.env_for"),
        ("MockRequest.self.env_for", "Rack.MockRequest.self.env_for"),
        ("test$read.close", "T.test$read.close"),
        ("org.apache.io.IOUtils.copy", "IOUtils.copy"),
        ("github.com/gin-gonic/gin.New", "New"),
        ("A.run", "A.run"),
        ("B.A.run", "B.A.run"),
        ("operator()", "operator()"),
        ("wrong.Flask.url_for", None),
        ("a.b.c.d.e.A.walk", None),
        ("w.x.y.z.helpers.url_for", None),
        ("flask.helpers.Flask.url_for", None),
        ("Query", None),
        ("quest.query", None),
    ],
)
def test_the_best_rank_counts(text: str, expected: str | None) -> None:
    lookup = lookup_in(KNOWN)
    found = [one.qualified_name for one in pick_exact(text, lookup) or pick_named(text, lookup)]
    assert found == ([] if expected is None else [expected])


class Overloads(NamedTuple):
    language: str
    heads: tuple[str, ...]
    names: tuple[str | None, ...]


OVERLOADS = [
    Overloads(
        "java",
        (
            "public static void f(final Closeable closeable) throws IOException",
            "public static void f(final Closeable... closeables)",
            "public static <T> void f(@Nullable final java.io.Reader in, final IOConsumer<IOException> consumer)",
            "static void f(byte[] b, Map<K, V> map)",
            "static void f()",
        ),
        ("f(Closeable)", "f(Closeable...)", "f(Reader, IOConsumer)", "f(byte[], Map)", "f()"),
    ),
    Overloads(
        "cpp",
        (
            "int f(int)",
            "int f(const char *s)",
            "int f(char *s)",
            "void f(std::vector<int> v)",
            "void f(unsigned x = g(1, 2))",
        ),
        ("f(int)", "f(const char*)", "f(char*)", "f(vector)", "f(unsigned)"),
    ),
    Overloads(
        "cpp",
        ("void f(vector<int> v)", "void f(vector<string> v)", "void f(vector v)"),
        ("f(vector<int>)", "f(vector<string>)", "f(vector)"),
    ),
    Overloads(
        "typescript",
        ("function f(x: string): void", "function f(x: number, cb: (a: A) => void = g): void", "f(...rest: T[]): void"),
        ("f(string)", "f(number, (a:A)=>void)", "f(T[])"),
    ),
    Overloads(
        "python",
        ("def f(self)", "def f(self, value)", "def f(self, value: int | None = 3, *rest)"),
        ("f()", "f(value)", "f(int|None, *rest)"),
    ),
    Overloads("go", ("func f(a int)", "func f(b []byte, m map[string]int)"), ("f(int)", "f([]byte, map[string]int)")),
    Overloads("csharp", ("void f([FromBody] int x)", "void f(ref string s)"), ("f(int)", "f(string)")),
    Overloads("rust", ("fn f(&self, x: &str) -> T", "fn f(&mut self)"), ("f(&str)", "f()")),
    Overloads("ruby", ("def f(a)", "def f(a)"), (None, None)),
    Overloads("javascript", ("f = 3", "f = (a, b) => a"), (None, "f(a, b)")),
]


@pytest.mark.parametrize("case", OVERLOADS, ids=[case.language for case in OVERLOADS])
def test_overloads_have_names_that_find_them(case: Overloads) -> None:
    entities = [entity("f", signature=head, language=case.language) for head in case.heads]
    names = overload_names(entities)
    assert tuple(names.get(i) for i in range(len(entities))) == case.names
    for ordinal, name in names.items():
        asked = read_name(name)
        assert asked.types is not None
        assert matching_overloads([*range(len(entities))], entities.__getitem__, asked.types) == [ordinal]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("f(java.io.Closeable)", "f(final Closeable closeable)"),
        ("f( Closeable closeable )", "f(final Closeable closeable)"),
        ("f(closeable)", "f(final Closeable closeable)"),
        ("f(Closeable, IOConsumer<IOException>)", "f(Closeable c, IOConsumer<IOException> consumer)"),
        ("f(Nothing)", None),
    ],
)
def test_types_may_be_written_in_full_or_in_short(text: str, expected: str | None) -> None:
    heads = ["f(final Closeable closeable)", "f(Closeable c, IOConsumer<IOException> consumer)", "f()"]
    entities = [entity("f", signature=head) for head in heads]
    assert [one.signature for one in pick_named(text, lookup_in(entities))] == ([] if expected is None else [expected])


def test_a_call_of_the_only_one_may_have_any_arguments() -> None:
    only = entity("f", signature="f(a, b)")
    assert pick_named("f(1, 'x')", lookup_in([only])) == [only]


@given(st.text(st.sampled_from("ab.:#$<>()[]{}*,\\ -=@_1"), max_size=40))
def test_any_text_is_read(text: str) -> None:
    name, types = split_call(text)
    assert types is None or text.startswith(name)
    assert read_name(text).name is not None
    assert overload_names([entity("f", signature=f"f({text})"), entity("f", signature="f()")]) is not None
