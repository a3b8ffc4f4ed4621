"""Steps of a part as they run: commands, tests by pytest, programs with GoogleTest."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from checks import steps
from checks.failures import shown
from checks.parts import Part
from checks.steps import Command, GoogleTest, Pytest, Run
from small_checks import Project, small_project
from time_limits import runs, wait_until

ONCE = """
from pathlib import Path

def fails_once(name):
    marker = Path(__file__).with_name(f"{name}.came")
    first = not marker.exists()
    marker.touch()
    assert not first, f"{name} came for the first time"
"""
FLAKY = ONCE + "def test_flaky(): fails_once('flaky')\n" + "def test_good(): pass\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    for name in ("PYTEST_ADDOPTS", "PYTEST_PLUGINS"):
        monkeypatch.delenv(name, raising=False)
    return small_project(tmp_path, monkeypatch)


def test_a_command_that_fails_is_red_and_never_run_twice(project: Project) -> None:
    line = "./" + project.write("compile", "#!/bin/sh\necho x >>runs\necho why >&2\nexit 3\n")
    assert project.run(Part("one", (Command(line),))) == 1
    assert (project.top / "runs").read_text() == "x\n"
    assert f"FAIL: `{line}` (status 3)" in project.text and "    why" in project.text
    log = (project.top / "build/test-logs/one.log").read_text()
    assert log == f"$ {line}\nwhy\n"


def test_a_command_has_the_words_and_variables_that_are_given(project: Project) -> None:
    line = "./" + project.write("show", '#!/bin/sh\ntest "$1 $2 $SAID" = "a b yes" || exit 1\n')
    assert Command(f"{line} a b", {"SAID": "yes"}).run(Run("one")) == []


def test_what_a_step_leaves_running_is_ended(project: Project) -> None:
    line = "./" + project.write("leave", "#!/bin/sh\nsleep 1000 &\necho $! >pid\n")
    assert Command(line).run(Run("one")) == []
    wait_until(lambda: not runs(int((project.top / "pid").read_text())))


def test_a_step_that_hangs_is_ended_and_says_so(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = "./" + project.write("hang", "#!/bin/sh\nexec sleep 1000\n")
    monkeypatch.setattr(steps, "LIMIT_SECONDS", 0.5)
    (failure,) = Command(line).run(Run("one"))
    assert failure.name == f"`{line}` (status -9)"
    assert "ERROR: It did not end within 0.5 s." in failure.text


def test_a_test_of_python_that_fails_once_is_flaky(project: Project) -> None:
    project.write("tests/test_some.py", FLAKY)
    assert project.run(Part("unit", (Pytest("tests", marked=None),))) == 0
    assert project.flaky == ["tests/test_some.py::test_flaky"]
    assert "flaky came for the first time" in project.text
    assert "    1 tests" in project.text, "those that have passed at first"
    again = (project.top / "build/test-logs/unit.again.log").read_text()
    assert "tests/test_some.py::test_flaky" in again and "1 passed" in again


def test_four_tests_of_python_that_fail_once_are_a_failure(project: Project) -> None:
    tests = [f"def test_{each}(): fails_once({each!r})\n" for each in "abcd"]
    project.write("tests/test_some.py", ONCE + "".join(tests))
    assert project.run(Part("unit", (Pytest("tests", marked=None),))) == 1
    assert project.flaky == []


def test_a_test_of_python_that_stays_wrong_is_shown_with_its_own_output(project: Project) -> None:
    project.write(
        "tests/test_some.py", "def test_wrong():\n    print('said')\n    assert 'is' == 'must'\n"
    )
    assert project.run(Part("unit", (Pytest("tests", marked=None),))) == 1
    assert "FAIL: tests/test_some.py::test_wrong (build/test-logs/unit.log)" in project.text
    assert "assert 'is' == 'must'" in project.text
    assert "--- Captured stdout call" in project.text and "said" in project.text


def test_a_fixture_that_fails_is_a_failure_of_its_test(project: Project) -> None:
    fixture = "import pytest\n@pytest.fixture\ndef gone(): raise OSError('gone away')\n"
    project.write("tests/test_some.py", fixture + "def test_needs(gone): pass\n")
    (failure,) = Pytest("tests", marked=None).run(Run("unit"))
    assert failure.again == failure.name == "tests/test_some.py::test_needs"
    assert "OSError: gone away" in failure.text


def test_a_file_that_cannot_be_loaded_is_no_flaky_test(project: Project) -> None:
    project.write("tests/test_broken.py", "import no_such_module\n")
    assert project.run(Part("unit", (Pytest("tests", marked=None),))) == 1
    assert "FAIL: tests/test_broken.py " in project.text
    assert "No module named 'no_such_module'" in project.text
    assert "once more" not in project.text
    assert project.text.count("FAIL: ") == 1


def test_a_python_that_crashes_is_a_failure(project: Project) -> None:
    project.write("tests/test_some.py", "import os\ndef test_dies(): os.abort()\n")
    (failure,) = Pytest("tests", marked=None).run(Run("unit"))
    assert (failure.name, failure.again) == ("pytest (status -6)", None)
    seen = shown(failure.text)
    assert "Fatal Python error: Aborted" in seen and 'test_some.py", line 2 in test_dies' in seen


def test_no_tests_are_a_failure(project: Project) -> None:
    project.write("tests/test_some.py", "")
    (failure,) = Pytest("tests", marked=None).run(Run("unit"))
    assert (failure.name, failure.again) == ("pytest (status 5)", None)


def test_marks_choose_the_tests(project: Project) -> None:
    marked = "import pytest\n@pytest.mark.needs\ndef test_marked(): assert False\n"
    project.write("tests/test_some.py", f"{marked}def test_other(): pass\n")
    run = Run("unit")
    assert Pytest("tests").run(run) == []
    assert run.tests == 1


PROGRAM = """\
#!{python}
# Answers as a program with GoogleTest does, by the lines of the file "plan": NAME RESULT.
import json, os, signal, sys
options = dict(each[2:].split("=", 1) for each in sys.argv[1:])
asked = options["gtest_filter"].split(":")
with open("filters", "a") as filters:
    print(options["gtest_filter"], os.environ.get("SAID"), file=filters)
tests, passed = [], 0
for line in open("plan"):
    name, result = line.split()
    if asked != ["*"] and f"S.{{name}}" not in asked:
        continue
    print(f"[ RUN      ] S.{{name}}", flush=True)
    if result == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if result == "once":
        result = "ok" if os.path.exists("came") else "wrong"
        open("came", "w").close()
    test = {{"name": name, "result": "COMPLETED", "file": f"{{name.lower()}}_test.cpp"}}
    if result == "skipped":
        test["result"] = "SKIPPED"
    if result == "wrong":
        test["failures"] = [{{"failure": f"{{name}}_test.cpp:7\\nExpected equality"}}]
    end = "  FAILED  " if result == "wrong" else "       OK "
    print(f"[{{end}}] S.{{name}} (0 ms)", flush=True)
    passed += result == "ok"
    tests.append(test)
print(f"[  PASSED  ] {{passed}} tests.")
with open(options["gtest_output"].removeprefix("json:"), "w") as file:
    json.dump({{"testsuites": [{{"name": "S", "testsuite": tests}}] if tests else []}}, file)
if os.path.exists("leaks"):
    print("==7==ERROR: LeakSanitizer: detected memory leaks")
    sys.exit(23)
sys.exit(any("failures" in test for test in tests))
"""


@pytest.fixture
def program(project: Project) -> str:
    return "./" + project.write("engine_tests", PROGRAM.format(python=sys.executable))


def of_google(project: Project, program: str, plan: str, **options: object) -> Part:
    project.write("plan", plan)
    return Part("engine", (GoogleTest(program, **options),))  # type: ignore[arg-type]


def test_a_program_with_google_test_that_passes(project: Project, program: str) -> None:
    part = of_google(project, program, "A ok\nB ok\n", variables={"SAID": "0"})
    assert project.run(part) == 0
    assert "    2 tests" in project.text
    assert (project.top / "filters").read_text() == "* 0\n"


def test_a_google_test_that_fails_once_is_run_alone_and_flaky(
    project: Project, program: str
) -> None:
    part = of_google(project, program, "A ok\nB once\n", variables={"SAID": "0"})
    assert project.run(part) == 0
    assert (project.top / "filters").read_text() == "* 0\nS.B 0\n"
    assert project.flaky == ["S.B"]
    assert "Expected equality" in project.text


def test_a_google_test_that_stays_wrong_is_red(project: Project, program: str) -> None:
    assert project.run(of_google(project, program, "A ok\nB wrong\n")) == 1
    assert "FAIL: S.B (build/test-logs/engine.log)\n\n    B_test.cpp:7" in project.text
    assert "S.A" not in project.text


def test_a_crash_is_named_by_its_test_and_stays_red(project: Project, program: str) -> None:
    assert project.run(of_google(project, program, "A ok\nB crash\nC ok\n")) == 1
    assert "FAIL: S.B ended the program (build/test-logs/engine.log)" in project.text
    assert (project.top / "filters").read_text().count("\n") == 1, "it is not run once more"


def test_a_crash_when_it_is_run_once_more_is_red(project: Project, program: str) -> None:
    part = of_google(project, program, "A wrong\n")
    text = (project.top / "engine_tests").read_text()
    dies = 'if asked != ["*"]: os.kill(os.getpid(), signal.SIGKILL)\n'
    (project.top / "engine_tests").write_text(text.replace("tests, passed", f"{dies}tests, passed"))
    assert project.run(part) == 1
    assert "FAIL: S.A " in project.text and project.flaky == []


def test_results_of_an_earlier_run_are_not_taken_for_those_of_a_crash(
    project: Project, program: str
) -> None:
    assert project.run(of_google(project, program, "A ok\n")) == 0
    assert project.run(of_google(project, program, "A crash\n")) == 1


CUT_OFF = """\
#!{python}
import sys
print("[ RUN      ] S.A")
open(sys.argv[2].partition("json:")[2], "w").write('{{"testsuites": [')
sys.exit(1)
"""


def test_results_that_are_cut_off_are_those_of_a_crash(project: Project) -> None:
    program = "./" + project.write("engine_tests", CUT_OFF.format(python=sys.executable))
    assert project.run(Part("engine", (GoogleTest(program),))) == 1
    assert "FAIL: S.A ended the program" in project.text


def test_a_sanitizer_that_complains_at_the_end_is_red(project: Project, program: str) -> None:
    project.write("leaks", "")
    assert project.run(of_google(project, program, "A ok\n")) == 1
    assert "FAIL: the program with the tests" in project.text
    assert "LeakSanitizer: detected memory leaks" in project.text


def test_a_program_that_runs_no_test_is_red(project: Project, program: str) -> None:
    assert project.run(of_google(project, program, "")) == 1


def test_a_test_that_may_not_be_skipped_is_red_where_it_is(project: Project, program: str) -> None:
    plan = "Perf skipped\nOther skipped\nA ok\n"
    assert project.run(of_google(project, program, plan)) == 0
    assert project.run(of_google(project, program, plan, never_skipped=r"^perf_test")) == 1
    assert "FAIL: S.Perf was skipped" in project.text and "S.Other" not in project.text
