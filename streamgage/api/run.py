"""A result of ``measure``, or of another benchmark."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from streamgage.api.rows import Rows
from streamgage.api.runs import BaseRun
from streamgage.results.measure.document import PeakResult, Result

if TYPE_CHECKING:
    from streamgage.results.measure.judge import Answer


class Run(BaseRun[Result]):
    """Bandwidths of kernels, with what they mean."""

    @property
    def quote(self) -> str | None:
        """One sentence to quote, with everything that belongs to the number; or ``None``."""
        return self.document.quote

    @property
    def peak(self) -> PeakResult | None:
        """Theoretical peak of the memory in use, and how it is known; ``None`` if unknown."""
        return self.document.peak

    @property
    def valid(self) -> bool | None:
        """Whether every result was correct; ``None`` if that was not checked."""
        checked = [each.valid for each in self.document.kernels if each.valid is not None]
        return all(checked) if checked else None

    @property
    def answer(self) -> Answer:
        """The result with its records."""
        from streamgage.results.measure.judge import answer_without_run

        return self._loaded.answer or answer_without_run(self.document)

    @cached_property
    def samples(self) -> Rows:
        """A row per timed sample: ``seconds`` of one pass, ``gbps`` of nominal bytes.

        There are none where only the document is there, or another benchmark's output.
        """
        from streamgage.results.summarise import summary_of
        from streamgage.store.export import SAMPLE_COLUMNS, Chosen, sample_rows

        loaded = self._loaded
        summary = summary_of(loaded.document, loaded.answer, partial=loaded.partial is not None)
        rows = sample_rows([Chosen(self.name, summary, lambda: loaded)])
        return Rows(SAMPLE_COLUMNS, rows, f"Samples of {self.name}")
