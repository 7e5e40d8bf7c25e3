// SPDX-License-Identifier: Apache-2.0
#include "git/git_complaint.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "base/userinfo.h"

namespace sibyl::git {
namespace {

constexpr std::array<std::string_view, 4> kFullDisk = {"No space left", "Out of diskspace",
                                                       "Disk quota exceeded", "File too large"};

// The first message, since the others follow from it, except for a full disk.
std::string_view FirstMessage(std::string_view errors) {
  constexpr std::array<std::string_view, 3> kMarks = {"fatal: ", "error: ", "ERROR: "};
  std::string_view message;
  std::string_view before;  // what ssh says has no mark
  for (const std::string_view line : SplitLines(errors)) {
    const auto* mark = std::ranges::find_if(
        kMarks, [line](std::string_view start) { return line.starts_with(start); });
    if (mark == kMarks.end()) {
      if (!line.starts_with("remote: ")) before = Trim(line);
      continue;
    }
    const std::string_view said = Trim(line.substr(mark->size()));
    const bool is_of_ssh = said.starts_with("Could not read from remote repository");
    if (message.empty()) message = is_of_ssh && !before.empty() ? before : said;
    if (SaysDiskIsFull(line)) message = said;
  }
  return message;
}

// Without "unable to access 'URL': ": the caller names the address.
std::string_view WithoutAddress(std::string_view message) {
  if (!message.starts_with("unable to access '")) return message;
  const std::size_t end = message.find("': ");
  return end == std::string_view::npos ? message : message.substr(end + 3);
}

std::string NoConnection(std::string_view message) {
  constexpr std::string_view kStart = "Failed to connect to ";
  message.remove_prefix(kStart.size());
  const std::size_t colon = message.find(": ");
  std::string_view where = message.substr(0, colon);
  where = where.substr(0, where.find(" after "));
  const std::string_view why =
      colon == std::string_view::npos ? std::string_view() : message.substr(colon + 2);
  const bool is_said = why.empty() || why == "Couldn't connect to server";
  return fmt::format("cannot connect to {}{}{}", where, is_said ? "" : ": ", is_said ? "" : why);
}

}  // namespace

bool SaysDiskIsFull(std::string_view errors) {
  return std::ranges::any_of(kFullDisk,
                             [errors](std::string_view words) { return Contains(errors, words); });
}

std::string ReasonOf(std::string_view errors) {
  constexpr std::string_view kNoHost = "Could not resolve host: ";
  constexpr std::string_view kStatus = "The requested URL returned error: ";
  const std::string clean = WithoutUserinfo(std::string(FirstMessage(errors)));
  std::string_view message = WithoutAddress(clean);
  while (message.ends_with(':')) message.remove_suffix(1);
  if (message.starts_with(kNoHost)) {
    return fmt::format("cannot resolve '{}'", message.substr(kNoHost.size()));
  }
  if (message.starts_with("Failed to connect to ")) return NoConnection(message);
  if (message.starts_with(kStatus)) {
    return fmt::format("the server responded with {}", message.substr(kStatus.size()));
  }
  if (message.starts_with("repository '") && message.ends_with("' not found")) {
    return "no git repository there";
  }
  return std::string(message);
}

}  // namespace sibyl::git
