"""Makes the documentation's gallery: the pictures that commands draw of the tests' examples.

They are drawn with the site and kept nowhere, so they show what the program draws now.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1]
# Imported here, because MkDocs takes the path back once it has loaded its hooks.
sys.path[:0] = [str(SOURCE), str(SOURCE / "tests" / "support")]

from example_results import every_kind  # noqa: E402
from example_topologies import two_epyc_7451  # noqa: E402

from streamgage.api.series import run_of  # noqa: E402
from streamgage.machine.topology.drawing import draw  # noqa: E402

FOLDER = "gallery"
INDEX = f"{FOLDER}/index.md"


@dataclass(frozen=True)
class Picture:
    """A picture, with the command that draws it and how to read it."""

    name: str
    command: str
    shows: str

    @property
    def page(self) -> str:
        """The page of docs/ about its command, with the option that asks for it."""
        asked = self.command.removeprefix("streamgage ").partition(" -o ")[0]
        return "-".join(re.findall("[a-z]+", asked)) + ".md"


PICTURES = (
    Picture(
        "scale",
        "streamgage scale -o scale.svg",
        "Bandwidth, speedup and efficiency for more and more threads, a curve per placement. A ring"
        " marks the point from which more threads gain almost nothing.",
    ),
    Picture(
        "ladder",
        "streamgage ladder -o ladder.svg",
        "Bandwidth for larger and larger working sets. Each step down is the end of a cache.",
    ),
    Picture(
        "latency",
        "streamgage latency -o latency.svg",
        "How long a load takes: idle, by the size of the working set, and while other threads use"
        " more and more bandwidth.",
    ),
    Picture(
        "numa",
        "streamgage numa -o matrix.svg",
        "What the CPUs of each NUMA node get from the memory of each. Outlined cells are a node's"
        " own memory.",
    ),
    Picture(
        "repeat",
        "streamgage measure --runs 20 -o runs.svg",
        "A dot per run, a column per placement. The placement with the narrow column gives the same"
        " figure every time.",
    ),
    Picture(
        "study",
        "streamgage program --scaling -o scaling.svg -- ./program",
        "How a program scales next to how bandwidth scales.",
    ),
    Picture(
        "topology",
        "streamgage topology -o machine.svg",
        "What a machine is made of: two packages with four dies each.",
    ),
)


def files() -> dict[str, str | bytes]:
    """The page and its pictures, by their paths in the site."""
    return {INDEX: _index(), **{_path(each.name): _drawn(each.name) for each in PICTURES}}


def _path(name: str) -> str:
    return f"{FOLDER}/{name}.svg"


def _index() -> str:
    lines = [
        "# Gallery",
        "",
        "The pictures that commands draw with `-o`. Their data are **made up** for the project's",
        "tests, so that each picture has something to show. They are not measurements.",
    ]
    for each in PICTURES:
        lines += [
            *("", f"## {each.name}", ""),
            *(f"`{each.command}` ([{each.name}](../{each.page}))", ""),
            *(each.shows, "", f"![{each.shows}]({each.name}.svg)"),
        ]
    return "\n".join(lines) + "\n"


@cache
def _drawn(name: str) -> bytes:
    if name == "topology":
        return draw(two_epyc_7451(), Path("topology.svg"))
    runs = {each.kind: each for each in map(run_of, every_kind())}
    return runs[name].picture(Path(f"{name}.svg"))
