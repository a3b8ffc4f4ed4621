"""What is said of runs by MPI ranks."""

from __future__ import annotations

import json

import msgspec
import pytest
from example_ranks import placed, rank_samples, records_of_ranks
from example_records import MACHINE, good_records, place, placement, where_bound
from schemas import validator

from streamgage.analysis.peak.find import look_for_peak
from streamgage.analysis.peak.peak import NoPeak
from streamgage.analysis.peak.reason import in_words
from streamgage.analysis.ranks import describe_threads
from streamgage.analysis.user_facts import UserFacts
from streamgage.records import AnyRecord
from streamgage.records.run import collect
from streamgage.results.measure.findings import Context, judge
from streamgage.results.measure.judge import judge_measure
from streamgage.results.measure.words import setting_line


def codes(*records: AnyRecord) -> dict[str, str]:
    judgement = judge(Context(collect(where_bound([*good_records(), *records]))))
    return {finding.code: finding.text for finding in judgement.findings}


def passed(*records: AnyRecord) -> dict[str, str]:
    judgement = judge(Context(collect(where_bound([*good_records(), *records]))))
    return {each.code: each.text for each in judgement.passed}


def test_ranks_and_hosts_are_counted() -> None:
    assert describe_threads(placement(place(0), place(1))) == "2 threads"
    assert describe_threads(placed("a")) == "1 rank x 1 thread"
    assert describe_threads(placed("a", "a", threads=2)) == "2 ranks x 2 threads"
    assert describe_threads(placed("a", "a", "b", "b")) == "4 ranks x 1 thread on 2 hosts"


def test_the_answer_says_how_many_ranks_ran_on_how_many_hosts() -> None:
    shown = judge_measure(collect(records_of_ranks()))
    assert shown.words.quote is not None
    assert "4 ranks x 1 thread on 2 hosts, bound to 4 cores" in shown.words.quote
    line = setting_line(shown)
    assert line is not None and "4 ranks x 1 thread on 2 hosts, bound to 4 CPUs" in line


def test_records_of_ranks_conform_to_the_schema() -> None:
    for record in records_of_ranks():
        validator("records").validate(json.loads(msgspec.json.encode(record)))


def test_cpus_of_one_number_on_two_hosts_are_two() -> None:
    found = codes(placed("node7", "node8"))
    assert "fewer-cpus" not in found and "smt-sharing" not in found


def test_ranks_that_share_a_cpu_are_told_and_not_compared() -> None:
    uneven = rank_samples(3, [[0.01, 0.02]] * 20)
    found = codes(placed("node7", "node7", cpus=[0, 0]), *uneven)
    assert "2 threads shared 1 CPU" in found["fewer-cpus"]
    assert "that they come to 1, or allow" in found["fewer-cpus"]
    assert "slow-rank" not in found


def test_ranks_that_are_as_quick_as_each_other_pass() -> None:
    even = rank_samples(3, [[0.01, 0.0101]] * 20)
    said = passed(placed("node7", "node7"), *even)["slow-rank"]
    assert said == "no rank took more than 1.0 % longer than the others"


@pytest.mark.parametrize("slow", range(4))
def test_the_one_rank_that_is_slow_in_every_sample_is_named_with_its_host(slow: int) -> None:
    hosts = [f"host{rank}" for rank in range(4)]
    noise = [1.0, 1.02, 0.99, 1.01, 1.0]
    times = [
        [
            0.01 * noise[(number + rank) % len(noise)] * (1.6 if rank == slow else 1.0)
            for rank in range(4)
        ]
        for number in range(20)
    ]
    found = codes(placed(*hosts), *rank_samples(3, times))
    assert found["slow-rank"].startswith(f"Rank {slow} on host host{slow} "), found


def test_a_rank_that_is_slow_now_and_then_is_not_blamed() -> None:
    now_and_then = [[0.01, 0.02 if number % 2 else 0.01, 0.01] for number in range(20)]
    assert "slow-rank" not in codes(placed("a", "b", "c"), *rank_samples(3, now_and_then))


def test_several_hosts_have_no_peak_but_the_one_that_is_given() -> None:
    run = collect([MACHINE, placed("node7", "node8")])
    found = look_for_peak(run, UserFacts())
    assert isinstance(found, NoPeak) and "several hosts" in in_words(found.reasons)
    assert getattr(look_for_peak(run, UserFacts(peak_gbps=400.0)), "gbps", None) == 400.0
