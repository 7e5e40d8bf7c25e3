// SPDX-License-Identifier: Apache-2.0
#include "gate/draft_markup.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "base/strings.h"
#include "base/utf8.h"
#include "evidence/footnote.h"
#include "injection/letters.h"
#include "statement/plain_character.h"

namespace sibyl::gate {
namespace {

using statement::StatementKind;

statement::Judgement MarkupAt(const CitedFile& file, std::size_t line, std::string code) {
  return {.verdict = statement::Verdict::kAbsent,
          .code = std::move(code),
          .kind = "text",
          .place = {.file = file.name, .line = std::max<std::size_t>(line, 1), .column = 1}};
}

bool IsPicture(char32_t c) {
  return (c >= 0x2190 && c <= 0x2BFF) || (c >= 0x1F000 && c <= 0x1FAFF) || c == 0xA9 || c == 0xAE ||
         c == 0xFE0F;
}

// Scripts that need joiners to be spelled.
bool IsJoining(char32_t c) {
  return (c >= 0x590 && c <= 0x8FF) || (c >= 0x900 && c <= 0x109F) ||
         (c >= 0x1780 && c <= 0x18AF) || (c >= 0xFB1D && c <= 0xFDFF) ||
         (c >= 0xFE70 && c <= 0xFEFC);
}

enum class Script { kNone, kLatin, kGreek, kCyrillic, kArmenian, kCherokee };

Script ScriptOf(char32_t c) {
  if (injection::IsLatinLetter(c) || (c >= 0xC0 && c <= 0x24F && c != 0xD7 && c != 0xF7)) {
    return Script::kLatin;
  }
  if (c >= 0x370 && c <= 0x3FF) return Script::kGreek;
  if (c >= 0x400 && c <= 0x52F) return Script::kCyrillic;
  if (c >= 0x531 && c <= 0x586) return Script::kArmenian;
  if (c >= 0x13A0 && c <= 0x13FF) return Script::kCherokee;
  return Script::kNone;
}

// Letters that formulas and units use next to Latin ones: µs, Δt, λx, Ω.
bool IsSymbol(char32_t c) {
  constexpr std::u32string_view kSymbols = U"μΔδΩωΣσΠπλθεαβγφψτηρΛΦΨΘΓ";
  return kSymbols.find(c) != std::u32string_view::npos;
}

struct LineReport {
  char32_t hidden = 0;
  bool is_struck = false;
  std::string mixed;  // a word
};

LineReport ReadLine(std::string_view line) {
  LineReport report;
  std::string word;
  Script script = Script::kNone;
  bool is_mixed = false;
  std::size_t letters = 0;
  std::size_t symbols = 0;
  char32_t before = 0;
  const auto end_word = [&] {
    // "µs" and "Δt" are units; a look-alike is inside a longer word.
    const bool is_unit = symbols > 0 && letters <= 3;
    if (is_mixed && !is_unit && report.mixed.empty()) report.mixed = word;
    word.clear();
    script = Script::kNone;
    is_mixed = false;
    letters = symbols = 0;
  };
  for (std::size_t at = 0; at < line.size();) {
    const Utf8Character character = DecodeUtf8(line.substr(at));
    const char32_t c = character.code_point;
    const std::size_t next_at = at + character.bytes;
    const char32_t next =
        next_at < line.size() ? DecodeUtf8(line.substr(next_at)).code_point : char32_t{0};
    if (statement::IsInvisible(c)) {
      const bool is_selector = c >= 0xFE00 && c <= 0xFE0F;
      const bool is_allowed = (is_selector && (IsPicture(before) || next == 0x20E3)) ||
                              (c == 0x200D && (IsPicture(next) || IsJoining(before))) ||
                              ((c == 0x200C || c == 0x200F || c == 0x200E) && IsJoining(before));
      if (!is_allowed && report.hidden == 0) report.hidden = c;
    }
    report.is_struck = report.is_struck || statement::IsStrikingMark(c);
    if (const Script here = ScriptOf(c); here != Script::kNone) {
      is_mixed = is_mixed || (script != Script::kNone && script != here);
      script = here;
      ++letters;
      symbols += IsSymbol(c) ? 1 : 0;
      word += line.substr(at, character.bytes);
    } else if (!statement::IsInvisible(c)) {
      end_word();
    }
    before = c;
    at = next_at;
  }
  end_word();
  return report;
}

class MarkupJudge {
 public:
  explicit MarkupJudge(const CitedFile& file) : file_(file) {}

  void Aside(const statement::Statement& aside) {
    const std::size_t line = aside.span.first_line;
    switch (aside.kind) {
      case StatementKind::kHtml:
        return Add(line, "text/html", aside.text, "raw HTML in a draft",
                   "readers show it in different ways; write Markdown");
      case StatementKind::kHtmlComment:
        return Add(line, "text/html", aside.text, "an HTML comment in a draft",
                   "readers do not see it, and models do; comments are reserved for sibyl");
      case StatementKind::kStruck:
        return Add(line, "text/struck", aside.text, "struck-out words in a draft",
                   "the line through them changes what the sentence says; delete them");
      case StatementKind::kFrontMatter:
        return Add(line, "text/hidden", aside.text, "front matter in a draft",
                   "some readers hide it");
      case StatementKind::kDefinition:
        return Add(line, "text/hidden", aside.text, "a link definition that no link uses",
                   "readers do not see it");
      case StatementKind::kNote:
        return Note(aside);
      default:
        return;
    }
  }

  // Quotations and code must equal their source byte for byte; that is checked.
  void Lines() {
    std::vector<bool> is_quoted(file_.statements.line_starts.size() + 2);
    for (const statement::Statement& statement : file_.statements.all) {
      if (statement.kind != StatementKind::kCode && statement.kind != StatementKind::kQuote) {
        continue;
      }
      for (std::size_t line = statement.span.first_line;
           line <= statement.span.last_line && line < is_quoted.size(); ++line) {
        is_quoted[line] = true;
      }
    }
    std::size_t number = 0;
    for (const std::string_view line : SplitLines(file_.text_view)) {
      ++number;
      if (number < is_quoted.size() && is_quoted[number]) continue;
      const LineReport report = ReadLine(line);
      if (report.hidden != 0) {
        Add(number, "text/hidden", line,
            fmt::format("the line has the invisible character U+{:04X}",
                        static_cast<std::uint32_t>(report.hidden)),
            "it could hide or split words and numbers");
      }
      if (report.is_struck) {
        Add(number, "text/struck", line, "the line has characters that are struck through",
            "the line through them changes what the sentence says; delete them");
      }
      if (!report.mixed.empty()) {
        Add(number, "text/script", report.mixed, "the word mixes letters of two alphabets",
            "letters that look alike could hide another word");
      }
    }
    Entities();
  }

  std::vector<statement::Judgement> Take() { return std::move(judgements_); }

 private:
  void Add(std::size_t line, std::string code, std::string_view text, std::string message,
           std::string reason) {
    statement::Judgement judgement = MarkupAt(file_, line, std::move(code));
    judgement.text = statement::Excerpt(text);
    judgement.message = std::move(message);
    judgement.reason = std::move(reason);
    judgements_.push_back(std::move(judgement));
  }

  // "&#8203;" is as invisible as the character, and "&#1086;" looks alike.
  void Entities() {
    for (const statement::Statement& statement : file_.statements.all) {
      if (statement.kind == StatementKind::kCode || statement.kind == StatementKind::kQuote)
        continue;
      const std::size_t begin = std::min(statement.span.begin, file_.text_view.size());
      const std::string_view written =
          file_.text_view.substr(begin, std::max(statement.span.end, begin) - begin);
      for (std::size_t at = written.find('&'); at != written.npos; at = written.find('&', at + 1)) {
        const std::optional<char32_t> c = EntityAt(written.substr(at));
        if (!c) continue;
        const bool is_look_alike =
            ScriptOf(*c) != Script::kNone && ScriptOf(*c) != Script::kLatin && !IsSymbol(*c);
        if (!statement::IsInvisible(*c) && !is_look_alike && !statement::IsStrikingMark(*c))
          continue;
        Add(statement.span.first_line, is_look_alike ? "text/script" : "text/hidden",
            written.substr(at, 12),
            fmt::format("an entity for U+{:04X}", static_cast<std::uint32_t>(*c)),
            "it could hide or split words and numbers");
        break;
      }
    }
  }

  static std::optional<char32_t> EntityAt(std::string_view text) {
    constexpr std::size_t kLongest = 34;
    const std::size_t end = text.substr(0, kLongest).find(';');
    if (end == text.npos || end < 3) return std::nullopt;
    for (const std::string_view name :
         {"&shy;", "&zwj;", "&zwnj;", "&ZeroWidthSpace;", "&NoBreak;", "&lrm;", "&rlm;"}) {
      if (text.starts_with(name)) return char32_t{0x200B};
    }
    if (text[1] != '#') return std::nullopt;
    const bool is_hex = text[2] == 'x' || text[2] == 'X';
    const std::string digits(text.substr(is_hex ? 3 : 2, end - (is_hex ? 3 : 2)));
    constexpr std::size_t kMostDigits = 7;
    if (digits.empty() || digits.size() > kMostDigits ||
        digits.find_first_not_of(is_hex ? "0123456789abcdefABCDEF" : "0123456789") != digits.npos) {
      return std::nullopt;
    }
    return static_cast<char32_t>(std::stoul(digits, nullptr, is_hex ? 16 : 10));
  }

  // A definition is one line. Its words beside the citation are compared with the
  // cited lines (unmarked.h).
  void Note(const statement::Statement& note) {
    const auto found = file_.receipts.find(note.citations.front());
    if (found == file_.receipts.end()) return;
    const Receipt& receipt = found->second;
    const bool is_first = note.span.first_line == receipt.line;
    if (!is_first) {
      return Add(note.span.first_line, "text/hidden", note.text,
                 "more than one paragraph in a footnote definition",
                 "a definition is one line with a citation");
    }
    if (note.citations.size() > 1) {
      Add(note.span.first_line, "text/hidden", note.text, "a footnote inside a footnote",
          "a definition is one line with a citation");
    }
  }

  const CitedFile& file_;
  std::vector<statement::Judgement> judgements_;
};

}  // namespace

std::vector<statement::Judgement> JudgeDraftMarkup(const CitedFile& file) {
  MarkupJudge judge(file);
  for (const statement::Statement& aside : file.statements.asides) judge.Aside(aside);
  judge.Lines();
  return judge.Take();
}

}  // namespace sibyl::gate
