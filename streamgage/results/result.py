"""A result of any kind: just measured, loaded from a store or a file, or imported."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Generic, TypeVar

from streamgage.analysis.trust import Trust, Verdict
from streamgage.analysis.user_facts import UserFacts
from streamgage.results.document import Document, Words
from streamgage.results.kind import Kind

if TYPE_CHECKING:
    from streamgage.analysis.finding import PassedCheck
    from streamgage.process.one_run import OneRun
    from streamgage.records.run import Run
    from streamgage.show.page import Cell, Page

D_co = TypeVar("D_co", bound=Document, covariant=True)
NO_USER_FACTS = UserFacts()


@dataclass(frozen=True)
class Result(Generic[D_co]):
    """A document with its kind, its sources and its origin."""

    kind: Kind[D_co]
    document: D_co
    """The stored document."""
    records: Run | None = None
    """The run that it was made from; ``None`` if there are no records, or those of several runs.
    ``run`` is then an empty run."""
    passed: tuple[PassedCheck, ...] = ()
    """The checks that found nothing wrong, if the run was judged."""
    user_facts: UserFacts = NO_USER_FACTS
    """Facts that the user gave about the machine."""
    called: str = "this run"
    """The name by which the user chose it: ``run 12``, or the file's name."""
    partial: str | None = None
    """Why it is not complete, as a sentence; ``None`` if it is complete, or if that is unknown."""
    files: Mapping[str, bytes] = field(default_factory=dict)
    """The files that it was made from, by name: records (``*.jsonl``), outputs and logs."""
    number: int | None = None
    """Its number in the store that it was read from; ``None`` if it comes from elsewhere."""
    judged: bool = True
    """``True`` if its findings are known; ``False`` if only its rates are."""
    stored_trust: Verdict | None = None
    """The trust that the store recorded."""

    @cached_property
    def run(self) -> Run:
        """The run that it was made from; an empty run if its records are missing."""
        if self.records is not None:
            return self.records
        from streamgage.records.run import Run  # a list of results does not need it

        return Run(machine=self.document.machine, reported=self.kind.reported(self.document))

    @property
    def name(self) -> str:
        """The name, such as ``run 12``, after the label if the result has one."""
        label = self.document.label
        return self.called if label is None else f"{label} [{self.called}]"

    @property
    def identity(self) -> str:
        """Twelve letters that only these records have, wherever they are stored; may be empty."""
        from streamgage.records.content import digest_of

        return digest_of(self.files).hex()[:12] if self.files else ""

    @property
    def printed(self) -> Document:
        """The document as it is printed as JSON."""
        return self.kind.printed(self.document)

    @cached_property
    def words(self) -> Words:
        """The verdict, the findings and the trust."""
        return self.kind.words(self.document)

    @property
    def trust(self) -> Trust:
        """How far its figures can be trusted."""
        return self.words.trust

    @property
    def trust_verdict(self) -> Verdict | None:
        """The trust verdict, for a stored result from the store.

        ``None`` if the result was not judged.
        """
        return self.stored_trust or (self.trust.verdict if self.judged else None)

    @cached_property
    def page(self) -> Page:
        """The page of the result."""
        from msgspec.structs import replace

        from streamgage.show.page import stamped, with_column

        page, words = self.kind.page(self), self.words
        return replace(
            page,
            conclusions=words.conclusions,
            plots=stamped(page.plots, words.trust),
            findings=words.findings,
            trust=words.trust,
            taken=self.document.taken,
            identity=self.identity,
            headline=page.headline or self._headline(page.title),
            data=with_column(page.data, "trust", words.trust.verdict),
        )

    def _headline(self, title: str) -> str:
        """Its main figure in words: ``Scaling of node7: 52.7 GB/s (triad compact)``."""
        machine, best = self.document.machine, self.kind.headline(self.document)
        name = f"{title} of {machine.host}" if machine is not None and machine.host else title
        return name if best is None else f"{name}: {best.figure} ({best.what})"

    @property
    def best(self) -> Cell | None:
        """The cell of its main figure, with the figure's name; ``None`` if it has none."""
        from streamgage.show.page import Cell

        found = self.kind.headline(self.document)
        return None if found is None else Cell(found.figure, found.value, detail=found.what)


@dataclass(frozen=True)
class MeasuredRun(Generic[D_co]):
    """A run that has ended; ``result`` is ``None`` if nothing was measured."""

    result: Result[D_co] | None
    engine_run: OneRun
