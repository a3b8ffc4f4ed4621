"""Memory that is bound to NUMA nodes on purpose: how a run is planned, judged and told."""

from __future__ import annotations

import msgspec
import pytest
from example_machines import epyc_7451
from example_records import MACHINE, MEMORY, MIB, good_records, place, placement

from streamgage.analysis.peak.find import look_for_peak
from streamgage.analysis.peak.peak import NoPeak, Peak
from streamgage.analysis.peak.reason import in_words
from streamgage.analysis.user_facts import UserFacts
from streamgage.errors import UsageError
from streamgage.options.values import nodes_of
from streamgage.process.launch import LauncherName
from streamgage.process.ranks import Ranks
from streamgage.records import AnyRecord, ArrayPages, NumaNode
from streamgage.records.run import Run, collect
from streamgage.results.measure.experiment import STANDARD
from streamgage.results.measure.findings import Context, Judgement, judge
from streamgage.results.measure.judge import judge_measure
from streamgage.results.measure.words import setting_line
from streamgage.results.preset import make_plan
from streamgage.results.ranks import plan_of_ranks

change = msgspec.structs.replace
TWO_NODES = change(
    MACHINE,
    numa_nodes=[
        NumaNode(node=0, cpus="0-1", bytes=8 << 30),
        NumaNode(node=1, cpus="", bytes=8 << 30),
    ],
)
BOUND = change(MEMORY, nodes=[1])


def bound_run(*more: AnyRecord) -> Run:
    return collect([*good_records(), TWO_NODES, BOUND, *more])


def judged(*more: AnyRecord) -> Judgement:
    return judge(Context(bound_run(*more)))


def pages(checked: int, remote: int) -> list[ArrayPages]:
    return [ArrayPages(name="a", huge_share=1.0, checked_pages=checked, remote_pages=remote)]


def text_of(code: str, *more: AnyRecord) -> str:
    return {each.code: each.text for each in judged(*more).findings}[code]


def test_the_nodes_go_into_the_plan() -> None:
    assert nodes_of("2,0") == nodes_of([2, 0]) == [0, 2]
    assert nodes_of(1) == [1]
    assert make_plan(STANDARD).memory_nodes is None


def test_ranks_take_no_nodes() -> None:
    ranks = Ranks(
        ranks=2,
        launcher=LauncherName.AUTO,
        threads=1,
        hosts=(),
        timeout_seconds=60,
        oversubscribe=False,
    )
    with pytest.raises(UsageError, match="--memory-nodes does not go with --mpi"):
        plan_of_ranks(make_plan(STANDARD, memory_nodes=[1]), ranks)


def test_memory_far_from_its_threads_on_purpose_is_no_fault() -> None:
    judgement = judged()
    assert [each.code for each in judgement.findings] == ["no-counters"]
    passed = {each.code: each.text for each in judgement.passed}
    assert passed["remote-pages"] == "192 of 192 checked pages are on node 1"


def test_pages_that_are_not_where_they_were_bound_are_told() -> None:
    text = text_of("remote-pages", change(BOUND, arrays=pages(64, 16)))
    assert text.startswith("16 of 64 checked pages (25 %) are not on node 1, to which memory")


def test_pages_that_nobody_checked_are_told_with_what_was_asked() -> None:
    text = text_of("pages-unchecked", change(BOUND, arrays=pages(0, 0)))
    assert "The kernel bound them to node 1" in text


def test_threads_uneven_over_the_nodes_do_not_matter_to_memory_that_is_bound() -> None:
    machine = change(TWO_NODES, numa_nodes=[NumaNode(node=n, cpus=str(n), bytes=1) for n in (0, 1)])
    uneven = placement(place(0), place(1), place(2, node=1))
    free = {each.code for each in judged(machine, uneven, MEMORY).findings}
    bound = {each.code for each in judged(machine, uneven, BOUND).findings}
    assert free - bound == {"uneven-numa"}


def test_a_node_that_holds_too_little_is_named() -> None:
    capped = change(BOUND, array_bytes=32 * MIB, capped_by="nodes", cap_bytes=32 * MIB)
    assert "what is free on node 1 allows no more for 3 arrays" in text_of("memory-cap", capped)


def test_the_lines_and_the_quote_name_the_nodes() -> None:
    shown = judge_measure(bound_run())
    line = setting_line(shown)
    assert line is not None and line.endswith(", all on node 1")
    assert shown.words.quote is not None
    assert "3 arrays of 64 MiB on node 1, double; Example 9000" in shown.words.quote
    other = setting_line(judge_measure(bound_run(change(BOUND, arrays=pages(64, 16)))))
    assert other is not None and other.endswith(", 25 % not on node 1")


def test_the_peak_of_a_part_of_the_memory_is_known_only_where_it_is_given() -> None:
    machine = change(
        epyc_7451(), numa_nodes=[NumaNode(node=n, cpus=str(n), bytes=1 << 30) for n in (0, 1)]
    )
    part = collect([*good_records(), machine, BOUND])
    found = look_for_peak(part, UserFacts())
    assert isinstance(found, NoPeak) and "bound to node 1" in in_words(found.reasons)
    assert isinstance(look_for_peak(part, UserFacts(peak_gbps=100.0)), Peak)
    whole = collect([*good_records(), machine, change(MEMORY, nodes=[0, 1])])
    peak = look_for_peak(whole, UserFacts())
    assert isinstance(peak, Peak) and peak.gbps == pytest.approx(341.2, abs=0.1)
