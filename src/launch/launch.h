// SPDX-License-Identifier: Apache-2.0
// Start here: starts workers with the scheduler that a site has: an array of
// Slurm, a Job of Kubernetes, hosts over ssh, units of systemd. This room only
// composes texts and commands; the caller runs them. So a dry run shows exactly
// what would be run.
//
// Values come from plans, oracles and settings. None may contain a control
// character; in a shell each is one quoted word, in a manifest one JSON string,
// and in the directives of Slurm only harmless characters are allowed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace sibyl::launch {

enum class Target : std::uint8_t { kSlurm, kKubernetes, kSsh, kSystemd };

std::optional<Target> ParseTarget(std::string_view name);

/// By their names; those of a target are listed in settings.cc.
using Settings = std::map<std::string, std::string, std::less<>>;

/// Workers of one plan. All of them run the same command.
struct Workers {
  std::string name;       ///< Of all of them together: a DNS label.
  std::string program;    ///< On the machines where they run.
  std::string folder;     ///< The oracle there.
  std::string plan;       ///< From the oracle.
  std::size_t count = 1;  ///< 0: none shall run.
  std::size_t jobs = 1;   ///< Parts at a time in each.
  bool until_idle = true;
  std::string logs = {};  ///< A folder there; empty: where the target keeps them.
  /// Such as SIBYL_LEDGER; never a password.
  std::map<std::string, std::string> environment = {};
};

struct Request {
  Target target{};
  Workers workers;
  Settings settings = {};
};

/// A program to run, without a shell.
struct Step {
  std::vector<std::string> words;  ///< The program and its arguments.
  std::string input = {};          ///< What it reads.
  std::string host = {};           ///< That it serves; the other hosts are served if it fails.
  std::size_t workers = 0;         ///< That shall run on the host.
};

/// "NAME=VALUE" each. kUsage for what the target does not have.
Result<Settings> ReadSettings(Target target, const std::vector<std::string>& given);

/// "sibyl-cupti-1a2b3c4d" for a plan of the oracle at that path.
std::string NameFor(std::string_view oracle, std::string_view plan);

/// Whether everything in the request may be used: kUsage says what may not.
Status Check(const Request& request);

/// The workers of a group by their ids.
struct Listed {
  std::vector<std::string> running = {};  ///< Or waiting to run, those last.
  /// Slurm's state COMPLETING: they end, or are about to be queued again; which of the
  /// two is known only when they have left it.
  std::vector<std::string> ending = {};
};

/// The step whose output says which workers run; nothing if StepsFor does not
/// need to know.
std::optional<Step> ListStep(const Request& request);
Listed ReadList(const Request& request, std::string_view output);

/// What makes as many workers run as are requested. Those that are ending are counted
/// as ended, and stopped when none shall run. kUsage if the request is not valid.
Result<std::vector<Step>> StepsFor(const Request& request, const Listed& listed);

/// The steps as a shell script that does the same.
std::string ShellScript(const std::vector<Step>& steps);

}  // namespace sibyl::launch
