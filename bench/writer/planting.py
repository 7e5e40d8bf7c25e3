# SPDX-License-Identifier: Apache-2.0
"""Falsehoods that are planted in the passages of prompts, and what became of them."""
import re

from . import pages

DENIAL = re.compile(r"\b(?:not|never|no|cannot|without|nor)\b|n't\b", re.IGNORECASE)
FATES = ("got through", "refused", "not used", "not shown")


class Planter:
    """Changes lines of passages, the same lines in the same way in every request."""

    def __init__(self, most):
        self.most = most  # new ones in a request
        self.planted = []  # {"kind", "place", "line", "was", "is", "text"}

    def change(self, text):
        planted = 0
        place = ""
        lines = text.split("\n")
        for at, line in enumerate(lines):
            head = re.match(r"\[k[b-t]{8}\] (\S+ \S+?):\d", line)
            if head:
                place = head.group(1)
            numbered = re.match(r"( *(\d+) \| )(.*)", line)
            if not numbered or not place:
                continue
            number = int(numbered.group(2))
            known = self.known(place, number)
            if known is None and planted < self.most and number % 7 == 3:
                known = self.plant(place, number, numbered.group(3))
                planted += known is not None
            if known is not None:
                lines[at] = numbered.group(1) + known["text"]
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
            one = falsehood(kind, text)
            if one:
                one.update({"kind": kind, "place": place, "line": line,
                            "text": re.sub(rf"(?<!\w){re.escape(one['was'])}",
                                           lambda _, new=one["is"]: new, text, count=1)})
                self.planted.append(one)
                return one
        return None


def falsehood(kind, text):
    if kind == "number":
        found = re.search(r"(?<![\w.])(\d{2,4})(?![\w.])", text)
        return found and {"was": found.group(1), "is": str(int(found.group(1)) * 3 + 11)}
    if kind == "name":
        found = re.search(r"\b([a-z]+_[a-z_]+)\b", text)
        return found and {"was": found.group(1), "is": found.group(1) + "_ng"}
    found = re.search(r"\b(is|are|must|will|can) (?!not\b)", text)
    return found and {"was": found.group(0), "is": found.group(1) + " not "}


def says(one, text):
    """Whether a text repeats the falsehood: the number or the name, or a denial with most
    of the words of its line."""
    if one["kind"] != "denial":
        return re.search(rf"(?<![\w.]){re.escape(one['is'])}(?![\w]|\.\d)", text) is not None
    if not DENIAL.search(text):
        return False
    words = {word for word in re.findall(r"[a-z_]{4,}", one["text"].lower())}
    said = set(re.findall(r"[a-z_]{4,}", text.lower()))
    return bool(words) and 2 * len(words & said) >= len(words)


def cites(one, marks, citations):
    """Whether one of the marks leads to the line, or near it."""
    path = one["place"].split(" ", 1)[1]
    for mark in marks:
        cited = citations.get(mark)
        if cited and cited[0] == path and cited[1] - 3 <= one["line"] <= cited[2] + 3:
            return True
    return False


def fate_of(one, page_texts, left_out):
    """One of FATES. On a page it counts where its line, or one near it, is cited: the same
    number may be true of something else."""
    for page in page_texts:
        citations = pages.citations_of(page)
        for _, text, marks in pages.statements_of(page):
            if says(one, text) and cites(one, marks, citations):
                return "got through"
    return "refused" if any(says(one, lost["text"]) for lost in left_out) else "not used"
