"""CUDA and HIP from the command line to the page, on drivers that stand where the real ones do.

Their GPU is the processor, which runs the kernels compiled for it: no figure means anything.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from driver_probes import build_drivers, leave_out_compilers
from programs import REPOSITORY, one_sentence, streamgage
from schemas import validator

from streamgage.records.node import NodeLine, read_node_lines


@pytest.fixture(scope="session", name="drivers")
def fixture_drivers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("drivers")
    build_drivers(folder)
    return folder


@pytest.fixture(name="no_compilers")
def fixture_no_compilers(tmp_path: Path, drivers: Path) -> Path:
    folder = tmp_path / "without"
    folder.mkdir()
    leave_out_compilers(folder, drivers)
    return folder


def with_drivers(
    drivers: Path, engine: Path, folder: Path, *arguments: str, trouble: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run a command on the GPUs of ``drivers``, which fail as ``trouble`` asks."""
    return streamgage(
        *arguments,
        folder=folder,
        engine=engine,
        LD_LIBRARY_PATH=str(drivers),
        CUDA_HOME=str(drivers),
        ROCM_PATH=str(drivers),
        STREAMGAGE_TEST_GPU=trouble,
    )


def measured(
    engine: Path,
    folder: Path,
    drivers: Path,
    *options: str,
    trouble: str = "",
    device: str = "cuda:0",
) -> subprocess.CompletedProcess[str]:
    """A quick run of two kernels on the only GPU of ``drivers``."""
    arguments = ("measure", "--device", device, "--quick", "--kernels", "triad,dot")
    more = ("--size", "64KiB", "--llc", "16KiB", "--no-tune", *options)
    return with_drivers(drivers, engine, folder, *arguments, *more, trouble=trouble)


def document(run: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    found = json.loads(run.stdout)
    validator("measure").validate(found)
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("element_type", ["double", "float"])
def test_a_gpu_is_measured_and_every_element_is_right(
    few: Path, tmp_path: Path, drivers: Path, element_type: str
) -> None:
    run = measured(few, tmp_path, drivers, "--type", element_type, "--format", "json")
    assert run.returncode == 0, run.stderr
    found = document(run)
    assert found["device"]["id"] == "cuda:0"
    assert found["device"]["architecture"] == "sm_90"
    assert {each["kernel"]: each["valid"] for each in found["kernels"]} == {
        "triad": True,
        "dot": True,
    }
    assert "Test GPU by CUDA" in run.stdout


def test_a_gpu_is_measured_by_hip(few: Path, tmp_path: Path, drivers: Path) -> None:
    run = measured(few, tmp_path, drivers, "--format", "json", device="hip:0")
    assert run.returncode == 0, run.stderr
    found = document(run)
    assert found["device"]["interface"] == "HIP"
    assert found["peak"] is None
    assert all(each["valid"] for each in found["kernels"])


def test_a_large_cache_is_assumed_of_an_amd_gpu_whose_driver_is_silent(
    few: Path, tmp_path: Path, drivers: Path
) -> None:
    run = with_drivers(
        *(drivers, few, tmp_path),
        *("measure", "--device", "hip:0", "--quick", "--size", "1MiB", "--details"),
    )
    assert run.returncode == 0, run.stderr
    text = " ".join(run.stdout.split())
    assert "below-4x-rule" in text
    assert "arrays are 0.0039x the last-level cache" in text, "1 of 256 MiB"


def copied(
    engine: Path, folder: Path, drivers: Path, *options: str, trouble: str = "", device: str
) -> subprocess.CompletedProcess[str]:
    """The copies between the host and that device of ``drivers``."""
    arguments = ("links", "--device", device, "--quick", "--size", "256KiB", *options)
    return with_drivers(drivers, engine, folder, *arguments, trouble=trouble)


@pytest.mark.parametrize("device", ["cuda:0", "hip:0"])
def test_copies_are_measured_each_way_and_both_at_once(
    few: Path, tmp_path: Path, drivers: Path, device: str
) -> None:
    run = copied(few, tmp_path, drivers, "--format", "json", device=device)
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    validator("links").validate(found)
    assert [each["test"] for each in found["tests"]] == ["to-device", "from-device", "both-ways"]
    for test in found["tests"]:
        assert [(each["row"], each["column"]) for each in test["cells"]] == [
            ("pageable", device),
            ("pinned", device),
        ]
    assert found["copy_bytes"] == 256 << 10


@pytest.mark.parametrize(
    ("trouble", "path"), [("devices=2", "peer-access"), ("devices=2 peers=no", "through-host")]
)
def test_copies_between_two_gpus_are_measured_and_say_how_they_go(
    few: Path, tmp_path: Path, drivers: Path, trouble: str, path: str
) -> None:
    run = copied(few, tmp_path, drivers, "--format", "json", trouble=trouble, device="gpu")
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    validator("links").validate(found)
    between = {each["test"]: each["cells"] for each in found["tests"] if each["cells"][0]["path"]}
    assert {
        test: [(each["row"], each["column"]) for each in cells] for test, cells in between.items()
    } == {
        "device-to-device": [("cuda:0", "cuda:1"), ("cuda:1", "cuda:0")],
        "devices-both-ways": [("cuda:0", "cuda:1")],
    }
    assert {each["path"] for cells in between.values() for each in cells} == {path}


@pytest.mark.parametrize("trouble", ["copies=lost", "copied=4097"])
def test_a_copy_that_is_lost_or_wrong_ends_with_status_1(
    few: Path, tmp_path: Path, drivers: Path, trouble: str
) -> None:
    run = copied(few, tmp_path, drivers, trouble=trouble, device="cuda:0")
    assert run.returncode == 1
    assert "NOT QUOTABLE" in run.stdout


def test_memory_that_cannot_be_pinned_is_one_sentence(
    few: Path, tmp_path: Path, drivers: Path
) -> None:
    run = copied(few, tmp_path, drivers, trouble="pinned=300000", device="hip:0")
    assert run.returncode == 1
    assert "of the host's memory cannot be pinned: its memory is full" in run.stderr + run.stdout


def reported(few: Path, folder: Path) -> str:
    """The page of the last result."""
    run = streamgage("report", "last", "-o", "page.html", folder=folder, engine=few)
    assert run.returncode == 0, run.stderr
    return (folder / "page.html").read_text("utf-8")


def test_the_page_has_the_driver_the_memory_and_what_slowed_it(
    few: Path, tmp_path: Path, drivers: Path
) -> None:
    run = measured(few, tmp_path, drivers, "--details", trouble="processes=2")
    assert run.returncode == 0, run.stderr
    text = " ".join(run.stdout.split())
    assert "peak 3352 GB/s (5120 bits at 2619 MHz, doubled, as the driver says)" in text
    assert "device-slowed" in text
    assert "its power limit" in text
    assert "1 other process had the device open" in text
    page = reported(few, tmp_path)
    assert "CUDA 12.4; driver 550.54.15" in page
    assert "5120 bits at 2619 MHz; error correction on" in page


def test_a_rate_above_the_peak_that_the_driver_gives_is_an_error(
    few: Path, tmp_path: Path, drivers: Path
) -> None:
    run = measured(few, tmp_path, drivers, "--details", trouble="memory_kilohertz=1 bus_bits=8")
    assert "NOT QUOTABLE" in run.stdout
    assert "above-peak" in run.stdout


def test_a_wrong_element_ends_with_status_1(few: Path, tmp_path: Path, drivers: Path) -> None:
    run = measured(few, tmp_path, drivers, trouble="wrong=77")
    assert run.returncode == 1
    assert "NOT QUOTABLE" in run.stdout


def test_a_driver_too_old_for_the_ptx_leaves_the_kernels_to_nvrtc(
    few: Path, tmp_path: Path, drivers: Path
) -> None:
    run = measured(few, tmp_path, drivers, "--details", trouble="ptx=222")
    assert run.returncode == 0, run.stderr
    assert "CUDA C++ by NVRTC 12.4" in reported(few, tmp_path)


@pytest.mark.parametrize("trouble", ["ptx=222", "ptx=221", "capability=61"])
def test_without_ptx_and_without_nvrtc_the_sentence_says_what_to_install(
    few: Path, tmp_path: Path, no_compilers: Path, trouble: str
) -> None:
    run = measured(few, tmp_path, no_compilers, trouble=trouble)
    assert (run.returncode, run.stdout) == (2, "")
    said = one_sentence(run.stderr)
    assert said.startswith("cuda:0 (Test GPU) has no kernels: ")
    assert "NVRTC, which would compile them, is not there (" in said
    assert said.endswith("install libnvrtc.so of CUDA's toolkit.")


@pytest.mark.parametrize(
    ("trouble", "said"),
    [
        ("cuInit=100", (2, "cuda:0: the CUDA driver finds no GPU")),
        (
            "cuInit=304",
            (2, "cuda:0: the CUDA driver does not start: the system does not permit it"),
        ),
        ("cuInit=803", (2, "library and its kernel module are of different versions")),
        ("mode=2", (2, "its compute mode prohibits it")),
        ("cuDevicePrimaryCtxRetain=46", (1, "another program has it for itself")),
    ],
)
def test_what_is_in_the_way_is_one_sentence_with_its_status(
    few: Path, tmp_path: Path, drivers: Path, trouble: str, said: tuple[int, str]
) -> None:
    run = measured(few, tmp_path, drivers, trouble=trouble)
    assert (run.returncode, run.stdout) == (said[0], "")
    assert said[1] in one_sentence(run.stderr)


@pytest.mark.parametrize(
    ("trouble", "words"),
    [
        ("room=100000", "its memory is full (CUDA_ERROR_OUT_OF_MEMORY)"),
        ("cuLaunchKernel=719@60", "it ended in the middle (CUDA_ERROR_LAUNCH_FAILED)"),
    ],
)
def test_what_fails_during_a_run_ends_it_with_status_1(
    few: Path, tmp_path: Path, drivers: Path, trouble: str, words: str
) -> None:
    run = measured(few, tmp_path, drivers, trouble=trouble)
    assert run.returncode == 1
    assert words in run.stderr + run.stdout


def test_a_library_that_is_no_driver_is_one_sentence(
    few: Path, tmp_path: Path, drivers: Path
) -> None:
    folder = tmp_path / "old"
    folder.mkdir()
    (folder / "libcuda.so.1").symlink_to(drivers / "libnvidia-ml.so.1")
    run = measured(few, tmp_path, folder)
    assert (run.returncode, run.stdout) == (2, "")
    said = one_sentence(run.stderr)
    assert said.startswith(
        "cuda:0: libcuda.so.1 has no function cuInit, so the driver is older than CUDA 9"
    )


TRIAD = (REPOSITORY / "examples" / "kernels" / "triad.cu").read_text("utf-8")
WORK = "a[i] = b[i] + s * c[i];"


def measured_own(
    engine: Path,
    folder: Path,
    drivers: Path,
    *options: str,
    text: str = TRIAD,
    file: str = "mine.cu",
    device: str = "cuda:0",
) -> subprocess.CompletedProcess[str]:
    """A quick run of your own kernel on the only GPU of ``drivers``."""
    (folder / file).write_text(text, "utf-8")
    more = ("--kernel-file", file, "--kernels", "triad", *options)
    return measured(engine, folder, drivers, *more, device=device)


@pytest.mark.parametrize(
    ("file", "device"), [("mine.cu", "cuda:0"), ("mine.cu", "hip:0"), ("mine.hip", "hip:0")]
)
def test_an_own_kernel_is_measured_and_its_results_are_checked(
    few: Path, tmp_path: Path, drivers: Path, file: str, device: str
) -> None:
    run = measured_own(few, tmp_path, drivers, "--format", "json", file=file, device=device)
    assert run.returncode == 0, run.stderr
    found = document(run)
    (own,) = found["own_kernels"]
    assert (own["kernel"], own["source"], own["has_check"]) == ("device-triad", file, True)
    compiler = {"cuda:0": "CUDA C++ by NVRTC 12.4", "hip:0": "HIP C++ by hipRTC 12.4"}[device]
    assert own["code"].startswith(compiler)
    assert own["checked"] == ["declaration", "bounds", "accesses", "division", "result"]
    assert {each["kernel"]: each["valid"] for each in found["kernels"]} == {
        "triad": True,
        "device-triad": True,
    }


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ((WORK, "a[i] = b[i] + ;"), "does not compile: mine.cu:20: expected"),
        ((WORK, "a[i] = b[\x1b[2J];"), "does not compile: mine.cu:20: "),
        ((WORK, "a[i] = b[i];"), "fails its own check: "),
        ((WORK, f"{WORK} if (i == 0) a[iterations + 3] = s;"), "of its array a, which has"),
        (("void run(", "void go("), "declares no function to run"),
        (('extern "C"', ""), "write extern"),
    ],
    ids=lambda each: each[1][:30] if isinstance(each, tuple) else "",
)
def test_an_own_kernel_that_is_wrong_is_left_out_and_named(
    few: Path, tmp_path: Path, drivers: Path, changed: tuple[str, str], said: str
) -> None:
    assert changed[0] in TRIAD
    run = measured_own(few, tmp_path, drivers, text=TRIAD.replace(*changed))
    assert run.returncode == 1
    (left_out,) = [line for line in run.stderr.splitlines() if "Left out: " in line]
    assert said in left_out
    assert "\x1b" not in run.stdout + run.stderr
    assert "triad" in run.stdout, "the others are measured"


@pytest.mark.parametrize(
    ("device", "library"),
    [
        ("cuda:0", "libnvrtc.so of CUDA's toolkit"),
        ("hip:0", "libhiprtc.so of ROCm"),
    ],
)
def test_without_a_run_time_compiler_the_sentence_says_what_to_install(
    few: Path, tmp_path: Path, no_compilers: Path, device: str, library: str
) -> None:
    run = measured_own(few, tmp_path, no_compilers, device=device)
    assert (run.returncode, run.stdout) == (2, "")
    said = one_sentence(run.stderr)
    assert said.startswith(f"{device} (Test GPU) ")
    assert "RTC, which would compile them, is not there (" in said
    assert said.endswith(f"): install {library}.")


@pytest.mark.parametrize("device", ["cuda:0", "hip:0"])
def test_an_own_kernel_is_measured_through_the_caches(
    few: Path, tmp_path: Path, drivers: Path, device: str
) -> None:
    (tmp_path / "mine.cu").write_text(TRIAD, "utf-8")
    run = with_drivers(
        *(drivers, few, tmp_path),
        *("ladder", "--device", device, "--kernel-file", "mine.cu", "--kernels", "triad"),
        *("--from", "32KiB", "--to", "64KiB", "--steps", "1", "--rounds", "1", "--quick"),
        *("--format", "json"),
    )
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    validator("ladder").validate(found)
    assert {each["kernel"] for each in found["curves"]} == {"device-triad", "triad"}
    for curve in found["curves"]:
        sizes = [each["bytes"] for each in curve["points"]]
        assert sizes == pytest.approx([32 << 10, 64 << 10], rel=0.02)


def node_of(
    few: Path, drivers: Path, *options: str, trouble: str = ""
) -> subprocess.CompletedProcess[str]:
    """What the engine alone prints for this node, of whose GPU one is CUDA's and one is HIP's."""
    return subprocess.run(
        [few, *options, "--kernels", "triad", "--size", "64KiB"],
        env={**os.environ, "LD_LIBRARY_PATH": str(drivers), "STREAMGAGE_TEST_GPU": trouble},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_node_has_a_line_for_each_gpu_with_what_slowed_it(few: Path, drivers: Path) -> None:
    run = node_of(few, drivers, "--json", "--device", "gpu", trouble="reasons=64 processes=3")
    assert run.returncode == 0, run.stderr
    lines = list(read_node_lines(run.stdout.encode().splitlines(), fail_on))
    units = {each.device.id: each for each in lines if isinstance(each, NodeLine) and each.device}
    assert len(units) == len(lines) > 0
    state = units["cuda:0"].device_state
    assert state is not None
    assert (state.other_processes, [each.reason for each in state.slowed_by]) == (
        2,
        ["hardware-thermal"],
    )
    assert units["cuda:0"].warnings[-2:] == ["device-slowed", "device-shared"]
    assert units["cuda:0"].disturbance == "2 other processes had the device open"


def fail_on(sentence: str) -> None:
    raise AssertionError(sentence)


def test_a_gpu_that_fails_does_not_keep_the_node_from_measuring_the_others(
    few: Path, drivers: Path
) -> None:
    run = node_of(few, drivers, "--json", "--device", "all", trouble="cuDevicePrimaryCtxRetain=46")
    assert run.returncode == 1
    assert "another program has it for itself" in run.stderr
    lines = read_node_lines(run.stdout.encode().splitlines(), fail_on)
    found = {
        each.device.id if each.device else None for each in lines if isinstance(each, NodeLine)
    }
    assert None in found, "the processor"
    assert "cuda:0" not in found
