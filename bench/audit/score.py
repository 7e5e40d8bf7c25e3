#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Scores answers of `sibyl audit --all --json FILE` by labels.tsv and planted.tsv.

usage: score.py [--only notes|planted] [--quiet] [--set FOLDER] OUT.json...

FOLDER has the notes and their labels; without it, that of this script.

Each OUT.json is the answer for one or more files; a file is known by the last part of its name
(notes-1.md, 07.md). Labels of files that no answer speaks of are left out.
"""
import argparse
import json
import os
import re
from collections import Counter, defaultdict

SET = os.path.dirname(os.path.abspath(__file__))
FAILING = {"absent", "contradicted"}
# Kinds that a name in them does not support: the value counts, or the whole line.
VALUES = {"default", "number", "abbreviation", "quotation", "attributed code", "version",
          "field-fact"}
NAMES = {"identifier", "qualified name", "flag", "path", "package"}
IN_BLOCKS = {"quotation", "attributed code"}


def base(path):
    return os.path.basename(path or "")


def plain(text):
    text = re.sub(r"[`*“”\"']", "", text or "")
    text = re.sub(r"^\s*>\s?", "", text, flags=re.M)
    return re.sub(r"\s+", " ", text).strip()


def tokens(text):
    return set(re.findall(r"[A-Za-z_]\w*|\d+(?:\.\d+)*|--?[\w-]+", plain(text)))


def same_text(label, found):
    """One is the other, or stands in it as whole words."""
    label, found = plain(label), plain(found)
    if found.startswith("-D") and not label.startswith("-D"):
        found = found[2:]
    if not label or not found:
        return False
    if label == found:
        return True
    short, long = (found, label) if len(found) >= 2 and found in label else (label, found)
    return re.search(r"(?<!\w)" + re.escape(short) + r"(?!\w)", long) is not None


def block(file, line, kind):
    """The first and last line of the Markdown block that the line stands in."""
    path = os.path.join(SET, file)
    if not os.path.exists(path):
        return line - 1, line + 1
    with open(path, encoding="utf-8") as stream:
        lines = stream.read().split("\n")
    first = last = line - 1
    if kind == "attributed code":
        while first > 0 and not lines[first].lstrip().startswith("```"):
            first -= 1
        while last < len(lines) - 1 and not lines[last].lstrip().startswith("```"):
            last += 1
        first = max(0, first - 3)  # the sentence that names the file
    else:
        while first > 0 and lines[first - 1].strip():
            first -= 1
        while last < len(lines) - 1 and lines[last + 1].strip():
            last += 1
    return first + 1, last + 1


def in_block(text, finding):
    found = finding.get("text") or ""
    if same_text(text, found) or any(plain(x) == plain(text) for x in found.split("\n")):
        return True
    told = plain(json.dumps([finding.get("message"), finding.get("lines")]))
    return finding.get("code", "").startswith(("quote", "code")) and plain(text) in told


def matches(row, finding):
    file, line, text, kind = row[0], int(row[1]), row[2], row[3]
    code, at = finding.get("code", ""), finding.get("line") or 0
    found = finding.get("text")
    if kind in VALUES:
        if finding.get("kind") in NAMES and finding.get("verdict") not in FAILING:
            return False
    elif finding.get("kind") in VALUES and plain(found) != plain(text):
        return False  # an alarm about a value says nothing against the name that has it
    elif code.startswith(("code/", "quote/")) and plain(found) != plain(text):
        return False
    if abs(at - line) <= 1 and same_text(text, found):
        return True
    if kind in IN_BLOCKS:
        first, last = block(file, line, kind)
        return first <= at <= last and in_block(text, finding)
    if kind in ("default", "number", "version", "field-fact") and abs(at - line) <= 1:
        a, b = tokens(text), tokens(found)
        return bool(a and b and (a <= b or b <= a))
    return False


def read_answers(paths):
    findings, seen = defaultdict(list), set()
    for path in paths:
        with open(path, encoding="utf-8") as stream:
            answer = json.load(stream)
        seen.update(base(file["file"]) for file in answer["files"])
        for finding in answer["findings"]:
            findings[base(finding["file"])].append(finding)
    return findings, seen


def read_rows(name, seen):
    with open(os.path.join(SET, name), encoding="utf-8") as stream:
        rows = [line.rstrip("\n").split("\t") for line in stream if line.strip()]
    return [row for row in rows if base(row[0]) in seen and row[1].isdigit()]


def share(part, whole):
    return f"{part}/{whole} = {part / whole:.3f}" if whole else "-"


def print_list(title, lines):
    print(f"\n-- {title}: {len(lines)}")
    for line in lines:
        print("  " + line)


def describe(finding):
    return (f'{base(finding["file"])}:{finding.get("line")}: {finding.get("text")!r} '
            f'{finding.get("verdict")} {finding.get("code")}: {finding.get("message", "")}')


def answer_for(row, findings, used):
    found = [f for f in findings[base(row[0])] if matches(row, f)]
    if row[3] not in VALUES:
        found = [f for f in found if plain(f.get("text")) == plain(row[2])] or found
    # A table may have the same value in the next row.
    found = [f for f in found if f.get("line") == int(row[1])] or found
    used.update(id(f) for f in found)
    verdicts = {f.get("verdict") for f in found}
    if verdicts & FAILING:
        return "fail"
    if "supported" in verdicts:
        return "supported"
    return "undecidable" if found else "unseen"


def print_table(counts):
    print(f'{"kind":18}{"n":>5}  {"precision":>16}  {"recall":>16}  {"alarm undec.":>14}  '
          f'{"supported":>16}  unseen')
    for kind in sorted(counts, key=lambda k: (k == "ALL", k)):
        c = counts[kind]
        right = c["absent", "fail"] + c["contradicted", "fail"]
        alarms = right + c["supported", "fail"] + c["undecidable", "fail"]
        total = Counter()
        unseen = 0
        for (label, got), n in c.items():
            total[label] += n
            unseen += n if got == "unseen" else 0
        print(f'{kind:18}{sum(total.values()):5}  {share(right, alarms):>16}  '
              f'{share(right, total["absent"] + total["contradicted"]):>16}  '
              f'{share(c["undecidable", "fail"], total["undecidable"]):>14}  '
              f'{share(c["supported", "supported"], total["supported"]):>16}  {unseen}')


def score_notes(findings, seen, quiet):
    counts, wrong, used = defaultdict(Counter), defaultdict(list), set()
    rows = read_rows("labels.tsv", seen)
    for row in rows:
        label, got = row[4], answer_for(row, findings, used)
        counts[row[3]][label, got] += 1
        counts["ALL"][label, got] += 1
        expected = "fail" if label in FAILING else label
        if got == expected or (label == "undecidable" and got != "fail"):
            continue
        sort = "false alarms" if got == "fail" else "missed" if expected == "fail" else "unsupported"
        wrong[sort].append(f"{row[0]}:{row[1]}: {row[2]!r} [{row[3]}] labelled {label}, got {got}"
                           f"  -- {row[5]}")
    print(f"== labels: {len(rows)} in {len({row[0] for row in rows})} files")
    print_table(counts)
    if quiet:
        return
    for sort in ("false alarms", "missed", "unsupported"):
        print_list(sort, wrong[sort])
    print_list("alarms on text that has no label, to be judged by hand",
               [describe(f) for file in sorted(findings) if file.startswith("notes")
                for f in findings[file] if f.get("verdict") in FAILING and id(f) not in used])


def score_planted(findings, seen, quiet):
    kinds, lists = defaultdict(Counter), defaultdict(list)
    rows = read_rows("planted.tsv", seen)
    for file, line, text, kind, truth in rows:
        number = int(line)
        failing = [f for f in findings[base(file)] if f.get("verdict") in FAILING]
        first, last = block(file, number, kind) if kind in IN_BLOCKS else (number, number)
        near = [f for f in failing
                if min(first, number - 1) <= (f.get("line") or 0) <= max(last, number + 1)]
        about = [f for f in near
                 if same_text(text, f.get("text")) or tokens(f.get("text")) & tokens(text)]
        kinds[kind][bool(near)] += 1
        if not near:
            lists["missed"].append(f"{file}:{line}: {text!r} [{kind}] true: {truth}")
        elif not about:
            lists["found by something else on the line"].append(f"{file}:{line}: {text!r}")
        lists["false alarms"] += [describe(f) for f in failing if f not in (about or near)]
    found = sum(c[True] for c in kinds.values())
    print(f'\n== planted: found {share(found, len(rows))}; '
          f'other alarms: {len(lists["false alarms"])}')
    for kind in sorted(kinds):
        print(f"  {kind:18}{kinds[kind][True]}/{sum(kinds[kind].values())}")
    if not quiet:
        for title, lines in sorted(lists.items()):
            print_list(title, lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--only", choices=["notes", "planted"])
    parser.add_argument("--quiet", action="store_true", help="only the figures")
    parser.add_argument("answers", nargs="+", metavar="OUT.json")
    parser.add_argument("--set", metavar="FOLDER", help="with the notes and labels.tsv")
    arguments = parser.parse_args()
    global SET
    SET = arguments.set or SET
    findings, seen = read_answers(arguments.answers)
    if arguments.only != "planted":
        score_notes(findings, seen, arguments.quiet)
    if arguments.only != "notes":
        score_planted(findings, seen, arguments.quiet)


if __name__ == "__main__":
    main()
