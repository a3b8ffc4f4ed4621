"""Options as Python has them, and as people write them: both are accepted.

Sentences call an option by its name on the command line: ``--threads`` is ``threads`` here.
"""

from __future__ import annotations

import math
import os
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeVar

from streamgage.api.declaration import Form
from streamgage.errors import UsageError
from streamgage.plan import LARGEST_CACHE
from streamgage.units import format_bytes, parse_bytes, parse_duration, parse_size, shortened

Choice = TypeVar("Choice", bound=StrEnum)
Names = Annotated[str | Iterable[str], Form("A,B")]
"""``"compact,scatter"`` or ``["compact", "scatter"]``."""
Kernels = Annotated[str | Iterable[str], Form("A,B", completes="kernels")]
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
Cpus = Annotated[str | Iterable[int], Form("EXPR")]
"""An expression such as ``"S0:0-3"``, or the numbers of CPUs."""
Nodes = Annotated[str | int | Iterable[int], Form("LIST")]
"""Numbers of NUMA nodes."""
Shape = Annotated[str | Mapping[str, int | str], Form("KEY=N,..")]
"""``"streams=4,block=4KiB"`` or ``{"streams": 4, "block": "4KiB"}``."""
PathLike = Annotated[str | os.PathLike[str], Form("FILE", file=True)]
Output = Annotated[PathLike | None, Form("FILE", file=True, flags=("-o", "--output"))]
Files = Annotated[PathLike | Iterable[PathLike], Form("FILE", many=True)]
"""A file, or several."""
Commands = Annotated[str | Iterable[str], Form("'CMD FLAGS'", many=True)]
"""A compiler with its flags, or one per language."""
Command = Annotated[
    str | os.PathLike[str] | Sequence[str | os.PathLike[str] | int | float],
    Form("[-- CMD ARG..]", many=True),
]
"""A program with its arguments: one string as on a command line, or a list."""
NAME = Form("NAME")
KERNEL = Form("NAME", completes="kernels")


class ElementName(StrEnum):
    """Element types of ``--type``."""

    DOUBLE = "double"
    FLOAT = "float"


MOST_THREADS = 1 << 20
"""As many as the engine takes."""
LARGEST_SEED = (1 << 53) - 1
"""Every reader of JSON keeps such a number whole."""
MOST_PEAK_GBPS = 1e6
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?", re.ASCII | re.I)


def choose(choices: type[Choice], option: str, text: str) -> Choice:
    """The choice that ``text`` names. Raises ``UsageError`` where there is none such."""
    try:
        return choices(text)
    except ValueError:
        raise UsageError(f"{option} {text!r} is not known: use {', '.join(choices)}.") from None


def whole_number(option: str, value: Number | None, least: int, most: int) -> int | None:
    """The number in ``value``, or ``None``. Raises ``UsageError`` for anything else."""
    if value is None:
        return None
    digits = "" if isinstance(value, bool) else str(value).strip()
    if digits.isascii() and digits.isdigit() and len(digits) <= 20 and least <= int(digits) <= most:
        return int(digits)
    raise UsageError(f"{option} {value!r} is not a whole number from {least} to {most}: give one.")


def given_peak(value: float | str | None) -> float | None:
    """GB/s of ``--peak``, or ``None``. Raises ``UsageError`` for anything else."""
    if value is None:
        return None
    number = _number(value, "GB/s")
    if 0 < number <= MOST_PEAK_GBPS:
        return number
    raise UsageError(
        f"--peak {_shown(value)} is not a number of GB/s above 0 and up to {MOST_PEAK_GBPS:.0f}:"
        " give one such as 204.8."
    )


def seconds_within(option: str, value: float | str, least: float, most: float) -> float:
    """Seconds of ``value``, such as 0.5. Raises ``UsageError`` where they are not in the bounds."""
    number = _number(value, "s")
    if least <= number <= most:
        return number
    raise UsageError(
        f"{option} {_shown(value)} is not a number of seconds from {least:g} to {most:g}: give one"
        " such as 0.5."
    )


def _number(value: float | str, unit: str) -> float:
    """Not a number where it is none."""
    if isinstance(value, str):
        digits = value.strip().removesuffix(unit).strip()
        return float(digits) if _NUMBER.fullmatch(digits) else math.nan
    return as_float(value)


def as_float(value: object) -> float:
    """The number that ``value`` is, which is no text; not a number where it is none."""
    if isinstance(value, bool | str):
        return math.nan
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return math.nan


def _shown(value: object) -> str:
    return repr(shortened(value) if isinstance(value, str) else value)


def as_list(values: str | int | Iterable[object] | None) -> str | None:
    """Values separated by commas, as on the command line; ``None``: not given."""
    if values is None or isinstance(values, str):
        return values
    return ",".join(str(each) for each in _each_of(values))


def _each_of(values: object) -> list[object]:
    """Each by itself; what is no list stands alone, to be refused where it should be one."""
    return list(values) if isinstance(values, Iterable) else [values]


def as_counts(counts: str | int | Iterable[int] | None) -> str | None:
    """Numbers of workers as on the command line; ``None``: not given.

    A list of one number stands for that one alone, where a number stands for all up to it.
    """
    if isinstance(counts, str) or not isinstance(counts, Iterable):
        return as_list(counts)
    numbers = [str(each) for each in counts]
    return f"{numbers[0]}-{numbers[0]}" if len(numbers) == 1 else ",".join(numbers)


def as_size(size: Size | None) -> str | None:
    """A size as the command line has it: bytes are a bare number."""
    return None if size is None else str(size)


def cache_bytes(size: Size | None) -> int | None:
    """Bytes of ``--llc``. Raises ``UsageError`` for more than any machine has."""
    return size_up_to("--llc", size, LARGEST_CACHE, "no processor's caches have")


def size_up_to(option: str, size: Size | None, most: int, whose: str) -> int | None:
    """Bytes of a size. Raises ``UsageError`` where it is none, or none that there can be."""
    if size is None:
        return None
    text = str(size)
    found = parse_bytes(text)
    if not found:
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


def as_placements(names: Names) -> str:
    """Names of placements as the command line has them where one may have commas in it."""
    return names if isinstance(names, str) else ";".join(str(each) for each in _each_of(names))


def bytes_of(option: str, size: Size | None) -> int | None:
    """Bytes of a size; ``None``: not given. Raises ``UsageError``, naming ``option``."""
    return None if size is None else parse_size(str(size), option)


def duration_of(option: str, duration: Duration | None) -> float | None:
    """Seconds; ``None``: not given. Raises ``UsageError``, naming ``option``."""
    return None if duration is None else parse_duration(str(duration), option)


def as_shape(shape: Shape | None) -> str | None:
    """``streams=4,block=4KiB`` of a mapping, in which ``_`` may stand for ``-``."""
    if shape is None or isinstance(shape, str):
        return shape
    if not isinstance(shape, Mapping):
        return as_list(shape)
    return ",".join(f"{str(key).replace('_', '-')}={value}" for key, value in shape.items())


def as_path(option: str, path: PathLike | None) -> Path | None:
    """A path; ``None``: not given. Raises ``UsageError`` for anything else, naming ``option``."""
    return None if path is None else Path(text_or_path(option, path))


def several(option: str, values: PathLike | Iterable[PathLike] | None) -> list[str]:
    """Texts or paths, each a whole value, as for an option that may be given several times.

    Raises ``UsageError``, naming ``option``, for what is neither.
    """
    if values is None:
        return []
    alone = [values] if isinstance(values, str | os.PathLike) else _each_of(values)
    return [text_or_path(option, each) for each in alone]


def text_or_path(option: str, value: object) -> str:
    text = os.fspath(value) if isinstance(value, str | os.PathLike) else None
    if isinstance(text, str):
        return text
    raise UsageError(f"{option} {_shown(value)} is neither a text nor a path: give one.")


def words_of(command: Command | None) -> list[str]:
    """The words of a command line; some may be numbers or paths.

    Raises ``UsageError`` where quotes are left open, or for what is no word.
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
    raise UsageError(f"{_shown(value)} is no word of a command: give texts, numbers or paths.")
