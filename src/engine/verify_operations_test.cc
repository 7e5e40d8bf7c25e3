// SPDX-License-Identifier: Apache-2.0
#include "engine/verify_operations.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "engine/evidence_operations.h"
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
  const auto restored = Run(kVerify, {{"restore", ""}});
  ASSERT_TRUE(restored.ok()) << restored.error().message;
  EXPECT_EQ(restored->data["counts"]["undecidable"], 0);
}

TEST_F(VerifyOperations, PlansAndHiddenFoldersAreNotLookedAt) {
  Write("oracle/_ingest-auto/x/ingestion.md", "[broken](nowhere.md)\n");
  Write("oracle/.git/x.md", "[broken](nowhere.md)\n");
  EXPECT_TRUE(Run(kVerify, {})->holds);
  const auto missing = Run(kVerify, {{"file", "nowhere.md"}});
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().kind, ErrorKind::kNotFound);
}

}  // namespace
}  // namespace sibyl::engine
