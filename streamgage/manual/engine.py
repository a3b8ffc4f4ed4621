"""The page of streamgage-engine, from what its ``--help`` says."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from streamgage.manual.page import STATUSES, Option, Page
from streamgage.process.child import ENGINE
from streamgage.process.engine import find_engine

EXAMPLES = (
    (f"{ENGINE} --table", "A table like STREAM's, without Python."),
    (f"{ENGINE} --machine", "The machine's record, one line of JSON."),
    (f"{ENGINE} --plan plan.json > run.jsonl", "Measure by a plan; the records, a line each."),
    (f"{ENGINE} --counters", "What can count memory traffic here, and why the rest cannot."),
)
_OPTION = re.compile(r"^  (-\S+)( [A-Z|-]+)?( Needs: \S+)?(?:\s{2,}(\S.*))?$")
_REMARK = (
    "The plan is described by schema/plan.schema.json and schema/latency_plan.schema.json, its"
    " records by schema/records.schema.json."
)


def page(engine: Path | None = None) -> Page:
    """The page of the engine that is installed, or of ``engine``."""
    said = subprocess.run(
        [engine or find_engine(), "--help"], capture_output=True, text=True, check=True
    ).stdout
    return parse(said)


def parse(said: str) -> Page:
    """The page of a help text as CLI11 prints it."""
    before, _, listed = said.partition("\nOptions:\n")
    options: list[Option] = []
    needs = ""
    for line in listed.splitlines():
        if match := _OPTION.match(line):
            names, value, needed, text = match.groups()
            needs = f" Needs {needed.split()[-1]}." if needed else ""
            options.append(
                Option(
                    tuple(names.split(",")), _sentence(text, needs), (value or "").strip() or None
                )
            )
        elif line.strip():
            last = options.pop()
            options.append(Option(last.names, _sentence(line.strip(), needs), last.value))
    return Page(
        name=ENGINE,
        summary=before.strip().splitlines()[0],
        usage="[OPTIONS]",
        options=tuple(options),
        examples=EXAMPLES,
        statuses=STATUSES,
        remarks=(_REMARK,),
    )


def _sentence(text: str | None, needs: str) -> str:
    return f"{text.rstrip('.')}.{needs}" if text else ""
