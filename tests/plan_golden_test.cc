// SPDX-License-Identifier: Apache-2.0
// Parses and checks whole plans: those in examples/plans, and the styles collected in
// tests/golden/plan. SIBYL_UPDATE=1 rewrites the expected answers; review the
// difference.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "base/files/files.h"
#include "base/process/subprocess.h"

namespace sibyl {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> PlansIn(const fs::path& folder) {
  std::vector<fs::path> plans;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".md" && entry.path().filename() != "README.md") {
      plans.push_back(entry.path());
    }
  }
  return plans;
}

void ExpectGolden(const fs::path& plan) {
  const Result<Outcome> run =
      RunProgram({.program = SIBYL_PROGRAM,
                  .arguments = {"plan", "show", "--json", plan.filename().string()},
                  .folder = plan.parent_path()});
  ASSERT_TRUE(run.ok()) << run.error().message;
  ASSERT_EQ(run->exit_code, 0) << run->errors;
  const fs::path golden =
      fs::path(SIBYL_SOURCE_DIR) / "tests/golden/plan" / (plan.stem().string() + ".json");
  if (std::getenv("SIBYL_UPDATE") != nullptr) {
    ASSERT_TRUE(WriteFileAtomically(golden, run->output).ok());
  }
  const Result<std::string> expected = ReadFile(golden);
  ASSERT_TRUE(expected.ok()) << expected.error().message;
  EXPECT_EQ(run->output, *expected) << plan << ": SIBYL_UPDATE=1 ctest rewrites " << golden;
}

TEST(PlanGolden, ReadsPlansAsBefore) {
  for (const char* folder : {"tests/golden/plan", "examples/plans"}) {
    for (const fs::path& plan : PlansIn(fs::path(SIBYL_SOURCE_DIR) / folder)) ExpectGolden(plan);
  }
}

}  // namespace
}  // namespace sibyl
