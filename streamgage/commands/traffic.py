"""What crosses the memory bus."""

from __future__ import annotations

import os
import shutil
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar, TextIO, TypedDict, Unpack

from streamgage.api.answers import AS_FILE, BaseAnswer
from streamgage.api.declaration import Default, Form, PythonOnly, command
from streamgage.api.drawing import picture_file
from streamgage.api.notes import Notes
from streamgage.api.rows import Rows, rows_of
from streamgage.api.values import (
    Command,
    PathLike,
    Rate,
    Seconds,
    as_path,
    given_peak,
    seconds_within,
    words_of,
)
from streamgage.errors import StreamgageError, UsageError
from streamgage.records import Counters, Interval
from streamgage.show.detail import PLAIN, Detail
from streamgage.show.formats import as_json
from streamgage.show.output import Output as OpenOutput
from streamgage.show.output import open_output
from streamgage.show.symbols import UNICODE, symbols_for
from streamgage.show.terminal import FILE_WIDTH
from streamgage.tools.traffic import watch as study
from streamgage.tools.traffic.data import data_of
from streamgage.tools.traffic.document import TrafficResult, Trust, Verdict, Volume
from streamgage.tools.traffic.rates import domain_names, seen_interval
from streamgage.tools.traffic.watch import Show
from streamgage.units import count

if TYPE_CHECKING:
    import pandas

LEAST_INTERVAL = 0.01
LONGEST_INTERVAL = 3600.0
_STDOUT = "-"
EXAMPLES = (
    ("streamgage traffic -- ./program", "What crosses the memory bus while ./program runs."),
    (
        "streamgage traffic --replay examples/two-packages -o traffic.svg",
        "A recording of counters, with a picture.",
    ),
)
EXIT_STATUSES = {
    "0": "With a program, any status is the program's own.",
    "1": "Nothing here can count what crosses the memory bus.",
    "126, 127": "The program cannot be run; there is no such program.",
    "128 + n": "The program was ended by signal n.",
}


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


class Traffic(BaseAnswer[TrafficResult]):
    """What was moved, interval by interval, and what that means. Nothing is subtracted."""

    _forms: ClassVar[dict[str, str]] = {
        **{".txt": "table", ".json": "json", ".csv": "csv"},
        **{".svg": "picture", ".png": "picture"},
    }

    def __init__(
        self, document: TrafficResult, exit_status: int = 0, notes: tuple[str, ...] = ()
    ) -> None:
        """Of the document that ``--json`` writes."""
        super().__init__(document, notes)
        self._exit_status = exit_status

    @property
    def exit_status(self) -> int:
        """That of the program, as a shell has it: 128 + n after signal n.

        Without one: 1 where the counters could not be read to the end, 143 after SIGTERM, else 0.
        """
        return self._exit_status

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
        return self.printed("csv")

    def to_pandas(self) -> pandas.DataFrame:
        """``rates`` as a data frame. Raises ``UsageError`` where pandas is not installed."""
        return self.rates.to_pandas()

    def printed(self, form: str, _file: Path | None = AS_FILE, _detail: Detail = PLAIN) -> str:
        """What the command writes, or says at its end."""
        if form == "json":
            return as_json(self.document)
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


class Options(TypedDict, total=False):
    """What is traffic, and how.

    Args:
        interval: Length of an interval, from 0.01. In Python seconds.
        peak: Theoretical peak of the memory; default: as found. In Python GB/s.
        replay: Show a recording, or a folder of one.
        root: A folder whose proc and sys are taken in place of this system's.
        progress: Print sentences; they are in ``notes``, too.
    """

    interval: Annotated[Seconds, Default(1)]
    peak: Rate | None
    replay: PathLike | None
    root: Annotated[PathLike | None, Form("DIR", hidden=True)]
    progress: Annotated[bool, Default(True), PythonOnly(True)]


@command()
def traffic(
    command: Command | None = None, *, show: Show = _silent, **options: Unpack[Options]
) -> Traffic:
    """Watch what crosses the memory bus, beside a program or live: ``streamgage traffic``.

    The program has this process's standard input and output. Without one everything that runs is
    watched until Ctrl-C, which is how that is meant to end: the result is returned. For a fixed
    time, watch beside ``sleep 10``.

    Args:
        command: The program with its arguments, in a list, or as one types them.
        show: Without a program, called with the source, the intervals that are new, and whether
            they are believed.
        **Options

    Raises:
        UsageError: the request cannot be met; nothing was run.
        NoCountersError: nothing here can count memory traffic; the program was not run.
        StreamgageError: the program cannot be run, or the engine fails.
    """
    words = words_of(command)
    replay = options["replay"]
    if replay is not None and words:
        raise UsageError("--replay shows a recording, beside which no program runs: leave one out.")
    seconds = seconds_within("--interval", options["interval"], LEAST_INTERVAL, LONGEST_INTERVAL)
    plan = study.make_plan(seconds, as_path("--root", options["root"]), as_path("--replay", replay))
    request = study.Request(plan, given_peak(options["peak"]))
    notes = Notes(options["progress"])
    if words:
        outcome = study.watch_command(request, words, notes)
    else:
        if replay is None and threading.current_thread() is not threading.main_thread():
            raise UsageError(
                "A watch without a program ends with Ctrl-C, which only the main thread gets: name"
                " a program to watch beside, such as `sleep 10`."
            )
        outcome = study.watch_machine(request, notes, show)
    if outcome.traffic is None:
        raise NoCountersError(outcome.counters, program=bool(words))
    return Traffic(outcome.traffic, outcome.exit_status, tuple(notes.sentences))


@command()
def command_line(
    program: Command | None = None,
    *,
    csv: Annotated[str | None, Form("FILE")] = None,
    json: Annotated[str | None, Form("FILE")] = None,
    output: Annotated[PathLike | None, Form("FILE", file=True, flags=("-o",))] = None,
    **options: Unpack[Options],
) -> int:
    """Show what crosses the memory bus, beside a program or live.

    Args:
        program: Program to run; default: until Ctrl-C.
        csv: Write the intervals as CSV; -: to stdout.
        json: Write everything as JSON; -: to stdout.
        output: Draw FILE.svg or FILE.png, with its data in FILE.csv.
        **Options
    """
    picture = picture_file(as_path("-o", output))
    if picture is not None and csv is None:
        csv = str(picture.with_suffix(".csv"))  # a picture has its data beside it
    with _open_files(csv, json, picture) as files:
        watch = partial(traffic, program, **options)
        try:
            if program:
                seen = watch()
            else:
                with _showing(files, live=options["replay"] is None) as show:
                    seen = watch(show=show)
        except NoCountersError as error:
            _show_sources(error.counters, command=bool(program))
            return error.exit_status
        _show(seen.document, sys.stderr if program or files.on_stdout else sys.stdout)
        files.write(seen)
    return seen.exit_status


@dataclass(frozen=True)
class _Files:
    """Where the documents go besides the summary; null: they are not asked for."""

    csv: OpenOutput | None
    json: OpenOutput | None
    picture: OpenOutput | None
    on_stdout: bool

    def write(self, seen: Traffic) -> None:
        """Write what was asked for."""
        if self.csv is not None:
            self.csv.write(seen.to_csv())
        if self.json is not None:
            self.json.write(seen.to_json())
        if self.picture is not None and self.picture.path is not None:
            from streamgage.show.picture import picture_bytes
            from streamgage.tools.traffic.plot import draw

            self.picture.write_bytes(picture_bytes(draw(seen.document), self.picture.path))


@contextmanager
def _open_files(csv: str | None, json: str | None, picture: Path | None) -> Iterator[_Files]:
    """The files, which are known to be writable before anything runs."""
    named = [each for each in (csv, json, picture and str(picture)) if each is not None]
    if len({os.path.realpath(each) for each in named}) < len(named):
        raise UsageError(
            "--csv, --json and -o name the same file, and one would overwrite the other: name"
            " several."
        )
    with ExitStack() as stack:

        def opened(name: str | None, option: str) -> OpenOutput | None:
            if name is None:
                return None
            path = None if name == _STDOUT else Path(name)
            return stack.enter_context(open_output(path, option))

        yield _Files(
            opened(csv, "--csv"),
            opened(json, "--json"),
            opened(str(picture), "-o") if picture is not None else None,
            _STDOUT in (csv, json),
        )


@contextmanager
def _showing(files: _Files, *, live: bool) -> Iterator[Show]:
    """What shows the intervals as they come: a view on a terminal, lines in a pipe."""
    if files.on_stdout or not live:
        yield _silent
    elif sys.stdout is not None and sys.stdout.isatty() and os.environ.get("TERM") != "dumb":
        from streamgage.tools.traffic.live import live_view

        with live_view(symbols_for(sys.stdout.encoding)) as view:
            yield lambda counters, new, trust: view.add(
                counters.source or "",
                domain_names(new[0]),
                [seen_interval(each) for each in new],
                trust,
            )
    else:
        yield _print_lines


def _print_lines(_counters: Counters, new: Sequence[Interval], trust: Trust) -> None:
    from streamgage.tools.traffic.live import line

    for each in new:
        shown = seen_interval(each)
        print(line(shown, domain_names(each), trust), flush=True)


def _show(traffic: TrafficResult, stream: TextIO) -> None:
    from streamgage.tools.traffic.summary import render

    print(render(traffic, _width(), symbols_for(stream.encoding)), end="", file=stream, flush=True)


def _show_sources(counters: Counters, *, command: bool) -> None:
    from streamgage.tools.traffic.sources import render

    print(render(counters, _width(), command=command), end="", file=sys.stderr)


def _width() -> int:
    return min(FILE_WIDTH, shutil.get_terminal_size((FILE_WIDTH, 24)).columns)
