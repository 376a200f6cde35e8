"""Edges in Java, Kotlin, Scala and C#: what declared types, constructors, overloads and interfaces lead to."""

from __future__ import annotations

from birthmark.graph.edges import CALLS, callees, users
from graph_snapshot import Snapshot, check, resolver_of

SHAPES = """
package p;
interface Shape { double area(); default String label() { return ""; } }
abstract class Base implements Shape { public double area() { return 0; } }
class Square extends Base { public double area() { return 1; } }
class Circle extends Base { }
"""


def test_new_inside_the_class_with_a_constructor() -> None:
    source = "class Shop {\n    Shop(int a) {}\n    static Shop make() {\n        return new Shop(1);\n    }\n}\n"
    check({"Shop.java": source}, "Shop.java:4 calls Shop: exact Shop.java::Shop")


def test_variables_may_be_called_like_words_of_other_languages() -> None:
    source = (
        "class Shop {\n    void open() {}\n    void go(Other cls, Other base) {\n        cls.open();\n"
        "        base.open();\n    }\n}\nclass Other {\n    void open() {}\n}\n"
    )
    check(
        {"Shop.java": source},
        """
        Shop.java:4 calls cls open: exact Shop.java::Other.open
        Shop.java:5 calls base open: exact Shop.java::Other.open
        """,
    )


def test_a_method_without_body_leads_to_its_implementations() -> None:
    user = (
        "package p;\nclass User {\n    void go(Shape shape) {\n        shape.area();\n        shape.label();\n  }\n}\n"
    )
    files = {"p/Shape.java": SHAPES, "p/User.java": user}
    check(
        files,
        """
        p/User.java:4 calls shape area: dispatch p/Shape.java::Base.area p/Shape.java::Square.area
        p/User.java:5 calls shape label: import p/Shape.java::Shape.label
        """,
    )
    snapshot = Snapshot(files)
    resolver = resolver_of(snapshot)
    for method in ("Shape.area", "Base.area", "Square.area"):
        found = users(snapshot, resolver, snapshot.find(f"p/Shape.java::{method}"), CALLS)
        assert [edge.source and edge.source.name for edge in found] == ["go"], method
    called = callees(snapshot, resolver, snapshot.find("p/User.java::User.go"))
    assert [edge.target.qualified_name for edge in called if edge.target and edge.name == "area"] == [
        "Shape.area",
        "Base.area",
        "Square.area",
    ]


def test_a_constructor_says_more_than_the_declared_type() -> None:
    user = (
        "package p;\nclass User {\n    void go() {\n        Shape shape = new Square();\n        shape.area();\n"
        "        Shape other = new Square();\n        other = find();\n        other.area();\n    }\n"
        "    Shape find() { return null; }\n}\n"
    )
    check(
        {"p/Shape.java": SHAPES, "p/User.java": user},
        """
        p/User.java:5 calls shape area: import p/Shape.java::Square.area
        p/User.java:8 calls other area: dispatch p/Shape.java::Base.area p/Shape.java::Square.area
        """,
    )


def test_the_number_of_arguments_chooses_among_overloads_here_and_above() -> None:
    source = (
        "class A {\n    void m() {}\n}\nclass B extends A {\n    void m(int a) {}\n    void m(int a, int... more) {}\n"
        "    void go() {\n        m(1, 2, 3);\n        m();\n        super.m();\n    }\n}\n"
    )
    check(
        {"B.java": source},
        """
        B.java:8 calls m: exact B.java::B.m
        B.java:9 calls m: hierarchy B.java::A.m
        B.java:10 calls super m: hierarchy B.java::A.m
        """,
    )


def test_a_class_sees_what_it_inherits_before_what_is_around_it() -> None:
    source = (
        "class Base {\n    Base() {}\n    void m() {}\n    static class Part {}\n}\n"
        "class Outer {\n    void m() {}\n    void k() {}\n    class Inner extends Base {\n"
        "        Inner() { super(); }\n        void go() {\n            m();\n            k();\n"
        "            new Base();\n            new Part();\n            Outer.this.m();\n            super.hashCode();\n"
        "        }\n    }\n}\n"
    )
    check(
        {"Outer.java": source},
        """
        Outer.java:10 calls super: hierarchy Outer.java::Base
        Outer.java:12 calls m: hierarchy Outer.java::Base.m
        Outer.java:13 calls k: exact Outer.java::Outer.k
        Outer.java:14 calls Base: exact Outer.java::Base
        Outer.java:15 calls Part: hierarchy Outer.java::Base.Part
        Outer.java:16 calls Outer.this m: exact Outer.java::Outer.m
        Outer.java:17 calls super hashCode: external
        """,
    )


def test_an_object_without_a_name_is_not_the_class_around_it() -> None:
    source = (
        "class Outer {\n    void k() {}\n    void go() {\n        new Thread() {\n            public void run() {\n"
        "                this.k();\n                k();\n            }\n        };\n    }\n}\n"
    )
    check(
        {"Outer.java": source},
        """
        Outer.java:6 calls this k: name Outer.java::Outer.k
        Outer.java:7 calls k: exact Outer.java::Outer.k
        """,
    )


def test_declared_types_in_java() -> None:
    source = (
        "class Box<T extends Shape> {\n    T held;\n    Shape[] many;\n    void go(Object o, Shape... rest) {\n"
        "        held.area();\n        many[0].area();\n        for (var one : rest) one.area();\n"
        "        if (o instanceof Shape s) s.area();\n        if (o instanceof Shape) o.area();\n        o.area();\n"
        "        ((Shape) o).area();\n        var made = make();\n        made.area();\n        Kind.ONE.area();\n"
        "        rest.forEach(x -> x.area());\n    }\n    Shape make() { return null; }\n}\n"
        "class Shape { void area() {} }\nenum Kind { ONE; void area() {} }\n"
    )
    check(
        {"Box.java": source},
        """
        Box.java:5 calls held area: exact Box.java::Shape.area
        Box.java:6 calls many[0] area: exact Box.java::Shape.area
        Box.java:7 calls one area: exact Box.java::Shape.area
        Box.java:8 calls s area: exact Box.java::Shape.area
        Box.java:9 calls o area: exact Box.java::Shape.area
        Box.java:10 calls o area: name Box.java::Shape.area Box.java::Kind.area
        Box.java:11 calls Shape{} area: exact Box.java::Shape.area
        Box.java:13 calls made area: exact Box.java::Shape.area
        Box.java:14 calls Kind.ONE area: exact Box.java::Kind.area
        Box.java:15 calls x area: name Box.java::Shape.area Box.java::Kind.area
        """,
    )


def test_an_assignment_leaves_the_declared_type() -> None:
    source = (
        "class Shape { void area() {} }\nclass Square extends Shape { void area() {} }\nclass Box {\n    Shape held;\n"
        "    void go() {\n        held = make();\n        held.area();\n        Shape x = new Square();\n"
        "        x = make();\n        x.area();\n    }\n    Shape make() { return null; }\n}\n"
    )
    check(
        {"Box.java": source},
        """
        Box.java:7 calls held area: exact Box.java::Shape.area
        Box.java:10 calls x area: exact Box.java::Shape.area
        """,
    )


def test_declared_types_in_csharp() -> None:
    source = """namespace Shop;
class Item { public void Use() {} public Item Next { get; set; } void Buy(int n = 1) {} void Buy(int n, int m) {} }
public class Base { public Base(int n) {} public void Open() {} }
public class Store<T>(Item first) : Base(1) where T : Item {
    Item held; List<Item> all; T other;
    void Go(object o, params Item[] rest) {
        first.Use();
        held.Next.Next.Use();
        other.Use();
        rest[0].Use();
        held.Buy();
        var made = new Item { Next = null };
        made.Use();
        Item short_ = new();
        short_.Use();
        foreach (var one in all) one.Use();
        if (o is Item item) item.Use();
        if (o is Item) { o.Use(); }
        o.Use();
        var name = o switch {
            Item c => c.Use(),
            Store<T> c => c.Open(),
        };
        ((Item)o).Use();
        (o as Item)?.Use();
        var f = (Item p) => p.Use();
        base.Open();
        Next().Use();
    }
    Item Next() => held;
}
"""
    item = "Shop.cs::Shop.Item.Use"
    check(
        {"Shop.cs": source},
        f"""
        Shop.cs:7 calls first Use: exact {item}
        Shop.cs:8 calls held.Next.Next Use: exact {item}
        Shop.cs:9 calls other Use: exact {item}
        Shop.cs:10 calls rest[0] Use: exact {item}
        Shop.cs:11 calls held Buy: exact Shop.cs::Shop.Item.Buy
        Shop.cs:13 calls made Use: exact {item}
        Shop.cs:15 calls short_ Use: exact {item}
        Shop.cs:16 calls one Use: exact {item}
        Shop.cs:17 calls item Use: exact {item}
        Shop.cs:18 calls o Use: exact {item}
        Shop.cs:19 calls o Use: name {item}
        Shop.cs:21 calls c Use: exact {item}
        Shop.cs:22 calls c Open: hierarchy Shop.cs::Shop.Base.Open
        Shop.cs:24 calls Item{{}} Use: exact {item}
        Shop.cs:25 calls Item{{}} Use: exact {item}
        Shop.cs:26 calls p Use: exact {item}
        Shop.cs:27 calls base Open: hierarchy Shop.cs::Shop.Base.Open
        Shop.cs:28 calls Next() Use: exact {item}
        """,
    )


def test_declared_types_in_kotlin() -> None:
    source = """package p
open class Shape {
    fun area() {}
    val next: Shape = Shape()
}
class Box<T : Shape>(val first: Shape, n: Int = 1) {
    val held: Shape = make()
    lateinit var other: T
    fun go(o: Any, q: Shape? = null, vararg rest: Shape) {
        val made = Shape()
        made.area()
        first.next.area()
        held.area()
        other.area()
        q?.area()
        q!!.area()
        for (one in rest) { one.area() }
        if (o is Shape) { o.area() }
        if (o !is Shape) { o.area() }
        when (o) {
            is Shape -> o.area()
            else -> o.area()
        }
        (o as Shape).area()
        rest.forEach { x -> x.area() }
        Box.create().area()
        call(1) { 2 }
        expr().area()
        held.grow(1)
    }
    fun call(a: Int) {}
    fun call(a: Int, f: () -> Int) {}
    fun expr() = held
    fun make(): Shape = Shape()
    companion object {
        fun create(): Shape = Shape()
    }
}
fun Shape.grow(n: Int) {
    area()
}
"""
    area = "Box.kt::Shape.area"
    check(
        {"Box.kt": source},
        f"""
        Box.kt:11 calls made area: exact {area}
        Box.kt:12 calls first.next area: exact {area}
        Box.kt:13 calls held area: exact {area}
        Box.kt:14 calls other area: exact {area}
        Box.kt:15 calls q area: exact {area}
        Box.kt:16 calls q area: exact {area}
        Box.kt:17 calls one area: exact {area}
        Box.kt:18 calls o area: exact {area}
        Box.kt:19 calls o area: name {area}
        Box.kt:21 calls o area: exact {area}
        Box.kt:22 calls o area: name {area}
        Box.kt:24 calls Shape{{}} area: exact {area}
        Box.kt:25 calls x area: name {area}
        Box.kt:26 calls Box create: exact Box.kt::Box.Companion.create
        Box.kt:26 calls Box.create() area: exact {area}
        Box.kt:27 calls call: exact Box.kt::Box.call
        Box.kt:28 calls expr() area: exact {area}
        Box.kt:29 calls held grow: exact Box.kt::Shape.grow
        Box.kt:40 calls area: exact {area}
        """,
    )


def test_declared_types_in_scala() -> None:
    source = """package p
class Shape { def area() = {} }
class Base { def open() = {} }
class Box[T <: Shape](val first: Shape) extends Base {
  lazy val wrapped = Item(first)
  def go(o: Any, all: Seq[Shape], t: T)(implicit k: Shape) = {
    first.area()
    wrapped.shape.area()
    k.area()
    t.area()
    for (one <- all) { one.area() }
    o match {
      case s: Shape => s.area()
      case s => s.area()
    }
    super.open()
    open()
    Store.use(null)
  }
}
trait Part {
  def run(): Int
}
class Wheel extends Part { def run(): Int = 1 }
case class Item(shape: Shape)
object Store { def use(part: Part) = { part.run() } }
"""
    area = "Box.scala::Shape.area"
    check(
        {"Box.scala": source},
        f"""
        Box.scala:7 calls first area: exact {area}
        Box.scala:8 calls wrapped.shape area: exact {area}
        Box.scala:9 calls k area: exact {area}
        Box.scala:10 calls t area: exact {area}
        Box.scala:11 calls one area: exact {area}
        Box.scala:13 calls s area: exact {area}
        Box.scala:14 calls s area: name {area}
        Box.scala:16 calls super open: hierarchy Box.scala::Base.open
        Box.scala:17 calls open: hierarchy Box.scala::Base.open
        Box.scala:18 calls Store use: exact Box.scala::Store.use
        Box.scala:26 calls part run: dispatch Box.scala::Wheel.run
        """,
    )


def test_other_files_add_to_a_type() -> None:
    files = {
        "a/Shop.cs": "namespace N {\n    partial class Shop {\n  void Go() {\n    Open();\n  }\n }\n}\n",
        "b/Shop.cs": "namespace N {\n    partial class Shop {\n        void Open() {}\n    }\n}\n",
        "kotlin/p/Item.kt": "package p\nclass Item {\n    fun use() {}\n}\n",
        "kotlin/q/Items.kt": "package q\nimport p.Item\nfun Item.drop(n: Int) {}\nfun go(it: Item) { it.drop(1) }\n",
        "kotlin/r/Item.kt": "package r\nclass Item {\n    fun drop(n: Int) {}\n}\n",
    }
    check(
        files,
        """
        a/Shop.cs:4 calls Open: exact b/Shop.cs::N.Shop.Open
        kotlin/q/Items.kt:4 calls it drop: import kotlin/q/Items.kt::Item.drop
        """,
    )


def test_files_see_what_others_have_in_their_namespaces() -> None:
    files = {
        "Base.cs": "namespace Shop;\nclass Base { public void Open() {} }\n",
        "Store.cs": "namespace Shop.Stores;\nclass Store : Base {\n    void Go(Base other) {\n        Open();\n"
        "        other.Open();\n    }\n}\n",
    }
    check(
        files,
        """
        Store.cs:4 calls Open: hierarchy Base.cs::Shop.Base.Open
        Store.cs:5 calls other Open: import Base.cs::Shop.Base.Open
        """,
    )


def test_what_cannot_be_called_so_is_not_claimed() -> None:
    source = (
        "import static other.Checks.check;\nclass Test extends other.Base {\n    void check() {}\n"
        "    void go(int a) {\n        check(a, /* one, two */ 1);\n        check();\n    }\n}\n"
    )
    files = {"Test.java": source}
    check(
        files,
        """
        Test.java:5 calls check: name Test.java::Test.check
        Test.java:6 calls check: exact Test.java::Test.check
        """,
    )
    snapshot = Snapshot(files)
    resolver = resolver_of(snapshot)
    claimed = [resolver.resolve(*entry).claimed for entry in snapshot.all_references() if entry[3].line == 5]
    assert claimed == [()]


def test_extension_methods() -> None:
    files = {
        "Item.cs": "namespace Shop;\nclass Item : Base {}\nclass Base {}\nclass Other {}\n",
        "Items.cs": "namespace Shop;\nstatic class Items {\n    public static void Sell(this Base item, int n) {}\n}\n",
        "Go.cs": "namespace Shop;\nclass Go {\n    void Run(Item item, Other other) {\n        item.Sell(1);\n"
        "        Items.Sell(item, 1);\n        other.Sell(1);\n    }\n}\n",
    }
    check(
        files,
        """
        Go.cs:4 calls item Sell: hierarchy Items.cs::Shop.Items.Sell
        Go.cs:5 calls Items Sell: import Items.cs::Shop.Items.Sell
        Go.cs:6 calls other Sell: name Items.cs::Shop.Items.Sell
        """,
    )


def test_implementations_are_those_below_the_receiver() -> None:
    source = (
        "interface Part { void run(int n); }\nabstract class Moving implements Part { void go() {\n  run(1);\n} }\n"
        "class Wheel extends Moving { public void run(int n) {} void run(int n, int... more) {} }\n"
        "class Seat implements Part { public void run(int n) {} }\n"
        "class User { void go(Part part, Moving moving) {\n        part.run(1);\n        moving.run(1);\n    } }\n"
    )
    check(
        {"Part.java": source},
        """
        Part.java:3 calls run: dispatch Part.java::Wheel.run
        Part.java:8 calls part run: dispatch Part.java::Wheel.run Part.java::Seat.run
        Part.java:9 calls moving run: dispatch Part.java::Wheel.run
        """,
    )


def test_a_result_of_an_outside_type_is_not_the_function() -> None:
    source = (
        "class Shop {\n    Iterator items() {\n       start(new Runnable() { public void run() {} });\n return null;\n"
        "    }\n    void go() {\n        items().run();\n    }\n}\n"
    )
    check({"Shop.java": source}, "Shop.java:7 calls items() run: name Shop.java::Shop.items.run")


def test_variables_that_are_assigned_again_and_those_of_lambdas() -> None:
    check(
        {
            "A.java": "class Shop { void open() {} }\nclass Big extends Shop { void open() {} }\nclass Main {\n"
            "  void go() {\n    run(() -> {\n      Shop s = new Big();\n      s.open();\n    });\n"
            "    var t = new Shop();\n    t = make();\n    t.open();\n  }\n}\n",
            "b.kt": "class Till {\n  fun ring() {}\n}\nclass Main {\n  fun go() {\n"
            "    run {\n      val u = Till()\n      u.ring()\n    }\n"
            "    var t = Till()\n    t = make()\n    t.ring()\n  }\n}\n",
            "c.scala": "class Door { def close() = {} }\nclass Gate { def close() = {} }\nobject Main {\n"
            "  def go() = {\n    val d = new Door()\n    d.close()\n  }\n}\n",
        },
        """A.java:7 calls s open: exact A.java::Big.open
        A.java:11 calls t open: exact A.java::Shop.open
        b.kt:12 calls t ring: exact b.kt::Till.ring
        b.kt:8 calls u ring: exact b.kt::Till.ring
        c.scala:6 calls d close: exact c.scala::Door.close""",
    )


def test_a_path_may_start_at_a_package() -> None:
    members = "static int N;\n  static State make() { return null; }\n  void go() {}"
    state = f"package p.a;\npublic class State {{\n  {members}\n}}\n"
    user = """package q;
class User extends p.a.State {
  p.a.State held;
  void run(p.a.State given) {
    p.a.State.make().go();
    new p.a.State().go();
    given.go();
    int n = p.a.State.N;
    p.a.missing();
    java.util.List.of();
  }
}
"""
    state_class = "import src/main/java/p/a/State.java::State"
    expected = f"""
    src/main/java/q/User.java:2 inherits p.a State: {state_class}
    src/main/java/q/User.java:3 types p.a State: {state_class}
    src/main/java/q/User.java:5 calls p.a.State make: {state_class}.make
    src/main/java/q/User.java:5 calls p.a.State.make() go: {state_class}.go
    src/main/java/q/User.java:6 calls p.a.State() go: {state_class}.go
    src/main/java/q/User.java:7 calls given go: {state_class}.go
    src/main/java/q/User.java:8 reads p.a.State N: {state_class}.N
    src/main/java/q/User.java:9 calls p.a missing: unresolved
    src/main/java/q/User.java:10 calls java.util.List of: unresolved
    """
    check({"src/main/java/p/a/State.java": state, "src/main/java/q/User.java": user}, expected)


def test_a_package_gives_functions_in_kotlin() -> None:
    files = {"p/a/top.kt": "package p.a\nfun top() {}\n", "q/m.kt": "package q\nfun run() {\n  p.a.top()\n}\n"}
    check(files, "q/m.kt:3 calls p.a top: import p/a/top.kt::top")
