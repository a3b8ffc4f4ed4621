"""Fuzzes the reading of other benchmarks' outputs, guided by coverage (atheris).

    python tests/support/fuzz_outputs.py [BENCHMARK] [libFuzzer's options] [CORPUS ...]

What a file holds comes to records that can be answered, or to one sentence; anything else that is
raised is a fault. Known outputs are the seeds. With the name of a benchmark, such as ``Mess``, its
parser alone gets every text.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["streamgage.interop"]):
    from streamgage.interop.formats import FORMATS, parse_output
    from streamgage.interop.output_format import Parser

from foreign_outputs import ALL
from programs import REPOSITORY

from streamgage.errors import UsageError
from streamgage.results.interpreted import interpreted
from streamgage.results.result import NO_USER_FACTS
from streamgage.store.load import _refuse_impossible

CASES = REPOSITORY / "tests" / "data" / "cases"


def reads(parse: Parser) -> Callable[[bytes], None]:
    """Make a test of ``parse`` with a file's text."""

    def one_output(data: bytes) -> None:
        try:
            parsed = parse(data.decode("utf-8", "replace"))
        except UsageError:
            return
        for each in interpreted(parsed.tables, NO_USER_FACTS, parsed.charts):
            assert each.title
            _refuse_impossible(each.result.document, "it")

    return one_output


def main() -> None:
    """Run until the options say to stop."""
    parsers = {each.name: each.parse for each in FORMATS}
    parse = parsers.get(sys.argv[1]) if len(sys.argv) > 1 else None
    if parse is not None:
        del sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        for name, text in ALL.items():
            (Path(folder) / name).write_text(text, "utf-8")
        for path in CASES.glob("*.txt"):
            (Path(folder) / path.stem).write_bytes(path.read_bytes())
        atheris.Setup([*sys.argv, folder], reads(parse or parse_output))
        atheris.Fuzz()


if __name__ == "__main__":
    main()
