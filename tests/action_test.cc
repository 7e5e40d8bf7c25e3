// SPDX-License-Identifier: Apache-2.0
// The GitHub Action and the pre-commit hooks, as their runners use them.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"
#include "base/process/subprocess.h"
#include "base/strings.h"

namespace sibyl {
namespace {

namespace fs = std::filesystem;

const fs::path kScript = fs::path(SIBYL_SOURCE_DIR) / "scripts/action";

/// A repository whose main branch has one document, and a branch that adds another.
class Action : public ::testing::Test {
 protected:
  void SetUp() override {
    Shell("git init -q -b main && git config user.name Ada && git config user.email a@example.org");
    Write("a.cc", "int First();\n");
    Write("old.md", "See `Gone` (`a.cc:40`).\n");
    Shell("git add -A && git commit -qm one && git update-ref refs/remotes/origin/main HEAD");
    Write("new, 1.md", "# New\n\n::add-mask::x `Gone` (`a.cc:50`) ##[error]y\n");
    Shell("git add -A && git commit -qm two");
  }
  void Write(std::string_view name, std::string_view text) {
    ASSERT_TRUE(WriteFileAtomically(folder_.path() / name, text).ok());
  }
  Outcome Shell(const std::string& command, std::map<std::string, std::string> variables = {}) {
    std::map<std::string, std::string> environment(std::move(variables));
    environment.emplace("PATH", fs::path(SIBYL_PROGRAM).parent_path().string() + ":/usr/bin:/bin");
    environment.emplace("HOME", folder_.path().string());
    environment.emplace("LC_ALL", "C.UTF-8");
    const Result<Outcome> outcome =
        RunProgram({.program = "/bin/bash",
                    .arguments = {"-c", "exec 2>&1; " + command},
                    .folder = folder_.path(),
                    .environment = {environment.begin(), environment.end()},
                    .inherits_environment = false});
    EXPECT_TRUE(outcome.ok());
    return outcome.ok() ? *outcome : Outcome{};
  }
  Outcome Run(std::map<std::string, std::string> variables = {}) {
    return Shell("exec '" + kScript.string() + "'", std::move(variables));
  }
  std::string Read(std::string_view name) {
    const Result<std::string> text = ReadFile(folder_.path() / name);
    return text.ok() ? *text : std::string();
  }
  TemporaryFolder folder_;
};

TEST_F(Action, AnnotatesOnlyDocumentsThatAPullRequestChanged) {
  const Outcome outcome = Run({{"GITHUB_BASE_REF", "main"},
                               {"GITHUB_STEP_SUMMARY", (folder_.path() / "summary").string()},
                               {"SIBYL_ACTION_SARIF", "audit.sarif"}});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.output;
  EXPECT_TRUE(Contains(outcome.output, "::error file=new%2C 1.md,line=3,")) << outcome.output;
  EXPECT_FALSE(Contains(outcome.output, "old.md")) << outcome.output;
  EXPECT_TRUE(Contains(Read("summary"), "### `new, 1.md`: 1 failure\n"));
  EXPECT_TRUE(Contains(Read("audit.sarif"), "citation/out-of-range"));
}

TEST_F(Action, AuditsEverythingWithoutABase) {
  const Outcome outcome = Run();
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_TRUE(Contains(outcome.output, "::error file=old.md,line=1,")) << outcome.output;
  EXPECT_EQ(Run({{"SIBYL_ACTION_FAIL", "false"}}).exit_code, 0);
}

TEST_F(Action, TakesPathsLineByLineAndNoneOfThemAsAnOption) {
  const Outcome outcome = Run({{"SIBYL_ACTION_PATHS", "old.md\nnew, 1.md\n"}});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_TRUE(Contains(outcome.output, "file=old.md")) << outcome.output;
  EXPECT_TRUE(Contains(outcome.output, "file=new%2C 1.md")) << outcome.output;
  const Outcome option = Run({{"SIBYL_ACTION_PATHS", "--fix\n"}});
  EXPECT_EQ(option.exit_code, 2);
  EXPECT_TRUE(Contains(option.output, "auditing --fix: no such file")) << option.output;
}

TEST_F(Action, FailsWhenItCannotRun) {
  for (const std::map<std::string, std::string>& variables :
       {std::map<std::string, std::string>{{"SIBYL_ACTION_PATHS", "nowhere"}},
        {{"SIBYL_ACTION_PROGRAM", "./no-such-program"}},
        {{"SIBYL_ACTION_BASE", "no-such-ref"}},
        {{"GITHUB_BASE_REF", "no-such-branch"}}}) {
    std::map<std::string, std::string> lenient = variables;
    lenient.emplace("SIBYL_ACTION_FAIL", "false");
    const Outcome outcome = Run(lenient);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.output;
    EXPECT_TRUE(Contains(outcome.output, "::error title=sibyl audit::")) << outcome.output;
  }
}

// A wrong input must not check less than the step says.
TEST_F(Action, SaysWhichInputIsWrong) {
  const std::map<std::string, std::map<std::string, std::string>> wrong = {
      {"the input 'gpu' is only for inspect, not for audit", {{"SIBYL_ACTION_GPU", "H100"}}},
      {"the input 'baseline' is only for audit and verify, not for inspect",
       {{"SIBYL_ACTION_RUN", "inspect"}, {"SIBYL_ACTION_BASELINE", "b"}}},
      {"the input 'fail' must be true or false", {{"SIBYL_ACTION_FAIL", "no"}}},
      {"the folder of the input 'sarif' does not exist", {{"SIBYL_ACTION_SARIF", "x/y.sarif"}}},
      {"could not run: auditing nowhere: no such file", {{"SIBYL_ACTION_PATHS", "nowhere"}}},
      {"could not run: unknown GPU 'H10'; did you mean",
       {{"SIBYL_ACTION_RUN", "inspect"},
        {"SIBYL_ACTION_PATHS", "a.cc"},
        {"SIBYL_ACTION_GPU", "H10"}}}};
  for (const auto& [message, variables] : wrong) {
    const Outcome outcome = Run(variables);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.output;
    EXPECT_TRUE(Contains(outcome.output, message)) << message << "\n" << outcome.output;
  }
}

// Outside of ::stop-commands::, every line is an annotation of ours.
TEST_F(Action, TextOfDocumentsIsNotTakenForCommands) {
  Write("::add-mask::z.md",
        "::add-mask::x `Gone` (`a.cc:50`)\n\n::set-output name=a::b `a.cc:51`\n");
  const Outcome outcome = Run();
  std::string stopped;
  for (const std::string_view line : SplitLines(outcome.output)) {
    if (!stopped.empty()) {
      if (line == "::" + stopped + "::") stopped.clear();
    } else if (line.starts_with("::stop-commands::")) {
      stopped = line.substr(17);
      EXPECT_EQ(stopped.size(), 32U);
    } else {
      EXPECT_TRUE(line.starts_with("::error file=")) << line;
    }
  }
  EXPECT_TRUE(stopped.empty());
  EXPECT_TRUE(Contains(outcome.output, "::error file=%3A%3Aadd-mask%3A%3Az.md,line=1,"))
      << outcome.output;
}

TEST_F(Action, InspectsArtifactsForTheNamedGpus) {
  Write("Dockerfile", "FROM nvidia/cuda:13.0.0-devel-ubuntu24.04\nCMD [\"a\"]\n");
  const std::map<std::string, std::string> variables = {
      {"SIBYL_ACTION_RUN", "inspect"},
      {"SIBYL_ACTION_PATHS", "Dockerfile"},
      {"SIBYL_ACTION_GPU", "L4\nH200\n"},
      {"SIBYL_ACTION_SARIF", "inspect.sarif"},
      {"GITHUB_STEP_SUMMARY", (folder_.path() / "summary").string()}};
  const Outcome outcome = Run(variables);
  EXPECT_LE(outcome.exit_code, 1) << outcome.output;
  EXPECT_TRUE(Contains(outcome.output, " file=Dockerfile,line=1,")) << outcome.output;
  EXPECT_TRUE(Contains(Read("summary"), "### sibyl inspect\n\n    Dockerfile")) << Read("summary");
  EXPECT_TRUE(Contains(Read("inspect.sarif"), "\"uri\": \"Dockerfile\"")) << outcome.output;
}

TEST_F(Action, VerifiesAnOracle) {
  Shell("sibyl init oracle");
  const Outcome outcome = Run({{"SIBYL_ACTION_RUN", "verify"}});
  EXPECT_EQ(outcome.exit_code, 2) << outcome.output;
  EXPECT_TRUE(Contains(outcome.output, "::error title=sibyl verify::")) << outcome.output;
  const Outcome inside = Shell("cd oracle && exec '" + kScript.string() + "'",
                               {{"SIBYL_ACTION_RUN", "verify"}, {"SIBYL_ACTION_SARIF", "out"}});
  EXPECT_EQ(inside.exit_code, 0) << inside.output;
  EXPECT_TRUE(Contains(Read("oracle/out"), "\"runs\""));
}

TEST_F(Action, RefusesOtherOperationsAndAnInspectionOfNothing) {
  for (const char* operation : {"trust", "inspect", "audit --fix", "::add-mask::x"}) {
    const Outcome outcome = Run({{"SIBYL_ACTION_RUN", operation}});
    EXPECT_EQ(outcome.exit_code, 2) << operation;
    EXPECT_TRUE(outcome.output.starts_with("::error title=sibyl ")) << outcome.output;
    EXPECT_FALSE(Contains(outcome.output, "add-mask")) << outcome.output;
  }
}

TEST_F(Action, HasNoForeignStepsAndPastesNoInputIntoItsScript) {
  const Result<std::string> text = ReadFile(fs::path(SIBYL_SOURCE_DIR) / "action.yml");
  ASSERT_TRUE(text.ok());
  EXPECT_TRUE(Contains(*text, "using: composite"));
  EXPECT_FALSE(Contains(*text, "uses:"));
  for (const std::string_view line : SplitLines(*text)) {
    if (Contains(line, "${{")) {
      EXPECT_TRUE(Trim(line).starts_with("SIBYL_ACTION_")) << line;
    }
    const std::size_t name = line.find("SIBYL_ACTION_");
    if (name == std::string_view::npos) continue;
    const std::string variable(line.substr(name, line.find(':', name) - name));
    const Result<std::string> script = ReadFile(kScript);
    ASSERT_TRUE(script.ok());
    EXPECT_TRUE(Contains(*script, variable)) << variable << " is not used";
  }
}

// pre-commit appends the changed files to the entry.
TEST_F(Action, EveryHookIsACommandThatTakesItsFiles) {
  const Result<std::string> text = ReadFile(fs::path(SIBYL_SOURCE_DIR) / ".pre-commit-hooks.yaml");
  ASSERT_TRUE(text.ok());
  std::size_t entries = 0;
  for (const std::string_view line : SplitLines(*text)) {
    constexpr std::string_view kEntry = "  entry: ";
    if (!line.starts_with(kEntry)) continue;
    ++entries;
    const std::string entry(line.substr(kEntry.size()));
    const Outcome help = Shell(entry + " --help");
    EXPECT_EQ(help.exit_code, 0) << entry;
    if (!Contains(entry, "audit")) continue;
    const Outcome run = Shell(entry + " old.md 'new, 1.md'");
    EXPECT_EQ(run.exit_code, 1) << run.output;
    EXPECT_TRUE(Contains(run.output, "old.md") && Contains(run.output, "new, 1.md")) << run.output;
  }
  EXPECT_EQ(entries, 4U);
}

}  // namespace
}  // namespace sibyl
