"""Pictures of any kind of result: what is in them however narrow they are, and their files."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from example_ladder import ladder_of
from example_ladder import machine_of as ladder_machine
from example_latency import latencies_of
from example_numa import machine_of as numa_machine
from example_numa import matrix_of
from example_results import repeated
from example_scale import machine_of, scaling_of
from example_study import ITERATIONS, study_of
from msgspec.structs import replace

from streamgage.analysis.statistics.estimate import Estimate
from streamgage.errors import StreamgageError, UsageError
from streamgage.results.document import Document
from streamgage.results.kinds import result_of
from streamgage.results.ladder.document import Ladder
from streamgage.results.render import draw_result
from streamgage.results.scale.document import Scale
from streamgage.show.footer import ARROWS, footer
from streamgage.show.html import about
from streamgage.show.page import RATE, Axis, Dots, Page, Strip, Table
from streamgage.show.picture import draw, figure_of
from streamgage.show.picture_file import SUFFIXES, Width, width_of
from streamgage.show.reach import reach_of
from streamgage.show.ticks import fewer_ticks
from streamgage.show.traces import drawings

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.transforms import Bbox

COLUMN = 85 / 25.4
"""Inches that a column of a journal has."""
BEGINNINGS = {".svg": b"<?xml", ".png": b"\x89PNG", ".pdf": b"%PDF-", ".eps": b"%!PS-Adobe"}
MANY = ("compact", "scatter", "none")
DOCUMENTS: dict[str, Callable[[], Document]] = {
    "scale": lambda: scaling_of(machine_of(2, 16), MANY, tuple(range(1, 33))),
    "ladder": lambda: ladder_of(ladder_machine()),
    "latency": latencies_of,
    "numa": lambda: matrix_of(numa_machine(8)),
    "repeat": repeated,
    "study": lambda: study_of(lambda n: 10.0 / n, iterations=ITERATIONS),
}


def estimate(value: float, low: float, high: float) -> Estimate:
    return Estimate(value=value, low=low, high=high)


def scale_with(low: float, high: float, *, of_second: float | None = None) -> Scale:
    """Every interval is that wide, in parts of its figure; the upper end of the second: another."""

    def wide(found: Estimate, n: int) -> Estimate:
        top = of_second if n == 2 and of_second is not None else high
        return estimate(found.value, low * found.value, top * found.value)

    scale = scaling_of(machine_of(), ("compact",), (1, 2, 3, 4))
    curves = [
        replace(
            curve,
            points=[
                replace(
                    point,
                    gbps=wide(point.gbps, point.n),
                    speedup=point.speedup and wide(point.speedup, point.n),
                )
                for point in curve.points
            ],
        )
        for curve in scale.curves
    ]
    return replace(scale, curves=curves)


def ladder_with(low: float, high: float) -> Ladder:
    ladder = ladder_of(ladder_machine())
    curves = [
        replace(
            curve,
            points=[
                replace(
                    each,
                    gbps=estimate(each.gbps.value, low * each.gbps.value, high * each.gbps.value),
                )
                for each in curve.points
            ],
        )
        for curve in ladder.curves
    ]
    return replace(ladder, curves=curves)


def test_an_axis_reaches_to_every_bound() -> None:
    reach = reach_of([estimate(10, 2, 25), estimate(8, 7, 9), None])
    assert (reach.low, reach.high) == (0, 25)
    assert reach.end > 25
    log = reach_of([estimate(10, 2, 25), estimate(8, 7, 9)], log=True)
    assert (log.low, log.high) == (2, 25)


@pytest.mark.parametrize("log", [False, True])
def test_an_absurd_bound_is_cut_and_named(log: bool) -> None:
    absurd = estimate(10, -5, 2571)
    reach = reach_of([absurd, estimate(9, 8, 11)], log=log)
    assert reach.high == 11
    span = reach.span(absurd)
    assert (span.below, span.above) == (-5, 2571)
    assert (span.low, span.high) == (reach.low, reach.high)
    assert reach.cuts([absurd])
    assert not reach.cuts([estimate(9, 8, 11), None])


@pytest.mark.parametrize("document", [scale_with(0.2, 2.5), ladder_with(0.4, 2.5)])
def test_no_bar_of_a_picture_is_cut_at_its_axis(document: Document) -> None:
    figure = figure_of(result_of(document).page)
    bars = 0
    for axes in figure.axes:
        low, high = axes.get_ylim()
        for container in axes.containers:
            for each in container.lines[2]:  # type: ignore[attr-defined]
                for segment in each.get_segments():
                    bars += 1
                    assert all(low <= y <= high for _, y in segment)
    assert bars > 8
    assert ARROWS not in below(figure)


def test_a_bar_that_leaves_the_axis_has_an_arrow_and_the_footer_says_so() -> None:
    figure = figure_of(result_of(scale_with(0.8, 1.2, of_second=90.0)).page)
    axes = figure.axes[0]
    assert axes.get_ylim()[1] < 250
    assert "5405" in [text.get_text() for text in axes.texts]  # 90 times 60 GB/s
    assert "An arrow marks a bar that ends beyond the axis" in below(figure)


def below(figure: Figure) -> str:
    return " ".join(figure._supxlabel.get_text().split())  # type: ignore[attr-defined]


@pytest.mark.parametrize("width", [None, COLUMN])
@pytest.mark.parametrize("name", DOCUMENTS)
def test_letters_can_be_read_labels_do_not_touch_and_nothing_leaves_the_picture(
    name: str, width: float | None
) -> None:
    from matplotlib.text import Text

    figure = figure_of(result_of(DOCUMENTS[name]()).page, width)
    assert all(each.get_fontsize() >= 6.5 for each in figure.findobj(Text))
    figure.draw_without_rendering()
    for axes in figure.axes:
        if not axes.axison:
            continue
        assert not touching(extents(axes.xaxis, axes.get_xlim()), "x0", "x1")
        assert not touching(extents(axes.yaxis, axes.get_ylim()), "y0", "y1")
    found = figure.get_tightbbox()
    wide, high = figure.get_size_inches()
    assert width is None or wide == pytest.approx(width)
    assert found.x0 > -0.05 and found.x1 < wide + 0.05
    assert found.y0 > -0.05 and found.y1 < high + 0.05


def extents(axis: object, limits: tuple[float, float]) -> list[Bbox]:
    low, high = sorted(limits)
    return [
        label.get_window_extent()
        for place, label in zip(
            axis.get_majorticklocs(),  # type: ignore[attr-defined]
            axis.get_ticklabels(),  # type: ignore[attr-defined]
            strict=True,
        )
        if low <= place <= high
    ]


def touching(boxes: list[Bbox], start: str, end: str) -> bool:
    ordered = sorted(boxes, key=lambda each: float(getattr(each, start)))
    return any(getattr(one, end) >= getattr(other, start) for one, other in pairwise(ordered))


def test_cells_that_are_too_narrow_for_figures_have_shades_alone() -> None:
    document = matrix_of(numa_machine(12))
    wide, narrow = (figure_of(result_of(document).page, width) for width in (None, COLUMN))
    assert all(text.get_visible() for text in wide.axes[0].texts)
    assert not any(text.get_visible() for text in narrow.axes[0].texts)


def test_long_names_are_turned_where_they_would_touch() -> None:
    names = ["one thread a core", "all hardware threads", "as the launcher does"]
    strips = [Strip(name, [1.0, 2.0, 3.0], 2.0, []) for name in names]
    dots = Dots("dots", "dots", Axis("GB/s", RATE), names, {"triad": strips}, Table([], []))
    page = Page("dots", None, plots=[dots])
    assert {each.get_rotation() for each in figure_of(page, COLUMN).axes[0].get_xticklabels()} == {
        35.0
    }
    assert {each.get_rotation() for each in figure_of(page, 20.0).axes[0].get_xticklabels()} == {0}


@pytest.mark.parametrize(
    ("values", "begins", "said"),
    [([9.0, 10.0, 11.0], 8.76, True), ([0.5, 8.0], 0.0, False), ([5.0, 5.0], 4.4, True)],
)
def test_only_an_axis_that_does_not_begin_at_0_is_said_not_to(
    values: list[float], begins: float, said: bool
) -> None:
    strips = [Strip("none", values, values[0], ["" for _ in values])]
    dots = Dots("dots", "Dots.", Axis("GB/s", RATE), ["none"], {"triad": strips}, Table([], []))
    figure = figure_of(Page("dots", None, plots=[dots]))
    assert figure.axes[0].get_ylim()[0] == pytest.approx(begins)
    assert ("The axis does not begin at 0." in below(figure)) == said
    assert drawings(dots)[0].layout["yaxis"]["range"][0] == pytest.approx(begins)
    assert about(dots) == ("Dots. The axis does not begin at 0." if said else "Dots.")


def test_fewer_numbers_stay_at_round_ones() -> None:
    every = list(range(1, 17))
    assert [each[:4] for each in fewer_ticks(every, "counts")][:3] == [
        [1, 2, 3, 4],
        [1, 2, 4, 6],
        [1, 4, 8, 12],
    ]
    assert list(fewer_ticks([5, 10, 20, 50, 100], "log"))[1] == [10, 100]
    assert list(fewer_ticks([4, 16, 64, 256], "bytes"))[1] == [4, 64]


def test_the_footer_says_what_others_took_of_the_cpus() -> None:
    page = result_of(scaling_of(machine_of())).page
    host, date = page.machine.host, page.machine.time[:10]  # type: ignore[union-attr]
    assert footer(page)[1] == (
        f"{host}, {date}; other programs and the hypervisor took 0 % of the CPUs; quotable"
    )
    unknown = result_of(repeated()).page
    assert "load from other programs: not recorded" in below(figure_of(unknown))


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_picture_is_the_same_file_whenever_it_is_drawn(suffix: str) -> None:
    file, width = Path(f"x{suffix}"), Width(85, "mm")
    one, other = (draw_result(result_of(repeated()), file, width) for _ in range(2))
    assert one == other
    assert one.startswith(BEGINNINGS[suffix])
    for stamp in (b"CreationDate", b"<dc:date>", b"tIME"):
        assert stamp not in one


def test_letters_of_a_pdf_are_those_of_the_paper_around_it_and_can_be_searched() -> None:
    content = draw_result(result_of(repeated()), Path("x.pdf"))
    assert b"STIXGeneral" in content
    assert b"/CIDFontType2" in content  # TrueType, which publishers take
    assert b"/Type3" not in content
    assert b"DejaVu" not in content


def test_a_file_for_print_is_as_wide_as_it_was_asked_for() -> None:
    content = draw_result(result_of(repeated()), Path("x.eps"), Width(85, "mm"))
    assert b"%%HiResBoundingBox: 0.000000 0.000000 240.94" in content  # 85 mm in points


@pytest.mark.parametrize(
    ("text", "inches"),
    [
        ("85mm", COLUMN),
        ("8.5 cm", COLUMN),
        ("3.5in", 3.5),
        ("252pt", 252 / 72.27),
        ("384px", 4.0),
    ],
)
def test_a_width_is_read_with_its_unit(text: str, inches: float) -> None:
    width = width_of(text, Path("x.svg"))
    assert width is not None
    assert width.inches(Path("x.svg")) == pytest.approx(inches)


def test_pixels_of_a_png_are_its_own() -> None:
    from struct import unpack

    width = width_of("900px", Path("x.png"))
    drawn = draw_result(result_of(repeated()), Path("x.png"), width)
    assert unpack(">I", drawn[16:20]) == (900,)


@pytest.mark.parametrize(
    ("text", "file", "words"),
    [
        ("85", "x.pdf", "'85' is no width: write a number with mm, cm, in, pt or px"),
        ("wide", "x.pdf", "'wide' is no width"),
        ("5mm", "x.pdf", "--width 5mm is not from 60mm to 1000mm"),
        ("2m", "x.pdf", "'2m' is no width"),
        ("85mm", "x.json", "--width applies to pictures: name a file with -o"),
        ("85mm", None, "--width applies to pictures: name a file with -o"),
    ],
)
def test_a_width_that_no_picture_can_have_is_refused(
    text: str, file: str | None, words: str
) -> None:
    with pytest.raises(UsageError, match=words):
        width_of(text, None if file is None else Path(file))


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_picture_does_not_depend_on_who_draws_it(
    suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import matplotlib as mpl

    page = result_of(scaling_of(machine_of())).page
    path = Path(f"a{suffix}")
    expected = draw(page, path)
    monkeypatch.setenv("MPLBACKEND", "no-such-backend")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "yesterday")
    with mpl.rc_context({"text.usetex": True, "font.size": 30, "savefig.dpi": 10}):
        assert draw(page, path) == expected
        assert mpl.rcParams["text.usetex"]


def test_a_failure_of_matplotlib_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    from matplotlib.figure import Figure

    page = result_of(scaling_of(machine_of())).page
    monkeypatch.setattr(Figure, "savefig", lambda *_, **__: int("x"))
    with pytest.raises(StreamgageError, match=r"a.svg could not be drawn, .* write another format"):
        draw(page, Path("a.svg"))
