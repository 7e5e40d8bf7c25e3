// SPDX-License-Identifier: Apache-2.0
#include "inspect/cuda/ar.h"

#include <optional>

#include "base/numbers.h"

namespace sibyl::inspect {
namespace {

constexpr std::string_view kMagic = "!<arch>\n";
constexpr std::string_view kThinMagic = "!<thin>\n";
constexpr std::size_t kHeaderBytes = 60;
constexpr std::size_t kLongestName = 1024;

std::string_view TrimEnd(std::string_view text) {
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::optional<std::uint64_t> Number(std::string_view text) {
  return ParseNumber<std::uint64_t>(TrimEnd(text));
}

struct Named {
  std::string name;
  std::uint64_t skip = 0;  // bytes of the member that are its name (BSD)
};

Named MemberName(std::string_view field, std::string_view content, std::string_view long_names) {
  field = TrimEnd(field);
  if (field.starts_with("#1/")) {
    const std::uint64_t length = Number(field.substr(3)).value_or(0);
    if (length > content.size()) return {.name = std::string(field)};
    const std::string_view name = content.substr(0, static_cast<std::size_t>(length));
    return {.name = std::string(name.substr(0, kLongestName).substr(0, name.find('\0'))),
            .skip = length};
  }
  if (field.size() > 1 && field[0] == '/') {
    if (const auto offset = Number(field.substr(1)); offset && *offset < long_names.size()) {
      const std::string_view rest =
          long_names.substr(static_cast<std::size_t>(*offset), kLongestName);
      std::string_view name = rest.substr(0, rest.find('\n'));
      if (name.ends_with('/')) name.remove_suffix(1);
      return {.name = std::string(name)};
    }
  }
  if (field.size() > 1 && field.ends_with('/')) field.remove_suffix(1);
  return {.name = std::string(field)};
}

bool IsTable(std::string_view name) {
  return name == "/" || name == "/SYM64" || name == "/SYM64/" || name.starts_with("__.SYMDEF");
}

}  // namespace

bool IsArArchive(std::string_view bytes) {
  return bytes.starts_with(kMagic) || bytes.starts_with(kThinMagic);
}

ArArchive ReadArArchive(std::string_view bytes, Budget& budget) {
  ArArchive archive;
  archive.is_thin = bytes.starts_with(kThinMagic);
  std::string_view long_names;
  std::size_t at = kMagic.size();
  while (at < bytes.size()) {
    const std::string_view header = bytes.substr(at, kHeaderBytes);
    if (header.size() < kHeaderBytes || header.substr(58) != "`\n") {
      archive.is_cut = true;
      break;
    }
    const std::optional<std::uint64_t> size = Number(header.substr(48, 10));
    const std::size_t start = at + kHeaderBytes;
    const std::string_view raw_name = TrimEnd(header.substr(0, 16));
    const bool is_table = IsTable(raw_name) || raw_name == "//";
    if (!size || (*size > bytes.size() - start && !(archive.is_thin && !is_table))) {
      archive.is_cut = true;
      break;
    }
    const bool has_bytes = !archive.is_thin || is_table;
    const std::string_view content =
        has_bytes ? bytes.substr(start, static_cast<std::size_t>(*size)) : std::string_view{};
    if (raw_name == "//") {
      long_names = content;
    } else if (!is_table && has_bytes) {
      Named named = MemberName(header.substr(0, 16), content, long_names);
      if (!budget.Spend(Total::kEntries, 1) ||
          !budget.Spend(Total::kKeptBytes, sizeof(ArMember) + named.name.size())) {
        archive.is_cut = true;
        break;
      }
      if (!IsTable(named.name)) {
        archive.members.push_back({.name = std::move(named.name),
                                   .offset = start + named.skip,
                                   .bytes = content.substr(static_cast<std::size_t>(named.skip))});
      }
    }
    at = start + content.size();
    at += at % 2;
  }
  return archive;
}

}  // namespace sibyl::inspect
