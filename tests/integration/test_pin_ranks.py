"""``streamgage pin`` in front of MPI ranks: each gets a part of the list of CPUs."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from programs import REPOSITORY, WAIT_SECONDS, command, environment, one_sentence, streamgage
from slurm_cluster import slurm_cluster

from streamgage.cpu_list import list_cpus
from streamgage.errors import UsageError
from streamgage.programs.pin.ranks import openmp_threads, share_of

TEAM = REPOSITORY / "tests" / "support" / "pinned_mpi" / "team.c"
TOPOLOGY_A = "pack:2 numa:1 l3:1 core:4 pu:2(indexes=0,8,1,9,2,10,3,11,4,12,5,13,6,14,7,15)"
AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
SHOWS = ("sh", "-c", "sed -n 's/^Cpus_allowed_list:\\t//p' /proc/self/status; exec true")
OWN = sorted(os.sched_getaffinity(0))
RANKS = min(2, len(OWN))
BOTH = pytest.mark.parametrize("launcher", ["openmpi", "mpich"])


def open_mpi(local: int, here: int) -> dict[str, str]:
    """What Open MPI sets for a rank on the only host."""
    return {
        "OMPI_COMM_WORLD_LOCAL_RANK": str(local),
        "OMPI_COMM_WORLD_LOCAL_SIZE": str(here),
        "OMPI_COMM_WORLD_RANK": str(local),
        "OMPI_COMM_WORLD_SIZE": str(here),
    }


@pytest.fixture
def machine(engine: Path, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Two packages of four cores with two hardware threads, and no variables of launchers."""
    monkeypatch.setenv("STREAMGAGE_ENGINE", str(engine))
    monkeypatch.setenv("HWLOC_SYNTHETIC", TOPOLOGY_A)
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    return monkeypatch


def set_all(machine: pytest.MonkeyPatch, **variables: str) -> None:
    for name, value in variables.items():
        machine.setenv(name, value)


@pytest.mark.parametrize(
    ("here", "threads", "variables", "blocks"),
    [
        (2, None, {}, [[0, 8, 1, 9], [2, 10, 3, 11]]),
        (3, None, {}, [[0, 8], [1, 9], [2, 10]]),
        (4, 1, {}, [[0], [8], [1], [9]]),
        (2, None, {"OMP_NUM_THREADS": "3"}, [[0, 8, 1], [9, 2, 10]]),
        (2, None, {"OMP_NUM_THREADS": "2,2"}, [[0, 8, 1, 9], [2, 10, 3, 11]]),
        (2, 2, {"OMP_NUM_THREADS": "4"}, [[0, 8], [1, 9]]),
    ],
)
def test_each_rank_gets_the_next_block_of_the_list(
    machine: pytest.MonkeyPatch,
    here: int,
    threads: int | None,
    variables: dict[str, str],
    blocks: list[list[int]],
) -> None:
    for local, block in enumerate(blocks):
        set_all(machine, **open_mpi(local, here), **variables)
        share = share_of("S0", threads, oversubscribe=False)
        assert share.cpus == block
        assert (share.sentence is not None) == (local == 0)


def test_the_first_rank_says_where_all_are(machine: pytest.MonkeyPatch) -> None:
    set_all(machine, **open_mpi(0, 4))
    sentence = share_of("S0", oversubscribe=False).sentence
    assert sentence is not None
    assert re.fullmatch(
        r"the 4 ranks of \S+ share S0: rank 0 is on CPUs 0,8, rank 1 is on CPUs 1,9,"
        r" rank 2 is on CPUs 2,10, rank 3 is on CPUs 3,11\.",
        sentence,
    )


def test_of_many_ranks_the_first_and_the_last_are_shown(machine: pytest.MonkeyPatch) -> None:
    set_all(machine, **open_mpi(0, 16))
    sentence = share_of("N", oversubscribe=False).sentence
    assert sentence is not None
    assert sentence.endswith("rank 2 is on CPU 1, ..., rank 15 is on CPU 15.")


@pytest.mark.parametrize(
    ("here", "threads", "variables", "words"),
    [
        (9, None, {}, "9 ranks on this host with 1 thread each need 9 CPUs, but S0 has 8"),
        (2, 5, {}, "2 ranks on this host with 5 threads each need 10 CPUs, but S0 has 8"),
        (1, 9, {}, "9 threads need 9 CPUs, but S0 has 8"),
        (3, None, {"OMP_NUM_THREADS": "3"}, "3 ranks on this host with 3 threads each need 9"),
        (2, None, {"OMP_NUM_THREADS": "many"}, "OMP_NUM_THREADS is 'many'"),
        (2, None, {"OMP_NUM_THREADS": "0"}, "OMP_NUM_THREADS is '0'"),
        (999_999_999, None, {}, "999999999 ranks on this host"),
    ],
)
def test_ranks_for_which_there_are_too_few_cpus_are_refused(
    machine: pytest.MonkeyPatch,
    here: int,
    threads: int | None,
    variables: dict[str, str],
    words: str,
) -> None:
    for local in range(min(here, 2)):
        set_all(machine, **open_mpi(local, here), **variables)
        with pytest.raises(UsageError, match=re.escape(words)):
            share_of("S0", threads, oversubscribe=False)


def test_ranks_begin_again_at_the_start_of_the_list_where_that_is_permitted(
    machine: pytest.MonkeyPatch,
) -> None:
    set_all(machine, **open_mpi(2, 3))
    assert share_of("S0", 3, oversubscribe=True).cpus == [3, 11, 0]
    set_all(machine, **open_mpi(0, 999_999_999))
    sentence = share_of("S0", 3, oversubscribe=True).sentence
    assert sentence is not None and "..., rank 999999998 is on CPUs" in sentence


def test_a_number_of_threads_beyond_every_machine_is_refused(machine: pytest.MonkeyPatch) -> None:
    set_all(machine, **open_mpi(0, 2), OMP_NUM_THREADS="999999,999999")
    with pytest.raises(UsageError, match="999998000001 threads are more than a list of"):
        share_of("S0", oversubscribe=True)


def test_a_rank_whose_host_has_an_unknown_number_of_ranks_needs_the_threads(
    machine: pytest.MonkeyPatch,
) -> None:
    set_all(machine, FLUX_TASK_LOCAL_ID="1", FLUX_TASK_RANK="5", FLUX_JOB_NNODES="2")
    with pytest.raises(UsageError, match="Flux gives this rank's number on the host, 1, but not"):
        share_of("S0", oversubscribe=False)
    share = share_of("S0", 4, oversubscribe=False)
    assert share.cpus == [2, 10, 3, 11]
    assert share.sentence is not None
    assert share.sentence.endswith("is on CPUs 2-3,10-11.")
    machine.setenv("FLUX_TASK_LOCAL_ID", "2")
    with pytest.raises(UsageError, match="3 ranks on this host with 4 threads each need 12 CPUs"):
        share_of("S0", 4, oversubscribe=False)


def test_ranks_without_a_number_on_their_host_are_warned(machine: pytest.MonkeyPatch) -> None:
    machine.setenv("PMIX_RANK", "1")
    share = share_of("S0", oversubscribe=False)
    assert len(share.cpus) == 8
    assert share.sentence is not None
    assert share.sentence.startswith(
        "PMIX_RANK shows that this is a rank of a parallel program, but"
    )


@pytest.mark.parametrize(
    ("text", "threads"), [(None, None), ("", None), ("4", 4), ("4,2", 8), (" 3 ", 3)]
)
def test_the_threads_of_openmp_are_read_from_its_variable(
    text: str | None, threads: int | None
) -> None:
    assert openmp_threads({} if text is None else {"OMP_NUM_THREADS": text}) == threads


def test_a_rank_of_variables_alone_runs_on_its_part(engine: Path, tmp_path: Path) -> None:
    for local in range(RANKS):
        run = streamgage(
            *("pin", "N", "--", *SHOWS), folder=tmp_path, engine=engine, **open_mpi(local, RANKS)
        )
        assert (run.returncode, run.stdout) == (0, f"{OWN[local]}\n" if RANKS > 1 else run.stdout)
        assert (f"the {RANKS} ranks of" in run.stderr) == (RANKS > 1 and local == 0)


def test_threads_narrow_a_program_that_is_no_rank(engine: Path, tmp_path: Path) -> None:
    says = ("sh", "-c", "echo $OMP_NUM_THREADS; " + SHOWS[2])
    run = streamgage(
        *("pin", "N", "--threads", "1", "--", *says),
        folder=tmp_path,
        engine=engine,
        OMP_NUM_THREADS="7",
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.split() == ["1", str(OWN[0])]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--threads", "0", "--", "true"), "--threads '0' is not a whole number"),
        (("--threads", "1", "--show"), "leave them out with --show"),
        (("--memory", "local", "--show"), "leave them out with --show"),
        (("--memory", "elsewhere", "--", "true"), "--memory 'elsewhere' is not known"),
        (("--memory", "1000", "--", "true"), "this process may not take memory from node 1000"),
        (("-o", "report", "--", "true"), "so put %r"),
    ],
)
def test_bad_usage_is_one_sentence(
    engine: Path, tmp_path: Path, options: tuple[str, ...], words: str
) -> None:
    several = open_mpi(0, 2) if "-o" in options else {}
    more = ("--allow-oversubscribe", *options)
    run = streamgage("pin", "N", *more, folder=tmp_path, engine=engine, **several)
    assert (run.returncode, run.stdout) == (2, "")
    assert words in one_sentence(run.stderr)
    assert not (tmp_path / "report").exists()


def launched(
    launcher: list[str], *arguments: str | Path, folder: Path, engine: Path, **variables: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*launcher, *command("pin", *arguments)],
        cwd=folder,
        env=environment(folder, engine, **AS_ROOT, **variables),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=WAIT_SECONDS,
        check=False,
    )


def mpiexec(launcher: str, ranks: int, *options: str) -> list[str]:
    return [f"mpiexec.{launcher}", "-n", str(ranks), *options]


def allowed(run: subprocess.CompletedProcess[str]) -> list[list[int]]:
    """The CPUs that each rank said, in any order of ranks."""
    return sorted(sorted(list_cpus(line)) for line in run.stdout.split())


@BOTH
@pytest.mark.needs("mpiexec.openmpi", "mpiexec.mpich")
def test_ranks_of_a_launcher_share_the_list(engine: Path, tmp_path: Path, launcher: str) -> None:
    start = mpiexec(launcher, RANKS, "-bind-to" if launcher == "mpich" else "--bind-to", "none")
    run = launched(start, "N", "--threads", "1", "--", *SHOWS, folder=tmp_path, engine=engine)
    assert run.returncode == 0, run.stderr
    assert allowed(run) == [[cpu] for cpu in OWN[:RANKS]]
    if RANKS > 1:
        assert f"rank 1 is on CPU {OWN[1]}." in one_sentence(run.stderr)


@pytest.mark.skipif(len(OWN) < 2, reason="no launcher can narrow one CPU")
@pytest.mark.needs("mpiexec.openmpi")
def test_ranks_that_the_launcher_bound_are_refused_with_the_option(
    engine: Path, tmp_path: Path
) -> None:
    start = mpiexec("openmpi", 2, "--bind-to", "core")
    run = launched(start, "N", "--", *SHOWS, folder=tmp_path, engine=engine)
    assert (run.returncode, run.stdout) == (2, "")
    assert "Open MPI has bound rank" in run.stderr
    assert "Ranks that the launcher bound cannot share one list of CPUs." in run.stderr
    assert "with `mpiexec --bind-to none`." in run.stderr


@pytest.mark.skipif(len(OWN) < 2, reason="no launcher can narrow one CPU")
@pytest.mark.needs("mpiexec.openmpi")
@pytest.mark.parametrize(("expression", "status"), [("N", 0), ("N:0-1", 2)])
def test_a_single_rank_that_the_launcher_bound_says_so(
    engine: Path, tmp_path: Path, expression: str, status: int
) -> None:
    start = mpiexec("openmpi", 1, "--bind-to", "core")
    run = launched(start, expression, "--", *SHOWS, folder=tmp_path, engine=engine)
    assert run.returncode == status
    assert "Open MPI has bound rank 0 of this host to CPU" in run.stderr
    assert ("asks for 2 CPUs" in run.stderr) == (status == 2)


@pytest.mark.needs("mpiexec.mpich", "taskset")
def test_a_mask_around_the_launcher_is_shared(engine: Path, tmp_path: Path) -> None:
    cpu = str(OWN[-1])
    start = ["taskset", "-c", cpu, *mpiexec("mpich", 2)]
    run = launched(
        start, "N", "--allow-oversubscribe", "--", *SHOWS, folder=tmp_path, engine=engine
    )
    assert run.returncode == 0, run.stderr
    assert allowed(run) == [[OWN[-1]]] * 2


@BOTH
@pytest.mark.needs("mpiexec.openmpi", "mpiexec.mpich", "mpicc.openmpi", "mpicc.mpich")
def test_threads_of_the_mpi_library_take_no_cpu_of_the_programs(
    engine: Path, tmp_path: Path, launcher: str
) -> None:
    program = tmp_path / "team"
    subprocess.run([f"mpicc.{launcher}", "-O1", "-fopenmp", TEAM, "-o", program], check=True)
    none = ["-bind-to" if launcher == "mpich" else "--bind-to", "none"]
    start = mpiexec(launcher, RANKS, *none)
    options = ["--threads", "1", "-o", "threads-%r.txt"]
    run = launched(start, "N", *options, "--", program, folder=tmp_path, engine=engine)
    assert run.returncode == 0, run.stderr
    assert "found no free CPU" not in run.stderr
    said = sorted(list(map(int, line.split())) for line in run.stdout.splitlines())
    assert said == [[rank, 0, OWN[rank]] for rank in range(RANKS)]
    for rank in range(RANKS):
        report = (tmp_path / f"threads-{rank}.txt").read_text()
        assert re.search(r"^ +[1-9][0-9]* +skipped ", report, re.MULTILINE), report


@pytest.fixture(scope="module")
def slurm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    with slurm_cluster(tmp_path_factory.mktemp("slurm")) as variables:
        yield variables


@pytest.mark.needs("slurmd")
@pytest.mark.parametrize("bound", [True, False])
def test_tasks_of_slurm_have_their_own_cpus_or_share_the_list(
    slurm: dict[str, str], engine: Path, tmp_path: Path, bound: bool
) -> None:
    how = [] if bound else ["--cpu-bind=none"]
    start = ["srun", "--mpi=none", f"--ntasks={RANKS}", *how]
    run = launched(
        *(start, "N", "--threads", "1", "--", *SHOWS), folder=tmp_path, engine=engine, **slurm
    )
    assert run.returncode == 0, run.stderr
    assert allowed(run) == [[cpu] for cpu in OWN[:RANKS]]
    if RANKS > 1:
        # srun speaks there too, such as of its queue.
        lines = [line for line in run.stderr.splitlines() if line.startswith("streamgage: ")]
        assert len(lines) == (RANKS if bound else 1), run.stderr
        assert f"rank 1 {'of' if bound else 'is'}" in run.stderr
