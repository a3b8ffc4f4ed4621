"""``streamgage scale``, with engines that tell made records and with the real one."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from example_records import as_lines
from example_scale import equal_shares, machine_of, places_of, point_records
from programs import WAIT_SECONDS, misbehaving_engine, one_sentence, start_streamgage, streamgage
from store_results import kept_files

from streamgage.analysis.cores import order_of
from streamgage.records import Machine

COUNT = "echo x >> turns; n=$(wc -l < turns); cat > plan-$n\n"
"""Shell: the number of this run, and its plan in a file."""
THREADS = "threads=$(grep -o '\"threads\":[0-9]*' plan-$n | grep -o '[0-9]*$')\n"
"""Shell: the threads of the plan."""


def engine_of(folder: Path, machine: Machine, body: str = ":") -> Path:
    """An engine of that machine, which tells a good run of as many threads as are asked for."""
    order = order_of("compact", machine)
    for n in range(1, len(order) + 1):
        places = places_of(machine, order[:n])
        records = point_records(machine, places, equal_shares(places))
        (folder / f"lines-{n}").write_bytes(as_lines(records))
    (folder / "machine").write_bytes(as_lines([machine]))
    return misbehaving_engine(
        folder,
        f"{COUNT}{THREADS}{body}\ncat {folder}/lines-$threads",
        machine=f"cat '{folder}/machine'",
    )


def plans_in(folder: Path) -> list[dict[str, Any]]:
    numbers = range(1, 1 + len(list(folder.glob("plan-*"))))
    return [json.loads((folder / f"plan-{each}").read_bytes()) for each in numbers]


def test_every_point_is_a_process_and_all_have_the_same_arrays(tmp_path: Path) -> None:
    engine = engine_of(tmp_path, machine_of(2, 2))
    options = ["--format", "json", "--rounds", "2"]
    run = streamgage("scale", *options, folder=tmp_path, engine=engine)
    assert run.returncode == 0, run.stderr
    document = json.loads(run.stdout)
    assert [each["name"] for each in document["placements"]] == ["compact", "scatter", "none"]
    assert len(document["runs"]) == 2 * 3 * 4
    sizing, *plans = plans_in(tmp_path)
    assert (sizing["array_bytes"], sizing["sampling"]["max_samples"]) == (None, 1)
    assert sizing["placement"]["threads"] == 4
    assert {plan["array_bytes"] for plan in plans} == {64 << 20}  # as the first run found
    asked = {tuple(plan["placement"]["cpus"] or ()) for plan in plans}
    assert asked == {(), (0,), (0, 1), (0, 1, 2), (0, 1, 2, 3), (0, 2), (0, 2, 1), (0, 2, 1, 3)}
    assert not any(plan["checks"] or plan["counters"] or plan["tuning"] for plan in plans)
    assert "To see this again: streamgage show 1" in run.stderr
    files = {each["records"] for each in document["runs"]}
    assert len(files) == 24 and {*files, "scale.json"} == kept_files(tmp_path).keys()


def test_the_order_of_the_points_is_mixed_and_its_seed_repeats_it(tmp_path: Path) -> None:
    engine = engine_of(tmp_path, machine_of(1, 4))

    def order(seed: str) -> list[tuple[str, int]]:
        options = ["--format", "json", "--seed", seed, "--size", "1MB"]
        run = streamgage("scale", *options, folder=tmp_path, engine=engine)
        return [(each["placement"], each["n"]) for each in json.loads(run.stdout)["runs"]]

    first, again, other = order("1"), order("1"), order("2")
    assert first == again != other
    assert sorted(first) == sorted(other)


def test_placements_that_are_the_same_here_are_measured_once(tmp_path: Path) -> None:
    engine = engine_of(tmp_path, machine_of(1, 2))
    options = ["--cpus", "compact,scatter", "--size", "1MB"]
    run = streamgage("scale", *options, folder=tmp_path, engine=engine)
    assert run.returncode == 0, run.stderr
    assert len(plans_in(tmp_path)) == 3 * 2
    said = " ".join(run.stdout.split())
    assert "scatter uses the same CPUs in the same order as compact here" in said


def test_openmp_binds_by_itself_where_it_is_asked_to(tmp_path: Path) -> None:
    body = 'echo "$OMP_PROC_BIND $OMP_PLACES" >> bind'
    engine = engine_of(tmp_path, machine_of(1, 2), body)
    options = ["2-2", "--cpus", "omp-close,omp-spread,compact", "--rounds", "1"]
    run = streamgage("scale", *options, "--size", "1MB", folder=tmp_path, engine=engine)
    assert run.returncode == 0, run.stderr
    assert sorted((tmp_path / "bind").read_text().splitlines()) == [
        " ",
        "close cores",
        "spread cores",
    ]
    kinds = sorted(plan["placement"]["kind"] for plan in plans_in(tmp_path))
    assert kinds == ["cpus", "none", "none"]


def test_each_domain_is_a_curve_of_its_own(tmp_path: Path) -> None:
    machine = machine_of(2, 2)
    expansion = {
        "record": "expansion",
        "this_system": True,
        "online_cpus": "0-3",
        "allowed": [],
    }
    for number, cpus in enumerate(([0, 1], [2, 3])):
        expanded = expansion | {"expression": f"M{number}", "cpus": cpus}
        (tmp_path / f"expansion-M{number}").write_text(json.dumps(expanded) + "\n")
    engine = engine_of(tmp_path, machine)
    text = engine.read_text()
    head, rest = text.split("\n", 1)
    expand = 'case "$1" in --expand=*) cat "expansion-${1#--expand=}"; exit;; esac'
    engine.write_text(f"{head}\n{expand}\n{rest}")
    options = ["--cpus", "domains", "--format", "json", "--size", "1MB", "--rounds", "1"]
    run = streamgage("scale", *options, folder=tmp_path, engine=engine)
    assert run.returncode == 0, run.stderr
    assert [each["name"] for each in json.loads(run.stdout)["placements"]] == ["M0", "M1"]
    asked = sorted(plan["placement"]["cpus"] for plan in plans_in(tmp_path))
    assert asked == [[0], [0, 1], [2], [2, 3]]


def test_a_point_that_fails_is_a_gap_with_its_reason(tmp_path: Path) -> None:
    body = 'if test "$threads" = 3; then echo "It broke." >&2; exit 1; fi'
    engine = engine_of(tmp_path, machine_of(1, 4), body)
    options = ["--cpus", "compact", "--rounds", "2", "--size", "1MB"]
    run = streamgage("scale", *options, "--format", "dat", folder=tmp_path, engine=engine)
    assert run.returncode == 1
    rows = [line.split() for line in run.stdout.splitlines() if not line.startswith("#")]
    assert [row[0] for row in rows] == ["1", "2", "3", "4"]
    assert [set(row[1:]) == {"NaN"} for row in rows] == [False, False, True, False]
    assert run.stderr.count("is left out: It broke.") == 2
    shown = streamgage("scale", *options, folder=tmp_path, engine=engine)
    assert shown.returncode == 1
    said = " ".join(shown.stdout.split())
    assert "compact with 3 threads (round 1); compact with 3 threads (round 2): It broke." in said


@pytest.mark.parametrize("status", [1, 2])
def test_what_every_point_fails_of_is_told_once(tmp_path: Path, status: int) -> None:
    engine = engine_of(tmp_path, machine_of(1, 2), f"echo 'Broken.' >&2; exit {status}")
    for size in ([], ["--size", "1MB"]):
        run = streamgage("scale", *size, folder=tmp_path, engine=engine)
        assert (run.returncode, run.stdout) == (status, "")
        assert run.stderr.splitlines()[-1] == "streamgage: Broken."
        assert run.stderr.count("Broken.") == 1


def test_a_signal_shows_the_points_that_were_measured_until_then(tmp_path: Path) -> None:
    body = f'if test "$n" = 4; then touch {tmp_path}/fourth; exec sleep 1000; fi'
    engine = engine_of(tmp_path, machine_of(1, 4), body)
    options = ["--format", "json", "--size", "1MB", "--cpus", "compact"]
    run = start_streamgage("scale", *options, folder=tmp_path, engine=engine)
    wait_for(tmp_path / "fourth", run)
    run.send_signal(signal.SIGINT)
    out, said = run.communicate(timeout=WAIT_SECONDS)
    assert run.returncode == 130, said
    failures = [each["failure"] for each in json.loads(out)["runs"]]
    assert failures == [None, None, None, "It was stopped."]
    assert "Traceback" not in said


def test_a_signal_while_the_size_is_sought_ends_it(tmp_path: Path) -> None:
    ending = (
        'sed \'s/"reason":"complete"/"reason":"interrupted"/;s/"exit_status":0/"exit_status":130/\''
    )
    body = f"{ending} {tmp_path}/lines-$threads; exit 130"
    engine = engine_of(tmp_path, machine_of(1, 2), body)
    run = streamgage("scale", folder=tmp_path, engine=engine)
    assert (run.returncode, run.stdout) == (130, "")
    assert "the size of the arrays was stopped" in run.stderr
    assert len(plans_in(tmp_path)) == 1


def wait_for(file: Path, run: subprocess.Popen[str]) -> None:
    end = time.monotonic() + WAIT_SECONDS
    while not file.exists():
        assert run.poll() is None and time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.parametrize("suffix", ["svg", "png"])
def test_a_picture_has_its_data_beside_it(tmp_path: Path, suffix: str) -> None:
    engine = engine_of(tmp_path, machine_of(1, 2))
    options = ["--size", "1MB", "-o", f"curves.{suffix}"]
    run = streamgage("scale", *options, folder=tmp_path, engine=engine)
    assert run.returncode == 0, run.stderr
    assert "triad plain" in run.stdout
    content = (tmp_path / f"curves.{suffix}").read_bytes()
    assert content.startswith(b"<?xml" if suffix == "svg" else b"\x89PNG")
    assert (tmp_path / "curves.dat").read_text().startswith("# streamgage scale: GB/s")


@pytest.mark.parametrize(
    ("form", "name", "begins"),
    [
        ("json", "x.json", "{"),
        ("csv", "x.csv", "placement,kernel"),
        ("markdown", "x.md", "Example 9000"),
        ("dat", "x.dat", "# streamgage scale"),
    ],
)
def test_other_formats_go_to_the_file(tmp_path: Path, form: str, name: str, begins: str) -> None:
    engine = engine_of(tmp_path, machine_of(1, 2))
    options = ["--size", "1MB", "--format", form, "-o", name]
    run = streamgage("scale", *options, folder=tmp_path, engine=engine)
    assert (run.returncode, run.stdout) == (0, ""), run.stderr
    assert begins in (tmp_path / name).read_text()[:1000]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["5"], "5 threads are asked for, but there are CPUs for 4: ask for at most 4"),
        (["1-2,9"], "9 threads are asked for"),
        (["3-1"], "3-1 is an empty range: write it as 1-3."),
        (["0"], "0 begins with 0 workers"),
        (["x"], "'x', which is neither a number nor a range"),
        (["--rounds", "0"], "--rounds"),
        (["--cpus", ""], "--cpus is empty"),
        (["--cpus", "compact,compact"], "names a placement twice"),
        (["--cpus", "domain"], "omp-spread, launcher, domains, or CPUs such as 0-3,8"),
        (["--cpus", "launcher"], "is for MPI ranks: add --mpi"),
        (["--threads", "2"], "is the number per rank and needs --mpi"),
        (["--hosts", "x"], "--hosts is for MPI ranks"),
        (["--mpi", "--threads", "9"], "A rank of 9 threads does not fit on the 4 CPUs"),
        (["--mpi", "--cpus", "omp-close"], "is for threads of one process"),
        (["--cpus", "mpich:-bind-to core"], "is for MPI ranks: add --mpi"),
        (["--mpi", "--cpus", "openmpi:"], "has no options for the launcher"),
        (["--both", "--mpi"], "--both already includes ranks: leave --mpi out."),
        (["--both", "--threads", "2"], "workers of one thread each: leave --threads out."),
        (["--both", "--cpus", "launcher"], "--cpus names no placement for threads"),
        (["--compilers", "gcc;"], "has an empty entry, or one twice"),
        (["--compilers", "no-such-cc -O2"], "--compilers names no-such-cc, which is not a program"),
        (["--compilers", "own", "--stores", "streaming"], "leave --stores out"),
        (["-o", "x.gif"], "x.gif is no picture"),
        (["-o", "no/where.svg"], "no/where.svg cannot be written"),
        (["--size", "10 parsecs"], "--size '10 parsecs' is not a size"),
        (["--format", "xml"], "--format"),
    ],
)
def test_bad_usage_is_one_sentence(tmp_path: Path, options: list[str], said: str) -> None:
    engine = engine_of(tmp_path, machine_of(1, 4))
    run = streamgage("scale", *options, folder=tmp_path, engine=engine)
    assert (run.returncode, run.stdout) == (2, ""), run.stderr
    assert said in one_sentence(run.stderr)
    assert not list(tmp_path.glob("plan-*"))


def test_a_data_file_that_cannot_be_written_is_told_before_anything_runs(tmp_path: Path) -> None:
    (tmp_path / "curves.dat").mkdir()
    engine = engine_of(tmp_path, machine_of(1, 2))
    run = streamgage("scale", "-o", "curves.svg", folder=tmp_path, engine=engine)
    assert run.returncode == 2
    assert "curves.dat cannot be written" in one_sentence(run.stderr)
    assert not list(tmp_path.glob("plan-*"))


def test_a_scaling_that_was_killed_shows_the_points_that_it_had(tmp_path: Path) -> None:
    engine = engine_of(tmp_path, machine_of(2, 2), "test $n -lt 6 || kill -9 $PPID")
    options = ["--rounds", "1", "--cpus", "compact,scatter", "--label", "night"]
    killed = streamgage("scale", *options, folder=tmp_path, engine=engine)
    assert killed.returncode == -signal.SIGKILL
    shown = streamgage("show", "--format", "json", folder=tmp_path)
    assert shown.returncode == 0, shown.stderr
    document = json.loads(shown.stdout)
    assert (document["interrupted"], document["label"], len(document["runs"])) == (True, "night", 4)
    assert document["trust"]["verdict"] != "quotable"
    page = streamgage("show", folder=tmp_path)
    assert "stopped early" in page.stdout
