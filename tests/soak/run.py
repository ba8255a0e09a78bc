#!/usr/bin/env python3
"""Records and replays forty programs in turn, again and again, half of the time beside a busy processor.

It fails, and keeps the recording, when a replay differs in output or status; and it fails when a process is left behind,
when the engine's memory grows from the first tenth of the runs to the last, or when the machine's free memory shrinks.

usage: run.py [--count N] [--seed N] [--only WORD]
"""

import argparse
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EREMITE = os.environ.get("EREMITE_LAUNCHER", str(ROOT / "eremite"))
LIMIT_S = 120
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


def run(words, folder, environment, output):
    """Runs a command; its status and its highest memory in KB."""
    process = subprocess.Popen(words, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                               stdout=output[0], stderr=output[1])
    deadline = time.monotonic() + LIMIT_S
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            return process.returncode, usage.ru_maxrss
        if time.monotonic() > deadline:
            process.kill()
            os.wait4(process.pid, 0)
            process.returncode = -9
            raise TimeoutError(f"longer than {LIMIT_S} s")
        time.sleep(0.005)


def leftovers(data):
    """The processes that have this data folder in their environment: engines and guests."""
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


def soak(count, programs, folder, chosen):
    failures = 0
    memories = []
    rival = None
    before = available_kb()
    started = time.monotonic()
    for number in range(count):
        # Half of the runs, in stretches of one round: beside something that never waits.
        if number % len(programs) == 0:
            if rival:
                rival.kill()
                rival.wait()
            rival = None
            if number // len(programs) % 2:
                rival = subprocess.Popen(["timeout", "1000", "taskset", "-c", str(chosen.randrange(os.cpu_count())),
                                          "sh", "-c", "while :; do :; done"])
            print(f"soak: {number} of {count}, {failures} failures, {time.monotonic() - started:.0f} s", flush=True)
        program = programs[number % len(programs)]
        data = folder / f"data-{number}"
        try:
            memories.append(one(program, folder, data))
            left = leftovers(data)
            if left:
                raise AssertionError("left behind: " + "; ".join(left))
            shutil.rmtree(data, ignore_errors=True)
        except (AssertionError, TimeoutError) as failure:
            failures += 1
            print(f"soak: run {number}: {program}\n{failure}\nAgain: EREMITE_DATA_DIR={data} {EREMITE} replay --autopilot",
                  file=sys.stderr, flush=True)
    if rival:
        rival.kill()
        rival.wait()
    return failures, memories, before - available_kb()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=80, help="how many recordings, each with a replay")
    parser.add_argument("--seed", type=int, default=1, help="of the choice of the busy processor")
    parser.add_argument("--only", help="only programs with this text")
    options = parser.parse_args()
    programs = [program for program in PROGRAMS if not options.only or options.only in program]
    subprocess.run([EREMITE, "--version"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="eremite-soak-"))
    failures, memories, shrunk = soak(options.count, programs, folder, random.Random(options.seed))
    tenth = max(len(programs), len(memories) // 10)
    first, last = (statistics.median(part) for part in (memories[:tenth], memories[-tenth:]))
    print(f"soak: {options.count} recordings and replays of {len(programs)} programs, {failures} failures;"
          f" engine's memory {first / 1024:.0f} MB at first, {last / 1024:.0f} MB at last, at most {max(memories) / 1024:.0f} MB;"
          f" free memory {-shrunk / 1024:+.0f} MB")
    grown = last - first > GROWTH_KB or shrunk > SHRUNK_KB
    if failures == 0 and not grown:
        shutil.rmtree(folder)
        return 0
    print(f"soak: failed; the recordings are in {folder}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
