"""The parts of `make lint`, `make test`, `make check` and the gate, with the steps of each."""

from __future__ import annotations

import platform
from dataclasses import dataclass

from checks.steps import Command, GoogleTest, Pytest, Step


@dataclass(frozen=True)
class Part:
    """Steps that run in turn, with a log of their own."""

    name: str
    steps: tuple[Step, ...]
    proves: str = ""
    """What it proves, for the table in CONTRIBUTING.md."""
    go_on: bool = False
    """``True`` if a step runs although the one before it failed."""
    after: str | None = None
    """The part that builds what this one needs."""
    alone: bool = False
    """Whether nothing else may run at the same time."""
    paths: tuple[str, ...] = (".",)
    """The paths on which it depends; it need not run again until something there changes."""


_TESTS = "tests/unit tests/library tests/cli tests/integration tests/docs"
_OF_RANKS = (
    "tests/integration/test_ranks.py",
    "tests/integration/test_rank_hosts.py",
    "tests/integration/test_rank_mpis.py",
    "tests/integration/test_launchers.py",
)
_ENGINE = ("engine", "library", "CMakeLists.txt")
_EMULATED = (*_ENGINE, "cross", "emulated")
_EMULATED_FRONT = (*_EMULATED, "streamgage")
_TOPOLOGY = "Hwloc*:Hybrid*:CoreKinds*:Caches*:LastLevelCache*:HardwareThreads*:BothSources*"


def _roots(architecture: str, tried: str) -> tuple[Step, ...]:
    """Build the engine file and the wheel, and try them in clean roots."""
    return (
        Command(f"scripts/portable engine {architecture}"),
        Command(f"scripts/portable wheel {architecture or platform.machine()}"),
        Command(f"scripts/test_roots {tried}"),
    )


# The longest first.
TEST = (
    Part(
        "integration", proves="what starts the engine works", steps=(Pytest("tests/integration"),)
    ),
    Part(
        "docs", proves="every command line of the documentation runs", steps=(Pytest("tests/docs"),)
    ),
    Part("cli", proves="the commands do what they say", steps=(Pytest("tests/cli"),)),
    # Next to the objects that were installed, which are not compiled again. The sanitizers' part
    # sees whether there are warnings, also in the tests.
    Part(
        "engine",
        proves="the engine and the library, in C++",
        steps=(
            Command("scripts/build_tests"),
            Command("ctest --test-dir build/wheel --output-on-failure -R ^ReadCalls"),
            GoogleTest(
                "build/wheel/engine/engine_tests",
                never_skipped=r"(perf_tool|plain_kernels)_test[.]cpp$",
            ),
            # hwloc reads XML by libxml2 where its plugin is installed, and by itself elsewhere.
            GoogleTest(
                "build/wheel/engine/engine_tests",
                tests=_TOPOLOGY,
                variables={"HWLOC_LIBXML": "0"},
            ),
        ),
    ),
    Part(
        "unit",
        proves="judging, showing and storing, without the engine",
        steps=(Pytest("tests/unit"),),
    ),
    Part(
        "library",
        proves="the library is installed, found and used from outside",
        steps=(Pytest("tests/library"),),
    ),
)

LINT = (
    Part(
        "lint_python",
        proves="names, types and directions of imports",
        steps=(
            Command(".venv/bin/ruff check"),
            Command(".venv/bin/mypy"),
            Command(".venv/bin/lint-imports --no-cache"),
        ),
        go_on=True,
    ),
    Part(
        "format",
        proves="the formats of C++ and Python",
        steps=(
            Command("scripts/format --check cpp"),
            Command("scripts/format --check python"),
        ),
        go_on=True,
    ),
    Part("lint_shell", proves="shell scripts", steps=(Command("scripts/lint_shell"),)),
)

SITE = Part(
    "site", proves="the documentation's site, without a warning", steps=(Command("scripts/docs"),)
)

GATE = (*TEST, SITE, *LINT)

CHECK = (
    # Ranks often wait for each other, and builds at the same time make all of them slow.
    Part(
        "ranks",
        proves="MPI ranks on one and many nodes, with Open MPI and MPICH",
        steps=(Pytest(" ".join(_OF_RANKS), marked=None),),
        alone=True,
    ),
    Part(
        "cross",
        proves="the engine for aarch64, on three emulated processors",
        steps=(Command("scripts/test_cross aarch64"),),
        paths=_EMULATED,
    ),
    Part(
        "cross_others",
        proves="the engine for POWER and RISC-V, emulated",
        steps=(Command("scripts/test_cross ppc64le riscv64"),),
        after="cross",
        paths=_EMULATED,
    ),
    Part(
        "sanitizers",
        proves="no wrong memory access, no undefined behaviour, no warning",
        steps=(
            Command("scripts/build_sanitized"),
            GoogleTest("build/sanitize/engine/engine_tests"),
        ),
        paths=_ENGINE,
    ),
    Part(
        "lint_engine",
        proves="clang-tidy finds nothing in the engine and the library",
        steps=(Command("scripts/lint_engine"),),
        paths=(*_ENGINE, ".clang-tidy"),
    ),
    Part(
        "guest_numa",
        proves="an emulated machine with four NUMA nodes",
        steps=(Command("scripts/test_guest_numa four-nodes"),),
        paths=_EMULATED_FRONT,
    ),
    Part(
        "guest_memory",
        proves="an emulated machine with a node of memory alone",
        steps=(Command("scripts/test_guest_numa memory-only"),),
        after="guest_numa",
        paths=_EMULATED_FRONT,
    ),
    Part(
        "guest_pmu",
        proves="an emulated processor with a PMU",
        steps=(Command("scripts/test_guest_pmu"),),
        after="cross",
        paths=_EMULATED,
    ),
    Part(
        "roots",
        proves="the engine file and the wheel of this checkout, in roots that never saw it",
        steps=_roots("", "pip uv oldest"),
        after="guest_numa",
    ),
    Part(
        "fresh",
        proves="the README's two commands, as a newcomer runs them",
        steps=(Command("scripts/test_fresh measure test"),),
    ),
    Part(
        "needs",
        proves="tests that need programs which only `make check` installs",
        steps=(Pytest(f"{_TESTS} --ignore={' --ignore='.join(_OF_RANKS)}", marked="needs"),),
    ),
    # From a fixed seed: no submission fails by luck.
    Part(
        "fuzz",
        proves="every reader of foreign text, from a fixed seed",
        steps=(Command("scripts/fuzz"),),
    ),
    Part(
        "core",
        proves="every command, without the extras",
        steps=(Pytest("tests/core", marked=None),),
    ),
    Part(
        "hostile",
        proves="hundreds of command lines, files and stores that nobody should give",
        steps=(Pytest("tests/hostile", marked=None),),
    ),
    Part(
        "licences",
        proves="the copyright and the licence of every file",
        steps=(Command("scripts/test_packaging licences"),),
    ),
    # scripts/test_packaging also builds the Debian packages and the image.
    Part(
        "packaging",
        proves="the recipes for package managers, read by their own tools",
        steps=(Command("scripts/test_packaging parsed"),),
        paths=("packaging", "scripts", "pyproject.toml"),
    ),
    Part(
        "clean_install",
        proves="installed packages are complete, and removed without a trace",
        steps=(Command("scripts/test_clean_install"),),
    ),
    Part(
        "devices",
        proves="devices by OpenCL on PoCL, and what is compiled for GPUs",
        steps=(Pytest("tests/devices", marked=None),),
        paths=(*_ENGINE, "streamgage", "scripts", "tests"),
    ),
    Part(
        "browser",
        proves="the pages of reports, in Chromium",
        steps=(Pytest("tests/browser", marked=None),),
        paths=("streamgage", "tests"),
    ),
    SITE,
    *LINT,
)

# By name alone, as they take long.
BY_NAME = (
    Part(
        "analyze",
        proves="the paths through the engine, by clang's analyzer",
        steps=(Command("scripts/lint_engine analyzer"),),
    ),
    Part(
        "roots_aarch64",
        proves="the engine file and the wheel for aarch64, under its emulator",
        steps=_roots("aarch64", "aarch64"),
    ),
    Part(
        "fresh_plain",
        proves="`make test` on one CPU, in locale C, on a dumb terminal, with a read-only home",
        steps=(Command("scripts/test_fresh --kept --plain test"),),
    ),
    Part(
        "fresh_without_sys",
        proves="`make test` without /sys",
        steps=(Command("scripts/test_fresh --kept --without-sys test"),),
    ),
    Part(
        "fresh_trixie",
        proves="`make test` on Debian 13",
        steps=(Command("scripts/test_fresh --kept --suite trixie test"),),
    ),
)

GROUPS = {"gate": GATE, "test": TEST, "lint": LINT, "check": CHECK}
PARTS = {part.name: part for part in (*GATE, *CHECK, *BY_NAME)}


def chosen(names: list[str]) -> list[Part]:
    """The parts that groups and single names stand for, each once."""
    found: dict[str, Part] = {}
    for name in names:
        for part in GROUPS.get(name) or (PARTS[name],):
            found[part.name] = part
    return list(found.values())
