"""Compare results: what differs, ratios with their noise, and a verdict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Unpack

from msgspec.structs import replace

from streamgage.analysis.conclusion import Conclusion
from streamgage.api.answers import BaseAnswer, PagedAnswer
from streamgage.api.lookup import Named, loaded_from
from streamgage.api.runs import BaseRun
from streamgage.comparison.compare import sides as pairs
from streamgage.comparison.compare.document import ComparedFigure, Comparison, Difference
from streamgage.errors import FAILED, UNCERTAIN
from streamgage.measurement.notes import Notes
from streamgage.options.declaration import (
    Default,
    Display,
    Form,
    command,
)
from streamgage.options.place import StoreOptions, place_of
from streamgage.options.question import Question
from streamgage.options.values import Kernels, names_of, ratio_of
from streamgage.records.address import StorePlace
from streamgage.records.reader import Note
from streamgage.results.result import Result
from streamgage.show.formats import formats_of, suffixes_of

if TYPE_CHECKING:
    from streamgage.show.page import Page

One = Named | BaseRun[Any]
Side = One | Iterable[One]
"""A result, its name, or a list of these that are pooled into one side."""
ANSWERS = Question.EARLIER
EXAMPLES = (
    (
        "streamgage compare last-1 last",
        "What differs between the two newest results, and by how much.",
    ),
    (
        "streamgage compare 1,2 3,4",
        "Several runs on each side, so that noise between runs counts.",
    ),
    (
        "streamgage compare 1 stream.log --kernel triad",
        "A stored run and another benchmark's output.",
    ),
    (
        "streamgage compare 1 last --fail-below 0.5",
        "Exit with status 1 if less than half of the bandwidth is left.",
    ),
)
FORMATS = formats_of({"tables"})
_MOST_RATIO = 10.0
_MOST_RUNS = 1000
"""So many of the newest stored runs say how far runs scatter."""
_MOST_MARGIN = 0.5


class ComparedRuns(BaseAnswer[Comparison], PagedAnswer):
    """A comparison of the first side with each of the others."""

    _forms: ClassVar = suffixes_of(FORMATS)

    @property
    def figures(self) -> list[ComparedFigure]:
        """The figures that at least two sides have, with their ratios to the first side."""
        return list(self.document.figures)

    @property
    def differences(self) -> list[Difference]:
        """Settings that differ between the sides, most important first."""
        return list(self.document.differences)

    @property
    def conclusions(self) -> list[Conclusion]:
        """What the ratios mean for each side, and how firm that is."""
        return list(self.document.conclusions)

    @property
    def passed(self) -> bool | None:
        """``True`` if no ratio is below ``fail_below``; ``None`` if that is unknown."""
        accepted = self.document.acceptance
        return None if accepted is None else accepted.passed

    @cached_property
    def page(self) -> Page:
        """The page of the comparison, for any format."""
        from streamgage.comparison.compare.page import page_of

        return page_of(self.document)

    @property
    def exit_status(self) -> int:
        """The command's exit status: 0; 1 if a ratio is too low; 3 if that is not certain."""
        accepted = self.document.acceptance
        if accepted is not None:
            return UNCERTAIN if accepted.passed is None else 0 if accepted.passed else FAILED
        verdicts = [ratio.verdict for each in self.figures for ratio in each.ratios]
        return 0 if any(each in ("faster", "slower", "same") for each in verdicts) else UNCERTAIN

    def __repr__(self) -> str:
        names = ", ".join(f"{each.label}: {each.name}" for each in self.document.sides)
        return f"<comparison of {names}>"

    def _repr_html_(self) -> str:
        from streamgage.html.comparison import comparison_page
        from streamgage.html.inline import inline_body

        return inline_body(comparison_page(self.document))


class Options(StoreOptions, total=False):
    """Options of the comparison.

    Args:
        kernel: Compare only these kernels.
        margin: Smaller differences count as equal.
        fail_below: Exit with status 1 if a ratio is below this, e.g. 0.97. In Python ``passed`` is
            then ``False``.
    """

    kernel: Kernels | None
    margin: Annotated[float | str, Form("SHARE"), Default(0.03)]
    fail_below: Annotated[float | str | None, Form("RATIO")]


@command(Display(FORMATS))
def compare(
    *results: Annotated[Side, Form("[RESULT]...", completes="runs")],
    **options: Unpack[Options],
) -> ComparedRuns:
    """Compare results: differences, and ratios with their noise.

    Args:
        results: Numbers of stored results, last, last-1, or files (records, --format json, or
            another benchmark's output). Each is compared with the first; commas put several on one
            side. In Python result objects, too; a list puts several on one side.
        **Options
        **StoreOptions

    Raises:
        UsageError: there are no two results of one kind, or one does not exist.
    """
    note, store = Notes(options["progress"]), place_of(options["store"])
    if len(results) < 2:
        pairs.load_sides([str(each) for each in results], None, note)  # which says what is missing
    sides = [_side(each, store, note) for each in results]
    found = compare_sides(sides, options)
    chances = _chances(sides, store, [each.label for each in found.document.sides])
    conclusions = [*found.document.conclusions, *chances]
    return ComparedRuns(replace(found.document, conclusions=conclusions))


def _chances(
    sides: Sequence[Sequence[Result[Any]]], place: StorePlace | None, labels: Sequence[str]
) -> Iterator[Conclusion]:
    """Yield whether each side differs from A more than stored runs of one setup differ.

    That is known of sides that are one stored run of ``measure``.
    """
    from streamgage.comparison.next_run import chance_of
    from streamgage.store import Filter, Store, StoreError, store_place

    numbers = [
        side[0].number if len(side) == 1 and side[0].kind.name == "measure" else None
        for side in sides
    ]
    base, *others = numbers
    if base is None or not any(others):
        return
    try:
        with Store(store_place(place), create=False) as opened:
            entries = opened.entries(lambda _: None, Filter(kind="measure", most=_MOST_RUNS))
    except StoreError:
        return
    for label, number in zip(labels[1:], others, strict=True):
        chance = None if number in (None, base) else chance_of(entries, base, number, label)
        if chance is not None:
            yield chance


def compare_sides(sides: Sequence[Sequence[Result[Any]]], options: Options) -> ComparedRuns:
    """Compare the loaded sides. Raises ``UsageError`` if they have nothing to compare."""
    below = options["fail_below"]
    limit = None if below is None else ratio_of("--fail-below", below, _MOST_RATIO, "0.97")
    least = ratio_of("--margin", options["margin"], _MOST_MARGIN, "0.03")
    kernels = names_of("--kernel", options["kernel"])
    return ComparedRuns(pairs.compare(sides, margin=least, kernels=kernels, fail_below=limit))


def _side(side: Side, store: StorePlace | None, note: Note) -> list[Result[Any]]:
    if isinstance(side, str):
        return pairs.load_side(side, store, note)
    if isinstance(side, Iterable):
        return [loaded_from(each, store, note) for each in side]
    return [loaded_from(side, store, note)]
