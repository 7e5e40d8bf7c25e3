# SPDX-License-Identifier: Apache-2.0
"""What the tests of the packages have in common."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

import artifact

HERE = pathlib.Path(__file__).resolve().parent


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(77)


def need(*programs):
    for program in programs:
        if not shutil.which(program):
            skip(f"{program} is not installed")


def need_bubblewrap():
    need("bwrap")
    if subprocess.run(["bwrap", "--ro-bind", "/", "/", "true"], check=False).returncode != 0:
        skip("bubblewrap may not create namespaces here")


def output_of(command, **options):
    """Standard output of a command that must succeed."""
    done = subprocess.run(list(map(str, command)), text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stdout}")
    return done.stdout


def expect(condition, message):
    if not condition:
        sys.exit(f"failed: {message}")


def one(folder, pattern):
    found = list(pathlib.Path(folder).glob(pattern))
    expect(len(found) == 1, f"{len(found)} files {pattern} in {folder}")
    return found[0]


def make(program, folder):
    shutil.rmtree(folder, ignore_errors=True)
    print(output_of([sys.executable, HERE / "bundle.py", program, folder]), end="")
    for script in ["wheel.py", "npm.py", "image.py"]:
        print(output_of([sys.executable, HERE / script, one(folder, "*.tar.gz"), folder]), end="")


def unpack(folder, target):
    output_of(["tar", "xzf", one(folder, "*.tar.gz"), "-C", target])
    return one(target, "sibyl-*")


def bare(root, *words, binds=(), path=None, **options):
    """Runs the program in a root that has only the folder `root` as /sibyl, and /proc."""
    command = ["bwrap", "--unshare-all", "--die-with-parent", "--clearenv", "--ro-bind", root,
               "/sibyl", "--proc", "/proc"]
    for source, place in binds:
        command += ["--ro-bind", source, place]
    if path:
        command += ["--dev", "/dev", "--tmpfs", "/tmp", "--setenv", "HOME", "/tmp",
                    "--setenv", "PATH", path]
    return output_of([*command, *options.pop("more", []), *words], **options)


def small_repository(folder):
    need("git")
    repository = pathlib.Path(folder) / "repository"
    repository.mkdir()
    (repository / "a.cc").write_text("int first() {\n  return 1;\n}\n\nint second() {\n  return 2;\n}\n")
    (repository / "a.md").write_text("# Notes\n\n`second` (`a.cc:5-7`) returns 2.\n")
    git = ["git", "-C", repository, "-c", "user.name=a", "-c", "user.email=a@example.org"]
    output_of([*git, "init", "-q"])
    output_of([*git, "add", "-A"])
    output_of([*git, "commit", "-q", "-m", "one"])
    return repository


def check_mcp(command):
    """The program answers the first request of an MCP client."""
    request = {"jsonrpc": "2.0", "id": 1, "method": "initialize",
               "params": {"protocolVersion": "2025-11-25", "capabilities": {},
                          "clientInfo": {"name": "test", "version": "1"}}}
    answer = output_of([*command, "mcp"], input=json.dumps(request) + "\n")
    name = json.loads(answer.splitlines()[0])["result"]["serverInfo"]["name"]
    expect(name == "sibyl", f"mcp answered {answer}")


def check_ask(command, **options):
    """The CUDA oracle of the package answers from its pages, although none of its sources is at
    hand; words need no quotes."""
    answer = json.loads(output_of([*command, "-C", "@cuda", "ask", "--json", "can", "two",
                                   "profilers", "use", "CUPTI", "at", "once"], **options))
    first = answer["statements"][0]
    expect("CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED" in first["text"] and
           first["page"].endswith("26-cupti.md"), f"ask answered {answer}")


def check_doctor(command, kind, **options):
    """It knows the package that it came in, with the CUDA oracle, and has a command for every
    program that is missing."""
    answer = json.loads(output_of([*command, "doctor", "--json"], **options))
    expect(answer["installation"]["kind"] == kind, f"doctor says {answer['installation']}")
    expect([row["name"] for row in answer["oracles"]] == ["@cuda"],
           f"doctor lists the oracles {answer['oracles']}")
    for row in answer["programs"]:
        expect(row["path"] or (row["needed_for"] and row["install"]), f"doctor says {row}")
    return answer
