// SPDX-License-Identifier: Apache-2.0
#include "gate/own_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "base/utf8.h"
#include "injection/instruction.h"

namespace sibyl::gate {
namespace {

statement::Judgement At(const CitedFile& file, std::size_t line, std::string code) {
  return {.verdict = statement::Verdict::kAbsent,
          .code = std::move(code),
          .kind = "text",
          .place = {.file = file.name, .line = line, .column = 1}};
}

bool IsControl(char32_t c) {
  const bool is_c0 = c < 0x20 && c != '\t' && c != '\f';
  const bool is_c1 = c >= 0x7F && c < 0xA0;
  const bool is_direction = (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
  const bool is_tag = c >= 0xE0000 && c <= 0xE007F;
  return is_c0 || is_c1 || is_direction || is_tag;
}

// The part of a line that comes from a plan: a heading, the cells of a row, an
// open point. Empty for prose, which must be cited and is checked by that.
std::string WordsOfPlan(std::string_view line) {
  if (line.starts_with('#'))
    return std::string(Trim(line.substr(std::min(line.find_first_not_of('#'), line.size()))));
  constexpr std::string_view kPoint = "- *";
  if (line.starts_with(kPoint)) {
    line.remove_prefix(kPoint.size());
    return std::string(line.substr(0, line.find("*:")));
  }
  if (!line.starts_with('|')) return {};
  std::string cells(line);
  std::replace(cells.begin(), cells.end(), '|', ' ');
  return cells;
}

// Zero: there is none.
char32_t FirstControl(std::string_view line) {
  while (!line.empty()) {
    const Utf8Character character = DecodeUtf8(line);
    if (IsControl(character.code_point)) return character.code_point;
    line.remove_prefix(character.bytes);
  }
  return 0;
}

}  // namespace

std::vector<statement::Judgement> JudgeOwnText(const CitedFile& file) {
  std::vector<statement::Judgement> judgements;
  const std::vector<std::string_view> lines = SplitLines(file.text_view);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string words = WordsOfPlan(lines[i]);
    if (words.empty() || injection::FindInstructions(words).empty()) continue;
    statement::Judgement judgement = At(file, i + 1, "text/instruction");
    judgement.text = statement::Excerpt(lines[i]);
    judgement.message = "this reads as an instruction to a model that loads the page";
    judgement.reason =
        "it was recognised by its wording; it came from the plan or from the writer of the section";
    judgements.push_back(std::move(judgement));
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const char32_t control = FirstControl(lines[i]);
    if (control == 0) continue;
    statement::Judgement judgement = At(file, i + 1, "text/control");
    judgement.message = fmt::format("the line has the control character U+{:04X}",
                                    static_cast<std::uint32_t>(control));
    judgement.reason = "it could control the reader's terminal, or hide text from the reader";
    judgements.push_back(std::move(judgement));
  }
  return judgements;
}

}  // namespace sibyl::gate
