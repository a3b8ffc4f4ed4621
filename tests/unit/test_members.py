"""Scalings and series over sizes keep the judgement of each of their tables."""

from __future__ import annotations

import pytest
from foreign_outputs import stream_table

from streamgage.analysis.finding import Finding
from streamgage.analysis.user_facts import UserFacts
from streamgage.interop.formats import parse_output
from streamgage.results.interpreted import interpreted
from streamgage.results.kinds import kind_of, words_of
from streamgage.results.ladder.document import Ladder
from streamgage.results.member import Member
from streamgage.results.scale.document import Scale

NOTHING = UserFacts()
FULL = (240.0, 175.0, 186.0, 187.0)
"""Copy without reads, the others with them: 240, 263, 248 and 249 GB/s crossed the bus."""


def series_of(text: str, given: UserFacts = NOTHING) -> Scale | Ladder:
    document = interpreted(parse_output(text).tables, given)[0].result.document
    assert isinstance(document, Scale | Ladder)
    return document


def scaling(*rates: tuple[float, float, float, float]) -> str:
    """Tables with 8, 16, 32 ... threads."""
    return "".join(
        stream_table(*each, elements=80_000_000, threads=8 << n) for n, each in enumerate(rates)
    )


def over_sizes(*rates: tuple[float, float, float, float]) -> str:
    """Tables with arrays of 10 MB, 100 MB, 1 GB ... of doubles."""
    return "".join(
        stream_table(*each, elements=1_250_000 * 10**n, threads=8) for n, each in enumerate(rates)
    )


def findings(document: Scale | Ladder) -> dict[str, Finding]:
    return {each.code: each for each in words_of(document).findings}


def verdicts(member: Member) -> dict[str, str | None]:
    return {each.kernel: each.alpha.verdict for each in member.kernels}


def test_a_table_that_memory_cannot_give_is_found_in_a_scaling() -> None:
    # Add is 39 % above copy with 16 threads; memory explains an eighth.
    found = findings(series_of(scaling((99.0, 98.3, 110.0, 110.1), (275.6, 281.7, 396.7, 404.1))))
    assert found["uneven-kernels"].severity == "warning"
    assert found["uneven-kernels"].text.startswith("16 threads: Copy and Scale are 30 % below")
    assert "uneven-kernels" not in findings(series_of(scaling((99.0, 98.3, 110.0, 110.1), FULL)))


def test_a_rate_above_the_peak_is_found_at_every_number_of_threads() -> None:
    text = scaling((120.0, 88.0, 93.0, 93.5), FULL)
    above = findings(series_of(text, UserFacts(peak_gbps=100)))["above-peak"]
    assert above.severity == "error"
    assert above.text.startswith("16 threads, and 1 more: ")
    assert above.reason.endswith("(16 threads, and 1 more)")
    assert "above-peak" not in findings(series_of(text, UserFacts(peak_gbps=341)))


@pytest.mark.parametrize("text", [scaling(FULL, FULL), over_sizes(FULL, FULL, FULL)])
def test_each_member_has_the_verdicts_of_its_table_alone(text: str) -> None:
    series = series_of(text, UserFacts(peak_gbps=341))
    (alone,) = interpreted(
        parse_output(stream_table(*FULL, elements=80_000_000, threads=16)).tables,
        UserFacts(peak_gbps=341),
    )
    expected = {each.kernel: each.alpha.verdict for each in alone.result.document.kernels}
    last = series.members[-1]
    assert verdicts(last) == expected
    assert last.kernels[3].peak_share == alone.result.document.kernels[3].peak_share
    # The document has them as they are printed and stored.
    assert kind_of(series).printed(series).members[-1] == last  # type: ignore[attr-defined]


def test_what_is_wrong_with_small_arrays_is_a_note_in_a_series_over_sizes() -> None:
    uneven = (99.0, 98.3, 137.7, 137.0)
    small = findings(series_of(over_sizes(FULL, uneven, FULL)))["uneven-kernels"]
    large = findings(series_of(over_sizes(FULL, FULL, uneven)))["uneven-kernels"]
    assert (small.severity, large.severity) == ("note", "warning")
    assert small.text.startswith("Arrays of 95.4 MiB: ")
    assert large.text.startswith("Arrays of 954 MiB: ")


def test_the_page_has_a_row_for_each_member_if_its_verdict_is_known() -> None:
    series = series_of(scaling(FULL, FULL), UserFacts(peak_gbps=341))
    *_, table = kind_of(series).page(result_with(series)).tables
    assert table.title == "triad: what crossed the memory bus"
    assert [each.n for each in table.rows] == [8, 16]


def result_with(series: Scale | Ladder) -> object:
    from streamgage.results.kinds import result_of

    return result_of(series)
