"""``--format stream``: the table of STREAM 5.10, in the form that harnesses parse.

ReFrame and others look for lines such as ``Triad:  12345.6 ...`` and ``Solution Validates``. The
rows are Copy, Scale, Add and Triad with one kind of store: plain, as in STREAM, or the first other
kind that has all four. MB is 10^6 bytes, and warm-ups are left out as STREAM leaves its first
iteration out.
"""

from __future__ import annotations

from collections.abc import Sequence

from streamgage.advice import advice
from streamgage.analysis.arrays import common_arrays
from streamgage.errors import UsageError
from streamgage.records import Variant
from streamgage.results.measure.document import KernelResult, Measure
from streamgage.results.measure.variant_rates import by_variant
from streamgage.results.result import Result
from streamgage.units import GIB, MIB, count, listed

KERNELS = ("copy", "scale", "add", "triad")
TOLERANCE = {"double": 1e-13, "float": 1e-6}
"""STREAM's bound of the average relative error, by element type; streamgage's own check, element
by element, is at least as strict."""

_RULE = "-" * 61
Row = tuple[Variant, KernelResult]


def render(measured: Result[Measure]) -> str:
    """Header, table and verdict. Raises ``UsageError`` if no kind of store has all four."""
    if measured.records is None:
        raise UsageError(
            "A document has no samples to print as STREAM does: name the records, or leave"
            " --format stream out."
        )
    chosen = _chosen(measured)
    rows = [each for each in chosen if each[1].best_seconds is not None]
    lines = [_RULE, "streamgage: based on a variant of the STREAM benchmark", _RULE]
    lines += _setting(measured, rows)
    lines += _exceptions(chosen)
    lines += [_RULE, "Function    Best Rate MB/s  Avg time     Min time     Max time"]
    lines += [_line(row) for row in rows]
    lines += [_RULE, *_verdict(measured, rows), _RULE]
    lines += [f"Trust: {measured.trust.words}", _RULE]
    return "\n".join(lines) + "\n"


def _chosen(measured: Result[Measure]) -> list[Row]:
    # Of several instruction sets the one that was named first.
    ways: dict[tuple[str, str | None], dict[str, Row]] = {}
    for each in by_variant(measured):
        variant = each[0]
        if variant.kernel in KERNELS and not variant.tuned:
            ways.setdefault((variant.store, variant.isa), {}).setdefault(variant.kernel, each)
    whole = [way for way in ways.values() if len(way) == len(KERNELS)]
    if not whole:
        most = max(ways.values(), key=len, default={})
        raise UsageError(
            "STREAM's table has copy, scale, add and triad, and this result has no"
            f" {listed([name for name in KERNELS if name not in most])}"
            f"{' with the same kind of store' if most else ''}: choose another format, or measure"
            f" with {advice('measure', '--format', 'stream')}."
        )
    way = min(whole, key=lambda way: way["copy"][0].store != "plain")
    return [way[kernel] for kernel in KERNELS]


def _exceptions(chosen: Sequence[Row]) -> list[str]:
    """The differences from STREAM's own table."""
    variant, lines = chosen[0][0], []
    if variant.store != "plain":
        lines.append(f"Kind of store: {variant.store}{f' ({variant.isa})' if variant.isa else ''}")
    missing = [variant.kernel for variant, result in chosen if result.best_seconds is None]
    if missing:
        lines.append(f"The run ended before a sample was taken of: {', '.join(missing)}")
    return lines


def _setting(measured: Result[Measure], rows: list[Row]) -> list[str]:
    memory, lines = measured.run.memory, []
    if memory is not None:
        lines = [
            f"This system uses {memory.element_bytes} bytes per array element.",
            _RULE,
            f"Array size = {memory.elements} (elements), Offset = 0 (elements)",
            f"Memory per array = {memory.array_bytes / MIB:.1f} MiB"
            f" (= {memory.array_bytes / GIB:.1f} GiB).",
        ]
    samples = min((result.n for _, result in rows), default=0)
    lines.append(
        f"Timed samples of each kernel, after warm-up: {samples}; best rate from the shortest."
    )
    threads = measured.run.threads()
    if threads is not None:
        asked = measured.run.placement.asked_threads if measured.run.placement else threads
        lines += [
            _RULE,
            f"Number of Threads requested = {asked}",
            f"Number of Threads counted = {threads}",
        ]
    return lines


def _line(row: Row) -> str:
    variant, result = row
    times = (result.mean_seconds, result.best_seconds, result.worst_seconds)
    if result.best_gbps is None or None in times:
        raise AssertionError("rows are of variants with samples")
    rate = 1000 * result.best_gbps
    return f"{variant.kernel.capitalize() + ':':<11}{rate:12.1f}" + "".join(
        f"  {seconds:11.6f}" for seconds in times
    )


def _verdict(measured: Result[Measure], rows: list[Row]) -> list[str]:
    if not rows:
        return ["Solution not checked: no timed sample was taken."]
    epsilon = TOLERANCE[rows[0][0].type]
    wrong = [
        variant
        for variant, result in by_variant(measured)
        if result.valid is False and variant.id in measured.run.validations
    ]
    lines = []
    for each in wrong:
        validation = measured.run.validations[each.id]
        kernel, _, how = measured.run.name(each).partition(" ")
        name = f"{kernel.capitalize()} ({how})"
        lines.append(f"Failed Validation on array of {name}, AvgRelAbsErr > epsilon ({epsilon:e})")
        if validation.expected is not None:
            lines.append(f"     Expected Value: {validation.expected}, found: {validation.found}")
        lines.append(f"     {count(validation.wrong, 'element')} of {validation.checked} wrong")
        if validation.spot_failures:
            lines.append(f"     {count(validation.spot_failures, 'sample')} failed the spot check")
    if wrong:
        return lines
    catalogue = [e for variant, e in by_variant(measured) if measured.run.own(variant) is None]
    if any(each.valid is None for each in catalogue):
        return ["Solution not checked: the run ended before its validation."]
    memory = measured.run.memory
    arrays = len(common_arrays(memory)) if memory is not None else 0
    over = {0: "", 1: " on the array", 3: " on all three arrays"}.get(
        arrays, f" on all {arrays} arrays"
    )
    return [f"Solution Validates: avg error less than {epsilon:e}{over}"]
