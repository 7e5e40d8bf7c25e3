// SPDX-License-Identifier: Apache-2.0
#include "interface/mcp/answer_size.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "base/numbers.h"
#include "base/utf8.h"

namespace sibyl::interface {
namespace {

std::size_t SizeOf(const Json& json) { return FormatJson(json, JsonLayout::kCompact).size(); }

// Room for page, next_cursor and the list's own marks.
constexpr std::size_t kReserve = 300;
constexpr std::size_t kShortestCut = 400;

struct Position {
  std::string member;
  std::size_t offset = 0;
};

// "hits.20"
Result<Position> ReadCursor(const Json& answer, std::string_view cursor) {
  const std::size_t dot = cursor.rfind('.');
  Position position;
  if (dot != std::string_view::npos) {
    position.member = cursor.substr(0, dot);
    const std::string_view digits = cursor.substr(dot + 1);
    const std::optional<std::size_t> offset = ParseNumber<std::size_t>(digits);
    const auto member = answer.find(position.member);
    if (offset && *offset > 0 && member != answer.end() && member->is_array()) {
      position.offset = *offset;
      return position;
    }
  }
  return Error{.kind = ErrorKind::kUsage,
               .message = fmt::format("'{}' is not a cursor of this answer", cursor),
               .hint = "omit it to start again"};
}

std::string LongestList(const Json& answer) {
  std::string longest;
  std::size_t most = 0;
  for (const auto& [name, value] : answer.items()) {
    if (!value.is_array() || value.size() < 2) continue;
    const std::size_t size = SizeOf(value);
    if (size > most) {
      most = size;
      longest = name;
    }
  }
  return longest;
}

// Cuts texts that are longer than `longest`; true when one was.
bool CutTexts(Json& json, std::size_t longest) {
  if (json.is_string()) {
    const auto& text = json.get_ref<const std::string&>();
    if (text.size() <= longest) return false;
    std::size_t end = longest;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
    json = fmt::format("{} [{} more bytes]", text.substr(0, end), text.size() - end);
    return true;
  }
  bool cut = false;
  if (json.is_structured()) {
    for (Json& value : json) cut = CutTexts(value, longest) || cut;
  }
  return cut;
}

// As many from the front as fit, at least one.
std::size_t CountThatFit(const Json& list, std::size_t room) {
  std::size_t used = 0;
  std::size_t count = 0;
  for (const Json& entry : list) {
    used += SizeOf(entry) + 1;
    if (used > room && count > 0) break;
    ++count;
  }
  return count;
}

}  // namespace

Result<Json> FitAnswer(Json answer, std::string_view cursor, std::size_t most_bytes) {
  Position position;
  if (!cursor.empty()) position = SIBYL_TRY(ReadCursor(answer, cursor));
  std::size_t size = SizeOf(answer);
  if (cursor.empty() && size <= most_bytes) return answer;
  if (position.member.empty()) position.member = LongestList(answer);
  if (!position.member.empty()) {
    Json& list = answer[position.member];
    const std::size_t total = list.size();
    if (position.offset >= total && position.offset > 0) {
      return Error{.kind = ErrorKind::kUsage,
                   .message = fmt::format("'{}' is past the end of the answer", cursor)};
    }
    Json rest = Json::array();
    for (std::size_t i = position.offset; i < total; ++i) rest.push_back(std::move(list[i]));
    list = Json::array();
    const std::size_t others = SizeOf(answer) + kReserve;
    const std::size_t count = CountThatFit(rest, most_bytes > others ? most_bytes - others : 0);
    for (std::size_t i = 0; i < count; ++i) list.push_back(std::move(rest[i]));
    const std::size_t end = position.offset + count;
    answer["page"] = {
        {"of", position.member}, {"from", position.offset}, {"to", end}, {"total", total}};
    if (end < total) answer["next_cursor"] = fmt::format("{}.{}", position.member, end);
    size = SizeOf(answer);
  }
  for (std::size_t longest = most_bytes / 2; size > most_bytes && longest >= kShortestCut;
       longest /= 2) {
    if (CutTexts(answer, longest)) size = SizeOf(answer);
  }
  return answer;
}

}  // namespace sibyl::interface
