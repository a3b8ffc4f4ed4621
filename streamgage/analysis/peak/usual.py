"""The share of the peak that is usual for a processor or device, with the reason.

Most processors reach 70 to 92 % with a thread on every core. ``usual.csv`` lists those that do not,
each with its source: their cores cannot ask for enough lines at once, or the links of their dies
carry less than the memory gives. The number of such dies is read from the caches of the machine.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING

import msgspec

from streamgage.analysis.facts_file import DamagedTableError, FactsFile
from streamgage.analysis.peak.peak import Peak, packages_in_use
from streamgage.records import Machine
from streamgage.records.quantities import Members, Rate, Share
from streamgage.units import count

if TYPE_CHECKING:  # imported for types only: a list of results must not load the records
    from streamgage.records.run import Run

_LAST_LEVEL = 3
_MOST_CORES = 16
"""The most cores that share a last-level cache on a processor of several dies (dense Zen 5)."""


@dataclass(frozen=True)
class Usual:
    """The range of shares of the peak that is usual, and why it is not the range of most."""

    low: float = 0.70
    high: float = 0.92
    reason: str | None = None

    def words(self, of: str = "") -> str:
        """Such as ``70 to 92 % is usual``, with the reason if there is one.

        ``of``: what the shares are of, such as ``of the peak``.
        """
        because = f" here, because {self.reason}" if self.reason else ""
        shares = f"{100 * self.low:.0f} to {100 * self.high:.0f} %"
        return f"{shares}{of and ' '}{of} is usual{because}"


USUAL = Usual()
"""What most processors reach."""


class UsualRow(msgspec.Struct, frozen=True, kw_only=True):
    """One row of ``usual.csv``: a range of shares, or the rate of the links of dies."""

    processor: str
    """A regular expression that occurs in the name of the processor or device."""
    name: str
    least_gbps: Rate | None = None
    """The lowest peak of a package that the row is for, if there are two kinds of memory."""
    low: Share | None = None
    high: Share | None = None
    die_gbps: Rate | None = None
    """The rate at which the links of a die can read, in GB/s."""
    caches_per_die: Members = 1
    """The number of last-level caches on a die."""
    reason: str = ""
    source: str
    read: datetime.date
    """The day on which the source was read."""


def usual_of(run: Run, peak: Peak) -> Usual:
    """The usual share for the processor or the device of a run."""
    machine = run.machine
    if run.device is not None:
        return usual_named(run.device.name, peak.gbps)
    name = machine.processor if machine is not None else _reported(run)
    if name is None:
        return USUAL
    if machine is None:
        return usual_named(name, peak.gbps)
    used = packages_in_use(run)
    packages = max(1, machine.packages if used is None else len(used))
    return usual_named(
        f"{name} {machine.system or ''}", peak.gbps / packages, caches=_caches_of_package(machine)
    )


def usual_named(name: str, package_gbps: float | None, *, caches: int | None = None) -> Usual:
    """The usual share for a processor or device by its name.

    ``package_gbps``: the peak of one package; ``caches``: the last-level caches of one.
    """
    row = row_named(name, package_gbps)
    if row is None:
        return USUAL
    if row.low is not None and row.high is not None:
        return Usual(row.low, row.high, row.reason)
    if row.die_gbps is None or caches is None or package_gbps is None:
        return USUAL
    dies = max(1, caches // row.caches_per_die)
    share = dies * row.die_gbps / package_gbps
    if share >= USUAL.high:
        return USUAL
    links = f"the links of its {count(dies, 'die')} with cores carry {dies * row.die_gbps:.0f} GB/s"
    return Usual(share * USUAL.low / USUAL.high, share, links)


def row_named(name: str, package_gbps: float | None) -> UsualRow | None:
    """The row of a processor or device; ``None`` if it is not listed, or the list is damaged."""
    try:
        rows = known_usual_shares()
    except DamagedTableError:  # the usual share only explains; nothing else depends on it
        return None
    plain = re.sub(r"\((?:R|TM|C)\)", "", name, flags=re.IGNORECASE)
    return next((row for row in rows if _matches(row, plain, package_gbps)), None)


def _matches(row: UsualRow, name: str, package_gbps: float | None) -> bool:
    if re.search(row.processor, name, re.IGNORECASE) is None:
        return False
    return row.least_gbps is None or (package_gbps is not None and package_gbps >= row.least_gbps)


def _caches_of_package(machine: Machine) -> int | None:
    if machine.hypervisor:  # which may show any caches
        return None
    last = sum(each.instances for each in machine.caches if each.level == _LAST_LEVEL)
    if last == 0 or machine.cores > _MOST_CORES * last:
        return None
    return last // max(1, machine.packages) or None


def _reported(run: Run) -> str | None:
    return run.reported.processor if run.reported is not None else None


def known_usual_shares() -> Iterable[UsualRow]:
    """Read all rows. Raises ``DamagedTableError``."""
    return _known()


@cache
def _known() -> tuple[UsualRow, ...]:
    return read_usual_shares(files("streamgage.analysis.peak") / "usual.csv")


def read_usual_shares(file: Traversable) -> tuple[UsualRow, ...]:
    """Read the rows of a file. Raises ``DamagedTableError``."""
    return _LIST.read(file)


def _check(row: UsualRow) -> None:
    re.compile(row.processor)
    if (row.low is None) != (row.high is None) or (row.low is None) == (row.die_gbps is None):
        raise ValueError("it has neither a range of shares nor the rate of a die")
    if row.low is not None and row.high is not None and not (row.low < row.high and row.reason):
        raise ValueError("its range has no reason, or is none")


_LIST = FactsFile(
    title="streamgage usual shares",
    called="The list of usual shares",
    newest=1,
    row=UsualRow,
    repair="install streamgage again",
    check=_check,
)
