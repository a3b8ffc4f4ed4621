"""More fleets with a known truth, of other shapes than those that the judge's rules were set on.

Noise, faults and mistakes are drawn in another way than in ``fleet_cases``: the spread is that of
lognormal tails, of mixtures, of bins of silicon, of the hour, of racks and of firmware. A node is
slow if its memory lost something; what all nodes share with half of the others is no fault of one.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from streamgage.records.node import NodeFigure, NodeLine, as_line
from streamgage.results.fleet.baseline import Baseline, BaselineClass, BaselineFigure, BaselineFile
from streamgage.results.fleet.classes import properties_of
from streamgage.results.fleet.drift import past_of
from streamgage.results.fleet.gather import Gathered, gather
from streamgage.results.fleet.judge import Rules, judge
from streamgage.results.fleet.topology import topology_of

KERNELS = {"sum": 205.0, "copy": 172.0, "triad": 181.0}
MACHINE: Mapping[str, object] = {
    "processor": "Intel(R) Xeon(R) Gold 6338 CPU @ 2.00GHz",
    "packages": 2,
    "processor_cores": 64,
    "numa_nodes": 2,
    "memory_bytes": 512 << 30,
    "threads": 64,
    "engine": "0.1.0",
    "array_bytes": 1 << 30,
}
_DAY = "2027-02-03"
Spread = Callable[[random.Random], float]


@dataclass
class OtherFleet:
    """The lines of a fleet with their truth, and what else its judge knows."""

    lines: list[NodeLine] = field(default_factory=list)
    slow: set[str] = field(default_factory=set)
    """Their memory lost something."""
    open: set[str] = field(default_factory=set)
    """Neither *slow* nor *fine* is wrong: the truth is a question of words."""
    mistaken: set[str] = field(default_factory=set)
    """Their lines are mistakes, so neither *slow* nor *fine* is right."""
    rules: Rules = field(default_factory=Rules)
    text: list[bytes] | None = None
    """The lines as they were printed, where they are more than ``lines``."""
    fixed: Mapping[str, float] = field(default_factory=lambda: KERNELS)
    """The reference of a site that knows what its nodes reach."""

    def gathered(self) -> Gathered:
        """The lines, sorted by node."""
        from streamgage.records.node import read_node_lines

        if self.text is None:
            return gather(self.lines)
        return gather(read_node_lines(self.text, lambda _: None))


def _clock(minutes: float) -> str:
    return f"{_DAY}T{int(minutes // 60) % 24:02d}:{int(minutes) % 60:02d}:00Z"


def _line(
    host: str,
    level: float,
    draw: random.Random,
    attempt: int,
    *,
    run: float = 0.004,
    minutes: float = 60.0,
    of: Mapping[str, float] | None = None,
    **fields: object,
) -> NodeLine:
    """A run of a node whose level is a factor of what is usual; ``of``: a factor of a kernel."""
    shared = draw.gauss(0, run / 2)
    figures = []
    for kernel, rate in KERNELS.items():
        factor = level * (of or {}).get(kernel, 1.0) * math.exp(shared + draw.gauss(0, run))
        half = 0.002 + 0.004 * draw.random()
        figures.append(
            NodeFigure(
                kernel=kernel,
                gbps=rate * factor,
                low=rate * factor * (1 - half),
                high=rate * factor * (1 + half),
                n=30,
            )
        )
    known = {**MACHINE, **fields}
    return NodeLine(
        host=host,
        time=_clock(minutes + 7 * (attempt - 1)),
        attempt=attempt,
        figures=figures,
        **known,  # type: ignore[arg-type]
    )


def _twice(
    fleet: OtherFleet, host: str, level: float, draw: random.Random, **fields: object
) -> None:
    fleet.lines += [_line(host, level, draw, attempt, **fields) for attempt in (1, 2)]  # type: ignore[arg-type]


def one_hardware(
    seed: int,
    spread: Spread,
    *,
    nodes: int = 600,
    slow: float = 0.01,
    loss: tuple[float, float] = (0.15, 0.30),
    **fields: object,
) -> OtherFleet:
    """Nodes of one hardware; the slow ones lose a share between two bounds."""
    draw = random.Random(f"other {seed}")
    fleet = OtherFleet()
    for number in range(nodes):
        host = f"cn{number:04d}"
        level = math.exp(spread(draw))
        if number < round(slow * nodes):
            fleet.slow.add(host)
            level *= 1 - draw.uniform(*loss)
        _twice(fleet, host, level, draw, **fields)
    draw.shuffle(fleet.lines)
    return fleet


def lognormal_tail(draw: random.Random) -> float:
    """Most nodes are near the best, some far below."""
    return -0.008 * draw.lognormvariate(0, 0.8)


def mixture(draw: random.Random) -> float:
    """A tenth of the nodes scatters more, around less."""
    return draw.gauss(-0.02, 0.02) if draw.random() < 0.1 else draw.gauss(0, 0.006)


def bins(draw: random.Random) -> float:
    """Three bins of silicon."""
    return draw.choice((-0.02, 0.0, 0.015)) + draw.gauss(0, 0.004)


def uniform(draw: random.Random) -> float:
    """No tail at all."""
    return draw.uniform(-0.03, 0.03)


def gumbel(draw: random.Random) -> float:
    """The least of several parts decides: a lower tail of extremes."""
    return 0.012 * math.log(-math.log(1 - draw.random()) + 1e-12) + 0.007


def student2(draw: random.Random) -> float:
    """Very heavy tails on both sides."""
    wide = draw.gauss(0, 1) / math.sqrt((draw.gauss(0, 1) ** 2 + draw.gauss(0, 1) ** 2) / 2)
    return max(-0.5, min(0.3, 0.005 * wide))


def student(freedom: int) -> Spread:
    """Heavy tails on both sides, the heavier the fewer the degrees of freedom are."""

    def drawn(draw: random.Random) -> float:
        squares = sum(draw.gauss(0, 1) ** 2 for _ in range(freedom))
        return 0.006 * draw.gauss(0, 1) / math.sqrt(squares / freedom)

    return drawn


NOISES: Mapping[str, Spread] = {
    "normal": lambda draw: draw.gauss(0, 0.01),
    "Laplace": lambda draw: 0.008 * (draw.expovariate(1) - draw.expovariate(1)),
    "Student t5": student(5),
    "Student t3": student(3),
    "exponential lower tail": lambda draw: -0.01 * draw.expovariate(1),
    "the same, with normal noise": lambda draw: -0.01 * draw.expovariate(1) + draw.gauss(0, 0.003),
    "Weibull lower tail (2/3)": lambda draw: -0.006 * draw.expovariate(1) ** 1.5,
    "lognormal lower tail": lambda draw: -0.004 * math.exp(draw.gauss(0, 1)),
}
"""Noises of sound nodes, from short tails to long ones."""


def narrow(draw: random.Random) -> float:
    """Nodes that are nearly the same."""
    return draw.gauss(0, 0.004)


def hours(seed: int) -> OtherFleet:
    """The fleet is measured over a day, and all nodes are 5 % slower in the afternoon heat."""
    draw = random.Random(f"hours {seed}")
    fleet = OtherFleet()
    for number in range(400):
        host = f"cn{number:04d}"
        minutes = draw.uniform(0, 11 * 60)
        heat = 1 - 0.025 * (1 - math.cos(2 * math.pi * minutes / (22 * 60)))
        lost = 1 - draw.uniform(0.18, 0.3) if number < 4 else 1.0
        if number < 4:
            fleet.slow.add(host)
        _twice(fleet, host, heat * lost * math.exp(draw.gauss(0, 0.008)), draw, minutes=minutes)
    return fleet


def firmware(seed: int, *, share: float, cost: float, recorded: bool) -> OtherFleet:
    """A version of the firmware costs something on a share of the nodes."""
    draw = random.Random(f"firmware {seed}")
    fleet = OtherFleet()
    for number in range(500):
        host = f"cn{number:04d}"
        old = draw.random() < share
        lost = 1 - draw.uniform(0.2, 0.3) if number < 5 else 1.0
        if number < 5:
            fleet.slow.add(host)
        elif old:
            fleet.open.add(host)
        fields: dict[str, object] = {"bios": "2.1" if old else "2.3"} if recorded else {}
        level = (1 - cost if old else 1.0) * lost * math.exp(draw.gauss(0, 0.007))
        _twice(fleet, host, level, draw, **fields)
    return fleet


def racks(seed: int, *, cost: float) -> OtherFleet:
    """Twelve racks of 32 nodes, one of them with a common loss, and three slow nodes elsewhere."""
    draw = random.Random(f"racks {seed}")
    fleet = OtherFleet(rules=Rules(place=topology_of("x{rack}n{node}")))
    bad = draw.randrange(12)
    elsewhere = [f"x{rack:02d}n{node:02d}" for rack in range(12) if rack != bad for node in (3, 9)]
    fleet.slow = set(draw.sample(elsewhere, 3))
    for rack in range(12):
        shared = draw.gauss(0, 0.002)
        for node in range(32):
            host = f"x{rack:02d}n{node:02d}"
            level = math.exp(shared + draw.gauss(0, 0.008))
            if rack == bad:
                level *= 1 - cost
                fleet.open.add(host)
            if host in fleet.slow:
                level *= 1 - draw.uniform(0.17, 0.3)
            _twice(fleet, host, level, draw)
    return fleet


def many_slow(seed: int, *, share: float, baseline: bool) -> OtherFleet:
    """A large share of the fleet lost a sixth, each node a little differently."""
    fleet = one_hardware(seed, narrow, nodes=300, slow=share, loss=(0.14, 0.18))
    if baseline:
        fleet.rules = Rules(baseline=_baseline(fleet.lines[0]))
    return fleet


def _baseline(line: NodeLine) -> Baseline:
    properties = {name: of for name, of in properties_of(line).items() if of is not None}
    figures = [
        BaselineFigure(kernel=kernel, median_gbps=rate, scale=0.006, low_gbps=rate * 0.98, n=300)
        for kernel, rate in KERNELS.items()
    ]
    known = BaselineClass(name="class", properties=properties, figures=figures)
    made = "2027-01-01T00:00:00Z"
    return Baseline(
        BaselineFile(streamgage_baseline=1, made=made, limit=0.03, classes=[known]), "site.json"
    )


def tiny(seed: int) -> OtherFleet:
    """Forty hardwares with two to seven nodes each; a node of every third class is slow."""
    draw = random.Random(f"tiny {seed}")
    fleet = OtherFleet(fixed={})
    for number in range(40):
        rate = draw.uniform(0.3, 4)
        for node in range(draw.randrange(2, 8)):
            host = f"t{number:02d}n{node}"
            level = rate * math.exp(draw.gauss(0, 0.01))
            if node == 0 and number % 3 == 0:
                fleet.slow.add(host)
                level *= 1 - draw.uniform(0.15, 0.3)
            _twice(
                fleet,
                host,
                level,
                draw,
                processor=f"kind {number}",
                memory_bytes=(9 + number) << 34,
            )
    return fleet


def several_hardwares(seed: int) -> OtherFleet:
    """Six hardwares of 12 to 200 nodes, each with its own noise, and slow nodes in all of them."""
    draw = random.Random(f"several {seed}")
    fleet = OtherFleet(fixed={})
    for number, nodes in enumerate((200, 120, 60, 30, 18, 12)):
        sd = draw.uniform(0.003, 0.015)
        rate = draw.uniform(0.4, 4)
        for node in range(nodes):
            host = f"h{number}n{node:03d}"
            level = rate * math.exp(draw.gauss(0, sd))
            if node < 1 + nodes // 80:
                fleet.slow.add(host)
                level *= 1 - draw.uniform(0.18, 0.35)
            _twice(
                fleet, host, level, draw, processor=f"processor {number}", packages=1 + number % 2
            )
    return fleet


def units(seed: int) -> OtherFleet:
    """Some lines have MB/s or TB/s in place of GB/s, or a digit too many."""
    fleet = one_hardware(seed, narrow, nodes=200, slow=0.01)
    draw = random.Random(f"units {seed}")
    names = [f"cn{number:04d}" for number in range(100, 200)]
    wrong = dict(zip(draw.sample(names, 6), (1000, 1000, 0.001, 0.001, 1e6, 1e-6), strict=True))
    fleet.mistaken = set(wrong)
    fleet.lines = [
        line if line.host not in wrong else _line(line.host, wrong[line.host], draw, line.attempt)
        for line in fleet.lines
    ]
    return fleet


def repeated(seed: int) -> OtherFleet:
    """Each node ran once, but its line came twice, and was once called a second attempt."""
    fleet = one_hardware(seed, narrow, nodes=200, slow=0.02)
    draw = random.Random(f"repeated {seed}")
    once = [line for line in fleet.lines if line.attempt == 1]
    text = []
    for line in once:
        text += [as_line(line)] * draw.choice((1, 1, 2, 3))
        full = as_line(line).replace(
            f'"host":"{line.host}"'.encode(), f'"host":"{line.host}.site.example.org"'.encode()
        )
        if draw.random() < 0.2:
            text.append(full[: full.rindex(b',"end"')] + b"}\n")
    draw.shuffle(text)
    fleet.lines = once
    fleet.text = text
    return fleet


def one_part(seed: int) -> OtherFleet:
    """Nodes that are slow in one kernel only."""
    draw = random.Random(f"part {seed}")
    fleet = OtherFleet()
    for number in range(300):
        host = f"cn{number:04d}"
        part = None
        if number < 4:
            fleet.slow.add(host)
            part = {draw.choice(list(KERNELS)): 0.75}
        _twice(fleet, host, math.exp(draw.gauss(0, 0.006)), draw, of=part)
    return fleet


def noisy_runs(seed: int) -> OtherFleet:
    """Runs of one node differ by 3 %, nodes by 1 %."""
    return one_hardware(seed, lambda draw: draw.gauss(0, 0.01), nodes=300, run=0.03)


def own_nights(seed: int, *, nights: int, since: int, loss: float) -> OtherFleet:
    """Nodes differ by 3 % for good, and two of them lost something some nights ago."""
    draw = random.Random(f"nights {seed} {nights} {since}")
    own = {f"cn{number:04d}": math.exp(draw.gauss(0, 0.03)) for number in range(120)}
    fleet = OtherFleet(slow=set(draw.sample(list(own), 2)))
    past = []
    for night in range(nights + 1):
        weather = math.exp(draw.gauss(0, 0.006))
        lost = night > nights - since
        lines = []
        for host, level in own.items():
            now = level * weather * (1 - loss if lost and host in fleet.slow else 1.0)
            for attempt in (1, 2) if night == nights else (1,):
                line = _line(host, now * math.exp(draw.gauss(0, 0.003)), draw, attempt)
                lines.append(_at_night(line, night))
        if night < nights:
            past.append(past_of(judge(gather(lines))))
        else:
            fleet.lines = lines
    fleet.rules = Rules(past=past[::-1])
    return fleet


def _at_night(line: NodeLine, night: int) -> NodeLine:
    from msgspec.structs import replace

    return replace(line, time=line.time.replace(_DAY, f"2027-02-{3 + night:02d}"))


SHAPES: Mapping[str, Callable[[int], OtherFleet]] = {
    "lognormal lower tail": lambda seed: one_hardware(seed, lognormal_tail),
    "lognormal lower tail, none slow": lambda seed: one_hardware(seed, lognormal_tail, slow=0),
    "mixture of two scatters": lambda seed: one_hardware(seed, mixture),
    "mixture of two scatters, none slow": lambda seed: one_hardware(seed, mixture, slow=0),
    "bins of silicon": lambda seed: one_hardware(seed, bins),
    "uniform": lambda seed: one_hardware(seed, uniform),
    "extremes": lambda seed: one_hardware(seed, gumbel),
    "extremes, none slow": lambda seed: one_hardware(seed, gumbel, slow=0),
    "Student t2": lambda seed: one_hardware(seed, student2),
    "Student t2, none slow": lambda seed: one_hardware(seed, student2, slow=0),
    "afternoon heat": hours,
    "firmware costs 5 % on 25 %, recorded": lambda s: firmware(
        s, share=0.25, cost=0.05, recorded=True
    ),
    "firmware costs 5 % on 25 %, hidden": lambda s: firmware(
        s, share=0.25, cost=0.05, recorded=False
    ),
    "firmware costs 8 % on 50 %, hidden": lambda s: firmware(
        s, share=0.50, cost=0.08, recorded=False
    ),
    "a rack lost 7 %": lambda seed: racks(seed, cost=0.07),
    "a rack lost 15 %": lambda seed: racks(seed, cost=0.15),
    "30 % slow": lambda seed: many_slow(seed, share=0.30, baseline=False),
    "45 % slow": lambda seed: many_slow(seed, share=0.45, baseline=False),
    "60 % slow": lambda seed: many_slow(seed, share=0.60, baseline=False),
    "60 % slow, baseline": lambda seed: many_slow(seed, share=0.60, baseline=True),
    "all slow, baseline": lambda seed: many_slow(seed, share=1.0, baseline=True),
    "tiny classes": tiny,
    "several hardwares": several_hardwares,
    "mistaken units": units,
    "repeated lines of one run": repeated,
    "slow in one kernel": one_part,
    "noisy runs": noisy_runs,
    "-7.5 % since tonight, 4 nights": lambda s: own_nights(s, nights=4, since=1, loss=0.075),
    "-7.5 % since 6 nights of 10": lambda s: own_nights(s, nights=10, since=6, loss=0.075),
    "-5 % since tonight, 12 nights": lambda s: own_nights(s, nights=12, since=1, loss=0.05),
}
"""Each gives a fleet for a seed."""
