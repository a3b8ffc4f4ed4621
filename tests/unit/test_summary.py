from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from example_records import (
    END,
    FOUR_STREAMS,
    MACHINE,
    MEMORY,
    MIB,
    PLAN,
    PREFETCH,
    VARIANTS,
    as_lines,
    good_records,
    good_run,
    place,
    placement,
    records_of,
    samples_of,
    steady_times,
    tuned_records,
    two_isas_records,
    validation,
    vector,
)

from streamgage.analysis.shapes import gain_of
from streamgage.analysis.statistics.intervals import Summary
from streamgage.records import AnyRecord, Sample, Validation, Variant
from streamgage.records.run import Run, collect
from streamgage.results.measure.document import KernelResult
from streamgage.results.measure.judge import judge_measure


def result(kernel: str, store: str) -> KernelResult:
    found = [
        each
        for each in judge_measure(good_run()).document.kernels
        if (each.kernel, each.store) == (kernel, store)
    ]
    assert len(found) == 1
    return found[0]


def test_rates_count_what_stream_counts() -> None:
    triad = result("triad", "plain")
    # 3 x 64 MiB in about 40 ms
    assert triad.median_gbps == pytest.approx(3 * 64 * MIB / 0.04 / 1e9, rel=0.002)
    assert triad.n == 20
    assert (triad.threads, triad.type, triad.tuned, triad.valid) == (2, "double", False, True)


def test_a_low_rate_comes_from_a_long_time() -> None:
    copy = result("copy", "plain")
    rates = (copy.low_gbps, copy.median_gbps, copy.high_gbps, copy.best_gbps)
    assert None not in rates
    assert list(rates) == sorted(rate for rate in rates if rate is not None)


def test_traffic_is_known_where_no_line_is_read_because_of_a_store() -> None:
    total = result("sum", "plain")
    assert total.hardware_gbps == total.median_gbps
    assert total.alpha.why == "the kernel has no store, so no store reads anything"
    copy = result("copy", "plain")
    assert copy.hardware_gbps is None
    assert copy.hardware_low_gbps == copy.low_gbps
    assert copy.hardware_high_gbps == pytest.approx(1.5 * (copy.high_gbps or 0.0))
    assert copy.alpha.verdict == "cannot-tell"
    assert copy.alpha.value is None and copy.alpha.evidence is None
    assert copy.alpha.why == (
        "it is unknown whether bandwidth still rises with every thread, and no forced read decides"
    )


def test_only_timed_samples_count() -> None:
    records = [record for record in good_records() if not isinstance(record, Sample)]
    records += samples_of(0, [0.01] * 6)
    records += samples_of(0, [99.0] * 5, role="warmup")
    records += samples_of(0, [99.0] * 5, role="validation")
    first = judge_measure(collect(records)).document.kernels[0]
    assert (first.n, first.worst_seconds) == (6, 0.01)


def test_few_samples_have_their_range() -> None:
    records = [record for record in good_records() if not isinstance(record, Sample)]
    records += samples_of(0, [0.01] * 5)
    first = judge_measure(collect(records)).document.kernels[0]
    assert first.median_gbps is not None
    assert first.bounded_by == "range"
    assert first.low_gbps == first.high_gbps == first.median_gbps


def test_the_quote_is_one_sentence_with_all_that_makes_it_comparable() -> None:
    records = good_records()
    records += samples_of(3, steady_times(0.04, 4))
    assert judge_measure(collect(records)).words.quote == (
        "Triad 5.03 ±0.01 GB/s plain (median of 24, interval of 95 %; nominal counting; 2 threads"
        " bound to 2 cores; 3 arrays of 64 MiB, double; Example 9000; streamgage 0.1.0 (GNU"
        " 12.2.0), 2026-01-31); based on a variant of the STREAM benchmark."
    )


SMALL = msgspec.structs.replace(MEMORY, array_bytes=32 * MIB, asked_bytes=32 * MIB)
QUOTA = msgspec.structs.replace(MACHINE, cpu_quota=1.0)


@pytest.mark.parametrize(
    ("records", "reason"),
    [
        ([SMALL], "arrays are 2.0x the last-level cache in use, below STREAM's 4x rule"),
        ([placement(place(0), asked=2)], "1 of 2 threads asked for ran"),
        ([QUOTA], "the CPU quota is 1 CPU for 2 threads"),
        (samples_of(3, [0.04], moved=1), "threads moved in 1.2 % of the samples"),
        (
            samples_of(3, [0.06 + 1e-5 * k for k in range(5)]),
            "samples of triad plain fall into two groups; triad plain drifts: 3.35 to 5.03 GB/s",
        ),
    ],
)
def test_the_quote_carries_what_speaks_against_it(records: list[AnyRecord], reason: str) -> None:
    sentence = judge_measure(collect([*good_records(), *records])).words.quote
    assert sentence is not None
    assert f", 2026-01-31); with care: {reason}; based on a variant" in sentence


def test_what_concerns_other_figures_is_not_in_the_quote() -> None:
    others = [
        *samples_of(1, [0.02], moved=1),
        *samples_of(1, [0.06 + 1e-5 * k for k in range(5)]),
    ]
    sentence = judge_measure(collect([*good_records(), *others])).words.quote
    assert sentence is not None and "care" not in sentence


def test_small_arrays_may_be_served_by_caches() -> None:
    total = judge_measure(collect([*good_records(), SMALL])).document.kernels[0]
    assert (total.kernel, total.hardware_gbps) == ("sum", None)
    assert total.alpha.why is not None and "caches" in total.alpha.why


def test_a_wrong_triad_is_not_quoted() -> None:
    quote = judge_measure(collect([*good_records(), validation(3, valid=False)])).words.quote
    assert quote is not None
    assert quote.startswith("NOT QUOTABLE (wrong results from triad plain): Copy 6.7")
    assert " GB/s plain, 4.47 ±0.01 GB/s with streaming stores (median" in quote


def test_nothing_valid_nothing_quoted() -> None:
    wrong = [validation(variant, valid=False) for variant in range(4)]
    assert judge_measure(collect([*good_records(), *wrong])).words.quote is None
    unchecked = [record for record in good_records() if not isinstance(record, Validation)]
    assert judge_measure(collect(unchecked)).words.quote is None


def test_unbound_threads_are_quoted_as_such() -> None:
    unbound = placement(place(0, mask="0-1"), place(1, mask="0-1"), kind="none", bound=False)
    quote = judge_measure(collect([*good_records(), unbound])).words.quote
    assert quote is not None
    assert "2 threads, not bound" in quote


def test_no_records_give_an_empty_answer() -> None:
    empty = judge_measure(collect([]))
    assert empty.document.machine is None
    assert empty.document.kernels == [] and empty.words.quote is None
    assert [finding.code for finding in empty.words.findings] == ["unfinished"]


def test_any_part_of_a_run_gives_an_answer() -> None:
    records = good_records()
    for length in range(len(records)):
        judge_measure(collect(records[:length]))
        judge_measure(collect([record for k, record in enumerate(records) if k != length]))


def test_a_float_run_counts_four_bytes() -> None:
    run = good_run()
    assert run.memory is not None
    run.memory = msgspec.structs.replace(run.memory, element_bytes=4)
    assert run.sample_bytes(run.variants[3]) == 3 * 4 * 8 * MIB


def test_the_plan_and_the_end_are_kept() -> None:
    run = good_run()
    assert run.plan == PLAN and run.end == END


def variant_of(run: Run, kernel: str, store: str, isa: str, *, tuned: bool) -> Variant:
    (found,) = [
        each
        for each in run.variants.values()
        if (each.kernel, each.store, each.isa, each.tuned) == (kernel, store, isa, tuned)
    ]
    return found


def test_times_are_those_of_one_pass() -> None:
    records = [record for record in good_records() if not isinstance(record, Sample)]
    records += samples_of(3, [0.04 * 5] * 6, passes=5)
    records += samples_of(3, [0.04 * 7] * 6, passes=7)
    run = collect(records)
    assert run.times(3) == pytest.approx([0.04] * 12)
    assert list(run.times_of_blocks(3).values()) == pytest.approx([0.04] * 6)
    triad = judge_measure(run).document.kernels[3]
    assert triad.median_gbps == pytest.approx(3 * 64 * MIB / 0.04 / 1e9)
    assert triad.best_gbps == pytest.approx(triad.median_gbps)


def test_records_from_before_there_were_passes_are_of_one() -> None:
    line = as_lines(samples_of(0, [0.01])).replace(b'"passes":1,', b"")
    assert b"passes" not in line
    (sample,) = [msgspec.json.decode(each, type=AnyRecord) for each in line.splitlines()]
    assert isinstance(sample, Sample) and sample.passes == 1


def test_the_standard_of_a_tuned_variant_is_like_it_in_all_but_the_shape() -> None:
    run = collect(two_isas_records())
    tuned = variant_of(run, "copy", "streaming", "AVX2", tuned=True)
    assert run.standard_of(tuned) == variant_of(run, "copy", "streaming", "AVX2", tuned=False)
    assert run.standard_of(msgspec.structs.replace(tuned, isa="AVX-512")) is None
    assert run.standard_of(msgspec.structs.replace(tuned, store="regular", isa="SSE4")) is None


@pytest.mark.parametrize(
    ("made", "names"),
    [
        (good_records, ["sum plain", "copy plain", "copy streaming", "triad plain"]),
        (
            tuned_records,
            [
                *("sum plain", "sum regular", "sum regular tuned"),
                *("copy plain", "copy regular", "copy streaming", "copy streaming tuned"),
                *("triad plain", "triad regular", "triad streaming", "triad streaming tuned"),
            ],
        ),
        (
            two_isas_records,
            [
                f"{kernel} {how}"
                for kernel in ("copy", "triad")
                for how in (
                    *("plain SSE2", "plain AVX2", "regular SSE2", "regular AVX2"),
                    *("streaming SSE2", "streaming AVX2", "streaming AVX2 tuned"),
                )
            ],
        ),
    ],
)
def test_variants_are_named_by_what_tells_them_apart(
    made: Callable[[], list[AnyRecord]], names: list[str]
) -> None:
    run = collect(made())
    assert [run.name(variant) for variant in run.variants.values()] == names


def test_the_c_library_chooses_for_itself_and_needs_no_instruction_set() -> None:
    libc = msgspec.structs.replace(vector("copy", "libc"), isa="chosen by the library", shape=None)
    run = collect(
        records_of([vector("copy", "regular"), vector("copy", "regular", isa="SSE2"), libc])
    )
    assert [run.name(each) for each in run.variants.values()] == [
        *("copy regular AVX2", "copy regular SSE2", "copy libc"),
    ]


PAIR = [vector("copy", "streaming"), vector("copy", "streaming", PREFETCH)]


def gain(*samples: AnyRecord) -> Summary | None:
    run = collect([*(r for r in records_of(PAIR) if not isinstance(r, Sample)), *samples])
    return gain_of(run, run.variants[1])


def test_a_gain_is_paired_by_block() -> None:
    # The machine is three times slower in every second block: that is no part of the gain.
    times = [0.01 * (3 if block % 2 else 1) for block in range(20)]
    found = gain(*samples_of(0, times), *samples_of(1, [seconds / 1.25 for seconds in times]))
    assert found is not None and found.interval is not None
    assert (found.n, found.median) == (20, pytest.approx(1.25))
    assert (found.interval.low, found.interval.high) == (pytest.approx(1.25), pytest.approx(1.25))


def test_only_blocks_that_have_both_are_paired() -> None:
    late = [
        msgspec.structs.replace(each, block=each.block + 4)
        for each in samples_of(1, [0.005] * 20)
        if isinstance(each, Sample)
    ]
    found = gain(*samples_of(0, [0.01] * 20), *late)
    assert found is not None
    assert found.n == 16
    assert gain(*samples_of(0, [0.01] * 4), *late) is None
    assert gain(*samples_of(0, [0.01] * 4)) is None


def test_a_gain_counts_passes() -> None:
    found = gain(*samples_of(0, [0.03] * 8, passes=3), *samples_of(1, [0.025] * 8, passes=5))
    assert found is not None
    assert found.median == pytest.approx(2.0)


def test_a_standard_variant_has_no_gain() -> None:
    run = collect(tuned_records())
    gained = {run.name(each) for each in run.variants.values() if gain_of(run, each)}
    assert gained == {"sum regular tuned", "copy streaming tuned", "triad streaming tuned"}


def test_the_result_has_the_gain_as_a_share() -> None:
    for each in judge_measure(collect(tuned_records())).document.kernels:
        shares = (each.gain, each.gain_low, each.gain_high)
        assert shares == ((pytest.approx(0.08),) * 3 if each.tuned else (None,) * 3)
        assert (each.shape is None) == (each.store == "plain")


def test_few_pairs_have_a_gain_without_an_interval() -> None:
    records = [record for record in records_of(PAIR) if not isinstance(record, Sample)]
    records += [*samples_of(0, [0.011] * 3), *samples_of(1, [0.01] * 3)]
    tuned = judge_measure(collect(records)).document.kernels[1]
    assert tuned.gain == pytest.approx(0.1)
    assert (tuned.gain_low, tuned.gain_high) == (None, None)


def quoted(*variants: Variant, isas: list[str] | None = None) -> str:
    """What is quoted before the number of samples."""
    plan = msgspec.structs.replace(PLAN, isas=isas)
    sentence = judge_measure(collect([*records_of(variants), plan])).words.quote
    assert sentence is not None
    return sentence.partition(" (median of")[0]


PLAIN = msgspec.structs.replace(VARIANTS[3], isa="AVX2")
STREAMING = vector("triad", "streaming")
TUNED = vector("triad", "streaming", FOUR_STREAMS)
TUNED_WORDS = "7.24 ±0.01 GB/s with streaming stores, 4 streams 4 KiB apart"


@pytest.mark.parametrize(
    ("variants", "words"),
    [
        ([PLAIN, STREAMING], "Triad 6.71 ±0.01 GB/s plain, 6.71 ±0.01 GB/s with streaming stores"),
        (
            [PLAIN, STREAMING, TUNED],
            "Triad 6.71 ±0.01 GB/s plain, 6.71 ±0.01 GB/s with streaming stores; tuned "
            + TUNED_WORDS,
        ),
        ([PLAIN, TUNED], "Triad 6.71 ±0.01 GB/s plain; tuned " + TUNED_WORDS),
        ([TUNED], "Triad tuned " + TUNED_WORDS),
        ([vector("triad", "regular")], "Triad 6.71 ±0.01 GB/s with regular stores"),
        ([vector("triad", "claim")], "Triad 6.71 ±0.01 GB/s with claimed lines"),
        ([vector("copy", "streaming", PREFETCH), PLAIN], "Triad 6.71 ±0.01 GB/s plain"),
    ],
)
def test_standard_and_tuned_figures_are_quoted_apart(variants: list[Variant], words: str) -> None:
    assert quoted(*variants) == words


def test_of_several_tuned_figures_the_highest_is_quoted() -> None:
    other = vector("triad", "regular", PREFETCH)
    records = [*records_of([PLAIN, other, TUNED]), *samples_of(1, [0.001] * 50)]
    sentence = judge_measure(collect(records)).words.quote
    assert sentence is not None
    assert " plain; tuned 7.24 to 201.3 GB/s with regular stores, read prefetch 1 KiB" in sentence
    assert "4 streams" not in sentence and sentence.count("tuned") == 1


def test_a_tuned_figure_below_a_standard_one_is_not_quoted() -> None:
    claimed = vector("triad", "claim", PREFETCH)
    slow = samples_of(1, [0.5] * 50)
    sentence = judge_measure(collect([*records_of([PLAIN, claimed]), *slow])).words.quote
    assert sentence is not None and sentence.startswith(
        "Triad 6.71 ±0.01 GB/s plain (median of 20, interval of 95 %;"
    )


def test_an_invalid_tuned_figure_is_not_quoted() -> None:
    records = [*records_of([PLAIN, STREAMING, TUNED]), validation(2, valid=False)]
    sentence = judge_measure(collect(records)).words.quote
    assert sentence is not None and "; tuned" not in sentence


def test_instruction_sets_are_quoted_where_they_were_chosen() -> None:
    plain = [msgspec.structs.replace(PLAIN, isa=isa) for isa in ("SSE2", "AVX2")]
    assert quoted(*plain, isas=["SSE2", "AVX2"]) == "Triad 6.71 ±0.01 GB/s plain, SSE2"
    assert quoted(PLAIN, STREAMING, TUNED, isas=["AVX2"]) == (
        "Triad 6.71 ±0.01 GB/s plain, AVX2, 6.71 ±0.01 GB/s with streaming stores, AVX2; tuned"
        " 7.24 ±0.01 GB/s with streaming stores, AVX2, 4 streams 4 KiB apart"
    )
    assert quoted(PLAIN) == "Triad 6.71 ±0.01 GB/s plain"
