"""The parts that there are: of which groups, what they run, and what they wait for."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections import Counter

import pytest
from checks.parts import CHECK, GATE, GROUPS, LINT, PARTS, TEST, chosen
from checks.steps import Command, GoogleTest, Pytest
from programs import REPOSITORY


def test_every_group_has_parts_that_are_known_by_name() -> None:
    assert set(GROUPS) == {"gate", "test", "lint", "check"}
    for name, group in GROUPS.items():
        assert group, name
        assert [PARTS[part.name] for part in group] == list(group)
        assert chosen([name]) == list(group)
    assert not set(GROUPS) & set(PARTS), "a name would mean two things"


def test_the_gate_has_the_tests_the_site_and_the_linters() -> None:
    assert {part.name for part in GATE} == {part.name for part in (*TEST, *LINT)} | {"site"}
    assert {part.name for part in LINT} <= {part.name for part in CHECK}


def test_what_is_asked_for_twice_runs_once() -> None:
    assert chosen(["unit", "test", "unit"])[0].name == "unit"
    names = [part.name for part in chosen(["unit", "test", "gate"])]
    assert len(names) == len(set(names)) == len(GATE)


@pytest.mark.parametrize("name", PARTS)
def test_what_a_part_names_is_there(name: str) -> None:
    part = PARTS[name]
    assert part.steps
    assert part.after is None or part.after in PARTS
    for step in part.steps:
        match step:
            case Command(line=line):
                program = line.split()[0]
                here = (REPOSITORY / program).exists() or shutil.which(program) is not None
                assert here or program.startswith(".venv/bin/"), line
            case Pytest(arguments=arguments):
                for word in arguments.split():
                    assert (REPOSITORY / word.removeprefix("--ignore=")).exists(), word
            case GoogleTest(program=program):
                assert program.endswith("/engine/engine_tests")


@pytest.mark.parametrize("group", GROUPS)
def test_what_a_part_of_a_group_waits_for_is_in_the_group(group: str) -> None:
    names = {part.name for part in GROUPS[group]}
    assert {part.after for part in GROUPS[group]} <= {*names, None}


def test_in_the_gate_no_test_needs_what_only_make_check_installs() -> None:
    marked = [step.marked for part in GATE for step in part.steps if isinstance(step, Pytest)]
    assert set(marked) == {"not needs"}
    assert len(marked) >= 5


def test_what_a_test_of_the_engine_is_skipped_for_is_emulation_or_the_machine() -> None:
    """scripts/test_cross and readers of logs know by the first words that it is no gap."""
    reasons = []
    for folder in ("engine", "library"):
        for source in (REPOSITORY / folder).rglob("*_test.cpp"):
            reasons += re.findall(r"GTEST_SKIP\(\)\s*(.*)", source.read_text("utf-8"))
    assert len(reasons) > 10
    assert [each for each in reasons if not re.match(r'<< "(EMULATED|NOT TESTED): ', each)] == []


@pytest.mark.parametrize("arguments", [[], ["no-such-part"]])
def test_a_part_that_is_not_there_is_told_with_those_that_are(arguments: list[str]) -> None:
    run = subprocess.run(
        [sys.executable, REPOSITORY / "scripts" / "test", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 2
    assert f"The parts: {' '.join(PARTS)}" in run.stdout
    assert all(f"there is no part '{each}'" in run.stderr for each in arguments)


def test_files_of_tests_have_names_of_their_own() -> None:
    found = Counter(path.name for path in (REPOSITORY / "tests").glob("*/test_*.py"))
    assert [name for name, times in found.items() if times > 1] == [], (
        "a part that takes several folders could not tell them apart"
    )
