"""Made inputs of every area: each is answered, or refused with one sentence.

``STREAMGAGE_TRIES`` in the environment is how many there are in all, ``STREAMGAGE_SEED`` draws
others. How many were tried, and how many were faults, stands at the end of the run.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from made_tries import AREAS, Place, judged, made, tries_of

TRIES = int(os.environ.get("STREAMGAGE_TRIES", "600"))
SEED = int(os.environ.get("STREAMGAGE_SEED", "20261129"))


@pytest.mark.parametrize("area", AREAS)
def test_no_made_input_is_a_fault(
    area: str, tmp_path: Path, record_property: pytest.RecordProperty
) -> None:
    place = Place(tmp_path)
    tries = tries_of(area, TRIES)
    faults = []
    for number in range(tries):
        wrong = judged(made(area, SEED, number), place)
        if wrong is not None:
            faults.append(f"{number}: {wrong}")
    record_property("tries", (area, tries, len(faults)))
    assert not faults, f"{len(faults)} of {tries}:\n" + "\n".join(faults)
