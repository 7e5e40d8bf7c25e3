// SPDX-License-Identifier: Apache-2.0
#include "support/read_statement.h"

#include <algorithm>

namespace sibyl::support {
namespace {

// Two plain words, one of which the lines do not have.
bool IsWritten(const ReadStatement& read, std::size_t i) {
  const auto is_word = [&](std::size_t at) {
    return !read.tokens[at].in_code && read.tokens[at].kind == TokenKind::kWord;
  };
  const bool is_missing =
      read.grounds[i].ground == Ground::kNone || read.grounds[i + 1].ground == Ground::kNone;
  return is_missing && is_word(i) && is_word(i + 1) &&
         read.tokens[i].clause == read.tokens[i + 1].clause;
}

// "in place", "warm-up" where the lines have `inplace` and `warmup`.
void JoinWords(ReadStatement& read, std::size_t i, const EvidenceText& evidence, Stems& stems) {
  const std::string joined(stems.Of(read.tokens[i].lower + read.tokens[i + 1].lower));
  const std::string_view by = evidence.WordOfStem(joined);
  if (by.empty()) return;
  // Without places: those of the name would tell nothing about either.
  for (const std::size_t at : {i, i + 1}) {
    WordGround& ground = read.grounds[at];
    if (ground.ground != Ground::kNone) continue;
    ground.ground = Ground::kForm;
    ground.by = by;
  }
}

}  // namespace

std::optional<std::size_t> ReadStatement::TokenAt(std::size_t byte) const {
  const auto after =
      std::upper_bound(tokens.begin(), tokens.end(), byte,
                       [](std::size_t at, const Token& token) { return at < token.begin; });
  if (after == tokens.begin() || byte >= (after - 1)->end) return std::nullopt;
  return static_cast<std::size_t>(after - 1 - tokens.begin());
}

ReadStatement Read(const statement::Statement& statement, const EvidenceText& evidence,
                   Tokenizer& tokenizer) {
  std::vector<bool> is_code(statement.text.size());
  for (const statement::TextRun& run : statement.runs) {
    if (!run.is_code) continue;
    std::fill(is_code.begin() + static_cast<std::ptrdiff_t>(run.begin),
              is_code.begin() + static_cast<std::ptrdiff_t>(run.end), true);
  }
  ReadStatement read = {.statement = statement,
                        .tokens = tokenizer.OfStatement(statement.text, is_code),
                        .grounds = {},
                        .numbers = ReadQuantities(statement.text, false)};
  for (const Token& token : read.tokens) read.grounds.push_back(evidence.Find(token));
  for (std::size_t i = 0; i + 1 < read.tokens.size(); ++i) {
    if (IsWritten(read, i)) JoinWords(read, i, evidence, tokenizer.stems());
  }
  return read;
}

bool AreListed(const ReadStatement& read, std::size_t a, std::size_t b) {
  const std::size_t first = std::min(a, b);
  const std::size_t last = std::max(a, b);
  const std::string_view text = read.statement.text;
  for (std::size_t i = first; i < last; ++i) {
    const Token& next = read.tokens[i + 1];
    const std::string_view gap = text.substr(read.tokens[i].end, next.begin - read.tokens[i].end);
    if (gap.find_first_not_of(" ,/`|'\"") != std::string_view::npos) return false;
    const bool joins = next.lower == "and" || next.lower == "or";
    const bool is_member = next.kind != TokenKind::kWord || next.in_code;
    if (!joins && !is_member) return false;
    // "`a` b": one member has no other right beside it.
    const bool follows_member = read.tokens[i].kind != TokenKind::kWord || read.tokens[i].in_code;
    if (is_member && follows_member && gap.find_first_of(",/|") == std::string_view::npos) {
      return false;
    }
  }
  return first < last;
}

std::vector<bool> TokensOfLiterals(const ReadStatement& read, const EvidenceText& evidence) {
  constexpr std::size_t kFewest = 2;
  constexpr std::size_t kMostRuns = 20;
  std::vector<bool> fixed(read.tokens.size());
  std::vector<std::size_t> run_of(read.tokens.size());  // the flag, from one; zero: none
  std::size_t runs = 0;
  for (const statement::TextRun& run : read.statement.runs) {
    if (!run.is_code || ++runs > kMostRuns) continue;
    const std::string_view text =
        std::string_view(read.statement.text).substr(run.begin, run.end - run.begin);
    if (text.find_first_of(" -,:<(/") == std::string_view::npos) continue;  // one name
    std::vector<std::size_t> tokens;
    std::size_t numbers = 0;
    for (std::size_t i = 0; i < read.tokens.size(); ++i) {
      if (read.tokens[i].begin < run.begin || read.tokens[i].end > run.end) continue;
      tokens.push_back(i);
      numbers += read.tokens[i].kind == TokenKind::kNumber ? 1 : 0;
    }
    if (tokens.size() < kFewest) continue;
    for (const std::size_t i : tokens) run_of[i] = text.starts_with('-') ? runs : 0;
    if (numbers < kFewest) continue;
    if (evidence.lines().find(text) == std::string_view::npos) continue;
    for (const std::size_t i : tokens) fixed[i] = true;
  }
  for (std::size_t i = 0; i < read.tokens.size(); ++i) {
    if (run_of[i] == 0) continue;
    for (std::size_t j = 0; j < read.tokens.size(); ++j) {
      const bool is_shared =
          run_of[j] != 0 && run_of[j] != run_of[i] && read.tokens[i].stem == read.tokens[j].stem;
      fixed[i] = fixed[i] || is_shared;
    }
  }
  return fixed;
}

double WeightOf(const Token& token) {
  if (token.is_negation || token.kind == TokenKind::kNumber) return 0;
  switch (token.weight) {
    case WordWeight::kNone:
      return token.in_code ? 0.5 : 0;
    case WordWeight::kLight:
      return 0.3;
    case WordWeight::kFull:
      return token.kind == TokenKind::kName ? 1.5 : 1;
  }
  return 0;
}

}  // namespace sibyl::support
