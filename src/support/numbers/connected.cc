// SPDX-License-Identifier: Apache-2.0
#include "support/numbers/connected.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/strings.h"

namespace sibyl::support {
namespace {

// A number of the lines, with the tokens that belong to it.
struct Place {
  const Quantity* number = nullptr;
  std::size_t begin = 0;  // tokens
  std::size_t end = 0;
  std::string_view name;         // that it is given to; may be empty
  std::string_view key;          // the last part of the name
  const Token* token = nullptr;  // of the name
};

class ConnectedNumbers {
 public:
  ConnectedNumbers(const ReadStatement& read, const EvidenceText& evidence,
                   const LineSentences& sentences)
      : read_(read), evidence_(evidence), sentences_(sentences) {}

  std::optional<OtherNumber> Find() {
    constexpr std::size_t kMost = 12;
    std::size_t judged = 0;
    for (const Quantity& said : read_.numbers) {
      const std::optional<std::size_t> token = read_.TokenAt(said.begin);
      if (said.in_name || !token || ++judged > kMost) continue;
      if (places_.empty()) ReadPlaces();
      if (auto other = Judge(said, *token)) return other;
      if (auto other = JudgeFamily(said)) return other;
    }
    return std::nullopt;
  }

 private:
  // The sentence of each number; a line of code with the comment right above it.
  void ReadPlaces() {
    constexpr std::size_t kMost = 200;
    for (const Quantity& quantity : evidence_.quantities()) {
      if (quantity.in_name || places_.size() >= kMost) continue;
      const std::size_t at = sentences_.At(evidence_.PositionAt(quantity.begin));
      if (at >= sentences_.all().size()) continue;
      const LineSentences::Sentence& sentence = sentences_.all()[at];
      Place place = {.number = &quantity, .begin = sentence.begin, .end = sentence.end};
      if (sentence.is_code && at > 0 && !sentences_.all()[at - 1].is_code) {
        const std::size_t last = evidence_.tokens()[sentence.begin - 1].end;
        const std::size_t first = evidence_.tokens()[sentence.begin].begin;
        const std::string_view between = evidence_.lines().substr(last, first - last);
        if (std::count(between.begin(), between.end(), '\n') == 1) {
          place.begin = sentences_.all()[at - 1].begin;
        }
      }
      if (const Token* name = NameOf(quantity)) {
        place.name = name->lower;
        place.token = name;
        place.key = name->parts.empty() ? name->stem : name->parts.back();
      }
      places_.push_back(place);
    }
  }

  // Of `maxRetries = 5`, `max_retries: 5`, `retries(5)`; null if there is none.
  const Token* NameOf(const Quantity& quantity) const {
    const std::vector<Token>& tokens = evidence_.tokens();
    const auto after =
        std::lower_bound(tokens.begin(), tokens.end(), quantity.begin,
                         [](const Token& token, std::size_t at) { return token.begin < at; });
    if (after == tokens.begin()) return nullptr;
    const Token& before = *(after - 1);
    const std::string_view between =
        evidence_.lines().substr(before.end, quantity.begin - before.end);
    const bool is_given = between.find_first_of("=:(") != std::string_view::npos &&
                          between.find_first_not_of(" =:([{\"'") == std::string_view::npos;
    return is_given && before.kind != TokenKind::kNumber ? &before : nullptr;
  }

  bool IsAt(const WordGround& ground, const Place& place) const {
    const std::uint32_t first = evidence_.tokens()[place.begin].position;
    const std::uint32_t last = evidence_.tokens()[place.end - 1].position;
    const auto at = std::lower_bound(ground.positions.begin(), ground.positions.end(), first);
    return at != ground.positions.end() && *at <= last;
  }

  // The words that a place has: of the number's clause, or of the whole statement.
  std::vector<bool> WordsAt(std::optional<std::uint32_t> clause, const Place& place) const {
    std::vector<bool> words(read_.tokens.size());
    for (std::size_t i = 0; i < read_.tokens.size(); ++i) {
      const Token& other = read_.tokens[i];
      if ((clause && other.clause != *clause) || WeightOf(other) < 1) continue;
      words[i] = IsAt(read_.grounds[i], place);
    }
    return words;
  }

  bool IsSaid(const Quantity& quantity) const {
    return std::any_of(read_.numbers.begin(), read_.numbers.end(), [&](const Quantity& said) {
      return Compare(said, quantity, evidence_.hints()) != QuantityFit::kNone;
    });
  }

  // How many more words the other place has; nothing if it does not have all of `own`.
  static int More(const std::vector<bool>& own, const std::vector<bool>& other) {
    int more = 0;
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (own[i] && !other[i]) return 0;
      more += other[i] && !own[i] ? 1 : 0;
    }
    return more;
  }

  // The words that one of the places has.
  std::vector<bool> WordsOf(const std::vector<const Place*>& places,
                            std::optional<std::uint32_t> clause) const {
    std::vector<bool> own(read_.tokens.size());
    for (const Place* place : places) {
      const std::vector<bool> words = WordsAt(clause, *place);
      for (std::size_t i = 0; i < words.size(); ++i) own[i] = own[i] || words[i];
    }
    return own;
  }

  std::optional<OtherNumber> Judge(const Quantity& said, std::size_t token) const {
    const std::uint32_t clause = read_.tokens[token].clause;
    std::vector<const Place*> own;
    for (const Place& place : places_) {
      if (Compare(said, *place.number, evidence_.hints()) == QuantityFit::kNone) continue;
      if (place.key.empty() || (!own.empty() && place.key != own[0]->key)) return std::nullopt;
      own.push_back(&place);
    }
    if (own.empty()) return std::nullopt;
    std::vector<const Place*> siblings;
    for (const Place& place : places_) {
      // A name that is defined twice has both numbers.
      const bool is_sibling = place.key == own[0]->key && place.name != own[0]->name;
      if (!is_sibling || !AreOfOneUnit(said, *place.number) || IsSaid(*place.number)) continue;
      siblings.push_back(&place);
    }
    return siblings.empty() ? std::nullopt : JudgeSiblings(said, clause, own, siblings);
  }

  bool IsSaidPart(const std::string& part) const {
    return std::any_of(read_.tokens.begin(), read_.tokens.end(), [&](const Token& token) {
      return token.stem == part ||
             std::find(token.parts.begin(), token.parts.end(), part) != token.parts.end();
    });
  }

  // Of `LOG_INFO` and `LOG_DEBUG`: the parts of `name` that `other` does not have.
  static std::vector<std::string> OwnParts(const Token& name, const Token& other) {
    std::vector<std::string> own;
    for (const std::string& part : name.parts) {
      if (std::find(other.parts.begin(), other.parts.end(), part) == other.parts.end()) {
        own.push_back(part);
      }
    }
    return own;
  }

  // "level 3 is for debug messages" where `LOG_INFO` is 3 and `LOG_DEBUG` is 4: the
  // statement has nothing of the first name but what both have.
  std::optional<OtherNumber> JudgeFamily(const Quantity& said) const {
    const Place* own = nullptr;
    for (const Place& place : places_) {
      if (Compare(said, *place.number, evidence_.hints()) == QuantityFit::kNone) continue;
      if (place.token == nullptr || place.token->parts.size() < 2 || own != nullptr) {
        return std::nullopt;
      }
      own = &place;
    }
    constexpr std::size_t kTelling = 3;  // letters: "n" of `n_repeat` makes no family
    if (own == nullptr || own->token->parts.front().size() < kTelling) return std::nullopt;
    const Place* meant = nullptr;
    for (const Place& place : places_) {
      if (place.token == nullptr || place.token->parts.size() < 2 || place.name == own->name ||
          place.token->parts.front() != own->token->parts.front() ||
          !AreOfOneUnit(said, *place.number) || IsSaid(*place.number)) {
        continue;
      }
      const std::vector<std::string> mine = OwnParts(*own->token, *place.token);
      const std::vector<std::string> other = OwnParts(*place.token, *own->token);
      const auto is_said = [&](const std::string& part) { return IsSaidPart(part); };
      if (mine.empty() || std::any_of(mine.begin(), mine.end(), is_said)) continue;
      if (other.empty() || !std::all_of(other.begin(), other.end(), is_said)) continue;
      if (meant != nullptr) return std::nullopt;
      meant = &place;
    }
    if (meant == nullptr) return std::nullopt;
    return OtherNumber{.said = read_.statement.text.substr(said.begin, said.end - said.begin),
                       .there = std::string(Trim(evidence_.lines().substr(
                           meant->number->begin, meant->number->end - meant->number->begin)))};
  }

  std::optional<OtherNumber> JudgeSiblings(const Quantity& said, std::uint32_t clause,
                                           const std::vector<const Place*>& own,
                                           const std::vector<const Place*>& siblings) const {
    const std::vector<bool> of_clause = WordsOf(own, clause);
    const std::vector<bool> of_all = WordsOf(own, std::nullopt);
    for (const Place* sibling : siblings) {
      const Place& place = *sibling;
      const int in_clause = More(of_clause, WordsAt(clause, place));
      const int in_all = More(of_all, WordsAt(std::nullopt, place));
      const bool has_own = std::find(of_clause.begin(), of_clause.end(), true) != of_clause.end();
      if (in_all < 2 && (in_clause < 1 || !has_own)) continue;
      return OtherNumber{.said = read_.statement.text.substr(said.begin, said.end - said.begin),
                         .there = std::string(Trim(evidence_.lines().substr(
                             place.number->begin, place.number->end - place.number->begin)))};
    }
    return std::nullopt;
  }

  const ReadStatement& read_;
  const EvidenceText& evidence_;
  const LineSentences& sentences_;
  std::vector<Place> places_;
};

}  // namespace

std::optional<OtherNumber> FindOtherNumber(const ReadStatement& read, const EvidenceText& evidence,
                                           const LineSentences& sentences) {
  return ConnectedNumbers(read, evidence, sentences).Find();
}

}  // namespace sibyl::support
