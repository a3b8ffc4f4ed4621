from __future__ import annotations

import pytest
from golden import approved

from streamgage.programs.pin.map import render
from streamgage.records import Expansion, HardwareThread
from streamgage.show.symbols import ASCII, UNICODE
from streamgage.show.terminal import Terminal

WIDE = Terminal(100, False, UNICODE)


def machine(packages: int, nodes: int, cores: int, siblings: int) -> list[HardwareThread]:
    """Every package of ``nodes``, every node of ``cores``, second threads ``siblings`` above."""
    places = [
        (package, package * nodes + node) for package in range(packages) for node in range(nodes)
    ]
    return [
        HardwareThread(
            cpu=core + smt * siblings, core=core, smt=smt, package=package, die=package, node=node
        )
        for package, node in places
        for core in range(node * cores, node * cores + cores)
        for smt in range(2)
    ]


A = machine(2, 1, 4, 8)
LARGE = machine(2, 2, 32, 128)


def expansion(
    expression: str,
    cpus: list[int],
    allowed: list[HardwareThread] = A,
    online: str = "0-15",
    this_system: bool = True,
) -> Expansion:
    return Expansion(
        expression=expression,
        cpus=cpus,
        this_system=this_system,
        online_cpus=online,
        allowed=allowed,
    )


@pytest.mark.parametrize(
    ("name", "shown", "terminal"),
    [
        ("pin-strided", expansion("E:N:4:2:4", [0, 8, 2, 10]), WIDE),
        ("pin-ascii", expansion("E:N:4:2:4", [0, 8, 2, 10]), Terminal(60, False, ASCII)),
        ("pin-one-of-each", expansion("S:scatter:3", [0, 4, 1]), WIDE),
        ("pin-shared", expansion("0,0,9", [0, 0, 9]), WIDE),
        ("pin-large", expansion("M3:0-2", [96, 97, 98], LARGE, "0-255", this_system=False), WIDE),
        (
            "pin-confined",
            expansion("0-1", [2, 3], [each for each in A if each.cpu in (2, 3, 6, 10)]),
            WIDE,
        ),
    ],
)
def test_the_drawing_is_the_reviewed_one(name: str, shown: Expansion, terminal: Terminal) -> None:
    approved(f"{name}.txt", render(shown, terminal))


def test_a_single_cpu_that_is_not_allowed_is_no_list() -> None:
    shown = render(expansion("0", [0], [each for each in A if each.cpu != 9]), WIDE)
    assert shown.endswith("because this process may not use it: CPU 9.\n")


def test_chosen_cpus_are_coloured_and_nothing_else_changes() -> None:
    shown = expansion("0", [0])
    coloured = render(shown, Terminal(100, True, UNICODE))
    assert "\x1b[1;32m[0]\x1b[0m" in coloured
    assert coloured.replace("\x1b[1;32m", "").replace("\x1b[0m", "") == render(shown, WIDE)


@pytest.mark.parametrize("width", [20, 40, 60, 80, 100])
def test_lines_fit_the_terminal_where_a_core_does(width: int) -> None:
    lines = render(expansion("0", [0]), Terminal(width, False, UNICODE)).splitlines()
    assert max(map(len, lines[1:])) <= max(width, len(" package 0   core 10  10 15 "))
