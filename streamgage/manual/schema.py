"""Generates the JSON Schemas of plan, records and documents from their Python types.

``python -m streamgage.manual.schema FOLDER`` writes them, a file for each. A type that several of
them have is described once, in ``shared.schema.json``, and they refer to it there. The ``$id`` of a
file is its name, so that a folder of them needs no other address.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from streamgage.comparison.cloud.document import Cloud
from streamgage.comparison.compare.document import Comparison
from streamgage.machine.doctor.document import DoctorResult
from streamgage.plan import LatencyPlan, Plan
from streamgage.programs.predict.document import Prediction
from streamgage.programs.ratio.document import TimeRatio
from streamgage.records import AnyRecord
from streamgage.records.node import NodeLine
from streamgage.results import traffic
from streamgage.results.kinds import KINDS
from streamgage.results.ladder.roofline import Roofline

DIALECT = "https://json-schema.org/draft/2020-12/schema"
SHARED = "shared"
"""The name of the file with the types that several schemas share."""

_DOCUMENTS: dict[str, tuple[Any, str]] = {
    "plan": (Plan, "A plan of streamgage-engine"),
    "latency_plan": (LatencyPlan, "A plan of streamgage-engine that measures latency"),
    "node": (NodeLine, "The line that streamgage-engine --json prints"),
    "records": (AnyRecord, "One line of the records that streamgage-engine prints"),
    **{
        kind.name: (
            kind.printed_type,
            f"The document that streamgage {kind.command} --format json prints",
        )
        for kind in KINDS
    },
    "cloud": (Cloud, "The document that streamgage expected --cloud --format json prints"),
    "compare": (Comparison, "The document that streamgage compare --format json prints"),
    "doctor": (DoctorResult, "The document that streamgage doctor --json prints"),
    "roofline": (Roofline, "The document that streamgage ladder --format roofline prints"),
    "ratio": (TimeRatio, "The document that program --ratio and --against print as JSON"),
    "predict": (Prediction, "The document that streamgage scale --predict N --format json prints"),
    "traffic": (
        traffic.KIND.printed_type,
        "The document that streamgage traffic --json writes",
    ),
}

_REFERENCE = "#/$defs/"
"""The prefix of a reference to a type, until it is known which file has the type."""
_REFERENCES = re.compile(r'"#/\$defs/([^"]+)"')


def documents() -> dict[str, dict[str, Any]]:
    """Return each schema by the NAME of its file ``NAME.schema.json``."""
    kinds = [kind for kind, _ in _DOCUMENTS.values()]
    found, parts = msgspec.json.schema_components(kinds, ref_template=_REFERENCE + "{name}")
    roots = dict(zip(_DOCUMENTS, found, strict=True))
    used = {name: _reached(root, parts) for name, root in roots.items()}
    uses = Counter(part for each in used.values() for part in each)
    own = {name: [part for part in each if uses[part] == 1] for name, each in used.items()}
    shared = [part for part in parts if uses[part] > 1]
    short = {part: name for each in (shared, *own.values()) for part, name in _short(each).items()}
    place = {part: f"{_file(SHARED)}{_REFERENCE}{short[part]}" for part in shared} | {
        part: _REFERENCE + short[part] for each in own.values() for part in each
    }
    texts = {name: title for name, (_, title) in _DOCUMENTS.items()}
    return {
        name: _placed(
            {"$schema": DIALECT, "$id": _file(name), "title": title}
            | roots.get(name, {})
            | {"$defs": {short[part]: parts[part] for part in own.get(name, shared)}},
            place,
        )
        for name, title in (texts | {SHARED: "Types that several documents share"}).items()
    }


def _file(name: str) -> str:
    return f"{name}.schema.json"


def _short(parts: Sequence[str]) -> dict[str, str]:
    """The names of a file's types without their modules, which msgspec adds if names are equal.

    Types of one file whose names are equal keep them.
    """
    names = Counter(part.rpartition(".")[2] for part in parts)
    short = {part: part.rpartition(".")[2] for part in parts}
    return {part: name if names[name] == 1 else part for part, name in short.items()}


def _reached(schema: Any, parts: dict[str, Any]) -> list[str]:  # noqa: ANN401 - any JSON
    """Return the types that a schema refers to, directly or through others."""
    found: dict[str, None] = {}
    waiting = [schema]
    while waiting:
        named = _REFERENCES.findall(json.dumps(waiting.pop()))
        new = [each for each in named if each not in found]
        found |= dict.fromkeys(new)
        waiting += [parts[each] for each in new]
    return [each for each in parts if each in found]


def _placed(schema: dict[str, Any], place: dict[str, str]) -> dict[str, Any]:
    """Return the schema with each reference changed to the file that describes the type."""
    text = _REFERENCES.sub(lambda found: json.dumps(place[found[1]]), json.dumps(schema))
    placed: dict[str, Any] = json.loads(text)
    return placed


def write(folder: Path) -> None:
    """Write all schema files into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, schema in documents().items():
        text = json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
        (folder / _file(name)).write_text(text, "utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
