// SPDX-License-Identifier: Apache-2.0
#include "gate/structure.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "base/strings.h"
#include "evidence/footnote.h"
#include "evidence/origins/permalink.h"
#include "gate/uncited.h"

namespace sibyl::gate {
namespace {

std::optional<std::size_t> NumberAtEnd(std::string_view& text) {
  std::size_t begin = text.size();
  while (begin > 0 && text[begin - 1] >= '0' && text[begin - 1] <= '9') --begin;
  constexpr std::size_t kMostDigits = 9;
  if (begin == text.size() || text.size() - begin > kMostDigits) return std::nullopt;
  const std::size_t number = std::stoul(std::string(text.substr(begin)));
  text = text.substr(0, begin);
  return number;
}

bool IsDotOrDigit(char c) { return c == '.' || (c >= '0' && c <= '9'); }

// "1.2" of "1.2 Header-only detection"; empty when it has no number.
std::string_view SectionNumber(std::string_view heading) {
  std::size_t end = 0;
  while (end < heading.size() && IsDotOrDigit(heading[end])) ++end;
  std::string_view number = heading.substr(0, end);
  while (number.ends_with('.')) number.remove_suffix(1);
  return number;
}

std::string PlainTitle(std::string_view heading) {
  std::size_t begin = 0;
  while (begin < heading.size() && (IsDotOrDigit(heading[begin]) || heading[begin] == ' ')) ++begin;
  // A title that is only a number is its own.
  return LowerCase(Trim(begin == heading.size() ? heading : heading.substr(begin)));
}

bool IsNotFound(std::string_view text) {
  text = Trim(text);
  return text.empty() || text == "-" || text == "–" || text == "—" ||
         StartsWithIgnoringCase(text, "not found") || StartsWithIgnoringCase(text, "open");
}

class FormJudge {
 public:
  explicit FormJudge(const CitedFile& file) : file_(file) {}

  void Add(std::string_view code, std::size_t line, std::string text, std::string message) {
    judgements_.push_back({.verdict = statement::Verdict::kContradicted,
                           .code = std::string(code),
                           .kind = "form",
                           .text = std::move(text),
                           .message = std::move(message),
                           .place = {.file = file_.name, .line = line, .column = 1}});
  }

  void Stamp(const statement::Statement& stamp) {
    const std::size_t line = stamp.span.first_line;
    std::size_t used = 0;
    std::size_t resolved = 0;
    std::size_t unknown = 0;
    std::set<std::string> pins;
    for (const auto& [label, receipt] : file_.receipts) {
      if (receipt.uses == 0) continue;
      ++used;
      const Resolution::State state = receipt.resolution.state;
      const bool is_known = receipt.source() != nullptr && state != Resolution::State::kNoStore;
      resolved += receipt.Resolves() ? 1 : 0;
      unknown += !is_known && !receipt.Resolves() && receipt.citation ? 1 : 0;
      if (receipt.resolution.ok() &&
          receipt.source()->anchor != evidence::SourceCitation::Anchor::kNone) {
        pins.insert(receipt.resolution.pin->name + "@" +
                    receipt.source()->anchor_id.Hex().substr(0, 7));
      }
    }
    if (const auto count = ReadStampCount(stamp.text, "citations")) {
      if (count->whole != used) {
        Add("struct/stamp", line, fmt::format("{} of {} citations", count->part, count->whole),
            fmt::format("the stamp counts {}, the text uses {}", Count(count->whole, "citation"),
                        used));
      } else if (count->part > resolved + unknown) {
        Add("struct/stamp", line, fmt::format("{} of {} citations", count->part, count->whole),
            fmt::format("the stamp says that {} hold, but {} do", count->part, resolved));
      }
    }
    for (const std::string& pin : pins) {
      if (stamp.text.find('@') == std::string::npos || stamp.text.find(pin) != std::string::npos) {
        continue;
      }
      Add("struct/stamp", line, pin, fmt::format("the text cites {}, the stamp does not", pin));
    }
  }

  // The table of planned points, and the stamp's count of them.
  void Coverage(const statement::Statement* stamp) {
    std::set<std::string, std::less<>> numbers;
    for (const statement::SectionHeading& heading : file_.statements.headings) {
      numbers.emplace(SectionNumber(heading.text));
    }
    std::size_t points = 0;
    std::size_t covered = 0;
    for (const statement::Statement& cell : file_.statements.all) {
      if (cell.kind != statement::StatementKind::kCell || cell.context.empty()) continue;
      if (LowerCase(Trim(cell.context[0])) != "covered by") continue;
      ++points;
      if (IsNotFound(cell.text)) continue;
      ++covered;
      const std::string_view number = SectionNumber(Trim(cell.text));
      if (number.empty() || numbers.contains(number)) continue;
      Add("struct/coverage", cell.span.first_line, std::string(number),
          fmt::format("the table says that section {} covers a point; there is no such section",
                      number));
    }
    if (points > 0) Points(stamp, {.part = covered, .whole = points}, "the table of points");
  }

  void Points(const statement::Statement* stamp, const StampCount& counted,
              std::string_view whose) {
    if (stamp == nullptr) return;
    const auto said = ReadStampCount(stamp->text, "points");
    if (!said) return;
    const auto [part, whole] = *said;
    if (part == counted.part && whole == counted.whole) return;
    Add("struct/stamp", stamp->span.first_line, fmt::format("{} of {} points", part, whole),
        fmt::format("{} has {} of {} covered", whose, counted.part, counted.whole));
  }

  void Sources() {
    std::map<std::string_view, std::size_t> defined;
    const std::vector<std::string_view> lines = SplitLines(file_.text_view);
    const std::vector<bool> is_code = CodeLines(lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const auto id = evidence::FootnoteId(lines[i]);
      if (!id || is_code[i + 1]) continue;
      Link(lines[i], i + 1, *id);
      const auto [at, is_new] = defined.try_emplace(*id, i + 1);
      if (is_new) continue;
      Add("struct/sources", i + 1, fmt::format("[^{}]", *id),
          fmt::format("[^{}] is defined twice; also on line {}", *id, at->second));
    }
    for (const auto& [label, receipt] : file_.receipts) {
      if (receipt.uses > 0) continue;
      Add("struct/sources", receipt.line, fmt::format("[^{}]", label),
          fmt::format("[^{}] is defined but never used", label));
    }
    const auto& headings = file_.statements.headings;
    const bool has_section = std::any_of(headings.begin(), headings.end(), [](const auto& heading) {
      return PlainTitle(heading.text) == "sources";
    });
    if (!has_section && !file_.receipts.empty()) {
      Add("struct/sources", file_.receipts.begin()->second.line, "## Sources",
          "the definitions are not under a heading 'Sources'");
    }
  }

  // A reader follows the link, the program the citation: they must agree.
  void Link(std::string_view line, std::size_t number, std::string_view id) {
    const Result<evidence::Footnote> note = evidence::ParseFootnote(line);
    if (!note.ok()) return;
    const std::size_t comment = line.rfind("<!--");
    const std::size_t open = line.substr(0, comment).rfind("](");
    if (open == std::string_view::npos) return;
    const std::size_t end = line.find(')', open);
    const std::string_view link = line.substr(open + 2, end - open - 2);
    std::string expected;
    if (const auto* source = std::get_if<evidence::SourceCitation>(&note->citation)) {
      expected = evidence::Permalink(*source);
    } else if (const auto* page = std::get_if<evidence::WebCitation>(&note->citation)) {
      if (link.starts_with(page->url)) return;
      expected = page->url;
    } else {
      return;
    }
    if (link.find("://") == std::string_view::npos || link.starts_with(expected)) return;
    Add("struct/sources", number, std::string(link),
        expected.empty()
            ? fmt::format("[^{}] cites a source that is not on the web", id)
            : fmt::format("[^{}] cites {}, but its link leads elsewhere", id, expected));
  }

  // Lines from the heading to the next of its level or above.
  std::size_t LinesOf(std::size_t index, std::size_t last_line) const {
    const auto& headings = file_.statements.headings;
    for (std::size_t i = index + 1; i < headings.size(); ++i) {
      if (headings[i].level <= headings[index].level) {
        return headings[i].line - headings[index].line;
      }
    }
    return last_line + 1 - headings[index].line;
  }

  std::vector<statement::Judgement> Take() { return std::move(judgements_); }

 private:
  // For each line, from one, whether it is in a block of code.
  std::vector<bool> CodeLines(std::size_t lines) const {
    std::vector<bool> is_code(lines + 1);
    for (const statement::Statement& statement : file_.statements.all) {
      if (statement.kind != statement::StatementKind::kCode) continue;
      const std::size_t last = std::min(statement.span.last_line, lines);
      for (std::size_t line = statement.span.first_line; line <= last; ++line) is_code[line] = true;
    }
    return is_code;
  }

  const CitedFile& file_;
  std::vector<statement::Judgement> judgements_;
};

// A tenth more than planned is still kept.
bool IsOver(std::size_t lines, std::size_t budget) { return lines * 10 > budget * 11; }

// The heading of a planned section: the same words, whatever its number.
std::size_t FindHeading(const statement::Statements& statements, std::string_view title) {
  const std::string wanted = PlainTitle(title);
  for (std::size_t i = 1; i < statements.headings.size(); ++i) {
    if (PlainTitle(statements.headings[i].text) == wanted) return i;
  }
  return 0;
}

}  // namespace

std::optional<StampCount> ReadStampCount(std::string_view stamp, std::string_view what) {
  for (std::size_t at = stamp.find(what); at != std::string_view::npos;
       at = stamp.find(what, at + 1)) {
    std::string_view before = stamp.substr(0, at);
    if (!before.ends_with(' ')) continue;
    before.remove_suffix(1);
    const auto whole = NumberAtEnd(before);
    if (!whole || !before.ends_with(" of ")) continue;
    before.remove_suffix(4);
    if (const auto part = NumberAtEnd(before)) return StampCount{.part = *part, .whole = *whole};
  }
  return std::nullopt;
}

const statement::Statement* FindStamp(const statement::Statements& statements) {
  for (std::size_t i = 0; i < statements.all.size(); ++i) {
    if (ExemptionOf(statements, i) == Exemption::kStamp) return &statements.all[i];
  }
  return nullptr;
}

std::vector<statement::Judgement> JudgeStructure(const CitedFile& file) {
  FormJudge judge(file);
  const statement::Statement* stamp = FindStamp(file.statements);
  if (stamp != nullptr) judge.Stamp(*stamp);
  judge.Coverage(stamp);
  judge.Sources();
  return judge.Take();
}

std::vector<statement::Judgement> JudgeDraft(const CitedFile& file, const draft::Draft& draft) {
  FormJudge judge(file);
  const statement::Statements& statements = file.statements;
  // The sources at the end are receipts, not prose: no budget counts them.
  std::size_t last_line = SplitLines(file.text_view).size();
  if (const std::size_t sources = FindHeading(statements, "sources"); sources != 0) {
    last_line = statements.headings[sources].line - 1;
  }
  if (draft.line_budget && IsOver(last_line, *draft.line_budget)) {
    judge.Add("struct/budget", 1, draft.title,
              fmt::format("the file has {} lines before its sources; {} were planned", last_line,
                          *draft.line_budget));
  }
  for (const draft::DraftSection& section : draft.sections) {
    const std::size_t heading = FindHeading(statements, section.title);
    if (heading == 0) {
      judge.Add("struct/sections", 1, section.title,
                fmt::format("there is no section '{}'", section.title));
      continue;
    }
    const std::size_t lines = judge.LinesOf(heading, last_line);
    if (section.line_budget && IsOver(lines, *section.line_budget)) {
      judge.Add("struct/budget", statements.headings[heading].line, section.title,
                fmt::format("section '{}' has {} lines; {} were planned", section.title, lines,
                            *section.line_budget));
    }
  }
  judge.Points(FindStamp(statements),
               {.part = draft::CoveredCount(draft), .whole = draft::PointCount(draft)},
               "the draft");
  return judge.Take();
}

}  // namespace sibyl::gate
