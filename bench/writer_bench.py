#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How well `expand --writer llm` does with a model on a server: for each plan the points
that were answered, the statements that were refused and why, the falsehoods that were
planted in the passages of its prompts and got through, requests, tokens, time and money.

    bench/writer_bench.py --oracle DIR --url http://127.0.0.1:8080/v1 --model NAME PLAN…
    bench/writer_bench.py … --api anthropic --part 2 --plant 3 --price 3 15

DIR is an oracle with pinned sources; it is copied, and nothing is written into it. The
answers of the server are remembered between runs in the cache of sibyl. The key is taken
from SIBYL_MODEL_KEY and sent to the server only.

With --plant N the requests pass through this program, which changes up to N lines of the
passages of every section before the model sees them: a number, a name, a denial. A model
that believes what it is shown writes them down, and cites lines that say something else:
what is then on the page got through. A server that relays to a person or an agent is
bench/model_relay.py.
"""
import argparse
import collections
import http.client
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

STAGES = {
    "You prepare the search": "search",
    "You choose what": "reading",
    "You write one section": "writing",
    "You are shown numbered": "judging",
}


def stage_of(body):
    system = body.get("system") or next(
        (one["content"] for one in body["messages"] if one["role"] == "system"), "")
    for start, stage in STAGES.items():
        if system.startswith(start):
            text = body["messages"][-1]["content"]
            return "repair" if stage == "writing" and "A check did not confirm" in text else stage
    return "other"


class Planter:
    """Changes lines of passages, the same lines in the same way in every request."""

    def __init__(self, most):
        self.most = most
        self.planted = []  # {"kind", "place", "line", "was", "is"}

    def change(self, text):
        planted = 0
        place = ""
        lines = text.split("\n")
        for at, line in enumerate(lines):
            head = re.match(r"\[k[b-t]{8}\] (\S+ \S+):\d", line)
            if head:
                place = head.group(1)
            numbered = re.match(r"( *(\d+) \| )(.*)", line)
            if not numbered or not place:
                continue
            known = self.known(place, numbered.group(2))
            if known is None and planted < self.most and int(numbered.group(2)) % 7 == 3:
                known = self.plant(place, numbered.group(2), numbered.group(3))
                planted += known is not None
            if known is not None:
                lines[at] = numbered.group(1) + re.sub(
                    rf"\b{re.escape(known['was'])}", lambda _: known["is"], numbered.group(3), 1)
        return "\n".join(lines)

    def known(self, place, line):
        for one in self.planted:
            if one["place"] == place and one["line"] == line:
                return one
        return None

    def plant(self, place, line, text):
        kinds = ["number", "name", "denial"]
        for turn in range(3):
            kind = kinds[(len(self.planted) + turn) % 3]
            one = self.falsehood(kind, text)
            if one:
                one.update({"kind": kind, "place": place, "line": line})
                self.planted.append(one)
                return one
        return None

    @staticmethod
    def falsehood(kind, text):
        if kind == "number":
            found = re.search(r"(?<![\w.])(\d{2,4})(?![\w.])", text)
            return found and {"was": found.group(1), "is": str(int(found.group(1)) * 3 + 11)}
        if kind == "name":
            found = re.search(r"\b([a-z]+_[a-z_]+)\b", text)
            return found and {"was": found.group(1), "is": found.group(1) + "_ng"}
        found = re.search(r"\b(is|are|must|will|can) (?!not)", text)
        return found and {"was": found.group(0), "is": found.group(1) + " not "}


class Proxy:
    """Counts requests by stage, and plants falsehoods in those that show passages."""

    def __init__(self, url, planter):
        self.target = urllib.parse.urlsplit(url)
        self.planter = planter
        self.requests = collections.Counter()
        self.lock = threading.Lock()
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):  # noqa: N802, the name is that of the library
                proxy.forward(self)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def url(self):
        return f"http://127.0.0.1:{self.server.server_port}{self.target.path}"

    def forward(self, handler):
        body = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
        stage = stage_of(body)
        with self.lock:
            self.requests[stage] += 1
            if stage in ("writing", "repair") and self.planter.most > 0:
                last = body["messages"][-1]
                last["content"] = self.planter.change(last["content"])
        kind = (http.client.HTTPSConnection if self.target.scheme == "https"
                else http.client.HTTPConnection)
        server = kind(self.target.hostname, self.target.port, timeout=3600)
        headers = {name: value for name, value in handler.headers.items()
                   if name.lower() not in ("host", "content-length", "accept-encoding")}
        server.request("POST", handler.path, json.dumps(body).encode(), headers)
        answer = server.getresponse()
        data = answer.read()
        handler.send_response(answer.status)
        for name in ("Content-Type", "Retry-After"):
            if answer.getheader(name):
                handler.send_header(name, answer.getheader(name))
        handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data)


def configure(oracle, arguments):
    file = oracle / "sibyl.toml"
    text = re.sub(r"(?ms)^\[model\].*?(?=^\[|\Z)", "", file.read_text(encoding="utf-8"))
    prices = arguments.price or [0, 0]
    text += (f'\n[model]\napi = "{arguments.api}"\nname = "{arguments.model}"\n'
             f"input_price = {prices[0]}\noutput_price = {prices[1]}\nmax_minutes = 600\n"
             "request_seconds = 3600\nidle_seconds = 3600\n")
    file.write_text(text, encoding="utf-8")


def run_sibyl(arguments, oracle, plan, url, more):
    command = [arguments.sibyl, "-C", str(oracle), "expand", "--json", "--writer", "llm",
               "--jobs", "1", "--no-commit", "--replace"] + more + [str(plan)]
    for part in arguments.part or []:
        command += ["--part", part]
    environment = dict(os.environ, SIBYL_MODEL_URL=url)
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    try:
        return json.loads(done.stdout)
    except ValueError:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")


def reason_kind(reason):
    """The kind of check that refused a statement."""
    for start, kind in (("no lines left", "budget"), ("the judge", "judge"),
                        ("the check", "repair"), ("it belongs to no point", "form"),
                        ("it is too long", "form"), ("the head of its table", "table head")):
        if reason.startswith(start):
            return kind
    if "passage key" in reason:
        return "no key"
    return "words" if "do not mention" in reason else "gate"


def judge_planted(planted, page, left_out):
    """By kind and fate: got through, refused, not used."""
    fates = collections.Counter()
    texts = [one["text"] for one in left_out]
    prose = page.split("\n## Sources\n")[0]
    for one in planted:
        if one["kind"] == "denial":
            # On the page if a sentence with a denial cites exactly this line.
            notes = re.findall(rf"^\[\^([^\]]+)\]:.*#L{one['line']}\b.*$", page, re.M)
            marked = [line for line in prose.split("\n") for note in notes
                      if f"[^{note}]" in line and re.search(r"\bnot\b|n't\b", line)]
            fate = "got through" if marked else "not used or refused"
        elif re.search(rf"\b{re.escape(one['is'])}\b", prose):
            fate = "got through"
        elif any(re.search(rf"\b{re.escape(one['is'])}\b", text) for text in texts):
            fate = "refused"
        else:
            fate = "not used or refused"
        fates[f"{one['kind']}: {fate}"] += 1
        if fate == "got through":
            print(f"  got through: {one}")
    return fates


def measure(arguments, plan):
    with tempfile.TemporaryDirectory(prefix="writer-bench-") as folder:
        oracle = Path(folder) / "oracle"
        shutil.copytree(arguments.oracle, oracle, ignore=shutil.ignore_patterns(".git"))
        configure(oracle, arguments)
        here = oracle / "plan-of-the-bench.md"
        shutil.copyfile(plan, here)
        planter = Planter(arguments.plant)
        proxy = Proxy(arguments.url, planter)
        preview = run_sibyl(arguments, oracle, here, proxy.url(), ["--dry-run"])
        if arguments.preview:
            return report(plan, preview, None, 0, proxy, {}, arguments)
        begun = time.monotonic()
        result = run_sibyl(arguments, oracle, here, proxy.url(), [])
        seconds = time.monotonic() - begun
        pages = ""
        left_out = []
        for part in result["parts"]:
            left_out += part.get("left_out", [])
            if part.get("file"):
                pages += (oracle / part["file"]).read_text(encoding="utf-8")
        fates = judge_planted(planter.planted, pages, left_out)
        if arguments.keep:
            shutil.copytree(oracle, arguments.keep, dirs_exist_ok=True)
        return report(plan, preview, result, seconds, proxy, fates, arguments)


def report(plan, preview, result, seconds, proxy, fates, arguments):
    expected = preview["cost"]
    print(f"\n## {Path(plan).name}, {arguments.model}")
    print(f"preview: {expected['requests']} requests, {expected['tokens']} tokens; "
          f"{json.dumps(preview['model'].get('stages', {}))}")
    if result is None:
        return
    totals = result["totals"]
    model = result["model"]
    tokens = model["input_tokens"] + model["output_tokens"]
    print(f"points answered: {totals['covered']} of {totals['points']}; "
          f"{totals['lines']} lines, {totals['citations']} citations, "
          f"{totals['delivered']} delivered, {totals['failed']} failed")
    kinds = collections.Counter()
    for part in result["parts"]:
        kinds.update(reason_kind(one["reason"]) for one in part.get("left_out", []))
    print(f"left out: {sum(kinds.values())} {dict(kinds)}")
    print(f"requests: {sum(proxy.requests.values())} {dict(proxy.requests)}, "
          f"{model['remembered']} remembered")
    share = f", {100 * expected['tokens'] / tokens - 100:+.0f} % in the preview" if tokens else ""
    print(f"tokens: {model['input_tokens']} in, {model['output_tokens']} out{share}; "
          f"{seconds:.0f} s; cost {model['cost']:.4f}")
    if arguments.plant:
        print(f"planted: {dict(fates)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("plans", nargs="+", metavar="PLAN")
    parser.add_argument("--oracle", required=True, help="with pinned sources; it is copied")
    parser.add_argument("--url", required=True, help="with /v1")
    parser.add_argument("--model", required=True)
    parser.add_argument("--api", choices=["openai", "anthropic"], default="openai")
    parser.add_argument("--sibyl", default="build/release/sibyl")
    parser.add_argument("--part", action="append", help="as for sibyl expand")
    parser.add_argument("--plant", type=int, default=0, metavar="N",
                        help="falsehoods in the passages of each section")
    parser.add_argument("--price", type=float, nargs=2, metavar=("IN", "OUT"),
                        help="of a million tokens")
    parser.add_argument("--preview", action="store_true", help="no request")
    parser.add_argument("--keep", metavar="DIR", help="copy the oracle there afterwards")
    arguments = parser.parse_args()
    arguments.sibyl = str(Path(arguments.sibyl).resolve())
    for plan in arguments.plans:
        measure(arguments, plan)


if __name__ == "__main__":
    main()
