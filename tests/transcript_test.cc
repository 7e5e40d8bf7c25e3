// SPDX-License-Identifier: Apache-2.0
// Runs terminal sessions and compares the output: tests/transcripts/*.txt.
//
//   $ sibyl plan show plans/widgets.md      run by sh in a fresh folder
//   …stdout and stderr, in the order they came…
//   [0]                                     the exit code
//
// Text between an exit code and the next command is commentary. The folder
// starts with what is in tests/transcripts/files. A line "needs: COMMAND" skips
// the transcript on machines where the command fails. SIBYL_UPDATE=1 writes the
// current output; review the difference.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"
#include "base/json.h"
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

Result<Outcome> RunShell(const std::string& command, const fs::path& folder) {
  const fs::path program(SIBYL_PROGRAM);
  return RunProgram({.program = "/bin/bash",
                     .arguments = {"-c", "exec 2>&1; " + command},
                     .folder = folder,
                     .environment = {{"PATH", program.parent_path().string() + ":/usr/bin:/bin"},
                                     {"HOME", folder.string()},
                                     {"LC_ALL", "C.UTF-8"},
                                     {"REPOSITORY", SIBYL_SOURCE_DIR},
                                     {"SOURCE_DATE_EPOCH", "1794700800"}},  // 2026-11-15
                     .inherits_environment = false,
                     .limits = {.time = std::chrono::minutes(4)}});
}

/// The output of a command, with its exit code, in the format of a transcript.
std::string Perform(const std::string& command, const fs::path& folder) {
  const auto outcome = RunShell(command, folder);
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

constexpr std::string_view kNeeds = "needs: ";

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
      if (line.starts_with(kNeeds)) {
        const std::string need(line.substr(kNeeds.size()));
        const auto outcome = RunShell(need, folder.path());
        if (!outcome.ok() || !outcome->succeeded()) GTEST_SKIP() << "this machine lacks: " << need;
      }
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

/// "plan show" of "sibyl -C gadgets --json plan show x", for every sibyl of a line.
std::vector<std::string> OperationsRun(std::string_view command) {
  constexpr std::string_view kProgram = "sibyl ";
  std::vector<std::string> run;
  // A script that runs it in a machine of bubblewrap's.
  constexpr std::string_view kBare = "bash bare.sh ";
  if (command.starts_with(kBare)) {
    return OperationsRun(std::string(kProgram) + std::string(command.substr(kBare.size())));
  }
  for (std::size_t at = command.find(kProgram); at != std::string_view::npos;
       at = command.find(kProgram, at + 1)) {
    std::vector<std::string> words;
    std::size_t begin = at + kProgram.size();
    for (bool is_value = false; begin < command.size() && words.size() < 2;) {
      const std::size_t end = std::min(command.find_first_of(" |;&)", begin), command.size());
      const std::string word(command.substr(begin, end - begin));
      if (!is_value && !word.starts_with('-')) words.push_back(word);
      is_value = word == "-C";
      if (end < command.size() && command[end] != ' ') break;
      begin = end + 1;
    }
    if (words.size() == 2) run.push_back(words[0] + ' ' + words[1]);
    if (!words.empty()) run.push_back(words[0]);
  }
  return run;
}

struct Shown {
  bool is_result = false;
  bool is_error = false;
};

/// What the transcripts have of each operation, by its name.
std::map<std::string, Shown> ShownOperations() {
  std::map<std::string, Shown> shown;
  for (const std::string& name : TranscriptNames()) {
    const Result<std::string> read = ReadFile(kTranscripts / (name + ".txt"));
    EXPECT_TRUE(read.ok()) << name;
    const std::string text = read.ok() ? *read : "";
    std::vector<std::string> run;
    bool has_error = false;
    for (const std::string_view line : SplitLines(text)) {
      if (line.starts_with("$ ")) {
        run = OperationsRun(line.substr(2));
        has_error = false;
      }
      has_error = has_error || line.starts_with("sibyl: error: ");
      if (!IsExitCode(line)) continue;
      for (const std::string& operation : run) {
        shown[operation].is_result = shown[operation].is_result || !has_error;
        shown[operation].is_error = shown[operation].is_error || has_error;
      }
      run.clear();
    }
  }
  return shown;
}

TEST(Transcripts, ShowAResultAndAnErrorOfEveryOperation) {
  const TemporaryFolder folder;
  const auto help = RunShell("sibyl help --json", folder.path());
  ASSERT_TRUE(help.ok() && help->succeeded());
  const auto table = ParseJson(help->output);
  ASSERT_TRUE(table.ok()) << table.error().message;
  std::map<std::string, Shown> shown = ShownOperations();
  ASSERT_GE((*table)["operations"].size(), 40U);
  for (const Json& operation : (*table)["operations"]) {
    const auto name = operation["name"].get<std::string>();
    EXPECT_TRUE(shown[name].is_result) << "no transcript shows a result of 'sibyl " << name << "'";
    EXPECT_TRUE(shown[name].is_error) << "no transcript shows an error of 'sibyl " << name << "'";
  }
}

}  // namespace
}  // namespace sibyl
