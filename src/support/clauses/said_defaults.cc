// SPDX-License-Identifier: Apache-2.0
#include "support/clauses/said_defaults.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "base/ascii.h"
#include "base/one_of.h"
#include "support/values.h"

namespace sibyl::support {
namespace {

enum class ValueClass : std::uint8_t { kNone, kNumber, kSwitch, kWord };

bool IsSwitch(std::string_view lower) {
  constexpr std::array<std::string_view, 10> kWords = {"true",     "false", "on", "off",  "enabled",
                                                       "disabled", "yes",   "no", "none", "null"};
  return IsOneOf(lower, kWords);
}

// A value that the lines mark as the default.
struct Marked {
  std::size_t token = 0;
  std::size_t mark = 0;
  ValueClass kind = ValueClass::kNone;
};

class DefaultFinder {
 public:
  DefaultFinder(const ReadStatement& read, const EvidenceText& evidence)
      : read_(read), evidence_(evidence), tokens_(evidence.tokens()) {}

  std::optional<OtherDefault> Find() {
    constexpr std::size_t kMostTokens = 20'000;
    if (tokens_.size() > kMostTokens || !ReadPart()) return std::nullopt;
    ReadMarked();
    if (marked_.empty()) return std::nullopt;
    ReadPlaces();
    for (std::size_t i = begin_; i < end_; ++i) {
      const ValueClass kind = ClassOfSaid(i);
      if (kind == ValueClass::kNone || IsMarked(i)) continue;
      if (const Marked* other = OtherOf(i, kind)) {
        return OtherDefault{.said = Text(read_.tokens[i]), .there = tokens_[other->token].lower};
      }
    }
    return FindPlain();
  }

 private:
  // "with clang by default" where the lines have '"gcc" (default) or "clang"'.
  std::optional<OtherDefault> FindPlain() const {
    for (std::size_t i = begin_; i + 2 < end_; ++i) {
      const Token& token = read_.tokens[i];
      if (read_.tokens[i + 1].lower != "by" || read_.tokens[i + 2].lower != "default") continue;
      if (token.in_code || WeightOf(token) < 1 || IsMarked(i)) continue;
      const std::vector<std::uint32_t>& places = places_[i];
      for (std::size_t at = 0; at < tokens_.size(); ++at) {
        if (!std::binary_search(places.begin(), places.end(), tokens_[at].position)) continue;
        if (ClassInLines(at) != ValueClass::kWord) continue;
        constexpr std::size_t kNear = 8;
        for (const Marked& marked : marked_) {
          const std::size_t distance = at < marked.token ? marked.token - at : at - marked.token;
          if (marked.kind != ValueClass::kWord || distance > kNear) continue;
          return OtherDefault{.said = Text(token), .there = tokens_[marked.token].lower};
        }
      }
    }
    return std::nullopt;
  }

  // The tokens up to the semicolon that speak of the default.
  bool ReadPart() {
    const std::string_view text = read_.statement.text;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t stop = std::min(text.find(';', at), text.size());
      if (SpeaksOfDefault(text.substr(at, stop - at))) {
        while (begin_ < read_.tokens.size() && read_.tokens[begin_].begin < at) ++begin_;
        end_ = begin_;
        while (end_ < read_.tokens.size() && read_.tokens[end_].begin < stop) ++end_;
        return begin_ < end_;
      }
      at = stop + 1;
    }
    return false;
  }

  std::string Text(const Token& token) const {
    return read_.statement.text.substr(token.begin, token.end - token.begin);
  }

  std::string_view Gap(std::size_t before, std::size_t after) const {
    return evidence_.lines().substr(tokens_[before].end,
                                    tokens_[after].begin - tokens_[before].end);
  }

  static bool Has(std::string_view text, std::string_view marks) {
    return text.find_first_of(marks) != std::string_view::npos;
  }

  // Quoted, in code font, a number or a switch.
  ValueClass ClassInLines(std::size_t i) const {
    const Token& token = tokens_[i];
    if (token.kind == TokenKind::kNumber) return ValueClass::kNumber;
    if (IsSwitch(token.lower)) return ValueClass::kSwitch;
    const std::string_view text = evidence_.lines();
    const char before = token.begin > 0 ? text[token.begin - 1] : ' ';
    const std::size_t end = text.find_first_not_of('+', token.end);  // "g++"
    const char after = end < text.size() ? text[end] : ' ';
    const bool is_quoted = (before == '`' || before == '\'' || before == '"') && after == before;
    return is_quoted ? ValueClass::kWord : ValueClass::kNone;
  }

  void Mark(std::size_t value, std::size_t mark) {
    const ValueClass kind = ClassInLines(value);
    constexpr std::size_t kMost = 64;
    if (kind == ValueClass::kNone || marked_.size() >= kMost) return;
    marked_.push_back({.token = value, .mark = mark, .kind = kind});
  }

  void ReadMarked() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const std::string& lower = tokens_[i].lower;
      if ((lower != "default" && lower != "defaults") || IsOfAnother(i)) continue;
      if (i > 0 && Has(Gap(i - 1, i), "([") && !Has(Gap(i - 1, i), ".\n")) {
        // "'text' (default)", "0 = warning (default)"
        const bool is_alone = i + 1 == tokens_.size() || Has(Gap(i, i + 1), ")]");
        if (is_alone) MarkBefore(i);
      }
      // "`NHD` by default": of a statement that denies, it is not the opposite.
      if (i > 1 && lower == "default" && tokens_[i - 1].lower == "by" && !IsDenied() &&
          !Has(Gap(i - 2, i - 1), ".;,()[]|")) {
        if (ClassInLines(i - 2) == ValueClass::kWord) Mark(i - 2, i);
      }
      MarkAfter(i);
    }
    MarkValuesOfNames();
  }

  // "`file_stat_matches`: `false`. If false, …"
  void MarkValuesOfNames() {
    for (std::size_t i = begin_; i < end_; ++i) {
      if (!read_.tokens[i].in_code || read_.tokens[i].kind != TokenKind::kName) continue;
      for (std::size_t at = 0; at + 1 < tokens_.size(); ++at) {
        if (tokens_[at].lower != read_.tokens[i].lower) continue;
        const std::string_view gap = Gap(at, at + 1);
        const bool is_pair = gap == "`: `" || gap == "``: ``" || gap == "**: `" || gap == "` = `";
        if (is_pair) Mark(at + 1, at);
      }
    }
  }

  bool IsDenied() const {
    return std::any_of(read_.tokens.begin() + static_cast<std::ptrdiff_t>(begin_),
                       read_.tokens.begin() + static_cast<std::ptrdiff_t>(end_),
                       [](const Token& token) { return token.is_negation; });
  }

  // The line begins with a name that the statement does not have.
  bool IsOfAnother(std::size_t mark) const {
    std::size_t first = mark;
    constexpr std::size_t kLongest = 60;
    while (first > 0 && mark - first < kLongest && !Has(Gap(first - 1, first), "\n")) --first;
    if (first == mark || tokens_[first].kind != TokenKind::kName) return false;
    const bool is_named =
        std::any_of(read_.tokens.begin(), read_.tokens.end(),
                    [&](const Token& token) { return token.lower == tokens_[first].lower; });
    return !is_named && !IsMeant(tokens_[first]);
  }

  // "the FPGA mode" for `SYCL_FPGA_MODE`
  bool IsMeant(const Token& name) const {
    constexpr std::size_t kFewest = 2;
    std::size_t said = 0;
    for (const std::string& part : name.parts) {
      said += std::any_of(read_.tokens.begin(), read_.tokens.end(),
                          [&](const Token& token) { return token.stem == part; })
                  ? 1
                  : 0;
    }
    return said >= kFewest;
  }

  void MarkBefore(std::size_t mark) {
    Mark(mark - 1, mark);
    // "0 = warning (default)": the number too.
    if (mark >= 2 && Has(Gap(mark - 2, mark - 1), "=:") &&
        tokens_[mark - 2].kind == TokenKind::kNumber) {
      Mark(mark - 2, mark);
    }
  }

  // "default=1", "defaults to 10", "Default value of 100", "the default `a` mode"
  void MarkAfter(std::size_t mark) {
    constexpr std::array<std::string_view, 9> kLink = {"to", "is",  "of", "value", "the",
                                                       "be", "are", "a",  "being"};
    constexpr std::size_t kMost = 3;
    for (std::size_t i = mark + 1; i < std::min(mark + 1 + kMost, tokens_.size()); ++i) {
      if (Has(Gap(i - 1, i), ".;,)]|") || tokens_[i].kind == TokenKind::kName) return;
      // "Default", and in the next line "is 4"
      const bool goes_on = i == mark + 1 && IsOneOf(tokens_[i].lower, kLink);
      if (Has(Gap(i - 1, i), "\n") && !goes_on) return;
      if (ClassInLines(i) != ValueClass::kNone) return Mark(i, mark);
      if (!IsOneOf(tokens_[i].lower, kLink)) return;
    }
  }

  ValueClass ClassOfSaid(std::size_t i) const {
    const Token& token = read_.tokens[i];
    // "with `wide=False`, …": a case, not the default.
    if (token.begin > 0 && read_.statement.text[token.begin - 1] == '=') return ValueClass::kNone;
    if (IsSwitch(token.lower) && token.in_code) return ValueClass::kSwitch;
    if (token.kind == TokenKind::kNumber) return ValueClass::kNumber;
    const bool is_value = token.kind == TokenKind::kWord || IsCapitals(Text(token));
    return token.in_code && is_value ? ValueClass::kWord : ValueClass::kNone;
  }

  // NHD: a value, not the name of an option.
  static bool IsCapitals(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), IsUpper);
  }

  // Where the lines have each token, exactly or by value.
  void ReadPlaces() {
    places_.resize(read_.tokens.size());
    for (std::size_t i = begin_; i < end_; ++i) {
      places_[i] = evidence_.PositionsOfWord(read_.tokens[i].lower);
    }
    for (const Quantity& said : read_.numbers) {
      const std::optional<std::size_t> token = read_.TokenAt(said.begin);
      if (!token || read_.tokens[*token].begin != said.begin) continue;
      places_[*token] = evidence_.PositionsOf(said);
    }
  }

  bool IsMarked(std::size_t i) const {
    const std::vector<std::uint32_t>& places = places_[i];
    return std::any_of(marked_.begin(), marked_.end(), [&](const Marked& marked) {
      return std::binary_search(places.begin(), places.end(), tokens_[marked.token].position);
    });
  }

  // Whether a word of the statement is the marked value.
  bool IsSaid(const Marked& marked) const {
    const std::uint32_t position = tokens_[marked.token].position;
    for (std::size_t i = begin_; i < end_; ++i) {
      const std::vector<std::uint32_t>& places = read_.grounds[i].positions;
      if (std::binary_search(places.begin(), places.end(), position)) return true;
      const std::vector<std::uint32_t>& exact = places_[i];
      if (std::binary_search(exact.begin(), exact.end(), position)) return true;
    }
    return false;
  }

  // "is 3 by default", "defaults to 3"
  bool IsSaidAsDefault(std::size_t i) const {
    const auto lower = [&](std::size_t at) {
      return at < end_ ? std::string_view(read_.tokens[at].lower) : std::string_view();
    };
    const bool is_after = lower(i + 1) == "by" && lower(i + 2) == "default";
    const bool is_before = i >= 2 && (lower(i - 2) == "defaults" || lower(i - 2) == "default");
    return read_.tokens[i].kind == TokenKind::kNumber && (is_after || is_before);
  }

  // The lines mark only values of this kind that the statement does not have,
  // and have the value that it has as another one.
  const Marked* OtherOf(std::size_t said, ValueClass kind) const {
    const std::vector<std::uint32_t>& places = places_[said];
    if (places.empty() && !IsSaidAsDefault(said)) return nullptr;
    const Marked* other = nullptr;
    for (const Marked& marked : marked_) {
      if (marked.kind != kind) continue;
      if (IsSaid(marked)) return nullptr;
      const bool is_same =
          other != nullptr && tokens_[other->token].lower == tokens_[marked.token].lower;
      if (other != nullptr && !is_same) return nullptr;
      const std::uint32_t mark = tokens_[marked.mark].position;
      constexpr std::uint32_t kNear = 120;
      const bool is_near = std::any_of(places.begin(), places.end(), [mark](std::uint32_t at) {
        return (at < mark ? mark - at : at - mark) <= kNear;
      });
      if (is_near || places.empty()) other = &marked;
    }
    return other;
  }

  const ReadStatement& read_;
  const EvidenceText& evidence_;
  const std::vector<Token>& tokens_;
  std::size_t begin_ = 0;  // of the part that speaks of the default
  std::size_t end_ = 0;
  std::vector<Marked> marked_;
  std::vector<std::vector<std::uint32_t>> places_;  // of each token of the statement
};

}  // namespace

std::optional<OtherDefault> FindOtherDefault(const ReadStatement& read,
                                             const EvidenceText& evidence) {
  return DefaultFinder(read, evidence).Find();
}

}  // namespace sibyl::support
