from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from example_sides import run_records
from programs import one_sentence, streamgage
from store_results import keep

from streamgage.cli.program import command_names


def test_the_list_of_commands_cuts_no_summary_at_80_columns(tmp_path: Path) -> None:
    listed = streamgage("--help-all", folder=tmp_path, COLUMNS="80").stdout
    commands = listed.partition("Commands:")[2].partition("Examples:")[0]
    assert commands.count(".\n") > 20
    assert "..." not in commands


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ["--help-all"],
            [
                "measure",
                "show",
                "history",
                "compare",
                "topology",
                "interpret",
                "explain",
                "--version",
            ],
        ),
        (["--help"], ["streamgage alone"]),
        (["-h"], ["measure", "show"]),
        (
            ["measure", "--help-all"],
            ["--kernels", "--stores", "--type", "--threads", "--cpus", "--memory-nodes"],
        ),
        (
            ["measure", "--help-all"],
            ["--quick", "--thorough", "--seed", "--format", "-o", "--records"],
        ),
        (
            ["measure", "--help-all"],
            ["--isa", "--shape", "--retune", "--no-tune", "--details", "--peak"],
        ),
        (["explain", "--help-all"], ["[WORD]...", "list them"]),
        (["doctor", "--help-all"], ["--counters", "--json", "-o", "what to change"]),
        (
            ["interpret", "--help-all"],
            ["FILE", "--peak", "--llc", "--cores", "--threads", "--array-bytes"],
        ),
        (
            ["topology", "--help-all"],
            ["--picture", "--no-picture", "--format", "--json", "-o", "FILE.svg"],
        ),
        (
            ["numa", "--help-all"],
            ["--kernels", "--size", "--quick", "--rounds", "--seed", "--format", "-o", "--no-wait"],
        ),
        (["links", "--help-all"], ["--device", "--size", "--quick", "--rounds", "--format", "-o"]),
        (
            ["program", "--help-all"],
            ["-- CMD ARG..", "--scaling", "--against", "--ratio", "--petsc [WHICH]", "--ranks N"],
        ),
        (["program", "--help-all"], ["--import", "--time-regex", "--cpus", "{log}", "bencher"]),
        (["scale", "--help-all"], ["--predict N", "--result RUN|FILE", "--cpus", "--kernels"]),
        (
            ["scale", "--help-all"],
            ["[N]", "--cpus", "--mpi", "--rounds", "--format", "FILE.dat"],
        ),
        (["ladder", "--help-all"], ["--modes", "--from", "--to", "--steps", "--cpus", "FILE.dat"]),
        (["latency", "--help-all"], ["--mixes", "--from", "--to", "--rounds", "--records"]),
        (["compilers", "--help-all"], ["--cc", "--flags", "--asm", "--openmp", "--rounds"]),
        (
            ["show", "--help-all"],
            ["[RUN|FILE]", "--store FILE", "--format", "-o", "--details", "--peak"],
        ),
        (["report", "--help-all"], ["[RUN|FILE]...", "-o", "--format", "html|md|pdf"]),
    ],
)
def test_help_names_what_there_is(tmp_path: Path, arguments: list[str], words: list[str]) -> None:
    shown = streamgage(*arguments, folder=tmp_path)
    assert shown.returncode == 0
    assert shown.stderr == ""
    for word in words:
        assert word in shown.stdout


def test_the_first_help_fits_a_screen_with_every_command(tmp_path: Path) -> None:
    lines = streamgage("--help", folder=tmp_path).stdout.splitlines()
    assert len(lines) <= 24 and max(map(len, lines)) <= 80
    words = set(re.findall(r"[a-z]+", "\n".join(lines)))
    assert {word for name in command_names() for word in name.split()} <= words


@pytest.mark.parametrize("name", ["measure", "scale", "fleet judge"])
def test_help_shows_everyday_options_and_says_how_many_more_there_are(
    tmp_path: Path, name: str
) -> None:
    shown, whole = (
        streamgage(*name.split(), option, folder=tmp_path).stdout
        for option in ("--help", "--help-all")
    )
    first, second = (set(re.findall(r"^ +(?:-\w, )?(--[a-z-]+)", t, re.M)) for t in (shown, whole))
    assert first < second
    said = re.search(r"--help-all lists ([0-9]+) more options", shown)
    assert said is not None and int(said[1]) == len(second - first)
    assert "--help-all lists" not in whole
    assert shown.count("\n") < whole.count("\n")


def test_help_says_in_short_what_the_whole_help_says(tmp_path: Path) -> None:
    shown, whole = (
        streamgage("program", option, folder=tmp_path).stdout for option in ("--help", "--help-all")
    )
    assert "Show how PETSc's Poisson solver scales.\n" in shown and "$PETSC_DIR" not in shown
    assert "$PETSC_DIR" in whole and "says more of these" not in whole
    assert shown.endswith("more options and says more of these.\n")
    assert not re.search(r"(e\.g|\.\.|[,;:])\.$", shown, re.MULTILINE)


@pytest.mark.parametrize(("name", "more"), [("history", True), ("explain", False)])
def test_help_says_whether_the_whole_help_says_more(tmp_path: Path, name: str, more: bool) -> None:
    shown = streamgage(name, "--help", folder=tmp_path).stdout
    assert ("says more of these" in shown) == more


@pytest.mark.parametrize("words", ["--help", "fleet --help", "results", "measure -h", "explain"])
def test_a_reader_that_has_gone_is_no_failure(tmp_path: Path, words: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "streamgage", *words.split()]
    with os.fdopen(writer) as out:
        run = subprocess.run(
            command, cwd=tmp_path, stdout=out, stderr=subprocess.PIPE, text=True, check=False
        )
    assert (run.returncode, run.stderr) == (0, "")


def test_a_command_with_few_options_shows_them_all(tmp_path: Path) -> None:
    shown = streamgage("history", "--help", folder=tmp_path).stdout
    assert "--changes" in shown and "--help-all lists" not in shown


def test_help_all_behind_two_dashes_belongs_to_the_program(tmp_path: Path) -> None:
    end = streamgage("pin", "--", "echo", "--help-all", folder=tmp_path)
    assert "Usage:" not in end.stdout


def test_version(tmp_path: Path) -> None:
    shown = streamgage("--version", folder=tmp_path)
    assert shown.returncode == 0
    assert shown.stdout.startswith("streamgage ")


@pytest.mark.parametrize(
    "module",
    [
        *("rich.console", "numpy", "scipy", "matplotlib", "plotly", "jinja2"),
        *("streamgage.commands.measure", "streamgage.records"),
    ],
)
def test_help_imports_nothing_heavy(module: str) -> None:
    code = (
        "import sys\nfrom streamgage.cli.program import _run\n"
        f"_run(['--help'])\nsys.exit({module!r} in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert run.returncode == 0


def test_a_command_loads_no_other() -> None:
    code = (
        "import sys\nfrom streamgage.cli.program import _run\n"
        "_run(['explain', 'moved'])\nsys.exit('streamgage.commands.measure' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert run.returncode == 0, run.stderr


@pytest.mark.parametrize(
    ("arguments", "unwanted"),
    [
        (["history"], ["streamgage.records.run", "streamgage.results.measure.variant_rates"]),
        (["compare", "last-1", "last"], []),  # which judges both
    ],
)
def test_what_lists_and_compares_kept_results_loads_little(
    tmp_path: Path, arguments: list[str], unwanted: list[str]
) -> None:
    store = keep(tmp_path / "s.sqlite", run_records(20.0), run_records(21.0, seed=2))
    unwanted = ["numpy", "pydantic", "streamgage.interop.formats", *unwanted]
    code = (
        "import sys\nfrom streamgage.cli.program import _run\n"
        f"assert _run({[*arguments, '--store', str(store)]!r}) == 0\n"
        f"sys.exit(', '.join(set({unwanted!r}) & sys.modules.keys()) or 0)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (run.stderr, run.returncode) == ("", 0)


def test_a_command_of_two_words_has_its_help_and_its_own_errors(tmp_path: Path) -> None:
    shown = streamgage("fleet", "run", "--help", folder=tmp_path)
    assert shown.returncode == 0
    assert "streamgage fleet run [OPTIONS]" in shown.stdout and "--launcher" in shown.stdout
    wrong = streamgage("fleet", "run", "--launch", folder=tmp_path)
    assert wrong.returncode == 2
    assert "`streamgage fleet run --help` lists what there is" in wrong.stderr


def test_shells_can_complete_commands(tmp_path: Path) -> None:
    for words, wanted in (
        ("streamgage pro", ["program"]),
        ("streamgage la", ["ladder", "latency"]),
        ("streamgage t", ["topology", "traffic"]),
    ):
        run = streamgage(
            folder=tmp_path,
            _STREAMGAGE_COMPLETE="complete_bash",
            COMP_WORDS=words,
            COMP_CWORD="1",
        )
        assert sorted(run.stdout.split()) == wanted


def test_explain_prints_the_page_of_a_code(tmp_path: Path) -> None:
    shown = streamgage("explain", "not-saturated", folder=tmp_path)
    assert shown.returncode == 0
    assert shown.stdout.startswith("# not-saturated\n")
    for section in ("What was seen", "Why it matters", "What to do", "Example"):
        assert f"## {section}\n" in shown.stdout


def test_explain_prints_the_page_of_a_term(tmp_path: Path) -> None:
    for name in ("hardware-bytes", "Hardware Bytes"):
        shown = streamgage("explain", name, folder=tmp_path)
        assert shown.returncode == 0
        assert shown.stdout.startswith("# hardware-bytes\n")


def test_explain_takes_everyday_words_and_questions(tmp_path: Path) -> None:
    for words, heading in [
        ("thp", "# huge-pages"),
        ("gb/s", "# gb-per-second"),
        ("why is copy faster than triad", "# Why is copy faster than triad, or slower?"),
    ]:
        shown = streamgage("explain", *words.split(), folder=tmp_path)
        assert (shown.returncode, shown.stderr) == (0, "")
        assert shown.stdout.startswith(f"{heading}\n")


def test_explain_lists_the_pages_of_several_words_by_what_shows_them(tmp_path: Path) -> None:
    listed = streamgage("explain", "gpu", "slow", folder=tmp_path).stdout
    assert listed.startswith("Pages with 'gpu slow', the best first:\n")
    lines = re.findall(r"^`(streamgage explain .*)`$", listed, re.MULTILINE)
    assert len(lines) > 2
    for line in lines:
        shown = streamgage(*shlex.split(line)[1:], folder=tmp_path)
        assert shown.returncode == 0 and shown.stdout.startswith("# ")


def test_explain_says_which_word_it_corrected(tmp_path: Path) -> None:
    shown = streamgage("explain", "bandwith", folder=tmp_path)
    assert shown.stdout.startswith("# bandwidth\n")
    assert "No page has 'bandwith': this is for 'bandwidth'." in one_sentence(shown.stderr)


def test_explain_leads_from_hardware_to_its_peak(tmp_path: Path) -> None:
    for words in ("EPYC 9654", "GB200", "c7g", "Apple M1"):
        shown = streamgage("explain", *words.split(), folder=tmp_path)
        line = re.match(r"`(streamgage expected .*?)` shows the peak of", shown.stdout)
        assert shown.returncode == 0 and line
        assert streamgage(*shlex.split(line[1])[1:], folder=tmp_path).returncode == 0


def test_explain_says_that_pages_have_only_a_part_of_the_words(tmp_path: Path) -> None:
    shown = streamgage("explain", "kubernetes pod zebra", folder=tmp_path)
    assert shown.stdout.startswith("No page has all of 'kubernetes pod zebra'. These")


def test_explain_alone_lists_findings_and_terms_with_a_line(tmp_path: Path) -> None:
    shown = streamgage("explain", folder=tmp_path)
    assert shown.returncode == 0
    findings, _, terms = shown.stdout.partition("\nTerms:\n")
    assert findings.startswith("Findings:\n\n")
    assert any(line.startswith("steal  ") for line in findings.splitlines())
    assert any(line.startswith("triad  ") for line in terms.splitlines())
    assert len(findings.splitlines()) > 25 and len(terms.splitlines()) > 25


@pytest.mark.parametrize("name", [None, "scaling-dip", "triad"])
def test_explain_keeps_to_80_characters(tmp_path: Path, name: str | None) -> None:
    shown = streamgage("explain", *([name] if name else []), folder=tmp_path)
    assert all(len(line) <= 80 for line in shown.stdout.splitlines())
