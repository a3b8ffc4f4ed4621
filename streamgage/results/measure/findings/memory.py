"""Checks of the figures: whether memory can have them, whether they are usual, and its limit."""

from __future__ import annotations

from streamgage.analysis.finding import PassedCheck
from streamgage.analysis.peak.gates import gate_of
from streamgage.analysis.peak.of_model import model_of
from streamgage.analysis.peak.of_modules import (
    is_soldered,
    modules_of,
    modules_share_channels,
    population_of,
)
from streamgage.analysis.peak.peak import NoPeak, Peak, packages_in_use
from streamgage.analysis.peak.usual import usual_of
from streamgage.cpu_list import count_cpus
from streamgage.records.run import Run
from streamgage.results.measure.document import KernelResult
from streamgage.results.measure.facts.memory import (
    AbovePeak,
    BelowMemory,
    Contradiction,
    ModulesKnown,
    More,
    NotSaturated,
    SlowModules,
    UnpopulatedChannels,
)
from streamgage.results.measure.findings.context import Context
from streamgage.results.measure.findings.outcome import Outcome
from streamgage.results.measure.limit import enough, points_of, saturation_result
from streamgage.units import count, format_gbps, format_share

_ROUNDING = 0.99
"""Firmware rounds rates differently: 2934 for 2933."""


def above_peak(context: Context) -> Outcome:
    """Check whether a rate exceeds the peak, even if only the least possible traffic crossed.

    GPUs come within 1 % of it, which processors do not: see ``gates``.
    """
    highest = _highest(context, at_least=True)
    if context.peak is None or highest is None:
        return None
    result, gbps = highest
    share = gbps / context.peak.gbps
    of_device = context.run.device is not None
    if share <= 1 if of_device else gate_of(share) != "above":
        seen = f"{_name(result)} moved {format_gbps(gbps)}, {format_share(share)} of the"
        return PassedCheck("above-peak", f"{seen} theoretical peak, and nothing more")
    memory = context.run.memory
    return AbovePeak(
        severity="error",
        variant=_name(result),
        gbps=gbps,
        peak_gbps=context.peak.gbps,
        peak_source=context.peak.source,
        peak_detail=context.peak.detail,
        small_arrays=memory is not None and memory.array_bytes < memory.rule_bytes,
    )


def below_memory(context: Context) -> Outcome:
    """Check whether the bandwidth is too low for this memory, if every core had a thread."""
    highest = _highest(context, at_least=False)
    peak = context.peak
    if peak is None or highest is None or not _has_all_cores(context):
        return None
    if context.saturation is not None and context.saturation.limit in ("cores", "quota"):
        return None  # that explains it
    result, gbps = highest
    share = gbps / peak.gbps
    usual = usual_of(context.run, peak)
    if gate_of(share, usual) != "low":
        seen = f"{format_gbps(gbps)} ({_name(result)}), {format_share(share)} of the theoretical"
        return PassedCheck("below-memory", f"the most that was seen is {seen} peak")
    return BelowMemory(
        severity="warning",
        variant=_name(result),
        gbps=gbps,
        nominal=result.hardware_gbps is None,
        peak_gbps=peak.gbps,
        peak_source=peak.source,
        peak_detail=peak.detail,
        at_most=peak.at_most,
        of_output=context.run.reported is not None,
        usual_low=usual.low,
        usual_high=usual.high,
        usual_reason=usual.reason,
        modules=_modules_known(context.run, peak),
    )


def _modules_known(run: Run, peak: Peak) -> ModulesKnown:
    """Whether every memory channel has a module."""
    if is_soldered(run):
        return "soldered"
    population = population_of(run)
    if population is not None:
        return "some" if population.empty or population.missing else "all"
    return "all" if peak.source == "smbios" and not peak.at_most else "unknown"


def unpopulated_channels(context: Context) -> Outcome:
    """Memory channels without a module."""
    population = population_of(context.run)
    if population is None:
        return None
    if not population.empty and not population.missing:
        channels = count(population.populated, "memory channel")
        return PassedCheck("unpopulated-channels", f"all {channels} have a module")
    return UnpopulatedChannels(
        severity="warning",
        populated=population.populated,
        empty=list(population.empty),
        missing=population.missing,
    )


def slow_modules(context: Context) -> Outcome:
    """Compare the rate of the memory modules with the one that they are made for."""
    machine, modules = context.run.machine, modules_of(context.run)
    if machine is None or isinstance(modules, NoPeak):
        return None
    rates = [
        (module.rate, module.rated_megatransfers)
        for module in modules
        if module.bytes and module.rate and module.rated_megatransfers and not module.is_rated_only
    ]
    if not rates:
        return None
    model = model_of(machine.processor, machine.system)
    kinds = {module.kind for module in modules if module.bytes}
    limited = model is not None and not model.overclocked and kinds == {model.kind}
    most = model.megatransfers if model is not None and limited else None
    possible = [min(rated, most or rated) for _, rated in rates]
    slow = [
        (runs, rated)
        for (runs, rated), best in zip(rates, possible, strict=True)
        if runs < best * _ROUNDING
    ]
    slowest, rated = (min(each) for each in zip(*(slow or rates), strict=True))
    if not slow:
        limit = (
            "" if slowest >= rated * _ROUNDING else f", rated {rated}; the processor takes {most}"
        )
        return PassedCheck("slow-modules", f"the memory runs at {slowest} MT/s{limit}")
    return SlowModules(
        severity="note",
        slow=len(slow),
        modules=len(rates),
        megatransfers=slowest,
        rated=rated,
        processor=most,
        shared=modules_share_channels(context.run),
    )


def not_saturated(context: Context) -> Outcome:
    """Figures that are the limit of the cores and not of the memory."""
    saturation = context.saturation
    if saturation is None or saturation.saturated is None:
        return None
    if saturation.saturated:
        return PassedCheck(
            "not-saturated",
            "the memory, or the path to it, is the limit:"
            f" {enough(saturation.kernel, saturation.enough_threads)}",
        )
    kernel = next(each for each in saturation.kernels if each.saturated is False)
    more, cores = _more_cores(context.run)
    return NotSaturated(
        severity="note",
        kernel=kernel.kernel,
        fewest_threads=kernel.points[0].threads,
        most_threads=kernel.points[-1].threads,
        speedup=kernel.speedup,
        lines_in_flight=saturation.lines_in_flight,
        latency_seconds=saturation.latency_seconds,
        more=more,
        cores=cores,
    )


def contradiction(context: Context) -> Outcome:
    """Check whether a thread series is implausible, or contradicts the table of rates."""
    saturation = context.saturation
    if saturation is None:
        return None
    if saturation.open_because not in ("falls", "rows-differ"):
        return PassedCheck("contradiction", "the series of threads and the table agree")
    found = saturation_result(saturation)
    points = points_of(found)
    return Contradiction(
        severity="warning",
        kernel=found.kernel,
        threads=points[-1].threads if points else 0,
        gbps=points[-1].gbps if points else None,
        row_gbps=found.row_gbps,
        by_table=saturation.open_because == "rows-differ",
    )


def _more_cores(run: Run) -> tuple[More, int]:
    """What more there is to use, and the cores of the machine."""
    machine, threads = run.machine, run.threads() or 0
    if machine is None:
        return "unknown", 0
    if threads < machine.cores:
        return "threads", machine.cores
    if count_cpus(machine.allowed_cpus) < count_cpus(machine.online_cpus):
        return "cpus", machine.cores
    return "guest" if machine.hypervisor else "none", machine.cores


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
