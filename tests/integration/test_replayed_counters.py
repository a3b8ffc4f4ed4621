"""Counters that are played back through a real run: nothing of what they tell was measured."""

from __future__ import annotations

import json
import platform
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cascade_lake import Span, readings, trials, write_cascade_lake, write_recording
from engine_runs import of_kind
from programs import WAIT_SECONDS
from schemas import validator

from streamgage.plan import Placement, Plan
from streamgage.records import AnyRecord, Sampling
from streamgage.records.run import collect
from streamgage.results.measure.crossing import crossed
from streamgage.results.measure.document import Measure
from streamgage.results.measure.judge import judge_measure
from streamgage.results.measure.words import counted_lines
from streamgage.results.result import Result
from streamgage.show.page import words

ARRAY = 64 << 20
"""Large enough that a pass of triad takes a millisecond on one thread of any machine, so that a
sample is one pass."""
SAMPLES = 6

pytestmark = pytest.mark.skipif(
    platform.machine() != "x86_64",
    reason="the recording holds the trial of streaming stores as x86-64 has them",
)


def plan(store: str, peak: float | None = None) -> Plan:
    return Plan(
        kernels=["triad"],
        evidence=["daxpy", "sdaxpy"],
        stores=[store],
        placement=Placement(kind="cores", threads=1),
        array_bytes=ARRAY,
        sampling=Sampling(
            min_samples=SAMPLES, look_every=1, max_samples=SAMPLES, budget_seconds=300
        ),
        counters=True,
        peak_bytes_per_second=peak,
    )


def triad(reads: float) -> Span:
    """One sample, with what the machine at rest reads besides."""
    return Span(reads * ARRAY + 0.01 * ARRAY, float(ARRAY))


WARMUPS_AND_SAMPLES = 3 * (5 + SAMPLES)
"""Of one variant at most; see is_warm() of the engine. A busy machine takes each three times."""


def run(
    engine: Path, folder: Path, asked: Plan, spans: Sequence[Span], **how: float
) -> list[dict[str, Any]]:
    """The records of a run with counters that tell of ``spans``."""
    root = write_cascade_lake(folder)
    recording = write_recording(folder, readings(spans, **how))
    done = subprocess.run(
        [engine, "--plan", "-", "--root", root, "--replay", recording],
        input=msgspec.json.encode(asked),
        capture_output=True,
        timeout=WAIT_SECONDS,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    records = [json.loads(line) for line in done.stdout.splitlines()]
    schema = validator("records")
    for record in records:
        schema.validate(record)
    return records


def answered(records: list[dict[str, Any]]) -> Result[Measure]:
    return judge_measure(collect(msgspec.convert(record, AnyRecord) for record in records))


@pytest.mark.parametrize(
    ("store", "reads", "verdict"), [("regular", 3.0, "full"), ("streaming", 2.0, "none")]
)
def test_triad_shows_three_reads_a_write_and_two_with_streaming_stores(
    engine: Path, tmp_path: Path, store: str, reads: float, verdict: str
) -> None:
    spans = trials(ARRAY) + [triad(reads)] * WARMUPS_AND_SAMPLES
    records = run(engine, tmp_path, plan(store), spans)
    (calibration,) = of_kind(records, "calibration")
    assert (calibration["accepted"], calibration["replayed"]) == (True, True)
    assert [each["kernel"] for each in calibration["runs"]] == ["init", "sum", "update"]
    assert [each["kernel"] for each in of_kind(records, "variant")] == ["triad"]
    traffic = of_kind(records, "traffic")
    assert sum(each["samples"] for each in traffic) == SAMPLES
    for each in traffic:
        assert each["replayed"]
        (domain,) = each["domains"]
        assert domain["bytes_read"] / domain["bytes_written"] == pytest.approx(reads, rel=1e-4)

    verdicts = answered(records)
    (result,) = verdicts.document.kernels
    assert (result.alpha.verdict, result.alpha.evidence) == (verdict, "replayed")
    assert result.alpha.value == pytest.approx(reads - 2, abs=1e-4)
    assert words(crossed(result)).endswith(" replayed")
    line = dict(counted_lines(verdicts))[f"triad {store}"]
    assert f"replayed: {reads:.1f} reads per write" in line
    percent = round(100 * reads / (reads + 1))
    assert f", {percent} % reads, {100 - percent} % writes ████" in line
    said = {finding.code: finding.text for finding in verdicts.words.findings}
    assert "only times and nominal rates were measured" in said["counters-replayed"]
    assert "no-counters" not in said


def test_a_source_that_sees_half_is_rejected_and_not_read(engine: Path, tmp_path: Path) -> None:
    spans = [Span(each.read / 2, each.written / 2) for each in trials(ARRAY)]
    records = run(engine, tmp_path, plan("regular"), spans)
    (calibration,) = of_kind(records, "calibration")
    assert not calibration["accepted"]
    assert "% of its traffic" in calibration["reason"]
    assert [each["kernel"] for each in of_kind(records, "variant")] == ["triad", "daxpy", "sdaxpy"]
    assert of_kind(records, "traffic") == []
    assert len(of_kind(records, "sample")) > SAMPLES
    said = {finding.code: finding.text for finding in answered(records).words.findings}
    assert calibration["reason"] in said["counters-rejected"]
    assert "no-counters" not in said


def test_a_source_above_the_peak_of_the_plan_is_rejected(engine: Path, tmp_path: Path) -> None:
    records = run(engine, tmp_path, plan("regular", peak=1e8), trials(ARRAY))
    (calibration,) = of_kind(records, "calibration")
    assert "above the theoretical peak of 0.1 GB/s" in calibration["reason"]


def test_counters_that_die_cost_no_sample_and_are_never_nothing(
    engine: Path, tmp_path: Path
) -> None:
    # the recording ends before the run does
    spans = trials(ARRAY) + [triad(3.0)] * 2
    records = run(engine, tmp_path, plan("regular"), spans)
    assert of_kind(records, "end")[0]["reason"] == "complete"
    *_, last = of_kind(records, "traffic")
    (domain,) = last["domains"]
    assert [domain[key] for key in ("bytes_read", "bytes_written", "bytes_total")] == [None] * 3
    assert "cannot be read any more" in domain["reason"]
    timed = [each for each in of_kind(records, "sample") if each["role"] == "timed"]
    assert len(timed) == SAMPLES
    said = {finding.code: finding.text for finding in answered(records).words.findings}
    assert "cannot be read any more" in said["counters-rejected"]


def test_counters_that_take_turns_are_scaled(engine: Path, tmp_path: Path) -> None:
    spans = trials(ARRAY) + [triad(3.0)] * WARMUPS_AND_SAMPLES
    records = run(engine, tmp_path, plan("regular"), spans, running=0.5)
    (result,) = answered(records).document.kernels
    assert result.traffic is not None
    assert result.traffic.running_share == pytest.approx(0.5)
    assert result.alpha.value == pytest.approx(1.0, abs=1e-3)


def test_a_made_up_machine_is_for_plans_that_count(engine: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [engine, "--plan", "-", "--root", write_cascade_lake(tmp_path)],
        input=msgspec.json.encode(msgspec.structs.replace(plan("regular"), counters=False)),
        capture_output=True,
        timeout=WAIT_SECONDS,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"the plan does not ask for any" in done.stderr


def test_a_default_run_tells_what_it_looked_for(engine: Path, tmp_path: Path) -> None:
    asked = msgspec.structs.replace(plan("regular"), array_bytes=1 << 20)
    done = subprocess.run(
        [engine, "--plan", "-"],
        input=msgspec.json.encode(asked),
        capture_output=True,
        timeout=WAIT_SECONDS,
        check=True,
    )
    records = [json.loads(line) for line in done.stdout.splitlines()]
    (counters,) = of_kind(records, "counters")
    assert not counters["replayed"]
    verdicts = answered(records)
    said = {finding.code: finding.text for finding in verdicts.words.findings}
    assert ("no-counters" in said) == (counters["source"] is None)
    assert verdicts.document.counters is not None
