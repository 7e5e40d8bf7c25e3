// SPDX-License-Identifier: Apache-2.0
// For tests of operations: a folder with an oracle in it, files, git, and
// operations run by name and words as the command line would.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"
#include "base/process/subprocess.h"
#include "base/strings.h"
#include "engine/arguments.h"
#include "engine/evidence_operations.h"
#include "engine/outcome.h"
#include "oracle/context.h"

namespace sibyl::engine {

class OperationTest : public ::testing::Test {
 protected:
  /// Makes folder_/oracle, where Ada commits, and works in it from then on.
  void MakeOracle() {
    EXPECT_TRUE(Run(kInit, {{"dir", "oracle"}}).ok());
    oracle_ = folder_.path() / "oracle";
    Git({"config", "user.name", "Ada"});
    Git({"config", "user.email", "ada@example.org"});
  }

  /// `path` is below folder_.
  std::filesystem::path Write(const std::filesystem::path& path, std::string_view text) const {
    EXPECT_TRUE(CreateFolders((folder_.path() / path).parent_path()).ok());
    EXPECT_TRUE(WriteFileAtomically(folder_.path() / path, text).ok());
    return folder_.path() / path;
  }

  /// `path` is below the oracle.
  std::string Read(const std::filesystem::path& path) const {
    const Result<std::string> text = ReadFile(*oracle_ / path);
    return text.ok() ? *text : "no file " + path.string();
  }

  /// The output of git in the oracle.
  std::string Git(std::vector<std::string> arguments) const {
    return GitIn(*oracle_, std::move(arguments));
  }
  static std::string GitIn(const std::filesystem::path& folder,
                           std::vector<std::string> arguments) {
    const auto outcome =
        RunProgram({.program = "git", .arguments = std::move(arguments), .folder = folder});
    EXPECT_TRUE(outcome.ok() && outcome->succeeded()) << (outcome.ok() ? outcome->errors : "");
    return outcome.ok() ? std::string(Trim(outcome->output)) : "";
  }

  /// Lets a test change the context of its operations.
  virtual void Amend(oracle::Context& context) { (void)context; }

  oracle::Context Here() {
    oracle::Context context{.working_folder = folder_.path(),
                            .oracle = oracle_,
                            .clock = clock_,
                            .store = folder_.path() / "store",
                            .state = folder_.path() / "state",
                            .config = folder_.path() / "config",
                            .network = network_};
    Amend(context);
    return context;
  }

  Result<Outcome> Run(const Operation& operation, std::vector<GivenValue> given) {
    auto arguments = Arguments::Make(operation, std::move(given));
    if (!arguments.ok()) return std::move(arguments).error();
    return RunOperation(operation, Here(), *arguments);
  }

  /// Runs an operation that must not fail.
  Outcome Done(const Operation& operation, std::vector<GivenValue> given) {
    Result<Outcome> outcome = Run(operation, std::move(given));
    EXPECT_TRUE(outcome.ok()) << (outcome.ok() ? "" : outcome.error().message);
    return outcome.ok() ? *std::move(outcome) : Outcome{};
  }
  Json Answer(const Operation& operation, std::vector<GivenValue> given) {
    return Done(operation, std::move(given)).data;
  }

  TemporaryFolder folder_;
  std::optional<std::filesystem::path> oracle_;
  Network network_ = Network::kAllowed;  ///< Forbidden: as with --offline.
  FixedClock clock_{*ParseDate("2026-11-15")};
};

}  // namespace sibyl::engine
