// SPDX-License-Identifier: Apache-2.0
#include "team.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <thread>

#include "base/files/files.h"
#include "base/strings.h"

namespace sibyl {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr std::string_view kMoment = "1794733500";  // SOURCE_DATE_EPOCH

void Write(const fs::path& path, std::string_view text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

std::string NameOf(int part) { return fmt::format("Widget{:03}", part); }

std::string PlanOf(int parts) {
  std::string plan = "# Knowledge expansion: Widgets\n\n**Topic**: How widgets are built\n";
  for (int i = 1; i <= parts; ++i) {
    plan += fmt::format(
        "\n## PART {0}: How {1} is built\n\n- [ ] PART {0}: Create widgets/{0:03}-widget.md (~40 "
        "lines)\n\n**Step 3: Write**\n- [ ] Section 1: The buffer of {1} (~20 lines)\n"
        "      - Slots of the buffer of {1}\n",
        i, NameOf(i));
  }
  return plan;
}

// The sentence of the passage that the section is about, with its key.
std::string AnswerTo(const Json& question) {
  const std::string system = question["messages"][0]["content"];
  const std::string text = question["messages"][1]["content"];
  if (system.starts_with("You plan one page")) return "Nothing of this is understood.";
  const std::regex passage(R"(\[(k[b-t]{8})\] [^\n]*\n(?: +\d+ \|[^\n]*\n)*)");
  const std::regex sentence(R"(The buffer of (\w+) has (\d+) slots)");
  const std::string asked = text.substr(0, text.find("[k"));
  for (auto at = std::sregex_iterator(text.begin(), text.end(), passage);
       at != std::sregex_iterator(); ++at) {
    const std::string found = at->str();
    std::smatch said;
    if (!std::regex_search(found, said, sentence)) continue;
    if (asked.find("buffer of " + said.str(1)) == std::string::npos) continue;
    return fmt::format("=== 1\n{} [{}].\n", said.str(0), (*at)[1].str());
  }
  return "=== 1\nnone\n";
}

// Ours, and those that are set.
std::vector<std::string> Variables(const std::map<std::string, std::string>& environment) {
  std::vector<std::string> variables;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string variable = *each;
    if (!environment.contains(variable.substr(0, variable.find('=')))) {
      variables.push_back(variable);
    }
  }
  for (const auto& [name, value] : environment) {
    variables.push_back(fmt::format("{}={}", name, value));
  }
  return variables;
}

// As exec takes them.
std::vector<char*> Pointers(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

RunningProgram::RunningProgram(const std::vector<std::string>& words,
                               const std::map<std::string, std::string>& environment,
                               const fs::path& folder, const fs::path& log) {
  const std::vector<std::string> variables = Variables(environment);
  const std::vector<char*> arguments = Pointers(words);
  const std::vector<char*> pointers = Pointers(variables);
  const std::string file = log.string();
  const std::string place = folder.string();
  pid_ = ::fork();
  if (pid_ != 0) return;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int out = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  ::dup2(out, 1);
  ::dup2(out, 2);
  if (::chdir(place.c_str()) == 0) ::execvpe(arguments[0], arguments.data(), pointers.data());
  ::_exit(127);
}

RunningProgram::~RunningProgram() {
  Signal(SIGKILL);
  Wait();
}

void RunningProgram::Signal(int signal) const {
  if (pid_ > 0) ::kill(pid_, signal);
}

bool RunningProgram::IsRunning() {
  if (pid_ < 0) return false;
  int status = 0;
  if (::waitpid(pid_, &status, WNOHANG) != pid_) return true;
  ended_ = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  pid_ = -1;
  return false;
}

int RunningProgram::Wait() {
  if (pid_ < 0) return ended_;
  int status = 0;
  ::waitpid(pid_, &status, 0);
  pid_ = -1;
  return ended_ = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

Team::Team(int parts) : parts_(parts), oracle_(folder_.path() / "oracle") {
  server_ = std::make_unique<net::TestServer>(
      [this](const std::string& request) { return Answer(request); });
  const std::string home = folder_.path().string();
  environment_ = {{"HOME", home},
                  {"XDG_CACHE_HOME", home + "/cache"},
                  {"XDG_STATE_HOME", home + "/state"},
                  {"XDG_CONFIG_HOME", home + "/config"},
                  {"GIT_CONFIG_GLOBAL", "/dev/null"},
                  {"GIT_AUTHOR_DATE", "2026-01-02T03:04:05Z"},
                  {"GIT_COMMITTER_DATE", "2026-01-02T03:04:05Z"},
                  {"SOURCE_DATE_EPOCH", std::string(kMoment)},
                  {"SIBYL_LEDGER", ""},
                  {"SIBYL_STORE", ""},
                  {"SIBYL_OFFLINE", "0"}};
  fs::permissions(folder_.path(), fs::perms::all);  // the scheduler's processes enter it
  MakeOracle();
}

void Team::MakeOracle() {
  for (int i = 1; i <= parts_; ++i) {
    Write(folder_.path() / fmt::format("notes/widget{:03}.md", i),
          fmt::format("# {0}\n\nThe buffer of {0} has {1} slots. It is filled in turns.\n",
                      NameOf(i), i + 8));
  }
  fs::create_directories(oracle_.parent_path());
  const auto made = RunProgram({.program = SIBYL_PROGRAM,
                                .arguments = {"init", "-q", oracle_.string()},
                                .environment = environment_});
  ASSERT_TRUE(made.ok() && made->succeeded());
  std::ofstream(oracle_ / "sibyl.toml", std::ios::app)
      << "\n[model]\nurl = \"" << server_->url("/v1")
      << "\"\nname = \"scripted\"\nat_once = 64\nmax_minutes = 60\n";
  Write(oracle_ / kPlan, PlanOf(parts_));
  const auto git = [this](std::vector<std::string> words) {
    const auto ran = RunProgram({.program = "git",
                                 .arguments = std::move(words),
                                 .folder = oracle_,
                                 .environment = environment_});
    ASSERT_TRUE(ran.ok() && ran->succeeded()) << (ran.ok() ? ran->errors : "");
  };
  git({"config", "user.name", "Ada"});
  git({"config", "user.email", "ada@example.org"});
  EXPECT_TRUE(Sibyl({"source", "add", "-q", (folder_.path() / "notes").string()}).succeeded());
  git({"add", "-A"});
  git({"commit", "-q", "-m", "a plan and a source"});
  EXPECT_TRUE(Sibyl({"trust", "--yes"}).succeeded());
  EXPECT_TRUE(Sibyl({"search", "buffer"}).succeeded());  // builds the index
}

Outcome Team::Sibyl(std::vector<std::string> words) const {
  const auto outcome = RunProgram({.program = SIBYL_PROGRAM,
                                   .arguments = std::move(words),
                                   .folder = oracle_,
                                   .environment = environment_});
  EXPECT_TRUE(outcome.ok());
  return outcome.ok() ? *outcome : Outcome{};
}

Json Team::Answer(std::vector<std::string> words) const {
  words.emplace_back("--json");
  const Outcome outcome = Sibyl(std::move(words));
  Result<Json> json = ParseJson(outcome.output);
  EXPECT_TRUE(outcome.succeeded() && json.ok()) << outcome.output << outcome.errors;
  return json.ok() ? *std::move(json) : Json::object();
}

std::unique_ptr<RunningProgram> Team::Start(std::vector<std::string> words) const {
  words.insert(words.begin(), SIBYL_PROGRAM);
  const fs::path log = folder_.path() / fmt::format("log-{:03}", ++started_);
  return std::make_unique<RunningProgram>(words, environment_, oracle_, log);
}

std::unique_ptr<RunningProgram> Team::StartWorker(std::vector<std::string> more) const {
  more.insert(more.begin(), "worker");
  return Start(std::move(more));
}

std::unique_ptr<RunningProgram> Team::StartPublisher() const {
  return Start({"expand", kPlan, "--writer", "llm", "--jobs", "1"});
}

void Team::BeginRun() {
  HoldAnswers();
  const auto publisher = StartPublisher();
  for (int i = 0; i < 600 && held_ == 0 && publisher->IsRunning(); ++i) {
    std::this_thread::sleep_for(milliseconds(20));
  }
  EXPECT_GT(held_, 0) << Logs();
  publisher->Signal(SIGINT);
  publisher->Wait();
  LetGo();
  while (held_ > 0) std::this_thread::sleep_for(milliseconds(5));
}

std::vector<std::string> Team::PartStates() const {
  std::vector<std::string> states;
  const Json answer = Answer({"status"});
  const Json& status = answer.contains("data") ? answer["data"] : answer;
  for (const Json& run : status["runs"]) {
    for (const Json& job : run["jobs"]) {
      if (!job["publishes"].get<bool>()) states.push_back(job["state"].get<std::string>());
    }
    break;
  }
  return states;
}

std::size_t Team::CountOf(std::string_view state) const {
  const std::vector<std::string> states = PartStates();
  return static_cast<std::size_t>(std::count(states.begin(), states.end(), state));
}

net::TestAnswer Team::Answer(const std::string& request) {
  const Result<Json> body = ParseJson(request.substr(request.find("\r\n\r\n") + 4));
  if (!body.ok()) return net::TestPage("400 Bad Request", "", "{}");
  const int number = ++requests_;
  ++held_;
  std::this_thread::sleep_for(pause_.load());
  while ((is_holding_ || number > held_after_) && !is_over_)
    std::this_thread::sleep_for(milliseconds(5));
  --held_;
  const Json piece = {
      {"choices", {{{"delta", {{"content", AnswerTo(*body)}}}, {"finish_reason", "stop"}}}},
      {"usage", {{"prompt_tokens", 100}, {"completion_tokens", 10}}}};
  return net::TestPage("200 OK", "Content-Type: text/event-stream\r\n",
                       "data: " + FormatJson(piece, JsonLayout::kCompact) + "\n\ndata: [DONE]\n\n");
}

std::map<std::string, std::string> Team::Everything() const {
  std::map<std::string, std::string> all;
  for (const auto& entry : fs::recursive_directory_iterator(oracle_)) {
    const std::string name = entry.path().lexically_relative(oracle_).generic_string();
    if (name.starts_with(".git/") || name.starts_with(".sibyl")) continue;
    all[name] = entry.is_regular_file() ? ReadFile(entry.path()).value() : "folder";
  }
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"log", "--format=%T %an%n%B", "--name-status"},
        std::vector<std::string>{"status", "--porcelain"}}) {
    const auto ran = RunProgram({.program = "git", .arguments = words, .folder = oracle_});
    EXPECT_TRUE(ran.ok() && ran->succeeded());
    all["git " + words[0]] = ran.ok() ? ran->output : "";
  }
  return all;
}

std::map<std::string, std::string> Team::Undisturbed() {
  // At the same path, since that is the same oracle; the other is put aside meanwhile.
  const fs::path aside = folder_.path() / "aside";
  fs::copy(oracle_, aside, fs::copy_options::recursive);
  std::map<std::string, std::string> environment = environment_;
  environment["SIBYL_LEDGER"] = environment["SIBYL_STORE"] = "";
  environment["XDG_CACHE_HOME"] = (folder_.path() / "other-cache").string();
  fs::copy(folder_.path() / "cache", folder_.path() / "other-cache",
           fs::copy_options::recursive | fs::copy_options::overwrite_existing);
  const auto ran = RunProgram({.program = SIBYL_PROGRAM,
                               .arguments = {"expand", kPlan, "--writer", "llm", "--jobs", "4"},
                               .folder = oracle_,
                               .environment = environment});
  EXPECT_TRUE(ran.ok() && ran->succeeded()) << (ran.ok() ? ran->errors : "");
  auto everything = Everything();
  fs::remove_all(oracle_);
  fs::rename(aside, oracle_);
  usual_requests_ = requests_.exchange(0);
  return everything;
}

std::string Team::Logs() const {
  std::string text;
  for (int i = 1; i <= started_; ++i) {
    const Result<std::string> log = ReadFile(folder_.path() / fmt::format("log-{:03}", i));
    constexpr std::size_t kMost = 400;
    if (log.ok())
      text += fmt::format("{}: {}\n", i, log->substr(log->size() - std::min(kMost, log->size())));
  }
  return text;
}

}  // namespace sibyl
