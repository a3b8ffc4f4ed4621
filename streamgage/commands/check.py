"""Check whether this node is as fast as it should be."""

from __future__ import annotations

from typing import Required, Unpack, overload

from streamgage.errors import BROKEN, FAILED, UNCERTAIN, StreamgageError
from streamgage.measurement.check import (
    CheckAnswer,
    CheckOptions,
    DeviceChecks,
    HeldOptions,
    PreparedCheck,
)
from streamgage.measurement.notes import Notes
from streamgage.options.declaration import Display, command
from streamgage.options.device import ALL, SEVERAL, Several, refuse_for_processors
from streamgage.options.label import LabelOptions, label_in
from streamgage.options.place import StoringOptions, destination_in
from streamgage.options.question import Question
from streamgage.process.engine import EngineError
from streamgage.process.node_check import NotMeasuredError
from streamgage.process.this_machine import devices_of
from streamgage.results.check import KIND
from streamgage.store.destination import Destination

ANSWERS = Question.NODE
EXAMPLES = (
    ("streamgage check", "Compare with the node's own past, in at most 20 s."),
    (
        "streamgage check --glance --expect triad=420GB/s,-5%",
        "In a prolog: at most 5 s, with your own limit.",
    ),
    (
        "streamgage check --baseline baseline.json",
        "Compare with the baseline of healthy nodes of its class.",
    ),
    ("streamgage check --device gpu", "Every GPU of this node, one by one."),
    ("streamgage check --examine", "Measure each NUMA domain and core by itself, in about 2 min."),
)
EXIT_STATUSES = {
    "0": "The node is fine.",
    "1": "It is slow, or computed something wrong.",
    "3": "The node could not be measured, was disturbed, is near its limit, or has nothing to be "
    "compared with.",
    "4": "The check itself failed: a full disk, or a damaged package.",
}


class Options(CheckOptions, LabelOptions, StoringOptions, total=False):
    """Options that ``check`` shares with other commands."""


class SeveralOptions(HeldOptions, LabelOptions, StoringOptions, total=False):
    """The options of a check of several devices."""

    device: Required[Several]


@overload
def check(  # type: ignore[overload-overlap]  # a str may be one of these names
    **options: Unpack[SeveralOptions],
) -> DeviceChecks: ...
@overload
def check(**options: Unpack[Options]) -> CheckAnswer: ...
@command(
    Display(
        ("line", *(each for each in KIND.formats if each != "line")),
        format="How to print the result; line: only the verdict, for a prolog.",
        measures=True,
    )
)
def check(**options: Unpack[Options]) -> CheckAnswer | DeviceChecks:
    """Say whether this node is as fast as it should be.

    The answer is one line and the exit status. With a ``device`` of ``gpu`` or ``all`` it returns
    ``DeviceChecks``, which have a check for each.

    Args:
        **CheckOptions
        **LabelOptions
        **StoringOptions

    Raises:
        UsageError: an option cannot be met.
        StreamgageError: the node could not be measured.
    """
    notes = Notes(options["progress"])
    called = label_in(options)
    destination = destination_in(options["store"], notes)
    name = options["device"]
    if name is not None:
        refuse_for_processors(check, options, ["examine"])
    if name is not None and name in SEVERAL:
        return _on_devices(options, name, destination, notes)
    checking = PreparedCheck(options, destination, notes, name)
    return checking.ended(checking.checked(checking.machine(), called))


def _on_devices(
    options: Options, name: str, destination: Destination, notes: Notes
) -> DeviceChecks:
    """Check the devices one by one; ``all`` is first the processor.

    One that cannot be measured is unknown, and the others are checked all the same.
    """
    try:
        found = devices_of(name)
    except EngineError as error:
        raise NotMeasuredError(str(error)) from error
    devices: list[str | None] = [None] if name == ALL else []
    devices += [each.id for each in found.devices]
    checks: list[CheckAnswer] = []
    failures: list[StreamgageError] = []
    for device in devices:
        try:
            checking = PreparedCheck(options, destination, notes, device)
            done = checking.checked(checking.machine(), label_in(options))
        except NotMeasuredError as failed:
            failures.append(failed)
            notes(f"{device or 'The processor'} was not checked: {failed}")
            continue
        checks.append(checking.ended(done))
    if not checks:
        raise failures[0]
    statuses = {each.exit_status for each in checks} | ({UNCERTAIN} if failures else set())
    status = next((each for each in (FAILED, UNCERTAIN, BROKEN) if each in statuses), 0)
    return DeviceChecks(checks, status, notes.sentences)
