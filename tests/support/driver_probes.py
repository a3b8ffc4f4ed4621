"""Drivers for tests, under the real ones' names: GPUs' of engine/devices/probes, and OpenCL's."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from programs import REPOSITORY

_PROBES = REPOSITORY / "engine" / "devices" / "probes"
_AS_HIP = ("-include", str(_PROBES / "hip_names.h"))
_DRIVERS = {
    "libcuda.so.1": ("gpu_driver.cpp",),
    "libnvrtc.so": ("gpu_compiler.cpp",),
    "libnvidia-ml.so.1": ("nvml.cpp",),
    "libamdhip64.so": ("gpu_driver.cpp", *_AS_HIP),
    "libhiprtc.so": ("gpu_compiler.cpp", *_AS_HIP),
}
_COMPILERS = (
    *("libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2"),
    *("libhiprtc.so", "libhiprtc.so.7", "libhiprtc.so.6", "libhiprtc.so.5"),
)


def build_drivers(folder: Path) -> None:
    """Drivers of CUDA and HIP with their compilers and NVML, for ``LD_LIBRARY_PATH``."""
    for name, (source, *options) in _DRIVERS.items():
        subprocess.run(
            [
                *("c++", "-std=c++20", "-O0", "-shared", "-fPIC", *options),
                *(f"-I{REPOSITORY / 'engine'}", f"-I{REPOSITORY / 'library'}"),
                *(f'-DSTREAMGAGE_TEST_PROBES="{_PROBES}"', _PROBES / source),
                *("-o", folder / name, "-ldl"),
            ],
            check=True,
        )


LIBRARIES = {
    "cuda": ("libcuda.so.1",),
    "hip": ("libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5"),
    "opencl": ("libOpenCL.so.1",),
}
"""The files that each driver is looked for in."""
NO_PLATFORM = -1001
"""What an OpenCL without a driver answers: CL_PLATFORM_NOT_FOUND_KHR."""


def leave_out(folder: Path, driver: str) -> None:
    """Files in the place of the driver's libraries that are no libraries."""
    for name in LIBRARIES[driver]:
        (folder / name).write_text("no library\n", "utf-8")


def build_opencl(folder: Path, functions: str = r"\w+") -> None:
    """An OpenCL without a driver that has those of the functions which the pattern matches."""
    bound = (REPOSITORY / "engine/devices/drivers/opencl_functions.cpp").read_text("utf-8")
    names = re.findall(rf"STREAMGAGE_BIND\(({functions})\);", bound)
    text = "".join(f"int cl{name}() {{ return {NO_PLATFORM}; }}\n" for name in names)
    subprocess.run(
        ["c++", "-shared", "-fPIC", "-xc++", "-", "-o", folder / "libOpenCL.so.1"],
        input=f'extern "C" {{ {text} }}',
        text=True,
        check=True,
    )


def leave_out_compilers(folder: Path, drivers: Path) -> None:
    """The same drivers, and files in the place of NVRTC and hipRTC that are no libraries."""
    for name in ("libcuda.so.1", "libnvidia-ml.so.1", "libamdhip64.so"):
        (folder / name).symlink_to(drivers / name)
    for name in _COMPILERS:
        (folder / name).write_text("no library\n", "utf-8")
