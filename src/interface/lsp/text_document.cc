// SPDX-License-Identifier: Apache-2.0
#include "interface/lsp/text_document.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/utf8.h"
#include "interface/lsp/json_members.h"

namespace sibyl::interface::lsp {
namespace {

Error Invalid(std::string message) {
  return {.kind = ErrorKind::kUsage, .message = std::move(message)};
}

constexpr char32_t kFirstPair = 0x10000;  // takes two UTF-16 units

}  // namespace

TextDocument::TextDocument(std::string text, PositionEncoding encoding)
    : text_(std::move(text)), encoding_(encoding) {
  FindLines();
}

void TextDocument::FindLines() {
  starts_.assign(1, 0);
  for (std::size_t at = 0; at < text_.size(); ++at) {
    const bool is_end = text_[at] == '\n' ||
                        (text_[at] == '\r' && (at + 1 == text_.size() || text_[at + 1] != '\n'));
    if (is_end) starts_.push_back(at + 1);
  }
}

std::size_t TextDocument::LineEnd(std::size_t line) const {
  if (line + 1 >= starts_.size()) return text_.size();
  std::size_t end = starts_[line + 1] - 1;
  if (text_[end] == '\n' && end > starts_[line] && text_[end - 1] == '\r') --end;
  return end;
}

std::string_view TextDocument::Line(std::size_t line) const {
  if (line >= starts_.size()) return {};
  return std::string_view(text_).substr(starts_[line], LineEnd(line) - starts_[line]);
}

std::size_t TextDocument::OffsetOf(const Position& position) const {
  if (position.line >= starts_.size()) return text_.size();
  const std::string_view line = Line(position.line);
  std::size_t at = 0;
  for (std::size_t units = 0; at < line.size();) {
    const Utf8Character next = DecodeUtf8(line.substr(at));
    const std::size_t wide = next.code_point >= kFirstPair ? 2 : 1;
    units += encoding_ == PositionEncoding::kUtf8 ? next.bytes : wide;
    if (units > position.character) break;
    at += next.bytes;
  }
  return starts_[position.line] + at;
}

Position TextDocument::PositionOf(std::size_t offset) const {
  offset = std::min(offset, text_.size());
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
  const auto line = static_cast<std::size_t>(after - starts_.begin()) - 1;
  const std::size_t begin = starts_[line];
  if (encoding_ == PositionEncoding::kUtf8) return {.line = line, .character = offset - begin};
  // One unit for the first byte of each character, two if it has four bytes; the
  // text came as JSON, which is valid UTF-8.
  std::size_t units = 0;
  for (const char c : std::string_view(text_).substr(begin, offset - begin)) {
    const auto byte = static_cast<unsigned char>(c);
    units += ((byte & 0xC0U) != 0x80U ? 1U : 0U) + (byte >= 0xF0U ? 1U : 0U);
  }
  return {.line = line, .character = units};
}

Json TextDocument::RangeAsJson(const ByteRange& range) const {
  const auto as_json = [](const Position& position) {
    return Json{{"line", position.line}, {"character", position.character}};
  };
  return {{"start", as_json(PositionOf(range.begin))}, {"end", as_json(PositionOf(range.end))}};
}

Result<Position> ReadPosition(const Json& json) {
  const std::optional<std::size_t> line = Natural(json, "line");
  const std::optional<std::size_t> character = Natural(json, "character");
  if (!line || !character) return Invalid("a position needs a line and a character");
  return Position{.line = *line, .character = *character};
}

Result<ByteRange> TextDocument::ReadRange(const Json& range) const {
  const Position start = SIBYL_TRY(ReadPosition(Member(range, "start")));
  const Position end = SIBYL_TRY(ReadPosition(Member(range, "end")));
  const ByteRange bytes{.begin = OffsetOf(start), .end = OffsetOf(end)};
  if (bytes.end < bytes.begin) return Invalid("a range ends before it starts");
  return bytes;
}

Status TextDocument::Apply(const Json& changes) {
  if (!changes.is_array()) return Invalid("contentChanges is not a list");
  if (changes.size() > kMaxChanges) return Invalid("too many changes in one message");
  for (const Json& change : changes) {
    const Json& text = Member(change, "text");
    if (!text.is_string()) return Invalid("a change has no text");
    const auto& bytes = text.get_ref<const std::string&>();
    const Json& range = Member(change, "range");
    if (range.is_null()) {
      text_ = bytes;
    } else {
      const ByteRange replaced = SIBYL_TRY(ReadRange(range));
      text_.replace(replaced.begin, replaced.end - replaced.begin, bytes);
    }
    if (text_.size() > kMaxDocumentBytes) {
      text_.clear();
      FindLines();
      return Invalid("the document is too large to be checked");
    }
    FindLines();
  }
  return {};
}

}  // namespace sibyl::interface::lsp
