#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Scores the gate on a set as its writer hands it over.

    bench/support_set.py FOLDER                  both tables
    bench/support_set.py --dump FOLDER           also every item with its reason
    bench/support_set.py --write PREFIX FOLDER   also PREFIX.jsonl and PREFIX-hiding.jsonl,
                                                 the form of bench/support

FOLDER has pairs.jsonl (id, repo, path, first, last, kind, true, false),
sections.jsonl (id, file, kind "hiding" or "honest", where), the sections
themselves, and repos.json (name, commit, git_dir): cited files are read from
the git folders, at their commits. --bin names the folder of support_bench and
hiding_bench; default: build/bench.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

CITED = re.compile(r"^\[\^[^\]]+\]:.*?\b([\w.-]+):([^\s:]+):\d", re.MULTILINE)


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines() if line.strip()]


def statements(folder):
    for pair in lines(folder / "pairs.jsonl"):
        for label in ("true", "false"):
            yield {"id": f"{pair['id']}-{label[0]}", "pair": pair["id"], "kind": pair["kind"],
                   "label": label, "source": pair["repo"], "path": pair["path"],
                   "first": pair["first"], "last": pair["last"], "statement": pair[label]}


def sections(folder):
    for section in lines(folder / "sections.jsonl"):
        is_honest = section["kind"] == "honest"
        yield {"id": section["id"], "label": "true" if is_honest else "false",
               "place": section.get("where") or "honest",
               "text": (folder / section["file"]).read_text()}


def check_out(folder, into, items, hidden):
    repos = {repo["name"]: repo for repo in json.loads((folder / "repos.json").read_text())}
    wanted = {(item["source"], item["path"]) for item in items}
    for section in hidden:
        wanted.update(CITED.findall(section["text"]))
    for name, path in sorted(wanted):
        repo = repos[name]
        got = subprocess.run(["git", f"--git-dir={repo['git_dir']}", "show",
                              f"{repo['commit']}:{path}"], capture_output=True, check=False)
        if got.returncode != 0:
            sys.exit(f"support_set: {name} has no {path} at {repo['commit']}")
        file = into / name / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(got.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dump", action="store_true")
    parser.add_argument("--write", metavar="PREFIX")
    parser.add_argument("--bin", default="build/bench", metavar="FOLDER")
    parser.add_argument("folder", type=pathlib.Path)
    options = parser.parse_args()
    items, hidden = list(statements(options.folder)), list(sections(options.folder))
    with tempfile.TemporaryDirectory() as temporary:
        work = pathlib.Path(temporary)
        check_out(options.folder, work / "sources", items, hidden)
        prefix = options.write or str(work / "set")
        for name, rows in (("", items), ("-hiding", hidden)):
            with open(f"{prefix}{name}.jsonl", "w", encoding="utf-8") as file:
                file.writelines(json.dumps(row) + "\n" for row in rows)
        for program, name in (("support_bench", ""), ("hiding_bench", "-hiding")):
            command = [f"{options.bin}/{program}", str(work / "sources"), f"{prefix}{name}.jsonl"]
            subprocess.run(command, check=True)
            if options.dump:
                subprocess.run([command[0], "--dump", *command[1:]], check=True)


if __name__ == "__main__":
    main()
