"""The closed set of findings: what to know about a run, with the figures and what to do.

Codes are stable. ``CHECKS`` is in order of weight; inside one severity findings keep that order.
"""

from __future__ import annotations

from dataclasses import dataclass

from streamgage.analysis.finding import Finding, PassedCheck, by_weight
from streamgage.results.measure.facts import Fact
from streamgage.results.measure.findings import (
    counters,
    device,
    limits,
    measurement,
    memory,
    output,
    own,
    pages,
    placement,
    process,
    ranks,
    shapes,
    states,
    stores,
    surroundings,
    traffic,
)
from streamgage.results.measure.findings.context import Context, LateRead
from streamgage.results.measure.findings.outcome import Check

__all__ = ["CHECKS", "Context", "Judgement", "LateRead", "PassedCheck", "judge"]

CHECKS: tuple[tuple[str, Check], ...] = (
    ("invalid", measurement.invalid),
    ("kernel-failed", own.kernel_failed),
    ("unfinished", measurement.unfinished),
    ("contradicts-itself", output.contradiction),
    ("cut-off", output.cut),
    ("counters-replayed", counters.counters_replayed),
    ("above-peak", memory.above_peak),
    ("not-bound", placement.not_bound),
    ("fewer-cpus", placement.fewer_cpus),
    ("cpu-quota", limits.cpu_quota),
    ("niced", process.niced),
    ("smt-sharing", placement.smt_sharing),
    ("moved", placement.moved),
    ("slow-rank", ranks.slow_rank),
    ("remote-pages", pages.remote_pages),
    ("uneven-numa", placement.uneven_numa),
    ("below-4x-rule", limits.below_rule),
    ("memory-cap", limits.memory_cap),
    ("coarse-clock", measurement.coarse_clock),
    ("device-clock", device.device_clock),
    ("device-slowed", device.device_slowed),
    ("device-shared", device.device_shared),
    ("its-own-warning", output.its_warnings),
    ("few-repetitions", output.few_repetitions),
    ("unsteady-table", output.unsteady),
    ("two-speeds", states.two_speeds),
    ("speed-drift", states.speed_drift),
    ("two-modes", measurement.bimodal),
    ("disturbed", surroundings.disturbed),
    ("steal", surroundings.steal),
    ("other-load", surroundings.other_load),
    ("paused", process.paused),
    ("not-converged", measurement.not_converged),
    ("contradiction", memory.contradiction),
    ("below-memory", memory.below_memory),
    ("unpopulated-channels", memory.unpopulated_channels),
    ("slow-modules", memory.slow_modules),
    ("not-saturated", memory.not_saturated),
    ("no-huge-pages", pages.huge_pages),
    ("pages-unchecked", pages.pages_unchecked),
    ("confined", limits.confined),
    ("numa-balancing", pages.numa_balancing),
    ("frequency-limit", surroundings.frequency_limit),
    ("write-allocate", traffic.write_allocate),
    ("late-read", stores.late_read),
    ("streaming-slower", stores.streaming_slower),
    ("two-readings", output.two_readings),
    ("copy-memcpy", stores.copy_memcpy),
    ("uneven-kernels", output.uneven),
    ("slower-shape", shapes.slower_shape),
    ("counters-rejected", counters.counters_rejected),
    ("no-counters", counters.no_counters),
    ("kernel-unchecked", own.kernel_unchecked),
    ("unproved", output.unproved),
    ("absent", measurement.absent),
)


ON_DEVICES: tuple[tuple[str, Check], ...] = (
    ("invalid", measurement.invalid),
    ("unfinished", measurement.unfinished),
    ("above-peak", memory.above_peak),
    ("below-4x-rule", limits.below_rule),
    ("memory-cap", limits.memory_cap),
    ("coarse-clock", device.coarse_clock),
    ("device-clock", device.device_clock),
    ("device-slowed", device.device_slowed),
    ("device-shared", device.device_shared),
    ("two-speeds", states.two_speeds),
    ("speed-drift", states.speed_drift),
    ("two-modes", measurement.bimodal),
    ("paused", process.paused),
    ("not-converged", measurement.not_converged),
    ("write-allocate", device.writes),
    ("slower-shape", shapes.slower_shape),
)
"""Of a device: what is about threads, pages and CPUs has nothing to say there."""


@dataclass(frozen=True)
class Judgement:
    """What was found, most important first, and the checks that found nothing wrong."""

    facts: tuple[Fact, ...]
    passed: tuple[PassedCheck, ...]

    @property
    def findings(self) -> list[Finding]:
        """What was found, in words."""
        return [each.finding() for each in self.facts]


def judge(context: Context) -> Judgement:
    """Every check on a run and what was concluded from it: of ``CHECKS``, or ``ON_DEVICES``."""
    checks = CHECKS if context.run.device is None else ON_DEVICES
    outcomes = [check(context) for _, check in checks]
    facts = by_weight(each for each in outcomes if isinstance(each, Fact))
    return Judgement(
        tuple(facts), tuple(each for each in outcomes if isinstance(each, PassedCheck))
    )
