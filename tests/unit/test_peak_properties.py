"""Whatever firmware and systems write, the search for the peak ends with one or with a reason."""

from __future__ import annotations

import math

from example_machines import machine, module
from hypothesis import given, settings
from hypothesis import strategies as st

from streamgage.analysis.peak.find import look_for_peak
from streamgage.analysis.peak.of_modules import population_of
from streamgage.analysis.peak.peak import NoPeak
from streamgage.analysis.peak.reason import in_words
from streamgage.analysis.user_facts import UserFacts
from streamgage.records import Machine
from streamgage.records.run import collect

NAMES = st.one_of(
    st.text(max_size=20),
    st.from_regex(r"(P[0-9]_|CPU[0-9]_)?(DIMM|CHANNEL)[_ ]?[A-L][0-9]?", fullmatch=True),
    st.from_regex(r"P[0-3]_Node[0-3]_Channel[0-9]_Dimm[0-2]", fullmatch=True),
)
MODULES = st.builds(
    module,
    NAMES,
    st.one_of(st.none(), NAMES),
    gibibytes=st.sampled_from([0, 16]),
    kind=st.sampled_from([None, "DDR4", "HBM2", "Optane"]),
    width=st.sampled_from([None, 16, 64]),
    rate=st.sampled_from([None, 2666, 4800]),
)
MACHINES = st.builds(
    machine,
    st.lists(MODULES, max_size=12),
    processor=st.one_of(st.none(), st.text(max_size=40), st.just("AMD EPYC 7451")),
    packages=st.integers(0, 4),
    nodes=st.integers(0, 8),
    hypervisor=st.sampled_from([None, "KVM"]),
)


@settings(max_examples=150, deadline=None)
@given(MACHINES)
def test_there_is_a_peak_or_a_reason(made: Machine) -> None:
    run = collect([made])
    found = look_for_peak(run, UserFacts())
    if isinstance(found, NoPeak):
        assert in_words(found.reasons)
    else:
        assert math.isfinite(found.gbps) and found.gbps > 0
        assert found.detail
    population = population_of(run)
    assert population is None or population.populated > 0
