"""The program on this machine with the real engine, in sizes that are quick."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from programs import one_sentence, streamgage
from schemas import validator
from store_results import kept_entries

from streamgage.results.render import render_result
from streamgage.store.load import load_content

KERNELS = ("--size", "4MiB", "--kernels", "copy,scale,add,triad", "--stores", "plain")
"""Fewer than 10^6 elements, which is below STREAM's rule whatever caches there are."""
SMALL = (*KERNELS, "--quick")


@pytest.fixture(scope="module")
def measured(engine: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one run in it, shown as JSON, and its records in ``run.jsonl``."""
    folder = tmp_path_factory.mktemp("measured")
    options = ["--format", "json", "-o", "result.json", "--records", "run.jsonl"]
    # A busy machine may leave a quick run no time for some of the kernels.
    for length in (["--quick"], ["--quick"], [], [], []):
        run = streamgage(*KERNELS, *length, *options, folder=folder, engine=engine)
        assert (run.returncode, run.stdout) == (0, ""), run.stderr
        if not json.loads((folder / "result.json").read_text("utf-8"))["not_measured"]:
            return folder
        (folder / "run.jsonl").unlink()
    pytest.fail("each run left out a kernel")


def shown(folder: Path, form: str, *more: str) -> str:
    run = streamgage("show", "run.jsonl", "--format", form, *more, folder=folder)
    assert (run.returncode, run.stderr) == (0, "")
    return run.stdout


def test_the_document_conforms_to_its_schema(measured: Path) -> None:
    document = json.loads((measured / "result.json").read_text("utf-8"))
    validator("measure").validate(document)
    records = map(json.loads, (measured / "run.jsonl").read_text("utf-8").splitlines())
    samples = [each for each in records if each["record"] == "sample" and each["role"] == "timed"]
    timed = Counter(each["variant"] for each in samples)
    assert [kernel["kernel"] for kernel in document["kernels"]] == ["copy", "scale", "add", "triad"]
    for kernel in document["kernels"]:
        assert kernel["valid"] is True
        assert kernel["disturbed"] or kernel["n"] in timed.values()
        if kernel["low_gbps"] is not None:  # there is an interval unless samples are very few
            assert kernel["low_gbps"] <= kernel["median_gbps"] <= kernel["high_gbps"]
        assert kernel["median_gbps"] <= kernel["best_gbps"]
    assert "Triad " in document["quote"]
    assert "below-4x-rule" in [finding["code"] for finding in document["findings"]]


def test_show_prints_what_the_run_printed(few: Path, tmp_path: Path) -> None:
    run = streamgage(*SMALL, folder=tmp_path, engine=few)
    assert run.returncode == 0, run.stderr
    again = streamgage("show", folder=tmp_path)
    assert (again.returncode, again.stderr) == (0, "")
    assert again.stdout == run.stdout != ""


def test_stream_output_parses_as_streams_own(measured: Path) -> None:
    text = shown(measured, "stream")
    # The patterns of ReFrame's STREAM checks.
    assert re.search(r"Solution Validates", text)
    for name in ("Copy", "Scale", "Add", "Triad"):
        found = re.findall(rf"^{name}:\s+(\S+)\s+(\S+)\s+(\S+)\s+(\S+)$", text, re.MULTILINE)
        assert len(found) == 1
        best, mean, shortest, longest = map(float, found[0])
        assert best > 0 and 0 < shortest <= mean <= longest
    header = "Function    Best Rate MB/s  Avg time     Min time     Max time\nCopy:"
    assert header in text


def test_stream_counts_megabytes_of_ten_to_the_six(measured: Path) -> None:
    (rate,) = re.findall(r"^Triad:\s+(\S+)", shown(measured, "stream"), re.MULTILINE)
    document = json.loads((measured / "result.json").read_text("utf-8"))
    best = next(kernel for kernel in document["kernels"] if kernel["kernel"] == "triad")
    assert float(rate) == pytest.approx(1000 * best["best_gbps"], abs=0.06)


def test_csv_and_json_tell_the_same(measured: Path) -> None:
    document = json.loads((measured / "result.json").read_text("utf-8"))
    rows = list(csv.DictReader(io.StringIO(shown(measured, "csv"))))
    for row, kernel in zip(rows, document["kernels"], strict=True):
        assert row["kernel"] == kernel["kernel"]
        assert float(row["median_gbps"]) == pytest.approx(kernel["median_gbps"], rel=1e-5)


def test_the_table_names_the_machine_and_the_quote(measured: Path) -> None:
    text = shown(measured, "table", "--details")
    assert re.search(r"threads? bound to CPUs? [0-9]", text)
    assert "To quote:" in text
    assert "variant of the STREAM benchmark" in " ".join(text.split())
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) <= 100


def test_a_locale_without_unicode_gets_plain_marks(measured: Path) -> None:
    environment = {"PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    run = streamgage("show", "run.jsonl", folder=measured, **environment)
    assert run.returncode == 0
    assert run.stdout.isascii()


def test_a_truncated_file_is_shown_with_a_note(measured: Path, tmp_path: Path) -> None:
    whole = (measured / "run.jsonl").read_bytes()
    middle_of_a_line = whole.index(b"\n", len(whole) // 2) - 1
    (tmp_path / "cut.jsonl").write_bytes(whole[:middle_of_a_line])
    run = streamgage("show", "cut.jsonl", "--format", "json", folder=tmp_path)
    assert run.returncode == 0
    assert "is cut off and was left out" in one_sentence(run.stderr)
    codes = [finding["code"] for finding in json.loads(run.stdout)["findings"]]
    assert codes[0] == "unfinished"


@settings(max_examples=150)
@given(data=st.data())
def test_any_prefix_of_a_real_file_shows_what_it_has(measured: Path, data: st.DataObject) -> None:
    whole = (measured / "run.jsonl").read_bytes()
    end = data.draw(st.integers(whole.index(b"\n"), len(whole) - 2))
    notes: list[str] = []
    found = load_content(whole[:end], "it", "run.jsonl", notes.append)
    assert found.records is not None and found.partial is not None
    codes = [each.code for each in found.words.findings]
    assert "unfinished" in codes
    assert "unfinished" in render_result(found, "table")
    assert len(notes) == (whole[end - 1 : end] != b"\n" and whole[end : end + 1] != b"\n")


@pytest.mark.parametrize(
    ("options", "code"),
    [(["--cpus", "none"], "not-bound"), (["--type", "float", "--threads", "1"], None)],
)
def test_options_reach_the_engine(
    few: Path, tmp_path: Path, options: list[str], code: str | None
) -> None:
    run = streamgage(*SMALL, *options, "--format", "json", folder=tmp_path, engine=few)
    assert run.returncode == 0, run.stderr
    document = json.loads(run.stdout)
    if code is not None:
        assert code in [finding["code"] for finding in document["findings"]]
    else:
        assert {(k["type"], k["threads"]) for k in document["kernels"]} == {("float", 1)}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--kernels", "copy,song"], "song"),
        (["--stores", "song"], "song"),
        (["--cpus", "8000"], "8000"),
        (["--threads", "1000000"], "1000000"),
        (["--size", "900TiB"], "fit"),
        (["--size", "1"], ""),
    ],
)
def test_what_the_engine_refuses_is_one_sentence(
    engine: Path, tmp_path: Path, options: list[str], words: str
) -> None:
    run = streamgage("measure", *options, folder=tmp_path, engine=engine)
    assert (run.returncode, run.stdout) == (2, "")
    assert words in one_sentence(run.stderr)
    assert list((tmp_path / "state").rglob("*.jsonl")) == []


def test_an_output_that_cannot_be_written_is_found_before_measuring(
    engine: Path, tmp_path: Path
) -> None:
    run = streamgage(*SMALL, "-o", "no/folder/x", folder=tmp_path, engine=engine)
    assert (run.returncode, run.stdout) == (2, "")
    assert "name another with -o" in one_sentence(run.stderr)
    assert not (tmp_path / "state").exists()


def test_state_that_cannot_be_written_does_not_stop_a_run(few: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    state = str(tmp_path / "file")
    run = streamgage(
        *SMALL,
        "--format",
        "csv",
        folder=tmp_path,
        engine=few,
        XDG_STATE_HOME=state,
        TMPDIR=str(tmp_path),
    )
    assert run.returncode == 0
    assert "cannot be written (Not a directory)" in run.stderr
    assert list(tmp_path.glob("streamgage-*.jsonl")) == []
    assert [each.kind for each in kept_entries(tmp_path)] == ["measure"]
