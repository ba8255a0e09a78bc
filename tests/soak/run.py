#!/usr/bin/env python3
"""Records and replays forty programs in turn, again and again, half of the time beside a busy processor.

It fails, and keeps the recording, when a replay differs in output or status; and it fails when a process is left behind,
when the engine's memory (the peak of its own resident set) grows from the first tenth of the runs to the last, or when
the machine's free memory shrinks.

usage: run.py [--count N] [--seed N] [--only WORD]
"""

import argparse
import contextlib
import os
import pathlib
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EREMITE = os.environ.get("EREMITE_LAUNCHER", str(ROOT / "eremite"))
LIMIT_S = 120
LEFT_LIMIT_S = 3
GROWTH_KB = 16_000
SHRUNK_KB = 2_000_000

PYTHON = "/usr/bin/python3"
# Bash lines, in a folder of their own. What they print may differ from run to run: a replay must print the same.
PROGRAMS = [
    "exec /bin/true",
    "exec date +%s.%N",
    "exec ls -la /usr/bin",
    "exec sort -R /etc/services",
    "exec shuf -n 20 /etc/services",
    "exec mktemp -u",
    "cat /etc/services | tr a-z A-Z | sort | uniq -c | sort -rn | head -20",
    "exec awk 'BEGIN { srand(); for (i = 0; i < 100; i++) print rand() }'",
    "exec find /usr/share/doc -maxdepth 2 -newermt 2000-01-01 -name 'c*'",
    "exec grep -rc root /etc/pam.d",
    "tar cf a.tar /etc/pam.d 2>/dev/null; tar tvf a.tar | wc -l",
    "head -c 3000000 /dev/urandom > r; gzip -k r; gunzip -c r.gz | sha256sum",
    "exec dd if=/dev/urandom bs=4096 count=200 status=none | md5sum",
    "exec xargs -P 4 -n 1 echo < /etc/hosts",
    "for i in 1 2 3 4 5; do (sleep 0.0$i; echo $i $RANDOM) & done; wait",
    "trap 'echo usr1' USR1; for i in 1 2 3; do kill -USR1 $$; done; echo $SECONDS $RANDOM",
    "mkfifo f; cat f & for i in 1 2 3; do echo $RANDOM; done > f; wait",
    "exec timeout 0.2 sleep 10",
    "exec bash -c 'kill -SEGV $$'",
    "exec bash -c 'ulimit -a; echo $$ $PPID; cat /proc/self/stat'",
    "sqlite3 d.db 'create table t(a, b); insert into t select random(), value from generate_series(1, 200);"
    " select sum(a), count(*) from t;' || sqlite3 d.db 'select random()'",
    "exec perl -e 'print join(\" \", map { int rand 100 } 1..50), \" \", time, \"\\n\"'",
    "exec perl -e '$SIG{ALRM} = sub { print \"alarm\\n\"; exit 3 }; alarm 1; 1 while 1'",
    f"exec {PYTHON} -c 'import os, random, time; print(random.random(), time.time(), os.urandom(8), hash(\"a\"))'",
    f"exec {PYTHON} -c 'import threading\nl = []\nt = [threading.Thread(target=lambda i=i: l.append(i)) for i in range(8)]\n"
    "[x.start() for x in t]\n[x.join() for x in t]\nprint(l)'",
    f"exec {PYTHON} -c 'import subprocess; print(subprocess.run([\"uname\", \"-a\"], capture_output=True).stdout)'",
    f"exec {PYTHON} -c 'import socket\na, b = socket.socketpair()\na.send(b\"x\" * 1000)\nprint(len(b.recv(2000)))'",
    f"exec {PYTHON} -c 'import signal, time\nn = 0\ndef f(*a):\n  global n\n  n += 1\nsignal.signal(signal.SIGALRM, f)\n"
    "signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)\ne = time.time() + 0.2\nk = 0\nwhile time.time() < e: k += 1\nprint(n, k)'",
    f"exec {PYTHON} -c 'import asyncio, random\nasync def f(i):\n  await asyncio.sleep(random.random() / 50)\n  print(i)\n"
    "async def m(): await asyncio.gather(*[f(i) for i in range(10)])\nasyncio.run(m())'",
    f"exec {PYTHON} -c 'import multiprocessing as m\nprint(m.Pool(3).map(abs, range(-5, 5)))'",
    "echo 'int main(void) { return 42; }' > a.c; gcc -O1 -o a a.c; ./a; echo $?",
    "printf 'all: a b\\na b:\\n\\t@echo $@; sleep 0.01\\n' > Makefile; make -j3",
    "exec openssl rand -hex 32 2>/dev/null || exec uuidgen",
    "exec strings -n 8 /bin/ls | tail -50",
    "exec env -i PATH=\"$PATH\" sh -c 'echo $$; times; set'",
    "exec ps -e -o pid,comm",
    "exec uptime -p",
    "exec stat /proc/self",
    "exec od -A x -t x1 -N 256 /dev/urandom",
    "exec seq 1 30000 | sort -R | md5sum",
]


def peak_kb(pid):
    """The highest resident set of a process that is still there (proc_pid_status(5), VmHWM); 0 when it has ended."""
    try:
        for line in pathlib.Path(f"/proc/{pid}/status").read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1])
    except OSError:
        pass
    return 0


def run(words, folder, environment, output):
    """Runs a command; its status and the highest memory of this process alone, in KB.

    What wait4(2) tells would not do: the guests that the engine has waited for are counted there, too.
    """
    process = subprocess.Popen(words, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                               stdout=output[0], stderr=output[1])
    deadline = time.monotonic() + LIMIT_S
    peak = 0
    try:
        while process.poll() is None:
            # The launcher becomes the engine, with a memory of its own that begins small: the last answer is the engine's.
            peak = peak_kb(process.pid) or peak
            if time.monotonic() > deadline:
                raise TimeoutError(f"longer than {LIMIT_S} s")
            time.sleep(0.005)
    finally:
        if process.returncode is None:
            process.kill()
            process.wait()
    return process.returncode, peak


def leftovers(data):
    """The processes, engines and guests, that have this data folder in their environment and do not end within a while."""
    deadline = time.monotonic() + LEFT_LIMIT_S
    while True:
        found = with_data_folder(data)
        if not found or time.monotonic() > deadline:
            return found
        time.sleep(0.05)


def with_data_folder(data):
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if f"EREMITE_DATA_DIR={data}\0".encode() in (process / "environ").read_bytes():
                found.append(f"{process.name} {(process / 'cmdline').read_bytes()!r}")
        except OSError:
            pass
    return found


def available_kb():
    for line in pathlib.Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
        if line.startswith("MemAvailable"):
            return int(line.split()[1])
    return 0


def one(program, folder, data):
    """Records and replays; the engine's memory in KB, or an exception that tells the difference."""
    environment = dict(os.environ, EREMITE_DATA_DIR=str(data))
    work = folder / "work"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    results = []
    memory = 0
    for words in ([EREMITE, "record", "-q", "--", "bash", "-c", program], [EREMITE, "replay", "--autopilot", "-q"]):
        with open(folder / "out", "wb") as out, open(folder / "err", "wb") as err:
            status, used = run(words, work, environment, (out, err))
        memory = max(memory, used)
        results.append((status, (folder / "out").read_bytes(), (folder / "err").read_bytes()))
    if results[0] != results[1]:
        raise AssertionError(f"recorded {results[0]!r:.600}\nreplayed {results[1]!r:.600}")
    return memory


class Rival:
    """Something on one processor that never waits. It ends with this script, even when that is killed."""

    def __init__(self, processor):
        self.process = subprocess.Popen(["setpriv", "--pdeathsig", "KILL", "taskset", "-c", str(processor),
                                         "sh", "-c", "while :; do :; done"], start_new_session=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def soak(count, programs, folder, chosen):
    """Failures, the engine's memory in each run that did not fail, and by how many KB the free memory has shrunk."""
    failures = 0
    memories = []
    before = available_kb()
    started = time.monotonic()
    for first in range(0, count, len(programs)):
        print(f"soak: {first} of {count}, {failures} failures, {time.monotonic() - started:.0f} s", flush=True)
        # Half of the runs, in stretches of one round: beside something that never waits.
        busy = first // len(programs) % 2
        with Rival(chosen.randrange(os.cpu_count())) if busy else contextlib.nullcontext():
            for number in range(first, min(count, first + len(programs))):
                program = programs[number - first]
                data = folder / f"data-{number}"
                try:
                    memories.append(checked(program, folder, data))
                    shutil.rmtree(data, ignore_errors=True)
                except (AssertionError, TimeoutError) as failure:
                    failures += 1
                    print(f"soak: run {number}: {program}\n{failure}\n"
                          f"Again: EREMITE_DATA_DIR={data} {EREMITE} replay --autopilot", file=sys.stderr, flush=True)
    return failures, memories, before - available_kb()


def checked(program, folder, data):
    """Records and replays, and looks for processes that were left behind, however that went; the engine's memory in KB."""
    try:
        memory = one(program, folder, data)
    except (AssertionError, TimeoutError) as failure:
        left = leftovers(data)
        if left:
            raise AssertionError(f"{failure}\nleft behind: " + "; ".join(left)) from failure
        raise
    left = leftovers(data)
    if left:
        raise AssertionError("left behind: " + "; ".join(left))
    return memory


def grown(memories, programs, shrunk):
    """Whether memory has leaked; prints how much there was."""
    line = f"soak: free memory {-shrunk / 1024:+.0f} MB"
    leak = shrunk > SHRUNK_KB
    if memories:
        tenth = max(len(programs), len(memories) // 10)
        first, last = (statistics.median(part) for part in (memories[:tenth], memories[-tenth:]))
        line += (f"; engine's memory {first / 1024:.0f} MB at first, {last / 1024:.0f} MB at last,"
                 f" at most {max(memories) / 1024:.0f} MB")
        leak = leak or last - first > GROWTH_KB
    print(line)
    return leak


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=80, help="how many recordings, each with a replay")
    parser.add_argument("--seed", type=int, default=1, help="of the choice of the busy processor")
    parser.add_argument("--only", help="only programs with this text")
    options = parser.parse_args()
    programs = [program for program in PROGRAMS if not options.only or options.only in program]
    if not programs:
        parser.error(f"no program has the text {options.only!r}")
    if options.count < 1:
        parser.error("--count must be 1 or more")
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda received, _: sys.exit(128 + received))
    subprocess.run([EREMITE, "--version"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="eremite-soak-"))
    passed = False
    try:
        failures, memories, shrunk = soak(options.count, programs, folder, random.Random(options.seed))
        print(f"soak: {options.count} recordings and replays of {len(programs)} programs, {failures} failures")
        passed = not grown(memories, programs, shrunk) and failures == 0
    finally:
        if not passed:
            print(f"soak: failed; the recordings are in {folder}", file=sys.stderr)
    if passed:
        shutil.rmtree(folder)
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
