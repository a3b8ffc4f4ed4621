"""Measures what `streamgage fleet judge` finds, and what that costs.

python bench/fleet.py seeds    planted faults in 20 fleets of 10,000 nodes
python bench/fleet.py power    the share of slow nodes that are found, by how slow they are
python bench/fleet.py cases    fleets with known truths, next to the rules of others
python bench/fleet.py shapes   the same with fleets of thirty other shapes
python bench/fleet.py sound    how many sound fleets have a node that is called slow, by their noise
python bench/fleet.py sizes    time and memory at 100 to 100,000 nodes
python bench/fleet.py sample   the answer that docs/fleet.md shows
"""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support")]

from fleet_cases import CASES, KnownFleet  # noqa: E402
from other_fleets import KERNELS, NOISES, SHAPES, OtherFleet, one_hardware  # noqa: E402
from stub_fleet import FEW, RATES, SOUND, Faults, judged, stub_fleet  # noqa: E402

from streamgage.records.node import NodeFigure, NodeLine  # noqa: E402
from streamgage.results.fleet.gather import gather  # noqa: E402
from streamgage.results.fleet.judge import judge  # noqa: E402

SEEDS = 20
FIRST_SEED = 3000
"""Of the table of shapes: the rules were not set on these."""
NODES = 10_000
SOUND_FLEETS = 200
SOUND_SIZES = (64, 300, 1_000)
SIZES = (100, 1_000, 10_000, 100_000)
EFFECTS = (0.03, 0.04, 0.05, 0.06, 0.08, 0.1, 0.12, 0.15)
POWER_OF = tuple((noise, nodes) for noise in (0.01, 0.02) for nodes in (30, 100, 1_000, 10_000))
"""The scatter between nodes, and the number of nodes, of the table of power."""
SLOW = 0.003
"""The share of slow nodes; at least one node is slow."""


def seeds() -> None:
    """Count planted faults that are missed, and nodes that are accused by mistake."""
    print("seed  slow  flapping  dead  odd  missed  accused  sound suspects")
    for seed in range(SEEDS):
        planted = stub_fleet(NODES, seed)
        fleet = judged(planted)
        found = {each.host: each.verdict for each in fleet.nodes}
        wrong = {*planted.slow, *planted.flapping}
        odd = [e.host for e in fleet.nodes if fleet.oddities_of(e)]
        missed = [host for host in planted.slow if found[host] != "slow"]
        missed += [host for host in planted.flapping if found[host] != "flapping"]
        missed += sorted(set(planted.dead) ^ {each.host for each in fleet.silent})
        missed += sorted(set(planted.odd) ^ set(odd))
        accused = [h for h, v in found.items() if v in ("slow", "flapping") and h not in wrong]
        doubted = [h for h, v in found.items() if v == "suspect" and h not in wrong]
        print(
            f"{seed:4}  {len(planted.slow):4}  {len(planted.flapping):8}  {len(planted.dead):4}"
            f"  {len(odd):3}  {len(missed):6}  {len(accused):7}  {len(doubted):14}",
            flush=True,
        )


def power() -> None:
    """Count how many nodes that are slower by some percent become suspects, and how many slow."""
    print("A run's own noise is a quarter of the nodes'. Suspects, slow: % of the slow nodes.\n")
    print(
        "| loss | " + " | ".join(f"{nodes:,} nodes, {noise:.0%}" for noise, nodes in POWER_OF), "|"
    )
    print("|---|" + "---|" * len(POWER_OF))
    for effect in EFFECTS:
        cells = []
        for noise, nodes in POWER_OF:
            # As many slow nodes in all for each size.
            fleets = max(2, min(100, 100_000 // nodes // 3))
            shares = [_found(nodes, noise, effect, seed) for seed in range(fleets)]
            slow = sum(number for number, _, _ in shares)
            suspects = sum(number for _, number, _ in shares)
            confirmed = sum(number for _, _, number in shares)
            cells.append(f"{100 * suspects / slow:.0f}, {100 * confirmed / slow:.0f}")
        print(f"| {effect:.0%} | " + " | ".join(cells), "|", flush=True)


def _found(nodes: int, noise: float, effect: float, seed: int) -> tuple[int, int, int]:
    """How many nodes are slow, suspects after one run, and slow after two."""
    draw = random.Random(f"{nodes} {effect} {seed}")
    slow = {f"n{number}" for number in draw.sample(range(nodes), max(1, round(SLOW * nodes)))}
    first, again = [], []
    for number in range(nodes):
        host = f"n{number}"
        own = (1 + draw.gauss(0, noise)) * (1 - effect if host in slow else 1)
        first.append(_line(host, own * (1 + draw.gauss(0, noise / 4)), 1))
        if host in slow:
            again.append(_line(host, own * (1 + draw.gauss(0, noise / 4)), 2))
    once = judge(gather(first))
    twice = judge(gather([*first, *again]))
    suspects = sum(each.verdict == "suspect" for each in once.nodes if each.host in slow)
    confirmed = sum(each.verdict == "slow" for each in twice.nodes if each.host in slow)
    return len(slow), suspects, confirmed


def _line(host: str, factor: float, attempt: int) -> NodeLine:
    figures = [NodeFigure(kernel=name, gbps=rate * factor, n=20) for name, rate in RATES.items()]
    fields: dict[str, object] = dict(SOUND)
    return NodeLine(
        host=host,
        time=f"2026-11-25T12:0{attempt}:00Z",
        attempt=attempt,
        figures=figures,
        **fields,  # type: ignore[arg-type]
    )


def cases() -> None:
    """Judge each case over 20 seeds, next to the rules of others."""
    _table({name: [make(seed) for seed in range(SEEDS)] for name, make in CASES.items()}, RATES)


def shapes() -> None:
    """Judge fleets of other shapes than those that the rules were set on.

    Their seeds are for this table alone.
    """
    seeds_of_table = range(FIRST_SEED, FIRST_SEED + SEEDS)
    _table(
        {name: [make(seed) for seed in seeds_of_table] for name, make in SHAPES.items()}, KERNELS
    )


Known = KnownFleet | OtherFleet


def sound() -> None:
    """Count the sound fleets in which a node is called slow."""
    print(
        "| noise of sound nodes | " + " | ".join(f"{nodes} nodes" for nodes in SOUND_SIZES) + " |"
    )
    print("|---|" + "---|" * len(SOUND_SIZES))
    for name, noise in NOISES.items():
        cells = []
        for nodes in SOUND_SIZES:
            accused = 0
            for seed in range(SOUND_FLEETS):
                known = one_hardware(FIRST_SEED + seed, noise, nodes=nodes, slow=0)
                fleet = judge(known.gathered(), known.rules)
                accused += any(each.verdict == "slow" for each in fleet.nodes)
            cells.append(f"{100 * accused / SOUND_FLEETS:.1f}")
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


def _table(fleets_of: dict[str, list[Known]], usual: Mapping[str, float]) -> None:
    """Print for each kind of fleet what is right, wrong, and left open.

    Of slow nodes: the share that is called slow, and that is called fine. Of sound nodes: how many
    of a fleet are called slow, and the share that is called fine. Others: the share of slow nodes
    that is found, and the sound nodes of a fleet that are called slow.

    Others call a node slow if any figure is too low in both runs. MAD: below the median less three
    times 1.4826 MAD. SuperBench's fix_threshold: 5 % below the mean without a tenth at each end.
    ReFrame: 5 % below a fixed reference, here the truth of ``usual``.
    """
    print(f"{SEEDS} seeds; of slow nodes slow | fine; of sound nodes slow per fleet | fine")
    rules: dict[str, Rule] = {"MAD x3": _mad, "SuperBench": _trimmed, "ReFrame": _fixed(usual)}
    print("| fleet | streamgage: slow nodes | sound nodes | " + " | ".join(rules) + " |")
    print("|---" * (3 + len(rules)) + "|")
    for name, fleets in fleets_of.items():
        cells = list(_judged_cells(fleets))
        for rule_name, rule in rules.items():
            if rule_name == "ReFrame" and any(not getattr(each, "fixed", True) for each in fleets):
                cells.append("-")
                continue
            found = [rule(each) for each in fleets]
            slow = sum(len(each.slow) for each in fleets)
            right = sum(len(each.slow & of) for each, of in zip(fleets, found, strict=True))
            wrong = sum(
                len(of - each.slow - _open(each)) for each, of in zip(fleets, found, strict=True)
            )
            cells.append(f"{_share(right, slow)}, {wrong / len(fleets):.2f}")
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


def _judged_cells(fleets: Sequence[Known]) -> Iterator[str]:
    counts: Counter[tuple[str, str]] = Counter()
    for known in fleets:
        for node in judge(known.gathered(), known.rules).nodes:
            kind = "slow" if node.host in known.slow else "sound"
            if node.host not in _open(known):
                counts[kind, node.verdict] += 1
    slow = sum(number for (kind, _), number in counts.items() if kind == "slow")
    sound = sum(number for (kind, _), number in counts.items() if kind == "sound")
    yield f"{_share(counts['slow', 'slow'], slow)}, {_share(counts['slow', 'fine'], slow)}"
    yield f"{counts['sound', 'slow'] / len(fleets):.2f}, {_share(counts['sound', 'fine'], sound)}"


def _open(known: Known) -> set[str]:
    """The nodes for which no verdict is right or wrong."""
    return known.open | known.mistaken if isinstance(known, OtherFleet) else set()


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "-"


Rule = Callable[[Known], set[str]]


def _below(known: Known, limit: Callable[[list[float], str], float]) -> set[str]:
    """The nodes of which a figure is below the limit of its processor and kernel in both runs."""
    values: dict[tuple[str | None, str, int], list[float]] = {}
    for line in known.lines:
        for figure in line.figures:
            key = line.processor, figure.kernel, line.attempt
            values.setdefault(key, []).append(figure.gbps)
    limits = {key: limit(of, key[1]) for key, of in values.items()}
    times: dict[tuple[str, str], int] = {}
    for line in known.lines:
        for figure in line.figures:
            low = figure.gbps < limits[line.processor, figure.kernel, line.attempt]
            name = line.host, figure.kernel
            times[name] = times.get(name, 0) + low
    return {host for (host, _), number in times.items() if number == 2}


def _mad(known: Known) -> set[str]:
    def limit(values: list[float], _kernel: str) -> float:
        middle = statistics.median(values)
        return middle - 3 * 1.4826 * statistics.median(abs(each - middle) for each in values)

    return _below(known, limit)


def _trimmed(known: Known) -> set[str]:
    def limit(values: list[float], _kernel: str) -> float:
        cut = len(values) // 10
        return 0.95 * statistics.fmean(sorted(values)[cut : len(values) - cut])

    return _below(known, limit)


def _fixed(usual: Mapping[str, float]) -> Rule:
    return lambda known: _below(known, lambda _values, kernel: 0.95 * usual[kernel])


def sizes() -> None:
    """Measure the whole command with its page: wall and CPU seconds, and peak memory."""
    print("  nodes  lines, MB  judged: s   CPU s    MiB  and page: s   CPU s    MiB  page, MB")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for nodes in SIZES:
            file, page = folder / f"{nodes}.jsonl", folder / f"{nodes}.html"
            _in_a_process(lambda: _write(nodes, file))  # noqa: B023 - it is called at once
            options = ["--topology", "r{rack}n{node}", "--page", str(page)]
            alone, paged = _command(file), _command(file, *options)
            figures = "  ".join(
                f"{wall:10.1f}  {cpu:6.1f}  {mib:5.0f}" for wall, cpu, mib in (alone, paged)
            )
            megabytes = [each.stat().st_size / 1e6 for each in (file, page)]
            print(f"{nodes:7,}  {megabytes[0]:9.1f} {figures}  {megabytes[1]:8.1f}", flush=True)


def sample() -> None:
    """Print the command's output for the faulty fleet, 100 characters wide."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "fleet.jsonl"
        _write(NODES, file)
        command = [sys.executable, "-m", "streamgage", "fleet", "judge", str(file), "--no-store"]
        subprocess.run(
            command,
            cwd=ROOT,
            env={**os.environ, "COLUMNS": "100"},
            stderr=subprocess.DEVNULL,
            check=False,  # 1: some are slow
        )


def _write(nodes: int, file: Path) -> None:
    with file.open("wb") as out:
        out.writelines(stub_fleet(nodes, 1, FEW if nodes < 1_000 else Faults()).lines)


def _in_a_process(work: Callable[[], None]) -> None:
    """Run the work in a process of its own, so that only its memory counts."""
    child = os.fork()
    if child == 0:
        work()
        os._exit(0)
    os.waitpid(child, 0)


def _command(file: Path, *options: str) -> tuple[float, float, float]:
    """Run the command; return wall seconds, CPU seconds, and MiB."""
    command = [sys.executable, "-m", "streamgage", "fleet", "judge", str(file), "--no-store"]
    start = os.times().elapsed
    process = subprocess.Popen(
        [*command, *options],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, _, used = os.wait4(process.pid, 0)
    wall = os.times().elapsed - start
    return wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


PARTS = {
    "seeds": seeds,
    "power": power,
    "cases": cases,
    "shapes": shapes,
    "sound": sound,
    "sizes": sizes,
    "sample": sample,
}

if __name__ == "__main__":
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()
