// SPDX-License-Identifier: Apache-2.0
#include "references/find/prose.h"

#include <algorithm>
#include <string_view>

#include "base/ascii.h"

namespace sibyl::references {
namespace {

constexpr std::size_t kLongestProse = 400;
constexpr std::ptrdiff_t kFewestLetters = 8;  // "is here" says nothing

bool HasWords(std::string_view text) {
  return std::count_if(text.begin(), text.end(), IsLetter) >= kFewestLetters;
}

std::string_view Before(const Unit& unit, std::size_t begin) {
  const std::string_view text = unit.statement->text;
  std::size_t end = std::min(begin, text.size());
  const std::size_t limit = end > kLongestProse ? end - kLongestProse : 0;
  auto span = std::lower_bound(unit.excluded.begin(), unit.excluded.end(), end + 1,
                               [](const TextSpan& a, std::size_t at) { return a.end < at; });
  while (true) {
    const bool has_span = span != unit.excluded.begin() && std::prev(span)->end > limit;
    const std::size_t from = has_span ? std::min(std::prev(span)->end, end) : limit;
    const std::string_view words = text.substr(from, end - from);
    if (HasWords(words) || !has_span) return words;
    --span;
    end = std::min(span->begin, end);
    if (end <= limit) return {};
  }
}

std::string_view After(const Unit& unit, std::size_t end) {
  const std::string_view text = unit.statement->text;
  if (end >= text.size()) return {};
  const auto next = std::lower_bound(unit.excluded.begin(), unit.excluded.end(), end + 1,
                                     [](const TextSpan& a, std::size_t at) { return a.end < at; });
  const std::size_t stop = next == unit.excluded.end() ? text.size() : std::max(next->begin, end);
  return text.substr(end, std::min(stop - end, kLongestProse));
}

std::string OfRow(const std::vector<Unit>& row) {
  std::string prose;
  for (const Unit& cell : row) {
    std::size_t at = 0;
    const std::string_view text = cell.statement->text;
    for (const TextSpan& span : cell.excluded) {
      if (span.begin > at) prose.append(text.substr(at, span.begin - at)) += ' ';
      at = std::max(at, span.end);
    }
    if (at < text.size()) prose.append(text.substr(at)) += ' ';
    if (prose.size() > kLongestProse) break;
  }
  prose.resize(std::min(prose.size(), kLongestProse));
  return prose;
}

}  // namespace

std::string ProseOf(const std::vector<Unit>& units, std::size_t unit, std::size_t hit) {
  const Unit& own = units[unit];
  if (own.statement->kind == statement::StatementKind::kCell) return OfRow(units);
  const TextSpan span = SpanOf(own, own.hits[hit]);
  const std::string_view before = Before(own, span.begin);
  return std::string(HasWords(before) ? before : After(own, span.end));
}

}  // namespace sibyl::references
