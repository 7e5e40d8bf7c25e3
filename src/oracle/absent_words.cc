// SPDX-License-Identifier: Apache-2.0
#include "oracle/absent_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/nearest_name.h"
#include "index/grep/grep.h"
#include "index/rank/searcher.h"
#include "oracle/source_index.h"

namespace sibyl::oracle {
namespace {

using evidence::AbsentCitation;
using evidence::SourceCitation;

constexpr std::string_view kAbsent = "absent:";

// The word, whole: in RE2's syntax.
std::string PatternOf(std::string_view word) {
  std::string pattern;
  if (IsNameByte(word.front())) pattern += "\\b";
  for (const char c : word) {
    if (!IsNameByte(c)) pattern += '\\';
    pattern += c;
  }
  if (IsNameByte(word.back())) pattern += "\\b";
  return pattern;
}

// The first place where it occurs.
std::string PlaceOf(const index::Searcher& searcher, const index::MatchedDocument& found) {
  const index::Searcher::Part& part = searcher.parts()[found.part];
  const index::Segment& segment = part.part->segment;
  for (const std::string_view path : segment.paths(segment.document(found.document))) {
    return fmt::format("{}:{}", path, found.lines.empty() ? 0 : found.lines.front().line);
  }
  return {};
}

}  // namespace

struct AbsentWords::Opened {
  explicit Opened(SourceIndexes given) : indexes(std::move(given)), searcher(indexes.Borrow()) {}

  SourceIndexes indexes;
  index::Searcher searcher;
};

std::optional<AbsentTarget> ParseAbsentTarget(std::string_view text) {
  if (!text.starts_with(kAbsent)) return std::nullopt;
  text.remove_prefix(kAbsent.size());
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || text.starts_with("swh:")) return std::nullopt;
  return AbsentTarget{.source = text.substr(0, colon), .word = text.substr(colon + 1)};
}

AbsentWords::AbsentWords(evidence::Lock lock, evidence::Surroundings around)
    : lock_(std::move(lock)), around_(std::move(around)) {}
AbsentWords::AbsentWords(AbsentWords&&) noexcept = default;
AbsentWords::~AbsentWords() = default;

Result<AbsentCitation> AbsentWords::Cite(const AbsentTarget& target) const {
  const auto pin =
      std::find_if(lock_.pins.begin(), lock_.pins.end(),
                   [&target](const evidence::Pin& each) { return each.name == target.source; });
  if (pin == lock_.pins.end() || !pin->tree) {
    std::vector<std::string> names;
    for (const evidence::Pin& each : lock_.pins) names.push_back(each.name);
    const auto nearest = NearestName(target.source, names);
    return Error{.kind = ErrorKind::kNotFound,
                 .message = fmt::format("no source named '{}' is pinned", target.source),
                 .hint = nearest ? fmt::format("did you mean '{}'?", *nearest) : std::string()};
  }
  if (!evidence::IsAbsentWord(target.word)) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = "an absence is cited of one word without blanks, at most 200 bytes",
                 .hint = "write absent:SOURCE:WORD"};
  }
  return AbsentCitation{
      .anchor = pin->commit ? SourceCitation::Anchor::kCommit : SourceCitation::Anchor::kTree,
      .anchor_id = pin->commit ? *pin->commit : *pin->tree,
      .origin = pin->origin,
      .word = std::string(target.word)};
}

Result<AbsentWords::Opened*> AbsentWords::Open(const evidence::Pin& pin) {
  std::unique_ptr<Opened>& opened = opened_[pin.name];
  if (opened == nullptr) {
    SourceIndexes indexes = SIBYL_TRY(OpenSourceIndexes(lock_, around_, {pin.name}));
    if (indexes.sources.empty()) {
      return Error{.kind = ErrorKind::kUnavailable,
                   .message = fmt::format("{} cannot be searched here", pin.name),
                   .hint = "'sibyl source sync' brings it"};
    }
    opened = std::make_unique<Opened>(std::move(indexes));
  }
  return opened.get();
}

gate::OtherAnswer AbsentWords::Resolve(const AbsentCitation& citation) {
  using statement::Verdict;
  const auto pin = std::find_if(
      lock_.pins.begin(), lock_.pins.end(),
      [&citation](const evidence::Pin& each) { return each.origin == citation.origin; });
  if (pin == lock_.pins.end()) {
    return {.verdict = Verdict::kAbsent,
            .message = fmt::format("nothing is pinned from {}", citation.origin)};
  }
  const Result<Opened*> opened = Open(*pin);
  const auto found = opened.ok() ? index::Grep((*opened)->searcher,
                                               {.text = PatternOf(citation.word), .max_lines = 1})
                                 : Result<index::Matches>(opened.error());
  if (!found.ok()) {
    return {.verdict = Verdict::kUndecidable,
            .message = "not checked: " + found.error().message,
            .reason = found.error().hint};
  }
  const std::string where = fmt::format("{}@{}", pin->name, evidence::ShortPin(*pin));
  if (!found->documents.empty()) {
    const index::MatchedDocument& first = found->documents.front();
    return {.verdict = Verdict::kContradicted,
            .message = fmt::format("{} occurs in {}", citation.word, where),
            .nearest = PlaceOf((*opened)->searcher, first),
            .where = where};
  }
  return {.verdict = Verdict::kSupported,
          .text = fmt::format("The name {} does not occur in {}.", citation.word, pin->name),
          .message = fmt::format("{} has no {}", where, citation.word),
          .where = where};
}

}  // namespace sibyl::oracle
