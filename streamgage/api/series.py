"""Results of the studies: of many runs, or over sizes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from streamgage.api.answers import AS_FILE
from streamgage.api.ending import Ending
from streamgage.api.run import Run
from streamgage.api.runs import BaseRun
from streamgage.results.compilers.document import Compilations
from streamgage.results.document import Document
from streamgage.results.ladder.document import Ladder
from streamgage.results.latency.document import Latencies
from streamgage.results.measure.document import Result
from streamgage.results.numa.document import NumaMatrix
from streamgage.results.repeat.document import Repetition
from streamgage.results.scale.document import Scaling
from streamgage.results.study.document import Study
from streamgage.show.detail import PLAIN, Detail
from streamgage.store.keep import Kept
from streamgage.store.load import STOPPED, Loaded

if TYPE_CHECKING:
    from streamgage.kernels import Listing

Of = TypeVar("Of", bound=Document)


class SeriesRun(BaseRun[Of]):
    """A result that sums up many runs."""

    _drawn: ClassVar[tuple[str, ...]] = ()
    """Fields of the document that the picture shows; nothing can be drawn where all are empty."""
    _not_drawn: ClassVar[str] = "No point was measured, so there is nothing to draw."

    @property
    def nothing_to_draw(self) -> str | None:
        """Why there is no picture of it, a sentence; ``None`` where there is one."""
        found = [getattr(self.document, name) for name in self._drawn]
        return self._not_drawn if found and not any(found) else None

    @property
    def verdict(self) -> list[str]:
        """What it comes to, a sentence each."""
        return list(getattr(self._loaded.document, "verdict", ()))


class ScalingRun(SeriesRun[Scaling]):
    """Bandwidth over the number of threads or ranks, by each placement."""

    _drawn = ("curves",)


class LadderRun(SeriesRun[Ladder]):
    """Bandwidth over the size of the working set."""

    _drawn = ("curves",)


class LatencyRun(SeriesRun[Latencies]):
    """Latency of each cache and of memory, idle and under load."""


class RepeatRun(SeriesRun[Repetition]):
    """How much runs differ, by each placement."""

    _drawn = ("kernels",)
    _not_drawn = "No run was finished, so there is nothing to draw."


class NumaRun(SeriesRun[NumaMatrix]):
    """Bandwidth and latency from each NUMA node to the memory of each."""

    _drawn = ("kernels", "latency")
    _not_drawn = "No cell was measured, so there is nothing to draw."


class CompilersRun(SeriesRun[Compilations]):
    """The same loops by several compilers."""

    def __init__(
        self,
        loaded: Loaded,
        ending: Ending = Ending(),  # noqa: B008 - it cannot change
        listings: Mapping[str, Listing] | None = None,
        *,
        asm: str | None = None,
    ) -> None:
        """``listings``: of the kernel ``asm``, by the names of the rows."""
        super().__init__(loaded, ending)
        self._asm = asm
        self.listings = dict(listings or {})
        """Machine code of the kernel that ``asm`` named, by the name of the row: ``lines``, and
        what they show. It is not kept with the result; rows that nobody could read have none."""

    def printed(self, form: str, file: Path | None = AS_FILE, detail: Detail = PLAIN) -> str:
        """What the command prints with ``--format``, and the listings that were asked for."""
        text = super().printed(form, file, detail)
        if self._asm is None or form != "table":
            return text
        listed = [
            "\n".join([f" {self._asm} by {name}: {each.words()}", *each.lines]) + "\n"
            for name, each in self.listings.items()
        ]
        return "\n".join([text, *listed])

    @property
    def said_before(self) -> tuple[str, ...]:
        """What a command says before it shows the result."""
        if self._asm is None or self.listings:
            return super().said_before
        return (
            "There is no listing: objdump, which reads object code, is not here, or nothing was"
            " compiled; install Debian's binutils.",
        )


class StudyRun(SeriesRun[Study]):
    """How a program scales beside bandwidth."""

    _drawn = ("phases",)


AnyRun = Run | SeriesRun[Any]


_OF_KIND: dict[type[Document], type[SeriesRun[Any]]] = {
    Scaling: ScalingRun,
    Ladder: LadderRun,
    Latencies: LatencyRun,
    Repetition: RepeatRun,
    NumaMatrix: NumaRun,
    Compilations: CompilersRun,
    Study: StudyRun,
}
"""Those that have a class of their own."""


def run_of(loaded: Loaded, ending: Ending = Ending()) -> AnyRun:  # noqa: B008 - it cannot change
    """The result as an object of its kind."""
    if isinstance(loaded.document, Result):
        return Run(loaded, ending)
    return _OF_KIND.get(type(loaded.document), SeriesRun)(loaded, ending)


def just_measured(document: Document, ending: Ending) -> Loaded:
    """What was measured by this process, as it is when it is read again."""
    return Loaded(name_of(ending.kept), document, None, STOPPED if ending.stopped else None)


def name_of(kept: Kept) -> str:
    """What a result is called that was measured just now."""
    if kept.number is not None:
        return f"run {kept.number}"
    return "this run" if kept.path is None else str(kept.path)
