// SPDX-License-Identifier: Apache-2.0
#include "base/markdown/heading_anchor.h"

#include "base/ascii.h"
#include "base/strings.h"
#include "base/utf8.h"

namespace sibyl {
namespace {

// Punctuation, symbols and pictures beyond ASCII; the rest is taken for letters.
bool IsSymbol(char32_t c) {
  if (c < 0xC0) return c != 0xAA && c != 0xB5 && c != 0xBA;
  return c == 0xD7 || c == 0xF7 || (c >= 0x2000 && c <= 0x2BFF) || (c >= 0x3000 && c <= 0x3004) ||
         (c >= 0x3008 && c <= 0x3020) || (c >= 0xFF00 && c <= 0xFF0F) || c == 0xFFFD ||
         (c >= 0x1F000 && c <= 0x1FAFF);
}

}  // namespace

std::string AnchorOf(std::string_view heading) {
  std::string anchor;
  heading = Trim(heading);
  while (!heading.empty()) {
    const Utf8Character character = DecodeUtf8(heading);
    const char c = heading[0];
    if (character.code_point >= 0x80) {
      if (!IsSymbol(character.code_point)) anchor += heading.substr(0, character.bytes);
    } else if (c == ' ') {
      anchor += '-';
    } else if (IsUpper(c)) {
      anchor += static_cast<char>(c - 'A' + 'a');
    } else if (IsAlphanumeric(c) || c == '-' || c == '_') {
      anchor += c;
    }
    heading.remove_prefix(character.bytes);
  }
  return anchor;
}

std::string_view WithoutNumber(std::string_view heading) {
  std::string_view rest = Trim(heading);
  constexpr std::string_view kSection = "section ";
  if (StartsWithIgnoringCase(rest, kSection)) rest.remove_prefix(kSection.size());
  const std::size_t end = rest.find_first_not_of("0123456789.");
  if (rest.empty() || !IsDigit(rest[0]) || end == std::string_view::npos) return Trim(heading);
  if (rest[end] != ' ' && rest[end] != ':') return Trim(heading);
  return Trim(rest.substr(end + 1));
}

std::string HeadingAnchors::Next(std::string_view heading) {
  std::string anchor = AnchorOf(heading);
  const std::size_t before = seen_[anchor]++;
  return before == 0 ? anchor : anchor + "-" + std::to_string(before);
}

}  // namespace sibyl
