"""The code of the page on Python is run, from its top to its end."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from doc_runs import STREAM_LOG
from in_process import measure_in
from programs import REPOSITORY

PAGE = REPOSITORY / "docs" / "python.md"
SHORTER = (
    ('stores=["plain", "streaming"])', 'stores=["plain", "streaming"], size="4MiB")'),
    ('cpus=["compact", "none"])', 'cpus=["compact", "none"], size="4MiB", rounds=1)'),
    ('to="64MiB"', 'to="256KiB", steps=1, rounds=1'),
    ('kernels="triad", asm', 'size="4MiB", rounds=1, quick=True, kernels="triad", asm'),
    ('"examples/two-packages"', f'"{REPOSITORY}/examples/two-packages"'),
    ('"examples/kernels/stencil.c"', f'"{REPOSITORY}/examples/kernels/stencil.c", size="4MiB"'),
    ("threads=[1, 2], time_regex", 'threads=[1, 2], size="4MiB", rounds=1, time_regex'),
    ('mixes="none"', 'mixes="none", to="256KiB", steps=1, rounds=1'),
)
"""What measures for long or lies elsewhere, and what stands in its place here."""


def blocks() -> list[str]:
    return re.findall(r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)


def shortened(code: str) -> str:
    for long, short in SHORTER:
        code = code.replace(long, short)
    return code


def test_the_code_of_the_page_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    measure_in(tmp_path, monkeypatch)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "stream.log").write_text(STREAM_LOG)
    (tmp_path / "solver").write_text('#!/bin/sh\necho "Time: 1.5 s"\n')
    (tmp_path / "solver").chmod(0o755)
    names: dict[str, object] = {}
    for block in blocks():
        exec(shortened(block), names)
    assert {path.name for path in tmp_path.iterdir()} >= {
        *("run.csv", "run.html", "scale.svg", "report.html", "traffic.svg"),
    }
    said = capsys.readouterr().out
    assert "More  " in said and "there is no kernel 'song'" in said


def test_what_is_shortened_is_there() -> None:
    page = "\n".join(blocks())
    assert [page.count(long) for long, _ in SHORTER] == [1] * len(SHORTER)
