"""Check whether this node is as fast as it should be."""

from __future__ import annotations

from typing import Unpack

from streamgage.measurement.check import CheckAnswer, CheckOptions, PreparedCheck
from streamgage.measurement.notes import Notes
from streamgage.options.declaration import Display, command
from streamgage.options.label import LabelOptions, label_in
from streamgage.options.place import StoreOptions, destination_in
from streamgage.results.check import KIND

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
    ("streamgage check --examine", "Measure each NUMA domain and core by itself, in about 2 min."),
)
EXIT_STATUSES = {
    "0": "The node is fine.",
    "1": "It is slow, or computed something wrong.",
    "3": "The node could not be measured, was disturbed, or has nothing to be compared with.",
}


class Options(CheckOptions, LabelOptions, StoreOptions, total=False):
    """Options that ``check`` shares with other commands."""


@command(
    Display(
        ("line", *(each for each in KIND.formats if each != "line")),
        format="How to print the result; line: only the verdict, for a prolog.",
        measures=True,
        details=True,
    )
)
def check(**options: Unpack[Options]) -> CheckAnswer:
    """Say whether this node is as fast as it should be.

    The answer is one line and the exit status.

    Args:
        **CheckOptions
        **LabelOptions
        **StoreOptions

    Raises:
        UsageError: an option cannot be met.
        StreamgageError: the node could not be measured.
    """
    notes = Notes(options["progress"])
    called = label_in(options)
    checking = PreparedCheck(options, destination_in(options["store"], notes), notes)
    return checking.ended(checking.checked(checking.machine(), called))
