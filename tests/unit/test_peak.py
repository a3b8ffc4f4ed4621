"""The theoretical peak: given, from what is plugged in, or of the model, and never a guess."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from example_machines import epyc_7451, machine, module
from example_records import MEMORY, good_records, place, placement

from streamgage.analysis.facts_file import DamagedTableError
from streamgage.analysis.peak import of_family, of_model, usual
from streamgage.analysis.peak.find import find_peak, look_for_peak
from streamgage.analysis.peak.gates import gate_of
from streamgage.analysis.peak.of_model import known_models, model_of, read_models
from streamgage.analysis.peak.of_modules import channel_of, channels_of, population_of
from streamgage.analysis.peak.peak import NoPeak, Peak
from streamgage.analysis.peak.reason import in_words
from streamgage.analysis.peak.usual import USUAL, Usual, read_usual_shares, usual_of
from streamgage.analysis.user_facts import UserFacts
from streamgage.records import (
    AnyRecord,
    ArrayPages,
    BenchmarkOutput,
    Cache,
    Machine,
    MemoryModule,
    ThreadPlace,
)
from streamgage.records.machine import ProcessorId
from streamgage.records.run import Run, collect
from streamgage.results.measure.judge import judge_measure

change = msgspec.structs.replace
AMD, INTEL = "AuthenticAMD", "GenuineIntel"


def run_on(made: Machine, *more: AnyRecord) -> Run:
    return collect([made, *more])


def peak_on(made: Machine, *more: AnyRecord) -> Peak:
    found = look_for_peak(run_on(made, *more), UserFacts())
    assert isinstance(found, Peak), found
    return found


def reason_on(made: Machine, *more: AnyRecord) -> str:
    found = look_for_peak(run_on(made, *more), UserFacts())
    assert isinstance(found, NoPeak), found
    return in_words(found.reasons)


def thread(cpu: int, package: int) -> ThreadPlace:
    return change(place(cpu, node=package), package=package)


def test_what_is_given_goes_before_everything() -> None:
    peak = find_peak(run_on(epyc_7451()), UserFacts(peak_gbps=100.0))
    assert peak == Peak(100.0, "given", "--peak")


def test_two_sockets_of_eight_channels_have_341_gbps() -> None:
    peak = peak_on(epyc_7451())
    assert peak.gbps == pytest.approx(16 * 2666e6 * 8 / 1e9)
    assert (peak.source, peak.detail) == ("smbios", "16 channels of DDR4-2666")


def test_two_modules_on_a_channel_give_no_more_than_one() -> None:
    one = machine([module(f"DIMM_{channel}1") for channel in "AB"])
    two = machine([module(f"DIMM_{channel}{slot}") for channel in "AB" for slot in (1, 2)])
    assert peak_on(two) == peak_on(one)


def test_the_slower_module_of_a_channel_counts() -> None:
    mixed = machine([module("DIMM_A1", rate=3200), module("DIMM_A2", rate=2400)])
    assert peak_on(mixed).detail == "1 channel of DDR4-2400"


def test_an_empty_channel_adds_nothing() -> None:
    half = peak_on(epyc_7451(empty="BDFH"))
    assert half.detail == "8 channels of DDR4-2666"
    assert half.gbps == pytest.approx(peak_on(epyc_7451()).gbps / 2)


def test_only_the_packages_in_use_count() -> None:
    bound = placement(thread(0, 1), thread(1, 1))
    peak = peak_on(epyc_7451(), bound, MEMORY)
    assert peak.detail == "8 channels of DDR4-2666 of the package in use"
    model = peak_on(machine(processor="AMD EPYC 7451", packages=2), bound, MEMORY)
    assert model.detail == "at most 8 channels of DDR4-2666 of the package in use"
    assert model.gbps == peak.gbps


@pytest.mark.parametrize(
    "more",
    [
        [placement(thread(0, 0), kind="none", bound=False), MEMORY],
        [placement(thread(0, 0), thread(1, 1)), MEMORY],
        [placement(thread(0, -1)), MEMORY],
        [placement(thread(0, 0))],
        [
            placement(thread(0, 0)),
            change(
                MEMORY,
                arrays=[ArrayPages(name="a", huge_share=None, checked_pages=64, remote_pages=32)],
            ),
        ],
    ],
)
def test_all_packages_count_where_the_memory_of_all_may_be_in_use(more: list[AnyRecord]) -> None:
    assert peak_on(epyc_7451(), *more).detail == "16 channels of DDR4-2666"


def test_a_package_without_modules_has_no_peak_by_them() -> None:
    slots = [
        change(each, bytes=0) if each.locator.startswith("P1") else each
        for each in epyc_7451().memory_modules
    ]
    bound = placement(thread(0, 1))
    reason = look_for_peak(
        run_on(change(epyc_7451(), memory_modules=slots), bound, MEMORY), UserFacts()
    )
    assert isinstance(reason, Peak) and reason.source == "model"
    unknown = change(epyc_7451(), memory_modules=slots, processor="Example 9000")
    assert "no memory module of the package in use" in reason_on(unknown, bound, MEMORY)


def test_all_packages_count_where_memory_is_interleaved_over_them() -> None:
    interleaved = change(epyc_7451(), numa_nodes=epyc_7451().numa_nodes[:1])
    bound = placement(thread(0, 0))
    assert peak_on(interleaved, bound, MEMORY).detail == "16 channels of DDR4-2666"


def test_slots_that_name_no_processor_do_not_tell_those_of_one() -> None:
    lettered = machine([module(f"DIMM_{channel}1") for channel in "ABCDEFGH"], packages=2)
    assert peak_on(lettered).detail == "8 channels of DDR4-2666"
    bound = placement(thread(0, 0))
    half = peak_on(lettered, bound, MEMORY)
    assert half.detail == "at most 4 channels of DDR4-2666 of the package in use"
    uneven = change(
        lettered, memory_modules=[*lettered.memory_modules, module("DIMM_I1", rate=2400)]
    )
    assert "which package each memory slot" in reason_on(uneven, bound, MEMORY)
    nodes = [change(each, bytes=(1 + each.node) << 34) for each in lettered.numa_nodes]
    more = change(lettered, numa_nodes=nodes)
    assert "which package each memory slot" in reason_on(more, bound, MEMORY)


@pytest.mark.parametrize(
    ("locator", "bank", "expected"),
    [
        ("DIMM_A1", None, ("", "", "A")),
        ("DIMMA1", "BANK 0", ("", "", "A")),
        ("DIMM 0", "P0 CHANNEL A", ("0", "", "A")),
        ("DIMM 1", "P1 CHANNEL H", ("1", "", "H")),
        ("CPU1_DIMM_B2", "NODE 1", ("1", "1", "B")),
        ("DIMM_A0", "CPU 1", ("1", "", "A")),
        ("CPU0 CH7 D1", "NODE 3", ("0", "3", "7")),
        ("CPU1_C3D0", "NODE 1", ("1", "1", "3")),
        ("DIMM000 J11", "SOCKET 0 CHANNEL 1 DIMM 0", ("0", "", "1")),
        ("P2-DIMMC1", "P1_Node0_Channel2_Dimm0", ("1", "0", "2")),
        ("DIMM 0", "P0_Node0_Channel0_Dimm0", ("0", "0", "0")),
        ("P0_DIMM_A1", "P0 CHANNEL A", ("0", "", "A")),
        ("DIMM_P1_C0", "BANK 12", ("1", "", "C")),
        ("CPU0_A0", None, ("0", "", "A")),
        ("ChannelA-DIMM0", "BANK 0", ("", "", "A")),
        ("Controller1-ChannelB-DIMM0", "BANK 0", ("", "1", "B")),
    ],
)
def test_channels_are_read_from_the_names_of_slots(
    locator: str, bank: str | None, expected: tuple[str, str, str]
) -> None:
    channel = channel_of(module(locator, bank))
    assert channel is not None
    assert (channel.socket, channel.controller, channel.name) == expected


@pytest.mark.parametrize(
    ("locator", "bank"),
    [
        ("A1", "Not Specified"),
        ("PROC 1 DIMM 3", None),
        ("DIMM 0", None),
        ("DIMM 0", "BANK 0"),
        ("RAM slot #0", "RAM slot #0"),
        ("slot 0", None),
    ],
)
def test_names_that_tell_no_channel_are_not_guessed(locator: str, bank: str | None) -> None:
    assert channel_of(module(locator, bank)) is None


def no_channels(modules: list[MemoryModule]) -> str:
    found = channels_of(modules)
    assert isinstance(found, NoPeak)
    return in_words(found.reasons)


def test_a_letter_with_twelve_slots_is_no_channel() -> None:
    dell = [module(f"DIMM_A{slot}") for slot in range(1, 13)]
    assert "12 memory slots the letter or number A, more than a channel has" in no_channels(dell)


def test_slots_of_the_same_name_may_be_on_different_channels() -> None:
    assert "gives 2 memory slots the same name" in no_channels([module("DIMM_A1")] * 2)


GENOA = "AMD EPYC 9654 96-Core Processor"


@pytest.mark.parametrize(
    ("modules", "packages", "detail"),
    [
        ([module("N/A", "N/A", rate=4400)] * 12, 1, "12 channels of DDR4-4400"),
        ([module("N/A", "N/A", rate=4400)] * 48, 2, "24 channels of DDR4-4400"),
        ([module("N/A", "N/A", rate=4400)] * 8, 1, "at most 8 channels of DDR4-4400"),
        ([module("N/A", "N/A", rate=4400)] * 18, 1, "at most 12 channels of DDR4-4400"),
        (
            [module(f"DIMM{n}", rate=4400 - 400 * (n % 2)) for n in range(24)],
            1,
            "at most 12 channels of DDR4-4400",
        ),
        (
            [*[module("N/A")] * 12, *[module("N/A", gibibytes=0)] * 12],
            1,
            "12 channels of DDR4-2666",
        ),
    ],
)
def test_modules_of_unknown_channels_fill_as_many_as_the_processors_have(
    modules: list[MemoryModule], packages: int, detail: str
) -> None:
    peak = peak_on(machine(modules, processor=GENOA, packages=packages))
    assert (peak.source, peak.detail) == ("smbios", detail)
    assert peak.at_most == detail.startswith("at most")


MILAN, STRIX = "AMD EPYC 7763 64-Core Processor", "AMD RYZEN AI MAX+ 395"


@pytest.mark.parametrize(
    ("slots", "processor", "packages", "detail"),
    [
        (  # Dell: the letter is the processor, the number counts channels before slots
            [module(f"{c}{n}", "Not Specified") for c in "AB" for n in range(1, 9)],
            MILAN,
            2,
            "16 channels of DDR4-2666",
        ),
        (  # HPE: all slots of a processor, of which each second is empty
            [
                module(f"PROC {p} DIMM {n}", gibibytes=16 * (n % 2))
                for p in (1, 2)
                for n in range(16)
            ],
            MILAN,
            2,
            "16 channels of DDR4-2666",
        ),
        (  # Supermicro, with two modules in each channel
            [
                module(f"P{p + 1}-DIMM{'ABCDEFGH'[c]}{d + 1}", f"P{p}_Node0_Channel{c}_Dimm{d}")
                for p in (0, 1)
                for c in range(8)
                for d in (0, 1)
            ],
            MILAN,
            2,
            "16 channels of DDR4-2666",
        ),
        (  # a desktop of AMD
            [module(f"DIMM {n % 2}", f"P0 CHANNEL {'AB'[n // 2]}") for n in range(4)],
            "AMD Ryzen 9 9950X 16-Core Processor",
            1,
            "2 channels of DDR4-2666",
        ),
        (  # a laptop of Intel: eight quarters of 16 bits
            [
                module(f"Controller{n}-Channel{c}", "BANK 0", kind="LPDDR5", width=16)
                for n in (0, 1)
                for c in "ABCD"
            ],
            "Example 9000",
            1,
            "8 channels of LPDDR5-2666",
        ),
        (  # soldered chips that claim to be as wide as modules
            [module("DIMM 0", f"P0 CHANNEL {c}", kind="LPDDR5") for c in "ABCDEFGH"],
            STRIX,
            1,
            "4 channels of LPDDR5-2666",
        ),
    ],
)
def test_the_slots_of_many_makers_are_understood(
    slots: list[MemoryModule], processor: str, packages: int, detail: str
) -> None:
    peak = peak_on(machine(slots, processor=processor, packages=packages))
    assert (peak.source, peak.detail) == ("smbios", detail)


def test_modules_of_unknown_channels_and_processor_are_a_bound() -> None:
    peak = peak_on(machine([module("DIMM 0"), module("DIMM 1")]))
    assert (peak.gbps, peak.detail) == (pytest.approx(42.656), "at most 2 channels of DDR4-2666")


def test_halves_of_modules_have_half_of_the_width() -> None:
    halves = [module(f"Controller{n}-Channel{c}", width=16) for n in (0, 1) for c in "ABCD"]
    assert peak_on(machine(halves)).gbps == pytest.approx(2 * 21.328)
    counted = [change(each, locator="N/A") for each in halves]
    assert peak_on(machine(counted)).gbps == pytest.approx(2 * 21.328)


@pytest.mark.parametrize(("width", "data"), [(72, 64), (80, 64), (64, 64), (40, 32), (16, 16)])
def test_the_bits_of_ecc_carry_no_data(width: int, data: int) -> None:
    assert peak_on(machine([module("DIMM_A1", width=width)])).gbps == pytest.approx(
        2666 * data / 8000
    )


def test_a_module_without_a_width_has_that_of_its_kind() -> None:
    assert peak_on(machine([module("DIMM_A1", width=None)])).gbps == pytest.approx(21.328)
    lpddr = machine([module("DIMM_A1", width=None, kind="LPDDR5")])
    assert "does not give the width" in reason_on(lpddr)


def test_a_rated_speed_alone_is_a_bound() -> None:
    only = change(module("DIMM_A1", rated=3200), megatransfers=None)
    peak = peak_on(machine([only]))
    assert (peak.detail, peak.at_most) == ("at most 1 channel of DDR4-3200", True)


def test_empty_slots_of_a_socket_without_a_processor_do_not_matter() -> None:
    slots = [
        module(f"CPU{socket} Channel{channel} DIMM0", gibibytes=16 * socket)
        for socket in (0, 1)
        for channel in range(12)
    ]
    peak = peak_on(machine(slots, processor=GENOA))
    assert (peak.source, peak.detail) == ("smbios", "12 channels of DDR4-2666")


def test_one_package_of_equal_ones_has_its_part_of_the_modules() -> None:
    both = machine([module("N/A")] * 24, processor=GENOA, packages=2)
    peak = peak_on(both, placement(thread(0, 1)), MEMORY)
    assert peak.detail == "12 channels of DDR4-2666 of the package in use"


@pytest.mark.parametrize("gibibytes", [1024, 61, 20])
def test_modules_that_nobody_sells_are_made_up(gibibytes: int) -> None:
    made_up = machine([module("DIMM 0", gibibytes=gibibytes)])
    assert "a size that nobody sells" in reason_on(made_up)


@pytest.mark.parametrize("gibibytes", [1, 16, 24, 48, 96, 512])
def test_modules_that_are_sold_are_believed(gibibytes: int) -> None:
    assert peak_on(machine([module("DIMM_A1", gibibytes=gibibytes)])).source == "smbios"


def test_a_type_of_a_cloud_shows_a_guest_whose_hypervisor_hides() -> None:
    on_ec2 = machine([module("DIMM 0")], system="Amazon EC2 m7g.large")
    assert "that a guest sees are made up" in reason_on(on_ec2)
    metal = machine([module("DIMM 0")], system="Amazon EC2 m8i.metal-48xl")
    assert peak_on(metal).source == "smbios"


def test_more_channels_than_the_processor_has_are_not_believed() -> None:
    wrong = machine(
        [module(f"DIMM_{letter}1") for letter in "ABCDEFGHIJ"], processor="AMD EPYC 7763"
    )
    found = look_for_peak(run_on(wrong), UserFacts())
    assert isinstance(found, Peak)
    assert (found.source, found.detail) == ("smbios", "at most 8 channels of DDR4-2666")


def test_the_memory_of_a_guest_is_made_up() -> None:
    guest = machine([module("DIMM 0", kind="RAM", rate=None)], hypervisor="KVM")
    assert reason_on(guest).startswith("the memory modules that a guest sees are made up;")


def test_without_a_rate_there_is_no_peak() -> None:
    text = reason_on(machine([module("DIMM_A1", rate=None)]))
    assert text.startswith("SMBIOS does not give the transfer rate of the module in DIMM_A1;")


def test_persistent_memory_beside_dram_is_left_out() -> None:
    both = machine([module("DIMM_A1"), module("DIMM_A2", kind="Optane", rate=2400)])
    assert peak_on(both).detail == "1 channel of DDR4-2666"


def test_two_kinds_of_memory_are_not_added_up() -> None:
    both = machine([module("DIMM_A1"), module("ChannelX-DIMM0", kind="HBM2")])
    assert "two kinds of memory" in reason_on(both)


def test_the_reasons_of_both_sources_are_told() -> None:
    assert reason_on(machine()) == (
        "SMBIOS cannot be read; Example 9000 is not in the table of processor models (give the"
        " peak with --peak)"
    )


@pytest.mark.parametrize(
    ("processor", "system", "expected"),
    [
        ("AMD EPYC 7451 24-Core Processor", None, "8 DDR4-2666"),
        ("AMD EPYC 7R32", "Amazon EC2 c5a.large", "8 DDR4-3200"),
        ("AMD EPYC 7763 64-Core Processor", None, "8 DDR4-3200"),
        ("AMD EPYC 9654 96-Core Processor", None, "12 DDR5-4800"),
        ("AMD EPYC 9755 128-Core Processor", None, "12 DDR5-6400"),
        ("Intel(R) Xeon(R) CPU E5-2660 v2 @ 2.20GHz", None, "4 DDR3-1866"),
        ("Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40GHz", None, "4 DDR4-2400"),
        ("Intel(R) Xeon(R) Gold 6148 CPU @ 2.40GHz", None, "6 DDR4-2666"),
        ("Xeon Gold 6248", None, "6 DDR4-2933"),
        ("Intel(R) Xeon(R) Platinum 8375C CPU @ 2.90GHz", None, "8 DDR4-3200"),
        ("INTEL(R) XEON(R) PLATINUM 8481C CPU @ 2.70GHZ", None, "8 DDR5-4800"),
        ("Intel(R) Xeon(R) Platinum 8592+", None, "8 DDR5-5600"),
        ("Marvell ThunderX2", None, "8 DDR4-2666"),
        ("Arm Neoverse N1", "Amazon EC2 c6g.metal", "8 DDR4-3200"),
        ("Graviton2", None, "8 DDR4-3200"),
        ("Neoverse-V3", "Amazon EC2 m9g.metal-48xl", "12 DDR5-8800"),
        ("Intel(R) Xeon(R) 6975P-C", None, "12 DDR5-7200"),
        ("Intel(R) Xeon(R) 6985P-C CPU @ 2.30GHz", None, "12 DDR5-6400"),
        ("Intel(R) Xeon(R) 6980P", None, "12 MRDIMM-8800"),
        ("Arm Neoverse N1", "Ampere Mt. Jade", None),
        ("AMD EPYC", None, None),
        ("AMD EPYC 7282 16-Core Processor", None, "4 DDR4-2666"),  # half of the bandwidth
        ("AMD EPYC 4344P 8-Core Processor", None, "2 DDR5-5200"),
        ("AMD Ryzen 9 9950X 16-Core Processor", None, "2 DDR5-5600"),
        ("Intel(R) Xeon(R) 6787P", None, "8 MRDIMM-8000"),
        ("Intel(R) Xeon(R) 6780E", None, "8 DDR5-6400"),
        ("AMD RYZEN AI MAX+ 395 w/ Radeon 8060S", None, "8 LPDDR5X-8000"),
        ("Cortex-A76", "Raspberry Pi 5 Model B Rev 1.0", "1 LPDDR4X-4267"),
        ("Cortex-A76", "Radxa ROCK 5B", None),
        ("Apple M4 Pro", None, "16 LPDDR5X-8533"),
        ("Apple M4", None, "8 LPDDR5X-7500"),
        ("Intel(R) Xeon(R) CPU E5-2670 0 @ 2.60GHz", None, "4 DDR3-1600"),
        ("Intel(R) Xeon(R) CPU E5-2670 v2 @ 2.50GHz", None, "4 DDR3-1866"),
        ("Neoverse-N1", "Microsoft Corporation Virtual Machine", "8 DDR4-3200"),
        ("Neoverse-N1", "Radxa Orion", None),
        ("Ampere(R) Altra(R) Processor Q80-30 CPU @ 3.0GHz", None, "8 DDR4-3200"),
        ("AmpereOne M A192-26M", None, "12 DDR5-5600"),
        ("Intel(R) Core(TM) i7-8550U CPU @ 1.80GHz", None, "2 DDR4-2400"),
        ("Intel(R) Xeon(R) CPU Max 9480", None, None),  # two kinds of memory
        ("Intel(R) Xeon(R) Platinum 9282", None, "12 DDR4-2933"),
        ("Intel(R) Xeon(R) Platinum 8376H", None, "6 DDR4-3200"),
        ("Intel Xeon Processor (Skylake, IBRS)", None, None),
        ("POWER9, altivec supported", None, None),
    ],
)
def test_models_are_known_by_name(processor: str, system: str | None, expected: str | None) -> None:
    model = model_of(processor, system)
    assert (f"{model.channels} {model.memory}" if model else None) == expected


def test_every_model_has_a_source_that_says_its_memory() -> None:
    assert all(":" in model.source for model in known_models())
    assert all(model.read is None or model.read.year >= 2026 for model in known_models())


def test_the_model_counts_packages_and_is_an_upper_bound() -> None:
    peak = peak_on(machine(processor="AMD EPYC 7451", packages=2))
    assert peak == Peak(
        pytest.approx(341.2, abs=0.1), "model", "at most 16 channels of DDR4-2666", at_most=True
    )


def test_high_bandwidth_memory_comes_in_stacks() -> None:
    peak = peak_on(machine(processor="Fujitsu A64FX", nodes=4))
    assert (peak.gbps, peak.detail) == (1024.0, "at most 4 stacks of HBM2-2000")


def test_a_guest_shares_the_peak_of_its_socket() -> None:
    guest = machine(processor="AMD EPYC 7R32", hypervisor="KVM")
    assert peak_on(guest).detail == (
        "at most 8 channels of DDR4-3200 of the whole socket, which a guest shares"
    )


def test_memory_that_is_often_overclocked_has_no_peak_by_its_model() -> None:
    made = machine(processor="AMD Ryzen 9 9950X 16-Core Processor")
    assert "takes 89.6 GB/s (2 channels of DDR5-5600) by its maker, but" in reason_on(made)
    fast = [module(f"P0 CHANNEL {c}", kind="DDR5", rate=6400, rated=6400) for c in "AB"]
    assert peak_on(change(made, memory_modules=fast)).gbps == pytest.approx(102.4)


@pytest.mark.parametrize(
    ("vendor", "family", "model", "stepping", "said"),
    [
        (
            AMD,
            25,
            1,
            1,
            "EPYC 7003 (Milan): at most 204.8 GB/s per socket (8 channels of DDR4-3200)",
        ),
        (
            AMD,
            25,
            17,
            1,
            "EPYC 9004 (Genoa): at most 460.8 GB/s per socket (12 channels of DDR5-4800)",
        ),
        (INTEL, 6, 85, 4, "(Skylake): at most 128.0 GB/s per socket (6 channels of DDR4-2666)"),
        (INTEL, 6, 106, 6, "(Ice Lake): at most 204.8 GB/s per socket (8 channels of DDR4-3200)"),
    ],
)
def test_a_masked_name_leaves_what_a_socket_takes_at_most(
    vendor: str, family: int, model: int, stepping: int, said: str
) -> None:
    found = ProcessorId(vendor=vendor, family=family, model=model, stepping=stepping)
    guest = change(machine(processor="AMD EPYC", hypervisor="KVM"), processor_id=found)
    assert said in reason_on(guest)
    assert "which guests share; the host may be newer" in reason_on(guest)
    assert "which guests share" not in reason_on(change(guest, hypervisor=None))
    assert judge_measure(run_on(guest)).document.peak is None, "no figure is judged by it"


@pytest.mark.parametrize(
    ("vendor", "family", "model", "stepping"),
    [
        (INTEL, 6, 85, 7),  # Cascade Lake, of which some have twelve channels
        (AMD, 15, 107, 1),  # QEMU Virtual CPU
        (INTEL, 25, 1, 1),
    ],
)
def test_nothing_is_said_of_a_family_and_model_that_do_not_tell_the_memory(
    vendor: str, family: int, model: int, stepping: int
) -> None:
    found = ProcessorId(vendor=vendor, family=family, model=model, stepping=stepping)
    guest = change(machine(processor="QEMU Virtual CPU", hypervisor="KVM"), processor_id=found)
    assert "a socket" not in reason_on(guest)


MODELS = Path(of_model.__file__).with_name("models.csv").read_text("utf-8")
FAMILIES = Path(of_family.__file__).with_name("families.csv").read_text("utf-8")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (FAMILIES.replace("format 1", "format 2"), "update streamgage"),
        (FAMILIES.partition("\n")[2], "is damaged in line 1: install streamgage again"),
        (FAMILIES[:-40], "is damaged in line"),
        (FAMILIES.replace(",23,", ",x,"), "is damaged in line 3"),
        (FAMILIES.replace("0-15", "0-99999999999"), "no steppings: 0-99999999999"),
        (FAMILIES.replace("EPYC[ -](", "EPYC[ -]((", 1), "is damaged in line 3"),
    ],
)
def test_a_damaged_list_of_families_is_one_sentence(tmp_path: Path, text: str, what: str) -> None:
    file = tmp_path / "families.csv"
    file.write_text(text, "utf-8")
    with pytest.raises(DamagedTableError, match=what) as error:
        of_family.read_families(file)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (MODELS.replace("format 1", "format 2"), "update streamgage"),
        (MODELS.replace("EPYC 7[", "EPYC 7([", 1), "is damaged in line"),
        (MODELS.replace(",2026-11-21", ",yesterday", 1), "is damaged in line 3"),
        (MODELS.replace('"intel.com 75277', ',"intel.com 75277', 1), "is damaged in line 3"),
    ],
)
def test_a_damaged_list_of_models_is_one_sentence(tmp_path: Path, text: str, what: str) -> None:
    file = tmp_path / "models.csv"
    file.write_text(text, "utf-8")
    with pytest.raises(DamagedTableError, match=what) as error:
        read_models(file)
    assert "\n" not in str(error.value)


def test_a_damaged_list_of_models_does_not_spoil_a_measurement(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def damaged() -> tuple[of_model.ProcessorModel, ...]:
        raise DamagedTableError("The list of models is damaged: install streamgage again.")

    monkeypatch.setattr(of_model, "known_models", damaged)
    assert "install streamgage again" in reason_on(machine(processor="AMD EPYC 7763"))
    assert peak_on(machine([module("DIMM_A1")])).source == "smbios"


def test_a_damaged_list_of_families_does_not_spoil_a_measurement(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def damaged() -> tuple[of_family.Family, ...]:
        raise DamagedTableError("The list of families is damaged: install streamgage again.")

    monkeypatch.setattr(of_family, "known_families", damaged)
    found = ProcessorId(vendor=AMD, family=25, model=1, stepping=1)
    guest = change(machine(processor="AMD EPYC", hypervisor="KVM"), processor_id=found)
    measured = judge_measure(run_on(guest)).document
    assert (measured.machine, measured.peak, measured.expected) == (guest, None, [])
    assert "install streamgage again" in reason_on(guest)


def test_packages_that_a_hypervisor_made_up_are_not_counted() -> None:
    guest = machine(processor="AMD EPYC 7763", packages=8, nodes=1, hypervisor="KVM")
    assert "shows 8 packages and 1 NUMA node, so" in reason_on(guest)


@pytest.mark.parametrize(
    ("processor", "gbps"),
    [
        ("2x AMD EPYC 7451", 341.2),
        ("AMD EPYC 7451 (2-socket)", 341.2),
        ("AMD EPYC 7451", None),
        # Their makers sell these for boards with one socket only.
        ("Intel(R) Core(TM) i5-9300H CPU @ 2.40GHz", 42.7),
        ("AMD EPYC 7402P 24-Core Processor", 204.8),
    ],
)
def test_what_others_reported_needs_the_number_of_processors(
    processor: str, gbps: float | None
) -> None:
    run = collect([BenchmarkOutput(tool="STREAM", processor=processor)])
    peak = find_peak(run, UserFacts())
    assert (peak.gbps if peak else None) == (pytest.approx(gbps, abs=0.1) if gbps else None)


def test_nothing_known_gives_reasons() -> None:
    found = look_for_peak(Run(), UserFacts())
    assert isinstance(found, NoPeak)
    assert in_words(found.reasons) == (
        "there is no record of the machine; the processor's model is unknown (give the peak with"
        " --peak)"
    )


def test_channels_without_a_module_are_found() -> None:
    population = population_of(run_on(epyc_7451(empty="GH")))
    assert population is not None
    assert (population.populated, population.missing) == (12, 0)
    assert population.empty == ("P0_DIMM_G1", "P0_DIMM_H1", "P1_DIMM_G1", "P1_DIMM_H1")


def test_channels_that_the_board_does_not_wire_are_found_by_the_model() -> None:
    six = machine([module(f"DIMM_{letter}1") for letter in "ABCDEF"], processor="AMD EPYC 7763")
    population = population_of(run_on(six))
    assert population is not None
    assert (population.populated, population.empty, population.missing) == (6, (), 2)


def test_halves_of_channels_are_not_missing() -> None:
    halves = [module(f"ChannelA{n}-DIMM0", width=32) for n in range(8)]
    named = [change(each, locator=f"Channel{n}-DIMM0") for n, each in enumerate(halves)]
    population = population_of(run_on(machine(named, processor="AMD EPYC 7763")))
    assert population is not None
    assert population.missing == 4


def test_without_channels_nothing_is_said_of_population() -> None:
    assert population_of(run_on(machine([module("DIMM 0")]))) is None
    assert population_of(Run()) is None


@pytest.mark.parametrize(
    ("share", "gate"),
    [
        (1.19, "above"),
        (0.981, "above"),
        (0.98, "high"),
        (0.93, "high"),
        (0.92, "usual"),
        (0.70, "usual"),
        (0.65, "moderate"),
        (0.599, "low"),
    ],
)
def test_gates(share: float, gate: str) -> None:
    assert gate_of(share) == gate


def usual_on(made: Machine, gbps: float) -> Usual:
    return usual_of(run_on(made), Peak(gbps, "given", "--peak"))


def with_caches(made: Machine, caches: int) -> Machine:
    last = Cache(level=3, kind="unified", bytes=1 << 25, instances=caches, line_bytes=64, cpus=[])
    return change(made, caches=[last])


@pytest.mark.parametrize(
    ("processor", "gbps", "low", "high"),
    [
        ("Intel(R) Xeon(R) CPU Max 9480", 1638.4, 0.43, 0.68),
        ("Intel(R) Xeon(R) CPU Max 9480", 307.2, 0.70, 0.92),  # its DDR5
        ("A64FX", 1024.0, 0.54, 0.81),
        ("AMD EPYC 7763 64-Core Processor", 204.8, 0.70, 0.92),
        ("Intel(R) Xeon(R) Platinum 8480+", 307.2, 0.70, 0.92),
    ],
)
def test_what_is_usual_comes_by_processor(
    processor: str, gbps: float, low: float, high: float
) -> None:
    found = usual_on(with_caches(machine(processor=processor), 8), gbps)
    assert (found.low, found.high) == (low, high)
    assert bool(found.reason) == (found != USUAL)


def test_a_computers_name_says_what_is_usual() -> None:
    pi = machine(processor="Cortex-A76", system="Raspberry Pi Foundation Raspberry Pi 5 Model B")
    assert usual_on(pi, 17.1).high == 0.62


def test_the_links_of_few_dies_limit_what_is_usual() -> None:
    milan = machine(processor="AMD EPYC 7303 16-Core Processor")
    found = usual_on(with_caches(milan, 2), 204.8)
    assert found.high == pytest.approx(0.5)
    assert found.low == pytest.approx(0.5 * 0.70 / 0.92)
    assert found.reason == "the links of its 2 dies with cores carry 102 GB/s"
    assert usual_on(with_caches(milan, 8), 204.8) == USUAL
    rome = machine(processor="AMD EPYC 7252 8-Core Processor")
    assert usual_on(with_caches(rome, 4), 204.8).high == pytest.approx(2 * 46.9 / 204.8)
    two = machine(processor="AMD EPYC 7303 16-Core Processor", packages=2)
    assert usual_on(with_caches(two, 4), 409.6).high == pytest.approx(0.5)


def test_dies_that_are_not_known_limit_nothing() -> None:
    milan = machine(processor="AMD EPYC 7303 16-Core Processor")
    assert usual_on(change(milan, caches=[]), 204.8) == USUAL
    guest = change(with_caches(milan, 2), hypervisor="KVM")
    assert usual_on(guest, 204.8) == USUAL
    one_cache = change(with_caches(milan, 1), cores=64)
    assert usual_on(one_cache, 204.8) == USUAL


def test_a_share_is_low_by_what_is_usual() -> None:
    few_lines = Usual(0.43, 0.68, "few lines")
    assert gate_of(0.45, few_lines) == "usual"
    assert gate_of(0.40, few_lines) == "moderate"
    assert gate_of(0.36, few_lines) == "low"


USUAL_SHARES = Path(of_model.__file__).with_name("usual.csv").read_text("utf-8")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (USUAL_SHARES.replace("format 1", "format 2"), "update streamgage"),
        (USUAL_SHARES.replace("0.43,0.68", "0.43,", 1), "neither a range of shares"),
        (USUAL_SHARES.replace("0.43,0.68", "0.68,0.43", 1), "no reason, or is none"),
        (USUAL_SHARES.replace("Max 9[", "Max (9[", 1), "damaged in line 3"),
    ],
)
def test_a_damaged_list_of_usual_shares_is_one_sentence(
    tmp_path: Path, text: str, what: str
) -> None:
    file = tmp_path / "usual.csv"
    file.write_text(text, "utf-8")
    with pytest.raises(DamagedTableError, match=what):
        read_usual_shares(file)


def test_a_damaged_list_of_usual_shares_changes_only_what_is_called_usual(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def damaged() -> tuple[usual.UsualRow, ...]:
        raise DamagedTableError("The list of usual shares is damaged.")

    monkeypatch.setattr(usual, "known_usual_shares", damaged)
    assert usual_on(machine(processor="A64FX"), 1024.0) == USUAL


def test_the_answer_has_the_peak_and_the_share_of_what_crossed() -> None:
    result = judge_measure(collect(good_records()), UserFacts(peak_gbps=10.0)).document
    assert result.peak is not None
    assert (result.peak.gbps, result.peak.source) == (10.0, "given")
    shares = {(each.kernel, each.store): each.peak_share for each in result.kernels}
    assert shares["sum", "plain"] == pytest.approx(0.671, abs=0.001)
    assert shares["copy", "plain"] is None


def test_a_peak_that_the_run_exceeds_is_dropped_with_its_shares() -> None:
    result = judge_measure(collect(good_records()), UserFacts(peak_gbps=1.0)).document
    assert result.peak is None
    assert in_words(result.peak_unknown) == (
        "this run moved more than the 1.0 GB/s that memory would have by --peak"
    )
    assert all(each.peak_share is None for each in (*result.kernels, *result.checks))
    assert "above-peak" in [each.code for each in result.findings]


def test_without_a_peak_the_answer_says_why() -> None:
    result = judge_measure(collect(good_records())).document
    assert result.peak is None
    assert in_words(result.peak_unknown).startswith("SMBIOS cannot be read; ")
    assert all(each.peak_share is None for each in result.kernels)
