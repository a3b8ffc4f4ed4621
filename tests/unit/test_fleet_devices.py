"""A fleet is judged by the devices of its nodes: each is a unit of its own."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec
import pytest
from example_device import CUDA_DEVICE, device_records
from example_records import MACHINE, validation
from stub_fleet import SOUND_FLEET, stub_fleet
from stub_gpus import CAPPED, GPU, HOT, LACKING, NODES, gpu_fleet, gpu_line

from streamgage.errors import UsageError
from streamgage.records import AnyRecord
from streamgage.records.node import (
    FleetLine,
    NodeLine,
    RecordedRun,
    as_line,
    read_node_lines,
)
from streamgage.results.fleet.baseline import baseline_of, read_baseline
from streamgage.results.fleet.document import Fleet
from streamgage.results.fleet.drain import drain_lines
from streamgage.results.fleet.drift import past_of
from streamgage.results.fleet.gather import gather
from streamgage.results.fleet.judge import Rules, judge, suspects
from streamgage.results.fleet.nodes import folded_units
from streamgage.results.fleet.words import headline
from streamgage.results.kinds import decode_document, result_of, words_of
from streamgage.results.render import render_result
from streamgage.show.symbols import UNICODE
from streamgage.show.table import render
from streamgage.show.terminal import Terminal

H100 = "NVIDIA H100 80GB HBM3"
change = msgspec.structs.replace


def fleet_of(lines: Iterable[FleetLine | RecordedRun], rules: Rules | None = None) -> Fleet:
    return judge(gather(lines), rules or Rules())


def sound(nodes: int = 10) -> list[NodeLine]:
    """Four GPUs for each node, which differ by half a percent in a fixed order."""
    steps = (0, 3, -2, 5, -4, 1, -1, 4, -3, 2, -5)
    return [
        gpu_line(f"n{node}", gpu, 1 + 0.001 * steps[(4 * node + gpu) % len(steps)])
        for node in range(nodes)
        for gpu in range(4)
    ]


def verdicts(fleet: Fleet) -> dict[str, str]:
    return {each.name: each.verdict for each in fleet.nodes if each.verdict != "fine"}


def causes(fleet: Fleet, name: str) -> list[str]:
    (found,) = (each for each in fleet.nodes if each.name == name)
    return [each.words for each in found.causes]


def text_of(fleet: Fleet) -> str:
    return render(result_of(fleet).page, Terminal(100, False, UNICODE))


@pytest.mark.parametrize("seed", range(5))
def test_the_slow_the_hot_and_the_missing_gpu_are_named_and_no_other(seed: int) -> None:
    fleet = fleet_of(gpu_fleet(seed))
    assert verdicts(fleet) == {"node17 cuda:2": "slow", "node42 cuda:1": "slow"}
    assert causes(fleet, "node17 cuda:2") == []
    assert causes(fleet, "node42 cuda:1") == [
        "clocks kept low by its temperature, by the hardware (in 10 of 12 readings)"
    ]
    odd = {each.host for each in fleet.nodes if fleet.oddities_of(each)}
    assert odd == {LACKING}
    (oddity,) = next(fleet.oddities_of(each) for each in fleet.nodes if each.host == LACKING)
    others = 4 * (NODES - 1)
    assert oddity.words == f"1 device missing: 3 x {H100}, {others} others 4 x {H100}"
    assert (fleet.asked, len(fleet.nodes), fleet.silent) == (NODES, others + 3, [])


def test_what_is_shown_names_node_and_device() -> None:
    fleet = fleet_of(gpu_fleet())
    assert headline(fleet) == "Fleet: 100 nodes answered, 2 devices are slow"
    shown = text_of(fleet)
    assert "2 devices (in every run): node42 cuda:1, node17 cuda:2" in shown
    assert "node63 cuda:[0-2]: 1 device missing: 3 x" in shown
    codes = {each.code: each.text for each in words_of(fleet).findings}
    assert set(codes) == {"slow-node", "odd-node"}
    assert "2 devices slow in every run" in codes["slow-node"]
    assert "look at their clocks, power and temperature" in codes["slow-node"]
    rows = render_result(result_of(fleet), "csv").splitlines()
    assert rows[0].startswith("host,device,")
    assert sum(each.startswith("node17,cuda:2,") for each in rows) == 4
    assert decode_document(msgspec.json.encode(fleet), "fleet.json") == fleet


def test_the_node_of_a_slow_device_is_drained_once_with_the_device_as_reason() -> None:
    slow = [gpu_line("n99", gpu, 0.7, attempt=attempt) for gpu in (0, 1) for attempt in (1, 2)]
    lines = drain_lines(fleet_of([*sound(), *slow]), "slurm")
    assert len(lines) == 1
    assert 'nodename=n99 state=drain reason="streamgage: cuda:0 triad 2079' in lines[0]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"limit_watts": 400.0}, "power limit 400 W, 40 others 700 W"),
        ({"has_ecc": False}, "ECC off, 40 others on"),
        ({"driver": "CUDA 12.0"}, f"driver CUDA 12.0, 40 others {GPU.driver}"),
        ({"slowed_by": [CAPPED, HOT]}, "clocks kept low by its temperature, by the hardware"),
    ],
    ids=lambda each: next(iter(each)) if isinstance(each, dict) else "",
)
def test_what_a_slow_device_has_of_its_own_is_its_cause(
    changes: dict[str, object], said: str
) -> None:
    fleet = fleet_of([*sound(), gpu_line("n99", 0, 0.8, changes)])
    assert verdicts(fleet) == {"n99 cuda:0": "suspect"}
    assert suspects(fleet) == ["n99"]
    assert any(each.startswith(said) for each in causes(fleet, "n99 cuda:0"))


def test_a_device_that_others_used_is_not_accused() -> None:
    busy = gpu_line("n3", 1, 0.6, {"other_processes": 1})
    lines = [busy if each.unit == busy.unit else each for each in sound()]
    fleet = fleet_of(lines)
    assert verdicts(fleet) == {"n3 cuda:1": "cannot-tell"}
    assert causes(fleet, "n3 cuda:1") == ["another process had the device open"]


def test_slices_and_whole_devices_are_strangers() -> None:
    part = {"slice": "MIG 1g.10gb", "memory_bytes": 10 << 30}
    slices = [gpu_line(f"m{n}", 0, 0.13 * (1 + 0.001 * (n % 5)), part) for n in range(12)]
    fleet = fleet_of([*sound(), *slices])
    assert [each.nodes for each in fleet.classes] == [40, 12]
    assert fleet.classes[1].name == f"{H100}, MIG 1g.10gb, 10 GiB"
    assert verdicts(fleet) == {}


def test_processors_and_devices_are_judged_side_by_side() -> None:
    held = stub_fleet(20, 1, SOUND_FLEET, noise=0.005, mess=False)
    processors = [
        each for each in read_node_lines(held.lines, lambda _: None) if isinstance(each, NodeLine)
    ]
    hosts = {each.host for each in processors}
    devices = [gpu_line(host, 0, 1 + 0.001 * (n % 7)) for n, host in enumerate(sorted(hosts))]
    fleet = fleet_of([*processors, *devices])
    assert verdicts(fleet) == {}
    assert (len(fleet.classes), len(fleet.nodes)) == (2, 40)
    assert headline(fleet) == "Fleet: 20 nodes answered, none is slow"


def test_a_baseline_of_devices_is_none_of_processors(tmp_path: Path) -> None:
    file = tmp_path / "baseline.json"
    file.write_bytes(baseline_of(fleet_of(sound())))
    baseline = read_baseline(file)
    few = [gpu_line("n1", 0), gpu_line("n1", 1, 0.8), gpu_line("n1", 1, 0.8, attempt=2)]
    assert verdicts(fleet_of(few, Rules(baseline=baseline))) == {"n1 cuda:1": "slow"}
    with pytest.raises(UsageError, match="other hardware: processor AMD"):
        baseline.class_for({"processor": "AMD EPYC 9654"})


def test_a_device_is_compared_with_its_own_past() -> None:
    before = fleet_of([change(each, time="2026-03-12T12:00:00Z") for each in sound()])
    now = [gpu_line("n3", 1, 0.9) if each.unit == "n3 cuda:1" else each for each in sound()]
    fleet = fleet_of(now, Rules(past=[past_of(before)]))
    assert [each.name for each in fleet.nodes if each.drift] == ["n3 cuda:1"]


def test_the_records_of_whole_runs_on_devices_are_lines_of_devices() -> None:
    def run(device: str, host: str) -> RecordedRun:
        facts = change(CUDA_DEVICE, id=device)
        machine = change(MACHINE, host=host)
        return RecordedRun([machine, *device_records()[1:], facts])

    fleet = fleet_of([run("cuda:0", "n1"), run("cuda:1", "n1"), run("cuda:0", "n2")])
    assert [each.name for each in fleet.nodes] == ["n1 cuda:0", "n1 cuda:1", "n2 cuda:0"]
    assert fleet.classes[0].properties["processor"] == CUDA_DEVICE.name
    assert "threads" not in fleet.classes[0].properties


def test_a_whole_run_with_wrong_results_is_a_wrong_unit() -> None:
    def run(host: str, *more: AnyRecord) -> RecordedRun:
        return RecordedRun([change(MACHINE, host=host), *device_records()[1:], CUDA_DEVICE, *more])

    fleet = fleet_of([run("n1"), run("n2", validation(0, valid=False)), run("n3")])
    assert verdicts(fleet)["n2 cuda:0"] == "wrong"
    assert set(verdicts(fleet).values()) == {"wrong", "not-judged"}, "three are too few"


def test_lines_of_devices_are_read_as_they_were_written_and_once() -> None:
    lines = [gpu_line("n1", 0), gpu_line("n1", 1)]
    notes: list[str] = []
    read = list(read_node_lines([*map(as_line, lines), as_line(lines[1])], notes.append))
    assert read == lines
    assert "repeats the result of a node" in notes[0]


def test_units_are_folded_by_their_devices() -> None:
    units = [("n1", "cuda:0"), ("n2", "cuda:0"), ("n7", "cuda:1"), ("n7", "cuda:2"), ("n9", None)]
    assert folded_units(units) == "n9, n[1-2] cuda:0, n7 cuda:[1-2]"
    assert folded_units(units, 24) == "n9, n[1-2] cuda:0,..."
