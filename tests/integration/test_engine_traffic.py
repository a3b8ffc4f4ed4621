"""Memory traffic through the real engine: of recordings, and of files that a test changes."""

from __future__ import annotations

import csv
import io
import json
import shutil
import signal
import subprocess
import time
from itertools import pairwise
from pathlib import Path
from typing import IO, Any

import pytest
from programs import REPOSITORY, WAIT_SECONDS, one_sentence, start_streamgage, streamgage
from schemas import validator

EXAMPLE = REPOSITORY / "examples" / "two-packages"
CACHES = ("mon_L3_00", "mon_L3_01")


def run(engine: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [engine, "--traffic", *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=WAIT_SECONDS,
        check=False,
    )


def checked(lines: str) -> list[dict[str, Any]]:
    records = [json.loads(line) for line in lines.splitlines()]
    for record in records:
        validator("records").validate(record)
    return records


@pytest.fixture
def monitored(tmp_path: Path) -> Path:
    """The example's machine, with resctrl in place of controllers: it can be read live."""
    root = tmp_path / "machine"
    shutil.copytree(EXAMPLE / "proc", root / "proc")
    shutil.copytree(EXAMPLE / "sys" / "devices" / "system", root / "sys/devices/system")
    for number, cache in enumerate(CACHES):
        index = root / f"sys/devices/system/cpu/cpu{number}/cache/index3"
        index.mkdir(parents=True)
        (index / "level").write_text("3\n")
        (index / "id").write_text(f"{number}\n")
        moved(root, cache, 1000)
    return root


def moved(root: Path, cache: str, count: int, what: str = "total") -> None:
    file = root / "sys/fs/resctrl/mon_data" / cache / f"mbm_{what}_bytes"
    file.parent.mkdir(parents=True, exist_ok=True)
    beside = file.with_suffix(".new")
    beside.write_text(f"{count}\n")
    beside.replace(file)


def test_a_recording_is_told_with_its_own_times(engine: Path) -> None:
    done = run(engine, "--root", EXAMPLE, "--replay", EXAMPLE / "recording.jsonl")
    assert (done.returncode, done.stderr) == (0, "")
    first, *intervals = checked(done.stdout)
    assert (first["record"], first["replayed"], len(intervals)) == ("counters", True, 60)
    assert [each["start"] for each in intervals] == [float(second) for second in range(60)]
    assert {each["seconds"] for each in intervals} == {1.0}
    assert all(each["replayed"] for each in intervals)
    readings = [json.loads(line) for line in (EXAMPLE / "recording.jsonl").open()]
    counts = [
        each["value"] for each in readings if (each["event"], each["cpu"]) == ("cas_count_read", 0)
    ]
    volumes = [each["domains"][0]["bytes_read"] for each in intervals]
    assert volumes == [64.0 * (b - a) for a, b in pairwise(counts)]


def test_a_recording_whose_counters_are_lost_ends_with_a_sentence(
    engine: Path, tmp_path: Path
) -> None:
    lines = (EXAMPLE / "recording.jsonl").read_text().splitlines()
    lost = [
        json.dumps(
            {key: json.loads(line)[key] for key in ("pmu", "event", "cpu")} | {"error": "EIO"}
        )
        for line in lines[:4]
    ]
    recording = tmp_path / "recording"
    recording.write_text("\n".join([*lines[:8], *lost, *lines[8:]]) + "\n")
    done = run(engine, "--root", EXAMPLE, "--replay", recording)
    assert done.returncode == 1
    _, whole, last = checked(done.stdout)
    assert whole["domains"][0]["bytes_total"] > 0
    assert [each["bytes_total"] for each in last["domains"]] == [None, None]
    assert "Input/output error" in last["domains"][0]["reason"]
    assert "perf uncore_imc (replayed) no longer reports traffic" in done.stderr


def test_without_a_source_only_the_counters_record_comes(engine: Path) -> None:
    done = run(engine, "--root", EXAMPLE)
    assert done.returncode == 1
    (record,) = checked(done.stdout)
    assert record["source"] is None
    assert done.stderr == "streamgage-engine: there is no source of memory traffic here.\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--interval", "0"], "an interval of 0 s is not between 0.01 and 3600 s"),
        (["--interval", "nan"], "is not between"),
        (["--json"], "--traffic does not work with --json"),
        (["--counters"], "exclude each other"),
        (["--replay", "/no-such-recording"], "cannot be read: No such file"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_usage_is_told_in_a_sentence(engine: Path, arguments: list[str], words: str) -> None:
    done = run(engine, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr


def read_interval(stream: IO[str]) -> dict[str, Any]:
    (record,) = checked(stream.readline())
    return record


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_live_source_is_read_until_a_signal(
    engine: Path, monitored: Path, number: signal.Signals
) -> None:
    with subprocess.Popen(
        [engine, "--traffic", "--interval", "0.05", "--root", monitored],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert read_interval(process.stdout)["source"] == "resctrl"
        first = read_interval(process.stdout)
        assert first["replayed"], "it is not this system's"
        assert [each["package"] for each in first["domains"]] == [0, 1]
        moved(monitored, CACHES[1], 5000)
        seen = 0.0
        while seen == 0.0:
            each = read_interval(process.stdout)
            assert each["domains"][0]["bytes_total"] == 0.0
            seen += each["domains"][1]["bytes_total"]
        assert seen == 4000.0
        process.send_signal(number)
        rest = checked(process.stdout.read())
        assert process.wait(WAIT_SECONDS) == 0
        assert rest, "the last interval is told"


def test_it_ends_when_nobody_reads(engine: Path, monitored: Path) -> None:
    with subprocess.Popen(
        [engine, "--traffic", "--interval", "0.01", "--root", monitored],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.wait(WAIT_SECONDS) == 1


def test_it_does_not_outlive_a_front_that_was_killed(
    engine: Path, monitored: Path, tmp_path: Path
) -> None:
    front = start_streamgage(
        *("traffic", "--interval", "0.05", "--root", monitored), folder=tmp_path, engine=engine
    )
    assert front.stdout is not None
    assert front.stdout.readline().startswith("REPLAYED ")
    children = Path(f"/proc/{front.pid}/task/{front.pid}/children").read_text().split()
    front.kill()
    front.communicate(timeout=WAIT_SECONDS)
    end = time.monotonic() + WAIT_SECONDS
    for child in children:
        state = Path(f"/proc/{child}/stat")
        while state.exists() and state.read_text().split()[2] != "Z":
            assert time.monotonic() < end
            time.sleep(0.02)


def test_a_program_is_watched_from_start_to_end(
    engine: Path, monitored: Path, tmp_path: Path
) -> None:
    file = monitored / "sys/fs/resctrl/mon_data/mon_L3_00/mbm_total_bytes"
    run = streamgage(
        *("traffic", "--root", monitored, "--csv", "t.csv", "--interval", "0.05", "--"),
        *("sh", "-c", f"echo 641000 >'{file}.new'; mv '{file}.new' '{file}'; echo done; exit 4"),
        folder=tmp_path,
        engine=engine,
    )
    assert (run.returncode, run.stdout) == (4, "done\n")
    assert run.stderr.startswith(" REPLAYED")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "t.csv").read_text())))
    total = sum(
        float(row["seconds"]) * float(row["total_gbps"]) * 1e9
        for row in rows
        if row["domain"] == "package 0"
    )
    assert total == pytest.approx(640000, rel=1e-4)


def test_local_traffic_is_told_from_all_of_it(
    engine: Path, monitored: Path, tmp_path: Path
) -> None:
    for cache in CACHES:
        moved(monitored, cache, 500, "local")
    folder = monitored / "sys/fs/resctrl/mon_data/mon_L3_00"
    # At once, as the engine may read at any time.
    files = (("mbm_total_bytes", 41000), ("mbm_local_bytes", 30500))
    changes = [f"echo {count} >{name}.new; mv {name}.new {name}" for name, count in files]
    change = "; ".join([f"cd '{folder}'", *changes])
    run = streamgage(
        *("traffic", "--root", monitored, "--json", "t.json", "--"),
        *("sh", "-c", change),
        folder=tmp_path,
        engine=engine,
    )
    assert "75 % local, 25 % remote" in run.stderr
    whole = json.loads((tmp_path / "t.json").read_text())["whole"]
    assert (whole["bytes_total"], whole["bytes_local"]) == (40000.0, 30000.0)


def test_the_example_of_the_documentation_is_shown_and_marked(engine: Path, tmp_path: Path) -> None:
    assert "--replay examples/two-packages" in (REPOSITORY / "docs" / "traffic.md").read_text()
    run = streamgage(
        *("traffic", "--replay", EXAMPLE, "--peak", "281.6", "-o", "traffic.svg"),
        folder=tmp_path,
        engine=engine,
    )
    said = "streamgage: Wrote traffic.svg and traffic.csv.\n"
    assert (run.returncode, run.stderr) == (0, said)
    assert run.stdout.startswith(" REPLAYED")
    assert "The memory domains were not used equally: package 0 had 70 %" in run.stdout
    assert "of this machine" not in run.stdout.replace("not of this machine", "")
    assert "REPLAYED" in (tmp_path / "traffic.svg").read_text()


def test_a_recording_that_is_wrong_is_refused_by_its_line(engine: Path, tmp_path: Path) -> None:
    (tmp_path / "bad").write_text('{"pmu": 1}\n')
    run = streamgage("traffic", "--replay", "bad", folder=tmp_path, engine=engine)
    assert run.returncode == 2
    assert one_sentence(run.stderr).startswith("line 1 of the recording: it lacks")
