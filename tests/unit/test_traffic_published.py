"""Tables that others published, judged by the same code as our own runs."""

from __future__ import annotations

import pytest
from traffic_runs import PublishedTable, is_wrong, published, table_run

from streamgage.analysis.traffic.alpha import Alpha
from streamgage.analysis.traffic.verdict import TrafficJudgement, judge_traffic
from streamgage.analysis.user_facts import UserFacts

TABLES = published()
SERIES = [table for table in TABLES if "scaling table" in table.source]
SATURATED_AT = 10
"""Threads of the published series from 8 to which bandwidth rises by less than 5 % a thread."""


def named(table: PublishedTable) -> str:
    return f"{table.machine}, {table.threads} threads, {table.convention}"


def judged(
    table: PublishedTable, *, saturated: bool | None = None, stores_known: bool = True
) -> dict[str, Alpha]:
    run = table_run(
        [table.gbps],
        stores=table.stores if stores_known else None,
        convention=table.convention,
        threads=table.threads,
    )
    return by_kernel(judge_traffic(run, saturated=saturated), list(table.gbps))


def by_kernel(judgement: TrafficJudgement, kernels: list[str]) -> dict[str, Alpha]:
    return {kernels[number]: each.alpha for number, each in judgement.crossings.items()}


def published_table(machine: str, source: str, convention: str = "nominal") -> PublishedTable:
    (found,) = [
        table
        for table in TABLES
        if machine in table.machine and source in table.source and table.convention == convention
    ]
    return found


def test_all_rows_are_read() -> None:
    assert sum(len(table.gbps) for table in TABLES) == 97
    assert len(SERIES) == 6


@pytest.mark.parametrize("stores_known", [True, False])
@pytest.mark.parametrize("table", TABLES, ids=named)
def test_no_published_truth_is_contradicted(table: PublishedTable, stores_known: bool) -> None:
    truly = None if table not in SERIES else table.threads >= SATURATED_AT
    for saturated in {None, truly}:
        for kernel, alpha in judged(table, saturated=saturated, stores_known=stores_known).items():
            if kernel in table.truth:
                assert not is_wrong(alpha, table.truth[kernel]), (kernel, saturated, alpha)
            assert alpha.verdict != "cannot-tell" or alpha.why


@pytest.mark.parametrize(
    ("source", "convention"), [("run_bwbench_likwid", "nominal"), ("write_alloc", "hardware")]
)
@pytest.mark.parametrize("saturated", [None, True])
def test_what_counters_said_of_ivy_bridge_is_found_from_its_times(
    source: str, convention: str, saturated: bool | None
) -> None:
    alphas = judged(published_table("E5-2660", source, convention), saturated=saturated)
    for kernel in ("init", "triad", "striad"):
        assert (alphas[kernel].verdict, alphas[kernel].evidence) == ("full", "inferred"), kernel
    # Copy may be a call of its own: 35:1.
    assert alphas["copy"].verdict == "full"
    assert alphas["triad"].value == pytest.approx(1.04, abs=0.01)
    assert alphas["update"].verdict is None


def test_rates_that_hold_the_write_allocate_are_not_multiplied_again() -> None:
    run_of = {}
    for source, convention in (("run_bwbench_likwid", "nominal"), ("write_alloc", "hardware")):
        table = published_table("E5-2660", source, convention)
        run = table_run([table.gbps], convention=convention)
        triad = judge_traffic(run).crossings[list(table.gbps).index("triad")]
        run_of[convention] = triad.hardware_gbps
    # 30.6 GB/s x 4/3 by the counters' run, and what the other's author prints
    assert run_of["nominal"] == pytest.approx(41.4, rel=0.01)
    assert run_of["hardware"] == pytest.approx(41.4, rel=0.02)


@pytest.mark.parametrize("stores_known", [True, False])
def test_streaming_stores_that_a_compiler_forced_read_nothing(stores_known: bool) -> None:
    (full,) = [table for table in SERIES if table.threads == SATURATED_AT]
    alphas = judged(full, stores_known=stores_known)
    for kernel in ("copy", "triad", "striad"):
        assert alphas[kernel].verdict == "none", kernel


def test_one_thread_of_many_is_no_ground_for_a_verdict() -> None:
    (single,) = [table for table in SERIES if table.threads == 1]
    for stores_known in (True, False):
        for kernel in ("copy", "triad", "striad", "init"):
            assert judged(single, stores_known=stores_known)[kernel].verdict == "cannot-tell"


def test_streaming_stores_are_only_bounded_while_bandwidth_rises() -> None:
    for table in SERIES[:-1]:
        for kernel in ("copy", "triad", "striad", "init"):
            alpha = judged(table, saturated=False)[kernel]
            assert alpha.verdict in ("at-most", "cannot-tell"), (table.threads, kernel)


def test_cores_as_the_limit_show_in_the_table_itself() -> None:
    (four,) = [table for table in SERIES if table.threads == 4]
    alpha = judged(four, stores_known=False)["copy"]
    assert alpha.verdict == "cannot-tell" and alpha.why is not None
    assert "sdaxpy has 32 % more bandwidth than update" in alpha.why


def test_kernels_of_known_traffic_decide_a_table_whose_sum_is_slow() -> None:
    # update, daxpy and sdaxpy move more than sum, so sum is no limit of the memory.
    alphas = judged(published_table("unspecified", "107b85f"))
    for kernel in ("init", "copy", "triad", "striad"):
        assert (alphas[kernel].verdict, alphas[kernel].evidence) == ("full", "inferred"), kernel
    assert judged(published_table("unspecified", "bd6a097"))["triad"].verdict == "full"


@pytest.mark.parametrize("source", ["gcc-8.3", "armclang"])
def test_graviton2_cannot_have_read_all_lines(source: str) -> None:
    table = published_table("Graviton2", source)
    run = table_run([table.gbps], stores=table.stores)
    alphas = by_kernel(judge_traffic(run, user_facts=UserFacts(peak_gbps=204.8)), list(table.gbps))
    for kernel in ("copy", "scale", "add", "triad"):
        assert (alphas[kernel].verdict, alphas[kernel].evidence) == ("at-most", "excluded")
    assert alphas["copy"].high == pytest.approx(0.53, abs=0.01)
    without_peak = by_kernel(judge_traffic(run), list(table.gbps))
    assert {without_peak[kernel].verdict for kernel in ("copy", "triad")} == {"cannot-tell"}


def test_a_copy_with_other_stores_than_triad_is_judged_by_itself() -> None:
    rates = {"copy": 99.0, "update": 100.0, "daxpy": 100.0, "triad": 75.0, "sdaxpy": 100.0}
    alphas = by_kernel(judge_traffic(table_run([rates])), list(rates))
    assert (alphas["copy"].verdict, alphas["triad"].verdict) == ("none", "full")


@pytest.mark.parametrize(("truth", "verdict"), [(0.0, "none"), (0.5, "cannot-tell"), (1.0, "full")])
def test_kernels_with_the_same_stores_are_judged_together(truth: float, verdict: str) -> None:
    # Each alone is too far off for its band; together they are near enough.
    copy, triad = truth + 0.13, truth - 0.05
    rates = {"update": 40.0, "daxpy": 40.0, "sdaxpy": 40.0}
    rates |= {"copy": 40 * 2 / (2 + copy), "triad": 40 * 3 / (3 + triad)}
    alphas = by_kernel(judge_traffic(table_run([rates])), list(rates))
    for kernel, value in (("copy", copy), ("triad", triad)):
        alpha = alphas[kernel]
        assert alpha.verdict == verdict
        if verdict == "cannot-tell":
            continue
        assert alpha.value == pytest.approx(value)
        assert alpha.low is not None and alpha.high is not None
        assert alpha.low < truth < alpha.high
