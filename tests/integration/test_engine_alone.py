"""The engine without a plan: what it prints on a node that has no Python."""

from __future__ import annotations

import importlib.metadata
import json
import os
import re
import resource
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from golden import approved
from interface_text import of_page
from programs import REPOSITORY, WAIT_SECONDS
from schemas import validator
from test_engine_stops import in_shell, sentence
from test_interruption import wait_until

from streamgage.manual.engine import page
from streamgage.records.node import NodeLine, read_node_lines
from streamgage.results.measure.findings import CHECKS

SEVEN = "init,sum,copy,scale,add,triad,striad"
FOUR = "plain,regular,streaming,libc"
SHORT = ("--seconds", "0.5", "--size", "4MiB")


@pytest.fixture(autouse=True)
def _own_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STREAMGAGE_LOCK", str(tmp_path / "lock"))


def alone(
    engine: Path, *arguments: str, limit: Callable[[], None] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [engine, *arguments], preexec_fn=limit, capture_output=True, text=True,
        timeout=WAIT_SECONDS, check=False,
    )  # fmt: skip


def test_a_table_has_units_and_what_they_mean(engine: Path) -> None:
    run = alone(engine, *SHORT)
    assert (run.returncode, run.stderr) == (0, "")
    assert re.search(r"^kernel +stores +GB/s +95 % interval +best +n +bytes$", run.stdout, re.M)
    rows = re.findall(r"^(\w+) +(plain|streaming) +[0-9.]+ ", run.stdout, re.M)
    kernels = ("sum", "copy", "scale", "add", "triad")
    assert {(kernel, "plain") for kernel in kernels} <= set(rows)
    assert "GB/s is 10^9 bytes per second" in run.stdout
    assert "Warning (below-4x-rule): Each array is 4 MiB" in run.stdout
    # Next to other programs there may be too few samples to quote.
    quoted = re.search(r"^Quote: triad [0-9.]+ GB/s ", run.stdout, re.M)
    assert quoted or "Warning (other-load)" in run.stdout or "Warning (steal)" in run.stdout
    assert all(len(line) <= 80 for line in run.stdout.splitlines())


def test_json_is_one_line_that_fits_its_schema(engine: Path) -> None:
    run = alone(engine, "--json", *SHORT, "--threads", "1")
    assert (run.returncode, run.stderr) == (0, "")
    (line,) = run.stdout.splitlines()
    assert len(run.stdout) <= 4096
    record = json.loads(line)
    validator("node").validate(record)
    problems: list[str] = []
    (node,) = read_node_lines([line.encode()], problems.append)
    assert not problems
    assert isinstance(node, NodeLine)
    known = {field.encode_name for field in msgspec.structs.fields(NodeLine)}
    assert set(record) <= known | {"record"}
    (triad,) = [each for each in node.figures if each.kernel == "triad"]
    assert triad.valid and triad.nominal_bytes == 24
    assert triad.best is not None and 0 < triad.gbps <= triad.best
    assert (node.threads, node.array_bytes, node.bound) == (1, 4 << 20, True)
    assert set(node.warnings) <= {code for code, _ in CHECKS}
    assert "below-4x-rule" in node.warnings


def test_the_options_of_the_engine_are_those_promised(engine: Path) -> None:
    approved("interface/engine.txt", of_page(page(engine)))


def test_the_licences_are_those_of_what_is_inside(engine: Path) -> None:
    run = alone(engine, "--licenses")
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.startswith((REPOSITORY / "LICENSE").read_text("utf-8"))
    parts = {
        "CLI11 (BSD-3-Clause)": "University of Cincinnati",
        "fmt (MIT)": "Victor Zverovich",
        "Highway (Apache-2.0)": "Google LLC",
        "JSON for Modern C++ (MIT)": "Niels Lohmann",
        "tl-expected (CC0-1.0)": " Brand",
        "hwloc (BSD-3-Clause)": "Cisco Systems, Inc.",
        "/usr/share/common-licenses/Apache-2.0": "TERMS AND CONDITIONS FOR USE",
        "/usr/share/common-licenses/CC0-1.0": "Creative Commons",
    }
    for name, holder in parts.items():
        _, _, notice = run.stdout.partition(f"\n{name}\n")
        assert holder in notice, name


def test_the_package_has_the_same_notices(engine: Path) -> None:
    files = importlib.metadata.files("streamgage") or []
    (notices,) = [file for file in files if file.match("*.dist-info/licenses/NOTICES")]
    assert notices.read_text("utf-8") + "\n" == alone(engine, "--licenses").stdout


def test_an_examination_has_each_core_or_says_what_disturbed_it(engine: Path) -> None:
    run = alone(engine, "--examine", "--json", "--kernels", "triad", *SHORT)
    assert run.returncode == 0, run.stderr
    (line,) = read_node_lines(run.stdout.encode().splitlines(), lambda _: None)
    assert isinstance(line, NodeLine)
    numbers = [each.number for each in line.cores]
    assert numbers == sorted(set(numbers))
    assert all(each.gbps > 0 for each in [*line.cores, *line.domains])
    assert line.processor_cores is not None
    assert len(numbers) <= line.processor_cores
    assert numbers or "they have no figures" in run.stderr


def test_what_is_asked_for_is_measured(engine: Path) -> None:
    run = alone(
        engine, "--json", *SHORT, "--kernels", "copy,daxpy", "--stores", "regular", "--cpus", "none"
    )
    record = json.loads(run.stdout)
    kernels = [each["kernel"] for each in record["figures"]]
    assert kernels == ["copy regular", "daxpy regular"]
    assert record["bound"] is False and "not-bound" in record["warnings"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--kernels", "quad"], "quad"),
        (["--stores", "x"], "'x'"),
        (["--seconds", "0"], "--seconds must be a number above 0"),
        (["--seconds", "nan"], "--seconds must be a number above 0"),
        (["--seconds", "soon"], "--seconds"),
        (["--threads", "0"], "--threads must be 1 or more"),
        (["--threads", "99999"], "99999"),
        (["--cpus", "99999"], "99999"),
        (["--cpus", "X9:"], "X9"),
        (["--size", "0"], "--size must be above 0"),
        (["--size", "big"], "--size"),
        (["--size", "999TiB"], "not fit into memory"),
        (["--plan", "-", "--seconds", "1"], "--seconds does not work with --plan"),
        (["--json", "--kernels", SEVEN, "--stores", FOUR], "at most 16 figures"),
        (["--table"], "--table"),
    ],
)  # fmt: skip
def test_bad_usage_is_one_sentence(engine: Path, arguments: list[str], words: str) -> None:
    run = alone(engine, *arguments)
    assert (run.returncode, run.stdout) == (2, "")
    assert words in sentence(run)


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("form", [[], ["--json"]], ids=["table", "json"])
def test_a_run_that_is_stopped_shows_what_it_has(
    engine: Path, tmp_path: Path, number: signal.Signals, status: int, form: list[str]
) -> None:
    run = subprocess.Popen(
        [engine, *form, "--seconds", "600", "--size", "64KiB", "--kernels", "sum"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    lock = tmp_path / "lock"
    wait_until(lambda: lock.exists() and lock.read_bytes() != b"", run)
    run.send_signal(number)
    out, said = run.communicate(timeout=WAIT_SECONDS)
    assert run.returncode == status
    assert said in (
        "",  # while the machine was being looked at
        f"streamgage-engine: stopped by signal {number:d} before the first sample: there are no"
        " figures.\n",
        f"streamgage-engine: stopped by signal {number:d}; the figures cover what was measured"
        " until then.\n",
    )
    assert ("figures cover" in said) == bool(out)
    if out:
        assert "unfinished" in out


def little_memory() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (600 << 20, 600 << 20))


def test_memory_that_cannot_be_had_is_one_sentence(engine: Path) -> None:
    few = ("--threads", "1")  # the stacks of many would need all of it
    run = alone(engine, "--size", "300MiB", "--seconds", "0.5", *few, limit=little_memory)
    assert (run.returncode, run.stdout) == (1, "")
    assert "memory" in sentence(run)


def test_a_system_that_is_read_only_is_measured_with_a_note(
    engine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STREAMGAGE_LOCK", "/proc/streamgage.lock")  # not even root writes there
    run = alone(engine, "--json", *SHORT)
    assert (run.returncode, len(run.stdout.splitlines())) == (0, 1)
    assert "the lock /proc/streamgage.lock cannot be used" in sentence(run)


@pytest.mark.parametrize("form", ["", "--json"])
@pytest.mark.parametrize("redirection", [">&-", "1</dev/null"])
def test_a_closed_output_is_noticed_before_anything_is_measured(
    engine: Path, tmp_path: Path, redirection: str, form: str
) -> None:
    run = in_shell(engine, f"--seconds 600 {form}", redirection)
    assert run.returncode == 1
    assert "standard output cannot be written: it is closed" in sentence(run)
    assert not (tmp_path / "lock").exists()


@pytest.mark.parametrize(
    ("words", "status"), [(["--plan", "no-such"], 2), (["--catalogue"], 0), (["--no-such"], 2)]
)
def test_messages_that_nobody_reads_do_not_change_the_status(
    engine: Path, words: list[str], status: int
) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        run = subprocess.run([engine, *words], stdout=subprocess.PIPE, stderr=writer, check=False)
    finally:
        os.close(writer)
    assert run.returncode == status


def test_records_that_nobody_reads_are_one_sentence(engine: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        run = subprocess.run(
            [engine, "--catalogue"], stdout=writer, stderr=subprocess.PIPE, text=True, check=False
        )
    finally:
        os.close(writer)
    assert (run.returncode, sentence(run)) == (
        1,
        "the records cannot be written: Broken pipe; what was written before is kept.",
    )


def test_a_full_disk_is_one_sentence(engine: Path) -> None:
    run = in_shell(engine, " ".join(SHORT), ">/dev/full")
    assert run.returncode == 1
    assert sentence(run) == "standard output cannot be written: No space left on device."


def test_help_says_what_it_does_and_fits_a_terminal(engine: Path) -> None:
    said = alone(engine, "--help").stdout
    assert said.startswith("Measures this node's memory bandwidth and prints a table.\n")
    assert all(len(line) <= 80 for line in said.splitlines())
    for option in ("--json", "--seconds", "--kernels", "--threads", "--cpus", "--size"):
        assert f"\n  {option}" in said
