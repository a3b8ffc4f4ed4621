"""Show stored results."""

from __future__ import annotations

from typing import Unpack

from streamgage.analysis.user_facts import UserFacts
from streamgage.api.lookup import Named, load_one
from streamgage.api.runs import Ending
from streamgage.api.series import AnyRun, run_of
from streamgage.measurement.notes import Notes
from streamgage.options.declaration import Display, command
from streamgage.options.place import OWN, StoreOptions, place_of
from streamgage.options.question import Question
from streamgage.options.values import Rate, given_peak
from streamgage.results.render import FORMATS
from streamgage.show.picture_file import PICTURES
from streamgage.store.destination import Destination, StoredResult
from streamgage.store.place import store_place

ANSWERS = Question.EARLIER
EXAMPLES = (
    ("streamgage show", "Show your newest result again."),
    ("streamgage show --details", "Show it with every kernel, store mode, finding and check."),
    ("streamgage show run.jsonl --format markdown", "Show a run that --records wrote."),
    ("streamgage show -o run.csv", "Write its figures to a file; the suffix chooses the format."),
    (
        "streamgage show scale.json -o scale.pdf --width 85mm",
        ("Draw its picture again, for a paper."),
    ),
)


@command(
    Display(
        FORMATS,
        output="Write the result to FILE instead of stdout, as its suffix says (.txt, .json, .csv,"
        f" .md ...); or draw a picture in {PICTURES}, with its data in FILE.csv, and print the"
        " result as well.",
        data="csv",
    )
)
def load(
    result: Named | None = None, *, peak: Rate | None = None, **options: Unpack[StoreOptions]
) -> AnyRun:
    """Show an earlier result again.

    Args:
        result: Number of a stored result (`streamgage history`), last, last-1, or a file (records,
            a document of --format json, or another benchmark's output); default: last.
        peak: Theoretical peak of the memory; default: what was found. In Python GB/s.
        **StoreOptions

    Raises:
        UsageError: there is no such result, or it cannot be read.
    """
    store = options["store"]
    notes = Notes(options["progress"])
    facts = UserFacts(peak_gbps=given_peak(peak))
    loaded = load_one("last" if result is None else result, place_of(store), notes, facts)
    destination = Destination(store_place(place_of(store)), of_user=store is OWN)
    return run_of(
        loaded,
        Ending(
            stored=StoredResult(loaded.number),
            destination=destination,
            notes=tuple(notes.sentences),
        ),
    )
