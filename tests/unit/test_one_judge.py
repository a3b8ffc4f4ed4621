"""The thousand cases by which the engine's check and that of Python agree.

The engine's own test, ``engine/node/check_cases_test.cpp``, reads the same file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from example_check import check_of, limit_of, node_run
from golden import approved
from msgspec.structs import replace
from programs import REPOSITORY

from streamgage.errors import UsageError
from streamgage.records.node import NodeFigure
from streamgage.results.check.limits import parse_expected
from streamgage.results.check.words import line_of
from streamgage.units import format_gbps

CASES = REPOSITORY / "tests" / "data" / "check-cases.jsonl"
KERNELS, STORES = ("sum", "copy", "triad"), ("plain", "streaming")
EACH = 250
_PARTS: tuple[tuple[str, ...], ...] = (
    ("triad", "triad", "sum", " copy ", "triad streaming", "copy  streaming", "triad odd", "", "3"),
    ("=", "=", "=", " = ", "", "=="),
    ("420", "4.2e2", ".5", "5.", "0", "-1", "+1", "1e", "inf", "nan", "", "1,5", "0x10", "1e-300"),
    ("GB/s", "GB/s", " GB/s", "TB/s", "MB/s", "GB", "", "gb/s", "\tGB/s"),
    ("", "", ",-5%", " , -5 % ", ",-1e1%", ",5%", ",-100%", ",-99.9%", ",-0%", ",--5%", ";", ",-5"),
)
_DISTURBANCES = (
    "the hypervisor took 9 % of the CPUs' time",
    'other programs used 31 % of the CPUs: caf\N{LATIN SMALL LETTER E WITH ACUTE} "sh" $(x)',
)


def _expectations(source: Random) -> Iterator[dict[str, Any]]:
    for _ in range(EACH):
        # Each part is the first of its choices as often as not.
        text = "".join(source.choice((part[0], source.choice(part))) for part in _PARTS)
        try:
            limit = parse_expected(text, KERNELS, STORES)
        except UsageError:
            yield {"expect": text, "kernel": None}
        else:
            yield {"expect": text, "kernel": limit.kernel, "least": limit.limit_gbps}


def _rates(source: Random) -> Iterator[dict[str, Any]]:
    for _ in range(EACH):
        gbps = float(f"{10 ** source.uniform(-4, 4):.8g}")
        yield {"gbps": gbps, "words": format_gbps(gbps)}


def _judgements(source: Random) -> Iterator[dict[str, Any]]:
    for number in range(2 * EACH):
        limits, figures = [], []
        for kernel in source.sample(("sum", "copy", "triad", "triad streaming"), 3):
            gbps = float(f"{10 ** source.uniform(-1, 3.5):.8g}")
            percent = source.choice((0, 0, 5, 2.5, 12.345))
            limits.append(limit_of(gbps, percent, kernel=kernel))
            got = float(f"{gbps * source.uniform(0.9, 1.1):.8g}")
            width = source.choice((0.001, 0.01, 0.05))
            bounded = source.random() < 0.9
            figures.append(
                NodeFigure(
                    kernel=kernel,
                    gbps=got,
                    low=got * (1 - width) if bounded else None,
                    high=got * (1 + width) if bounded else None,
                    n=50,
                    best=got,
                    valid=source.choice((True,) * 20 + (False, None)),
                )
            )
        limits = limits[: source.randint(1, 3)]
        disturbance = source.choice((None, None, *_DISTURBANCES))
        line = replace(node_run(disturbance=disturbance), figures=figures)
        check = check_of([line] * source.randint(1, 2), limits)
        yield {
            "number": number,
            "limits": [[each.kernel, each.expected_gbps, each.limit_gbps] for each in limits],
            "figures": [[each.kernel, each.gbps, each.high, each.valid] for each in figures],
            "disturbance": disturbance,
            "runs": len(check.runs),
            "verdict": check.verdict,
            "line": line_of(check),
        }


def test_the_cases_are_judged_as_they_were_reviewed() -> None:
    source = Random(49)
    cases = [*_expectations(source), *_rates(source), *_judgements(source)]
    assert len(cases) == 4 * EACH
    verdicts = [each["verdict"] for each in cases if "verdict" in each]
    assert all(verdicts.count(each) > 10 for each in ("fine", "slow", "wrong", "cannot-tell"))
    assert sum(each.get("kernel") is not None for each in cases) > EACH / 20
    approved(CASES, "".join(f"{json.dumps(each)}\n" for each in cases))
