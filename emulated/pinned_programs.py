"""``streamgage pin`` in a guest: where programs and their pages really are, on several nodes.

The guest gets this machine's Python, with the files that it needs for that command.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

from guest import REPOSITORY, Job, JobEnd
from judging import must_be
from numa_machines import NumaMachine

LIBRARY = "libstreamgage-pin.so"
NOT_COPIED = ("/dev/", "/proc/", "/sys/")
SAYS = """
x=$(head -c 2000000 /dev/zero | tr '\\0' x)
grep Cpus_allowed_list /proc/self/status
cat /proc/$$/numa_maps
"""
"""The shell's text is of 489 pages of four KiB, more than all else that it has."""
LEAST_PAGES = 489


class Front:
    """The command for a guest: its files, and a call of it."""

    def __init__(self, folder: Path) -> None:
        """Run the command once here, with the engine and the library of ``folder``."""
        self._folder = folder
        variables = {"PYTHONPATH": str(REPOSITORY), **self._built(folder)}
        arguments = ("pin", "0", "--memory", "interleave:0", "--allow-oversubscribe", "--", "true")
        done = subprocess.run(
            [REPOSITORY / ".venv/bin/python", REPOSITORY / "emulated/front_files.py", *arguments],
            env=os.environ | variables,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"the front failed:\n{done.stderr}"
        self._needed: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])

    @staticmethod
    def _built(folder: Path) -> dict[str, str]:
        return {
            "STREAMGAGE_ENGINE": str(folder / "streamgage-engine"),
            "STREAMGAGE_PIN_LIBRARY": str(folder / LIBRARY),
        }

    def files(self) -> list[Path]:
        """What lies at the same place in the guest as here."""
        named = [self._needed["python"], *self._needed["files"], self._folder / LIBRARY]
        return [Path(name) for name in named if not str(name).startswith(NOT_COPIED)]

    def call(self, *arguments: str, **variables: str) -> str:
        """A line for the guest's shell."""
        path = ":".join([str(REPOSITORY), *self._needed["path"]])
        set_to = {
            "PYTHONPATH": path,
            "STREAMGAGE_ENGINE": "/bin/streamgage-engine",
            "STREAMGAGE_PIN_LIBRARY": str(self._folder / LIBRARY),
            **variables,
        }
        words = [f"{name}={value}" for name, value in set_to.items()]
        call = ["env", *words, self._needed["python"], "-B", "-m", "streamgage", "pin"]
        return shlex.join([*call, *arguments, "--", "sh", "-c", SAYS])


def pin_jobs(front: Front, machine: NumaMachine) -> list[Job]:
    """One call for each policy, and two ranks with a node each."""
    last = len(machine.nodes) - 1
    return [
        Job("pin-bind", front.call("M0", "--memory", str(last))),
        Job("pin-interleave", front.call("N", "--memory", "interleave")),
        Job("pin-interleave-two", front.call("M0", "--memory", f"interleave:0,{last}")),
        *(
            Job(
                f"pin-rank-{rank}",
                front.call(
                    *("M0@M1", "--memory", "local"),
                    OMPI_COMM_WORLD_LOCAL_RANK=str(rank),
                    OMPI_COMM_WORLD_LOCAL_SIZE="2",
                ),
            )
            for rank in range(2)
        ),
    ]


def judge_pins(machine: NumaMachine, answers: dict[str, JobEnd]) -> str:
    """The pages of each program are where its policy wants them, and its CPUs where it belongs."""
    last = len(machine.nodes) - 1
    with_cpus = [number for number, node in enumerate(machine.nodes) if node.cpus]
    pages = Counter[int]()
    for name, cpus, nodes in (
        ("bind", machine.nodes[0].cpus, [last]),
        ("interleave", tuple(machine.cpus), with_cpus),
        ("interleave-two", machine.nodes[0].cpus, [0, last]),
        ("rank-0", machine.nodes[0].cpus, [0]),
        ("rank-1", machine.nodes[1].cpus, [1]),
    ):
        done = answers[f"pin-{name}"]
        assert done.status == 0, f"{name} ended with {done.status}:\n{done.errors}"
        allowed = re.search(r"^Cpus_allowed_list:\s*(\S+)$", done.output, re.M)
        assert allowed is not None, done.output
        must_be(f"CPUs of {name}", allowed[1], f"{cpus[0]}-{cpus[-1]}")
        found = pages_by_node(done.output)
        must_be(f"nodes of {name}", sorted(found), nodes)
        assert found.total() >= LEAST_PAGES, f"{name} has the pages {found}"
        share = min(found.values()) * len(nodes) / found.total()
        assert share > 0.8, f"{name} has the pages {found}"
        pages += found
    return f"{pages.total()} pages of 5 programs on the nodes that were asked for"


def pages_by_node(numa_maps: str) -> Counter[int]:
    """The pages of the process's own memory on each node, by lines of ``/proc/PID/numa_maps``."""
    total = Counter[int]()
    for line in numa_maps.splitlines():
        if " anon=" in line and " file=" not in line:
            for node, count in re.findall(r" N([0-9]+)=([0-9]+)", line):
                total[int(node)] += int(count)
    return total
