"""Undoes what terminals, mails, pages and logs do with the lines of an output.

Colours, blanks that do not break, entities of HTML, quotes of mails, times before lines, lines of
JSON, cells of CSV and Markdown, and rows that a mail wrapped become what the benchmark printed.
Lines keep their numbers, except in outputs that stand in one string of JSON.
"""

from __future__ import annotations

import csv
import html
import json
import re
from collections.abc import Iterator, Sequence

from streamgage.interop.numbers import is_figure

_BLANKS = {
    **dict.fromkeys((0xA0, 0x1680, 0x202F, 0x205F, 0x3000, *range(0x2000, 0x200B)), " "),
    **dict.fromkeys((0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x2060, 0xFEFF, 0xAD)),
    **{0xFF1A: ":", 0x2028: "\n", 0x2029: "\n", 0x85: "\n"},
}
"""Replaces blanks of pages by ordinary ones, and drops what has no width."""
_TERMINAL = re.compile(
    r"(?:\x1b|\^\[|\u241b|\\(?:x1b|e|033))"
    r"(?:\[[0-?]{0,40}[ -/]{0,4}[@-~]|\][^\x07\x1b\n]{0,400}(?:\x07|\x1b\\|\^G)|[()][A-Z0-9]"
    r"|[=>78MDEc])"
)
"""Matches what terminals take for orders, also where the escape was copied as text."""
_COLOUR = re.compile(r"\[(?:[0-9]{1,3}(?:;[0-9]{1,3}){0,6})?m|\[[0-2]?K(?=[ \t]*$)", re.M)
"""Matches the rest of a colour whose escape was lost."""
_ENTITY = re.compile(r"&(?:nbsp|gt|lt|amp|quot|#(?:160|xa0|39|32));", re.I)
_HALF = re.compile("[\ud800-\udfff]")
_BREAK = re.compile(r"<br ?/?>[ \t]*\n?", re.I)
_LEVEL = r"(?:(?:INFO|DEBUG|NOTICE|WARN(?:ING)?|ERROR|TRACE)\b[ \t:|-]{0,4})?"
_CLOCK = r"[0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]{1,9})?"
_ZONE = r"(?: ?(?:Z|UTC|[+-][0-9]{2}:?[0-9]{2}))?"
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_DAY = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"
STAMP = re.compile(
    rf"[\[(]?(?:[0-9]{{4}}[-/][0-9]{{2}}[-/][0-9]{{2}}[T ]{_CLOCK}{_ZONE}"
    rf"|(?:{_DAY},? )?{_MONTH} [ 0-9]?[0-9] {_CLOCK}(?: [0-9]{{4}})?"
    rf"|{_CLOCK}"
    r"|(?<=\[)[ ]{0,8}[0-9]{1,9}\.[0-9]{6}(?=\])"
    r"|1[0-9]{9}\.[0-9]{3,9})[\])]?"
    rf"(?:<std(?:out|err)>:[ \t]?|[ \t]?\|[ \t]?|[ \t]?:[ \t]|[ \t]+|$)"
    rf"(?:std(?:out|err) [FP](?:[ \t]|$))?{_LEVEL}",
    re.I,
)
"""Matches the time before a line, with the marks that container logs and loggers add."""
_QUOTE = re.compile(r"[ \t]{0,3}>(?:[ \t]?>){0,20}[ \t]?(?=[^=<]|$)")
_JOURNAL = re.compile(
    r"(?P<host>[A-Za-z0-9][\w.-]{0,63}) [^\s\[\]:]{1,64}\[[0-9]{1,10}\]:(?P<rest>.*)"
)
"""Matches what syslog puts behind the time: the host, the program and its number."""
_MOST_PEELED = 8
_TEXT_KEYS = ("log", "message", "MESSAGE", "msg", "line", "textPayload", "text")
_HOST_KEYS = ("_HOSTNAME", "hostname", "host", "node", "pod")
_STRING_KEYS = re.compile(
    r"stdout|stderr|stdout_lines|output|out|msg|message|result|results|ret|retcode|text|content|log"
    r"|value|body|data",
    re.I,
)
_TABLE = re.compile(r"\b(?:Copy|Triad):?[ \t]|Function\b", re.I)
_JOINED = re.compile(r"^(?P<node>\S{1,100}) \| [A-Z!]{2,12} \| rc=[0-9]+ \| \(stdout\) ", re.M)
"""Matches the begin of a node's output on one line, as ``ansible -o`` writes it."""
_ESCAPED = re.compile(r"Max ?time[^\n\"]{0,20}\\n", re.I)
_QUOTED = re.compile(r'^[ \t]{0,20}"((?:[^"\\\n]|\\.){0,400})",?[ \t]*$', re.M)
"""Matches a line in a list of lines, as ansible's ``stdout_lines`` has them."""
_KERNEL = r"(?:Copy|Scale|Mul|Add|Triad|Dot|Nstream|Init|Sum|Update|Daxpy|STriad|SDaxpy)"
_BOLD = re.compile(
    rf"(?<![\w*_`])(?:\*{{1,3}}|_{{1,2}}|`)({_KERNEL}:?)(?:\*{{1,3}}|_{{1,2}}|`)", re.I
)
_BOLD_FIGURE = re.compile(
    r"(?<![\w*`])(\*{1,3}|`)([0-9][0-9.,eE+-]{0,24}(?: ?[KMGT]i?B(?:ytes)?/s(?:ec)?)?)\1(?![\w*`])"
)
"""Matches a figure that its poster emphasised."""
_TITLED = re.compile(r"^[ \t]*[A-Za-z_][\w-]{0,40}[ \t]+(?=Function[ \t]+(?:Best )?Rate)", re.M)
"""Matches the title of a column of numbers before those of STREAM, such as ``MPI_ID``."""
_NUMBERED_ROW = re.compile(
    rf"^[ \t]*([0-9]{{1,7}})[ \t]+({_KERNEL}):?((?:[ \t]+[0-9][0-9.]{{0,20}}){{4}})"
    r"(?:[ \t]+[0-9]+)?[ \t]*$",
    re.M | re.I,
)
_CELLS = re.compile(
    r"(?<![\w.-])Function[\"*` \t]{0,8}(?P<separator>[|,;])[^\n]{0,200}\bMin\b[^\n]{0,100}$",
    re.M | re.I,
)
"""Matches the header of a benchmark's own table whose columns stand in cells."""
_FIRST_CELL = re.compile(
    rf"(?:\|[ \t]*)?[\"*`]*(?<![\w.-])(?:Function|{_KERNEL}:?)[\"*`]*[ \t]*(?=[|,;])", re.I
)
_RULE = re.compile(r"[^\w\n|]{0,20}(?:[\w.-]{1,100}[^\w\n|]{1,4})?\|[-:| \t]+")
_HEADER = re.compile(r"\bFunction\b.{0,60}\bRate\b|\bFunction\b.{0,40}Bytes/s", re.I)
_LAST_COLUMN = re.compile(r"Max ?time|Average", re.I)
_COLUMN = re.compile(r"(?:Best|Rate|MB/s|Avg|Min|Max|time|Average)\b", re.I)
_ROW = re.compile(rf"(?:^|.*?[\s:>\])|])(?P<kernel>{_KERNEL}):(?P<figures>(?:[ \t].*)?)", re.I)
_COLUMNS = 4
_MOST_JOINED = 3


def clean(text: str) -> str:
    """The text without the orders of terminals, and with ordinary blanks and ends of lines."""
    if _ENTITY.search(text):
        text = html.unescape(_BREAK.sub("\n", text))
    text = _COLOUR.sub("", _TERMINAL.sub("", text))
    return text.replace("\r\n", "\n").replace("\r", "\n").translate(_BLANKS)


def plain(text: str) -> str:
    """The lines as the benchmark printed them, except for labels."""
    text = _of_json(text)
    if _JOINED.search(text):
        text = _JOINED.sub(lambda found: f"{found['node']} | CHANGED | rc=0 >>\n", text)
        text = text.replace("\\n", "\n")
    elif _ESCAPED.search(text):
        text = text.replace("\\r", "").replace("\\n", "\n").replace("\\t", "\t")
    if "=> {" in text:
        text = _QUOTED.sub(lambda found: found[1], text)
    text = "\n".join(peeled(line) for line in text.split("\n"))
    cells = _CELLS.search(text)
    if cells is not None:
        text = _without_cells(text, cells["separator"])
    if _TITLED.search(text):
        text = _NUMBERED_ROW.sub(r"\1: \2:\3", _TITLED.sub("", text))
    text = _BOLD_FIGURE.sub(r"\2", _BOLD.sub(r"\1", text))
    return "\n".join(joined_rows(encodable(text).split("\n")))


def encodable(text: str) -> str:
    """The text without halves of characters, which JSON may hold and UTF-8 cannot."""
    return _HALF.sub("\ufffd", text)


def peeled(line: str) -> str:
    """The line without quotes of mails and times before it; a log's host becomes a label."""
    for _ in range(_MOST_PEELED):
        found = _QUOTE.match(line)
        stamp = None if found else STAMP.match(line)
        if stamp is not None:
            journal = _JOURNAL.fullmatch(line, stamp.end())
            if journal is not None:
                return f"{journal['host']}:{journal['rest']}"
        match = found or stamp
        if match is None or not match.end():
            break
        line = line[match.end() :]
    return line


def joined_rows(lines: Sequence[str]) -> list[str]:
    """Join headers and rows that a mail wrapped; an empty line replaces what moved up."""
    found = list(lines)
    for number, line in enumerate(found):
        if _HEADER.search(line) and not _LAST_COLUMN.search(line):
            _join_header(found, number)
        elif (row := _ROW.fullmatch(line)) is not None:
            _join_row(found, number, row["figures"].split())
    return found


def _join_header(lines: list[str], number: int) -> None:
    """Join the names of columns that stand on the lines after it."""
    text = lines[number]
    for count in range(1, _MOST_JOINED + 1):
        more = lines[number + count] if number + count < len(lines) else ""
        words = more.strip(" \t>|")
        if _COLUMN.match(words) is None:
            return
        text = f"{text} {words}"
        if _LAST_COLUMN.search(words):
            lines[number : number + count + 1] = [text, *[""] * count]
            return


def _join_row(lines: list[str], number: int, words: list[str]) -> None:
    """Join the figures that stand on the lines after it, if all of them are four."""
    if len(words) >= _COLUMNS or not all(map(is_figure, words)):
        return
    for count in range(1, _MOST_JOINED + 1):
        more = lines[number + count].strip(" \t>|").split() if number + count < len(lines) else []
        if not more or not all(map(is_figure, more)):
            return
        words = words + more
        if len(words) >= _COLUMNS:
            if len(words) == _COLUMNS:
                row = _ROW.fullmatch(lines[number])
                begin = lines[number][: row.start("figures")] if row is not None else ""
                lines[number : number + count + 1] = [f"{begin} {' '.join(words)}", *[""] * count]
            return


def _of_json(text: str) -> str:
    """The outputs in a document of JSON, or in lines of JSON as logs have them."""
    bare = text.strip()
    if not bare.startswith(("{", "[")) or not _TABLE.search(bare):
        return text
    try:
        found = list(_outputs(json.loads(bare), ""))
    except (ValueError, RecursionError):
        lines = [_log_line(each) for each in text.split("\n")]
        return "\n".join(lines)
    if not found:
        return _log_line(bare)
    if len(found) == 1:
        return found[0][1]
    return "\n".join(f"{name} | CHANGED | rc=0 >>\n{output}" for name, output in found)


def _outputs(value: object, name: str) -> Iterator[tuple[str, str]]:
    """Yield each output with the key of its node."""
    if isinstance(value, str):
        if "\n" in value and _TABLE.search(value):
            yield name, value
    elif isinstance(value, list):
        strings = [each for each in value if isinstance(each, str)]
        if strings and len(strings) == len(value) and not any("\n" in each for each in strings):
            yield from _outputs("\n".join([*strings, ""]), name)
        else:
            for each in value:
                yield from _outputs(each, name)
    elif isinstance(value, dict):
        named = next(
            (str(value[key]) for key in _HOST_KEYS if isinstance(value.get(key), str)), name
        )
        lines = value.get("stdout_lines")
        for key, each in value.items():
            if key == "stdout" and isinstance(lines, list):
                continue  # the same text twice
            yield from _outputs(each, named if _STRING_KEYS.fullmatch(key) else key)


def _log_line(line: str) -> str:
    """The text in a line of a log in JSON, with its host as a label."""
    if not line.lstrip().startswith("{"):
        return line
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return line
    if not isinstance(entry, dict):
        return line
    said = next((entry[key] for key in _TEXT_KEYS if isinstance(entry.get(key), str)), None)
    if said is None:
        return line
    host = next((entry[key] for key in _HOST_KEYS if isinstance(entry.get(key), str)), None)
    shown = said.rstrip("\n").replace("\n", " ")
    return f"{host}: {shown}" if host else shown


def _without_cells(text: str, separator: str) -> str:
    """A benchmark's table as it printed it; its rules are empty lines."""
    return "\n".join(
        _without_separators(line, separator) if separator in line else line
        for line in text.split("\n")
    )


def _without_separators(line: str, separator: str) -> str:
    if separator == "|" and _RULE.fullmatch(line):
        return ""
    first = _FIRST_CELL.search(line)
    if first is None:
        return line
    cells = next(csv.reader([line[first.start() :].strip("| ")], delimiter=separator), [])
    return line[: first.start()] + "  ".join(each.strip(' "*`') for each in cells)
