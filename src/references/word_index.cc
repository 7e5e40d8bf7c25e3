// SPDX-License-Identifier: Apache-2.0
#include "references/word_index.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "support/tokens.h"

namespace sibyl::references {
namespace {

constexpr std::size_t kMostBytes = std::size_t{4} << 20;
constexpr std::size_t kShortestStem = 3;

// Of a name, or of a word of any script.
bool IsPartOfWord(char c) { return IsNameByte(c) || static_cast<unsigned char>(c) >= 0x80; }

}  // namespace

WordIndex::WordIndex(const CodeFile& file) : line_count_(file.line_count()) {
  if (file.text().size() > kMostBytes) return;
  support::Tokenizer tokenizer;
  // The lines of each stem of a word, as it is written: a file has few different ones.
  std::unordered_map<std::string_view, std::vector<std::vector<std::size_t>*>> known;
  const auto stems_of = [&](std::string_view word) {
    std::vector<std::vector<std::size_t>*> stems;
    const auto add = [&](const std::string& stem) {
      if (stem.size() >= kShortestStem) stems.push_back(&lines_[stem]);
    };
    for (const support::Token& token : tokenizer.OfSource(word)) {
      if (token.kind == support::TokenKind::kNumber) continue;
      add(token.stem);
      for (const std::string& part : token.parts) add(part);
    }
    return stems;
  };
  for (std::size_t line = 1; line <= line_count_; ++line) {
    const std::string_view text = file.Line(line);
    for (std::size_t at = 0; at < text.size();) {
      std::size_t end = at;
      while (end < text.size() && IsPartOfWord(text[end])) ++end;
      const std::string_view word = text.substr(at, end - at);
      at = std::max(end, at + 1);
      if (word.size() < kShortestStem) continue;
      const auto [stems, is_new] = known.try_emplace(word);
      if (is_new) stems->second = stems_of(word);
      for (std::vector<std::size_t>* lines : stems->second) {
        if (lines->empty() || lines->back() != line) lines->push_back(line);
      }
    }
  }
}

const std::vector<std::size_t>& WordIndex::LinesOf(const std::string& stem) const {
  static const std::vector<std::size_t> none;
  const auto known = lines_.find(stem);
  return known == lines_.end() ? none : known->second;
}

std::shared_ptr<const WordIndex> WordIndexes::Of(const CodeFile& file, const std::string& blob) {
  {
    const MutexLock lock(mutex_);
    if (const auto known = indexes_.find(blob); known != indexes_.end()) return known->second;
  }
  auto index = std::make_shared<const WordIndex>(file);
  const MutexLock lock(mutex_);
  return indexes_.emplace(blob, std::move(index)).first->second;
}

std::vector<std::string> ContentStems(std::string_view prose) {
  support::Tokenizer tokenizer;
  std::vector<std::string> stems;
  const auto add = [&](const std::string& stem) {
    if (stem.size() < kShortestStem) return;
    if (std::find(stems.begin(), stems.end(), stem) == stems.end()) stems.push_back(stem);
  };
  for (const support::Token& token : tokenizer.OfStatement(prose, {})) {
    if (token.kind == support::TokenKind::kNumber) continue;
    if (token.weight != support::WordWeight::kFull) continue;
    if (token.parts.empty()) add(token.stem);
    for (const std::string& part : token.parts) add(part);
  }
  return stems;
}

}  // namespace sibyl::references
