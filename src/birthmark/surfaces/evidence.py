"""Why two entities are taken for one, in words for people.

That something has the code or the name that it had goes without saying.
"""

from __future__ import annotations

from birthmark.vocabulary import Change, Evidence

_WORDS: dict[str, str] = {
    Evidence.SAME_IDENTITY: "",
    Evidence.SAME_CONTENT: "",
    Evidence.SAME_NAME: "",
    Evidence.SAME_INTERFACE: "",
    Evidence.SAME_PARAMETERS: "",
    Evidence.SIMILAR_NAMESAKE: "its name and similar code",
    Evidence.SAME_POSITION: "its name and position",
    Evidence.SAME_CONTENT_ELSEWHERE: "",
    Evidence.SAME_NAME_ELSEWHERE: "",
    Evidence.SAME_NAME_FOLLOWING: "its name, beside others that moved along",
    Evidence.SAME_MEMBERS: "its members",
    Evidence.SAME_BODY: "its body",
    Evidence.SAME_DECLARATION: "its declaration",
    Evidence.SAME_USES: "where it is used",
    Evidence.SIMILAR: "similar code",
    Evidence.LIKELY: "name, code and place taken together",
}
_SAYING = frozenset({Change.RENAMED, Change.RELOCATED, Change.REVIVED})


def recognised_by(change: str, evidence: str | None) -> str:
    """`recognised by its body`, where something was renamed, moved or came back; else nothing."""
    word = _WORDS.get(evidence or "", "")
    return f"recognised by {word}" if word and change in _SAYING else ""
