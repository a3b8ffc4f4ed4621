"""Reasons are stored as codes with values, and become words where they are shown."""

from __future__ import annotations

import string

import msgspec
import pytest

from streamgage.analysis.peak.reason import NoPeakReason, WhyNoPeak
from streamgage.analysis.traffic.alpha import Alpha, refuse
from streamgage.analysis.traffic.reason import Reason, ReasonCode
from streamgage.analysis.worded_code import WordedCode
from streamgage.records.foreign import UnreadableError, decoded


@pytest.mark.parametrize(("codes", "reason"), [(ReasonCode, Reason), (WhyNoPeak, NoPeakReason)])
def test_words_are_made_of_values_that_a_reason_can_have(
    codes: type[WordedCode], reason: type[msgspec.Struct]
) -> None:
    for code in codes:
        for _, name, _, _ in string.Formatter().parse(code.words):
            first = (name or "because").partition(".")[0]
            assert first == "because" or hasattr(reason, first), (code, name)


def test_a_reason_is_stored_as_a_code_with_its_values_alone() -> None:
    alpha = refuse(
        Reason(why=ReasonCode.FASTER_UNKNOWN, share=0.12), Reason(why=ReasonCode.STILL_RISING)
    )
    stored = msgspec.to_builtins(alpha)["reasons"]
    assert stored[0] == {"why": "faster-unknown", "share": 0.12}
    assert decoded(msgspec.json.encode(alpha), Alpha) == alpha


def test_a_reason_has_the_words_of_those_that_it_rests_on() -> None:
    alpha = refuse(
        Reason(why=ReasonCode.BOTH),
        Reason(why=ReasonCode.NO_FORCED),
        Reason(why=ReasonCode.STILL_RISING),
        Reason(why=ReasonCode.COUNTED_NOTHING, source="uncore_imc"),
    )
    assert alpha.why == (
        "bandwidth still rises with every thread, so the cores are the limit, and no forced read"
        " decides; and uncore_imc counted nothing"
    )


@pytest.mark.parametrize(
    "reasons",
    [
        b'[{"why":"steal","share":0.1}]',
        b'[{"why":"no-forced"}]',
        b'[{"why":"missing-neighbours","kernel":"triad","kernels":[]}]',
        b'[{"why":"of-tea"}]',
    ],
)
def test_a_reason_of_a_file_that_lacks_something_is_refused(reasons: bytes) -> None:
    with pytest.raises(UnreadableError):
        decoded(b'{"verdict":"cannot-tell","reasons":' + reasons + b"}", Alpha)


def test_a_peak_of_a_file_that_is_unknown_for_no_reason_is_refused() -> None:
    with pytest.raises(UnreadableError):
        decoded(b'{"why":"not-listed"}', NoPeakReason)
