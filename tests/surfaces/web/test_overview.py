"""The page of what the repository consists of, and what happened last."""

from __future__ import annotations

from pathlib import Path

from web_pages import links_in, shown, site_of, text_of

from running import birthmark
from worlds import World

HOSTILE = "<b>&'quote\"'"


def make_world(root: Path) -> World:
    files = {
        "shop/cart.py": "class Cart:\n    def total(self):\n        return 1\n",
        "shop/tax/rates.js": "function rate() { return 2 }\n",
        "main.py": "def main():\n    return 0\n",
    }
    return World(root, files, with_git=True)


def test_tiles_lead_to_folders_and_files(tmp_path: Path) -> None:
    world = make_world(tmp_path)
    for number in range(16):  # so many that no folder has to be opened
        world.write(f"part{number}/a.py", "x = 1\n")
    world.commit()
    world.index()
    browser = site_of(world.root)
    html = shown(browser.get("/"))
    assert {"/?folder=shop&colour=churn&size=bytes", "/file/main.py"} <= links_in(html)
    text = text_of(html)
    for said in ("19 files, 20 definitions", "javascript", "subscriptions", "up to date", "born"):
        assert said in text
    inner = shown(browser.get("/", folder="shop", colour="age", size="definitions"))
    assert {"/file/shop/cart.py", "/file/shop/tax/rates.js", "/"} <= links_in(inner)
    assert "subscriptions 0" not in text_of(inner)
    assert "/?folder=shop" in links_in(shown(browser.get("/", folder="shop/tax")))


def test_it_says_what_colours_mean(tmp_path: Path) -> None:
    world = make_world(tmp_path)
    world.commit()
    world.index()
    browser = site_of(world.root)
    assert "The history was not replayed" in text_of(shown(browser.get("/")))
    assert birthmark("index", "--from-history", cwd=tmp_path).returncode == 0
    text = text_of(shown(browser.get("/")))
    assert "The more commits changed a file" in text
    assert "not replayed" not in text


def test_the_picture_can_be_saved(tmp_path: Path) -> None:
    world = make_world(tmp_path)
    world.index()
    reply = site_of(world.root).get("/", folder="shop", picture="tree")
    assert reply.headers["content-type"] == "image/svg+xml"
    assert b"cart.py" in reply.body


def test_what_happened_last_is_listed_by_run_with_what_went_on(tmp_path: Path) -> None:
    world = make_world(tmp_path)
    world.index()
    world.replace("main.py", "def main", "def start")
    world.index()
    html = shown(site_of(world.root).get("/"))
    assert "1 renamed" in text_of(html)
    assert "start from main" in text_of(html)
    assert f"/entity/{world.mark('start')}" in links_in(html)


def test_a_first_index_of_thousands_is_said_in_a_few_lines(tmp_path: Path) -> None:
    world = World(tmp_path, {"many.py": "".join(f"def f{n}(): pass\n" for n in range(2000))})
    world.index()
    text = text_of(shown(site_of(world.root).get("/")))
    assert "200+ born" in text
    assert "195 or more others" in text
    assert text.count("many.py") < 20


def test_thousands_of_files_are_one_picture_and_a_short_table(tmp_path: Path) -> None:
    world = World(tmp_path, {f"f{n}.py": f"x = {n}\n" for n in range(1200)})
    world.index()
    html = shown(site_of(world.root).get("/"))
    assert "and 700 smaller ones" in text_of(html)


def test_an_empty_repository_has_an_overview(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.index()
    text = text_of(shown(site_of(world.root).get("/")))
    assert "The index has no file yet" in text
    assert "0 files" in text


def test_names_with_markup_are_text(tmp_path: Path) -> None:
    world = World(tmp_path, {f"{HOSTILE}/{HOSTILE}.py": "def f():\n    return 1\n"})
    world.index()
    browser = site_of(world.root)
    for reply in (browser.get("/"), browser.get("/", folder=HOSTILE)):
        html = shown(reply)
        assert "<b>" not in html
        assert HOSTILE in text_of(html)


def test_ten_problems_are_listed_and_the_others_counted(tmp_path: Path) -> None:
    world = World(tmp_path, {f"broken{n:02}.py": "def (:\n" for n in range(13)})
    world.index()
    text = text_of(shown(site_of(world.root).get("/")))
    assert "Problems 13" in text
    assert "and 3 more" in text


def test_a_folder_that_is_not_there_is_not_found(tmp_path: Path) -> None:
    world = make_world(tmp_path)
    world.index()
    browser = site_of(world.root)
    assert "shop" in text_of(shown(browser.get("/", folder="shp"), 404))
    assert shown(browser.get("/", colour="red"), 400)


def test_what_was_deleted_last_has_a_page(tmp_path: Path) -> None:
    world = make_world(tmp_path)
    world.index()
    mark = world.mark("rate")
    world.remove("shop/tax/rates.js")
    world.index()
    browser = site_of(world.root)
    assert f"/entity/{mark}" in links_in(shown(browser.get("/")))
    text = text_of(shown(browser.get(f"/entity/{mark}")))
    assert "Deleted" in text
    assert "Used by" not in text
