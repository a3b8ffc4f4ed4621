"""Measures bandwidth by the size of the working set."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Annotated, Any, Unpack, cast

from streamgage.api.series import SeriesRun
from streamgage.measurement.kernel_files import KernelOptions, given_kernels, kernels_of
from streamgage.measurement.measurement import Measurement, SeriesOptions, rounds_of
from streamgage.options.arrays import ArrayOptions, array_setup
from streamgage.options.declaration import Form, command
from streamgage.options.device import DeviceOptions, one_device, refuse_for_processors
from streamgage.options.drawing import drawn
from streamgage.options.question import Question
from streamgage.options.roofline import programs_of
from streamgage.options.values import (
    MOST_THREADS,
    Cpus,
    Kernels,
    Names,
    Number,
    Size,
    Stores,
    bytes_of,
    names_of,
    several,
    some_names,
    whole_number,
)
from streamgage.results.ladder import KIND, experiment
from streamgage.results.ladder.document import Ladder
from streamgage.results.ladder.experiment import MODES
from streamgage.results.preset import make_plan

MOST_STEPS = 32
Points = Annotated[str | Iterable[str], Form("NAME,FLOPS,BYTES,SECONDS", many=True)]
"""A program's point such as ``"solver,2e9,16e9,0.8"``, or several points."""
ANSWERS = Question.PARTS
EXAMPLES = (
    (
        "streamgage ladder",
        ("Measure from the first cache to memory, with one thread and with all."),
    ),
    (
        "streamgage ladder --format roofline --point solver,2e9,16e9,0.8",
        "The ceilings of the roofline as JSON, with the point of one program.",
    ),
    (
        "streamgage ladder --modes sequential --to 64MiB -o ladder.svg",
        "One thread, up to 64 MiB, with a picture and its data.",
    ),
    ("streamgage ladder --device opencl:0", "Through the cache of a device to its memory."),
)


_OF_PROCESSORS = ("stores", "modes", "threads", "cpus", "align", "init", "pages", "cc")
"""Options that mean nothing on a device."""


class Options(DeviceOptions, ArrayOptions, KernelOptions, SeriesOptions, total=False):
    """Options that ``ladder`` shares with other commands."""


@command(drawn(KIND))
def ladder(
    *,
    kernels: Kernels | None = None,
    stores: Stores = "regular",
    modes: Names = ("sequential", "worksharing", "throughput"),
    from_: Size | None = None,
    to: Size | None = None,
    steps: Number = 3,
    threads: Number | None = None,
    cpus: Cpus | None = None,
    quick: bool = False,
    rounds: Number = 2,
    point: Points | None = None,
    **options: Unpack[Options],
) -> SeriesRun[Ladder]:
    """Measure bandwidth from the first cache up to memory.

    Working sets grow from a few KiB to more than the last cache holds.

    Args:
        **DeviceOptions
        kernels: Kernels to measure; default: triad.
        stores: Store modes: regular, streaming, plain, ...
        modes: sequential: one thread; worksharing: all threads share the working set; throughput:
            each thread has a working set of its own.
        from_: Smallest working set; default: 8KiB.
        to: Largest working set; default: 4x the last-level caches in use.
        steps: Number of working sets per doubling of the size.
        threads: Number of threads; default: one per core.
        cpus: CPUs to bind threads to, e.g. S0:0-3.
        **ArrayOptions
        **KernelOptions
        quick: Take fewer samples per point.
        rounds: Measure every point this many times.
        point: A program of yours for the roofline: its name, floating-point operations, bytes
            moved (or a size such as 3GiB), and seconds; may be given several times.
        **SeriesOptions

    Raises:
        UsageError: the request cannot be met.
        NothingMeasuredError: every kernel of your own failed.
        StreamgageError: no point could be measured.
        MeasurementInterrupt: it was stopped; ``run`` has the points measured before.
    """
    device, chosen = options["device"], some_names("--modes", modes, MODES)
    found = None
    if device is not None:
        given = {
            **cast("Mapping[str, Any]", options),
            "stores": stores,
            "modes": None if chosen == [*MODES] else chosen,
            "threads": threads,
            "cpus": cpus,
        }
        refuse_for_processors(ladder, given, _OF_PROCESSORS)
        found = one_device(device)
    measurement = Measurement(options)
    how = rounds_of(rounds, options, give_way=options["give_way"])
    files = given_kernels(options, device=None if found is None else found.id)
    plan = make_plan(
        experiment.QUICK if quick else experiment.STANDARD,
        kernels=names_of("--kernels", kernels, or_none=files is not None),
        own=None if files is None else (),
        stores=None if found is not None else names_of("--stores", stores),
        arrays=array_setup(options),
    )
    request = experiment.LadderRequest(
        plan=plan if found is None else experiment.plan_on_device(plan, found),
        named=kernels is not None,
        modes=tuple(chosen),
        low=bytes_of("--from", from_),
        high=bytes_of("--to", to),
        steps_an_octave=whole_number("--steps", steps, 1, MOST_STEPS) or 1,
        threads=whole_number("--threads", threads, 1, MOST_THREADS),
        cpus=cpus,
        programs=programs_of(several("--point", point)),
    )
    with kernels_of(files, request.plan, measurement) as own:
        request = replace(request, own=own)
        if found is not None:
            rungs = experiment.rungs_of_device(request, found)
        else:
            rungs = experiment.rungs_of_this_machine(request)
        done = measurement.in_rounds(experiment.measure_ladder, rungs, how)
    return measurement.returned(SeriesRun, done, failed=bool(own.failures))
