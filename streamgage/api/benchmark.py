"""What ``program`` returns with ``--ratio`` and ``--against``."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from streamgage.analysis.conclusion import Conclusion
from streamgage.analysis.statistics.estimate import Estimate
from streamgage.api.answers import AS_FILE, BaseAnswer, PagedAnswer
from streamgage.errors import FAILED, UNCERTAIN
from streamgage.programs.ratio.document import Against, Decision, RatioRound, TimeRatio
from streamgage.show.formats import formats_of, suffixes_of
from streamgage.units import count

if TYPE_CHECKING:
    from streamgage.show.page import Page

TRACKERS = ("bencher", "github-action-benchmark")
"""Formats of services that track benchmarks."""
FORMATS = (*formats_of(()), *TRACKERS)
_STATUS: dict[Decision, int] = {"slower": FAILED, "undecided": UNCERTAIN, "faster": 0, "equal": 0}


class BenchmarkTime(BaseAnswer[TimeRatio], PagedAnswer):
    """A benchmark's time, in seconds and relative to the speed of memory at that moment."""

    _forms: ClassVar = suffixes_of(FORMATS)

    @property
    def seconds(self) -> Estimate:
        """The median wall time: ``value``, with its bounds ``low`` and ``high``."""
        return self.document.seconds

    @property
    def ratio(self) -> Estimate:
        """The median ratio: the GB that triad could move in the time of a run."""
        return self.document.ratio

    @property
    def against(self) -> Against | None:
        """The comparison with another program; ``None`` without one."""
        return self.document.against

    @property
    def exit_status(self) -> int:
        """0, or with another program 1 if the benchmark is slower and 3 if that is not decided."""
        return 0 if self.against is None else _STATUS[self.against.decision]

    @property
    def rounds(self) -> list[RatioRound]:
        """Every run, with the probes before and after it."""
        return list(self.document.rounds)

    @property
    def conclusions(self) -> list[Conclusion]:
        """What follows from the runs, and how firm that is."""
        return list(self.document.conclusions)

    @cached_property
    def page(self) -> Page:
        """The page of the result, for any format."""
        from streamgage.programs.ratio.page import page_of

        return page_of(self.document)

    def printed(self, form: str, file: Path | None = AS_FILE, details: bool = False) -> str:
        """The text that ``--format`` prints, for ``file`` (``None``: stdout)."""
        from streamgage.programs.ratio import trackers

        own: dict[str, Callable[[TimeRatio], str]] = {
            "bencher": trackers.bencher,
            "github-action-benchmark": trackers.github_action_benchmark,
        }
        write = own.get(form)
        return super().printed(form, file, details) if write is None else write(self.document)

    def __repr__(self) -> str:
        return f"<{self.document.name} by the speed of memory, {count(len(self.rounds), 'run')}>"
