"""Measures the latency of each cache and of memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Unpack

from streamgage.api.series import SeriesRun, just_measured
from streamgage.measurement.ending import returned
from streamgage.measurement.measurement import (
    MOST_ROUNDS,
    Measurement,
    OrderOptions,
    PriorityOptions,
    RunOptions,
    seed_of,
)
from streamgage.options.declaration import command
from streamgage.options.device import DeviceOptions, one_device, refuse_for_processors
from streamgage.options.drawing import drawn
from streamgage.options.question import Question
from streamgage.options.values import (
    MOST_THREADS,
    Cpus,
    Names,
    NewFile,
    Number,
    Size,
    bytes_of,
    some_names,
    whole_number,
)
from streamgage.plan import Mix
from streamgage.results.latency import KIND, experiment
from streamgage.results.latency.document import Latency
from streamgage.show.progress import StepsWatcher

MOST_STEPS = 32
ANSWERS = Question.MEMORY
EXAMPLES = (
    ("streamgage latency", "Latency when idle, and while other threads load the memory."),
    ("streamgage latency --mixes none --to 64MiB", "Only the idle latency, up to 64 MiB."),
    ("streamgage latency --device opencl:0", "The latency of a device's cache and memory."),
)


class Options(DeviceOptions, OrderOptions, RunOptions, PriorityOptions, total=False):
    """Options that ``latency`` shares with other commands."""


@command(drawn(KIND))
def latency(
    *,
    from_: Size | None = None,
    to: Size | None = None,
    steps: Number = 2,
    mixes: Names = experiment.MIXES,
    threads: Number | None = None,
    cpus: Cpus | None = None,
    quick: bool = False,
    rounds: Number = 3,
    records: NewFile | None = None,
    **options: Unpack[Options],
) -> SeriesRun[Latency]:
    """Measure the latency of caches and memory, idle and loaded.

    Args:
        **DeviceOptions
        from_: Smallest working set; default: 8KiB.
        to: Largest working set; default: 4x the last-level cache, at most 1GiB.
        steps: Number of working sets per doubling of the size.
        mixes: What the loading threads do: reads, 3:1 (reads to writes), 2:1, 1:1, streaming
            (streaming stores alone); none: no load. In Python ``[]`` is none, too.
        threads: Number of threads: one measures, the others load; default: one per core.
        cpus: CPUs to bind threads to; the thread on the first one measures.
        quick: Use fewer steps of load; on a device, one working set per doubling.
        rounds: Measure everything this many times.
        **OrderOptions
        records: Also write the records to FILE.
        **RunOptions
        **PriorityOptions

    Raises:
        UsageError: the request cannot be met.
        NothingMeasuredError: the measurement failed before there was anything to return.
        MeasurementInterrupt: it was stopped; ``run`` has what was measured before.
    """
    measurement = Measurement(options)
    notes = measurement.notes
    request = experiment.LatencyRequest(
        low=bytes_of("--from", from_),
        high=bytes_of("--to", to),
        steps_an_octave=whole_number("--steps", steps, 1, MOST_STEPS) or 1,
        mixes=_mixes(mixes),
        shares=experiment.FEW_SHARES if quick else experiment.SHARES,
        threads=whole_number("--threads", threads, 1, MOST_THREADS),
        cpus=cpus,
        rounds=whole_number("--rounds", rounds, 1, MOST_ROUNDS) or 1,
        seed=seed_of(options),
    )
    device = options["device"]
    if device is not None:
        given: Mapping[str, Any] = {
            "mixes": None if request.mixes in ((), experiment.MIXES) else mixes,
            "threads": threads,
            "cpus": cpus,
        }
        refuse_for_processors(latency, given, given)
        if quick:
            request = replace(request, steps_an_octave=1)
        planned = experiment.plan_of_device(request, one_device(device))
    else:
        planned = experiment.plan_of_this_machine(request)
    with notes.bar() as shown, measurement.spool(records) as spool:
        measurement.look()
        done = experiment.measure_latencies(
            planned,
            spool=spool,
            watch=StepsWatcher(shown),
            note=notes,
            wait=measurement.wait,
            last=options["give_way"],
        )
    ending = measurement.ending_of_run(done.result, done.engine_run, records=records)
    run: SeriesRun[Latency] | None = None
    if done.result is not None:
        run = SeriesRun(just_measured(done.result, ending), ending)
    return returned(run, ending)


def _mixes(mixes: Names) -> tuple[Mix, ...]:
    none = mixes.strip() == "none" if isinstance(mixes, str) else [*mixes] in ([], ["none"])
    return () if none else tuple(some_names("--mixes", mixes, experiment.MIXES, ", or none"))
