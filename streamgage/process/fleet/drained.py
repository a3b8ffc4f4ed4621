"""The nodes that a scheduler holds back for a reason, as the scheduler itself says it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

import msgspec

from streamgage.errors import StreamgageError
from streamgage.process.fleet.launcher import output_of
from streamgage.process.fleet.launchers.slurm import drained_nodes
from streamgage.process.fleet.node_names import parse_nodes
from streamgage.records.foreign import UnreadableError, decoded

T = TypeVar("T")
_ANNOTATION = "streamgage/reason"
"""Where a node of Kubernetes has the reason; a cordoned node has none of its own."""


class _PbsNode(msgspec.Struct):
    state: str = ""
    comment: str = ""


class _PbsNodes(msgspec.Struct):
    nodes: dict[str, _PbsNode] = {}


class _Metadata(msgspec.Struct):
    name: str
    annotations: dict[str, str] = {}


class _Spec(msgspec.Struct):
    unschedulable: bool = False


class _KubernetesNode(msgspec.Struct):
    metadata: _Metadata
    spec: _Spec


class _KubernetesNodes(msgspec.Struct):
    items: list[_KubernetesNode] = []


def _of_slurm() -> Iterator[tuple[str, str]]:
    yield from drained_nodes()


def _of_pbs() -> Iterator[tuple[str, str]]:
    """Yield the nodes of OpenPBS and PBS Professional that are offline, with their comments."""
    command = ["pbsnodes", "-a", "-F", "json"]
    for name, node in _read(command, _PbsNodes).nodes.items():
        if "offline" in node.state.split(","):
            yield name, node.comment


def _of_flux() -> Iterator[tuple[str, str]]:
    command = ["flux", "resource", "drain", "-n", "-o", "{nodelist} {reason}"]
    for line in output_of(command, _ADVICE).splitlines():
        names, _, reason = line.strip().partition(" ")
        if names:
            for node in parse_nodes("flux resource drain", names):
                yield node, reason


def _of_kubernetes() -> Iterator[tuple[str, str]]:
    command = ["kubectl", "get", "nodes", "-o", "json"]
    for node in _read(command, _KubernetesNodes).items:
        if node.spec.unschedulable:
            yield node.metadata.name, node.metadata.annotations.get(_ANNOTATION, "")


_READERS: Mapping[str, Callable[[], Iterator[tuple[str, str]]]] = {
    "slurm": _of_slurm,
    "pbs": _of_pbs,
    "flux": _of_flux,
    "kubernetes": _of_kubernetes,
}
_ADVICE = "run this where its commands work"


def drained_for(scheduler: str, begin: str) -> list[str]:
    """The nodes that a scheduler holds back for a reason that begins so, each once.

    Raises ``StreamgageError`` if its command fails.
    """
    found = _READERS[scheduler]()
    return list(dict.fromkeys(node for node, reason in found if reason.startswith(begin)))


def _read(command: list[str], kind: type[T]) -> T:
    text = output_of(command, _ADVICE)
    try:
        return decoded(text.encode("utf-8", "replace"), kind)
    except UnreadableError as error:
        raise StreamgageError(
            f"{command[0]} printed no list of nodes that can be read ({error}): {_ADVICE}."
        ) from error
