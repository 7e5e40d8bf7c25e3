// SPDX-License-Identifier: Apache-2.0
#include "index/grep/grep.h"

#include <re2/re2.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "base/parallel.h"
#include "index/grep/candidate_passages.h"
#include "index/grep/match_order.h"
#include "index/grep/regex_literals.h"

namespace sibyl::index {
namespace {

// RE2's message without the pattern, which differs from what the user typed.
std::string WhatIsWrong(const RE2& regex) {
  const std::string& error = regex.error();
  return error.substr(0, error.rfind(": " + regex.error_arg()));
}

/// Finds the next matching line of a text.
class LineMatcher {
 public:
  static Result<LineMatcher> Make(const Pattern& pattern) {
    LineMatcher matcher;
    matcher.literal_ = pattern.text;
    if (pattern.syntax == PatternSyntax::kLiteral && pattern.letter_case == LetterCase::kMatters &&
        pattern.text.find('\n') == std::string::npos && !pattern.text.empty()) {
      return matcher;
    }
    RE2::Options options;
    options.set_log_errors(false);
    options.set_never_nl(true);
    options.set_case_sensitive(pattern.letter_case == LetterCase::kMatters);
    const bool is_literal = pattern.syntax == PatternSyntax::kLiteral;
    matcher.regex_ = std::make_shared<RE2>(
        "(?m:" + (is_literal ? RE2::QuoteMeta(pattern.text) : pattern.text) + ")", options);
    if (!matcher.regex_->ok()) {
      return Error{
          .kind = ErrorKind::kUsage,
          .message = "invalid pattern '" + pattern.text + "': " + WhatIsWrong(*matcher.regex_),
          .hint = "the syntax is RE2's; use -F for plain text",
          .place = std::nullopt};
    }
    return matcher;
  }

  struct Found {
    std::size_t begin = std::string_view::npos;
    std::size_t bytes = 0;
  };
  /// The next match at or after `from`; npos if there is none.
  Found Find(std::string_view text, std::size_t from) const {
    if (regex_ == nullptr) {
      const void* found =
          ::memmem(text.data() + from, text.size() - from, literal_.data(), literal_.size());
      if (found == nullptr) return {};
      return {.begin = static_cast<std::size_t>(static_cast<const char*>(found) - text.data()),
              .bytes = literal_.size()};
    }
    re2::StringPiece match;
    if (!regex_->Match(text, from, text.size(), RE2::UNANCHORED, &match, 1)) return {};
    return {.begin = static_cast<std::size_t>(match.data() - text.data()), .bytes = match.size()};
  }

 private:
  LineMatcher() = default;
  std::string literal_;
  std::shared_ptr<RE2> regex_;  // shared by the threads of a scan; null for plain text
};

/// Searches a range of a part's passages.
class PartGrep {
 public:
  PartGrep(const Segment& segment, const LineMatcher& matcher, std::size_t max_lines)
      : segment_(segment), text_(segment), matcher_(matcher), max_lines_(max_lines) {}

  /// Adjacent passages are searched as one text.
  void Search(std::uint32_t begin, std::uint32_t end, const std::vector<std::uint64_t>& bits) {
    const auto is_wanted = [&](std::uint32_t passage) {
      return bits.empty() || (bits[passage / 64] >> passage % 64 & 1) != 0;
    };
    for (std::uint32_t first = begin; first < end;) {
      if (!bits.empty() && bits[first / 64] >> first % 64 == 0) {
        first = (first / 64 + 1) * 64;
        continue;
      }
      if (!is_wanted(first)) {
        ++first;
        continue;
      }
      std::uint32_t last = first;
      while (last + 1 < end && is_wanted(last + 1) && Follows(last + 1)) ++last;
      SearchRun(first, last);
      if (lines_ > max_lines_) return;
      first = last + 1;
    }
  }

  std::vector<MatchedDocument> found;
  std::uint64_t searched = 0;
  std::size_t lines() const { return lines_; }

 private:
  bool Follows(std::uint32_t passage) const {
    const PassageRecord& here = segment_.passage(passage);
    const PassageRecord& before = segment_.passage(passage - 1);
    return here.document == before.document && here.text_block == before.text_block &&
           here.text_begin == before.text_begin + before.text_bytes;
  }

  void SearchRun(std::uint32_t first, std::uint32_t last) {
    searched += last - first + 1;
    PassageRecord run = segment_.passage(first);
    const PassageRecord& end = segment_.passage(last);
    if (end.text_begin + end.text_bytes < run.text_begin) return;
    run.text_bytes = end.text_begin + end.text_bytes - run.text_begin;
    const std::string_view text = text_.Get(run);
    std::uint32_t line = run.first_line;
    std::uint32_t passage = first;
    std::size_t counted = 0;
    for (std::size_t from = 0; from < text.size();) {
      const LineMatcher::Found found_match = matcher_.Find(text, from);
      const std::size_t match = found_match.begin;
      if (match == std::string_view::npos || match >= text.size()) return;
      const std::size_t newline = match == 0 ? std::string_view::npos : text.rfind('\n', match - 1);
      const std::size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
      line += static_cast<std::uint32_t>(
          std::count(text.begin() + static_cast<std::ptrdiff_t>(counted),
                     text.begin() + static_cast<std::ptrdiff_t>(begin), '\n'));
      counted = begin;
      const std::size_t line_end = std::min(text.find('\n', match), text.size());
      while (passage < last && segment_.passage(passage + 1).first_line <= line) ++passage;
      Add(passage, {.passage = passage,
                    .line = line,
                    .text = std::string(text.substr(begin, line_end - begin)),
                    .match = static_cast<std::uint32_t>(match - begin),
                    .match_bytes = static_cast<std::uint32_t>(found_match.bytes)});
      if (lines_ > max_lines_) return;
      from = line_end + 1;
    }
  }

  void Add(std::uint32_t passage, MatchedLine line) {
    const std::uint32_t document = segment_.passage(passage).document;
    if (found.empty() || found.back().document != document) {
      found.push_back({.part = 0, .document = document, .lines = {}});
    }
    found.back().lines.push_back(std::move(line));
    ++lines_;
  }

  const Segment& segment_;
  PassageText text_;
  const LineMatcher& matcher_;
  std::size_t max_lines_;
  std::size_t lines_ = 0;
};

// Small enough to balance the threads, large enough to be worth a thread.
constexpr std::uint32_t kShare = 2048;

void Collect(PartGrep& part_grep, std::uint32_t number, Matches& matches) {
  for (MatchedDocument& document : part_grep.found) {
    document.part = number;
    matches.line_count += document.lines.size();
    // The ranges of two threads may divide a document.
    if (!matches.documents.empty() && matches.documents.back().part == number &&
        matches.documents.back().document == document.document) {
      std::vector<MatchedLine>& lines = matches.documents.back().lines;
      std::move(document.lines.begin(), document.lines.end(), std::back_inserter(lines));
    } else {
      matches.documents.push_back(std::move(document));
    }
  }
  matches.searched_passages += part_grep.searched;
}

/// Searches the whole text of a part, on several threads.
std::vector<std::unique_ptr<PartGrep>> Scan(const Segment& segment, const LineMatcher& matcher,
                                            const Pattern& pattern,
                                            const std::vector<std::uint64_t>& bits) {
  const auto passages = static_cast<std::uint32_t>(segment.passage_count());
  const std::uint32_t shares = (passages + kShare - 1) / kShare;
  std::vector<std::unique_ptr<PartGrep>> results(shares);
  ForEachInParallel(shares, {.threads = pattern.threads}, [&](std::size_t number) {
    const auto share = static_cast<std::uint32_t>(number);
    results[share] = std::make_unique<PartGrep>(segment, matcher, pattern.max_lines);
    results[share]->Search(share * kShare, std::min(passages, (share + 1) * kShare), bits);
  });
  return results;
}

// Drops the lines beyond the limit.
void LimitLines(std::size_t max_lines, Matches& matches) {
  if (matches.line_count <= max_lines) return;
  matches.is_complete = false;
  std::size_t left = max_lines;
  std::size_t kept = 0;
  for (; kept < matches.documents.size() && left > 0; ++kept) {
    std::vector<MatchedLine>& lines = matches.documents[kept].lines;
    if (lines.size() > left) lines.resize(left);
    left -= lines.size();
  }
  matches.documents.resize(kept);
  matches.line_count = max_lines;
}

}  // namespace

Result<Matches> Grep(const Searcher& searcher, const Pattern& asked) {
  Pattern pattern = asked;
  const bool is_ordered = asked.order == MatchOrder::kRelevance;
  if (is_ordered) pattern.max_lines = std::max(asked.max_lines, kMostOrdered);
  const LineMatcher matcher = SIBYL_TRY(LineMatcher::Make(pattern));
  const bool is_literal = pattern.syntax == PatternSyntax::kLiteral;
  const std::string folded =
      pattern.letter_case == LetterCase::kIgnored ? "(?i)" + pattern.text : pattern.text;
  const LiteralRequirement requirement =
      is_literal && pattern.letter_case == LetterCase::kMatters ? RequiredLiteral(pattern.text)
      : is_literal ? RequiredLiterals("(?i)" + RE2::QuoteMeta(pattern.text))
                   : RequiredLiterals(folded);
  Matches matches;
  for (std::uint32_t number = 0; number < searcher.parts().size(); ++number) {
    const Searcher::Part& part = searcher.parts()[number];
    const std::vector<std::string>& sources = pattern.filter.sources;
    if (!sources.empty() &&
        std::find(sources.begin(), sources.end(), part.index->name()) == sources.end()) {
      continue;
    }
    const Segment& segment = part.part->segment;
    std::vector<std::uint64_t> bits =
        AllowedPassages(segment, pattern.filter, part.part->dead_documents);
    std::optional<std::vector<std::uint64_t>> candidates = CandidatePassages(segment, requirement);
    if (!candidates) {
      for (const auto& result : Scan(segment, matcher, pattern, bits)) {
        Collect(*result, number, matches);
      }
    } else {
      candidates->resize(segment.passage_count() / 64 + 1);
      for (std::size_t i = 0; i < std::min(bits.size(), candidates->size()); ++i) {
        (*candidates)[i] &= bits[i];
      }
      PartGrep part_grep(segment, matcher, pattern.max_lines);
      part_grep.Search(0, static_cast<std::uint32_t>(segment.passage_count()), *candidates);
      Collect(part_grep, number, matches);
    }
    if (matches.line_count > pattern.max_lines) break;
  }
  LimitLines(pattern.max_lines, matches);
  if (is_ordered) {
    OrderByRelevance(searcher, matches);
    LimitLines(asked.max_lines, matches);
  }
  return matches;
}

}  // namespace sibyl::index
