// SPDX-License-Identifier: Apache-2.0
#include "evidence/footnote.h"

#include <cstddef>
#include <utility>

#include "base/terminal.h"
#include "evidence/origins/permalink.h"

namespace sibyl::evidence {
namespace {

constexpr std::string_view kCommentOpen = "<!-- ";
constexpr std::string_view kCommentClose = " -->";

// A page is read in terminals too. A space for what would break the line.
std::string Printable(std::string_view text) {
  std::string line(text);
  for (char& letter : line) {
    if (static_cast<unsigned char>(letter) < ' ') letter = ' ';
  }
  return Harmless(line);
}

// Text from a source must not become markup.
std::string Escaped(std::string_view text) {
  std::string escaped;
  for (const char letter : Printable(text)) {
    constexpr std::string_view kMarkup = "\\`*_[]<>&|";
    if (kMarkup.find(letter) != std::string_view::npos) escaped += '\\';
    escaped += letter;
  }
  return escaped;
}

// Underscores and asterisks inside words are not emphasis in GFM; escaping them
// would make the path harder to read.
std::string EscapedPath(std::string_view text) {
  std::string escaped;
  for (const char letter : Printable(text)) {
    constexpr std::string_view kMarkup = "\\`*[]<>&|";
    if (kMarkup.find(letter) != std::string_view::npos) escaped += '\\';
    escaped += letter;
  }
  return escaped;
}

std::string Prefixed(std::string_view label) {
  return label.empty() ? std::string() : Escaped(label) + " ";
}

struct Visible {
  std::string_view label;
  std::string_view fragment;

  std::string operator()(const SourceCitation& citation) const {
    std::string place = EscapedPath(citation.path);
    if (!citation.lines.IsWhole()) {
      place += "#L" + std::to_string(citation.lines.first);
      if (citation.lines.last != citation.lines.first) {
        place += "-L" + std::to_string(citation.lines.last);
      }
    }
    const std::string link = Permalink(citation);
    if (link.empty()) return Prefixed(label) + place;
    return Prefixed(label) + "[" + place + "](" + link + ")";
  }

  std::string operator()(const WebCitation& citation) const {
    std::string url;
    for (const char letter : citation.url) {
      // The few characters that would end a Markdown link.
      switch (letter) {
        case ' ':
          url += "%20";
          break;
        case '(':
          url += "%28";
          break;
        case ')':
          url += "%29";
          break;
        case '<':
          url += "%3C";
          break;
        case '>':
          url += "%3E";
          break;
        default:
          if (static_cast<unsigned char>(letter) >= ' ') url += letter;
      }
    }
    const std::string title = Escaped(label.empty() ? std::string_view(citation.url) : label);
    std::string text = "[" + title + "](" + url + std::string(fragment) + ")";
    if (!citation.accessed.empty()) text += ", accessed " + citation.accessed.substr(0, 10);
    return text;
  }

  std::string operator()(const FactCitation& citation) const {
    return "artifact " + Prefixed(label) + "(sha256 " + citation.sha256.substr(0, 12) +
           "…), inspector " + Escaped(citation.inspector) + ", key " + Escaped(citation.key);
  }

  std::string operator()(const LabCitation& citation) const {
    return "lab " + Prefixed(label) + "run " + Escaped(citation.run) + ", metric " +
           Escaped(citation.metric);
  }

  std::string operator()(const AbsentCitation& citation) const {
    constexpr std::size_t kShort = 7;
    return Prefixed(label) + "at " + citation.anchor_id.Hex().substr(0, kShort) + " has no " +
           Escaped(citation.word);
  }
};

bool IsIdLetter(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9') || letter == '-' || letter == '_' || letter == '.';
}

}  // namespace

std::string FormatFootnote(const Footnote& footnote) {
  return "[^" + footnote.id +
         "]: " + std::visit(Visible{footnote.label, footnote.fragment}, footnote.citation) + " " +
         std::string(kCommentOpen) + FormatCitation(footnote.citation) + std::string(kCommentClose);
}

std::optional<std::string_view> FootnoteId(std::string_view line) {
  if (!line.starts_with("[^")) return std::nullopt;
  const std::size_t end = line.find("]:");
  if (end == std::string_view::npos || end == 2) return std::nullopt;
  const std::string_view id = line.substr(2, end - 2);
  for (const char letter : id) {
    if (!IsIdLetter(letter)) return std::nullopt;
  }
  return id;
}

Result<Footnote> ParseFootnote(std::string_view line) {
  const std::optional<std::string_view> id = FootnoteId(line);
  // The last comment: people may have added an earlier one.
  const std::size_t open = line.rfind("<!--");
  const std::size_t close = open == std::string_view::npos ? open : line.find("-->", open);
  if (!id || close == std::string_view::npos) {
    return Error{.kind = ErrorKind::kNotFound,
                 .message = "reading a footnote: no citation on this line",
                 .hint = "definitions look like [^p1-1]: … <!-- swh:1:cnt:… -->",
                 .place = std::nullopt};
  }
  std::string_view inside = line.substr(open + 4, close - open - 4);
  while (inside.starts_with(' ')) inside.remove_prefix(1);
  while (inside.ends_with(' ')) inside.remove_suffix(1);
  Citation citation = SIBYL_TRY(ParseCitation(inside));
  return Footnote{.id = std::string(*id), .label = {}, .citation = std::move(citation)};
}

}  // namespace sibyl::evidence
