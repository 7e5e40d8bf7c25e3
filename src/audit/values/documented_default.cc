// SPDX-License-Identifier: Apache-2.0
#include "audit/values/documented_default.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

#include "audit/values/value_literal.h"
#include "base/ascii.h"
#include "base/strings.h"

namespace sibyl::audit {
namespace {

constexpr std::size_t kMaxSightings = 400;

/// The value that a line assigns to a parameter, and whether it is a
/// definition.
struct GivenValue {
  double value = 0;
  bool is_definition = false;
};

// Whole characters only.
std::string_view ShownExcerpt(std::string_view line) {
  constexpr std::size_t kMost = 120;
  line = Trim(line);
  if (line.size() <= kMost) return line;
  std::size_t end = kMost;
  while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xC0U) == 0x80U) --end;
  return line.substr(0, end);
}

constexpr double kTrue = 1e300;
constexpr double kFalse = -1e300;

char CharAt(std::string_view text, std::size_t at) { return at < text.size() ? text[at] : ' '; }

std::string ShowValue(double value) {
  if (value == kTrue) return "True";
  if (value == kFalse) return "False";
  return fmt::format("{}", value);
}

// The number at the beginning of the text, if it is one and nothing else.
std::optional<double> LeadingNumber(std::string_view text) {
  constexpr std::string_view kBefore = " `:=(*\"'";
  constexpr int kMostWords = 8;
  for (int words = 0; words <= kMostWords; ++words) {
    while (!text.empty() && kBefore.find(text[0]) != text.npos) text.remove_prefix(1);
    const std::size_t left = text.size();
    for (const std::string_view word : {"is ", "to ", "of ", "value ", "are "}) {
      if (!text.starts_with(word)) continue;
      text.remove_prefix(word.size());
      break;
    }
    if (text.size() == left) break;
  }
  // Booleans are not numbers.
  for (const std::string_view word : {"True", "true", "ON", "enabled"}) {
    if (text.starts_with(word) && !IsNameByte(CharAt(text, word.size()))) return kTrue;
  }
  for (const std::string_view word : {"False", "false", "OFF", "disabled"}) {
    if (text.starts_with(word) && !IsNameByte(CharAt(text, word.size()))) return kFalse;
  }
  if (text.empty() ||
      !(IsDigit(text[0]) || (text[0] == '-' && text.size() > 1 && IsDigit(text[1])))) {
    return std::nullopt;
  }
  const std::string digits(text.substr(0, 24));
  char* end = nullptr;
  const double value = std::strtod(digits.c_str(), &end);
  const char next = *end;
  if (IsNameByte(next) && next != 'M' && next != 'm') return std::nullopt;
  if (next == '*' || next == '/' || next == '<') return std::nullopt;  // only part of it
  if (next == '.' && IsDigit(end[1])) return std::nullopt;             // a version
  return value;
}

std::optional<GivenValue> ValueGiven(std::string_view line, std::string_view name) {
  const std::size_t at = line.find(name);
  if (at == line.npos) return std::nullopt;
  std::string_view rest = line.substr(at + name.size());
  const std::size_t word = rest.find("efault");
  const std::size_t equals = rest.find('=');
  if (word != rest.npos && word < 80) {
    std::string_view behind = rest.substr(word + 6);
    if (const std::optional<double> value = LeadingNumber(behind)) {
      return GivenValue{.value = *value, .is_definition = true};
    }
  }
  if (Trim(line.substr(0, at)).ends_with("#define")) {
    if (const std::optional<double> value = LeadingNumber(Trim(rest))) {
      return GivenValue{.value = *value, .is_definition = true};
    }
  }
  if (equals == rest.npos || equals > 40 || rest.substr(equals).starts_with("==")) {
    return std::nullopt;
  }
  const std::string_view between = Trim(rest.substr(0, equals));
  const bool is_annotated = between.starts_with(":");
  if (!between.empty() && !is_annotated) return std::nullopt;
  const std::optional<double> value = LeadingNumber(rest.substr(equals + 1));
  if (!value) return std::nullopt;
  const std::string_view before = line.substr(0, at);
  const bool defines = is_annotated || before.find("def ") != before.npos || before.empty();
  return GivenValue{.value = *value, .is_definition = defines};
}

// "growth_factor (float): …", "``NAME``": the line is about another parameter.
bool BeginsEntry(std::string_view line) {
  line = Trim(line);
  if (line.starts_with("``")) return true;
  std::size_t end = 0;
  while (end < line.size() && IsNameByte(line[end])) ++end;
  if (end < 2) return false;
  const std::string_view rest = line.substr(end);
  return rest.starts_with(" (") || rest.starts_with(":") || rest.starts_with(" :") ||
         rest.starts_with("=") || rest.starts_with(" =");
}

// Tests give parameters whatever values they need.
bool IsTest(std::string_view path) {
  return path.starts_with("test") || path.find("/test") != path.npos;
}

bool Same(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(1.0, std::abs(a)); }

// The default in the lines around a name: after it as in a manual, or above it
// as in a header.
std::optional<GivenValue> DefaultNear(const Witness& witness, const Sighting& sighting) {
  constexpr std::size_t kLines = 8;
  std::size_t first_line = 0;
  const std::string passage = witness.PassageOf(sighting, first_line);
  const std::vector<std::string_view> lines = SplitLines(passage);
  if (sighting.line < first_line || sighting.line - first_line >= lines.size()) return {};
  const std::size_t at = sighting.line - first_line;
  const auto value_in = [&](std::string_view line) -> std::optional<double> {
    const std::size_t word = LowerCase(line).find("default");
    if (word == line.npos) return std::nullopt;
    std::string_view behind = line.substr(word + 7);
    while (behind.starts_with("*") || behind.starts_with(":") || behind.starts_with("s ")) {
      behind.remove_prefix(1);
    }
    return LeadingNumber(behind);
  };
  if (lines[at].find("efault") != std::string_view::npos) return std::nullopt;  // in words
  for (std::size_t i = at + 1; i < std::min(lines.size(), at + 1 + kLines); ++i) {
    if (BeginsEntry(lines[i])) break;
    if (const auto value = value_in(lines[i])) return GivenValue{*value, true};
    if (Trim(lines[i]).ends_with(",") || Trim(lines[i]).ends_with(";")) break;
  }
  for (std::size_t i = at; i-- > 0 && at - i < kLines + 4;) {
    const std::string_view line = Trim(lines[i]);
    if (line.ends_with(",") || line.ends_with(";") || line.empty()) break;
    if (const auto value = value_in(lines[i])) return GivenValue{*value, true};
  }
  return std::nullopt;
}

statement::Judgement CompareLines(const Witness& witness, const std::string& name, double value,
                                  const std::vector<std::string>& companions) {
  std::optional<Sighting> agrees;
  std::optional<Sighting> differs;
  std::set<double> defined;
  std::size_t first_line = 0;
  witness.VisitWord(name, {}, kMaxSightings, [&](const Sighting& sighting) {
    if (IsTest(sighting.path)) return true;
    std::optional<GivenValue> given = ValueGiven(sighting.text, name);
    const bool is_long = name.find('_') != std::string::npos || name.size() >= 16;
    if ((!given || !given->is_definition) && is_long) {
      if (const auto near = DefaultNear(witness, sighting)) given = near;
    }
    if (!given) return true;
    if (!companions.empty()) {
      // Only if the owner of the parameter is nearby.
      const std::string passage = witness.PassageOf(sighting, first_line) + sighting.path;
      const bool is_theirs =
          std::any_of(companions.begin(), companions.end(),
                      [&](const auto& other) { return passage.find(other) != std::string::npos; });
      if (!is_theirs) return true;
    }
    if (Same(given->value, value) && !agrees) agrees = sighting;
    if (given->is_definition) {
      defined.insert(given->value);
      if (!differs && !Same(given->value, value)) differs = sighting;
    }
    return true;
  });
  const bool is_defined_so =
      std::any_of(defined.begin(), defined.end(), [&](double other) { return Same(other, value); });
  // A call that passes the value does not show the default.
  if (agrees && (defined.empty() || is_defined_so)) {
    return {.verdict = statement::Verdict::kSupported,
            .message = "found",
            .where = witness.Show(*agrees),
            .reason = "a source gives the parameter this value"};
  }
  if (!differs) return statement::Undecidable(fmt::format("no source gives `{}` a default", name));
  if (defined.size() > 1)
    return statement::Undecidable("the sources have several parameters with this name");
  return {.verdict = statement::Verdict::kContradicted,
          .message = fmt::format("the sources give `{}` the value {}: \"{}\"", name,
                                 ShowValue(*defined.begin()), ShownExcerpt(differs->text)),
          .nearest = ShowValue(*defined.begin()),
          .where = witness.Show(*differs),
          .reason = "every definition of the parameter has this value"};
}

}  // namespace

std::optional<statement::Judgement> CompareDocumented(const Witness& witness,
                                                      const ValueClaim& claim,
                                                      const std::vector<std::string>& owners) {
  const Literal said = ReadSaid(claim.value);
  double value = said.digits;
  if (said.kind == Literal::Kind::kSwitch) value = said.is_on ? kTrue : kFalse;
  if (said.kind != Literal::Kind::kSwitch && said.kind != Literal::Kind::kNumber) {
    return std::nullopt;
  }
  std::vector<std::string> companions;
  for (const std::string& owner : owners) {
    const std::size_t part = owner.find_last_of(".:");
    companions.push_back(part == std::string::npos ? owner : owner.substr(part + 1));
  }
  statement::Judgement judgement = CompareLines(witness, claim.name, value, companions);
  if (judgement.verdict == statement::Verdict::kUndecidable) return std::nullopt;
  return judgement;
}

}  // namespace sibyl::audit
