// SPDX-License-Identifier: Apache-2.0
#include "audit/values/constant_claims.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "audit/values/value_pieces.h"
#include "base/ascii.h"
#include "base/one_of.h"
#include "base/strings.h"

namespace sibyl::audit {
namespace {

constexpr std::size_t kMostConstants = 100;
constexpr std::size_t kMostLinks = 6;

// STATUS_SHAPE, cudaErrorNotSupported: long, and not written like a word.
bool IsConstantName(std::string_view text) {
  constexpr std::size_t kShortest = 8;
  constexpr std::size_t kLong = 12;
  if (text.size() < kShortest || !IsNameStart(text[0]) || !std::ranges::all_of(text, IsNameByte)) {
    return false;
  }
  const bool has_lower = std::ranges::any_of(text, IsLower);
  const auto capitals = std::ranges::count_if(text, IsUpper);
  if (!has_lower) return text.find('_') != text.npos && capitals >= 4;
  return text.size() >= kLong && capitals >= 2;
}

// "700", "0x08"
bool IsIntegerText(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) {
    text.remove_prefix(2);
    return !text.empty() && std::ranges::all_of(text, [](char c) { return HexValue(c) >= 0; });
  }
  return !text.empty() && std::ranges::all_of(text, IsDigit);
}

class ConstantReader {
 public:
  explicit ConstantReader(const statement::Statement& statement)
      : pieces_(SplitPieces(statement)) {}

  std::vector<ValueClaim> Take() {
    for (std::size_t i = 0; i < pieces_.size() && claims_.size() < kMostConstants; ++i) {
      if (!IsConstantAt(i)) continue;
      if (const auto value = FindAfter(i)) {
        Add(i, *value);
      } else if (const auto before = FindBefore(i)) {
        Add(i, *before);
      }
    }
    return std::move(claims_);
  }

 private:
  std::string Lower(std::size_t i) const { return LowerPiece(pieces_, i); }

  bool IsConstantAt(std::size_t i) const {
    const Piece& piece = pieces_[i];
    const bool has_kind = piece.kind == Piece::Kind::kCode || piece.kind == Piece::Kind::kWord;
    return has_kind && IsConstantName(piece.text);
  }

  bool IsIntegerAt(std::size_t i) const {
    if (i >= pieces_.size()) return false;
    const Piece& piece = pieces_[i];
    const bool has_kind = piece.kind == Piece::Kind::kCode || piece.kind == Piece::Kind::kWord;
    return has_kind && IsIntegerText(piece.text);
  }

  // What may be between a constant and its number.
  static bool IsLinkWord(std::string_view lower) {
    constexpr std::array<std::string_view, 16> kWords = {
        "(",      ",",    "=",     ":",      "is",    "has",      "the", "value",
        "number", "that", "which", "equals", "error", "numbered", "it",  "code"};
    return IsOneOf(lower, kWords);
  }

  // Nothing that the number could count follows.
  bool EndsAt(std::size_t i) const {
    constexpr std::array<std::string_view, 7> kEnds = {".", ",", ")", ";", ":", "and", "or"};
    return i >= pieces_.size() || IsOneOf(Lower(i), kEnds);
  }

  std::optional<std::size_t> FindAfter(std::size_t name) const {
    bool says_so = false;
    bool is_said_to_be = false;  // "that is", "which is": what follows is a value, with its noun
    for (std::size_t i = name + 1; i < pieces_.size() && i <= name + kMostLinks; ++i) {
      if (IsIntegerAt(i)) {
        const std::string next = Lower(i + 1);
        const bool is_times = next == "times" || next == "x" || next == "%" || next == "-";
        const bool ends = EndsAt(i + 1) || (is_said_to_be && !is_times);
        return says_so && ends ? std::optional(i) : std::nullopt;
      }
      const std::string lower = Lower(i);
      if (!IsLinkWord(lower)) return std::nullopt;
      is_said_to_be =
          is_said_to_be || (lower == "is" && (Lower(i - 1) == "that" || Lower(i - 1) == "which"));
      // "`A`, 2, `B`": a comma alone may join anything.
      says_so = says_so || lower != ",";
    }
    return std::nullopt;
  }

  // "802, `A`" at the start of an item, "3001 is `A`" after a clause, "error 77 (`A`)".
  std::optional<std::size_t> FindBefore(std::size_t name) const {
    constexpr std::array<std::string_view, 4> kJoins = {"is", "=", ":", "("};
    constexpr std::array<std::string_view, 7> kStarts = {",", ";", ".", ":", "(", "and", "while"};
    constexpr std::array<std::string_view, 4> kNouns = {"error", "code", "status", "value"};
    if (name < 2 || !IsIntegerAt(name - 2)) return std::nullopt;
    const std::size_t value = name - 2;
    const std::string join = Lower(name - 1);
    if (join == ",") return value == 0 && EndsAt(name + 1) ? std::optional(value) : std::nullopt;
    if (!IsOneOf(join, kJoins)) return std::nullopt;
    if (value == 0) return value;
    const std::string before = Lower(value - 1);
    const bool is_code = IsOneOf(before, kNouns);
    const bool starts = join == "is" && IsOneOf(before, kStarts);
    return is_code || starts ? std::optional(value) : std::nullopt;
  }

  void Add(std::size_t name, std::size_t value) {
    claims_.push_back({.name = std::string(pieces_[name].text),
                       .value = std::string(pieces_[value].text),
                       .offset = pieces_[value].begin});
  }

  std::vector<Piece> pieces_;
  std::vector<ValueClaim> claims_;
};

// A number below "code" or the like; its row begins with a constant.
std::optional<ValueClaim> ReadRow(const statement::Statement& statement) {
  constexpr std::array<std::string_view, 6> kHeaders = {"code",  "error code", "number",
                                                        "value", "numeric",    "id"};
  if (statement.kind != statement::StatementKind::kCell || statement.context.size() < 2) {
    return std::nullopt;
  }
  const std::vector<Piece> pieces = SplitPieces(statement);
  const std::string_view name = Trim(statement.context[1]);
  const std::string header = LowerCase(Trim(statement.context[0]));
  if (pieces.size() != 1 || !IsIntegerText(pieces[0].text)) return std::nullopt;
  if (!IsConstantName(name) || !IsOneOf(header, kHeaders)) return std::nullopt;
  return ValueClaim{
      .name = std::string(name), .value = std::string(pieces[0].text), .offset = pieces[0].begin};
}

}  // namespace

std::vector<ValueClaim> ReadConstantClaims(const statement::Statement& statement) {
  if (const auto row = ReadRow(statement)) return {*row};
  if (statement.kind == statement::StatementKind::kCell) return {};
  return ConstantReader(statement).Take();
}

}  // namespace sibyl::audit
