"""``streamgage scale --predict``: by a document, or by the newest scaling that is stored."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from example_scale import machine_of
from programs import one_sentence, streamgage
from test_scale_command import engine_of


def test_it_takes_the_newest_kept_scaling_or_the_one_that_is_named(tmp_path: Path) -> None:
    engine = engine_of(tmp_path, machine_of(2, 2))
    options = ["--format", "json", "--rounds", "1", "--cpus", "compact", "-o", "s.json"]
    scaled = streamgage("scale", *options, folder=tmp_path, engine=engine)
    assert scaled.returncode == 0, scaled.stderr
    predict = ["scale", "--predict", "4", "--format", "json"]
    kept = streamgage(*predict, folder=tmp_path, engine=engine)
    assert kept.returncode == 0, kept.stderr
    named = streamgage(*predict, "--result", "s.json", folder=tmp_path, engine=engine)
    assert named.stdout == kept.stdout
    answer = json.loads(kept.stdout)
    assert (answer["n"], answer["placement"]) == (4, "compact")
    assert answer["speedup"]["value"] == pytest.approx(4, rel=0.01)
    of_one = ["--predict", "3", "--cpus", "compact", "--kernels", "triad"]
    text = streamgage("scale", *of_one, folder=tmp_path, engine=engine)
    assert text.returncode == 0 and "For a program limited by memory, 3 threads give" in text.stdout


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--predict", "2"], "No result is stored in "),
        (["--predict", "0"], "--predict '0' is not a whole number from 1"),
        (["--predict", "x"], "--predict 'x' is not a whole number"),
        (
            ["--predict", "2", "--result", "none.json"],
            "none.json cannot be read: No such file or directory; name a file with a result",
        ),
        (["--predict", "2", "--result", "other.json"], "holds no result of streamgage"),
        (
            ["--predict", "2", "--format", "dat"],
            "--format dat cannot be combined with --predict: use table",
        ),
        (["--predict", "2", "-o", "p.svg"], "p.svg: there is no picture of this answer"),
        (["--predict", "2", "--cpus", "compact,none"], "--cpus names 2, and --predict"),
        (["--predict", "2", "--kernels", "sum,triad"], "--kernels names 2, and --predict"),
        (["--predict", "2", "--no-store"], "Only a measurement can do without a store."),
        (["--result", "other.json"], "--result needs --predict: add it, or leave --result out."),
        *(
            (
                ["--predict", "2", *more],
                f"{said} cannot be combined with --predict, which measures nothing: leave one",
            )
            for more, said in (
                (["4"], "The argument N"),
                (["--size", "1MiB"], "--size"),
                (["--rounds", "4"], "--rounds"),
                (["--strict"], "--strict"),
                (["--mpi"], "--mpi"),
            )
        ),
    ],
)
def test_bad_usage_is_one_sentence(options: list[str], said: str, tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text('{"n": 3}', "utf-8")
    run = streamgage("scale", *options, folder=tmp_path, engine=tmp_path / "none")
    assert (run.returncode, run.stdout) == (2, ""), run.stderr
    assert said in one_sentence(run.stderr)
