"""Imports a study that others ran: STREAM's records or output and a program's logs, in one folder.

The name of a file says what it holds. ``stream-4.jsonl``: STREAM with 4 workers. ``program-4.log``:
the log of the program with 4 workers. ``program-4.txt``: the output of the program. ``-2`` after
the number means the second round. A name other than ``program`` is a separate case. The folder of a
study that streamgage ran itself has the same names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from streamgage.analysis.statistics.rounds import FreshRun
from streamgage.errors import FAILED, UsageError
from streamgage.interop.formats import parse_output
from streamgage.interop.settings import settings_of
from streamgage.interop.tables import records_of
from streamgage.interop.text import read_text
from streamgage.records.reader import Note, read_records
from streamgage.records.run import Run, collect
from streamgage.results.scale.document import Workers
from streamgage.results.series import MeasuredSeries
from streamgage.results.study.applications import TimesError
from streamgage.results.study.applications.case import ProgramReport
from streamgage.results.study.applications.times import Reading, is_petsc_log
from streamgage.results.study.document import Case, FileRun, NoFiles, Solver, Study
from streamgage.results.study.experiment import program_run, with_size
from streamgage.results.study.judge import ProgramRun, RunKey, StudySetup, judge_study
from streamgage.units import listed, some_of

STREAM, PROGRAM, DIRECT = "stream", "program", "direct"
AS_COLLECTED = "as collected"
_NAME = re.compile(r"([A-Za-z][A-Za-z0-9_.]*(?:-[A-Za-z][A-Za-z0-9_.]*)*)-(\d{1,6})(?:-(\d{1,4}))?")
_LOGS = (".csv", ".log", ".jsonl")
_PRINTED = (".txt", ".out")
_MOST_NAMED = 4
_LARGEST = 1 << 28
"""The largest log in bytes: that of PETSc with some thousand ranks."""


@dataclass(frozen=True)
class Files:
    """The files of one run."""

    name: str
    n: int
    round: int
    log: Path | None
    printed: Path | None


@dataclass(frozen=True)
class ImportRequest:
    """What to import, and how."""

    folder: Path
    readers: Callable[[str], Callable[[Reading], ProgramReport]]
    """Returns the reader for the runs of a program, by its name in the files."""
    kernel: str
    """The kernel of STREAM to compare with."""


def import_study(request: ImportRequest, note: Note) -> MeasuredSeries[Study]:
    """Make the result from a folder; ``note`` gets what was left out.

    Raises ``UsageError`` if the folder holds nothing of a study.
    """
    found = sorted(_runs_in(request.folder, note), key=lambda each: (each.round, each.n, each.name))
    stream = [(each.n, _stream(each, note)) for each in found if each.name == STREAM]
    others = [each for each in found if each.name != STREAM]
    if not stream or not others:
        lacks = "of STREAM's (stream-N.jsonl)" if not stream else "of a program's (program-N.log)"
        raise UsageError(
            f"{request.folder} holds no files {lacks}: name them so, with N threads or ranks."
        )
    _refuse_kernel(request.kernel, [run.run for _, run in stream])
    workers = _workers(stream, others)
    names = sorted({each.name for each in others}, key=lambda name: (name != DIRECT, name))
    cases: Mapping[str, str | None] = {
        name: None if len(names) == 1 and not is_server(name) else name.replace("-", " ", 1)
        for name in names
    }
    facts: list[ProgramReport] = []
    program = [_program(each, cases[each.name], workers, request, facts) for each in others]
    counts = sorted({each.n for each in found})
    missing = list(_missing(found))
    answer = judge_study(
        stream,
        program,
        [
            RunKey("stream", each.n, each.round)
            if each.name == STREAM
            else RunKey("program", each.n, each.round, cases[each.name])
            for each in found
        ],
        StudySetup(
            cases=tuple(Case(name=cases[name], command=[]) for name in names),
            workers=workers,
            threads_per_worker=1,
            launcher=None,
            placement=AS_COLLECTED,
            rounds=len({each.round for each in found}),
            seed=None,
            counts=tuple(counts),
            left_out=tuple(missing),
            solver=_solver(facts),
            kernel=request.kernel,
        ),
        None,
    )
    for each in answer.runs:
        if each.failure is not None:
            what = STREAM if each.what == "stream" else each.case or PROGRAM
            note(f"{what}, {each.n} (round {each.round}) is left out: {each.failure}")
    failed = bool(missing) or any(each.failure for each in answer.runs)
    return MeasuredSeries(answer, FAILED if failed else 0, request.folder)


def _refuse_kernel(kernel: str, runs: list[Run]) -> None:
    """Raise ``UsageError`` if the runs have kernels, but not this one."""
    there = list(dict.fromkeys(each.kernel for run in runs for each in run.shown()))
    if there and kernel not in there:
        raise UsageError(
            f"--kernel {kernel} is not in these files, which have {listed(there)}: name one of"
            " these."
        )


def _runs_in(folder: Path, note: Note) -> Iterator[Files]:
    """Yield the runs that have files.

    Raises ``UsageError`` if a run has two files of the same type.
    """
    try:
        files = sorted(each for each in folder.iterdir() if each.is_file())
    except OSError as error:
        raise UsageError(
            f"{folder} cannot be read: {error.strerror}; name a folder with program-N.log and"
            " stream-N.jsonl."
        ) from error
    runs: dict[tuple[str, int, int], Files] = {}
    unknown = []
    for file in files:
        name = _NAME.fullmatch(file.stem)
        is_log = file.suffix in _LOGS
        if name is None or not (is_log or file.suffix in _PRINTED) or int(name[2]) < 1:
            unknown.append(file.name)
            continue
        key = (name[1], int(name[2]), int(name[3] or 1))
        before = runs.get(key, Files(*key, None, None))
        if (before.log if is_log else before.printed) is not None:
            raise UsageError(
                f"{file} and another file describe the same run: leave one of them out."
            )
        runs[key] = replace(before, log=file) if is_log else replace(before, printed=file)
    if unknown:
        names = some_of(unknown, _MOST_NAMED, "file")
        note(f"These files are no runs (program-N.log, stream-N.jsonl): {names}.")
    yield from runs.values()


def _stream(files: Files, note: Note) -> FreshRun:
    """Read STREAM's records, or the output of a known benchmark."""
    run, failure = Run(), None
    file = files.log or files.printed
    assert file is not None
    try:
        if file.suffix == ".jsonl":
            run = collect(read_records(file, note))
        else:
            parsed = parse_output(read_text(file))
            settings = settings_of(parsed.tables, runs=True)
            if not settings:
                raise UsageError("It has no table of kernels, as STREAM prints one.")
            if len(settings) > 1 or len(settings[0].counts) > 1:
                raise UsageError("It holds runs that differ in their threads or arrays.")
            run = collect(records_of(parsed.tables))
            for sentence in parsed.notes:
                note(f"{file.name}: {sentence}")
    except UsageError as error:
        failure = str(error)
    else:
        failure = _refusal(run, files.n)
    return FreshRun(f"{AS_COLLECTED}, {files.n}", files.round, run, failure, str(file))


def _refusal(run: Run, n: int) -> str | None:
    if run.reported is None and (run.end is None or run.end.exit_status != 0):
        message = None if run.end is None else run.end.message
        return message or "It did not finish."
    if run.reported is not None and run.reported.validated is False:
        return "Its check of the results failed."
    ranks, threads = _ranks(run), run.threads()
    workers, what = (ranks, "ranks") if ranks > 1 else (threads, "threads")
    if workers is not None and workers != n:
        return f"Its name says {n}, and it ran with {workers} {what}."
    return None


def _ranks(run: Run) -> int:
    """The number of ranks; 1 for one process, or if the run does not say."""
    return 1 if run.placement is None else len({each.rank for each in run.placement.threads})


def _workers(stream: list[tuple[int, FreshRun]], others: list[Files]) -> Workers:
    """Decide what the workers are: ranks if PETSc's logs have several or STREAM ran with them.

    Otherwise they are threads.
    """
    if any(_ranks(each.run) > 1 for _, each in stream):
        return "ranks"
    for each in others:
        if each.n > 1 and each.log is not None:
            with suppress(UsageError):  # that run is reported separately
                text = _text(each.log)
                if is_petsc_log(text) and ",1," in "".join(_ranks_of(text)):
                    return "ranks"
    return "threads"


def _ranks_of(log: str) -> Iterator[str]:
    """Yield the ranks in the rank column of PETSc's log, with a comma on each side."""
    for line in log.splitlines():
        yield f",{','.join(line.split(',')[2:3])},"


def is_server(name: str) -> bool:
    """Return whether files of that name belong to PETSc's MPI linear solver server."""
    return name.startswith("server")


def _program(
    files: Files,
    case: str | None,
    workers: Workers,
    request: ImportRequest,
    facts: list[ProgramReport],
) -> ProgramRun:
    """Read one run; what it reports about the solver is added to ``facts``."""
    kept = files.log or files.printed
    base = ProgramRun(files.n, files.round, {}, None, str(kept), case=case)
    try:
        reading = Reading(
            printed="" if files.printed is None else _text(files.printed),
            log=None if files.log is None else _text(files.log),
            seconds=None,
            n=files.n,
            by_ranks=workers == "ranks",
        )
        report = request.readers(files.name)(reading)
    except (TimesError, UsageError) as failure:
        return replace(base, failure=str(failure))
    facts.append(report)
    return program_run(case, files.n, files.round, report, str(kept))


def _text(file: Path) -> str:
    """Read a file as text. Raises ``UsageError``."""
    try:
        if file.stat().st_size > _LARGEST:
            raise UsageError(f"{file} is longer than {_LARGEST >> 20} MiB, too long for a log.")
        return file.read_bytes().decode("utf-8", "replace")
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}.") from error


def _missing(files: list[Files]) -> Iterator[NoFiles]:
    """Yield the names that lack files for a number of workers and a round that other names have."""
    wanted = {(each.n, each.round) for each in files}
    for name in sorted({each.name for each in files}):
        have = {(each.n, each.round) for each in files if each.name == name}
        lacks = [
            FileRun(n=n, round=number)
            for n, number in sorted(wanted - have)
            if n > 1 or not is_server(name)
        ]
        if lacks:
            yield NoFiles(name=name, runs=lacks)


def _solver(facts: list[ProgramReport]) -> Solver | None:
    """Describe PETSc, if the program reports it."""
    report = next((each for each in facts if each.petsc is not None), None)
    if report is None or report.petsc is None:
        return None
    solver = Solver(
        petsc=report.petsc,
        mpi=None,
        debug=any(each.debug for each in facts),
        long_integers=None,
        unknowns=None,
        nonzeros=None,
        matrix_bytes=None,
    )
    return with_size(solver, facts)
