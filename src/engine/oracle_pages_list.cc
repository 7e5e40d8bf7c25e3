// SPDX-License-Identifier: Apache-2.0
#include "engine/oracle_pages_list.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/files/file_descriptor.h"
#include "base/files/root.h"
#include "base/strings.h"
#include "library/front_matter.h"

namespace sibyl::engine {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostPages = 100'000;
constexpr std::size_t kMostPageBytes = std::size_t{16} << 20;

bool IsHidden(std::string_view name) { return name.starts_with('.') || name.starts_with('_'); }

std::string TitleIn(std::string_view text) {
  for (const std::string_view line : SplitLines(text)) {
    if (line.starts_with("# ")) return std::string(Trim(line.substr(2)));
  }
  return {};
}

// The front of a file has its title; the rest is not read for a list.
std::string TitleOf(const Root& oracle, const std::string& path) {
  std::string front(2048, '\0');
  const Result<FileDescriptor> file = oracle.OpenFile(path);
  if (!file.ok()) return {};
  const ssize_t got = ::pread(file->number(), front.data(), front.size(), 0);
  front.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  return TitleIn(front);
}

Error NoSuchPage(std::string_view path) {
  return {.kind = ErrorKind::kNotFound,
          .message = fmt::format("the oracle has no page '{}'", path)};
}

Json FrontMatterAsJson(const library::FrontMatter& front) {
  Json fields = Json::object();
  for (const auto& [key, field] : front.fields) {
    fields[key] = field.value.empty() ? Json(field.members) : Json(field.value);
  }
  return fields;
}

}  // namespace

std::vector<ListedPage> ListPages(const oracle::Context& context) {
  std::vector<ListedPage> pages;
  if (!context.oracle) return pages;
  const Result<Root> oracle = Root::Open(*context.oracle);
  if (!oracle.ok()) return pages;
  const auto enters = [](std::string_view path) {
    return !IsHidden(path.substr(path.rfind('/') + 1));
  };
  const Result<Walked> walked = oracle->Walk(".", {.enters = enters});
  if (!walked.ok()) return pages;
  for (const RootEntry& entry : walked->entries) {
    const std::string_view name = std::string_view(entry.name).substr(entry.name.rfind('/') + 1);
    if (entry.kind != FileKind::kFile || !name.ends_with(".md") || IsHidden(name)) continue;
    if (pages.size() == kMostPages) break;
    const std::optional<FileAbout> about = oracle->About(entry.name);
    ListedPage page{.path = entry.name,
                    .title = TitleOf(*oracle, entry.name),
                    .bytes = about ? about->bytes : 0};
    if (page.title.empty()) page.title = page.path;
    pages.push_back(std::move(page));
  }
  return pages;
}

namespace {

// Folders that are links are not entered, and pages that are links not listed.
Result<Root> OpenFolderOf(const oracle::Context& context, const fs::path& asked) {
  const std::string path = asked.string();
  const bool is_plain =
      !asked.is_absolute() && asked.extension() == ".md" && path.find('\0') == std::string::npos &&
      std::none_of(asked.begin(), asked.end(),
                   [](const fs::path& piece) { return piece.empty() || IsHidden(piece.string()); });
  if (!context.oracle || !is_plain) return NoSuchPage(path);
  const Result<Root> oracle = Root::Open(*context.oracle);
  if (!oracle.ok()) return NoSuchPage(path);
  Result<Root> folder = oracle->OpenFolder(asked.parent_path());
  if (!folder.ok()) return NoSuchPage(path);
  const std::optional<FileAbout> about = folder->About(asked.filename());
  if (!about || about->kind != FileKind::kFile) return NoSuchPage(path);
  return folder;
}

}  // namespace

bool IsPage(const oracle::Context& context, std::string_view path) {
  return OpenFolderOf(context, fs::path(path)).ok();
}

Result<std::string> ReadPage(const oracle::Context& context, std::string_view path) {
  const fs::path asked(path);
  const Root folder = SIBYL_TRY(OpenFolderOf(context, asked));
  return folder.Read(asked.filename(), {.max_bytes = kMostPageBytes});
}

Result<ServedSkill> ReadSkill(const oracle::Context& context) {
  const std::string text = SIBYL_TRY(ReadPage(context, "SKILL.md"));
  ServedSkill skill{.name = {},
                    .title = TitleIn(text),
                    .front_matter = FrontMatterAsJson(library::ReadFrontMatter(text))};
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
