"""What the project claims of GPUs, each claim once: its words, and the function that decides it.

A function reads what a run recorded. It raises ``NotTriedError`` where nothing decides the claim.
"""

from __future__ import annotations

import re
import statistics
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

from gpu_checking.findings import (
    ChainTime,
    ClockReading,
    Compilation,
    CopyRate,
    HintRate,
    LadderRate,
    ProvenLaunches,
    ShapeRate,
    WarmRate,
    WrongResult,
)
from gpu_checking.recorded import CommandRecord, NotTriedError, Recorded

Verdict = Literal["holds", "refuted", "not tried"]


@dataclass(frozen=True)
class Decision:
    """Whether a claim holds, and what decided it."""

    holds: bool
    evidence: str


Decide = Callable[[Recorded], Decision]


@dataclass(frozen=True)
class Claim:
    """A claim of the documentation or of the review of it."""

    name: str
    words: str
    decide: Decide
    timed: bool
    """Whether it is about times, of which small arrays show nothing."""


CLAIMS: list[Claim] = []
"""In the order in which they are shown."""


def claim(words: str, *, timed: bool) -> Callable[[Decide], Decide]:
    """Make a claim of the function that decides it; its name is the claim's."""

    def declared(decide: Decide) -> Decide:
        CLAIMS.append(Claim(decide.__name__.replace("_", "-"), words, decide, timed))
        return decide

    return declared


# What a device is.


@claim("the engine finds the driver and the device without any variable", timed=False)
def device_listed(recorded: Recorded) -> Decision:
    """C2: libraries are found where vendors put them."""
    device = recorded.device()
    return Decision(True, f"{device['name']} by {device['driver']}")


@claim("the result has the device's UUID and its PCI address", timed=False)
def device_identified(recorded: Recorded) -> Decision:
    """C5: results of several GPUs cannot be confused."""
    device = recorded.device()
    _needs_gpu(device)
    return Decision(
        device["uuid"] is not None and device["pci_address"] is not None,
        f"UUID {device['uuid']}, PCI address {device['pci_address']}",
    )


@claim("cuda:N is the GPU that nvidia-smi calls N", timed=False)
def order_of_nvidia_smi(recorded: Recorded) -> Decision:
    """C13: whoever takes a slow GPU out of service takes the right one."""
    device = recorded.device()
    name, _, number = device["id"].partition(":")
    if name != "cuda":
        raise NotTriedError("it is for cuda only")
    commands = recorded.step("system").commands
    if any("CUDA_VISIBLE_DEVICES" in command.output for command in commands):
        raise NotTriedError("CUDA_VISIBLE_DEVICES chooses among the GPUs")
    listing = next(command for command in commands if command.words[-1] == "-L")
    line = re.search(rf"^GPU {number}: .*UUID: (\S+)\)", listing.output, re.M)
    if line is None:
        raise NotTriedError(f"nvidia-smi -L: {listing.last_line}")
    return Decision(
        line[1] == device["uuid"],
        f"nvidia-smi: {line[1]}; {device['id']}: {device['uuid']}",
    )


# The kernels.


@claim("the driver compiles every kernel in the engine that is for this GPU", timed=False)
def ptx_compiles(recorded: Recorded) -> Decision:
    """The PTX was only assembled by ptxas so far."""
    texts = [text for text in recorded.findings("compiler", Compilation) if text.for_this_gpu]
    refused = [f"{text.module} (error {text.code})" for text in texts if text.code != 0]
    kernels = sum(text.kernels for text in texts)
    evidence = f"{kernels} kernels in {len(texts)} texts, refused: {', '.join(refused) or 'none'}"
    return Decision(not refused, evidence)


@claim("the driver's compiler takes less than half a second for a text of kernels", timed=True)
def compiler_is_quick(recorded: Recorded) -> Decision:
    """C7: a slow compiler leaves the tuner few shapes."""
    seconds = [text.seconds for text in recorded.findings("compiler", Compilation)]
    longest = max(seconds)
    return Decision(longest < 0.5, f"{longest:.2f} s at most, {sum(seconds):.1f} s for all")


@claim("no kernel in any shape computes a wrong element or a wrong sum", timed=False)
def no_wrong_element(recorded: Recorded) -> Decision:
    """C18, the part of it that needs a GPU."""
    wrong = _if_any(recorded, "results", WrongResult)
    if wrong:
        entries = sorted({result.entry for result in wrong})
        return Decision(False, f"{len(wrong)} launches are wrong: {_some(entries)}")
    proven = recorded.findings("results", ProvenLaunches)
    types = {counts.element_type for counts in proven}
    if types != {"double", "float"}:
        raise NotTriedError(f"results: only {', '.join(types)} came to its end, without a fault")
    return Decision(True, f"{sum(counts.launches for counts in proven):,} launches, all right")


@claim("no measure ended with a wrong element", timed=False)
def measures_are_valid(recorded: Recorded) -> Decision:
    """Each result of ``measure`` was compared to the last element."""
    checked: list[dict[str, Any]] = []
    for step in ("measure_cold", "measure_warm", "measure_large", "measure_float"):
        checked += _if_any_record(recorded, step, "validation")
    if not checked:
        recorded.records("measure_cold", "validation")
    wrong = [record for record in checked if not record["valid"]]
    elements = sum(record["checked"] for record in checked)
    return Decision(
        not wrong, f"{len(wrong)} of {len(checked)} variants wrong, {elements:,} elements"
    )


@claim("your own kernel leaves no wrong element", timed=False)
def own_kernel_is_right(recorded: Recorded) -> Decision:
    """It is compiled by NVRTC, hipRTC or the OpenCL driver."""
    own = _own_kernel(recorded)
    return Decision(own["valid"], f"{own['kernel']} at {own['median_gbps']:.0f} GB/s")


@claim("your own triad is within 10 % of the built-in one", timed=True)
def own_kernel_is_fast(recorded: Recorded) -> Decision:
    """Each of its work-items does one iteration, as in the standard shape."""
    ratio = _own_kernel(recorded)["median_gbps"] / _median(recorded, "own_kernel", "triad")
    return _within(ratio, 0.10, "your own triad over the built-in one")


@claim(
    "where the driver may not compile PTX, NVRTC does, or a sentence says what is missing",
    timed=False,
)
def without_jit(recorded: Recorded) -> Decision:
    """C12: CUDA_DISABLE_PTX_JIT=1."""
    command = recorded.step("without_jit").commands[0]
    if command.status is None:
        raise NotTriedError(f"without_jit: {recorded.step('without_jit').trouble}")
    if command.status == 0:
        return Decision(True, "it measured with another compiler")
    return Decision(_is_refusal(command), command.last_line)


@claim("what cannot be measured is refused in one sentence", timed=False)
def refusals(recorded: Recorded) -> Decision:
    """No device, no such device, no room."""
    commands = recorded.step("refusals").commands
    if any(command.status is None for command in commands):
        raise NotTriedError(f"refusals: {recorded.step('refusals').trouble}")
    bad = [command for command in commands if not _is_refusal(command)]
    shown = bad or commands
    evidence = "; ".join(f"status {command.status}: {command.last_line}" for command in shown)
    return Decision(not bad, evidence)


# The clock.


@claim("the device's stamps agree with the host's clock within 5 %", timed=True)
def stamps_agree(recorded: Recorded) -> Decision:
    """The engine decides by the same limit, on what it launches first."""
    clock = recorded.records("measure_warm", "device-clock")[0]
    if clock["event_seconds"] is None:
        raise NotTriedError("the driver gives no stamps")
    differ = abs(clock["host_seconds"] - clock["event_seconds"])
    allowed = max(0.05 * clock["host_seconds"], 2 * clock["launch_seconds"])
    return Decision(
        clock["timed_by"] == "events",
        f"they differ by {differ * 1e6:.1f} us in {clock['host_seconds'] * 1e3:.2f} ms, "
        f"{allowed * 1e6:.1f} us are allowed",
    )


@claim("what lies between two launches is below 1 % of a pass through the usual arrays", timed=True)
def launches_are_short(recorded: Recorded) -> Decision:
    """P3, C4: samples have several launches, and the gaps are in their time."""
    readings = recorded.findings("clock", ClockReading)
    empty = [reading for reading in readings if reading.bytes == 0]
    full = max(readings, key=lambda reading: (reading.launches, reading.bytes))
    most, one = max(empty, key=_launches_of), min(empty, key=_launches_of)
    gap = (most.event_seconds - one.event_seconds) / (most.launches - one.launches)
    share = gap / (full.event_seconds / full.launches)
    return Decision(share < 0.01, f"{gap * 1e6:.2f} us, {share:.2%} of a pass of triad")


@claim("arrays of the usual size are within 2 % of four times as large", timed=True)
def usual_size(recorded: Recorded) -> Decision:
    """C4: the time of a pass is long against its launch, ramp and tail."""
    usual = recorded.document("measure_warm")["setup"]["array_bytes"]
    large = recorded.document("measure_large")["setup"]["array_bytes"]
    if large < 2 * usual:
        raise NotTriedError("the memory has no room for arrays that are larger")
    ratios = {
        kernel: _median(recorded, "measure_warm", kernel)
        / _median(recorded, "measure_large", kernel)
        for kernel in ("copy", "triad")
    }
    worst = max(ratios.values(), key=lambda ratio: abs(ratio - 1))
    return _within(worst, 0.02, f"{usual >> 20} MiB over {large >> 20} MiB, {_percents(ratios)}")


@claim("one launch of triad over the usual arrays is within 1 % of many in a row", timed=True)
def one_launch_is_enough(recorded: Recorded) -> Decision:
    """P3: the race of the tuner times few launches."""
    rates = recorded.findings("sizes", ShapeRate)
    of_triad = [rate for rate in rates if rate.entry.endswith("triad_double_1_1")]
    size = max(rate.array_bytes for rate in of_triad if rate.array_bytes <= 1 << 30)
    at_size = {rate.launches: rate.gbps for rate in of_triad if rate.array_bytes == size}
    return _within(at_size[1] / at_size[32], 0.01, f"one over 32 at {size >> 20} MiB")


# Shapes.


@claim("the tuned shape of each kernel is within 3 % of the best of all shapes", timed=True)
def tuned_shape(recorded: Recorded) -> Decision:
    """The probe races shapes that the tuner has not, too."""
    best = _best_of_shapes(recorded)
    rows = recorded.document("measure_warm")["kernels"]
    both = [kernel for kernel in best if kernel in {row["kernel"] for row in rows}]
    ratios = {
        kernel: _best_median(recorded, "measure_warm", kernel) / best[kernel].gbps
        for kernel in both
    }
    if not ratios:
        raise NotTriedError("measure_warm: it has none of the kernels whose shapes were raced")
    worst = min(ratios, key=lambda kernel: ratios[kernel])
    entry = best[worst].entry.removeprefix("streamgage_")
    evidence = f"{_percents(ratios)} of the best; of {worst} that is {entry}"
    return Decision(ratios[worst] >= 0.97, evidence)


@claim("the tuner has time for all shapes", timed=True)
def tuner_is_complete(recorded: Recorded) -> Decision:
    """C7: a search that was cut short leaves out what may be quickest."""
    tunings = recorded.records("measure_warm", "tuning")
    cut = [f"{record['kernel']} ({record['untried']})" for record in tunings if record["untried"]]
    return Decision(not cut, f"shapes left out: {', '.join(cut) or 'none'}")


@claim("sum and dot in the standard shape reach 90 % of their best shape", timed=True)
def standard_reductions(recorded: Recorded) -> Decision:
    """C9: they have as many groups as BabelStream's dot."""
    best = _best_of_shapes(recorded)
    rates = recorded.findings("shapes", ShapeRate)
    standard = {rate.kernel: rate.gbps for rate in rates if rate.standard}
    ratios: dict[str, float] = {
        kernel: standard[kernel] / best[kernel].gbps for kernel in ("sum", "dot") if kernel in best
    }
    if len(ratios) < 2:
        raise NotTriedError("shapes: it did not come to sum and dot")
    return Decision(min(ratios.values()) >= 0.90, _percents(ratios))


@claim("no cache hint that the engine lacks gains more than 3 %", timed=True)
def no_better_hint(recorded: Recorded) -> Decision:
    """Loads by the read-only path, stores past the first cache."""
    rates = recorded.findings("hints", HintRate)
    plain = {rate.kernel: rate.gbps for rate in rates if not rate.hint}
    gains = {
        f"{rate.kernel} with {rate.hint}": rate.gbps / plain[rate.kernel]
        for rate in rates
        if rate.hint and rate.code == 0
    }
    if not gains:
        raise NotTriedError("hints: the driver takes none of them")
    best = max(gains, key=lambda name: gains[name])
    return Decision(gains[best] <= 1.03, f"the best is {best}: {gains[best] - 1:+.1%}")


# The ladder and the chain.


@claim(
    "passes inside one launch are not quicker than one pass a launch, beyond four caches",
    timed=True,
)
def passes_inside(recorded: Recorded) -> Decision:
    """C0: no group may find its own elements in the cache of its compute unit."""
    cache = recorded.device()["cache_bytes"] or 0
    rates = recorded.findings("launches", LadderRate)
    largest = max(rate.bytes for rate in rates)
    if largest < 4 * cache:
        raise NotTriedError("launches: no working set was four times as large as the cache")
    by_passes = {rate.passes_inside: rate.gbps for rate in rates if rate.bytes == largest}
    one, most = min(by_passes), max(by_passes)
    if one == most:
        raise NotTriedError("launches: it did not come to the largest working set")
    evidence = f"{most} passes inside over one a launch at {largest >> 20} MiB"
    return _within(by_passes[most] / by_passes[one], 0.05, evidence)


@claim("a ladder's largest working set is within 15 % of measure's triad", timed=True)
def ladder_ends_in_memory(recorded: Recorded) -> Decision:
    """C0: its last level is memory."""
    points = recorded.document("ladder")["curves"][0]["points"]
    last = max(points, key=lambda point: point["bytes"])
    triad = _best_median(recorded, "measure_warm", "triad")
    evidence = f"at {last['bytes'] >> 20} MiB over triad"
    return _within(last["gbps"]["value"] / triad, 0.15, evidence)


@claim("a chain by addresses is no slower than one by offsets", timed=True)
def chain_by_addresses(recorded: Recorded) -> Decision:
    """C8: nothing is computed between two loads."""
    times = recorded.findings("chain", ChainTime)
    ratios = {}
    for size in sorted({time.bytes for time in times}):
        of_link = {time.link: time.seconds for time in times if time.bytes == size}
        if len(of_link) == 2:
            ratios[f"{size >> 20} MiB"] = of_link["address"] / of_link["offset"]
    if not ratios:
        raise NotTriedError("chain: no working set was walked by both kinds of link")
    return Decision(max(ratios.values()) <= 1.01, f"of the time by offsets: {_percents(ratios)}")


@claim("the latency of memory is within 10 % of that of a bare chain", timed=True)
def latency_of_memory(recorded: Recorded) -> Decision:
    """Both are chains through lines in random order."""
    times = recorded.findings("chain", ChainTime)
    bare = max((time for time in times if time.link == "address"), key=lambda time: time.bytes)
    points = recorded.document("latency")["idle"]
    near = min(points, key=lambda point: abs(point["bytes"] - bare.bytes))
    if abs(near["bytes"] / bare.bytes - 1) > 0.5:
        raise NotTriedError("latency: no working set was as large as that of the bare chain")
    evidence = (
        f"{near['seconds']['value'] * 1e9:.0f} ns at {near['bytes'] >> 20} MiB over "
        f"{bare.seconds * 1e9:.0f} ns"
    )
    return _within(near["seconds"]["value"] / bare.seconds, 0.10, evidence)


# State and copies.


@claim("after a pause of 5 s the first samples are within 5 % of later ones", timed=True)
def warm_up(recorded: Recorded) -> Decision:
    """P2: clocks do not drop between samples."""
    rates = recorded.findings("warm", WarmRate)
    pause = max(rate.pause_seconds for rate in rates)
    after = sorted(
        (rate for rate in rates if rate.pause_seconds == pause), key=lambda rate: rate.number
    )
    if len(after) < 20:
        raise NotTriedError("warm: too few samples after the longest pause")
    later = statistics.median(rate.gbps for rate in after[-10:])
    evidence = f"the first after {pause:.0f} s over later ones"
    return _within(after[0].gbps / later, 0.05, evidence)


@claim(
    "the clocks are read under load: the cores have at least 70 % of their highest clock",
    timed=True,
)
def clocks_under_load(recorded: Recorded) -> Decision:
    """P1: a reading between two launches may show an idle GPU."""
    state = recorded.records("measure_warm", "device-state")[0]
    highest = recorded.device()["clock_hertz"]
    if state["core_hertz_low"] is None or highest is None:
        raise NotTriedError("the driver does not say the clocks")
    share = state["core_hertz_low"] / highest
    reasons = ", ".join(reason["reason"] for reason in state["slowed_by"]) or "nothing"
    return Decision(
        share >= 0.7, f"{state['core_hertz_low'] / 1e6:.0f} MHz, {share:.0%}; kept low by {reasons}"
    )


@claim(
    "copies of pinned memory by links are within 5 % of the driver's own by its stamps", timed=True
)
def links_are_whole(recorded: Recorded) -> Decision:
    """P4: the host's clock has start and end of each copy in its time."""
    copies = recorded.findings("copies", CopyRate)
    ratios = {}
    for test in recorded.document("links")["tests"]:
        of_way = [copy for copy in copies if copy.way == test["test"]]
        pinned = [cell["value"] for cell in test["cells"] if "pinned" in cell["row"]]
        if of_way and pinned:
            largest = max(of_way, key=lambda copy: copy.bytes)
            ratios[test["test"]] = pinned[0] / largest.event_gbps
    if not ratios:
        raise NotTriedError("links: it has no copies of pinned memory")
    worst = max(ratios.values(), key=lambda ratio: abs(ratio - 1))
    return _within(worst, 0.05, _percents(ratios))


# Figures.


@claim("two runs of measure agree within 2 %", timed=True)
def repeatable(recorded: Recorded) -> Decision:
    """The second one finds what the compiler kept."""
    ratios = {
        kernel: _median(recorded, "measure_warm", kernel)
        / _median(recorded, "measure_cold", kernel)
        for kernel in ("copy", "triad")
    }
    worst = max(ratios.values(), key=lambda ratio: abs(ratio - 1))
    return _within(worst, 0.02, f"the second over the first: {_percents(ratios)}")


@claim("triad in float is within 2 % of triad in double", timed=True)
def float_like_double(recorded: Recorded) -> Decision:
    """Memory is the limit of both."""
    ratio = _best_median(recorded, "measure_float", "triad") / _best_median(
        recorded, "measure_warm", "triad"
    )
    return _within(ratio, 0.02, "float over double, each in its quickest shape")


@claim("kernels that read what they store agree within 15 %", timed=True)
def mixes_agree(recorded: Recorded) -> Decision:
    """Only then does the result say what really crossed the bus."""
    medians = {
        kernel: _best_median(recorded, "measure_warm", kernel)
        for kernel in ("update", "daxpy", "sdaxpy")
    }
    share = min(medians.values()) / max(medians.values())
    shown = ", ".join(f"{kernel} {rate:.0f} GB/s" for kernel, rate in medians.items())
    return Decision(share >= 0.85, shown)


@claim("check --glance is within 10 % of measure's triad", timed=True)
def check_agrees(recorded: Recorded) -> Decision:
    """Five seconds are enough to find a slow GPU."""
    last = recorded.document("check")["runs"][-1]
    figures = {figure["kernel"]: figure["gbps"] for figure in last["figures"]}
    if "triad" not in figures:
        raise NotTriedError("check: it has no triad")
    ratio = figures["triad"] / _median(recorded, "measure_warm", "triad")
    return _within(ratio, 0.10, "check over measure")


@claim("the published triad of this GPU is reached within 5 %", timed=True)
def published_triad(recorded: Recorded) -> Decision:
    """By what expected.csv has of a GPU of that name."""
    for expected in recorded.document("measure_warm")["expected"]:
        if expected["kernel"] == "triad":
            value = expected["values"][0]
            best = _best_median(recorded, "measure_warm", "triad")
            evidence = f"{best:.0f} of {value['low_gbps']:.0f} GB/s ({value['page']})"
            return Decision(best >= 0.95 * value["low_gbps"], evidence)
    raise NotTriedError("no triad of this GPU is published in expected.csv")


@claim("the driver's peak and the listed peak agree within 3 %", timed=True)
def peaks_agree(recorded: Recorded) -> Decision:
    """C1: the driver's clock and width are those of the memory."""
    from streamgage.analysis.peak.known_devices import device_named

    document = recorded.document("measure_warm")
    peak, device = document["peak"], document["device"]
    if peak is None or peak["source"] != "driver":
        raise NotTriedError("the driver says no peak")
    row = device_named(device["name"])
    if row is None:
        raise NotTriedError(f"devices.csv does not list {device['name']}")
    listed = row.gbps / row.devices
    evidence = f"the driver's {peak['gbps']:.0f} over the listed {listed:.0f} GB/s"
    return _within(peak["gbps"] / listed, 0.03, evidence)


@claim("no rate is above the peak", timed=True)
def below_peak(recorded: Recorded) -> Decision:
    """A rate above it is an error."""
    document = recorded.document("measure_warm")
    if document["peak"] is None:
        raise NotTriedError("the peak is not known")
    best = max(document["kernels"], key=_median_of)
    share = best["median_gbps"] / document["peak"]["gbps"]
    return Decision(share <= 1, f"{best['kernel']} has {share:.1%} of the peak")


@claim("a default measure of a device takes less than a minute", timed=True)
def measure_is_short(recorded: Recorded) -> Decision:
    """Also where the driver compiles all kernels."""
    recorded.document("measure_cold")
    seconds = recorded.step("measure_cold").commands[0].seconds
    return Decision(seconds < 60, f"{seconds:.0f} s")


# What several of them need.


def _within(ratio: float, share: float, of_what: str) -> Decision:
    return Decision(abs(ratio - 1) <= share, f"{ratio - 1:+.1%}: {of_what}")


def _percents(ratios: dict[str, float]) -> str:
    return ", ".join(f"{name} {ratio:.1%}" for name, ratio in ratios.items())


def _some(names: list[str]) -> str:
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")


def _needs_gpu(device: dict[str, Any]) -> None:
    if device["kind"] != "gpu":
        raise NotTriedError(f"{device['id']} is no GPU")


def _own_kernel(recorded: Recorded) -> dict[str, Any]:
    """The example kernel among those of its result."""
    for row in recorded.document("own_kernel")["kernels"]:
        if row["kernel"] == "device-triad":
            assert isinstance(row, dict)
            return row
    raise NotTriedError("own_kernel: the result has no kernel device-triad")


def _launches_of(reading: ClockReading) -> int:
    return reading.launches


def _median_of(kernel: dict[str, Any]) -> float:
    return float(kernel["median_gbps"] or 0)


def _medians(recorded: Recorded, step: str, kernel: str) -> Iterable[tuple[bool, float]]:
    """Whether it is tuned, and the rate, of each variant of a kernel."""
    for row in recorded.document(step)["kernels"]:
        if row["kernel"] == kernel and row["median_gbps"] is not None:
            yield row["tuned"], row["median_gbps"]


def _median(recorded: Recorded, step: str, kernel: str) -> float:
    """The rate in the standard shape."""
    found = [rate for tuned, rate in _medians(recorded, step, kernel) if not tuned]
    if not found:
        raise NotTriedError(f"{step}: it has no {kernel}")
    return found[0]


def _best_median(recorded: Recorded, step: str, kernel: str) -> float:
    """The rate in the quicker of the standard and the tuned shape."""
    found = [rate for _, rate in _medians(recorded, step, kernel)]
    if not found:
        raise NotTriedError(f"{step}: it has no {kernel}")
    return max(found)


def _best_of_shapes(recorded: Recorded) -> dict[str, ShapeRate]:
    """The quickest shape of each kernel that the probe raced."""
    best: dict[str, ShapeRate] = {}
    for rate in recorded.findings("shapes", ShapeRate):
        if rate.kernel not in best or rate.gbps > best[rate.kernel].gbps:
            best[rate.kernel] = rate
    return best


def _if_any(recorded: Recorded, probe: str, kind: type[WrongResult]) -> list[WrongResult]:
    try:
        return recorded.findings(probe, kind)
    except NotTriedError:
        return []


def _if_any_record(recorded: Recorded, step: str, tag: str) -> list[dict[str, Any]]:
    try:
        return recorded.records(step, tag)
    except NotTriedError:
        return []


_REMARKS = ("Other programs use ", "waiting: ")
"""Of the machine, which may stand before a refusal."""


def _is_refusal(command: CommandRecord) -> bool:
    """Whether it ended by itself, and said why in one line."""
    lines = [line.removeprefix("streamgage: ") for line in command.output.strip().splitlines()]
    reasons = [line for line in lines if not line.startswith(_REMARKS)]
    return command.status in (1, 2, 3) and len(reasons) == 1
