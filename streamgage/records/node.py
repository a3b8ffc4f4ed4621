"""One line of JSON for each node of a fleet, and the reader of any mixture of such lines."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from streamgage.records import AnyRecord, ElementType, End, Machine
from streamgage.records.foreign import UnreadableError, check, converted
from streamgage.records.plain_text import one_line, without_controls
from streamgage.records.quantities import (
    ByteCount,
    CountFrom1,
    Duration,
    Few,
    Members,
    MembersFrom0,
    NumberList,
    Position,
    Rate,
    Share,
    Time,
)
from streamgage.units import shortened

Note = Callable[[str], None]
"""Takes one sentence that the user should see."""
Host = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9][A-Za-z0-9._-]{0,252}\Z")]
"""The name of a node: what DNS and every launcher allow, so that it can stand in a command."""
Text = Annotated[str, Meta(max_length=256)]
Why = Literal["no-answer", "died", "not-started", "garbage", "not-measured"]
"""Why a node has no result: it said nothing before the deadline; it ended by a status or a signal;
the launcher could not start it; what it said is no line of a node; it could not measure."""


class NodeFigure(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The bandwidth of one kernel on one node: the median of its samples in GB/s."""

    kernel: Text
    """The kernel, with the kind of stores if they are not plain ones: ``triad streaming``."""
    gbps: Rate
    low: Rate | None = None
    """``low`` and ``high`` bound the median with 95 % confidence; null where nothing does."""
    high: Rate | None = None
    n: CountFrom1 = 1
    best: Rate | None = None
    """The fastest sample."""
    nominal_bytes: CountFrom1 | None = None
    """Bytes that an iteration moves by the formula, which are the counted ones; reads of lines that
    ordinary stores overwrite are not included."""
    isa: Text | None = None
    """Instruction set of the code."""
    valid: bool | None = None
    """``True`` if every element was right; null where the run ended before the check."""
    samples: Annotated[list[Rate], Few] = msgspec.field(default_factory=list)
    """Some of the samples, evenly spaced in the order measured: two groups of them show a node that
    flaps. Empty if they are not known."""


class NodeDomain(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The bandwidth of one NUMA domain, or of one core, by itself."""

    number: Position
    gbps: Rate


class NodeLine(msgspec.Struct, frozen=True, kw_only=True, tag_field="record", tag="node", gc=False):
    """The report of one node about itself. Fields that are unknown here are of a later engine."""

    host: Host
    time: Time
    """Start of the run by the clock of the node, which may be wrong."""
    attempt: CountFrom1 = 1
    """2: it was measured again, because it was a suspect."""
    engine: Text | None = None
    """Version of the engine."""
    figures: Annotated[list[NodeFigure], Few]
    domains: list[NodeDomain] = msgspec.field(default_factory=list)
    """Triad in each NUMA domain by itself; empty if there is one, or they were not measured."""
    cores: list[NodeDomain] = msgspec.field(default_factory=list)
    """The figures of single cores, from an examination."""
    threads: Members | None = None
    cpus: NumberList | None = None
    """CPUs that the threads ran on; null if the list is too long for the line."""
    bound: bool | None = None
    """``True`` if each thread was bound to one CPU."""
    type: ElementType | None = None
    array_bytes: ByteCount | None = None
    """Size of each array."""
    last_level_cache_bytes: ByteCount | None = None
    """Total size of the last-level caches of the CPUs in use."""
    seconds: Duration | None = None
    """Wall time that the run took of the node."""
    check_seconds: Duration | None = None
    """Time from the start of a check until its second run must end; null outside a check."""
    taken: Share | None = None
    """Share of the CPUs' time that other programs and the hypervisor took."""
    disturbance: Text | None = None
    """What disturbed the run so much that it says nothing of the node; null where nothing did, or
    the engine is too old to say it."""
    cpu_quota: Annotated[float, Meta(gt=0, le=1e6)] | None = None
    """CPUs' worth of time that the cgroup grants; null if there is no quota."""
    warnings: Annotated[list[Text], Few] = msgspec.field(default_factory=list)
    """Codes of the findings, as ``streamgage explain`` knows them."""
    processor: Text | None = None
    architecture: Text | None = None
    packages: Members | None = None
    processor_cores: Members | None = None
    numa_nodes: MembersFrom0 | None = None
    memory_bytes: ByteCount | None = None
    modules: Text | None = None
    """``24 x 32 GiB DDR5-4800``; null where SMBIOS cannot be read."""
    bios: Text | None = None
    microcode: Text | None = None
    kernel: Text | None = None
    """Release of the operating system's kernel."""
    governor: Text | None = None
    huge_pages: Text | None = None
    hypervisor: Text | None = None


class Silent(msgspec.Struct, frozen=True, kw_only=True, tag_field="record", tag="silent", gc=False):
    """A node without a result, and why."""

    host: Host
    why: Why
    reason: Annotated[str, Meta(max_length=1000)] = ""
    """More of it: the exit status, or what was said; empty if there is nothing to add."""
    attempt: CountFrom1 = 1


class FleetRun(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="record", tag="fleet", gc=False
):
    """How a fleet was measured: the line that ``fleet run`` writes first, and again at its end."""

    nodes: Annotated[str, Meta(max_length=1 << 20)]
    """The nodes that were asked, folded: ``n[1-4,7]``."""
    launcher: Text | None = None
    time: Time
    deadline: Duration | None = None
    """Seconds that a node had to answer."""
    seconds: Duration | None = None
    """Wall time of the whole; null in the first line."""
    command: Text | None = None
    """What ran on each node."""


FleetLine = NodeLine | Silent | FleetRun
_DECODER = msgspec.json.Decoder[FleetLine](FleetLine)
_RECORDS = msgspec.json.Decoder[AnyRecord](AnyRecord)
_MOST_SAID = 300
_MOST_SHOWN = 60
_START = re.compile(rb'\{\s*"record"\s*:\s*"(?:node|silent|fleet)"')
_MOST_IN_A_LINE = 64
"""At most this many lines can have run together into one."""
_LABEL = re.compile(rb"\s*([A-Za-z0-9][A-Za-z0-9._-]{0,252}): (.*)")
"""What clush -L, pdsh and the like put before a line: the node."""
_Problem = tuple[str, str]
"""What is wrong with one line, and with several."""
_FOREIGN = "is no line of a node", "are no lines of a node"
_CUT = "is cut off", "are cut off"
_UNREADABLE = "cannot be read", "cannot be read"
_TOGETHER = (
    "holds the text of several nodes and was taken apart",
    "hold the text of several nodes and were taken apart",
)
_AGAIN = (
    "repeats the result of a node and counts once",
    "repeat the result of a node and count once",
)


class RecordedRun(msgspec.Struct, frozen=True):
    """The whole records of one run, as ``measure --records`` writes them."""

    records: list[AnyRecord]


class NodeReader:
    """Reads lines as they come; ``say`` then says what was left out.

    A line may have any launcher's prefix (``n12: ``, ``0: ``, ``[1,3]<stdout>:``), several may have
    run together, and the records of whole runs may be among them, each under a prefix of its own.
    """

    def __init__(self) -> None:
        """Begin with line 1."""
        self.lines = 0
        self.said: dict[str, str] = {}
        """What nodes said that is no result, by the name that the launcher put before it: the last
        of it."""
        self._seen: set[tuple[str, str, int]] = set()
        self._problems: Counter[_Problem] = Counter()
        self._first: dict[_Problem, tuple[int, str]] = {}
        self._runs: dict[bytes, list[AnyRecord]] = {}

    def feed(self, line: bytes) -> Iterator[FleetLine | RecordedRun]:
        """What one line holds: mostly one thing, or nothing."""
        self.lines += 1
        start = line.find(b"{")
        if start < 0:
            self._foreign(line)
            return
        prefix, text = line[:start].strip(), without_controls(line[start:]).strip()
        try:
            yield from self._new(_checked(_DECODER.decode(text)))
            return
        except (ValueError, RecursionError) as error:
            problem = str(error)
        record = self._record(text)
        if record is not None:
            yield from self._add(prefix, record)
            return
        found = False
        for each in _parts(text):
            found = True
            yield from self._new(each)
        if found:
            self._note(_TOGETHER, _excerpt(line))
        elif _START.search(text):
            self._note(_UNREADABLE if text.endswith(b"}") else _CUT, problem)
        else:
            self._foreign(line)

    def finish(self) -> Iterator[RecordedRun]:
        """Yield the runs whose records were cut off."""
        for records in self._runs.values():
            yield RecordedRun(records)
        self._runs.clear()

    def say(self, note: Note, name: str = "") -> None:
        """One sentence for each kind of problem, with its count and its first line."""
        of = f" of {name}" if name else ""
        for problem, number in self._problems.items():
            line, what = self._first[problem]
            if number == 1:
                note(f"Line {line}{of} {problem[0]}: {what}.")
            else:
                note(f"{number} lines{of} {problem[1]}; the first is line {line}: {what}.")

    def _new(self, each: FleetLine) -> Iterator[FleetLine]:
        if isinstance(each, NodeLine):
            key = (each.host, each.time, each.attempt)
            if key in self._seen:
                self._note(_AGAIN, each.host)
                return
            self._seen.add(key)
        yield each

    def _record(self, text: bytes) -> AnyRecord | None:
        try:
            record: AnyRecord = _RECORDS.decode(text)
            check(record)
        except (ValueError, RecursionError):
            return None
        return record

    def _add(self, prefix: bytes, record: AnyRecord) -> Iterator[RecordedRun]:
        """Records of one prefix, from its machine to its end, are a run."""
        if isinstance(record, Machine) and any(
            isinstance(each, Machine) for each in self._runs.get(prefix, ())
        ):
            yield RecordedRun(self._runs.pop(prefix))
        self._runs.setdefault(prefix, []).append(record)
        if isinstance(record, End):
            yield RecordedRun(self._runs.pop(prefix))

    def _foreign(self, line: bytes) -> None:
        if not line.strip():
            return
        labelled = _LABEL.match(line)
        if labelled is not None:
            self.said[labelled[1].decode()] = _words(labelled[2])
        self._note(_FOREIGN, _excerpt(line))

    def _note(self, problem: _Problem, what: str) -> None:
        self._problems[problem] += 1
        self._first.setdefault(problem, (self.lines, what))


def read_node_lines(
    lines: Iterable[bytes], note: Note, name: str = ""
) -> Iterator[FleetLine | RecordedRun]:
    """What ``lines`` hold, each once; ``note`` then gets a sentence for each kind of problem.

    ``name``: the file that they are of.
    """
    reader = NodeReader()
    for line in lines:
        yield from reader.feed(line)
    yield from reader.finish()
    reader.say(note, name)


def as_line(each: FleetLine) -> bytes:
    """The line of a file, with its newline."""
    return msgspec.json.encode(each) + b"\n"


def _checked(each: FleetLine) -> FleetLine:
    check(each)
    return each


def _parts(text: bytes) -> Iterator[FleetLine]:
    """The whole objects in a line in which several ran together."""
    decoder = json.JSONDecoder()
    whole = text.decode("utf-8", "replace")
    starts = [len(text[: e.start()].decode("utf-8", "replace")) for e in _START.finditer(text)]
    for start in starts[:_MOST_IN_A_LINE]:
        try:
            value: Any = decoder.raw_decode(whole, start)[0]
            yield converted(value, FleetLine)
        except (ValueError, RecursionError, UnreadableError):
            continue


def _words(line: bytes) -> str:
    return one_line(line.decode("utf-8", "replace"))[:_MOST_SAID]


def _excerpt(line: bytes) -> str:
    return shortened(_words(line), _MOST_SHOWN)
