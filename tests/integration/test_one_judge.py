"""The engine's check and that of Python judge the same lines: verdict, exit status and sentence."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import msgspec
from example_check import check_of, node_run
from msgspec.structs import replace
from programs import real_engine
from stub_gpus import gpu_line

from streamgage.records.node import NodeFigure, NodeLimit, NodeLine
from streamgage.records.verdict import EXIT_STATUS_OF
from streamgage.results.check.limits import of_expectation
from streamgage.results.check.words import line_of

CASES = 1000
KERNELS = ("sum", "copy", "scale", "add", "triad", "triad streaming", "copy libc")
SHARES_MISSING = (0.0, 0.0, 0.05, 0.025, 0.12345, 0.999, 1e-8, 1e-12)
HALF_WIDTHS = (0.0, 0.001, 0.01, 0.05)
DISTURBANCES = (
    "the hypervisor took 9 % of the CPUs' time",
    'other programs used 31 % of the CPUs: caf\N{LATIN SMALL LETTER E WITH ACUTE} "sh" $(x)',
    "2 other processes had the device open",
    "\N{SNOWMAN}" * 70,
    "x" * 250,
)


@dataclass(frozen=True)
class Case:
    """A line, and how often the node was measured."""

    line: NodeLine
    runs: int


def rate(draw: Random) -> float:
    """Rates of every size, many of which lie where a digit changes."""
    if draw.random() < 0.1:
        return draw.choice((0.9994, 0.9995, 0.99951, 9.994, 9.995, 99.95, 999.94, 999.95, 1e5))
    return float(f"{10 ** draw.uniform(-4, 5):.{draw.randint(1, 9)}g}")


def figure(draw: Random, limit: NodeLimit) -> NodeFigure:
    """A figure around its limit; some are exactly at it."""
    near = draw.choice((1.0, draw.uniform(0.9, 1.1), draw.uniform(0.999, 1.001)))
    gbps = limit.limit_gbps * near
    width = draw.choice(HALF_WIDTHS)
    bounded = draw.random() < 0.9
    return NodeFigure(
        kernel=limit.kernel,
        gbps=gbps,
        low=gbps * (1 - width) if bounded else None,
        high=gbps * (1 + width) if bounded else None,
        n=50,
        valid=draw.choice((True,) * 30 + (False, None)),
    )


def case(draw: Random) -> Case:
    limits = []
    for kernel in draw.sample(KERNELS, draw.randint(1, 6)):
        gbps = rate(draw)
        least = gbps * (1 - draw.choice(SHARES_MISSING))
        limits.append(NodeLimit(kernel=kernel, expected_gbps=gbps, limit_gbps=least))
    figures = [figure(draw, limit) for limit in limits if draw.random() < 0.97]
    draw.shuffle(figures)
    line = replace(
        node_run(),
        figures=figures,
        expected=limits,
        disturbance=draw.choice((None, None, None, *DISTURBANCES)),
        device=gpu_line("n7", draw.randrange(8)).device if draw.random() < 0.3 else None,
    )
    return Case(line, draw.randint(1, 2))


def judged_by_engine(cases: Sequence[Case]) -> list[str]:
    asked = b"".join(
        msgspec.json.encode({"runs": each.runs, "line": each.line}) + b"\n" for each in cases
    )
    done = subprocess.run([real_engine(), "--judge"], input=asked, capture_output=True, check=True)
    return done.stdout.decode().splitlines()


def judged_by_python(one: Case) -> str:
    check = check_of([one.line] * one.runs, of_expectation(one.line))
    return f"{EXIT_STATUS_OF[check.verdict]} {line_of(check)}"


def test_both_judges_say_the_same_of_a_thousand_lines() -> None:
    draw = Random(49)
    cases = [case(draw) for _ in range(CASES)]
    here = [judged_by_python(each) for each in cases]
    there = judged_by_engine(cases)
    assert len(there) == CASES
    differing = [
        (python, engine, json.loads(msgspec.json.encode(each.line.figures)))
        for python, engine, each in zip(here, there, cases, strict=True)
        if python != engine
    ]
    assert not differing, f"{len(differing)} differ, such as {differing[0]}"
    verdicts = Counter(each.partition(":")[0] for each in here)
    assert set(verdicts) == {"0 ok", "1 slow", "1 wrong", "3 cannot tell"}
    assert min(verdicts.values()) > CASES / 50, verdicts
