from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from streamgage.analysis.shapes import describe_shape, shape_of
from streamgage.errors import UsageError
from streamgage.records import AccessShape

BYTES = st.integers(0, 1 << 40)
SHAPES = st.builds(
    AccessShape,
    streams=st.integers(1, 1 << 20),
    block_bytes=BYTES,
    read_prefetch_bytes=st.none() | BYTES,
    write_prefetch_bytes=st.none() | BYTES,
)


def as_option(shape: AccessShape) -> str:
    """What ``--shape`` takes for that shape, as its help and its refusals spell it."""
    parts = [f"streams={shape.streams}", f"block={shape.block_bytes}"]
    if shape.read_prefetch_bytes is not None:
        parts.append(f"read-prefetch={shape.read_prefetch_bytes}")
    if shape.write_prefetch_bytes is not None:
        parts.append(f"write-prefetch={shape.write_prefetch_bytes}")
    return ",".join(parts)


@given(SHAPES)
def test_every_shape_can_be_asked_for(shape: AccessShape) -> None:
    assert shape_of(as_option(shape)) == shape


@pytest.mark.parametrize(
    ("text", "shape", "described"),
    [
        ("streams=1", AccessShape(), "default"),
        ("streams=4", AccessShape(streams=4), "4 streams far apart"),
        (
            "streams=4,block=4KiB,read-prefetch=1KiB,write-prefetch=512",
            AccessShape(
                streams=4, block_bytes=4096, read_prefetch_bytes=1024, write_prefetch_bytes=512
            ),
            "4 streams 4 KiB apart, read prefetch 1 KiB ahead, write prefetch 512 bytes ahead",
        ),
        (
            " write-prefetch = 0 ",
            AccessShape(write_prefetch_bytes=0),
            "write prefetch at the access itself",
        ),
        (
            "block=64K,streams=2",
            AccessShape(streams=2, block_bytes=65536),
            "2 streams 64 KiB apart",
        ),
    ],
)
def test_shapes_as_they_are_written_and_read(text: str, shape: AccessShape, described: str) -> None:
    assert shape_of(text) == shape
    assert describe_shape(shape) == described


def read_back(words: str) -> AccessShape:
    """The shape that a description tells of."""
    asked = []
    for part in [] if words == "default" else words.split(", "):
        amount = re.search(r"(\d+(?: [KMG]iB)?)(?: bytes)?(?: apart| ahead)", part)
        size = amount[1].replace(" ", "") if amount else "0"
        if streams := re.match(r"(\d+) streams", part):
            asked += [f"streams={streams[1]}", f"block={size}"]
        else:
            asked.append(f"{part.split()[0]}-prefetch={size}")
    return shape_of(",".join(asked)) if asked else AccessShape()


DISTANCES = st.none() | st.sampled_from([0, 64, 512, 1024, 2048, 4096, 65536])


@given(
    st.sampled_from([1, 2, 4, 8]),
    st.just(0) | st.integers(10, 20).map(lambda power: 1 << power),
    DISTANCES,
    DISTANCES,
)
def test_a_description_of_a_shape_that_is_raced_tells_all_of_it(
    streams: int, block: int, read: int | None, write: int | None
) -> None:
    shape = AccessShape(
        streams=streams,
        block_bytes=block if streams > 1 else 0,
        read_prefetch_bytes=read,
        write_prefetch_bytes=write,
    )
    assert read_back(describe_shape(shape)) == shape


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "has a part '' that sets nothing: write for example streams=4"),
        ("streams=4,", "has a part '' that sets nothing"),
        ("streams", "has a part 'streams' that sets nothing"),
        ("streams=", "has a part 'streams=' that sets nothing"),
        ("=4", "'' is not known: use streams, block, read-prefetch, write-prefetch."),
        ("stream=4", "'stream' is not known"),
        ("Streams=4", "'Streams' is not known"),
        ("streams=4,streams=4", "sets streams twice"),
        ("streams=0", "'0' is not a number of streams: use 1, 2, 4 or 8."),
        ("streams=-1", "'-1' is not a number of streams"),
        ("streams=4KiB", "'4KiB' is not a number of streams"),
        ("streams=²", "'²' is not a number of streams"),
        (f"streams={'9' * 10_000}", "is not a number of streams"),
        ("streams=2=2", "'2=2' is not a number of streams"),
        ("block=4XB", "'4XB' is not a number of bytes for block"),
        ("block=-4", "'-4' is not a number of bytes for block"),
        ("read-prefetch=2TiB", "'2TiB' is not a number of bytes for read-prefetch"),
        ("write-prefetch=٤", "'٤' is not a number of bytes for write-prefetch"),
    ],
)
def test_what_is_no_shape_is_refused_in_one_sentence(text: str, words: str) -> None:
    with pytest.raises(UsageError) as refused:
        shape_of(text)
    sentence = str(refused.value)
    assert sentence.startswith("--shape ")
    assert words in sentence
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert len(sentence) < 400


@given(st.text(max_size=60) | st.from_regex(r"(streams|block|read-prefetch)=[^,]*(,.*)?"))
@example("streams=00000000000000000001999999")
def test_any_text_is_a_shape_or_is_refused(text: str) -> None:
    try:
        shape = shape_of(text)
    except UsageError as refused:
        assert str(refused).startswith("--shape ")
    else:
        assert 1 <= shape.streams <= 1 << 20
        assert 0 <= shape.block_bytes <= 1 << 40
        assert describe_shape(shape)
