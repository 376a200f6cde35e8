"""`history` needs no index, and understands the same names without one."""

from __future__ import annotations

from pathlib import Path

import pytest

from running import birthmark, document
from worlds import World

RUBY = "module Rack\n  class Request\n    def query(a)\n      a + 1\n    end\n  end\nend\n"
JAVA = "class IO {\n  void close(A a) {\n    a.go();\n  }\n\n  void close(A a, B<C> b) {\n    b.go();\n  }\n}\n"


@pytest.mark.parametrize("is_indexed", [False, True])
def test_names_are_understood_as_with_one(tmp_path: Path, is_indexed: bool) -> None:
    world = World(tmp_path / "r", {"lib/rack/request.rb": RUBY, "org/IO.java": JAVA}, with_git=True)
    world.commit()
    if is_indexed:
        world.index()
    names = {
        "Rack::Request": 2,
        "Rack::Request#query": 3,
        "Request.query": 3,
        "IO.close(A)": 2,
        "IO#close(A, B<C>)": 6,
        "org.IO.close(A, B)": 6,
        "org/IO.java::IO.close(A, B)": 6,
    }
    found = {name: document("history", name, cwd=world.root)["entity"]["start_line"] for name in names}
    assert found == names
    refused = birthmark("history", "IO.close", cwd=world.root)
    assert refused.returncode == 2
    assert "IO.close(A, B)" in refused.stderr
