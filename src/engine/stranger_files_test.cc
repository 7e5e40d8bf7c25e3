// SPDX-License-Identifier: Apache-2.0
// What a cloned oracle may hold, and every operation that takes a path: symbolic
// links out of it, named pipes, files of ours that are links.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <future>

#include "engine/evidence_operations.h"
#include "engine/gate_operations.h"
#include "engine/operation.h"
#include "engine/plan/plan_operations.h"
#include "engine/test_operations.h"
#include "engine/verify_operations.h"
#include "inspect/cuda/test_code.h"

namespace sibyl::engine {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSecret = "kSecretValue";

class StrangerFiles : public OperationTest {
 protected:
  StrangerFiles() {
    MakeOracle();
    Write("source/notes.md", "# Notes\n\nThe cache holds 4 MB.\n");
    EXPECT_TRUE(Run(kSourceAdd, {{"origin", "source"}, {"name", "notes"}}).ok());
    Write("home/secret.md", "# Part 1: `kSecretValue`\n\nThe `kSecretValue` is 9000 GB.\n");
    Write("home/folder/secret.md", "The `kSecretValue` is 9000 GB.\n");
  }

  void Amend(oracle::Context& context) override {
    if (!is_served_) return;
    context.working_folder = *oracle_;
    context.roots = {*oracle_};
  }

  static std::string Said(const Result<Outcome>& outcome) {
    if (!outcome.ok()) return outcome.error().message + " | " + outcome.error().hint;
    std::string said = FormatJson(outcome->data);
    for (const Finding& finding : outcome->findings) {
      said += "\n" + finding.place.file + ": " + finding.message + " | " + finding.hint;
      for (const FindingDetail& detail : finding.details) said += " | " + detail.value;
    }
    return said;
  }

  bool is_served_ = false;
};

struct PathUse {
  const Operation* operation;
  std::vector<GivenValue> given;
};

TEST_F(StrangerFiles, NoOperationShowsWhatALinkOutOfTheOracleLeadsTo) {
  fs::create_symlink("../home/secret.md", *oracle_ / "leak.md");
  fs::create_symlink(folder_.path() / "home/folder", *oracle_ / "linked");
  for (const bool served : {false, true}) {
    is_served_ = served;
    const std::string at = served ? "" : "oracle/";
    for (const std::string& path : {at + "leak.md", at + "linked/secret.md"}) {
      const std::vector<PathUse> uses = {
          {&kVerify, {{"file", path}, {"all", ""}, {"explain", ""}}},
          {&kVerify, {{"baseline", path}}},
          {&kAudit, {{"path", path}, {"all", ""}}},
          {&kAudit, {{"path", served ? "." : "oracle"}, {"baseline", path}}},
          {&kPlanShow, {{"plan", path}}},
          {&kPlanCheck, {{"plan", path}}},
          {FindOperation("dump"), {{"file", path}}},
          {FindOperation("inspect"), {{"path", path}}},
          {FindOperation("lab show"), {{"run", path}}},
          {&kCite, {{"target", path + "#elf:machine"}}},
          {FindOperation("expand"), {{"plan", path}, {"dry-run", ""}}},
      };
      for (const PathUse& use : uses) {
        const Result<Outcome> outcome = Run(*use.operation, use.given);
        const std::string said = Said(outcome);
        EXPECT_FALSE(outcome.ok() && outcome->holds) << use.operation->name << " " << said;
        EXPECT_EQ(said.find(kSecret), std::string::npos) << use.operation->name << ": " << said;
        EXPECT_NE(said.find(path.find("leak") == std::string::npos ? "linked" : "leak.md"),
                  std::string::npos)
            << use.operation->name << ": " << said;
      }
    }
  }
}

TEST_F(StrangerFiles, TheWholeOracleIsVerifiedAndTheLinkIsNamed) {
  fs::create_symlink("../home/secret.md", *oracle_ / "leak.md");
  fs::create_symlink("../home/folder", *oracle_ / "linked");
  const Result<Outcome> outcome = Run(kVerify, {{"all", ""}});
  ASSERT_TRUE(outcome.ok()) << outcome.error().message;
  EXPECT_FALSE(outcome->holds);
  const std::string said = Said(outcome);
  EXPECT_EQ(said.find(kSecret), std::string::npos) << said;
  EXPECT_NE(said.find("leak.md: the symbolic link leads out"), std::string::npos) << said;
  EXPECT_NE(said.find("linked: a symbolic link to ../home/folder is not followed"),
            std::string::npos)
      << said;
}

// Runs an operation that may hang where it has a defect. Then a writer is opened
// on the pipe: the reader goes on, and the test fails instead of waiting.
Result<Outcome> RunWatched(const fs::path& pipe, const std::function<Result<Outcome>()>& run,
                           const std::string& what) {
  std::future<Result<Outcome>> outcome = std::async(std::launch::async, run);
  while (outcome.wait_for(std::chrono::seconds(60)) != std::future_status::ready) {
    ADD_FAILURE() << what << " waits for a named pipe";
    const int writer = ::open(pipe.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (writer >= 0) ::close(writer);
  }
  return outcome.get();
}

bool TakesAPath(const Parameter& parameter) {
  if (parameter.type == ValueType::kPath) return true;
  for (const std::string_view name : {"plan", "run", "before", "after", "target", "origin"}) {
    if (parameter.name == name && parameter.type == ValueType::kText) return true;
  }
  return false;
}

TEST_F(StrangerFiles, ANamedPipeIsRefusedAtOnceByEveryOperationThatTakesAPath) {
  Write("oracle/page.md", "# Page\n");
  const fs::path inside = *oracle_ / "pipe.md";
  const fs::path outside = folder_.path() / "pipe.md";
  ASSERT_EQ(::mkfifo(inside.c_str(), 0600), 0);
  ASSERT_EQ(::mkfifo(outside.c_str(), 0600), 0);
  std::size_t uses = 0;
  for (const Operation* operation : Operations()) {
    for (const Parameter& parameter : operation->parameters) {
      if (!TakesAPath(parameter)) continue;
      for (const fs::path& pipe : {inside, outside}) {
        std::vector<GivenValue> given = {{std::string(parameter.name), pipe.string()}};
        for (const Parameter& other : operation->parameters) {
          if (!other.required || other.name == parameter.name) continue;
          given.push_back({std::string(other.name),
                           other.type == ValueType::kInteger  ? "1"
                           : other.type == ValueType::kPath   ? (*oracle_ / "page.md").string()
                           : other.type == ValueType::kChoice ? std::string(other.choices.front())
                                                              : "notes"});
        }
        const std::string what = fmt::format("{} {}={}", operation->name, parameter.name,
                                             pipe == inside ? "inside" : "outside");
        const Result<Outcome> outcome = RunWatched(
            pipe, [&] { return Run(*operation, given); }, what);
        EXPECT_FALSE(outcome.ok() && outcome->holds) << what << ": " << Said(outcome);
        ++uses;
      }
    }
  }
  EXPECT_GE(uses, 40U) << "the table of operations has more";
}

TEST_F(StrangerFiles, FilesOfOursThatArePipesAreRefusedAtOnce) {
  for (const char* name : {"sibyl.lock", "sibyl.facts", "sibyl.toml", "page.md",
                           "_ingest-auto/x/ingestion.md", "_labs/0123456789abcdef.jsonl"}) {
    const fs::path pipe = *oracle_ / name;
    std::error_code ignored;
    const fs::path aside = folder_.path() / "aside";
    fs::rename(pipe, aside, ignored);
    fs::create_directories(pipe.parent_path());
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    for (const char* operation : {"verify", "source list", "status", "lab list", "source sync"}) {
      const auto outcome = RunWatched(
          pipe, [&] { return Run(*FindOperation(operation), {}); },
          fmt::format("{} with {}", operation, name));
      if (std::string_view(operation) == "verify" && std::string_view(name).find('_') != 0 &&
          std::string_view(name) != "sibyl.toml") {
        EXPECT_FALSE(outcome.ok() && outcome->holds) << name;
      }
    }
    fs::remove(pipe);
    fs::rename(aside, pipe, ignored);
  }
}

class LinkedFiles : public StrangerFiles {
 protected:
  // The oracle's file becomes a link to a file that is not there.
  fs::path MakeDangling(const std::string& name) {
    fs::remove(*oracle_ / name);
    const fs::path target = folder_.path() / "home" / ("made-by-" + name);
    fs::create_symlink(target, *oracle_ / name);
    return target;
  }
};

TEST_F(LinkedFiles, NothingIsWrittenThroughThem) {
  const std::string cubin = inspect::MakeCubin(90, inspect::SampleCode::kKernel);
  Write("oracle/bin/k.cubin", cubin);
  Write("second/a.md", "# A\n");
  const fs::path facts = MakeDangling("sibyl.facts");
  EXPECT_FALSE(Run(kCite, {{"target", "oracle/bin/k.cubin#cuda:images"}}).ok());
  EXPECT_FALSE(fs::exists(facts));
  const std::string lock = Read("sibyl.lock");
  const fs::path locked = MakeDangling("sibyl.lock");
  EXPECT_FALSE(Run(kSourceAdd, {{"origin", "second"}}).ok());
  EXPECT_FALSE(fs::exists(locked));
  fs::remove(*oracle_ / "sibyl.lock");
  Write("oracle/sibyl.lock", lock);
  const fs::path config = MakeDangling("sibyl.toml");
  EXPECT_FALSE(Run(kSourceAdd, {{"origin", "second"}}).ok());
  EXPECT_FALSE(fs::exists(config));
}

TEST_F(LinkedFiles, AreReadOnlyWhereTheyLeadInside) {
  Write("home/sibyl.lock", "kSecretValue\n");
  fs::rename(*oracle_ / "sibyl.lock", *oracle_ / "pins");
  fs::create_symlink("pins", *oracle_ / "sibyl.lock");
  EXPECT_TRUE(Run(kSourceList, {}).ok());
  for (const char* name : {"sibyl.lock", "sibyl.facts", "sibyl.toml"}) {
    const fs::path file = *oracle_ / name;
    fs::remove(file);
    fs::create_symlink("../home/sibyl.lock", file);
    for (const Operation* operation : {&kVerify, &kSourceList, &kSourceSync}) {
      const Result<Outcome> outcome = Run(*operation, {});
      EXPECT_EQ(Said(outcome).find(kSecret), std::string::npos) << name << Said(outcome);
    }
    const bool is_config = std::string_view(name) == "sibyl.toml";  // verify needs only the pins
    EXPECT_FALSE(Run(is_config ? kSourceSync : kVerify, {}).ok()) << name;
    fs::remove(file);
    if (std::string_view(name) == "sibyl.lock") Write("oracle/sibyl.lock", Read("pins"));
  }
}

TEST_F(LinkedFiles, PlansAndRunsAreNotWrittenIntoALinkedFolder) {
  fs::remove_all(*oracle_ / "_ingest-auto");
  fs::create_directory_symlink(folder_.path() / "home/folder", *oracle_ / "_ingest-auto");
  EXPECT_FALSE(Run(kPlanNew, {{"topic", "graphs"}}).ok());
  Write("plan.md", "# Plan\n\n## Part 1: Graphs\n\nCreate `cuda/01-graphs.md`\n");
  EXPECT_FALSE(Run(*FindOperation("expand"), {{"plan", "plan.md"}}).ok());
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path() / "home/folder"), {}), 1);
  // Without an oracle the current folder is no safer.
  Write("bare/x", "");
  fs::create_directory_symlink(folder_.path() / "home/folder", folder_.path() / "_ingest-auto");
  oracle_.reset();
  EXPECT_FALSE(Run(kPlanNew, {{"topic", "graphs"}}).ok());
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path() / "home/folder"), {}), 1);
}

}  // namespace
}  // namespace sibyl::engine
