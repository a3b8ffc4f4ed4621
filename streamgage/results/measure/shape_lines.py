"""How the shape of each vector kernel was chosen, in words: ``--explain``."""

from __future__ import annotations

from collections.abc import Iterator

from streamgage.analysis.shapes import describe_shape
from streamgage.records import Tuning
from streamgage.results.measure.judge import Answer
from streamgage.units import count, format_change

NOTHING_CHOSEN = "No other shape than the default one was sought or given."


def shape_lines(answer: Answer) -> Iterator[tuple[str, str]]:
    """Kernel with its stores, and what was decided and why; none where nothing was."""
    tunings = answer.result.tunings
    several = len({tuning.isa for tuning in tunings}) > 1
    for tuning in tunings:
        name = f"{tuning.kernel} {tuning.store}"
        yield (f"{name} {tuning.isa}" if several else name), _decision(tuning)


def _decision(tuning: Tuning) -> str:
    chosen = describe_shape(tuning.shape)
    match tuning.source:
        case "given":
            return f"{chosen}: given by --shape"
        case "known":
            return f"{chosen}: found by an earlier run on this machine; --retune seeks anew"
        case "skipped":
            return f"{chosen}: arrays that fit in the caches tell nothing of memory, no race"
        case "raced":
            return f"{chosen}: {_race(tuning)}"


def _race(tuning: Tuning) -> str:
    field = f"of {tuning.candidates} shapes in {count(tuning.samples, 'run')}"
    if tuning.ratio is None:
        return f"the quickest {field}"
    change = format_change(tuning.ratio - 1)
    if tuning.ratio_low is not None and tuning.ratio_high is not None:
        bounds = (format_change(tuning.ratio_low - 1), format_change(tuning.ratio_high - 1))
        change += f" [{bounds[0]}, {bounds[1]}]"
    pairs = f"in {count(tuning.pairs, 'pair')} with the default shape"
    if tuning.tuned:
        return f"the quickest {field}, {change} {pairs}"
    return (
        f"the quickest other one {field}, {describe_shape(tuning.fastest)}, came to {change}"
        f" {pairs}, which is no certain gain"
    )
