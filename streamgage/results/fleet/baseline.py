"""Baselines: files of a fleet with what nodes of a class should reach, for checks."""

from __future__ import annotations

from collections.abc import Mapping
from math import log
from pathlib import Path
from typing import NamedTuple

import msgspec

from streamgage.advice import advice, command_name
from streamgage.analysis.statistics.outliers import FEWEST, Bulk
from streamgage.errors import UsageError
from streamgage.records.foreign import UnreadableError, decoded, read_file
from streamgage.records.node import Text
from streamgage.records.quantities import Amount, Count, Members, Rate, Share, Time
from streamgage.results.fleet.causes import OtherSetting
from streamgage.results.fleet.classes import PROPERTIES
from streamgage.results.fleet.document import Fleet

VERSION = 1
_MOST_BYTES = 1 << 26


class BaselineFigure(msgspec.Struct, frozen=True, kw_only=True):
    """One figure of a class."""

    kernel: Text
    median_gbps: Rate
    scale: Amount
    """Standard deviation of its logarithm between sound nodes."""
    low_gbps: Rate
    """5 % of the nodes were below."""
    n: Members
    """Nodes that it rests on."""


class BaselineClass(msgspec.Struct, frozen=True, kw_only=True):
    """One class, and how to know its nodes."""

    name: str
    properties: dict[str, str]
    figures: list[BaselineFigure]


class BaselineFile(msgspec.Struct, frozen=True, kw_only=True):
    """The file."""

    streamgage_baseline: Count
    """Version of the format."""
    made: Time
    limit: Share
    """Smaller effects do not matter to anybody."""
    classes: list[BaselineClass]


class KnownClass(NamedTuple):
    """A class of a baseline, and the settings in which a node differs from it."""

    found: BaselineClass
    settings: list[OtherSetting]


class Baseline:
    """A baseline that was read: ``name`` is the file's."""

    def __init__(self, file: BaselineFile, name: str) -> None:
        """Make one from the content of a file."""
        self.file = file
        self.name = name

    def class_for(self, properties: Mapping[str, str | None]) -> KnownClass:
        """The class of that hardware, and in what else the nodes differ from it.

        Raises ``UsageError`` if the baseline has no such hardware.
        """
        found: list[KnownClass] = []
        nearest: list[OtherSetting] = []
        for each in self.file.classes:
            strange = _differences(each.properties, properties, "hardware")
            if strange:
                nearest = min(nearest, strange, key=len) if nearest else strange
                continue
            settings = [
                *_differences(each.properties, properties, "measurement"),
                *_differences(each.properties, properties, "setting"),
            ]
            found.append(KnownClass(each, settings))
        if not found:
            why = f": {nearest[0].difference}" if nearest else ""
            raise UsageError(
                f"{self.name} is a baseline for other hardware{why}; make one for this class with"
                f" {advice('fleet judge', 'LINES', '--write-baseline', 'FILE')}."
            )
        return min(found, key=lambda each: len(each.settings))

    def comparable_class(self, properties: Mapping[str, str | None]) -> KnownClass:
        """The class of that hardware, measured in the same way.

        Raises ``UsageError`` if the baseline has none.
        """
        found = self.class_for(properties).found
        otherwise = _differences(found.properties, properties, "measurement")
        if otherwise:
            raise UsageError(
                f"{self.name} was measured in another way: {otherwise[0].difference}; make it again"
                f" with {advice('fleet judge', 'LINES', '--write-baseline', 'FILE')}."
            )
        return KnownClass(found, _differences(found.properties, properties, "setting"))

    def bulks_for(self, properties: Mapping[str, str | None]) -> dict[str, Bulk]:
        """The distribution of each kernel; empty without one for that hardware and measurement."""
        try:
            found = self.class_for(properties).found
        except UsageError:
            return {}
        if _differences(found.properties, properties, "measurement"):
            return {}
        return {
            each.kernel: Bulk(log(each.median_gbps), max(each.scale, 1e-3), each.n)
            for each in found.figures
        }


def _differences(
    theirs: Mapping[str, str], own: Mapping[str, str | None], which: str
) -> list[OtherSetting]:
    """The known properties of that kind in which a node differs."""
    return [
        OtherSetting(name=each.name, own=value, of_class=theirs[each.name])
        for each in PROPERTIES
        if each.of == which
        and (value := own.get(each.name)) is not None
        and each.name in theirs
        and value != theirs[each.name]
    ]


def read_baseline(path: Path) -> Baseline:
    """The baseline in a file. Raises ``UsageError`` if there is none of this version."""
    what = f"name a file that {command_name('fleet judge --write-baseline')} wrote"
    try:
        content = read_file(path, _MOST_BYTES)
    except OSError as error:
        raise UsageError(
            f"The baseline {path} cannot be read: {error.strerror}; {what}."
        ) from error
    try:
        version = decoded(content, _Version).streamgage_baseline
        if version > VERSION:
            raise UsageError(
                f"{path} is a baseline of version {version}, and this streamgage reads up to"
                f" version {VERSION}: update streamgage, or make the baseline again."
            )
        return Baseline(decoded(content, BaselineFile), path.name)
    except UnreadableError as error:
        raise UsageError(f"{path} is not a baseline ({error}): {what}.") from error


class _Version(msgspec.Struct):
    streamgage_baseline: int


def baseline_of(fleet: Fleet) -> bytes:
    """Make a baseline of a fleet's classes that were judged by themselves, without slow nodes.

    Raises ``UsageError`` if there is none.
    """
    classes = [
        BaselineClass(
            name=each.name,
            properties=each.properties,
            figures=[
                BaselineFigure(
                    kernel=figure.kernel,
                    median_gbps=figure.median_gbps,
                    scale=figure.scale,
                    low_gbps=figure.low_gbps,
                    n=figure.n,
                )
                for figure in each.figures
                if figure.scale > 0
            ],
        )
        for number, each in enumerate(fleet.classes)
        if each.judged_by == number
    ]
    if not classes or fleet.time is None:
        raise UsageError(
            f"No class of nodes is large enough for a baseline: measure at least {FEWEST} equal"
            " nodes."
        )
    file = BaselineFile(
        streamgage_baseline=VERSION, made=fleet.time, limit=fleet.limit, classes=classes
    )
    return msgspec.json.format(msgspec.json.encode(file), indent=2) + b"\n"
