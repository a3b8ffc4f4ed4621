"""Ranks under the launchers that are here: they measure, and they fail in a sentence."""

from __future__ import annotations

import os
import signal
import socket
from pathlib import Path

import pytest
from engines_that_do_not_load import NEWEST, for_a_newer_glibc, without_a_library
from programs import one_sentence, streamgage
from rank_runs import (
    ended,
    held,
    of_kind,
    recorded_lines,
    run_ranks,
    start_ranks,
    wait_for_samples,
    wait_until_gone,
)
from schemas import validator

LAUNCHERS = ("openmpi", "mpich")
SHARED = ("--allow-oversubscribe",)
PATIENT = ("--timeout", "15")
"""Longer than a busy machine keeps a rank that runs from answering."""

both = pytest.mark.parametrize("launcher", LAUNCHERS)
pytestmark = pytest.mark.needs("mpiexec.openmpi", "mpiexec.mpich")


@both
@pytest.mark.parametrize(("ranks", "threads"), [(1, 1), (2, 1), (4, 1), (2, 2)])
def test_ranks_measure_together(
    launcher: str, ranks: int, threads: int, tmp_path: Path, engine: Path
) -> None:
    run = run_ranks(
        ranks,
        launcher,
        *("--threads", str(threads), "--quick", "--allow-oversubscribe", "--seed", "1"),
        folder=tmp_path,
        engine=engine,
    )
    assert run.returncode == 0, run.stderr
    for record in recorded_lines(tmp_path):
        validator("records").validate(record)
    (placement,) = of_kind(tmp_path, "placement")
    assert [place["rank"] for place in placement["ranks"]] == list(range(ranks))
    assert {place["host"] for place in placement["ranks"]} == {socket.gethostname()}
    wanted = [rank for rank in range(ranks) for _ in range(threads)]
    assert [place["rank"] for place in placement["threads"]] == wanted
    samples = of_kind(tmp_path, "sample")
    assert samples
    for sample in samples:
        assert len(sample["cpus"]) == ranks * threads
        assert len(sample["rank_seconds"]) == ranks
        # From the first start to the last end: no rank alone took longer.
        assert sample["seconds"] >= max(sample["rank_seconds"]) * (1 - 1e-9)
    validations = of_kind(tmp_path, "validation")
    assert validations and all(each["valid"] for each in validations)
    assert {each["checked"] for each in validations} == {1_000_000}
    (memory, *_) = of_kind(tmp_path, "memory")
    assert memory["elements"] == 1_000_000
    assert recorded_lines(tmp_path)[-1]["reason"] == "complete"


@both
def test_more_threads_than_cpus_are_refused(launcher: str, tmp_path: Path, engine: Path) -> None:
    many = len(os.sched_getaffinity(0)) + 1
    run = run_ranks(many, launcher, folder=tmp_path, engine=engine)
    assert run.returncode == 2
    said = one_sentence(run.stderr)
    assert f"{many} threads of the ranks on host {socket.gethostname()} would share" in said
    assert said.endswith("or allow it with --allow-oversubscribe.")
    assert not recorded_lines(tmp_path)


@both
def test_cpus_that_are_named_are_dealt_out_to_the_ranks(
    launcher: str, tmp_path: Path, engine: Path
) -> None:
    allowed = sorted(os.sched_getaffinity(0))
    if len(allowed) < 2:
        pytest.skip("one CPU cannot be dealt out")
    run = run_ranks(2, launcher, "--cpus", "N:1,0", "--quick", folder=tmp_path, engine=engine)
    assert run.returncode == 0, run.stderr
    (placement,) = of_kind(tmp_path, "placement")
    given = [allowed[1], allowed[0]]
    assert [(each["rank"], each["cpu"]) for each in placement["threads"]] == [*enumerate(given)]
    (plan,) = of_kind(tmp_path, "plan")
    assert (plan["expression"], plan["cpus"]) == ("N:1,0", given)


@pytest.mark.parametrize(
    ("cpus", "said"),
    [
        ("0", "2 threads of the ranks on host"),
        ("S9:0", "S9"),
        ("0,0@0", "names CPU"),
    ],
)
def test_cpus_that_ranks_cannot_have_are_refused_in_a_sentence(
    cpus: str, said: str, tmp_path: Path, engine: Path
) -> None:
    run = run_ranks(2, "mpich", "--cpus", cpus, folder=tmp_path, engine=engine)
    assert run.returncode == 2
    assert said in one_sentence(run.stderr)


@both
def test_a_plan_that_cannot_be_met_is_refused_once(
    launcher: str, tmp_path: Path, engine: Path
) -> None:
    run = run_ranks(
        2, launcher, "--allow-oversubscribe", "--isa", "none such", folder=tmp_path, engine=engine
    )
    assert run.returncode == 2
    assert "there is no instruction set 'none such' here" in one_sentence(run.stderr)


@both
def test_a_rank_that_dies_ends_the_run_and_is_named(
    launcher: str, tmp_path: Path, engine: Path
) -> None:
    process = start_ranks(
        3, launcher, "--allow-oversubscribe", *PATIENT, folder=tmp_path, engine=engine
    )
    ranks = wait_for_samples(process, tmp_path)
    os.kill(ranks[1]["pid"], signal.SIGKILL)
    run = ended(process)
    assert run.returncode == 1
    # The launcher sees it; if not, rank 0 misses its answer. Hydra cannot tell it from those that
    # it kills itself.
    named = f"rank 1 on host {socket.gethostname()}" in run.stderr.replace("Rank", "rank")
    assert named or (launcher == "mpich" and "which may be one of these" in run.stderr), run.stderr
    assert "Traceback" not in run.stderr
    assert of_kind(tmp_path, "sample")
    wait_until_gone(ranks)


@both
def test_a_rank_that_hangs_is_named_when_its_time_is_over(
    launcher: str, tmp_path: Path, engine: Path
) -> None:
    process = start_ranks(
        3, launcher, "--allow-oversubscribe", *PATIENT, folder=tmp_path, engine=engine
    )
    ranks = wait_for_samples(process, tmp_path)
    os.kill(ranks[2]["pid"], signal.SIGSTOP)
    run = ended(process)
    assert run.returncode == 1
    said = f"rank 2 on host {socket.gethostname()} has not answered for 15 s"
    assert said in run.stderr, run.stderr
    assert of_kind(tmp_path, "sample")
    assert of_kind(tmp_path, "end")[0]["reason"] == "error"
    wait_until_gone(ranks)


@both
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_the_ranks_after_their_sample(
    launcher: str, number: signal.Signals, status: int, tmp_path: Path, engine: Path
) -> None:
    process = start_ranks(2, launcher, "--allow-oversubscribe", folder=tmp_path, engine=engine)
    ranks = wait_for_samples(process, tmp_path)
    process.send_signal(number)
    run = ended(process)
    assert run.returncode == status, run.stderr
    assert recorded_lines(tmp_path)[-1]["reason"] == {130: "interrupted", 143: "terminated"}[status]
    wait_until_gone(ranks)


@both
def test_ranks_wait_for_another_measurement_and_say_for_whom(
    launcher: str, tmp_path: Path, engine: Path
) -> None:
    with held(tmp_path / "lock"):
        process = start_ranks(2, launcher, *SHARED, "--quick", folder=tmp_path, engine=engine)
        assert process.stderr is not None
        said = process.stderr.readline()
        assert process.poll() is None
        assert not recorded_lines(tmp_path)
    run = ended(process)
    assert run.returncode == 0, run.stderr
    who = f"on host {socket.gethostname()} another measurement (process {os.getpid()} of user"
    assert said.startswith(f"streamgage: waiting: {who} "), said
    assert f"holds the lock {tmp_path}/lock, and two at once would spoil each other." in said
    assert "waiting" not in run.stderr
    assert recorded_lines(tmp_path)[-1]["reason"] == "complete"


@both
def test_ranks_that_shall_not_wait_fail(launcher: str, tmp_path: Path, engine: Path) -> None:
    with held(tmp_path / "lock"):
        run = run_ranks(2, launcher, *SHARED, "--no-wait", folder=tmp_path, engine=engine)
    assert run.returncode == 1
    said = one_sentence(run.stderr)
    assert said.startswith(f"on host {socket.gethostname()} another measurement (process ")
    assert said.endswith(": measure when it has ended, or leave out --no-wait.")
    assert not recorded_lines(tmp_path)


@both
def test_two_runs_of_ranks_take_turns(launcher: str, tmp_path: Path, engine: Path) -> None:
    folders = [tmp_path / "one", tmp_path / "other"]
    for folder in folders:
        folder.mkdir()
    runs = [
        start_ranks(2, launcher, *SHARED, "--quick", folder=folder, engine=engine)
        for folder in folders
    ]
    both_ended = [ended(run) for run in runs]
    assert [run.returncode for run in both_ended] == [0, 0], both_ended
    assert any("waiting: on host" in run.stderr for run in both_ended)
    assert all(recorded_lines(folder)[-1]["reason"] == "complete" for folder in folders)


@both
def test_a_measurement_waits_for_ranks(launcher: str, tmp_path: Path, engine: Path) -> None:
    process = start_ranks(2, launcher, *SHARED, folder=tmp_path, engine=engine)
    wait_for_samples(process, tmp_path)
    run = streamgage("measure", "--quick", "--no-wait", folder=tmp_path, engine=engine)
    assert run.returncode == 1
    assert "another measurement (process" in one_sentence(run.stderr)
    process.send_signal(signal.SIGTERM)
    assert ended(process).returncode in (0, 143)  # it may have come to its end meanwhile


@both
def test_a_signal_ends_the_waiting_of_ranks(launcher: str, tmp_path: Path, engine: Path) -> None:
    with held(tmp_path / "lock"):
        process = start_ranks(2, launcher, *SHARED, folder=tmp_path, engine=engine)
        assert process.stderr is not None
        assert "waiting" in process.stderr.readline()
        process.send_signal(signal.SIGTERM)
        run = ended(process)
    assert run.returncode == 143
    assert run.stderr.startswith("streamgage: The ranks were stopped."), run.stderr


@pytest.mark.parametrize(
    ("launcher", "library", "name"),
    [("mpich", "libmpi.so.40", "Open MPI v"), ("openmpi", "libmpich.so.12", "MPICH Version: ")],
)
def test_a_library_of_another_mpi_than_the_launchers_is_refused(
    launcher: str, library: str, name: str, tmp_path: Path, engine: Path
) -> None:
    named = {"STREAMGAGE_MPI_LIBRARY": library}
    run = run_ranks(2, launcher, *SHARED, folder=tmp_path, engine=engine, **named)
    assert run.returncode == 1, run.stderr
    # Each rank starts MPI alone, and the MPI's own words about that may follow.
    said = one_sentence(run.stderr.partition("\n")[0])
    assert said.startswith(f"2 ranks were started, but {name}"), run.stderr
    assert f"({library}) made a world of 1: it is not the launcher's MPI;" in said
    assert "Traceback" not in run.stderr


@both
@pytest.mark.parametrize(
    ("library", "why"),
    [
        ("/nonexistent/libmpi.so", "cannot be loaded: cannot open shared object file: No such"),
        ("libm.so.6", "has none of the binary interfaces that streamgage knows"),
    ],
)
def test_an_mpi_library_that_cannot_be_used_is_named_once(
    launcher: str, library: str, why: str, tmp_path: Path, engine: Path
) -> None:
    named = {"STREAMGAGE_MPI_LIBRARY": library}
    run = run_ranks(2, launcher, *SHARED, folder=tmp_path, engine=engine, **named)
    assert run.returncode == 1, run.stderr
    assert one_sentence(run.stderr).startswith(f"the MPI library {library} {why}")


@both
def test_an_engine_that_does_not_fit_is_named_as_by_one_process(
    launcher: str, tmp_path: Path, engine: Path
) -> None:
    newer = for_a_newer_glibc(engine, tmp_path)
    run = run_ranks(2, launcher, *SHARED, folder=tmp_path, engine=newer)
    assert run.returncode == 1
    said = one_sentence(run.stderr)
    assert said.startswith(f"{newer} was built for glibc {NEWEST} or newer, and this system has ")
    lacking, library = without_a_library(engine, tmp_path)
    run = run_ranks(2, launcher, *SHARED, folder=tmp_path, engine=lacking)
    assert run.returncode == 1
    assert f"needs the library {library}, which this system does not" in one_sentence(run.stderr)


def test_an_engine_that_does_not_fit_is_named_where_the_launcher_hides_its_words(
    tmp_path: Path, engine: Path
) -> None:
    launcher = tmp_path / "mpiexec.hydra"
    launcher.write_text(
        "#!/bin/sh\n"
        '[ "$1" != --version ] || { echo "HYDRA build details:"; exit; }\n'
        "kill -PIPE $$\n"
    )
    launcher.chmod(0o755)
    newer = for_a_newer_glibc(engine, tmp_path)
    path = f"{tmp_path}:{os.environ['PATH']}"
    run = run_ranks(2, "mpich", *SHARED, folder=tmp_path, engine=newer, PATH=path)
    assert run.returncode == 1
    assert f"was built for glibc {NEWEST} or newer" in one_sentence(run.stderr)


def test_an_engine_that_does_not_fit_other_hosts_says_so(tmp_path: Path, engine: Path) -> None:
    hosts = tmp_path / "hosts"
    hosts.write_text("localhost\n")
    newer = for_a_newer_glibc(engine, tmp_path)
    run = run_ranks(1, "mpich", *SHARED, "--hosts", hosts, folder=tmp_path, engine=newer)
    assert run.returncode == 1
    assert f"glibc {NEWEST} or newer, and one of the hosts has an older" in one_sentence(run.stderr)


def test_an_mpich_that_does_not_start_is_named_with_what_it_says(
    tmp_path: Path, engine: Path
) -> None:
    run = run_ranks(2, "mpich", *SHARED, folder=tmp_path, engine=engine, UCX_TLS="none-such")
    assert run.returncode == 1
    first, *rest = run.stderr.splitlines()
    assert first.startswith("streamgage: MPICH Version: "), run.stderr
    assert "does not start and has printed why;" in first
    assert any("none-such" in line for line in rest), run.stderr


def test_an_open_mpi_that_does_not_start_ends_the_run_and_its_messages_are_passed_on(
    tmp_path: Path, engine: Path
) -> None:
    named = {"OMPI_MCA_pml": "none-such"}
    run = run_ranks(2, "openmpi", *SHARED, folder=tmp_path, engine=engine, **named)
    assert run.returncode == 1
    first, *rest = run.stderr.splitlines()
    assert first == (
        "streamgage: The launcher ended with exit status 1 before its ranks had met: read"
        " its messages and those of the MPI library."
    )
    # Open MPI loses its own sentence at times ("Out of resource in show_help").
    assert any(line.strip() for line in rest), run.stderr


def test_a_launcher_that_is_not_here_is_named(tmp_path: Path, engine: Path) -> None:
    run = run_ranks(2, "openmpi", folder=tmp_path, engine=engine, PATH="/nonexistent")
    assert run.returncode == 2
    assert "No launcher of openmpi is on the PATH" in one_sentence(run.stderr)


def test_a_host_that_nobody_knows_is_refused(tmp_path: Path, engine: Path) -> None:
    hosts = tmp_path / "hosts"
    hosts.write_text("no-such-host.invalid\n")
    run = run_ranks(2, "mpich", "--hosts", hosts, folder=tmp_path, engine=engine)
    assert run.returncode == 2
    assert "no-such-host.invalid" in one_sentence(run.stderr)


@pytest.mark.parametrize("option", [("--hosts", "file"), ("--timeout", "9")])
def test_options_of_ranks_want_ranks(option: tuple[str, ...], tmp_path: Path, engine: Path) -> None:
    run = streamgage("measure", *option, folder=tmp_path, engine=engine)
    assert run.returncode == 2
    assert one_sentence(run.stderr) == (
        f"{option[0]} is for MPI ranks: add --mpi N, or leave it out."
    )
