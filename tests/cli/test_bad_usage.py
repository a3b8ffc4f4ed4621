"""Each request that cannot be met is one sentence with what to do, and exit status 2."""

from __future__ import annotations

from pathlib import Path

import pytest
from programs import misbehaving_engine, one_sentence, streamgage

CASES = [
    (["--size", "0"], "less than one byte"),
    (["--size", "-1"], "negative"),
    (["--size=-1GiB"], "negative"),
    (["--size", "1XB"], "'1XB' is not a size"),
    (["--size", ""], "empty"),
    (["--size", "9999999TiB"], "more than 1 PiB"),
    (["--cpus", "0-x"], "'0-x' is not a CPU number or range"),
    (["--cpus", "0,0"], "CPU 0 is named twice"),
    (["--cpus", "0-1", "--threads", "3"], "--threads 3 does not go with"),
    (["--memory-nodes", "hbm"], "--memory-nodes hbm: 'hbm' is not a node number or range"),
    (["--memory-nodes", "1", "--mpi", "2"], "--memory-nodes does not go with --mpi"),
    (["--threads", "0"], "--threads '0' is not a whole number from 1"),
    (["--threads", "two"], "--threads"),
    (["--seed", "-3"], "--seed"),
    (["--type", "int"], "--type 'int' is not known: use double, float."),
    (["--format", "xml"], "use table, stream, json, "),
    (["--kernels", ""], "empty name"),
    (["--quick", "--thorough"], "exclude each other"),
    (["--retune", "--no-tune"], "--retune and --no-tune exclude each other"),
    (["--shape", "streams=4", "--retune"], "--shape and --retune exclude each other"),
    (["--shape", ""], "--shape is empty"),
    (["--shape", "streams"], "a part 'streams' that sets nothing"),
    (["--shape", "lanes=4"], "'lanes' is not known: use streams, block, read-prefetch"),
    (["--shape", "streams=0"], "'0' is not a number of streams: use 1, 2, 4 or 8."),
    (["--shape", "streams=2,streams=4"], "sets streams twice"),
    (["--shape", "block=much"], "'much' is not a number of bytes for block"),
    (["--shape"], "--shape"),
    (["--isa", ""], "--isa is empty"),
    (["--isa", "SSE2,,AVX2"], "has an empty name"),
    (
        ["--peak", "0"],
        "--peak '0' is not a number of GB/s above 0 and up to 1000000: give one such as 204.8.",
    ),
    (["--peak=-1"], "--peak '-1' is not a number"),
    (["--peak", "nan"], "--peak 'nan' is not a number"),
    (["--peak", "1e999"], "--peak '1e999' is not a number"),
    (["--peak", "fast"], "--peak 'fast' is not a number"),
    (["--nonsense"], "--nonsense"),
    (["--size"], "--size"),
    (["surplus"], "surplus"),
    (["-o", "no/such/folder/x.json"], "The output file no/such/folder/x.json cannot be written"),
    (["-o", "."], "cannot be written: it is a folder"),
    (["--records", "no/such/folder/x"], "The records file no/such/folder/x cannot be written"),
    (["-o", "x", "--records", "x"], "-o x and --records x name the same file"),
    (["-o", "x", "--records", "./no/../x"], "-o x and --records no/../x name the same file"),
]


@pytest.mark.parametrize(("arguments", "words"), CASES, ids=[" ".join(case[0]) for case in CASES])
def test_measure_refuses_before_the_engine_starts(
    tmp_path: Path, arguments: list[str], words: str
) -> None:
    engine = misbehaving_engine(tmp_path, f"touch {tmp_path}/started")
    run = streamgage("measure", *arguments, folder=tmp_path, engine=engine)
    assert run.returncode == 2
    assert run.stdout == ""
    assert words in one_sentence(run.stderr)
    assert not (tmp_path / "started").exists()
    assert not (tmp_path / "cache").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["frobnicate"], "frobnicate"),
        (["show", "nothing.jsonl"], "nothing.jsonl cannot be read: No such file"),
        (["show", "."], "cannot be read"),
        (["show"], "No result is stored in"),
        (["show", "empty"], "empty is empty: name a file with a result"),
        (["show", "--nonsense"], "--nonsense"),
        (["explain", "xyzzy"], "No page explains 'xyzzy'. Try other words, or choose"),
        (["explain", "banana", "pizza"], "No page explains 'banana pizza'."),
        (["explain", "../.."], "No page explains '../..'."),
        (["explain", ""], "is empty"),
        (["--store", "x", "topology"], "topology has no --store: leave it out."),
        (["--store=x", "explain", "moved"], "explain has no --store: leave it out."),
        (["--store", "x", "history"], "No result is stored in x"),
        (["--store", "x", "surplus"], "surplus"),
        (["doctor", "surplus"], "surplus"),
        (["doctor", "--nonsense"], "--nonsense"),
        (["doctor", "-o", "no/such/folder/x"], "no/such/folder/x cannot be written"),
        (["show", "--peak", "x"], "--peak 'x' is not a number of GB/s above 0"),
        (["--nonsense"], "--nonsense"),
        (["show", ""], "The argument result is empty"),
        (["report", " ", "-o", "x.html"], "The argument results is empty"),
        (["report", "--format=", "-o", "x.html"], "--format is empty"),
        (["report", "-o", "x.docx"], "name a file that ends in .html, .md or .pdf, or choose"),
    ],
)
def test_the_program_refuses(tmp_path: Path, arguments: list[str], words: str) -> None:
    (tmp_path / "empty").touch()
    run = streamgage(*arguments, folder=tmp_path)
    assert run.returncode == 2
    assert run.stdout == ""
    assert words in one_sentence(run.stderr)


LONG = "x" * 100_000
GIVEN_TOO_LONG = [
    ["show", LONG],
    ["show", "y " * 50_000],
    ["show", "--peak", LONG],
    ["explain", LONG],
    ["history", "--since", LONG],
    ["measure", "--size", LONG],
    ["measure", "--kernels", LONG],
    ["measure", "--store", LONG],
    ["measure", "--format", LONG],
    ["measure", "-o", f"no/{LONG}"],
    [LONG],
    [f"--{LONG}"],
]


@pytest.mark.parametrize("arguments", GIVEN_TOO_LONG, ids=range(len(GIVEN_TOO_LONG)))
def test_a_value_that_is_far_too_long_does_not_hide_the_advice(
    tmp_path: Path, arguments: list[str]
) -> None:
    run = streamgage(*arguments, folder=tmp_path)
    assert run.returncode in (1, 2)
    assert len(one_sentence(run.stderr)) < 4200


@pytest.mark.parametrize("command", ["numa", "measure"])
def test_no_command_advises_an_option_that_it_lacks(tmp_path: Path, command: str) -> None:
    said = (
        "streamgage-engine: S0:0,0 names CPU 0 twice; name each once, or add --allow-oversubscribe"
    )
    engine = misbehaving_engine(tmp_path, f"echo '{said}' >&2; exit 2")
    run = streamgage(command, folder=tmp_path, engine=engine)
    sentence = said.removeprefix("streamgage-engine: ")
    if command == "numa":
        sentence = sentence.removesuffix(", or add --allow-oversubscribe")
    assert one_sentence(run.stderr) == sentence


def test_no_engine(tmp_path: Path) -> None:
    run = streamgage(folder=tmp_path, engine=tmp_path / "missing")
    assert run.returncode == 1
    assert "STREAMGAGE_ENGINE names" in one_sentence(run.stderr)


def test_an_engine_that_cannot_be_started(tmp_path: Path) -> None:
    engine = tmp_path / "engine"
    engine.write_bytes(b"\x7fELF no program at all")
    engine.chmod(0o755)
    run = streamgage(folder=tmp_path, engine=engine)
    assert run.returncode == 1
    assert "cannot be started: Exec format error" in one_sentence(run.stderr)
