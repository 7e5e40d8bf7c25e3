// SPDX-License-Identifier: Apache-2.0
#include "evidence/shared/store_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/ascii.h"
#include "base/hash.h"
#include "base/json.h"

namespace sibyl::evidence {
namespace {

constexpr std::string_view kFormat = "sibyl-store-record";
constexpr int kVersion = 1;
constexpr std::size_t kHashDigits = 64;
constexpr std::size_t kMostNameBytes = 200;

Error Damaged(std::string_view what) {
  return Error{.kind = ErrorKind::kCorrupt,
               .message = fmt::format("reading a record of the shared store: {}", what)};
}

bool IsHash(std::string_view text) {
  return text.size() == kHashDigits && std::all_of(text.begin(), text.end(), [](char letter) {
           return IsDigit(letter) || (letter >= 'a' && letter <= 'f');
         });
}

Result<StoredFile> ParseFile(const Json& row) {
  const bool has_all = row.is_object() && row.contains("name") && row["name"].is_string() &&
                       row.contains("sha256") && row["sha256"].is_string() &&
                       row.contains("bytes") && row["bytes"].is_number_unsigned();
  if (!has_all) return Damaged("a file without name, sha256 or bytes");
  StoredFile file{.name = row["name"].get<std::string>(),
                  .sha256 = row["sha256"].get<std::string>(),
                  .bytes = row["bytes"].get<std::uint64_t>()};
  if (!IsStoredName(file.name)) return Damaged("the name of a file is not valid");
  if (!IsHash(file.sha256)) return Damaged("the sha256 of a file is not valid");
  return file;
}

Json FilesAsJson(const std::vector<StoredFile>& files) {
  Json rows = Json::array();
  for (const StoredFile& file : files) {
    rows.push_back({{"name", file.name}, {"sha256", file.sha256}, {"bytes", file.bytes}});
  }
  return rows;
}

}  // namespace

bool IsStoredName(std::string_view name) {
  const bool is_plain = std::all_of(name.begin(), name.end(), [](char letter) {
    return IsAlphanumeric(letter) || letter == '.' || letter == '_' || letter == '-';
  });
  return is_plain && !name.empty() && name.size() <= kMostNameBytes && name.front() != '.' &&
         name.front() != '-';
}

std::string FormatStoreRecord(const std::vector<StoredFile>& files) {
  Json rows = FilesAsJson(files);
  const std::string digest = Sha256(FormatJson(rows, JsonLayout::kCompact));
  const Json record = {
      {"format", kFormat}, {"version", kVersion}, {"sha256", digest}, {"files", std::move(rows)}};
  return FormatJson(record, JsonLayout::kCompact) + "\n";
}

Result<std::vector<StoredFile>> ParseStoreRecord(std::string_view text) {
  Result<Json> parsed = ParseJson(text, {.max_bytes = kMaxRecordBytes, .max_depth = 8});
  if (!parsed.ok() || !parsed->is_object()) return Damaged("it is not a JSON object");
  const Json& record = *parsed;
  if (!record.contains("format") || record["format"] != kFormat) return Damaged("not a record");
  if (!record.contains("version") || record["version"] != kVersion) {
    return Damaged("another version of sibyl wrote it");
  }
  if (!record.contains("files") || !record["files"].is_array() ||
      record["files"].size() > kMaxRecordFiles) {
    return Damaged("it has no list of files, or too many");
  }
  std::vector<StoredFile> files;
  std::set<std::string_view> names;
  for (const Json& row : record["files"]) files.push_back(SIBYL_TRY(ParseFile(row)));
  for (const StoredFile& file : files) {
    if (!names.insert(file.name).second) return Damaged("two files with one name");
  }
  const std::string digest = Sha256(FormatJson(FilesAsJson(files), JsonLayout::kCompact));
  if (!record.contains("sha256") || record["sha256"] != digest) {
    return Damaged("its checksum is wrong");
  }
  return files;
}

}  // namespace sibyl::evidence
