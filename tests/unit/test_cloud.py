"""Where a machine stands among cloud servers: like is compared with like, and doubts are said."""

from __future__ import annotations

import dataclasses
import importlib.util
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from example_machines import machine
from example_records import good_records, place, placement
from example_results import measured

from streamgage.analysis.cloud import servers as data
from streamgage.analysis.cloud.guest import comparable, guest_of, like
from streamgage.analysis.cloud.servers import (
    COUNTS_TWICE,
    STORES,
    ServerType,
    known_servers,
    read_servers,
)
from streamgage.analysis.cloud.standing import standing_among
from streamgage.analysis.expected.doubt import Doubt
from streamgage.analysis.facts_file import DamagedTableError
from streamgage.analysis.peak.of_family import generation_named, generation_of, socket_of_family
from streamgage.analysis.peak.of_model import model_of
from streamgage.analysis.trust import trust_of
from streamgage.comparison.cloud.judge import cloud_of
from streamgage.comparison.cloud.page import page_of
from streamgage.records import HardwareThread, Machine, PlacementRecord
from streamgage.records.machine import ProcessorId
from streamgage.results.measure.document import MachineState, Measure, StandingResult, StateRate
from streamgage.results.measure.headline import standard
from streamgage.results.result import Result
from streamgage.show.symbols import UNICODE
from streamgage.show.table import render
from streamgage.show.terminal import Terminal

change = msgspec.structs.replace
THREADS = [HardwareThread(cpu=cpu, core=cpu, smt=0, package=0, die=0, node=0) for cpu in range(2)]
EMERALD = ProcessorId(vendor="GenuineIntel", family=6, model=207, stepping=2)


def server(name: str, processor: str = "AMD EPYC 9R14", **other: object) -> ServerType:
    fields = {"vendor": "aws", "architecture": "x86_64", "cpus": 2, "threads_per_core": 1}
    fields |= {"bw_mem_read_gbps": 40.0, "write_gbps": 20.0, "copy_gbps": 10.0}
    return msgspec.convert({**fields, "server": name, "processor": processor, **other}, ServerType)


FEW = (
    server("m7a.large", bw_mem_read_gbps=20.0),
    server("c7a.large", bw_mem_read_gbps=56.0),
    server("m7a.xlarge", cpus=4),
    server("e2", "Intel(R) Xeon(R) CPU @ 2.20GHz", vendor="gcp"),
    server("D2s_v6", "INTEL(R) XEON(R) PLATINUM 8573C", vendor="azure"),
    server("t4g.large", "Neoverse-N1", architecture="aarch64"),
    server("t2a", "Neoverse-N1", architecture="aarch64", vendor="gcp"),
)


def cloud_machine(**other: object) -> Machine:
    """A guest with two cores."""
    fields: dict[str, object] = {
        **{"processor": "AMD EPYC 9R14 96-Core Processor", "hypervisor": "KVM"},
        **{"cores": 2, "hardware_threads": 2, "threads": THREADS, "cpu_quota": None},
    }
    return change(machine(), **{**fields, **other})


def on(made: Machine, threads: int = 2) -> Result[Any]:
    kept = [e for e in good_records() if not isinstance(e, Machine | PlacementRecord)]
    return measured([made, *kept, placement(*(place(cpu) for cpu in range(threads)))])


def standings(made: Machine, threads: int = 2) -> Sequence[StandingResult]:
    document = on(made, threads).document
    assert isinstance(document, Measure)
    return document.standings


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """A list of seven server types."""
    monkeypatch.setattr("streamgage.results.measure.standing.known_servers", lambda: FEW)


def test_names_of_one_processor_are_the_same() -> None:
    assert comparable("AMD EPYC 9R14 96-Core Processor") == comparable("AMD EPYC 9R14")
    assert comparable("Arm Neoverse V2") == comparable("Neoverse-V2")
    names = ("INTEL(R) XEON(R) PLATINUM 8581C CPU @ 2.10GHz", "Intel Xeon Platinum 8581C")
    assert comparable(names[0]) == comparable(names[1])


def test_a_masked_name_keeps_its_clock_which_is_all_that_it_says() -> None:
    at_22, at_28 = (comparable(f"Intel(R) Xeon(R) CPU @ {clock}GHz") for clock in ("2.20", "2.80"))
    assert at_22 != at_28


@pytest.mark.parametrize(
    ("system", "vendor"),
    [
        ("Amazon EC2 m7a.large", "aws"),
        ("Google Google Compute Engine", "gcp"),
        ("Alibaba Cloud Alibaba Cloud ECS", "alicloud"),
        ("Hetzner vServer", "hcloud"),
        ("Vultr VHP", "vultr"),
        ("UpCloud Cloud Server", "upcloud"),
        ("Microsoft Corporation Virtual Machine", None),
        ("OpenStack Foundation OpenStack Nova", None),
        (None, None),
    ],
)
def test_the_cloud_is_known_by_what_smbios_shows(system: str | None, vendor: str | None) -> None:
    assert guest_of(cloud_machine(system=system), FEW).vendor == vendor


def found(made: Machine) -> tuple[str, set[str], tuple[str, ...]]:
    likeness = like(guest_of(made, FEW), FEW)
    assert likeness is not None
    return likeness.shared.words, {each.server for each in likeness.servers}, likeness.doubts


def test_servers_of_the_same_processor_and_size_are_like_it() -> None:
    what, names, doubts = found(cloud_machine())
    assert (what, doubts) == ("same processor, 2 CPUs", ())
    assert names == {"m7a.large", "c7a.large"}


def test_a_known_cloud_is_compared_with_itself() -> None:
    assert found(cloud_machine(system="Amazon EC2 m7a.large"))[0].startswith("same cloud, ")
    arm = cloud_machine(
        processor="Neoverse-N1", architecture="aarch64", system="Google Google Compute Engine"
    )
    assert found(arm)[1:] == ({"t2a"}, ())


def test_a_core_that_many_makers_sell_is_doubted_where_the_cloud_is_not_known() -> None:
    _, names, doubts = found(cloud_machine(processor="Neoverse-N1", architecture="aarch64"))
    assert names == {"t4g.large", "t2a"}
    assert doubts == (Doubt.SEVERAL_MAKERS,)


def test_a_masked_name_is_matched_by_its_generation_and_doubted() -> None:
    masked = cloud_machine(processor="Intel(R) Xeon(R) Processor", processor_id=EMERALD)
    what, names, doubts = found(masked)
    assert what == "Xeon Scalable of the fifth generation (Emerald Rapids), 2 CPUs"
    assert names == {"D2s_v6"}
    assert doubts == (Doubt.MASKED,)


def test_nothing_is_like_another_processor_or_another_size() -> None:
    for made in (
        cloud_machine(processor="AMD EPYC 7763 64-Core Processor"),
        change(cloud_machine(), hardware_threads=8),
        cloud_machine(processor="Intel(R) Xeon(R) Processor"),
        cloud_machine(processor=None),
    ):
        assert like(guest_of(made, FEW), FEW) is None


def test_a_family_without_known_memory_has_a_name_and_no_peak() -> None:
    assert generation_of(EMERALD) == generation_named("INTEL XEON PLATINUM 8573C")
    assert socket_of_family(EMERALD, shared=True) is None


@pytest.mark.parametrize("processor", ["Xeon Platinum 8369HB", "AMD EPYC 9754", "Xeon W-3235"])
def test_names_that_do_not_follow_the_rule_have_no_generation(processor: str) -> None:
    assert generation_named(processor) is None


@pytest.mark.parametrize("brand", ["Pentium", "Celeron", "Intel Core", "Atom", "AMD Ryzen"])
def test_a_number_after_another_brand_has_no_generation_of_servers(brand: str) -> None:
    assert generation_named("Gold 6130") == generation_named("Intel Xeon Gold 6130") is not None
    assert generation_named(f"{brand} Gold 6130") is None


@pytest.mark.usefixtures("few")
def test_copy_is_counted_once_and_triad_is_never_compared() -> None:
    by_operation = {each.operation: each for each in standings(cloud_machine())}
    result = on(cloud_machine()).document
    assert isinstance(result, Measure)
    medians = {(e.kernel, e.store): e.median_gbps for e in result.kernels if not e.tuned}
    assert by_operation
    for each in by_operation.values():
        twice = 2 if each.operation == "copy" else 1
        assert medians[each.kernel, each.store] == pytest.approx(twice * each.gbps)
        assert each.kernel == data.KERNELS[each.operation] != "triad"
    assert by_operation["copy"].among.types == 2


@pytest.mark.usefixtures("few")
def test_the_first_screen_says_it_and_no_verdict_changes() -> None:
    loaded = on(cloud_machine(system="Amazon EC2 c7a.large"))
    screen = render(loaded.page, Terminal(100, False, UNICODE))
    text = " ".join(screen.split())
    assert "Others Same cloud, same processor, 2 CPUs: " in text
    assert "in 2 server types, median" in text
    assert screen.count("\n") <= 24
    details = render(loaded.page, Terminal(100, False, UNICODE), details=True)
    assert "Its own type, c7a.large, had 10.0." in " ".join(details.split())
    without = on(cloud_machine(processor="none such"))
    assert trust_of(loaded.words.findings) == trust_of(without.words.findings)


@pytest.mark.usefixtures("few")
def test_a_doubt_is_said_after_the_figures() -> None:
    masked = cloud_machine(processor="Intel(R) Xeon(R) Processor", processor_id=EMERALD)
    whole = render(on(masked).page, Terminal(80, False, UNICODE), details=True)
    text = " ".join(whole.split())
    assert "Compare with care: the processor's name is masked." in text


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize(
    ("made", "threads"),
    [
        (cloud_machine(), 1),
        (cloud_machine(cpu_quota=1.0), 2),
        (cloud_machine(hypervisor=None), 2),
    ],
)
def test_nothing_is_said_of_a_part_or_of_a_machine_of_no_cloud(made: Machine, threads: int) -> None:
    assert standings(made, threads) == []


@pytest.mark.usefixtures("few")
def test_bare_metal_of_a_cloud_is_known_by_its_type() -> None:
    assert standings(cloud_machine(hypervisor=None, system="Amazon EC2 m7a.large"))


def test_without_the_package_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("streamgage.results.measure.standing.known_servers", tuple)
    assert standings(cloud_machine()) == []


def test_a_damaged_list_does_not_spoil_a_measurement(monkeypatch: pytest.MonkeyPatch) -> None:
    def damaged() -> tuple[ServerType, ...]:
        raise DamagedTableError("The list of cloud servers is damaged.")

    monkeypatch.setattr("streamgage.results.measure.standing.known_servers", damaged)
    loaded = on(cloud_machine())
    assert isinstance(loaded.document, Measure)
    assert loaded.document.kernels
    assert ("Cloud servers", loaded.document.standings_reason) in loaded.page.settings


def test_standings_count_what_is_below() -> None:
    among = standing_among([3.0, 1.0, 2.0, 2.0], 2.0)
    assert among is not None
    assert (among.least, among.middle, among.most, among.below) == (1.0, 2.0, 3.0, 1)
    assert standing_among([], 2.0) is None


def test_reading_is_that_of_bw_mem_where_it_is_known() -> None:
    assert server("a", read_gbps=99.0).rate("read") == 40.0
    assert server("a", read_gbps=99.0, bw_mem_read_gbps=None).rate("read") == 99.0


def test_the_world_has_a_dot_for_each_type_and_one_for_yours() -> None:
    cloud = cloud_of(FEW, "copy", on(cloud_machine()))
    assert [each.what for each in cloud.groups] == [
        "all",
        "x86_64",
        "2 CPUs",
        "same processor, 2 CPUs",
    ]
    page = page_of(cloud, FEW)
    (plot,) = page.plots
    *groups, yours = plot.series  # type: ignore[union-attr]
    assert sum(len(each.xs) for each in groups) == len(FEW)
    assert yours.xs == [2]
    assert cloud.yours is not None
    assert yours.figures[0].value == pytest.approx(cloud.yours.gbps / 2)


def test_the_figure_is_the_one_that_the_run_shows_for_that_kernel() -> None:
    """In a run at two speeds that is the figure of the state that lasted longest."""
    loaded = on(cloud_machine())
    document = loaded.document
    assert isinstance(document, Measure)
    states = [StateRate(n=8, gbps=50.0), StateRate(n=32, gbps=30.0)]
    two = change(
        document,
        states=[MachineState(speed=5 / 3, share=0.2), MachineState(speed=1.0, share=0.8)],
        kernels=[change(e, states=states, main_state=1) for e in document.kernels],
    )
    found = cloud_of(FEW, "copy", dataclasses.replace(loaded, document=two)).yours
    assert found is not None and found.gbps == pytest.approx(30.0 / COUNTS_TWICE["copy"])
    shown = standard(two.kernels, "copy", STORES["copy"])
    assert shown is not None and shown.in_main_state.median_gbps == 30.0


def test_a_result_without_the_kernel_is_not_drawn_and_says_why() -> None:
    loaded = on(cloud_machine())
    assert isinstance(loaded.document, Measure)
    bare = msgspec.structs.replace(loaded.document, kernels=[])
    cloud = cloud_of(FEW, "read", dataclasses.replace(loaded, document=bare))
    assert cloud.yours is None
    assert "--kernels sum" in (cloud.yours_reason or "")
    assert "Your machine is not among them" in render(
        page_of(cloud, FEW), Terminal(80, False, UNICODE)
    )


GOOD = "\n".join(
    [
        f"# streamgage cloud servers, format {data.FORMAT}",
        "vendor,server,architecture,processor,cpus,threads_per_core,bw_mem_read_gbps",
        "aws,m7a.large,x86_64,AMD EPYC 9R14,2,1,40",
    ]
)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (GOOD.replace(",40", ",forty"), "damaged in line 3"),
        (GOOD.replace(",2,1,", ",0,1,"), "damaged in line 3"),
        (GOOD.replace("cpus", "CPUs"), "unknown column CPUs"),
        (GOOD.partition("\n")[2], "damaged in line 1"),
        (GOOD.rpartition("\n")[0], "is empty"),
        (GOOD.replace(f"format {data.FORMAT}", "format 99"), "update streamgage"),
    ],
)
def test_a_damaged_or_newer_list_is_one_sentence(tmp_path: Path, text: str, what: str) -> None:
    file = tmp_path / "servers.csv"
    file.write_text(GOOD)
    assert len(read_servers(file)) == 1
    file.write_text(text)
    with pytest.raises(DamagedTableError, match=what) as error:
        read_servers(file)
    assert str(error.value).endswith(".")


def package() -> Path:
    found = importlib.util.find_spec("streamgage_cloud")
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent


def test_the_package_has_all_servers_and_no_negative_figure() -> None:
    servers = known_servers()
    assert len({(each.vendor, each.server) for each in servers}) == len(servers) == 3607
    assert sum(each.rate("read") is not None for each in servers) >= 3598
    assert sum(each.copy_gbps is not None for each in servers) == 2094


def most_gbps(server: ServerType) -> float | None:
    """What the memory of two processors has, or of as many more as the server shows."""
    model = model_of(server.processor, "Amazon EC2" if server.vendor == "aws" else None)
    return None if model is None else model.gbps * max(2, server.packages or 1)


def test_no_figure_of_a_server_is_above_its_peak() -> None:
    known = [(each, most) for each in known_servers() if (most := most_gbps(each)) is not None]
    assert len(known) > 3000
    for server, most in known:
        for operation, counted in (("read", 1), ("write", 1), ("copy", COUNTS_TWICE["copy"])):
            rate = server.rate(operation)
            assert rate is None or rate * counted <= most, (server.server, operation, rate, most)
        assert server.read_gbps is None or server.read_gbps <= most, server.server


def test_figures_of_sc_membench_are_converted_from_mebibytes() -> None:
    """Its line for c8i.4xlarge: 524288 KiB, 8 threads, 8 passes, 0.296943 s, 110351.14."""
    (c8i,) = (each for each in known_servers() if each.server == "c8i.4xlarge")
    moved = 524288 * 1024 * 8 * 8
    assert c8i.read_gbps == pytest.approx(moved / 0.296943 / 1e9, rel=1e-4)


def test_the_data_have_their_licence_next_to_them() -> None:
    folder = Path(__file__).parents[2] / "cloud"
    assert (folder / "LICENSE").read_text().startswith("Attribution-ShareAlike 4.0 International")
    text = (folder / "README.md").read_text()
    assert "SpareCores/sc-inspector-data" in text
    assert "Changes" in text
    assert 'license = "CC-BY-SA-4.0"' in (folder / "pyproject.toml").read_text()
