"""What a measured scaling means for a program that memory limits."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from streamgage.analysis.conclusion import Conclusion
from streamgage.analysis.statistics.estimate import Estimate
from streamgage.api.answers import BaseAnswer, PagedAnswer
from streamgage.programs.predict.document import Prediction
from streamgage.programs.predict.page import page_of
from streamgage.show.formats import formats_of, suffixes_of

if TYPE_CHECKING:
    from streamgage.show.page import Page

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
