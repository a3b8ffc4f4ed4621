"""Options as Python has them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from streamgage.api.compare import kernel_names, ratio
from streamgage.api.history import filter_of
from streamgage.api.rows import Rows, rows_of_csv
from streamgage.api.scale import _bindings
from streamgage.api.values import as_counts, as_list, as_shape, bytes_of, given_peak, whole_number
from streamgage.errors import UsageError


@pytest.mark.parametrize("value", [8, "8", " 8 "])
def test_a_number_is_read_as_it_is_or_from_text(value: int | str) -> None:
    assert whole_number("--threads", value, 1, 16) == 8


@pytest.mark.parametrize("value", [0, -1, 17, True, "x", "", "1.5", 1.5])
def test_what_is_no_such_number_is_refused_in_the_words_of_the_command(value: object) -> None:
    with pytest.raises(UsageError, match=r"--threads .* is not a whole number from 1 to 16"):
        whole_number("--threads", value, 1, 16)  # type: ignore[arg-type]


@pytest.mark.parametrize(("value", "peak"), [(204.8, 204.8), ("204.8 GB/s", 204.8), (1, 1.0)])
def test_a_peak_is_gb_per_second(value: float | str, peak: float) -> None:
    assert given_peak(value) == peak


@pytest.mark.parametrize("value", [0, -1.0, float("nan"), float("inf"), True, "much"])
def test_no_peak_is_refused(value: float | str) -> None:
    with pytest.raises(UsageError, match="--peak"):
        given_peak(value)


@pytest.mark.parametrize(
    ("values", "text"),
    [("a,b", "a,b"), (["a", "b"], "a,b"), (("a",), "a"), ([0, 2], "0,2"), (3, "3"), (None, None)],
)
def test_lists_are_written_as_the_command_line_has_them(values: object, text: str) -> None:
    assert as_list(values) == text  # type: ignore[arg-type]


def test_sizes_are_bytes_or_text() -> None:
    assert bytes_of("--to", 4096) == bytes_of("--to", "4KiB") == 4096
    with pytest.raises(UsageError, match="--to -1 is negative"):
        bytes_of("--to", -1)


def test_a_shape_may_be_a_mapping() -> None:
    shape = {"streams": 4, "read_prefetch": "1KiB"}
    assert as_shape(shape) == "streams=4,read-prefetch=1KiB"


@pytest.mark.parametrize(
    ("counts", "text"),
    [(8, "8"), ([8], "8-8"), ([1, 2, 4], "1,2,4"), ("1-4:2", "1-4:2"), (range(1, 4), "1,2,3")],
)
def test_a_list_of_one_number_of_threads_stands_for_that_alone(counts: object, text: str) -> None:
    assert as_counts(counts) == text  # type: ignore[arg-type]


def test_a_placement_of_a_list_may_have_commas_in_it() -> None:
    assert _bindings(["compact", "0,1"]) == ("compact", "0,1")
    assert _bindings("compact,scatter") == ("compact", "scatter")


@pytest.mark.parametrize("value", [0, 1.0, "x", "nan", True, float("nan")])
def test_a_margin_is_a_share(value: float | str) -> None:
    with pytest.raises(UsageError, match="--margin"):
        ratio("--margin", value, 0.5, "0.03")


def test_names_of_kernels_are_each_once() -> None:
    assert kernel_names(["copy", "triad", "copy"]) == ["copy", "triad"]
    with pytest.raises(UsageError, match="--kernel '' has an empty name"):
        kernel_names([])


def test_moments_may_be_dates_and_spans() -> None:
    wanted = filter_of(since=date(2026, 11, 22), until=datetime(2026, 11, 23, 12, tzinfo=UTC))
    assert (wanted.since, wanted.until) == ("2026-11-22T00:00:00Z", "2026-11-23T12:00:00Z")
    ago = filter_of(since=timedelta(days=7)).since
    assert ago is not None and ago < datetime.now(UTC).isoformat()


def test_columns_are_of_one_type_each() -> None:
    rows = rows_of_csv("kernel,n,gbps,valid,cpus\ncopy,2,1,true,0\ntriad,,2.5,,0-1\n", "figures")
    assert list(rows) == [
        {"kernel": "copy", "n": 2, "gbps": 1.0, "valid": True, "cpus": "0"},
        {"kernel": "triad", "n": None, "gbps": 2.5, "valid": None, "cpus": "0-1"},
    ]
    assert rows.column("gbps") == [1.0, 2.5]
    assert rows[1:][0]["kernel"] == "triad"
    assert len(rows_of_csv("a,b\n", "nothing")) == 0


def test_a_column_that_is_not_there_is_named_with_those_that_are() -> None:
    with pytest.raises(UsageError, match="no column 'c': use a, b"):
        Rows(["a", "b"], [], "nothing").column("c")
