"""A reader of a benchmark's output that one file declares is found, and its result is read back."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest
from programs import REPOSITORY

from streamgage import interop
from streamgage.commands.interpret import interpret
from streamgage.commands.load import load
from streamgage.interop import formats
from streamgage.interop.output_format import OutputFormat
from streamgage.results.measure.document import Measure

IMPORTER = '''"""Reads kettle, which pours water."""

import re

from streamgage.errors import UsageError
from streamgage.interop import numbers
from streamgage.interop.output_format import OutputFormat
from streamgage.interop.parsed import ParsedOutput
from streamgage.interop.tables import BenchmarkFacts, Row, Table

HEADER = re.compile(r"^kettle poured ([0-9.]{1,12}) MB/s$", re.M)


def parse(text: str) -> ParsedOutput:
    tables = [
        Table(
            BenchmarkFacts("kettle"),
            (Row("copy", numbers.rate(found[1], 1e6, "the output")),),
            line=1 + text.count("\\n", 0, found.start()),
        )
        for found in HEADER.finditer(text)
    ]
    if not tables:
        raise UsageError("it has no figure of kettle: take its whole output.")
    return ParsedOutput(tuple(tables))


FORMAT = OutputFormat("kettle", (HEADER,), parse, prints="whole-run")
'''


@pytest.fixture
def _kettle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "kettle.py").write_text(IMPORTER)
    monkeypatch.setattr(interop, "__path__", [*interop.__path__, str(tmp_path)])
    importlib.invalidate_caches()
    monkeypatch.setattr(formats, "FORMATS", formats.declared_formats())
    monkeypatch.delitem(sys.modules, f"{interop.__name__}.kettle")


@pytest.mark.usefixtures("_kettle")
def test_one_file_is_a_reader_whose_result_is_stored_and_read(tmp_path: Path) -> None:
    output = tmp_path / "output.txt"
    output.write_text("water\nkettle poured 4500 MB/s\n")
    stored = tmp_path / "result.json"
    stored.write_text(interpret(output, progress=False).printed("json"))
    document = load(stored).document
    assert isinstance(document, Measure) and document.reported is not None
    assert (document.reported.tool, document.reported.prints) == ("kettle", "whole-run")
    assert document.kernels[0].best_gbps == 4.5


def test_every_module_that_reads_an_output_declares_it() -> None:
    readers = {
        path.stem
        for path in (REPOSITORY / "streamgage" / "interop").glob("*.py")
        if "\nFORMAT = " in path.read_text("utf-8")
    }
    assert len(formats.FORMATS) == len(readers) > 20
    assert all(isinstance(each, OutputFormat) for each in formats.FORMATS)
