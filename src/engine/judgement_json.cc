// SPDX-License-Identifier: Apache-2.0
#include "engine/judgement_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/line_excerpt.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "base/work.h"
#include "verify/baseline.h"

namespace sibyl::engine {
namespace {

std::string HintOf(const verify::Judgement& judgement, Reasons reasons) {
  std::vector<std::string> parts;
  if (!judgement.nearest.empty() && !judgement.where.empty()) {
    parts.push_back(fmt::format("nearest: {}, {}", judgement.nearest, judgement.where));
  } else if (!judgement.nearest.empty()) {
    parts.push_back(fmt::format("nearest: {}", judgement.nearest));
  } else if (!judgement.where.empty()) {
    parts.push_back(judgement.where);
  }
  if (reasons == Reasons::kGiven && !judgement.reason.empty()) {
    parts.push_back(fmt::format("reason: {}", judgement.reason));
  }
  return Join(parts, "; ");
}

/// What is known of a line that is too long to be carried by each of its findings.
class LongLine {
 public:
  explicit LongLine(std::string_view line)
      : line_view_(line), key_(std::make_shared<const std::string>(verify::LineKey(line))) {
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

Finding FindingOf(const verify::Judgement& judgement, Reasons reasons) {
  Finding finding{.severity = judgement.Fails() ? Severity::kError : Severity::kNote,
                  .code = judgement.code,
                  .message = judgement.message,
                  .hint = HintOf(judgement, reasons),
                  .place = judgement.place,
                  .details = {{"verdict", std::string(verify::VerdictName(judgement.verdict))},
                              {"kind", judgement.kind},
                              {"text", judgement.text},
                              {"nearest", judgement.nearest},
                              {"where", judgement.where}}};
  if (reasons == Reasons::kGiven) finding.details.push_back({"reason", judgement.reason});
  if (judgement.character_column > 0) {
    finding.details.push_back({kCharacterColumn, fmt::format("{}", judgement.character_column)});
  }
  return finding;
}

Json CountsAsJson(const verify::VerdictCounts& counts) {
  return {{"supported", counts.supported},
          {"contradicted", counts.contradicted},
          {"absent", counts.absent},
          {"stale", counts.stale},
          {"undecidable", counts.undecidable}};
}

verify::VerdictCounts Sum(const verify::VerdictCounts& a, const verify::VerdictCounts& b) {
  return {.supported = a.supported + b.supported,
          .contradicted = a.contradicted + b.contradicted,
          .absent = a.absent + b.absent,
          .stale = a.stale + b.stale,
          .undecidable = a.undecidable + b.undecidable};
}

void AddLineTexts(std::string_view text, std::vector<verify::Judgement>& judgements) {
  if (judgements.empty()) return;
  const std::vector<std::string_view> lines = SplitLines(text);
  std::unordered_map<std::size_t, LongLine> long_lines;
  for (verify::Judgement& judgement : judgements) {
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

std::vector<Rule> GateRules() {
  return {
      {.code = "cite/missing", .meaning = "a factual sentence has no citation"},
      {.code = "cite/unresolved", .meaning = "a citation does not lead to the bytes it names"},
      {.code = "cite/stale", .meaning = "the source has moved on from what is cited"},
      {.code = "cite/instruction",
       .meaning = "a draft cites lines that contain a prompt injection"},
      {.code = "text/instruction",
       .meaning = "a draft has text that reads as an instruction to a model"},
      {.code = "text/control",
       .meaning = "a draft has a control character, or one that changes the direction of text"},
      {.code = "quote/mismatch", .meaning = "a quotation is not in the source it is taken from"},
      {.code = "ident/unknown", .meaning = "a name does not exist where it should"},
      {.code = "number/ungrounded", .meaning = "a number is not said of its subject by a source"},
      {.code = "code/broken", .meaning = "a block of code neither compiles nor parses"},
      {.code = "link/broken", .meaning = "a relative link leads nowhere"},
      {.code = "struct/stamp", .meaning = "the stamp says what is not so"},
      {.code = "struct/sources", .meaning = "the sources at the end are not what the text uses"},
      {.code = "struct/coverage", .meaning = "a section that should cover a point does not exist"},
      {.code = "struct/unread", .meaning = "a page could not be read"},
      {.code = "struct/sections", .meaning = "a planned section is missing"},
      {.code = "struct/budget", .meaning = "a section is longer than its budget"},
      {.code = "index/missing", .meaning = "an index page does not list a file"},
      {.code = "index/duplicate", .meaning = "an index page lists a file twice"},
      {.code = "index/dangling", .meaning = "an index page lists a file that does not exist"},
      {.code = "index/number", .meaning = "two files of a folder have one number"},
      {.code = "index/count", .meaning = "an index page counts wrongly"},
      {.code = "index/markers", .meaning = "the marks of a managed block do not match"},
  };
}

}  // namespace sibyl::engine
