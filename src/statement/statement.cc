// SPDX-License-Identifier: Apache-2.0
#include "statement/statement.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "base/ascii.h"
#include "base/strings.h"
#include "base/work.h"
#include "evidence/footnote.h"
#include "statement/code_texts.h"
#include "statement/gathered.h"
#include "statement/sentences.h"

namespace sibyl::statement {
namespace {

class Splitter {
 public:
  explicit Splitter(std::string_view source) : source_(source) {
    result_.headings.emplace_back();
    line_starts_.push_back(0);
    for (std::size_t at = source.find('\n'); at != source.npos; at = source.find('\n', at + 1)) {
      line_starts_.push_back(at + 1);
    }
  }

  Statements Take(const MarkdownNode& document) {
    Block(document, StatementKind::kSentence);
    std::stable_sort(
        result_.asides.begin(), result_.asides.end(),
        [](const Statement& a, const Statement& b) { return a.span.begin < b.span.begin; });
    result_.line_starts = std::move(line_starts_);
    return std::move(result_);
  }

 private:
  void Block(const MarkdownNode& node, StatementKind kind) {
    switch (node.kind) {
      case MarkdownKind::kHeading:
        return Heading(node);
      case MarkdownKind::kParagraph:
        return Paragraph(node, kind);
      case MarkdownKind::kCodeBlock:
        return Code(node);
      case MarkdownKind::kTable:
        return Table(node);
      case MarkdownKind::kFootnoteDefinition:
        return Footnote(node);
      case MarkdownKind::kHtmlBlock:
        return Html(node);
      case MarkdownKind::kThematicBreak:
        return;
      case MarkdownKind::kBlockQuote:
        // A note is the writer's own words, in a box.
        if (const std::size_t mark = AlertMark(node); mark > 0) {
          alert_mark_ = mark;
          break;
        }
        if (HasNoteLabel(node)) break;
        kind = StatementKind::kQuote;
        break;
      case MarkdownKind::kItem:
        kind = StatementKind::kItem;
        break;
      default:
        break;
    }
    for (const MarkdownNode& child : node.children) Block(child, kind);
  }

  // "> **Note:** …": a note in the older form.
  bool HasNoteLabel(const MarkdownNode& node) const {
    const std::string_view text =
        source_.substr(node.span.begin, std::max(node.span.end, node.span.begin) - node.span.begin);
    const std::size_t begin = text.find_first_not_of("> \t");
    if (begin == std::string_view::npos || !text.substr(begin).starts_with("**")) return false;
    const std::string_view label = text.substr(begin + 2);
    for (const std::string_view word : {"Note", "Tip", "Important", "Warning", "Caution", "Hint"}) {
      if (!StartsWithIgnoringCase(label, word)) continue;
      const std::string_view rest = label.substr(word.size());
      if (rest.starts_with(":**") || rest.starts_with("**:") || rest.starts_with(".**"))
        return true;
    }
    return false;
  }

  // The length of "[!NOTE]" at the start of a block quote; zero if it has none.
  std::size_t AlertMark(const MarkdownNode& node) const {
    const std::string_view text =
        source_.substr(node.span.begin, std::max(node.span.end, node.span.begin) - node.span.begin);
    const std::size_t begin = text.find_first_not_of("> \t");
    if (begin == std::string_view::npos) return 0;
    for (const std::string_view mark :
         {"[!NOTE]", "[!TIP]", "[!IMPORTANT]", "[!WARNING]", "[!CAUTION]"}) {
      const std::string_view rest = text.substr(begin);
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      if (StartsWithIgnoringCase(rest, mark) &&
          Trim(rest.substr(mark.size(), end - std::min(end, mark.size()))).empty()) {
        return mark.size();
      }
    }
    return 0;
  }

  void Heading(const MarkdownNode& node) {
    Gathered gathered = Gather(node, StatementKind::kHeading);
    // Up the parents of the last heading: at most six, however many headings
    // there are.
    std::uint32_t parent = heading_;
    while (parent != 0 && result_.headings[parent].level >= node.level) {
      parent = result_.headings[parent].parent;
      Work::Add(1);
    }
    result_.headings.push_back({.text = gathered.whole.text,
                                .level = node.level,
                                .line = node.span.first_line,
                                .parent = parent});
    heading_ = static_cast<std::uint32_t>(result_.headings.size() - 1);
    ++group_;
    Push(std::move(gathered.whole));
  }

  Gathered Gather(const MarkdownNode& node, StatementKind kind) {
    Gathered gathered = GatherInlines(source_, node, kind, kind != StatementKind::kQuote);
    for (Statement& aside : gathered.asides) PushAside(std::move(aside));
    return gathered;
  }

  void PushAside(Statement aside) {
    aside.heading = heading_;
    aside.group = group_;
    result_.asides.push_back(std::move(aside));
  }

  // Comments and words apart: comments may be ours.
  void Html(const MarkdownNode& node) {
    Statement aside;
    aside.span = node.span;
    const std::string_view html = node.text;
    for (std::size_t at = html.find("<!--"); at != html.npos; at = html.find("<!--", at + 4)) {
      aside.kind = StatementKind::kHtmlComment;
      const std::size_t end = std::min(html.find("-->", at), html.size());
      aside.text = html.substr(at, end - at + 3);
      PushAside(aside);
      at = end;
    }
    const bool is_only_comments = Trim(html).starts_with("<!--") && HtmlWords(html).empty();
    if (is_only_comments) return;
    aside.kind = StatementKind::kHtml;
    aside.text = HtmlWords(html);
    PushAside(std::move(aside));
  }

  void Push(Statement statement) {
    statement.heading = heading_;
    statement.group = group_;
    result_.all.push_back(std::move(statement));
  }

  void Paragraph(const MarkdownNode& node, StatementKind kind) {
    ++group_;
    Gathered gathered = Gather(node, kind);
    if (const std::size_t mark = std::exchange(alert_mark_, 0);
        mark > 0 && gathered.whole.text.starts_with('[')) {
      std::fill_n(gathered.whole.text.begin(), std::min(mark, gathered.whole.text.size()), ' ');
    }
    CiteCodeAbove(gathered);
    if (kind == StatementKind::kQuote) {
      for (Gathered::Mark& mark : gathered.marks) {
        gathered.whole.citations.push_back(std::move(mark.label));
      }
      Push(std::move(gathered.whole));
      return;
    }
    Sentences(gathered);
  }

  // "[^2]" at the beginning of a paragraph cites the code block right above it.
  void CiteCodeAbove(Gathered& gathered) {
    if (result_.all.empty() || result_.all.back().kind != StatementKind::kCode) return;
    const std::size_t blank =
        std::min(gathered.whole.text.find_first_not_of(" \t\r\n"), gathered.whole.text.size());
    std::size_t count = 0;
    while (count < gathered.marks.size() && gathered.marks[count].at <= blank) {
      result_.all.back().citations.push_back(gathered.marks[count].label);
      ++count;
    }
    gathered.marks.erase(gathered.marks.begin(),
                         gathered.marks.begin() + static_cast<std::ptrdiff_t>(count));
  }

  void Sentences(const Gathered& gathered) {
    std::size_t begin = 0;
    std::size_t run = 0;
    std::size_t mark = 0;
    std::size_t link = 0;
    bool is_clause = false;
    for (const StatementEnd& stop : FindStatementEnds(gathered)) {
      const std::size_t end = stop.at;
      Statement sentence;
      sentence.is_clause = std::exchange(is_clause, stop.is_clause);
      sentence.kind = gathered.whole.kind;
      sentence.text = gathered.whole.text.substr(begin, end - begin);
      sentence.span = gathered.whole.span;
      // A run that reaches into the next sentence is looked at again there.
      while (run < gathered.whole.runs.size() && gathered.whole.runs[run].begin < end) {
        TextRun part = gathered.whole.runs[run];
        const std::size_t cut = std::max(part.begin, begin);
        if (part.is_exact) part.source_begin += cut - part.begin;
        const bool goes_on = part.end > end;
        part.begin = cut - begin;
        part.end = std::min(part.end, end) - begin;
        if (part.end > part.begin) sentence.runs.push_back(part);
        if (goes_on) break;
        ++run;
      }
      // A mark right after the full stop still belongs to the sentence.
      while (mark < gathered.marks.size() && gathered.marks[mark].at <= end) {
        const Gathered::Mark& here = gathered.marks[mark++];
        sentence.citations.push_back(here.label);
        sentence.marks.push_back(std::max(here.at, begin) - begin);
      }
      while (link < gathered.link_ends.size() && gathered.link_ends[link] <= end) {
        sentence.links.push_back(gathered.whole.links[link++]);
      }
      begin = end;
      const bool is_empty = Trim(sentence.text).empty() && sentence.citations.empty();
      if (!is_empty) Push(WithPlace(std::move(sentence)));
    }
  }

  // A sentence's own lines and columns, where its first run is known.
  Statement WithPlace(Statement sentence) const {
    if (sentence.runs.empty()) return sentence;
    std::size_t skip = 0;
    while (skip < sentence.text.size() && IsBlank(sentence.text[skip])) ++skip;
    const std::size_t at = std::max(SourceOffset(sentence, skip), sentence.runs[0].source_begin);
    if (at < sentence.span.begin || at >= sentence.span.end) return sentence;
    const auto line = std::upper_bound(line_starts_.begin(), line_starts_.end(), at) - 1;
    sentence.span.begin = at;
    sentence.span.first_line = static_cast<std::size_t>(line - line_starts_.begin()) + 1;
    sentence.span.first_column = at - *line + 1;
    return sentence;
  }

  void Code(const MarkdownNode& node) {
    ++group_;
    Statement code;
    code.kind = StatementKind::kCode;
    code.text = node.text;
    code.info = node.info;
    code.span = node.span;
    std::size_t at = node.span.begin;
    const std::string_view source = source_;
    if (node.is_fenced) {
      const std::size_t end = source.find('\n', at);
      at = end == source.npos ? node.span.end : end + 1;
    }
    // Exact where the block is not indented inside an item or a quote: then its
    // lines are the source's.
    const bool is_exact = source.substr(at, node.text.size()) == node.text;
    if (is_exact) {
      code.runs.push_back({.begin = 0,
                           .end = code.text.size(),
                           .source_begin = at,
                           .is_exact = true,
                           .is_code = true});
    } else {
      CodeLines(code, at);
    }
    if (Statement title = CodeTitle(code); !title.text.empty()) PushAside(std::move(title));
    for (CodeText& text : ReadCodeTexts(code.info, code.text)) {
      Statement comment;
      comment.kind = StatementKind::kCodeComment;
      comment.span = code.span;
      comment.span.first_line += text.line + (node.is_fenced ? 1 : 0);
      comment.span.first_column = 1;
      comment.text = std::move(text.text);
      PushAside(std::move(comment));
    }
    Push(std::move(code));
  }

  // title="The defaults" after a fence, which many readers show above the code.
  static Statement CodeTitle(const Statement& code) {
    Statement title;
    title.kind = StatementKind::kTitle;
    title.span = code.span;
    for (const std::string_view key : {"title=\"", "caption=\"", "title='", "caption='"}) {
      const std::size_t at = code.info.find(key);
      if (at == std::string::npos) continue;
      const std::size_t begin = at + key.size();
      title.text = code.info.substr(begin, code.info.find(key.back(), begin) - begin);
      break;
    }
    return title;
  }

  // One run for each line of an indented block, found in the source by itself.
  void CodeLines(Statement& code, std::size_t at) const {
    const std::string_view text = code.text;
    std::size_t begin = 0;
    while (begin < text.size()) {
      std::size_t end = text.find('\n', begin);
      if (end == text.npos) end = text.size();
      std::size_t line_end = source_.find('\n', at);
      if (line_end == source_.npos) line_end = source_.size();
      const std::string_view line = source_.substr(at, line_end - at);
      const std::size_t found = line.find(text.substr(begin, end - begin));
      code.runs.push_back({.begin = begin,
                           .end = end,
                           .source_begin = at + (found == line.npos ? 0 : found),
                           .is_exact = found != line.npos,
                           .is_code = true});
      begin = end + 1;
      at = std::min(line_end + 1, source_.size());
    }
  }

  // A long cell would be copied into every cell of its row or column.
  static std::string Beginning(const std::string& text) { return text.substr(0, 512); }

  void Table(const MarkdownNode& node) {
    std::vector<std::string> header;
    for (const MarkdownNode& row : node.children) {
      ++group_;
      std::string first;
      for (std::size_t column = 0; column < row.children.size(); ++column) {
        Gathered gathered = Gather(row.children[column], StatementKind::kCell);
        if (row.is_header) header.push_back(Beginning(gathered.whole.text));
        if (column == 0) first = Beginning(gathered.whole.text);
        for (Gathered::Mark& mark : gathered.marks) {
          gathered.whole.citations.push_back(std::move(mark.label));
        }
        if (!row.is_header) {
          gathered.whole.context = {column < header.size() ? header[column] : "", first};
        } else {
          gathered.whole.kind = StatementKind::kColumn;
        }
        if (!gathered.whole.text.empty()) Push(std::move(gathered.whole));
      }
    }
  }

  void Footnote(const MarkdownNode& node) {
    const std::size_t line = node.span.first_line;
    if (line == 0 || line > line_starts_.size()) return;
    const std::size_t begin = line_starts_[line - 1];
    const std::size_t end = line < line_starts_.size() ? line_starts_[line] : source_.size();
    const std::string_view first = Trim(source_.substr(begin, end - begin));
    result_.footnotes[node.text] = {.line = std::string(first), .line_number = line};
    NoteWords(node, node.text, evidence::ParseFootnote(first).ok() ? line : 0);
  }

  // The words of a definition, a statement for each block; and its comments but
  // the citation on its first line.
  void NoteWords(const MarkdownNode& node, const std::string& label, std::size_t cited_line) {
    const bool is_text = !node.children.empty() && IsInline(node.children.front().kind);
    if (!is_text && node.kind != MarkdownKind::kCodeBlock &&
        node.kind != MarkdownKind::kHtmlBlock) {
      for (const MarkdownNode& child : node.children) NoteWords(child, label, cited_line);
      return;
    }
    Gathered gathered = GatherInlines(source_, node, StatementKind::kNote, true);
    if (!is_text) gathered.whole.text = node.text;
    gathered.whole.citations = {label};
    for (const Gathered::Mark& mark : gathered.marks)
      gathered.whole.citations.push_back(mark.label);
    const auto is_citation = [&](const Statement& aside) {
      return aside.kind == StatementKind::kHtmlComment && aside.span.first_line == cited_line;
    };
    const auto last = std::find_if(gathered.asides.rbegin(), gathered.asides.rend(), is_citation);
    if (last != gathered.asides.rend()) gathered.asides.erase(std::next(last).base());
    for (Statement& aside : gathered.asides) PushAside(std::move(aside));
    PushAside(std::move(gathered.whole));
  }

  std::string_view source_;
  std::vector<std::size_t> line_starts_;
  Statements result_;
  std::uint32_t heading_ = 0;
  std::size_t alert_mark_ = 0;  // of the block quote that begins
  std::uint32_t group_ = 0;
};

// Unused definitions are not in the tree, but are visible in the file.
void AddUnusedFootnotes(std::string_view source, Statements& statements) {
  std::size_t number = 0;
  for (const std::string_view line : SplitLines(source)) {
    ++number;
    const std::optional<std::string_view> id = evidence::FootnoteId(line);
    if (!id) continue;
    statements.footnotes.try_emplace(
        std::string(*id), FootnoteText{.line = std::string(line), .line_number = number});
  }
  for (const Statement& statement : statements.all) {
    for (const std::string& label : statement.citations) {
      const auto found = statements.footnotes.find(label);
      if (found != statements.footnotes.end()) ++found->second.uses;
    }
  }
}

// "[name]: target "title"" that no link uses: not in the tree, and not shown.
void AddUnusedDefinitions(std::string_view source, Statements& statements) {
  std::set<std::size_t> seen;  // lines of code and HTML
  for (const Statement& statement : statements.all) {
    if (statement.kind != StatementKind::kCode) continue;
    for (std::size_t i = statement.span.first_line; i <= statement.span.last_line; ++i) {
      seen.insert(i);
    }
  }
  std::set<std::string, std::less<>> used;
  const auto use = [&](const Statement& statement) {
    for (const StatementLink& link : statement.links) {
      const std::string_view written =
          source.substr(link.span.begin, link.span.end - link.span.begin);
      // "[text][name]", "[name][]" or "[name]"
      const std::size_t close = written.rfind(']');
      const std::size_t open = close == written.npos ? close : written.rfind('[', close);
      if (open == written.npos) continue;
      used.insert(LowerCase(Trim(written.substr(open + 1, close - open - 1))));
      used.insert(LowerCase(Trim(link.text)));
    }
  };
  for (const Statement& statement : statements.all) use(statement);
  std::size_t number = 0;
  std::vector<Statement> unused;
  for (const std::string_view line : SplitLines(source)) {
    ++number;
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    const std::string_view text = line.substr(indent);
    const std::size_t close = text.find("]:");
    if (indent > 3 || !text.starts_with('[') || text.starts_with("[^") || close == text.npos ||
        seen.contains(number)) {
      continue;
    }
    if (used.contains(LowerCase(Trim(text.substr(1, close - 1))))) continue;
    Statement definition;
    definition.kind = StatementKind::kDefinition;
    definition.text = text;
    definition.span = {.begin = statements.line_starts[number - 1],
                       .end = statements.line_starts[number - 1] + line.size(),
                       .first_line = number,
                       .first_column = 1,
                       .last_line = number,
                       .last_column = line.size(),
                       .is_exact = true};
    unused.push_back(std::move(definition));
  }
  std::move(unused.begin(), unused.end(), std::back_inserter(statements.asides));
}

// "---" at the very start, up to the next one: shown by some readers, hidden by
// others.
void AddFrontMatter(std::string_view source, Statements& statements) {
  const std::vector<std::string_view> lines = SplitLines(source);
  if (lines.empty() || (Trim(lines[0]) != "---" && Trim(lines[0]) != "+++")) return;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (Trim(lines[i]) != Trim(lines[0])) continue;
    Statement matter;
    matter.kind = StatementKind::kFrontMatter;
    matter.span = {.begin = 0,
                   .end = statements.line_starts[i] + lines[i].size(),
                   .first_line = 1,
                   .first_column = 1,
                   .last_line = i + 1,
                   .last_column = 1,
                   .is_exact = true};
    matter.text = source.substr(0, matter.span.end);
    statements.asides.insert(statements.asides.begin(), std::move(matter));
    return;
  }
}

}  // namespace

Result<Statements> ReadStatements(std::string_view source) {
  const MarkdownNode document = SIBYL_TRY(ParseMarkdown(source));
  Statements statements = Splitter(source).Take(document);
  AddUnusedFootnotes(source, statements);
  AddUnusedDefinitions(source, statements);
  AddFrontMatter(source, statements);
  return statements;
}

const TextRun* RunAt(const Statement& statement, std::size_t text_offset) {
  const auto after =
      std::upper_bound(statement.runs.begin(), statement.runs.end(), text_offset,
                       [](std::size_t offset, const TextRun& run) { return offset < run.begin; });
  Work::Add(1);
  if (after == statement.runs.begin()) return nullptr;
  const TextRun& run = *(after - 1);
  return text_offset < run.end ? &run : nullptr;
}

std::size_t SourceOffset(const Statement& statement, std::size_t text_offset) {
  const auto after =
      std::upper_bound(statement.runs.begin(), statement.runs.end(), text_offset,
                       [](std::size_t offset, const TextRun& run) { return offset < run.begin; });
  Work::Add(1);
  if (after == statement.runs.begin()) return statement.span.begin;
  const TextRun& run = *(after - 1);
  if (text_offset < run.end && run.is_exact) return run.source_begin + (text_offset - run.begin);
  return run.source_begin;
}

bool IsCodeAt(const Statement& statement, std::size_t text_offset) {
  const TextRun* run = RunAt(statement, text_offset);
  return run != nullptr && run->is_code;
}

}  // namespace sibyl::statement
