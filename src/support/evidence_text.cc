// SPDX-License-Identifier: Apache-2.0
#include "support/evidence_text.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "base/ascii.h"

namespace sibyl::support {
namespace {

// A word that is everywhere is near everything: the first places are enough.
constexpr std::size_t kMostPositions = 200;

void Insert(std::vector<std::uint32_t>& positions, std::uint32_t position) {
  if (positions.size() >= kMostPositions) return;
  if (positions.empty() || positions.back() < position) positions.push_back(position);
}

void Unite(std::vector<std::uint32_t>& positions, const std::vector<std::uint32_t>& more) {
  std::vector<std::uint32_t> all;
  std::set_union(positions.begin(), positions.end(), more.begin(), more.end(),
                 std::back_inserter(all));
  positions = std::move(all);
}

// "seqlen" begins with "seq", "configuration" with "config".
bool IsShortened(std::string_view one, std::string_view other) {
  const std::string_view small = one.size() < other.size() ? one : other;
  const std::string_view large = one.size() < other.size() ? other : one;
  constexpr std::size_t kFewest = 3;
  if (small.size() < kFewest || small.size() == large.size()) return false;
  if (large.starts_with(small)) return small.size() >= 4 || large.size() >= 6;
  constexpr std::size_t kInside = 5;
  return small.size() >= kInside && large.find(small) != std::string_view::npos;
}

// Where the prose of a line begins: after the mark of a comment, at its start
// if it does not look like code, else at its end.
std::size_t ProseOf(std::string_view line) {
  std::size_t first = line.size();
  for (const std::string_view mark : {"//", "# ", "/*", "* "}) {
    first = std::min(first, line.find(mark));
  }
  constexpr std::size_t kMostSigns = 2;
  const auto signs = std::count_if(line.begin(), line.end(), [](char c) {
    return std::string_view("(){}[];=<>&|$").find(c) != std::string_view::npos;
  });
  const bool is_prose = static_cast<std::size_t>(signs) <= kMostSigns && !line.ends_with(':');
  return is_prose ? 0 : first;
}

}  // namespace

std::string_view GroundName(Ground ground) {
  constexpr std::array<std::string_view, 6> kNames = {"none",    "context", "shortened",
                                                      "synonym", "form",    "word"};
  return kNames[static_cast<std::size_t>(ground)];
}

EvidenceText::EvidenceText(std::string_view lines, std::string_view context, Tokenizer& tokenizer)
    : lines_view_(lines),
      tokens_(tokenizer.OfSource(lines)),
      quantities_(ReadQuantities(lines, true)),
      hints_(ReadUnitHints(lines)) {
  const Lexicon& lexicon = Lexicon::Ours();
  const auto add_stem = [&](const std::string& stem, const Token& token) {
    Entry& entry = stems_[stem];
    if (entry.by.empty()) entry.by = token.lower;
    Insert(entry.positions, token.position);
    for (const std::uint16_t group : lexicon.GroupsOf(stem)) {
      Entry& of_group = groups_[group];
      if (of_group.by.empty()) of_group.by = token.lower;
      Insert(of_group.positions, token.position);
    }
    for (const Pole pole : lexicon.PolesOf(stem, stem)) {
      Insert(poles_[{pole.axis, pole.is_left}], token.position);
    }
  };
  for (const Token& token : tokens_) {
    Insert(words_[token.lower].positions, token.position);
    if (token.is_negation) negations_.push_back(token.position);
    add_stem(token.stem, token);
    for (const Pole pole : lexicon.PolesOf(token.lower, token.stem)) {
      Insert(poles_[{pole.axis, pole.is_left}], token.position);
    }
    for (const std::string& part : token.parts) add_stem(part, token);
  }
  ReadProse();
  for (const Token& token : tokenizer.OfSource(context)) {
    context_.insert(token.lower);
    context_.insert(token.stem);
    for (const std::string& part : token.parts) context_.insert(part);
    for (const std::uint16_t group : lexicon.GroupsOf(token.stem)) {
      context_.insert("#" + std::to_string(group));
    }
  }
}

void EvidenceText::ReadProse() {
  std::size_t token = 0;
  for (std::size_t begin = 0; begin < lines_view_.size();) {
    const std::size_t end = std::min(lines_view_.find('\n', begin), lines_view_.size());
    const std::size_t prose = begin + ProseOf(lines_view_.substr(begin, end - begin));
    for (; token < tokens_.size() && tokens_[token].begin < end; ++token) {
      if (tokens_[token].begin < prose) continue;
      const Strength strength = Lexicon::Ours().StrengthOf(tokens_[token].lower);
      hedges_ = hedges_ || strength == Strength::kHedge;
      has_condition_ = has_condition_ || strength == Strength::kCondition;
    }
    begin = end + 1;
  }
}

const EvidenceText::Entry* EvidenceText::Lookup(const std::string& stem) const {
  const auto found = stems_.find(stem);
  return found == stems_.end() ? nullptr : &found->second;
}

WordGround EvidenceText::Find(const Token& token) const {
  const Lexicon& lexicon = Lexicon::Ours();
  WordGround result;
  const auto take = [&](Ground ground, const std::vector<std::uint32_t>& positions,
                        const std::string& by) {
    if (ground > result.ground) {
      result.ground = ground;
      result.by = by;
    }
    Unite(result.positions, positions);
  };
  if (const auto word = words_.find(token.lower); word != words_.end()) {
    take(Ground::kWord, word->second.positions, token.lower);
  }
  if (const Entry* entry = Lookup(token.stem)) take(Ground::kForm, entry->positions, entry->by);
  for (const std::uint16_t group : lexicon.GroupsOf(token.stem)) {
    if (const auto found = groups_.find(group); found != groups_.end()) {
      take(Ground::kSynonym, found->second.positions, found->second.by);
    }
  }
  if (result.ground != Ground::kNone) return result;
  // A name whose parts are all there.
  if (!token.parts.empty()) {
    std::vector<const Entry*> parts;
    for (const std::string& part : token.parts) parts.push_back(Lookup(part));
    if (std::none_of(parts.begin(), parts.end(), [](const Entry* e) { return e == nullptr; })) {
      for (const Entry* entry : parts) take(Ground::kForm, entry->positions, entry->by);
      return result;
    }
  }
  if (context_.contains(token.lower) || context_.contains(token.stem)) {
    result.ground = Ground::kContext;
    return result;
  }
  // "newest" is not a longer form of "new".
  const bool has_opposite = !lexicon.PolesOf(token.lower, token.stem).empty();
  constexpr std::size_t kMostStems = 5000;
  for (const auto& [stem, entry] : stems_) {
    if (has_opposite || stems_.size() > kMostStems) break;
    if (IsShortened(stem, token.stem) && !IsDigit(stem[0])) {
      take(Ground::kShortened, entry.positions, entry.by);
    }
  }
  if (result.ground != Ground::kNone) return result;
  for (const std::uint16_t group : lexicon.GroupsOf(token.stem)) {
    if (context_.contains("#" + std::to_string(group))) result.ground = Ground::kContext;
  }
  return result;
}

const std::vector<std::uint32_t>& EvidenceText::PositionsOf(Pole pole) const {
  static const std::vector<std::uint32_t> none;
  const auto found = poles_.find({pole.axis, pole.is_left});
  return found == poles_.end() ? none : found->second;
}

bool EvidenceText::IsNegatedAt(const std::vector<std::uint32_t>& positions) const {
  constexpr std::uint32_t kReach = 4;
  for (const std::uint32_t position : positions) {
    for (const std::uint32_t negation : negations_) {
      if ((position < negation ? negation - position : position - negation) <= kReach) return true;
    }
  }
  return false;
}

std::uint32_t EvidenceText::PositionAt(std::size_t byte) const {
  const auto after = std::upper_bound(tokens_.begin(), tokens_.end(), byte,
                                      [](std::size_t at, const Token& t) { return at < t.begin; });
  return after == tokens_.begin() ? 0 : (after - 1)->position;
}

}  // namespace sibyl::support
