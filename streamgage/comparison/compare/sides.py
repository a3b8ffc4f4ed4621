"""Loads and compares two or more results, of streamgage or of other benchmarks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from streamgage.advice import advice, command_name
from streamgage.comparison.compare.comparison import comparison, kernels_of
from streamgage.comparison.compare.document import Comparison
from streamgage.comparison.compare.side import content_of
from streamgage.comparison.compare.verdicts import MARGIN
from streamgage.errors import UsageError
from streamgage.records.address import StorePlace
from streamgage.records.reader import Note
from streamgage.results.result import Result
from streamgage.store.load import load_all, names_stored
from streamgage.units import listed


def _how() -> str:
    return f"name two results, such as {advice('compare', 'last-1', 'last')}, or files"


def load_sides(
    texts: Sequence[str], store: StorePlace | None, note: Note
) -> list[list[Result[Any]]]:
    """Load the named results: each text is one side, in which commas separate results.

    If a file's name contains a comma, the text means that file. Raises ``UsageError``.
    """
    if len(texts) < 2:
        what = "Nothing" if not texts else "One result"
        raise UsageError(f"{what} is too little to compare: {_how()}.")
    return [load_side(text, store, note) for text in texts]


def load_side(text: str, store: StorePlace | None, note: Note) -> list[Result[Any]]:
    """Load the results of one side, separated by commas; see ``load_sides``.

    Raises ``UsageError``.
    """
    return load_all(_parts(text), store, note)


def _parts(text: str) -> list[str]:
    parts = [part.strip() for part in text.split(",")]
    if all(names_stored(part) for part in parts):
        return parts
    if len(parts) == 1 or _is_file(text):
        return [text]
    if not all(parts):
        raise UsageError(
            f"{text[:60]!r} has an empty name: separate results by commas, such as 1,2,3."
        )
    return parts


def _is_file(text: str) -> bool:
    """Return whether a file of that name exists. The text may be no valid file name at all."""
    try:
        return Path(text).exists()
    except (OSError, ValueError):
        return False


def compare(
    sides: Sequence[Sequence[Result[Any]]],
    *,
    margin: float = MARGIN,
    kernels: Sequence[str] | None = None,
    fail_below: float | None = None,
) -> Comparison:
    """Compare the first side with each of the others; a side has one result or several.

    Raises ``UsageError`` if there are not two sides of one kind, if a side has a result twice, or
    if no result has a figure of one of the ``kernels``.
    """
    if len(sides) < 2 or not all(sides):
        raise UsageError(f"There is too little to compare: {_how()}.")
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


def compare_one_kind(results: Sequence[Result[Any]]) -> Comparison | None:
    """Compare the results of the most frequent kind, each as its own side.

    ``None`` if no two results are of one kind, or if no two have the same figure.
    """
    kinds = Counter(each.kind.name for each in results)
    of_kind = [each for each in results if each.kind.name == kinds.most_common(1)[0][0]]
    if len(of_kind) < 2:
        return None
    found = compare([[each] for each in of_kind])
    return found if found.figures else None


def _refuse_unlike(results: Sequence[Result[Any]]) -> None:
    first = results[0]
    for each in results[1:]:
        if each.kind != first.kind:
            raise UsageError(
                f"{first.name} is a result of {command_name(first.kind.command)} and"
                f" {each.name} one of {command_name(each.kind.command)}: name results of one"
                " command."
            )


def _refuse_twice(side: Sequence[Result[Any]]) -> None:
    """Refuse a result that a side has twice: pooled results count as separate measurements."""
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
                f"{twice}: name each result once, because the same figures again do not show how"
                " runs differ."
            )
        found[content] = each.name
