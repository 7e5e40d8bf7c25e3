# SPDX-License-Identifier: Apache-2.0
"""The ten tasks of docs/first-hour.md, run from the bundle in an empty home: every command has the
exit status that the document says, and prints what it shows. Blocks without a status make what a
task works on, so that nothing but the document is needed. SIBYL_UPDATE=1 writes the times of this run
into it."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time
from typing import NamedTuple

import artifact
from checks import expect, need, one, skip

DOCUMENT = artifact.ROOT / "docs/first-hour.md"
# What the tasks need: the toolkit and the manual whose outputs are shown.
NEEDED = ["/usr/local/cuda/lib64/libcublas.so.13", "/usr/share/cmake-3.25/Help"]
# The day, and the hash of the compiler and the sources of a lab.
CHANGING = re.compile(r"\d{4}-\d\d-\d\d|(?<=/labs/)[0-9a-f]{16}")


class Task(NamedTuple):
    section: int
    commands: list  # [(command, output)] of one block
    status: int  # of the last command
    seconds: str  # as written; empty if the block only makes files
    place: int  # of the time in the document


def command_of(block):
    """(command with its here-document, output) of what follows "$ "."""
    lines = block.split("\n")
    end = lines.index("EOF") if "<<'EOF'" in lines[0] else 0
    return "\n".join(lines[:end + 1]), "\n".join(lines[end + 1:])


def tasks_of(text):
    """The sessions of the document; most are followed by an exit status and a time."""
    section, found = 0, []
    for match in re.finditer(r"^## (\d+)\.|^```\n(.*?)^```\n\n(?:Exit status (\d+), ([\d.]+) s)?", text,
                             re.MULTILINE | re.DOTALL):
        if match.group(1):
            section = int(match.group(1))
            continue
        if not match.group(2).startswith("$ "):
            continue
        blocks = re.split(r"^\$ ", match.group(2), flags=re.MULTILINE)[1:]
        commands = [command_of(block) for block in blocks]
        found.append(Task(section, commands, int(match.group(3) or 0), match.group(4) or "",
                          match.start(4)))
    return found


def shows(shown, output):
    """Whether the output has the shown lines in order, where "…" stands for any lines."""
    lines, place = CHANGING.sub("", output).rstrip("\n").split("\n"), 0
    may_skip = False
    for line in CHANGING.sub("", shown).rstrip("\n").split("\n"):
        if line.strip() == "…":
            may_skip = True
            continue
        wanted = line.removesuffix("…")
        same = [at for at in range(place, len(lines)) if lines[at].startswith(wanted)]
        if not same or (not may_skip and same[0] != place):
            return False
        place, may_skip = same[0] + 1, False
    return may_skip or place == len(lines)


def run_task(task, folder, environment):
    """(status of the last command, its seconds, whether all outputs are as shown)."""
    is_same = True
    began = time.perf_counter()
    for command, shown in task.commands:
        # A reader changes into it there, and back after that.
        repository = folder / "repo"
        place = repository if task.section == 5 and repository.exists() else folder
        done = subprocess.run(["bash", "-c", f"exec 2>&1; {command}"], cwd=place, env=environment,
                              stdout=subprocess.PIPE, text=True, check=False)
        if shown and not shows(shown, done.stdout.replace(environment["HOME"], "~")):
            print(f"differs: {command}\n--- printed\n{done.stdout}---")
            is_same = False
    return done.returncode, time.perf_counter() - began, is_same


def first_hour(_, folder):
    need("git", "bash", "patch")
    for path in NEEDED:
        if not pathlib.Path(path).exists():
            skip(f"{path} is not there; docs/first-hour.md is about machines that have it")
    text = DOCUMENT.read_text(encoding="utf-8")
    tasks, times, differing = tasks_of(text), [], 0
    expect({task.section for task in tasks} == set(range(1, 11)), f"tasks: {tasks}")
    with tempfile.TemporaryDirectory() as home:
        place = pathlib.Path(home) / "try"
        place.mkdir()
        shutil.copy(one(folder, "*.tar.gz"), place)
        (pathlib.Path(home) / "bin").mkdir()
        (pathlib.Path(home) / "bin/sibyl").symlink_to(
            place / one(folder, "*.tar.gz").name.removesuffix(".tar.gz") / "bin/sibyl")
        environment = {"HOME": home, "LC_ALL": "C.UTF-8",
                       "PATH": f"{home}/bin:/usr/local/cuda/bin:/usr/local/bin:/usr/bin:/bin"}

        for task in tasks:
            status, seconds, is_same = run_task(task, place, environment)
            expect(status == task.status, f"{task.commands[-1][0]}: exit status {status}")
            differing += not is_same
            if task.seconds:
                print(f"{task.section:2}  {seconds:6.2f} s  {task.commands[-1][0]}", flush=True)
                times.append((task, seconds))
    if os.environ.get("SIBYL_UPDATE"):
        for task, seconds in reversed(times):
            text = f"{text[:task.place]}{seconds:.2f}{text[task.place + len(task.seconds):]}"
        DOCUMENT.write_text(text, encoding="utf-8")
    expect(differing == 0, f"{differing} of {len(tasks)} outputs are not as shown")


TESTS = [first_hour]
