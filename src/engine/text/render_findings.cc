// SPDX-License-Identifier: Apache-2.0
#include "engine/text/render_findings.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hyperlink.h"
#include "base/line_excerpt.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "engine/outcome.h"
#include "engine/text/columns.h"

namespace sibyl::engine {
namespace {

constexpr std::size_t kIndent = 2;
constexpr std::size_t kWidestInPipe = 160;  // an excerpt is to be looked at, not parsed

/// One line of a file as it can be shown: a tab is one column, so that the
/// caret is in the right place.
std::string Shown(std::string_view text) {
  std::string shown = Harmless(text);
  std::ranges::replace(shown, '\t', ' ');
  return shown;
}

std::string PlacePrefix(const Place& place, const Terminal& terminal) {
  if (place.file.empty()) return {};
  std::string prefix = Harmless(place.file);
  if (place.line > 0) prefix += fmt::format(":{}", place.line);
  // Column one means the whole line and is not printed.
  if (place.line > 0 && place.column > 1) prefix += fmt::format(":{}", place.column);
  return Styled(LinkedFile(prefix, place.file, place.line, terminal) + ": ", Style::kBold,
                terminal);
}

struct Excerpt {
  std::string line;
  std::size_t caret = 0;  ///< Columns before it.
};

/// The part of the line that fits, and where its caret goes.
Excerpt CutExcerpt(const Place& place, std::size_t columns) {
  const std::string_view text = place.text;
  const std::size_t left_out = ExcerptBegin(place.column);
  const std::size_t wanted =
      place.column > 0 ? place.column - 1 - left_out : text.find_first_not_of(" \t");
  const std::size_t at = std::min(wanted, text.size());
  std::string before = Shown(text.substr(0, at));
  const std::string after = Shown(text.substr(at));
  std::size_t width = DisplayWidth(before);
  bool is_cut = left_out > 0;
  if (width + 10 > columns) {  // the caret would hang over the edge: drop the beginning
    while (!before.empty() && width + 1 > columns / 2) {
      const Utf8Character first = DecodeUtf8(before);
      width -= DisplayWidth(first.code_point);
      before.erase(0, first.bytes);
    }
    is_cut = true;
  }
  if (is_cut) {
    before.insert(0, "…");
    ++width;
  }
  return {.line = Shorten(before + after, columns), .caret = width};
}

std::string RenderExcerpt(const Place& place, std::string_view hint, const Terminal& terminal) {
  const std::string shown_hint = Harmless(hint);
  const std::size_t columns = terminal.is_terminal ? terminal.columns : kWidestInPipe;
  const WrapOptions below = {.columns = columns, .first_indent = kIndent, .indent = kIndent};
  const std::string margin(kIndent, ' ');
  if (place.text.empty()) {
    return shown_hint.empty() ? "" : fmt::format("{}{}\n", margin, Wrap(shown_hint, below));
  }
  const std::size_t room = columns > kIndent + 20 ? columns - kIndent : 20;
  const Excerpt excerpt = CutExcerpt(place, room);
  std::string text = fmt::format("{}{}\n", margin, excerpt.line);
  if (shown_hint.empty() && place.column <= 1) return text;
  text += margin + std::string(excerpt.caret, ' ') + Styled("^", Style::kGreen, terminal);
  if (shown_hint.empty()) return text + '\n';
  const std::size_t beside = kIndent + excerpt.caret + 2;
  if (beside + DisplayWidth(shown_hint) <= columns) return fmt::format("{} {}\n", text, shown_hint);
  return fmt::format("{}\n{}{}\n", text, margin, Wrap(shown_hint, below));
}

Style StyleOf(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return Style::kRed;
    case Severity::kWarning:
      return Style::kYellow;
    case Severity::kNote:
      return Style::kBlue;
  }
  return Style::kPlain;
}

// What is in brackets: the code of a check that failed; of one that did not, its
// verdict, since the code is named after the failure.
std::string_view LabelOf(const Finding& finding) {
  if (finding.severity != Severity::kNote) return finding.code;
  const auto verdict = std::ranges::find(finding.details, "verdict", &FindingDetail::name);
  return verdict == finding.details.end() ? finding.code : verdict->value;
}

}  // namespace

std::string RenderFinding(const Finding& finding, const Terminal& terminal) {
  const std::string prefix = PlacePrefix(finding.place, terminal);
  const std::string severity(SeverityName(finding.severity));
  const std::string label = fmt::format("[{}]", LabelOf(finding));
  // In a pipe, one line for each finding: programs read them.
  std::string message = fmt::format("{} {}", Shown(finding.message), label);
  if (terminal.is_terminal) {
    Terminal plain = terminal;
    plain.has_colour = false;
    plain.has_links = false;
    const std::size_t begin = DisplayWidth(PlacePrefix(finding.place, plain)) + severity.size() + 2;
    message = Wrap(message, {.columns = terminal.columns, .first_indent = begin, .indent = 4});
  }
  message.replace(message.size() - label.size(), label.size(),
                  Styled(label, Style::kDim, terminal));
  return fmt::format("{}{}: {}\n{}", prefix, Styled(severity, StyleOf(finding.severity), terminal),
                     message, RenderExcerpt(finding.place, finding.hint, terminal));
}

std::string RenderError(const Error& error, const Terminal& terminal) {
  const Place nowhere;
  const Place& place = error.place ? *error.place : nowhere;
  return fmt::format("sibyl: {}: {}{}\n{}", Styled("error", Style::kRed, terminal),
                     PlacePrefix(place, terminal), Shown(error.message),
                     RenderExcerpt(place, error.hint, terminal));
}

std::string SummariseFindings(const std::vector<Finding>& findings) {
  const FindingCounts counts = CountFindings(findings);
  std::vector<std::string> parts;
  if (counts.errors > 0) parts.push_back(Count(counts.errors, "error"));
  if (counts.warnings > 0) parts.push_back(Count(counts.warnings, "warning"));
  if (counts.notes > 0) parts.push_back(Count(counts.notes, "note"));
  return parts.empty() ? "nothing to report" : Join(parts, ", ");
}

}  // namespace sibyl::engine
