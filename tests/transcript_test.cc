// SPDX-License-Identifier: Apache-2.0
// Conversations with the program, as data: tests/transcripts/*.txt.
//
//   $ sibyl plan show plans/widgets.md      run by sh in a fresh folder
//   …stdout and stderr, in the order they came…
//   [0]                                     the exit code
//
// Whatever stands between an exit code and the next command is commentary. The
// folder starts with what is in tests/transcripts/files. SIBYL_UPDATE=1 writes
// what the program says now; the difference is then reviewed.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"
#include "base/process/environment.h"
#include "base/process/subprocess.h"
#include "base/strings.h"

namespace sibyl {
namespace {

namespace fs = std::filesystem;

const fs::path kTranscripts = fs::path(SIBYL_SOURCE_DIR) / "tests/transcripts";

std::vector<std::string> TranscriptNames() {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(kTranscripts)) {
    if (entry.path().extension() == ".txt") names.push_back(entry.path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

void ReplaceAll(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), to);
    at += to.size();
  }
}

/// What the command says, with its exit code, as a transcript writes it.
std::string Perform(const std::string& command, const fs::path& folder) {
  const fs::path program(SIBYL_PROGRAM);
  const auto outcome =
      RunProgram({.program = "/bin/bash",
                  .arguments = {"-c", "exec 2>&1; " + command},
                  .folder = folder,
                  .environment = {{"PATH", program.parent_path().string() + ":/usr/bin:/bin"},
                                  {"HOME", folder.string()},
                                  {"LC_ALL", "C.UTF-8"},
                                  {"SOURCE_DATE_EPOCH", "1794700800"}},  // 2026-11-15
                  .inherits_environment = false});
  if (!outcome.ok()) return "could not run: " + outcome.error().message + "\n";
  std::string said = outcome->output;
  ReplaceAll(said, folder.string(), "FOLDER");
  if (!said.empty() && said.back() != '\n') said += '\n';
  return said + '[' +
         (outcome->exit_code ? std::to_string(*outcome->exit_code) : Describe(*outcome)) + "]\n";
}

bool IsExitCode(std::string_view line) {
  return line.size() > 2 && line.front() == '[' && line.back() == ']' &&
         line.find_first_not_of("0123456789", 1) == line.size() - 1;
}

class Transcript : public ::testing::TestWithParam<std::string> {};

TEST_P(Transcript, IsWhatTheProgramSays) {
  const fs::path path = kTranscripts / (GetParam() + ".txt");
  const auto expected = ReadFile(path);
  ASSERT_TRUE(expected.ok()) << expected.error().message;
  const TemporaryFolder folder;
  fs::copy(kTranscripts / "files", folder.path(), fs::copy_options::recursive);

  std::string actual;
  bool in_answer = false;
  for (const std::string_view line : SplitLines(*expected)) {
    if (line.starts_with("$ ")) {
      actual += std::string(line) + '\n' + Perform(std::string(line.substr(2)), folder.path());
      in_answer = true;
    } else if (in_answer) {
      in_answer = !IsExitCode(line);
    } else {
      actual += std::string(line) + '\n';
    }
  }
  if (EnvironmentVariable("SIBYL_UPDATE") == "1") {
    ASSERT_TRUE(WriteFileAtomically(path, actual).ok());
    return;
  }
  EXPECT_EQ(actual, *expected) << "run with SIBYL_UPDATE=1 and look at the difference";
}

INSTANTIATE_TEST_SUITE_P(All, Transcript, ::testing::ValuesIn(TranscriptNames()),
                         [](const auto& instance) {
                           std::string name = instance.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace sibyl
