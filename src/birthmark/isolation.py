"""Keep processes from importing modules of the repository that they work on, and from running in its folder.

`isolate` comes first in every command. `spawn` and `start_interpreter` start processes with an interpreter of their
own; libraries start theirs within `Outside`. Forked processes call `leave_folder`.

This module imports only modules built into the interpreter. All others, even `__future__`, could still come from the
repository.
"""

import _thread
import os
import site
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.process import BaseProcess
    from subprocess import Popen

_SAFE_PATH = "PYTHONSAFEPATH"  # With it, Python does not put the working folder on its search path.
_STANDARD_LIBRARY = os.path.dirname(os.path.realpath(os.__file__))
_OWN_FOLDER = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
_INSTALLED = (_STANDARD_LIBRARY, _OWN_FOLDER, *map(os.path.realpath, site.getsitepackages()))


def isolate() -> None:
    """Remove the working folder from the search paths of this process and of all that it starts."""
    _require_environment()
    here = _find_folder()
    os.environ[_SAFE_PATH] = "1"
    sys.path[:] = [folder for folder in sys.path if _is_trusted(folder, here)]
    if folders := os.environ.get("PYTHONPATH"):
        kept = [os.path.abspath(one) for one in folders.split(os.pathsep) if _is_trusted(one, here)]
        os.environ["PYTHONPATH"] = os.pathsep.join(kept)
    programs = os.environ.get("PATH", os.defpath).split(os.pathsep)
    # An empty path would mean the working folder.
    os.environ["PATH"] = os.pathsep.join(filter(os.path.isabs, programs)) or os.defpath


def _require_environment() -> None:
    """Start again with -P if -E makes Python ignore its variables, here and in started processes."""
    if sys.flags.ignore_environment and not sys.flags.safe_path and os.name == "posix":
        os.execv(sys.executable, [sys.executable, "-P", *sys.orig_argv[1:]])  # noqa: S606 - the same program


def _find_folder() -> str:
    """Return the working folder, or one without modules if it was deleted."""
    try:
        return os.getcwd()
    except OSError:
        return os.devnull


def _is_trusted(folder: str, here: str) -> bool:
    """Return False for the working folder, unless Python's modules or our own are in it."""
    path = os.path.realpath(folder) if folder else here
    return path != os.path.realpath(here) or path in _INSTALLED or path.startswith(_STANDARD_LIBRARY + os.sep)


def leave_folder() -> None:
    """Change to the root of the file system, which is no repository."""
    os.chdir(os.sep)


class Outside:
    """Isolate interpreters started in this context, which run in the root of the file system.

    This process changes to the root, too, so that all its threads need absolute paths meanwhile.
    """

    _lock = _thread.allocate_lock()
    _n_entered = 0
    _folder = ""  # to return to
    _is_set = False  # by us

    def __enter__(self) -> None:
        with Outside._lock:
            if not Outside._n_entered:
                Outside._folder, Outside._is_set = _find_folder(), _SAFE_PATH not in os.environ
                os.environ[_SAFE_PATH] = "1"
                leave_folder()
            Outside._n_entered += 1

    def __exit__(self, *error: object) -> None:
        with Outside._lock:
            Outside._n_entered -= 1
            if not Outside._n_entered:
                _return_to(Outside._folder)
                if Outside._is_set:
                    del os.environ[_SAFE_PATH]


def _return_to(folder: str) -> None:
    try:
        os.chdir(folder)
    except OSError:  # It was deleted or renamed meanwhile.
        return


def spawn(target: "Callable[..., object]", *arguments: object) -> "BaseProcess":
    """Start a process that calls a function in an interpreter of its own, outside of the repository.

    It does not get SIGINT, which would end its imports with a traceback: Ctrl-C is for the process that started it.
    """
    from multiprocessing import get_context

    process = get_context("spawn").Process(target=target, args=arguments)
    with Outside():
        _start_uninterrupted(process)
    return process


def start_interpreter(code: str, descriptor: int) -> "Popen[bytes]":
    """Start an interpreter that runs some code outside of the repository; it inherits a descriptor.

    Unlike `spawn`, it does not import the main module of this process, which may be a script of a user.
    """
    import subprocess

    code = f"import sys; sys.path.append({_OWN_FOLDER!r}); {code}"
    with Outside():
        return subprocess.Popen(
            [sys.executable, "-P", "-c", code],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=(descriptor,),
            start_new_session=True,  # Ctrl-C is for the process that started it.
        )


def _start_uninterrupted(process: "BaseProcess") -> None:
    import signal

    if not hasattr(signal, "pthread_sigmask"):
        process.start()
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # When it is started, the signal is no longer blocked.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
