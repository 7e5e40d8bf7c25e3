#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The time from starting a program to the first byte of its output: start_bench.py [RUNS] PROGRAM…

Each program is started with the argument "version", in turns. Prints the fastest, the tenth of a
hundred and the median in milliseconds, and the processor time of one start.
"""

import os
import resource
import statistics
import sys
import time


def start(program):
    """(seconds to the first byte, seconds of the processor)."""
    reading, writing = os.pipe()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    child = os.posix_spawn(program, [program, "version"], os.environ, file_actions=[
        (os.POSIX_SPAWN_DUP2, writing, 1), (os.POSIX_SPAWN_CLOSE, reading)])
    os.close(writing)
    os.read(reading, 1)
    took = time.perf_counter() - began
    os.close(reading)
    _, status, _ = os.wait4(child, 0)
    if status not in (0, 13):  # SIGPIPE: nobody reads the rest
        sys.exit(f"{program}: status {status}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return took, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    words = sys.argv[1:]
    runs = int(words.pop(0)) if words and words[0].isdigit() else 300
    if not words:
        sys.exit("usage: start_bench.py [RUNS] PROGRAM…")
    taken = {program: [] for program in words}
    for _ in range(runs):
        for program, times in taken.items():
            times.append(start(program))
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors, {runs} starts each")
    for program, times in taken.items():
        seconds = sorted(took for took, _ in times)
        shown = [seconds[0], seconds[len(seconds) // 10], statistics.median(seconds),
                 statistics.mean(processor for _, processor in times)]
        print(program, "  ".join(f"{1000 * value:.1f} ms" for value in shown))


if __name__ == "__main__":
    main()
