// SPDX-License-Identifier: Apache-2.0
#include "support/numbers/counted_nouns.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/ascii.h"
#include "base/one_of.h"

namespace sibyl::support {
namespace {

bool IsCountWord(std::string_view part) {
  constexpr std::array<std::string_view, 12> kWords = {
      "num", "n", "number", "count", "total", "of", "max", "min", "k", "default", "m", "fix"};
  return IsOneOf(part, kWords);
}

class CountedNouns {
 public:
  CountedNouns(const ReadStatement& read, const EvidenceText& evidence, Stems& stems)
      : read_(read), evidence_(evidence) {
    if (read.numbers.size() < 2) return;
    for (const Quantity& quantity : evidence.quantities()) {
      if (quantity.in_name || quantity.is_derived) continue;
      Count count = {.number = &quantity, .things = {}};
      if (!quantity.noun.empty()) count.things.push_back(stems.Of(quantity.noun));
      if (count.things.empty()) count.things = KeyBefore(quantity.begin);
      if (!count.things.empty()) counts_.push_back(std::move(count));
    }
  }

  std::optional<std::string> Find() const {
    struct Said {
      const Quantity* number;
      std::size_t token;
      std::vector<std::string> nouns;
    };
    std::vector<Said> said;
    constexpr std::size_t kMost = 8;
    for (const Quantity& number : read_.numbers) {
      const std::optional<std::size_t> token = read_.TokenAt(number.begin);
      if (number.in_name || !token || said.size() >= kMost) continue;
      said.push_back({&number, *token, NounsAt(number, *token)});
    }
    for (std::size_t i = 0; i < said.size(); ++i) {
      if (IsOtherCount(*said[i].number, said[i].token)) {
        return fmt::format("the cited lines count another number of {}", WordAt(said[i].token + 1));
      }
      for (std::size_t j = i + 1; j < said.size(); ++j) {
        if (IsOnly(said[i].nouns, *said[j].number, *said[i].number) &&
            IsOnly(said[j].nouns, *said[i].number, *said[j].number)) {
          return fmt::format("the cited lines connect {} and {} the other way round",
                             WordAt(said[i].token), WordAt(said[j].token));
        }
      }
    }
    return std::nullopt;
  }

 private:
  struct Count {
    const Quantity* number;
    std::vector<std::string> things;
  };

  // "four 4090" where the lines have "six 4090": what is counted is a name, so
  // that nothing else can be meant.
  bool IsOtherCount(const Quantity& said, std::size_t token) const {
    if (token + 1 >= read_.tokens.size() || !said.is_word) return false;
    const Token& name = read_.tokens[token + 1];
    const bool is_name = name.kind != TokenKind::kWord && name.begin == said.end + 1;
    if (!is_name || name.clause != read_.tokens[token].clause) return false;
    bool is_other = false;
    const std::vector<Token>& tokens = evidence_.tokens();
    for (std::size_t i = 1; i < tokens.size(); ++i) {
      if (WithoutPlural(tokens[i].lower) != WithoutPlural(name.lower)) continue;
      const Quantity* count = NumberAt(tokens[i - 1]);
      if (count == nullptr || Compare(said, *count, {}) != QuantityFit::kNone) return false;
      is_other = true;
    }
    return is_other;
  }

  std::string WordAt(std::size_t token) const {
    const Token& t = read_.tokens[token];
    return read_.statement.text.substr(t.begin, t.end - t.begin);
  }

  static std::string_view WithoutPlural(std::string_view name) {
    return name.ends_with('s') ? name.substr(0, name.size() - 1) : name;
  }

  const Quantity* NumberAt(const Token& token) const {
    for (const Quantity& quantity : evidence_.quantities()) {
      if (quantity.begin == token.begin && !quantity.in_name) return &quantity;
    }
    return nullptr;
  }

  // The parts of the name before "= 32", ": 32", " 32"; without those that only count.
  std::vector<std::string> KeyBefore(std::size_t byte) const {
    const std::vector<Token>& tokens = evidence_.tokens();
    const auto after =
        std::lower_bound(tokens.begin(), tokens.end(), byte,
                         [](const Token& t, std::size_t at) { return t.begin < at; });
    std::vector<std::string> things;
    constexpr std::size_t kMost = 5;
    std::size_t end = byte;
    for (auto token = after; token != tokens.begin() && things.size() < kMost;) {
      --token;
      const std::string_view between = evidence_.lines().substr(token->end, end - token->end);
      const bool is_key =
          between.find_first_not_of(things.empty() ? " =:{(\"'-" : "-_") == std::string_view::npos;
      if (!is_key || token->kind == TokenKind::kNumber) break;
      end = token->begin;
      std::vector<std::string> parts = token->parts;
      if (parts.empty()) parts.push_back(token->stem);
      const auto per = std::find(parts.begin(), parts.end(), "per");
      if (per != parts.begin()) parts.erase(per, parts.end());
      for (const std::string& part : parts) {
        if (!IsCountWord(part)) things.push_back(part);
      }
      if (!token->parts.empty()) break;
    }
    return things;
  }

  // The stems of "attention heads" after the number, else of "threshold of" before it.
  std::vector<std::string> NounsAt(const Quantity& said, std::size_t token) const {
    constexpr std::array<std::string_view, 14> kEnds = {"of", "in",   "per", "for",  "with",
                                                        "at", "on",   "by",  "from", "is",
                                                        "to", "each", "and", "that"};
    constexpr std::size_t kMost = 4;
    std::vector<std::string> nouns;
    for (std::size_t i = token; i < read_.tokens.size() && nouns.size() < kMost; ++i) {
      const Token& t = read_.tokens[i];
      if (t.begin < said.end) continue;
      if (t.clause != read_.tokens[token].clause || IsOneOf(t.lower, kEnds) ||
          t.kind == TokenKind::kNumber) {
        break;
      }
      nouns.push_back(t.stem);
    }
    return nouns;
  }

  // The lines give these things this number, and not the other one.
  bool IsOnly(const std::vector<std::string>& nouns, const Quantity& right,
              const Quantity& wrong) const {
    if (nouns.empty()) return false;
    bool is_right = false;
    for (const Count& count : counts_) {
      const bool is_named =
          std::all_of(count.things.begin(), count.things.end(), [&](const std::string& thing) {
            return std::find(nouns.begin(), nouns.end(), thing) != nouns.end();
          });
      if (!is_named) continue;
      if (Compare(wrong, *count.number, evidence_.hints()) == QuantityFit::kSame) return false;
      is_right = is_right || Compare(right, *count.number, evidence_.hints()) == QuantityFit::kSame;
    }
    return is_right;
  }

  const ReadStatement& read_;
  const EvidenceText& evidence_;
  std::vector<Count> counts_;
};

}  // namespace

std::optional<std::string> WrongCount(const ReadStatement& read, const EvidenceText& evidence,
                                      Stems& stems) {
  const auto counts = std::count_if(read.numbers.begin(), read.numbers.end(),
                                    [](const Quantity& number) { return !number.in_name; });
  if (counts == 0) return std::nullopt;
  return CountedNouns(read, evidence, stems).Find();
}

}  // namespace sibyl::support
