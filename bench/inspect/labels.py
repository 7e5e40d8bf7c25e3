# SPDX-License-Identifier: Apache-2.0
"""Reads and checks the labels of a set; README.md describes the format."""
import collections
import json

ANSWERS = {"native": "native", "compiled": "jit", "partly": "partly", "no": "not", "no code": "no-code"}
NEEDED = {
    "file": {"id", "kind", "file", "mistakes"},
    "binary": {"id", "kind", "gpu", "answer"},
    "name": {"id", "kind", "name", "answer"},
}
ALLOWED = {
    "file": {"gpu", "driver", "right"},
    "binary": {"file", "make", "driver", "why"},
    "name": {"nearest", "why"},
}

class MalformedSet(Exception):
    pass


def read_lines(path):
    rows = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            rows.append(json.loads(line))
        except json.JSONDecodeError as error:
            raise MalformedSet(f"{path}:{number}: {error}") from error
    return rows


def check_lines(where, marks, length):
    for mark in marks:
        lines = mark.get("lines")
        if not isinstance(lines, list) or not lines or not mark.get("why"):
            raise MalformedSet(f"{where}: needs 'lines', a list of numbers, and 'why'")
        if not all(isinstance(line, int) and 1 <= line <= length for line in lines):
            raise MalformedSet(f"{where}: lines {lines}, but the file has {length}")
        if not isinstance(mark.get("words", []), list):
            raise MalformedSet(f"{where}: 'words' is a list")


def check_item(folder, item):
    where = f"item {item.get('id')}"
    kind = item.get("kind")
    if kind not in NEEDED:
        raise MalformedSet(f"{where}: unknown kind {kind!r}")
    missing, unknown = NEEDED[kind] - set(item), set(item) - NEEDED[kind] - ALLOWED[kind]
    if missing or unknown:
        raise MalformedSet(f"{where}: missing {sorted(missing)}, unknown {sorted(unknown)}")
    if kind == "file":
        path = folder / item["file"]
        if not path.is_file():
            raise MalformedSet(f"{where}: there is no file {item['file']}")
        length = len(path.read_bytes().splitlines())
        check_lines(where, item["mistakes"], length)
        check_lines(where, item.get("right", []), length)
        if any(not mistake.get("class") for mistake in item["mistakes"]):
            raise MalformedSet(f"{where}: every mistake needs a 'class'")
    if kind == "binary":
        answers = item["answer"] if isinstance(item["answer"], list) else [item["answer"]]
        if not set(answers) <= set(ANSWERS):
            raise MalformedSet(f"{where}: an answer is one of {sorted(ANSWERS)}")
        if not item.get("file"):
            raise MalformedSet(f"{where}: needs 'file'")


def read_set(folder):
    items = read_lines(folder / "set.jsonl")
    ids = collections.Counter(item.get("id") for item in items)
    twice = [name for name, count in ids.items() if count > 1]
    if twice:
        raise MalformedSet(f"ids that occur twice: {twice}")
    for item in items:
        check_item(folder, item)
    reviewed = folder / "reviewed.jsonl"
    rows = read_lines(reviewed) if reviewed.exists() else []
    return items, {(row["id"], row["line"], row["code"]): row["right"] for row in rows}
