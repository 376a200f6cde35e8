"""The command as a user meets it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from birthmark import __version__
from birthmark.surfaces.cli.command_table import COMMANDS, FIRST_COMMANDS, SECTIONS
from birthmark.surfaces.cli.commands.help import EXIT_CODES, TOPICS
from birthmark.syntax.native import load_native
from ignored_signals import handle_ignored_signals

SOURCE = "import os\n\n\nclass A:\n    def f(self, x):\n        return os.path.join(x)\n"


def birthmark(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "birthmark", *arguments],
        cwd=cwd,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


FIRST = [name for names in FIRST_COMMANDS.values() for name in names]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.py").write_text(SOURCE)
    return tmp_path


def lines(result: subprocess.CompletedProcess[str]) -> list[dict[str, object]]:
    assert result.returncode == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_version(folder: Path) -> None:
    result = birthmark("--version", cwd=folder)
    path = "pure Python" if load_native() is None else "native"
    assert (result.stdout, result.returncode) == (f"birthmark {__version__} ({path})\n", 0)
    assert birthmark("--version", cwd=folder, BIRTHMARK_PURE="1").stdout == f"birthmark {__version__} (pure Python)\n"


@pytest.mark.parametrize("command", ["entities", "nodes", "chunks", "languages", "completion"])
def test_help_shows_examples(folder: Path, command: str) -> None:
    result = birthmark(command, "--help", cwd=folder)
    assert result.returncode == 0
    assert "Examples:\n" in result.stdout


def test_entities(folder: Path) -> None:
    result = birthmark("entities", "a.py", cwd=folder)
    assert result.stdout == "a.py\n  4-6  class   class A\n  5-6  method  def A.f(self, x)\n\n2 entities in 1 file\n"


def test_entities_as_lines(folder: Path) -> None:
    first, second = lines(birthmark("entities", "a.py", "--jsonl", cwd=folder))
    fields = (
        "mark key semantic_id kind name qualified_name parent language path virtual_path "
        "start_line end_line start_byte end_byte fingerprints"
    )
    assert set(fields.split()) <= set(first)
    assert (second["kind"], second["qualified_name"], second["parent"], second["path"]) == (
        "method",
        "A.f",
        "A",
        "a.py",
    )
    assert (second["start_line"], second["end_line"], second["start_byte"]) == (5, 6, 25)


def test_nodes_as_lines(folder: Path) -> None:
    nodes = lines(birthmark("nodes", "a.py", "--jsonl", cwd=folder))
    calls = [node for node in nodes if node["type"] == "CALL"]
    assert [(call["name"], call["named_parent"], call["start_line"]) for call in calls] == [("os.path.join", "f", 6)]


def test_chunks_as_lines(folder: Path) -> None:
    chunks = lines(birthmark("chunks", "a.py", "--jsonl", cwd=folder))
    assert [(chunk["docId"], chunk["kind"], chunk["startLine"], chunk["endLine"]) for chunk in chunks] == [
        (0, "gap", 1, 3),
        (1, "class", 4, 4),
        (2, "method", 5, 6),
    ]
    assert chunks[0]["segment"] is None


def test_chunks_of_segments(folder: Path) -> None:
    (folder / "a.md").write_text("# T\n\n```py\nx = 1\n```\n")
    chunks = lines(birthmark("chunks", "a.md", "--jsonl", cwd=folder))
    segment = chunks[1]["segment"]
    assert isinstance(segment, dict)
    assert (segment["type"], segment["languageId"]) == ("fence", "python")
    assert chunks[1]["virtualPath"] == f"a.md#seg:{segment['segmentUid']}"


def test_one_document(folder: Path) -> None:
    result = birthmark("entities", "a.py", "--json", cwd=folder)
    assert [entity["name"] for entity in json.loads(result.stdout)] == ["A", "f"]


def test_paths_are_relative_to_the_repository(folder: Path) -> None:
    (folder / ".git").mkdir()
    (folder / "sub").mkdir()
    (folder / "sub" / "b.py").write_text(SOURCE)
    (entity, _) = lines(birthmark("-C", "sub", "entities", "b.py", "--jsonl", cwd=folder))
    assert entity["path"] == "sub/b.py"
    (entity, _) = lines(birthmark("entities", str(folder / "a.py"), "--jsonl", cwd=Path("/")))
    assert entity["path"] == "a.py"


@pytest.mark.parametrize(("name", "path"), [(b"caf\xe9.py", "caf\\xe9.py"), ("café 😀.py".encode(), "café 😀.py")])
def test_odd_file_names(folder: Path, name: bytes, path: str) -> None:
    (folder / os.fsdecode(name)).write_text(SOURCE)
    (entity, _) = lines(birthmark("entities", os.fsdecode(name), "--jsonl", cwd=folder))
    assert entity["path"] == path
    assert str(entity["semantic_id"]).startswith(f"{path}->CLASS->A")


def test_attributes_decide_the_language(folder: Path) -> None:
    (folder / ".gitattributes").write_text("*.h linguist-language=C++\n")
    (folder / "a.h").write_text("class A {};\n")
    (entity,) = lines(birthmark("entities", "a.h", "--jsonl", cwd=folder))
    assert (entity["kind"], entity["language"]) == ("class", "cpp")


def test_broken_source_is_told_on_stderr(folder: Path) -> None:
    (folder / "a.py").write_text("def f(:\n  pass\n")
    result = birthmark("entities", "a.py", "--jsonl", cwd=folder)
    assert result.returncode == 0
    assert result.stderr.startswith("birthmark: a.py: ")
    assert "syntax error" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["entities", "missing.py"], "no such file"),
        (["entities", ".", "--language", "python"], "is a folder"),
        (["entities", "a.unknown"], "say which with --language"),
        (["entities", "a.py", "--language", "klingon"], "unknown language 'klingon'"),
        (["entities", "a.py", "--max-bytes", "5"], "raise --max-bytes"),
        (["entities"], "there is no index"),
        (["entities", "a.py", "--nonsense"], "entities: no such option: --nonsense; `birthmark help entities` lists"),
        (["entities", "a.py", "--jsnol"], "entities: no such option: --jsnol; did you mean --jsonl or --json?"),
        (["nonsense"], "no such command: nonsense; `birthmark help --all` lists what there is"),
        (["histroy"], "no such command: histroy; did you mean history?"),
        (["init"], "no such command: init; nothing needs to be initialised; `birthmark index` makes the index"),
        (["show"], "show: REF is missing; `birthmark help show` explains it"),
        (["index", "--jobs", "many"], "index: --jobs: 'many' is not a valid integer"),
        (
            ["index", "--detail", "ful"],
            "--detail: 'ful' is not one of 'definitions', 'full'; did you mean full?",
        ),
        (["subscriptions", "delet"], "subscriptions: no such command: delet; did you mean delete?"),
        (["subscriptions", "snooze"], "subscriptions snooze: ID… is missing; `birthmark help subscriptions snooze`"),
        (["help", "histroy"], "no such command: histroy; did you mean history?"),
        (["help", "subscriptions", "snooz"], "subscriptions: no such command: snooz; did you mean snooze?"),
        (["--colour", "never", "index"], "no such option: --colour; did you mean --color?"),
        (["status", "x", "y"], "status: got unexpected extra arguments (x y)"),
        (["-C", "missing", "entities", "a.py"], "does not exist"),
    ],
)
def test_bad_input_gets_one_clear_line_and_2(folder: Path, arguments: list[str], message: str) -> None:
    (folder / "a.unknown").write_text("x")
    result = birthmark(*arguments, cwd=folder)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith("birthmark: ")
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_failure_exits_3_and_says_where_to_look(folder: Path) -> None:
    code = (
        "import birthmark.app.answers.listing as l, birthmark.surfaces.cli.main as c, sys\n"
        "def fail(): raise RuntimeError('oops')\n"
        "l.list_languages = fail\nsys.argv = ['birthmark', 'languages']\nc.main()\n"
    )
    result = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False)
    assert result.returncode == 3
    log = result.stderr.strip().rsplit(" ", 1)[1]
    assert "RuntimeError: oops" in result.stderr
    assert "Traceback" in Path(log).read_text()
    Path(log).unlink()


def test_output_that_is_no_longer_read_ends_the_command_as_it_ends_others(folder: Path) -> None:
    """The shell says 141 of a command that died of SIGPIPE, which `git log | head -1` does as well."""
    (folder / "a.py").write_text("".join(f"x{i} = {i}\n" for i in range(20000)))
    result = subprocess.run(
        ["/bin/bash", "-c", f"{sys.executable} -m birthmark entities a.py --all | head -1; echo ${{PIPESTATUS[0]}}"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (result.stdout.splitlines()[-1], len(result.stdout.splitlines()), result.stderr) == ("141", 2, "")


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"], ["help"]])
def test_the_first_commands_fit_a_screen(folder: Path, arguments: list[str]) -> None:
    result = birthmark(*arguments, cwd=folder)
    assert (result.returncode, result.stderr) == (0, "")
    shown = result.stdout.splitlines()
    assert (len(shown) < 24, max(map(len, shown)) <= 80) == (True, True)
    assert [line.split()[0] for line in shown if re.match(r"  \w+  ", line)] == FIRST
    assert set(FIRST) <= set(COMMANDS)
    assert shown[-1] == "More: birthmark help --all, birthmark help COMMAND"


def test_all_commands_are_listed_by_purpose_and_no_summary_is_cut(folder: Path) -> None:
    result = birthmark("help", "--all", cwd=folder)
    assert (result.returncode, result.stderr) == (0, "")
    assert "Examples:\n" in result.stdout
    assert all(f"\n{section}:\n" in result.stdout for section in SECTIONS)
    assert all(f"\n  {name} " in result.stdout for name in COMMANDS)
    assert "..." not in result.stdout
    assert max(map(len, result.stdout.splitlines())) < 90


@pytest.mark.parametrize("command", [["diff"], ["subscriptions", "snooze"]])
def test_help_of_a_command_is_what_the_command_says_itself(folder: Path, command: list[str]) -> None:
    shown = birthmark("help", *command, cwd=folder)
    assert (shown.returncode, shown.stdout) == (0, birthmark(*command, "--help", cwd=folder).stdout)


def test_exit_codes_are_listed(folder: Path) -> None:
    shown = birthmark("help", "exit-codes", cwd=folder).stdout.splitlines()[2:]
    assert [int(line.split()[0]) for line in shown] == list(EXIT_CODES)


@pytest.mark.parametrize("topic", TOPICS)
def test_topics_are_explained(folder: Path, topic: str) -> None:
    shown = birthmark("help", topic, cwd=folder).stdout
    assert all(name in shown and meaning in shown for name, meaning in TOPICS[topic].rows)


def test_colour_and_pager_are_chosen_before_a_command_or_after_it(folder: Path) -> None:
    plain = birthmark("entities", "a.py", cwd=folder).stdout
    assert "\x1b" not in plain
    before = birthmark("--color", "always", "--no-pager", "entities", "a.py", cwd=folder)
    after = birthmark("entities", "a.py", "--color=always", "--no-pager", cwd=folder)
    assert before.stdout == after.stdout
    assert "\x1b[" in after.stdout
    assert birthmark("entities", "a.py", "--color=never", cwd=folder, FORCE_COLOR="1").stdout == plain


def test_languages(folder: Path) -> None:
    result = birthmark("languages", cwd=folder)
    assert re.search(r"^python +\.py \.pyi \.pyw", result.stdout, re.M)
    documents = json.loads(birthmark("languages", "--json", cwd=folder).stdout)
    assert {document["language"] for document in documents} >= {"python", "markdown"}


def test_user_languages_are_found(folder: Path) -> None:
    data = folder / "langs" / "data"
    data.mkdir(parents=True)
    (data / "language.toml").write_text('grammar = "tree_sitter_json"\nextensions = [".data"]\n')
    (data / "entities.scm").write_text("(pair key: (string (string_content) @name) value: (_) @body) @entity.var\n")
    (folder / "x.data").write_text('{"a": 1}')
    result = birthmark("entities", "x.data", cwd=folder, BIRTHMARK_LANGUAGES=str(folder / "langs"))
    assert result.stdout == 'x.data\n  1  var  "a"\n\n1 entity in 1 file\n'


WAITING = """
import sys, tempfile, time
from unittest.mock import patch
from birthmark.surfaces.cli.main import main
from birthmark.surfaces.cli.top_command import cli

def wait(**options):
    with tempfile.TemporaryDirectory(dir="."):
        print("ready", flush=True)
        time.sleep(60)

sys.argv[1:] = ["languages"]
with patch.object(cli, "main", wait):
    main()
"""


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)])
def test_what_is_ended_by_a_signal_removes_its_temporary_folders(tmp_path: Path, number: int, code: int) -> None:
    with subprocess.Popen([sys.executable, "-c", WAITING], cwd=tmp_path, stdout=subprocess.PIPE) as command:
        assert command.stdout is not None
        assert command.stdout.readline() == b"ready\n"
        assert len(list(tmp_path.iterdir())) == 1
        command.send_signal(number)
        assert command.wait(60) == code
    assert list(tmp_path.iterdir()) == []


def test_a_signal_that_is_ignored_stays_so(tmp_path: Path) -> None:
    ignored = "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)\n" + WAITING.replace("60", "0.5")
    with subprocess.Popen([sys.executable, "-c", ignored], cwd=tmp_path, stdout=subprocess.PIPE) as command:
        assert command.stdout is not None
        command.stdout.readline()
        command.send_signal(signal.SIGHUP)
        assert command.wait(60) == 0


def test_a_process_of_a_test_gets_the_signals_that_the_tests_ignore() -> None:
    """As where they were started with nohup."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with handle_ignored_signals():
            os.kill(os.getpid(), signal.SIGHUP)
            asked = "import signal; print(signal.getsignal(signal.SIGHUP).name)"
            found = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True).stdout
        assert (found, signal.getsignal(signal.SIGHUP)) == ("SIG_DFL\n", signal.SIG_IGN)
    finally:
        signal.signal(signal.SIGHUP, before)
