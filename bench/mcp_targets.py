#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a server of agents is held to: python3 bench/mcp_targets.py build/release/sibyl

  start-up of `sibyl mcp` to its first answer            < 20 ms
  the gate's answer to a drafted section of 100 lines    < 50 ms
  tool calls on loopback                                 > 1,000 a second
  memory over 100,000 calls                              flat
"""
import http.client
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

PLAN = "_ingest-auto/expansion-gadget/ingestion.md"
PLAN_TEXT = """# Knowledge expansion: Gadget

**Topic**: How Gadget is built

## PART 1: How Gadget works

- [ ] PART 1: Create gadget/01-work.md

**Step 3: Write**
- [ ] Section 1: Work
      - How it works
"""


class Oracle:
    def __init__(self, program, root):
        self.program = os.path.abspath(program)
        self.folder = os.path.join(root, "oracle")
        self.environment = dict(os.environ, XDG_CACHE_HOME=os.path.join(root, "cache"))
        notes = os.path.join(root, "notes")
        os.makedirs(notes)
        for number in range(50):
            with open(os.path.join(notes, f"note{number}.md"), "w", encoding="utf-8") as file:
                file.write(f"# Note {number}\n\n")
                for line in range(100):
                    file.write(f"The `gadget_{number}_{line}` of the worker takes {line + 2} ms to begin.\n")
        self.run("init", self.folder)
        self.run("-C", self.folder, "source", "add", notes)
        os.makedirs(os.path.join(self.folder, os.path.dirname(PLAN)))
        with open(os.path.join(self.folder, PLAN), "w", encoding="utf-8") as file:
            file.write(PLAN_TEXT)
        self.run("-C", self.folder, "search", "gadget")

    def run(self, *words):
        subprocess.run([self.program, *words], env=self.environment, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def start(self, *words):
        return subprocess.Popen([self.program, "-C", self.folder, *words], env=self.environment,
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


class Stdio:
    def __init__(self, oracle):
        self.process = oracle.start("mcp")
        self.next_id = 0
        self.ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}})

    def ask(self, method, params):
        self.next_id += 1
        message = {"jsonrpc": "2.0", "id": self.next_id, "method": method, "params": params}
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())["result"]

    def call(self, tool, **arguments):
        result = self.ask("tools/call", {"name": tool, "arguments": arguments})
        if result["isError"]:
            sys.exit(f"{tool}: {result['content'][0]['text']}")
        return result["structuredContent"]

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def resident(pid):
    with open(f"/proc/{pid}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE") / 2**20


def start_up(oracle):
    times = []
    for _ in range(20):
        began = time.perf_counter()
        client = Stdio(oracle)
        times.append((time.perf_counter() - began) * 1000)
        client.end()
    return statistics.median(times)


def gate(oracle):
    client = Stdio(oracle)
    lease = client.call("claim_part", plan=PLAN)["lease"]
    citation = client.call("read_source", target="note7.md")["citation"]
    lines = [f"The `gadget_7_{line}` takes {line + 2} ms.[^a]\n" for line in range(49)]
    text = "\n".join(lines) + f"\n[^a]: {citation}\n"
    times = []
    for _ in range(30):
        began = time.perf_counter()
        answer = client.call("draft_section", lease=lease, section=1, text=text)
        times.append((time.perf_counter() - began) * 1000)
        if not answer["accepted"]:
            sys.exit(json.dumps(answer["findings"][:2], indent=2))
    client.call("release_part", lease=lease)
    client.end()
    return statistics.median(times), text.count("\n")


def stdio_rate(oracle, calls):
    client = Stdio(oracle)
    began = time.perf_counter()
    for _ in range(calls):
        client.call("source_list")
    rate = calls / (time.perf_counter() - began)
    client.end()
    return rate


def http_rate(oracle, calls, long_calls):
    server = oracle.start("serve", "--port", "0")
    port = int(re.search(rb":(\d+)/", server.stderr.readline()).group(1))
    connection = http.client.HTTPConnection("127.0.0.1", port)
    meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                       "params": {"name": "source_list", "arguments": {}, "_meta": meta}})
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
               "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "source_list"}

    def some(count):
        for _ in range(count):
            connection.request("POST", "/mcp", body, headers)
            answer = connection.getresponse()
            if answer.status != 200:
                sys.exit(answer.read())
            answer.read()

    some(1000)
    began = time.perf_counter()
    some(calls)
    rate = calls / (time.perf_counter() - began)
    before = resident(server.pid)
    some(long_calls)
    after = resident(server.pid)
    connection.close()
    server.terminate()
    server.wait()
    return rate, before, after


def main():
    long_calls = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
    with tempfile.TemporaryDirectory() as root:
        oracle = Oracle(sys.argv[1], root)
        print(f"start-up to the first answer    {start_up(oracle):.1f} ms (target 20)")
        took, lines = gate(oracle)
        print(f"gate on a section of {lines} lines  {took:.1f} ms (target 50)")
        print(f"tool calls on standard input    {stdio_rate(oracle, 3000):,.0f} a second")
        rate, before, after = http_rate(oracle, 3000, long_calls)
        print(f"tool calls over HTTP            {rate:,.0f} a second (target 1,000)")
        print(f"memory over {long_calls:,} calls     {before:.1f} MiB, then {after:.1f} MiB")


if __name__ == "__main__":
    main()
