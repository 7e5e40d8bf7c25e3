// SPDX-License-Identifier: Apache-2.0
#include "evidence/pages/page_address.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/percent.h"
#include "base/strings.h"
#include "git/tree.h"

namespace sibyl::evidence {
namespace {

struct Parts {
  std::string_view scheme;  // with "://"
  std::string_view host;    // with a port
  std::string_view path;
  std::string_view query;  // with '?'
};

Parts SplitAddress(std::string_view address) {
  Parts parts;
  const std::size_t scheme = address.find("://");
  if (scheme == std::string_view::npos) {
    parts.path = address;
    return parts;
  }
  parts.scheme = address.substr(0, scheme + 3);
  address.remove_prefix(scheme + 3);
  const std::size_t host = std::min(address.find_first_of("/?"), address.size());
  parts.host = address.substr(0, host);
  address.remove_prefix(host);
  const std::size_t query = std::min(address.find('?'), address.size());
  parts.path = address.substr(0, query);
  parts.query = address.substr(query);
  return parts;
}

// A name that a checkout can have: letters, digits and a few marks.
std::string SafeSegment(std::string_view segment) {
  constexpr std::size_t kLongest = 100;
  const std::string decoded = DecodePercent(segment).value_or(std::string(segment));
  std::string safe;
  for (const char letter : decoded) {
    const bool plain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                       (letter >= '0' && letter <= '9') ||
                       std::string_view("._-+@=~").find(letter) != std::string_view::npos ||
                       static_cast<unsigned char>(letter) >= 0x80;
    safe += plain ? letter : '-';
  }
  if (safe.size() > kLongest) safe = safe.substr(0, 60) + "-" + Sha256(segment).substr(0, 8);
  if (!git::IsPlainName(safe)) safe = "-" + safe;
  return safe;
}

std::string WithoutPageSuffix(std::string name) {
  for (const std::string_view suffix :
       {".html", ".htm", ".xhtml", ".php", ".md", ".markdown", ".rst", ".txt", ".json", ".pdf"}) {
    if (name.size() > suffix.size() &&
        EqualsIgnoringCase(std::string_view(name).substr(name.size() - suffix.size()), suffix)) {
      return name.substr(0, name.size() - suffix.size());
    }
  }
  return name;
}

bool IsFree(const std::string& path, const std::set<std::string>& taken) {
  if (taken.contains(path)) return false;
  // A folder of another path, or below one.
  const auto below = taken.lower_bound(path + "/");
  if (below != taken.end() && below->starts_with(path + "/")) return false;
  for (std::size_t at = path.find('/'); at != std::string::npos; at = path.find('/', at + 1)) {
    if (taken.contains(path.substr(0, at))) return false;
  }
  return true;
}

std::vector<std::string> Segments(std::string_view path) {
  std::vector<std::string> segments;
  while (!path.empty()) {
    const std::size_t slash = std::min(path.find('/'), path.size());
    if (slash > 0) segments.push_back(SafeSegment(path.substr(0, slash)));
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  return segments;
}

}  // namespace

std::string PageAddress(std::string_view url) {
  url = url.substr(0, url.find('#'));
  const Parts parts = SplitAddress(url);
  if (parts.scheme.empty()) return std::string(url);
  const std::string scheme = LowerCase(parts.scheme);
  std::string host = LowerCase(parts.host);
  for (const auto& [of, port] :
       {std::pair<std::string_view, std::string_view>{"http://", ":80"}, {"https://", ":443"}}) {
    if (scheme == of && host.ends_with(port)) host.resize(host.size() - port.size());
  }
  std::string address = scheme + host;
  address += parts.path.empty() ? std::string_view("/") : parts.path;
  address += parts.query;
  return address;
}

std::string PagePath(std::string_view address, std::string_view suffix,
                     const std::set<std::string>& taken) {
  constexpr std::size_t kMostSegments = 30;
  const Parts parts = SplitAddress(address);
  std::vector<std::string> segments = Segments(parts.path);
  const bool is_folder = parts.path.empty() || parts.path.ends_with('/');
  if (is_folder || segments.empty()) segments.emplace_back("index");
  if (segments.size() > kMostSegments) {
    segments.erase(segments.begin() + kMostSegments / 2, segments.end() - kMostSegments / 2);
  }
  segments.back() = WithoutPageSuffix(segments.back());
  if (!parts.query.empty()) segments.back() += "-" + Sha256(parts.query).substr(0, 8);
  std::string stem = SafeSegment(LowerCase(parts.host));
  for (const std::string& segment : segments) stem += "/" + segment;
  std::string path = stem + std::string(suffix);
  if (IsFree(path, taken)) return path;
  const std::string digest = Sha256(address);
  // The hash makes the name unique; more digits if that is in use too.
  for (std::size_t digits = 8; digits <= digest.size(); digits += 8) {
    path = stem + "-" + digest.substr(0, digits) + std::string(suffix);
    if (IsFree(path, taken)) return path;
  }
  return SafeSegment(LowerCase(parts.host)) + "-" + digest + std::string(suffix);
}

std::string PageName(std::string_view address) {
  const Parts parts = SplitAddress(address);
  std::vector<std::string> segments = Segments(parts.path);
  std::string name =
      segments.empty() ? SafeSegment(LowerCase(parts.host)) : WithoutPageSuffix(segments.back());
  if (name == "index" && segments.size() > 1) name = segments[segments.size() - 2];
  std::string plain;
  constexpr std::size_t kLongest = 48;
  for (const char letter : name.substr(0, kLongest)) {
    const bool fits = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                      (letter >= '0' && letter <= '9') || letter == '.' || letter == '_';
    plain += fits ? letter : '-';
  }
  while (plain.starts_with('-') || plain.starts_with('.') || plain.starts_with('_')) {
    plain.erase(0, 1);
  }
  return plain.empty() ? "page" : plain;
}

}  // namespace sibyl::evidence
