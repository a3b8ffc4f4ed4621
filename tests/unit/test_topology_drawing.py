"""The picture: what is in it, and that it is always the same."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import example_topologies as made
import pytest
from example_topologies import Counts, regular
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from streamgage.analysis.machine.tree import machine_tree
from streamgage.machine.topology.arrangement import Tile, arrange
from streamgage.machine.topology.drawing import draw
from streamgage.records import Machine

SVG = Path("machine.svg")
PNG = Path("machine.png")


@cache
def texts_of(name: str) -> list[str]:
    """All texts of the SVG of an example, in order."""
    return texts(made.ALL[name]())


def texts(machine: Machine) -> list[str]:
    """All texts of the SVG, in order."""
    root = ElementTree.fromstring(draw(machine, SVG))
    found = root.iter("{http://www.w3.org/2000/svg}text")
    return ["".join(each.itertext()).strip() for each in found]


@pytest.mark.parametrize("name", made.ALL)
def test_svg_has_every_cpu_once(name: str) -> None:
    machine = made.ALL[name]()
    cpus = [int(text) for text in texts_of(name) if text.isdigit()]
    assert sorted(cpus) == sorted(thread.cpu for thread in machine.threads)


def test_svg_names_what_there_is() -> None:
    words = texts_of("hybrid")
    for word in ("package 0", "NUMA node 0, 32 GiB", "L3 24 MiB", "core 7", "CPU (P-core)"):
        assert word in words
    assert "CPU not for this process" in words
    assert words[-1] == "node7: Example hybrid; 8 cores, 10 CPUs; 2026-01-31"


def test_memory_alone_is_drawn() -> None:
    assert "NUMA node 8, 256 GiB, memory alone" in texts_of("memory-only")


def test_the_kind_of_memory_is_named_where_it_is_known() -> None:
    machine = made.memory_only()
    kinds = {2: "MCDRAM", 8: "GPU memory"}
    named = replace(
        machine,
        numa_nodes=[replace(each, kind=kinds.get(each.node)) for each in machine.numa_nodes],
    )
    drawn = texts(named)
    assert "NUMA node 2, 16 GiB of MCDRAM, memory alone" in drawn
    assert "NUMA node 3, 16 GiB, memory alone" in drawn
    assert "NUMA node 8, 256 GiB of GPU memory, memory alone" in drawn


def test_what_has_no_room_is_named_below() -> None:
    assert "Not drawn: each core's own caches (L1d 32 KiB, L1i 64 KiB, L2 512 KiB) and number." in (
        " ".join(texts_of("large"))
    )


def test_another_machine_is_marked() -> None:
    described = replace(made.two_sockets(), described_by="HWLOC_SYNTHETIC='pack:2'")
    assert any(text.startswith("Not this system: HWLOC_") for text in texts(described))


def test_png_is_one_and_large_enough_to_read() -> None:
    content = draw(made.two_sockets(), PNG)
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = (int.from_bytes(content[at : at + 4], "big") for at in (16, 20))
    assert width > 500
    assert height > 300


@pytest.mark.parametrize("file", [SVG, PNG])
def test_the_same_machine_gives_the_same_picture(file: Path) -> None:
    once, again = (draw(made.hybrid(), file) for _ in range(2))
    assert once == again
    assert not re.search(rb"<dc:date>", once)


@given(
    st.builds(
        Counts,
        packages=st.integers(1, 3),
        nodes=st.integers(1, 3),
        l3=st.integers(1, 2),
        cores=st.integers(1, 7),
        smt=st.integers(1, 8),
    )
)
def test_rectangles_lie_in_what_is_around_them_and_apart(counts: Counts) -> None:
    size, tiles = arrange(machine_tree(regular(counts)))
    for tile in tiles:
        assert tile.x >= 0
        assert tile.x + tile.width <= size.width + 1e-9
        assert tile.y + tile.height <= size.height + 1e-9
    cpus = sorted(
        (tile for tile in tiles if tile.cpu is not None), key=lambda tile: (tile.y, tile.x)
    )
    for one, other in pairwise(cpus):
        assert not overlap(one, other)


def overlap(one: Tile, other: Tile) -> bool:
    beside = one.x + one.width <= other.x or other.x + other.width <= one.x
    below = one.y + one.height <= other.y or other.y + other.height <= one.y
    return not (beside or below)
