#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Installs and uses each package from its file: test.py NAME PROGRAM FOLDER

'make' builds the packages in FOLDER; the others use them. Exits 77 (skipped) with the reason
where a program is missing.
"""

import functools
import http.server
import json
import os
import pathlib
import shutil
import ssl
import struct
import subprocess
import sys
import tempfile
import threading
import time

import artifact
import test_ci
import test_deb
import test_documents
import test_first_hour
import test_roots
import unused
from checks import (HERE, bare, check_ask, check_doctor, check_mcp, expect, make, need,
                    need_bubblewrap, one, output_of, skip, small_repository, unpack)
from test_deb import deb_file

MEGABYTE = 1_000_000
MOST_BYTES = 25 * MEGABYTE
MOST_SECONDS_TO_FIRST_BYTE = 0.010


def bare_root(program, folder):
    need_bubblewrap()
    version = output_of([program, "version"])
    with tempfile.TemporaryDirectory() as scratch:
        root = unpack(folder, scratch)
        sibyl = "/sibyl/bin/sibyl"
        expect(bare(root, sibyl, "version") == version, "another version")
        expect("x86_64" in bare(root, sibyl, "inspect", sibyl), "inspect of an ELF file")
        answer = json.loads(bare(root, sibyl, "doctor", "--json"))
        expect(answer["installation"] == {"kind": "bundle", "path": "/sibyl",
                                          "text": "bundle in /sibyl"}, str(answer["installation"]))
        missing = {row["name"] for row in answer["programs"] if row["path"] is None}
        expect(missing == {"git", "pdftotext", "bwrap", "nvcc", "cmake", "c++"}, f"missing: {missing}")
        # Through a link, as people put it into ~/.local/bin.
        link = ["--symlink", sibyl, "/bin/sibyl"]
        check_ask(["bwrap", "--unshare-all", "--clearenv", "--ro-bind", root, "/sibyl", "--proc",
                   "/proc", "--tmpfs", "/tmp", "--setenv", "HOME", "/tmp", sibyl])
        expect(bare(root, "/bin/sibyl", "version", more=link) == version, "through a link")
        # Without /proc, by a relative path.
        hidden = ["--tmpfs", "/proc", "--chdir", "/sibyl/bin"]
        expect(bare(root, "./sibyl", "version", more=hidden) == version, "without /proc")
        check_ask(["bwrap", "--unshare-all", "--clearenv", "--ro-bind", root, "/sibyl", "--tmpfs",
                   "/tmp", "--chdir", "/sibyl/bin", "./sibyl"])


def without_home(_, folder):
    """The CUDA oracle answers an unprivileged user without a home, in a root that cannot be
    written to, and where the cache belongs to somebody else."""
    need_bubblewrap()
    with tempfile.TemporaryDirectory() as scratch:
        root = unpack(folder, scratch)
        command = ["bwrap", "--unshare-all", "--uid", "1000", "--gid", "1000", "--die-with-parent",
                   "--clearenv", "--ro-bind", root, "/sibyl", "--proc", "/proc"]
        empty = pathlib.Path(scratch) / "home"
        # Made by root, which asked an oracle but fetched no source.
        (empty / ".cache/sibyl/index/latest").mkdir(parents=True)
        for where in [["--tmpfs", "/tmp"], ["--tmpfs", "/dev/shm"],
                      ["--tmpfs", "/tmp", "--setenv", "HOME", "/nowhere"],
                      ["--tmpfs", "/tmp", "--ro-bind", empty, "/h", "--setenv", "HOME", "/h"]]:
            sibyl = [*command, *where, "--remount-ro", "/", "/sibyl/bin/sibyl"]
            check_ask(sibyl)
            found = subprocess.run([*map(str, sibyl), "-C", "@cuda", "search", "stream", "capture"],
                                   capture_output=True, text=True, check=False)
            expect("cudaErrorStreamCapture" in found.stdout and len(found.stderr.splitlines()) <= 1,
                   f"search: {found}")


def check_no_gpu(sibyl, environment):
    """Without a GPU or its driver, it says so before it builds anything."""
    if pathlib.Path("/proc/driver/nvidia/version").exists():
        return
    done = subprocess.run([sibyl, "lab", "run", "graphs"], env=environment, capture_output=True,
                          text=True, check=False)
    expect(done.returncode == 2 and "no NVIDIA GPU or driver" in done.stderr and
           "--build-only" in done.stderr, done.stderr)
    home = pathlib.Path(environment["HOME"])
    expect(not list(home.glob(".cache/sibyl/labs/*")), "it built a lab that cannot run")


def labs(_, folder):
    """Listed from the bundle with nothing built; built once, in the cache, with nvcc."""
    need("cmake", "c++")
    nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    with tempfile.TemporaryDirectory() as scratch:
        sibyl = unpack(folder, scratch) / "bin/sibyl"
        environment = {"PATH": f"{pathlib.Path(nvcc).parent}:/usr/bin:/bin", "HOME": scratch}
        listed = json.loads(output_of([sibyl, "lab", "list", "--json"], env=environment))["labs"]
        names = {row["lab"] for row in listed}
        expect({"gemm", "graphs", "texture", "training"} <= names and len(names) >= 23, f"labs: {names}")
        expect(all(row["question"] for row in listed), f"a lab without a question: {listed}")
        build = [sibyl, "lab", "run", "graphs", "--build-only"]
        none = subprocess.run(build, env={"PATH": "/none", "HOME": scratch}, capture_output=True,
                              text=True, check=False)
        missing = "cmake" if pathlib.Path("/usr/local/cuda/bin/nvcc").exists() else "nvcc"
        expect(none.returncode == 2 and f"{missing} is not installed" in none.stderr, none.stderr)
        check_no_gpu(sibyl, environment)
        if not pathlib.Path(nvcc).exists():
            skip("nvcc is not installed; labs were only listed")

        def run():
            began = time.perf_counter()
            shown = output_of(build, env=environment)
            expect(shown.strip().endswith("/bin/lab_graphs"), shown)
            return time.perf_counter() - began

        first, second = run(), run()
        print(f"the first build took {first:.1f} s, the second {second:.2f} s")
        built = list(pathlib.Path(scratch).glob(".cache/sibyl/labs/*/bin/lab_graphs"))
        expect(len(built) == 1, f"built programs: {built}")


def with_git(program, folder):
    """git of the host runs with the libraries of the host."""
    need_bubblewrap()
    host = [(place, place) for place in ["/usr", "/lib", "/lib64", "/bin"]
            if pathlib.Path(place).exists()]
    with tempfile.TemporaryDirectory() as scratch:
        repository = small_repository(scratch)
        root = unpack(folder, scratch)
        shown = bare(root, "/sibyl/bin/sibyl", "audit", "/repository", path="/usr/bin:/bin",
                     binds=[*host, (repository, "/repository")])
        expect("1 hold" in shown, shown)
        expect(shown == output_of([program, "audit", repository]).replace(str(repository),
                                                                          "/repository"), shown)


def https(_, folder):
    """libcurl works with the stand-ins of packaging/unused.py and finds certificates."""
    need("openssl")
    with tempfile.TemporaryDirectory() as scratch:
        here = pathlib.Path(scratch)
        output_of(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
                   "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
                   "-keyout", here / "key.pem", "-out", here / "certificate.pem"])
        text = "The launcher replaces itself with the bundled loader, ローダー. " * 40
        (here / "page").mkdir()
        (here / "page/a.html").write_text(
            '<html><head><meta charset="shift_jis"><title>A page</title></head><body><h1>A page</h1>'
            f"<p>{text}</p></body></html>", encoding="shift_jis")
        handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=here / "page")
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(here / "certificate.pem", here / "key.pem")
        server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        sibyl = unpack(folder, here) / "bin/sibyl"
        environment = {"PATH": os.environ["PATH"], "HOME": scratch, "SIBYL_WEB_ALLOW": "localhost"}
        output_of([sibyl, "init", here / "oracle"], env=environment)
        command = [sibyl, "-C", here / "oracle", "source", "add",
                   f"https://localhost:{server.server_address[1]}/a.html", "--name", "page"]
        refused = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        expect(refused.returncode == 2 and "certificate" in refused.stderr, refused.stderr)
        output_of(command, env={**environment, "SSL_CERT_FILE": str(here / "certificate.pem")})
        shown = output_of([sibyl, "-C", here / "oracle", "search", "bundled loader"], env=environment)
        expect("ローダー" in shown, shown)


def old_kernel(program, folder):
    """Every system call that is newer than Linux 4.18 is answered as that kernel does."""
    need_bubblewrap()
    last_of_4_18 = 334  # rseq, on x86-64
    program_of_filter = b"".join(struct.pack("HBBI", *row) for row in [
        (0x20, 0, 0, 0),                      # load the number of the system call
        (0x25, 0, 1, last_of_4_18),           # if it is greater
        (0x06, 0, 0, 0x00050000 | 38),        # return ENOSYS
        (0x06, 0, 0, 0x7fff0000)])            # else allow
    with tempfile.TemporaryDirectory() as scratch, tempfile.TemporaryFile() as file:
        root = unpack(folder, scratch)
        for words in [["version"], ["inspect", "/sibyl/bin/sibyl"], ["init", "/w/oracle"], ["doctor"]]:
            file.seek(0)
            file.write(program_of_filter)
            file.seek(0)
            bare(root, "/sibyl/bin/sibyl", *words, pass_fds=[file.fileno()],
                 more=["--tmpfs", "/w", "--seccomp", str(file.fileno())])
    del program


def reproducible(program, folder):
    """A second run, at another time and place, writes the same bytes."""
    with tempfile.TemporaryDirectory() as scratch:
        second = pathlib.Path(scratch) / "second"
        os.umask(0o077)
        os.environ.update(TZ="Asia/Tokyo", LC_ALL="C")
        make(program, second)
        names = sorted(path.name for path in second.iterdir())
        expect(len(names) == 4, f"files: {names}")
        for name in names:
            same = (second / name).read_bytes() == (pathlib.Path(folder) / name).read_bytes()
            expect(same, f"{name} differs between two runs")


def size(_, folder):
    for path in pathlib.Path(folder).iterdir():
        print(f"{path.name}: {path.stat().st_size / MEGABYTE:.1f} MB")
        expect(path.stat().st_size < MOST_BYTES, f"{path.name} is too large")
    said = f"{one(folder, 'sibyl-*.tar.gz').stat().st_size / MEGABYTE:.0f} MB"
    for name in ["README.md", "docs/first-hour.md"]:
        text = (artifact.ROOT / name).read_text(encoding="utf-8")
        expect(said in text, f"{name} does not say {said}")


def start(_, folder):
    """The time to the first byte. On a busy machine only the fastest run tells something."""
    with tempfile.TemporaryDirectory() as scratch:
        sibyl = unpack(folder, scratch) / "bin/sibyl"
        best = 1.0
        for run in range(400):
            began = time.perf_counter()
            with subprocess.Popen([sibyl, "version"], stdout=subprocess.PIPE) as process:
                process.stdout.read(1)
                best = min(best, time.perf_counter() - began)
            if run >= 40 and best < MOST_SECONDS_TO_FIRST_BYTE:
                break
        print(f"first byte after {best * 1000:.1f} ms, the fastest of {run + 1} runs")
        busy = os.getloadavg()[0]
        if best >= MOST_SECONDS_TO_FIRST_BYTE and busy > os.cpu_count():
            skip(f"the machine is busy: load {busy:.1f} on {os.cpu_count()} processors")
        expect(best < MOST_SECONDS_TO_FIRST_BYTE, "the start is too slow")


def wheel(program, folder):
    version = output_of([program, "version"])
    with tempfile.TemporaryDirectory() as scratch:
        environment = pathlib.Path(scratch) / "venv"
        python = environment / "bin/python"
        made = subprocess.run([sys.executable, "-m", "venv", environment], capture_output=True,
                              text=True, check=False)
        if made.returncode != 0:
            skip(f"python3 -m venv: {made.stdout.strip().splitlines()[:1]}")
        install = [python, "-m", "pip", "install", "-q", "--no-index", "--disable-pip-version-check"]
        output_of([*install, one(folder, "*.whl")])
        sibyl = [environment / "bin/sibyl"]
        expect(output_of([*sibyl, "version"]) == version, "the console script")
        expect(output_of([python, "-m", "sibyl", "version"]) == version, "python -m sibyl")
        check_doctor(sibyl, "wheel")
        check_mcp(sibyl)
        expect("elf" in output_of([*sibyl, "inspect", program]), "inspect")
        output_of([*sibyl, "audit", small_repository(scratch)])
        check_ask(sibyl, env={**os.environ, "HOME": scratch, "XDG_CACHE_HOME": f"{scratch}/cache"})
        shared = {path.name for path in (environment / "share").rglob("*sibyl*")}
        expect({"sibyl.1", "sibyl", "_sibyl", "sibyl.fish"} <= shared, f"man page, completions: {shared}")
        target = pathlib.Path(scratch) / "target"
        output_of([*install, "--target", target, one(folder, "*.whl")])
        expect(output_of([python, "-m", "sibyl", "version"], env={"PYTHONPATH": str(target)}) ==
               version, "pip install --target")
        output_of([python, "-m", "pip", "check"])
        output_of([python, "-m", "pip", "uninstall", "-q", "-y", "sibyl"])
        left = [path for path in environment.rglob("*") if "sibyl" in path.name]
        expect(not left, f"pip uninstall leaves {left}")


def npm(program, folder):
    need("npm", "npx", "node")
    version = output_of([program, "version"])
    package = one(folder, "*.tgz")
    with tempfile.TemporaryDirectory() as scratch:
        environment = {**os.environ, "npm_config_cache": f"{scratch}/cache",
                       "npm_config_offline": "true", "npm_config_update_notifier": "false",
                       "npm_config_audit": "false", "npm_config_fund": "false", "HOME": scratch}
        project = pathlib.Path(scratch) / "project"
        project.mkdir()
        (project / "package.json").write_text('{"name": "x", "version": "1.0.0"}')
        output_of(["npm", "install", "--silent", package], cwd=project, env=environment)
        sibyl = [project / "node_modules/.bin/sibyl"]
        expect(output_of([*sibyl, "version"]) == version, "node_modules/.bin/sibyl")
        expect(output_of(["npx", "--no-install", "sibyl", "version"], cwd=project,
                         env=environment) == version, "npx in a project")
        expect(output_of(["npx", "--yes", "--package", package, "sibyl", "version"], cwd=scratch,
                         env=environment) == version, "npx from the file")
        check_doctor(sibyl, "npm")
        check_mcp(sibyl)
        expect("elf" in output_of([*sibyl, "inspect", program]), "inspect")
        output_of([*sibyl, "audit", small_repository(scratch)])
        check_ask(sibyl, env={**environment, "XDG_CACHE_HOME": f"{scratch}/cache"})
        everywhere = pathlib.Path(scratch) / "prefix"
        output_of(["npm", "install", "-g", "--silent", "--prefix", everywhere, package], cwd=scratch,
                  env=environment)
        expect((everywhere / artifact.MAN).exists(), "npm install -g: no man page")
        output_of(["npm", "uninstall", "--silent", "sibyl"], cwd=project, env=environment)
        left = list(project.rglob("*sibyl*"))
        expect(not left, f"npm uninstall leaves {left}")


def check_audit_in_image(command, entry, scratch):
    """The image has no git, and says so; with the git of another system it audits."""
    repository = small_repository(scratch)
    bound = [*command, "--dev", "/dev", "--tmpfs", "/tmp", "--setenv", "HOME", "/tmp",
             "--ro-bind", repository, "/r"]
    none = subprocess.run([*map(str, [*bound, *entry, "audit", "/r"])], capture_output=True,
                          text=True, check=False)
    expect(none.returncode == 2 and "git" in none.stderr, f"audit without git: {none}")
    host = [place for place in ["/usr", "/lib", "/lib64", "/bin"] if pathlib.Path(place).exists()]
    for place in host:
        bound += ["--ro-bind", place, place]
    shown = output_of([*bound, "--setenv", "PATH", "/usr/bin:/bin", *entry, "audit", "/r"])
    expect("1 hold" in shown, shown)


def image(program, folder):
    archive = one(folder, "*-oci.tar")
    shown = json.loads(output_of([program, "inspect", archive, "--json"]))["artifacts"][0]
    facts = {fact["key"]: fact["value"] for fact in shown["facts"]}
    expect(shown["kind"] == "image" and facts["layers"] == 1 and facts["files"] > 100,
           f"inspect shows {shown}")
    need_bubblewrap()
    with tempfile.TemporaryDirectory() as scratch:
        layout = pathlib.Path(scratch) / "layout"
        root = pathlib.Path(scratch) / "root"
        layout.mkdir()
        root.mkdir()
        output_of(["tar", "xf", archive, "-C", layout])
        unpacked = json.loads(output_of([program, "inspect", layout, "--json"]))["artifacts"][0]
        # Without citations: a folder has no hash.
        found = {fact["key"]: fact["value"] for fact in unpacked["facts"]}
        expect(found == facts, f"inspect of the folder shows {unpacked}")

        def blob(described):
            return layout / "blobs" / described["digest"].replace(":", "/")

        index = json.loads((layout / "index.json").read_text())
        manifest = json.loads(blob(index["manifests"][0]).read_text())
        config = json.loads(blob(manifest["config"]).read_text())
        for layer in manifest["layers"]:
            expect(blob(layer).stat().st_size == layer["size"], "the size of a layer")
            output_of(["tar", "xzf", blob(layer), "-C", root])
        command = ["bwrap", "--unshare-all", "--clearenv", "--bind", root, "/", "--proc", "/proc",
                   "--chdir", config["config"]["WorkingDir"]]
        for variable in config["config"]["Env"]:
            command += ["--setenv", *variable.split("=", 1)]
        sibyl = [*command, *config["config"]["Entrypoint"]]
        expect(output_of([*sibyl, "version"]) == output_of([program, "version"]), "the version")
        check_doctor(sibyl, "image")
        check_mcp(sibyl)
        expect((root / "tmp").stat().st_mode & 0o7777 == 0o1777, "/tmp is for everyone")
        expect("x86_64" in output_of([*sibyl, "inspect", config["config"]["Entrypoint"][0]]),
               "inspect")
        check_audit_in_image(command, config["config"]["Entrypoint"], scratch)
        check_ask(sibyl)


def podman(_, folder):
    """The image loads as an OCI archive, and as the archive that `docker load` reads."""
    need("podman")
    archive = one(folder, "*-oci.tar")
    with tempfile.TemporaryDirectory() as scratch:
        storage = ["podman", "--root", f"{scratch}/root", "--runroot", f"{scratch}/run",
                   "--storage-driver", "vfs"]
        names = []
        for kind in ["oci-archive", "docker-archive"]:
            names.append(output_of([*storage, "pull", "--quiet", f"{kind}:{archive}"]).split()[-1])
            shown = json.loads(output_of([*storage, "image", "inspect", names[-1]]))[0]
            expect(shown["Config"]["Entrypoint"][0].endswith("/bin/sibyl"), f"{kind}: {shown}")
        expect(names[0] == names[1], f"two images: {names}")
        output_of([*storage, "image", "rm", "--force", names[0]])


def installed_deb(program, scratch):
    output_of(["dpkg-deb", "-x", deb_file(program, scratch), scratch / "root"])
    return scratch / "root/usr/bin/sibyl"


def installed_wheel(folder, scratch):
    output_of([sys.executable, "-m", "venv", scratch / "venv"])
    output_of([scratch / "venv/bin/python", "-m", "pip", "install", "-q", "--no-index",
               "--disable-pip-version-check", one(folder, "*.whl")])
    return scratch / "venv/bin/sibyl"


def installed_npm(folder, scratch):
    (scratch / "project").mkdir()
    (scratch / "project/package.json").write_text('{"name": "x", "version": "1.0.0"}')
    output_of(["npm", "install", "--silent", "--offline", "--no-audit", "--no-fund",
               one(folder, "*.tgz")], cwd=scratch / "project",
              env={**os.environ, "npm_config_cache": f"{scratch}/cache", "HOME": str(scratch)})
    return scratch / "project/node_modules/.bin/sibyl"


def unpacked_image(folder, scratch):
    """A script that starts `sibyl mcp` in the image alone, and what prepares the oracle outside."""
    layout, root = scratch / "layout", scratch / "root-of-image"
    layout.mkdir()
    root.mkdir()
    output_of(["tar", "xf", one(folder, "*-oci.tar"), "-C", layout])

    def blob(described):
        return layout / "blobs" / described["digest"].replace(":", "/")

    index = json.loads((layout / "index.json").read_text())
    manifest = json.loads(blob(index["manifests"][0]).read_text())
    config = json.loads(blob(manifest["config"]).read_text())["config"]
    for layer in manifest["layers"]:
        output_of(["tar", "xzf", blob(layer), "-C", root])
    script = scratch / "sibyl-of-image"
    script.write_text(f"""#!/bin/sh
case " $* " in
  *" mcp "*) ;;
  *) exec "{scratch}/bundle/bin/sibyl" "$@" ;;
esac
place=$(dirname "$XDG_CACHE_HOME")
exec bwrap --unshare-all --die-with-parent --clearenv --bind "{root}" / --dev /dev --proc /proc \\
  --tmpfs /tmp --bind "$place" "$place" --setenv HOME /tmp \\
  --setenv XDG_CACHE_HOME "$XDG_CACHE_HOME" --setenv XDG_STATE_HOME "$XDG_STATE_HOME" \\
  {config["Entrypoint"][0]} "$@"
""")
    script.chmod(0o755)
    return script


def mcp_clients(program, folder):
    """The official clients of MCP start every package, as it was installed from its file."""
    clients = pathlib.Path(program).parent / "mcp-clients"  # as tests/mcp installs them
    need("npm", "npx", "node", "cpack", "dpkg-deb", "dpkg-shlibdeps")
    need_bubblewrap()
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        unpack(folder, scratch).rename(scratch / "bundle")
        for package, sibyl in [("bundle", scratch / "bundle/bin/sibyl"),
                               ("image", unpacked_image(folder, scratch)),
                               ("wheel", installed_wheel(folder, scratch)),
                               ("npm", installed_npm(folder, scratch)),
                               ("deb", installed_deb(program, scratch))]:
            print(f"{package}:", flush=True)
            done = subprocess.run([artifact.ROOT / "tests/mcp/run.sh", sibyl, clients,
                                   "over standard input"], check=False)
            if done.returncode != 0:
                sys.exit(done.returncode)


def sbom(_, folder):
    document = json.loads(output_of([sys.executable, HERE / "sbom.py", one(folder, "*.tar.gz")]))
    _, files = artifact.read_bundle(one(folder, "*.tar.gz"))
    listed = " ".join(row.get("comment", "") for row in document["packages"])
    for name in files:
        is_library = name.startswith("lib/sibyl/") and ".so" in name and "/gconv/" not in name
        if is_library and pathlib.Path(name).name not in unused.UNUSED:
            expect(name in listed, f"{name} is in no package of the SBOM")
    for row in document["packages"][1:]:
        expect(row["licenseComments"] in files, f"no licence of {row['name']}")


TESTS = {test.__name__.replace("_", "-"): test for test in [
    make, bare_root, without_home, labs, with_git, https, old_kernel, reproducible, size, start, wheel, npm, image,
    podman, sbom, mcp_clients, *test_ci.TESTS, *test_deb.TESTS, *test_documents.TESTS, *test_first_hour.TESTS,
    *test_roots.TESTS]}


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in TESTS:
        sys.exit(f"usage: test.py {'|'.join(TESTS)} PROGRAM FOLDER")
    TESTS[sys.argv[1]](*map(os.path.abspath, sys.argv[2:]))


if __name__ == "__main__":
    main()
