#!/usr/bin/env python3
"""Measures how long moves backwards take as GDB sees them, and prints their distribution in Markdown.

The program counts the words of a text for about a second. From places all over its run GDB steps back, by lines, over
calls and by instructions; and from the end it continues back to a breakpoint that was hit once, at the beginning.

usage: reverse.py [--moves N] [--seed N]
"""

import argparse
import os
import pathlib
import queue
import random
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EREMITE = os.environ.get("EREMITE_LAUNCHER", str(ROOT / "eremite"))
MOVES = {"reverse-step": "-exec-step --reverse", "reverse-next": "-exec-next --reverse",
         "reverse-stepi": "-exec-step-instruction --reverse"}
PLACES = 12
WORDS = 900_000
ROUNDS = 12
LIMIT_S = 120


class Lines:
    """What a process prints, line by line, each within a time limit."""

    def __init__(self, stream, name):
        self.name = name
        self.lines = queue.Queue()
        threading.Thread(target=self.read, args=(stream,), daemon=True).start()

    def read(self, stream):
        for line in stream:
            self.lines.put(line)
        self.lines.put(None)

    def until(self, wanted):
        """The next line for which a function has an answer, and that answer; fails after LIMIT_S or at the end."""
        deadline = time.monotonic() + LIMIT_S
        while True:
            try:
                line = self.lines.get(timeout=max(0, deadline - time.monotonic()))
            except queue.Empty:
                raise RuntimeError(f"{self.name} has not answered for {LIMIT_S} s") from None
            if line is None:
                raise RuntimeError(f"{self.name} has ended without an answer")
            found = wanted(line)
            if found:
                return found


class Gdb:
    """A GDB that is asked in its machine interface, one command after another."""

    def __init__(self, program):
        self.process = subprocess.Popen(["gdb", "-q", "-nx", "--interpreter=mi3", str(program)], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.lines = Lines(self.process.stdout, "gdb")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def ask(self, command):
        """The result of a command, as text."""
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        return self.line("^")

    def line(self, start):
        line = self.lines.until(lambda line: line.startswith(start) and line.strip())
        if line.startswith("^error"):
            raise RuntimeError(line)
        return line

    def move(self, command):
        """Seconds until the program has stopped again, and the stop."""
        started = time.monotonic()
        self.ask(command)
        stop = self.line("*stopped")
        return time.monotonic() - started, stop


def text(seed):
    """A text with a few common words and many rare ones."""
    chosen = random.Random(seed)
    words = [f"w{int(chosen.paretovariate(0.6)) % 30000}" for _ in range(WORDS)]
    return "\n".join(" ".join(words[i:i + 11]) for i in range(0, WORDS, 11)) + "\n"


def percentile(values, part):
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


def measure(gdb, port, moves, chosen):
    """Seconds of each move, by the moves' names, and of the way back from the end to the beginning."""
    for command in ("set confirm off", "set pagination off", "set debuginfod enabled off"):
        gdb.ask(f"-interpreter-exec console \"{command}\"")
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
    return times, whole


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--moves", type=int, default=15, help="moves of each kind from each place")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="eremite-bench-") as temporary:
        folder = pathlib.Path(temporary)
        program = folder / "typical"
        subprocess.run(["gcc", "-g", "-O0", f"-DROUNDS={ROUNDS}", "-o", program, ROOT / "tests/bench/typical.c"], check=True)
        (folder / "text").write_text(text(options.seed))
        environment = dict(os.environ, EREMITE_DATA_DIR=str(folder / "recordings"))
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "timeout": LIMIT_S}
        started = time.monotonic()
        subprocess.run([program, folder / "text"], check=True, **quiet)
        native = time.monotonic() - started
        subprocess.run([EREMITE, "record", "-q", "--", program, folder / "text"], check=True, env=environment, **quiet)
        server = subprocess.Popen([EREMITE, "replay", "--gdbserver", "--gdbserver-port", "0"], env=environment,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            port = Lines(server.stdout, "the server").until(lambda line: re.search(r"127\.0\.0\.1:(\d+)", line))[1]
            with Gdb(program) as gdb:
                times, whole = measure(gdb, port, options.moves, random.Random(options.seed))
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
