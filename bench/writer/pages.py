# SPDX-License-Identifier: Apache-2.0
"""What is on a page by a model: its points, its statements and the lines that they cite."""
import re

NOTE = re.compile(r"^\[\^([^\]]+)\]: .*<!-- (\S+) -->$")
MARK = re.compile(r"\[\^([^\]]+)\]")
POINT = re.compile(r"### (\d+\.\d+) (.*)$")


def citations_of(page):
    """By mark: (path, first line, last line); only of source lines."""
    cited = {}
    for line in page.split("\n"):
        note = NOTE.match(line)
        if not note:
            continue
        fields = dict(one.split("=", 1) for one in note.group(2).split(";") if "=" in one)
        lines = re.fullmatch(r"(\d+)(?:-(\d+))?", fields.get("lines", ""))
        if lines and "path" in fields:
            first = int(lines.group(1))
            cited[note.group(1)] = (fields["path"].lstrip("/"), first,
                                    int(lines.group(2) or first))
    return cited


def statements_of(page):
    """[(point, text without marks, [marks])] of what is below the headings of points."""
    statements = []
    point = None
    pending = ""  # a block of code: its marks are on the line after it
    fence = None
    for line in page.split("\n"):
        if fence is None and line.startswith("## "):
            point = None
        heading = POINT.match(line) if fence is None else None
        if heading:
            point = heading.group(2)
            continue
        if point is None:
            continue
        ticks = re.match(r"(`{3,}|~{3,})", line)
        if fence is not None:
            if ticks and line.startswith(fence) and not line.strip(fence[0]):
                fence = None
            else:
                pending += line + "\n"
            continue
        if ticks:
            fence, pending = ticks.group(1), ""
            continue
        marks = MARK.findall(line)
        text = MARK.sub("", line).strip()
        if not text and pending and marks:
            statements.append((point, pending.strip(), marks))
            pending = ""
        elif text:
            statements += sentences_of(point, line)
            pending = ""
    return statements


def sentences_of(point, line):
    """The sentences of a line, each with the marks behind it."""
    found = []
    begin = 0
    for end in re.finditer(r"(?:\[\^[^\]]+\])+", line):
        rest = line[end.end():]
        if rest and not re.match(r"\s+[A-Z0-9`\"*]|\s*\|\s*$", rest):
            continue
        found.append((point, MARK.sub("", line[begin:end.end()]).strip(),
                      MARK.findall(line[begin:end.end()])))
        begin = end.end()
    rest = MARK.sub("", line[begin:]).strip(" |")
    if rest:
        found.append((point, rest, []))
    return found


def points_of(page):
    """Of the table of planned points: {"answered", "contradicted", "known", "open"} with
    their titles. Answered is only what has a statement with a citation below its heading."""
    fates = {"answered": [], "contradicted": [], "known": [], "open": []}
    cited = {point for point, _, marks in statements_of(page) if marks}
    lines = iter(page.split("\n"))
    for line in lines:
        if line == "| planned | covered by |":
            break
    for line in lines:
        if not line.startswith("|"):
            break
        if not line.strip("|- "):
            continue
        title, _, where = line.strip("| ").rpartition(" | ")
        if where.startswith("known:"):
            fates["known"].append(title)
        elif not where.startswith("["):
            fates["open"].append(title)
        elif not any(plain(title) == plain(point) for point in cited):
            fates["open"].append(title)
        else:
            kind = "contradicted" if "contradicted" in where else "answered"
            fates[kind].append(title)
    return fates


def plain(text):
    return re.sub(r"[^a-z0-9]+", " ", text.lower()).strip()
