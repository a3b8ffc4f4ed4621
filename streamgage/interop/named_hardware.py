"""Finds the processor or device that a text names next to an output, such as in lscpu's lines."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

from streamgage.analysis.machine.gpu_names import is_discrete_gpu
from streamgage.analysis.machine.name_parts import sockets_in
from streamgage.interop.devices import is_gpu, is_processor, runs_on_gpus
from streamgage.interop.parsed import ParsedOutput
from streamgage.interop.tables import BenchmarkFacts

_OF_PROCESSOR = re.compile(
    r"^[^\S\n]{0,20}(?:[|*-]{1,2}[^\S\n]{0,4})?\**"
    r"(?:model name|model|cpu(?: name| model| type| info)?|processor(?: name| model| type)?|chip"
    r"|prozessor|modellname|nom de mod\u00e8le|\u578b\u53f7\u540d\u79f0"
    r"|brand(?:[ _]string)?|machdep\.cpu\.brand_string|hardware|soc|version"
    r"|processors|cpus)\**[^\S\n]{0,40}[:=|][^\S\n]{0,40}\**(?P<name>[^\n]{3,160})$"
    r"|\bDetected (?P<pcm>[^\n\"]{5,100}?)(?: \"Intel|$)",
    re.M | re.I,
)
"""Matches lscpu in English, German, French and Chinese, /proc/cpuinfo, dmidecode, sysctl, pcm, and
the lines that people write."""
_OF_DEVICE = re.compile(
    r"^[^\S\n]{0,20}(?:[|*-]{1,2}[^\S\n]{0,4})?\**(?:ggml_\w{2,20}:[^\S\n]{0,8})?"
    r"(?:using )?(?:cuda|hip|opencl|sycl|gpu|graphics)?[^\S\n]{0,4}"
    r"(?:device|gpu|accelerator|graphics card|card|product name)(?:[^\S\n]{0,3}#?[0-9]{1,3})?"
    r"(?: name| type)?\**[^\S\n]{0,40}[:=|,][^\S\n]{0,40}(?:[0-9]{1,3}, {0,3})?\**"
    r"(?P<name>[^\n]{3,160})$",
    re.M | re.I,
)
"""Matches nvidia-smi ``-L``, benchmarks on GPUs, and the lines that people write."""
_SOCKETS = re.compile(
    r"^[^\S\n]{0,20}(?:socket\(s\)|sockel|\u5ea7|(?:num(?:ber)?(?: of)? )?sockets?|packages?"
    r"|number of packages)[^\S\n]{0,20}[:=|][^\S\n]{0,20}(?P<number>[1248])\b",
    re.M | re.I,
)
_GUEST = re.compile(
    r"^[^\S\n]{0,20}(?:hypervisor vendor|hypervisor-anbieter|\u8d85\u7ba1\u7406\u5668\u5382\u5546)"
    r"[^\S\n]{0,20}:",
    re.M | re.I,
)
"""Matches lscpu's line of a guest, whose sockets a hypervisor may have made up."""
_NODES = re.compile(
    r"^[^\S\n]{0,20}numa[- ](?:node\(s\)|knoten|\u8282\u70b9)[^\S\n]{0,20}:[^\S\n]{0,20}"
    r"(?P<number>[0-9]+)",
    re.M | re.I,
)
_REST = re.compile(
    r"\s*(?:\(UUID:.*|, ?compute capability.*|,\s{0,4}GPU-.*|, ?pci.*"
    r"|,\s{1,4}[0-9a-f]{1,4}:[0-9a-f]{1,2}\b.*|\(CuDevice.*|@ [0-9.]+ ?GHz.*"
    r"|Unknown CPU.*|\|.*|,? VMM: .*)$",
    re.I,
)
_LONGEST = 80
_TOOLS_OF_DEVICES = frozenset(
    ("nvbandwidth", "rocm_bandwidth_test", "p2pBandwidthLatencyTest", "bandwidthTest")
)
_TOOLS_OF_BOTH = frozenset(("STREAM", "BabelStream", "Kokkos"))
_MOST_NAMES = 1000


@dataclass(frozen=True)
class _Named:
    line: int
    name: str
    is_device: bool


def with_hardware(text: str, parsed: ParsedOutput) -> ParsedOutput:
    """The tables and charts with the processor or device that the text names for them.

    If a text names several, the last before a table counts. What a benchmark itself names comes
    first.
    """
    named = _names(text)
    on_gpu = runs_on_gpus(text)

    def about(facts: BenchmarkFacts, line: int) -> BenchmarkFacts:
        return _about(facts, line, named, on_gpu=on_gpu)

    return replace(
        parsed,
        tables=tuple(replace(e, about=about(e.about, e.line)) for e in parsed.tables),
        charts=tuple(replace(e, about=about(e.about, e.line)) for e in parsed.charts),
    )


def _about(
    about: BenchmarkFacts, line: int, named: Sequence[_Named], *, on_gpu: bool
) -> BenchmarkFacts:
    """The facts with the name of what ran: of a GPU only if the benchmark ran on one."""
    of_devices = about.tool in _TOOLS_OF_DEVICES or (on_gpu and about.tool in _TOOLS_OF_BOTH)
    if about.processor is not None:
        on_gpu = of_devices or (about.tool in _TOOLS_OF_BOTH and is_discrete_gpu(about.processor))
        return replace(about, on_gpu=on_gpu)
    about = replace(about, on_gpu=of_devices)
    fitting = [each for each in named if each.is_device == of_devices]
    names = {each.name for each in fitting}
    if len(names) == 1:
        return replace(about, processor=names.pop())
    if about.tool in _TOOLS_OF_DEVICES:
        return about  # its figures are those of all of them
    place = bisect_right([each.line for each in fitting], line)
    return replace(about, processor=fitting[place - 1].name) if place else about


def _names(text: str) -> list[_Named]:
    """The names of processors and devices, in the order of the text."""
    found: list[_Named] = []
    for pattern in (_OF_PROCESSOR, _OF_DEVICE):
        line, counted = 1, 0
        for match in list(pattern.finditer(text))[:_MOST_NAMES]:
            line += text.count("\n", counted, match.start())
            counted = match.start()
            said = match["name"] or match.groupdict().get("pcm") or ""
            name = _REST.sub("", said).strip(" \t*`|,;:\"'")
            name = " ".join(name.split())[:_LONGEST]
            device = pattern is _OF_DEVICE and is_gpu(name) and not is_processor(name)
            if not device and not is_processor(name):
                continue
            if not device:
                name = _with_sockets(name, text[match.start() : match.start() + 4000])
            found.append(_Named(line, name, device))
    found.sort(key=lambda each: each.line)
    return found


def _with_sockets(name: str, after: str) -> str:
    """The name with the number of processors before it, if the lines below it have that.

    A guest's sockets are only believed if its NUMA nodes confirm them.
    """
    if sockets_in(name) is not None:
        return name
    below = _SOCKETS.search(after)
    if below is None:
        return name
    nodes = _NODES.search(after)
    if _GUEST.search(after) and int(below["number"]) > (int(nodes["number"]) if nodes else 1):
        return name
    return f"{below['number']} x {name}"
