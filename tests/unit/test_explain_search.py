"""Words and questions find the page that explains them, and nothing else does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from example_results import every_kind
from golden import GOLDEN
from programs import REPOSITORY

from streamgage.analysis.expected.table import known_values
from streamgage.cli.program import command_names
from streamgage.commands.explain import explain
from streamgage.explanations import names, search
from streamgage.results.result import Result

ASKED = {
    "thp": "huge-pages",
    "rfo": "alpha",
    "gpu": "gpu",
    "GPUs": "gpu",
    "hbm": "hbm",
    "numa": "numa-domain",
    "GB/s": "gb-per-second",
    "bandwidth": "bandwidth",
    "samples": "sample",
    "not quotable": "quotable",
    "as STREAM counts": "nominal",
    "really moved": "hardware-bytes",
    "streaming stores": "streaming",
    "self-test": "forced-read",
    "hyperthreading": "hardware-thread",
    "memcpy": "copy-memcpy",
    "Hardware Bytes": "hardware-bytes",
    "numa_balancing": "numa-balancing",
    "writealocate": "write-allocate",
    "bandwith": "bandwidth",
    "steram": "stream",
    "trad": "triad",
    "hugepages off": "huge-pages",
    "Why is my figure lower than the one from STREAM?": "stream",
    "how many threads should I use": "saturation",
    "one of eight DIMMs is missing": "answers: One of eight memory modules is missing. Why is more"
    " than an eighth lost?",
    "mixed DIMMs": "answers: What do mixed memory modules cost?",
    "should I enable EXPO": "answers: Do I need XMP or EXPO?",
    "slower after a BIOS update": "answers: It became slower after a BIOS update. What changed?",
    "NPS4": "answers: Which NUMA mode should the firmware have: NPS, SNC?",
    "snc": "answers: Which NUMA mode should the firmware have: NPS, SNC?",
    "why are writes slower than reads": "answers: Why are writes slower than reads?",
    "why is copy faster than triad": "answers: Why is copy faster than triad, or slower?",
    "huge pages are slower": "answers: Why are huge pages slower?",
    "my GPU only reaches 80 % of its peak": "answers: Is 80 % of the peak good for a GPU?",
    "read slower than update": "answers: Why is reading alone slower than update?",
    "Do I need root?": "faq: Do I need root?",
    "need root": "faq: Do I need root?",
    "how does my program scale": "streamgage program --scaling",
    "which is faster?": "program-ratio: Which of two programs is faster?",
    "measure": "streamgage measure",
    "python": "From Python",
    "how long does it take": "check: How long it takes",
    "k8s pod limit": "cpu-quota",
    "interleave all": "pin: Where the program's memory comes from",
    "CI gate": "A benchmark in CI",
    "WSL2": "faq: Does it run on Windows or macOS?",
    "does ECC cost bandwidth": "answers: Does ECC cost bandwidth?",
    "how much does ECC hurt performance": "answers: Does ECC cost bandwidth?",
    "does SNC help": "answers: Which NUMA mode should the firmware have: NPS, SNC?",
    "impact of huge pages on memory bandwidth": "huge-pages",
    "why is my result higher than the peak": "answers: Why is my result higher than the peak?",
    "1 DIMM per channel": "answers: What do two modules per channel cost?",
    "false sharing": "answers: What is false sharing, and is it here?",
    "CL30": "answers: Do memory timings (CL, gear, FCLK) matter for bandwidth?",
    "HBM vs DDR": "hbm",
    "GB vs GiB": "gb-per-second",
    "RDIMM": "memory-channel",
    "bandwidth drops with more threads": "scaling-dip",
    "how do I find a bad DIMM": "answers: One of eight memory modules is missing. Why is more"
    " than an eighth lost?",
    "memory.max": "memory-cap",
    "clock speed": "frequency-limit",
    "what is a good stream triad score": "faq: Is my number good?",
    "why do results change from run to run": "streamgage measure --runs",
    "what is the peak bandwidth of my CPU": "peak",
    "can I run it without root": "faq: Do I need root?",
    "how many memory channels do I have": "memory-channel",
    "does virtualization reduce memory bandwidth": "virtual-machine",
    "slower on two sockets": "scaling-dip",
    "rdtsc": "coarse-clock",
    "localalloc": "pin: Where the program's memory comes from",
    "where are my results saved": "faq: Where are my results?",
}
UNLISTED = {
    "can a noisy neighbour take my bandwidth": "other-load",
    "do I need to be administrator": "faq: Do I need root?",
    "which compiler flags should I use": "streamgage compilers",
    "my laptop is slower on battery": "frequency-limit",
    "how many repetitions are enough": "few-repetitions",
    "is write bandwidth lower than read bandwidth": "answers: Why are writes slower than reads?",
    "the figure is above the theoretical maximum": "answers: Why is my result higher than the"
    " peak?",
    "does hyperthreading help": "hardware-thread",
    "does malloc decide on which node my memory is": "first-touch",
    "how much bandwidth is lost by DRAM refresh": "answers: Why does no program reach the peak?",
    "is unified memory faster": "unified-memory",
    "do efficiency cores help memory bandwidth": "hybrid-processor",
    "random access is much slower than sequential": "random-access",
    "how much performance does SEV cost": "answers: Does memory encryption cost bandwidth?",
    "does PCIe 4.0 x8 limit my GPU": "answers: What do PCIe and NVLink give?",
    "is single channel half as fast": "answers: Is dual channel twice as fast as single channel?",
    "container is 3 times slower than running directly on the host": "cpu-quota",
    "what latency does CXL memory have": "answers: What does CXL memory give?",
    "why does likwid-bench use only half of the cores": "coming-from: likwid-bench, likwid-pin and"
    " likwid-perfctr",
}
"""Questions that are not in the index, and what answers them."""
FOREIGN = [
    "banana",
    "pizza",
    "weather",
    "kitten",
    "guitar",
    "invoice",
    "marathon",
    "concert",
    "pasta",
    "london",
    "xyzzy",
    "umbrella",
    "chocolate",
    "football",
    "wedding",
    "novel",
    "trumpet",
    "horse",
    "tulip",
    "bicycle",
    "does pizza affect performance",
    "is a better guitar worth it",
    "how do I center a div",
    "my printer does not work",
    "reading list for summer",
    "how do I install a printer driver",
    "translate to french",
    "sports channel schedule",
    "thread for sewing machine",
    "scale model airplane kits",
    "page layout for magazines",
    "when is easter",
    "how do I bake bread",
]


@pytest.mark.parametrize("words", ASKED)
def test_everyday_words_and_questions_find_their_page(words: str) -> None:
    assert search.search(words).entries[0].name == ASKED[words]


@pytest.mark.parametrize("words", UNLISTED)
def test_a_question_finds_its_page_by_what_its_words_mean(words: str) -> None:
    assert words not in [each for listed in search.index().values() for each in listed]
    assert search.search(words).entries[0].name == UNLISTED[words]


def test_every_group_of_synonyms_leads_to_a_page() -> None:
    lines = (REPOSITORY / "streamgage" / "explanations" / "synonyms.txt").read_text("utf-8")
    groups = [line.split() for line in lines.splitlines() if line and not line.startswith("#")]
    assert len(groups) > 100
    found = {
        " ".join(group)
        for group in groups
        if any(search.search(word.strip("()")).entries for word in group)
    }
    assert {" ".join(group) for group in groups} - found == set()


@pytest.mark.parametrize(
    ("question", "product"),
    [
        ("is 150 GB/s good for an EPYC 7763?", "EPYC 7763"),
        ("does it work on a Raspberry Pi", "Raspberry Pi"),
        ("what does my MI300X reach", "MI300X"),
    ],
)
def test_a_question_about_a_product_has_its_name_as_a_piece(question: str, product: str) -> None:
    assert product in list(search.pieces(question))


@pytest.mark.parametrize(
    ("question", "advice"),
    [
        ("AMD EPYC 9654 is not optimized for max speed", "streamgage expected 'EPYC 9654'"),
        ("Weird performance difference between Ryzen 5900X and 7950X", "streamgage expected 5900X"),
        ("what does my MI300X reach", "streamgage expected MI300X"),
    ],
)
def test_the_advice_on_a_product_has_no_other_words(
    question: str, advice: str, capsys: pytest.CaptureFixture[str]
) -> None:
    explain(*question.split())
    assert f"`{advice}`" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("tag", ["[BUG] ", "[Feature] [mm]", "Misc. bug: ", "Need help: "])
def test_what_a_title_begins_with_is_not_asked_for(tag: str) -> None:
    asked = "does malloc decide on which node my memory is"
    assert search.search(f"{tag}{asked}") == search.search(asked)
    assert search.search(tag) == search.search(tag.strip(" "))


@pytest.mark.parametrize("product", ["on Xeon Gold", "with an AMD EPYC", "on Intel Haswell"])
def test_a_product_says_where_and_not_what(product: str) -> None:
    asked = "NUMA balancing makes STREAM slower"
    assert search.search(f"{asked} {product}").entries[0] == search.search(asked).entries[0]


@pytest.mark.parametrize(
    ("one", "other"),
    [("automatic", "automatically"), ("microbenchmark of arrays", "benchmark of arrays")],
)
def test_forms_of_a_word_find_the_same(one: str, other: str) -> None:
    assert search.search(one).entries[:1] == search.search(other).entries[:1]
    assert search.search(one).entries


@pytest.mark.parametrize(
    ("words", "page"),
    [("memory.min", "median"), ("max speed", "median"), ("high memory", "above-peak")],
)
def test_a_part_of_another_name_is_not_what_is_asked_for(words: str, page: str) -> None:
    assert page not in [each.name for each in search.search(words).entries[:1]]


@pytest.mark.parametrize("word", FOREIGN)
def test_a_word_that_no_page_has_finds_nothing(word: str) -> None:
    assert search.search(word).entries == ()


@pytest.mark.parametrize("empty", ["", " ", "?", "../", "\0"])
def test_no_word_finds_nothing(empty: str) -> None:
    assert search.search(empty).entries == ()


def test_a_question_of_foreign_words_is_not_answered_by_its_common_ones() -> None:
    assert search.search("how do I cook pasta for a wedding").entries == ()


@pytest.mark.parametrize("words", ["memory leak", "time travel", "marathon run", "reading novels"])
def test_a_word_that_most_pages_have_is_no_part_that_answers(words: str) -> None:
    assert search.search(words).entries == ()


@pytest.mark.parametrize("words", ["half bandwidth", "cuda driver", "random order"])
def test_of_few_words_the_best_page_has_all(words: str) -> None:
    found = search.search(words)
    assert found.entries and not found.in_part
    best = found.entries[0]
    text = f"{best.name} {' '.join(search.index().get(best.name, []))} {best.text}".lower()
    assert all(word in text for word in words.split())


def test_what_is_only_partly_known_is_said_to_be() -> None:
    found = search.search("kubernetes pod zebra")
    assert found.in_part and found.entries[0].name == "Measure in a container"


@pytest.mark.parametrize("words", ["banana bandwidth", "copy of my passport", "drift racing car"])
def test_a_known_word_among_unknown_ones_is_not_enough(words: str) -> None:
    assert search.search(words).entries == ()


def test_a_correction_is_said() -> None:
    assert search.search("bandwith").corrected == (("bandwith", "bandwidth"),)
    assert search.search("bandwidth").corrected == ()


@pytest.mark.parametrize(("word", "name"), [("bread", "read"), ("easter", "faster")])
def test_a_word_with_another_first_letter_is_another_word(word: str, name: str) -> None:
    assert search.search(name).entries
    assert search.search(word).corrected == () and not search.search(word).entries


def test_a_word_with_three_other_letters_is_another_word() -> None:
    assert search.search("compression").entries and search.search("compresion").corrected
    assert search.search("comprehension").corrected == ()


@pytest.mark.parametrize("unknown", ["frobnicate", "xyzzy"])
def test_one_unknown_word_does_not_hide_what_the_others_ask_for(unknown: str) -> None:
    assert search.search(f"does malloc {unknown} my NUMA node").entries[0].name == "first-touch"


def test_a_size_or_a_model_that_no_page_has_says_little() -> None:
    known = search.search("is DDR5 limited by CL30")
    assert search.search("is DDR5 limited by CL30 with 12k7 and x99").entries[0] in known.entries


@pytest.mark.parametrize("name", ["Kunpeng", "Wilcoxon"])
def test_a_name_that_only_a_text_has_finds_that_text(name: str) -> None:
    assert any(name in entry.text for entry in search.search(name).entries)


@pytest.mark.parametrize("word", ["bandits", "habits", "winner"])
def test_a_common_word_that_only_a_text_has_finds_nothing(word: str) -> None:
    assert search.search(word).entries == ()


@pytest.mark.parametrize("hostile", ['"', "a OR b", "NEAR(a b)", "name:x", "triad*", "x" * 10**6])
def test_the_grammar_of_the_full_text_is_not_the_readers(hostile: str) -> None:
    search.search(hostile)


def test_every_name_finds_itself() -> None:
    wrong = {name for name in names() if search.search(name).entries[0].name != name}
    assert wrong == set()


def test_every_section_of_the_documentation_finds_itself() -> None:
    wrong = {
        name
        for name, entry in search.entries().items()
        if entry.text not in [found.text for found in search.search(name).entries]
    }
    assert wrong == set()
    assert len(search.entries()) > 2 * len(names())


def test_every_word_of_the_index_finds_the_page_under_which_it_stands() -> None:
    wrong = {
        (word, name)
        for name, words in search.index().items()
        for word in words
        if search.search(word).entries[0].name != name
    }
    assert wrong == set()
    assert sum(map(len, search.index().values())) > 150


def labels(result: Result[Any]) -> Iterator[str]:
    """The words in bold, and the names of columns, rows and sentences, of a result's screens."""
    page = result.page
    for table in [*page.tables, *([page.first.table] if page.first else [])]:
        yield from (table.title, table.over)
        for column in table.columns:
            yield from (column.title, column.group, column.whole_title)
    for point in page.first.points if page.first else ():
        yield point.name
    for name, _ in [*page.facts, *page.terms, *page.passed]:
        yield name
    yield from (finding.code for finding in page.findings)


@pytest.mark.parametrize("result", every_kind(), ids=lambda each: each.name)
def test_every_label_of_every_screen_is_explained(result: Result[Any]) -> None:
    asked = {label for label in labels(result) if re.search("[A-Za-z]", label)}
    assert asked
    assert {label for label in asked if not search.search(label).entries} == set()


def test_every_check_of_the_doctor_is_explained() -> None:
    shown = (GOLDEN / "doctor-fit-details-100.txt").read_text("utf-8")
    checks = re.findall(r"^ [✗▲✓–] ([\w-]+)", shown, re.MULTILINE)
    assert len(checks) > 10
    assert {check for check in checks if not search.search(check).entries} == set()


def test_every_command_is_explained() -> None:
    assert {name for name in command_names() if not search.search(name).entries} == set()


@pytest.mark.parametrize(
    ("hardware", "kernel"),
    [
        ("One Xeon Gold 6248 (SNC2)", "sum"),
        ("One Xeon Gold 6248 (SNC2)", "init"),
        ("One Xeon Gold 6248 (SNC2)", "copy"),
        ("One Xeon Gold 6248 (SNC2)", "triad"),
        ("One Xeon E5-2660 v2", "sum"),
        ("One Xeon E5-2660 v2", "update"),
        ("NVIDIA H200 (ND H200 v5)", "triad"),
        ("NVIDIA H200 (ND H200 v5)", "dot"),
        ("AMD MI300X", "init"),
        ("AMD MI300X", "striad"),
    ],
)
def test_the_published_figures_of_answers_are_those_that_expected_shows(
    hardware: str, kernel: str
) -> None:
    answers = (REPOSITORY / "docs" / "answers.md").read_text("utf-8")
    (row,) = [each for each in known_values() if (each.hardware, each.kernel) == (hardware, kernel)]
    assert re.search(rf"\b{re.escape(f'{row.high_gbps:g}')}\b", answers)


def test_every_answer_has_figures_and_a_command() -> None:
    answers = [entry for name, entry in search.entries().items() if name.startswith("answers: ")]
    assert len(answers) >= 10
    for answer in answers:
        assert "\nstreamgage " in answer.text
        assert re.search(r"\d", answer.text.partition("\n")[2])
