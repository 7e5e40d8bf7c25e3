// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>

namespace sibyl {
namespace {

constexpr char32_t kReplacement = 0xFFFD;
constexpr std::string_view kReplacementBytes = "\xEF\xBF\xBD";
constexpr std::string_view kEllipsis = "\xE2\x80\xA6";

struct Range {
  char32_t first;
  char32_t last;
};

// Blocks instead of full Unicode tables: sufficient for plans, and no table to
// regenerate.
constexpr Range kZeroWidth[] = {
    {0x0000, 0x001F},   {0x007F, 0x009F},   {0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD},
    {0x0610, 0x061A},   {0x064B, 0x065F},   {0x06D6, 0x06DC}, {0x0E34, 0x0E3A}, {0x0E47, 0x0E4E},
    {0x1AB0, 0x1AFF},   {0x1DC0, 0x1DFF},   {0x200B, 0x200F}, {0x202A, 0x202E}, {0x2060, 0x2064},
    {0x20D0, 0x20FF},   {0xFE00, 0xFE0F},   {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF}, {0x1F3FB, 0x1F3FF},
    {0xE0000, 0xE007F}, {0xE0100, 0xE01EF},
};
constexpr Range kWide[] = {
    {0x1100, 0x115F},   {0x231A, 0x231B},   {0x23E9, 0x23EC},   {0x23F0, 0x23F0},
    {0x23F3, 0x23F3},   {0x25FD, 0x25FE},   {0x2614, 0x2615},   {0x2648, 0x2653},
    {0x267F, 0x267F},   {0x2693, 0x2693},   {0x26A1, 0x26A1},   {0x26AA, 0x26AB},
    {0x26BD, 0x26BE},   {0x26C4, 0x26C5},   {0x26CE, 0x26CE},   {0x26D4, 0x26D4},
    {0x26EA, 0x26EA},   {0x26F2, 0x26F3},   {0x26F5, 0x26F5},   {0x26FA, 0x26FA},
    {0x26FD, 0x26FD},   {0x2705, 0x2705},   {0x270A, 0x270B},   {0x2728, 0x2728},
    {0x274C, 0x274C},   {0x274E, 0x274E},   {0x2753, 0x2755},   {0x2757, 0x2757},
    {0x2795, 0x2797},   {0x27B0, 0x27B0},   {0x27BF, 0x27BF},   {0x2B1B, 0x2B1C},
    {0x2B50, 0x2B50},   {0x2B55, 0x2B55},   {0x2E80, 0x303E},   {0x3041, 0x33FF},
    {0x3400, 0x4DBF},   {0x4E00, 0x9FFF},   {0xA000, 0xA4CF},   {0xA960, 0xA97F},
    {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},
    {0xFFE0, 0xFFE6},   {0x1F004, 0x1F004}, {0x1F0CF, 0x1F0CF}, {0x1F18E, 0x1F18E},
    {0x1F191, 0x1F19A}, {0x1F200, 0x1F320}, {0x1F32D, 0x1F335}, {0x1F337, 0x1F37C},
    {0x1F37E, 0x1F393}, {0x1F3A0, 0x1F3CA}, {0x1F3CF, 0x1F3D3}, {0x1F3E0, 0x1F3F0},
    {0x1F3F4, 0x1F3F4}, {0x1F3F8, 0x1F43E}, {0x1F440, 0x1F440}, {0x1F442, 0x1F4FC},
    {0x1F4FF, 0x1F53D}, {0x1F54B, 0x1F54E}, {0x1F550, 0x1F567}, {0x1F57A, 0x1F57A},
    {0x1F595, 0x1F596}, {0x1F5A4, 0x1F5A4}, {0x1F5FB, 0x1F64F}, {0x1F680, 0x1F6C5},
    {0x1F6CC, 0x1F6CC}, {0x1F6D0, 0x1F6D2}, {0x1F6D5, 0x1F6D7}, {0x1F6DC, 0x1F6DF},
    {0x1F6EB, 0x1F6EC}, {0x1F6F4, 0x1F6FC}, {0x1F7E0, 0x1F7EB}, {0x1F7F0, 0x1F7F0},
    {0x1F90C, 0x1F93A}, {0x1F93C, 0x1F945}, {0x1F947, 0x1F9FF}, {0x1FA70, 0x1FAFF},
    {0x20000, 0x3FFFD},
};

template <std::size_t N>
bool IsIn(char32_t code_point, const Range (&ranges)[N]) {
  const Range* after =
      std::upper_bound(std::begin(ranges), std::end(ranges), code_point,
                       [](char32_t wanted, const Range& range) { return wanted < range.first; });
  return after != std::begin(ranges) && code_point <= std::prev(after)->last;
}

// How many bytes from here are plain ASCII, eight at a time: nearly all of a
// plan is, and a plan may have 50 MB.
std::size_t CountAscii(std::string_view text) {
  std::size_t count = 0;
  while (count + sizeof(std::uint64_t) <= text.size()) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + count, sizeof word);
    if ((word & 0x8080808080808080U) != 0) break;
    count += sizeof word;
  }
  while (count < text.size() && static_cast<unsigned char>(text[count]) < 0x80) ++count;
  return count;
}

}  // namespace

Utf8Character DecodeUtf8(std::string_view text) {
  constexpr Utf8Character kInvalid = {.code_point = kReplacement, .bytes = 1, .is_valid = false};
  const auto byte = [text](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {.code_point = lead, .bytes = 1};
  std::size_t length = 0;
  char32_t code_point = 0;
  char32_t smallest = 0;  // what a shorter form could have said is overlong
  if (lead >= 0xC2 && lead <= 0xDF) {
    length = 2, code_point = lead & 0x1F, smallest = 0x80;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    length = 3, code_point = lead & 0x0F, smallest = 0x800;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    length = 4, code_point = lead & 0x07, smallest = 0x10000;
  } else {
    return kInvalid;
  }
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return kInvalid;
    code_point = (code_point << 6) | (byte(i) & 0x3F);
  }
  const bool is_surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
  if (code_point < smallest || is_surrogate || code_point > 0x10FFFF) return kInvalid;
  return {.code_point = code_point, .bytes = length};
}

std::optional<std::size_t> FindInvalidUtf8(std::string_view text) {
  std::size_t offset = 0;
  while (true) {
    offset += CountAscii(text.substr(offset));
    if (offset == text.size()) return std::nullopt;
    const Utf8Character next = DecodeUtf8(text.substr(offset));
    if (!next.is_valid) return offset;
    offset += next.bytes;
  }
}

void AppendUtf8(char32_t code_point, std::string& out) {
  const bool is_surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
  if (code_point > 0x10FFFF || is_surrogate) code_point = 0xFFFD;
  const auto byte = [&out](char32_t bits) { out += static_cast<char>(bits); };
  if (code_point < 0x80) {
    byte(code_point);
  } else if (code_point < 0x800) {
    byte(0xC0 | code_point >> 6);
    byte(0x80 | (code_point & 0x3F));
  } else if (code_point < 0x10000) {
    byte(0xE0 | code_point >> 12);
    byte(0x80 | (code_point >> 6 & 0x3F));
    byte(0x80 | (code_point & 0x3F));
  } else {
    byte(0xF0 | code_point >> 18);
    byte(0x80 | (code_point >> 12 & 0x3F));
    byte(0x80 | (code_point >> 6 & 0x3F));
    byte(0x80 | (code_point & 0x3F));
  }
}

std::string ReplaceInvalidUtf8(std::string_view text) {
  std::string valid;
  valid.reserve(text.size());
  while (const std::optional<std::size_t> bad = FindInvalidUtf8(text)) {
    valid += text.substr(0, *bad);
    valid += kReplacementBytes;
    text.remove_prefix(*bad + 1);
  }
  return valid += text;
}

std::size_t DisplayWidth(char32_t code_point) {
  if (code_point >= 0x20 && code_point < 0x7F) return 1;
  if (IsIn(code_point, kZeroWidth)) return 0;
  return IsIn(code_point, kWide) ? 2 : 1;
}

std::size_t DisplayWidth(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const Utf8Character next = DecodeUtf8(text);
    width += DisplayWidth(next.code_point);
    text.remove_prefix(next.bytes);
  }
  return width;
}

std::string ElideMiddle(std::string_view text, std::size_t columns) {
  if (DisplayWidth(text) <= columns) return std::string(text);
  if (columns == 0) return {};
  const std::size_t head_columns = (columns - 1) - (columns - 1) / 2;
  const std::size_t tail_columns = (columns - 1) / 2;
  std::size_t head = 0;
  for (std::size_t width = 0; head < text.size();) {
    const Utf8Character next = DecodeUtf8(text.substr(head));
    width += DisplayWidth(next.code_point);
    if (width > head_columns) break;
    head += next.bytes;
  }
  // The tail is found from the front too: UTF-8 that may be invalid has no
  // dependable way backwards.
  std::size_t tail = head;
  for (std::size_t width = DisplayWidth(text.substr(head)); width > tail_columns;) {
    const Utf8Character next = DecodeUtf8(text.substr(tail));
    width -= DisplayWidth(next.code_point);
    tail += next.bytes;
  }
  return std::string(text.substr(0, head)).append(kEllipsis).append(text.substr(tail));
}

}  // namespace sibyl
