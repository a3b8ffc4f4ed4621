"""Kernels of a user's own: what their records come to, and how they are shown."""

from __future__ import annotations

from typing import get_args

import msgspec
import pytest
from example_own_kernels import (
    CHECK,
    CRASH,
    FAILURE,
    GATHER,
    ITERATIONS,
    UNCHECKED,
    VARIANT,
    with_own,
)
from example_records import MEMORY, good_records
from example_sides import document_result

from streamgage.analysis.arrays import least_huge_share
from streamgage.analysis.traffic.alpha import Alpha
from streamgage.analysis.traffic.own import declared_crossing
from streamgage.analysis.traffic.rates import Crossing, Rate
from streamgage.comparison.compare.sides import compare
from streamgage.kernels import own_kernels
from streamgage.measurement import kernel_checks
from streamgage.plan import OwnKernel, Plan
from streamgage.process.one_run import OneRun
from streamgage.records import (
    AnyRecord,
    ArrayPages,
    CheckName,
    End,
    KernelCheck,
    OwnArray,
    Sampling,
)
from streamgage.records.run import Run, collect
from streamgage.results.measure.document import KernelResult, Measure
from streamgage.results.measure.judge import judge_measure
from streamgage.results.measure.page import page
from streamgage.results.measure.words import own_kernel_lines, setting_line
from streamgage.results.result import Result
from streamgage.show.csv import render as csv_of
from streamgage.show.html import text
from streamgage.show.markdown import render as markdown_of
from streamgage.show.symbols import UNICODE
from streamgage.show.table import render
from streamgage.show.terminal import Terminal

change = msgspec.structs.replace
PLAN = Plan(
    kernels=[], sampling=Sampling(min_samples=1, look_every=1, max_samples=1, budget_seconds=1)
)


def of(*records: AnyRecord) -> Result[Measure]:
    return judge_measure(collect(records))


def own_row(shown: Result[Measure]) -> KernelResult:
    return next(each for each in shown.document.kernels if each.kernel == "my-gather")


def crossed(alphas: dict[str, Alpha], records: list[AnyRecord]) -> Crossing:
    """What is concluded of the own kernel at 10 GB/s from those of the catalogue's kernels."""
    run: Run = collect(records)
    others = {
        each.id: Crossing(alphas[each.kernel], None, None, None)
        for each in run.variants.values()
        if each.kernel in alphas and each.store == "plain"
    }
    assert GATHER.own is not None
    return declared_crossing(run, VARIANT, GATHER.own, Rate(10.0, 9.9, 10.1), others)


def alpha(verdict: str, value: float) -> Alpha:
    return msgspec.convert(
        {"verdict": verdict, "value": value, "low": value - 0.1, "high": value + 0.1}, Alpha
    )


def test_a_rate_is_that_of_the_bytes_that_are_declared() -> None:
    row = own_row(of(*with_own()))
    assert row.median_gbps == pytest.approx(20 * ITERATIONS / 0.02 / 1e9, rel=0.01)
    assert row.n == 20


def test_stores_read_what_those_of_the_catalogue_read_in_the_same_run() -> None:
    found = crossed({"copy": alpha("full", 1.0), "triad": alpha("full", 1.0)}, with_own())
    assert found.hardware_gbps == pytest.approx(10.0 * 28 / 20)
    assert found.alpha.evidence == "inferred"
    assert "copy and triad in this run" in (found.alpha.why or "")
    none = crossed({"copy": alpha("none", 0.0), "triad": alpha("none", 0.0)}, with_own())
    assert none.hardware_gbps == pytest.approx(10.0)


@pytest.mark.parametrize(
    ("alphas", "reason"),
    [
        ({}, "no built-in kernel"),
        ({"copy": Alpha(verdict="cannot-tell")}, "no built-in kernel"),
        (
            {"copy": alpha("full", 1.0), "triad": alpha("none", 0.0)},
            "copy and triad in this run disagree",
        ),
    ],
)
def test_nothing_is_guessed_of_stores_where_the_catalogue_does_not_tell(
    alphas: dict[str, Alpha], reason: str
) -> None:
    found = crossed(alphas, with_own())
    assert found.hardware_gbps is None and found.alpha.verdict == "cannot-tell"
    assert reason in (found.alpha.why or "")


def test_a_kernel_that_overwrites_nothing_unread_crosses_as_it_declares() -> None:
    own = change(GATHER.own, allocated_bytes=0.0, read_bytes=20.0)
    found = declared_crossing(collect(with_own()), VARIANT, own, Rate(10.0, 9.9, 10.1), {})
    assert found.hardware_gbps == 10.0 and found.alpha.verdict is None
    assert "nothing was counted" in (found.alpha.why or "")


def test_own_kernels_change_nothing_of_the_others() -> None:
    alone = judge_measure(collect(good_records())).document.kernels
    beside = [each for each in of(*with_own()).document.kernels if each.kernel != "my-gather"]
    assert beside == alone


def test_the_answer_names_formula_source_and_what_it_stands_beside() -> None:
    (own,) = of(*with_own()).document.own_kernels
    assert (own.kernel, own.formula, own.source, own.code) == (
        *("my-gather", "a = b[index]"),
        *("my.c", "gcc -O3"),
    )
    triad = next(each for each in of(*with_own()).document.kernels if each.kernel == "triad")
    assert own.reference == "triad plain" and own.reference_nominal
    mine = own_row(of(*with_own())).median_gbps
    assert mine and triad.median_gbps
    assert own.reference_share == pytest.approx(mine / triad.median_gbps)
    assert own.gflops == pytest.approx(ITERATIONS / 0.02 / 1e9, rel=0.01)


def test_that_nobody_checks_its_results_is_said_everywhere() -> None:
    shown = of(*with_own())
    assert own_row(shown).valid is None
    assert any(each.code == "kernel-unchecked" for each in shown.words.findings)
    assert "results not checked" in dict(own_kernel_lines(shown.document))["my-gather"]
    assert "| my-gather |" in markdown_of(page(shown))
    assert "not checked" in markdown_of(page(shown))
    own = change(GATHER.own, has_check=True)
    checked = of(*with_own(change(GATHER, own=own), change(UNCHECKED, valid=True)))
    assert own_row(checked).valid is True
    assert not any(each.code == "kernel-unchecked" for each in checked.words.findings)


def test_a_wrong_result_is_laid_at_the_kernels_door() -> None:
    wrong = change(UNCHECKED, valid=False, checked=10, wrong=3)
    finding = next(e for e in of(*with_own(wrong)).words.findings if e.code == "invalid")
    assert "my-gather plain (3 of 10 iterations wrong" in finding.text
    assert "correct the kernel" in finding.text and "streamgage" not in finding.text


def test_a_kernel_that_was_left_out_is_the_first_finding() -> None:
    first = of(FAILURE, *with_own()).words.findings[0]
    assert (first.code, first.severity) == ("kernel-failed", "error")
    assert "broken.c:7: 'x' undeclared" in first.text and own_row(of(FAILURE, *with_own())).n == 20


def test_the_figure_of_a_kernel_that_failed_while_measured_is_not_valid() -> None:
    unchecked = [each for each in with_own() if each is not UNCHECKED and not isinstance(each, End)]
    shown = of(*unchecked, CRASH)
    assert own_row(shown).valid is False
    assert [each.valid for each in shown.document.kernels if each.kernel != "my-gather"] == [
        True
    ] * (len(shown.document.kernels) - 1)
    (own,) = shown.document.own_kernels
    assert (own.reference_share, own.gflops) == (None, None)
    assert "bandwidth of" not in dict(own_kernel_lines(shown.document))["my-gather"]
    row = next(line for line in csv_of(page(shown).data).split("\n") if "my-gather," in line)
    assert "false" in row
    rates = page(shown).tables[0]
    rows = [[text(each.cell(row)) for each in rates.columns] for row in rates.rows]
    last_cells = {cells[0]: cells[-1] for cells in rows}
    assert last_cells.pop("my-gather plain") == "NOT VALID"
    assert set(last_cells.values()) == {"right"}
    marked = [cells[0] for cells in rows if cells[1].startswith("✗")]
    assert marked == ["my-gather plain"]
    assert "my-gather" not in (shown.words.quote or "")
    first_finding = shown.words.findings[0].text
    assert first_finding.startswith(
        "Failed while measured, so not valid: my-gather. The kernel my-gather"
    )
    assert "Left out" not in first_finding and "stand" not in first_finding


def test_other_figures_stand_only_where_there_are_others_and_the_run_ended() -> None:
    assert (
        "The figures of the other kernels stand." in of(FAILURE, *with_own()).words.findings[0].text
    )
    cut = [each for each in with_own() if not isinstance(each, End)]
    assert "stand" not in of(FAILURE, *cut).words.findings[0].text
    alone = [
        each
        for each in with_own(CRASH)
        if getattr(each, "kernel", "my-gather") == "my-gather" and getattr(each, "variant", 9) == 9
    ]
    (finding,) = [each for each in of(*alone).words.findings if each.code == "kernel-failed"]
    assert "stand" not in finding.text


def test_a_kernel_is_not_blamed_for_another_of_its_name_that_was_left_out() -> None:
    twin = change(CRASH, source="other.c", reason="declaration")
    shown = of(twin, *with_own())
    assert own_row(shown).valid is None
    assert shown.words.findings[0].text.startswith("Left out: my-gather.")


@pytest.mark.parametrize("width", [60, 100])
def test_it_is_a_row_of_the_table_with_its_line_below(width: int) -> None:
    text = render(page(of(*with_own())), Terminal(width=width, colour=False, symbols=UNICODE))
    assert all(len(line) <= width for line in text.splitlines())
    flat = " ".join(text.split())
    assert "my-gather 8.3" in flat
    assert "a = b[index], from my.c by gcc -O3" in flat
    assert "an iteration reads 12 bytes and writes 8, and 8 more are read" in flat


def test_it_is_a_line_of_the_csv_and_a_part_of_the_page() -> None:
    shown = of(*with_own())
    assert any(line.startswith("my-gather,plain,") for line in csv_of(page(shown).data).split("\n"))
    facts = [fact for each in page(shown).lists for _, fact in each.pairs]
    assert any("a = b[index], from my.c" in fact for fact in facts)


def test_a_kernel_alone_is_quoted_by_its_own_name_and_not_as_stream() -> None:
    records = [
        each
        for each in with_own(change(UNCHECKED, valid=True))
        if getattr(each, "kernel", "my-gather") == "my-gather" and getattr(each, "variant", 9) == 9
    ]
    quote = judge_measure(collect(records)).words.quote
    assert quote is not None and quote.startswith("my-gather 8.3")
    assert "a kernel of your own, a = b[index]" in quote and "STREAM" not in quote


def test_a_check_is_told_line_by_line() -> None:
    whole = KernelCheck(
        kernel="k", source="k.c", iterations=1000, checked=[*CHECK.checked, "result"]
    )
    text = kernel_checks.render([CHECK, whole], [FAILURE], as_json=False)
    assert " my-gather (my.c) passed, over 65536 iterations:\n   its declaration\n" in text
    assert "but its results are not checked" in text.partition(" k (k.c)")[0]
    assert "but its results" not in text.partition(" k (k.c)")[2]
    assert " broken.c failed: broken.c does not compile" in text
    decoded = msgspec.json.decode(kernel_checks.render([CHECK], [FAILURE], as_json=True))
    assert [each["record"] for each in decoded] == ["kernel-check", "kernel-failure"]


@pytest.mark.parametrize("name", get_args(CheckName))
def test_every_check_has_words(name: CheckName) -> None:
    shown = kernel_checks.render([change(CHECK, checked=[name])], [], as_json=False)
    assert len(shown.splitlines()) == (2 if name == "result" else 3)


def test_a_comparison_tells_kernels_of_one_name_apart() -> None:
    facts = change(GATHER.own, source="other.c", read_bytes=16.0)
    one = document_result(of(*with_own()).document, "one.json")
    two = document_result(of(*with_own(change(GATHER, own=facts))).document, "two.json")
    found = compare([[one], [two]])
    (difference,) = [each for each in found.differences if "my-gather: " in str(each)]
    assert "my-gather: a = b[index], 12 + 8 bytes an iteration, from my.c" in str(difference)
    assert "from other.c by gcc -O3" in str(difference)
    assert any(each.name == "my-gather plain" for each in found.figures)


def test_arrays_of_own_kernels_are_told_apart_from_those_that_are_shared() -> None:
    pages = [
        ArrayPages(name=f"my-gather.{each}", huge_share=1.0, checked_pages=64, remote_pages=0)
        for each in ("a", "b", "index")
    ]
    both = change(MEMORY, arrays=[*MEMORY.arrays, *pages])
    line = setting_line(of(*with_own(both)))
    assert line is not None
    assert "3 arrays of double, 64 MiB each (4.0x the cache), and 3 of your own kernels" in line
    alone = setting_line(of(*with_own(change(MEMORY, arrays=pages))))
    assert alone is not None and "3 arrays of your own kernels, up to 64 MiB each" in alone


def test_huge_pages_are_not_missed_in_arrays_that_have_no_room_for_one() -> None:
    assert GATHER.own is not None
    small = OwnArray(name="starts", type="int64", access="read", bytes=1, elements=1000)
    own = change(GATHER.own, arrays=[*GATHER.own.arrays, small])
    pages = [
        ArrayPages(name=f"my-gather.{name}", huge_share=share, checked_pages=1, remote_pages=0)
        for name, share in (("a", 0.9), ("starts", 0.0))
    ]
    run = collect(with_own(change(GATHER, own=own), change(MEMORY, arrays=pages)))
    assert least_huge_share(run) == 0.9


def test_a_slow_kernel_that_is_permitted_is_not_taken_for_an_engine_that_hangs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[float] = []

    def run(*_: object, most_silent_seconds: float, **__: object) -> OneRun:
        asked.append(most_silent_seconds)
        return OneRun(collect([CHECK]), 0, None, None)

    monkeypatch.setattr(own_kernels, "run_once", run)
    kernel = OwnKernel(path="my.so", code="gcc", source="my.c")
    arrays, timeout = 16, 60.0
    assert own_kernels.check_kernel(kernel, PLAN, timeout, print, wait=True) == CHECK
    assert asked[0] > 30 + (40 + 2 * arrays) * timeout
