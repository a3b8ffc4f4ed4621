"""The work for a fleet grows with its nodes, however many classes they are in."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from types import FrameType

import pytest
from ClusterShell.NodeSet import RESOLVER_NOGROUP, NodeSet
from stub_fleet import RATES, SOUND

from streamgage.process.fleet.node_names import folded, parse_nodes
from streamgage.records.node import NodeFigure, NodeLine
from streamgage.results.fleet.comparable import figures
from streamgage.results.fleet.gather import gather
from streamgage.results.fleet.judge import judge
from streamgage.results.kinds import result_of


def node(number: int, **fields: object) -> NodeLine:
    found = [NodeFigure(kernel=kernel, gbps=rate / 20, n=20) for kernel, rate in RATES.items()]
    known: dict[str, object] = {**SOUND, **fields}
    return NodeLine(host=f"n{number}", time="2026-11-25T12:00:00Z", figures=found, **known)  # type: ignore[arg-type]


def own_processor(number: int) -> NodeLine:
    return node(number, processor=f"kind {number}")


def own_modules(number: int) -> NodeLine:
    return node(number, modules=f"{number + 1} x 32 GiB DDR5-4800", memory_bytes=(number + 1) << 30)


def odd_next_to_many(number: int) -> NodeLine:
    """Every second node is the only one of its kind, and all others are one class."""
    return own_modules(number + 30) if number % 2 else node(number)


def eight_of_each(number: int) -> NodeLine:
    return node(number, modules=f"{number // 8 + 1} x 32 GiB DDR5-4800")


def calls_of(work: Callable[[], object]) -> int:
    """How many functions are called, those of C included."""
    calls = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.parametrize(
    "kind", [own_processor, own_modules, odd_next_to_many, eight_of_each], ids=lambda e: e.__name__
)
def test_twice_the_nodes_take_twice_the_work(kind: Callable[[int], NodeLine]) -> None:
    def work(nodes: int) -> int:
        lines = [kind(number) for number in range(nodes)]

        def whole() -> None:
            fleet = judge(gather(lines))
            _ = result_of(fleet).page
            list(figures(fleet))

        return calls_of(whole)

    work(16)  # what is loaded once
    assert work(800) < 2.5 * work(400)


def test_names_are_folded_as_clustershell_folds_them() -> None:
    draw = random.Random(1)
    forms: list[Callable[[], str]] = [
        lambda: f"n{draw.randrange(40)}",
        lambda: f"n{draw.randrange(40):02d}",
        lambda: f"r{draw.randrange(3):02d}n{draw.randrange(30):02d}",
        lambda: f"r{draw.randrange(3)}c{draw.randrange(2)}n{draw.randrange(5)}",
        lambda: f"x{draw.randrange(5)}-ib",
        lambda: f"login{draw.choice('abc')}",
        lambda: f"n{draw.randrange(9):03d}.site.org",
    ]
    for _ in range(100):
        names = sorted({draw.choice(forms)() for _ in range(draw.randrange(1, 60))})
        text = folded(names)
        assert sorted(parse_nodes("the text", text)) == names
        assert text == str(NodeSet.fromlist(names, resolver=RESOLVER_NOGROUP))
