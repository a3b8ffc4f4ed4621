"""The health checks of examples/health: for Slurm by a real Slurm, for NHC by bash, for systemd."""

from __future__ import annotations

import configparser
import os
import shlex
import subprocess
import time
from pathlib import Path

import pytest
from programs import REPOSITORY, real_engine, streamgage
from prometheus_client.parser import text_string_to_metric_families
from short_engine import write_engine
from slurm_cluster import slurm_cluster

HEALTH = REPOSITORY / "examples" / "health"
NODES = ("n1", "n2")
SLOW = "slow: triad 371.2 GB/s, expected at least 399.0 (420.0 - 5 %); measured twice"
SPEEDS = {"n1": (1, SLOW), "n2": (3, "cannot tell: other programs used 9 % of the CPUs' time")}
"""What the engine of each node says: its exit status, and its line."""
PATIENCE_SECONDS = 120

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can make such machines")


def installed(name: str, folder: Path, engine: Path, expect: str = "triad=420GB/s,-5%") -> Path:
    """The example in ``folder``, with its configuration there, too."""
    folder.mkdir(exist_ok=True)
    (folder / "check.conf").write_text(f'engine={engine}\nexpect="{expect}"\n')
    text = (HEALTH / name).read_text("utf-8")
    assert "/etc/streamgage/check.conf" in text
    path = folder / name
    path.write_text(text.replace("/etc/streamgage", str(folder)))
    path.chmod(0o755)
    return path


def engine_of_nodes(folder: Path) -> Path:
    """An engine that says what is planned for the node that it runs on, once there is ``begin``."""
    path = folder / "streamgage-engine"
    cases = "\n".join(
        f"{node}) echo {shlex.quote(line)}; exit {status} ;;"
        for node, (status, line) in SPEEDS.items()
    )
    path.write_text(
        f"#!/bin/sh\ntest -e {folder}/begin || exit 0\ncase $(uname -n) in\n{cases}\nesac\n"
    )
    path.chmod(0o755)
    return path


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One that all nodes share."""
    return tmp_path_factory.mktemp("health")


def state_of(node: str, variables: dict[str, str]) -> str:
    """What Slurm says of the node."""
    return subprocess.run(
        ["scontrol", "show", "node", node],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def drained(node: str, variables: dict[str, str]) -> str:
    """The same, once it is drained."""
    for _ in range(4 * PATIENCE_SECONDS):
        found = state_of(node, variables)
        if "DRAIN" in found:
            return found
        time.sleep(0.25)
    raise AssertionError(f"{node} was not drained: {state_of(node, variables)}")


@as_root
@pytest.mark.needs("slurmctld", "slurmd")
def test_slurms_health_check_drains_the_slow_node_with_the_line(folder: Path) -> None:
    script = installed("slurm-health-check.sh", folder / "etc", engine_of_nodes(folder))
    with (script.parent / "check.conf").open("a") as configuration:  # which is in no usual place
        configuration.write(f"export SLURM_CONF={folder}/slurm/slurm.conf\n")
    settings = f"HealthCheckProgram={script}\nHealthCheckInterval=2\nHealthCheckNodeState=IDLE\n"
    with slurm_cluster(folder / "slurm", NODES, shared=folder, settings=settings) as variables:
        (folder / "begin").touch()
        assert f"Reason=streamgage {SLOW}" in drained("n1", variables)
        assert "DRAIN" not in state_of("n2", variables)


@as_root
@pytest.mark.needs("slurmctld", "slurmd")
def test_slurms_prolog_keeps_jobs_from_the_slow_node(folder: Path) -> None:
    script = installed("slurm-prolog.sh", folder / "etc", engine_of_nodes(folder))
    settings = f"Prolog={script}\nPrologFlags=Alloc\n"
    with slurm_cluster(folder / "slurm", NODES, shared=folder, settings=settings) as variables:
        (folder / "begin").touch()
        environment = {**os.environ, **variables}
        runs = ["srun", "--nodelist=n2", "-N1", "hostname"]
        fine = subprocess.run(runs, env=environment, capture_output=True, text=True, check=False)
        assert fine.stdout == "n2\n", fine.stderr
        slow = ["sbatch", "--nodelist=n1", "--output=/dev/null", "--wrap=touch ran"]
        subprocess.run(slow, cwd=folder, env=environment, capture_output=True, check=True)
        assert "Reason=Prolog error" in drained("n1", variables)
        assert not (folder / "ran").exists()
        assert "DRAIN" not in state_of("n2", variables)


@pytest.mark.parametrize("name", ["slurm-health-check.sh", "slurm-prolog.sh"])
def test_the_real_engine_lets_a_node_pass_that_is_fast_enough(name: str, tmp_path: Path) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "scontrol").write_text(f'#!/bin/sh\necho "$@" >{tmp_path}/drained\n')
    (programs / "scontrol").chmod(0o755)
    short = write_engine(real_engine(), tmp_path)
    script = installed(name, tmp_path / "etc", short, "triad=1MB/s")
    text = script.read_text()
    path = f"PATH={programs}:"
    script.write_text(text.replace("PATH=/usr", f"{path}/usr"))
    variables = {**os.environ, "STREAMGAGE_LOCK": "none"}
    done = subprocess.run([script], env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert not (tmp_path / "drained").exists()


@pytest.mark.parametrize(
    ("status", "line", "said"),
    [
        (0, "ok: triad 420.0 GB/s", "status 0\n"),
        (1, SLOW, f"die 1 check_streamgage:  {SLOW}\nstatus 1\n"),
        (3, "cannot tell", "log check_streamgage:  not checked: cannot tell\nstatus 0\n"),
    ],
)
def test_nhc_fails_where_the_node_is_slow(
    status: int, line: str, said: str, tmp_path: Path
) -> None:
    engine = tmp_path / "engine"
    asked = "--check --glance --expect triad=420GB/s,-5% --expect copy=400GB/s"
    engine.write_text(
        f'#!/bin/sh\n[ "$*" = "{asked}" ] || exit 9\necho {shlex.quote(line)}\nexit {status}\n'
    )
    engine.chmod(0o755)
    script = (
        f'die() {{ echo "die $*"; }}; log() {{ echo "log $*"; }}\n. {HEALTH}/streamgage.nhc\n'
        "check_streamgage triad=420GB/s,-5% copy=400GB/s\necho status $?\n"
    )
    done = subprocess.run(
        ["bash", "-c", script],
        env={**os.environ, "STREAMGAGE_ENGINE": str(engine)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert (done.stdout, done.stderr) == (said, "")


def test_the_service_writes_what_a_collector_reads(tmp_path: Path) -> None:
    unit = configparser.ConfigParser(strict=False)
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    unit.read(HEALTH / "streamgage-check.service")
    program, *arguments = shlex.split(unit["Service"]["ExecStart"])
    assert Path(program).name == "streamgage"
    place = arguments.index("-o") + 1
    arguments[place] = str(tmp_path / "streamgage.prom")
    done = streamgage(
        *arguments,
        folder=tmp_path,
        engine=write_engine(real_engine(), tmp_path),
        STREAMGAGE_LOCK="none",
    )
    accepted = {0, *map(int, unit["Service"]["SuccessExitStatus"].split())}
    assert done.returncode in accepted, done.stderr
    text = (tmp_path / "streamgage.prom").read_text()
    names = {each.name for each in text_string_to_metric_families(text)}
    assert "streamgage_check_verdict" in names


@pytest.mark.needs("systemd-analyze")
def test_systemd_takes_the_units(tmp_path: Path) -> None:
    for path in HEALTH.glob("streamgage-check.*"):
        text = path.read_text("utf-8").replace("/usr/local/bin/streamgage", "/bin/true")
        (tmp_path / path.name).write_text(text)
    done = subprocess.run(
        ["systemd-analyze", "verify", *map(str, tmp_path.glob("streamgage-check.*"))],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
