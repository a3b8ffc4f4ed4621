"""Looks up what stored runs of ``measure`` show about this machine.

They show the most that its memory can give, and whether a source of traffic is right.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from streamgage.advice import command_line
from streamgage.analysis.conclusion import supports
from streamgage.errors import StreamgageError
from streamgage.programs.traffic.ceiling import ceiling_of, is_of, why_not_a_ceiling
from streamgage.programs.traffic.trust import Trial, trial_of
from streamgage.records import Machine
from streamgage.records.address import StorePlace
from streamgage.records.reader import decode_whole
from streamgage.records.run import Run, collect
from streamgage.results.kinds import result_of_run
from streamgage.results.traffic.document import Ceiling
from streamgage.store import Filter
from streamgage.store.open import open_memory


@dataclass(frozen=True)
class EarlierRuns:
    """The results of earlier runs: a ceiling, and a trial of the source."""

    ceiling: Ceiling | str
    """The ceiling of the newest run that shows one, or why there is none."""
    trial: Trial | None
    """The trial of the source by the newest run that has one."""


def look_back(store: StorePlace | None, machine: Machine, source: str) -> EarlierRuns:
    """Look up the runs in ``store`` of this ``machine``, with trials of this ``source``.

    ``None`` stands for the user's own store.
    """
    newest: str | None = None
    trial: Trial | None = None
    for name, run in _of_host(store, machine.host or ""):
        if trial is None and is_of(run, machine):
            trial = trial_of(run, source, name)
        why = why_not_a_ceiling(run, machine)
        if why is None:
            result = result_of_run(run)
            if not supports(result.trust):
                why = f"it is not quotable: {result.trust.reasons[0].text}"
            elif (ceiling := ceiling_of(result, name)) is not None:
                return EarlierRuns(ceiling, trial)
        newest = newest or why or "it does not show how much crossed the memory bus"
    if newest is None:
        why = f"no measurement of this machine is stored: run {command_line('measure')}"
        return EarlierRuns(why, trial)
    return EarlierRuns(
        "no stored measurement shows the bandwidth of all of this machine's memory (the newest:"
        f" {newest}): run {command_line('measure')}",
        trial,
    )


def _of_host(place: StorePlace | None, host: str) -> Iterator[tuple[str, Run]]:
    """Yield the runs of ``measure`` on that host with their names, the newest first.

    Runs that cannot be read are left out without a message.
    """
    try:
        with open_memory(place, _nobody) as store:
            for entry in store.entries(_nobody, Filter(machine=host, kind="measure")):
                if entry.host != host:
                    continue
                with suppress(StreamgageError):
                    for content in store.files(entry.id).values():
                        yield f"run {entry.id}", collect(decode_whole(content, _nobody))
    except StreamgageError:
        return


def _nobody(_sentence: str) -> None:
    """Drop the sentence, because a watch does not report it."""
