"""What the saved output of another benchmark means."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from streamgage.analysis.user_facts import Given
from streamgage.api.declaration import PythonOnly, Shown, command
from streamgage.api.notes import Notes
from streamgage.api.run import Run
from streamgage.api.runs import Ending
from streamgage.api.values import Number, PathLike, Rate, Size, given_peak, whole_number
from streamgage.errors import FAILED, UsageError
from streamgage.results.measure import KIND
from streamgage.store.load import Loaded
from streamgage.tools import interpret as study
from streamgage.units import GIB, LARGEST_SIZE, format_bytes, parse_bytes

LARGEST_CACHE = 1024 * GIB
"""1 TiB: no processor has such caches; a greater figure is a slip of the hand."""
_MOST = 1 << 20


FORMATS = tuple(each for each in KIND.formats if each != "stream")
"""STREAM's own would say nothing new."""
EXAMPLES = (
    ("streamgage interpret stream.log", "What a saved output of STREAM means."),
    (
        "streamgage interpret stream.log --peak 341 --cores 48",
        "The same, knowing the machine that it came from.",
    ),
)


@command(Shown(FORMATS, details=("verbose",)))
def interpret(
    file: PathLike,
    *,
    peak: Rate | None = None,
    llc: Size | None = None,
    cores: Number | None = None,
    threads: Number | None = None,
    array_bytes: Size | None = None,
    progress: Annotated[bool, PythonOnly(True)] = True,
) -> Run:
    """Say what the saved output of another benchmark means.

    Args:
        file: Saved output of STREAM, TheBandwidthBenchmark, BabelStream or likwid-bench; -:
            standard input.
        peak: Theoretical peak of the memory in use, e.g. 341.
        llc: Sum of the last-level caches in use, e.g. 128MiB.
        cores: Cores of the machine.
        threads: Threads that ran.
        array_bytes: Size of each array, e.g. 1GiB.
        progress: Print sentences such as what was left out; they are in ``notes``, too.

    Raises:
        UsageError: the file holds no whole output of a benchmark that is known.
    """
    given = Given(
        peak_gbps=given_peak(peak),
        last_level_cache_bytes=_size("--llc", llc, LARGEST_CACHE, "no processor's caches have"),
        cores=whole_number("--cores", cores, 1, _MOST),
        threads=whole_number("--threads", threads, 1, _MOST),
        array_bytes=_size("--array-bytes", array_bytes, LARGEST_SIZE, "no array can have"),
    )
    notes = Notes(progress)
    path = Path(file)
    found = study.interpret(path, given, notes)
    reported = found.run.reported
    wrong = reported is not None and reported.validated is False
    ending = Ending(FAILED if wrong else 0, notes=tuple(notes.sentences))
    return Run(Loaded(str(path), found.result, found), ending)


def _size(option: str, size: Size | None, most: int, whose: str) -> int | None:
    """Bytes of a size. Raises ``UsageError`` where it is none, or none that there can be."""
    if size is None:
        return None
    text = str(size)
    found = parse_bytes(text)
    if not found:
        raise UsageError(
            f"{option} {text[:40]!r} is not a size above 0: give one such as 128MiB, 1GiB or"
            " 80000000 (bytes)."
        )
    if found > most:
        raise UsageError(
            f"{option} {text[:40]} is more than {format_bytes(most)}, which {whose}: give bytes, or"
            " a size such as 128MiB."
        )
    return found
