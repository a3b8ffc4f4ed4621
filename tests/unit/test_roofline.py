"""The roofline of a ladder: ceilings with their evidence, and programs below them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from example_ladder import RATES, ladder_of, machine_of
from msgspec.structs import replace

from streamgage.analysis.statistics.estimate import Estimate
from streamgage.errors import UsageError
from streamgage.options.roofline import programs_of
from streamgage.results.kinds import decode_document, result_of
from streamgage.results.ladder.document import Ladder, ProgramPoint
from streamgage.results.ladder.page import page
from streamgage.results.ladder.roofline import roofline_of
from streamgage.results.render import draw_result, render_result
from streamgage.show.formats import as_json

MACHINE = machine_of()
SOLVER = ProgramPoint(name="solver", flops=2e9, bytes=10e9, seconds=1.0)


def with_compute(ladder: Ladder, *, gbps: float = 1.5) -> Ladder:
    """The ladder with a kernel of 96 operations per byte, which no cache makes faster."""
    curves = [
        replace(
            curve,
            kernel="fma",
            store="plain",
            flops_per_byte=96.0,
            steps=[],
            points=[
                replace(each, gbps=Estimate(value=gbps, low=0.9 * gbps, high=1.1 * gbps))
                for each in curve.points
            ],
        )
        for curve in ladder.curves
    ]
    return replace(ladder, curves=[*ladder.curves, *curves])


def test_a_curve_has_the_operations_of_its_kernel() -> None:
    assert {each.flops_per_byte for each in ladder_of(MACHINE).curves} == {2 / 24}


def test_each_level_is_a_ceiling_with_its_evidence() -> None:
    ladder = ladder_of(MACHINE)
    found = roofline_of(ladder)
    worksharing = [each for each in found.ceilings if each.mode == "worksharing"]
    assert [each.level for each in worksharing] == ["L1", "L2", "L3", "memory"]
    for each in worksharing:
        threads = 2 if each.level == "memory" else 4
        assert each.gbps.value == pytest.approx(RATES[each.level] * threads, rel=0.01)
        assert (each.kernel, each.store, each.threads) == ("triad", "regular", 4)
        assert each.low_bytes <= each.high_bytes and each.points >= 2
    assert found.compute == [] and found.programs == []


def test_operations_are_known_only_where_a_kernel_computed() -> None:
    found = roofline_of(with_compute(ladder_of(MACHINE)))
    assert {each.kernel for each in found.ceilings} == {"triad"}
    assert [each.mode for each in found.compute] == ["worksharing", "throughput", "sequential"]
    (top, *_) = found.compute
    assert (top.kernel, top.threads) == ("fma", 4)
    figures = (top.gflops.value, top.gflops.low, top.gflops.high)
    assert figures == pytest.approx((144.0, 129.6, 158.4))


def test_a_program_is_held_against_memory_and_cores() -> None:
    ladder = replace(with_compute(ladder_of(MACHINE)), programs=[SOLVER])
    (solver,) = roofline_of(ladder).programs
    assert (solver.gbps, solver.gflops, solver.flops_per_byte) == (10.0, 2.0, 0.2)
    assert solver.share_of_memory == pytest.approx(10 / 20, rel=0.01)
    assert solver.share_of_compute == pytest.approx(2 / 144, rel=0.01)
    assert solver.nearest == "memory"
    ((name, text),) = page(ladder).facts
    assert name == "solver" and "50 % of memory's bandwidth" in text


def test_what_was_not_measured_is_not_guessed() -> None:
    (solver,) = roofline_of(replace(ladder_of(MACHINE), programs=[SOLVER])).programs
    assert solver.share_of_compute is None
    nothing = replace(ladder_of(MACHINE), curves=[], programs=[SOLVER])
    (lost,) = roofline_of(nothing).programs
    assert (lost.share_of_memory, lost.nearest) == (None, None)
    assert "no ceiling to compare with" in page(nothing).facts[0][1]


def test_more_than_memory_gives_is_no_memory_traffic() -> None:
    fast = ProgramPoint(name="cached", flops=1e9, bytes=90e9, seconds=1.0)
    text = page(replace(ladder_of(MACHINE), programs=[fast])).facts[0][1]
    assert "part of the bytes came from a cache" in text


def test_the_formats_have_every_ceiling_and_program() -> None:
    ladder = replace(with_compute(ladder_of(MACHINE)), programs=[SOLVER])
    document = json.loads(render_result(result_of(ladder), "roofline"))
    assert len(document["ceilings"]) == 12 and document["programs"][0]["name"] == "solver"
    rows = list(csv.DictReader(io.StringIO(render_result(result_of(ladder), "roofline-csv"))))
    kinds = [row["row"] for row in rows]
    assert [kinds.count(each) for each in ("bandwidth", "compute", "program")] == [12, 3, 1]
    assert next(row for row in rows if row["row"] == "program")["share_of_compute"]


def test_the_picture_has_the_roofline_where_there_is_a_program(tmp_path: Path) -> None:
    ladder = ladder_of(MACHINE)
    without = [each.title for each in page(ladder).plots]
    with_one = replace(with_compute(ladder), programs=[SOLVER])
    (roofline,) = [each for each in page(with_one).plots if each.title not in without]
    assert roofline.title == "Roofline of 4 threads"
    svg = draw_result(result_of(with_one), tmp_path / "roofline.svg").decode()
    for words in ("memory 20.0 GB/s (triad regular)", "cores 144.0 Gflop/s (fma)", "solver"):
        assert words in svg


def test_a_program_without_operations_is_not_drawn_but_said(tmp_path: Path) -> None:
    copy = ProgramPoint(name="copy", flops=0.0, bytes=1e9, seconds=1.0)
    ladder = replace(ladder_of(MACHINE), programs=[copy])
    assert (
        "copy (no operations: not drawn)"
        in draw_result(result_of(ladder), tmp_path / "x.svg").decode()
    )


def test_programs_are_kept_with_the_result() -> None:
    ladder = replace(ladder_of(MACHINE), programs=[SOLVER])
    again = decode_document(as_json(ladder).encode(), "ladder.json")
    assert isinstance(again, Ladder) and again.programs == [SOLVER]


def test_points_are_read_as_people_write_them() -> None:
    first, second = programs_of(["solver,2e9,16e9,0.8", "a name, with commas,5,3GiB,1"])
    assert first == ProgramPoint(name="solver", flops=2e9, bytes=16e9, seconds=0.8)
    assert second == ProgramPoint(name="a name, with commas", flops=5, bytes=3 << 30, seconds=1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("solver,1,2", "does not have four parts"),
        ("solver", "does not have four parts"),
        (",1,2,3", "needs a name of up to"),
        ("x" * 61 + ",1,2,3", "needs a name of up to"),
        ("a,x,2,3", "'x' is not a number of flops"),
        ("a,1,-2,3", "'-2' is not a number of bytes"),
        ("a,1,nan,3", "'nan' is not a number of bytes"),
        ("a,1,1e400,3", "'1e400' is not a number of bytes"),
        ("a,1,0,3", "has 0 bytes"),
        ("a,1,2,0", "has 0 seconds"),
        ("a,1,2,inf", "'inf' is not a number of seconds"),
    ],
)
def test_a_wrong_point_is_one_sentence(text: str, said: str) -> None:
    with pytest.raises(UsageError, match="--point") as caught:
        programs_of([text])
    assert said in str(caught.value)


def test_no_two_programs_have_the_same_name() -> None:
    with pytest.raises(UsageError, match="twice"):
        programs_of(["a,1,2,3", "a,2,3,4"])
