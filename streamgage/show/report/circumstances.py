"""How a result was measured: terms, and what is known of each."""

from __future__ import annotations

from collections.abc import Iterator

from streamgage.records import Machine, PlanRecord
from streamgage.results.document import Document
from streamgage.results.measure.counted_lines import counted_lines
from streamgage.results.measure.judge import Answer
from streamgage.results.measure.shape_lines import shape_lines
from streamgage.results.render import page_of
from streamgage.show.machine_lines import setting_line
from streamgage.show.symbols import UNICODE
from streamgage.tools.topology.labels import format_memory
from streamgage.tools.topology.summary import summary
from streamgage.units import count, format_bytes

Fact = tuple[str, str]
_STOPPED = {
    "converged": "the medians were settled",
    "max-samples": "as many samples were taken as were allowed",
    "budget": "its time was up",
}


def facts(document: Document, answer: Answer | None) -> list[Fact]:
    """All that is known, the run itself first, then the machine and its system."""
    found = (
        list(_run_facts(answer)) if answer is not None else list(page_of(document, None).settings)
    )
    if document.machine is not None:
        found += _machine_facts(document.machine)
    return found


def _run_facts(answer: Answer) -> Iterator[Fact]:
    run = answer.run
    if (line := setting_line(answer, UNICODE)) is not None:
        yield "Threads and arrays", line
    if run.plan is not None:
        yield from _plan_facts(run.plan)
    if run.memory is not None:
        yield "STREAM's rule", f"at least {format_bytes(run.memory.rule_bytes)} an array"
    codes = dict.fromkeys(each.code for each in run.variants.values() if each.code)
    for number, code in enumerate(codes):
        yield "Code of the kernels" if number == 0 else "", code
    if run.clock is not None:
        granularity = run.clock.granularity_seconds * 1e9
        yield "Clock", f"{run.clock.source}, granularity {granularity:.0f} ns"
    if run.core_clock is not None and run.core_clock.hertz is not None:
        yield "Core clock", f"{run.core_clock.hertz / 1e9:.2f} GHz right after the kernels"
    if run.end is not None:
        why = f"; it ended because {_STOPPED[run.end.stopped_by]}" if run.end.stopped_by else ""
        yield "Course", f"{count(run.end.blocks, 'block')} in {run.end.seconds:.1f} s{why}"
    peak, reason = answer.result.peak, answer.result.peak_reason
    if peak is not None:
        source = {"given": "given", "smbios": "from SMBIOS", "model": "by its model"}[peak.source]
        yield "Theoretical peak", f"{peak.gbps:.1f} GB/s ({peak.detail}, {source})"
    elif reason is not None:
        yield "Theoretical peak", f"not known: {reason}"
    for name, text in counted_lines(answer):
        yield f"Counted: {name}", text
    for name, text in shape_lines(answer):
        yield f"Access shape: {name}", text


def _plan_facts(plan: PlanRecord) -> Iterator[Fact]:
    yield "Elements", plan.type
    sampling = plan.sampling
    yield (
        "Sampling",
        f"{sampling.min_samples} to {sampling.max_samples} samples a variant in random order, at"
        f" most {sampling.budget_seconds:g} s of kernels; seed {plan.seed}",
    )
    yield "Huge pages", "asked for" if plan.huge_pages else "not asked for"


def _machine_facts(machine: Machine) -> Iterator[Fact]:
    yield from ((name, text) for name, text in summary(machine) if text)
    yield "Measured", f"{machine.time}, by engine {machine.engine} ({machine.compiler})"
    pages = f"{format_bytes(machine.page_bytes)}; huge pages: {machine.huge_pages}"
    if machine.huge_page_bytes is not None:
        pages += f", {format_bytes(machine.huge_page_bytes)} each"
    yield "Pages", pages
    if machine.numa_balancing is not None:
        yield "NUMA balancing", "on" if machine.numa_balancing else "off"
    if machine.frequency is not None:
        found = machine.frequency
        boost = {True: ", boost on", False: ", boost off", None: ""}[found.boost]
        yield (
            "Frequency",
            f"governor {found.governor}, up to {found.limit_hertz / 1e9:.2f} of"
            f" {found.hardware_hertz / 1e9:.2f} GHz{boost}",
        )
    elif machine.described_by is None:
        yield "Frequency", "the kernel governs none here"
    if machine.memory_limit_bytes is not None:
        yield "Memory limit", format_memory(machine.memory_limit_bytes)
    if machine.cpu_quota is not None:
        yield "CPU quota", f"{machine.cpu_quota:g} CPUs"
    modules = [each for each in machine.memory_modules if each.bytes]
    if modules:
        kinds = dict.fromkeys(
            f"{format_memory(each.bytes)} {each.kind or ''}-{each.megatransfers or '?'}"
            for each in modules
        )
        yield "Memory modules", f"{len(modules)}: {', '.join(kinds)}"
    elif machine.memory_modules_reason:
        yield "Memory modules", f"not known: {machine.memory_modules_reason}"
