"""``streamgage pin`` on programs that say themselves which CPUs they may use."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from golden import approved
from programs import REPOSITORY, WAIT_SECONDS, command, environment, one_sentence, streamgage
from schemas import validator

SOURCES = REPOSITORY / "tests" / "support" / "pinned"
TOPOLOGY_A = "pack:2 numa:1 l3:1 core:4 pu:2(indexes=0,8,1,9,2,10,3,11,4,12,5,13,6,14,7,15)"
OPENMP = ["openmp", pytest.param("openmp-llvm", marks=pytest.mark.needs("clang-14"))]
"""The same program with GNU's and with LLVM's runtime, which is Intel's too."""


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs, compiled as their users would."""
    folder = tmp_path_factory.mktemp("pinned")
    for source in SOURCES.iterdir():
        compiler = ["g++", "-std=c++20"] if source.suffix == ".cpp" else ["gcc", "-std=gnu11"]
        flags = ["-O1", "-pthread", "-fopenmp"]
        subprocess.run([*compiler, *flags, source, "-o", folder / source.stem], check=True)
    llvm = shutil.which("clang-14")
    if llvm is not None:
        program = folder / "openmp-llvm"
        subprocess.run([llvm, "-O1", "-fopenmp", SOURCES / "openmp.c", "-o", program], check=True)
    return folder


def expand(engine: Path, expression: str) -> list[int]:
    run = subprocess.run([engine, f"--expand={expression}"], capture_output=True, check=True)
    record = json.loads(run.stdout)
    validator("records").validate(record)
    cpus = record["cpus"]
    assert isinstance(cpus, list)
    return cpus


@pytest.fixture(scope="session")
def place(engine: Path) -> tuple[str, list[int]]:
    """An expression and its CPUs: two in descending order, or the only one that there is."""
    return ("N:1-0" if len(expand(engine, "N")) > 1 else "N:0"), expand(
        engine, "N:1-0" if len(expand(engine, "N")) > 1 else "N:0"
    )


def pin(
    engine: Path, folder: Path, *arguments: str | Path, **variables: str
) -> subprocess.CompletedProcess[str]:
    return streamgage("pin", *arguments, folder=folder, engine=engine, **variables)


def said(run: subprocess.CompletedProcess[str]) -> dict[int, list[int]]:
    """What each thread of the program said that it may use."""
    lines = [list(map(int, line.split())) for line in run.stdout.splitlines()]
    return {line[0]: line[1:] for line in lines}


@pytest.mark.parametrize("how", ["posix", "c11"])
def test_threads_take_the_cpus_in_their_order(
    engine: Path, built: Path, tmp_path: Path, place: tuple[str, list[int]], how: str
) -> None:
    expression, cpus = place
    others = str(len(cpus) - 1)
    run = pin(engine, tmp_path, expression, "--", built / "threads", how, others)
    assert (run.returncode, run.stderr) == (0, "")
    if len(cpus) > 1:
        assert said(run) == {0: [cpus[0]], 1: [cpus[1]]}


def test_threads_of_the_standard_library_of_cpp_are_bound(
    engine: Path, built: Path, tmp_path: Path, place: tuple[str, list[int]]
) -> None:
    expression, cpus = place
    others = 1 if len(cpus) == 1 else len(cpus) - 1
    program = [built / "standard", str(others), "3"]
    run = pin(engine, tmp_path, expression, "--allow-oversubscribe", "--", *program)
    assert (run.returncode, run.stderr) == (0, "")
    assert said(run) == dict(enumerate([[cpus[-1]]] * 3, 1))


@pytest.mark.parametrize("how", ["posix", "c11", "exit", "cancel"])
def test_threads_of_each_round_take_the_places_that_the_last_left(
    engine: Path, built: Path, tmp_path: Path, place: tuple[str, list[int]], how: str
) -> None:
    expression, cpus = place
    workers = len(cpus)
    program = [built / "threads", how, str(workers), "3"]
    run = pin(engine, tmp_path, expression, "--skip", "main", "--", *program)
    assert (run.returncode, run.stderr) == (0, "")
    bound = {number: [cpus[(number - 1) % workers]] for number in range(1, 3 * workers + 1)}
    assert said(run) == {0: sorted(cpus)} | bound


@pytest.mark.parametrize("how", ["posix", "c11"])
def test_threads_that_cannot_be_made_take_no_place(
    engine: Path, built: Path, tmp_path: Path, place: tuple[str, list[int]], how: str
) -> None:
    expression, cpus = place
    program = [built / "threads", how, str(len(cpus)), "1", "3"]
    run = pin(engine, tmp_path, expression, "--skip", "0", "--", *program)
    assert (run.returncode, run.stderr) == (0, "")
    others = {number: [cpu] for number, cpu in enumerate(cpus[1:], 2)}
    assert said(run) == {0: [cpus[0]], 1: sorted(cpus)} | others


def test_the_main_thread_leaves_its_place_when_it_ends(
    engine: Path, built: Path, tmp_path: Path, place: tuple[str, list[int]]
) -> None:
    expression, cpus = place
    run = pin(engine, tmp_path, expression, "--skip", "0", "--", built / "heir")
    assert (run.returncode, run.stderr) == (0, "")
    assert said(run) == {1: [cpus[0]]}


@pytest.mark.parametrize("program", OPENMP)
def test_openmp_programs_run_one_thread_a_cpu(
    engine: Path, built: Path, tmp_path: Path, place: tuple[str, list[int]], program: str
) -> None:
    expression, cpus = place
    misleading = {
        "GOMP_CPU_AFFINITY": str(cpus[-1]),
        "KMP_AFFINITY": f"explicit,proclist=[{cpus[-1]}]",
        "OMP_PLACES": "cores",
    }
    run = pin(engine, tmp_path, expression, "--", built / program, **misleading)
    assert (run.returncode, run.stderr) == (0, "")
    assert said(run) == {number: [cpu] for number, cpu in enumerate(cpus)}


@pytest.mark.parametrize("program", OPENMP)
def test_openmp_threads_may_share_a_cpu(
    engine: Path, built: Path, tmp_path: Path, place: tuple[str, list[int]], program: str
) -> None:
    _, cpus = place
    shared = ["N:0,0,0", "--allow-oversubscribe"]
    run = pin(engine, tmp_path, *shared, "--", built / program)
    assert (run.returncode, run.stderr) == (0, "")
    assert said(run) == {number: [min(cpus)] for number in range(3)}


@pytest.mark.parametrize("program", OPENMP)
def test_openmp_threads_begin_anew_where_that_is_permitted(
    engine: Path, built: Path, tmp_path: Path, place: tuple[str, list[int]], program: str
) -> None:
    expression, cpus = place
    threads = 2 * len(cpus)
    run = pin(
        *(engine, tmp_path, expression, "--allow-oversubscribe", "--", built / program),
        OMP_NUM_THREADS=str(threads),
        OMP_PROC_BIND="true",
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert sorted(said(run).values()) == sorted([[cpu] for cpu in cpus] * 2)


@pytest.mark.parametrize("program", OPENMP)
def test_openmp_threads_beyond_the_list_are_told_of(
    engine: Path, built: Path, tmp_path: Path, place: tuple[str, list[int]], program: str
) -> None:
    expression, cpus = place
    run = pin(
        *(engine, tmp_path, expression, "--", built / program),
        OMP_NUM_THREADS=str(len(cpus) + 1),
    )
    assert run.returncode == 0
    assert f"1 thread of the program found no free CPU in {expression}" in one_sentence(run.stderr)


@pytest.mark.parametrize("program", OPENMP)
def test_openmp_threads_can_be_skipped(
    engine: Path, built: Path, tmp_path: Path, place: tuple[str, list[int]], program: str
) -> None:
    expression, cpus = place
    threads = len(cpus) + 1
    run = pin(
        *(engine, tmp_path, expression, "--skip", "0", "--", built / program),
        OMP_NUM_THREADS=str(threads),
        OMP_PROC_BIND="true",
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert sorted(said(run).values()) == sorted([*([cpu] for cpu in cpus), sorted(cpus)])


def test_threads_beyond_the_list_are_unbound_and_told_of(
    engine: Path, built: Path, tmp_path: Path, place: tuple[str, list[int]]
) -> None:
    expression, cpus = place
    threads = len(cpus) + 2  # and the main thread
    run = pin(engine, tmp_path, expression, "--", built / "threads", "posix", str(threads))
    assert run.returncode == 0
    sentence = one_sentence(run.stderr)
    assert f"3 threads of the program found no free CPU in {expression}" in sentence
    assert "--skip main where the main thread only waits" in sentence
    assert said(run)[threads] == sorted(cpus)


def test_threads_beyond_the_list_begin_anew_where_that_is_permitted(
    engine: Path, built: Path, tmp_path: Path, place: tuple[str, list[int]]
) -> None:
    expression, cpus = place
    program = [built / "threads", "posix", str(len(cpus))]
    run = pin(engine, tmp_path, expression, "--allow-oversubscribe", "--", *program)
    assert (run.returncode, run.stderr) == (0, "")
    assert said(run)[len(cpus)] == [cpus[0]]


@pytest.mark.parametrize("skip", ["0", "0x1", "0-0"])
def test_helper_threads_can_be_skipped(
    engine: Path, built: Path, tmp_path: Path, place: tuple[str, list[int]], skip: str
) -> None:
    expression, cpus = place
    program = [built / "threads", "posix", str(len(cpus))]
    run = pin(engine, tmp_path, expression, "--skip", skip, "-v", "--", *program)
    assert run.returncode == 0
    assert "skipped" in run.stderr
    assert said(run)[1] == sorted(cpus)
    assert said(run)[len(cpus)] == ([cpus[-1]] if len(cpus) > 1 else sorted(cpus))


def test_threads_whose_maker_chose_a_cpu_keep_it(
    engine: Path, built: Path, tmp_path: Path, place: tuple[str, list[int]]
) -> None:
    expression, cpus = place
    run = pin(
        engine, tmp_path, expression, "--allow-oversubscribe", "--", built / "threads", "own", "1"
    )
    assert run.returncode == 0
    assert said(run)[1] == [max(cpus)]


def test_threads_whose_maker_chose_a_cpu_keep_it_where_others_have_it(
    engine: Path, built: Path, tmp_path: Path, place: tuple[str, list[int]]
) -> None:
    expression, cpus = place
    run = pin(engine, tmp_path, expression, "--", built / "threads", "own", "2")
    assert run.returncode == 0
    assert f"2 threads of the program found no free CPU in {expression}" in one_sentence(run.stderr)
    assert [said(run)[number] for number in (1, 2)] == [[max(cpus)]] * 2


def test_a_program_that_a_bound_thread_starts_has_all_cpus_again(
    engine: Path, built: Path, tmp_path: Path, place: tuple[str, list[int]]
) -> None:
    expression, cpus = place
    child = [built / "threads", "posix", "0"]
    run = pin(
        engine, tmp_path, expression, "--allow-oversubscribe", "--", built / "children", *child
    )
    assert run.returncode == 0
    assert said(run) == {0: sorted(cpus)}


WEIGHTED = Path("/sys/kernel/mm/mempolicy/weighted_interleave").is_dir()


@pytest.mark.parametrize(
    ("memory", "policy"),
    [
        ("local", (4, "memory from the node of the CPU that touches a page first")),
        ("0", (2, "memory of node 0 only")),
        ("interleave", (6 if WEIGHTED else 3, "memory page by page over node")),
        ("interleave:0", (6 if WEIGHTED else 3, "memory page by page over node 0")),
    ],
)
def test_the_program_and_what_it_starts_have_the_memory_policy(
    engine: Path, built: Path, tmp_path: Path, memory: str, policy: tuple[int, str]
) -> None:
    program = [built / "memory"]
    direct = pin(engine, tmp_path, "N:0", "--memory", memory, "-v", "--", *program)
    assert direct.returncode == 0, direct.stderr
    found, *nodes = map(int, direct.stdout.split())
    mode, words = policy
    assert found == mode  # the numbers of <linux/mempolicy.h>
    assert len(nodes) == (0 if memory == "local" else 1)
    assert memory[-1] != "0" or nodes == [0]
    assert words in direct.stderr.splitlines()[1]
    through = pin(engine, tmp_path, "N:0", "--memory", memory, "--", built / "children", *program)
    assert through.stdout == direct.stdout


REFUSED = """
import subprocess, sys
from pathlib import Path
from streamgage.errors import StreamgageError
from streamgage.programs.pin.memory import MemoryPolicy, Mode, memory_policy
from streamgage.programs.pin.run import find_library

library = find_library(Path(sys.argv[1]))
subprocess.run(sys.argv[2:], check=True)
with memory_policy(MemoryPolicy(Mode.BIND, (0,)), library):
    subprocess.run(sys.argv[2:], check=True)
try:
    with memory_policy(MemoryPolicy(Mode.BIND, (1000,)), library):
        pass
except StreamgageError as error:
    print(error, file=sys.stderr)
subprocess.run(sys.argv[2:], check=True)
"""


def test_a_policy_is_the_programs_alone_and_a_refused_one_is_one_sentence(
    engine: Path, built: Path, tmp_path: Path
) -> None:
    run = subprocess.run(
        [sys.executable, "-c", REFUSED, engine, built / "memory"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    before, inside, after = run.stdout.splitlines()
    assert (inside, after) == ("2 0", before)
    assert run.stderr.startswith("The system refused memory of node 1000 only for the program: ")


def test_without_the_option_the_policy_is_as_inherited(
    engine: Path, built: Path, tmp_path: Path
) -> None:
    inherited = subprocess.run([built / "memory"], capture_output=True, text=True, check=True)
    run = pin(engine, tmp_path, "N:0", "--", built / "memory")
    assert (run.returncode, run.stdout) == (0, inherited.stdout)


def test_the_report_tells_where_threads_ran(
    engine: Path, built: Path, tmp_path: Path, place: tuple[str, list[int]]
) -> None:
    expression, cpus = place
    report = tmp_path / "report"
    program = [built / "threads", "posix", "1"]
    run = pin(engine, tmp_path, expression, "--allow-oversubscribe", "-o", report, "--", *program)
    assert (run.returncode, run.stderr) == (0, "")
    lines = report.read_text().splitlines()
    assert lines[0] == f"{expression}: {','.join(map(str, cpus))}"
    last = lines[-1].split()
    assert last == ["1", *[str(cpus[-1])] * 4, "threads"]


def test_the_report_tells_of_each_process_once_and_of_its_threads_in_order(
    engine: Path, built: Path, tmp_path: Path
) -> None:
    report = tmp_path / "report"
    threads = [built / "threads", "posix", "9"]
    program = [built / "children", *threads]
    run = pin(engine, tmp_path, "N", "--allow-oversubscribe", "-o", report, "--", *program)
    assert (run.returncode, run.stderr) == (0, "")
    lines = report.read_text().splitlines()
    assert len({line for line in lines if line.startswith("process ")}) == 2
    numbers = [line.split()[0] for line in lines if line.endswith((" threads", " children"))]
    assert sorted(numbers) == sorted([*"01", *"0123456789"])
    assert "".join(numbers).endswith("0123456789")


@pytest.mark.parametrize(("how", "status"), [("exit", 6), ("detach", 5), ("crash", 139)])
def test_the_status_of_the_program_is_passed_on(
    engine: Path, built: Path, tmp_path: Path, how: str, status: int
) -> None:
    run = pin(engine, tmp_path, "N", "-v", "--allow-oversubscribe", "--", built / "leaves", how)
    assert run.returncode == status
    assert len(re.findall(r"^ +[01] .*leaves$", run.stderr, re.MULTILINE)) == 2


def test_a_program_that_is_not_there_ends_as_in_a_shell(engine: Path, tmp_path: Path) -> None:
    run = pin(engine, tmp_path, "N", "--", "./no-such-program")
    assert run.returncode == 127
    assert "./no-such-program was not found" in one_sentence(run.stderr)


def test_a_program_without_a_name_ends_as_in_a_shell(engine: Path, tmp_path: Path) -> None:
    run = pin(engine, tmp_path, "N", "--", "")
    assert run.returncode == 2
    assert "The argument program is empty" in one_sentence(run.stderr)


def test_what_is_no_program_ends_as_in_a_shell(engine: Path, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("not a program\n")
    run = pin(engine, tmp_path, "N", "--", "./text")
    assert run.returncode == 126
    assert "./text cannot be run" in one_sentence(run.stderr)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGUSR1])
def test_signals_reach_the_program(engine: Path, tmp_path: Path, number: signal.Signals) -> None:
    process = subprocess.Popen(
        command("pin", "N", "--", "sh", "-c", "echo ready; exec sleep 600"),
        cwd=tmp_path,
        env=environment(tmp_path, engine),
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        os.kill(process.pid, number)
        assert process.wait(WAIT_SECONDS) == 128 + number


def test_a_program_is_waited_for_where_the_ends_of_processes_are_ignored(
    engine: Path, tmp_path: Path
) -> None:
    ignoring = ["bash", "-c", 'trap "" CHLD; exec "$@"', "bash"]  # dash does not pass that on
    run = subprocess.run(
        [*ignoring, *command("pin", "N", "--", "sh", "-c", "exit 3")],
        cwd=tmp_path,
        env=environment(tmp_path, engine),
        capture_output=True,
        text=True,
        timeout=WAIT_SECONDS,
        check=False,
    )
    assert (run.returncode, run.stderr) == (3, "")


def test_the_library_that_is_named_must_be_there(engine: Path, tmp_path: Path) -> None:
    run = pin(engine, tmp_path, "N", "--", "true", STREAMGAGE_PIN_LIBRARY="/nowhere/x.so")
    assert run.returncode == 1
    assert "/nowhere/x.so, which is not a file" in one_sentence(run.stderr)


def test_a_topology_that_is_asked_for_is_shown(engine: Path, tmp_path: Path) -> None:
    run = pin(engine, tmp_path, "E:N:4:2:4", "--show", HWLOC_SYNTHETIC=TOPOLOGY_A)
    assert (run.returncode, run.stderr) == (0, "")
    note = " HWLOC_* variables replace this machine's topology by this one.\n"
    assert run.stdout.endswith(note)
    approved("pin-strided.txt", run.stdout.removesuffix(note))


def test_nothing_runs_on_a_topology_that_is_asked_for(engine: Path, tmp_path: Path) -> None:
    run = pin(engine, tmp_path, "N", "--", "true", HWLOC_SYNTHETIC=TOPOLOGY_A)
    assert run.returncode == 2
    assert "nothing can run on another machine" in one_sentence(run.stderr)


def test_a_mistake_is_told_with_the_cpus_that_there_are(engine: Path, tmp_path: Path) -> None:
    run = pin(engine, tmp_path, "S0:0-9", "--show", HWLOC_SYNTHETIC=TOPOLOGY_A)
    assert (run.returncode, run.stdout) == (2, "")
    assert one_sentence(run.stderr) == (
        "S0:0-9 asks for 10 CPUs, but socket 0 has 8: 0,1,2,3,8,9,10,11. Use S0:0-7, or add"
        " --allow-oversubscribe."
    )


def test_a_measurement_is_told_of_it_alike(engine: Path, tmp_path: Path) -> None:
    run = streamgage("measure", "--cpus", "N:0-65000", folder=tmp_path, engine=engine)
    assert (run.returncode, run.stdout) == (2, "")
    assert "N:0-65000 asks for 65001 CPUs, but the node has" in one_sentence(run.stderr)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["N"], "give either --show, or -- and a command"),
        (["N", "--show", "--", "true"], "give either --show, or -- and a command"),
        (["", "--show"], "The argument expression is empty"),
        (["-1", "--show"], ""),
        (["foo", "--show"], "'foo' is not a domain"),
        (["N", "--skip", "x", "--", "true"], "--skip 'x' does not name threads"),
    ],
)
def test_bad_usage_is_one_sentence(
    engine: Path, tmp_path: Path, arguments: list[str], words: str
) -> None:
    run = pin(engine, tmp_path, *arguments)
    assert (run.returncode, run.stdout) == (2, "")
    assert words in one_sentence(run.stderr)


def test_a_run_is_measured_on_the_cpus_of_an_expression(
    few: Path, tmp_path: Path, place: tuple[str, list[int]]
) -> None:
    expression, cpus = place
    kept = tmp_path / "run.jsonl"
    small = ["--size", "1MiB", "--kernels", "copy", "--no-tune", "--quick"]
    run = streamgage(
        *["measure", "--cpus", expression, *small, "--records", str(kept)],
        folder=tmp_path,
        engine=few,
    )
    assert run.returncode == 0, run.stderr
    records = [json.loads(line) for line in kept.read_text().splitlines()]
    plan = next(each for each in records if each["record"] == "plan")
    assert (plan["expression"], plan["cpus"]) == (expression, cpus)
    bound = next(each for each in records if each["record"] == "placement")["threads"]
    assert [thread["cpu"] for thread in bound] == cpus
