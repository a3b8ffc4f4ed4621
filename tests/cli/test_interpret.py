"""``streamgage interpret`` as a user runs it."""

from __future__ import annotations

import csv
import io
import json
import subprocess
from pathlib import Path

import pytest
from foreign_outputs import (
    ALL,
    JULIA_HARDWARE,
    LIKWID_BENCH,
    STREAM,
    STREAM_HEADER,
    STREAM_ROWS,
)
from programs import WAIT_SECONDS, command, environment, one_sentence, streamgage
from schemas import validator

LIMIT = 4 << 20


def interpret(folder: Path, text: str, *options: str) -> subprocess.CompletedProcess[str]:
    (folder / "out.txt").write_text(text, "utf-8")
    return streamgage("interpret", "out.txt", *options, folder=folder)


@pytest.mark.parametrize("name", ALL)
def test_every_format_is_shown(tmp_path: Path, name: str) -> None:
    run = interpret(tmp_path, ALL[name])
    assert run.returncode == 0
    assert "Saved output of" in run.stdout
    assert "copy" in run.stdout


def test_the_table_says_whose_figures_these_are(tmp_path: Path) -> None:
    run = interpret(tmp_path, STREAM, "--peak", "844.8", "--llc", "960MiB", "--cores", "96")
    assert run.returncode == 0
    assert run.stderr == ""
    for words in (
        "Saved output of STREAM 5.10 (C) · 1 table · its check passed",
        "96 threads · 96 cores · arrays of 3281 MiB · last-level caches 960 MiB",
        "peak 844.8 GB/s as given",
        "685.0",
        "n = 1 run each",
    ):
        assert words in " ".join(run.stdout.split()).replace("│", " ")


def test_repeated_runs_are_summarised(tmp_path: Path) -> None:
    # A fifth of the runs near 140 GB/s, the others near 80.
    rates = [140.0 + 0.1 * n if n % 5 == 0 else 80.0 + 0.01 * n for n in range(50)]
    text = "".join(STREAM.replace("685041.8", f"{1000 * rate:.1f}") for rate in rates)
    run = interpret(tmp_path, text, "--format", "json")
    document = json.loads(run.stdout)
    validator("measure").validate(document)
    copy = document["kernels"][0]
    spread = copy["spread"]
    assert (copy["kernel"], copy["n"], spread["n"]) == ("copy", 50, 50)
    assert spread["mean_gbps"] == pytest.approx(sum(rates) / 50)
    ordered = sorted(rates)
    assert spread["median_gbps"] == pytest.approx((ordered[24] + ordered[25]) / 2)
    assert (spread["minimum_gbps"], spread["maximum_gbps"]) == pytest.approx(
        (ordered[0], ordered[-1])
    )
    assert [group["share"] for group in spread["modes"]] == pytest.approx([0.2, 0.8])
    assert document["reported"]["tables"] == 50
    table = interpret(tmp_path, text).stdout
    assert "20 % near 142" in table
    assert "n = 50 runs each" in table


def test_formats_for_programs(tmp_path: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(interpret(tmp_path, STREAM, "--format=csv").stdout)))
    assert [row["kernel"] for row in rows] == ["copy", "scale", "add", "triad"]
    assert rows[0]["median_gbps"] == "685.042"
    markdown = interpret(tmp_path, LIKWID_BENCH, "--format", "markdown").stdout
    assert "| copy | regular avx512 | 4 |" in markdown
    written = interpret(tmp_path, STREAM, "-o", "answer.json", "--format", "json")
    assert written.stdout == ""
    assert json.loads((tmp_path / "answer.json").read_text("utf-8"))["machine"] is None


def test_standard_input(tmp_path: Path) -> None:
    run = subprocess.run(
        command("interpret", "-"),
        input=STREAM,
        cwd=tmp_path,
        env=environment(tmp_path, None),
        capture_output=True,
        text=True,
        timeout=WAIT_SECONDS,
        check=False,
    )
    assert run.returncode == 0
    assert "685.0" in run.stdout


def test_narrow_terminals_keep_the_figures(tmp_path: Path) -> None:
    (tmp_path / "out.txt").write_text(STREAM * 3, "utf-8")
    run = streamgage("interpret", "out.txt", folder=tmp_path, COLUMNS="50")
    assert "left out for width" in " ".join(run.stdout.split())
    assert "685.0" in run.stdout


def test_what_was_left_out_is_told(tmp_path: Path) -> None:
    extra = "Fill:          685041.8     0.010067     0.010045     0.010089\n"
    run = interpret(tmp_path, STREAM_HEADER + STREAM_ROWS + extra)
    assert run.returncode == 0
    assert "Fill" in one_sentence(run.stderr)
    counted = interpret(tmp_path, JULIA_HARDWARE)
    assert "already count" in one_sentence(counted.stderr)


def test_options_that_say_other_than_the_file_are_told(tmp_path: Path) -> None:
    run = interpret(tmp_path, STREAM, "--threads", "48")
    assert "tells of 96 threads; --threads 48 is used" in one_sentence(run.stderr)
    assert "48 threads" in run.stdout
    run = interpret(tmp_path, STREAM, "--array-bytes", "1GiB")
    assert "--array-bytes 1024 MiB is used" in one_sentence(run.stderr).replace("1 GiB", "1024 MiB")


def test_a_failed_check_is_shown_and_ends_with_1(tmp_path: Path) -> None:
    run = interpret(tmp_path, STREAM.replace("Solution Validates", "Failed Validation on array"))
    assert run.returncode == 1
    assert "ITS CHECK FAILED" in run.stdout
    assert "685.0" in run.stdout


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--peak", "0"], "--peak '0' is not a number of GB/s above 0"),
        (["--peak", "-5"], "--peak '-5' is not a number of GB/s above 0"),
        (["--peak", "nan"], "--peak 'nan' is not a number of GB/s above 0"),
        (["--peak", "inf"], "--peak 'inf' is not a number of GB/s above 0"),
        (["--peak", "1e9"], "--peak '1e9' is not a number of GB/s above 0"),
        (["--peak", ""], "--peak '' is not a number of GB/s above 0"),
        (["--llc", "0"], "--llc '0' is not a size above 0"),
        (["--llc", "-1"], "--llc '-1' is not a size"),
        (["--llc", "nan"], "--llc 'nan' is not a size"),
        (["--llc", "2TiB"], "--llc 2TiB is more than 1024 GiB"),
        (["--cores", "0"], "--cores '0' is not a whole number from 1"),
        (["--threads", "0"], "--threads '0' is not a whole number from 1"),
        (["--threads", "1.5"], "--threads '1.5' is not a whole number"),
        (["--array-bytes", "0"], "--array-bytes '0' is not a size above 0"),
        (["--array-bytes", "9999TiB"], "no array can have"),
        (["--format", "stream"], "use table, json, csv, "),
        (["--nonsense"], "--nonsense"),
        (["-o", "no/such/folder/x"], "cannot be written"),
    ],
)
def test_options_that_are_refused(tmp_path: Path, options: list[str], words: str) -> None:
    run = interpret(tmp_path, STREAM, *options)
    assert run.returncode == 2
    assert run.stdout == ""
    assert words in one_sentence(run.stderr)


def write_bad_files(folder: Path) -> None:
    (folder / "empty").touch()
    (folder / "folder").mkdir()
    (folder / "binary").write_bytes(b"\x7fELF\x02\x01\x01\x00" + bytes(range(256)) * 20)
    (folder / "prose").write_text("Hello\n" * 1000, "utf-8")
    (folder / "cut").write_text(STREAM[: STREAM.index("Add:")], "utf-8")
    (folder / "nan").write_text(STREAM.replace("685041.8", "nan"), "utf-8")
    (folder / "negative").write_text(STREAM.replace("685041.8", "-685041.8"), "utf-8")
    (folder / "records").write_text('{"record":"machine","schema":1}\n', "utf-8")
    with (folder / "huge").open("wb") as file:
        file.truncate(200 << 20)
    with (folder / "long").open("w", encoding="utf-8") as text:
        text.write(STREAM)
        text.write("launcher: still here\n" * (LIMIT // 20))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("missing", "missing cannot be read: No such file or directory; name a file"),
        ("folder", "folder cannot be read: Is a directory; name a file"),
        ("empty", "empty cannot be interpreted: it is empty"),
        ("binary", "binary holds binary data"),
        ("prose", "name the saved output of STREAM, TheBandwidthBenchmark, BabelStream or likwid"),
        ("cut", "is cut off: it lacks Add, Triad"),
        ("nan", "has 'nan' for a rate"),
        ("negative", "has '-685041.8' for a rate"),
        ("records", "streamgage show FILE"),
        ("huge", "huge is longer than 4 MiB"),
        ("long", "long is longer than 4 MiB"),
        ("/dev/zero", "is longer than 4 MiB"),
        ("/dev/null", "it is empty"),
    ],
)
def test_files_that_are_refused(tmp_path: Path, name: str, words: str) -> None:
    write_bad_files(tmp_path)
    run = streamgage("interpret", name, folder=tmp_path)
    assert run.returncode == 2
    assert run.stdout == ""
    assert words in one_sentence(run.stderr)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    # The memory of a process at address 0, which not even root may read.
    run = streamgage("interpret", "/proc/self/mem", folder=tmp_path)
    assert run.returncode == 2
    assert "/proc/self/mem cannot be read: Input/output error" in one_sentence(run.stderr)


def test_no_file_is_a_sentence(tmp_path: Path) -> None:
    run = streamgage("interpret", folder=tmp_path)
    assert run.returncode == 2
    assert "streamgage interpret --help" in one_sentence(run.stderr)


def test_text_of_windows(tmp_path: Path) -> None:
    (tmp_path / "wide").write_bytes(b"\xff\xfe" + STREAM.replace("\n", "\r\n").encode("utf-16-le"))
    run = streamgage("interpret", "wide", folder=tmp_path)
    assert run.returncode == 0
    assert "685.0" in run.stdout
