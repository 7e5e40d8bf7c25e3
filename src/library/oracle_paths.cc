// SPDX-License-Identifier: Apache-2.0
#include "library/oracle_paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <tuple>

#include "base/files/reserved_name.h"
#include "base/strings.h"
#include "library/library.h"
#include "library/skill.h"
#include "library/topic_index.h"
#include "plan/oracle_files.h"

namespace sibyl::library {

std::string InFolder(std::string_view folder, std::string_view name) {
  return folder.empty() ? std::string(name) : fmt::format("{}/{}", folder, name);
}

namespace {

namespace fs = std::filesystem;

constexpr int kDeepest = 6;
constexpr std::string_view kPlansPath = "_ingest-auto";

Error Unsafe(std::string_view path, std::string_view why) {
  return Error{.kind = ErrorKind::kUsage,
               .message = fmt::format("publishing {}: {}", path, why),
               .hint = "use a target such as cuda/16-cupti.md"};
}

bool IsKnowledge(const std::string& name) {
  return name.ends_with(".md") && name != kIndexFile && name != kSkillFile && name != "README.md" &&
         name[0] != '.';
}

void FindTopics(const Root& oracle, const std::string& name, int depth,
                std::vector<std::string>& topics) {
  const auto entries = oracle.List(name);
  if (!entries.ok()) return;
  bool is_topic = false;
  std::vector<std::string> below;
  for (const RootEntry& entry : *entries) {
    const std::string& file = entry.name;
    if (entry.kind == FileKind::kFolder) {
      if (file[0] != '.' && file[0] != '_') below.push_back(file);
    } else {
      is_topic = is_topic || file == kIndexFile ||
                 (IsKnowledge(file) && plan::ReadNumberedPath(file).has_value());
    }
  }
  if (is_topic && !name.empty()) topics.push_back(name);
  if (depth == kDeepest) return;
  for (const std::string& next : below) {
    FindTopics(oracle, InFolder(name, next), depth + 1, topics);
  }
}

// Why a path is refused, independent of the disk; empty if it is not.
std::string_view WhyNotPlain(std::string_view path) {
  constexpr std::size_t kLongest = 1'000;
  if (path.empty() || path.size() > kLongest) return "the path is empty or too long";
  const fs::path relative{std::string(path)};
  if (relative.is_absolute()) return "the path is absolute";
  for (const char c : path) {
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f || c == '\\') {
      return "the path has a control character or a backslash";
    }
  }
  if (path.find("//") != std::string_view::npos) return "the path contains '//'";
  for (const fs::path& piece : relative) {
    if (piece == ".." || piece == "." || piece.empty()) {
      return "the path contains '..' or '.', or ends in a slash";
    }
  }
  if (HasReservedName(path)) return "that name is reserved for git or sibyl";
  return {};
}

// Why a plain path is not one for knowledge; empty when it is. Case does not
// count: on some disks it does not.
std::string_view WhyNotKnowledge(std::string_view path) {
  // Files that agents and editors load as instructions automatically.
  constexpr std::array<std::string_view, 6> kObeyed = {
      "agents.md", "claude.md", "claude.local.md", "gemini.md", "copilot-instructions.md",
      "skill.md"};
  const std::string lower = LowerCase(path);
  const std::string_view name = std::string_view(lower).substr(lower.rfind('/') + 1);
  if (std::find(kObeyed.begin(), kObeyed.end(), name) != kObeyed.end()) {
    return "agents load a file with that name as instructions";
  }
  for (std::size_t begin = 0; begin < lower.size();) {
    const std::size_t end = std::min(lower.find('/', begin), lower.size());
    if (lower[begin] == '.') return "names that start with a dot are hidden";
    if (lower[begin] == '_' && end < lower.size()) {
      return lower.starts_with(kPlansPath) ? "that folder is reserved for plans"
                                           : "folders that start with '_' are reserved";
    }
    begin = end + 1;
  }
  return {};
}

}  // namespace

bool IsPlainPath(std::string_view path) { return WhyNotPlain(path).empty(); }

Status CheckPath(const Root& oracle, std::string_view path, Wanted wanted) {
  if (const std::string_view why = WhyNotPlain(path); !why.empty()) return Unsafe(path, why);
  for (std::size_t end = path.find('/');; end = path.find('/', end + 1)) {
    const bool is_last = end == std::string_view::npos;
    const auto about = oracle.About(std::string(path.substr(0, end)));
    if (!about) return {};
    if (about->kind == FileKind::kLink) {
      Error error =
          Unsafe(path, is_last ? "it is a symbolic link" : "a symbolic link is on the path");
      error.hint = "sibyl never writes through a symbolic link; replace it with its target";
      return error;
    }
    const bool is_folder = !is_last || wanted == Wanted::kFolder;
    if (about->kind != (is_folder ? FileKind::kFolder : FileKind::kFile)) {
      return Unsafe(path, is_folder ? "a file is in the place of a folder" : "not a regular file");
    }
    if (is_last) return {};
  }
}

std::vector<std::string> KnowledgeFiles(const Root& oracle, const std::string& folder) {
  std::vector<std::string> names;
  const auto entries = oracle.List(folder);
  if (!entries.ok()) return names;
  for (const RootEntry& entry : *entries) {
    if (IsKnowledge(entry.name) && oracle.IsFile(InFolder(folder, entry.name))) {
      names.push_back(entry.name);
    }
  }
  OrderKnowledge(names);
  return names;
}

void OrderKnowledge(std::vector<std::string>& names) {
  const auto key = [](const std::string& name) {
    const auto numbered = plan::ReadNumberedPath(name);
    return std::tuple(!numbered, numbered ? numbered->number : 0, name);
  };
  std::sort(names.begin(), names.end(),
            [&](const std::string& a, const std::string& b) { return key(a) < key(b); });
}

std::vector<std::string> TopicFolders(const Root& oracle) {
  std::vector<std::string> topics;
  FindTopics(oracle, "", 0, topics);
  std::sort(topics.begin(), topics.end());
  return topics;
}

Status CheckTarget(const fs::path& oracle, std::string_view path, ExistingFile existing) {
  return CheckTarget(SIBYL_TRY(Root::Open(oracle)), path, existing);
}

Status CheckTarget(const Root& oracle, std::string_view path, ExistingFile existing) {
  SIBYL_TRY(CheckPath(oracle, path));
  const fs::path target{std::string(path)};
  if (!IsKnowledge(target.filename().string())) {
    return Unsafe(path, "not a valid name for a knowledge file");
  }
  if (const std::string_view why = WhyNotKnowledge(path); !why.empty()) return Unsafe(path, why);
  if (path.find('/') == std::string_view::npos) return Unsafe(path, "it is not in a topic folder");
  if (oracle.Exists(target) && existing == ExistingFile::kRefuse) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("publishing {}: the file already exists", path),
                 .hint = "use --replace to overwrite it"};
  }
  const auto numbered = plan::ReadNumberedPath(path);
  if (!numbered) return {};
  plan::OracleFiles files;
  for (const std::string& other : KnowledgeFiles(oracle, target.parent_path().generic_string())) {
    files.Add(numbered->folder + other);
  }
  const std::string taken = files.TakenBy(*numbered, path);
  if (taken.empty()) return {};
  return Error{.kind = ErrorKind::kUsage,
               .message = fmt::format("publishing {}: its number is used by {}", path, taken),
               .hint = fmt::format("the next free number is {:0{}}",
                                   files.NextFree(numbered->folder), numbered->digits)};
}

}  // namespace sibyl::library
