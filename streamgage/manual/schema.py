"""The JSON Schemas in ``schema/``, generated from the types of plan, records and result.

``python -m streamgage.manual.schema`` writes them; with ``--check`` it only says which are out of
date (exit status 1), which is what the tests do.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import msgspec

from streamgage.plan import LatencyPlan, Plan
from streamgage.records import AnyRecord
from streamgage.results.compilers.document import Compilations
from streamgage.results.ladder.document import Ladder
from streamgage.results.latency.document import Latencies
from streamgage.results.measure.document import Result
from streamgage.results.numa.document import NumaMatrix
from streamgage.results.repeat.document import Repetition
from streamgage.results.scale.document import Scaling
from streamgage.results.study.document import Study
from streamgage.tools.compare.document import Comparison
from streamgage.tools.doctor.document import Examination
from streamgage.tools.predict.document import Prediction
from streamgage.tools.traffic.document import WatchedTraffic

FOLDER = Path("schema")
"""Beside the package in the source folder, where this module is to be run."""
DIALECT = "https://json-schema.org/draft/2020-12/schema"

_DOCUMENTS: dict[str, tuple[Any, str]] = {
    "plan": (Plan, "A plan of streamgage-engine"),
    "latency_plan": (LatencyPlan, "A plan of streamgage-engine that measures latency"),
    "records": (AnyRecord, "One line of the records that streamgage-engine prints"),
    "examination": (Examination, "The document that streamgage doctor --json prints"),
    "result": (Result, "The document that streamgage --format json prints"),
    "repetition": (Repetition, "The document that streamgage repeat --format json prints"),
    "matrix": (NumaMatrix, "The document that streamgage numa --format json prints"),
    "ladder": (Ladder, "The document that streamgage ladder --format json prints"),
    "study": (Study, "The document that streamgage study --format json prints"),
    "prediction": (Prediction, "The document that streamgage predict --format json prints"),
    "latencies": (Latencies, "The document that streamgage latency --format json prints"),
    "compilations": (Compilations, "The document that streamgage compilers --format json prints"),
    "comparison": (Comparison, "The document that streamgage compare --format json prints"),
    "scaling": (Scaling, "The document that streamgage scale --format json prints"),
    "traffic": (WatchedTraffic, "The document that streamgage traffic --json writes"),
}


def documents() -> dict[str, str]:
    """Name of each file in ``schema/`` and the text that belongs in it."""
    return {f"{name}.schema.json": _text(kind, title) for name, (kind, title) in _DOCUMENTS.items()}


def _text(kind: Any, title: str) -> str:  # noqa: ANN401 - msgspec takes any annotation
    schema = {"$schema": DIALECT, "title": title, **msgspec.json.schema(kind)}
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def stale(folder: Path = FOLDER) -> list[str]:
    """Names of the files in ``folder`` that are missing or differ from what the types say."""
    return [
        name
        for name, text in documents().items()
        if not (folder / name).is_file() or (folder / name).read_text("utf-8") != text
    ]


def write(folder: Path = FOLDER) -> None:
    """Write all schema files into ``folder``."""
    folder.mkdir(exist_ok=True)
    for name, text in documents().items():
        (folder / name).write_text(text, "utf-8")


def main(arguments: list[str]) -> int:
    """Write the files, or with ``--check`` compare them; the exit status."""
    if arguments == ["--check"]:
        for name in stale():
            print(
                f"schema/{name} is out of date: run python -m streamgage.manual.schema",
                file=sys.stderr,
            )
        return 1 if stale() else 0
    if arguments:
        print("streamgage.manual.schema: the only option is --check", file=sys.stderr)
        return 2
    write()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
