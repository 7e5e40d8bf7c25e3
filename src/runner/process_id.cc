// SPDX-License-Identifier: Apache-2.0
#include "runner/process_id.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <system_error>
#include <vector>

#include "base/files/files.h"
#include "base/numbers.h"
#include "base/strings.h"

namespace sibyl::runner {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kNowhere = "unknown";

std::vector<std::string_view> Words(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t end = text.find(' ');
    words.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return words;
}

// The 22nd field of /proc/N/stat. The second is the program's name in
// parentheses and may contain anything, so we count from the last parenthesis.
// Nothing if the process does not exist or is a zombie.
std::optional<std::int64_t> StartOf(const std::string& number) {
  const Result<std::string> stat = ReadFile("/proc/" + number + "/stat");
  if (!stat.ok()) return std::nullopt;
  const std::size_t bracket = stat->rfind(") ");
  if (bracket == std::string::npos) return std::nullopt;
  const auto words = Words(Trim(std::string_view(*stat).substr(bracket + 2)));
  constexpr std::size_t kState = 0;
  constexpr std::size_t kStart = 19;  // the third field of the file is ours at 0
  if (words.size() <= kStart || words[kState] == "Z" || words[kState] == "X") return std::nullopt;
  return ParseNumber<std::int64_t>(words[kStart]);
}

std::string SpaceOfThisProcess() {
  const Result<std::string> boot = ReadFile("/proc/sys/kernel/random/boot_id");
  std::error_code error;
  const fs::path numbers = fs::read_symlink("/proc/self/ns/pid", error);
  if (!boot.ok() || error) return std::string(kNowhere);
  return fmt::format("{}/{}", Trim(*boot), numbers.string());
}

std::string HostName() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return std::string(kNowhere);
  std::string host(name.data());
  for (char& c : host) {
    if (c <= ' ') c = '-';
  }
  return host.empty() ? std::string(kNowhere) : host;
}

}  // namespace

// Not cached: after a fork it is different.
ProcessId ThisProcess() {
  return {.host = HostName(),
          .space = SpaceOfThisProcess(),
          .number = ::getpid(),
          .started = StartOf("self").value_or(0)};
}

Life LifeOf(const ProcessId& process) {
  const ProcessId self = ThisProcess();
  if (process.space != self.space || process.space == kNowhere || process.number <= 0) {
    return Life::kUnknown;
  }
  const std::optional<std::int64_t> started = StartOf(std::to_string(process.number));
  // /proc may hide other users' processes (hidepid): then absence proves
  // nothing.
  if (!started) return StartOf("1") ? Life::kGone : Life::kUnknown;
  return *started == process.started ? Life::kAlive : Life::kGone;
}

std::string FormatProcessId(const ProcessId& process) {
  return fmt::format("{} {} {} {}", process.host, process.space, process.number, process.started);
}

std::optional<ProcessId> ParseProcessId(std::string_view text) {
  const auto words = Words(text);
  if (words.size() != 4) return std::nullopt;
  const std::optional<std::int64_t> number = ParseNumber<std::int64_t>(words[2]);
  const std::optional<std::int64_t> started = ParseNumber<std::int64_t>(words[3]);
  if (!number || !started) return std::nullopt;
  return ProcessId{.host = std::string(words[0]),
                   .space = std::string(words[1]),
                   .number = *number,
                   .started = *started};
}

}  // namespace sibyl::runner
