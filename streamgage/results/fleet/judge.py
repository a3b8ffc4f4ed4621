"""From the lines of nodes to the verdict on each: pure, and linear in their number."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from streamgage.analysis.statistics.outliers import FEWEST
from streamgage.errors import UsageError
from streamgage.records.node import NodeLine
from streamgage.records.node import SilentNode as OfNode
from streamgage.results.fleet.baseline import Baseline
from streamgage.results.fleet.classes import Group, groups_of
from streamgage.results.fleet.document import Fleet, SilentNode
from streamgage.results.fleet.drift import PastRun, drifts_of
from streamgage.results.fleet.expected import Expected, expected_for
from streamgage.results.fleet.gather import Gathered
from streamgage.results.fleet.judging.decisions import Case, decide, with_small_classes
from streamgage.results.fleet.judging.documented import class_of, node_of
from streamgage.results.fleet.judging.explained import explained
from streamgage.results.fleet.judging.low import tested
from streamgage.results.fleet.judging.model import Model, model_of, references_of
from streamgage.results.fleet.judging.quantity import Quantity
from streamgage.results.fleet.judging.units import (
    Unit,
    change_in_common,
    shown_quantity,
    units_of,
)
from streamgage.results.fleet.nodes import folded, natural, unfolded
from streamgage.units import count, format_change, listed

LIMIT = 0.03
"""Smaller effects do not matter to anybody."""
_DAY = timedelta(days=1)
_A_NIGHT = timedelta(hours=12)
"""Runs of one node that lie farther apart are of several nights."""
_MOST_NODES = 0.5
_LISTED = 60
_MOST_CLOCKS = 0.1
"""If a larger share of the clocks is far away, the lines are from several days."""


@dataclass(frozen=True)
class Rules:
    """The rules of the judge."""

    limit: float = LIMIT
    baseline: Baseline | None = None
    past: Sequence[PastRun] = ()
    """Earlier fleets, the newest first."""
    place: Callable[[str], str | None] = lambda _: None
    """The rack or switch of a node."""


def judge(gathered: Gathered, rules: Rules = Rules()) -> Fleet:
    """The verdict on each node, and why, if known."""
    gathered = _without_absent(gathered)
    runs, notes = _last_night(gathered)
    first = {unit: lines[0] for unit, lines in runs.items()}
    groups = groups_of(first)
    units = units_of(runs, groups, rules.place)
    shown = shown_quantity(units)
    expected = [_expected(group, first, shown) for group in groups]
    drifts = drifts_of(first, groups, rules.past, shown.kernel if shown else None, rules.limit)

    members = _sorted_by(units, lambda unit: unit.group)
    models = [
        model_of(members[number], group.properties, rules.baseline)
        for number, group in enumerate(groups)
    ]
    references = references_of(units, groups, models, shown)
    held = [number if of.judged_by is None else of.judged_by for number, of in enumerate(groups)]
    tests = {
        number: tested(of, references, models[number], shown, rules.limit)
        for number, of in _sorted_by(units, lambda unit: held[unit.group]).items()
    }
    cases = [
        Case(
            unit=unit,
            reference=references[unit.name],
            group=groups[unit.group],
            tested=tests[held[unit.group]],
            expected=expected[unit.group],
            drifts=drifts,
            shown=shown,
            limit=rules.limit,
        )
        for unit in units
    ]
    decisions = with_small_classes(units, {each.unit.name: decide(each) for each in cases})
    asked, more = _asked(gathered)
    return Fleet(
        machine=None,
        asked=max(1, len(asked)),
        time=gathered.run.time if gathered.run else _time_of(first),
        launcher=gathered.run.launcher if gathered.run else None,
        deadline=gathered.run.deadline if gathered.run else None,
        seconds=gathered.run.seconds if gathered.run else None,
        node_seconds=_node_seconds(runs),
        limit=rules.limit,
        kernel=shown.name if shown else None,
        baseline=rules.baseline.name if rules.baseline else None,
        classes=[
            class_of(
                group,
                members[number],
                models[number],
                None if group.judged_by is None else models[group.judged_by],
                shown=shown,
                expected=expected[number],
                found_from=tests[held[number]].found_from,
                change=drifts.classes.get(number),
            )
            for number, group in enumerate(groups)
        ],
        nodes=[
            node_of(case, explained(case, decisions[case.unit.name]))
            for case in sorted(cases, key=lambda case: natural(case.unit.name))
        ],
        silent=_silent(gathered, asked),
        clocks=_clocks(gathered, first),
        notes=[
            *notes,
            *more,
            *_changes_in_common(groups, members, shown),
            *_of_baseline(groups, models, rules.baseline),
        ],
    )


def _sorted_by(units: Sequence[Unit], key: Callable[[Unit], int]) -> dict[int, list[Unit]]:
    found: dict[int, list[Unit]] = {}
    for each in units:
        found.setdefault(key(each), []).append(each)
    return found


def _expected(
    group: Group, first: Mapping[str, NodeLine], shown: Quantity | None
) -> Expected | None:
    """What a source says of the figure that is shown."""
    return None if shown is None else expected_for(first[group.units[0]], shown.kernel)


def _without_absent(gathered: Gathered) -> Gathered:
    """Count nodes as silent that ran in an earlier night, and not in the last one as most did.

    A node whose clock is wrong has no night of the others.
    """
    moments = {unit: [_moment(e.time) for e in lines] for unit, lines in gathered.units.items()}
    several = {unit: of for unit, of in moments.items() if max(of) - min(of) > _A_NIGHT}
    if len(several) < _MOST_NODES * len(moments) or not several:
        return gathered
    last = sorted(map(max, several.values()))[len(several) // 2]
    earlier = sorted({each for of in several.values() for each in of if last - each > _A_NIGHT})
    units, silent = dict(gathered.units), dict(gathered.silent)
    absent = []
    for unit, of in moments.items():
        newest = max(of)
        if last - newest <= _A_NIGHT or not _is_near(newest, earlier):
            continue
        host = units.pop(unit)[0].host
        absent.append(host)
        reason = f"its last run is of {newest:%Y-%m-%d}"
        silent.setdefault(host, OfNode(host=host, why="no-answer", reason=reason))
    if not absent:
        return gathered
    names = folded(dict.fromkeys(absent), _LISTED)
    note = f"No run of the last night, {last:%Y-%m-%d}: {names}."
    return replace(gathered, units=units, silent=silent, notes=[*gathered.notes, note])


def _is_near(moment: datetime, ascending: Sequence[datetime]) -> bool:
    """Whether one of these moments is of the same night."""
    place = bisect(ascending, moment)
    return any(abs(each - moment) <= _A_NIGHT for each in ascending[max(0, place - 1) : place + 1])


def _last_night(gathered: Gathered) -> tuple[dict[str, list[NodeLine]], list[str]]:
    """The runs of each unit that belong to its newest measurement, and notes on what is left out.

    A run of an earlier night is no second run of this one.
    """
    found: dict[str, list[NodeLine]] = {}
    earlier = 0
    for unit, lines in gathered.units.items():
        newest = max(_moment(each.time) for each in lines)
        of_night = [each for each in lines if newest - _moment(each.time) <= _A_NIGHT]
        earlier += len(of_night) < len(lines)
        found[unit] = of_night
    if not earlier:
        return found, gathered.notes
    have = "has" if earlier == 1 else "have"
    nights = (
        f"{count(earlier, 'node')} {have} runs of several nights: only the last night is judged."
    )
    return found, [*gathered.notes, nights]


def suspects(fleet: Fleet) -> list[str]:
    """The nodes that a second run would decide."""
    undecided = ("suspect", "flapping", "cannot-tell")
    found = (e.host for e in fleet.nodes if e.verdict in undecided and len(e.runs) < 2)
    return list(dict.fromkeys(found))


def _asked(gathered: Gathered) -> tuple[set[str], list[str]]:
    """The nodes that were asked, with those that are known in other ways, and notes."""
    named: tuple[str, ...] = ()
    notes = []
    if gathered.run is not None and gathered.run.nodes:
        try:
            named = unfolded("The line of the run", gathered.run.nodes)
        except UsageError as error:
            notes.append(str(error))
    silent = {
        host for host, each in gathered.silent.items() if not named or each.why != "not-available"
    }
    return set(named) | gathered.hosts | silent, notes


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


def _changes_in_common(
    groups: Sequence[Group], members: Mapping[int, Sequence[Unit]], shown: Quantity | None
) -> list[str]:
    """A note for each class all of which has another speed in a later run."""
    changes = [
        (group, None if shown is None else change_in_common(members[number], shown))
        for number, group in enumerate(groups)
        if len(group.units) >= FEWEST
    ]
    return [
        f"Nearly all of {group.name} changed by {format_change(change - 1)} from one run to the"
        " next; that is held against no node."
        for group, change in changes
        if change is not None and change != 1
    ]


def _of_baseline(
    groups: Sequence[Group], models: Sequence[Model], baseline: Baseline | None
) -> list[str]:
    """Notes on classes for which the baseline decides nothing, and on what differs from it."""
    if baseline is None or not groups:
        return []
    notes = []
    unknown: list[str] = []
    for group, model in zip(groups, models, strict=True):
        try:
            known = baseline.comparable_class(group.properties)
        except UsageError as error:
            if not unknown:
                notes.append(str(error))
            unknown.append(group.name)
            continue
        if not model.known:
            kernels = listed([each.kernel for each in known.found.figures])
            notes.append(
                f"{baseline.name} decides nothing for {group.name}: it has only {kernels}, which"
                " these nodes did not measure."
            )
        if known.settings and group is groups[0]:
            settings = "; ".join(each.difference for each in known.settings)
            notes.append(f"{baseline.name} was made with other settings: {settings}.")
    if unknown and len(groups) > 1:
        more = f" and {count(len(unknown) - 1, 'class', 'classes')} more" if unknown[1:] else ""
        notes.append(f"{baseline.name} decides nothing for {unknown[0]}{more}.")
    return notes


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
