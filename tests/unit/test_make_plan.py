from __future__ import annotations

from pathlib import Path

import pytest
from example_records import MACHINE, TUNINGS
from programs import misbehaving_engine

from streamgage.analysis.shapes import shape_of
from streamgage.analysis.statistics.intervals import REPORTED, interval_rank
from streamgage.analysis.traffic.bracket import BRACKETS
from streamgage.errors import UsageError
from streamgage.options.values import names_of
from streamgage.plan import KnownShape, Placement, Plan, Tuning
from streamgage.process.ranks import Ranks
from streamgage.records import AccessShape
from streamgage.records.run import collect
from streamgage.results.measure.experiment import QUICK, STANDARD, THOROUGH, recall_shapes
from streamgage.results.measure.tunings import conditions_of, keep_tunings, tuning_folder
from streamgage.results.placement import placement_of
from streamgage.results.preset import Preset, make_plan
from streamgage.results.ranks import plan_of_ranks


def test_a_plain_request_leaves_the_rest_to_the_engine() -> None:
    plan = make_plan(STANDARD, search="once")
    assert plan.kernels == list(STANDARD.kernels)
    assert (plan.stores, plan.array_bytes, plan.seed) == (None, None, None)
    assert plan.placement == Placement(kind="cores")


def test_presets_differ_in_kernels_and_time() -> None:
    quick, standard, thorough = (
        make_plan(preset, checks=True) for preset in (QUICK, STANDARD, THOROUGH)
    )
    assert quick.kernels == ["sum", "copy", "update", "triad", "daxpy", "sdaxpy"]
    assert set(quick.kernels) < set(standard.kernels) < set(thorough.kernels)
    assert len(thorough.kernels) == 12
    assert thorough.sampling.min_samples == 50
    budgets = [plan.sampling.budget_seconds for plan in (quick, standard, thorough)]
    assert budgets == sorted(budgets)


@pytest.mark.parametrize("preset", [QUICK, STANDARD, THOROUGH])
def test_every_preset_measures_what_its_stores_are_judged_by(preset: Preset) -> None:
    plan = make_plan(preset, checks=True)
    assert plan.checks
    neighbours = {each for kernel in plan.kernels for each in BRACKETS.get(kernel, ()) if each}
    assert neighbours <= set(plan.kernels)


@pytest.mark.parametrize(
    ("kernels", "evidence"),
    [
        ("triad", {"triad", "daxpy", "sdaxpy"}),
        ("copy,scale", {"copy", "scale", "update", "daxpy"}),
        ("striad", {"striad", "sdaxpy", "bracket"}),
        ("init", {"update", "copy", "daxpy"}),
        ("sum,daxpy,nonsense", set()),
    ],
)
def test_kernels_are_measured_with_those_that_they_are_judged_by(
    kernels: str, evidence: set[str]
) -> None:
    plan = make_plan(STANDARD, kernels=kernels.split(","), checks=True)
    assert plan.kernels == kernels.split(",")
    assert set(plan.evidence) == evidence
    assert len(plan.evidence) == len(evidence)


def test_what_is_not_interpreted_needs_no_evidence() -> None:
    assert make_plan(STANDARD, kernels=["triad"]).evidence == []
    plan = make_plan(STANDARD, kernels=["triad"], checks=True)
    assert plan_of_ranks(plan, Ranks(ranks=2)).evidence == []


@pytest.mark.parametrize("preset", [QUICK, STANDARD, THOROUGH])
def test_every_preset_has_allocations_enough_for_an_interval_over_them(preset: Preset) -> None:
    sampling = make_plan(preset, checks=True).sampling
    assert sampling.epoch_blocks is not None
    allocations = -(-sampling.min_samples // sampling.epoch_blocks)
    assert interval_rank(allocations, REPORTED) is not None


def test_ranks_may_share_cpus_that_nobody_has_named() -> None:
    placement = placement_of(None, oversubscribe=True, by_ranks=True)
    assert placement == Placement(kind="cores")


def test_ranks_take_an_expression_with_the_threads_of_each() -> None:
    plan = make_plan(STANDARD, placement=placement_of("S0:0-3", by_ranks=True))
    by_ranks = plan_of_ranks(plan, Ranks(ranks=2, threads=2)).placement
    assert by_ranks == Placement(kind="cpus", expression="S0:0-3", threads=2)


def test_names_are_passed_on_as_they_are() -> None:
    kernels = names_of("--kernels", "copy, nonsense,copy")
    plan = make_plan(STANDARD, kernels=kernels, stores=["plain"])
    assert plan.kernels == ["copy", "nonsense"]
    assert plan.stores == ["plain"]


@pytest.mark.parametrize(
    ("cpus", "threads", "placement"),
    [
        ("none", None, Placement(kind="none")),
        ("none", 3, Placement(kind="none", threads=3)),
        ("cores", 3, Placement(kind="cores", threads=3)),
        ("1,0", None, Placement(kind="cpus", expression="1,0", threads=2)),
        ([1, 0], None, Placement(kind="cpus", expression="1,0", threads=2)),
        ("S0:0-1", None, Placement(kind="cpus", expression="S0:0-1")),
        ("E:N:2", 2, Placement(kind="cpus", expression="E:N:2", threads=2)),
        ("0@1", None, Placement(kind="cpus", expression="0@1")),
        (None, 2, Placement(kind="cores", threads=2)),
    ],
)
def test_placements(
    cpus: str | list[int] | None, threads: int | None, placement: Placement
) -> None:
    assert placement_of(cpus, threads) == placement


def test_shared_cpus_are_left_to_the_engine() -> None:
    placement = placement_of("0,0", oversubscribe=True)
    assert placement == Placement(kind="cpus", expression="0,0", oversubscribe=True)


@pytest.mark.parametrize("cpus", [None, "none"])
def test_cpus_are_shared_only_where_they_are_named(cpus: str | None) -> None:
    with pytest.raises(UsageError, match="--allow-oversubscribe needs --cpus"):
        placement_of(cpus, oversubscribe=True)


def test_threads_that_contradict_the_cpus_are_refused() -> None:
    with pytest.raises(
        UsageError, match="--threads 4 does not go with --cpus 0-1, which names 2 CPUs"
    ):
        placement_of("0-1", 4)


@pytest.mark.parametrize("text", ["", ",", "copy,", "a,,b"])
def test_empty_names_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="empty name"):
        names_of("--kernels", text)


def test_shapes_are_sought_unless_something_else_is_asked() -> None:
    last = Tuning(budget_seconds=STANDARD.tuning_seconds, first=False)
    assert make_plan(STANDARD, search="once").tuning == last
    assert make_plan(STANDARD, search="again").tuning == Tuning(
        budget_seconds=STANDARD.tuning_seconds
    )
    assert make_plan(STANDARD).tuning is None
    assert make_plan(QUICK, search="once").tuning == Tuning(budget_seconds=6, first=False)
    assert make_plan(THOROUGH, search="once").tuning == Tuning(budget_seconds=60, first=False)
    assert QUICK.tuning_seconds < STANDARD.tuning_seconds < THOROUGH.tuning_seconds


def test_a_shape_by_hand_is_not_sought() -> None:
    plan = make_plan(STANDARD, shape=shape_of("streams=4,block=4KiB"), search="once")
    assert plan.shape == AccessShape(streams=4, block_bytes=4096)
    assert plan.tuning is None
    assert make_plan(STANDARD, shape=AccessShape(streams=4)).tuning is None
    with pytest.raises(UsageError, match="--shape and --retune exclude each other"):
        make_plan(STANDARD, shape=AccessShape(streams=4), search="again")


def test_instruction_sets_are_passed_on_each_once() -> None:
    named = names_of("--isa", "SSE2, AVX2,SSE2")
    assert make_plan(STANDARD, isas=named).isas == ["SSE2", "AVX2"]
    assert make_plan(STANDARD, search="once").isas is None
    with pytest.raises(UsageError, match="--isa 'SSE2,' has an empty name"):
        names_of("--isa", "SSE2,")


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An engine that knows its machine, with the cache and nothing else."""
    engine = misbehaving_engine(tmp_path, "exit 1")
    monkeypatch.setenv("STREAMGAGE_ENGINE", str(engine))
    return engine


def remember(plan: Plan) -> None:
    conditions = conditions_of(plan, MACHINE)
    folder = tuning_folder()
    assert folder is not None
    keep_tunings(MACHINE, conditions, [TUNINGS[0]], folder, pytest.fail)


KNOWN = KnownShape(kernel="sum", store="regular", isa="AVX2", shape=TUNINGS[0].shape)


@pytest.mark.usefixtures("engine")
def test_what_is_known_goes_into_the_plan() -> None:
    plan = make_plan(STANDARD, search="once")
    remember(plan)
    recalled, shapes = recall_shapes(plan, again=False, note=pytest.fail)
    assert recalled.tuning == Tuning(budget_seconds=20, known=[KNOWN], first=False)
    assert shapes is not None and shapes.folder == tuning_folder()
    other = make_plan(STANDARD, type="float", search="once")
    assert recall_shapes(other, again=False, note=pytest.fail)[0] == other


@pytest.mark.usefixtures("engine")
def test_asked_anew_nothing_is_known_and_nothing_is_read() -> None:
    plan = make_plan(STANDARD, search="again")
    remember(plan)
    recalled, shapes = recall_shapes(plan, again=True, note=pytest.fail)
    assert (recalled, shapes is not None) == (plan, True)


def test_without_a_search_the_engine_is_not_even_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STREAMGAGE_ENGINE", str(tmp_path / "missing"))
    shape = AccessShape(streams=2)
    for plan in (make_plan(STANDARD), make_plan(STANDARD, shape=shape, search="once")):
        assert recall_shapes(plan, again=False, note=pytest.fail) == (plan, None)


@pytest.mark.usefixtures("engine")
def test_without_a_home_shapes_are_sought_and_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("streamgage.results.measure.experiment.tuning_folder", lambda: None)
    plan = make_plan(STANDARD, search="once")
    recalled, shapes = recall_shapes(plan, again=False, note=pytest.fail)
    assert recalled == plan
    assert shapes is not None
    shapes.keep(collect([TUNINGS[0]]), pytest.fail)
