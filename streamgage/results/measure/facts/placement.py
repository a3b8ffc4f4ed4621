"""Facts on where the threads ran, compared with the request."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import field

from streamgage.analysis.finding import Finding
from streamgage.analysis.grade import Grade
from streamgage.cpu_list import count_cpus
from streamgage.records import warnings
from streamgage.records.quantities import (
    Count,
    CountFrom1,
    Members,
    MembersFrom0,
    NumberList,
    Position,
    Rate,
    Some,
)
from streamgage.results.measure.facts.base import Fact, some
from streamgage.units import count, format_gbps, format_rate, format_share

Placed = Literal["none", "cpus", "ranks", "threads"]
"""How threads were placed: not at all, on CPUs that were named, as ranks, or by their number."""
_PATH_OF_A_CORE = (
    "Threads of one core share its path to memory and its caches, so together they seldom move"
    " more bytes than one thread, and may move fewer."
)


class RunsApart(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Runs of another benchmark that differ by more than those of bound threads do."""

    kernel: str
    runs: Members
    minimum_gbps: Rate
    maximum_gbps: Rate
    median_gbps: Rate | None = None
    """``None`` where no median stands for them."""
    on_gpu: bool = False

    @property
    def width(self) -> float:
        """By which share the worst lies below the best."""
        return 1 - self.minimum_gbps / self.maximum_gbps


class NotBound(Fact, frozen=True, kw_only=True, tag="not-bound"):
    """Threads may have run on more than one CPU."""

    threads: MembersFrom0 = 0
    free: MembersFrom0 = 0
    """Threads that could not be bound."""
    as_asked: bool = False
    """Whether ``--cpus none`` asked for it."""
    masks: list[str] = field(default_factory=list)
    """Where those threads may run, each list of CPUs once."""
    runs: RunsApart | None = None
    """Of another benchmark."""

    def finding(self) -> Finding:
        """The finding, in words."""
        if self.runs is not None:
            return self.said(
                reason=f"the runs differ by {format_share(self.runs.width)}: "
                + (
                    "they shared a GPU, or it changed its clock"
                    if self.runs.on_gpu
                    else "threads were not bound, or other programs ran"
                ),
                text=_runs_apart(self.runs),
            )
        threads = count(self.threads, "thread")
        if self.as_asked:
            return self.said(
                reason="threads were not bound to CPUs",
                text=warnings.NOT_BOUND.format(threads),
            )
        masks = some(self.masks)
        return self.said(
            reason=f"{self.free} of {threads} could not be bound",
            text=f"{self.free} of {threads} could not be bound to one CPU"
            + (f" (they may run on {masks})" if masks else "")
            + ": the system may move them, so runs differ. See whether a launcher or container"
            " changes the binding, or name the CPUs with --cpus.",
        )


def _runs_apart(runs: RunsApart) -> str:
    middle = "" if runs.median_gbps is None else f", median {format_rate(runs.median_gbps)}"
    seen = (
        f"{count(runs.runs, 'run')} give {runs.kernel} between {format_rate(runs.minimum_gbps)}"
        f" and {format_gbps(runs.maximum_gbps)}{middle}"
    )
    if runs.on_gpu:
        return (
            f"{seen}; runs on one quiet GPU agree within a few per cent. Either several programs"
            " shared a GPU, the runs had different GPUs, or its clock changed; the output does not"
            " show which. None of these figures is the GPU's bandwidth. Run one program at a time"
            " on each GPU."
        )
    return (
        f"{seen}; runs of bound threads on a quiet"
        " machine agree within a few per cent. Either these threads were not bound, shared cores"
        " and ran far from their pages, or other programs took CPUs from them; the output does not"
        " show which. None of these figures is the machine's bandwidth. Bind one thread to each"
        " core (OMP_PROC_BIND=true OMP_PLACES=cores, or streamgage measure), stop other programs,"
        " and run again."
    )


class Moved(Fact, frozen=True, kw_only=True, tag="moved"):
    """Threads changed their CPU inside a sample, or were not on the one they are bound to."""

    bound: bool
    hit: CountFrom1
    samples: CountFrom1
    switches: Count
    """Involuntary context switches in the samples that were hit."""

    def finding(self) -> Finding:
        """The finding, in words."""
        share = format_share(self.hit / self.samples)
        seen = (
            f"In {self.hit} of {count(self.samples, 'timed sample')} ({share}) a thread changed its"
            " CPU"
        )
        switches = count(
            self.switches, "involuntary context switch", "involuntary context switches"
        )
        extra = f", with {switches}" if self.switches else ""
        if not self.bound:
            return self.said(
                reason="unbound threads moved between CPUs",
                text=f"{seen}{extra}. Unbound threads are moved now and then, and each move costs"
                " them the contents of their caches. Leave --cpus none out to bind them.",
            )
        return self.said(
            reason=f"threads moved in {share} of the samples",
            text=f"{seen} or was not on its own{extra}: these samples include the move. Something"
            " else changes the binding of this process: look for a launcher or a resource manager.",
        )


class SmtSharing(Fact, frozen=True, kw_only=True, tag="smt-sharing"):
    """Several threads were on one core."""

    placed: Placed
    threads: MembersFrom0 = 0
    cores: MembersFrom0 = 0
    shared: NumberList | None = None
    """Cores that had more than one; ``None`` of threads that were not bound."""
    hit: Count = 0
    samples: Count = 0
    """Of threads that were not bound, the samples in which they met on one core, and all."""

    def finding(self) -> Finding:
        """The finding, in words."""
        remedy = f"{_PATH_OF_A_CORE} {self._one_a_core()}"
        if self.shared is not None:
            return self.said(
                reason="several threads shared a core",
                text=f"{count(self.threads, 'thread')} ran on {count(self.cores, 'core')}:"
                f" {'core' if count_cpus(self.shared) == 1 else 'cores'} {self.shared} had more"
                f" than one. {remedy}",
            )
        share, seen = _share_of(self.hit, self.samples)
        return self.said(
            reason=f"threads met on one core in {share} of the samples",
            text=f"In {seen} two threads or more were on CPUs of one core. {remedy}",
        )

    def _one_a_core(self) -> str:
        match self.placed:
            case "none":
                return "Leave --cpus none out to have one thread bound to each core."
            case "cpus":
                return "Name one CPU of each core with --cpus, or leave --cpus out."
            case "ranks":
                return f"{_as_many_as(self.cores, ranks=True)}, to have one thread a core."
            case "threads":
                return (
                    f"Use --threads {self.cores}, or leave --threads out, to have one thread a"
                    " core."
                )


def _share_of(hit: int, samples: int) -> tuple[str, str]:
    """``18 %``, and ``8 of 44 timed samples (18 %)``."""
    share = format_share(hit / max(samples, 1))
    return share, f"{hit} of {count(samples, 'timed sample')} ({share})"


def of_samples(hit: int, samples: int) -> str:
    """``8 of 44 timed samples (18 %)``."""
    return _share_of(hit, samples)[1]


def _as_many_as(cpus: int, *, ranks: bool) -> str:
    if not ranks:
        return f"Use --threads {cpus}"
    return f"Use so many ranks (--mpi) of so many threads (--threads) that they come to {cpus}"


class FewerCpus(Fact, frozen=True, kw_only=True, tag="fewer-cpus"):
    """Fewer threads ran than were asked for, or they had fewer CPUs than there were threads."""

    placed: Placed
    asked: MembersFrom0
    threads: MembersFrom0
    cpus: MembersFrom0 | None = None
    """CPUs that bound threads had."""
    hit: Count = 0
    samples: Count = 0
    """Of threads that were not bound, the samples in which they met on one CPU, and all."""

    def finding(self) -> Finding:
        """The finding, in words."""
        threads = count(self.threads, "thread")
        if self.threads < self.asked:
            return self.said(
                reason=warnings.FEWER_THREADS_SHORT.format(
                    self.threads, count(self.asked, "thread")
                ),
                text=warnings.FEWER_THREADS.format(
                    count(self.asked, "thread"), self.threads, threads
                ),
            )
        if self.cpus is not None:
            return self.said(
                reason=f"{threads} shared {count(self.cpus, 'CPU')}",
                text=f"{threads} shared {count(self.cpus, 'CPU')}: threads that take turns"
                " on a CPU wait for each other, and the figures come out too low."
                f" {_as_many_as(self.cpus, ranks=self.placed == 'ranks')}, or allow the process"
                " more CPUs.",
            )
        share, seen = _share_of(self.hit, self.samples)
        bind = "Leave --cpus none out to bind" if self.placed == "none" else "Bind"
        return self.said(
            reason=f"threads met on one CPU in {share} of the samples",
            text=f"In {seen} two threads or more were on one CPU: threads that take turns on a CPU"
            f" wait for each other, and the figures come out too low. {bind}"
            " each to one of its own, or use fewer --threads.",
        )


class NodeThreads(msgspec.Struct, frozen=True, kw_only=True):
    """How many threads a NUMA node has."""

    node: Position
    threads: Members


class UnevenNuma(Fact, frozen=True, kw_only=True, tag="uneven-numa"):
    """NUMA nodes in use had different numbers of threads."""

    grade: ClassVar[Grade] = "sound"
    nodes: Annotated[list[NodeThreads], Some]

    def finding(self) -> Finding:
        """The finding, in words."""
        spread = ", ".join(f"{each.threads} on node {each.node}" for each in self.nodes)
        nearest = min(each.threads for each in self.nodes) * len(self.nodes)
        return self.said(
            reason="threads are uneven over the NUMA nodes",
            text=f"The threads are uneven over the NUMA nodes ({spread}): all wait for the fullest"
            f" node, and the memory of the others is not fully used. Use --threads {nearest}, or"
            " name equally many CPUs of each node with --cpus.",
        )
