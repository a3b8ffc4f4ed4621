"""Whether a run was judged as it should be: pure functions of its document."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

State = Literal["passed", "failed", "not run"]

QUOTABLE, WITH_CARE, NOT_QUOTABLE = "quotable", "with-care", "not-quotable"
CLEAN = frozenset({QUOTABLE, WITH_CARE})
"""A run that nothing disturbs may still have a warning, as on a machine with a small memory."""
SPOILED = frozenset({WITH_CARE, NOT_QUOTABLE})

SURE = frozenset(
    {
        *("not-bound", "niced", "paused", "cpu-quota", "below-4x-rule", "memory-cap"),
        *("confined", "no-huge-pages", "invalid", "unfinished"),
    }
)
"""Findings on facts, which are false wherever nobody made them so. Those on load are not in it: a
machine may be busy at any time."""


@dataclass(frozen=True)
class ExpectedVerdict:
    """The verdict that a run must have."""

    verdicts: Collection[str]
    codes: Collection[str] = ()
    """At least one of them is among the findings; of a clean run none is asked for."""
    also: Collection[str] = ()
    """Further codes of ``SURE`` that are true in this run."""


@dataclass(frozen=True)
class Triad:
    """The median of the customary triad in GB/s, with its bounds where they are known."""

    median: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class SeenVerdict:
    """The verdict, reasons and figures of a document."""

    verdict: str
    reasons: Sequence[str]
    codes: Sequence[str]
    """Of all findings, those behind the reasons included."""
    triad: Triad | None


@dataclass(frozen=True)
class Row:
    """One run in the table."""

    condition: str
    state: State
    why: str = ""
    """Why it failed, or was not run."""
    seen: SeenVerdict | None = None


def seen_in(document: Mapping[str, Any]) -> SeenVerdict:
    """The verdict, its reasons, the codes and triad. Raises ``KeyError`` where one lacks."""
    trust = document["trust"]
    return SeenVerdict(
        verdict=trust["verdict"],
        reasons=tuple(f"{each['code']}: {each['text']}" for each in trust["reasons"]),
        codes=tuple(each["code"] for each in document["findings"]),
        triad=_triad(document["kernels"]),
    )


def _triad(kernels: Sequence[Mapping[str, Any]]) -> Triad | None:
    """Of the plain loop, else of the first that has a figure and the customary shape."""
    found = [
        each
        for each in kernels
        if each["kernel"] == "triad" and not each["tuned"] and each["median_gbps"] is not None
    ]
    found.sort(key=lambda each: each["store"] != "plain")
    if not found:
        return None
    return Triad(found[0]["median_gbps"], found[0]["low_gbps"], found[0]["high_gbps"])


def judge(
    condition: str,
    expected: ExpectedVerdict,
    seen: SeenVerdict,
    of_machine: Collection[str] = (),
) -> Row:
    """Whether that was expected; ``of_machine``: codes that are true of all runs here."""
    faults = []
    if seen.verdict not in expected.verdicts:
        faults.append(f"called {seen.verdict}")
    if expected.codes and not set(expected.codes) & set(seen.codes):
        faults.append(f"nothing said of {' or '.join(sorted(expected.codes))}")
    true = {*expected.codes, *expected.also, *of_machine}
    faults += [f"says {code}, which is not so" for code in seen.codes if code in SURE - true]
    return Row(condition, "failed" if faults else "passed", "; ".join(faults), seen)


def in_all(runs: Sequence[SeenVerdict]) -> frozenset[str]:
    """The codes that every one of some clean runs has: they are facts of the machine."""
    codes = [frozenset(each.codes) for each in runs]
    return frozenset.intersection(*codes) - {"paused"} if codes else frozenset()


def markdown(rows: Sequence[Row]) -> str:
    """The table: a line for each run."""
    lines = ["| run | verdict | reasons | triad, GB/s | |", "|---|---|---|---|---|"]
    for row in rows:
        seen = row.seen
        cells = [
            row.condition,
            seen.verdict if seen is not None else "",
            "; ".join(seen.reasons) if seen is not None else "",
            _figure(seen.triad) if seen is not None else "",
            f"**{row.state}**: {row.why}" if row.why else row.state,
        ]
        lines.append(f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |")
    return "\n".join(lines)


def _figure(triad: Triad | None) -> str:
    if triad is None:
        return "none"
    if triad.low is None or triad.high is None:
        return f"{triad.median:.1f}"
    return f"{triad.median:.1f} ({triad.low:.1f} to {triad.high:.1f})"


def summary(rows: Sequence[Row]) -> str:
    """One sentence with the counts; those that were not run are never counted as passed."""
    of = {state: sum(row.state == state for row in rows) for state in ("passed", "failed")}
    left = sum(row.state == "not run" for row in rows)
    rest = f", {left} not run" if left else ""
    runs = "1 run" if len(rows) == 1 else f"{len(rows)} runs"
    return f"{runs}: {of['passed']} passed, {of['failed']} failed{rest}."


def exit_status(rows: Sequence[Row]) -> int:
    """1 where a run was judged otherwise than expected."""
    return int(any(row.state == "failed" for row in rows))
