"""The combinations of stores, their likelihood, and the facts that bound it."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from traffic_runs import table_run

from streamgage.analysis.machine.gpu_names import is_discrete_gpu
from streamgage.analysis.machine.last_level_cache import FAMILIES, cache_bytes_of
from streamgage.analysis.traffic.combinations import Combination, combinations_of
from streamgage.analysis.traffic.likelihood import log_likelihood, rates_of
from streamgage.analysis.traffic.odds import grade_of, posterior_of
from streamgage.analysis.traffic.refusals import known_caches, possible_caches
from streamgage.analysis.user_facts import UserFacts

FOUR = ("copy", "scale", "add", "triad")
MIB = 1 << 20


def all_read(alpha: float) -> dict[str, float]:
    return dict.fromkeys(FOUR, alpha)


def prior(found: list[Combination], **alphas: float) -> float:
    return sum(each.prior for each in found if dict(each.alphas) == alphas)


def test_kernels_alike_are_commoner_than_a_copy_apart_and_that_than_a_loop_apart() -> None:
    found = combinations_of(FOUR)
    alike = prior(found, **all_read(1.0))
    copy = prior(found, **{**all_read(1.0), "copy": 0.0})
    triad = prior(found, **{**all_read(1.0), "triad": 0.0})
    scale = prior(found, **{**all_read(1.0), "scale": 0.0})
    assert alike > copy > triad > scale > 0
    assert math.fsum(each.prior for each in found) <= 1


def test_only_a_call_lets_copy_differ() -> None:
    assert not any(each.copy_differs for each in combinations_of(FOUR, call=False))
    assert any(each.copy_differs for each in combinations_of(FOUR))


def test_a_loop_alone_is_named() -> None:
    assert Combination({**all_read(0.0), "add": 1.0}, 0.1).alone == "add"
    assert Combination({**all_read(0.0), "copy": 1.0}, 0.1).alone is None
    assert Combination(all_read(0.5), 0.1).alone is None


def test_a_gpu_reads_no_lines_unless_its_rates_say_otherwise() -> None:
    found = combinations_of(FOUR, gpu=True)
    assert prior(found, **all_read(0.0)) == pytest.approx(0.99)
    assert math.fsum(each.prior for each in found) == pytest.approx(1)


GIVEN = {"copy": 60.0, "scale": 60.0, "add": 67.5, "triad": 67.5}


def test_a_kernel_that_only_reads_bounds_the_memory_from_below_alone() -> None:
    # 90 GB/s cross with all lines read. A dot that is slower than that says nothing.
    free = log_likelihood(rates_of(GIVEN), all_read(1.0))
    for dot in (5.0, 40.0, 85.0):
        assert log_likelihood(rates_of({**GIVEN, "dot": dot}), all_read(1.0)) == pytest.approx(free)
    assert log_likelihood(rates_of({**GIVEN, "dot": 130.0}), all_read(1.0)) < free - 1


def test_more_than_98_percent_of_the_peak_is_impossible() -> None:
    assert log_likelihood(rates_of(GIVEN, 90.0), all_read(1.0)) == -math.inf
    assert log_likelihood(rates_of(GIVEN, 93.0), all_read(1.0)) > -math.inf
    assert log_likelihood(rates_of(GIVEN, 90.0), all_read(0.0)) > -math.inf
    assert posterior_of(rates_of(GIVEN, 60.0)) is None


def test_kernels_of_known_traffic_show_the_bandwidth() -> None:
    for bandwidth, band in ((90.0, "full"), (65.0, "none")):
        known = dict.fromkeys(("update", "daxpy", "sdaxpy"), bandwidth)
        found = posterior_of(rates_of({**GIVEN, **known, "sum": 40.0}))
        assert found is not None
        assert {found.verdict(name) for name in FOUR} == {band}
        assert grade_of(found.odds("triad", band)) == "inferred"  # type: ignore[arg-type]


@given(scale=st.floats(1e-3, 1e6), factor=st.floats(0.7, 1.4))
def test_odds_do_not_depend_on_the_unit(scale: float, factor: float) -> None:
    rates = {**GIVEN, "copy": GIVEN["copy"] * factor}
    one = posterior_of(rates_of(rates))
    other = posterior_of(rates_of({name: scale * rate for name, rate in rates.items()}))
    assert one is not None and other is not None
    assert list(one.shares) == pytest.approx(list(other.shares), rel=1e-6, abs=1e-12)


@pytest.mark.parametrize(
    ("name", "gpu"),
    [
        ("Tesla V100-SXM2-32GB", True),
        ("NVIDIA A100-SXM4-80GB", True),
        ("AMD Instinct MI250X", True),
        ("gfx90a:sramecc+:xnack-", True),
        ("AMD EPYC 7742 64-Core Processor", False),
        ("Intel(R) Xeon(R) Platinum 8176 CPU @ 2.10GHz", False),
        ("Fujitsu A64FX", False),
        ("Cortex-A72", False),
        ("Emulation Device", False),
    ],
)
def test_gpus_are_known_by_their_names(name: str, gpu: bool) -> None:
    assert is_discrete_gpu(name) is gpu


@pytest.mark.parametrize(
    ("name", "mib"),
    [
        ("2 x AMD EPYC 7742", 512),
        ("AMD EPYC 7742 64-Core Processor", 512),
        ("1x AMD EPYC 7773X", 768),
        ("AMD EPYC 9684X, 2 sockets", 2304),
        ("2x Intel Xeon Gold 6148", 77),
        ("1x AMD EPYC 7V73X", 768),
        ("1x AMD EPYC 9V33X", 1152),
        ("AMD Ryzen Threadripper 2990WX", 64),
        ("AMD Ryzen Threadripper PRO 3995WX", 256),
        ("AMD Ryzen Threadripper PRO 7995WX 96-Cores", 384),
        ("AMD Ryzen Threadripper PRO 9995WX 96-Cores", 384),
        ("1x Xeon 6985P-C", 504),
        ("1x Xeon 6780E", 108),
        ("1x Graviton5", 192),
        ("some processor", None),
    ],
)
def test_caches_are_known_by_the_processors_name(name: str, mib: int | None) -> None:
    assert cache_bytes_of(name) == (None if mib is None else mib * MIB)


def test_the_model_of_each_row_has_that_row() -> None:
    assert [cache_bytes_of(f"1x {row.model}") for row in FAMILIES] == [
        round(row.mib * MIB) for row in FAMILIES
    ]


def test_an_unknown_processor_may_have_caches_that_go_with_its_rates() -> None:
    run = table_run([GIVEN])
    assert known_caches(run, UserFacts()) is None
    assert possible_caches(run, UserFacts()) == pytest.approx(1.5 * 67.5 * MIB)
    assert possible_caches(table_run([{"copy": 1.0}]), UserFacts()) == 32 * MIB
    assert possible_caches(run, UserFacts(last_level_cache_bytes=MIB)) is None
