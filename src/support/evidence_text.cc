// SPDX-License-Identifier: Apache-2.0
#include "support/evidence_text.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <unordered_set>

#include "base/ascii.h"
#include "base/one_of.h"
#include "base/strings.h"

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

// "fsdp" of FullyShardedDataParallel; empty for a name of fewer than three parts.
std::string InitialsOf(const Token& name) {
  constexpr std::size_t kFewest = 3;
  std::string initials;
  if (name.parts.size() < kFewest) return initials;
  for (const std::string& part : name.parts) initials += part[0];
  return initials;
}

// "if x:", "else:", "public:"; not "The modes are:"
bool StartsBlock(std::string_view line) {
  constexpr std::array<std::string_view, 18> kWords = {
      "if",   "elif",    "else", "for",   "while",  "def",     "class",     "try",     "except",
      "with", "finally", "case", "async", "public", "private", "protected", "default", "match"};
  std::size_t end = 0;
  while (end < line.size() && IsNameByte(line[end])) ++end;
  return end == 0 || end + 1 >= line.size() || IsOneOf(line.substr(0, end), kWords);
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
  const bool is_block = line.ends_with(':') && StartsBlock(Trim(line));
  const bool is_prose = static_cast<std::size_t>(signs) <= kMostSigns && !is_block;
  return is_prose ? 0 : first;
}

}  // namespace

EvidenceText::EvidenceText(std::string_view lines, std::string_view context, Tokenizer& tokenizer)
    : lines_view_(lines),
      tokens_(tokenizer.OfSource(lines)),
      layout_(lines, tokens_),
      quantities_(ReadQuantities(lines, true)),
      hints_(ReadUnitHints(lines)) {
  const Lexicon& lexicon = Lexicon::Ours();
  bool is_list = false;  // "the following": what comes, not an order
  const auto add_stem = [&](const std::string& stem, const Token& token) {
    Entry& entry = stems_[stem];
    if (entry.by.empty()) entry.by = token.lower;
    Insert(entry.positions, token.position);
    for (const std::uint16_t group : lexicon.GroupsOf(stem)) {
      Entry& of_group = groups_[group];
      if (of_group.by.empty()) of_group.by = token.lower;
      Insert(of_group.positions, token.position);
    }
    if (is_list) return;
    for (const Pole pole : lexicon.PolesOf(stem, stem)) {
      Insert(poles_[{pole.axis, pole.is_left}], token.position);
    }
  };
  words_.reserve(tokens_.size());
  stems_.reserve(tokens_.size());
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    const Token& token = tokens_[i];
    is_list = i > 0 && ((token.lower == "following" && tokens_[i - 1].lower == "the") ||
                        (token.lower == "follows" && tokens_[i - 1].lower == "as"));
    Insert(words_[token.lower].positions, token.position);
    if (token.is_negation) negations_.push_back(token.position);
    add_stem(token.stem, token);
    for (const Pole pole : lexicon.PolesOf(token.lower, token.stem)) {
      if (is_list) break;
      Insert(poles_[{pole.axis, pole.is_left}], token.position);
    }
    for (const std::string& part : token.parts) add_stem(part, token);
    if (std::string initials = InitialsOf(token); !initials.empty()) {
      context_.insert(std::move(initials));
    }
  }
  ReadProse();
  for (const Token& token : tokenizer.OfSource(context)) {
    context_.insert(token.lower);
    context_.insert(token.stem);
    for (const std::string& part : token.parts) context_.insert(part);
    if (!token.parts.empty()) context_.insert(WithoutMarks(token.lower));
    if (std::string initials = InitialsOf(token); !initials.empty()) {
      context_.insert(std::move(initials));
    }
    for (const std::uint16_t group : lexicon.GroupsOf(token.stem)) {
      context_groups_.insert(group);
    }
  }
}

void EvidenceText::ReadProse() {
  constexpr std::size_t kMostLimits = 32;
  std::size_t token = 0;
  for (std::size_t begin = 0; begin < lines_view_.size();) {
    const std::size_t end = std::min(lines_view_.find('\n', begin), lines_view_.size());
    const std::size_t prose = begin + ProseOf(lines_view_.substr(begin, end - begin));
    for (; token < tokens_.size() && tokens_[token].begin < end; ++token) {
      if (tokens_[token].begin < prose) continue;
      if (tokens_[token].is_negation) prose_negations_.push_back(tokens_[token].position);
      const Strength strength = Lexicon::Ours().StrengthOf(tokens_[token].lower);
      hedges_ = hedges_ || strength == Strength::kHedge;
      has_condition_ = has_condition_ || strength == Strength::kCondition;
      const bool is_limit = strength == Strength::kHedge || strength == Strength::kCondition;
      if (is_limit && limits_.size() < kMostLimits) limits_.push_back(tokens_[token].position);
    }
    begin = end + 1;
  }
}

const EvidenceText::Entry* EvidenceText::Lookup(std::string_view stem) const {
  const auto found = stems_.find(stem);
  return found == stems_.end() ? nullptr : &found->second;
}

WordGround EvidenceText::Find(const Token& token) const {
  const Lexicon& lexicon = Lexicon::Ours();
  WordGround result;
  const auto take = [&](Ground ground, const std::vector<std::uint32_t>& positions,
                        std::string_view by) {
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
  const bool is_other_style =
      token.kind == TokenKind::kName && context_.contains(WithoutMarks(token.lower));
  if (context_.contains(token.lower) || context_.contains(token.stem) || is_other_style) {
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
    if (context_groups_.contains(group)) result.ground = Ground::kContext;
  }
  return result;
}

std::string_view EvidenceText::WordOfStem(std::string_view stem) const {
  const Entry* entry = Lookup(stem);
  return entry == nullptr ? std::string_view() : std::string_view(entry->by);
}

const std::vector<std::uint32_t>& EvidenceText::PositionsOf(Pole pole) const {
  static const std::vector<std::uint32_t> none;
  const auto found = poles_.find({pole.axis, pole.is_left});
  return found == poles_.end() ? none : found->second;
}

std::vector<std::uint32_t> EvidenceText::PositionsOf(const Quantity& said) const {
  std::vector<std::uint32_t> positions;
  for (const Quantity& quantity : quantities_) {
    if (Compare(said, quantity, hints_) == QuantityFit::kSame) {
      positions.push_back(PositionAt(quantity.begin));
    }
  }
  std::sort(positions.begin(), positions.end());
  return positions;
}

const std::vector<std::uint32_t>& EvidenceText::PositionsOfWord(const std::string& lower) const {
  static const std::vector<std::uint32_t> none;
  const auto found = words_.find(lower);
  return found == words_.end() ? none : found->second.positions;
}

bool EvidenceText::DeniesInCode() const {
  static const std::unordered_set<std::string_view> words = {
      "else",      "false",    "off",      "throw",       "throws",   "raise",
      "raises",    "except",   "pass",     "skip",        "skipped",  "skips",
      "ignore",    "ignored",  "ignores",  "bypass",      "empty",    "invalid",
      "undefined", "unless",   "ifndef",   "none",        "null",     "nullptr",
      "error",     "fail",     "fails",    "failed",      "fallback", "only",
      "except",    "disabled", "disable",  "drop",        "dropped",  "avoid",
      "avoids",    "prevent",  "prevents", "unsupported", "missing",  "lack",
      "lacks",     "instead",  "rather",   "deprecated",  "z"};
  return lines_view_.find('!') != std::string_view::npos ||
         std::any_of(tokens_.begin(), tokens_.end(), [](const Token& token) {
           return words.contains(token.lower) || token.lower.starts_with("not") ||
                  std::find(token.parts.begin(), token.parts.end(), "not") != token.parts.end() ||
                  std::find(token.parts.begin(), token.parts.end(), "no") != token.parts.end();
         });
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
