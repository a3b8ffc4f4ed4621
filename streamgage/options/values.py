"""Reads the values of options, in the form of Python and in that of the command line.

Sentences use an option's name on the command line: ``--threads`` for the parameter ``threads``.
"""

from __future__ import annotations

import math
import os
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from numbers import Integral
from pathlib import Path
from typing import Annotated, TypeVar

from streamgage.cpu_list import node_numbers
from streamgage.errors import UsageError
from streamgage.options.declaration import Form
from streamgage.options.files import Opens
from streamgage.plan import LARGEST_CACHE
from streamgage.units import (
    duration_within,
    format_bytes,
    parse_bytes,
    parse_duration,
    parse_size,
    shortened,
    size_within,
)

Choice = TypeVar("Choice", bound=StrEnum)
Known = TypeVar("Known", bound=str)
Names = Annotated[str | Iterable[str], Form("A,B")]
"""``"compact,scatter"`` or ``["compact", "scatter"]``."""
Kernels = Annotated[str | Iterable[str], Form("A,B", completes="kernels", may_be_empty=True)]
"""``"copy,triad"`` or ``["copy", "triad"]``."""
Stores = Annotated[str | Iterable[str], Form("A,B", completes="stores")]
"""Kinds of store: ``"plain,streaming"`` or a list of them."""
Number = Annotated[int | str, Form("N")]
Counts = Annotated[str | int | Iterable[int], Form("N")]
"""``8``, ``[1, 2, 4]`` or ``"1,2,4-16:4"``."""
Size = Annotated[int | str, Form("SIZE")]
"""Bytes, or text such as ``"1GiB"``."""
Seconds = Annotated[float | str, Form("SECONDS")]
Duration = Annotated[float | str, Form("TIME")]
"""Seconds, or text such as ``"5m"``."""
Rate = Annotated[float | str, Form("GB/S")]
Cpus = Annotated[str | Iterable[str] | Iterable[int], Form("EXPR")]
"""``"compact,S0:0-3"`` or ``["compact", "S0:0-3"]``; one placement: ``"0-3,8"`` or ``[0, 1]``."""
Nodes = Annotated[str | int | Iterable[int], Form("LIST")]
"""Numbers of NUMA nodes."""
Shape = Annotated[str | Mapping[str, int | str], Form("KEY=N,..")]
"""``"streams=4,block=4KiB"`` or ``{"streams": 4, "block": "4KiB"}``."""
PathLike = Annotated[str | os.PathLike[str], Form("FILE", file=True), Opens.READS]
"""A file that the command reads."""
NewFile = Annotated[PathLike, Opens.WRITES]
"""A file that the command writes."""
Output = Annotated[NewFile | None, Form("FILE", file=True, flags=("-o", "--output"))]
Files = Annotated[PathLike | Iterable[PathLike], Form("FILE", many=True)]
"""A file, or several."""
Commands = Annotated[str | Iterable[str], Form("'CMD FLAGS'", many=True), Opens.WORDS]
"""A compiler with its flags, or one per language."""
Command = Annotated[
    str | os.PathLike[str] | Sequence[str | os.PathLike[str] | int | float],
    Form("[-- CMD ARG..]", many=True),
    Opens.WORDS,
]
"""A program with its arguments: one string as on a command line, or a list."""
NAME = Form("NAME")
DEVICE = Form("NAME", completes="devices")
KERNEL = Form("NAME", completes="kernels")
_PLAIN_NUMBER = re.compile(r"(?:[0-9]{1,9}\.?[0-9]{0,15}|\.[0-9]{1,15})", re.ASCII)


class ElementName(StrEnum):
    """Element types of ``--type``."""

    DOUBLE = "double"
    FLOAT = "float"


MOST_THREADS = 1 << 20
"""The largest number of threads that the engine accepts."""
LARGEST_SEED = (1 << 53) - 1
"""The largest seed: every JSON reader keeps whole numbers up to it exact."""
MOST_PEAK_GBPS = 1e6
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?", re.ASCII | re.I)


def choose(choices: type[Choice], option: str, text: str) -> Choice:
    """Return the choice that ``text`` names. Raises ``UsageError`` if there is no such choice."""
    try:
        return choices(text)
    except ValueError:
        raise UsageError(f"{option} {text!r} is not known: use {', '.join(choices)}.") from None


def whole_number(option: str, value: Number | None, least: int, most: int) -> int | None:
    """Return ``value`` as a whole number, or ``None``. Raises ``UsageError`` for anything else."""
    if value is None:
        return None
    number = _digits(value) if isinstance(value, str) else _integer(value)
    if number is not None and least <= number <= most:
        return number
    raise UsageError(f"{option} {value!r} is not a whole number from {least} to {most}: give one.")


def _digits(text: str) -> int | None:
    digits = text.strip()
    plain = digits.isascii() and digits.isdigit() and len(digits) <= 20
    return int(digits) if plain else None


def _integer(value: object) -> int | None:
    """Return ``value`` as an ``int``; NumPy's integers are not a Python ``int``."""
    return int(value) if isinstance(value, Integral) and not isinstance(value, bool) else None


def given_peak(value: float | str | None) -> float | None:
    """Return the GB/s of ``--peak``, or ``None``. Raises ``UsageError`` for anything else."""
    return _given_gbps("--peak", value)


def given_rate(value: float | str | None) -> float | None:
    """Return the GB/s of ``--rate``, or ``None``. Raises ``UsageError`` for anything else."""
    return _given_gbps("--rate", value)


def _given_gbps(option: str, value: float | str | None) -> float | None:
    if value is None:
        return None
    number = _number(value, "GB/s")
    if 0 < number <= MOST_PEAK_GBPS:
        return number
    raise UsageError(
        f"{option} {_shown(value)} is not a number of GB/s above 0 and up to {MOST_PEAK_GBPS:.0f}:"
        " give one such as 204.8."
    )


def seconds_within(option: str, value: float | str, least: float, most: float) -> float:
    """Return ``value`` in seconds, such as 0.5. Raises ``UsageError`` outside the bounds."""
    number = _number(value, "s")
    if least <= number <= most:
        return number
    raise UsageError(
        f"{option} {_shown(value)} is not a number of seconds from {least:g} to {most:g}: give one"
        " such as 0.5."
    )


def _number(value: float | str, unit: str) -> float:
    """Return the number, or NaN if it is not one."""
    if isinstance(value, str):
        digits = value.strip().removesuffix(unit).strip()
        return float(digits) if _NUMBER.fullmatch(digits) else math.nan
    return as_float(value)


def as_float(value: object) -> float:
    """Return ``value``, which is not text, as a number; NaN if it is not one."""
    if isinstance(value, bool | str):
        return math.nan
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return math.nan


def _shown(value: object) -> str:
    return repr(shortened(value) if isinstance(value, str) else value)


def names_of(option: str, names: Names | None, *, or_none: bool = False) -> list[str] | None:
    """Return each name once, or ``None`` for ``None``. ``or_none`` allows an empty list.

    Raises ``UsageError``, naming ``option``, for an empty name.
    """
    if names is None:
        return None
    parts = names.split(",") if isinstance(names, str) else _each_of(names)
    found = [str(each).strip() for each in parts]
    if or_none and not any(found):
        return []
    if not found or not all(found):
        shown = names if isinstance(names, str) else ",".join(found)
        raise UsageError(
            f"{option} {shown[:60]!r} has an empty name: separate names by commas, such as a,b."
        )
    return list(dict.fromkeys(found))


def some_names(option: str, names: Names, known: Sequence[Known], also: str = "") -> list[Known]:
    """Return the named values in the order of ``known``.

    ``also`` is a clause for the error's sentence.

    Raises ``UsageError``, naming ``option``, for a name that is not known.
    """
    parts = names.split(",") if isinstance(names, str) else _each_of(names)
    found = [str(each).strip() for each in parts]
    wrong = [each for each in found or [""] if each not in known]
    if wrong:
        raise UsageError(
            f"{option} {','.join(found)!r} has {wrong[0]!r}: choose from {', '.join(known)},"
            f" separated by commas{also}."
        )
    return [each for each in known if each in found]


def _each_of(values: object) -> list[object]:
    """Return the elements of a list; any other value becomes its only element, checked later."""
    return list(values) if isinstance(values, Iterable) else [values]


def cache_bytes(size: Size | None) -> int | None:
    """Return the bytes of ``--llc``, or ``None``. Raises ``UsageError`` for an impossible size."""
    return size_up_to("--llc", size, LARGEST_CACHE, "no processor's caches have")


def size_up_to(option: str, size: Size | None, most: int, whose: str) -> int | None:
    """Return the bytes of a size.

    Raises ``UsageError`` if it is not a size, or more than ``most``.
    """
    if size is None:
        return None
    text = str(size)
    found = parse_bytes(size) if isinstance(size, str) else _integer(size)
    if not found or found < 0:
        raise UsageError(
            f"{option} {text[:40]!r} is not a size above 0: give one such as 128MiB, 1GiB or"
            " 80000000 (bytes)."
        )
    if found > most:
        raise UsageError(
            f"{option} {text[:40]} is more than {format_bytes(most)}, which {whose}: give bytes, or"
            " a size such as 128MiB."
        )
    return found


def bytes_of(option: str, size: Size | None) -> int | None:
    """Return the bytes of a size, or ``None`` for ``None``. Raises ``UsageError``."""
    if size is None or isinstance(size, str):
        return None if size is None else parse_size(size, option)
    number = _integer(size)
    return (
        parse_size(str(size), option) if number is None else size_within(number, str(size), option)
    )


def duration_of(option: str, duration: Duration | None) -> float | None:
    """Return the seconds of a duration, or ``None`` for ``None``. Raises ``UsageError``."""
    if duration is None or isinstance(duration, str):
        return None if duration is None else parse_duration(duration, option)
    return duration_within(as_float(duration), str(duration), option)


def nodes_of(nodes: Nodes | None) -> list[int] | None:
    """Return the numbers of NUMA nodes, ascending, or ``None``. Raises ``UsageError``."""
    if nodes is None or isinstance(nodes, str):
        return None if nodes is None else node_numbers(nodes)
    return node_numbers(nodes if isinstance(nodes, Iterable) else [nodes])


def as_path(option: str, path: PathLike | None) -> Path | None:
    """Return a path, or ``None`` for ``None``. Raises ``UsageError`` for anything else."""
    return None if path is None else Path(text_or_path(option, path))


def several(option: str, values: PathLike | Iterable[PathLike] | None) -> list[str]:
    """Return the values of an option that may be given several times, as texts.

    Raises ``UsageError``, naming ``option``, for a value that is neither a text nor a path.
    """
    if values is None:
        return []
    alone = [values] if isinstance(values, str | os.PathLike) else _each_of(values)
    return [text_or_path(option, each) for each in alone]


def text_or_path(option: str, value: object) -> str:
    text = os.fspath(value) if isinstance(value, str | os.PathLike) else None
    if isinstance(text, str):
        return text
    raise UsageError(f"{option} {_shown(value)} is neither a text nor a path: give one of them.")


def ratio_of(option: str, value: float | str, most: float, example: str) -> float:
    """Return the number, which must be above 0. Raises ``UsageError`` for anything else."""
    text = value.strip() if isinstance(value, str) else value
    if isinstance(text, str):
        number = float(text) if _PLAIN_NUMBER.fullmatch(text) else math.nan
    else:
        number = as_float(text)
    if 0 < number <= most:
        return number
    raise UsageError(
        f"{option} {str(value)[:40]!r} is not a number above 0 and up to {most:g}: give one such as"
        f" {example}."
    )


def words_of(command: Command | None) -> list[str]:
    """Return the words of a command line; some may be numbers or paths.

    Raises ``UsageError`` for an unclosed quote, or a value that cannot be a word.
    """
    if command is None:
        return []
    if not isinstance(command, str):
        return [
            _word(each)
            for each in ([command] if isinstance(command, os.PathLike) else _each_of(command))
        ]
    try:
        return shlex.split(command)
    except ValueError as error:
        raise UsageError(f"{command!r} cannot be read ({error}): close the quotes.") from error


def _word(value: object) -> str:
    word = os.fspath(value) if isinstance(value, str | os.PathLike) else value
    if isinstance(word, str):
        return word
    if isinstance(word, int | float) and not isinstance(word, bool):
        return str(word)
    raise UsageError(
        f"{_shown(value)} cannot be a word of a command: give texts, numbers or paths."
    )
