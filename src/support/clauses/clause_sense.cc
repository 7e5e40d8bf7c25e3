// SPDX-License-Identifier: Apache-2.0
#include "support/clauses/clause_sense.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "base/one_of.h"
#include "support/clauses/polarity.h"
#include "support/lexicon.h"

namespace sibyl::support {
namespace {

// How much of a clause one sentence must have, its denied word left out.
constexpr double kSure = 0.7;
constexpr double kMayBe = 0.5;
constexpr double kClearly = 0.15;
constexpr double kOtherClause = 0.3;

constexpr std::array<std::string_view, 19> kLimiting = {
    "if",       "when",     "unless", "whether", "until",  "while", "where",
    "whenever", "once",     "for",    "because", "since",  "only",  "although",
    "in",       "provided", "as",     "with",    "without"};

constexpr std::array<std::string_view, 9> kCases = {
    "if", "when", "unless", "whenever", "until", "whether", "once", "while", "provided"};

class SenseComparer {
 public:
  SenseComparer(const ReadStatement& read, const EvidenceText& evidence,
                const LineSentences& sentences)
      : read_(read), evidence_(evidence), sentences_(sentences) {}

  ClauseSense Take() {
    const bool lines_deny = !evidence_.prose_negations().empty();
    const bool says_no = SaysNo();
    constexpr std::size_t kMostSentences = 2000;
    if (sentences_.all().size() > kMostSentences) return {};
    CompareWithout();
    const std::vector<std::size_t> several = FindSeveral();
    if (!lines_deny && !says_no && several.empty()) return {};
    PlaceWords();
    for (const std::size_t i : several) CompareSeveral(i);
    if (lines_deny) CompareDenials();
    if (says_no) CompareNegations();
    return std::move(result_);
  }

 private:
  bool SaysNo() const {
    return std::any_of(read_.tokens.begin(), read_.tokens.end(),
                       [](const Token& t) { return t.is_negation && !t.in_code; });
  }

  bool SaysOnlyOne() const {
    for (std::size_t i = 0; i + 1 < read_.tokens.size(); ++i) {
      if (read_.tokens[i].lower == "only" && read_.tokens[i + 1].lower == "one") return true;
    }
    return false;
  }

  void PlaceWords() {
    in_.resize(read_.tokens.size());
    parts_.resize(read_.tokens.size());
    for (std::size_t i = 1; i < read_.tokens.size(); ++i) {
      const std::size_t end = read_.tokens[i - 1].end;
      const std::string_view between =
          std::string_view(read_.statement.text).substr(end, read_.tokens[i].begin - end);
      parts_[i] = parts_[i - 1] + (between.find(';') != std::string_view::npos ? 1 : 0);
    }
    for (std::size_t i = 0; i < read_.tokens.size(); ++i) {
      for (const std::uint32_t position : read_.grounds[i].positions) {
        const std::size_t sentence = sentences_.At(position);
        if (in_[i].empty() || in_[i].back() != sentence) in_[i].push_back(sentence);
      }
    }
    for (const Quantity& said : read_.numbers) {
      const std::optional<std::size_t> token = read_.TokenAt(said.begin);
      if (said.in_name || !token) continue;
      in_[*token].clear();
      for (const std::uint32_t position : evidence_.PositionsOf(said)) {
        const std::size_t sentence = sentences_.At(position);
        if (in_[*token].empty() || in_[*token].back() != sentence) in_[*token].push_back(sentence);
      }
    }
  }

  bool IsIn(std::size_t token, std::size_t sentence) const {
    return std::find(in_[token].begin(), in_[token].end(), sentence) != in_[token].end();
  }

  // The share of the words around a token that each sentence has: those of its
  // clause, and a little of the others.
  const std::vector<double>& CoverageOf(std::size_t token) {
    std::vector<double>& shares = coverage_[token];
    if (!shares.empty()) return shares;
    shares.resize(sentences_.all().size());
    double all = 0;
    for (std::size_t i = 0; i < read_.tokens.size(); ++i) {
      const Token& other = read_.tokens[i];
      if (i == token || other.stem == read_.tokens[token].stem) continue;
      double weight = other.kind == TokenKind::kNumber ? 1 : WeightOf(other);
      if (weight == 0 || read_.grounds[i].ground == Ground::kContext) continue;
      if (parts_[i] != parts_[token]) continue;
      if (other.clause != read_.tokens[token].clause) weight *= kOtherClause;
      all += weight;
      for (const std::size_t sentence : in_[i]) shares[sentence] += weight;
    }
    constexpr double kFewest = 1.5;
    for (double& share : shares) share = all < kFewest ? 0 : share / all;
    return shares;
  }

  // "…, not across versions", "and not when": a contrast; support/clauses/ordered.h reads it.
  static bool IsContrast(std::string_view text, const std::vector<Token>& tokens, std::size_t i) {
    if (i == 0 || tokens[i].lower != "not") return false;
    const std::string_view between =
        text.substr(tokens[i - 1].end, tokens[i].begin - tokens[i - 1].end);
    return between.find_first_of(",(;") != std::string_view::npos || tokens[i - 1].lower == "and" ||
           tokens[i - 1].lower == "but";
  }

  static bool IsBe(const std::vector<Token>& tokens, std::size_t i) {
    constexpr std::array<std::string_view, 6> kForms = {"is", "was", "are", "were", "isn", "wasn"};
    return i > 0 && IsOneOf(tokens[i - 1].lower, kForms);
  }

  // The word that a negation of the lines denies: "not be called", "no effect".
  std::optional<std::size_t> TargetInLines(std::size_t negation) const {
    constexpr std::size_t kReach = 4;
    const std::vector<Token>& tokens = evidence_.tokens();
    if (tokens[negation].lower == "without" || tokens[negation].lower == "non") return std::nullopt;
    if (IsContrast(evidence_.lines(), tokens, negation) || IsOrNot(tokens, negation)) {
      return std::nullopt;
    }
    for (std::size_t i = negation + 1; i < std::min(negation + 1 + kReach, tokens.size()); ++i) {
      const std::string_view between =
          evidence_.lines().substr(tokens[i - 1].end, tokens[i].begin - tokens[i - 1].end);
      if (between.find_first_of(",;:.()") != std::string_view::npos) return std::nullopt;
      if (tokens[i].lower == "only" || tokens[i].is_negation) return std::nullopt;
      if (tokens[i].weight == WordWeight::kNone) continue;
      // "was not kRelaxed"
      if (tokens[i].kind == TokenKind::kName && i == negation + 1 && IsBe(tokens, negation))
        return i;
      if (tokens[i].kind != TokenKind::kWord || tokens[i].lower.ends_with("ly"))
        return std::nullopt;
      const bool goes_on =
          i + 1 < tokens.size() && tokens[i + 1].position == tokens[i].position + 1;
      if (goes_on && tokens[i + 1].lower.ends_with("ly")) return std::nullopt;
      // "no binary cloning" denies the cloning.
      const bool is_modifier =
          tokens[negation].lower == "no" && goes_on && tokens[i + 1].weight != WordWeight::kNone;
      if (is_modifier) continue;
      if (IsPartial(read_, evidence_, i)) return std::nullopt;
      return i;
    }
    return std::nullopt;
  }

  // Whether the lines say it of a case: "if the user does not have …".
  bool IsOfCase(std::size_t negation) const {
    const std::vector<Token>& tokens = evidence_.tokens();
    constexpr std::size_t kFar = 60;
    const std::size_t begin =
        std::max(sentences_.all()[sentences_.At(tokens[negation].position)].begin,
                 negation - std::min(negation, kFar));
    for (std::size_t i = negation; i-- > begin;) {
      if (IsOneOf(tokens[i].lower, kCases)) return true;
      const std::string_view between =
          evidence_.lines().substr(tokens[i].end, tokens[i + 1].begin - tokens[i].end);
      if (between.find_first_of(",;:") != std::string_view::npos) return false;
    }
    return false;
  }

  // "until no captures are underway" says what goes on while there are some.
  bool IsAfterUntil(std::size_t negation) const {
    const std::string before =
        negation > 0 ? evidence_.tokens()[negation - 1].lower : std::string();
    return before == "until" || before == "unless";
  }

  // The same for the statement; "if A and B": both.
  bool IsOfCaseHere(std::size_t token) const {
    std::size_t i = token;
    for (std::size_t clauses = 0; clauses < 2; ++clauses) {
      while (i > 0 && read_.tokens[i - 1].clause == read_.tokens[i].clause) {
        if (IsOneOf(read_.tokens[i].lower, kCases)) return true;
        --i;
      }
      if (IsOneOf(read_.tokens[i].lower, kCases)) return true;
      if (i == 0 || read_.tokens[i].lower != "and") return false;
      --i;
    }
    return false;
  }

  bool HasCase(const LineSentences::Sentence& sentence, std::size_t end) const {
    constexpr std::size_t kFar = 60;
    for (std::size_t i = std::max(sentence.begin, end - std::min(end, kFar)); i < end; ++i) {
      if (IsOneOf(evidence_.tokens()[i].lower, kCases)) return true;
    }
    return false;
  }

  bool SaysCase() const {
    return std::any_of(read_.tokens.begin(), read_.tokens.end(), [](const Token& token) {
      return !token.in_code && IsOneOf(token.lower, kLimiting);
    });
  }

  // The clause denies or weakens.
  bool IsQualified(std::size_t i) const {
    constexpr std::array<std::string_view, 27> kWords = {
        "instead", "rather", "unlike",   "except",  "fails",      "refuses", "skips",
        "ignores", "avoids", "prevents", "unable",  "impossible", "rejects", "leaves",
        "only",    "keeps",  "too",      "just",    "nothing",    "merely",  "solely",
        "little",  "few",    "ignored",  "skipped", "stops",      "left"};
    std::size_t begin = i;
    while (begin > 0 && read_.tokens[begin - 1].clause == read_.tokens[i].clause) --begin;
    if (StartsException(read_.tokens[begin].lower)) return true;
    for (std::size_t j = begin;
         j < read_.tokens.size() && read_.tokens[j].clause == read_.tokens[i].clause; ++j) {
      const Token& token = read_.tokens[j];
      // "measured without X are accurate"; but "was built without X".
      constexpr std::size_t kReachBack = 2;
      const bool is_far = j < i && WordsFrom(read_.tokens, j, i) > kReachBack;
      if (token.lower == "without" && is_far) continue;
      if (token.is_negation || IsOneOf(token.lower, kWords)) return true;
      if (DeniesByPrefix(token.lower)) return true;
    }
    return false;
  }

  // Other than at `denied`, and not far from it.
  bool HasWord(std::size_t sentence, const std::string& stem, std::size_t denied) const {
    constexpr std::size_t kFar = 60;
    const LineSentences::Sentence& where = sentences_.all()[sentence];
    const std::size_t begin = std::max(where.begin, denied - std::min(denied, kFar));
    for (std::size_t i = begin; i < std::min(where.end, denied + kFar); ++i) {
      if (i != denied && evidence_.tokens()[i].stem == stem) return true;
    }
    return false;
  }

  // The lines deny what the statement asserts.
  void CompareDenials() {
    constexpr std::size_t kMost = 100;
    std::size_t count = 0;
    for (const std::uint32_t position : evidence_.prose_negations()) {
      if (++count > kMost) return;
      const std::size_t negation = sentences_.TokenAt(position);
      const std::optional<std::size_t> target = TargetInLines(negation);
      if (!target || IsAfterUntil(negation)) continue;
      const std::size_t sentence = sentences_.At(position);
      const Token& denied = evidence_.tokens()[*target];
      if (HasWord(sentence, denied.stem, *target)) continue;
      for (std::size_t i = 0; i < read_.tokens.size(); ++i) {
        const Token& said = read_.tokens[i];
        const bool is_name = denied.kind == TokenKind::kName;
        if (said.stem != denied.stem || IsQualified(i) || IsQuoted(read_, i)) continue;
        if (is_name ? !IsBe(read_.tokens, i) : said.in_code) continue;
        const double here = CoverageOf(i)[sentence];
        double elsewhere = 0;
        for (const std::size_t other : in_[i]) {
          if (other != sentence) elsewhere = std::max(elsewhere, CoverageOf(i)[other]);
        }
        const bool is_conditional = HasCase(sentences_.all()[sentence], negation) && !SaysCase();
        const bool is_case = IsOfCase(negation);
        const bool is_same_case = IsOfCaseHere(i) == is_case;
        // "when A is given no search occurs": the case ends somewhere before "no".
        if (!is_same_case && !(is_case && SaysCase())) continue;
        // What denies something itself may deny the same in other words.
        const bool is_sure = here >= kSure && here >= elsewhere + kClearly && !SaysNo();
        if (is_same_case && is_sure && !is_conditional) {
          result_.inverted = fmt::format("the cited lines deny '{}'", said.lower);
        } else if (here >= kMayBe && here >= elsewhere) {
          result_.doubts.push_back(fmt::format("the lines may deny '{}'", said.lower));
        }
      }
    }
  }

  // "with shared embeddings" where the lines have it only without them, or the
  // other way round.
  void CompareWithout() {
    for (std::size_t i = 0; i + 2 < read_.tokens.size(); ++i) {
      const std::string& lower = read_.tokens[i].lower;
      if ((lower != "with" && lower != "without") || read_.tokens[i].in_code) continue;
      const std::string opposite = lower == "with" ? "without" : "with";
      const std::size_t word = WithoutArticle(read_.tokens, i + 1);
      if (word + 1 >= read_.tokens.size()) continue;
      if (HasPair(opposite, word) && !HasPair(lower, word)) {
        result_.inverted =
            fmt::format("the cited lines say '{} {}'", opposite, read_.tokens[word].lower);
      }
    }
  }

  static std::size_t WithoutArticle(const std::vector<Token>& tokens, std::size_t i) {
    const bool is_article =
        i < tokens.size() &&
        (tokens[i].lower == "a" || tokens[i].lower == "an" || tokens[i].lower == "the");
    return is_article ? i + 1 : i;
  }

  // Whether the lines have `word` before the two words of the statement.
  bool HasPair(const std::string& word, std::size_t token) const {
    const std::vector<Token>& tokens = evidence_.tokens();
    for (const std::uint32_t position : evidence_.PositionsOfWord(word)) {
      const std::size_t at = sentences_.TokenAt(position);
      const std::size_t next = WithoutArticle(tokens, at + 1);
      if (next + 1 >= tokens.size()) continue;
      const bool is_same = tokens[next].stem == read_.tokens[token].stem &&
                           tokens[next + 1].stem == read_.tokens[token + 1].stem;
      if (is_same && WeightOf(read_.tokens[token + 1]) > 0) return true;
    }
    return false;
  }

  // "several instances", "more than one instance": the noun.
  std::vector<std::size_t> FindSeveral() const {
    constexpr std::array<std::string_view, 4> kWords = {"several", "multiple", "many", "two"};
    std::vector<std::size_t> nouns;
    if (SaysOnlyOne()) return nouns;
    for (std::size_t i = 0; i + 1 < read_.tokens.size(); ++i) {
      const std::string& lower = read_.tokens[i].lower;
      const bool is_more = lower == "one" && i >= 2 && read_.tokens[i - 1].lower == "than" &&
                           read_.tokens[i - 2].lower == "more";
      if (!is_more && !IsOneOf(lower, kWords)) continue;
      if (WeightOf(read_.tokens[i + 1]) > 0 && !IsQualified(i)) nouns.push_back(i + 1);
    }
    return nouns;
  }

  // "only one instance", "at most one instance" in the lines.
  void CompareSeveral(std::size_t noun) {
    const std::vector<Token>& tokens = evidence_.tokens();
    for (const std::uint32_t position : evidence_.PositionsOfWord("one")) {
      const std::size_t one = sentences_.TokenAt(position);
      if (one == 0 || one + 1 >= tokens.size() || tokens[one + 1].stem != read_.tokens[noun].stem) {
        continue;
      }
      const std::string& before = tokens[one - 1].lower;
      if (before != "only" && before != "most" && before != "exactly") continue;
      const std::size_t sentence = sentences_.At(position);
      const double here = CoverageOf(noun)[sentence];
      if (IsOfCase(one) && !SaysCase()) continue;
      if (here >= kSure) {
        result_.inverted =
            fmt::format("the cited lines say '{} one {}'", before, tokens[one + 1].lower);
      } else if (here >= kMayBe) {
        result_.doubts.push_back(fmt::format("the lines say '{} one'", before));
      }
    }
  }

  // The statement denies what the lines assert.
  void CompareNegations() {
    for (std::size_t i = 0; i < read_.tokens.size(); ++i) {
      const Token& token = read_.tokens[i];
      if (!token.is_negation || token.in_code || token.in_compound) continue;
      if (token.lower == "without" || token.lower == "none" || DeniesTwice(i)) continue;
      if (IsContrast(read_.statement.text, read_.tokens, i)) continue;
      const std::optional<std::size_t> target = TargetInStatement(i);
      if (!target || in_[*target].empty() || StartsCondition(i)) continue;
      std::optional<std::size_t> best;
      double most = 0;
      double denying = 0;  // the most that a sentence which denies something has
      for (std::size_t sentence = 0; sentence < sentences_.all().size(); ++sentence) {
        const double here = CoverageOf(*target)[sentence];
        if (sentences_.all()[sentence].denies) {
          denying = std::max(denying, here);
        } else if (here > most && IsIn(*target, sentence)) {
          most = here;
          best = sentence;
        }
      }
      if (!best || denying + kClearly > most) continue;
      // There are too many ways to deny something to be sure.
      if (most < kMayBe) continue;
      result_.doubts.push_back(
          fmt::format("the lines do not deny '{}'", read_.tokens[*target].lower));
    }
  }

  std::optional<std::size_t> TargetInStatement(std::size_t negation) const {
    constexpr std::size_t kReach = 4;
    for (std::size_t i = negation + 1; i < std::min(negation + 1 + kReach, read_.tokens.size());
         ++i) {
      const Token& token = read_.tokens[i];
      if (token.clause != read_.tokens[negation].clause) return std::nullopt;
      if (token.weight == WordWeight::kNone && !token.in_code) continue;
      if (token.in_code || token.kind != TokenKind::kWord) return std::nullopt;
      const bool is_number =
          std::any_of(read_.numbers.begin(), read_.numbers.end(),
                      [&](const Quantity& number) { return number.begin == token.begin; });
      if (is_number) return std::nullopt;  // "no more than thirty"
      return i;
    }
    return std::nullopt;
  }

  // "cannot be used without"
  bool DeniesTwice(std::size_t i) const {
    return std::count_if(read_.tokens.begin(), read_.tokens.end(), [&](const Token& token) {
             return token.is_negation && token.clause == read_.tokens[i].clause;
           }) > 1;
  }

  bool StartsCondition(std::size_t i) const {
    for (std::size_t j = i + 1; j-- > 0 && read_.tokens[j].clause == read_.tokens[i].clause;) {
      if (IsOneOf(read_.tokens[j].lower, kLimiting)) return true;
    }
    return false;
  }

  const ReadStatement& read_;
  const EvidenceText& evidence_;
  const LineSentences& sentences_;
  std::vector<std::size_t> parts_;            // of each token: how many semicolons are before it
  std::vector<std::vector<std::size_t>> in_;  // the sentences that have each token
  std::map<std::size_t, std::vector<double>> coverage_;  // by token, of each sentence
  ClauseSense result_;
};

}  // namespace

ClauseSense CompareSense(const ReadStatement& read, const EvidenceText& evidence,
                         const LineSentences& sentences) {
  return SenseComparer(read, evidence, sentences).Take();
}

}  // namespace sibyl::support
