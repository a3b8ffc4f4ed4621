"""A cluster of Slurm on this machine, for as long as a test needs it.

All daemons run in the foreground as whoever runs the tests, without authentication, on ports of
the loopback interface. Its one node is this machine; or there are several, each with a name and a
/tmp of its own, but for the folder that they share. Only root can make those.
"""

from __future__ import annotations

import getpass
import os
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import MappingProxyType

from machines_apart import apart

_CONFIGURATION = """\
ClusterName=tests
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/none
CredType=cred/none
SlurmctldPort={first_port}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
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
{nodes}{settings}PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
_TURNS = 1200
"""Five minutes: only so that a cluster that hangs ends."""
_SECONDS_OF_A_TURN = 0.25
_STARTS = 3
_PORT_WAS_TAKEN = "Address already in use"
"""What a daemon of Slurm logs where another program took its port before it could."""


@contextmanager
def slurm_cluster(
    folder: Path,
    names: Sequence[str] = (),
    *,
    shared: Path | None = None,
    within: Mapping[str, Sequence[str]] = MappingProxyType({}),
    settings: str = "",
) -> Iterator[dict[str, str]]:
    """Variables with which Slurm's commands reach it; ``names``: of several nodes.

    Those share ``folder``, which is in /tmp, or the folder ``shared``, which has it. ``within``:
    what stands before the command of a node's daemon, by the node. ``settings``: more lines of
    slurm.conf.
    """
    (folder / "state").mkdir(parents=True)
    variables = {"SLURM_CONF": str(folder / "slurm.conf")}
    for start in range(_STARTS):
        with _daemons(folder, names, shared, within, settings) as daemons:
            if _came_up(variables, daemons, folder, is_last=start == _STARTS - 1):
                yield variables
                return


@contextmanager
def _daemons(
    folder: Path,
    names: Sequence[str],
    shared: Path | None,
    within: Mapping[str, Sequence[str]],
    settings: str,
) -> Iterator[list[subprocess.Popen[bytes]]]:
    """All daemons, by a configuration with ports that are free; they are ended afterwards."""
    host = socket.gethostname().partition(".")[0]
    nodes = names or [host]
    first_port, *ports = _free_ports(1 + len(nodes))
    configuration = folder / "slurm.conf"
    configuration.write_text(
        _CONFIGURATION.format(
            host=host,
            user=getpass.getuser(),
            folder=folder,
            first_port=first_port,
            settings=settings,
            nodes="".join(
                f"NodeName={name} NodeHostname={host} NodeAddr=127.0.0.1 Port={port}"
                f" CPUs={os.cpu_count()} State=UNKNOWN\n"
                for name, port in zip(nodes, ports, strict=True)
            ),
        )
    )
    variables = {"SLURM_CONF": str(configuration)}
    daemons = [
        _start(["slurmctld", "-D", "-c"], folder, variables),
        *(
            _start(
                [*within.get(name, ()), *_daemon(name, (shared or folder) if names else None)],
                folder,
                variables,
            )
            for name in nodes
        ),
    ]
    try:
        yield daemons
    finally:
        for daemon in reversed(daemons):
            daemon.terminate()
        for daemon in daemons:
            daemon.wait()


def _daemon(name: str, shared: Path | None) -> list[str]:
    """The daemon of a node; on a machine apart where there is a folder to share."""
    daemon = ["slurmd", "-D", "-N", name]
    return daemon if shared is None else apart(name, shared, daemon)


def _start(command: list[str], folder: Path, variables: dict[str, str]) -> subprocess.Popen[bytes]:
    path = f"{os.environ['PATH']}:/usr/sbin:/sbin"
    with (folder / f"{Path(command[0]).name}{command[-1]}.log").open("wb") as log:
        return subprocess.Popen(
            command,
            env={**os.environ, **variables, "PATH": path},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )


def _came_up(
    variables: Mapping[str, str],
    daemons: Sequence[subprocess.Popen[bytes]],
    folder: Path,
    *,
    is_last: bool,
) -> bool:
    """Whether all nodes are idle; not where a port was taken and it may be tried once more."""
    try:
        wait_until_idle(variables, daemons)
    except AssertionError as error:
        logs = "".join(path.read_text("utf-8", "replace") for path in folder.glob("*.log"))
        if _PORT_WAS_TAKEN in logs and not is_last:
            return False
        raise AssertionError(f"{error}\n{logs}") from error
    return True


def wait_until_idle(
    variables: Mapping[str, str], daemons: Sequence[subprocess.Popen[bytes]] = ()
) -> None:
    """Return when all nodes are idle and no job is left, which may run after its command ended.

    A daemon that has ended is not waited for.
    """
    for _ in range(_TURNS):
        ended = [each.args for each in daemons if each.poll() is not None]
        assert not ended, f"a daemon of Slurm has ended: {ended}"
        nodes, jobs = (
            subprocess.run(
                command,
                env={**os.environ, **variables},
                capture_output=True,
                text=True,
                check=False,
            )
            for command in (
                ["sinfo", "--noheader", "--format=%T"],
                ["squeue", "--noheader", "--format=%i %T"],
            )
        )
        if set(nodes.stdout.split()) == {"idle"} and not jobs.stdout:
            return
        time.sleep(_SECONDS_OF_A_TURN)
    raise AssertionError(f"the nodes of Slurm did not become idle: {nodes}\n{jobs}")


def _free_ports(number: int) -> list[int]:
    with ExitStack() as opened:
        sockets = [opened.enter_context(socket.socket()) for _ in range(number)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
