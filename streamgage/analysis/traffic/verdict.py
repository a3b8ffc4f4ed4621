"""The verdict on each variant's stores: the real traffic, and how it is known.

Counters come first. Next come times and the physical limit, which must agree. If they contradict
each other, or neither decides, the answer is *cannot tell* with the reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import msgspec

from streamgage.analysis.peak.gates import HIGHEST
from streamgage.analysis.peak.peak import Peak
from streamgage.analysis.statistics.bootstrap import BlockMedian
from streamgage.analysis.statistics.epochs import interval_over_epochs
from streamgage.analysis.traffic.alpha import Alpha, refuse
from streamgage.analysis.traffic.bracket import BRACKETS
from streamgage.analysis.traffic.consistency import (
    CONTRAST,
    Consistency,
    consistency_of,
    contrast,
    readings_of,
)
from streamgage.analysis.traffic.counter_alpha import CounterVerdict, counter_verdict
from streamgage.analysis.traffic.exclusion import Bound, bound_of, exclude
from streamgage.analysis.traffic.inference import NO_FASTER, infer, late_read
from streamgage.analysis.traffic.likelihood import (
    EXTRA_LOADS,
    KNOWN_LOADS,
    READS,
    KnownRow,
    Rates,
)
from streamgage.analysis.traffic.odds import band_of, grade_of, posterior_of
from streamgage.analysis.traffic.own import declared_crossing, own_counter_verdict
from streamgage.analysis.traffic.rates import Crossing, Rate, crossing_of
from streamgage.analysis.traffic.reading import Readings
from streamgage.analysis.traffic.reason import Reason, ReasonCode
from streamgage.analysis.traffic.refusals import scattered_tables
from streamgage.analysis.traffic.scene import Scene
from streamgage.analysis.traffic.timing import Timing, avoids_read, forces_read
from streamgage.analysis.traffic.twins import (
    ForcedRead,
    StreamingGain,
    forced_twin,
    streaming_gains,
)
from streamgage.analysis.user_facts import UserFacts
from streamgage.records import OwnFacts, Variant
from streamgage.records.run import Run


@dataclass(frozen=True)
class TrafficJudgement:
    """The real traffic of a run's variants by their ids, and what the verdicts rest on."""

    crossings: dict[int, Crossing]
    forced_reads: dict[str, ForcedRead]
    """The check of each kernel: whether stores whose lines are certainly read give an alpha of
    1."""
    late_reads: dict[int, BlockMedian]
    """The share of time that a variant's late reads cost; 0.5 means half as long again. It only has
    variants that are judged full and certainly take longer than with their lines prefetched for
    writing."""
    streaming_gains: dict[str, StreamingGain]
    """The gain of streaming over ordinary stores, for each kernel."""
    refusals: tuple[str, ...]
    """The reasons for everything that is unknown, without repetitions, in the order of the
    variants."""
    readings: Readings | None = None
    """The possible meanings of another benchmark's table, if its rates do not decide."""


def judge_traffic(
    run: Run,
    *,
    steady: Run | None = None,
    peak: Peak | None = None,
    saturated: bool | None = None,
    user_facts: UserFacts | None = None,
) -> TrafficJudgement:
    """Judge the real traffic of each variant of ``run``.

    ``steady``: the run as if the machine had stayed in one state, whose times are compared;
    ``None`` if it did.
    ``peak``: the theoretical peak of the memory in use. ``saturated``: whether a series of threads
    showed that memory is the limit; ``None`` if there was no such series.
    """
    user_facts = user_facts or UserFacts()
    if user_facts.peak_gbps is not None:
        peak = Peak(user_facts.peak_gbps, "given", "--peak")
    scene = Scene(steady or run, saturated, user_facts)
    judge = _Judge(run, scene, peak)
    crossings = {variant.id: judge.crossing(variant) for variant in run.variants.values()}
    refused = (each.alpha.why for each in crossings.values() if _refused(each.alpha))
    return TrafficJudgement(
        crossings=crossings,
        forced_reads=scene.checks,
        late_reads=_late_reads(scene, crossings),
        streaming_gains=streaming_gains(scene.timing),
        refusals=tuple(dict.fromkeys(reason for reason in refused if reason)),
        readings=judge.readings(crossings),
    )


def _refused(alpha: Alpha) -> bool:
    return alpha.verdict == "cannot-tell"


def _late_reads(scene: Scene, crossings: dict[int, Crossing]) -> dict[int, BlockMedian]:
    found = {}
    for number, crossing in crossings.items():
        late = late_read(scene, scene.run.variants[number])
        if late is not None and late.low > NO_FASTER and crossing.alpha.verdict == "full":
            found[number] = late
    return found


class _Judge:
    """Combines the kinds of evidence in one run."""

    def __init__(self, run: Run, scene: Scene, peak: Peak | None) -> None:
        self.run = run
        self.scene = scene
        self.peak = peak
        self._consistent: Consistency | None = None
        self._timing = Timing(run)
        self._rates: dict[int, Rate | None] = {}

    def crossing(self, variant: Variant) -> Crossing:
        kernel = self.scene.run.kernels.get(variant.kernel)
        rate = self._rate(variant)
        if kernel is None or rate is None:
            return Crossing(refuse(Reason(why=ReasonCode.NO_RATE)), None, None, None)
        if kernel.own is not None:
            return self._of_own(variant, kernel.own, rate)
        by_counters = counter_verdict(self.run, variant, self.peak)
        if by_counters is not None and by_counters.gbps is not None:
            return _measured(by_counters, by_counters.gbps)
        if not kernel.write_allocates:
            return self._nothing_more(variant, rate)
        if self.scene.run.device is not None:
            return crossing_of(infer(self.scene, variant), rate, kernel)
        alpha = self._without_counters(variant)
        if by_counters is not None and _refused(alpha):
            alpha = refuse(Reason(why=ReasonCode.BOTH), *alpha.reasons, *by_counters.alpha.reasons)
        return crossing_of(alpha, rate, kernel)

    def _of_own(self, variant: Variant, own: OwnFacts, rate: Rate) -> Crossing:
        run = self.run
        by_counters = own_counter_verdict(run, variant, own, self.peak)
        if by_counters is not None and by_counters.gbps is not None:
            return _measured(by_counters, by_counters.gbps)
        if self.scene.not_of_memory is not None:
            return Crossing(Alpha(reasons=[self.scene.not_of_memory]), None, None, None)
        others = {
            each.id: self.crossing(each)
            for each in run.variants.values()
            if run.own(each) is None and each.purpose == "rate"
        }
        return declared_crossing(run, variant, own, rate, others)

    def _rate(self, variant: Variant) -> Rate | None:
        """The nominal rate: the median and its bounds."""
        if variant.id not in self._rates:
            self._rates[variant.id] = self._new_rate(variant)
        return self._rates[variant.id]

    def _new_rate(self, variant: Variant) -> Rate | None:
        kernel = self.run.kernels.get(variant.kernel)
        times = self._timing.summary(variant)
        if kernel is None or times is None:
            return None
        moved = (self.scene.run.iteration_bytes(variant) or 0) / 1e9
        interval = interval_over_epochs(self.run.epochs_of(variant.id)) or times.interval
        return Rate(
            moved / times.median,
            moved / interval.high if interval else moved / times.median,
            moved / interval.low if interval else moved / times.median,
        )

    def _nothing_more(self, variant: Variant, rate: Rate) -> Crossing:
        kernel = self.scene.run.kernels[variant.kernel]
        if self.scene.not_of_memory is not None:
            return Crossing(Alpha(reasons=[self.scene.not_of_memory]), None, None, None)
        why = ReasonCode.READS_ITSELF if kernel.stores else ReasonCode.NO_STORE
        return Crossing(Alpha(reasons=[Reason(why=why)]), rate.median, rate.low, rate.high)

    def _without_counters(self, variant: Variant) -> Alpha:
        inferred = self._inferred(variant)
        bound = self._bound(variant)
        if bound is None or self.scene.not_of_memory is not None or self._beyond_peak is not None:
            return inferred
        excluded = exclude(bound, self._reachable(variant, bound))
        if excluded is None:
            return inferred
        return _agreed(inferred, bound, excluded)

    def _inferred(self, variant: Variant) -> Alpha:
        scene = self.scene
        ordinary = not avoids_read(variant) and not forces_read(variant)
        if not ordinary or variant.purpose != "rate" or scene.not_of_memory is not None:
            return infer(scene, variant)
        if self._beyond_peak is not None:
            return refuse(self._beyond_peak)
        if not scene.timing.foreign:
            return self._weighed(variant, infer(scene, variant))
        if scene.unsaturated is not None:
            return refuse(scene.unsaturated)
        if self._consistent is None:
            self._consistent = self._consistency()
        verdict = self._consistent.verdicts.get(variant.kernel)
        if verdict is None:  # a mix of reads and writes is no loop of the table
            return refuse(Reason(why=ReasonCode.NOTHING_TO_COMPARE))
        return self._with_bracket(variant, verdict)

    def _with_bracket(self, variant: Variant, alpha: Alpha) -> Alpha:
        """The verdict with the alpha of the kernels on both sides, if the table has them."""
        found = self.scene.alpha(variant)
        if alpha.evidence != "inferred" or found is None or variant.kernel == "init":
            return alpha
        low, high = min(alpha.low or 0.0, found.low), max(alpha.high or 0.0, found.high)
        return msgspec.structs.replace(alpha, value=found.value, low=low, high=high)

    def _weighed(self, variant: Variant, alpha: Alpha) -> Alpha:
        """The verdict of a run's own brackets and forced reads, if all kernels together agree.

        They are terms of the same likelihood as the rates of a table.
        """
        if alpha.verdict not in ("full", "none", "partial"):
            return alpha
        posterior = posterior_of(self._rates_of_run(variant))
        if posterior is None:
            return alpha
        band = band_of(alpha.value if alpha.value is not None else 1.0)
        grade = grade_of(posterior.odds(variant.kernel, band))
        if grade == "inferred":
            return alpha
        why = Reason(why=ReasonCode.AGAINST_ODDS, readings=readings_of(posterior))
        if grade is None:
            return refuse(why)
        return msgspec.structs.replace(alpha, evidence="likely", reasons=[why])

    def _rates_of_run(self, variant: Variant) -> Rates:
        """The rates of a run's own kernels with the stores of ``variant``, and the known ones."""
        scene = self.scene
        others = (scene.with_stores_of(variant, (kernel,)) for kernel in EXTRA_LOADS)
        like_it = [each for each in others if each is not None and each.kernel != "init"]
        unknown = {each.kernel: each for each in (*like_it, variant)}
        forced = {name: forced_twin(scene.timing, name) for name in unknown}
        return Rates(
            unknown=self._medians(unknown),
            known=[
                *self._known(),
                *(
                    KnownRow(gbps, EXTRA_LOADS[name], 1.0)
                    for name, gbps in self._medians(forced).items()
                ),
            ],
            peak_gbps=self.peak.gbps if self.peak is not None else None,
            call=bool(variant.calls) if variant.kernel == "copy" else False,
        )

    def _known(self) -> list[KnownRow]:
        """The kernels that read what they overwrite anyway, with ordinary stores."""
        found = {
            name: self.scene.timing.fastest(name, lambda each: not avoids_read(each))
            for name in KNOWN_LOADS
        }
        return [KnownRow(gbps, KNOWN_LOADS[name]) for name, gbps in self._medians(found).items()]

    def _medians(self, variants: Mapping[str, Variant | None]) -> dict[str, float]:
        rates = {name: self._rate(each) for name, each in variants.items() if each is not None}
        return {name: rate.median for name, rate in rates.items() if rate is not None}

    def readings(self, crossings: dict[int, Crossing]) -> Readings | None:
        """The possible readings of the table; ``None`` if every verdict is certain without them.

        A GPU's has one: its caches fetch no line for a whole store.
        """
        if self._consistent is None or self._of_gpu:
            return None
        open_ones = (
            each.alpha
            for number, each in crossings.items()
            if self.scene.run.variants[number].kernel in EXTRA_LOADS
        )
        unsure = any(_refused(each) or each.evidence == "likely" for each in open_ones)
        return self._consistent.readings if unsure else None

    def _consistency(self) -> Consistency:
        """The verdicts on the kernels of another benchmark's table together."""
        table = self._of_table()
        for name, variant in table.items():
            spread = scattered_tables(name, self.scene.timing.of(variant))
            if spread is not None:
                return Consistency({each: refuse(spread) for each in table})
        reads = {name: self.scene.timing.fastest(name, lambda _: True) for name in READS}
        return consistency_of(
            Rates(
                unknown=self._medians(table),
                known=self._known(),
                reads=max(self._medians(reads).values(), default=None),
                peak_gbps=self.peak.gbps if self.peak is not None else None,
                gpu=self._of_gpu,
            )
        )

    @property
    def _of_gpu(self) -> bool:
        reported = self.scene.run.reported
        return reported is not None and reported.on_gpu

    def _of_table(self) -> dict[str, Variant]:
        """The variants whose stores may read their lines, by kernel."""
        found = {
            kernel: self.scene.timing.fastest(kernel, lambda each: not avoids_read(each))
            for kernel in EXTRA_LOADS
        }
        return {name: variant for name, variant in found.items() if variant is not None}

    @cached_property
    def _beyond_peak(self) -> Reason | None:
        """Why the run is not one of this memory; ``None`` if no rate exceeds the peak."""
        if self.peak is None:
            return None
        rates = self._medians({str(each.id): each for each in self.scene.run.variants.values()})
        fastest = max(rates, key=lambda number: rates[number], default=None)
        if fastest is None or rates[fastest] <= HIGHEST * self.peak.gbps:
            return None
        return Reason(
            why=ReasonCode.BEYOND_PEAK,
            kernel=self.scene.run.variants[int(fastest)].kernel,
            limit=HIGHEST,
            peak_gbps=self.peak.gbps,
        )

    def _bound(self, variant: Variant) -> Bound | None:
        rate = self._rate(variant)
        kernel = self.scene.run.kernels[variant.kernel]
        return bound_of(kernel, rate.median if rate else None, self.peak)

    def _reachable(self, variant: Variant, own: Bound) -> float:
        """The least alpha that 92 % of the peak allows for kernels with the same stores."""
        found = [own.reachable]
        for kernel in BRACKETS:
            other = self.scene.with_stores_of(variant, (kernel,))
            if other is None or (self._copy_departs() and "copy" in (kernel, variant.kernel)):
                continue
            bound = self._bound(other)
            if bound is not None and not bound.above_peak:
                found.append(bound.reachable)
        return min(found)

    def _copy_departs(self) -> bool:
        """Return whether a table's copy became memcpy, with other stores than the other kernels."""
        if not self.scene.timing.foreign:
            return False  # the object code shows it
        rates = self._medians(self._of_table())
        return "copy" in rates and "scale" in rates and contrast(rates) > CONTRAST


def _measured(counted: CounterVerdict, gbps: BlockMedian) -> Crossing:
    return Crossing(counted.alpha, gbps.value, gbps.low, gbps.high, counted.traffic)


def _agreed(inferred: Alpha, bound: Bound, excluded: Alpha) -> Alpha:
    """The inferred verdict if the physical limit allows it; else the verdict of the limit."""
    if _refused(inferred) or inferred.evidence == "likely":
        return excluded
    if inferred.verdict == excluded.verdict == "none":
        return excluded  # what needs no odds
    low = inferred.low if inferred.low is not None else 0.0
    if inferred.verdict == "full" or low > bound.hard:
        return refuse(Reason(why=ReasonCode.CONTRADICTION), *inferred.reasons, *excluded.reasons)
    if inferred.verdict == "at-most" and inferred.high is not None:
        return msgspec.structs.replace(inferred, high=min(inferred.high, bound.hard))
    return inferred
