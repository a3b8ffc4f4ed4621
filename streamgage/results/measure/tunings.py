"""Shapes that the tuner chose, one file per machine, in ``$XDG_CACHE_HOME/streamgage/tuning``.

The folder follows the XDG Base Directory Specification; without the variable it is
``~/.cache/streamgage/tuning``. A file belongs to one machine as this engine sees it (processor,
topology, engine version and compiler). It holds that description, which shows if a file came from
another machine. Its shapes were measured for the same CPUs and element type. The file is a cache:
a fault in it is reported, and then it is written again.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal

import msgspec

from streamgage.plan import KnownShape, Plan
from streamgage.records import Cache, ElementType, Machine, NumaNode, PageSize, Tuning
from streamgage.records.files import cache_folder, open_next_to
from streamgage.records.reader import Note

_LARGEST_FILE = 16 << 20
_Format = Literal[1]


class Identity(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Facts that a shape may depend on and that do not change between runs."""

    engine: str
    compiler: str
    architecture: str | None
    processor: str | None
    packages: int
    cores: int
    hardware_threads: int
    caches: list[Cache]
    numa_nodes: list[NumaNode]
    memory_modules: int
    hypervisor: str | None


class Conditions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Parts of a plan that a shape may depend on."""

    type: ElementType
    placement: str
    threads: int | None
    cpus: list[int] | None
    expression: str | None = None
    oversubscribe: bool = False
    allowed_cpus: str
    pages: PageSize
    memory_nodes: list[int] | None = None
    alignment_bytes: int | None = None


class Entry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One decision of the tuner, with its reason."""

    conditions: Conditions
    tuning: Tuning
    time: str
    """Start of the run that it was made in, ISO 8601, UTC."""


class TuningFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The contents of a file."""

    format: _Format = 1
    machine: Identity
    entries: list[Entry]


def identity_of(machine: Machine) -> Identity:
    """The machine as far as shapes may depend on it."""
    # A NUMA node's free memory is not part of it, and a guest's memory may grow while it runs.
    nodes = [
        msgspec.structs.replace(node, bytes=None, free_bytes=None, available_bytes=None)
        for node in machine.numa_nodes
    ]
    return Identity(
        engine=machine.engine,
        compiler=machine.compiler,
        architecture=machine.architecture,
        processor=machine.processor,
        packages=machine.packages,
        cores=machine.cores,
        hardware_threads=machine.hardware_threads,
        caches=machine.caches,
        numa_nodes=nodes,
        memory_modules=len(machine.memory_modules),
        hypervisor=machine.hypervisor,
    )


def conditions_of(plan: Plan, machine: Machine) -> Conditions:
    """The settings of ``plan`` and ``machine`` that the best access shape may depend on."""
    return Conditions(
        type=plan.type,
        placement=plan.placement.kind,
        threads=plan.placement.threads,
        cpus=plan.placement.cpus,
        expression=plan.placement.expression,
        oversubscribe=plan.placement.oversubscribe,
        allowed_cpus=machine.allowed_cpus,
        pages=plan.pages,
        memory_nodes=plan.memory_nodes,
        alignment_bytes=plan.alignment_bytes,
    )


def tuning_folder(environment: Mapping[str, str] = os.environ) -> Path | None:
    """The folder of stored shapes; ``None`` if this user has no home and names no folder."""
    cache = cache_folder(environment)
    return None if cache is None else cache / "tuning"


def file_of(identity: Identity, folder: Path) -> Path:
    """The file of that machine."""
    digest = hashlib.sha256(msgspec.json.encode(identity, order="sorted")).hexdigest()
    return folder / f"{digest[:16]}.json"


def read_entries(identity: Identity, folder: Path, note: Note) -> list[Entry]:
    """Read the shapes for that machine; none, with a note, if the file is damaged."""
    path = file_of(identity, folder)
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise msgspec.DecodeError("it is not a file")
        if status.st_size > _LARGEST_FILE:
            raise msgspec.DecodeError("it is far too large")
        kept = msgspec.json.decode(path.read_bytes(), type=TuningFile)
    except FileNotFoundError:
        return []
    except OSError as error:
        note(
            f"The tuning file {path} cannot be read ({error.strerror}): shapes are searched for"
            " again."
        )
        return []
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        note(f"The tuning file {path} is damaged ({error}): it is ignored and written again.")
        return []
    if kept.machine != identity:
        note(
            f"The tuning file {path} belongs to another machine or version: it is ignored and"
            " written again."
        )
        return []
    return kept.entries


def known_shapes(entries: Iterable[Entry], conditions: Conditions) -> list[KnownShape]:
    """The shapes that were chosen under those conditions."""
    return [
        KnownShape(
            kernel=entry.tuning.kernel,
            store=entry.tuning.store,
            isa=entry.tuning.isa,
            shape=entry.tuning.shape,
            forced_read=entry.tuning.forced_read,
        )
        for entry in entries
        if entry.conditions == conditions
    ]


def keep_tunings(
    machine: Machine, conditions: Conditions, tunings: Sequence[Tuning], folder: Path, note: Note
) -> None:
    """Add new decisions to the machine's file; they replace earlier ones about the same variants.

    The file is replaced as a whole, so that another run that writes at the same time costs
    decisions at worst, and never the file.
    """
    raced = [tuning for tuning in tunings if tuning.source == "raced"]
    if not raced:
        return
    identity = identity_of(machine)
    new = [Entry(conditions=conditions, tuning=each, time=machine.time) for each in raced]
    decided = {_subject(entry) for entry in new}
    entries = read_entries(identity, folder, lambda _: None)
    kept = [entry for entry in entries if _subject(entry) not in decided]
    text = msgspec.json.format(
        msgspec.json.encode(TuningFile(machine=identity, entries=[*kept, *new])), indent=1
    )
    try:
        _replace(file_of(identity, folder), text)
    except OSError as error:
        note(
            f"The shapes found cannot be stored in {folder} ({error.strerror}): the next run"
            " searches again."
        )


def _subject(entry: Entry) -> tuple[bytes, str, str, str]:
    tuning = entry.tuning
    return msgspec.json.encode(entry.conditions), tuning.kernel, tuning.store, tuning.isa


def _replace(path: Path, text: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = open_next_to(path)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(text)
        temporary.replace(path)
    except OSError:
        with suppress(OSError):
            temporary.unlink()
        raise
