// SPDX-License-Identifier: Apache-2.0
#include "gate/oracle_pages.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/files/root_links.h"
#include "base/markdown/markdown_name.h"
#include "base/strings.h"

namespace sibyl::gate {
namespace {

constexpr std::size_t kMaxPageBytes = std::size_t{16} << 20;

}  // namespace

void OraclePages::Put(std::string_view path, const statement::Statements& statements,
                      std::string_view source) {
  auto anchors = std::make_shared<const statement::Anchors>(statements.headings, source);
  const MutexLock lock(mutex_);
  pages_[std::string(path)] = {.exists = true, .was_read = true, .anchors = std::move(anchors)};
}

void OraclePages::PutPlanned(std::string_view path) {
  const MutexLock lock(mutex_);
  pages_[std::string(path)] = {.exists = true, .was_read = true, .anchors = nullptr};
}

OraclePages::Page OraclePages::Look(std::string_view path) const {
  Page page;
  page.exists = root_.ok() && path.find('\0') == std::string_view::npos &&
                (root_->IsFile(path) || root_->IsFolder(path));
  return page;
}

bool OraclePages::Exists(std::string_view path) const {
  const MutexLock lock(mutex_);
  auto at = pages_.find(path);
  if (at == pages_.end()) at = pages_.emplace(std::string(path), Look(path)).first;
  return at->second.exists;
}

std::shared_ptr<const statement::Anchors> OraclePages::AnchorsOf(std::string_view path) const {
  {
    const MutexLock lock(mutex_);
    const auto at = pages_.find(path);
    if (at != pages_.end() && at->second.was_read) return at->second.anchors;
  }
  Page page = Look(path);
  page.was_read = true;
  if (page.exists && HasMarkdownName(path)) {
    const Result<std::string> text = ReadFollowing(*root_, path, {.max_bytes = kMaxPageBytes});
    const Result<statement::Statements> statements =
        text.ok() ? statement::ReadStatements(*text) : Result<statement::Statements>(Error{});
    if (statements.ok()) {
      page.anchors = std::make_shared<const statement::Anchors>(statements->headings, *text);
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

}  // namespace sibyl::gate
