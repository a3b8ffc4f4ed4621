"""Reads traffic without counters: from lines that a program prints, or from an earlier watch."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from msgspec.structs import replace

from streamgage.advice import command_name
from streamgage.errors import StreamgageError, UsageError
from streamgage.process.terminal import run_in_foreground
from streamgage.programs.traffic.judge import Limits, Watch, traffic_of
from streamgage.programs.traffic.own_rates import SOURCE, Line, Pattern, intervals_of
from streamgage.records import Machine
from streamgage.records.foreign import UnreadableError, decoded, read_file
from streamgage.records.plain_text import without_controls
from streamgage.results.traffic.document import TrafficResult, Volume

_NO_LIMIT = "the bytes are the program's own count, not those that crossed the bus"
_PROGRAM = "the program"
_PIECE = 1 << 16
_LONGEST_LINE = 1 << 16
_STDOUT = 1
_PATIENCE = 1.0
"""Seconds to read the rest of the output; other programs may hold the pipe open for longer."""


def watch_lines(
    command: Sequence[str], pattern: Pattern, machine: Machine | None
) -> tuple[TrafficResult, int]:
    """Run ``command``, show what it prints, and take the rates that its lines have.

    ``machine`` is the machine, if known. Also returns the exit status. Raises
    ``NotStartedError``, and ``StreamgageError`` if it printed no rate.
    """
    lines: list[Line] = []
    with _pipe(lines, pattern) as output:
        status = run_in_foreground(command, output=output)
    found = _of_lines(lines, pattern, command, status, machine)
    if found is None:
        raise StreamgageError(
            f"{command[0]} printed no line with a rate for --bytes-per-second-from: try the"
            " pattern on its output, and let it print each line at once."
        )
    return found, status


@contextmanager
def _pipe(lines: list[Line], pattern: Pattern) -> Iterator[int]:
    """A file descriptor for the output; every line is shown and, if it may hold a rate, kept."""
    out, into = os.pipe()
    begun = time.monotonic()
    reader = threading.Thread(target=_read, args=(out, begun, lines, pattern), daemon=True)
    reader.start()
    try:
        yield into
    finally:
        os.close(into)
        reader.join(_PATIENCE)


def _read(out: int, begun: float, lines: list[Line], pattern: Pattern) -> None:
    rest = b""
    with os.fdopen(out, "rb", buffering=0) as pipe, suppress(OSError):  # nobody reads it any more
        while piece := pipe.read(_PIECE):
            at = time.monotonic() - begun
            _pass_on(piece)
            *whole, rest = (rest + piece).split(b"\n")
            rest = rest[-_LONGEST_LINE:]
            _keep(whole, at, lines, pattern)
        _keep([rest], time.monotonic() - begun, lines, pattern)


def _pass_on(piece: bytes) -> None:
    """Write output to where the program would have written it. Raises ``OSError``."""
    while piece:
        piece = piece[os.write(_STDOUT, piece) :]


def _keep(texts: Sequence[bytes], at: float, lines: list[Line], pattern: Pattern) -> None:
    for each in texts:
        text = each.decode("utf-8", "replace")
        if pattern.may_matter(text):
            lines.append(Line(text, at))


def read_rates(path: Path, pattern: Pattern | None) -> TrafficResult:
    """Read a result that ``--json`` wrote, or with a pattern the output of a program.

    Raises ``UsageError``.
    """
    try:
        content = read_file(path)
    except OSError as error:
        raise UsageError(
            f"{path} cannot be read: {error.strerror or error}; name a file that"
            f" {command_name('traffic --json')} wrote, or with --bytes-per-second-from the output"
            " of"
            " a program."
        ) from error
    if pattern is not None:
        texts = content.decode("utf-8", "replace").splitlines()
        found = _of_lines([Line(each) for each in texts], pattern)
        if found is None:
            raise UsageError(
                f"{path} has no line with a rate for --bytes-per-second-from: try the pattern on"
                " its lines."
            )
        return found
    try:
        return decoded(without_controls(content), TrafficResult)
    except UnreadableError as error:
        raise UsageError(
            f"{path} is not a file that {command_name('traffic --json')} wrote ({error}): name one,"
            " or"
            " give --bytes-per-second-from to say which lines have rates."
        ) from error


def _of_lines(
    lines: Sequence[Line],
    pattern: Pattern,
    command: Sequence[str] | None = None,
    status: int | None = None,
    machine: Machine | None = None,
) -> TrafficResult | None:
    """Make the result of lines; ``None`` if no line has a rate."""
    rates = pattern.rates(lines)
    intervals, known = intervals_of(rates)
    if not intervals:
        return None
    reason = _NO_LIMIT if known else f"{_NO_LIMIT}, and each rate counts as one second"
    watch = Watch(
        source=SOURCE,
        replayed=False,
        intervals=intervals,
        command=command,
        exit_status=status,
        own=True,
        machine=machine,
    )
    found = traffic_of(watch, Limits(ceiling_reason=reason))
    held = all(each.seconds for each in rates)
    return replace(
        found,
        whole=_of_program(found.whole, held=held),
        domains=[_of_program(each, held=held) for each in found.domains],
    )


def _of_program(volume: Volume, *, held: bool) -> Volume:
    """The volume as the program's own, without sums if nothing says how long each rate held."""
    if held:
        return replace(volume, name=_PROGRAM)
    return replace(
        volume,
        name=_PROGRAM,
        bytes_read=None,
        bytes_written=None,
        bytes_total=None,
        bytes_local=None,
    )
