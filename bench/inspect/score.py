#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Scores `sibyl inspect` on a labelled set; README.md describes the format.

    bench/inspect/score.py FOLDER              counts, and every miss and false alarm
    bench/inspect/score.py --quiet FOLDER      the counts
    bench/inspect/score.py --only d07 FOLDER   one item, with everything that was reported

FOLDER has set.jsonl, the files that it names, and optionally reviewed.jsonl. --sibyl names the
program; default: build/release/sibyl. The exit status is 0 whatever the figures are, and 2 if the
set itself is malformed.
"""
import argparse
import collections
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

from labels import ANSWERS, MalformedSet, read_set

TINY_PTX = ".version 6.0\n.target sm_60\n.address_size 64\n.visible .entry k() { ret; }\n"


class Sibyl:
    """The program, run in a copy of the set."""

    def __init__(self, program, folder):
        self.program, self.folder = str(pathlib.Path(program).resolve()), folder

    def call(self, *arguments):
        return subprocess.run([self.program, "inspect", *arguments], cwd=self.folder, capture_output=True,
                              text=True, errors="replace", check=False, timeout=600)

    def inspect(self, file, gpus=(), driver=None):
        """The answer, or the words of a refusal."""
        done = self.call("--json", file, *conditions(gpus, driver))
        if done.returncode not in (0, 1):
            return None, (done.stdout + done.stderr).strip()
        answer = json.loads(done.stdout)
        if not answer["artifacts"]:
            return None, "nothing was recognised"
        artifact = answer["artifacts"][0]
        artifact["fixes"] = answer.get("fixes", [])
        return artifact, ""


def conditions(gpus, driver):
    gpus = [gpus] if isinstance(gpus, str) else gpus or []
    return [f"--gpu={gpu}" for gpu in gpus] + ([f"--driver={driver}"] if driver else [])


def told(artifact, finding):
    """Everything that a person reads of a finding, for 'words'."""
    fixes = [part["text"] for fix in artifact["fixes"] for part in fix["replacements"]
             if (fix["code"], fix["line"]) == (finding["code"], finding["line"])]
    return " ".join([finding["message"], finding.get("hint") or "", *fixes]).lower()


def fits(mistake, text):
    words = mistake.get("words", [])
    return not words or any(word.lower() in text for word in words)


def shown(item, finding):
    return f"{item['id']}:{finding.get('line')}: {finding['severity']}: {finding['message']} [{finding['code']}]"


class FileScore:
    """What is counted over all files."""

    def __init__(self, reviewed):
        self.reviewed = reviewed
        self.planted, self.found = collections.Counter(), collections.Counter()
        self.lists = collections.defaultdict(list)
        self.clean = self.quiet = self.clean_notes = 0

    def is_found(self, item, mistake, artifact):
        """By a finding on one of its lines that has one of its words, or that a reviewer accepted."""
        findings = artifact["findings"] if artifact else []
        on_lines = [finding for finding in findings if finding["line"] in mistake["lines"]]
        if any(fits(mistake, told(artifact, finding)) for finding in on_lines):
            return True
        accepted = [finding for finding in on_lines
                    if self.reviewed.get((item["id"], finding.get("line"), finding["code"]))]
        if not accepted:
            for finding in on_lines:
                self.lists["on the line of a mistake, but without its words"].append(
                    f"{shown(item, finding)}\n      expected: {mistake['why']}")
        return bool(accepted)

    def add_alarms(self, item, findings):
        planted = {line for mistake in item["mistakes"] for line in mistake["lines"]}
        right = {line for mark in item.get("right", []) for line in mark["lines"]}
        for finding in findings:
            line, review = finding.get("line"), self.reviewed.get((item["id"], finding.get("line"), finding["code"]))
            if not item["mistakes"] and finding["severity"] == "note":
                self.lists["notes about clean files"].append(shown(item, finding))
            elif review is False or (review is None and line in right - planted) or not item["mistakes"]:
                self.lists["false alarms"].append(shown(item, finding))
            elif review is None and line not in planted:
                self.lists["reports about lines that no label names (to review)"].append(shown(item, finding))

    def add(self, item, artifact, refusal):
        if artifact is None:
            self.lists["refused"].append(f"{item['id']}: {refusal}")
        findings = artifact["findings"] if artifact else []
        for mistake in item["mistakes"]:
            self.planted[mistake["class"]] += 1
            if self.is_found(item, mistake, artifact):
                self.found[mistake["class"]] += 1
            else:
                self.lists["missed"].append(f"{item['id']}:{mistake['lines'][0]}: {mistake['class']}: {mistake['why']}")
        if not item["mistakes"]:
            self.clean += 1
            self.quiet += not any(finding["severity"] != "note" for finding in findings)
        self.add_alarms(item, findings)


def codes(artifact):
    return collections.Counter(finding["code"] for finding in artifact["findings"])


def fix_problems(sibyl, item):
    """Applies what --diff prints and inspects again: (number of fixes, problems)."""
    given = (item.get("gpu"), item.get("driver"))
    done = sibyl.call("--diff", item["file"], *conditions(*given))
    if not done.stdout.startswith("--- "):
        return 0, []
    before, _ = sibyl.inspect(item["file"], *given)
    offered = collections.Counter(fix["code"] for fix in before["fixes"])
    applied = subprocess.run(["patch", "-p1", "--force", "--quiet"], cwd=sibyl.folder, input=done.stdout,
                             text=True, capture_output=True, check=False)
    if applied.returncode != 0:
        return sum(offered.values()), [f"{item['id']}: the diff does not apply: {applied.stdout.strip()}"]
    after, refusal = sibyl.inspect(item["file"], *given)
    if after is None:
        return sum(offered.values()), [f"{item['id']}: after the diff: {refusal}"]
    problems = []
    for code, number in offered.items():
        left = codes(after)[code] - (codes(before)[code] - number)
        if left > 0:
            problems.append(f"{item['id']}: {left} of {number} {code} are still there after their fix")
    for code, number in (codes(after) - codes(before)).items():
        problems.append(f"{item['id']}: {number} {code} appeared after the fixes")
    return sum(offered.values()), problems


def binary_answer(sibyl, item):
    if item.get("make"):
        made = subprocess.run(["bash", "-c", item["make"]], cwd=sibyl.folder, capture_output=True, text=True, check=False)
        if made.returncode != 0:
            return f"could not be made: {made.stderr.strip()}"
    artifact, refusal = sibyl.inspect(item["file"], item["gpu"], item.get("driver"))
    if artifact is None:
        return f"refused: {refusal}"
    verdicts = artifact.get("verdicts") or []
    back = {value: key for key, value in ANSWERS.items()}
    return back.get(verdicts[0]["runs"], "no verdict") if verdicts else "no verdict"


def score_binaries(sibyl, items):
    wrong, asked = [], 0
    for item in items:
        answer = binary_answer(sibyl, item)
        if answer.startswith("could not be made"):
            print(f"{item['id']}: {answer}")
            continue
        asked += 1
        expected = item["answer"] if isinstance(item["answer"], list) else [item["answer"]]
        if answer not in expected:
            wrong.append(f"{item['id']}: {answer}, expected {' or '.join(expected)}: {item.get('why', '')}")
    return asked, wrong


def score_names(sibyl, items):
    (sibyl.folder / "name.ptx").write_text(TINY_PTX)
    wrong = []
    for item in items:
        artifact, refusal = sibyl.inspect("name.ptx", item["name"])
        answer = artifact["verdicts"][0]["arch"] if artifact else None
        nearest = item.get("nearest", [])
        if answer != item["answer"]:
            wrong.append(f"{item['id']}: {item['name']!r}: {answer or refusal}, expected {item['answer'] or 'a refusal'}")
        elif answer is None and nearest and not any(name.lower() in refusal.lower() for name in nearest):
            wrong.append(f"{item['id']}: {item['name']!r}: refused, but without {' or '.join(nearest)}: {refusal}")
    return wrong


def print_list(title, lines):
    if lines:
        print(f"\n{title}: {len(lines)}")
        print("\n".join(f"  {line}" for line in lines))


def report_files(score, quiet):
    if score.planted:
        print(f"mistakes found: {sum(score.found.values())} of {sum(score.planted.values())}")
        for name in sorted(score.planted):
            print(f"  {name}: {score.found[name]} of {score.planted[name]}")
    if score.clean:
        print(f"clean files without an error or a warning: {score.quiet} of {score.clean}")
    print(f"false alarms: {len(score.lists['false alarms'])}")
    if not quiet:
        for title in score.lists:
            print_list(title, score.lists[title])


def run(options, work):
    items, reviewed = read_set(work)
    if options.only:
        items = [item for item in items if item["id"] == options.only]
    of_kind = collections.defaultdict(list)
    for item in items:
        of_kind[item["kind"]].append(item)
    sibyl = Sibyl(options.sibyl, work)
    if of_kind["file"]:
        score = FileScore(reviewed)
        for item in of_kind["file"]:
            artifact, refusal = sibyl.inspect(item["file"], item.get("gpu"), item.get("driver"))
            score.add(item, artifact, refusal)
            if options.only:
                print_list("reported", [shown(item, finding) for finding in (artifact or {}).get("findings", [])])
        report_files(score, options.quiet)
        fixes = [fix_problems(sibyl, item) for item in of_kind["file"]]
        problems = [problem for _, found in fixes for problem in found]
        print(f"\nfixes applied: {sum(number for number, _ in fixes)}; problems: {len(problems)}")
        print_list("problems of fixes", [] if options.quiet else problems)
    if of_kind["binary"]:
        asked, wrong = score_binaries(sibyl, of_kind["binary"])
        print(f"\nverdicts wrong: {len(wrong)} of {asked}")
        print_list("wrong verdicts", [] if options.quiet else wrong)
    if of_kind["name"]:
        wrong = score_names(sibyl, of_kind["name"])
        print(f"\nnames wrong: {len(wrong)} of {len(of_kind['name'])}")
        print_list("wrong names", [] if options.quiet else wrong)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sibyl", default="build/release/sibyl")
    parser.add_argument("--only", metavar="ID")
    parser.add_argument("--quiet", action="store_true")
    parser.add_argument("folder", type=pathlib.Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        work = pathlib.Path(temporary) / "set"
        shutil.copytree(options.folder, work)
        try:
            run(options, work)
        except (MalformedSet, OSError) as error:
            print(f"score.py: {error}", file=sys.stderr)
            sys.exit(2)


if __name__ == "__main__":
    main()
