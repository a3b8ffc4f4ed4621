"""Fleets with a known truth, for the table of cases: which nodes are slow, what else differs."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import exp, sqrt

from stub_fleet import RATES, SOUND

from streamgage.records.node import NodeFigure, NodeLine
from streamgage.results.fleet.baseline import Baseline, BaselineClass, BaselineFigure, BaselineFile
from streamgage.results.fleet.classes import properties_of
from streamgage.results.fleet.gather import Gathered, gather
from streamgage.results.fleet.judge import Rules
from streamgage.results.fleet.topology import topology_of

RUN_NOISE = 0.003
Noise = Callable[[random.Random, float], float]


def normal(draw: random.Random, sd: float) -> float:
    """Normal noise."""
    return draw.gauss(0, sd)


def student(draw: random.Random, sd: float) -> float:
    """Student's noise with three degrees of freedom."""
    squares = sum(draw.gauss(0, 1) ** 2 for _ in range(3))
    return sd / sqrt(3) * draw.gauss(0, 1) / sqrt(squares / 3)


def lower_tail(draw: random.Random, sd: float) -> float:
    """Noise with a long lower tail: exponential."""
    return sd * (1 - draw.expovariate(1))


def laplace(draw: random.Random, sd: float) -> float:
    """Laplace's noise."""
    return sd / sqrt(2) * (draw.expovariate(1) - draw.expovariate(1))


@dataclass
class KnownFleet:
    """The lines of a fleet, both runs of each node, and the nodes that are slow."""

    lines: list[NodeLine] = field(default_factory=list)
    slow: set[str] = field(default_factory=set)
    rules: Rules = field(default_factory=Rules)

    def gathered(self) -> Gathered:
        """The lines, sorted by node."""
        return gather(self.lines)

    def add(
        self, host: str, factor: float, draw: random.Random, *, slow: bool, **fields: object
    ) -> None:
        """Add both runs of a node. Every kernel has its own noise, that of a run."""
        if slow:
            self.slow.add(host)
        for attempt in (1, 2):
            figures = [
                NodeFigure(kernel=kernel, gbps=rate * factor * exp(draw.gauss(0, RUN_NOISE)), n=20)
                for kernel, rate in RATES.items()
            ]
            known: dict[str, object] = {**SOUND, **fields}
            self.lines.append(
                NodeLine(
                    host=host,
                    time=f"2026-11-25T12:0{attempt}:00Z",
                    attempt=attempt,
                    figures=figures,
                    **known,  # type: ignore[arg-type]
                )
            )


def plain(
    seed: int,
    *,
    nodes: int = 1000,
    noise: Noise = normal,
    sd: float = 0.01,
    share: float = 0.01,
    loss: float = 0.12,
    settings: Mapping[str, int] | None = None,
    effect: float = 0.0,
    others: int = 0,
) -> KnownFleet:
    """Nodes of one hardware, of which a share is slow.

    ``settings``: how many values each has, without an effect, but for the first value of the first
    one. ``others``: nodes of other hardware.
    """
    draw = random.Random(seed)
    fleet = KnownFleet()
    slow = set(draw.sample(range(nodes), round(share * nodes)))
    for number in range(nodes):
        known = {name: f"v{draw.randrange(of)}" for name, of in (settings or {}).items()}
        factor = exp(noise(draw, sd)) * ((1 - loss) if number in slow else 1.0)
        if effect and next(iter(known.values())) == "v0":
            factor *= 1 - effect
        fleet.add(f"n{number}", factor, draw, slow=number in slow, **known)
    for number in range(others):
        other: dict[str, object] = {"processor": "another processor", "modules": None}
        fleet.add(f"m{number}", exp(noise(draw, sd)), draw, slow=False, **other)
    return fleet


def rack(seed: int, *, loss: float = 0.04) -> KnownFleet:
    """Ten racks of forty nodes, of which one is slower."""
    draw = random.Random(seed)
    fleet = KnownFleet(rules=Rules(place=topology_of("r{rack}n{node}")))
    for number in range(400):
        place = number // 40
        factor = exp(draw.gauss(0, 0.01)) * ((1 - loss) if place == 3 else 1.0)
        fleet.add(f"r{place:02d}n{number % 40:02d}", factor, draw, slow=False)
    return fleet


def below_baseline(seed: int, *, share: float, nodes: int = 200) -> KnownFleet:
    """A share of the nodes is 12 % below the baseline of the class."""
    fleet = plain(seed, nodes=nodes, share=share)
    properties = {k: v for k, v in properties_of(fleet.lines[0]).items() if v is not None}
    figures = [
        BaselineFigure(kernel=kernel, median_gbps=rate, scale=0.01, low_gbps=rate * 0.98, n=200)
        for kernel, rate in RATES.items()
    ]
    known = BaselineClass(name="class", properties=properties, figures=figures)
    file = BaselineFile(
        streamgage_baseline=1, made="2026-11-01T00:00:00Z", limit=0.03, classes=[known]
    )
    fleet.rules = Rules(baseline=Baseline(file, "baseline.json"))
    return fleet


CASES: Mapping[str, Callable[[int], KnownFleet]] = {
    "normal 1 %": plain,
    "normal 2 %": lambda seed: plain(seed, sd=0.02),
    "normal 1 %, none slow": lambda seed: plain(seed, share=0.0),
    "Student t3, 1 %": lambda seed: plain(seed, noise=student),
    "Student t3, 2 %": lambda seed: plain(seed, noise=student, sd=0.02),
    "Student t3, 1 %, none slow": lambda seed: plain(seed, noise=student, share=0.0),
    "exponential lower tail, 1 %": lambda seed: plain(seed, noise=lower_tail),
    "exponential lower tail, 2 %": lambda seed: plain(seed, noise=lower_tail, sd=0.02),
    "Laplace 2 %": lambda seed: plain(seed, noise=laplace, sd=0.02),
    "20 kernels, 4 BIOS, 4 microcodes": lambda seed: plain(
        seed, share=0.04, settings={"kernel": 20, "bios": 4, "microcode": 4}
    ),
    "15 kernels, 100 nodes": lambda seed: plain(
        seed, nodes=100, share=0.02, settings={"kernel": 15}
    ),
    "a kernel costs 3 %": lambda seed: plain(seed, settings={"kernel": 4}, effect=0.03),
    "class of 8 with 300 others": lambda seed: plain(seed, nodes=8, share=1 / 8, others=300),
    "class of 12 with 300 others": lambda seed: plain(seed, nodes=12, share=1 / 12, others=300),
    "class of 20, -25 %": lambda seed: plain(seed, nodes=20, share=1 / 20, loss=0.25, others=300),
    "20 % slow": lambda seed: plain(seed, share=0.20),
    "33 % slow": lambda seed: plain(seed, share=0.33),
    "52 % slow": lambda seed: plain(seed, share=0.52),
    "52 % slow, baseline": lambda seed: below_baseline(seed, share=0.52),
    "all slow, baseline": lambda seed: below_baseline(seed, share=1.0),
    "a rack 4 % slower": rack,
}
"""Each gives a fleet for a seed."""
