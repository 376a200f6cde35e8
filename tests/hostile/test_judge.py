"""The traps work, and the judge sees all that it has to see."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from hostile.judge import judge_output
from hostile.scene import Scene, needs_linux
from hostile.traps import MODULE_FORMS, SENTINEL, Variant

pytestmark = needs_linux

# What a program does, and what the judge says of it.
HARM = {
    "reads outside": ("open(outside + '/secret.txt').read()", "opened outside: {outside}/secret.txt"),
    "reads through a link": ("open(root + '/README').read()", "opened, by the kernel: {outside}/secret.txt"),
    "lists a folder outside": ("os.listdir(root + '/linked')", "opened, by the kernel: {outside}"),
    "has another program read": (
        "subprocess.run(['/bin/cat', root + '/README'])",
        "opened, by the kernel: {outside}/secret.txt",
    ),
    "reads what is ignored": ("open(root + '/.env').read()", "opened, by the kernel: {root}/.env"),
    "writes into the repository": ("open(root + '/new', 'w')", "opened for writing: {root}/new"),
    "changes what is there": ("os.utime(root + '/shop.py')", "changed on disk: {root}/shop.py"),
    "removes by an open folder": ("os.remove('use.py', dir_fd=os.open(root, 0))", "os.remove: {root}/use.py"),
    "moves out": ("os.rename(root + '/use.py', outside + '/use.py')", "os.rename: {outside}/use.py"),
    "starts a program by its name": ("subprocess.run(['true'])", "started: true ['true']"),
    "starts a shell": ("os.system('true')", "os.system: "),
    "connects": ("socket.socket().connect_ex(('127.0.0.1', 9))", "socket.connect: ('127.0.0.1', 9)"),
    "looks a name up": (
        "try: socket.getaddrinfo('a.invalid', 80)\nexcept OSError: pass",
        "socket.getaddrinfo: ",
    ),
    "starts an interpreter": ("subprocess.run([sys.executable, '-c', '1'])", "an interpreter that is not isolated: "),
    "starts one in the repository": (
        "subprocess.run([sys.executable, '-P', '-c', '1'], cwd=root)",
        "an interpreter in the repository: ",
    ),
    "imports from there": ("sys.path.insert(0, root)\ntry: import mailbox\nexcept ImportError: pass", "run: mailbox"),
    "looks for modules there": (
        "sys.path.append(root)\nimport mailbox",
        "imported with the repository on the search path: mailbox",
    ),
    "runs a program of it": ("subprocess.run([root + '/less'])", "run: program less"),
}
HEAD = "import os, socket, subprocess, sys\nroot, outside = sys.argv[1:]\n"


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    return Scene(tmp_path_factory.mktemp("judge") / "scene", Variant("modules"))


@pytest.mark.parametrize("harm", HARM)
def test_harm_is_seen(scene: Scene, harm: str) -> None:
    text, expected = HARM[harm]
    root, outside = scene.root, scene.decoys.outside
    with scene.judged() as violations:
        command = [sys.executable, "-P", "-c", HEAD + text, str(root), str(outside)]
        subprocess.run(command, cwd=scene.elsewhere, env=scene.environment(), check=True)
    assert [one for one in violations if one.startswith(expected.format(root=root, outside=outside))], violations


def test_harmless_work_is_none(scene: Scene) -> None:
    with scene.judged() as violations:
        text = HEAD + "open(root + '/shop.py').read(); os.makedirs(root + '/.birthmark', exist_ok=True)"
        command = [sys.executable, "-P", "-c", text, str(scene.root), ""]
        subprocess.run(command, cwd=scene.elsewhere, env=scene.environment(), check=True)
    assert violations == []


@pytest.mark.parametrize("form", MODULE_FORMS)
def test_modules_of_the_repository_are_traps(tmp_path: Path, form: str) -> None:
    """As for the resource tracker, which Python starts for locks that processes share."""
    scene = Scene(tmp_path, Variant(form))
    with scene.judged() as violations:
        text = "from multiprocessing.resource_tracker import main"
        subprocess.run([sys.executable, "-c", text], cwd=scene.root, env=scene.environment(), check=False)
    assert "run: multiprocessing" in violations


def test_git_runs_what_the_repository_configures(tmp_path: Path) -> None:
    scene = Scene(tmp_path, Variant("modules"))
    with scene.judged() as violations:
        # It records where it was started, as every scene needs it.
        subprocess.run([sys.executable, "-P", "-c", "1"], env=scene.environment(), check=True)
        subprocess.run(["git", "status"], cwd=scene.root, env=scene.environment(), capture_output=True, check=False)  # noqa: S607
    assert "run: program script" in violations


def test_output_is_judged() -> None:
    assert judge_output(b"nothing") == []
    assert judge_output(SENTINEL.encode()) == ["a secret was shown"]
    assert judge_output(b"Traceback (most recent call last):") == ["a traceback was shown"]
