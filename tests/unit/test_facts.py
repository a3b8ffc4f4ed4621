"""Findings of a run are stored as facts, and their words are made where they are shown."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
import test_findings
import test_findings_of_memory
import test_findings_of_output
from example_records import MACHINE, good_records, where_bound

from streamgage.records.foreign import UnreadableError, decoded
from streamgage.records.run import collect
from streamgage.results.kinds import decode_document, result_of
from streamgage.results.measure.facts import FACTS, AnyFact, Fact
from streamgage.results.measure.findings import CHECKS, judge
from streamgage.results.measure.judge import judge_measure


def found() -> Iterator[Fact]:
    """What the checks find in all examples of their tests."""
    for _, _, records, _ in test_findings.CASES:
        run = collect(where_bound([*good_records(), *records]))
        yield from test_findings.judged(run).facts
    for _, _, context, *_ in (*test_findings_of_memory.CASES, *test_findings_of_output.CASES):
        yield from judge(context).facts


def test_a_finding_says_the_same_after_it_was_stored() -> None:
    facts = list(found())
    assert {type(each) for each in facts} == set(FACTS)
    for fact in facts:
        stored = msgspec.json.encode(fact)
        again: Fact = decoded(stored, AnyFact)
        assert (again, again.finding()) == (fact, fact.finding())
        assert fact.finding().text not in stored.decode()


def test_json_has_the_values_of_a_finding_next_to_its_words() -> None:
    niced = msgspec.structs.replace(MACHINE, nice=5)
    result = judge_measure(collect([*good_records(), niced]))
    printed = msgspec.json.encode(result.printed)
    (found,) = [e for e in msgspec.json.decode(printed)["findings"] if e["code"] == "niced"]
    words = next(each for each in result.words.findings if each.code == "niced")
    assert found == {
        "code": "niced",
        "severity": "warning",
        "nice": 5,
        "text": words.text,
        "reason": words.reason,
        "grade": "fact",
    }
    again = result_of(decode_document(printed, "a.json"))
    assert (again.document, again.words) == (result.document, result.words)


def test_each_check_has_a_type_of_what_it_finds() -> None:
    assert {each.__struct_config__.tag for each in FACTS} == {code for code, _ in CHECKS}


@pytest.mark.parametrize(
    "fact",
    [
        b'{"code":"niced","severity":"warning"}',
        b'{"code":"of-tea","severity":"note"}',
        b'{"code":"kernel-failed","severity":"error","said_why":[]}',
        b'{"code":"uneven-kernels","severity":"note","rates":{},"slow":"copy"}',
        b'{"code":"write-allocate","severity":"fact","unknown":[[{"why":"no-forced"}]],'
        b'"ordinary":[{"variant":"copy","verdict":"cannot-tell"}]}',
    ],
)
def test_a_finding_of_a_file_that_lacks_something_is_refused(fact: bytes) -> None:
    with pytest.raises(UnreadableError):
        decoded(fact, AnyFact)
