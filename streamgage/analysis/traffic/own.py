"""The real traffic of a user's own kernel.

Counters show it if there are any. Otherwise it is what the kernel declares, plus what its stores
read. The latter is known if the built-in kernels of the same run show whether ordinary stores read
the lines that they overwrite. Then hardware = nominal x (1 + alpha x allocated / (read + written)),
with bytes per iteration.
"""

from __future__ import annotations

from collections.abc import Mapping

from streamgage.analysis.peak.peak import Peak
from streamgage.analysis.statistics.bootstrap import bootstrap_median
from streamgage.analysis.traffic.alpha import Alpha, refuse
from streamgage.analysis.traffic.counter_alpha import (
    CounterVerdict,
    above_peak,
    counted_gbps,
    untrusted,
)
from streamgage.analysis.traffic.rates import Crossing, Rate
from streamgage.analysis.traffic.reason import Reason, ReasonCode
from streamgage.analysis.traffic.volumes import complete_volumes, of_one_pass
from streamgage.records import OwnFacts, Variant
from streamgage.records.run import Run

_ORDINARY = "plain"
_SETTLED = ("full", "none", "partial")


def own_counter_verdict(
    run: Run, variant: Variant, own: OwnFacts, peak: Peak | None
) -> CounterVerdict | None:
    """The counters' figure for an own kernel; ``None`` if no counter ran.

    They do not show how much it reads because of its stores. The kernel declares the least that it
    moves, and what it moves beyond that may have other reasons.
    """
    records = run.traffic.get(variant.id, [])
    iterations = run.iterations(variant)
    if not records or not iterations:
        return None
    volumes, lost = complete_volumes(records)
    source = records[0].source
    rate = bootstrap_median([counted_gbps(run, volume) for volume in volumes]) if volumes else None
    one_pass = of_one_pass(volumes)
    refused = (
        untrusted(run, volumes)
        if volumes
        else Reason(why=ReasonCode.LOST, source=source, said=lost)
    )
    if refused is None and rate is not None and peak is not None and rate.value > peak.gbps:
        refused = above_peak(source, rate.value, peak)
    if refused is not None or rate is None or one_pass is None:
        return CounterVerdict(
            refuse(refused or Reason(why=ReasonCode.NO_TIME, source=source)), None
        )
    replayed = any(volume.record.replayed for volume in volumes)
    reason = Reason(
        why=ReasonCode.COUNTED_OWN,
        source=source,
        bytes=one_pass.bytes_total / iterations,
        declared_bytes=own.read_bytes + own.written_bytes,
    )
    alpha = Alpha(evidence="replayed" if replayed else "measured", reasons=[reason])
    return CounterVerdict(alpha, rate, one_pass)


def declared_crossing(
    run: Run, variant: Variant, own: OwnFacts, rate: Rate, others: Mapping[int, Crossing]
) -> Crossing:
    """The declared traffic plus what the kernel's stores read.

    ``others``: the real traffic of the built-in kernels, by the variant's id.
    """
    nominal = own.read_bytes + own.written_bytes
    if not own.allocated_bytes:
        why = ReasonCode.DECLARES_READS if own.written_bytes else ReasonCode.DECLARES_NO_STORE
        return Crossing(Alpha(reasons=[Reason(why=why)]), rate.median, rate.low, rate.high)
    alpha = _alpha_of_others(run, variant, others)
    if alpha.value is None or alpha.low is None or alpha.high is None:
        return Crossing(alpha, None, None, None)
    share = own.allocated_bytes / nominal

    def hardware(gbps: float, value: float) -> float:
        return gbps * (1 + max(0.0, value) * share)

    return Crossing(
        alpha,
        hardware(rate.median, alpha.value),
        hardware(rate.low, alpha.low),
        hardware(rate.high, alpha.high),
    )


def _alpha_of_others(run: Run, variant: Variant, others: Mapping[int, Crossing]) -> Alpha:
    """The alpha of the built-in kernels with plain stores in this run, if they agree."""
    alphas = {
        run.variants[number].kernel: crossing.alpha
        for number, crossing in others.items()
        if _stores_alike(run, run.variants[number], variant)
        and crossing.alpha.verdict in _SETTLED
        and crossing.alpha.value is not None
    }
    if not alphas:
        return refuse(Reason(why=ReasonCode.NO_BUILT_IN))
    verdicts = {alpha.verdict for alpha in alphas.values()}
    if len(verdicts) > 1:
        return refuse(Reason(why=ReasonCode.BUILT_IN_DISAGREE, kernels=list(alphas)))
    nearest = next((alphas[name] for name in ("triad", "add", "copy") if name in alphas), None)
    alpha = nearest or next(iter(alphas.values()))
    return Alpha(
        verdict=alpha.verdict,
        value=alpha.value,
        low=min(each.low if each.low is not None else 0.0 for each in alphas.values()),
        high=max(each.high if each.high is not None else 1.0 for each in alphas.values()),
        evidence="inferred",
        reasons=[Reason(why=ReasonCode.LIKE_BUILT_IN, kernels=list(alphas))],
    )


def _stores_alike(run: Run, other: Variant, variant: Variant) -> bool:
    kernel = run.kernels.get(other.kernel)
    return (
        kernel is not None
        and kernel.own is None
        and kernel.write_allocates
        and (other.store, other.purpose, other.tuned) == (_ORDINARY, "rate", False)
        and not other.calls
        and other.threads == variant.threads
    )
