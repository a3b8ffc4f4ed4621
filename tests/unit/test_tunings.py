"""The shapes that are kept: for the right machine only, and never at the cost of a run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from example_records import FOUR_STREAMS, MACHINE, PREFETCH, TUNINGS, tuning
from hypothesis import given
from hypothesis import strategies as st

from streamgage.plan import KnownShape, Placement, Plan
from streamgage.records import Machine, MemoryModule, NumaNode, Sampling, Tuning
from streamgage.results.measure.tunings import (
    Conditions,
    Entry,
    conditions_of,
    file_of,
    identity_of,
    keep_tunings,
    known_shapes,
    read_entries,
    tuning_folder,
)

change = msgspec.structs.replace
PLAN = Plan(
    kernels=["copy"],
    sampling=Sampling(min_samples=1, look_every=1, max_samples=1, budget_seconds=1),
)
CONDITIONS = conditions_of(PLAN, MACHINE)
IDENTITY = identity_of(MACHINE)
PYTHON_PATH = os.pathsep.join([str(Path(__file__).parent), *(each for each in sys.path if each)])
"""So that a program started here may import what this file does."""
RACED = tuning("copy", "streaming", shape=PREFETCH, ratio=(1.1, 1.05, 1.2))


@pytest.fixture
def notes() -> list[str]:
    """What was noted."""
    return []


def kept(folder: Path, notes: list[str]) -> list[Entry]:
    return read_entries(IDENTITY, folder, notes.append)


def keep(folder: Path, notes: list[str], *tunings: Tuning) -> None:
    keep_tunings(MACHINE, CONDITIONS, tunings, folder, notes.append)


def known(folder: Path, notes: list[str], conditions: Conditions = CONDITIONS) -> list[KnownShape]:
    return known_shapes(kept(folder, notes), conditions)


def test_the_folder_is_where_xdg_says() -> None:
    assert tuning_folder({"XDG_CACHE_HOME": "/c"}) == Path("/c/streamgage/tuning")
    for relative in ({}, {"XDG_CACHE_HOME": ""}, {"XDG_CACHE_HOME": "not/absolute"}):
        found = tuning_folder({"HOME": "/h", **relative})
        assert found == Path("/h/.cache/streamgage/tuning")


def test_without_a_home_there_is_no_folder() -> None:
    assert tuning_folder({}) is None
    assert tuning_folder({"HOME": ""}) is None
    assert tuning_folder({"XDG_CACHE_HOME": "/c"}) == Path("/c/streamgage/tuning")


OTHER_MACHINES = {
    "engine": change(MACHINE, engine="0.2.0"),
    "compiler": change(MACHINE, compiler="GNU 14.1.0"),
    "processor": change(MACHINE, processor="Example 9001"),
    "cores": change(MACHINE, cores=3),
    "packages": change(MACHINE, packages=2),
    "threads": change(MACHINE, hardware_threads=4),
    "caches": change(MACHINE, caches=MACHINE.caches[:1]),
    "nodes": change(MACHINE, numa_nodes=[*MACHINE.numa_nodes, NumaNode(node=1, cpus="", bytes=0)]),
    "architecture": change(MACHINE, architecture="aarch64"),
    "hypervisor": change(MACHINE, hypervisor="KVM"),
    "memory": change(
        MACHINE,
        memory_modules=[
            MemoryModule(
                locator="A", bank=None, bytes=1 << 30, kind=None, width_bits=64, megatransfers=None
            )
        ],
    ),
}


@pytest.mark.parametrize("other", OTHER_MACHINES.values(), ids=OTHER_MACHINES)
def test_another_machine_or_version_has_a_file_of_its_own(
    tmp_path: Path, notes: list[str], other: Machine
) -> None:
    keep(tmp_path, notes, RACED)
    assert identity_of(other) != IDENTITY
    assert file_of(identity_of(other), tmp_path) != file_of(IDENTITY, tmp_path)
    assert read_entries(identity_of(other), tmp_path, notes.append) == []
    assert notes == []


@pytest.mark.parametrize(
    "same",
    [
        change(MACHINE, time="2027-01-01T00:00:00Z", host="node8", kernel="Linux 7.0.0"),
        change(MACHINE, memory_available_bytes=1 << 30, memory_limit_bytes=2 << 30),
        change(MACHINE, numa_nodes=[NumaNode(node=0, cpus="0-1", bytes=7 << 30)]),
        change(
            MACHINE,
            numa_nodes=[
                change(MACHINE.numa_nodes[0], free_bytes=1 << 30, available_bytes=2 << 30),
            ],
        ),
    ],
    ids=["another day", "less free memory", "a guest that grew", "less free on a node"],
)
def test_what_changes_from_run_to_run_is_not_another_machine(same: Machine) -> None:
    assert file_of(identity_of(same), Path()) == file_of(IDENTITY, Path())


def test_the_name_of_the_file_depends_on_nothing_else() -> None:
    code = (
        "import sys; from pathlib import Path; from example_records import MACHINE;"
        "from streamgage.results.measure.tunings import file_of, identity_of;"
        "print(file_of(identity_of(MACHINE), Path()))"
    )
    for seed in ("1", "2"):
        said = subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONPATH": PYTHON_PATH, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert said.stdout.strip() == str(file_of(IDENTITY, Path()))


OTHER_CONDITIONS = {
    "type": change(PLAN, type="float"),
    "placement": change(PLAN, placement=Placement(kind="none")),
    "threads": change(PLAN, placement=Placement(threads=1)),
    "cpus": change(PLAN, placement=Placement(kind="cpus", cpus=[0, 1], threads=2)),
    "pages": change(PLAN, pages="4k"),
    "nodes": change(PLAN, memory_nodes=[1]),
}


@pytest.mark.parametrize("other", OTHER_CONDITIONS.values(), ids=OTHER_CONDITIONS)
def test_shapes_of_other_conditions_are_not_taken(
    tmp_path: Path, notes: list[str], other: Plan
) -> None:
    keep(tmp_path, notes, RACED)
    assert len(known(tmp_path, notes)) == 1
    assert known(tmp_path, notes, conditions_of(other, MACHINE)) == []


def test_the_order_of_cpus_and_the_cpus_allowed_are_conditions() -> None:
    def of(cpus: list[int]) -> Conditions:
        placement = Placement(kind="cpus", cpus=cpus, threads=2)
        return conditions_of(change(PLAN, placement=placement), MACHINE)

    assert of([0, 1]) != of([1, 0])
    assert conditions_of(PLAN, change(MACHINE, allowed_cpus="0")) != CONDITIONS


def test_size_kernels_seed_and_time_are_none() -> None:
    other = change(
        PLAN,
        kernels=["triad"],
        array_bytes=1 << 30,
        seed=4,
        stores=["plain"],
        sampling=change(PLAN.sampling, budget_seconds=99),
    )
    assert conditions_of(other, MACHINE) == CONDITIONS


def test_what_is_kept_is_known_again(tmp_path: Path, notes: list[str]) -> None:
    keep(tmp_path / "new" / "folder", notes, *TUNINGS)
    entries = kept(tmp_path / "new" / "folder", notes)
    assert [entry.tuning for entry in entries] == [t for t in TUNINGS if t.source == "raced"]
    assert {entry.time for entry in entries} == {MACHINE.time}
    shapes = known_shapes(entries, CONDITIONS)
    assert shapes[0] == KnownShape(kernel="sum", store="regular", isa="AVX2", shape=FOUR_STREAMS)
    assert notes == []


def test_a_default_shape_that_won_is_known_too(tmp_path: Path, notes: list[str]) -> None:
    keep(tmp_path, notes, TUNINGS[1])
    (shape,) = known(tmp_path, notes)
    assert (shape.kernel, shape.shape) == ("copy", TUNINGS[1].shape)
    assert TUNINGS[1].fastest != TUNINGS[1].shape


@pytest.mark.parametrize("source", ["known", "given", "skipped"])
def test_only_what_was_raced_is_kept(tmp_path: Path, notes: list[str], source: str) -> None:
    keep(tmp_path, notes, tuning("copy", "streaming", source, PREFETCH))
    assert list(tmp_path.iterdir()) == []
    keep(tmp_path, notes)
    assert list(tmp_path.iterdir()) == []


def test_a_later_decision_takes_the_place_of_the_earlier_about_the_same(
    tmp_path: Path, notes: list[str]
) -> None:
    float_conditions = change(CONDITIONS, type="float")
    keep(tmp_path, notes, RACED, TUNINGS[0])
    keep_tunings(MACHINE, float_conditions, [RACED], tmp_path, notes.append)
    keep(tmp_path, notes, tuning("copy", "streaming", shape=FOUR_STREAMS))
    keep(tmp_path, notes, tuning("copy", "streaming", shape=PREFETCH, isa="SSE2"))
    shapes = {(s.kernel, s.store, s.isa): s.shape for s in known(tmp_path, notes)}
    assert shapes == {
        ("sum", "regular", "AVX2"): FOUR_STREAMS,
        ("copy", "streaming", "AVX2"): FOUR_STREAMS,
        ("copy", "streaming", "SSE2"): PREFETCH,
    }
    assert len(known(tmp_path, notes)) == 3
    assert [s.shape for s in known(tmp_path, notes, float_conditions)] == [PREFETCH]
    assert notes == []


def whole(folder: Path, notes: list[str]) -> dict[str, object]:
    """The file as the product writes it."""
    keep(folder, notes, RACED)
    decoded = json.loads(file_of(IDENTITY, folder).read_bytes())
    assert isinstance(decoded, dict)
    return decoded


def spoilt(folder: Path, notes: list[str]) -> dict[str, bytes]:
    """Files that are not sound, each wrong in one way."""
    good = whole(folder, notes)
    (entry,) = good["entries"]  # type: ignore[misc]
    deep = b"[" * 100_000

    def but(**parts: object) -> bytes:
        return json.dumps(good | parts).encode()

    def shaped(**parts: object) -> bytes:
        return but(entries=[entry | {"tuning": entry["tuning"] | {"shape": parts}}])

    return {
        "empty": b"",
        "text": b"hello",
        "binary": bytes(range(256)) * 100,
        "no utf-8": json.dumps(good).encode().replace(b"Example", b"\xff\xfe"),
        "cut off": json.dumps(good).encode()[:-20],
        "nested": deep + b"]" * 100_000,
        "nested in a field": b'{"format":1,"machine":' + deep,
        "a list": b"[]",
        "null": b"null",
        "newer format": but(format=2),
        "unknown field": but(colour="red"),
        "unknown field in an entry": but(entries=[entry | {"colour": "red"}]),
        "unknown source": but(entries=[entry | {"tuning": entry["tuning"] | {"source": "guess"}}]),
        "no entries": b'{"format": 1}',
        "wrong type": but(entries="none"),
        "streams beyond all": shaped(streams=10**400),
        "no streams": shaped(streams=0),
        "more streams than a plan may have": shaped(streams=(1 << 20) + 1),
        "a distance below 0": shaped(read_prefetch_bytes=-64),
        "a block beyond all": shaped(block_bytes=1 << 63),
        "far too large": b" " * (16 << 20) + b"{}",
    }


KINDS = [
    *("empty", "text", "binary", "no utf-8", "cut off", "nested", "nested in a field", "a list"),
    *("null", "newer format", "unknown field", "unknown field in an entry", "unknown source"),
    *("no entries", "wrong type", "streams beyond all", "no streams"),
    *(
        "more streams than a plan may have",
        "a distance below 0",
        "a block beyond all",
        "far too large",
    ),
]


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_that_is_not_sound_is_ignored_with_a_note_and_written_anew(
    tmp_path: Path, notes: list[str], kind: str
) -> None:
    content = spoilt(tmp_path, notes)
    assert list(content) == KINDS
    file = file_of(IDENTITY, tmp_path)
    file.write_bytes(content[kind])
    assert kept(tmp_path, notes) == []
    (note,) = notes
    assert note.startswith(f"The tuning file {file} is damaged (")
    assert note.endswith("): it is ignored and written again.")
    assert "\n" not in note and len(note) < len(str(file)) + 300
    keep(tmp_path, notes, RACED)
    assert len(notes) == 1
    assert [entry.tuning for entry in kept(tmp_path, notes)] == [RACED]
    assert (len(notes), list(tmp_path.iterdir())) == (1, [file])


def test_a_file_that_came_from_another_machine_is_ignored_with_a_note(
    tmp_path: Path, notes: list[str]
) -> None:
    newer = change(MACHINE, engine="0.2.0")
    keep_tunings(newer, CONDITIONS, [RACED], tmp_path, notes.append)
    file_of(identity_of(newer), tmp_path).rename(file_of(IDENTITY, tmp_path))
    assert kept(tmp_path, notes) == []
    (note,) = notes
    assert note.endswith(" belongs to another machine or version: it is ignored and written again.")
    keep(tmp_path, notes, TUNINGS[0])
    assert [entry.tuning for entry in kept(tmp_path, notes)] == [TUNINGS[0]]
    assert len(notes) == 1


@given(st.binary(max_size=300))
def test_no_content_whatever_stops_a_run(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    folder = tmp_path_factory.mktemp("tuning")
    notes: list[str] = []
    file_of(IDENTITY, folder).write_bytes(content)
    assert kept(folder, notes) == []
    assert len(notes) == 1
    keep(folder, notes, RACED)
    assert len(kept(folder, notes)) == 1


def test_nothing_kept_is_nothing_to_say(tmp_path: Path, notes: list[str]) -> None:
    assert kept(tmp_path, notes) == []
    assert kept(tmp_path / "missing", notes) == []
    assert notes == []


def test_a_folder_in_the_place_of_the_file(tmp_path: Path, notes: list[str]) -> None:
    file_of(IDENTITY, tmp_path).mkdir()
    assert kept(tmp_path, notes) == []
    keep(tmp_path, notes, RACED)
    assert notes == [
        f"The tuning file {file_of(IDENTITY, tmp_path)} is damaged (it is not a file): it is"
        " ignored and written again.",
        f"The shapes found cannot be stored in {tmp_path} (Is a directory): the next run searches"
        " again.",
    ]
    assert list(tmp_path.iterdir()) == [file_of(IDENTITY, tmp_path)]


def test_a_pipe_in_the_place_of_the_file_is_not_waited_for(
    tmp_path: Path, notes: list[str]
) -> None:
    os.mkfifo(file_of(IDENTITY, tmp_path))
    assert kept(tmp_path, notes) == []
    assert len(notes) == 1
    keep(tmp_path, notes, RACED)
    assert len(kept(tmp_path, notes)) == 1


def test_a_file_in_the_place_of_the_folder(tmp_path: Path, notes: list[str]) -> None:
    (tmp_path / "file").touch()
    folder = tmp_path / "file" / "tuning"
    assert kept(folder, notes) == []
    keep(folder, notes, RACED)
    assert [note.partition(" (")[2] for note in notes] == [
        "Not a directory): shapes are searched for again.",
        "Not a directory): the next run searches again.",
    ]


AS_NOBODY = """
import os, sys
from pathlib import Path
from example_records import MACHINE
from test_tunings import CONDITIONS, IDENTITY, RACED
from streamgage.results.measure.tunings import keep_tunings, read_entries
if os.geteuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
folder = Path(sys.argv[1])
print(len(read_entries(IDENTITY, folder, print)))
keep_tunings(MACHINE, CONDITIONS, [RACED], folder, print)
"""


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user may reach, as those of pytest are not."""
    with tempfile.TemporaryDirectory(prefix="streamgage-tuning-") as name:
        Path(name).chmod(0o755)
        yield Path(name) / "tuning"


@pytest.mark.parametrize(
    ("rights", "said"),
    [
        (0o000, ["cannot be read (Permission denied): shapes are searched for again.", "0"]),
        (0o555, ["1"]),
    ],
    ids=["unreadable", "unwritable"],
)
def test_a_folder_that_may_not_be_used_costs_a_note(
    open_folder: Path, notes: list[str], rights: int, said: list[str]
) -> None:
    keep(open_folder, notes, RACED)
    before = file_of(IDENTITY, open_folder).read_bytes()
    open_folder.chmod(rights)
    run = subprocess.run(
        [sys.executable, "-c", AS_NOBODY, str(open_folder)],
        env={"PYTHONPATH": PYTHON_PATH},
        capture_output=True,
        text=True,
        check=False,
    )
    open_folder.chmod(0o755)
    assert (run.returncode, run.stderr) == (0, "")
    *lines, last = run.stdout.splitlines()
    assert len(lines) == len(said)
    for line, end in zip(lines, said, strict=True):
        assert line.endswith(end)
    assert last == (
        f"The shapes found cannot be stored in {open_folder} (Permission denied): the next run"
        " searches again."
    )
    assert file_of(IDENTITY, open_folder).read_bytes() == before


def test_a_full_disk_leaves_what_was_there(
    tmp_path: Path, notes: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(tmp_path, notes, RACED)

    def full(_: Path, __: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    keep(tmp_path, notes, TUNINGS[0])
    (note,) = notes
    assert "(No space left on device)" in note
    assert [entry.tuning for entry in kept(tmp_path, notes)] == [RACED]
    assert list(tmp_path.iterdir()) == [file_of(IDENTITY, tmp_path)]


WRITER = """
import sys
from pathlib import Path
from example_records import MACHINE, tuning
from test_tunings import CONDITIONS
from streamgage.results.measure.tunings import keep_tunings
for number in range(150):
    made = tuning(f"kernel{number}", sys.argv[2])
    keep_tunings(MACHINE, CONDITIONS, [made], Path(sys.argv[1]), lambda note: sys.exit(note))
"""


def test_two_runs_that_write_at_once_leave_a_whole_file(tmp_path: Path, notes: list[str]) -> None:
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path), store],
            env={"PYTHONPATH": PYTHON_PATH},
            stderr=subprocess.PIPE,
            text=True,
        )
        for store in ("regular", "streaming")
    ]
    while any(writer.poll() is None for writer in writers):
        read_entries(IDENTITY, tmp_path, notes.append)
    assert [writer.communicate()[1] for writer in writers] == ["", ""]
    assert [writer.returncode for writer in writers] == [0, 0]
    entries = kept(tmp_path, notes)
    assert notes == []
    assert list(tmp_path.iterdir()) == [file_of(IDENTITY, tmp_path)]
    last = {(entry.tuning.kernel, entry.tuning.store) for entry in entries}
    assert len(last) == len(entries) >= 150 // 2
    assert last & {("kernel149", "regular"), ("kernel149", "streaming")}
