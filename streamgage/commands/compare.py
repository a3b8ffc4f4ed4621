"""Results side by side: what differs, ratios with their noise, and a verdict."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from streamgage.api.notes import Notes
from streamgage.api.rows import Rows, rows_of
from streamgage.api.runs import BaseRun
from streamgage.api.storing import OWN, Own, file_of
from streamgage.api.text import Text
from streamgage.api.values import Names, PathLike, as_float, as_list
from streamgage.commands.load import Named, loaded_from
from streamgage.errors import UsageError
from streamgage.records.reader import Note
from streamgage.show.formats import SeriesFormat
from streamgage.store.load import Loaded
from streamgage.tools.compare import sides as study
from streamgage.tools.compare.data import data_of
from streamgage.tools.compare.document import ComparedFigure, Comparison, Difference

if TYPE_CHECKING:
    import pandas

One = Named | BaseRun[Any]
Side = One | Iterable[One]
"""A result, what names it, or several of these that are pooled."""
_NUMBER = re.compile(r"(?:[0-9]{1,9}\.?[0-9]{0,15}|\.[0-9]{1,15})", re.ASCII)
_MOST_RATIO = 10.0
_MOST_MARGIN = 0.5
_AS_FILE = Path("table.txt")


class ComparedRuns:
    """A comparison: the first side against each of the others."""

    def __init__(self, document: Comparison) -> None:
        """Of the document that the command prints."""
        self.document = document

    @property
    def figures(self) -> list[ComparedFigure]:
        """One figure that at least two sides have, with the ratios to the first side."""
        return list(self.document.figures)

    @property
    def differences(self) -> list[Difference]:
        """In what the set-ups differ, the weightiest first."""
        return list(self.document.differences)

    @property
    def verdict(self) -> list[str]:
        """What the ratios come to, a sentence or two for each side."""
        return list(self.document.verdict)

    @property
    def passed(self) -> bool | None:
        """Whether no ratio is below ``fail_below``; ``None`` where that is not known."""
        accepted = self.document.acceptance
        return None if accepted is None else accepted.passed

    @cached_property
    def rates(self) -> Rows:
        """A row for each figure of each side, with the columns of ``--format csv``."""
        names = " and ".join(each.label for each in self.document.sides)
        return rows_of(data_of(self.document), f"Figures of {names}")

    def table(self) -> Text:
        """What the command prints, 100 characters wide."""
        return Text(self._text(SeriesFormat.TABLE))

    def to_dict(self) -> dict[str, Any]:
        """The whole comparison in lists and mappings: what ``--format json`` prints."""
        built: dict[str, Any] = msgspec.to_builtins(self.document)
        return built

    def to_json(self) -> str:
        """What ``--format json`` prints."""
        return self._text(SeriesFormat.JSON)

    def to_markdown(self) -> str:
        """What ``--format markdown`` prints."""
        return self._text(SeriesFormat.MARKDOWN)

    def to_pandas(self) -> pandas.DataFrame:
        """``rates`` as a data frame. Raises ``UsageError`` where pandas is not installed."""
        return self.rates.to_pandas()

    def _text(self, form: SeriesFormat) -> str:
        from streamgage.tools.compare.formats import render

        return render(self.document, form, file=_AS_FILE)

    def __str__(self) -> str:
        return self.table()

    def __repr__(self) -> str:
        names = ", ".join(f"{each.label}: {each.name}" for each in self.document.sides)
        return f"<comparison of {names}>"

    def _repr_html_(self) -> str:
        from streamgage.show.report.compared import comparison_section
        from streamgage.show.report.inline import inline_parts

        return inline_parts(comparison_section(self.document).parts)


def compare(
    *results: Side,
    kernel: Names | None = None,
    margin: float | str = 0.03,
    fail_below: float | str | None = None,
    store: PathLike | Own = OWN,
    progress: bool = True,
) -> ComparedRuns:
    """Compare results with the first one: ``streamgage compare``.

    Args:
        results: results, or what ``load`` takes; a list of them, or text with commas between,
            pools several of the same set-up, which counts the noise between them.
        kernel: only the figures of these kernels.
        margin: what differs by less than this share is the same.
        fail_below: the ratio below which ``passed`` is false.
        store: the store's file; default: the user's own.
        progress: print sentences such as what could not be read.

    Raises:
        UsageError: there are no two results of one kind, or one of them is not known.
    """
    note = Notes(progress)
    if len(results) < 2:
        study.load_sides([str(each) for each in results], None, note)  # which says what is missing
    sides = [_side(each, file_of(store), note) for each in results]
    return compare_sides(sides, kernel=kernel, margin=margin, fail_below=fail_below)


def compare_sides(
    sides: Sequence[Sequence[Loaded]],
    *,
    kernel: Names | None,
    margin: float | str,
    fail_below: float | str | None,
) -> ComparedRuns:
    """The comparison of what was loaded. Raises ``UsageError``."""
    limit = None if fail_below is None else ratio("--fail-below", fail_below, _MOST_RATIO, "0.97")
    least = ratio("--margin", margin, _MOST_MARGIN, "0.03")
    kernels = kernel_names(kernel)
    return ComparedRuns(study.compare(sides, margin=least, kernels=kernels, fail_below=limit))


def _side(side: Side, store: Path | None, note: Note) -> list[Loaded]:
    if isinstance(side, str):
        return study.load_side(side, store, note)
    if isinstance(side, Iterable):
        return [loaded_from(each, store, note) for each in side]
    return [loaded_from(side, store, note)]


def ratio(option: str, value: float | str, most: float, example: str) -> float:
    """The number, above 0. Raises ``UsageError`` for anything else."""
    text = value.strip() if isinstance(value, str) else value
    if isinstance(text, str):
        number = float(text) if _NUMBER.fullmatch(text) else math.nan
    else:
        number = as_float(text)
    if 0 < number <= most:
        return number
    raise UsageError(
        f"{option} {str(value)[:40]!r} is not a number above 0 and up to {most:g}: give one such as"
        f" {example}."
    )


def kernel_names(kernel: Names | None) -> list[str] | None:
    """Each name once. Raises ``UsageError`` for an empty one."""
    text = as_list(kernel)
    if text is None:
        return None
    names = [name.strip() for name in text.split(",")]
    if not all(names):
        raise UsageError(
            f"--kernel {text[:60]!r} has an empty name: write names with commas between, such as"
            " copy,triad."
        )
    return list(dict.fromkeys(names))
