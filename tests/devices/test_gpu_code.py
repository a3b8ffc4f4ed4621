"""Every kernel in every shape, compiled by clang for GPUs of two makers, without their tools.

The example of a user's kernel, too, and that one by NVIDIA's compilers where they are installed.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from driver_probes import build_drivers
from engine_runs import ALL_KERNELS
from programs import REPOSITORY, real_engine, streamgage

CODE = REPOSITORY / "engine" / "devices" / "code"
AMD = Path(__file__).with_name("amd_words.h")
CLANG = "clang++-14"
NVIDIA = ("sm_70", "sm_80", "sm_86")
AMDS = ("gfx906", "gfx90a", "gfx1030")
LANES = {"double": 4, "float": 8}
"""Elements of 32 bytes."""


def formula_of(kernel: str) -> tuple[str, bool]:
    """What stands right of the sign in the catalogue, and whether it is added up."""
    rows = (REPOSITORY / "engine" / "kernels" / "catalogue.hpp").read_text("utf-8")
    row = re.search(rf'"{kernel}", "[as] (\+?)= ([^"]+)"', rows)
    assert row is not None, kernel
    return row[2], bool(row[1])


def compiled(kernel: str, element: str, target: str) -> str:
    """The assembly of one kernel in all shapes."""
    formula, reduces = formula_of(kernel)
    reads = sum(1 << "abcd".index(each) for each in set(re.findall("[abcd]", formula)))
    return by_clang(
        target,
        *(f"-I{CODE}", f"-DMODULE={kernel}_{element}", f"-DT={element}"),
        *(f"-DMOST_LANES={LANES[element]}", f"-DFORMULA={formula}", f"-DREADS={reads}"),
        *(f"-DREDUCES={int(reduces)}", CODE / "module.h"),
    )


def by_clang(target: str, *arguments: str | Path) -> str:
    """The assembly that clang makes for a GPU, without the headers of its maker."""
    if target.startswith("sm_"):
        language = ["-x", "cuda", f"--cuda-gpu-arch={target}", "-nocudainc", "-nocudalib"]
        language += ["--cuda-path=/nonexistent", "-Xclang", "-target-feature", "-Xclang", "+ptx71"]
        language += ["-include", str(CODE / "clang.h")]
    else:
        language = ["-x", "hip", f"--offload-arch={target}", "-nogpuinc", "-nogpulib"]
        language += ["-include", str(AMD)]
    run = subprocess.run(
        [
            *(CLANG, "--cuda-device-only", "-std=c++17", "-O2", "-S", "-o", "-", *language),
            *arguments,
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


def names(kernel: str, element: str) -> set[str]:
    """Of the kernels in one assembly: lanes and loads."""
    lanes = [1 << each for each in range(LANES[element].bit_length())]
    return {f"{kernel}_{element}_{lane}_{loads}" for lane in lanes for loads in (1, 2, 4, 8)}


@pytest.mark.parametrize("target", NVIDIA)
def test_every_kernel_compiles_for_a_gpu_of_nvidia(target: str) -> None:
    for kernel in ALL_KERNELS:
        for element in LANES:
            text = compiled(kernel, element, target)
            found = set(re.findall(r"^\.visible \.entry (\w+)\(", text, re.M))
            assert found == names(kernel, element)
            assert f".target {target}" in text


@pytest.mark.parametrize("target", AMDS)
def test_every_kernel_compiles_for_a_gpu_of_amd(target: str) -> None:
    for kernel in ALL_KERNELS:
        for element in LANES:
            text = compiled(kernel, element, target)
            found = set(re.findall(r"^\s*\.amdhsa_kernel (\w+)$", text, re.M))
            assert found == names(kernel, element)


def test_every_vector_is_loaded_and_stored_by_instructions_of_up_to_16_bytes() -> None:
    bits = {"double": 64, "float": 32}
    for kernel in ALL_KERNELS:
        for element, most in LANES.items():
            for entry in compiled(kernel, element, "sm_80").split(".visible .entry ")[1:]:
                name = entry.partition("(")[0]
                lanes = int(name.split("_")[2])
                wide = min(lanes, most // 2)
                moved = set(
                    re.findall(r"\b(?:ld|st)\.global(?:\.nc)?((?:\.v[24])?\.[fbu]\d+)", entry)
                )
                sums = {f".f{bits[element]}"} if formula_of(kernel)[1] else set()
                vector = f".v{wide}" if wide > 1 else ""
                assert moved - sums == {f"{vector}.f{bits[element]}"} - sums, name


def test_no_shape_keeps_what_it_holds_in_memory() -> None:
    """A register that is stored to local memory would be traffic that nobody counts."""
    for kernel in ("triad", "bracket", "dot"):
        for element in LANES:
            text = compiled(kernel, element, "sm_70")
            assert ".local" not in text, (kernel, element)


EXAMPLE = REPOSITORY / "examples" / "kernels" / "triad.cu"
OF_PTX = re.compile(r"^\.visible \.entry (\w+)\(", re.M)


@pytest.mark.parametrize("target", [*NVIDIA, *AMDS])
def test_the_example_of_a_users_kernel_compiles_for_every_gpu(target: str) -> None:
    text = by_clang(target, "-include", Path(__file__).with_name("own_words.h"), EXAMPLE)
    names = OF_PTX if target in NVIDIA else re.compile(r"^\s*\.amdhsa_kernel (\w+)$", re.M)
    assert set(names.findall(text)) == {"run", "check"}


NVCC = next(
    (
        each
        for each in (shutil.which("nvcc"), "/usr/local/cuda/bin/nvcc")
        if each and Path(each).is_file()
    ),
    None,
)
NVRTC = Path("/usr/local/cuda/lib64/libnvrtc.so")
WORK = "a[i] = b[i] + s * c[i];"


@pytest.mark.skipif(NVCC is None, reason="CUDA's toolkit is not installed")
def test_the_example_compiles_by_nvcc_as_it_is(tmp_path: Path) -> None:
    assert NVCC is not None
    ptx = tmp_path / "triad.ptx"
    subprocess.run([NVCC, "-arch=sm_90", "-ptx", "-o", ptx, EXAMPLE], check=True)
    assert set(OF_PTX.findall(ptx.read_text("utf-8"))) == {"run", "check"}


@pytest.fixture(scope="session", name="with_nvrtc")
def fixture_with_nvrtc(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The driver for tests with NVIDIA's compiler, whose machine code it does not take."""
    folder = tmp_path_factory.mktemp("nvrtc")
    build_drivers(folder)
    (folder / "libnvrtc.so").unlink()
    (folder / "libnvrtc.so").symlink_to(NVRTC)
    for builtins in NVRTC.parent.glob("libnvrtc-builtins.so*"):
        (folder / builtins.name).symlink_to(builtins)
    return folder


@pytest.mark.skipif(not NVRTC.is_file(), reason="NVRTC is not installed")
@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (("", ""), "a kernel cannot be loaded: "),
        ((WORK, "a[i] = b[i] + ;"), "does not compile: triad.cu:20: expected an expression."),
        ((WORK, "a[i] = q[i];"), 'does not compile: triad.cu:20: identifier "q" is undefined.'),
        (
            ("// streamgage: name", '#include "mine.h"\n// streamgage: name'),
            "triad.cu:10: cannot open",
        ),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_nvrtc_compiles_the_example_and_names_the_line_of_an_error(
    with_nvrtc: Path, tmp_path: Path, changed: tuple[str, str], said: str
) -> None:
    text = EXAMPLE.read_text("utf-8")
    assert changed[0] in text
    (tmp_path / "triad.cu").write_text(text.replace(*changed, 1), "utf-8")
    run = streamgage(
        *("measure", "--device", "cuda:0", "--kernel-file", "triad.cu", "--kernels", ""),
        *("--size", "1MiB", "--no-store"),
        folder=tmp_path,
        engine=real_engine(),
        LD_LIBRARY_PATH=str(with_nvrtc),
    )
    assert run.returncode == 1, run.stderr
    assert said in run.stderr
