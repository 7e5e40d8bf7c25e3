#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Scores `sibyl ask` on questions with gold places.

  bench/ask_score.py --sibyl build/release/sibyl --oracle DIR --set QUESTIONS.jsonl

A line of the set: id, question, kind, answerable, gold: [{source, path, first,
last}] or, on a page of the oracle, [{page, first, last}], must: [strings or lists of
alternatives]. A question is right if one of
the first three statements cites lines that overlap a gold place, or has all the
strings of `must`; wrong if there are statements and none is right; else refused.
"""
import argparse
import json
import os
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


def is_on_page(statement, place):
    first = statement.get("page_line", 0)
    last = statement.get("page_last", first)
    return statement.get("page") == place["page"] and first <= place["last"] and place["first"] <= last


def is_at(statement, gold):
    lines = statement.get("lines") or [0, -1]
    if gold and "page" in gold[0]:
        return any(is_on_page(statement, place) for place in gold)
    return any(
        statement.get("source", "").lower() == place["source"].lower()
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
