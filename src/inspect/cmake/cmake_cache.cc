// SPDX-License-Identifier: Apache-2.0
#include "inspect/cmake/cmake_cache.h"

#include "base/strings.h"

namespace sibyl::inspect {
namespace {

constexpr std::string_view kFolderLine = "# For build in directory: ";

// `KEY:TYPE=VALUE`; the key is quoted if it contains a colon.
bool ParseEntry(std::string_view line, CacheEntry& entry) {
  std::size_t end = 0;
  if (line.starts_with('"')) {
    end = line.find('"', 1);
    if (end == std::string_view::npos) return false;
    entry.key = line.substr(1, end - 1);
    ++end;
  } else {
    end = line.find(':');
    if (end == std::string_view::npos) return false;
    entry.key = line.substr(0, end);
  }
  if (end >= line.size() || line[end] != ':') return false;
  const std::size_t equals = line.find('=', end);
  if (equals == std::string_view::npos || entry.key.empty()) return false;
  entry.type = line.substr(end + 1, equals - end - 1);
  std::string_view value = line.substr(equals + 1);
  // Quotes preserve blanks at the ends.
  if (value.size() >= 2 && value.front() == '\'' && value.back() == '\'') {
    value = value.substr(1, value.size() - 2);
  }
  entry.value = value;
  return true;
}

bool IsCompanion(const CacheEntry& entry) {
  return entry.type == "INTERNAL" &&
         (entry.key.ends_with("-ADVANCED") || entry.key.ends_with("-MODIFIED") ||
          entry.key.ends_with("-STRINGS"));
}

}  // namespace

bool CacheEntry::IsNotFound() const { return value == "NOTFOUND" || value.ends_with("-NOTFOUND"); }

bool CacheEntry::IsOn() const {
  const std::string text = LowerCase(value);
  return text == "on" || text == "1" || text == "true" || text == "yes" || text == "y";
}

const CacheEntry* CMakeCache::Find(std::string_view key) const {
  const auto found = by_key.find(std::string(key));
  return found == by_key.end() ? nullptr : &entries[found->second];
}

std::string_view CMakeCache::Value(std::string_view key) const {
  const CacheEntry* entry = Find(key);
  return entry != nullptr && entry->IsFound() ? std::string_view(entry->value) : std::string_view();
}

bool CMakeCache::IsOn(std::string_view key) const {
  const CacheEntry* entry = Find(key);
  return entry != nullptr && entry->IsOn();
}

bool CMakeCache::IsOff(std::string_view key) const {
  const CacheEntry* entry = Find(key);
  return entry != nullptr && !entry->IsOn();
}

CMakeCache ParseCMakeCache(std::string_view text) {
  CMakeCache cache;
  std::size_t number = 0;
  for (const std::string_view raw : SplitLines(text)) {
    ++number;
    if (raw.starts_with(kFolderLine)) {
      cache.build_folder = Trim(raw.substr(kFolderLine.size()));
      continue;
    }
    const std::string_view line = Trim(raw);
    if (line.empty() || line.starts_with('#') || line.starts_with("//")) continue;
    CacheEntry entry{.line = number};
    if (!ParseEntry(raw, entry)) {
      ++cache.bad_lines;
    } else if (!IsCompanion(entry)) {
      cache.by_key.try_emplace(entry.key, cache.entries.size());
      cache.entries.push_back(std::move(entry));
    }
  }
  return cache;
}

std::string FindCMakeSetting(std::string_view text, std::string_view name) {
  for (const std::string_view raw : SplitLines(text)) {
    std::string_view line = Trim(raw);
    if (!line.starts_with("set(")) continue;
    line.remove_prefix(4);
    if (!line.starts_with(name) || line.size() <= name.size()) continue;
    line.remove_prefix(name.size());
    if (line.front() != ' ') continue;
    line = Trim(line);
    if (line.ends_with(')')) line.remove_suffix(1);
    line = Trim(line);
    if (line.size() >= 2 && line.front() == '"' && line.back() == '"') {
      line = line.substr(1, line.size() - 2);
    }
    return std::string(line);
  }
  return {};
}

}  // namespace sibyl::inspect
