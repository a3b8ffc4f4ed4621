"""Ways in which people paste one output of STREAM, as functions of the true text."""

from __future__ import annotations

import html
import json
import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

Change = Callable[[str], str]
ROW = re.compile(r"^(?P<kernel>Copy|Scale|Add|Triad):(?P<figures>[ 0-9.]+)$", re.M)
HEADER = re.compile(r"^Function .*$", re.M)
_CLOCK = "10:21:{:02d}"


@dataclass(frozen=True)
class Paste:
    """A way to paste an output."""

    name: str
    change: Change
    whole: bool = True
    """``True`` if the size of the arrays, the threads and the check are still in it."""


def _each_line(prefix: str, *, empty: bool = True) -> Change:
    """Put a prefix before each line; ``{n}`` is its number, ``{t}`` its time."""

    def change(text: str) -> str:
        lines = text.rstrip("\n").split("\n")
        found = []
        for n, line in enumerate(lines, 1):
            shown = prefix.format(n=n, t=_CLOCK.format(n % 60)) if line or empty else ""
            found.append(f"{shown}{line}")
        return "\n".join(found) + "\n"

    return change


def _rows(change: Callable[[list[str]], str]) -> Change:
    """Change the figures of each row."""

    def changed(text: str) -> str:
        return ROW.sub(
            lambda row: f"{row['kernel']}:{' ' * 10}{change(row['figures'].split())}", text
        )

    return changed


def _separated(separator: str) -> Change:
    """Separate the columns of header and rows otherwise."""

    def change(text: str) -> str:
        names = ["Function", "Best Rate MB/s", "Avg time", "Min time", "Max time"]
        text = HEADER.sub(separator.join(names), text)
        return ROW.sub(
            lambda row: separator.join([f"{row['kernel']}:", *row["figures"].split()]), text
        )

    return change


def _markdown(bold: bool) -> Change:
    def change(text: str) -> str:
        names = "| Function | Best Rate MB/s | Avg time | Min time | Max time |"
        text = HEADER.sub(f"{names}\n|:--|--:|--:|--:|--:|", text)
        mark = "**" if bold else ""
        return ROW.sub(
            lambda row: f"| {mark}{row['kernel']}:{mark} | {' | '.join(row['figures'].split())} |",
            text,
        )

    return change


def _grouped(separator: str, point: str = ".") -> Change:
    """Write the thousands of rates in groups."""

    def group(figures: list[str]) -> str:
        rate = f"{float(figures[0]):,.1f}".replace(",", "\0").replace(".", point)
        times = [each.replace(".", point) for each in figures[1:]]
        return "     ".join([rate.replace("\0", separator), *times])

    return _rows(group)


def _as_json_log(key: str, **others: str) -> Change:
    def change(text: str) -> str:
        return "".join(
            json.dumps({key: f"{line}\n" if key == "log" else line, **others}) + "\n"
            for line in text.rstrip("\n").split("\n")
        )

    return change


def _wrapped(width: int) -> Change:
    """Break lines that are longer than a mail's, at a blank."""

    def wrap(line: str) -> str:
        if len(line) <= width or " " not in line[:width].strip():
            return line
        cut = line.rfind(" ", 1, width + 1)
        return f"{line[:cut]}\n{wrap(line[cut + 1 :].lstrip())}"

    return lambda text: "\n".join(map(wrap, text.split("\n")))


def _commented(comment: str) -> Change:
    return lambda text: ROW.sub(lambda row: f"{row[0]}{comment}", text)


def _coloured(text: str) -> str:
    return ROW.sub(lambda row: f"\x1b[1;32m{row['kernel']}:\x1b[0m{row['figures']}\x1b[K", text)


PREFIXES = (
    Paste("quoted", _each_line("> ")),
    Paste("quoted twice", _each_line(">> ")),
    Paste("quoted twice with blanks", _each_line("> > ")),
    Paste("quoted without a blank", _each_line(">")),
    Paste("quoted with bars", _each_line("| ")),
    Paste("indented", _each_line("    ", empty=False)),
    Paste("indented by a tab", _each_line("\t", empty=False)),
    Paste("comment", _each_line("# ")),
    Paste("comment of C", _each_line("// ")),
    Paste("comment of C++ blocks", _each_line(" * ")),
    Paste("srun -l", _each_line("0: ")),
    Paste("srun -l of many tasks", _each_line("  0: ")),
    Paste("mpirun --tag-output", _each_line("[1,3]<stdout>:")),
    Paste("mpirun --tag-output with a blank", _each_line("[1,3]<stdout>: ")),
    Paste("mpirun of Open MPI 5", _each_line("[prterun-node01-4711@1,0]<stdout>: ")),
    Paste("mpirun --timestamp-output", _each_line("Sat Nov 28 {t} 2026<stdout>:")),
    Paste("mpiexec -l", _each_line("[0] ")),
    Paste("pdsh", _each_line("node01: ")),
    Paste("pdsh with domains", _each_line("node01.cluster.example.org: ")),
    Paste("grep -H", _each_line("out/stream-4711.log:")),
    Paste("grep -Hn", lambda text: _numbered(text, "out/stream.log:{n}:")),
    Paste("grep -n", lambda text: _numbered(text, "{n}:")),
    Paste("docker compose", _each_line("stream-1  | ")),
    Paste("kubectl --prefix", _each_line("[pod/stream-0/main] ")),
    Paste("stern", _each_line("stream-7d9f-abc main ")),
    Paste("docker logs --timestamps", _each_line("2026-11-28T{t}.123456789Z ")),
    Paste("kubectl --timestamps --prefix", _each_line("[pod/s-0/main] 2026-11-28T{t}.123456789Z ")),
    Paste("container log", _each_line("2026-11-28T{t}.123456789Z stdout F ")),
    Paste("GitHub's log", _each_line("2026-11-28T{t}.1234567Z ")),
    Paste("GitHub's whole log", _each_line("bench\tRun STREAM\t2026-11-28T{t}.1234567Z ")),
    Paste("journalctl", _each_line("Nov 28 {t} node01 stream[4711]: ")),
    Paste("journalctl with microseconds", _each_line("Nov 28 {t}.123456 node01 stream[4711]: ")),
    Paste("journalctl -o short-iso", _each_line("2026-11-28T{t}+0100 node01 stream[4711]: ")),
    Paste("ts", _each_line("Nov 28 {t} ")),
    Paste("ts -s", _each_line("00:00:{n:02d} ")),
    Paste("dates in brackets", _each_line("[2026-11-28 {t}] ")),
    Paste("dates with milliseconds", _each_line("[2026-11-28 {t},123] ")),
    Paste("dates with a level", _each_line("2026-11-28 {t},123 INFO ")),
    Paste("Jenkins", _each_line("[2026-11-28T{t}.123Z] ")),
    Paste("a clock alone", _each_line("{t} ")),
    Paste("kernel log", _each_line("[   12.{n:06d}] ")),
    Paste("seconds since 1970", _each_line("1764325260.{n:03d} ")),
    Paste("cat -n", _each_line("{n:6d}\t")),
    Paste("nl", lambda text: _numbered(text, "{n:6d}  ", filled=True)),
    Paste("less -N", _each_line("{n:7d} ")),
    Paste("bat", _each_line("{n:4d}   │ ")),
    Paste("line numbers with a bar", _each_line("{n:4d} | ")),
    Paste("line numbers with a point", _each_line("{n}. ")),
    Paste("line numbers with a bracket", _each_line("{n}) ")),
    Paste("line numbers with a colon", _each_line("{n}: ")),
    Paste("list", _each_line("- ", empty=False)),
    Paste("diff", _each_line("+")),
)
"""Ways that put something before each line."""


def _numbered(text: str, prefix: str, *, filled: bool = False) -> str:
    """Put numbers before lines; ``filled``: empty lines have none and do not count."""
    numbers = count(1)
    return "\n".join(
        line if filled and not line else prefix.format(n=next(numbers)) + line
        for line in text.rstrip("\n").split("\n")
    )


def rows_of(text: str) -> str:
    """The header and the rows alone."""
    known = re.compile(r"Function|Copy|Scale|Add|Triad")
    return "".join(f"{line}\n" for line in text.split("\n") if known.match(line))


def _capitals(text: str) -> str:
    names = re.compile(r"(?m)^(?:Function|Copy|Scale|Add|Triad)\b.*")
    return names.sub(lambda found: found[0].upper(), text)


def _bold(text: str) -> str:
    return ROW.sub(lambda row: f"**{row['kernel']}:**{row['figures']}", text)


def _bare_rows(text: str) -> str:
    return "".join(f"{row[0]}\n" for row in ROW.finditer(text))


def _quoted_cells(text: str) -> str:
    return re.sub(r"([^,\n]+)", r'"\1"', rows_of(_separated(",")(text)))


def _semicolons(text: str) -> str:
    rows = ROW.sub(lambda row: row[0].replace(".", ","), text)
    names = ["Function", "Best Rate MB/s", "Avg time", "Min time", "Max time"]
    rows = HEADER.sub(";".join(names), rows)
    return re.sub(r"(?m)^(Copy|Scale|Add|Triad): .*$", lambda row: ";".join(row[0].split()), rows)


CONTENTS = (
    Paste("as printed", lambda text: text),
    Paste("Windows lines", lambda text: text.replace("\n", "\r\n")),
    Paste("blanks at the ends", lambda text: text.replace("\n", "   \n")),
    Paste("blank lines between", lambda text: text.replace("\n", "\n\n")),
    Paste("Markdown code", lambda text: f"Results:\n\n```\n{text}```\n"),
    Paste("Markdown code with a language", lambda text: f"~~~console\n{text}~~~\n"),
    Paste("Jira code", lambda text: f"{{noformat}}\n{text}{{noformat}}\n"),
    Paste("HTML", lambda text: f"<pre>\n{html.escape(text).replace(' ', '&nbsp;')}</pre>\n"),
    Paste("non-breaking blanks", lambda text: text.replace(" ", "\u00a0")),
    Paste("narrow blanks", lambda text: text.replace("  ", "\u202f\u2009")),
    Paste("invisible characters", lambda text: text.replace(":", ":\u200b")),
    Paste("byte order mark", lambda text: "\ufeff" + text),
    Paste("colours", _coloured),
    Paste("colours as text", lambda text: _coloured(text).replace("\x1b", "^[")),
    Paste("colours without escape", lambda text: _coloured(text).replace("\x1b", "")),
    Paste("colours as symbols", lambda text: _coloured(text).replace("\x1b", "\u241b")),
    Paste("links of terminals", lambda text: f"\x1b]8;;file:///x\x07stream.log\x1b]8;;\x07\n{text}"),
    Paste("title of a terminal", lambda text: f"\x1b]0;user@node01: ~\x07$ ./stream\n{text}"),
    Paste("tabs between columns", _separated("\t")),
    Paste("commas between columns", _separated(",")),
    Paste("semicolons between columns", _separated(";")),
    Paste("bars between columns", _separated(" | ")),
    Paste("one blank between columns", _separated(" ")),
    Paste("Markdown table", _markdown(False)),
    Paste("Markdown table in bold", _markdown(True)),
    Paste("quoted cells", _quoted_cells, whole=False),
    Paste("thousands", _grouped(",")),
    Paste("thousands by apostrophes", _grouped("'")),
    Paste("thousands by points", _grouped(".", ",")),
    Paste("decimal commas", _rows(lambda figures: " ".join(figures).replace(".", ","))),
    Paste("decimal commas and semicolons", _semicolons),
    Paste("columns run together", _rows("".join)),
    Paste("exponents", _rows(lambda figures: " ".join(
        [f"{float(figures[0]):.6e}", *(f"{float(each):.6e}" for each in figures[1:])]))),
    Paste("units behind figures", _rows(lambda figures: " ".join(
        [f"{figures[0]} MB/s", *(f"{each} s" for each in figures[1:])]))),
    Paste("comments", _commented("   # best of ten")),
    Paste("arrows", _commented("  <-- here")),
    Paste("gains", _commented(" (+21.7 %)")),
    Paste("gains without brackets", _commented("   +21.7%")),
    Paste("small letters", lambda text: text.lower()),
    Paste("capitals", _capitals),
    Paste("bold kernels", _bold),
    Paste("no colons", lambda text: ROW.sub(lambda row: f"{row['kernel']} {row['figures']}", text)),
    Paste("wrapped mail", _wrapped(50), whole=False),
    Paste("wrapped narrow mail", _wrapped(40), whole=False),
    Paste("escaped in JSON", lambda text: json.dumps({"stdout": text, "rc": 0})),
    Paste("escaped in JSON of ansible", lambda text: json.dumps(
        {"changed": True, "stdout_lines": text.split("\n")}, indent=4)),
    Paste("lines of ansible", lambda text: f"node01 | CHANGED | rc=0 >>\n{text}"),
    Paste("ansible -o", lambda text: f"node01 | CHANGED | rc=0 | (stdout) {text.strip()}".replace(
        "\n", "\\n")),
    Paste("Docker's log file", _as_json_log("log", stream="stdout", time="2026-11-28T10:21:00Z")),
    Paste("journalctl -o json", _as_json_log("MESSAGE", _HOSTNAME="node01")),
    Paste("log of a cloud", _as_json_log("message", level="info")),
    Paste("rows alone", rows_of, whole=False),
    Paste("rows without header", _bare_rows, whole=False),
    Paste("prose around", lambda text: f"Hi all,\n\nour node gives:\n\n{text}\n-- \nJane\n"),
    Paste("shell around", lambda text: f"[jane@node01 ~]$ ./stream\n{text}[jane@node01 ~]$ exit\n"),
    Paste("Slurm around", lambda text: f"srun: job 12 queued\n{text}slurmstepd: done\n"),
)  # fmt: skip
"""Ways that change what stands in the lines."""


HEADS = (
    "==> {}.log <==",
    "=== {} ===",
    "----------------\n{}\n----------------",
    "::::::::::::::\n{}.log\n::::::::::::::",
    "### {}",
    "[{}]",
    "{}:",
    "{}",
    "{} | CHANGED | rc=0 >>",
    "Host: {}",
    "ssh {} ./stream",
    "# {}",
    "hostname: {}",
    "*** {} ***",
    "<b>{}</b>",
)
"""Lines that name a node before its whole output."""
LABELS = (
    "{}: ",
    "{}:",
    "{}.cluster.example.org: ",
    "{} ",
    "{}  ",
    "{}\t",
    "[{}] ",
    "{} | ",
    "[1,{n}]<stdout>:",
    "[1,{n}]<stdout>: ",
    "{n}: ",
    "{n:2d}: ",
    "logs/{}.log:",
    "logs/{}.log:{line}:",
    "./{}/stream.out:",
    "[pod/{}/main] ",
    "[pod/{}/main] 2026-11-28T10:00:00.123456789Z ",
    "Nov 28 10:00:00 {} stream[4711]: ",
    "2026-11-28T10:00:00+0100 {} stream[4711]: ",
    "> {}: ",
    "2026-11-28T10:00:00.123456789Z {}: ",
    "{} stdout: ",
    "({}) ",
    "<{}> ",
    "{}> ",
    "{}; ",
    "{},",
    "{}=",
    "host={} ",
)
"""Labels of a node before each of its lines."""


def mixed(texts: dict[str, str], label: str, seed: int = 0) -> str:
    """The lines of several nodes in random order, each with its label."""
    waiting = {node: text.rstrip("\n").split("\n") for node, text in texts.items()}
    order = [node for node, lines in waiting.items() for _ in lines]
    random.Random(seed).shuffle(order)
    numbers = {node: n for n, node in enumerate(texts)}
    found = []
    for node in order:
        line = waiting[node].pop(0)
        at = len(texts[node].split("\n")) - len(waiting[node])
        found.append(f"{label.format(node, n=numbers[node], line=at)}{line}\n")
    return "".join(found)
