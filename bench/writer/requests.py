# SPDX-License-Identifier: Apache-2.0
"""What the requests of the model writer are, and whether an answer has the form that they
ask for."""
import re

STAGES = {
    "You prepare the search": "search",
    "You choose what": "reading",
    "You write one section": "writing",
    "You are shown numbered": "judging",
}


def text_of(content):
    """The text of a message, which may be a list of parts."""
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content)


def turns_of(body):
    """[(speaker, text)] of either protocol, with the rules as "system"."""
    turns = [("system", text_of(body["system"]))] if "system" in body else []
    return turns + [(one["role"], text_of(one["content"])) for one in body["messages"]]


def stage_of(body):
    """"search", "reading", "writing", "repair", "judging"; "other" for unknown rules."""
    turns = turns_of(body)
    system = next((text for speaker, text in turns if speaker == "system"), "")
    first = next((text for speaker, text in turns if speaker == "user"), "")
    for start, stage in STAGES.items():
        if system.startswith(start):
            is_repair = "A check did not confirm" in first or "You asked for more lines" in first
            return "repair" if stage == "writing" and is_repair else stage
    return "other"


def problem_of(body, answer):
    """Why an answer does not have the form that its request asks for; None if it has."""
    if not answer.strip():
        return "The answer is empty."
    turns = turns_of(body)
    first = next((text for speaker, text in turns if speaker == "user"), "")
    lines = [line.strip(" *`") for line in answer.splitlines()]
    stage = stage_of(body)
    if stage == "search":
        if not any(re.match(r"\d+\.\d+ (?:quer|name)", line) for line in lines):
            return 'No line has the form "1.2 query: words" or "1.2 names: words".'
    if stage == "reading":
        if not any(re.match(r"\d+:\s*(?:none|\[?k[b-t]{8})", line) for line in lines):
            return 'No line has the form "2: kbcdfghjk" or "2: none".'
    if stage == "writing":
        if not any(re.match(r"(?:> )?=== ?\d", line) for line in lines):
            return 'No line begins a point: "=== 1".'
    if stage == "repair":
        if not any(re.match(r"(?:#\d+|=== ?\d)", line) for line in lines):
            return 'No line begins with the number of a statement ("#1:") or a point ("=== 1").'
    if stage == "judging":
        asked = {int(number) for number in re.findall(r"^## (\d+)$", first, re.M)}
        given = {int(found.group(1)) for line in lines
                 if (found := re.match(r"(\d+)\W+(?:SUPPORTED|CONTRADICTED|NOT)", line))}
        if missing := sorted(asked - given):
            return (f"No verdict (\"3: SUPPORTED\", \"3: CONTRADICTED\", \"3: NOT ENOUGH\") for: "
                    f"{', '.join(map(str, missing))}.")
    return None
