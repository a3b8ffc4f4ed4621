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
    # What starts programs: the engine, ...
    Part("integration", (Pytest("tests/integration"),)),
    # ... every command line that the documentation shows, ...
    Part("docs", (Pytest("tests/docs"),)),
    # ... and the front's commands.
    Part("cli", (Pytest("tests/cli"),)),
    # Next to the objects that were installed, which are not compiled again. The sanitizers' part
    # sees whether there are warnings, also in the tests.
    Part(
        "engine",
        (
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
    Part("unit", (Pytest("tests/unit"),)),
    # The library installed, found and used by programs outside of this folder.
    Part("library", (Pytest("tests/library"),)),
)

LINT = (
    Part(
        "lint_python",
        (
            Command(".venv/bin/ruff check"),
            Command(".venv/bin/mypy"),
            Command(".venv/bin/lint-imports --no-cache"),
        ),
        go_on=True,
    ),
    Part(
        "format",
        (
            Command("scripts/format --check cpp"),
            Command("scripts/format --check python"),
        ),
        go_on=True,
    ),
    Part("lint_shell", (Command("scripts/lint_shell"),)),
)

# The documentation's site, of which every warning is an error.
SITE = Part("site", (Command("scripts/docs"),))

GATE = (*TEST, SITE, *LINT)

CHECK = (
    # Ranks often wait for each other, and builds at the same time make all of them slow.
    Part("ranks", (Pytest(" ".join(_OF_RANKS), marked=None),), alone=True),
    # The engine for other processors and without hwloc, under emulators.
    Part("cross", (Command("scripts/test_cross aarch64"),), paths=_EMULATED),
    Part(
        "cross_others",
        (Command("scripts/test_cross ppc64le riscv64"),),
        after="cross",
        paths=_EMULATED,
    ),
    Part(
        "sanitizers",
        (
            Command("scripts/build_sanitized"),
            GoogleTest("build/sanitize/engine/engine_tests"),
        ),
        paths=_ENGINE,
    ),
    Part("lint_engine", (Command("scripts/lint_engine"),), paths=(*_ENGINE, ".clang-tidy")),
    # Emulated machines: NUMA nodes, a node of memory alone, and a processor with a PMU.
    Part("guest_numa", (Command("scripts/test_guest_numa four-nodes"),), paths=_EMULATED_FRONT),
    Part(
        "guest_memory",
        (Command("scripts/test_guest_numa memory-only"),),
        after="guest_numa",
        paths=_EMULATED_FRONT,
    ),
    Part("guest_pmu", (Command("scripts/test_guest_pmu"),), after="cross", paths=_EMULATED),
    # The engine file and the wheel of this checkout, in roots that never saw it.
    Part("roots", _roots("", "pip uv oldest"), after="guest_numa"),
    # The README's two commands, as a newcomer runs them.
    Part("fresh", (Command("scripts/test_fresh measure test"),)),
    # Tests that are marked with programs, but for those of ranks.
    Part(
        "needs",
        (Pytest(f"{_TESTS} --ignore={' --ignore='.join(_OF_RANKS)}", marked="needs"),),
    ),
    # From a fixed seed: no submission fails by luck.
    Part("fuzz", (Command("scripts/fuzz"),)),
    # Every command in an environment without the extras.
    Part("core", (Pytest("tests/core", marked=None),)),
    # Some hundreds of command lines, files and stores that nobody should give it, always the same.
    Part("hostile", (Pytest("tests/hostile", marked=None),)),
    # The copyright and the licence of every file.
    Part("licences", (Command("scripts/test_packaging licences"),)),
    # The recipes for package managers, read by their own tools; scripts/test_packaging also builds
    # the Debian packages and the image.
    Part(
        "packaging",
        (Command("scripts/test_packaging parsed"),),
        paths=("packaging", "scripts", "pyproject.toml"),
    ),
    Part("clean_install", (Command("scripts/test_clean_install"),)),
    # Devices by OpenCL, on PoCL, whose device is the processor; and what is compiled for GPUs.
    Part(
        "devices", (Pytest("tests/devices", marked=None),), paths=(*_ENGINE, "streamgage", "tests")
    ),
    # The pages of reports in Chromium.
    Part("browser", (Pytest("tests/browser", marked=None),), paths=("streamgage", "tests")),
    SITE,
    *LINT,
)

# By name alone, as they take long: the paths through the engine by clang's analyzer, and the engine
# file and the wheel for another processor, which compile everything, under its emulator.
BY_NAME = (
    Part("analyze", (Command("scripts/lint_engine analyzer"),)),
    Part("roots_aarch64", _roots("aarch64", "aarch64")),
    # `make test` in systems that have less, or other versions.
    Part("fresh_plain", (Command("scripts/test_fresh --kept --plain test"),)),
    Part("fresh_without_sys", (Command("scripts/test_fresh --kept --without-sys test"),)),
    Part("fresh_trixie", (Command("scripts/test_fresh --kept --suite trixie test"),)),
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
