// SPDX-License-Identifier: Apache-2.0
#include "audit/near_duplicate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/ascii.h"
#include "base/strings.h"
#include "statement/atom.h"

namespace sibyl::audit {
namespace {

// With fewer words, matches are accidental.
constexpr std::size_t kMinWords = 5;
constexpr std::size_t kPassages = 2;
constexpr std::size_t kMaxSentence = 600;
constexpr std::size_t kMaxWords = 200;  // of a sentence that can have a near duplicate

struct Token {
  std::string text;  // in lower case
  std::size_t offset = 0;
  bool is_number = false;
};

std::vector<Token> Tokens(std::string_view text) {
  std::vector<Token> tokens;
  for (std::size_t at = 0; at < text.size();) {
    if (!IsDigit(text[at]) && !IsNameStart(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    bool is_number = IsDigit(text[at]) && (at == 0 || (text[at - 1] != '.' && text[at - 1] != '-'));
    while (end < text.size() && (IsDigit(text[end]) || IsNameStart(text[end]) ||
                                 ((text[end] == '.' || text[end] == ',') && is_number &&
                                  end + 1 < text.size() && IsDigit(text[end + 1])))) {
      is_number = is_number && !IsNameStart(text[end]);
      ++end;
    }
    std::string word = LowerCase(text.substr(at, end - at));
    std::erase(word, ',');
    tokens.push_back({.text = std::move(word), .offset = at, .is_number = is_number});
    at = end;
  }
  return tokens;
}

// Content words, truncated so that "launch" and "launches" are equal.
std::set<std::string> MeaningOf(const std::vector<Token>& tokens) {
  constexpr std::array<std::string_view, 16> kEmpty = {
      "that", "this", "with", "from", "have", "when", "which", "will",
      "than", "then", "they", "into", "only", "also", "more",  "used"};
  std::set<std::string> words;
  for (const Token& token : tokens) {
    if (token.is_number || token.text.size() < 4) continue;
    if (std::find(kEmpty.begin(), kEmpty.end(), token.text) != kEmpty.end()) continue;
    words.insert(token.text.substr(0, 6));
  }
  return words;
}

// The sentences of a passage, with line breaks and the marks of comments gone.
std::vector<std::string> Sentences(std::string_view passage) {
  std::vector<std::string> sentences;
  std::string sentence;
  const auto finish = [&] {
    if (sentence.size() > 20 && sentence.size() < kMaxSentence) sentences.push_back(sentence);
    sentence.clear();
  };
  for (std::string_view line : SplitLines(passage)) {
    line = Trim(line);
    const std::size_t begin = line.find_first_not_of("#*/>|- \t");
    if (begin == line.npos) {
      finish();
      continue;
    }
    if (begin > 0 && (line[0] == '-' || (line[0] == '*' && line.size() > 2 && sentence.empty()))) {
      finish();
    }
    line = line.substr(begin);
    for (std::size_t at = 0; at < line.size(); ++at) {
      sentence += line[at];
      const bool ends = line[at] == '.' && (at + 1 == line.size() || line[at + 1] == ' ');
      if (ends) finish();
    }
    sentence += ' ';
    if (sentence.size() > kMaxSentence) finish();
  }
  finish();
  return sentences;
}

bool AreNearDuplicates(const std::set<std::string>& a, const std::set<std::string>& b) {
  std::size_t common = 0;
  for (const std::string& word : a) common += b.contains(word) ? 1 : 0;
  return common * 4 >= a.size() * 3 && common * 5 >= b.size() * 3;
}

std::string_view Neighbour(const std::vector<Token>& tokens, std::size_t at, std::ptrdiff_t step) {
  const auto there = static_cast<std::ptrdiff_t>(at) + step;
  if (there < 0 || there >= static_cast<std::ptrdiff_t>(tokens.size())) return {};
  return tokens[static_cast<std::size_t>(there)].text;
}

// The numbers of the other sentence in the same position: same word before, or
// same word after.
std::vector<std::string> Counterparts(const std::vector<Token>& ours, std::size_t at,
                                      const std::vector<Token>& theirs) {
  std::vector<std::string> found;
  for (std::size_t i = 0; i < theirs.size(); ++i) {
    if (!theirs[i].is_number) continue;
    const std::string_view before = Neighbour(ours, at, -1);
    const std::string_view behind = Neighbour(ours, at, 1);
    const bool same_before = !before.empty() && before == Neighbour(theirs, i, -1);
    const bool same_behind = !behind.empty() && behind == Neighbour(theirs, i, 1);
    if (same_before || same_behind) found.push_back(theirs[i].text);
  }
  return found;
}

// The text of a statement, without file names.
struct Claim {
  std::string text;  // paths replaced by spaces, so that offsets stay
  std::vector<Token> tokens;
  std::set<std::string> meaning;
  std::vector<std::string> subjects;
  std::vector<Witness::File> files;
};

Claim ReadClaim(const statement::Statement& statement, const Witness& witness) {
  constexpr std::size_t kMostFiles = 3;
  Claim claim = {.text = statement.text};
  for (const statement::Atom& atom : statement::ExtractAtoms(statement)) {
    if (atom.kind != statement::AtomKind::kPath) continue;
    claim.text.replace(atom.offset, atom.text.size(), atom.text.size(), ' ');
    if (claim.files.size() > kMostFiles) continue;
    std::vector<Witness::File> files = witness.FindFiles(atom.text);
    if (files.size() <= kMostFiles) {
      claim.files.insert(claim.files.end(), files.begin(), files.end());
    }
  }
  for (const std::string_view words : {"According to", "according to"}) {
    const std::size_t at = claim.text.find(words);
    if (at != std::string::npos) claim.text.replace(at, words.size(), words.size(), ' ');
  }
  claim.tokens = Tokens(claim.text);
  claim.meaning = MeaningOf(claim.tokens);
  claim.subjects = SubjectsIn(claim.text);
  return claim;
}

std::vector<JudgedNumber> CompareNumbers(const std::vector<Token>& ours,
                                         const std::vector<Token>& theirs,
                                         const Witness::Found& duplicate) {
  std::vector<JudgedNumber> judged;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    if (!ours[i].is_number) continue;
    const std::vector<std::string> counterparts = Counterparts(ours, i, theirs);
    const bool is_there = std::any_of(theirs.begin(), theirs.end(), [&](const Token& other) {
      return other.text == ours[i].text;
    });
    if (!is_there && counterparts.size() != 1) continue;
    statement::Judgement judgement = {.verdict = statement::Verdict::kSupported,
                                      .code = "number/ungrounded",
                                      .kind = "number",
                                      .text = ours[i].text,
                                      .message = "found in a nearly identical sentence",
                                      .where = duplicate.where,
                                      .reason = "a sentence in a source has nearly the same words"};
    if (!is_there) {
      judgement.verdict = statement::Verdict::kContradicted;
      judgement.nearest = counterparts.front();
      judgement.message = fmt::format("a nearly identical sentence in a source says {}: \"{}\"",
                                      counterparts.front(), Trim(duplicate.text));
    }
    judged.push_back({.judgement = std::move(judgement), .offset = ours[i].offset});
  }
  return judged;
}

// The votes of several near-duplicates on one number. One that has the number
// supports it, whatever the others have; if they disagree, nothing is decided.
class DuplicateVotes {
 public:
  void Add(std::vector<JudgedNumber> judged) {
    for (JudgedNumber& one : judged) {
      const auto [entry, is_new] = votes_.try_emplace(one.offset, Vote{.judged = one});
      if (is_new) continue;
      Vote& vote = entry->second;
      if (vote.judged.judgement.verdict == statement::Verdict::kSupported) continue;
      if (one.judgement.verdict == statement::Verdict::kSupported) {
        vote = {.judged = std::move(one)};
      } else if (one.judgement.nearest != vote.judged.judgement.nearest) {
        vote.is_disputed = true;
      }
    }
  }

  std::vector<JudgedNumber> Take() {
    std::vector<JudgedNumber> judged;
    for (auto& [offset, vote] : votes_) {
      if (!vote.is_disputed) judged.push_back(std::move(vote.judged));
    }
    return judged;
  }

 private:
  struct Vote {
    JudgedNumber judged;
    bool is_disputed = false;
  };
  std::map<std::size_t, Vote> votes_;  // by offset
};

}  // namespace

std::vector<JudgedNumber> JudgeByNearDuplicate(const statement::Statement& statement,
                                               const Witness& witness) {
  // Entries of a changelog and captions are alike, and their numbers are not.
  const std::string_view text = statement.text;
  if (text.find("(#") != text.npos || text.find("/pull/") != text.npos ||
      text.starts_with("Table ") || text.starts_with("Figure ")) {
    return {};
  }
  const bool has_pull = std::ranges::any_of(statement.links, [](const auto& link) {
    return link.url.find("/pull/") != std::string::npos;
  });
  if (has_pull) return {};
  const Claim claim = ReadClaim(statement, witness);
  const bool has_number = std::any_of(claim.tokens.begin(), claim.tokens.end(),
                                      [](const Token& token) { return token.is_number; });
  // A sentence of a source has at most 600 bytes: it cannot match one with
  // hundreds of words.
  if (!has_number || claim.meaning.size() < kMinWords || claim.meaning.size() > kMaxWords) {
    return {};
  }
  std::vector<Witness::Found> passages;
  for (const Witness::File& file : claim.files) {
    passages.push_back({.where = witness.Show(file), .text = witness.ReadText(file)});
  }
  if (passages.empty()) passages = witness.Search(claim.text, kPassages);
  DuplicateVotes votes;
  for (const Witness::Found& passage : passages) {
    for (const std::string& sentence : Sentences(passage.text)) {
      const std::vector<Token> theirs = Tokens(sentence);
      if (!AreNearDuplicates(claim.meaning, MeaningOf(theirs))) continue;
      if (SubjectsIn(sentence) != claim.subjects) continue;
      votes.Add(CompareNumbers(claim.tokens, theirs, {.where = passage.where, .text = sentence}));
    }
  }
  return votes.Take();
}

}  // namespace sibyl::audit
