// SPDX-License-Identifier: Apache-2.0
#include "audit/values/value_pieces.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/one_of.h"
#include "base/strings.h"
#include "base/work.h"

namespace sibyl::audit {
namespace {

bool IsValueByte(char c) {
  return IsAlphanumeric(c) || c == '_' || c == '.' || c == ':' || c == '+' || c == '*' || c == '-';
}

}  // namespace

bool IsValueName(std::string_view text) {
  while (text.starts_with('-')) text.remove_prefix(1);
  if (text.size() < 2 || !IsNameStart(text[0])) return false;
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return IsNameByte(c) || c == '-' || c == '.' || c == ':'; });
}

// Code spans, quoted words, words with the marks that numbers and versions have, other marks.
std::vector<Piece> SplitPieces(const statement::Statement& statement) {
  std::vector<Piece> pieces;
  const std::string_view text = statement.text;
  auto run = statement.runs.begin();
  for (std::size_t at = 0; at < text.size();) {
    Work::Add(1);
    while (run != statement.runs.end() && run->end <= at) ++run;
    if (run != statement.runs.end() && run->is_code && run->begin <= at) {
      pieces.push_back({Piece::Kind::kCode, text.substr(at, run->end - at), at, run->end});
      at = run->end;
      continue;
    }
    if (IsBlank(text[at])) {
      ++at;
      continue;
    }
    const std::size_t stop = run != statement.runs.end() && run->is_code ? run->begin : text.size();
    std::size_t end = at;
    if (text[at] == '"' || text[at] == '\'') {
      constexpr std::size_t kLongest = 40;
      const std::size_t close = text.find(text[at], at + 1);
      if (close != text.npos && close < std::min(stop, at + kLongest)) {
        pieces.push_back({Piece::Kind::kQuoted, text.substr(at, close + 1 - at), at, close + 1});
        at = close + 1;
        continue;
      }
    }
    while (end < stop && IsValueByte(text[end])) ++end;
    while (end > at && std::string_view(".:-+*").find(text[end - 1]) != std::string_view::npos) {
      --end;
    }
    const bool is_word = end > at;
    if (!is_word) end = at + 1;
    pieces.push_back(
        {is_word ? Piece::Kind::kWord : Piece::Kind::kMark, text.substr(at, end - at), at, end});
    at = end;
  }
  return pieces;
}

std::string LowerPiece(const std::vector<Piece>& pieces, std::size_t i) {
  return i < pieces.size() && pieces[i].kind != Piece::Kind::kCode ? LowerCase(pieces[i].text)
                                                                   : std::string();
}

bool IsSwitchWord(std::string_view text) {
  constexpr std::array<std::string_view, 12> kWords = {"True", "False",   "true",     "false",
                                                       "ON",   "OFF",     "None",     "on",
                                                       "off",  "enabled", "disabled", "nullptr"};
  return IsOneOf(text, kWords);
}

bool IsNumberWord(std::string_view text) {
  return IsDigit(text[0]) || (text[0] == '-' && text.size() > 1 && IsDigit(text[1]));
}

}  // namespace sibyl::audit
