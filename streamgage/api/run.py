"""A result of ``measure``, or of another benchmark."""

from __future__ import annotations

from functools import cached_property

from streamgage.api.rows import Rows
from streamgage.api.runs import BaseRun
from streamgage.results.measure.document import Measure, PeakResult


class Run(BaseRun[Measure]):
    """The bandwidths of kernels, and what they mean."""

    @property
    def quote(self) -> str | None:
        """A sentence that quotes the main figure with its conditions; ``None`` if there is none."""
        return self._result.words.quote

    @property
    def peak(self) -> PeakResult | None:
        """Theoretical peak of the memory in use, and how it is known; ``None`` if unknown."""
        return self.document.peak

    @property
    def valid(self) -> bool | None:
        """``True`` if every result was correct; ``None`` if that was not checked."""
        checked = [each.valid for each in self.document.kernels if each.valid is not None]
        return all(checked) if checked else None

    @cached_property
    def samples(self) -> Rows:
        """A row per timed sample: ``seconds`` of one pass, ``gbps`` of nominal bytes.

        A result read from a JSON document or another benchmark's output has no rows.
        """
        from streamgage.results.summarise import summary_of
        from streamgage.store.export import SAMPLE_COLUMNS, ResultToExport, sample_rows

        result = self._result
        rows = sample_rows([ResultToExport(self.name, summary_of(result), lambda: result)])
        return Rows(SAMPLE_COLUMNS, rows, f"Samples of {self.name}")
