"""Count what crosses the memory bus."""

from __future__ import annotations

import os
import shutil
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, TextIO, TypedDict, Unpack

from msgspec.structs import replace

from streamgage.advice import advice, command_name
from streamgage.analysis.conclusion import Conclusion, no_firmer, texts
from streamgage.api.answers import Text
from streamgage.api.lookup import Named, loaded_from
from streamgage.api.runs import BaseRun, Ending
from streamgage.api.series import SeriesRun, name_of
from streamgage.errors import StreamgageError, UsageError
from streamgage.measurement.notes import Notes
from streamgage.options.declaration import Default, Form, command
from streamgage.options.files import Opens
from streamgage.options.label import LabelOptions, label_in
from streamgage.options.place import StoringOptions, destination_in, place_of
from streamgage.options.question import Question
from streamgage.options.values import (
    Command,
    NewFile,
    PathLike,
    Rate,
    Seconds,
    as_path,
    given_peak,
    seconds_within,
    words_of,
)
from streamgage.process.engine import EngineError
from streamgage.programs.traffic import watch
from streamgage.programs.traffic.on_curve import doubts_of, on_curve
from streamgage.programs.traffic.own_rates import Pattern
from streamgage.programs.traffic.printed_rates import read_rates, watch_lines
from streamgage.programs.traffic.rates import domain_names, seen_interval
from streamgage.programs.traffic.watch import Show
from streamgage.records import Counters, Interval, Machine
from streamgage.records.address import StorePlace
from streamgage.results.kinds import result_of
from streamgage.results.latency.document import Latency
from streamgage.results.result import Result
from streamgage.results.traffic.document import OnCurve, TrafficResult, Trust, Verdict, Volume
from streamgage.show.output import Output as OpenOutput
from streamgage.show.output import is_stdout, open_output
from streamgage.show.picture_data import PictureOutput, open_picture
from streamgage.show.picture_file import Width, picture_file
from streamgage.show.symbols import UNICODE, symbols_for
from streamgage.show.terminal import FILE_WIDTH
from streamgage.show.wrap import say
from streamgage.store.destination import store_document
from streamgage.units import count

LEAST_INTERVAL = 0.01
LONGEST_INTERVAL = 3600.0
_WITHOUT_COUNTERS = (
    " Without counters, --bytes-per-second-from takes the rates that the program itself prints."
)
ANSWERS = Question.PROGRAM
EXAMPLES = (
    ("streamgage traffic -- ./program", "Show what crosses the memory bus while ./program runs."),
    (
        "streamgage traffic --replay examples/two-packages -o traffic.svg",
        "Show a recording of counters, with a picture.",
    ),
    (
        "streamgage traffic --on latency.json -- ./program",
        "The same, with each interval placed on this machine's latency curve.",
    ),
    (
        "streamgage traffic --bytes-per-second-from '([0-9.]+ GB/s)' -- ./program",
        "Without counters: use the rates that the program prints.",
    ),
)
EXIT_STATUSES = {
    "0": "If you gave a program, the exit status is that of the program.",
    "1": "Nothing on this machine can count what crosses the memory bus.",
    "126, 127": "The program cannot be run; there is no such program.",
    "128 + n": "The program was ended by signal n.",
}


class NoCountersError(StreamgageError):
    """Nothing here can count memory traffic. ``counters`` lists the sources that were tried."""

    def __init__(self, counters: Counters, *, program: bool) -> None:
        """``program`` is ``True`` if a program was named; it was not run."""
        left_out = ", and the program was not run" if program else ""
        super().__init__(
            f"No counter of memory traffic can be read here{left_out}:"
            f" {advice('doctor', '--counters')} says why, and what would change that."
        )
        self.counters = counters


class Traffic(SeriesRun[TrafficResult]):
    """The traffic of each interval, and conclusions from it. The system's own traffic is included.

    ``exit_status`` is the program's, as a shell gives it: 128 + n after signal n. Without a
    program: 1 if the counters failed before the end, 143 after SIGTERM, else 0.
    """

    @property
    def whole(self) -> Volume:
        """The bytes of all domains together, and their average rates in GB/s."""
        return self.document.whole

    @property
    def domains(self) -> list[Volume]:
        """The bytes and average rates of each package or NUMA node."""
        return list(self.document.domains)

    @property
    def source_trust(self) -> Trust:
        """The trust in the source's figures: whether there is any, and why."""
        return self.document.source_trust

    @property
    def verdicts(self) -> list[Verdict]:
        """Conclusions, each with its question and its figures in ``text``."""
        return list(self.document.verdicts)

    def table(self, *, details: bool = False) -> Text:
        """The text that the command prints at its end, 100 characters wide."""
        from streamgage.programs.traffic.summary import render

        return Text(render(self.document, FILE_WIDTH, UNICODE))

    def picture(self, file: Path, width: Width | None = None) -> bytes:
        """The picture that the command draws, by the suffix of ``file``."""
        from streamgage.programs.traffic.plot import draw
        from streamgage.show.picture import drawn_for, picture_bytes

        with drawn_for(file):
            return picture_bytes(draw(self.document), file)

    def __repr__(self) -> str:
        return f"<memory traffic in {count(len(self.document.intervals), 'interval')}>"


def _silent(_counters: Counters, _new: Sequence[Interval], _trust: Trust) -> None:
    """Show nothing, for callers who only read the result."""


class WatchOptions(TypedDict, total=False):
    """Options for counting traffic.

    Args:
        interval: Length of an interval, from 0.01. In Python seconds.
        peak: Theoretical peak of the memory; default: what was found. In Python GB/s.
        replay: Show a recording of counters: a file or a folder.
        on: A result of `streamgage latency`; the answer then says where each interval lies on its
            curve of latency over bandwidth. In Python a result of ``latency``, too.
        recorded: Instead of watching, read the file that an earlier watch wrote with --json, or,
            with --bytes-per-second-from, the output of a program.
        bytes_per_second_from: Use the rates that the program prints, on machines without counters:
            a regular expression whose parentheses hold the rate, such as '([0-9.]+ GB/s)', or
            json, likwid or papi.
        root: A folder whose proc and sys are read instead of this system's.
    """

    interval: Annotated[Seconds, Default(1)]
    peak: Rate | None
    replay: PathLike | None
    on: Annotated[Named | BaseRun[Any] | None, Form("RUN|FILE", completes="runs")]
    recorded: Annotated[PathLike | None, Form("FILE", file=True)]
    bytes_per_second_from: Annotated[str | None, Form("REGEX")]
    root: Annotated[PathLike | None, Form("DIR", hidden=True), Opens.NOTHING]


class Options(WatchOptions, LabelOptions, StoringOptions, total=False):
    """All options of ``traffic``."""


@command()
def traffic(
    command: Command | None = None, *, show: Show = _silent, **options: Unpack[Options]
) -> Traffic:
    """Watch what crosses the memory bus, while a program runs or live: ``streamgage traffic``.

    The program gets this process's standard input and output. Without a program, everything on
    the machine is watched until Ctrl-C, and the result is returned. To watch for a fixed time,
    give ``sleep 10`` as the program.

    Args:
        command: The program with its arguments: a list, or a string as on a command line.
        show: Without a program: called for new intervals, with the source, the intervals, and the
            trust in them.
        **WatchOptions
        **LabelOptions
        **StoringOptions

    Raises:
        UsageError: the request cannot be met; nothing was run.
        NoCountersError: nothing can count memory traffic; the program was not run.
        StreamgageError: the program cannot be run, or the engine fails.
    """
    words = words_of(command)
    replay = options["replay"]
    if replay is not None and words:
        raise UsageError("--replay shows a recording and runs no program: leave one out.")
    notes = Notes(options["progress"])
    label = label_in(options)
    earlier = None if options["store"] is None else place_of(options["store"])
    curve = None if options["on"] is None else _curve(options["on"], earlier, notes)
    is_read = any(each is not None for each in (replay, options["recorded"], options["root"]))
    destination = destination_in(None if is_read else options["store"], notes)

    def ended(seen: TrafficResult, status: int) -> Traffic:
        document = replace(_placed(seen, curve), label=label)
        stored = store_document(destination, document, notes)
        ending = Ending(status, None, stored, destination, tuple(notes.sentences))
        return Traffic(result_of(document, name_of(stored)), ending)

    printed = _of_output(words, options)
    if printed is not None:
        return ended(*printed)
    seconds = seconds_within("--interval", options["interval"], LEAST_INTERVAL, LONGEST_INTERVAL)
    plan = watch.make_plan(seconds, as_path("--root", options["root"]), as_path("--replay", replay))
    request = watch.WatchRequest(plan, given_peak(options["peak"]), earlier)
    if words:
        outcome = watch.watch_command(request, words, notes)
    else:
        if replay is None and threading.current_thread() is not threading.main_thread():
            raise UsageError(
                "Without a program, traffic ends with Ctrl-C, which only the main thread"
                " receives: name a program to watch, such as `sleep 10`."
            )
        outcome = watch.watch_machine(request, notes, show)
    if outcome.traffic is None:
        raise NoCountersError(outcome.counters, program=bool(words))
    return ended(outcome.traffic, outcome.exit_status)


def _of_output(words: list[str], options: Options) -> tuple[TrafficResult, int] | None:
    """A result that needs no counters, with its exit status; ``None`` if counters are needed."""
    expression = options["bytes_per_second_from"]
    recorded = as_path("--recorded", options["recorded"])
    if expression is None and recorded is None:
        return None
    if options["replay"] is not None:
        raise UsageError(
            "--replay shows a recording of counters: leave out --recorded and"
            " --bytes-per-second-from."
        )
    if recorded is not None and words:
        raise UsageError("--recorded reads an earlier result and runs no program: leave one out.")
    pattern = None if expression is None else Pattern(expression)
    if recorded is not None:
        return read_rates(recorded, pattern), 0
    if not words or pattern is None:
        raise UsageError(
            "--bytes-per-second-from needs a program after --, or --recorded with a file of a"
            " program's output."
        )
    return watch_lines(words, pattern, _machine_if_known())


def _machine_if_known() -> Machine | None:
    """The machine; ``None`` without an engine: printed rates can be read without one."""
    try:
        return watch.this_machine()
    except EngineError:
        return None


def _curve(on: Named | BaseRun[Any], store: StorePlace | None, notes: Notes) -> Result[Any]:
    """Load a result of latency. Raises ``UsageError`` for another kind, or if it has no load."""
    loaded = loaded_from(on, store, notes)
    if not isinstance(loaded.document, Latency):
        raise UsageError(
            f"--on {loaded.name} is a result of {loaded.kind.command}, not of"
            f" {command_name('latency')}: name one."
        )
    reason = on_curve([], loaded.document, loaded.name)
    if isinstance(reason, str):
        raise UsageError(f"{reason}.")
    return loaded


def _placed(seen: TrafficResult, curve: Result[Any] | None) -> TrafficResult:
    """Return the result with the place of each interval on the curve, if there is a curve."""
    if curve is None:
        return seen
    assert isinstance(curve.document, Latency)
    doubts = doubts_of(seen, curve.document)
    if curve.trust.verdict == "not-quotable":
        doubts.append(
            f"The curve of {curve.name} is not quotable: measure it again on a quiet machine."
        )
    found = on_curve(seen.intervals, curve.document, curve.name, doubts)
    assert isinstance(found, OnCurve), "the curves were checked before"
    if seen.source_trust.refused:
        found = replace(
            found, text=("The traffic cannot be placed on the curve: its source is not trusted.")
        )
    said = no_firmer([Conclusion(grade=found.grade, text=found.text)], curve.trust)
    return replace(seen, curve=replace(found, text=" ".join(texts(said)), grade=said[-1].grade))


@command()
def command_line(
    program: Command | None = None,
    *,
    csv: Annotated[NewFile | None, Form("FILE", file=True)] = None,
    json: Annotated[NewFile | None, Form("FILE", file=True)] = None,
    output: Annotated[NewFile | None, Form("FILE", file=True, flags=("-o",))] = None,
    **options: Unpack[Options],
) -> int:
    """Show what crosses the memory bus.

    It shows the traffic while a program runs, or live until Ctrl-C.

    Args:
        program: Program to run; default: none, watch until Ctrl-C.
        csv: Write the intervals as CSV; -: to stdout.
        json: Write everything as JSON; -: to stdout.
        output: Draw a picture in FILE.svg, .png, .pdf or .eps, with its data in FILE.csv.
        **WatchOptions
        **LabelOptions
        **StoringOptions
    """
    picture = picture_file(as_path("-o", output))
    with _open_files(as_path("--csv", csv), as_path("--json", json), picture) as files:
        run = partial(traffic, program, **options)
        try:
            if program or options["recorded"] is not None:
                seen = run()
            else:
                with _showing(files, live=options["replay"] is None) as show:
                    seen = run(show=show)
        except NoCountersError as error:
            _show_sources(error.counters, command=bool(program))
            if program:
                print(_WITHOUT_COUNTERS, file=sys.stderr)
            return error.exit_status
        _show(seen.document, sys.stderr if program or files.on_stdout else sys.stdout)
        files.write(seen)
        for sentence in seen.ending.seen_again():
            say(sentence)
    return seen.exit_status


@dataclass(frozen=True)
class _Files:
    """The files that are written besides the summary; ``None``: not wanted."""

    csv: OpenOutput | None
    json: OpenOutput | None
    picture: OpenOutput | PictureOutput | None
    on_stdout: bool

    def write(self, seen: Traffic) -> None:
        """Write every document that has a file."""
        if self.csv is not None:
            self.csv.write(seen.to_csv())
        if self.json is not None:
            self.json.write(seen.to_json())
        if isinstance(self.picture, PictureOutput):
            self.picture.write(seen.picture(self.picture.path), seen.to_csv())
        elif self.picture is not None and self.picture.path is not None:
            self.picture.write_bytes(seen.picture(self.picture.path))


@contextmanager
def _open_files(csv: Path | None, json: Path | None, picture: Path | None) -> Iterator[_Files]:
    """Open the files, so that a file that cannot be written fails before anything runs.

    A picture has its data next to it, unless ``csv`` names another place.
    """
    if is_stdout(csv) and is_stdout(json):
        raise UsageError("--csv - and --json - both go to stdout: name a file for one of them.")
    with ExitStack() as stack:
        to_csv, to_json = (
            None if path is None else stack.enter_context(open_output(path, option))
            for path, option in ((csv, "--csv"), (json, "--json"))
        )
        drawn: OpenOutput | PictureOutput | None = None
        if picture is not None:
            drawn = (
                stack.enter_context(open_picture(picture, "csv"))
                if csv is None
                else stack.enter_context(open_output(picture))
            )
        yield _Files(to_csv, to_json, drawn, is_stdout(csv) or is_stdout(json))


@contextmanager
def _showing(files: _Files, *, live: bool) -> Iterator[Show]:
    """Show each interval as it comes: in a live view on a terminal, as lines in a pipe."""
    if files.on_stdout or not live:
        yield _silent
    elif sys.stdout is not None and sys.stdout.isatty() and os.environ.get("TERM") != "dumb":
        from streamgage.programs.traffic.live import live_view

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
    from streamgage.programs.traffic.live import line

    for each in new:
        shown = seen_interval(each)
        print(line(shown, domain_names(each), trust), flush=True)


def _show(traffic: TrafficResult, stream: TextIO) -> None:
    from streamgage.programs.traffic.summary import render

    print(render(traffic, _width(), symbols_for(stream.encoding)), end="", file=stream, flush=True)


def _show_sources(counters: Counters, *, command: bool) -> None:
    from streamgage.programs.traffic.sources import render

    print(render(counters, _width(), command=command), end="", file=sys.stderr)


def _width() -> int:
    return min(FILE_WIDTH, shutil.get_terminal_size((FILE_WIDTH, 24)).columns)
