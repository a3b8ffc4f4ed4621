"""Measure under every condition of ``conditions.py`` and print what was said: ``make spoiled``.

Everything that the runs wrote stays in the folder: the documents, the records, the first screens at
80 columns and the table. The exit status is 1 where a spoiled run did not name what spoiled it, a
clean one was called spoiled, or something was said that was not so.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from conditions import CLEAN_RUN, CONDITIONS, CannotMakeError, Condition, Setup
from judging import (
    ExpectedVerdict,
    Row,
    SeenVerdict,
    exit_status,
    in_all,
    judge,
    markdown,
    seen_in,
    summary,
)
from one_run import REPOSITORY, RunEnd, measure

_REST_SECONDS = 2.0
"""Between two runs, so that what the last one left is not measured by the next."""
_LOAD_LOOK_SECONDS = 1.0
_LITTLE_LOAD = 0.05


@dataclass(frozen=True)
class JudgedRun:
    """A run whose outcome waits for the others: they show what is true of the machine."""

    name: str
    expected: ExpectedVerdict
    seen: SeenVerdict


class Harness:
    """The runs so far, and the folder that they are kept in."""

    def __init__(self, folder: Path) -> None:
        """``folder`` is there and empty."""
        self._folder = folder
        self._clean: list[SeenVerdict] = []
        self._rule_bytes: int | None = None
        self._runs: list[Row | JudgedRun] = []

    def measure_clean(self, number: int) -> None:
        """One run in which nothing is in the way."""
        name = f"clean {number}"
        ended = self._measure(name, Setup())
        seen = self._take(name, CLEAN_RUN, ended)
        if seen is not None:
            self._clean.append(seen)
            self._rule_bytes = self._rule_bytes or rule_bytes(ended.records)

    def measure_spoiled(self, condition: Condition) -> None:
        """One run under ``condition``, which needs a clean one before it."""
        name = condition.name
        if self._rule_bytes is None:
            self._runs.append(Row(name, "not run", "no clean run succeeded"))
            return
        try:
            with condition.made(self._rule_bytes) as setup:
                ended = self._measure(name, setup)
        except CannotMakeError as error:
            _say(f"{name}: not run, {error}")
            self._runs.append(Row(name, "not run", str(error)))
        except RuntimeError as error:  # it was lost on the way
            self._runs.append(Row(name, "failed", str(error)))
        else:
            self._take(name, condition.expected, ended)

    def rows(self) -> list[Row]:
        """All runs so far, judged; what every clean run says is a fact of the machine."""
        facts = in_all(self._clean)
        return [
            each if isinstance(each, Row) else judge(each.name, each.expected, each.seen, facts)
            for each in self._runs
        ]

    def _measure(self, name: str, setup: Setup) -> RunEnd:
        _say(f"{name} ...")
        time.sleep(_REST_SECONDS)
        folder = self._folder / re.sub(r"[^a-z0-9]+", "-", name.lower())
        arguments = ("--quick", *setup.arguments)
        return measure(folder, arguments, prefix=setup.prefix, during=setup.during)

    def _take(self, name: str, expected: ExpectedVerdict, ended: RunEnd) -> SeenVerdict | None:
        if ended.document is None:
            last = ended.stderr.strip().splitlines()[-1:] or ["it said nothing"]
            why = f"no result, exit status {ended.status}: {last[0]}"
            self._runs.append(Row(name, "failed", why))
            return None
        seen = seen_in(ended.document)
        self._runs.append(JudgedRun(name, expected, seen))
        return seen


def rule_bytes(records: Path) -> int:
    """What STREAM's rule asks of each array, from the records of a run."""
    for line in records.read_text("utf-8").splitlines():
        record = json.loads(line)
        if record["record"] == "memory":
            return int(record["rule_bytes"])
    raise ValueError(f"{records} has no record of the memory.")


def load_of_machine(seconds: float = _LOAD_LOOK_SECONDS) -> float:
    """The share of the CPUs that other programs use while this one waits."""

    def busy_and_all() -> tuple[int, int]:
        fields = [int(each) for each in Path("/proc/stat").read_text().split("\n")[0].split()[1:9]]
        return sum(fields) - fields[3] - fields[4], sum(fields)  # idle and waiting for a disk

    busy, everything = busy_and_all()
    time.sleep(seconds)
    more_busy, more = busy_and_all()
    return (more_busy - busy) / max(1, more - everything)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _arguments(given: Sequence[str] | None) -> argparse.Namespace:
    names = ", ".join(f"'{each.name}'" for each in CONDITIONS)
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument(
        "--only", action="append", default=[], metavar="NAME", help=f"one of {names}; repeatable"
    )
    parser.add_argument("--clean", type=int, default=6, metavar="N", help="clean runs (6)")
    parser.add_argument(
        "--folder",
        type=Path,
        default=REPOSITORY / "build" / "spoiled",
        help="where everything is kept; what is there is removed",
    )
    options = parser.parse_args(given)
    unknown = set(options.only) - {each.name for each in CONDITIONS}
    if unknown:
        parser.error(f"there is no condition {' or '.join(sorted(unknown))}; there are {names}")
    if options.clean < 1:
        parser.error("at least one clean run is needed, to compare with: --clean 1")
    return options


def main(given: Sequence[str] | None = None) -> int:
    """Run the harness, and return its exit status."""
    options = _arguments(given)
    if os.nice(0) > 0:
        sys.exit("The harness itself is niced, so every run would be: start it without nice.")
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # clean up as at Ctrl-C
    if options.folder.exists():
        shutil.rmtree(options.folder)
    options.folder.mkdir(parents=True)
    load = load_of_machine()
    if load > _LITTLE_LOAD:
        _say(f"Other programs use {load:.0%} of the CPUs: clean runs will not look clean.")
    wanted = [each for each in CONDITIONS if not options.only or each.name in options.only]
    harness = Harness(options.folder)
    interrupted = False
    try:
        before = (options.clean + 1) // 2  # the others come last, when the machine is warm
        for number in range(1, before + 1):
            harness.measure_clean(number)
        for condition in wanted:
            harness.measure_spoiled(condition)
        for number in range(before + 1, options.clean + 1):
            harness.measure_clean(number)
    except KeyboardInterrupt:
        interrupted = True
    rows = harness.rows()
    text = f"{markdown(rows)}\n\n{summary(rows)}\n"
    if interrupted:
        text += "It was interrupted: the runs that are not in the table were not made.\n"
    (options.folder / "table.md").write_text(text, "utf-8")
    print(text, end="")
    return 130 if interrupted else exit_status(rows)


if __name__ == "__main__":
    sys.exit(main())
