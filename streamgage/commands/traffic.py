"""What crosses the memory bus."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from streamgage.api.answers import BaseAnswer
from streamgage.api.notes import Notes
from streamgage.api.rows import Rows, rows_of
from streamgage.api.values import Command, PathLike, as_path, given_peak, seconds_within, words_of
from streamgage.errors import StreamgageError, UsageError
from streamgage.records import Counters, Interval
from streamgage.show.symbols import UNICODE
from streamgage.show.terminal import FILE_WIDTH
from streamgage.tools.traffic import watch as study
from streamgage.tools.traffic.data import data_of
from streamgage.tools.traffic.document import Trust, Verdict, Volume, WatchedTraffic
from streamgage.tools.traffic.watch import Show
from streamgage.units import count

if TYPE_CHECKING:
    import pandas

LEAST_INTERVAL = 0.01
LONGEST_INTERVAL = 3600.0


class NoCountersError(StreamgageError):
    """Nothing here can count what crosses the memory bus; ``counters`` says what was looked for."""

    def __init__(self, counters: Counters, *, program: bool) -> None:
        """``program``: there was one, which was not run."""
        left_out = ", and the program was not run" if program else ""
        super().__init__(
            f"No source of memory traffic can be read here{left_out}: `streamgage doctor"
            " --counters` says why, and what would change that."
        )
        self.counters = counters


class Traffic(BaseAnswer[WatchedTraffic]):
    """What was moved, interval by interval, and what that means. Nothing is subtracted."""

    _forms: ClassVar[dict[str, str]] = {
        **{".txt": "table", ".json": "json", ".csv": "csv"},
        **{".svg": "picture", ".png": "picture"},
    }

    def __init__(
        self, document: WatchedTraffic, exit_status: int = 0, notes: tuple[str, ...] = ()
    ) -> None:
        """Of the document that ``--json`` writes."""
        super().__init__(document, notes)
        self.exit_status = exit_status
        """That of the program, as a shell has it: 128 + n after signal n. Without one: 1 where the
        counters could not be read to the end, 143 after SIGTERM, else 0."""

    @property
    def whole(self) -> Volume:
        """Bytes that all domains moved together, and their average rates in GB/s."""
        return self.document.whole

    @property
    def domains(self) -> list[Volume]:
        """The same of each package or NUMA node."""
        return list(self.document.domains)

    @property
    def trust(self) -> Trust:
        """Whether the source's figures are believed, and why."""
        return self.document.trust

    @property
    def verdicts(self) -> list[Verdict]:
        """Answers, each with its question and its figures in ``text``."""
        return list(self.document.verdicts)

    @property
    def failure(self) -> str | None:
        """Why the watch ended early; ``None`` where it did not."""
        return self.document.failure

    @cached_property
    def rates(self) -> Rows:
        """A row an interval and domain, with the columns of ``--csv``; seconds, and GB/s."""
        return rows_of(data_of(self.document), f"Memory traffic, by {self.document.source}")

    def to_csv(self) -> str:
        """What ``--csv`` writes."""
        return self._text("csv")

    def to_pandas(self) -> pandas.DataFrame:
        """``rates`` as a data frame. Raises ``UsageError`` where pandas is not installed."""
        return self.rates.to_pandas()

    def _text(self, form: str) -> str:
        if form == "json":
            from streamgage.show.json import document

            return document(self.document)
        if form == "csv":
            from streamgage.show.csv import render as csv

            return csv(data_of(self.document))
        from streamgage.tools.traffic.summary import render

        return render(self.document, FILE_WIDTH, UNICODE)

    def _content(self, form: str, file: Path) -> bytes:
        if form != "picture":
            return super()._content(form, file)
        from streamgage.show.picture import picture_bytes
        from streamgage.tools.traffic.plot import draw

        return picture_bytes(draw(self.document), file)

    def __repr__(self) -> str:
        return f"<memory traffic in {count(len(self.document.intervals), 'interval')}>"


def _silent(_counters: Counters, _new: Sequence[Interval], _trust: Trust) -> None:
    """For those who look at the end alone."""


def traffic(
    command: Command | None = None,
    *,
    interval: float | str = 1,
    peak: float | str | None = None,
    replay: PathLike | None = None,
    root: PathLike | None = None,
    show: Show = _silent,
    progress: bool = True,
) -> Traffic:
    """Watch what crosses the memory bus, beside a program or live: ``streamgage traffic``.

    The program has this process's standard input and output. Without one everything that runs is
    watched until Ctrl-C, which is how that is meant to end: the result is returned. For a fixed
    time, watch beside ``sleep 10``.

    Args:
        command: the program with its arguments, in a list, or as one types them.
        interval: seconds of an interval, from 0.01.
        peak: theoretical peak of the memory in GB/s; default: as found.
        replay: show a recording, or a folder of one.
        root: a folder whose ``proc`` and ``sys`` are taken in place of this system's.
        show: without a program, called with the source, the intervals that are new, and whether
            they are believed.
        progress: print sentences; they are in ``notes``, too.

    Raises:
        UsageError: the request cannot be met; nothing was run.
        NoCountersError: nothing here can count memory traffic; the program was not run.
        StreamgageError: the program cannot be run, or the engine fails.
    """
    words = words_of(command)
    if replay is not None and words:
        raise UsageError("--replay shows a recording, beside which no program runs: leave one out.")
    seconds = seconds_within("--interval", interval, LEAST_INTERVAL, LONGEST_INTERVAL)
    plan = study.make_plan(seconds, as_path("--root", root), as_path("--replay", replay))
    request = study.Request(plan, given_peak(peak))
    notes = Notes(progress)
    if words:
        outcome = study.watch_beside(request, words, notes)
    else:
        if replay is None and threading.current_thread() is not threading.main_thread():
            raise UsageError(
                "A watch without a program ends with Ctrl-C, which only the main thread gets: name"
                " a program to watch beside, such as `sleep 10`."
            )
        outcome = study.watch_machine(request, notes, show)
    if outcome.watched is None:
        raise NoCountersError(outcome.counters, program=bool(words))
    return Traffic(outcome.watched, outcome.exit_status, tuple(notes.sentences))
