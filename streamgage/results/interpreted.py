"""The results in tables that other benchmarks printed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec

from streamgage.analysis.faults import Faults
from streamgage.analysis.user_facts import Given
from streamgage.interop.settings import Setting, settings_of
from streamgage.interop.tables import Table, records_of
from streamgage.records.run import collect
from streamgage.results.kinds import result_of, result_of_run
from streamgage.results.result import Result
from streamgage.results.scale.document import Scale
from streamgage.results.scale.interpreted import scale_of

_RULE = 4
"""STREAM's: arrays of so many times the last-level caches."""


@dataclass
class Interpreted:
    """What the tables of one setting come to, worked out when it is first asked for."""

    setting: Setting
    given: Given

    @property
    def is_scaling(self) -> bool:
        """Whether it has several numbers of workers."""
        return len(self.setting.counts) > 1

    @cached_property
    def result(self) -> Result[Any]:
        """Of ``scale`` or of ``measure``."""
        if self.is_scaling:
            return result_of(_with_facts(scale_of(self.setting), self.given))
        return result_of_run(collect(records_of(self.setting.tables)), self.given)


def interpreted(tables: Sequence[Table], given: Given, *, runs: bool = False) -> list[Interpreted]:
    """A scaling for tables with several numbers of workers, and what ``measure`` gives for others.

    There is a result for each setting: tables of different programs, machines or arrays are never
    mixed. ``runs``: tables of one setting are its runs, wherever they stand.
    """
    return [Interpreted(each, given) for each in settings_of(tables, runs=runs)]


def _with_facts(scale: Scale, given: Given) -> Scale:
    """The scaling with what the user says of its arrays and caches."""
    size = given.array_bytes or scale.array_bytes
    caches = given.last_level_cache_bytes
    faults = scale.faults
    if size is not None and caches is not None and size < _RULE * caches:
        runs = len(scale.runs)
        faults = Faults(runs=runs, below_rule=runs, array_ratio=size / caches)
    return msgspec.structs.replace(scale, array_bytes=size, faults=faults)
