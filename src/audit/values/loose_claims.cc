// SPDX-License-Identifier: Apache-2.0
#include "audit/values/loose_claims.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "audit/values/value_pieces.h"
#include "base/ascii.h"
#include "base/one_of.h"
#include "base/strings.h"
#include "statement/number.h"

namespace sibyl::audit {
namespace {

constexpr std::size_t kMostLoose = 100;

// "num_warmup_iters=11", in code font.
struct Assignment {
  std::string_view name;
  std::string_view value;
};

Assignment AssignmentIn(std::string_view code) {
  const std::size_t mark = code.find('=');
  if (mark == code.npos || mark + 1 >= code.size() || code[mark + 1] == '=') return {};
  const std::string_view name = code.substr(0, mark);
  const std::string_view value = code.substr(mark + 1);
  if (!IsValueName(name) || value.find_first_of(" =(") != value.npos) return {};
  return {name, value};
}

class LooseReader {
 public:
  explicit LooseReader(const statement::Statement& statement)
      : statement_(statement), pieces_(SplitPieces(statement)) {}

  std::vector<ValueClaim> Take() {
    ReadCell();
    const bool leads =
        pieces_.size() > 3 && pieces_[0].kind == Piece::Kind::kCode && Lower(1) == ":";
    for (std::size_t i = 0; i < pieces_.size() && claims_.size() < kMostLoose; ++i) {
      if (pieces_[i].kind == Piece::Kind::kCode) {
        ReadAssignment(i);
        ReadName(i, leads);
        continue;
      }
      if (!IsValue(i)) continue;
      ReadNameBehind(i);
      if (leads) ReadItem(i);
      ReadDefaultWords(i);
    }
    return std::move(claims_);
  }

 private:
  std::string Lower(std::size_t i) const { return LowerPiece(pieces_, i); }

  bool IsValue(std::size_t i) const {
    if (i >= pieces_.size()) return false;
    const Piece& piece = pieces_[i];
    if (piece.kind == Piece::Kind::kQuoted) return true;
    return piece.kind == Piece::Kind::kWord &&
           (IsNumberWord(piece.text) || IsSwitchWord(piece.text));
  }

  bool IsPlainWord(std::size_t i) const {
    if (i >= pieces_.size() || pieces_[i].kind != Piece::Kind::kWord) return false;
    const std::string_view word = pieces_[i].text;
    constexpr std::array<std::string_view, 20> kNot = {
        "and", "or",  "the",  "a",     "an",  "of",      "is",       "are", "to",   "by",
        "its", "own", "with", "after", "for", "default", "defaults", "at",  "that", "in"};
    return IsLower(word[0]) && std::ranges::all_of(word, IsLower) && !IsOneOf(word, kNot);
  }

  bool EndsAt(std::size_t i) const {
    constexpr std::array<std::string_view, 6> kEnds = {".", ",", ")", ";", "and", "or"};
    return i >= pieces_.size() || IsOneOf(Lower(i), kEnds);
  }

  // "`f` does `steps=11` by default", "`f` defaults to `mode="x"`", "after `steps=2000` good ones"
  void ReadAssignment(std::size_t i) {
    const Assignment read = AssignmentIn(pieces_[i].text);
    if (read.name.empty()) return;
    bool is_marked =
        Lower(i - 1) == "default" || (Lower(i - 1) == "to" && Lower(i - 2) == "defaults");
    for (std::size_t k = i + 1; k < pieces_.size() && k < i + 5; ++k) {
      is_marked = is_marked || Lower(k) == "default" || Lower(k) == "unless";
    }
    // "`x=True` is not compatible with …", "`x=True`: …" are about what one may choose.
    const bool is_switch = IsSwitchWord(read.value);
    const bool is_behind = i >= 3 && Lower(i - 1) == "(" && Lower(i - 2) == "default";
    if (!is_marked && !is_behind && IsChoice(i)) return;
    if (!is_marked && !is_behind && (i == 0 || is_switch || Lower(i + 1) == ":")) return;
    Add(std::string(read.name), std::string(read.value), pieces_[i].begin + read.name.size() + 1);
  }

  // "`x=1` indicates greedy search", "add `x=1` to the options": what one may choose. In other
  // scripts the words are not read.
  bool IsChoice(std::size_t i) const {
    constexpr std::array<std::string_view, 22> kBehind = {
        "indicates", "means",  "enables", "disables", "makes", "turns",  "selects", "implies",
        "gives",     "or",     "to",      "for",      "if",    "when",   "is",      "will",
        "can",       "should", "may",     "in",       "as",    "chooses"};
    constexpr std::array<std::string_view, 11> kBefore = {
        "add", "set", "use", "pass", "via", "using", "specify", "with", "or", "for", "by"};
    if (IsOneOf(Lower(i + 1), kBehind) || (i > 0 && IsOneOf(Lower(i - 1), kBefore))) return true;
    return std::ranges::any_of(statement_.text,
                               [](char c) { return static_cast<unsigned char>(c) >= 0xE3U; });
  }

  // "`x` is True", "`x` 1.0" in a list
  void ReadName(std::size_t i, bool in_list) {
    if (!IsValueName(pieces_[i].text) || i == 0) return;
    const bool is_start = Lower(i + 1) == "starts" && Lower(i + 2) == "at";
    const bool is_linked = is_start || Lower(i + 1) == "is" || Lower(i + 1) == "=";
    const std::size_t value = is_start ? i + 3 : is_linked ? i + 2 : i + 1;
    if (!IsValue(value) || !(is_linked || in_list)) return;
    if (EndsAt(value + 1)) Add(std::string(pieces_[i].text), value);
  }

  // "11 iterations (`num_warmup_iters`)"
  void ReadNameBehind(std::size_t value) {
    std::size_t at = value + 1;
    if (IsPlainWord(at) || HasUnit(value)) ++at;
    if (Lower(at) != "(" || at + 1 >= pieces_.size()) return;
    const Piece& name = pieces_[at + 1];
    if (name.kind != Piece::Kind::kCode || !IsValueName(name.text)) return;
    constexpr std::array<std::string_view, 3> kEnds = {")", ";", ","};
    if (IsOneOf(Lower(at + 2), kEnds)) Add(std::string(name.text), value);
  }

  // "`Adam`: eps 1e-6, weight decay 0.01"
  void ReadItem(std::size_t value) {
    if (!EndsAt(value + 1)) return;
    std::size_t first = value;
    while (first > 2 && value - first < 3 && IsPlainWord(first - 1)) --first;
    const std::string before = Lower(first - 1);
    if (first < value && (before == "," || before == ":" || before == "and"))
      AddWords(first, value, value);
  }

  // "dropout default is 0.1", "default margin 1", "defaults are …, 1000 steps for the growth
  // interval"
  void ReadDefaultWords(std::size_t value) {
    std::size_t at = value;
    while (at > 0 && (Lower(at - 1) == "is" || Lower(at - 1) == "of" || Lower(at - 1) == "to"))
      --at;
    if (at > 0 && (Lower(at - 1) == "default" || Lower(at - 1) == "defaults")) {
      AddBefore(at - 1, value);
      return;
    }
    std::size_t first = at;
    while (first > 0 && at - first < 3 && IsPlainWord(first - 1)) --first;
    if (first < at && first > 0 && Lower(first - 1) == "default") {
      AddWords(first, at, value);
      return;
    }
    if (!has_defaults_) return;
    std::size_t noun = value + 1;
    if (IsPlainWord(noun)) ++noun;
    if (Lower(noun) != "for" || Lower(noun + 1) != "the") return;
    std::size_t end = noun + 2;
    while (end < noun + 5 && IsPlainWord(end)) ++end;
    if (EndsAt(end)) AddWords(noun + 2, end, value);
  }

  void AddBefore(std::size_t end, std::size_t value) {
    std::size_t first = end;
    while (first > 0 && end - first < 3 && IsPlainWord(first - 1)) --first;
    AddWords(first, end, value);
  }

  // The words, and those without the first of them: "own attention dropout".
  void AddWords(std::size_t first, std::size_t end, std::size_t value) {
    for (; first < end; ++first) {
      std::string name;
      for (std::size_t i = first; i < end; ++i) {
        name += (name.empty() ? "" : "_") + std::string(pieces_[i].text);
      }
      if (name.size() > 2) Add(std::move(name), value);
    }
  }

  bool HasUnit(std::size_t value) const {
    return value + 1 < pieces_.size() && pieces_[value + 1].kind == Piece::Kind::kWord &&
           pieces_[value + 1].begin <= pieces_[value].end + 1 &&
           statement::UnitAt(statement_.text, pieces_[value + 1].begin).has_value();
  }

  void Add(std::string name, std::size_t value) {
    std::string text(pieces_[value].text);
    if (IsNumberWord(text) && HasUnit(value)) text += " " + std::string(pieces_[value + 1].text);
    Add(std::move(name), std::move(text), pieces_[value].begin);
  }

  void Add(std::string name, std::string value, std::size_t offset) {
    if (claims_.size() >= kMostLoose) return;
    claims_.push_back({.name = std::move(name),
                       .value = std::move(value),
                       .offset = offset,
                       .is_default = true,
                       .is_loose = true});
  }

  // "| `FusedLAMB` | 1e-3 |" below "lr"
  void ReadCell() {
    if (statement_.kind != statement::StatementKind::kCell || statement_.context.size() < 2) return;
    const std::string_view header = Trim(statement_.context[0]);
    const std::string_view owner = Trim(statement_.context[1]);
    const bool is_class =
        owner.size() > 4 && std::ranges::any_of(owner, IsUpper) &&
        std::ranges::all_of(owner, [](char c) { return IsNameByte(c) || c == '.'; });
    const bool is_name = header.size() > 1 && std::ranges::none_of(header, IsUpper) &&
                         std::ranges::all_of(header, IsNameByte) && !IsDigit(header[0]);
    if (!is_class || !is_name || pieces_.empty() || pieces_.size() > 2 || !IsValue(0)) return;
    Add(std::string(header), 0);
    claims_.back().owner = std::string(owner);
  }

  const statement::Statement& statement_;
  std::vector<Piece> pieces_;
  bool has_defaults_ = LowerCase(statement_.text).find("defaults are") != std::string::npos;
  std::vector<ValueClaim> claims_;
};

}  // namespace

std::vector<ValueClaim> ReadLooseClaims(const statement::Statement& statement) {
  return LooseReader(statement).Take();
}

}  // namespace sibyl::audit
