"""Public tables of BabelStream and STREAM, and what is known of their stores for certain.

``python published_stores.py`` prints how often verdicts on them are right, by grade.

What is known, kernel by kernel, and by which rule:

- ``gcc``: on the x86 processors of these tables GCC makes ordinary stores of a loop, which read
  all lines (none of them has SpecI2M). Not copy, of which GCC makes a call.
- ``peak``: with its lines read the kernel would need more than 98 % of the node's peak, so it did
  not read them.
- ``builds``: with its lines read the kernel would move a fifth more than any other build of the
  node is known to, so it did not read them.

All others are unknown, and count only where verdicts contradict each other.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

import msgspec
from programs import REPOSITORY
from traffic_runs import table_run

from streamgage.analysis.traffic.alpha import Alpha
from streamgage.analysis.traffic.verdict import judge_traffic
from streamgage.analysis.user_facts import UserFacts

LOADS = {"copy": 1, "scale": 1, "add": 2, "triad": 2}
LOOPS = ("scale", "add", "triad")
_HIGHEST = 0.98
_MORE_THAN_OTHERS = 1.2


@dataclass(frozen=True)
class Node:
    """A machine of the tables, by a part of its file's name."""

    part: str
    kind: str
    """``x86``, ``gpu`` or ``other``."""
    peak_gbps: float
    memory: str


NODES = (
    Node("v100-", "gpu", 900, "HBM2, 900 GB/s"),
    Node("p100-isambard", "gpu", 732, "HBM2, 732 GB/s"),
    Node("ampere-zoo", "other", 170.7, "eMAG: 8 x DDR4-2667"),
    Node("gtx2080ti", "gpu", 616, "616 GB/s"),
    Node("k20-bcp3", "gpu", 208, "208 GB/s"),
    Node("k20c", "gpu", 208, "208 GB/s"),
    Node("k20x", "gpu", 250, "250 GB/s"),
    Node("k40", "gpu", 288.4, "288 GB/s"),
    Node("k80", "gpu", 240.5, "240 GB/s a GPU"),
    Node("gtx-580", "gpu", 192.4, "192.4 GB/s"),
    Node("gtx-780-ti", "gpu", 336.4, "336 GB/s"),
    Node("gtx-980-ti", "gpu", 336.6, "336.6 GB/s"),
    Node("gtx980ti", "gpu", 336.6, "336.6 GB/s"),
    Node("gtx-980", "gpu", 224.4, "224 GB/s"),
    Node("gtx-titan_x", "gpu", 336.6, "336.6 GB/s"),
    Node("titanxp", "gpu", 547.7, "547.7 GB/s"),
    Node("titanx_", "gpu", 336.6, "336.6 GB/s"),
    Node("fiji-nano", "gpu", 512, "HBM, 512 GB/s"),
    Node("fury", "gpu", 512, "HBM, 512 GB/s"),
    Node("s10000", "gpu", 240, "240 GB/s a GPU"),
    Node("s9150", "gpu", 320, "320 GB/s"),
    Node("s9300x2", "gpu", 512, "HBM, 512 GB/s a GPU"),
    Node("radeon-7970", "gpu", 264, "264 GB/s"),
    Node("r9-290x", "gpu", 320, "320 GB/s"),
    Node("r9-295x2", "gpu", 320, "320 GB/s a GPU"),
    Node("radeonvii", "gpu", 1024, "HBM2, 1024 GB/s"),
    Node("a10-7850k", "other", 34.1, "APU: 2 x DDR3-2133, shared with its GPU"),
    Node("phi-se10p", "other", 352, "Knights Corner: GDDR5, 352 GB/s"),
    Node("knl", "other", 490, "Knights Landing: MCDRAM, 490 GB/s at most"),
    Node("naples", "x86", 341.3, "2 EPYC 7001: 16 x DDR4-2666"),
    Node("skl-", "x86", 256, "2 Skylake: 12 x DDR4-2666"),
    Node("bdw-swan", "x86", 153.6, "2 Broadwell: 8 x DDR4-2400"),
    Node("broadwell", "x86", 153.6, "2 Broadwell: 8 x DDR4-2400"),
    Node("haswell", "x86", 136.5, "2 Haswell: 8 x DDR4-2133"),
    Node("ivybridge", "x86", 119.4, "2 Ivy Bridge: 8 x DDR3-1866"),
    Node("sandybridge", "x86", 102.4, "2 Sandy Bridge: 8 x DDR3-1600"),
    Node("tx2-", "other", 341.3, "2 ThunderX2: 16 x DDR4-2667"),
    Node("power9", "other", 341.3, "2 POWER9: 16 x DDR4-2666"),
    Node("power8", "other", 384, "2 POWER8: 384 GB/s"),
)


@dataclass(frozen=True)
class PublicTable:
    """A published table with the node that it is of, and the known alphas by kernel."""

    collection: str
    file: str
    node: Node
    gbps: dict[str, float]
    array_bytes: int | None
    truth: dict[str, tuple[float, str]]

    @property
    def by_gcc(self) -> bool:
        """``True`` if GCC compiled it for a processor."""
        return "gcc" in self.file and self.node.kind == "x86"


def _node_of(file: str) -> Node:
    path = file.replace("/results/", "/")
    return next(node for node in NODES if node.part in path)


def _full(gbps: float, kernel: str) -> float:
    """The real traffic with all lines read."""
    return gbps * (1 + 1 / (LOADS[kernel] + 1))


def _certain(table: PublicTable) -> dict[str, tuple[float, str]]:
    """What holds whatever other builds of the node reach."""
    found = {}
    for kernel in LOADS:
        if table.by_gcc and kernel in LOOPS:
            found[kernel] = (1.0, "gcc")
        elif _full(table.gbps[kernel], kernel) > _HIGHEST * table.node.peak_gbps:
            found[kernel] = (0.0, "peak")
    return found


def _most_known(tables: Iterable[PublicTable]) -> dict[str, float]:
    """The most that a build of each node is known to have moved."""
    most: dict[str, float] = {}
    for table in tables:
        moved = list(table.gbps.values())
        moved += [
            _full(table.gbps[kernel], kernel)
            for kernel, (alpha, _) in table.truth.items()
            if alpha == 1
        ]
        part = table.node.part
        most[part] = max(most.get(part, 0.0), *moved)
    return most


def public_tables() -> list[PublicTable]:
    """The tables of ``tests/data/public-tables.csv`` with what is known of their stores."""
    path = REPOSITORY / "tests" / "data" / "public-tables.csv"
    tables = []
    with path.open(encoding="utf-8", newline="") as text:
        for row in csv.DictReader(text):
            gbps = {name: float(row[name]) / 1000 for name in (*LOADS, "dot") if row[name]}
            size = row["array_mib"]
            table = PublicTable(
                collection=row["collection"],
                file=row["file"],
                node=_node_of(row["file"]),
                gbps=gbps,
                array_bytes=round(float(size) * 2**20) if size else None,
                truth={},
            )
            tables.append(replace(table, truth=_certain(table)))
    most = _most_known(tables)
    return [replace(table, truth=_by_builds(table, most) | table.truth) for table in tables]


def _by_builds(table: PublicTable, most: dict[str, float]) -> dict[str, tuple[float, str]]:
    others = _MORE_THAN_OTHERS * most[table.node.part]
    return {
        kernel: (0.0, "builds")
        for kernel in LOADS
        if table.node.kind == "x86" and _full(table.gbps[kernel], kernel) > others
    }


def judged(table: PublicTable, *, with_peak: bool) -> dict[str, Alpha]:
    """The verdict on each kernel, with the node's peak or without one."""
    run = table_run([table.gbps], array_bytes=table.array_bytes)
    if table.node.kind == "gpu" and run.reported is not None:  # its name is printed
        run.reported = msgspec.structs.replace(
            run.reported, processor=f"Radeon or GeForce {table.node.part}", on_gpu=True
        )
    facts = UserFacts(peak_gbps=table.node.peak_gbps if with_peak else None)
    crossings = judge_traffic(run, user_facts=facts).crossings
    names = list(table.gbps)
    return {
        names[number]: each.alpha for number, each in crossings.items() if names[number] in LOADS
    }


def outcome(alpha: Alpha, truth: float | None) -> str:
    """``right``, ``wrong``, ``undecided``, or ``unknown`` for a verdict that nothing checks."""
    if alpha.verdict == "at-most":
        if truth is None:
            return "unknown"
        return "right" if alpha.high is not None and truth <= alpha.high else "wrong"
    if alpha.verdict not in ("none", "full", "partial"):
        return "undecided"
    if truth is None:
        return "unknown"
    return "right" if alpha.verdict == ("full" if truth == 1 else "none") else "wrong"


def calibration(tables: Iterable[PublicTable], *, with_peak: bool) -> Counter[tuple[str, str]]:
    """How many kernels have each grade and outcome."""
    found: Counter[tuple[str, str]] = Counter()
    for table in tables:
        for kernel, alpha in judged(table, with_peak=with_peak).items():
            truth = table.truth.get(kernel, (None, ""))[0]
            said = outcome(alpha, truth)
            grade = alpha.evidence or "none"
            found["none" if said == "undecided" else grade, said] += 1
    return found


def _shown(found: Counter[tuple[str, str]]) -> Iterable[str]:
    yield f"{'grade':<10}{'right':>8}{'wrong':>8}{'unchecked':>11}"
    for grade in ("inferred", "likely", "excluded"):
        right, wrong, unknown = (found[grade, said] for said in ("right", "wrong", "unknown"))
        yield f"{grade:<10}{right:>8}{wrong:>8}{unknown:>11}"
    yield f"{'undecided':<10}{found['none', 'undecided']:>8}"


if __name__ == "__main__":
    tables = public_tables()
    known = Counter(basis for table in tables for _, basis in table.truth.values())
    print(f"{len(tables)} tables; kernels of known stores by rule: {dict(known)}")
    for with_peak in (False, True):
        print("\nwith the peak" if with_peak else "\nwithout a peak")
        print("\n".join(_shown(calibration(tables, with_peak=with_peak))))
