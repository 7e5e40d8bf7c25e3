#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Scores `sibyl ask` on questions with gold places.

  bench/ask_score.py --sibyl build/release/sibyl --oracle DIR --set QUESTIONS.jsonl

A line of the set: id, question, kind, answerable, gold: [{source, path, first,
last}] or, on a page of the oracle, [{page, text}], must: [strings or lists of
alternatives]. A question is right if one of
the first three statements cites lines that overlap a gold place, or has all the
strings of `must`; wrong if there are statements and none is right; else refused.
A place on a page is named by its text, since lines move: it is looked for when the
set is scored. What its footnotes cite are gold places too.
"""
import argparse
import json
import os
import re
import statistics
import subprocess
import time


def folded(text):
    return " ".join(text.split()).lower()


def has_all(text, must):
    text = folded(text)
    for wanted in must:
        alternatives = [wanted] if isinstance(wanted, str) else wanted
        if not any(folded(one) in text for one in alternatives):
            return False
    return bool(must)


def words_of(text):
    return set(re.findall(r"[\w.]+", re.sub(r"\[\^[^\]]*\]", " ", text).replace("\\_", "_").lower()))


class Pages:
    """The pages of the oracle, read once: where a text is now, and what its footnotes cite."""

    def __init__(self, oracle):
        self.oracle = oracle
        self.read = {}

    def lines_of(self, page):
        if page not in self.read:
            with open(os.path.join(self.oracle, page), encoding="utf-8") as text:
                self.read[page] = text.read().split("\n")
        return self.read[page]

    def line_of(self, page, text):
        wanted = words_of(text)
        best, place = 0.0, 0
        for number, line in enumerate(self.lines_of(page), 1):
            if re.match(r"\[\^[^\]]+\]: ", line):
                continue
            here = words_of(line)
            # A text may have several lines, or be the beginning of one.
            share = len(wanted & here) / max(1, min(len(wanted), len(here)))
            share *= 0.5 + len(wanted & here) / max(1, len(wanted) + len(here))
            if share > best:
                best, place = share, number
        return place if best >= 0.5 else 0

    def cited_by(self, page, line):
        lines = self.lines_of(page)
        cited = []
        for label in re.findall(r"\[\^([^\]]+)\]", lines[line - 1]):
            for definition in lines:
                if not definition.startswith(f"[^{label}]: "):
                    continue
                found = re.match(r".*<!-- swh:\S*;path=/([^;]+);lines=(\d+)(?:-(\d+))?", definition)
                if found:
                    source = definition.split(": ", 1)[1].split(" ")[0]
                    cited.append({"source": source, "path": found[1], "first": int(found[2]),
                                  "last": int(found[3] or found[2])})
        return cited

    def resolve(self, question):
        gold = []
        for place in question.get("gold") or []:
            if "page" not in place or "first" in place:
                gold.append(place)
                continue
            line = self.line_of(place["page"], place["text"])
            if line == 0:
                print(f"[{question['id']}] the text is not on {place['page']}: {place['text'][:80]}")
                continue
            gold.append({"page": place["page"], "first": line, "last": line})
            gold += self.cited_by(place["page"], line)
        return gold


def is_on_page(statement, place):
    first = statement.get("page_line", 0)
    last = statement.get("page_last", first)
    return statement.get("page") == place["page"] and first <= place["last"] and place["first"] <= last


def is_at(statement, gold):
    lines = statement.get("lines") or [0, -1]
    if "page" in statement:
        on_pages = [place for place in gold if "page" in place]
        if on_pages:
            return any(is_on_page(statement, place) for place in on_pages)
    return any(
        "source" in place
        and (statement.get("source") or "").lower() == place["source"].lower()
        and statement.get("path") == place["path"]
        and lines[0] <= place["last"]
        and place["first"] <= lines[1]
        for place in gold
    )


def is_right(statement, question):
    if is_at(statement, question.get("gold") or []):
        return True
    text = statement.get("text", "") + " " + statement.get("lead", "")
    return has_all(text, question.get("must") or [])


def ask(sibyl, oracle, question):
    before = os.times()
    start = time.monotonic()
    done = subprocess.run(
        [sibyl, "-C", oracle, "ask", "--json", "--", question], capture_output=True, text=True, check=False
    )
    wall = time.monotonic() - start
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return json.loads(done.stdout) if done.returncode in (0, 1) else None, wall, spent


def verdict_of(question, answer):
    # Errors count as refusals.
    data = (answer or {}).get("data", answer) or {}
    statements = data.get("statements", [])[:3]
    if not question["answerable"]:
        return ("refused" if not statements else "invented"), statements, data
    if not statements:
        return "refused", statements, data
    right = [i for i, one in enumerate(statements) if is_right(one, question)]
    return ("right" if right else "wrong"), statements, data


def place_of(place):
    where = place.get("page") or f"{place['source']}:{place['path']}"
    return f"{where}:{place['first']}-{place['last']}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sibyl", default="build/release/sibyl")
    parser.add_argument("--oracle", required=True)
    parser.add_argument("--set", required=True)
    parser.add_argument("--out", help="one JSON object per question, to read")
    parser.add_argument("--show", default="", help="print these verdicts: wrong,refused,invented")
    options = parser.parse_args()
    with open(options.set, encoding="utf-8") as lines:
        questions = [json.loads(line) for line in lines if line.strip()]
    pages = Pages(options.oracle)
    for question in questions:
        question["gold"] = pages.resolve(question)
    counts, kinds, walls, spents, rows = {}, {}, [], [], []
    for question in questions:
        answer, wall, spent = ask(options.sibyl, options.oracle, question["question"])
        verdict, statements, data = verdict_of(question, answer)
        walls.append(wall)
        spents.append(spent)
        key = verdict if question["answerable"] else "unanswerable " + verdict
        counts[key] = counts.get(key, 0) + 1
        kinds.setdefault(question.get("kind", ""), []).append(key)
        shown = statements or data.get("nearest") or []
        rows.append({"id": question["id"], "verdict": key, "question": question["question"],
                     "gold": question.get("gold"), "must": question.get("must"), "statements": shown})
        if verdict in options.show.split(","):
            print(f"\n[{question['id']}] {key}: {question['question']}")
            for place in question.get("gold") or []:
                if "page" in place or "page" not in question["gold"][0]:
                    print("   gold " + place_of(place))
            for one in shown[:3]:
                print(f"   {one.get('met', 0):.2f} {one.get('page') or one['path']}:"
                      f"{one.get('page_line') or one['lines'][0]}  {folded(one.get('text', ''))[:150]}")
    if options.out:
        with open(options.out, "w", encoding="utf-8") as out:
            out.writelines(json.dumps(row) + "\n" for row in rows)
    answerable = sum(1 for question in questions if question["answerable"])
    print(f"\n{len(questions)} questions, {answerable} answerable: {counts}")
    for kind, keys in sorted(kinds.items()):
        print(f"  {kind:12} " + " ".join(f"{key} {keys.count(key)}" for key in sorted(set(keys))))
    print(f"median {1000 * statistics.median(walls):.0f} ms, of processor time "
          f"{1000 * statistics.median(spents):.0f} ms")


if __name__ == "__main__":
    main()
