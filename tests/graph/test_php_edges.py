"""Where calls lead in PHP: namespaces, properties, types of parameters, traits."""

from __future__ import annotations

import pytest

from graph_snapshot import Files, check

SERVICES = {
    "src/Mailer.php": "<?php\nnamespace App\\Services;\nclass Mailer { function send() {} static function make() {}}\n",
    "src/Logger.php": "<?php\nnamespace App\\Services;\nclass Logger {\n"
    "  function write() { return new Mailer(); }\n  function copy(): static { return $this; }\n}\n",
    "src/util.php": "<?php\nnamespace App\\Util;\nfunction helper() {}\n",
}


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param(
            SERVICES
            | {
                "a.php": "<?php\nnamespace App\\Models;\nuse App\\Services\\{Mailer, Logger as Log};\n"
                "class User {\n  private Mailer $mailer;\n  private $log;\n"
                "  function __construct(private ?Log $other, Mailer $m) {\n    $this->log = new Log();\n  }\n"
                "  function go(Log|null $l) {\n    $this->mailer->send();\n    $this->log->write()->send();\n"
                "    $this->other?->write();\n    $l->copy()->write();\n    $this->mailer()->send();\n  }\n"
                "  function mailer() { return $this->mailer; }\n}\n"
            },
            """a.php:11 calls $this.mailer send: import src/Mailer.php::Mailer.send
            a.php:12 calls $this.log write: import src/Logger.php::Logger.write
            a.php:12 calls $this.log.write() send: import src/Mailer.php::Mailer.send
            a.php:13 calls $this.other write: import src/Logger.php::Logger.write
            a.php:14 calls $l copy: import src/Logger.php::Logger.copy
            a.php:14 calls $l.copy() write: import src/Logger.php::Logger.write
            a.php:15 calls $this mailer: exact a.php::User.mailer
            a.php:15 calls $this.mailer() send: import src/Mailer.php::Mailer.send
            src/Logger.php:4 calls Mailer: import src/Mailer.php::Mailer""",
            id="properties, parameters and results have their types",
        ),
        pytest.param(
            SERVICES
            | {
                "a.php": "<?php\nnamespace App;\nuse App\\Services as S;\nuse function App\\Util\\helper;\nhelper();\n"
                "\\App\\Util\\helper();\nUtil\\helper();\n$m = new \\App\\Services\\Mailer;\n$m->send();\n"
                "S\\Mailer::make();\nServices\\Mailer::make();\n(new S\\Logger)->write();\n\\strlen('x');\n"
            },
            """a.php:5 calls helper: import src/util.php::helper
            a.php:6 calls ::.App.Util helper: import src/util.php::helper
            a.php:7 calls Util helper: import src/util.php::helper
            a.php:8 calls ::.App.Services Mailer: import src/Mailer.php::Mailer
            a.php:9 calls $m send: import src/Mailer.php::Mailer.send
            a.php:10 calls S.Mailer make: import src/Mailer.php::Mailer.make
            a.php:11 calls Services.Mailer make: import src/Mailer.php::Mailer.make
            a.php:12 calls S.Logger() write: import src/Logger.php::Logger.write
            a.php:13 calls :: strlen: external""",
            id="names are looked for in their namespace, from the root or from an alias",
        ),
        pytest.param(
            {
                "a.php": "<?php\ninterface Named { function name(); }\ntrait Greets { function greet() {} }\n"
                "class Base implements Named {\n  function greet() {}\n  function name() {}\n"
                "  static function create() { return new static(); }\n}\n"
                "class Kid extends Base {\n  use Greets;\n  function f() {\n    $this->greet();\n    parent::greet();\n"
                "    self::create()->name();\n    static::create();\n    $k = new self();\n    $k->greet();\n  }\n}\n",
            },
            """a.php:7 calls static: exact a.php::Base
            a.php:12 calls $this greet: hierarchy a.php::Greets.greet
            a.php:13 calls parent greet: hierarchy a.php::Base.greet
            a.php:14 calls self create: hierarchy a.php::Base.create
            a.php:14 calls self.create() name: hierarchy a.php::Base.name
            a.php:15 calls static create: hierarchy a.php::Base.create
            a.php:16 calls self: exact a.php::Kid
            a.php:17 calls $k greet: hierarchy a.php::Greets.greet""",
            id="self, static, and traits before the base",
        ),
        pytest.param(
            {
                "a.php": "<?php\nclass A { function f() {} }\nclass B { function f() {} }\n"
                "function g($x, A $a, A ...$rest) {\n  if ($x instanceof B) {\n    $x->f();\n  }\n  $x->f();\n"
                "  $h = fn (B $a) => $a->f();\n  $a->f();\n  try {\n  } catch (B $e) { $e->f(); }\n  $a = 1;\n"
                "  unknown()->f();\n}\n",
            },
            """a.php:6 calls $x f: exact a.php::B.f
            a.php:8 calls $x f: name a.php::A.f a.php::B.f
            a.php:9 calls $a f: exact a.php::B.f
            a.php:10 calls $a f: exact a.php::A.f
            a.php:12 calls $e f: exact a.php::B.f
            a.php:14 calls unknown() f: name a.php::A.f a.php::B.f""",
            id="tests, closures and catch clauses say what a name is",
        ),
        pytest.param(
            {
                "a.php": "<?php\nnamespace X;\nclass K extends \\Y\\Base { function f() { $this->g(); } }\n",
                "b.php": "<?php\nnamespace Y;\nclass Base { function g() {} }\n",
                "c.php": "<?php\nnamespace X;\nfunction h(K $k) { $k->g(); $k->nothing(); }\n",
            },
            """a.php:3 calls $this g: hierarchy b.php::Base.g
            c.php:3 calls $k g: hierarchy b.php::Base.g
            c.php:3 calls $k nothing: unresolved""",
            id="bases by their full names, and classes of the same namespace in other files",
        ),
    ],
)
def test_php(files: Files, expected: str) -> None:
    check(files, expected)
