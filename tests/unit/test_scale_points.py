"""Which points a scaling study has: numbers of workers, and the CPUs of each placement."""

from __future__ import annotations

import pytest
from example_topologies import Counts, regular
from msgspec.structs import replace

from streamgage.analysis.cores import order_of, usable_cores
from streamgage.errors import UsageError
from streamgage.process.launch import LauncherName
from streamgage.results.placement import cpus_of_threads
from streamgage.results.scale.counts import counts_of, spread_counts
from streamgage.results.scale.document import SamePlacement
from streamgage.results.scale.placements import (
    Way,
    binds_workers,
    launcher_options,
    without_doubles,
)
from streamgage.results.scale.words import left_out

TWO_PACKAGES = regular(Counts(packages=2, cores=2, smt=2))
"""CPUs 0 and 1 on package 0, 2 and 3 on package 1; 4 to 7 are their second hardware threads."""


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("1", [1]),
        ("4", [1, 2, 3, 4]),
        ("1-4", [1, 2, 3, 4]),
        ("4,2,2", [2, 4]),
        ("1,8-32:8", [1, 8, 16, 24, 32]),
        ("3-3", [3]),
        (" 1 , 2 ", [1, 2]),
        ("20", [1, 2, 3, 4, 6, 8, 12, 16, 20]),
    ],
)
def test_numbers_are_read_as_written(text: str, counts: list[int]) -> None:
    assert counts_of(text) == counts


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "an empty part"),
        ("1,,2", "an empty part"),
        ("0", "begins with 0 workers"),
        ("0-3", "begins with 0 workers"),
        ("3-1", "is an empty range: write it as 1-3"),
        ("1-4:0", "a step of 0"),
        ("two", "'two', which is neither a number nor a range"),
        ("-1", "'-1', which is neither a number"),
        ("1.5", "which is neither a number"),
        ("²", "which is neither a number"),
        ("99999", "more than 65536 workers"),
        ("1-5000", "more than 1024 points: give a step"),
        ("1-1000,2001-3000", "more than 1024 points: name fewer"),
        ("9" * 200, "nor a range"),
    ],
)
def test_a_wrong_list_is_told_in_one_sentence(text: str, said: str) -> None:
    with pytest.raises(UsageError) as refused:
        counts_of(text)
    assert said in str(refused.value)
    assert len(str(refused.value)) < 400


def test_many_numbers_are_thinned_and_keep_where_something_fills_up() -> None:
    assert spread_counts(16) == list(range(1, 17))
    assert spread_counts(64, (14, 28, 56)) == [
        *(1, 2, 3, 4, 6, 8, 12, 14, 16, 24, 28, 32, 48, 56, 64)
    ]
    for most in range(1, 300):
        counts = spread_counts(most)
        assert counts[0] == 1 and counts[-1] == most and counts == sorted(set(counts))


def test_orders_go_through_the_machine_as_their_names_say() -> None:
    assert order_of("compact", TWO_PACKAGES) == (0, 1, 2, 3, 4, 5, 6, 7)
    assert order_of("scatter", TWO_PACKAGES) == (0, 2, 1, 3, 4, 6, 5, 7)
    assert order_of("smt", TWO_PACKAGES) == (0, 4, 1, 5, 2, 6, 3, 7)


def test_only_cpus_that_may_be_used_are_in_an_order() -> None:
    confined = replace(TWO_PACKAGES, allowed_cpus="1,3,5")
    assert order_of("compact", confined) == (1, 3, 5)
    assert order_of("scatter", confined) == (1, 3, 5)
    assert order_of("smt", confined) == (1, 5, 3)
    assert usable_cores(confined) == 2


def test_uneven_nodes_are_taken_in_turn_until_each_is_full() -> None:
    uneven = replace(TWO_PACKAGES, allowed_cpus="0-1,3")
    assert order_of("scatter", uneven) == (0, 3, 1)


@pytest.mark.parametrize(
    ("cpus", "threads", "chosen"),
    [
        ("scatter", 2, (0, 2)),
        ("scatter", None, (0, 2, 1, 3)),
        ("compact", 5, (0, 1, 2, 3, 4)),
        ("smt", None, (0, 4, 1, 5, 2, 6, 3, 7)),
        (None, None, (0, 1, 2, 3)),
    ],
)
def test_threads_get_the_first_cpus_of_an_order(
    cpus: str | None, threads: int | None, chosen: tuple[int, ...]
) -> None:
    assert cpus_of_threads(threads, cpus, TWO_PACKAGES) == chosen


@pytest.mark.parametrize(
    ("cpus", "threads", "said"),
    [
        ("compact", 9, "9 threads are asked for, but this process may use 8 CPUs"),
        ("none", None, "--cpus none does not say in which order CPUs are used"),
        ("scater", None, "--cpus 'scater' is no placement here: use compact, scatter, smt,"),
        ("compact,scatter", None, "names 2 placements: name one"),
    ],
)
def test_threads_that_cannot_be_placed(cpus: str, threads: int | None, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        cpus_of_threads(threads, cpus, TWO_PACKAGES)


def test_options_of_a_launcher_are_a_placement() -> None:
    name = "openmpi:--bind-to core --map-by 'ppr:1:numa'"
    options = ("--bind-to", "core", "--map-by", "ppr:1:numa")
    assert launcher_options(name) == (LauncherName.OPENMPI, options)
    assert launcher_options("S0:0-3") is None
    assert launcher_options("compact") is None
    assert (binds_workers("compact"), binds_workers("0-3")) == (True, True)
    for other in (name, "none", "launcher", "omp-close"):
        assert not binds_workers(other)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("openmpi:", "has no options for the launcher: write them after the colon, such as"),
        ("mpich:compact", "such as 'mpich:-bind-to core'."),
        ("slurm:--cpu-bind='cores", "cannot be read (No closing quotation): close the quotes."),
    ],
)
def test_a_placement_by_a_launcher_without_options_is_refused(name: str, said: str) -> None:
    with pytest.raises(UsageError) as refused:
        launcher_options(name)
    assert said in str(refused.value)


def test_placements_that_are_the_same_here_are_measured_once() -> None:
    ways = [
        Way("compact", "cpus", 2, (0, 1)),
        Way("scatter", "cpus", 2, (0, 1)),
        Way("none", "none", 2),
        Way("cores", "cores", 2),
        Way("1,0", "cpus", 2, (1, 0)),
    ]
    kept, doubles = without_doubles(ways)
    assert [way.name for way in kept] == ["compact", "none", "cores", "1,0"]
    assert doubles == [SamePlacement(placement="scatter", same_as="compact")]
    (sentence,) = left_out(doubles)
    assert sentence.startswith("scatter uses the same CPUs in the same order as compact")
