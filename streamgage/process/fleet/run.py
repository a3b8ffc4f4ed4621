"""Measures many nodes. Every node gets a line or a reason; a failing node does not harm others."""

from __future__ import annotations

import re
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from types import FrameType

import msgspec

from streamgage.errors import StreamgageError
from streamgage.process.fleet.calls import CallEnd, CallLine, Calls
from streamgage.process.fleet.launcher import Call, Launcher, Task
from streamgage.process.fleet.line_file import LineFile
from streamgage.process.fleet.node_names import folded
from streamgage.process.fleet.on_node import NodeMessage, node_message, node_names
from streamgage.process.process import signal_name
from streamgage.process.signals import handled
from streamgage.records.frames import FrameReader, Message
from streamgage.records.node import NodeLine, NodeReader, SilenceReason, SilentNode
from streamgage.records.plain_text import one_line
from streamgage.records.reader import Note
from streamgage.units import count, format_duration, shortened

MOST_BARREN = 20
"""After so many calls in a row without a line, no more calls are made with fewer nodes."""
_MOST_WORDS = 300
_MOST_OF_A_LINE = 60
_NOT_FOUND = (126, 127)
_SIGNALS_FROM = 128
"""A shell adds this to a signal's number for the exit status of a program that it ended."""
_LEAD = re.compile(r"(?:(?:salloc|sbatch|streamgage-engine): )?(?:error: )?")
"""Prefixes of messages that tell a reader nothing and are removed."""
_WRONG_CLOCK = timedelta(seconds=90)


@dataclass(frozen=True)
class Counts:
    """The progress of a round."""

    total: int
    answered: int
    running: int
    failed: int
    """The nodes that have ended without a result."""
    seconds: float
    left: float
    """Seconds until the deadline."""

    @property
    def waiting(self) -> int:
        """The nodes that have not answered in any way."""
        return self.total - self.answered - self.running - self.failed


Watch = Callable[[Counts], None]


@dataclass
class Round:
    """The results of one round over some nodes."""

    lines: dict[str, dict[str, NodeLine]] = field(default_factory=dict)
    """The lines of each node that answered, by the names of the units that they are of."""
    silent: dict[str, SilentNode] = field(default_factory=dict)
    stopped: signal.Signals | None = None
    seconds: float = 0.0


def measure_nodes(
    launcher: Launcher, task: Task, file: LineFile, watch: Watch, note: Note, *, attempt: int = 1
) -> Round:
    """Start the engine on the nodes of ``task``, and write each line to ``file`` as it comes.

    Ends at the deadline, or after SIGINT or SIGTERM, with what came until then. ``note`` gets a
    sentence for each kind of problem. Raises ``UsageError`` if the launcher refuses the task, and
    ``StreamgageError`` if the file cannot be written.
    """
    gathered = _RoundResults(task, file, attempt)
    gathered.leave_out(unavailable(launcher, task.nodes, task.options, note))
    nodes = tuple(gathered.open)
    first = launcher.launch(replace(task, nodes=nodes)) if nodes else ()
    calls = Calls(first, launcher.most_at_once)
    barren = 0
    start = time.monotonic()
    try:
        with _signals() as received:
            late, obeyed = False, 0
            while not calls.done:
                if len(received) > obeyed:  # the second kills
                    obeyed = len(received)
                    gathered.over("the run was stopped before it answered")
                    calls.stop()
                for event in calls.look():
                    if isinstance(event, CallLine):
                        gathered.take(event, launcher)
                        continue
                    left = gathered.end(event)
                    if left and not gathered.has_begun(event.call):
                        # Another job may have taken a node meanwhile.
                        gathered.leave_out(unavailable(launcher, left, task.options, note))
                        others = tuple(each for each in left if each in gathered.open)
                        if others and others != left and not received and not late:
                            calls.add(launcher.launch(replace(task, nodes=others)))
                            continue
                        left = others
                    barren = 0 if gathered.has_answer(event.call) else barren + 1
                    again = launcher.divisible and len(event.call.nodes) > 1
                    if left and again and barren < MOST_BARREN and not received and not late:
                        half = (len(left) + 1) // 2
                        for nodes in filter(None, (left[:half], left[half:])):
                            calls.add(launcher.launch(replace(task, nodes=nodes)))
                        continue
                    gathered.leave(left, event)
                seconds = time.monotonic() - start
                watch(gathered.counts(seconds, max(0.0, task.seconds - seconds)))
                if seconds > task.seconds and not late:
                    late = True
                    gathered.over(
                        f"no answer before the deadline of {format_duration(task.seconds)}"
                    )
                    calls.stop()
    finally:
        calls.close()
    gathered.finish(note)
    gathered.round.stopped = received[0] if received else None
    gathered.round.seconds = time.monotonic() - start
    return gathered.round


def unavailable(
    launcher: Launcher, nodes: Sequence[str], options: Sequence[str], note: Note
) -> dict[str, str]:
    """Why the scheduler does not give some of the nodes now, by the node."""
    if launcher.unavailable is None:
        return {}
    try:
        known = launcher.unavailable(options)
    except StreamgageError as error:
        note(str(error))
        return {}
    short = {each.partition(".")[0]: why for each, why in known.items()}
    found = {each: known.get(each, short.get(each.partition(".")[0])) for each in nodes}
    return {node: why for node, why in found.items() if why is not None}


class _RoundResults:
    """The results of a round so far."""

    def __init__(self, task: Task, file: LineFile, attempt: int) -> None:
        self.round = Round()
        self.open = dict.fromkeys(task.nodes)
        """Nodes without a line or a reason."""
        self._nodes = dict.fromkeys(task.nodes)
        self._names = _names(task.nodes)
        self._file = file
        self._attempt = attempt
        self._reader = NodeReader()
        self._frames: dict[int, FrameReader] = {}
        """A reader for each call: nodes that launchers reach one by one may share a name."""
        self._started: set[str] = set()
        self._ended: dict[str, int] = {}
        """The status of each engine that has ended before all of its line came."""
        self._in_pieces: dict[str, str] = {}
        """Of each node whose line did not come whole: what came."""
        self._words: dict[str, str] = {}
        self._of_launcher: dict[int, str] = {}
        self._strange: dict[str, None] = {}
        self._unread: dict[str, str] = {}
        """The first line of each node that looks like a result but cannot be read."""
        self._in_part: dict[str, str] = {}
        """Why the engine did not measure every device of a node, or found a result wrong."""
        self._clocks: dict[str, float] = {}
        self._again: dict[str, None] = {}
        self._since = datetime.now(UTC)

    def counts(self, seconds: float, left: float) -> Counts:
        running = len(self._started & self.open.keys())
        answered = len(self.round.lines)
        return Counts(len(self._nodes), answered, running, len(self.round.silent), seconds, left)

    def leave_out(self, unavailable: Mapping[str, str]) -> None:
        """Give up nodes that their scheduler does not give, with its reason."""
        for node, why in unavailable.items():
            self._silence(node, "not-available", why)

    def has_begun(self, call: Call) -> bool:
        """Whether the engine started on a node of this call."""
        return any(each in self._started for each in call.nodes)

    def has_answer(self, call: Call) -> bool:
        return any(each in self.round.lines for each in call.nodes)

    def take(self, line: CallLine, launcher: Launcher) -> None:
        """Handle a line from a node, or a message of the launcher."""
        if line.words:
            self._take_words(line, launcher)
            return
        frames = self._frames.setdefault(id(line.call), FrameReader())
        messages = frames.feed(line.text)
        if messages is not None:
            self._take_messages(messages, frames, line.call)
            return
        for each in self._reader.feed(line.text):
            if isinstance(each, NodeLine):
                self._answer(self._node(node_names(each.host, None), line.call), each)

    def _take_messages(self, messages: Sequence[Message], frames: FrameReader, call: Call) -> None:
        for each in messages:
            message = node_message(each)
            node = self._node(message.names, call)
            if message.started:
                self._started.add(node)
            elif message.status is None:
                self._of_node(node, message)
            elif frames.waits_for(each.host):
                self._ended[node] = message.status
            else:
                self._end(node, message.status)

    def _of_node(self, node: str, message: NodeMessage) -> None:
        """Handle a result of a node, or another line that it printed."""
        if not message.text.lstrip().startswith("{"):
            self._words[node] = _cut(message.text)
            return
        # A reader of its own: several nodes may call themselves the same.
        found = [*NodeReader().feed(message.text.encode("utf-8", "replace"))]
        for each in found:
            if isinstance(each, NodeLine):
                self._answer(node, each)
        if not found:
            self._unread.setdefault(node, _cut(message.text)[:_MOST_OF_A_LINE])

    def _answer(self, node: str, line: NodeLine) -> None:
        named = msgspec.structs.replace(line, host=node, attempt=self._attempt)
        if named.unit in self.round.lines.get(node, ()):
            self._again[node] = None
            return
        self._look_at_clock(node, line)
        self.round.lines.setdefault(node, {})[named.unit] = named
        self.round.silent.pop(node, None)
        self.open.pop(node, None)
        if node not in self._nodes:
            self._strange[node] = None
        self._file.write(named)

    def _look_at_clock(self, node: str, line: NodeLine) -> None:
        start = datetime.fromisoformat(line.time).astimezone(UTC)
        now = datetime.now(UTC)
        if start > now + _WRONG_CLOCK:
            self._clocks[node] = (start - now).total_seconds()
        elif start < self._since - _WRONG_CLOCK:
            self._clocks[node] = (start - self._since).total_seconds()

    def _end(self, node: str, status: int) -> None:
        """Note that the engine has ended on ``node``."""
        words = self._words.get(node, "")
        if (answer := self.round.lines.get(node)) is not None:
            if status and any(line.device for line in answer.values()):
                self._in_part[node] = words or f"exit status {status}"
            return
        if status > _SIGNALS_FROM:
            self._silence(node, "died", f"ended by {signal_name(status - _SIGNALS_FROM)}")
        elif status in _NOT_FOUND:
            self._silence(node, "not-started", words or f"exit status {status}")
        elif status:
            self._silence(node, "not-measured", words or f"exit status {status}")
        else:
            message = self._unread.get(node) or words
            more = f": {message!r}" if message else ""
            self._silence(node, "garbage", f"it printed no line of a node{more}")

    def _take_words(self, line: CallLine, launcher: Launcher) -> None:
        text = _cut(line.text.decode("utf-8", "replace"))
        if not any(map(str.isalnum, text)):  # empty, or a line drawn around others
            return
        known = False
        for failure in launcher.collect(text):
            node = self._known((failure.node, failure.node.partition(".")[0]))
            if node is not None:
                known = True
                self._words[node] = failure.reason
                if node in self._started and failure.why == "died":
                    self._silence(node, failure.why, failure.reason)
        if not known:
            self._of_launcher[id(line.call)] = text

    def end(self, ended: CallEnd) -> tuple[str, ...]:
        """Return the nodes of an ended call that have neither a line nor a reason."""
        if (frames := self._frames.pop(id(ended.call), None)) is not None:
            self._take_messages(frames.repair(), frames, ended.call)
            for line in frames.incomplete():
                node = self._node(node_names(line.host, line.label), ended.call)
                self._in_pieces[node] = (
                    f"nothing readable: {line.arrived:,} of {count(line.total, 'byte')} of its line"
                    " arrived whole"
                )
        for node in [each for each in ended.call.nodes if each in self._ended]:
            status = self._ended.pop(node)
            if node not in self._in_pieces:
                self._end(node, status)
        return tuple(each for each in ended.call.nodes if each in self.open)

    def leave(self, nodes: Sequence[str], ended: CallEnd) -> None:
        """Give these nodes up, with the best known reason."""
        for node in nodes:
            if (in_pieces := self._in_pieces.get(node)) is not None:
                self._silence(node, "garbage", in_pieces)
                continue
            reason = self._words.get(node) or ended.problem or self._of_launcher.get(id(ended.call))
            if node in self._started:
                self._silence(node, "died", reason or "it ended without a message")
            else:
                self._silence(node, "not-started", reason or _ending(ended.status))

    def over(self, reason: str) -> None:
        """Give up all nodes without a result, for this reason."""
        for node in list(self.open):
            begun = ", though the engine had started" if node in self._started else ""
            self._silence(node, "no-answer", f"{reason}{begun}")

    def _silence(self, node: str, why: SilenceReason, reason: str) -> None:
        if node not in self.open:
            return
        del self.open[node]
        self.round.silent[node] = SilentNode(
            host=node, why=why, reason=reason, attempt=self._attempt
        )

    def finish(self, note: Note) -> None:
        """Write the silent nodes to the file, and report problems with lines."""
        for node, each in self.round.silent.items():
            # What the launcher said when it was stopped came later.
            if each.why == "no-answer" and (in_pieces := self._in_pieces.get(node)):
                silent = msgspec.structs.replace(each, why="garbage", reason=in_pieces)
                self.round.silent[node] = silent
            elif each.why == "no-answer" and (words := self._words.get(node)):
                silent = msgspec.structs.replace(each, reason=f"{each.reason} ({words})")
                self.round.silent[node] = silent
        for each in self.round.silent.values():
            self._file.write(each)
        self._reader.say(note)
        if self._unread:
            node, text = next(iter(self._unread.items()))
            note(
                f"{count(len(self._unread), 'node')} printed a line that cannot be read; the first"
                f" is {node}: {text!r}."
            )
        if self._in_part:
            node, text = next(iter(self._in_part.items()))
            note(
                f"{count(len(self._in_part), 'node')} did not measure every device without a"
                f" failure; the first is {node}: {text.rstrip('.')}."
            )
        if self._again:
            note(f"More than one line came from {folded(self._again)}; the first of each counts.")
        if self._strange:
            note(
                f"{count(len(self._strange), 'line')} came from nodes that were not measured under"
                f" that name, {folded(self._strange)}: name nodes by their own host names."
            )
        if self._clocks:
            worst = max(self._clocks, key=lambda each: abs(self._clocks[each]))
            off = self._clocks[worst]
            note(
                f"The clock of {folded(self._clocks)} is wrong ({worst} is"
                f" {format_duration(abs(off))} {'ahead' if off > 0 else 'behind'}): set it,"
                " otherwise times in the history are wrong."
            )

    def _node(self, names: Sequence[str], call: Call) -> str:
        """Return the node with one of these names; in a call for one node it is that node."""
        if len(call.nodes) == 1:
            return call.nodes[0]
        return self._known(names) or names[0]

    def _known(self, names: Sequence[str]) -> str | None:
        return next((self._names[each] for each in names if each in self._names), None)


def _names(nodes: Sequence[str]) -> dict[str, str]:
    """Map each node's name, and its name without the domain if that is unique, to the node."""
    names: dict[str, str | None] = {}
    for each in nodes:
        short = each.partition(".")[0]
        names[short] = None if short in names else each
    return {key: each for key, each in names.items() if each} | {each: each for each in nodes}


def _cut(text: str) -> str:
    line = _LEAD.sub("", one_line(text).strip(), count=1)
    return shortened(line, _MOST_WORDS)


def _ending(status: int) -> str:
    """Describe the end of a launcher that printed nothing about a node."""
    if status < 0:
        return f"the launcher was ended by {signal.Signals(-status).name}"
    return f"the launcher ended with status {status} and no message about it"


@contextmanager
def _signals() -> Iterator[list[signal.Signals]]:
    """Collect each SIGINT and SIGTERM in a list, instead of being ended by it."""
    received: list[signal.Signals] = []
    if threading.current_thread() is not threading.main_thread():
        yield received
        return

    def take(number: int, _frame: FrameType | None) -> None:
        received.append(signal.Signals(number))

    with handled({signal.SIGINT: take, signal.SIGTERM: take}):
        yield received
