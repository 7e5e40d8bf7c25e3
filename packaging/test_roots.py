# SPDX-License-Identifier: Apache-2.0
"""The bundle on systems with an older and a newer C library than its own, with their git: roots
made of packages of other releases of Debian. They are downloaded once; without a network the
test is skipped. Systems with musl are covered by the bare root: there is nothing of theirs that
the bundle could load."""

import pathlib
import shutil
import subprocess
import tempfile

from checks import (check_ask, check_mcp, expect, need, need_bubblewrap, output_of, skip,
                    small_repository, unpack)

SUITES = {"bullseye": "2.31", "trixie": "2.41"}  # with the version of glibc; Debian 12 has 2.36
KEYS = pathlib.Path("/usr/share/keyrings/debian-archive-keyring.gpg")
MIRROR = "http://deb.debian.org/debian/"


def mirror():
    """The one that this machine uses."""
    done = subprocess.run(["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages",
                           "Label: Debian", "Codename: bookworm"],
                          capture_output=True, text=True, check=False)
    return done.stdout.split()[0] if done.stdout.strip() else MIRROR


def apt(place, *words):
    options = {"Dir::Etc": place / "etc", "Dir::Etc::sourcelist": place / "etc/sources.list",
               "Dir::Etc::sourceparts": "-", "Dir::State": place / "state",
               "Dir::State::status": place / "status", "Dir::Cache": place / "cache",
               "APT::Architecture": "amd64", "APT::Sandbox::User": "", "Acquire::Languages": "none",
               "Acquire::Check-Valid-Until": "false"}
    command = ["apt-get", "-q", "-y"]
    for name, value in options.items():
        command += ["-o", f"{name}={value}"]
    return subprocess.run([*command, *words], capture_output=True, text=True, check=False)


def debian_root(suite, place):
    """A folder with git, its libraries and their glibc of a release of Debian; None without a
    network."""
    root = place / suite
    if root.exists():
        return root
    with tempfile.TemporaryDirectory(dir=place) as name:
        scratch = pathlib.Path(name)
        for folder in ["etc/apt.conf.d", "etc/preferences.d", "state/lists/partial",
                       "cache/archives/partial", "root"]:
            (scratch / folder).mkdir(parents=True)
        (scratch / "status").touch()
        (scratch / "etc/sources.list").write_text(
            f"deb [signed-by={KEYS}] {mirror()} {suite} main\n")
        for words in [["update"], ["--no-install-recommends", "--download-only", "install", "git"]]:
            done = apt(scratch, *words)
            if done.returncode != 0:
                print(f"{suite}: apt-get {words[0]}: {done.stderr.strip()}")
                return None
        # From Debian 12 on, libraries are in /usr alone; their packages still say /lib.
        for folder in ["bin", "sbin", "lib", "lib64"]:
            (scratch / "root/usr" / folder).mkdir(parents=True)
            (scratch / "root" / folder).symlink_to(f"usr/{folder}")
        for package in sorted((scratch / "cache/archives").glob("*.deb")):
            files = subprocess.run(["dpkg-deb", "--fsys-tarfile", package], check=True,
                                   capture_output=True).stdout
            subprocess.run(["tar", "x", "--keep-directory-symlink", "--no-same-owner", "-C",
                            scratch / "root", "--exclude=./usr/share/doc", "--exclude=./usr/share/man"],
                           input=files, check=True)
        shutil.move(scratch / "root", root)
    return root


def glibc_of(root):
    """The version of the C library of a root, which says it when it is run."""
    shown = output_of(["bwrap", "--ro-bind", root, "/", "/usr/lib/x86_64-linux-gnu/libc.so.6"])
    return shown.split("version ")[1].split()[0].rstrip(".")


def other_glibc(program, folder):
    need("apt-get", "dpkg-deb", "tar", "git")
    need_bubblewrap()
    if not KEYS.exists():
        skip(f"{KEYS} is missing: packages of other releases cannot be checked")
    place = pathlib.Path(folder).parent / "other-roots"
    place.mkdir(exist_ok=True)
    version, tried = output_of([program, "version"]), []
    with tempfile.TemporaryDirectory() as scratch:
        repository = small_repository(scratch)
        bundle = unpack(folder, scratch)
        for suite, glibc in SUITES.items():
            root = debian_root(suite, place)
            if root is None:
                continue
            expect(glibc_of(root) == glibc, f"{suite} has glibc {glibc_of(root)}")
            command = ["bwrap", "--unshare-all", "--die-with-parent", "--clearenv", "--ro-bind",
                       root / "usr", "/usr", "--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64",
                       "/lib64", "--symlink", "usr/bin", "/bin", "--ro-bind", repository,
                       "/repository", "--ro-bind", bundle, "/sibyl", "--proc", "/proc", "--dev",
                       "/dev", "--tmpfs", "/tmp", "--setenv", "HOME", "/tmp", "--setenv", "PATH",
                       "/usr/bin:/bin", "/sibyl/bin/sibyl"]
            for words, wanted in [(["version"], version), (["audit", "/repository"], "1 hold"),
                                  (["inspect", "/usr/bin/git"], "x86_64"),
                                  (["init", "/tmp/oracle"], "created an oracle")]:
                shown = output_of([*command, *words])
                expect(wanted in shown, f"{suite}: {words[0]}: {shown}")
            check_ask(command)
            check_mcp(command)
            tried.append(f"{suite} (glibc {glibc})")
    if not tried:
        skip("no other release of Debian could be downloaded")
    print("ran on " + ", ".join(tried))


TESTS = [other_glibc]
