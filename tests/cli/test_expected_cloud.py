"""``streamgage expected --cloud``: a machine among cloud servers, whose list may be damaged."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from example_records import as_lines, good_records
from programs import one_sentence, streamgage

PLACED = ("expected", "--cloud", "--result")
HEAD = "vendor,server,architecture,processor,cpus,threads_per_core,bw_mem_read_gbps\n"
ROW = "aws,m7a.large,x86_64,AMD EPYC 9R14,2,1,40\n"


def package(folder: Path, text: str, version: int = 1) -> dict[str, str]:
    """An environment whose data package has that list."""
    place = folder / "streamgage_cloud"
    place.mkdir()
    (place / "__init__.py").touch()
    (place / "servers.csv").write_text(f"# streamgage cloud servers, format {version}\n{text}")
    return {"PYTHONPATH": str(folder)}


@pytest.fixture
def records(tmp_path: Path) -> str:
    """The records of a run."""
    (tmp_path / "run.jsonl").write_bytes(as_lines(good_records()))
    return "run.jsonl"


def test_a_result_is_shown_in_every_format(tmp_path: Path, records: str) -> None:
    table = streamgage(*PLACED, records, folder=tmp_path)
    assert (table.returncode, table.stderr) == (0, "")
    assert "Spare Cores" in table.stdout
    assert "CC BY-SA 4.0" in table.stdout
    document = json.loads(streamgage(*PLACED, records, "--format", "json", folder=tmp_path).stdout)
    assert document["groups"][0]["what"] == "all"
    assert document["yours"]["called"] == records


def test_a_picture_has_every_type_in_the_data_next_to_it(tmp_path: Path, records: str) -> None:
    done = streamgage(*PLACED, records, "--operation", "copy", "-o", "cloud.svg", folder=tmp_path)
    assert done.returncode == 0
    assert "cloud server types" in (tmp_path / "cloud.svg").read_text()
    rows = list(csv.DictReader((tmp_path / "cloud.csv").open()))
    assert len(rows) == 3607
    assert sum(bool(row["copy_gbps"]) for row in rows) == 2094


@pytest.mark.parametrize(
    ("text", "version", "what"),
    [
        (HEAD + ROW.replace("40", "many"), 1, "install streamgage-cloud again"),
        (HEAD, 1, "is empty"),
        (HEAD + ROW, 2, "update streamgage"),
    ],
)
def test_a_damaged_or_newer_list_is_one_sentence(
    tmp_path: Path, records: str, text: str, version: int, what: str
) -> None:
    there = package(tmp_path, text, version)
    done = streamgage(*PLACED, records, folder=tmp_path, **there)
    assert (done.returncode, done.stdout) == (1, "")
    assert what in one_sentence(done.stderr)


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (("--operation", "triad"), "use read, write, copy"),
        (("--result", "none.jsonl"), "none.jsonl"),
        (("-o", "cloud.gif"), "cloud.gif"),
        (("--rate", "20"), "--rate cannot be combined with --cloud, which compares a result of"),
        (("grace",), "The argument NAME cannot be combined with --cloud"),
        (
            ("--format", "latex"),
            "--format latex cannot be combined with --cloud: use table, json, csv, markdown",
        ),
    ],
)
def test_what_cannot_be_shown_is_one_sentence(
    tmp_path: Path, records: str, arguments: tuple[str, ...], what: str
) -> None:
    given = (*PLACED, records, *arguments)
    done = streamgage(*given, folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert what in one_sentence(done.stderr)
