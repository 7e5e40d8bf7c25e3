// SPDX-License-Identifier: Apache-2.0
// Generated scripts are run here: with programs that record how they were
// called in place of sibyl, but with the shells that will run them.
#include "launch/launch.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "base/strings.h"
#include "launch/quote.h"
#include "launch/test_launch.h"

namespace sibyl::launch {
namespace {

namespace fs = std::filesystem;

// An oracle with a hostile name, and a worker that records its arguments.
class ScriptTest : public testing::Test {
 protected:
  ScriptTest() {
    fs::create_directories(Oracle());
    WriteProgram(Program(), Recording("exit 0"));
  }

  // Slashes are not allowed in a name.
  fs::path Oracle() const { return folder_.path() / "it's a $(touch pwned) `touch pwned` oracle"; }
  fs::path Program() const { return folder_.path() / "bin of 'x' $HOME" / "sibyl"; }
  fs::path Called() const { return folder_.path() / "called"; }

  std::string Recording(std::string_view then) const {
    return "#!/bin/sh\n{ pwd; for word in \"$@\"; do echo \"$word\"; done; echo \"$SIBYL_LEDGER\"; "
           "} >>" +
           ShellWord(Called().string()) + "\n" + std::string(then) + "\n";
  }

  Request RequestFor(Target target) const {
    Request request{.target = target,
                    .workers = {.name = "sibyl-x",
                                .program = Program().string(),
                                .folder = Oracle().string(),
                                .plan = std::string(kHostile),
                                .count = 1,
                                .logs = (folder_.path() / "logs").string(),
                                .environment = {{"SIBYL_LEDGER", std::string(kHostile)}}}};
    if (target == Target::kSsh) request.settings["hosts"] = "here";
    return request;
  }

  Result<Outcome> RunScript(const std::string& script) const {
    return RunProgram({.program = "sh",
                       .arguments = {"-s"},
                       .input = script,
                       .folder = folder_.path(),
                       .environment = {{"HOME", folder_.path().string()},
                                       {"XDG_STATE_HOME", (folder_.path() / "state").string()}}});
  }

  TemporaryFolder folder_;
};

std::string TextOf(const fs::path& path) {
  const Result<std::string> text = ReadFile(path);
  return text.ok() ? *text : "";
}

std::string ExpectedCall(const Request& request) {
  return request.workers.folder + "\nworker\n--plan=" + request.workers.plan +
         "\n--jobs=1\n--until-idle\n--part-logs=" + request.workers.logs + "\n" +
         request.workers.environment.at("SIBYL_LEDGER") + "\n";
}

TEST_F(ScriptTest, TheBatchScriptRunsTheWorkerAndNothingElse) {
  const Request request = RequestFor(Target::kSlurm);
  const Result<Outcome> outcome = RunScript(MustPlan(request)[0].input);
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome->exit_code, 0) << outcome->errors;
  EXPECT_EQ(TextOf(Called()), ExpectedCall(request));
  for (const auto& entry : fs::recursive_directory_iterator(folder_.path())) {
    EXPECT_NE(entry.path().filename(), "pwned");
  }
}

TEST_F(ScriptTest, AWorkerThatCrashesIsStartedAgainFiveTimes) {
  WriteProgram(Program(), Recording("kill -SEGV $$"));
  const Result<Outcome> outcome = RunScript(MustPlan(RequestFor(Target::kSlurm))[0].input);
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome->exit_code, 128 + SIGSEGV);
  const std::string called = TextOf(Called());
  EXPECT_EQ(std::count(called.begin(), called.end(), '\n'), 5 * 7);
}

TEST_F(ScriptTest, AWorkerThatFailsIsNotStartedAgain) {
  WriteProgram(Program(), Recording("exit 2"));
  const Result<Outcome> outcome = RunScript(MustPlan(RequestFor(Target::kSlurm))[0].input);
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome->exit_code, 2);
  EXPECT_EQ(TextOf(Called()), ExpectedCall(RequestFor(Target::kSlurm)));
}

TEST_F(ScriptTest, AWorkerWhoseLedgerWasAwayIsStartedAgain) {
  const std::string been = ShellWord((folder_.path() / "been").string());
  WriteProgram(Program(),
               Recording(fmt::format("if [ -e {0} ]; then exit 0; fi\n: >{0}\nexit 75", been)));
  const Result<Outcome> outcome = RunScript(MustPlan(RequestFor(Target::kSlurm))[0].input);
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome->exit_code, 0) << outcome->errors;
  const std::string once = ExpectedCall(RequestFor(Target::kSlurm));
  EXPECT_EQ(TextOf(Called()), once + once);
}

// The worker ends a while after it was told to, as one that puts its parts back.
constexpr std::string_view kSlowToEnd =
    "trap 'sleep 0.2; echo ended >>\"$OUT\"; exit 0' TERM\n"
    "echo ready >>\"$OUT\"\nwhile :; do sleep 0.05; done";

TEST_F(ScriptTest, SigtermIsPassedOnAndTheWorkerWaitedFor) {
  const std::string out = (folder_.path() / "out").string();
  WriteProgram(Program(), "#!/bin/sh\nOUT=" + ShellWord(out) + "\n" + std::string(kSlowToEnd));
  const std::string script = MustPlan(RequestFor(Target::kSlurm))[0].input;
  const fs::path file = folder_.path() / "job.sh";
  WriteProgram(file, script);
  // The shell that starts it tells it to end, as Slurm does.
  const std::string driver = ShellWord(file.string()) + " & job=$!\nwhile ! [ -s " +
                             ShellWord(out) +
                             " ]; do sleep 0.02; done\nkill -TERM $job\nwait $job\necho \"$?\"\n";
  const Result<Outcome> outcome = RunScript(driver);
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome->output, "0\n") << outcome->errors;
  EXPECT_EQ(TextOf(out), "ready\nended\n");
}

TEST_F(ScriptTest, BeforeTheTimeLimitAJobIsQueuedAgain) {
  const std::string out = (folder_.path() / "out").string();
  WriteProgram(Program(), "#!/bin/sh\nOUT=" + ShellWord(out) + "\n" + std::string(kSlowToEnd));
  WriteProgram(folder_.path() / "path/scontrol",
               "#!/bin/sh\necho \"$@\" >>" + ShellWord(out) + "\n");
  const fs::path file = folder_.path() / "job.sh";
  WriteProgram(file, MustPlan(RequestFor(Target::kSlurm))[0].input);
  const std::string driver = "PATH=" + ShellWord((folder_.path() / "path").string()) +
                             ":$PATH SLURM_ARRAY_JOB_ID=17 SLURM_ARRAY_TASK_ID=3 " +
                             ShellWord(file.string()) + " & job=$!\nwhile ! [ -s " +
                             ShellWord(out) +
                             " ]; do sleep 0.02; done\nkill -USR1 $job\nwait $job\n";
  ASSERT_TRUE(RunScript(driver).ok());
  EXPECT_EQ(TextOf(out), "ready\nended\nrequeue 17_3\n");
}

TEST_F(ScriptTest, TheScriptForAHostStartsScalesAndStops) {
  const std::string out = (folder_.path() / "out").string();
  WriteProgram(Program(), "#!/bin/sh\nOUT=" + ShellWord(out) + "\n" + std::string(kSlowToEnd));
  Request request = RequestFor(Target::kSsh);
  // RunProgram ends what it has started, but for workers in sessions of their own.
  const auto bring_to = [&](std::size_t count, std::string_view word, int times) {
    request.workers.count = count;
    const std::string wait = "until [ \"$(grep -c " + std::string(word) + " " + ShellWord(out) +
                             ")\" = " + std::to_string(times) + " ]; do sleep 0.02; done\n";
    const Result<Outcome> outcome = RunScript(MustPlan(request)[0].input + wait);
    EXPECT_TRUE(outcome.ok() && outcome->succeeded()) << (outcome.ok() ? outcome->errors : "");
    return outcome.ok() ? outcome->output : "";
  };
  EXPECT_NE(bring_to(2, "ready", 2).find("worker 1 started"), std::string::npos);
  EXPECT_NE(bring_to(3, "ready", 3).find("worker 0 runs already"), std::string::npos);
  EXPECT_NE(bring_to(1, "ended", 2).find("worker 2 stopped"), std::string::npos);
  EXPECT_NE(bring_to(0, "ended", 3).find("worker 0 stopped"), std::string::npos);
  EXPECT_EQ(bring_to(0, "ended", 3), "");
}

// Numbers of processes are used again.
TEST_F(ScriptTest, AProcessThatIsNotAWorkerIsNotStopped) {
  Request request = RequestFor(Target::kSsh);
  request.workers.count = 0;
  WriteProgram(folder_.path() / "state/sibyl/launch/sibyl-x/here/0.pid",
               std::to_string(::getpid()));
  const Result<Outcome> outcome = RunScript(MustPlan(request)[0].input);
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome->output, "");
}

TEST(Launch, GeneratedScriptsPassShellcheck) {
  if (!FindProgram("shellcheck")) GTEST_SKIP() << "shellcheck is not installed";
  for (const Target target : {Target::kSlurm, Target::kSsh, Target::kSystemd}) {
    const Request request = HostileRequest(target);
    const std::vector<Step> steps = MustPlan(request);
    std::vector<std::string> scripts = {ShellScript(steps)};
    for (const Step& step : steps) {
      if (!step.input.empty()) scripts.push_back(step.input);
    }
    for (const std::string& script : scripts) {
      const Result<Outcome> outcome =
          RunProgram({.program = "shellcheck",
                      .arguments = {"--shell=sh", "--severity=warning", "-"},
                      .input = script});
      ASSERT_TRUE(outcome.ok());
      EXPECT_TRUE(outcome->succeeded()) << outcome->output << script;
    }
  }
}

TEST(Launch, TheScriptOfADryRunDoesWhatTheStepsDo) {
  const TemporaryFolder folder;
  const fs::path out = folder.path() / "out";
  for (const char* name : {"ssh", "systemd-run", "sbatch"}) {
    WriteProgram(folder.path() / name,
                 "#!/bin/sh\n{ for word in \"$@\"; do echo \"$word\"; done; "
                 "[ -t 0 ] || cat; } >>" +
                     ShellWord(out.string()) + "\n");
  }
  for (const Target target : {Target::kSlurm, Target::kSsh, Target::kSystemd}) {
    fs::remove(out);
    const std::vector<Step> steps = MustPlan(HostileRequest(target));
    std::string expected;
    for (const Step& step : steps) {
      for (std::size_t i = 1; i < step.words.size(); ++i) expected += step.words[i] + "\n";
      expected += step.input;
    }
    const fs::path script = folder.path() / "all.sh";
    WriteProgram(script, ShellScript(steps));
    const Result<Outcome> outcome =
        RunProgram({.program = script.string(),
                    .folder = folder.path(),
                    .environment = {{"PATH", folder.path().string() + ":/usr/bin:/bin"}}});
    ASSERT_TRUE(outcome.ok() && outcome->succeeded()) << (outcome.ok() ? outcome->errors : "");
    EXPECT_EQ(TextOf(out), expected);
    EXPECT_FALSE(fs::exists(folder.path() / "pwned"));
  }
}

TEST(Launch, SlurmIsBroughtToTheNumberThatIsWanted) {
  Request request = HostileRequest(Target::kSlurm);
  request.workers.count = 5;
  EXPECT_EQ(ListStep(request)->words.back(), "--name=sibyl-x");
  const std::vector<Step> more = MustPlan(request, {"12_0", "12_1"});
  ASSERT_EQ(more.size(), 1U);
  EXPECT_NE(more[0].input.find("#SBATCH --array=0-2\n"), std::string::npos) << more[0].input;
  request.workers.count = 1;
  EXPECT_EQ(MustPlan(request, {"12_0", "12_1", "14"})[0].words,
            (std::vector<std::string>{"scancel", "12_1", "14"}));
  EXPECT_TRUE(MustPlan(request, {"12_0"}).empty());
  EXPECT_FALSE(StepsFor(request, {.running = {"12_0", "--user=root"}}).ok());
}

TEST(Launch, JobsOfSlurmThatWaitAreStoppedBeforeThoseThatRun) {
  Request request = HostileRequest(Target::kSlurm);
  const Listed listed =
      ReadList(request, "14_0 PENDING\n12_0 RUNNING\n 12_1 SUSPENDED\n14_1 PENDING\n");
  EXPECT_EQ(listed.running, (std::vector<std::string>{"12_0", "12_1", "14_0", "14_1"}));
  EXPECT_TRUE(listed.ending.empty());
  request.workers.count = 2;
  EXPECT_EQ(StepsFor(request, listed)->at(0).words,
            (std::vector<std::string>{"scancel", "14_0", "14_1"}));
}

TEST(Launch, JobsOfSlurmThatEndAreNotCountedButStoppedWithTheOthers) {
  Request request = HostileRequest(Target::kSlurm);
  const Listed listed = ReadList(request, "12_0 RUNNING\n12_1 COMPLETING\n");
  EXPECT_EQ(listed.running, std::vector<std::string>{"12_0"});
  EXPECT_EQ(listed.ending, std::vector<std::string>{"12_1"});
  EXPECT_NE(StepsFor(request, listed)->at(0).input.find("#SBATCH --array=0-0\n"),
            std::string::npos);
  request.workers.count = 0;
  EXPECT_EQ(StepsFor(request, listed)->at(0).words,
            (std::vector<std::string>{"scancel", "12_0", "12_1"}))
      << "one of a preempted job would be queued again";
  EXPECT_TRUE(StepsFor(request, {})->empty());
}

TEST(Launch, MoreWorkersThanAnArrayOfSlurmMayHaveAreSeveralArrays) {
  Request request = HostileRequest(Target::kSlurm);
  request.workers.count = 2'500;
  const std::vector<Step> steps = MustPlan(request);
  ASSERT_EQ(steps.size(), 3U);
  EXPECT_NE(steps[0].input.find("#SBATCH --array=0-999\n"), std::string::npos);
  EXPECT_NE(steps[2].input.find("#SBATCH --array=0-499\n"), std::string::npos);
}

TEST(Launch, DirectivesOfSlurmAreHarmless) {
  for (const char* value : {"a b", "x\n#SBATCH --uid=0", "$(x)", "--uid=0", ""}) {
    EXPECT_FALSE(ReadSettings(Target::kSlurm, {std::string("partition=") + value}).ok()) << value;
  }
  Request request = HostileRequest(Target::kSlurm);
  request.settings = *ReadSettings(Target::kSlurm, {"partition=gpu", "time=01:00:00", "mem=4G"});
  const Step step = MustPlan(request)[0];
  EXPECT_NE(step.input.find("#SBATCH --partition=gpu\n"), std::string::npos);
  for (const std::string_view line : SplitLines(step.input)) {
    if (!line.starts_with("#SBATCH")) continue;
    EXPECT_EQ(line.find_first_of("'\"\\$`;&|"), std::string_view::npos) << line;
  }
  EXPECT_EQ(step.words[2], "--chdir=" + request.workers.folder);
  request.workers.logs = "/logs/100%";
  EXPECT_EQ(MustPlan(request)[0].words[3], "--output=/logs/100%%/%A_%a.log");
}

TEST(Launch, SystemdIsBroughtToTheNumberThatIsWanted) {
  Request request = HostileRequest(Target::kSystemd);
  request.workers.count = 3;
  EXPECT_EQ(ReadList(request,
                     "sibyl-x-0.service loaded active running a\n"
                     "sibyl-x-12.service loaded failed failed b\nsibyl-x-y.service loaded\n")
                .running,
            (std::vector<std::string>{"0", "12"}));
  const std::vector<Step> steps = MustPlan(request, {"0", "12"});
  ASSERT_EQ(steps.size(), 3U);
  EXPECT_EQ(steps[0].words,
            (std::vector<std::string>{"systemctl", "--user", "stop", "sibyl-x-12.service"}));
  EXPECT_EQ(steps[1].words[3], "--unit=sibyl-x-1.service");
  for (std::size_t i = 1; i < steps.size(); ++i) {
    bool is_command = false;
    for (const std::string& word : steps[i].words) {
      is_command = is_command || word == "--";
      for (std::size_t at = word.find('$'); is_command && at != std::string::npos;
           at = word.find('$', at + 2)) {
        EXPECT_EQ(word.substr(at, 2), "$$") << word;
      }
    }
  }
}

TEST(Launch, HostsAreNamesAndNotOptions) {
  for (const char* hosts : {"hosts=-oProxyCommand=touch", "hosts=a b", "hosts=a;b", "hosts=$(x)"}) {
    EXPECT_FALSE(ReadSettings(Target::kSsh, {hosts}).ok()) << hosts;
  }
  Request request = HostileRequest(Target::kSsh);
  request.settings["hosts"] = "a,-oProxyCommand=x";
  EXPECT_FALSE(StepsFor(request, {}).ok());
  request.settings["hosts"] = "a,b";
  request.workers.count = 3;
  const std::vector<Step> steps = MustPlan(request);
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_NE(steps[0].input.find("wanted=' 0 2 '"), std::string::npos);
  EXPECT_NE(steps[1].input.find("wanted=' 1 '"), std::string::npos);
}

TEST(Launch, AHostThatIsGivenTwiceIsOne) {
  Request request = HostileRequest(Target::kSsh);
  request.settings["hosts"] = "a,b,a";
  const std::vector<Step> steps = MustPlan(request);
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_NE(steps[0].input.find("wanted=' 0 '"), std::string::npos);
  EXPECT_NE(steps[1].input.find("wanted=' 1 '"), std::string::npos);
  EXPECT_EQ(steps[0].host, "a");
}

TEST(Launch, AHostThatIsDownDoesNotStopTheOthers) {
  const TemporaryFolder folder;
  const fs::path out = folder.path() / "out";
  WriteProgram(
      folder.path() / "ssh",
      "#!/bin/sh\ncat >/dev/null\ncase $* in *' down '*) exit 255 ;; esac\necho \"$*\" >>" +
          ShellWord(out.string()) + "\n");
  Request request = HostileRequest(Target::kSsh);
  request.settings["hosts"] = "down,up";
  WriteProgram(folder.path() / "all.sh", ShellScript(MustPlan(request)));
  const Result<Outcome> outcome =
      RunProgram({.program = (folder.path() / "all.sh").string(),
                  .folder = folder.path(),
                  .environment = {{"PATH", folder.path().string() + ":/usr/bin:/bin"}}});
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome->exit_code, 1);
  EXPECT_NE(TextOf(out).find(" up "), std::string::npos);
}

TEST(Launch, SettingsThatASchedulerWouldRefuseAreRefused) {
  const auto is_fine = [](Target target, const char* text) {
    return ReadSettings(target, {text}).ok();
  };
  for (const char* time : {"time=30", "time=1:30", "time=04:00:00", "time=2-12", "time=2-12:00:00",
                           "time=UNLIMITED", "cpus=4"}) {
    EXPECT_TRUE(is_fine(Target::kSlurm, time)) << time;
  }
  for (const char* time : {"time=abc", "time=4h", "time=1:", "time=-1", "time=1:2:3:4", "time=-",
                           "cpus=four", "cpus=0", "cpus=-1"}) {
    EXPECT_FALSE(is_fine(Target::kSlurm, time)) << time;
  }
  for (const char* path :
       {"repository=/srv/o.git", "repository=file:///srv/o.git", "repository=../o.git"}) {
    EXPECT_FALSE(is_fine(Target::kKubernetes, path)) << path;
  }
  EXPECT_TRUE(is_fine(Target::kKubernetes, "repository=git@git.example.org:o.git"));
  EXPECT_FALSE(is_fine(Target::kSsh, "hosts=[::1]"));
  Request request = HostileRequest(Target::kSsh);
  request.settings["hosts"] = "a,node1:22";
  EXPECT_FALSE(StepsFor(request, {}).ok());
  request.settings["hosts"] = "::1,ada@fe80::1%eth0";
  EXPECT_TRUE(StepsFor(request, {}).ok());
}

TEST(Launch, UnknownSettingsAreNamed) {
  const auto unknown = ReadSettings(Target::kSsh, {"partition=x"});
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().message, "--set partition: unknown setting");
  EXPECT_EQ(unknown.error().hint, "known here: hosts, program, folder");
  EXPECT_EQ(ReadSettings(Target::kSsh, {"hosts"}).error().message, "--set hosts: not NAME=VALUE");
}

TEST(Launch, ControlCharactersAreRefusedEverywhere) {
  for (const Target target :
       {Target::kSlurm, Target::kKubernetes, Target::kSsh, Target::kSystemd}) {
    Request request = HostileRequest(target);
    request.workers.plan = "a\nEND_OF_INPUT\ntouch pwned";
    EXPECT_EQ(StepsFor(request, {}).error().kind, ErrorKind::kUsage);
    request = HostileRequest(target);
    request.workers.environment["SIBYL_STORE"] = "a\nb";
    EXPECT_FALSE(StepsFor(request, {}).ok());
  }
}

TEST(Launch, NamesAreLabels) {
  EXPECT_EQ(NameFor("/o", "_ingest-auto/expansion-cupti-2026/ingestion.md").substr(0, 17),
            "sibyl-cupti-2026-");
  EXPECT_EQ(NameFor("/o", "plans/cupti.md").substr(0, 12), "sibyl-cupti-");
  EXPECT_EQ(NameFor("/o", "_ingest-auto/expansion-cupti.md").substr(0, 12), "sibyl-cupti-");
  EXPECT_NE(NameFor("/o", "a/b.md"), NameFor("/p", "a/b.md"));
  for (const std::string& plan : {std::string("'/x.md"), std::string(300, 'x') + "/a.md",
                                  std::string("ÄÖ/a.md"), std::string("a.md")}) {
    Request request = HostileRequest(Target::kSystemd);
    request.workers.name = NameFor("/o", plan);
    EXPECT_TRUE(Check(request).ok()) << request.workers.name;
  }
  for (const char* name : {"", "-a", "a-", "A", "a b", "a.b", "$(x)"}) {
    Request request = HostileRequest(Target::kSystemd);
    request.workers.name = name;
    EXPECT_FALSE(Check(request).ok()) << name;
  }
}

}  // namespace
}  // namespace sibyl::launch
