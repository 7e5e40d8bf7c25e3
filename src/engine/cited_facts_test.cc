// SPDX-License-Identifier: Apache-2.0
#include "oracle/cited_facts.h"

#include <gtest/gtest.h>

#include "base/files/files.h"
#include "engine/evidence_operations.h"
#include "engine/inspect_operations.h"
#include "engine/test_operations.h"
#include "engine/verify_operations.h"
#include "inspect/cuda/test_code.h"

namespace sibyl::engine {
namespace {

namespace fs = std::filesystem;

class CitedArtifacts : public engine::OperationTest {
 protected:
  CitedArtifacts() {
    MakeOracle();
    WriteLibrary("oracle/bin/libk.so", 2);
  }

  // A shared library with so many cubins for sm_90.
  void WriteLibrary(const fs::path& path, std::size_t cubins) {
    const std::string cubin = inspect::MakeCubin(90, inspect::SampleCode::kKernel);
    const std::vector<inspect::SampleEntry> entries(cubins, {.number = 90, .payload = cubin});
    Write(path, inspect::MakeElf({.sections = {{.name = ".nv_fatbin",
                                                .content = inspect::MakeFatbin(entries)}}}));
  }

  void WritePage(std::string_view sentence, const std::string& footnote) {
    Write("oracle/lib/01-kernels.md",
          "# Kernels\n\n" + std::string(sentence) + "[^1]\n\n## Sources\n" + footnote + "\n");
    Write("oracle/lib/INDEX.md", "# Libraries\n\n- [Kernels](01-kernels.md)\n");
  }

  std::string Footnote(const std::string& target) {
    const auto cited = Run(engine::kCite, {{"target", target}});
    EXPECT_TRUE(cited.ok()) << cited.error().message;
    return cited.ok() ? cited->data["footnote"].get<std::string>() : "";
  }

  // What the gate says of the citation itself.
  Finding OfCitation() {
    const auto outcome = Run(engine::kVerify, {{"all", ""}, {"explain", ""}});
    EXPECT_TRUE(outcome.ok()) << outcome.error().message;
    for (const Finding& finding : outcome->findings) {
      if (finding.code == "cite/unresolved") return finding;
    }
    ADD_FAILURE() << "the citation was not judged";
    return {};
  }

  static std::string Said(const Finding& finding) {
    std::string said = finding.message;
    for (const auto& detail : finding.details) said += " | " + detail.value;
    return said;
  }

  static constexpr const char* kTarget = "oracle/bin/libk.so#cuda:cubin.sm_90.count";
};

TEST_F(CitedArtifacts, ACitationIsMadeWrittenDownAndResolvedAgain) {
  const auto cited = Run(engine::kCite, {{"target", kTarget}});
  ASSERT_TRUE(cited.ok()) << cited.error().message;
  EXPECT_EQ(cited->data["value"], 2);
  EXPECT_EQ(cited->data["path"], "bin/libk.so");
  EXPECT_EQ(cited->data["read_from"], "artifact");
  const auto book = inspect::FactBook::Parse(*ReadFile(*oracle_ / "sibyl.facts"));
  ASSERT_TRUE(book.ok());
  EXPECT_EQ(book->size(), 1U);
  for (const char* name : {"citation", "footnote"}) {
    const auto resolved = Run(engine::kCite, {{"target", cited->data[name].get<std::string>()}});
    ASSERT_TRUE(resolved.ok()) << resolved.error().message;
    EXPECT_EQ(resolved->data["text"], cited->data["text"]);
  }
  // It is the citation that inspect gives.
  const auto inspected = Run(engine::kInspect, {{"path", "oracle/bin/libk.so"}});
  const std::string all = FormatJson(inspected->data);
  EXPECT_NE(all.find(cited->data["citation"].get<std::string>()), std::string::npos);
}

TEST_F(CitedArtifacts, ThePageIsHeldToTheArtifact) {
  WritePage("`libk.so` holds 2 cubins for `sm_90`.", Footnote(kTarget));
  EXPECT_TRUE(Run(engine::kVerify, {})->holds);
  EXPECT_NE(Said(OfCitation()).find("the artifact still has the cited fact"), std::string::npos);
  WritePage("`libk.so` holds 3 cubins for `sm_90`.", Footnote(kTarget));
  const auto wrong_number = Run(engine::kVerify, {});
  ASSERT_EQ(wrong_number->findings.size(), 1U);
  EXPECT_EQ(wrong_number->findings[0].code, "number/ungrounded");
  WritePage("`libk.so` holds 2 cubins for `sm_89`.", Footnote(kTarget));
  EXPECT_FALSE(Run(engine::kVerify, {})->holds);
}

TEST_F(CitedArtifacts, WithoutTheArtifactOnlyARecordThatWasMadeHereCounts) {
  WritePage("`libk.so` holds 2 cubins for `sm_90`.", Footnote(kTarget));
  WriteLibrary("oracle/bin/libk.so", 5);  // rebuilt: other bytes under the old name
  EXPECT_TRUE(Run(engine::kVerify, {})->holds) << "the page is about the file that was cited";
  EXPECT_NE(Said(OfCitation()).find("the artifact is not here"), std::string::npos);
  fs::remove(*oracle_ / "bin/libk.so");
  EXPECT_TRUE(Run(engine::kVerify, {})->holds);
  // Without the record as well, nothing can be said.
  fs::remove(*oracle_ / "sibyl.facts");
  EXPECT_NE(Said(OfCitation()).find("undecidable"), std::string::npos);
  EXPECT_EQ(Run(engine::kVerify, {})->data["counts"]["supported"].get<int>(), 1)
      << "the link alone";
}

// A clone brings sibyl.facts with a value of its choice.
TEST_F(CitedArtifacts, AForgedRecordOfAnAbsentArtifactSupportsNothing) {
  const std::string sha(64, 'a');
  const std::string citation = "fact:sha256:" + sha + ";inspector=cuda;key=cubin.sm_90.count";
  Write("oracle/sibyl.facts",
        "sibyl facts 1\n" + citation +
            R"( {"value":9000,"kind":"elf","bytes":4096,"path":"bin/libk.so"})" + "\n");
  WritePage("`libk.so` holds 9000 cubins for `sm_90`.",
            "[^1]: `libk.so` <!-- " + citation + " -->");
  const engine::Outcome outcome = Done(engine::kVerify, {{"all", ""}});
  EXPECT_EQ(outcome.data["counts"]["supported"], 1) << "the link in the index alone";
  EXPECT_GE(outcome.data["counts"]["undecidable"].get<int>(), 1);
  const std::string said = Said(OfCitation());
  EXPECT_NE(said.find("the artifact is not here"), std::string::npos) << said;
  EXPECT_NE(said.find("inspect it again"), std::string::npos) << said;
  const auto cited = Run(engine::kCite, {{"target", citation}});
  ASSERT_FALSE(cited.ok());
  EXPECT_EQ(cited.error().kind, ErrorKind::kNotFound);
}

// The record of one user says nothing to another, whose state folder is empty.
TEST_F(CitedArtifacts, ARecordOfSomebodyElseIsUndecidableWithoutTheArtifact) {
  WritePage("`libk.so` holds 2 cubins for `sm_90`.", Footnote(kTarget));
  EXPECT_NE(Said(OfCitation()).find("still has"), std::string::npos);
  fs::remove_all(folder_.path() / "state");
  EXPECT_NE(Said(OfCitation()).find("still has"), std::string::npos) << "inspected again";
  EXPECT_FALSE(fs::exists(folder_.path() / "state")) << "checking writes nothing";
  fs::remove(*oracle_ / "bin/libk.so");
  EXPECT_NE(Said(OfCitation()).find("undecidable"), std::string::npos) << Said(OfCitation());
}

TEST_F(CitedArtifacts, ARecordDoesNotMakeUsReadOutsideTheOracle) {
  WriteLibrary("elsewhere/libk.so", 2);
  const std::string footnote = Footnote("elsewhere/libk.so#cuda:cubin.sm_90.count");
  WritePage("`libk.so` holds 2 cubins for `sm_90`.", footnote);
  EXPECT_NE(Said(OfCitation()).find("still has"), std::string::npos) << "our own record";
  fs::remove_all(folder_.path() / "state");
  EXPECT_NE(Said(OfCitation()).find("undecidable"), std::string::npos) << "a stranger's record";
  // Nor through a link, nor by a pin that was never made here.
  std::string book = *ReadFile(*oracle_ / "sibyl.facts");
  const std::string absolute = (folder_.path() / "elsewhere/libk.so").string();
  book.replace(book.find(absolute), absolute.size(), "linked/libk.so");
  Write("oracle/sibyl.facts", book);
  fs::create_directory_symlink(folder_.path() / "elsewhere", *oracle_ / "linked");
  EXPECT_NE(Said(OfCitation()).find("undecidable"), std::string::npos);
  fs::remove(*oracle_ / "sibyl.facts");
  fs::remove(*oracle_ / "bin/libk.so");  // the same bytes: found by their hash otherwise
  EXPECT_NE(Said(OfCitation()).find("undecidable"), std::string::npos) << Said(OfCitation());
}

TEST_F(CitedArtifacts, WithoutARecordTheArtifactIsFoundByItsHash) {
  const std::string footnote = Footnote(kTarget);
  fs::remove(*oracle_ / "sibyl.facts");
  fs::rename(*oracle_ / "bin/libk.so", *oracle_ / "renamed");
  WritePage("It holds 2 cubins for `sm_90`.", footnote);
  EXPECT_TRUE(Run(engine::kVerify, {})->holds);
  const Finding finding = OfCitation();
  EXPECT_NE(Said(finding).find("renamed"), std::string::npos) << Said(finding);
}

TEST_F(CitedArtifacts, APinnedFolderIsLookedIntoToo) {
  WriteLibrary("toolkit/lib/libt.so", 4);
  Write("toolkit/README.md", "A toolkit.\n");
  ASSERT_TRUE(Run(engine::kSourceAdd, {{"origin", "toolkit"}}).ok());
  const auto cited = Run(engine::kCite, {{"target", "toolkit/lib/libt.so#cuda:containers"}});
  ASSERT_TRUE(cited.ok()) << cited.error().message;
  EXPECT_EQ(cited->data["source"], "toolkit");
  EXPECT_EQ(cited->data["path"], "lib/libt.so");
  WritePage("It has 1 container.", cited->data["footnote"]);
  EXPECT_NE(Said(OfCitation()).find("still has"), std::string::npos);
  fs::remove(*oracle_ / "sibyl.facts");
  EXPECT_NE(Said(OfCitation()).find("still has"), std::string::npos);
}

TEST_F(CitedArtifacts, ARecordThatWasEditedIsContradictedByTheArtifact) {
  WritePage("`libk.so` holds 9 cubins for `sm_90`.", Footnote(kTarget));
  std::string book = *ReadFile(*oracle_ / "sibyl.facts");
  book.replace(book.find("\"value\":2"), 9, "\"value\":9");
  Write("oracle/sibyl.facts", book);
  const auto outcome = Run(engine::kVerify, {});
  EXPECT_FALSE(outcome->holds);
  EXPECT_NE(Said(OfCitation()).find("libk.so itself says 2"), std::string::npos);
  Write("oracle/sibyl.facts", "<<<<<<< ours\n");
  EXPECT_FALSE(Run(engine::kVerify, {}).ok());
}

TEST_F(CitedArtifacts, KeysThatDoNotExistAreRefusedWithTheNearest) {
  const auto slip = Run(engine::kCite, {{"target", "oracle/bin/libk.so#cuda:cubin.sm_90.counts"}});
  ASSERT_FALSE(slip.ok());
  EXPECT_NE(slip.error().hint.find("cubin.sm_90.count?"), std::string::npos) << slip.error().hint;
  EXPECT_FALSE(fs::exists(*oracle_ / "sibyl.facts"));
  EXPECT_FALSE(Run(engine::kCite, {{"target", "oracle/bin#cuda:containers"}}).ok());
  EXPECT_FALSE(Run(engine::kCite, {{"target", "oracle/none.so#cuda:containers"}}).ok());
  std::string made_up = Footnote(kTarget);
  made_up.replace(made_up.rfind(".count"), 6, ".weight");
  WritePage("It is heavy.", made_up);
  EXPECT_NE(Said(OfCitation()).find("absent"), std::string::npos);
}

TEST(FactTarget, IsAPathAnInspectorAndAKey) {
  const auto target = oracle::ParseFactTarget("a#b/lib c.so#cuda:cubin.sm_90a.count");
  ASSERT_TRUE(target.has_value());
  EXPECT_EQ(target->path, "a#b/lib c.so");
  EXPECT_EQ(target->inspector, "cuda");
  EXPECT_EQ(target->key, "cubin.sm_90a.count");
  for (const char* other : {"a.cc:10-20", "a.cc#L10-L20", "a#machine:gpus", "#cuda:x", "a#cuda:"}) {
    EXPECT_FALSE(oracle::ParseFactTarget(other).has_value()) << other;
  }
}

}  // namespace
}  // namespace sibyl::engine
