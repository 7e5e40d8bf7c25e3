// SPDX-License-Identifier: Apache-2.0
// A document as the client has it, and its positions: lines and columns from
// zero, columns in UTF-16 units or in bytes, as was agreed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace sibyl::interface::lsp {

enum class PositionEncoding : std::uint8_t { kUtf8, kUtf16 };

struct Position {
  std::size_t line = 0;
  std::size_t character = 0;

  bool operator==(const Position&) const = default;
};

struct ByteRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

inline constexpr std::size_t kMaxDocumentBytes = std::size_t{4} << 20;
inline constexpr std::size_t kMaxChanges = 10'000;  ///< In one message.

/// Lines end with LF, CR LF or CR, as the protocol has it.
class TextDocument {
 public:
  explicit TextDocument(std::string text = {},
                        PositionEncoding encoding = PositionEncoding::kUtf16);

  const std::string& text() const { return text_; }

  /// A position beyond the end of its line is that end; inside a character its start.
  std::size_t OffsetOf(const Position& position) const;
  Position PositionOf(std::size_t offset) const;

  /// The bytes of a line, without its end; empty beyond the last.
  std::string_view Line(std::size_t line) const;

  /// The member contentChanges of didChange. After an error the text is not that of
  /// the client any more.
  Status Apply(const Json& changes);

  /// {"start": …, "end": …}
  Json RangeAsJson(const ByteRange& range) const;
  /// Fails if it is not a range, or ends before it starts.
  Result<ByteRange> ReadRange(const Json& range) const;

 private:
  void FindLines();
  std::size_t LineEnd(std::size_t line) const;

  std::string text_;
  PositionEncoding encoding_;
  std::vector<std::size_t> starts_;
};

/// Fails if the members are not natural numbers.
Result<Position> ReadPosition(const Json& json);

}  // namespace sibyl::interface::lsp
