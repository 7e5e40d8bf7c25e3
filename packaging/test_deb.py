# SPDX-License-Identifier: Apache-2.0
"""The Debian package: made twice with the same bytes, installed by dpkg into a root that has
nothing but what it depends on, and used there. And `make install`, which copies the same files."""

import os
import pathlib
import shutil
import stat
import subprocess
import sys
import tempfile

import artifact
from checks import (check_ask, check_doctor, check_mcp, expect, need, need_bubblewrap, one,
                    output_of, small_repository)


def deb_file(program, folder, **environment):
    """Makes the package in the folder."""
    output_of([artifact.ROOT / "packaging/deb.py", pathlib.Path(program).parent, folder],
              env={**os.environ, **environment})
    return one(folder, "*.deb")


def fields(text):
    """The fields of a stanza of a control file."""
    found = {}
    for line in text.splitlines():
        if line[:1] not in (" ", "\t") and ":" in line:
            name, _, value = line.partition(":")
            found[name] = value.strip()
    return found


def installed_packages():
    """{name or virtual name: (package, stanza)} of this machine."""
    packages = {}
    for stanza in pathlib.Path("/var/lib/dpkg/status").read_text(encoding="utf-8").split("\n\n"):
        about = fields(stanza)
        if about.get("Status") != "install ok installed":
            continue
        if about["Architecture"] not in ("amd64", "all"):
            continue
        names = [about["Package"], *(word.split("(")[0].strip()
                                     for word in about.get("Provides", "").split(",") if word)]
        for name in names:
            packages.setdefault(name, (about["Package"], stanza))
    return packages


def closure(depends):
    """{package: stanza} of everything that a list of dependencies needs, as it is installed here."""
    known, needed, waiting = installed_packages(), {}, [depends]
    while waiting:
        for clause in filter(None, waiting.pop().split(",")):
            choices = [choice.split("(")[0].split(":")[0].strip() for choice in clause.split("|")]
            found = next((known[choice] for choice in choices if choice in known), None)
            expect(found is not None, f"nothing that is installed here is {clause.strip()}")
            package, stanza = found
            if package not in needed:
                needed[package] = stanza
                about = fields(stanza)
                waiting += [about.get("Depends", ""), about.get("Pre-Depends", "")]
    return needed


def copy(path, root):
    """One file, link or folder of this machine."""
    target = root / path.relative_to("/")
    mode = path.lstat().st_mode
    if stat.S_ISDIR(mode):
        target.mkdir(parents=True, exist_ok=True)
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    if not target.exists() and not target.is_symlink():
        shutil.copy2(path, target, follow_symlinks=False)


def root_with(packages, root):
    """A Debian root with these packages as they are installed here, and dpkg's record of them."""
    for name in ["bin", "sbin", "lib", "lib64"]:
        if pathlib.Path("/", name).is_symlink():
            (root / "usr" / name).mkdir(parents=True, exist_ok=True)
            (root / name).symlink_to(f"usr/{name}")
    # Their documentation is not needed to run.
    for package in packages:
        for line in output_of(["dpkg-query", "-L", package]).splitlines():
            path = pathlib.Path(line)
            if line.startswith("/usr/share/") and not line.startswith("/usr/share/perl"):
                continue
            if line != "/." and os.path.lexists(path):
                copy(path, root)
    record = root / "var/lib/dpkg"
    for name in ["info", "updates", "triggers"]:
        (record / name).mkdir(parents=True, exist_ok=True)
    (record / "status").write_text("\n\n".join(packages.values()) + "\n", encoding="utf-8")
    for package in packages:
        (record / "info" / f"{package}.list").write_text("")
    for name in ["tmp", "root", "dev", "proc", "etc", "work"]:
        (root / name).mkdir(exist_ok=True)


def dpkg(root, package, *words):
    """As root of a new namespace, since dpkg sets owners; dependencies are checked for real."""
    output_of(["bwrap", "--unshare-user", "--uid", "0", "--gid", "0", "--ro-bind", "/", "/", "--dev",
               "/dev", "--tmpfs", "/tmp", "--bind", root, "/mnt", "--ro-bind", package, "/tmp/a.deb",
               "dpkg", "--root=/mnt", "--force-not-root", "--force-script-chrootless", "--log=",
               *words])


def files_below(root):
    """Everything but dpkg's own record."""
    return {path.relative_to(root).as_posix() for path in root.rglob("*")
            if "var/lib/dpkg" not in path.as_posix()}


def check_files(files):
    """What Debian asks of every package, and what a shell and man look for."""
    share = "usr/share"
    for name in [f"{share}/doc/sibyl/copyright", f"{share}/man/man1/sibyl.1",
                 f"{share}/bash-completion/completions/sibyl",
                 f"{share}/zsh/vendor-completions/_sibyl",
                 f"{share}/fish/vendor_completions.d/sibyl.fish"]:
        expect(name in files, f"the package has no {name}")
    outside = [name for name in files if not f"{name}/".startswith(("usr/bin/", f"{share}/"))]
    expect(set(outside) <= {"usr"}, f"files in unusual places: {outside}")


def deb(program, folder):
    need("cpack", "dpkg", "dpkg-deb", "dpkg-query", "dpkg-shlibdeps")
    need_bubblewrap()
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        package = deb_file(program, scratch / "first")
        about = fields(output_of(["dpkg-deb", "-f", package]))
        expect("libc6" in about["Depends"] and "git" in about["Depends"], about["Depends"])
        root = scratch / "root"
        root.mkdir()
        root_with(closure(about["Depends"]), root)
        before = files_below(root)
        dpkg(root, package, "--install", "/tmp/a.deb")
        check_files(files_below(root) - before)
        repository = small_repository(scratch)
        command = ["bwrap", "--unshare-all", "--die-with-parent", "--clearenv", "--ro-bind", root,
                   "/", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--setenv", "HOME",
                   "/tmp", "--setenv", "PATH", "/usr/bin:/bin", "--ro-bind", repository, "/work",
                   "--chdir", "/work"]
        sibyl = [*command, "sibyl"]
        expect(output_of([*sibyl, "version"]) == output_of([program, "version"]), "the version")
        check_doctor(sibyl, "deb")
        check_mcp(sibyl)
        expect("x86_64" in output_of([*sibyl, "inspect", "/usr/bin/sibyl"]), "inspect")
        expect("1 hold" in output_of([*sibyl, "audit"]), "audit")
        check_ask(sibyl)
        listed = output_of([*sibyl, "lab", "list"])
        expect(listed.count("\n") >= 23, f"labs: {listed}")
        dpkg(root, package, "--remove", "sibyl")
        left = files_below(root) - before
        expect(not left, f"dpkg --remove leaves {sorted(left)[:9]}")
    del folder


def deb_reproducible(program, folder):
    """Two runs, at another place, with another time zone and mask of modes, write the same bytes."""
    need("cpack", "dpkg-deb", "dpkg-shlibdeps")
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        first = deb_file(program, scratch / "first")
        before = os.umask(0o077)
        second = deb_file(program, scratch / "another/folder", TZ="Asia/Tokyo", LC_ALL="C")
        os.umask(before)
        if first.read_bytes() != second.read_bytes():
            for package in [first, second]:
                subprocess.run(["dpkg-deb", "-c", package], check=False)
            sys.exit("failed: two builds of the .deb differ")
        print(f"{first.name}: {first.stat().st_size / 1e6:.1f} MB, the same bytes twice")
    del folder


def install(program, folder):
    """What `make install PREFIX=…` does: everything is found from where the program is."""
    need("cmake")
    with tempfile.TemporaryDirectory() as scratch:
        output_of(["cmake", "--install", pathlib.Path(program).parent, "--prefix", f"{scratch}/prefix"])
        sibyl = [f"{scratch}/prefix/bin/sibyl"]
        environment = {"PATH": "/usr/bin:/bin", "HOME": scratch}
        check_doctor(sibyl, "prefix", env=environment)
        check_ask(sibyl, env=environment)
        listed = output_of([*sibyl, "lab", "list"], env=environment)
        expect(listed.count("\n") >= 23, f"labs: {listed}")
        moved = pathlib.Path(scratch) / "alone/sibyl"
        moved.parent.mkdir()
        shutil.copy(sibyl[0], moved)
        done = subprocess.run([moved, "-C", "@cuda", "ask", "x"], env=environment, text=True,
                              capture_output=True, check=False)
        expect(done.returncode == 2 and "no oracle '@cuda' is installed" in done.stderr, f"{done}")
    del folder


TESTS = [deb, deb_reproducible, install]
