"""Names programs whose outputs people take for bandwidths of memory, but that are not read."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class UnreadFormat:
    """A program, and why its output is not read."""

    name: str
    pattern: re.Pattern[str]
    """A pattern of what only this program prints."""
    why: str
    """What its figures are, and what to do, in a sentence."""
    figure: re.Pattern[str] = re.compile("")
    """Another pattern that is in each of its outputs."""


UNREAD = (
    UnreadFormat(
        "perf stat",
        re.compile(
            r"[0-9][0-9,.]{0,20}[ \t]{1,20}(?:MiB[ \t]{1,8})?(?:uncore_imc\w{0,20}/[a-z_]{2,40}/"
            r"|unc_m_cas_count)",
            re.I,
        ),
        "its counters show what all programs moved: divide the bytes read and written by the"
        " seconds.",
    ),
    UnreadFormat(
        "clpeak",
        re.compile(r"Global memory bandwidth \(GBPS\)", re.I),
        "its rates are of reads alone, and caches of a GPU may hold what it reads. Run"
        " BabelStream on that GPU.",
    ),
    UnreadFormat(
        "TransferBench",
        re.compile(r"\bSRC\+EXE\\DST\b|\bTransferBench v[0-9]"),
        "its matrices are of copies between CPUs and GPUs. Run rocm_bandwidth_test, or"
        " BabelStream for the memory of a GPU.",
    ),
    UnreadFormat(
        "the OSU Micro-Benchmarks",
        re.compile(r"# OSU MPI"),
        "they measure messages between MPI ranks, and not the memory.",
    ),
    UnreadFormat(
        "the Parallel Research Kernels",
        re.compile(r"Parallel Research Kernels version"),
        "its nstream reads what it writes and counts four arrays, so its rate is not STREAM's"
        " triad.",
    ),
    UnreadFormat(
        "the Phoronix Test Suite",
        re.compile(
            r"\bpts/(?:stream|mbw|ramspeed|tinymembench|cachebench)-[0-9]"
            r"|Phoronix Test Suite v[0-9]"
        ),
        "it prints rates without times or the size of the arrays. Interpret what the benchmark"
        " itself printed.",
    ),
    UnreadFormat(
        "AIDA64",
        re.compile(r"\bAIDA64\b"),
        "it does not show how it counts and what its arrays were. Run STREAM.",
        re.compile(r"\bMemory (?:Read|Write|Copy)\b[^\n]{0,60}[0-9]{3}"),
    ),
    UnreadFormat(
        "PassMark PerformanceTest",
        re.compile(r"\bME_(?:READ_[SL]|WRITE|THREADED|LARGE|LATENCY): [0-9]"),
        "its marks do not show how they count and what the arrays were. Run STREAM.",
    ),
    UnreadFormat(
        "Geekbench",
        re.compile(r"\bGeekbench [0-9]\b"),
        "it does not show how it counts and what its arrays were. Run STREAM.",
        re.compile(r"\bMemory (?:Copy|Bandwidth)\b[^\n]{0,60}[0-9]{2}"),
    ),
)
"""The programs, those with the most certain patterns first."""


def why_unread(text: str) -> str | None:
    """Why a text of one of these programs cannot be read; ``None`` if it is of none of them."""
    for each in UNREAD:
        if each.pattern.search(text) and each.figure.search(text):
            return f"the output of {each.name} is not read: {each.why}"
    return None
