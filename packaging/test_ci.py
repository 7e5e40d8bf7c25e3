# SPDX-License-Identifier: Apache-2.0
"""The steps in docs/ci.md are what their systems accept, and their commands work."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import xml.etree.ElementTree

import artifact
from checks import expect, need, output_of, skip, small_repository

try:
    import yaml
except ImportError:
    yaml = None


def document_blocks():
    text = (artifact.ROOT / "docs/ci.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```yaml\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return text, [yaml.safe_load(block) for block in blocks]


def steps_of(block):
    if isinstance(block, list):
        return block
    return [step for job in block.get("jobs", {}).values() for step in job["steps"]]


def check_action(text, steps, version):
    """Uses of the action name its inputs, and the table of inputs has each of them."""
    inputs = yaml.safe_load((artifact.ROOT / "action.yml").read_text(encoding="utf-8"))["inputs"]
    uses = [step for step in steps if step.get("uses", "").startswith("OWNER/sibyl@")]
    expect(len(uses) >= 2, f"uses of the action: {uses}")
    for step in uses:
        expect(step["uses"] == f"OWNER/sibyl@v{version}", f"{step['uses']} is not this version")
        expect(set(step["with"]) <= set(inputs), f"inputs {set(step['with']) - set(inputs)}")
    section = text.partition("| input | meaning |")[2].partition("\n\n")[0]
    listed = {name for row in section.splitlines()[2:]
              for name in re.findall(r"`([a-z]+)`", row.split("|")[1])}
    expect(listed == set(inputs), f"docs/ci.md lists the inputs {listed}, action.yml {set(inputs)}")
    checkouts = [step for step in steps if step.get("uses", "").startswith("actions/checkout@")]
    expect(all(step["with"]["fetch-depth"] == 0 for step in checkouts), "a shallow checkout")


def run_in(folder, program, lines, **environment):
    """Runs the lines as a runner does, which stops at the first that fails."""
    path = f"{pathlib.Path(program).parent}:{os.environ['PATH']}"
    return subprocess.run(["bash", "-eo", "pipefail", "-c", "\n".join(lines)], cwd=folder,
                          env={**os.environ, **environment, "PATH": path, "HOME": str(folder)},
                          capture_output=True, text=True, check=False)


def check_gitlab(block, repository, program):
    """The job passes, and writes the reports that it names."""
    job = next(iter(block.values()))
    expect(job["variables"]["GIT_DEPTH"] == 0, "GitLab clones without the history")
    done = run_in(repository, program, job["script"])
    expect(done.returncode == 0, f"GitLab's script: {done}")
    reports = job["artifacts"]["reports"]
    expect(json.loads((repository / reports["codequality"]).read_text()) == [], "the report")
    xml.etree.ElementTree.parse(repository / reports["junit"])
    (repository / "a.md").write_text("`second` (`a.cc:50`) returns 2.\n")
    done = run_in(repository, program, job["script"])
    report = json.loads((repository / reports["codequality"]).read_text())
    expect(done.returncode == 1 and report[0]["location"]["path"] == "a.md" and
           {"description", "check_name", "fingerprint", "severity", "location"} <= set(report[0]),
           f"GitLab's script on a wrong document: {report}")
    output_of(["git", "-C", repository, "checkout", "-q", "a.md"])


def check_pre_commit(block, repository, program, version):
    """The hooks are those that the repository offers, and their commands take files."""
    offered = yaml.safe_load((artifact.ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    entries = {hook["id"]: hook for hook in offered}
    expect(block["repos"][0]["rev"] == f"v{version}", "the version in pre-commit's configuration")
    names = {hook["id"] for hook in block["repos"][0]["hooks"]}
    expect(names <= set(entries), f"unknown hooks {names - set(entries)}")
    for name in ["sibyl-audit", "sibyl-audit-fix"]:
        done = run_in(repository, program, [entries[name]["entry"] + " a.md"])
        expect(done.returncode == 0, f"the hook {name}: {done}")


GH = """#!/bin/sh
# gh release download VERSION --repo NAME --pattern P --pattern P
[ "$1 $2" = "release download" ] && [ -n "$GH_TOKEN" ] && cp "$RELEASE"/sibyl-*-linux-x86_64.tar.gz . &&
sha256sum sibyl-*-linux-x86_64.tar.gz > SHA256SUMS
"""


def installed(step, repository, release, scratch):
    """Runs the step that installs a release, with a stand-in for GitHub; returns the program."""
    place, path = pathlib.Path(scratch) / "runner", pathlib.Path(scratch) / "path"
    place.mkdir()
    (place / "gh").write_text(GH)
    (place / "gh").chmod(0o755)
    expect(set(step["env"]) == {"GH_TOKEN"}, f"the step that installs: {step}")
    done = run_in(repository, place / "gh", [step["run"]], GH_TOKEN="x", RELEASE=str(release),
                  RUNNER_TEMP=str(place), GITHUB_PATH=str(path))
    expect(done.returncode == 0, f"the step that installs: {done}")
    expect(output_of(["git", "-C", repository, "status", "--porcelain"]) == "", "it leaves files")
    return pathlib.Path(path.read_text().strip()) / "sibyl"


def ci_steps(program, folder):
    need("git", "bash")
    if yaml is None:
        skip("PyYAML is not installed (package python3-yaml)")
    version = output_of([program, "version"]).split()[1]
    text, blocks = document_blocks()
    steps = [step for block in blocks if isinstance(block, list) or "jobs" in block
             for step in steps_of(block)]
    check_action(text, steps, version)
    with tempfile.TemporaryDirectory() as scratch:
        repository = small_repository(scratch)
        output_of(["git", "-C", repository, "update-ref", "refs/remotes/origin/main", "HEAD"])
        install, audit = [step for step in steps if "run" in step]
        program = installed(install, repository, folder, scratch)
        expect(output_of([program, "version"]).split()[1] == version, "the installed version")
        done = run_in(repository, program, [audit["run"]], GITHUB_BASE_REF="main")
        expect(done.returncode == 0, f"{audit}: {done}")
        gitlab = next(block for block in blocks if "citations" in block)
        check_gitlab(gitlab, repository, program)
        hooks = next(block for block in blocks if "repos" in block)
        check_pre_commit(hooks, repository, program, version)
    print(f"{len(blocks)} examples in docs/ci.md")


TESTS = [ci_steps]
