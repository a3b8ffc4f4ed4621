"""Puts together the pieces in which the lines of many nodes come through one launcher.

Launchers forward output in blocks, ``srun`` in blocks of 1,024 bytes, and blocks of different nodes
interleave. So a line travels in frames of a fixed size, which each say whose they are::

    @n6 160/3012/3735928559/305419896 PAYLOAD @n6

These are the node, the payload's offset in the line, the bytes of the line, the checksum of the
line, and that of this frame. Frames may come in any order and more than once. A line counts once
all its bytes have come, and only then. Frames are written by ``frames.cpp`` of the engine and by
``on_node.py``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

MODULUS = 2**44 - 17
"""The checksum of a text is its bytes as one number, modulo this prime (a fingerprint as of Karp
and Rabin, 1987): every language with 53 bits for whole numbers can calculate it, even ``awk``."""
PAYLOAD_BYTES = 160
"""Every frame of a line but the last has so many of its bytes."""
FRAME_BYTES = 256
"""A frame, with its newline, is as long, or a multiple for a very long name. Blocks of launchers
are powers of two, so they end where a frame ends."""
FRAME_BYTES_WITHOUT_NAMES = PAYLOAD_BYTES + len(
    "@ 7654321/7654321/17592186044399/17592186044399  @\n"
)
"""All of a frame but the node's name, which stands in it twice."""
MOST_BYTES_WITHOUT_SUM = 512
"""A message without a checksum must be shorter: no launcher cuts so short a line."""
_HOST = rb"[A-Za-z0-9][A-Za-z0-9._-]{0,252}"
_HEAD = re.compile(rb"@(%s) (([0-9]{1,7})/([0-9]{1,7})/([0-9]{1,14}))/([0-9]{1,14}) " % _HOST)
_BEGIN = re.compile(rb"@(%s) " % _HOST)
_TAIL = re.compile(rb" @(%s)\s*\Z" % _HOST)
_MESSAGE = re.compile(rb"@(%s) (\S.*?) +@\1\s*\Z" % _HOST, re.S)
_LABEL = re.compile(rb"\s*([A-Za-z0-9][A-Za-z0-9._-]{0,252}): \Z")
_MOST_TORN = 1 << 17
"""The most torn frames that are kept, for repair."""
_MOST_PAIRS = 1 << 18
"""The most pairs of halves to try where even the node's name is cut."""


@dataclass(frozen=True)
class Message:
    """A whole line of a node."""

    host: str
    label: str | None
    """The name that the launcher puts before the node's lines; ``None``: none."""
    text: bytes


@dataclass
class IncompleteLine:
    """A line of a node of which pieces are missing."""

    host: str
    label: str | None
    total: int
    checksum: int
    pieces: dict[int, bytes] = field(default_factory=dict)
    """The payloads that came, by their offsets."""

    @property
    def arrived(self) -> int:
        """The bytes that came."""
        return sum(map(len, self.pieces.values()))

    def text(self) -> bytes | None:
        """Return the line, if it is whole."""
        if self.arrived != self.total:
            return None
        text = b"".join(self.pieces[offset] for offset in sorted(self.pieces))
        return text if checksum(text) == self.checksum else None


class _Frame(NamedTuple):
    host: bytes
    offset: int
    total: int
    checksum: int
    payload: bytes
    end: int
    """Where the payload ends in the text that holds it."""


class FrameReader:
    """Reads frames, and keeps those of incomplete lines."""

    def __init__(self) -> None:
        """Begin without any."""
        self._lines: dict[tuple[bytes, int, int], IncompleteLine] = {}
        self._open: Counter[str] = Counter()
        self._done: set[tuple[bytes, int, int]] = set()
        self._torn: list[bytes] = []

    def feed(self, line: bytes) -> list[Message] | None:
        """Return the lines that are whole now; ``None`` if ``line`` has nothing of a frame."""
        if b"@" not in line:
            return None
        found: list[Message] = []
        rests: list[bytes] = []
        last = 0
        place = line.find(b"@")
        while place >= 0:
            frame = _frame_at(line, place)
            if frame is not None:
                before = line[last:place]
                label = _LABEL.match(before)
                found += self._add(frame, None if label is None else label[1].decode())
                last = _end_of(frame, line)
                # A frame without its end may have borrowed bytes that another lacks.
                rests.append(before if last > frame.end else line)
            place = line.find(b"@", max(place + 1, last))
        if not last:
            message = _MESSAGE.search(line)
            if message is not None and not _HEAD.match(line, message.start()):
                return _short_message(message, line)
            if not _HEAD.search(line) and not _TAIL.search(line):
                return None
        rests.append(line[last:])
        torn = [each.strip(b"\r\n") for each in rests if b"@" in each]
        self._torn += torn[: max(0, _MOST_TORN - len(self._torn))]
        return found

    def _add(self, frame: _Frame, label: str | None) -> Iterator[Message]:
        """Add a frame, and yield its line if that is whole now."""
        key = frame.host, frame.total, frame.checksum
        if key in self._done:
            return
        host = frame.host.decode()
        line = self._lines.get(key)
        if line is None:
            line = IncompleteLine(host, None, frame.total, frame.checksum)
            self._lines[key] = line
            self._open[host] += 1
        line.label = line.label or label
        line.pieces[frame.offset] = frame.payload
        if (text := line.text()) is not None:
            del self._lines[key]
            self._open[host] -= 1
            self._done.add(key)
            yield Message(line.host, line.label, text)

    def repair(self) -> list[Message]:
        """Join the halves of torn frames, and return the lines that are whole then.

        A launcher that cuts its blocks anywhere leaves the head of one node's frame before the rest
        of another's. The name at both ends says which belong together, and the checksum where.
        """
        torn, self._torn = self._torn, []
        heads = [text[place:] for text in torn for place in _places(text)]
        tails: dict[bytes, list[bytes]] = {}
        for text in torn:
            if ending := _TAIL.search(text):
                tails.setdefault(ending[1], []).append(text.rstrip())
        found: list[Message] = []
        unknown = []
        for head in heads:
            if self._has(_HEAD.match(head)):
                continue
            begin = _BEGIN.match(head)
            frames: list[_Frame] = []
            if begin is not None:
                for tail in tails.get(begin[1], ()):
                    frames += _joined(head, tail, begin[1], len(head))
            if not frames:
                unknown.append(head)
            found += [message for frame in frames for message in self._add(frame, None)]
        # The rest was cut within the node's name.
        pairs = ((head, tail, host) for host in tails for tail in tails[host] for head in unknown)
        for head, tail, host in islice(pairs, _MOST_PAIRS):
            for frame in _joined(head, tail, host, len(host) + 1):
                found += self._add(frame, None)
        return found

    def _has(self, head: re.Match[bytes] | None) -> bool:
        """Whether the frame of this head has come."""
        if head is None:
            return False
        key = head[1], int(head[4]), int(head[5])
        return key in self._done or (key in self._lines and int(head[3]) in self._lines[key].pieces)

    def waits_for(self, host: str) -> bool:
        """Whether pieces of a line of this node are missing."""
        return self._open[host] > 0

    def incomplete(self) -> list[IncompleteLine]:
        """Return the lines of which pieces are missing."""
        return list(self._lines.values())


def checksum(text: bytes) -> int:
    """The checksum of a text: see ``MODULUS``."""
    return int.from_bytes(text, "big") % MODULUS


def frame_bytes(host: bytes) -> int:
    """The bytes of each frame of this node, with its newline."""
    longest = FRAME_BYTES_WITHOUT_NAMES + 2 * len(host)
    return -(-longest // FRAME_BYTES) * FRAME_BYTES


def _frame_at(text: bytes, place: int) -> _Frame | None:
    """Read the frame that begins at ``place``; ``None`` if there is none, or it is not whole."""
    head = _HEAD.match(text, place)
    if head is None:
        return None
    offset, total = int(head[3]), int(head[4])
    expected = min(PAYLOAD_BYTES, total - offset)
    payload = text[head.end() : head.end() + max(expected, 0)]
    if expected <= 0 or offset % PAYLOAD_BYTES or len(payload) != expected:
        return None
    if checksum(b"%s %s %s" % (head[1], head[2], payload)) != int(head[6]):
        return None
    return _Frame(head[1], offset, total, int(head[5]), payload, head.end() + expected)


def _end_of(frame: _Frame, text: bytes) -> int:
    """Return where a frame ends, with the name after its payload if that is there."""
    tail = b" @" + frame.host
    end = text.find(tail, frame.end)
    if end < 0 or text[frame.end : end].strip(b" "):
        return frame.end
    return end + len(tail)


def _places(text: bytes) -> Iterator[int]:
    """Yield where a frame may begin: at each ``@`` but that of the name at the end."""
    if (tail := _TAIL.search(text)) is not None:
        text = text[: tail.start() + 1]
    place = text.find(b"@")
    while place >= 0:
        yield place
        place = text.find(b"@", place + 1)


def _joined(head: bytes, tail: bytes, host: bytes, most: int) -> Iterator[_Frame]:
    """Yield the frames of the first bytes of ``head``, at most ``most``, and the last of ``tail``.

    A part of another frame may fit as well, so there may be more than one.
    """
    whole = frame_bytes(host) - 1
    begin = b"@%s " % host
    first, last = max(1, whole - len(tail)), min(most, len(head), whole - 1)
    known = _HEAD.match(head)
    if known is not None:  # further on, only padding is cut
        last = min(last, known.end() + PAYLOAD_BYTES)
    # The last place first: the more of the head is right, the less can fit by chance.
    for number in range(last, first - 1, -1):
        if head[: min(number, len(begin))] != begin[:number]:
            continue
        text = head[:number] + tail[number - whole :]
        if known is not None and number >= known.end() and not _fits(known, text):
            continue
        frame = _frame_at(text, 0)
        if frame is not None and frame.host == host:
            yield frame
            if known is not None and number >= known.end():
                return


def _fits(head: re.Match[bytes], text: bytes) -> bool:
    """Whether ``text`` has the payload that belongs to its known head."""
    stop = head.end() + min(PAYLOAD_BYTES, int(head[4]) - int(head[3]))
    payload = text[head.end() : stop]
    return checksum(b"%s %s %s" % (head[1], head[2], payload)) == int(head[6])


def _short_message(message: re.Match[bytes], line: bytes) -> list[Message]:
    """Return a message without a checksum, if no launcher can have cut it."""
    if len(message[0]) > MOST_BYTES_WITHOUT_SUM:
        return []
    label = _LABEL.match(line[: message.start()])
    return [Message(message[1].decode(), None if label is None else label[1].decode(), message[2])]
