"""Every kind of file in every place where a command reads one.

Which are tried follows from a fixed seed; ``STREAMGAGE_TRIES`` in the environment is how many, in a
longer search.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from inspect import Parameter
from pathlib import Path

import pytest
from example_records import as_lines, good_records
from example_results import every_kind
from programs import REPOSITORY, environment, misbehaving_engine
from tries import tried

from streamgage.cli.program import command_names, declared
from streamgage.options.files import Opens

CASES = REPOSITORY / "tests" / "data" / "cases"
TRIES = int(os.environ.get("STREAMGAGE_TRIES", "150"))
SEED = int(os.environ.get("STREAMGAGE_SEED", "20261128"))
NEEDED = {"pin": ["0"], "fleet judge": ["lines.jsonl"], "check": []}
NAMES = {"program-1": "program-1.log", "stream-1": "stream-1.txt"}
FORMATS = {
    "show": ["--details", "--peak=200", "--format=json", "--format=csv", "--format=md"],
    "traffic": ["--recorded={}", "--bytes-per-second-from=json"],
    "interpret": ["--details", "--format=json", "--together"],
}


def _files() -> dict[str, bytes]:
    """Every known output, every document, records, and the lines of nodes."""
    found = {each.name: each.read_bytes() for each in sorted(CASES.glob("*.txt"))}
    for each in every_kind():
        [(_, content)] = each.files.items()
        found[each.called] = content
    found["run.jsonl"] = as_lines(good_records())
    found["recording.jsonl"] = (REPOSITORY / "examples/two-packages/recording.jsonl").read_bytes()
    found["kernel.c"] = (REPOSITORY / "examples/kernels/triad.c").read_bytes()
    found["store.sqlite"] = (REPOSITORY / "tests/data/damaged-index.sqlite").read_bytes()
    return found


def _lines(names: list[str]) -> Iterator[list[str]]:
    """A command with a file in one of the places where it reads one."""
    for command in command_names():
        for option in declared(command).options.values():
            if option.found(Opens) not in (Opens.READS, Opens.STORE):
                continue
            for name in names:
                alone = option.kind is not Parameter.KEYWORD_ONLY
                where = (
                    [name] if alone else [f"--{option.name.strip('_').replace('_', '-')}={name}"]
                )
                line = [*command.split(), *(NEEDED.get(command, []) if not alone else []), *where]
                yield line
                yield from ([*line, more.format(name)] for more in FORMATS.get(command, []))


def test_every_kind_of_file_is_shown_or_refused_everywhere(tmp_path: Path) -> None:
    folder = tmp_path / "here"
    folder.mkdir()
    engine = misbehaving_engine(tmp_path, 'echo "streamgage-engine: nothing here" >&2; exit 1')
    variables = environment(tmp_path, engine)
    files = _files()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    (folder / "lines.jsonl").write_bytes(b"")
    every = [*_lines(list(files))]
    complaints = []
    for line in random.Random(SEED).sample(every, min(TRIES, len(every))):
        end = tried(line, folder, variables)
        if end.complaint is not None or "<class" in end.stderr or " object at 0x" in end.stderr:
            complaints.append(f"{line}: {end.complaint}: {end.stderr[-600:]}")
    assert not complaints, f"{len(complaints)} of {TRIES}:\n" + "\n".join(complaints)


@pytest.mark.parametrize("name", sorted(each.name for each in CASES.glob("*.txt")))
def test_a_study_of_any_output_is_shown_or_refused(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "here"
    (folder / "runs").mkdir(parents=True)
    (folder / "runs" / "stream-1.txt").write_bytes((CASES / name).read_bytes())
    (folder / "runs" / "program-1.log").write_text("1\n", "utf-8")
    end = tried(["program", "--import", "runs"], folder, environment(tmp_path, None))
    assert end.complaint is None, end.stderr


def test_a_wrong_kind_of_result_is_named_in_a_sentence(tmp_path: Path) -> None:
    folder = tmp_path / "here"
    folder.mkdir()
    (folder / "run.jsonl").write_bytes(as_lines(good_records()))
    line = ["traffic", "--on", "run.jsonl", "--replay", str(REPOSITORY / "examples/two-packages")]
    end = tried(line, folder, environment(tmp_path, None))
    assert end.status == 2
    assert "is a result of measure, not of `streamgage latency`: name one." in end.stderr
