#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How well `expand --writer llm` does with a model on a server: for each plan the points
that were answered, the statements that were refused and by which check, the falsehoods
that were planted in the passages of its prompts and got through, requests, tokens, time
and money.

    bench/writer_bench.py --oracle DIR --url http://127.0.0.1:8080/v1 --model NAME PLAN…
    bench/writer_bench.py … --api anthropic --part 2 --plant 3 --price 3 15

DIR is an oracle with pinned sources; it is copied, and nothing is written into it. The
answers of the server are remembered between runs in the cache of sibyl. The key is taken
from SIBYL_MODEL_KEY and sent to the server only.

A point is answered if the page has a statement with a citation below its heading; points
that the oracle knew before are counted by themselves.

With --plant N the requests pass through this program, which changes up to N lines of the
passages of every request before the model sees them: a number, a name, a denial. A model
that believes what it is shown writes them down, and cites lines that say something else.
A falsehood got through if a statement on the page says it and cites its line, or a line
near it. A server that relays to a person or an agent is bench/model_relay.py.
"""
import argparse
import collections
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from writer import pages, planting, proxy


def configure(oracle, arguments):
    file = oracle / "sibyl.toml"
    text = re.sub(r"(?ms)^\[model\].*?(?=^\[|\Z)", "", file.read_text(encoding="utf-8"))
    prices = arguments.price or [0, 0]
    text += (f'\n[model]\napi = "{arguments.api}"\nname = "{arguments.model}"\n'
             f"input_price = {prices[0]}\noutput_price = {prices[1]}\nmax_minutes = 1440\n"
             "request_seconds = 43200\nidle_seconds = 3600\n")
    file.write_text(text, encoding="utf-8")


def run_sibyl(arguments, oracle, plan, url, more):
    command = [arguments.sibyl, "-C", str(oracle), "expand", "--json", "--writer", "llm",
               "--jobs", "1", "--no-commit", "--replace"] + more + [str(plan)]
    for part in arguments.part or []:
        command += ["--part", part]
    environment = dict(os.environ, SIBYL_MODEL_URL=url)
    done = subprocess.run(command, stdout=subprocess.PIPE,
                          stderr=None if arguments.verbose else subprocess.PIPE, text=True,
                          env=environment, check=False)
    try:
        answer = json.loads(done.stdout)
    except ValueError:
        answer = {}
    if "parts" not in answer:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr or ''}")
    return answer


def losses_of(result, name):
    return [one for part in result["parts"] for one in part.get(name, [])]


def pages_of(result, oracle):
    return [(oracle / part["file"]).read_text(encoding="utf-8")
            for part in result["parts"] if part.get("file")]


def measure(arguments, plan):
    with tempfile.TemporaryDirectory(prefix="writer-bench-") as folder:
        oracle = Path(folder) / "oracle"
        shutil.copytree(arguments.oracle, oracle, ignore=shutil.ignore_patterns(".git"))
        configure(oracle, arguments)
        here = oracle / "plan-of-the-bench.md"
        shutil.copyfile(plan, here)
        planter = planting.Planter(arguments.plant)
        through = proxy.Proxy(arguments.url, planter)
        preview = run_sibyl(arguments, oracle, here, through.url(), ["--dry-run"])
        print(f"\n## {Path(plan).name}, {arguments.model}")
        report_preview(preview)
        if arguments.preview:
            return
        begun = time.monotonic()
        result = run_sibyl(arguments, oracle, here, through.url(), [])
        seconds = time.monotonic() - begun
        texts = pages_of(result, oracle)
        report_points(result, texts)
        report_losses(result)
        report_bill(preview, result, through.requests, seconds)
        if arguments.plant:
            report_planted(planter.planted, texts, result)
        if arguments.keep:
            shutil.copytree(oracle, arguments.keep, dirs_exist_ok=True)
            (Path(arguments.keep) / "planted.json").write_text(
                json.dumps(planter.planted, indent=1), encoding="utf-8")
            (Path(arguments.keep) / "result.json").write_text(
                json.dumps({"preview": preview, "result": result, "seconds": seconds}, indent=1),
                encoding="utf-8")


def report_preview(preview):
    cost = preview["cost"]
    model = preview["model"]
    basis = f"from {model['parts_measured']} parts" if model.get("parts_measured") else (
        "{} to {}, by the model".format(*model.get("range", ("?", "?"))))
    print(f"preview: {cost['requests']} requests, {cost['tokens']} tokens ({basis}); "
          f"{json.dumps(model['stages'])}", flush=True)


def report_points(result, texts):
    fates = collections.Counter()
    for text in texts:
        for fate, titles in pages.points_of(text).items():
            fates[fate] += len(titles)
    failed = sum(part.get("points", 0) for part in result["parts"] if part["state"] == "failed")
    asked = fates["answered"] + fates["contradicted"] + fates["open"] + failed
    totals = result["totals"]
    print(f"points answered: {fates['answered'] + fates['contradicted']} of {asked} "
          f"({fates['contradicted']} contradicted, {failed} in failed parts; "
          f"{fates['known']} known before); {totals['lines']} lines, "
          f"{totals['citations']} citations, {totals['delivered']} delivered, "
          f"{totals['failed']} failed")


def report_losses(result):
    lost = losses_of(result, "left_out")
    kinds = collections.Counter(one.get("kind", "?") for one in lost)
    print(f"left out: {len(lost)} {dict(kinds)}; corrected: {len(losses_of(result, 'corrected'))}")


def report_bill(preview, result, requests, seconds):
    model = result["model"]
    tokens = model["input_tokens"] + model["output_tokens"]
    print(f"requests: {sum(requests.values())} {dict(requests)}, {model['remembered']} remembered")
    share = ""
    if tokens and not model["remembered"]:
        share = f", {100 * preview['cost']['tokens'] / tokens - 100:+.0f} % in the preview"
    print(f"tokens: {model['input_tokens']} in, {model['output_tokens']} out{share}; "
          f"{seconds:.0f} s; cost {model['cost']:.4f}")


def report_planted(planted, texts, result):
    lost = losses_of(result, "left_out") + losses_of(result, "corrected")
    fates = collections.Counter()
    for one in planted:
        fate = planting.fate_of(one, texts, lost)
        fates[f"{one['kind']}: {fate}"] += 1
        if fate == "got through":
            print(f"  got through: {json.dumps(one)}")
    print(f"planted: {len(planted)} {dict(fates)}")


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
                        help="falsehoods in the passages of each request")
    parser.add_argument("--price", type=float, nargs=2, metavar=("IN", "OUT"),
                        help="of a million tokens")
    parser.add_argument("--preview", action="store_true", help="no request")
    parser.add_argument("--keep", metavar="DIR",
                        help="copy the oracle, the answers and what was planted there afterwards")
    parser.add_argument("--verbose", action="store_true", help="show the progress of sibyl")
    arguments = parser.parse_args()
    arguments.sibyl = str(Path(arguments.sibyl).resolve())
    for plan in arguments.plans:
        measure(arguments, plan)


if __name__ == "__main__":
    main()
