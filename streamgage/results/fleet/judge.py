"""From the lines of nodes to the verdict on each: pure, and linear in their number."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from math import erfc, exp, expm1, log, log1p, sqrt

from streamgage.analysis.outside import MUCH
from streamgage.analysis.statistics.intervals import median
from streamgage.analysis.statistics.modes import Modes, two_modes
from streamgage.analysis.statistics.outliers import FEWEST, false_discovery, log_width
from streamgage.analysis.statistics.tails import Shape, shape_of
from streamgage.errors import UsageError
from streamgage.records.node import NodeDomain, NodeFigure, NodeLine
from streamgage.results.fleet.baseline import Baseline
from streamgage.results.fleet.causes import (
    AnyCause,
    BelowBaseline,
    BelowExpected,
    BelowOwnPast,
    Disturbance,
    EngineWarnings,
    FarBelowFew,
    KeptLow,
    LowPower,
    NoMajority,
    OddProperty,
    RunsDisagree,
    SamplesInTwoGroups,
    SlowPart,
    SlowPlace,
    SlowSetting,
    TwoSpeeds,
)
from streamgage.results.fleet.classes import Group, groups_of
from streamgage.results.fleet.document import (
    ClassFigure,
    Fleet,
    FleetClass,
    FleetFigure,
    FleetNode,
    NodeRun,
    SettingEffect,
    SilentNode,
    Verdict,
)
from streamgage.results.fleet.drift import Drifts, PastRun, drifts_of
from streamgage.results.fleet.effects import PLACE, Fit, fitted
from streamgage.results.fleet.expected import Expected, expected_for
from streamgage.results.fleet.gather import INVALID, Gathered
from streamgage.results.fleet.nodes import unfolded
from streamgage.units import count, format_share

LIMIT = 0.03
"""Smaller effects do not matter to anybody."""
FALSE_SUSPECTS = 0.05
"""Share of the suspects that may be sound: they are only measured again."""
FALSE_ALARM = 0.01
"""Share of the slow nodes that may be sound, and so the chance that a class without a slow node has
one."""
_MOST_TOGETHER = 8
"""As many slow figures of a class at most make it more likely that another one is slow."""
_FAR_BELOW = 5.0
"""Scales below the slower group from which on a node is slow by itself."""
_TOO_FAST, _RATHER_FAST = 0.002, 0.02
"""The chance that a sound node was so fast before a loss that this stays unseen: in any class, and
in one where the same loss of most nodes would be seen."""
FINE_FROM = 0.10
"""Where a greater loss of one node would not have been found, no node is called fine."""
_LEAST_EFFECT = 0.01
"""Smaller effects of settings are not shown."""
_LEAST_SCALE = 1e-3
"""Nodes of a class that agree better than that do so by chance."""
_OBVIOUS = 0.10
"""The effect from which a node is a suspect in a class too small for statistics."""
_COMPARABLE = 3
"""if it has at least that many nodes."""
_FEWEST_SAMPLES = 10
_QUOTA = "cpu-quota"
_SHARED = "device-shared"
_KEPT_LOW = "device-slowed"
_DISTURBING = {
    _QUOTA: "a CPU quota stopped the threads",
    "other-load": "other programs used the CPUs",
    "steal": "the hypervisor took the CPUs",
    "confined": "the process had only some of the CPUs",
    "fewer-cpus": "there were fewer threads than asked for",
    "unfinished": "the run ended early",
    _SHARED: "another process had the device open",
}
"""Codes of findings of a run that says nothing of its node."""
_DAY = timedelta(days=1)
_A_NIGHT = timedelta(hours=12)
"""Runs of one node that lie farther apart are of several nights."""
_MOST_CLOCKS = 0.1
"""If a larger share of the clocks is far away, the lines are from several days."""
_NUMBERS = re.compile(r"([0-9]+)")
_SHOWN_FIRST = "triad"
_OF_DOMAIN, _OF_CORE = "triad, NUMA node {}", "triad, core {}"


@dataclass(frozen=True)
class Rules:
    """The rules of the judge."""

    limit: float = LIMIT
    baseline: Baseline | None = None
    past: Sequence[PastRun] = ()
    """Earlier fleets, the newest first."""
    place: Callable[[str], str | None] = lambda _: None
    """The rack or switch of a node."""


@dataclass
class _Node:
    """A unit while it is judged."""

    unit: str
    lines: list[NodeLine]
    group: int
    figures: list[dict[str, NodeFigure]]
    """The figures of each run, by kernel."""
    disturbed: list[str | None]
    kept_low: KeptLow | None
    settings: Mapping[str, str] = field(default_factory=dict)
    """Its settings and its place."""
    bulks: Mapping[str, Shape] = field(default_factory=dict)
    """What sound nodes with its settings reach, by kernel."""
    known: Mapping[str, Shape] = field(default_factory=dict)
    """The baseline of its class."""
    shifts: Mapping[str, float] = field(default_factory=dict)
    """The effects of its settings and its place on the figure that is shown."""
    decided: str | None = None
    """The kernel that decided."""
    loss: float | None = None
    """The logarithm of its figure over what decided, where that is not its class."""
    ps: dict[str, float] = field(default_factory=dict)
    qs: dict[str, float] = field(default_factory=dict)
    verdict: Verdict = "fine"
    causes: list[AnyCause] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.sound = [place for place, each in enumerate(self.disturbed) if each is None]
        """The runs that nothing disturbed."""
        self.first = self.sound[0] if self.sound else 0
        """The run that is compared with others."""

    def effect(self, kernel: str, run: int) -> float:
        """The logarithm of a figure over the median of its class."""
        return self.below(self.bulks[kernel], kernel, run)

    def below(self, bulk: Shape, kernel: str, run: int) -> float:
        """The logarithm of a figure over the middle of a bulk."""
        return log(self.figures[run][kernel].gbps) - bulk.middle


def judge(gathered: Gathered, rules: Rules = Rules()) -> Fleet:
    """The verdict on each node, and why, if known."""
    units = _last_night(gathered)
    first = {unit: lines[0] for unit, lines in units.items()}
    groups = groups_of(first)
    nodes = []
    usual = [_Usual.of([first[unit] for unit in group.units]) for group in groups]
    for number, group in enumerate(groups):
        of_class = usual[number if group.judged_by is None else group.judged_by]
        for unit in group.units:
            node = _node(unit, units[unit], number, of_class)
            place = rules.place(first[unit].host)
            node.settings = group.settings[unit] | ({PLACE: place} if place else {})
            nodes.append(node)
    by_group: list[list[_Node]] = [[] for _ in groups]
    for each in nodes:
        by_group[each.group].append(each)
    kernel = _shown_kernel(nodes)
    drifts = drifts_of(first, groups, rules.past, kernel, rules.limit)
    classes = [_ClassModel.of(group, of, rules) for group, of in zip(groups, by_group, strict=True)]
    for group in groups:
        _expect(group, first, kernel)
    for number, (group, of) in enumerate(zip(groups, by_group, strict=True)):
        judged_by = classes[number if group.judged_by is None else group.judged_by]
        judged_by.hold(of, kernel, known=classes[number].known, own=group.judged_by == number)
    tested: dict[int, list[_Node]] = {}
    for each in nodes:
        judged_by_number = groups[each.group].judged_by
        number = each.group if judged_by_number is None else judged_by_number
        tested.setdefault(number, []).append(each)
    found_from = {
        number: _judge_class(of, groups, classes[number], drifts, shown=kernel, limit=rules.limit)
        for number, of in tested.items()
    }
    asked = _asked(gathered)
    for each in nodes:
        _find_causes(each, groups[each.group], rules.limit)
    return Fleet(
        machine=None,
        asked=max(1, len(asked)),
        time=gathered.run.time if gathered.run else _time_of(first),
        launcher=gathered.run.launcher if gathered.run else None,
        deadline=gathered.run.deadline if gathered.run else None,
        seconds=gathered.run.seconds if gathered.run else None,
        node_seconds=_node_seconds(units),
        limit=rules.limit,
        kernel=kernel,
        baseline=rules.baseline.name if rules.baseline else None,
        classes=[
            _class(
                group,
                of,
                classes[number],
                limit=rules.limit,
                change=drifts.classes.get(number),
                found_from=found_from.get(number if group.judged_by is None else group.judged_by),
                shown=kernel,
            )
            for number, (group, of) in enumerate(zip(groups, by_group, strict=True))
        ],
        nodes=[
            _judged(each, drifts, groups[each.group])
            for each in sorted(nodes, key=lambda each: natural(each.unit))
        ],
        silent=_silent(gathered, asked),
        clocks=_clocks(gathered, first),
        notes=_notes(gathered, groups, rules.baseline),
    )


def _expect(group: Group, first: Mapping[str, NodeLine], kernel: str | None) -> None:
    """Find what the nodes of a class should reach."""
    found = None if kernel is None else expected_for(first[group.units[0]], kernel)
    if kernel is not None and found is not None:
        group.expected = {kernel: found}


def _last_night(gathered: Gathered) -> dict[str, list[NodeLine]]:
    """The runs of each unit that belong to its newest measurement.

    A run of an earlier night is no second run of this one.
    """
    found: dict[str, list[NodeLine]] = {}
    earlier = 0
    for unit, lines in gathered.units.items():
        newest = max(_moment(each.time) for each in lines)
        of_night = [each for each in lines if newest - _moment(each.time) <= _A_NIGHT]
        earlier += len(of_night) < len(lines)
        found[unit] = of_night
    if earlier:
        gathered.notes.append(
            f"{count(earlier, 'node')} has runs of several nights: only the last night is judged."
            if earlier == 1
            else f"{earlier:,} nodes have runs of several nights: only the last night is judged."
        )
    return found


def suspects(fleet: Fleet) -> list[str]:
    """The nodes that a second run would decide."""
    undecided = ("suspect", "flapping", "cannot-tell")
    found = (e.host for e in fleet.nodes if e.verdict in undecided and len(e.runs) < 2)
    return list(dict.fromkeys(found))


def natural(host: str) -> list[str | int]:
    """Orders ``n2`` before ``n10``."""
    return [int(each) if each.isdecimal() else each for each in _NUMBERS.split(host)]


@dataclass(frozen=True)
class _Usual:
    """What holds most units of a class, and so disturbs no comparison with these."""

    codes: set[str]
    """Of warnings."""
    reasons: set[str]
    """Why the clocks of devices were low."""

    @classmethod
    def of(cls, lines: Sequence[NodeLine]) -> _Usual:
        """Count them in the first runs of a class."""
        return cls(_most(lines, _codes), _most(lines, _reasons))


def _most(lines: Sequence[NodeLine], read: Callable[[NodeLine], Iterable[str]]) -> set[str]:
    counts = Counter(each for line in lines for each in dict.fromkeys(read(line)))
    return {each for each, number in counts.items() if number > len(lines) / 2}


def _codes(line: NodeLine) -> list[str]:
    quota = line.cpu_quota is not None and line.threads and line.cpu_quota < line.threads
    shared = line.device_state is not None and line.device_state.other_processes
    if not quota and not shared:
        return line.warnings
    return list(
        dict.fromkeys(
            [*line.warnings, *([_QUOTA] if quota else []), *([_SHARED] if shared else [])]
        )
    )


def _reasons(line: NodeLine) -> list[str]:
    return [] if line.device_state is None else [e.reason for e in line.device_state.slowed_by]


def _node(unit: str, lines: list[NodeLine], group: int, usual: _Usual) -> _Node:
    return _Node(
        unit=unit,
        lines=lines,
        group=group,
        figures=[_figures(each) for each in lines],
        disturbed=[_disturbance(each, usual.codes) for each in lines],
        kept_low=_kept_low(lines, usual.reasons),
    )


def _kept_low(lines: Sequence[NodeLine], usual: set[str]) -> KeptLow | None:
    """What kept the clocks low in the newest run in which something did."""
    for line in reversed(lines):
        state = line.device_state
        unusual = [e for e in state.slowed_by if e.reason not in usual] if state else []
        if state is not None and unusual:
            return KeptLow(slowed_by=unusual, readings=state.readings)
    return None


def _figures(line: NodeLine) -> dict[str, NodeFigure]:
    """Figures by kernel, those of NUMA domains and cores included."""
    found = {each.kernel: each for each in line.figures}
    for name, parts in ((_OF_DOMAIN, line.domains), (_OF_CORE, line.cores)):
        for each in parts:
            kernel = name.format(each.number)
            found[kernel] = NodeFigure(kernel=kernel, gbps=each.gbps)
    return found


def _usual_disturbance(line: NodeLine, usual: set[str]) -> bool:
    """Whether the engine may mean a warning that most nodes of the class have."""
    return any(code in usual and code in _DISTURBING for code in _codes(line))


def _disturbance(line: NodeLine, usual: set[str]) -> str | None:
    """What made a run meaningless for its node; a setting comes before a load."""
    if line.disturbance is not None and not _usual_disturbance(line, usual):
        return line.disturbance
    unusual = [code for code in _codes(line) if code not in usual and code in _DISTURBING]
    if _QUOTA in unusual and line.cpu_quota is not None and line.threads:
        return f"a CPU quota of {line.cpu_quota:g} for {count(line.threads, 'thread')}"
    if line.taken is not None and line.taken > MUCH:
        return f"other programs or the hypervisor took {format_share(line.taken)} of the CPUs"
    return next((_DISTURBING[code] for code in unusual), None)


@dataclass
class _ClassModel:
    """What the nodes of a class reach: effects of settings and places, and what is left."""

    bulks: dict[str, Shape] = field(default_factory=dict)
    fits: dict[str, Fit] = field(default_factory=dict)
    known: Mapping[str, Shape] = field(default_factory=dict)
    """The baseline."""

    @classmethod
    def of(cls, group: Group, nodes: Sequence[_Node], rules: Rules) -> _ClassModel:
        """Estimate them; a class that is too small has only its baseline."""
        found = cls()
        if rules.baseline is not None:
            found.known = {
                kernel: Shape(bulk.middle, bulk.scale, bulk.n)
                for kernel, bulk in rules.baseline.bulks_for(group.properties).items()
            }
        kernels = dict.fromkeys(kernel for each in nodes for kernel in each.figures[each.first])
        names = dict.fromkeys(name for each in nodes for name in each.settings)
        varied = [n for n in names if len({each.settings.get(n) for each in nodes} - {None}) > 1]
        for each in nodes:
            each.settings = {n: each.settings[n] for n in (*varied, PLACE) if n in each.settings}
        for kernel in kernels:
            shown = [e for e in nodes if kernel in e.figures[e.first]]
            sound = [each for each in shown if each.sound]
            used = sound if len(sound) >= FEWEST else shown
            if len(used) < FEWEST:
                if kernel in found.known:
                    found.bulks[kernel] = found.known[kernel]
                continue
            figures = [each.figures[each.first][kernel] for each in used]
            own = sorted(_own_scale(each) for each in figures)
            floor = max(_LEAST_SCALE, median(own))
            fit = fitted([log(e.gbps) for e in figures], [e.settings for e in used], floor)
            found.fits[kernel] = fit
            found.bulks[kernel] = shape_of(fit.rest, floor)
        return found

    def hold(
        self, nodes: Sequence[_Node], shown: str | None, known: Mapping[str, Shape], *, own: bool
    ) -> None:
        """Say what each node should reach. ``own``: the nodes are of this class."""
        for node in nodes:
            node.known = known
            if not own or not any(fit.effects for fit in self.fits.values()):
                node.bulks = self.bulks
                continue
            node.bulks = {
                kernel: _shifted(bulk, self.fits[kernel].shift(node.settings))
                if kernel in self.fits
                else bulk
                for kernel, bulk in self.bulks.items()
            }
            if shown in self.fits:
                fit = self.fits[shown]
                node.shifts = {name: fit.shift({name: of}) for name, of in node.settings.items()}


def _shifted(bulk: Shape, shift: float) -> Shape:
    return replace(bulk, middle=bulk.middle + shift) if shift else bulk


def _own_scale(figure: NodeFigure) -> float:
    """The standard error of the logarithm of a node's own median."""
    if figure.low is None or figure.high is None:
        return 0.0
    return log_width(figure.low, figure.high)


@dataclass
class _Low:
    """Nodes that are lower than chance explains."""

    first: dict[str, str] = field(default_factory=dict)
    """In their first run: the kernel."""
    always: dict[str, tuple[float, str]] = field(default_factory=dict)
    """In every run: the share of such nodes that is sound, and the kernel."""


def _find_low(
    tests: Sequence[tuple[_Node, str, Shape]], limit: float, together: int | None
) -> _Low:
    """Find low figures. Suspects and slow nodes are chosen by the share that may be sound."""
    least = log1p(-limit)
    found = _Low()
    ps = [_chance(bulk, node.figures[node.first][kernel]) for node, kernel, bulk in tests]
    shares = false_discovery(ps)
    confirmed = [
        max(_chance(bulk, node.figures[run][kernel]) for run in runs)
        if share <= FALSE_SUSPECTS and len(runs := _runs_with(node, kernel)) > 1
        else 1.0
        for (node, kernel, bulk), share in zip(tests, shares, strict=True)
    ]
    sure = false_discovery(confirmed)
    for (node, kernel, bulk), p, q, once, always in zip(
        tests, ps, shares, confirmed, sure, strict=True
    ):
        if bulk is node.bulks.get(kernel):
            node.ps[kernel], node.qs[kernel] = p, q
        if q > FALSE_SUSPECTS or node.below(bulk, kernel, node.first) > least:
            continue
        if node.unit not in found.first or kernel == _SHOWN_FIRST:
            found.first[node.unit] = kernel
        mildest = max(node.below(bulk, kernel, run) for run in _runs_with(node, kernel))
        # However many nodes are slow, a sound one among them is not taken with them.
        share = always if together is None else max(always, once * len(tests) / together)
        if share < 1 and mildest <= least:
            before = found.always.get(node.unit, (1.0, ""))
            found.always[node.unit] = min((share, kernel), before, key=_more_important)
    return found


def _more_important(low: tuple[float, str]) -> tuple[bool, bool, float]:
    """Triad comes first if it is surely low, then what is the surest."""
    share, kernel = low
    return share > FALSE_ALARM, kernel != _SHOWN_FIRST, share


def _chance(bulk: Shape, figure: NodeFigure) -> float:
    """The probability that a sound node has a figure this low."""
    return bulk.lower_tail(log(figure.gbps), _own_scale(figure))


def _judge_class(
    nodes: Sequence[_Node],
    groups: Sequence[Group],
    model: _ClassModel,
    drifts: Drifts,
    *,
    shown: str | None,
    limit: float,
) -> float | None:
    """Judge the nodes that are held against one class; return the loss that would be found."""
    tests = [
        (each, kernel, each.bulks[kernel])
        for each in nodes
        for kernel in each.figures[each.first]
        if kernel in each.bulks
    ]
    of_class = _find_low(tests, limit, _MOST_TOGETHER)
    of_baseline = _find_low(
        [
            (each, kernel, each.known[kernel])
            for each in nodes
            for kernel in each.figures[each.first]
            if kernel in each.known and kernel in model.fits
        ],
        limit,
        None,  # all nodes may be below it
    )
    bulk = model.bulks.get(shown or "") or next(iter(model.bulks.values()), None)
    shapes = [each for each in (bulk, model.known.get(shown or "")) if each is not None]
    # A loss lowers all kernels of a node, so as many tests together find it.
    chance = FALSE_SUSPECTS / len(nodes)
    found_from = min((each.least_loss(chance) for each in shapes), default=None)
    for each in nodes:
        each.verdict = "fine" if each.bulks else "not-judged"
        if any(INVALID in line.warnings or _is_wrong(line) for line in each.lines):
            each.verdict = "wrong"
        if each.verdict in ("not-judged", "wrong"):
            continue
        _decide(each, of_class, of_baseline, len(tests), limit)
        if not model.known:
            _hold_against_groups(each, limit)
        if shown is not None:
            _hold_against_expected(each, shown, groups[each.group])
        _hold_against_past(each, drifts, limit)
        if each.verdict == "fine":
            _hold_against_many(each, limit, found_from, shown)
        if each.verdict == "fine":
            _hold_against_past_of_class(each, shown, drifts)
        if each.verdict != "fine" and not groups[each.group].comparable:
            each.verdict = "cannot-tell"
    _judge_small(nodes)
    return found_from


def _is_wrong(line: NodeLine) -> bool:
    return any(each.valid is False for each in line.figures)


def _runs_with(node: _Node, kernel: str) -> list[int]:
    """The sound runs that have that figure; else the first one."""
    return [run for run in node.sound if kernel in node.figures[run]] or [node.first]


def _decide(node: _Node, of_class: _Low, of_baseline: _Low, tests: int, limit: float) -> None:
    """The verdict by the class and the baseline: low in every run, or in the first one alone."""
    modes = _two_speeds(node, limit)
    apart = _runs_apart(node, tests, limit)
    node.causes += [*modes, *apart]
    always = [
        (low.always[node.unit], low) for low in (of_class, of_baseline) if node.unit in low.always
    ]
    (share, kernel), by = min(always, key=lambda each: each[0]) if always else ((1.0, ""), None)
    first = of_class.first.get(node.unit) or of_baseline.first.get(node.unit)
    if by is of_baseline or (first and node.unit not in of_class.first):
        name = kernel or first or ""
        reference = node.known[name]
        node.causes.append(
            BelowBaseline(
                kernel=name,
                effect=expm1(node.below(reference, name, node.first)),
                baseline_gbps=exp(reference.middle),
            )
        )
    if always and share <= FALSE_ALARM and node.sound:
        node.verdict, node.decided = "slow", kernel
        if by is of_baseline:
            node.loss = node.below(node.known[kernel], kernel, node.first)
    elif (modes or apart) and node.sound:
        node.verdict = "flapping"
    elif always or (first and len(node.lines) < 2):
        node.verdict = "suspect" if node.sound else "cannot-tell"
        node.decided = kernel or first
    elif first and not node.sound:
        node.verdict, node.decided = "cannot-tell", first


def _hold_against_expected(node: _Node, shown: str, group: Group) -> None:
    """A node below what its source calls the least is slow; what is usual decides between groups.

    The operator knows better what nodes reach, so a baseline comes first.
    """
    expected = group.expected.get(shown)
    measured = shown in node.figures[node.first] and shown in node.bulks
    if expected is None or node.known or not node.sound or not measured:
        return
    if node.verdict not in ("fine", "suspect", "cannot-tell"):
        return
    values = [node.figures[run][shown].gbps for run in _runs_with(node, shown)]
    if max(values) >= expected.limit_gbps:
        return
    speeds = _speeds_of(shown, node.bulks[shown])
    between = speeds is not None and speeds.fast_gbps >= expected.limit_gbps > speeds.slow_gbps
    if expected.firm != "limit" and not between:
        return
    sure = len(values) > 1 and expected.firm != "peak"
    node.verdict, node.decided = "slow" if sure else "suspect", shown
    node.loss = log(values[0] / expected.limit_gbps)
    node.causes.append(_below(expected, shown, values[0]))


def _below(expected: Expected, kernel: str, gbps: float) -> BelowExpected:
    return BelowExpected(
        kernel=kernel, gbps=gbps, limit_gbps=expected.limit_gbps, source=expected.source
    )


def _hold_against_past_of_class(node: _Node, shown: str | None, drifts: Drifts) -> None:
    """Where a whole class lost a tenth against its own past, none of its nodes is fine."""
    change = drifts.classes.get(node.group)
    if change is not None and change <= -FINE_FROM:
        node.verdict, node.decided, node.loss = "suspect", shown, log1p(change)
        node.causes.append(BelowOwnPast(effect=change))


def _hold_against_past(node: _Node, drifts: Drifts, limit: float) -> None:
    """A node that is slower than in its own past is a suspect; in two runs it is slow."""
    drift = drifts.nodes.get(node.unit)
    if drift is None or node.verdict not in ("fine", "suspect") or not node.sound:
        return
    runs = [
        node.figures[run][drift.kernel].gbps
        for run in node.sound
        if drift.kernel in node.figures[run]
    ]
    # The effect is that of the first run, and against how the rest of the class has changed.
    expected = node.figures[node.first][drift.kernel].gbps / (1 + drift.effect)
    again = all(each <= expected * (1 - limit) for each in runs)
    node.verdict = "slow" if len(runs) > 1 and again else "suspect"
    if node.decided is None:
        node.decided, node.loss = drift.kernel, log1p(drift.effect)
    node.causes.append(BelowOwnPast(effect=drift.effect))


def _hold_against_groups(node: _Node, limit: float) -> None:
    """A group of nodes with one speed is no fault of each: something makes them differ.

    Where no group is a clear majority, nothing says which is the sound one.
    """
    if node.verdict not in ("fine", "slow", "suspect"):
        return
    decided = None if node.decided is None else node.effect(node.decided, node.first)
    for kernel in _important_first(node.figures[node.first]):
        bulk = node.bulks.get(kernel)
        if bulk is None or bulk.slow_group is None:
            continue
        slow = bulk.slow_group.below
        of_its_own = slow - max(-log1p(-limit), _FAR_BELOW * bulk.scale)
        effect = node.effect(kernel, node.first)
        if not of_its_own < effect < slow / 2 or (decided is not None and decided < of_its_own):
            continue
        if not bulk.slow_group.no_majority and expm1(slow) <= -FINE_FROM:
            continue  # so much is lost by a fault
        alone = node.sound and not bulk.slow_group.no_majority
        node.verdict, node.decided = "suspect" if alone else "cannot-tell", kernel
        speeds = _speeds_of(kernel, bulk)
        assert speeds is not None, "it has a slower group"
        node.causes.append(NoMajority(speeds=speeds))
        return


def _speeds_of(kernel: str, bulk: Shape) -> TwoSpeeds | None:
    """The two groups of a class, if there are two."""
    if bulk.slow_group is None:
        return None
    return TwoSpeeds(
        kernel=kernel,
        slow_gbps=exp(bulk.middle + bulk.slow_group.below),
        fast_gbps=exp(bulk.middle),
        slow_share=bulk.slow_group.share,
    )


def _hold_against_many(
    node: _Node, limit: float, found_from: float | None, shown: str | None
) -> None:
    """Ask whether a node that nothing accuses may be called fine."""
    least = max(limit, FINE_FROM)
    place_shift = node.shifts.get(PLACE, 0.0)
    if place_shift <= log1p(-limit):
        _suspect_with_others(node, PLACE, shown)
        node.causes.append(SlowPlace(place=node.settings[PLACE], effect=expm1(place_shift)))
        return
    name = min(node.shifts, key=lambda each: node.shifts[each], default=None)
    if name is not None and node.shifts[name] <= log1p(-least):
        _suspect_with_others(node, name, shown)
        effect = expm1(node.shifts[name])
        node.causes.append(SlowSetting(name=name, value=node.settings[name], effect=effect))
        return
    effects = {
        kernel: expm1(max(node.effect(kernel, run) for run in _runs_with(node, kernel)))
        for kernel in node.bulks
        if kernel in node.figures[node.first]
    }
    kernel = min(effects, key=lambda each: effects[each], default=None)
    if kernel is not None and effects[kernel] <= -least:
        node.verdict = "suspect" if node.sound else "cannot-tell"
        node.decided = kernel
    elif found_from is not None:
        powerful = found_from <= least
        if not _is_surely_fine(node, least, _RATHER_FAST if powerful else _TOO_FAST):
            node.verdict, node.decided = "cannot-tell", kernel if powerful else None
    if node.verdict != "fine" and found_from is not None and found_from > least:
        node.causes.append(LowPower(found_from=found_from))


def _suspect_with_others(node: _Node, name: str, shown: str | None) -> None:
    """Suspect a node if all with that setting or place are slow; its loss includes theirs."""
    node.verdict, node.decided = "suspect", shown
    if shown is not None and shown in node.figures[node.first]:
        node.loss = node.effect(shown, node.first) + node.shifts[name]


def _is_surely_fine(node: _Node, loss: float, chance: float) -> bool:
    """Whether a node with such a loss would have been too fast before it.

    A node near the middle of its class is fine though a loss of one far above could stay unseen.
    One that is low may have been far above, also where a loss of most others would be seen.
    """
    return all(
        node.bulks[each.kernel].excludes(log(each.gbps) - log1p(-loss), chance)
        for each in node.lines[node.first].figures
        if each.kernel in node.bulks
    )


def _two_speeds(node: _Node, limit: float) -> list[AnyCause]:
    """Figures whose samples fall into two groups."""
    for run, figures in enumerate(node.figures):
        for kernel in _important_first(figures):
            figure = figures[kernel]
            ordered = sorted(figure.samples)
            n = len(ordered)
            if n < _FEWEST_SAMPLES:
                continue
            # Groups that hold a tenth of the samples reach beyond these two.
            lower, upper = ordered[n // 10], ordered[-1 - n // 10]
            if upper < (1 + 2 * limit) * lower:
                continue
            modes = two_modes([1 / each for each in ordered])
            if modes is None or modes.slow < (1 + 2 * limit) * modes.fast:
                continue
            return [SamplesInTwoGroups(speeds=_speeds(kernel, modes), run=run + 1)]
    return []


def _runs_apart(node: _Node, tests: int, limit: float) -> list[AnyCause]:
    """Figures that runs disagree on by more than chance makes of the whole fleet."""
    sound = node.sound
    for kernel in _important_first(node.ps) if len(sound) > 1 else ():
        values = [node.figures[run][kernel].gbps for run in _runs_with(node, kernel)]
        least, most = min(values), max(values)
        apart = log(most / least)
        z = apart / (sqrt(2) * node.bulks[kernel].scale)
        if apart > -log1p(-limit) and erfc(z / sqrt(2)) * tests <= FALSE_ALARM:
            return [RunsDisagree(kernel=kernel, gbps=values)]
    return []


def _judge_small(nodes: Sequence[_Node]) -> None:
    """Classes too small for statistics: what lies far below the median is a suspect there, too."""
    by_group: dict[int, list[_Node]] = {}
    for each in nodes:
        if each.verdict == "not-judged":
            by_group.setdefault(each.group, []).append(each)
    for group in by_group.values():
        if len(group) < _COMPARABLE:
            continue
        kernel = _shown_kernel(group)
        shown = [each for each in group if kernel in each.figures[each.first]]
        if kernel is None or len(shown) < _COMPARABLE:
            continue
        middle = median(sorted(each.figures[each.first][kernel].gbps for each in shown))
        for each in shown:
            effect = each.figures[each.first][kernel].gbps / middle - 1
            if effect <= -_OBVIOUS:
                each.verdict = "suspect" if each.sound else "cannot-tell"
                each.decided = kernel
                each.causes.append(FarBelowFew(effect=effect, nodes=len(shown)))


def _find_causes(node: _Node, group: Group, limit: float) -> None:
    """Known causes of a slow node, the most precise first."""
    parts = _slow_parts(node, limit) if node.verdict != "fine" else []
    oddities = [*group.oddities, *group.unit_oddities.get(node.unit, ())]
    odd = [OddProperty(oddity=each) for each in oddities]
    by = [each for each in node.disturbed if each is not None and node.verdict != "fine"]
    disturbed = [Disturbance(by=each) for each in dict.fromkeys(by)]
    kept_low = [] if node.kept_low is None or node.verdict == "fine" else [node.kept_low]
    node.causes = [*parts, *kept_low, *disturbed, *odd, *node.causes]
    if node.verdict not in ("fine", "not-judged"):
        warned = (code for line in node.lines for code in line.warnings)
        codes = dict.fromkeys(code for code in warned if code != _KEPT_LOW)
        if codes:
            node.causes.append(EngineWarnings(codes=list(codes)))


def _slow_parts(node: _Node, limit: float) -> list[AnyCause]:
    """NUMA domains and cores that are slow while others are not."""
    found: list[AnyCause] = []
    for name, one, read in (
        (_OF_DOMAIN, "NUMA domain", _domains),
        (_OF_CORE, "core", _cores),
    ):
        line = next((each for each in reversed(node.lines) if read(each)), None)
        if line is None:
            continue
        parts = read(line)
        usual = median(sorted(each.gbps for each in parts))
        below = []
        for each in parts:
            bulk = node.bulks.get(name.format(each.number))
            expected = exp(bulk.middle) if bulk is not None else usual
            if each.gbps < (1 - max(limit, 0.05)) * expected:
                below.append((each.gbps / expected, each.number, each.gbps, expected))
        if below and len(below) <= len(parts) / 2:
            _, number, gbps, expected = min(below)
            found.append(
                SlowPart(
                    part=f"{one} {number}",
                    more=len(below) - 1,
                    gbps=gbps,
                    usual_gbps=expected,
                )
            )
    return found


def _domains(line: NodeLine) -> Sequence[NodeDomain]:
    return line.domains


def _cores(line: NodeLine) -> Sequence[NodeDomain]:
    return line.cores


def _judged(node: _Node, drifts: Drifts, group: Group) -> FleetNode:
    return FleetNode(
        host=node.lines[0].host,
        device=None if (device := node.lines[0].device) is None else device.id,
        group=node.group,
        verdict=node.verdict,
        runs=[
            NodeRun(
                time=line.time,
                attempt=line.attempt,
                seconds=line.seconds,
                disturbed=disturbed,
                figures=[_figure(node, run, kernel) for kernel in figures],
            )
            for run, (line, disturbed, figures) in enumerate(
                zip(node.lines, node.disturbed, node.figures, strict=True)
            )
        ],
        causes=node.causes,
        drift=drifts.nodes.get(node.unit),
        place=node.settings.get(PLACE),
        oddities=group.unit_oddities.get(node.unit, []),
        kernel=node.decided,
        effect=None if node.loss is None else expm1(node.loss),
    )


def _figure(node: _Node, run: int, kernel: str) -> FleetFigure:
    figure = node.figures[run][kernel]
    judged = kernel in node.bulks
    return FleetFigure(
        kernel=kernel,
        gbps=figure.gbps,
        low=figure.low,
        high=figure.high,
        n=figure.n,
        effect=expm1(node.effect(kernel, run)) if judged else None,
        p=node.ps[kernel] if judged and run == node.first else None,
        q=node.qs[kernel] if judged and run == node.first else None,
    )


def _class(
    group: Group,
    nodes: Sequence[_Node],
    model: _ClassModel,
    *,
    limit: float,
    change: float | None,
    found_from: float | None,
    shown: str | None,
) -> FleetClass:
    figures = []
    two_groups = None
    kernels = dict.fromkeys(kernel for each in nodes for kernel in each.figures[each.first])
    for kernel in _important_first(kernels):
        values = sorted(
            each.figures[each.first][kernel].gbps
            for each in nodes
            if kernel in each.figures[each.first]
        )
        own = nodes[0].bulks.get(kernel) if group.judged_by is not None else None
        if two_groups is None and kernel in model.fits:
            two_groups = _speeds_of(kernel, model.bulks[kernel])
        figures.append(
            ClassFigure(
                kernel=kernel,
                median_gbps=median(values),
                scale=own.scale if own else 0.0,
                low_gbps=values[int(0.05 * (len(values) - 1))],
                high_gbps=values[-1 - int(0.05 * (len(values) - 1))],
                n=len(values),
                over_baseline=median(values) / exp(model.known[kernel].middle) - 1
                if kernel in model.known
                else None,
            )
        )
    fit = model.fits.get(shown or "")
    return FleetClass(
        name=group.name,
        properties={name: text for name, text in group.properties.items() if text is not None},
        nodes=len(group.units),
        judged_by=group.judged_by,
        figures=figures,
        oddities=group.oddities,
        found_from=found_from,
        below=_class_below(group, figures, two_groups, shown),
        effects=[
            SettingEffect(
                name=each.name, value=each.value, nodes=each.nodes, effect=expm1(each.size)
            )
            for each in (fit.effects if fit is not None else ())
            if each.sure and abs(each.size) >= _LEAST_EFFECT
        ],
        two_groups=two_groups,
        change=change,
    )


def _class_below(
    group: Group, figures: Sequence[ClassFigure], two_groups: TwoSpeeds | None, shown: str | None
) -> BelowExpected | None:
    """The source that a whole class is below; of two groups, the faster one."""
    expected = group.expected.get(shown or "")
    level = next((each.median_gbps for each in figures if each.kernel == shown), None)
    if two_groups is not None and two_groups.kernel == shown:
        level = two_groups.fast_gbps
    if expected is None or level is None or level >= expected.limit_gbps:
        return None
    return _below(expected, shown or "", level)


def _speeds(kernel: str, modes: Modes) -> TwoSpeeds:
    return TwoSpeeds(
        kernel=kernel,
        slow_gbps=1 / modes.slow,
        fast_gbps=1 / modes.fast,
        slow_share=1 - modes.fast_share,
    )


def _important_first(kernels: Iterable[str]) -> Sequence[str]:
    return _with_triad_first(tuple(kernels))


@lru_cache(maxsize=256)
def _with_triad_first(kernels: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(kernels, key=lambda kernel: kernel != _SHOWN_FIRST))


def _shown_kernel(nodes: Sequence[_Node]) -> str | None:
    """Triad where most nodes have it, else the most frequent one."""
    counts = Counter(each.kernel for node in nodes for each in node.lines[0].figures)
    if not counts:
        return None
    return max(counts, key=lambda kernel: (counts[kernel], kernel == _SHOWN_FIRST))


def _asked(gathered: Gathered) -> set[str]:
    """The nodes that were asked, and those of which something is known without that."""
    named: tuple[str, ...] = ()
    if gathered.run is not None and gathered.run.nodes:
        try:
            named = unfolded("The line of the run", gathered.run.nodes)
        except UsageError as error:
            gathered.notes.append(str(error))
    silent = {
        host for host, each in gathered.silent.items() if not named or each.why != "not-available"
    }
    return set(named) | gathered.hosts | silent


def _silent(gathered: Gathered, asked: set[str]) -> list[SilentNode]:
    missing = asked - gathered.hosts - set(gathered.silent)
    found = [
        SilentNode(host=each.host, why=each.why, reason=each.reason, asked=each.host in asked)
        for each in gathered.silent.values()
    ]
    found += [
        SilentNode(host=host, why="no-answer", reason=gathered.said.get(host, ""))
        for host in missing
    ]
    return sorted(found, key=lambda each: natural(each.host))


def _notes(gathered: Gathered, groups: Sequence[Group], baseline: Baseline | None) -> list[str]:
    """Notes on what was left out, and on whether the baseline fits these nodes."""
    if baseline is None or not groups:
        return gathered.notes
    try:
        known = baseline.class_for(groups[0].properties)
    except UsageError as error:
        return [*gathered.notes, str(error)]
    if not known.settings:
        return gathered.notes
    settings = "; ".join(each.difference for each in known.settings)
    return [*gathered.notes, f"{baseline.name} was made with other settings: {settings}."]


def _node_seconds(units: Mapping[str, Sequence[NodeLine]]) -> float | None:
    known = [line.seconds for lines in units.values() for line in lines if line.seconds is not None]
    return sum(known) if known else None


def _time_of(first: Mapping[str, NodeLine]) -> str | None:
    times = sorted(each.time for each in first.values())
    return times[len(times) // 2] if times else None


def _moment(text: str) -> datetime:
    found = datetime.fromisoformat(text)
    return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)


def _clocks(gathered: Gathered, first: Mapping[str, NodeLine]) -> list[str]:
    """Nodes whose clock is a day and more from that of the others. Nothing rests on clocks."""
    times = {each.host: _moment(each.time) for each in first.values()}
    if not times:
        return []
    usual = (
        _moment(gathered.run.time)
        if gathered.run is not None
        else sorted(times.values())[len(times) // 2]
    )
    far = [host for host, time in times.items() if abs(time - usual) > _DAY]
    return sorted(far, key=natural) if len(far) <= _MOST_CLOCKS * len(times) else []
