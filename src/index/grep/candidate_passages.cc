// SPDX-License-Identifier: Apache-2.0
#include "index/grep/candidate_passages.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "index/words/term_forms.h"
#include "index/words/words.h"

namespace sibyl::index {
namespace {

// Shorter substrings are in too many terms to be useful.
constexpr std::size_t kMinSubstring = 3;
constexpr std::size_t kMinPrefix = 2;
// With more terms, reading their lists costs more than reading the text.
constexpr std::size_t kMaxTerms = 20'000;

// Reading this few passages is faster than narrowing down further.
constexpr std::size_t kFewPassages = 100;

/// A run of word bytes in a literal, and whether a word of the text must begin or end with it:
/// it must where the literal continues with another byte.
struct Piece {
  std::string_view text;
  bool begins_word = false;
  bool ends_word = false;
};

std::vector<Piece> PiecesOf(std::string_view literal) {
  std::vector<Piece> pieces;
  const std::vector<std::uint32_t> edges = FindWordEdgesPortably(literal);
  for (std::size_t i = 0; i < edges.size(); i += 2) {
    Piece piece = {.text = literal.substr(edges[i], edges[i + 1] - edges[i]),
                   .begins_word = edges[i] > 0,
                   .ends_word = edges[i + 1] < literal.size()};
    if (piece.text.size() > kMaxSubstringBytes) {
      piece = {.text = piece.text.substr(0, kMaxSubstringBytes)};
    }
    pieces.push_back(piece);
  }
  return pieces;
}

/// The lists of all terms that may contain a piece.
struct Lists {
  std::vector<TermPostings> lists;
  std::uint64_t postings = 0;

  void Add(const TermPostings& found) {
    if (found.passage_count == 0) return;
    lists.push_back(found);
    postings += found.passage_count;
  }
};

std::optional<Lists> ListsOf(const Segment& segment, const Piece& piece) {
  Lists lists;
  const auto add = [&](std::string_view, const TermEntry& entry) {
    if (entry.occurs_whole) lists.Add(segment.PostingsOf(entry));
  };
  if (piece.begins_word && piece.ends_word) {
    if (const std::optional<TermPostings> found = segment.Find(piece.text)) lists.Add(*found);
  } else if (piece.begins_word) {
    if (piece.text.size() < kMinPrefix) return std::nullopt;
    segment.terms().VisitPrefix(piece.text, kMaxTerms + 1, add);
  } else {
    if (piece.text.size() < kMinSubstring) return std::nullopt;
    segment.terms().VisitContaining(piece.text, [&](std::string_view term, const TermEntry& entry) {
      if (!piece.ends_word || term.ends_with(piece.text)) add(term, entry);
    });
  }
  if (lists.lists.size() > kMaxTerms) return std::nullopt;
  return lists;
}

using Bits = std::vector<std::uint64_t>;

void SetBits(const TermPostings& postings, std::size_t passages, Bits& bits) {
  const auto set = [&](std::uint32_t passage) {
    if (passage < passages) bits[passage / 64] |= std::uint64_t{1} << passage % 64;
  };
  if (postings.list.block_count() == 0) return set(postings.passage);
  PostingBlock block;
  for (std::size_t at = 0; at < postings.list.block_count(); ++at) {
    postings.list.Decode(at, block);
    for (std::uint32_t i = 0; i < block.size; ++i) set(block.passages[i]);
  }
}

std::size_t CountOnes(const Bits& bits) {
  std::size_t count = 0;
  for (const std::uint64_t word : bits)
    count += static_cast<std::size_t>(__builtin_popcountll(word));
  return count;
}

// The cost of looking up a piece: whole words are cheapest, then prefixes, then substrings, of
// which longer ones are in fewer blocks of the dictionary.
std::size_t Cost(const Piece& piece) {
  if (piece.begins_word) return piece.ends_word ? 0 : 1;
  return 2 + kMaxSubstringBytes - piece.text.size();
}

// The passages that may contain one literal.
std::optional<Bits> BitsOf(const Segment& segment, std::string_view literal) {
  std::vector<Piece> pieces = PiecesOf(literal);
  std::stable_sort(pieces.begin(), pieces.end(),
                   [](const Piece& a, const Piece& b) { return Cost(a) < Cost(b); });
  const std::size_t passages = segment.passage_count();
  std::optional<Bits> all;
  std::size_t left = passages;
  for (const Piece& piece : pieces) {
    if (all && left <= kFewPassages) break;
    const std::optional<Lists> lists = ListsOf(segment, piece);
    // Reading a passage costs about as much as reading fifty postings.
    if (!lists || (all && lists->postings > 50 * left)) continue;
    Bits bits((passages + 63) / 64);
    for (const TermPostings& list : lists->lists) SetBits(list, passages, bits);
    if (all) {
      for (std::size_t i = 0; i < bits.size(); ++i) bits[i] &= (*all)[i];
    }
    all = std::move(bits);
    left = CountOnes(*all);
  }
  return all;
}

// The passages that may contain any literal of a clause.
std::optional<Bits> BitsOf(const Segment& segment, const LiteralRequirement::Clause& clause) {
  std::optional<Bits> any;
  for (const std::string& literal : clause) {
    std::optional<Bits> bits = BitsOf(segment, literal);
    if (!bits) return std::nullopt;
    if (any) {
      for (std::size_t i = 0; i < bits->size(); ++i) (*bits)[i] |= (*any)[i];
    }
    any = std::move(bits);
  }
  return any;
}

}  // namespace

std::optional<std::vector<std::uint64_t>> CandidatePassages(const Segment& segment,
                                                            const LiteralRequirement& requirement) {
  // Clauses with the longest strings first: they leave the fewest passages.
  std::vector<const LiteralRequirement::Clause*> clauses;
  for (const LiteralRequirement::Clause& clause : requirement.clauses) clauses.push_back(&clause);
  const auto shortest = [](const LiteralRequirement::Clause* clause) {
    std::size_t bytes = kMaxSubstringBytes;
    for (const std::string& string : *clause) bytes = std::min(bytes, string.size());
    return bytes;
  };
  std::stable_sort(clauses.begin(), clauses.end(),
                   [&](const auto* a, const auto* b) { return shortest(a) > shortest(b); });
  std::optional<Bits> all;
  for (const LiteralRequirement::Clause* clause : clauses) {
    if (all && CountOnes(*all) <= kFewPassages) break;
    std::optional<Bits> bits = BitsOf(segment, *clause);
    if (!bits) continue;
    if (all) {
      for (std::size_t i = 0; i < bits->size(); ++i) (*bits)[i] &= (*all)[i];
    }
    all = std::move(bits);
  }
  return all;
}

}  // namespace sibyl::index
