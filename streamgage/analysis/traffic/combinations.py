"""The combinations of stores that a table of kernels can have, and how common each of them is.

A store reads all of the line that it overwrites (alpha = 1), none of it, or a part. One compiler
treats the loops of a program alike, so most tables have one alpha for all kernels. Copy is the
exception: compilers replace its loop by a call of the C library, which chooses its own stores. A
single loop with other stores than its neighbours is rare; it happens where a compiler decides by a
loop's length or operands (Intel's with Kokkos: triad alone).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

ALIKE = {0.0: 0.30, 1.0: 0.30}
"""How often all kernels read none of their lines, and how often all of them."""
CALLED = {(0.0, 1.0): 0.15, (1.0, 0.0): 0.08}
"""How often copy and the loops differ: the alpha of copy, then that of the loops."""
PARTS = tuple(tenth / 10 for tenth in range(1, 10))
"""The parts that stand for all between none and all."""
ALIKE_IN_PART = 0.02
"""How often hardware leaves a part of the lines of all kernels unread (SpecI2M, write
streaming)."""
CALLED_IN_PART = 0.0075
"""The same, with a copy by call that reads all or none."""
ALONE = {"triad": 0.01}
"""How often one loop alone has other stores than all others."""
OTHERWISE_ALONE = 0.002
"""The same for every loop that ``ALONE`` does not name."""

ON_GPU = 0.99
"""How often no kernel of a GPU reads its lines: GPUs write whole sectors, and read none of them
first. On 81 of 85 public tables of GPUs, copy and scale would exceed the peak if they read their
lines; on the others something else slowed them."""


@dataclass(frozen=True)
class Combination:
    """The alpha of each kernel, and how common the combination is."""

    alphas: Mapping[str, float]
    prior: float

    @property
    def copy_differs(self) -> bool:
        """``True`` if copy has other stores than all other kernels."""
        others = {alpha for name, alpha in self.alphas.items() if name != "copy"}
        return "copy" in self.alphas and len(others) == 1 and self.alphas["copy"] not in others

    @property
    def alone(self) -> str | None:
        """The loop that alone has other stores; ``None`` if there is none."""
        alphas = list(self.alphas.values())
        if len(alphas) < 3 or self.copy_differs:
            return None
        return next((name for name, each in self.alphas.items() if alphas.count(each) == 1), None)


def combinations_of(
    kernels: Iterable[str], *, call: bool | None = None, gpu: bool = False
) -> list[Combination]:
    """The combinations of stores of ``kernels``, which write lines that they do not read.

    ``call``: whether copy is a library call; ``None`` if that is unknown.
    """
    names = list(kernels)
    if gpu:
        none = dict.fromkeys(names, 0.0)
        others = [each for each in combinations_of(names, call=call) if each.alphas != none]
        scale = (1 - ON_GPU) / sum(each.prior for each in others)
        rarer = [Combination(each.alphas, each.prior * scale) for each in others]
        return [Combination(none, ON_GPU), *rarer]
    loops = [name for name in names if name != "copy"]
    parts = dict.fromkeys(PARTS, ALIKE_IN_PART / len(PARTS))
    found = [
        Combination(dict.fromkeys(names, alpha), prior) for alpha, prior in (ALIKE | parts).items()
    ]
    if "copy" in names and loops and call is not False:
        for (copy, rest), prior in (CALLED | _called_in_part()).items():
            found.append(Combination({**dict.fromkeys(loops, rest), "copy": copy}, prior))
    if len(names) > 2:
        for alone in loops:
            prior = ALONE.get(alone, OTHERWISE_ALONE) / 2
            for rest in ALIKE:
                alphas = {**dict.fromkeys(names, rest), alone: 1.0 - rest}
                found.append(Combination(alphas, prior))
    return found


def _called_in_part() -> dict[tuple[float, float], float]:
    pairs = [(copy, part) for copy in ALIKE for part in PARTS]
    return dict.fromkeys(pairs, CALLED_IN_PART / len(pairs))
