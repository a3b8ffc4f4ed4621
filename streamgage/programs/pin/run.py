"""Runs a program with its threads on the CPUs of an expression."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from streamgage.errors import StreamgageError, UsageError
from streamgage.process.engine import find_engine
from streamgage.process.terminal import run_in_foreground
from streamgage.programs.pin.environment import MAIN_THREAD, Pinning, pinned_environment
from streamgage.programs.pin.memory import MemoryPolicy, memory_policy
from streamgage.programs.pin.ranks import Share
from streamgage.programs.pin.report import PinnedThread, read_report
from streamgage.units import shortened

LIBRARY = "libstreamgage-pin.so"


def find_library(engine: Path, environment: Mapping[str, str] = os.environ) -> Path:
    """Find the library: by ``STREAMGAGE_PIN_LIBRARY``, else in its usual places.

    These are next to the engine, in ``lib`` next to the engine's folder, and in this package.
    Raises ``StreamgageError`` if there is none, or if ``LD_PRELOAD`` cannot hold its path.
    """
    named = environment.get("STREAMGAGE_PIN_LIBRARY")
    engine = engine.resolve()
    places = [
        engine.parent / LIBRARY,
        engine.parent.parent / "lib" / LIBRARY,
        Path(__file__).resolve().parents[2] / LIBRARY,
    ]
    for place in [Path(named)] if named else places:
        if place.is_file():
            return _fit_to_preload(place.resolve())
    if named:
        raise StreamgageError(
            f"STREAMGAGE_PIN_LIBRARY names {named}, which is not a file: correct it, or unset it"
            f" to use the installed {LIBRARY}."
        )
    raise StreamgageError(
        f"{LIBRARY} was found neither next to {engine} nor in lib/ nor in the Python package:"
        " install streamgage again, or name the library in STREAMGAGE_PIN_LIBRARY."
    )


def _fit_to_preload(path: Path) -> Path:
    if any(sign in str(path) for sign in " :"):
        raise StreamgageError(
            f"{path} has a space or a colon in its path, so that it cannot be preloaded: copy it"
            " elsewhere and name that in STREAMGAGE_PIN_LIBRARY."
        )
    return path


_MASK = re.compile(r"0[xX]([0-9a-fA-F]{1,64})", re.ASCII)
_RANGE = re.compile(r"([0-9]{1,4})(?:-([0-9]{1,4}))?", re.ASCII)


@dataclass(frozen=True)
class PinnedRun:
    """How a program ended, and where its threads ran."""

    exit_status: int
    share: Share
    policy: MemoryPolicy | None
    threads: list[PinnedThread]


def parse_skip(text: str | None) -> tuple[int, ...]:
    """Parse threads, such as ``main,0,2-3`` or the mask ``0xd``. Raises ``UsageError``."""
    if text is None:
        return ()
    numbers: list[int] = []
    for part in text.split(","):
        threads = _threads_of(part.strip())
        if threads is None:
            shown = shortened(text)
            raise UsageError(
                f"--skip {shown!r} does not name threads: write numbers from 0 in the order in"
                " which the program creates its threads, such as 0,2-3; or a mask such as 0x1; or"
                " main for the main thread."
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
    share: Share,
    command: Sequence[str],
    *,
    threads: int | None = None,
    skip: Sequence[int] = (),
    oversubscribe: bool = False,
    policy: MemoryPolicy | None = None,
) -> PinnedRun:
    """Run ``command`` with its threads on the CPUs of ``share``, in that order.

    ``threads`` replaces the number in OMP_NUM_THREADS. The program and those that it starts take
    their memory by ``policy``, or by that of this process. Raises
    ``UsageError`` if nothing can run there, and ``NotStartedError`` if the program cannot be
    started.
    """
    if not share.expansion.this_system:
        raise UsageError(
            "HWLOC_* variables replace this machine's topology, and nothing can run on another"
            " machine's CPUs: unset HWLOC_SYNTHETIC, HWLOC_XMLFILE and HWLOC_FSROOT."
        )
    library = find_library(find_engine())
    pinning = Pinning(share.cpus, skip, oversubscribe)
    with tempfile.TemporaryDirectory(prefix="streamgage-pin-") as folder:
        report = Path(folder) / "threads"
        report.touch()
        variables = dict(os.environ)
        if threads is not None:
            variables["OMP_NUM_THREADS"] = str(threads)
        environment = pinned_environment(pinning, library, report, variables)
        with memory_policy(policy, library):
            status = run_in_foreground(command, environment, share.cpus)
        return PinnedRun(status, share, policy, read_report(report))
