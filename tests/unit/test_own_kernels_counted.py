"""What counters saw of a kernel of a user's own goes before what it declares."""

from __future__ import annotations

import msgspec
import pytest
from example_own_kernels import ITERATIONS, with_own
from example_records import END

from streamgage.analysis.user_facts import UserFacts
from streamgage.records import DomainTraffic, Traffic
from streamgage.records.run import collect
from streamgage.results.measure.document import KernelResult
from streamgage.results.measure.judge import judge_measure


def seen(read: float, written: float, *, running: float = 1.0, replayed: bool = False) -> Traffic:
    """Counters of five passes; bytes an iteration. A pass takes about 0.02 s."""
    read, written = 5 * read * ITERATIONS, 5 * written * ITERATIONS
    domain = DomainTraffic(bytes_read=read, bytes_written=written, bytes_total=read + written)
    return Traffic(
        variant=9,
        block=0,
        samples=5,
        passes=5,
        seconds=0.1,
        source="perf uncore_imc",
        domains=[domain],
        running_share=running,
        replayed=replayed,
    )


def own_row(*counted: Traffic, given: UserFacts | None = None) -> KernelResult:
    shown = judge_measure(collect([*with_own(*counted), END]), given or UserFacts())
    return next(each for each in shown.document.kernels if each.kernel == "my-gather")


def test_what_was_counted_is_shown_and_how_it_stands_to_what_is_declared() -> None:
    row = own_row(seen(68, 8))
    assert row.alpha.evidence == "measured" and row.alpha.verdict is None
    assert row.hardware_gbps == pytest.approx(76 * ITERATIONS / 0.02 / 1e9, rel=0.01)
    assert row.traffic is not None and row.traffic.bytes_read == pytest.approx(68 * ITERATIONS)
    assert "counted 76 bytes per iteration; the kernel declares at least 20" in (
        row.alpha.why or ""
    )


def test_played_back_counters_are_no_measurement() -> None:
    assert own_row(seen(68, 8, replayed=True)).alpha.evidence == "replayed"


def test_counters_above_the_peak_or_seldom_on_are_not_believed() -> None:
    above = own_row(seen(68, 8), given=UserFacts(peak_gbps=20.0))
    seldom = own_row(seen(68, 8, running=0.1))
    for row in (above, seldom):
        assert row.hardware_gbps is None and row.traffic is None
        assert row.alpha.verdict == "cannot-tell"


def test_lost_counters_leave_what_is_declared() -> None:
    lost = msgspec.structs.replace(seen(68, 8), domains=[])
    assert own_row(lost).traffic is None
