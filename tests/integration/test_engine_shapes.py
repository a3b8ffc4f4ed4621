"""Shapes, instruction sets, claims and passes, as the engine's own records tell of them."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest
from engine_runs import ALL_KERNELS, of_kind, records, refusal, run_engine
from programs import WAIT_SECONDS
from schemas import schemas, validator

from streamgage.plan import KnownShape, Placement, Plan, Tuning
from streamgage.records import AccessShape, ElementType, Machine, Sampling
from streamgage.results.measure.tunings import identity_of

FEW = Sampling(min_samples=4, look_every=4, max_samples=4, budget_seconds=300)
STORES = ["plain", "regular", "streaming", "claim", "libc"]
DEFAULT = msgspec.to_builtins(AccessShape())
FOUR_STREAMS = AccessShape(streams=4, block_bytes=4096)


def complain(engine: Path, *arguments: str) -> str:
    """The one sentence with which the engine refuses its arguments."""
    run = subprocess.run(
        [engine, *arguments], capture_output=True, text=True, timeout=WAIT_SECONDS, check=False
    )
    assert (run.returncode, run.stdout) == (2, "")
    (line,) = run.stderr.splitlines()
    return line.removeprefix("streamgage-engine: ")


def test_the_machine_alone_is_one_valid_record(engine: Path, machine: dict[str, Any]) -> None:
    validator("records").validate(machine)
    lines = records(engine, Plan(kernels=["copy"], array_bytes=16384, sampling=FEW))[0]
    # A guest's memory and what is free of it may change between the two looks.
    alone, of_run = (identity_of(msgspec.convert(each, Machine)) for each in (machine, lines))
    assert of_run == alone
    assert lines["allowed_cpus"] == machine["allowed_cpus"]


@pytest.mark.parametrize("others", [["--json"], ["--plan", "-"], ["--threads", "1"]], ids=" ".join)
def test_the_machine_goes_with_no_other_option(engine: Path, others: list[str]) -> None:
    said = complain(engine, "--machine", *others)
    assert said == f"--machine does not work with {others[0]}; leave one of them out."


@pytest.mark.parametrize(
    ("array_bytes", "element_type"),
    [(16 << 10, "double"), (16 << 10, "float"), (100_008, "double"), (1 << 20, "float")],
)
def test_arrays_in_the_caches_are_valid_and_have_samples_of_several_passes(
    engine: Path, array_bytes: int, element_type: ElementType
) -> None:
    plan = Plan(
        kernels=ALL_KERNELS,
        stores=STORES,
        array_bytes=array_bytes,
        type=element_type,
        sampling=FEW,
        tuning=Tuning(budget_seconds=1),
    )
    lines = records(engine, plan)
    variants = {each["id"]: each for each in of_kind(lines, "variant")}
    absent = {(each["kernel"], each["store"]): each["reason"] for each in of_kind(lines, "absent")}
    there = {(each["kernel"], each["store"]) for each in variants.values()}
    assert there | set(absent) == {(kernel, store) for kernel in ALL_KERNELS for store in STORES}
    assert there.isdisjoint(absent)
    assert all(absent.values())
    checks = of_kind(lines, "validation")
    assert {each["variant"] for each in checks} == set(variants)
    assert [each for each in checks if not each["valid"]] == []
    timed = [each for each in of_kind(lines, "sample") if each["role"] in ("timed", "disturbed")]
    assert {each["variant"] for each in timed} == set(variants)
    passes = sorted(sample["passes"] for sample in timed)
    assert all(number % 2 == 1 for number in passes)
    if array_bytes == 16 << 10:
        # Not of every one: a thread that loses its CPU makes a sample of one pass long enough.
        assert passes[len(passes) // 2] > 1
    assert {each["source"] for each in of_kind(lines, "tuning")} == {"skipped"}
    assert not any(each["tuned"] for each in variants.values())


def test_claims_are_made_or_the_reason_is_told(engine: Path) -> None:
    plan = Plan(kernels=["copy", "sum", "update"], stores=["claim", "plain"], sampling=FEW)
    lines = records(engine, msgspec.structs.replace(plan, array_bytes=16384))
    absent = {each["kernel"]: each["reason"] for each in of_kind(lines, "absent")}
    assert absent["sum"] == "sum stores nothing"
    assert absent["update"].startswith("update reads the lines that it overwrites")
    claims = [each for each in of_kind(lines, "variant") if each["store"] == "claim"]
    assert [each["kernel"] for each in claims] == ([] if "copy" in absent else ["copy"])
    for each in claims:
        assert re.fullmatch(r"(CLZERO|DC ZVA|dcbz|cbo\.zero), \d+ bytes", each["store_instruction"])


def test_two_instruction_sets_are_measured_beside_each_other(engine: Path, isas: list[str]) -> None:
    asked = isas[::-1][:2]
    stores = ["plain", "regular", "streaming"]
    plan = Plan(kernels=["copy", "sum"], stores=stores, isas=asked, array_bytes=16384, sampling=FEW)
    lines = records(engine, plan)
    (echo,) = of_kind(lines, "plan")
    assert echo["isas"] == asked
    variants = of_kind(lines, "variant")
    for kernel in ("copy", "sum"):
        vector = [v["isa"] for v in variants if (v["kernel"], v["store"]) == (kernel, "regular")]
        assert vector == asked
        plain = [v["isa"] for v in variants if (v["kernel"], v["store"]) == (kernel, "plain")]
        assert len(plain) == len(set(plain)) <= len(asked)
        assert plain
    assert all(each["valid"] for each in of_kind(lines, "validation"))


def test_sse2_and_avx2_have_plain_code_and_vector_code_each(engine: Path, isas: list[str]) -> None:
    flags = re.search(r"^flags\s*:(.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    has = set(flags[1].split()) if flags else set()
    expected = [name for name, flag in (("SSE2", "sse2"), ("AVX2", "avx2")) if flag in has]
    assert set(expected) <= set(isas)
    asked = expected or isas[:1]
    plan = Plan(kernels=["triad"], stores=["plain", "regular"], isas=asked, sampling=FEW)
    lines = records(engine, msgspec.structs.replace(plan, array_bytes=16384))
    found = [(each["store"], each["isa"]) for each in of_kind(lines, "variant")]
    levels = {"SSE2": "x86-64", "AVX2": "x86-64-v3"}
    assert [isa for store, isa in found if store == "regular"] == asked
    plain = [isa for store, isa in found if store == "plain"]
    assert len(plain) == len(asked)
    assert plain == [levels[isa] for isa in asked] or not expected


def test_a_shape_by_hand_is_measured_beside_the_default_one(engine: Path) -> None:
    plan = Plan(
        kernels=["sum", "triad"],
        stores=["plain", "regular", "streaming"],
        shape=AccessShape(streams=8, block_bytes=4096),
        array_bytes=1 << 20,
        sampling=FEW,
    )
    lines = records(engine, plan)
    expected = [("sum", "regular"), ("triad", "regular"), ("triad", "streaming")]
    tunings = of_kind(lines, "tuning")
    assert [(each["kernel"], each["store"]) for each in tunings] == expected
    assert {each["source"] for each in tunings} == {"given"}
    variants = of_kind(lines, "variant")
    for tuned in (False, True):
        vector = [v for v in variants if v["shape"] is not None and v["tuned"] == tuned]
        assert [(v["kernel"], v["store"]) for v in vector] == expected
        assert {v["shape"]["streams"] for v in vector} == {8 if tuned else 1}
    assert all(each["valid"] for each in of_kind(lines, "validation"))


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        (AccessShape(streams=3), "there is no shape of 3 streams: choose 1, 2, 4 or 8."),
        (AccessShape(streams=16), "there is no shape of 16 streams: choose 1, 2, 4 or 8."),
        (AccessShape(streams=2, block_bytes=3000), "there is no interleave block of 3000 bytes: "),
        (AccessShape(streams=2, block_bytes=512), "there is no interleave block of 512 bytes: "),
        (AccessShape(streams=2, block_bytes=2 << 20), "there is no interleave block of 2097152"),
        (AccessShape(read_prefetch_bytes=100), "there is no read prefetch distance"),
        (AccessShape(write_prefetch_bytes=1 << 20), "there is no write prefetch distance"),
    ],
)
def test_a_shape_that_does_not_exist_is_refused(
    engine: Path, shape: AccessShape, words: str
) -> None:
    said = refusal(engine, Plan(kernels=["copy"], shape=shape, sampling=FEW))
    assert said.startswith(words) or "has no prefetch instruction" in said


def test_a_shape_and_a_search_are_refused_together(engine: Path) -> None:
    plan = Plan(kernels=["copy"], shape=FOUR_STREAMS, tuning=Tuning(budget_seconds=1), sampling=FEW)
    said = refusal(engine, plan)
    assert said == "the plan gives a shape and asks for tuning; leave one of them out."


@pytest.mark.parametrize(
    ("tuning", "words"),
    [
        ('{"budget_seconds": 0}', "budget_seconds"),
        ('{"budget_seconds": 1, "known": 3}', "known of tuning must be a list"),
        ('{"budget_seconds": 1, "known": [{}]}', "an entry of known in tuning has no kernel"),
        ('{"budget_seconds": 1, "colour": 3}', "colour"),
        (
            '{"budget_seconds": 1, "known": [{"kernel": "a", "store": "b", "isa": "c"}]}',
            "has no shape",
        ),
    ],
)
def test_a_search_that_cannot_be_read_is_one_sentence(
    engine: Path, tuning: str, words: str
) -> None:
    sampling = msgspec.json.encode(FEW).decode()
    plan = f'{{"schema": 1, "kernels": ["copy"], "tuning": {tuning}, "sampling": {sampling}}}'
    run = run_engine(engine, plan.encode())
    assert (run.returncode, run.stdout) == (2, b"")
    (line,) = run.stderr.decode().splitlines()
    assert words in line


def raced_plan(size: int, known: list[KnownShape]) -> Plan:
    return Plan(
        kernels=["copy"],
        stores=["regular"],
        placement=Placement(threads=1),
        array_bytes=size,
        sampling=FEW,
        tuning=Tuning(budget_seconds=1, known=known),
    )


def test_arrays_beyond_the_caches_are_raced(engine: Path, above_the_caches: int) -> None:
    lines = records(engine, raced_plan(above_the_caches, []))
    (echo,) = of_kind(lines, "plan")
    assert echo["tuning_seconds"] == 1
    (tuning,) = of_kind(lines, "tuning")
    assert (tuning["source"], tuning["kernel"], tuning["store"]) == ("raced", "copy", "regular")
    assert tuning["candidates"] > 1
    assert tuning["samples"] >= tuning["candidates"]
    assert tuning["tuned"] == (tuning["shape"] != DEFAULT)
    if tuning["tuned"]:
        assert tuning["shape"] == tuning["fastest"]
        assert tuning["ratio_low"] > 1
    assert (tuning["pairs"] == 0) == (tuning["fastest"] == DEFAULT) == (tuning["ratio"] is None)
    variants = of_kind(lines, "variant")
    assert [each["tuned"] for each in variants] == [False, True][: 1 + tuning["tuned"]]
    assert variants[-1]["shape"] == tuning["shape"]
    assert all(each["valid"] for each in of_kind(lines, "validation"))
    assert lines[-1]["tuning_seconds"] > 0


def test_what_is_known_is_taken_and_not_raced(
    engine: Path, above_the_caches: int, isas: list[str]
) -> None:
    known = KnownShape(kernel="copy", store="regular", isa=isas[0], shape=FOUR_STREAMS)
    lines = records(engine, raced_plan(above_the_caches, [known]))
    (tuning,) = of_kind(lines, "tuning")
    assert (tuning["source"], tuning["samples"], tuning["pairs"]) == ("known", 0, 0)
    assert tuning["shape"] == msgspec.to_builtins(FOUR_STREAMS)
    assert [each["tuned"] for each in of_kind(lines, "variant")] == [False, True]
    assert all(each["valid"] for each in of_kind(lines, "validation"))


NOT_THIS = {
    "a shape that does not exist": {"shape": AccessShape(streams=3)},
    "another kernel": {"kernel": "triad"},
    "other stores": {"store": "streaming"},
    "another instruction set": {"isa": "none such"},
}


@pytest.mark.parametrize("other", NOT_THIS.values(), ids=NOT_THIS)
def test_what_is_known_of_something_else_is_not_trusted(
    engine: Path, above_the_caches: int, isas: list[str], other: dict[str, Any]
) -> None:
    known = KnownShape(kernel="copy", store="regular", isa=isas[0], shape=FOUR_STREAMS)
    known = msgspec.structs.replace(known, **other)
    lines = records(engine, raced_plan(above_the_caches, [known]))
    (tuning,) = of_kind(lines, "tuning")
    assert tuning["source"] == "raced"
    assert tuning["shape"]["streams"] != 3


def test_in_the_caches_what_is_known_is_not_used(engine: Path, isas: list[str]) -> None:
    known = KnownShape(kernel="copy", store="regular", isa=isas[0], shape=FOUR_STREAMS)
    lines = records(engine, raced_plan(16384, [known]))
    (tuning,) = of_kind(lines, "tuning")
    assert (tuning["source"], tuning["tuned"]) == ("skipped", False)
    assert [each["tuned"] for each in of_kind(lines, "variant")] == [False]


def test_the_schema_knows_every_shape_that_the_engine_tells(engine: Path) -> None:
    lines = records(engine, raced_plan(16384, []))
    known = set(schemas()["shared"]["$defs"]["AccessShape"]["properties"]) - {"device"}
    assert {key for each in of_kind(lines, "tuning") for key in each["shape"]} == known
