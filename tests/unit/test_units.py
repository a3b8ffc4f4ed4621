from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from streamgage.errors import UsageError
from streamgage.units import (
    LARGEST_SIZE,
    format_bytes,
    format_change,
    format_rate,
    format_share,
    format_volume,
    parse_bytes,
    parse_size,
)


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("80000000", 80_000_000),
        ("1B", 1),
        ("1GiB", 1 << 30),
        ("512MiB", 512 << 20),
        ("1.5GiB", 3 << 29),
        ("1GB", 10**9),
        ("1kb", 1000),
        ("2K", 2048),
        ("3m", 3 << 20),
        (" 1 GiB ", 1 << 30),
        (".5KiB", 512),
        ("1.1GB", 1_100_000_000),
        ("1PiB", None),
        ("1024TiB", LARGEST_SIZE),
    ],
)
def test_sizes_are_binary_unless_they_say_gb(text: str, size: int | None) -> None:
    if size is None:
        with pytest.raises(UsageError):
            parse_size(text)
    else:
        assert parse_size(text) == size


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "0",
        "0GiB",
        "0.0",
        ".0001",
        "-1",
        "-1GiB",
        "1XB",
        "GiB",
        "1GiBs",
        "1e9",
        "nan",
        "inf",
        "1,5GiB",
        "0x10",
        "١٢",
        "1..5G",
        "1TiBB",
        "2000TiB",
        "9" * 400,
        "9" * 5000 + "G",
    ],
)
def test_what_is_no_size_is_refused_with_what_to_do(text: str) -> None:
    with pytest.raises(UsageError, match="give a size such as 1GiB") as refused:
        parse_size(text)
    assert len(str(refused.value)) < 250


@given(st.text(max_size=60))
@example("１GiB")
@example("1\nGiB")
def test_any_text_is_a_size_or_a_usage_error(text: str) -> None:
    try:
        size = parse_size(text)
    except UsageError:
        return
    assert 0 < size <= LARGEST_SIZE


@given(st.integers(1, LARGEST_SIZE))
def test_a_plain_number_is_bytes_to_the_last_digit(size: int) -> None:
    assert parse_size(str(size)) == size


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (17, "17 bytes"),
        (1536, "1.5 KiB"),
        (64 << 20, "64 MiB"),
        (1040 << 20, "1040 MiB"),
        (1 << 30, "1 GiB"),
        (3 << 29, "1536 MiB"),
        (260 << 30, "260 GiB"),
        (24883200000, "23.2 GiB"),
    ],
)
def test_bytes_read_well(size: int, text: str) -> None:
    assert format_bytes(size) == text


@pytest.mark.parametrize(
    ("rate", "text"), [(4.523, "4.52"), (9.996, "10.0"), (45.84, "45.8"), (999.96, "1000")]
)
def test_rates_have_three_digits_or_more(rate: float, text: str) -> None:
    assert format_rate(rate) == text


def test_shares_are_percent() -> None:
    assert [format_share(x) for x in (0, 0.0234, 0.5, 1)] == ["0 %", "2.3 %", "50 %", "100 %"]


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.0234, "+2.3 %"),
        (-0.0011, "-0.1 %"),
        (0.0, "+0.0 %"),
        (-0.0004, "+0.0 %"),
        (-0.0, "+0.0 %"),
        (9.265, "+926.5 %"),
    ],
)
def test_changes_have_a_sign_and_no_minus_zero(share: float, text: str) -> None:
    assert format_change(share) == text


@pytest.mark.parametrize(
    ("text", "count"),
    [("0", 0), ("512", 512), ("4KiB", 4096), ("4K", 4096), ("1kB", 1000), (".5KiB", 512)],
)
def test_bytes_may_be_none(text: str, count: int) -> None:
    assert parse_bytes(text) == count


@pytest.mark.parametrize("text", ["", "-1", "x", "1XB", "1 2", "\u0664", "1e3", "0x10"])
def test_what_is_no_number_of_bytes(text: str) -> None:
    assert parse_bytes(text) is None


@pytest.mark.parametrize(
    ("moved", "text"),
    [
        (0, "0 bytes"),
        (999, "999 bytes"),
        (1000, "1.00 kB"),
        (12_345_678, "12.3 MB"),
        (999_960_000, "1.00 GB"),
        (787.2e9, "787 GB"),
        (5.73e12, "5.73 TB"),
        (2e18, "2000 PB"),
    ],
)
def test_what_was_moved_is_in_decimal_units(moved: float, text: str) -> None:
    assert format_volume(moved) == text
