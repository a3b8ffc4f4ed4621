"""Every kernel in every shape, compiled by clang for GPUs of two makers, without their tools.

The example of a user's kernel, too, and that one by NVIDIA's compilers where they are installed.
"""

from __future__ import annotations

import itertools
import os
import re
import shutil
import struct
import subprocess
from pathlib import Path

import pytest
from driver_probes import build_drivers
from engine_runs import ALL_KERNELS
from programs import REPOSITORY, real_engine, streamgage

CODE = REPOSITORY / "engine" / "devices" / "code"
CLANG = "clang++-14"
NVIDIA = ("sm_70", "sm_80", "sm_86")
AMD_GPUS = ("gfx906", "gfx908", "gfx90a", "gfx1030")
LANES = {"double": 2, "float": 4}
"""Elements of 16 bytes, the widest vector of AMD's GPUs; NVIDIA's have vectors of two such."""


PTXAS = shutil.which("ptxas", path=f"{os.environ['PATH']}:/usr/local/cuda/bin")
"""NVIDIA's assembler, where CUDA's toolkit is."""
LARGEST = {"streamgage_bracket_float_8_8"}
"""Eight loads of 32 bytes from four arrays take more registers than a work-item has."""


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
        *(f"-DMOST_LANES={most_lanes(element, target)}", f"-DFORMULA={formula}"),
        *(f"-DLANES_OF_16_BYTES={LANES[element]}", f"-DREADS={reads}"),
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
        language += ["-include", str(CODE / "amdgcn.h")]
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


def most_lanes(element: str, target: str) -> int:
    """Elements of the widest vector."""
    return LANES[element] * (2 if target.startswith("sm_") else 1)


def names(kernel: str, element: str, target: str) -> set[str]:
    """Of the kernels in one assembly: lanes, loads, and whether they pass by the caches."""
    lanes = [1 << each for each in range(most_lanes(element, target).bit_length())]
    shapes = list(itertools.product(lanes, (1, 2, 4, 8)))
    plain = {f"{kernel}_{element}_{lane}_{loads}" for lane, loads in shapes}
    streamed = [(lane, loads) for lane, loads in shapes if lane >= LANES[element]]
    return plain | {f"{kernel}_{element}_{lane}_{loads}_streaming" for lane, loads in streamed}


@pytest.mark.parametrize("target", NVIDIA)
def test_every_kernel_compiles_for_a_gpu_of_nvidia(target: str) -> None:
    for kernel in ALL_KERNELS:
        for element in LANES:
            text = compiled(kernel, element, target)
            found = set(re.findall(r"^\.visible \.entry (\w+)\(", text, re.M))
            assert found == names(kernel, element, target)
            assert f".target {target}" in text


@pytest.mark.parametrize("target", AMD_GPUS)
def test_every_kernel_compiles_for_a_gpu_of_amd(target: str) -> None:
    for kernel in ALL_KERNELS:
        for element in LANES:
            text = compiled(kernel, element, target)
            found = set(re.findall(r"^\s*\.amdhsa_kernel (\w+)$", text, re.M))
            assert found == names(kernel, element, target)


@pytest.mark.parametrize("target", AMD_GPUS)
def test_all_loads_of_a_work_item_come_before_the_first_use(target: str) -> None:
    """What the compiler mixes with computing is not in flight at the same time."""
    for kernel, arrays in (("copy", 1), ("triad", 2), ("dot", 2), ("bracket", 4)):
        for element, most in LANES.items():
            text = compiled(kernel, element, target)
            assert not re.search(r"\.vgpr_spill_count: [1-9]", text)
            shapes = [*itertools.product((1, most), (2, 4, 8), ("",)), (most, 8, "_streaming")]
            for lanes, loads, hint in shapes:
                code = text.partition(f"\n{kernel}_{element}_{lanes}_{loads}{hint}:")[2]
                code = code.partition("s_endpgm")[0]
                steps = re.findall(
                    r"^\s+(global_load|global_store|v_\w*(?:fma|add)\w*_f)", code, re.M
                )
                rows = "".join("L" if each == "global_load" else "." for each in steps)
                assert "L" * arrays * loads in rows, (kernel, element, lanes, loads)


def test_every_vector_is_loaded_and_stored_by_instructions_of_up_to_16_bytes() -> None:
    bits = {"double": 64, "float": 32}
    for kernel in ALL_KERNELS:
        for element, most in LANES.items():
            for entry in compiled(kernel, element, "sm_80").split(".visible .entry ")[1:]:
                name = entry.partition("(")[0]
                lanes = int(name.split("_")[2])
                wide = min(lanes, most)
                moved = set(re.findall(r"\b(?:ld|st)\.global((?:\.\w+)*?\.[fbu]\d+)", entry))
                sums = {f".f{bits[element]}"} if formula_of(kernel)[1] else set()
                hint = ".cs" if name.endswith("_streaming") else ""
                vector = f".v{wide}" if wide > 1 else ""
                assert moved - sums == {f"{hint}{vector}.f{bits[element]}"} - sums, name


def embedded_ptx() -> list[str]:
    """The PTX in the engine, as its drivers get it."""
    texts = re.findall(rb"//\n// Generated by LLVM NVPTX[^\0]*", real_engine().read_bytes())
    return [each.decode() for each in texts]


@pytest.mark.parametrize("gpu", [75, 90, 100])
def test_the_ptx_of_the_engine_is_for_its_gpus(gpu: int, tmp_path: Path) -> None:
    """Where CUDA's toolkit is, its assembler takes all of it, and spills no register."""
    texts = embedded_ptx()
    entries = [name for each in texts for name in re.findall(r"\.entry (\w+)\(", each)]
    assert len(entries) == len(set(entries))
    # Rings have the vectors of 16 bytes, of all kernels that load anything.
    rings = {
        f"streamgage_ring_{kernel}_{element}_{LANES[element]}_{loads}"
        for kernel in ALL_KERNELS
        for element in LANES
        for loads in (1, 2, 4, 8)
        if re.search("[abcd]", formula_of(kernel)[0])
    }
    assert {name for name in entries if "_ring_" in name} == rings
    taken = 0
    for text in texts:
        (version, target) = re.findall(r"^\.version (\S+)\n\.target sm_(\d+)$", text, re.M)[0]
        assert (version, target) == (("8.0", "90") if "_ring_" in text else ("6.0", "70"))
        assert ("cp.async.bulk." in text) == ("_ring_" in text)
        if PTXAS is None or int(target) > gpu:
            continue
        run = subprocess.run(
            [PTXAS, "-v", f"-arch=sm_{gpu}", "-", "-o", tmp_path / "code"],
            input=text,
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, run.stderr
        spills = re.findall(r"properties for (\w+)\n.*, (\d+) bytes spill stores", run.stderr)
        assert {name for name, spilled in spills if spilled != "0"} <= LARGEST
        taken += 1
    assert PTXAS is None or taken == len(texts) - (gpu < 90) * len(rings) // 4


def embedded_amdgcn() -> list[tuple[str, bytes]]:
    """The target and the code of each entry of the bundles in the engine."""
    found = []
    for bundle in real_engine().read_bytes().split(b"__CLANG_OFFLOAD_BUNDLE__")[1:]:
        (entries,), at = struct.unpack_from("<Q", bundle), 8
        for _ in range(entries):
            offset, size, letters = struct.unpack_from("<QQQ", bundle, at)
            target = bundle[at + 24 : at + 24 + letters].decode()
            at += 24 + letters
            start = offset - len(b"__CLANG_OFFLOAD_BUNDLE__")
            found.append((target, bundle[start : start + size]))
    return [(target, code) for target, code in found if not target.startswith("host")]


def test_the_machine_code_of_the_engine_has_every_kernel_for_each_gpu_of_amd() -> None:
    of_gpus: dict[str, set[str]] = {}
    for target, code in embedded_amdgcn():
        assert code.startswith(b"\x7fELF\x02\x01")
        assert struct.unpack_from("<HH", code, 16) == (3, 224), "a shared object for amdgcn"
        named = {each.decode() for each in re.findall(rb"\0(streamgage_\w+)(?=\0)", code)}
        of_gpus.setdefault(target.rpartition("-")[2], set()).update(named)
    assert {"gfx908", "gfx90a", "gfx1030"} <= set(of_gpus)
    wanted = {"streamgage_chase", "streamgage_fill_double", "streamgage_fill_float"}
    for kernel, element in itertools.product(ALL_KERNELS, LANES):
        wanted |= {f"streamgage_{name}" for name in names(kernel, element, "gfx90a")}
    for gpu, named in of_gpus.items():
        assert named == wanted, gpu


def test_no_shape_keeps_what_it_holds_in_memory() -> None:
    """A register that is stored to local memory would be traffic that nobody counts."""
    for kernel in ("triad", "bracket", "dot"):
        for element in LANES:
            text = compiled(kernel, element, "sm_70")
            assert ".local" not in text, (kernel, element)


EXAMPLE = REPOSITORY / "examples" / "kernels" / "triad.cu"
OF_PTX = re.compile(r"^\.visible \.entry (\w+)\(", re.M)


@pytest.mark.parametrize("target", [*NVIDIA, *AMD_GPUS])
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
