"""``streamgage measure --device``: what goes with it, and what is refused by one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest
from programs import one_sentence, streamgage

OF_PROCESSORS = [
    *(["--threads", "2"], ["--cpus", "0"], ["--allow-oversubscribe"], ["--memory-nodes", "0"]),
    *(["--stores", "plain"], ["--isa", "AVX2"], ["--shape", "streams=2"], ["--align", "64"]),
    *(["--init", "random"], ["--kernel-file", "mine.c"], ["--mpi", "2"], ["--hosts", "hosts"]),
]


@pytest.mark.parametrize("options", OF_PROCESSORS, ids=lambda each: each[0])
def test_an_option_of_processors_is_refused_on_a_device(tmp_path: Path, options: list[str]) -> None:
    run = streamgage("measure", "--device", "opencl:0", *options, folder=tmp_path)
    assert (run.returncode, run.stdout) == (2, "")
    assert one_sentence(run.stderr) == (
        f"{options[0]} is for processors, and --device names a device: leave one of them out."
    )
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_shapes_of_a_device_are_not_searched_for_again(tmp_path: Path) -> None:
    run = streamgage("measure", "--device", "opencl:0", "--retune", folder=tmp_path)
    assert run.returncode == 2
    assert one_sentence(run.stderr).startswith("--retune cannot be combined with --device")
