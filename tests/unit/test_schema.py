from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest
from checked_runs import checked_records, checked_run
from example_records import PREFETCH, good_records, good_run, tuned_records, two_isas_records
from markdown.extensions.toc import slugify
from programs import REPOSITORY
from referencing import Registry, Resource
from schemas import schemas, validator

from streamgage.manual import schema_page
from streamgage.manual.schema import write
from streamgage.plan import KnownShape, Plan, Tuning
from streamgage.records import AnyRecord, Sampling
from streamgage.records import Tuning as TuningRecord
from streamgage.records.run import collect
from streamgage.results.measure import KIND
from streamgage.results.measure.document import KernelResult, Measure
from streamgage.results.measure.judge import judge_measure
from streamgage.show.formats import as_json


def test_every_type_is_described_once_and_every_reference_leads_to_one() -> None:
    described = [title for each in schemas().values() for title in each["$defs"].values()]
    texts = [json.dumps(each) for each in described]
    assert len(texts) == len(set(texts))
    found = 0
    for name, schema in schemas().items():
        for file, part in re.findall(r'": "([^"]*)#/\$defs/(\w+)"', json.dumps(schema)):
            assert part in schemas()[file.removesuffix(".schema.json") or name]["$defs"]
            found += 1
    assert found > len(described)


def test_every_link_of_the_pages_leads_to_a_heading() -> None:
    texts = schema_page.texts_of(REPOSITORY / "streamgage")
    pages = {
        f"{name}.md": schema_page.render(name, each, texts) for name, each in schemas().items()
    }
    anchors = {
        file: {slugify(title, "-") for title in re.findall(r"^## (.*)$", text, re.MULTILINE)}
        for file, text in pages.items()
    }
    links = 0
    for name, text in pages.items():
        for file, anchor in re.findall(r"\]\(([^)#]*)#([^)]*)\)", text):
            assert anchor in anchors[file or name], (name, anchor)
            links += 1
    assert links > len(pages)


def test_types_of_one_name_are_kept_apart() -> None:
    known = schemas()
    assert "known" in known["plan"]["$defs"]["Tuning"]["properties"]
    assert "source" in known["shared"]["$defs"]["Tuning"]["properties"]


def test_written_schemas_are_found_by_the_names_of_their_files(tmp_path: Path) -> None:
    write(tmp_path / "schema")
    files = {path.name: json.loads(path.read_text("utf-8")) for path in tmp_path.rglob("*.json")}
    assert {name.removesuffix(".schema.json") for name in files} == set(schemas())
    registry: Registry[Any] = Registry().with_resources(
        (name, Resource.from_contents(each)) for name, each in files.items()
    )
    document = json.loads(as_json(KIND.printed(judge_measure(good_run()).document)))
    by_files = jsonschema.Draft202012Validator(files["measure.schema.json"], registry=registry)
    by_files.validate(document)
    assert not by_files.is_valid(document | {"machine": {}})


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
    document = json.loads(as_json(KIND.printed(judge_measure(collect(made())).document)))
    validator("measure").validate(document)
    gained = [kernel for kernel in document["kernels"] if kernel["tuned"]]
    assert gained
    assert all(kernel["gain"] == pytest.approx(0.08) for kernel in gained)
    assert len(document["tunings"]) == len([r for r in made() if isinstance(r, TuningRecord)])


def test_the_document_of_a_run_with_its_checks_conforms() -> None:
    document = json.loads(as_json(KIND.printed(judge_measure(checked_run()).document)))
    validator("measure").validate(document)
    assert {each["purpose"] for each in document["kernels"]} == {"rate"}
    assert [each["kernel"] for each in document["checks"]] == ["init", "copy", "triad"]
    assert {each["purpose"] for each in document["checks"]} == {"forced-read"}
    series = [(each["kernel"], each["threads"]) for each in document["saturation"]["series"]]
    assert series == [("sum", 1), ("sum", 2), ("triad", 1), ("triad", 2)]
    assert {each["epochs"] for each in document["kernels"]} == {8}


def test_the_document_conforms() -> None:
    document = json.loads(as_json(KIND.printed(judge_measure(good_run()).document)))
    validator("measure").validate(document)
    assert set(document) == {"kind", "trust", "quote", *Measure.__struct_fields__}
    names = {field.encode_name for field in msgspec.structs.fields(KernelResult)}
    assert set(document["kernels"][0]) == names
    assert set(document["kernels"][0]["alpha"]) == {
        *("verdict", "value", "low", "high", "evidence", "reasons"),
    }
