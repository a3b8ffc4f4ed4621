"""One line for each claim, from what a run recorded: summary.json and summary.txt."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass

from gpu_checking.claims import CLAIMS, Claim, Verdict
from gpu_checking.recorded import NotTriedError, Recorded

HOLDS, REFUTED, NO_DEVICE = 0, 1, 3
"""Exit statuses. 3 as ``streamgage check`` has it where nothing was measured."""


@dataclass(frozen=True)
class Judged:
    """What became of a claim."""

    name: str
    words: str
    verdict: Verdict
    evidence: str
    """What decided it, or why it was not tried."""

    @property
    def line(self) -> str:
        """As summary.txt has it."""
        if self.verdict == "not tried":
            return f"{self.words}: not tried ({self.evidence})"
        return f"{self.words}: {self.verdict} ({self.evidence})"


def judged(claim: Claim, recorded: Recorded) -> Judged:
    """Decide a claim. A record that lacks what it needs is a reason why it was not tried."""
    try:
        if claim.timed and recorded.is_small():
            raise NotTriedError("the arrays were made small by --size")
        decision = claim.decide(recorded)
    except NotTriedError as error:
        return Judged(claim.name, claim.words, "not tried", str(error))
    except (KeyError, IndexError, ValueError, ZeroDivisionError, ImportError) as error:
        why = f"the records do not have what it needs: {type(error).__name__} {error}"
        return Judged(claim.name, claim.words, "not tried", why)
    verdict: Verdict = "holds" if decision.holds else "refuted"
    return Judged(claim.name, claim.words, verdict, decision.evidence)


def all_judged(recorded: Recorded) -> list[Judged]:
    """Every claim in its order."""
    return [judged(claim, recorded) for claim in CLAIMS]


def write_summary(recorded: Recorded) -> list[Judged]:
    """Decide all claims, and write both files into the folder."""
    results = all_judged(recorded)
    summary = {
        "request": _or_none(recorded),
        "steps": [
            {"name": step.name, "seconds": round(step.seconds, 1), "trouble": step.trouble}
            for step in recorded.steps.values()
        ],
        "claims": [asdict(result) for result in results],
    }
    folder = recorded.folder
    (folder / "summary.json").write_text(json.dumps(summary, indent=1) + "\n", "utf-8")
    (folder / "summary.txt").write_text(text_of(results), "utf-8")
    return results


def text_of(results: Iterable[Judged]) -> str:
    """The refuted claims first, then those that hold, then those that were not tried."""
    order: tuple[Verdict, ...] = ("refuted", "holds", "not tried")
    lines = sorted(results, key=lambda result: order.index(result.verdict))
    counts = Counter(result.verdict for result in lines)
    last = ", ".join(f"{counts[verdict]} {verdict}" for verdict in order)
    return "".join(f"{result.line}\n" for result in lines) + f"{last}\n"


def status_of(results: Iterable[Judged]) -> int:
    """The exit status of a run."""
    verdicts = {result.name: result.verdict for result in results}
    if "refuted" in verdicts.values():
        return REFUTED
    return HOLDS if verdicts["device-listed"] == "holds" else NO_DEVICE


def _or_none(recorded: Recorded) -> dict[str, object] | None:
    try:
        return recorded.request()
    except NotTriedError:
        return None
