"""Computes the rate of each row from its runs, and the ratio to the first row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec

from streamgage.analysis.statistics.bootstrap import estimate_of, paired_ratio
from streamgage.analysis.statistics.rounds import FreshRun, Rounds, rounds_of
from streamgage.records import Machine
from streamgage.results.compilers.document import Compilation, CompiledRate, CompiledRun, Compilers
from streamgage.results.compilers.findings import is_wrong
from streamgage.results.document import common

PLAIN = "plain"


@dataclass(frozen=True)
class CompilersSetup:
    """The request, as the document records it."""

    rounds: int
    seed: int


def judge_compilers(
    runs: Sequence[FreshRun],
    rows: Sequence[Compilation],
    setup: CompilersSetup,
    machine: Machine | None,
) -> Compilers:
    """Build the result from ``runs``; the condition of each run is the name of its row.

    Rows without a run are left out.
    """
    wrong = {each.condition for each in runs if is_wrong(each.failure)}
    good = [each for each in runs if each.failure is None and each.condition not in wrong]
    kernels = list(dict.fromkeys(variant.kernel for each in good for variant in each.run.shown()))
    found = {
        (row.name, kernel): rounds
        for row in rows
        for kernel in kernels
        if (rounds := _rounds(row.name, kernel, good)) is not None
    }
    for row in rows:
        for loop in row.loops:
            owner = loop.measured_as
            if owner is not None and row.same_as is None and (owner, loop.kernel) in found:
                found[row.name, loop.kernel] = found[owner, loop.kernel]
    baseline = next((row.name for row in rows if any(name == row.name for name, _ in found)), None)
    first = next((each.run for each in good), None)
    return Compilers(
        **common((each.run for each in runs), machine),
        threads=None if first is None else first.threads(),
        rounds=setup.rounds,
        seed=setup.seed,
        baseline=baseline,
        compilations=_with_failures(rows, runs),
        rates=[
            msgspec.structs.replace(
                _rate(row.name, kernel, baseline, found), measured_as=_owner(row, kernel)
            )
            for row in rows
            for kernel in kernels
            if (row.name, kernel) in found
        ],
        runs=[
            CompiledRun(
                round=each.round,
                name=each.condition,
                failure=each.failure,
                records=each.records,
            )
            for each in runs
        ],
    )


def _rounds(name: str, kernel: str, runs: Sequence[FreshRun]) -> Rounds | None:
    return rounds_of(kernel, PLAIN, [each for each in runs if each.condition == name])


def _owner(row: Compilation, kernel: str) -> str | None:
    """The row that measured the loop; ``None`` if none did."""
    return next((each.measured_as for each in row.loops if each.kernel == kernel), None)


def _with_failures(rows: Sequence[Compilation], runs: Sequence[FreshRun]) -> list[Compilation]:
    """The rows with their failures. A row that shares the code of a failed row has failed, too."""
    judged = {row.name: _with_failure(row, runs) for row in rows if not _shares_all(row)}
    found = []
    for row in rows:
        if not _shares_all(row):
            found.append(judged[row.name])
            continue
        owners = {each.measured_as for each in row.loops if each.measured_as is not None}
        failed = [judged[each].failure for each in owners if each in judged]
        why = next((each for each in failed if each is not None), row.failure)
        found.append(msgspec.structs.replace(row, failure=why))
    return found


def _shares_all(row: Compilation) -> bool:
    """Return whether other rows measured all loops of this one."""
    return bool(row.loops) and all(each.measured_as is not None for each in row.loops)


def _with_failure(row: Compilation, runs: Sequence[FreshRun]) -> Compilation:
    """The row, marked as failed if all of its runs failed or any of them had a wrong result."""
    if row.failure is not None:
        return row
    own = [each for each in runs if each.condition == row.name]
    failures = [each.failure for each in own if each.failure is not None]
    wrong = [each for each in failures if is_wrong(each)]
    if not own:
        failures = ["It was not measured: the series was stopped before."]
    if wrong or len(failures) >= len(own):
        return msgspec.structs.replace(row, failure=[*wrong, *failures][0])
    return row


def _rate(
    name: str, kernel: str, baseline: str | None, rates: Mapping[tuple[str, str], Rounds]
) -> CompiledRate:
    here = rates[name, kernel]
    base = rates.get((baseline or "", kernel))
    ratio = None if base is None or name == baseline else paired_ratio(base.times, here.times)
    return CompiledRate(
        name=name,
        kernel=kernel,
        gbps=here.gbps(),
        ratio=estimate_of(ratio),
        rounds=len(here.times),
    )
