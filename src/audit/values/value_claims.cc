// SPDX-License-Identifier: Apache-2.0
#include "audit/values/value_claims.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "audit/values/constant_claims.h"
#include "audit/values/loose_claims.h"
#include "audit/values/value_pieces.h"
#include "base/ascii.h"
#include "base/one_of.h"
#include "base/strings.h"
#include "base/work.h"
#include "statement/number.h"

namespace sibyl::audit {
namespace {

constexpr std::size_t kMostClaims = 100;

bool IsLink(std::string_view lower) {
  constexpr std::array<std::string_view, 28> kWords = {
      ",",         "(",    ":",       "=",        "is",      "has",    "the",
      "value",     "of",   "default", "defaults", "to",      "by",     "set",
      "a",         "it",   "equals",  "as",       "was",     "its",    "being",
      "currently", "only", "are",     "which",    "becomes", "starts", "at"};
  return IsOneOf(lower, kWords);
}

// "default fork", "default it is set to 1", with the word "default" at `at`.
std::optional<ValueClaim> ReadAfterDefault(const std::vector<Piece>& pieces, std::size_t at,
                                           std::string name) {
  constexpr std::size_t kMostLinks = 6;
  for (std::size_t i = at + 1; i < pieces.size() && i < at + kMostLinks; ++i) {
    const bool is_plain = IsSwitchWord(pieces[i].text) || IsNumberWord(pieces[i].text);
    const bool is_end = i + 1 == pieces.size() || pieces[i + 1].kind == Piece::Kind::kMark;
    if (!is_plain && IsLink(LowerCase(pieces[i].text))) continue;
    if (pieces[i].kind == Piece::Kind::kMark || (!is_plain && !is_end)) return std::nullopt;
    return ValueClaim{.name = std::move(name),
                      .value = std::string(pieces[i].text),
                      .offset = pieces[i].begin,
                      .is_default = true};
  }
  return std::nullopt;
}

class ClaimReader {
 public:
  explicit ClaimReader(const statement::Statement& statement)
      : statement_(statement), pieces_(SplitPieces(statement)) {}

  std::vector<ValueClaim> Take() {
    for (std::size_t i = 0; i < pieces_.size() && claims_.size() < kMostClaims; ++i) {
      if (IsNamePiece(i)) Read(i);
    }
    if (claims_.empty()) ReadClause();
    return std::move(claims_);
  }

 private:
  // A name in code font, or an option that is written as it is typed: --batch-size (default 64)
  bool IsNamePiece(std::size_t i) const {
    const Piece& piece = pieces_[i];
    if (!IsValueName(piece.text)) return false;
    if (piece.kind == Piece::Kind::kCode) return true;
    return piece.kind == Piece::Kind::kWord && piece.text.starts_with("--") &&
           Lower(i + 1) == "(" && Lower(i + 2) == "default";
  }

  // "`A` defaults: `x` 1, `y` "b"": the name's value follows it.
  bool IsInListOfDefaults(std::size_t name) const {
    if (name + 1 >= pieces_.size()) return false;
    const bool is_value =
        pieces_[name + 1].kind == Piece::Kind::kQuoted ||
        (pieces_[name + 1].kind == Piece::Kind::kWord && IsSwitchOrNumber(name + 1));
    if (!is_value || !EndsAt(name + 2)) return false;
    for (std::size_t i = 0; i + 1 < name; ++i) {
      if (Lower(i) == "defaults" && Lower(i + 1) == ":") return true;
    }
    return false;
  }

  // "Arguments: `x` (1), `y` (True)"
  bool IsInListOfParameters(std::size_t name) const {
    if (Lower(name + 1) != "(" || Lower(name + 3) != ")") return false;
    if (pieces_[name + 2].kind != Piece::Kind::kWord || !IsSwitchOrNumber(name + 2)) return false;
    for (std::size_t i = 0; i + 1 < name; ++i) {
      const std::string next = Lower(i + 1);
      const bool is_noun = Lower(i) == "arguments" || Lower(i) == "parameters";
      if (is_noun && (next == ":" || next == "are")) return true;
    }
    return false;
  }

  bool EndsAt(std::size_t i) const {
    constexpr std::array<std::string_view, 6> kEnds = {".", ",", ")", ";", "and", "or"};
    return i >= pieces_.size() || IsOneOf(Lower(i), kEnds);
  }

  // "`x` is one of a and b; default b", "`x`: …; by default it is set to 1"
  void ReadClause() {
    if (pieces_.empty() || pieces_[0].kind != Piece::Kind::kCode || !IsValueName(pieces_[0].text))
      return;
    for (std::size_t i = 2; i < pieces_.size(); ++i) {
      if (Lower(i) != "default") continue;
      const std::size_t mark = Lower(i - 1) == "by" ? i - 2 : i - 1;
      if (Lower(mark) != ";") continue;
      if (auto claim = ReadAfterDefault(pieces_, i, std::string(pieces_[0].text))) {
        claims_.push_back(*std::move(claim));
      }
      return;
    }
  }

  std::string Lower(std::size_t i) const { return LowerPiece(pieces_, i); }

  // "by default", "as default", "unless told otherwise", "if nothing is said"
  bool IsDefaultMark(std::size_t i) const {
    const std::string one = Lower(i);
    const std::string two = Lower(i + 1);
    const std::string three = Lower(i + 2);
    if ((one == "by" || one == "as") && (two == "default" || three == "default")) return true;
    if (one == "unless") return true;
    return one == "if" && (two == "nothing" || two == "not" || two == "unset");
  }

  // After the value, its unit or a noun.
  bool IsMarkedAfter(std::size_t i) const {
    for (std::size_t k = i; k < i + 3; ++k) {
      if (IsDefaultMark(k)) return true;
      if (k >= pieces_.size() || pieces_[k].kind != Piece::Kind::kWord) return false;
    }
    return false;
  }

  struct Found {
    std::size_t at = 0;  ///< Of the value's piece.
    bool saw_default = false;
    bool saw_is = false;
    bool saw_open = false;
    std::size_t links = 0;
    bool is_to = false;  ///< Only ", `x` to 3".
  };

  // The piece after the name that could be its value, with words between that link them.
  std::optional<Found> FindValue(std::size_t name) const {
    constexpr std::size_t kMostLinks = 7;
    Found found;
    for (std::size_t back = 1; back <= 3 && back <= name; ++back) {
      const std::string word = Lower(name - back);
      if (word == "default") found.saw_default = true;
      if (word != "the" && word != "default" && word != "of" && word != "for" && word != "value") {
        break;
      }
    }
    for (std::size_t i = name + 1; i < pieces_.size(); ++i) {
      const Piece& piece = pieces_[i];
      if (piece.kind == Piece::Kind::kWord || piece.kind == Piece::Kind::kMark) {
        const std::string lower = Lower(i);
        // "of `owner`", between the name and its value
        const bool is_owner = (lower == "of" || lower == "in" || lower == "for") &&
                              i + 1 < pieces_.size() && pieces_[i + 1].kind == Piece::Kind::kCode;
        if (is_owner) {
          ++i;
          continue;
        }
        if (IsLink(lower) && !(lower == "default" && IsSwitchOrNumber(i))) {
          if (++found.links > kMostLinks) return std::nullopt;
          found.saw_default = found.saw_default || lower.starts_with("default");
          found.saw_is = found.saw_is || lower == "is" || lower == "=" || lower == "equals" ||
                         lower == "value" || lower == "are" || lower == "was" || lower == "as" ||
                         lower == "becomes";
          found.saw_open = found.saw_open || lower == "(";
          found.is_to = lower == "to";
          continue;
        }
      }
      found.at = i;
      return found;
    }
    return std::nullopt;
  }

  bool IsSwitchOrNumber(std::size_t i) const {
    return IsSwitchWord(pieces_[i].text) || IsNumberWord(pieces_[i].text);
  }

  void Read(std::size_t name) {
    if (IsInListOfDefaults(name)) {
      Add(name, name + 1, true);
      return;
    }
    if (IsInListOfParameters(name)) {
      Add(name, name + 2, true);
      return;
    }
    const std::optional<Found> found = FindValue(name);
    if (!found) return;
    const Piece& piece = pieces_[found->at];
    if (piece.kind == Piece::Kind::kCode && piece.text.find('=') != piece.text.npos) return;
    const bool is_plain = piece.kind == Piece::Kind::kWord && IsSwitchOrNumber(found->at);
    const bool is_marked = IsMarkedAfter(found->at + 1);
    const bool was_default =
        !claims_.empty() && claims_.back().is_default && name > last_ && name - last_ <= 4;
    // ", `x` to 3" and ", `x` is 3" go on with what the clause before says.
    const bool goes_on = was_default && found->links <= 2 && (found->is_to || found->saw_is);
    const bool is_default = found->saw_default || is_marked || goes_on;
    const bool is_code_value =
        piece.kind == Piece::Kind::kCode && piece.text.find(' ') == piece.text.npos;
    const bool is_word = piece.kind == Piece::Kind::kWord && (found->links > 0 || is_marked);
    if (found->links == 0 && !is_marked) return;
    if (!is_plain) {
      // A word is a value only where the sentence says that it is the default.
      const bool says_so =
          is_marked || (found->saw_default && found->links > 0) || (goes_on && found->is_to);
      if (NamesTheNext(found->at)) return;
      if (!says_so || !(is_code_value || is_word || piece.kind == Piece::Kind::kQuoted)) return;
      if (is_word && !is_marked && !IsWordValue(found->at)) return;
      if (is_word && found->links == 0) return;  // "`X` measures time by default"
    } else if (!is_default && !(found->saw_is || found->saw_open)) {
      return;
    }
    if (!is_default && (!IsNumberWord(piece.text) || IsPartOfMore(found->at, found->saw_open)))
      return;
    if (!is_default && IsPropertyOf(name)) return;
    Add(name, found->at, is_default);
    if (is_marked) MarkBefore(name);
  }

  // "in `A`, `x` is 3 by default", "the `Dockerfile` has `X` 3.11 as default": the value is that
  // of `x`.
  bool NamesTheNext(std::size_t at) const {
    if (pieces_[at].kind != Piece::Kind::kCode || !IsValueName(pieces_[at].text)) return false;
    if (at + 1 >= pieces_.size() || pieces_[at + 1].kind == Piece::Kind::kCode) return false;
    constexpr std::array<std::string_view, 9> kVerbs = {"is", "defaults", "has", "are",    "=",
                                                        ":",  "(",        "to",  "default"};
    return IsSwitchOrNumber(at + 1) || IsOneOf(Lower(at + 1), kVerbs);
  }

  // "the maximum of `x` is 448" does not give the value of `x`.
  bool IsPropertyOf(std::size_t name) const {
    return name >= 2 && Lower(name - 1) == "of" && Lower(name - 2) != "value";
  }

  // "default fork.", not "default values of the table"
  bool IsWordValue(std::size_t at) const {
    // "is the default epilogue"
    if (at >= 2 && Lower(at - 1) == "default" && Lower(at - 2) == "the") return false;
    const std::string next = Lower(at + 1);
    constexpr std::array<std::string_view, 6> kEnds = {".", ",", ")", ";", "", "and"};
    const std::string word = Lower(at);
    constexpr std::array<std::string_view, 12> kNot = {
        "which", "that", "not", "and", "but", "also", "in", "for", "when", "values", "one", "an"};
    return IsOneOf(next, kEnds) && !IsOneOf(word, kNot);
  }

  // "`x` is 3 times as fast", "`x` (2 GPUs)": not the value of a constant.
  bool IsPartOfMore(std::size_t at, bool is_open) const {
    const std::string next = Lower(at + 1);
    constexpr std::array<std::string_view, 10> kEnds = {"",    ".",     ",",    ")",  ";",
                                                        "and", "while", "here", "or", "—"};
    if (is_open) return next != ")";
    return !IsOneOf(next, kEnds) &&
           !statement::UnitAt(statement_.text, pieces_[at + 1].begin).has_value();
  }

  void Add(std::size_t name, std::size_t value, bool is_default) {
    const Piece& piece = pieces_[value];
    std::string text(piece.text);
    if (text == "\"\"" || text == "''") return;
    if (value + 1 < pieces_.size() && IsNumberWord(piece.text)) {
      const Piece& next = pieces_[value + 1];
      if (next.kind == Piece::Kind::kWord && next.begin <= piece.end + 1 &&
          statement::UnitAt(statement_.text, next.begin)) {
        text += " " + std::string(next.text);
      }
    }
    claims_.push_back({.name = std::string(pieces_[name].text),
                       .value = std::move(text),
                       .offset = piece.begin,
                       .is_default = is_default});
    last_ = value;
    names_.push_back(name);
    values_.push_back(value);
  }

  // "`a` is 90 and `b` 128 by default": both are defaults.
  void MarkBefore(std::size_t name) {
    for (std::size_t i = claims_.size() - 1; i-- > 0;) {
      if (claims_[i].is_default || name - values_[i] > 3) return;
      claims_[i].is_default = true;
      name = names_[i];
    }
  }

  const statement::Statement& statement_;
  std::vector<Piece> pieces_;
  std::vector<ValueClaim> claims_;
  std::vector<std::size_t> names_;
  std::vector<std::size_t> values_;
  std::size_t last_ = 0;
};

// A cell below "Default" or "Value"; its row begins with the name.
std::optional<ValueClaim> ReadCell(const statement::Statement& statement) {
  if (statement.kind != statement::StatementKind::kCell || statement.context.size() < 2) {
    return std::nullopt;
  }
  const std::string header = LowerCase(statement.context[0]);
  const bool is_default = header.find("default") != std::string::npos ||
                          header.find("unset") != std::string::npos ||
                          header.find("if not set") != std::string::npos ||
                          header.find("otherwise") != std::string::npos;
  std::vector<Piece> pieces = SplitPieces(statement);
  // "value 16", whatever the column is called
  const bool is_value =
      pieces.size() == 2 && LowerPiece(pieces, 0) == "value" && IsNumberWord(pieces[1].text);
  if (is_value) pieces.erase(pieces.begin());
  if (!is_default && !is_value && Trim(header) != "value") return std::nullopt;
  const std::string_view name = Trim(statement.context[1]);
  if (!IsValueName(name)) return std::nullopt;
  if (pieces.empty() || pieces[0].kind == Piece::Kind::kMark) return std::nullopt;
  const Piece& value = pieces[0];
  // "OFF, **ON**": all values, the default of which is marked.
  if (pieces.size() > 2 && LowerPiece(pieces, 1) == ",") return std::nullopt;
  const bool is_short = pieces.size() == 1;
  const bool is_plain = IsSwitchWord(value.text) || IsNumberWord(value.text);
  if (!is_short && !is_plain) return std::nullopt;
  std::string text(value.text);
  if (pieces.size() > 1 && statement::UnitAt(statement.text, pieces[1].begin)) {
    text += " " + std::string(pieces[1].text);
  }
  return ValueClaim{.name = std::string(name),
                    .value = std::move(text),
                    .offset = value.begin,
                    .is_default = is_default};
}

}  // namespace

std::vector<ValueClaim> ReadValueClaims(const statement::Statement& statement) {
  if (const auto cell = ReadCell(statement)) return {*cell};
  std::vector<ValueClaim> claims = ClaimReader(statement).Take();
  for (ValueClaim& claim : ReadLooseClaims(statement)) {
    const bool is_read = std::ranges::any_of(
        claims, [&](const ValueClaim& other) { return other.offset == claim.offset; });
    if (!is_read && claims.size() < kMostClaims) claims.push_back(std::move(claim));
  }
  for (ValueClaim& claim : ReadConstantClaims(statement)) {
    const bool is_read = std::ranges::any_of(
        claims, [&](const ValueClaim& other) { return other.offset == claim.offset; });
    if (!is_read && claims.size() < kMostClaims) claims.push_back(std::move(claim));
  }
  return claims;
}

std::optional<ValueClaim> ReadDefaultOf(const statement::Statement& statement, std::string name) {
  const std::vector<Piece> pieces = SplitPieces(statement);
  std::size_t at = 0;
  while (at < pieces.size() && LowerCase(pieces[at].text) != "default") {
    if (pieces[at].kind == Piece::Kind::kCode || at > 2) return std::nullopt;
    ++at;
  }
  return ReadAfterDefault(pieces, at, std::move(name));
}

std::vector<CodeName> CodeNames(const statement::Statement& statement) {
  std::vector<CodeName> names;
  for (const statement::TextRun& run : statement.runs) {
    if (!run.is_code) continue;
    const std::string_view text =
        std::string_view(statement.text).substr(run.begin, run.end - run.begin);
    if (IsValueName(text) || text.find('/') != text.npos) {
      names.push_back({std::string(text), run.begin});
      continue;
    }
    // "f(x, key=1)", "Owner.method()"
    const std::string_view function = text.substr(0, text.find('('));
    if (function.size() < text.size() && IsValueName(function)) {
      names.push_back({std::string(function), run.begin});
    }
  }
  return names;
}

}  // namespace sibyl::audit
