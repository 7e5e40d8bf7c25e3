// SPDX-License-Identifier: Apache-2.0
#include "engine/inspect_operations.h"

#include <gtest/gtest.h>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"
#include "engine/arguments.h"
#include "engine/outcome.h"
#include "inspect/cuda/test_code.h"
#include "oracle/context.h"

namespace sibyl::engine {
namespace {

class InspectOperation : public testing::Test {
 protected:
  void SetUp() override {
    using inspect::MakeCubin;
    const std::string cubin = MakeCubin(90, inspect::SampleCode::kKernel);
    const std::string fatbin = inspect::MakeFatbin({{.number = 90, .payload = cubin}});
    ASSERT_TRUE(WriteFileAtomically(
                    folder_.path() / "k.so",
                    inspect::MakeElf({.sections = {{.name = ".nv_fatbin", .content = fatbin}}}))
                    .ok());
  }
  Result<Outcome> Run(std::vector<GivenValue> given) {
    Result<Arguments> arguments = Arguments::Make(kInspect, std::move(given));
    if (!arguments.ok()) return arguments.error();
    return RunOperation(kInspect, {.working_folder = folder_.path(), .clock = clock_}, *arguments);
  }
  TemporaryFolder folder_;
  FixedClock clock_{*ParseDate("2026-11-15")};
};

TEST_F(InspectOperation, AnswersInTheDocumentedShape) {
  const Result<Outcome> outcome = Run({{"path", "k.so"}, {"gpu", "H200"}});
  ASSERT_TRUE(outcome.ok()) << outcome.error().message;
  EXPECT_TRUE(outcome->holds);
  const Json& artifact = outcome->data["artifacts"][0];
  EXPECT_EQ(artifact["path"], "k.so");
  EXPECT_EQ(artifact["kind"], "elf");
  EXPECT_EQ(artifact["sha256"].get<std::string>().size(), 64U);
  const Json& image = artifact["images"][0];
  EXPECT_EQ(image["kind"], "cubin");
  EXPECT_EQ(image["arch"], "sm_90");
  EXPECT_EQ(image["section"], ".nv_fatbin");
  EXPECT_EQ(image["count"], 1);
  EXPECT_EQ(image["with_code"], 1);
  EXPECT_GT(image["stored_bytes"].get<int>(), 0);
  EXPECT_GT(image["unpacked_bytes"].get<int>(), 0);
  EXPECT_EQ(artifact["verdicts"][0]["runs"], "native");
  for (const Json& fact : artifact["facts"]) {
    EXPECT_TRUE(fact["citation"].get<std::string>().starts_with("fact:sha256:"));
  }
}

// Issue 23: a list was one unknown GPU.
TEST_F(InspectOperation, UnderstandsAListOfGpus) {
  const Result<Outcome> outcome = Run({{"path", "k.so"}, {"gpu", "H200, L4"}, {"gpu", "h200"}});
  ASSERT_TRUE(outcome.ok()) << outcome.error().message;
  const Json& verdicts = outcome->data["artifacts"][0]["verdicts"];
  ASSERT_EQ(verdicts.size(), 2U);
  EXPECT_EQ(verdicts[0]["gpu"], "H200");
  EXPECT_EQ(verdicts[1]["gpu"], "L4");
  EXPECT_EQ(Run({{"path", "k.so"}, {"gpu", "L4,"}}).error().message, "--gpu has an empty name");
}

TEST_F(InspectOperation, ListsTheKnownGpusWithTheirReceipts) {
  const Result<Outcome> outcome = Run({{"gpus", ""}});
  ASSERT_TRUE(outcome.ok()) << outcome.error().message;
  const Json& data = outcome->data;
  EXPECT_GT(data["gpus"].size(), 100U);
  for (const char* table :
       {"gpus", "architectures", "toolkits", "images", "torch", "host_compilers"}) {
    for (const Json& row : data[table]) {
      EXPECT_FALSE(row["receipts"].empty()) << row;
      for (const Json& id : row["receipts"]) {
        EXPECT_TRUE(data["receipts"].contains(id.get<std::string>())) << row;
      }
    }
  }
  EXPECT_EQ(Run({{"gpus", ""}, {"path", "k.so"}}).error().kind, ErrorKind::kUsage);
  EXPECT_EQ(Run({}).error().message, "inspect needs a PATH: a file or a folder");
}

TEST_F(InspectOperation, AFolderWithoutFilesIsAnError) {
  ASSERT_TRUE(CreateFolders(folder_.path() / "empty").ok());
  EXPECT_EQ(Run({{"path", "empty"}}).error().message, "there is no file to inspect");
}

TEST_F(InspectOperation, DoesNotHoldWhereTheGpuIsNotServed) {
  const Result<Outcome> outcome = Run({{"path", "k.so"}, {"gpu", "T4"}, {"explain", ""}});
  ASSERT_TRUE(outcome.ok());
  EXPECT_FALSE(outcome->holds);
  EXPECT_EQ(outcome->data["artifacts"][0]["verdicts"][0]["error"], 209);
  EXPECT_FALSE(outcome->data["explanations"].empty());
}

TEST_F(InspectOperation, RefusesQuestionsThatMeanNothing) {
  EXPECT_FALSE(Run({{"path", "k.so"}, {"driver", "580"}}).ok());
  EXPECT_FALSE(Run({{"path", "k.so"}, {"compare", ""}}).ok());
  EXPECT_FALSE(Run({{"path", "k.so"}, {"prune-report", ""}}).ok());
  EXPECT_FALSE(Run({{"path", "k.so"}, {"gpu", "H2000000"}}).ok());
  EXPECT_FALSE(Run({{"path", "k.so"}, {"gpu", "H200"}, {"driver", "new"}}).ok());
}

TEST_F(InspectOperation, ComparesTwoFiles) {
  const Result<Outcome> outcome = Run({{"path", "k.so"}, {"path", "k.so"}, {"compare", ""}});
  ASSERT_TRUE(outcome.ok());
  EXPECT_TRUE(outcome->data["comparison"]["images"].empty());
}

TEST_F(InspectOperation, QuickAnswersHaveNoCitations) {
  const Result<Outcome> outcome = Run({{"path", "k.so"}, {"quick", ""}});
  ASSERT_TRUE(outcome.ok());
  EXPECT_TRUE(outcome->data["artifacts"][0]["sha256"].is_null());
  EXPECT_TRUE(outcome->data["artifacts"][0]["images"][0]["with_code"].is_null());
  EXPECT_TRUE(outcome->data["artifacts"][0]["facts"][0]["citation"].is_null());
}

TEST_F(InspectOperation, QuickGivesTheSameVerdict) {
  using inspect::MakeCubin;
  // The section has an empty cubin; the library loads its code itself.
  const std::string shell =
      inspect::MakeFatbin({{.number = 75, .payload = MakeCubin(75, inspect::SampleCode::kNone)}});
  const std::string code =
      inspect::MakeFatbin({{.number = 80, .payload = MakeCubin(80, inspect::SampleCode::kKernel)}});
  ASSERT_TRUE(
      WriteFileAtomically(folder_.path() / "hidden.so",
                          inspect::MakeElf({.sections = {{.name = ".nv_fatbin", .content = shell},
                                                         {.name = ".rodata", .content = code}}}))
          .ok());
  for (const char* gpu : {"4090", "A100", "H100"}) {
    const Result<Outcome> whole = Run({{"path", "hidden.so"}, {"gpu", gpu}});
    const Result<Outcome> quick = Run({{"path", "hidden.so"}, {"gpu", gpu}, {"quick", ""}});
    ASSERT_TRUE(whole.ok() && quick.ok());
    EXPECT_EQ(quick->holds, whole->holds) << gpu;
    EXPECT_EQ(quick->data["artifacts"][0]["verdicts"], whole->data["artifacts"][0]["verdicts"]);
    EXPECT_TRUE(quick->data["artifacts"][0]["sha256"].is_null());
  }
  EXPECT_TRUE(Run({{"path", "hidden.so"}, {"gpu", "4090"}, {"quick", ""}})->holds);
}

}  // namespace
}  // namespace sibyl::engine
