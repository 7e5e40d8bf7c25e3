// SPDX-License-Identifier: Apache-2.0
#include "support/clauses/transferred.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "base/one_of.h"
#include "base/strings.h"

namespace sibyl::support {
namespace {

constexpr std::size_t kMostTokens = 20'000;

// A bracket and the tokens in it.
struct Remark {
  std::size_t owner = 0;  // the token right before it
  std::size_t begin = 0;
  std::size_t end = 0;
};

std::vector<Remark> RemarksOf(std::string_view text, const std::vector<Token>& tokens) {
  constexpr std::size_t kMost = 64;
  constexpr std::size_t kMostWords = 3;
  std::vector<Remark> remarks;
  for (std::size_t i = 0; i + 1 < tokens.size() && remarks.size() < kMost; ++i) {
    const std::string_view gap = text.substr(tokens[i].end, tokens[i + 1].begin - tokens[i].end);
    // Not a call or the target of a link: "f(x)", "[x](y)".
    const std::size_t open = gap.find(" (");
    if (open == std::string_view::npos || gap.find_first_of(".,;:\n") < open) continue;
    Remark remark = {.owner = i, .begin = i + 1, .end = i + 1};
    bool is_closed = false;
    while (remark.end < tokens.size() && remark.end - remark.begin <= kMostWords && !is_closed) {
      const std::size_t from = tokens[remark.end].end;
      const std::size_t to =
          remark.end + 1 < tokens.size() ? tokens[remark.end + 1].begin : text.size();
      is_closed = text.substr(from, to - from).find(')') != std::string_view::npos;
      ++remark.end;
    }
    if (is_closed && remark.end - remark.begin <= kMostWords) remarks.push_back(remark);
  }
  return remarks;
}

// "does so as well", "likewise", "will do as well": where it begins, if the clause has no verb of
// its own; otherwise its end.
std::size_t ProFormAt(const std::vector<Token>& tokens, std::size_t begin, std::size_t end) {
  constexpr std::array<std::string_view, 5> kLight = {"does", "do", "did", "will", "can"};
  const auto is = [&](std::size_t at, std::string_view word) {
    return at < end && tokens[at].lower == word;
  };
  for (std::size_t i = begin; i < end; ++i) {
    if (is(i, "likewise") && (i + 1 == end || i == begin)) return i;
    const bool is_end = (is(i, "as") && is(i + 1, "well") && i + 2 == end) ||
                        ((is(i, "too") || is(i, "either")) && i + 1 == end);
    if (!is_end) continue;
    std::size_t first = i;
    while (first > begin && (tokens[first - 1].lower == "so" || tokens[first - 1].lower == "just" ||
                             IsOneOf(tokens[first - 1].lower, kLight))) {
      --first;
    }
    return first < i ? first : end;
  }
  return end;
}

// "…, but … for x", "not … x": before the last of these places in the sentence.
bool SetsApart(const LineSentences::Sentence& sentence, const EvidenceText& evidence,
               const std::vector<std::uint32_t>& places) {
  constexpr std::array<std::string_view, 6> kContrast = {"but",    "while", "whereas",
                                                         "unlike", "only",  "except"};
  const std::vector<Token>& lines = evidence.tokens();
  bool sets_apart = false;
  for (std::size_t i = sentence.begin; i < sentence.end; ++i) {
    if (sets_apart && std::binary_search(places.begin(), places.end(), lines[i].position)) {
      return true;
    }
    sets_apart = sets_apart || lines[i].is_negation || IsOneOf(lines[i].lower, kContrast);
  }
  return false;
}

}  // namespace

std::optional<TransferredRemark> FindTransferredRemark(const ReadStatement& read,
                                                       const EvidenceText& evidence) {
  if (evidence.tokens().size() > kMostTokens) return std::nullopt;
  const std::vector<Remark> said = RemarksOf(read.statement.text, read.tokens);
  if (said.empty()) return std::nullopt;
  const std::vector<Token>& lines = evidence.tokens();
  const std::vector<Remark> there = RemarksOf(evidence.lines(), lines);
  for (const Remark& remark : said) {
    const Token& owner = read.tokens[remark.owner];
    std::vector<std::string_view> words;
    for (std::size_t i = remark.begin; i < remark.end; ++i) {
      if (WeightOf(read.tokens[i]) >= 1 && read.tokens[i].kind == TokenKind::kWord) {
        words.push_back(read.tokens[i].stem);
      }
    }
    if (words.size() != 1 || !evidence.HasWord(owner.lower)) continue;
    std::optional<std::string> other;
    std::size_t found = 0;
    for (const Remark& one : there) {
      const bool has = std::any_of(lines.begin() + static_cast<std::ptrdiff_t>(one.begin),
                                   lines.begin() + static_cast<std::ptrdiff_t>(one.end),
                                   [&](const Token& token) { return token.stem == words[0]; });
      if (!has) continue;
      ++found;
      if (lines[one.owner].stem == owner.stem) {
        other.reset();
        break;
      }
      other = lines[one.owner].lower;
    }
    const auto uses = std::count_if(lines.begin(), lines.end(),
                                    [&](const Token& token) { return token.stem == words[0]; });
    const bool is_said = other && std::any_of(read.tokens.begin(), read.tokens.end(),
                                              [&](const Token& t) { return t.lower == *other; });
    if (!is_said || static_cast<std::size_t>(uses) != found) continue;
    const std::size_t begin = read.tokens[remark.begin].begin;
    return TransferredRemark{
        .remark = read.statement.text.substr(begin, read.tokens[remark.end - 1].end - begin),
        .owner = *other};
  }
  return std::nullopt;
}

std::optional<std::string> FindFalseLikeness(const ReadStatement& read,
                                             const EvidenceText& evidence,
                                             const LineSentences& sentences) {
  const std::vector<Token>& tokens = read.tokens;
  const std::string_view text = read.statement.text;
  for (std::size_t end = tokens.size(); end > 0;) {
    std::size_t begin = end - 1;
    while (begin > 0 && tokens[begin - 1].clause == tokens[end - 1].clause &&
           text.substr(tokens[begin - 1].end, tokens[begin].begin - tokens[begin - 1].end)
                   .find(". ") == std::string_view::npos) {
      --begin;
    }
    const std::size_t pro_form = ProFormAt(tokens, begin, end);
    const std::size_t last = end;
    end = begin;
    if (pro_form == last || begin == 0) continue;
    const bool is_denied =
        std::any_of(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(last),
                    [](const Token& token) { return token.is_negation; });
    if (is_denied) continue;
    // Sentences of the lines, with how many words of the subject they have.
    std::map<std::size_t, std::size_t> having;
    std::size_t subject = 0;
    std::size_t last_word = begin;
    for (std::size_t i = begin; i < pro_form; ++i) {
      if (WeightOf(tokens[i]) < 1) continue;
      ++subject;
      last_word = i;
      std::set<std::size_t> of_word;
      for (const std::uint32_t at : read.grounds[i].positions) of_word.insert(sentences.At(at));
      for (const std::size_t sentence : of_word) ++having[sentence];
    }
    for (const auto& [sentence, words] : having) {
      if (words < subject || sentence >= sentences.all().size()) continue;
      if (SetsApart(sentences.all()[sentence], evidence, read.grounds[last_word].positions)) {
        return read.statement.text.substr(tokens[begin].begin,
                                          tokens[pro_form - 1].end - tokens[begin].begin);
      }
    }
  }
  return std::nullopt;
}

}  // namespace sibyl::support
