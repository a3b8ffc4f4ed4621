"""What STREAM itself would print is measured, and its difference is explained."""

from __future__ import annotations

from typing import Any, cast

import msgspec
import pytest
from checked_runs import checked_records
from example_records import DISTURBANCE, MEMORY, PLAN, good_records

from streamgage.commands.measure import Options, measure, planned
from streamgage.errors import UsageError
from streamgage.options.declaration import declaration_of
from streamgage.plan import Plan
from streamgage.records import AnyRecord, PagePairs, StreamPasses, StreamView
from streamgage.records.run import collect
from streamgage.results.measure.as_stream import as_stream_pairs, as_stream_text, differs
from streamgage.results.measure.document import Measure
from streamgage.results.measure.judge import judge_measure
from streamgage.results.measure.page import page
from streamgage.results.measure.screen import first_screen
from streamgage.results.result import Result

change = msgspec.structs.replace
OWN = 0.04
"""Seconds of a pass of triad in the example run."""
BYTES = 3 * MEMORY.array_bytes


def stream_view(
    triad: float,
    pairs: tuple[float, float] | None,
    *,
    switches: int = 0,
    threads: int = 2,
    huge_share: float = 0.0,
    wide: float = 0.001,
) -> StreamView:
    """A view whose best triad takes that long; ``pairs``: seconds with both kinds of pages."""
    passes = [triad * (1 + 0.1 * number) for number in (3, 1, 0, 2, 4, 5, 6, 7, 8)]
    noise = [1 + wide * number for number in (-3, 3, -2, 2, -1, 1, 0, 0)]
    return StreamView(
        threads=threads,
        array_bytes=MEMORY.array_bytes,
        huge_share=huge_share,
        kernels=[
            StreamPasses(kernel=name, bytes=BYTES, seconds=passes, switches=[switches] * 9)
            for name in ("copy", "scale", "add", "triad")
        ],
        pairs=None
        if pairs is None
        else PagePairs(
            own_seconds=[pairs[0]] * len(noise),
            system_seconds=[pairs[1] * each for each in noise],
        ),
    )


def measured(*more: AnyRecord) -> Result[Measure]:
    return judge_measure(collect([*good_records(), *more]))


def points_of(result: Result[Measure]) -> dict[str, str]:
    return {each.name: each.text for each in first_screen(result).points if each.name}


def text_of(*more: AnyRecord) -> str:
    return as_stream_text(measured(*more).document) or ""


def test_small_pages_are_named_with_what_they_cost_and_with_both_figures() -> None:
    text = text_of(stream_view(OWN * 1.5, (OWN, OWN * 1.5)))
    assert "4 KiB pages cost 33 % (3.36 in place of 5.03)" in text
    assert "other programs" not in text
    assert "unbound" not in text


def test_other_programs_are_named_only_where_a_thread_lost_its_cpu_to_them() -> None:
    busy = change(DISTURBANCE, other_seconds=10.0)
    view = stream_view(OWN * 3, (OWN, OWN * 1.5), switches=40)
    assert "4 KiB pages cost 33 %" in text_of(busy, view)
    assert "other programs cost 50 %" in text_of(busy, view)
    assert "unbound threads cost 50 %" in text_of(view)
    assert "unbound threads cost 50 %" in text_of(busy, stream_view(OWN * 3, (OWN, OWN * 1.5)))


def test_another_number_of_threads_is_named() -> None:
    view = stream_view(OWN * 1.5, (OWN, OWN), threads=4)
    assert "4 threads in place of 2 cost 33 %" in text_of(view)


def test_pages_of_one_kind_are_no_reason() -> None:
    text = text_of(stream_view(OWN * 1.5, (OWN, OWN * 1.5), huge_share=1.0))
    assert "pages cost" not in text


def test_pairs_that_do_not_agree_blame_no_pages() -> None:
    text = text_of(stream_view(OWN * 1.5, (OWN, OWN * 1.06), wide=0.05))
    assert "pages" not in text


def test_without_pairs_no_cause_is_given_a_share() -> None:
    text = text_of(stream_view(OWN * 1.5, None))
    assert "not measured one by one" in text
    assert "%" not in text


def test_a_machine_that_was_slower_in_that_second_is_not_held_against_stream() -> None:
    text = text_of(stream_view(OWN * 1.5, (OWN * 1.5, OWN * 1.5)))
    assert "the machine was 33 % slower in that second" in text
    assert "cost" not in text


@pytest.mark.parametrize(
    ("ratio", "apart"), [(1.02, False), (0.98, False), (1.2, True), (0.8, True)]
)
def test_the_first_column_is_compared_with_stream_only_where_stream_agrees(
    ratio: float, apart: bool
) -> None:
    known = judge_measure(collect(checked_records())).document
    triad = next(each for each in known.kernels if (each.kernel, each.store) == ("triad", "plain"))
    seconds = BYTES / (triad.median_gbps or 0.0) / 1e9
    view = stream_view(seconds * ratio, (seconds, seconds))
    result = judge_measure(collect([*checked_records(), view]))
    points = points_of(result)
    assert differs(result.document) is apart
    assert ("As STREAM" in points) is apart
    assert ("column with STREAM" in points.get("Two figures", "")) is not apart


def test_the_details_have_the_four_figures() -> None:
    result = measured(stream_view(OWN * 1.5, (OWN, OWN * 1.5)))
    pairs = dict(as_stream_pairs(result.document))
    assert "copy 3.36, scale 3.36, add 3.36, triad 3.36 GB/s" in pairs["STREAM, run now"]
    assert "5.03 GB/s with huge pages" in pairs["Only other pages"]
    assert any(each.title == "As STREAM" for each in page(result).lists)


def test_a_run_without_it_says_nothing() -> None:
    result = measured()
    assert result.document.as_stream is None
    assert "As STREAM" not in points_of(result)
    assert list(as_stream_pairs(result.document)) == []


def test_the_setup_of_a_figure_names_pages_that_were_chosen() -> None:
    result = measured(change(PLAN, pages="4k"))
    assert result.document.array_setup is not None
    assert "4 KiB pages" in page(result).setup[0]
    assert "64 MiB, double, 4 KiB pages;" in page(result).quote
    assert "pages" not in page(measured()).setup[0].replace("huge pages", "")


def plan_of(**options: object) -> Plan:
    usual = {name: each.default for name, each in declaration_of(measure).options.items()}
    return planned(cast(Options, {**usual, **options})).plan


def test_pages_reach_the_plan() -> None:
    assert plan_of().pages == "2m"
    assert plan_of(pages="4k").pages == "4k"
    with pytest.raises(UsageError, match="--pages"):
        plan_of(pages="3m")


@pytest.mark.parametrize(
    "options", [{"kernels": "triad"}, {"cpus": "0"}, {"memory_nodes": "0"}, {"stores": "plain"}]
)
def test_only_a_plain_run_also_measures_what_stream_would_print(options: dict[str, Any]) -> None:
    assert not plan_of(**options).stream_view
    assert plan_of().stream_view
    assert plan_of(quick=True, pages="4k").stream_view
