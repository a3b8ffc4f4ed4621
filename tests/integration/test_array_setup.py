"""``--align`` and ``--init``: where arrays start and what they hold at first."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from programs import misbehaving_engine, one_sentence, streamgage

SMALL = ("--size", "1MiB", "--threads", "1", "--quick", "--no-tune", "--kernels", "sum,triad")


def measured(folder: Path, engine: Path, *options: str) -> tuple[dict, list[dict]]:  # type: ignore[type-arg]
    """The document of a run of the engine, and its records."""
    records = folder / "run.jsonl"
    run = streamgage(
        *("measure", *SMALL, *options, "--format", "json", "--records", records),
        folder=folder,
        engine=engine,
    )
    assert run.returncode == 0, run.stderr
    lines = records.read_text("utf-8").splitlines()
    return json.loads(run.stdout), [json.loads(line) for line in lines]


@pytest.mark.parametrize(
    ("options", "bytes_", "init"),
    [
        (("--align", "8", "--init", "random"), 8, "random"),
        (("--align", "4KiB", "--init", "constant"), 4096, "constant"),
        (("--type", "float", "--align", "4"), 4, "pattern"),
        ((), None, "pattern"),
    ],
)
def test_the_choice_is_recorded_and_proved(
    tmp_path: Path, few: Path, options: tuple[str, ...], bytes_: int | None, init: str
) -> None:
    document, records = measured(tmp_path, few, *options)
    assert all(kernel["valid"] for kernel in document["kernels"])
    (plan,) = [each for each in records if each["record"] == "plan"]
    assert (plan["alignment_bytes"], plan["init"]) == (bytes_, init)
    arrays = [array for each in records if each["record"] == "memory" for array in each["arrays"]]
    assert arrays
    for array in arrays:
        if bytes_ is None:
            assert array["alignment_bytes"] >= 2 << 20
        else:
            assert array["alignment_bytes"] == bytes_
    chosen = {"alignment_bytes": bytes_, "init": init, "pages": "2m"}
    expected = chosen if options else None
    assert document["array_setup"] == expected


@pytest.mark.parametrize("command", ["measure", "scale", "ladder", "measure --runs 2", "compilers"])
@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--align", "24"], "--align 24 bytes is not a power of two from 8 bytes (one element) to"),
        (["--align", "4"], "--align 4 bytes is not a power of two from 8 bytes"),
        (["--align", "2GiB"], "--align 2 GiB is not a power of two from 8 bytes"),
        (["--align", "x"], "--align 'x' is not a size"),
        (["--init", "zeros"], "--init"),
    ],
)
def test_what_cannot_be_is_refused_before_measuring(
    tmp_path: Path, command: str, options: list[str], words: str
) -> None:
    engine = misbehaving_engine(tmp_path, f"touch {tmp_path}/started; exit 3")
    run = streamgage(*command.split(), *options, folder=tmp_path, engine=engine)
    assert (run.returncode, run.stdout) == (2, "")
    assert words in run.stderr and "Traceback" not in run.stderr
    assert not (tmp_path / "started").exists()


def test_your_own_kernels_fill_and_place_their_own_arrays(tmp_path: Path) -> None:
    (tmp_path / "k.c").write_text("", "utf-8")
    run = streamgage("measure", "--kernel-file", "k.c", "--init", "random", folder=tmp_path)
    assert run.returncode == 2
    assert "--align and --init are for the arrays of built-in" in one_sentence(run.stderr)


def test_sums_of_constants_that_would_round_are_refused(tmp_path: Path, engine: Path) -> None:
    options = ("--type", "float", "--init", "constant", "--kernels", "sum", "--threads", "1")
    run = streamgage("measure", "--size", "80MiB", *options, folder=tmp_path, engine=engine)
    assert run.returncode == 2
    assert "with init 'constant', sum would round" in one_sentence(run.stderr)


def test_compare_names_the_difference_and_history_shows_it(tmp_path: Path, few: Path) -> None:
    for options in ((), ("--init", "constant", "--align", "64")):
        measured(tmp_path, few, *options)
    compared = streamgage("compare", "1", "2", "--format", "json", folder=tmp_path)
    differing = json.dumps(json.loads(compared.stdout))
    assert "initial values" in differing and "alignment of arrays" in differing
    listed = streamgage("history", folder=tmp_path)
    assert "aligned to 64 bytes, constant values" in " ".join(listed.stdout.split())
    shown = streamgage("show", "2", "--details", folder=tmp_path)
    assert "aligned to 64 bytes, constant values" in " ".join(shown.stdout.split())
