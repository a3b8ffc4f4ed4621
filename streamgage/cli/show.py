"""``streamgage show``."""

from __future__ import annotations

from typing import Annotated

import typer

from streamgage.api.storing import OWN
from streamgage.cli.options import ExplainOption, OutputOption, PeakOption, VerboseOption
from streamgage.cli.store_options import StoreOption, note
from streamgage.commands import load as api
from streamgage.errors import UsageError
from streamgage.results.render import FORMATS, render_result
from streamgage.show.detail import Detail
from streamgage.show.output import open_output

ResultArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="RUN|FILE",
        help="Number of a kept result (`streamgage history`), last, last-1, or a file: records, a"
        " document of --format json, or another benchmark's output; default: last.",
    ),
]

EXAMPLES = (
    ("streamgage show", "This user's newest run again."),
    ("streamgage show --verbose --explain", "With the checks that passed, and why each shape."),
    ("streamgage show run.jsonl --format markdown", "A run that was kept with --records."),
)


def show(
    *,
    result: ResultArgument = None,
    peak: PeakOption = None,
    form: Annotated[
        str, typer.Option("--format", metavar="|".join(FORMATS), help="How to print the result.")
    ] = "table",
    output: OutputOption = None,
    verbose: VerboseOption = False,
    explain: ExplainOption = False,
    store: StoreOption = None,
) -> int:
    """Show an earlier result again."""
    if form not in FORMATS:
        raise UsageError(f"--format {form!r} is not known: use {', '.join(FORMATS)}.")
    with open_output(output) as out:
        kept_in = OWN if store is None else store
        loaded = api.load(result or "last", peak=peak, store=kept_in).loaded()
        if loaded.partial is not None and loaded.answer is None:  # else a finding says so
            note(f"{loaded.name} is not whole. {loaded.partial}")
        detail = Detail(verbose=verbose, explain=explain)
        out.write(render_result(loaded.document, loaded.answer, form, file=output, detail=detail))
    return 0
