"""What repeated and pinned runs of STREAM on a machine with a known peak come to."""

from __future__ import annotations

import pytest
from foreign_outputs import stream_table as table
from parsed_outputs import run_of

from streamgage.analysis.user_facts import UserFacts
from streamgage.results.measure.document import Measure
from streamgage.results.measure.judge import judge_measure
from streamgage.results.measure.screen import headline
from streamgage.results.measure.table import reported_table
from streamgage.results.result import Result

EPYC = UserFacts(peak_gbps=341.0, cores=48)
"""Two EPYC 7451: 16 channels of DDR4-2666."""
SPREAD = (0.42, 0.5, 0.55, 0.6, 0.7, 0.8, 0.95, 1.0, 1.0, 1.05, 1.1, 1.2, 1.3, 1.6, 1.95)
"""Shares of the median that 50 unbound runs of it went from and to."""


def interpreted(*tables: str, given: UserFacts = EPYC) -> Result[Measure]:
    return judge_measure(run_of("".join(tables)), given)


def verdicts(found: Result[Measure]) -> list[tuple[str | None, str | None]]:
    return [(each.alpha.verdict, each.alpha.evidence) for each in found.document.kernels]


def codes(found: Result[Measure]) -> list[str]:
    return [finding.code for finding in found.words.findings]


def test_pinned_runs_by_gcc_have_a_copy_that_is_memcpy_and_read_all_else() -> None:
    found = interpreted(table(240.6, 175.6, 186.2, 186.5))
    assert verdicts(found) == [("none", "inferred"), *[("full", "likely")] * 3]
    assert found.document.readings is not None
    best = found.document.readings.best
    assert best.combination == "copy reads none and scale, add and triad read all"
    assert list(best.gbps.values()) == pytest.approx([240.6, 263.4, 248.3, 248.7], abs=0.1)
    assert "copy-memcpy" in codes(found)
    (said,) = [each.text for each in found.words.findings if each.code == "write-allocate"]
    assert said == (
        "Scale, add and triad read every line that they overwrite (likely). Copy reads none of"
        " the lines that it overwrites (inferred). 240.6 GB/s crossed the memory bus, 71 % of the"
        " peak."
    )
    assert "not-bound" not in codes(found)


def test_the_same_in_all_four_at_82_percent_of_the_peak_cannot_have_read_its_lines() -> None:
    found = interpreted(table(280.1, 279.5, 281.0, 280.6))
    assert verdicts(found) == [("none", "excluded")] * 4
    shares = [each.peak_share for each in found.document.kernels]
    assert shares == pytest.approx([0.82] * 4, abs=0.01)
    (said,) = [each.text for each in found.words.findings if each.code == "write-allocate"]
    assert said == (
        "Copy, scale, add and triad read none of the lines that they overwrite (excluded). 279.5 to"
        " 281.0 GB/s crossed the memory bus, 82 % of the peak."
    )


def test_runs_that_differ_by_a_factor_are_threads_not_bound() -> None:
    found = interpreted(*(table(76.8 * s, 82.6 * s, 51.7 * s, 52.8 * s) for s in SPREAD))
    assert verdicts(found) == [("cannot-tell", None)] * 4
    assert all(each.alpha.why for each in found.document.kernels)
    assert "write-allocate" not in codes(found)
    (bound,) = [each for each in found.words.findings if each.code == "not-bound"]
    assert "Either these threads were not bound" in bound.text
    assert "or other programs took CPUs from them; the output does not show which" in bound.text
    assert "None of these figures is the machine's bandwidth" in bound.text
    assert bound.reason == (
        "the runs differ by 78 %: threads were not bound, or other programs ran"
    )


@pytest.mark.parametrize(("worst", "said"), [(1.05, True), (1.81, False)])
def test_copy_is_unlike_scale_only_beyond_what_their_repetitions_spread_by(
    worst: float, said: bool
) -> None:
    found = interpreted(table(20.0, 17.2, 17.5, 17.5, worst=worst), given=UserFacts())
    assert ("copy-memcpy" in codes(found)) == said
    if not said:
        (passed,) = [each.text for each in found.passed if each.code == "copy-memcpy"]
        assert passed == (
            "Copy ran at 116 % of the rate of Scale, which shows nothing: Scale itself spreads by"
            " 81 %"
        )


def test_copy_is_unlike_scale_only_beyond_what_the_runs_spread_by() -> None:
    unlike = [table(23.0 * s, 20.0 * s, 20.0, 20.0) for s in (1.0, 1.4, 0.8, 1.2, 1.0, 0.9)]
    assert "copy-memcpy" not in codes(interpreted(*unlike, given=UserFacts()))
    steady = [table(24.0 * s, 20.0 * s, 20.0, 20.0) for s in (1.0, 1.01, 0.99, 1.0, 1.02, 1.0)]
    assert "copy-memcpy" in codes(interpreted(*steady, given=UserFacts()))
    one_odd = [*steady, *steady, table(14.0, 12.0, 20.0, 20.0)]
    assert "copy-memcpy" in codes(interpreted(*one_odd, given=UserFacts()))


def test_runs_that_agree_were_bound() -> None:
    steady = (1.0, 1.01, 0.99, 1.005, 0.995, 1.0)
    found = interpreted(*(table(240.6 * s, 175.6 * s, 186.2 * s, 186.5 * s) for s in steady))
    assert "not-bound" not in codes(found)
    assert "not-bound" in [each.code for each in found.passed]
    assert [each.alpha.verdict for each in found.document.kernels] == ["none", *["full"] * 3]


def test_a_check_that_failed_is_an_error() -> None:
    found = interpreted(table(240.6, 175.6, 186.2, 186.5, passed=False))
    assert [each.code for each in found.words.findings if each.severity == "error"] == ["invalid"]


def test_the_kernels_of_a_table_share_one_reason() -> None:
    found = interpreted(table(240.6, 175.6, 186.2, 186.5))
    (reason,) = {each.alpha.why for each in found.document.kernels}
    assert reason is not None and reason.endswith(
        "most probable (97 %) is that copy reads none and scale, add and triad read all of it"
    )


@pytest.mark.parametrize(
    "rates",
    [
        # KNL from its DDR4 (numactl -p0), bitbucket.org/aokomoriuta/workspace/snippets/n4qG5
        (15.5306, 47.9546, 53.8537, 54.3018),
        (124.293, 277.309, 287.938, 297.953),  # the same from its MCDRAM (numactl -p1)
    ],
)
def test_more_than_stores_can_explain_is_not_laid_on_them(rates: tuple[float, ...]) -> None:
    copy, scale, add, triad = rates
    found = interpreted(table(copy, scale, add, triad), given=UserFacts())
    for each in found.document.kernels:
        assert each.alpha.verdict == "cannot-tell"
        assert "a call of the library explain at most 40 %" in (each.alpha.why or "")
    (unlike,) = [each for each in found.words.findings if each.code == "copy-memcpy"]
    assert "so something else slowed Copy down" in unlike.text


@pytest.mark.parametrize(
    ("option", "verdict"), [(None, "cannot-tell"), (48, "none")], ids=["alone", "--threads 48"]
)
def test_a_build_without_openmp_is_one_thread(option: int | None, verdict: str) -> None:
    lines = table(12.0, 8.0, 9.5, 9.5).replace("Function", "Your clock granularity\nFunction")
    serial = "\n".join(each for each in lines.splitlines() if "Threads" not in each)
    serial = serial.replace("Your clock", "Each kernel will be executed 10 times.\nYour clock")
    found = interpreted(serial, given=UserFacts(threads=option))
    assert found.run.reported is not None and found.run.reported.threads == 1
    assert found.document.kernels[0].alpha.verdict == verdict
    said = " ".join(each.text for each in found.words.findings)
    assert "probably memcpy" in said or option is None


def test_tables_alone_do_not_tell_of_threads() -> None:
    lines = table(240.6, 175.6, 186.2, 186.5).splitlines()
    found = interpreted("\n".join(lines[lines.index(lines[5]) :]))
    assert found.run.reported is not None and found.run.reported.threads is None


def test_arrays_that_fit_into_the_caches_are_a_finding() -> None:
    small = UserFacts(last_level_cache_bytes=1 << 30)
    found = interpreted(table(240.6, 175.6, 186.2, 186.5), given=small)
    (below,) = [each for each in found.words.findings if each.code == "below-4x-rule"]
    assert "1.9x the last-level caches in use" in below.text
    large = UserFacts(last_level_cache_bytes=1 << 28)
    fitting = interpreted(table(240.6, 175.6, 186.2, 186.5), given=large)
    assert "below-4x-rule" in [each.code for each in fitting.passed]


def test_stores_that_are_not_known_are_not_named() -> None:
    found = interpreted(table(240.6, 175.6, 186.2, 186.5))
    assert all("unknown" not in each.text for each in (*found.passed, *found.words.findings))


def test_less_than_a_million_elements_are_too_few_whatever_the_caches() -> None:
    small = table(240.6, 175.6, 186.2, 186.5, elements=60_000)
    found = interpreted(small)
    assert verdicts(found) == [("cannot-tell", None)] * 4
    (below,) = [each for each in found.words.findings if each.code == "below-4x-rule"]
    assert "below 10^6 elements" in below.text


def test_runs_that_differ_four_fold_have_no_median() -> None:

    apart = interpreted(*(table(76.8 * s, 82.6 * s, 51.7 * s, 52.8 * s) for s in SPREAD))
    assert headline(apart.document) == "STREAM triad 22.2 to 103.0 GB/s, no median"
    shown = reported_table(apart)
    (middle,) = [column for column in shown.columns if column.title == "median GB/s"]
    assert {middle.cell(row).text for row in shown.rows} == {"none"}
