"""``streamgage fleet run`` by launchers whose programs are a few lines of shell, or a stub server.

tests/integration/test_fleets.py has the launchers that can be had here for real.
"""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path

import pytest
from programs import WAIT_SECONDS, one_sentence, start_streamgage, streamgage
from stub_kubernetes import stub_kubernetes
from stub_launchers import node_engine, path_with, stub_program
from time_limits import wait_until

from streamgage.records.node import NodeLine, SilentNode, read_node_lines

SSH = """\
while test "${1#-}" != "$1"; do shift; done
export STREAMGAGE_NODE=$1; shift
case $STREAMGAGE_NODE in
n3) echo "ssh: connect to host n3 port 22: No route to host" >&2; exit 255 ;;
n4) test ! -e hangs || exec sleep 1000
    test ! -e refuses || { echo "ssh: n4 refuses" >&2; exit 255; } ;;
esac
exec sh -c "$*"
"""


def fleet_run(
    folder: Path, *arguments: str, engine: Path | None = None, **variables: str
) -> subprocess.CompletedProcess[str]:
    """The command with its lines in ``lines.jsonl``, unless it goes on with those."""
    lines = () if "--resume" in arguments else ("--lines", "lines.jsonl")
    return streamgage(
        *("fleet", "run", *lines, *arguments),
        folder=folder,
        engine=engine or node_engine(folder),
        PATH=path_with(folder / "bin"),
        **variables,
    )


def written(folder: Path) -> dict[str, NodeLine | SilentNode]:
    """What the file has last of each node."""
    with (folder / "lines.jsonl").open("rb") as file:
        found = [*read_node_lines(file, lambda _: None)]
    return {each.host: each for each in found if isinstance(each, NodeLine | SilentNode)}


def answered(folder: Path) -> list[str]:
    """The nodes that have a result."""
    return sorted(host for host, each in written(folder).items() if isinstance(each, NodeLine))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--launcher", "telnet"), "--launcher 'telnet' is not known"),
        (("--launcher", "flux"), "The launcher flux is not installed: flux is not on the PATH"),
        (("--launcher", "ssh"), "ssh does not know the nodes"),
        (("--launcher", "ssh", "--nodes", ""), "--nodes is empty"),
        (("--launcher", "ssh", "--nodes", "n1,n1"), "--nodes names n1 twice"),
        (("--launcher", "ssh", "--nodes", "n1", "--sample", "2"), "--sample 2 is more than"),
        (("--launcher", "ssh", "--nodes", "n1", "--deadline", "0"), "--deadline '0' is not a time"),
        (("--launcher", "pbs", "--nodes", "n1"), "only works in a PBS job"),
        (("--launcher", "ssh", "--resume", "lines.jsonl"), "lines.jsonl cannot be read"),
        (("--launcher", "kubernetes", "--nodes", "n1"), "--launcher kubernetes needs --image"),
        (
            ("--launcher", "ssh", "--nodes", "n[1-7]", "--write-baseline", "b.json"),
            "--write-baseline needs at least 8 equal nodes, but only 7 nodes would be",
        ),
        (
            ("--launcher", "ssh", "--nodes", "n[1-9]", "--write-baseline", "no/b.json"),
            "The output file no/b.json cannot be written: No such file",
        ),
        (
            ("--launcher", "ssh", "--nodes", "n[1-9]", "--rows", "no/rows.csv"),
            "The output file no/rows.csv cannot be written: No such file",
        ),
    ],
)
def test_what_cannot_be_met_is_one_sentence(
    arguments: tuple[str, ...], says: str, tmp_path: Path
) -> None:
    for name in ("ssh", "pbsdsh"):
        stub_program(tmp_path / "bin", name, "exit 1")
    run = fleet_run(tmp_path, *arguments)
    assert (run.returncode, run.stdout) == (2, "")
    assert says in one_sentence(run.stderr)
    assert not (tmp_path / "lines.jsonl").exists()


def test_a_folder_that_may_not_be_written_to_is_said_before_anything_starts(
    tmp_path: Path,
) -> None:
    stub_program(tmp_path / "bin", "ssh", "touch started; exit 1")
    run = fleet_run(tmp_path, "--launcher", "ssh", "--nodes", "n1", "--lines", "/proc/lines")
    assert run.returncode == 2
    assert "/proc/lines cannot be written" in one_sentence(run.stderr)
    assert not (tmp_path / "started").exists()


def test_nodes_that_have_not_answered_are_measured_by_resume(tmp_path: Path) -> None:
    stub_program(tmp_path / "bin", "ssh", SSH)
    (tmp_path / "refuses").touch()
    options = ("--launcher", "ssh", "--deadline", "5m")
    first = fleet_run(tmp_path, *options, "--nodes", "n[1-4]")
    assert first.returncode == 3, first.stderr
    assert answered(tmp_path) == ["n1", "n2"]
    silent = written(tmp_path)["n3"]
    assert isinstance(silent, SilentNode)
    assert silent.reason == "ssh: connect to host n3 port 22: No route to host"
    (tmp_path / "refuses").unlink()
    second = fleet_run(tmp_path, *options, "--resume", "lines.jsonl")
    assert second.returncode == 3, second.stderr
    assert answered(tmp_path) == ["n1", "n2", "n4"]
    assert "n3" in second.stdout


def test_ctrl_c_keeps_what_came(tmp_path: Path) -> None:
    stub_program(tmp_path / "bin", "ssh", SSH)
    (tmp_path / "hangs").touch()
    process = start_streamgage(
        *("fleet", "run", "--launcher", "ssh", "--nodes", "n[1-4]", "--lines", "lines.jsonl"),
        folder=tmp_path,
        engine=node_engine(tmp_path),
        PATH=path_with(tmp_path / "bin"),
    )
    lines = tmp_path / "lines.jsonl"
    wait_until(lambda: lines.exists() and lines.read_text().count('"node"') == 2)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=WAIT_SECONDS)
    assert process.returncode == 130, stderr
    assert answered(tmp_path) == ["n1", "n2"]
    assert "Traceback" not in stderr


def test_a_sample_is_a_part_of_the_nodes(tmp_path: Path) -> None:
    stub_program(tmp_path / "bin", "ssh", SSH)
    options = ("--launcher", "ssh", "--nodes", "m[1-40]", "--sample", "5")
    run = fleet_run(tmp_path, *options)
    assert run.returncode == 3, run.stderr  # too few nodes to judge
    assert len(answered(tmp_path)) == 5


@pytest.mark.parametrize(
    ("given", "arguments"),
    [
        ((), "--json --seconds 10"),
        (("--seconds", "3"), "--json --seconds 3"),
        (("--seconds=3", "--kernels", "triad"), "--json --seconds=3 --kernels triad"),
    ],
)
def test_the_engine_gets_each_option_once(
    given: tuple[str, ...], arguments: str, tmp_path: Path
) -> None:
    stub_program(tmp_path / "bin", "ssh", SSH)
    engine = node_engine(tmp_path, f'echo "$@" >{tmp_path}/arguments')
    options = ("--launcher", "ssh", "--nodes", "n1", "--no-again")
    run = fleet_run(tmp_path, *options, "--", *given, engine=engine)
    assert run.returncode == 3, run.stderr  # too few nodes to judge
    assert (tmp_path / "arguments").read_text().strip() == arguments


FLUX = """\
echo "$@" >>calls
case $1 in
resource) echo "n[1-3]"; exit ;;
esac
while test "$1" != sh; do shift; done
for n in 1 2 3; do STREAMGAGE_NODE=n$n "$@"; done
"""


def test_flux_runs_one_job_over_its_free_nodes(tmp_path: Path) -> None:
    stub_program(tmp_path / "bin", "flux", FLUX)
    options = ("--launcher", "flux", "--launcher-options", "--queue=debug", "--there", "/e/engine")
    run = fleet_run(tmp_path, *options, "--deadline", "90s")
    assert run.returncode == 3, run.stderr
    listed, started = (tmp_path / "calls").read_text().split("\nrun ", 1)
    assert listed == "resource list -n -s free -o {nodelist}"
    assert started.startswith(
        "--nodes=3 --ntasks=3 --exclusive -o cpu-affinity=off -o exit-timeout=none"
        " --time-limit=90s --requires=host:n[1-3] --queue=debug sh -c "
    )
    assert "sh /e/engine --json" in started
    node = written(tmp_path)["n1"]
    assert isinstance(node, SilentNode) and node.why == "not-started"


def test_flux_brings_the_lines_of_its_nodes(tmp_path: Path) -> None:
    stub_program(tmp_path / "bin", "flux", FLUX)
    run = fleet_run(tmp_path, "--launcher", "flux")
    assert run.returncode == 3, run.stderr  # too few nodes to judge
    assert answered(tmp_path) == ["n1", "n2", "n3"]


PBSDSH = """\
echo "$1 $2 $3" >>calls
test "$1" = -n || exit 1
export STREAMGAGE_NODE=$(sed -n "$(($2 + 1))p" "$PBS_NODEFILE")
shift 3
exec "$@"
"""


def test_pbs_runs_once_on_each_node_of_its_job(tmp_path: Path) -> None:
    stub_program(tmp_path / "bin", "pbsdsh", PBSDSH)
    (tmp_path / "nodes").write_text("n1\nn1\nn2\nn2\n")
    run = fleet_run(tmp_path, PBS_NODEFILE=str(tmp_path / "nodes"))
    assert run.returncode == 3, run.stderr  # too few nodes to judge
    assert answered(tmp_path) == ["n1", "n2"]
    assert sorted((tmp_path / "calls").read_text().splitlines()) == ["-n 0 --", "-n 2 --"]


def test_kubernetes_runs_a_pod_on_each_node_that_is_ready(tmp_path: Path) -> None:
    engine = node_engine(tmp_path)
    with stub_kubernetes(tmp_path, ["n1", "n2", "n3", "n4"], unready=("n3",)) as cluster:
        run = fleet_run(
            *(tmp_path, "--launcher", "kubernetes", "--image", "site/streamgage:1"),
            *("--there", str(engine)),
            **cluster.variables,
        )
        assert run.returncode == 3, run.stderr  # too few nodes to judge
        assert answered(tmp_path) == ["n1", "n2", "n4"]
        ((name, job),) = cluster.jobs.items()
        assert cluster.deleted == [name]
    spec = job["spec"]
    assert (spec["completionMode"], spec["completions"], spec["parallelism"]) == ("Indexed", 3, 3)
    pod = spec["template"]["spec"]
    assert pod["restartPolicy"] == "Never"
    assert pod["containers"][0]["image"] == "site/streamgage:1"
    (term,) = pod["affinity"]["podAntiAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
    assert term["topologyKey"] == "kubernetes.io/hostname"
    assert term["labelSelector"]["matchLabels"] == {"job-name": name}
