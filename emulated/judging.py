"""What every check in a guest needs: its records read, and held against the machine."""

from __future__ import annotations

import json
import os
import subprocess

from guest import REPOSITORY, JobEnd
from numa_machines import NumaMachine

Record = dict[str, object]


def records(done: JobEnd) -> list[Record]:
    """The engine's records, of a run that ended well."""
    assert done.status == 0, f"the engine ended with {done.status}: {done.errors}"
    return [json.loads(line) for line in done.output.splitlines()]


def of_kind(answers: list[Record], kind: str) -> list[Record]:
    """The records of one kind; there must be some."""
    found = [record for record in answers if record["record"] == kind]
    assert found, f"no record {kind!r}"
    return found


def must_be(what: str, found: object, expected: object) -> None:
    """Fail with both, where they differ."""
    assert found == expected, f"{what}: found {found}, expected {expected}"


def judge_threads(machine: NumaMachine, answers: list[Record], cpus: list[int]) -> None:
    """Each thread was bound to its CPU, has the right place in the records, and stayed there."""
    (placement,) = of_kind(answers, "placement")
    threads = placement["threads"]
    assert isinstance(threads, list)
    must_be("bound", placement["bound"], True)
    must_be(
        "threads",
        [tuple(thread[key] for key in PLACE) for thread in threads],
        [
            (cpu, machine.core_of(cpu), machine.package_of(cpu), machine.node_of(cpu), str(cpu))
            for cpu in cpus
        ],
    )
    for sample in of_kind(answers, "sample"):
        must_be("CPUs at a sample's start", sample["cpus"], cpus)
        must_be("other CPUs at a sample's end", sample["cpus_end"], None)
        must_be("threads that moved", sample["moved"], 0)


PLACE = ("cpu", "core", "package", "node", "mask")


def judge_pages(answers: list[Record]) -> int:
    """Every array's pages were looked at, and all were on the node of the thread that uses them."""
    looked_at = 0
    for memory in of_kind(answers, "memory"):
        must_be("reason why pages were not looked at", memory["pages_reason"], None)
        arrays = memory["arrays"]
        assert isinstance(arrays, list)
        for array in arrays:
            assert array["checked_pages"] > 0, f"no page of array {array['name']} was looked at"
            must_be(f"remote pages of array {array['name']}", array["remote_pages"], 0)
            looked_at += array["checked_pages"]
    return looked_at


def judge_run(machine: NumaMachine, done: JobEnd, cpus: list[int]) -> str:
    """The run is valid, its threads are where they should be, and so are their pages."""
    answers = records(done)
    judge_threads(machine, answers, cpus)
    pages = judge_pages(answers)
    for check in of_kind(answers, "validation"):
        must_be("valid", check["valid"], True)
    return f"{len(cpus)} threads bound, {pages} pages local"


def ask_front(script: str, work: str, answers: object) -> object:
    """What the front says to that; it needs the packages that are installed in ``.venv``."""
    done = subprocess.run(
        [
            REPOSITORY / ".venv" / "bin" / "python",
            REPOSITORY / "emulated" / script,
            work,
        ],
        input=json.dumps(answers),
        env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"the front failed:\n{done.stderr}"
    return json.loads(done.stdout)
