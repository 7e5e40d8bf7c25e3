// SPDX-License-Identifier: Apache-2.0
// For tests: an oracle with one pinned folder of notes, and what an expansion of
// it is given.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/files/files.h"
#include "base/files/temporary_folder.h"
#include "draft/agent/agent_page.h"
#include "evidence/citation.h"
#include "evidence/evidence.h"
#include "expansion/expansion_inputs.h"
#include "expansion/planned_work.h"
#include "oracle/context.h"
#include "oracle/oracle.h"

namespace sibyl::expansion {

inline constexpr std::string_view kNotesPlan = R"(# Knowledge expansion: Gadget

**Topic**: Gadget

## PART 1: The queue of Gadget

- [ ] PART 1: Create gadget/01-queue.md (~80 lines)

**Step 3: Write Knowledge File**
- [ ] Section 1: Queue (~50 lines)
      - Length of the queue
)";

class TestExpansion {
 public:
  TestExpansion() {
    Write("notes/queue.md",
          "# Queue\n\nThe length of the queue is 64 entries, and `queue_limit` changes it.\n"
          "A queue that is full drops the oldest entry.\n");
    Write("oracle/sibyl.toml", "");
    Write("oracle/plan.md", kNotesPlan);
    EXPECT_TRUE(evidence::AddSource({.name = "notes",
                                     .kind = evidence::SourceKind::kFolder,
                                     .origin = (folder_.path() / "notes").string()},
                                    around())
                    .ok());
  }

  void Write(const std::string& path, std::string_view text) const {
    std::filesystem::create_directories((folder_.path() / path).parent_path());
    EXPECT_TRUE(WriteFileAtomically(folder_.path() / path, text).ok());
  }

  std::filesystem::path oracle() const { return folder_.path() / "oracle"; }

  oracle::Context context() const {
    return {.working_folder = oracle(),
            .oracle = oracle(),
            .clock = clock_,
            .store = folder_.path() / "store",
            .state = folder_.path() / "state"};
  }

  /// Not through the oracle's files: adding a source outside of it asks nobody here.
  evidence::Surroundings around() const {
    return {
        .oracle = oracle(), .store = evidence::Store(folder_.path() / "store"), .clock = clock_};
  }

  evidence::Lock lock() const { return *evidence::ReadLock(around()); }

  std::unique_ptr<oracle::CitationSources> citations() const {
    auto opened = oracle::CitationSources::Open(context(), lock(), around());
    EXPECT_TRUE(opened.ok()) << (opened.ok() ? "" : opened.error().message);
    return std::move(opened).value();
  }

  PlannedWork work() const {
    auto planned = PlanWork(context(), {.plan = "plan.md"}, Intake::kLook);
    EXPECT_TRUE(planned.ok()) << (planned.ok() ? "" : planned.error().message);
    return std::move(planned).value();
  }

  /// A citation of lines of the notes: "queue.md:3".
  std::string Cite(std::string_view target) const {
    const auto cited = evidence::MakeCitation(target, around());
    EXPECT_TRUE(cited.ok()) << (cited.ok() ? "" : cited.error().message);
    return cited.ok() ? evidence::FormatCitation(cited->citation) : std::string();
  }

  /// The page of an agent that makes one statement and cites it so.
  draft::Draft PageCiting(const std::string& statement, const std::string& citation) const {
    const plan::Plan plan = plan::Parse("plan.md", kNotesPlan).plan;
    const evidence::Lock pins = lock();
    return draft::ComposeAgentPage({.plan = plan,
                                    .part = plan.parts.at(0),
                                    .lock = pins,
                                    .program = ProgramName(),
                                    .time = clock_.Now()},
                                   {{.place = 0,
                                     .text = "### Length of the queue\n" + statement +
                                             "[^a]\n\n[^a]: " + citation + "\n"}})
        .draft;
  }

 private:
  TemporaryFolder folder_;
  FixedClock clock_{Time(std::chrono::seconds(1'800'000'000))};
};

}  // namespace sibyl::expansion
