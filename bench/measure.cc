// SPDX-License-Identifier: Apache-2.0
#include "measure.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace sibyl::bench {
namespace {

double Seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

}  // namespace

double SecondsNow() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

ProcessCost RunInChild(const std::function<void()>& work) {
  const double begin = SecondsNow();
  const pid_t child = ::fork();
  if (child == 0) {
    work();
    ::_exit(0);
  }
  int status = 0;
  rusage usage{};
  ::wait4(child, &status, 0, &usage);
  if (!WIFEXITED(status) || WEXITSTATUS(status) == 127) return {.wall_s = -1};
  return {.wall_s = SecondsNow() - begin,
          .cpu_s = Seconds(usage.ru_utime) + Seconds(usage.ru_stime),
          .peak_mb = static_cast<double>(usage.ru_maxrss) / 1024};
}

ProcessCost RunProgram(const std::vector<std::string>& command) {
  return RunInChild([&] {
    std::vector<char*> arguments;
    for (const std::string& argument : command) {
      arguments.push_back(const_cast<char*>(argument.c_str()));
    }
    arguments.push_back(nullptr);
    const int nowhere = ::open("/dev/null", O_WRONLY);
    ::dup2(nowhere, 1);
    ::dup2(nowhere, 2);
    ::execvp(arguments[0], arguments.data());
    ::_exit(127);
  });
}

double Series::Quantile(double share) const {
  if (values_.empty()) return 0;
  std::vector<double> sorted = values_;
  std::sort(sorted.begin(), sorted.end());
  const auto at = static_cast<std::size_t>(share * static_cast<double>(sorted.size()));
  return sorted[std::min(at, sorted.size() - 1)];
}

}  // namespace sibyl::bench
