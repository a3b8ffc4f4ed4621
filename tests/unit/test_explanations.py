"""Each finding has a page, with an example that the check really gives."""

from __future__ import annotations

import re
import textwrap
from importlib.resources import files

import msgspec
import pytest
import test_findings
import test_findings_of_memory
import test_findings_of_output
import test_numa_findings
import test_scale_findings
from example_ladder import by_capacity, ladder_of, machine_of
from example_latency import collapsing, latencies_of
from example_study import SOLVER, saturating, study_of
from example_traffic import watched
from golden import approved
from programs import REPOSITORY
from stub_fleet import disturbed_fleet, drifted_fleet, faulty_fleet, small_fleet

from streamgage.analysis.finding import Finding
from streamgage.explanations import codes, page, summary
from streamgage.interop.charts import Load, LoadedCurve, LoadedCurves
from streamgage.interop.tables import BenchmarkFacts
from streamgage.results.fleet import findings as fleet
from streamgage.results.kinds import words_of
from streamgage.results.ladder import findings as ladder
from streamgage.results.ladder.document import Ladder
from streamgage.results.latency import findings as latency
from streamgage.results.latency.document import Latency
from streamgage.results.latency.interpreted import loaded_of
from streamgage.results.measure.findings import CHECKS, Context, judge
from streamgage.results.numa import findings as numa
from streamgage.results.scale import findings as scaling
from streamgage.results.study import findings as studied
from streamgage.results.study.document import Study
from streamgage.results.traffic import findings as traffic
from streamgage.results.traffic.document import TrafficResult

SECTIONS = ["What was seen", "Why it matters", "What to do", "Example"]
OTHERS = (numa, scaling, ladder, latency, studied, fleet, traffic)
CODES = (*CHECKS, *(check for each in OTHERS for check in each.CHECKS))
ALL = list(dict.fromkeys(code for code, _ in CODES))


def example(code: str) -> Finding:
    """What the check says in the first of its cases."""
    for tested, _, records, _ in test_findings.CASES:
        if tested == code:
            return test_findings.findings(*records)[code]
    for tested, _, make, _ in test_numa_findings.CASES:
        if tested == code:
            return next(each for each in words_of(make()).findings if each.code == code)
    for tested, _, context, *_ in (*test_findings_of_memory.CASES, *test_findings_of_output.CASES):
        if tested == code:
            return {each.code: each for each in judge(context).findings}[code]
    studies = [(tested, make) for tested, _, make, _ in test_scale_findings.CASES]
    studies += [("smaller-cache", smaller), ("hidden-cache", hidden)]
    studies += [("past-peak", collapsing_memory), ("disturbed-curve", disturbed_latency)]
    studies += [("not-calibrated", watched_traffic)]
    studies += [("debug-build", debug_build), ("solver-in-cache", solver_in_cache)]
    studies += [(tested, faulty_fleet) for tested in ("slow-node", "flapping-node")]
    studies += [(tested, faulty_fleet) for tested in ("odd-node", "silent-node")]
    studies += [("drift", drifted_fleet), ("disturbed-node", disturbed_fleet)]
    studies += [("unjudged-node", small_fleet)]
    make_answer = next(make for tested, make in studies if tested == code)
    return next(each for each in words_of(make_answer()).findings if each.code == code)


def smaller() -> Ladder:
    return ladder_of(
        machine_of(hypervisor="KVM"),
        ("sequential",),
        rate=lambda rung, machine: by_capacity(rung, machine, shrink=0.3),
    )


def hidden() -> Ladder:
    return ladder_of(
        machine_of(hypervisor="KVM"),
        ("sequential",),
        rate=lambda rung, machine: by_capacity(rung, machine, shrink=0.01),
    )


def collapsing_memory() -> Latency:
    return latencies_of(load=collapsing, mixes=["reads"])


def disturbed_latency() -> Latency:
    loads = tuple(
        Load(delay, gbps, ns)
        for delay, gbps, ns in ((900, 4.0, 95.0), (300, 40.0, 405.0), (200, 41.0, 260.0))
    )
    about = BenchmarkFacts("Intel MLC")
    return loaded_of(LoadedCurves(about=about, curves=(LoadedCurve("reads", loads),)))


def watched_traffic() -> TrafficResult:
    return watched(machine_of(), latencies_of())


def debug_build() -> Study:
    return study_of(saturating, solver=msgspec.structs.replace(SOLVER, debug=True))


def solver_in_cache() -> Study:
    return study_of(saturating, solver=msgspec.structs.replace(SOLVER, matrix_bytes=1 << 20))


def shown(finding: Finding) -> str:
    text = f"{finding.severity} {finding.code}: {finding.text}"
    wrapped = textwrap.wrap(text, 96, break_long_words=False, break_on_hyphens=False)
    return "```\n" + "\n".join(wrapped) + "\n```\n"


def test_every_code_has_a_page_and_no_page_is_left_over() -> None:
    assert codes() == sorted(ALL)


@pytest.mark.parametrize("code", ALL)
def test_a_page_says_what_was_seen_why_it_matters_and_what_to_do(code: str) -> None:
    text = page(code)
    assert text.startswith(f"# {code}\n\n{summary(code)}\n\n")
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == SECTIONS
    sections = re.split(r"^## .*$", text, flags=re.MULTILINE)[1:]
    assert all(section.strip() for section in sections)
    assert all(len(line) <= 100 for line in text.splitlines())
    assert len(summary(code)) <= 78 and summary(code).endswith(".")


@pytest.mark.parametrize("code", ALL)
def test_the_example_of_a_page_is_what_the_check_says(code: str) -> None:
    before, heading, _ = page(code).partition("## Example\n\n")
    file = REPOSITORY / "streamgage" / "explanations" / f"{code}.md"
    approved(file, before + heading + shown(example(code)))


def test_the_pages_are_in_the_package_and_in_the_documentation() -> None:
    assert files("streamgage.explanations").joinpath("not-bound.md").is_file()
    folder = REPOSITORY / "docs" / "findings"
    assert {path.stem for path in folder.glob("*.md")} == set(ALL)


def test_the_method_names_every_code() -> None:
    method = (REPOSITORY / "docs" / "method.md").read_text("utf-8")
    listed = method.partition("## Findings")[2]
    assert {code for code in ALL if f"`{code}`" not in listed} == set()


def test_an_unknown_code_has_no_page() -> None:
    for unknown in ("", "..", "../errors", "__init__", "nothing"):
        with pytest.raises(KeyError):
            page(unknown)


def test_a_finding_without_a_context_has_an_example_as_well() -> None:
    assert isinstance(example("no-counters"), Finding)
    assert judge(Context(test_findings_of_memory.good_run())).findings
