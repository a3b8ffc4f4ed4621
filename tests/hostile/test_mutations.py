"""A result in which anything was changed is shown, or refused with one sentence.

Which changes are made follows from a fixed seed; ``STREAMGAGE_MUTANTS`` in the environment is how
many of each result are shown in a longer search.
"""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import pytest
from example_results import every_kind, ignore, of_document
from mutants import Mutant, mutants_of, shown_in_every_way

from streamgage.analysis.user_facts import UserFacts
from streamgage.errors import StreamgageError
from streamgage.records.reader import decode_whole
from streamgage.results.kinds import decode_document
from streamgage.results.result import Result
from streamgage.store.load import load_content

RESULTS = every_kind()
RESULTS.append(of_document(RESULTS[0].printed, "measure.json"))
SHOWN = int(os.environ.get("STREAMGAGE_MUTANTS", "12"))
of_each_kind = pytest.mark.parametrize("result", RESULTS, ids=[each.called for each in RESULTS])


def mutants(result: Result[Any]) -> list[Mutant]:
    """All of them, in the order of the fixed seed."""
    ((name, content),) = result.files.items()
    found = mutants_of(name, content)
    random.Random(1).shuffle(found)
    return found


@of_each_kind
def test_a_result_in_which_anything_was_changed_is_read_or_refused(result: Result[Any]) -> None:
    refused = 0
    for mutant in mutants(result)[:400]:
        content = mutant.make()
        try:
            if result.called.endswith(".jsonl"):
                decode_whole(content, ignore)
            else:
                decode_document(content, result.called)
        except StreamgageError as error:
            refused += 1
            assert "\n" not in str(error), mutant.what
        except Exception as error:
            error.add_note(mutant.what)
            raise
    assert refused > 100 or result.called.endswith(".jsonl")


@pytest.mark.parametrize("peak", [None, 10.0, 200.0])
@pytest.mark.parametrize("number", [0, 1], ids=["tuned", "two-modes"])
def test_records_of_which_one_is_missing_are_shown_in_every_way(
    number: int, peak: float | None, tmp_path: Path
) -> None:
    result = RESULTS[number]
    [(name, content)] = result.files.items()
    lines = content.splitlines(keepends=True)
    for place, line in enumerate(lines):
        if b'"record":"sample"' in line:
            continue
        left = b"".join(lines[:place] + lines[place + 1 :])
        try:
            loaded = load_content(left, name, name, ignore, UserFacts(peak_gbps=peak))
            shown_in_every_way(loaded, result, tmp_path, fully=False)
        except StreamgageError:
            continue
        except Exception as error:
            error.add_note(f"without {line!r:.200}")
            raise


@of_each_kind
def test_what_is_read_is_shown_in_every_way(result: Result[Any], tmp_path: Path) -> None:
    shown = 0
    for mutant in mutants(result):
        try:
            loaded = load_content(mutant.make(), result.called, result.called, ignore)
            shown_in_every_way(loaded, result, tmp_path, fully=shown == 0)
        except StreamgageError:
            continue
        except Exception as error:
            error.add_note(mutant.what)
            raise
        shown += 1
        if shown == SHOWN:
            return
