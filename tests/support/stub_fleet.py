"""Makes fleets of stub nodes with known faults, as launchers would bring their lines."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec

from streamgage.records.node import (
    FleetRun,
    NodeDomain,
    NodeFigure,
    NodeLine,
    SilentNode,
    as_line,
    read_node_lines,
)
from streamgage.results.fleet.document import Fleet
from streamgage.results.fleet.drift import past_of
from streamgage.results.fleet.gather import gather
from streamgage.results.fleet.judge import Rules, judge

DAY = "2026-11-25"
TIME, AGAIN = "T12:00:00Z", "T12:10:00Z"
RATES = {"copy": 640.0, "scale": 640.0, "add": 740.0, "triad": 740.0}
DOMAINS = 8
SOUND = {
    "processor": "AMD EPYC 9654 96-Core Processor",
    "packages": 2,
    "processor_cores": 192,
    "numa_nodes": DOMAINS,
    "memory_bytes": 768 << 30,
    "modules": "24 x 32 GiB DDR5-4800",
    "bios": "1.8",
    "microcode": "0xa101148",
    "kernel": "5.14.0-503",
    "governor": "performance",
    "huge_pages": "always",
    "threads": 192,
    "engine": "0.1.0",
    "array_bytes": 8 << 30,
}
ODD: tuple[dict[str, object], ...] = (
    {"modules": "22 x 32 GiB DDR5-4800", "memory_bytes": 704 << 30},
    {"governor": "powersave"},
    {"modules": "24 x 32 GiB DDR5-4000", "bios": "1.2"},
)
"""What three nodes have differently, each its own."""


class Faults(NamedTuple):
    """How many nodes have which fault."""

    dead: int = 20
    slow: int = 30
    flapping: int = 5
    odd: int = 3


FEW = Faults(2, 3, 1, 1)
SOUND_FLEET = Faults(0, 0, 0, 0)


@dataclass
class StubFleet:
    """The lines of a fleet, and the fault of each node."""

    lines: list[bytes]
    dead: list[str] = field(default_factory=list)
    slow: list[str] = field(default_factory=list)
    flapping: list[str] = field(default_factory=list)
    odd: list[str] = field(default_factory=list)


def stub_fleet(
    nodes: int,
    seed: int,
    faults: Faults = Faults(),  # noqa: B008 - it cannot change
    *,
    noise: float = 0.02,
    effect: float = 0.20,
    again: bool = True,
    mess: bool = True,
    domains: bool = False,
    day: str = DAY,
) -> StubFleet:
    """A fleet in which so many nodes are faulty.

    Nodes differ by ``noise`` for good, and their runs by a quarter of that. Slow ones lose
    ``effect``; ``domains``: and half of one NUMA domain, which nodes then report. ``again``: a
    second run of what is slow or flaps, and of some sound ones. ``mess``: garbage, duplicates,
    lines cut off and lines that ran together among the others.
    """
    draw = random.Random(seed)
    names = [f"r{number // 100:03d}n{number % 100:02d}" for number in range(nodes)]
    dead, slow, flapping, _ = faults
    faulty = draw.sample(names, sum(faults))
    parts = [faulty[:dead], faulty[dead:][:slow]]
    parts += [faulty[dead + slow :][:flapping], faulty[dead + slow + flapping :]]
    found = StubFleet([], *(sorted(part) for part in parts))
    own = {host: draw.gauss(0, noise) for host in names}
    wrong = {
        **dict.fromkeys(found.slow, 1 - effect),
        **dict.fromkeys(found.flapping, 1.0),
    }
    odd_of = dict(zip(found.odd, ODD, strict=False))
    answered = [host for host in names if host not in set(found.dead)]
    twice = {*found.slow, *found.flapping, *draw.sample(answered, min(20, len(answered)))}
    lines = []
    for host in answered:
        node = _Node(host, own[host], wrong.get(host), noise / 4, draw, domains=domains)
        flaps = host in found.flapping
        setting = odd_of.get(host, {})
        lines.append(as_line(node.line(day + TIME, 1, setting, flaps=flaps)))
        if again and host in twice:
            lines.append(as_line(node.line(day + AGAIN, 2, setting, flaps=flaps)))
    draw.shuffle(lines)
    if mess:
        lines = _messed(lines, draw)
    whole_racks = nodes % 100 == 0
    folded_names = f"r[000-{(nodes - 1) // 100:03d}]n[00-99]" if whole_racks else ",".join(names)
    head = as_line(FleetRun(nodes=folded_names, time=day + TIME, launcher="stub", deadline=60.0))
    silent = [
        as_line(SilentNode(host=host, why="died", reason="signal 9")) for host in found.dead[::2]
    ]
    found.lines = [head, *lines, *silent]
    return found


@dataclass
class _Node:
    host: str
    own: float
    factor: float | None
    noise: float
    draw: random.Random
    domains: bool

    def line(self, time: str, attempt: int, setting: dict[str, object], *, flaps: bool) -> NodeLine:
        """The line of one run."""
        run = self.draw.gauss(0, self.noise)
        figures = [self._figure(kernel, rate, run, flaps) for kernel, rate in RATES.items()]
        fields = SOUND | setting
        return NodeLine(
            host=self.host,
            time=time,
            attempt=attempt,
            figures=figures,
            domains=self._domains(run) if self.domains else [],
            seconds=20.0,
            taken=0.001,
            **fields,  # type: ignore[arg-type]
        )

    def _figure(self, kernel: str, rate: float, run: float, flaps: bool) -> NodeFigure:
        level = rate * (self.factor or 1.0) * (1 + self.own) * (1 + run)
        samples = [level * (1 + self.draw.gauss(0, 0.002)) for _ in range(24)]
        if flaps:
            samples = [e * (0.75 if self.draw.random() < 0.4 else 1) for e in samples]
        ordered = sorted(samples)
        middle = (ordered[11] + ordered[12]) / 2
        return NodeFigure(
            kernel=kernel,
            gbps=middle,
            low=ordered[6],
            high=ordered[17],
            n=24,
            samples=[round(each, 1) for each in samples],
        )

    def _domains(self, run: float) -> list[NodeDomain]:
        usual = RATES["triad"] / DOMAINS * (1 + self.own) * (1 + run)
        parts = [usual * (1 + self.draw.gauss(0, 0.005)) for _ in range(DOMAINS)]
        if self.factor is not None and self.factor < 1:
            parts[5] *= 0.5
        return [NodeDomain(number=n, gbps=gbps) for n, gbps in enumerate(parts)]


def _messed(lines: Sequence[bytes], draw: random.Random) -> list[bytes]:
    """Prefixes of a launcher, and what must do no harm."""
    found: list[bytes] = []
    for number, line in enumerate(lines):
        found.append(b"%d: %s" % (number, line) if number % 3 else line)
        if number % 97 == 0:
            found.append(line)
        if number % 101 == 0:
            found.append(line[: draw.randrange(20, len(line) - 20)] + b"\n")
        if number % 103 == 0:
            found.append(b"srun: error: task %d: Exited with exit code 1\n" % number)
        if number % 107 == 0:
            found[-1] = found[-1].rstrip(b"\n") + line
    return found


def judged(fleet: StubFleet, rules: Rules = Rules()) -> Fleet:  # noqa: B008 - it cannot change
    """Judge the lines."""
    return judge(gather(read_node_lines(fleet.lines, lambda _: None)), rules)


def faulty_fleet() -> Fleet:
    """A hundred nodes with some faults of each kind."""
    return judged(stub_fleet(100, 1, FEW, domains=True))


def disturbed_fleet() -> Fleet:
    """A hundred sound nodes, of which one has a quota of CPUs."""
    lines = read_node_lines(stub_fleet(100, 1, SOUND_FLEET, mess=False).lines, lambda _: None)
    held = [
        msgspec.structs.replace(each, cpu_quota=48.0)
        if isinstance(each, NodeLine) and each.host == "r000n07"
        else each
        for each in lines
    ]
    return judge(gather(held), Rules())


def small_fleet() -> Fleet:
    """Six nodes, which are too few to be judged."""
    return judged(stub_fleet(6, 1, SOUND_FLEET, mess=False))


def drifted_fleet() -> Fleet:
    """A hundred nodes with their past: since then the slow ones have become slow."""
    two = SOUND_FLEET._replace(slow=2)
    earlier = stub_fleet(100, 1, two, noise=0.005, effect=0.0, day="2026-03-12")
    past = past_of(judged(earlier))
    return judged(stub_fleet(100, 1, two, noise=0.005, effect=0.08), Rules(past=[past]))
