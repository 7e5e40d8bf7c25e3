// SPDX-License-Identifier: Apache-2.0
// For tests: git over http on loopback, through git's own http-backend.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "base/process/subprocess.h"
#include "base/strings.h"
#include "net/test_server.h"

namespace sibyl::engine {

/// Answers one request as a web server with a CGI would; `root` holds the
/// repositories.
inline net::TestAnswer ServeGit(const std::filesystem::path& root, const std::string& request) {
  const std::size_t first = request.find(' ');
  const std::size_t second = request.find(' ', first + 1);
  const std::string target = request.substr(first + 1, second - first - 1);
  const std::size_t mark = target.find('?');
  const std::size_t end = request.find("\r\n\r\n");
  const auto header = [&](std::string_view name) -> std::string {
    for (const std::string_view line : SplitLines(std::string_view(request).substr(0, end))) {
      if (StartsWithIgnoringCase(line, name)) return std::string(Trim(line.substr(name.size())));
    }
    return {};
  };
  Command command{
      .program = "git", .arguments = {"http-backend"}, .input = request.substr(end + 4)};
  command.environment = {{"GIT_PROJECT_ROOT", root.string()},
                         {"GIT_HTTP_EXPORT_ALL", "1"},
                         {"GIT_CONFIG_COUNT", "1"},
                         {"GIT_CONFIG_KEY_0", "safe.directory"},
                         {"GIT_CONFIG_VALUE_0", "*"},
                         {"REQUEST_METHOD", request.substr(0, first)},
                         {"PATH_INFO", target.substr(0, mark)},
                         {"QUERY_STRING", mark == std::string::npos ? "" : target.substr(mark + 1)},
                         {"CONTENT_TYPE", header("Content-Type:")},
                         {"CONTENT_LENGTH", std::to_string(command.input.size())},
                         {"HTTP_CONTENT_ENCODING", header("Content-Encoding:")},
                         {"HTTP_GIT_PROTOCOL", header("Git-Protocol:")},
                         {"GIT_PROTOCOL", header("Git-Protocol:")}};
  const Result<::sibyl::Outcome> outcome = RunProgram(command);
  if (!outcome.ok() || !outcome->succeeded()) return net::TestPage("500 Broken", "", "");
  const std::size_t blank = outcome->output.find("\r\n\r\n");
  std::string status = "200 OK";
  std::string headers;
  for (const std::string_view line :
       SplitLines(std::string_view(outcome->output).substr(0, blank))) {
    constexpr std::string_view kStatusField = "Status: ";
    if (line.starts_with(kStatusField)) {
      status = std::string(line.substr(kStatusField.size()));
    } else {
      headers += std::string(line) + "\r\n";
    }
  }
  return net::TestPage(status, headers, std::string_view(outcome->output).substr(blank + 4));
}

}  // namespace sibyl::engine
