"""Record what a Python process opens, changes, imports, starts and connects to.

Python imports this module at the start of every process that has its folder on PYTHONPATH. It imports nothing that the
interpreter has not loaded by then, not even `__future__`: a trap with the name of a loaded module would never close.
"""

import os
import sys

_LOG_DESCRIPTOR = 250  # Processes close or replace the first ones.
# Where the program and its arguments are among the values of an event.
_STARTS = {"subprocess.Popen": (0, 1), "os.exec": (0, 1), "os.posix_spawn": (0, 1), "os.spawn": (1, 2)}
_STARTS |= {"os.startfile": (0, 0), "os.system": (0, 0), "pty.spawn": (0, 0)}
_CHANGES = {"os.chmod", "os.chown", "os.link", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.symlink"}
_CHANGES |= {"os.truncate", "os.utime", "os.setxattr", "os.removexattr"}
_RELATIVE = {"os.chmod", "os.chown", "os.link", "os.mkdir", "os.remove", "os.rmdir", "os.symlink", "os.utime"}
_CONNECTS = {"socket.connect", "socket.sendto", "socket.getaddrinfo", "socket.gethostbyname"}
_LOADS = {"ctypes.dlopen"}
_ROOT = os.environ["HOSTILE_ROOT"]
_known: dict[str, bool] = {}


def _write(event: str, *values: object) -> None:
    os.write(_LOG_DESCRIPTOR, (repr((os.getpid(), event, *values)) + "\n").encode())


def _absolute(path: object) -> str | None:
    """Return no path for what is already open."""
    return os.path.abspath(os.fsdecode(path)) if isinstance(path, str | bytes | os.PathLike) else None


def _hostile(folders: list[str]) -> list[str]:
    """Return the folders of a search path that are in the repository."""
    return [folder for folder in folders if _is_hostile(folder or os.getcwd())]


def _is_hostile(folder: str) -> bool:
    if folder not in _known:
        path = os.path.realpath(folder)
        _known[folder] = path == _ROOT or path.startswith(_ROOT + os.sep)
    return _known[folder]


def _record(event: str, values: tuple[object, ...]) -> None:
    try:
        if event == "open":
            if (path := _absolute(values[0])) is not None:
                _write(event, path, values[2])
        elif event == "import":
            if folders := _hostile(sys.path):
                _write(event, values[0], folders)
        elif event in _STARTS:
            _write(event, *(_plain(values[number]) for number in _STARTS[event]))
        elif event in _CHANGES:
            _write(event, _changed(event, values))
        elif event in _CONNECTS:
            _write(event, repr(values[1] if event == "socket.connect" else values[-1:] + values[:1]))
        elif event in _LOADS:
            _write(event, repr(values[0]))
    except Exception as error:  # A hook that fails would stop the process.
        _write("failed", event, repr(error))


def _changed(event: str, values: tuple[object, ...]) -> list[str]:
    """Return the paths that are changed; those relative to an open folder are resolved."""
    folders = [value for value in values if isinstance(value, int)]
    if event == "os.rename":
        return [_resolved(values[0], folders[0]), _resolved(values[1], folders[1])]
    path = values[1] if event in ("os.symlink", "os.link") else values[0]
    return [_resolved(path, folders[-1] if event in _RELATIVE and folders else -1)]


def _resolved(path: object, folder: int) -> str:
    if isinstance(path, int):
        return os.readlink(f"/proc/self/fd/{path}")
    name = os.fsdecode(path)  # type: ignore[arg-type]  # as the event has it
    return os.path.join(os.readlink(f"/proc/self/fd/{folder}"), name) if folder >= 0 else os.path.abspath(name)


def _plain(value: object) -> object:
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return os.fsdecode(value) if isinstance(value, str | bytes | os.PathLike) else repr(value)


def _start() -> None:
    log = os.open(os.environ["HOSTILE_LOG"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.dup2(log, _LOG_DESCRIPTOR, inheritable=False)
    os.close(log)
    _write("start", os.getppid(), sys.orig_argv, os.getcwd(), bool(sys.flags.safe_path))
    sys.addaudithook(_record)


_start()
