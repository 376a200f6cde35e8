"""`birthmark lsp`, asked by pygls's client over standard input and output of a process of its own."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from contextlib import closing
from io import BytesIO
from pathlib import Path

import pytest
from lsprotocol import types
from pygls.io_ import StdoutWriter

from birthmark.surfaces.lsp.commands import COMMANDS
from birthmark.surfaces.lsp.features import FEATURES, WORKSPACE_FEATURES, make_server
from editor_client import SERVER, at, edit, editing
from small_repositories import Commit, make_repository, replay
from worlds import World

SUM = "    return sum(cart) * 2 + 1\n"
USE = "from shop import total\n\n\ndef run():\n    return total([1])\n"
SHOP = f"def total(cart):\n{SUM}\n\nclass Cart:\n    limit = 3\n"


@pytest.fixture
def world(tmp_path: Path) -> World:
    """`total` was `price` of another file; its history was replayed."""
    world = make_repository(
        tmp_path / "shop",
        [
            Commit({"old.py": f"def price(cart):\n{SUM}"}, at=1_550_000_000, subject="Add prices"),
            Commit({"shop.py": f"def total(cart):\n{SUM}"}, subject="Rename"),
            {"shop.py": SHOP, "use.py": USE},
        ],
    )
    replay(world.root)
    return world


def place(uri: str, line: int = 0, character: int = 5) -> dict[str, object]:
    return {"uri": uri, "position": {"line": line, "character": character}}


def test_lenses_are_over_each_definition_and_say_what_is_known(world: World) -> None:
    async def story() -> None:
        async with editing(world.root) as editor:
            uri = editor.open(world.root / "shop.py")
            lenses = await editor.lenses(uri)
            assert [lens.range.start.line for lens in lenses] == [0, 4, 5]
            assert all(lens.command is None for lens in lenses)
            await editor.until(lambda: editor.n_refreshes)  # Edges are resolved.
            assert await editor.titles(uri) == {
                0: "born 2019 · 1 change · 2 users",
                4: "born 2024 · 0 changes · 0 users",
                5: "born 2024 · 0 changes · 0 users",
            }
            await editor.execute("birthmark.subscribe", place(uri))
            await editor.execute("birthmark.writeNote", place(uri) | {"text": "Rounds."})
            assert (await editor.titles(uri))[0] == "born 2019 · 1 change · 2 users · 1 watcher · 1 note"
        async with editing(world.root, options={"lensKinds": ["class"]}) as editor:
            assert [one.range.start.line for one in await editor.lenses(editor.open(world.root / "shop.py"))] == [4]

    edit(story)


def test_without_a_replayed_history_lenses_say_what_the_index_has_seen(tmp_path: Path) -> None:
    world = World(tmp_path / "plain", {"a.py": "def f(x):\n    return x + 1\n"})
    world.index()

    async def story() -> None:
        async with editing(world.root) as editor:
            uri = editor.open(world.root / "a.py")
            await editor.lenses(uri)
            await editor.until(lambda: editor.n_refreshes)
            assert await editor.titles(uri) == {0: "0 users"}
            world.replace("a.py", "x + 1", "x + 2")
            editor.change(uri, world.read("a.py"))
            editor.save(uri)
            assert (await editor.titles(uri))[0].startswith("1 change since indexed")

    edit(story)


def test_hover_has_the_last_events_the_mark_and_notes(world: World) -> None:
    async def story() -> None:
        async with editing(world.root) as editor:
            uri, use = editor.open(world.root / "shop.py"), editor.open(world.root / "use.py")
            await editor.execute("birthmark.writeNote", place(uri) | {"text": "Do *not* round."})
            text = await editor.hover(uri, 0, 5)
            assert text is not None
            assert text.startswith("**fn** `total` `bm-")
            assert "renamed from price; moved with its file from old.py" in text
            assert text.index("Rename") < text.index("introduced at old.py")
            assert "> Do \\*not\\* round." in text
            assert "changed since" not in text
            assert await editor.hover(use, 4, 13) == text  # a call of it
            assert await editor.hover(uri, 1, 5) is None  # no name
            world.replace("shop.py", "* 2", "* 3")
            editor.change(uri, world.read("shop.py"))
            editor.save(uri)
            assert "code changed since: body (+1 -1)" in (await editor.hover(uri, 0, 5) or "")

    edit(story)


def test_definitions_and_references_lead_to_names(world: World) -> None:
    async def story() -> None:
        async with editing(world.root) as editor:
            uri, use = editor.open(world.root / "shop.py"), editor.open(world.root / "use.py")
            assert await editor.definitions(use, 4, 13) == ["shop.py:1:5-9"]
            assert await editor.definitions(use, 0, 18) == ["shop.py:1:5-9"]
            assert await editor.definitions(use, 3, 5) == ["use.py:4:5-7"]
            assert await editor.definitions(use, 2, 0) == []
            assert sorted(await editor.references(uri, 0, 5)) == ["use.py:1:18-22", "use.py:5:12-16"]
            assert "shop.py:1:5-9" in await editor.references(uri, 0, 5, declares=True)
            assert await editor.references(use, 99, 99) == []

    edit(story)


def test_positions_are_those_of_the_buffer_while_it_is_edited(world: World) -> None:
    edited = "# 😀\n\n" + USE.replace("return total", "return '😀', total")

    async def story() -> None:
        async with editing(world.root) as editor:
            uri, use = editor.open(world.root / "shop.py"), editor.open(world.root / "use.py")
            editor.change(uri, "# a\n# b\n" + SHOP.replace("def total", "def whole"))
            editor.change(use, edited)
            assert [lens.range.start.line for lens in await editor.lenses(uri)] == [2, 6, 7]
            text = await editor.hover(uri, 2, 5)
            assert text is not None
            assert "`total`" in text  # It is the same thing, and its new name is not saved.
            assert await editor.definitions(use, 6, 20) == ["shop.py:3:5-9"]
            assert sorted(await editor.references(uri, 2, 5)) == ["use.py:3:18-22", "use.py:7:18-22"]
            editor.change(uri, "def broken(:\n" + SHOP)
            assert 1 in [lens.range.start.line for lens in await editor.lenses(uri)]
            editor.change(uri, SHOP + "\n\ndef fresh():\n    return 0\n")
            assert len(await editor.lenses(uri)) == 3  # What is new is not indexed yet.
            await editor.execute("birthmark.subscribe", place(uri, 9))
            assert editor.messages[-1] == "fresh: is not indexed yet; save the file first"

    edit(story)


def test_symbols_of_a_document_and_of_the_workspace(world: World) -> None:
    async def story() -> None:
        async with editing(world.root) as editor:
            uri = editor.open(world.root / "shop.py")
            params = types.DocumentSymbolParams(types.TextDocumentIdentifier(uri))
            found = await editor.client.text_document_document_symbol_async(params)
            assert found is not None
            assert [one.name for one in found] == ["total", "Cart"]
            assert isinstance(found[1], types.DocumentSymbol)
            assert [child.name for child in found[1].children or ()] == ["limit"]
            named = await editor.client.workspace_symbol_async(types.WorkspaceSymbolParams("total"))
            assert "total" in [one.name for one in named or ()]
            assert not await editor.client.workspace_symbol_async(types.WorkspaceSymbolParams(""))

    edit(story)


def test_a_former_place_is_shown_as_it_was_at_its_commit(world: World) -> None:
    async def story() -> None:
        async with editing(world.root) as editor:
            uri = editor.open(world.root / "shop.py")
            [former] = await editor.execute("birthmark.showFormerPlace", place(uri))
            assert (former["path"], former["qualified_name"], former["subject"]) == ("old.py", "price", "Rename")
            shown = editor.shown[-1]
            file = Path(shown.uri.removeprefix("file://"))
            assert file.read_text() == f"def price(cart):\n{SUM}"
            assert file.as_posix().endswith(f"{former['revision'][:12]}/old.py")
            assert shown.selection is not None
            assert shown.selection.start.line == 0
            assert await editor.hover(editor.open(file), 0, 5) is None  # It is in no repository that is open.
            await editor.execute("birthmark.showFormerPlace", place(uri, 4))
            assert editor.messages[-1] == "Cart: was never elsewhere, as far as commits tell"
        assert not file.exists()
        async with editing(world.root, shows=False) as editor:
            await editor.execute("birthmark.showLife", place(editor.open(world.root / "shop.py")))
            assert editor.messages[-1].startswith("the life of total: ")

    edit(story)


def test_diagnostics_come_and_go_and_their_actions_accept(world: World) -> None:
    async def story() -> None:
        async with editing(world.root) as editor:
            uri = editor.open(world.root / "shop.py")
            actions = await editor.actions(uri, at(1, 4, 14))
            command = actions["Subscribe to total"]
            await editor.execute(command.command, *(command.arguments or ()))
            assert "Subscribe to total" not in await editor.actions(uri, at(0, 5))
            command = actions["Write the selection as a note on total"]
            await editor.execute(command.command, *(command.arguments or ()))
            world.replace("shop.py", "* 2", "* 3")
            world.write("shop.py", "FACE = '😀'\n" + world.read("shop.py"))
            editor.change(uri, world.read("shop.py"))
            editor.save(uri)
            start = types.Position(1, 0)
            await editor.until(lambda: [one.range.start for one in editor.diagnostics.get(uri, ())] == [start, start])
            found = editor.diagnostics[uri]
            assert found[0].message.startswith("total: body changed; accepted at shop.py:1-2; sub-")
            assert found[1].message == "return sum (code changed since: body (+1 -1))"
            fixes = await editor.actions(uri, at(1, 0), found)
            for title in [
                title for title in fixes if title.startswith(("Accept the change", "The note is still true"))
            ]:
                await editor.execute(fixes[title].command, *(fixes[title].arguments or ()))
            await editor.until(lambda: not editor.diagnostics[uri])

    edit(story)


def test_a_repository_without_an_index_says_so_once_and_offers_to_make_one(tmp_path: Path) -> None:
    world = World(tmp_path / "new", {"a.py": "def f():\n    return 1\n"}, with_git=True)

    async def story() -> None:
        async with editing(world.root) as editor:
            uri = editor.open(world.root / "a.py")
            assert await editor.lenses(uri) == []
            assert await editor.hover(uri, 0, 5) is None
            await editor.until(lambda: editor.messages)
            assert editor.messages == [f"{world.root}: there is no index; run `birthmark index` first"]
            params = types.DocumentSymbolParams(types.TextDocumentIdentifier(uri))
            assert await editor.client.text_document_document_symbol_async(params)
        async with editing(world.root) as editor:
            editor.choice = "Index it now"
            uri = editor.open(world.root / "a.py")
            await editor.lenses(uri)
            await editor.until(lambda: "new: indexed 1 file with 1 definition" in editor.messages)
            assert len(await editor.lenses(uri)) == 1

    edit(story)


def test_several_folders_are_several_repositories(world: World, tmp_path: Path) -> None:
    other = World(tmp_path / "other", {"b.py": "def net(price):\n    return price\n"})
    other.index()

    async def story() -> None:
        async with editing(world.root, other.root) as editor:
            first, second = editor.open(world.root / "shop.py"), editor.open(other.root / "b.py")
            assert len(await editor.lenses(first)) == 3
            assert len(await editor.lenses(second)) == 1
            found = await editor.client.workspace_symbol_async(types.WorkspaceSymbolParams("net"))
            assert "net" in [one.name for one in found or ()]
            event = types.WorkspaceFoldersChangeEvent([], [types.WorkspaceFolder(other.root.as_uri(), "other")])
            editor.client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event))
            assert await editor.lenses(second) == []

    edit(story)


def test_what_is_outside_or_damaged_has_no_answer_and_harms_nothing(world: World, tmp_path: Path) -> None:
    async def story() -> None:
        (tmp_path / "outside.py").write_text("def f(): pass\n")
        async with editing(world.root) as editor:
            uri = editor.open(world.root / "shop.py")
            for document in (editor.open(tmp_path / "outside.py"), "untitled:Untitled-1", "file:///no/such.py", "%%"):
                assert await editor.lenses(document) == []
            assert await editor.lenses(editor.open(world.root / "new.xyz", "no language of ours")) == []
            assert await editor.lenses(editor.open(world.root / "data.py", "\ud800 \0 (((\n")) == []
            lens = types.CodeLens(at(0, 0), data="nonsense")
            assert (await editor.client.code_lens_resolve_async(lens)).command is None
            gone = types.CodeLens(at(0, 0), data={"uri": uri, "mark": "bm-000000000000"})
            resolved = await editor.client.code_lens_resolve_async(gone)
            assert resolved.command is not None
            assert resolved.command.title == "not in the index any more"
            for arguments in ([], [7], [{"uri": uri}], [{"uri": "untitled:1", "mark": "bm-000000000000"}]):
                assert await editor.execute("birthmark.showLife", *arguments) is None
            assert [text.partition(":")[0] for text in editor.messages] == [
                "the argument of a command is an object with a uri",
                "the argument of a command is an object with a uri",
                "the argument of a command needs a position or a mark",
                "untitled",
            ]
            editor.client.text_document_did_change(
                types.DidChangeTextDocumentParams(
                    types.VersionedTextDocumentIdentifier(2, "file:///never/opened.py"), []
                )
            )
            assert len(await editor.lenses(uri)) == 3

    edit(story)


def test_what_is_cancelled_is_answered_at_once(world: World) -> None:
    async def story() -> None:
        async with editing(world.root) as editor:
            uri = editor.open(world.root / "shop.py")
            protocol = editor.client.protocol
            params = types.CodeLensParams(types.TextDocumentIdentifier(uri))
            asked = protocol.send_request(types.TEXT_DOCUMENT_CODE_LENS, params, msg_id="first")
            protocol.notify(types.CANCEL_REQUEST, types.CancelParams("first"))
            with pytest.raises(Exception, match="cancel"):
                await asyncio.wrap_future(asked)
            assert len(await editor.lenses(uri)) == 3

    edit(story)


def message(**fields: object) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **fields}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (b"", 1),
        (message(method="exit"), 1),
        (message(id=1, method="shutdown") + message(method="exit"), 0),
        (b"Content-Length: 3\r\n\r\n{{{" + message(id=1, method="shutdown") + message(method="exit"), 0),
    ],
    ids=["the editor is gone", "exit alone", "in order", "after what is no JSON"],
)
def test_it_ends_when_the_editor_ends(sent: bytes, code: int) -> None:
    done = subprocess.run(SERVER, input=sent, capture_output=True, check=False, timeout=100)
    assert done.returncode == code
    assert not done.stdout or done.stdout.startswith(b"Content-Length")


def test_what_cannot_be_sent_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    with closing(make_server()) as server:
        ended = BytesIO()
        ended.close()
        server.protocol.set_writer(StdoutWriter(ended))
        server.window_show_message(types.ShowMessageParams(types.MessageType.Info, "too late"))
    assert [record.message for record in caplog.records if record.levelname == "ERROR"] == ["Error sending data"]


def test_without_its_extra_it_says_what_to_install() -> None:
    hide = "import sys; sys.modules['pygls'] = None; from birthmark.surfaces.cli.main import main; main()"
    done = subprocess.run([sys.executable, "-c", hide, "lsp"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "birthmark: lsp needs pygls; `pip install 'birthmark[lsp]'` installs it\n"


def test_the_tables_name_each_feature_and_command_once() -> None:
    methods = [feature.method for feature in (*FEATURES, *WORKSPACE_FEATURES)]
    assert len(methods) == len(set(methods))
    assert all(name.startswith("birthmark.") for name in COMMANDS)
