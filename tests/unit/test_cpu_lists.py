from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamgage.cpu_list import (
    HIGHEST_CPU,
    count_cpus,
    cpu_numbers,
    format_cpu_list,
    name_nodes,
    node_numbers,
)
from streamgage.errors import UsageError


@pytest.mark.parametrize(
    ("text", "cpus"),
    [
        ("0", [0]),
        ("0-3,8", [0, 1, 2, 3, 8]),
        ("7,3,0", [7, 3, 0]),
        ("3-1", [3, 2, 1]),
        ("1, 0", [1, 0]),
    ],
)
def test_the_order_written_is_the_order_of_threads(text: str, cpus: list[int]) -> None:
    assert cpu_numbers(text) == cpus


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "empty"),
        ("0,,1", "empty"),
        ("0-", "'0-'"),
        ("-1", "'-1'"),
        ("0,a-b", "'a-b'"),
        ("1-2-3", "'1-2-3'"),
        ("0,1,0", "CPU 0 is named twice"),
        ("0-3,2", "CPU 2 is named twice"),
        ("0-99999999", "0-99999999"),
        ("99999999999", "'99999999999'"),
    ],
)
def test_the_error_names_the_part(text: str, part: str) -> None:
    with pytest.raises(UsageError, match="--cpus") as refused:
        cpu_numbers(text)
    assert part in str(refused.value)


@given(st.text(alphabet="0123456789-, ab", max_size=30) | st.text(max_size=30))
def test_any_text_is_a_cpu_list_or_a_usage_error(text: str) -> None:
    try:
        cpus = cpu_numbers(text)
    except UsageError:
        return
    assert cpus and len(set(cpus)) == len(cpus)
    assert all(0 <= cpu <= HIGHEST_CPU for cpu in cpus)


@given(st.lists(st.integers(0, 200), min_size=1, unique=True))
def test_a_printed_list_reads_back(cpus: list[int]) -> None:
    text = format_cpu_list(cpus)
    assert cpu_numbers(text) == sorted(cpus)
    assert count_cpus(text) == len(cpus)


def test_an_empty_list_has_no_cpu() -> None:
    assert count_cpus("") == 0


def test_nodes_are_a_list_in_their_order() -> None:
    assert node_numbers("3,0-1") == [0, 1, 3]
    assert name_nodes([3]) == "node 3"
    assert name_nodes([0, 1, 3]) == "nodes 0-1,3"


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "--memory-nodes (empty): a part is empty; write NUMA node numbers"),
        ("hbm", "'hbm' is not a node number or range"),
        ("1,0-2", "node 1 is named twice"),
        ("1024", "1024 goes beyond node 1023"),
    ],
)
def test_nodes_that_cannot_be_read_are_refused_by_the_option(text: str, part: str) -> None:
    with pytest.raises(UsageError) as refused:
        node_numbers(text)
    assert part in str(refused.value)
