"""Triad alone, measured by the real engine: what it is compared with is measured, too."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from programs import streamgage

from streamgage.analysis.traffic.scene import Scene
from streamgage.analysis.user_facts import UserFacts
from streamgage.records import Disturbance, MemoryRecord, Sample
from streamgage.records.reader import read_records
from streamgage.records.run import Run, collect
from streamgage.results.measure.judge import judge_measure

TRIAD = ("--kernels", "triad", "--quick", "--size", "8MiB", "--no-tune")
_TRIES = 8


@pytest.fixture(scope="module")
def measured(engine: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the document of a run, and its records.

    While other programs take all CPUs, a run has no time left for what triad is compared with.
    """
    folder = tmp_path_factory.mktemp("triad")
    options = ["--format", "json", "-o", "result.json", "--records", "run.jsonl"]
    for _ in range(_TRIES):
        (folder / "run.jsonl").unlink(missing_ok=True)
        run = streamgage(*TRIAD, *options, folder=folder, engine=engine)
        assert (run.returncode, run.stdout) == (0, ""), run.stderr
        again = as_of_memory(folder)
        if all(again.times_of_blocks(each.id) for each in again.variants.values()):
            break
    return folder


def document(folder: Path) -> dict[str, Any]:
    found = json.loads((folder / "result.json").read_text("utf-8"))
    assert isinstance(found, dict)
    return found


def as_of_memory(folder: Path, without: tuple[str, ...] = ()) -> Run:
    """The run as if its arrays were larger than all caches, and nothing had disturbed it."""
    records = read_records(folder / "run.jsonl", pytest.fail)
    return collect(
        msgspec.structs.replace(each, rule_bytes=each.array_bytes)
        if isinstance(each, MemoryRecord)
        else msgspec.structs.replace(each, role="timed")
        if isinstance(each, Sample) and each.role == "disturbed"
        else each
        for each in records
        if not isinstance(each, Disturbance) and getattr(each, "kernel", "") not in without
    )


def test_the_kernels_beside_triad_are_measured_and_validated_but_get_no_figure(
    measured: Path,
) -> None:
    assert {each["kernel"] for each in document(measured)["kernels"]} == {"triad"}
    found = judge_measure(as_of_memory(measured)).document
    evidence = {each.kernel: each for each in found.checks if each.purpose == "evidence"}
    assert sorted(evidence) == ["daxpy", "sdaxpy"]
    for each in evidence.values():
        assert each.valid is True
        assert each.n >= 1
    assert not [each for each in document(measured)["findings"] if "daxpy" in each["text"]]


def test_triad_can_be_compared_with_them_in_every_block(measured: Path) -> None:
    run = as_of_memory(measured)
    scene = Scene(run, None, UserFacts())
    (triad, *_) = run.shown()
    compared = [triad, *(each for each in run.variants.values() if each.purpose == "evidence")]
    blocks = set.intersection(*(set(run.times_of_blocks(each.id)) for each in compared))
    alpha = scene.alpha(triad)  # a busy machine may have no block with all three
    assert (0 if alpha is None else alpha.statistical.n) == len(blocks)
    if blocks and any(each.purpose == "forced-read" for each in run.variants.values()):
        assert scene.checks["triad"].alpha is not None
    reasons = [each.alpha.why or "" for each in judge_measure(run).document.kernels]
    assert not any("not measured" in reason for reason in reasons)
    without = Scene(as_of_memory(measured, ("daxpy", "sdaxpy")), None, UserFacts())
    assert without.alpha(triad) is None
    assert without.checks == {}


def test_the_records_give_the_same_answer_again(measured: Path) -> None:
    run = streamgage("show", "run.jsonl", "--format", "json", folder=measured)
    assert (run.returncode, run.stderr) == (0, "")
    again, found = json.loads(run.stdout), document(measured)
    for part in ("kernels", "checks", "findings", "quote"):
        assert again[part] == found[part]
