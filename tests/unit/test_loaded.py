"""Results from wherever they come: what is there is shown, and what is missing is said."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from socket import gethostname
from typing import Any

import msgspec
import pytest
from example_check import slow_check
from example_compilers import compared
from example_ladder import ladder_of
from example_ladder import machine_of as ladder_machine
from example_ladder import machine_of as latency_machine
from example_latency import latencies_of, latency_records
from example_numa import machine_of as numa_machine
from example_numa import matrix_of
from example_program import program_of
from example_records import as_lines, good_records, good_run
from example_repeat import settings_of
from example_results import transfers
from example_scale import machine_of, scaling_of
from example_study import saturating, study_of
from example_traffic import watched
from foreign_outputs import STREAM
from hypothesis import given
from hypothesis import strategies as st
from store_results import keep
from stub_fleet import SOUND_FLEET, faulty_fleet, stub_fleet

from streamgage.analysis.statistics.rounds import FreshRun
from streamgage.commands.load import load
from streamgage.errors import UsageError
from streamgage.records import Machine
from streamgage.records.run import collect
from streamgage.records.spool_folder import file_name, runs_for
from streamgage.results.document import Document
from streamgage.results.kinds import NAMES, decode_document, kind_of, result_of
from streamgage.results.measure.judge import judge_measure
from streamgage.results.render import render_result
from streamgage.results.repeat.judge import judge_repeat
from streamgage.results.result import Result
from streamgage.results.summarise import summary_of
from streamgage.store.load import load_all, load_content, load_file
from streamgage.store.transfer import remove_results

LINES = as_lines(good_records())
STREAM_REPEATED = [FreshRun("cores", number, good_run(), None, None) for number in (1, 2)]
DOCUMENTS: list[Document] = [
    judge_measure(collect(good_records())).document,
    scaling_of(machine_of(), ("compact",), (1, 2)),
    ladder_of(ladder_machine(), ("sequential",)),
    latencies_of(),
    judge_repeat(STREAM_REPEATED, settings_of("cores"), rounds=2, seed=1),
    matrix_of(numa_machine(2)),
    compared(),
    study_of(lambda n: 1 / saturating(n)),
    program_of(lambda n: 1 / saturating(n)),
    faulty_fleet(),
    slow_check(),
    transfers(),
    watched(machine_of(), latencies_of()),
]


def loaded(content: bytes, notes: list[str] | None = None) -> Result[Any]:
    return load_content(content, "it", "it.x", (notes if notes is not None else []).append)


def shown(result: Result[Any], form: str = "table") -> str:
    return render_result(result, form)


def name_of(document: Document) -> str:
    return kind_of(document).name


def test_there_is_a_document_of_every_kind() -> None:
    assert sorted(map(name_of, DOCUMENTS)) == sorted(NAMES)


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_a_document_is_known_by_its_fields_and_shown_again(document: Document) -> None:
    content = msgspec.json.encode(document)
    found = loaded(content)
    assert found.document == document
    assert (found.records, found.partial, dict(found.files)) == (None, None, {"it.x": content})
    for form in ("table", "csv", "markdown"):
        assert shown(found, form).strip()
    assert loaded(shown(found, "json").encode()).document == document
    indented = msgspec.json.format(content, indent=4)
    assert loaded(indented).document == document


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_what_is_listed_of_a_document_is_in_it(document: Document) -> None:
    summary = summary_of(result_of(document), partial=False)
    assert (summary.kind, summary.state) == (name_of(document), "complete")
    assert (document.machine is None) == (summary.kind in ("fleet", "links"))
    assert summary.host == (document.machine.host if document.machine else None)
    rates = list(kind_of(document).rates(document))
    assert bool(rates) == (summary.kind not in ("latency", "links", "traffic"))
    for rate in rates:
        assert rate.median_gbps is not None and rate.median_gbps > 0
        assert (rate.low_gbps or 0) <= rate.median_gbps <= (rate.high_gbps or 1e9)


def test_a_format_that_a_kind_has_not_is_refused() -> None:
    with pytest.raises(
        UsageError, match="'dat' is not available for a result of measure --runs: use table, json"
    ):
        shown(loaded(msgspec.json.encode(DOCUMENTS[4])), "dat")
    with pytest.raises(UsageError, match="A document has no samples to print as STREAM does"):
        shown(loaded(msgspec.json.encode(DOCUMENTS[0])), "stream")


def test_records_and_outputs_are_judged_anew() -> None:
    run = loaded(LINES)
    assert run.records is not None and run.run.samples and run.partial is None
    output = loaded(STREAM.encode())
    assert output.records is not None and output.run.reported is not None
    assert (output.kind.name, output.partial) == ("measure", None)
    assert "STREAM" in shown(output)


def test_records_of_latency_give_its_answer() -> None:
    found = loaded(as_lines(latency_records(latency_machine())))
    assert found.kind.name == "latency"
    assert "memory" in shown(found)


@given(st.integers(0, len(LINES)))
def test_every_prefix_of_records_shows_what_it_has_or_says_that_it_has_nothing(end: int) -> None:
    check_prefix(end)


def test_so_does_every_prefix_that_ends_beside_the_end_of_a_line() -> None:
    ends = [at for at, each in enumerate(LINES) if each == ord("\n")]
    assert len(ends) > 100
    for at in ends[::2]:
        for end in (at - 1, at, at + 1):
            check_prefix(end)


def check_prefix(end: int) -> None:
    notes: list[str] = []
    try:
        found = loaded(LINES[:end], notes)
    except UsageError as error:
        assert "it " in str(error) and "\n" not in str(error)
        assert end < LINES.index(b"\n") or end == 0, "the first record is whole"
        return
    assert shown(found).strip()
    if end >= len(LINES) - 1:  # but for the last newline it is whole
        assert (found.partial, notes) == (None, [])
    else:
        assert found.partial is not None and "stop early" in found.partial
        cut = not LINES[:end].endswith(b"\n") and LINES[end : end + 1] != b"\n"
        assert bool(notes) == cut, "a line that is cut off is told"


@given(st.integers(0, len(LINES) - 1), st.binary(min_size=1, max_size=8))
def test_damage_in_the_middle_is_told_and_costs_no_more_than_its_lines(
    at: int, damage: bytes
) -> None:
    notes: list[str] = []
    content = LINES[:at] + damage + LINES[at + len(damage) :]
    try:
        found = loaded(content, notes)
    except UsageError as error:
        assert "\n" not in str(error)
        return
    assert shown(found).strip()
    if notes:
        assert found.partial is not None


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "it is empty"),
        (b" \n", "it is empty"),
        (b"{", "it is not a complete JSON document"),
        (b"[1]", "it holds no result of streamgage: name what a command"),
        (b'{"n": 3}', "it holds no result of streamgage"),
        (b"[" * 100_000, "it is not a complete JSON document"),
        (b'{"record":"machine"', "it has no complete record"),
        (b"nonsense", "it is neither a result of streamgage nor the output of a known benchmark"),
        (b"\x00\x01", "it is neither a result"),
        (b"\xff\xfe", "it is neither a result"),
        (b"".join(stub_fleet(10, 1, SOUND_FLEET).lines), "it has the lines of a fleet's nodes"),
    ],
)
def test_what_is_no_result_is_one_sentence(content: bytes, said: str) -> None:
    with pytest.raises(UsageError) as refused:
        loaded(content)
    assert str(refused.value).startswith(said)


def test_what_a_newer_streamgage_wrote_is_refused() -> None:
    record = json.loads(LINES.splitlines()[0])
    newer = json.dumps({**record, "schema": 99, "news": 1}).replace('{"record": ', '{"record":')
    with pytest.raises(UsageError, match="it: These records are of version 99"):
        loaded(newer.encode() + b"\n" + LINES.partition(b"\n")[2])
    document = json.loads(msgspec.json.encode(DOCUMENTS[1]))
    document["machine"]["schema"] = 99
    with pytest.raises(UsageError, match="it is of version 99, and this streamgage reads up to"):
        decode_document(json.dumps(document).encode(), "it")


def test_a_document_with_a_wrong_field_is_told_with_its_place() -> None:
    document = json.loads(msgspec.json.encode(DOCUMENTS[1]))
    document["rounds"] = "three"
    with pytest.raises(UsageError, match=r"it is not a readable result \(.*\$\.rounds"):
        loaded(json.dumps(document).encode())


def test_texts_of_others_give_a_terminal_no_orders() -> None:
    evil = "\x1b[2J\x9b1m \x07 \x7f"
    records = [
        msgspec.structs.replace(each, processor=evil) if isinstance(each, Machine) else each
        for each in good_records()
    ]
    run = loaded(as_lines(records))
    document = loaded(msgspec.json.encode(judge_measure(collect(records)).document))
    for found in (run, document):
        assert found.document.machine is not None
        text = found.document.machine.processor
        assert text is not None and "[2J" in text and not set(text) & set("\x1b\x9b\x07\x7f")
        assert "[2J" in shown(found) and not set(shown(found)) & set("\x1b\x9b\x07\x7f")


def test_results_are_named_by_number_by_last_or_by_file(tmp_path: Path) -> None:
    store = keep(tmp_path / "store", good_records(), good_records()[:-1])
    file = tmp_path / "7"
    file.write_bytes(LINES)
    names = ["1", "last", "last-1", str(file)]
    found = load_all(names, store, print)
    assert [each.name for each in found] == ["run 1", "run 2", "run 1", str(file)]
    assert [each.partial is None for each in found] == [True, False, True, True]
    assert [each.number for each in found] == [1, 2, 1, None]


@pytest.mark.parametrize("name", ["run 1.json", "run 1"])
def test_a_file_is_not_taken_for_the_kept_run_whose_name_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    store = keep(tmp_path / "store", good_records())
    Path(name).write_bytes(LINES)
    run = load(name, store=store)
    assert (run.name, run.number) == (name, None)
    assert load(1, store=store).number == 1
    assert load("last", store=store).number == 1


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("3", "There is no result 3 in .*: the nearest are 1 and 2; `streamgage history --store "),
        ("0", "There is no result 0"),
        ("999999999999999999", "the nearest are 1 and 2"),
        ("last-2", "last-2 is older than every result in"),
        ("lasst", "lasst cannot be read: No such file or directory; name a file with a result"),
        ("-1", "-1 cannot be read"),
    ],
)
def test_a_name_of_nothing_is_told_with_what_there_is(tmp_path: Path, name: str, said: str) -> None:
    store = keep(tmp_path / "store", good_records(), good_records()[:-1])
    with pytest.raises(UsageError, match=said):
        load_all([name], store, print)


def test_what_a_run_without_figures_left_makes_no_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    store = tmp_path / "store"
    left = runs_for(store) / file_name(datetime(2026, 1, 31, tzinfo=UTC), gethostname(), 2**22 + 1)
    left.parent.mkdir(parents=True)
    left.touch()
    with pytest.raises(UsageError, match=r"No result is stored in .*: measure first"):
        load_all(["last"], store, print)
    assert not store.exists() and not left.exists()


def test_an_empty_memory_is_told(tmp_path: Path) -> None:
    for store in (tmp_path / "store", keep(tmp_path / "emptied", good_records())):
        if store.exists():
            remove_results(["last"], store, print)
        with pytest.raises(UsageError, match=r"No result is stored in .*: measure first"):
            load_all(["last"], store, print)
    with pytest.raises(UsageError, match="cannot be read: Is a directory"):
        load_file(tmp_path, print)
