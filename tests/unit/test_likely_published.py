"""The rule of *likely* against published tables whose truth counters or authors told."""

from __future__ import annotations

import pytest
from traffic_runs import PublishedTable, published

from streamgage.analysis.peak.peak import Peak
from streamgage.analysis.traffic.reading import Readings
from streamgage.analysis.traffic.readings import EXTRA_LOADS, READS, readings_of

TABLES = [table for table in published() if set(table.gbps) & set(EXTRA_LOADS)]


def nominal(table: PublishedTable, *, reads: bool) -> dict[str, float]:
    """Its nominal rates, of kernels whose stores may read and, with ``reads``, that only read.

    Kernels of known traffic are left out: they would decide it, as they do in a judgement.
    """
    names = [*EXTRA_LOADS, *(READS if reads else ())]
    found = {name: table.gbps[name] for name in names if name in table.gbps}
    if table.convention == "hardware":
        for name, loads in EXTRA_LOADS.items():
            if name in found:
                found[name] *= (loads + 1) / (loads + 2)
    return found


def truth(table: PublishedTable) -> float | None:
    """1 where all stores read their lines, 0 where none do; ``None``: unknown."""
    if "Graviton2" in table.machine:
        return 0.0  # all lines read would be 1.18 of the peak of 204.8 GB/s
    truths = [round(table.truth[name]) for name in EXTRA_LOADS if name in table.truth]
    return float(truths[0]) if truths else None


def verdict(found: Readings | None) -> float | None:
    """What is likely: 1, 0 or nothing."""
    return None if found is None or found.likely is None else float(found.likely)


def counted(*, reads: bool) -> tuple[int, int, int]:
    """Tables of known truth: those with the right verdict, with a wrong one, and without any."""
    right = wrong = none = 0
    for table in TABLES:
        true = truth(table)
        if true is None:
            continue
        said = verdict(readings_of(nominal(table, reads=reads), None))
        right += said == true
        wrong += said is not None and said != true
        none += said is None
    return right, wrong, none


def test_no_likely_verdict_is_wrong_with_what_the_tables_hold() -> None:
    # 12 tables: Xeon 6248 and E5-2660 v2, by counters and by their author; Graviton2, by its peak;
    # the E5-2660 v2 with streaming stores and 1 to 10 threads, of which few have no verdict.
    assert counted(reads=True) == (4, 0, 8)


def test_without_a_kernel_that_only_reads_nothing_is_likely() -> None:
    assert counted(reads=False) == (0, 0, 12)


def test_a_grace_that_reads_none_of_its_lines_is_not_said_to_read_them() -> None:
    # 144 threads of a Grace superchip (NVIDIA's guide to benchmarks of Grace, page on STREAM): all
    # lines read would be more than its peak, which the table does not tell.
    grace = {"copy": 662.3947, "scale": 685.4838, "add": 787.0982, "triad": 806.8124}
    assert verdict(readings_of(grace, None)) is None
    assert verdict(readings_of(grace, Peak(1024, "given", ""))) is None


@pytest.mark.parametrize("table", TABLES, ids=lambda each: f"{each.machine}, {each.threads}")
def test_weights_are_shares_of_one(table: PublishedTable) -> None:
    found = readings_of(nominal(table, reads=True), None)
    if found is not None:
        assert sum(each.weight for each in found.readings) == pytest.approx(1)
        if found.likely is not None:
            assert found.readings[found.likely].weight >= 0.75
