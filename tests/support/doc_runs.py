"""Runs command lines of the documentation: what is shortened, prepared and left out."""

from __future__ import annotations

import os
import re
import shlex
import socket
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import msgspec
import preloaded
from doc_lines import shown_file
from example_ladder import machine_of
from example_latency import latency_run
from example_models import write_gguf
from example_records import as_lines, good_records
from example_traffic import SOURCE, of_one
from foreign_outputs import STREAM_28, STREAM_56
from programs import REPOSITORY, real_engine
from short_engine import write_engine
from store_results import keep
from stub_fleet import FEW, stub_fleet

from streamgage.cli.program import command_names
from streamgage.programs.traffic.judge import Limits, Watch, traffic_of
from streamgage.records import AnyRecord, Machine
from streamgage.records.node import FleetRun, as_line
from streamgage.results.latency.judge import judge_latency
from streamgage.show.formats import as_json

WAIT_SECONDS = 600
"""Only so that a hanging line ends; nothing is timed."""
_OF_A_SHELL = frozenset("|&;<>()$`\\*?[]~#=!{}%^\n")
"""Letters by which a line may ask a shell for more than to start a program."""

SHORTER = {
    "streamgage measure": "--size 4MiB --kernels copy,triad",
    "streamgage scale": "--size 4MiB --rounds 1 --quick",
    "streamgage program": "--size 4MiB --rounds 1 --threads 1,2",
    "streamgage program {mpiexec}": "--size 4MiB --rounds 1 --ranks 1,2",
    "streamgage program --petsc": "--size 4MiB --rounds 1 --ranks 1,2 --refine 1",
    "streamgage program --ratio": "--size 4MiB --rounds 1",
    "streamgage program --against": "--size 4MiB --rounds 2",
    "streamgage ladder": "--from 128KiB --to 256KiB --steps 1 --rounds 1",
    "streamgage latency": "--from 128KiB --to 256KiB --steps 1 --rounds 1 --quick --mixes none",
    "streamgage compilers": "--size 4MiB --rounds 1 --kernels triad",
    "streamgage measure --runs": "--size 4MiB --quick --kernels copy,triad",
    "streamgage numa": "--size 4MiB --rounds 1 --kernels sum",
    "streamgage links": "--size 1MiB --rounds 1 --quick",
    "streamgage fleet run": "--deadline 1m -- --seconds 1 --size 4MiB",
    "sbatch": "--wait",
}
"""Options that a command gets at its end, where they win over its own; beside ``short_engine``."""
MODES = {"measure": ("--runs",), "program": ("{mpiexec}", "--petsc", "--ratio", "--against")}
"""Words by which a command takes other options."""
CHOSEN = {"--kernels": ("--kernels", "--kernel-file", "stream"), "--mixes": ("--mixes",)}
"""Options that a line does not get that chooses by one of these, nor a command alone."""

SITE = "postgresql://bench@db.example.org/results"
"""The store of a site on pages; lines find a real one in ``SITE_STORE``."""

INTERRUPTED = "interrupted"
"""A program of the workplace: runs another, and presses Ctrl-C as soon as that is handled."""
INTERRUPTING = """#!{python}
import pathlib, signal, subprocess, sys, time

def handles(pid):
    status = pathlib.Path(f"/proc/{{pid}}/status").read_text()
    caught = int(status.partition("SigCgt:")[2].split()[0], 16)
    return caught >> signal.SIGINT - 1 & 1 and caught >> signal.SIGTERM - 1 & 1

process = subprocess.Popen(sys.argv[1:], process_group=0)
while process.poll() is None and not handles(process.pid):
    time.sleep(0.02)
if process.poll() is None:
    process.send_signal(signal.SIGINT)
sys.exit(process.wait())
"""

REPLACED = (
    # More CPUs than a small machine has.
    (r"S0:0-[37]@S1:0-3", "S0:0@S0:1"),
    (r"S0:0-[378]\b", "S0:0-1"),
    (r"E:N:2:1:2", "E:N:1:1:2"),
    (r"srun -N [0-9]+", "srun -N 1"),
    (r"--mpi (4|16)\b", "--mpi 2"),
    (r"--mpi 2 --threads 8", "--mpi 2 --threads 1"),
    (r"scale (8|1,2,4-64:4)\b", "scale 1,2"),
    (r"--n (4|16)\b", "--n 2"),
    (r"--predict 16", "--predict 2"),
    (r"(--predict .*)--cpus scatter", r"\1--cpus compact"),
    (r"--grid 160", "--grid 20"),
    (r"build/apps/cg --log", "build/apps/cg --grid 20 --log"),
    (r"--lines fleet[.]jsonl", "--lines own.jsonl"),  # the other lines need one of many nodes
    (r"report \*[.]jsonl", "report run*.jsonl"),  # lines of fleets lie in that folder, too
    (r"--sample 100?\b", "--sample 1"),
    (r"--memory-nodes 1", "--memory-nodes 0"),
    (r"--cpus none,cores,0,2", "--cpus none,cores,0,1"),
    # What is the newest depends on the lines before.
    (r"compare last-1 last", "compare 10 11"),
    (r"compare (\S+) last", r"compare \1 11"),
    # Many times over.
    (r"--runs [0-9]+", "--runs 2"),
    (r"sleep 10", "sleep 1"),
    # The machine that tests is busy with that.
    (r" --wait-idle \S+", ""),
    # Compilers and a PETSc that need not be here.
    (r"gcc-13", "gcc"),
    (r"zig cc", "clang-16"),
    # GPUs, whose drivers have tests in tests/integration/test_gpu_drivers.py.
    (r"--device (cuda|hip):0", "--device opencl:0"),
    (r"kernels/triad[.]cu", "kernels/triad.cl"),
    (r"fleet run -- --device gpu", "fleet run"),
    # What a person would end with Ctrl-C, which is said here once it listens.
    (r"^streamgage traffic$", f"{INTERRUPTED} streamgage traffic"),
    (re.escape(SITE), '"$SITE_STORE"'),
    # A folder outside of the one that is worked in.
    (r"/tmp/node7", "node7"),
)
"""Patterns in lines, and what stands in their place here."""

BUILDS = "builds or tests this very source folder, as the tests that now run do"
IDLE = "measures for ten minutes and more on an idle machine; its parts have tests in tests/unit"
REFRAME = "tests/integration/test_reframe_check.py runs the check with such options"
FLEETS = "tests/integration/test_fleets.py measures nodes by this launcher"
CONTAINER = "needs a container runtime and an image"
NOT_RUN = {
    "make measure": BUILDS,
    "make test": BUILDS,
    "make spoiled": IDLE,
    "make coverage": IDLE,
    **dict.fromkeys(
        (
            "cmake -S . -B build/library -DSTREAMGAGE_ENGINE=OFF",
            "cmake --build build/library --parallel",
            "cmake --install build/library --prefix build/prefix",
        ),
        "tests/library does the same",
    ),
    "streamgage fleet run --launcher clush --nodes 'n[1-4]'": FLEETS,
    "make apps": "its programs are built for the tests below, into another folder",
    "likwid-perfctr -m -C 0-3 -g MEM streamgage-engine --plan plan.json": "needs the counters of a"
    " bare machine; tests of the engine see that its regions are marked",
    **dict.fromkeys(
        (
            "reframe -C settings.py -c streamgage_check.py -r --performance-report",
            "reframe -C settings.py -c streamgage_check.py -r -S preset=quick -S kernels=triad",
            "reframe -C settings.py -c streamgage_check.py -r -S threads=8 -S cpus=S0:0-7",
            "reframe -C settings.py -c streamgage_check.py -r -P threads=1,2,4,8",
            "reframe -C settings.py -c streamgage_check.py -r -S executable_opts='--type float'",
            "reframe -C settings.py --system=cluster -c streamgage_check.py -r -n StreamgageCheck",
            "reframe -C settings.py --system=cluster -c streamgage_check.py -r"
            " -n StreamgageCheck --distribute",
            "reframe -C settings.py --system=cluster -c streamgage_check.py -r"
            " -n StreamgageRanksCheck -S ranks=64",
        ),
        REFRAME,
    ),
    "docker run --cpuset-cpus 0-3 IMAGE streamgage measure": CONTAINER,
    "docker run -v /run/lock:/run/lock IMAGE streamgage measure": CONTAINER,
    "streamgage program --petsc 3.26 --server": "needs the PETSc that `make petsc` builds in"
    " some minutes; the same line with Debian's is run",
    "streamgage program --petsc 3.26.1 --server --ranks 1,2 --rounds 13": "the same",
}
"""Lines that are not run, each with its reason."""

ANY_STATUS_OF_DOCTOR = (0, 1)
STATUSES = (
    # Which of two equal programs is the faster one.
    (r"program --against", (0, 1, 3)),
    (r"streamgage doctor", ANY_STATUS_OF_DOCTOR),
    (r"streamgage fleet run|nightly[.]sh", (0, 3)),  # a single node is not judged
    (r"streamgage links$|--device gpu", (0, 2)),  # there need be no GPU
    (r"streamgage fleet judge stream-", (3,)),  # two nodes are too few to judge
    (r"streamgage fleet judge", (1,)),  # some of its nodes are slow
    (r"streamgage check --baseline", (2,)),  # that is of nodes of other hardware
    (
        r"streamgage check|streamgage-engine --check",
        (0, 1, 3),
    ),  # the machine is busy with tests, and has no past
    (r"streamgage traffic(?! --replay)", (0, 1, 130)),  # nothing to count, or Ctrl-C before it
    (r"--cpus S0:0-9", (2,)),
    (r"--strict", (0, 1)),  # arrays are made small for the test
    (r"--fail-below", (0, 1, 3)),  # two runs differ here by more than on a machine at rest
    (r"streamgage compare", (0, 3)),  # noise, or a result without any, may let nothing be said
)
"""Exit statuses other than 0 that lines may have, by a pattern in them."""

NO_ROOM = re.compile(
    r"each load thread needs .* have room for only \d+ of"
    r"|only .* of memory are free.*; measuring latency may use a quarter of that, but needs"
)
"""What lines may say in place of an answer: large caches need more memory than may be free."""
_NEED_MUCH = re.compile(r"streamgage (latency|numa)\b")

SERVER = "pg_ctlcluster"
NEEDS = (
    (
        r"^(SLURM_\w+=\S+ )?(srun|sbatch|salloc)\b|--launcher slurm|fleet run|nightly[.]sh",
        ("slurmd",),
    ),
    (r"--mpi\b|--both\b|mpiexec|\bsalloc\b|program .*--petsc", ("mpiexec.openmpi",)),
    (re.escape(SITE), (SERVER,)),
    (r"zig cc", ("clang-16",)),
    (r"\.f90", ("gfortran",)),
    (r"\.pdf", ("chromium",)),
    (r"--device\b", ("clinfo",)),
)
"""Programs that lines need and `make test` does without, by a pattern in them."""

MADE_MACHINE = "pack:2 core:4 pu:2(indexes=0,8,1,9,2,10,3,11,4,12,5,13,6,14,7,15)"
ON_MADE_MACHINE = ("streamgage pin E:N:4:2:4 --show", "streamgage measure --cpus S0:0-9")
"""Lines whose page says that they were run on that machine."""

KEPT = 15
"""Results in the store before the first line: the pages call some of them by number."""

PROGRAM = """#!/bin/sh
case "$*" in
  *log_view*) exec build/apps/poisson "$@" ;;
esac
echo "solve: 0.25 s, converged"
echo "Time: 0.25"
echo "PASSED"
echo "moved 12.5 GB/s"
exec sleep 0.05
"""
STREAM_LOG = """\
Function    Best Rate MB/s  Avg time     Min time     Max time
Copy:          240600.0     0.133        0.133        0.133
Scale:         175600.0     0.182        0.182        0.182
Add:           186200.0     0.258        0.258        0.258
Triad:         186500.0     0.257        0.257        0.257
"""
DAY = "2026-11-25T12:00:00Z"
PLAN = """{"schema": 1, "kernels": ["copy"], "array_bytes": 4194304,
 "sampling": {"min_samples": 1, "look_every": 1, "max_samples": 2, "budget_seconds": 1}}
"""


@dataclass(frozen=True)
class Workplace:
    """A folder with all that the documentation's lines name, and the programs on its path."""

    folder: Path

    def run(self, line: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """The line as a shell runs it, shortened."""
        command = shortened(line)
        environment = {**self._environment(), **variables}
        words = shlex.split(command)
        if words[0] == "streamgage" and not _OF_A_SHELL & set(command):
            return preloaded.run(words[1:], self.folder, environment, WAIT_SECONDS)
        return subprocess.run(
            # It ends what the line started, too, which would keep the output open.
            ["timeout", "--kill-after=5", str(WAIT_SECONDS), "bash", "-c", command],
            cwd=self.folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )

    def _environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}",
            "HOME": str(self.folder),
            "XDG_STATE_HOME": str(self.folder / "state"),
            "XDG_DATA_HOME": str(self.folder / "data"),
            "XDG_CACHE_HOME": str(self.folder / "cache"),
            "STREAMGAGE_ENGINE": str(self.folder / "bin" / "streamgage-engine"),
            "STREAMGAGE_LOCK": "none",
            "OMPI_ALLOW_RUN_AS_ROOT": "1",
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        }


def make_workplace(folder: Path) -> Workplace:
    """Prepare the folder; some of its files come from runs."""
    tools = folder / "bin"
    tools.mkdir(parents=True)
    write_engine(real_engine(), tools)
    _program(tools / "streamgage", f'#!/bin/sh\nexec {sys.executable} -m streamgage "$@"\n')
    _program(tools / INTERRUPTED, INTERRUPTING.format(python=sys.executable))
    for name in ("program", "solver", "old"):
        _program(folder / name, PROGRAM)
    write_gguf(folder / "model.gguf")
    for log in ("stream.log", "stream-n1.log", "stream-n2.log"):
        (folder / log).write_text(STREAM_LOG)
    (folder / "outputs").mkdir()
    for threads, text in ((28, STREAM_28), (56, STREAM_56)):
        (folder / "outputs" / f"stream-{threads}.txt").write_text(text)
    (folder / "plan.json").write_text(PLAN)
    (folder / "latency.json").write_text(as_json(judge_latency(latency_run(machine_of()))))
    watch = Watch(source=SOURCE, replayed=False, intervals=of_one(1.0, 20.0))
    (folder / "traffic.json").write_text(as_json(traffic_of(watch, Limits())))
    (folder / "program.log").write_text('{"bytes": 8e9, "seconds": 0.5}\n')
    host = socket.gethostname().partition(".")[0]
    (folder / "stopped.jsonl").write_bytes(as_line(FleetRun(nodes=host, time=DAY)))
    with (folder / "fleet.jsonl").open("wb") as lines:
        lines.writelines(stub_fleet(100, 1, FEW).lines)
    (folder / "nodes.txt").write_text("localhost slots=2\n")
    (folder / "job.sh").write_text(
        shown_file(REPOSITORY / "docs" / "how-to" / "slurm.md", "bash").replace(
            "streamgage measure", f"streamgage measure {SHORTER['streamgage measure']}"
        )
    )
    (folder / "nightly.sh").write_text(
        shown_file(REPOSITORY / "docs" / "how-to" / "nightly-check.md", "bash").replace(
            '>"$night.txt"', f'{SHORTER["streamgage fleet run"]} >"$night.txt"'
        )
    )
    (folder / ".venv" / "bin").mkdir(parents=True)
    (folder / ".venv" / "bin" / "activate").write_text("")
    examples = folder / "examples"
    examples.symlink_to(REPOSITORY / "examples")
    store = folder / "data" / "streamgage" / "store.sqlite"
    store.parent.mkdir(parents=True)
    keep(store, *(_run_of(day) for day in range(1, KEPT + 1)))
    keep(folder / "own.sqlite", _run_of(1))
    compared = ("accepted", *("m1", "m2", "m3"), *("t1", "t2", "t3"))
    for day, name in enumerate(compared, KEPT + 1):
        (folder / f"{name}.jsonl").write_bytes(as_lines(_run_of(day)))
    made = Workplace(folder)
    apps = folder / "build" / "apps"
    made_by = (
        f"make -s -C {REPOSITORY / 'apps'} OUT={apps}",
        "lstopo node7.xml",
        "hwloc-gather-topology ./gathered && mkdir node7 && tar -xjf gathered.tar.bz2"
        " --strip-components=1 -C node7",
        "streamgage measure --quick",
        "streamgage measure --records run.jsonl",
        "streamgage scale 1,2 --cpus compact,scatter --format json -o scale.json",
        "cp scale.json scaling.json && mkdir logs",
        "streamgage measure --threads 1 --kernels triad --records logs/stream-1.jsonl",
        "streamgage measure --threads 2 --kernels triad --records logs/stream-2.jsonl",
        "streamgage fleet judge fleet.jsonl --no-store --write-baseline baseline.json;"
        " test -s baseline.json",
        'for n in 1 2; do echo \'{"phase": "solve", "seconds": 1, "count": 1}\''
        " >logs/program-$n.log; done",
    )
    for line in made_by:
        done = made.run(line)
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
    return made


def _run_of(day: int) -> list[AnyRecord]:
    """The records of a good run on a day of its own."""
    return [
        msgspec.structs.replace(each, time=f"2026-01-{day:02}T12:00:00Z")
        if isinstance(each, Machine)
        else each
        for each in good_records()
    ]


def _program(path: Path, text: str) -> None:
    path.write_text(text, "utf-8")
    path.chmod(0o755)


def shortened(line: str) -> str:
    """The line with what is replaced, and with the options that make it short."""
    for pattern, instead in REPLACED:
        line = re.sub(pattern, instead, line)
    call = re.search(r"(^|\s)(streamgage|sbatch)(?=\s|$)(.*)", line)
    if call is None or re.search("--(import|predict)\\b", line):
        return line
    start = call.start(2)
    name = _command(line[start:])
    if name not in SHORTER:
        return line
    shorter = SHORTER[name]
    words = line[start:].split()
    for option, chosen in CHOSEN.items():
        if len(words) <= 2 or any(each in words for each in chosen):
            shorter = re.sub(rf" {option} \S+", "", shorter)
    end = re.search(r"\s(--|>)\s|$", line[start:])
    assert end is not None
    at = start + end.start()
    return f"{line[:at]} {shorter}{line[at:]}"


def _command(line: str) -> str:
    """The name of the command that a line calls, with the program's."""
    words = line.split()
    if words[0] != "streamgage":
        return words[0]
    two = " ".join(words[1:3])
    if two in command_names():
        return f"streamgage {two}"
    one = words[1] if len(words) > 1 else "-"
    name = "measure" if one.startswith("-") else one
    mode = next((each for each in MODES.get(name, ()) if each in words), None)
    return f"streamgage {name}" if mode is None else f"streamgage {name} {mode}"


def allowed_statuses(line: str) -> tuple[int, ...]:
    """Exit statuses with which the line has done what its page says."""
    found = [statuses for pattern, statuses in STATUSES if re.search(pattern, line)]
    return found[0] if found else (0,)


def says_that_there_is_no_room(line: str, stderr: str) -> bool:
    """Return whether this machine has too little memory for the line, and the line says so."""
    sentence = " ".join(stderr.split())
    return _NEED_MUCH.match(line) is not None and NO_ROOM.search(sentence) is not None


def needs(line: str) -> tuple[str, ...]:
    """Programs that only `make check` installs."""
    return tuple(name for pattern, names in NEEDS if re.search(pattern, line) for name in names)


def variables_of(line: str) -> dict[str, str]:
    """The variables for a line whose page says that it was run on another machine."""
    return {"HWLOC_SYNTHETIC": MADE_MACHINE} if line in ON_MADE_MACHINE else {}
