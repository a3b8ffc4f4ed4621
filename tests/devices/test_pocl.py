"""Devices for real: all kernels on PoCL, the OpenCL driver whose device is the processor."""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from engine_runs import ALL_KERNELS, of_kind, records, refusal, run_engine
from programs import REPOSITORY, WAIT_SECONDS, one_sentence, real_engine, streamgage
from schemas import validator
from short_engine import write_engine

from streamgage.plan import LatencyPlan, OwnKernel, Plan, Tuning
from streamgage.records import ElementType, Sampling

FEW = Sampling(min_samples=4, look_every=4, max_samples=4, budget_seconds=300, epoch_blocks=2)
PLAN = Plan(device="opencl:0", kernels=ALL_KERNELS, array_bytes=4 << 20, sampling=FEW, seed=7)
change = msgspec.structs.replace


@pytest.fixture(scope="session", name="engine")
def fixture_engine() -> Path:
    return real_engine()


@pytest.fixture(scope="session", autouse=True)
def _cache_of_pocl(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """PoCL keeps what it compiled; the tests' homes are gone after each test."""
    os.environ["POCL_CACHE_DIR"] = str(tmp_path_factory.mktemp("pocl"))
    yield
    del os.environ["POCL_CACHE_DIR"]


@pytest.mark.parametrize("element_type", ["double", "float"])
def test_every_kernel_is_right_to_the_last_element(engine: Path, element_type: ElementType) -> None:
    lines = records(engine, change(PLAN, type=element_type))
    for each in lines:
        validator("records").validate(each)
    assert [each["kernel"] for each in of_kind(lines, "variant")] == ALL_KERNELS
    elements = (4 << 20) // (8 if element_type == "double" else 4)
    for each in of_kind(lines, "validation"):
        kernel = of_kind(lines, "variant")[each["variant"]]["kernel"]
        assert (each["valid"], each["wrong"], each["spot_failures"]) == (True, 0, 0), kernel
        assert each["checked"] == (1 if kernel in ("sum", "dot") else elements)
    timed = [each for each in of_kind(lines, "sample") if each["role"] == "timed"]
    samples = Counter(each["variant"] for each in timed)
    assert set(samples) == set(range(len(ALL_KERNELS)))
    assert min(samples.values()) == 4
    assert {0, 1} <= {each["epoch"] for each in timed}, "arrays are allocated again"
    assert lines[-1]["reason"] == "complete"


@pytest.mark.parametrize("array_bytes", [64, 100, 100_008, (1 << 20) + 64])
def test_arrays_of_odd_sizes_are_right(engine: Path, array_bytes: int) -> None:
    lines = records(engine, change(PLAN, kernels=["triad", "dot"], array_bytes=array_bytes))
    assert all(each["valid"] for each in of_kind(lines, "validation"))
    (memory, *_) = of_kind(lines, "memory")
    assert memory["array_bytes"] == array_bytes // 64 * 64


def test_the_device_is_described_with_its_clock(engine: Path) -> None:
    lines = records(engine, change(PLAN, kernels=["copy"]))
    (device,), (clock,) = of_kind(lines, "device"), of_kind(lines, "device-clock")
    assert (device["id"], device["kind"], device["has_double"]) == ("opencl:0", "cpu", True)
    assert "Portable Computing Language" in device["driver"]
    assert device["compute_units"] > 0
    assert clock["launch_seconds"] > 0
    assert clock["host_seconds"] > 0
    assert of_kind(lines, "placement") == []


@pytest.mark.parametrize("kernels", [["triad"], ["dot"]], ids=str)
def test_shapes_are_raced_and_those_that_gain_are_measured_and_right(
    engine: Path, kernels: list[str]
) -> None:
    plan = change(PLAN, kernels=kernels, tuning=Tuning(budget_seconds=20), type="float")
    lines = records(engine, plan)
    (tuning,) = of_kind(lines, "tuning")
    assert tuning["candidates"] > 1
    assert tuning["samples"] > 1
    assert tuning["tuned"] == (tuning["shape"] == tuning["fastest"] and tuning["pairs"] > 0)
    variants = of_kind(lines, "variant")
    assert [each["tuned"] for each in variants] == [False, True][: 1 + tuning["tuned"]]
    standard = variants[0]["shape"]["device"]
    assert (standard["loads"], standard["groups"] is None) == {
        "triad": (1, True),
        "dot": (8, False),
    }[kernels[0]]
    assert variants[-1]["shape"] == tuning["shape"]
    assert all(each["valid"] for each in of_kind(lines, "validation"))


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"device": "opencl:99"}, "there is no device opencl:99; there is opencl:0 ("),
        ({"array_bytes": 1 << 50}, " gives no array of "),
        ({"kernels": ["quad"]}, "there is no kernel 'quad'"),
    ],
    ids=lambda each: next(iter(each)) if isinstance(each, dict) else "",
)
def test_what_the_device_cannot_do_is_one_sentence(
    engine: Path, changed: dict[str, Any], words: str
) -> None:
    assert words in refusal(engine, change(PLAN, **changed))


def test_what_a_driver_prints_is_not_among_the_records(
    engine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POCL_DEBUG", "all")
    run = run_engine(engine, msgspec.json.encode(change(PLAN, kernels=["copy"])))
    assert run.returncode == 0
    assert all(json.loads(line)["record"] for line in run.stdout.splitlines())


def test_a_device_is_measured_shown_kept_and_compared(engine: Path, tmp_path: Path) -> None:
    for _ in range(2):
        run = streamgage(
            *("measure", "--device", "opencl:0", "--quick", "--kernels", "copy,triad,sum"),
            *("--size", "4MiB", "--no-tune"),
            folder=tmp_path,
            engine=engine,
        )
        assert run.returncode == 0, run.stderr
        assert "compute unit" in run.stdout
    shown = streamgage("show", "last", "--details", folder=tmp_path, engine=engine)
    assert "3 variants validated element by element" in shown.stdout
    as_json = streamgage("show", "last", "--format", "json", folder=tmp_path, engine=engine)
    document = json.loads(as_json.stdout)
    validator("measure").validate(document)
    assert document["device"]["id"] == "opencl:0"
    assert all(each["valid"] for each in document["kernels"])
    report = streamgage("report", "last", "-o", "device.html", folder=tmp_path, engine=engine)
    assert report.returncode == 0, report.stderr
    page = (tmp_path / "device.html").read_text("utf-8")
    assert document["device"]["name"] in page
    assert "Samples timed by" in page
    compared = streamgage("compare", "last-1", "last", folder=tmp_path, engine=engine)
    assert compared.returncode in (0, 3), compared.stderr
    assert "triad plain" in compared.stdout


ARRAYS = {
    **dict.fromkeys(("init", "sum", "update"), 1),
    **dict.fromkeys(("add", "triad", "sdaxpy"), 3),
    **dict.fromkeys(("striad", "bracket"), 4),
}
"""That a kernel uses; the others use two."""


@pytest.mark.parametrize("kernel", ALL_KERNELS)
@pytest.mark.parametrize("element_type", ["double", "float"])
def test_passes_within_a_launch_are_right(
    engine: Path, kernel: str, element_type: ElementType
) -> None:
    """As the ladder measures small working sets: in each sample many passes, and one launch."""
    plan = change(
        PLAN, kernels=[kernel], type=element_type, array_bytes=None, working_set_bytes=49152
    )
    told = records(engine, plan)
    (validation,) = of_kind(told, "validation")
    assert (validation["valid"], validation["spot_failures"]) == (True, 0)
    timed = [each for each in of_kind(told, "sample") if each["role"] == "timed"]
    assert min(each["passes"] for each in timed) > 1
    (memory, *_) = of_kind(told, "memory")
    assert memory["array_bytes"] * ARRAYS.get(kernel, 2) == 49152


def test_every_walk_ends_where_the_chain_says(engine: Path) -> None:
    sizes = [1, 64, 4096, 65536 + 128, 1 << 20]
    plan = LatencyPlan(device="opencl:0", chain_bytes=sizes, rounds=2, seed=7, pages="4k")
    encoded = msgspec.json.encode(plan)
    validator("latency_plan").validate(json.loads(encoded))
    run = run_engine(engine, encoded)
    assert run.returncode == 0, run.stderr.decode()
    told = [json.loads(line) for line in run.stdout.splitlines()]
    for each in told:
        validator("records").validate(each)
    (device,), (clock,) = of_kind(told, "device"), of_kind(told, "device-clock")
    line = device["line_bytes"]
    expected = {max(size // line, 1) * line for size in sizes}
    latencies = of_kind(told, "latency")
    assert {(each["bytes"], each["block"]) for each in latencies} == {
        (size, block) for size in expected for block in range(2)
    }
    for each in latencies:
        assert 0 < each["minimum"] <= each["seconds"] <= each["maximum"]
        assert (each["cpu"], each["nodes"], each["huge_share"]) == (None, None, None)
    assert clock["launch_seconds"] > 0
    assert told[-1]["reason"] == "complete"


def test_a_working_set_that_the_device_does_not_give_is_refused(engine: Path) -> None:
    plan = LatencyPlan(device="opencl:0", chain_bytes=[1 << 50], pages="4k")
    run = run_engine(engine, msgspec.json.encode(plan))
    assert (run.returncode, run.stdout) == (2, b"")
    assert b"a working set of" in run.stderr and b"ask for at most" in run.stderr


def test_the_devices_are_listed(engine: Path) -> None:
    for name in ("all", "opencl:0"):
        run = subprocess.run(
            [engine, "--devices", name], capture_output=True, timeout=WAIT_SECONDS, check=True
        )
        (line,) = run.stdout.splitlines()
        listed = json.loads(line)
        validator("records").validate(listed)
        assert listed["devices"][0]["id"] == "opencl:0"
    none = subprocess.run(
        [engine, "--devices", "gpu"], capture_output=True, timeout=WAIT_SECONDS, check=False
    )
    assert (none.returncode, none.stdout) == (2, b"")
    assert b"none of the devices is a GPU: there is opencl:0 (" in none.stderr


def test_latency_and_ladder_of_a_device_are_measured_and_shown(
    engine: Path, tmp_path: Path
) -> None:
    options = ("--device", "opencl:0", "--from", "64KiB", "--to", "1MiB", "--rounds", "1")
    for command in ("latency", "ladder"):
        run = streamgage(command, *options, "--steps", "1", folder=tmp_path, engine=engine)
        assert run.returncode == 0, run.stderr
        as_json = streamgage("show", "last", "--format", "json", folder=tmp_path, engine=engine)
        document = json.loads(as_json.stdout)
        validator(command).validate(document)
        assert document["device"]["id"] == "opencl:0"
        points = document["idle"] if command == "latency" else document["curves"][0]["points"]
        assert len(points) == 5
        assert document["device"]["name"] in " ".join(run.stdout.split())
        page = streamgage("report", "last", "-o", f"{command}.html", folder=tmp_path, engine=engine)
        assert page.returncode == 0, page.stderr


COPIES = change(
    PLAN, copies=True, kernels=[], array_bytes=(1 << 20) + 8, sampling=change(FEW, epoch_blocks=2)
)


def test_every_byte_of_every_copy_is_right(engine: Path) -> None:
    told = records(engine, COPIES)
    for each in told:
        validator("records").validate(each)
    names = [each["kernel"] for each in of_kind(told, "variant")]
    assert names == [
        f"{memory}-{way}"
        for memory in ("pageable", "pinned")
        for way in ("to-device", "from-device", "both-ways")
    ]
    words = ((1 << 20) + 8) // 8
    for each in of_kind(told, "validation"):
        both = names[each["variant"]].endswith("both-ways")
        assert (each["valid"], each["wrong"], each["spot_failures"]) == (True, 0, 0)
        assert each["checked"] == (2 * words if both else words)
    assert told[-1]["reason"] == "complete"


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"array_bytes": 1 << 50}, "gives no two arrays of"),
        ({"array_bytes": 8}, "ask for at least 4 KiB"),
        ({"kernels": ["copy"]}, "the plan asks for copies"),
        ({"tuning": Tuning(budget_seconds=1)}, "the plan asks for copies"),
    ],
    ids=str,
)
def test_copies_that_cannot_be_measured_are_one_sentence(
    engine: Path, changed: dict[str, Any], words: str
) -> None:
    assert words in refusal(engine, change(COPIES, **changed))


def test_links_are_measured_shown_and_compared(engine: Path, tmp_path: Path) -> None:
    for _ in range(2):
        run = streamgage(
            *("links", "--device", "all", "--size", "1MiB", "--quick"),
            folder=tmp_path,
            engine=engine,
        )
        assert run.returncode == 0, run.stderr
        assert "pageable" in run.stdout
    as_json = streamgage("show", "last", "--format", "json", folder=tmp_path, engine=engine)
    document = json.loads(as_json.stdout)
    validator("links").validate(document)
    assert [each["test"] for each in document["tests"]] == [
        *("to-device", "from-device", "both-ways"),
    ]
    report = streamgage("report", "last", "-o", "links.html", folder=tmp_path, engine=engine)
    assert report.returncode == 0, report.stderr
    compared = streamgage("compare", "last-1", "last", folder=tmp_path, engine=engine)
    assert compared.returncode in (0, 3), compared.stderr
    none = streamgage("links", folder=tmp_path, engine=engine)
    assert (none.returncode, none.stdout) == (2, "")
    assert "none of the devices is a GPU" in one_sentence(none.stderr)


TRIAD = (REPOSITORY / "examples" / "kernels" / "triad.cl").read_text("utf-8")
RUNS = "a[i] = b[i] + s * c[i];"


def own_kernel(folder: Path, text: str) -> OwnKernel:
    path = folder / "mine.cl"
    path.write_text(text, "utf-8")
    return OwnKernel(path=str(path), code="OpenCL C", source="mine.cl", language="opencl-c")


def own_plan(folder: Path, text: str, **changed: Any) -> Plan:  # noqa: ANN401 - fields of any type
    own = [own_kernel(folder, text)]
    return change(PLAN, **{"kernels": ["triad"], "own_kernels": own, **changed})


def told_by(engine: Path, plan: Plan) -> tuple[int, list[dict[str, Any]]]:
    run = run_engine(engine, msgspec.json.encode(plan))
    told = [json.loads(line) for line in run.stdout.splitlines()]
    for each in told:
        validator("records").validate(each)
    return run.returncode, told


def test_an_own_kernel_is_checked_and_measured_next_to_the_built_in_one(
    engine: Path, tmp_path: Path
) -> None:
    status, told = told_by(engine, own_plan(tmp_path, TRIAD))
    assert status == 0
    (check,) = of_kind(told, "kernel-check")
    assert check["checked"] == ["declaration", "bounds", "accesses", "division", "result"]
    kernels = {each["name"]: each for each in of_kind(told, "kernel")}
    own = kernels["device-triad"]["own"]
    assert (own["read_bytes"], own["written_bytes"]) == (16, 8)
    assert own["iterations"] == (4 << 20) // 8
    assert all(each["valid"] for each in of_kind(told, "validation"))
    assert len(of_kind(told, "variant")) == 2


@pytest.mark.parametrize(
    ("changed", "reason", "words"),
    [
        ((RUNS, "a[i] = b[i] + ;"), "compile", "does not compile: mine.cl:20: expected expression"),
        ((RUNS, "a[i] = b[i];"), "check", "fails its own check"),
        ((RUNS, f"{RUNS} if (i == 0) a[iterations + 3] = s;"), "outside", "of its array a"),
        ((RUNS, f"{RUNS} if (i == 0) a[-3] = s;"), "outside", "writes element -3 of its array a"),
        (
            (RUNS, f"{RUNS} if (i == 9) ((__global double *)b)[i] = s;"),
            "access",
            "writes element 9 of its array b, which it declares as read",
        ),
        (
            (RUNS, "a[i] = get_local_size(0);"),
            "division",
            "gives another result in groups of",
        ),
        (("// streamgage: name device-triad", ""), "declaration", "no valid name"),
        (("array a double write", "array a double"), "declaration", "how it uses its array a"),
        (("array a double", "array a quad"), "declaration", "unknown type"),
        (("name device-triad", "name triad"), "declaration", "name of a built-in kernel"),
        (("__kernel void run", "__kernel void go"), "declaration", "no function to run"),
    ],
    ids=lambda each: each[1][:30] if isinstance(each, tuple) else "",
)
def test_an_own_kernel_that_is_wrong_is_left_out_with_its_reason(
    engine: Path, tmp_path: Path, changed: tuple[str, str], reason: str, words: str
) -> None:
    assert changed[0] in TRIAD
    status, told = told_by(engine, own_plan(tmp_path, TRIAD.replace(*changed, 1)))
    (failure,) = of_kind(told, "kernel-failure")
    assert (status, failure["reason"]) == (1, reason), failure
    assert words in failure["message"]
    assert [each["kernel"] for each in of_kind(told, "variant")] == ["triad"]


def test_an_own_kernel_that_does_not_return_is_ended(engine: Path, tmp_path: Path) -> None:
    forever = "while (iterations > 0) *(volatile __global double *)(a + i) += s;"
    hangs = TRIAD.replace(RUNS, f"{RUNS} {forever}", 1)
    status, told = told_by(engine, own_plan(tmp_path, hangs, kernel_timeout_seconds=1.0))
    (failure,) = of_kind(told, "kernel-failure")
    assert (status, failure["reason"]) == (1, "timeout")


def test_an_own_kernel_is_checked_alone(engine: Path, tmp_path: Path) -> None:
    status, told = told_by(engine, own_plan(tmp_path, TRIAD, kernels=[], check_kernels=True))
    assert status == 0
    assert len(of_kind(told, "kernel-check")) == 1
    assert of_kind(told, "sample") == []


def test_what_was_checked_of_an_own_kernel_is_shown(engine: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.cl").write_text(TRIAD, "utf-8")
    run = streamgage(
        *("measure", "--device", "opencl:0", "--kernel-file", "mine.cl", "--check"),
        folder=tmp_path,
        engine=engine,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith(" device-triad (mine.cl) passed, over ")
    assert "nothing written behind an array\n" in run.stdout


def test_an_own_kernel_is_shown(engine: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.cl").write_text(TRIAD, "utf-8")
    run = streamgage(
        *("measure", "--device", "opencl:0", "--kernel-file", "mine.cl", "--size", "4MiB"),
        "--quick",
        folder=tmp_path,
        engine=engine,
    )
    assert run.returncode == 0, run.stderr
    assert "device-triad" in run.stdout
    assert "results checked by its own check" in " ".join(run.stdout.split())


def test_an_own_kernel_is_measured_through_the_caches(engine: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.cl").write_text(TRIAD, "utf-8")
    run = streamgage(
        *("ladder", "--device", "opencl:0", "--kernel-file", "mine.cl", "--format", "json"),
        *("--from", "64KiB", "--to", "1MiB", "--steps", "1", "--rounds", "1"),
        folder=tmp_path,
        engine=engine,
    )
    assert run.returncode == 0, run.stderr
    document = json.loads(run.stdout)
    validator("ladder").validate(document)
    (curve,) = document["curves"]
    assert (curve["kernel"], curve["own"]) == ("device-triad", True)
    sizes = [each["bytes"] for each in curve["points"]]
    assert sizes == pytest.approx([64 << 10 << step for step in range(5)], rel=0.01)
    assert all(each["gbps"]["value"] > 0 for each in curve["points"])
    shown = streamgage("show", "last", folder=tmp_path, engine=engine)
    text = " ".join(shown.stdout.split())
    assert "Each pass of device-triad is a launch" in text
    assert "All passes of a sample" not in text


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "No kernel of your own is left"),
        (
            ["--kernels", "triad"],
            "Left out: the kernel device-triad of mine.cl fails its own check",
        ),
    ],
    ids=["alone", "next to triad"],
)
def test_a_ladder_leaves_out_an_own_kernel_that_is_wrong(
    engine: Path, tmp_path: Path, options: list[str], said: str
) -> None:
    (tmp_path / "mine.cl").write_text(TRIAD.replace(RUNS, "a[i] = b[i];", 1), "utf-8")
    run = streamgage(
        *("ladder", "--device", "opencl:0", "--kernel-file", "mine.cl", "--rounds", "1"),
        *("--from", "64KiB", "--to", "64KiB", *options),
        folder=tmp_path,
        engine=engine,
    )
    assert run.returncode == 1, run.stderr
    assert said in run.stderr
    assert ("triad" in run.stdout) == bool(options)


def test_a_device_that_is_not_there_leaves_nothing_behind(engine: Path, tmp_path: Path) -> None:
    run = streamgage("measure", "--device", "opencl:99", folder=tmp_path, engine=engine)
    assert (run.returncode, run.stdout) == (2, "")
    assert one_sentence(run.stderr).startswith("there is no device opencl:99")


GLANCE = ("--kernels", "copy,triad", "--size", "1MiB", "--seconds", "0.5")


def node_lines(engine: Path, *hosts: str) -> bytes:
    """What the engine prints on each node, whose device is PoCL's."""
    lines = []
    for host in hosts:
        run = subprocess.run(
            [engine, "--json", "--device", "all", *GLANCE],
            capture_output=True,
            timeout=WAIT_SECONDS,
            check=True,
        )
        found = [json.loads(line) for line in run.stdout.splitlines()]
        assert [each.get("device", {}).get("id") for each in found] == [None, "opencl:0"]
        # Without the end, which holds the host, too.
        lines += [json.dumps({**each, "host": host, "end": None}) for each in found]
    return "\n".join(lines).encode()


def test_a_fleet_of_two_nodes_is_judged_by_their_devices(engine: Path, tmp_path: Path) -> None:
    lines = node_lines(engine, "n1", "n2", "n1")
    records_of_n2 = streamgage(
        *("measure", "--device", "opencl:0", "--quick", "--no-tune", "--size", "1MiB"),
        *("--kernels", "triad", "--records", "run.jsonl"),
        folder=tmp_path,
        engine=engine,
    )
    assert records_of_n2.returncode == 0, records_of_n2.stderr
    (tmp_path / "fleet.jsonl").write_bytes(lines)
    run = streamgage(
        *("fleet", "judge", "fleet.jsonl", "run.jsonl", "--format", "json"),
        folder=tmp_path,
        engine=engine,
    )
    assert run.returncode == 3, run.stderr  # so few cannot be judged
    document = json.loads(run.stdout)
    validator("fleet").validate(document)
    this = json.loads((tmp_path / "run.jsonl").read_text().splitlines()[0])["host"]
    found = {(each["host"], each.get("device")): len(each["runs"]) for each in document["nodes"]}
    assert found == {
        **{("n1", None): 2, ("n1", "opencl:0"): 2, ("n2", None): 1, ("n2", "opencl:0"): 1},
        (this, "opencl:0"): 1,
    }
    names = {each["properties"].get("interface") for each in document["classes"]}
    assert names == {None, "OpenCL"}
    assert {each["verdict"] for each in document["nodes"]} <= {"not-judged", "suspect"}


def test_a_device_is_checked(engine: Path, tmp_path: Path) -> None:
    few = write_engine(engine, tmp_path)
    for limit, status in (("triad=1MB/s", 0), ("triad=1000TB/s", 1)):
        run = streamgage(
            *("check", "--glance", "--device", "opencl:0", "--expect", limit),
            folder=tmp_path,
            engine=few,
        )
        assert run.returncode == status, run.stderr + run.stdout
        assert run.stdout.startswith("ok: opencl:0 triad " if not status else "slow: opencl:0 ")
    several = streamgage(
        *("check", "--glance", "--device", "all", "--expect", "triad=1MB/s"),
        folder=tmp_path,
        engine=few,
    )
    assert several.stdout.endswith("; ok: opencl:0\n"), several.stderr
    assert several.stdout.startswith("ok: triad ")


def test_the_engine_alone_checks_a_device(engine: Path) -> None:
    run = subprocess.run(
        [
            *(engine, "--check", "--glance", "--device", "opencl:0", "--expect", "triad=1MB/s"),
            *("--size", "1MiB", "--seconds", "0.5"),
        ],
        capture_output=True,
        timeout=WAIT_SECONDS,
        check=False,
    )
    assert (run.returncode, run.stdout[:19]) == (0, b"ok: opencl:0 triad ")
    for options, said in (
        (("--device", "opencl:0", "--threads", "2"), b"--device excludes --threads"),
        (("--check", "--device", "all", "--expect", "triad=1MB/s"), b"--check judges one device"),
        (
            ("--check", "--device", "opencl:0", "--expect", "triad streaming=1MB/s"),
            b"a device has only one kind of stores",
        ),
    ):
        refused = subprocess.run([engine, *options], capture_output=True, check=False)
        assert (refused.returncode, refused.stdout) == (2, b"")
        assert said in refused.stderr
