"""Makes bad inputs of every area, each from a number alone, and tries them.

``made(area, seed, number)`` is always the same try. ``judged`` runs it in a folder and returns what
is wrong with its end, if anything is.
"""

from __future__ import annotations

import json
import os
import random
import re
import shlex
import shutil
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from inspect import Parameter
from pathlib import Path

from changed_files import changed_json, changed_lines, changed_store, changed_text, hostile_number
from example_records import as_lines, good_records, tuned_records
from example_results import every_kind
from foreign_outputs import ALL
from programs import REPOSITORY, command, environment, real_engine
from stub_fleet import FEW, stub_fleet
from tries import CommandEnd, of_python, tried, tried_program

from streamgage.cli.program import command_names, declared
from streamgage.errors import FAILED, USAGE
from streamgage.options.declaration import Form, Option, PythonOnly
from streamgage.options.files import Opens

DATA = REPOSITORY / "tests" / "data"
_OUT = ("out.csv", "out.json", "out.md", "out.html", "out.svg", "out.txt", "out.jsonl")
"""Names of files that tries write; all others in a try's folder are inputs."""
_STORE = "own.sqlite"


def _lines(text: str, *names: str) -> list[list[str]]:
    """Lines of words, separated by semicolons; ``@0`` is the first of ``names``."""
    return [
        [names[int(each[1:])] if each[:1] == "@" and each[1:].isdigit() else each for each in words]
        for words in map(shlex.split, re.split(r"\s;\s", text))
    ]


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


@dataclass(frozen=True)
class Try:
    """A command line with its files and surroundings."""

    words: Sequence[str]
    files: Mapping[str, bytes] = field(default_factory=dict)
    variables: Mapping[str, str] = field(default_factory=dict)
    stdin: bytes = b""
    engine: bool = False
    """Whether it is the engine that gets the words."""
    stub: str = "fails"
    """The engine that the front finds; see ``Place``."""
    redirected: str = ""
    """What a shell puts behind the words, if it is started by one."""
    signals: tuple[tuple[float, int], ...] = ()
    """Signals that it gets, each with the seconds before it."""
    statuses: tuple[int, ...] = ()
    """Statuses of the user's program, which the command takes over."""

    def __str__(self) -> str:
        """The command line, as far as it is short."""
        program = "streamgage-engine" if self.engine else "streamgage"
        shown = " ".join([program, *(repr(each)[:300] for each in self.words)])
        more = {**self.variables, **({"engine": self.stub} if self.stub != "fails" else {})}
        return f"{shown} {self.redirected} {more or ''} {self.signals or ''}"


class Place:
    """A folder for tries, with an engine that measures nothing, and one that answers anything."""

    def __init__(self, folder: Path) -> None:
        """Make it."""
        self.folder = folder / "here"
        self.folder.mkdir()
        self.answer = folder / "answer"
        real = real_engine()
        tells = '--machine|--expand|--catalogue) exec "$real" "$@"'
        self.engines = {
            "fails": f'case "$1" in {tells};; esac\necho "streamgage-engine: nothing here" >&2\n'
            "exit 1\n",
            "answers": f'case "$1" in {tells};; esac\ncat "{self.answer}"\n',
            "answers all": f'cat "{self.answer}"\n',
        }
        for name, body in self.engines.items():
            path = folder / name.replace(" ", "-")
            path.write_text(f"#!/bin/sh\nreal='{real}'\n{body}", "utf-8")
            path.chmod(0o755)
        self.variables = environment(folder, None, STREAMGAGE_LOAD_CHECK="off", HOME=str(folder))
        self.variables |= {"STREAMGAGE_LOCK": "none", "STREAMGAGE_STORE": str(folder / _STORE)}

    def end_of(self, one: Try) -> CommandEnd:
        """Run a try here."""
        self._clear()
        for name, content in one.files.items():
            path = self.folder / name
            if name == "ANSWER":
                path = self.answer
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        engine = self.folder.parent / one.stub.replace(" ", "-")
        variables = {**self.variables, "STREAMGAGE_ENGINE": str(engine), **one.variables}
        if one.redirected or one.signals:
            return self._started(one, variables)
        if one.engine:
            words = [str(real_engine()), *one.words]
            return tried_program(words, self.folder, variables, one.stdin)
        return tried(one.words, self.folder, variables, one.stdin)

    def _clear(self) -> None:
        for each in self.folder.iterdir():
            if each.is_dir() and not each.is_symlink():
                shutil.rmtree(each)
            else:
                each.unlink()

    def _started(self, one: Try, variables: Mapping[str, str]) -> CommandEnd:
        """Start it as a process of its own, by a shell if its streams lead elsewhere."""
        logs = self.folder.parent / "output"
        logs.mkdir(exist_ok=True)
        words = [str(real_engine()), *one.words] if one.engine else command(*one.words)
        if one.redirected:
            words = [
                "bash",
                "-c",
                f'exec 3> >(true); sleep 0.05; "$@" {one.redirected}',
                *words[:1],
                *words,
            ]
        with (logs / "stdout").open("wb") as out, (logs / "stderr").open("wb") as err:
            process = subprocess.Popen(
                ["env", "--default-signal", *words],
                cwd=self.folder,
                env={**variables, "PYTHONPATH": str(REPOSITORY)},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                process_group=0,
            )
            for seconds, number in one.signals:
                time.sleep(seconds)
                if process.poll() is None:
                    process.send_signal(number)
            try:
                status = process.wait(120)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                status = -signal.SIGALRM
        texts = [(logs / each).read_bytes() for each in ("stdout", "stderr")]
        stdout, stderr = (each.decode("utf-8", "backslashreplace") for each in texts)
        return CommandEnd(status, stdout, stderr)


def judged(one: Try, place: Place) -> str | None:
    """What is wrong with the end of a try in ``place``; ``None`` if nothing is."""
    end = place.end_of(one)
    if one.statuses and end.status in one.statuses:
        end = CommandEnd(0, end.stdout, end.stderr, end.more_bytes)
    # Before the program there is Python's own start, which has no handlers.
    at_start = "Traceback" in end.stderr and "/streamgage/" not in end.stderr
    if one.signals and (at_start or end.status in {-number for _, number in one.signals}):
        end = CommandEnd(0, end.stdout, "")
    if one.redirected and not end.stderr and end.status in (FAILED, USAGE):
        end = CommandEnd(0, end.stdout, end.stderr)  # what it said is lost
    complaint = end.complaint or _of_words(one, end) or _of_files(one, place, end)
    if complaint is None:
        return None
    return f"{complaint}: {one}\n    status {end.status}: {end.stderr[-700:]}"


def _of_words(one: Try, end: CommandEnd) -> str | None:
    """What is wrong with what was said."""
    name = "streamgage-engine: " if one.engine else "streamgage: "
    lines = end.stderr.splitlines()
    given = " ".join([*one.words, *one.variables.values()])
    seen = of_python(end.stderr)
    if (
        seen is not None
        and seen not in given
        and not any(seen.encode() in each for each in one.files.values())
    ):
        return f"Python's {seen!r}"
    if end.status == USAGE and not one.redirected:
        if not lines or not lines[-1].startswith(("streamgage: ", "streamgage-engine: ")):
            return "its last line is not a sentence of the program"
        if one.engine and len(lines) > 1:
            return "more than one sentence"
        if sum(each.startswith(name) for each in lines) < len(lines) - 8:
            return "lines that are no sentences"
        if lines[-1].rstrip()[-1] not in ".?!)" and not one.engine:
            return "a sentence without an end"
    return None


def _of_files(one: Try, place: Place, end: CommandEnd) -> str | None:
    """An input that was changed, or something that was left after a refusal."""
    for name, content in one.files.items():
        if name in (_STORE, "ANSWER") or name.endswith(".sqlite"):
            continue
        path = place.folder / name
        if not path.is_file() or path.read_bytes() != content:
            return f"the input {name} was changed"
    known = {name.partition("/")[0] for name in one.files}
    found = [each for each in sorted(place.folder.iterdir()) if each.name not in known]
    for each in found:
        if stat.S_ISREG(each.lstat().st_mode) and each.suffix in (".csv", ".json", ".md", ".html"):
            text = each.read_bytes().decode("utf-8", "backslashreplace")
            complaint = CommandEnd(0, text, "").complaint
            if complaint is not None:
                return f"{each.name}: {complaint}"
    new = [each.name for each in found if not each.name.startswith("fleet-")]
    hidden = [each for each in new if each.startswith(".") and not one.signals]
    if hidden or (end.status == USAGE and new and not one.redirected):
        return f"left {(hidden or new)[0]!r}"
    return None


# Values

_HOSTILE = (
    *("", " ", "\x1b[2J\r\u202e", os.fsdecode(b"\xff\xfe"), "\n", "a\nb", "\t", "\u0661", "\u00b2"),
    *("x" * 5000, "9" * 30, "9" * 400, "$(id)", "`id`", "a,b;c", "\uff11"),
    *_words("""
    - -- -1 0 00 +1 1e308 -1e308 1e-320 nan inf -inf 0x10 1_000 1, ,1 1,,2 1- -1-3 3-1 1-2-3
    0-9999999999 0-131071 1:0 1-10:0 1.5 1/0 ' " ../../no/such/x / . .. /dev/full /dev/null
    /proc/self/mem ~ ~root/x <b>[red]{0}%s {n} {mpiexec} {log} { } %n [bold] ; | & true false none
    None null all last last-1 last-99999999999 1 2 = a=b triad= =1 triad=1e999GB/s triad=1GB/s,-200%
    1GB 4MiB 1EiB 999999999999GiB 5s 1000000h -5s 200GB/s 10% -10% ( [ (a+)+$ * S0:0 S9:0 E:N:1 N:0
    M0:0@S9:9 postgresql://u:geheim@127.0.0.1:1/x
    """),
)
_FITTING = {
    "N": ("1", "2", "3", "1,2", "4"),
    "R": ("0", "1"),
    "SIZE": ("4MiB", "1GiB", "80000000"),
    "GB/S": ("200", "12.5", "200GB/s"),
    "SECONDS": ("0.1", "1", "0.05"),
    "TIME": ("1s", "5m", "0.5"),
    "A,B": ("triad", "copy,triad", "plain", "compact,scatter"),
    "EXPR": ("S0:0", "0", "0-1", "E:N:2"),
    "LIST": ("0", "0-1"),
    "REGEX": ("([0-9.]+)", "x=([0-9]+)", "took", "a{4294967295}", "(" * 2000 + ")" * 2000),
    "RE": ("([0-9.]+)", "x=([0-9]+)", "took", "a{4294967295}", "(" * 2000 + ")" * 2000),
    "NAME": ("triad", "compact", "none", "a", "cuda:0"),
    "SHARE": ("0.02", "0.5"),
    "'CMD ARGS'": ("true", "false", "sleep 0.01", "./no-such", "sh -c 'kill -9 $$'"),
    "'CMD FLAGS'": ("gcc -O2", "cc", "false"),
    "KEY=N,..": ("streams=4,block=4KiB", "streams=2"),
    "WIDTH": ("8cm", "1", "column"),
}
_FOLDERS = ("runs", "model", ".", "no-such-folder")


def value(source: random.Random, form: Form | None, names: Sequence[str]) -> str:
    """A value of an option: one that fits, one of another, or one that nobody should give."""
    metavar = "" if form is None else form.metavar.strip("[]. ")
    fitting = _FITTING.get(metavar, ())
    if any(word in metavar for word in ("FILE", "FOLDER", "DIR", "WHICH")) or not metavar:
        fitting = (*names, *_FOLDERS)
    drawn = source.random()
    if drawn < 0.6 and fitting:
        return source.choice([*fitting])
    if drawn < 0.72:
        return changed_text(source.choice([*(fitting or ("1", "triad"))]), source)
    if drawn < 0.8:
        return source.choice(source.choice([*_FITTING.values()]))
    if drawn < 0.86:
        return hostile_number(source)
    return source.choice(_HOSTILE).replace("\0", "")


def option_words(option: Option, source: random.Random, names: Sequence[str]) -> list[str]:
    """An option with a value, or an argument."""
    form = option.found(Form)
    if option.kind is not Parameter.KEYWORD_ONLY:
        if option.found(Opens) is Opens.WORDS:
            return ["--", *program_words(source)]
        return [value(source, form, names)]
    if option.found(Opens) is Opens.WRITES:
        return [f"{option.shown}={source.choice(_OUT)}"]
    name = f"--{option.name.strip('_').replace('_', '-')}"
    if option.flag:
        return [name]
    if option.choices and source.random() < 0.7:
        return [f"{name}={source.choice(option.choices)}"]
    return [f"{name}={value(source, form, names)}"]


_PROGRAMS = _lines(
    r"""
    true ; false ; sleep 0.01 ; no-such-program ; . ; / ; '' ; sh -c 'echo x=5; echo took 1 s' ;
    sh -c 'exit 7' ; sh -c 'kill -9 $$' ; echo '{n}' ; echo '{log}' ; '{mpiexec}' true ;
    '{mpiexec}' ; '{n' ; '{x}' ; sh -c 'printf '"'"'\033[2J\377'"'"' >&2; exit 1' ;
    sh -c 'yes | head -c 3000000; false' ; printf 'x=%s GB/s\n' 1e999 ; printf 'nan GB/s' ;
    cat a.jsonl ; sh -c 'echo {log} > {log}' ; sh -c 'head -c 100 /dev/urandom > {log}' ;
    sh -c 'cp a.txt {log}' ; env ; sh -c 'cat runs/program-1.log > {log}'
    """
)
PROGRAM_STATUSES = (7, 124, 126, 127, 128 + 9)


def program_words(source: random.Random) -> list[str]:
    """A program with arguments."""
    words = [*source.choice(_PROGRAMS)]
    if source.random() < 0.15:
        place = source.randrange(len(words))
        words[place] = changed_text(words[place], source)
    return words


def line(
    name: str,
    source: random.Random,
    names: Sequence[str],
    always: Sequence[str] = (),
    among: Collection[str] | None = None,
) -> list[str]:
    """A command with some of its options; those named in ``always`` are among them.

    ``among``: others are drawn from these alone.
    """
    shown = declared(name).shown
    options = [
        each
        for each in declared(name).options.values()
        if each.name != "root" and each.found(PythonOnly) is None
    ]
    arguments = [each for each in options if each.kind is not Parameter.KEYWORD_ONLY]
    named = [each for each in options if each.kind is Parameter.KEYWORD_ONLY]
    must = [each for each in named if each.name in always]
    others = [
        each for each in named if each.name not in always and (among is None or each.name in among)
    ]
    chosen = must + source.sample(others, min(len(others), source.choice((0, 0, 1, 1, 2, 3, 5))))
    words = [word for each in chosen for word in option_words(each, source, names)]
    if shown is not None:
        words += _shown(shown.all_formats, source)
    last: list[str] = []
    for each in arguments:
        if source.random() < 0.75:
            given = option_words(each, source, names)
            if each.found(Opens) is Opens.WORDS:
                last = given
            else:
                words = [*words, *given] if not given[0].startswith("-") else words
    return [*name.split(), *words, *last]


def _shown(formats: Sequence[str], source: random.Random) -> Iterator[str]:
    if source.random() < 0.3:
        yield f"--format={source.choice([*formats, *formats, 'no-format', ''])}"
    if source.random() < 0.25:
        yield f"--output={source.choice([*_OUT, '', '/', '/dev/full', 'no/such/out.csv', 'out'])}"
    if source.random() < 0.1:
        yield f"--width={source.choice(['8cm', '0', 'x', '1e9', 'column'])}"
    if source.random() < 0.1:
        yield "--details"


# Files


@cache
def outputs() -> list[bytes]:
    """Outputs of other benchmarks."""
    cases = [each.read_bytes() for each in sorted((DATA / "cases").glob("*.txt"))]
    return [*cases, *(each.encode() for each in ALL.values())]


@cache
def documents() -> dict[str, bytes]:
    """A result of each kind, by the name of its file."""
    found = {each.called: next(iter(each.files.values())) for each in every_kind()}
    found["run.jsonl"] = as_lines(good_records())
    return found


@cache
def records() -> list[bytes]:
    """Records of runs."""
    return [as_lines(good_records()[:80]), as_lines(tuned_records()[:80])]


@cache
def node_lines() -> bytes:
    """The lines of a fleet."""
    return b"".join(stub_fleet(40, 1, FEW, domains=True).lines)


def study_files(source: random.Random) -> dict[str, bytes]:
    """A folder with the runs of a program and of STREAM, in which something is wrong."""
    files: dict[str, bytes] = {}
    for n in (1, 2, 4):
        seconds = source.choice((8 / n, 1e-9, 1e300, -1.0, 0.0))
        if source.random() < 0.8:
            seconds = 8 / n
        log = json.dumps({"phase": "solve", "seconds": seconds, "count": 10}).encode() + b"\n"
        files[f"runs/program-{n}.log"] = log
        stream = source.choice(outputs()) if source.random() < 0.5 else source.choice(records())
        files[f"runs/stream-{n}.{'txt' if stream[:1] != b'{' else 'jsonl'}"] = stream
    for _ in range(source.choice((1, 1, 2, 4))):
        name = source.choice(sorted(files))
        how = source.random()
        if how < 0.5:
            change = changed_lines if files[name][:1] == b"{" else changed_bytes
            files[name] = change(files[name], source)
        elif how < 0.7:
            del files[name]
        elif how < 0.85:
            files[name] = source.choice([*outputs(), *records(), *petsc()])
        else:
            other = changed_text(name.removeprefix("runs/"), source).replace("/", "")
            if is_file_name(other):
                files[f"runs/{other}"] = files[name]
        if not files:
            break
    return files


@cache
def petsc() -> list[bytes]:
    """Logs of PETSc, and what it prints."""
    import gzip

    folder = DATA / "petsc"
    logs = [gzip.decompress(each.read_bytes()) for each in sorted(folder.glob("*.gz"))]
    return [*logs, *(each.read_bytes() for each in sorted(folder.glob("*.txt")))]


def is_file_name(name: str) -> bool:
    """Whether a file can have that name."""
    letters = os.fsencode(name.encode("utf-8", "replace"))
    return 0 < len(letters) < 200 and not {0, 47} & set(letters) and name not in (".", "..")


@cache
def models() -> dict[str, bytes]:
    """Language models of few weights."""
    import tempfile

    from example_models import write_gguf, write_safetensors

    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        write_gguf(folder / "m.gguf")
        write_gguf(folder / "e.gguf", experts=True)
        write_safetensors(folder / "model")
        return {
            str(each.relative_to(folder)): each.read_bytes()
            for each in sorted(folder.rglob("*"))
            if each.is_file()
        }


def changed_bytes(content: bytes, source: random.Random) -> bytes:
    """An output in which some of the text is changed."""
    text = changed_text(content.decode("utf-8", "replace"), source, source.choice((1, 1, 3, 10)))
    return text.encode("utf-8", "replace")


_NAMES = (
    *(
        "\x1b[31m",
        "\x1b]0;x\x07",
        "\u202e",
        "\n",
        "\r",
        os.fsdecode(b"\xff"),
        " ",
        "x" * 200,
        "\u00e9",
    ),
    *(
        "<img src=x onerror=y>",
        "'\"`$(id)",
        "[bold]",
        "{0}%s",
        "=1+1",
        "@x",
        "#",
        "?a=b&c",
        "|",
        "\\",
    ),
)
"""Parts of names that no file should have."""


def _named(files: dict[str, bytes], source: random.Random) -> dict[str, bytes]:
    """The files, one of them perhaps with another name."""
    if source.random() < 0.85:
        return files
    old = source.choice([each for each in files if "/" not in each])
    new = f"{Path(old).stem}{source.choice(_NAMES)}{Path(old).suffix}"
    return {new if name == old else name: content for name, content in files.items()}


# Areas


def _files(source: random.Random) -> dict[str, bytes]:
    """Some files, of which one is changed."""
    name, content = source.choice(sorted(documents().items()))
    other = source.choice(sorted(documents()))
    is_records = name.endswith(".jsonl")
    change = changed_lines if is_records else changed_json
    files = {"a" + Path(name).suffix: change(content, source) if source.random() < 0.7 else content}
    files["b" + Path(other).suffix] = documents()[other]
    files["a.txt"] = changed_bytes(source.choice(outputs()), source)
    return _named(files, source)


def options(source: random.Random) -> Try:
    """Any command with any options."""
    files = _files(source)
    name = source.choice(command_names())
    words = line(name, source, list(files))
    return Try(_bounded(words), files, statuses=_statuses(words))


def _bounded(words: list[str]) -> list[str]:
    """The words, without what makes a try wait for longer than it should by what it is."""
    return [
        each for each in words if not each.startswith(("--wait-idle", "--within", "--deadline"))
    ]


def _statuses(words: Sequence[str]) -> tuple[int, ...]:
    return PROGRAM_STATUSES if words[0] in ("program", "pin", "traffic") else ()


_ASKED = _lines(
    """
    program model ; program bytes_per_step ; program bytes ; program rate ; expected ;
    program scaling import_ ; program ratio against ; program reached ; scale predict result ;
    expected cloud result ; program server ; program against scaling ; program model context ;
    measure runs placements
    """
)
"""Options that ask for something together, or without being a mode."""


@cache
def _modes() -> list[list[str]]:
    """Each mode that an option asks for, and the others."""
    return [
        *(
            [name, mode.option]
            for name in command_names()
            for mode in declared(name).modes
            if mode.asks is None
        ),
        *_ASKED,
    ]


def modes(source: random.Random) -> Try:
    """The modes of commands, with an engine that answers, but not always well."""
    name, *always = source.choice(_modes())
    files = {**_files(source), **study_files(source)}
    stub = source.choice(("fails", "fails", "answers"))
    if stub == "answers":
        files["ANSWER"] = source.choice((_node_answer, _records_answer))(source)
    among = _taken(name, always) if source.random() < 0.75 else None
    words = line(name, source, sorted(files), always, among)
    if "ratio" in always or "against" in always:
        words[1:1] = ["--rounds=2", "--warmups=0"] if source.random() < 0.7 else []
    return Try(_bounded(words), files, stub=stub, statuses=PROGRAM_STATUSES)


def _taken(name: str, always: Sequence[str]) -> frozenset[str]:
    """The options that a command takes in the mode of those in ``always``."""
    declaration = declared(name)
    asked = [mode for mode in declaration.modes if mode.option in always]
    for mode in [each for each in asked if each.within in always] or asked:
        return mode.options
    own = {each for mode in declaration.modes for each in (mode.option, *mode.own)}
    return frozenset(declaration.options) - own


def _node_answer(source: random.Random) -> bytes:
    found = {
        "record": "node",
        "host": "n1",
        "time": "2026-01-01T00:00:00Z",
        "figures": [{"kernel": "triad", "gbps": 100.0, "low": 99.0, "high": 101.0, "n": 9}],
    }
    content = json.dumps(found).encode() + b"\n"
    return changed_lines(content, source) if source.random() < 0.6 else content


def _records_answer(source: random.Random) -> bytes:
    content = source.choice(records())
    how = source.random()
    if how < 0.7:
        return changed_lines(content, source)
    return content[: source.randrange(len(content))] if how < 0.8 else content


def saved_outputs(source: random.Random) -> Try:
    """Outputs of other benchmarks in which something is changed."""
    files = {"a.txt": changed_bytes(source.choice(outputs()), source)}
    if source.random() < 0.2:
        files["a.txt"] += changed_bytes(source.choice(outputs()), source)
    if source.random() < 0.3:
        files["b.txt"] = source.choice(outputs())
    files = _named(files, source)
    name = source.choice(("interpret", "interpret", "results import", "fleet judge", "show"))
    words = line(name, source, sorted(files))
    if source.random() < 0.5:
        words = [*name.split(), *sorted(files), *_shown(["table", "json", "csv"], source)]
    stdin = next(iter(files.values())) if source.random() < 0.1 else b""
    return Try(_bounded(words), files, stdin=stdin)


_READERS = _lines(
    """
    show ; show --details ; show --peak=200 ; show --format=csv ; report --format=md ;
    compare b.jsonl ; compare b.json ; results import ; results export ; results export --samples ;
    scale --predict=2 --result ; expected --cloud --result ; traffic --recorded ; interpret ;
    show -o out.svg ; fleet judge ; check --baseline ; report -o out.html ;
    traffic --replay @0 --on ; fleet run --resume ; expected --cloud -o out.svg --result ;
    program --kernel=triad --model
    """,
    str(REPOSITORY / "examples/two-packages"),
)


def saved_records(source: random.Random) -> Try:
    """Records and documents of results in which something is changed."""
    files = _files(source)
    first = next(iter(files))
    return Try([*source.choice(_READERS), first], files)


def stores(source: random.Random) -> Try:
    """A store in which bytes or rows are changed."""
    files = {"s.sqlite": changed_store(source), "b.jsonl": records()[0]}
    uses = _lines(
        """
        history ; history --format=json ; show last ; show 1 --details ; compare 1 2 ;
        results export ; results rm 1 ; report 1 2 ; results import b.jsonl ;
        results export --files out ; show 3 ; scale --predict=2 ; expected --cloud ;
        history --changes ; compare ; results export --samples --format=json ; results export 1
        """
    )
    return Try([*source.choice(uses), "--store", "s.sqlite"], files)


def fleets(source: random.Random) -> Try:
    """Lines of nodes, lists of nodes, and engines of nodes that answer anything."""
    lines = node_lines()
    how = source.random()
    if how < 0.75:
        for _ in range(source.choice((1, 2, 5, 20))):
            lines = changed_lines(lines, source)
        files = {"n.jsonl": lines, "old.jsonl": node_lines()}
        words = line("fleet judge", source, sorted(files))
        words = [*words, "n.jsonl"] if source.random() < 0.8 else words
        return Try(_bounded(words), files, stdin=lines if "-" in words else b"")
    nodes = source.choice(
        (
            "localhost",
            "n[1-4]",
            "n[1-99999999]",
            "n[4-1]",
            "n[",
            "a b",
            "-oProxyCommand=id",
            "n\x1b",
        )
    )
    if source.random() < 0.5:
        nodes = changed_text(nodes, source) or "n"
    words = ["fleet", "run", "--launcher=local", f"--nodes={nodes}", "--deadline=2s"]
    if source.random() < 0.5:
        words = ["fleet", "run", f"--nodes={nodes}", "--deadline=2s", "--launcher=ssh"]
    files = {"ANSWER": _node_answer(source)}
    variables = {"PATH": "/usr/bin/nowhere"} if source.random() < 0.3 else {}
    more = [each for each in line("fleet run", source, ["n.jsonl"])[2:] if "launcher" not in each]
    more = [each for each in _bounded(more) if not each.startswith(("--nodes", "--resume"))]
    return Try([*words, *more[:3]], files, variables, stub="answers all")


def lines_of_nodes(source: random.Random) -> Try:
    """One line of a node, whole or in pieces, in which a value is changed."""
    [first, *rest] = [each for each in node_lines().splitlines() if b'"figures"' in each][:12]
    content = b"\n".join([*(changed_json(first, source) for _ in range(3)), *rest, b""])
    return Try(
        ["fleet", "judge", "n.jsonl", *_shown(["table", "json"], source)], {"n.jsonl": content}
    )


def pins(source: random.Random) -> Try:
    """What ``pin`` takes: expressions, memory, threads to skip, and a program."""
    words = ["pin", expression(source)]
    for option, fitting in {
        "--memory": ("local", "0", "interleave", "interleave:0", "1", "0-99", "interleave:"),
        "--skip": ("0", "0,2", "0x5", "0xffffffffffffffffff", "1-0"),
        "--threads": ("1", "2", "0"),
        "--allow-oversubscribe": (),
    }.items():
        if source.random() < 0.35:
            chosen = source.choice(fitting) if fitting else ""
            if fitting and source.random() < 0.4:
                chosen = changed_text(chosen, source)
            words += [f"{option}={chosen}"] if fitting else [option]
    words += source.choice((["--show"], ["--show"], [], ["--", *program_words(source)]))
    variables = {
        name: source.choice((*_HOSTILE, "1", "2", "4,2"))
        for name in ("OMP_NUM_THREADS", "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE")
        if source.random() < 0.1
    }
    return Try(words, {}, _without_zero(variables), statuses=PROGRAM_STATUSES)


def _without_zero(variables: Mapping[str, str]) -> dict[str, str]:
    return {name: each.replace("\0", "") for name, each in variables.items()}


_PARTS = ("S0:", "N:", "M0:", "C0:", "E:N:", "E:S0:", "0", "1", "-", ",", ":", "@", "scatter", "L3")


def expression(source: random.Random) -> str:
    """A placement expression."""
    known = [each.read_text("utf-8", "replace") for each in (DATA / "expression-corpus").iterdir()]
    drawn = source.random()
    if drawn < 0.4:
        return changed_text(source.choice(sorted(known)).strip(), source).replace("\0", "") or "0"
    if drawn < 0.8:
        return "".join(source.choices([*_PARTS, hostile_number(source)], k=source.randrange(1, 9)))
    return source.choice(_HOSTILE[1:])


def expressions(source: random.Random) -> Try:
    """Expressions for the engine, on a made machine."""
    machine = source.choice(("pack:2 numa:2 core:4 pu:2", "core:1 pu:1", "numa:8 core:2 pu:1"))
    more = ["--allow-oversubscribe"] if source.random() < 0.4 else []
    return Try(
        [f"--expand={expression(source)}", *more], {}, {"HWLOC_SYNTHETIC": machine}, engine=True
    )


def topologies(source: random.Random) -> Try:
    """Made machines, in text and in XML, for engine and front."""
    files: dict[str, bytes] = {}
    if source.random() < 0.6:
        parts = ("pack", "numa", "l3", "l2", "core", "pu", "die", "group", "l1", "x")
        count = source.randrange(1, 6)
        words = [
            f"{source.choice(parts)}:{source.choice(('1', '2', '16', hostile_number(source)[:4]))}"
            for _ in range(count)
        ]
        variables = {"HWLOC_SYNTHETIC": " ".join([*words, "core:2", "pu:1"][: count + 2])}
        if source.random() < 0.3:
            variables["HWLOC_SYNTHETIC"] = changed_text(variables["HWLOC_SYNTHETIC"], source)
    else:
        stored = sorted((DATA / "machines").glob("*.xml"))
        content = source.choice(stored).read_bytes()
        files["m.xml"] = changed_bytes(content, source) if source.random() < 0.9 else content
        variables = {"HWLOC_XMLFILE": "m.xml", "HWLOC_THISSYSTEM": source.choice(("0", "1", ""))}
    variables = _without_zero({each: text.replace("\n", " ") for each, text in variables.items()})
    if source.random() < 0.5:
        return Try(["--machine"], files, variables, engine=True)
    words = source.choice((["topology"], ["topology", "--format=json"], ["pin", "N", "--show"]))
    return Try([*words, *_shown(["table", "json"], source)], files, variables)


@cache
def plans() -> list[bytes]:
    """Plans for the engine."""
    found = [each.read_bytes() for each in sorted((DATA / "plan-corpus").iterdir())]
    small = {"schema": 1, "array_bytes": 1 << 20, "kernels": ["copy"], "stores": ["plain"]}
    return [*found, json.dumps(small).encode()]


def plans_for_the_engine(source: random.Random) -> Try:
    """Plans that are refused before anything is measured, or measure next to nothing."""
    content = source.choice(plans())
    for _ in range(source.choice((1, 1, 2, 4))):
        content = changed_json(content, source)
    try:
        plan = json.loads(content)
    except (ValueError, RecursionError):
        plan = None
    if isinstance(plan, dict):  # so that those that are right end soon
        plan |= {"sampling": {"min_samples": 2, "max_samples": 2, "budget_seconds": 0.1}}
        plan |= {} if source.random() < 0.2 else {"tuning": None, "load": None}
        if source.random() < 0.9:
            plan |= {"no-such-field": 1}
        content = json.dumps(plan).encode()
    by_input = source.random() < 0.5
    words = [
        "--plan",
        "-" if by_input else "p.json",
        *(["--no-wait"] if source.random() < 0.3 else []),
    ]
    files = {} if by_input else {"p.json": content}
    return Try(words, files, {"STREAMGAGE_LOCK": "none"}, content if by_input else b"", engine=True)


_ENGINE_OPTIONS = _words("""
    --check --expect --device --json --glance --seconds --pieces --spent --kernels --stores
    --threads
    --cpus --size --plan --expand --catalogue --interval --ranks --timeout --root --replay
    --activity
    --devices --mpi --allow-oversubscribe --counters --version --licenses --machine --no-wait
    """)


def engine_options(source: random.Random) -> Try:
    """Options of the engine, always with one that it refuses."""
    words = [
        f"{each}={source.choice(_HOSTILE)}" if source.random() < 0.75 else each
        for each in source.sample(_ENGINE_OPTIONS, source.choice((1, 2, 3)))
    ]
    words.append(
        source.choice(("--no-such", "--seconds=x", "--size=0", "--threads=-1", "--expand=Z9"))
    )
    return Try([each.replace("\0", "") for each in words], engine=True)


def engine_answers(source: random.Random) -> Try:
    """Engines that answer with changed records, with part of them, or with anything."""
    files = {"ANSWER": _records_answer(source)}
    if source.random() < 0.2:
        files["ANSWER"] = changed_bytes(source.choice(outputs()), source)
    uses = _lines(
        """
        measure --quick ; measure --details ; scale 1 --quick ; numa ; measure --runs 1 ;
        ladder --quick ; latency --quick ; links ; doctor ; check ;
        program --scaling --threads=1 --rounds=1 -- true ; topology ; compilers ;
        program --ratio --rounds=1 --warmups=0 -- true ; measure --format=stream ;
        program --bytes=1GB --rounds=1 --threads=1 -- true ; traffic -- true ;
        measure --records out.jsonl
        """
    )
    words = [*source.choice(uses)]
    words[1:1] = [*_shown(["table", "json", "csv"], source)] if len(words) < 3 else []
    stub = source.choice(("answers", "answers all"))
    return Try(words, files, stub=stub, statuses=PROGRAM_STATUSES)


def models_of_language(source: random.Random) -> Try:
    """Headers of language models in which something is changed."""
    files = dict(models())
    for _ in range(source.choice((1, 1, 2))):
        name = source.choice(sorted(files))
        content = files[name]
        if name.endswith(".json"):
            files[name] = changed_json(content, source)
            continue
        head = bytearray(content)
        for _ in range(source.choice((1, 1, 2, 5))):
            place = source.randrange(min(len(head), source.choice((16, 64, 500, 3000))))
            head[place] = source.choice((0, 1, 2, 8, 127, 128, 255, source.randrange(256)))
        files[name] = bytes(head[: source.randrange(len(head))] if source.random() < 0.15 else head)
    named = source.choice(("m.gguf", "e.gguf", "model"))
    if "/" not in named and named in files:
        files = _named({named: files[named]}, source)
        [named] = files
    words = ["program", f"--model={named}", "--threads=1", "--rounds=1"]
    words += source.choice(([], ["--context=100"], ["--reached=5"], ["--context=1073741824"]))
    return Try(words, files)


def completions(source: random.Random) -> Try:
    """Lines that a shell wants to be completed."""
    words = line(source.choice(command_names()), source, ["a.jsonl"])
    text = " ".join(["streamgage", *words])
    if source.random() < 0.6:
        text = changed_text(text, source)
    shell = source.choice(("bash", "zsh", "fish", "no-such"))
    variables = {
        "_STREAMGAGE_COMPLETE": f"complete_{shell}"
        if source.random() < 0.9
        else changed_text(shell, source),
        "COMP_WORDS": text,
        "_TYPER_COMPLETE_ARGS": text,
        "COMP_CWORD": source.choice((*"0123", "-1", "99", "x", "", hostile_number(source))),
        "_TYPER_COMPLETE_FISH_ACTION": source.choice(("get-args", "is-args", "x")),
    }
    kept = {name: each for name, each in variables.items() if source.random() < 0.9}
    return Try([], {}, _without_zero(kept), statuses=(FAILED,))  # fish asks by the status


_VARIABLES = _words("""
    COLUMNS LINES NO_COLOR FORCE_COLOR CLICOLOR_FORCE TERM TMPDIR HOME LANG PATH TZ CC MPLBACKEND
    MPLCONFIGDIR SOURCE_DATE_EPOCH XDG_DATA_HOME XDG_STATE_HOME XDG_CACHE_HOME STREAMGAGE_STORE
    STREAMGAGE_ENGINE STREAMGAGE_LOCK STREAMGAGE_LOAD_CHECK PETSC_DIR PETSC_ARCH OMP_NUM_THREADS
    OMP_PROC_BIND SLURM_JOB_ID SLURM_NTASKS SLURM_JOB_NODELIST PMI_RANK OMPI_COMM_WORLD_SIZE
    CUDA_VISIBLE_DEVICES
    """)


def surroundings(source: random.Random) -> Try:
    """Variables that nobody should set."""
    files = _files(source)
    variables = {
        name: source.choice(_HOSTILE) if source.random() < 0.8 else hostile_number(source)
        for name in source.sample(_VARIABLES, source.choice((1, 1, 2, 4)))
    }
    first = next(iter(files))
    uses = _lines(
        """
        show @0 ; show @1 -o out.svg ; history ; measure ; doctor ; scale 1 ; pin N --show ;
        topology ; results import @2 ; report @1 -o out.html ; expected --cloud ; interpret @2 ;
        program --petsc --ranks=1 ; program --scaling -- true ; check ; fleet run --deadline=2s ;
        scale --mpi 1 ; traffic -- true ; compilers ; program --ratio -- true ; links ; --version ;
        --help
        """,
        [*files][1],
        first,
        [*files][-1],
    )
    words = source.choice(uses)
    return Try(words, files, _without_zero(variables), statuses=PROGRAM_STATUSES)


def streams(source: random.Random) -> Try:
    """Full, closed and broken streams."""
    ways = ("/dev/full", "&-", "&3", "/dev/null")
    number = source.choice(("1", "2", "1", "0"))
    redirected = (
        f"0<{source.choice(('&-', '/dev/null'))}"
        if number == "0"
        else f"{number}>{source.choice(ways)}"
    )
    if source.random() < 0.4:
        redirected += f" 2>{source.choice(ways)}"
    files = {"b.jsonl": records()[0], "a.txt": source.choice(outputs())}
    uses = _lines(
        """
        show b.jsonl ; show b.jsonl --format=json ; interpret a.txt ; history ; measure ;
        expected ; expected --cloud --result=b.jsonl ; pin N --show ; results export b.jsonl ;
        fleet judge - ; --help ; show no-such ; program --ratio -- true ; program --import . ;
        explain steal ; show b.jsonl -o - ; show b.jsonl -o /dev/stdout ; topology
        """
    )
    if source.random() < 0.2:
        words = source.choice(
            (["--machine"], ["--catalogue"], ["--expand=0"], ["--help"], ["--plan=x"])
        )
        return Try(words, files, engine=True, redirected=redirected)
    return Try(source.choice(uses), files, redirected=redirected)


def signals(source: random.Random) -> Try:
    """Signals at any time."""
    numbers = (
        signal.SIGINT,
        signal.SIGTERM,
        signal.SIGHUP,
        signal.SIGQUIT,
        signal.SIGUSR1,
        signal.SIGPIPE,
    )
    sent = tuple(
        (source.random() * source.choice((0.1, 0.5, 1.5)), int(source.choice(numbers)))
        for _ in range(source.choice((1, 1, 2, 3)))
    )
    files = {"b.jsonl": records()[0], "ANSWER": records()[0]}
    uses = _lines(
        """
        measure ; scale 1 -o out.svg ; show b.jsonl -o out.svg ; program --ratio -- sleep 0.5 ;
        program --scaling -- sleep 1 ; pin 0 -- sleep 1 ; report b.jsonl -o out.html ; history ;
        program --against 'sleep 0.3' -- sleep 0.3 ; results import b.jsonl
        """
    )
    statuses = (*PROGRAM_STATUSES, *(128 + number for _, number in sent))
    return Try(source.choice(uses), files, stub="answers", signals=sent, statuses=statuses)


AREAS: dict[str, tuple[Callable[[random.Random], Try], int]] = {
    "options": (options, 12),
    "modes": (modes, 16),
    "saved outputs": (saved_outputs, 12),
    "saved records": (saved_records, 12),
    "stores": (stores, 8),
    "fleets": (fleets, 6),
    "lines of nodes": (lines_of_nodes, 6),
    "pins": (pins, 6),
    "expressions": (expressions, 6),
    "topologies": (topologies, 6),
    "plans": (plans_for_the_engine, 6),
    "engine's options": (engine_options, 4),
    "engine's answers": (engine_answers, 8),
    "models": (models_of_language, 6),
    "completion": (completions, 4),
    "surroundings": (surroundings, 6),
    "streams": (streams, 2),
    "signals": (signals, 1),
}
"""What makes a try of each area, and its share of all tries."""


def tries_of(area: str, tries: int) -> int:
    """How many of ``tries`` are of that area: at least one."""
    whole = sum(share for _, share in AREAS.values())
    return max(1, round(tries * AREAS[area][1] / whole))


def made(area: str, seed: int, number: int) -> Try:
    """The try of that number."""
    return AREAS[area][0](random.Random(f"{area} {seed} {number}"))


def main() -> None:
    """Show tries and judge them: ``made_tries.py AREA SEED NUMBER ...``."""
    import tempfile

    area, seed, *numbers = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        place = Place(Path(folder))
        for number in numbers:
            one = made(area, int(seed), int(number))
            for name, content in one.files.items():
                print(f"--- {name}\n{content[:2000].decode('utf-8', 'backslashreplace')}")
            print(one)
            print(place.end_of(one))
            print(judged(one, place))


if __name__ == "__main__":
    main()
