// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "engine/gate_operations.h"
#include "engine/test_operations.h"

namespace sibyl::engine {
namespace {

/// A repository "probe" without an oracle; documents and code are given by each test.
class OwnAuditTest : public OperationTest {
 protected:
  void SetUp() override {
    Write("probe/src/probe.c", "int probe_open(void);\nint probe_close(void);\n");
    GitIn(folder_.path() / "probe", {"init", "-q", "-b", "main"});
    GitIn(folder_.path() / "probe", {"config", "user.name", "Ada"});
    GitIn(folder_.path() / "probe", {"config", "user.email", "ada@example.org"});
  }

  void Amend(oracle::Context& context) override {
    context.working_folder = folder_.path() / "probe";
  }

  void Commit() {
    GitIn(folder_.path() / "probe", {"add", "-A"});
    GitIn(folder_.path() / "probe", {"commit", "-q", "-m", "change"});
  }

  /// "code text" of each failure.
  std::vector<std::string> Failures(std::vector<GivenValue> given = {}) {
    std::vector<std::string> failures;
    for (const Finding& finding : Done(kAudit, std::move(given)).findings) {
      if (finding.severity != Severity::kError) continue;
      std::string text;
      for (const FindingDetail& detail : finding.details) {
        if (detail.name == "text") text = detail.value;
      }
      failures.push_back(finding.code + " " + text);
    }
    return failures;
  }

  using Strings = std::vector<std::string>;
};

TEST_F(OwnAuditTest, ALinkThatLeadsNowhereFails) {
  Write("probe/README.md", "# Probe\n\n[a](src/probe.c), [b](docs/none.md), [c](#nothing).\n");
  EXPECT_EQ(Failures(), (Strings{"link/broken docs/none.md", "link/broken #nothing"}));
}

TEST_F(OwnAuditTest, LinksOfSitesAndToIgnoredFilesAreNotDecided) {
  Write("probe/.gitignore", "out.md\n");
  Write("probe/README.md", "# Probe\n\n[a](/guide/x.md), [b](guide), [c](x.html), [d](out.md).\n");
  EXPECT_EQ(Failures(), Strings{});
}

TEST_F(OwnAuditTest, APathThatWasRemovedIsAbsentWithItsNewPlace) {
  Write("probe/src/reader.c", "int probe_read(void) { return 1; }\nint probe_write(void);\n");
  Commit();
  GitIn(folder_.path() / "probe", {"mv", "src/reader.c", "src/fresh.c"});
  Write("probe/README.md", "# Probe\n\nIt reads in `src/reader.c`, and opens in `src/probe.c`.\n");
  Commit();
  const Outcome outcome = Done(kAudit, {});
  ASSERT_EQ(outcome.findings.size(), 1U);
  EXPECT_EQ(outcome.findings[0].message, "the repository no longer has `src/reader.c`");
  EXPECT_NE(outcome.findings[0].hint.find("src/fresh.c"), std::string::npos);
}

TEST_F(OwnAuditTest, APathThatNeverWasInACommonFolderIsNotDecided) {
  Write("probe/README.md", "# Probe\n\nIt reads in `src/other.c`.\n");
  EXPECT_EQ(Failures(), Strings{});
}

TEST_F(OwnAuditTest, AChangelogMayNameWhatIsGone) {
  Write("probe/src/old.c", "int probe_read(void);\n");
  Commit();
  GitIn(folder_.path() / "probe", {"rm", "-q", "src/old.c"});
  Write("probe/CHANGELOG.md", "# Changes\n\n- `src/old.c` is gone.\n");
  Commit();
  EXPECT_EQ(Failures(), Strings{});
}

TEST_F(OwnAuditTest, ADocumentIsNoEvidenceForItself) {
  std::string code;
  for (const char* name : {"HOST", "PORT", "USER", "ROLE", "PATH", "MODE", "RATE", "SIZE", "KEYS",
                           "LOGS", "ZONE", "TIME"}) {
    code += std::string("#define PROBE_") + name + " getenv(\"PROBE_" + name + "\")\n";
  }
  Write("probe/src/probe.h", code);
  Write("probe/README.md", "# Probe\n\n`PROBE_PORT` and `PROBE_COLOUR` set it up.\n");
  EXPECT_EQ(Failures(), (Strings{"ident/unknown PROBE_COLOUR"}));
}

TEST_F(OwnAuditTest, AnIndexFollowsTheWorkTree) {
  Write("probe/README.md", "# Probe\n\n[a](docs/none.md)\n");
  const std::string counts = Done(kAudit, {}).data["counts"].dump();
  EXPECT_EQ(Done(kAudit, {}).data["counts"].dump(), counts);
  Write("probe/docs/none.md", "# None\n");
  EXPECT_EQ(Failures(), Strings{});
}

TEST_F(OwnAuditTest, ADamagedIndexIsRebuilt) {
  Write("probe/README.md", "# Probe\n\n`probe_open()` opens.\n");
  EXPECT_EQ(Failures(), Strings{});
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(folder_.path() / "store" / "index")) {
    if (entry.path().filename() == "manifest") {
      EXPECT_TRUE(WriteFileAtomically(entry.path(), "damaged").ok());
    }
  }
  const Outcome outcome = Done(kAudit, {});
  ASSERT_EQ(outcome.findings.size(), 1U);
  EXPECT_EQ(outcome.findings[0].code, "index/rebuilt");
  EXPECT_TRUE(outcome.holds);
}

}  // namespace
}  // namespace sibyl::engine
