"""Repeated runs under several placements: order, statistics, words and pictures."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from example_records import (
    CLOCK,
    END,
    KERNELS,
    MACHINE,
    MEMORY,
    MIB,
    PLAN,
    VARIANTS,
    place,
    placement,
    samples_of,
)
from example_repeat import settings_of
from msgspec.structs import replace
from schemas import validator

from streamgage.analysis.statistics.rounds import FreshRun
from streamgage.errors import UsageError
from streamgage.plan import Plan
from streamgage.records import Sampling
from streamgage.records.run import Run, collect
from streamgage.results.kinds import result_of, words_of
from streamgage.results.placement import placements_of
from streamgage.results.render import draw_result, render_result
from streamgage.results.repeat.document import Repeat, setting_of
from streamgage.results.repeat.judge import judge_repeat
from streamgage.results.series import Condition, turns
from streamgage.show.picture import figure_of
from streamgage.show.swarm import swarm
from streamgage.show.symbols import UNICODE
from streamgage.show.table import render as table_of
from streamgage.show.terminal import Terminal

TRIAD = VARIANTS[3]
BYTES = 3 * 8 * 8 * MIB
"""Of a pass of the made triad."""


def run_of(
    gbps: float,
    *,
    threads: int = 2,
    bound: bool = True,
    cpus: Sequence[int] = (0, 1),
    huge_share: float = 1.0,
) -> Run:
    """A run in which triad gives that rate, but for one sample that was disturbed."""
    seconds = BYTES / (gbps * 1e9)
    places = [place(cpu, mask=None if bound else "0-1") for cpu in range(threads)]
    return collect(
        [
            MACHINE,
            PLAN,
            placement(*places, bound=bound),
            replace(MEMORY, arrays=[replace(e, huge_share=huge_share) for e in MEMORY.arrays]),
            CLOCK,
            *KERNELS,
            TRIAD,
            *samples_of(TRIAD.id, [seconds, seconds, 3 * seconds], cpus=cpus[:threads]),
            END,
        ]
    )


def series(name: str, rates: Sequence[float], **setting: float) -> list[FreshRun]:
    return [
        FreshRun(name, number, run_of(rate, **setting), None, None)  # type: ignore[arg-type]
        for number, rate in enumerate(rates, start=1)
    ]


def answer(free: Sequence[float], held: Sequence[float]) -> Repeat:
    runs = series("none", free, bound=False) + series("cores", held)
    return judge_repeat(runs, settings_of("none", "cores"), rounds=len(free), seed=7)


def table(found: Repeat, width: int = 100) -> str:
    return table_of(result_of(found).page, Terminal(width, False, UNICODE))


STEADY = [10.0 + 0.01 * (number % 5) for number in range(20)]
SPREAD = [5.0 + 0.25 * ((7 * number) % 20) for number in range(20)]
GROUPS = [5.0 + 0.01 * number if number % 3 else 10.0 + 0.01 * number for number in range(20)]


def test_a_run_counts_with_the_median_of_its_samples() -> None:
    (free, held) = answer([8.0, 9.0, 10.0], [10.0, 10.0, 10.0]).kernels
    assert [rate.gbps for rate in free.rates] == pytest.approx([8, 9, 10])
    assert free.spread is not None
    assert free.spread.mean_gbps == pytest.approx(9)
    assert free.spread.deviation_gbps == pytest.approx(1)
    assert (free.ratio, held.ratio is None) == (None, False)
    assert held.ratio is not None
    assert held.ratio.value == pytest.approx(10 / 9)
    assert (held.ratio.low, held.ratio.high) == pytest.approx((1, 10 / 8))


def test_unbound_runs_that_vary_are_told_with_what_binding_gives() -> None:
    found = answer(SPREAD, STEADY)
    (finding,) = words_of(found).findings
    assert finding.code == "not-bound"
    assert "triad plain gives 5.00 to 9.75 GB/s in 20 runs, the worst 49 % below" in finding.text
    assert "with placement cores it is 10.0 to 10.0 GB/s" in finding.text
    differ, sentence = words_of(found).sentences
    assert differ == (
        "The worst run lies below the best by 49 % unbound and 0.4 % with placement cores"
        " (triad plain)."
    )
    assert sentence.startswith("Faster with placement cores than unbound in 1 of 1 kernel")


def test_where_binding_changes_nothing_that_is_said() -> None:
    found = answer(STEADY, STEADY[::-1])
    assert words_of(found).findings == []
    assert words_of(found).sentences[1:] == [
        "The medians with placement cores and unbound are the same: the ratios of 1 kernel lie"
        f" within {found.kernels[1].ratio.low:.3f} and"  # type: ignore[union-attr]
        f" {found.kernels[1].ratio.high:.3f}."  # type: ignore[union-attr]
    ]


def test_noise_that_may_hide_an_effect_is_told() -> None:
    found = answer(SPREAD, SPREAD[::-1])
    assert words_of(found).findings == []
    assert "do not differ beyond noise" in words_of(found).sentences[1]


def test_a_few_rounds_show_no_effect_that_is_as_small_as_their_range() -> None:
    """Of three rounds all are faster by chance in one of four series."""
    few = answer([10.0, 10.0, 10.0], [10.2, 10.5, 10.9])
    assert "do not differ beyond noise" in words_of(few).sentences[1]
    clear = answer([10.0, 10.0, 10.0], [15.0, 15.1, 15.2])
    assert words_of(clear).sentences[1].startswith("Faster with placement cores than unbound")


def test_the_widths_of_a_few_runs_recommend_no_placement() -> None:
    few = answer([10.0, 8.0, 10.0], [10.0, 10.0, 10.0])
    assert [each.code for each in words_of(few).findings] == []


def test_a_slower_placement_is_told() -> None:
    found = answer(STEADY, [0.8 * rate for rate in STEADY])
    assert (
        "Slower with placement cores than unbound in 1 of 1 kernel" in words_of(found).sentences[1]
    )


def test_two_groups_of_runs_are_told_with_their_shares() -> None:
    finding = {each.code: each for each in words_of(answer(GROUPS, STEADY)).findings}["two-modes"]
    assert "Unbound runs fall into two groups: triad plain (35 % near" in finding.text


def test_one_run_alone_is_no_group() -> None:
    held = [*STEADY[:7], 5.0]
    assert [each.code for each in words_of(answer(STEADY[:8], held)).findings] == []


def test_runs_that_failed_are_listed_and_in_no_statistics() -> None:
    runs = [*series("none", STEADY[:3]), FreshRun("none", 4, run_of(1.0), "It died.", "file")]
    found = judge_repeat(runs, settings_of("none"), rounds=4, seed=1)
    assert [rate.round for rate in found.kernels[0].rates] == [1, 2, 3]
    assert (found.runs[3].failure, found.runs[3].records) == ("It died.", "file")


def test_without_any_run_there_is_an_answer_that_says_so() -> None:
    found = judge_repeat([], settings_of("none", "cores"), rounds=3, seed=1)
    assert found.kernels == [] and words_of(found).findings == []
    assert "No run was finished." in table(found)


def test_unlike_numbers_of_threads_and_bound_free_threads_are_told() -> None:
    runs = series("none", STEADY[:6], threads=1) + series("cores", STEADY[:6])
    found = judge_repeat(runs, settings_of("none", "cores"), rounds=6, seed=1)
    said = " ".join(words_of(found).sentences)
    assert "Different numbers of threads ran (none 1 and cores 2), so placement is not the" in said
    assert "left unbound were bound by something else: look for OMP_PROC_BIND" in said


def test_few_rounds_are_told() -> None:
    assert (
        "bounds of the ratios are their range"
        in words_of(answer(STEADY[:5], STEADY[:5])).sentences[-1]
    )


def test_without_free_threads_the_first_placement_is_the_baseline() -> None:
    runs = series("0,1", STEADY[:6]) + series("cores", STEADY[:6])
    assert judge_repeat(runs, settings_of("0,1", "cores"), rounds=6, seed=1).baseline == "0,1"


def of_pages(small: Sequence[float], huge: Sequence[float], huge_share: float = 1.0) -> Repeat:
    settings = [setting_of("cores", "4k", alone=True), setting_of("cores", "2m", alone=True)]
    runs = series("4k", small, huge_share=0.0) + series("2m", huge, huge_share=huge_share)
    return judge_repeat(runs, settings, rounds=len(small), seed=7)


def test_pages_are_compared_in_their_own_words() -> None:
    found = of_pages(STEADY, [1.3 * rate for rate in STEADY])
    assert (found.baseline, found.compared) == ("4k", "pages")
    differ, sentence = words_of(found).sentences
    assert "with 4 KiB pages and" in differ
    assert sentence.startswith("Faster with 2 MiB pages than with 4 KiB pages in 1 of 1 kernel: ")
    assert "kernel, pages" in table(found)
    assert "pages 4k, 2m in mixed order" in table(found)


def test_runs_that_did_not_get_huge_pages_show_nothing_on_them() -> None:
    found = of_pages(STEADY, STEADY[::-1], huge_share=0.03)
    (finding,) = words_of(found).findings
    assert finding.code == "no-huge-pages"
    assert finding.text.startswith(
        "Runs with 2 MiB pages had only 3 % of an array in huge pages, so they do not show what"
    )
    assert not any("medians" in each for each in words_of(found).sentences)


def test_placements_and_pages_are_compared_together() -> None:
    names = [setting_of(where, pages) for pages in ("4k", "2m") for where in ("none", "cores")]
    rates = {"none, 4k": 10.0, "cores, 4k": 11.0, "none, 2m": 13.0, "cores, 2m": 15.0}
    runs = [run for name, rate in rates.items() for run in series(name, [rate] * 6)]
    found = judge_repeat(runs, names, rounds=6, seed=1)
    assert [each.name for each in found.settings] == list(rates)
    assert found.compared == "placement and pages"
    starts = [each.partition(" in 1 of")[0] for each in words_of(found).sentences[1:4]]
    assert starts == [
        "Faster with placement cores and 4 KiB pages than unbound with 4 KiB pages",
        "Faster unbound with 2 MiB pages than unbound with 4 KiB pages",
        "Faster with placement cores and 2 MiB pages than unbound with 4 KiB pages",
    ]


PLAN_OF_NOTHING = Plan(
    kernels=["sum"],
    sampling=Sampling(min_samples=1, look_every=1, max_samples=1, budget_seconds=1),
)


def test_every_round_has_every_condition_once_in_an_order_of_its_own() -> None:
    conditions = [Condition(name, PLAN_OF_NOTHING) for name in "abc"]
    order = list(turns(conditions, 20, seed=3))
    assert [turn.number for turn in order] == list(range(1, 61))
    rounds = ["".join(turn.condition.name for turn in order[at : at + 3]) for at in range(0, 60, 3)]
    assert all(sorted(each) == list("abc") for each in rounds)
    assert len(Counter(rounds)) > 1
    assert [turn.round for turn in order] == [1 + at // 3 for at in range(60)]
    assert order == list(turns(conditions, 20, seed=3))
    assert order != list(turns(conditions, 20, seed=4))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("none,cores", ["none", "cores"]),
        (" cores , S0:0-3 ", ["cores", "S0:0-3"]),
        ("none;0,2;1,3", ["none", "0,2", "1,3"]),
        ("cores", ["cores"]),
        ("0-3,8", ["0-3,8"]),
        ("none,0-3, 8,S0:1,2,M1", ["none", "0-3,8", "S0:1,2", "M1"]),
        (
            "openmpi:--bind-to core,slurm:--cpu-bind=map_cpu:0,1",
            ["openmpi:--bind-to core", "slurm:--cpu-bind=map_cpu:0,1"],
        ),
        ([0, 1], ["0,1"]),
        (range(2, 4), ["2,3"]),
        (["0,1", "none"], ["0,1", "none"]),
    ],
)
def test_lists_of_placements(text: str | list[str] | list[int], names: list[str]) -> None:
    assert placements_of(text) == names


@pytest.mark.parametrize("text", ["", ",", "none,,cores", "none;", "none,none", [], ["none", ""]])
def test_lists_of_placements_that_are_refused(text: str | list[str]) -> None:
    with pytest.raises(UsageError, match="--cpus"):
        placements_of(text)


def test_the_document_conforms_to_its_schema() -> None:
    document = json.loads(render_result(result_of(answer(GROUPS, STEADY)), "json"))
    validator("repeat").validate(document)


@pytest.mark.parametrize("width", [40, 60, 80, 100])
def test_a_narrow_table_drops_columns_not_digits(width: int) -> None:
    shown = table(answer(GROUPS, STEADY), width)
    rows = [line for line in shown.splitlines() if " cores  " in line]
    assert "10.0" in rows[0]
    if width >= 60:
        assert all(len(line) <= width for line in shown.splitlines())


def test_the_table_and_markdown_hold_the_figures_and_the_words() -> None:
    found = answer(SPREAD, STEADY)
    for text in (table(found), render_result(result_of(found), "markdown")):
        assert "over none [95 %]" in text
        assert "49 %" in text
        assert "not-bound" in text
        assert "Example 9000" in text


def test_csv_has_a_line_a_figure() -> None:
    rows = list(
        csv.DictReader(io.StringIO(render_result(result_of(answer(SPREAD, STEADY)), "csv")))
    )
    assert len(rows) == 40
    assert rows[0] == {
        "kernel": "triad plain",
        "placement": "none",
        "pages": "",
        "round": "1",
        "gbps": "5",
        "threads": "2",
        "cpus": "0-1",
        "samples": "3",
        "samples_sharing_a_cpu": "0",
        "huge_share": "1",
        "bound": "false",
        "trust": "with-care",
    }


def test_where_threads_ran_comes_from_the_samples_of_each_run() -> None:
    runs = series("cores", [10.0] * 3) + series("none", [10.0], bound=False)
    runs += [
        FreshRun("none", number, run_of(5.0, bound=False, cpus=(0, 0)), None, None)
        for number in (2, 3)
    ]
    found = judge_repeat(runs, settings_of("none", "cores"), rounds=3, seed=7)
    assert [each.cpus for each in found.runs] == ["0-1", "0-1", "0-1", "0-1", "0", "0"]
    assert dict(result_of(found).page.settings) | {
        "Placement none": "CPU 0 in 2 runs and CPUs 0-1 in 1 run",
        "Placement cores": "CPUs 0-1",
    } == dict(result_of(found).page.settings)
    (shared,) = [each for each in words_of(found).findings if each.code == "fewer-cpus"]
    assert shared.text.startswith(
        "Threads shared a CPU in 2 of 3 unbound runs and took turns there, at worst in 3 of 3"
        " samples (round 2)"
    )


def test_the_picture_names_kernels_placements_and_the_machine() -> None:
    found = answer(GROUPS, STEADY)
    text = draw_result(result_of(found), Path("runs.svg")).decode()
    for word in ("triad plain", "none", "cores", "Example 9000", "40 fresh runs", "seed 7"):
        assert word in text
    assert draw_result(result_of(found), Path("runs.svg")).decode() == text
    assert draw_result(result_of(found), Path("runs.png")).startswith(b"\x89PNG")


def test_the_picture_has_no_empty_panels_where_kernels_do_not_fill_the_last_row() -> None:
    found = answer(GROUPS, STEADY)
    names = ("copy", "scale", "add", "triad", "daxpy")
    kernels = [replace(each, kernel=name) for name in names for each in found.kernels]
    drawn = figure_of(result_of(replace(found, kernels=kernels)).page)
    assert [axes.get_title() for axes in drawn.axes[:5]] == list(names)
    assert [axes.axison for axes in drawn.axes] == [True] * 5 + [False] * 3


def test_dots_of_like_rates_lie_beside_each_other() -> None:
    assert swarm([]) == []
    assert swarm([1.0]) == [0.0]
    beside = swarm([1.0, 1.0, 1.0, 9.0])
    assert len(set(beside[:3])) == 3
    assert beside[3] == 0.0
    assert max(abs(each) for each in swarm([2.0] * 500)) <= 0.25
