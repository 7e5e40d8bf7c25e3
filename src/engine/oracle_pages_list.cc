// SPDX-License-Identifier: Apache-2.0
#include "engine/oracle_pages_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "base/files.h"
#include "base/strings.h"

namespace sibyl::engine {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostPages = 100'000;
constexpr std::size_t kMostPageBytes = std::size_t{16} << 20;

bool IsHidden(std::string_view name) { return name.starts_with('.') || name.starts_with('_'); }

// The front of a file has its title; the rest is not read for a list.
std::string TitleOf(const fs::path& path) {
  std::string front(2048, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(front.data(), static_cast<std::streamsize>(front.size()));
  front.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  for (const std::string_view line : SplitLines(front)) {
    if (line.starts_with("# ")) return std::string(Trim(line.substr(2)));
  }
  return {};
}

Error NoSuchPage(std::string_view path) {
  return {.kind = ErrorKind::kNotFound,
          .message = fmt::format("the oracle has no page '{}'", path)};
}

std::string Unquoted(std::string_view value) {
  value = Trim(value);
  const bool is_quoted =
      value.size() >= 2 && (value[0] == '"' || value[0] == '\'') && value.back() == value[0];
  return std::string(is_quoted ? value.substr(1, value.size() - 2) : value);
}

// "key: value" lines, and maps one level deep: all that Agent Skills have.
Json ReadFrontMatter(std::string_view text) {
  Json fields = Json::object();
  const std::vector<std::string_view> lines = SplitLines(text);
  if (lines.empty() || Trim(lines[0]) != "---") return fields;
  std::string map;
  for (std::size_t i = 1; i < lines.size() && Trim(lines[i]) != "---"; ++i) {
    const std::size_t colon = lines[i].find(':');
    if (colon == std::string_view::npos || Trim(lines[i]).starts_with('#')) continue;
    const std::string key(Trim(lines[i].substr(0, colon)));
    const std::string value = Unquoted(lines[i].substr(colon + 1));
    const bool is_inside = lines[i].starts_with(' ') || lines[i].starts_with('\t');
    if (is_inside && !map.empty()) {
      fields[map][key] = value;
      continue;
    }
    map = value.empty() ? key : std::string();
    fields[key] = value.empty() ? Json::object() : Json(value);
  }
  return fields;
}

}  // namespace

std::vector<ListedPage> ListPages(const Context& context) {
  std::vector<ListedPage> pages;
  if (!context.oracle) return pages;
  std::error_code failure;
  fs::recursive_directory_iterator entry(*context.oracle,
                                         fs::directory_options::skip_permission_denied, failure);
  for (const fs::recursive_directory_iterator end;
       !failure && entry != end && pages.size() < kMostPages; entry.increment(failure)) {
    std::error_code ignored;
    if (entry->is_symlink(ignored)) {
      entry.disable_recursion_pending();
    } else if (entry->is_directory(ignored)) {
      if (IsHidden(entry->path().filename().string())) entry.disable_recursion_pending();
    } else if (entry->path().extension() == ".md" && entry->is_regular_file(ignored) &&
               !IsHidden(entry->path().filename().string())) {
      pages.push_back({.path = entry->path().lexically_relative(*context.oracle).generic_string(),
                       .bytes = entry->file_size(ignored)});
    }
  }
  std::sort(pages.begin(), pages.end(),
            [](const ListedPage& a, const ListedPage& b) { return a.path < b.path; });
  for (ListedPage& page : pages) {
    page.title = TitleOf(*context.oracle / page.path);
    if (page.title.empty()) page.title = page.path;
  }
  return pages;
}

Result<std::string> ReadPage(const Context& context, std::string_view path) {
  const fs::path asked(path);
  const bool is_plain = !asked.is_absolute() && asked.extension() == ".md" &&
                        path.find('\0') == std::string_view::npos &&
                        std::none_of(asked.begin(), asked.end(), [](const fs::path& piece) {
                          return piece.empty() || IsHidden(piece.string());
                        });
  if (!context.oracle || !is_plain) return NoSuchPage(path);
  fs::path at = *context.oracle;
  std::error_code ignored;
  for (const fs::path& piece : asked) {
    at /= piece;
    if (fs::is_symlink(at, ignored)) return NoSuchPage(path);
  }
  if (!fs::is_regular_file(at, ignored)) return NoSuchPage(path);
  return ReadFile(at, {.max_bytes = kMostPageBytes});
}

Result<ServedSkill> ReadSkill(const Context& context) {
  const std::string text = SIBYL_TRY(ReadPage(context, "SKILL.md"));
  ServedSkill skill{.name = {}, .front_matter = ReadFrontMatter(text)};
  const auto name = skill.front_matter.find("name");
  const auto description = skill.front_matter.find("description");
  const bool is_named = name != skill.front_matter.end() && name->is_string() &&
                        description != skill.front_matter.end() && description->is_string();
  if (!is_named) {
    return Error{.kind = ErrorKind::kNotFound,
                 .message = "SKILL.md has no name and description in its front matter"};
  }
  skill.name = name->get<std::string>();
  return skill;
}

}  // namespace sibyl::engine
