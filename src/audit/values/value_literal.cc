// SPDX-License-Identifier: Apache-2.0
#include "audit/values/value_literal.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "base/ascii.h"
#include "base/one_of.h"
#include "base/strings.h"
#include "statement/number.h"
#include "support/numbers/quantity.h"

namespace sibyl::audit {
namespace {

std::optional<Literal> ReadWord(std::string_view text) {
  const std::string lower = LowerCase(text);
  constexpr std::array<std::string_view, 5> kOn = {"true", "on", "yes", "enabled",
                                                   "std::true_type"};
  constexpr std::array<std::string_view, 4> kOff = {"false", "off", "no", "disabled"};
  constexpr std::array<std::string_view, 5> kNothing = {"none", "null", "nullptr", "nil",
                                                        "std::nullopt"};
  if (IsOneOf(lower, kOn)) return Literal{.kind = Literal::Kind::kSwitch, .is_on = true};
  if (IsOneOf(lower, kOff)) return Literal{.kind = Literal::Kind::kSwitch};
  if (IsOneOf(lower, kNothing)) return Literal{.kind = Literal::Kind::kNothing};
  return std::nullopt;
}

// "25", "-1", "1e-5", "0x04", "4ULL", "0.5f", and where it ends.
std::optional<double> NumberAt(std::string_view text, std::size_t& end) {
  const std::string copy(text.substr(0, 40));
  char* stop = nullptr;
  const bool begins = !copy.empty() && (IsDigit(copy[0]) || ((copy[0] == '-' || copy[0] == '.') &&
                                                             copy.size() > 1 && IsDigit(copy[1])));
  if (!begins) return std::nullopt;
  const double value = std::strtod(copy.c_str(), &stop);
  end = static_cast<std::size_t>(stop - copy.c_str());
  return value;
}

// Versions and addresses are texts: 12.4.1, 1:1, 127.0.0.1.
bool IsTextual(std::string_view text) {
  return std::ranges::count(text, '.') > 1 || text.find(':') != text.npos;
}

Literal TextOf(std::string_view text) {
  std::string lower = LowerCase(Trim(text));
  if (!IsTextual(lower) || lower.find("::") != std::string::npos) {
    const std::size_t part = lower.find_last_of(".:");
    const bool is_name =
        part != std::string::npos && part + 1 < lower.size() && !IsDigit(lower[part + 1]);
    if (is_name) lower = lower.substr(part + 1);
  }
  return {.kind = Literal::Kind::kText, .text = std::move(lower)};
}

std::string_view WithoutQuotes(std::string_view text) {
  text = Trim(text);
  while (text.size() >= 2 && (text[0] == '"' || text[0] == '\'' || text[0] == '`') &&
         text.back() == text[0]) {
    text = text.substr(1, text.size() - 2);
  }
  return text;
}

}  // namespace

Literal ReadSaid(std::string_view text) {
  text = WithoutQuotes(text);
  if (const auto word = ReadWord(text)) return *word;
  std::size_t end = 0;
  const std::optional<double> number = IsTextual(text) ? std::nullopt : NumberAt(text, end);
  if (!number) return TextOf(text);
  Literal literal{.kind = Literal::Kind::kNumber, .digits = *number, .value = *number};
  const std::string_view behind = text.substr(end);
  if (behind.starts_with("**")) {  // 2.0**16
    std::size_t stop = 0;
    if (const auto power = NumberAt(behind.substr(2), stop)) {
      literal.digits = literal.value = std::pow(*number, *power);
    }
    return literal;
  }
  const std::size_t unit_at = end + (behind.starts_with(" ") ? 1 : 0);
  if (unit_at < text.size()) {
    if (const auto unit = statement::UnitAt(text, unit_at)) literal.value = *number * unit->factor;
  }
  return literal;
}

std::optional<Literal> ReadDefined(std::string_view text, bool is_text) {
  if (const std::size_t comment = text.find("/*"); comment != text.npos) {
    text = text.substr(0, comment);
  }
  text = WithoutQuotes(text);
  while (text.size() > 2 && text[0] == '(' && text.back() == ')') {
    text = Trim(text.substr(1, text.size() - 2));
  }
  if (text.find("${") != text.npos) return std::nullopt;  // another variable's value
  if (text.empty()) return is_text ? std::optional(Literal{}) : std::nullopt;
  if (const auto word = ReadWord(text)) return *word;
  std::size_t end = 0;
  if (const auto number = IsTextual(text) ? std::nullopt : NumberAt(text, end)) {
    const std::string_view suffix = text.substr(end);
    constexpr std::array<std::string_view, 10> kSuffixes = {"",   "u",  "U",   "l",   "L",
                                                            "ul", "UL", "ULL", "ull", "f"};
    if (IsOneOf(suffix, kSuffixes)) {
      return Literal{.kind = Literal::Kind::kNumber, .digits = *number, .value = *number};
    }
    if (suffix.starts_with("**")) {
      Literal power = ReadSaid(text);
      return power;
    }
    const bool is_product = suffix.find_first_of("*<") != suffix.npos;
    if (!is_product) return std::nullopt;
  }
  const std::vector<support::Quantity> read = support::ReadQuantities(text, true);
  const bool is_expression = text.find_first_of("*<+/") != text.npos;
  if (is_expression) {
    if (read.empty() || !read.back().is_derived) return std::nullopt;
    const bool has_names = std::any_of(text.begin(), text.end(), IsLetter) &&
                           !text.starts_with("int(") && !text.starts_with("static_cast<");
    if (has_names) return std::nullopt;
    return Literal{
        .kind = Literal::Kind::kNumber, .digits = read.back().value, .value = read.back().value};
  }
  const bool is_word = std::all_of(text.begin(), text.end(), [](char c) {
    return IsNameByte(c) || c == '.' || c == ':' || c == '-';
  });
  // A variable's name says nothing; an enumerator's does.
  const bool is_enumerator = text.find_first_of(".:") != text.npos || is_text || IsDigit(text[0]);
  if (!is_word && !is_text) return std::nullopt;
  if (!is_enumerator) return std::nullopt;
  return TextOf(text);
}

std::optional<bool> AreEqual(const Literal& said, const Literal& defined) {
  using Kind = Literal::Kind;
  const auto same = [](double a, double b) {
    return std::abs(a - b) <= 1e-9 * std::max(1.0, std::abs(a)) &&
           (std::abs(a) > 1e-6 || std::abs(a - b) <= 1e-3 * std::abs(a));
  };
  if (said.kind == Kind::kNumber && defined.kind == Kind::kNumber) {
    return same(said.digits, defined.digits) || same(said.value, defined.value);
  }
  if (said.kind == Kind::kSwitch && defined.kind == Kind::kSwitch) {
    return said.is_on == defined.is_on;
  }
  if (said.kind == Kind::kSwitch && defined.kind == Kind::kNumber &&
      (defined.digits == 0 || defined.digits == 1)) {
    return said.is_on == (defined.digits == 1);
  }
  if (said.kind == Kind::kNumber && defined.kind == Kind::kSwitch &&
      (said.digits == 0 || said.digits == 1)) {
    return defined.is_on == (said.digits == 1);
  }
  if (said.kind == Kind::kText && defined.kind == Kind::kText) return said.text == defined.text;
  if (said.kind == Kind::kNothing && defined.kind == Kind::kNothing) return true;
  return std::nullopt;
}

}  // namespace sibyl::audit
