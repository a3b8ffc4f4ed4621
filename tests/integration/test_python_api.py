"""Measuring from Python, by the real engine in sizes that are quick."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from example_own_kernels import CHECK
from example_records import END, MACHINE, as_lines, good_records
from in_process import FEW, measure_in
from programs import FRONT_LISTENS, REPOSITORY, misbehaving_engine, streamgage
from store_results import kept_entries

import streamgage as sg

MEASURE: dict[str, Any] = FEW
SMALL: dict[str, Any] = {"size": "4MiB", "quick": True, "threads": 1}
STENCIL = REPOSITORY / "examples" / "kernels" / "stencil.c"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that this process measures in."""
    measure_in(tmp_path, monkeypatch)
    return tmp_path


def test_a_run_is_kept_and_shown_as_the_command_shows_it(here: Path) -> None:
    run = sg.measure(**MEASURE)
    assert (run.number, run.name, run.exit_status, run.failure) == (1, "run 1", 0, None)
    assert [each.kernel for each in run.document.kernels] == ["copy", "triad"]
    assert run.rates.column("valid") == [True, True]
    shown = streamgage("show", folder=here)
    assert shown.stdout == run.table()
    again = sg.load(1)
    assert again.to_json() == run.to_json()
    assert again.number == 1 and again.kind == "measure"
    assert list(run.result().files) == list(again.result().files) != []


def test_options_are_those_of_python(here: Path) -> None:
    run = sg.measure(
        kernels=("triad",),
        stores=["plain", "regular"],
        size=4 << 20,
        threads=1,
        type="float",
        seed=7,
        peak=100.0,
        quick=True,
        no_tune=True,
        store=None,
        records=here / "run.jsonl",
    )
    assert {(row["store"], row["type"], row["threads"]) for row in run.rates} == {
        ("plain", "float", 1),
        ("regular", "float", 1),
    }
    assert run.peak is not None and (run.peak.gbps, run.peak.source) == (100.0, "given")
    assert run.number is None and kept_entries(here) == []
    assert sg.load(here / "run.jsonl", peak="100").to_json() == run.to_json()
    cpus = sorted(os.sched_getaffinity(0))[:1]
    assert sg.measure(**MEASURE, cpus=cpus).document.kernels[0].threads == 1


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"kernels": ["song"]}, "song"),
        ({"quick": True, "thorough": True}, "--quick and --thorough exclude each other"),
        ({"threads": 0}, "--threads 0 is not a whole number"),
        ({"size": -1}, "--size -1 is negative"),
        ({"cpus": [8000]}, "8000"),
        ({"launcher": "slurm"}, "--launcher is for MPI ranks"),
        ({"store": "."}, ". is a folder, not a store"),
    ],
)
@pytest.mark.usefixtures("here")
def test_what_cannot_be_met_is_one_sentence(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(sg.UsageError) as refused:
        sg.measure(**{**MEASURE, **options})
    assert sentence in str(refused.value)
    assert len(str(refused.value).splitlines()) == 1


def test_a_kernel_of_ones_own_is_measured(here: Path) -> None:
    run = sg.measure(kernel_file=STENCIL, cc="gcc -O2", kernels="triad", size="4MiB", quick=True)
    assert len(set(run.rates.column("kernel")) - {"triad"}) == 1


@pytest.mark.parametrize(
    "measured",
    [
        lambda file: sg.measure(kernel_file=file, size="4MiB", quick=True),
        lambda file: sg.scale([1], kernel_file=file, size="4MiB", quick=True, rounds=1),
        lambda file: sg.ladder(kernel_file=file, to="1MiB", quick=True, rounds=1),
    ],
    ids=["measure", "scale", "ladder"],
)
def test_where_no_kernel_is_left_nothing_is_measured_and_nothing_kept(
    here: Path, measured: Callable[[Path], object]
) -> None:
    (here / "broken.c").write_text("this is no C\n")
    why = r"No kernel of your own is left, so nothing was measured\. .*broken\.c does not compile"
    with pytest.raises(sg.NothingMeasuredError, match=why) as failed:
        measured(here / "broken.c")
    assert failed.value.exit_status == 1
    [note] = failed.value.ending.notes
    assert note.startswith("Left out: ") and "broken.c does not compile" in note
    assert kept_entries(here) == []


def test_where_no_kernel_is_left_others_that_were_named_are_measured(here: Path) -> None:
    (here / "broken.c").write_text("this is no C\n")
    run = sg.measure(kernel_file=here / "broken.c", kernels="copy", stores="plain", **SMALL)
    assert (run.rates.column("kernel"), run.exit_status) == (["copy"], 1)
    assert run.findings[0].code == "kernel-failed"


@pytest.mark.parametrize("status", [130, 143])
@pytest.mark.parametrize(
    "called",
    [
        lambda: sg.measure(kernel_file=STENCIL),
        lambda: sg.ladder(kernel_file=STENCIL),
        lambda: sg.check_kernels(STENCIL),
        lambda: sg.compilers(kernel_file=STENCIL, cc="gcc -O2"),
    ],
    ids=["measure", "ladder", "check", "compilers"],
)
def test_a_check_that_is_stopped_ends_as_a_measurement_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, called: Callable[[], object], status: int
) -> None:
    engine = misbehaving_engine(tmp_path, f"cat >/dev/null; exit {status}")
    measure_in(tmp_path, monkeypatch, engine)
    with pytest.raises(sg.MeasurementInterrupt) as stopped:
        called()
    assert (stopped.value.run, stopped.value.ending.exit_status) == (None, status)
    assert kept_entries(tmp_path) == []


@pytest.mark.parametrize("called", [sg.check_kernels, lambda file: sg.measure(kernel_file=file)])
def test_ctrl_c_while_kernels_are_checked_is_not_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, called: Callable[[Path], object]
) -> None:
    (tmp_path / "lines").write_bytes(as_lines([MACHINE, CHECK, END]))
    send = f"{FRONT_LISTENS}; kill -INT $PPID; sleep 1"
    body = f"trap '' INT; cat >/dev/null; {send}; cat {tmp_path}/lines"
    measure_in(tmp_path, monkeypatch, misbehaving_engine(tmp_path, body))
    with pytest.raises(sg.MeasurementInterrupt) as stopped:
        called(STENCIL)
    assert stopped.value.ending.exit_status == 130


@pytest.mark.parametrize("check", [["--check"], []])
def test_a_command_whose_check_is_stopped_has_the_status_of_the_signal(
    tmp_path: Path, check: list[str]
) -> None:
    engine = misbehaving_engine(tmp_path, "cat >/dev/null; exit 143")
    run = streamgage("measure", *check, "--kernel-file", STENCIL, folder=tmp_path, engine=engine)
    assert (run.returncode, run.stdout) == (143, "")
    assert run.stderr == "streamgage: The check of the kernels was stopped.\n"


def test_a_kernel_that_ends_the_process_is_told_as_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measure_in(tmp_path, monkeypatch, misbehaving_engine(tmp_path, "cat >/dev/null; exit 0"))
    [failed] = sg.check_kernels(STENCIL).failures
    assert failed.message.endswith("checked it: the kernel ended the process (exit status 0).")


def test_kernels_of_ones_own_are_checked_alone(here: Path) -> None:
    (here / "broken.c").write_text("this is no C\n")
    found = sg.check_kernels([STENCIL, here / "broken.c"], cc="gcc -O2", threads=1, size="4MiB")
    assert (found.passed, found.exit_status) == (False, 1)
    [passed], [failed] = found.checks, found.failures
    assert "guard-pages" in passed.checked and passed.source == str(STENCIL)
    assert (failed.source, failed.reason) == (str(here / "broken.c"), "compile")
    assert found.notes == (f"Left out: {failed.message}",)
    assert f" {passed.kernel} ({STENCIL}) passed, over " in found.table() == str(found)
    files = ["--kernel-file", STENCIL, "--kernel-file", here / "broken.c"]
    options = ["--cc", "gcc -O2", "--threads", "1", "--size", "4MiB", "--format", "json"]
    command = streamgage("measure", "--check", *files, *options, folder=here)
    assert (command.returncode, command.stdout) == (1, found.to_json())
    assert sg.check_kernels(STENCIL).passed
    assert kept_entries(here) == []


@pytest.mark.parametrize(
    ("files", "options", "sentence"),
    [
        ([], {}, "There is no kernel to check"),
        ("none.c", {}, "none.c"),
        (STENCIL, {"kernel_timeout": 0}, "--kernel-timeout 0 is not a number of seconds"),
        (STENCIL, {"type": "int"}, "--type 'int' is not known"),
    ],
)
@pytest.mark.usefixtures("here")
def test_what_cannot_be_checked_is_refused(
    files: list[str] | str | Path, options: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(sg.UsageError, match=sentence):
        sg.check_kernels(files, **options)


def test_compilers_are_compared_and_their_machine_code_is_there(here: Path) -> None:
    few: dict[str, Any] = {"size": "2MB", "quick": True, "rounds": 1, "seed": 3}
    run = sg.compilers(cc=["gcc -O1", "gcc -O3"], kernels="triad", asm="triad", **few)
    names = ["streamgage's own", "gcc -O1", "gcc -O3"]
    assert [each.name for each in run.document.compilations] == names
    assert run.rates.column("kernel") == ["triad"] * 3
    assert list(run.listings) == names[1:] and run.listings["gcc -O1"].words() == "scalar"
    again = sg.load(1)
    assert isinstance(again, sg.CompilersRun) and again.listings == {}
    assert (again.kind, again.to_json()) == ("compilers", run.to_json())
    assert again.conclusions == run.conclusions
    assert streamgage("show", folder=here).stdout == run.table()
    own = sg.compilers(kernel_file=STENCIL, cc="gcc -O2", **few)
    assert [each.name for each in own.document.compilations] == ["gcc -O2"]
    assert own.exit_status == 0 and own.number == 2


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"cc": "gcc -O2", "flags": "-O3"}, "write the flags into --cc"),
        (
            {"kernel_file": STENCIL, "asm": "triad"},
            "`streamgage compilers` measures a --kernel-file by itself",
        ),
        ({"kernel_timeout": 3}, "--kernel-timeout needs --kernel-file"),
        ({"asm": "sum"}, "--asm sum is not one of the measured kernels"),
        ({"rounds": 0}, "--rounds 0 is not a whole number"),
        ({"cc": ["gcc -O2", "gcc -O2"]}, "'gcc -O2' is given twice"),
        ({"openmp": "libsong.so"}, "libsong.so"),
    ],
)
@pytest.mark.usefixtures("here")
def test_compilers_that_cannot_be_compared_are_refused(
    options: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(sg.UsageError, match=sentence):
        sg.compilers(**options)


def test_measuring_leaves_this_process_as_it_was(here: Path) -> None:
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    before = os.getpriority(os.PRIO_PROCESS, 0)
    sg.measure(**MEASURE, store=here / "named.sqlite")
    sg.scale([1], cpus="compact", size="4MiB", rounds=1)
    assert os.getpriority(os.PRIO_PROCESS, 0) == before
    assert {number: signal.getsignal(number) for number in handlers} == handlers
    assert [each.kind for each in sg.history(store=here / "named.sqlite")] == ["measure"]


def test_another_thread_can_measure(here: Path) -> None:
    found: list[sg.Run] = []
    thread = threading.Thread(target=lambda: found.append(sg.measure(**MEASURE)))
    thread.start()
    thread.join()
    assert [run.number for run in found] == [1]
    assert len(kept_entries(here)) == 1


def test_two_runs_are_compared_and_listed(here: Path) -> None:
    runs = [sg.measure(**MEASURE) for _ in range(2)]
    compared = sg.compare(*runs, kernel="triad")
    assert [each.name for each in compared.figures] == ["triad plain"]
    command = streamgage("compare", "1", "2", "--kernel", "triad", folder=here)
    assert command.stdout == compared.table() == sg.compare(1, "last", kernel=["triad"]).table()
    listed = sg.history(most=1)
    assert [each.id for each in listed] == [2] and listed.more
    command = streamgage("history", "--most", "1", "--format", "json", folder=here)
    assert command.stdout == listed.to_json()
    assert listed.load().to_json() == runs[1].to_json()
    assert len(sg.history(most=None, kind="measure").to_pandas()) == 2
    page = sg.report(runs[0], 2, path=here / "page.html").read_text("utf-8")
    assert "run 1" in page and "run 2" in page


@pytest.mark.usefixtures("here")
def test_curves_are_measured(tmp_path: Path) -> None:
    scaling = sg.scale(2, cpus=["compact"], size="4MiB", rounds=1, quick=True)
    assert scaling.rates.column("workers") == ["threads"] * 2
    assert scaling.conclusions and scaling.plots
    ladder = sg.ladder(to="64KiB", steps=1, rounds=1, modes=["sequential"], quick=True)
    assert max(ladder.rates.column("bytes")) <= 64 << 10
    latency = sg.latency(to=64 << 10, steps=1, rounds=1, mixes=[], threads=1)
    assert latency.document.idle and not latency.document.loaded
    repeated = sg.measure(runs=2, cpus=["cores"], kernels="triad", size="4MiB")
    matrix = sg.numa(kernels=["sum"], size="4MiB", quick=True)
    kinds = ["numa", "repeat", "latency", "ladder", "scale"]
    assert [each.kind for each in sg.history()] == kinds
    for run in (scaling, ladder, latency, repeated, matrix):
        assert run.exit_status == 0 and run.partial is None
        assert run.save(tmp_path / f"{run.kind}.png").stat().st_size > 1000
        assert sg.load(run.number or 0).to_json() == run.to_json()


def test_the_environment_is_examined_as_by_the_command(here: Path) -> None:
    found = sg.doctor()
    assert found.exit_status == (0 if found.fit else 1)
    assert found.document.machine is not None and found.verdict in " ".join(str(found).split())
    alone = sg.doctor(counters=True)
    command = streamgage("doctor", "--counters", "--json", folder=here)
    assert (command.returncode, command.stdout) == (alone.exit_status, alone.to_json())


def test_a_prediction_is_made_from_a_scaling_or_from_the_newest_kept(here: Path) -> None:
    with pytest.raises(sg.UsageError, match="No result is stored in"):
        sg.scale(predict=1)
    scaling = sg.scale([1], cpus="compact", size="4MiB", rounds=1)
    found = sg.scale(predict=1, result=scaling)
    assert (found.speedup.value, found.efficiency.value) == (1, 1)
    for again in (sg.scale(predict=1), sg.scale(predict="1", result="last")):
        assert again.to_json() == found.to_json()
    command = streamgage("scale", "--predict", "1", folder=here)
    assert command.stdout == found.table()


def test_a_recording_of_counters_is_shown_as_the_command_shows_it(here: Path) -> None:
    recording = REPOSITORY / "examples" / "two-packages"
    seen = sg.traffic(replay=recording, peak=281.6)
    options = ["--peak", "281.6", "--replay", str(recording)]
    shown = streamgage("traffic", *options, folder=here, COLUMNS="100")
    assert shown.stdout == seen.table()
    assert seen.document.replayed and len(seen.domains) == 2
    assert len(seen.rates) == 2 * len(seen.document.intervals)
    streamgage("traffic", *options, "-o", "t.svg", "--json", "t.json", folder=here)
    assert (here / "t.json").read_text() == seen.to_json()
    assert (here / "t.csv").read_text() == seen.to_csv()
    drawn, _, _ = (here / "t.svg").read_text().partition("<!--")
    assert seen.save(here / "own.svg").read_text().startswith(drawn.rstrip()[:-1])


def test_progress_is_said_on_stderr_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    says = "echo 'streamgage-engine: note: waiting: for another' >&2"
    engine = misbehaving_engine(tmp_path, f"cat >/dev/null; {says}; cat {tmp_path}/lines")
    (tmp_path / "lines").write_bytes(as_lines(good_records()))
    measure_in(tmp_path, monkeypatch, engine)
    quiet = sg.measure(**MEASURE, progress=False)
    assert capsys.readouterr() == ("", "")
    assert sg.measure(**MEASURE).notes == quiet.notes == ("waiting: for another",)
    assert capsys.readouterr() == ("", "streamgage: waiting: for another\n")


def test_a_failure_before_anything_was_measured_is_raised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = misbehaving_engine(tmp_path, "cat >/dev/null; echo oops >&2; exit 1")
    measure_in(tmp_path, monkeypatch, engine)
    with pytest.raises(sg.NothingMeasuredError, match="oops") as failed:
        sg.measure(**MEASURE)
    assert failed.value.exit_status == failed.value.ending.exit_status == 1


def test_a_failure_after_that_is_returned_with_what_there_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = misbehaving_engine(tmp_path, f"cat >/dev/null; cat {tmp_path}/lines; kill -SEGV $$")
    (tmp_path / "lines").write_bytes(as_lines(good_records()[:-1]))
    measure_in(tmp_path, monkeypatch, engine)
    run = sg.measure(**MEASURE)
    assert run.exit_status == 1 and "SIGSEGV" in str(run.failure)
    assert run.partial is not None and len(run.samples) > 0


def test_ctrl_c_raises_what_was_measured_until_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lines").write_bytes(as_lines(good_records()[:-1]))
    send = f"{FRONT_LISTENS}\nkill -INT $PPID\nsleep 1000 >&- 2>&- & wait"
    body = f"trap 'exit 130' INT\ncat {tmp_path}/lines\n{send}"
    measure_in(tmp_path, monkeypatch, misbehaving_engine(tmp_path, body))
    with pytest.raises(KeyboardInterrupt) as stopped:
        sg.measure(**MEASURE)
    assert isinstance(stopped.value, sg.MeasurementInterrupt)
    assert stopped.value.ending.exit_status == 130
    run = stopped.value.run
    assert run is not None and run.partial is not None
    assert "unfinished" in [each.code for each in run.findings]
    assert sg.load("last").to_json() == run.to_json()
