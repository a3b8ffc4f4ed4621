"""How a program that memory limits will scale."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Unpack

from streamgage.analysis.statistics.estimate import Bounded
from streamgage.api.answers import AS_FILE, BaseAnswer
from streamgage.api.declaration import Shown, command
from streamgage.api.lookup import Named, loaded_from
from streamgage.api.notes import Notes
from streamgage.api.place import StoreOptions, file_of
from streamgage.api.rows import Rows, rows_of
from streamgage.api.runs import BaseRun
from streamgage.api.values import NAME, Number, whole_number
from streamgage.errors import UsageError
from streamgage.results.scale.counts import MOST_WORKERS
from streamgage.show.detail import PLAIN, Detail
from streamgage.show.formats import SeriesFormat
from streamgage.tools.predict import load as study
from streamgage.tools.predict.data import data_of
from streamgage.tools.predict.document import Prediction
from streamgage.tools.predict.formats import render

if TYPE_CHECKING:
    import pandas

EXAMPLES = (
    ("streamgage predict --n 16", "From this user's newest scaling."),
    (
        "streamgage predict scale.json --n 4 --binding compact",
        "From a kept one, for one of its placements.",
    ),
)


class PredictedScaling(BaseAnswer[Prediction]):
    """What a program that memory limits will gain with so many workers."""

    _forms: ClassVar[dict[str, str]] = {
        **{".txt": "table", ".json": "json"},
        **{".csv": "csv", ".md": "markdown"},
    }

    @property
    def n(self) -> int:
        """The number of threads or ranks that it is for."""
        return self.document.n

    @property
    def speedup(self) -> Bounded:
        """Over one worker: ``value``, with its bounds ``low`` and ``high``."""
        return self.document.speedup

    @property
    def efficiency(self) -> Bounded:
        """Speedup over ``n``."""
        return self.document.efficiency

    @property
    def gbps(self) -> Bounded:
        """Bandwidth of all workers together, GB/s."""
        return self.document.gbps

    @property
    def verdict(self) -> list[str]:
        """What it comes to, a sentence each."""
        return list(self.document.verdict)

    @cached_property
    def rates(self) -> Rows:
        """One row, with the columns of ``--format csv``; rates are GB/s."""
        return rows_of(data_of(self.document), f"What {self.n} {self.document.workers} gain")

    def to_csv(self) -> str:
        """What ``--format csv`` prints."""
        return self.printed("csv")

    def to_markdown(self) -> str:
        """What ``--format markdown`` prints."""
        return self.printed("markdown")

    def to_pandas(self) -> pandas.DataFrame:
        """``rates`` as a data frame. Raises ``UsageError`` where pandas is not installed."""
        return self.rates.to_pandas()

    def printed(self, form: str, file: Path | None = AS_FILE, _detail: Detail = PLAIN) -> str:
        """What the command prints with ``--format``."""
        return render(self.document, SeriesFormat(form), file=file)

    def __repr__(self) -> str:
        return f"<{self.n} {self.document.workers}: speedup {self.speedup.value:.3g}>"


@command(Shown(SeriesFormat))
def predict(
    scaling: Named | BaseRun[Any] | None = None,
    *,
    n: Number | None = None,
    binding: Annotated[str | None, NAME] = None,
    kernel: Annotated[str | None, NAME] = None,
    **options: Unpack[StoreOptions],
) -> PredictedScaling:
    """Say how a program that memory limits will scale, by a measured scaling of bandwidth.

    Args:
        scaling: A kept result of `streamgage scale`, or what its --format json printed; default:
            the newest kept one. In Python a result of ``scale``, too.
        n: Threads or ranks to predict for.
        binding: By that binding; default: the recommended.
        kernel: By that kernel; default: the recommended.
        **StoreOptions

    Raises:
        UsageError: there is no such scaling, ``n`` is not given, or it lies beyond what was
            measured.
    """
    number = whole_number("--n", n, 1, MOST_WORKERS)
    if number is None:
        raise UsageError("--n is missing: give the threads or ranks to predict for, such as --n 8.")
    notes = Notes(options["progress"])
    place = file_of(options["store"])
    if scaling is None:
        loaded = study.newest_scaling(place, notes)
    else:
        loaded = loaded_from(scaling, place, notes)
    found = study.predict(study.scaling_of(loaded), number, binding=binding, kernel=kernel)
    return PredictedScaling(found, tuple(notes.sentences))
