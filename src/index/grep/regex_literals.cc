// SPDX-License-Identifier: Apache-2.0
#include "index/grep/regex_literals.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <utility>

#include "index/words/term_forms.h"

namespace sibyl::index {
namespace {

using Clause = LiteralRequirement::Clause;

constexpr std::size_t kMaxStrings = 24;
constexpr std::size_t kMaxStringBytes = 128;
constexpr std::size_t kMaxClauses = 32;
constexpr int kMaxDepth = 200;

/// What is known of the strings that a part of the expression matches: all of
/// them, if they are few, or else clauses that each of them fulfils.
struct Known {
  bool is_exact = true;
  Clause strings = {""};  // if exact
  std::vector<Clause> clauses;

  static Known Anything() { return {.is_exact = false, .strings = {}, .clauses = {}}; }
  static Known Only(std::string text) {
    return {.is_exact = true, .strings = {std::move(text)}, .clauses = {}};
  }

  /// Gives up exactness and keeps what follows from it.
  void Loosen() {
    if (!is_exact) return;
    is_exact = false;
    const bool says_something =
        !strings.empty() && std::none_of(strings.begin(), strings.end(),
                                         [](const std::string& s) { return s.empty(); });
    if (says_something && clauses.size() < kMaxClauses) clauses.push_back(std::move(strings));
    strings.clear();
  }
};

std::optional<Clause> Product(const Clause& a, const Clause& b) {
  if (a.size() * b.size() > kMaxStrings) return std::nullopt;
  Clause product;
  for (const std::string& left : a) {
    for (const std::string& right : b) {
      if (left.size() + right.size() > kMaxStringBytes) return std::nullopt;
      product.push_back(left + right);
    }
  }
  return product;
}

/// Parts that follow each other. Exact neighbours grow together into longer
/// strings until something breaks them.
class Sequence {
 public:
  void Append(Known next) {
    if (next.is_exact) {
      if (std::optional<Clause> product = Product(open_.strings, next.strings)) {
        open_.strings = std::move(*product);
        return;
      }
      Close();
      open_ = std::move(next);
      return;
    }
    Close();
    for (Clause& clause : next.clauses) closed_.clauses.push_back(std::move(clause));
  }

  Known Take() {
    if (is_whole_) return std::move(open_);
    Close();
    return std::move(closed_);
  }

 private:
  void Close() {
    is_whole_ = false;
    open_.Loosen();
    for (Clause& clause : open_.clauses) closed_.clauses.push_back(std::move(clause));
    open_ = Known{};
  }

  Known open_;
  Known closed_ = Known::Anything();
  bool is_whole_ = true;
};

// The clause that is most worth looking up: its shortest string is longest.
const Clause* BestClause(const std::vector<Clause>& clauses) {
  const Clause* best = nullptr;
  std::size_t best_bytes = 0;
  for (const Clause& clause : clauses) {
    std::size_t shortest = kMaxStringBytes;
    for (const std::string& string : clause) shortest = std::min(shortest, string.size());
    if (best == nullptr || shortest > best_bytes) {
      best = &clause;
      best_bytes = shortest;
    }
  }
  return best;
}

Known Either(Known a, Known b) {
  if (a.is_exact && b.is_exact && a.strings.size() + b.strings.size() <= kMaxStrings) {
    a.strings.insert(a.strings.end(), b.strings.begin(), b.strings.end());
    return a;
  }
  a.Loosen();
  b.Loosen();
  const Clause* best_a = BestClause(a.clauses);
  const Clause* best_b = BestClause(b.clauses);
  Known either = Known::Anything();
  if (best_a == nullptr || best_b == nullptr) return either;
  if (best_a->size() + best_b->size() > kMaxStrings) return either;
  Clause both = *best_a;
  both.insert(both.end(), best_b->begin(), best_b->end());
  either.clauses.push_back(std::move(both));
  return either;
}

/// Reads RE2's syntax as far as it matters here.
class Parser {
 public:
  explicit Parser(std::string_view pattern) : rest_(pattern) {}

  Known Parse() {
    Known known = ParseAlternatives(0);
    if (failed_ || !rest_.empty()) return Known::Anything();
    return known;
  }

 private:
  Known Fail() {
    failed_ = true;
    rest_ = {};
    return Known::Anything();
  }

  bool TakeIf(std::string_view text) {
    if (rest_.substr(0, text.size()) != text) return false;
    rest_.remove_prefix(text.size());
    return true;
  }

  Known ParseAlternatives(int depth) {
    if (depth > kMaxDepth) return Fail();
    const bool outer_ignores_case = ignores_case_;
    Known known = ParseSequence(depth);
    while (TakeIf("|")) known = Either(std::move(known), ParseSequence(depth));
    ignores_case_ = outer_ignores_case;
    return known;
  }

  Known ParseSequence(int depth) {
    Sequence sequence;
    while (!failed_ && !rest_.empty() && rest_[0] != '|' && rest_[0] != ')') {
      sequence.Append(ParseRepeated(depth));
    }
    return sequence.Take();
  }

  Known ParseRepeated(int depth) {
    Known atom = ParseAtom(depth);
    for (bool is_first = true;; is_first = false) {
      std::optional<Known> repeated = ParseRepetition(atom);
      if (!repeated) return atom;
      TakeIf("?");  // lazy: matches the same lines
      // "a**" means what "a*" does; anything beyond that is not worth knowing.
      atom = is_first ? std::move(*repeated) : Known::Anything();
    }
  }

  // What follows an atom and repeats it.
  std::optional<Known> ParseRepetition(Known atom) {
    if (TakeIf("*")) return Known::Anything();
    if (TakeIf("+")) {
      atom.Loosen();
      return atom;
    }
    if (TakeIf("?")) return Either(std::move(atom), Known{});
    if (rest_.empty() || rest_[0] != '{') return std::nullopt;
    const std::size_t close = rest_.find('}');
    if (close == std::string_view::npos) return std::nullopt;  // a brace like any character
    const std::string_view counts = rest_.substr(1, close - 1);
    const bool is_count = !counts.empty() && std::isdigit(static_cast<unsigned char>(counts[0])) &&
                          counts.find_first_not_of("0123456789,") == std::string_view::npos;
    if (!is_count) return std::nullopt;
    rest_.remove_prefix(close + 1);
    if (counts[0] == '0') return Known::Anything();
    if (counts == "1") return atom;
    atom.Loosen();
    return atom;
  }

  Known ParseAtom(int depth) {
    const char c = rest_[0];
    switch (c) {
      case '(':
        return ParseGroup(depth);
      case '[':
        return ParseClass();
      case '\\':
        return ParseEscape();
      case '.':
        rest_.remove_prefix(1);
        return Known::Anything();
      case '^':
      case '$':
        rest_.remove_prefix(1);
        return Known{};
      case '*':
      case '+':
      case '?':
        return Fail();
      default:
        rest_.remove_prefix(1);
        return Character(c);
    }
  }

  Known ParseGroup(int depth) {
    rest_.remove_prefix(1);
    const bool outer_ignores_case = ignores_case_;
    if (TakeIf("?P<")) {
      const std::size_t close = rest_.find('>');
      if (close == std::string_view::npos) return Fail();
      rest_.remove_prefix(close + 1);
    } else if (TakeIf("?")) {
      bool turns_on = true;
      while (!rest_.empty() && rest_[0] != ')' && rest_[0] != ':') {
        if (rest_[0] == '-') turns_on = false;
        if (rest_[0] == 'i') ignores_case_ = turns_on;
        if (std::string_view("imsU-").find(rest_[0]) == std::string_view::npos) return Fail();
        rest_.remove_prefix(1);
      }
      if (TakeIf(")")) return Known{};  // holds to the end of the group around it
      if (!TakeIf(":")) return Fail();
    }
    Known known = ParseAlternatives(depth + 1);
    if (!TakeIf(")")) return Fail();
    ignores_case_ = outer_ignores_case;
    return known;
  }

  Known Character(char c) {
    if (static_cast<unsigned char>(c) >= 0x80 && ignores_case_) return Known::Anything();
    return Known::Only(std::string(1, c));
  }

  Known ParseEscape() {
    if (rest_.size() < 2) return Fail();
    const char c = rest_[1];
    rest_.remove_prefix(2);
    constexpr std::string_view kEmpty = "AbBz";
    constexpr std::string_view kClasses = "dDwWsSC";
    if (kEmpty.find(c) != std::string_view::npos) return Known{};
    if (kClasses.find(c) != std::string_view::npos) return Known::Anything();
    if (c == 'p' || c == 'P') return ParseUnicodeClass();
    if (c == 'Q') return ParseQuoted();
    if (c == 't') return Character('\t');
    if (std::isalnum(static_cast<unsigned char>(c))) return ParseCode(c);
    return Character(c);
  }

  Known ParseUnicodeClass() {
    if (rest_.empty()) return Fail();
    const std::size_t bytes = rest_[0] == '{' ? rest_.find('}') : 0;
    if (bytes == std::string_view::npos) return Fail();
    rest_.remove_prefix(bytes + 1);
    return Known::Anything();
  }

  Known ParseQuoted() {
    const std::size_t end = rest_.find("\\E");
    const std::string_view quoted = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 2);
    Sequence sequence;
    for (const char c : quoted) sequence.Append(Character(c));
    return sequence.Take();
  }

  // \n, \x41, \x{41}, \101…: characters by number, none of which is worth
  // looking up; only where they end matters.
  Known ParseCode(char c) {
    if (c == 'x' && TakeIf("{")) {
      const std::size_t close = rest_.find('}');
      if (close == std::string_view::npos) return Fail();
      rest_.remove_prefix(close + 1);
    } else if (c == 'x') {
      if (rest_.size() < 2) return Fail();
      rest_.remove_prefix(2);
    } else if (c >= '0' && c <= '7') {
      for (int i = 0; i < 2 && !rest_.empty() && rest_[0] >= '0' && rest_[0] <= '7'; ++i) {
        rest_.remove_prefix(1);
      }
    }
    return Known::Anything();
  }

  // A set of a few ASCII characters is known; any other is anything.
  Known ParseClass() {
    rest_.remove_prefix(1);
    bool is_known = !TakeIf("^");
    std::string members;
    for (bool is_first = true; is_first || (!rest_.empty() && rest_[0] != ']'); is_first = false) {
      if (rest_.empty()) return Fail();
      if (rest_.size() > 1 && rest_[0] == '[' && rest_[1] == ':') {
        const std::size_t close = rest_.find(":]");
        if (close == std::string_view::npos) return Fail();
        rest_.remove_prefix(close + 2);
        is_known = false;
        continue;
      }
      is_known = ParseClassMember(members) && is_known;
      if (failed_) return Known::Anything();
    }
    if (!TakeIf("]")) return Fail();
    if (!is_known || members.empty() || members.size() > kMaxStrings) return Known::Anything();
    Known known{.is_exact = true, .strings = {}, .clauses = {}};
    for (const char c : members) known.strings.emplace_back(1, c);
    return known;
  }

  // One character or range of a class; false if it is not simply that.
  bool ParseClassMember(std::string& members) {
    const char low = rest_[0];
    rest_.remove_prefix(1);
    if (low == '\\') {
      if (rest_.empty()) return (Fail(), false);
      const char escaped = rest_[0];
      rest_.remove_prefix(1);
      if (escaped == 'p' || escaped == 'P') return (ParseUnicodeClass(), false);
      if (std::isalnum(static_cast<unsigned char>(escaped))) return (ParseCode(escaped), false);
      members.push_back(escaped);
      return rest_.empty() || rest_[0] != '-';
    }
    const bool is_ascii = static_cast<unsigned char>(low) < 0x80;
    if (rest_.size() < 2 || rest_[0] != '-' || rest_[1] == ']') {
      members.push_back(low);
      return is_ascii;
    }
    const char high = rest_[1];
    rest_.remove_prefix(2);
    if (!is_ascii || high == '\\' || static_cast<unsigned char>(high) >= 0x80) {
      if (high == '\\' && !rest_.empty()) rest_.remove_prefix(1);
      return false;
    }
    for (int c = static_cast<unsigned char>(low);
         c <= static_cast<unsigned char>(high) && members.size() <= kMaxStrings; ++c) {
      members.push_back(static_cast<char>(c));
    }
    return true;
  }

  std::string_view rest_;
  bool ignores_case_ = false;
  bool failed_ = false;
};

LiteralRequirement Finish(Known known) {
  known.Loosen();
  LiteralRequirement requirement;
  for (const Clause& clause : known.clauses) {
    Clause lowered;
    for (const std::string& string : clause) {
      std::string lower;
      AppendLower(string, lower);
      if (std::find(lowered.begin(), lowered.end(), lower) == lowered.end()) {
        lowered.push_back(std::move(lower));
      }
    }
    requirement.clauses.push_back(std::move(lowered));
  }
  return requirement;
}

}  // namespace

LiteralRequirement RequiredLiterals(std::string_view pattern) {
  return Finish(Parser(pattern).Parse());
}

LiteralRequirement RequiredLiteral(std::string_view literal) {
  return Finish(Known::Only(std::string(literal)));
}

}  // namespace sibyl::index
