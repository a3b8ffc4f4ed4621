"""The page of a fleet: the answer in some lines for any size; histograms, a map, and suspects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil

from streamgage.advice import command_line
from streamgage.analysis.conclusion import supports, why_none
from streamgage.results.fleet.causes import in_words
from streamgage.results.fleet.document import (
    VERDICTS,
    Fleet,
    FleetClass,
    FleetFigure,
    FleetNode,
    NodeRun,
    Verdict,
)
from streamgage.results.fleet.nodes import folded
from streamgage.results.fleet.words import (
    WHY,
    drift_in_words,
    headline,
    left_out_in_words,
    names,
    node_in_words,
    noun,
    odd_classes,
    place_in_words,
    setting_in_words,
    silence_in_words,
    slow_places,
    slow_settings,
    slow_together,
    spent,
    undecided_headline,
    units,
    why_unknown,
)
from streamgage.results.result import Result
from streamgage.show.page import (
    CHANGE,
    COUNT,
    DASH,
    RATE,
    Axis,
    Bin,
    Cell,
    Column,
    Data,
    Datum,
    FirstScreen,
    HeatMap,
    Histogram,
    Listing,
    Page,
    Plot,
    Point,
    Table,
    Tone,
)
from streamgage.units import count, format_change, format_rate, shortened

_SHOWN_CLASSES = 6
_SHOWN_NODES = 4
_SHOWN_SETTINGS = 3
_MOST_LOSSES = 60
"""Letters of the line of the worst losses."""
_MOST_LINE = 71
"""Letters of one line of a node on a terminal."""
_MOST_OF_A_NAME = 41
_FEWEST_IN_A_HISTOGRAM = 8
_MOST_HISTOGRAMS = 24
_ROWS_OF_A_USUAL_PLOT = 20
_DARKEST = 10.0
"""Percent below the median."""
_MOST_BINS = 60
_MOST_DETAILS = 200
"""Nodes that a table lists with ``--details``, and on a page."""
_CALLED: dict[Verdict, tuple[str, str, Tone]] = {
    "wrong": ("Wrong", "their results were wrong", "bad"),
    "slow": ("Slow", "in every run", "bad"),
    "flapping": ("Flapping", "two speeds", "bad"),
    "suspect": ("Suspects", "measure them again", "doubtful"),
    "cannot-tell": ("Cannot tell", "their runs do not show it", "doubtful"),
    "not-judged": ("Not judged", "too few nodes to compare with", "quiet"),
}


_TOGETHER = "slow together with others like them"
_WOULD_BE = "If that had no influence, these would be the verdicts:"


def page(result: Result[Fleet]) -> Page:
    """The page of a result of ``streamgage fleet``."""
    fleet, trust = result.document, result.trust
    said = result.words.sentences
    classes = _classes(fleet, fleet.classes)
    suspects = _suspects(fleet)
    return Page(
        title="Fleet",
        machine=None,
        headline=headline(fleet) if supports(trust) else undecided_headline(fleet),
        first=FirstScreen(
            subject=_subject(fleet),
            table=_classes(fleet, fleet.classes[:_SHOWN_CLASSES], _MOST_OF_A_NAME),
            before=[] if supports(trust) else [f"{why_none(trust)} {_WOULD_BE}"],
            points=list(_points(fleet)),
            quote="",
            folds=False,
            more=f"{command_line('fleet judge', 'FILE', '--details')} · --page FILE.html ·"
            " --rows FILE.csv · --print-drain",
        ),
        lines=[_subject(fleet)],
        tables=[classes, *([suspects] if suspects.rows else [])],
        nothing="No node answered.",
        lists=[Listing(pairs=[*_lists(fleet)])],
        note=" ".join(said),
        remarks=fleet.notes,
        shown_in_tables=True,
        settings=_settings(fleet),
        when=f"{count(fleet.asked, 'node')}, {_when(fleet.time)}" if fleet.time else "",
        plots=_plots(fleet),
        data=_data(fleet),
    )


def _subject(fleet: Fleet) -> str:
    parts = [f"{count(len(fleet.classes), 'class', 'classes')} of {noun(fleet.nodes)[1]}"]
    if fleet.time:
        parts.insert(0, _when(fleet.time))
    return " · ".join([*parts, *spent(fleet)])


def _when(time: str) -> str:
    return f"{time[:16].replace('T', ' ')} UTC"


def _settings(fleet: Fleet) -> list[tuple[str, str]]:
    known = [("Limit", f"{fleet.limit:.1%} below the median of the class"), ("Asked", "")]
    known[1] = ("Asked", count(fleet.asked, "node"))
    if fleet.baseline:
        known.append(("Baseline", fleet.baseline))
    return [*known, ("Took", ", ".join(spent(fleet)) or "not known")]


def _classes(
    fleet: Fleet, classes: Sequence[FleetClass], most: int | None = None
) -> Table[FleetClass]:
    """``most``: letters of a name."""
    kernel = fleet.kernel or ""
    left = fleet.classes[len(classes) :]
    more = (
        f"and {count(len(left), 'class', 'classes')} more, of"
        f" {count(sum(each.nodes for each in left), *noun(fleet.nodes))}: --details"
    )
    return Table(
        [
            Column[FleetClass]("class", lambda each: Cell(_cut(each.name, most)), left=True),
            Column(f"{kernel} GB/s", lambda each: _of_class(each, kernel)),
            Column(noun(fleet.nodes)[1], lambda each: Cell(f"{each.nodes:,}", each.nodes)),
            Column("5 % to 95 %", lambda each: _range(each, kernel), may_go=1),
            Column("over baseline", lambda each: _over(each, kernel))
            if fleet.baseline
            else Column("spread", lambda each: _scale(each, kernel), may_go=2),
            Column("found from", _found_from, may_go=3),
        ],
        classes,
        caption=f"Classes of {noun(fleet.nodes)[1]}",
        foot=[more] if left else [],
        empty="No node answered.",
    )


def _of_class(each: FleetClass, kernel: str) -> Cell:
    found = next((e for e in each.figures if e.kernel == kernel), None)
    return Cell(DASH) if found is None else Cell("", found.median_gbps, unit=RATE, strong=True)


def _range(each: FleetClass, kernel: str) -> Cell:
    found = next((e for e in each.figures if e.kernel == kernel), None)
    if found is None or found.n < 2:
        return Cell(DASH)
    return Cell(f"{format_rate(found.low_gbps)} to {format_rate(found.high_gbps)}")


def _scale(each: FleetClass, kernel: str) -> Cell:
    found = next((e for e in each.figures if e.kernel == kernel and e.scale), None)
    return Cell(DASH) if found is None else Cell(f"{found.scale:.1%}", found.scale)


def _found_from(each: FleetClass) -> Cell:
    return Cell(DASH) if each.found_from is None else Cell("", -each.found_from, unit=CHANGE)


def _over(each: FleetClass, kernel: str) -> Cell:
    found = next((e for e in each.figures if e.kernel == kernel), None)
    if found is None or found.over_baseline is None:
        return Cell(DASH)
    return Cell("", found.over_baseline, unit=CHANGE)


def _points(fleet: Fleet) -> Iterator[Point]:
    """A line for each kind of finding, and some nodes below."""
    went = 0
    for number, place in enumerate(slow_places(fleet)[:_SHOWN_NODES]):
        yield Point("" if number else "Racks", place_in_words(fleet, place))
    for number, effect in enumerate(slow_settings(fleet)[:_SHOWN_SETTINGS]):
        yield Point("" if number else "Settings", setting_in_words(effect), may_go=number)
    for found_as, (name, _, _) in _CALLED.items():
        found = fleet.with_verdict(found_as)
        if not found:
            continue
        said = _why(found_as, found)
        yield Point(name, f"{units(found)} ({said}): {names(found)}")
        if found_as == "not-judged":
            continue
        if found_as == "slow" and len(found) > _SHOWN_NODES:
            yield Point("", _worst(fleet, found))
        shown = found[:_SHOWN_NODES] if found_as == "slow" else found[:2]
        for each in shown:
            went += 1  # what is least important goes first
            text = f"{each.name} {node_in_words(fleet, each)}"
            yield Point("", _cut(text), may_go=went)
    odd = odd_classes(fleet)
    for number, (said, nodes) in enumerate(odd[:3]):
        yield Point("" if number else "Odd", _cut(f"{names(nodes, 30)}: {said}"), may_go=number)
    if len(odd) > 3:
        yield Point("", f"and {count(len(odd) - 3, 'odd class', 'odd classes')} more", may_go=1)
    drifted = [each for each in fleet.nodes if each.drift is not None]
    if drifted:
        yield Point("Was faster", f"{units(drifted)}: {names(drifted)}")
        assert drifted[0].drift is not None, "it was chosen"
        text = f"{drifted[0].name} {drift_in_words(drifted[0].drift)}"
        yield Point("", _cut(text), may_go=went + 1)
    shifted = [each for each in fleet.classes if each.change is not None]
    for group in shifted[:1]:
        yield Point("Class", f"{group.name}: {format_change(group.change or 0)} against its past")
    yield from _absent(fleet)


def _why(verdict: Verdict, found: Sequence[FleetNode]) -> str:
    """What the nodes with one verdict have in common."""
    _, why, _ = _CALLED[verdict]
    if verdict == "cannot-tell":
        return why_unknown(found) or why
    if verdict == "suspect" and all(len(each.runs) > 1 for each in found):
        together = all(map(slow_together, found))
        return _TOGETHER if together else "measured twice, and still not certain"
    return why


def _absent(fleet: Fleet) -> Iterator[Point]:
    """The nodes without a result, and those whose clock is wrong."""
    if silent := fleet.unanswered():
        hosts = folded((each.host for each in silent), 60)
        yield Point("Silent", f"{hosts} ({silence_in_words(fleet)})")
    left_out = left_out_in_words(fleet)
    for number, line in enumerate(left_out[:_SHOWN_NODES]):
        yield Point("" if number else "Left out", _cut(line), may_go=number)
    if fleet.clocks:
        yield Point("Clock wrong", folded(fleet.clocks, 60))


def _worst(fleet: Fleet, slow: Sequence[FleetNode]) -> str:
    """``r004n52 -23 %, r001n21 -22 %, 22 more to -15 %``: the losses of as many as have room."""
    losses = [(each.name, effect) for each in slow if (effect := fleet.loss_of(each)) is not None]
    losses.sort(key=lambda each: each[1])
    text = ""
    for number, (name, effect) in enumerate(losses):
        left = len(losses) - number - 1
        more = f", {left} more to {losses[-1][1]:.0%}" if left else ""
        longer = f"{text}, {name} {effect:.0%}" if text else f"{name} {effect:.0%}"
        if text and len(longer) + len(more) > _MOST_LOSSES:
            return f"{text}, {left + 1} more to {losses[-1][1]:.0%}"
        text = longer
    return text


def _cut(text: str, most: int | None = _MOST_LINE) -> str:
    return text if most is None else shortened(text, most)


def _lists(fleet: Fleet) -> Iterator[tuple[str, str]]:
    """Everything that has a name, folded but not cut."""
    for found_as, (name, why, _) in _CALLED.items():
        found = fleet.with_verdict(found_as)
        if found:
            yield f"{name}, {why}", names(found, 0)
    for said, nodes in odd_classes(fleet):
        yield "Odd", f"{names(nodes, 0)}: {said}"
    silent = fleet.unanswered()
    for why in dict.fromkeys(each.why for each in silent):
        hosts = [each.host for each in silent if each.why == why]
        yield f"Silent, {WHY[why]}", folded(hosts)
    for line in left_out_in_words(fleet):
        yield "Left out", line
    if fleet.clocks:
        yield "Clock wrong", folded(fleet.clocks)


def _suspects(fleet: Fleet) -> Table[FleetNode]:
    """The nodes that somebody should look at, the most important first."""
    found = [
        each
        for found_as in VERDICTS
        if found_as not in ("fine", "not-judged")
        for each in fleet.with_verdict(found_as)
    ]
    drifted = [each for each in fleet.nodes if each.drift and each.verdict == "fine"]
    rows = [*found, *drifted]
    kernel = fleet.kernel or ""
    return Table(
        [
            Column[FleetNode](noun(fleet.nodes)[0], lambda each: Cell(each.name), left=True),
            Column("verdict", _verdict, left=True),
            Column(f"{kernel} GB/s", lambda each: _figure(each, kernel)),
            Column("of its class", lambda each: _effect(fleet, each)),
            Column("again", lambda each: _again(each, kernel)),
            Column("place", lambda each: Cell(each.place or DASH), left=True, may_go=2),
            Column("cause and history", lambda each: Cell(_story(each)), left=True, roomy=True),
        ],
        rows[:_MOST_DETAILS],
        caption="Suspects",
        foot=[f"The first {_MOST_DETAILS} of {len(rows):,}."] if len(rows) > _MOST_DETAILS else [],
    )


def _verdict(each: FleetNode) -> Cell:
    name, _, _ = _CALLED.get(each.verdict, ("Was faster", "", ""))
    return Cell(name.removesuffix("s") if name == "Suspects" else name)


def _figure(each: FleetNode, kernel: str) -> Cell:
    found = each.figure(kernel)
    return Cell(DASH) if found is None else Cell("", found.gbps, unit=RATE)


def _effect(fleet: Fleet, each: FleetNode) -> Cell:
    effect = fleet.effect_of(each)
    return Cell(DASH) if effect is None else Cell("", effect, unit=CHANGE)


def _again(each: FleetNode, kernel: str) -> Cell:
    later = [e.gbps for run in each.runs[1:] for e in run.figures if e.kernel == kernel]
    return Cell(", ".join(map(format_rate, later)) or DASH, later[0] if later else None)


def _story(each: FleetNode) -> str:
    drift = [] if each.drift is None else [drift_in_words(each.drift)]
    unknown = "not known: examine it" if each.device is None else "not known"
    return "; ".join([*(cause.words for cause in each.causes), *drift]) or unknown


def _plots(fleet: Fleet) -> list[Plot]:
    if fleet.kernel is None:
        return []
    plots: list[Plot] = []
    histogram = _histogram(fleet, fleet.kernel)
    if histogram.panels:
        plots.append(histogram)
    if any(each.place is not None for each in fleet.nodes):
        plots.append(_map(fleet))
    return plots


def _histogram(fleet: Fleet, kernel: str) -> Histogram:
    by_group: dict[int, list[tuple[float, bool]]] = {}
    for each in fleet.nodes:
        figure = each.figure(kernel)
        if figure is not None:
            by_group.setdefault(each.group, []).append((figure.gbps, each.verdict == "fine"))
    panels = {
        fleet.classes[group].name: _bins(values)
        for group, values in sorted(by_group.items())[:_MOST_HISTOGRAMS]
        if len(values) >= _FEWEST_IN_A_HISTOGRAM
    }
    _, many = noun(fleet.nodes)
    return Histogram(
        title=f"{kernel.capitalize()} of each class",
        about=f"How many {many} have which bandwidth; those that are not fine have a colour of"
        " their own.",
        x=Axis(f"{kernel}, GB/s", RATE),
        names=("fine", "not fine"),
        panels=panels,
        select="Class",
    )


def _bins(values: Sequence[tuple[float, bool]]) -> list[Bin]:
    """Bins of one width, as many as the square root of the number of nodes."""
    least, most = min(gbps for gbps, _ in values), max(gbps for gbps, _ in values)
    number = min(_MOST_BINS, max(8, ceil(len(values) ** 0.5)))
    width = (most - least) / number or max(0.01 * most, 1e-9)
    counts = [[0, 0] for _ in range(number)]
    for gbps, fine in values:
        counts[min(number - 1, int((gbps - least) / width))][0 if fine else 1] += 1
    return [
        Bin(least + place * width, least + (place + 1) * width, each)
        for place, each in enumerate(counts)
    ]


def _map(fleet: Fleet) -> HeatMap:
    """A row a rack or switch, and its nodes by name."""
    places: dict[str, list[FleetNode]] = {}
    for each in fleet.nodes:
        places.setdefault(each.place or "elsewhere", []).append(each)
    return HeatMap(
        title="Nodes by place",
        about="Each node by its rack or switch; the darker, the farther below the median of its"
        " class.",
        x=Axis("node of the place"),
        y=Axis("place"),
        scale="% below the median",
        most=_DARKEST,
        rows=list(places),
        values=[[_below(fleet, each) for each in nodes] for nodes in places.values()],
        texts=[
            [f"{each.name}: {_short(fleet, each)}" for each in nodes] for nodes in places.values()
        ],
        table=_places(fleet, places),
        tall=len(places) > _ROWS_OF_A_USUAL_PLOT,
    )


def _below(fleet: Fleet, each: FleetNode) -> float | None:
    effect = fleet.effect_of(each)
    return None if effect is None else round(max(0.0, -100 * effect), 1)


def _short(fleet: Fleet, each: FleetNode) -> str:
    effect = fleet.effect_of(each)
    change = "not judged" if effect is None else format_change(effect)
    return change if each.verdict == "fine" else f"{change}, {each.verdict}"


_Place = tuple[str, list[FleetNode]]


def _places(fleet: Fleet, places: dict[str, list[FleetNode]]) -> Table[_Place]:
    def middle(row: _Place) -> Cell:
        known = sorted(e for each in row[1] if (e := fleet.effect_of(each)) is not None)
        return Cell("", known[len(known) // 2], unit=CHANGE) if known else Cell(DASH)

    def worst(row: _Place) -> Cell:
        node = min(row[1], key=lambda each: fleet.effect_of(each) or 0.0)
        return Cell(f"{node.name} {format_change(fleet.effect_of(node) or 0.0)}")

    return Table(
        [
            Column[_Place]("place", lambda row: Cell(row[0]), left=True),
            Column(noun(fleet.nodes)[1], lambda row: Cell("", len(row[1]), unit=COUNT)),
            Column("median", middle),
            Column("worst node", worst, left=True),
            Column(
                "not fine",
                lambda row: Cell("", sum(e.verdict != "fine" for e in row[1]), unit=COUNT),
            ),
        ],
        list(places.items()),
        caption="Places",
    )


_Row = tuple[FleetNode, NodeRun, FleetFigure]


def _data(fleet: Fleet) -> Data[_Row]:
    """A row for each figure of each run."""
    return Data(
        columns=[
            Datum("host", lambda row: row[0].host),
            Datum("device", lambda row: row[0].device),
            Datum("class", lambda row: fleet.classes[row[0].group].name),
            Datum("place", lambda row: row[0].place),
            Datum("verdict", lambda row: row[0].verdict),
            Datum("attempt", lambda row: row[1].attempt),
            Datum("time", lambda row: row[1].time),
            Datum("kernel", lambda row: row[2].kernel),
            Datum("median_gbps", lambda row: row[2].gbps),
            Datum("low_gbps", lambda row: row[2].low),
            Datum("high_gbps", lambda row: row[2].high),
            Datum("n", lambda row: row[2].n),
            Datum("effect", lambda row: row[2].effect),
            Datum("p", lambda row: row[2].p),
            Datum("q", lambda row: row[2].q),
            Datum("disturbed", lambda row: row[1].disturbed),
            Datum("causes", lambda row: in_words(row[0].causes) or None),
        ],
        rows=[
            (node, run, figure)
            for node in fleet.nodes
            for run in node.runs
            for figure in run.figures
        ],
    )
