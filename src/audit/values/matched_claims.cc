// SPDX-License-Identifier: Apache-2.0
#include "audit/values/matched_claims.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "audit/values/definitions.h"
#include "audit/values/value_pieces.h"
#include "base/ascii.h"
#include "base/one_of.h"
#include "base/strings.h"
#include "base/work.h"
#include "statement/number.h"

namespace sibyl::audit {
namespace {

constexpr std::size_t kMostMatched = 50;
constexpr std::size_t kLeft = 8;
constexpr std::size_t kRight = 5;

// "epochs", "annealing" -> "epoch", "anneal"
std::string_view StemOf(std::string_view word) {
  constexpr std::size_t kShortest = 3;
  for (const std::string_view ending : {"ings", "ing", "ed", "es", "s"}) {
    if (word.ends_with(ending) && word.size() >= ending.size() + kShortest) {
      return word.substr(0, word.size() - ending.size());
    }
  }
  return word;
}

// "iters" and "iterations", "seq" and "sequence", "warmup" and "warm-ups"
bool IsPartIn(std::string_view part, std::string_view word) {
  constexpr std::size_t kLongWord = 5;
  const std::string_view a = StemOf(part);
  const std::string_view b = StemOf(word);
  if (a == b) return true;
  // "nhead"
  if (a.size() > 4 && a[0] == 'n' && a.substr(1) == b) return true;
  if (a.size() >= 3 && b.size() >= kLongWord && b.starts_with(a)) return true;
  return b.size() >= kLongWord && a.starts_with(b);
}

// "lr" for "learning rate"; the words on the left of a value come last first.
bool AreInitials(std::string_view part, const std::vector<std::string>& words) {
  if (part.size() != 2) return false;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const std::string& a = words[i + 1];
    const std::string& b = words[i];
    if (a.size() > 3 && b.size() > 3 && a[0] == part[0] && b[0] == part[1]) return true;
  }
  return false;
}

// Words that turn a value into a limit, a share or a version.
bool IsLimit(std::string_view lower) {
  constexpr std::array<std::string_view, 40> kWords = {
      "about",     "roughly",   "around",  "approximately", "least",  "most",    "more",
      "less",      "than",      "up",      "minimum",       "min",    "maximum", "multiple",
      "multiples", "divisible", "times",   "between",       "from",   "until",   "version",
      "versions",  "since",     "newer",   "later",         "line",   "lines",   "not",
      "never",     "no",        "under",   "above",         "below",  "nearly",  "almost",
      "faster",    "slower",    "percent", "typically",     "usually"};
  return IsOneOf(lower, kWords);
}

// What follows is about something else.
bool IsNextClause(std::string_view lower) {
  constexpr std::array<std::string_view, 18> kWords = {
      "and",   "once",   "when", "if",  "with", "after",   "before", "per",  "while",
      "where", "unless", "for",  "but", "so",   "because", "on",     "that", "which"};
  return IsOneOf(lower, kWords);
}

bool IsDefaultWord(std::string_view lower) {
  constexpr std::array<std::string_view, 10> kWords = {
      "default",   "defaults", "unless",  "initial", "initially",
      "otherwise", "leave",    "omitted", "unset",   "falls"};
  return IsOneOf(lower, kWords);
}

// Between a name and its value.
bool IsPlainLink(std::string_view lower) {
  constexpr std::array<std::string_view, 37> kWords = {
      "is",      "are",   "has",    "=",       "of",     "to",    "at",     "the",
      "a",       "value", "number", "numeric", "both",   "all",   "each",   "being",
      "set",     "by",    "which",  "it",      ":",      "(",     "was",    "becomes",
      "stays",   "as",    "here",   "code",    "equals", "there", "starts", "still",
      "remains", "falls", "back",   "that",    "default"};
  return IsOneOf(lower, kWords);
}

std::vector<std::string> PartsOf(std::string_view setting) {
  std::vector<std::string> parts;
  std::string part;
  for (const char c : LowerCase(setting) + "_") {
    if (c != '_' && c != '-') {
      part += c;
      continue;
    }
    if (!part.empty()) parts.push_back(std::move(part));
    part.clear();
  }
  return parts;
}

// Not said with a number: "16 heads" for num_heads.
bool IsImplied(std::string_view part) {
  constexpr std::array<std::string_view, 4> kImplied = {"num", "n", "number", "size"};
  return IsOneOf(part, kImplied);
}

bool HasImplied(std::string_view setting) {
  const std::vector<std::string> parts = PartsOf(setting);
  return parts.size() < 2 || std::ranges::any_of(parts, IsImplied);
}

class ClaimMatcher {
 public:
  ClaimMatcher(const statement::Statement& statement, const std::vector<SettingOwner>& owners)
      : statement_(statement), owners_(owners), pieces_(SplitPieces(statement)) {
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      has_default_ = has_default_ || IsDefaultWord(LowerPiece(pieces_, i));
    }
  }

  bool HasValue() const {
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      if (IsValueAt(i)) return true;
    }
    return false;
  }

  std::vector<ValueClaim> Take() {
    for (std::size_t i = 0; i < pieces_.size() && claims_.size() < kMostMatched; ++i) {
      if (IsValueAt(i)) Match(i);
    }
    return std::move(claims_);
  }

 private:
  std::string Lower(std::size_t i) const { return LowerPiece(pieces_, i); }

  bool IsValueAt(std::size_t i) const {
    const Piece& piece = pieces_[i];
    if (piece.kind == Piece::Kind::kQuoted) return piece.text.size() > 3;
    if (piece.kind == Piece::Kind::kCode) return IsCodeValue(i);
    if (piece.kind != Piece::Kind::kWord) return false;
    if (IsPlainNumber(piece.text)) return true;
    // "the tolerance on the gradient"
    constexpr std::array<std::string_view, 6> kVerbs = {"is", "are", "=", "to", "stays", "which"};
    const bool is_plain = IsLower(piece.text[0]);
    return IsSwitchWord(piece.text) && (!is_plain || (i > 0 && IsOneOf(Lower(i - 1), kVerbs)));
  }

  // "`x` is `"max"`", "`x` is `Format.E4M3`", "`x` `0.5`": in code font behind a name.
  bool IsCodeValue(std::size_t i) const {
    const std::string_view text = pieces_[i].text;
    if (i == 0 || text.size() < 2) return false;
    const bool is_behind_name = pieces_[i - 1].kind == Piece::Kind::kCode;
    const std::string link = Lower(i - 1);
    const bool is_linked = link == "is" || link == "=" || link == "to" || link == "with";
    const bool is_quoted = (text[0] == '"' || text[0] == '\'') && text.back() == text[0];
    if (is_quoted) return is_behind_name || is_linked;
    if (IsSwitchWord(text) || IsPlainNumber(text)) return is_behind_name || link == "is";
    const std::size_t point = text.find('.');
    const bool is_enumerator =
        point != text.npos && IsUpper(text[0]) && point + 1 < text.size() &&
        IsUpper(text[point + 1]) &&
        std::ranges::all_of(text, [](char c) { return IsNameByte(c) || c == '.'; });
    return is_enumerator && link == "is";
  }

  // "six layers": not read as a value, but the words belong to it.
  bool IsCount(std::size_t i) const {
    constexpr std::array<std::string_view, 12> kCounts = {"one",  "two", "three",  "four",
                                                          "five", "six", "seven",  "eight",
                                                          "nine", "ten", "eleven", "twelve"};
    return IsNumberWord(pieces_[i].text) || IsOneOf(Lower(i), kCounts);
  }

  // "1e-5", "1-norm"; not "3.20.1", "16x16" or "8-16".
  static bool IsPlainNumber(std::string_view text) {
    if (!IsNumberWord(text) || std::ranges::count(text, '.') > 1) return false;
    text = NumberOf(text);
    return std::ranges::none_of(text, [](char c) { return IsLetter(c) && c != 'e'; }) &&
           text.find('-', 1) == text.rfind("e-") + (text.rfind("e-") == text.npos ? 0 : 1);
  }

  // "1-norm" -> "1"
  static std::string_view NumberOf(std::string_view text) {
    const std::size_t mark = text.find('-', 1);
    const bool is_noun = mark != text.npos && mark + 1 < text.size() && IsDigit(text[mark - 1]) &&
                         IsLetter(text[mark + 1]);
    return is_noun ? text.substr(0, mark) : text;
  }

  struct Around {
    std::vector<std::string> words;     // of both sides
    std::optional<std::size_t> before;  // the nearest name in code font on the left
    std::optional<std::size_t> behind;  // in brackets on the right
    bool is_linked = true;              // only plain links between `before` and the value
    bool is_limit = false;
    std::string noun;  // "a momentum of 0.9", "momentum 0.9"
  };

  Around Look(std::size_t value) const {
    Around around;
    around.noun = NounBefore(value);
    for (std::size_t i = value; i-- > 0 && value - i <= kLeft;) {
      const Piece& piece = pieces_[i];
      const std::string lower = Lower(i);
      // "divided by `x`, 10 if you leave it alone"
      const bool is_after_code = i > 0 && pieces_[i - 1].kind == Piece::Kind::kCode;
      // "`X` streams, 4 by default"
      const bool is_after_noun = has_default_ && i > 1 &&
                                 pieces_[i - 1].kind == Piece::Kind::kWord &&
                                 pieces_[i - 2].kind == Piece::Kind::kCode;
      if (lower == "." || lower == ";") break;
      if (lower == "," && !is_after_code && !is_after_noun) break;
      if (lower == "," && !around.words.empty()) break;
      if (piece.kind == Piece::Kind::kCode && !IsValueAt(i)) {
        around.before = i;
        break;
      }
      if (IsValueAt(i) || IsCount(i)) {
        around.is_limit = around.is_limit || i + 2 >= value;  // "2, 4", "2 or 4"
        around.words.clear();                                 // "32 heads of 128"
        break;
      }
      around.is_limit = around.is_limit || IsLimit(lower) || lower == "~";
      around.is_linked = around.is_linked && (IsPlainLink(lower) || lower == ",");
      if (piece.kind == Piece::Kind::kWord) around.words.push_back(Folded(lower));
    }
    bool is_over = false;
    for (std::size_t i = value + 1; i < pieces_.size() && i <= value + kRight; ++i) {
      const std::string lower = Lower(i);
      if (lower == "(" && i + 1 < pieces_.size()) {
        if (pieces_[i + 1].kind == Piece::Kind::kCode) around.behind = i + 1;
        break;
      }
      if (pieces_[i].kind != Piece::Kind::kWord) break;
      is_over = is_over || IsNextClause(lower);
      if (is_over) continue;
      if (lower == "or" || lower == "to" || lower == "x" || IsValueAt(i)) {
        around.is_limit = around.is_limit || i == value + 1;
        break;
      }
      around.is_limit = around.is_limit || IsLimit(lower);
      around.words.push_back(Folded(lower));
    }
    return around;
  }

  // The word before the value, without the links between.
  std::string NounBefore(std::size_t value) const {
    constexpr std::array<std::string_view, 3> kLinks = {"of", "is", "="};
    std::size_t i = value;
    if (i > 0 && IsOneOf(Lower(i - 1), kLinks)) --i;
    return i > 0 && pieces_[i - 1].kind == Piece::Kind::kWord ? Lower(i - 1) : std::string();
  }

  // "warm-ups" -> "warmups"
  static std::string Folded(std::string lower) {
    std::erase(lower, '-');
    return lower;
  }

  void Match(std::size_t value) {
    Around around = Look(value);
    const std::string after = value + 1 < pieces_.size() ? Lower(value + 1) : std::string();
    const bool is_listed = after == "," && value + 2 < pieces_.size() && IsValueAt(value + 2);
    if (around.is_limit || is_listed || after == "%" || after == "+" || after == "/" ||
        after == "*")
      return;
    if (around.behind) {
      if (AddNamed(*around.behind, value)) return;
    }
    if (around.before && (around.is_linked || has_default_)) {
      AddListed(*around.before, value);
      if (AddNamed(*around.before, value)) return;
      if (AddUnowned(*around.before, value, around.is_linked)) return;
    }
    if (around.behind && AddUnowned(*around.behind, value, true)) return;
    // Another setting has the value, in words that are not read.
    if (around.before && IsSetting(*around.before)) return;
    AddDescribed(around, value);
  }

  // A name in code font that an owner has as a setting.
  bool AddNamed(std::size_t name, std::size_t value) {
    const std::string_view text = pieces_[name].text;
    const bool is_letter = text.size() == 1 && IsLetter(text[0]);
    if (!IsValueName(text) && !is_letter) return false;
    const std::string plain = PlainName(text);
    for (const SettingOwner& owner : owners_) {
      if (is_letter && !owner.is_here) continue;
      const bool has = std::ranges::any_of(
          owner.settings, [&](const std::string& setting) { return PlainName(setting) == plain; });
      if (!has) continue;
      Add(owner.name, std::string(text), value);
      return true;
    }
    return false;
  }

  bool IsSetting(std::size_t name) const {
    const std::string plain = PlainName(pieces_[name].text);
    return std::ranges::any_of(owners_, [&](const SettingOwner& owner) {
      return std::ranges::any_of(
          owner.settings, [&](const std::string& setting) { return PlainName(setting) == plain; });
    });
  }

  // A constant, a variable, an option or a parameter, which are known by their own names.
  bool AddUnowned(std::size_t name, std::size_t value, bool is_linked) {
    constexpr std::size_t kLong = 8;
    constexpr std::size_t kDistinctive = 12;
    const std::string_view text = pieces_[name].text;
    if (!IsValueName(text) || pieces_[value].kind == Piece::Kind::kQuoted) return false;
    const bool is_number = std::ranges::all_of(pieces_[value].text, IsDigit);
    const bool is_switch = IsSwitchWord(pieces_[value].text);
    const bool is_option = text.starts_with("--");
    const bool is_upper =
        text.size() >= kLong && text.find('_') != text.npos && std::ranges::none_of(text, IsLower);
    const bool is_constant = is_upper && (is_number || is_switch);
    const bool is_parameter = !is_upper && text.size() >= kDistinctive &&
                              text.find('_') != text.npos && std::ranges::none_of(text, IsUpper) &&
                              !text.starts_with('-') && text.find('.') == text.npos;
    if (!is_option && !is_constant && !is_parameter) return false;
    if (!is_linked && !(is_constant && has_default_)) return false;
    // "`X`=0 turns it off": what somebody sets.
    if (is_upper && Lower(name + 1) == "=" && value == name + 2) return false;
    Add("", std::string(text), value);
    ValueClaim& claim = claims_.back();
    claim.is_default = is_option || is_parameter || is_switch || has_default_;
    claim.is_loose = is_option;
    claim.is_free = !is_option;
    return true;
  }

  // "`a` and `b` are both 512"
  void AddListed(std::size_t name, std::size_t value) {
    bool is_both = false;
    for (std::size_t i = name; i < value; ++i) is_both = is_both || Lower(i) == "both";
    if (!is_both || name < 2 || Lower(name - 1) != "and") return;
    if (!AddNamed(name - 2, value)) AddUnowned(name - 2, value, true);
  }

  void AddDescribed(const Around& around, std::size_t value) {
    if (pieces_[value].kind == Piece::Kind::kCode) return;
    if (pieces_[value].kind == Piece::Kind::kQuoted && !has_default_) return;
    for (const SettingOwner& owner : owners_) {
      std::string best;
      std::size_t most = 0;
      bool is_tie = false;
      for (const std::string& setting : owner.settings) {
        const std::size_t parts = CountParts(setting, around.words);
        if (parts == 0 || parts < most) continue;
        is_tie = parts == most && setting != best;
        most = parts;
        best = setting;
      }
      // One word may be any; with "default" in the sentence, or right before the value, it is a
      // setting.
      const bool is_noun = owner.is_here && !best.empty() && best == around.noun;
      const std::size_t least = has_default_ || is_noun ? 1 : 2;
      if (!owner.is_here && !has_default_ && HasImplied(best)) continue;
      if (most < least) continue;
      if (!is_tie) Add(owner.name, std::move(best), value);
      return;
    }
  }

  void Add(std::string owner, std::string name, std::size_t value) {
    const Piece& piece = pieces_[value];
    std::string text(IsNumberWord(piece.text) ? NumberOf(piece.text) : piece.text);
    const bool has_unit = value + 1 < pieces_.size() &&
                          pieces_[value + 1].kind == Piece::Kind::kWord &&
                          statement::UnitAt(statement_.text, pieces_[value + 1].begin).has_value();
    if (IsNumberWord(text) && has_unit) text += " " + std::string(pieces_[value + 1].text);
    claims_.push_back({.name = std::move(name),
                       .value = std::move(text),
                       .offset = piece.begin,
                       .is_default = true,
                       .is_loose = true,
                       .owner = std::move(owner)});
  }

  const statement::Statement& statement_;
  const std::vector<SettingOwner>& owners_;
  std::vector<Piece> pieces_;
  bool has_default_ = false;
  std::vector<ValueClaim> claims_;
};

}  // namespace

std::size_t CountParts(std::string_view setting, const std::vector<std::string>& lower_words) {
  std::size_t count = 0;
  const std::vector<std::string> parts = PartsOf(setting);
  Work::Add(parts.size() * lower_words.size());
  for (const std::string& part : parts) {
    if (IsImplied(part)) {
      ++count;
      continue;
    }
    if (AreInitials(part, lower_words)) {
      count += part.size();
      continue;
    }
    const bool is_in = part.size() > 1 && std::ranges::any_of(lower_words, [&](const auto& word) {
                         return IsPartIn(part, word);
                       });
    if (!is_in) return 0;
    ++count;
  }
  const bool is_all_implied =
      std::ranges::all_of(parts, [](const std::string& part) { return IsImplied(part); });
  return is_all_implied ? 0 : count;
}

bool HasValues(const statement::Statement& statement) {
  return ClaimMatcher(statement, {}).HasValue();
}

std::vector<ValueClaim> MatchClaims(const statement::Statement& statement,
                                    const std::vector<SettingOwner>& owners) {
  return ClaimMatcher(statement, owners).Take();
}

}  // namespace sibyl::audit
