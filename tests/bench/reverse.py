#!/usr/bin/env python3
"""Measures how long moves backwards take as GDB sees them, and prints their distribution in Markdown.

The program counts the words of a text for about a second. From places all over its run GDB steps back, by lines, over
calls and by instructions; and from the end it continues back to a breakpoint that was hit once, at the beginning.

usage: reverse.py [--moves N] [--seed N]
"""

import argparse
import os
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EREMITE = os.environ.get("EREMITE_LAUNCHER", str(ROOT / "eremite"))
MOVES = {"reverse-step": "-exec-step --reverse", "reverse-next": "-exec-next --reverse",
         "reverse-stepi": "-exec-step-instruction --reverse"}
PLACES = 12
WORDS = 900_000
ROUNDS = 12
LIMIT_S = 120


class Gdb:
    """A GDB that is asked in its machine interface, one command after another."""

    def __init__(self, program):
        self.process = subprocess.Popen(["gdb", "-q", "-nx", "--interpreter=mi3", str(program)], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for command in ("set confirm off", "set pagination off", "set debuginfod enabled off"):
            self.ask(f"-interpreter-exec console \"{command}\"")

    def ask(self, command):
        """The result of a command, as text."""
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        return self.line("^")

    def line(self, start):
        for line in self.process.stdout:
            if line.startswith(start):
                if line.startswith("^error"):
                    raise RuntimeError(line.strip())
                return line.strip()
        raise RuntimeError("gdb has ended")

    def move(self, command):
        """Seconds until the program has stopped again, and the stop."""
        started = time.monotonic()
        self.ask(command)
        stop = self.line("*stopped")
        return time.monotonic() - started, stop

    def close(self):
        self.process.stdin.close()
        self.process.wait(LIMIT_S)


def text(seed):
    """A text with a few common words and many rare ones."""
    chosen = random.Random(seed)
    words = [f"w{int(chosen.paretovariate(0.6)) % 30000}" for _ in range(WORDS)]
    return "\n".join(" ".join(words[i:i + 11]) for i in range(0, WORDS, 11)) + "\n"


def percentile(values, part):
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


def measure(program, port, moves, chosen):
    gdb = Gdb(program)
    gdb.ask(f"-target-select extended-remote 127.0.0.1:{port}")
    times = {name: [] for name in MOVES}
    gdb.ask("-break-insert -t main")
    gdb.move("-exec-continue")
    for place in sorted(chosen.sample(range(1, WORDS * ROUNDS), PLACES)):
        gdb.ask(f'-break-insert -t -c "words == {place}" count_word')
        _, stop = gdb.move("-exec-continue")
        if 'reason="breakpoint-hit"' not in stop:
            raise RuntimeError(stop)
        for name, command in MOVES.items():
            for _ in range(moves):
                times[name].append(gdb.move(command)[0])
    gdb.ask("-break-insert -t report")
    gdb.move("-exec-continue")
    gdb.ask("-break-insert -t main")
    whole, stop = gdb.move("-exec-continue --reverse")
    if 'func="main"' not in stop:
        raise RuntimeError(stop)
    gdb.close()
    return times, whole


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--moves", type=int, default=15, help="moves of each kind from each place")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="eremite-bench-") as temporary:
        folder = pathlib.Path(temporary)
        program = folder / "typical"
        subprocess.run(["gcc", "-g", "-O0", "-o", program, ROOT / "tests/bench/typical.c"], check=True)
        (folder / "text").write_text(text(options.seed))
        environment = dict(os.environ, EREMITE_DATA_DIR=str(folder / "recordings"))
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        started = time.monotonic()
        subprocess.run([program, folder / "text"], check=True, **quiet)
        native = time.monotonic() - started
        subprocess.run([EREMITE, "record", "-q", "--", program, folder / "text"], check=True, env=environment, **quiet)
        server = subprocess.Popen([EREMITE, "replay", "--gdbserver", "--gdbserver-port", "0"], env=environment,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            port = None
            for line in server.stdout:
                found = re.search(r"127\.0\.0\.1:(\d+)", line)
                if found:
                    port = found[1]
                    break
            times, whole = measure(program, port, options.moves, random.Random(options.seed))
        finally:
            server.kill()
            server.wait()
    print(f"A program that runs for {native:.2f} s; {PLACES} places, seed {options.seed}.\n")
    print("| Move | moves | median | 95 % within | slowest |\n|---|---|---|---|---|")
    for name, values in times.items():
        milliseconds = [value * 1000 for value in values]
        print(f"| {name} | {len(values)} | {statistics.median(milliseconds):.1f} ms |"
              f" {percentile(milliseconds, 0.95):.1f} ms | {max(milliseconds):.1f} ms |")
    print(f"| reverse-continue from its end to main | 1 | {whole * 1000:.0f} ms | | |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
