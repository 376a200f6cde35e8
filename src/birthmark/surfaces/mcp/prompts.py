"""Questions that a person can choose in a client: what the agent is asked to do with the tools."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from birthmark.surfaces.request_error import RequestError

_LONGEST = 500
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


class PromptSpec(NamedTuple):
    """A question with one gap."""

    name: str
    title: str
    argument: str
    meaning: str
    text: str

    def fill(self, arguments: Mapping[str, str]) -> str:
        value = arguments.get(self.argument, "")
        if not value or len(value) > _LONGEST or _CONTROL.search(value):
            raise RequestError("bad_request", f"{self.argument}: is missing or cannot be one; {self.meaning}")
        return self.text.format(value)


PROMPTS = {
    prompt.name: prompt
    for prompt in (
        PromptSpec(
            "explain_life",
            "Explain the life of a definition",
            "ref",
            "a mark, a name or a place: what to explain",
            "Explain the life of `{0}` in this repository. Use `resolve` to find what it is now, `history` to see what "
            "each commit did to it, with `patch` where a commit's subject does not say why, and `notes` for what was "
            "written down. Answer with when and as what it began, its former names and places, the commits that "
            "changed what it does and why, and its mark. Say what the commits do not show.",
        ),
        PromptSpec(
            "change_effects",
            "What does this change affect?",
            "change",
            "BASE..TARGET, or a revision to compare the worktree with",
            "Say what the change `{0}` affects. Use `diff` with it as `base` to list the definitions that changed; for "
            "each whose interface or body changed use `graph` with the question `impact`, then `tests`; look for "
            "`notes` on them and for `subscriptions`. Answer with what may break and why, nearest first, which tests "
            "to run, and which users were found by name alone and need a look. Name things by place and mark.",
        ),
    )
}
