// SPDX-License-Identifier: Apache-2.0
#include "cards/card_documentation.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/ascii.h"
#include "base/one_of.h"
#include "base/strings.h"

namespace sibyl::cards {
namespace {

constexpr std::size_t kMostDocumentation = 20'000;
constexpr std::size_t kMostDescribed = 200;

std::size_t IndentOfLine(std::string_view line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

// Without the signs of its comment: "* text", "//! text", "# text", "///< text".
std::string_view WithoutSign(std::string_view line) {
  std::string_view bare = line;
  const std::size_t indent = IndentOfLine(bare);
  bare.remove_prefix(indent);
  for (const std::string_view sign : {"/**<", "/*!<", "/**", "/*!", "/*", "///<", "//!<", "///",
                                      "//!", "//", "*/", "##", "#:", "#"}) {
    if (bare.starts_with(sign)) {
      bare.remove_prefix(sign.size());
      if (bare.starts_with('<') || bare.starts_with('!')) bare.remove_prefix(1);
      return bare;
    }
  }
  if (bare.starts_with('*') && !bare.starts_with("**")) return bare.substr(1);
  return line;
}

// "\param[in] name - text", "@param name text", ":param int name: text"
struct Tag {
  enum class Kind : std::uint8_t { kNone, kParameter, kReturns, kSince, kBrief, kOther };
  Kind kind = Kind::kNone;
  std::string_view name;
  std::string_view rest;
};

std::string_view CutWord(std::string_view& text) {
  text = Trim(text);
  std::size_t end = 0;
  while (end < text.size() && !IsBlank(text[end])) ++end;
  const std::string_view word = text.substr(0, end);
  text = Trim(text.substr(end));
  return word;
}

Tag ReadSphinxTag(std::string_view line) {
  Tag tag;
  const std::size_t colon = line.find(':', 1);
  if (colon == line.npos || colon > 80) return tag;
  std::string_view field = line.substr(1, colon - 1);
  const std::string_view word = CutWord(field);
  tag.rest = Trim(line.substr(colon + 1));
  if (word == "param" || word == "arg" || word == "keyword") {
    tag.kind = Tag::Kind::kParameter;
    const std::size_t blank = field.rfind(' ');
    tag.name = blank == field.npos ? field : field.substr(blank + 1);
  } else if (word == "return" || word == "returns") {
    tag.kind = Tag::Kind::kReturns;
  } else if (word == "type" || word == "rtype" || word == "raises") {
    tag.kind = Tag::Kind::kOther;
  }
  return tag;
}

Tag ReadTag(std::string_view line) {
  Tag tag;
  if (line.starts_with(':')) return ReadSphinxTag(line);
  constexpr std::array<std::string_view, 2> kAdded = {".. versionadded::", ".. versionchanged::"};
  if (line.starts_with(kAdded[0])) {
    return {.kind = Tag::Kind::kSince, .rest = Trim(line.substr(kAdded[0].size()))};
  }
  if (!line.starts_with('\\') && !line.starts_with('@')) return tag;
  std::string_view rest = line.substr(1);
  std::string_view word = CutWord(rest);
  word = word.substr(0, word.find('['));
  tag.rest = rest;
  constexpr std::array<std::string_view, 4> kReturns = {"return", "returns", "retval", "result"};
  constexpr std::array<std::string_view, 4> kBrief = {"brief", "details", "short", "note"};
  constexpr std::array<std::string_view, 12> kOther = {
      "sa",  "see",     "file", "ingroup", "notefnerr", "note_async",
      "ref", "endcode", "code", "par",     "warning",   "deprecated"};
  if (word == "param" || word == "tparam") {
    tag.kind = Tag::Kind::kParameter;
    if (rest.starts_with('['))
      rest = Trim(rest.substr(std::min(rest.find(']'), rest.size() - 1) + 1));
    tag.name = CutWord(rest);
    if (rest.starts_with("- ") || rest.starts_with(": ")) rest = Trim(rest.substr(2));
    tag.rest = rest;
  } else if (IsOneOf(word, kReturns)) {
    tag.kind = Tag::Kind::kReturns;
  } else if (word == "since") {
    tag.kind = Tag::Kind::kSince;
  } else if (IsOneOf(word, kBrief)) {
    tag.kind = Tag::Kind::kBrief;
  } else if (IsOneOf(word, kOther) || word.starts_with("note_")) {
    tag.kind = Tag::Kind::kOther;
  }
  return tag;
}

// Sections of docstrings.
enum class Part : std::uint8_t { kText, kParameters, kReturns, kOther };

std::optional<Part> SectionOf(std::string_view line) {
  while (line.ends_with(':')) line.remove_suffix(1);
  const std::string lower = LowerCase(line);
  constexpr std::array<std::string_view, 7> kParameters = {
      "args",  "arguments", "parameters", "keyword args", "keyword arguments", "other parameters",
      "params"};
  constexpr std::array<std::string_view, 4> kReturns = {"returns", "return", "yields", "output"};
  constexpr std::array<std::string_view, 9> kOther = {"attributes", "shape",    "raises",
                                                      "example",    "examples", "note",
                                                      "notes",      "see also", "references"};
  if (IsOneOf(lower, kParameters)) return Part::kParameters;
  if (IsOneOf(lower, kReturns)) return Part::kReturns;
  if (IsOneOf(lower, kOther)) return Part::kOther;
  return std::nullopt;
}

class DocumentationReader {
 public:
  explicit DocumentationReader(Card& card) : card_(card) {}

  void Read(std::string_view text) {
    const std::vector<std::string_view> lines = SplitLines(text.substr(0, kMostDocumentation));
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::string_view line = Trim(lines[i]);
      const bool is_rule = line.size() > 2 && line.find_first_not_of("-=") == line.npos;
      if (is_rule && was_section_) {
        is_numpy_ = true;
        continue;
      }
      was_section_ = false;
      const std::optional<Part> section = SectionOf(line);
      const bool is_ruled =
          i + 1 < lines.size() && lines[i + 1].find("---") != std::string_view::npos;
      if (section && (line.ends_with(':') || is_ruled)) {
        part_ = *section;
        section_indent_ = IndentOfLine(lines[i]);
        was_section_ = true;
        target_ = part_ == Part::kReturns ? &card_.returns : nullptr;
        if (part_ == Part::kText || part_ == Part::kOther) target_ = &card_.documentation;
        continue;
      }
      Line(lines[i], line);
    }
    TrimEnd(card_.documentation);
    TrimEnd(card_.returns);
    for (CardParameter& parameter : card_.parameters) TrimEnd(parameter.documentation);
  }

 private:
  void Line(std::string_view whole, std::string_view line) {
    const Tag tag = ReadTag(line);
    switch (tag.kind) {
      case Tag::Kind::kParameter:
        target_ = &ParameterOf(tag.name).documentation;
        return Append(tag.rest);
      case Tag::Kind::kReturns:
        target_ = &card_.returns;
        return Append(tag.rest);
      case Tag::Kind::kSince:
        card_.since = tag.rest.substr(0, tag.rest.find(' '));
        return;
      case Tag::Kind::kBrief:
        target_ = &card_.documentation;
        return Append(tag.rest);
      case Tag::Kind::kOther:
        target_ = &ignored_;
        return;
      case Tag::Kind::kNone:
        break;
    }
    // A blank line ends what a tag says.
    if (line.empty() && part_ == Part::kText && target_ != &card_.documentation) target_ = nullptr;
    const std::size_t indent = IndentOfLine(whole);
    const bool is_outside = indent < section_indent_ || (indent == section_indent_ && !is_numpy_);
    if (part_ != Part::kText && !line.empty() && is_outside) {
      part_ = Part::kText;
      target_ = &card_.documentation;
    }
    if (part_ == Part::kParameters && ReadEntry(line, indent)) return;
    if (part_ == Part::kText && target_ == nullptr) target_ = &card_.documentation;
    Append(line);
  }

  // "depth (int, optional): text", "depth: text", NumPy: "depth : int"
  bool ReadEntry(std::string_view line, std::size_t indent) {
    if (line.empty()) return true;
    if (entry_indent_ != 0 && indent > entry_indent_ && target_ != nullptr) return false;
    std::size_t end = 0;
    while (end < line.size() && (IsNameByte(line[end]) || line[end] == '*' || line[end] == '.'))
      ++end;
    if (end == 0 || (indent <= section_indent_ && !is_numpy_)) return false;
    std::string_view rest = line.substr(end);
    std::string_view name = line.substr(0, end);
    while (name.starts_with('*')) name.remove_prefix(1);
    const std::string_view after = Trim(rest);
    const bool is_entry = after.starts_with(':') || after.starts_with('(') || after.empty();
    if (!is_entry || name.empty()) return false;
    entry_indent_ = indent;
    CardParameter& parameter = ParameterOf(name);
    std::string_view text = after;
    if (text.starts_with('(')) {
      const std::size_t close = std::min(text.find("):"), text.size());
      parameter.type = std::string(text.substr(1, close - std::min<std::size_t>(close, 1)));
      text = close == text.size() ? std::string_view() : text.substr(close + 1);
    }
    if (text.starts_with(':')) text = Trim(text.substr(1));
    target_ = &parameter.documentation;
    if (is_numpy_) {
      parameter.type = std::string(text);
    } else {
      Append(text);
    }
    return true;
  }

  CardParameter& ParameterOf(std::string_view name) {
    while (!name.empty() && (name.back() == ',' || name.back() == ':')) name.remove_suffix(1);
    for (CardParameter& known : card_.parameters) {
      if (known.name == name) return known;
    }
    if (card_.parameters.size() >= kMostDescribed) return spare_;
    return card_.parameters.emplace_back(CardParameter{.name = std::string(name)});
  }

  void Append(std::string_view line) {
    if (target_ == nullptr) target_ = &card_.documentation;
    std::string& to = *target_;
    if (line.empty()) {
      if (!to.empty() && !to.ends_with("\n\n")) to += "\n\n";
      return;
    }
    if (!to.empty() && !to.ends_with('\n')) to += '\n';
    // "\p depth" and "\c depth" of Doxygen are marks.
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::string_view mark = line.substr(i, 3);
      if (mark == "\\p " || mark == "\\c " || mark == "\\e " || mark == "\\a ") i += 3;
      if (i < line.size()) to += line[i];
    }
  }

  static void TrimEnd(std::string& text) {
    text.resize(Trim(text).empty() ? 0 : text.find_last_not_of(" \n") + 1);
  }

  Card& card_;
  CardParameter spare_;
  std::string ignored_;
  Part part_ = Part::kText;
  std::string* target_ = nullptr;  // what the next line belongs to
  std::size_t section_indent_ = 0;
  std::size_t entry_indent_ = 0;
  bool was_section_ = false;
  bool is_numpy_ = false;
};

}  // namespace

std::string CommentText(std::string_view comments) {
  std::string text;
  for (std::string_view line : SplitLines(comments.substr(0, kMostDocumentation))) {
    line = WithoutSign(line);
    if (const std::size_t end = line.find("*/"); end != line.npos) line = line.substr(0, end);
    while (!line.empty() && IsBlank(line.back())) line.remove_suffix(1);
    if (line.starts_with(' ')) line.remove_prefix(1);
    text += line;
    text += '\n';
  }
  return text;
}

std::string DocstringText(std::string_view docstring) {
  const std::size_t open = docstring.find_first_of("\"'");
  if (open == docstring.npos || docstring.size() < open + 6) return {};
  const std::string_view body = docstring.substr(open + 3, docstring.size() - open - 6);
  const std::vector<std::string_view> lines = SplitLines(body.substr(0, kMostDocumentation));
  std::size_t indent = body.size();
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (!Trim(lines[i]).empty()) indent = std::min(indent, IndentOfLine(lines[i]));
  }
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    text += i == 0 ? Trim(lines[i]) : lines[i].substr(std::min(indent, lines[i].size()));
    text += '\n';
  }
  return text;
}

void ReadDocumentation(std::string_view text, Card& card) { DocumentationReader(card).Read(text); }

}  // namespace sibyl::cards
