"""Sets the NUMA nodes from which a program takes its memory, by a policy that it inherits."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

from streamgage.cpu_list import HIGHEST_NODE, list_cpus, name_nodes, node_numbers
from streamgage.errors import StreamgageError, UsageError
from streamgage.process.this_machine import describe_this_machine
from streamgage.records import Expansion

_OPTION = "--memory"
_INTERLEAVE = "interleave"
_WEIGHTS = Path("/sys/kernel/mm/mempolicy/weighted_interleave")
"""A folder with a file for the weight of each node, since Linux 6.9; the default is 1."""
_BITS = HIGHEST_NODE + 2
"""The length of a node mask; the kernel ignores the last bit."""
_WORD_BITS = 8 * ctypes.sizeof(ctypes.c_ulong)


class Mode(IntEnum):
    """Policies, with their numbers in <linux/mempolicy.h>."""

    BIND = 2
    INTERLEAVE = 3
    LOCAL = 4
    WEIGHTED_INTERLEAVE = 6


@dataclass(frozen=True)
class MemoryPolicy:
    """A policy with its nodes; ``LOCAL`` has none."""

    mode: Mode
    nodes: tuple[int, ...] = ()
    weights: tuple[str, ...] = ()
    """The weight of each node, if pages are distributed by weight."""

    def __str__(self) -> str:
        """The policy in words, for a report."""
        if self.mode is Mode.LOCAL:
            return "from the node of the CPU that touches a page first"
        if self.mode is Mode.BIND:
            return f"of {name_nodes(self.nodes)} only"
        dealt = f"page by page over {name_nodes(self.nodes)}"
        return f"{dealt} with weights {':'.join(self.weights)}" if self.weights else dealt


def memory_policy_of(text: str, expansion: Expansion, weights: Path = _WEIGHTS) -> MemoryPolicy:
    """Parse a policy: ``local``, ``0-1``, ``interleave`` or ``interleave:0-1``.

    Without named nodes, interleaving covers the nodes of the expression's CPUs. It uses the
    kernel's weights if it has them.
    """
    kind, colon, listed = text.strip().partition(":")
    if kind == "local" and not colon:
        return MemoryPolicy(Mode.LOCAL)
    if kind == _INTERLEAVE:
        nodes = _available(listed) if colon else _nodes_of(expansion)
        if weights.is_dir():
            return MemoryPolicy(Mode.WEIGHTED_INTERLEAVE, nodes, _weights(weights, nodes))
        return MemoryPolicy(Mode.INTERLEAVE, nodes)
    if text.strip()[:1].isalpha():
        raise UsageError(
            f"{_OPTION} {text[:40]!r} is not known: use local, numbers of NUMA nodes such as 0-1,"
            " interleave, or interleave:0-1."
        )
    return MemoryPolicy(Mode.BIND, _available(text))


def _nodes_of(expansion: Expansion) -> tuple[int, ...]:
    cpus = set(expansion.cpus)
    at_home = {each.node for each in expansion.allowed if each.cpu in cpus}
    return tuple(sorted(node for node in at_home if node is not None))


def _available(listed: str) -> tuple[int, ...]:
    nodes = node_numbers(listed, _OPTION)
    allowed = list_cpus(describe_this_machine().allowed_nodes)
    missing = [node for node in nodes if node not in allowed]
    if missing:
        raise UsageError(
            f"{_OPTION} {listed[:40]}: this process may not take memory from"
            f" {name_nodes(missing)}, only from {name_nodes(allowed)}."
        )
    return tuple(nodes)


def _weights(folder: Path, nodes: tuple[int, ...]) -> tuple[str, ...]:
    try:
        return tuple((folder / f"node{node}").read_text("ascii").strip() for node in nodes)
    except (OSError, UnicodeDecodeError):
        return ()


@contextmanager
def memory_policy(policy: MemoryPolicy | None, library: Path) -> Iterator[None]:
    """Set the policy for programs that this thread starts in the block.

    ``library`` is pin's own.

    Raises ``StreamgageError`` if the system refuses it.
    """
    if policy is None:
        yield
        return
    calls = _calls(library)
    mode, before, bits = ctypes.c_int(), _mask(()), ctypes.c_ulong(_BITS)
    if calls.streamgage_pin_get_policy(ctypes.byref(mode), before, bits) != 0:
        raise _refusal(policy)
    if calls.streamgage_pin_set_policy(int(policy.mode), *_arguments(policy.nodes)) != 0:
        raise _refusal(policy)
    try:
        yield
    finally:
        calls.streamgage_pin_set_policy(mode, before, bits)


def _calls(library: Path) -> ctypes.CDLL:
    try:
        return ctypes.CDLL(str(library), use_errno=True)
    except OSError as error:
        raise StreamgageError(f"{library} cannot be loaded: {error}; install it again.") from error


def _arguments(nodes: tuple[int, ...]) -> tuple[object, ctypes.c_ulong]:
    """The node mask and its length, as arguments of the system call; none for ``LOCAL``."""
    return (_mask(nodes), ctypes.c_ulong(_BITS)) if nodes else (None, ctypes.c_ulong(0))


def _mask(nodes: tuple[int, ...]) -> ctypes.Array[ctypes.c_ulong]:
    mask = (ctypes.c_ulong * (_BITS // _WORD_BITS + 1))()
    for node in nodes:
        mask[node // _WORD_BITS] |= 1 << node % _WORD_BITS
    return mask


def _refusal(policy: MemoryPolicy) -> StreamgageError:
    reason = os.strerror(ctypes.get_errno())
    return StreamgageError(
        f"The system refused memory {policy} for the program: {reason}. Permit the system call"
        " set_mempolicy here (in a container: --cap-add SYS_NICE), or leave --memory out."
    )
