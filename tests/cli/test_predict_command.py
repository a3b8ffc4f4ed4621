"""``streamgage predict``: of a document, or of the newest scaling that was kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from example_scale import machine_of
from programs import one_sentence, streamgage
from test_scale_command import engine_of


def test_it_takes_the_newest_kept_scaling_or_the_one_that_is_named(tmp_path: Path) -> None:
    engine = engine_of(tmp_path, machine_of(2, 2))
    options = ["--format", "json", "--rounds", "1", "--bindings", "compact", "-o", "s.json"]
    scaled = streamgage("scale", *options, folder=tmp_path, engine=engine)
    assert scaled.returncode == 0, scaled.stderr
    kept = streamgage("predict", "--n", "4", "--format", "json", folder=tmp_path, engine=engine)
    assert kept.returncode == 0, kept.stderr
    named = streamgage(
        "predict", "s.json", "--n", "4", "--format", "json", folder=tmp_path, engine=engine
    )
    assert named.stdout == kept.stdout
    answer = json.loads(kept.stdout)
    assert (answer["n"], answer["binding"]) == (4, "compact")
    assert answer["speedup"]["value"] == pytest.approx(4, rel=0.01)
    text = streamgage("predict", "s.json", "--n", "3", folder=tmp_path, engine=engine)
    assert text.returncode == 0 and "For a program limited by memory, 3 threads give" in text.stdout


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--n", "2"], "No result is stored in "),
        ([], "--n is missing"),
        (["--n", "0"], "--n"),
        (["--n", "x"], "--n"),
        (
            ["none.json", "--n", "2"],
            "none.json cannot be read: No such file or directory; name a file with a result",
        ),
        (["other.json", "--n", "2"], "other.json holds no result of streamgage"),
        (["--n", "2", "--format", "dat"], "--format"),
    ],
)
def test_bad_usage_is_one_sentence(options: list[str], said: str, tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text('{"n": 3}', "utf-8")
    run = streamgage("predict", *options, folder=tmp_path, engine=tmp_path / "none")
    assert (run.returncode, run.stdout) == (2, ""), run.stderr
    assert said in one_sentence(run.stderr)
