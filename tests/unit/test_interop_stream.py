"""STREAM's tables, of every version."""

from __future__ import annotations

import pytest
from example_records import stream_records
from foreign_outputs import (
    STREAM,
    STREAM_1996,
    STREAM_AFTER,
    STREAM_BEFORE,
    STREAM_FORTRAN,
    STREAM_HEADER,
    STREAM_MPI,
    STREAM_OLD,
    STREAM_ROWS,
)
from parsed_outputs import rates_of, reported_of, run_of

from streamgage.errors import UsageError
from streamgage.interop.formats import parse_output
from streamgage.records.run import collect
from streamgage.results.measure import stream_table
from streamgage.results.measure.judge import judge_measure


def test_the_c_version_tells_all_of_itself() -> None:
    reported = reported_of(STREAM)
    assert (reported.tool, reported.version, reported.language) == ("STREAM", "5.10", "C")
    assert (reported.threads, reported.tables, reported.validated) == (96, 1, True)
    assert (reported.array_bytes, reported.element_type) == (430080000 * 8, "double")


def test_megabytes_are_millions_and_rates_go_with_their_times() -> None:
    run = run_of(STREAM)
    assert list(run.kernels) == ["copy", "scale", "add", "triad"]
    assert {variant.store for variant in run.variants.values()} == {"unknown"}
    (copy,) = run.rates[0]
    assert (copy.gbps, copy.seconds) == (pytest.approx(685.0418), 0.010045)
    assert (copy.mean_seconds, copy.worst_seconds) == (0.010067, 0.010089)
    assert run.element_times(0)[0] * 430080000 == pytest.approx(0.010045, rel=1e-3)


def test_the_older_table_has_threads_that_were_asked_for() -> None:
    reported = reported_of(STREAM_OLD)
    assert (reported.version, reported.threads, reported.language) == ("5.9", 2, "C")
    assert reported.array_bytes == 31576436 * 8


def test_fortran_counts_in_its_own_words() -> None:
    reported = reported_of(STREAM_FORTRAN)
    assert (reported.version, reported.language, reported.threads) == ("5.6", "Fortran", 48)
    assert (reported.array_bytes, reported.validated) == (44739242 * 8, True)
    assert rates_of(STREAM_FORTRAN)["triad"] == [pytest.approx(843.5286683)]


def test_fortran_may_print_exponents_with_d() -> None:
    text = STREAM_FORTRAN.replace("774612.9275", "0.7746D+06")
    assert rates_of(text)["copy"] == [pytest.approx(774.6)]


def test_the_kernels_of_1996_have_other_names() -> None:
    rates = rates_of(STREAM_1996)
    assert rates["copy"] == [pytest.approx(0.038835)]
    assert rates["triad"] == [pytest.approx(0.04)]
    assert reported_of(STREAM_1996).validated is None


def test_ranks_multiply_threads_and_share_the_arrays() -> None:
    reported = reported_of(STREAM_MPI)
    assert (reported.threads, reported.array_bytes) == (32, 80_000_000)


def test_our_own_stream_table_is_read() -> None:
    text = stream_table.render(judge_measure(collect(stream_records())))
    assert set(rates_of(text)) == {"copy", "scale", "add", "triad"}
    assert reported_of(text).threads == 2


@pytest.mark.parametrize("mark", ["0: ", "[1,0]<stdout>:", "node7: ", "2024-05-01T10:00:00 "])
def test_a_launcher_may_mark_every_line(mark: str) -> None:
    text = "".join(f"{mark}{line}\n" for line in STREAM.splitlines())
    assert rates_of(text) == rates_of(STREAM)
    assert reported_of(text).threads == 96


def test_lines_of_others_may_stand_anywhere() -> None:
    noise = "mpirun: warning: 3 nodes are busy\n$ ./stream\n\nWed May  1 10:00:00 UTC 2024\n"
    rows = STREAM_ROWS.replace("Add:", f"{noise}Add:")
    text = noise + STREAM_BEFORE + noise + STREAM_HEADER + noise + rows + STREAM_AFTER + noise
    parsed = parse_output(text)
    assert rates_of(text) == rates_of(STREAM)
    assert parsed.notes == ()


def test_fifty_runs_in_a_file_are_fifty_tables() -> None:
    text = "$ ./stream\n".join([STREAM] * 50)
    assert reported_of(text).tables == 50
    run = run_of(text)
    assert all(len(rates) == 50 for rates in run.rates.values())
    assert list(run.element_times_of_blocks(0)) == list(range(50))


def test_tables_alone_are_enough() -> None:
    reported = reported_of((STREAM_HEADER + STREAM_ROWS) * 3)
    assert reported.tables == 3
    assert (reported.version, reported.threads, reported.validated) == (None, None, None)


def test_windows_ends_lines_otherwise() -> None:
    assert rates_of(STREAM.replace("\n", "\r\n")) == rates_of(STREAM)


def test_a_failed_check_in_one_run_is_a_failed_check() -> None:
    bad = STREAM.replace("Solution Validates", "Failed Validation on array a[], AvgRelAbsErr")
    assert reported_of(STREAM + bad).validated is False


def test_a_check_that_is_missing_somewhere_is_not_passed() -> None:
    unchecked = STREAM.replace("Solution Validates", "slurmstepd: error: killed")
    assert reported_of(STREAM + unchecked).validated is None


def test_the_table_whose_check_failed_is_known() -> None:
    bad = STREAM.replace("Solution Validates", "Failed Validation on array a[], AvgRelAbsErr")
    assert [each.validated for each in parse_output(STREAM + bad + STREAM).tables] == [
        *(True, False, True),
    ]


def test_each_table_has_its_own_version() -> None:
    tables = parse_output(STREAM + STREAM_OLD + STREAM_HEADER + STREAM_ROWS).tables
    assert [each.about.version for each in tables] == ["5.10", "5.9", "5.9"]


def test_single_precision_has_variants_of_its_own() -> None:
    single = STREAM.replace("uses 8 bytes", "uses 4 bytes").replace("430080000", "860160000")
    run = run_of(single)
    assert run.reported is not None
    assert (run.reported.element_type, run.reported.array_bytes) == ("float", 860160000 * 4)
    assert {variant.type for variant in run.variants.values()} == {"float"}


def test_a_kernel_that_is_not_known_is_told() -> None:
    rows = STREAM_ROWS + "Fill:          685041.8     0.010067     0.010045     0.010089\n"
    parsed = parse_output(STREAM_HEADER + rows)
    assert parsed.notes == ("Line 6 was left out: 'Fill' is not a known kernel of STREAM.",)


def test_a_row_outside_of_tables_is_told() -> None:
    parsed = parse_output(STREAM + "Triad:   718799.1     0.014390     0.014360     0.014484\n")
    assert len(parsed.notes) == 1
    assert "is not part of any table" in parsed.notes[0]


def without(label: str) -> str:
    return "".join(line for line in STREAM.splitlines(True) if not line.startswith(label))


@pytest.mark.parametrize(
    ("printed", "words"),
    [
        ("nan", "line 19 (copy) has 'nan' as a rate"),
        ("-nan", "line 19 (copy) has '-nan' as a rate"),
        ("inf", "'inf' as a rate"),
        ("Infinity", "'Infinity' as a rate"),
        ("********", "'********' as a rate"),
        ("0.0", "'0.0' as a rate"),
        ("-5.0", "'-5.0' as a rate"),
        ("1e300", "1e+297 GB/s, which no memory has"),
        ("1e999", "'1e999' as a rate"),
        ("1e-9", "which no memory has"),
    ],
)
def test_a_row_that_is_no_number_is_left_out_and_the_others_stay(printed: str, words: str) -> None:
    parsed = parse_output(STREAM.replace("685041.8", printed))
    (table,) = parsed.tables
    assert [row.kernel for row in table.rows] == ["scale", "add", "triad"]
    assert table.cut is None
    assert len(parsed.notes) == 1 and words in parsed.notes[0]


@pytest.mark.parametrize(
    ("text", "kernels", "cut"),
    [
        (without("Triad"), ["copy", "scale", "add"], None),
        (without("Copy"), ["scale", "add", "triad"], None),
        (STREAM[: STREAM.index("0.014360")], ["copy", "scale", "add"], "Triad is missing"),
        (STREAM[: STREAM.index("Add:")], ["copy", "scale"], "Add and Triad are missing"),
        (
            STREAM[: STREAM.index("Add:")] + "srun: error: node3: task 0: Killed\n",
            ["copy", "scale"],
            "Add and Triad are missing; the output ends with: srun: error: node3: task 0: Killed",
        ),
    ],
)
def test_what_is_whole_is_read(text: str, kernels: list[str], cut: str | None) -> None:
    *_, table = parse_output(STREAM + text).tables
    assert [row.kernel for row in table.rows] == kernels
    assert table.cut == cut


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (STREAM_BEFORE, "cut off before the table of STREAM"),
        (STREAM_BEFORE + STREAM_HEADER, "line 18 is cut off: it has no complete row"),
        (STREAM_BEFORE + STREAM_HEADER.rstrip(), "is cut off"),
        (STREAM.replace("430080000", "9" * 30), "which no machine has"),
        (STREAM.replace("430080000", "0"), "which no machine has"),
        (STREAM.replace("= 96", "= 0"), "0 threads, which no machine runs"),
        (STREAM.replace("= 96", "= 99999999999999"), "which no machine runs"),
        (STREAM.replace("uses 8 bytes", "uses 16 bytes"), "elements of 16 bytes"),
        (STREAM.replace("Scale:", "Copy: "), "second row 'Copy'"),
        ("", "it is empty"),
        (" \n\t\n", "it is empty"),
        ("hello\n", "it holds no table of a known benchmark"),
        ('{"record":"machine"}\n', "streamgage show FILE"),
    ],
)
def test_what_cannot_be_read_is_refused_in_a_sentence(text: str, words: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse_output(text)
    assert words in str(refused.value)
