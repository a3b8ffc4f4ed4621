"""Every command that reads stored results concludes no more than they support."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any

import pytest
from example_records import DISTURBANCE, as_lines, good_records
from example_results import every_kind
from msgspec.structs import replace
from programs import streamgage

from streamgage.cli.program import command_names, declared
from streamgage.options.declaration import Form
from streamgage.records import AnyRecord, Sample
from streamgage.results.document import Document
from streamgage.results.kinds import NAMES
from streamgage.results.scale.document import Scale
from streamgage.show.formats import as_json

TAKEN = 0.72
ANY = tuple(NAMES)
CALLS: dict[str, tuple[Sequence[str], Sequence[str]]] = {
    "show": (ANY, ("{}", "--format", "json")),
    "compare": (ANY, ("sound.{kind}", "{}", "--format", "json", "--fail-below", "0.5")),
    "scale": (("scale",), ("--predict", "2", "--result", "{}", "--format", "json")),
    "expected": (("measure",), ("--cloud", "--result", "{}", "--format", "json")),
    "traffic": (
        ("latency",),
        ("--on", "{}", "--recorded", "rates", "--bytes-per-second-from", "(.+)", "--json", "-"),
    ),
    "report": (ANY, ("{}", "-o", "page.html")),
}
"""How each command is called that reads a result: the kinds that it takes, and its arguments."""
SILENT = {"results export", "results rm"}
"""Commands that read results and say nothing about them."""
UNCERTAIN = 3


def readers() -> set[str]:
    """The commands that take a stored result or a file with one."""
    return {
        name
        for name in command_names()
        for option in declared(name).options.values()
        if (form := option.found(Form)) is not None and form.completes == "runs"
    }


def documents(*, taken: float = 0.0) -> dict[str, bytes]:
    """A result of each kind, as files; others had the share ``taken`` of the CPUs meanwhile."""
    found = {}
    for each in every_kind():
        document: Document = each.document
        found.setdefault(each.kind.name, as_json(replace(document, taken=taken)).encode())
    busy = replace(DISTURBANCE, other_seconds=TAKEN * 10.0 * 2) if taken else DISTURBANCE
    slower = 1 + taken  # or it would be the same measurement
    records: list[AnyRecord] = [
        busy
        if each is DISTURBANCE
        else replace(each, seconds=slower * each.seconds)
        if isinstance(each, Sample)
        else each
        for each in good_records()
    ]
    found["measure"] = as_lines(records)
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a sound and a spoiled result of each kind."""
    place = tmp_path_factory.mktemp("results")
    for lead, files in (("sound", documents()), ("spoiled", documents(taken=TAKEN))):
        for kind, content in files.items():
            (place / f"{lead}.{kind}").write_bytes(content)
    (place / "rates").write_text("12.5 GB/s\n" * 8)
    return place


def grades_in(found: object) -> Iterator[str]:
    """All grades in a decoded document."""
    if isinstance(found, dict):
        if isinstance(found.get("grade"), str):
            yield found["grade"]
        for each in found.values():
            yield from grades_in(each)
    elif isinstance(found, list):
        for each in found:
            yield from grades_in(each)


def shown(file: str, folder: Path) -> dict[str, Any]:
    """The JSON of a result."""
    found: dict[str, Any] = json.loads(
        streamgage("show", file, "--format", "json", folder=folder).stdout
    )
    return found


def test_no_command_that_reads_results_is_forgotten() -> None:
    assert readers() == set(CALLS) | SILENT


@pytest.mark.parametrize("kind", NAMES)
@pytest.mark.parametrize("command", [name for name in CALLS if name != "report"])
def test_no_command_concludes_from_a_spoiled_result(command: str, kind: str, folder: Path) -> None:
    kinds, arguments = CALLS[command]
    if kind not in kinds:
        return
    said = [each.format(f"spoiled.{kind}", kind=kind) for each in arguments]
    done = streamgage(command, *said, folder=folder)
    assert done.returncode in (0, UNCERTAIN), done.stderr
    found = json.loads(done.stdout)
    assert "sound" not in set(grades_in(found))
    if command == "compare":
        assert done.returncode == UNCERTAIN
        assert found["acceptance"]["passed"] is None
    if command == "traffic":
        assert found["curve"]["text"].startswith("No conclusion: other programs")
        assert "If that had no influence: " in found["curve"]["text"]


@pytest.mark.parametrize("kind", NAMES)
def test_a_sound_result_keeps_what_it_concludes(kind: str, folder: Path) -> None:
    found = json.loads(
        streamgage("show", f"sound.{kind}", "--format", "json", folder=folder).stdout
    )
    unsound = found["trust"]["verdict"] == "not-quotable"
    assert ("none" in set(grades_in(found))) == unsound


def undecided(document: Scale) -> Scale:
    """The scaling, with rounds that scatter too much to say whether more workers would gain."""
    curves = [replace(each, saturated=None, open_because="noise") for each in document.curves]
    return replace(document, curves=curves)


@pytest.mark.parametrize("command", ["show", "scale"])
def test_no_command_decides_what_the_figures_leave_open(
    command: str, folder: Path, tmp_path: Path
) -> None:
    document = next(each.document for each in every_kind() if each.kind.name == "scale")
    (tmp_path / "open.json").write_text(as_json(undecided(document)))
    _, arguments = CALLS[command]
    said = [each.format("open.json") for each in arguments]
    found = json.loads(streamgage(command, *said, folder=tmp_path).stdout)
    (worth,) = [
        each["text"] for each in found["conclusions"] if "would gain, because" in each["text"]
    ][:1]
    assert "it is not clear whether more would gain, because the rounds scatter too much" in worth
    assert "undecided" in [each["grade"] for each in found["conclusions"]]


@pytest.mark.parametrize("kind", NAMES)
def test_a_page_concludes_nothing_from_a_spoiled_result(kind: str, folder: Path) -> None:
    sound = json.loads(
        streamgage("show", f"sound.{kind}", "--format", "json", folder=folder).stdout
    )
    done = streamgage("report", f"spoiled.{kind}", "-o", f"{kind}.html", folder=folder)
    assert done.returncode == 0, done.stderr
    page = (folder / f"{kind}.html").read_text("utf-8")
    firm = [each["text"] for each in sound.get("conclusions", []) if each["grade"] == "sound"]
    assert not any(f"<p>{escape(text)}</p>" in page for text in firm)
