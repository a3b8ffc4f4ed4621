"""Fuzzes the reading of other files, guided by coverage (atheris).

    python tests/support/fuzz_files.py lines|models|logs|lists [libFuzzer's options] [CORPUS ...]

``lines``: lines of nodes, which are judged. ``models``: headers of language models. ``logs``: what
programs and PETSc log. ``lists``: lists of nodes, and Slurm's topology.conf. What a file holds is
read, or refused with one sentence; anything else that is raised is a fault.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path

import atheris

with atheris.instrument_imports(
    include=["streamgage.records", "streamgage.results", "streamgage.programs", "gguf"]
):
    from streamgage.errors import StreamgageError
    from streamgage.process.fleet.node_names import parse_nodes
    from streamgage.programs.model.model import reads_of_model
    from streamgage.records.node import read_node_lines
    from streamgage.results.fleet.gather import gather
    from streamgage.results.fleet.judge import Rules, judge
    from streamgage.results.fleet.topology import topology_of
    from streamgage.results.kinds import result_of
    from streamgage.results.study.applications.case import reader_of
    from streamgage.results.study.applications.petsc.cases import (
        read_imported,
        read_imported_server,
    )
    from streamgage.results.study.applications.times import Reading, Source, TimesError

from changed_files import changed_lines
from example_results import ignore
from made_tries import models, petsc
from stub_fleet import FEW, stub_fleet

Use = Callable[[Path], object]
_LISTS = (
    b"n[1-4],m[07-12,20]\n",
    b"SwitchName=s1 Nodes=n[1-3]\nSwitchName=s2 Nodes=n4,n5\nSwitchName=top Switches=s[1-2]\n",
    b"r{rack}n{node}",
)


def _judged(file: Path) -> None:
    with file.open("rb") as lines:
        fleet = judge(gather(read_node_lines(lines, ignore)), Rules())
    assert result_of(fleet).page.title


def _counted(file: Path) -> None:
    assert reads_of_model(file, 100).bytes > 0


def _logged(file: Path) -> None:
    text = file.read_bytes().decode("utf-8", "replace")
    reader = partial(read_imported, reader_of(Source.AUTO, None, None, wants_log=False))
    for read in (reader, read_imported_server):
        for log, printed in ((text, ""), (None, text), (text, text)):
            with suppress(TimesError, StreamgageError):
                assert read(Reading(printed, log, None, 2, by_ranks=True)).phases


def _listed(file: Path) -> None:
    text = file.read_bytes().decode("utf-8", "replace")
    with suppress(StreamgageError):
        parse_nodes("--nodes", text)
    with suppress(StreamgageError):
        topology_of(text.replace("\0", ""))("r1n2")
    topology_of(str(file))("n1")


def _seeds(family: str) -> tuple[Mapping[str, bytes], Use]:
    match family:
        case "lines":
            fleet = stub_fleet(12, 1, FEW, domains=True).lines
            return {"fleet": b"".join(fleet), "one": fleet[1]}, _judged
        case "models":
            heads = {name: content for name, content in models().items() if name.endswith(".gguf")}
            return heads, _counted
        case "logs":
            return {str(number): each for number, each in enumerate(petsc())}, _logged
        case _:
            return {str(number): each for number, each in enumerate(_LISTS)}, _listed


def main() -> None:
    """Run until the options say to stop."""
    family = sys.argv.pop(1)
    seeds, use = _seeds(family)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        (folder / "seeds").mkdir()
        for name, content in seeds.items():
            (folder / "seeds" / name).write_bytes(content)
        file = folder / ("fuzzed.gguf" if family == "models" else "fuzzed")

        def one_file(data: bytes) -> None:
            file.write_bytes(data)
            try:
                use(file)
            except StreamgageError as error:
                assert "\n" not in str(error)

        def changed(data: bytes, most: int, seed: int) -> bytes:
            source = random.Random(seed)

            def mutate(content: bytes) -> bytes:
                return atheris.Mutate(content, most)

            if family != "lines" or not data.split() or source.random() < 0.2:
                return mutate(data)
            made = changed_lines(data, source, mutate)
            return made if len(made) <= most else data[:most]

        atheris.Setup([*sys.argv, str(folder / "seeds")], one_file, custom_mutator=changed)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
