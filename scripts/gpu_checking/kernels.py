"""The kernels of the catalogue and what they compute, read from the engine's own list."""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CATALOGUE = ROOT / "engine" / "kernels" / "catalogue.hpp"
_ROW = re.compile(
    r'^ *\{KernelId::k\w+, "(?P<name>[a-z]+)", "(?P<left>[as]) \+?= (?P<formula>[^"]+)", ', re.M
)
OPERANDS = "abcd"
PERIOD = 1021
"""The content of arrays repeats after so many elements, which no width and no step divides."""
SCALAR = 2.0


@dataclass(frozen=True)
class Kernel:
    """A row of the catalogue."""

    name: str
    formula: str
    """What stands right of "=" or "+="."""
    reduces: bool

    @property
    def reads(self) -> str:
        """The arrays that it reads."""
        return "".join(operand for operand in OPERANDS if operand in self.formula)

    @property
    def arrays(self) -> int:
        """The number of arrays that cross the bus in one pass, by STREAM's counting."""
        return len(self.reads) + (not self.reduces)


@cache
def kernels() -> dict[str, Kernel]:
    """All kernels by their names."""
    rows = _ROW.finditer(CATALOGUE.read_text("utf-8"))
    return {row["name"]: Kernel(row["name"], row["formula"], row["left"] == "s") for row in rows}


def pattern(operand: str) -> list[float]:
    """The repeated content of an array: whole numbers from 1 to 13.

    They stay exact in ``float``: a reduction of 2^18 of them by seven groups is below 2^24 in each.
    """
    factor = (3, 5, 7, 11)[OPERANDS.index(operand)]
    return [float(index * factor % 13 + 1) for index in range(PERIOD)]


def content(values: Sequence[float], element_type: str, elements: int) -> bytes:
    """An array of so many elements which repeats some values, as the device has it."""
    one_period = array("d" if element_type == "double" else "f", values)
    return (one_period * (elements // len(values) + 1))[:elements].tobytes()


def stored(kernel: Kernel, passes: int) -> list[float]:
    """One period of array ``a`` after so many passes of a kernel that stores."""
    values = {operand: pattern(operand) for operand in OPERANDS}
    for _ in range(passes):
        values["a"] = _applied(kernel, values)
    return values["a"]


def reduced(kernel: Kernel, elements: int) -> float:
    """The value of a reduction of so many elements."""
    terms = _applied(kernel, {operand: pattern(operand) for operand in OPERANDS})
    periods, rest = divmod(elements, PERIOD)
    return sum(terms) * periods + sum(terms[:rest])


def _applied(kernel: Kernel, values: dict[str, list[float]]) -> list[float]:
    """The formula's value at each place. Its text is the project's own."""
    code = compile(kernel.formula, kernel.name, "eval")
    rows = zip(*(values[operand] for operand in OPERANDS), strict=True)
    return [
        float(eval(code, {"__builtins__": {}}, dict(zip(OPERANDS, row, strict=True), s=SCALAR)))
        for row in rows
    ]
