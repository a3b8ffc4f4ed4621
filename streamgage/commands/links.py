"""Copies between the host's memory and devices."""

from __future__ import annotations

from typing import Annotated, Unpack

from streamgage.api.series import SeriesRun
from streamgage.errors import UsageError
from streamgage.measurement.measurement import Measurement, SeriesOptions, rounds_of
from streamgage.options.declaration import command
from streamgage.options.drawing import drawn
from streamgage.options.question import Question
from streamgage.options.values import DEVICE, Number, Size, bytes_of
from streamgage.process.this_machine import devices_of
from streamgage.results.links import KIND, experiment
from streamgage.results.links.document import Links
from streamgage.show.picture_file import PICTURES

ANSWERS = Question.PARTS
EXAMPLES = (
    ("streamgage links", "Copies between the host and each GPU, and between each pair of GPUs."),
    ("streamgage links --device opencl:0 --quick", "Those of one device, in a third of the time."),
)


@command(drawn(KIND, f"Draw heat maps in {PICTURES}, with their data in FILE.{{data}}"))
def links(
    *,
    device: Annotated[str, DEVICE] = "gpu",
    size: Size | None = None,
    quick: bool = False,
    rounds: Number = 1,
    **options: Unpack[SeriesOptions],
) -> SeriesRun[Links]:
    """Measure copies to, from and between GPUs.

    Copies go each way and both ways at once: with the host's memory, pageable and pinned, and with
    other GPUs.

    Args:
        device: The devices: gpu (all GPUs), all, or one such as opencl:0 (docs/devices.md).
        size: Size of each copy, e.g. 1GiB; default: 128MiB.
        quick: Take a third of the time for each device and pair.
        rounds: Measure every device and pair this many times.
        **SeriesOptions

    Raises:
        UsageError: the request cannot be met.
        StreamgageError: nothing could be measured.
        Interrupted: it was stopped; ``run`` has what was measured before.
    """
    measurement = Measurement(options)
    how = rounds_of(rounds, options, give_way=options["give_way"])
    copy_bytes = bytes_of("--size", size)
    found = devices_of(device)
    if not found.devices:
        raise UsageError(f"There is no device: {'; '.join(found.reasons)}.")
    ends = experiment.ends_of_this_machine(
        found.devices, experiment.QUICK if quick else experiment.STANDARD, copy_bytes
    )
    return measurement.returned(SeriesRun, measurement.in_rounds(experiment.links, ends, how))
