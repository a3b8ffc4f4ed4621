"""Starts the engine's ranks by a launcher and yields the records of rank 0 as they come."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from streamgage.errors import USAGE, UsageError
from streamgage.plan import Plan
from streamgage.process.engine import EngineError, how_it_starts, raise_not_loaded, start_with_plan
from streamgage.process.launch import Call, Job, Launcher, LauncherName, choose_launcher, prepared
from streamgage.process.process import ENDS_WITH_US, LastLines, ending_of
from streamgage.process.program import stop_group
from streamgage.process.ranks import failure
from streamgage.process.ranks.patience import Patience
from streamgage.process.ranks.probe import silent_hosts
from streamgage.process.ranks.request import Ranks
from streamgage.process.signals import EXIT_OF_SIGNAL, signals_passed_on
from streamgage.records import AnyRecord, End, PlacementRecord
from streamgage.records.reader import Note, decode_lines
from streamgage.records.spool import Spool

GRACE_SECONDS = 15.0
"""Seconds in which ranks must finish after SIGTERM, and must end after their last record."""

_USER_SIGNALS: dict[int, signal.Signals] = {
    signal.SIGTERM: signal.SIGUSR1,
    signal.SIGINT: signal.SIGUSR2,
}
_TRANSLATED = {LauncherName.OPENMPI: _USER_SIGNALS, LauncherName.SLURM: _USER_SIGNALS}
"""Signals to send instead to launchers that end themselves on SIGINT or SIGTERM. They pass these
on, and the engine understands them."""

_OF_LAUNCHER = {"HWLOC_COMPONENTS": "-opencl"}
"""Variables for the launcher, unless the user has set them. hwloc, which Open MPI uses, would load
the OpenCL drivers. LLVM in one of them takes SIGUSR1 for itself (seen with PoCL 3.1), and the
launcher would no longer pass it on."""

_VARIABLES = ("STREAMGAGE_LOCK", "STREAMGAGE_MPI_LIBRARY")
"""Variables that the engine reads; not every launcher passes the environment to other hosts."""

_SECONDS_BETWEEN_LOOKS = 0.25
_LAST_LINES = 60
_CHUNK = 1 << 20
_MOST_LINES = 40


def stream_rank_records(
    plan: Plan, *, ranks: Ranks, engine: Path, spool: Spool, note: Note, wait: bool = True
) -> Iterator[AnyRecord]:
    """Run ``engine`` with ``plan`` as MPI ranks, and yield its records.

    While another measurement runs on one of the hosts the ranks wait, and ``note`` is called;
    without ``wait`` that raises ``EngineError``. Raises ``UsageError`` if there is no launcher or
    the plan cannot be met, and ``EngineError`` if a rank fails, dies, hangs, or never starts; then
    all ranks have been ended.
    """
    launcher = choose_launcher(ranks.launcher)
    job = job_of(ranks, launcher, engine, wait=wait)
    with (
        prepared(launcher.command_line(job), {**_OF_LAUNCHER, **os.environ}) as call,
        ranks_output(spool) as output,
        _start(call, plan, output.descriptor) as process,
        LastLines(process, _LAST_LINES) as stderr,
        signals_passed_on(
            process,
            GRACE_SECONDS,
            translated={signal.SIGTSTP: signal.SIGSTOP, **_TRANSLATED.get(launcher.name, {})},
        ) as received,
    ):
        run = _Run(process, output, stderr, Patience(ranks.timeout_seconds, ranks.ranks))
        yield from run.records(note)
        lines = failure.as_text([*output.strange_lines, *stderr.raw()])
        stderr.pass_on(note)
    if run.gave_up:
        raise _silence(run, ranks, launcher, lines)
    if not run.patience.started:
        on_hosts = bool(ranks.hosts) or launcher.name is LauncherName.SLURM
        raise_not_loaded(engine, process.returncode, lines, on_hosts=on_hosts)
        # A launcher that a signal ended has not handed on what the ranks said.
        status, strange_lines = how_it_starts(engine)
        raise_not_loaded(engine, status, strange_lines, on_hosts=on_hosts)
    _judge(run, lines, received, note)


def job_of(ranks: Ranks, launcher: Launcher, engine: Path, *, wait: bool) -> Job:
    arguments = [str(engine), "--plan", "-", "--mpi", "--ranks", str(ranks.ranks)]
    arguments += ["--timeout", f"{ranks.timeout_seconds:g}"]
    if ranks.oversubscribe:
        arguments.append("--allow-oversubscribe")
    if not wait:
        arguments.append("--no-wait")
    job = Job(
        ranks=ranks.ranks,
        program=tuple(arguments),
        threads=ranks.threads,
        hosts=ranks.hosts,
        oversubscribe=ranks.oversubscribe,
        launcher_binds=ranks.launcher_binds,
        options=ranks.options,
        variables={
            **{name: os.environ[name] for name in _VARIABLES if name in os.environ},
            **ENDS_WITH_US,
        },
    )
    job.shares()  # refuses too few slots
    # Open MPI would refuse more ranks than cores in its own words; the engine says it in one. Where
    # it is allowed to, it binds nothing by default.
    allowed = launcher.name is LauncherName.OPENMPI and not ranks.launcher_binds
    return replace(job, oversubscribe=True) if allowed else job


@contextmanager
def _start(call: Call, plan: Plan, stdout: int) -> Iterator[subprocess.Popen[bytes]]:
    """Start the launcher, which is ended with this context."""
    try:
        process = start_with_plan(call.arguments, call.environment, plan, stdout)
    except (OSError, subprocess.SubprocessError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise EngineError(f"{call.arguments[0]} cannot be started: {why}.") from error
    with process:
        try:
            yield process
        finally:
            stop_group(process)


class _Run:
    """The records of one run, and how it ended."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        output: RanksOutput,
        stderr: LastLines,
        patience: Patience,
    ) -> None:
        self.process = process
        self.patience = patience
        self.end: End | None = None
        self.placement: PlacementRecord | None = None
        self.gave_up = False
        self._output = output
        self._stderr = stderr

    def records(self, note: Note) -> Iterator[AnyRecord]:
        for record in decode_lines(self._lines(note), note):
            self.patience.note(record)
            if isinstance(record, End):
                self.end = record
            if isinstance(record, PlacementRecord):
                self.placement = record
            yield record
        if self.end is not None:
            with suppress(subprocess.TimeoutExpired):  # a lost host keeps a launcher waiting
                self.process.wait(GRACE_SECONDS)
        stop_group(self.process)

    def _lines(self, note: Note) -> Iterator[bytes]:
        """Yield the lines of the records, a few times a second, until the ranks have ended."""
        with ending_of(self.process) as wait:
            ended = False
            while not ended and self.end is None:
                ended = self.process.poll() is not None  # before the look: no last line is missed
                yield from self._output.fetch().splitlines(keepends=True)
                self._stderr.pass_on(note)
                self.patience.note_signs(self._stderr.signs_of_life)
                if self.patience.ended and self.end is None:
                    self.gave_up = True
                    return
                if not ended and self.end is None:
                    wait(_SECONDS_BETWEEN_LOOKS)


def _silence(run: _Run, ranks: Ranks, launcher: Launcher, lines: tuple[str, ...]) -> EngineError:
    """Make the error for ranks that are silent too long; try which hosts still answer."""
    silent = silent_hosts(launcher, ranks.hosts)
    seconds = run.patience.seconds
    sentence = (
        failure.fell_silent(seconds, silent)
        if run.patience.started
        else failure.not_started(ranks.ranks, seconds, silent)
    )
    return EngineError(sentence, failure.before_the_end(lines, None))


def _judge(run: _Run, lines: tuple[str, ...], received: list[signal.Signals], note: Note) -> None:
    """Raise if the run did not end as it should."""
    sentences = failure.of_the_engine(lines)
    status = run.process.returncode
    lost = failure.lost_rank(lines, run.placement)
    was_stopped = run.end is not None and run.end.exit_status in EXIT_OF_SIGNAL.values()
    if was_stopped and not received and lost is not None:
        # The launcher ended the others after that one, which is no wish of the user.
        raise EngineError(lost, failure.before_the_end(lines, None))
    if run.end is not None and run.end.reason != "error":
        for sentence in sentences:
            if sentence != run.end.message:
                note(f"A rank says: {sentence}")
        return
    if run.end is not None:
        sentence = run.end.message or (sentences[-1] if sentences else "The measurement failed.")
        raise EngineError(sentence, failure.before_the_end(lines, sentence))
    if received:
        raise EngineError(
            "The ranks were stopped.",
            failure.before_the_end(lines, None),
            EXIT_OF_SIGNAL[received[0]],
        )
    if sentences and not run.patience.started:
        if status == USAGE:
            raise UsageError(sentences[0])
        raise EngineError(sentences[0], failure.before_the_end(lines, sentences[0]))
    if lost is None and sentences:
        raise EngineError(sentences[0], failure.before_the_end(lines, sentences[0]))
    raise EngineError(
        lost or failure.ended_early(status, started=run.patience.started),
        failure.before_the_end(lines, None)
        if lost
        else failure.around(lines, run.patience.started),
    )


class RanksOutput:
    """A file in memory to which the launcher writes; its records are passed on to ``spool``."""

    def __init__(self, descriptor: int, spool: Spool) -> None:
        """Read from ``descriptor``, to which the launcher writes."""
        self.descriptor = descriptor
        self.strange_lines: list[bytes] = []
        """The first lines that are not records."""
        self._spool = spool
        self._read = 0
        self._rest = b""

    def fetch(self) -> bytes:
        """Return the records that came since the last call, as whole lines."""
        while chunk := os.pread(self.descriptor, _CHUNK, self._read):
            self._read += len(chunk)
            *lines, self._rest = (self._rest + chunk).split(b"\n")
            for line in lines:
                self._take(line + b"\n")
        return self._spool.fetch()

    def _take(self, line: bytes) -> None:
        if line.startswith(b'{"record"'):
            os.write(self._spool.descriptor, line)
        elif line.strip() and len(self.strange_lines) < _MOST_LINES:
            self.strange_lines.append(line)


@contextmanager
def ranks_output(spool: Spool) -> Iterator[RanksOutput]:
    """Make the output, which exists as long as the ranks run."""
    descriptor = os.memfd_create("streamgage-ranks")
    try:
        yield RanksOutput(descriptor, spool)
    finally:
        os.close(descriptor)
