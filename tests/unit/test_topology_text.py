"""Tables and boxes, against small files that were read and approved."""

from __future__ import annotations

import re

import example_topologies as made
import pytest
from example_device import DEVICE
from example_topologies import Counts, regular
from golden import approved
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from streamgage.machine.topology.boxes import SCREEN_LINES, box_lines
from streamgage.machine.topology.frame import LINES, PLAIN
from streamgage.machine.topology.read import DevicesFound
from streamgage.machine.topology.text import render
from streamgage.records import CoreKind, Machine
from streamgage.show.brief import BELOW
from streamgage.show.symbols import ASCII, UNICODE, Symbols
from streamgage.show.terminal import Terminal

WIDTHS = (60, 80, 100, 140)


def shown(machine: Machine, width: int = 80, symbols: Symbols = UNICODE) -> str:
    return render(machine, Terminal(width, False, symbols))


@pytest.mark.parametrize(
    ("name", "width", "symbols"),
    [
        ("two-sockets", 80, UNICODE),
        ("epyc-7451", 100, UNICODE),
        ("epyc-7451", 60, UNICODE),
        ("hybrid", 80, UNICODE),
        ("memory-only", 80, UNICODE),
        ("restricted", 100, ASCII),
        ("large", 140, UNICODE),
    ],
)
def test_text_is_as_approved(name: str, width: int, symbols: Symbols) -> None:
    kind = "-ascii" if symbols is ASCII else ""
    approved(f"topology/{name}-{width}{kind}.txt", shown(made.ALL[name](), width, symbols))


@pytest.mark.parametrize("name", made.ALL)
@pytest.mark.parametrize("width", WIDTHS)
def test_no_line_is_wider_than_the_terminal(name: str, width: int) -> None:
    machine = made.ALL[name]()
    for tabled in (True, False):
        text = render(machine, Terminal(width, False, UNICODE), tabled=tabled)
        assert max(map(len, text.splitlines())) <= width


@pytest.mark.parametrize("height", [24, 40])
@pytest.mark.parametrize("name", made.ALL)
def test_a_terminal_gets_what_it_has_room_for(name: str, height: int) -> None:
    machine = made.ALL[name]()
    whole, text = shown(machine), render(machine, Terminal(80, False, UNICODE, height))
    assert text.count("\n") <= height - BELOW
    if whole.count("\n") <= height - BELOW:
        assert text == whole
        return
    assert text.startswith(whole.split("\n\n")[0])
    *_, more = text.splitlines()
    assert ("--picture" in more) == ("┌" not in text)
    for tabled, option in ((True, "--no-picture"), (False, "--picture")):
        asked = render(
            machine, Terminal(80, False, UNICODE, height), tabled=tabled, drawn=not tabled
        )
        assert option not in asked


MACHINES = st.builds(
    regular,
    st.builds(
        Counts,
        packages=st.integers(1, 4),
        dies=st.integers(1, 2),
        nodes=st.integers(1, 3),
        l3=st.integers(1, 3),
        cores=st.integers(1, 9),
        smt=st.integers(1, 8),
        adjacent=st.booleans(),
    ),
)


@given(MACHINES, st.integers(20, 200), st.booleans(), st.data())
def test_any_machine_fits_any_width(
    machine: Machine, width: int, whole: bool, data: st.DataObject
) -> None:
    cpus = [thread.cpu for thread in machine.threads]
    allowed = data.draw(st.sets(st.sampled_from(cpus), min_size=1))
    restricted = replace(machine, allowed_cpus=",".join(map(str, sorted(allowed))))
    lines = box_lines(restricted, width, LINES, whole=whole)
    assert lines
    assert max(map(len, lines)) <= width


@given(MACHINES, st.sampled_from(WIDTHS))
def test_the_whole_picture_has_every_core(machine: Machine, width: int) -> None:
    text = "\n".join(box_lines(machine, width, LINES, whole=True))
    for core in {thread.core for thread in machine.threads}:
        assert f"core {core} " in text


@pytest.mark.parametrize("width", WIDTHS)
def test_large_machines_are_folded_to_a_screen(width: int) -> None:
    lines = box_lines(made.large(), width, LINES)
    assert len(lines) <= SCREEN_LINES
    assert any("cores 0-31" in line for line in lines)
    assert len(box_lines(made.large(), width, LINES, whole=True)) > SCREEN_LINES


def test_what_is_folded_away_is_counted() -> None:
    nodes = regular(Counts(packages=8, nodes=4, l3=4, cores=8))
    lines = "\n".join(box_lines(nodes, 60, LINES))
    assert "+ 7 more like it: packages 1-7, CPUs 128-1023" in lines
    assert lines.count("L3") == 1


def test_cores_that_differ_in_what_is_allowed_are_not_folded_into_one() -> None:
    machine = replace(made.large(), allowed_cpus="0-99,128-1023")
    text = " ".join("\n".join(box_lines(machine, 100, LINES)).split())
    assert "cores 96-99" in text
    assert "(100-127)" in text


def test_boxes_are_plain_where_the_encoding_is() -> None:
    text = "\n".join(box_lines(made.two_sockets(), 80, PLAIN))
    assert text.isascii()
    assert "+- core 0" in text


def test_colour_only_adds() -> None:
    machine = made.restricted()
    coloured = render(machine, Terminal(80, True, UNICODE))
    assert "\x1b[" in coloured
    assert "\x1b[" not in shown(machine)


def test_another_machine_is_marked_first() -> None:
    text = shown(replace(made.two_sockets(), described_by="HWLOC_SYNTHETIC='pack:2'"), 100)
    assert text.startswith(" This is not the current system, ")
    assert "HWLOC_SYNTHETIC='pack:2'" in text.splitlines()[0]
    assert "node7" not in text  # the host is this system's


def test_tables_or_picture_alone() -> None:
    machine = made.two_sockets()
    tables = render(machine, Terminal(80, False, UNICODE), drawn=False)
    picture = render(machine, Terminal(80, False, UNICODE), tabled=False)
    assert "┌" not in tables
    assert "Processor" in tables
    assert "┌" in picture
    assert "Processor" not in picture


def test_what_nobody_tells_is_not_invented() -> None:
    bare = regular(Counts(), caches=[], processor=None)
    text = shown(bare)
    assert "No caches are known here." in text
    assert "unknown processor (x86_64)" in text


def test_the_kind_of_memory_has_a_column_where_a_node_has_one() -> None:
    machine = made.memory_only()
    terminal = Terminal(100, False, UNICODE)
    assert " kind" not in render(machine, terminal, drawn=False)
    first, second, *others = machine.numa_nodes
    nodes = [first, second, replace(others[0], kind="MCDRAM"), *others[1:]]
    text = render(replace(machine, numa_nodes=nodes), terminal, drawn=False)
    assert re.search(r"^ NUMA node +memory +kind ", text, re.MULTILINE)
    assert re.search(r"^ +2 +16 GiB +MCDRAM ", text, re.MULTILINE)


def test_kinds_without_a_name_have_a_number() -> None:
    kinds = [replace(kind, name=None) for kind in made.hybrid().core_kinds]
    assert all(isinstance(kind, CoreKind) for kind in kinds)
    assert "kind 2" in shown(replace(made.hybrid(), core_kinds=kinds))


def test_devices_are_a_table_of_their_own() -> None:
    other = replace(DEVICE, id="opencl:1", kind="cpu", cache_bytes=None, numa_node=None)
    found = DevicesFound((DEVICE, other))
    for width in WIDTHS:
        text = render(made.ALL["two-sockets"](), Terminal(width, False, UNICODE), found)
        assert max(map(len, text.splitlines())) <= width
        first, second = (line.split() for line in text.splitlines() if "opencl:" in line)
        assert (first[0], first[-1], second[0], second[-1]) == ("opencl:0", "1", "opencl:1", "?")
        assert "16 GiB" in text and "16 MiB" in text


def test_devices_that_cannot_be_listed_hide_nothing() -> None:
    found = DevicesFound(failure="streamgage-engine died: it was ended by SIGSEGV.")
    text = render(made.ALL["two-sockets"](), Terminal(100, False, UNICODE), found)
    assert "could not be listed: streamgage-engine died" in text
    assert "NUMA nodes" in text
