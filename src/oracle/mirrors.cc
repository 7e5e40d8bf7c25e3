// SPDX-License-Identifier: Apache-2.0
#include "oracle/mirrors.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/files/root.h"
#include "base/files/user_config.h"
#include "base/strings.h"
#include "base/toml_table_reader.h"
#include "base/toml_text.h"
#include "git/origin.h"
#include "oracle/user_config.h"

namespace sibyl::oracle {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTable = "mirrors";

// "https://github.com/o/r.git" and "https://github.com/o/r" are one origin. The
// slash of a prefix stays.
std::string_view WithoutSuffix(std::string_view origin) {
  return origin.ends_with(".git") ? origin.substr(0, origin.size() - 4) : origin;
}

// A name below the prefix, which must not lead out of the user's folder.
bool IsPlainName(std::string_view rest) {
  const fs::path path(rest);
  const bool is_plain = std::none_of(path.begin(), path.end(), [](const fs::path& part) {
    return part.empty() || part == "." || part == "..";
  });
  return is_plain && !rest.empty() && path.is_relative() && rest.find("//") == rest.npos &&
         rest.find_first_of("\\%?#") == std::string_view::npos;
}

// Under the header of the table, or with a new one at the end.
std::string WithRow(std::string_view text, std::string_view row) {
  const std::string header = fmt::format("[{}]", kTable);
  std::string edited;
  bool is_added = false;
  for (const std::string_view line : SplitLines(text)) {
    edited.append(line).append("\n");
    if (is_added || Trim(line) != header) continue;
    edited += row;
    is_added = true;
  }
  if (!is_added) edited += fmt::format("{}{}\n{}", edited.empty() ? "" : "\n", header, row);
  return edited;
}

}  // namespace

Result<Mirrors> Mirrors::Parse(std::string_view text, const std::string& file) {
  Mirrors mirrors;
  const toml::table root = SIBYL_TRY(ParseToml(text, file));
  const TomlTableReader reader(file, fmt::format("[{}]", kTable));
  const toml::table* table = SIBYL_TRY(reader.Find(root, kTable));
  if (table == nullptr) return mirrors;
  for (const auto& [key, node] : *table) {
    std::string place = SIBYL_TRY(reader.Text(key.str(), node));
    const bool is_path = git::IsLocalOrigin(place);
    if (is_path && !fs::path(git::LocalPath(place)).is_absolute()) {
      return reader.Complain(node, fmt::format("'{}' is not an absolute path or a URL", place),
                             "write the whole path of the copy");
    }
    if (git::HasCredentials(place)) {
      return reader.Complain(node, "a mirror with a user name or password",
                             "let git log in: with a credential helper, ~/.netrc or ssh");
    }
    mirrors.places_.emplace(WithoutSuffix(key.str()), std::move(place));
  }
  return mirrors;
}

Result<Mirrors> Mirrors::Read(const Context& context) {
  const UserConfigText config = SIBYL_TRY(ReadUserConfig(context));
  return Parse(config.text, config.shown);
}

std::string Mirrors::PlaceOf(std::string_view origin) const {
  const std::string_view wanted = WithoutSuffix(origin);
  if (wanted.ends_with('/')) return {};
  if (const auto exact = places_.find(wanted); exact != places_.end()) return exact->second;
  std::string_view longest;
  std::string place;
  for (const auto& [prefix, folder] : places_) {
    const bool covers = prefix.ends_with('/') && wanted.starts_with(prefix) &&
                        IsPlainName(wanted.substr(prefix.size()));
    if (!covers || prefix.size() <= longest.size()) continue;
    longest = prefix;
    place = folder + (folder.ends_with('/') ? "" : "/") + std::string(origin.substr(prefix.size()));
  }
  return place;
}

Status RecordMirror(const Context& context, std::string_view origin, std::string_view place) {
  const Mirrors mirrors = SIBYL_TRY(Mirrors::Read(context));
  const std::string before = mirrors.PlaceOf(origin);
  if (before == place) return {};
  const UserConfigText config = SIBYL_TRY(ReadUserConfig(context));
  const std::string edited =
      WithRow(config.text, fmt::format("{} = {}\n", TomlString(origin), TomlString(place)));
  const Result<Mirrors> after = Mirrors::Parse(edited, config.shown);
  if (!after.ok() || after->PlaceOf(origin) != place) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("recording the mirror of {}: {} has another row for it",
                                        origin, config.shown),
                 .hint = "edit the file by hand"};
  }
  const fs::path folder = context.config ? *context.config : SIBYL_TRY(UserConfigFolder());
  const Root root = SIBYL_TRY(Root::Create(folder));
  return root.Write(kUserConfigFile, edited);
}

}  // namespace sibyl::oracle
