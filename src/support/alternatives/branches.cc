// SPDX-License-Identifier: Apache-2.0
#include "support/alternatives/branches.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <tuple>

#include "base/ascii.h"
#include "base/one_of.h"
#include "base/strings.h"

namespace sibyl::support {
namespace {

constexpr std::size_t kMostBranches = 100;
// Of an alternative between directives; hostile lines open thousands and close none.
constexpr std::size_t kMostLines = 200;

struct Line {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t indent = 0;
  std::string_view text;  // trimmed
};

std::vector<Line> LinesOf(std::string_view text) {
  std::vector<Line> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    const std::size_t indent = std::min(line.find_first_not_of(" \t"), line.size());
    lines.push_back({.begin = begin, .end = end, .indent = indent, .text = Trim(line)});
    begin = end + 1;
  }
  return lines;
}

bool StartsWithWord(std::string_view text, std::string_view word) {
  return text.starts_with(word) && (text.size() == word.size() || !IsNameByte(text[word.size()]));
}

class BranchReader {
 public:
  explicit BranchReader(std::string_view text) : text_view_(text), lines_(LinesOf(text)) {}

  std::vector<Branch> Take() {
    for (std::size_t i = 0; i < lines_.size() && branches_.size() < kMostBranches; ++i) {
      const std::string_view line = lines_[i].text;
      ReadConditional(lines_[i]);
      if (line.starts_with("#if")) {
        ReadDirective(i);
      } else if (StartsWithWord(line, "if")) {
        ReadIf(i);
      }
    }
    return std::move(branches_);
  }

 private:
  // `c ? a : b` and `a if c else b`, in one line.
  void ReadConditional(const Line& line) {
    const std::string_view text = text_view_.substr(line.begin, line.end - line.begin);
    if (const std::size_t mark = text.find(" ? "); mark != std::string_view::npos) {
      const std::size_t colon = text.find(" : ", mark);
      if (colon == std::string_view::npos || text.find(" ? ", mark + 1) != std::string_view::npos) {
        return;
      }
      std::size_t begin = mark;
      for (; begin > 0; --begin) {
        const char c = text[begin - 1];
        if (c == ';' || c == ',' || c == '{') break;
        if (c == '=' && begin > 1 && IsBlank(text[begin - 2]) && begin < text.size() &&
            IsBlank(text[begin])) {
          break;
        }
      }
      const std::size_t end = std::min(text.find_first_of(";,", colon), text.size());
      Add({line.begin + begin, line.begin + mark}, {line.begin + mark + 3, line.begin + colon},
          {line.begin + colon + 3, line.begin + end});
      return;
    }
    const std::size_t other = text.find(" else ");
    if (other == std::string_view::npos) return;
    // The last one: "if x > (a if c else b):" begins with another.
    const std::size_t mark = text.rfind(" if ", other);
    if (mark == std::string_view::npos || Trim(text.substr(0, mark)).empty()) return;
    if (text.find(" else ", other + 1) != std::string_view::npos) return;
    const std::size_t begin = text.find_last_of("=(,", mark);
    const std::size_t from = begin == std::string_view::npos ? 0 : begin + 1;
    Add({line.begin + mark + 4, line.begin + other}, {line.begin + from, line.begin + mark},
        {line.begin + other + 6, line.end});
  }

  void ReadDirective(std::size_t first) {
    std::size_t depth = 0;
    std::size_t other = 0;
    const std::size_t end = std::min(lines_.size(), first + kMostLines);
    for (std::size_t i = first + 1; i < end; ++i) {
      std::string_view line = lines_[i].text;
      if (!line.starts_with('#')) continue;
      line = Trim(line.substr(1));
      if (line.starts_with("if")) ++depth;
      if (depth == 0 && line.starts_with("elif")) return;
      if (depth == 0 && StartsWithWord(line, "else")) other = i;
      if (!StartsWithWord(line, "endif")) continue;
      if (depth > 0) {
        --depth;
        continue;
      }
      if (other == 0) return;
      Add({lines_[first].begin, lines_[first].end}, {lines_[first].end, lines_[other].begin},
          {lines_[other].end, lines_[i].begin});
      return;
    }
  }

  static bool IsElse(std::string_view line) {
    if (line.starts_with('}')) line = Trim(line.substr(1));
    return StartsWithWord(line, "else") && line.find("if") == std::string_view::npos;
  }

  static bool IsElseIf(std::string_view line) {
    if (line.starts_with('}')) line = Trim(line.substr(1));
    return line.starts_with("elif") || line.starts_with("elseif") || line.starts_with("else if");
  }

  // The lines after `from` that are indented deeper than `indent`; the next one.
  std::size_t EndOfBlock(std::size_t from, std::size_t indent) const {
    std::size_t i = from;
    while (i < lines_.size() && (lines_[i].text.empty() || lines_[i].indent > indent)) ++i;
    return i;
  }

  void ReadIf(std::size_t first) {
    const std::size_t indent = lines_[first].indent;
    const std::size_t next = EndOfBlock(first + 1, indent);
    if (next >= lines_.size() || next == first + 1 || IsElseIf(lines_[next].text)) return;
    const Branch::Bytes condition = {lines_[first].begin, lines_[first].end};
    const Branch::Bytes then = {lines_[first].end, lines_[next].begin};
    std::size_t begin = next;
    if (IsElse(lines_[next].text)) {
      Add(condition, then, {lines_[next].end, EndOf(EndOfBlock(next + 1, indent))});
      return;
    }
    // "} \n else {"
    if (lines_[begin].text == "}" && begin + 1 < lines_.size()) ++begin;
    if (IsElseIf(lines_[begin].text)) return;
    if (IsElse(lines_[begin].text)) {
      Add(condition, then, {lines_[begin].end, EndOf(EndOfBlock(begin + 1, indent))});
      return;
    }
    // "if (c) { return a; } return b;"
    const std::string_view block = text_view_.substr(then.begin, then.end - then.begin);
    if (block.find("return") == std::string_view::npos) return;
    while (begin < lines_.size() && lines_[begin].text.empty()) ++begin;
    if (begin < lines_.size() && lines_[begin].indent == indent &&
        StartsWithWord(lines_[begin].text, "return")) {
      Add(condition, then, {lines_[begin].begin, lines_[begin].end});
    }
  }

  std::size_t EndOf(std::size_t line) const {
    return line < lines_.size() ? lines_[line].begin : text_view_.size();
  }

  void Add(Branch::Bytes condition, Branch::Bytes then, Branch::Bytes otherwise) {
    Branch branch = {.condition = condition, .then = then, .otherwise = otherwise};
    const std::string_view text =
        text_view_.substr(condition.begin, condition.end - condition.begin);
    const auto has = [&](std::string_view part) {
      return text.find(part) != std::string_view::npos;
    };
    const bool is_joined =
        has("&&") || has("||") || has(" and ") || has(" or ") || has(" AND ") || has(" OR ");
    branch.is_negated = has("!") || has("not ") || has("NOT ") || has("ifndef") ||
                        has("== nullptr") || has("== 0") || has("== false") || has("== False") ||
                        has("is None") || has("== None") || has("== nil") || has(" -z ");
    if (has("is not None") || has("!= nullptr") || has("!= nil") || has("!= 0")) {
      branch.is_negated = false;
    }
    branch.is_filled = !is_joined && has("!") && (has(".empty()") || has(".isEmpty()"));
    if (is_joined && branch.is_negated) return;
    if (const std::size_t quote = text.find("== \""); quote != std::string_view::npos) {
      const std::size_t end = std::min(text.find('"', quote + 4), text.size());
      branch.literal = {condition.begin + quote + 4, condition.begin + end};
    }
    // LIBKINETO_NOCUPTI, DISABLE_X: a name that denies what it names.
    if (has("_NO") || has("NO_") || has("no_") || has("DISABLE") || has("disable")) return;
    const bool is_more = has("> ") || has(">=") || has("GREATER") || has("-gt") || has("-ge");
    const bool is_less = has("< ") || has("<=") || has("LESS") || has("-lt") || has("-le");
    if (is_more != is_less) branch.direction = is_more ? 1 : -1;
    branches_.push_back(branch);
  }

  std::string_view text_view_;
  std::vector<Line> lines_;
  std::vector<Branch> branches_;
};

constexpr std::array<std::string_view, 9> kElse = {"otherwise", "else",      "elsewhere",
                                                   "other",     "others",    "rest",
                                                   "remaining", "elsewhere", "anything"};
constexpr std::array<std::string_view, 14> kNot = {
    "unset",   "undefined", "off",     "disabled", "false",   "absent", "unless",
    "outside", "cleared",   "omitted", "lacks",    "missing", "except", "excluding"};
constexpr std::array<std::string_view, 15> kMore = {
    "above", "larger", "greater", "more",   "later", "newer", "higher", "longer",
    "over",  "least",  "exceeds", "beyond", "up",    "on",    "bigger"};
constexpr std::array<std::string_view, 12> kLess = {"below", "smaller", "less",   "older",
                                                    "lower", "shorter", "under",  "most",
                                                    "fewer", "earlier", "before", "up"};

class BranchJudge {
 public:
  BranchJudge(const ReadStatement& read, const EvidenceText& evidence, const Branch& branch)
      : read_(read), branch_(branch) {
    in_condition_.resize(read.tokens.size());
    in_then_.resize(read.tokens.size());
    in_other_.resize(read.tokens.size());
    is_outside_.resize(read.tokens.size());
    for (std::size_t i = 0; i < read.tokens.size(); ++i) {
      for (const std::uint32_t position : read.grounds[i].positions) Place(i, evidence, position);
    }
    for (const Quantity& said : read.numbers) {
      const std::optional<std::size_t> token = read.TokenAt(said.begin);
      if (said.in_name || !token) continue;
      numbers_.push_back(*token);
      in_condition_[*token] = in_then_[*token] = in_other_[*token] = is_outside_[*token] = false;
      for (const Quantity& quantity : evidence.quantities()) {
        if (Compare(said, quantity, evidence.hints()) == QuantityFit::kSame) {
          PlaceByte(*token, quantity.begin);
        }
      }
    }
  }

  // 1: it fits, -1: it does not, 0: it is not about this.
  int Judge() {
    const std::size_t all = read_.tokens.size();
    const bool has_semicolon = read_.statement.text.find(';') != std::string::npos;
    // `16 if type == "xpu" else 68` says nothing about a statement without "xpu".
    if (branch_.literal.end > branch_.literal.begin && !has_literal_) return 0;
    int best = has_semicolon || SaysElse(0, all) || Contrasts() ? 0 : JudgeHalves(all);
    for (std::size_t i = 1; i < all; ++i) {
      if (!IsSplit(i, has_semicolon)) continue;
      const int fit = JudgeHalves(i);
      if (fit > 0) return 1;
      best = std::min(best, fit);
    }
    return best;
  }

  const std::string& what() const { return what_; }

 private:
  void Place(std::size_t token, const EvidenceText& evidence, std::uint32_t position) {
    const auto& tokens = evidence.tokens();
    const auto found =
        std::lower_bound(tokens.begin(), tokens.end(), position,
                         [](const Token& t, std::uint32_t at) { return t.position < at; });
    if (found == tokens.end()) return;
    // `E5M2` is not `E4M3`, although they share parts.
    const Token& said = read_.tokens[token];
    const bool is_same =
        said.parts.empty() || found->stem == said.stem ||
        WithoutMarks(found->lower) == WithoutMarks(said.lower) ||
        std::find(found->parts.begin(), found->parts.end(), said.stem) != found->parts.end();
    if (is_same) PlaceByte(token, found->begin);
  }

  // "…, while remote ones use …": two cases, of which each half has one.
  bool Contrasts() const {
    return std::any_of(read_.tokens.begin(), read_.tokens.end(), [](const Token& token) {
      return token.lower == "while" || token.lower == "whereas";
    });
  }

  void PlaceByte(std::size_t token, std::size_t byte) {
    has_literal_ = has_literal_ || branch_.literal.Contains(byte);
    if (branch_.condition.Contains(byte)) {
      in_condition_[token] = true;
    } else if (branch_.then.Contains(byte)) {
      in_then_[token] = true;
    } else if (branch_.otherwise.Contains(byte)) {
      in_other_[token] = true;
    } else {
      is_outside_[token] = true;
    }
  }

  bool IsSplit(std::size_t i, bool has_semicolon) const {
    constexpr std::array<std::string_view, 7> kWords = {"and",  "while",     "whereas", "but",
                                                        "else", "otherwise", "without"};
    const Token& token = read_.tokens[i];
    if (token.clause == read_.tokens[i - 1].clause) return false;
    const std::string_view between =
        std::string_view(read_.statement.text)
            .substr(read_.tokens[i - 1].end, token.begin - read_.tokens[i - 1].end);
    if (has_semicolon) return between.find(';') != std::string_view::npos;
    return IsOneOf(token.lower, kWords) || between.find_first_of(";,") != std::string_view::npos;
  }

  bool IsNumber(std::size_t i) const {
    return std::find(numbers_.begin(), numbers_.end(), i) != numbers_.end();
  }

  bool IsTelling(std::size_t i) const {
    const Token& token = read_.tokens[i];
    // Not the ending of `libcupti_static.a`.
    const bool is_code = token.in_code && token.end - token.begin > 1;
    return IsNumber(i) || is_code || token.kind == TokenKind::kName;
  }

  // Whether the condition holds in this half: 1, -1, or 0 if it does not say.
  int ConditionOf(std::size_t begin, std::size_t end) const {
    int sign = 0;
    for (std::size_t i = begin; i < end; ++i) {
      if (!in_condition_[i] || in_then_[i] || in_other_[i] || WeightOf(read_.tokens[i]) < 0.5) {
        continue;
      }
      if (IsShared(i, begin, end)) continue;
      if (branch_.is_filled && read_.tokens[i].lower == "empty") continue;  // of anything
      const int here = SignAt(i);
      if (here == 0 || (sign != 0 && sign != here)) return 0;
      sign = here;
    }
    return sign;
  }

  // Whether the other half has the word, too.
  bool IsShared(std::size_t i, std::size_t begin, std::size_t end) const {
    for (std::size_t j = 0; j < read_.tokens.size(); ++j) {
      if (j >= begin && j < end) continue;
      if (read_.tokens[j].stem == read_.tokens[i].stem) return true;
    }
    return false;
  }

  int SignAt(std::size_t i) const {
    int sign = branch_.is_negated ? -1 : 1;
    int direction = 0;
    // "while a capture is underway" for `!captures_underway.empty()`
    if (branch_.is_filled) sign = SaysEmpty(read_.tokens[i].clause) ? -1 : 1;
    for (std::size_t j = 0; j < read_.tokens.size(); ++j) {
      const Token& token = read_.tokens[j];
      if (token.clause != read_.tokens[i].clause) continue;
      const bool denies = token.is_negation && !token.in_code;  // `None` is a value
      if (denies || IsOneOf(token.lower, kNot)) sign = -sign;
      // "if `minor` is 0" for `minor ? 4 : 2`
      const bool is_zero = token.lower == "0" && j > 0 && read_.tokens[j - 1].lower == "is";
      if (is_zero && !in_condition_[j]) sign = -sign;
      if (IsOneOf(token.lower, kMore)) direction = 1;
      if (IsOneOf(token.lower, kLess)) direction = direction == 1 ? 2 : -1;
    }
    if (direction == 2) return 0;
    if (branch_.direction != 0 && direction != 0 && direction != branch_.direction) sign = -sign;
    if (branch_.direction != 0 && direction == 0) return 0;
    return sign;
  }

  bool SaysEmpty(std::uint32_t clause) const {
    return std::any_of(read_.tokens.begin(), read_.tokens.end(), [&](const Token& token) {
      return token.clause == clause && token.lower == "empty";
    });
  }

  bool SaysElse(std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i) {
      if (IsOneOf(read_.tokens[i].lower, kElse)) return true;
    }
    return false;
  }

  // The branch in which the names and numbers of this half are: 1 then, -1 else.
  int PlaceOf(std::size_t begin, std::size_t end, std::size_t& which) const {
    int place = 0;
    for (std::size_t i = begin; i < end; ++i) {
      if (!IsTelling(i) || is_outside_[i] || in_condition_[i] || in_then_[i] == in_other_[i]) {
        continue;
      }
      const int here = in_then_[i] ? 1 : -1;
      if (place != 0 && place != here) return 0;
      place = here;
      which = i;
    }
    return place;
  }

  int JudgeHalves(std::size_t split) {
    const std::size_t all = read_.tokens.size();
    int first = ConditionOf(0, split);
    int second = split < all ? ConditionOf(split, all) : 0;
    if (first != 0 && second == 0 && split < all && SaysElse(split, all)) second = -first;
    if (second != 0 && first == 0 && SaysElse(0, split)) first = -second;
    // "4000 on a CPU, 100 on other devices": both halves have words of the condition.
    if (first != 0 && first == second && split < all) {
      const bool first_is_else = SaysElse(0, split);
      if (first_is_else == SaysElse(split, all)) return 0;
      (first_is_else ? first : second) *= -1;
    }
    if (first != 0 && first == second) return 0;
    int fit = 0;
    std::size_t which = 0;
    for (const auto& [sign, begin, end] :
         {std::tuple(first, std::size_t{0}, split), std::tuple(second, split, all)}) {
      if (sign == 0 || begin == end) continue;
      const int place = PlaceOf(begin, end, which);
      if (place == 0) continue;
      if (place == sign) return 1;
      fit = -1;
      const Token& token = read_.tokens[which];
      what_ = read_.statement.text.substr(token.begin, token.end - token.begin);
    }
    return fit;
  }

  const ReadStatement& read_;
  const Branch& branch_;
  std::vector<bool> in_condition_;
  std::vector<bool> in_then_;
  std::vector<bool> in_other_;
  std::vector<bool> is_outside_;
  std::vector<std::size_t> numbers_;
  bool has_literal_ = false;  // of the condition
  std::string what_;
};

}  // namespace

std::vector<Branch> ReadBranches(std::string_view lines) { return BranchReader(lines).Take(); }

BranchFit CompareBranches(const ReadStatement& read, const EvidenceText& evidence,
                          const std::vector<Branch>& branches) {
  BranchFit result;
  for (const Branch& branch : branches) {
    BranchJudge judge(read, evidence, branch);
    const int fit = judge.Judge();
    if (fit < 0) return {.wrong = judge.what()};
    result.fits = result.fits || fit > 0;
  }
  return result;
}

}  // namespace sibyl::support
