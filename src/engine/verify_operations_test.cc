// SPDX-License-Identifier: Apache-2.0
#include "engine/verify_operations.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "audit/baseline.h"
#include "base/files/files.h"
#include "base/line_excerpt.h"
#include "base/work.h"
#include "engine/evidence_operations.h"
#include "engine/gate_operations.h"
#include "engine/judgement_json.h"
#include "engine/test_operations.h"

namespace sibyl::engine {
namespace {

namespace fs = std::filesystem;

class VerifyOperations : public OperationTest {
 protected:
  VerifyOperations() {
    Write("notes/loader.cc", "// Loads a gadget.\nint LoadGadget(int id) {\n  return id;\n}\n");
    MakeOracle();
    EXPECT_TRUE(Run(kSourceAdd, {{"origin", "notes"}}).ok());
  }

  // A page with one citation, and its index.
  void WritePage(std::string_view sentence) {
    const auto cited = Run(kCite, {{"target", "loader.cc:2-4"}});
    ASSERT_TRUE(cited.ok());
    Write("oracle/gad/01-gadgets.md", "# Gadgets\n\n" + std::string(sentence) +
                                          "[^1]\n\n## Sources\n" +
                                          cited->data["footnote"].get<std::string>() + "\n");
    Write("oracle/gad/INDEX.md", "# Gadgets\n\n- [Gadgets](01-gadgets.md)\n");
  }
};

TEST_F(VerifyOperations, WhatHoldsHoldsAndIsCounted) {
  WritePage("`LoadGadget` gives back what it got.");
  const auto outcome = Run(kVerify, {});
  ASSERT_TRUE(outcome.ok()) << outcome.error().message;
  EXPECT_TRUE(outcome->holds);
  EXPECT_TRUE(outcome->findings.empty()) << outcome->findings[0].message;
  EXPECT_EQ(outcome->data["citations"], 1);
  EXPECT_EQ(outcome->data["counts"]["absent"], 0);
  const auto all = Run(kVerify, {{"all", ""}, {"explain", ""}});
  EXPECT_GE(all->findings.size(), 3U) << "the citation, the name and the link";
}

class VerifyOutsideOfAnOracle : public VerifyOperations {
 protected:
  void Amend(oracle::Context& context) override {
    if (!is_outside_) return;
    context.working_folder = folder_.path();
    context.oracle.reset();
  }

  bool is_outside_ = false;
};

TEST_F(VerifyOutsideOfAnOracle, NamesTheOneThatTheFileIsIn) {
  WritePage("`LoadGadget` gives back what it got.");
  is_outside_ = true;
  const auto outcome = Run(kVerify, {{"file", "oracle/gad"}});
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.error().hint, "run 'sibyl -C oracle verify'");
}

// The keys of an audit's baseline were the names as findings show them, from the
// folder in which the command was run.
class BaselineOfAnAudit : public VerifyOperations {
 protected:
  void Amend(oracle::Context& context) override {
    if (!folder_of_run_.empty()) context.working_folder = folder_.path() / folder_of_run_;
  }

  std::string folder_of_run_;
};

TEST_F(BaselineOfAnAudit, HoldsInWhicheverFolderTheCommandIsRun) {
  std::string api;
  for (const char* name :
       {"Malloc", "Free", "Memcpy", "Memset", "StreamCreate", "StreamDestroy", "EventCreate",
        "EventRecord", "GraphLaunch", "GraphInstantiate", "GetLastError", "HostAlloc"}) {
    api += std::string("extern cudaError_t cuda") + name + "(void);\n";
  }
  Write("api/include/cuda_runtime_api.h", api);
  ASSERT_TRUE(Run(kSourceAdd, {{"origin", "api"}}).ok());
  Write("project/docs/memory.md", "`cudaMallocc` allocates it.\n");
  ASSERT_FALSE(Run(kAudit, {{"path", "project/docs"}})->holds);
  ASSERT_TRUE(Run(kAudit, {{"path", "project/docs"}, {"write-baseline", "project/accepted"}}).ok());
  EXPECT_TRUE(Run(kAudit, {{"path", "project/docs"}, {"baseline", "project/accepted"}})->holds);
  folder_of_run_ = "project";
  EXPECT_TRUE(Run(kAudit, {{"path", "docs"}, {"baseline", "accepted"}})->holds);
  folder_of_run_ = "project/docs";
  EXPECT_TRUE(Run(kAudit, {{"path", "."}, {"baseline", "../accepted"}})->holds);
}

TEST_F(VerifyOperations, WhatDoesNotHasItsPlaceAndItsDetails) {
  WritePage("`LoadGadgets` gives back what it got.");
  const auto outcome = Run(kVerify, {{"file", "oracle/gad"}});
  ASSERT_TRUE(outcome.ok());
  EXPECT_FALSE(outcome->holds);
  ASSERT_EQ(outcome->findings.size(), 1U);
  const Finding& finding = outcome->findings[0];
  EXPECT_EQ(finding.code, "ident/unknown");
  EXPECT_EQ(finding.place.file, "oracle/gad/01-gadgets.md");
  EXPECT_EQ(finding.place.line, 3U);
  EXPECT_FALSE(finding.place.text.empty());
  EXPECT_EQ(finding.details[0].value, "absent");
  EXPECT_NE(finding.hint.find("LoadGadget,"), std::string::npos) << finding.hint;
}

TEST_F(VerifyOperations, ABaselineAcceptsWhatIsKnownAndNothingNew) {
  WritePage("`LoadGadgets` gives back what it got.");
  EXPECT_TRUE(Run(kVerify, {{"write-baseline", "base"}})->holds);
  const auto known = Run(kVerify, {{"baseline", "base"}});
  ASSERT_TRUE(known.ok()) << known.error().message;
  EXPECT_TRUE(known->holds);
  EXPECT_EQ(known->data["accepted"], 1);
  WritePage("`LoadGizmo` gives back what it got.");
  const auto fresh = Run(kVerify, {{"baseline", "base"}});
  EXPECT_FALSE(fresh->holds);
  EXPECT_EQ(fresh->data["mended"], 1);
  Write("broken", "no baseline\n");
  const auto broken = Run(kVerify, {{"baseline", "broken"}});
  ASSERT_FALSE(broken.ok());
  EXPECT_EQ(broken.error().place->file, "broken");
}

TEST_F(VerifyOperations, AMovedSourceMakesCitationsStaleAndRefreshRenewsThem) {
  WritePage("`LoadGadget` gives back what it got.");
  Write("notes/loader.cc",
        "// New.\n// Loads a gadget.\nint LoadGadget(int id) {\n  return id;\n}\n");
  ASSERT_TRUE(Run(kSourceSync, {}).ok());
  const auto stale = Run(kVerify, {});
  ASSERT_TRUE(stale.ok());
  EXPECT_FALSE(stale->holds);
  EXPECT_EQ(stale->data["counts"]["stale"], 1);

  const std::string before = *ReadFile(*oracle_ / "gad/01-gadgets.md");
  const auto dry = Run(kRefresh, {{"dry-run", ""}});
  ASSERT_TRUE(dry.ok()) << dry.error().message;
  EXPECT_EQ(dry->data["renewed"].size(), 1U);
  EXPECT_EQ(*ReadFile(*oracle_ / "gad/01-gadgets.md"), before);
  EXPECT_TRUE(Run(kRefresh, {})->holds);
  EXPECT_NE(*ReadFile(*oracle_ / "gad/01-gadgets.md"), before);
  EXPECT_TRUE(Run(kVerify, {})->holds);
}

TEST_F(VerifyOperations, ALostStoreIsNotDecidableAndCanBeRestored) {
  WritePage("`LoadGadget` gives back what it got.");
  fs::remove_all(folder_.path() / "store");
  const auto lost = Run(kVerify, {});
  ASSERT_TRUE(lost.ok());
  EXPECT_TRUE(lost->holds);
  EXPECT_GE(lost->data["counts"]["undecidable"].get<int>(), 2);
  ASSERT_EQ(lost->data["waiting"].size(), 1U);
  EXPECT_EQ(lost->data["waiting"][0]["citations"], 1);
  const auto restored = Run(kVerify, {{"restore", ""}});
  ASSERT_TRUE(restored.ok()) << restored.error().message;
  EXPECT_EQ(restored->data["counts"]["undecidable"], 0);
  EXPECT_TRUE(restored->data["waiting"].empty());
}

TEST_F(VerifyOperations, WhatCannotBeRestoredIsAFindingAndTheRestIsVerified) {
  WritePage("`LoadGadget` gives back what it got.");
  Write("away/tool.h", "int Tool(void);\n");
  ASSERT_TRUE(Run(kSourceAdd, {{"origin", "away"}}).ok());
  fs::remove_all(folder_.path() / "store");
  fs::remove_all(folder_.path() / "away");
  const auto restored = Run(kVerify, {{"restore", ""}});
  ASSERT_TRUE(restored.ok()) << restored.error().message;
  EXPECT_TRUE(restored->holds) << "a folder that this machine does not have is a warning";
  ASSERT_EQ(restored->findings.size(), 1U);
  EXPECT_EQ(restored->findings[0].code, "source/unrestored");
  EXPECT_EQ(restored->findings[0].severity, Severity::kWarning);
  EXPECT_EQ(restored->findings[0].message.rfind("away was not restored: ", 0), 0U)
      << restored->findings[0].message;
  EXPECT_EQ(restored->data["counts"]["undecidable"], 0) << "'notes' comes after 'away'";
  EXPECT_TRUE(restored->data["waiting"].empty());
}

TEST_F(VerifyOperations, PlansAndHiddenFoldersAreNotLookedAt) {
  Write("oracle/_ingest-auto/x/ingestion.md", "[broken](nowhere.md)\n");
  Write("oracle/.git/x.md", "[broken](nowhere.md)\n");
  EXPECT_TRUE(Run(kVerify, {})->holds);
  const auto missing = Run(kVerify, {{"file", "nowhere.md"}});
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().kind, ErrorKind::kNotFound);
}

struct OneLongLine {
  std::size_t findings = 0;
  std::size_t bytes = 0;  // that the findings hold
};

TEST_F(VerifyOperations, FindingsOnOneLineTakeMemoryInProportionToTheirNumber) {
  const auto verify = [this](std::size_t count) {
    std::string line;
    for (std::size_t i = 0; i < count; ++i) line += fmt::format("x[^{}] [ä](b{}.md) ", i, i);
    Write("oracle/gad/long.md", "# t\n\n" + line + "\n");
    const Outcome outcome = Done(kVerify, {{"file", "oracle/gad/long.md"}});
    OneLongLine used{.findings = outcome.findings.size()};
    for (const Finding& finding : outcome.findings) {
      used.bytes += finding.place.text.size() + finding.message.size() + finding.hint.size();
      for (const FindingDetail& detail : finding.details) used.bytes += detail.value.size();
      const std::size_t at = finding.place.column - 1 - ExcerptBegin(finding.place.column);
      EXPECT_EQ(finding.place.text.substr(at, 4), line.substr(finding.place.column - 1, 4));
    }
    return used;
  };
  const OneLongLine once = verify(500);
  const OneLongLine twice = verify(1000);
  ASSERT_EQ(once.findings, 1000U);
  ASSERT_EQ(twice.findings, 2000U);
  EXPECT_LE(twice.bytes, 5 * once.bytes / 2);
  EXPECT_LE(twice.bytes, twice.findings * 1000);
}

statement::Judgement JudgedAt(std::size_t column) {
  return {.verdict = statement::Verdict::kAbsent,
          .code = "ident/unknown",
          .text = "x",
          .place = {.file = "a.md", .line = 1, .column = column}};
}

TEST(LineTexts, StepsDoubleWithTheLine) {
  const auto steps = [](std::size_t count) {
    std::string line;
    std::vector<statement::Judgement> judgements;
    for (std::size_t i = 0; i < count; ++i) {
      judgements.push_back(JudgedAt(line.size() + 1));
      line += "näme ";
    }
    // In any order, as checks of several kinds give them.
    std::reverse(judgements.begin(), judgements.end());
    const std::uint64_t before = Work::Done();
    AddLineTexts(line, judgements);
    for (const statement::Judgement& judgement : judgements) {
      const std::size_t characters = (judgement.place.column - 1) / 6 * 5 + 1;
      const std::size_t expected = characters == judgement.place.column ? 0 : characters;
      EXPECT_EQ(judgement.character_column, expected);
      EXPECT_EQ(judgement.long_line, judgements.front().long_line) << "one for the line";
    }
    return Work::Done() - before;
  };
  const std::uint64_t once = steps(2000);
  EXPECT_LT(steps(4000), 5 * once / 2);
}

// A baseline that was written when findings held their whole lines.
TEST(LineTexts, ABaselineKnowsAFindingByItsWholeLine) {
  std::string line = "The beginning is far from the name: ";
  for (int i = 0; i < 200; ++i) line += "word ";
  statement::Judgement whole = JudgedAt(line.size() - 3);
  whole.place.text = line;
  std::vector<statement::Judgement> cut = {JudgedAt(line.size() - 3)};
  AddLineTexts(line, cut);
  EXPECT_LT(cut[0].place.text.size(), line.size());
  EXPECT_EQ(audit::Fingerprint(cut[0], "a.md"), audit::Fingerprint(whole, "a.md"));
  line[0] = 't';
  AddLineTexts(line, cut);
  EXPECT_NE(audit::Fingerprint(cut[0], "a.md"), audit::Fingerprint(whole, "a.md"));
}

TEST(LineTexts, OfAnOrdinaryLineAreWhole) {
  const std::string line(kWholeLineBytes, 'x');
  std::vector<statement::Judgement> judgements = {JudgedAt(1), JudgedAt(400)};
  AddLineTexts(line, judgements);
  EXPECT_EQ(judgements[0].place.text, line);
  EXPECT_EQ(judgements[1].place.text, line);
  EXPECT_EQ(judgements[1].long_line, nullptr);
}

}  // namespace
}  // namespace sibyl::engine
