"""``streamgage topology`` as a user runs it, with the real engine."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest
from example_records import MACHINE
from programs import misbehaving_engine, one_sentence, real_engine, streamgage
from schemas import validator

from streamgage.cpu_list import list_cpus
from streamgage.records import Machine

EPYC = "pack:2 numa:4 l3:2(size=8MiB) l2:3(size=512KiB) core:1 pu:2"


def topology(folder: Path, *options: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return streamgage("topology", *options, folder=folder, engine=real_engine(), **variables)


def synthetic(folder: Path, description: str, *options: str) -> str:
    """What is shown of a machine that hwloc makes from a description."""
    run = topology(folder, *options, HWLOC_SYNTHETIC=description)
    file = options[options.index("-o") + 1] if "-o" in options else None
    assert (run.returncode, run.stderr) == (0, f"streamgage: Wrote {file}.\n" if file else "")
    return run.stdout


def test_this_machine_is_shown(tmp_path: Path) -> None:
    run = topology(tmp_path)
    assert (run.returncode, run.stderr) == (0, "")
    for words in ("Processor", "NUMA nodes", "This process may use", "┌", "core 0"):
        assert words in run.stdout
    assert "not the current system" not in run.stdout
    assert max(map(len, run.stdout.splitlines())) <= 100


def test_the_record_is_as_the_schema_says(tmp_path: Path) -> None:
    run = topology(tmp_path, "--json")
    assert (run.returncode, run.stderr) == (0, "")
    document = json.loads(run.stdout)
    validator("records").validate(document)
    machine = msgspec.json.decode(run.stdout, type=Machine)
    assert sorted(t.cpu for t in machine.threads) == list_cpus(machine.online_cpus)
    assert set(list_cpus(machine.allowed_cpus)) == os.sched_getaffinity(0)
    assert machine.cpu_sets[-1].source == "affinity"
    assert machine.described_by is None


def test_an_affinity_mask_is_named(tmp_path: Path) -> None:
    allowed = os.sched_getaffinity(0)
    if len(allowed) < 2:
        pytest.skip("one CPU cannot be narrowed")
    last = max(allowed)
    os.sched_setaffinity(0, {last})
    try:
        run = topology(tmp_path)
    finally:
        os.sched_setaffinity(0, allowed)
    text = " ".join(run.stdout.split())
    assert f"This process may use CPU {last} of" in text
    assert f"its affinity mask allows {last}." in text
    assert f"({min(allowed)})" in run.stdout


def test_two_epyc_7451_have_eight_nodes(tmp_path: Path) -> None:
    text = synthetic(tmp_path, EPYC)
    for words in ("48, 24 a package", "NUMA nodes  8", "L3 8 MiB", "core 47", "94 95"):
        assert words in text
    assert text.startswith(" This is not the current system, ")
    assert "HWLOC_SYNTHETIC='pack:2 numa:4" in text


def test_node_numbers_may_have_gaps(tmp_path: Path) -> None:
    record = json.loads(synthetic(tmp_path, "numa:3(indexes=0,2,5) core:2 pu:1", "--json"))
    assert [node["node"] for node in record["numa_nodes"]] == [0, 2, 5]
    assert {thread["node"] for thread in record["threads"]} == {0, 2, 5}
    assert record["described_by"].startswith("HWLOC_SYNTHETIC=")
    assert record["cpu_sets"] == []
    validator("records").validate(record)


def test_memory_alone_is_told(tmp_path: Path) -> None:
    description = "pack:2 [numa(memory=64GB indexes=0,1)] [numa(memory=16GB indexes=2,3)] core:2"
    text = synthetic(tmp_path, f"{description} pu:1")
    assert "2 with memory but no CPUs" in text
    assert "none: memory alone" in text


@pytest.mark.parametrize("width", ["60", "80", "100"])
def test_no_line_is_wider_than_the_terminal(tmp_path: Path, width: str) -> None:
    run = topology(tmp_path, HWLOC_SYNTHETIC="pack:4 numa:4 core:32 pu:2", COLUMNS=width)
    assert max(map(len, run.stdout.splitlines())) <= int(width)


def test_ascii_terminals_get_ascii(tmp_path: Path) -> None:
    run = topology(tmp_path, PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert run.returncode == 0
    assert run.stdout.isascii()
    assert "+- core 0" in run.stdout


def test_picture_or_tables_alone(tmp_path: Path) -> None:
    assert "core 511" in synthetic(tmp_path, "pack:4 numa:4 core:32 pu:2", "--picture")
    assert "┌" not in synthetic(tmp_path, EPYC, "--no-picture")


def test_pictures_are_files(tmp_path: Path) -> None:
    assert synthetic(tmp_path, EPYC, "-o", "machine.svg") == ""
    root = ElementTree.parse(tmp_path / "machine.svg").getroot()
    texts = {"".join(each.itertext()) for each in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {str(cpu) for cpu in range(96)} <= texts
    assert synthetic(tmp_path, EPYC, "-o", "machine.PNG") == ""
    assert (tmp_path / "machine.PNG").read_bytes().startswith(b"\x89PNG")


def test_text_and_record_may_be_files(tmp_path: Path) -> None:
    assert synthetic(tmp_path, EPYC, "-o", "a.txt", "--format", "table") == ""
    assert "package 1" in (tmp_path / "a.txt").read_text("utf-8")
    assert synthetic(tmp_path, EPYC, "-o", "a.json", "--json") == ""
    assert json.loads((tmp_path / "a.json").read_text("utf-8"))["cores"] == 48


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            ["-o", "a.gif"],
            "a.gif is no picture that can be written: give -o a name that ends in .svg",
        ),
        (["-o", "svg"], "svg is no picture that can be written"),
        (["-o", "/nowhere/a.svg"], "cannot be written: No such file or directory"),
        (["--format", "xml"], "--format 'xml' is not known: use table, json."),
        (["--json", "--format", "table"], "--json and --format table exclude each other"),
        (["--json", "--picture"], "--picture and --no-picture only change the table"),
    ],
)
def test_mistakes_are_one_sentence(tmp_path: Path, options: list[str], words: str) -> None:
    run = topology(tmp_path, *options)
    assert (run.returncode, run.stdout) == (2, "")
    assert words in one_sentence(run.stderr)
    assert list(tmp_path.glob("*.gif")) == []


def test_a_description_that_hwloc_refuses_is_one_sentence(tmp_path: Path) -> None:
    run = topology(tmp_path, HWLOC_XMLFILE="missing.xml")
    assert run.returncode == 2
    assert "HWLOC_XMLFILE='missing.xml'" in one_sentence(run.stderr)


def test_an_engine_that_is_older_is_one_sentence(tmp_path: Path) -> None:
    assert MACHINE.threads == []
    engine = misbehaving_engine(tmp_path, "exit 1")
    run = streamgage("topology", folder=tmp_path, engine=engine)
    assert run.returncode == 1
    assert "is older than streamgage" in one_sentence(run.stderr)
