// SPDX-License-Identifier: Apache-2.0
#include "support/layout.h"

#include <algorithm>
#include <cstddef>

#include "base/ascii.h"
#include "base/strings.h"

namespace sibyl::support {
namespace {

struct Step {
  float forward = 0;
  float backward = 0;
};

constexpr Step kNextLine = {.forward = 3, .backward = 8};
constexpr Step kNextParagraph = {.forward = 8, .backward = 14};
constexpr float kSentence = 6;
constexpr float kClause = 2;

bool IsCode(std::string_view trimmed) {
  constexpr std::size_t kMostSigns = 2;
  const auto signs = std::count_if(trimmed.begin(), trimmed.end(), [](char c) {
    return std::string_view("(){}[];=<>&|$").find(c) != std::string_view::npos;
  });
  const bool is_assignment = trimmed.find('=') != std::string_view::npos;
  if (static_cast<std::size_t>(signs) > kMostSigns || is_assignment) return true;
  return signs > 0 && std::string_view(";{}:|,").find(trimmed.back()) != std::string_view::npos;
}

// An item of a list, a row, a heading, a field of documentation; not the star
// of a comment before a sentence that goes on.
bool StartsItem(std::string_view trimmed) {
  const char first = trimmed[0];
  const std::string_view rest = trimmed.substr(1);
  if (first == '*' && rest.size() > 1 && rest[0] == ' ' && (IsLower(rest[1]) || rest[1] == '(')) {
    return false;
  }
  if (std::string_view("-*+|@\\").find(first) != std::string_view::npos) return true;
  if (first == '#') return rest.starts_with('#') || rest.starts_with(' ');
  if (first == ':') return rest.find(':') != std::string_view::npos;
  const std::size_t digits = trimmed.find_first_not_of("0123456789");
  return digits > 0 && digits != std::string_view::npos &&
         (trimmed[digits] == '.' || trimmed[digits] == ')');
}

Step StepBetween(std::string_view above, std::string_view below) {
  above = Trim(above);
  below = Trim(below);
  if (above.empty() || below.empty()) return kNextParagraph;
  if (IsCode(above) || IsCode(below) || StartsItem(below)) return kNextLine;
  return {};
}

// Within a line: where a sentence or a clause ends.
float GapIn(std::string_view between) {
  float gap = 0;
  for (std::size_t i = 0; i + 1 < between.size(); ++i) {
    if (!IsBlank(between[i + 1])) continue;
    if (between[i] == '.' || between[i] == ';') return kSentence;
    if (between[i] == ',' || between[i] == ':' || between[i] == ')') gap = kClause;
  }
  return gap;
}

}  // namespace

Layout::Layout(std::string_view text, const std::vector<Token>& tokens) {
  if (tokens.empty()) return;
  forward_.resize(tokens.back().position + std::size_t{1});
  backward_.resize(forward_.size());
  Step at;
  std::size_t line = 0;  // where the line of the token before begins, and ends
  std::size_t line_end = std::min(text.find('\n'), text.size());
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::size_t from = i == 0 ? 0 : tokens[i - 1].end;
    const std::string_view between = text.substr(from, tokens[i].begin - from);
    while (line_end < tokens[i].begin) {
      const std::size_t next = std::min(text.find('\n', line_end + 1), text.size());
      const Step step = StepBetween(text.substr(line, line_end - line),
                                    text.substr(line_end + 1, next - line_end - 1));
      at.forward += step.forward;
      at.backward += step.backward;
      line = line_end + 1;
      line_end = next;
    }
    const float gap = 1 + (i == 0 ? 0 : GapIn(between));
    at.forward += gap;
    at.backward += gap;
    forward_[tokens[i].position] = at.forward;
    backward_[tokens[i].position] = at.backward;
  }
}

double Layout::Distance(const Positions& anchors, const Positions& words) const {
  double least = kFar;
  std::size_t next = 0;  // the first anchor at or after the word
  for (const std::uint32_t word : words) {
    while (next < anchors.size() && anchors[next] < word) ++next;
    if (next < anchors.size()) {
      const double back = backward_[anchors[next]] - backward_[word];
      least = std::min(least, anchors[next] == word ? 0 : back);
    }
    if (next > 0) {
      least = std::min(least, static_cast<double>(forward_[word] - forward_[anchors[next - 1]]));
    }
  }
  return least;
}

}  // namespace sibyl::support
