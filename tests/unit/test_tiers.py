"""What is measured first, and what is said of what there was no time for."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest
from example_records import (
    END,
    MEMORY,
    PLAN,
    VARIANTS,
    good_records,
    samples_of,
    steady_times,
)

from streamgage.analysis.traffic.bracket import BRACKETS
from streamgage.errors import UsageError
from streamgage.options.values import cache_bytes
from streamgage.plan import LARGEST_CACHE, Plan
from streamgage.records import AnyRecord, Kernel, MemoryRecord, PlanRecord, Sample, Tier
from streamgage.records.run import collect
from streamgage.results.measure.document import Measure
from streamgage.results.measure.experiment import QUICK, STANDARD, THOROUGH
from streamgage.results.measure.judge import judge_measure
from streamgage.results.measure.page import page
from streamgage.results.measure.tiers import shown_kernels, tiers_of
from streamgage.results.preset import Preset, make_plan
from streamgage.results.result import Result
from streamgage.show.symbols import UNICODE
from streamgage.show.table import render
from streamgage.show.terminal import Terminal

change = msgspec.structs.replace
TIERED = change(PLAN, tiers=tiers_of(["sum", "copy", "triad", "update"], None))


def tiers(kernels: str, stores: str | None = None) -> list[Tier]:
    named = None if stores is None else stores.split(",")
    return make_plan(STANDARD, kernels=kernels.split(","), stores=named).tiers


@pytest.mark.parametrize("preset", [QUICK, STANDARD, THOROUGH])
def test_the_first_tier_has_what_the_first_screen_shows(preset: Preset) -> None:
    plan = make_plan(preset)
    first = plan.tiers[0]
    assert first.kernels == shown_kernels(plan.kernels, "triad") == ["copy", "triad", "sum"]
    assert first.stores == ["plain", "streaming"]


def test_the_second_tier_explains_the_first() -> None:
    first, second = make_plan(STANDARD).tiers
    assert second.stores == ["regular"]
    for kernel in first.kernels:
        assert set(BRACKETS.get(kernel, ())) <= set(second.kernels)
    assert second.kernels.index("update") < second.kernels.index("copy")  # evidence goes first


def test_kernels_and_stores_that_were_named_are_first() -> None:
    assert tiers("scale")[0].kernels == ["scale"]
    assert tiers("init,scale,add,triad")[0].kernels == ["triad", "init", "scale"]
    assert tiers("copy", "regular,streaming")[0].stores == ["regular", "streaming"]
    assert tiers("copy", "libc")[0].stores == ["libc"]


def test_other_kinds_of_result_have_no_tiers() -> None:
    assert make_plan(replace(STANDARD, tiers=None)).tiers == []
    assert Plan(kernels=[], sampling=STANDARD.sampling).tiers == []


def test_the_budget_is_that_of_the_whole_run() -> None:
    assert QUICK.sampling.budget_seconds < 10
    assert STANDARD.sampling.budget_seconds < 30


@pytest.mark.parametrize("preset", [QUICK, STANDARD])
def test_the_search_for_shapes_waits_unless_it_was_asked_for(preset: Preset) -> None:
    waiting = make_plan(preset, search="once").tuning
    asked = make_plan(preset, search="again").tuning
    assert waiting is not None and not waiting.first
    assert asked is not None and asked.first


def test_the_user_corrects_the_caches() -> None:
    plan = make_plan(STANDARD, last_level_cache_bytes=32 << 20)
    assert plan.last_level_cache_bytes == 32 << 20
    assert make_plan(STANDARD).last_level_cache_bytes is None


def test_caches_that_no_machine_has_are_refused() -> None:
    assert cache_bytes("32MiB") == 32 << 20
    assert cache_bytes(None) is None
    with pytest.raises(UsageError, match="--llc 2199023255552 is more than 1024 GiB"):
        cache_bytes(2 * LARGEST_CACHE)
    with pytest.raises(UsageError, match="--llc '0' is not a size above 0"):
        cache_bytes(0)


UPDATE = Kernel(name="update", formula="a = s*a", loads=1, stores=1, write_allocates=False, flops=1)


def records_with(samples: int, *, plan: PlanRecord = TIERED) -> list[AnyRecord]:
    """A good run with so many samples of ``update``, and none of ``copy libc``."""
    more = [
        change(VARIANTS[0], id=20, kernel="update"),
        change(VARIANTS[1], id=21, store="libc"),
    ]
    return [*good_records(), plan, UPDATE, *more, *samples_of(20, steady_times(0.02, samples))]


def answered(records: list[AnyRecord]) -> Result[Measure]:
    return judge_measure(collect(records))


@pytest.mark.parametrize("samples", [0, 1, 5])
def test_what_has_too_few_samples_is_named_and_not_shown(samples: int) -> None:
    found = answered(records_with(samples))
    assert found.document.not_measured == ["update", "copy libc"]
    assert {each.kernel for each in found.document.kernels} == {"sum", "copy", "triad"}
    text = shown(found)
    assert "Not measured in the time given: update, copy libc: --thorough" in text
    assert "±?" not in text


def test_what_has_enough_samples_is_shown() -> None:
    found = answered(records_with(6))
    assert found.document.not_measured == ["copy libc"]
    assert "update" in {each.kernel for each in found.document.kernels}


def test_without_tiers_everything_is_shown() -> None:
    found = answered(records_with(1, plan=PLAN))
    assert found.document.not_measured == []
    assert {"update", "triad"} <= {each.kernel for each in found.document.kernels}


def short_run(samples: int, seconds: float) -> list[AnyRecord]:
    """All that has been measured are so many samples of each variant."""
    kept = [each for each in good_records() if not isinstance(each, Sample) or each.block < samples]
    return [*kept, TIERED, change(END, stopped_by="budget", seconds=seconds)]


def test_a_run_too_short_for_any_figure_says_how_long_one_takes() -> None:
    found = answered(short_run(2, 24.0))
    assert found.document.not_measured == []
    assert {each.n for each in found.document.kernels} == {2}
    text = {each.code: each.text for each in found.words.findings}["not-converged"]
    assert "triad plain has 2 samples, but needs 6" in text
    assert "To settle, it would take about 4 min here." in text
    assert found.document.settle_seconds == pytest.approx(240, rel=0.02)
    assert "Triad has too few samples; enough of them take about 4 min here." in " ".join(
        shown(found).split()
    )


def test_the_first_touch_counts_once_in_how_long_a_figure_takes() -> None:
    slow = [
        change(each, touch_seconds=14.0) if isinstance(each, MemoryRecord) else each
        for each in short_run(2, 24.0)
    ]
    assert answered(slow).document.settle_seconds == pytest.approx(14 + 10 * 20 / 2)


def test_a_few_samples_that_agree_are_enough() -> None:
    found = answered(short_run(7, 24.0))
    assert "not-converged" not in {each.code for each in found.words.findings}


def test_a_tuned_variant_that_was_found_last_stands_behind_its_standard_one() -> None:
    tuned = change(VARIANTS[2], id=30, tuned=True)
    late = [*good_records(), tuned, *samples_of(30, steady_times(0.02))]
    kernels = answered(late).document.kernels
    names = [(each.kernel, each.store, each.tuned) for each in kernels]
    assert names.index(("copy", "streaming", True)) == names.index(("copy", "streaming", False)) + 1


def with_caches(asked: int | None) -> str:
    plan = change(TIERED, last_level_cache_bytes=asked)
    settings = dict(page(answered([*good_records(), plan])).settings)
    return settings["STREAM's rule"]


def test_details_say_where_the_size_comes_from() -> None:
    assert with_caches(None) == (
        "at least 64 MiB an array, 4 times the 16 MiB of last-level cache that the threads can"
        " reach, as the machine reports; --llc or --size correct it"
    )
    assert with_caches(16 << 20).endswith("that the threads can reach, as --llc says")


def test_arrays_that_came_later_are_in_the_record_of_all() -> None:
    fourth = change(MEMORY.arrays[0], name="d")
    later = change(MEMORY, epoch=1, arrays=[*MEMORY.arrays, fourth])
    memory = collect([MEMORY, later, change(MEMORY, epoch=2)]).memory
    assert isinstance(memory, MemoryRecord)
    assert [each.name for each in memory.arrays] == ["a", "b", "c", "d"]
    assert [each.checked_pages for each in memory.arrays] == [192, 192, 192, 64]


def shown(found: Result[Measure]) -> str:
    both = (
        render(found.page, Terminal(100, False, UNICODE), details=details)
        for details in (False, True)
    )
    return "\n".join(both)
