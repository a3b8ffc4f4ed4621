from __future__ import annotations

import msgspec
import pytest
from made_records import (
    END,
    MACHINE,
    MEMORY,
    MIB,
    PLAN,
    good_records,
    good_run,
    place,
    placement,
    samples_of,
    steady_times,
    validation,
)

from streamgage.analysis.run import collect
from streamgage.analysis.summary import answer
from streamgage.records import AnyRecord, Sample, Validation
from streamgage.result import KernelResult


def result(kernel: str, store: str) -> KernelResult:
    found = [
        each
        for each in answer(good_run()).result.kernels
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
    assert total.alpha.reason == "sum has no store, so nothing more crosses"
    copy = result("copy", "plain")
    assert copy.hardware_gbps is None
    assert copy.alpha.reason == "not judged by this version"


def test_only_timed_samples_count() -> None:
    records = [record for record in good_records() if not isinstance(record, Sample)]
    records += samples_of(0, [0.01] * 6)
    records += samples_of(0, [99.0] * 5, role="warmup")
    records += samples_of(0, [99.0] * 5, role="validation")
    first = answer(collect(records)).measured[0]
    assert first.times is not None
    assert (first.times.n, first.times.maximum) == (6, 0.01)


def test_few_samples_have_no_interval() -> None:
    records = [record for record in good_records() if not isinstance(record, Sample)]
    records += samples_of(0, [0.01] * 5)
    first = answer(collect(records)).result.kernels[0]
    assert first.median_gbps is not None
    assert first.low_gbps is None and first.high_gbps is None


def test_the_quote_is_one_sentence_with_all_that_makes_it_comparable() -> None:
    records = good_records()
    records += samples_of(3, steady_times(0.04, 4))
    assert answer(collect(records)).result.quote == (
        "Triad 5.03 GB/s (plain), median of 24, nominal counting, double, 2 threads bound to 2"
        " cores, 3 arrays of 64 MiB, on Example 9000; based on a variant of the STREAM benchmark."
    )


SMALL = msgspec.structs.replace(MEMORY, array_bytes=32 * MIB, asked_bytes=32 * MIB)
QUOTA = msgspec.structs.replace(MACHINE, cpu_quota=1.0)


@pytest.mark.parametrize(
    ("records", "caution"),
    [
        ([SMALL], "arrays below STREAM's 4x rule"),
        ([placement(place(0), place(0))], "threads that shared a CPU"),
        ([placement(place(0), asked=2)], "fewer threads than asked for"),
        ([SMALL, QUOTA], "arrays below STREAM's 4x rule, held back by a CPU quota"),
        (samples_of(3, [0.04], moved=1), "threads moved"),
        (samples_of(3, [0.06 + 1e-5 * k for k in range(5)]), "samples in two groups"),
    ],
)
def test_the_quote_carries_what_speaks_against_it(records: list[AnyRecord], caution: str) -> None:
    sentence = answer(collect([*good_records(), *records])).result.quote
    assert sentence is not None
    assert f"on Example 9000; caution: {caution}; based on a variant" in sentence


def test_what_concerns_other_figures_is_not_in_the_quote() -> None:
    others = [
        *samples_of(1, [0.02], moved=1),
        *samples_of(1, [0.06 + 1e-5 * k for k in range(5)]),
    ]
    sentence = answer(collect([*good_records(), *others])).result.quote
    assert sentence is not None and "caution" not in sentence


def test_small_arrays_may_be_served_by_caches() -> None:
    total = answer(collect([*good_records(), SMALL])).result.kernels[0]
    assert (total.kernel, total.hardware_gbps) == ("sum", None)
    assert total.alpha.reason is not None and "caches" in total.alpha.reason


def test_a_wrong_triad_is_not_quoted() -> None:
    quote = answer(collect([*good_records(), validation(3, valid=False)])).result.quote
    assert quote is not None
    assert quote.startswith("Copy 6.7")
    assert "(plain) and 4.47 GB/s (streaming stores)" in quote


def test_nothing_valid_nothing_quoted() -> None:
    wrong = [validation(variant, valid=False) for variant in range(4)]
    assert answer(collect([*good_records(), *wrong])).result.quote is None
    unchecked = [record for record in good_records() if not isinstance(record, Validation)]
    assert answer(collect(unchecked)).result.quote is None


def test_unbound_threads_are_quoted_as_such() -> None:
    unbound = placement(place(0, mask="0-1"), place(1, mask="0-1"), kind="none", bound=False)
    quote = answer(collect([*good_records(), unbound])).result.quote
    assert quote is not None
    assert "2 threads, not bound" in quote


def test_no_records_give_an_empty_answer() -> None:
    empty = answer(collect([]))
    assert empty.result.machine is None
    assert empty.result.kernels == [] and empty.result.quote is None
    assert [finding.code for finding in empty.result.findings] == ["unfinished"]


def test_any_part_of_a_run_gives_an_answer() -> None:
    records = good_records()
    for length in range(len(records)):
        answer(collect(records[:length]))
        answer(collect([record for k, record in enumerate(records) if k != length]))


def test_a_float_run_counts_four_bytes() -> None:
    run = good_run()
    assert run.memory is not None
    run.memory = msgspec.structs.replace(run.memory, element_bytes=4)
    assert run.sample_bytes(run.variants[3]) == 3 * 4 * 8 * MIB


def test_the_plan_and_the_end_are_kept() -> None:
    run = good_run()
    assert run.plan == PLAN and run.end == END
