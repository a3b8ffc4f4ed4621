"""Every command line of the documentation, and of the commands' examples, is run."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from doc_lines import DocLine, doc_lines, documents, lines_of, stray_lines
from doc_runs import (
    INTERRUPTED,
    INTERRUPTING,
    NOT_RUN,
    SERVER,
    WAIT_SECONDS,
    Workplace,
    allowed_statuses,
    make_workplace,
    needs,
    says_that_there_is_no_room,
    shortened,
    variables_of,
)
from example_records import good_records
from slurm_cluster import slurm_cluster, wait_until_idle
from store_results import keep

from streamgage.records.address import place_in

if TYPE_CHECKING:
    from postgresql_server import Server

LINES = {line.text: line for line in reversed(doc_lines())}
"""Each once, with the first place where it stands."""
RUN = [
    pytest.param(text, marks=pytest.mark.needs(*needs(text))) if needs(text) else text
    for text in LINES
    if text not in NOT_RUN
]


@pytest.fixture(scope="module")
def workplace(tmp_path_factory: pytest.TempPathFactory) -> Workplace:
    """One folder for all lines, as one has who tries them."""
    return make_workplace(tmp_path_factory.mktemp("workplace"))


@pytest.fixture(scope="module")
def slurm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """A cluster of one node."""
    with slurm_cluster(tmp_path_factory.mktemp("slurm") / "cluster") as variables:
        yield variables


@pytest.fixture(scope="module")
def site(lasting_server: Server) -> dict[str, str]:
    """A store of a site with one result."""
    address = lasting_server.address()
    keep(place_in(address), good_records())
    return {"SITE_STORE": address}


@pytest.mark.parametrize("line", RUN)
def test_a_line_of_the_documentation_works(
    line: str, workplace: Workplace, request: pytest.FixtureRequest
) -> None:
    cluster = request.getfixturevalue("slurm") if "slurmd" in needs(line) else {}
    if cluster:
        wait_until_idle(cluster)
    site = request.getfixturevalue("site") if SERVER in needs(line) else {}
    done = workplace.run(line, **cluster, **site, **variables_of(line))
    where = f"{LINES[line].source}, run as: {shortened(line)}"
    worked = done.returncode in allowed_statuses(line)
    no_room = done.returncode in (1, 2) and says_that_there_is_no_room(line, done.stderr)
    assert worked or no_room, f"{where}\n{done.stdout}\n{done.stderr}"
    assert "Traceback" not in done.stderr, where


def test_no_line_that_is_left_out_has_gone() -> None:
    assert set(NOT_RUN) <= set(LINES), "take those out of NOT_RUN that no page has any more"


@pytest.mark.parametrize("page", documents(), ids=lambda path: str(path.name))
def test_no_page_has_a_command_where_no_test_finds_it(page: Path) -> None:
    assert stray_lines(page.read_text("utf-8"), page.name) == []


def test_lines_are_found_as_a_reader_sees_them() -> None:
    page = "\n".join(
        [
            "```sh",
            "streamgage measure   # all of it",
            "",
            "# a remark",
            "streamgage scale \\",
            "  --quick",
            "```",
            "```console",
            "$ streamgage show",
            " GB/s",
            "```",
            "```",
            "streamgage: a sentence",
            "```",
        ]
    )
    assert [line.text for line in lines_of(page, "page")] == [
        *("streamgage measure", "streamgage scale --quick", "streamgage show"),
    ]
    assert stray_lines(page, "page") == []


@pytest.mark.parametrize(
    "page",
    ["```\nstreamgage measure\n```", "    make measure", "```text\n$ streamgage show\n```"],
)
def test_a_line_outside_of_a_shells_fence_is_found(page: str) -> None:
    (stray,) = stray_lines(page, "page")
    assert isinstance(stray, DocLine)


@pytest.mark.parametrize(
    ("line", "run"),
    [
        ("streamgage", "streamgage --size 4MiB"),
        ("streamgage --details", "streamgage --details --size 4MiB"),
        (
            "streamgage program -- {mpiexec} ./program",
            "streamgage program --size 4MiB --rounds 1 --ranks 1,2 -- {mpiexec} ./program",
        ),
        (
            "streamgage program --against ./old -- ./program",
            "streamgage program --against ./old --size 4MiB --rounds 2 -- ./program",
        ),
        ("streamgage pin S0:0-7 -- ./program", "streamgage pin S0:0-1 -- ./program"),
        (
            "streamgage measure --quick",
            "streamgage measure --quick --size 4MiB --kernels copy,triad",
        ),
        ("streamgage measure --kernels sum", "streamgage measure --kernels sum --size 4MiB"),
        (
            "streamgage measure --runs 50",
            "streamgage measure --runs 2 --size 4MiB --quick --kernels copy,triad",
        ),
        ("streamgage-engine --machine", "streamgage-engine --machine"),
        (
            "srun --cpu-bind=none streamgage pin N -- ./program",
            "srun --cpu-bind=none streamgage pin N -- ./program",
        ),
    ],
)
def test_a_line_is_shortened_where_it_measures(line: str, run: str) -> None:
    assert shortened(line) == run


NO_ROOM = (
    "streamgage: each load thread needs 2 GiB, but the 3 GiB of free memory have room for only 0"
    " of 1 threads; ask for fewer threads, or only for the idle latency."
)
TOO_LITTLE = (
    "streamgage: only 1 GiB of memory are free; measuring latency may use a quarter of that, but"
    " needs 520 MiB here; free some memory or raise the limit."
)


@pytest.mark.parametrize(
    ("line", "said", "excused"),
    [
        ("streamgage latency", NO_ROOM, True),
        ("streamgage latency --mixes reads,2:1", NO_ROOM, True),
        ("streamgage numa", TOO_LITTLE, True),
        ("streamgage latency", "streamgage: streamgage-engine died.", False),
        ("streamgage measure", NO_ROOM, False),
    ],
)
def test_only_a_line_that_needs_much_memory_may_say_that_there_is_too_little(
    line: str, said: str, excused: bool
) -> None:
    assert says_that_there_is_no_room(line, said) == excused


LISTENS_LATE = """
import signal, sys, time
time.sleep(0.5)
for number in (signal.SIGINT, signal.SIGTERM):
    signal.signal(number, lambda *_: sys.exit(7))
signal.pause()
"""


def test_ctrl_c_is_pressed_once_it_is_handled(tmp_path: Path) -> None:
    program = tmp_path / INTERRUPTED
    program.write_text(INTERRUPTING.format(python=sys.executable))
    program.chmod(0o755)
    for code, status in ((LISTENS_LATE, 7), ("raise SystemExit(3)", 3)):
        command = [program, sys.executable, "-c", code]
        done = subprocess.run(command, capture_output=True, timeout=WAIT_SECONDS, check=False)
        assert (done.returncode, done.stderr) == (status, b"")
