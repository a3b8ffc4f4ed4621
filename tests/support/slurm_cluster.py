"""A cluster of Slurm with one node: this machine, for as long as a test needs it.

Both daemons run in the foreground as whoever runs the tests, without authentication, on ports of
the loopback interface.
"""

from __future__ import annotations

import getpass
import os
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_CONFIGURATION = """\
ClusterName=tests
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/none
CredType=cred/none
SlurmctldPort={first_port}
SlurmdPort={second_port}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/affinity
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/builtin
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=pmix
ReturnToService=2
SlurmdParameters=config_overrides
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
_TURNS = 600
_SECONDS_OF_A_TURN = 0.1


@contextmanager
def slurm_cluster(folder: Path) -> Iterator[dict[str, str]]:
    """Variables with which Slurm's commands reach it."""
    for name in ("state", "spool"):
        (folder / name).mkdir(parents=True)
    first_port, second_port = _free_ports()
    configuration = folder / "slurm.conf"
    configuration.write_text(
        _CONFIGURATION.format(
            host=socket.gethostname().partition(".")[0],
            user=getpass.getuser(),
            folder=folder,
            first_port=first_port,
            second_port=second_port,
            cpus=os.cpu_count(),
        )
    )
    variables = {"SLURM_CONF": str(configuration)}
    daemons = [
        _start(["slurmctld", "-D", "-c"], folder, variables),
        _start(["slurmd", "-D"], folder, variables),
    ]
    try:
        _wait_until_idle(variables, folder)
        yield variables
    finally:
        for daemon in reversed(daemons):
            daemon.terminate()
        for daemon in daemons:
            daemon.wait()


def _start(command: list[str], folder: Path, variables: dict[str, str]) -> subprocess.Popen[bytes]:
    path = f"{os.environ['PATH']}:/usr/sbin:/sbin"
    with (folder / f"{command[0]}.log").open("wb") as log:
        return subprocess.Popen(
            command,
            env={**os.environ, **variables, "PATH": path},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )


def _wait_until_idle(variables: dict[str, str], folder: Path) -> None:
    for _ in range(_TURNS):
        said = subprocess.run(
            ["sinfo", "--noheader", "--format=%T"],
            env={**os.environ, **variables},
            capture_output=True,
            text=True,
            check=False,
        )
        if said.stdout.strip() == "idle":
            return
        time.sleep(_SECONDS_OF_A_TURN)
    logs = "".join(path.read_text("utf-8") for path in folder.glob("*.log"))
    raise AssertionError(f"the node of Slurm did not become idle: {said}\n{logs}")


def _free_ports() -> list[int]:
    with socket.socket() as one, socket.socket() as other:
        for each in (one, other):
            each.bind(("127.0.0.1", 0))
        return [one.getsockname()[1], other.getsockname()[1]]
