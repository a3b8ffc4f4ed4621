"""Records which parts of `make check` passed at which commit, in tests/checked.json."""

from __future__ import annotations

import json
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from checks.parts import CHECK, GATE, Part
from checks.steps import ROOT

FILE = ROOT / "tests" / "checked.json"


@dataclass(frozen=True)
class PartRecord:
    """The record of the last run of a part."""

    commit: str
    date: str
    result: str
    seconds: int
    processor: str


def read() -> dict[str, PartRecord]:
    """The last run of each part; empty where none is recorded."""
    if not FILE.exists():
        return {}
    return {name: PartRecord(**each) for name, each in json.loads(FILE.read_text("utf-8")).items()}


def record(results: Iterable[tuple[Part, str, float]]) -> str | None:
    """Record how parts of `make check` ended; return the reason if that is not possible."""
    of_check = [each for each in results if each[0] in CHECK and each[0] not in GATE]
    if not of_check:
        return None
    commit = _git("rev-parse", "--short=12", "HEAD")
    if commit is None:
        return "not recorded in tests/checked.json: this is not a git checkout"
    if _git("status", "--porcelain", "--", ".", f":!{FILE.relative_to(ROOT)}"):
        return "not recorded in tests/checked.json: there are uncommitted changes"
    known = read()
    for part, result, seconds in of_check:
        day = datetime.now(UTC).date().isoformat()
        known[part.name] = PartRecord(commit, day, result, round(seconds), _processor())
    text = json.dumps({name: asdict(known[name]) for name in sorted(known)}, indent=1)
    FILE.write_text(f"{text}\n", "utf-8")
    return None


def unchecked() -> list[str]:
    """A line for each commit since which some parts have not passed, though their files changed."""
    known = read()
    since: dict[str, list[str]] = defaultdict(list)
    for part in CHECK:
        if part in GATE:
            continue
        last = known.get(part.name)
        if last is None or last.result == "FAIL":
            since["never passed" if last is None else f"failed at {last.commit}"].append(part.name)
        elif _git("diff", "--quiet", last.commit, "HEAD", "--", *part.paths) is None:
            count = _git("rev-list", "--count", f"{last.commit}..HEAD") or "unknown number of"
            since[f"not checked since {last.commit} ({count} commits)"].append(part.name)
    return [f"{when}: {', '.join(names)}" for when, names in since.items()]


def _git(*arguments: str) -> str | None:
    """What git prints; None where it fails or is not there."""
    try:
        done = subprocess.run(
            ["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def _processor() -> str:
    """The processor's name as the kernel shows it."""
    text = Path("/proc/cpuinfo").read_text("utf-8", "replace")
    found = re.search(r"^model name\s*: (.*)$", text, re.M)
    return found[1] if found else "unknown"
