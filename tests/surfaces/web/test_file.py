"""The page of a file, as it is and as it was."""

from __future__ import annotations

from pathlib import Path

import pytest
from web_pages import links_in, shown, site_of, text_of

from running import birthmark
from worlds import World

HOSTILE = "<script>alert(1)</script>&'"


def page_of(world: World, path: str, **query: object) -> str:
    return shown(site_of(world.root).get(f"/file/{path}", **query))


def world_of(root: Path, path: str, source: bytes) -> World:
    world = World(root)
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_bytes(source)
    world.index()
    return world


def test_definitions_are_listed_with_their_users_beside_the_source(tmp_path: Path) -> None:
    source = "class Cart:\n    def total(self):\n        return rate()\n\n\ndef rate():\n    return 2\n"
    world = World(tmp_path, {"shop/cart.py": source, "main.py": "from shop.cart import rate\n\nrate()\n"})
    world.index()
    assert birthmark("users", "rate", cwd=tmp_path).returncode == 0  # so that edges are at hand
    html = page_of(world, "shop/cart.py")
    links = links_in(html)
    assert {f"/entity/{world.mark(name)}" for name in ("Cart", "Cart.total", "rate")} <= links
    assert {"/", "/?folder=shop", "#L2"} <= links
    assert 'title="rate has 2 users">2</a>' in html
    assert 'class="depth-1"><span class="kind">method</span>' in html
    assert '<tr id="L7"><td class="number" data-line="7">' in html
    assert '<span class="hl-keyword">return</span>' in html


def test_lines_can_be_subscribed_to(tmp_path: Path) -> None:
    html = page_of(world_of(tmp_path, "a.py", b"x = 1\n"), "a.py")
    assert 'data-lines="a.py"' in html
    assert '<form method="post" action="/subscriptions"' in html
    assert 'name="form_token"' in html


@pytest.mark.parametrize(
    ("line", "expected"),
    [(None, (1, 1000)), (1000, (1, 1000)), (1001, (1001, 2000)), (2500, (2001, 2500)), (9999, (2001, 2500))],
)
def test_a_long_file_is_shown_in_parts(tmp_path: Path, line: int | None, expected: tuple[int, int]) -> None:
    world = world_of(tmp_path, "a.py", "".join(f"x{n} = {n}\n" for n in range(1, 2501)).encode())
    html = page_of(world, "a.py", **({} if line is None else {"line": line}))
    first, last = expected
    assert html.count('<tr id="L') == last - first + 1
    assert f'<tr id="L{first}">' in html
    assert f'<tr id="L{last}">' in html
    assert {"/file/a.py?line=1#L1", "/file/a.py?line=1001#L1001", "/file/a.py?line=2001#L2001"} <= links_in(html)
    assert "Definitions 400 of 2500" in text_of(html)


def test_a_part_that_begins_in_a_docstring_is_highlighted_as_one(tmp_path: Path) -> None:
    source = "x = 1\n" * 900 + 'def f():\n    """\n' + "    for all\n" * 200 + '    """\n    return 1\n'
    html = page_of(world_of(tmp_path, "a.py", source.encode()), "a.py", line=1001)
    assert '<span class="hl-comment">    for all</span>' in html
    assert '<span class="hl-keyword">return</span>' in html
    assert ">for<" not in html


@pytest.mark.slow
def test_fifty_thousand_lines_are_a_page_of_a_thousand(tmp_path: Path) -> None:
    html = page_of(world_of(tmp_path, "a.py", b"x = 1\n" * 50_000), "a.py", line=50_000)
    assert html.count('<tr id="L') == 1000
    assert "50,000 lines" in text_of(html)


def test_a_very_long_line_is_cut(tmp_path: Path) -> None:
    html = page_of(world_of(tmp_path, "a.py", b"x = '" + b"y" * 100_000 + b"'\n"), "a.py")
    assert "95,006 more characters" in text_of(html)
    assert len(html) < 20_000


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (b"", "The file is empty."),
        (b"\n\n", "2 lines"),
        (b"# \xff\xfe\nprint(1)", "# ÿþ print(1)"),
        (b"# \x1b[31m \xe2\x80\xae\r\nprint(1)\r\n", "\ufffd[31m \ufffd print(1)"),
        (f"# {HOSTILE}\n".encode(), HOSTILE),
    ],
)
def test_any_text_is_shown(tmp_path: Path, source: bytes, said: str) -> None:
    html = page_of(world_of(tmp_path, "a.py", source), "a.py")
    assert said in text_of(html)
    assert "<script>alert" not in html


def test_names_with_markup_are_text(tmp_path: Path) -> None:
    name = "<b>&'\"#?%20 .py"
    world = world_of(tmp_path, f"{name}", b"def f():\n    return 1\n")
    html = page_of(world, "%3Cb%3E%26%27%22%23%3F%2520%20.py")
    assert "<b>" not in html
    assert name in text_of(html)
    links = [link for link in links_in(html) if link.startswith("/file/")]
    assert links
    assert all(link.partition("?")[0] == "/file/%3Cb%3E%26%27%22%23%3F%2520%20.py" for link in links)


MIXED = {
    "a.md": ("# T\n\n```python\ndef f():\n    return 1\n```\n\nfor all\n", {5: "return"}, {8: "for"}),
    "a.html": ("<p>for</p>\n<script>\nfunction f() { return 1 }\n</script>\n", {3: "return"}, {1: "for"}),
    "a.vue": (
        "<template>\n<p>if</p>\n</template>\n<script>\nexport default { f() { return 1 } }\n</script>\n",
        {5: "return"},
        {2: "if"},
    ),
    "b.md": ("---\ntitle: x\n---\n\n> ```js\n> return\n> ```\n", {}, {}),
    "c.html": ("<p>x</p><script>var a = 1</script><b>var</b>\n", {}, {}),
}


@pytest.mark.parametrize("path", MIXED)
def test_segments_are_highlighted_in_their_own_language(tmp_path: Path, path: str) -> None:
    source, keywords, plain = MIXED[path]
    html = page_of(world_of(tmp_path, path, source.encode()), path)
    rows = {number: html.partition(f'<tr id="L{number}">')[2].partition("</tr>")[0] for number in range(1, 20)}
    for number, word in keywords.items():
        assert f'<span class="hl-keyword">{word}</span>' in rows[number]
    for number, word in plain.items():
        assert f'<span class="hl-keyword">{word}</span>' not in rows[number]
    assert html.count('<tr id="L') == source.count("\n")


def test_a_file_is_shown_as_it_was(tmp_path: Path) -> None:
    world = World(tmp_path, {"a.py": "def f():\n    return 'first'\n"}, with_git=True)
    revisions = [world.commit()]
    for word in ("second", "third"):
        world.write("a.py", f"def f():\n    return '{word}'\n")
        revisions.append(world.commit())
    assert birthmark("index", "--from-history", cwd=tmp_path).returncode == 0
    first, second, third = revisions
    now = page_of(world, "a.py")
    assert "third" in now
    assert f"/file/a.py?at={second}" in links_in(now)
    then = page_of(world, "a.py", at=second)
    assert "second" in text_of(then)
    assert {f"/file/a.py?at={first}", f"/file/a.py?at={third}", "/file/a.py"} <= links_in(then)
    assert f"/entity/{world.mark('f')}?at={second}" in links_in(then)
    assert 'action="/subscriptions"' not in then
    assert "first" in text_of(page_of(world, "a.py", at="HEAD~2"))
    assert "nowhere" in text_of(shown(site_of(world.root).get("/file/a.py", at="nowhere"), 404))


def test_what_only_the_worktree_has_follows_the_last_commit(tmp_path: Path) -> None:
    world = World(tmp_path, {"a.py": "def f():\n    return 'first'\n"}, with_git=True)
    head = world.commit()
    assert birthmark("index", "--from-history", cwd=tmp_path).returncode == 0
    world.write("a.py", "def f():\n    return 'edited'\n")
    assert birthmark("index", cwd=tmp_path).returncode == 0
    html = page_of(world, "a.py")
    assert "edited" in html
    assert f"/file/a.py?at={head}" in links_in(html)


def test_folders_lead_to_the_overview_and_unknown_languages_to_git(tmp_path: Path) -> None:
    world = World(tmp_path, {"shop/a.py": "x = 1\n", "notes.unknown": "words & more\n"}, with_git=True)
    (tmp_path / "data.bin").write_bytes(b"\0\1\2")
    world.commit()
    world.index()
    browser = site_of(world.root)
    assert browser.get("/file/shop/").headers["location"] == "/?folder=shop"
    assert browser.get("/file/shop/../shop/a.py").headers["location"] == "/file/shop/a.py"
    assert browser.get("/file/notes.unknown").headers["location"] == "/file/notes.unknown?at=HEAD"
    assert "words & more" in text_of(page_of(world, "notes.unknown", at="HEAD"))
    assert "is no text" in text_of(page_of(world, "data.bin", at="HEAD"))


def test_what_is_no_file_is_not_found(tmp_path: Path) -> None:
    world = World(tmp_path, {"shop.py": "x = 1\n"})
    world.index()
    browser = site_of(world.root)
    assert "shop.py" in text_of(shown(browser.get("/file/shp.py"), 404))
    for path in ("/file/../../etc/passwd", "/file//etc/passwd", "/file/.birthmark/http-token"):
        assert shown(browser.get(path), 404)
