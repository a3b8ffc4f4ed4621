"""``streamgage fleet judge`` as a person calls it."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import preloaded
import pytest
from programs import WAIT_SECONDS
from stub_fleet import FEW, SOUND_FLEET, StubFleet, stub_fleet
from stub_launchers import stub_program


def written(folder: Path, fleet: StubFleet, name: str = "fleet.jsonl") -> Path:
    file = folder / name
    file.write_bytes(b"".join(fleet.lines))
    return file


def judge(
    folder: Path, *words: str, given: bytes = b"", path: str = ""
) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "HOME": str(folder), "COLUMNS": "100"}
    if path:
        environment["PATH"] = f"{path}:{os.environ['PATH']}"
    return preloaded.run(["fleet", "judge", *words], folder, environment, WAIT_SECONDS, given)


@pytest.fixture(scope="module")
def planted() -> StubFleet:
    return stub_fleet(100, 1, FEW)


def test_slow_nodes_are_named_and_end_with_status_1(tmp_path: Path, planted: StubFleet) -> None:
    done = judge(tmp_path, str(written(tmp_path, planted)))
    assert done.returncode == 1
    assert "Fleet: 98 of 100 nodes answered, 3 are slow" in done.stdout
    assert done.stdout.count("\n") <= 30
    assert "To see this again: streamgage show 1" in done.stderr


def test_a_sound_fleet_ends_with_status_0(tmp_path: Path) -> None:
    sound = stub_fleet(200, 1, SOUND_FLEET, mess=False)
    done = judge(tmp_path, "-", "--no-store", given=b"".join(sound.lines))
    assert done.returncode == 0, done.stderr
    assert "none is slow" in done.stdout
    assert not done.stderr


def test_lines_that_were_left_out_are_said(tmp_path: Path, planted: StubFleet) -> None:
    done = judge(tmp_path, str(written(tmp_path, planted)), "--no-store")
    said = " ".join(done.stderr.split())
    assert "repeat the result of a node and count once" in said
    assert "holds the lines of several nodes and was split" in said


def test_rows_are_written_by_the_suffix(tmp_path: Path, planted: StubFleet) -> None:
    file = str(written(tmp_path, planted))
    for suffix in ("csv", "jsonl", "parquet"):
        assert judge(tmp_path, file, "--no-store", "--rows", f"rows.{suffix}").returncode == 1
    with (tmp_path / "rows.csv").open() as text:
        rows = list(csv.DictReader(text))
    lines = [json.loads(each) for each in (tmp_path / "rows.jsonl").read_text().splitlines()]
    assert len(rows) == len(lines)
    assert {each["host"] for each in lines if each["verdict"] == "slow"} == set(planted.slow)
    from pyarrow import parquet

    table = parquet.read_table(tmp_path / "rows.parquet")
    assert table.num_rows == len(rows)
    assert table.column("median_gbps")[0].as_py() == lines[0]["median_gbps"]


def test_the_page_is_one_file_that_fetches_nothing(tmp_path: Path, planted: StubFleet) -> None:
    options = ("--topology", "r{rack}n{node}", "--page", "fleet.html", "--no-store")
    assert judge(tmp_path, str(written(tmp_path, planted)), *options).returncode == 1
    page = (tmp_path / "fleet.html").read_text()
    assert all(host in page for host in planted.slow)
    assert "Nodes by place" in page and "Triad of each class" in page
    assert 'src="http' not in page and 'href="http' not in page


def test_commands_that_drain_stand_alone_on_stdout(tmp_path: Path, planted: StubFleet) -> None:
    done = judge(tmp_path, str(written(tmp_path, planted)), "--no-store", "--print-drain")
    lines = done.stdout.splitlines()
    assert len(lines) == 3
    assert {line.split()[2] for line in lines} == {f"nodename={host}" for host in planted.slow}
    # A shell takes each line as the words that are meant.
    for line in lines:
        echoed = subprocess.run(
            ["bash", "-c", f'scontrol() {{ printf "%s\\n" "$@"; }}; {line}'],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.splitlines()
        assert len(echoed) == 4
        assert echoed[3].startswith("reason=streamgage: triad ")


def test_nothing_is_drained_without_a_terminal(tmp_path: Path, planted: StubFleet) -> None:
    done = judge(tmp_path, str(written(tmp_path, planted)), "--drain")
    assert done.returncode == 2
    assert "--drain asks a question first, so it needs a terminal" in done.stderr


def test_a_line_that_is_cut_off_is_named_once(tmp_path: Path) -> None:
    lines = stub_fleet(12, 1, SOUND_FLEET, mess=False).lines
    half = tmp_path / "half.jsonl"
    half.write_bytes(b"".join(lines)[: -len(lines[-1]) // 2])
    done = judge(tmp_path, str(half), "--details")
    assert "is cut off" in done.stderr
    assert "is cut off" not in done.stdout
    written_to = tmp_path / "fleet.txt"
    judge(tmp_path, str(half), "--details", "-o", str(written_to))
    assert "is cut off" in written_to.read_text("utf-8")


@pytest.mark.parametrize(("answer", "drained"), [("y", 3), ("n", 0), ("", 0)])
def test_slow_nodes_are_drained_where_the_user_agrees(
    tmp_path: Path, planted: StubFleet, answer: str, drained: int
) -> None:
    tools = tmp_path / "bin"
    tools.mkdir()
    (tools / "scontrol").write_text(f'#!/bin/sh\necho "$2" >>{tmp_path}/drained\n')
    (tools / "scontrol").chmod(0o755)
    file = written(tmp_path, planted)
    # script gives it a terminal, on which the answer is typed.
    command = f"{sys.executable} -m streamgage fleet judge {file} --no-store --drain"
    done = subprocess.run(
        ["script", "-qec", command, "/dev/null"],
        cwd=tmp_path,
        env={**os.environ, "HOME": str(tmp_path), "PATH": f"{tools}:{os.environ['PATH']}"},
        input=f"{answer}\n".encode(),
        capture_output=True,
        check=False,
    )
    assert b"Drain these 3 nodes? [y/N]" in done.stdout
    ran = tmp_path / "drained"
    hosts = ran.read_text().split() if ran.exists() else []
    assert sorted(hosts) == [f"nodename={host}" for host in planted.slow][:drained]


def measured_by(launcher: str, planted: StubFleet) -> StubFleet:
    lines = [
        each.replace(b'"launcher":"stub"', f'"launcher":"{launcher}"'.encode())
        for each in planted.lines
    ]
    return replace(planted, lines=lines)


@pytest.mark.parametrize(
    ("launcher", "program", "resumed"),
    [
        ("slurm", "sinfo", "scontrol update nodename={} state=resume"),
        ("pbs", "pbsnodes", "pbsnodes -r -C '' {}"),
        ("flux", "flux", "flux resource undrain {}"),
        ("kubernetes", "kubectl", "kubectl uncordon {}"),
    ],
)
def test_nodes_that_we_drained_and_that_are_fine_again_are_put_back(
    tmp_path: Path, planted: StubFleet, launcher: str, program: str, resumed: str
) -> None:
    """One that is slow still, and one that somebody else drained, stay out."""
    sound = [
        f"r000n{number:02d}" for number in range(20) if f"r000n{number:02d}" not in faulty(planted)
    ]
    fine, other, slow = sound[0], sound[1], planted.slow[0]
    why = {fine: "streamgage: triad 600", other: "bad DIMM", slow: "streamgage: triad 600"}
    forms = {
        "slurm": "\n".join(f"{host}|{reason}" for host, reason in why.items()),
        "flux": "\n".join(f"{host} {reason}" for host, reason in why.items()),
        "pbs": json.dumps(
            {"nodes": {h: {"state": "offline", "comment": r} for h, r in why.items()}}
        ),
        "kubernetes": json.dumps(
            {
                "items": [
                    {
                        "metadata": {"name": host, "annotations": {"streamgage/reason": reason}},
                        "spec": {"unschedulable": True},
                    }
                    for host, reason in why.items()
                ]
            }
        ),
    }
    (tmp_path / "held").write_text(forms[launcher])
    stub_program(tmp_path / "bin", program, f"cat {tmp_path}/held")
    file = str(written(tmp_path, measured_by(launcher, planted)))
    done = judge(tmp_path, file, "--no-store", "--print-resume", path=str(tmp_path / "bin"))
    lines = done.stdout.splitlines()
    assert lines[0] == resumed.format(fine), done.stderr
    assert all(fine in each for each in lines)
    assert len(lines) == (3 if launcher == "kubernetes" else 1)


def test_a_scheduler_that_refuses_to_say_whom_it_drained_is_one_sentence(
    tmp_path: Path, planted: StubFleet
) -> None:
    stub_program(tmp_path / "bin", "kubectl", "echo Unauthorized >&2; exit 1")
    file = str(written(tmp_path, measured_by("kubernetes", planted)))
    done = judge(tmp_path, file, "--no-store", "--print-resume", path=str(tmp_path / "bin"))
    assert done.returncode not in (0, 1)
    assert "kubectl printed no list of nodes (Unauthorized)" in done.stderr
    assert not done.stdout


def faulty(planted: StubFleet) -> set[str]:
    return {*planted.dead, *planted.slow, *planted.flapping, *planted.odd}


def test_a_baseline_is_written_and_read(tmp_path: Path, planted: StubFleet) -> None:
    file = str(written(tmp_path, planted))
    judge(tmp_path, file, "--no-store", "--write-baseline", "baseline.json")
    few = stub_fleet(4, 2, SOUND_FLEET._replace(slow=1), mess=False, noise=0.005)
    found = judge(
        tmp_path,
        str(written(tmp_path, few, "few.jsonl")),
        *("--baseline", "baseline.json", "--no-store", "--format", "json"),
    )
    nodes = json.loads(found.stdout)["nodes"]
    assert [each["host"] for each in nodes if each["verdict"] == "slow"] == few.slow


def test_a_node_is_compared_with_its_past_in_the_store(tmp_path: Path) -> None:
    two = SOUND_FLEET._replace(slow=2)
    then = stub_fleet(40, 1, two, noise=0.005, effect=0.0, day="2026-03-12")
    now = stub_fleet(40, 1, two, noise=0.005, effect=0.08)
    assert judge(tmp_path, str(written(tmp_path, then))).returncode == 0
    done = judge(tmp_path, str(written(tmp_path, now)), "--format", "json")
    drifted = [each for each in json.loads(done.stdout)["nodes"] if each.get("drift")]
    assert [each["host"] for each in drifted] == now.slow
    assert all(each["drift"]["since"].startswith("2026-03-12") for each in drifted)
    again = judge(tmp_path, str(written(tmp_path, now)), "--format", "json")
    assert [e["host"] for e in json.loads(again.stdout)["nodes"] if e.get("drift")] == now.slow


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "Missing argument 'FILE...'"),
        (("nowhere.jsonl",), "nowhere.jsonl cannot be read: No such file"),
        (("empty.jsonl",), "empty.jsonl has no line of a node"),
        (("garbage.jsonl",), "has no line of a node (Line 1 of garbage.jsonl is not from a node"),
        (("one.jsonl", "--limit", "3"), "--limit '3' is not a share"),
        (("one.jsonl", "--rows", "x.doc"), "--rows x.doc has no suffix that is known"),
        (("one.jsonl", "--baseline", "garbage.jsonl"), "garbage.jsonl is not a baseline"),
        (("one.jsonl", "--topology", "n{node}"), "names no place"),
        (("one.jsonl", "--write-baseline", "b.json"), "at least 8 equal nodes"),
        (("one.jsonl", "--page", "page.doc"), "page.doc has no suffix of a report"),
    ],
)
def test_what_cannot_be_met_is_one_sentence(
    tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    (tmp_path / "empty.jsonl").write_text("\n")
    (tmp_path / "garbage.jsonl").write_text("Segmentation fault\n")
    written(tmp_path, stub_fleet(1, 1, SOUND_FLEET, mess=False), "one.jsonl")
    done = judge(tmp_path, *words, "--no-store")
    assert done.returncode == 2
    assert said in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
