"""Programs outside of the project find the library, are built with it, and run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from installed_library import InstalledLibrary, run
from programs import REPOSITORY

REPLAYED = REPOSITORY / "examples" / "two-packages"
STRICT = "-O1 -Wall -Wextra -Wpedantic -Werror"
COMPILERS = [
    ("gcc", "g++"),
    pytest.param(("clang-14", "clang++-14"), marks=pytest.mark.needs("clang-14")),
]
"""Each brings an OpenMP runtime of its own."""
FEWEST_FOR_AN_INTERVAL = 6
"""Samples: fewer have no order statistics that hold the median with 95 %."""
UNITS = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}


def check_region(program: Path) -> None:
    """It measures its region, and tells its traffic or why there is none."""
    said = run(program, folder=program.parent)
    assert re.search(r"^\d+ threads.*, 0 of them moved$", said, re.M), said
    assert re.search(r"^nominal +67\.1 MB +\d+\.\d\d GB/s$", said, re.M), said
    assert re.search(r"^(traffic  |no traffic: perf \w+.*: \w+)", said, re.M), said
    assert ("no traffic" in said) == ("what would help: " in said)


def check_replayed(program: Path) -> None:
    """It tells the traffic that a recording holds."""
    said = run(program, REPLAYED, REPLAYED / "recording.jsonl", folder=program.parent)
    assert re.search(r"^traffic .* by perf uncore_imc \(replayed\)$", said, re.M), said
    assert re.search(r"MB read, \d+\.\d MB written$", said, re.M), said


def check_benchmark(program: Path) -> None:
    """It measures until the stopping rule has enough, and says which."""
    said = run(program, folder=program.parent)
    figure = re.search(
        r"^\d+\.\d\d GB/s, median of (\d+) \((converged|max-samples|budget)\), \d+ threads on CPUs",
        said,
    )
    assert figure is not None, said
    sizes = re.search(
        r"^array of (\S+ \S+), last-level caches of (\S+ \S+?)(: free.*)?$", said, re.M
    )
    assert sizes is not None, said
    size, caches = (float(each.split()[0]) * UNITS[each.split()[1]] for each in sizes.group(1, 2))
    assert sizes[3] or size >= 4 * caches, said
    enough = int(figure[1]) >= FEWEST_FOR_AN_INTERVAL  # a busy machine with large caches has fewer
    assert ("95 % interval of the median" in said) == enough, said
    assert ("too few samples for an interval" in said) != enough, said


def check_all(folder: Path) -> None:
    """All three examples."""
    for name in ("region_cpp", "region_c"):
        check_region(folder / name)
        check_replayed(folder / name)
    check_benchmark(folder / "microbenchmark")


@pytest.mark.parametrize("compilers", COMPILERS, ids=lambda pair: str(pair[0]))
def test_cmake_finds_the_package(
    installed: InstalledLibrary, examples: Path, compilers: tuple[str, str]
) -> None:
    c, cpp = compilers
    installed.run(
        *("cmake", "-S", examples, "-B", examples / "build", "-G", "Ninja"),
        f"-DCMAKE_PREFIX_PATH={installed.prefix}",
        *(f"-DCMAKE_C_COMPILER={c}", f"-DCMAKE_CXX_COMPILER={cpp}"),
        *(f"-DCMAKE_C_FLAGS={STRICT}", f"-DCMAKE_CXX_FLAGS={STRICT}"),
        folder=examples,
    )
    installed.run("cmake", "--build", examples / "build", folder=examples)
    check_all(examples / "build")


def test_a_project_in_c_needs_no_compiler_of_cpp(
    installed: InstalledLibrary, examples: Path
) -> None:
    (examples / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.22)\n"
        "project(in_c LANGUAGES C)\n"
        "find_package(streamgage 0.1 REQUIRED)\n"
        "add_executable(region_c region.c)\n"
        "target_link_libraries(region_c PRIVATE streamgage::c)\n"
    )
    found = ("-DCMAKE_PREFIX_PATH=" + str(installed.prefix), "-DCMAKE_CXX_COMPILER=false")
    run("cmake", "-S", examples, "-B", examples / "build", *found, folder=examples)
    run("cmake", "--build", examples / "build", folder=examples)
    check_region(examples / "build" / "region_c")


def test_a_version_that_may_differ_is_not_taken(
    installed: InstalledLibrary, examples: Path
) -> None:
    (examples / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.22)\n"
        "project(wants LANGUAGES C)\n"
        "foreach(version 0.1 0.2 1.0)\n"
        "  find_package(streamgage ${version} QUIET)\n"
        '  message(STATUS "${version}: ${streamgage_FOUND}")\n'
        "endforeach()\n"
    )
    found = "-DCMAKE_PREFIX_PATH=" + str(installed.prefix)
    said = run("cmake", "-S", examples, "-B", examples / "build", found, folder=examples)
    assert re.findall(r"^-- (\d\.\d): (\w+)$", said, re.M) == [
        *(("0.1", "1"), ("0.2", "0"), ("1.0", "0")),
    ]


@pytest.mark.parametrize("compilers", COMPILERS, ids=lambda pair: str(pair[0]))
def test_pkg_config_finds_both_libraries(
    installed: InstalledLibrary, examples: Path, compilers: tuple[str, str]
) -> None:
    c, cpp = compilers
    installed.run("make", f"CC={c}", f"CXX={cpp}", folder=examples, CFLAGS=STRICT, CXXFLAGS=STRICT)
    check_all(examples)


def test_the_examples_are_clean_under_the_address_sanitizer(
    installed: InstalledLibrary, examples: Path
) -> None:
    flags = f"{STRICT} -g1 -fsanitize=address,undefined -fno-sanitize-recover=all"
    installed.run("make", folder=examples, CFLAGS=flags, CXXFLAGS=flags)
    check_all(examples)


def test_a_project_that_contains_the_source_builds_the_library_alone(
    containing: Path, tmp_path: Path
) -> None:
    check_all(containing)
    assert not list(containing.rglob("*engine*"))
    assert "Total Tests: 0" in run("ctest", "-N", folder=containing)
    prefix = tmp_path / "prefix"
    prefix.mkdir()
    run("cmake", "--install", containing, "--prefix", prefix, folder=containing)
    assert not list(prefix.iterdir())
