// SPDX-License-Identifier: Apache-2.0
#include "statement/gathered.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/ascii.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "statement/plain_character.h"

namespace sibyl::statement {
namespace {

// Whether the source has the text of a code span byte for byte; a line break is
// shown as a blank.
bool IsWrittenAs(std::string_view source, std::string_view text) {
  return std::equal(source.begin(), source.end(), text.begin(), text.end(),
                    [](char written, char shown) {
                      return written == shown || (written == '\n' && shown == ' ');
                    });
}

bool IsComment(std::string_view html) { return Trim(html).starts_with("<!--"); }

class InlineGatherer {
 public:
  InlineGatherer(std::string_view source, Gathered& gathered)
      : source_(source), gathered_(gathered) {}

  void Add(const MarkdownNode& node) {
    std::string& text = gathered_.whole.text;
    switch (node.kind) {
      case MarkdownKind::kText:
        // The text of a definition list, which GFM shows as it is written.
        if (after_break_ && !gathered_.marks.empty() &&
            (node.text == ":" || node.text.starts_with(": "))) {
          gathered_.cuts.push_back(text.size());
        }
        after_break_ = false;
        AddRun(node, false);
        return;
      case MarkdownKind::kCode:
        after_break_ = false;
        AddRun(node, true);
        return;
      case MarkdownKind::kLineBreak:
        if (!gathered_.marks.empty() && gathered_.marks.back().at == text.size()) {
          gathered_.cuts.push_back(text.size());
        }
        [[fallthrough]];
      case MarkdownKind::kSoftBreak:
        text += ' ';
        after_break_ = true;
        return;
      case MarkdownKind::kHtmlInline:
        AddAside(node, IsComment(node.text) ? StatementKind::kHtmlComment : StatementKind::kHtml,
                 IsComment(node.text) ? node.text : HtmlWords(node.text));
        return;
      case MarkdownKind::kFootnoteReference:
        gathered_.marks.push_back({.at = PlaceOfMark(), .label = node.text});
        return;
      default:
        break;
    }
    AddNested(node);
  }

 private:
  // "… is 4.[^1] [^2] The next": both belong to what the first one ends.
  std::size_t PlaceOfMark() const {
    const std::string& text = gathered_.whole.text;
    if (gathered_.marks.empty()) return text.size();
    const std::size_t before = gathered_.marks.back().at;
    return text.find_first_not_of(' ', before) == std::string::npos ? before : text.size();
  }

  void AddNested(const MarkdownNode& node) {
    const std::string& text = gathered_.whole.text;
    const std::size_t begin = text.size();
    for (const MarkdownNode& child : node.children) Add(child);
    if (node.kind == MarkdownKind::kStrikethrough) {
      AddAside(node, StatementKind::kStruck, text.substr(begin));
    }
    const bool is_image = node.kind == MarkdownKind::kImage;
    if (!is_image && node.kind != MarkdownKind::kLink) return;
    if (is_image && text.size() > begin) AddAside(node, StatementKind::kAlt, text.substr(begin));
    if (!node.title.empty()) AddAside(node, StatementKind::kTitle, node.title);
    gathered_.whole.links.push_back(
        {.url = node.url, .text = text.substr(begin), .span = node.span, .is_image = is_image});
    gathered_.link_ends.push_back(text.size());
  }

  void AddAside(const MarkdownNode& node, StatementKind kind, std::string text) {
    Statement aside;
    aside.kind = kind;
    aside.span = node.span;
    aside.text = std::move(text);
    gathered_.asides.push_back(std::move(aside));
  }

  void AddRun(const MarkdownNode& node, bool is_code) {
    if (node.text.empty()) return;
    std::string& text = gathered_.whole.text;
    const std::size_t length = node.span.end - node.span.begin;
    TextRun run = {.begin = text.size(),
                   .end = text.size() + node.text.size(),
                   .source_begin = node.span.begin,
                   .is_exact = node.span.is_exact,
                   .is_code = is_code};
    if (is_code && length > node.text.size()) {
      run.source_begin += (length - node.text.size()) / 2;  // the ticks
      // A line that goes on may be indented, or end in CRLF.
      run.is_exact = run.is_exact && run.source_begin <= source_.size() &&
                     IsWrittenAs(source_.substr(run.source_begin, node.text.size()), node.text);
    } else if (length != node.text.size()) {
      run.is_exact = false;
    }
    gathered_.whole.runs.push_back(run);
    text += node.text;
  }

  std::string_view source_;
  Gathered& gathered_;
  bool after_break_ = false;
};

struct Edit {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string text;
};

// Characters whose plain form is different.
std::vector<Edit> PlainEdits(std::string_view text) {
  std::vector<Edit> edits;
  for (std::size_t at = 0; at < text.size();) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      ++at;
      continue;
    }
    const Utf8Character character = DecodeUtf8(text.substr(at));
    const std::size_t end = at + character.bytes;
    std::optional<std::string> plain = PlainForm(character.code_point);
    const bool after_word = at > 0 && (IsAlphanumeric(text[at - 1]) || text[at - 1] == ')');
    if (const auto raised = RaisedDigit(character.code_point)) {
      // "³⁴ seconds"; an exponent or the number of a note stays.
      const bool after_raised = !edits.empty() && edits.back().end == at;
      if (!after_word && (after_raised || at == 0 || IsBlank(text[at - 1]))) {
        plain = std::to_string(*raised);
      }
    }
    if (plain && plain->size() > 1 && (*plain)[1] == '/' && after_word) plain->insert(0, " ");
    if (plain && character.is_valid) {
      edits.push_back({.begin = at, .end = end, .text = *std::move(plain)});
    }
    at = end;
  }
  return edits;
}

// "\mathrm{regs}_P \cdot 2" of a formula: names and numbers are what can be
// compared.
void FormulaEdits(std::string_view text, std::size_t begin, std::size_t end,
                  std::vector<Edit>& edits) {
  for (std::size_t at = begin; at < end; ++at) {
    if (text[at] == '{' || text[at] == '}') {
      edits.push_back({.begin = at, .end = at + 1, .text = ""});
      continue;
    }
    if (text[at] != '\\') continue;
    std::size_t stop = at + 1;
    while (stop < end && IsLetter(text[stop])) ++stop;
    if (stop == at + 1) stop = std::min(stop + 1, end);
    const std::string_view command = text.substr(at + 1, stop - at - 1);
    std::string plain = " ";
    if (command == "cdot" || command == "times" || command == "ast") plain = "*";
    if (command == "div") plain = "/";
    if (command == "_" || command == "%" || command == "#") plain = command;
    if (command.starts_with("math") || command == "text" || command == "operatorname") plain = "";
    edits.push_back({.begin = at, .end = stop, .text = std::move(plain)});
    at = stop - 1;
  }
}

// "$…$" and "$$…$$" outside of code; a lone "$HOME" is not a formula.
std::vector<Edit> MathEdits(const Gathered& gathered) {
  const std::string_view text = gathered.whole.text;
  std::vector<Edit> edits;
  for (std::size_t at = text.find('$'); at != text.npos && at + 1 < text.size();) {
    const std::string_view mark = text.substr(at).starts_with("$$") ? "$$" : "$";
    const std::size_t begin = at + mark.size();
    const std::size_t end = text.find(mark, begin);
    if (end == text.npos) break;
    const bool is_formula =
        text.substr(begin, end - begin).find('\\') != text.npos && !IsCodeAt(gathered.whole, at);
    if (!is_formula) {
      at = text.find('$', begin);
      continue;
    }
    FormulaEdits(text, begin, end, edits);
    at = text.find('$', end + mark.size());
  }
  return edits;
}

// Where a place of the old text is in the new one.
class Moved {
 public:
  explicit Moved(const std::vector<Edit>& edits) : edits_(edits) {}

  // For places in order.
  std::size_t To(std::size_t at) {
    while (next_ < edits_.size() && edits_[next_].end <= at) {
      shift_ += static_cast<std::ptrdiff_t>(edits_[next_].text.size()) -
                static_cast<std::ptrdiff_t>(edits_[next_].end - edits_[next_].begin);
      ++next_;
    }
    if (next_ < edits_.size() && edits_[next_].begin < at) at = edits_[next_].begin;
    return static_cast<std::size_t>(static_cast<std::ptrdiff_t>(at) + shift_);
  }

 private:
  const std::vector<Edit>& edits_;
  std::size_t next_ = 0;
  std::ptrdiff_t shift_ = 0;
};

// A run becomes the pieces between the edits, and one inexact piece for each.
std::vector<TextRun> MovedRuns(const std::vector<TextRun>& runs, const std::vector<Edit>& edits) {
  std::vector<TextRun> moved;
  Moved places(edits);
  std::size_t edit = 0;
  const auto add = [&](TextRun run, std::size_t begin, std::size_t end, bool is_edited) {
    const std::size_t skipped = begin - run.begin;
    if (run.is_exact) run.source_begin += skipped;
    run.begin = places.To(begin);
    run.end = places.To(end);
    run.is_exact = run.is_exact && !is_edited;
    if (run.end > run.begin) moved.push_back(run);
  };
  for (const TextRun& run : runs) {
    std::size_t at = run.begin;
    while (edit < edits.size() && edits[edit].end <= run.begin) ++edit;
    for (; edit < edits.size() && edits[edit].begin < run.end; ++edit) {
      const std::size_t begin = std::max(edits[edit].begin, at);
      if (begin > at) add(run, at, begin, false);
      const std::size_t end = std::min(edits[edit].end, run.end);
      add(run, begin, end, true);
      at = end;
      if (edits[edit].end > run.end) break;  // it reaches into the next run
    }
    if (at < run.end) add(run, at, run.end, false);
  }
  return moved;
}

void Apply(const std::vector<Edit>& edits, Gathered& gathered) {
  if (edits.empty()) return;
  std::string text;
  std::size_t at = 0;
  for (const Edit& edit : edits) {
    text.append(gathered.whole.text, at, edit.begin - at);
    text += edit.text;
    at = edit.end;
  }
  text.append(gathered.whole.text, at);
  gathered.whole.runs = MovedRuns(gathered.whole.runs, edits);
  Moved marks(edits);
  for (Gathered::Mark& mark : gathered.marks) mark.at = marks.To(mark.at);
  Moved links(edits);
  for (std::size_t& end : gathered.link_ends) end = links.To(end);
  Moved cuts(edits);
  for (std::size_t& cut : gathered.cuts) cut = cuts.To(cut);
  gathered.whole.text = std::move(text);
}

std::string InPlainForm(std::string_view text) {
  std::string plain;
  std::size_t at = 0;
  for (const Edit& edit : PlainEdits(text)) {
    plain += text.substr(at, edit.begin - at);
    plain += edit.text;
    at = edit.end;
  }
  plain += text.substr(at);
  return plain;
}

bool IsShown(std::string_view attribute) {
  constexpr std::array<std::string_view, 8> kShown = {
      "alt", "title", "aria-label", "label", "placeholder", "value", "summary", "content"};
  return std::find(kShown.begin(), kShown.end(), attribute) != kShown.end();
}

// The shown attributes of a tag, without its brackets.
void AppendAttributes(std::string_view tag, std::string& words) {
  for (std::size_t equals = tag.find('='); equals != tag.npos; equals = tag.find('=', equals + 1)) {
    std::size_t begin = equals;
    constexpr std::size_t kLongestName = 32;
    while (begin > 0 && equals - begin < kLongestName && !IsBlank(tag[begin - 1])) --begin;
    std::size_t value = equals + 1;
    while (value < tag.size() && IsBlank(tag[value])) ++value;
    if (value >= tag.size()) return;
    const bool is_quoted = tag[value] == '"' || tag[value] == '\'';
    const std::size_t end = is_quoted ? tag.find(tag[value], value + 1) : tag.find(' ', value);
    if (IsShown(LowerCase(tag.substr(begin, equals - begin)))) {
      words += tag.substr(value + (is_quoted ? 1 : 0),
                          std::min(end, tag.size()) - value - (is_quoted ? 1 : 0));
      words += ' ';
    }
    if (end == tag.npos) return;
    equals = std::max(equals, end - 1);
  }
}

}  // namespace

std::string HtmlWords(std::string_view html) {
  std::string words;
  for (std::size_t at = 0; at < html.size();) {
    if (html[at] != '<') {
      words += html[at++];
      continue;
    }
    const bool is_comment = html.substr(at).starts_with("<!--");
    const std::size_t end = html.find(is_comment ? "-->" : ">", at);
    const std::size_t stop = std::min(end, html.size());
    if (!is_comment && html.substr(at).starts_with("<![CDATA[")) {
      words += html.substr(at + 9, stop - at - 9);
    } else if (!is_comment) {
      words += ' ';
      AppendAttributes(html.substr(at + 1, stop - at - 1), words);
    }
    at = std::min(stop + (is_comment ? 3 : 1), html.size());
  }
  return std::string(Trim(words));
}

Gathered GatherInlines(std::string_view source, const MarkdownNode& block, StatementKind kind,
                       bool is_folded) {
  Gathered gathered;
  gathered.whole.kind = kind;
  gathered.whole.span = block.span;
  InlineGatherer gatherer(source, gathered);
  for (const MarkdownNode& child : block.children) gatherer.Add(child);
  for (Statement& aside : gathered.asides) aside.text = InPlainForm(aside.text);
  if (!is_folded) return gathered;
  Apply(PlainEdits(gathered.whole.text), gathered);
  Apply(MathEdits(gathered), gathered);
  for (StatementLink& link : gathered.whole.links) link.text = InPlainForm(link.text);
  return gathered;
}

}  // namespace sibyl::statement
