// SPDX-License-Identifier: Apache-2.0
#include "gate/cited/nearest_lines.h"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/ascii.h"
#include "base/strings.h"

namespace sibyl::gate {
namespace {

struct Piece {
  LineRange lines;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t shared = 0;  // words with the statement
};

// The first letters of words, so that "holds" finds "holding".
void AddWords(std::string_view text, std::unordered_set<std::string>& words) {
  constexpr std::size_t kFewest = 4;
  constexpr std::size_t kMost = 6;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && IsAlphanumeric(text[end])) ++end;
    if (end - at >= kFewest) words.insert(LowerCase(text.substr(at, std::min(end - at, kMost))));
    at = end + 1;
  }
}

// Lines up to a blank one, and not too many.
std::vector<Piece> Cut(std::string_view file) {
  constexpr std::size_t kMostLines = 15;
  std::vector<Piece> pieces;
  Piece piece;
  std::size_t number = 0;
  std::size_t at = 0;
  const auto end_piece = [&] {
    if (piece.lines.first != 0) pieces.push_back(piece);
    piece = {};
  };
  for (const std::string_view line : LinesWithEnds(file)) {
    ++number;
    if (Trim(line).empty()) {
      end_piece();
    } else {
      if (piece.lines.first == 0) piece = {.lines = {number, number}, .begin = at};
      piece.lines.last = number;
      piece.end = at + line.size();
      if (number - piece.lines.first + 1 >= kMostLines) end_piece();
    }
    at += line.size();
  }
  end_piece();
  return pieces;
}

}  // namespace

std::optional<LineRange> NearestLines(const statement::Statement& statement, std::string_view file,
                                      support::Grounder& grounder) {
  constexpr std::size_t kMostBytes = std::size_t{256} << 10;
  constexpr std::size_t kTried = 5;
  constexpr std::size_t kFewestShared = 2;
  if (file.size() > kMostBytes) return std::nullopt;
  std::unordered_set<std::string> wanted;
  AddWords(statement.text, wanted);
  std::vector<Piece> pieces = Cut(file);
  for (Piece& piece : pieces) {
    std::unordered_set<std::string> words;
    AddWords(file.substr(piece.begin, piece.end - piece.begin), words);
    piece.shared = static_cast<std::size_t>(std::count_if(
        wanted.begin(), wanted.end(), [&](const auto& word) { return words.contains(word); }));
  }
  std::erase_if(pieces, [](const Piece& piece) { return piece.shared < kFewestShared; });
  std::stable_sort(pieces.begin(), pieces.end(),
                   [](const Piece& a, const Piece& b) { return a.shared > b.shared; });
  if (pieces.size() > kTried) pieces.resize(kTried);
  for (const Piece& piece : pieces) {
    const support::Grounding grounding = grounder.Judge(
        statement, {.text = file.substr(piece.begin, piece.end - piece.begin), .context = {}});
    if (grounding.verdict == statement::Verdict::kSupported) return piece.lines;
  }
  return std::nullopt;
}

}  // namespace sibyl::gate
