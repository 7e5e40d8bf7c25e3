#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures whether a search for a name finds its declaration.

  bench/symbols_score.py --sibyl build/release/sibyl --oracle DIR [--seed 20] [--names 100]

Draws names at random from public headers (functions of cuda-headers) and Python
modules (public functions and classes outside of tests), found by exact search for
the form of a declaration, not by cards. A name counts if a line that declares it is
among the lines of the first two hits of `sibyl search NAME`.
"""
import argparse
import collections
import json
import random
import re
import subprocess

FORMS = [
    # sources, path, regular expression with the name as its first group
    (["cuda-headers"], "*.h", r"\b(?:CUDARTAPI|CUDAAPI|CUPTIAPI) +(\w+)\("),
    (["cuda-headers"], "*.h", r"^(?:cublas|cusparse|cusolver|cudnn|nccl)\w+_t +(\w+)\("),
    (["pytorch", "apex", "transformerengine", "cutlass"], "*.py", r"^def ([a-zA-Z]\w{4,})\("),
    (["pytorch", "apex", "transformerengine", "cutlass"], "*.py", r"^class ([A-Z]\w{4,})\b"),
]


def call(sibyl, oracle, *arguments):
    done = subprocess.run(
        [sibyl, "-C", oracle, arguments[0], "--json", *arguments[1:]], capture_output=True, text=True, check=False
    )
    return json.loads(done.stdout)


def is_public(path):
    parts = path.lower().split("/")
    return not any(re.match(r"(test|bench|example|tutorial|tools?$|scripts?$|_|\.)", part) for part in parts)


def declarations(sibyl, oracle):
    found = collections.defaultdict(list)
    for sources, glob, form in FORMS:
        arguments = ["search", "-e", form, "--path", glob, "-n", "100000"]
        for source in sources:
            arguments += ["--source", source]
        for line in call(sibyl, oracle, *arguments).get("matches", []):
            match = re.search(form, line["text"])
            if match:
                found[match.group(1)].append((line["source"], line["path"], line["line"]))
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sibyl", default="build/release/sibyl")
    parser.add_argument("--oracle", required=True)
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--names", type=int, default=100)
    options = parser.parse_args()
    found = declarations(options.sibyl, options.oracle)
    public = sorted(name for name, places in found.items() if any(is_public(path) for _, path, _ in places))
    drawn = random.Random(options.seed).sample(public, min(options.names, len(public)))
    first = second = 0
    for name in drawn:
        hits = call(options.sibyl, options.oracle, "search", "-n", "2", "--", name).get("hits", [])
        ranks = [
            rank
            for rank, hit in enumerate(hits)
            for source, path, line in found[name]
            if hit["source"] == source and hit["path"] == path and hit["lines"][0] <= line <= hit["lines"][1]
        ]
        first += 0 in ranks
        second += bool(ranks)
        if not ranks:
            print(f"missed: {name}, declared at {found[name][0]}")
    print(f"{len(drawn)} of {len(public)} names: first {first / len(drawn):.2f}, among two {second / len(drawn):.2f}")


if __name__ == "__main__":
    main()
