// SPDX-License-Identifier: Apache-2.0
// For tests: workers whose names would do harm if they were not quoted, and
// programs that record how they were called.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"
#include "base/process/subprocess.h"
#include "launch/launch.h"

namespace sibyl::launch {

/// Everything that shells, YAML, Slurm, systemd and Kubernetes replace.
inline constexpr std::string_view kHostile =
    R"(it's "a" $(touch pwned) `touch pwned` ${HOME} $HOME $(HOME) %h %j \ # : - * ; | & > é 'x)";

inline Request HostileRequest(Target target) {
  Request request{.target = target,
                  .workers = {.name = "sibyl-x",
                              .program = "/opt/" + std::string(kHostile),
                              .folder = "/srv/" + std::string(kHostile),
                              .plan = "_ingest-auto/" + std::string(kHostile) + "/ingestion.md",
                              .count = 2,
                              .logs = "/logs/a 'b' $c",
                              .environment = {{"SIBYL_LEDGER", std::string(kHostile)}}}};
  if (target == Target::kSsh) request.settings["hosts"] = "one,ada@two";
  if (target == Target::kKubernetes) {
    request.settings = {{"image", "registry.example.org/sibyl:1"},
                        {"repository", "https://example.org/" + std::string(kHostile)},
                        {"commit", "4f2a91c"},
                        {"git-secret", "git"},
                        {"model-secret", "model"},
                        {"store-claim", "store"},
                        {"user", "1000"}};
  }
  return request;
}

inline std::vector<Step> MustPlan(const Request& request,
                                  const std::vector<std::string>& running = {}) {
  Result<std::vector<Step>> steps = StepsFor(request, {.running = running});
  EXPECT_TRUE(steps.ok()) << steps.error().message;
  return steps.ok() ? *std::move(steps) : std::vector<Step>();
}

inline void WriteProgram(const std::filesystem::path& path, std::string_view script) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << script;
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
}

}  // namespace sibyl::launch
