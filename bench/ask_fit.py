#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fits the weights of `sibyl ask` to what ask_features prints, and says by
cross-validation what can be expected of questions that were not used: one set is left
out at a time, since questions of one writer are alike.

  ask_features ORACLE SET.jsonl… > FEATURES.jsonl
  bench/ask_fit.py FEATURES.jsonl [--rank] [--weights W.json]

Without --rank only the chance is fitted: a logistic function of what is known of the
best units. With it, the weights of the score too, drawn towards those that are given.
"""
import argparse
import json
import math

GAP = 3  # lines between units that are shown together, as in draft/answer/stretch.cc
LONGEST = 24


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def top(units, most=3):
    """The first units that do not overlap a better one; neighbours are joined."""
    apart = []
    for unit in units:
        lines = unit["lines"]
        for other in apart:
            if other["at"] != unit["at"]:
                continue
            first, last = other["lines"]
            if first <= lines[1] and lines[0] <= last:
                break
            whole = [min(first, lines[0]), max(last, lines[1])]
            if max(lines[0] - last, first - lines[1]) <= GAP + 1 and whole[1] - whole[0] < LONGEST:
                other["lines"] = whole
                other["right"] = other["right"] or unit["right"]
                break
        else:
            if len(apart) == most:
                break
            apart.append(dict(unit))
    return apart


def shown(question, first=1):
    """What is shown when a question is answered."""
    units = top(question["units"])
    if len(question["sides"]) == 2 and all(side["units"] for side in question["sides"]):
        units = units[:first] + [side["units"][0] for side in question["sides"]]
    return units[:3]


def is_right(question):
    return any(unit["right"] for unit in shown(question))


def sigmoid(x):
    return 1 / (1 + math.exp(-max(-30, min(30, x))))


def fit_logistic(rows, labels, penalty, steps=400, rate=0.5):
    size = len(rows[0])
    weights, constant = [0.0] * size, 0.0
    means = [sum(r[i] for r in rows) / len(rows) for i in range(size)]
    spread = [max(1e-6, math.sqrt(sum((r[i] - means[i]) ** 2 for r in rows) / len(rows)))
              for i in range(size)]
    scaled = [[(r[i] - means[i]) / spread[i] for i in range(size)] for r in rows]
    for _ in range(steps):
        gradient, change = [0.0] * size, 0.0
        for row, label in zip(scaled, labels):
            miss = label - sigmoid(constant + dot(weights, row))
            change += miss
            for i, x in enumerate(row):
                gradient[i] += miss * x
        constant += rate * change / len(rows)
        weights = [w + rate * (g / len(rows) - penalty * w) for w, g in zip(weights, gradient)]
    raw = [w / s for w, s in zip(weights, spread)]
    return raw, constant - dot(raw, means)


def fit_rank(questions, start, penalty, steps=60, rate=0.4):
    weights = list(start)
    usable = [q for q in questions if any(u["right"] for u in q["units"]) and
              not all(u["right"] for u in q["units"])]
    for _ in range(steps):
        gradient = [0.0] * len(weights)
        for question in usable:
            units = question["units"]
            scores = [dot(weights, u["features"]) for u in units]
            peak = max(scores)
            powers = [math.exp(s - peak) for s in scores]
            everything = sum(powers)
            right = sum(p for p, u in zip(powers, units) if u["right"])
            for power, unit in zip(powers, units):
                pull = (power / right if unit["right"] else 0) - power / everything
                if abs(pull) < 1e-4:
                    continue
                for i, x in enumerate(unit["features"]):
                    gradient[i] += pull * x
        weights = [w + rate * (g / len(usable) - penalty * (w - s))
                   for w, g, s in zip(weights, gradient, start)]
    return weights


def rank(questions, weights):
    for question in questions:
        for ranked in [question] + question["sides"]:
            ranked["units"].sort(key=lambda u: -dot(weights, u["features"]))


def chance(question, weights, constant):
    def of(ranked):
        if not ranked["units"] or not ranked.get("possible"):
            return 0.0
        return sigmoid(constant + dot(weights, ranked["chance"]))

    whole = of(question)
    if len(question["sides"]) == 2:
        whole = max(whole, min(of(side) for side in question["sides"]))
    return whole


def curve(scored):
    """right, wrong, refused unanswerable for each threshold."""
    answerable = sum(1 for _, q in scored if q["answerable"])
    others = max(1, len(scored) - answerable)
    rows = []
    for step in range(20, 96, 2):
        least = step / 100
        right = sum(1 for p, q in scored if p >= least and q["answerable"] and is_right(q))
        wrong = sum(1 for p, q in scored if p >= least and q["answerable"] and not is_right(q))
        invented = sum(1 for p, q in scored if p >= least and not q["answerable"])
        rows.append((least, right / answerable, wrong / answerable, 1 - invented / others))
    return rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("features")
    parser.add_argument("--rank", action="store_true")
    parser.add_argument("--start", help="a JSON list: the weights of the score now")
    parser.add_argument("--penalty", type=float, default=0.02)
    parser.add_argument("--rank-penalty", type=float, default=0.5)
    parser.add_argument("--use", default="", help="numbers of the features of the chance")
    options = parser.parse_args()
    with open(options.features, encoding="utf-8") as lines:
        questions = [json.loads(line) for line in lines]
    start = json.loads(options.start) if options.start else None
    kept = [int(i) for i in options.use.split(",")] if options.use else None
    for question in questions:
        for ranked in [question] + question["sides"]:
            if kept and "chance" in ranked:
                ranked["chance"] = [ranked["chance"][i] for i in kept]
    scored = []
    for left_out in sorted({q["set"] for q in questions}):
        held = [q for q in questions if q["set"] == left_out]
        used = [q for q in questions if q["set"] != left_out]
        if options.rank:
            weights = fit_rank(used, start, options.rank_penalty)
            rank(questions, weights)
        rows = [q for q in used if q["units"]]
        fitted = fit_logistic([q["chance"] for q in rows],
                              [1.0 if q["answerable"] and is_right(q) else 0.0 for q in rows],
                              options.penalty)
        scored += [(chance(q, *fitted), json.loads(json.dumps(q))) for q in held]
    best = sum(1 for q in (s[1] for s in scored) if q["answerable"] and is_right(q))
    print("right without refusing:", best, "of", sum(1 for _, q in scored if q["answerable"]))
    for least, right, wrong, refused in curve(scored):
        print(f"  {least:.2f}  right {right:.3f}  wrong {wrong:.3f}  unanswerable refused {refused:.2f}")
    if options.rank:
        weights = fit_rank(questions, start, options.rank_penalty)
        print("weights of the score:", [round(w, 2) for w in weights])
        rank(questions, weights)
    rows = [q for q in questions if q["units"]]
    raw, constant = fit_logistic([q["chance"] for q in rows],
                                 [1.0 if q["answerable"] and is_right(q) else 0.0 for q in rows],
                                 options.penalty)
    print("weights of the chance:", [round(w, 2) for w in raw], "constant", round(constant, 2))


if __name__ == "__main__":
    main()
