"""Every line that the engine prints conforms to the schema, and tells one consistent story."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import msgspec
import pytest
from engine_runs import ALL_KERNELS, records, run_engine
from schemas import validator

from streamgage.plan import Placement, Plan
from streamgage.records import AnyRecord, Sampling

SHORT = Sampling(min_samples=10, look_every=10, max_samples=10, budget_seconds=300)
SMALL = 8 << 20
CPU = min(os.sched_getaffinity(0))
Runs = dict[str, list[dict[str, Any]]]

PLANS = {
    "all kernels": Plan(kernels=ALL_KERNELS, array_bytes=SMALL, sampling=SHORT),
    "float": Plan(kernels=["init", "dot", "copy"], type="float", array_bytes=SMALL, sampling=SHORT),
    "stores": Plan(
        kernels=["sum", "triad"], stores=["streaming", "libc"], array_bytes=SMALL, sampling=SHORT
    ),
    "one CPU": Plan(
        kernels=["copy"],
        placement=Placement(kind="cpus", cpus=[CPU], threads=1),
        array_bytes=SMALL,
        sampling=SHORT,
    ),
    "unbound": Plan(
        kernels=["copy"], placement=Placement(kind="none"), array_bytes=SMALL, sampling=SHORT
    ),
    "odd size": Plan(kernels=["triad"], array_bytes=1_000_008, sampling=SHORT),
    "small pages": Plan(kernels=["update"], array_bytes=SMALL, pages="4k", seed=1, sampling=SHORT),
}


@pytest.fixture(scope="module")
def runs(engine: Path) -> Runs:
    """The records of a run of each plan."""
    return {name: records(engine, plan) for name, plan in PLANS.items()}


@pytest.mark.parametrize("name", PLANS)
def test_every_line_conforms_to_the_schema_and_to_the_types(runs: Runs, name: str) -> None:
    schema = validator("records")
    decoder = msgspec.json.Decoder[AnyRecord](AnyRecord)
    for record in runs[name]:
        schema.validate(record)
        decoder.decode(json.dumps(record))


def test_the_records_tell_one_story(runs: Runs) -> None:
    lines = runs["all kernels"]
    kinds = [record["record"] for record in lines]
    assert kinds[:5] == ["machine", "plan", "placement", "memory", "clock"]
    assert kinds[-1] == "end"
    assert lines[-1]["reason"] == "complete"
    named = [record["name"] for record in lines if record["record"] == "kernel"]
    assert named == ALL_KERNELS
    variants = {record["id"]: record for record in lines if record["record"] == "variant"}
    timed = [r for r in lines if r["record"] == "sample" and r["role"] in ("timed", "disturbed")]
    assert {sample["variant"] for sample in timed} == set(variants)
    for number in variants:
        assert sum(sample["variant"] == number for sample in timed) >= 10
    checks = [record for record in lines if record["record"] == "validation"]
    assert sorted(check["variant"] for check in checks) == sorted(variants)
    assert all(check["valid"] for check in checks)
    threads = lines[1]["threads"]
    assert all(len(sample["cpus"]) == threads for sample in timed)


def test_bound_threads_stay_where_they_were_bound(runs: Runs) -> None:
    lines = runs["all kernels"]
    bound_to = [place["cpu"] for place in lines[2]["threads"]]
    assert lines[2]["bound"]
    assert [place["mask"] for place in lines[2]["threads"]] == [str(cpu) for cpu in bound_to]
    for sample in lines:
        if sample["record"] == "sample":
            assert (sample["cpus"], sample["moved"]) == (bound_to, 0)


def order(engine: Path, seed: int) -> list[int]:
    """Variants in the order of the first five blocks; one that was disturbed came several times."""
    plan = Plan(
        kernels=ALL_KERNELS, stores=["plain"], array_bytes=1 << 20, seed=seed, sampling=SHORT
    )
    lines = records(engine, plan)
    taken = [(r["block"], r["variant"]) for r in lines if r["record"] == "sample"]
    return [variant for block, variant in dict.fromkeys(taken) if block < 5]


def test_a_seed_gives_the_same_order_again_and_another_seed_another(engine: Path) -> None:
    first = order(engine, 42)
    assert len(first) >= 5 * len(ALL_KERNELS)
    assert order(engine, 42) == first
    assert order(engine, 43) != first


def test_the_plan_record_tells_what_was_asked(runs: Runs) -> None:
    (plan,) = [r for r in runs["one CPU"] if r["record"] == "plan"]
    assert (plan["cpus"], plan["array_bytes"], plan["pages"]) == ([CPU], SMALL, "2m")
    (plan,) = [r for r in runs["small pages"] if r["record"] == "plan"]
    assert (plan["cpus"], plan["array_bytes"], plan["pages"]) == (None, SMALL, "4k")


SAMPLING = '"sampling": {"min_samples": 1, "look_every": 1, "max_samples": 1, "budget_seconds": 1}'


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        ("", "JSON"),
        ("{", "JSON"),
        ("[1]", "object"),
        (f'{{"schema": 2, "kernels": ["copy"], {SAMPLING}}}', "2"),
        (f'{{"schema": 1, "kernels": ["copy"], "colour": "red", {SAMPLING}}}', "colour"),
        (f'{{"schema": 1, "kernels": ["song"], {SAMPLING}}}', "song"),
        (f'{{"schema": 1, "kernels": [], {SAMPLING}}}', "kernels"),
        (f'{{"schema": 1, "kernels": ["copy"], "type": "int128", {SAMPLING}}}', "int128"),
        (f'{{"schema": 1, "kernels": ["copy"], "stores": ["claims"], {SAMPLING}}}', "claims"),
        (f'{{"schema": 1, "kernels": ["copy"], "array_bytes": 0, {SAMPLING}}}', "array_bytes"),
        (f'{{"schema": 1, "kernels": ["copy"], "array_bytes": -8, {SAMPLING}}}', "array_bytes"),
    ],
)
def test_a_plan_that_cannot_be_taken_is_one_sentence(engine: Path, plan: str, words: str) -> None:
    run = run_engine(engine, plan.encode())
    assert run.returncode == 2
    assert run.stdout == b""
    said = run.stderr.decode().splitlines()
    assert len(said) == 1
    assert said[0].startswith("streamgage-engine: ")
    assert words in said[0]
