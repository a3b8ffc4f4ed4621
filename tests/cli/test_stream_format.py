"""What ``--format stream`` measures, and what it refuses before anything is measured."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from example_records import as_lines, good_records, stream_records
from programs import misbehaving_engine, one_sentence, streamgage


def planned(folder: Path, *options: str) -> list[str]:
    """Kernels of the plan that the engine gets, which answers with a run of the four."""
    lines, plan = folder / "lines", folder / "plan"
    lines.write_bytes(as_lines(stream_records()))
    engine = misbehaving_engine(folder, f"cat >{plan}; cat {lines}")
    run = streamgage("--no-tune", "--format", "stream", *options, folder=folder, engine=engine)
    assert run.returncode == 0, run.stderr
    kernels: list[str] = json.loads(plan.read_text("utf-8"))["kernels"]
    return kernels


@pytest.mark.parametrize(
    "options", [(), ("--quick",), ("--thorough",), ("--quick", "--stores", "streaming")]
)
def test_the_four_kernels_are_measured(tmp_path: Path, options: tuple[str, ...]) -> None:
    assert {"copy", "scale", "add", "triad"} <= set(planned(tmp_path, *options))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--kernels", "copy,triad"], "--kernels leaves scale and add out: name all four"),
        (["--quick", "--kernels", "sum"], "leaves copy, scale, add and triad out"),
        (["--stores", "libc"], "--stores libc has only copy"),
    ],
)
def test_a_choice_without_the_four_is_refused_before_measuring(
    tmp_path: Path, options: list[str], words: str
) -> None:
    engine = misbehaving_engine(tmp_path, f"touch {tmp_path}/started; exit 3")
    run = streamgage(*options, "--format", "stream", folder=tmp_path, engine=engine)
    assert (run.returncode, run.stdout) == (2, "")
    assert words in one_sentence(run.stderr)
    assert not (tmp_path / "started").exists()


def test_a_stored_result_without_the_four_is_refused(tmp_path: Path) -> None:
    (tmp_path / "run.jsonl").write_bytes(as_lines(good_records()))
    run = streamgage("show", "run.jsonl", "--format", "stream", folder=tmp_path)
    assert (run.returncode, run.stdout) == (2, "")
    assert "no scale and add with the same kind of store" in one_sentence(run.stderr)
