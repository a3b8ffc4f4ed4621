"""The points of ``streamgage scale`` in a guest: one to eight threads, by two orders of CPUs."""

from __future__ import annotations

import json

from guest import Job, JobEnd
from judging import ask_front, judge_run, must_be
from numa_machines import NumaMachine


def orders_of(machine: NumaMachine) -> dict[str, tuple[int, ...]]:
    """The CPUs in the order in which workers get them.

    First hardware threads come before second ones, and node by node, or the nodes in turn.
    """
    compact = sorted(machine.cpus, key=lambda cpu: (cpu % machine.threads_per_core, cpu))
    seen: dict[tuple[int, int], int] = {}
    turns = {}
    for cpu in compact:
        place = (cpu % machine.threads_per_core, machine.node_of(cpu))
        turns[cpu] = (place[0], seen.get(place, 0), place[1])
        seen[place] = turns[cpu][1] + 1
    return {"compact": tuple(compact), "scatter": tuple(sorted(compact, key=turns.__getitem__))}


def points_of(machine: NumaMachine) -> list[tuple[str, tuple[int, ...]]]:
    """One to eight threads, by either order."""
    return [
        (name, order[:n])
        for name, order in orders_of(machine).items()
        for n in range(1, len(order) + 1)
    ]


def point_jobs(machine: NumaMachine) -> list[Job]:
    """The points of the curves, by the plans that ``streamgage scale`` makes."""
    points = points_of(machine)
    plans = ask_front("front_scale.py", "plans", [{"cpus": cpus} for _, cpus in points])
    assert isinstance(plans, list)
    return [
        Job(f"{name}-{len(cpus)}", "streamgage-engine --plan -", json.dumps(each))
        for (name, cpus), each in zip(points, plans, strict=True)
    ]


def judge_points(machine: NumaMachine, answers: dict[str, JobEnd]) -> str:
    """At every point each thread was on its CPU, and its pages on the same node."""
    points = points_of(machine)
    for name, cpus in points:
        judge_run(machine, answers[f"{name}-{len(cpus)}"], list(cpus))
    return f"{len(points)} points"


def judge_scaling(machine: NumaMachine, answers: dict[str, JobEnd]) -> str:
    """The front makes curves of the records, with the threads of every node at each point."""
    points = points_of(machine)
    answered = [
        {"placement": name, "n": len(cpus), "records": answers[f"{name}-{len(cpus)}"].output}
        for name, cpus in points
    ]
    made = ask_front("front_scale.py", "document", answered)
    assert isinstance(made, dict)
    for name, order in orders_of(machine).items():
        must_be(f"order of {name}", tuple(made["orders"][name]), order)
    document = made["document"]
    placed = {
        (each["name"], point["n"]): point
        for each in document["placements"]
        for point in each["points"]
    }
    for name, cpus in points:
        point = placed[name, len(cpus)]
        nodes = [machine.node_of(cpu) for cpu in cpus]
        counted = {str(node): nodes.count(node) for node in sorted(set(nodes))}
        must_be(f"threads per node of {name} with {len(cpus)}", point["per_node"], counted)
        must_be("cores", point["cores"], len({machine.core_of(cpu) for cpu in cpus}))
        must_be("bound and not moved", (point["bound"], point["moved"]), (True, 0))
    for curve in document["curves"]:
        must_be("points", [each["n"] for each in curve["points"]], list(range(1, 9)))
    print(made["table"])
    return f"{len(document['curves'])} curves of 8 points"
