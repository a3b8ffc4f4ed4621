"""Records how the parts of `make check` ended last, and at which commit.

The records are in tests/checked.json, which is committed, and those of this machine in its cache.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from checks.parts import BY_NAME, CHECK, GATE, Part
from checks.steps import ROOT

FILE = ROOT / "tests" / "checked.json"
PAGE = ROOT / "CONTRIBUTING.md"
BEGIN, END = "<!-- the parts of make check -->", "<!-- until here -->"
CACHE = (
    Path("/var/cache" if os.geteuid() == 0 else Path.home() / ".cache") / "streamgage" / "checks"
)
"""Where this machine keeps a record for each part; scripts/test_fresh lets its systems in."""
PASSED = ("ok", "flaky")
NEVER = 1_000_000_000
"""Commits since a part ran that has not run in this history."""
_RECORDED = [part for part in CHECK if part not in GATE]
_KEPT = [*_RECORDED, *BY_NAME]


@dataclass(frozen=True)
class PartRecord:
    """The record of the last run of a part."""

    commit: str
    date: str
    result: str
    seconds: int
    processor: str

    @property
    def age(self) -> int:
        """The number of commits since."""
        count = _git("rev-list", "--count", f"{self.commit}..HEAD")
        return NEVER if count is None else int(count)


def read() -> dict[str, PartRecord]:
    """The last run of each part, by this machine or another; empty where none is recorded."""
    known = {}
    with suppress(OSError):
        known = {n: PartRecord(**each) for n, each in json.loads(FILE.read_text("utf-8")).items()}
    for part in _KEPT:
        with suppress(OSError, ValueError, TypeError):
            last = PartRecord(**json.loads((CACHE / f"{part.name}.json").read_text("utf-8")))
            here = _git("merge-base", "--is-ancestor", last.commit, "HEAD") is not None
            if here and (part.name not in known or last.age <= known[part.name].age):
                known[part.name] = last
    return known


def reason_against_records() -> str | None:
    """Why the state of the checkout is none that a record could name; ``None`` if it is one."""
    if _git("rev-parse", "HEAD") is None:
        return "this is not a git checkout"
    if _git("status", "--porcelain", "--", ".", *_not_written()):
        return "there are uncommitted changes"
    return None


def _not_written() -> list[str]:
    """What makes git leave out the files that records are written to."""
    return [f":!{each.relative_to(ROOT)}" for each in (FILE, PAGE)]


def record(results: Iterable[tuple[Part, str, float]]) -> str | None:
    """Record how parts of `make check` ended; return the reason if that is not possible."""
    of_check = [each for each in results if each[0] in _KEPT]
    if not of_check:
        return None
    reason = reason_against_records()
    if reason:
        return f"not recorded in tests/checked.json: {reason}"
    for part, result, seconds in of_check:
        keep(part, result, seconds)
    write({**read(), **_LATEST})
    return None


def keep_passed(part: Part, result: str, seconds: float) -> None:
    """Keep a part of `make check` that passed as soon as it has ended.

    So a run that is stopped loses nothing but what it was at.
    """
    if part in _KEPT and result in PASSED and reason_against_records() is None:
        keep(part, result, seconds)


def rest() -> list[Part]:
    """The parts of `make check` that have not passed with these sources."""
    known = read()
    return [
        part
        for part in _RECORDED
        if (last := known.get(part.name)) is None
        or last.result not in PASSED
        or _git("diff", "--quiet", last.commit, "HEAD", "--", ".", *_not_written()) is None
    ]


_LATEST: dict[str, PartRecord] = {}
"""What this process has recorded; a cache that cannot be written to has none of it."""


def keep(part: Part, result: str, seconds: float) -> PartRecord:
    """Keep in the machine's cache how a part ended, and return the record."""
    commit = _git("rev-parse", "--short=12", "HEAD") or ""
    day = datetime.now(UTC).date().isoformat()
    last = PartRecord(commit, day, result, round(seconds), _processor())
    _LATEST[part.name] = last
    with suppress(OSError):
        CACHE.mkdir(parents=True, exist_ok=True)
        file = CACHE / f"{part.name}.json"
        new = file.with_suffix(f".{os.getpid()}")
        new.write_text(json.dumps(asdict(last)), "utf-8")
        new.replace(file)
    return last


def write(known: Mapping[str, PartRecord]) -> None:
    """Write the records into tests/checked.json, and their table into CONTRIBUTING.md."""
    text = json.dumps({name: asdict(known[name]) for name in sorted(known)}, indent=1)
    FILE.write_text(f"{text}\n", "utf-8")
    page = PAGE.read_text("utf-8")
    with suppress(ValueError):  # the page has no place for a table
        before, rest = page.split(BEGIN)
        _, after = rest.split(END)
        PAGE.write_text(f"{before}{BEGIN}{table(known)}{END}{after}", "utf-8")


def table(known: Mapping[str, PartRecord]) -> str:
    """What each part of `make check` proves, and how long and at which commit it last ran."""
    rows = ["| part | what it proves | seconds | at |", "|---|---|--:|---|"]
    for part in (*_RECORDED, *(each for each in BY_NAME if each.name in known)):
        last = known.get(part.name)
        ran = f"{last.seconds:,} | {last.commit[:8]}" if last else "| never"
        failed = f", {last.result}" if last and last.result not in PASSED else ""
        rows.append(f"| {part.name} | {part.proves} | {ran}{failed} |")
    return "\n".join(["", "", *rows, "", ""])


def unchecked(*, failed_alone: bool = False) -> list[str]:
    """A line for each commit since which some parts have not passed, though their files changed."""
    known = read()
    since: dict[str, list[str]] = defaultdict(list)
    for part in _RECORDED:
        last = known.get(part.name)
        if last is not None and last.result not in PASSED:
            ended = "failed" if last.result == "FAIL" else "did not end in time"
            since[f"{ended} at {last.commit}"].append(part.name)
        elif not failed_alone and last is None:
            since["never run"].append(part.name)
        elif not failed_alone and last is not None and not _stands(part, last):
            count = "unknown number of" if last.age == NEVER else last.age
            since[f"not checked since {last.commit} ({count} commits)"].append(part.name)
    return [f"{when}: {', '.join(names)}" for when, names in since.items()]


def longest_waiting(limit_seconds: float) -> Part | None:
    """The part to run next: one that took less than the limit, if it is known how long it takes."""
    known = read()
    waiting: list[tuple[int, Part]] = []
    for part in _RECORDED:
        last = known.get(part.name)
        if last is None:
            waiting.append((NEVER, part))
        elif not _stands(part, last) and last.age > 0 and last.seconds < limit_seconds:
            waiting.append((last.age, part))
    return max(waiting, key=lambda each: each[0])[1] if waiting else None


def _stands(part: Part, last: PartRecord) -> bool:
    """Whether it passed, and nothing has changed since on which it depends."""
    same = _git("diff", "--quiet", last.commit, "HEAD", "--", *part.paths) is not None
    return last.result in PASSED and same


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
