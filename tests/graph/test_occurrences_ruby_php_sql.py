"""Uses that are no calls in Ruby, PHP and SQL; those that are only possible have a question mark."""

from __future__ import annotations

import pytest
from occurrences import list_occurrences

from graph_snapshot import Files

A_RB = {
    "a.rb": "module A\n  RATE = 1\n  class Shop\n    attr_accessor :size\n    def initialize\n      @size = @town = 1\n"
    "      @size += 1\n    end\n  end\nend\n"
}
RUBY = {
    "constants": (
        {**A_RB, "b.rb": "class A::B\n  X = A::RATE\n  def f = [X, ::A]\nend\n"},
        "a.rb::A.Shop.initialize writes a.rb::A.Shop.size 6, a.rb::A.Shop.initialize writes a.rb::A.Shop.size 7, "
        "b.rb::A.B reads a.rb::A 1, b.rb::A.B.X reads a.rb::A 2, b.rb::A.B.X reads a.rb::A.RATE 2, "
        "b.rb::A.B.f reads a.rb::A 3, b.rb::A.B.f reads b.rb::A.B.X 3",
    ),
    "the constant of the nearest scope, of a base, of the top": (
        {
            "a.rb": "R = 1\nclass B\n  S = 1\nend\nclass C < B\n  R = 2\n  def f = [R, S, ::R]\nend\nmodule M\n"
            "  def f = R\nend\n"
        },
        "a.rb::C.f reads a.rb::B.S 7, a.rb::C.f reads a.rb::C.R 7, a.rb::C.f reads a.rb::R 7, "
        "a.rb::M.f reads a.rb::R 10",
    ),
    "variables of an object": (
        {
            "a.rb": "class A\n  def initialize\n    @x = 1\n  end\n  def f\n    @x += 1\n    @x ||= @x\n  end\nend\n"
            "class B < A\n  def g\n    (a, @x), *@x = @x\n  rescue => @x\n  end\nend\nclass C\n  def h = @x\nend\n"
        },
        "a.rb::A.f reads a.rb::A.@x 7, a.rb::A.f writes a.rb::A.@x 6, a.rb::A.f writes a.rb::A.@x 7, "
        "a.rb::B.g reads a.rb::A.@x 12, a.rb::B.g writes a.rb::A.@x 12, a.rb::B.g writes a.rb::A.@x 12, "
        "a.rb::B.g writes a.rb::A.@x 13",
    ),
    "what an accessor declares": (
        {
            "a.rb": "class A\n  attr_reader :x\n  def f\n    @x = [@x, self.x]\n  end\nend\nclass B < A\n"
            "  def g = @x\nend\n"
            "class C\n  attr_writer :y\n  def y = @y\nend\n"
        },
        "a.rb::A.f reads a.rb::A.x 4, a.rb::A.f writes a.rb::A.x 4, a.rb::B.g reads a.rb::A.x 8, "
        "a.rb::C.y reads a.rb::C.y 12",
    ),
    "variables of a class, global ones": (
        {"a.rb": "$g = 1\nclass A\n  @@n = 0\n  def f\n    @@n += $g\n    $g = @@n\n  end\nend\n"},
        "a.rb::A.f reads a.rb::$g 5, a.rb::A.f reads a.rb::A.@@n 6, a.rb::A.f writes a.rb::$g 6, "
        "a.rb::A.f writes a.rb::A.@@n 5",
    ),
    "variables of a file and of a class body": (
        {
            "a.rb": "x = 1\ny = x\nx += 1\nputs x, x\n[1].each { |i| x + i }\nclass A\n  z = 1\n  Z = z\n"
            "  x\n  def f = x\nend\n"
        },
        "a.rb reads a.rb::x 4, a.rb reads a.rb::x 5, a.rb writes a.rb::x 3, a.rb::A.Z reads a.rb::A.z 8, "
        "a.rb::y reads a.rb::x 2",
    ),
    "variables of a method": ({"a.rb": "x = 1\ndef f(x, y: x)\n  z = x\n  z += x\n  -> (w) { w + z }\nend\n"}, ""),
    "types that are written as calls": (
        {**A_RB, "b.rb": "class A::B\n  sig { params(x: A::Shop).returns(A) }\n  def f(x) = x\nend\n"},
        "a.rb::A.Shop.initialize writes a.rb::A.Shop.size 6, a.rb::A.Shop.initialize writes a.rb::A.Shop.size 7, "
        "b.rb::A.B reads a.rb::A 1, b.rb::A.B types a.rb::A 2, b.rb::A.B types a.rb::A 2, "
        "b.rb::A.B types a.rb::A.Shop 2",
    ),
    "tests of types and patterns": (
        {
            "a.rb": "class E; end\nR = 1\ndef f(x)\n  case x\n  when E then 1\n  end\n  case x\n"
            "  in E(a: R => b) then a\n"
            "  in {R: c} then c\n  end\nrescue E => e\n  e\nend\n"
        },
        "a.rb::f reads a.rb::E 11, a.rb::f reads a.rb::E 5, a.rb::f reads a.rb::E 8, a.rb::f reads a.rb::R 8",
    ),
    "code in strings": (
        {"a.rb": "R = 1\ndef f\n  \"#{R} R\" + '#{R}' + `#{R}`\n  /#{R}/\n  %w[R]\n  <<~X\n    R #{R}\n  X\nend # R\n"},
        "a.rb::f reads a.rb::R 3, a.rb::f reads a.rb::R 3, a.rb::f reads a.rb::R 4, a.rb::f reads a.rb::R 7",
    ),
    "keys and symbols": (
        {"a.rb": "R = 1\ndef f = { R => 1, R: 2, 'R' => 3, :R => R, r: R }\ng(R: 1)\nsend(:R)\ndefined?(R)\n"},
        "a.rb reads a.rb::R 5, a.rb::f reads a.rb::R 2, a.rb::f reads a.rb::R 2, a.rb::f reads a.rb::R 2",
    ),
    "bases, what is made and what is called are edges already": (
        {"a.rb": "module M; end\nclass A; end\nclass B < A\n  include M\n  def f = A.new\nend\ndef A(x) = x\nA(1)\n"},
        "",
    ),
    "what a call is made on": (
        {"a.rb": "module M\n  class A\n    def self.f; end\n  end\nend\nM::A.f\nM::A.new.g\n"},
        "a.rb reads a.rb::M 6, a.rb reads a.rb::M 7, a.rb reads a.rb::M.A 6",
    ),
}

SHOP_PHP = {
    "shop.php": "<?php\nnamespace A;\nconst TOP = 1;\nclass Shop {\n  const RATE = 1;\n  public int $size = 1;\n"
    "  public static $all = [];\n  public function size() {}\n}\nenum Suit { case Hearts; }\n"
}


def php(*lines: str) -> Files:
    return {**SHOP_PHP, "b.php": "\n".join(["<?php", "use A\\{Shop, Suit};", *lines, ""])}


PHP = {
    "types of properties, parameters and results": (
        php("class C {", "  private ?Shop $a;", "  function f(Shop|int $a, Suit &...$b): static|Shop {}", "}"),
        "b.php::C types shop.php::Shop 4, b.php::C.f types shop.php::Shop 5, b.php::C.f types shop.php::Shop 5, "
        "b.php::C.f types shop.php::Suit 5",
    ),
    "types of closures, tests and catches": (
        php(
            "function f($x) {",
            "  $g = fn(Shop $c): Suit => $c;",
            "  try {} catch (Shop | Suit $e) {}",
            "  return $x instanceof Shop || $x instanceof \\A\\Suit;",
            "}",
        ),
        "b.php::f types shop.php::Shop 5, b.php::f types shop.php::Shop 6, b.php::f types shop.php::Suit 5, "
        "b.php::f types shop.php::Suit 6, b.php::f.$g types shop.php::Shop 4, b.php::f.$g types shop.php::Suit 4",
    ),
    "constants, by each of their names": (
        php("function f() { return [\\A\\TOP, Shop::RATE, \\A\\Shop::RATE, Suit::Hearts, Shop::class]; }"),
        "b.php::f reads shop.php::Shop 3, b.php::f reads shop.php::Shop 3, b.php::f reads shop.php::Shop 3, "
        "b.php::f reads shop.php::Shop.RATE 3, b.php::f reads shop.php::Shop.RATE 3, b.php::f reads shop.php::Suit 3, "
        "b.php::f reads shop.php::Suit.Hearts 3, b.php::f reads shop.php::TOP 3",
    ),
    "constants of the namespace and the type around": (
        {
            "a.php": "<?php\nnamespace A;\nconst T = 1;\nclass C {\n  const R = T, S = self::R;\n"
            "  function f($x = namespace\\T) { return static::S; }\n}\n"
        },
        "a.php::C.R reads a.php::T 5, a.php::C.S reads a.php::C.R 5, a.php::C.f reads a.php::C.S 6, "
        "a.php::C.f reads a.php::T 6",
    ),
    "members": (
        php("function f(Shop $s) {", "  $s->size = Shop::$all + $s?->size;", "  $s->size();", "}"),
        "b.php::f reads shop.php::Shop 4, b.php::f reads shop.php::Shop.all 4, b.php::f reads shop.php::Shop.size 4, "
        "b.php::f types shop.php::Shop 3, b.php::f writes shop.php::Shop.size 4",
    ),
    "members that are written": (
        {
            "a.php": "<?php\nclass A {\n  public $x, $y;\n  static $z;\n  function f($i) {\n    $this->x += 1;\n"
            "    $this->x++;\n    $this->x[$this->y] = self::$z;\n    self::$z[] = 1;\n    [$this->x, $i] = $i;\n"
            "    unset($this->x[0]);\n    $this->x->y = 1;\n    $this->x =& $i;\n  }\n}\n"
        },
        "a.php::A.f reads a.php::A.x 12, a.php::A.f reads a.php::A.y 8, a.php::A.f reads a.php::A.z 8, "
        "a.php::A.f writes a.php::A.x 10, a.php::A.f writes a.php::A.x 11, a.php::A.f writes a.php::A.x 13, "
        "a.php::A.f writes a.php::A.x 6, a.php::A.f writes a.php::A.x 7, a.php::A.f writes a.php::A.x 8, "
        "a.php::A.f writes a.php::A.z 9, a.php::A.f writes? a.php::A.y 12",
    ),
    "what a constructor declares": (
        {"a.php": "<?php\nclass A {\n  function __construct(private $x) { $x = $this->x; }\n}\n"},
        "a.php::A.__construct reads a.php::A.x 3",
    ),
    "code in strings": (
        {
            "a.php": "<?php\nclass A {\n  public $x;\n  function f() {\n"
            "    return \"x $this->x {$this->x}\" . '$this->x';\n  }\n}\n"
        },
        "a.php::A.f reads a.php::A.x 5, a.php::A.f reads a.php::A.x 5",
    ),
    "variables of a file": (
        php(
            "$a = 1;",
            "$a++;",
            "$a[] = 2;",
            'echo "$a";',
            "function f($x) { return $a . $x; }",
            "fn() => $a;",
            "foreach ($a as $k => $v) {}",
        ),
        "b.php reads b.php::$a 6, b.php reads b.php::$a 8, b.php reads b.php::$a 9, "
        "b.php writes b.php::$a 4, b.php writes b.php::$a 5",
    ),
    "variables of functions and closures": (
        php(
            "$a = $b = 1;",
            "g(function ($a) { $b = $a; return $b; });",
            "g(fn($a) => $a);",
            "function f($a) { $b = $a; }",
        ),
        "",
    ),
    "attributes; with arguments they are calls": (
        php("#[Shop]", "class C {", "  #[Suit(1), Shop]", "  function f(#[Suit] $x) {}", "}"),
        "b.php::C decorates shop.php::Shop 3, b.php::C.f decorates shop.php::Shop 5, "
        "b.php::C.f decorates shop.php::Suit 6",
    ),
    "bases, imports, what is made and what is called are edges already": (
        php(
            "class C extends Shop {",
            "  use Suit;",
            "  // Shop",
            "  function f() { new \\A\\Shop; new Shop(Shop: 1); return 'Shop'; }",
            "}",
        ),
        "",
    ),
    "what a call is made on": (
        php("Shop::f(Suit::cases());"),
        "b.php reads shop.php::Shop 3, b.php reads shop.php::Suit 3",
    ),
}

SHOP_SQL = {
    "a.sql": "CREATE TABLE app.users (id INT, name TEXT);\nCREATE TYPE mood AS ENUM ('sad');\n"
    "CREATE TABLE orders (id INT, user_id INT, price INT);\n"
}


def sql(*lines: str) -> Files:
    return {**SHOP_SQL, "b.sql": "\n".join([*lines, ""])}


SQL = {
    "tables that are read": (
        sql("SELECT * FROM orders, app.users;", "SELECT 1 WHERE EXISTS (SELECT 1 FROM users);"),
        "b.sql reads a.sql::app.users 1, b.sql reads a.sql::app.users 2, b.sql reads a.sql::orders 1",
    ),
    "tables that are changed": (
        sql(
            "INSERT INTO orders SELECT * FROM users;",
            "UPDATE app.users SET name = 1;",
            "DELETE FROM orders;",
            "TRUNCATE orders;",
            "ALTER TABLE orders ADD COLUMN x INT;",
            "DROP TABLE app.users;",
        ),
        "b.sql reads a.sql::app.users 1, b.sql writes a.sql::app.users 2, b.sql writes a.sql::app.users 6, "
        "b.sql writes a.sql::app.users.name 2, b.sql writes a.sql::orders 1, b.sql writes a.sql::orders 3, "
        "b.sql writes a.sql::orders 4, b.sql writes a.sql::orders 5",
    ),
    "keys and indexes": (
        {
            "a.sql": "CREATE TABLE a (id INT, b INT);\nCREATE TABLE c (a INT REFERENCES a (id), b INT,\n"
            "  FOREIGN KEY (b) REFERENCES a (b));\nCREATE INDEX i ON c (b);\n"
        },
        "a.sql::c reads a.sql::a 3, a.sql::c reads a.sql::a.b 3, a.sql::c reads a.sql::c.b 3, "
        "a.sql::c.a reads a.sql::a 2, a.sql::c.a reads a.sql::a.id 2, a.sql::c.i reads a.sql::c 4, "
        "a.sql::c.i reads a.sql::c.b 4",
    ),
    "views and functions": (
        sql(
            "CREATE VIEW v AS SELECT * FROM orders;",
            "CREATE FUNCTION f() RETURNS mood AS $$ SELECT * FROM v $$ LANGUAGE sql;",
        ),
        "b.sql::f reads b.sql::v 2, b.sql::f types a.sql::mood 2, b.sql::v reads a.sql::orders 1",
    ),
    "types": (
        sql("CREATE TABLE t (x mood);", "SELECT y::mood, CAST(z AS mood);"),
        "b.sql types a.sql::mood 2, b.sql types a.sql::mood 2, b.sql::t.x types a.sql::mood 1",
    ),
    "columns of a table that is named": (
        sql(
            "SELECT orders.id, app.users.name, id, name FROM orders JOIN app.users ON true;",
            "INSERT INTO orders (id) VALUES (1);",
            "UPDATE orders SET price = orders.price + price;",
        ),
        "b.sql reads a.sql::app.users 1, b.sql reads a.sql::app.users 1, b.sql reads a.sql::app.users.name 1, "
        "b.sql reads a.sql::orders 1, b.sql reads a.sql::orders 1, b.sql reads a.sql::orders 3, "
        "b.sql reads a.sql::orders.id 1, b.sql reads a.sql::orders.price 3, b.sql writes a.sql::orders 2, "
        "b.sql writes a.sql::orders 3, b.sql writes a.sql::orders.id 2, b.sql writes a.sql::orders.price 3",
    ),
    "other names of a table": (
        sql("SELECT o.id, u.id FROM orders o JOIN app.users AS u ON u.id = o.user_id;"),
        "b.sql reads a.sql::app.users 1, b.sql reads a.sql::app.users.id 1, b.sql reads a.sql::app.users.id 1, "
        "b.sql reads a.sql::orders 1, b.sql reads a.sql::orders.id 1, b.sql reads a.sql::orders.user_id 1",
    ),
    "names that a statement gives": (
        sql(
            "WITH orders AS (SELECT * FROM app.users) SELECT * FROM orders;",
            "SELECT * FROM (SELECT 1) mood, mood;",
            "SELECT * FROM orders;",
        ),
        "b.sql reads a.sql::app.users 1, b.sql reads a.sql::orders 3",
    ),
    "comments, strings, calls": (
        {"a.sql": "CREATE FUNCTION f() RETURNS INT AS $$ SELECT 1 $$;\nSELECT f(), 'f'; -- f\n"},
        "",
    ),
}
CASES = {
    **{f"Ruby: {name}": case for name, case in RUBY.items()},
    **{f"PHP: {name}": case for name, case in PHP.items()},
    **{f"SQL: {name}": case for name, case in SQL.items()},
}


@pytest.mark.parametrize(("files", "expected"), CASES.values(), ids=CASES.keys())
def test_occurrences(files: Files, expected: str) -> None:
    assert list_occurrences(files) == expected
