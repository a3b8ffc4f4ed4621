"""Checks of the figures: whether memory can have them, whether they are usual, and its limit."""

from __future__ import annotations

from streamgage.analysis.finding import Finding, Passed
from streamgage.analysis.peak import Peak
from streamgage.analysis.peak.of_modules import population_of
from streamgage.analysis.peak.peak import USUAL_FROM, USUAL_TO, gate_of, packages_in_use
from streamgage.analysis.saturation import KernelSaturation, Saturation
from streamgage.cpu_list import count_cpus
from streamgage.records.run import Run
from streamgage.results.measure.document import KernelResult
from streamgage.results.measure.findings.context import Context
from streamgage.results.measure.findings.outcome import Outcome, some
from streamgage.results.measure.limit import enough, saturation_result, why_open
from streamgage.units import count, format_gbps, format_share

_USUAL = f"{100 * USUAL_FROM:.0f} to {100 * USUAL_TO:.0f} % is usual"


def above_peak(context: Context) -> Outcome:
    """More than the memory can give, even by the least that must have crossed."""
    highest = _highest(context, at_least=True)
    if context.peak is None or highest is None:
        return None
    result, gbps = highest
    share = gbps / context.peak.gbps
    seen = f"{_name(result)} moved {format_gbps(gbps)}, {format_share(share)} of the"
    if gate_of(share) != "above":
        return Passed("above-peak", f"{seen} theoretical peak, and nothing more")
    return Finding(
        code="above-peak",
        severity="error",
        reason=f"{_name(result)} is above the peak of {format_gbps(context.peak.gbps)}",
        text=f"{seen} theoretical peak of {_shown(context.peak)}. No memory exceeds its peak: part"
        " of the data came from a cache, or the peak is wrong, so a share of it means"
        f" nothing. {_remedy_above(context, context.peak)}",
    )


def _remedy_above(context: Context, peak: Peak) -> str:
    memory = context.run.memory
    if memory is not None and memory.array_bytes < memory.rule_bytes:
        return "The arrays are below STREAM's 4x rule: measure larger ones (--size) first."
    return {
        "given": "Check the figure given with --peak: channels x transfers a second x 8 bytes.",
        "smbios": "Measure larger arrays (--size); if the figure stays, give the peak with --peak.",
        "model": "Measure larger arrays (--size); if the figure stays, this computer's memory is"
        " faster than its processor's model says: give the peak with --peak.",
    }[peak.source]


def below_memory(context: Context) -> Outcome:
    """Less than this memory gives, with a thread on every core of the packages in use."""
    highest = _highest(context, at_least=False)
    peak = context.peak
    if peak is None or highest is None or not _has_all_cores(context):
        return None
    if context.saturation is not None and context.saturation.limit in ("cores", "quota"):
        return None  # that explains it
    result, gbps = highest
    share = gbps / peak.gbps
    seen = f"{format_gbps(gbps)} ({_name(result)}), {format_share(share)} of the theoretical"
    if gate_of(share) != "low":
        return Passed("below-memory", f"the most that was seen is {seen} peak")
    counted = (
        ""
        if result.hardware_gbps is not None
        else " It counts nominal bytes, without the lines that stores read."
    )
    slower = (
        " The peak is the maximum of this processor model; slower or fewer modules have less. As"
        " root, streamgage reads which modules are installed."
        if peak.source == "model"
        else ""
    )
    return Finding(
        code="below-memory",
        severity="warning",
        reason=f"only {format_share(share)} of the peak was reached; {_USUAL}",
        text=f"The most that was seen is {seen} peak of {_shown(peak)}, with a thread on every"
        f" core; {_USUAL}.{counted}{slower} {_look(context.run)}",
    )


def unpopulated_channels(context: Context) -> Outcome:
    """Memory channels without a module."""
    population = population_of(context.run)
    if population is None:
        return None
    lacking = len(population.empty) + population.missing
    total = population.populated + lacking
    if not lacking:
        return Passed("unpopulated-channels", f"all {count(total, 'memory channel')} have a module")
    share = format_share(population.populated / total)
    slots = f" (empty: {some(population.empty)})" if population.empty else ""
    unlisted = (
        f" {population.missing} of them are not on the list of slots, so this computer may have no"
        " slots for them."
        if population.missing
        else ""
    )
    return Finding(
        code="unpopulated-channels",
        severity="warning",
        reason=f"{lacking} of {count(total, 'memory channel')} have no module",
        text=f"{lacking} of {count(total, 'memory channel')} have no module{slots}: the memory"
        f" reaches at most {share} of what the processors support.{unlisted} Put modules of"
        " the same kind into every channel.",
    )


def not_saturated(context: Context) -> Outcome:
    """Figures that are the limit of the cores and not of the memory."""
    saturation = context.saturation
    if saturation is None or saturation.saturated is None:
        return None
    if saturation.saturated:
        return Passed(
            "not-saturated",
            "the memory, or the path to it, is the limit:"
            f" {enough(saturation.kernel, saturation.enough_threads)}",
        )
    kernel = next(each for each in saturation.kernels if each.saturated is False)
    return Finding(
        code="not-saturated",
        severity="note",
        reason="the cores are the limit, not the memory",
        text=f"{_speedup(kernel)}: these figures are the limit of the cores"
        f"{_lines(saturation)}, not of the memory. {_more_cores(context.run)}",
    )


def contradiction(context: Context) -> Outcome:
    """A thread series that no undisturbed memory gives, or that its own table contradicts."""
    saturation = context.saturation
    if saturation is None:
        return None
    if saturation.open_because not in ("falls", "rows-differ"):
        return Passed("contradiction", "the series of threads and the table agree")
    why = why_open(saturation_result(saturation))
    return Finding(
        code="contradiction",
        severity="warning",
        reason="the thread series contradicts the table, or itself",
        text=f"The run contradicts itself: {why}. So one of its figures is not the memory's. Look"
        " at the other findings, at the binding and at other programs, and measure again.",
    )


def _speedup(kernel: KernelSaturation) -> str:
    fewest, most = kernel.points[0].threads, kernel.points[-1].threads
    return (
        f"{count(most, 'thread')} run {kernel.kernel} {kernel.speedup:.2f} times as fast as"
        f" {fewest}"
    )


def _lines(saturation: Saturation) -> str:
    if saturation.lines_in_flight is None or saturation.latency_seconds is None:
        return ""
    return (
        f" ({saturation.lines_in_flight:.0f} lines in flight each,"
        f" {saturation.latency_seconds * 1e9:.0f} ns away)"
    )


def _more_cores(run: Run) -> str:
    machine, threads = run.machine, run.threads() or 0
    if machine is None:
        return "More threads would reach more."
    if threads < machine.cores:
        return f"Use more threads: {machine.cores} cores are here (leave --threads and --cpus out)."
    if count_cpus(machine.allowed_cpus) < count_cpus(machine.online_cpus):
        return "Start it with all CPUs of the machine to see what the memory gives."
    if machine.hypervisor:
        return "More cores of this machine would reach more: only a larger guest shows its limit."
    return "Nothing is wrong: every core that works adds bandwidth, so use them all."


def _highest(context: Context, *, at_least: bool) -> tuple[KernelResult, float] | None:
    """The variant that moved most, with its GB/s: what crossed, or nominal where that is unknown.

    ``at_least``: by the lower bound of what crossed, which is never below the nominal figure.
    """
    moved = [(each, _crossed(each, at_least=at_least)) for each in context.kernels]
    known = [
        (each, gbps) for each, gbps in moved if gbps and each.valid is not False and _is_rate(each)
    ]
    return max(known, key=lambda each: each[1], default=None)


def _crossed(result: KernelResult, *, at_least: bool) -> float | None:
    nominal = result.median_gbps or result.best_gbps
    replayed = result.alpha.evidence == "replayed"  # and so nothing of this memory
    crossed = None if replayed else result.hardware_gbps
    if at_least and not replayed and result.hardware_low_gbps is not None:
        crossed = max(result.hardware_low_gbps, nominal or 0.0)
    return crossed if crossed is not None else nominal


def _is_rate(result: KernelResult) -> bool:
    return result.purpose == "rate"


def _look(run: Run) -> str:
    binding = (
        "whether its threads were bound (OMP_PROC_BIND=true, OMP_PLACES=cores)"
        if run.reported is not None
        else "the binding and at remote pages here"
    )
    return (
        f"Look at {binding}, at the NUMA mode (NPS, sub-NUMA clusters) and power settings of the"
        " firmware, at empty memory channels, and at what else uses this memory."
    )


def _has_all_cores(context: Context) -> bool:
    """Whether every core of the packages in use has a thread, and no other guest shares them."""
    run, given = context.run, context.given
    if run.reported is not None:
        used = given.threads or run.reported.threads
        cores = given.cores or run.reported.cores
        return used is not None and cores is not None and used >= cores
    machine, threads = run.machine, run.threads()
    if machine is None or threads is None or machine.hypervisor or machine.cores <= 0:
        return False
    packages = packages_in_use(run)
    share = len(packages) / machine.packages if packages is not None else 1.0
    return threads >= machine.cores * share


def _name(result: KernelResult) -> str:
    store = "" if result.store == "unknown" else f" {result.store}"
    return f"{result.kernel}{store}{' tuned' if result.tuned else ''}"


def _shown(peak: Peak) -> str:
    return f"{format_gbps(peak.gbps)} ({peak.detail})"
