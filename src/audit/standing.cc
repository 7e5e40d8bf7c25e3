// SPDX-License-Identifier: Apache-2.0
#include "audit/standing.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/ascii.h"
#include "base/one_of.h"
#include "base/strings.h"
#include "base/whole_word.h"

namespace sibyl::audit {
namespace {

using statement::Statement;
using statement::StatementKind;

constexpr std::string_view kGone = "the text says that it is not there";
constexpr std::string_view kProposed = "the text proposes it";
constexpr std::string_view kPast = "the text says what it was before";

// What is said about a name right after it, or before it in its clause.
constexpr auto kGoneWords = std::to_array<std::string_view>({"gone",           "removed",
                                                             "dropped",        "deleted",
                                                             "renamed",        "no longer",
                                                             "does not exist", "do not exist",
                                                             "doesn't exist",  "don't exist",
                                                             "did not exist",  "didn't exist",
                                                             "never existed",  "there is no",
                                                             "there are no",   "there's no",
                                                             "there was no",   "is no",
                                                             "are no",         "no such",
                                                             "has no",         "have no",
                                                             "had no",         "lacks",
                                                             "lack",           "lacked",
                                                             "without",        "formerly",
                                                             "previously",     "used to",
                                                             "superseded",     "obsolete",
                                                             "nonexistent",    "non-existent",
                                                             "not exist",      "is missing",
                                                             "are missing",    "has been replaced",
                                                             "was replaced",   "were replaced",
                                                             "is replaced",    "are replaced",
                                                             "replaces",       "disappeared",
                                                             "went away",      "discontinued",
                                                             "not available",  "unavailable",
                                                             "not part of",    "not a member",
                                                             "not have",       "not define",
                                                             "not provide",    "not expose",
                                                             "old name",       "old names",
                                                             "deprecated and"});
constexpr auto kProposedWords = std::to_array<std::string_view>(
    {"proposed",       "proposes",        "propose",         "proposal",       "hypothetical",
     "imaginary",      "made-up",         "fictional",       "planned",        "would be called",
     "would be named", "could be called", "wishlist",        "not yet",        "we will add",
     "will be added",  "to be added",     "should be added", "could be added", "suggested name",
     "imagine",        "suppose"});
constexpr auto kPastWords = std::to_array<std::string_view>(
    {"used to",        "previously", "formerly",   "was once",     "in the past",
     "before it was",  "no longer",  "originally", "old default",  "old value",
     "former default", "until",      "would be",   "hypothetical", "proposed",
     "proposes",       "propose",    "planned",    "imagine",      "suppose"});
// The clause of what is not there ends before these.
constexpr auto kBreaks = std::to_array<std::string_view>(
    {"but",   "use",     "uses",   "using", "now",      "by",      "instead",
     "since", "because", "while",  "so",    "whereas",  "however", "still",
     "into",  "favor",   "favour", "call",  "see",      "as",      "to",
     "with",  "which",   "whose",  "when",  "although", "though",  "ask"});
// In headings, in headers of columns, and alone in a cell.
constexpr auto kTitleWords = std::to_array<std::string_view>(
    {"removed", "removals", "removal", "gone", "dropped", "deleted", "renamed", "renames", "former",
     "formerly", "obsolete", "old", "previous", "previously", "before", "missing", "nonexistent"});
constexpr auto kTitleProposals = std::to_array<std::string_view>(
    {"proposed", "proposal", "proposals", "planned", "roadmap", "wishlist", "hypothetical"});

bool HasAny(std::string_view lower, const auto& words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return FindWholeWord(lower, word).has_value(); });
}

// A word between a cue and a name that starts another clause; commas do, unless they part the
// items of a list.
bool HasBreak(const Statement& statement, std::size_t begin, std::size_t end) {
  const std::string lower = LowerCase(std::string_view(statement.text).substr(begin, end - begin));
  bool is_after_comma = false;
  for (std::size_t at = 0; at < lower.size();) {
    if (const statement::TextRun* run = statement::RunAt(statement, begin + at);
        run != nullptr && run->is_code) {
      at = std::max(run->end - begin, at + 1);
      is_after_comma = false;
      continue;
    }
    if (!IsNameByte(lower[at])) {
      if (lower[at] == ';') return true;
      is_after_comma = is_after_comma || lower[at] == ',';
      ++at;
      continue;
    }
    std::size_t word_end = at;
    while (word_end < lower.size() && IsNameByte(lower[word_end])) ++word_end;
    const std::string_view word = std::string_view(lower).substr(at, word_end - at);
    const bool is_link = word == "and" || word == "or" || word == "the" || word == "a";
    if (IsOneOf(word, kBreaks) || (is_after_comma && !is_link)) return true;
    at = word_end;
  }
  return false;
}

// "does not exist on old drivers": it does on others.
bool IsLimited(std::string_view lower, std::size_t cue_end) {
  constexpr auto kLimits = std::to_array<std::string_view>(
      {"exist on ", "exist in ", "exist before ", "exist for ", "exist until ", "available on ",
       "available in ", "available before ", "available for ", "available until "});
  return std::any_of(kLimits.begin(), kLimits.end(), [&](std::string_view limit) {
    const std::size_t word = limit.find(' ');
    return lower.substr(0, cue_end).ends_with(limit.substr(0, word)) &&
           lower.substr(cue_end).starts_with(limit.substr(word));
  });
}

// Whether a cue is said about the name at the byte: before it in the same clause, or after it with
// nothing but other names and small words between.
bool IsSaid(const Statement& statement, std::size_t offset, const auto& cues) {
  constexpr std::size_t kFar = 400;
  const std::string lower = LowerCase(statement.text);
  const statement::TextRun* run = statement::RunAt(statement, offset);
  const std::size_t name_end = run != nullptr && run->is_code ? run->end : offset;
  for (const std::string_view cue : cues) {
    for (auto at = FindWholeWord(lower, cue, offset > kFar ? offset - kFar : 0);
         at && *at < name_end + kFar; at = FindWholeWord(lower, cue, *at + cue.size())) {
      if (statement::IsCodeAt(statement, *at)) continue;
      const std::size_t end = *at + cue.size();
      if (end <= offset && !HasBreak(statement, end, offset)) return true;
      if (IsLimited(lower, end)) continue;
      // "there is no" and "without" are about what follows.
      const bool is_ahead_only = cue.ends_with("no") || cue.starts_with("without") ||
                                 cue.starts_with("lack") || cue == "used to";
      if (*at >= name_end && !is_ahead_only && !HasBreak(statement, name_end, *at)) return true;
    }
  }
  return false;
}

std::string_view OfTitle(std::string_view title) {
  const std::string lower = LowerCase(title);
  if (HasAny(lower, kTitleProposals)) return kProposed;
  // "Before you start" is no statement about names.
  return HasAny(lower, kTitleWords) && lower.find("before you") == std::string::npos
             ? kGone
             : std::string_view();
}

}  // namespace

StandingReader::StandingReader(const statement::Statements& statements) : statements_(statements) {
  const std::size_t none = statements.all.size();
  std::size_t sentence = none;
  for (std::size_t i = 0; i < statements.all.size(); ++i) {
    const Statement& here = statements.all[i];
    const bool is_listed = here.kind == StatementKind::kCell ||
                           here.kind == StatementKind::kColumn || here.kind == StatementKind::kItem;
    introductions_.push_back(is_listed ? sentence : none);
    if (here.kind == StatementKind::kSentence) sentence = i;
    if (here.kind == StatementKind::kHeading || here.kind == StatementKind::kCode) sentence = none;
  }
}

std::string_view StandingReader::OfHeading(std::size_t number) const {
  for (std::uint32_t heading = statements_.all[number].heading; heading != 0;
       heading = statements_.headings[heading].parent) {
    const std::string_view why = OfTitle(statements_.headings[heading].text);
    if (!why.empty()) return why;
  }
  return {};
}

std::string_view StandingReader::OfIntroduction(std::size_t number) const {
  const std::size_t lead = introductions_[number];
  if (lead >= statements_.all.size()) return {};
  const Statement& sentence = statements_.all[lead];
  const Statement& here = statements_.all[number];
  const bool introduces = here.kind == StatementKind::kCell || Trim(sentence.text).ends_with(':');
  if (!introduces || sentence.heading != here.heading) return {};
  const std::string lower = LowerCase(sentence.text);
  if (HasAny(lower, kProposedWords)) return kProposed;
  return HasAny(lower, kGoneWords) ? kGone : std::string_view();
}

std::string_view StandingReader::OfRow(std::size_t number) const {
  constexpr std::size_t kFurthest = 20;
  const Statement& here = statements_.all[number];
  if (here.kind != StatementKind::kCell) return {};
  if (!here.context.empty()) {
    if (const std::string_view why = OfTitle(here.context.front()); !why.empty()) return why;
  }
  const auto says = [&](std::size_t i) {
    const std::string lower = LowerCase(Trim(statements_.all[i].text));
    return std::any_of(kTitleWords.begin(), kTitleWords.end(),
                       [&](std::string_view word) { return lower.starts_with(word); }) ||
           lower.starts_with("no longer") || lower.starts_with("does not exist");
  };
  const auto is_row = [&](std::size_t i) {
    return statements_.all[i].kind == StatementKind::kCell &&
           statements_.all[i].group == here.group;
  };
  for (std::size_t i = number + 1;
       i < statements_.all.size() && i <= number + kFurthest && is_row(i); ++i) {
    if (says(i)) return kGone;
  }
  return {};
}

std::string_view StandingReader::WhyAbsent(std::size_t number, std::size_t offset) const {
  const Statement& here = statements_.all[number];
  if (!here.IsProse()) return {};
  if (IsSaid(here, offset, kProposedWords)) return kProposed;
  if (IsSaid(here, offset, kGoneWords)) return kGone;
  if (const std::string_view why = OfRow(number); !why.empty()) return why;
  if (const std::string_view why = OfIntroduction(number); !why.empty()) return why;
  return OfHeading(number);
}

std::string_view StandingReader::WhyPast(std::size_t number, std::size_t offset) const {
  const Statement& here = statements_.all[number];
  if (!here.IsProse()) return {};
  if (IsSaid(here, offset, kPastWords)) return kPast;
  if (here.kind == StatementKind::kCell && !here.context.empty() &&
      !OfTitle(here.context.front()).empty()) {
    return kPast;
  }
  return {};
}

}  // namespace sibyl::audit
