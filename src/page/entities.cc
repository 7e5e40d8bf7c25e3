// SPDX-License-Identifier: Apache-2.0
#include "page/entities.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/utf8.h"
#include "page/entity_table.h"

namespace sibyl::page {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

// Numbers 128 to 159 mean Windows-1252: what people copied from there.
constexpr std::array<char32_t, 32> kWindows1252 = {
    0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x8D,   0x017D, 0x8F,   0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};

bool IsDigitOf(char c, int base) {
  const int value = HexValue(c);
  return value >= 0 && value < base;
}

// `text` begins with "&#".
std::size_t DecodeNumber(std::string_view text, std::string& out) {
  std::size_t at = 2;
  int base = 10;
  if (at < text.size() && (text[at] == 'x' || text[at] == 'X')) {
    base = 16;
    ++at;
  }
  const std::size_t begin = at;
  char32_t value = 0;
  while (at < text.size() && IsDigitOf(text[at], base)) {
    if (value <= 0x10FFFF) {
      value = value * static_cast<char32_t>(base) + static_cast<char32_t>(HexValue(text[at]));
    }
    ++at;
  }
  if (at == begin) return 0;
  if (at < text.size() && text[at] == ';') ++at;
  if (value >= 0x80 && value <= 0x9F) value = kWindows1252[value - 0x80];
  // A NUL would make later steps treat the text as binary.
  AppendUtf8(value == 0 ? kReplacement : value, out);
  return at;
}

const Entity* Find(std::string_view name) {
  const auto* found = std::lower_bound(
      kEntities.begin(), kEntities.end(), name,
      [](const Entity& entity, std::string_view wanted) { return entity.name < wanted; });
  return found != kEntities.end() && found->name == name ? found : nullptr;
}

}  // namespace

std::size_t DecodeEntity(std::string_view text, std::string& out) {
  if (text.size() < 3) return 0;
  if (text[1] == '#') return DecodeNumber(text, out);
  constexpr std::size_t kLongestName = 16;
  std::size_t end = 1;
  while (end < text.size() && end <= kLongestName && IsAlphanumeric(text[end])) ++end;
  const bool is_closed = end < text.size() && text[end] == ';';
  std::size_t length = end - 1;
  const Entity* entity = Find(text.substr(1, length));
  if (entity != nullptr && (is_closed || entity->end == kBare)) {
    AppendUtf8(entity->code_point, out);
    return end + (is_closed ? 1 : 0);
  }
  // "&copyright" begins with "&copy": only the old names count so.
  for (; !is_closed && length > 1; --length) {
    entity = Find(text.substr(1, length));
    if (entity == nullptr || entity->end != kBare) continue;
    AppendUtf8(entity->code_point, out);
    return length + 1;
  }
  return 0;
}

std::string DecodeEntities(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t plain = std::min(text.find('&'), text.size());
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    std::size_t taken = DecodeEntity(text, out);
    if (taken == 0) {
      out += '&';
      taken = 1;
    }
    text.remove_prefix(taken);
  }
  return out;
}

}  // namespace sibyl::page
