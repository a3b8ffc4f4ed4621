"""``--format stream``: the table of STREAM 5.10, in the form that harnesses parse.

ReFrame and others look for lines such as ``Triad:  12345.6 ...`` and ``Solution Validates``. The
rows are Copy, Scale, Add and Triad with one kind of store: plain, as in STREAM, or the first other
kind that has all four. MB is 10^6 bytes, and warm-ups are left out as STREAM leaves its first
iteration out.
"""

from __future__ import annotations

from collections.abc import Sequence

from streamgage.analysis.arrays import common_arrays
from streamgage.analysis.trust import trust_of
from streamgage.errors import UsageError
from streamgage.results.measure.judge import Answer, Measured
from streamgage.units import GIB, MIB, count, listed

KERNELS = ("copy", "scale", "add", "triad")
TOLERANCE = {"double": 1e-13, "float": 1e-6}
"""STREAM's bound of the average relative error, by element type; streamgage's own check, element
by element, is at least as strict."""

_RULE = "-" * 61


def render(answer: Answer) -> str:
    """Header, table and verdict. Raises ``UsageError`` where no kind of store has all four."""
    chosen = _chosen(answer)
    rows = [each for each in chosen if each.times is not None]
    lines = [_RULE, "streamgage: based on a variant of the STREAM benchmark", _RULE]
    lines += _setting(answer, rows)
    lines += _exceptions(chosen)
    lines += [_RULE, "Function    Best Rate MB/s  Avg time     Min time     Max time"]
    lines += [_line(row) for row in rows]
    lines += [_RULE, *_verdict(answer, rows), _RULE]
    lines += [f"Trust: {trust_of(answer.result.findings).words}", _RULE]
    return "\n".join(lines) + "\n"


def _chosen(answer: Answer) -> list[Measured]:
    # Of several instruction sets the one that was named first.
    ways: dict[tuple[str, str | None], dict[str, Measured]] = {}
    for each in answer.measured:
        variant = each.variant
        if variant.kernel in KERNELS and not variant.tuned:
            ways.setdefault((variant.store, variant.isa), {}).setdefault(variant.kernel, each)
    whole = [way for way in ways.values() if len(way) == len(KERNELS)]
    if not whole:
        most = max(ways.values(), key=len, default={})
        raise UsageError(
            "STREAM's table has copy, scale, add and triad, and this result has no"
            f" {listed([name for name in KERNELS if name not in most])}"
            f"{' with the same kind of store' if most else ''}: choose another format, or measure"
            " with `streamgage measure --format stream`."
        )
    way = min(whole, key=lambda way: way["copy"].variant.store != "plain")
    return [way[kernel] for kernel in KERNELS]


def _exceptions(chosen: Sequence[Measured]) -> list[str]:
    """How the table differs from STREAM's own."""
    variant, lines = chosen[0].variant, []
    if variant.store != "plain":
        lines.append(f"Kind of store: {variant.store}{f' ({variant.isa})' if variant.isa else ''}")
    missing = [each.variant.kernel for each in chosen if each.times is None]
    if missing:
        lines.append(f"The run ended before a sample was taken of: {', '.join(missing)}")
    return lines


def _setting(answer: Answer, rows: list[Measured]) -> list[str]:
    memory, lines = answer.run.memory, []
    if memory is not None:
        lines = [
            f"This system uses {memory.element_bytes} bytes per array element.",
            _RULE,
            f"Array size = {memory.elements} (elements), Offset = 0 (elements)",
            f"Memory per array = {memory.array_bytes / MIB:.1f} MiB"
            f" (= {memory.array_bytes / GIB:.1f} GiB).",
        ]
    samples = min((row.result.n for row in rows), default=0)
    lines.append(
        f"Timed samples of each kernel, after warm-up: {samples}; best rate from the shortest."
    )
    threads = answer.run.threads()
    if threads is not None:
        asked = answer.run.placement.asked_threads if answer.run.placement else threads
        lines += [
            _RULE,
            f"Number of Threads requested = {asked}",
            f"Number of Threads counted = {threads}",
        ]
    return lines


def _line(row: Measured) -> str:
    times = row.times
    if times is None or row.result.best_gbps is None:
        raise AssertionError("rows are of variants with samples")
    label = f"{row.variant.kernel.capitalize()}:"
    rate = 1000 * row.result.best_gbps
    return (
        f"{label:<11}{rate:12.1f}  {times.mean:11.6f}  {times.minimum:11.6f}  {times.maximum:11.6f}"
    )


def _verdict(answer: Answer, rows: list[Measured]) -> list[str]:
    if not rows:
        return ["Solution not checked: no timed sample was taken."]
    epsilon = TOLERANCE[rows[0].variant.type]
    wrong = [
        each
        for each in answer.measured
        if each.result.valid is False and each.variant.id in answer.run.validations
    ]
    lines = []
    for each in wrong:
        validation = answer.run.validations[each.variant.id]
        kernel, _, how = answer.run.name(each.variant).partition(" ")
        name = f"{kernel.capitalize()} ({how})"
        lines.append(f"Failed Validation on array of {name}, AvgRelAbsErr > epsilon ({epsilon:e})")
        if validation.expected is not None:
            lines.append(f"     Expected Value: {validation.expected}, found: {validation.found}")
        lines.append(f"     {count(validation.wrong, 'element')} of {validation.checked} wrong")
        if validation.spot_failures:
            lines.append(f"     {count(validation.spot_failures, 'sample')} failed the spot check")
    if wrong:
        return lines
    catalogue = [each for each in answer.measured if answer.run.own(each.variant) is None]
    if any(each.result.valid is None for each in catalogue):
        return ["Solution not checked: the run ended before its validation."]
    memory = answer.run.memory
    arrays = len(common_arrays(memory)) if memory is not None else 0
    over = {0: "", 1: " on the array", 3: " on all three arrays"}.get(
        arrays, f" on all {arrays} arrays"
    )
    return [f"Solution Validates: avg error less than {epsilon:e}{over}"]
