// SPDX-License-Identifier: Apache-2.0
#include "inspect/machine/installation.h"

#include <gtest/gtest.h>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"
#include "base/strings.h"

namespace sibyl::inspect {
namespace {

namespace fs = std::filesystem;

class InstallationTest : public testing::Test {
 protected:
  void Write(const std::string& name, std::string_view bytes = "") {
    const fs::path path = root_.path() / name;
    ASSERT_TRUE(CreateFolders(path.parent_path()).ok());
    ASSERT_TRUE(WriteFileAtomically(path, bytes).ok());
  }
  MachineAccess Access() {
    return {.root = root_.path(),
            .environment = [](const char* name) -> std::optional<std::string> {
              if (std::string_view(name) != "PATH") return std::nullopt;
              return "/usr/local/bin:relative:/usr/bin";
            }};
  }
  std::string KindOf(const fs::path& program) { return FindInstallation(Access(), program).kind; }
  std::vector<OutsideProgram> Programs(const Machine& machine = {}) {
    return FindOutsidePrograms(Access(), machine);
  }

  TemporaryFolder root_;
};

TEST_F(InstallationTest, ABundleIsKnownByTheFileBesideItsLoader) {
  const fs::path loader = "/opt/sibyl/lib/sibyl/ld-linux-x86-64.so.2";
  EXPECT_EQ(KindOf(loader), "files");
  for (const std::string kind : {"bundle", "wheel", "npm", "image"}) {
    Write("opt/sibyl/lib/sibyl/installed-as", kind + "\n");
    const Installation found = FindInstallation(Access(), loader);
    EXPECT_EQ(found.kind, kind);
    EXPECT_EQ(found.path, "/opt/sibyl");
  }
  Write("opt/sibyl/lib/sibyl/installed-as", "something else\n");
  EXPECT_EQ(KindOf(loader), "files");
}

TEST_F(InstallationTest, ADebianPackageNeedsItsListOfFiles) {
  EXPECT_EQ(KindOf("/usr/bin/sibyl"), "files");
  Write("var/lib/dpkg/info/sibyl.list");
  EXPECT_EQ(KindOf("/usr/bin/sibyl"), "deb");
  EXPECT_EQ(KindOf("/usr/local/bin/sibyl"), "files");
  EXPECT_EQ(KindOf(""), "unknown");
}

TEST_F(InstallationTest, WithoutItsFilesTheProgramIsAlone) {
  EXPECT_EQ(KindOf("/opt/bin/sibyl"), "files");
  EXPECT_EQ(DescribeInstallation({.kind = "files", .path = "/opt/bin/sibyl"}),
            "/opt/bin/sibyl, without share/sibyl: no labs and no oracle");
  Write("opt/share/sibyl/oracles/cuda/sibyl.toml");
  Write("opt/bin/sibyl");
  const Installation found = FindInstallation(Access(), "/opt/bin/sibyl");
  EXPECT_EQ(found.kind, "prefix");
  EXPECT_EQ(DescribeInstallation(found), "installed from source in /opt");
}

TEST_F(InstallationTest, ABuildFolderHasACache) {
  Write("home/a/sibyl/build/release/CMakeCache.txt");
  EXPECT_EQ(KindOf("/home/a/sibyl/build/release/sibyl"), "build");
  EXPECT_EQ(DescribeInstallation({.kind = "build", .path = "/b"}), "built from source in /b");
}

TEST_F(InstallationTest, ProgramsAreFoundOnThePathAndNvccInAToolkit) {
  Write("usr/bin/git");
  Write("usr/local/bin/pdftotext");
  Write("relative/bwrap");
  Write("usr/bin/cmake");
  Write("usr/bin/clang++");
  const Machine machine{.toolkits = {{.path = "/usr/local/cuda-13.0", .has_nvcc = true}}};
  const std::vector<OutsideProgram> programs = Programs(machine);
  ASSERT_EQ(programs.size(), 6U);
  EXPECT_EQ(programs[0].path, "/usr/bin/git");
  EXPECT_EQ(programs[1].path, "/usr/local/bin/pdftotext");
  EXPECT_EQ(programs[2].path, "");
  EXPECT_EQ(programs[3].path, "/usr/local/cuda-13.0/bin/nvcc");
  EXPECT_EQ(programs[5].path, "/usr/bin/clang++");
  const std::vector<Finding> findings = DiagnosePrograms(programs);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::kNote);
}

TEST_F(InstallationTest, TheCommandIsThatOfTheDistribution) {
  EXPECT_EQ(Programs()[1].install,
            "install the package poppler-utils (Debian), poppler-utils (Fedora) or poppler (Arch)");
  Write("etc/os-release", "NAME=\"Linux Mint\"\nID=linuxmint\nID_LIKE=\"ubuntu debian\"\n");
  EXPECT_EQ(Programs()[1].install, "sudo apt update && sudo apt install poppler-utils");
  // Issue 23: Debian's own package is in non-free, and older than labs need.
  EXPECT_EQ(Programs()[3].install,
            "sudo apt update && sudo apt install cuda-toolkit   # from NVIDIA's repository: "
            "https://docs.nvidia.com/cuda/cuda-installation-guide-linux/");
  Write("var/lib/apt/lists/lock");
  EXPECT_EQ(Programs()[1].install, "sudo apt install poppler-utils");
  Write("etc/os-release", "ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n");
  EXPECT_EQ(Programs()[2].install, "sudo dnf install bubblewrap");
  Write("etc/os-release", "ID=arch\n");
  EXPECT_EQ(Programs()[1].install, "sudo pacman -S poppler");
  Write("etc/os-release", "ID=\"opensuse-leap\"\nID_LIKE=\"suse opensuse\"\n");
  EXPECT_EQ(Programs()[1].install, "sudo zypper install poppler-tools");
  Write("etc/os-release", "ID=alpine\n");
  EXPECT_EQ(Programs()[5].install, "sudo apk add g++");
  EXPECT_TRUE(Contains(Programs()[3].install, "Alpine"));
}

TEST_F(InstallationTest, RootNeedsNoSudo) {
  Write("etc/os-release", "ID=fedora\n");
  MachineAccess access = Access();
  access.is_administrator = true;
  EXPECT_EQ(FindOutsidePrograms(access, {})[0].install, "dnf install git");
}

}  // namespace
}  // namespace sibyl::inspect
