"""Results of commands that run many times, such as ``scale`` and ``ladder``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from streamgage.analysis.conclusion import Conclusion
from streamgage.api.answers import AS_FILE
from streamgage.api.run import Run
from streamgage.api.runs import BaseRun, Ending
from streamgage.results.compilers.document import Compilers
from streamgage.results.document import Document
from streamgage.results.result import Result
from streamgage.store.destination import StoredResult
from streamgage.store.load import STOPPED

if TYPE_CHECKING:
    from streamgage.kernels import Listing

Of = TypeVar("Of", bound=Document)


class SeriesRun(BaseRun[Of]):
    """A result that sums up many runs."""

    @property
    def nothing_to_draw(self) -> str | None:
        """A sentence that says why the result has no picture; ``None`` if it has one."""
        page = self._result.page
        return None if page.plots else f"{page.nothing.rstrip('.')}, so there is nothing to draw."

    @property
    def conclusions(self) -> list[Conclusion]:
        """What follows from the figures: sentences (``text``), and how firm each is (``grade``)."""
        return list(self._result.page.conclusions)


class CompilersRun(SeriesRun[Compilers]):
    """A comparison of the same loops, built by several compilers."""

    def __init__(
        self,
        result: Result[Compilers],
        ending: Ending = Ending(),  # noqa: B008 - it cannot change
        listings: Mapping[str, Listing] | None = None,
        *,
        asm: str | None = None,
    ) -> None:
        """Keep ``listings``, the machine code of the kernel ``asm`` by the names of the rows."""
        super().__init__(result, ending)
        self._asm = asm
        self.listings = dict(listings or {})
        """Machine code of the kernel that ``asm`` named, by the name of the row: ``lines``, and
        what they show. It is not stored with the result. Rows without readable code have none."""

    def printed(self, form: str, file: Path | None = AS_FILE, details: bool = False) -> str:
        """The text that the command prints with ``--format``, and the listings of ``--asm``."""
        text = super().printed(form, file, details)
        if self._asm is None or form != "table":
            return text
        listed = [
            "\n".join([f" {self._asm} by {name}: {each.words()}", *each.lines]) + "\n"
            for name, each in self.listings.items()
        ]
        return "\n".join([text, *listed])

    @property
    def notes_before(self) -> tuple[str, ...]:
        """Sentences that a command prints before the result."""
        if self._asm is None or self.listings:
            return super().notes_before
        return (
            "There is no listing: nothing was compiled, or objdump, which reads object code, is"
            " not installed (Debian's package binutils).",
        )


AnyRun = Run | SeriesRun[Any]
_OWN: Mapping[str, Callable[[Result[Any], Ending], AnyRun]] = {
    "measure": Run,
    "compilers": CompilersRun,
}
"""Kinds whose results have more to give in Python."""


def run_of(
    result: Result[Any],
    ending: Ending = Ending(),  # noqa: B008 - it cannot change
) -> AnyRun:
    """The result as an object of its kind."""
    return _OWN.get(result.kind.name, SeriesRun)(result, ending)


def just_measured(result: Result[Of], ending: Ending) -> Result[Of]:
    """The result that this process measured, under a name by which it can be read again."""
    partial = STOPPED if ending.stopped else result.partial
    return replace(result, called=name_of(ending.stored), partial=partial)


def name_of(stored: StoredResult) -> str:
    """The name of a result that was measured just now."""
    if stored.number is not None:
        return f"run {stored.number}"
    return "this run" if stored.path is None else str(stored.path)
