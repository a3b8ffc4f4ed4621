"""``streamgage check --device``: each device of a node is checked by itself."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import msgspec
import pytest
from programs import one_sentence, real_engine, streamgage
from stub_gpus import CAPPED, HOT, gpu_line

from streamgage.records import Devices
from streamgage.records.node import NodeLimit, NodeLine, as_line
from streamgage.results.fleet.baseline import baseline_of
from streamgage.results.fleet.gather import gather
from streamgage.results.fleet.judge import judge


def engine_with_gpus(
    folder: Path, *lines: NodeLine, least: float | None = None, broken: str = "none"
) -> Path:
    """One that lists these GPUs, and answers a check of each with its line.

    ``least`` is the limit of ``--expect triad=2900GB/s,...``.
    """
    expected = []
    if least is not None:
        expected = [NodeLimit(kernel="triad", expected_gbps=2900.0, limit_gbps=least)]
    devices = [each.device for each in lines if each.device is not None]
    listed = Devices(name="gpu", devices=devices, reasons=[])
    (folder / "devices").write_bytes(msgspec.json.encode(listed) + b"\n")
    for line in lines:
        assert line.device is not None
        checked = msgspec.structs.replace(line, check_seconds=60.0, seconds=0.1, expected=expected)
        (folder / line.device.id).write_bytes(as_line(checked))
    path = folder / "gpu-engine"
    path.write_text(
        f"""#!/bin/sh
cd {folder}
case "$*" in
  --devices=*) cat devices; exit ;;
  *{broken}*) echo "streamgage-engine: {broken} (Example GPU) fell off the bus." >&2; exit 1 ;;
  *--check*) for last; do :; done; date -u +%s%N >>runs; exec cat "$last" ;;
  *) exec {real_engine()} "$@" ;;
esac
"""
    )
    path.chmod(0o755)
    return path


def check(folder: Path, engine: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return streamgage(
        *("check", "--glance", *options), folder=folder, engine=engine, STREAMGAGE_LOCK="none"
    )


def gpus(*factors: float) -> list[NodeLine]:
    lines = [gpu_line("n7", number, factor) for number, factor in enumerate(factors)]
    return [
        msgspec.structs.replace(
            line,
            figures=[
                msgspec.structs.replace(each, low=each.gbps * 0.99, high=each.gbps * 1.01)
                for each in line.figures
            ],
        )
        for line in lines
    ]


def test_the_line_names_the_slow_device_and_those_that_are_fine(tmp_path: Path) -> None:
    engine = engine_with_gpus(tmp_path, *gpus(1.0, 1.0, 0.8, 1.0), least=2755.0)
    run = check(tmp_path, engine, "--device", "gpu", "--expect", "triad=2900GB/s,-5%")
    assert run.returncode == 1, run.stderr
    assert run.stdout == (
        "slow: cuda:2 triad 2376 GB/s, expected at least 2755 (2900 - 5 %); measured twice;"
        " ok: cuda:0, cuda:1, cuda:3\n"
    )
    listed = streamgage("history", folder=tmp_path, engine=engine)
    assert listed.stdout.count("check") == 4, "each is stored by itself"


def test_one_device_is_a_check_as_that_of_a_processor(tmp_path: Path) -> None:
    engine = engine_with_gpus(tmp_path, *gpus(1.0), least=2900.0)
    run = check(tmp_path, engine, "--device", "cuda:0", "--expect", "triad=2900GB/s")
    assert (run.returncode, run.stdout) == (
        0,
        "ok: cuda:0 triad 2970 GB/s, expected at least 2900\n",
    )
    shown = streamgage("show", "last", "--format", "json", folder=tmp_path, engine=engine)
    assert json.loads(shown.stdout)["runs"][0]["device"]["id"] == "cuda:0"


def test_a_device_is_held_against_the_baseline_of_its_class(tmp_path: Path) -> None:
    fleet = [gpu_line(f"n{n}", gpu, 1 + 0.001 * n) for n in range(5) for gpu in range(4)]
    (tmp_path / "baseline.json").write_bytes(baseline_of(judge(gather(fleet))))
    capped = {"limit_watts": 400.0, "slowed_by": [CAPPED, HOT]}
    slow = gpu_line("n7", 1, 0.7, capped)
    slow = msgspec.structs.replace(
        slow, figures=[msgspec.structs.replace(e, high=e.gbps * 1.01) for e in slow.figures]
    )
    engine = engine_with_gpus(tmp_path, gpus(1.0)[0], slow)
    run = check(
        tmp_path,
        engine,
        *("--device", "gpu", "--baseline", "baseline.json", "--format", "json"),
    )
    assert run.returncode == 1, run.stderr
    fine, bad = json.loads(run.stdout)
    assert (fine["verdict"], bad["verdict"]) == ("fine", "slow")
    assert "median of 20 devices" in bad["limits"][0]["why"]
    codes = [(each["code"], each.get("name")) for each in bad["causes"]]
    assert codes == [("other-setting", "power limit"), ("device-slowed", None)]


def test_each_device_has_its_own_past(tmp_path: Path) -> None:
    for day in ("2026-10-01", "2026-10-02", "2026-10-03"):  # the same file is stored once
        lines = [msgspec.structs.replace(line, time=f"{day}T04:00:00Z") for line in gpus(1.0, 0.8)]
        engine = engine_with_gpus(tmp_path, *lines)
        assert check(tmp_path, engine, "--device", "gpu").returncode == 3
    assert check(tmp_path, engine, "--device", "gpu").returncode == 0
    run = check(tmp_path, engine_with_gpus(tmp_path, *gpus(0.8, 0.8)), "--device", "gpu")
    assert run.returncode == 1
    assert run.stdout.startswith("slow: cuda:0 ")  # both kernels lost as much
    assert "copy 2320 GB/s, expected at least 2755" in run.stdout
    assert run.stdout.endswith("; ok: cuda:1\n")


def test_collectors_find_each_metric_once_with_all_devices(tmp_path: Path) -> None:
    engine = engine_with_gpus(tmp_path, *gpus(1.0, 0.9), least=2755.0)
    run = check(
        tmp_path,
        engine,
        *("--device", "gpu", "--expect", "triad=2900GB/s,-5%", "--format", "openmetrics"),
    )
    lines = run.stdout.splitlines()
    types = [each for each in lines if each.startswith("# TYPE")]
    assert len(types) == len(set(types)) == 4
    assert lines[-1] == "# EOF"
    assert any('host="n7",device="cuda:1",verdict="slow"} 1' in each for each in lines)
    assert any('host="n7",device="cuda:0",kernel="triad"} 2.97e+12' in each for each in lines)


def test_a_terminal_shows_a_table_of_all(tmp_path: Path) -> None:
    engine = engine_with_gpus(tmp_path, *gpus(1.0, 0.9), least=2755.0)
    run = check(
        tmp_path,
        engine,
        *("--device", "gpu", "--expect", "triad=2900GB/s,-5%", "--format", "table"),
    )
    assert run.stdout.startswith(" Checks\n")
    rows = [each.split() for each in run.stdout.splitlines()]
    assert [row[0] for row in rows if row and row[0].startswith("cuda:")] == ["cuda:0", "cuda:1"]


def test_a_device_that_cannot_be_measured_is_unknown_and_the_others_are_checked(
    tmp_path: Path,
) -> None:
    engine = engine_with_gpus(tmp_path, *gpus(1.0, 1.0), least=2900.0, broken="cuda:1")
    run = check(tmp_path, engine, "--device", "gpu", "--expect", "triad=2900GB/s")
    assert run.returncode == 3
    assert run.stdout.startswith("ok: cuda:0 triad")
    assert "cuda:1 was not checked" in run.stderr
    assert "fell off the bus" in run.stderr


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--device", "cuda:0", "--expect", "triad streaming=1GB/s"], "only one kind of stores"),
        (["--device", "opencl:9"], "opencl:9"),
    ],
    ids=str,
)
def test_what_a_device_cannot_do_is_one_sentence(
    tmp_path: Path, options: list[str], said: str
) -> None:
    run = check(tmp_path, real_engine(), *options)
    assert run.returncode == 2
    assert said in one_sentence(run.stderr)


def test_parts_are_of_processors(tmp_path: Path) -> None:
    run = streamgage("check", "--examine", "--device", "gpu", folder=tmp_path)
    assert run.returncode == 2
    assert "--examine is for processors" in one_sentence(run.stderr)
