// SPDX-License-Identifier: Apache-2.0
#include "inspect/python/python_package.h"

#include "base/ascii.h"
#include "base/numbers.h"
#include "base/strings.h"

namespace sibyl::inspect {
namespace {

// One field of a CSV line, starting at `at`.
std::string TakeField(std::string_view line, std::size_t& at) {
  std::string field;
  if (at < line.size() && line[at] == '"') {
    for (++at; at < line.size(); ++at) {
      if (line[at] != '"') {
        field += line[at];
      } else if (at + 1 < line.size() && line[at + 1] == '"') {
        field += line[++at];
      } else {
        ++at;
        break;
      }
    }
  }
  const std::size_t end = std::min(line.find(',', at), line.size());
  field += line.substr(at, end - at);
  at = end + 1;
  return field;
}

}  // namespace

PythonMetadata ParseMetadata(std::string_view text) {
  PythonMetadata metadata;
  for (const std::string_view line : SplitLines(text)) {
    if (line.empty()) break;
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    const std::string_view value = Trim(line.substr(colon + 1));
    const std::string_view name = line.substr(0, colon);
    if (EqualsIgnoringCase(name, "Name")) metadata.name = value;
    if (EqualsIgnoringCase(name, "Version")) metadata.version = value;
    if (EqualsIgnoringCase(name, "Requires-Dist")) metadata.requires_dist.emplace_back(value);
  }
  return metadata;
}

std::vector<std::string> ParseWheelTags(std::string_view text) {
  std::vector<std::string> tags;
  for (const std::string_view line : SplitLines(text)) {
    if (StartsWithIgnoringCase(line, "Tag:")) tags.emplace_back(Trim(line.substr(4)));
  }
  return tags;
}

std::vector<RecordEntry> ParseRecord(std::string_view text, Budget& budget) {
  std::vector<RecordEntry> entries;
  for (const std::string_view line : SplitLines(text)) {
    if (Trim(line).empty()) continue;
    if (!budget.Spend(Total::kEntries, 1) ||
        !budget.Spend(Total::kKeptBytes, sizeof(RecordEntry) + line.size())) {
      break;
    }
    std::size_t at = 0;
    RecordEntry entry{.path = TakeField(line, at)};
    std::string digest = at <= line.size() ? TakeField(line, at) : std::string();
    const std::string size = at <= line.size() ? TakeField(line, at) : std::string();
    if (digest.starts_with("sha256=")) entry.sha256 = digest.substr(7);
    const auto bytes = ParseNumber<decltype(entry.bytes)>(size);
    entry.has_size = bytes.has_value();
    entry.bytes = bytes.value_or(0);
    entries.push_back(std::move(entry));
  }
  return entries;
}

std::string RequirementName(std::string_view requirement) {
  const std::size_t end = requirement.find_first_of(" ;<>=!~([@");
  return LowerCase(requirement.substr(0, end));
}

std::string RecordDigest(std::string_view sha256_hex) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string out;
  std::uint32_t bits = 0;
  int held = 0;
  for (std::size_t i = 0; i + 1 < sha256_hex.size(); i += 2) {
    bits = bits << 8U |
           static_cast<std::uint32_t>(HexValue(sha256_hex[i]) * 16 + HexValue(sha256_hex[i + 1]));
    held += 8;
    while (held >= 6) {
      held -= 6;
      out += kAlphabet[bits >> static_cast<unsigned>(held) & 63U];
    }
  }
  if (held > 0) out += kAlphabet[bits << static_cast<unsigned>(6 - held) & 63U];
  return out;
}

}  // namespace sibyl::inspect
