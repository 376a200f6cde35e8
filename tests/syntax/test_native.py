"""The extension module is loaded where it fits its sources, and nowhere else."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import birthmark
from birthmark.syntax import native

Install = Callable[[str], None]


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "native"
    folder.mkdir()
    (folder / "module.c").write_text("int x;\n")
    monkeypatch.setattr(native, "SOURCES", folder)
    monkeypatch.delenv("BIRTHMARK_PURE", raising=False)
    return folder


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Put a module in place of the real one that says whether it was run."""

    def put(digest: str) -> None:
        folder = tmp_path / "package"
        folder.mkdir()
        (folder / "_native.py").write_text(f"import sys\nDIGEST = {digest!r}\nsys.modules['native_was_run'] = sys\n")
        monkeypatch.setattr(birthmark, "__path__", [str(folder), *birthmark.__path__])
        monkeypatch.delitem(sys.modules, native.NAME, raising=False)
        monkeypatch.delattr(birthmark, "_native", raising=False)
        monkeypatch.delitem(sys.modules, "native_was_run", raising=False)

    return put


def load() -> tuple[bool, bool]:
    """Whether there is a module to use, and whether anything of it was run."""
    try:
        return native.load_native.__wrapped__() is not None, "native_was_run" in sys.modules
    finally:
        for name in (native.NAME, "native_was_run"):
            sys.modules.pop(name, None)


def test_a_module_of_these_sources_is_used(sources: Path, install: Install) -> None:
    install(native.digest_sources(sources))
    assert load() == (True, True)


@pytest.mark.parametrize(
    ("file", "content"),
    [("module.c", "int y;\n"), ("new.h", ""), ("requirements.txt", "tree-sitter==1"), ("build.py", "")],
)
def test_a_module_of_other_sources_is_not_even_run(sources: Path, install: Install, file: str, content: str) -> None:
    install(native.digest_sources(sources))
    (sources / file).write_text(content)
    assert load() == (False, False)


def test_without_sources_the_installed_module_is_used(sources: Path, install: Install) -> None:
    install("of a wheel")
    assert load() == (False, False)
    (sources / "module.c").unlink()
    assert load() == (True, True)


def test_pure_python_can_be_asked_for(sources: Path, install: Install, monkeypatch: pytest.MonkeyPatch) -> None:
    install(native.digest_sources(sources))
    monkeypatch.setenv("BIRTHMARK_PURE", "1")
    assert load() == (False, False)


def test_a_binary_of_another_system_is_no_error(sources: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "_native.abi3.so").write_text(native.digest_sources(sources))
    monkeypatch.setattr(birthmark, "__path__", [str(tmp_path)])
    monkeypatch.delitem(sys.modules, native.NAME, raising=False)
    assert load() == (False, False)


def test_content_cannot_move_between_files(tmp_path: Path) -> None:
    """Files of other names or with other borders between them are other sources."""
    digests = set()
    for number, files in enumerate([{"a.c": "xy"}, {"b.c": "xy"}, {"a.c": "x", "b.c": "y"}, {"a.c": "", "b.c": "xy"}]):
        folder = tmp_path / str(number)
        folder.mkdir()
        for name, content in files.items():
            (folder / name).write_text(content)
        digests.add(native.digest_sources(folder))
    assert len(digests) == 4
