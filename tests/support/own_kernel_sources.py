"""Sources of kernels of a user's own: a good one, and one for each way to be bad."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

_TEMPLATE = """#include <stdio.h>
#include <stdlib.h>
#include <streamgage/kernel.h>
static double run(const streamgage_call *call) {{
  double *a = call->arrays[0];
  const double *b = call->arrays[1];
  {body}
  return 0.0;
}}
static void fill(const streamgage_call *call) {{
  double *a = call->arrays[0], *b = call->arrays[1];
  for (int64_t i = call->begin; i < call->end; ++i) {{ a[i] = 9; b[i] = (double)(i % 7) / 8; }}
}}
static int64_t check(const streamgage_call *call, char *why, size_t size) {{
  const double *a = call->arrays[0];
  int64_t wrong = 0;
  for (int64_t i = call->begin; i < call->end; ++i)
    if (a[i] != call->scalar * (double)(i % 7) / 8 && wrong++ == 0)
      snprintf(why, size, "a[%lld] is %g.", (long long)i, a[i]);
  return wrong;
}}
static const streamgage_array arrays[] = {{
    {{.name = "a", .type = "double", .access = {access}}},
    {{.name = "b", .type = "double", .access = STREAMGAGE_READ}},
}};
{declaration}
"""
LOOP = "for (int64_t i = call->begin; i < call->end; ++i) a[i] = call->scalar * b[i];"
_FIELDS = (
    '.name = "{name}", .formula = "a = s*b", .arrays = arrays, .array_count = {count},'
    " .flops = 1, .run = run, .fill = fill{check}"
)


def source(
    name: str,
    *,
    body: str = LOOP,
    access: str = "STREAMGAGE_WRITE",
    count: int = 2,
    check: str = ", .check = check",
    declared: bool = True,
) -> str:
    """A kernel in C with what is given in place of what would be right."""
    fields = _FIELDS.format(name=name, count=count, check=check)
    used = "void *unused[] = {(void *)arrays, (void *)run, (void *)fill, (void *)check};"
    return _TEMPLATE.format(
        body=body,
        access=access,
        declaration=f"STREAMGAGE_KERNEL({fields})" if declared else used,
    )


@dataclass(frozen=True)
class BadKernel:
    """A source, the reason for which it is left out, and words of the sentence."""

    name: str
    text: str
    reason: str
    words: str


def _only(condition: str, statement: str) -> str:
    return f"{LOOP} if ({condition}) {statement}"


BAD = (
    BadKernel("syntax", source("syntax", body="a[0] = ;"), "compile", "syntax.c:7: expected"),
    BadKernel("undeclared", source("undeclared", declared=False), "declaration", "undeclared.c"),
    BadKernel("none", source("none", count=0), "declaration", "array"),
    BadKernel("many", source("many", count=17), "declaration", "17"),
    BadKernel("triad", source("triad"), "declaration", "triad"),
    BadKernel(
        "beyond",
        source("beyond", body=_only("call->end == call->iterations", "a[call->end] = 1;")),
        "outside",
        "a",
    ),
    BadKernel(
        "neighbour",
        source("neighbour", body=_only("call->begin > 0", "a[call->begin - 1] += 1;")),
        "outside",
        "a",
    ),
    BadKernel("crash", source("crash", body="abort();"), "crash", "SIGABRT"),
    BadKernel(
        "wild",
        source("wild", body="*(volatile double *)(intptr_t)0x123456789000 = b[0] + a[0];"),
        "crash",
        "SIGSEGV",
    ),
    BadKernel(
        "null",
        source("null", body="a = call->arrays[2]; a[call->begin] = b[call->begin];"),
        "access",
        "null pointer",
    ),
    BadKernel(
        "hang", source("hang", body="for (volatile int go = 1; go;) {}"), "timeout", "return"
    ),
    BadKernel("liar", source("liar", body=LOOP.replace("* b[i]", "* b[i] + 1")), "check", "a["),
    BadKernel("reader", source("reader", access="STREAMGAGE_READ"), "access", "a"),
)
HANGS = [each for each in BAD if each.reason == "timeout"]
"""These alone are given little time: a busy machine may hold up any other."""
GOOD = source("good")
UNCHECKED = source("unchecked", check="")


def write(folder: Path, name: str, text: str) -> Path:
    """The source as ``name``.c in ``folder``."""
    file = folder / f"{name}.c"
    file.write_text(text, "utf-8")
    return file
