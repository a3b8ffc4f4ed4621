"""Measure many nodes, and say which of them are slow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Unpack

from streamgage.measurement.fleet import FleetAnswer, FleetJudge, JudgeOptions
from streamgage.measurement.fleet_run import FleetOptions, fleet_setup, run_fleet, silence_of
from streamgage.measurement.notes import Notes
from streamgage.options.declaration import Display, Form, command
from streamgage.options.label import LabelOptions, label_in
from streamgage.options.place import StoringOptions, destination_in
from streamgage.options.question import Question
from streamgage.options.values import Command, words_of
from streamgage.process.signals import EXIT_OF_SIGNAL
from streamgage.records.node import FleetLine
from streamgage.results.fleet import KIND
from streamgage.results.fleet.gather import gather
from streamgage.results.fleet.judge import judge, suspects

ANSWERS = Question.FLEET
EVERYDAY = ("launcher",)
EXAMPLES = (
    ("streamgage fleet run", "Measure every idle node of Slurm."),
    (
        "streamgage fleet run --sample 100 --deadline 2m",
        ("Measure 100 idle nodes, drawn at random."),
    ),
    ("streamgage fleet run --launcher clush --nodes 'n[1-4]'", "Four nodes, by ssh."),
    ("streamgage fleet run -- --device gpu", "Every GPU of every idle node."),
    ("streamgage fleet run --resume stopped.jsonl", "Only the nodes that have not answered yet."),
)
EXIT_STATUSES = {
    "0": "Every node that was to answer was judged, and is fine.",
    "1": "A node is slow, or computed something wrong.",
    "3": "No node is known to be slow, but some have no result, or could not be judged.",
    "4": "The command itself failed: a full disk, or a damaged package.",
}


class Options(FleetOptions, JudgeOptions, LabelOptions, StoringOptions, total=False):
    """Options that ``fleet run`` shares with other commands."""


@command(Display(KIND.formats, measures=True))
def fleet_run(
    engine_options: Annotated[Command | None, Form("[-- OPTION..]", many=True)] = None,
    **options: Unpack[Options],
) -> FleetAnswer:
    """Measure many nodes at once, and say which are slow.

    The nodes need the engine's file alone, no Python.

    Args:
        engine_options: More options of streamgage-engine, such as --seconds 3.
        **FleetOptions
        **JudgeOptions
        **LabelOptions
        **StoringOptions

    Raises:
        UsageError: the request cannot be met.
        StreamgageError: the file for the nodes' lines cannot be written.
    """
    notes = Notes(options["progress"])
    called = label_in(options)
    judging = FleetJudge(options, destination_in(options["store"], notes), notes)
    words = words_of(engine_options)
    setup = fleet_setup(options, words, notes)
    if not any(each.startswith("--device") for each in words):  # a node may have several devices
        judging.require_enough(len(setup.plan.all_nodes))

    def to_decide(number: int, lines: Sequence[FleetLine], nodes: Sequence[str]) -> Sequence[str]:
        """The suspects, for a second round; later, the measured nodes that are still not fine."""
        fleet = judge(gather(lines), judging.rules())
        if number == 1:
            return suspects(fleet)
        measured = set(nodes)
        found = (e.host for e in fleet.nodes if e.host in measured and e.verdict != "fine")
        return list(dict.fromkeys(found))

    outcome = run_fleet(setup, to_decide, notes)
    gathered = gather(outcome.lines)
    fleet = judging.judged(gathered, called)
    status = None
    if outcome.stopped is not None:
        status = EXIT_OF_SIGNAL[outcome.stopped]
    for sentence in silence_of(gathered.silent.values()):
        notes(sentence)
    notes(f"The nodes' lines are in {setup.path}.")
    return judging.ended(fleet, exit_status=status, measured=True)
