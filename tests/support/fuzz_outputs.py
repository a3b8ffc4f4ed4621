"""Fuzzes the reading of other benchmarks' outputs, guided by coverage (atheris).

    python tests/support/fuzz_outputs.py [libFuzzer's options] [CORPUS ...]

What a file holds comes to records that can be answered, or to one sentence; anything else that is
raised is a fault. Known outputs are the seeds.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["streamgage.interop"]):
    from streamgage.interop.formats import parse_output

from foreign_outputs import ALL
from programs import REPOSITORY

from streamgage.errors import UsageError
from streamgage.results.interpreted import interpreted
from streamgage.results.result import NOTHING_GIVEN

CASES = REPOSITORY / "tests" / "data" / "cases"


def one_output(data: bytes) -> None:
    """Read ``data`` as a file's text."""
    try:
        parsed = parse_output(data.decode("utf-8", "replace"))
    except UsageError:
        return
    for each in interpreted(parsed.tables, NOTHING_GIVEN, parsed.charts):
        assert each.title
        assert each.document


def main() -> None:
    """Run until the options say to stop."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in ALL.items():
            (Path(folder) / name).write_text(text, "utf-8")
        for path in CASES.glob("*.txt"):
            (Path(folder) / path.stem).write_bytes(path.read_bytes())
        atheris.Setup([*sys.argv, folder], one_output)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
