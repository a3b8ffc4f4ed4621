"""The facts of kernels are the same on both sides."""

from __future__ import annotations

import re

from programs import REPOSITORY

from streamgage.interop.kernels import CATALOGUE, FOREIGN, KERNELS
from streamgage.records import Kernel

ROW = re.compile(r'\{KernelId::k\w+, "(\w+)", "([^"]+)", ([kA-D0 |]+), (true|false), (\d+)\}')


def rows_of_the_engine() -> list[Kernel]:
    text = (REPOSITORY / "engine" / "kernels" / "catalogue.hpp").read_text("utf-8")
    rows = []
    for name, formula, reads, stores, flops in ROW.findall(text):
        operands = set(re.findall(r"k[A-D]", reads))
        rows.append(
            Kernel(
                name=name,
                formula=formula,
                loads=len(operands),
                stores=int(stores == "true"),
                write_allocates=stores == "true" and "kA" not in operands,
                flops=int(flops),
            )
        )
    return rows


def test_kernels_are_those_of_the_catalogue() -> None:
    rows = rows_of_the_engine()
    assert len(rows) == 12
    assert list(CATALOGUE) == rows


def test_kernels_of_others_have_names_of_their_own() -> None:
    assert not {kernel.name for kernel in FOREIGN} & {kernel.name for kernel in CATALOGUE}
    assert len(KERNELS) == len(CATALOGUE) + len(FOREIGN)


def test_nstream_reads_what_it_overwrites() -> None:
    assert not KERNELS["nstream"].write_allocates
    assert KERNELS["multiply"].write_allocates
    assert not KERNELS["load"].write_allocates
