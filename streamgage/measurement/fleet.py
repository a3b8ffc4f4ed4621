"""Judges a fleet with the user's options, compares it with earlier ones, and writes the files."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, TypedDict

import msgspec

from streamgage.analysis.conclusion import supports, why_none
from streamgage.analysis.statistics.outliers import FEWEST
from streamgage.api.answers import AS_FILE
from streamgage.api.report_file import format_of, require_packages, write_report
from streamgage.api.runs import Ending
from streamgage.api.series import SeriesRun, just_measured
from streamgage.errors import BROKEN, FAILED, UNCERTAIN, StreamgageError, UsageError
from streamgage.measurement.notes import Notes
from streamgage.options.declaration import CommandLineOnly, Default, Form
from streamgage.options.values import NewFile, PathLike, Rate, as_float, as_path
from streamgage.process.fleet.drained import drained_for
from streamgage.process.installation import require
from streamgage.process.scheduler_commands import require_program, run_all
from streamgage.results.fleet.baseline import Baseline, baseline_of, read_baseline
from streamgage.results.fleet.document import VERDICTS, Fleet
from streamgage.results.fleet.drain import (
    BY_US,
    SCHEDULERS,
    drain_commands,
    drain_lines,
    nodes_to_drain,
    resume_commands,
    typed,
)
from streamgage.results.fleet.drift import MOST_RUNS, PastRun, past_of
from streamgage.results.fleet.gather import Gathered
from streamgage.results.fleet.judge import Rules, judge
from streamgage.results.fleet.nodes import folded
from streamgage.results.fleet.topology import Place, topology_of
from streamgage.results.fleet.words import node_in_words
from streamgage.results.kinds import result_of, words_of
from streamgage.results.result import Result
from streamgage.show.output import open_output, require_writable
from streamgage.store.destination import Destination, store_series
from streamgage.units import count

_ROWS = (".csv", ".jsonl", ".parquet")
_LISTED = 20
_SILENT = "silent"
_ON_CLUSTERS = ("slurm", "pbs", "flux")


class JudgeOptions(TypedDict, total=False):
    """Options for judging a fleet and for the files to write.

    Args:
        limit: The least loss that makes a node slow, e.g. 3%. In Python a share, too.
        topology: Slurm's topology.conf, or a pattern of names such as 'r{rack}n{node}'.
        baseline: File written by --write-baseline, to judge classes of few nodes.
        write_baseline: Write the figures of the healthy nodes of each class to FILE, for
            --baseline.
        page: Write a page with histograms, a map of the racks and the suspects to FILE.html.
        rows: Write a row for every figure of every node to FILE.csv, .jsonl or .parquet.
    """

    limit: Annotated[Rate, Form("SHARE"), Default("3%")]
    topology: Annotated[PathLike | None, Form("FILE|PATTERN", file=True)]
    baseline: PathLike | None
    write_baseline: NewFile | None
    page: NewFile | None
    rows: NewFile | None


class DrainOptions(TypedDict, total=False):
    """Options for draining slow nodes.

    Args:
        names: Print only the names of the nodes with this verdict, folded in one line: slow, wrong,
            flapping, suspect, cannot-tell, not-judged, fine or silent.
        print_drain: Print the commands that drain the slow nodes, and nothing else: those of the
            scheduler that the fleet was measured by, or that is installed here.
        print_resume: Print the commands that put back the nodes that were drained for a reason of
            streamgage and are fine now, and nothing else: those of the same scheduler.
        drain: Drain the slow nodes by that scheduler, after a question on the terminal.
    """

    names: Annotated[str | None, CommandLineOnly(), Form("VERDICT")]
    print_drain: Annotated[bool, CommandLineOnly()]
    print_resume: Annotated[bool, CommandLineOnly()]
    drain: Annotated[bool, CommandLineOnly()]


class FleetAnswer(SeriesRun[Fleet]):
    """A judged fleet."""

    def __init__(
        self, result: Result[Fleet], ending: Ending, *, lines: Sequence[str] | None = None
    ) -> None:
        """With ``lines``, print these instead of the answer."""
        super().__init__(result, ending)
        self._lines = lines

    @property
    def drain_lines(self) -> list[str]:
        """The commands that drain the slow nodes."""
        return drain_lines(self.document, scheduler_here(self.document))

    def printed(self, form: str, file: Path | None = AS_FILE, details: bool = False) -> str:
        """The text that the command prints with ``--format``, or the lines asked for instead."""
        if self._lines is not None:
            return "".join(f"{each}\n" for each in self._lines)
        return super().printed(form, file, details)


class FleetJudge:
    """Judges a fleet with options that are validated before anything runs."""

    def __init__(self, options: JudgeOptions, destination: Destination, notes: Notes) -> None:
        """Validate the options. Raises ``UsageError`` for an option that cannot be met."""
        self.notes = notes
        self.destination = destination
        self.limit = share_of_limit(options["limit"])
        topology, baseline = options["topology"], as_path("--baseline", options["baseline"])
        self.place: Place = (lambda _: None) if topology is None else topology_of(str(topology))
        self.baseline: Baseline | None = None if baseline is None else read_baseline(baseline)
        self.write_baseline = as_path("--write-baseline", options["write_baseline"])
        require_writable(self.write_baseline, "--write-baseline")
        self.page = as_path("--page", options["page"])
        if self.page is not None:
            require_packages(format_of(None, self.page))
            require_writable(self.page, "--page")
        self.rows = as_path("--rows", options["rows"])
        if self.rows is not None and self.rows.suffix.lower() not in _ROWS:
            raise UsageError(
                f"--rows {self.rows} has no suffix that is known: use {', '.join(_ROWS)}."
            )
        if self.rows is not None and self.rows.suffix.lower() == ".parquet":
            require("Parquet", "pyarrow")
        require_writable(self.rows, "--rows")

    def require_enough(self, nodes: int) -> None:
        """Raise ``UsageError`` if there are too few nodes for a baseline in any case."""
        if self.write_baseline is not None and nodes < FEWEST:
            raise UsageError(
                f"--write-baseline needs at least {FEWEST} equal nodes, but only"
                f" {count(nodes, 'node')} would be measured: measure more nodes, or leave it out."
            )

    def rules(self, past: Sequence[PastRun] = ()) -> Rules:
        """Return the rules by which nodes are judged."""
        return Rules(self.limit, self.baseline, past, self.place)

    def judged(self, gathered: Gathered, label: str | None = None) -> Fleet:
        """Judge the nodes, also by what earlier fleets in the store say about them."""
        fleet = judge(gathered, self.rules(self._past()))
        for each in fleet.notes:
            if each not in gathered.notes:  # these were said when they were found
                self.notes(each)
        return msgspec.structs.replace(fleet, label=label)

    def ended(
        self,
        fleet: Fleet,
        *,
        lines: Sequence[str] | None = None,
        exit_status: int | None = None,
        measured: bool = False,
    ) -> FleetAnswer:
        """Store the fleet, write its files, and return the answer.

        ``exit_status`` is that of a run that was stopped; without one it is that of the verdicts.
        """
        baseline = None
        failed = 0
        try:
            baseline = None if self.write_baseline is None else baseline_of(fleet)
        except UsageError as error:
            if not measured:
                raise
            self.notes(f"{self.write_baseline} was not written. {error}")
            failed = BROKEN
        folder = Path(tempfile.mkdtemp(prefix="streamgage-fleet-"))
        try:
            stored = store_series(
                self.destination, fleet, folder, self.notes, exit_status=exit_status or 0
            )
        finally:
            with suppress(OSError):
                folder.rmdir()
        failed = failed or (BROKEN if self.destination.status_of(stored) else 0)
        status = exit_status or status_of(fleet) or failed
        ending = Ending(status, None, stored, self.destination, tuple(self.notes.sentences))
        answer = FleetAnswer(just_measured(result_of(fleet), ending), ending, lines=lines)
        if self.write_baseline is not None and baseline is not None:
            with open_output(self.write_baseline, "--write-baseline") as out:
                out.write_bytes(baseline)
        self._write(answer)
        return answer

    def _past(self) -> list[PastRun]:
        """Earlier fleets in the store, newest first."""
        store = self.destination.store
        from streamgage.store import Filter, Store
        from streamgage.store.database import EmptyStoreError
        from streamgage.store.load import load_stored
        from streamgage.store.open import is_there

        found: list[PastRun] = []
        if store is None or not is_there(store):
            return found
        with suppress(EmptyStoreError), Store(store, create=False) as opened:
            for each in opened.entries(self.notes, Filter(kind="fleet", most=MOST_RUNS)):
                try:
                    document = load_stored(opened, each.id, self.notes).document
                except StreamgageError as error:
                    self.notes(f"Run {each.id} is left out of the comparison: {error}")
                    continue
                if isinstance(document, Fleet):
                    found.append(past_of(document))
        return found

    def _write(self, answer: FleetAnswer) -> None:
        if self.rows is not None:
            with open_output(self.rows, "--rows") as out:
                out.write_bytes(_rows_of(answer, self.rows.suffix.lower()))
        if self.page is not None:
            write_report(lambda: [answer.result()], self.page, None, "--page")


def status_of(fleet: Fleet) -> int:
    """The exit status: 1 only for a slow or wrong node, 0 only if every node was found fine."""
    if nodes_to_drain(fleet):
        return FAILED
    return 0 if fleet.all_fine() else UNCERTAIN


def scheduler_here(fleet: Fleet) -> str:
    """The scheduler that a fleet was measured by, else the one whose program is installed here."""
    names = [each for each in SCHEDULERS if each == fleet.launcher]
    names += [each for each in _ON_CLUSTERS if shutil.which(SCHEDULERS[each].program)]
    return next(iter(names), "slurm")


def drain_slow(fleet: Fleet, ask: Callable[[str], str] = input) -> str:
    """Drain the slow nodes if the user agrees; return a sentence that says what was done.

    Raises ``UsageError`` without the scheduler's program, ``StreamgageError`` if it refuses.
    """
    scheduler = scheduler_here(fleet)
    commands = drain_commands(fleet, scheduler)
    if not commands:
        trust = words_of(fleet).trust
        if not supports(trust):
            return f"{why_none(trust)} No node is drained."
        return "No node was slow in each of its runs, so none is drained."
    program = SCHEDULERS[scheduler].program
    require_program(program)
    slow = nodes_to_drain(fleet)
    hosts = len({each.host for each in slow})
    for each in slow[:_LISTED]:
        print(f"  {each.name}  {node_in_words(fleet, each)}", file=sys.stderr)
    if len(slow) > _LISTED:
        print(f"  and {len(slow) - _LISTED} more", file=sys.stderr)
    print(
        f"Drain {'this node' if hosts == 1 else f'these {hosts} nodes'}? [y/N] ",
        end="",
        file=sys.stderr,
        flush=True,
    )
    try:
        answer = ask("")
    except EOFError:
        answer = ""
    if answer.strip().lower() not in ("y", "yes"):
        return "No node was drained."
    run_all(commands)
    return f"{count(hosts, 'node')} {'was' if hosts == 1 else 'were'} drained by {program}."


def lines_instead(fleet: Fleet, options: DrainOptions) -> list[str] | None:
    """The lines that the options ask for instead of the answer; ``None``: the answer.

    Raises ``UsageError`` for a verdict that is not known, ``StreamgageError`` if the scheduler
    refuses.
    """
    wanted = options.get("names")
    if wanted is not None:
        if wanted not in (*VERDICTS, _SILENT):
            raise UsageError(
                f"--names {wanted!r} is no verdict: use {', '.join([*VERDICTS, _SILENT])}."
            )
        found = [each.host for each in fleet.nodes if each.verdict == wanted]
        if wanted == _SILENT:
            found = [each.host for each in fleet.unanswered()]
        return [folded(dict.fromkeys(found))] if found else []
    if options.get("print_resume"):
        scheduler = scheduler_here(fleet)
        drained = drained_for(scheduler, BY_US)
        return [typed(each) for each in resume_commands(fleet, drained, scheduler)]
    return drain_lines(fleet, scheduler_here(fleet)) if options.get("print_drain") else None


def require_terminal() -> None:
    """Raise ``UsageError`` without a terminal to ask on."""
    if sys.stdin is None or not sys.stdin.isatty():
        raise UsageError(
            "--drain asks a question first, so it needs a terminal: run it in one, or print the"
            " commands with --print-drain."
        )


def share_of_limit(limit: Rate) -> float:
    """Return the share of ``--limit``, such as ``3%`` or 0.03. Raises ``UsageError``."""
    text = str(limit).strip()
    number = as_float(_number(text.removesuffix("%"))) / (100 if text.endswith("%") else 1)
    if 0 < number < 1:
        return number
    raise UsageError(
        f"--limit {text[:40]!r} is not a share above 0 and below 1: give one such as 3%."
    )


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return float("nan")


def _rows_of(answer: FleetAnswer, suffix: str) -> bytes:
    data = answer.page.data
    if suffix == ".csv":
        return answer.printed("csv").encode()
    if suffix == ".parquet":
        from streamgage.store.export import as_parquet

        return as_parquet(data.keys, data.values())
    return b"".join(
        msgspec.json.encode(dict(zip(data.keys, row, strict=True))) + b"\n" for row in data.values()
    )
