#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Many readers of one `sibyl serve`: how long they wait, and whether memory stays flat.

    bench/web_load.py SIBYL ORACLE [--readers N] [--seconds S] [--think S]

Starts the server on loopback and collects up to 400 pages, from the first page on. Every
reader then opens one page after the other, pauses in between as if reading, and searches
in one of five cases. Each kind of page (text, receipt, source file, ...) is equally likely.
Readers behave like browsers: one connection that stays open, and compressed answers.
Prints the time to the first and to the last byte by kind of page, the load of the machine,
and the resident memory of the server over time. Exits with 1 if an answer was not 200.
"""
import argparse
import asyncio
import html
import json
import os
import random
import re
import subprocess
import sys
import time
import urllib.parse

MOST_PAGES = 400
MOST_BYTES = 64 << 20
WORDS = ["architecture", "compiler", "toolkit", "default", "version", "library", "flags"]


class Connection:
    """One keep-alive connection, opened again when the server closes it."""

    def __init__(self, port):
        self.port = port
        self.reader = self.writer = None

    async def get(self, path, headers=""):
        """Status, seconds to the first byte and to the last, kind and body."""
        for attempt in range(2):
            reused = self.writer is not None
            if not reused:
                self.reader, self.writer = await asyncio.open_connection(
                    "127.0.0.1", self.port, limit=1 << 20)
            began = time.perf_counter()
            self.writer.write((f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
                               f"Accept: text/html\r\nAccept-Encoding: gzip\r\n{headers}\r\n").encode())
            try:
                head = await self.reader.readuntil(b"\r\n\r\n")
            except (asyncio.IncompleteReadError, ConnectionError):
                self.close()
                if reused and attempt == 0:
                    continue  # it was closed between two requests
                raise
            first = time.perf_counter() - began
            lines = head.decode("latin-1").split("\r\n")
            headers = {}
            for line in lines[1:]:
                name, _, value = line.partition(":")
                headers[name.strip().lower()] = value.strip()
            length = int(headers.get("content-length", "0"))
            if length > MOST_BYTES:
                raise ValueError(f"{path}: {length} bytes")
            body = await self.reader.readexactly(length)
            last = time.perf_counter() - began
            if headers.get("connection", "").lower() == "close":
                self.close()
            return int(lines[0].split(" ")[1]), first, last, headers, body
        raise AssertionError("unreachable")

    def close(self):
        if self.writer is not None:
            self.writer.close()
        self.reader = self.writer = None


def kind_of(path):
    """The first name of a path: "page" of "/page/cuda/01.md"."""
    return path.split("?")[0].split("/")[1] or "home"


def decoded(headers, body):
    if headers.get("content-encoding") == "gzip":
        import gzip
        return gzip.decompress(body)
    return body


async def collect(port):
    """The pages of the server, from the home page on; forms and other hosts are not followed."""
    connection = Connection(port)
    paths, waiting = [], ["/"]
    seen = set(waiting)
    while waiting and len(paths) < MOST_PAGES:
        path = waiting.pop(0)
        status, _, _, headers, body = await connection.get(path)
        if status != 200:
            print(f"web_load: {path}: {status}", file=sys.stderr)
            continue
        paths.append(path)
        if "html" not in headers.get("content-type", ""):
            continue
        for found in re.findall(rb'(?:href|src)="([^"]+)"', decoded(headers, body)):
            link = html.unescape(found.decode("utf-8", "replace")).split("#")[0]
            link = urllib.parse.urljoin(path, link)
            if not link.startswith("/") or link.startswith("//") or link in seen:
                continue
            if re.search(r"events|stream|^/mcp|^/metrics|^/api", link):
                continue  # never ends, or is not for readers
            seen.add(link)
            waiting.append(link)
    connection.close()
    return paths


async def cold(port):
    """The first requests of a browser, while nothing is checked yet."""
    connection = Connection(port)
    navigates = "Sec-Fetch-Mode: navigate\r\nSec-Fetch-Site: none\r\n"
    status, first, _, headers, body = await connection.get("/", navigates)
    print(f"first byte of the first page after the start: {first * 1000:.1f} ms ({status})")
    links = re.findall(rb'href="(/page/[^"#]+)"', decoded(headers, body))
    times = []
    for link in links[:10]:
        _, first, _, _, _ = await connection.get(html.unescape(link.decode()), navigates)
        times.append(first)
    if times:
        print(f"first byte of {len(times)} pages right after it: median {percentile(times, .5):.1f} ms, "
              f"slowest {max(times) * 1000:.1f} ms")
    connection.close()


def resident_kb(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        for line in status:
            if line.startswith("VmRSS:"):
                return int(line.split()[1])
    return 0


async def read(number, port, paths, options, times, wrong):
    """One reader, until the time is over."""
    chance = random.Random(number)
    connection = Connection(port)
    kinds = sorted(paths)
    end = time.perf_counter() + options.seconds
    await asyncio.sleep(chance.random() * options.think)
    while time.perf_counter() < end:
        path = chance.choice(paths[chance.choice(kinds)])
        if options.search and chance.random() < 0.2:
            path = options.search + urllib.parse.quote(chance.choice(WORDS))
        try:
            status, first, last, _, _ = await connection.get(path)
        except (OSError, asyncio.IncompleteReadError) as error:
            wrong.append(f"{path}: {error}")
            connection.close()
            continue
        if status != 200:
            wrong.append(f"{path}: {status}")
        times.setdefault(kind_of(path), []).append((first, last))
        if options.think:
            await asyncio.sleep(chance.uniform(0.5, 1.5) * options.think)
    connection.close()


async def watch(pid, options, memory):
    """Resident memory, ten times."""
    for _ in range(10):
        await asyncio.sleep(options.seconds / 10)
        memory.append(resident_kb(pid))


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))] * 1000


def report(times, options):
    rows = [(kind, values) for kind, values in sorted(times.items())]
    rows.append(("all", [value for _, values in rows for value in values]))
    print(f"{'kind':<14}{'answers':>9}{'first p50':>11}{'first p99':>11}{'p50':>9}{'p99':>9}{'slowest':>9}  ms")
    for kind, values in rows:
        first = [value[0] for value in values]
        last = [value[1] for value in values]
        print(f"{kind:<14}{len(values):>9}{percentile(first, .5):>11.2f}{percentile(first, .99):>11.2f}"
              f"{percentile(last, .5):>9.2f}{percentile(last, .99):>9.2f}{max(last) * 1000:>9.2f}")
    print(f"{len(rows[-1][1]) / options.seconds:.0f} answers per second; load average of the machine: "
          f"{', '.join(f'{load:.1f}' for load in os.getloadavg())} (1, 5 and 15 minutes)")


async def load(server, port, options):
    await cold(port)
    began = time.perf_counter()
    paths = await collect(port)
    print(f"{len(paths)} pages collected in {time.perf_counter() - began:.1f} s")
    if not paths:
        return 1
    times, wrong = {}, []
    by_kind = {}
    for path in paths:
        by_kind.setdefault(kind_of(path), []).append(path)
    paths = by_kind
    # The first five seconds fill the caches and are not counted.
    warm = argparse.Namespace(**{**vars(options), "seconds": min(5, options.seconds)})
    await asyncio.gather(*(read(-1 - n, port, paths, warm, {}, []) for n in range(options.readers)))
    memory = [resident_kb(server.pid)]
    await asyncio.gather(watch(server.pid, options, memory),
                         *(read(n, port, paths, options, times, wrong) for n in range(options.readers)))
    report(times, options)
    print(f"resident memory: {memory[0] / 1024:.1f} MiB at the start, {memory[-1] / 1024:.1f} MiB at the end"
          f" (every tenth of the time: {', '.join(f'{kb / 1024:.0f}' for kb in memory)})")
    if wrong:
        print(f"{len(wrong)} answers were not 200, the first: {wrong[0]}")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as out:
            json.dump({"times": times, "memory_kb": memory, "wrong": wrong}, out)
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("sibyl")
    parser.add_argument("oracle")
    parser.add_argument("--readers", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--think", type=float, default=1.0,
                        help="mean seconds between two pages of one reader; 0: none")
    parser.add_argument("--search", default="/search?q=", help="searches go here; empty: none")
    parser.add_argument("--json", help="also write every time to this file")
    options = parser.parse_args()
    if not 1 <= options.readers <= 2000 or not 1 <= options.seconds <= 600:
        parser.error("1 to 2000 readers, 1 to 600 seconds")
    # pylint: disable=consider-using-with
    server = subprocess.Popen([options.sibyl, "-C", options.oracle, "serve", "--port", "0",
                               "--connections", str(4 * options.readers)],
                              stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True,
                              env={**os.environ, "SIBYL_TOKEN": "a-token-for-the-load-test"})
    try:
        found = re.search(r":(\d+)/", server.stderr.readline())
        if not found:
            print("web_load: the server did not start", file=sys.stderr)
            return 2
        return asyncio.run(load(server, int(found.group(1)), options))
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    sys.exit(main())
