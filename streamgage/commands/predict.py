"""Predict how a memory-bound program will scale."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Unpack

from streamgage.analysis.conclusion import Conclusion
from streamgage.analysis.statistics.estimate import Estimate
from streamgage.api.answers import BaseAnswer, PagedAnswer
from streamgage.api.lookup import Named, loaded_from
from streamgage.api.runs import BaseRun
from streamgage.errors import UsageError
from streamgage.measurement.notes import Notes
from streamgage.options.declaration import Display, command
from streamgage.options.place import StoreOptions, place_of
from streamgage.options.question import Question
from streamgage.options.values import KERNEL, NAME, Number, whole_number
from streamgage.programs.predict import load as scalings
from streamgage.programs.predict.document import Prediction
from streamgage.programs.predict.page import page_of
from streamgage.results.scale.counts import MOST_WORKERS
from streamgage.show.formats import formats_of, suffixes_of
from streamgage.store.load import newest_of

if TYPE_CHECKING:
    from streamgage.show.page import Page

ANSWERS = Question.PROGRAM
EXAMPLES = (
    ("streamgage predict --n 16", "Predict from your newest result of scale."),
    (
        "streamgage predict scale.json --n 4 --binding compact",
        "Predict from a file, for one of the measured placements.",
    ),
)


FORMATS = formats_of(())


class PredictedScaling(BaseAnswer[Prediction], PagedAnswer):
    """The predicted speedup of a memory-bound program with this many workers."""

    _forms: ClassVar = suffixes_of(FORMATS)

    @property
    def n(self) -> int:
        """The number of threads or ranks of the prediction."""
        return self.document.n

    @property
    def speedup(self) -> Estimate:
        """The speedup over one worker: ``value``, with its bounds ``low`` and ``high``."""
        return self.document.speedup

    @property
    def efficiency(self) -> Estimate:
        """The efficiency: the speedup divided by ``n``."""
        return self.document.efficiency

    @property
    def gbps(self) -> Estimate:
        """Bandwidth of all workers together, GB/s."""
        return self.document.gbps

    @property
    def conclusions(self) -> list[Conclusion]:
        """What follows for a program, and how firm that is."""
        return list(self.document.conclusions)

    @cached_property
    def page(self) -> Page:
        """The page of the prediction, for any format."""
        return page_of(self.document)

    def __repr__(self) -> str:
        return f"<{self.n} {self.document.workers}: speedup {self.speedup.value:.3g}>"


@command(Display(FORMATS))
def predict(
    scaling: Named | BaseRun[Any] | None = None,
    *,
    n: Number | None = None,
    binding: Annotated[str | None, NAME] = None,
    kernel: Annotated[str | None, KERNEL] = None,
    **options: Unpack[StoreOptions],
) -> PredictedScaling:
    """Predict how a memory-bound program will scale.

    The prediction is made from a measured scaling of bandwidth.

    Args:
        scaling: A stored result of `streamgage scale`, or what its --format json printed; default:
            the newest stored one. In Python a result of ``scale``, too.
        n: Number of threads or ranks to predict for.
        binding: Binding to predict for; default: the recommended one.
        kernel: Kernel to predict from; default: the recommended one.
        **StoreOptions

    Raises:
        UsageError: there is no such result, ``n`` is missing, or is above the largest number that
            was measured.
    """
    number = whole_number("--n", n, 1, MOST_WORKERS)
    if number is None:
        raise UsageError("--n is missing: give the threads or ranks to predict for, such as --n 8.")
    notes = Notes(options["progress"])
    place = place_of(options["store"])
    if scaling is None:
        loaded = newest_of("scale", place, notes)
    else:
        loaded = loaded_from(scaling, place, notes)
    found = scalings.predict(scalings.scaling_of(loaded), number, binding=binding, kernel=kernel)
    return PredictedScaling(found, tuple(notes.sentences))
