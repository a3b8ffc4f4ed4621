"""What others publish for hardware such as this: found only where like is compared with like."""

from __future__ import annotations

import datetime
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from example_machines import machine
from example_records import good_records, good_run, place, placement
from example_results import measured

from streamgage.analysis.expected.doubt import Doubt
from streamgage.analysis.expected.hardware import Hardware, hardware_of, hardware_of_node
from streamgage.analysis.expected.match import Expectation, expected_of, expected_of_device
from streamgage.analysis.expected.table import FORMAT, known_values, read_values, values_for
from streamgage.analysis.expected.value import ExpectedValue
from streamgage.analysis.expected.words import sentences_of
from streamgage.analysis.facts_file import DamagedTableError
from streamgage.analysis.peak.known_devices import device_named
from streamgage.analysis.peak.of_model import model_of
from streamgage.interop.kernels import KERNELS
from streamgage.records import HardwareThread, Machine, NumaNode, PlacementRecord
from streamgage.records.machine import ProcessorId
from streamgage.records.run import collect
from streamgage.results.kinds import words_of
from streamgage.results.measure.document import Measure
from streamgage.results.measure.judge import judge_measure
from streamgage.results.measure.page import page
from streamgage.show.markdown import render as markdown_of
from streamgage.show.symbols import UNICODE
from streamgage.show.table import render
from streamgage.show.terminal import Terminal

change = msgspec.structs.replace
GB = 10**9

GRACE = Hardware(
    processor="Arm Neoverse V2",
    guest=False,
    packages=1,
    cores=72,
    every_core=True,
    memory_bytes=119 * GB,
)
HBV4 = Hardware(
    processor="AMD EPYC 9V33X 96-Core Processor",
    guest=True,
    packages=2,
    cores=176,
    every_core=True,
    system="Microsoft Corporation Virtual Machine",
)


def found(hardware: Hardware, kernel: str = "triad", store: str = "plain") -> Expectation:
    expectation = expected_of(hardware, kernel, store)
    assert expectation is not None
    return expectation


def test_the_limit_of_the_maker_is_said_first() -> None:
    first, second = found(GRACE).values
    assert (first.who, first.bound, first.low_gbps) == ("NVIDIA", "at least", 410)
    assert (second.who, second.bound, second.low_gbps) == ("CSCS", "about", 430)
    assert not found(GRACE).doubts


def test_the_size_of_the_memory_decides_between_superchips() -> None:
    assert found(replace(GRACE, memory_bytes=480 * GB)).values[0].low_gbps == 288
    assert expected_of(replace(GRACE, memory_bytes=64 * GB), "triad") is None


def test_an_unknown_size_of_the_memory_is_ambiguous() -> None:
    unknown = found(replace(GRACE, memory_bytes=None))
    assert unknown.ambiguous
    assert unknown.doubts == (Doubt.NO_SIZE,)
    assert {value.low_gbps for value in unknown.values} == {288, 410, 430}


@pytest.mark.parametrize(
    "other",
    [
        {"guest": True},
        {"packages": 2},
        {"cores": 64},
        {"every_core": False},
        {"memory_kind": "DDR5"},
        {"processor": "Arm Neoverse V1"},
        {"processor": None},
    ],
)
def test_nothing_is_said_of_hardware_that_differs(other: dict[str, object]) -> None:
    assert expected_of(replace(GRACE, **other), "triad") is None  # type: ignore[arg-type]


def test_the_kind_of_memory_by_smbios_may_be_the_shorter_name() -> None:
    assert found(replace(GRACE, memory_kind="LPDDR5")).values == found(GRACE).values


def test_a_kernel_is_compared_with_the_same_kernel_alone() -> None:
    assert expected_of(GRACE, "sum") is None
    xeon = Hardware(
        processor="Intel(R) Xeon(R) Gold 6248 CPU @ 2.50GHz",
        guest=False,
        packages=1,
        cores=20,
        every_core=True,
    )
    assert found(xeon, "sum").values[0].low_gbps == 114.7
    assert found(xeon, "triad").values[0].low_gbps == 76.9
    assert expected_of(xeon, "triad", "streaming") is None


def test_streaming_stores_are_compared_with_streaming_stores() -> None:
    limit = found(HBV4, "triad", "streaming")
    assert {value.stores for value in limit.values} == {"streaming"}
    assert limit.values[0].low_gbps == 665.5
    plain = found(HBV4, "triad", "plain")
    assert {value.stores for value in plain.values} == {"unknown"}
    assert plain.doubts[0] == Doubt.STORES_UNSAID


def test_a_source_that_names_its_stores_goes_before_one_that_does_not() -> None:
    rome = Hardware(
        processor="AMD EPYC 7742 64-Core Processor",
        guest=False,
        packages=2,
        cores=128,
        every_core=True,
    )
    assert [value.who for value in found(rome).values] == ["CSCS"]
    assert [value.who for value in found(rome, "copy").values] == ["EPCC"]
    assert found(rome, "copy").doubts == (Doubt.STORES_UNSAID,)


def test_a_cloud_figure_is_never_compared_with_bare_metal() -> None:
    assert expected_of(replace(HBV4, guest=False), "triad", "streaming") is None


def test_a_masked_name_is_matched_by_its_generation_and_doubted() -> None:
    masked = replace(HBV4, processor="AMD EPYC", generation="EPYC 9004 (Genoa)")
    expectation = found(masked, "triad", "streaming")
    assert expectation.doubts == (Doubt.MASKED,)
    other = replace(masked, generation="EPYC 7001 (Naples)")
    assert expected_of(other, "triad", "streaming") is None


def test_made_up_packages_of_a_guest_are_doubted() -> None:
    assert found(replace(HBV4, packages=None), "triad", "streaming").doubts == (Doubt.NO_PACKAGES,)


def test_every_core_design_that_many_makers_sell_needs_its_system() -> None:
    altra = Hardware(
        processor="Arm Neoverse N1", guest=False, packages=1, cores=64, every_core=True
    )
    assert expected_of(replace(altra, system="Ampere Mt. Jade"), "triad") is None
    graviton = found(replace(altra, system="Amazon EC2 m6g.metal"))
    assert graviton.values[0].hardware == "AWS Graviton2"
    assert graviton.doubts[0] == Doubt.GUEST_UNSAID


def test_a_sentence_has_the_figure_what_it_is_for_and_its_page() -> None:
    (sentence,) = sentences_of(found(GRACE))
    assert sentence == (
        "NVIDIA expects at least 410 GB/s for NVIDIA Grace Hopper with 120 GB"
        " (nvidia.github.io/grace-cpu-benchmarking-guide/foundations/STREAM/index.html)."
    )


def test_a_doubt_is_said_after_the_figure() -> None:
    first, second = sentences_of(found(HBV4))
    assert "expects 650 to 780 GB/s, or up to 10 % less, for Azure HBv4" in first
    assert second == ("Compare with care: the source does not say which stores its program used.")


def test_an_ambiguous_match_names_every_hardware_and_why() -> None:
    (sentence,) = sentences_of(found(replace(GRACE, memory_bytes=None)))
    assert sentence.startswith(
        "Published for hardware like this, but the size of the memory is not known: NVIDIA expects"
        " at least 410 GB/s for NVIDIA Grace Hopper with 120 GB; NVIDIA expects at least 288 GB/s"
    )


def grace_node(bytes_of_memory: int, **other: object) -> Machine:
    """A processor of 72 cores, and a GPU whose memory is a NUMA domain without CPUs."""
    threads = [
        HardwareThread(cpu=cpu, core=cpu, smt=0, package=0, die=0, node=0) for cpu in range(72)
    ]
    return change(
        machine(processor="Arm Neoverse V2"),
        cores=72,
        threads=threads,
        numa_nodes=[
            NumaNode(node=0, cpus="0-71", bytes=bytes_of_memory),
            NumaNode(node=1, cpus="", bytes=96 * GB),
        ],
        cpu_quota=None,
        **other,
    )


def hardware_on(made: Machine, threads: int = 72) -> Hardware | None:
    return hardware_of(collect([made, placement(*(place(cpu) for cpu in range(threads)))]))


def test_the_memory_of_a_gpu_is_not_that_of_the_processor() -> None:
    assert hardware_on(grace_node(119 * GB)) == GRACE


def test_fewer_threads_than_cores_are_not_compared() -> None:
    fewer = hardware_on(grace_node(119 * GB), threads=36)
    assert fewer is not None
    assert not fewer.every_core


def test_a_quota_below_the_cores_is_not_compared() -> None:
    held = hardware_on(change(grace_node(119 * GB), cpu_quota=8.0))
    assert held is not None
    assert not held.every_core


def test_a_node_is_taken_whole() -> None:
    assert hardware_of_node(grace_node(119 * GB), 72) == GRACE


def test_a_machine_that_stands_for_another_is_not_compared() -> None:
    assert hardware_on(change(grace_node(119 * GB), described_by="HWLOC_SYNTHETIC")) is None


@pytest.mark.parametrize(
    ("name", "generation"),
    [
        ("AMD EPYC", "EPYC 7003 (Milan)"),
        ("QEMU Virtual CPU version 2.5+", "EPYC 7003 (Milan)"),
        ("AMD EPYC 7763 64-Core Processor", None),
    ],
)
def test_the_generation_matters_where_a_guest_masks_the_name(
    name: str, generation: str | None
) -> None:
    milan = ProcessorId(vendor="AuthenticAMD", family=25, model=1, stepping=1)
    made = change(machine(processor=name, hypervisor="KVM"), processor_id=milan)
    hardware = hardware_on(made, threads=1)
    assert hardware is not None
    assert hardware.generation == generation


def test_every_known_value_has_a_source_and_a_known_kernel() -> None:
    for value in known_values():
        assert value.kernel in KERNELS
        assert "/" in value.page
        assert value.who
        assert bool(value.processor) == (value.device == "cpu")


def test_every_value_of_a_gpu_is_found_by_the_name_of_the_gpu() -> None:
    for value in known_values():
        if value.device == "gpu":
            device = device_named(value.hardware)
            assert device is not None, value.hardware
            found = expected_of_device(device, value.kernel)
            assert found is not None
            assert value in found.values


def most_gbps(value: ExpectedValue) -> float | None:
    """The theoretical peak of the hardware that a value is for."""
    if value.device == "gpu":
        device = device_named(value.hardware)
        return None if device is None else device.gbps
    model = model_of(value.hardware, None)
    return None if model is None else model.gbps * (value.packages or 1)


def test_no_published_value_is_above_its_peak() -> None:
    for value in known_values():
        most = most_gbps(value)
        if most is None:
            assert value.hardware == NO_PEAK
        else:
            assert value.high_gbps <= most, value


NO_PEAK = "Azure HBv5 (EPYC 9V64H)"
"""The peak of its memory is not published."""


def test_a_limit_for_fewer_threads_than_cores_says_so() -> None:
    (limit,) = (each for each in known_values() if each.low_gbps == 285)
    text = sentences_of(Expectation(values=[limit]))[0]
    assert "at least 285 GB/s for Azure HBv2 (2 x EPYC 7V12) with 32 threads" in text


def test_values_are_listed_by_words_and_by_a_processors_name() -> None:
    assert {value.hardware for value in values_for("grace 120")} == {
        "NVIDIA Grace Hopper with 120 GB"
    }
    rome = values_for("AMD EPYC 7742 64-Core Processor")
    assert {value.who for value in rome} == {"CSCS", "EPCC"}
    assert values_for("Pentium") == []


GOOD = "\n".join(
    [
        f"# streamgage expected values, format {FORMAT}",
        "hardware,device,kernel,stores,low_gbps,high_gbps,bound,memory,who,benchmark,page,read",
        "One,cpu,triad,plain,10,12,about,DDR4,Somebody,STREAM,example.org/page,2026-11-28",
    ]
)


def sentence_of(tmp_path: Path, text: str | bytes | None) -> str:
    file = tmp_path / "expected.csv"
    if text is not None:
        file.write_bytes(text.encode() if isinstance(text, str) else text)
    with pytest.raises(DamagedTableError) as error:
        read_values(file)
    sentence = str(error.value)
    assert sentence.count(". ") == 0
    assert sentence.endswith(".")
    return sentence


def test_a_good_list_is_read(tmp_path: Path) -> None:
    (tmp_path / "expected.csv").write_text(GOOD)
    (value,) = read_values(tmp_path / "expected.csv")
    assert (value.low_gbps, value.high_gbps, value.guest) == (10, 12, None)


def test_a_newer_list_asks_for_a_newer_streamgage(tmp_path: Path) -> None:
    newer = sentence_of(tmp_path, GOOD.replace(f"format {FORMAT}", f"format {FORMAT + 1}"))
    assert "update streamgage" in newer


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (None, "cannot be read"),
        (b"\xff\xfe", "cannot be read"),
        ("", "damaged in line 1"),
        (GOOD.partition("\n")[2], "damaged in line 1"),
        (GOOD.rpartition("\n")[0], "is empty"),
        (GOOD + ",more", "damaged in line 3"),
        (GOOD.replace(",example.org/page", ""), "damaged in line 3"),
        (GOOD.replace(",2026-11-28", ",lately"), "damaged in line 3"),
        (GOOD.replace(",2026-11-28", ","), "damaged in line 3"),
        (GOOD.replace(",10,", ",ten,"), "damaged in line 3"),
        (GOOD.replace(",10,", ",-1,"), "damaged in line 3"),
        (GOOD.replace(",10,", ",13,"), "high_gbps is below low_gbps"),
        (GOOD.replace("about", "at most"), "damaged in line 3"),
        (GOOD.replace("who", "whom"), "unknown column whom"),
        (GOOD.replace("One,", '"One,'), "unexpected end of data"),
    ],
)
def test_a_damaged_list_is_one_sentence(
    tmp_path: Path, text: str | bytes | None, what: str
) -> None:
    assert what in sentence_of(tmp_path, text)


EXAMPLE = ExpectedValue(
    hardware="Example 9000 with 8 GB",
    device="cpu",
    kernel="triad",
    stores="plain",
    low_gbps=500,
    high_gbps=600,
    bound="at least",
    memory="DDR4",
    processor="Example 9000",
    guest=False,
    who="Example Corporation",
    benchmark="STREAM",
    page="example.org/tuning/health",
    read=datetime.date(2026, 11, 28),
)


@pytest.fixture
def published(monkeypatch: pytest.MonkeyPatch) -> None:
    """A list that has the example's machine, which falls short of it."""
    monkeypatch.setattr("streamgage.analysis.expected.match.known_values", lambda: (EXAMPLE,))


@pytest.mark.usefixtures("published")
def test_measure_says_what_others_expect_and_stays_on_one_screen() -> None:
    text = render(measured(good_records()).page, Terminal(80, False, UNICODE))
    assert "Example Corporation expects at least 500 GB/s" in " ".join(text.split())
    assert "explain expected" in " ".join(text.split())
    assert text.count("\n") <= 24


@pytest.mark.usefixtures("published")
def test_an_expected_value_is_no_verdict() -> None:
    with_value = judge_measure(good_run()).document
    assert with_value.expected
    without = change(with_value, expected=[])
    assert words_of(with_value).trust == words_of(without).trust
    assert with_value.findings == answer_without_values().findings


def answer_without_values() -> Measure:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("streamgage.analysis.expected.match.known_values", tuple)
        return judge_measure(good_run()).document


@pytest.mark.usefixtures("published")
def test_every_format_has_what_others_expect() -> None:
    loaded = measured(good_records())
    details = " ".join(render(loaded.page, Terminal(100, False, UNICODE), details=True).split())
    assert "published for triad plain" in details
    assert "(example.org/tuning/health)" in details
    markdown = markdown_of(loaded.page)
    assert "Example Corporation expects at least 500 GB/s" in markdown.replace("\\", "")
    document = msgspec.to_builtins(loaded.document)
    (found,) = document["expected"]
    assert (found["kernel"], found["values"][0]["page"]) == ("triad", "example.org/tuning/health")


def test_the_real_list_is_used_on_the_hardware_that_it_has() -> None:
    of_grace = [
        grace_node(119 * GB),
        *(each for each in good_records() if not isinstance(each, Machine | PlacementRecord)),
        placement(*(place(cpu) for cpu in range(72))),
    ]
    page = measured(of_grace).page
    text = " ".join(render(page, Terminal(80, False, UNICODE), details=True).split())
    assert "NVIDIA expects at least 410 GB/s for NVIDIA Grace Hopper with 120 GB" in text


def test_nothing_is_said_where_nothing_matches() -> None:
    result = judge_measure(good_run()).document
    assert (result.expected, result.expected_reason) == ([], None)


def test_a_damaged_list_does_not_spoil_a_measurement(monkeypatch: pytest.MonkeyPatch) -> None:
    def damaged() -> tuple[ExpectedValue, ...]:
        raise DamagedTableError("The list of expected values is damaged: install streamgage again.")

    monkeypatch.setattr("streamgage.analysis.expected.match.known_values", damaged)
    whole = judge_measure(good_run())
    assert whole.document.expected == []
    assert whole.document.kernels
    assert ("Published values", whole.document.expected_reason) in page(whole).settings
