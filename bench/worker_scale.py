#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How the expansion of a plan gets faster with more workers on one ledger.

    bench/worker_scale.py SIBYL [--parts N] [--workers 1,8,32] [--call-ms MS] [--threads N]

A scripted model on loopback answers every request after a fixed time. For each number
of workers, a fresh ledger (Debian's PostgreSQL in a temporary folder, unless
SIBYL_LEDGER is set) gets the plan with a `sibyl expand` that writes nothing itself, and the
workers write all parts. Prints the time from the first request to the last answer, the share of linear
scaling, the best share that whole parts allow, and the processor time of a part.
`--threads` divides the workers among processes of that many parts at a time.
"""
import argparse
import glob
import json
import math
import os
import pwd
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PASSAGE = re.compile(r"\[(k[b-t]{8})\] [^\n]*\n(?: +\d+ \|[^\n]*\n)*")


def answer_to(question):
    """An honest answer: the sentence of the passage that the section is about."""
    system = question["messages"][0]["content"]
    text = question["messages"][1]["content"]
    if system.startswith("You plan one page"):
        return "Nothing of this is understood."
    for passage in PASSAGE.finditer(text):
        said = re.search(r"The buffer of (\w+) has (\d+) slots", passage.group(0))
        if said and f"buffer of {said.group(1)}" in text.split("[k")[0]:
            return f"=== 1\nThe buffer of {said.group(1)} has {said.group(2)} slots [{passage.group(1)}].\n"
    return "=== 1\nnone\n"


class Model(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = 1 << 16  # one packet for head and body
    disable_nagle_algorithm = True
    seconds = 0.5
    calls = 0
    last = 0.0  # when the last answer had been sent
    lock = threading.Lock()

    def do_POST(self):
        question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with Model.lock:
            Model.calls += 1
        time.sleep(Model.seconds)
        piece = {"choices": [{"delta": {"content": answer_to(question)}, "finish_reason": "stop"}],
                 "usage": {"prompt_tokens": 100, "completion_tokens": 10}}
        body = f"data: {json.dumps(piece)}\n\ndata: [DONE]\n\n".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()
        Model.last = time.monotonic()

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def handle_error(self, request, client_address):
        """A client that was stopped is no fault."""


class Postgres:
    """Debian's server in a temporary folder, as an unprivileged user."""

    def __init__(self, folder):
        bins = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
        if not bins:
            sys.exit("no PostgreSQL server is installed (package postgresql)")
        self.bin, self.folder = bins[-1], folder
        self.user = pwd.getpwnam("postgres") if os.geteuid() == 0 else None
        os.makedirs(folder)
        if self.user:
            os.chown(folder, self.user.pw_uid, self.user.pw_gid)
        self.run([self.bin + "/initdb", "-D", folder + "/data", "-A", "trust", "-U", "sibyl"]).wait()
        self.process = self.run([self.bin + "/postgres", "-D", folder + "/data", "-k", folder, "-c",
                                 "listen_addresses=", "-c", "max_connections=300"])
        while self.sql("SELECT 1") != 0:
            time.sleep(0.1)
        self.count = 0

    def run(self, command):
        ids = {"user": self.user.pw_uid, "group": self.user.pw_gid, "extra_groups": []} if self.user else {}
        return subprocess.Popen(command, cwd=self.folder, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL, **ids)

    def sql(self, text):
        return self.run([self.bin + "/psql", "-h", self.folder, "-U", "sibyl", "-d", "postgres", "-c", text]).wait()

    def fresh(self):
        self.count += 1
        self.sql(f"CREATE DATABASE run{self.count}")
        return f"postgresql://sibyl@/run{self.count}?host={self.folder}"

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait()


def write_oracle(folder, parts, url):
    notes = folder + "/notes"
    os.makedirs(notes)
    plan = ["# Knowledge expansion: Widgets", "", "**Topic**: How widgets are built", ""]
    for i in range(1, parts + 1):
        name = f"Widget{i:03}"
        with open(f"{notes}/{name.lower()}.md", "w") as file:
            file.write(f"# {name}\n\nThe buffer of {name} has {i + 8} slots. It is filled in turns.\n")
        plan += [f"## PART {i}: How {name} is built", "",
                 f"- [ ] PART {i}: Create widgets/{i:03}-{name.lower()}.md (~40 lines)", "",
                 "**Step 3: Write**", f"- [ ] Section 1: The buffer of {name} (~20 lines)",
                 f"      - Slots of the buffer of {name}", ""]
    oracle = folder + "/oracle"
    return notes, oracle, "\n".join(plan)


class Bench:
    def __init__(self, args, folder):
        self.args, self.folder = args, folder
        self.env = {**os.environ, "XDG_CACHE_HOME": folder + "/cache", "XDG_STATE_HOME": folder + "/state",
                    "XDG_CONFIG_HOME": folder + "/config", "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org",
                    "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.org"}
        self.env.pop("SIBYL_OFFLINE", None)

    def sibyl(self, *words, **more):
        return subprocess.run([self.args.sibyl, *words], env={**self.env, **more}, check=True,
                              stdout=subprocess.PIPE, text=True).stdout

    def prepare(self, url):
        notes, self.oracle, plan = write_oracle(self.folder, self.args.parts, url)
        self.sibyl("init", "-q", self.oracle)
        with open(self.oracle + "/sibyl.toml", "a") as file:
            file.write(f'\n[model]\nurl = "{url}"\nname = "scripted"\nat_once = 256\n')
        with open(self.oracle + "/plan.md", "w") as file:
            file.write(plan)
        subprocess.run(["git", "-C", self.oracle, "add", "."], env=self.env, check=True)
        subprocess.run(["git", "-C", self.oracle, "commit", "-qm", "plan"], env=self.env, check=True)
        self.sibyl("-C", self.oracle, "source", "add", "-q", notes)
        self.sibyl("-C", self.oracle, "trust", "--yes")
        self.sibyl("-C", self.oracle, "search", "buffer of Widget001")  # builds the index

    def measure(self, workers, ledger):
        shutil.rmtree(self.folder + "/cache/sibyl/models", ignore_errors=True)
        env = {**self.env, "SIBYL_LEDGER": ledger}
        # Begins the run and waits; it writes at most one part itself before it is stopped.
        begin = subprocess.Popen([self.args.sibyl, "-C", self.oracle, "expand", "plan.md", "--writer", "llm",
                                  "--jobs", "1"], env=env, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL)
        while not self.parts(env):
            time.sleep(0.2)
        begin.send_signal(signal.SIGINT)
        begin.wait()
        left = sum(state == "waiting" for state in self.parts(env))
        calls = Model.calls
        before = os.times()
        processes = []
        for first in range(0, workers, self.args.threads):
            jobs = min(self.args.threads, workers - first)
            processes.append(subprocess.Popen(
                [self.args.sibyl, "-C", self.oracle, "worker", "--until-idle", "--jobs", str(jobs)],
                env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        began = None
        while any(process.poll() is None for process in processes):
            if began is None and Model.calls > calls:
                began = time.monotonic()
            time.sleep(0.01)
        took = Model.last - began
        after = os.times()
        states = self.parts(env)
        failed = sum(state != "done" for state in states)
        processor = after.children_user + after.children_system - before.children_user - before.children_system
        return left, took, processor / left, (Model.calls - calls) / left, failed

    def parts(self, env):
        out = subprocess.run([self.args.sibyl, "-C", self.oracle, "status", "--json"], env=env,
                             stdout=subprocess.PIPE, text=True).stdout
        runs = json.loads(out).get("data", json.loads(out)).get("runs", [])
        return [job["state"] for run in runs[:1] for job in run["jobs"] if not job["publishes"]]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("sibyl")
    parser.add_argument("--parts", type=int, default=200)
    parser.add_argument("--workers", default="4,8,16,32")
    parser.add_argument("--call-ms", type=int, default=500)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    args.sibyl = os.path.abspath(args.sibyl)
    Model.seconds = args.call_ms / 1000
    server = Server(("127.0.0.1", 0), Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        ledger = os.environ.get("SIBYL_LEDGER")
        postgres = None if ledger else Postgres(folder + "/postgres")
        try:
            bench = Bench(args, folder)
            bench.prepare(f"http://127.0.0.1:{server.server_port}/v1")
            print(f"load of the machine before: {os.getloadavg()[0]:.1f}")
            for workers in map(int, args.workers.split(",")):
                parts, took, processor, calls, failed = bench.measure(workers, ledger or postgres.fresh())
                one = parts * calls * args.call_ms / 1000
                best = parts / workers / math.ceil(parts / workers)
                print(f"{workers:3} workers: {parts} parts in {took:.1f} s, {one / took / workers:.2f} of linear "
                      f"(whole parts allow {best:.2f}); {calls:.2f} calls and {processor * 1000:.0f} ms of "
                      f"processor time a part; {failed} not written", flush=True)
        finally:
            if postgres:
                postgres.stop()


if __name__ == "__main__":
    main()
