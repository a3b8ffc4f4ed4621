"""What the answers of Python that are no results say, and can be made into."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from made_results import measured
from made_scaling import machine_of, scaling_of

import streamgage as sg
from streamgage.api.doctor import Environment
from streamgage.api.runs import BaseRun
from streamgage.api.series import run_of
from streamgage.examination import Check, Examination
from streamgage.present import examination
from streamgage.present.prediction.formats import render
from streamgage.present.series_formats import SeriesFormat
from streamgage.scaling import Scaling
from streamgage.studies.loaded import Loaded

FILE = Path("file")
FOUND = Examination(
    machine=None,
    fit=False,
    verdict="Not fit to measure: binding spoils what would be measured now.",
    checks=[
        Check(
            code="binding",
            state="spoils",
            seen="all threads <on> CPU 0",
            why="threads that share a core take turns",
            remedies=["taskset -pc 0-1 $$"],
        ),
        Check(code="smt", state="passed", seen="one hardware thread a core"),
    ],
)


def scaling_run() -> BaseRun[Scaling]:
    machine = machine_of(2, 2)
    scaling = scaling_of(machine, ["compact"], [1, 2, 4])
    return run_of(Loaded("run 3", scaling))  # type: ignore[return-value]


def test_an_environment_tells_its_checks_as_the_command_does(tmp_path: Path) -> None:
    found = Environment(FOUND)
    assert (found.fit, found.exit_status, found.verdict) == (False, 1, FOUND.verdict)
    assert [each.code for each in found.checks] == ["binding", "smt"]
    assert found.table() == examination.table(FOUND, FILE) == str(found)
    assert found.to_json() == examination.document(FOUND)
    assert found.to_dict() == json.loads(found.to_json())
    assert found.save(tmp_path / "found.json").read_text() == found.to_json()
    assert found.save(tmp_path / "found.txt").read_text() == found.table()
    assert "all threads &lt;on&gt; CPU 0" in found._repr_html_()
    assert repr(found).startswith("<2 checks: Not fit")
    with pytest.raises(sg.UsageError, match=r"found\.csv has no suffix that is known: use \.txt"):
        found.save(tmp_path / "found.csv")


def test_a_scaling_that_is_here_is_predicted_from(tmp_path: Path) -> None:
    run = scaling_run()
    found = sg.predict(run, n=3)
    assert (found.n, found.document.between, found.notes) == (3, [2, 4], ())
    assert found.speedup.value == pytest.approx(found.gbps.value / 30, rel=0.01)
    assert found.efficiency.value == pytest.approx(found.speedup.value / 3)
    for form, text in (
        ("table", found.table()),
        ("json", found.to_json()),
        ("csv", found.to_csv()),
        ("markdown", found.to_markdown()),
    ):
        assert text == render(found.document, SeriesFormat(form), file=FILE)
    assert found.verdict and found.verdict[0] in " ".join(found.table().split())
    assert list(found.to_pandas().columns) == list(found.rates.columns)
    assert [(row["n"], row["binding"]) for row in found.rates] == [(3, "compact")]
    assert found.save(tmp_path / "found.csv").read_text() == found.to_csv()
    run.save(tmp_path / "scaling.json")
    assert sg.predict(tmp_path / "scaling.json", n="3").to_json() == found.to_json()


@pytest.mark.parametrize(
    ("n", "sentence"),
    [(None, "--n is missing"), (0, "--n 0 is not a whole number"), (8, "8 threads lie beyond")],
)
def test_what_cannot_be_predicted_is_one_sentence(n: int | None, sentence: str) -> None:
    with pytest.raises(sg.UsageError, match=sentence):
        sg.predict(scaling_run(), n=n)


def test_only_a_scaling_is_predicted_from() -> None:
    with pytest.raises(sg.UsageError, match=r"run\.jsonl is a result of measure, not of"):
        sg.predict(run_of(measured()), n=2)
