"""Finds the device that really ran a benchmark from the name in its output.

CUDA for x86 and HIP for CPUs run on processors; OpenCL, SYCL and others run on either.
"""

from __future__ import annotations

import re

_NAMED = re.compile(
    r"(?:Using (?:CUDA|HIP|OpenCL|SYCL|alpaka)?[ \t]{0,5}device:?|Device(?: name)?:)[ \t]{0,5}"
    r"(?P<name>\S[^\n]{0,80})",
    re.I,
)
_PROCESSOR = re.compile(
    r"emulation|xeon|epyc|core\(tm\)|ryzen|\bcpu\b|hipcpu|pthread|\bhost\b|power[0-9]|opteron"
    r"|processor|thunderx|graviton|neoverse|kunpeng|a64fx",
    re.I,
)
_GPU = re.compile(
    r"titan|geforce|tesla|radeon|instinct|quadro|nvidia|\b[AHPVKBL][0-9]{2,3}0?\b|\bMI[0-9]{2,3}"
    r"|gfx[0-9]|graphics|rtx|gtx|firepro|\barc\b|data center gpu|\bgpu\b|vega",
    re.I,
)
_MODEL = re.compile(
    r"(?:Implementation: {0,5}(?P<model>CUDA|HIP|Thrust)"
    r"|STREAM Benchmark implementation in (?P<stream>CUDA|HIP)|(?P<kokkos>Kokkos::(?:Cuda|HIP))"
    r"|AcceleratorType: {0,5}(?P<alpaka>AccGpu(?:Cuda|Hip)\w{0,10}))\b",
    re.I,
)
"""Programming models that run on GPUs, unless the device's name says otherwise."""


_OF_PROCESSORS = re.compile(
    r"\bIntel\(R\)|\bAMD\b.{0,20}\d|Core\(TM\)|\bcore (?:i[3579]|ultra)|ryzen|threadripper|athlon"
    r"|celeron|pentium|\bxeon|epyc|opteron|power ?[0-9]|thunderx|graviton|neoverse|cortex|kunpeng"
    r"|a64fx|ampere|altra|apple m[0-9]|snapdragon|loongson|bcm[0-9]|raspberry|grace|zhaoxin|phytium"
    r"|hygon|sg20[0-9]|z1[3-7]\b|\b[iw][3579]-[0-9]|strix|fx-[0-9]|atom",
    re.I,
)
_NO_PROCESSOR = re.compile(
    r"radeon|instinct|geforce|nvidia|graphics$|dimm|ddr[0-9]|\barc\b.{0,8}a[0-9]{3}", re.I
)
_WITH_GRAPHICS = re.compile(r"\b(?:with|w/) radeon.*", re.I)
"""Matches what names of processors say of the graphics in them."""


def is_processor(name: str) -> bool:
    """Return whether a name is that of a processor."""
    without = _WITH_GRAPHICS.sub("", name)
    return _OF_PROCESSORS.search(without) is not None and _NO_PROCESSOR.search(without) is None


def is_gpu(name: str) -> bool:
    """Return whether a name is that of a GPU."""
    return _GPU.search(name) is not None


def runs_on_gpus(text: str) -> bool:
    """Return whether a benchmark in the text says that it ran by a model for GPUs."""
    device = _NAMED.search(text)
    on_processor = device is not None and _PROCESSOR.search(device["name"]) is not None
    return _MODEL.search(text) is not None and not on_processor


def gpu_notes(tool: str, text: str) -> tuple[str, ...]:
    """A note if the benchmark ran on a GPU; empty if it did not, or does not say."""
    device, model = _NAMED.search(text), _MODEL.search(text)
    name = device["name"].strip() if device is not None else ""
    if name and _PROCESSOR.search(name):
        return ()
    by = f"{name}" if name and _GPU.search(name) else ""
    if not by and model is not None:
        by = next(each for each in model.groups() if each)
    if not by:
        return ()
    return (
        f"{tool} ran on a GPU ({by}). Remarks about stores that read what they overwrite apply to"
        " processors with write-back caches.",
    )
