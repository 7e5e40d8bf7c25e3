// SPDX-License-Identifier: Apache-2.0
#include "launch/launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/hash.h"
#include "base/strings.h"
#include "launch/quote.h"
#include "launch/targets.h"

namespace sibyl::launch {
namespace {

Status CheckName(std::string_view name) {
  constexpr std::size_t kLongest = 50;  // with an index, still a DNS label
  const bool is_valid = !name.empty() && name.size() <= kLongest && name.front() != '-' &&
                        name.back() != '-' && std::all_of(name.begin(), name.end(), [](char c) {
                          return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
                        });
  if (is_valid) return {};
  return Error{.kind = ErrorKind::kUsage,
               .message = fmt::format("--name {}: not a valid name", name),
               .hint = "up to 50 of a-z, 0-9 and '-', such as sibyl-cupti"};
}

}  // namespace

std::optional<Target> ParseTarget(std::string_view name) {
  if (name == "slurm") return Target::kSlurm;
  if (name == "kubernetes") return Target::kKubernetes;
  if (name == "ssh") return Target::kSsh;
  if (name == "systemd") return Target::kSystemd;
  return std::nullopt;
}

std::string NameFor(std::string_view oracle, std::string_view plan) {
  constexpr std::size_t kLongestTopic = 30;
  constexpr std::size_t kDigits = 8;
  // "plans/cupti.md" and "_ingest-auto/expansion-cupti/ingestion.md" are about cupti.
  std::string_view about = plan;
  if (about.ends_with("/ingestion.md"))
    about.remove_suffix(std::string_view("/ingestion.md").size());
  about.remove_prefix(about.rfind('/') + 1);
  if (about.ends_with(".md")) about.remove_suffix(std::string_view(".md").size());
  if (about.starts_with("expansion-")) about.remove_prefix(about.find('-') + 1);
  std::string topic;
  for (const char c : LowerCase(about)) {
    if (IsAlphanumeric(c)) {
      topic += c;
    } else if (!topic.empty() && topic.back() != '-') {
      topic += '-';
    }
  }
  topic.resize(std::min(topic.size(), kLongestTopic));
  const std::string hash = Sha256(fmt::format("{}\n{}", oracle, plan)).substr(0, kDigits);
  if (topic.empty() || topic.back() == '-') return fmt::format("sibyl-{}{}", topic, hash);
  return fmt::format("sibyl-{}-{}", topic, hash);
}

Status Check(const Request& request) {
  const Workers& workers = request.workers;
  SIBYL_TRY(CheckName(workers.name));
  SIBYL_TRY(CheckText("the plan", workers.plan));
  SIBYL_TRY(CheckText("the oracle's folder", workers.folder));
  SIBYL_TRY(CheckText("the program", workers.program));
  SIBYL_TRY(CheckText("--logs", workers.logs));
  for (const auto& [name, value] : workers.environment) SIBYL_TRY(CheckText(name, value));
  for (const auto& [name, value] : request.settings) SIBYL_TRY(CheckText(name, value));
  return {};
}

std::optional<Step> ListStep(const Request& request) {
  const std::string& name = request.workers.name;
  if (request.target == Target::kSlurm) return ListSlurm(request.workers);
  if (request.target == Target::kSystemd) {
    return Step{{"systemctl", "--user", "list-units", "--all", "--plain", "--no-legend",
                 name + "-*.service"}};
  }
  return std::nullopt;
}

Listed ReadList(const Request& request, std::string_view output) {
  if (request.target == Target::kSlurm) return ReadSlurmList(output);
  Listed listed;
  for (std::string_view line : SplitLines(output)) {
    line = Trim(line);
    line = line.substr(0, line.find(' '));
    // "sibyl-x-3.service" is "3".
    const std::string prefix = request.workers.name + "-";
    const std::size_t end = line.rfind(".service");
    if (!line.starts_with(prefix) || end == std::string_view::npos) continue;
    const std::string_view index = line.substr(prefix.size(), end - prefix.size());
    const bool is_number =
        !index.empty() && index.find_first_not_of("0123456789") == std::string_view::npos;
    if (is_number) listed.running.emplace_back(index);
  }
  return listed;
}

Result<std::vector<Step>> StepsFor(const Request& request, const Listed& listed) {
  SIBYL_TRY(Check(request));
  switch (request.target) {
    case Target::kSlurm:
      return SlurmSteps(request, listed);
    case Target::kKubernetes:
      return KubernetesSteps(request);
    case Target::kSsh:
      return SshSteps(request);
    case Target::kSystemd:
      break;
  }
  return SystemdSteps(request, listed.running);
}

// No value contains a line end, so none can be the line that ends an input.
std::string ShellScript(const std::vector<Step>& steps) {
  std::string script = "#!/bin/sh\nset -e\n";
  const bool has_hosts = !steps.empty() && !steps.front().host.empty();
  if (has_hosts) script += "status=0\n";
  for (const Step& step : steps) {
    script += ShellLine(step.words);
    if (!step.input.empty()) script += " <<'END_OF_INPUT'";
    if (!step.host.empty()) script += " || status=1";
    script += step.input.empty() ? "\n" : fmt::format("\n{}END_OF_INPUT\n", step.input);
  }
  return has_hosts ? script + "exit \"$status\"\n" : script;
}

std::vector<std::string> WorkerCommand(const Workers& workers) {
  std::vector<std::string> words = {workers.program, "worker", "--plan=" + workers.plan,
                                    fmt::format("--jobs={}", workers.jobs)};
  if (workers.until_idle) words.emplace_back("--until-idle");
  if (!workers.logs.empty()) words.push_back(fmt::format("--part-logs={}", workers.logs));
  return words;
}

std::string ExportLines(const Workers& workers) {
  std::string lines;
  for (const auto& [name, value] : workers.environment) {
    lines += fmt::format("export {}={}\n", name, ShellWord(value));
  }
  return lines;
}

// A crash is a death by a signal: 128 and the signal. The worker that is started
// again on the same machine sees that its predecessor is gone, and the ledger
// counts a crash; parts that crash five times fail. A worker that ended because the
// ledger was away is started again until it is back.
std::string WorkerLoop(std::string_view start) {
  return fmt::format(
      "worker=\n"
      "is_leaving=no\n"
      "stop() {{\n"
      "  is_leaving=yes\n"
      "  if [ -n \"$worker\" ]; then kill -TERM \"$worker\" 2>/dev/null || :; fi\n"
      "}}\n"
      "trap stop TERM INT\n"
      "crashes=0\n"
      "while :; do\n"
      "  {} &\n"
      "  worker=$!\n"
      "  # The signal may have come before the number was known.\n"
      "  if [ \"$is_leaving\" = yes ]; then stop; fi\n"
      "  # A trapped signal ends 'wait' early, while the worker puts its parts back.\n"
      "  while :; do\n"
      "    wait \"$worker\"\n"
      "    status=$?\n"
      "    kill -0 \"$worker\" 2>/dev/null || break\n"
      "  done\n"
      "  if [ \"$is_leaving\" = yes ]; then break; fi\n"
      "  # The ledger, or a source that it lacks, was away.\n"
      "  if [ \"$status\" -eq 75 ]; then sleep 2; continue; fi\n"
      "  if [ \"$status\" -le 128 ]; then break; fi\n"
      "  crashes=$((crashes + 1))\n"
      "  if [ \"$crashes\" -ge 5 ]; then break; fi\n"
      "  sleep 1\n"
      "done\n",
      start);
}

std::string SettingOr(const Settings& settings, std::string_view name, std::string_view otherwise) {
  const auto found = settings.find(name);
  return found == settings.end() ? std::string(otherwise) : found->second;
}

std::vector<std::string> SplitCommas(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    if (end > 0) words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

std::string UnitName(const Workers& workers, std::size_t index) {
  return fmt::format("{}-{}", workers.name, index);
}

}  // namespace sibyl::launch
