#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lab lines (docs/formats/lab.md) from files or standard input as a table for people."""
import json
import sys


def rows(lines):
    for line in lines:
        try:
            record = json.loads(line)
        except ValueError:
            continue
        params = " ".join(str(value) for value in record.get("params", {}).values())
        head = (record["lab"], record["variant"], params)
        if "metric" not in record:
            word = "skip" if "skip" in record else "failure"
            yield (*head, word, record.get(word, ""), "", "")
            continue
        value = f"{record['value']:.5g} {record['unit']}"
        times = record["x_floor"]
        error = record["max_rel_err"]
        clocks = record.get("clocks", {})
        notes = f"±{100 * record['noise']:.1f}%"
        if clocks.get("sm_mhz"):
            notes += f" {clocks['sm_mhz']}MHz {clocks['throttle']}"
        yield (*head, record["metric"], value, "" if times is None else f"{times:.3f}x floor",
               notes + ("" if error is None else f" err {error:.1e}"))


def main(paths):
    lines = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            lines += file
    table = list(rows(lines if paths else sys.stdin))
    if not table:
        return
    # The last column may be as long as it likes.
    widths = [max(len(row[i]) for row in table) for i in range(6)]
    widths[4] = min(widths[4], 40)
    for row in table:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)), row[6])


main(sys.argv[1:])
