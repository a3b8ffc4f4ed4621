"""Fleets judged by what STREAM printed on each node."""

from __future__ import annotations

from pathlib import Path

import pytest
from foreign_outputs import stream_table
from pastes import ROW, mixed

from streamgage.commands.fleet_judge import gathered
from streamgage.errors import UsageError
from streamgage.measurement.notes import Notes
from streamgage.results.fleet.document import Fleet
from streamgage.results.fleet.judge import judge

SLOW = "node07"
NODES = {
    f"node{n:02d}": stream_table(
        *(rate * (0.7 if n == 7 else 1 + 0.002 * (n % 5)) for rate in (84.3, 85.7, 94.4, 94.1))
    )
    for n in range(1, 17)
}


def judged(*files: Path) -> Fleet:
    return judge(gathered([str(each) for each in files], Notes(False)))


def verdicts(fleet: Fleet) -> dict[str, str]:
    return {each.host: each.verdict for each in fleet.nodes}


@pytest.mark.parametrize(
    "label",
    ["{}: ", "[pod/{}/main] ", "logs/{}.log:", "./{}/stream.out:", "Nov 28 10:00:00 {} s[1]: "],
)
@pytest.mark.parametrize("rows", [False, True], ids=["whole", "triad"])
def test_labelled_outputs_of_many_nodes(tmp_path: Path, label: str, rows: bool) -> None:
    texts = {n: f"{[*ROW.finditer(t)][-1][0]}\n" if rows else t for n, t in NODES.items()}
    file = tmp_path / "all.txt"
    file.write_text(mixed(texts, label), "utf-8")
    fleet = judged(file)
    assert set(verdicts(fleet)) == set(NODES)
    slow = [host for host, verdict in verdicts(fleet).items() if verdict in ("slow", "suspect")]
    assert slow == [SLOW]
    assert fleet.kernel == "triad"


def test_a_file_a_node(tmp_path: Path) -> None:
    files = []
    for node, text in NODES.items():
        files.append(tmp_path / f"{node}.log")
        files[-1].write_text(text, "utf-8")
    assert set(verdicts(judged(*files))) == set(NODES)


def test_nodes_that_dshbak_folds_are_nodes_each(tmp_path: Path) -> None:
    rule = "-" * 16
    file = tmp_path / "folded.txt"
    text = f"{rule}\nnode[01-06]\n{rule}\n{NODES['node01']}{rule}\nnode07\n{rule}\n{NODES[SLOW]}"
    file.write_text(text, "utf-8")
    assert set(verdicts(judged(file))) == {f"node0{n}" for n in range(1, 8)}


def test_tasks_are_named_as_tasks(tmp_path: Path) -> None:
    file = tmp_path / "tasks.txt"
    file.write_text(mixed(NODES, "{n}: "), "utf-8")
    assert set(verdicts(judged(file))) == {f"task-{n}" for n in range(16)}


def test_runs_of_one_node_are_its_attempts(tmp_path: Path) -> None:
    file = tmp_path / "twice.txt"
    file.write_text(mixed(NODES, "{}: ") + mixed(NODES, "{}: ", 1), "utf-8")
    fleet = judged(file)
    assert {len(each.runs) for each in fleet.nodes} == {2}


def test_wrong_results_of_a_node_are_no_rate(tmp_path: Path) -> None:
    texts = NODES | {"node03": stream_table(84.3, 85.7, 94.4, 94.1, passed=False)}
    file = tmp_path / "wrong.txt"
    file.write_text(mixed(texts, "{}: "), "utf-8")
    assert verdicts(judged(file))["node03"] == "wrong"


def test_a_table_without_a_name_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "my stream.txt"
    file.write_text(NODES["node01"], "utf-8")
    with pytest.raises(UsageError, match="names no node: put the name of each node before"):
        judged(file)


def test_a_refusal_names_the_line_that_stopped_it(tmp_path: Path) -> None:
    file = tmp_path / "all.txt"
    texts = {n: ROW.sub(lambda row: f"{row['kernel']}: n/a", t) for n, t in NODES.items()}
    file.write_text(mixed(texts, "{}: "), "utf-8")
    with pytest.raises(UsageError, match=r"line [0-9]+ has 'n/a' where a figure should be"):
        judged(file)


def test_text_of_no_benchmark_is_refused_as_before(tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear all,\nthe nodes are fine.\n", "utf-8")
    with pytest.raises(UsageError, match="has no line of a node"):
        judged(file)


def test_nodes_whose_output_has_no_table_gave_no_result(tmp_path: Path) -> None:
    texts = {host: text for host, text in NODES.items() if host not in ("node03", "node05")}
    rates = ROW.sub(lambda row: f"{row['kernel']}: n/a", NODES["node05"])
    file = tmp_path / "all.txt"
    file.write_text(
        mixed(texts | {"node05": rates}, "{}: ")
        + "node03: ./stream: not found\nsrun: error: node03: task 2: Exited with exit code 127\n",
        "utf-8",
    )
    fleet = judged(file)
    reasons = {each.host: each.reason for each in fleet.unanswered()}
    assert set(reasons) == {"node03", "node05"}
    assert reasons["node03"] == "./stream: not found"
    assert not fleet.all_fine()


def test_a_file_without_a_table_is_a_node_without_a_result(tmp_path: Path) -> None:
    files = []
    for node, text in NODES.items():
        files.append(tmp_path / f"{node}.log")
        files[-1].write_text("Segmentation fault\n" if node == "node03" else text, "utf-8")
    assert [each.host for each in judged(*files).unanswered()] == ["node03"]


def test_a_run_of_which_no_node_answered_is_a_fleet(tmp_path: Path) -> None:
    file = tmp_path / "stopped.jsonl"
    file.write_text('{"record":"fleet","nodes":"n[1-5]","time":"2026-10-03T02:00:00Z"}\n', "utf-8")
    fleet = judged(file)
    assert len(fleet.unanswered()) == 5 and not fleet.all_fine()
