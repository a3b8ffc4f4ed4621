"""How watched traffic is shown, against small files that were read and approved."""

from __future__ import annotations

import csv
import dataclasses
import io
import re
from pathlib import Path

import msgspec
import pytest
from example_traffic import COUNTERS, NO_SOURCE, calibration, domain, interval, of_one, of_two
from golden import approved
from rich.console import Console
from rich.live import Live

from streamgage.programs.traffic import sources
from streamgage.programs.traffic.bars import bar, course, marks_for, of_whole
from streamgage.programs.traffic.judge import Limits, Watch, traffic_of
from streamgage.programs.traffic.live import LiveView, line
from streamgage.programs.traffic.plot import draw
from streamgage.programs.traffic.rates import seen_interval
from streamgage.programs.traffic.summary import render
from streamgage.programs.traffic.trust import Trial
from streamgage.records import DomainTraffic, Interval
from streamgage.results.traffic.data import data_of
from streamgage.results.traffic.document import Ceiling, Rates, TrafficResult, Trust
from streamgage.show.csv import render as csv_text
from streamgage.show.picture import picture_bytes
from streamgage.show.picture_file import is_picture
from streamgage.show.symbols import ASCII, UNICODE, Symbols

change = msgspec.structs.replace

PHASES = [(10.0, 2.0)] * 3 + [(60.0, 5.0)] * 6 + [(40.0, 38.0)] * 5
CEILING = Ceiling(
    gbps=128.0,
    kernel="triad",
    store="streaming",
    evidence="inferred",
    threads=16,
    time="2026-01-31T12:00:00Z",
    file="20260131T120000Z-node7-4711.jsonl",
    limit="memory",
)
TRIAL = Trial(calibration(), CEILING.time, CEILING.file)
LIMITS = Limits(ceiling=CEILING, peak_gbps=140.8, peak_detail="--peak", trial=TRIAL)
BELIEVED = Trust(state="calibrated", text="perf uncore_imc was calibrated")
DOUBTED = Trust(state="not-calibrated", text="run streamgage measure once")
REPLAYED = Trust(state="replayed", text="replayed")
REFUSED = Trust(state="impossible", text="it shows 300 GB/s")


def watched(
    intervals: list[Interval],
    *,
    replayed: bool = False,
    limits: Limits = LIMITS,
    source: str = "perf uncore_imc",
) -> TrafficResult:
    watch = Watch(
        source=source,
        replayed=replayed,
        intervals=intervals,
        command=None if replayed else ["./solver", "-n", "4"],
        exit_status=None if replayed else 0,
    )
    of_another = Limits(ceiling_reason="a replayed recording is not of this machine")
    return traffic_of(watch, of_another if replayed else limits)


def change_limits(**changed: object) -> Limits:
    return dataclasses.replace(LIMITS, **changed)  # type: ignore[arg-type]


def troubled() -> TrafficResult:
    """A package is lost in the middle, the counters took turns, and the watch ended early."""
    intervals = [change(each, running_share=0.5) for each in of_two((9.0, 3.0), (9.0, None))]
    return change(watched(intervals), failure="perf uncore_imc no longer reports traffic: EIO")


@pytest.mark.parametrize("width", [60, 100])
def test_the_summary_beside_a_program(width: int) -> None:
    text = render(watched(of_two(*PHASES)), width, UNICODE)
    approved(f"traffic-{width}.txt", text)
    assert max(map(len, text.splitlines())) <= width


def test_the_summary_of_a_recording_in_ascii() -> None:
    text = render(watched(of_two(*PHASES), replayed=True), 80, ASCII)
    approved("traffic-replayed-ascii.txt", text)
    assert text.isascii()
    assert text.startswith(" REPLAYED")


def test_the_summary_of_what_went_wrong() -> None:
    approved("traffic-troubled.txt", render(troubled(), 100, UNICODE))


def test_what_is_not_known_is_never_shown_as_0() -> None:
    text = render(watched(of_one(None, None)), 100, UNICODE)
    row = next(each for each in text.splitlines() if each.startswith(" package 0"))
    assert row.split()[2:] == ["n/a"] * 5
    assert "0.00" not in text


def test_a_watch_of_nothing_is_shown() -> None:
    assert "0 intervals" in render(watched([]), 100, UNICODE)
    assert csv_text(data_of(watched([]))).count("\n") == 1
    assert picture_bytes(draw(watched([])), Path("x.svg"))


@pytest.mark.parametrize("symbols", [UNICODE, ASCII])
def test_the_course_has_a_column_an_interval_until_there_is_no_room(symbols: Symbols) -> None:
    marks = marks_for(symbols)
    seen = of_whole([seen_interval(each) for each in of_one(0.0, 50.0, None, 100.0)])
    text, full = course(seen, 80, marks)
    assert (len(text), full) == (4, 100.0)
    assert (text[0], text[2], text[3]) == (marks.levels[0], marks.lost, marks.levels[-1])
    assert course(seen, 2, marks)[1] == 100.0
    assert course([], 10, marks) == ("", 0.0)


def test_bars_tell_reads_and_writes_apart() -> None:
    marks = marks_for(ASCII)
    rates = Rates(read_gbps=60.0, written_gbps=20.0, total_gbps=80.0)
    assert bar(rates, 100.0, 10, marks) == ("######", "==")
    assert bar(change(rates, read_gbps=None), 100.0, 10, marks) == ("########", "")
    assert bar(change(rates, total_gbps=None), 100.0, 10, marks) == ("", "")
    assert bar(rates, 0.0, 10, marks) == ("", "")


def test_a_line_an_interval() -> None:
    (each,) = of_two((30.0, None))
    names = ["package 0", "package 1"]
    assert line(seen_interval(each), names, BELIEVED) == (
        "1.00 s: package 0 40.0 GB/s (reads 30.0, writes 10.0; 75 % reads, 25 % writes);"
        " package 1 n/a GB/s; together n/a GB/s"
    )
    assert line(seen_interval(each), names, REPLAYED).startswith("REPLAYED 1.00 s: ")
    assert line(seen_interval(each), names, DOUBTED).startswith("NOT CALIBRATED 1.00 s: ")
    assert line(seen_interval(each), names, REFUSED).startswith("NOT BELIEVED 1.00 s: ")


def test_csv_is_a_line_an_interval_and_domain() -> None:
    seen = watched(of_two((30.0, 3.0), (30.0, None)), replayed=True)
    text = csv_text(data_of(seen))
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [(row["start_seconds"], row["domain"]) for row in rows] == [
        ("0", "package 0"),
        ("0", "package 1"),
        ("1", "package 0"),
        ("1", "package 1"),
    ]
    assert (rows[0]["read_gbps"], rows[0]["written_gbps"], rows[0]["total_gbps"]) == (
        *("30", "10", "40"),
    )
    assert rows[0]["read_share"] == "0.75"
    assert (rows[3]["total_gbps"], rows[3]["reason"]) == ("", "its CPU went offline")
    assert {row["replayed"] for row in rows} == {"true"}
    assert {row["calibration"] for row in rows} == {"replayed"}


DRAWN = 2
"""How often the view is drawn: once more when it ends."""


def live(
    intervals: list[Interval],
    trust: Trust = BELIEVED,
    width: int = 100,
    *,
    height: int = 40,
    symbols: Symbols = UNICODE,
) -> str:
    console = Console(
        file=io.StringIO(), width=width, height=height, force_terminal=True, color_system=None
    )
    with console.capture() as shown, Live(console=console, auto_refresh=False) as screen:
        view = LiveView(screen, symbols)
        seen = [seen_interval(each) for each in intervals]
        view.add(COUNTERS.source or "", ["package 0", "package 1"], seen, trust)
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.get())


def test_the_live_view_has_a_bar_a_domain_and_the_course() -> None:
    text = live(of_two((30.0, 3.0), (30.0, 15.0)))
    assert "Memory traffic · perf uncore_imc · 2 s · Ctrl-C ends" in text
    assert re.search(r"package 0  █+▒+ +30\.0 \+ 10\.0 += +40\.0 GB/s", text)
    assert re.search(r"together .* 45\.0 \+ 15\.0 += +60\.0 GB/s", text)
    assert "a full bar is 40.0 GB/s" in text
    assert "REPLAYED" not in text
    assert "REPLAYED" in live(of_two((30.0, 3.0)), REPLAYED)


def test_the_live_view_has_the_course_and_the_mix_of_each_domain() -> None:
    text = live(of_two((30.0, 3.0), (15.0, 30.0)))
    assert re.search(r"75 % reads, 25 % writes  █▅\s*\n", text)  # package 0
    assert re.search(r"75 % reads, 25 % writes  ▂█\s*\n", text)  # package 1
    assert text.count("75 % reads, 25 % writes") == 3 * DRAWN  # and together


def test_a_low_terminal_has_the_course_of_all_together_alone() -> None:
    text = live(of_two((30.0, 3.0), (15.0, 30.0)), height=12)
    assert text.count("75 % reads, 25 % writes") == DRAWN
    assert "a full column" in text


def test_the_live_view_is_ascii_where_the_terminal_is() -> None:
    assert live(of_two((30.0, 3.0), (15.0, 30.0)), symbols=ASCII).isascii()


def local(package: int, total: float, near: float | None) -> DomainTraffic:
    return change(domain(package, total, None), bytes_local=None if near is None else near * 1e9)


def test_local_and_remote_traffic_are_shown_where_the_source_tells() -> None:
    (each,) = [interval(0.0, local(0, 8.0, 6.0), local(1, 2.0, 1.5))]
    seen = watched([each], source="resctrl")
    assert seen.whole.average.local_share == pytest.approx(0.75)
    text = render(seen, 100, UNICODE)
    assert re.search(r" package 0  75 % local, 25 % remote  █+▒+\n", text)
    assert "% reads" not in text  # which resctrl cannot tell from writes
    assert "75 % local, 25 % remote" in line(
        seen_interval(each), ["package 0", "package 1"], BELIEVED
    )
    rows = list(csv.DictReader(io.StringIO(csv_text(data_of(seen)))))
    assert [row["local_gbps"] for row in rows] == ["6", "1.5"]
    unknown = interval(0.0, local(0, 8.0, 6.0), local(1, 2.0, None))
    assert "together" not in [
        each.split("  ")[0].strip()
        for each in render(watched([unknown], source="resctrl"), 100, UNICODE).splitlines()
        if "remote" in each
    ]


def test_nothing_moved_has_no_mix() -> None:
    seen = watched(of_one(0.0, 0.0))
    assert (
        "% reads" not in render(seen, 100, UNICODE).partition("Over time")[0].partition("GB/s")[2]
    )
    assert seen.whole.average.read_share is None


def test_the_live_view_says_whether_the_source_is_believed() -> None:
    assert "NOT" not in live(of_two((30.0, 3.0)))
    assert "NOT CALIBRATED: run streamgage measure" in live(of_two((30.0, 3.0)), DOUBTED)
    assert "NOT BELIEVED: it shows 300 GB/s" in live(of_two((30.0, 3.0)), REFUSED)


@pytest.mark.parametrize("width", [40, 79])
def test_the_live_view_fits_narrow_terminals(width: int) -> None:
    lines = live(of_two((30.0, 3.0)), DOUBTED, width=width).splitlines()
    assert max(len(each.rstrip()) for each in lines) <= width


def test_pictures_are_told_by_their_suffix() -> None:
    assert [is_picture(Path(name)) for name in ("a.svg", "b.PNG", "c.pdf", "d.doc", "e")] == [
        *(True, True, True, False, False),
    ]


def test_the_same_watch_gives_the_same_picture() -> None:
    seen = watched(of_two(*PHASES))
    one, other = (picture_bytes(draw(seen), Path("x.svg")) for _ in range(2))
    assert one == other
    assert one.startswith(b"<?xml")
    assert picture_bytes(draw(seen), Path("x.png")).startswith(b"\x89PNG")


def test_the_picture_shows_domains_limits_and_what_is_replayed() -> None:
    svg = picture_bytes(draw(watched(of_two(*PHASES))), Path("x.svg")).decode()
    for word in ("together", "package 0", "package 1", "reads", "writes", "achievable: 128.0 GB/s"):
        assert word in svg
    assert "theoretical peak: 140.8 GB/s" in svg
    assert "REPLAYED" not in svg
    replayed = picture_bytes(draw(watched(of_two(*PHASES), replayed=True)), Path("x.svg")).decode()
    assert ">REPLAYED<" in replayed
    assert "REPLAYED, not of this machine" in replayed
    assert "achievable" not in replayed


def test_what_is_not_calibrated_says_so_and_how_to() -> None:
    seen = watched(of_two(*PHASES), limits=change_limits(trial=None))
    approved("traffic-not-calibrated.txt", render(seen, 100, UNICODE))
    svg = picture_bytes(draw(seen), Path("x.svg")).decode()
    assert "NOT CALIBRATED on this machine: run streamgage measure" in svg
    assert "NOT CALIBRATED" not in render(watched(of_two(*PHASES)), 100, UNICODE)
    believed = picture_bytes(draw(watched(of_two(*PHASES))), Path("x.svg")).decode()
    assert "NOT CALIBRATED" not in believed


def test_what_cannot_be_is_said_not_to_be_believed() -> None:
    seen = watched(of_two(*PHASES), limits=change_limits(peak_gbps=100.0))
    approved("traffic-impossible.txt", render(seen, 100, UNICODE))
    svg = picture_bytes(draw(seen), Path("x.svg")).decode()
    assert "NOT BELIEVED" in svg


def test_packages_that_asked_are_not_shown_as_memories() -> None:
    seen = watched(of_two(*PHASES), limits=change_limits(trial=None), source="resctrl")
    text = render(seen, 100, UNICODE)
    assert "A package's bytes are those that it requested, from any memory" in text
    assert "unknown whether the memory domains were used equally" in " ".join(text.split())
    svg = picture_bytes(draw(seen), Path("x.svg")).decode()
    assert "achievable: 128.0 GB/s" in svg
    assert "equal share of" not in svg


def test_a_picture_of_totals_alone_says_so() -> None:
    seen = watched([interval(0.0, domain(0, 4.0, None)), interval(1.0, domain(0, 5.0, None))])
    assert "reads and writes" in picture_bytes(draw(seen), Path("x.svg")).decode()


def test_every_source_that_was_looked_for_is_named() -> None:
    text = " ".join(sources.render(NO_SOURCE, 80, command=True).split())
    assert text.startswith("streamgage: no source of memory traffic can be read here: the program")
    assert "perf uncore: this is a guest of KVM, which shows no memory controller's PMU." in text
    assert "needed: the bare machine: hypervisors hide" in text
    assert "was not run" not in sources.render(NO_SOURCE, 80, command=False)
