// SPDX-License-Identifier: Apache-2.0
#include "engine/judgement_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>

#include "audit/baseline.h"
#include "base/line_excerpt.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "base/work.h"

namespace sibyl::engine {
namespace {

/// Data about a line that is too long to be included in each of its findings.
class LongLine {
 public:
  explicit LongLine(std::string_view line)
      : line_view_(line), key_(std::make_shared<const std::string>(audit::LineKey(line))) {
    std::size_t characters = 0;
    for (std::size_t at = 0; at < line.size(); ++characters) {
      if (at >= marks_.size() * kStep) marks_.push_back({.byte = at, .characters = characters});
      at += DecodeUtf8(line.substr(at)).bytes;
    }
    Work::Add(line.size());
  }

  const std::shared_ptr<const std::string>& key() const { return key_; }

  /// How many characters begin before the byte.
  std::size_t CharactersBefore(std::size_t byte) const {
    std::size_t number = std::min(byte / kStep, marks_.size() - 1);
    if (marks_[number].byte > byte) --number;  // a character lies across the step
    std::size_t characters = marks_[number].characters;
    for (std::size_t at = marks_[number].byte; at < byte && at < line_view_.size(); ++characters) {
      at += DecodeUtf8(line_view_.substr(at)).bytes;
      Work::Add(1);
    }
    return characters;
  }

 private:
  static constexpr std::size_t kStep = 256;
  struct Mark {
    std::size_t byte = 0;  // where the first character at or after the step begins
    std::size_t characters = 0;
  };

  std::string_view line_view_;  // of the file that is shown
  // Also owned by the judgements about the line.
  std::shared_ptr<const std::string> key_;
  std::vector<Mark> marks_;
};

}  // namespace

Json CountsAsJson(const statement::VerdictCounts& counts) {
  return {{"supported", counts.supported},
          {"contradicted", counts.contradicted},
          {"absent", counts.absent},
          {"stale", counts.stale},
          {"undecidable", counts.undecidable}};
}

void AddLineTexts(std::string_view text, std::vector<statement::Judgement>& judgements) {
  if (judgements.empty()) return;
  const std::vector<std::string_view> lines = SplitLines(text);
  std::unordered_map<std::size_t, LongLine> long_lines;
  for (statement::Judgement& judgement : judgements) {
    Place& place = judgement.place;
    if (place.line < 1 || place.line > lines.size()) continue;
    const std::string_view line = lines[place.line - 1];
    place.column = std::min(place.column, line.size() + 1);
    place.text = LineExcerpt(line, place.column);
    Work::Add(place.text.size());
    if (line.size() <= kWholeLineBytes) continue;
    const LongLine& known = long_lines.try_emplace(place.line, line).first->second;
    judgement.long_line = known.key();
    if (place.column == 0) continue;
    const std::size_t column = known.CharactersBefore(place.column - 1) + 1;
    judgement.character_column = column == place.column ? 0 : column;
  }
}

}  // namespace sibyl::engine
