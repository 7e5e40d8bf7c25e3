// SPDX-License-Identifier: Apache-2.0
// Collects the spots of one file, and what the spotters of all languages need.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "cards/spot.h"

namespace sibyl::cards {

class SpotSink {
 public:
  explicit SpotSink(const passages::LineTable& lines) : lines_(lines), text_(lines.whole()) {}

  const passages::LineTable& lines() const { return lines_; }
  std::string_view text() const { return text_; }
  std::size_t LineAt(std::size_t offset) { return line_ = lines_.LineAtFrom(line_, offset); }
  std::size_t OffsetOf(std::string_view part) const {
    return static_cast<std::size_t>(part.data() - text_.data());
  }

  struct Lines {
    std::size_t first = 0;  ///< From zero.
    std::size_t last = 0;   ///< Inclusive.
  };

  /// `name` and `value` are views into the text; `value` may be empty.
  void Add(CardKind kind, std::string_view name, std::string_view value, Lines unit) {
    if (name.empty() || spots_.size() >= kMaxCardsOfFile || lines_.count() == 0) return;
    value = Trim(value.substr(0, std::min(value.find('\n'), kMaxCardValueBytes)));
    const std::size_t last = std::min(unit.last, lines_.count() - 1);
    const std::size_t first = std::min(unit.first, last);
    CardSpot spot;
    spot.kind = kind;
    spot.name = static_cast<std::uint32_t>(OffsetOf(name));
    spot.name_bytes = static_cast<std::uint16_t>(std::min(name.size(), kMaxCardNameBytes));
    spot.value = value.empty() ? 0 : static_cast<std::uint32_t>(OffsetOf(value));
    spot.value_bytes = static_cast<std::uint16_t>(value.size());
    spot.first_line = static_cast<std::uint32_t>(first + 1);
    spot.last_line = static_cast<std::uint32_t>(last + 1);
    spots_.push_back(spot);
  }

  std::vector<CardSpot> Take() { return std::move(spots_); }

 private:
  const passages::LineTable& lines_;
  std::string_view text_;
  std::size_t line_ = 0;
  std::vector<CardSpot> spots_;
};

// The spotters; each adds what it knows.
void SpotC(const SpottedFile& file, SpotSink& sink);
void SpotPython(const SpottedFile& file, SpotSink& sink);
void SpotBraces(SpotSink& sink);  ///< Go, Rust, Java and the like, by their lines.
/// Markdown, reST and plain text, and reST in the lines [0, end) of other files.
void SpotMarkup(const SpottedFile& file, std::size_t end, SpotSink& sink);
void SpotManual(SpotSink& sink);  ///< Man pages.
void SpotCMake(const SpottedFile& file, SpotSink& sink);
void SpotDockerfile(SpotSink& sink);
void SpotEntries(std::string_view language, SpotSink& sink);  ///< YAML, TOML, INI, JSON.
/// Calls that define something: options, environment variables, metrics; and
/// names that have a special form: PTX instructions, metrics.
void SpotCalls(std::string_view language, SpotSink& sink);

}  // namespace sibyl::cards
