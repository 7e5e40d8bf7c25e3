// SPDX-License-Identifier: Apache-2.0
// Publishes one of two parts while an agent holds the other, and is killed at
// every change of the oracle. Whatever happened, the next call finishes it, the
// agent's lease is valid, and the oracle ends the same.
#include <gtest/gtest.h>

#include <functional>

#include "engine/agent/agent_operations.h"
#include "engine/arguments.h"
#include "engine/outcome.h"
#include "evidence/evidence.h"
#include "expansion/publish_ready.h"
#include "library/test_oracle.h"
#include "oracle/context.h"
#include "oracle/source_index.h"

namespace sibyl {
namespace {

namespace fs = std::filesystem;
using library::FaultyDisk;
using library::TestOracle;

const std::string kHousePlan = "_ingest-auto/expansion-house/ingestion.md";

constexpr std::string_view kHousePlanText = R"(# Knowledge expansion: House

## PART 1: The kitchen

- [ ] PART 1: Create house/01-kitchen.md (~60 lines)

**Step 3: Write**
- [ ] Section 1: Windows
      - Windows of the kitchen

## PART 2: The cellar

- [ ] PART 2: Create house/02-cellar.md (~60 lines)

**Step 3: Write**
- [ ] Section 1: Windows
      - Windows of the cellar
)";

// One folder for all houses: pages name it.
fs::path HouseNotes() {
  static const library::MemoryFolder folder;
  const fs::path notes = folder.path() / "notes";
  fs::create_directories(notes);
  std::ofstream(notes / "house.md") << "# House\n\nThe windows of the kitchen look to the garden."
                                       "\n\nThe windows of the cellar look to the street.\n";
  return notes;
}

class HalfHouse {
 public:
  HalfHouse() {
    ::setenv("SOURCE_DATE_EPOCH", "1794733500", 1);  // NOLINT(concurrency-mt-unsafe)
    fs::remove_all(oracle_.path() / "_ingest-auto");
    oracle_.Write(kHousePlan, kHousePlanText);
    const evidence::Surroundings around{
        .oracle = oracle_.path(), .store = evidence::Store(store()), .clock = library::kTestClock};
    const auto added = evidence::AddSource(
        {.name = "notes", .kind = evidence::SourceKind::kFolder, .origin = HouseNotes().string()},
        around);
    EXPECT_TRUE(added.ok()) << (added.ok() ? "" : added.error().message);
    EXPECT_TRUE(oracle::OpenSourceIndexes(*evidence::ReadLock(around), around).ok());
    oracle_.Git({"add", "-A"});
    oracle_.Git({"commit", "-q", "-m", "a plan and a source"});
    Deliver(Claim(),
            "The windows of the kitchen look to the garden.[^a]\n\n[^a]: notes:house.md:3\n");
    held_ = Claim();
  }

  const TestOracle& oracle() const { return oracle_; }
  oracle::Context context() const {
    return {.working_folder = oracle_.path(),
            .oracle = oracle_.path(),
            .clock = library::kTestClock,
            .store = store(),
            .state = oracle_.state()};
  }

  Json Run(const engine::Operation& operation, std::vector<engine::GivenValue> given) const {
    const auto arguments = engine::Arguments::Make(operation, std::move(given));
    EXPECT_TRUE(arguments.ok());
    const auto outcome = engine::RunOperation(operation, context(), *arguments);
    EXPECT_TRUE(outcome.ok()) << (outcome.ok() ? "" : outcome.error().message);
    return outcome.ok() ? outcome->data : Json::object();
  }
  std::string Claim() const {
    const Json lease = Run(engine::kPartClaim, {{"plan", kHousePlan}})["lease"];
    return lease.is_string() ? lease.get<std::string>() : std::string();
  }
  void Deliver(const std::string& lease, const std::string& text) const {
    Run(engine::kPartDraft, {{"lease", lease}, {"section", "1"}, {"text", text}});
    const Json submitted = Run(engine::kPartSubmit, {{"lease", lease}});
    EXPECT_EQ(submitted.value("accepted", false), true) << submitted.dump(2);
  }
  Json Finalize() const { return Run(engine::kPlanFinalize, {{"plan", kHousePlan}}); }

  // The agent goes on with the lease that it got before, and the rest is published.
  std::map<std::string, std::string> End() const {
    Deliver(held_, "The windows of the cellar look to the street.[^a]\n\n[^a]: notes:house.md:5\n");
    EXPECT_EQ(Finalize()["published"], true);
    return oracle_.Everything();
  }

 private:
  fs::path store() const { return folder_.path() / "store"; }

  library::MemoryFolder folder_;
  TestOracle oracle_;
  std::string held_;
};

int PublishReadyParts(const HalfHouse& house, library::Disk* disk = nullptr) {
  const auto run =
      expansion::AgentRun::Open(house.context(), kHousePlan, expansion::Joining::kPublish);
  if (!run.ok()) return 1;
  return expansion::PublishReady(house.context(), **run, {.disk = disk}).ok() ? 0 : 1;
}

std::map<std::string, std::string> UndisturbedHouse() {
  const HalfHouse house;
  EXPECT_EQ(house.Finalize()["published"], true);
  return house.End();
}

void HouseEndsTheSame(const std::function<int(const HalfHouse&, int)>& doomed) {
  const auto expected = UndisturbedHouse();
  ASSERT_EQ(expected.at("git status"), "");
  ASSERT_TRUE(expected.contains("house/02-cellar.md"));
  bool went_through = false;
  for (int at = 1; !went_through; ++at) {
    ASSERT_LT(at, 200);
    const HalfHouse house;
    went_through = library::InChild([&] { return doomed(house, at); }) == 0;
    EXPECT_TRUE(house.Claim().empty()) << at;  // joins the run, whatever its state
    house.Finalize();
    ASSERT_TRUE(house.oracle().Has("house/01-kitchen.md")) << at;
    ASSERT_EQ(house.oracle().Git({"rev-list", "--count", "HEAD"}), "3") << at;
    ASSERT_EQ(house.End(), expected) << "after trouble at operation " << at;
  }
}

TEST(SomeParts, KilledAtEveryChangeOfTheOracleTheyArePublishedOnce) {
  HouseEndsTheSame([](const HalfHouse& house, int at) {
    FaultyDisk disk(FaultyDisk::Trouble::kKill, at);
    return PublishReadyParts(house, &disk);
  });
}

TEST(SomeParts, WithAFullDiskAtEveryChangeOfTheOracleTheyArePublishedOnce) {
  HouseEndsTheSame([](const HalfHouse& house, int at) {
    FaultyDisk disk(FaultyDisk::Trouble::kFull, at);
    const int ended = PublishReadyParts(house, &disk);
    return ended != 0 || disk.operations() >= at ? 1 : 0;
  });
}

TEST(SomeParts, SeveralAtOnceMakeOneCommit) {
  const auto expected = UndisturbedHouse();
  for (int round = 0; round < 3; ++round) {
    const HalfHouse house;
    std::vector<pid_t> others;
    for (int i = 0; i < 4; ++i) {
      others.push_back(library::BeginChild([&] {
        house.Finalize();
        return testing::Test::HasFailure() ? 1 : 0;
      }));
    }
    for (const pid_t other : others) EXPECT_EQ(library::EndOfChild(other), 0);
    EXPECT_EQ(house.oracle().Git({"rev-list", "--count", "HEAD"}), "3");
    ASSERT_EQ(house.End(), expected) << round;
  }
}

}  // namespace
}  // namespace sibyl
