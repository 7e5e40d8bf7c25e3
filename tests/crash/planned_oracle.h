// SPDX-License-Identifier: Apache-2.0
// For tests: an oracle with a plan of three parts and its source pinned and
// indexed, to be copied for every run.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "evidence/evidence.h"
#include "library/library.h"
#include "library/test_oracle.h"
#include "oracle/source_index.h"

namespace sibyl {

namespace fs = std::filesystem;
using library::TestOracle;

inline constexpr std::string_view kPlan = R"(# Knowledge expansion: Gadget

**Topic**: How Gadget is built

## PART 1: How Gadget finds its profiler

- [ ] PART 1: Create gadget/01-profiler.md (~90 lines)

**Step 3: Write**
- [ ] Section 1: Detection (~50 lines)
      - Detection order of the profiler

## PART 2: How Gadget uses streams

- [ ] PART 2: Create cuda/02-streams.md (~90 lines)

**Step 3: Write**
- [ ] Section 1: Streams (~50 lines)
      - Priority of the worker streams

## PART 3: How Gadget replays graphs

- [ ] PART 3: Create cuda/03-graphs.md (~90 lines)

**Step 3: Write**
- [ ] Section 1: Graphs (~50 lines)
      - Capture of the launch graph
)";

class Original {
 public:
  static const Original& Get() {
    static const Original original;
    return original;
  }

  const TestOracle& oracle() const { return oracle_; }
  fs::path store() const { return folder_.path() / "store"; }

 private:
  Original() {
    const fs::path source = folder_.path() / "gadget";
    Write(source / "docs/profiler.md",
          "# Profiler\n\nThe detection order of the profiler is fixed: the toolkit is asked before "
          "the system.\n");
    Write(source / "docs/streams.md",
          "# Streams\n\nThe priority of the worker streams is the highest that the device has.\n");
    Write(source / "docs/graphs.md",
          "# Graphs\n\nThe capture of the launch graph happens once, at the second step.\n");
    oracle_.Write(std::string(library::kTestPlanPath), kPlan);
    const evidence::Surroundings around{
        .oracle = oracle_.path(), .store = evidence::Store(store()), .clock = library::kTestClock};
    const auto added = evidence::AddSource(
        {.name = "gadget", .kind = evidence::SourceKind::kFolder, .origin = source.string()},
        around);
    EXPECT_TRUE(added.ok()) << (added.ok() ? "" : added.error().message);
    EXPECT_TRUE(oracle::OpenSourceIndexes(*evidence::ReadLock(around), around).ok());
    oracle_.Git({"add", "-A"});
    oracle_.Git({"commit", "-q", "-m", "a plan and a source"});
  }

  static void Write(const fs::path& path, std::string_view text) {
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }

  library::MemoryFolder folder_;
  TestOracle oracle_;
};

class Copy : public TestOracle {
 public:
  Copy() : TestOracle(Original::Get().oracle().path()) {}
};

}  // namespace sibyl
