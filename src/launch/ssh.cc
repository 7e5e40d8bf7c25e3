// SPDX-License-Identifier: Apache-2.0
// Plain hosts. The script that is sent to each makes the right workers run there
// and stops the others, so that starting, scaling and cancelling are one thing.
// A worker is recognised by a variable in its environment, since numbers of
// processes are used again.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "launch/quote.h"
#include "launch/targets.h"

namespace sibyl::launch {
namespace {

constexpr std::string_view kFunctions = R"sh(runs() {
  process=$(cat "$state/$1.pid" 2>/dev/null) || return 1
  [ -n "$process" ] || return 1
  grep -qzx "SIBYL_LAUNCH=$group-$1" "/proc/$process/environ" 2>/dev/null
}
start() {
  if runs "$1"; then
    echo "worker $1 runs already (process $process)"
    return
  fi
  SIBYL_LAUNCH="$group-$1" setsid sh -c "$loop" </dev/null >>"$state/$1.log" 2>&1 &
  echo $! >"$state/$1.pid"
  echo "worker $1 started (process $!)"
}
stop() {
  if runs "$1"; then
    kill -TERM "$process"
    echo "worker $1 stopped (process $process)"
  fi
  rm -f "$state/$1.pid"
}
for file in "$state"/*.pid; do
  [ -f "$file" ] || continue
  index=${file##*/}
  index=${index%.pid}
  case $wanted in
    *" $index "*) ;;
    *) stop "$index" ;;
  esac
done
for index in $wanted; do
  start "$index"
done
)sh";

std::string HostScript(const Workers& workers, const std::string& host, const std::string& wanted) {
  const std::string loop = WorkerLoop(ShellLine(WorkerCommand(workers))) + "exit \"$status\"\n";
  std::string script = "set -u\n";
  // Hosts may share a home folder.
  script += fmt::format("group={}\nhost={}\nwanted=' {} '\nloop={}\n", workers.name,
                        ShellWord(host), wanted, ShellWord(loop));
  script +=
      "state=\"${XDG_STATE_HOME:-$HOME/.local/state}/sibyl/launch/$group/$host\"\n"
      "mkdir -p \"$state\" || exit 2\n";
  script += fmt::format("cd {} || exit 2\n", ShellWord(workers.folder));
  return script + ExportLines(workers) + std::string(kFunctions);
}

// Each once: the script for a host stops what is not wanted there.
Result<std::vector<std::string>> Hosts(const Settings& settings) {
  std::vector<std::string> hosts;
  for (std::string& host : SplitCommas(SettingOr(settings, "hosts", ""))) {
    SIBYL_TRY(CheckWord("--set hosts", host, "._:@-%"));
    if (std::count(host.begin(), host.end(), ':') == 1) {
      return Error{.kind = ErrorKind::kUsage,
                   .message = fmt::format("--set hosts: {} has a port, which ssh takes for a part "
                                          "of the name",
                                          host),
                   .hint = "give the port to a name in ~/.ssh/config, and use that"};
    }
    if (std::find(hosts.begin(), hosts.end(), host) == hosts.end()) {
      hosts.push_back(std::move(host));
    }
  }
  return hosts;
}

}  // namespace

Result<std::vector<Step>> SshSteps(const Request& request) {
  const Workers& workers = request.workers;
  const std::vector<std::string> hosts = SIBYL_TRY(Hosts(request.settings));
  if (hosts.empty()) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = "launching over ssh: --set hosts=HOST,HOST… is missing"};
  }
  std::vector<Step> steps;
  for (std::size_t host = 0; host < hosts.size(); ++host) {
    std::string wanted;
    std::size_t count = 0;
    for (std::size_t index = host; index < workers.count; index += hosts.size()) {
      wanted += (wanted.empty() ? "" : " ") + std::to_string(index);
      ++count;
    }
    steps.push_back({.words = {"ssh", "-o", "BatchMode=yes", "-o", "ConnectTimeout=20", "--",
                               hosts[host], "sh", "-s"},
                     .input = HostScript(workers, hosts[host], wanted),
                     .host = hosts[host],
                     .workers = count});
  }
  return steps;
}

}  // namespace sibyl::launch
