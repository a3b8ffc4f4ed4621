"""Slow two nodes of a real Slurm cluster and see whether they are named: `make slow-nodes`.

The eight nodes are parts of this machine, measured in turn. One is in a control group with a quota
of CPU time, and a neighbour on another one uses the same memory. The exit status is 1 where either
is not named. Only root can make the nodes, and the machine must be idle.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

from control_groups import control_group
from slurm_cluster import slurm_cluster

NODES = tuple(f"n{each}" for each in range(1, 9))
QUOTA, NEIGHBOUR = "n3", "n6"
_SHARE_OF_A_CPU = 0.5
_PERIOD_MICROSECONDS = 100_000
_ENGINE = Path(sys.executable).parent / "streamgage-engine"
_WITH_A_NEIGHBOUR = f"""\
#!/bin/sh
# The neighbour copies memory on all CPUs while the engine measures, which it does when its process
# is the holder of the lock; until then it would slow the other nodes.
test "$(uname -n)" = {NEIGHBOUR} || exec {_ENGINE} "$@"
{_ENGINE} "$@" &
engine=$!
until grep -q "^$engine " "$STREAMGAGE_LOCK" || ! kill -0 $engine; do
  sleep 0.05
done 2>/dev/null
for each in $(seq "$(nproc)"); do
  {sys.executable} -c 'a = bytearray(1 << 28)
while True: bytes(a)' &
  pids="$pids $!"
done
wait $engine
status=$?
kill $pids
exit $status
"""


def main(folder: Path) -> int:
    """Measure, print the answer, and say what was named."""
    engine = folder / "engine"
    engine.write_text(_WITH_A_NEIGHBOUR)
    engine.chmod(0o755)
    quota = str(int(_SHARE_OF_A_CPU * _PERIOD_MICROSECONDS))
    settings = {"cpu.cfs_period_us": str(_PERIOD_MICROSECONDS), "cpu.cfs_quota_us": quota}
    with control_group("cpu", settings) as group:
        joined = ["sh", "-c", f'echo $$ >{group}/cgroup.procs; exec "$@"', "sh"]
        with slurm_cluster(folder / "slurm", NODES, shared=folder, within={QUOTA: joined}) as slurm:
            done = subprocess.run(
                [
                    *(sys.executable, "-m", "streamgage", "fleet", "run", "--no-store"),
                    *("--lines", "lines.jsonl", "--format", "json", "-o", "fleet.json"),
                    *("--there", str(engine), "--deadline", "10m"),
                    *("--", "--seconds", "2", "--kernels", "triad", "--size", "64MiB"),
                ],
                cwd=folder,
                env={**os.environ, **slurm, "STREAMGAGE_LOCK": str(folder / "lock")},
                check=False,
            )
    print(f"exit status {done.returncode}")
    shown = [sys.executable, "-m", "streamgage", "fleet", "judge", "--no-store", "lines.jsonl"]
    subprocess.run(shown, cwd=folder, check=False)
    fleet = json.loads((folder / "fleet.json").read_text())
    named = {each["host"]: why for each in fleet["nodes"] if (why := _named_for(each))}
    print("named:", *(f"{host}: {why}" for host, why in sorted(named.items())), sep="\n  ")
    return 0 if "quota" in named.get(QUOTA, "") and NEIGHBOUR in named else 1


def _named_for(node: dict[str, Any]) -> str:
    """The verdict with what disturbed the node's runs; empty of one that is fine."""
    verdict = "" if node["verdict"] == "fine" else node["verdict"]
    return "; ".join(filter(None, [verdict, *(run.get("disturbed") for run in node["runs"])]))


if __name__ == "__main__":
    sys.exit(main(Path(tempfile.mkdtemp(prefix="streamgage-slow-nodes-"))))
