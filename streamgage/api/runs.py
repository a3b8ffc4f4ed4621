"""A result of any kind, as text, rows, plots and pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

from streamgage.advice import command_line
from streamgage.api.answers import AS_FILE, PagedAnswer, Text
from streamgage.errors import INTERRUPTED, TERMINATED, StreamgageError, UsageError
from streamgage.options.values import PathLike
from streamgage.records.spool_folder import is_of_a_run
from streamgage.results.document import Document
from streamgage.results.result import Result
from streamgage.show.formats import FORMATS
from streamgage.show.picture_file import SUFFIXES as PICTURES
from streamgage.show.picture_file import Width, width_of
from streamgage.store.destination import Destination, StoredResult
from streamgage.units import count

if TYPE_CHECKING:
    import plotly.graph_objects

    from streamgage.analysis.finding import Finding
    from streamgage.analysis.trust import Trust
    from streamgage.comparison.next_run import NextRun
    from streamgage.records import Machine
    from streamgage.show.page import Page, Plot

Of = TypeVar("Of", bound=Document)
_MOST_RUNS = 200
"""Stored results among which those that were measured in the same way are looked for."""
_SUFFIXES = {each.suffix: each.name for each in FORMATS if each.suffix}


@dataclass(frozen=True)
class Ending:
    """How a run ended, where its result is stored, and the notes printed during it."""

    exit_status: int = 0
    """The command's exit status: 0; 1 if something failed or is wrong; 130 or 143 if it was
    stopped."""
    failure: StreamgageError | None = None
    stored: StoredResult = field(default_factory=StoredResult)
    destination: Destination = field(default_factory=lambda: Destination(None))
    notes: tuple[str, ...] = ()

    @property
    def stopped(self) -> bool:
        """``True`` if a signal ended it."""
        return self.exit_status in (INTERRUPTED, TERMINATED)

    def next_run(self) -> NextRun | None:
        """What the next run will give, by the stored ones; ``None`` if that is not known."""
        number, store = self.stored.number, self.destination.store
        if number is None or store is None:
            return None
        from streamgage.comparison.next_run import next_run
        from streamgage.store import Filter, Store, StoreError

        try:
            with Store(store, create=False) as opened:
                return next_run(opened.entries(lambda _: None, Filter(most=_MOST_RUNS)), number)
        except StoreError:
            return None

    def seen_again(self) -> Iterator[str]:
        """Yield a sentence that says how to show the result again."""
        stored, destination = self.stored, self.destination
        named = None if destination.of_user else destination.store
        store = destination.option
        if stored.number is not None:
            yield f"To see this again: {command_line('show', stored.number, store=store)}"
        elif stored.path is not None and stored.path.is_dir():
            sentence = f"The records of the runs are in {stored.path}"
            if is_of_a_run(stored.path, named):
                again = command_line("show", stored.path, store=store)
                yield f"{sentence}. Once the store works: {again}"
            elif not stored.refused:  # else the refusal has named the folder
                yield sentence
        elif stored.path is not None:
            yield f"To see this again: {command_line('show', stored.path, store=store)}"


class BaseRun(PagedAnswer, Generic[Of]):
    """The base of every result."""

    def __init__(self, result: Result[Of], ending: Ending = Ending()) -> None:
        """Wrap a new result (``ending`` says how its measurement ended), or one that was read."""
        self._result = result
        self.ending = ending

    @property
    def name(self) -> str:
        """``run 12`` if it is stored, else the file's name, or ``this run``."""
        return self._result.name

    @property
    def kind(self) -> str:
        """The command that measured it, such as ``measure``."""
        return self._result.kind.name

    @property
    def number(self) -> int | None:
        """The result's number in the store, for ``load``; ``None`` if it is not stored."""
        return self.ending.stored.number

    @property
    def document(self) -> Of:
        """The whole result, typed: what ``--format json`` prints, and ``schema/`` describes."""
        return self._result.document

    @property
    def machine(self) -> Machine | None:
        """The machine that it was measured on; ``None`` if unknown."""
        return self._result.document.machine

    @property
    def trust(self) -> Trust:
        """How far the figures can be trusted: ``verdict`` and ``reasons``."""
        return self._result.trust

    @property
    def findings(self) -> list[Finding]:
        """The findings about the result, each with ``code``, ``severity`` and ``text``."""
        return list(self._result.page.findings)

    @property
    def page(self) -> Page:
        """The page of the result, for any format."""
        return self._result.page

    @property
    def exit_status(self) -> int:
        """The command's exit status: 0, or 1 if a part failed or a result is wrong."""
        return self.ending.exit_status

    @property
    def failure(self) -> StreamgageError | None:
        """The error that ended the measurement early; ``None`` if none did."""
        return self.ending.failure

    @property
    def partial(self) -> str | None:
        """A sentence that says why it is not complete; ``None`` if it is, or if that is unknown."""
        return self._result.partial

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences printed while it was measured or read."""
        return self.ending.notes

    @property
    def next_run(self) -> NextRun | None:
        """What the next run here will give, by three stored ones or more; else ``None``."""
        return self.ending.next_run()

    def table(self, *, details: bool = False) -> Text:
        """The table that the command prints, 100 characters wide.

        ``details``: every figure, finding and check, not the first screen alone.
        """
        return Text(BaseRun.printed(self, "table", AS_FILE, details))  # without listings

    def to_dict(self) -> dict[str, Any]:
        """The whole result as lists and mappings: what ``--format json`` prints."""
        built: dict[str, Any] = msgspec.to_builtins(self._result.printed)
        return built

    @property
    def plots(self) -> list[str]:
        """The titles of the plots that ``plot`` can draw."""
        return [each.title for each in self._plots]

    def plot(
        self, which: int | str = 0, choice: int | str | None = None
    ) -> plotly.graph_objects.Figure:
        """A plot of the report as a Plotly figure, which you can show inline or change.

        ``which`` is its place in ``plots``, or a part of its title. If the plot has several
        drawings, ``choice`` is the place or name of one. Raises ``UsageError`` if there is no such
        plot.
        """
        from streamgage.html.plotly_figures import as_plotly

        return as_plotly(_chosen(self._plots, which, self), choice)

    def save(self, path: PathLike, *, width: str | None = None) -> Path:
        """Write the result to a file, in the format of its suffix, and return its path.

        ``.txt`` has the table, ``.json``, ``.csv``, ``.md`` ... what ``--format`` prints, and
        ``.svg``, ``.png``, ``.pdf`` and ``.eps`` the picture that a command draws with ``-o``;
        ``width`` is that of the picture, such as ``"85mm"``. Raises ``UsageError`` for another
        name, ``StreamgageError`` if the file cannot be written.
        """
        from streamgage.show.output import open_output

        file = Path(path)
        suffix = file.suffix.lower()
        wide = width_of(width, file)
        with open_output(file, "path") as out:
            if suffix in PICTURES:
                _chosen(self._plots, 0, self)
                out.write_bytes(self.picture(file, wide))
            elif suffix in _SUFFIXES:
                out.write(self.printed(_SUFFIXES[suffix]))
            else:
                raise UsageError(
                    f"{file} has no suffix that is known: use {', '.join((*_SUFFIXES, *PICTURES))}."
                )
        return file

    def report(self, path: PathLike, *, format: str | None = None) -> Path:
        """Write a page to send to a colleague (``.html``, ``.md`` or ``.pdf``); see ``report``."""
        from streamgage.api.report_file import write_report

        file = Path(path)
        write_report(lambda: [self.result()], file, format)
        return file

    def result(self) -> Result[Of]:
        """The result with its files, as a report takes it."""
        number, store = self.ending.stored.number, self.ending.destination.store
        if self._result.files or number is None or store is None:
            return self._result
        from streamgage.store import Store

        with Store(store, create=False) as opened:
            return replace(self._result, files=opened.files(number))

    @property
    def _title(self) -> str:
        return f"{self.name}, by streamgage {self._result.kind.command}"

    @cached_property
    def _plots(self) -> list[Plot]:
        from streamgage.show.html import plots_of

        return plots_of(self._result.page)

    def printed(self, form: str, file: Path | None = AS_FILE, details: bool = False) -> str:
        """The text that the command prints with ``--format``, for ``file`` (``None``: stdout)."""
        from streamgage.results.render import render_result

        notes = self.notes if file is None else ()  # on stderr, next to stdout
        return render_result(self._result, form, file=file, details=details, shown_before=notes)

    @property
    def nothing_to_draw(self) -> str | None:
        """A sentence that says why the result has no picture; ``None`` if it has one."""
        return None

    @property
    def notes_before(self) -> tuple[str, ...]:
        """Sentences that a command prints before the result."""
        result = self._result
        if result.partial is None or result.records is not None or self.ending.stopped:
            return ()  # else a finding says so, or whoever stopped it knows
        return (f"{result.name} is not whole. {result.partial}",)

    def picture(self, file: Path, width: Width | None = None) -> bytes:
        """The picture that the command draws, in the format of the suffix of ``file``."""
        from streamgage.results.render import draw_result

        return draw_result(self._result, file, width)

    def __repr__(self) -> str:
        findings = count(len(self.findings), "finding")
        return f"<{self._title}: {count(len(self.rates), 'figure')}, {findings}>"

    def _repr_html_(self) -> str:
        from streamgage.html.inline import inline

        return inline(self._result)


def _chosen(plots: Sequence[Plot], which: int | str, run: BaseRun[Any]) -> Plot:
    if isinstance(which, str):
        found = [each for each in plots if which.lower() in each.title.lower()]
    else:
        found = list(plots[which : which + 1]) if which >= 0 else []
    if found:
        return found[0]
    titles = "; ".join(each.title for each in plots)
    there = f"use one of: {titles}" if titles else "it has nothing to draw"
    raise UsageError(f"There is no plot {which!r} of {run.name}: {there}.")
