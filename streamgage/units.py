"""Reads and writes sizes, rates and times for people; the program itself uses bytes and seconds."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from streamgage.errors import UsageError

KIB = 1 << 10
MIB = 1 << 20
GIB = 1 << 30
LARGEST_SIZE = 1 << 50
"""The largest size: 1 PiB. No array is that large; a greater figure is a typing error."""

SAME_SIZE = 0.01
"""Array sizes within this share of each other are one size: programs round them."""
LEAST_GBPS = 0.9995
"""A rate below this many GB/s is shown in MB/s."""
TWO_DECIMALS_BELOW = 9.995
ONE_DECIMAL_BELOW = 999.95
"""Rates in GB/s below these have three or four digits; higher ones have no decimals."""
NO_DECIMALS_FROM = 9.95
"""Percentages from here on have no decimals."""
ONE_DECIMAL_FROM = 0.995
"""Ratios from here on have one decimal, and smaller ones two digits."""

_POWERS = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4}
_SIZE = re.compile(
    r"(?P<digits>[0-9]+(?:\.[0-9]*)?|\.[0-9]+)\s*(?P<power>[KMGT]?)(?P<unit>I?B)?", re.I
)
_HOW = "give a size such as 1GiB, 512MiB, 1GB (10^9 bytes) or 80000000 (bytes)"
_MOST_CHARACTERS = 40
LONGEST_DURATION = 7 * 86_400.0
"""The longest duration in seconds: a week."""
_DURATION = re.compile(r"(?P<digits>[0-9]+(?:\.[0-9]*)?|\.[0-9]+)\s*(?P<unit>s|m|min|h)?", re.I)
_SECONDS = {"": 1.0, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}


def parse_size(text: str, option: str = "--size") -> int:
    """Read a size such as ``1GiB``, ``1.5G``, ``1GB`` or ``80000000``, and return its bytes.

    ``KiB MiB GiB TiB`` and the bare letters are powers of 1024; ``kB MB GB TB`` are powers of 1000.
    A fraction of a byte is dropped. Raises ``UsageError`` for anything else, and for a size that is
    0, negative or above ``LARGEST_SIZE``; it names ``option``.
    """
    size = text.strip()
    if not size:
        raise UsageError(f"{option} is empty: {_HOW}.")
    shown = shortened(size)
    if size.startswith("-"):
        raise UsageError(f"{option} {shown} is negative: {_HOW}.")
    match = _SIZE.fullmatch(size)
    if match is None or not size.isascii():
        raise UsageError(f"{option} {shown!r} is not a size: {_HOW}.")
    value = _bytes(match["digits"], match["power"].upper(), (match["unit"] or "").upper())
    return size_within(value, shown, option)


def size_within(value: int, shown: str, option: str) -> int:
    """Return the bytes ``value``, which the user wrote as ``shown``.

    Raises ``UsageError``, naming ``option``, for 0 and below, and above ``LARGEST_SIZE``.
    """
    if value < 0:
        raise UsageError(f"{option} {shown} is negative: {_HOW}.")
    if value == 0:
        raise UsageError(f"{option} {shown} is less than one byte: {_HOW}.")
    if value > LARGEST_SIZE:
        raise UsageError(f"{option} {shown} is more than 1 PiB, which no array can have: {_HOW}.")
    return value


def shortened(text: str, most: int = 40) -> str:
    """Return the text; if it is longer than ``most``, its beginning and ``...``."""
    if len(text) <= most:
        return text
    start = text[:most]
    end = start.rfind(" ")
    return f"{start[:end] if end > 0.7 * most else start}..."


def parse_bytes(text: str) -> int | None:
    """Return the bytes of a size as ``parse_size`` does, also for 0; ``None`` for other text."""
    match = _SIZE.fullmatch(text.strip())
    if match is None or not text.isascii():
        return None
    return _bytes(match["digits"], match["power"].upper(), (match["unit"] or "").upper())


def _bytes(digits: str, power: str, unit: str) -> int:
    """Compute bytes with integers, so that no digit is lost above 2^53."""
    whole, _, fraction = digits[:_MOST_CHARACTERS].partition(".")
    base = 1000 if power and unit == "B" else 1024
    scaled = int((whole or "0") + fraction) * base ** _POWERS[power]
    return int(scaled // 10 ** len(fraction))


def parse_duration(text: str, option: str) -> float:
    """Read a duration such as ``30s``, ``5m``, ``1.5h`` or ``90``, and return its seconds.

    Raises ``UsageError`` for anything else, for 0, and for more than a week; it names ``option``.
    """
    duration = text.strip()
    match = _DURATION.fullmatch(duration[:_MOST_CHARACTERS])
    if match is not None and duration.isascii() and len(duration) <= _MOST_CHARACTERS:
        seconds = float(match["digits"]) * _SECONDS[(match["unit"] or "").lower()]
        return duration_within(seconds, duration, option)
    return duration_within(math.nan, duration, option)


def duration_within(seconds: float, shown: str, option: str) -> float:
    """Return ``seconds``, which the user wrote as ``shown``.

    Raises ``UsageError``, naming ``option``, for 0, for more than a week, and for NaN.
    """
    if 0 < seconds <= LONGEST_DURATION:
        return seconds
    raise UsageError(
        f"{option} {shown[:_MOST_CHARACTERS]!r} is not a time above 0 and up to a week: give one"
        " such as 30s, 5m or 1h."
    )


def format_duration(seconds: float) -> str:
    """Write a duration as ``43 s``, ``5 min`` or ``1.5 h``, rounded."""
    for unit, size in (("h", 3600.0), ("min", 60.0)):
        if seconds >= size:
            value = f"{seconds / size:.1f}".removesuffix(".0")
            return f"{value} {unit}"
    return f"{seconds:.0f} s" if seconds >= 1 else f"{seconds:.1g} s"


def format_bytes(count: int | float) -> str:
    """Write a size as ``1040 MiB`` or ``1.5 GiB``: at most four digits, binary units."""
    for unit, size in (("GiB", GIB), ("MiB", MIB), ("KiB", KIB)):
        value = count / size
        if value >= 10 or (value >= 1 and float(value).is_integer()):
            if unit == "GiB" and not value.is_integer() and count / MIB < 10000:
                continue
            return (
                f"{value:.0f} {unit}"
                if value >= 100 or value.is_integer()
                else f"{value:.1f} {unit}"
            )
    return f"{count / KIB:.1f} KiB" if count >= KIB else f"{count:.0f} bytes"


def format_byte_range(least: int | float, most: int | float) -> str:
    """Write ``256 to 8192 MiB``, or one size if both are the same after rounding."""
    if most <= least * (1 + SAME_SIZE):
        return format_bytes(least)
    low, high = format_bytes(least), format_bytes(most)
    unit = high.rpartition(" ")[2]
    return f"{low.removesuffix(f' {unit}')} to {high}"


def format_gbps(gbps: float) -> str:
    """Write a rate as ``45.8 GB/s``: three significant digits, MB/s below 1 GB/s."""
    shown = format_rate(gbps)
    return shown if shown.endswith("MB/s") else f"{shown} GB/s"


def format_range(low: float, high: float) -> str:
    """Write ``115 to 123 GB/s`` or ``61.3 to 92.3 MB/s``; one figure if both look the same."""
    if high < LEAST_GBPS:
        texts, unit = [_three_digits(1e3 * low), _three_digits(1e3 * high)], "MB/s"
    else:
        texts, unit = [format_rate(low), format_rate(high)], "GB/s"
    return f"{' to '.join(dict.fromkeys(texts))} {unit}"


def _three_digits(value: float) -> str:
    """Write three digits without an exponent, such as ``61.3``, ``412`` or ``0.00923``."""
    if not 0 < value < math.inf:
        return f"{value:.0f}"
    digits = max(0, 2 - math.floor(math.log10(float(f"{value:.2e}"))))
    return f"{value:.{digits}f}"


def format_figure(value: float) -> str:
    """Write a figure without its unit, such as ``0.0923``, ``4.52``, ``45.8`` or ``1204``."""
    return _three_digits(value) if 0 < value < LEAST_GBPS else format_rate(value)


def format_rate(gbps: float) -> str:
    """Write GB/s without the unit, such as ``45.8``; below 1 as ``92.3 MB/s``."""
    if 0 < gbps < LEAST_GBPS:
        return f"{_three_digits(1e3 * gbps)} MB/s"
    if gbps < TWO_DECIMALS_BELOW:
        return f"{gbps:.2f}"
    return f"{gbps:.1f}" if gbps < ONE_DECIMAL_BELOW else f"{gbps:.0f}"


def format_nanoseconds(seconds: float) -> str:
    """Write a latency in ns without the unit, such as ``89.4`` or ``139``."""
    nanoseconds = seconds * 1e9
    return f"{nanoseconds:.1f}" if nanoseconds < 99.95 else f"{nanoseconds:.0f}"


def format_milliseconds(seconds: float) -> str:
    """Write milliseconds without the unit, with four digits: ``0.1234``, ``12.34`` or ``1234``."""
    milliseconds = seconds * 1e3
    if not 1e-6 <= milliseconds < math.inf:
        return f"{milliseconds:.0f}"
    return f"{milliseconds:.{min(max(3 - math.floor(math.log10(milliseconds)), 0), 6)}f}"


def format_half_width(half: float, rate: float) -> str:
    """Write half of an interval with the decimals of ``rate``, rounded up, so never as 0."""
    if 0 < rate < LEAST_GBPS:
        decimals = len(_three_digits(1e3 * rate).partition(".")[2])
        return f"{math.ceil(1e3 * half * 10**decimals - 1e-9) / 10**decimals:.{decimals}f} MB/s"
    decimals = len(format_rate(rate).partition(".")[2])
    return f"{math.ceil(half * 10**decimals - 1e-9) / 10**decimals:.{decimals}f}"


def format_half_rate(half: float, rate: float) -> str:
    """Write the half width with two decimals, for rates that are known better than shown."""
    if half >= 1 or 0 < rate < LEAST_GBPS:
        return format_rate(half)
    return f"{half:.2f}"


def format_share(share: float) -> str:
    """Write a share, such as 0.0234, as ``2.3 %``."""
    percent = 100 * share
    whole = percent >= NO_DECIMALS_FROM or percent == round(percent)
    return f"{percent:.0f} %" if whole else f"{percent:.1f} %"


def format_parts(share: float, one: str, other: str) -> str:
    """Write 0.75 as ``75 % reads, 25 % writes``, in whole percent that add up to 100."""
    percent = round(100 * share)
    return f"{percent} % {one}, {100 - percent} % {other}"


def format_change(share: float) -> str:
    """Write a change, such as 0.0234, as ``+2.3 %``."""
    return f"{round(100 * share, 1) + 0.0:+.1f} %"  # + 0.0: there is no -0.0


def format_ratio(ratio: float) -> str:
    """Write a ratio as ``4.0x`` or ``0.03x``, with two digits below 1."""
    return f"{ratio:.1f}x" if ratio >= ONE_DECIMAL_FROM else f"{ratio:.2g}x"


def capitalised(text: str) -> str:
    """Return the text with a capital letter first, the rest as it is."""
    return text[:1].upper() + text[1:]


def listed(words: Sequence[str]) -> str:
    """Join words as in ``scale, add and triad``."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def some_of(names: Sequence[str], most: int, what: str) -> str:
    """Join names as ``a; b``; if there are more than ``most``, as ``a; b and 3 runs more``."""
    if len(names) <= most:
        return "; ".join(names)
    return f"{'; '.join(names[:most])} and {count(len(names) - most, what)} more"


def count(number: float, singular: str, plural: str | None = None) -> str:
    """Write a number with its noun: ``1 thread``, ``2 threads`` or ``1.5 CPUs``."""
    shown = number if isinstance(number, int) else f"{number:g}"
    return f"{shown} {singular if number == 1 else plural or singular + 's'}"


def format_volume(moved: float) -> str:
    """Write bytes as ``4.52 GB`` or ``980 MB``: decimal units as in GB/s, three digits."""
    for unit, size in (("PB", 1e15), ("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if moved >= 0.9995 * size:
            value = moved / size
            digits = 2 if value < 9.995 else 1 if value < 99.95 else 0
            return f"{value:.{digits}f} {unit}"
    return f"{moved:.0f} bytes"


def as_sentence(text: str) -> str:
    """Return the text with a capital letter, unless it begins with the name of a file."""
    return f"T{text[1:]}" if text.startswith("the ") else text
