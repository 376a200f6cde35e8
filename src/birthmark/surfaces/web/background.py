"""Pages that may take long: the work goes on behind a page that says so, and that asks again by itself.

What is asked for by the same address meanwhile is worked on once, for all who may see the same. A result is given once,
to the next request for it.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from contextlib import nullcontext
from threading import Lock, Thread
from typing import NamedTuple

from birthmark.app.workspace.freshness import ShowProgress
from birthmark.surfaces.http.routes.requests import HttpQuery
from birthmark.surfaces.request_error import RequestError
from birthmark.surfaces.web.page import Redirect, WebPage

PageAnswer = Callable[[HttpQuery, ShowProgress], WebPage | Redirect]

SECONDS = 8.0  # that a page is waited for at first
_MOST_RUNNING = 4
_MOST_HELD = 16
_ACCEPTED = 202


class _Work(NamedTuple):
    """A page that is being made, and how far that is: what is done, how many of how many."""

    result: Future[WebPage | Redirect]
    progress: list[tuple[str, int, int]]


_works: dict[object, _Work] = {}
_lock = Lock()


def answer_or_wait(answer: PageAnswer, what: str, query: HttpQuery, seconds: float = SECONDS) -> WebPage | Redirect:
    """Answer in time, or show a page that says what is being done and waits for the answer."""
    key = answer, query.folder, tuple(sorted(query.values.items())), query.visible
    work = _find_or_start(key, answer, query)
    try:
        found = work.result.result(seconds)
    except TimeoutError:
        if not work.result.done():
            return _waiting_page(what, work)
        _forget(key)
        raise
    except BaseException:
        _forget(key)
        raise
    _forget(key)
    return found


def _find_or_start(key: object, answer: PageAnswer, query: HttpQuery) -> _Work:
    with _lock:
        if key not in _works:
            _make_room()
            _works[key] = _start(answer, query)
        return _works[key]


def _make_room() -> None:
    """Results that were not asked for again are dropped, the oldest first."""
    done = [key for key, work in _works.items() if work.result.done()]
    for key in done[: max(len(_works) - _MOST_HELD, 0)]:
        del _works[key]
    if len(_works) - len(done) >= _MOST_RUNNING:
        raise RequestError("busy", "too many pages that take long are being made; try again later")


def _forget(key: object) -> None:
    with _lock:
        _works.pop(key, None)


def _start(answer: PageAnswer, query: HttpQuery) -> _Work:
    work = _Work(Future(), [])
    Thread(target=_fill, args=(work, answer, query), daemon=True).start()
    return work


def _fill(work: _Work, answer: PageAnswer, query: HttpQuery) -> None:
    def note(stage: str, done: int, total: int) -> None:
        work.progress[:] = [(stage, done, total)]

    try:
        work.result.set_result(answer(query, lambda: nullcontext(note)))
    except BaseException as error:  # Raised where the result is awaited.
        work.result.set_exception(error)


def _waiting_page(what: str, work: _Work) -> WebPage:
    return WebPage("waiting.html", what, {"what": what, "progress": work.progress[:1]}, status=_ACCEPTED)
