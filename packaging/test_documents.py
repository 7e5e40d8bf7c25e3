# SPDX-License-Identifier: Apache-2.0
"""What is written for other programs fits them: server.json, the configurations of agents, the
steps for CI, and the links of the documents in each package."""

import json
import pathlib
import posixpath
import re
import tarfile
import tempfile
import tomllib
import zipfile
from typing import NamedTuple

import artifact
import documents as packaged
from checks import check_mcp, expect, one, output_of, unpack


PLACEHOLDER = "OWNER"  # of the repository; docs/releasing.md says when it is filled in


def check_text(place, value, longest):
    expect(isinstance(value, str) and 1 <= len(value) <= longest,
           f"server.json: {place} is not a text of 1 to {longest} characters")


def check_argument(place, argument):
    expect(argument.get("type") in ("positional", "named"), f"server.json: type of {place}")
    needed = ["name"] if argument["type"] == "named" else ["value", "valueHint"]
    expect(any(argument.get(key) for key in needed), f"server.json: {place} has no value")


def check_package(place, package):
    known = {"registryType", "registryBaseUrl", "identifier", "version", "fileSha256", "runtimeHint",
             "runtimeArguments", "packageArguments", "environmentVariables", "transport"}
    expect(set(package) <= known, f"server.json: unknown keys in {place}: {set(package) - known}")
    expect(package["registryType"] in ("npm", "pypi", "oci", "nuget", "mcpb"),
           f"server.json: registryType of {place}")
    check_text(f"{place}: identifier", package["identifier"], 255)
    # One exact release: neither "latest" nor a range.
    expect(re.fullmatch(r"\d+\.\d+\.\d+([-+][0-9A-Za-z.-]+)?", package["version"]),
           f"server.json: version of {place}")
    expect(package["transport"] == {"type": "stdio"}, f"server.json: transport of {place}")
    for key in ["runtimeArguments", "packageArguments"]:
        for argument in package.get(key, []):
            check_argument(f"{place}: {key}", argument)
    words = [argument["value"] for argument in package["packageArguments"]]
    expect(words == ["mcp"], f"server.json: arguments {words}")


def check_server(server, version):
    """The rules of the registry's schema that concern this file, and one version everywhere.

    The owner of the repository is the only thing that is not known before it is published."""
    expect(re.fullmatch(r"https://static\.modelcontextprotocol\.io/schemas/\d{4}-\d\d-\d\d/"
                        r"server\.schema\.json", server["$schema"]), "server.json: $schema")
    known = {"$schema", "name", "title", "description", "version", "packages", "repository",
             "websiteUrl", "icons", "remotes", "_meta"}
    expect(set(server) <= known, f"server.json: unknown keys {set(server) - known}")
    expect(3 <= len(server["name"]) <= 200, "server.json: the length of the name")
    # A reverse domain name, one slash, a name.
    expect(re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", server["name"]), "server.json: name")
    owner = server["name"].removeprefix("io.github.").removesuffix("/sibyl")
    expect(re.fullmatch(r"[A-Za-z0-9](-?[A-Za-z0-9]){0,38}", owner),
           f"server.json: {owner} is not a name on GitHub")
    check_text("title", server["title"], 100)
    check_text("description", server["description"], 100)
    expect(server["version"] == version, f"server.json: version {server['version']}")
    expect({package["registryType"] for package in server["packages"]} == {"pypi", "npm"},
           "server.json: the packages")
    for number, package in enumerate(server["packages"]):
        check_package(f"packages[{number}]", package)
        expect(package["version"] == version, f"server.json: version of {package['registryType']}")
    rest = {**server, "name": ""}
    expect(PLACEHOLDER not in json.dumps(rest), "server.json: a placeholder besides the name")


class Schema(NamedTuple):
    """What an agent accepts for a server that it starts; facts of public schemas and documents."""
    key: str  # the member that has the servers
    others: set  # that may stand beside it; None: any, as in a file of settings
    members: dict  # {member of a server: type}
    needed: set


TEXTS = (list, str)
BASIC = {"command": str, "args": TEXTS, "env": dict}
# Read on 2026-11-19.
SCHEMAS = {
    # https://code.claude.com/docs/en/mcp: without "type" it is "stdio".
    ".mcp.json": Schema("mcpServers", set(), {**BASIC, "type": "stdio"}, {"command"}),
    # https://cursor.com/docs/mcp, the table of servers on standard input and output.
    ".cursor/mcp.json": Schema("mcpServers", set(), {**BASIC, "type": "stdio", "envFile": str},
                               {"command"}),
    # microsoft/vscode, src/vs/workbench/contrib/mcp/common/mcpConfiguration.ts; nothing else may be
    # in it.
    ".vscode/mcp.json": Schema("servers", {"inputs"},
                               {**BASIC, "type": "stdio", "cwd": str, "envFile": str, "dev": dict},
                               {"command"}),
    # openai/codex, codex-rs/core/config.schema.json, RawMcpServerConfig; those for stdio.
    "config.toml": Schema("mcp_servers", None,
                          {**BASIC, "cwd": str, "enabled": bool, "required": bool,
                           "enabled_tools": TEXTS, "disabled_tools": TEXTS,
                           "startup_timeout_sec": float, "tool_timeout_sec": float}, {"command"}),
    # zed-industries/zed, crates/settings_content/src/project.rs, ContextServerSettingsContent, and
    # https://zed.dev/docs/ai/mcp: "source" is not a member any more.
    "settings.json": Schema("context_servers", None,
                            {**BASIC, "enabled": bool, "remote": bool, "timeout": int}, {"command"}),
}


def fits(value, kind):
    if isinstance(kind, str):
        return value == kind
    if kind is TEXTS:
        return isinstance(value, list) and all(isinstance(each, str) for each in value)
    return isinstance(value, kind)


def check_configuration(name, configuration):
    """A configuration of an agent against what the agent accepts; returns the server."""
    schema = SCHEMAS[name]
    rest = set(configuration) - {schema.key}
    expect(schema.others is None or rest <= schema.others, f"{name}: unknown members {rest}")
    server = configuration[schema.key]["sibyl"]
    expect(schema.needed <= set(server), f"{name}: {server} lacks {schema.needed - set(server)}")
    for member, value in server.items():
        expect(member in schema.members, f"{name}: unknown member {member}")
        expect(fits(value, schema.members[member]), f"{name}: {member} is {value}")
    return server


def documents(program, folder):
    """server.json fits the program; every configuration in docs/agents.md fits its agent, and
    starts the program."""
    version = output_of([program, "version"]).split()[1]
    check_server(json.loads((artifact.ROOT / "server.json").read_text()), version)
    text = (artifact.ROOT / "docs/agents.md").read_text()
    blocks = re.findall(r"^```(json|toml) (\S+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    expect({name for _, name, _ in blocks} == set(SCHEMAS), f"configurations: {blocks}")
    for language, name, block in blocks:
        server = check_configuration(name, {"json": json.loads, "toml": tomllib.loads}[language](block))
        expect([server["command"], *server["args"]] in (["sibyl", "mcp"], ["sibyl", "-C", "@cuda", "mcp"]),
               f"{name}: {server}")
    with tempfile.TemporaryDirectory() as scratch:
        sibyl = unpack(folder, scratch) / "bin/sibyl"
        check_mcp([sibyl])
        check_mcp([sibyl, "-C", "@cuda"])


def targets_of(text):
    """The relative targets of the links of a document, without anchors."""
    is_code = False
    for line in text.split("\n"):
        if packaged.FENCE.match(line):
            is_code = not is_code
        elif not is_code:
            for _, _, target in packaged.LINK.findall(packaged.CODE_SPAN.sub("", line)):
                path = target.partition("#")[0]
                if path and not re.match(r"[a-z]+:", path):
                    yield path


def check_links(kind, files, names):
    """Every link of these documents leads to a file or folder of the package."""
    known = set(files) | set(artifact.folders_of(files))
    count = 0
    for name in names:
        for target in targets_of(files[name].decode()):
            place = posixpath.normpath(posixpath.join(posixpath.dirname(name), target))
            expect(place in known, f"{kind}: {name} links {target}, which is not in it")
            count += 1
    return count


def links(_, folder):
    """The README and docs/ of each package link only what is in it."""
    _, bundle = artifact.read_bundle(one(folder, "*.tar.gz"))
    files = {name: entry.data for name, entry in bundle.items()}
    read = [name for name in files if name.startswith(packaged.DOC) and name.endswith(".md") and
            "/examples/" not in name]
    count = check_links("the bundle", files, read)
    expect(count > 200 and f"{packaged.DOC}/docs/install.md" in read, f"{count} links in {read}")
    with tarfile.open(one(folder, "sibyl-*.tgz")) as archive:
        npm = {member.name: archive.extractfile(member).read() for member in archive}
    expect(check_links("the npm package", npm, ["package/README.md"]) > 20, "links of npm's README")
    with zipfile.ZipFile(one(folder, "*.whl")) as archive:
        metadata = next(name for name in archive.namelist() if name.endswith("/METADATA"))
        described = archive.read(metadata).decode()
    expect(not list(targets_of(described)), "the wheel's description has relative links")
    with tempfile.TemporaryDirectory() as scratch:
        output_of([packaged.__file__, scratch])  # as the .deb has them
        installed = sorted(path.relative_to(scratch).as_posix()
                           for path in pathlib.Path(scratch).rglob("*") if path.is_file())
    expect(installed == sorted(packaged.documents()), f"documents of the .deb: {installed}")
    print(f"{count} links in {len(read)} documents of the bundle")


TESTS = [documents, links]
