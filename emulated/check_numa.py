"""What the engine finds and does on machines with NUMA nodes, against what they were given.

    python3 emulated/check_numa.py FOLDER [NAME ...]

FOLDER holds this machine's engine and its tests; the names are those of machines.

A check is a job in the guest and a function that judges what became of it: a further one is an
entry of ``CHECKS``. Every check runs on every machine, and so do the cells of ``streamgage numa``
and the points of ``streamgage scale``, whose plans the front makes, and of whose records it makes a
matrix and curves. Programs that ``streamgage pin`` starts in the guest show where their pages are.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from guest import GuestError, Job, JobEnd, run_jobs
from judging import (
    Record,
    ask_front,
    judge_pages,
    judge_run,
    must_be,
    of_kind,
    records,
)
from numa_machines import NUMA_MACHINES, NumaMachine
from numa_points import judge_points, judge_scaling, point_jobs
from pinned_programs import Front, judge_pins, pin_jobs
from tests_in_guest import judge_tests, tests_job


@dataclass(frozen=True)
class Check:
    """A job and its judge, which fails an assertion or says in a few words what was found."""

    job: Job
    judge: Callable[[NumaMachine, JobEnd], str]


def cpu_list(cpus: tuple[int, ...]) -> str:
    """CPUs without gaps as the engine and the kernel write them."""
    return f"{cpus[0]}-{cpus[-1]}" if cpus else ""


def judge_distances(machine: NumaMachine, done: JobEnd) -> str:
    """The guest's kernel has the nodes that QEMU was given. The other checks rest on this."""
    rows = tuple(tuple(map(int, line.split())) for line in done.output.splitlines())
    must_be("distances", rows, machine.distances)
    return f"{len(rows)} nodes"


def judge_description(machine: NumaMachine, done: JobEnd) -> str:
    """The record of the machine is the machine."""
    (record,) = of_kind(records(done), "machine")
    cores = machine.packages * machine.cores_per_package
    must_be("packages", record["packages"], machine.packages)
    must_be("cores", record["cores"], cores)
    must_be("hardware threads", record["hardware_threads"], len(machine.cpus))
    must_be("threads per core", record["threads_per_core"], machine.threads_per_core)
    must_be("online CPUs", record["online_cpus"], cpu_list(tuple(machine.cpus)))
    nodes = record["numa_nodes"]
    assert isinstance(nodes, list)
    must_be(
        "nodes",
        [(node["node"], node["cpus"]) for node in nodes],
        [(number, cpu_list(node.cpus)) for number, node in enumerate(machine.nodes)],
    )
    for node, made in zip(nodes, machine.nodes, strict=True):
        # The kernel keeps a part for itself, the largest on the first node.
        share = node["bytes"] / (made.mebibytes << 20)
        assert 0.7 < share <= 1, f"node {node['node']} has {share:.0%} of its memory"
    return f"{record['packages']} packages, {record['cores']} cores, {len(nodes)} nodes"


def plan(placement: Record, *, pages: str) -> str:
    """A run of a few kernels, as brief as can be."""
    sampling = {"min_samples": 1, "look_every": 1, "max_samples": 1, "budget_seconds": 5}
    return json.dumps(
        {
            "schema": 1,
            "kernels": ["init", "copy", "triad"],
            "stores": ["regular"],
            "placement": placement,
            "array_bytes": 32 << 20,
            "seed": 1,
            "sampling": sampling,
            "pages": pages,
        }
    )


def run_of_a_plan(name: str, placement: Record, *, pages: str) -> Job:
    """Let the engine measure in the guest."""
    return Job(name, "streamgage-engine --plan -", plan(placement, pages=pages))


def judge_run_on_all_cpus(machine: NumaMachine, done: JobEnd) -> str:
    """A thread on each CPU, in the order of the plan."""
    return judge_run(machine, done, list(EVERY_CPU))


def judge_run_on_cores(machine: NumaMachine, done: JobEnd) -> str:
    """A thread on each core: none shares one."""
    (placement,) = of_kind(records(done), "placement")
    threads = placement["threads"]
    assert isinstance(threads, list)
    cpus = [thread["cpu"] for thread in threads]
    cores = range(machine.packages * machine.cores_per_package)
    must_be("cores", sorted(map(machine.core_of, cpus)), list(cores))
    return judge_run(machine, done, cpus)


def judge_expressions(machine: NumaMachine, done: JobEnd) -> str:
    """Placement expressions stand for the CPUs of this machine, and for no others."""
    answers = [json.loads(line) for line in done.output.splitlines()]
    must_be("expressions", [each["expression"] for each in answers], list(EXPRESSIONS))
    nodes = [list(node.cpus) for node in machine.nodes]
    expected = [*EXPRESSIONS.values()]
    expected[list(EXPRESSIONS).index("M1")] = tuple(nodes[1])
    for each, cpus in zip(answers, expected, strict=True):
        must_be(f"CPUs of {each['expression']}", each["cpus"], list(cpus))
    (sentence,) = done.errors.splitlines()
    domains = len(rows_of(machine))
    assert f"M9 names M9, but this machine has M0 to M{domains - 1};" in sentence, sentence
    return f"{len(answers)} expressions"


EXPRESSIONS = {
    "0,4-6": (0, 4, 5, 6),
    "N": (0, 1, 2, 3, 4, 5, 6, 7),
    "S1": (4, 5, 6, 7),
    "M1": (),  # as each machine has it
    "N:0-7": (0, 2, 4, 6, 1, 3, 5, 7),
    "S0:0-3": (0, 2, 1, 3),
    "S1:1-0": (6, 4),
    "S0:0-1@S1:0-1": (0, 2, 4, 6),
    "E:N:2:1:2": (0, 2),
    "E:S1:3": (4, 5, 6),
}
"""Threads of all cores come before their second hardware threads, but with E and without a list."""


def judge_refusal_of_a_node(machine: NumaMachine, done: JobEnd) -> str:
    """Memory of a node that does not exist is bad usage; the error lists the existing nodes."""
    must_be("exit status", done.status, 2)
    must_be("records", done.output, "")
    (sentence,) = done.errors.splitlines()
    nodes = f"on nodes {cpu_list(tuple(range(len(machine.nodes))))}."
    assert "memory of NUMA node 99 is not available" in sentence, sentence
    assert sentence.endswith(nodes), sentence
    return sentence.removeprefix("streamgage-engine: ")


def plan_for_a_node(node: int) -> str:
    """A run that asks for memory of that node."""
    cores_plan = json.loads(plan({"kind": "cores"}, pages="4k"))
    return json.dumps(cores_plan | {"memory_nodes": [node]})


def cell_job_name(cell: tuple[int, int]) -> str:
    """The name of the job that measures a cell."""
    return "cell-{}-{}".format(*cell)


def cell_jobs(machine: NumaMachine) -> list[Job]:
    """The cells of the matrix, by the plans that ``streamgage numa`` makes."""
    requests = [
        {"cpus": machine.first_cpus_of_cores(row), "memory_node": column}
        for row, column in machine.cells
    ]
    plans = ask_front("front_numa.py", "plans", requests)
    assert isinstance(plans, list)
    return [
        Job(cell_job_name(cell), "streamgage-engine --plan -", json.dumps(each))
        for cell, each in zip(machine.cells, plans, strict=True)
    ]


def judge_cells(machine: NumaMachine, answers: dict[str, JobEnd]) -> str:
    """Of every cell the threads were on the row's node and all pages on the column's."""
    pages = 0
    for row, column in machine.cells:
        done = answers[cell_job_name((row, column))]
        cell_records = records(done)
        judge_run(machine, done, list(machine.first_cpus_of_cores(row)))
        for memory in of_kind(cell_records, "memory"):
            must_be("nodes of the arrays", memory["nodes"], [column])
        (latency,) = of_kind(cell_records, "latency")
        must_be("nodes of the latency's chain", latency["nodes"], [column])
        must_be("CPU of the latency", latency["cpu"], machine.first_cpus_of_cores(row)[0])
        pages += judge_pages(cell_records)
    return f"{len(machine.cells)} cells, {pages} pages on the node asked for"


def judge_matrix(machine: NumaMachine, answers: dict[str, JobEnd]) -> str:
    """The front makes a full matrix of the records, and shows it."""
    cells = [
        {
            "cpu_node": row,
            "memory_node": column,
            "records": answers[cell_job_name((row, column))].output,
        }
        for row, column in machine.cells
    ]
    made = ask_front("front_numa.py", "document", cells)
    assert isinstance(made, dict)
    document = made["document"]
    must_be("rows", [row["node"] for row in document["cpu_nodes"]], rows_of(machine))
    must_be(
        "columns",
        [(column["node"], column["memory_only"]) for column in document["memory_nodes"]],
        [(number, not node.cpus) for number, node in enumerate(machine.nodes)],
    )
    must_be("kernels", [kernel["kernel"] for kernel in document["kernels"]], ["sum", "triad"])
    for cells in (*(kernel["cells"] for kernel in document["kernels"]), document["latency"]):
        places = [(cell["cpu_node"], cell["memory_node"]) for cell in cells]
        must_be("cells", places, machine.cells)
        assert all(cell["median"] > 0 for cell in cells), cells
    must_be("failures", [run["failure"] for run in document["runs"] if run["failure"]], [])
    print(made["table"])
    return f"{len(machine.cells)} cells in each of {len(document['kernels']) + 1} matrices"


def rows_of(machine: NumaMachine) -> list[int]:
    """The nodes that have CPUs."""
    return [number for number, node in enumerate(machine.nodes) if node.cpus]


EVERY_CPU = (5, 0, 7, 2, 4, 1, 6, 3)  # of all machines; the order is the plan's, not the numbers'
TESTS_OF_THE_MACHINE = (
    *("AffinityAtStart.*", "AllowedCpus.*", "Array.*", "Binding.*", "BothSources.AgreeOnThis*"),
    *("HugePages.*", "Machine.ThatThis*", "Pages.*", "PerfOpener.*", "Teams.*", "ThreadSeries.*"),
    *("Session.BoundMemory*", "Topology.OfThis*"),
)
"""Those of the engine's tests that look at the machine on which they run."""
MAY_BE_SKIPPED = (
    "PerfOpener.CountsTheCyclesOfACore",  # QEMU gives no x86 guest a PMU of its cores
    # A kernel may have no huge page left; that the engine gets some is checked by a run.
    "HugePages.TheyAreHadWhereTheyAreWantedAndTheKernelGivesThem",
)
"""'msr' is a PMU that is there, and is tested."""

CHECKS = {
    "distances": Check(
        Job("distances", "cat /sys/devices/system/node/node*/distance"), judge_distances
    ),
    "description": Check(Job("description", "streamgage-engine --machine"), judge_description),
    "all CPUs": Check(
        run_of_a_plan("cpus", {"kind": "cpus", "cpus": EVERY_CPU}, pages="4k"),
        judge_run_on_all_cpus,
    ),
    "cores, huge pages": Check(
        run_of_a_plan("cores", {"kind": "cores"}, pages="2m"), judge_run_on_cores
    ),
    "expressions": Check(
        Job(
            "expressions",
            f"for each in {' '.join(EXPRESSIONS)} M9; do streamgage-engine --expand $each; done",
        ),
        judge_expressions,
    ),
    "a node that does not exist": Check(
        Job("refusal", "streamgage-engine --plan -", plan_for_a_node(99)), judge_refusal_of_a_node
    ),
    "engine's tests": Check(
        tests_job(TESTS_OF_THE_MACHINE),
        lambda _, done: judge_tests(done, MAY_BE_SKIPPED),
    ),
}


CHECKS_OF_ALL_JOBS = {
    "cells of the matrix": judge_cells,
    "matrix": judge_matrix,
    "points of scaling": judge_points,
    "scaling": judge_scaling,
    "pinned programs": judge_pins,
}
"""By the answers to all jobs."""


def check(machine: NumaMachine, programs: list[Path], front: Front) -> int:
    """Boot the machine once for all checks and say how each ended; gives how many failed."""
    try:
        jobs = [*(each.job for each in CHECKS.values()), *cell_jobs(machine), *point_jobs(machine)]
        jobs += pin_jobs(front, machine)
        answers = run_jobs(machine.guest(), programs, jobs, front.files())
    except (AssertionError, GuestError) as error:
        print(f"FAIL  {machine.name}: {error}")
        return 1
    judges: dict[str, Callable[[], str]] = {
        name: partial(each.judge, machine, answers[each.job.name]) for name, each in CHECKS.items()
    }
    judges |= {name: partial(judge, machine, answers) for name, judge in CHECKS_OF_ALL_JOBS.items()}
    failures = 0
    for name, judge in judges.items():
        try:
            print(f"ok    {machine.name}, {name}: {judge()}", flush=True)
        except (AssertionError, LookupError, ValueError) as error:
            failures += 1
            print(f"FAIL  {machine.name}, {name}: {error!s}")
    return failures


def main(folder: Path, names: list[str]) -> None:
    """Check the machines of those names, or all."""
    chosen = [machine for machine in NUMA_MACHINES if not names or machine.name in names]
    if len(chosen) < len(names) or not chosen:
        sys.exit(f"the machines are {', '.join(machine.name for machine in NUMA_MACHINES)}")
    programs = [folder / "streamgage-engine", folder / "engine_tests"]
    front = Front(folder.resolve())
    failures = sum(check(machine, programs, front) for machine in chosen)
    checks = len(chosen) * (len(CHECKS) + len(CHECKS_OF_ALL_JOBS))
    print(f"{checks - failures} checks of {len(chosen)} machines passed, {failures} failed")
    sys.exit(failures > 0)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
