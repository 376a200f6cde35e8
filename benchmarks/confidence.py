"""What confidence is worth: how many links are right, by the confidence and by the evidence they were given.

Takes the rows of oracles that name what an entity was before, and what was predicted for them; gives Links, each right
or not, and the lines of a table. A link at a commit that the oracle names is right if path and name before the commit
are those of the oracle, and the line, where both have it. At any other commit it is right if it leads to path and name
that the oracle's next older step ends with; if there is no such step, the entity was introduced later than the link.
Links older than a wrong one are not judged: they are right or wrong about something that the oracle does not follow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from folds import Row

AIMS = {"high": 0.995, "medium": 0.97, "low": 0.85}  # of links, how many are right at least


class Link(NamedTuple):
    """One step from an entity to what it was before."""

    repository: str
    evidence: str
    confidence: str
    is_right: bool


def judge_links(row: Row, prediction: Row) -> list[Link]:
    """The links of a prediction that the oracle has something to say about."""
    steps = {sha: step for step in row["history"] for sha in (step["commit"], *step.get("alt_commits", ()))}
    links = []
    for change in prediction.get("changes") or ():
        if change.get("path_before") is None or change.get("evidence") is None:
            continue
        is_right = judge_pair(row, change) if not row.get("complete", True) else judge_step(row, steps, change)
        if is_right is not None:
            links.append(Link(row["repo"], change["evidence"], change["confidence"], is_right))
        if is_right is False:
            break  # What is older is about something else.
    return links


def judge_pair(row: Row, change: Row) -> bool | None:
    agrees = agrees_with(change, row["history"][0], "before")
    if row["expect"] == "same":
        return agrees
    return False if agrees else None  # Of a look-alike only what it is not is known.


def judge_step(row: Row, steps: Mapping[str, Row], change: Row) -> bool | None:
    if not any("path_before" in step for step in row["history"]):
        return None
    step = steps.get(change["commit"])
    if step is not None:
        return agrees_with(change, step, "before")
    older = [step for step in row["history"] if step["time"] < change["time"]]
    return bool(older) and agrees_with(change, max(older, key=lambda step: int(step["time"])), "after")


def agrees_with(change: Row, step: Row, side: str) -> bool:
    if (change["path_before"], change["name_before"]) != (step.get(f"path_{side}"), step.get(f"name_{side}")):
        return False
    lines = change.get("line_before"), step.get("line_before") if side == "before" else None
    return None in lines or lines[0] == lines[1]


# Tables


def share_right(links: Sequence[Link]) -> float:
    return sum(link.is_right for link in links) / len(links) if links else 1.0


def confidence_table(links: Sequence[Link]) -> list[str]:
    """By confidence beside what is aimed at, then by evidence; the worst is that of a repository with ten links."""
    lines = ["| confidence | links | right | aim | worst repository |", "|---|---:|---:|---:|---:|"]
    for confidence, aim in AIMS.items():
        chosen = [link for link in links if link.confidence == confidence]
        lines.append(f"| {confidence} | {len(chosen)} | {_percent(chosen)} | {100 * aim:.1f} % | {_worst(chosen)} |")
    lines += [
        "",
        "| evidence | confidence | links | right | worst repository | proposed |",
        "|---|---|---:|---:|---:|---|",
    ]
    proposed = propose(links)
    for evidence, chosen in sorted(_grouped(links, lambda link: link.evidence).items(), key=lambda item: -len(item[1])):
        figures = f"{chosen[0].confidence} | {len(chosen)} | {_percent(chosen)} | {_worst(chosen)}"
        lines.append(f"| {evidence} | {figures} | {proposed[evidence]} |")
    return [*lines, "", *left_out_table(links)]


def propose(links: Iterable[Link]) -> dict[str, str]:
    """For each evidence the highest confidence that its links are worth."""
    found = {}
    for evidence, chosen in _grouped(links, lambda link: link.evidence).items():
        found[evidence] = next((name for name, aim in AIMS.items() if share_right(chosen) >= aim), "none")
    return found


def left_out_table(links: Sequence[Link]) -> list[str]:
    """What is proposed without a repository, judged on the links of that repository."""
    lines = ["| proposed without the repository | links | right |", "|---|---:|---:|"]
    judged = []
    for repository, chosen in _grouped(links, lambda link: link.repository).items():
        proposed = propose(link for link in links if link.repository != repository)
        judged += [(link, proposed.get(link.evidence, "low")) for link in chosen]
    for confidence in (*AIMS, "none"):
        chosen = [link for link, proposed_one in judged if proposed_one == confidence]
        lines += [f"| {confidence} | {len(chosen)} | {_percent(chosen)} |"] if chosen else []
    return lines


def _grouped(links: Iterable[Link], key: Callable[[Link], str]) -> dict[str, list[Link]]:
    groups: dict[str, list[Link]] = {}
    for link in links:
        groups.setdefault(key(link), []).append(link)
    return groups


def _percent(links: Sequence[Link]) -> str:
    return f"{100 * share_right(links):.2f} %" if links else ""


def _worst(links: Sequence[Link]) -> str:
    by_repository = _grouped(links, lambda link: link.repository)
    enough = [chosen for chosen in by_repository.values() if len(chosen) >= 10]
    worst = min(enough, key=share_right, default=[])
    return f"{worst[0].repository} {_percent(worst)}" if worst else ""
