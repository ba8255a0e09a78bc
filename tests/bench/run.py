#!/usr/bin/env python3
"""Measures native, strace, record and replay for a few programs and prints a table in Markdown.

The four take turns, so that a machine whose speed drifts is as fast for one as for the others. The programs that compute
take a quarter of a minute, but gzip, whose input is 40 MB. What the start of Eremite takes, of which /bin/true tells, is the
same for each: the last column leaves it out. "±" is half the distance from the fastest run of a kind to the slowest: ratios
that differ from 1 by less are as good as 1.

usage: run.py [--repeat N] [--only NAME,...]
"""

import argparse
import os
import pathlib
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EREMITE = os.environ.get("EREMITE_LAUNCHER", str(ROOT / "eremite"))
LIMIT_S = 900
START = "/bin/true"
JSON_LOOP = ("import json; d = [{'n': i, 's': str(i) * 5} for i in range(500)]\n"
             "for i in range(100000): d2 = json.loads(json.dumps(d))\nprint(len(d2))")
SQL = ("create table t(a integer primary key, b text, c real);"
       "with recursive n(i) as (select 1 union all select i + 1 from n where i < 300000)"
       " insert into t select i, 'row ' || (i * 7919 % 100003), i / 3.0 from n;"
       "create index x on t(b); select count(*), sum(c) from t where b > 'row 5';"
       "select count(distinct b) from t;")


COMPUTATION = """
#include <stdio.h>
int main(void) {
    unsigned long x = 88172645463325252UL;
    for (unsigned long i = 0; i < 12000000000UL; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
    }
    printf("%lx\\n", x);
    return 0;
}
"""


def c_source():
    """A C file of some 23,000 lines: functions that differ, with loops, switches, calls, strings and structures."""
    lines = ["#include <stdio.h>", "#include <stdlib.h>", "#include <string.h>", "#include <ctype.h>", "",
             "struct node { struct node *left, *right; int key; char name[24]; double weight; };"]
    for i in range(1000):
        lines += [f"static int walk{i}(struct node *n, int depth) {{", "  int sum = 0;",
                  f"  for (; n && depth < {i % 17 + 3}; n = (n->key % {i + 2}) ? n->left : n->right, depth++) {{",
                  f"    switch (n->key % {i % 5 + 4}) {{",
                  f"      case 0: sum += (int) strlen(n->name) * {i}; break;",
                  f"      case 1: n->weight = n->weight * {i}.5 + depth; break;",
                  f"      case 2: snprintf(n->name, sizeof n->name, \"node %d of {i}\", n->key); break;",
                  f"      case 3: if (isalpha((unsigned char) n->name[{i % 20}])) sum ^= n->key << {i % 9}; break;",
                  f"      default: sum += n->key / (depth + 1); break;",
                  "    }", "  }", "  return sum;", "}",
                  f"int use{i}(int count, const char *text) {{", "  struct node *all = calloc(count, sizeof *all);",
                  "  for (int k = 0; k < count; k++) {",
                  f"    all[k].key = k * {i * 7 + 3} % 1009; all[k].left = k ? &all[k / 2] : NULL;",
                  f"    all[k].right = k ? &all[k - 1] : NULL; strncpy(all[k].name, text, {i % 20 + 3});", "  }",
                  f"  int result = walk{i}(&all[count - 1], 0);" if i == 0 else
                  f"  int result = walk{i}(&all[count - 1], 0) + walk{i - 1}(&all[count / 2], 1);",
                  "  free(all);", "  return result;", "}"]
    return "\n".join(lines) + "\n"


def real_content(size):
    """That many bytes of this machine's libraries, in the order of their names: neither noise nor all the same."""
    content = bytearray()
    for library in sorted(pathlib.Path("/usr/lib/x86_64-linux-gnu").glob("*.so*")):
        if library.is_file() and not library.is_symlink() and len(content) < size:
            content += library.read_bytes()
    while len(content) < size:
        content += content[:size - len(content)]
    return bytes(content[:size])


def make_inputs(folder):
    """Makes what the programs need: a compiled guest that computes, a long C file, 40 MB to compress."""
    guest = folder / "compute"
    source = folder / "compute.c"
    source.write_text(COMPUTATION)
    subprocess.run(["gcc", "-O2", "-o", guest, source], check=True)
    (folder / "big.c").write_text(c_source())
    (folder / "data").write_bytes(real_content(40_000_000))


def programs(folder):
    """(name, command): the first tells what the start takes; the next five should be recorded as fast as strace runs them."""
    return [
        (START, ["/bin/true"]),
        ("compute", [str(folder / "compute")]),
        ("gcc -c", ["gcc", "-O2", "-c", "-o", "big.o", "big.c"]),
        ("gzip 40 MB", ["gzip", "-9kf", "data"]),
        ("sqlite", ["sqlite3", "bench.db", SQL]),
        ("python json", ["/usr/bin/python3", "-c", JSON_LOOP]),
        ("find /usr/lib", ["find", "/usr/lib"]),
        ("dd bs=512", ["dd", "if=/dev/zero", "of=/dev/null", "bs=512", "count=200000"]),
    ]


def run_once(command, folder, environment):
    for name in ("bench.db", "big.o", "data.gz"):
        (folder / name).unlink(missing_ok=True)
    with tempfile.TemporaryFile() as errors:
        started = time.monotonic()
        done = subprocess.run(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=errors, timeout=LIMIT_S)
        seconds = time.monotonic() - started
        if done.returncode != 0:
            errors.seek(0)
            text = errors.read().decode(errors="replace")[-400:]
            raise RuntimeError(f"status {done.returncode} of {' '.join(command)[:200]}\n{text}")
    return seconds


def measure_program(command, folder, repeat):
    """What native, strace, record and replay took, in seconds; None for what fails, which is said."""
    data = folder / "recordings"
    environment = dict(os.environ, EREMITE_DATA_DIR=str(data))
    shutil.rmtree(data, ignore_errors=True)
    ways = [command, ["strace", "-f", "-o", "/dev/null", *command], [EREMITE, "record", "-q", "--", *command],
            [EREMITE, "replay", "latest", "--autopilot", "-q"]]
    seconds = [[] for _ in ways]
    failed = set()
    for _ in range(repeat):
        for number, way in enumerate(ways):
            if number in failed:
                continue
            try:
                seconds[number].append(run_once(way, folder, environment))
            except (RuntimeError, subprocess.TimeoutExpired) as failure:
                print(f"bench: {failure}", file=sys.stderr)
                failed.add(number)
    return [None if number in failed else each for number, each in enumerate(seconds)]


def machine():
    model = "unknown processor"
    with open("/proc/cpuinfo", encoding="utf-8") as info:
        for line in info:
            if line.startswith("model name"):
                model = line.partition(":")[2].strip()
                break
    return f"{model}, {os.cpu_count()} processors, Linux {platform.release()}"


def cell(seconds, native):
    return "failed" if seconds is None else f"{seconds:.2f} s ({seconds / native:.2f}×)"


def spread(strace, record):
    """How far a ratio of two medians may be off because runs differ: half of what the slowest took more than the fastest."""
    return max((max(each) - min(each)) / 2 / statistics.median(each) for each in (strace, record))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=3, help="runs of each measurement; the median counts")
    parser.add_argument("--only", help="names of programs, separated by commas")
    options = parser.parse_args()
    failed = False
    # So that a build, if one is due, is not measured.
    subprocess.run([EREMITE, "--version"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    print(f"Measured on {machine()}, median of {options.repeat}.\n")
    print("| Program | native | strace -f | record | replay | record / strace | ± | without the start |\n"
          "|---|---|---|---|---|---|---|---|",
          flush=True)
    start = None
    with tempfile.TemporaryDirectory(prefix="eremite-bench-") as temporary:
        folder = pathlib.Path(temporary)
        make_inputs(folder)
        for name, command in programs(folder):
            if options.only and name != START and name not in options.only.split(","):
                continue
            runs = measure_program(command, folder, options.repeat)
            native, *others = [None if each is None else statistics.median(each) for each in runs]
            if native is None:
                sys.exit(f"bench: {name} fails natively")
            failed = failed or None in others
            cells = [f"{native:.3f} s", *(cell(other, native) for other in others)]
            strace, record = others[:2]
            both = None not in (strace, record)
            cells += [f"{record / strace:.2f}", f"{spread(runs[1], runs[2]):.2f}"] if both else ["–", "–"]
            start = record if name == START else start
            left_out = name == START or start is None or not both
            cells.append("–" if left_out else f"{(record - start) / strace:.2f}")
            print(f"| {name} | " + " | ".join(cells) + " |", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
