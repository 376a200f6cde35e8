"""Code that is written in another way: prototypes as classes, JavaScript as TypeScript, functions as methods."""

from __future__ import annotations

from textwrap import dedent

import pytest
from comparing import state

from birthmark.comparison.pair_commit import pair_commit
from birthmark.extraction.model import EntityRef, OutlinedFile
from reading import family_of

LANGUAGES = {"js": "javascript", "ts": "typescript", "py": "python"}

PROTOTYPE = """
    function Shape(name, corners) {
      this.name = name;
      this.corners = corners || [];
    }
    Shape.prototype.area = function (scale) {
      var total = 0;
      for (var i = 0; i < this.corners.length; i++) { total += this.corners[i].x * scale; }
      return total;
    };
    Shape.create = function (name) { return new Shape(name, defaults(name)); };
    var clamp = function (value, low, high) { return value < low ? low : value > high ? high : value; };
"""
CLASS = """
    class Shape {
      constructor(name, corners) {
        this.name = name;
        this.corners = corners || [];
      }
      area(scale) {
        let total = 0;
        for (let i = 0; i < this.corners.length; i++) { total += this.corners[i].x * scale; }
        return total;
      }
      static create(name) { return new Shape(name, defaults(name)); }
    }
    const clamp = (value, low, high) => value < low ? low : value > high ? high : value;
"""
TYPED = """
    export class Shape {
      private name: string;
      public corners: Point[];
      constructor(name: string, corners?: Point[]) {
        this.name = name;
        this.corners = corners || [];
      }
      area(scale: number): number {
        let total = 0;
        for (let i = 0; i < this.corners.length; i++) { total += this.corners[i].x * scale; }
        return total;
      }
      static create(name: string): Shape { return new Shape(name, defaults(name)); }
    }
    export const clamp = (value: number, low: number, high: number): number =>
      value < low ? low : value > high ? high : value;
"""
COMPONENT = """
    var List = React.createClass({
      componentDidMount: function () { this.props.source.subscribe(this.onItems, this.props.interval); },
      onItems: function (items) { this.setState({ items: items.filter(Boolean), count: items.length }); }
    });
"""
COMPONENT_CLASS = """
    class List extends React.Component {
      componentDidMount() { this.props.source.subscribe(this.onItems, this.props.interval); }
      onItems(items) { this.setState({ items: items.filter(Boolean), count: items.length }); }
    }
"""
MEMBERS = {name: name for name in ("Shape.name", "Shape.corners", "Shape.area", "Shape.create", "clamp")}
TO_CLASS = {**MEMBERS, "Shape": "Shape.constructor"}


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param(("a.js", PROTOTYPE), ("a.js", CLASS), TO_CLASS, id="prototypes become a class"),
        pytest.param(("a.js", PROTOTYPE), ("a.ts", TYPED), TO_CLASS, id="and TypeScript at once"),
        pytest.param(
            ("a.js", CLASS),
            ("a.ts", TYPED),
            {**MEMBERS, "Shape": "Shape", "Shape.constructor": "Shape.constructor"},
            id="JavaScript becomes TypeScript",
        ),
        pytest.param(
            ("a.js", COMPONENT),
            ("a.js", COMPONENT_CLASS),
            {"List.componentDidMount": "List.componentDidMount", "List.onItems": "List.onItems"},
            id="an object with methods becomes a class",
        ),
    ],
)
def test_conversions(before: tuple[str, str], after: tuple[str, str], expected: dict[str, str]) -> None:
    assert pairs(before, after) == expected


def test_documentation_says_little_of_what_code_is() -> None:
    """A documented function becomes a method of another name, in another file, without its documentation."""
    body = """
        position = to_float(arange(length))
        increment = log(float({0}longest) / float({0}shortest)) / (to_float(channels) - 1)
        scaled = expand(position, 1) * expand({0}shortest * exp(arange(channels) * -increment), 0)
        return reshape(concat([sin(scaled), cos(scaled)], axis=1), [1, length, channels])
    """
    text = "Gets a bunch of sinusoids of different frequencies, each channel of which is incremented by another. " * 3
    before = f'def signal(length, channels, shortest=1.0, longest=1.0e4):\n        """{text}"""{body.format("")}'
    after = f"class Positions:\n    def embed(self, length, channels):{body.format('self.')}"
    assert pairs(("a.py", before), ("b.py", after)) == {"signal": "Positions.embed"}


def test_what_was_extracted_is_called_by_the_name_that_stays() -> None:
    stacks = "const all = []; for (const meta of metas) { if (meta.stack > last) { all.push(meta.stack, last); } }"
    before = f"class A {{ count(last) {{ {stacks} return all.length; }} }}"
    after = f"class A {{ list(last) {{ {stacks} return all; }} count() {{ return this.list(undefined).length + 1; }} }}"
    assert pairs(("a.js", before), ("a.js", after)) == {"A": "A", "A.count": "A.count"}


def pairs(before: tuple[str, str], after: tuple[str, str]) -> dict[str, str]:
    old, new = outlined(*before), outlined(*after)
    successors = pair_commit([old], [new], family_of).successors
    return {name_of(old, one): name_of(new, other) for one, other in successors.items()}


def outlined(path: str, source: str) -> OutlinedFile:
    return state(path, dedent(source), LANGUAGES[path.rpartition(".")[2]])


def name_of(file: OutlinedFile, ref: EntityRef) -> str:
    return file.outline.entities[ref[1]].qualified_name
