// SPDX-License-Identifier: Apache-2.0
// For tests: an oracle in a temporary folder, with its own store and state, and
// no network.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/files/files.h"
#include "base/files/temporary_folder.h"
#include "oracle/context.h"

namespace sibyl::oracle {

class OracleTest : public ::testing::Test {
 protected:
  OracleTest() { Write("oracle/sibyl.toml", ""); }

  /// `path` is below the temporary folder.
  std::filesystem::path Write(const std::filesystem::path& path, std::string_view text) const {
    EXPECT_TRUE(CreateFolders((top() / path).parent_path()).ok());
    EXPECT_TRUE(WriteFileAtomically(top() / path, text).ok());
    return top() / path;
  }

  std::string Read(const std::filesystem::path& path) const {
    const Result<std::string> text = ReadFile(top() / path);
    return text.ok() ? *text : "no file " + path.string();
  }

  /// A person in the temporary folder.
  Context Here() const {
    return {.working_folder = top(),
            .oracle = oracle(),
            .clock = clock_,
            .store = top() / "store",
            .state = top() / "state",
            .config = top() / "config"};
  }

  /// An agent, which may read the oracle alone.
  Context Agent() const {
    Context context = Here();
    context.working_folder = oracle();
    context.roots = {oracle()};
    return context;
  }

  const std::filesystem::path& top() const { return folder_.path(); }
  std::filesystem::path oracle() const { return top() / "oracle"; }

 private:
  TemporaryFolder folder_;
  FixedClock clock_{*ParseDate("2026-11-15")};
};

}  // namespace sibyl::oracle
