"""From the options of ``measure`` to its plan."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from streamgage.api.kernel_files import Commands, Files, given_kernels
from streamgage.api.ranks import given_ranks
from streamgage.api.values import (
    LARGEST_SEED,
    MOST_THREADS,
    Cpus,
    Names,
    Number,
    PathLike,
    Shape,
    Size,
    as_list,
    as_shape,
    as_size,
    choose,
    given_peak,
    whole_number,
)
from streamgage.errors import UsageError
from streamgage.kernels.own_kernels import REFERENCES, KernelsAsked
from streamgage.plan import Plan
from streamgage.process.ranks import Ranks
from streamgage.results.measure import experiment as study
from streamgage.results.ranks import find_ranks, plan_of_ranks


class ElementName(StrEnum):
    """Element types of ``--type``."""

    DOUBLE = "double"
    FLOAT = "float"


@dataclass(frozen=True)
class Planned:
    """What is to be measured, by which ranks (null: threads alone), and with which own kernels."""

    plan: Plan
    ranks: Ranks | None
    own: KernelsAsked | None
    peak_gbps: float | None


def planned(
    *,
    kernels: Names | None,
    stores: Names | None,
    isa: Names | None,
    shape: Shape | None,
    retune: bool,
    no_tune: bool,
    type: str,
    threads: Number | None,
    cpus: Cpus | None,
    allow_oversubscribe: bool,
    size: Size | None,
    memory_nodes: str | int | Iterable[int] | None,
    quick: bool,
    thorough: bool,
    seed: Number | None,
    kernel_file: Files | None,
    cc: Commands | None,
    kernel_timeout: float | str | None,
    mpi: Number | None,
    launcher: str | None,
    hosts: PathLike | None,
    timeout: Number | None,
    peak: float | str | None,
) -> Planned:
    """The plan of these options, which are those of ``measure``.

    Raises ``UsageError`` where one of them is wrong, or does not go with another.
    """
    if quick and thorough:
        raise UsageError("--quick and --thorough exclude each other: leave one out.")
    if retune and no_tune:
        raise UsageError("--retune and --no-tune exclude each other: leave one out.")
    own = given_kernels(kernel_file, cc, kernel_timeout)
    if own is not None and mpi is not None:
        raise UsageError("--kernel-file does not go with --mpi: threads run a kernel of your own.")
    asked = given_ranks(mpi, launcher, hosts, timeout, oversubscribe=allow_oversubscribe)
    number = whole_number("--threads", threads, 1, MOST_THREADS)
    request = study.Request(
        kernels=as_list(kernels),
        beside=None if own is None else REFERENCES,
        stores=as_list(stores),
        element_type=choose(ElementName, "--type", type).value,
        threads=number if asked is None else None,
        cpus=as_list(cpus),
        oversubscribe=allow_oversubscribe,
        by_ranks=asked is not None,
        size=as_size(size),
        memory_nodes=as_list(memory_nodes),
        isa=as_list(isa),
        shape=as_shape(shape),
        tune="again" if retune else "never" if no_tune or own is not None else "once",
        preset=study.QUICK if quick else study.THOROUGH if thorough else study.STANDARD,
        seed=whole_number("--seed", seed, 0, LARGEST_SEED),
        peak_gbps=given_peak(peak),
    )
    plan = study.make_plan(request)
    if asked is None:
        return Planned(plan, None, own, request.peak_gbps)
    if retune:
        raise UsageError("--retune does not go with --mpi: ranks seek no shapes.")
    ranks = find_ranks(asked, number)
    return Planned(plan_of_ranks(plan, ranks), ranks, own, request.peak_gbps)
