"""Explain the saved outputs of other benchmarks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

from streamgage.analysis.user_facts import UserFacts
from streamgage.api.interpreted import Entry, InterpretedRuns
from streamgage.api.runs import Ending
from streamgage.api.series import AnyRun, run_of
from streamgage.comparison import interpret as reading
from streamgage.errors import FAILED, UsageError
from streamgage.measurement.notes import Notes
from streamgage.options.declaration import Display, Form, PythonOnly, command
from streamgage.options.question import Question
from streamgage.options.values import (
    Number,
    PathLike,
    Rate,
    Size,
    cache_bytes,
    given_peak,
    several,
    size_up_to,
    whole_number,
)
from streamgage.results.interpreted import InterpretedResult
from streamgage.results.kinds import KINDS
from streamgage.show.formats import FORMATS as EVERY_FORMAT
from streamgage.show.picture_file import PICTURES
from streamgage.units import LARGEST_SIZE, some_of

_MOST = 1 << 20


_KINDS = ("measure", "scale", "ladder", "latency", "numa", "links")
FORMATS = tuple(
    each.name
    for each in EVERY_FORMAT
    if each.name != "stream"
    and any(each.name in kind.formats for kind in KINDS if kind.name in _KINDS)
)
"""All formats but STREAM's own, which would show nothing new."""
ANSWERS = Question.GOOD
EXAMPLES = (
    ("streamgage interpret stream.log", "Explain a saved output of STREAM."),
    (
        "streamgage interpret stream.log --peak 341 --cores 48",
        "The same, with facts about the machine that ran it.",
    ),
    (
        "streamgage interpret stream.log --together",
        "Take the tables in the file as runs of one result.",
    ),
    (
        "streamgage interpret outputs -o scaling.svg",
        "A folder of outputs with 1, 2, 4 ... threads: a scaling, and its picture.",
    ),
)


@command(
    Display(
        FORMATS,
        output="Write the result to FILE instead of stdout; or draw the scaling or the series over"
        f" sizes in {PICTURES}, with its data in FILE.csv, and print the result as well.",
        data="csv",
    )
)
def interpret(
    *files: Annotated[PathLike | Iterable[PathLike], Form("FILE|FOLDER...", file=True)],
    peak: Rate | None = None,
    llc: Size | None = None,
    cores: Number | None = None,
    threads: Number | None = None,
    array_bytes: Size | None = None,
    together: bool = False,
    progress: Annotated[bool, PythonOnly(True)] = True,
) -> InterpretedRuns:
    """Explain the saved outputs of other benchmarks.

    Every table counts. Tables that differ only in the number of threads form a scaling, as from
    `streamgage scale`. Tables that differ only in the size of the arrays form a series over sizes,
    as from `streamgage ladder`; the largest size is also a result of its own. Tables with the same
    settings are runs of one result with --together, or if only the benchmark's own lines stand
    between them. Every other table, matrix, curve or transfer is a result of its own.

    Args:
        files: Saved outputs of STREAM, TheBandwidthBenchmark, BabelStream, likwid-bench, Intel
            MLC, Kokkos, HPCC, PETSc's streams, MPI_STREAM, sysbench, nvbandwidth, sc-membench,
            lmbench, Mess, mbw, tinymembench, stress-ng, rocm_bandwidth_test, the CUDA samples,
            llama-bench, pcm-memory, likwid-perfctr or VTune, tables of results in Markdown or CSV,
            or folders of them; -: standard input. Lines may have labels of nodes, tasks or files.
        peak: Theoretical peak of the memory in use, e.g. 341 (GB/s).
        llc: Size of all last-level caches in use together, e.g. 128MiB.
        cores: Number of cores of the machine.
        threads: Number of threads that ran.
        array_bytes: Size of each array, e.g. 1GiB.
        together: Take tables with the same settings as runs of one result, wherever they stand.
        progress: Print notes, such as what was left out; ``notes`` has them, too.

    Raises:
        UsageError: no file has a complete output of a known benchmark.
    """
    facts = UserFacts(
        peak_gbps=given_peak(peak),
        last_level_cache_bytes=cache_bytes(llc),
        cores=whole_number("--cores", cores, 1, _MOST),
        threads=whole_number("--threads", threads, 1, _MOST),
        array_bytes=size_up_to(
            "--array-bytes", array_bytes, LARGEST_SIZE, ("which no array can have")
        ),
    )
    notes = Notes(progress)
    outcome = reading.interpret(_paths(files), facts, notes, runs=together)
    sentences = tuple(notes.sentences)
    sources = len({source for each in outcome.results for source in each.files}) > 1
    found = [
        Entry(
            each.title,
            each.place(sources=sources),
            each.rates,
            partial(_run, each, Ending(FAILED if each.is_wrong else 0, notes=sentences)),
        )
        for each in outcome.results
    ]
    failed = outcome.skipped or any(each.is_wrong for each in outcome.results)
    return InterpretedRuns(found, FAILED if failed else 0, sentences)


def _paths(files: Iterable[PathLike | Iterable[PathLike]]) -> list[Path]:
    """Return all paths of one list or several. Raises ``UsageError`` if there is none."""
    found: list[str] = []
    for each in files:
        found += several("files", each)
    if not found:
        raise UsageError("interpret needs a file: name the saved output of a benchmark.")
    return [*map(Path, found)]


def _run(each: InterpretedResult, ending: Ending) -> AnyRun:
    return run_of(replace(each.result, called=some_of(each.files, 1, "file")), ending)
