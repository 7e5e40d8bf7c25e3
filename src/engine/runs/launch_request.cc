// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/launch_request.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <utility>
#include <vector>

#include "base/files/user_state.h"
#include "base/process/environment.h"
#include "base/process/git_command.h"
#include "base/process/subprocess.h"
#include "base/strings.h"
#include "expansion/ledger/open_ledger.h"
#include "expansion/planned_work.h"
#include "library/plan_folder.h"
#include "oracle/oracle.h"
#include "oracle/plan_file.h"
#include "runner/postgres/address.h"

namespace sibyl::engine {
namespace {

namespace fs = std::filesystem;
using launch::Target;

// Workers on this machine, or on one that shares its folders, use this program.
std::string ProgramFor(Target target) {
  if (target == Target::kKubernetes || target == Target::kSsh) return "sibyl";
  if (const auto installed = FindProgram("sibyl")) return installed->string();
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored).string();
}

// What workers need to reach the same ledger, store and cache.
Result<std::map<std::string, std::string>> EnvironmentFor(const oracle::Context& context,
                                                          Target target) {
  std::map<std::string, std::string> environment;
  const std::string address = SIBYL_TRY(expansion::LedgerAddress(context));
  if (!address.empty()) {
    SIBYL_TRY(runner::CheckAddress(address));
    environment["SIBYL_LEDGER"] = address;
  } else if (target != Target::kSystemd) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = "workers on other machines need a shared ledger",
                 .hint = "set SIBYL_LEDGER to a PostgreSQL database: docs/formats/ledger.md"};
  }
  std::vector<std::string> names;
  if (target != Target::kKubernetes) names = {"SIBYL_STORE", "SIBYL_OFFLINE"};
  if (target == Target::kSystemd) {
    names.insert(names.end(), {"XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"});
  }
  for (const std::string& name : names) {
    if (auto value = EnvironmentVariable(name.c_str())) environment[name] = *std::move(value);
  }
  return environment;
}

// The commit that pods check out: what was planned here.
Result<std::string> HeadOf(const GitRepository& repository) {
  const sibyl::Outcome head = SIBYL_TRY(
      RunProgram(GitCommand(repository, repository.work_tree, {"rev-parse", "--verify", "HEAD"})));
  if (head.succeeded()) return std::string(Trim(head.output));
  return Error{.kind = ErrorKind::kUsage,
               .message = "the oracle has no commit that a pod could check out",
               .hint = "commit and push the oracle and the plan first"};
}

// Where the oracle is in the clone of a pod.
Status DescribeClone(const fs::path& oracle, launch::Request& request) {
  const auto repository = SIBYL_TRY(FindGitRepository(oracle));
  if (!request.settings.contains("commit") && repository) {
    request.settings["commit"] = SIBYL_TRY(HeadOf(*repository));
  }
  std::string path = request.settings.contains("path") ? request.settings["path"] : "";
  if (path.empty() && repository) {
    path = fs::relative(oracle, repository->work_tree).generic_string();
  }
  const fs::path inside = fs::path(path).lexically_normal();
  const bool leads_out = inside.is_absolute() || (!inside.empty() && *inside.begin() == "..");
  if (leads_out) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("--set path: '{}' is not inside the repository", path)};
  }
  request.workers.folder = (fs::path("/work/oracle") / inside).lexically_normal().generic_string();
  if (request.workers.folder.ends_with('/')) request.workers.folder.pop_back();
  return {};
}

Result<std::string> LogFolder(const launch::Request& request, const Arguments& arguments) {
  const std::string given(arguments.Text("logs"));
  if (!given.empty() || request.target == Target::kKubernetes || request.target == Target::kSsh) {
    return given;
  }
  const fs::path state = SIBYL_TRY(UserState::DefaultFolder());
  return (state / "launch" / request.workers.name).string();
}

// A plan moves when it is completed, and its workers may still run then.
std::string PlanOfGroup(const std::string& plan) {
  const std::string completed = std::string(oracle::kCompletedPlans) + "/";
  if (plan.starts_with(completed)) {
    return fmt::format("{}/{}", oracle::kPlanFolder, plan.substr(completed.size()));
  }
  const fs::path path(plan);
  if (path.parent_path() != oracle::kPlanFolder) return plan;
  return fmt::format("{}/{}", library::DropFolder(plan), path.filename().string());
}

// The path of the plan in the oracle, where workers look for it.
Result<std::string> FindPlan(const oracle::Context& context, const Root& oracle,
                             const Arguments& arguments) {
  const std::string given(arguments.Text("plan"));
  const expansion::ImportedPlan file =
      SIBYL_TRY(expansion::PlanWork(context, {.plan = given}, expansion::Intake::kLook)).file;
  if (arguments.Has("cancel") || oracle.Exists(file.path)) return file.path;
  return Error{.kind = ErrorKind::kUsage,
               .message = fmt::format(
                   "{} is outside of the oracle, where workers do not look for it", given),
               .hint = fmt::format("'sibyl expand {}' copies it to {} and begins the run", given,
                                   file.path)};
}

}  // namespace

Result<launch::Request> ReadLaunchRequest(const oracle::Context& context,
                                          const Arguments& arguments) {
  launch::Request request{.target = *launch::ParseTarget(arguments.Text("target"))};
  request.settings = SIBYL_TRY(launch::ReadSettings(request.target, arguments.All("set")));
  const fs::path oracle = SIBYL_TRY(oracle::RequireOracle(context));
  std::error_code error;
  const fs::path canonical = fs::canonical(oracle, error);
  launch::Workers& workers = request.workers;
  workers.plan = SIBYL_TRY(FindPlan(context, SIBYL_TRY(Root::Open(oracle)), arguments));
  workers.name = arguments.Has("name")
                     ? std::string(arguments.Text("name"))
                     : launch::NameFor(canonical.string(), PlanOfGroup(workers.plan));
  workers.program = ProgramFor(request.target);
  workers.folder = canonical.string();
  if (request.settings.contains("program")) workers.program = request.settings["program"];
  if (request.settings.contains("folder")) workers.folder = request.settings["folder"];
  if (arguments.Has("cancel") == arguments.Has("workers")) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = "one of --workers N and --cancel is needed",
                 .hint = "--workers 8 makes eight workers run, however many run now"};
  }
  workers.count = static_cast<std::size_t>(arguments.Integer("workers").value_or(0));
  workers.jobs = static_cast<std::size_t>(arguments.Integer("jobs").value_or(1));
  workers.until_idle = !arguments.Has("stay");
  workers.environment = SIBYL_TRY(EnvironmentFor(context, request.target));
  workers.logs = SIBYL_TRY(LogFolder(request, arguments));
  if (request.target == Target::kKubernetes && workers.count > 0) {
    SIBYL_TRY(DescribeClone(canonical, request));
  }
  SIBYL_TRY(launch::Check(request));
  return request;
}

}  // namespace sibyl::engine
