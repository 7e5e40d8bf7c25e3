// SPDX-License-Identifier: Apache-2.0
#include "verify/sandbox.h"

#include <charconv>
#include <optional>
#include <utility>

#include "base/files.h"

namespace sibyl::verify {
namespace {

constexpr std::size_t kOutputBytes = std::size_t{1} << 20;
constexpr std::size_t kFileBytes = std::size_t{256} << 20;
constexpr std::size_t kProcesses = 128;

const std::vector<std::string> kNamespaces = {"--user", "--map-root-user", "--net",
                                              "--pid",  "--fork",          "--kill-child"};

// The kernel counts all processes of a user. So many more than there are now,
// of whomever: "0.20 0.18 0.12 1/523 1234".
std::optional<std::size_t> ProcessLimit() {
  const Result<std::string> load = ReadFile("/proc/loadavg");
  if (!load.ok()) return std::nullopt;
  const std::size_t slash = load->find('/');
  if (slash == std::string::npos) return std::nullopt;
  std::size_t now = 0;
  const char* const begin = load->data() + slash + 1;
  const auto [end, error] = std::from_chars(begin, load->data() + load->size(), now);
  return error == std::errc() ? std::optional(now + kProcesses) : std::nullopt;
}

}  // namespace

bool HasNamespaces() {
  static const bool permitted = [] {
    std::vector<std::string> arguments = kNamespaces;
    arguments.emplace_back("true");
    const Result<Outcome> outcome = RunProgram({.program = "unshare",
                                                .arguments = std::move(arguments),
                                                .limits = {.time = std::chrono::seconds(5)}});
    return outcome.ok() && outcome->succeeded();
  }();
  return permitted;
}

Result<Outcome> RunSandboxed(const SandboxedCommand& sandboxed) {
  std::filesystem::path program = sandboxed.program;
  if (!program.is_absolute()) {
    const auto found = FindProgram(sandboxed.program);
    if (!found) {
      return Error{.kind = ErrorKind::kNotFound,
                   .message = "there is no program " + sandboxed.program};
    }
    program = *found;
  }
  const std::string folder = sandboxed.folder.string();
  Command command{.program = program.string(),
                  .arguments = sandboxed.arguments,
                  .input = sandboxed.input,
                  .folder = sandboxed.folder,
                  .environment = {{"PATH", program.parent_path().string() + ":/usr/bin:/bin"},
                                  {"HOME", folder},
                                  {"TMPDIR", folder},
                                  {"LC_ALL", "C"}},
                  .inherits_environment = false,
                  .limits = {.time = sandboxed.time,
                             .output_bytes = kOutputBytes,
                             .memory_bytes = sandboxed.memory_bytes,
                             .file_bytes = kFileBytes,
                             .processes = ProcessLimit()}};
  if (HasNamespaces()) {
    command.arguments = kNamespaces;
    command.arguments.emplace_back("--");
    command.arguments.push_back(std::exchange(command.program, "/usr/bin/unshare"));
    if (const auto unshare = FindProgram("unshare")) command.program = unshare->string();
    command.arguments.insert(command.arguments.end(), sandboxed.arguments.begin(),
                             sandboxed.arguments.end());
  }
  return RunProgram(command);
}

}  // namespace sibyl::verify
