"""Compares compilers: each builds the same plain loops, and the same engine measures them."""

from __future__ import annotations

import os
import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from streamgage.analysis.statistics.rounds import FreshRun
from streamgage.errors import FAILED, UsageError
from streamgage.kernels import (
    Build,
    Compiler,
    Listing,
    build_kernels,
    find_compilers,
    find_shared_library,
    find_sources,
    named_with,
    names_of,
    read_listings,
)
from streamgage.plan import PlainLibrary, Plan
from streamgage.process.one_run import run_once
from streamgage.process.process import ENGINE
from streamgage.process.this_machine import describe_this_machine
from streamgage.records import Machine, Sampling
from streamgage.records.reader import Note
from streamgage.records.spool import spool_in_memory
from streamgage.results.compilers.document import Compilation, Compilers, Loop
from streamgage.results.compilers.judge import CompilersSetup, judge_compilers
from streamgage.results.preset import Preset
from streamgage.results.series import Condition, MeasuredSeries, Schedule, measure_series
from streamgage.units import MIB

KERNELS = ("copy", "scale", "add", "triad")
FLAG_SETS = ("-O2", "-O3 -march=native")
STANDARD = Preset(
    KERNELS, Sampling(min_samples=10, look_every=10, max_samples=20, budget_seconds=6)
)
QUICK = Preset(KERNELS, Sampling(min_samples=5, look_every=5, max_samples=5, budget_seconds=3))
OWN = "streamgage's own"
"""The row of the kernels that are compiled into the engine."""
_ONCE = Sampling(min_samples=1, look_every=1, max_samples=1, budget_seconds=10)
_SMALL = 1 * MIB
_SILENT_SECONDS = 60.0
_SLOWEST_TOUCH = 2e8
"""The slowest possible first touch in bytes per second, including page faults."""


@dataclass(frozen=True)
class CompilerRow:
    """A row, its condition (``None`` if it is not measured), and its listings by kernel."""

    row: Compilation
    condition: Condition | None
    listings: dict[str, Listing]


def tasks(
    named: Sequence[Compiler], flag_sets: Sequence[str], element: str = "double"
) -> list[tuple[Compiler, tuple[str, ...]]]:
    """List what to compile: the named compilers with their flags, or all compilers with every set.

    If none are named, all compilers that are found and have loops of ``element`` are used. Raises
    ``UsageError`` if there is no compiler, or one is named twice.
    """
    found = [each for each in find_compilers() if _has(each, element)] if not named else []
    compilers = [*named, *found]
    if not compilers:
        raise UsageError(
            "No compiler is on the PATH: install one, such as Debian's gcc or clang, or name one"
            " with --cc."
        )
    sets = [_words(each) for each in flag_sets]
    wanted = [
        (compiler, flags)
        for compiler in compilers
        for flags in ([compiler.flags] if compiler.flags is not None else sets)
    ]
    twice = [each for each, times in Counter(wanted).items() if times > 1]
    if twice:
        compiler, flags = twice[0]
        raise UsageError(f"{named_with(compiler, flags)!r} is given twice: leave one out.")
    return wanted


def _has(compiler: Compiler, element: str) -> bool:
    """Return whether there are sources of loops with such elements in the compiler's language."""
    return element == "double" or compiler.language != "fortran"


def _words(flags: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(flags))
    except ValueError as error:
        raise UsageError(
            f"--flags {flags!r} cannot be read ({error}): close the quotes."
        ) from error


def build(
    wanted: Sequence[tuple[Compiler, tuple[str, ...]]],
    plan: Plan,
    folder: Path,
    *,
    before: Callable[[int, int, str], None],
) -> Iterator[CompilerRow]:
    """Yield the engine's own kernels, then build each row in ``folder``.

    ``before`` is called ahead of each build.
    """
    yield _own(plan)
    sources = find_sources()
    names = names_of(wanted)
    for number, (compiler, flags) in enumerate(wanted, 1):
        name = names[number - 1]
        before(number, len(wanted), name)
        where = folder / f"{number:03}"
        where.mkdir()
        if not _has(compiler, plan.type):
            yield failed_row(name, compiler, "Its loops only support double elements.")
            continue
        built = build_kernels(compiler, flags, sources, where, element=plan.type)
        listings = read_listings(built.library) if built.library else None
        yield _built(name, built, listings or {}, plan)


def share_code(built: Sequence[CompilerRow]) -> list[CompilerRow]:
    """Return the rows such that loops with the same machine code are measured only once.

    A row whose loops all match those of one earlier row is not measured, and shares that row.
    """
    first: dict[tuple[str, str], str] = {}
    return [_shared(each, first) for each in built]


def _shared(built: CompilerRow, first: dict[tuple[str, str], str]) -> CompilerRow:
    """The row without the loops that ``first`` lists as measured.

    ``first`` gets the row's own loops, by kernel and code.
    """
    condition, name = built.condition, built.row.name
    if condition is None or not built.listings:
        return built
    measured_as = {}
    for kernel in condition.plan.kernels:
        code = built.listings[kernel].code if kernel in built.listings else ""
        owner = first.setdefault((kernel, code), name) if code else name
        if owner != name:
            measured_as[kernel] = owner
    left = [each for each in condition.plan.kernels if each not in measured_as]
    owners = set(measured_as.values())
    loops = [
        msgspec.structs.replace(each, measured_as=measured_as.get(each.kernel))
        for each in built.row.loops
    ]
    same_as = owners.pop() if not left and len(owners) == 1 else None
    row = msgspec.structs.replace(built.row, loops=loops, same_as=same_as)
    plan = msgspec.structs.replace(condition.plan, kernels=left)
    return replace(built, row=row, condition=replace(condition, plan=plan) if left else None)


def try_out(plan: Plan, note: Note, *, wait: bool) -> None:
    """Follow the plan once with small arrays, so that mistakes in it show at once.

    Raises ``StreamgageError`` if the engine cannot follow it.
    """
    small = msgspec.structs.replace(plan, array_bytes=_SMALL, sampling=_ONCE)
    trial = run_once(
        small, spool=spool_in_memory(), watch=lambda _: None, note=note, wait=wait, last=False
    )
    if trial.failure is not None:
        raise trial.failure


def runtimes(names: Sequence[str], plan: Plan) -> Iterator[CompilerRow]:
    """Yield the engine's own kernels with other OpenMP runtimes, which are preloaded.

    Raises ``UsageError`` if a name is not that of an installed library.
    """
    paths = [find_shared_library(name, "--openmp") for name in names]
    if len(set(paths)) < len(paths):
        raise UsageError("--openmp names the same library twice: leave one out.")
    short = Counter(path.name for path in paths)
    for path in paths:
        shown = path.name if short[path.name] == 1 else str(path)
        built = _own(plan, f"{OWN}, {shown}")
        assert built.condition is not None
        variables = {"LD_PRELOAD": str(path)}
        yield replace(built, condition=replace(built.condition, variables=variables))


def _own(plan: Plan, name: str = OWN) -> CompilerRow:
    row = Compilation(
        name=name,
        compiler=None,
        language="c",
        command=[],
        seconds=None,
        loops=[],
        failure=None,
    )
    return CompilerRow(row, Condition(name, plan, most_silent_seconds=most_silent(plan)), {})


def most_silent(plan: Plan) -> float:
    """How many seconds a run may be silent, which includes the first touch of large arrays."""
    return _SILENT_SECONDS + 4 * (plan.array_bytes or 0) / _SLOWEST_TOUCH


def failed_row(name: str, compiler: Compiler, why: str) -> CompilerRow:
    """The row of a compiler that produced nothing to measure."""
    row = Compilation(
        name=name,
        compiler=compiler.version,
        language=compiler.language,
        command=[],
        seconds=None,
        loops=[],
        failure=why,
    )
    return CompilerRow(row, None, {})


def _built(name: str, built: Build, listings: dict[str, Listing], plan: Plan) -> CompilerRow:
    row = Compilation(
        name=name,
        compiler=built.compiler.version,
        language=built.compiler.language,
        command=list(built.command),
        seconds=built.seconds,
        loops=[_loop(listings[kernel]) for kernel in plan.kernels if kernel in listings],
        failure=built.failure,
    )
    if built.library is None:
        return CompilerRow(row, None, {})
    library = PlainLibrary(path=str(built.library), code=name)
    measured = msgspec.structs.replace(plan, plain_library=library)
    condition = Condition(name, measured, most_silent_seconds=most_silent(plan))
    return CompilerRow(row, condition, listings)


def _loop(listing: Listing) -> Loop:
    return Loop(
        kernel=listing.kernel,
        calls=list(listing.calls),
        streaming=listing.streaming,
        vector_bits=listing.vector_bits,
        scalable=listing.scalable,
    )


def _of_its_runtime(each: FreshRun, preloaded: str | None) -> FreshRun:
    """Mark a run as failed if it used another OpenMP runtime than the requested one."""
    placement = each.run.placement
    if each.failure is not None or preloaded is None or placement is None:
        return each
    if placement.openmp is not None and os.path.realpath(placement.openmp) == preloaded:
        return each
    if placement.openmp is not None and Path(placement.openmp).name.startswith(ENGINE):
        inside = "The portable engine has its OpenMP runtime inside; build streamgage from source."
        return replace(each, failure=inside)
    return replace(each, failure=f"{placement.openmp or 'Another runtime'} ran in its place.")


def this_machine() -> Machine:
    """Describe the machine on which the rows are measured."""
    return describe_this_machine()


def compare(
    built: Sequence[CompilerRow], machine: Machine, schedule: Schedule
) -> MeasuredSeries[Compilers]:
    """Measure every row (see ``measure_series``). A row that did not compile counts as failed."""
    conditions = [each.condition for each in built if each.condition is not None]
    asked_for = {each.name: each.variables.get("LD_PRELOAD") for each in conditions}
    rows = [each.row for each in built]

    def judge(runs: list[FreshRun], seed: int) -> Compilers:
        found = [_of_its_runtime(each, asked_for[each.condition]) for each in runs]
        return judge_compilers(found, rows, CompilersSetup(schedule.rounds, seed), machine)

    done = measure_series("compilers", conditions, schedule, judge, again=True)
    failed = any(row.failure for row in done.document.compilations)
    return replace(done, exit_status=FAILED) if failed and not done.exit_status else done
