// SPDX-License-Identifier: Apache-2.0
#include "verify/oracle_pages.h"

#include <algorithm>
#include <system_error>
#include <utility>
#include <vector>

#include "base/files.h"
#include "base/strings.h"

namespace sibyl::verify {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMaxPageBytes = std::size_t{16} << 20;

bool IsMarkdown(std::string_view path) {
  const std::string lower = LowerCase(path);
  return lower.ends_with(".md") || lower.ends_with(".markdown");
}

}  // namespace

void OraclePages::Put(std::string_view path, const Statements& statements,
                      std::string_view source) {
  auto anchors = std::make_shared<const Anchors>(statements.headings, source);
  const MutexLock lock(mutex_);
  pages_[std::string(path)] = {.exists = true, .was_read = true, .anchors = std::move(anchors)};
}

OraclePages::Page OraclePages::Look(std::string_view path) const {
  Page page;
  std::error_code error;
  const fs::path file = root_ / path;
  page.exists = path.find('\0') == std::string_view::npos && fs::exists(file, error);
  return page;
}

bool OraclePages::Exists(std::string_view path) const {
  const MutexLock lock(mutex_);
  auto at = pages_.find(path);
  if (at == pages_.end()) at = pages_.emplace(std::string(path), Look(path)).first;
  return at->second.exists;
}

std::shared_ptr<const Anchors> OraclePages::AnchorsOf(std::string_view path) const {
  {
    const MutexLock lock(mutex_);
    const auto at = pages_.find(path);
    if (at != pages_.end() && at->second.was_read) return at->second.anchors;
  }
  Page page = Look(path);
  page.was_read = true;
  std::error_code error;
  // A link in the oracle may lead out of it; its target is not ours to read.
  const fs::path file = fs::weakly_canonical(root_ / path, error);
  const fs::path root = fs::weakly_canonical(root_, error);
  const bool inside =
      std::mismatch(root.begin(), root.end(), file.begin(), file.end()).first == root.end();
  if (page.exists && inside && IsMarkdown(path)) {
    const Result<std::string> text = ReadFile(file, {.max_bytes = kMaxPageBytes});
    const Result<Statements> statements =
        text.ok() ? ReadStatements(*text) : Result<Statements>(Error{});
    if (statements.ok()) {
      page.anchors = std::make_shared<const Anchors>(statements->headings, *text);
    }
  }
  const MutexLock lock(mutex_);
  return (pages_[std::string(path)] = page).anchors;
}

std::optional<std::string> ResolveRelative(std::string_view from, std::string_view path) {
  std::vector<std::string> parts;
  const auto add = [&parts](std::string_view text) {
    while (!text.empty()) {
      const std::size_t slash = std::min(text.find('/'), text.size());
      const std::string_view part = text.substr(0, slash);
      text.remove_prefix(std::min(slash + 1, text.size()));
      if (part.empty() || part == ".") continue;
      if (part != "..") {
        parts.emplace_back(part);
      } else if (parts.empty()) {
        return false;
      } else {
        parts.pop_back();
      }
    }
    return true;
  };
  if (!path.starts_with('/')) {
    const std::size_t folder = from.rfind('/');
    if (folder != std::string_view::npos && !add(from.substr(0, folder))) return std::nullopt;
  }
  if (!add(path)) return std::nullopt;
  return Join(parts, "/");
}

}  // namespace sibyl::verify
