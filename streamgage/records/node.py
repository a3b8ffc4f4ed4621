"""Lines of JSON, one for each node of a fleet, and a reader for mixtures of such lines."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from streamgage.records import AnyRecord, Device, DeviceState, ElementType, End, Machine
from streamgage.records.foreign import UnreadableError, check, converted
from streamgage.records.frames import FrameReader, Message, checksum
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
from streamgage.units import count, shortened

Note = Callable[[str], None]
"""A function that takes one sentence for the user."""
Host = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9][A-Za-z0-9._-]{0,252}\Z")]
"""The name of a node. It has only characters that DNS and all launchers allow, so that it can stand
in a command."""
Text = Annotated[str, Meta(max_length=256)]
LineEnd = Annotated[str, Meta(max_length=300)]
SilenceReason = Literal[
    "no-answer", "died", "not-started", "garbage", "not-measured", "not-available"
]
"""Why a node has no result. ``no-answer``: it printed nothing before the deadline. ``died``: it
ended with an error status or a signal. ``not-started``: the launcher could not start it.
``garbage``: its output is not the line of a node. ``not-measured``: it could not measure.
``not-available``: its scheduler does not give it: it is drained, down, reserved or in use."""


class NodeFigure(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The bandwidth of one kernel on one node: the median of its samples in GB/s."""

    kernel: Text
    """The kernel, with the kind of stores unless they are plain: ``triad streaming``."""
    gbps: Rate
    low: Rate | None = None
    """``low`` and ``high`` bound the median with 95 % confidence; null if there are no bounds."""
    high: Rate | None = None
    n: CountFrom1 = 1
    best: Rate | None = None
    """The rate of the fastest sample."""
    nominal_bytes: CountFrom1 | None = None
    """The bytes that the formula moves per iteration, which the rate counts. The lines that
    ordinary stores read first are not included."""
    isa: Text | None = None
    """The instruction set of the code."""
    valid: bool | None = None
    """``True`` if every element was correct; null if the run ended before the check."""
    samples: Annotated[list[Rate], Few] = msgspec.field(default_factory=list)
    """Some of the samples, evenly spaced in the order measured. Two groups among them show a node
    whose speed changes. Empty if they are unknown."""


class NodeDomain(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The bandwidth of one NUMA domain, or of one core, measured alone."""

    number: Position
    gbps: Rate


class NodeLimit(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What ``--expect`` asks of a figure of a check."""

    kernel: Text
    """The kernel, with the kind of stores unless they are plain."""
    expected_gbps: Rate
    """The rate that it should reach."""
    limit_gbps: Rate
    """The least that is allowed: below it the node is slow."""


def unit_name(host: str, device: str | None) -> str:
    """The name of a unit, which is measured and judged by itself: ``n1``, or ``n1 cuda:0``.

    A unit is the processor of a node, or one of its devices.
    """
    return host if device is None else f"{host} {device}"


class NodeLine(msgspec.Struct, frozen=True, kw_only=True, tag_field="record", tag="node", gc=False):
    """The line in which a node reports the result of its processor, or of one of its devices.

    Fields that are unknown here come from a later engine.
    """

    host: Host
    time: Time
    """The start of the run by the clock of the node, which may be wrong."""
    attempt: CountFrom1 = 1
    """The number of the attempt: 2 if the node was suspect and was measured again."""
    engine: Text | None = None
    """The version of the engine."""
    figures: Annotated[list[NodeFigure], Few]
    domains: list[NodeDomain] = msgspec.field(default_factory=list)
    """Triad in each NUMA domain alone; empty if there is only one domain, or they were not
    measured."""
    cores: list[NodeDomain] = msgspec.field(default_factory=list)
    """The figures of single cores, if the node was examined closely."""
    threads: Members | None = None
    cpus: NumberList | None = None
    """The CPUs that the threads ran on; null if the list is too long for the line."""
    bound: bool | None = None
    """``True`` if each thread was bound to one CPU."""
    type: ElementType | None = None
    array_bytes: ByteCount | None = None
    """The size of each array."""
    last_level_cache_bytes: ByteCount | None = None
    """The total size of the last-level caches of the CPUs in use."""
    seconds: Duration | None = None
    """The wall time of the run."""
    check_seconds: Duration | None = None
    """The time from the start of a check until its second run must end; null outside a check."""
    expected: Annotated[list[NodeLimit], Few] = msgspec.field(default_factory=list)
    """What the figures of a check should reach; empty if ``--expect`` was not given."""
    taken: Share | None = None
    """The share of the CPUs' time that other programs and the hypervisor took."""
    disturbance: Text | None = None
    """What disturbed the run so much that it shows nothing about the node. Null if nothing did, or
    if the engine is too old to report it."""
    cpu_quota: Annotated[float, Meta(gt=0, le=1e6)] | None = None
    """The number of CPUs whose time the cgroup grants; null if there is no quota."""
    warnings: Annotated[list[Text], Few] = msgspec.field(default_factory=list)
    """The codes of its findings, which ``streamgage explain`` describes."""
    processor: Text | None = None
    architecture: Text | None = None
    packages: Members | None = None
    processor_cores: Members | None = None
    numa_nodes: MembersFrom0 | None = None
    memory_bytes: ByteCount | None = None
    modules: Text | None = None
    """The memory modules, such as ``24 x 32 GiB DDR5-4800``; null if SMBIOS cannot be read."""
    bios: Text | None = None
    microcode: Text | None = None
    kernel: Text | None = None
    """The release of the operating system's kernel."""
    governor: Text | None = None
    huge_pages: Text | None = None
    hypervisor: Text | None = None
    device: Device | None = None
    """The device that was measured in place of the processor. What is known of the processor is
    then left out."""
    device_state: DeviceState | None = None
    """How the device ran; null if its driver does not say it."""
    end: LineEnd | None = None
    """The last field of a line: host, number of bytes before this field, and their checksum
    (``records/frames.py``). So a line that holds a part of another node's is not taken for a
    result. Null in a line that a person or another program wrote."""

    @property
    def unit(self) -> str:
        """The name of what was measured."""
        return unit_name(self.host, None if self.device is None else self.device.id)


class SilentNode(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="record", tag="silent", gc=False
):
    """A node without a result, and the reason."""

    host: Host
    why: SilenceReason
    reason: Annotated[str, Meta(max_length=1000)] = ""
    """Details of the reason, such as the exit status or what the node printed; empty if there are
    none."""
    attempt: CountFrom1 = 1
    end: LineEnd | None = None


class FleetRun(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="record", tag="fleet", gc=False
):
    """How a fleet was measured.

    ``fleet run`` writes this line at its start, and again at its end.
    """

    nodes: Annotated[str, Meta(max_length=1 << 20)]
    """The nodes that were asked for a result, folded: ``n[1-4,7]``."""
    launcher: Text | None = None
    time: Time
    deadline: Duration | None = None
    """The seconds within which a node had to answer."""
    seconds: Duration | None = None
    """The wall time of the whole fleet run; null in the first line."""
    command: Text | None = None
    """The command that ran on each node."""


FleetLine = NodeLine | SilentNode | FleetRun
_DECODER = msgspec.json.Decoder[FleetLine](FleetLine)
_RECORDS = msgspec.json.Decoder[AnyRecord](AnyRecord)
_MOST_WORDS = 300
_MOST_SHOWN = 60
_MOST_HOSTS = 12
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,252}")
_START = re.compile(rb'\{\s*"record"\s*:\s*"(?:node|silent|fleet)"')
_HOST_OF = re.compile(rb'"host"\s*:\s*"([A-Za-z0-9][A-Za-z0-9._-]{0,252})"')
_ANY_HOST = re.compile(rb'"host"\s*:\s*("(?:[^"\\]|\\.){1,1000}")')
_NO_LETTER = re.compile(r"[^A-Za-z0-9._-]")
_NO_END = b',"end":null}'
_END = re.compile(rb'(.*),"end":"([^"]*)"\}\s*\Z', re.S)
_MOST_IN_A_LINE = 64
"""The most lines that can be joined in one, if a launcher loses their newlines."""
_LABEL = re.compile(rb"\s*([A-Za-z0-9][A-Za-z0-9._-]{0,252}): (.*)")
"""Matches the prefix of clush -L, pdsh and others: the node's name before its line."""
_Problem = tuple[str, str]
"""What is wrong with a line: in words for one line, and for several."""
_FOREIGN = "is not from a node", "are not from nodes"
_CUT = "is cut off", "are cut off"
_UNREADABLE = "cannot be read", "cannot be read"
_DAMAGED = (
    "is not the line of one node and was left out",
    "are not each the line of one node and were left out",
)
_IN_PIECES = "did not come whole", "did not come whole"
_TOGETHER = (
    "holds the lines of several nodes and was split",
    "hold the lines of several nodes and were split",
)
_AGAIN = (
    "repeats the result of a node and counts once",
    "repeat the result of a node and count once",
)


class RecordedRun(msgspec.Struct, frozen=True):
    """All records of one run, as ``measure --records`` writes them."""

    records: list[AnyRecord]


class NodeReader:
    """Reads lines as they arrive; ``say`` then reports what was left out.

    A line may have the prefix of any launcher (``n12: ``, ``0: ``, ``[1,3]<stdout>:``), and several
    may be joined in one. It may come in frames (``records/frames.py``). The records of whole runs
    may be among them, each run with its own prefix.
    """

    def __init__(self) -> None:
        """Begin with line 1."""
        self.lines = 0
        self.other_text: dict[str, str] = {}
        """The last text of each node that is not a result, by the name in the launcher's prefix."""
        self._seen: set[tuple[str, str, int, tuple[float, ...]]] = set()
        """Unit, time, attempt and figures: another program may give all runs one time."""
        self._problems: Counter[_Problem] = Counter()
        self._first: dict[_Problem, tuple[int, str]] = {}
        self._hosts: dict[_Problem, dict[str, None]] = {}
        self._runs: dict[bytes, list[AnyRecord]] = {}
        self._frames = FrameReader()
        self._answered: set[str] = set()
        self._odd_names: dict[str, str] = {}
        """What is wrong with a name that no node may have, by the name."""
        self._left_out: dict[str, str] = {}
        """Why a line of a node was left out, by the node."""

    @property
    def has_nodes(self) -> bool:
        """Return whether a line of a node, or a record of one, was read."""
        return bool(self._seen or self._runs)

    def feed(self, line: bytes) -> Iterator[FleetLine | RecordedRun]:
        """Yield what one line holds: usually one thing, or nothing."""
        self.lines += 1
        messages = None if line.rstrip().endswith(b"}") else self._frames.feed(line)
        if messages is None:
            yield from self._feed(line)
            return
        yield from self._feed_messages(messages)

    def _feed_messages(self, messages: Iterable[Message]) -> Iterator[FleetLine | RecordedRun]:
        """Yield the results among the lines that came in frames; others say how a node went on."""
        for message in messages:
            if message.text.startswith(b"{"):
                yield from self._feed(message.text)
            else:
                self.other_text[message.host] = _words(message.text)

    def _feed(self, line: bytes) -> Iterator[FleetLine | RecordedRun]:
        start = line.find(b"{")
        if start < 0:
            self._foreign(line)
            return
        prefix, text = line[:start].strip(), without_controls(line[start:]).strip()
        try:
            yield from self._new(_checked(_DECODER.decode(text)), line[start:])
            return
        except (ValueError, RecursionError) as error:
            problem = str(error)
        record = self._record(text)
        if record is not None:
            yield from self._add(prefix, record)
            return
        found = False
        for each, part in _parts(text):
            found = True
            yield from self._new(each, part)
        if found:
            self._note(_TOGETHER, _excerpt(line))
        elif _START.search(text):
            problem = self._odd_name(text) or problem
            self._leave_out(_UNREADABLE if text.endswith(b"}") else _CUT, text, problem)
        else:
            self._foreign(line)

    def finish(self) -> Iterator[FleetLine | RecordedRun]:
        """Yield the runs whose records were cut off, and each node of which nothing is readable."""
        yield from self._feed_messages(self._frames.repair())
        for line in self._frames.incomplete():
            came = f"{line.arrived:,} of {count(line.total, 'byte')} came"
            self._note(_IN_PIECES, f"{line.host}: {came}")
            self._left_out.setdefault(line.host, came)
        for records in self._runs.values():
            yield RecordedRun(records)
        self._runs.clear()
        for host, why in self._left_out.items():
            if host not in self._answered:
                yield SilentNode(host=host, why="garbage", reason=f"nothing readable: {why}")
        known = {*self._answered, *self._left_out}
        for name, why in self._odd_names.items():
            host = _NO_LETTER.sub("-", name).lstrip("._-") or "unnamed"
            while host in known:
                host = f"{host}-"
            known.add(host)
            yield SilentNode(host=host[:253], why="garbage", reason=f"nothing readable: {why}")

    def say(self, note: Note, name: str = "") -> None:
        """Report each kind of problem in one sentence, with its count and its first line."""
        of = f" of {name}" if name else ""
        for problem, number in self._problems.items():
            line, what = self._first[problem]
            if number == 1:
                note(f"Line {line}{of} {problem[0]}: {what}.")
            else:
                hosts = list(self._hosts.get(problem, ()))
                more = f" and {len(hosts) - _MOST_HOSTS:,} more" if len(hosts) > _MOST_HOSTS else ""
                named = f" ({', '.join(hosts[:_MOST_HOSTS])}{more})" if hosts else ""
                note(f"{number:,} lines{of} {problem[1]}{named}; the first is line {line}: {what}.")

    def _odd_name(self, text: bytes) -> str | None:
        """What is wrong with the name of a node; ``None``: nothing is, or it is not there.

        The node gets a name that a node may have, so that it counts as one without a result.
        """
        found = _ANY_HOST.search(text)
        try:
            name = "" if found is None else json.loads(found[1].decode("utf-8", "replace"))
        except ValueError:
            return None
        if not name or _NAME.fullmatch(name):
            return None
        shown = shortened(one_line(name), _MOST_SHOWN)
        why = f"its host is {shown}; a name has letters and digits of ASCII, and . _ - between them"
        self._odd_names.setdefault(name, why)
        return why

    def _leave_out(self, problem: _Problem, text: bytes, what: str) -> None:
        """Note a line that is left out, with the nodes whose names are at its ends."""
        hosts = list(dict.fromkeys(found.decode() for found in _HOST_OF.findall(text)))
        if (end := _END.match(text)) is not None:
            hosts.append(end[2].partition(b" ")[0].decode("ascii", "replace"))
        hosts = [each for each in dict.fromkeys(hosts) if _NAME.fullmatch(each)]
        for host in hosts:
            self._left_out.setdefault(host, what)
        self._hosts.setdefault(problem, {}).update(dict.fromkeys(hosts))
        named = f"{', '.join(hosts[:_MOST_HOSTS])}: " if hosts else ""
        self._note(problem, f"{named}{what}")

    def _new(self, each: FleetLine, text: bytes) -> Iterator[FleetLine]:
        if not isinstance(each, FleetRun):
            if (why := _damage(each, text)) is not None:
                self._leave_out(_DAMAGED, text, why)
                return
            each = msgspec.structs.replace(each, end=None) if each.end is not None else each
        if isinstance(each, NodeLine):
            self._answered.add(each.host)
            figures = tuple(figure.gbps for figure in each.figures)
            key = (each.unit, each.time, each.attempt, figures)
            if key in self._seen:
                self._note(_AGAIN, each.unit)
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
        """Collect the records of one prefix: those from a machine to an end are a run."""
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
            self.other_text[labelled[1].decode()] = _words(labelled[2])
        self._note(_FOREIGN, _excerpt(line))

    def _note(self, problem: _Problem, what: str) -> None:
        self._problems[problem] += 1
        self._first.setdefault(problem, (self.lines, what))


def read_node_lines(
    lines: Iterable[bytes], note: Note, name: str = ""
) -> Iterator[FleetLine | RecordedRun]:
    """Yield what ``lines`` hold, without repetitions.

    ``note`` then gets a sentence for each kind of problem; ``name`` is the file in it.
    """
    reader = NodeReader()
    for line in lines:
        yield from reader.feed(line)
    yield from reader.finish()
    reader.say(note, name)


def as_line(each: FleetLine) -> bytes:
    """Encode a line for a file, with its newline."""
    if isinstance(each, FleetRun):
        return msgspec.json.encode(each) + b"\n"
    text = msgspec.json.encode(
        each if each.end is None else msgspec.structs.replace(each, end=None)
    )
    assert text.endswith(_NO_END), "it is the last field"
    start = text[: -len(_NO_END)]
    return b'%s,"end":"%s"}\n' % (start, _end_of(each.host, start))


def _end_of(host: str, start: bytes) -> bytes:
    """The last field of a line of ``host`` that starts so."""
    return b"%s %d %d" % (host.encode(), len(start), checksum(start))


def _damage(each: NodeLine | SilentNode, text: bytes) -> str | None:
    """What is wrong with a line that is not as its node wrote it; ``None``: nothing is known."""
    if each.end is None:
        return None
    end = _END.match(text)
    if end is not None and end[2] == _end_of(each.host, end[1]):
        return None
    of = each.end.partition(" ")[0]
    if of != each.host:
        return f"it begins as a line of {each.host} and ends as one of {shortened(of, _MOST_SHOWN)}"
    return f"its checksum does not fit ({each.host}); leave out its field end if you changed it"


def _checked(each: FleetLine) -> FleetLine:
    check(each)
    return each


def _parts(text: bytes) -> Iterator[tuple[FleetLine, bytes]]:
    """Yield the complete objects in a line in which several are joined, and their text."""
    decoder = json.JSONDecoder()
    whole = text.decode("utf-8", "replace")
    starts = [len(text[: e.start()].decode("utf-8", "replace")) for e in _START.finditer(text)]
    for start in starts[:_MOST_IN_A_LINE]:
        try:
            value: Any
            value, stop = decoder.raw_decode(whole, start)
            # After an object that ends inside another one, that one goes on.
            if whole[stop:].lstrip()[:1] not in (",", "]", "}", ":"):
                yield converted(value, FleetLine), whole[start:stop].encode("utf-8", "replace")
        except (ValueError, RecursionError, UnreadableError):
            continue


def _words(line: bytes) -> str:
    return one_line(line.decode("utf-8", "replace"))[:_MOST_WORDS]


def _excerpt(line: bytes) -> str:
    return shortened(_words(line), _MOST_SHOWN)
