// SPDX-License-Identifier: Apache-2.0
#include "interface/lsp/file_uri.h"

#include "base/percent.h"
#include "base/strings.h"

namespace sibyl::interface::lsp {

std::optional<std::filesystem::path> PathOfUri(std::string_view uri) {
  constexpr std::string_view kScheme = "file://";
  constexpr std::size_t kLongest = 4'096;
  if (uri.size() > kLongest || uri.size() < kScheme.size() ||
      !EqualsIgnoringCase(uri.substr(0, kScheme.size()), kScheme)) {
    return std::nullopt;
  }
  uri.remove_prefix(kScheme.size());
  if (uri.starts_with("localhost/")) uri.remove_prefix(std::string_view("localhost").size());
  uri = uri.substr(0, uri.find_first_of("?#"));
  const std::optional<std::string> path = DecodePercent(uri);
  if (!path || !path->starts_with('/') || path->find('\0') != std::string::npos) {
    return std::nullopt;
  }
  return std::filesystem::path(*path).lexically_normal();
}

std::string UriOfPath(const std::filesystem::path& path) {
  return "file://" + EncodeUriPath(path.generic_string());
}

}  // namespace sibyl::interface::lsp
