"""``streamgage interpret`` as a user runs it."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
from pathlib import Path

import pytest
from foreign_outputs import (
    ALL,
    BABELSTREAM,
    JULIA_HARDWARE,
    LIKWID_BENCH,
    STREAM,
    STREAM_28,
    STREAM_56,
    STREAM_HEADER,
    STREAM_ROWS,
    THE_BANDWIDTH_BENCHMARK,
    at_rates,
    stream_table,
)
from programs import WAIT_SECONDS, command, environment, one_sentence, streamgage
from schemas import validator

LONG = 6 << 20
"""More than is read as it is."""


def interpret(folder: Path, text: str, *options: str) -> subprocess.CompletedProcess[str]:
    (folder / "out.txt").write_text(text, "utf-8")
    return streamgage("interpret", "out.txt", *options, folder=folder)


@pytest.mark.parametrize("name", ALL)
def test_every_format_is_shown(tmp_path: Path, name: str) -> None:
    run = interpret(tmp_path, ALL[name])
    assert run.returncode == 0
    assert "Saved output of" in run.stdout
    assert re.search("copy|mix-1:1|mix-2:1", run.stdout)


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
    text = "".join(at_rates(STREAM, rate / 685.0418, "Copy") for rate in rates)
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
    assert "| copy regular avx512 | 27.1 |" in markdown
    assert "4 threads" in markdown
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
    assert "names 96 threads; --threads 48 is used" in one_sentence(run.stderr)
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
        (["--peak", ""], "--peak is empty"),
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
    (folder / "records").write_text('{"record":"machine","schema":1}\n', "utf-8")
    with (folder / "huge").open("wb") as file:
        file.truncate(200 << 20)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("missing", "missing cannot be read: No such file or directory; name a file"),
        ("folder", "The folder folder holds no file"),
        ("empty", "empty cannot be interpreted: it is empty"),
        ("binary", "binary holds binary data"),
        ("prose", "name the saved output of BabelStream, "),
        ("records", "streamgage show FILE"),
        ("huge", "huge holds binary data"),
        ("/dev/zero", "it is a device"),
        ("/dev/null", "it is empty"),
    ],
)
def test_files_that_are_refused(tmp_path: Path, name: str, words: str) -> None:
    write_bad_files(tmp_path)
    run = streamgage("interpret", name, folder=tmp_path)
    assert run.returncode == 2
    assert run.stdout == ""
    assert words in one_sentence(run.stderr)


def test_tables_in_a_long_log_are_found_with_their_lines(tmp_path: Path) -> None:
    filler = "launcher: still here, all is well\n" * (LONG // 34)
    text = f"{filler}## first\n\n{STREAM}{filler}## second\n\n{STREAM}{filler}"
    run = interpret(tmp_path, text)
    assert run.returncode == 0
    line = 1 + text[: text.index("Function")].count("\n")
    assert f"first (line {line})" in run.stdout
    assert "second (line" in run.stdout


def test_lines_in_another_encoding_cost_no_table(tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes("M\u00fcnchen\n".encode("latin-1") + STREAM.encode("ascii"))
    run = streamgage("interpret", "latin", folder=tmp_path)
    assert (run.returncode, run.stderr) == (0, "")
    assert "685.0" in run.stdout
    (tmp_path / "wide").write_bytes(STREAM.encode("utf-16-le"))  # without its mark
    assert "685.0" in streamgage("interpret", "wide", folder=tmp_path).stdout
    (tmp_path / "torn").write_bytes(b"\0" * 8 + STREAM.encode("ascii") * 20)
    assert "685.0" in streamgage("interpret", "torn", folder=tmp_path).stdout


def test_a_thousand_tables_are_one_table_of_results(tmp_path: Path) -> None:
    run = interpret(tmp_path, "".join(f"## run {n}\n\n{STREAM}\n" for n in range(1000)))
    assert run.returncode == 0
    assert "run 999 (line" in run.stdout
    assert "Result 1 of" not in run.stdout
    assert "--details shows all 1000 results whole" in run.stdout


def test_headings_tell_results_apart_and_runs_puts_them_together(tmp_path: Path) -> None:
    text = f"[ NPS1 ]\n\n{STREAM}\n[ NPS4 ]\n\n{at_rates(STREAM, 1.03)}"
    apart = interpret(tmp_path, text)
    shown = " ".join(apart.stdout.split())
    assert "1 NPS1 (line 20) 685.0 690.1 723.6 718.8" in shown
    assert re.search(r"2 NPS4 \(line \d+\) 705\.6", shown)
    assert "because their headings differ" in " ".join(apart.stderr.split())
    together = interpret(tmp_path, text, "--together")
    assert "n = 2 runs each" in " ".join(together.stdout.split())
    assert "because of --together" in " ".join(together.stderr.split())


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


def several(folder: Path) -> None:
    """Outputs of one setting with 28, 56 and 96 threads, and files that are something else."""
    (folder / "results").mkdir()
    for name, text in (("s28.txt", STREAM_28), ("s56.txt", STREAM_56), ("s56b.txt", STREAM_56)):
        (folder / "results" / name).write_text(text, "utf-8")


def test_a_folder_of_outputs_is_a_scaling(tmp_path: Path) -> None:
    several(tmp_path)
    run = streamgage("interpret", "results", "--together", folder=tmp_path)
    assert run.returncode == 0
    assert "3 tables count as runs of one scaling, because of --together" in one_sentence(
        run.stderr
    )
    shown = " ".join(run.stdout.split())
    assert "Scaling: 34.9 GB/s (triad, n = 56) WITH CARE" in shown
    assert "Saved output of STREAM 5.10 (C) · 3 tables · its check passed" in shown
    assert "28 20.7" in shown
    document = json.loads(
        streamgage("interpret", "results", "--together", "--format=json", folder=tmp_path).stdout
    )
    validator("scale").validate(document)
    assert (document["kind"], document["reported"]["tool"]) == ("scale", "STREAM")
    assert [each["records"] for each in document["runs"]] == [
        *("results/s28.txt", "results/s56.txt", "results/s56b.txt"),
    ]


def test_two_tables_in_one_stream_are_two_points(tmp_path: Path) -> None:
    run = interpret(tmp_path, STREAM_28 + STREAM_56)
    assert run.returncode == 0
    for rate in ("20.7", "34.9"):  # of 28 threads, and of 56
        assert rate in run.stdout


def test_the_picture_of_a_scaling_has_its_data_next_to_it(tmp_path: Path) -> None:
    several(tmp_path)
    run = streamgage("interpret", "results", "--together", "-o", "x.svg", folder=tmp_path)
    assert run.returncode == 0
    assert "Scaling: 34.9 GB/s" in run.stdout
    assert "Saved output of STREAM" in (tmp_path / "x.svg").read_text("utf-8")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "x.csv").read_text("utf-8"))))
    assert [row["n"] for row in rows if row["kernel"] == "triad"] == ["28", "56"]


def test_files_that_are_no_output_leave_the_others(tmp_path: Path) -> None:
    several(tmp_path)
    (tmp_path / "results" / "notes").write_text("Nothing was running.\n", "utf-8")
    run = streamgage("interpret", "results", "missing", "--together", folder=tmp_path)
    assert run.returncode == 1
    assert "28 20.7" in " ".join(run.stdout.split())
    first, second, _ = (" ".join(part.split()) for part in run.stderr.split("streamgage: ")[1:])
    assert first.startswith("results/notes cannot be interpreted: it holds no table")
    assert second.startswith("missing cannot be read: No such file")
    none = streamgage("interpret", "results/notes", "missing", folder=tmp_path)
    assert (none.returncode, none.stdout) == (2, "")
    assert "None of 2 files can be interpreted" in none.stderr


def test_a_file_that_is_named_twice_counts_once(tmp_path: Path) -> None:
    several(tmp_path)
    (tmp_path / "link").symlink_to("results/s28.txt")
    run = streamgage("interpret", "results/s28.txt", "link", "--format", "json", folder=tmp_path)
    assert "link is the same file as results/s28.txt" in one_sentence(run.stderr)
    assert json.loads(run.stdout)["reported"]["tables"] == 1


def test_other_programs_and_arrays_are_results_of_their_own(tmp_path: Path) -> None:
    several(tmp_path)
    (tmp_path / "tbb.txt").write_text(THE_BANDWIDTH_BENCHMARK, "utf-8")
    given = ("interpret", "results/s28.txt", "results/s56.txt", "tbb.txt")
    run = streamgage(*given, folder=tmp_path)
    assert run.returncode == 0
    assert "These are 2 results" in one_sentence(run.stderr)
    assert "STREAM 5.10 (C), 28 to 56 threads, arrays of 76.3 MiB" in run.stdout
    assert "Result 2 of 2: tbb.txt:9: TheBandwidthBenchmark, 4 threads, arrays of 305" in run.stdout
    documents = json.loads(streamgage(*given, "--format", "json", folder=tmp_path).stdout)
    assert [each["kind"] for each in documents] == ["scale", "measure"]
    rows = list(
        csv.DictReader(io.StringIO(streamgage(*given, "--format", "csv", folder=tmp_path).stdout))
    )
    assert {row["result"].split(": ")[1].split(",")[0] for row in rows} == {
        *("STREAM 5.10 (C)", "TheBandwidthBenchmark"),
    }
    assert "## Result 2 of 2: tbb.txt:9: TheBandwidthBenchmark" in (
        streamgage(*given, "--format", "markdown", folder=tmp_path).stdout
    )


def test_two_scalings_are_no_one_picture(tmp_path: Path) -> None:
    two = f"# a\n\n{STREAM_28}{STREAM_56}\n# b\n\n{STREAM_28}{STREAM_56}"
    run = interpret(tmp_path, two, "-o", "x.svg")
    assert (run.returncode, run.stdout) == (2, "")
    assert "A picture shows one result, and 2 of these could be drawn" in run.stderr
    assert not (tmp_path / "x.svg").exists()


def test_runs_without_a_number_of_threads_are_said_to_be_repetitions(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_text(BABELSTREAM, "utf-8")
    run = streamgage("interpret", "a", "b", "--together", folder=tmp_path)
    assert run.returncode == 0
    assert "2 tables count as runs of one result" in one_sentence(run.stderr)
    assert "The outputs do not say how many threads ran" in " ".join(run.stderr.split())


def test_a_scaling_uses_the_peak_for_each_of_its_tables(tmp_path: Path) -> None:
    run = interpret(tmp_path, STREAM_28 + STREAM_56, "--peak", "200", "--cores", "56")
    assert (run.returncode, run.stderr) == (0, "")
    assert "crossed the memory bus" in run.stdout


def test_a_loop_over_sizes_is_a_series_with_its_data_and_picture(tmp_path: Path) -> None:
    sizes = (1_000_000, 10_000_000, 100_000_000)
    text = "".join(stream_table(240, 175, 186, 187, elements=each) for each in sizes)
    run = interpret(tmp_path, text, "--llc", "16MiB", "-o", "x.svg")
    assert run.returncode == 0
    shown = " ".join(run.stdout.split())
    assert (
        "Result 1 of 2: lines 6 to 28: STREAM 5.10 (C), 48 threads, arrays of 7812 KiB to 763 MiB"
        in shown
    )
    assert "76.3 MiB 240.0 175.0 186.0 187.0 kept" in shown
    assert "4 x 16 MiB" in (tmp_path / "x.svg").read_text("utf-8")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "x.csv").read_text("utf-8"))))
    of_series = [each for each in rows if each["mode"] == "worksharing"]
    assert [each["rule_of_4"] for each in of_series if each["kernel"] == "triad"] == [
        *("below", "kept", "kept"),
    ]
    documents = json.loads(interpret(tmp_path, text, "--format", "json").stdout)
    assert [each["kind"] for each in documents] == ["ladder", "measure"]
    validator("ladder").validate(documents[0])


def test_a_series_over_sizes_is_stored_compared_and_shown(tmp_path: Path) -> None:
    text = "".join(stream_table(240, 175, 186, 187, elements=each) for each in (10**7, 10**8))
    (tmp_path / "out.txt").write_text(text, "utf-8")
    assert streamgage("results", "import", "out.txt", folder=tmp_path).returncode == 0
    again = " ".join(streamgage("show", "1", folder=tmp_path).stdout.split())
    assert "Bandwidth over the size of each array: 187.0 GB/s (triad, arrays of 763 MiB)" in again
    compared = streamgage("compare", "1", "out.txt", folder=tmp_path)
    assert compared.returncode == 0
    assert "largest working set" in compared.stdout
    assert "187.0" in streamgage("history", folder=tmp_path).stdout


def test_a_scaling_is_stored_compared_and_shown(tmp_path: Path) -> None:
    (tmp_path / "out.txt").write_text(STREAM_28 + STREAM_56, "utf-8")
    assert streamgage("results", "import", "out.txt", folder=tmp_path).returncode == 0
    again = streamgage("show", "1", folder=tmp_path)
    assert again.returncode == 0
    assert "28 20.7" in " ".join(again.stdout.split())
    (tmp_path / "mixed.txt").write_text(STREAM_28 + STREAM, "utf-8")
    refused = streamgage("show", "mixed.txt", folder=tmp_path)
    assert refused.returncode == 2
    assert "mixed.txt holds 2 results, not one" in one_sentence(refused.stderr)
