// SPDX-License-Identifier: Apache-2.0
// A benchmark of wrong answers would be worth nothing: the results are compared
// with those of slower ways that cannot go wrong.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>

#include "base/process/subprocess.h"
#include "folder_source.h"
#include "index/grep/grep.h"
#include "index/rank/looked_up_terms.h"
#include "index/rank/scorer.h"
#include "index/rank/searcher.h"
#include "index_searches.h"

namespace sibyl::bench {
namespace {

using Lines = std::set<std::string>;  // "path:number"

bool FindsTheSame(const index::Searcher& searcher, const std::string& text) {
  const index::Query query{.text = text};
  index::TopPassages pruned(query.limit);
  index::TopPassages exhaustive(query.limit);
  index::Scorer scorer;
  const std::vector<index::LookedUpTerm> terms = index::LookUpTerms(query, searcher.parts());
  for (std::uint32_t number = 0; number < searcher.parts().size(); ++number) {
    std::vector<index::WeightedPostings> weighted;
    for (const index::LookedUpTerm& term : terms) {
      if (term.whole_weight == 0) continue;
      weighted.push_back({.postings = term.postings[number], .weight = term.whole_weight});
    }
    const index::ScoredSegment segment{
        .segment = &searcher.parts()[number].part->segment, .number = number, .allowed = {}};
    scorer.Score(segment, weighted, pruned);
    index::ScoreExhaustively(segment, weighted, exhaustive);
  }
  const auto same = [](const index::ScoredPassage& a, const index::ScoredPassage& b) {
    return a.score == b.score && a.segment == b.segment && a.passage == b.passage;
  };
  const std::vector<index::ScoredPassage> found = pruned.Take();
  const std::vector<index::ScoredPassage> wanted = exhaustive.Take();
  return std::equal(found.begin(), found.end(), wanted.begin(), wanted.end(), same);
}

Lines OurLines(const index::Searcher& searcher, const std::string& pattern) {
  const Result<index::Matches> matches =
      index::Grep(searcher, {.text = pattern, .max_lines = 1'000'000});
  if (!matches.ok()) std::abort();
  Lines lines;
  for (const index::MatchedDocument& document : matches->documents) {
    const index::Segment& segment = searcher.parts()[document.part].part->segment;
    for (const std::string_view path : segment.paths(segment.document(document.document))) {
      for (const index::MatchedLine& line : document.lines) {
        lines.insert(fmt::format("{}:{}", path, line.line));
      }
    }
  }
  return lines;
}

// Of files that are in the index: ripgrep also looks into those that are too
// long for it, or binary.
Lines TheirLines(const IndexCorpus& corpus, const std::set<std::string_view>& paths,
                 const std::string& pattern) {
  Command command{.program = "rg",
                  .arguments = {"--no-ignore", "--hidden", "-a", "-n", "--no-heading", "-e",
                                pattern, corpus.folder.string()}};
  const Result<Outcome> outcome = RunProgram(command);
  Lines lines;
  if (!outcome.ok()) return lines;
  std::string_view rest = outcome->output;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    const std::size_t after_path = line.find(':');
    if (after_path == std::string_view::npos) continue;
    const std::size_t after_number = line.find(':', after_path + 1);
    const std::size_t begin = corpus.folder.string().size() + 1;
    const std::string_view path = line.substr(begin, after_path - begin);
    if (paths.count(path) > 0) lines.emplace(line.substr(begin, after_number - begin));
  }
  return lines;
}

bool HasRipgrep() {
  const Result<Outcome> outcome = RunProgram(Command{.program = "rg", .arguments = {"--version"}});
  return outcome.ok() && outcome->succeeded();
}

}  // namespace

bool CheckResults(const IndexCorpus& corpus) {
  const Result<index::Index> index = index::Index::Open(corpus.manifest(), corpus.work, "corpus");
  if (!index.ok()) std::abort();
  const index::Searcher searcher({&*index});
  bool is_right = true;
  for (const char* query : kQueries) {
    if (FindsTheSame(searcher, query)) continue;
    fmt::print("WRONG: not the best passages: {}\n", query);
    is_right = false;
  }
  if (!HasRipgrep()) {
    fmt::print("ripgrep is not here to compare lines with (apt install ripgrep)\n");
    return is_right;
  }
  std::set<std::string_view> paths;
  for (const index::Searcher::Part& part : searcher.parts()) {
    for (std::uint32_t i = 0; i < part.part->segment.document_count(); ++i) {
      for (const std::string_view path : part.part->segment.paths(part.part->segment.document(i))) {
        paths.insert(path);
      }
    }
  }
  for (const char* pattern : kPatterns) {
    const Lines ours = OurLines(searcher, pattern);
    const Lines theirs = TheirLines(corpus, paths, pattern);
    if (ours == theirs) continue;
    fmt::print("WRONG: {} lines, ripgrep {}: {}\n", ours.size(), theirs.size(), pattern);
    is_right = false;
  }
  return is_right;
}

}  // namespace sibyl::bench
