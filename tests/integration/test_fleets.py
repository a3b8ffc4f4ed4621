"""Fleets that are measured by real launchers: Slurm, clush, ssh, Open MPI and MPICH.

Their nodes are parts of this machine with names, networks and /tmp of their own, and the engine is
a stub that answers at once: how nodes are reached is what is tested.
"""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from machines_apart import apart
from network_hosts import network_hosts
from programs import WAIT_SECONDS, start_streamgage, streamgage
from slurm_cluster import slurm_cluster
from ssh_hosts import SshHosts, ssh_hosts
from stub_launchers import node_engine, path_with, stub_program

from streamgage.process.launch import LauncherName
from streamgage.records.node import FleetRun, NodeLine, SilentNode, read_node_lines

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can make such machines")
of_slurm = pytest.mark.needs("slurmctld", "slurmd")
of_ssh = pytest.mark.needs("sshd", "ip")

NODES = tuple(f"n{each}" for each in range(1, 9))


@pytest.fixture(scope="module")
def slurm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """A cluster of eight nodes."""
    folder = tmp_path_factory.getbasetemp()
    with slurm_cluster(folder / "slurm", NODES, shared=folder) as variables:
        yield variables


@pytest.fixture(scope="module")
def ssh(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SshHosts]:
    """Four hosts with sshd."""
    with ssh_hosts(4, tmp_path_factory.mktemp("ssh")) as hosts:
        yield hosts


def lines_of(folder: Path, name: str = "lines.jsonl") -> list[NodeLine | SilentNode | FleetRun]:
    """All that is in the file."""
    with (folder / name).open("rb") as file:
        found = [*read_node_lines(file, lambda _: None)]
    return [each for each in found if isinstance(each, NodeLine | SilentNode | FleetRun)]


def answered(folder: Path) -> list[str]:
    """The nodes with a result."""
    return sorted(each.host for each in lines_of(folder) if isinstance(each, NodeLine))


def silent(folder: Path) -> dict[str, str]:
    """The nodes without, with their reasons."""
    return {e.host: f"{e.why}: {e.reason}" for e in lines_of(folder) if isinstance(e, SilentNode)}


def fleet_run(
    folder: Path, *arguments: str, engine: Path | None = None, **variables: str
) -> subprocess.CompletedProcess[str]:
    """The command, with its lines in ``lines.jsonl``."""
    return streamgage(
        *("fleet", "run", "--lines", "lines.jsonl", *arguments),
        folder=folder,
        engine=engine or node_engine(folder),
        PATH=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        **variables,
    )


@of_slurm
def test_slurm_measures_every_idle_node_and_leaves_no_copy(
    slurm: dict[str, str], tmp_path: Path
) -> None:
    here = tmp_path / "here"
    here.mkdir()
    engine = node_engine(here, f"ls /tmp/streamgage-engine-* >>{tmp_path}/copies")
    run = fleet_run(tmp_path, engine=engine, **slurm)
    assert run.returncode == 0, run.stderr  # eight equal nodes can be judged
    assert answered(tmp_path) == sorted(NODES)
    assert len((tmp_path / "copies").read_text().splitlines()) == len(NODES)
    left = subprocess.run(
        ["srun", "-N8", "sh", "-c", "ls /tmp"],
        env={**os.environ, **slurm},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "streamgage-engine-" not in left.stdout


@of_slurm
def test_slurm_goes_on_where_nodes_fail(slurm: dict[str, str], tmp_path: Path) -> None:
    engine = node_engine(
        tmp_path,
        "case $(uname -n) in\n"
        "n2) kill -9 $$ ;;\n"
        "n3) echo 'streamgage-engine: no memory is free' >&2; exit 1 ;;\n"
        "n4) kill -9 0 ;;\n"
        "n5) exec sleep 100 ;;\n"
        "esac",
    )
    run = fleet_run(tmp_path, "--deadline", "15s", engine=engine, **slurm)
    assert run.returncode == 3, run.stderr
    assert answered(tmp_path) == ["n1", "n6", "n7", "n8"]
    why = silent(tmp_path)
    assert why["n2"] == "died: ended by SIGKILL" or why["n2"].startswith("died: ended by SIGKILL,")
    assert why["n3"] == "not-measured: no memory is free"
    # A busy Slurm may say so after the deadline alone.
    assert why["n4"].startswith("died: ") or "Killed" in why["n4"]
    assert why["n5"].startswith("no-answer: no answer before the deadline of 15 s")
    end = time.monotonic() + WAIT_SECONDS  # Slurm may still be ending it
    while _jobs(slurm) and time.monotonic() < end:
        time.sleep(0.1)
    assert not _jobs(slurm)


@of_slurm
def test_a_node_that_slurm_does_not_know_costs_no_other(
    slurm: dict[str, str], tmp_path: Path
) -> None:
    run = fleet_run(tmp_path, "--nodes", "n[1-3],x9", **slurm)
    assert run.returncode == 3, run.stderr
    assert answered(tmp_path) == ["n1", "n2", "n3"]
    assert silent(tmp_path) == {
        "x9": "not-started: Job submit/allocate failed: Invalid node name specified"
    }


@of_slurm
def test_a_job_measures_its_own_nodes(slurm: dict[str, str], tmp_path: Path) -> None:
    variables = {"STREAMGAGE_ENGINE": str(node_engine(tmp_path))}
    command = [sys.executable, "-m", "streamgage", "fleet", "run", "--lines", "lines.jsonl"]
    done = subprocess.run(
        ["salloc", "--nodelist=n[2-4]", "--nodes=3", *command],
        cwd=tmp_path,
        env={**os.environ, **slurm, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 3, done.stderr  # too few nodes to judge
    assert answered(tmp_path) == ["n2", "n3", "n4"]


@of_slurm
def test_a_job_for_each_node_waits_until_the_node_is_free(
    slurm: dict[str, str], tmp_path: Path
) -> None:
    environment = {**os.environ, **slurm}
    busy = ["sbatch", "--nodelist=n2", "--exclusive", "--output=/dev/null", "--wrap=sleep 6"]
    subprocess.run(busy, env=environment, capture_output=True, check=True)
    options = ("--launcher", "sbatch", "--nodes", "n[1-4],x9", "--deadline", "60s")
    run = fleet_run(tmp_path, *options, **slurm)
    assert run.returncode == 3, run.stderr
    assert answered(tmp_path) == ["n1", "n2", "n3", "n4"]
    assert "Invalid node name" in silent(tmp_path)["x9"]
    assert sorted(path.name for path in tmp_path.iterdir() if "lines" in path.name) == [
        "lines.jsonl"
    ]


@of_slurm
@pytest.mark.parametrize("launcher", ["slurm", "sbatch"])
def test_ctrl_c_takes_the_jobs_back(launcher: str, slurm: dict[str, str], tmp_path: Path) -> None:
    engine = node_engine(tmp_path, "case $(uname -n) in n[5-8]) exec sleep 100 ;; esac")
    process = start_streamgage(
        *("fleet", "run", "--launcher", launcher, "--lines", "lines.jsonl"),
        folder=tmp_path,
        engine=engine,
        **slurm,
    )
    lines = tmp_path / "lines.jsonl"
    while not lines.exists() or lines.read_text().count('"node"') < 4:
        assert process.poll() is None, process.communicate()
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate()
    assert process.returncode == 130, stderr
    assert answered(tmp_path) == ["n1", "n2", "n3", "n4"]
    assert sorted(silent(tmp_path)) == ["n5", "n6", "n7", "n8"]
    for _ in range(100):
        if not _jobs(slurm):
            return
        time.sleep(0.1)
    raise AssertionError(_jobs(slurm))


def own_figures_engine(folder: Path) -> Path:
    """An engine that prints a line of 3,000 bytes at a moment that all nodes have in common.

    Every number of node k lies between 1000 k and 1000 k + 999.
    """
    path = folder / "own-figures"
    path.write_text(
        """\
#!/bin/sh
n=$(uname -n)
while test ! -e "$(dirname "$0")/now"; do sleep 0.1; done
awk -v host="$n" -v first="${n#n}" -v time="$(date -u +%Y-%m-%dT%H:%M:%SZ)" 'BEGIN {
  printf "{\\"record\\":\\"node\\",\\"host\\":\\"%s\\",", host
  printf "\\"time\\":\\"%s\\",\\"figures\\":[", time
  for (k = 0; k < 12; k++) {
    printf "%s{\\"kernel\\":\\"k%d\\",\\"gbps\\":%d.5,\\"n\\":24,\\"samples\\":[", k ? "," : "", k,
      first * 1000 + k
    for (i = 0; i < 24; i++) printf "%s%d.25", i ? "," : "", first * 1000 + (k * 24 + i * 7) % 999
    printf "]}"
  }
  print "]}" }'
"""
    )
    path.chmod(0o755)
    return path


@of_slurm
@pytest.mark.parametrize("launcher", ["slurm", "sbatch"])
def test_nodes_of_slurm_that_end_together_keep_their_own_figures_and_others_cost_none(
    launcher: str, tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    """Sixteen nodes: one is drained, one down, one busy, and thirteen answer."""
    folder = tmp_path_factory.getbasetemp()
    names = tuple(f"n{number}" for number in range(1, 17))
    with slurm_cluster(folder / f"slurm16-{launcher}", names, shared=folder) as variables:
        environment = {**os.environ, **variables}

        def control(*words: str) -> None:
            subprocess.run(words, env=environment, check=True, capture_output=True)

        def drain(node: str, state: str, reason: str) -> None:
            words = (f"nodename={node}", f"state={state}", f"reason={reason}")
            control("scontrol", "update", *words)

        drain("n3", "drain", "bad DIMM in slot A1")
        drain("n7", "down", "no power")
        busy = ("--nodelist=n9", "--exclusive", "--output=/dev/null", "--wrap=sleep 600")
        control("sbatch", *busy)
        while "n9" not in _states_of(environment, "allocated"):
            time.sleep(0.1)
        engine = own_figures_engine(tmp_path)
        process = start_streamgage(
            *("fleet", "run", "--launcher", launcher, "--lines", "lines.jsonl"),
            *("--there", str(engine), "--deadline", "1m", "--no-again"),
            folder=tmp_path,
            engine=node_engine(tmp_path),
            **variables,
        )
        time.sleep(8)  # until all nodes wait; if some do not, fewer end together
        (tmp_path / "now").touch()
        _, stderr = process.communicate()
        control("scancel", "--user=root")
        while _jobs(variables):  # the daemon of a node with a job does not end
            time.sleep(0.1)
    expected = sorted(set(names) - {"n3", "n7", "n9"})
    assert answered(tmp_path) == expected, stderr
    for line in lines_of(tmp_path):
        if isinstance(line, NodeLine):
            first = 1000 * int(line.host[1:])
            assert all(
                first <= number <= first + 999
                for figure in line.figures
                for number in (figure.gbps, *figure.samples)
            )
    why = silent(tmp_path)
    assert why["n3"] == "not-available: drained in Slurm: bad DIMM in slot A1"
    assert why["n7"] == "not-available: down in Slurm: no power"
    if launcher == "slurm":
        assert why["n9"] == "not-available: allocated in Slurm"
    else:
        assert why["n9"].startswith("no-answer: no answer before the deadline of 1 min")
        assert "its job waits" in why["n9"]
    fleet = streamgage(
        "fleet", "judge", "lines.jsonl", "--no-store", "--format", "json", folder=tmp_path
    )
    judged = json.loads(fleet.stdout)
    # Nobody named the nodes that Slurm does not give.
    assert judged["asked"] == len(expected) + (launcher == "sbatch")


def _states_of(environment: dict[str, str], state: str) -> list[str]:
    """The nodes of Slurm in this state."""
    command = ["sinfo", "--noheader", "--Node", f"--states={state}", "--format=%N"]
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, check=True
    ).stdout.split()


def _jobs(slurm: dict[str, str]) -> str:
    """The jobs that Slurm has."""
    return subprocess.run(
        ["squeue", "--noheader", "--states=PD,R,CF,CG"],
        env={**os.environ, **slurm},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


@of_ssh
@pytest.mark.parametrize("launcher", ["clush", "ssh"])
def test_hosts_are_measured_over_ssh(launcher: str, ssh: SshHosts, tmp_path: Path) -> None:
    engine = node_engine(tmp_path, "case $(uname -n) in host2) kill -9 $$ ;; esac")
    run = fleet_run(
        *(tmp_path, "--launcher", launcher, "--launcher-options", _options(launcher, ssh)),
        *("--nodes", ",".join([*ssh.names, "no-such-host"]), "--deadline", "60s"),
        engine=engine,
    )
    assert run.returncode == 3, run.stderr
    assert answered(tmp_path) == sorted(ssh.names[place] for place in (0, 1, 3))
    why = silent(tmp_path)
    assert why[ssh.names[2]].startswith("died: ended by SIGKILL")
    assert why["no-such-host"].startswith("not-started: ssh: Could not resolve hostname")
    for name in ssh.names:
        command = ["ssh", "-F", str(ssh.client), name, "ls", "/tmp"]
        left = subprocess.run(command, capture_output=True, text=True, check=True)
        assert "streamgage-engine-" not in left.stdout


@of_ssh
def test_a_host_that_refuses_the_user_is_silent_with_the_reason(
    ssh: SshHosts, tmp_path: Path
) -> None:
    options = f"-F {ssh.client} -oIdentityFile=/dev/null"
    run = fleet_run(
        *(tmp_path, "--launcher", "ssh", "--nodes", ssh.names[0]),
        *("--launcher-options", options.replace(str(ssh.client), "none")),
    )
    assert run.returncode == 3, run.stderr
    assert silent(tmp_path)[ssh.names[0]].startswith("not-started: ")


def _options(launcher: str, ssh: SshHosts) -> str:
    """The launcher's, by which it takes the hosts' configuration of ssh."""
    own = f"-F {shlex.quote(str(ssh.client))}"
    return own if launcher == "ssh" else f"-o '{own}'"


@pytest.mark.needs("mpiexec.openmpi", "mpiexec.mpich", "ip")
@pytest.mark.parametrize("launcher", [LauncherName.OPENMPI, LauncherName.MPICH])
def test_any_mpiexec_starts_the_engine_and_one_bad_node_costs_no_other(
    launcher: LauncherName, tmp_path: Path
) -> None:
    programs = tmp_path / "bin"
    stub_program(programs, "mpiexec", f'exec mpiexec.{launcher} "$@"')
    engine = node_engine(tmp_path, "case $(uname -n) in host1) kill -9 $$ ;; esac")
    with network_hosts(3, tmp_path) as hosts:
        run = streamgage(
            *("fleet", "run", "--launcher", "mpiexec", "--lines", "lines.jsonl"),
            *("--nodes", "host[0-2]", "--deadline", "60s"),
            folder=tmp_path,
            engine=engine,
            PATH=path_with(programs),
            **hosts.environment(launcher),
        )
    assert "Traceback" not in run.stderr
    assert answered(tmp_path) == ["host0", "host2"], f"{run.stderr}{silent(tmp_path)}"
    assert run.returncode == 3


def test_a_machine_apart_has_a_name_and_a_tmp_of_its_own(tmp_path: Path) -> None:
    line = "hostname; touch /tmp/of-one-machine; touch shared"
    done = subprocess.run(
        apart("n7", tmp_path, ["sh", "-c", line]), capture_output=True, text=True, check=True
    )
    assert done.stdout == "n7\n"
    assert (tmp_path / "shared").exists()
    assert not Path("/tmp/of-one-machine").exists()
