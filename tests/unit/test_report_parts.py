"""What a report tells, apart from how it looks: Markdown, boxes, samples, headlines."""

from __future__ import annotations

import struct
from base64 import b64decode
from collections.abc import Callable, Iterator, Sequence

import example_topologies
import pytest
from example_records import END, MACHINE, good_records, good_run
from example_results import every_kind, measured, two_modes_records

from streamgage.analysis.sample_rates import five_numbers, samples_of_variants
from streamgage.analysis.statistics.estimate import Estimate
from streamgage.html.markdown import markdown
from streamgage.machine.topology.nest import MOST_BOXES, Nest, nest
from streamgage.records import Machine
from streamgage.records.run import collect
from streamgage.results.kinds import NAMES as KINDS
from streamgage.results.summarise import summary_of
from streamgage.show.page import RATE, Axis, Bars, Lines, Plot, Series, Table, UprightBars
from streamgage.show.traces import Drawing, Trace, drawings, floats, integers

ALL = every_kind()


def test_markdown_has_a_section_for_each_result() -> None:
    text = markdown(ALL)
    heads = [line for line in text.splitlines() if line.startswith("## ")]
    assert heads[0] == "## Overview"
    assert len(heads) == 1 + len(ALL)
    for loaded, head in zip(ALL, heads[1:], strict=True):
        assert head.endswith(f": {loaded.name}")
    assert text.count("### How it was measured") == len(ALL)


def test_markdown_of_one_result_is_that_of_its_command_and_how_it_was_measured() -> None:
    text = markdown([measured()])
    assert "## Overview" not in text
    assert "| triad plain |" in text
    assert "\n> Triad 5.03 ±0.01 GB/s" in text
    assert "- Clock: monotonic, granularity 20 ns" in text


def test_markdown_says_first_what_is_not_whole() -> None:
    text = markdown([measured([record for record in good_records() if record != END])])
    assert text.index("**Not whole: Its records stop") < text.index("| kernel, stores |")


def test_markdown_takes_a_comparison_before_the_results() -> None:
    text = markdown(ALL[:2], comparison="## What has changed\n\nNothing.\n")
    assert text.index("## Overview") < text.index("## What has changed")


def test_markdown_escapes_names() -> None:
    text = markdown([measured(name="<b>*run*|")])
    assert "<b>" not in text.replace("\\<b\\>", "")


def bars_of(drawn: Sequence[Drawing]) -> Iterator[tuple[float, float]]:
    """The two ends of every bar of an interval, lying ones too."""
    for drawing in drawn:
        for trace in drawing.traces:
            for axis, bars in (("y", trace.get("error_y")), ("x", trace.get("error_x"))):
                if bars is None:
                    continue
                for value, below, above in zip(
                    trace[axis], bars["arrayminus"], bars["array"], strict=True
                ):
                    if value is not None:
                        yield value - below, value + above


def arrows_of(drawn: Sequence[Drawing]) -> list[Trace]:
    traces = [each for drawing in drawn for each in drawing.traces]
    return [each for each in traces if each.get("legendgroup") == "arrows"]


ESTIMATES = [Estimate(value=10.0, low=9.0, high=25.0), None, Estimate(value=9.0, low=8.0, high=9.5)]
ABSURD = [*ESTIMATES, Estimate(value=9.0, low=-3.0, high=2571.0)]
NAMES = ["gcc", "clang", "icx", "nvc"]
PLOTS = (
    lambda found: Lines("a", "", Axis("n"), Axis("GB/s", RATE), [Series("s", range(4), found)]),
    lambda found: Bars("a", "", Axis("GB/s", RATE), NAMES, [("s", found)], Table([], [])),
    lambda found: UprightBars("a", "", Axis("GB/s", RATE), NAMES, [("s", found)], Table([], [])),
)


@pytest.mark.parametrize("plot_of", PLOTS)
def test_a_bar_of_a_report_ends_with_the_axis_and_an_arrow_says_where_it_goes(
    plot_of: Callable[[Sequence[Estimate | None]], Plot],
) -> None:
    usual = drawings(plot_of([*ESTIMATES, None]))
    assert arrows_of(usual) == []
    assert min(low for low, _ in bars_of(usual)) == 8.0
    assert max(high for _, high in bars_of(usual)) == 25.0
    absurd = drawings(plot_of(ABSURD))
    assert min(low for low, _ in bars_of(absurd)) == 0
    assert max(high for _, high in bars_of(absurd)) == 25.0
    (arrows,) = arrows_of(absurd)
    assert arrows["text"] == ["2571", "-3.00"]
    assert arrows["showlegend"]


def test_the_axis_of_upright_bars_reaches_to_their_bounds() -> None:
    layout = drawings(PLOTS[2]([*ESTIMATES, None]))[0].layout
    assert layout["yaxis"]["range"][1] > 25.0


def boxes(drawn: Nest) -> list[Nest]:
    return [drawn, *(box for each in drawn.inside for box in boxes(each))]


@pytest.mark.parametrize("make", example_topologies.ALL.values(), ids=example_topologies.ALL)
def test_a_drawn_machine_fits_a_page_and_tells_of_every_cpu(make: object) -> None:
    assert callable(make)
    machine: Machine = make()
    drawn = nest(machine)
    assert drawn is not None
    assert drawn.boxes == len(boxes(drawn)) <= MOST_BOXES
    cpus = sum(_cpus(each.cpus) for each in boxes(drawn) if each.kind == "core")
    folded = [each for each in boxes(drawn) if each.folded]
    assert cpus == machine.hardware_threads or (folded and cpus < machine.hardware_threads)


def _cpus(text: str) -> int:
    """How many CPUs ``0-7, 16-23`` or ``0 (48)`` names."""
    number = 0
    for word in text.replace("(", " ").replace(")", " ").replace(",", " ").split():
        first, _, last = word.partition("-")
        number += int(last or first) - int(first) + 1
    return number


def test_a_large_machine_folds_what_is_alike() -> None:
    drawn = nest(example_topologies.large())
    assert drawn is not None
    assert any(
        "more like it" in each.folded or "cores" in each.titles[0] for each in boxes(drawn)[1:]
    )


def test_barred_cpus_are_in_parentheses() -> None:
    drawn = nest(example_topologies.hybrid())
    assert drawn is not None
    assert "(8)" in [each.cpus for each in boxes(drawn)]


def test_records_without_hardware_threads_have_no_boxes() -> None:
    assert MACHINE.threads == []
    assert nest(MACHINE) is None


def test_samples_are_rates_in_the_order_measured() -> None:
    triad = samples_of_variants(good_run())[-1]
    assert triad.name == "triad plain"
    assert list(triad.blocks) == list(range(20))
    assert triad.gbps[0] == pytest.approx(3 * 8 * 8 * (1 << 20) / 0.04 / 1e9, rel=0.002)
    assert triad.allocations == []


def test_samples_tell_where_arrays_were_allocated_afresh() -> None:
    triad = samples_of_variants(collect(two_modes_records()))[-1]
    assert triad.allocations == [20, 40]


def test_quartiles_are_medians_of_halves() -> None:
    found = five_numbers([5.0, 1.0, 4.0, 2.0, 3.0])
    assert (found.minimum, found.lower, found.median) == (1.0, 2.0, 3.0)
    assert (found.upper, found.maximum, found.n) == (4.0, 5.0, 5)
    assert five_numbers([7.0]).upper == 7.0


def test_every_kind_has_a_headline() -> None:
    found = {each.kind.name: each.kind.headline(each.document) for each in ALL}
    assert set(found) == set(KINDS)
    units = {kind: each.unit for kind, each in found.items() if each is not None}
    assert set(units) == set(KINDS)
    assert units.pop("latency") == "s"
    assert set(units.values()) == {"GB/s"}


def test_lists_show_the_figure_of_the_headline() -> None:
    shown = set()
    for each in ALL:
        main, rates = each.kind.headline(each.document), summary_of(each).rates
        if main is not None and rates and main.what.startswith(rates[0].kernel):
            assert rates[0].median_gbps == main.value, each.kind.name
            shown.add(each.kind.name)
    assert shown == set(KINDS) - {"latency", "links", "traffic"}


def test_a_headline_is_of_triad_where_it_was_measured() -> None:
    found = measured().kind.headline(measured().document)
    assert found is not None
    assert found.what == "triad plain"


def test_packed_numbers_keep_seven_digits() -> None:
    packed = floats([1.2345678, 1e6])
    assert packed["dtype"] == "f4"
    assert struct.unpack("<2f", b64decode(packed["bdata"])) == pytest.approx((1.2345678, 1e6))
    whole = integers([0, 7, 1 << 30])
    assert struct.unpack("<3i", b64decode(whole["bdata"])) == (0, 7, 1 << 30)
    large = integers([0, 1 << 31])
    assert struct.unpack("<2d", b64decode(large["bdata"])) == (0, 1 << 31)
