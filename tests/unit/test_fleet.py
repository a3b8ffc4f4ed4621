"""A fleet is judged: what is slow, odd, flapping or silent is found, and what is sound is not."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import replace
from math import log
from pathlib import Path

import msgspec
import pytest
from stub_fleet import (
    FEW,
    RATES,
    SOUND,
    SOUND_FLEET,
    Faults,
    StubFleet,
    drifted_fleet,
    faulty_fleet,
    judged,
    stub_fleet,
)

from streamgage.analysis.statistics.outliers import (
    any_by_chance,
    bulk_of,
    false_discovery,
    student_tail,
)
from streamgage.errors import UsageError
from streamgage.records.node import (
    FleetRun,
    NodeDomain,
    NodeFigure,
    NodeLine,
    SilentNode,
    as_line,
    read_node_lines,
)
from streamgage.results.fleet.baseline import Baseline, baseline_of, read_baseline
from streamgage.results.fleet.document import Fleet, Verdict
from streamgage.results.fleet.drain import drain_commands, drain_lines, resume_commands, typed
from streamgage.results.fleet.findings import groups_in_classes
from streamgage.results.fleet.gather import Gathered, gather
from streamgage.results.fleet.judge import Rules, judge, suspects
from streamgage.results.fleet.nodes import folded, natural, unfolded
from streamgage.results.fleet.openmetrics import render as render_openmetrics
from streamgage.results.fleet.topology import topology_of
from streamgage.results.fleet.words import headline
from streamgage.results.kinds import decode_document, result_of, words_of
from streamgage.results.render import render_result
from streamgage.show.symbols import UNICODE
from streamgage.show.table import render
from streamgage.show.terminal import Terminal

TIME = "2026-11-25T12:00:00Z"


def node(host: str, gbps: float, **others: object) -> NodeLine:
    """A node whose kernels all have their usual share of ``gbps``, that of triad."""
    figures = [
        NodeFigure(kernel=kernel, gbps=gbps * rate / RATES["triad"], low=None, high=None, n=20)
        for kernel, rate in RATES.items()
    ]
    fields = {"time": TIME, "figures": figures, **SOUND, **others}
    return NodeLine(host=host, **fields)  # type: ignore[arg-type]


def sound(number: int, first: int = 1) -> list[NodeLine]:
    """Nodes that differ by half a percent, in a fixed order."""
    steps = (0, 3, -2, 5, -4, 1, -1, 4, -3, 2, -5)
    return [
        node(f"n{first + place}", 740.0 * (1 + 0.001 * steps[place % len(steps)]))
        for place in range(number)
    ]


def fleet_of(*lines: NodeLine | SilentNode | FleetRun, rules: Rules | None = None) -> Fleet:
    return judge(gather(lines), rules or Rules())


def verdicts(fleet: Fleet) -> dict[str, str]:
    return {each.host: each.verdict for each in fleet.nodes if each.verdict != "fine"}


def first_cause(fleet: Fleet, verdict: Verdict) -> str:
    """The most likely cause of the slowest node with that verdict."""
    return fleet.with_verdict(verdict)[0].causes[0].words


def hosts(nodes: Iterable[object]) -> list[str]:
    return sorted(each.host for each in nodes)  # type: ignore[attr-defined]


def text_of(fleet: Fleet, width: int = 100) -> str:
    return render(result_of(fleet).page, Terminal(width, False, UNICODE))


@pytest.mark.parametrize("seed", range(10))
def test_every_planted_fault_is_found_and_no_sound_node_is_accused(seed: int) -> None:
    planted = stub_fleet(1000, seed)
    fleet = judged(planted)
    assert hosts(fleet.with_verdict("slow")) == planted.slow
    assert hosts(fleet.with_verdict("flapping")) == planted.flapping
    assert hosts(fleet.silent) == planted.dead
    odd = [each for each in fleet.nodes if fleet.oddities_of(each)]
    assert hosts(odd) == planted.odd
    assert len(fleet.nodes) + len(fleet.silent) == fleet.asked == 1000


def test_a_slow_node_is_a_suspect_until_a_second_run_confirms_it() -> None:
    first = [*sound(40), node("n99", 600.0)]
    once = fleet_of(*first)
    assert verdicts(once) == {"n99": "suspect"}
    assert suspects(once) == ["n99"]
    twice = fleet_of(*first, node("n99", 605.0, attempt=2))
    assert verdicts(twice) == {"n99": "slow"}
    assert suspects(twice) == []
    [slow] = twice.with_verdict("slow")
    assert [run.attempt for run in slow.runs] == [1, 2]


def test_runs_that_disagree_beyond_chance_are_flapping() -> None:
    fleet = fleet_of(*sound(40), node("n99", 600.0), node("n99", 740.0, attempt=2))
    assert verdicts(fleet) == {"n99": "flapping"}
    [cause] = fleet.with_verdict("flapping")[0].causes
    assert cause.words == "triad: its runs disagree, 600.0 GB/s, 740.0 GB/s"


def test_a_small_effect_is_none_that_anybody_would_act_on() -> None:
    low = node("n999", 740.0 * 0.975)
    assert verdicts(fleet_of(*sound(200), low)) == {}
    assert verdicts(fleet_of(*sound(200), low, rules=Rules(limit=0.02))) == {"n999": "suspect"}


def test_samples_in_two_groups_are_flapping_though_their_median_is_fine() -> None:
    samples = [740.0, 741.0, 739.0] * 5 + [500.0, 501.0, 499.0, 502.0]
    figure = NodeFigure(kernel="triad", gbps=739.0, n=19, samples=samples)
    fleet = fleet_of(*sound(40), node("n99", 740.0, figures=[figure]))
    assert verdicts(fleet) == {"n99": "flapping"}
    assert "21 % of the samples" in first_cause(fleet, "flapping")


@pytest.mark.parametrize(
    ("disturbed", "said"),
    [
        ({"taken": 0.3}, "took 30 % of the CPUs"),
        ({"cpu_quota": 48.0}, "a CPU quota of 48 for 192 threads"),
    ],
)
def test_a_disturbed_run_does_not_accuse_a_node(disturbed: dict[str, float], said: str) -> None:
    fleet = fleet_of(*sound(40), node("n99", 400.0, **disturbed))
    assert verdicts(fleet) == {"n99": "cannot-tell"}
    assert said in first_cause(fleet, "cannot-tell")
    fine = fleet_of(*sound(40), node("n99", 740.0, **disturbed))
    assert verdicts(fine) == {}
    (finding,) = words_of(fine).findings
    assert (finding.code, finding.severity) == ("disturbed-node", "note")
    assert said in finding.text


def test_a_fleet_without_an_answer_is_not_quotable() -> None:
    silent = fleet_of(SilentNode(host="n1", why="died", reason="signal 9"))
    assert words_of(silent).trust.verdict == "not-quotable"
    assert headline(silent) == "Fleet: 0 of 1 nodes answered, none was judged"
    assert headline(fleet_of(*sound(3))).endswith("none was judged")


def test_a_fleet_whose_nodes_were_mostly_busy_is_not_quotable() -> None:
    busy = [msgspec.structs.replace(each, taken=0.7) for each in sound(40)[:21]]
    fleet = fleet_of(*busy, *sound(19, 22))
    assert words_of(fleet).trust.verdict == "not-quotable"
    assert words_of(fleet_of(*sound(40))).trust.verdict == "quotable"


def test_what_holds_most_nodes_of_a_class_disturbs_no_comparison() -> None:
    held = {"cpu_quota": 48.0, "warnings": ["confined"]}
    others = [msgspec.structs.replace(each, **held) for each in sound(40)]  # type: ignore[arg-type]
    assert verdicts(fleet_of(*others, node("n99", 600.0, **held))) == {"n99": "suspect"}
    alone = fleet_of(*sound(40), node("n99", 600.0, warnings=["confined"]))
    assert verdicts(alone) == {"n99": "cannot-tell"}


def test_what_is_usual_is_that_of_the_class_that_a_node_is_held_against() -> None:
    odd = node("n99", 600.0, governor="powersave", warnings=["confined"])
    fleet = fleet_of(*sound(40), odd)
    assert verdicts(fleet) == {"n99": "cannot-tell"}


def test_a_node_with_wrong_results_is_bad_however_fast_it_is() -> None:
    fleet = fleet_of(*sound(40), node("n99", 740.0, warnings=["invalid"]))
    assert verdicts(fleet) == {"n99": "wrong"}
    assert "1 with wrong results" in text_of(fleet)
    [line] = drain_lines(fleet, "slurm")
    assert 'nodename=n99 state=drain reason="streamgage: wrong results, triad 740.0' in line


def test_what_the_engine_warned_of_is_a_cause_of_a_slow_node_alone() -> None:
    warned = {"warnings": ["not-bound", "below-4x-rule"]}
    lines = [*sound(40), node("n98", 740.0, **warned), node("n99", 600.0, **warned)]
    sent = read_node_lines(map(as_line, lines), lambda _: None)
    fleet = judge(gather(sent), Rules())
    assert verdicts(fleet) == {"n99": "suspect"}
    document = json.loads(msgspec.json.encode(fleet))
    causes = {each["host"]: each.get("causes", []) for each in document["nodes"]}
    assert causes.pop("n99") == [
        {"code": "engine-warnings", "codes": ["not-bound", "below-4x-rule"]}
    ]
    assert not any(causes.values())
    assert "n99 600.0 GB/s, -18.9 %: the engine warns: not-bound, below-4x-rule" in text_of(fleet)


def test_the_slow_numa_domain_is_named() -> None:
    def domains(*slow: int) -> list[NodeDomain]:
        return [NodeDomain(number=n, gbps=46.0 if n in slow else 92.0) for n in range(8)]

    others = [msgspec.structs.replace(each, domains=domains()) for each in sound(40)]
    fleet = fleet_of(*others, node("n99", 690.0, domains=domains(5)))
    assert first_cause(fleet, "suspect") == "NUMA domain 5 has 46.0 of 92.0 GB/s"
    # An examination alone has no class to compare with: the other domains stand for it.
    alone = fleet_of(
        *sound(40), node("n99", 650.0), node("n99", 650.0, attempt=2, domains=domains(3))
    )
    assert first_cause(alone, "slow") == "NUMA domain 3 has 46.0 of 92.0 GB/s"


def test_a_setting_of_one_node_is_named_and_the_node_is_held_against_the_others() -> None:
    fleet = fleet_of(*sound(41), node("n99", 600.0, governor="powersave"))
    assert verdicts(fleet) == {"n99": "suspect"}
    assert first_cause(fleet, "suspect") == "governor powersave, 41 others performance"


def test_modules_that_are_missing_are_counted() -> None:
    missing = node("n99", 740.0 * 22 / 24, modules="22 x 32 GiB DDR5-4800", memory_bytes=704 << 30)
    fleet = fleet_of(*sound(41), missing)
    assert first_cause(fleet, "suspect").startswith("2 memory modules missing: 22 x")


def test_what_cannot_be_read_of_a_node_is_no_difference() -> None:
    fleet = fleet_of(*sound(41), node("n99", 600.0, modules=None, bios=None))
    assert [each.oddities for each in fleet.classes] == [[], []]
    assert verdicts(fleet) == {"n99": "suspect"}


def test_nodes_that_were_measured_differently_are_not_accused() -> None:
    fleet = fleet_of(*sound(41), node("n99", 600.0, array_bytes=1 << 20))
    assert verdicts(fleet) == {"n99": "cannot-tell"}


def test_nodes_of_two_kinds_are_two_classes() -> None:
    other = [
        msgspec.structs.replace(node(f"m{n}", 300.0 + n / 10), processor="Intel Xeon 6980P")
        for n in range(12)
    ]
    fleet = fleet_of(*sound(41), *other)
    assert [each.nodes for each in fleet.classes] == [41, 12]
    assert verdicts(fleet) == {}


def test_memory_sizes_that_hardly_differ_are_the_same() -> None:
    lines = [
        msgspec.structs.replace(each, memory_bytes=(768 << 30) - place * 4096, modules=None)
        for place, each in enumerate(sound(41))
    ]
    assert len(fleet_of(*lines).classes) == 1


def test_a_class_that_is_too_small_is_not_judged_but_what_is_obvious_is_said() -> None:
    few = [node(f"n{number}", 740.0 - number) for number in range(4)]
    assert set(verdicts(fleet_of(*few)).values()) == {"not-judged"}
    fleet = fleet_of(*few, node("n9", 400.0))
    assert verdicts(fleet)["n9"] == "suspect"
    assert "too few for statistics" in first_cause(fleet, "suspect")


def test_a_baseline_judges_a_class_that_is_too_small(tmp_path: Path) -> None:
    file = tmp_path / "baseline.json"
    file.write_bytes(baseline_of(fleet_of(*sound(41))))
    rules = Rules(baseline=read_baseline(file))
    few = [node("n1", 741.0), node("n2", 600.0), node("n2", 601.0, attempt=2)]
    fleet = fleet_of(*few, rules=rules)
    assert verdicts(fleet) == {"n2": "slow"}
    triad = next(each for each in fleet.classes[0].figures if each.kernel == "triad")
    assert triad.over_baseline == pytest.approx((741 + 600) / 2 / 740 - 1, abs=1e-3)


def test_a_baseline_of_other_hardware_or_settings_is_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "baseline.json"
    file.write_bytes(baseline_of(fleet_of(*sound(41))))
    baseline = read_baseline(file)
    other = [msgspec.structs.replace(each, processor="Xeon") for each in sound(3)]
    [note] = fleet_of(*other, rules=Rules(baseline=baseline)).notes
    assert note.startswith(
        "baseline.json is a baseline for other hardware: processor Xeon, not AMD"
    )
    newer = [msgspec.structs.replace(each, bios="2.0") for each in sound(3)]
    [note] = fleet_of(*newer, rules=Rules(baseline=baseline)).notes
    assert note == "baseline.json was made with other settings: BIOS 2.0, not 1.8."


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is not a baseline"),
        (b"{}", "is not a baseline"),
        (b'{"streamgage_baseline": 2}', "is a baseline of version 2, and this streamgage reads up"),
        (b'{"streamgage_baseline": 1, "classes": 3}', "is not a baseline"),
    ],
)
def test_what_is_no_baseline_is_refused(tmp_path: Path, content: bytes, said: str) -> None:
    file = tmp_path / "baseline.json"
    file.write_bytes(content)
    with pytest.raises(UsageError, match=said):
        read_baseline(file)


def test_no_baseline_is_made_of_too_few_nodes() -> None:
    with pytest.raises(UsageError, match="at least 8 equal nodes"):
        baseline_of(fleet_of(*sound(4)))
    assert isinstance(Baseline, type)


def test_silent_nodes_are_listed_with_their_reasons() -> None:
    run = FleetRun(nodes="n[1-43]", time=TIME, launcher="srun", deadline=60.0)
    silent = SilentNode(host="n42", why="died", reason="signal 9")
    fleet = fleet_of(run, *sound(41), silent)
    assert [(each.host, each.why) for each in fleet.silent] == [
        ("n42", "died"),
        ("n43", "no-answer"),
    ]
    assert "41 of 43 nodes answered" in text_of(fleet)
    answered = fleet_of(run, *sound(41), silent, node("n42", 740.0))
    assert hosts(answered.silent) == ["n43"]


def test_a_clock_that_is_wrong_is_named_and_changes_nothing() -> None:
    fleet = fleet_of(*sound(41), node("n99", 740.0, time="1970-01-01T00:00:12Z"))
    assert fleet.clocks == ["n99"]
    assert verdicts(fleet) == {}
    assert "Clock wrong" in text_of(fleet)


def test_a_node_that_was_faster_is_named_with_when() -> None:
    fleet = drifted_fleet()
    drifted = [each for each in fleet.nodes if each.drift is not None]
    assert len(drifted) == 2
    assert all(each.drift.since.startswith("2026-03-12") for each in drifted if each.drift)
    assert all(-0.09 < each.drift.effect < -0.07 for each in drifted if each.drift)


def test_two_groups_in_a_class_are_a_finding() -> None:
    lines = sound(30) + [node(f"m{n}", 660.0 * (1 + n / 5000)) for n in range(20)]
    fleet = fleet_of(*lines)
    [found] = fleet.classes
    assert found.two_groups is not None
    assert found.two_groups.slow_share == 0.4
    [finding] = groups_in_classes(fleet)
    assert "near 661.3 GB/s on 40 % of the nodes" in finding.text


@pytest.mark.parametrize("nodes", [1, 8, 100, 3000])
@pytest.mark.parametrize("width", [80, 100])
def test_a_terminal_shows_any_fleet_in_thirty_lines(nodes: int, width: int) -> None:
    many = Faults(nodes // 10, nodes // 12, nodes // 50, 3) if nodes >= 100 else SOUND_FLEET
    text = text_of(judged(stub_fleet(nodes, 1, many)), width)
    assert text.count("\n") <= 30
    assert max(map(len, text.splitlines())) <= width


def test_lines_that_drain_hold_nothing_that_a_shell_reads() -> None:
    fleet = faulty_fleet()
    commands = drain_commands(fleet, "slurm")
    assert [words[2] for words in commands] == [
        f"nodename={each.host}" for each in fleet.with_verdict("slow")
    ]
    for line in drain_lines(fleet, "slurm"):
        assert re.fullmatch(
            r'scontrol update nodename=\S+ state=drain reason="streamgage: triad[^"$`\\!]*"', line
        )


def test_the_document_is_read_as_it_was_written() -> None:
    fleet = faulty_fleet()
    text = render_result(result_of(fleet), "json")
    assert decode_document(text.encode(), "fleet.json") == fleet


def test_the_page_of_a_browser_has_histogram_and_map() -> None:
    from streamgage.show.traces import drawings

    rules = Rules(place=topology_of("r{rack}n{node}"))
    fleet = judged(stub_fleet(300, 1, FEW), rules)
    histogram, heat = map(drawings, result_of(fleet).page.plots)
    bars = [sum(trace["y"]) for trace in histogram[0].traces]
    assert sum(bars) == fleet.classes[0].nodes
    assert bars[1] == sum(each.verdict != "fine" and each.group == 0 for each in fleet.nodes)
    [trace] = heat[0].traces
    assert trace["y"] == ["r000", "r001", "r002"]
    assert sum(each is not None for row in trace["z"] for each in row) == len(fleet.nodes)


@pytest.mark.parametrize(
    ("pattern", "host", "place"),
    [
        ("r{rack}n{node}", "r12n03", "r12"),
        ("x{rack}c{chassis}s{slot}b0n{node}", "x1000c3s5b0n1", "x1000c3s5"),
        ("{rack}{node}", "a12", "a"),
        ("r{rack}n{node}", "login1", None),
    ],
)
def test_a_pattern_of_names_gives_the_place(pattern: str, host: str, place: str | None) -> None:
    assert topology_of(pattern)(host) == place


def test_slurms_topology_gives_the_leaf_switch(tmp_path: Path) -> None:
    file = tmp_path / "topology.conf"
    file.write_text(
        "# two switches\nSwitchName=s0 Nodes=n[0-15]\n"
        "SwitchName=s1 \\\n Nodes=n[16-31] LinkSpeed=9\n"
        "SwitchName=top Switches=s[0-1]\nBlockName=b1 Nodes=g[1-4]\n"
    )
    place = topology_of(str(file))
    assert [place(host) for host in ("n3", "n16", "g4", "x")] == ["s0", "s1", "b1", None]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("/nowhere/topology.conf", "cannot be read"),
        ("n{node}", "names no place"),
        ("{a}x{a}", "has a field twice"),
    ],
)
def test_a_topology_that_is_none_is_refused(given: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        topology_of(given)


def test_names_are_folded_and_unfolded_without_groups_or_bombs() -> None:
    assert folded(["n3", "n1", "n2", "m7"]) == "m7,n[1-3]"
    assert folded([f"n{2 * n}" for n in range(50)], 20) == "n[0,2,4,6,8,10,...]"
    assert unfolded("The list", "n[1-3,7]") == ("n1", "n2", "n3", "n7")
    for wrong in ("n[1-", "n[1-99999999]", "n[1-9999][1-9999]"):
        with pytest.raises(UsageError):
            unfolded("The list", wrong)


def test_names_are_ordered_by_their_numbers() -> None:
    assert sorted(["n10", "n9", "a1", "n"], key=natural) == ["a1", "n", "n9", "n10"]


@pytest.mark.parametrize(
    ("freedom", "t", "tail"),
    [(3, 5.841, 0.005), (5, 5.893, 0.001), (10, 4.144, 0.001), (30, 3.385, 0.001)],
)
def test_students_tail_is_that_of_the_tables(freedom: float, t: float, tail: float) -> None:
    assert student_tail(t, freedom) == pytest.approx(tail, rel=0.12)
    assert student_tail(-t, freedom) == pytest.approx(1 - tail, rel=1e-3)


def test_shares_of_false_ones_are_those_of_benjamini_and_hochberg() -> None:
    assert false_discovery([0.01, 0.04, 0.03, 0.5]) == pytest.approx(
        [0.04, 0.16 / 3, 0.16 / 3, 0.5]
    )
    assert any_by_chance([0.01, 0.5, 0.02], 100) == pytest.approx([1.0, 1.0, 1.0])
    assert any_by_chance([1e-4, 2e-4], 100) == pytest.approx([0.01, 0.0198])


def test_a_minority_does_not_move_the_bulk() -> None:
    values = [log(740.0 * (1 + n / 1000)) for n in range(-5, 6)]
    moved = bulk_of([*values, log(100.0), log(90.0)], 0.0)
    assert moved.middle == pytest.approx(log(740.0), abs=2e-3)
    assert moved.lower_tail(log(600.0)) < 1e-4 < moved.lower_tail(log(735.0))


def test_lines_of_later_runs_come_in_any_order() -> None:
    lines = [node("n99", 605.0, attempt=2), *sound(40), node("n99", 600.0)]
    fleet = fleet_of(*lines)
    assert [run.attempt for run in fleet.with_verdict("slow")[0].runs] == [1, 2]


def test_an_empty_fleet_has_a_page() -> None:
    fleet = judge(Gathered(silent={"n1": SilentNode(host="n1", why="not-started")}))
    assert text_of(fleet).startswith(" NOT QUOTABLE: no node answered.\n")
    assert isinstance(replace(StubFleet([]), slow=["n1"]), StubFleet)


@pytest.mark.parametrize(
    ("scheduler", "first", "back"),
    [
        ("slurm", "scontrol update nodename=", "scontrol update nodename=n7 state=resume"),
        ("pbs", 'pbsnodes -o -C "streamgage: ', "pbsnodes -r -C '' n7"),
        ("flux", "flux resource drain ", "flux resource undrain n7"),
        ("kubernetes", "kubectl cordon ", "kubectl uncordon n7"),
    ],
)
def test_each_scheduler_drains_for_a_reason_and_puts_back_what_is_fine(
    scheduler: str, first: str, back: str
) -> None:
    fleet = fleet_of(*sound(40), node("n99", 600.0), node("n99", 605.0, attempt=2))
    lines = drain_lines(fleet, scheduler)
    assert lines[0].startswith(first)
    assert any("streamgage: triad 600.0 GB/s" in each for each in lines)
    resumed = [typed(each) for each in resume_commands(fleet, ["n7", "n99", "x1"], scheduler)]
    assert resumed[0] == back
    assert not any("n99" in each or "x1" in each for each in resumed)


def test_thirty_slow_nodes_are_on_the_screen_with_the_worst_losses() -> None:
    text = text_of(judged(stub_fleet(1000, 3)), 80)
    (losses,) = [each for each in text.splitlines() if " more to -" in each]
    assert re.search(r"r\d+n\d+ -\d+%, r\d+n\d+ -\d+%, .*\d+ more to -\d+%", losses)


def test_a_fleet_reaches_a_monitoring_system() -> None:
    from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse

    fleet = judged(stub_fleet(100, 1, FEW))
    families = {each.name: each for each in parse(render_openmetrics(fleet))}
    of_nodes = {
        each.labels["verdict"]: each.value for each in families["streamgage_fleet_nodes"].samples
    }
    assert of_nodes["slow"] == len(fleet.with_verdict("slow")) > 0
    assert of_nodes["silent"] == len(fleet.unanswered()) > 0
    verdicts_of = families["streamgage_fleet_verdict"].samples
    assert {each.labels["host"]: each.labels["verdict"] for each in verdicts_of} == {
        **{each.host: each.verdict for each in fleet.nodes},
        **{each.host: "silent" for each in fleet.unanswered()},
    }
