"""Compare: two or more results, whatever they were measured with, side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from streamgage.errors import UsageError
from streamgage.records.reader import Note
from streamgage.results.measure.rates_alone import rates_alone
from streamgage.store.load import Loaded, load_all, names_kept, wholly
from streamgage.tools.compare.comparison import comparison, kernels_of
from streamgage.tools.compare.document import Comparison
from streamgage.tools.compare.side import content_of
from streamgage.tools.compare.verdicts import MARGIN
from streamgage.units import listed

_HOW = "name two results, such as `streamgage compare last-1 last`, or files"


def load_sides(
    texts: Sequence[str], store: Path | None, note: Note, *, errors: bool = True
) -> list[list[Loaded]]:
    """The results that were named: a side for each text, its results with commas between.

    ``errors``: whether the comparison is to tell those of the findings; all else of it needs rates
    alone, which are sooner had. A file whose name has a comma in it is that file. Raises
    ``UsageError``.
    """
    if len(texts) < 2:
        what = "Nothing" if not texts else "One result"
        raise UsageError(f"{what} is too little to compare: {_HOW}.")
    return [load_side(text, store, note, errors=errors) for text in texts]


def load_side(text: str, store: Path | None, note: Note, *, errors: bool = True) -> list[Loaded]:
    """The results of one side, with commas between; see ``load_sides``. Raises ``UsageError``."""
    return load_all(_parts(text), store, note, judge=wholly if errors else rates_alone)


def _parts(text: str) -> list[str]:
    parts = [part.strip() for part in text.split(",")]
    if all(names_kept(part) for part in parts):
        return parts
    if len(parts) == 1 or _is_file(text):
        return [text]
    if not all(parts):
        raise UsageError(
            f"{text[:60]!r} has an empty name: write results with commas between, such as 1,2,3."
        )
    return parts


def _is_file(text: str) -> bool:
    """Whether there is one of that name, which may be no name for a file at all."""
    try:
        return Path(text).exists()
    except (OSError, ValueError):
        return False


def compare(
    sides: Sequence[Sequence[Loaded]],
    *,
    margin: float = MARGIN,
    kernels: Sequence[str] | None = None,
    fail_below: float | None = None,
) -> Comparison:
    """The comparison of the first side with the others; each has one result or several.

    Raises ``UsageError`` where there are not two sides of one kind, where a side has a result
    twice, or nothing has a figure of the ``kernels`` that were asked for.
    """
    if len(sides) < 2 or not all(sides):
        raise UsageError(f"There is too little to compare: {_HOW}.")
    _refuse_unlike([each for side in sides for each in side])
    for side in sides:
        _refuse_twice(side)
    if kernels is not None:
        known = kernels_of(sides)
        unknown = [each for each in kernels if each not in known]
        if unknown:
            there = f"use {', '.join(known)}" if known else "leave it out"
            raise UsageError(f"--kernel: no result has a figure of {listed(unknown)}: {there}.")
    return comparison(sides, margin=margin, kernels=kernels, fail_below=fail_below)


def compare_alike(results: Sequence[Loaded]) -> Comparison | None:
    """The comparison of those results that are of the most frequent kind, each a side of its own.

    Null where no two are of one kind, or no figure is of two of them.
    """
    kinds = Counter(each.kind for each in results)
    alike = [each for each in results if each.kind == kinds.most_common(1)[0][0]]
    if len(alike) < 2:
        return None
    found = compare([[each] for each in alike])
    return found if found.figures else None


def _refuse_unlike(results: Sequence[Loaded]) -> None:
    first = results[0]
    for each in results[1:]:
        if each.kind != first.kind:
            raise UsageError(
                f"{first.name} is a result of `streamgage {first.kind}` and {each.name} one of"
                f" `streamgage {each.kind}`: name results of one command."
            )


def _refuse_twice(side: Sequence[Loaded]) -> None:
    """What is pooled counts as measured apart."""
    found: dict[bytes, str] = {}
    for each in side if len(side) > 1 else ():
        content = content_of(each)
        if content in found:
            first = found[content]
            twice = (
                f"{each.name} is twice on one side"
                if first == each.name
                else f"{first} and {each.name} are one result, twice on one side"
            )
            raise UsageError(
                f"{twice}: name each result once, for the same figures again say nothing of how"
                " runs differ."
            )
        found[content] = each.name
