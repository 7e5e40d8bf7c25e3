// SPDX-License-Identifier: Apache-2.0
#include "base/strings.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "base/ascii.h"

namespace sibyl {
namespace {

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Of eight bytes at once.
std::uint64_t LowerEight(std::uint64_t bytes) {
  constexpr std::uint64_t kEach = 0x0101010101010101U;
  const std::uint64_t low = bytes & 0x7F * kEach;
  const std::uint64_t from_a = low + (0x80 - 'A') * kEach;  // the highest bit: not before A
  const std::uint64_t after_z = low + (0x7F - 'Z') * kEach;
  const std::uint64_t is_upper = (from_a ^ after_z) & ~bytes & 0x80 * kEach;
  return bytes | is_upper >> 2;
}

}  // namespace

std::string_view Trim(std::string_view text) {
  std::size_t end = text.size();
  while (end > 0 && IsBlank(text[end - 1])) --end;
  std::size_t first = 0;
  while (first < end && IsBlank(text[first])) ++first;
  return text.substr(first, end - first);
}

bool LowerInPlace(std::span<char> text) {
  std::uint64_t all = 0;
  std::size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, text.data() + at, sizeof(eight));
    all |= eight;
    eight = LowerEight(eight);
    std::memcpy(text.data() + at, &eight, sizeof(eight));
  }
  for (; at < text.size(); ++at) {
    all |= static_cast<unsigned char>(text[at]);
    text[at] = Lower(text[at]);
  }
  return (all & 0x8080808080808080U) == 0;
}

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  LowerInPlace(lower);
  return lower;
}

bool EqualsIgnoringCase(std::string_view a, std::string_view b) {
  return a.size() == b.size() && StartsWithIgnoringCase(a, b);
}

bool StartsWithIgnoringCase(std::string_view text, std::string_view prefix) {
  return text.size() >= prefix.size() &&
         std::equal(prefix.begin(), prefix.end(), text.begin(),
                    [](char a, char b) { return Lower(a) == Lower(b); });
}

std::vector<std::string_view> SplitLines(std::string_view text) {
  std::vector<std::string_view> lines;
  std::size_t start = 0;
  while (start < text.size()) {
    const std::size_t end = std::min(text.find_first_of("\r\n", start), text.size());
    lines.push_back(text.substr(start, end - start));
    const bool is_pair = text.substr(end, 2) == "\r\n";
    start = end + (is_pair ? 2 : 1);
  }
  return lines;
}

std::string Count(std::size_t number, std::string_view one, std::string_view many) {
  std::string text = std::to_string(number) + " ";
  if (number == 1) return text += one;
  if (many.empty()) return (text += one) += "s";
  return text += many;
}

std::string Join(const std::vector<std::string>& parts, std::string_view between) {
  std::string text;
  for (const std::string& part : parts) {
    if (&part != parts.data()) text += between;
    text += part;
  }
  return text;
}

}  // namespace sibyl
