// SPDX-License-Identifier: Apache-2.0
// Four agents in four processes write one plan of twelve parts; one of them at a time
// is killed at a random point. They publish when they like. Every part is
// delivered and published once.
#include <gtest/gtest.h>

#include <array>
#include <iostream>
#include <random>
#include <thread>

#include "engine/agent/agent_operations.h"
#include "engine/arguments.h"
#include "engine/outcome.h"
#include "engine/verify_operations.h"
#include "evidence/evidence.h"
#include "library/test_oracle.h"
#include "oracle/context.h"
#include "oracle/source_index.h"

namespace sibyl {
namespace {

namespace fs = std::filesystem;
using library::TestOracle;
using std::chrono::milliseconds;

constexpr int kParts = 12;
const std::string kPlanName = "_ingest-auto/expansion-rooms/ingestion.md";

std::string Room(int number) { return "room" + std::to_string(number); }

std::string PlanText() {
  std::string plan = "# Knowledge expansion: Rooms\n\n**Topic**: The rooms of the house\n\n";
  for (int i = 1; i <= kParts; ++i) {
    const std::string number = std::to_string(i);
    const std::string file = "house/" + std::to_string(10 + i) + "-" + Room(i) + ".md";
    plan += "## PART " + number + ": The room " + Room(i) + "\n\n- [ ] PART " + number +
            ": Create " + file + " (~60 lines)\n\n**Step 3: Write**\n- [ ] Section 1: Windows\n" +
            "      - Windows of " + Room(i) + "\n\n";
  }
  return plan;
}

class House {
 public:
  House() {
    fs::remove_all(oracle_.path() / "_ingest-auto");
    for (int i = 1; i <= kParts; ++i) {
      const fs::path file = folder_.path() / "notes" / (Room(i) + ".md");
      fs::create_directories(file.parent_path());
      std::ofstream(file) << "# " << Room(i) << "\n\nThe windows of " << Room(i)
                          << " look to the garden.\n";
    }
    oracle_.Write(kPlanName, PlanText());
    const evidence::Surroundings around{
        .oracle = oracle_.path(), .store = evidence::Store(store()), .clock = library::kTestClock};
    const auto added = evidence::AddSource({.name = "notes",
                                            .kind = evidence::SourceKind::kFolder,
                                            .origin = (folder_.path() / "notes").string()},
                                           around);
    EXPECT_TRUE(added.ok()) << (added.ok() ? "" : added.error().message);
    EXPECT_TRUE(oracle::OpenSourceIndexes(*evidence::ReadLock(around), around).ok());
    oracle_.Git({"add", "-A"});
    oracle_.Git({"commit", "-q", "-m", "a plan and a source"});
  }

  const TestOracle& oracle() const { return oracle_; }
  fs::path store() const { return folder_.path() / "store"; }

  Result<engine::Outcome> Run(const engine::Operation& operation,
                              std::vector<engine::GivenValue> given) const {
    auto arguments = engine::Arguments::Make(operation, std::move(given));
    if (!arguments.ok()) return std::move(arguments).error();
    return engine::RunOperation(operation,
                                {.working_folder = oracle_.path(),
                                 .oracle = oracle_.path(),
                                 .clock = library::kTestClock,
                                 .store = store(),
                                 .state = oracle_.state(),
                                 .caller_is_process_scoped = true},
                                *arguments);
  }

 private:
  library::MemoryFolder folder_;
  TestOracle oracle_;
};

void Pause(std::minstd_rand& random) {
  std::this_thread::sleep_for(milliseconds(30 + random() % 120));
}

// The exit code of an agent that met a fault, which it prints.
int Fault(int code, const Result<engine::Outcome>& outcome) {
  const std::string what = outcome.ok() ? outcome->data.dump() : outcome.error().message;
  std::cerr << "agent: fault " << code << ": " << what << "\n";
  return code;
}

// One agent, until the plan is published. 0: it is; anything else is a fault.
int BeAnAgent(const House& house, unsigned seed) {
  std::minstd_rand random(seed);
  while (true) {
    const auto claimed = house.Run(engine::kPartClaim, {{"plan", kPlanName}});
    if (!claimed.ok()) return Fault(10, claimed);
    if (claimed->data["lease"].is_null()) {
      const auto status = house.Run(engine::kPlanStatus, {{"plan", kPlanName}});
      if (!status.ok()) return Fault(11, status);
      if (status->data["completed"] == true) return 0;
      if (status->data["next"] == "finalize") {
        const auto published = house.Run(engine::kPlanFinalize, {{"plan", kPlanName}});
        // Another may have published between the look and the asking, or be at it.
        const bool is_late = !published.ok() && (published.error().kind == ErrorKind::kUsage ||
                                                 published.error().kind == ErrorKind::kUnavailable);
        if (!published.ok() && !is_late) return Fault(12, published);
      }
      Pause(random);
      continue;
    }
    const std::string lease = claimed->data["lease"];
    const std::string room = Room(claimed->data["part"]["number"].get<int>());
    Pause(random);
    const auto source = house.Run(engine::kSourceRead, {{"target", room + ".md:3"}});
    if (!source.ok()) return Fault(13, source);
    const std::string text = "The windows of " + room + " look to the garden.[^a]\n\n[^a]: " +
                             source->data["citation"].get<std::string>() + "\n";
    const auto drafted =
        house.Run(engine::kPartDraft, {{"lease", lease}, {"section", "1"}, {"text", text}});
    if (!drafted.ok() || !drafted->holds) return Fault(14, drafted);
    Pause(random);
    const auto submitted = house.Run(engine::kPartSubmit, {{"lease", lease}});
    if (!submitted.ok() || !submitted->holds) return Fault(15, submitted);
    if (random() % 3 != 0) continue;
    const auto published = house.Run(engine::kPlanFinalize, {{"plan", kPlanName}});
    if (!published.ok() && published.error().kind != ErrorKind::kUnavailable) {
      return Fault(16, published);
    }
  }
}

struct Crew {
  const House& house;
  std::array<pid_t, 4> agents{};
  unsigned started = 0;

  void Start(std::size_t place) {
    const unsigned seed = ++started;
    const pid_t pid = ::fork();
    if (pid == 0) ::_exit(BeAnAgent(house, seed));
    agents.at(place) = pid;
  }
};

TEST(FourAgents, OneKilledEveryMomentDeliverEveryPartOnce) {
  ::setenv("SOURCE_DATE_EPOCH", "1794733500", 1);  // NOLINT(concurrency-mt-unsafe)
  const House house;
  Crew crew{.house = house};
  for (std::size_t i = 0; i < crew.agents.size(); ++i) crew.Start(i);
  std::minstd_rand random(7);
  int kills = 0;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(120);
  while (!house.oracle().Has("_ingest-auto/completed/expansion-rooms/ingestion.md") &&
         std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(milliseconds(80));
    const std::size_t victim = random() % crew.agents.size();
    ::kill(crew.agents.at(victim), SIGKILL);
    int status = 0;
    ::waitpid(crew.agents.at(victim), &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 0) << status;
    kills += WIFSIGNALED(status) ? 1 : 0;
    crew.Start(victim);
  }
  for (const pid_t agent : crew.agents) {
    int status = 0;
    ::waitpid(agent, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }
  EXPECT_GT(kills, 5);
  const std::string messages = house.oracle().Git({"log", "--format=%B"});
  for (int i = 1; i <= kParts; ++i) {
    const std::string line = "- PART " + std::to_string(i) + ": house/";
    const std::size_t at = messages.find(line);
    EXPECT_NE(at, std::string::npos) << messages;
    EXPECT_EQ(messages.find(line, at + 1), std::string::npos) << messages;
  }
  for (int i = 1; i <= kParts; ++i) {
    const std::string file = "house/" + std::to_string(10 + i) + "-" + Room(i) + ".md";
    EXPECT_NE(house.oracle().Read(file).find("look to the garden.[^p" + std::to_string(i) + "-1]"),
              std::string::npos)
        << file;
  }
  EXPECT_EQ(house.oracle().Git({"status", "--porcelain"}), "");
  const auto verified = house.Run(engine::kVerify, {{"file", "house"}});
  ASSERT_TRUE(verified.ok()) << verified.error().message;
  EXPECT_TRUE(verified->holds);
}

}  // namespace
}  // namespace sibyl
