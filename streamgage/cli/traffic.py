"""``streamgage traffic``."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, TextIO

import typer

from streamgage.cli.pictures import picture_file
from streamgage.commands import traffic as api
from streamgage.errors import UsageError
from streamgage.records import Counters, Interval
from streamgage.show.output import Output, open_output
from streamgage.show.symbols import symbols_for
from streamgage.show.terminal import FILE_WIDTH
from streamgage.tools.traffic.document import Trust, WatchedTraffic
from streamgage.tools.traffic.seen import domain_names, seen_interval
from streamgage.tools.traffic.watch import Show

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


def traffic(
    *,
    command: Annotated[
        list[str] | None,
        typer.Argument(metavar="[-- CMD ARG..]", help="Program to run; default: until Ctrl-C."),
    ] = None,
    interval: Annotated[
        str, typer.Option(metavar="SECONDS", help="Length of an interval, from 0.01.")
    ] = "1",
    csv: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write the intervals as CSV; -: to stdout.")
    ] = None,
    json: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write everything as JSON; -: to stdout.")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", metavar="FILE", help="Draw FILE.svg or FILE.png, with its data in FILE.csv."
        ),
    ] = None,
    peak: Annotated[
        str | None,
        typer.Option(metavar="GB/S", help="Theoretical peak of the memory; default: as found."),
    ] = None,
    replay: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Show a recording, or a folder of one.")
    ] = None,
    root: Annotated[Path | None, typer.Option(metavar="DIR", hidden=True)] = None,
) -> int:
    """Show what crosses the memory bus, beside a program or live."""
    picture = picture_file(output)
    if picture is not None and csv is None:
        csv = str(picture.with_suffix(".csv"))  # a picture has its data beside it
    with _open_files(csv, json, picture) as files:
        watch = partial(
            api.traffic, command, interval=interval, peak=peak, replay=replay, root=root
        )
        try:
            if command:
                seen = watch()
            else:
                with _showing(files, live=replay is None) as show:
                    seen = watch(show=show)
        except api.NoCountersError as error:
            _tell_sources(error.counters, command=bool(command))
            return error.exit_status
        _tell(seen.document, sys.stderr if command or files.on_stdout else sys.stdout)
        files.write(seen)
    return seen.exit_status


@dataclass(frozen=True)
class _Files:
    """Where the documents go besides the summary; null: they are not asked for."""

    csv: Output | None
    json: Output | None
    picture: Output | None
    on_stdout: bool

    def write(self, seen: api.Traffic) -> None:
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

        def opened(name: str | None, option: str) -> Output | None:
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


def _silent(_counters: Counters, _new: Sequence[Interval], _trust: Trust) -> None:
    """A recording is over at once, and documents have stdout for themselves."""


def _print_lines(_counters: Counters, new: Sequence[Interval], trust: Trust) -> None:
    from streamgage.tools.traffic.lines import line

    for each in new:
        shown = seen_interval(each)
        print(line(shown, domain_names(each), trust), flush=True)


def _tell(watched: WatchedTraffic, stream: TextIO) -> None:
    from streamgage.tools.traffic.summary import render

    print(render(watched, _width(), symbols_for(stream.encoding)), end="", file=stream, flush=True)


def _tell_sources(counters: Counters, *, command: bool) -> None:
    from streamgage.tools.traffic.sources import render

    print(render(counters, _width(), command=command), end="", file=sys.stderr)


def _width() -> int:

    return min(FILE_WIDTH, shutil.get_terminal_size((FILE_WIDTH, 24)).columns)
