// SPDX-License-Identifier: Apache-2.0
#include "interface/room/text/markdown_html.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "base/markdown/heading_anchor.h"
#include "base/markdown/markdown.h"
#include "base/one_of.h"
#include "base/strings.h"
#include "base/whole_word.h"
#include "interface/room/text/highlight.h"

namespace sibyl::interface {
namespace {

// Front matter is for programs. Its place stays, so that all offsets hold.
std::string WithoutFrontMatter(std::string_view text) {
  std::string result(text);
  if (!text.starts_with("---\n")) return result;
  const std::size_t end = text.find("\n---\n");
  if (end == std::string_view::npos) return result;
  std::fill(result.begin(), result.begin() + static_cast<std::ptrdiff_t>(end) + 5, '\n');
  return result;
}

class MarkdownWriter {
 public:
  MarkdownWriter(std::string_view text, const MarkdownView& view, bool is_fragment)
      : text_view_(text), view_(view), is_fragment_(is_fragment) {}

  void Block(const MarkdownNode& node);
  void Inlines(const MarkdownNode& node) {
    for (const MarkdownNode& child : node.children) Inline(child);
  }
  /// After the text: the footnotes that are remarks.
  void Notes(const MarkdownNode& document);
  RenderedMarkdown Take() { return {.html = std::move(html_), .contents = std::move(contents_)}; }

 private:
  void Blocks(const MarkdownNode& node) {
    const MarkdownNode* before = nullptr;
    for (const MarkdownNode& child : node.children) {
      is_after_code_ = before != nullptr && before->kind == MarkdownKind::kCodeBlock;
      if (is_after_code_ && MarksOfBlockBefore(child) == 0) MarksOfCode(*before);
      Block(child);
      before = &child;
    }
    if (before != nullptr && before->kind == MarkdownKind::kCodeBlock) MarksOfCode(*before);
  }
  void MarksOfCode(const MarkdownNode& code);
  void Heading(const MarkdownNode& node);
  void Paragraph(const MarkdownNode& node);
  std::size_t MarksOfBlockBefore(const MarkdownNode& node) const;
  void List(const MarkdownNode& node);
  void Item(const MarkdownNode& node);
  void CodeBlock(const MarkdownNode& node);
  void Table(const MarkdownNode& node);
  void RawHtml(const MarkdownNode& node);
  void Inline(const MarkdownNode& node);
  void Link(const MarkdownNode& node);
  void Words(const MarkdownNode& node);
  void Piece(std::string_view words, const MarkedStatement* statement);
  void PathInCell(std::string_view path, const MarkedStatement* statement);
  void Footnote(const MarkdownNode& node);
  void NoteMark(const std::string& label);
  void Wanted(std::string_view words);
  void Matched(std::string_view words);
  void Mark(const MarkedStatement& statement, std::size_t number);
  void MarksLeft(const MarkdownNode& block);
  const MarkedStatement* StatementAt(std::size_t offset) const;
  std::size_t AfterBackquotes(const MarkdownSpan& span) const;

  std::string_view text_view_;
  const MarkdownView& view_;
  Html html_;
  TableOfContents contents_;
  HeadingAnchors anchors_;
  std::set<std::size_t> marked_;                     // statements that have their mark
  std::map<std::string, std::size_t> note_numbers_;  // of remarks, in the order of their use
  std::vector<std::string> note_labels_;             // the same, by number
  std::set<std::string> note_marks_;                 // remarks that are marked in the text
  std::size_t next_unmarked_ = 0;
  bool is_tight_ = false;
  bool is_after_code_ = false;
  bool is_fragment_ = false;
  bool is_in_cell_ = false;
};

const MarkedStatement* MarkdownWriter::StatementAt(std::size_t offset) const {
  const auto after =
      std::upper_bound(view_.statements.begin(), view_.statements.end(), offset,
                       [](std::size_t at, const MarkedStatement& each) { return at < each.begin; });
  if (after == view_.statements.begin()) return nullptr;
  const MarkedStatement& found = *std::prev(after);
  return offset < found.end ? &found : nullptr;
}

// A statement that starts with code begins after the backquotes.
std::size_t MarkdownWriter::AfterBackquotes(const MarkdownSpan& span) const {
  std::size_t at = span.begin;
  while (at < span.end && text_view_[at] == '`') ++at;
  return at;
}

void MarkdownWriter::Mark(const MarkedStatement& statement, std::size_t number) {
  const bool is_first = marked_.insert(statement.id).second;
  const std::string id = "m" + std::to_string(statement.id);
  const std::string shown = number > 0 ? std::to_string(number) : std::string();
  const std::string label = (number > 0 ? "receipt " + shown : "no receipt") + ": " +
                            std::string(VerdictWord(statement.verdict)) +
                            (statement.whereabouts.empty() ? "" : ", " + statement.whereabouts);
  html_.Open("a", {{"class", "m " + std::string(VerdictClass(statement.verdict))},
                   {"id", is_first ? id : ""},
                   {"data-s", std::to_string(statement.id)},
                   {"href", view_.links.Receipt(view_.page, statement.id)},
                   {"title", statement.note.empty() ? VerdictWord(statement.verdict)
                                                    : std::string_view(statement.note)},
                   {"aria-label", label}});
  html_.Text(shown).Text(VerdictSign(statement.verdict));
  html_.Text(WhereaboutsSign(statement.whereabouts)).Close("a");
}

// Statements that end in this block and have no footnote of their own in it.
void MarkdownWriter::MarksLeft(const MarkdownNode& block) {
  while (next_unmarked_ < view_.statements.size() &&
         view_.statements[next_unmarked_].end <= block.span.end) {
    const MarkedStatement& statement = view_.statements[next_unmarked_++];
    if (!marked_.contains(statement.id) && statement.begin >= block.span.begin &&
        statement.labels.empty()) {
      Mark(statement, 0);
    }
  }
}

// Of code whose footnotes are in the sentence that introduces it: there, they are that sentence's.
void MarkdownWriter::MarksOfCode(const MarkdownNode& code) {
  auto at = std::lower_bound(
      view_.statements.begin(), view_.statements.end(), code.span.begin,
      [](const MarkedStatement& each, std::size_t begin) { return each.begin < begin; });
  if (at == view_.statements.end() || at->begin >= code.span.end || at->labels.empty()) return;
  html_.Markup("<p class=\"of\"><span class=\"dim\">Sources of the code above:</span> ");
  for (const std::string& label : at->labels) {
    const auto number = view_.numbers.find(label);
    Mark(*at, number == view_.numbers.end() ? 0 : number->second);
  }
  html_.Markup("</p>\n");
}

// "a", "b", … so that it is not taken for the number of a receipt.
std::string NoteName(std::size_t number) {
  constexpr std::size_t kLetters = 26;
  std::string name;
  for (; number > 0; number = (number - 1) / kLetters) {
    name.insert(name.begin(), static_cast<char>('a' + (number - 1) % kLetters));
  }
  return name;
}

void MarkdownWriter::NoteMark(const std::string& label) {
  const auto [noted, is_new] = note_numbers_.try_emplace(label, note_numbers_.size() + 1);
  const std::size_t number = noted->second;
  if (is_new) note_labels_.push_back(label);
  const std::string name = NoteName(number);
  html_.Open("sup", {{"class", "fn"}});
  html_.Element("a",
                {{"href", "#note-" + name},
                 {"id", note_marks_.insert(label).second ? "noted-" + name : std::string()},
                 {"aria-label", "note " + name}},
                name);
  html_.Close("sup");
}

void MarkdownWriter::Notes(const MarkdownNode& document) {
  if (note_labels_.empty()) return;
  html_.Markup(
      "<section class=\"notes\" aria-labelledby=\"notes-of-the-page\"><h2 "
      "id=\"notes-of-the-page\">Notes</h2><p class=\"dim\">Remarks of the author, without a "
      "citation.</p><ol type=\"a\">\n");
  std::map<std::string_view, const MarkdownNode*> definitions;
  for (const MarkdownNode& node : document.children) {
    if (node.kind == MarkdownKind::kFootnoteDefinition) definitions.emplace(node.text, &node);
  }
  // A remark may refer to another one, which then comes after it.
  for (std::size_t number = 1; number <= note_labels_.size(); ++number) {
    const auto definition = definitions.find(note_labels_[number - 1]);
    const std::string name = NoteName(number);
    html_.Open("li", {{"id", "note-" + name}});
    if (definition != definitions.end()) {
      is_tight_ = definition->second->children.size() == 1;
      Blocks(*definition->second);
      is_tight_ = false;
    }
    html_.Element("a", {{"href", "#noted-" + name}, {"aria-label", "back to note " + name}}, "↩");
    html_.Markup("</li>\n");
  }
  html_.Markup("</ol></section>\n");
}

void MarkdownWriter::Footnote(const MarkdownNode& node) {
  if (is_fragment_) return;
  if (view_.is_unchecked) {
    html_.Markup("<span class=\"m zero\" title=\"being checked\">…</span>");
    return;
  }
  if (view_.notes.contains(node.text)) return NoteMark(node.text);
  const MarkedStatement* statement = StatementAt(node.span.begin);
  const auto has_label = [&node](const MarkedStatement& each) {
    return std::find(each.labels.begin(), each.labels.end(), node.text) != each.labels.end();
  };
  if (statement == nullptr || !has_label(*statement)) {
    // After a block of code, the mark is in a paragraph by itself.
    auto at = std::upper_bound(
        view_.statements.begin(), view_.statements.end(), node.span.begin,
        [](std::size_t offset, const MarkedStatement& each) { return offset < each.begin; });
    constexpr int kMostBefore = 8;  // however many statements a text has
    for (int i = 0; i < kMostBefore && at != view_.statements.begin(); ++i) {
      --at;
      if (has_label(*at)) break;
    }
    statement = at != view_.statements.end() && has_label(*at) ? &*at : nullptr;
  }
  const auto number = view_.numbers.find(node.text);
  if (statement != nullptr) {
    Mark(*statement, number == view_.numbers.end() ? 0 : number->second);
  } else {
    html_.Element("sup", {}, node.text);
  }
}

// Words of a search are marked where a word of the text begins with one.
void MarkdownWriter::Wanted(std::string_view words) {
  std::size_t done = 0;
  for (std::size_t at = 0; at < words.size();) {
    std::size_t end = at;
    while (end < words.size() && IsWordByte(words[end])) ++end;
    if (end == at) {
      ++at;
      continue;
    }
    const std::string word = LowerCase(words.substr(at, end - at));
    const bool is_wanted =
        std::any_of(view_.wanted.begin(), view_.wanted.end(),
                    [&word](const std::string& each) { return word.starts_with(each); });
    if (is_wanted) {
      html_.Text(words.substr(done, at - done)).Element("mark", {}, words.substr(at, end - at));
      done = end;
    }
    at = end;
  }
  html_.Text(words.substr(done));
}

// A match may begin and end within a word.
void MarkdownWriter::Matched(std::string_view words) {
  std::size_t done = 0;
  for (std::size_t at = words.find(view_.match); at != std::string_view::npos;
       at = words.find(view_.match, done)) {
    html_.Text(words.substr(done, at - done)).Element("mark", {}, view_.match);
    done = at + view_.match.size();
  }
  html_.Text(words.substr(done));
}

void MarkdownWriter::Piece(std::string_view words, const MarkedStatement* statement) {
  if (!view_.match.empty()) return Matched(words);
  if (!view_.wanted.empty()) return Wanted(words);
  if (statement == nullptr) {
    html_.Text(words);
  } else {
    html_.Element("span", {{"class", "st"}, {"data-s", std::to_string(statement->id)}}, words);
  }
}

// A long path would make its column, and with it the table, wider than the page.
void MarkdownWriter::PathInCell(std::string_view path, const MarkedStatement* statement) {
  const std::string id = statement == nullptr ? std::string() : std::to_string(statement->id);
  html_.Open("span", {{"class", id.empty() ? "" : "st"}, {"data-s", id}});
  while (!path.empty()) {
    const std::size_t end = std::min(path.find_first_of("/_"), path.size() - 1) + 1;
    html_.Text(path.substr(0, end));
    path.remove_prefix(end);
    if (!path.empty()) html_.Markup("<wbr>");
  }
  html_.Close("span");
}

// The text of a node, cut where one statement ends and the next begins. Escapes
// and entities are walked over in step with the source.
void MarkdownWriter::Words(const MarkdownNode& node) {
  const std::string_view words = node.text;
  if (!node.span.is_exact || view_.statements.empty()) {
    Piece(words, node.span.is_exact ? StatementAt(node.span.begin) : nullptr);
    return;
  }
  std::size_t begin = 0;
  std::size_t source = node.span.begin;
  const MarkedStatement* statement = StatementAt(source);
  for (std::size_t at = 0; at < words.size(); ++at) {
    if (source < node.span.end && text_view_[source] != words[at]) {
      if (text_view_[source] == '\\' && source + 1 < node.span.end) {
        ++source;
      } else {
        break;  // an entity: the rest belongs to the same statement
      }
    }
    if (const MarkedStatement* here = StatementAt(source); here != statement) {
      if (at > begin) Piece(words.substr(begin, at - begin), statement);
      statement = here;
      begin = at;
    }
    ++source;
  }
  Piece(words.substr(begin), statement);
}

void MarkdownWriter::Link(const MarkdownNode& node) {
  std::string address = SafeAddress(node.url);
  const bool is_foreign = !address.empty();
  if (is_fragment_) {
    // A page of the oracle may have the same name as a file beside the text.
  } else if (!is_foreign && node.url.starts_with('#')) {
    address = "#" + node.url.substr(1);
  } else if (!is_foreign) {
    const std::string path = LinkedPath(view_.page, node.url);
    const std::size_t hash = node.url.find('#');
    if (path.ends_with(".md") && (!view_.has_page || view_.has_page(path))) {
      address = view_.links.Page(path, hash == std::string::npos
                                           ? std::string_view()
                                           : std::string_view(node.url).substr(hash + 1));
    }
  }
  if (address.empty()) {
    Inlines(node);
    return;
  }
  html_.Open("a", {{"href", address},
                   {"class", is_foreign ? "ext" : ""},
                   {"rel", is_foreign ? "noopener noreferrer" : ""}});
  Inlines(node);
  html_.Close("a");
}

void MarkdownWriter::RawHtml(const MarkdownNode& node) {
  const std::string_view raw = Trim(node.text);
  if (raw.starts_with("<!--") && raw.ends_with("-->")) return;
  html_.Element("code", {{"class", "raw"}, {"title", "HTML, shown as text"}}, raw);
}

void MarkdownWriter::Inline(const MarkdownNode& node) {
  switch (node.kind) {
    case MarkdownKind::kText:
      return Words(node);
    case MarkdownKind::kSoftBreak:
      html_.Markup("\n");
      return;
    case MarkdownKind::kLineBreak:
      html_.Markup("<br>");
      return;
    case MarkdownKind::kCode: {
      html_.Markup("<code>");
      const MarkedStatement* statement =
          node.span.is_exact ? StatementAt(AfterBackquotes(node.span)) : nullptr;
      if (is_in_cell_ && Contains(node.text, "/") && view_.wanted.empty() && view_.match.empty()) {
        PathInCell(node.text, statement);
      } else {
        Piece(node.text, statement);
      }
      html_.Markup("</code>");
      return;
    }
    case MarkdownKind::kHtmlInline:
      return RawHtml(node);
    case MarkdownKind::kEmphasis:
      html_.Markup("<em>");
      Inlines(node);
      html_.Markup("</em>");
      return;
    case MarkdownKind::kStrong:
      html_.Markup("<strong>");
      Inlines(node);
      html_.Markup("</strong>");
      return;
    case MarkdownKind::kStrikethrough:
      html_.Markup("<del>");
      Inlines(node);
      html_.Markup("</del>");
      return;
    case MarkdownKind::kLink:
      return Link(node);
    case MarkdownKind::kImage:
      html_.Markup("<span class=\"img\">[image: ");
      html_.Text(PlainText(node));
      html_.Markup("]</span>");
      return;
    case MarkdownKind::kFootnoteReference:
      return Footnote(node);
    default:
      return Inlines(node);
  }
}

// Elements of the page itself: "receipt", "m12".
bool IsOurId(std::string_view anchor) {
  if (IsOneOf(anchor, std::array<std::string_view, 7>{"receipt", "live", "q", "main", "checked",
                                                      "said", "notes-of-the-page"})) {
    return true;
  }
  for (const std::string_view note : {"note-", "noted-"}) {
    if (anchor.starts_with(note) && anchor.size() <= note.size() + 2) return true;
  }
  return anchor.size() > 1 && (anchor[0] == 'm' || anchor[0] == 'r' || anchor[0] == 's') &&
         anchor.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

void MarkdownWriter::Heading(const MarkdownNode& node) {
  constexpr std::string_view kNotFound = "Not found";
  if (is_fragment_) {
    html_.Markup("<p><strong>");
    Inlines(node);
    html_.Markup("</strong></p>\n");
    return;
  }
  const std::string text = PlainText(node);
  std::string anchor = anchors_.Next(text);
  if (IsOurId(anchor)) anchor = "section-" + anchor;
  contents_.entries.push_back({.level = node.level, .text = text, .anchor = anchor});
  const std::string_view kind = text == kNotFound ? "nf" : "";
  const auto attributes = {HtmlAttribute{"id", anchor}, HtmlAttribute{"class", kind}};
  const auto content = [&] {
    Inlines(node);
    html_.Open("a",
               {{"class", "anchor"}, {"href", "#" + anchor}, {"aria-label", "link to " + text}});
    html_.Markup("#</a>");
  };
  if (node.level == 1) {
    html_.Open("h1", attributes);
    Inlines(node);
    html_.Close("h1");
  } else if (node.level == 2) {
    html_.Open("h2", attributes);
    content();
    html_.Close("h2");
  } else if (node.level == 3) {
    html_.Open("h3", attributes);
    content();
    html_.Close("h3");
  } else {
    html_.Open("h4", attributes);
    content();
    html_.Close("h4");
  }
}

void MarkdownWriter::Item(const MarkdownNode& node) {
  html_.Markup("<li>");
  if (node.task != TaskMark::kNone) {
    html_.Markup(node.task == TaskMark::kDone ? HtmlLiteral("☑ ") : HtmlLiteral("☐ "));
  }
  const bool outer = std::exchange(is_tight_, node.children.size() <= 2);
  Blocks(node);
  is_tight_ = outer;
  html_.Markup("</li>\n");
}

void MarkdownWriter::List(const MarkdownNode& node) {
  if (node.is_ordered) {
    html_.Open("ol", {{"start", node.level != 1 ? std::to_string(node.level) : ""}});
  } else {
    html_.Open("ul");
  }
  for (const MarkdownNode& child : node.children) Item(child);
  html_.Markup(node.is_ordered ? HtmlLiteral("</ol>\n") : HtmlLiteral("</ul>\n"));
}

void MarkdownWriter::CodeBlock(const MarkdownNode& node) {
  const MarkedStatement* statement = StatementAt(node.span.begin);
  const std::string id = statement != nullptr ? std::to_string(statement->id) : "";
  const std::string_view language =
      std::string_view(node.info).substr(0, node.info.find_first_of(" \t{,"));
  html_.Open("pre", {{"class", statement != nullptr ? "st" : ""},
                     {"data-s", id},
                     {"tabindex", "0"},
                     {"aria-label", language.empty() ? "code" : "code, " + std::string(language)},
                     {"role", "region"}});
  html_.Markup("<code>");
  Highlighter highlighter(SyntaxOf(language));
  for (const std::string_view line : SplitLines(node.text)) {
    highlighter.Line(line, {}, html_);
    html_.Markup("\n");
  }
  html_.Markup("</code></pre>\n");
}

void MarkdownWriter::Table(const MarkdownNode& node) {
  html_.Markup("<div class=\"wide\" role=\"group\" aria-label=\"table\" tabindex=\"0\"><table>\n");
  for (const MarkdownNode& row : node.children) {
    html_.Markup("<tr>");
    for (const MarkdownNode& cell : row.children) {
      const bool is_missing = StartsWithIgnoringCase(PlainText(cell), "not found");
      html_.Markup(row.is_header ? HtmlLiteral("<th scope=\"col\">")
                   : is_missing  ? HtmlLiteral("<td class=\"nf\">")
                                 : HtmlLiteral("<td>"));
      is_in_cell_ = true;
      Inlines(cell);
      is_in_cell_ = false;
      html_.Markup(row.is_header ? HtmlLiteral("</th>") : HtmlLiteral("</td>"));
    }
    html_.Markup("</tr>\n");
  }
  html_.Markup("</table></div>\n");
}

// Marks that begin a paragraph belong to the block before it: code has no place for them.
std::size_t MarkdownWriter::MarksOfBlockBefore(const MarkdownNode& node) const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const MarkdownNode& child = node.children[i];
    const bool is_blank = child.kind == MarkdownKind::kSoftBreak ||
                          (child.kind == MarkdownKind::kText && Trim(child.text).empty());
    if (is_blank) continue;
    const bool is_own =
        child.kind != MarkdownKind::kFootnoteReference || StatementAt(child.span.begin) != nullptr;
    if (is_own) return count;
    count = i + 1;
  }
  // Nothing else is in it.
  return is_after_code_ ? node.children.size() : 0;
}

void MarkdownWriter::Paragraph(const MarkdownNode& node) {
  const bool has_marks = !view_.statements.empty() || view_.is_unchecked;
  const std::size_t before = is_tight_ || !has_marks ? 0 : MarksOfBlockBefore(node);
  if (before > 0) {
    html_.Markup("<p class=\"of\">");
    // A row of numbers alone says nothing.
    if (is_after_code_) html_.Markup("<span class=\"dim\">Sources of the code above:</span> ");
    for (std::size_t i = 0; i < before; ++i) Inline(node.children[i]);
    if (before == node.children.size()) MarksLeft(node);
    html_.Markup("</p>\n");
    if (before == node.children.size()) return;
  }
  if (!is_tight_) html_.Markup("<p>");
  for (std::size_t i = before; i < node.children.size(); ++i) Inline(node.children[i]);
  MarksLeft(node);
  html_.Markup(is_tight_ ? HtmlLiteral("\n") : HtmlLiteral("</p>\n"));
}

void MarkdownWriter::Block(const MarkdownNode& node) {
  switch (node.kind) {
    case MarkdownKind::kHeading:
      Heading(node);
      break;
    case MarkdownKind::kParagraph:
      Paragraph(node);
      break;
    case MarkdownKind::kBlockQuote:
      html_.Markup("<blockquote>\n");
      Blocks(node);
      html_.Markup("</blockquote>\n");
      break;
    case MarkdownKind::kList:
      List(node);
      break;
    case MarkdownKind::kCodeBlock:
      CodeBlock(node);
      MarksLeft(node);
      break;
    case MarkdownKind::kHtmlBlock:
      RawHtml(node);
      break;
    case MarkdownKind::kThematicBreak:
      html_.Markup("<hr>\n");
      break;
    case MarkdownKind::kTable:
      Table(node);
      MarksLeft(node);
      break;
    case MarkdownKind::kFootnoteDefinition:
      break;  // the receipts are listed by the page
    default:
      Blocks(node);
  }
}

}  // namespace

std::string_view VerdictWord(std::string_view verdict) {
  if (verdict == "supported") return "holds";
  if (verdict == "undecidable") return "not decided";
  if (verdict == "unchecked") return "not checked here";
  if (verdict == "unchecked_code") return "code not checked";
  if (verdict == "absent") return "not found";
  return verdict;
}

std::string_view VerdictClass(std::string_view verdict) {
  if (verdict == "supported") return "ok";
  if (verdict == "undecidable") return "open";
  if (verdict == "unchecked") return "away";
  if (verdict == "unchecked_code") return "zero";
  return verdict == "stale" ? "old" : "bad";
}

std::string_view VerdictSign(std::string_view verdict) {
  if (verdict == "supported") return "✓";
  if (verdict == "undecidable") return "?";
  if (verdict == "unchecked") return "○";
  if (verdict == "unchecked_code") return "◊";
  return verdict == "stale" ? "↻" : "✗";
}

std::string_view WhereaboutsSign(std::string_view whereabouts) {
  if (whereabouts == "unchanged") return "=";
  if (whereabouts == "gone") return "✗";
  if (whereabouts == "ambiguous") return "?";
  return whereabouts.starts_with("moved") ? "→" : "";
}

Result<RenderedMarkdown> RenderMarkdown(std::string_view text, const MarkdownView& view) {
  const std::string source = WithoutFrontMatter(text);
  const MarkdownNode document = SIBYL_TRY(ParseMarkdown(source));
  MarkdownWriter writer(source, view, false);
  writer.Block(document);
  writer.Notes(document);
  return writer.Take();
}

Html RenderFragment(const MarkdownFragment& fragment) {
  const MarkdownView view{.page = {}, .wanted = fragment.wanted, .match = fragment.match};
  const Result<MarkdownNode> document = ParseMarkdown(fragment.text);
  if (!document.ok()) return Html().Text(fragment.text);
  MarkdownWriter writer(fragment.text, view, true);
  writer.Block(*document);
  return writer.Take().html;
}

namespace {

Html SentenceOf(std::string_view text, const MarkdownView& view, bool is_fragment) {
  const Result<MarkdownNode> document = ParseMarkdown(text);
  const bool is_sentence = document.ok() && document->children.size() == 1 &&
                           document->children.front().kind == MarkdownKind::kParagraph;
  if (!is_sentence) return RenderCodeNames(text);
  MarkdownWriter writer(text, view, is_fragment);
  writer.Inlines(document->children.front());
  return writer.Take().html;
}

}  // namespace

Html RenderSentence(std::string_view text) {
  return SentenceOf(text, MarkdownView{.page = {}}, true);
}

Html RenderSentence(std::string_view text, const MarkdownView& view) {
  return SentenceOf(text, view, false);
}

Html RenderCodeNames(std::string_view text) {
  Html html;
  while (!text.empty()) {
    const std::size_t quote = text.find('`');
    if (quote == std::string_view::npos) break;
    const std::size_t width = text.substr(quote).starts_with("``") ? 2 : 1;
    const std::size_t begin = quote + width;
    const std::size_t end = text.find(text.substr(quote, width), begin);
    if (end == std::string_view::npos || end == begin) break;
    std::string_view before = text.substr(0, quote);
    // ":cpp:struct:" is how reST says what the name is.
    if (width == 1 && before.ends_with(':')) {
      std::size_t role = before.size() - 1;
      while (role > 0 && (IsNameByte(before[role - 1]) || before[role - 1] == ':')) --role;
      if (before[role] == ':') before = before.substr(0, role);
    }
    std::string_view name = text.substr(begin, end - begin);
    if (name.starts_with('~')) name.remove_prefix(1);
    html.Text(before).Element("code", {}, name);
    text.remove_prefix(end + width);
    if (width == 1 && text.starts_with('_')) text.remove_prefix(1);
  }
  return html.Text(text);
}

Html RenderTitle(std::string_view text) {
  const bool is_markdown = Contains(text, "**") || Contains(text, "](");
  return is_markdown ? RenderSentence(text) : RenderCodeNames(text);
}

}  // namespace sibyl::interface
