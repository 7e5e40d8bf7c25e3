// SPDX-License-Identifier: Apache-2.0
#include "draft/extract/declarations.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "index/document_traits.h"
#include "index/grep/grep.h"
#include "index/words/term_forms.h"

namespace sibyl::draft {
namespace {

constexpr std::size_t kMostLines = 400;
constexpr std::size_t kMostDeclarations = 6;
constexpr std::size_t kShortestName = 6;  // shorter ones cannot be looked up, only scanned for

bool IsIdentifier(std::string_view name) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return name.size() >= kShortestName && is_letter(name.front()) &&
         std::all_of(name.begin(), name.end(),
                     [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

// The text before the name in a line that declares it, in the languages that
// builds and kernels are written in.
std::string PatternOf(std::string_view name) {
  return fmt::format(
      R"((\b(option|cmake_dependent_option|OPTION)\s*\(\s*{0}\b)|)"
      R"((\bset\s*\(\s*{0}\b.*\bCACHE\b)|)"
      R"((#\s*define\s+{0}\b)|)"
      R"((\b(class|struct|enum|union|def|using|namespace|function|macro|typedef)\s+)"
      R"((class\s+|struct\s+)?\(?{0}\b)|)"
      R"((\b(getenv|environ\.get|check_env_flag|check_negative_env_flag)\s*\(\s*["']{0}["'])|)"
      R"((\benviron\s*\[\s*["']{0}["'])|)"
      R"((^\s*(ENV|ARG|export)\s+{0}\b))",
      name);
}

// A very frequent name is a product's name or a common word; checking all its
// places would take too long.
bool IsTelling(std::string_view name, const index::Searcher& searcher) {
  constexpr std::size_t kMostPassages = 1'200;
  std::string lower;
  index::AppendLower(name, lower);
  std::size_t passages = 0;
  for (const index::Searcher::Part& part : searcher.parts()) {
    if (const auto postings = part.part->segment.Find(lower)) passages += postings->passage_count;
  }
  return passages > 0 && passages <= kMostPassages;
}

struct Declaration {
  index::PassageRef passage;
  int remoteness = 0;  // tests and copies last
  std::size_t depth = 0;
};

int RemotenessOf(const index::DocumentRecord& document) {
  const auto traits = index::DocumentTraits::FromBits(document.traits);
  return (traits.is_test ? 4 : 0) + (traits.is_vendored ? 2 : 0) + (traits.is_generated ? 2 : 0) +
         (traits.is_changelog ? 4 : 0);
}

index::Hit HitOf(const index::Searcher& searcher, index::PassageRef place) {
  const index::Searcher::Part& part = searcher.parts()[place.part];
  const index::Segment& segment = part.part->segment;
  const index::PassageRecord& passage = segment.passage(place.passage);
  index::Hit hit{.passage = place,
                 .source_view = part.index->name(),
                 .heading_view = segment.heading(passage),
                 .first_line = passage.first_line,
                 .last_line = passage.last_line,
                 .kind = static_cast<index::PassageKind>(passage.kind)};
  const index::DocumentRecord* document = segment.document_of(place.passage);
  if (document == nullptr) return hit;
  hit.blob.bytes = document->blob;
  hit.language_view = segment.language(*document);
  hit.path_view = segment.path(*document);
  return hit;
}

}  // namespace

std::vector<index::Hit> DeclarationsOf(std::string_view name, const index::Searcher& searcher) {
  if (!IsIdentifier(name) || !IsTelling(name, searcher)) return {};
  const auto found =
      index::Grep(searcher, {.text = PatternOf(name), .max_lines = kMostLines, .threads = 1});
  if (!found.ok()) return {};
  std::vector<Declaration> declarations;
  for (const index::MatchedDocument& document : found->documents) {
    const index::Segment& segment = searcher.parts()[document.part].part->segment;
    const index::DocumentRecord& record = segment.document(document.document);
    const std::string_view path = segment.path(record);
    for (const index::MatchedLine& line : document.lines) {
      const index::PassageRef place{.part = document.part, .passage = line.passage};
      if (!declarations.empty() && declarations.back().passage.part == place.part &&
          declarations.back().passage.passage == place.passage) {
        continue;
      }
      declarations.push_back(
          {.passage = place,
           .remoteness = RemotenessOf(record),
           .depth = static_cast<std::size_t>(std::count(path.begin(), path.end(), '/'))});
    }
  }
  std::stable_sort(declarations.begin(), declarations.end(),
                   [](const Declaration& a, const Declaration& b) {
                     return std::tuple(a.remoteness, a.depth) < std::tuple(b.remoteness, b.depth);
                   });
  if (declarations.size() > kMostDeclarations) declarations.resize(kMostDeclarations);
  std::vector<index::Hit> hits;
  hits.reserve(declarations.size());
  for (const Declaration& declaration : declarations) {
    hits.push_back(HitOf(searcher, declaration.passage));
  }
  return hits;
}

}  // namespace sibyl::draft
