"""Options as Python has them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

import streamgage
from streamgage.analysis.shapes import shape_of
from streamgage.api.rows import Rows, rows_of
from streamgage.commands.history import filter_of
from streamgage.errors import UsageError
from streamgage.measurement.kernel_files import compiled_kernel
from streamgage.measurement.notes import Notes
from streamgage.options.values import (
    as_path,
    bytes_of,
    given_peak,
    names_of,
    ratio_of,
    several,
    whole_number,
    words_of,
)
from streamgage.results.placement import placements_of
from streamgage.results.scale.counts import counts_of
from streamgage.show.bar import bar
from streamgage.show.page import Data, Datum


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
    ("values", "names"),
    [
        ("a,b", ["a", "b"]),
        (["a", "b", "a"], ["a", "b"]),
        (("a",), ["a"]),
        (iter(["a"]), ["a"]),
        (None, None),
    ],
)
def test_names_are_a_list_or_a_text_with_commas(values: object, names: list[str] | None) -> None:
    assert names_of("--kernels", values) == names  # type: ignore[arg-type]


@pytest.mark.parametrize("values", ["", [], [""]])
def test_no_name_at_all_is_a_choice_only_where_it_may_be(values: str | list[str]) -> None:
    assert names_of("--kernels", values, or_none=True) == []
    with pytest.raises(UsageError, match="--kernels '' has an empty name"):
        names_of("--kernels", values)


def test_sizes_are_bytes_or_text() -> None:
    assert bytes_of("--to", 4096) == bytes_of("--to", "4KiB") == 4096
    with pytest.raises(UsageError, match="--to -1 is negative"):
        bytes_of("--to", -1)
    with pytest.raises(UsageError, match="--to 0 is less than one byte"):
        bytes_of("--to", 0)


def test_a_shape_may_be_a_mapping() -> None:
    shape = {"streams": 4, "read_prefetch": "1KiB", "block": 4096}
    assert shape_of(shape) == shape_of("streams=4,read-prefetch=1KiB,block=4KiB")
    with pytest.raises(UsageError, match="--shape 'streams=0': '0' is not a number of streams"):
        shape_of({"streams": 0})
    with pytest.raises(UsageError, match="--shape '' has a part '' that sets nothing"):
        shape_of({})


@pytest.mark.parametrize(
    ("counts", "numbers"),
    [
        (3, [1, 2, 3]),
        ("3", [1, 2, 3]),
        ([8], [8]),
        ([4, 1, 2], [1, 2, 4]),
        ("1-4:2", [1, 3]),
        (range(1, 4), [1, 2, 3]),
    ],
)
def test_a_list_of_one_number_of_threads_stands_for_that_alone(
    counts: str | int | list[int], numbers: list[int]
) -> None:
    assert counts_of(counts) == numbers


@pytest.mark.parametrize("counts", ["0", 0, [0], "", [], -1, [2, -1], True])
def test_what_is_no_number_of_threads_is_refused(counts: str | int | list[int]) -> None:
    with pytest.raises(UsageError, match="write numbers and ranges such as 1-8"):
        counts_of(counts)


def test_a_placement_of_a_list_may_have_commas_in_it() -> None:
    assert placements_of(["compact", "0,1"]) == ["compact", "0,1"]
    assert placements_of(["0,1"]) == ["0,1"]
    assert placements_of("compact,scatter") == ["compact", "scatter"]


@pytest.mark.parametrize("value", [0, 1.0, "x", "nan", True, float("nan")])
def test_a_margin_is_a_share(value: float | str) -> None:
    with pytest.raises(UsageError, match="--margin"):
        ratio_of("--margin", value, 0.5, "0.03")


def test_names_of_kernels_are_each_once() -> None:
    assert names_of("--kernel", ["copy", "triad", "copy"]) == ["copy", "triad"]


def test_moments_may_be_dates_and_spans() -> None:
    wanted = filter_of(
        {"since": date(2026, 11, 22), "until": datetime(2026, 11, 23, 12, tzinfo=UTC)}
    )
    assert (wanted.since, wanted.until) == ("2026-11-22T00:00:00Z", "2026-11-23T12:00:00Z")
    ago = filter_of({"since": timedelta(days=7)}).since
    assert ago is not None and ago < datetime.now(UTC).isoformat()


@pytest.mark.parametrize("moment", [timedelta(days=10**6), 5, 5.5, object()])
def test_what_is_no_moment_is_one_sentence(moment: object) -> None:
    with pytest.raises(UsageError, match=r"--since '.*' is not a time: write a date"):
        filter_of({"since": moment})  # type: ignore[typeddict-item]


def test_words_of_a_command_may_be_numbers_and_paths() -> None:
    assert words_of(["sleep", 1, 0.5, Path("a b")]) == ["sleep", "1", "0.5", "a b"]
    assert words_of(Path("a b")) == ["a b"]
    assert words_of("sleep '1 s'") == ["sleep", "1 s"]
    for command in (["sleep", None], ["sleep", b"1"], True):
        with pytest.raises(UsageError, match="cannot be a word of a command"):
            words_of(command)  # type: ignore[arg-type]


def test_paths_are_texts_or_paths() -> None:
    assert (
        several("--cc", Path("a")) == several("--cc", "a") == several("--cc", iter(["a"])) == ["a"]
    )
    for values in (5, [5], [None]):
        with pytest.raises(UsageError, match=r"--cc .* is neither a text nor a path"):
            several("--cc", values)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="--records 5 is neither a text nor a path"):
        as_path("--records", 5)  # type: ignore[arg-type]


def test_one_kernel_alone_is_built_by_several_compilers(tmp_path: Path) -> None:
    file = tmp_path / "triad.c"
    file.touch()
    found = compiled_kernel([file], None)
    assert found is not None and found.file.path == file
    with pytest.raises(UsageError, match=r"--kernel-file names 2 files, but .*: name one"):
        compiled_kernel([file, file], None)


@pytest.mark.parametrize(
    "call",
    [
        lambda: streamgage.load(1, store=None),  # type: ignore[arg-type]
        lambda: streamgage.history(store=None),  # type: ignore[arg-type]
        lambda: streamgage.compare(1, 2, store=None),  # type: ignore[arg-type]
    ],
)
def test_no_store_is_none_to_read_from(call: Callable[[], object]) -> None:
    with pytest.raises(UsageError, match="Only a measurement can do without a store"):
        call()


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: streamgage.scale(2.0), "counts 2.0 is given as float: give str or int"),  # type: ignore[arg-type]
        (lambda: streamgage.measure(shape=5), "--shape 5 is given as int: give str or"),  # type: ignore[arg-type]
        (lambda: streamgage.measure(kernel_file=5), "--kernel-file 5"),  # type: ignore[arg-type]
        (lambda: streamgage.measure(store=5), "--store 5"),  # type: ignore[arg-type]
        (lambda: streamgage.measure(peak=[1]), r"--peak \[1\]"),  # type: ignore[arg-type]
        (lambda: streamgage.history(most=5.5), "--most 5.5"),  # type: ignore[arg-type]
    ],
)
def test_values_of_another_type_are_refused_in_a_sentence(
    call: Callable[[], object], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STREAMGAGE_STORE", str(tmp_path / "store"))
    with pytest.raises(UsageError, match=said):
        call()


@pytest.mark.parametrize("value", [None, [1], 10**400])
def test_what_is_no_number_is_no_share(value: object) -> None:
    with pytest.raises(UsageError, match="--margin"):
        ratio_of("--margin", value, 0.5, "0.03")  # type: ignore[arg-type]


def test_without_stderr_nothing_is_drawn_or_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    with bar() as shown:
        shown.show("warming up")
        shown.note("another measurement runs")
    Notes(progress=True)("another measurement runs")
    assert capsys.readouterr().out == ""


def test_rows_have_the_values_of_the_data_and_not_their_six_digits() -> None:
    columns = [Datum[int]("n", lambda n: n), Datum("third", lambda n: None if n == 1 else n / 3)]
    rows = rows_of(Data(columns, [1, 2]), "figures")
    assert list(rows) == [{"n": 1, "third": None}, {"n": 2, "third": 2 / 3}]
    assert rows.column("third") == [None, 2 / 3]
    assert rows[1:][0]["n"] == 2
    assert len(rows_of(Data(columns, []), "nothing")) == 0


def test_a_column_that_is_not_there_is_named_with_those_that_are() -> None:
    with pytest.raises(UsageError, match="no column 'c': use a, b"):
        Rows(["a", "b"], [], "nothing").column("c")
