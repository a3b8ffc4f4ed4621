"""A program with its threads on the CPUs of an expression."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from streamgage.errors import UsageError
from streamgage.process.engine import find_engine
from streamgage.process.terminal import run_in_foreground
from streamgage.process.this_machine import expand
from streamgage.records import Expansion
from streamgage.tools.pin.environment import MAIN_THREAD, Pinning, pinned_environment
from streamgage.tools.pin.library import find_library
from streamgage.tools.pin.report import PinnedThread, read_report

_MASK = re.compile(r"0[xX]([0-9a-fA-F]{1,64})", re.ASCII)
_RANGE = re.compile(r"([0-9]{1,4})(?:-([0-9]{1,4}))?", re.ASCII)
_MOST_CHARACTERS = 40


@dataclass(frozen=True)
class Outcome:
    """How a program ended, and where its threads ran."""

    exit_status: int
    expansion: Expansion
    threads: list[PinnedThread]


def parse_skip(text: str | None) -> tuple[int, ...]:
    """Threads of ``main,0,2-3`` or of the mask ``0xd``. Raises ``UsageError`` for anything else."""
    if text is None:
        return ()
    numbers: list[int] = []
    for part in text.split(","):
        threads = _threads_of(part.strip())
        if threads is None:
            shown = text if len(text) <= _MOST_CHARACTERS else text[:_MOST_CHARACTERS] + "..."
            raise UsageError(
                f"--skip {shown!r} names no threads: write numbers from 0 in the order in which the"
                " program makes its threads, such as 0,2-3, or a mask such as 0x1, or main for the"
                " main thread."
            )
        numbers += threads
    return tuple(dict.fromkeys(numbers))


def _threads_of(part: str) -> Sequence[int] | None:
    if part == "main":
        return [MAIN_THREAD]
    if mask := _MASK.fullmatch(part):
        bits = int(mask[1], 16)
        return [number for number in range(bits.bit_length()) if bits >> number & 1]
    if match := _RANGE.fullmatch(part):
        return range(int(match[1]), int(match[2] or match[1]) + 1) or None
    return None


def run(
    expression: str,
    command: Sequence[str],
    *,
    skip: Sequence[int] = (),
    oversubscribe: bool = False,
) -> Outcome:
    """Run ``command`` with its threads on the CPUs of ``expression``, in that order.

    Raises ``UsageError`` where the expression cannot be had, and ``NotStartedError`` where the
    program cannot be started.
    """
    expansion = expand(expression, oversubscribe=oversubscribe)
    if not expansion.this_system:
        raise UsageError(
            "HWLOC_* variables ask for another topology than this machine's, and nothing can run"
            " there: unset HWLOC_SYNTHETIC, HWLOC_XMLFILE and HWLOC_FSROOT."
        )
    library = find_library(find_engine())
    pinning = Pinning(expansion.cpus, skip, oversubscribe)
    with tempfile.TemporaryDirectory(prefix="streamgage-pin-") as folder:
        report = Path(folder) / "threads"
        report.touch()
        environment = pinned_environment(pinning, library, report, os.environ)
        status = run_in_foreground(command, environment, expansion.cpus)
        return Outcome(status, expansion, read_report(report))
