from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import jsonschema
import msgspec
import pytest
from checked_runs import checked_records, checked_run
from made_records import (
    PREFETCH,
    good_records,
    good_run,
    tuned_records,
    two_isas_records,
)
from programs import REPOSITORY

from streamgage.analysis.run import collect
from streamgage.manual.schema import stale, write
from streamgage.plan import KnownShape, Plan, Tuning
from streamgage.records import AnyRecord, Sampling
from streamgage.records import Tuning as TuningRecord
from streamgage.results.measure.judge import answer
from streamgage.show.json import document as as_json

FOLDER = REPOSITORY / "schema"


def validator(name: str) -> jsonschema.Draft202012Validator:
    schema = json.loads((FOLDER / f"{name}.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def test_the_checked_in_schemas_are_what_the_types_say() -> None:
    assert stale(FOLDER) == [], "run python -m streamgage.manual.schema and check the files in"


def test_a_changed_schema_is_found(tmp_path: Path) -> None:
    write(tmp_path)
    assert stale(tmp_path) == []
    (tmp_path / "plan.schema.json").write_text("{}")
    assert stale(tmp_path) == ["plan.schema.json"]


def test_check_is_the_exit_status(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "streamgage.manual.schema", "--check"]
    missing = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert missing.returncode == 1
    assert "records.schema.json is out of date" in missing.stderr


@pytest.mark.parametrize("made", [good_records, tuned_records, two_isas_records, checked_records])
def test_records_conform(made: Callable[[], list[AnyRecord]]) -> None:
    records = validator("records")
    for record in made():
        records.validate(json.loads(msgspec.json.encode(record)))


@pytest.mark.parametrize("line", ['{"record": "clock"}', '{"record": "song"}', "{}", "3"])
def test_what_is_no_record_does_not_conform(line: str) -> None:
    with pytest.raises(jsonschema.ValidationError):
        validator("records").validate(json.loads(line))


def test_plans_conform() -> None:
    sampling = Sampling(min_samples=20, look_every=10, max_samples=300, budget_seconds=33)
    plan = json.loads(msgspec.json.encode(Plan(kernels=["copy"], sampling=sampling)))
    validator("plan").validate(plan)
    with pytest.raises(jsonschema.ValidationError):
        validator("plan").validate(plan | {"surprise": 1})


def test_plans_with_shapes_conform() -> None:
    sampling = Sampling(min_samples=20, look_every=10, max_samples=300, budget_seconds=33)
    known = KnownShape(kernel="copy", store="streaming", isa="AVX2", shape=PREFETCH)
    tuning = Tuning(budget_seconds=20, known=[known])
    for plan in (
        Plan(kernels=["copy"], sampling=sampling, isas=["AVX2"], tuning=tuning),
        Plan(kernels=["copy"], sampling=sampling, shape=PREFETCH),
    ):
        validator("plan").validate(json.loads(msgspec.json.encode(plan)))


@pytest.mark.parametrize("made", [tuned_records, two_isas_records])
def test_a_tuned_document_conforms(made: Callable[[], list[AnyRecord]]) -> None:
    document = json.loads(as_json(answer(collect(made())).result))
    validator("result").validate(document)
    gained = [kernel for kernel in document["kernels"] if kernel["tuned"]]
    assert gained
    assert all(kernel["gain"] == pytest.approx(0.08) for kernel in gained)
    assert len(document["tunings"]) == len([r for r in made() if isinstance(r, TuningRecord)])


def test_the_document_of_a_run_with_its_checks_conforms() -> None:
    document = json.loads(as_json(answer(checked_run()).result))
    validator("result").validate(document)
    assert {each["purpose"] for each in document["kernels"]} == {"rate"}
    assert [each["kernel"] for each in document["checks"]] == ["init", "copy", "triad"]
    assert {each["purpose"] for each in document["checks"]} == {"forced-read"}
    series = [(each["kernel"], each["threads"]) for each in document["saturation"]["series"]]
    assert series == [("sum", 1), ("sum", 2), ("triad", 1), ("triad", 2)]
    assert {each["epochs"] for each in document["kernels"]} == {8}


def test_the_document_conforms() -> None:
    document = json.loads(as_json(answer(good_run()).result))
    validator("result").validate(document)
    assert set(document) == {
        *("machine", "reported", "peak", "peak_reason", "saturation", "kernels", "checks"),
        *("counters", "calibration", "tunings", "findings", "quote", "own_kernels"),
    }
    assert set(document["kernels"][0]) == {
        *("kernel", "store", "tuned", "threads", "type", "n", "best_gbps", "median_gbps"),
        *("low_gbps", "high_gbps", "hardware_gbps", "alpha", "valid"),
        *("isa", "shape", "gain", "gain_low", "gain_high", "purpose", "epochs", "spread"),
        *("hardware_low_gbps", "hardware_high_gbps", "peak_share", "traffic"),
    }
    assert set(document["kernels"][0]["alpha"]) == {
        *("verdict", "value", "low", "high", "evidence", "reason"),
    }
