"""The documents tell the truth about commands, settings, captures, rooms and dependencies."""

from __future__ import annotations

import re
import shutil
import tomllib
from enum import StrEnum
from itertools import chain
from pathlib import Path

import pytest
from cli_reference import write_cli_page
from reference_pages import SECTION, document_names, write_tables

from birthmark import vocabulary
from birthmark.entities.chunks import ChunkSizes
from birthmark.languages.registry import LanguageSpec
from birthmark.languages.rules import (
    ExpressionRules,
    ImplicitUseRules,
    ResolutionRules,
    TestRules,
    VisibilityRules,
)
from birthmark.model import KINDS, NODE_TYPES
from birthmark.sources.config import IndexSettings, LimitSettings, MailSettings, McpSettings, WebhookSettings
from birthmark.surfaces.cli.command_table import COMMANDS
from birthmark.syntax.query import ROLES, TRIVIA
from birthmark.vocabulary import HistoryChange, ManifestFormat, ModuleLookup
from figures_page import write_page
from page_sessions import check_session
from running import birthmark
from sample_shop import make_shop

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


def text(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def test_the_reference_of_commands_is_made_from_them() -> None:
    """`make docs-reference` writes it anew."""
    assert write_cli_page() == text("docs/reference/cli.md")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_described_with_examples(command: str) -> None:
    section = text("docs/reference/cli.md").partition(f"\n### `birthmark {command}`\n")[2].partition("\n### ")[0]
    assert f"```sh\nbirthmark {command}" in section
    assert "Examples:" in section


TABLES = (LimitSettings, IndexSettings, McpSettings, ChunkSizes, WebhookSettings, MailSettings)


@pytest.mark.parametrize("field", sorted({field for table in TABLES for field in table.__struct_fields__}))
def test_every_setting_is_described(field: str) -> None:
    assert re.search(rf"^{field} = ", text("docs/reference/settings.md"), re.M)


def test_every_field_of_a_language_is_described() -> None:
    page = text("docs/how-to/add-a-language.md")
    rules = (ExpressionRules, ImplicitUseRules, ResolutionRules, TestRules, VisibilityRules)
    tables = (LanguageSpec, *rules)
    fields = {field for table in tables for field in table.__struct_fields__} - {"name", "queries"}
    words = fields | set(ModuleLookup) | set(ManifestFormat)
    assert {word for word in words if f"`{word}`" not in page} == set()


def test_every_capture_is_described() -> None:
    page = text("docs/how-to/add-a-language.md")
    assert {role for role in (*ROLES, *TRIVIA) if f"`@{role}" not in page} == set()


def test_every_room_is_on_the_map() -> None:
    rooms = {path.name for path in (ROOT / "src/birthmark").iterdir() if path.name[0] != "_"} - {"py.typed"}
    assert {room for room in rooms if room not in text("ARCHITECTURE.md")} == set()


def test_every_kind_and_type_is_described() -> None:
    assert all(kind in text("docs/reference/ids.md") for kind in KINDS)
    assert all(type_ in text("docs/reference/wire.md") for type_ in NODE_TYPES.values())


@pytest.mark.parametrize("page", ["docs/reference/wire.md", "docs/reference/subscriptions.md"])
def test_tables_are_those_of_the_types(page: str) -> None:
    """`make docs-reference` writes them anew."""
    assert write_tables(text(page)) == text(page)


def test_every_document_has_its_table() -> None:
    tables = [match[2] for match in SECTION.finditer(text("docs/reference/wire.md"))]
    assert sorted(tables) == sorted(document_names())


def test_every_word_of_histories_is_described() -> None:
    page = text("docs/reference/history.md")
    assert {word for word in HistoryChange if f"`{word}`" not in page} == set()


NOUNS = "file segment entity node chunk edge fingerprint identity event pairing derivation reference state note".split()


def test_every_noun_and_value_is_in_the_glossary() -> None:
    page = text("docs/glossary.md")
    values = vars(vocabulary).values()
    enums = [one for one in values if isinstance(one, type) and issubclass(one, StrEnum) and one is not StrEnum]
    assert {noun for noun in (*NOUNS, "subscription") if f"| {noun} |" not in page} == set()
    assert {one.__name__ for one in enums if f"### {one.__name__}: " not in page} == set()
    for enum in enums:
        section = page.partition(f"### {enum.__name__}: ")[2].partition("\n### ")[0]
        assert {value for value in enum if f"`{value}`" not in section} == set()
        assert set(re.findall(r"`([^`]+)`", "".join(re.findall(r"^\| (`.*?) \|", section, re.M)))) == set(enum)


def test_modules_in_explanations_exist() -> None:
    pages = "".join(page.read_text("utf-8") for page in (ROOT / "docs/explanation").glob("*.md"))
    named = set(re.findall(r"`((?!build/)(?:[a-z_]+/)+(?:[a-z_]+\.py)?)`", pages))  # A build makes its own folders.
    assert {path for path in named if not any((ROOT / base / path).exists() for base in ("src/birthmark", ""))} == set()


@pytest.mark.parametrize(
    "page",
    [
        "SECURITY.md",
        "CONTRIBUTING.md",
        *(
            f"docs/how-to/{path.name}"
            for path in sorted((ROOT / "docs/how-to").glob("add-*.md"))
            if path.name != "add-a-language.md"
        ),
    ],
)
def test_modules_and_tests_that_a_page_names_exist(page: str) -> None:
    named = set(re.findall(r"`((?:[a-z_]+/)+(?:[a-z_]+\.py)?)`", text(page)))
    assert {path for path in named if not any((ROOT / base / path).exists() for base in ("src/birthmark", ""))} == set()
    tests = "".join(text(path) for path in named if path.startswith("tests/") and path.endswith(".py"))
    assert {name for name in re.findall(r"`(test_\w+)`", text(page)) if f"def {name}(" not in tests} == set()


def test_commands_that_replace_others_exist() -> None:
    """With the options that the page names behind them."""
    page = text("docs/explanation/seed-programs.md")
    reference = text("docs/reference/cli.md")
    for command, rest in re.findall(r"`birthmark (\w+)([^`]*)`", page):
        assert command in COMMANDS, command
        section = reference.partition(f"\n### `birthmark {command}`\n")[2].partition("\n### ")[0]
        assert [option for option in re.findall(r"(?<![\w-])--?[a-z][a-z-]*", rest) if option not in section] == []


def test_every_dependency_has_its_reason() -> None:
    project = tomllib.loads(text("pyproject.toml"))["project"]
    page = text("docs/explanation/dependencies.md")
    packages = [*project["dependencies"], *chain.from_iterable(project["optional-dependencies"].values())]
    names = {re.split(r"[<>=[]", package)[0] for package in packages}
    assert {name for name in names if name not in page and not name.startswith("tree-sitter-")} == set()


def test_the_page_of_figures_is_current() -> None:
    """`make bench-page` writes it."""
    assert text("docs/explanation/figures.md") == write_page(tomllib.loads(text("benchmarks/figures.toml")))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["README.md", "docs/index.md"])
def test_a_first_session_is_real(name: str, tmp_path: Path) -> None:
    page, folder = text(name), tmp_path / "demo"
    folder.mkdir()
    shop = re.search(r"^\$ cat shop.py\n(.*?)\n^\$ ", page, re.S | re.M)
    assert shop is not None
    (folder / "shop.py").write_text(shop[1])
    check_session(page, folder)


@pytest.mark.slow
def test_the_tutorials_session_is_real(tmp_path: Path) -> None:
    (tmp_path / "bank").mkdir()
    check_session(text("docs/tutorial.md"), tmp_path / "bank")


# What is shown and not run, by the title that readers see above it.
ELSEWHERE = {"Flask", "express", "Django", "A method of Flask", "In your project", "In the folder of this project"}
UNRUN = ELSEWHERE | {
    "As the owner of the tables",
    "On a server",
    "With a server of yours",
    "Where PostgreSQL is",  # these two are run by tests/test_team_page.py
    "Where the repositories are",
    "init.el, with Eglot",
    "init.el, with lsp-mode",
    "init.lua",
    "settings.json",
    "Until Ctrl-C",
    "With the id of your note",
    "With DuckDB",
    "Part of an answer",
    "A folder",
    "Part of a case",
    "Part of a module",
    "With your settings",
}
SHOWN = {"scheme", "toml", "yaml"}  # no commands
IN_PYTHON = {"py", "pycon", "python"}  # run by tests/api and by tests/surfaces/test_keep_embeddings_current.py
GUIDES = sorted((ROOT / "docs/how-to").glob("*.md"))


@pytest.mark.parametrize("guide", GUIDES, ids=lambda path: path.stem)
def test_a_guides_session_is_real(guide: Path, tmp_path: Path) -> None:
    """In the sample shop, whose history is replayed."""
    if "| jq" in guide.read_text("utf-8") and not shutil.which("jq"):
        pytest.skip("jq is not installed")
    folder = make_shop(tmp_path / "shop").root
    assert birthmark("index", "--from-history", cwd=folder).returncode == 0
    check_session(guide.read_text("utf-8"), folder)


@pytest.mark.parametrize("guide", GUIDES, ids=lambda path: path.stem)
def test_what_a_guide_shows_is_run_or_says_where_it_is_from(guide: Path) -> None:
    page = guide.read_text("utf-8")
    heads = re.findall(r"^ *```(\S.*)$", page, re.M)
    assert page.count("```") == 2 * len(heads)
    for language, _, title in (head.partition(" ") for head in heads):
        assert language in SHOWN | IN_PYTHON | {"sh", "console"} or title, language
        assert not title or title.removeprefix('title="').removesuffix('"') in UNRUN, title


@pytest.mark.parametrize("lock", ["requirements.txt", "requirements-dev.txt"])
def test_a_lock_names_no_hosts(lock: str) -> None:
    assert "://" not in text(lock)


def test_both_locks_have_the_same_versions() -> None:
    run, dev = (
        dict(re.findall(r"^([\w.-]+)==(\S+)", text(lock), re.M))
        for lock in ("requirements.txt", "requirements-dev.txt")
    )
    assert run.items() <= dev.items()


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(document: Path) -> None:
    for link, anchor in re.findall(r"\]\(([^)#]*)(?:#([^)]*))?\)", document.read_text("utf-8")):
        target = document.parent / link if link else document
        assert target.exists(), link
        if anchor and "::: birthmark" not in target.read_text("utf-8"):  # whose headings the site puts in
            assert anchor in anchors_in(target), f"{link}#{anchor}"


def anchors_in(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.S | re.M), re.M)
    return {re.sub(r"[^\w -]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}
