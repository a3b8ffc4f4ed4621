"""What a shape gained: a tuned variant against its standard one, block by block."""

from __future__ import annotations

from streamgage.analysis.statistics.intervals import Summary, summarise
from streamgage.records import Variant
from streamgage.records.run import Run


def gain_of(run: Run, tuned: Variant) -> Summary | None:
    """Seconds of the standard variant over those of ``tuned``, in the blocks that have both.

    Above 1 the shape gained. Pairing within a block keeps what else the machine did out of the
    ratio. Null where the variant is not a tuned one, has no figure of its own, or was not measured
    beside its standard one.
    """
    standard = run.standard_of(tuned) if tuned.tuned and tuned.purpose == "rate" else None
    if standard is None:
        return None
    before, after = run.times_of_blocks(standard.id), run.times_of_blocks(tuned.id)
    # A clock that is too coarse for the arrays gives samples of no length.
    both = [block for block in sorted(before.keys() & after) if after[block] > 0]
    return summarise([before[block] / after[block] for block in both])
