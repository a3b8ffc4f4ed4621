"""The reasons for an alpha, or for an unknown one, as codes with values."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

from streamgage.analysis.traffic.bands import FULL
from streamgage.analysis.traffic.reading import Readings
from streamgage.analysis.worded_code import WordedCode
from streamgage.records.quantities import Amount, ByteAmount, Count, Difference, RateFrom0


class ReasonCode(WordedCode):
    """A reason code with its words; ``{because}`` stands for the words of the next reason."""

    BOTH = "both", "{because}; and {because}"
    CONTRADICTION = "contradiction", "two signs contradict each other: {because}; but {because}"

    # Reasons that apply to any run.
    NO_RATE = "no-rate", "its rate is unknown"
    DEVICE = "device", "nothing shows how the caches of the device write: {because}"
    NO_SAMPLE = "no-sample", "no timed sample was taken"
    SMALL_ARRAYS = (
        "small-arrays",
        "the arrays are below STREAM's 4x rule, so part of the data may come from the caches",
    )
    FAILED_CHECK = "failed-check", "the benchmark's own check of its results failed"
    MAY_BE_CACHED = (
        "may-be-cached",
        "the processor is unknown, and one with such rates may have {bytes:size} of caches, which"
        " hold the arrays of copy",
    )
    STEAL = (
        "steal",
        "the hypervisor took {share:share} of the time of the CPUs in use; above {limit:share},"
        " times are not reliable",
    )
    TWO_GROUPS = (
        "two-groups",
        "the times fall into two groups, {share:share} apart, so one alpha cannot describe both",
    )
    SCATTERED_TABLES = (
        "scattered-tables",
        "the times of {kernel} in {number} tables differ by {share:share} of their median, so the"
        " machine's state changed between them",
    )
    PART_OF_THREADS = (
        "part-of-threads",
        "it was measured with a part of the threads, to see how bandwidth grows",
    )
    FEW_BLOCKS = "few-blocks", "too few blocks ({number}): {needed} are needed"
    SELF_TEST = (
        "self-test",
        "the self-test of timing failed ({alphas:named}; it should be 1 ±{limit}): stores whose"
        " lines are certainly read seem to read more or fewer",
    )

    # Reasons about whether memory was the limit.
    ONE_THREAD = (
        "one-thread",
        "one thread rarely uses all of the memory's bandwidth, and nothing shows that this one did",
    )
    CORES = (
        "cores",
        "{kernel} has {share:share} more bandwidth than {kernels:listed}, though neither reads"
        " anything because of a store: the cores were the limit, not the memory",
    )
    STILL_RISING = (
        "still-rising",
        "bandwidth still rises with every thread, so the cores are the limit",
    )
    NOTHING_TO_COMPARE = (
        "nothing-to-compare",
        "too few kernels whose stores never cause a read were measured to see whether memory is"
        " the limit",
    )
    MAY_RISE = "may-rise", "it is unknown whether bandwidth still rises with every thread"

    # Reasons about what stores have to read.
    READS_ITSELF = (
        "reads-itself",
        "the kernel reads what it overwrites, so its stores read nothing more",
    )
    NO_STORE = "no-store", "the kernel has no store, so no store reads anything"
    NOTHING_TO_READ = "nothing-to-read", "it reads what it overwrites, or stores nothing"

    # Reasons about the kernels on both sides.
    NO_NEIGHBOURS = "no-neighbours", "no kernel has the same traffic as {kernel}"
    CLOSE_NEIGHBOURS = (
        "close-neighbours",
        "the kernels that bracket {kernel} are too close to each other",
    )
    MISSING_NEIGHBOURS = (
        "missing-neighbours",
        "{kernel} must be compared with {kernels:and}, which {kernels:was} not measured",
    )
    NARROW = (
        "narrow",
        "{kernels:and}, which bracket {kernel}, differ by {share:share} ({low:share} to"
        " {high:share}); at least {limit:share} is needed",
    )
    COMPARED = (
        "compared",
        "compared with kernels whose stores never cause a read, {kernel} reads {alpha:.2f} of the"
        " lines that it overwrites",
    )
    KERNELS_DISAGREE = (
        "kernels-disagree",
        "{alphas:and} have the same stores and must agree, but they read {alphas:values} of the"
        " lines that they overwrite",
    )
    KERNELS_APART = (
        "kernels-apart",
        "the alphas of kernels with the same stores differ by {alpha:.2f}, but a verdict allows"
        " at most {limit:.2f}",
    )
    TAKES_LONGER = (
        "takes-longer",
        "it takes longer than if every stored line were also read (alpha {alpha:.2f}), so something"
        " other than memory costs time",
    )
    NO_BAND = (
        "no-band",
        f"an alpha between {{low:.2f}} and {{high:.2f}} is not clearly full ({FULL[0]} to"
        f" {FULL[1]}), none, or a part",
    )
    INIT_ALONE = (
        "init-alone",
        "init takes {ratio:.2f} of the time of update, but no kernel bounds it from below, so this"
        " only counts if copy and triad show the same",
    )

    # Reasons about the forced read.
    PREFETCHED = (
        "prefetched",
        "each line is prefetched for writing, so it is certainly read",
    )
    PREFETCHED_SEEN = (
        "prefetched-seen",
        "each line is prefetched for writing, so it is certainly read (its bracket gives"
        " {alpha:.2f})",
    )
    PREFETCHED_UNCHECKED = (
        "prefetched-unchecked",
        "each line is prefetched for writing and so should be read, but {because}, so this was not"
        " checked",
    )
    FORCED_UNCHECKED = (
        "forced-unchecked",
        "a forced read would decide it, but could not be checked itself: {because}",
    )
    NO_FORCED = "no-forced", "{because}, and no forced read decides"
    FORCED_WIDE = (
        "forced-wide",
        "compared with its forced read it takes {low:.2f} to {high:.2f} times as long; this range"
        " is too wide, because a read costs {share:share}",
    )
    AS_FORCED = (
        "as-forced",
        "it takes {ratio:.2f} times as long as with its lines certainly read ({ratio:change}),"
        " while not reading them could save {share:share}",
    )
    FASTER = "faster", "it is {share:share} faster than with its lines certainly read"
    FASTER_UNKNOWN = (
        "faster-unknown",
        "it is {share:share} faster than with its lines certainly read, so a part may not have been"
        " read; how much is unknown, because {because}",
    )
    OWN_COST = (
        "own-cost",
        "a store of this kind may cost extra time, but cannot save any",
    )
    NO_BOUND = (
        "no-bound",
        "{because}; its time would allow an alpha of {high:.2f}, so the bound says nothing",
    )

    # Reasons about the physical limit.
    EXCLUDED = (
        "excluded",
        "reading every stored line would need {gbps:.4g} GB/s, above the theoretical peak of"
        " {peak_gbps:.4g} GB/s, so at most {high:.2f} of the lines were read",
    )
    SELDOM = (
        "seldom",
        "{because}; and memory that also writes seldom exceeds {limit:share} of its peak",
    )

    # Reasons about counters.
    LOST = "lost", "the counts of {source} were lost: {said}"
    NO_TIME = "no-time", "{source} did not run"
    COUNTED_NOTHING = "counted-nothing", "{source} counted nothing"
    ABOVE_PEAK = (
        "above-peak",
        "{source} counted {gbps:.4g} GB/s, above the theoretical peak of {peak_gbps:.4g} GB/s",
    )
    REJECTED = "rejected", "{source} was rejected by its calibration: {said}"
    MULTIPLEXED = (
        "multiplexed",
        "the events of {source} were multiplexed and counted for only {share:share} of the time",
    )
    SAW_LESS = (
        "saw-less",
        "{source} saw only {share:share} of the {traffic} that the kernel itself causes, so it does"
        " not see all of the memory",
    )
    SAW_MORE = (
        "saw-more",
        "{source} saw {ratio:.1f} times the {traffic} that the kernel can cause, so something else"
        " used the memory",
    )
    COUNTED = "counted", "{source} counted {alpha:.2f} lines read for each line stored"
    COUNTED_BETWEEN = (
        "counted-between",
        "{source} counted an alpha between {low:.2f} and {high:.2f}",
    )

    # Reasons about another benchmark's table.
    ONE_KERNEL = "one-kernel", "the table has one kernel, and nothing to compare it with"
    BEYOND_PEAK = (
        "beyond-peak",
        "{kernel} exceeds {limit:share} of the peak of {peak_gbps:.4g} GB/s, so its rate is not"
        " that of this memory, or the peak is wrong",
    )
    NO_BANDWIDTH = (
        "no-bandwidth",
        "whatever the stores read, no common bandwidth explains the rates: they differ by"
        " {share:share} in the most probable case",
    )
    FAR_APART = (
        "far-apart",
        "copy differs by {share:share} from the loops in the most probable case, and other stores"
        " or a call of the library explain at most {limit:share}, so something other than memory"
        " slowed one of them down",
    )
    ALONE = (
        "alone",
        "the rates agree only if {kernel} alone has other stores than all other kernels, which"
        " compilers seldom do; more often something else changed its rate",
    )
    ONE_COMBINATION = "one-combination", "{evidence}"
    LIKELY = "likely", "{evidence}"
    UNDECIDED = "undecided", "the rates do not decide it: {evidence}"
    AGAINST_ODDS = (
        "against-odds",
        "the rates of all kernels together make it less certain than its own times do ({evidence})",
    )

    # Reasons about the user's own kernels.
    COUNTED_OWN = (
        "counted-own",
        "{source} counted {bytes:.4g} bytes per iteration; the kernel declares at least"
        " {declared_bytes:.4g}",
    )
    DECLARES_READS = (
        "declares-reads",
        "it reads what it overwrites, so its stores read nothing more (as the kernel declares;"
        " nothing was counted)",
    )
    DECLARES_NO_STORE = (
        "declares-no-store",
        "it stores nothing, so no store reads anything (as the kernel declares; nothing was"
        " counted)",
    )
    NO_BUILT_IN = (
        "no-built-in",
        "no built-in kernel in this run shows how much ordinary stores read",
    )
    BUILT_IN_DISAGREE = (
        "built-in-disagree",
        "{kernels:listed} in this run disagree about ordinary stores",
    )
    LIKE_BUILT_IN = (
        "like-built-in",
        "this is what the kernel declares, because nothing was counted; if its stores are ordinary,"
        " their lines are read like those of {kernels:listed} in this run",
    )


Traffic = Literal["reads", "writes", "traffic"]


class Reason(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A reason with its values; its code determines which values it has."""

    why: ReasonCode
    kernel: str | None = None
    kernels: list[str] = []
    """The kernels that it is compared with."""
    alpha: Difference | None = None
    low: Difference | None = None
    high: Difference | None = None
    """The upper bound of alpha, or of the figure that the code is about; ``low`` is the lower
    one."""
    alphas: dict[str, Difference] = {}
    """Alpha by kernel."""
    share: Difference | None = None
    spread: Difference | None = None
    ratio: Amount | None = None
    limit: Amount | None = None
    """The limit that ``share`` or ``alpha`` was compared with."""
    number: Count | None = None
    needed: Count | None = None
    gbps: RateFrom0 | None = None
    peak_gbps: RateFrom0 | None = None
    rates: dict[str, RateFrom0] = {}
    """The real traffic by kernel, in GB/s."""
    read: list[str] = []
    """The kernels that read the lines that they overwrite."""
    source: str | None = None
    """The source of the counts."""
    said: str | None = None
    """The cause in the words of the engine."""
    traffic: Traffic | None = None
    bytes: ByteAmount | None = None
    declared_bytes: ByteAmount | None = None
    readings: Readings | None = None

    @property
    def evidence(self) -> str | None:
        """The strength of the evidence for the most probable reading, in words."""
        return None if self.readings is None else self.readings.evidence


def in_words(reasons: Iterable[Reason]) -> str:
    """Join the words of a reason with those that it rests on, which follow it.

    Raises ``ValueError`` if a value or a reason is missing.
    """
    waiting = iter(reasons)

    def words() -> str:
        reason = next(waiting, None)
        if reason is None:
            raise ValueError("Expected a further reason")
        return reason.why.filled(lambda name: value(reason, name))

    def value(reason: Reason, name: str) -> object:
        return words() if name == "because" else getattr(reason, name)

    return words()
