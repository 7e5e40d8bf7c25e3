// SPDX-License-Identifier: Apache-2.0
#include "references/place/claimed_place.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "references/past/line_map.h"
#include "references/sighting.h"
#include "references/word_index.h"

namespace sibyl::references {
namespace {

using NameKind = ClaimedName::Kind;

constexpr std::size_t kTellingName = 5;

std::optional<LineRange> TypeOrFunction(std::string_view name, const CodeFile& file) {
  const DefinitionPlace* only = OnlyDefinition(file.UsesOf(name));
  if (only == nullptr || only->kind == DefinitionPlace::Kind::kMember) return std::nullopt;
  return only->lines;
}

// As many lines as are cited, from the only place of the text.
std::optional<LineRange> OnlyPlace(const Reference& reference, std::string_view text,
                                   const CodeFile& file) {
  const std::vector<std::size_t>& lines = file.LinesWith(text);
  if (lines.size() != 1) return std::nullopt;
  return LineRange{lines[0], lines[0] + reference.lines.last - reference.lines.first};
}

// Names that are defined on a line.
std::vector<std::string> DefinedOn(const CodeFile& file, std::size_t line) {
  std::vector<std::string> names;
  const std::string_view text = file.Line(line);
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && IsNameByte(text[end])) ++end;
    const std::string_view name = text.substr(at, end - at);
    at = std::max(end, at + 1);
    if (name.size() < 3 || !IsNameStart(name[0])) continue;
    const DefinitionPlace* only = OnlyDefinition(file.UsesOf(name));
    if (only == nullptr || only->lines.first != line) continue;
    if (only->kind != DefinitionPlace::Kind::kMember) names.emplace_back(name);
  }
  return names;
}

bool SharesStem(std::string_view name, const std::vector<std::string>& stems) {
  const std::vector<std::string> parts = ContentStems(name);
  return std::any_of(parts.begin(), parts.end(), [&](const std::string& part) {
    return std::find(stems.begin(), stems.end(), part) != stems.end();
  });
}

}  // namespace

bool IsDescribedThere(const Reference& reference, const CodeFile& file) {
  constexpr std::size_t kShortest = 4;
  const LineRange start = Widened({reference.lines.first, reference.lines.first});
  for (std::size_t line = start.first; line <= std::min(start.last, file.line_count()); ++line) {
    for (const std::string& defined : DefinedOn(file, line)) {
      const std::vector<std::string> all = ContentStems(defined);
      for (const ClaimedName& name : reference.claim.names) {
        if (!name.is_own || name.kind != NameKind::kName || name.text.size() < kShortest) continue;
        const std::vector<std::string> parts = ContentStems(name.text);
        const auto is_part = [&](const std::string& part) {
          return std::find(all.begin(), all.end(), part) != all.end();
        };
        if (!parts.empty() && std::all_of(parts.begin(), parts.end(), is_part)) return true;
      }
    }
  }
  return false;
}

std::optional<LineRange> FindDescribed(const Reference& reference, const CodeFile& then,
                                       const CodeFile& now) {
  constexpr std::size_t kMostLines = 200;
  const std::vector<std::string> stems = ContentStems(reference.claim.prose);
  const std::size_t last =
      std::min({reference.lines.last, then.line_count(), reference.lines.first + kMostLines});
  std::string described;
  for (std::size_t line = reference.lines.first; line <= last; ++line) {
    for (std::string& name : DefinedOn(then, line)) {
      if (!SharesStem(name, stems)) continue;
      if (!described.empty()) return std::nullopt;
      described = std::move(name);
    }
  }
  return described.empty() ? std::nullopt : TypeOrFunction(described, now);
}

std::string DefinedThere(const CodeFile& file, std::size_t line) {
  std::vector<std::string> names = DefinedOn(file, line);
  return names.size() == 1 ? std::move(names.front()) : std::string();
}

const ClaimedName* FindName(const Claim& claim, std::string_view symbol) {
  const auto named =
      std::find_if(claim.names.begin(), claim.names.end(), [&](const ClaimedName& name) {
        return name.text == symbol && name.kind == NameKind::kName && !name.is_part;
      });
  return named == claim.names.end() ? nullptr : &*named;
}

std::optional<LineRange> FindDefined(const Reference& reference, std::string_view symbol,
                                     const CodeFile& file) {
  const Claim& claim = reference.claim;
  for (const ClaimedName& name : claim.names) {
    if (!name.is_own || name.is_part || name.kind != NameKind::kName) continue;
    if (name.distance > kNextTo) break;
    if (const auto place = TypeOrFunction(name.text, file)) return place;
  }
  if (FindName(claim, symbol) != nullptr) {
    if (const auto place = TypeOrFunction(symbol, file)) return place;
  }
  return std::nullopt;
}

std::optional<LineRange> FindQuoted(const Reference& reference, const CodeFile& file) {
  // A line that is found votes for the place where the quotation would start.
  struct Vote {
    std::size_t start = 0;
    std::size_t line = 0;
  };
  std::vector<Vote> votes;
  std::size_t index = 0;
  std::size_t quoted = 0;
  for (const ClaimedName& name : reference.claim.names) {
    if (name.kind != NameKind::kBlock) continue;
    ++quoted;
    for (const std::size_t line : file.LinesWith(name.text)) {
      votes.push_back({line > index ? line - index : 1, line});
    }
    ++index;
  }
  std::sort(votes.begin(), votes.end(),
            [](const Vote& a, const Vote& b) { return a.line < b.line; });
  const std::size_t size = 2 * quoted + 2;
  std::size_t best = 0;
  std::size_t second = 0;
  std::size_t place = 0;
  LineRange window;
  for (std::size_t first = 0, end = 0; first < votes.size(); ++first) {
    while (end < votes.size() && votes[end].line < votes[first].line + size) ++end;
    const std::size_t count = end - first;
    const bool is_same = place != 0 && votes[first].line < place + size;
    if (count > best) {
      if (!is_same) second = best;
      best = count;
      place = votes[first].start;
      window = {votes[first].line, votes[first].line + size};
    } else if (!is_same) {
      second = std::max(second, count);
    }
  }
  // One line of several may be anywhere.
  if (best == 0 || best == second || (best == 1 && quoted > 1)) return std::nullopt;
  // Lines may be left out of a quotation: it starts where its first line is.
  const auto is_block = [](const ClaimedName& name) { return name.kind == NameKind::kBlock; };
  const auto opening =
      std::find_if(reference.claim.names.begin(), reference.claim.names.end(), is_block);
  std::size_t start = 0;
  for (const std::size_t line : file.LinesWith(opening->text)) {
    if (line < window.first || line >= window.last) continue;
    if (start != 0) return std::nullopt;
    start = line;
  }
  if (start == 0) {
    // Its first line is gone: the others must agree where it was.
    const bool agree = std::all_of(votes.begin(), votes.end(), [&](const Vote& vote) {
      return vote.line < window.first || vote.line >= window.last || vote.start == place;
    });
    if (!agree || 2 * best < quoted) return std::nullopt;
    start = place;
  }
  return LineRange{start, start + reference.lines.last - reference.lines.first};
}

std::optional<LineRange> FindSimilar(std::string_view line, std::string_view symbol,
                                     const CodeFile& now) {
  constexpr double kAlike = 0.5;
  constexpr double kClearly = 0.15;
  constexpr std::size_t kMostLines = 500;
  const std::vector<std::size_t>& uses = now.UsesOf(symbol).lines;
  if (uses.empty() || uses.size() > kMostLines) return std::nullopt;
  double best = 0;
  double second = 0;
  std::size_t found = 0;
  for (const std::size_t use : uses) {
    const double alike = Likeness(line, now.Line(use));
    if (alike > best) {
      second = std::exchange(best, alike);
      found = use;
    } else {
      second = std::max(second, alike);
    }
  }
  if (best < kAlike || best - second < kClearly) return std::nullopt;
  return LineRange{found, found};
}

std::optional<LineRange> FindNamed(const Reference& reference, std::string_view symbol,
                                   const CodeFile& file) {
  if (symbol.empty()) return std::nullopt;
  if (FindName(reference.claim, symbol) == nullptr) return OnlyPlace(reference, symbol, file);
  const NameUses& uses = file.UsesOf(symbol);
  if (const DefinitionPlace* only = OnlyDefinition(uses)) return only->lines;
  // A word such as `pass` may be on one line for any reason.
  const bool is_telling =
      symbol.size() >= kTellingName &&
      std::any_of(symbol.begin(), symbol.end(), [](char c) { return c == '_' || IsUpper(c); });
  if (uses.lines.size() != 1 || !is_telling || IsCommentLine(file.Line(uses.lines[0]))) {
    return std::nullopt;
  }
  return LineRange{uses.lines[0], uses.lines[0]};
}

}  // namespace sibyl::references
