"""Which parts of the arrays a group of a device's kernel has, in passes that are all in one launch.

The kernel is compiled for the host, where its loads write down what they load.
"""

from __future__ import annotations

import subprocess
from collections import defaultdict
from pathlib import Path

import pytest
from programs import REPOSITORY

DEVICES = REPOSITORY / "engine" / "devices"
GROUPS, ITEMS, LOADS, PASSES = 9, 4, 2, 5
TILES = 2
"""Of a group in a pass."""
PROGRAM = """
#include "host_words.h"
#undef LOAD_STREAMING
#define LOAD_STREAMING(place) load(place)
#include <cstdio>
#include "cuda.h"
HostIndex threadIdx, blockIdx, blockDim{ITEMS, 1, 1}, gridDim{GROUPS, 1, 1};
constexpr long kLength = GROUPS * TILES * ITEMS * LOADS;
static double arrays[4][kLength];
typedef VectorOf<double, 1> V;
V load(const V *place) {
  const long at = (const double *)place - arrays[0];
  if (at / kLength == 1 && threadIdx.x == 0)
    std::printf("%u %ld\\n", blockIdx.x, at % kLength / (ITEMS * LOADS));
  return *place;
}
#define NAME run
#define T double
#define LANES 1
#define STREAMING 1
#define RING 0
#define REDUCES 0
#include "stream.h"
int main() {
  for (blockIdx.x = 0; blockIdx.x < GROUPS; ++blockIdx.x)
    for (threadIdx.x = 0; threadIdx.x < ITEMS; ++threadIdx.x)
      run((V *)arrays[0], (V *)arrays[1], (V *)arrays[2], (V *)arrays[3], 1.0, 0, kLength, PASSES);
}
"""


def tiles_of_passes(folder: Path, formula: str, reads: int) -> list[list[frozenset[int]]]:
    """By groups, the tiles of array b in each pass."""
    source = folder / "passes.cpp"
    source.write_text(PROGRAM, "utf-8")
    sizes = {"GROUPS": GROUPS, "ITEMS": ITEMS, "LOADS": LOADS, "TILES": TILES, "PASSES": PASSES}
    words = {**sizes, "FORMULA": formula, "READS": reads}
    defined = [f"-D{name}={value}" for name, value in words.items()]
    folders = ("-I", DEVICES / "probes", "-I", DEVICES / "code")
    subprocess.run(
        ["c++", "-std=c++17", "-w", *folders, *defined, source, "-o", folder / "passes"],
        check=True,
    )
    run = subprocess.run([folder / "passes"], check=True, capture_output=True, text=True)
    loads: dict[int, list[int]] = defaultdict(list)
    for line in run.stdout.splitlines():
        group, tile = line.split()
        loads[int(group)].append(int(tile))
    many = TILES * LOADS
    return [
        [frozenset(loads[group][many * i : many * (i + 1)]) for i in range(PASSES)]
        for group in range(GROUPS)
    ]


@pytest.mark.parametrize(("formula", "reads"), [("b + s*c", 0b110), ("a + s*b", 0b011)])
def test_every_pass_goes_through_all_of_the_arrays(
    tmp_path: Path, formula: str, reads: int
) -> None:
    groups = tiles_of_passes(tmp_path, formula, reads)
    for each in range(PASSES):
        tiles = [tile for group in groups for tile in group[each]]
        assert sorted(tiles) == list(range(GROUPS * TILES))


def test_no_group_meets_tiles_again_that_it_had_in_another_pass(tmp_path: Path) -> None:
    for passes in tiles_of_passes(tmp_path, "b + s*c", 0b110):
        assert len(set(passes)) == PASSES


def test_a_group_keeps_its_tiles_where_the_kernel_reads_what_it_stores(tmp_path: Path) -> None:
    for passes in tiles_of_passes(tmp_path, "a + s*b", 0b011):
        assert len(set(passes)) == 1
