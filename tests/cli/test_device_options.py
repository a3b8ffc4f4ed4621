"""The option ``--device``: what goes with it, and what is refused by one sentence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from example_device import (
    DEVICE,
    device_latency_records,
    device_records,
    engine_with_devices,
    rung_of_device,
)
from example_records import as_lines, good_records
from programs import one_sentence, streamgage

OF_PROCESSORS = [
    *(["--threads", "2"], ["--cpus", "0"], ["--allow-oversubscribe"], ["--memory-nodes", "0"]),
    *(["--stores", "plain"], ["--isa", "AVX2"], ["--shape", "streams=2"], ["--align", "64"]),
    *(["--init", "random"], ["--cc", "gcc"], ["--mpi", "2"], ["--hosts", "hosts"]),
]


@pytest.mark.parametrize("options", OF_PROCESSORS, ids=lambda each: each[0])
def test_an_option_of_processors_is_refused_on_a_device(tmp_path: Path, options: list[str]) -> None:
    run = streamgage("measure", "--device", "opencl:0", *options, folder=tmp_path)
    assert (run.returncode, run.stdout) == (2, "")
    assert one_sentence(run.stderr) == (
        f"{options[0]} is for processors, and --device names a device: leave one of them out."
    )
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


@pytest.mark.parametrize(
    ("file", "device", "said"),
    [
        ("mine.c", "opencl:0", "mine.c does not run on a device: leave --device out, or name a"),
        ("mine.so", "cuda:0", "mine.so does not run on a device: leave --device out, or name a"),
        ("mine.cl", None, "mine.cl is in OpenCL C, which runs on a device: measure it with"),
        ("mine.cu", None, "mine.cu is in CUDA C++, which runs on a device: measure it with"),
        ("mine.hip", None, "mine.hip is in HIP C++, which runs on a device: measure it with"),
        ("mine.cl", "cuda:0", "mine.cl is in OpenCL C, which runs on opencl:N, not on cuda:0: "),
        ("mine.cl", "hip:1", "mine.cl is in OpenCL C, which runs on opencl:N, not on hip:1: "),
        ("mine.cu", "opencl:0", "mine.cu is in CUDA C++, which runs on cuda:N and hip:N, not on"),
        ("mine.hip", "opencl:0", "mine.hip is in HIP C++, which runs on cuda:N and hip:N, not on"),
        ("none.cl", "opencl:0", "none.cl is not there"),
        ("mine.ptx", "cuda:0", "mine.ptx is not in a known language: "),
    ],
)
def test_a_kernel_runs_where_its_language_does(
    tmp_path: Path, file: str, device: str | None, said: str
) -> None:
    for name in ("mine.c", "mine.so", "mine.cl", "mine.cu", "mine.hip", "mine.ptx"):
        (tmp_path / name).write_text("", "utf-8")
    options = [] if device is None else ["--device", device]
    run = streamgage("measure", *options, "--kernel-file", file, folder=tmp_path)
    assert (run.returncode, run.stdout) == (2, "")
    assert one_sentence(run.stderr).startswith(f"--kernel-file {said}")


@pytest.mark.parametrize(
    ("device", "said"),
    [
        ("all", "--device all measures the processor, too, and no --kernel-file runs on both"),
        ("gpu", "--kernel-file mine.cu is in CUDA C++, which runs on cuda:N and hip:N, not on"),
    ],
)
def test_a_kernel_is_for_every_device_that_is_measured(
    tmp_path: Path, device: str, said: str
) -> None:
    engine = engine_of_two(tmp_path)
    (tmp_path / "mine.cu").write_text("", "utf-8")
    run = streamgage(
        *("measure", "--device", device, "--kernel-file", "mine.cu"),
        folder=tmp_path,
        engine=engine,
    )
    assert (run.returncode, run.stdout) == (2, "")
    assert one_sentence(run.stderr).startswith(said)
    assert plans_in(tmp_path) == []


def test_shapes_of_a_device_are_not_searched_for_again(tmp_path: Path) -> None:
    run = streamgage("measure", "--device", "opencl:0", "--retune", folder=tmp_path)
    assert run.returncode == 2
    assert one_sentence(run.stderr).startswith("--retune cannot be combined with --device")


KIB = 1 << 10
MIB = 1 << 20
OTHERS_FOR_PROCESSORS = [
    *(("latency", [*option]) for option in (["--threads", "2"], ["--cpus", "0"])),
    ("latency", ["--mixes", "reads"]),
    *(("ladder", [*option]) for option in (["--threads", "2"], ["--cpus", "0"])),
    *(("ladder", [*option]) for option in (["--stores", "plain"], ["--modes", "sequential"])),
    *(("ladder", [*option]) for option in (["--align", "64"], ["--cc", "gcc"])),
]


@pytest.mark.parametrize(("command", "options"), OTHERS_FOR_PROCESSORS, ids=str)
def test_other_commands_refuse_them_too(tmp_path: Path, command: str, options: list[str]) -> None:
    run = streamgage(command, "--device", "opencl:0", *options, folder=tmp_path)
    assert (run.returncode, run.stdout) == (2, "")
    assert one_sentence(run.stderr).startswith(f"{options[0]} is for processors, and --device")


def plans_in(folder: Path) -> list[dict[str, Any]]:
    numbers = range(1, 1 + len(list(folder.glob("plan-*"))))
    return [json.loads((folder / f"plan-{each}").read_bytes()) for each in numbers]


def test_the_latency_of_a_device_goes_to_four_times_its_cache(tmp_path: Path) -> None:
    engine = engine_with_devices(tmp_path, [DEVICE], device_latency_records())
    options = ["--device", "opencl:0", "--format", "json", "--seed", "3"]
    run = streamgage("latency", *options, folder=tmp_path, engine=engine)
    assert run.returncode == 0, run.stderr
    (plan,) = plans_in(tmp_path)
    assert (plan["device"], plan["load"], plan["rounds"]) == ("opencl:0", None, 3)
    assert plan["placement"]["cpus"] is None
    assert plan["chain_bytes"][0] == 8 * KIB
    assert plan["chain_bytes"][-1] == 4 * (DEVICE.cache_bytes or 0)
    assert all(size % 256 == 0 for size in plan["chain_bytes"]), "pairs of its lines"
    document = json.loads(run.stdout)
    assert document["device"]["id"] == "opencl:0"
    assert [each["level"] for each in document["steps"]] == ["cache", "memory"]


def test_the_quick_latency_of_a_device_has_a_working_set_for_each_doubling(tmp_path: Path) -> None:
    engine = engine_with_devices(tmp_path, [DEVICE], device_latency_records())
    options = ["--device", "opencl:0", "--quick", "--mixes", "none"]
    run = streamgage("latency", *options, folder=tmp_path, engine=engine)
    assert run.returncode == 0, run.stderr
    (plan,) = plans_in(tmp_path)
    assert len(plan["chain_bytes"]) == 14


def test_the_ladder_of_a_device_has_a_process_for_each_point(tmp_path: Path) -> None:
    engine = engine_with_devices(tmp_path, [DEVICE], rung_of_device(MIB))
    options = ["--device", "opencl:0", "--format", "json", "--rounds", "1", "--steps", "1"]
    run = streamgage("ladder", *options, folder=tmp_path, engine=engine)
    assert run.returncode == 0, run.stderr
    document, plans = json.loads(run.stdout), plans_in(tmp_path)
    assert (document["device"]["id"], document["threads"]) == ("opencl:0", None)
    assert len(plans) == len(document["runs"]) == len(document["curves"][0]["points"])
    for told, plan in zip(document["runs"], plans, strict=True):
        assert (plan["device"], plan["working_set_bytes"]) == ("opencl:0", told["bytes"])
        assert (plan["kernels"], plan["stores"], plan["core_clock"]) == (["triad"], None, False)
    sizes = [each["bytes"] for each in document["curves"][0]["points"]]
    assert sizes[0] >= 0.99 * 8 * KIB * (DEVICE.compute_units or 0)
    assert 0.98 * 64 * MIB < sizes[-1] <= 64 * MIB


def test_a_device_without_double_is_measured_in_float(tmp_path: Path) -> None:
    device = msgspec.structs.replace(DEVICE, has_double=False)
    engine = engine_with_devices(tmp_path, [device], rung_of_device(MIB))
    options = ["--device", "opencl:0", "--rounds", "1", "--from", "1MiB", "--to", "1MiB"]
    run = streamgage("ladder", *options, folder=tmp_path, engine=engine)
    assert run.returncode == 0, run.stderr
    assert [each["type"] for each in plans_in(tmp_path)] == ["float"]


@pytest.mark.parametrize("command", ["latency", "ladder"])
def test_of_several_devices_one_is_to_be_named(tmp_path: Path, command: str) -> None:
    other = msgspec.structs.replace(DEVICE, id="opencl:1")
    engine = engine_with_devices(tmp_path, [DEVICE, other], [])
    run = streamgage(command, "--device", "gpu", folder=tmp_path, engine=engine)
    assert (run.returncode, run.stdout) == (2, "")
    assert one_sentence(run.stderr) == (
        "--device gpu stands for 2 devices: Example GPU (opencl:0), Example GPU (opencl:1), and one"
        " at a time is measured here: name it, such as opencl:0."
    )
    assert plans_in(tmp_path) == []


@pytest.mark.parametrize(
    "command", [["latency"], ["ladder"], ["links"], ["measure"], ["measure", "--wait-idle", "5m"]]
)
def test_a_device_that_is_not_there_is_the_engines_first_sentence(
    tmp_path: Path, command: list[str]
) -> None:
    """Nothing else is asked of the engine: not what keeps the CPUs busy, and no run."""
    engine = engine_with_devices(tmp_path, [DEVICE], [])
    said = "streamgage-engine: there is no device opencl:9; there is opencl:0 (Example GPU)."
    (tmp_path / "devices").unlink()
    engine.write_text(
        engine.read_text("utf-8")
        .replace(f'cat "{tmp_path}/devices"; exit', f"echo '{said}' >&2; exit 2")
        .replace("#!/bin/sh\n", f'#!/bin/sh\necho "$@" >> "{tmp_path}/asked"\n'),
        "utf-8",
    )
    run = streamgage(*command, "--device", "opencl:9", folder=tmp_path, engine=engine)
    assert (run.returncode, run.stdout) == (2, "")
    assert "there is no device opencl:9" in one_sentence(run.stderr)
    asked = (tmp_path / "asked").read_text("utf-8").splitlines()
    assert asked == ["--devices=opencl:9"]


OTHER = msgspec.structs.replace(DEVICE, id="opencl:1")
TWO = [DEVICE, OTHER]


def engine_of_two(folder: Path, body: str = ":") -> Path:
    """An engine whose two devices and whose processor have figures of their own."""
    (folder / "processor").write_bytes(as_lines(good_records()))
    (folder / "second").write_bytes(as_lines(device_records(OTHER, seconds=0.002)))
    choose = (
        "plan=plan-$(wc -l < turns)\n"
        f'grep -q "opencl:1" $plan && {{ cat "{folder}/second"; exit; }}\n'
        f'grep -q "opencl:0" $plan || {{ cat "{folder}/processor"; exit; }}'
    )
    return engine_with_devices(folder, TWO, device_records(), f"{body}\n{choose}")


def test_every_gpu_is_measured_and_stored_by_itself(tmp_path: Path) -> None:
    engine = engine_of_two(tmp_path)
    run = streamgage("measure", "--device", "gpu", folder=tmp_path, engine=engine)
    assert run.returncode == 0, run.stderr
    assert [each["device"] for each in plans_in(tmp_path)] == ["opencl:0", "opencl:1"]
    lines = [line.split() for line in run.stdout.splitlines() if "opencl:" in line]
    assert [line[0] for line in lines] == ["opencl:0", "opencl:1"]
    assert "Each by itself: streamgage show 1" in run.stdout
    second = streamgage("show", "2", "--format", "json", folder=tmp_path, engine=engine)
    assert json.loads(second.stdout)["device"]["id"] == "opencl:1"


def test_all_is_the_processor_and_then_every_device(tmp_path: Path) -> None:
    engine = engine_of_two(tmp_path)
    run = streamgage(
        *("measure", "--device", "all", "--format", "json"), folder=tmp_path, engine=engine
    )
    assert run.returncode == 0, run.stderr
    documents = json.loads(run.stdout)
    assert [each["device"] and each["device"]["id"] for each in documents] == [
        *(None, "opencl:0", "opencl:1"),
    ]
    plans = plans_in(tmp_path)
    assert [each["device"] for each in plans] == [None, "opencl:0", "opencl:1"]
    assert plans[0]["checks"] and not plans[1]["checks"]


@pytest.mark.parametrize("form", ["csv", "markdown", "stream", "table"])
def test_several_devices_have_every_format(tmp_path: Path, form: str) -> None:
    engine = engine_of_two(tmp_path)
    run = streamgage(
        *("measure", "--device", "all", "--format", form, "--details"),
        folder=tmp_path,
        engine=engine,
    )
    assert run.returncode in (0, 2), run.stderr
    for name in ("cpu", "opencl:0", "opencl:1"):
        assert (name in run.stdout) == (run.returncode == 0)


def test_a_device_that_fails_is_left_out_with_its_reason(tmp_path: Path) -> None:
    fails = 'grep -q "opencl:0" plan-$(wc -l < turns) && { echo "It is full." >&2; exit 1; }'
    engine = engine_of_two(tmp_path, fails)
    run = streamgage("measure", "--device", "gpu", folder=tmp_path, engine=engine)
    assert run.returncode == 1
    assert "opencl:0 is left out: " in run.stderr and "It is full." in run.stderr
    assert "Example GPU" in run.stdout, "of one result that is left all is shown"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--records", "kept.jsonl"], "--records is for one run, and --device gpu makes several"),
        (["--peak", "100"], "--peak is for one run, and --device gpu makes several"),
        (["--threads", "2"], "--threads is for processors"),
    ],
    ids=lambda each: each[0],
)
def test_what_is_of_one_run_is_refused_for_several(
    tmp_path: Path, options: list[str], said: str
) -> None:
    engine = engine_of_two(tmp_path)
    run = streamgage("measure", "--device", "gpu", *options, folder=tmp_path, engine=engine)
    assert (run.returncode, run.stdout) == (2, "")
    assert one_sentence(run.stderr).startswith(said)
    assert plans_in(tmp_path) == []
