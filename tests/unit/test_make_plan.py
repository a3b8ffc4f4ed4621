from __future__ import annotations

import pytest

from streamgage.errors import UsageError
from streamgage.plan import Placement
from streamgage.studies.measure import QUICK, STANDARD, THOROUGH, Request, make_plan


def test_a_plain_request_leaves_the_rest_to_the_engine() -> None:
    plan = make_plan(Request())
    assert plan.kernels == list(STANDARD.kernels)
    assert (plan.stores, plan.array_bytes, plan.seed) == (None, None, None)
    assert plan.placement == Placement(kind="cores")


def test_presets_differ_in_kernels_and_time() -> None:
    assert make_plan(Request(preset=QUICK)).kernels == ["sum", "copy", "triad"]
    thorough = make_plan(Request(preset=THOROUGH))
    assert len(thorough.kernels) == 12
    assert thorough.sampling.min_samples == 50


def test_names_are_passed_on_as_they_are() -> None:
    plan = make_plan(Request(kernels="copy, nonsense,copy", stores="plain"))
    assert plan.kernels == ["copy", "nonsense"]
    assert plan.stores == ["plain"]


@pytest.mark.parametrize(
    ("cpus", "threads", "placement"),
    [
        ("none", None, Placement(kind="none")),
        ("None", 3, Placement(kind="none", threads=3)),
        ("1,0", None, Placement(kind="cpus", cpus=[1, 0], threads=2)),
        (None, 2, Placement(kind="cores", threads=2)),
    ],
)
def test_placements(cpus: str | None, threads: int | None, placement: Placement) -> None:
    assert make_plan(Request(cpus=cpus, threads=threads)).placement == placement


def test_threads_that_contradict_the_cpus_are_refused() -> None:
    with pytest.raises(UsageError, match="--threads 4 does not go with --cpus 0-1, which names 2"):
        make_plan(Request(cpus="0-1", threads=4))


@pytest.mark.parametrize("text", ["", ",", "copy,", "a,,b"])
def test_empty_names_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="empty name"):
        make_plan(Request(kernels=text))
